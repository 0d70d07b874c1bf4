import Database

extension Term {
    /// The dates of an event’s series, for a family.
    ///
    /// - Parameter reader: The reader's zone, by which it says when registration opens; the venue's if nobody reads it.
    /// - Throws: `Refusal.notFound` if it isn't visible, or has no registration.
    init(_ id: ID<Event>, for member: Visitor, reading reader: Zone? = nil, in tx: Transaction) throws {
        guard let event = try Event.find(id, in: tx), !event.isHidden, !event.isForEveryone,
            let series = event.series, let family = member.family
        else { throw Refusal.notFound }
        let held = try Registration.children(of: member.head, inSeries: series, in: tx)
        let givenBack = try Registration.givenBack(by: member.head, inSeries: series, in: tx)
        let (zip, clock) = (family.zip as String?, event.clock)
        let dates = try Series.open(series, in: tx).map { card in
            Date(
                card: card, held: held[card.id] ?? [:], givenBack: givenBack[card.id] ?? [],
                shut: card.admission.window.refusal(zip: zip, at: tx.now, in: clock, for: reader ?? clock))
        }
        self.init(event: event, dates: dates, children: try Child.all(of: family.id, in: tx))
        let asks = try Ask.all(inSeries: series, in: tx)
        if !asks.isEmpty {
            sheet = AnswerSheet(
                AnswerSheet.items(asks, children: free.map { ($0.id, $0.name) }),
                endingAt: dates.last?.card.endsAt ?? event.endsAt, in: event.clock)
        }
    }

    /// Registers the children at each date where they have nothing yet, in one transaction: all or none. The family and
    /// the host are notified once.
    ///
    /// - Parameter parent: The registering parent.
    /// - Returns: The party at the first date with places, otherwise the first that waits.
    /// - Throws: `Full` if a date has too few places and nobody is willing to wait; then the transaction must be rolled
    ///   back.
    func register(
        _ form: TermForm, of account: ID<Account>, by parent: ID<Account>, once: String, in tx: Transaction
    ) throws -> ID<Registration> {
        var made: [ID<Registration>] = []
        var full: [Full.Date] = []
        for (date, children) in parties(form) {
            do {
                made.append(
                    try Registration.insert(
                        children, of: account, at: date.id, waits: form.waits, sharesNotes: form.sharesNotes,
                        once: made.isEmpty ? once : "\(once)-\(date.id)", in: tx))
                if let sheet {
                    try Reply.store(
                        sheet.entries(at: date.id, for: children), of: account, by: parent, at: date.id, in: tx)
                }
            } catch is Event.NoRoom {
                let left = try Event.room(at: date.id, in: tx)
                full.append(
                    Full.Date(
                        day: date.card.day, left: left, needed: children.count,
                        mayWait: date.card.spots.map { $0 >= children.count } ?? true))
            }
        }
        guard full.isEmpty, let first = made.first else { throw Full(dates: full) }
        if parent != account {
            try tx.execute("UPDATE registration SET guardian_id = \(parent) WHERE id IN \(list: made)")
        }
        return try Registration.tell(ofAll: made, by: account, in: tx) ?? first
    }
}

extension Further {
    /// - Parameter member: The reader of the registration's page.
    init(_ registration: Registration, for member: Visitor, in tx: Transaction) throws {
        let event = registration.event
        guard !event.isForEveryone, !event.isHidden, !registration.isCancelled || event.series != nil else { return }
        if let series = event.series {
            mine = Registration.marked(
                try Registration.lines(of: registration.account, inSeries: series, in: tx),
                with: try Change.unseen(byFamilyOf: member.account, head: registration.account, in: tx))
            awaited = try Registration.awaited(among: seated, besides: registration.account, in: tx)
        }
        guard member.isParent, registration.account == member.head else { return }
        let coming = registration.people.compactMap(\.child)
        if event.series != nil {
            let term = try Term(event.id, for: member, in: tx)
            if term.isOpen(for: coming) { dates = .dates(of: event.id) }
            if term.isWhole, term.isOpen(for: coming, others: true) { child = .dates(of: event.id) }
        }
        guard child == nil, !event.hasSessions else { return }
        let page = try EventPage(event.id, for: member, in: tx)
        if page.canRegister { child = event.registerLink }
    }
}

extension Series {
    /// The most dates considered.
    static let most = 400

    /// A series' visible dates that haven't begun.
    static func open(_ series: ID<Event>, in tx: Transaction) throws -> [EventCard] {
        try tx.all(
            """
            SELECT \(EventCard.columns) FROM event \(EventCard.host)
            WHERE event.series_id = \(series) AND event.starts_at > \(tx.now) AND event.listed
            ORDER BY event.starts_at, event.id LIMIT \(most)
            """)
    }

    /// Their number.
    static func countOpen(_ series: ID<Event>, in tx: Transaction) throws -> Int {
        try tx.value("SELECT count(*) FROM event WHERE series_id = \(series) AND starts_at > \(tx.now) AND listed") ?? 0
    }
}

extension Registration {
    /// The days on which others wait for places that a family has.
    fileprivate static func awaited(
        among lines: [Line], besides account: ID<Account>, in db: Connection
    ) throws -> [Day] {
        guard !lines.isEmpty else { return [] }
        let days: [Day] = try db.all(
            """
            SELECT event.day FROM event WHERE event.id IN \(list: lines.map(\.event)) AND EXISTS (
                SELECT 1 FROM registration WHERE registration.event_id = event.id
                    AND registration.state = 'waiting' AND registration.account_id <> \(account))
            LIMIT \(Series.most)
            """
        ) { try $0.next() }
        return Set(days).sorted()
    }

    /// A family's children who have a place or wait for one, at each date of a series that hasn't begun.
    static func children(
        of account: ID<Account>, inSeries series: ID<Event>, in tx: Transaction
    ) throws -> [ID<Event>: [ID<Child>: State]] {
        var found: [ID<Event>: [ID<Child>: State]] = [:]
        try tx.each(
            """
            SELECT registration.event_id, registration_person.child_id, registration.state
            FROM registration JOIN event ON event.id = registration.event_id
            JOIN registration_person ON registration_person.registration_id = registration.id
                AND registration_person.cancelled_at IS NULL AND registration_person.child_id IS NOT NULL
            WHERE registration.account_id = \(account) AND \(isHeld)
                AND (registration.state <> 'offered' OR registration.offer_ends_at > \(tx.now))
                AND event.series_id = \(series) AND event.starts_at > \(tx.now)
            LIMIT 10000
            """
        ) { row in
            found[try row.next(), default: [:]][try row.next()] = try row.next()
            return true
        }
        return found
    }

    /// A family's children who gave back their place at a date of a series that hasn't begun.
    static func givenBack(
        by account: ID<Account>, inSeries series: ID<Event>, in tx: Transaction
    ) throws -> [ID<Event>: Set<ID<Child>>] {
        var found: [ID<Event>: Set<ID<Child>>] = [:]
        try tx.each(
            """
            SELECT registration.event_id, registration_person.child_id
            FROM registration JOIN event ON event.id = registration.event_id
            JOIN registration_person ON registration_person.registration_id = registration.id
                AND registration_person.cancelled_at IS NOT NULL AND registration_person.child_id IS NOT NULL
            WHERE registration.account_id = \(account) AND event.series_id = \(series) AND event.starts_at > \(tx.now)
            LIMIT 10000
            """
        ) { row in
            found[try row.next(), default: []].insert(try row.next())
            return true
        }
        return found
    }

    /// Notifies the family and the host once of a registration for several dates, with the first one.
    ///
    /// - Returns: The first party with places; nil if all wait.
    fileprivate static func tell(
        ofAll parties: [ID<Registration>], by account: ID<Account>, in tx: Transaction
    ) throws -> ID<Registration>? {
        let seated = try confirmed(among: parties, in: tx)
        guard let first = seated.first else { return nil }
        guard seated.count > 1 else {
            try tell(of: first.id, by: account, at: first.event, in: tx)
            return first.id
        }
        var news = Notice.News(kind: .registered, event: first.event, registration: first.id)
        news.detail = seated.map(\.id.description).joined(separator: ",")
        news.times = times(at: seated.map(\.event))
        try Notice.tell(news, "account.id = \(account)", in: tx)
        try Notice.tellHost(.init(kind: .booked, event: first.event), by: account, in: tx)
        return first.id
    }

    /// Those of these parties with places at current events, in order of registration.
    static func confirmed(
        among parties: [ID<Registration>], in db: Connection
    ) throws -> [(id: ID<Registration>, event: ID<Event>, day: Day)] {
        try db.all(
            """
            SELECT registration.id, event.id, event.day FROM registration
            JOIN event ON event.id = registration.event_id
            WHERE registration.id IN \(list: parties) AND registration.state = 'confirmed'
                AND event.cancelled_at IS NULL
            ORDER BY registration.id LIMIT \(Series.most)
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
    }
}
