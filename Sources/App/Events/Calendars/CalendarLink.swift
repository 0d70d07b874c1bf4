/// The private address of a family's calendar, for the calendar program on a phone.
///
/// Whoever has it sees when and where the family is, so it is shown once, and one press makes it worthless.
enum CalendarLink {
    /// How far back the calendar reaches.
    static let past = Duration.days(90)

    /// A child as a calendar names it, which lies about on screens: `Ana Ortiz` is `A.O.`.
    static func initials(of nickname: String) -> String {
        nickname.split { !$0.isLetter && !$0.isNumber }.prefix(3).map { "\($0.first!.uppercased())." }.joined()
    }
}

/// Where a family is registered, as its calendar shows it.
struct Booking: Sendable {
    let event: ID<Event>
    /// The nicknames of those who come.
    var children: [String] = []
    /// How often something about it changed: registrations made, and places given back.
    var changes = 0
    var updatedAt: Instant
}

extension EventCalendar.Entry {
    /// The event in the calendar of a family that is registered.
    init(_ event: Event, _ booking: Booking) {
        self.init(event)
        who = booking.children.map(CalendarLink.initials).filter { !$0.isEmpty }.joined(separator: ", ")
        isCancelled = event.isCancelled || booking.children.isEmpty
        sequence = event.sequence + booking.changes
        updatedAt = max(event.updatedAt, booking.updatedAt)
        isPrivate = !booking.children.isEmpty
    }

    /// An activity that somebody of the family is in.
    init(_ event: Event, _ line: ActivityLine) {
        self.init(event, line.activity)
        who = line.names.compactMap { $0.map(CalendarLink.initials) }.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
