import Forms
import Templating

/// A member who looks after an organization together with its owner: under the provider's hat they act for it, and each
/// of their actions is recorded under their own name (`TeamAct`).
struct Colleague: Sendable {
    let account: ID<Account>
    let username: String
    /// Their name.
    let name: String
    let duty: Duty
    let since: Instant

    /// A member's duty at an organization.
    enum Duty: String, CaseIterable, FormValue {
        /// The owner of the account: everything, including the team.
        case owner
        /// Events, opportunities, the organization's page.
        case edit
        /// Participant lists, the door, and messages to participants.
        case roster

        var name: Words {
            switch self {
            case .owner: "Owner"
            case .edit: "Looks after everything"
            case .roster: "Lists and the door"
            }
        }

        var detail: Words {
            switch self {
            case .owner: "All of it, and who else looks after it."
            case .edit:
                """
                May post, change and cancel events and ways to help, answer questions, see who comes, and change the \
                page of the organization. Can’t invite others, or hand it over.
                """
            case .roster:
                """
                May see who comes and who helps, check them in, print the list, and write to all who come. Nothing else.
                """
            }
        }

        /// The duties to which others can be invited.
        static let invited = [Duty.edit, .roster]
    }

    /// The most colleagues and open invitations of an organization.
    static let most = 20

    /// How long an invitation is valid.
    static let invitation = Duration.days(7)

    /// An open invitation.
    struct Open: Sendable {
        let id: ID<OneTimeLink>
        let duty: Duty
        let until: Instant
    }

    /// An invitation that can be accepted.
    struct Invitation: Sendable {
        let host: ID<Account>
        let organization: String
        let duty: Duty
    }

    /// The obstacles to joining a team or handing an organization over.
    enum Obstacle: Error {
        /// It is one's own invitation.
        case own
        /// They already look after an organization.
        case taken
        /// The team is full.
        case full
        /// Staff have an open matter about the organization.
        case unsettled
        /// The receiver has an organization, events or opportunities of their own.
        case heirHasOwn

        var words: Words {
            switch self {
            case .own: "This is your own invitation. Give its link to the person who is to look after it with you."
            case .taken:
                """
                You look after an organization already. One account is there for one of them: leave that one first, or \
                use another account.
                """
            case .full: "\(Colleague.most, as: "count") people are enough. Take an invitation back first."
            case .unsettled:
                """
                The people who run this site have something to settle there first. It can be handed over once that is \
                done.
                """
            case .heirHasOwn:
                """
                They announced something of their own from that account, and the two would be mixed. Choose somebody \
                else, or let them come in with another account.
                """
            }
        }
    }
}

/// An action by a member of an organization's team: a line of the log for its owner and staff.
struct TeamAct: Sendable {
    /// The member's name; nil if they left.
    let by: String?
    let verb: Verb
    /// The name of the object at that time, or a duty; possibly empty.
    let title: String
    /// The person it affected; nil for none, or if they left.
    let about: String?
    let at: Instant

    /// How long it is stored.
    static let memory = Duration.days(365)
    /// The most shown.
    static let shown = 50

    func moment(in zone: Zone) -> Words { zone.words(at, \.shortName) }

    enum Verb: String, Sendable {
        case posted, changed, cancelled, deleted, announced, answered
        case page, picture, closed, renewed, replied, confirmed, accepted, declined, received, missed
        case invited, joined, left, removed, entrusted, handedOver
        case dismissed, restored
        // Calendars and draws.
        case added, took, drew, endedDraw
    }

    /// The duty, if the action is about one.
    private var role: Words? { Colleague.Duty(rawValue: title)?.name }

    var actor: Words { by.map(Words.init(verbatim:)) ?? "Somebody who left" }

    /// The action, to follow the name.
    var words: Words {
        switch verb {
        case .posted: "posted “\(title, as: "title")”"
        case .changed: "changed “\(title, as: "title")”"
        case .cancelled: "canceled “\(title, as: "title")”"
        case .deleted: "deleted “\(title, as: "title")”"
        case .announced: "wrote to all who come to “\(title, as: "title")”"
        case .answered: "answered a question about “\(title, as: "title")”"
        case .page: "changed the page of the organization"
        case .picture: "changed its picture"
        case .closed: "closed “\(title, as: "title")”"
        case .renewed: "said that “\(title, as: "title")” still holds"
        case .replied: "answered a review"
        case .confirmed: "confirmed hours of “\(title, as: "title")”"
        case .accepted: "said yes to somebody, for “\(title, as: "title")”"
        case .declined: "said no to somebody, for “\(title, as: "title")”"
        case .received: "noted that something was brought, for “\(title, as: "title")”"
        case .missed: "noted that something didn’t come, for “\(title, as: "title")”"
        case .invited: role.map { "made an invitation: \($0, as: "role")" } ?? "made an invitation"
        case .joined: role.map { "joined by an invitation: \($0, as: "role")" } ?? "joined by an invitation"
        case .left: role.map { "left: \($0, as: "role")" } ?? Words("left")
        case .removed: about.map { "took the part of \($0, as: "name") away" } ?? "took somebody’s part away"
        case .entrusted:
            switch (about, role) {
            case (let name?, let role?): "changed what \(name, as: "name") does here: \(role, as: "role")"
            case (let name?, nil): "changed what \(name, as: "name") does here"
            case (nil, _): "changed what somebody does here"
            }
        case .handedOver:
            about.map { "handed the organization over to \($0, as: "name")" } ?? "handed the organization over"
        case .dismissed: "closed a question about “\(title, as: "title")”"
        case .restored: "brought “\(title, as: "title")” back"
        case .added: "added the calendar “\(title, as: "calendar")”"
        case .took: "published what the calendar “\(title, as: "calendar")” says"
        case .drew: "drew the places of “\(title, as: "title")”"
        case .endedDraw: "called off the draw “\(title, as: "title")”"
        }
    }
}

/// News about looking after an organization together.
struct TeamNews: TitledNews {
    let what: What
    /// The account it is about: the colleague's, or the organization's.
    let about: ID<TeamNews>
    /// The name of the organization.
    let title: String
    /// The person who joined or left, and their duty; nil if they left the site.
    var who: Who?

    struct Who: Sendable {
        let name: String
        let duty: Colleague.Duty
    }

    enum What: String, Sendable, CaseIterable {
        // To the owner.
        case joined, left
        // To a colleague.
        case edit, roster, removed, given, closed
    }

    init(_ what: What, _ about: ID<TeamNews>, _ title: String) {
        self.what = what
        self.about = about
        self.title = title
    }

    /// The format in a notice; without a person it is only the title.
    init?(detail: String, subject: Int64?) {
        let parts = detail.split(separator: "\u{1E}", maxSplits: 2).map(String.init)
        let head = (parts.first ?? "").split(separator: "\u{1F}", maxSplits: 1).map(String.init)
        guard head.count == 2, let what = What(rawValue: head[0]), let subject else { return nil }
        self.init(what, ID(subject), head[1])
        if parts.count == 3, let duty = Colleague.Duty(rawValue: parts[1]) { who = Who(name: parts[2], duty: duty) }
    }

    var detail: String {
        "\(what.rawValue)\u{1F}\(title.filter { $0 != "\u{1E}" })"
            + (who.map { "\u{1E}\($0.duty.rawValue)\u{1E}\($0.name)" } ?? "")
    }

    var kind: NoticeKind { .team }
    var icon: Icon { .house }

    var words: Words {
        switch what {
        case .joined:
            who.map { "\($0.name, as: "name") looks after \(title, as: "organization") with you now" }
                ?? "Somebody looks after \(title, as: "organization") with you now"
        case .left:
            who.map { "\($0.name, as: "name") no longer looks after \(title, as: "organization") with you" }
                ?? "Somebody no longer looks after \(title, as: "organization") with you"
        case .edit, .roster: "What you do for \(title, as: "organization") has changed"
        case .removed: "You no longer look after \(title, as: "organization")"
        case .given: "\(title, as: "organization") is yours to look after now"
        case .closed: "\(title, as: "organization") has left this site"
        }
    }

    var more: Words {
        switch what {
        case .joined:
            who.map {
                """
                What they do: \($0.duty.name, as: "role"). If you invited nobody, remove them there, and change your \
                password.
                """
            } ?? "If you invited nobody, remove them there, and change your password."
        case .left:
            who.map {
                "What they did: \($0.duty.name, as: "role"). The page of its people says who looks after it."
            } ?? "The page of its people says who looks after it."
        case .edit: Colleague.Duty.edit.detail
        case .roster: Colleague.Duty.roster.detail
        case .removed, .closed: "Thank you for what you did."
        case .given: "You decide who else looks after it."
        }
    }

    var link: Link {
        switch what {
        case .joined, .left, .given, .edit, .roster: .colleagues
        case .removed, .closed: Link.me
        }
    }
}

/// `/me/organization/colleagues`: the organization's team and their actions.
struct TeamPage: Sendable {
    let organization: String
    /// The reader's duty.
    let duty: Colleague.Duty
    let reader: ID<Account>
    /// The owner first.
    let people: [Colleague]
    let open: [Colleague.Open]
    /// The team's actions, newest first; only for members with full duties.
    let acts: [TeamAct]
    let zone: Zone
    /// The invitation link that was just made.
    var link: String?

    var isOwner: Bool { duty == .owner }
    /// The colleagues to whom the organization can be handed over.
    var heirs: [Colleague] { people.filter { $0.duty == .edit } }

    func day(_ instant: Instant) -> Words { zone.day(of: instant).fullName }
}

/// The form for an invitation.
struct ColleagueForm: Form {
    var duty = Colleague.Duty.roster
    var current = ""

    static let fields: [Field<ColleagueForm>] = [
        .choice(
            "role", \.duty, "What they do",
            options: Colleague.Duty.invited.map { Choice($0, $0.name, detail: $0.detail) }
        ).drawn(as: .radios),
        .password("current_password", \.current, "Your password", atLeast: 1)
            .autocomplete("current-password").missing("Give your password."),
    ]
}

/// The form for handing the organization over.
struct HandOverForm: Form {
    var heir: ID<Account>?
    var current = ""

    static let fields: [Field<HandOverForm>] = [
        .choice("colleague", \.heir, "To whom"),
        .password("own_password", \.current, "Your password", atLeast: 1)
            .autocomplete("current-password").missing("Give your password."),
    ]
}

extension TeamPage {
    /// The form with the possible receivers as choices.
    func offer(in form: Submission<HandOverForm>) -> Submission<HandOverForm> {
        var form = form
        form.offer(\.heir, heirs.map { Choice($0.account, "\($0.name, as: "name") (@\($0.username, as: "username"))") })
        return form
    }
}
