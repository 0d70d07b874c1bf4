import Forms
import Templating

/// A member's current acts: their list, today's deeds, and those that can be undone.
struct MyKindness: Sendable {
    /// Their list, in the catalog's order, with their own acts last.
    let acts: [KindAct]
    let chosen: Set<ID<KindAct>>
    /// Today's deeds, newest first.
    let today: [Deed]
    /// Deeds that can be undone, with their effects.
    let recent: [Recent]
    let standing: Standing
    let streak: Streak

    /// A deed that was just recorded.
    struct Recent: Sendable {
        let deed: Deed
        let name: Words
        let badges: [Badge]
        let wasYesterday: Bool

        /// Its effects, a line each.
        var gains: [Words] {
            (deed.level > 0 ? ["You reached level \(deed.level, as: "level")."] : [])
                + badges.map { "A new badge: \($0.name, as: "badge")." }
        }
    }

    func times(_ act: ID<KindAct>) -> [Deed] { today.filter { $0.act == act } }
}

/// An act in a list, for a reader.
struct ActRow: Sendable {
    let act: KindAct
    /// Whether it is on the reader's list.
    let isChosen: Bool
    /// The last deed of today, and whether it can be undone.
    let done: (deed: Deed, time: Words, isUndoable: Bool)?

    /// The address to add it to the list, or remove it.
    var toggle: Link { act.link / (isChosen ? "remove" : "add") }

    init(_ act: KindAct, for mine: MyKindness?, at now: Instant, in zone: Zone) {
        self.act = act
        isChosen = mine?.chosen.contains(act.id) ?? false
        done = mine?.times(act.id).first.map { deed in
            (deed, zone.local(deed.doneAt).time.name, deed.isUndoable(at: now))
        }
    }
}

/// The catalog.
struct KindnessPage: Sendable {
    let ofDay: ActRow
    let shelves: [Shelf]
    let total: TownTotal
    /// The search text; empty if the themes are shown.
    let query: String
    /// The acts, if a list is shown.
    let rows: [ActRow]?
    let mine: MyKindness?
    let once: String

    /// A theme with its first acts, which say what it is about.
    struct Shelf: Sendable {
        let theme: KindAct.Theme
        fileprivate(set) var acts: [KindAct] = []
        fileprivate(set) var size = 0
        var count: Words { Words("{count} act", plural: "{count} acts", count: size) }
    }

    /// The total number of acts.
    var count: Int { shelves.reduce(0) { $0 + $1.size } }

    static func shelves(of acts: [KindAct]) -> [Shelf] {
        var shelves = KindAct.Theme.allCases.map { Shelf(theme: $0) }
        for act in acts {
            let place = act.theme.place
            shelves[place].size += 1
            // There may be hundreds: only those that are shown are copied.
            if shelves[place].acts.count < 2 { shelves[place].acts.append(act) }
        }
        return shelves
    }
}

/// Kind acts for the page Today.
struct TodaysKindness: Sendable {
    let ofDay: ActRow
    let rows: [ActRow]
    let mine: MyKindness
    let once: String

    init(_ mine: MyKindness, at now: Instant, in zone: Zone) {
        let today = KindAct.ofDay(zone.day(of: now))
        self.mine = mine
        ofDay = ActRow(today, for: mine, at: now, in: zone)
        rows = mine.acts.filter { $0.id != today.id }.map { ActRow($0, for: mine, at: now, in: zone) }
        once = Submission<DeedForm>().once
    }
}

/// `/kindness/mine`: a member's list and totals.
struct MyKindnessPage: Sendable {
    let ofDay: ActRow
    let rows: [ActRow]
    let mine: MyKindness
    let marks: [(day: Day, mark: Streak.Mark)]
    let badges: [(badge: Badge, day: Day, deed: ID<Deed>?)]
    /// The last day of the current pause.
    let pausedUntil: Day?
    /// The common streak with the other parent.
    let family: FamilyStreak?
    /// The member's challenges to friends, and their results.
    let friends: Page<AskedFriend>
    let undos: [Undo]
    let once: String

    /// The next badge of each kind, with the current count.
    var ahead: [(badge: Badge, count: Int)] {
        var measures: [Badge.Measure] = []
        return Badge.allCases.compactMap { badge in
            guard !badges.contains(where: { $0.badge == badge }), !measures.contains(badge.measure) else { return nil }
            measures.append(badge.measure)
            return (badge, min(badge.number, mine.standing.count(of: badge.measure)))
        }
    }

    /// The link to older challenges.
    var moreFriends: Link? { friends.more(at: Link.myActs.fragment("friends")) }

    static let pauses = [3, 7, 14, 30]
}

/// Days on which either of two parents did something kind; it exists only if both want it.
struct FamilyStreak: Sendable {
    /// The other parent's name.
    let name: String
    /// Whether the reader wants it, and whether the other parent does.
    let isMine: Bool
    let isTheirs: Bool
    /// Nil until both want it.
    let streak: Streak?
}

/// `/kindness/acts/{id}`: an act, with the reader's deeds.
struct ActPage: Sendable {
    let row: ActRow
    let mine: MyKindness?
    let log: Page<Deed>
    let lastFeatured: Day?
    let isOfDay: Bool
    let once: String

    /// The link to older deeds.
    var more: Link? { log.more(at: row.act.link) }
}
