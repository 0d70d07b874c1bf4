import Forms

/// A month's total of contributions, without names, which outlasts the accounts of the people who gave.
enum MonthTotal: String, Sendable, CaseIterable {
    /// Minutes of help that an organization confirmed.
    case minutes
    /// Things that an organization received.
    case things
    /// Promises to neighbors in need that both sides confirmed.
    case needs

    /// The label in the report.
    var words: Words {
        switch self {
        case .minutes: "Minutes of help, confirmed"
        case .things: "Things received"
        case .needs: "Promises kept to neighbors"
        }
    }
}
