import Forms

/// What is said of a criterion of accessibility.
enum Adherence: CaseIterable, Sendable {
    /// Tests show that it is met, or somebody looked.
    case supports
    /// Tests look at a part of it; nobody judged the rest.
    case part
    case notEvaluated
    /// The site holds nothing that it is about.
    case notApplicable

    /// The heading of those of which it is said.
    var title: Words {
        switch self {
        case .supports: "Met"
        case .part: "Tested in part"
        case .notEvaluated: "Not evaluated"
        case .notApplicable: "Doesn’t apply here"
        }
    }

    /// What that means.
    var explanation: Words {
        switch self {
        case .supports: "All that the criterion asks is shown by what is named below it."
        case .part: "Tests look at a part of what the criterion asks. Nobody has judged the rest: it may not be met."
        case .notEvaluated: "Nobody has looked at these with care yet: they may be met or not."
        case .notApplicable: "The site has no sound, no video, and nothing that is used by moving the device."
        }
    }
}
