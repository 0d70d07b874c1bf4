import Forms
import Templating

/// A lottery for places at some of a host's events, so that popular events don't go to the fastest.
struct Draw: Sendable {
    let id: ID<Draw>
    let host: ID<Account>
    /// The host's name for families.
    let hostName: String
    let title: String
    /// The ZIP codes, or their beginnings, of families with priority.
    let firstZIPs: [String]
    /// The last day for wishes, and its end.
    let lastDay: Day
    let until: Instant
    /// When the wishes were sealed, with their hash.
    let sealedAt: Instant?
    let hash: String
    /// The number of families with wishes, and of sealed wishes; nil before.
    let families: Int?
    let wishes: Int?
    /// The seed of the draw.
    let seed: String?
    let drawnAt: Instant?
    /// When everyone had their place or position.
    let doneAt: Instant?
    /// How many units have been processed, in two rounds: places, then waiting lists.
    let progress: Int
    /// Whether its host is suspended.
    let isHidden: Bool

    /// The most events per draw.
    static let mostEvents = 60
    /// The length of a family's code.
    static let codeLength = 8
    /// The most draws of a host that are listed.
    static let mostListed = 50
    /// More wishes than any town has.
    static let most = 1_000_000
    /// The longest time for wishes, in days.
    static let longest = 180
    /// How long wishes are kept after completion, or after the deadline if there is no draw, and how long the anonymous
    /// lines are kept.
    static let memory = Duration.days(30)
    static let lineMemory = Duration.days(365)

    /// The state of a draw.
    enum Phase: Sendable {
        /// Families can enter wishes.
        case open
        /// The deadline has passed, and the hash is being computed.
        case sealing
        /// The hash is published, and the seed isn't known yet.
        case sealed
        /// The draw has taken place, and places are being assigned.
        case drawn
        case done
    }

    func phase(at now: Instant) -> Phase {
        if doneAt != nil { return .done }
        if drawnAt != nil { return .drawn }
        if sealedAt != nil { return .sealed }
        return until > now ? .open : .sealing
    }

    /// Whether it can be canceled: until the draw takes place.
    var canBeCalledOff: Bool { drawnAt == nil }

    /// Whether a family with this ZIP code has priority.
    func isFirst(zip: String) -> Bool { Window(firstZIPs: firstZIPs).isFirst(zip) }

    /// These ZIP codes for families; nil if there is no priority.
    var nearby: Words? { Self.nearby(firstZIPs) }

    static func nearby(_ zips: [String]) -> Words? {
        zips.isEmpty ? nil : zips.map { Words(verbatim: Window.shown($0)) }.listed()
    }

    var link: Link { .draw(id) }

    /// The line on each event's page, until the draw is complete.
    func line(at now: Instant) -> Words {
        switch phase(at: now) {
        case .open:
            "Places are drawn by lot. Tell us your wishes until the end of \(lastDay.name, as: "day")."
        case .sealing, .sealed: "Places are drawn by lot. The time for wishes is over; the draw is next."
        case .drawn, .done: "Places were drawn by lot just now and are being given out."
        }
    }
}

/// The form for a draw.
struct DrawForm: Form {
    var title = ""
    var events: [ID<Event>] = []
    var lastDay: Day?
    var firstZIPs: String?

    static let fields: [Field<DrawForm>] = [
        .text("title", \.title, "What is drawn?", 3...100).hint("Such as: Summer camps 2027."),
        .checkboxes("event", \.events, "Whose places are drawn?", atLeast: 1)
            .missing("Choose at least one event."),
        .date("until", \.lastDay, "Wishes are taken until the end of").conditional,
        .text("first_zips", \.firstZIPs, "ZIP codes that come first", 1...500).autocomplete("off")
            .hint(
                """
                Separate them with commas. A beginning is enough: 951 is every ZIP code that starts with it. \
                Families say theirs themselves.
                """
            ),
    ]

    var zips: [String] { Window.zips(typed: firstZIPs ?? "") }

    /// Checks the form across its fields.
    ///
    /// - Parameter candidates: The events whose places can be drawn.
    func check(_ submission: inout Submission<DrawForm>, among candidates: [Event], on today: Day, in zone: Zone) {
        if submission.accepts(\.events), events.count > Draw.mostEvents {
            submission.reject(\.events, "At most \(Draw.mostEvents, as: "count") events in one draw, please.")
        }
        if submission.accepts(\.lastDay) {
            if let lastDay {
                let chosen = candidates.filter { events.contains($0.id) }
                if let words = Draw.refusal(of: lastDay, before: chosen, on: today, in: zone) {
                    submission.reject(\.lastDay, words)
                }
            } else {
                submission.reject(\.lastDay, "Choose the last day for wishes.")
            }
        }
        if submission.accepts(\.firstZIPs) {
            if zips.count > Window.mostZIPs {
                submission.reject(\.firstZIPs, "Give at most \(Window.mostZIPs, as: "limit") ZIP codes.")
            } else if let other = zips.first(where: { !Window.isZIP($0) }) {
                submission.reject(
                    \.firstZIPs,
                    "“\(other, as: "code")” isn’t a ZIP code, or the beginning of one. Separate them with commas.")
            }
        }
    }

    /// Offers the events in the form.
    static func offer(_ candidates: [Event], in submission: inout Submission<DrawForm>) {
        submission.offer(
            \.events,
            candidates.map { event in
                let places = Words("{count} place", plural: "{count} places", count: event.spots ?? 0)
                let detail = Words(joining: [event.day.shortName, Words(verbatim: " · "), places])
                return Choice(event.id, event.readersTitle, detail: detail)
            })
    }
}

extension Draw {
    /// The end of a day in the town's zone.
    static func end(of day: Day, in zone: Zone) -> Instant { zone.instant(day.advanced(by: 1), .midnight) }

    /// Why a day can't be the last one for wishes; nil if it can.
    static func refusal(of day: Day, before events: [Event], on today: Day, in zone: Zone) -> Words? {
        if day < today || day > today.advanced(by: longest) {
            return "Choose a day from today on, at most \(longest, as: "count") days away."
        }
        let end = end(of: day, in: zone)
        return events.contains { $0.startsAt <= end } ? "Choose a day before the first of these events." : nil
    }

    /// The change conflicts with the draw of the event's places.
    struct KeepsPlaces: Error {
        /// Whether it would begin before the deadline for wishes.
        var isEarly = false
        /// Whether its series would no longer be registered date by date.
        var isTogether = false

        /// The message for that.
        var words: Words {
            if isTogether {
                return """
                    Places at one of the dates are drawn by lot: let families register date by date until everybody \
                    has their place there.
                    """
            }
            return isEarly
                ? "Places at this event are drawn by lot: let it begin after the last day for wishes."
                : """
                Places at this event are drawn by lot: it needs a number of places, and no sessions. When the time for \
                wishes is over, that number stays until everybody has their place.
                """
        }
    }
}

/// A later last day for wishes.
struct DeadlineForm: Form {
    var lastDay: Day?

    static let fields: [Field<DeadlineForm>] = [
        .date("until", \.lastDay, "Wishes are taken until the end of").conditional
    ]

    /// Checks the day. What families were told isn't taken back, so it can't be earlier.
    static func check(_ submission: inout Submission<DeadlineForm>, of page: DrawPage, on today: Day, in zone: Zone) {
        guard submission.accepts(\.lastDay) else { return }
        guard let day = submission.form.lastDay, day >= page.draw.lastDay else {
            return submission.reject(\.lastDay, "Choose a later day: families count on the time they were told.")
        }
        let events = page.events.compactMap(\.event).filter { !$0.isCancelled }
        if let words = Draw.refusal(of: day, before: events, on: today, in: zone) {
            submission.reject(\.lastDay, words)
        }
    }
}

/// The seed, chosen in public.
struct SeedForm: Form {
    var seed = ""

    static let fields: [Field<SeedForm>] = [
        .text("seed", \.seed, "The seed", 1...100).autocomplete("off")
            .hint(
                """
                Take it from something nobody can know beforehand: tomorrow’s numbers of the state lottery, or dice \
                thrown at the meeting.
                """
            ).missing("Type the seed.")
    ]
}

/// `/draws/{id}`: a draw's public data, and the reader's own wishes and results.
struct DrawPage: Sendable {
    let draw: Draw
    let phase: Draw.Phase
    let events: [Line]
    /// The number of families with wishes, and of units: children, or siblings together.
    let families: Int
    let wishes: Int
    /// Whether the anonymous list has been erased.
    let isErased: Bool
    /// Whether the reader is its host.
    var isOwn = false
    /// Whether the reader may enter the seed or cancel the draw: its host and admins.
    var isHost = false
    /// Whether the reader has a family here.
    var isFamily = false
    /// The code of the reader's family.
    var code: String?
    /// The wishes of the reader's family.
    var wished: [Wished] = []
    /// The places and waiting list entries of the reader's family.
    var held: [Held] = []

    /// The wishes for a child.
    struct Wished: Sendable {
        let child: String
        /// In order, with whether they are canceled.
        var events: [(title: Words, isOff: Bool)] = []
    }

    /// One of its events.
    struct Line: Sendable {
        let number: ID<Event>
        /// Nil if it was deleted or isn't visible.
        let event: Event?
        let places: Int?
        let isGone: Bool

        var name: Words { event?.name ?? "an event that isn’t there anymore" }

        /// The number of places, for the page.
        var words: Words {
            if isGone { return "called off" }
            return Words("{count} place", plural: "{count} places", count: places ?? event?.spots ?? 0)
        }
    }

    /// A family's result at one of the events.
    struct Held: Sendable {
        let registration: ID<Registration>
        let title: Words
        let count: Int
        let isWaiting: Bool
        /// The children's names, for the page.
        var names: [String] = []
        /// How many of the host's questions the family hasn't answered at all. They are asked of those who got a place.
        var open = 0

        /// How many have a place, or are waiting.
        var words: Words {
            isWaiting
                ? Words("{count} child waits", plural: "{count} children wait", count: count)
                : Words("{count} place", plural: "{count} places", count: count)
        }

        /// What is still asked; nil if nothing is.
        var asked: Words? {
            open > 0 && !isWaiting ? OpenQuestions.words(open) : nil
        }

        /// The same with their names, for the family's own page.
        var named: Words {
            names.isEmpty ? words : "\(names.listed(), as: "first") · \(words, as: "second")"
        }

        /// Both, for a letter.
        var told: Words { asked.map { "\(words, as: "first") · \($0, as: "second")" } ?? words }
    }

    /// Whether the reader can take wishes for longer.
    var canExtend: Bool { isOwn && phase == .open }
    var canDraw: Bool { isHost && phase == .sealed }
    var canCallOff: Bool { isHost && draw.canBeCalledOff }
    var canWish: Bool { isFamily && phase == .open }
    /// Whether the family wished something, and has no place and no turn.
    var gotNothing: Bool { phase == .done && code != nil && held.isEmpty }
    /// Whether the family can replace a canceled wish.
    var hasLostWish: Bool { phase == .open && wished.contains { $0.events.contains(where: \.isOff) } }
    /// The event whose page leads to the wishes.
    var first: Event? { events.lazy.compactMap(\.event).first { !$0.isCancelled } }
}

/// News about a draw.
struct DrawNews: InboxNews {
    private let what: What
    private let draw: ID<Draw>?
    private let event: ID<Event>?
    private let title: Words

    enum What: String, CaseIterable, Sendable {
        /// Wishes were received, there is more time for them, one of the events was canceled, the draw was canceled, or
        /// it took place.
        case wished, later, lost, off, drawn

        var words: Words {
            switch self {
            case .wished: "Your wishes are in"
            case .later: "There is more time for wishes"
            case .lost: "One of your wishes is called off"
            case .off: "The draw was called off"
            case .drawn: "The places were drawn"
            }
        }
    }

    init?(_ notice: Notice) {
        guard let what = What(rawValue: notice.detail) else { return nil }
        (self.what, draw, event) = (what, notice.subject.map { ID($0) }, notice.event)
        title = notice.title
    }

    /// Which of the wishes it is, or what holds instead.
    func more(for reader: Zone) -> Words {
        switch what {
        case .lost: title
        case .off: "Families register for these events as for others, on their pages."
        case .wished, .later, .drawn: Words(verbatim: "")
        }
    }

    var words: Words { what.words }
    var icon: Icon { .ticket }
    var link: Link { event.map { event in draw.map { Link.draw($0) } ?? .event(event) } ?? .events }
}

extension LetterText {
    /// The result for a family, without children's names.
    static func drawn(_ news: DrawNews.What, _ draw: Draw?, code: String?, held: [DrawPage.Held], _ event: Event)
        -> LetterText
    {
        let title = draw.map { Words(verbatim: $0.title) } ?? event.readersTitle
        var lines: [Words] = []
        switch news {
        case .wished:
            if let draw { lines.append(draw.line(at: draw.until - .seconds(1))) }
            lines.append("You can change your wishes until then.")
            if let code { lines.append("Your code in the public lists is \(code, as: "code").") }
        case .later:
            if let draw { lines.append("You can change them until the end of \(draw.lastDay.name, as: "day").") }
        case .lost:
            lines.append("\(event.readersTitle, as: "title") doesn’t take place.")
            if let draw { lines.append("You can choose another until the end of \(draw.lastDay.name, as: "day").") }
        case .off: lines.append("Families register for these events as for others, on their pages.")
        case .drawn:
            lines.append(
                held.contains { !$0.isWaiting }
                    ? "These places are yours. Give back what you don’t need: another family will be glad."
                    : held.isEmpty
                        ? "There was no place for you this time."
                        : "There was no place for you this time. You wait for what you wished, in the drawn order.")
            if held.contains(where: { $0.asked != nil }) {
                lines.append("Something is still asked of you: please answer it at your place, which is yours already.")
            }
        }
        return LetterText(
            subject: "\(news.words, as: "news"): \(title, as: "title")",
            heading: "\(news.words, as: "news"): \(title, as: "title")", lines: lines,
            facts: held.map { Fact(name: $0.title, words: $0.told) },
            action: draw.map { Action(name: "See the draw", link: $0.link) }
                ?? Action(name: "See the event", link: event.link), event: event.id)
    }
}
