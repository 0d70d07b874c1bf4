import Forms
import Templating

/// A decision by staff about content, as its author is told.
struct Decision: Sendable {
    let id: ID<Decision>
    let subject: Subject
    let author: ID<Account>
    /// The moderator who decided; nil if members' reports did for now.
    let staff: String?
    let staffID: ID<Account>?
    let verdict: Verdict
    let ground: Ground
    /// The reason in own words; empty if there is a ground.
    let reason: String
    /// The end of a limited decision.
    let until: Instant?
    let at: Instant
    let endedAt: Instant?
    /// The author's one answer.
    let answer: String
    let answeredAt: Instant?
    /// The staff's reply; empty if they revoked the decision without a comment, or decided something else instead.
    var reply = ""
    var repliedAt: Instant?
    /// Whether it verified a place that accepts donations all year.
    var verifies = false
    /// Whether the content was being held, and nobody had seen it.
    var wasKeptBack = false

    enum Verdict: String, CaseIterable, Sendable, FormValue {
        case fine, note, ask, hide, limit, suspend
        /// About a new member who waits to be let in.
        case admit, refuse
        /// Deletes the author’s account, once a second person agrees.
        case delete
        /// A reply to the author's answer: the decision is revoked, or stands for a reason.
        case lift, stands

        /// Verdicts about content.
        static let usual: [Verdict] = [.fine, .note, .ask, .hide, .limit, .suspend, .delete]
        /// Verdicts about a waiting member.
        static let ofEntry: [Verdict] = [.admit, .note, .refuse]
        /// Verdicts whose notice contains the outcome, because it isn't about content of the reader.
        static let aboutAccounts: [Verdict] = [.admit, .refuse, .delete]
        /// Verdicts about held content of a new member.
        static let ofFirst: [Verdict] = [.fine, .ask, .hide, .suspend]

        func name(of author: Author) -> Words {
            switch self {
            case .fine: "Seen, fine"
            case .note: "Only write to them"
            case .ask: "Ask for a change"
            case .hide: "Hide it"
            case .limit: "Limit \(author.name, as: "name")"
            case .suspend: "Suspend \(author.name, as: "name")"
            case .admit: "Let them in"
            case .refuse: "Don’t let them in"
            case .delete: "Delete the account of \(author.name, as: "name")"
            case .lift: "Lift it"
            case .stands: "It stands"
            }
        }

        var hint: Words {
            switch self {
            case .fine: "No more reports until it is changed"
            case .note: "Nothing else happens"
            case .ask: "Hidden until then"
            case .hide: "Only its author sees it"
            case .limit: "Reads, and doesn’t write"
            case .suspend: "Nobody sees what they wrote, and they can’t log in"
            case .admit: "Everything is open to them, and they are told"
            case .refuse: "They read why, and can answer or delete the account; it goes by itself after a month"
            case .delete: "With all they wrote, after a second moderator agrees. They read why right away"
            case .lift: "It ends, and they are told"
            case .stands: "It goes on, and they read your words"
            }
        }

        /// Whether it can be revoked.
        var canEnd: Bool { self != .note && self != .admit }
        /// Whether it is a reply to an answer.
        var isReply: Bool { self == .lift || self == .stands }
        /// Whether it is about the author's account.
        var isOnAccount: Bool { [.limit, .suspend, .admit, .refuse, .delete].contains(self) }
        /// Whether it hides the content.
        var hides: Bool { self == .hide || self == .ask }
    }

    /// How long decisions are stored.
    static let memory = Duration.days(365)

    var isOpen: Bool { endedAt == nil }
    var canUndo: Bool { isOpen && verdict.canEnd }
    /// Whether its author may still answer.
    var canAnswer: Bool { answeredAt == nil && verdict != .fine && verdict != .admit }
    /// Whether there is a reason to show: none is needed for content that is fine.
    var saysWhy: Bool { verdict != .fine && verdict != .admit || !reason.isEmpty }
    /// The reason, for its author.
    var why: Words { reason.isEmpty ? ground.sentence : Words(verbatim: reason) }
    var answered: HTML { .paragraphs(of: answer) }
    var replied: HTML { .paragraphs(of: reply) }
    var said: Words { Words(verbatim: reply) }
    /// Whether staff replied that it stands.
    var isUpheld: Bool { repliedAt != nil && isOpen && !reply.isEmpty }

    /// What staff can do about an author's answer: they must do something.
    var verdicts: [Verdict] {
        let others = subject.kind.verdicts.filter { $0 != .fine && $0 != .note && $0 != verdict }
        return (canUndo ? [.lift] : []) + [.stands] + others.filter { verdict != .suspend || $0 != .limit }
    }

    var link: Link { Link.decision(id) }

    /// Whether it added a proposed kind act to the catalog.
    var takesAct: Bool { verdict == .fine && wasKeptBack && subject.kind == .act }

    /// The decision, for its author.
    var told: Words {
        let thing = subject.kind.name
        if subject.kind == .act, let told = toldOfAct { return told }
        return switch verdict {
        case .fine where verifies && isOpen: "Your place was looked at and marked as verified"
        case .fine where verifies: "Your place isn’t marked as verified anymore"
        case .fine where isOpen: "Your \(thing, as: "thing") was looked at and is fine"
        case .fine: "Your \(thing, as: "thing") waits for another look"
        case .note, .lift, .stands: "A word about your \(thing, as: "thing")"
        case .ask where isOpen: "Please change your \(thing, as: "thing"): it is hidden until then"
        case .hide where isOpen: "Your \(thing, as: "thing") is hidden"
        case .ask, .hide: "Your \(thing, as: "thing") is no longer hidden"
        case .limit where isOpen: "You can read here, but not write for a while"
        case .limit: "You can write again"
        case .admit: "You are in. Welcome to the village"
        case .refuse where isOpen: "You weren’t let in"
        case .refuse: "It is decided anew whether you are let in"
        case .delete where isOpen: "Your account is to be deleted"
        case .delete: "Your account stays"
        case .suspend where isOpen: "Your account is suspended"
        case .suspend: "Your account is restored"
        }
    }

    /// The decision about a kind act that its author proposed.
    private var toldOfAct: Words? {
        switch verdict {
        case .fine where isOpen: "Your kind act is in the catalog now"
        case .fine: "Your kind act waits for another look, and isn’t in the catalog until then"
        case .hide where isOpen: "Your kind act isn’t in the catalog"
        case .hide: "Your kind act is in the catalog again"
        default: nil
        }
    }

    /// The decision, for staff.
    var summary: Words {
        switch verdict {
        case .fine where verifies: Words("Verified")
        case .fine where takesAct: "Taken into the catalog"
        case .fine: "Found fine"
        case .note: "Written to"
        case .ask: "Asked for a change"
        case .hide: "Hidden"
        case .limit: "Limited"
        case .suspend: "Suspended"
        case .admit: "Let in"
        case .refuse: "Not let in"
        case .delete: "To be deleted"
        case .lift: "Lifted"
        case .stands: "Stands"
        }
    }
}
