import Templating

/// The streets under a map. They come from another host, so nothing is loaded before a visitor asks for them.
enum Streets: Sendable, Equatable {
    /// The page with the streets.
    case offered(Link)
    /// The URLs of the tile server's pictures, and their attribution.
    case shown(tiles: String, attribution: String)

    /// The page with the streets, if they aren't shown.
    var link: Link? { if case .offered(let link) = self { link } else { nil } }

    /// The URLs of the tile server's pictures, if they are shown.
    var tiles: String? { if case .shown(let tiles, _) = self { tiles } else { nil } }

    var attribution: String? { if case .shown(_, let attribution) = self { attribution } else { nil } }

    /// The query parameter that asks for streets.
    static let name = "streets", value = "1"

    /// The pictures' origin for a content security policy: `https://tiles.example`.
    static func origin(of tiles: String) -> String {
        let host = tiles.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" }
        return "https://\(host)"
    }
}
