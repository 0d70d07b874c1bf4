import Database

extension Leaving {
    /// The effects of leaving now.
    init(of account: ID<Account>, in tx: Transaction) throws {
        var seen: Set<ID<Event>> = []
        let second = try Guardian.second(of: account, in: tx)
        handsOver = second != nil
        // The children stay with the second parent; the leaving parent's own participation ends.
        let inPerson: SQL =
            second == nil
            ? ""
            : """
             AND EXISTS (SELECT 1 FROM registration_person WHERE registration_person.registration_id = registration.id
                AND registration_person.is_self AND registration_person.cancelled_at IS NULL)
            """
        places = try tx.all(
            """
            SELECT event.id, event.title, \(Schedule.columns) FROM registration
            JOIN event ON event.id = registration.event_id
            WHERE registration.account_id = \(account) AND \(Registration.isHeld)
                AND event.cancelled_at IS NULL AND \(Event.isOpen(tx.now))\(inPerson)
            ORDER BY event.starts_at, event.id LIMIT 100
            """
        ) { row in
            (event: try row.next() as ID<Event>, place: Place(title: try row.next(), schedule: try row.next()))
        }.filter { seen.insert($0.event).inserted }.map(\.place)
        let own = try Self.eventsToCome(of: account, in: tx)
        events = own.count
        families = try Registration.families(at: own, in: tx)
        colleagues = try Colleague.countBeside(account, in: tx)
        isLastAdmin = try Role.isLastAdmin(account, in: tx)
    }

    fileprivate static func eventsToCome(of host: ID<Account>, in tx: Transaction) throws -> [ID<Event>] {
        try tx.all(
            """
            SELECT id FROM event WHERE account_id = \(host) AND starts_at > \(tx.now) AND cancelled_at IS NULL
            ORDER BY starts_at, id LIMIT 10000
            """
        ) { try $0.next() }
    }
}

extension Account {
    /// Deletes an account: gives its places back, cancels its upcoming events, and erases everything that identifies
    /// the person.
    ///
    /// What others saw stays consistent: past events, and the registrations for them until those are erased, belong to
    /// a bare number, shown as a former member.
    ///
    /// - Parameter hasFarewell: Whether to send a last letter, whose address is erased with it.
    /// - Throws: `Role.IsLastAdmin`; then nothing is changed.
    static func leave(_ id: ID<Account>, hasFarewell: Bool = false, in tx: Transaction) throws {
        if try Role.isLastAdmin(id, in: tx) { throw Role.IsLastAdmin() }
        if hasFarewell { try Letter.writeFarewell(to: id, in: tx) }
        try erase(id, in: tx)
        try Account.rest(nameOf: id, in: tx)
        let name = Account.formerName(of: id)
        try tx.execute(
            """
            UPDATE account SET email = \(name), username = \(name), password = '', is_staff = FALSE,
                is_admin = FALSE, last_hat = NULL, is_neighbor = FALSE, unread = 0, confirmed_at = NULL, look = NULL,
                text_size = NULL, unit = NULL, distance = NULL,
                language = NULL, zone = NULL, two_step_by = NULL, limited_until = NULL, waits_since = NULL,
                inviter_id = NULL, branch_id = NULL, refused_at = NULL, refusal = '', came_back = FALSE,
                left_at = \(tx.now), updated_at = \(tx.now)
            WHERE id = \(id)
            """)
    }

    /// Erases the data of recently deleted accounts once more, in case a running request wrote more of it afterwards.
    ///
    /// - Returns: The number of accounts.
    static func eraseLate(in tx: Transaction) throws -> Int {
        let left: [ID<Account>] = try tx.all(
            "SELECT id FROM account WHERE left_at > \(tx.now - .minutes(3)) ORDER BY left_at LIMIT 100"
        ) { try $0.next() }
        for id in left { try erase(id, in: tx) }
        return left.count
    }

    /// Gives back what an account holds, and erases what belongs to nobody else.
    private static func erase(_ id: ID<Account>, in tx: Transaction) throws {
        // The children stay with the other parent.
        try Guardian.handOver(by: id, in: tx)
        try Guardian.end(by: id, in: tx)
        try tx.execute("DELETE FROM reply WHERE person_id IN \(people(of: id))")
        // These were kept only at the family's wish.
        try RetentionRule.eraseKept(of: id, in: tx)
        try giveBackPlaces(of: id, in: tx)
        try Colleague.forget(id, in: tx)
        try Cohost.forget(id, in: tx)
        let name = Account.formerName(of: id)
        try AuditEntry.rename(id, provider: Provider.find(of: id, in: tx)?.id, to: name, in: tx)
        try Signup.giveBackAll(of: id, in: tx)
        try TalkThread.forget(of: id, in: tx)
        try Opportunity.anonymise(of: id, in: tx)
        try Need.forget(id, in: tx)
        try Review.forget(id, in: tx)
        try KindAct.forget(id, in: tx)
        try Challenge.forget(id, in: tx)
        try Draw.callOffAll(of: id, in: tx)
        try Event.cancel(Event.all(Leaving.eventsToCome(of: id, in: tx), in: tx), reason: Leaving.reason, in: tx)
        try Event.anonymise(of: id, in: tx)
        try tx.execute("DELETE FROM care_note WHERE person_id IN \(people(of: id))")
        try tx.execute(
            """
            UPDATE registration_person SET arrived_at = NULL, left_at = NULL, shows_name = FALSE
            WHERE id IN \(people(of: id))
            """)
        try tx.execute("UPDATE attendance SET arrived_at = NULL WHERE person_id IN \(people(of: id))")
        // The rows referring to these go with them: children, and the people a registration was for.
        try Block.forget(id, in: tx)
        try Matter.forget(id, in: tx)
        try PetMatch.forget(by: id, in: tx)
        try tx.execute("UPDATE child SET changed_by = NULL WHERE changed_by = \(id)")
        try tx.execute("UPDATE contribution SET confirmer_id = NULL WHERE confirmer_id = \(id)")
        try tx.execute("DELETE FROM parted WHERE other_id = \(id)")
        try SiteInvitation.handOver(by: id, in: tx)
        for table in RetentionRule.ownTables { try tx.execute("DELETE FROM \(table) WHERE account_id = \(id)") }
        try Event.eraseTitles(of: id, in: tx)
    }

    private static func people(of account: ID<Account>) -> SQL {
        """
        (SELECT registration_person.id FROM registration_person
            JOIN registration ON registration.id = registration_person.registration_id
            WHERE registration.account_id = \(account))
        """
    }

    private static func giveBackPlaces(of account: ID<Account>, in tx: Transaction) throws {
        let open: [ID<Registration>] = try tx.all(
            """
            SELECT registration.id FROM registration JOIN event ON event.id = registration.event_id
            WHERE registration.account_id = \(account) AND \(Registration.isHeld)
                AND \(Event.isOpen(tx.now))
            ORDER BY registration.id LIMIT 10000
            """
        ) { try $0.next() }
        for registration in open {
            try Registration.giveBack(registration, children: [], of: account, in: tx)
        }
    }
}

extension RetentionRule {
    /// The tables whose rows belong to one account and are deleted with it.
    static let ownTables: [SQL] = [
        "push_subscription", "session", "sent_form", "one_time_link", "pending_log_in", "two_step", "recovery_code",
        "outside_log_in", "email_change", "act_reminder",
        "notice_choice", "less", "notice", "letter", "calendar_link", "challenge",
        "activity_wait", "wish_sheet", "draw", "saved_event", "saved_opportunity", "saved_search", "search_letter",
        "undo", "draft", "calendar_import",
        "pet", "owner", "parted", "message", "thread_side", "meeting", "match_side", "former_match", "former_owner",
        "badge", "family_streak", "deed", "standing", "pause", "my_act",
        "certificate", "contribution", "promise", "shift_wait", "signup", "review", "follow", "organization_total",
        "organization_year", "follow_digest", "cohost",
        "question", "digest", "person_word", "change_seen", "person_key", "person", "family", "provider", "picture",
        "block",
    ]
}

extension Event {
    /// Also erases the titles of a host's events that nobody registered for or attended, if no family was told that
    /// they, or their draw, were canceled.
    fileprivate static func eraseTitles(of host: ID<Account>, in db: Connection) throws {
        try db.execute(
            """
            UPDATE event SET title = '–'
            WHERE account_id = \(host) AND taken = held_free AND walk_ins + arrived = 0 AND heads IS NULL
                AND heads_online IS NULL
                AND NOT EXISTS (SELECT 1 FROM registration WHERE registration.event_id = event.id)
                AND NOT EXISTS (SELECT 1 FROM notice WHERE notice.event_id = event.id
                    AND notice.kind IN (\(NoticeKind.cancelled), \(NoticeKind.drawn)))
            """)
    }

    /// Erases where a host's events and their activities were from what others were told, and who announced them.
    private static func eraseTold(of host: ID<Account>, in db: Connection) throws {
        let events: SQL = "event_id IN (SELECT id FROM event WHERE account_id = \(host))"
        // The description of an activity has its place in it.
        let ofActivity: SQL = "\(position: "\("\u{1D}")", in: "detail") > 0"
        for table in ["notice", "letter"] as [SQL] {
            try db.execute("UPDATE \(table) SET detail = '' WHERE \(events) AND kind = \(NoticeKind.changed)")
        }
        try db.execute("UPDATE letter SET detail = '' WHERE \(events) AND \(ofActivity)")
        try Notice.erase("\(events) AND (kind = \(NoticeKind.followed) OR \(ofActivity))", in: db)
    }

    /// Erases the texts about a host's events; titles, times and attendance stay.
    fileprivate static func anonymise(of host: ID<Account>, in db: Connection) throws {
        try unindex("account_id = \(host)", in: db)
        try db.execute("DELETE FROM event_tag WHERE event_id IN (SELECT id FROM event WHERE account_id = \(host))")
        try db.execute(
            """
            DELETE FROM change
            WHERE what <> 'time' AND event_id IN (SELECT id FROM event WHERE account_id = \(host))
            """)
        try eraseTold(of: host, in: db)
        try db.execute("DELETE FROM announcement WHERE event_id IN (SELECT id FROM event WHERE account_id = \(host))")
        try db.execute("DELETE FROM question WHERE event_id IN (SELECT id FROM event WHERE account_id = \(host))")
        try Cohost.eraseAll(at: "account_id = \(host)", in: db)
        try Ask.erase(by: host, in: db)
        try Guest.erase(by: host, in: db)
        let points: [ID<Point>] = try db.all(
            "SELECT point_id FROM event WHERE account_id = \(host) AND point_id IS NOT NULL LIMIT 10000"
        ) { try $0.next() }
        try db.execute(
            """
            UPDATE event SET description = '', synopsis = '', other_language = '', other_title = '',
                other_description = '', other_synopsis = '', place_name = '', street = '', zip = '',
                online_url = '', bring = '', safety = '', tags = '', first_zips = '', point_id = NULL,
                picture_id = NULL, search_key = NULL,
                cancel_reason = CASE WHEN cancel_reason = \(Leaving.reason) THEN cancel_reason ELSE '' END
            WHERE account_id = \(host)
            """)
        try db.execute(
            """
            UPDATE activity SET info = '', place = '', latitude = NULL, longitude = NULL
            WHERE event_id IN (SELECT id FROM event WHERE account_id = \(host))
            """)
        for point in Set(points) {
            try db.execute(
                """
                DELETE FROM point WHERE id = \(point)
                    AND NOT EXISTS (SELECT 1 FROM event WHERE event.point_id = point.id)
                    AND NOT EXISTS (SELECT 1 FROM opportunity WHERE opportunity.point_id = point.id)
                    AND NOT EXISTS (SELECT 1 FROM need WHERE need.point_id = point.id)
                """)
        }
    }
}

extension AuditEntry {
    /// Makes the log name a former member, and their organization, as they are named now, and erases the titles of what
    /// they wrote: a title may name anybody, and the log is never erased.
    fileprivate static func rename(
        _ account: ID<Account>, provider: ID<Provider>?, to name: String, in db: Connection
    ) throws {
        // An action on the account has no other text in the log than its user name.
        try db.execute(
            """
            UPDATE staff_act SET subject = \(name)
            WHERE subject_id = \(account.rawValue) AND (verb IN \(list: Verb.onAccounts)
                OR subject = (SELECT username FROM account WHERE id = \(account)))
            """)
        try db.execute(
            """
            UPDATE staff_act SET subject = '–'
            WHERE author_id = \(account) AND subject <> '' AND subject <> \(name)
            """)
        guard let provider else { return }
        try db.execute(
            """
            UPDATE staff_act SET subject = CASE WHEN verb = \(Verb.grantPlan)
                THEN substr(subject, 1, \(position: "' '", in: "subject")) || 'to ' || \(name) ELSE \(name) END
            WHERE subject_id = \(provider.rawValue) AND verb IN \(list: Verb.onProviders)
            """)
        try db.execute(
            """
            UPDATE staff_act SET subject = \(name)
            WHERE subject_id IN (SELECT id FROM review WHERE host_id = \(account)) AND verb IN \(list: Verb.onReviews)
                AND about = 'review-' || subject_id
            """)
    }
}
