import Forms
import Templating

/// A kind act that a member did: a line of the ledger. Its day is in the member's zone at the time, and never
/// recomputed.
struct Deed: Sendable {
    let id: ID<Deed>
    let act: ID<KindAct>
    let day: Day
    let points: Int
    let note: String
    let isWithChildren: Bool
    /// The level that was reached; 0 if it didn't change.
    let level: Int
    let doneAt: Instant

    func isUndoable(at now: Instant) -> Bool { now - doneAt < Undo.time }

    var link: Link { Link.deed(id) }

    /// For how many minutes after midnight a page from the day before still counts for that day.
    static let lateMinutes = 3 * 60

    /// It is too late to undo it.
    struct TooLate: Error {}
}

/// The form to record a deed.
struct DeedForm: Form {
    var when: When?
    var note: String?
    var isWithChildren = false

    /// The day it belongs to.
    enum When: String, CaseIterable, Sendable, FormValue {
        case today, yesterday

        var name: Words {
            switch self {
            case .today: "Today"
            case .yesterday: "Yesterday"
            }
        }
    }

    static let fields: [Field<DeedForm>] = [
        .choice("day", \.when, "When", options: When.allCases.map { Choice($0.rawValue, $0.name) }).drawn(as: .radios),
        .area("note", \.note, "A note for yourself", 1...500).hint("Nobody else reads it. No child’s name, please."),
        .checkbox("with", \.isWithChildren, "With my children"),
    ]

    /// The chosen day.
    func day(today: Day) -> Day { when == .yesterday ? today.advanced(by: -1) : today }
}

/// A member's totals.
struct Standing: Sendable {
    var points = 0
    var acts = 0
    var withChildren = 0
    /// A bit for each theme.
    var themes = 0
    /// Neighbors' needs met.
    var needs = 0
    /// Invited people who confirmed their address.
    var friends = 0
    var streak = Streak()
    var streakOfDay = Streak()

    var level: Level { Level(points: points) }

    /// The current count toward a badge.
    func count(of measure: Badge.Measure) -> Int {
        switch measure {
        case .streak: streak.record
        case .acts: acts
        case .streakOfDay: streakOfDay.record
        case .themes: themes.nonzeroBitCount
        case .children: withChildren
        case .needs: needs
        case .friends: friends
        }
    }
}

/// The whole town's total for a month, by theme, without names.
struct TownTotal: Sendable {
    /// Its first day, as in the table.
    let month: Day
    let themes: [(theme: KindAct.Theme, count: Int)]

    var count: Int { themes.reduce(0) { $0 + $1.count } }
    var most: Int { themes.map(\.count).max() ?? 0 }
}
