/// Which letters reach a member.
enum MailReach: Sendable {
    /// All: they pressed a link in one.
    case confirmed
    /// Unknown: letters about things they take part in are sent, those about what others do aren't.
    case unconfirmed
    /// None: their mail server refuses or returns them.
    case refused
    /// The site has no mail server.
    case nowhere

    /// Whether the address is confirmed and accepts mail.
    var isConfirmed: Bool { if case .confirmed = self { true } else { false } }

    /// Whether letters of a kind are expected to arrive.
    func takes(_ kind: NoticeKind) -> Bool {
        switch self {
        case .confirmed: true
        case .unconfirmed: kind.reachesEveryAddress
        case .refused, .nowhere: false
        }
    }
}
