import Forms
import Templating

/// `/playdates`: one card at a time.
struct CardsPage: Sendable {
    /// The reader's pets.
    let pets: [Pet]
    /// The pet for which cards are shown.
    let asking: Pet
    let card: PetCard?
    /// The last choice, which can be undone.
    let last: (name: String, isYes: Bool)?
    let hasPassed: Bool
    let waiting: Int
    let unit: Distance.Unit
    /// A problem with the last choice.
    var problem: Words?

    var wider: Reach? { asking.wishes.within.wider }

    func link(asking pet: Pet) -> Link { Link.playdates.with("asking", "\(pet.id)") }
}

/// `/playdates` for a member without a pet: cards to view.
struct BrowsePage: Sendable {
    let hasOwner: Bool
    let card: PetCard?
    /// The previous card.
    let last: Cursor<ID<Pet>>?

    /// Whether it is the first card, with an introduction.
    var isFirst: Bool { last == nil }
    var here: Link { Link.playdates.after(last) }
    /// The link to the next card.
    var next: Link? { card.map { Link.playdates.after(Cursor($0.pet.id)) } }
    /// The link to start.
    var begin: Link { hasOwner ? Link.newPet : .owner }
}

/// A pet's card for a reader.
struct PetCard: Sendable {
    let pet: Pet
    let owner: Owner
    /// Nil for a reader without a pet.
    let distance: Words?
    let age: Words
    let decade: Words?
    /// Why the two fit, and what is unknown.
    let reasons: [(words: Words, isKnown: Bool)]
    /// The pets it wants to meet.
    let looksFor: Words

    init(_ pet: Pet, of owner: Owner, for mine: Pet?, on today: Day, in unit: Distance.Unit) {
        self.pet = pet
        self.owner = owner
        distance = mine.map { (Reach(kilometres: $0.cell.distance(to: pet.cell)) ?? .far).away(in: unit) }
        age = pet.age(on: today)
        decade = owner.decade(on: today)
        reasons = mine.map { Self.reasons(pet, for: $0) } ?? []
        let kinds = pet.wishes.kinds.map(\.plural)
        let whom: Words = kinds.isEmpty ? "any animal" : kinds.listed()
        looksFor = "Looks for \(whom, as: "kinds"), within \(pet.wishes.within.words(in: unit), as: "distance")."
    }

    private static func reasons(_ pet: Pet, for mine: Pet) -> [(words: Words, isKnown: Bool)] {
        var reasons: [(words: Words, isKnown: Bool)] = []
        func add(_ known: Pet.Known, _ yes: Words, _ unknown: Words) {
            switch known {
            case .yes: reasons.append((yes, true))
            case .unknown: reasons.append((unknown, false))
            case .no: break
            }
        }
        if mine.traits.kind == .dog {
            add(pet.traits.dogs, "Good with dogs", "With dogs: not known yet")
        } else if mine.traits.kind == .cat {
            add(pet.traits.cats, "Good with cats", "With cats: not known yet")
        } else {
            reasons.append(("Would like to meet \(mine.traits.kind.plural, as: "kinds")", true))
        }
        add(pet.traits.children, "Good with children", "With children: not known yet")
        if pet.traits.energy == mine.traits.energy { reasons.append(("As lively as \(mine.name, as: "name")", true)) }
        return reasons
    }
}

/// `/playdates/matches`.
struct MatchesPage: Sendable {
    let matches: [(match: PetMatch, time: Words)]
    let ended: [(ended: PetMatch.Ended, day: Words)]
    let former: [(former: PetMatch.Former, day: Words)]
    let undos: [Undo]
    let onlyFavorites: Bool
    let more: Link?

    init(
        _ page: Page<PetMatch>, ended: [PetMatch.Ended], former: [PetMatch.Former], undos: [Undo],
        onlyFavorites: Bool, in zone: Zone
    ) {
        self.undos = undos
        matches = page.items.map { ($0, zone.words($0.lastAt, \.shortName)) }
        self.ended = ended.map { ($0, zone.day(of: $0.endedAt).shortName) }
        self.former = former.map { ($0, zone.day(of: $0.leftAt).shortName) }
        self.onlyFavorites = onlyFavorites
        more = page.more(at: Link.matches.with("show", onlyFavorites ? "favorites" : nil))
    }
}

/// `/playdates/matches/{id}`.
struct MatchPage: Sendable {
    let match: PetMatch
    let since: Words
    let card: PetCard
    /// The reader's contact data that matches see.
    let ownContact: Owner.Contact
    let talk: Talk
    let meetings: [MeetingRow]
    /// Whether a meeting can be proposed now, and whether to offer it: not to an owner who said that once is enough.
    let canPropose: Bool
    let isOffered: Bool
    /// Recently canceled meetings.
    var undos: [Undo] = []

    struct MeetingRow: Sendable {
        let meeting: Meeting
        let isMine: Bool
        let times: [Words]
        let when: Words?
        let canCancel: Bool
        /// Whether other times can be proposed in place of the agreed one.
        let canChange: Bool
        let canAnswer: Bool
        let asks: Bool

        var anchor: String { "meeting-\(meeting.id)" }
        /// The times to name; none where they stand above, or on buttons.
        var named: [Words] {
            if canAnswer || meeting.state == .agreed { return [] }
            return when.map { [$0] } ?? times
        }
        /// The times in the future.
        let open: [OpenTime]
    }

    /// A time that can be accepted.
    struct OpenTime: Sendable {
        let number: Int
        let words: Words
        /// The reader's overlapping plans.
        let clashes: [Clash]
    }

    /// - Parameters:
    ///   - zone: The town's, where they meet.
    ///   - reader: The reader's, for what was said and when.
    init(
        _ match: PetMatch, of account: ID<Account>, card: PetCard, contact: Owner.Contact, said: Talk.Said,
        meetings: [Meeting], plans: [TimeSlot] = [], at now: Instant, in zone: Zone, for reader: Zone
    ) {
        self.match = match
        self.card = card
        ownContact = contact
        since = reader.day(of: match.at).name
        var talk = Talk(
            .match(match.id), of: account, with: Words(verbatim: match.owner.name), said, page: match.link,
            action: match.link / "messages", began: "You matched. Meet in a public place the first time.",
            readUpTo: match.readUpTo, at: now, in: reader)
        talk.beside = "meetings"
        self.talk = talk
        // A proposal to move a meeting takes its place.
        let plans = plans.filter { plan in
            !meetings.contains { $0.startsAt == plan.startsAt && $0.place == plan.address.street }
        }
        self.meetings = meetings.map { meeting in
            let isMine = meeting.account == account
            return MeetingRow(
                meeting: meeting, isMine: isMine,
                times: meeting.times.map { zone.words($0, \.name) },
                when: meeting.startsAt.map { zone.words($0, \.name) },
                canCancel: meeting.canCancel(at: now) && (isMine || meeting.state == .agreed),
                canChange: meeting.state == .agreed && meeting.canCancel(at: now),
                canAnswer: !isMine && meeting.state == .proposed && meeting.isOpen(at: now),
                asks: meeting.asks(account, at: now),
                open: meeting.times.enumerated().filter { $0.element > now }.map { number, time in
                    OpenTime(
                        number: number + 1, words: zone.words(time, \.name),
                        clashes: Clash.advice(for: TimeSlot(meeting, at: time), beside: plans))
                })
        }
        canPropose = !meetings.contains { $0.isOpen(at: now) }
        isOffered = meetings.lazy.compactMap { $0.answer(of: account) }.first.map { $0 == .yes } ?? true
    }

    /// The agreed time, if there is one.
    var agreed: Words? { meetings.first { $0.canChange }?.when }
}

/// The forms on a match's page, one of which may have problems.
struct MatchForms: Sendable {
    var message = Submission<MessageForm>()
    var meeting = Submission<MeetingForm>()
    /// Whether there was a meeting already when this one was proposed: it stays on the page as it was typed.
    var isOvertaken = false
    var callOff = Submission<CallOffForm>()
    var after = Submission<AfterForm>()

    var problems: [Problem] {
        message.problems + meeting.problems + callOff.problems + after.problems
    }
}

/// A meeting in one person's week.
struct MeetingLine: Sendable {
    let meeting: Meeting
    let match: PetMatch
    /// The account whose week it is.
    let account: ID<Account>

    var link: Link { match.link.fragment("meetings") }

    /// In the town's zone. Its length isn't known, so it is that of any event without an end.
    func schedule(in zone: Zone) -> Schedule? {
        guard let start = meeting.startsAt else { return nil }
        let (day, time) = zone.local(start)
        return Schedule(day: day, start: time, startsAt: start, endsAt: start + EventTimes.usual)
    }

    func when(in zone: Zone) -> Words {
        meeting.startsAt.map { zone.words($0, \.name) } ?? Words(verbatim: "")
    }
}

/// Meetings for the pages Today and My week.
struct PlannedMeetings: Sendable {
    let next: [(line: MeetingLine, when: Words)]
    /// Past meetings, with the question of how they were.
    let over: [(line: MeetingLine, when: Words)]

    init(_ lines: [MeetingLine], at now: Instant, in zone: Zone) {
        func rows(_ isWanted: (MeetingLine) -> Bool) -> [(line: MeetingLine, when: Words)] {
            lines.filter(isWanted).map { ($0, $0.when(in: zone)) }
        }
        next = rows { $0.meeting.isOpen(at: now) }
        over = rows { $0.meeting.asks($0.account, at: now) }
    }

    var isEmpty: Bool { next.isEmpty && over.isEmpty }
}

/// `/me/pets/{id}/pictures`.
struct PetPicturesPage: Sendable {
    let pet: Pet
    /// A problem with the sent form.
    var problem: Words?
    /// Descriptions of pictures that were typed but not stored.
    var written: [ID<Picture>: String] = [:]

    var title: Words {
        let title: Words = "Pictures of \(pet.name, as: "name")"
        return problem == nil ? title : "Error: \(title, as: "title")"
    }
    var problems: [Problem] { problem.map { [Problem(name: "photo", words: $0)] } ?? [] }
    var room: Int { Pet.mostPictures - pet.pictures.count }

    static func alt(_ picture: ID<Picture>) -> String { "alt-\(picture)" }
    /// The field with the description at the time of drawing.
    static func drawn(_ picture: ID<Picture>) -> String { "was-alt-\(picture)" }
}

extension TimeSlot {
    /// A meeting of pets at a possible time.
    init(_ meeting: Meeting, at time: Instant) {
        self.init(
            Words(verbatim: meeting.place), [""], from: time, to: time + EventTimes.usual, event: ID(0),
            address: Address(street: meeting.place))
    }
}
