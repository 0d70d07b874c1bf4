import Database

/// A table whose rows are exported.
///
/// One list contains all of them with every exported column. A test finds tables and columns that are neither exported
/// nor listed as staying.
struct TownTable: Sendable {
    let name: StaticString
    /// The name of its files.
    let file: String
    /// A description for readers of the files.
    let says: String
    let columns: [Column]
    /// The condition for public rows.
    var only: SQL = ""
    /// The condition for rows that are exported if addresses aren't: without an address, a member can't claim a row
    /// about themselves.
    var onlyNamed: SQL = ""
    /// Its key, by which the rows are sorted: exported columns.
    var order: [StaticString] = ["id"]
    /// The column that refers to another row of the same table, which must come first.
    var within: String?
    /// The columns that aren't exported: derived or private data.
    var left: [StaticString] = []

    init(
        _ name: StaticString, file: String, says: String, columns: [Column], only: SQL = "", onlyNamed: SQL = "",
        order: [StaticString] = ["id"], within: String? = nil, left: [StaticString] = []
    ) {
        (self.name, self.file, self.says, self.columns) = (name, file, says, columns)
        (self.only, self.onlyNamed, self.order, self.within, self.left) = (only, onlyNamed, order, within, left)
    }

    /// Whether its rows are exported without their author, because no page shows it.
    var hidesAuthor: Bool { columns.contains { $0.isAuthor && $0.isFilled } }

    /// The columns in the files.
    var written: [Column] { columns.filter { !$0.isFilled } }

    struct Column: Sendable {
        let name: StaticString
        let kind: Kind
        var isOptional = false
        /// The expression exported in its place, if the column itself isn't public.
        var source: SQL?
        /// Whether it isn't in the files, and is filled in on import.
        var isFilled = false

        var isAuthor: Bool { name.description == "account_id" }

        enum Kind: Sendable {
            /// The row's own ID.
            case key
            case integer, real, text, flag
            /// A whole number that only sorts rows, and may be larger than any count.
            case rank
            /// A time, in milliseconds since 1970.
            case moment
            /// The address of a page.
            case url
            /// A member's e-mail address, which is only exported on request.
            case address
        }

        enum Need { case required, optional }

        private static func make(_ name: StaticString, _ kind: Kind, _ need: Need, _ source: SQL?) -> Column {
            Column(name: name, kind: kind, isOptional: need == .optional, source: source)
        }

        static func key(_ name: StaticString) -> Column { Column(name: name, kind: .key) }
        static func address(_ name: StaticString) -> Column { Column(name: name, kind: .address, isOptional: true) }
        static func filled(_ name: StaticString) -> Column { Column(name: name, kind: .text, isFilled: true) }

        static func integer(_ name: StaticString, _ need: Need = .required, as source: SQL? = nil) -> Column {
            make(name, .integer, need, source)
        }

        static func rank(_ name: StaticString) -> Column { Column(name: name, kind: .rank, isOptional: true) }

        static func real(_ name: StaticString, _ need: Need = .required) -> Column { make(name, .real, need, nil) }

        static func text(_ name: StaticString, _ need: Need = .required, as source: SQL? = nil) -> Column {
            make(name, .text, need, source)
        }

        static func flag(_ name: StaticString) -> Column { make(name, .flag, .required, nil) }

        static func moment(_ name: StaticString, _ need: Need = .required) -> Column {
            make(name, .moment, need, nil)
        }

        static func url(_ name: StaticString, _ need: Need = .required) -> Column { make(name, .url, need, nil) }
    }
}

// MARK: - Conditions

extension TownTable {
    /// A condition on `account`: neither suspended nor waiting to be let in.
    private static let isHere: SQL = "account.suspended_at IS NULL AND account.waits_since IS NULL"

    /// A condition: the account in this column is active in that sense.
    private static func here(_ account: SQL) -> SQL { "\(account) IN (SELECT account.id FROM account WHERE \(isHere))" }

    /// A condition on posted content: it isn't hidden, and its author is active.
    private static let isShown: SQL = "hidden_at IS NULL AND \(here("account_id"))"
    private static let ofEvent: SQL = "event_id IN (SELECT event.id FROM event WHERE \(isShown))"
    private static let ofOpportunity: SQL = """
        opportunity_id IN (SELECT opportunity.id FROM opportunity WHERE \(isShown))
        """
    private static let isShownNeed: SQL = """
        hidden_at IS NULL AND account_id IN (SELECT account.id FROM account WHERE \(isHere) AND account.left_at IS NULL)
        """
    private static let isShownPost: SQL = "audience = 'everyone' AND hidden_at IS NULL AND \(here("account_id"))"
    private static let ofPost: SQL = "post_id IN (SELECT post.id FROM post WHERE \(isShownPost))"
    /// The condition for posts, without those whose photos show children: consent was given for this site only.
    private static let ofPostWithoutChildren: SQL = """
        post_id IN (SELECT post.id FROM post WHERE NOT shows_children AND \(isShownPost))
        """
    private static let isShownProvider: SQL = """
        \(here("account_id")) AND NOT EXISTS (SELECT 1 FROM person
            WHERE person.account_id = provider.account_id AND person.hidden_at IS NOT NULL)
        """
    private static let isShownPicture: SQL = """
        \(here("account_id")) AND id IN (
            SELECT picture_id FROM event WHERE \(isShown)
            UNION ALL SELECT picture_id FROM provider WHERE \(isShownProvider)
            UNION ALL SELECT picture_id FROM person
                WHERE is_open AND shows_picture AND hidden_at IS NULL AND \(here("account_id"))
            UNION ALL SELECT picture_id FROM need WHERE \(isShownNeed)
            UNION ALL SELECT picture_id FROM post_picture WHERE \(ofPostWithoutChildren))
        """
    /// A condition: another exported row refers to the account in this column.
    private static func isNamed(_ account: SQL) -> SQL {
        """
        \(account) IN (SELECT account_id FROM picture WHERE \(isShownPicture)
            UNION ALL SELECT account_id FROM person WHERE is_open AND hidden_at IS NULL
            UNION ALL SELECT account_id FROM provider WHERE \(isShownProvider)
            UNION ALL SELECT account_id FROM event WHERE \(isShown)
            UNION ALL SELECT account_id FROM draw
            UNION ALL SELECT account_id FROM opportunity WHERE \(isShown)
            UNION ALL SELECT account_id FROM need WHERE \(isShownNeed)
            UNION ALL SELECT account_id FROM post WHERE \(isShownPost)
            UNION ALL SELECT account_id FROM comment WHERE hidden_at IS NULL AND \(ofPost)
            UNION ALL SELECT account_id FROM reaction WHERE \(ofPost)
            UNION ALL SELECT account_id FROM review WHERE hidden_at IS NULL AND \(here("host_id"))
            UNION ALL SELECT host_id FROM review WHERE hidden_at IS NULL AND \(here("account_id"))
            UNION ALL SELECT account_id FROM organization_total UNION ALL SELECT account_id FROM organization_year)
        """
    }

    private static let isUsedPoint: SQL = """
        id IN (SELECT point_id FROM event WHERE \(isShown)
            UNION ALL SELECT point_id FROM opportunity WHERE \(isShown)
            UNION ALL SELECT point_id FROM need WHERE \(isShownNeed))
        """
    private static let isUsedTag: SQL = """
        merged_into IS NOT NULL OR name IN (SELECT event_tag.tag FROM event_tag WHERE \(ofEvent)
            UNION ALL SELECT opportunity_tag.tag FROM opportunity_tag WHERE \(ofOpportunity))
        """

    /// A reference to an event that may not be exported.
    private static let event: SQL = "CASE WHEN \(ofEvent) THEN event_id END"
    private static let series: SQL = """
        CASE WHEN series_id IN (SELECT first.id FROM event AS first
            WHERE first.hidden_at IS NULL AND \(here("first.account_id"))) THEN series_id END
        """
    private static let picture: SQL = """
        CASE WHEN picture_id IN (SELECT picture.id FROM picture WHERE \(here("picture.account_id"))) THEN picture_id END
        """
    private static let faceOfPerson: SQL = "CASE WHEN is_open AND shows_picture THEN picture_id END"

    /// The settings that are exported; keys and internal notes stay.
    static let settings: Set<String> = [
        "site_off", "site_closed", "site_banner", "site_banner_id", "site_banner_until", "prices",
    ]

    /// Whether a note with this name is such a setting.
    static func isSetting(_ name: String) -> Bool { settings.contains(name) || name.hasPrefix("town_") }

    private static let isSetting: SQL = """
        name IN \(list: settings.sorted()) OR name >= 'town_' AND name < 'town`'
        """
}

// MARK: - The list

extension TownTable {
    /// In order: a table comes after those it refers to.
    static let all: [TownTable] = people + events + helping + talk + totals

    /// Members and organizations, and locations.
    private static let people: [TownTable] = [
        TownTable(
            "account", file: "members",
            says: """
                The members whom another file names, by their user names; their addresses only where the export was \
                asked for them.
                """,
            columns: [
                .key("id"), .address("email"), .text("username"), .filled("password"), .moment("created_at"),
                .moment("updated_at"), .moment("left_at", .optional),
            ],
            only: isHere,
            onlyNamed: isNamed("account.id"),
            left: [
                "is_staff", "last_hat", "is_neighbor", "suspended_at", "confirmed_at", "unread", "two_step_by",
                "look", "text_size", "unit", "distance", "language", "limited_until", "waits_since", "inviter_id",
                "branch_id", "is_admin", "zone", "refused_at", "refusal", "came_back",
            ]),
        TownTable(
            "picture", file: "pictures",
            says: "The pictures that the other files name; `hash` names the files in `pictures`.",
            columns: [
                .key("id"), .integer("account_id"), .text("hash"), .text("alt"), .integer("width"),
                .integer("height"), .integer("focus"), .moment("created_at"),
            ],
            only: isShownPicture),
        TownTable(
            "person", file: "profiles",
            says: "What members call themselves, and what their pages say where these are open to everybody.",
            columns: [
                .key("id"), .integer("account_id"), .text("name"),
                .text("about", as: "CASE WHEN is_open THEN about ELSE '' END"),
                .text("town", as: "CASE WHEN is_open THEN town ELSE '' END"), .flag("is_open"), .moment("updated_at"),
                .flag("is_found"), .integer("shows"), .integer("picture_id", .optional, as: faceOfPerson),
                .flag("shows_picture"),
            ],
            only: "\(here("account_id")) AND hidden_at IS NULL",
            onlyNamed: isNamed("account_id"),
            left: ["hidden_at"]),
        TownTable(
            "provider", file: "organizations",
            says: "The organizations as their pages show them.",
            columns: [
                .key("id"), .integer("account_id"), .text("first_name"), .text("last_name"), .text("organization"),
                .text("designation"), .text("street"), .text("city"), .text("state"), .text("zip"), .text("country"),
                .text("phone"), .text("email", .optional), .url("website", .optional), .text("scope", .optional),
                .moment("created_at"), .moment("updated_at"), .text("plan"),
                .integer("picture_id", .optional, as: picture), .moment("verified_at", .optional),
                .moment("verified_until", .optional), .text("verified_by_checking"), .text("mission", .optional),
                .text("kind", .optional), .text("asks", .optional),
            ],
            only: isShownProvider,
            left: ["name_key", "verified_is_asked"]),
        TownTable(
            "point", file: "points",
            says: "Where events, ways to help and needs are on the map; of a home only a corner of the grid.",
            columns: [
                .key("id"), .real("latitude"), .real("longitude"), .integer("band"),
            ],
            only: isUsedPoint),
    ]

    /// Events.
    private static let events: [TownTable] = [
        TownTable(
            "event", file: "events",
            says: "The events; those of a series name its first one.",
            columns: [
                .key("id"), .integer("account_id"), .text("title"), .text("description"), .text("day"),
                .integer("start_minute"), .integer("end_minute", .optional), .text("zone"), .moment("starts_at"),
                .moment("ends_at"), .text("street"), .text("city"), .text("state"), .text("zip"), .text("country"),
                .filled("city_key"), .integer("spots", .optional), .integer("taken", as: "taken - held_free"),
                .flag("sessions"), .flag("covid_safe"), .integer("age_from", .optional), .integer("age_to", .optional),
                .integer("price", .optional), .text("currency"), .text("tags"), .rank("search_key"),
                .moment("cancelled_at", .optional), .flag("listed"), .filled("once"), .moment("created_at"),
                .moment("updated_at"), .text("synopsis"), .text("motif"), .text("bring"), .text("safety"),
                .integer("access"), .flag("pays_what_they_can"), .url("online_url"), .text("cancel_reason"),
                .integer("sequence"), .integer("series_id", .optional, as: series), .flag("counts"),
                .integer("picture_id", .optional, as: picture), .integer("point_id", .optional), .flag("late"),
                .integer("walk_ins"), .integer("arrived"), .integer("heads", .optional),
                .integer("heads_online", .optional), .text("audience"), .text("end_day", .optional), .flag("is_long"),
                .text("place_name"), .text("booking"), .flag("asks"), .moment("opens_at", .optional),
                .moment("closes_at", .optional), .text("first_zips"), .moment("first_until", .optional),
                .text("language"), .text("other_language"), .text("other_title"), .text("other_description"),
                .text("other_synopsis"),
            ],
            only: isShown,
            within: "series_id",
            left: ["hidden_at", "held", "held_until", "held_free"]),
        TownTable(
            "activity", file: "activities",
            says: "The programs of events, and the sessions of camps.",
            columns: [
                .key("id"), .integer("event_id"), .text("name"), .text("info"), .text("place"), .text("day"),
                .integer("start_minute"), .integer("end_minute", .optional), .text("end_day", .optional),
                .moment("starts_at"), .moment("ends_at"), .integer("spots", .optional),
                .integer("age_from", .optional), .integer("age_to", .optional), .integer("taken"),
                .moment("cancelled_at", .optional), .real("latitude", .optional), .real("longitude", .optional),
            ],
            only: ofEvent),
        TownTable(
            "ask", file: "questions-to-families",
            says: "What hosts ask of families that register.",
            columns: [
                .key("id"), .integer("event_id"), .integer("root_id", .optional), .integer("place"),
                .integer("version"), .text("kind"), .text("text"), .text("options"), .text("why"), .flag("is_each"),
                .flag("is_required"), .integer("days"),
            ],
            only: ofEvent),
        TownTable(
            "event_tag", file: "event-tags",
            says: "By which tags events are found.",
            columns: [
                .text("tag"), .moment("starts_at"), .integer("event_id"),
            ],
            only: ofEvent,
            order: ["tag", "starts_at", "event_id"]),
        TownTable(
            "tag", file: "tags",
            says: "The tags of events and ways to help.",
            columns: [
                .text("name"), .integer("uses"), .text("merged_into", .optional), .flag("is_hidden"),
            ],
            only: isUsedTag,
            order: ["name"]),
        TownTable(
            "question", file: "questions",
            says: """
                Questions about events that were answered for everybody, without the name of the member \
                who asked.
                """,
            columns: [
                .key("id"), .integer("event_id"),
                .integer("account_id", as: "(SELECT event.account_id FROM event WHERE event.id = question.event_id)"),
                .text("text"), .flag("is_private"), .text("answer"), .filled("once"), .moment("asked_at"),
                .moment("answered_at", .optional), .moment("closed_at", .optional),
            ],
            only: "NOT is_private AND answered_at IS NOT NULL AND hidden_at IS NULL AND \(ofEvent)",
            left: ["hidden_at"]),
        TownTable(
            "reminder", file: "event-reminders",
            says: "When families are reminded of events.",
            columns: [
                .integer("event_id"), .text("lead"), .moment("due_at"),
            ],
            only: ofEvent,
            order: ["event_id", "lead"]),
        TownTable(
            "session_reminder", file: "session-reminders",
            says: "When families are reminded of the sessions of camps.",
            columns: [
                .integer("activity_id"), .text("lead"), .moment("due_at"),
            ],
            only: "activity_id IN (SELECT id FROM activity WHERE \(ofEvent))",
            order: ["activity_id", "lead"]),
        TownTable(
            "draw", file: "draws",
            says: "Events whose places are drawn by lot, without what families wished.",
            columns: [
                .key("id"), .integer("account_id"), .text("title"), .text("first_zips"), .text("last_day"),
                .moment("until_at"), .filled("once"), .moment("created_at"), .moment("sealed_at", .optional),
                .text("hash"), .integer("families", .optional), .integer("wishes", .optional),
                .text("seed", .optional), .moment("drawn_at", .optional), .integer("progress"),
                .moment("done_at", .optional),
            ],
            only: here("account_id")),
        TownTable(
            "draw_event", file: "draw-events",
            says: "The events of a draw.",
            columns: [
                .integer("draw_id"), .integer("number"), .integer("event_id", .optional, as: event),
                .integer("places", .optional), .flag("gone"),
            ],
            only: "draw_id IN (SELECT id FROM draw WHERE \(here("account_id")))",
            order: ["draw_id", "number"]),
    ]

    /// Helping.
    private static let helping: [TownTable] = [
        TownTable(
            "opportunity", file: "ways-to-help",
            says: "What organizations ask for.",
            columns: [
                .key("id"), .integer("account_id"), .text("kind"), .text("title"), .text("description"),
                .text("language"), .text("conditions"), .url("url"), .text("rhythm"), .integer("hours", .optional),
                .integer("age_from", .optional), .flag("with_adult"), .flag("at_home"), .flag("with_children"),
                .flag("approval"), .integer("goal", .optional), .integer("amount", .optional), .text("currency"),
                .text("as_of", .optional), .text("until", .optional), .text("place_name"), .text("street"),
                .text("city"), .text("state"), .text("zip"), .text("country"), .text("zone"),
                .integer("point_id", .optional), .text("tags"), .integer("wanted"), .integer("promised"),
                .moment("ends_at"), .moment("closed_at", .optional), .moment("asked_at", .optional), .flag("listed"),
                .filled("once"), .moment("created_at"), .moment("updated_at"), .text("close_reason"),
            ],
            only: isShown,
            left: ["hidden_at"]),
        TownTable(
            "opportunity_tag", file: "ways-to-help-tags",
            says: "By which tags ways to help are found.",
            columns: [
                .text("tag"), .integer("opportunity_id"),
            ],
            only: ofOpportunity,
            order: ["tag", "opportunity_id"]),
        TownTable(
            "shift", file: "shifts",
            says: "The shifts of ways to help.",
            columns: [
                .key("id"), .integer("opportunity_id"), .text("day"), .integer("start_minute"),
                .integer("end_minute"), .moment("starts_at"), .moment("ends_at"), .integer("spots"),
                .integer("taken"), .text("lead"), .moment("removed_at", .optional), .moment("asked_at", .optional),
            ],
            only: ofOpportunity),
        TownTable(
            "shift_reminder", file: "shift-reminders",
            says: "When helpers are reminded of shifts.",
            columns: [
                .integer("shift_id"), .text("lead"), .moment("due_at"),
            ],
            only: "shift_id IN (SELECT id FROM shift WHERE \(ofOpportunity))",
            order: ["shift_id", "lead"]),
        TownTable(
            "thing", file: "things",
            says: "The things that organizations ask for.",
            columns: [
                .key("id"), .integer("opportunity_id"), .text("name"), .integer("wanted"), .integer("promised"),
                .integer("place"), .moment("removed_at", .optional),
            ],
            only: ofOpportunity),
        TownTable(
            "need", file: "needs",
            says: "What neighbors need; of a home neither street nor ZIP code.",
            columns: [
                .key("id"), .integer("account_id"), .text("kind"), .text("title"), .text("description"),
                .integer("wanted"), .integer("promised"), .integer("brought"), .integer("days"), .text("until"),
                .moment("ends_at"), .flag("is_home"),
                .text("place_name", as: "CASE WHEN is_home THEN '' ELSE place_name END"),
                .text("street", as: "CASE WHEN is_home THEN '' ELSE street END"), .text("city"), .text("state"),
                .text("zip", as: "CASE WHEN is_home THEN '' ELSE zip END"), .text("country"),
                .integer("point_id", .optional), .moment("closed_at", .optional), .flag("listed"), .moment("ask_at"),
                .flag("is_asked"), .filled("once"), .moment("created_at"),
                .integer("picture_id", .optional, as: picture), .flag("is_lasting"),
                .moment("verified_at", .optional), .moment("verified_until", .optional),
            ],
            only: isShownNeed,
            left: ["hidden_at"]),
        TownTable(
            "own_act", file: "kind-acts",
            says: "The kind acts that neighbors added to the catalog, without who wrote them, as on their pages.",
            columns: [
                .key("id"), .filled("account_id"), .text("name"), .text("description"), .text("theme"),
                .text("difficulty"), .filled("once"), .moment("created_at"), .moment("proposed_at", .optional),
            ],
            only: "proposed_at IS NOT NULL AND hidden_at IS NULL AND \(here("account_id"))",
            left: ["hidden_at"]),
    ]

    /// Posts and comments.
    private static let talk: [TownTable] = [
        TownTable(
            "post", file: "posts",
            says: "The posts that are for everybody.",
            columns: [
                .key("id"), .integer("account_id"), .text("text"), .text("kind"), .text("audience"),
                .integer("likes"), .integer("comments"), .filled("once"), .moment("created_at"),
                .moment("edited_at", .optional), .flag("shows_children"), .integer("event_id", .optional, as: event),
            ],
            only: isShownPost,
            left: ["hidden_at"]),
        TownTable(
            "post_picture", file: "post-pictures",
            says: "The pictures of posts, but for those that show children.",
            columns: [
                .integer("post_id"), .integer("place"), .integer("picture_id"),
            ],
            only: """
                \(ofPostWithoutChildren) AND picture_id IN (SELECT id FROM picture WHERE \(here("account_id")))
                """,
            order: ["post_id", "place"]),
        TownTable(
            "comment", file: "comments",
            says: "What was said to these posts.",
            columns: [
                .key("id"), .integer("post_id"), .integer("account_id"), .text("text"), .filled("once"),
                .moment("created_at"),
            ],
            only: "hidden_at IS NULL AND \(here("account_id")) AND \(ofPost)",
            left: ["hidden_at"]),
        TownTable(
            "reaction", file: "likes",
            says: "Who likes these posts.",
            columns: [
                .integer("post_id"), .integer("account_id"), .moment("at"),
            ],
            only: "\(here("account_id")) AND \(ofPost)",
            order: ["post_id", "account_id"]),
        TownTable(
            "review", file: "reviews",
            says: "What helpers say of organizations, and what these answer.",
            columns: [
                .key("id"), .integer("host_id"), .integer("account_id"), .integer("stars"), .text("comment"),
                .integer("year"), .moment("created_at"), .moment("edited_at", .optional), .text("answer"),
                .moment("answered_at", .optional),
            ],
            only: "hidden_at IS NULL AND \(here("account_id")) AND \(here("host_id"))",
            left: ["hidden_at"]),
    ]

    /// Totals and settings.
    private static let totals: [TownTable] = [
        TownTable(
            "organization_total", file: "organization-totals",
            says: "Stars, followers and hours of organizations, as numbers.",
            columns: [
                .integer("account_id"), .integer("stars_1"), .integer("stars_2"), .integer("stars_3"),
                .integer("stars_4"), .integer("stars_5"), .integer("followers"), .integer("helpers"),
                .integer("minutes"),
            ],
            only: here("account_id"),
            order: ["account_id"]),
        TownTable(
            "organization_year", file: "organization-years",
            says: "Hours given to organizations by year, as numbers.",
            columns: [
                .integer("account_id"), .integer("year"), .integer("helpers"), .integer("minutes"),
            ],
            only: here("account_id"),
            order: ["account_id", "year"]),
        TownTable(
            "town_total", file: "kindness-totals",
            says: "How many kind acts were done, by month.",
            columns: [
                .text("month"), .text("theme"), .integer("count"),
            ],
            order: ["month", "theme"]),
        TownTable(
            "month_total", file: "month-totals",
            says: "What was given, by month, as numbers.",
            columns: [
                .text("month"), .integer("host_id"), .text("what"), .integer("count"),
            ],
            order: ["month", "host_id", "what"]),
        TownTable(
            "note", file: "settings",
            says: "What those who run the site wrote: its name, its words and pages, what is open.",
            columns: [
                .text("name"), .text("value"),
            ],
            only: isSetting,
            order: ["name"],
            left: ["id"]),
    ]
    /// Tables that aren't exported at all, and why.
    static let staying: [(tables: [String], why: String)] = [
        (
            ["child", "family", "guardian", "family_streak", "calendar_link"],
            "Families and their children: nobody but the family takes them along."
        ),
        (
            [
                "registration", "registration_person", "care_note", "reply", "guest", "attendance", "activity_wait",
                "wish", "wish_sheet", "draw_unit", "roster_view", "roster_note", "change", "change_seen",
                "announcement",
            ],
            "Registrations, what hosts were told and wrote to families. Places that were taken stay taken."
        ),
        (
            [
                "signup", "companion", "young_person", "shift_wait", "promise", "absence", "claim", "contribution",
                "certificate", "calendar_import", "import_entry", "colleague", "team_act", "cohost",
            ],
            "Who helps where, what a member gave, and who looks after an organization or event with its owner."
        ),
        (
            ["message", "thread", "thread_side", "talk_news", "notice", "letter", "digest", "follow_digest"],
            "Private messages, notices and letters."
        ),
        (
            [
                "pet", "pet_picture", "owner", "hello", "pet_match", "match_side", "meeting", "former_match",
                "former_owner", "parted",
            ],
            "Pets and play dates, which only members see."
        ),
        (
            [
                "deed", "standing", "badge", "my_act", "pause", "challenge", "act_reminder", "follow", "saved_event",
                "saved_opportunity", "saved_search", "search_letter", "less", "notice_choice", "draft", "undo", "block",
            ],
            "What a member keeps for themselves: it is in their own export."
        ),
        (
            [
                "matter", "report", "decision", "staff_act", "wave", "wave_part", "blocked_domain", "written_address",
                "town_letter",
            ],
            "Reports, and what those who run the site decided and wrote to all."
        ),
        (
            [
                "session", "sent_form", "outside_log_in", "two_step", "recovery_code", "pending_log_in",
                "one_time_link", "setup_link", "email_change", "former_name", "push_subscription", "push",
            ],
            "What opens accounts, and the devices of members."
        ),
        (
            [
                "event_search", "opportunity_search", "need_search", "word", "person_key", "person_word",
                "provider_key", "town", "zip",
            ],
            "What the site works out anew, or brings along."
        ),
        (["job", "node", "lease", "rate_count"], "What belongs to the running program."),
    ]
}

// MARK: - Rows

extension TownTable {
    private var table: SQL { SQL(stringLiteral: name) }

    private func selected(_ column: Column, withAddresses: Bool) -> SQL {
        guard column.kind == .address else { return column.source ?? SQL(stringLiteral: column.name) }
        let own = SQL(stringLiteral: column.name)
        return withAddresses ? "CASE WHEN left_at IS NULL THEN \(own) END" : "CAST(NULL AS TEXT)"
    }

    /// Passes each exported row to `body`, sorted by its key.
    ///
    /// - Parameter portion: How many rows are read at a time.
    func each(
        withAddresses: Bool, inPortionsOf portion: Int = Connection.portion, in db: Connection,
        _ body: ([TownValue]) throws -> Void
    ) throws {
        let columns = written
        let list = columns.map { selected($0, withAddresses: withAddresses) }.joined(separator: ", ")
        let keys = order.map { SQL(stringLiteral: $0) }.joined(separator: ", ")
        let places = order.compactMap { key in
            columns.firstIndex { $0.name.description == key.description }
        }
        var last: SQL?
        repeat {
            let behind: SQL = last.map { "(\(keys)) > (\($0))" } ?? ""
            let conditions = [only, withAddresses ? "" : onlyNamed, behind].filter { !$0.isEmpty }
            let all = conditions.map { "(\($0))" as SQL }.joined(separator: " AND ")
            let which: SQL = conditions.isEmpty ? "" : " WHERE \(all)"
            var count = 0
            last = nil
            try db.each("SELECT \(list) FROM \(table)\(which) ORDER BY \(keys) LIMIT \(portion)") { row in
                let values = try columns.map { try TownValue(row.value(), as: $0.kind) }
                try body(values)
                count += 1
                if count == portion {
                    last = places.map { values[$0].bound(as: columns[$0].kind) }.joined(separator: ", ")
                }
                return true
            }
        } while last != nil
    }

    /// Whether its rows have an ID.
    private var hasKey: Bool { columns.contains { $0.kind == .key } }

    /// Whether the site has any rows of it. Rows without an ID belong to a row that has one.
    func hasRows(in db: Connection) throws -> Bool {
        try hasKey && db.exists("SELECT 1 FROM \(table) WHERE id > 0 LIMIT 1")
    }

    /// Stores a row, with the values that aren't in the files.
    func insert(_ values: [TownValue], filling filled: [TownValue], in db: Connection) throws {
        let columns = written + columns.filter(\.isFilled)
        let names = columns.map { SQL(stringLiteral: $0.name) }.joined(separator: ", ")
        let list = zip(columns, values + filled).map { $1.bound(as: $0.kind) }.joined(separator: ", ")
        try db.execute("INSERT INTO \(table) (\(names)) VALUES (\(list))")
    }

    /// Moves the sequence past the imported IDs: a server's own counter hasn't seen them.
    func countOn(in db: Connection) throws {
        guard hasKey else { return }
        let name = name.description
        try db.execute(
            .dialect(
                sqlite: "DELETE FROM note WHERE FALSE",
                postgreSQL: """
                    SELECT setval(CAST(pg_get_serial_sequence(quote_ident(\(name)), 'id') AS regclass),
                        (SELECT coalesce(max(id), 1) FROM \(table)))
                    """))
    }
}

extension TownValue {
    init(_ value: SQL.Value, as kind: TownTable.Column.Kind) throws {
        self =
            switch (value, kind) {
            case (.null, _): .nothing
            case (.integer(let number), .flag): .flag(number != 0)
            case (.integer(let number), .real): .real(Double(number))
            case (.integer(let number), _): .integer(number)
            case (.real(let number), _): .real(number)
            case (.text(let text), _): .text(text)
            case (.boolean(let isTrue), _): .flag(isTrue)
            case (.blob, _): throw DatabaseError.unreadable("bytes in a column that goes out")
            }
    }

    /// The value as an argument of a statement.
    fileprivate func bound(as kind: TownTable.Column.Kind) -> SQL {
        switch (self, kind) {
        case (.flag(let isTrue), _): "\(isTrue)"
        case (.integer(let number), .real): "\(Double(number))"
        case (.integer(let number), _): "\(number)"
        case (.real(let number), _): "\(number)"
        case (.text(let text), _): "\(text)"
        case (.nothing, .key), (.nothing, .integer), (.nothing, .rank), (.nothing, .moment): "\(nil as Int64?)"
        case (.nothing, .real): "\(nil as Double?)"
        case (.nothing, .flag): "\(nil as Bool?)"
        case (.nothing, _): "\(nil as String?)"
        }
    }
}
