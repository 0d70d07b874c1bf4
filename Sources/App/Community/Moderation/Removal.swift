import Forms
import Templating

/// The deletion of an account with its content: one staff member requests it, and another must agree. Until then it is
/// a decision that can be revoked.
struct Removal: Sendable {
    let decision: Decision
    let time: Words
    /// When it happens automatically, if there is a sole admin; nil if a second person must agree.
    let due: Words?

    /// The waiting time for a sole admin.
    static let pause = Duration.days(7)
}
