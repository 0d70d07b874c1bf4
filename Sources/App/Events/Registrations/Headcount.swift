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
        .number("here", \.here, "People there", 0...100_000)
            .hint(
                """
                Everyone except the people running it; over several days, each person once. Leave it empty if nobody \
                counted: check-ins are used then.
                """),
        .number("online", \.online, "People who watched live", 0...100_000)
            .hint("Count each screen once, at the peak."),
    ]
}

extension Headcount {
    /// What was counted, for the list; nil where nobody counted.
    var words: Words? {
        let here = here.map { Words("{count} person was there.", plural: "{count} people were there.", count: $0) }
        let online = online.map { Words("{count} watched live.", plural: "{count} watched live.", count: $0) }
        guard let here, let online else { return here ?? online }
        return "\(here, as: "first") \(online, as: "second")"
    }
}

/// `/events/{id}/headcount`.
struct HeadcountPage: Sendable {
    let event: Event
    /// How many were ticked on the list or came without having registered.
    let ticked: Int
    let form: Submission<Headcount>
}
