import Forms

/// The kinds of data about people that the site stores. From this one list, `/privacy` explains what, why and how long,
/// scheduled jobs erase, and members export. A table without an entry fails a test, and an entry without its texts
/// doesn't compile.
enum RetentionRule: String, CaseIterable, Sendable {
    case account, names, secondStep, addresses, sessions, links, strangers, choices, family, children, notes,
        registrations, wishes, replies, guests
    case provider
    case events, drafts, imports, questions, pictures, notices, letters, calendar, undo, staff, looks
    case person, posts, blocks, deeds, reports, decisions, favorites
    case pets, matches, opportunities, helping, absences, reviews, needs, threads, team

    /// The data.
    var what: Words {
        switch self {
        case .account:
            """
            Your e-mail address, your user name, who invited you, your time zone, and your password as a hash from \
            which nobody computes it; of staff and organizations that log in with an account elsewhere, which one it is
            """
        case .secondStep:
            "The secret that your phone computes log-in codes from, and recovery codes as hashes"
        case .addresses: "The e-mail address you had before"
        case .sessions:
            """
            Each device you are logged in on: the kind of browser, since when, when it was last here, and its network; \
            of each form you sent, its address and a fingerprint that shows whether it was sent twice; where you \
            switched push messages on, the address at which your browser takes them
            """
        case .links:
            """
            Links for a new password, for confirming an address, for inviting others and for asking a friend to do \
            something kind, as hashes; whom you noted they are for, your word with them, and who took them up
            """
        case .names: "A hash of the user name of each member who left; nobody without our key can compute it"
        case .strangers:
            """
            A hash of each address that a member had us write to, or that the people who run the site invited; nobody \
            without our key can compute it
            """
        case .choices: "What you want to be told of, and where, and how the site looks for you"
        case .family:
            """
            Your name, town, postal code; if you like, phone, number and rough ages of your children, and another parent
            """
        case .children: "A nickname, month and year of birth of each child; if you like, what carers must know"
        case .notes: "What you share with the provider of one event: allergies, a phone, who may pick up"
        case .registrations:
            """
            Which event and activity you or a child is registered for or waits for, and which shift a child comes to; \
            when they came there, and left; that a parent agreed to somebody coming along with you, and when; whether \
            the host of a neighbors’ event reads your first name; that your family needs help with the fee of an \
            event, where you said so
            """
        case .wishes:
            """
            Which events you wish for each child in a draw of places, with a code that stands for your family in the \
            public lists, which say no name, age or postal code
            """
        case .replies:
            """
            What you answered to the questions of an event’s host and agreed to there, for your family or a child: \
            with the words you read, who answered and when, and when you took it back
            """
        case .guests:
            """
            What hosts call people whom they added to a list by hand, their age and phone, the code on their slip, and \
            their hours as helpers, or that they did not come
            """
        case .provider: "What a provider says of itself"
        case .events: "Events and their changes"
        case .drafts: "Drafts of events and of what you ask for"
        case .imports: "The addresses of calendars that your organization’s events come from, and what stands in them"
        case .pictures: "Pictures, drawn anew without anything of when, where and with what they were taken"
        case .notices: "What stands in your inbox"
        case .letters: "Where each letter went, of which kind it was, and what the mail server answered"
        case .calendar: "The address of the calendar on your phone, as a hash"
        case .undo: "What you gave back, removed or threw away"
        case .staff: "What the people who run this site did, and why, and what they wrote to all who chose a topic"
        case .questions: "What you asked about an event, and the answer"
        case .looks: "When a provider looked at notes, printed a list or downloaded it"
        case .person: "What you want to be called, what you say about yourself, and whether others see your picture"
        case .posts: "What you write for others, and what you like"
        case .blocks: "Whom you don’t want to meet here"
        case .deeds: "Kind acts you chose, wrote and did, your notes on them, and what they come to"
        case .reports: "What you reported, what it said then, and an address you left for the answer"
        case .opportunities: "What an organization asks for"
        case .helping:
            """
            What you signed up for or wait for, promised and gave, when you came and went, who confirmed it, your \
            words with it, and certificates of it
            """
        case .absences: "That you didn’t come to a shift, as its organization noted; nobody else reads it"
        case .reviews: "Your reviews of organizations, and which of them you follow"
        case .needs: "What you asked for around the corner, and what you promised to bring"
        case .threads:
            """
            What you and a neighbor wrote to each other about something that one of you promised, you and an \
            organization about your sign-up to help, or you and a host about a private question
            """
        case .favorites:
            "Which events and ways to help you saved to come back to, your saved searches, and when their letter comes"
        case .team: "Which organization or event you look after with others, and what you did for it; whom you ask to"
        case .decisions: "What was decided about what you wrote, and your answer"
        case .pets:
            """
            What you say of your pets and of yourself as their owner, the rough area you live in, whom your \
            pets said hello to or passed over, and whom you don’t meet anymore
            """
        case .matches: "Matches of your pets, what you wrote to each other, and when you meet"
        }
    }

    /// The purpose.
    var why: Words {
        switch self {
        case .account: "So that you can log in, and be reached"
        case .secondStep: "So that your password alone opens nothing"
        case .addresses: "So that you can take a change back that wasn’t yours"
        case .sessions: "So that you stay logged in, and see where"
        case .links: "So that a link works once, and says why it doesn’t anymore"
        case .names: "So that a link to them doesn’t lead to somebody else"
        case .strangers: "So that nobody is written to twice in a month, or at all who doesn’t want it"
        case .choices: "So that it is kept to"
        case .family: "So that events near you come first, and providers know who comes"
        case .children: "So that they can be registered, at events for their age"
        case .notes: "So that the people who look after the child know"
        case .registrations: "So that a place is theirs, and nobody is missing at the end"
        case .wishes: "So that places are given out by lot, and everybody can check it"
        case .replies: "So that the host of that event knows; nobody else reads it"
        case .guests: "So that they have a place without an account, and can be called when something changes"
        case .provider: "So that families know whom they trust their children to"
        case .events: "So that families find them"
        case .drafts: "So that you can go on writing"
        case .imports: "So that events follow their calendar"
        case .pictures: "So that you see what it will be like, and whom you will meet"
        case .notices: "So that nobody misses a change"
        case .letters: "So that none gets lost, and the people who run the site see it when one does"
        case .calendar: "So that a calendar on your phone can follow"
        case .undo: "So that you can take it back"
        case .staff: "So that they can be asked about it"
        case .questions: "So that others need not ask again"
        case .looks: "So that you can see it"
        case .person: "So that others know who wrote something"
        case .posts: "So that others read it"
        case .blocks: "So that you don’t meet"
        case .deeds: "So that you see how far you have come; others read what you show them, and nothing else"
        case .reports: "So that somebody can look at it"
        case .opportunities: "So that neighbors can help"
        case .helping: "So that they know who comes, and you see how it went"
        case .absences: "So that its list of who was there is right; no page counts it"
        case .reviews: "So that others know what it is like there, and you see what is new"
        case .needs: "So that neighbors find it, and both know who brings what"
        case .threads: "So that both sides can agree on it"
        case .favorites:
            "So that you find them again, and a letter tells you what is new; nobody else sees it, or how many did"
        case .team: "So that its people know who did what"
        case .decisions: "So that you know why, and can answer"
        case .pets: "So that pets find friends nearby, and nobody comes up twice"
        case .matches: "So that you can talk, and meet"
        }
    }

    /// The retention period.
    var howLong: Words {
        switch self {
        case .account, .choices, .family, .provider, .person, .deeds, .blocks, .helping, .reviews, .needs:
            "Until you change it, or delete your account"
        case .pets:
            """
            Until you change it, or give up your pets here; how often you moved and said hello \
            \(Owner.movesWithin.inWords, as: "time") more
            """
        case .secondStep: "Until you switch it off"
        case .addresses: "\(EmailChange.memory.inWords, as: "time")"
        case .sessions:
            """
            \(Session.idle.inWords, as: "idle") without a visit, \(Session.absolute.inWords, as: "longest") in any \
            case; what takes push messages no longer than the log-in there
            """
        case .links: "\(Memory.links.inWords, as: "time") after they end"
        case .names: "\(Account.nameRest.inWords, as: "time") after they left"
        case .strangers:
            """
            \(WrittenAddress.pause.inWords, as: "time"); of an invitation by the people who run the site until its \
            link ends, \(SiteInvitation.lifetime.inWords, as: "short") at most; for those who want no letters, as long \
            as the site is there
            """
        case .children: "Until you remove the child, and \(Undo.time.inWords, as: "time") to take that back"
        case .notes: "\(CareNote.kept.inWords, as: "time") after the event, or after the child’s last session there"
        case .registrations:
            """
            \(Memory.past.inWords, as: "time") after the event; longer only if your family wants it, or answered \
            something there that is kept longer; what a host reads of your name, \
            \(Comer.kept.inWords, as: "short") after the event; that you need help with the fee, \
            \(Hold.kept.inWords, as: "help") after it
            """
        case .wishes:
            """
            Until you take them back, or \(Draw.memory.inWords, as: "time") after the draw, or after the last day for \
            wishes where nobody draws; the lines without names \(Draw.lineMemory.inWords, as: "long")
            """
        case .replies:
            """
            \(Duration.days(Ask.usualDays).inWords, as: "time") after the event, or as many days as the page said when \
            you answered, \(Ask.days.upperBound, as: "most") at most; \(Undo.time.inWords, as: "short") after you give \
            the place back
            """
        case .guests:
            """
            \(Memory.past.inWords, as: "time") after the event or shift, or until a member takes over the place; at \
            once when the host’s account is deleted
            """
        case .opportunities: "Until you delete your account: then their text and place go"
        case .events: "Until they are deleted; when you delete your account, their text, place and picture go"
        case .drafts: "Until you publish them, or throw them away"
        case .imports:
            """
            Until you remove the calendar; an entry \(CalendarImport.memory.inWords, as: "time") after it ended at most
            """
        case .pictures: "\(Media.grace.inWords, as: "time") after nothing shows them anymore"
        case .notices: "\(Notice.memory.inWords, as: "time")"
        case .letters: "\(Letter.memory.inWords, as: "time")"
        case .calendar: "Until you make another, or switch it off"
        case .undo: "\(Undo.time.inWords, as: "time")"
        case .staff: "As long as the site is there"
        case .questions: "\(Question.memory.inWords, as: "time")"
        case .looks, .absences: "\(Memory.past.inWords, as: "time")"
        case .reports: "\(Matter.memory.inWords, as: "time") after it was decided"
        case .favorites:
            """
            Until you take them off your list; events and ways to help \(Favorite.memory.inWords, as: "time") after \
            they end at most
            """
        case .team:
            """
            Until you leave; what you did, \(TeamAct.memory.inWords, as: "time"); whom you ask, until they say yes, or \
            \(Cohost.invitation.inWords, as: "short")
            """
        case .decisions: "\(Decision.memory.inWords, as: "time")"
        case .matches:
            """
            Until one of you ends it, and \(Message.sealed.inWords, as: "time") more, so that it can be reported; \
            messages \(Message.memory.inWords, as: "memory") at most
            """
        case .threads:
            """
            Until it is done or over, and \(TalkThread.kept.inWords, as: "time") more; \
            \(Message.memory.inWords, as: "memory") at most
            """
        case .posts: "Until you delete it; when you delete your account, it is a former member’s"
        }
    }

    /// Its tables; the rows of the first are counted.
    var tables: [StaticString] {
        switch self {
        case .account: ["account", "person_word", "outside_log_in"]
        case .secondStep: ["two_step", "recovery_code"]
        case .addresses: ["email_change"]
        case .sessions: ["session", "pending_log_in", "sent_form", "push_subscription"]
        case .links: ["one_time_link", "setup_link", "challenge"]
        case .names: ["former_name"]
        case .strangers: ["written_address"]
        case .choices: ["notice_choice", "less", "act_reminder"]
        case .family: ["family", "guardian"]
        case .children: ["child"]
        case .notes: ["care_note"]
        case .registrations:
            [
                "registration", "registration_person", "attendance", "activity_wait", "change_seen", "companion",
                "young_person",
            ]
        case .wishes: ["wish_sheet", "wish", "draw", "draw_event", "draw_unit"]
        case .replies: ["reply"]
        case .guests: ["guest"]
        case .provider: ["provider", "provider_key"]
        case .events:
            [
                "event", "event_search", "event_tag", "activity", "change", "reminder", "session_reminder",
                "announcement", "tag", "word", "point", "ask",
            ]
        case .drafts: ["draft"]
        case .imports: ["import_entry", "calendar_import"]
        case .pictures: ["picture"]
        case .notices: ["notice", "digest", "follow_digest", "push"]
        case .letters: ["letter"]
        case .calendar: ["calendar_link"]
        case .undo: ["undo"]
        case .staff: ["staff_act", "wave", "wave_part", "blocked_domain", "town_letter"]
        case .questions: ["question"]
        case .looks: ["roster_view", "roster_note"]
        case .person: ["person", "person_key"]
        case .posts: ["post", "post_picture", "comment", "reaction"]
        case .blocks: ["block"]
        case .deeds: ["deed", "own_act", "my_act", "standing", "pause", "badge", "family_streak"]
        case .reports: ["report", "matter"]
        case .decisions: ["decision"]
        case .pets: ["pet", "owner", "pet_picture", "hello", "parted", "former_owner"]
        case .matches: ["pet_match", "match_side", "talk_news", "message", "meeting", "former_match"]
        case .opportunities:
            [
                "opportunity", "opportunity_search", "opportunity_tag", "shift", "shift_reminder", "thing",
                "organization_total", "organization_year",
            ]
        case .helping: ["signup", "shift_wait", "promise", "contribution", "certificate"]
        case .absences: ["absence"]
        case .reviews: ["review", "follow"]
        case .needs: ["need", "need_search", "claim"]
        case .threads: ["thread", "thread_side"]
        case .favorites: ["saved_event", "saved_opportunity", "saved_search", "search_letter"]
        case .team: ["team_act", "colleague", "cohost"]
        }
    }

    /// Tables without personal data: settings, the map of the world, nodes, and counts that can't be attributed to
    /// anyone.
    static let impersonal: Set<String> = [
        "note", "town", "town_total", "month_total", "zip", "node", "lease", "job", "rate_count",
    ]
}
