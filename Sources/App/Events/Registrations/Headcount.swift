import Forms
import Templating

/// The host's head count at an event. It takes precedence over the checked-in people, because nobody checks in the
/// grandmother who came along.
struct Headcount: Form, Equatable {
    /// The people on site, and those who watched live; nil if not counted.
    var here: Int?
    var online: Int?

    /// Whether people can be counted: it has begun and isn't canceled.
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
    /// The count, for the list; nil if there is none.
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
    /// How many people were checked in, or came without a registration.
    let ticked: Int
    let form: Submission<Headcount>
}
