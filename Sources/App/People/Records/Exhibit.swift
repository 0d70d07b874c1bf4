import Templating

/// Content by a person in its current state.
struct Exhibit: Sendable {
    let subject: Subject
    let author: Author
    /// The title, or the event of a question; empty if there is none.
    var title = ""
    /// The whole text.
    var text: String
    /// The texts by which a copy is recognized: title and description.
    var recognized: [String] = []
    /// A text that only some can read, such as participants; staff see it, too.
    var aside = ""
    /// Its photos.
    var pictures: [Picture] = []
    /// The page that shows it.
    let link: Link
    /// The page where its author changes it, if that isn't below the one that shows it.
    var editPage: Link?
    /// Whether a decision hid it.
    var isHidden = false
    /// Whether it is between two people: staff can read it only if one of them reported it.
    var isPrivate = false
    /// Whether it is a place that accepts donations all year and must be verified.
    var isLasting = false
    /// The position of its pin.
    var pin: Coordinate?
    /// The number of registered families.
    var families = 0

    /// Whether it is of somebody whose name the others there don't read.
    var isUnnamed = false
    /// Whether its readers aren't told who wrote it.
    var isUnsigned: Bool { isUnnamed || subject.kind == .act || subject.kind == .question }

    /// The page where its author changes it.
    var editLink: Link { editPage ?? link / "edit" }

    /// Hashes of these texts, which can be compared but not read.
    var marks: [String] {
        recognized.map { folded($0).split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            .filter { !$0.isEmpty }.map { Token.fingerprint(of: [$0]) }
    }

    /// The part that is stored with a report.
    var kept: String { String(text.prefix(6_000)) }

    /// The text that only some can read.
    var asideBody: HTML { .paragraphs(of: aside) }

    /// The text without the title, which is often its beginning.
    var body: HTML {
        let rest = text.hasPrefix(title) ? text.dropFirst(title.count) : ""
        let isSaid = text == title || rest.hasPrefix("\n\n")
        return .paragraphs(of: isSaid ? String(rest.dropFirst(2)) : text)
    }

    /// The version for a staff form: another one means that the content or its visibility has changed.
    var version: String {
        Token.fingerprint(
            of: [text, aside, "\(isLasting)", "\(isHidden)", pin.map { "\($0.latitude) \($0.longitude)" } ?? ""]
                + pictures.map { "\($0.id) \($0.alt)" })
    }

    /// The texts that aren’t empty, one below the other.
    static func joined(_ texts: [String], _ separator: String = "\n\n") -> String {
        texts.filter { !$0.isEmpty }.joined(separator: separator)
    }
}
