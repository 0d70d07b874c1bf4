import Forms
import Templating

// Letters about events. None contains a child's name.

extension LetterText {
    /// - Parameters:
    ///   - days: The dates registered for at once.
    ///   - sessions: The sessions the family chose, if there are any.
    static func registered(
        _ event: Event, _ registration: ID<Registration>, places: Int, days: [Day] = [], sessions: [ActivityLine] = [],
        in zone: Zone
    ) -> LetterText {
        LetterText(
            subject: "Registered: \(names(event, days), as: "title")",
            heading: days.count > 1
                ? "You have places at \(event.readersTitle, as: "title"), on \(days.count, as: "count") dates"
                : "You have places at \(event.name, as: "title")",
            lines: [
                Words(
                    "{count} child is registered.", plural: "{count} children are registered.", count: places)
            ],
            facts: dates(days) + facts(event, for: zone)
                + sessions.map { Fact(name: Words(verbatim: $0.activity.name), words: $0.activity.sessionTime) },
            action: Action(name: "See the registration", link: .registration(registration)),
            closing: [
                event.spots == nil
                    ? "If you can’t come, give the places back there."
                    : "If you can’t come, give the places back there: another family will be glad."
            ],
            event: event.id)
    }

    /// - Parameter days: The reader’s dates that the same edit changed.
    static func changed(
        _ event: Event, _ changes: [Change], edit: ID<Change>? = nil, days: [Day] = [], in zone: Zone
    ) -> LetterText {
        LetterText(
            subject: "Changed: \(names(event, days), as: "title")",
            heading: days.count > 1
                ? "\(event.readersTitle, as: "title") has changed, on \(days.count, as: "count") of your dates"
                : "\(event.name, as: "title") has changed",
            lines: ["This is new:"],
            facts: dates(days)
                + changes.map {
                    Fact(name: $0.what.name, before: $0.hasBefore ? $0.saidBefore : nil, words: $0.saysNow)
                } + (changes.contains { $0.what == .time } ? abroad(event, for: zone) : []),
            action: Action(name: "See what changed", link: edit.map { Link.change($0) } ?? event.link),
            second: changes.contains { $0.what == .dates }
                ? Action(name: "Register for the new dates, too", link: .dates(of: event.id)) : nil,
            closing: ["If it doesn’t suit you anymore, give the places back on its page."], event: event.id)
    }

    /// - Parameter days: The reader’s dates that were canceled at once.
    static func cancelled(_ event: Event, edit: ID<Change>? = nil, days: [Day] = [], in zone: Zone) -> LetterText {
        let reason: [Words] = event.cancelReason.isEmpty ? [] : [Words(verbatim: event.cancelReason)]
        return LetterText(
            subject: "Canceled: \(names(event, days), as: "title")",
            heading: days.count > 1
                ? "\(event.readersTitle, as: "title") doesn’t take place, on \(days.count, as: "count") of your dates"
                : "\(event.name, as: "title") doesn’t take place",
            lines: ["The provider canceled it."] + reason, facts: dates(days) + facts(event, for: zone),
            action: Action(name: "See the event", link: edit.map { Link.change($0) } ?? event.link),
            event: event.id)
    }

    static func hidden(_ event: Event, _ registration: ID<Registration>?, in zone: Zone) -> LetterText {
        LetterText(
            subject: "Not shown at the moment: \(event.name, as: "title")",
            heading: "The page of \(event.name, as: "title") isn’t shown at the moment",
            lines: ["Your places stay yours. Please ask the provider whether it takes place."],
            facts: facts(event, for: zone),
            action: registration.map { Action(name: "See whom to call", link: .registration($0)) })
    }

    static func shownAgain(_ event: Event, _ registration: ID<Registration>?, in zone: Zone) -> LetterText {
        LetterText(
            subject: "Shown again: \(event.name, as: "title")",
            heading: "The page of \(event.name, as: "title") is shown again",
            lines: ["Your places stayed yours."], facts: facts(event, for: zone),
            action: registration.map { Action(name: "See the registration", link: .registration($0)) }
                ?? Action(name: "See the event", link: event.link))
    }

    /// - Parameter seal: Allows giving the places back without a log-in.
    static func reminder(
        _ event: Event, _ registration: ID<Registration>, places: Int, to reader: ID<Account>, in zone: Zone,
        _ seal: Seal?
    ) -> LetterText {
        LetterText(
            subject: "Coming up: \(event.name, as: "title")",
            heading: "Coming up: \(event.name, as: "title")",
            lines: [
                event.isForEveryone || event.spots == nil
                    ? "If you can’t come, one tap is enough."
                    : "If you can’t come, one tap is enough: another family will be glad."
            ]
                + (event.isForEveryone
                    ? [] : [Words("You have {count} place.", plural: "You have {count} places.", count: places)]),
            facts: facts(event, for: zone, takesPart: seal != nil),
            action: Action(
                name: Words("Give our place back", plural: "Give our places back", count: places),
                link: seal.map { LetterLink.giveBack.link(to: registration, for: reader, $0) }
                    ?? .registration(registration)),
            second: Action(
                name: event.isForEveryone ? "See the event" : "See the registration",
                link: .registration(registration)),
            event: event.id)
    }

    static func sessionReminder(
        _ event: Event, _ registration: ID<Registration>, _ detail: String, in zone: Zone, takesPart: Bool
    ) -> LetterText? {
        guard let (name, words) = Change.activity(detail) else { return nil }
        return LetterText(
            subject: "Coming up: \(name, as: "session"), \(event.readersTitle, as: "title")",
            heading: "Coming up: \(name, as: "session"), \(event.readersTitle, as: "title")",
            lines: [
                words,
                event.isForEveryone || event.spots == nil
                    ? "If you can’t come, give the place back."
                    : "If you can’t come, give the place back: another family will be glad.",
            ],
            facts: abroad(event, for: zone) + place(event, takesPart: takesPart),
            action: Action(name: "See the registration", link: .registration(registration)), event: event.id)
    }

    /// A place in an activity, from its waiting list.
    static func won(_ event: Event, _ detail: String, in zone: Zone) -> LetterText? {
        guard let (name, words) = Change.activity(detail) else { return nil }
        return LetterText(
            subject: "The place is yours: \(name, as: "activity")",
            heading: "The place is yours: \(name, as: "activity"), \(event.name, as: "title")",
            lines: [words], facts: facts(event, for: zone), action: Action(name: "See the event", link: event.link),
            closing: ["You waited for it. If it doesn’t suit you anymore, leave it there: the next one will be glad."],
            event: event.id)
    }

    /// - Parameter seal: Allows answering the offer without a log-in.
    static func offered(
        _ event: Event, _ registration: ID<Registration>, _ offer: Offer, to reader: ID<Account>, in zone: Zone,
        _ seal: Seal? = nil
    ) -> LetterText {
        let until = offer.until(at: event.clock, for: zone)
        return LetterText(
            subject: Words(
                "A place is free: \(event.name, as: "title")", plural: "Places are free: \(event.name, as: "title")",
                count: offer.places),
            heading: Words(
                "A place is free for you at \(event.name, as: "title")",
                plural: "{count} places are free for you at \(event.name, as: "title")", count: offer.places),
            lines: [
                offer.isPromised
                    ? Words(
                        "It is yours until \(until, as: "until"). Then it goes to the next family.",
                        plural: "They are yours until \(until, as: "until"). Then they go to the next family.",
                        count: offer.places)
                    : "It begins soon, so everybody in line is told: the first to take it has it."
            ],
            facts: facts(event, for: zone),
            action: Action(
                name: offer.isPromised ? "Say yes or no" : "Take it",
                link: seal.map { LetterLink.offer.link(to: registration, for: reader, $0) }
                    ?? .registration(registration)))
    }

    static func lapsed(_ event: Event, in zone: Zone) -> LetterText {
        LetterText(
            subject: "No answer in time: \(event.name, as: "title")",
            heading: "Your offer for \(event.name, as: "title") ran out",
            lines: ["There was no answer in time. You can join the waiting list again."],
            facts: facts(event, for: zone),
            action: Action(name: "See the event", link: event.link))
    }

    static func published(_ event: Event, in zone: Zone) -> LetterText {
        LetterText(
            subject: "Published: \(event.name, as: "title")",
            heading: "\(event.name, as: "title") is published",
            lines: [event.isForEveryone ? "Anybody can join from now on." : "Families can register from now on."],
            facts: facts(event, for: zone), action: Action(name: "See the event", link: event.link),
            closing: event.isForEveryone ? [] : ["Each new registration is told here, too."])
    }

    static func booked(_ event: Event, in zone: Zone) -> LetterText {
        LetterText(
            subject: "A new registration: \(event.name, as: "title")",
            heading: "A new registration for \(event.name, as: "title")",
            lines: [event.takenPlaces], facts: facts(event, for: zone),
            action: Action(name: "See who comes", link: .roster(of: event.id)))
    }

    /// Several registrations, one line per event.
    static func digest(_ lines: [(event: Event, count: Int)]) -> LetterText {
        let count = lines.map(\.count).reduce(0, +)
        return LetterText(
            subject: Words("{count} new registration", plural: "{count} new registrations", count: count),
            heading: Words("{count} new registration", plural: "{count} new registrations", count: count),
            lines: ["Since the last letter of this kind:"],
            facts: lines.map { line in
                Fact(
                    name: "\(line.event.readersTitle, as: "title"), \(line.event.day.shortName, as: "day")",
                    words: "\(line.count, as: "count") new; \(line.event.takenPlaces, as: "places")")
            },
            action: Action(name: "See your events", link: Link.ownEvents))
    }

    static func announced(_ event: Event, _ message: Announcement, in zone: Zone) -> LetterText {
        LetterText(
            // A host's own subject may contain a name.
            subject: "A message about \(event.name, as: "title")", heading: Words(verbatim: message.subject),
            lines: ["\(event.host.name, as: "name") writes to all who come to \(event.name, as: "title"):"],
            body: message.body, facts: facts(event, for: zone),
            action: Action(name: "See the message", link: .announcements(event.id)))
    }

    static func asked(_ event: Event, _ question: Question, in zone: Zone) -> LetterText {
        LetterText(
            subject: "A question about \(event.name, as: "title")",
            heading: "Somebody asks about \(event.name, as: "title")",
            lines: ["Your answer helps others, too: everybody reads it, unless the question is private."],
            facts: facts(event, for: zone), action: Action(name: "Read and answer", link: question.link / "answer"))
    }

    static func answered(_ event: Event, _ question: Int64?, in zone: Zone) -> LetterText {
        LetterText(
            subject: "An answer about \(event.name, as: "title")",
            heading: "Your question about \(event.name, as: "title") was answered", facts: facts(event, for: zone),
            action: Action(
                name: "Read the answer",
                link: question.map { event.link.fragment("question-\($0)") } ?? .questions(event.id)))
    }

    /// An event's name in the subject, if several dates are affected.
    private static func names(_ event: Event, _ days: [Day]) -> Words {
        guard let first = days.first, days.count > 1 else { return event.name }
        let more = Words("{count} more date", plural: "{count} more dates", count: days.count - 1)
        return "\(event.readersTitle, as: "title"), \(first.plainName, as: "day") and \(more, as: "more")"
    }

    /// The dates; empty for a single one, which the letter contains anyway.
    private static func dates(_ days: [Day]) -> [Fact] {
        guard days.count > 1 else { return [] }
        let named = days.prefix(20).map(\.plainName)
        let more = days.count - named.count
        let rest = more > 0 ? [Words("{count} more", plural: "{count} more", count: more)] : []
        return [Fact(name: "Your dates", words: (named + rest).listed())]
    }

    /// When and where. Like the event's page, it says when that is by the reader's clock.
    ///
    /// - Parameter takesPart: Whether the reader alone reads it, and takes part: then it has the address for doing so
    ///   online.
    private static func facts(_ event: Event, for reader: Zone, takesPart: Bool = false) -> [Fact] {
        [Fact(name: "When", words: event.when(for: reader))] + place(event, takesPart: takesPart)
    }

    private static func place(_ event: Event, takesPart: Bool) -> [Fact] {
        let isLinked = takesPart && event.isOnline
        var facts: [Fact] = []
        if event.isInPerson || !isLinked {
            facts.append(Fact(name: "Where", words: event.isInPerson ? event.address.words : "Online"))
        }
        if isLinked { facts.append(Fact(name: "Online", words: Words(verbatim: event.onlineURL))) }
        return facts
    }

    /// The zone of times that a letter says as they were written down, if it isn't the reader's.
    private static func abroad(_ event: Event, for reader: Zone) -> [Fact] {
        event.zoneName(for: reader).map { [Fact(name: "Time zone", words: $0)] } ?? []
    }
}
