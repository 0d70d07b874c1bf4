import FoundationEssentials

/// The key of what a copy of the database alone must not give away: the private addresses of calendars, the link of
/// an invitation, what a count is about. It is a file beside the database, and is in none of its copies, which hold
/// hashes only.
///
/// An address made with a key that was lost since still opens; it can't be shown again.
struct SiteKey: Sendable {
    /// Its file in the data folder, named after its first use.
    static let file = "calendar.key"

    /// 43 characters of base64url.
    let text: String
    private let seal: Seal

    /// The key of a data folder; a new one where there is none, or it can't be read. One that can't be written is good
    /// until the program ends: no reason not to start.
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

    /// The key that a data folder holds; nil where there is none, or it can't be read.
    init?(keptIn folder: String) {
        guard let bytes = FileManager.default.contents(atPath: folder + "/" + Self.file) else { return nil }
        self.init(String(decoding: bytes.prefix(43), as: UTF8.self))
    }

    init?(_ text: String) {
        guard let seal = Seal(key: text) else { return nil }
        (self.text, self.seal) = (text, seal)
    }

    /// The secret part of the link that makes the first admin, by when it was first told.
    func setupToken(at made: Instant) -> Token { Token(bytes: seal.hash(of: "\(made.milliseconds)", as: "setup")) }

    /// A word that a browser keeps and can't change, good for one purpose.
    func sealed(_ word: String, as purpose: String) -> String { seal.sealed(word, as: purpose) }

    func open(_ text: String, of purpose: String) -> String? { seal.open(text, of: purpose) }

    /// A secret that follows from another one, and from which nobody tells that one.
    func token(from token: Token, as purpose: String) -> Token {
        Token(bytes: seal.hash(of: token.text, as: purpose))
    }

    /// A number that stands for a word, the same on all nodes, from which nobody else tells the word.
    func number(for word: String) -> Int64 {
        seal.hash(of: word, as: "count").prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }

    /// The secret part of a link that a form makes: the same form makes the same link, however often it is sent.
    ///
    /// - Parameters:
    ///   - path: Where the form was sent.
    ///   - once: What tells it from every other form.
    func token(ofForm once: String, at path: String, by account: ID<Account>) -> Token {
        Token(bytes: seal.hash(of: "\(account)-\(path)-\(once)", as: "link"))
    }

    /// The secret part of an address. Its owner and the time it was made count: after going back to a copy of the
    /// database its number may be given again.
    func token(of link: ID<CalendarLink>, account: ID<Account>, at made: Instant) -> Token {
        Token(bytes: seal.hash(of: "\(link)-\(account)-\(made.milliseconds)", as: "calendar"))
    }
}
