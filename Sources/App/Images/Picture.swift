import Forms
import Templating

/// A picture somebody uploaded: what it shows, and where it is found.
struct Picture: Sendable, Equatable {
    let id: ID<Picture>
    /// Of the file that was uploaded: SHA-256 in hexadecimal.
    let hash: String
    /// What it shows, for those who can't see it; empty where it only decorates.
    var alt: String
    /// Pixels of the largest size.
    let width: Int
    let height: Int
    /// The part that matters when it is cut: 1 to 9, row by row.
    var focus = 5

    /// The sizes that are kept. A picture is never made larger than it came.
    enum Size: String, Sendable, CaseIterable {
        case thumb, card, full

        /// The longest edge, in pixels.
        var edge: Int {
            switch self {
            case .thumb: 192
            case .card: 720
            case .full: 1_920
            }
        }
    }

    /// How much may be said of what it shows, in characters.
    static let altLimit = 200

    /// What a picture shows once a form says so: where nobody touched it there, it stays as another tab said meanwhile;
    /// what both changed comes back with a problem that names the other text.
    ///
    /// - Parameters:
    ///   - drawn: What the form said when it was drawn.
    ///   - stored: What is stored by now.
    static func merge(alt typed: String, drawn: String?, stored: String) -> (alt: String, problem: Words?) {
        guard let drawn, stored != drawn, stored != typed else { return (typed, nil) }
        guard typed != drawn else { return (stored, nil) }
        return (
            typed,
            "What a picture shows was changed meanwhile, to “\(stored, as: "text")”. Save once more to keep your words."
        )
    }

    /// How wide this size is, in pixels.
    func width(_ size: Size) -> Int {
        let longest = max(width, height)
        return longest <= size.edge ? width : max(1, width * size.edge / longest)
    }

    /// Where this size is served.
    func link(_ size: Size) -> Link { Link("/media") / hash / "\(size.rawValue).webp" }

    /// The class that keeps the part that matters in sight (`components/picture.css`).
    var focusClass: String { "focus-\(focus)" }
}

/// The small picture of a family or a provider, beside its name.
struct Portrait: Sendable, Equatable {
    let hash: String

    var link: Link { Link("/media") / hash / "\(Picture.Size.thumb.rawValue).webp" }
}
