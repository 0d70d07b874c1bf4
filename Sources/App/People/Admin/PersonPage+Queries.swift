import Database

extension PersonPage {
    init(_ account: Account, for reader: ID<Account>, in zone: Zone, tx: Transaction) throws {
        self.account = account
        let id = account.id
        let created: Instant = try tx.value("SELECT created_at FROM account WHERE id = \(id)") ?? tx.now
        since = zone.day(of: created).fullName
        family = try Family.find(of: id, in: tx)
        home = try family.map { family in
            try Gazetteer.address(ofFamilyIn: family.city, zip: family.zip, country: family.country, in: tx).withCountry
        }
        provider = try Provider.find(of: id, in: tx)
        events = try Events(of: id, in: tx)
        registrations = try Registrations(of: id, in: tx)
        together = try Cohost.upcoming(of: id, in: tx)
        devices = try Session.all(of: id, in: tx).map { session in
            Device(name: session.deviceName, seen: zone.words(session.seenAt))
        }
        team = try provider.flatMap { provider in
            let page = try TeamPage(asStaff: provider, in: zone, db: tx)
            return page.people.count > 1 || !page.acts.isEmpty ? page : nil
        }
        tree = try InvitationTree(around: id, in: zone, db: tx)
        removal = try Removal.open(of: id, in: zone, db: tx)
        isOwnRemoval = removal?.decision.staffID == reader
        acts = try AuditEntry.on(id, provider: provider?.id, in: tx).map { StaffLogRow($0, in: zone) }
    }
}

extension PersonPage.Events {
    init(of account: ID<Account>, in tx: Transaction) throws {
        let isComing: SQL = "\(Event.isAhead(tx.now)) AND event.cancelled_at IS NULL"
        self =
            try tx.first(
                """
                SELECT count(*) FILTER (WHERE \(isComing)),
                    count(*) FILTER (WHERE \(Event.isOver(tx.now)) AND event.cancelled_at IS NULL),
                    count(*) FILTER (WHERE event.cancelled_at IS NOT NULL),
                    count(*) FILTER (WHERE event.hidden_at IS NOT NULL),
                    CAST(coalesce(sum(CASE WHEN \(isComing) THEN event.taken - event.held_free - event.walk_ins END), 0)
                        AS BIGINT)
                FROM event WHERE event.account_id = \(account)
                """
            ) {
                Self(
                    coming: try $0.next(), over: try $0.next(), canceled: try $0.next(), hidden: try $0.next(),
                    held: try $0.next())
            } ?? Self(coming: 0, over: 0, canceled: 0, hidden: 0, held: 0)
    }
}

extension PersonPage.Registrations {
    init(of account: ID<Account>, in tx: Transaction) throws {
        let isComing: SQL = """
            registration.state = 'confirmed' AND event.cancelled_at IS NULL AND \(Event.isAhead(tx.now))
            """
        self =
            try tx.first(
                """
                SELECT count(*) FILTER (WHERE \(isComing)),
                    CAST(coalesce(sum(CASE WHEN \(isComing) THEN (
                        SELECT count(*) FROM registration_person
                        WHERE registration_person.registration_id = registration.id
                            AND registration_person.cancelled_at IS NULL) END), 0) AS BIGINT),
                    count(*) FILTER (WHERE registration.state = 'confirmed'),
                    count(*) FILTER (WHERE registration.state = 'cancelled')
                FROM registration JOIN event ON event.id = registration.event_id
                WHERE registration.account_id = \(account)
                """
            ) {
                Self(coming: try $0.next(), places: try $0.next(), all: try $0.next(), givenBack: try $0.next())
            } ?? Self(coming: 0, places: 0, all: 0, givenBack: 0)
    }
}
