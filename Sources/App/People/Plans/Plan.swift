import Forms

/// The number of events a provider may publish per calendar year: KEV-13. Staff assign plans; the site sells nothing.
enum Plan: String, FormValue, CaseIterable {
    case basic, gold, platinum
    /// For libraries, schools and the town itself, which import whole calendars.
    case publicService = "public"

    /// The events per calendar year, by the year in which they take place.
    var events: Int {
        switch self {
        case .basic: 10
        case .gold: 20
        case .platinum: 50
        case .publicService: 10_000
        }
    }

    var name: Words {
        switch self {
        case .basic: "Basic"
        case .gold: "Gold"
        case .platinum: "Platinum"
        case .publicService: "Public service"
        }
    }

    /// Whether each event must state a price, even if it is free.
    var asksForPrice: Bool { self != .basic }

    /// A provider's usage of its plan in a year.
    struct Use: Sendable {
        let plan: Plan
        let year: Int
        let used: Int

        /// The year in words, because numbers would be grouped.
        var yearName: Words { Day(year: year, month: 1, day: 1)?.yearName ?? "" }

        var left: Int { max(0, plan.events - used) }
    }

    /// The plan's limit would be exceeded.
    struct IsFull: Error {
        let use: Use

        /// An explanation, and what to do.
        var words: Words {
            guard use.left == 0 else { return tooMany }
            return """
                Your plan has \(use.plan.events, as: "events") events a year, and \(use.used, as: "used") of \
                \(use.yearName, as: "year") are published. Nothing was published now. Cancel an event nobody \
                registered for, or ask the people who look after this site for a larger plan.
                """
        }

        /// Some of them would fit.
        private var tooMany: Words {
            Words(
                """
                Your plan has \(use.plan.events, as: "events") events a year: {count} more can be published in \
                \(use.yearName, as: "year"). Nothing was published now. Choose fewer dates, or ask the people who \
                look after this site for a larger plan.
                """,
                plural: """
                    Your plan has \(use.plan.events, as: "events") events a year: {count} more can be published in \
                    \(use.yearName, as: "year"). Nothing was published now. Choose fewer dates, or ask the people who \
                    look after this site for a larger plan.
                    """, count: use.left)
        }
    }
}
