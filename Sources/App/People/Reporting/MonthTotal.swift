import Forms

/// What was given in a month, nobody’s name with it: it outlasts the accounts of those who gave.
enum MonthTotal: String, Sendable, CaseIterable {
    /// Minutes of help that an organization confirmed.
    case minutes
    /// Things that an organization received.
    case things
    /// Promises to neighbors in need that both say were kept.
    case needs

    /// For the report.
    var words: Words {
        switch self {
        case .minutes: "Minutes of help, confirmed"
        case .things: "Things received"
        case .needs: "Promises kept to neighbors"
        }
    }
}
