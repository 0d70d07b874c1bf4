import Forms
import Templating

/// A staff action with its reason: a line of the log that all staff can read.
struct AuditEntry: Sendable {
    let at: Instant
    /// The user name; nil for the command line.
    let by: String?
    let verb: Verb
    /// The object of the action: a user name or an event's title.
    let subject: String
    let subjectID: Int64?
    /// The content it was about, if any, with its author.
    var about: Subject?
    var author: String?
    /// The values before and after; both empty if there is no value.
    var was = ""
    var became = ""
    /// The reason in the staff member's own words; empty if there is a ground.
    let reason: String
    /// The ground for a decision.
    var ground: Ground?

    var why: Words { Why(reason: reason, ground: ground).words }

    /// The reason for an action: in own words, or a ground.
    struct Why: Sendable {
        let reason: String
        let ground: Ground?
        var words: Words { reason.isEmpty ? ground?.sentence ?? Words(verbatim: "") : Words(verbatim: reason) }
    }

    var actor: Words { by.map(Words.init(verbatim:)) ?? "the command line" }

    /// The action and its object.
    var what: Words {
        guard let author, let about, !verb.isOnAccount, about.kind != .person else { return done }
        return "\(done, as: "what"), by \(author, as: "author")"
    }

    private var done: Words {
        if verb.isOfAnyKind, let kind = about?.kind {
            let thing: Words = subject.isEmpty ? kind.title : "\(kind.title, as: "thing"): \(subject, as: "name")"
            return "\(verb.words, as: "what"): \(thing, as: "thing")"
        }
        if verb == .switchOn || verb == .switchOff, let module = Module(rawValue: subject) {
            return "\(verb.words, as: "what") \(module.name, as: "subject")"
        }
        if verb == .changeSettings, let label = Town.label(of: subject) {
            return "\(verb.words, as: "what"): \(label, as: "subject")"
        }
        if verb == .invitePeople, let count = Int(subject) {
            return Words(
                "invited {count} person by letter", plural: "invited {count} people by letter", count: count)
        }
        if verb == .uninvitePeople, let count = Int(subject) {
            return Words(
                "took back {count} invitation by letter", plural: "took back {count} invitations by letter",
                count: count)
        }
        let parts = subject.split(separator: " ", maxSplits: 2).map(String.init)
        guard verb == .grantPlan, parts.count == 3, let plan = Plan(rawValue: parts[0].lowercased()) else {
            return subject.isEmpty ? verb.words : "\(verb.words, as: "what") \(subject, as: "subject")"
        }
        return "granted \(plan.name, as: "plan") to \(parts[2], as: "organization")"
    }

    /// The change from one value to another; nil if there is no value.
    var change: (was: Words, became: Words)? {
        was.isEmpty && became.isEmpty ? nil : (words(for: was), words(for: became))
    }

    /// A value named by the site, or a text by a person.
    private func words(for value: String) -> Words {
        let name: Words? =
            switch verb {
            case .grantPlan: Plan(rawValue: value)?.name
            case .makeMember, .makeModerator, .makeAdmin: Role(rawValue: value)?.name
            case .changeSettings where subject == "joining": Joining(rawValue: value)?.name
            default: nil
            }
        return name ?? Words(verbatim: value)
    }

    /// The topic of staff decisions: two decisions about one topic can conflict.
    enum Topic: Sendable {
        /// Content by a person, or with `.person` an account.
        case subject(Subject)
        /// An organization's plan and verification.
        case provider(ID<Provider>)
        case wave(ID<Wave>)
        case tag(String)
        /// Things identified in the log by name only: mail domains, the setting for prices.
        case named(Set<String>, [Verb])

        static func domain(_ domain: MailDomain) -> Topic { .named([domain.name], [.blockDomain, .unblockDomain]) }
    }

    /// An action, and the beginning of its line in the log.
    struct Step: Sendable {
        let verb: Verb
        var beginning = ""

        func isMade(by act: AuditEntry) -> Bool { act.verb == verb && act.subject.hasPrefix(beginning) }
    }

    /// Another staff member decided about the same thing after the page was drawn: their decision stands, and nothing
    /// else is done.
    struct Overtaken: Error {
        let acts: [AuditEntry]
        /// The current page.
        let link: Link
    }

    /// The log's text for a granted plan.
    static func subject(granting plan: Plan, to organization: String) -> String {
        "\(plan.rawValue) to \(organization)"
    }

    enum Verb: String, Sendable {
        case resetLink = "reset_link"
        case suspend, restore, hide, show
        case hideOpportunity = "hide_opportunity"
        case showOpportunity = "show_opportunity"
        case hideReview = "hide_review"
        case showReview = "show_review"
        case hideNeed = "hide_need"
        case showNeed = "show_need"
        case hideAct = "hide_act"
        case showAct = "show_act"
        case hideQuestion = "hide_question"
        case showQuestion = "show_question"
        case hidePost = "hide_post"
        case showPost = "show_post"
        case hideComment = "hide_comment"
        case showComment = "show_comment"
        case hidePage = "hide_page"
        case showPage = "show_page"
        case hidePet = "hide_pet"
        case showPet = "show_pet"
        case hideMessage = "hide_message"
        case showMessage = "show_message"
        case findFine = "find_fine"
        case unfindFine = "unfind_fine"
        case note, limit, unlimit, uphold
        case grantPlan = "grant_plan"
        case askForPrices = "ask_for_prices"
        case forgoPrices = "forgo_prices"
        case changeSettings = "change_settings"
        case takeOffTwoStep = "take_off_two_step"
        case admit, refuse
        case unrefuse = "decide_anew"
        case askRemoval = "ask_removal"
        case keepAccount = "keep_account"
        case deleteAccount = "delete_account"
        case blockDomain = "block_domain"
        case unblockDomain = "unblock_domain"
        case stopWave = "stop_wave"
        case undoWave = "undo_wave"
        case makeMember = "make_member"
        case makeModerator = "make_moderator"
        case makeAdmin = "make_admin"
        case endSessions = "end_sessions"
        case allowOutside = "allow_outside"
        case endOutside = "end_outside"
        case meetOutside = "meet_outside"
        case sendConfirmation = "send_confirmation"
        case setAddress = "set_address"
        case switchOn = "switch_on"
        case switchOff = "switch_off"
        case closeSite = "close_site"
        case openSite = "open_site"
        case setBanner = "set_banner"
        case readChat = "read_chat"
        case verify, unverify
        case verifyPlace = "verify_place"
        case unverifyPlace = "unverify_place"
        case mergeTag = "merge_tag"
        case renameTag = "rename_tag"
        case hideTag = "hide_tag"
        case showTag = "show_tag"
        case sendLetter = "send_letter"
        case stopLetter = "stop_letter"
        case invitePeople = "invite_people"
        case uninvitePeople = "uninvite_people"
        case drawLots = "draw_lots"
        case endDraw = "end_draw"

        /// Actions on an account.
        static let onAccounts: [Verb] = [
            .resetLink, .suspend, .restore, .takeOffTwoStep, .limit, .unlimit, .admit, .refuse, .unrefuse, .askRemoval,
            .keepAccount, .deleteAccount, .uphold,
            .makeMember, .makeModerator, .makeAdmin, .endSessions, .sendConfirmation, .setAddress,
            .allowOutside, .endOutside,
        ]

        /// Actions that apply to content of any kind.
        static let ofAnyKind: [Verb] = [.findFine, .unfindFine, .note]
        var isOnAccount: Bool { Verb.onAccounts.contains(self) }
        var isOfAnyKind: Bool { Verb.ofAnyKind.contains(self) }

        /// Actions on an organization.
        static let onProviders: [Verb] = [.grantPlan, .verify, .unverify]
        /// Actions on a review; the subject is its organization.
        static let onReviews: [Verb] = [.hideReview, .showReview, .findFine, .unfindFine, .note]

        var words: Words {
            switch self {
            case .resetLink: "made a reset link for"
            case .suspend: "suspended the account of"
            case .restore: "restored the account of"
            case .hide: "hid the event"
            case .show: "showed the event again"
            case .hideQuestion: "hid a question about"
            case .hideOpportunity: "hid the way to help"
            case .showOpportunity: "showed the way to help again"
            case .hideReview: "hid a review of"
            case .showReview: "showed a review again of"
            case .hideNeed: "hid a need"
            case .showNeed: "showed a need again"
            case .hideAct: "kept a kind act out of the catalog:"
            case .showAct: "took a kind act into the catalog again:"
            case .showQuestion: "showed a question again about"
            case .hidePost: "took away a post"
            case .showPost: "showed a post again"
            case .hideComment: "hid a comment"
            case .showComment: "showed a comment again"
            case .hidePage: "hid the page of"
            case .showPage: "showed the page again of"
            case .hidePet: "hid a pet"
            case .showPet: "showed a pet again"
            case .hideMessage: "hid a message"
            case .showMessage: "showed a message again"
            case .findFine: "looked at this and found it fine"
            case .unfindFine: "lets this be reported again"
            case .note: "wrote to the author of this"
            case .limit: "lets only read"
            case .unlimit: "lets write again"
            case .uphold: "let a decision stand, after an answer of"
            case .grantPlan: Words("granted")
            case .askForPrices: "asked for a price on every event"
            case .forgoPrices: "let prices be left out"
            case .takeOffTwoStep: "took two-step log-in off"
            case .changeSettings: "changed the settings of the site"
            case .admit: "let in"
            case .refuse: "didn’t let in"
            case .unrefuse: "lets it be decided anew whether to let in"
            case .askRemoval: "wants to delete the account"
            case .keepAccount: "keeps the account"
            case .deleteAccount: "deleted the account"
            case .blockDomain: "blocked the mail domain"
            case .unblockDomain: "unblocked the mail domain"
            case .stopWave: "stopped a wave of accounts"
            case .undoWave: "took back what was done to a wave of accounts"
            case .makeMember: "took the role from"
            case .makeModerator: "made a moderator of"
            case .makeAdmin: "made an admin of"
            case .allowOutside: "let log in with an account elsewhere:"
            case .endOutside: "ended the log-in with an account elsewhere of"
            case .meetOutside: "logged in for the first time with an account elsewhere, as"
            case .endSessions: "logged out all devices of"
            case .sendConfirmation: "sent a link to confirm the address to"
            case .setAddress: "wrote down another e-mail address for"
            case .switchOn: "switched on"
            case .switchOff: "switched off"
            case .closeSite: "closed the site to members"
            case .openSite: "opened the site to everybody"
            case .setBanner: "changed the line on top of every page"
            case .readChat: "read messages around one that was reported"
            case .drawLots: "drew the lots of"
            case .endDraw: "called off the draw"
            case .verify: "verified the organization"
            case .unverify: "took the mark from"
            case .verifyPlace: "made sure of a place, and verified it:"
            case .unverifyPlace: "took the mark from a place:"
            case .mergeTag: "merged tags:"
            case .renameTag: "renamed a tag:"
            case .hideTag: "hid the tag"
            case .showTag: "showed the tag again:"
            case .sendLetter: "wrote to the members who chose it:"
            case .stopLetter: "stopped a letter to members:"
            case .invitePeople: "invited people by letter"
            case .uninvitePeople: "took back invitations by letter"
            }
        }

        /// The action for a verdict on content of a kind.
        static func doing(_ verdict: Decision.Verdict, to kind: Subject.Kind) -> Verb {
            switch verdict {
            case .fine: .findFine
            case .note: .note
            case .limit: .limit
            case .suspend: .suspend
            case .admit: .admit
            case .refuse: .refuse
            case .delete: .askRemoval
            case .lift, .stands: .uphold
            case .hide, .ask: display(of: kind).hiding
            }
        }

        /// The action for revoking a verdict.
        static func undoing(_ verdict: Decision.Verdict, to kind: Subject.Kind) -> Verb {
            switch verdict {
            case .fine, .note: .unfindFine
            case .limit: .unlimit
            case .suspend: .restore
            case .refuse, .admit: .unrefuse
            case .delete: .keepAccount
            case .lift, .stands: .uphold
            case .hide, .ask: display(of: kind).showing
            }
        }

        /// The actions of hiding content of a kind, and of showing it again.
        private static func display(of kind: Subject.Kind) -> (hiding: Verb, showing: Verb) {
            switch kind {
            case .event: (.hide, .show)
            case .post: (.hidePost, .showPost)
            case .comment: (.hideComment, .showComment)
            case .person: (.hidePage, .showPage)
            case .question: (.hideQuestion, .showQuestion)
            case .pet: (.hidePet, .showPet)
            case .message: (.hideMessage, .showMessage)
            case .opportunity: (.hideOpportunity, .showOpportunity)
            case .review: (.hideReview, .showReview)
            case .need: (.hideNeed, .showNeed)
            case .act: (.hideAct, .showAct)
            }
        }

        /// The public description for statistics; nil if it isn't a decision about content.
        var short: Words? {
            switch self {
            case .hide: "Event hidden"
            case .show: "Event shown again"
            case .hidePost: "Post hidden"
            case .showPost: "Post shown again"
            case .hideComment: "Comment hidden"
            case .showComment: "Comment shown again"
            case .hideQuestion: "Question hidden"
            case .hideOpportunity: "Way to help hidden"
            case .showOpportunity: "Way to help shown again"
            case .hideReview: "Review hidden"
            case .showReview: "Review shown again"
            case .hideNeed: "Need hidden"
            case .showNeed: "Need shown again"
            case .hideAct: "Kind act kept out of the catalog"
            case .showAct: "Kind act shown again"
            case .showQuestion: "Question shown again"
            case .hidePage: "Page hidden"
            case .showPage: "Page shown again"
            case .hidePet: "Pet hidden"
            case .showPet: "Pet shown again"
            case .hideMessage: "Message hidden"
            case .showMessage: "Message shown again"
            case .findFine: "Seen, fine"
            case .verifyPlace: "Place verified"
            case .note: "A word to the author"
            case .limit: "Member limited to reading"
            case .unlimit: "Limit taken back"
            case .suspend: "Account suspended"
            case .restore: "Account restored"
            case .refuse: "Not let in"
            case .deleteAccount: "Account deleted"
            case .stopWave: "Wave of spam stopped"
            case .undoWave: "Stopping a wave taken back"
            case .uphold: "Decision upheld after an answer"
            case .unfindFine, .unverifyPlace, .resetLink, .grantPlan, .askForPrices, .forgoPrices, .changeSettings,
                .takeOffTwoStep,
                .admit, .unrefuse, .askRemoval, .keepAccount, .blockDomain, .unblockDomain,
                .makeMember, .makeModerator, .makeAdmin, .endSessions, .sendConfirmation, .setAddress, .switchOn,
                .switchOff, .closeSite, .openSite, .setBanner, .readChat, .verify, .unverify, .mergeTag, .renameTag,
                .hideTag,
                .showTag, .sendLetter, .stopLetter, .invitePeople, .uninvitePeople, .allowOutside, .endOutside,
                .meetOutside, .drawLots, .endDraw:
                nil
            }
        }
    }
}
