import FoundationEssentials

/// The key for secrets that a copy of the database must not reveal: private calendar addresses, invitation links, the
/// subjects of counts. It is a file next to the database and in none of its copies, which contain only hashes.
///
/// If the key is lost, addresses made with it still work but can't be shown again.
struct SiteKey: Sendable {
    /// Its file in the data folder, named after its first use.
    static let file = "calendar.key"

    /// 43 characters of base64url.
    let text: String
    private let seal: Seal

    /// The key of a data folder, or a new one if there is none or it can't be read. A new key that can't be saved works
    /// until the program ends, which is no reason not to start.
    init(folder: String) {
        if let kept = SiteKey(keptIn: folder) {
            self = kept
            return
        }
        let key = Token().text
        _ = FileManager.default.createFile(
            atPath: folder + "/" + Self.file, contents: Data((key + "\n").utf8), attributes: [.posixPermissions: 0o600])
        self.init(key)!
    }

    /// The key in a data folder; nil if there is none, or it can't be read.
    init?(keptIn folder: String) {
        guard let bytes = FileManager.default.contents(atPath: folder + "/" + Self.file) else { return nil }
        self.init(String(decoding: bytes.prefix(43), as: UTF8.self))
    }

    init?(_ text: String) {
        guard let seal = Seal(key: text) else { return nil }
        (self.text, self.seal) = (text, seal)
    }

    /// The secret part of the link that creates the first admin, derived from the time it was first shown.
    func setupToken(at made: Instant) -> Token { Token(bytes: seal.hash(of: "\(made.milliseconds)", as: "setup")) }

    /// A text for a browser to keep and not change, valid for one purpose.
    func sealed(_ word: String, as purpose: String) -> String { seal.sealed(word, as: purpose) }

    func open(_ text: String, of purpose: String) -> String? { seal.open(text, of: purpose) }

    /// A secret derived from another one, which it doesn't reveal.
    func token(from token: Token, as purpose: String) -> Token {
        Token(bytes: seal.hash(of: token.text, as: purpose))
    }

    /// A number for a text, the same on all nodes, that doesn't reveal the text without the key.
    func number(for word: String) -> Int64 {
        seal.hash(of: word, as: "count").prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }

    /// The secret part of a link that a form creates: sending the same form again creates the same link.
    ///
    /// - Parameters:
    ///   - path: The address the form was sent to.
    ///   - once: The form's unique value.
    func token(ofForm once: String, at path: String, by account: ID<Account>) -> Token {
        Token(bytes: seal.hash(of: "\(account)-\(path)-\(once)", as: "link"))
    }

    /// The secret part of an address. It depends on the owner and the time of creation, because after a restore the
    /// database may assign the same number again.
    func token(of link: ID<CalendarLink>, account: ID<Account>, at made: Instant) -> Token {
        Token(bytes: seal.hash(of: "\(link)-\(account)-\(made.milliseconds)", as: "calendar"))
    }
}
