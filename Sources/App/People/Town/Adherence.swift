import Forms

/// The result for an accessibility criterion.
enum Adherence: CaseIterable, Sendable {
    /// Tests or a person showed that it is met.
    case supports
    /// Tests check a part of it; nobody judged the rest.
    case part
    case notEvaluated
    /// The site has no such content.
    case notApplicable

    /// The heading for criteria with this result.
    var title: Words {
        switch self {
        case .supports: "Met"
        case .part: "Tested in part"
        case .notEvaluated: "Not evaluated"
        case .notApplicable: "Doesn’t apply here"
        }
    }

    /// The meaning.
    var explanation: Words {
        switch self {
        case .supports: "Everything that the criterion asks is shown by what is named below it."
        case .part: "Tests look at a part of what the criterion asks. Nobody has judged the rest: it may not be met."
        case .notEvaluated: "Nobody has looked at these with care yet: they may be met or not."
        case .notApplicable: "The site has no sound, no video, and nothing that is used by moving the device."
        }
    }
}
