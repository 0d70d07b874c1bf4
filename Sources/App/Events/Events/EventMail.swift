import Forms
import Templating

// What letters about events say. None names a child.

extension LetterText {
    static func registered(_ event: Event, _ registration: ID<Registration>, places: Int)
        -> LetterText
    {
        LetterText(
            subject: "Registered: \(event.title, as: "title")",
            heading: "You have places at \(event.title, as: "title")",
            lines: [
                Words(
                    "{count} child is registered.", plural: "{count} children are registered.", count: places)
            ],
            facts: facts(event),
            action: Action(name: "See the registration", link: .registration(registration)),
            closing: ["If you can’t come, give the places back there: another family will be glad."],
            event: event)
    }

    static func changed(_ event: Event, _ changes: [Change], edit: ID<Change>? = nil) -> LetterText {
        LetterText(
            subject: "Changed: \(event.title, as: "title")",
            heading: "\(event.title, as: "title") has changed",
            lines: ["This is new:"],
            facts: changes.map { Fact(name: $0.what.name, before: $0.saidBefore, words: $0.saysNow) },
            action: Action(name: "See what changed", link: edit.map { Link.change($0) } ?? event.link),
            closing: ["If it doesn’t suit you any more, give the places back on its page."], event: event)
    }

    static func cancelled(_ event: Event, edit: ID<Change>? = nil) -> LetterText {
        let reason: [Words] = event.cancelReason.isEmpty ? [] : [Words(verbatim: event.cancelReason)]
        return LetterText(
            subject: "Canceled: \(event.title, as: "title")",
            heading: "\(event.title, as: "title") doesn’t take place",
            lines: ["The provider canceled it."] + reason, facts: facts(event),
            action: Action(name: "See the event", link: edit.map { Link.change($0) } ?? event.link), event: event)
    }

    static func hidden(_ event: Event, _ registration: ID<Registration>?) -> LetterText {
        LetterText(
            subject: "Not shown at the moment: \(event.title, as: "title")",
            heading: "The page of \(event.title, as: "title") isn’t shown at the moment",
            lines: ["Your places stay yours. Please ask the provider whether it takes place."], facts: facts(event),
            action: registration.map { Action(name: "See whom to call", link: .registration($0)) })
    }

    /// - Parameter seal: What lets the places be given back without a log-in.
    static func reminder(
        _ event: Event, _ registration: ID<Registration>, places: Int, to reader: ID<Account>, _ seal: Seal?
    ) -> LetterText {
        LetterText(
            subject: "Coming up: \(event.title, as: "title")",
            heading: "Coming up: \(event.title, as: "title")",
            lines: [
                "If you can’t come, one tap is enough: another family will be glad.",
                Words("You have {count} place.", plural: "You have {count} places.", count: places),
            ],
            facts: facts(event),
            action: Action(
                name: Words("Give our place back", plural: "Give our places back", count: places),
                link: seal.map { LetterLink.giveBack.link(to: registration, for: reader, $0) }
                    ?? .registration(registration)),
            second: Action(name: "See the registration", link: .registration(registration)), event: event)
    }

    /// Somebody who waited for an activity has a place in it.
    static func won(_ event: Event, _ detail: String) -> LetterText? {
        guard let (name, words) = Change.won(detail) else { return nil }
        return LetterText(
            subject: "The place is yours: \(name, as: "activity")",
            heading: "The place is yours: \(name, as: "activity"), \(event.title, as: "title")",
            lines: [words], facts: facts(event), action: Action(name: "See the event", link: event.link),
            closing: ["You waited for it. If it doesn’t suit you any more, leave it there: the next one will be glad."],
            event: event)
    }

    /// - Parameter seal: What lets the offer be answered without a log-in.
    static func offered(
        _ event: Event, _ registration: ID<Registration>, _ offer: Offer, to reader: ID<Account>, _ seal: Seal? = nil
    ) -> LetterText {
        LetterText(
            subject: "A place is free: \(event.title, as: "title")",
            heading: "A place is free for you at \(event.title, as: "title")",
            lines: ["It is yours until \(offer.until(in: event.zone), as: "until"). Then it goes to the next family."],
            facts: facts(event),
            action: Action(
                name: "Say yes or no",
                link: seal.map { LetterLink.offer.link(to: registration, for: reader, $0) }
                    ?? .registration(registration)))
    }

    static func lapsed(_ event: Event) -> LetterText {
        LetterText(
            subject: "No answer in time: \(event.title, as: "title")",
            heading: "Your offer for \(event.title, as: "title") ran out",
            lines: ["There was no answer in time. You can join the waiting list again."], facts: facts(event),
            action: Action(name: "See the event", link: event.link))
    }

    static func published(_ event: Event) -> LetterText {
        LetterText(
            subject: "Published: \(event.title, as: "title")",
            heading: "\(event.title, as: "title") is published",
            lines: ["Families can register from now on."], facts: facts(event),
            action: Action(name: "See the event", link: event.link),
            closing: ["Each new registration is told here, too."])
    }

    static func booked(_ event: Event) -> LetterText {
        LetterText(
            subject: "A new registration: \(event.title, as: "title")",
            heading: "A new registration for \(event.title, as: "title")",
            lines: [event.takenPlaces], facts: facts(event),
            action: Action(name: "See who comes", link: event.link / "registrations"))
    }

    /// Many at once, one line an event.
    static func digest(_ lines: [(event: Event, count: Int)]) -> LetterText {
        let count = lines.map(\.count).reduce(0, +)
        return LetterText(
            subject: Words("{count} new registration", plural: "{count} new registrations", count: count),
            heading: Words("{count} new registration", plural: "{count} new registrations", count: count),
            lines: ["Since the last letter of this kind:"],
            facts: lines.map { line in
                Fact(
                    name: "\(line.event.title, as: "title"), \(line.event.day.shortName, as: "day")",
                    words: "\(line.count, as: "count") new; \(line.event.takenPlaces, as: "places")")
            },
            action: Action(name: "See your events", link: Link("/me/events")))
    }

    static func announced(_ event: Event, _ message: Announcement) -> LetterText {
        LetterText(
            // A host may have put a name into the message’s own.
            subject: "A message about \(event.title, as: "title")", heading: Words(verbatim: message.subject),
            lines: ["\(event.host.name, as: "name") writes to all who come to \(event.title, as: "title"):"],
            body: message.body, facts: facts(event),
            action: Action(name: "See the message", link: .announcements(event.id)))
    }

    static func asked(_ event: Event, _ question: Question) -> LetterText {
        LetterText(
            subject: "A question about \(event.title, as: "title")",
            heading: "Somebody asks about \(event.title, as: "title")",
            lines: ["Your answer helps others, too: everybody reads it, unless the question is private."],
            facts: facts(event), action: Action(name: "Read and answer", link: question.link / "answer"))
    }

    static func answered(_ event: Event, _ question: Int64?) -> LetterText {
        LetterText(
            subject: "An answer about \(event.title, as: "title")",
            heading: "Your question about \(event.title, as: "title") was answered", facts: facts(event),
            action: Action(
                name: "Read the answer",
                link: question.map { event.link.fragment("question-\($0)") } ?? .questions(event.id)))
    }

    private static func facts(_ event: Event) -> [Fact] {
        let place: Words = event.isInPerson ? Words(verbatim: event.address.line) : "Online"
        return [
            Fact(name: "When", words: "\(event.day.fullName, as: "day"), \(event.time, as: "time")"),
            Fact(name: "Where", words: place),
        ]
    }
}
