import Forms
import Templating

/// Something kind that somebody did: a line of the one ledger. The day is that of the member when it was written, and
/// is never counted anew.
struct Deed: Sendable {
    let id: ID<Deed>
    let act: ID<KindAct>
    let day: Day
    let points: Int
    let note: String
    let isWithChildren: Bool
    /// The level it led to; 0 where the level stayed.
    let level: Int
    let doneAt: Instant

    func isUndoable(at now: Instant) -> Bool { now - doneAt < Undo.time }

    var link: Link { Link.deed(id) }

    /// How many minutes of a new day a page of the day before still counts for that one.
    static let lateMinutes = 3 * 60

    /// The time to take it back is over.
    struct TooLate: Error {}
}

/// Saying that an act is done.
struct DeedForm: Form {
    var when: When?
    var note: String?
    var isWithChildren = false

    /// Which day it belongs to.
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

    /// The day that is meant.
    func day(today: Day) -> Day { when == .yesterday ? today.advanced(by: -1) : today }
}

/// What somebody's acts come to.
struct Standing: Sendable {
    var points = 0
    var acts = 0
    var withChildren = 0
    /// A bit for each theme that was touched.
    var themes = 0
    /// Needs of neighbors that were met.
    var needs = 0
    /// The people they invited who confirmed their address.
    var friends = 0
    var streak = Streak()
    var streakOfDay = Streak()

    var level: Level { Level(points: points) }

    /// How far it has come toward a badge.
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

/// What the whole town did in a month, by theme. Nobody is listed.
struct TownTotal: Sendable {
    let month: Day
    let themes: [(theme: KindAct.Theme, count: Int)]

    var count: Int { themes.reduce(0) { $0 + $1.count } }
    var most: Int { themes.map(\.count).max() ?? 0 }

    /// How a month stands in the table: its first day.
    static func month(of day: Day) -> Day {
        let (year, month, _) = day.components
        return Day(year: year, month: month, day: 1) ?? day
    }
}
