import Forms

/// A browser that receives a member's push messages.
struct PushDevice: Sendable {
    let id: ID<PushDevice>
    /// The browser's short name.
    let device: String
    let madeAt: Instant
    /// Whether it is the current browser.
    let isThis: Bool

    /// The most per member: the oldest is removed.
    static let most = 10

    var name: Words { Session.deviceName(device) }
}

/// A notice to be pushed to a browser.
struct Push: Sendable {
    let id: ID<Push>
    let device: ID<PushDevice>
    /// The number of attempts, including this one.
    let tries: Int
    /// When it would be too late.
    let endsAt: Instant
    let endpoint: String
    let publicKey: String
    let secret: String
    /// The reader's language, if they chose one.
    let language: String?
    /// The reader's number of unread notices.
    let unread: Int
    let notice: ID<Notice>
    let kind: NoticeKind
    let event: ID<Event>?
    let subject: Int64?

    /// The most to send at once.
    static let batch = 100
    /// How long a claim lasts.
    static let patience = Duration.minutes(2)
    /// The longest useful time; after that the inbox is enough.
    static let longest = Duration.days(1)

    /// A push replaces an earlier one of the same sort.
    var sort: String { "\(kind.rawValue)-\(event?.rawValue ?? 0)-\(event == nil ? subject ?? 0 : 0)" }
}
