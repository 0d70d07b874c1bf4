import Forms

/// Content in the staff's queue: it was reported, changed as requested, or its author answered a decision.
struct Matter: Sendable {
    let subject: Subject
    let author: Author
    let waitsFor: Wait
    let isGrave: Bool
    let since: Instant
    /// The number of open reports.
    let reports: Int

    enum Wait: String, CaseIterable, Sendable {
        case reports
        /// It was changed, and must be reviewed again.
        case look
        /// The author answered a decision.
        case answer
        /// It is the first post or event by a member without a confirmed address, and isn't shown yet.
        case first
        /// A new member waits to be let in.
        case entry
        /// An account is to be deleted, which a second person must agree to.
        case removal

        var name: Words {
            switch self {
            case .reports: "Reported"
            case .look: "Changed"
            case .answer: "Answers"
            case .first: "First ones"
            case .entry: "Want to come in"
            case .removal: "To be deleted"
            }
        }
    }

    /// The filters of the list: by what matters wait for, and separately for proposals and verifications.
    enum Show: String, CaseIterable, Sendable {
        case reports, look, answer, first, acts, places, entry, removal

        var wait: Wait {
            switch self {
            case .reports: .reports
            case .look, .places: .look
            case .answer: .answer
            case .first, .acts: .first
            case .entry: .entry
            case .removal: .removal
            }
        }

        var name: Words {
            switch self {
            case .acts: "Proposed acts"
            case .places: "Places to verify"
            case .reports, .look, .answer, .first, .entry, .removal: wait.name
            }
        }
    }

    /// Matters per page.
    static let pageSize = 30
    /// The most matters for one decision.
    static let most = 100
    /// What it waits for, in the list.
    var waiting: Words {
        switch (waitsFor, subject.kind) {
        case (.first, .act): "Proposed"
        case (.look, .need): "To look at"
        default: waitsFor.name
        }
    }

    /// How long decided matters are stored with their reports.
    static let memory = Duration.days(180)
}
