import Forms
import Templating

/// That an account is to be deleted with what it wrote: somebody who runs the site wants that, and somebody else has to
/// say yes. Until then it is a decision that can be taken back.
struct Removal: Sendable {
    let decision: Decision
    let time: Words
    /// When it happens by itself, where one runs the site alone; nil where a second yes is needed.
    let due: Words?

    /// How long a sole admin waits.
    static let pause = Duration.days(7)
}
