import Forms
import Templating

/// A posting form somebody means to finish later, as it was typed: nobody else sees it, and it counts for nothing.
struct Draft: Sendable {
    let id: ID<Draft>
    /// What stands in the title so far; may be empty.
    let title: String
    /// Every field as it was sent, with `once`: a draft that is published can be told from one kept twice.
    let form: FormBody
    let updatedAt: Instant

    /// How many a provider may keep.
    static let limit = 50

    /// What is kept of a form.
    struct Content: Sendable {
        let title: String
        /// `title=Kite+day&…`
        let form: String
        let picture: ID<Picture>?
        let once: String

        init(_ submission: Submission<EventForm>) {
            title = submission[\.title].typed
            form = String(Link("").with(submission.hidden).string.dropFirst())
            picture = submission.form.poster
            once = submission.once
        }
    }

    /// The form that was kept so.
    static func form(_ text: String) -> FormBody { (try? FormBody(query: text)) ?? FormBody() }
}
