import Database

extension PersonPage {
    init(
        _ account: Account, for reader: ID<Account>, at now: Instant, in zone: Zone, db: Connection
    ) throws {
        self.account = account
        let id = account.id
        let created: Instant = try db.value("SELECT created_at FROM account WHERE id = \(id)") ?? now
        since = zone.day(of: created).fullName
        family = try Family.find(of: id, in: db)
        home = try family.map { family in
            try Gazetteer.address(ofFamilyIn: family.city, zip: family.zip, country: family.country, in: db).withCountry
        }
        provider = try Provider.find(of: id, in: db)
        events = try Events(of: id, at: now, in: db)
        registrations = try Registrations(of: id, at: now, in: db)
        devices = try Session.all(of: id, in: db).map { session in
            Device(name: session.deviceName, seen: zone.words(session.seenAt))
        }
        team = try provider.flatMap { provider in
            let page = try TeamPage(asStaff: provider, in: zone, db: db)
            return page.people.count > 1 || !page.acts.isEmpty ? page : nil
        }
        tree = try InvitationTree(around: id, in: zone, db: db)
        removal = try Removal.open(of: id, at: now, in: zone, db: db)
        isOwnRemoval = removal?.decision.staffID == reader
        acts = try AuditEntry.on(id, provider: provider?.id, in: db).map { StaffLogRow($0, in: zone) }
    }
}

extension PersonPage.Events {
    init(of account: ID<Account>, at now: Instant, in db: Connection) throws {
        func count(_ condition: SQL) throws -> Int {
            try db.value("SELECT count(*) FROM event WHERE account_id = \(account) AND \(condition)") ?? 0
        }
        coming = try count("\(Event.isAhead(now)) AND cancelled_at IS NULL")
        over = try count("\(Event.isOver(now)) AND cancelled_at IS NULL")
        canceled = try count("cancelled_at IS NOT NULL")
        hidden = try count("hidden_at IS NOT NULL")
        held =
            try db.value(
                """
                SELECT CAST(sum(taken - held_free - walk_ins) AS BIGINT) FROM event
                WHERE account_id = \(account) AND \(Event.isAhead(now)) AND cancelled_at IS NULL
                """) ?? 0
    }
}

extension PersonPage.Registrations {
    init(of account: ID<Account>, at now: Instant, in db: Connection) throws {
        func count(_ condition: SQL) throws -> Int {
            try db.value(
                """
                SELECT count(*) FROM registration JOIN event ON event.id = registration.event_id
                WHERE registration.account_id = \(account) AND \(condition)
                """) ?? 0
        }
        coming = try count(
            "registration.state = 'confirmed' AND event.cancelled_at IS NULL AND \(Event.isAhead(now))")
        places =
            try db.value(
                """
                SELECT count(*) FROM registration
                JOIN event ON event.id = registration.event_id
                JOIN registration_person ON registration_person.registration_id = registration.id
                    AND registration_person.cancelled_at IS NULL
                WHERE registration.account_id = \(account) AND registration.state = 'confirmed'
                    AND event.cancelled_at IS NULL AND \(Event.isAhead(now))
                """) ?? 0
        all = try count("registration.state = 'confirmed'")
        givenBack = try count("registration.state = 'cancelled'")
    }
}
