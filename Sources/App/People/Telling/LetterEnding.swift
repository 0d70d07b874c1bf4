/// The account and kind of letters that a link unsubscribes. Anyone with the letter may use it; nobody else can make
/// such a link.
struct LetterEnding: Sendable {
    let account: ID<Account>
    let kind: NoticeKind

    init(account: ID<Account>, kind: NoticeKind) {
        self.account = account
        self.kind = kind
    }

    init?(_ token: String, _ seal: Seal) {
        let parts = seal.open(token)?.split(separator: "-") ?? []
        guard parts.count == 2, let account = ID<Account>(String(parts[0])),
            let kind = NoticeKind(rawValue: String(parts[1])),
            kind.endsByClick
        else { return nil }
        self.init(account: account, kind: kind)
    }

    func token(_ seal: Seal) -> String { seal.sealed("\(account)-\(kind.rawValue)") }
}
