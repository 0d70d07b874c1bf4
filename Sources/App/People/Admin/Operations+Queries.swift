import Database

extension Keeping {
    /// How many rows there are of its kind. For staff only: it takes longer the larger the town is.
    fileprivate func count(in db: Connection) throws -> Int {
        try db.value("SELECT count(*) FROM \(counted)") ?? 0
    }

    /// Its first table.
    private var counted: SQL {
        switch self {
        case .account: "account"
        case .secondStep: "two_step"
        case .addresses: "email_change"
        case .sessions: "session"
        case .links: "confirm_link"
        case .choices: "notice_choice"
        case .family: "family"
        case .children: "child"
        case .notes: "care_note"
        case .registrations: "registration"
        case .provider: "provider"
        case .events: "event"
        case .drafts: "draft"
        case .pictures: "picture"
        case .notices: "notice"
        case .letters: "letter"
        case .calendar: "calendar_link"
        case .undo: "undo"
        case .staff: "staff_act"
        case .questions: "question"
        case .looks: "roster_view"
        case .person: "person"
        case .posts: "post"
        case .blocks: "block"
        case .deeds: "deed"
        case .reports: "report"
        case .decisions: "decision"
        case .pets: "pet"
        case .matches: "pet_match"
        case .opportunities: "opportunity"
        case .helping: "signup"
        case .reviews: "review"
        case .needs: "need"
        }
    }
}

extension Operations {
    /// What the database knows of it.
    struct Counted: Sendable {
        let rows: [(keeping: Keeping, count: Int)]
        let waiting: Int
        let failed: Int
        let trouble: String?
    }

    static func count(in db: Connection) throws -> Counted {
        Counted(
            rows: try Keeping.allCases.map { ($0, try $0.count(in: db)) },
            waiting: try db.value("SELECT count(*) FROM letter WHERE state = 'waiting'") ?? 0,
            failed: try db.value("SELECT count(*) FROM letter WHERE state = 'failed'") ?? 0,
            trouble: try Letter.trouble(in: db))
    }
}

extension KeptNow {
    init(backup: Duration?, in zone: Zone, db: Connection) throws {
        let first: Instant? = try db.value("SELECT erase_at FROM care_note ORDER BY erase_at LIMIT 1")
        self.init(
            children: try db.value("SELECT count(*) FROM child") ?? 0,
            notes: try db.value("SELECT count(*) FROM care_note") ?? 0, erased: first.map { zone.day(of: $0) },
            backup: backup)
    }
}
