import Forms
import Templating

/// `/admin/queue`: the waiting matters, the most urgent first.
struct QueuePage: Sendable {
    let rows: [Row]
    /// The number of waiting matters of each kind.
    let counts: [(show: Matter.Show, count: Int)]
    let show: Matter.Show?
    let oldest: Words?
    let more: Link?

    /// The number of waiting matters that match the filter.
    var shown: Int { show == nil ? waiting : counts.first { $0.show == show }?.count ?? 0 }

    /// The total number; each matter is of one kind.
    var waiting: Int { counts.reduce(0) { $0 + $1.count } }

    struct Row: Sendable {
        let matter: Matter
        /// The beginning of the text; nil if it is gone.
        let beginning: String?
        let since: Words
    }

    /// The link to a filtered list.
    static func link(_ show: Matter.Show?) -> Link { Link.queue.with("show", show?.rawValue) }
}

/// `/admin/queue/{subject}`: one matter, with all the information for a decision.
struct MatterPage: Sendable {
    let subject: Subject
    /// The content now; nil if it is gone.
    let exhibit: Exhibit?
    let author: Author
    let history: History
    let reports: [ReportRow]
    let decisions: [DecisionRow]
    /// The messages around a reported one. Viewing them is logged.
    var around: [LineRow] = []
    /// What it waits for; nil if it isn't in the queue.
    var waitsFor: Matter.Wait?
    /// Whether its author is a new member who waits to be let in.
    var isEntry = false
    /// Whether its author is an admin and the reader isn't.
    var isOfAdmin = false
    /// The pending deletion of the account, if there is one.
    var removal: Removal?
    /// The member who invited its author.
    var inviter: InvitationTree.Leaf?

    /// Whether somebody else must review it, because the reader made the decision that was answered.
    var isOwnDecision = false

    struct LineRow: Sendable {
        let line: Message.Line
        let time: Words
    }

    struct ReportRow: Sendable {
        let report: Report
        let time: Words
        /// Whether the text has changed since.
        let hasChanged: Bool
    }

    struct DecisionRow: Sendable {
        let decision: Decision
        let time: Words
    }

    /// Its author's record.
    struct History: Sendable {
        let since: Words
        let posts: Int
        let comments: Int
        let events: Int
        let decisions: Int
        let isSuspended: Bool
        let limitedUntil: Words?
    }

    /// The decision that its author answered and that has no reply: the matter can't be closed without one.
    var answered: Decision?

    /// The possible verdicts; if the content is gone, only those about its author.
    var verdicts: [Decision.Verdict] {
        if isEntry { return Decision.Verdict.ofEntry }
        if isOfAdmin { return [.fine] }
        if let answered { return answered.verdicts.filter { exhibit != nil || !$0.hides } }
        if waitsFor == .first, exhibit != nil { return Decision.Verdict.ofFirst.filter(subject.kind.verdicts.contains) }
        return exhibit == nil ? [.fine, .note, .limit, .suspend, .delete] : subject.kind.verdicts
    }

    /// Offers the possible verdicts in the form.
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
