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
        /// The author answered a decision.
        case answer
        /// It is the first post or event of somebody whose address isn’t confirmed, and isn’t shown before.
        case first
        /// Somebody signed up, and wants to come in.
        case entry
        /// An account is to be deleted, and a second yes is needed.
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

    /// What the list can be narrowed to: what waits for one thing, and what is proposed or to be verified by itself.
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

    /// Matters a page.
    static let pageSize = 30
    /// The most that are decided about at once.
    static let most = 100
    /// What it waits for, on the list.
    var waiting: Words {
        switch (waitsFor, subject.kind) {
        case (.first, .act): "Proposed"
        case (.look, .need): "To look at"
        default: waitsFor.name
        }
    }

    /// How long what was decided is kept with its reports.
    static let memory = Duration.days(180)
}

/// `/admin/queue`: what waits, the gravest first.
struct QueuePage: Sendable {
    let rows: [Row]
    /// How many of each kind wait.
    let counts: [(show: Matter.Show, count: Int)]
    let show: Matter.Show?
    let oldest: Words?
    let more: Link?

    /// How many of those shown wait.
    var shown: Int { show == nil ? waiting : counts.first { $0.show == show }?.count ?? 0 }

    /// How many wait in all: each is of one kind.
    var waiting: Int { counts.reduce(0) { $0 + $1.count } }

    struct Row: Sendable {
        let matter: Matter
        /// The beginning of it; nil where it is gone.
        let beginning: String?
        let since: Words
    }

    /// Where those of a kind are.
    static func link(_ show: Matter.Show?) -> Link { Link.queue.with("show", show?.rawValue) }
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
    /// Of a message that was reported, what was said around it. Each look at it stands in the log.
    var around: [LineRow] = []
    /// What it waits for; nil of what doesn't wait.
    var waitsFor: Matter.Wait?
    /// Whether its author signed up, and waits to be let in.
    var isEntry = false
    /// Whether an admin wrote it, and somebody reads it who is none.
    var isOfAdmin = false
    /// The account that is to be deleted, where somebody asked for that.
    var removal: Removal?
    /// The member who invited its author.
    var inviter: InvitationTree.Leaf?

    /// Whether somebody else is to look, since who reads decided what was answered.
    var isOwnDecision = false

    struct LineRow: Sendable {
        let line: Message.Line
        let time: Words
    }

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

    /// The decision that its author answered, and to which nobody said anything yet: it isn't closed without a word.
    var answered: Decision?

    /// What can be decided: of what is gone, only what concerns its author.
    var verdicts: [Decision.Verdict] {
        if isEntry { return Decision.Verdict.ofEntry }
        if isOfAdmin { return [.fine] }
        if let answered { return answered.verdicts.filter { exhibit != nil || !$0.hides } }
        if waitsFor == .first, exhibit != nil { return Decision.Verdict.ofFirst.filter(subject.kind.verdicts.contains) }
        return exhibit == nil ? [.fine, .note, .limit, .suspend, .delete] : subject.kind.verdicts
    }

    /// The form with what can be decided here.
    func offer(in form: inout Submission<DecisionForm>) {
        form.offer(
            \.verdict,
            verdicts.map { verdict in
                if verdict == .fine, exhibit?.isLasting == true {
                    return Choice(
                        verdict, "It is there, and gives all year", detail: "Marked as verified for six months")
                }
                guard waitsFor == .first else { return Choice(verdict, verdict.name(of: author), detail: verdict.hint) }
                switch (verdict, subject.kind) {
                case (.fine, .act):
                    return Choice(verdict, "Take it into the catalog", detail: "Everybody finds it there")
                case (.hide, .act):
                    return Choice(
                        verdict, "Leave it to its author", detail: "They read why, and keep it for themselves")
                case (.fine, _):
                    return Choice(verdict, "Show it", detail: "From then on what they write is shown at once")
                default: return Choice(verdict, verdict.name(of: author), detail: verdict.hint)
                }
            })
    }
}
