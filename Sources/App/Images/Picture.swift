import Forms
import Templating

/// An uploaded picture: its description and its files.
struct Picture: Sendable, Equatable {
    let id: ID<Picture>
    /// The SHA-256 of the uploaded file, in hexadecimal.
    let hash: String
    /// A description for people who can't see it; empty if it is decorative.
    var alt: String
    /// The width of the largest size in pixels.
    let width: Int
    let height: Int
    /// The part to keep when it is cropped: 1 to 9, row by row.
    var focus = 5

    /// The stored sizes. A picture is never enlarged.
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

    /// The longest description, in characters.
    static let altLimit = 200

    /// The description after a form was sent: an unchanged one keeps what another tab stored meanwhile; if both changed
    /// it, a problem shows the other text.
    ///
    /// - Parameters:
    ///   - drawn: The description when the form was drawn.
    ///   - stored: The description stored now.
    static func merge(alt typed: String, drawn: String?, stored: String) -> (alt: String, problem: Words?) {
        guard let drawn, stored != drawn, stored != typed else { return (typed, nil) }
        guard typed != drawn else { return (stored, nil) }
        return (
            typed,
            "What a picture shows was changed meanwhile, to “\(stored, as: "text")”. Save once more to keep your words."
        )
    }

    /// The width of this size in pixels.
    func width(_ size: Size) -> Int {
        let longest = max(width, height)
        return longest <= size.edge ? width : max(1, width * size.edge / longest)
    }

    /// The URL of this size.
    func link(_ size: Size) -> Link { Link("/media") / hash / "\(size.rawValue).webp" }

    /// The CSS class that keeps the focus visible (`components/picture.css`).
    var focusClass: String { "focus-\(focus)" }

    /// The most pictures that one thing shows.
    static let mostOfOne = 4
}

/// The small picture next to the name of a family or provider.
struct Portrait: Sendable, Equatable {
    let hash: String

    var link: Link { Link("/media") / hash / "\(Picture.Size.thumb.rawValue).webp" }
}
