import FoundationEssentials

/// The key that calendars' private addresses are made with, and what else nobody may make who has a copy of the
/// database. It is a file beside the database and in none of its copies,
/// which hold the addresses' hashes only: somebody who has a copy alone has no address.
///
/// An address from before, or made with a key that is lost, opens what it always did; only it can't be shown again.
struct CalendarKey: Sendable {
    /// 43 characters of base64url.
    let text: String
    private let seal: Seal

    /// The key of a data folder; a new one where there is none, or it can't be read. One that can't be written is good
    /// until the program ends: no reason not to start.
    init(folder: String) {
        let path = folder + "/calendar.key"
        if let bytes = FileManager.default.contents(atPath: path),
            let kept = CalendarKey(String(decoding: bytes.prefix(43), as: UTF8.self))
        {
            self = kept
            return
        }
        let key = Token().text
        _ = FileManager.default.createFile(
            atPath: path, contents: Data((key + "\n").utf8), attributes: [.posixPermissions: 0o600])
        self.init(key)!
    }

    init?(_ text: String) {
        guard let seal = Seal(key: text) else { return nil }
        (self.text, self.seal) = (text, seal)
    }

    /// The secret part of the link that makes the first admin, by when it was first told.
    func setupToken(at made: Instant) -> Token { Token(bytes: seal.hash(of: "\(made.milliseconds)", as: "setup")) }

    /// A number that stands for a word, the same on all nodes, from which nobody else tells the word.
    func number(for word: String) -> Int64 {
        seal.hash(of: word, as: "count").prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }

    /// The secret part of a link that a form makes: the same form makes the same link, however often it is sent.
    func token(of form: SentForm, by account: ID<Account>) -> Token {
        Token(bytes: seal.hash(of: "\(account)-\(form.path)-\(form.once)", as: "link"))
    }

    /// The secret part of an address. Its owner and the time it was made count: after going back to a copy of the
    /// database its number may be given again.
    func token(of link: ID<CalendarLink>, account: ID<Account>, at made: Instant) -> Token {
        Token(bytes: seal.hash(of: "\(link)-\(account)-\(made.milliseconds)", as: "calendar"))
    }
}
