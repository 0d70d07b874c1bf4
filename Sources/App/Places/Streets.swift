import Templating

/// The streets under a map. They come from another host, so nothing of them is loaded before a visitor asks for it.
enum Streets: Sendable, Equatable {
    /// The page with the streets.
    case offered(Link)
    /// The addresses of the tile server's pictures, and whose work they are.
    case shown(tiles: String, attribution: String)

    /// The page with the streets, while they aren't shown.
    var link: Link? { if case .offered(let link) = self { link } else { nil } }

    /// The addresses of the tile server's pictures, once they are.
    var tiles: String? { if case .shown(let tiles, _) = self { tiles } else { nil } }

    var attribution: String? { if case .shown(_, let attribution) = self { attribution } else { nil } }

    /// Whether a visitor asks for streets by this.
    static let name = "streets", value = "1"

    /// Where the pictures come from, as a content security policy names it: `https://tiles.example`.
    static func origin(of tiles: String) -> String {
        let host = tiles.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" }
        return "https://\(host)"
    }
}
