/// An address of somebody without an account to which the site wrote, as contained in the link to stop such letters.
struct WrittenAddress: Sendable {
    /// A keyed hash, from which nobody can compute the address.
    let hash: [UInt8]

    /// The minimum time between letters to the same address for members.
    static let pause = Duration.days(30)
    private static let purpose = "no-invitations"

    /// A suffix after a plus before the at sign belongs to the same mailbox.
    init(_ address: String, _ seal: Seal) {
        var word = address.lowercased()
        if let at = word.lastIndex(of: "@"), let plus = word[..<at].firstIndex(of: "+"), plus > word.startIndex {
            word.removeSubrange(plus..<at)
        }
        hash = seal.hash(of: word, as: "address")
    }

    /// Parses a link to stop such letters; nil if its seal is invalid.
    init?(token: String, _ seal: Seal) {
        guard let text = seal.open(token, of: Self.purpose), let bytes = Base64URL.decode(text), bytes.count == 32
        else { return nil }
        hash = bytes
    }

    func token(_ seal: Seal) -> String { seal.sealed(Base64URL.encode(hash), as: Self.purpose) }
}
