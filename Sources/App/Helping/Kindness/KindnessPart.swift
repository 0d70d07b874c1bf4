import Forms

/// The parts of their kind acts that a member can show to others; none by default.
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

/// The kind acts that a member shows to others.
struct ShownKindness: Sendable {
    var level: Level?
    var badges: [(badge: Badge, day: Day)] = []
    var streak: Int?
    var record: Int?
    /// Deeds of catalog acts, newest first; people's own acts stay private.
    var history: [(name: Words, day: Day)] = []

    static let historySize = 10

    var isEmpty: Bool { level == nil && badges.isEmpty && streak == nil && record == nil && history.isEmpty }
}
