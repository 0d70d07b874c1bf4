import Database

extension SearchLetter: RowDecodable {
    static let columns: Columns =
        [
            "search_letter.account_id", "search_letter.since", "search_letter.due_at",
            """
            account.suspended_at IS NULL AND account.left_at IS NULL\(Notice.reached(.searched, "account"))\
            \(Notice.wish(.searched, .mail, "account"))
            """,
        ] + Preferences.columns

    init(row: inout Row) throws {
        self.init(
            reader: try row.next(), since: try row.next(), dueAt: try row.next(), isSent: try row.next(),
            preferences: try row.next())
    }
}

extension SearchLetter {
    /// How many are processed per minute; the rest follows.
    static let batch = 100

    /// Whether a member wants the letter.
    static func isWanted(by account: ID<Account>, in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM account WHERE account.id = \(account)\(Notice.wish(.searched, .mail, "account"))")
    }

    /// Members whose letter is due.
    static func due(in tx: Transaction) throws -> [SearchLetter] {
        try tx.all(
            """
            SELECT \(columns) FROM search_letter JOIN account ON account.id = search_letter.account_id
            WHERE search_letter.due_at <= \(tx.now)
            ORDER BY search_letter.due_at, search_letter.account_id LIMIT \(batch)
            """)
    }

    /// The news: for each search the events announced since the last letter, each event once; and saved events whose
    /// registration opens before the next letter.
    ///
    /// - Parameters:
    ///   - until: The end of the period of announcements.
    ///   - next: When the next letter is due.
    func news(until: Instant, next: Instant, in country: String, zone: Zone, tx: Transaction) throws -> SearchNews {
        var news = SearchNews()
        var told: Set<ID<Event>> = []
        // There are few searches, and each examines only events of that period; with words, only the soonest that
        // contain them.
        for search in try SavedSearch.all(of: reader, in: tx) {
            let first = max(since, search.savedAt, tx.now - Self.longest)
            var filter = search.filter(in: country, preferences)
            guard first < until else { continue }
            filter.news = EventFilter.News(announced: first..<until, reader: reader)
            filter.sort = .newest
            filter.leavesOutCanceled = true
            filter = try filter.located(in: tx)
            // If the place is unknown, it would match all events.
            guard filter.near.isEmpty || filter.circle != nil else { continue }
            let found = try Event.search(filter, atMost: Self.mostEvents + 1, in: zone, in: tx).cards
            let events = found.prefix(Self.mostEvents).map(\.id).filter { told.insert($0).inserted }
            let hasMore = found.count > Self.mostEvents
            guard !events.isEmpty || hasMore else { continue }
            news.parts.append(SearchNews.Part(search: search.id, events: events, hasMore: hasMore))
        }
        news.opening = try Self.opening(for: reader, in: tx).filter { $0.at <= next }
            .prefix(Self.mostOpening).map(\.event)
        return news
    }

    /// A member's saved upcoming events for which they can't register yet, and when they can.
    static func opening(for reader: ID<Account>, in tx: Transaction) throws -> [(event: ID<Event>, at: Instant)] {
        let head = try Guardian.head(of: reader, in: tx)
        let saved: [(event: ID<Event>, window: Window, zip: String?)] = try tx.all(
            """
            SELECT event.id, \(Window.columns), family.zip
            FROM saved_event JOIN event ON event.id = saved_event.event_id
                LEFT JOIN family ON family.account_id = \(head)
            WHERE saved_event.account_id = \(reader) AND saved_event.starts_at > \(tx.now)
                AND event.listed AND event.cancelled_at IS NULL
                AND NOT EXISTS (SELECT 1 FROM registration
                    WHERE registration.event_id = event.id AND registration.state = 'confirmed'
                        AND registration.account_id IN (\(reader), \(head)))
                AND NOT \(Block.hides("event.account_id", from: reader))
                AND (event.opens_at > \(tx.now) OR event.first_until > \(tx.now))
            ORDER BY saved_event.starts_at, saved_event.event_id LIMIT 100
            """
        ) { (try $0.next(), try Window(row: &$0), try $0.next()) }
        return saved.compactMap { saved in
            saved.window.opening(zip: saved.zip, at: tx.now).map { (event: saved.event, at: $0) }
        }
    }

    /// Puts the letter into the outbox and schedules the next one; does nothing if another node was first. If there is
    /// no news, the next letter covers the same period again: hidden events may be shown later.
    ///
    /// - Parameter news: The content; nil if no letter is sent.
    /// - Returns: Whether a letter was written.
    func send(_ news: SearchNews?, until: Instant, next: Instant, in tx: Transaction) throws -> Bool {
        let told = news?.isEmpty == true ? since : max(since, until)
        let isOurs =
            try tx.execute(
                """
                UPDATE search_letter SET since = \(told), due_at = \(next)
                WHERE account_id = \(reader) AND due_at = \(dueAt)
                """) == 1
        guard isOurs, let news, !news.isEmpty else { return false }
        return try Letter.write(gathering: .searched, news.detail, to: reader, in: tx)
    }

    /// Tries again later, after the letters that are due by then.
    func putOff(in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE search_letter SET due_at = \(tx.now + Self.patience)
            WHERE account_id = \(reader) AND due_at = \(dueAt)
            """)
    }
}

extension SearchNews {
    /// A letter's current content, without events that have been canceled or hidden or are over, and without removed
    /// searches.
    ///
    /// - Parameters:
    ///   - country: The site’s country: typed places are resolved as in its list, in the reader’s unit.
    ///   - zone: The site’s zone, in which days are given.
    func told(to reader: ID<Account>, country: String, zone: Zone, in tx: Transaction) throws -> Told {
        let preferences = try Preferences.find(of: reader, in: tx)
        let size = SavedSearch.most * SearchLetter.mostEvents + SearchLetter.mostOpening
        let named = Array((parts.flatMap(\.events) + opening).prefix(size))
        let shown: [ID<Event>] = try tx.all(
            """
            SELECT event.id FROM event
            WHERE event.id IN \(list: named.padded(to: size)) AND event.listed AND event.cancelled_at IS NULL
                AND (event.starts_at > \(tx.now) OR event.ends_at > \(tx.now))
                AND NOT \(Block.hides("event.account_id", from: reader))
            LIMIT \(size)
            """
        ) { try $0.next() }
        let events = Dictionary(
            try Event.all(shown, in: tx).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let searches = Dictionary(
            try SavedSearch.all(of: reader, in: tx).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let opens = Dictionary(
            try SearchLetter.opening(for: reader, in: tx).map { ($0.event, $0.at) },
            uniquingKeysWith: { first, _ in first })
        return Told(
            parts: try parts.compactMap { part in
                guard let search = searches[part.search] else { return nil }
                let found = part.events.compactMap { events[$0] }.sorted { ($0.startsAt, $0.id) < ($1.startsAt, $1.id) }
                guard !found.isEmpty || part.hasMore else { return nil }
                let filter = search.filter(in: country, preferences, on: zone.day(of: tx.now))
                let words = try filter.located(in: tx).saidInLetter
                return Told.Part(search: search, words: words, events: found, hasMore: part.hasMore)
            },
            opening: opening.compactMap { id in
                guard let event = events[id], let time = opens[id] else { return nil }
                return (event: event, at: time)
            })
    }
}

extension SearchNews: Told {
    static func text(of letter: Letter, to reader: LetterReader, in tx: Transaction) throws -> LetterText? {
        let (id, country, zone) = (reader.account.id, reader.country, reader.siteZone)
        let told = try SearchNews(detail: letter.detail).told(to: id, country: country, zone: zone, in: tx)
        return told.isEmpty ? nil : .searched(told, in: zone)
    }
}
