import Templating

extension Link {
    /// A link to write to an e-mail address; nil if it is empty.
    init?(writingTo address: String) {
        self.init(outside: "mailto:\(address)")
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
