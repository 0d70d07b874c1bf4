import Forms
import Templating

/// How many people the host counted at an event. What was counted wins over the ticks on the list: nobody ticks the
/// grandmother who came along.
struct Headcount: Form, Equatable {
    /// Those at the place, and those who watched live. Nil where nobody counted.
    var here: Int?
    var online: Int?

    /// Whether there is somebody to count: it has begun, and isn't canceled.
    static func isOpen(for event: Event, at now: Instant) -> Bool { event.startsAt <= now && !event.isCancelled }

    static let fields: [Field<Headcount>] = [
        .number("here", \.here, "People in the room", 0...100_000)
            .hint(
                "Everyone except the people running it. Leave it empty if nobody counted: check-ins are used then."),
        .number("online", \.online, "People who watched live", 0...100_000)
            .hint("Count each screen once, at the peak."),
    ]
}

/// `/events/{id}/headcount`.
struct HeadcountPage: Sendable {
    let event: Event
    /// How many were ticked on the list or came without having registered.
    let ticked: Int
    let form: Submission<Headcount>
}
