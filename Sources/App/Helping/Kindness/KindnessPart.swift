import Forms

/// What of their kind acts somebody may let others see: nothing, unless they say so.
enum KindnessPart: String, CaseIterable, Sendable, FormValue {
    case level, badges, streak, record, history

    var name: Words {
        switch self {
        case .level: "My level"
        case .badges: "My badges"
        case .streak: "My days in a row"
        case .record: "My record"
        case .history: "My last acts, without notes"
        }
    }
}

/// What somebody lets others see of their kind acts.
struct ShownKindness: Sendable {
    var level: Level?
    var badges: [(badge: Badge, day: Day)] = []
    var streak: Int?
    var record: Int?
    /// Acts of the catalog, the newest first; those of one’s own stay one’s own.
    var history: [(name: Words, day: Day)] = []

    static let historySize = 10

    var isEmpty: Bool { level == nil && badges.isEmpty && streak == nil && record == nil && history.isEmpty }
}
