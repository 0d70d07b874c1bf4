import Forms

/// The kinds of notices: the one list from which notices, letters, settings and their tests are derived.
enum NoticeKind: String, CaseIterable, Sendable {
    // To a family.
    case registered, changed, cancelled, hidden, offered, lapsed, drawn, dayBefore, hoursBefore, announced
    case answered
    // To a provider.
    case booked, asked, published, imported
    // To the author of something.
    case decided
    // To an owner of pets.
    case matched, messaged, met, meeting
    // To a helper, and to an organization that asks for help.
    case helping, helpers
    // To a follower of an organization.
    case followed
    // To a member with saved searches: one letter a week.
    case searched
    // To members who chose a topic: at most a letter a week, from the people who run the site.
    case aboutEvents, aboutHelping, aboutKindness, aboutPets, aboutSite
    // To the author of a post, and to members mentioned in it.
    case talked
    // To the author of a need, and to the helper.
    case needs
    // To either side of a promise, a sign-up that waits for a yes or a private question: the other one wrote.
    case wrote
    // To a member who challenged a friend to a kind act.
    case challenged
    // To a member who wants a reminder of the daily kind act.
    case dayAct
    // To present and former staff; to an organization being verified; to members of an organization's team.
    case role, desk, verified, team
    // To a host and a co-host, or a member who is asked to be one.
    case cohosting
    // To a parent, when the other one joins or leaves.
    case guardianOn, guardianOff
    // Only by letter, and can't be turned off: an account was created and its address must be confirmed; a forgotten
    // password; a change of address, which the new address confirms and the old one is told of; a change to or use of
    // what opens an account; a deletion; a test letter from an admin.
    case welcome, reset, address, moved, newPassword, twoStepOn, twoStepOff, recovered, deleted, test
    // Only by letter, to a person whom a member challenges to a kind act: a link in it stops such letters.
    case invited
    // Only by letter, to a person from a list that an admin brought: the same link stops it.
    case invitedHere

    /// The channel of a notice.
    enum Channel: String, CaseIterable, Sendable {
        case inbox, mail
        /// A daily letter instead of single ones.
        case daily
        /// Push messages about notices in the inbox, on chosen devices.
        case push
        /// A calendar attachment in letters about a registration, which calendar programs add and update.
        case calendar

        var name: Words {
            switch self {
            case .inbox: "In the inbox"
            case .mail: "By mail"
            case .daily: "By mail once a day, not each"
            case .push: "As a push message"
            case .calendar: "In these letters and those about changes: an appointment that my calendar keeps up"
            }
        }
    }

    /// When a channel is used.
    enum Rule: Sendable {
        case never
        /// By default, unless the reader turns it off.
        case chosen
        /// Only if the reader turns it on.
        case wished
        /// Always.
        case always
    }

    func rule(of channel: Channel) -> Rule {
        switch (self, channel) {
        case (.registered, .calendar): .wished
        case (_, .calendar): .never
        case (_, .push): rule(of: .inbox) == .never ? .never : isForNow ? .chosen : .wished
        case (.dayAct, .inbox): .always
        case (.dayAct, .mail): .never
        case (.booked, .daily), (.followed, .daily): .wished
        case (.followed, .mail): .never
        case (_, .daily): .never
        case (.aboutEvents, .mail), (.aboutHelping, .mail), (.aboutKindness, .mail), (.aboutPets, .mail),
            (.aboutSite, .mail):
            .wished
        case (.aboutEvents, _), (.aboutHelping, _), (.aboutKindness, _), (.aboutPets, _), (.aboutSite, _): .never
        // These are letters and nothing else, and can't be turned off.
        case (.welcome, _), (.reset, _), (.address, _), (.moved, _), (.newPassword, _), (.twoStepOn, _),
            (.twoStepOff, _), (.recovered, _), (.deleted, _), (.test, _), (.invited, _), (.invitedHere, _):
            channel == .mail ? .always : .never
        case (.searched, .inbox): .never
        case (.guardianOn, _), (.guardianOff, _), (.decided, _), (.role, _), (.team, _): .always
        // A visitor who finds an event closed can read in the inbox that they were told.
        case (.changed, .inbox), (.cancelled, .inbox), (.hidden, .inbox), (.offered, .inbox), (.lapsed, .inbox),
            (.announced, .inbox):
            .always
        case (.followed, _), (.talked, _), (.challenged, _), (.desk, _), (.verified, _), (.needs, _), (.wrote, _),
            (.helping, _), (.helpers, _), (.searched, _), (.registered, _), (.drawn, _), (.booked, _), (.asked, _),
            (.answered, _), (.published, _), (.imported, _), (.dayBefore, _), (.hoursBefore, _), (.announced, .mail),
            (.changed, .mail),
            (.cancelled, .mail), (.hidden, .mail), (.offered, .mail), (.lapsed, .mail), (.matched, _), (.messaged, _),
            (.met, _), (.meeting, _), (.cohosting, _):
            .chosen
        }
    }

    /// The channels that may be used.
    var channels: [Channel] { Channel.allCases.filter { rule(of: $0) != .never } }

    /// Whether it is only useful for a few hours, or somebody waits for an answer: then push is on by default.
    var isForNow: Bool {
        [
            .changed, .cancelled, .hidden, .offered, .dayBefore, .hoursBefore, .announced, .asked, .answered, .messaged,
            .meeting, .helping, .needs, .wrote, .dayAct,
        ].contains(self)
    }

    /// Whether it may wake a device.
    var isUrgent: Bool { [.changed, .cancelled, .hidden, .offered, .hoursBefore].contains(self) }

    /// The hat it is for; nil for notices about the account.
    var hat: Hat? {
        switch self {
        case .registered, .changed, .cancelled, .hidden, .offered, .lapsed, .drawn, .answered: .parent
        case .booked, .asked, .published, .imported, .helpers, .verified: .provider
        case .welcome, .reset, .address, .moved, .newPassword, .twoStepOn, .twoStepOff, .recovered, .deleted,
            .guardianOn, .guardianOff, .test, .decided, .matched, .messaged, .met, .meeting, .helping, .needs, .wrote,
            .role, .desk, .team, .talked, .dayBefore, .hoursBefore, .followed, .searched, .challenged, .dayAct,
            .invited, .invitedHere, .announced,
            .cohosting, .aboutEvents, .aboutHelping, .aboutKindness, .aboutPets, .aboutSite:
            nil
        }
    }

    /// The colleagues who are notified in addition to an organization's owner: those with access to the subject.
    var colleagues: [Colleague.Duty] {
        switch self {
        case .booked: [.edit, .roster]
        case .asked, .helpers, .imported, .wrote: [.edit]
        default: []
        }
    }

    /// Whether members with any hat may receive it: also for events one attends in person, and events hosted by
    /// neighbors.
    var isOfMembers: Bool {
        [
            .changed, .cancelled, .hidden, .announced, .answered, .asked, .published, .helping, .needs, .wrote, .talked,
            .challenged, .dayAct, .dayBefore, .hoursBefore, .followed, .searched,
            .cohosting, .aboutEvents, .aboutHelping, .aboutKindness, .aboutPets, .aboutSite,
        ].contains(self)
    }

    /// Whether a letter contains a link to unsubscribe from this kind.
    var endsByClick: Bool {
        [.chosen, .wished].contains(rule(of: .mail)) || rule(of: .mail) == .never && rule(of: .daily) == .wished
    }

    /// The module it belongs to.
    var module: Module? {
        switch self {
        case .matched, .messaged, .met, .meeting: .playdates
        case .helping, .helpers, .followed: .helping
        case .needs: .needs
        case .talked: .timeline
        case .challenged, .dayAct, .invited: .kindness
        case .aboutHelping: .helping
        case .aboutKindness: .kindness
        case .aboutPets: .playdates
        case .registered, .changed, .cancelled, .hidden, .offered, .lapsed, .drawn, .dayBefore, .hoursBefore,
            .announced, .answered, .booked, .asked, .published, .imported, .welcome, .reset, .address, .moved,
            .newPassword,
            .twoStepOn, .twoStepOff, .recovered, .deleted, .guardianOn, .guardianOff, .test, .decided, .role, .desk,
            .verified, .team, .searched, .wrote, .invitedHere,
            .cohosting, .aboutEvents, .aboutSite:
            nil
        }
    }

    /// Whether it is for staff.
    var isOfStaff: Bool { self == .desk }

    /// Whether it is about pets' meetings, and for members with a pet.
    var isOfPets: Bool { [.matched, .messaged, .met, .meeting].contains(self) }

    /// Whether it is about a family's children, and therefore for everyone who looks after them.
    var isOfFamily: Bool {
        switch self {
        case .registered, .changed, .cancelled, .hidden, .offered, .lapsed, .drawn, .dayBefore, .hoursBefore,
            .announced:
            true
        case .answered, .booked, .asked, .published, .imported, .welcome, .reset, .address, .moved, .newPassword,
            .twoStepOn, .twoStepOff, .recovered, .deleted, .guardianOn, .guardianOff, .test, .decided, .matched,
            .messaged, .met, .meeting, .helping, .helpers, .followed, .needs, .wrote, .role, .desk, .verified, .team,
            .talked,
            .challenged, .dayAct, .invited, .invitedHere, .searched,
            .cohosting, .aboutEvents, .aboutHelping, .aboutKindness, .aboutPets, .aboutSite:
            false
        }
    }

    /// Its name in the settings.
    var name: Words {
        switch self {
        case .registered: "What you registered for"
        case .changed: "Changes of events you are registered for"
        case .cancelled: "Canceled events you are registered for"
        case .hidden: "Events you are registered for that are hidden, or shown again"
        case .offered: "Places that become free for you"
        case .lapsed: "Places that you waited for and that went to others"
        case .drawn: "Places drawn by lot"
        case .dayBefore: "A reminder the day before"
        case .hoursBefore: "A reminder two hours before"
        case .announced: "Messages to all who come or help"
        case .answered: "Answers to your questions"
        case .booked: "Registrations for your events"
        case .asked: "Questions about your events"
        case .published: "Events you published"
        case .imported: "Calendars that your events come from"
        case .decided: "Decisions about what you wrote"
        case .matched: "Pets that said hello back"
        case .messaged: "Messages about play dates"
        case .met: "When pets meet"
        case .meeting: "A reminder before pets meet"
        case .helping: "Where you help, and what you promised"
        case .helpers: "Who helps your organization"
        case .followed: "What is new at organizations you follow"
        case .searched: "What is new in your saved searches, once a week"
        case .aboutEvents: "Letters about events"
        case .aboutHelping: "Letters about helping"
        case .aboutKindness: "Letters about kind acts"
        case .aboutPets: "Letters about pets"
        case .aboutSite: "Letters about this site"
        case .talked: "Comments on your posts, and where you are named"
        case .challenged: "Kind acts you asked friends to do"
        case .dayAct: "A reminder of the day’s kind act"
        case .needs: "Needs: what you asked for, and what you promised"
        case .wrote: "Messages about needs, where you help, and private questions"
        case .role: "What you may do here"
        case .desk: "What waits at the desk, once a day"
        case .verified: "The mark of your organization"
        case .team: "Who looks after an organization with you"
        case .cohosting: "Hosting events together"
        case .welcome: "Confirm your address"
        case .reset: "A new password"
        case .address: "Confirm your new address"
        case .moved: "Your address was changed"
        case .twoStepOn: "Two-step log-in is on"
        case .twoStepOff: "Two-step log-in is off"
        case .newPassword: "Your password was changed"
        case .recovered: "A recovery code was used"
        case .deleted: "Your account was deleted"
        case .guardianOn: "The other parent came in"
        case .guardianOff: "The other parent left"
        case .test: "A test"
        case .invited: "Kind acts that members ask you to do"
        case .invitedHere: "Invitations to this site"
        }
    }

    /// The reason for a letter of this kind, at its end.
    var why: Words {
        switch self {
        case .registered: "You get this letter because you registered for an event."
        case .changed: "You get this letter because you are registered for an event that changed, or wait for a place."
        case .cancelled:
            "You get this letter because you were registered for an event that was canceled, or waited for a place."
        case .hidden:
            "You get this letter because you are registered for an event whose page was hidden, or is shown again."
        case .dayBefore, .hoursBefore: "You get this letter because something you go to begins soon."
        case .offered: "You get this letter because you are on the waiting list of an event."
        case .lapsed: "You get this letter because you were on the waiting list of an event."
        case .drawn: "You get this letter because you told us your wishes in a draw of places."
        case .announced: "You get this letter because you go to an event or help somewhere, or wait for a place."
        case .answered: "You get this letter because you asked something about an event."
        case .asked: "You get this letter because somebody asked something about an event that you look after."
        case .booked: "You get this letter because somebody registered for an event that you look after."
        case .published: "You get this letter because you published an event."
        case .imported: "You get this letter because events of your organization come from a calendar."
        case .decided: "You get this letter because of something that you wrote or did here."
        case .matched, .messaged, .met, .meeting: "You get this letter because one of your pets looks for friends here."
        case .helping: "You get this letter because you help somewhere, or promised something."
        case .helpers: "You get this letter because an organization that you look after asked for help."
        case .followed: "You get this letter because you follow organizations here, and want one letter a day."
        case .searched: "You get this letter because you saved searches here. It comes once a week at most."
        case .aboutEvents, .aboutHelping, .aboutKindness, .aboutPets, .aboutSite:
            """
            You get this letter because you chose it in your notifications: “\(name, as: "topic")”. There is one a \
            week at most.
            """
        case .talked: "You get this letter because you wrote a post here, or somebody named you in one."
        case .challenged: "You get this letter because you asked a friend to do something kind."
        // Never sent as a letter.
        case .dayAct: name
        case .needs: "You get this letter because you asked for something, or promised it."
        case .wrote: "You get this letter because somebody you agree on something with wrote to you here."
        case .role: "You get this letter because somebody who runs this site changed what you may do here."
        case .desk: "You get this letter because you look after this site."
        case .verified: "You get this letter because you speak for an organization here."
        case .team: "You get this letter because you look after an organization here, or did."
        case .cohosting: "You get this letter because you host an event with others, or are asked to."
        case .welcome: "You get this letter because somebody signed up with this address."
        case .reset: "You get this letter because somebody asked for a new password with this address."
        case .address: "You get this letter because somebody wants to use this address for their account."
        case .moved: "You get this letter because your account had this address."
        case .newPassword, .twoStepOn, .twoStepOff, .recovered:
            "You get this letter because of how your account is logged in to."
        case .deleted: "You get this letter because your account had this address. It is the last one."
        case .guardianOn, .guardianOff:
            "You get this letter because you look after children from two accounts, or did."
        case .test:
            "You get this letter because somebody who runs the site wants to know whether letters arrive."
        case .invited:
            """
            You get this letter because a member of this site gave us your address, for this one letter. We don’t \
            keep it.
            """
        case .invitedHere:
            """
            You get this letter because the people who run this site have your address in a list, and used it for \
            this one letter.
            """
        }
    }

    /// Whether its letters also go to unconfirmed addresses and those that refused mail: they are about something that
    /// the reader takes part in, offers, waits for or asked for. The first such letter went there as well, and somebody
    /// who drives to a canceled event, or prepares for one without participants, doesn't care whether a link was ever
    /// pressed.
    var reachesEveryAddress: Bool {
        switch self {
        case .registered, .changed, .cancelled, .hidden, .offered, .lapsed, .drawn, .dayBefore, .hoursBefore,
            .announced, .answered, .published, .imported, .booked, .met, .meeting, .helping, .needs, .decided, .role,
            .team,
            .guardianOn, .guardianOff, .welcome, .reset, .address, .moved, .newPassword, .twoStepOn, .twoStepOff,
            .recovered, .deleted, .test, .invited, .invitedHere:
            true
        // Others cause these repeatedly: an address that may be somebody else’s isn't flooded with them.
        case .asked, .helpers, .matched, .messaged, .wrote, .followed, .searched, .talked, .challenged, .dayAct, .desk,
            .verified,
            .cohosting, .aboutEvents, .aboutHelping, .aboutKindness, .aboutPets, .aboutSite:
            false
        }
    }

    /// Whether unread news about one event is merged into one notice.
    var isGathered: Bool { self == .booked }

    /// How long a letter is useful.
    var shelfLife: Duration {
        switch self {
        case .reset: ResetLink.lifetimeByMail
        case .welcome, .address: ConfirmLink.lifetime
        case .moved: EmailChange.undoable
        case .test: .hours(1)
        case .invited: .days(2)
        case .offered, .dayBefore, .deleted: .days(1)
        case .hoursBefore: .hours(2)
        case .desk, .dayAct: .hours(20)
        case .registered, .changed, .cancelled, .hidden, .lapsed, .drawn, .announced, .answered, .booked, .asked,
            .published, .imported, .invitedHere, .newPassword, .twoStepOn, .twoStepOff, .recovered, .guardianOn,
            .guardianOff, .decided, .matched, .messaged,
            .met, .meeting, .helping, .helpers, .followed, .needs, .wrote, .role, .verified, .team, .talked,
            .challenged, .searched,
            .cohosting, .aboutEvents, .aboutHelping, .aboutKindness, .aboutPets, .aboutSite:
            .days(5)
        }
    }
}
