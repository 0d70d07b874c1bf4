import Forms

/// A notice to a member.
struct Notice: Sendable {
    let id: ID<Notice>
    let kind: NoticeKind
    let registration: ID<Registration>?
    /// Data that depends on the kind, such as what changed.
    var detail: String
    /// The number of its subject apart from the event.
    let subject: Int64?
    /// How often it happened while unread.
    var times: Int
    let at: Instant
    var readAt: Instant?
    /// Whether the inbox has listed it.
    let isShown: Bool
    /// The event that it is about; nil for others.
    let happening: Happening?
    /// The headline of a host's message; empty for other kinds.
    let headline: String
    /// The opportunity whose helpers got a message.
    let helped: Helped?
    /// The name of the member who wrote what it is about, as it is now; nil for kinds that name nobody.
    var author: Words?

    struct Helped: Sendable {
        let id: ID<Opportunity>
        let title: String
    }

    struct Happening: Sendable {
        let event: ID<Event>
        let title: EventTitle
        let schedule: Schedule
        let cancelReason: String
        let isCancelled: Bool

        /// When it is, for a reader in a zone.
        func time(for reader: Zone) -> Words {
            schedule.said("\(schedule.day.name, as: "day"), \(schedule.time, as: "time")", for: reader)
        }
    }

    var isRead: Bool { readAt != nil }
    var event: ID<Event>? { happening?.event }
    var title: Words { happening?.title.words ?? Words(verbatim: "") }

    /// The detail of an offer that goes to the first to accept; otherwise the detail is the number of promised places.
    static let anybodys = "0"

    /// The detail of a notice to a family that waited in vain until the event began.
    static let inVain = "waited"

    /// The detail of a notice that the page of an event, which was hidden, is shown again.
    static let shownAgain = "shown"

    /// How long notices are kept.
    static let memory = Duration.days(365)
    /// Notices per page.
    static let pageSize = 30
}
