import Database
import Templating

// MARK: Erasing

extension RetentionRule {
    /// Erases expired data; nil for kinds that only end by being removed.
    ///
    /// It may run twice or late: it depends only on the time, not on earlier runs.
    var erase: (@Sendable (Transaction) throws -> Int)? {
        switch self {
        case .addresses: { try EmailChange.eraseOld(in: $0) }
        case .sessions: { try Session.eraseOld(in: $0) + SentForm.eraseOld(in: $0) }
        case .links: { try Self.eraseLinks(in: $0) }
        case .names: { try Account.eraseFormerNames(in: $0) }
        case .strangers: { try WrittenAddress.eraseOld(in: $0) + SiteInvitation.forget(in: $0) }
        case .notes: { try CareNote.eraseOld(in: $0) }
        case .registrations:
            {
                try Self.eraseRegistrations(in: $0) + Companion.eraseOld(in: $0)
                    + YoungPerson.eraseOld(in: $0) + Comer.eraseOld(in: $0)
                    + Hold.eraseOld(in: $0)
            }
        case .wishes: { try Draw.eraseOld(in: $0) }
        case .replies: { try Reply.eraseOld(past: Memory.past, in: $0) }
        case .guests: { try Guest.eraseOld(in: $0) }
        case .notices: { try Notice.eraseOld(in: $0) }
        case .letters: { try Letter.eraseOld(in: $0) }
        case .undo: { try Undo.eraseOld(in: $0) }
        case .questions: { try Question.eraseOld(in: $0) }
        case .reports: { try Matter.eraseOld(in: $0) }
        case .decisions: { try Decision.eraseOld(in: $0) }
        case .matches:
            {
                try PetMatch.eraseOld(in: $0) + Message.eraseOld(in: $0)
                    + Owner.eraseOld(in: $0)
            }
        case .absences: { try Signup.eraseAbsences(in: $0) }
        case .threads: { try TalkThread.eraseOld(in: $0) }
        case .team: { try TeamAct.eraseOld(in: $0) + Cohost.eraseOld(in: $0) }
        case .favorites: { try Favorite.eraseOld(in: $0) }
        case .imports: { try ImportEntry.forget(before: $0.now - CalendarImport.memory, in: $0) }
        case .looks: { try $0.execute("DELETE FROM roster_view WHERE at < \($0.now - Memory.past)") }
        // The sweep of pictures needs both databases.
        case .pictures: nil
        case .account, .secondStep, .choices, .family, .children, .provider, .events, .drafts, .calendar, .staff,
            .person, .posts, .blocks, .deeds, .pets, .opportunities, .helping, .reviews, .needs:
            nil
        }
    }

    private static func eraseLinks(in tx: Transaction) throws -> Int {
        try OneTimeLink.eraseOld(in: tx) + Challenge.eraseOld(in: tx)
            + tx.execute("DELETE FROM setup_link WHERE ended IS NOT NULL AND created_at < \(tx.now - Memory.links)")
    }

    /// How many events are processed at a time; the rest follow an hour later.
    private static let eventsAtOnce = 500

    /// Erases the registrations for events that ended long ago, except those of families that keep them, and of all
    /// families what they were told of changes there. The attendance stays with the event.
    ///
    /// - Returns: The number erased.
    private static func eraseRegistrations(in tx: Transaction) throws -> Int {
        let since = try Note.value("registrations_erased", in: tx).flatMap { Int64($0) } ?? 0
        let reached: (Int, Instant?)? = try tx.first(
            """
            SELECT count(*), max(ends_at) FROM (
                SELECT ends_at FROM event WHERE ends_at > \(since) AND ends_at <= \(tx.now - Memory.past)
                ORDER BY ends_at LIMIT \(eventsAtOnce)) AS part
            """
        ) { (try $0.next(), try $0.next()) }
        guard let (_, until) = reached, let until else { return 0 }
        let events: SQL = "(SELECT id FROM event WHERE ends_at > \(since) AND ends_at <= \(until))"
        try Change.forgetFamilies(at: events, in: tx)
        let count = try eraseRegistrations(
            """
            event_id IN \(events)
                AND NOT EXISTS (
                    SELECT 1 FROM family WHERE family.account_id = registration.account_id AND family.keeps_past)
                AND NOT \(Reply.isKept)
            """, in: tx)
        try Note.set("registrations_erased", "\(until.milliseconds)", in: tx)
        return count
    }

    /// Erases what a family kept longer, when it no longer wants that.
    static func eraseKept(of account: ID<Account>, in tx: Transaction) throws {
        _ = try eraseRegistrations(
            """
            account_id = \(account)
                AND EXISTS (SELECT 1 FROM event WHERE event.id = event_id AND event.ends_at <= \(tx.now - Memory.past))
                AND NOT \(Reply.isKept)
            """, in: tx)
    }

    private static func eraseRegistrations(_ which: SQL, in db: Connection) throws -> Int {
        try Notice.erase("registration_id IN (SELECT id FROM registration WHERE \(which))", in: db)
        return try db.execute("DELETE FROM registration WHERE \(which)")
    }
}

extension Session {
    /// Erases expired pending log-ins of any account.
    static func eraseOld(in tx: Transaction) throws -> Int {
        try tx.execute("DELETE FROM session WHERE seen_at < \(tx.now - idle)")
            + tx.execute("DELETE FROM session WHERE seen_at < \(tx.now) AND created_at < \(tx.now - absolute)")
            + tx.execute("DELETE FROM pending_log_in WHERE ends_at < \(tx.now)")
    }
}

// MARK: Exporting

extension RetentionRule {
    /// A list in an export: its name, its fields, and its source.
    struct Export: Sendable {
        let name: String
        /// The names in the file, with their columns.
        let fields: KeyValuePairs<String, SQL>
        let source: SQL
        /// The fields that are lists.
        var lists: Set<String> = []
    }

    /// The data a member exports; not hashes, data that is gone in minutes, or data about others.
    func exports(of account: ID<Account>) -> [Export] {
        switch self {
        case .account:
            [
                Export(
                    name: "account",
                    fields: [
                        "email": "email", "username": "username", "joined": Self.time("created_at"),
                        "confirmed": Self.time("confirmed_at"),
                        "letters_refused": Self.time("refused_at"), "refusal": "refusal", "look": "look",
                        "is_neighbor": "is_neighbor", "text_size": "text_size",
                        "unit": "unit",
                        "distance": "distance", "language": "language", "time_zone": "zone",
                        "invited_by": """
                        (SELECT inviter.username FROM account AS inviter WHERE inviter.id = account.inviter_id)
                        """,
                        "waits_since": Self.time("waits_since"),
                    ], source: "account WHERE id = \(account)"),
                Export(
                    name: "log-in-elsewhere",
                    fields: [
                        "email": "email", "since": Self.time("at"), "issuer": "issuer", "called_there": "subject",
                        "first_log_in": Self.time("first_at"),
                    ], source: "outside_log_in WHERE account_id = \(account)"),
            ]
        case .addresses:
            [
                Export(
                    name: "addresses",
                    fields: ["before": "old_email", "then": "new_email", "at": Self.time("made_at")],
                    source: "email_change WHERE account_id = \(account) AND made_at IS NOT NULL")
            ]
        case .sessions:
            [
                Export(
                    name: "sent-forms", fields: ["form": "path", "at": Self.time("at")],
                    source: "sent_form WHERE account_id = \(account)"),
                Export(
                    name: "devices",
                    fields: [
                        "device": "device", "network": "network", "since": Self.time("created_at"),
                        "last_here": Self.time("seen_at"),
                    ],
                    source: "session WHERE account_id = \(account)"),
                Export(
                    name: "push-messages",
                    fields: ["device": "device", "since": Self.time("made_at"), "address": "endpoint"],
                    source: "push_subscription WHERE account_id = \(account)"),
            ]
        case .choices:
            [
                Export(
                    name: "choices", fields: ["kind": "kind", "channel": "channel", "wanted": "is_on"],
                    source: "notice_choice WHERE account_id = \(account)"),
                Export(
                    name: "reminder-of-kind-acts", fields: ["minute_of_day": "minute"],
                    source: "act_reminder WHERE account_id = \(account)"),
                Export(
                    name: "not-suggested",
                    fields: ["tag": "less.tag", "event": "event.title", "way_to_help": "opportunity.title"],
                    source: """
                        less LEFT JOIN event ON event.id = less.event_id
                        LEFT JOIN opportunity ON opportunity.id = less.opportunity_id
                        WHERE less.account_id = \(account)
                        """),
            ]
        case .family:
            [
                Export(
                    name: "family",
                    fields: [
                        "first_name": "first_name", "last_name": "last_name", "city": "city", "zip": "zip",
                        "country": "country", "phone": "phone", "number_of_children": "number_of_children",
                        "age_groups": "age_groups", "keeps_past": "keeps_past",
                        "shares_phone": "shares_phone",
                    ], source: "family WHERE account_id = \(account)"),
                Export(
                    name: "looking-after-children-together",
                    fields: [
                        "whose_list": "CASE WHEN head_id = \(account) THEN 'own' ELSE 'the other parent’s' END",
                        "since": Self.time("since"),
                    ], source: "guardian WHERE account_id = \(account) OR head_id = \(account)"),
            ]
        case .children:
            [
                Export(
                    name: "children",
                    fields: [
                        "nickname": "nickname", "birth_month": "birth_month", "birth_year": "birth_year",
                        "allergies": "allergies", "emergency_phone": "emergency_phone", "may_collect": "collectors",
                    ], source: "child WHERE family_id IN (SELECT id FROM family WHERE account_id = \(account))")
            ]
        case .notes:
            [
                Export(
                    name: "shared-notes",
                    fields: [
                        "event": "event.title", "child": "child.nickname", "allergies": "care_note.allergies",
                        "emergency_phone": "care_note.emergency_phone", "may_collect": "care_note.collectors",
                    ],
                    source: """
                        care_note JOIN registration_person ON registration_person.id = care_note.person_id
                        JOIN registration ON registration.id = registration_person.registration_id
                        JOIN event ON event.id = care_note.event_id
                        LEFT JOIN child ON child.id = registration_person.child_id
                        WHERE registration.account_id = \(account)
                        """)
            ]
        case .registrations:
            [
                Export(
                    name: "registrations",
                    fields: [
                        "event": "event.title", "day": "event.day", "city": "event.city", "child": "child.nickname",
                        "myself": "registration_person.is_self", "state": "registration.state",
                        "host_reads_first_name": "registration_person.shows_name",
                        "needs_help_with_fee": "registration.needs_help",
                        "registered": Self.time("registration.created_at"),
                        "given_back": Self.time("registration_person.cancelled_at"),
                        "arrived": Self.time("registration_person.arrived_at"),
                        "left": Self.time("registration_person.left_at"),
                    ],
                    source: """
                        registration JOIN event ON event.id = registration.event_id
                        JOIN registration_person ON registration_person.registration_id = registration.id
                        LEFT JOIN child ON child.id = registration_person.child_id
                        WHERE registration.account_id = \(account)
                        """),
                Export(
                    name: "waiting_for_activities",
                    fields: [
                        "event": "event.title", "activity": "activity.name", "child": "child.nickname",
                        "since": Self.time("activity_wait.created_at"),
                    ],
                    source: """
                        activity_wait JOIN activity ON activity.id = activity_wait.activity_id
                        JOIN event ON event.id = activity.event_id
                        LEFT JOIN child ON child.id = activity_wait.child_id
                        WHERE activity_wait.account_id = \(account)
                        """),
                Export(
                    name: "activities",
                    fields: [
                        "event": "event.title", "activity": "activity.name", "day": "activity.day",
                        "child": "child.nickname", "myself": "registration_person.is_self",
                        "arrived": Self.time("attendance.arrived_at"),
                    ],
                    source: """
                        registration
                        JOIN registration_person ON registration_person.registration_id = registration.id
                        JOIN attendance ON attendance.person_id = registration_person.id
                        JOIN activity ON activity.id = attendance.activity_id
                        JOIN event ON event.id = activity.event_id
                        LEFT JOIN child ON child.id = registration_person.child_id
                        WHERE registration.account_id = \(account)
                        """),
            ]
        case .replies:
            [
                Export(
                    name: "answers-to-hosts",
                    fields: [
                        "event": "event.title", "day": "event.day", "child": "child.nickname",
                        "for_each_child": "reply.is_each", "question": "reply.text", "answer": "reply.answer",
                        "answered_by": "account.username", "at": Self.time("reply.at"),
                        "taken_back": Self.time("reply.taken_back_at"), "erased": Self.time("reply.erase_at"),
                    ],
                    source: """
                        registration
                        JOIN registration_person ON registration_person.registration_id = registration.id
                        JOIN reply ON reply.person_id = registration_person.id
                        JOIN event ON event.id = reply.event_id
                        LEFT JOIN child ON child.id = registration_person.child_id
                        LEFT JOIN account ON account.id = reply.giver_id
                        WHERE registration.account_id = \(account)
                        """)
            ]
        case .guests:
            [
                Export(
                    name: "people-added-to-lists",
                    fields: [
                        "event": "event.title", "day": "event.day", "name": "guest.name", "age": "guest.age",
                        "phone": "guest.phone", "code": "guest.code",
                        "not_told_since": Self.time("guest.untold_since"),
                    ],
                    source: """
                        guest JOIN registration ON registration.id = guest.registration_id
                        JOIN event ON event.id = registration.event_id
                        WHERE event.account_id = \(account)
                        """),
                Export(
                    name: "people-added-to-shifts",
                    fields: [
                        "what": "opportunity.title", "day": "shift.day", "name": "guest.name", "phone": "guest.phone",
                        "code": "guest.code", "not_told_since": Self.time("guest.untold_since"),
                        "missed": Self.time("guest.missed_at"), "confirmed": "contribution.confirmed",
                        "in_minute": "contribution.in_minute", "out_minute": "contribution.out_minute",
                    ],
                    source: """
                        guest JOIN shift ON shift.id = guest.shift_id
                        JOIN opportunity ON opportunity.id = shift.opportunity_id
                        LEFT JOIN contribution ON contribution.guest_id = guest.id
                        WHERE opportunity.account_id = \(account)
                        """),
            ]
        case .provider:
            [
                Export(
                    name: "provider",
                    fields: [
                        "first_name": "first_name", "last_name": "last_name", "organization": "organization",
                        "designation": "designation", "street": "street", "city": "city", "state": "state",
                        "zip": "zip", "country": "country", "phone": "phone", "email": "email", "website": "website",
                        "scope": "scope", "mission": "mission", "kind": "kind", "asks": "asks", "plan": "plan",
                        "verified": Self.time("verified_at"),
                        "verified_until": Self.time("verified_until"), "verified_by_checking": "verified_by_checking",
                    ], source: "provider WHERE account_id = \(account)")
            ]
        case .events:
            [
                Export(
                    name: "events",
                    fields: [
                        "title": "title", "synopsis": "synopsis", "description": "description",
                        "language": "language", "other_language": "other_language", "other_title": "other_title",
                        "other_synopsis": "other_synopsis", "other_description": "other_description", "day": "day",
                        "starts": Self.time("starts_at"),
                        "ends": Self.time("ends_at"), "zone": "zone", "audience": "audience", "place": "place_name",
                        "street": "street", "city": "city",
                        "state": "state", "zip": "zip", "country": "country", "online_url": "online_url",
                        "spots": "spots", "taken": "taken", "age_from": "age_from", "age_to": "age_to",
                        "price_in_minor_units": "price", "currency": "currency", "tags": "tags", "bring": "bring",
                        "safety": "safety", "registration_opens": Self.time("opens_at"),
                        "registration_closes": Self.time("closes_at"), "first_zips": "first_zips",
                        "first_until": Self.time("first_until"), "cancelled": Self.time("cancelled_at"),
                        "reason": "cancel_reason",
                        "published": Self.time("created_at"),
                    ], source: "event WHERE account_id = \(account)"),
                Export(
                    name: "programs",
                    fields: [
                        "event": "event.title", "activity": "activity.name", "info": "activity.info",
                        "place": "activity.place", "latitude": "activity.latitude", "longitude": "activity.longitude",
                        "starts": Self.time("activity.starts_at"),
                        "ends": Self.time("activity.ends_at"), "spots": "activity.spots", "taken": "activity.taken",
                        "age_from": "activity.age_from", "age_to": "activity.age_to",
                        "called_off": Self.time("activity.cancelled_at"),
                    ],
                    source: "activity JOIN event ON event.id = activity.event_id WHERE event.account_id = \(account)"),
                Export(
                    name: "questions-to-families",
                    fields: [
                        "event": "event.title", "kind": "ask.kind", "question": "ask.text", "options": "ask.options",
                        "why": "ask.why", "for_each_child": "ask.is_each", "required": "ask.is_required",
                        "days_kept": "ask.days",
                    ],
                    source: "event JOIN ask ON ask.event_id = event.id WHERE event.account_id = \(account)"),
                Export(
                    name: "messages",
                    fields: [
                        "event": "event.title", "subject": "announcement.subject", "body": "announcement.body",
                        "at": Self.time("announcement.at"),
                    ],
                    source: """
                        announcement JOIN event ON event.id = announcement.event_id WHERE event.account_id = \(account)
                        """),
                Export(
                    name: "answers",
                    fields: [
                        "event": "event.title", "question": "question.text", "answer": "question.answer",
                        "at": Self.time("question.answered_at"),
                    ],
                    source: """
                        question JOIN event ON event.id = question.event_id
                        WHERE event.account_id = \(account) AND question.answer <> ''
                        """),
            ]
        case .drafts:
            [
                Export(
                    name: "drafts",
                    fields: ["kind": "kind", "title": "title", "form": "form", "changed": Self.time("updated_at")],
                    source: "draft WHERE account_id = \(account)")
            ]
        case .imports:
            [
                Export(
                    name: "calendars",
                    fields: [
                        "name": "name", "address": "address", "settings": "settings", "read": Self.time("read_at"),
                        "added": Self.time("created_at"),
                    ],
                    source: "calendar_import WHERE account_id = \(account)"),
                Export(
                    name: "calendar-entries",
                    fields: ["calendar": "calendar_import.name", "event": "import_entry.event_id", "entry": "says"],
                    source: """
                        import_entry JOIN calendar_import ON calendar_import.id = import_entry.import_id
                        WHERE calendar_import.account_id = \(account)
                        """),
            ]
        case .pictures:
            [
                Export(
                    name: "pictures",
                    fields: ["file": "hash || '.webp'", "shows": "alt", "sent": Self.time("created_at")],
                    source: "picture WHERE account_id = \(account)")
            ]
        case .notices:
            [
                Export(
                    name: "inbox",
                    fields: [
                        "kind": "kind", "event": "event.title", "at": Self.time("notice.at"),
                        "read": Self.time("notice.read_at"),
                    ],
                    source: """
                        notice LEFT JOIN event ON event.id = notice.event_id WHERE notice.account_id = \(account)
                        """)
            ]
        case .links:
            [
                Export(
                    name: "invitations", fields: ["for": "detail", "until": Self.time("expires_at")],
                    source: """
                        one_time_link WHERE account_id = \(account) AND kind = \(OneTimeLink.Kind.invitation)
                        AND ended IS NULL
                        """),
                Export(
                    name: "asked-of-friends",
                    fields: [
                        "act": "act", "message": "message", "at": Self.time("made_at"),
                        "until": Self.time("expires_at"), "taken_up": "taker_id IS NOT NULL",
                        "taken_up_at": Self.time("taken_at"), "done": "deed_id IS NOT NULL",
                    ], source: "challenge WHERE account_id = \(account)"),
                Export(
                    name: "asked-by-friends",
                    fields: [
                        "act": "act", "message": "message", "at": Self.time("made_at"),
                        "taken_up_at": Self.time("taken_at"),
                    ],
                    source: "challenge WHERE taker_id = \(account)"),
            ]
        case .letters:
            [
                Export(
                    name: "letters",
                    fields: [
                        "kind": "kind", "to": "address", "state": "state", "written": Self.time("created_at"),
                        "done": Self.time("done_at"),
                        // A letter to a new address would reveal that nobody here has it.
                    ], source: "letter WHERE account_id = \(account) AND kind <> \(NoticeKind.address)")
            ]
        case .staff:
            [
                Export(
                    name: "acts-of-staff", fields: ["act": "verb", "reason": "reason", "at": Self.time("at")],
                    source: """
                        staff_act WHERE subject_id = \(account.rawValue) AND verb IN \(list: AuditEntry.Verb.onAccounts)
                        """)
            ]
        case .questions:
            [
                Export(
                    name: "questions",
                    fields: ["question": "text", "answer": "answer", "asked": Self.time("asked_at")],
                    source: "question WHERE account_id = \(account)")
            ]
        case .looks:
            [
                Export(
                    name: "looks-at-notes",
                    fields: ["event": "event.title", "kind": "roster_view.kind", "at": Self.time("roster_view.at")],
                    source: """
                        roster_view JOIN event ON event.id = roster_view.event_id
                        WHERE roster_view.account_id = \(account)
                        """)
            ]
        case .person:
            [
                Export(
                    name: "person",
                    fields: [
                        "name": "name", "about": "about", "town": "town", "open_to_everybody": "is_open",
                        "found_by_name": "is_found", "shows_of_kind_acts": "shows",
                        "picture":
                            "(SELECT picture.hash || '.webp' FROM picture WHERE picture.id = person.picture_id)",
                        "shows_picture": "shows_picture",
                    ],
                    source: "person WHERE account_id = \(account)")
            ]
        case .posts:
            [
                Export(
                    name: "posts",
                    fields: [
                        "text": "text", "kind": "kind", "audience": "audience", "likes": "likes", "event": "event_id",
                        "photos": """
                        (SELECT \(joined: "picture.hash || '.webp'", by: "' '") FROM post_picture
                            JOIN picture ON picture.id = post_picture.picture_id WHERE post_picture.post_id = post.id)
                        """,
                        "at": Self.time("created_at"),
                    ], source: "post WHERE account_id = \(account)", lists: ["photos"]),
                Export(
                    name: "comments", fields: ["post": "post_id", "text": "text", "at": Self.time("created_at")],
                    source: "comment WHERE account_id = \(account)"),
                Export(
                    name: "likes", fields: ["post": "post_id", "at": Self.time("at")],
                    source: "reaction WHERE account_id = \(account)"),
            ]
        case .blocks:
            [
                Export(
                    name: "blocked", fields: ["username": "account.username", "since": Self.time("block.at")],
                    source: "block JOIN account ON account.id = block.blocked_id WHERE block.account_id = \(account)")
            ]
        case .deeds:
            [
                Export(
                    name: "acts-of-my-own",
                    fields: [
                        "name": "name", "description": "description", "theme": "theme", "difficulty": "difficulty",
                        "at": Self.time("created_at"), "proposed_for_everybody": Self.time("proposed_at"),
                    ], source: "own_act WHERE account_id = \(account)"),
                Export(
                    name: "acts-chosen", fields: ["act": "act", "at": Self.time("at")],
                    source: "my_act WHERE account_id = \(account)"),
                Export(
                    name: "deeds",
                    fields: [
                        "act": "act", "theme": "theme", "day": "day", "points": "points", "note": "note",
                        "with_children": "has_children", "at": Self.time("done_at"),
                    ], source: "deed WHERE account_id = \(account)"),
                Export(
                    name: "badges", fields: ["badge": "kind", "day": "day"],
                    source: "badge WHERE account_id = \(account)"),
                Export(
                    name: "pauses", fields: ["first": "first", "last": "last"],
                    source: "pause WHERE account_id = \(account)"),
                Export(
                    name: "family-streak", fields: ["since": "since"],
                    source: "family_streak WHERE account_id = \(account)"),
                Export(
                    name: "standing",
                    fields: [
                        "points": "points", "acts": "acts", "with_children": "with_children",
                        "needs_met": "needs", "friends": "friends", "streak": "streak_length",
                        "record": "streak_record",
                    ], source: "standing WHERE account_id = \(account)"),
            ]
        case .opportunities:
            [
                Export(
                    name: "ways-to-help",
                    fields: [
                        "kind": "kind", "title": "title", "description": "description", "language": "language",
                        "conditions": "conditions", "link": "url", "street": "street", "city": "city", "zip": "zip",
                        "tags": "tags", "at": Self.time("created_at"), "closed_because": "close_reason", "id": "id",
                    ], source: "opportunity WHERE account_id = \(account)"),
                Export(
                    name: "shifts",
                    fields: [
                        "listing": "shift.opportunity_id", "begins": Self.time("shift.starts_at"),
                        "ends": Self.time("shift.ends_at"), "places": "shift.spots",
                        "called_off": Self.time("shift.removed_at"),
                    ],
                    source: """
                        opportunity JOIN shift ON shift.opportunity_id = opportunity.id
                        WHERE opportunity.account_id = \(account)
                        """),
                Export(
                    name: "messages-to-those-who-help",
                    fields: [
                        "listing": "announcement.opportunity_id", "subject": "announcement.subject",
                        "body": "announcement.body", "at": Self.time("announcement.at"),
                    ],
                    source: """
                        opportunity JOIN announcement ON announcement.opportunity_id = opportunity.id
                        WHERE opportunity.account_id = \(account)
                        """),
                Export(
                    name: "things-wanted",
                    fields: [
                        "listing": "thing.opportunity_id", "name": "thing.name", "wanted": "thing.wanted",
                        "promised": "thing.promised",
                    ],
                    source: """
                        opportunity JOIN thing ON thing.opportunity_id = opportunity.id
                        WHERE opportunity.account_id = \(account) AND thing.removed_at IS NULL
                        """),
            ]
        case .helping:
            [
                Export(
                    name: "sign-ups",
                    fields: [
                        "listing": "signup.opportunity_id", "title": "opportunity.title",
                        "organization": Self.organization, "shift": "signup.shift_id",
                        "begins": Self.time("shift.starts_at"), "ends": Self.time("shift.ends_at"),
                        "state": "signup.state", "message": "signup.message", "at": Self.time("signup.created_at"),
                        "children": """
                        (SELECT \(joined: "child.nickname", by: "', '") FROM companion
                            JOIN child ON child.id = companion.child_id WHERE companion.signup_id = signup.id)
                        """,
                        "young_people": """
                        (SELECT count(*) FROM young_person
                            WHERE young_person.signup_id = signup.id AND young_person.ended_at IS NULL)
                        """,
                    ],
                    source: """
                        signup JOIN opportunity ON opportunity.id = signup.opportunity_id
                        LEFT JOIN shift ON shift.id = signup.shift_id WHERE signup.account_id = \(account)
                        """),
                Export(
                    name: "waiting-for-shifts",
                    fields: [
                        "title": "opportunity.title", "organization": Self.organization, "shift": "shift.id",
                        "begins": Self.time("shift.starts_at"), "ends": Self.time("shift.ends_at"),
                        "message": "shift_wait.message", "since": Self.time("shift_wait.created_at"),
                    ],
                    source: """
                        shift_wait JOIN shift ON shift.id = shift_wait.shift_id
                        JOIN opportunity ON opportunity.id = shift.opportunity_id
                        WHERE shift_wait.account_id = \(account)
                        """),
                Export(
                    name: "promises",
                    fields: [
                        "listing": "promise.opportunity_id", "title": "opportunity.title",
                        "organization": Self.organization, "thing": "thing.name", "count": "promise.count",
                        "state": "promise.state", "holds_until": Self.time("promise.ends_at"),
                        "at": Self.time("promise.created_at"),
                    ],
                    source: """
                        promise JOIN opportunity ON opportunity.id = promise.opportunity_id
                        JOIN thing ON thing.id = promise.thing_id WHERE promise.account_id = \(account)
                        """),
                Export(
                    name: "contributions",
                    fields: [
                        "kind": "kind", "organization": "host_name", "what": "title", "day": "day",
                        "minutes": "minutes", "confirmed": "confirmed", "amount": "amount", "currency": "currency",
                        "count": "count", "in_minute": "in_minute", "out_minute": "out_minute",
                        "confirmed_by": "CASE WHEN confirmed IS NOT NULL THEN \(HoursSheet.Line.whoConfirmed) END",
                    ], source: "contribution WHERE account_id = \(account)"),
                Export(
                    name: "certificates",
                    fields: [
                        "code": "code", "name": "name", "year": "year", "minutes": "minutes",
                        "says": "replace(replace(lines, \("\u{1F}"), ', '), \("\u{1E}"), '; ')",
                        "made": Self.time("made_at"), "withdrawn": Self.time("withdrawn_at"),
                    ],
                    source: "certificate WHERE account_id = \(account)"),
            ]
        case .needs:
            [
                Export(
                    name: "needs",
                    fields: [
                        "title": "title", "description": "description", "kind": "kind", "wanted": "wanted",
                        "promised": "promised", "brought": "brought", "until": "until", "at_home": "is_home",
                        "place": "place_name", "street": "street", "city": "city", "zip": "zip",
                        "all_year": "is_lasting",
                        "photo": "(SELECT picture.hash || '.webp' FROM picture WHERE picture.id = need.picture_id)",
                        "asked": Self.time("created_at"), "closed": Self.time("closed_at"),
                    ], source: "need WHERE account_id = \(account)"),
                Export(
                    name: "promises-to-neighbors",
                    fields: [
                        "need": "need.title", "count": "claim.count", "message": "claim.message",
                        "state": "claim.state", "at": Self.time("claim.made_at"),
                    ], source: "claim JOIN need ON need.id = claim.need_id WHERE claim.account_id = \(account)"),
            ]
        case .team:
            [
                Export(
                    name: "organization",
                    fields: [
                        "organization": "provider.organization", "what_i_do": "colleague.duty",
                        "since": Self.time("colleague.since"),
                    ],
                    source: """
                        colleague JOIN provider ON provider.account_id = colleague.host_id
                        WHERE colleague.account_id = \(account)
                        """),
                Export(
                    name: "events-hosted-together",
                    fields: [
                        "event": "event.title", "day": "event.day", "state": "cohost.state",
                        "at": Self.time("cohost.at"),
                    ],
                    source: """
                        cohost JOIN event ON event.id = cohost.event_id WHERE cohost.account_id = \(account)
                        """),
                Export(
                    name: "asked-to-host-with-me",
                    fields: ["event": "event.title", "who": "cohost.typed", "at": Self.time("cohost.at")],
                    source: """
                        event JOIN cohost ON cohost.event_id = event.id AND cohost.typed <> ''
                        WHERE event.account_id = \(account)
                        """),
                Export(
                    name: "done-for-an-organization",
                    fields: ["what": "verb", "title": "title", "at": Self.time("at")],
                    source: "team_act WHERE account_id = \(account)"),
            ]
        case .reviews:
            [
                Export(
                    name: "reviews",
                    fields: [
                        "organization": "host_id", "stars": "stars", "comment": "comment",
                        "at": Self.time("created_at"),
                    ], source: "review WHERE account_id = \(account)"),
                Export(
                    name: "following",
                    fields: ["username": "account.username", "since": Self.time("follow.at")],
                    source: "follow JOIN account ON account.id = follow.host_id WHERE follow.account_id = \(account)"),
            ]
        case .wishes:
            [
                Export(
                    name: "wishes-in-draws",
                    fields: [
                        "draw": "draw.title", "code": "wish_sheet.code", "child": "child.nickname",
                        "rank": "wish.rank", "event": "event.title", "together": "wish_sheet.together",
                    ],
                    source: """
                        wish_sheet JOIN draw ON draw.id = wish_sheet.draw_id JOIN wish ON wish.sheet_id = wish_sheet.id
                        JOIN child ON child.id = wish.child_id JOIN event ON event.id = wish.event_id
                        WHERE wish_sheet.account_id = \(account)
                        """),
                Export(
                    name: "draws-of-places",
                    fields: ["title": "title", "wishes_until": "last_day", "made": Self.time("created_at")],
                    source: "draw WHERE account_id = \(account)"),
            ]
        case .favorites:
            [
                Export(
                    name: "saved-events",
                    fields: [
                        "event": "event.title", "day": "event.day", "city": "event.city",
                        "saved": Self.time("saved_event.at"),
                    ],
                    source: """
                        saved_event JOIN event ON event.id = saved_event.event_id
                        WHERE saved_event.account_id = \(account)
                        """),
                Export(
                    name: "saved-ways-to-help",
                    fields: [
                        "title": "opportunity.title", "organization": Self.organization,
                        "saved": Self.time("saved_opportunity.at"),
                    ],
                    source: """
                        saved_opportunity JOIN opportunity ON opportunity.id = saved_opportunity.opportunity_id
                        WHERE saved_opportunity.account_id = \(account)
                        """),
                Export(
                    name: "saved-searches", fields: ["filters": "query", "saved": Self.time("at")],
                    source: "saved_search WHERE account_id = \(account)"),
                Export(
                    name: "letter-about-saved-searches",
                    fields: ["told_until": Self.time("since"), "next": Self.time("due_at")],
                    source: "search_letter WHERE account_id = \(account)"),
            ]
        case .reports:
            [
                Export(
                    name: "reports",
                    fields: ["about": "subject", "reason": "ground", "note": "note", "at": Self.time("at")],
                    source: "report WHERE account_id = \(account)")
            ]
        case .decisions:
            [
                Export(
                    name: "decisions",
                    fields: [
                        "about": "subject", "act": "act", "reason": "ground", "words": "reason",
                        "at": Self.time("at"), "answer": "answer", "reply": "reply",
                    ], source: "decision WHERE author_id = \(account)")
            ]
        case .pets:
            [
                Export(
                    name: "owner",
                    fields: [
                        "name": "name", "birth_year": "birth_year", "city": "city", "zip": "zip",
                        "country": "country", "area": "cell", "phone": "phone", "email": "email", "other": "other",
                        "shows_reads": "shows_reads",
                    ], source: "owner WHERE account_id = \(account)"),
                Export(
                    name: "former-owner",
                    fields: ["moved": Self.time("moved_at"), "hellos": "hellos", "at": Self.time("at")],
                    source: "former_owner WHERE account_id = \(account)"),
                Export(
                    name: "pets",
                    fields: [
                        "name": "name", "type": "type", "word": "word", "sex": "sex",
                        "birth_year": "born / 12", "birth_month": "born % 12 + 1", "knows_month": "knows_month",
                        "size": "size", "energy": "energy", "neutered": "neutered", "vaccinated": "vaccinated",
                        "good_with_children": "children", "good_with_dogs": "dogs", "good_with_cats": "cats",
                        "bio": "bio", "wants_age_from": "wants_age_from", "wants_age_to": "wants_age_to",
                        "within": "within", "paused": "is_paused",
                        "hellos": """
                        (SELECT count(*) FROM hello WHERE hello.pet_id = pet.id AND hello.is_yes)
                        """,
                        "pictures": """
                        (SELECT \(joined: "picture.hash || '.webp'", by: "' '") FROM pet_picture
                            JOIN picture ON picture.id = pet_picture.picture_id WHERE pet_picture.pet_id = pet.id)
                        """,
                    ], source: "pet WHERE account_id = \(account)", lists: ["pictures"]),
            ]
        case .matches:
            [
                Export(
                    name: "matches",
                    fields: ["pet": "pet.name", "last_word": Self.time("match_side.last_at")],
                    source: """
                        match_side JOIN pet ON pet.id = match_side.pet_id WHERE match_side.account_id = \(account)
                        """),
                Export(
                    name: "former-matches", fields: ["pet": "pet.name", "at": Self.time("former_match.at")],
                    source: """
                        former_match JOIN pet ON pet.id = former_match.pet_id
                        WHERE former_match.account_id = \(account)
                        """),
                Export(
                    name: "pet-messages", fields: ["match": "match_id", "text": "text", "at": Self.time("at")],
                    source: "message WHERE account_id = \(account) AND match_id IS NOT NULL"),
                Export(
                    name: "meetings",
                    fields: [
                        "match": "match_id", "place": "place", "state": "state", "at": Self.time("starts_at"),
                        "reason": "reason", "again": "again",
                    ], source: "meeting WHERE account_id = \(account)"),
            ]
        case .absences:
            [
                Export(
                    name: "shifts-missed",
                    fields: [
                        "title": "opportunity.title", "organization": Self.organization,
                        "noted": Self.time("absence.at"),
                    ],
                    source: """
                        signup JOIN absence ON absence.signup_id = signup.id
                        JOIN opportunity ON opportunity.id = signup.opportunity_id WHERE signup.account_id = \(account)
                        """)
            ]
        case .threads:
            [
                Export(
                    name: "messages",
                    fields: [
                        "about": "coalesce(need.title, opportunity.title, event.title)", "text": "message.text",
                        "at": Self.time("message.at"),
                    ],
                    source: """
                        message JOIN thread ON thread.id = message.thread_id
                        LEFT JOIN claim ON claim.id = thread.claim_id LEFT JOIN need ON need.id = claim.need_id
                        LEFT JOIN opportunity ON opportunity.id = thread.opportunity_id
                        LEFT JOIN question ON question.id = thread.question_id
                        LEFT JOIN event ON event.id = question.event_id
                        WHERE message.account_id = \(account)
                        """)
            ]
        case .secondStep, .calendar, .undo, .strangers, .names: []
        }
    }

    /// The name of an `opportunity`'s organization.
    private static var organization: SQL {
        "(SELECT provider.organization FROM provider WHERE provider.account_id = opportunity.account_id)"
    }

    /// A time in RFC 3339 format.
    private static func time(_ column: SQL) -> SQL { "\(timestamp: column)" }
}

extension RetentionRule.Export {
    /// The entries, each as a JSON object.
    func entries(in db: Connection) throws -> [String] {
        let columns = fields.map(\.value).joined(separator: ", ")
        return try db.all("SELECT \(columns) FROM \(source) LIMIT 100000") { row in
            JSON.object(try fields.map { ($0.key, JSON(try row.value(), isList: lists.contains($0.key))) }).text
        }
    }
}

extension JSON {
    /// A column's value of any type.
    ///
    /// - Parameter isList: Whether it is a text of several items separated by spaces.
    fileprivate init(_ value: SQL.Value, isList: Bool) {
        self =
            switch value {
            case .null where isList: .array([])
            case .text(let text) where isList: .array(text.split(separator: " ").map { .string(String($0)) })
            case .null: .null
            case .integer(let number): .integer(Int(number))
            case .boolean(let isTrue): .integer(isTrue ? 1 : 0)
            case .real(let number): .number(number)
            case .text(let text): .string(text)
            case .blob: .null
            }
    }
}
