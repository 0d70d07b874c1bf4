import Forms
import Templating

/// Somebody's acts as of now: which they chose, what they did today, what they can still take back.
struct MyKindness: Sendable {
    /// Their list, in the order of the catalog, their own acts last.
    let acts: [KindAct]
    let chosen: Set<ID<KindAct>>
    /// What was done today, the newest first.
    let today: [Deed]
    /// What can be taken back, with what it changed.
    let recent: [Recent]
    let standing: Standing
    let streak: Streak

    /// An act that was just done.
    struct Recent: Sendable {
        let deed: Deed
        let name: Words
        let badges: [Badge]
        let wasYesterday: Bool

        /// What it changed, a line each.
        var gains: [Words] {
            (deed.level > 0 ? ["You reached level \(deed.level, as: "level")."] : [])
                + badges.map { "A new badge: \($0.name, as: "badge")." }
        }
    }

    func times(_ act: ID<KindAct>) -> [Deed] { today.filter { $0.act == act } }
}

/// An act in a list, as somebody sees it.
struct ActRow: Sendable {
    let act: KindAct
    /// Whether it is on the reader's list.
    let isChosen: Bool
    /// When it was last done today, and whether that can still be taken back.
    let done: (deed: Deed, time: Words, isUndoable: Bool)?

    /// Puts it on the list, or takes it off.
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
    /// What was searched for; empty where the themes stand.
    let query: String
    /// Whether acts stand in a list.
    let rows: [ActRow]?
    let mine: MyKindness?
    let once: String

    struct Shelf: Sendable {
        let theme: KindAct.Theme
        let acts: [KindAct]
        var count: Words { Words("{count} act", plural: "{count} acts", count: acts.count) }
    }

    /// How many acts there are in all.
    var count: Int { shelves.reduce(0) { $0 + $1.acts.count } }

    static func shelves(of acts: [KindAct]) -> [Shelf] {
        let acts = Dictionary(grouping: acts, by: \.theme)
        return KindAct.Theme.allCases.map { Shelf(theme: $0, acts: acts[$0] ?? []) }
    }
}

/// Kindness on the page Today.
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

/// What one chose, and what it came to.
struct MyKindnessPage: Sendable {
    let ofDay: ActRow
    let rows: [ActRow]
    let mine: MyKindness
    let marks: [(day: Day, mark: Streak.Mark)]
    let badges: [(badge: Badge, day: Day, deed: ID<Deed>?)]
    /// The last day of the pause that is on.
    let pausedUntil: Day?
    /// What two parents keep together.
    let family: FamilyStreak?
    /// The people they asked to do something, and how it went.
    let friends: Page<AskedFriend>
    let undos: [Undo]
    let once: String

    /// The next badge of each measure, with how far it has come.
    var ahead: [(badge: Badge, count: Int)] {
        var measures: [Badge.Measure] = []
        return Badge.allCases.compactMap { badge in
            guard !badges.contains(where: { $0.badge == badge }), !measures.contains(badge.measure) else { return nil }
            measures.append(badge.measure)
            return (badge, min(badge.number, mine.standing.count(of: badge.measure)))
        }
    }

    /// Where older ones are.
    var moreFriends: Link? { friends.more(at: Link.myActs.fragment("friends")) }

    static let pauses = [3, 7, 14, 30]
}

/// Days on which one of two parents did something kind, or both: either of them keeps it, once both want it.
struct FamilyStreak: Sendable {
    /// What the other parent is called.
    let name: String
    /// Whether the reader wants it, and whether the other does.
    let isMine: Bool
    let isTheirs: Bool
    /// Nil until both do.
    let streak: Streak?
}

/// One act, with what the reader did of it.
struct ActPage: Sendable {
    let row: ActRow
    let mine: MyKindness?
    let log: Page<Deed>
    let lastFeatured: Day?
    let isOfDay: Bool
    let once: String

    /// Where older days are.
    var more: Link? { log.more(at: row.act.link) }
}
