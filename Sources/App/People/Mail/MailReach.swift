/// Which letters reach somebody.
enum MailReach: Sendable {
    /// All of them: a link in one was pressed.
    case confirmed
    /// Nobody knows: what concerns something they take part in is sent, and what others do isn’t.
    case unconfirmed
    /// Their mail server takes none for the address, or sent them back.
    case refused
    /// The site has no mail server.
    case nowhere

    /// Whether the address is known to be its owner's, and takes letters.
    var isConfirmed: Bool { if case .confirmed = self { true } else { false } }

    /// Whether letters of a kind arrive, as far as anybody knows.
    func takes(_ kind: NoticeKind) -> Bool {
        switch self {
        case .confirmed: true
        case .unconfirmed: kind.reachesEveryAddress
        case .refused, .nowhere: false
        }
    }
}
