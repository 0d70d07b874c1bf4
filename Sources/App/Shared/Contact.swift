import Templating

extension Link {
    /// Writes to an e-mail address; nil where there is none.
    init?(writingTo address: String) {
        self.init(outside: "mailto:\(address)")
    }

    /// One letter to several, none of whom sees the others' addresses; nil where there are none, or more than the
    /// address of a letter holds in every mail program.
    ///
    /// - Parameter sign: What parts them: a comma by the standard (RFC 6068), a semicolon for Outlook.
    init?(writingToAll addresses: [String], partedBy sign: String = ",") {
        guard !addresses.isEmpty else { return nil }
        let letter = Link("mailto:").with("bcc", addresses.joined(separator: sign))
        guard letter.string.utf8.count <= Self.longestLetter else { return nil }
        self = letter
    }

    /// Windows hands no longer address to a mail program.
    private static let longestLetter = 1_900
}
