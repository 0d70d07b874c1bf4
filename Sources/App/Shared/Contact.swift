import Templating

extension Link {
    /// Calls a number as somebody typed it: what follows a letter, such as an extension, is dialled by hand. Nil where
    /// there is no digit.
    init?(calling phone: String) {
        let number = phone.prefix { !$0.isLetter }.filter { ("0"..."9").contains($0) || $0 == "+" }
        guard number.contains(where: { $0 != "+" }) else { return nil }
        self.init(outside: "tel:\(number)")
    }

    /// Writes to an e-mail address; nil where there is none.
    init?(writingTo address: String) {
        self.init(outside: "mailto:\(address)")
    }

    /// One letter to several, none of whom sees the others' addresses; nil where there are none, or more than the
    /// address of a letter holds in every mail program.
    init?(writingToAll addresses: [String]) {
        let list = addresses.joined(separator: ",")
        guard !addresses.isEmpty, list.utf8.count <= 1_500 else { return nil }
        self = Link("mailto:").with("bcc", list)
    }
}
