import Forms
import Templating

/// Something that waits for those who run the site: reported, changed as they asked, or its author answered them.
struct Matter: Sendable {
    let subject: Subject
    let author: Author
    let waitsFor: Wait
    let isGrave: Bool
    let since: Instant
    /// How many reports wait.
    let reports: Int

    enum Wait: String, CaseIterable, Sendable {
        case reports
        /// It was changed, and is to be looked at again.
        case look
        /// Whoever wrote it answered a decision.
        case answer

        var name: Words {
            switch self {
            case .reports: "Reported"
            case .look: "Changed"
            case .answer: "Answers"
            }
        }
    }

    /// Matters a page.
    static let pageSize = 30
    /// How long what was decided is kept with its reports.
    static let memory = Duration.days(180)
}

/// `/admin/queue`: what waits, the gravest first.
struct QueuePage: Sendable {
    let rows: [Row]
    let waiting: Int
    let show: Matter.Wait?
    let oldest: Words?
    let more: Link?

    struct Row: Sendable {
        let matter: Matter
        /// The beginning of it; nil where it is gone.
        let beginning: String?
        let since: Words
    }

    /// Where those of a kind are.
    static func link(_ show: Matter.Wait?, after last: Subject? = nil) -> Link {
        Link("/admin/queue").with("show", show?.rawValue).with("after", last?.rawValue)
    }
}

/// `/admin/queue/{subject}`: one thing, with all that helps to decide.
struct MatterPage: Sendable {
    let subject: Subject
    /// As it is now; nil where it is gone.
    let exhibit: Exhibit?
    let author: Author
    let history: History
    let reports: [ReportRow]
    let decisions: [DecisionRow]

    /// Whether somebody else is to look, since who reads decided what was answered.
    var isOwnDecision = false

    struct ReportRow: Sendable {
        let report: Report
        let time: Words
        /// Whether it says something else now.
        let hasChanged: Bool
    }

    struct DecisionRow: Sendable {
        let decision: Decision
        let time: Words
    }

    /// What its author did so far.
    struct History: Sendable {
        let since: Words
        let posts: Int
        let comments: Int
        let events: Int
        let decisions: Int
        let isSuspended: Bool
        let limitedUntil: Words?
    }

    /// What can be decided: of what is gone, only what concerns its author.
    var acts: [Decision.Act] {
        exhibit == nil ? [.fine, .note, .limit, .suspend] : subject.kind.acts
    }

    /// The form with what can be decided here.
    func offer(in form: inout Submission<DecisionForm>) {
        form.offer(
            \.act, acts.map { Choice($0, $0.name(of: author), detail: $0.hint) })
    }
}
