import Forms

/// A browser of somebody's to which notices are pushed.
struct PushDevice: Sendable {
    let id: ID<PushDevice>
    /// What the browser called itself, in short.
    let device: String
    let madeAt: Instant
    /// Whether it is the one that somebody looks with.
    let isThis: Bool

    /// Nobody has more: the oldest ends.
    static let most = 10

    var name: Words { Session.deviceName(device) }
}

/// A notice on its way to a browser.
struct Push: Sendable {
    let id: ID<Push>
    let device: ID<PushDevice>
    /// How often it was tried, this time included.
    let tries: Int
    /// When it would come too late.
    let endsAt: Instant
    let endpoint: String
    let publicKey: String
    let secret: String
    /// The name of its reader's language, where one was chosen.
    let language: String?
    /// What its reader hasn't read.
    let unread: Int
    let notice: ID<Notice>
    let kind: NoticeKind
    let event: ID<Event>?
    let subject: Int64?

    /// The most that are sent at once.
    static let batch = 100
    /// While these are sent, nothing else sends them.
    static let patience = Duration.minutes(2)
    /// How long one is of use, at most: after that the inbox is enough.
    static let longest = Duration.days(1)

    /// Those of one sort follow each other: the later takes the earlier one's place.
    var sort: String { "\(kind.rawValue)-\(event?.rawValue ?? 0)-\(event == nil ? subject ?? 0 : 0)" }
}
