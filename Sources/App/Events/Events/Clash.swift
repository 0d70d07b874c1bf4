import Forms
import Templating

/// A time at which somebody has plans.
struct TimeSlot: Sendable {
    let name: Words
    /// The family members by name; the parent's own is empty.
    let people: Set<String>
    let startsAt: Instant
    let endsAt: Instant
    /// The event, because an event and its own activities don't clash.
    let event: ID<Event>
    let isActivity: Bool
    let address: Address
    let coordinate: Coordinate?
    /// Whether it is canceled.
    let isOff: Bool

    /// An event that these people would attend.
    init(_ event: Event, _ people: Set<String>) {
        self.init(
            event.readersTitle, people, from: event.startsAt, to: event.endsAt, event: event.id, address: event.address,
            coordinate: event.coordinate, isOff: event.isCancelled)
    }

    /// An activity that these people would join; with a schedule, the part of it on one of its days.
    init(_ activity: Activity, of event: Event, _ people: Set<String>, on part: Schedule? = nil) {
        let schedule = part ?? activity.content.schedule
        self.init(
            Words(verbatim: activity.name), people, from: schedule.startsAt, to: schedule.endsAt, event: event.id,
            isActivity: true, address: event.address, coordinate: activity.coordinate ?? event.coordinate,
            isOff: activity.isCancelled)
    }

    /// Plans of the parent in person only.
    init(
        _ name: Words, _ people: Set<String>, _ schedule: Schedule, event: ID<Event> = ID(0), at address: Address,
        _ coordinate: Coordinate? = nil, isOff: Bool = false
    ) {
        self.init(
            name, people, from: schedule.startsAt, to: schedule.endsAt, event: event, address: address,
            coordinate: coordinate, isOff: isOff)
    }

    init(
        _ name: Words, _ people: Set<String>, from startsAt: Instant, to endsAt: Instant, event: ID<Event>,
        isActivity: Bool = false, address: Address, coordinate: Coordinate? = nil, isOff: Bool = false
    ) {
        self.name = name
        self.people = people
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.event = event
        self.isActivity = isActivity
        self.address = address
        self.coordinate = coordinate
        self.isOff = isOff
    }

    /// Whether both are at the same place, as far as known.
    fileprivate func isAt(_ other: TimeSlot) -> Bool {
        folded(address.street) == folded(other.address.street)
            && (address.city.isEmpty || other.address.city.isEmpty
                || folded(address.city) == folded(other.address.city))
    }

    /// Whether it lasts so long that people come and go: a fair of several days.
    fileprivate var isOpenEnded: Bool { endsAt - startsAt > .hours(8) }
    /// Whether it has no physical place.
    fileprivate var isOnline: Bool { address.city.isEmpty && address.street.isEmpty && coordinate == nil }
}

/// A conflict in a family's plans: shown as advice, never a refusal.
struct Clash: Sendable {
    /// The index of the item at which it is shown: each clash is shown at both.
    let place: Int
    let kind: Kind
    let words: Words
    /// Whether it is shown at the first of the two.
    let isFirst: Bool

    enum Kind: Sendable, Equatable {
        /// Somebody would be in two places at once.
        case same
        /// Two family members must be taken to different places at the same time.
        case apart
        /// The time between the two is less than the way takes.
        case tight
    }

    /// Speeds in kilometers per hour: on foot below a kilometer, otherwise through town; and the minimum time.
    private static let onFoot = 4.0, throughTown = 25.0, least = Duration.minutes(15)

    /// The travel time between two places, in a straight line; nil if a position is unknown.
    static func way(from a: Coordinate?, to b: Coordinate?) -> Duration? {
        guard let a, let b else { return nil }
        let kilometres = a.distance(to: b)
        guard kilometres > 0.05 else { return .zero }
        let hours = kilometres / (kilometres < 1 ? onFoot : throughTown)
        return max(least, .seconds(hours * 3_600))
    }

    /// The clashes in a family's plans, each pair once.
    static func all(of plans: [TimeSlot]) -> [Clash] {
        let order = plans.indices.filter { !plans[$0].isOff && !plans[$0].people.isEmpty }
            .sorted { (plans[$0].startsAt, $0) < (plans[$1].startsAt, $1) }
        var clashes: [Clash] = []
        for (place, first) in order.enumerated() {
            for second in order[(place + 1)...] {
                let (a, b) = (plans[first], plans[second])
                guard b.startsAt < a.endsAt + .hours(2) else { break }
                guard let kind = kind(of: a, b) else { continue }
                clashes.append(Clash(place: first, kind: kind, words: words(kind, of: a, with: b), isFirst: true))
                clashes.append(Clash(place: second, kind: kind, words: words(kind, of: b, with: a), isFirst: false))
            }
        }
        return clashes
    }

    /// The clashes if these people attended something, in addition to their plans: advice before they join.
    static func advice(for candidate: TimeSlot, beside plans: [TimeSlot]) -> [Clash] {
        guard !candidate.isOff, !candidate.people.isEmpty else { return [] }
        return plans.indices.compactMap { index in
            let plan = plans[index]
            // Shifts and meetings have no event.
            let isOwn =
                plan.event == candidate.event && plan.event != ID(0) && !(candidate.isActivity && plan.isActivity)
            guard !plan.isOff, !plan.people.isEmpty, !isOwn else { return nil }
            let (a, b) = plan.startsAt <= candidate.startsAt ? (plan, candidate) : (candidate, plan)
            guard b.startsAt < a.endsAt + .hours(2), let kind = kind(of: a, b) else { return nil }
            return Clash(place: index, kind: kind, words: words(kind, of: candidate, with: plan), isFirst: true)
        }
    }

    /// What overlaps among things that can be chosen in one press, said once at each of them.
    ///
    /// - Parameter offered: Each with the words by which the others name it.
    static func among(_ offered: [(slot: TimeSlot, name: Words)]) -> [Clash] {
        let order = offered.indices.sorted { (offered[$0].slot.startsAt, $0) < (offered[$1].slot.startsAt, $1) }
        var others: [Int: [Int]] = [:]
        for (place, first) in order.enumerated() {
            for second in order[(place + 1)...] {
                let (a, b) = (offered[first].slot, offered[second].slot)
                guard b.startsAt < a.endsAt else { break }
                guard !a.isOff, !b.isOff, kind(of: a, b) == .same else { continue }
                others[first, default: []].append(second)
                others[second, default: []].append(first)
            }
        }
        return offered.indices.compactMap { index in
            guard let all = others[index] else { return nil }
            let more = all.count - mostNamed
            let rest = more > 0 ? [Words("{count} more", plural: "{count} more", count: more)] : []
            let names = (all.prefix(mostNamed).map { offered[$0].name } + rest).listed()
            return Clash(place: index, kind: .same, words: "Overlaps with \(names, as: "names").", isFirst: true)
        }
    }

    /// The most overlaps named at one of the things that can be chosen.
    private static let mostNamed = 3

    private static func kind(of a: TimeSlot, _ b: TimeSlot) -> Kind? {
        // An event and its activities belong together, and at a fair people come and go.
        let isPart = a.event == b.event && a.event != ID(0) && a.isActivity != b.isActivity
        guard !isPart, !a.isOpenEnded, !b.isOpenEnded else { return nil }
        let isShared = !a.people.isDisjoint(with: b.people)
        let isThere = (a.event == b.event && a.event != ID(0)) || a.isAt(b)
        let isElsewhere = !isThere && !a.isOnline && !b.isOnline
        if b.startsAt < a.endsAt { return isShared ? .same : isElsewhere ? .apart : nil }
        guard isShared, isElsewhere else { return nil }
        let way = way(from: a.coordinate, to: b.coordinate) ?? least
        return b.startsAt - a.endsAt < way ? .tight : nil
    }

    /// The text at the first about the second.
    private static func words(_ kind: Kind, of one: TimeSlot, with other: TimeSlot) -> Words {
        switch kind {
        case .same:
            let both = one.people.intersection(other.people).sorted()
            if both == [""] { return "At the same time you are at “\(other.name, as: "other")”." }
            if both.count == 1 {
                return "At the same time \(both[0], as: "name") is at “\(other.name, as: "other")”."
            }
            let names = both.map(Family.label).listed()
            return "At the same time \(names, as: "names") are at “\(other.name, as: "other")”."
        case .apart:
            return "At the same time “\(other.name, as: "other")” is elsewhere: one adult can’t bring both."
        case .tight where other.startsAt < one.startsAt:
            return "Probably tight: “\(other.name, as: "other")” ends shortly before, elsewhere."
        case .tight:
            return "Probably tight: “\(other.name, as: "other")” begins shortly after, elsewhere."
        }
    }
}
