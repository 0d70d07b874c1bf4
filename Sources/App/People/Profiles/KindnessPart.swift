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
