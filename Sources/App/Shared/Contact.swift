import Templating

extension Link {
    /// A link to write to an e-mail address; nil if it is empty.
    ///
    /// A few signs that addresses may have would be read as the beginning of a subject or of copies to others:
    /// `x?cc=y@example.org` (RFC 6068, 2).
    init?(writingTo address: String) {
        let signs = ["%": "%25", "?": "%3F", "&": "%26", "#": "%23", "/": "%2F"] as [Character: String]
        self.init(outside: "mailto:" + address.map { signs[$0] ?? String($0) }.joined())
    }

    /// A link to write to several people who don't see each other's addresses; nil if there are none, or too many for a
    /// link that works in every mail program.
    ///
    /// - Parameter sign: The separator: a comma by the standard (RFC 6068), a semicolon for Outlook.
    init?(writingToAll addresses: [String], partedBy sign: String = ",") {
        guard !addresses.isEmpty else { return nil }
        let letter = Link("mailto:").with("bcc", addresses.joined(separator: sign))
        guard letter.string.utf8.count <= Self.longestLetter else { return nil }
        self = letter
    }

    /// The longest link that Windows passes to a mail program.
    private static let longestLetter = 1_900
}
