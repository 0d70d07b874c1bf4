import Database

/// The words of titles and tags.
enum Vocabulary {
    /// Counts that an event has these words in its title and tags, other than those it had before.
    static func use(_ texts: [String], instead before: [String], in db: Connection) throws {
        let words = words(of: texts).subtracting(words(of: before))
        guard !words.isEmpty else { return }
        let rows: [SQL] = words.sorted().map { "(\($0), \(String($0.prefix(1))), 1)" }
        try db.execute(
            """
            INSERT INTO word (text, initial, uses) VALUES \(rows.joined(separator: ", "))
            ON CONFLICT (text) DO UPDATE SET uses = word.uses + 1
            """)
    }

    private static func words(of texts: [String]) -> Set<String> {
        Set(texts.flatMap { folded($0).split(separator: " ") }.filter { 3...30 ~= $0.count }.map(String.init))
    }

    /// So many rows are looked at by each query.
    private static let portion = 500

    /// Words that no event has anymore in its title and tags, with how often they were counted.
    static func unused(in db: Connection) throws -> [(word: String, uses: Int)] {
        let used = try used(in: db)
        var unused: [(word: String, uses: Int)] = []
        var last = ""
        while true {
            let lines: [(word: String, uses: Int)] = try db.all(
                "SELECT text, uses FROM word WHERE text > \(last) ORDER BY text LIMIT \(portion)"
            ) { (try $0.next(), try $0.next()) }
            unused += lines.filter { !used.contains($0.word) }
            guard let end = lines.last?.word, lines.count == portion else { return unused }
            last = end
        }
    }

    private static func used(in db: Connection) throws -> Set<String> {
        var used: Set<String> = []
        var last = ID<Event>(0)
        while true {
            let events: [(id: ID<Event>, title: String, other: String, tags: String)] = try db.all(
                """
                SELECT id, title, other_title, tags FROM event WHERE id > \(last) ORDER BY id LIMIT \(portion)
                """
            ) { (try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
            for event in events { used.formUnion(words(of: [event.title, event.other, event.tags])) }
            guard let end = events.last?.id, events.count == portion else { return used }
            last = end
        }
    }

    /// Forgets words, unless they were used once more since they were looked for.
    static func forget(_ unused: [(word: String, uses: Int)], in db: Connection) throws -> Int {
        var count = 0
        for (word, uses) in unused {
            count += try db.execute("DELETE FROM word WHERE text = \(word) AND uses = \(uses)")
        }
        return count
    }

    /// What somebody meant who typed these words, of which some are in no event; nil where nothing comes near.
    static func meant(by typed: String, in db: Connection) throws -> String? {
        let words = folded(typed).split(separator: " ").prefix(8).map(String.init)
        var meant: [String] = []
        // Eight words at most, as a search reads them.
        for word in words { meant.append(try isKnown(word, in: db) ? word : nearest(to: word, in: db) ?? word) }
        return meant == words ? nil : meant.joined(separator: " ")
    }

    /// Whether any event has a word that begins so.
    private static func isKnown(_ word: String, in db: Connection) throws -> Bool {
        guard let query = SearchWords.query(word) else { return true }
        return try db.exists("SELECT 1 FROM event_search WHERE \(SearchIndex.has(query, in: "event_search")) LIMIT 1")
    }

    /// Words with the same first letter that are looked at, the most used ones.
    private static let window = 2_000

    /// The word with the fewest slips to this one, of several the most used. It begins with the first letter, or where
    /// that was the slip, with the second.
    private static func nearest(to typed: String, in db: Connection) throws -> String? {
        let slip = Typo(typed)
        guard slip.forgiven > 0 else { return nil }
        var best: (word: String, distance: Int, uses: Int)?
        for initial in Set(typed.prefix(2).map { String($0) }).sorted() {
            try db.each(
                """
                SELECT text, uses FROM word WHERE initial = \(initial) ORDER BY uses DESC, text DESC LIMIT \(window)
                """
            ) { row in
                let word: String = try row.next()
                let uses: Int = try row.next()
                if let distance = slip.distance(to: word), distance > 0,
                    best.map({ (distance, -uses) < ($0.distance, -$0.uses) }) ?? true
                {
                    best = (word, distance, uses)
                }
                return true
            }
        }
        return best?.word
    }
}

extension EventFilter {
    /// The cards that a filter finds, and the filter: where the words of its first page find nothing, the words that
    /// were meant, if they find something.
    static func search(
        _ filter: EventFilter, atMost limit: Int = Event.pageSize + 1, in zone: Zone, now: Instant, db: Connection
    ) throws -> (filter: EventFilter, found: [EventCard]) {
        let found = try Event.search(filter, atMost: limit, in: zone, now: now, in: db)
        guard found.isEmpty, !filter.words.isEmpty, filter.after == nil,
            let words = try Vocabulary.meant(by: filter.words, in: db)
        else { return (filter, found) }
        var meant = filter
        meant.words = words
        meant.typed = filter.words
        let others = try Event.search(meant, atMost: limit, in: zone, now: now, in: db)
        return others.isEmpty ? (filter, found) : (meant, others)
    }

    /// What would be found without one of the filters, most first; nothing for those that don't help.
    func lighter(in zone: Zone, now: Instant, db: Connection) throws -> [Lighter] {
        // Each look is bounded, and so is how many there are.
        try parts.prefix(Self.mostTried).map { part in
            Lighter(
                label: part.plain, link: part.without.link,
                tally: try Event.tally(part.without, in: zone, now: now, in: db))
        }.filter { $0.tally.count > 0 }.sorted { $0.tally.count > $1.tally.count }
    }

    /// The place that is called as the words that were typed, as a search of its own.
    func place(in db: Connection) throws -> Chip? {
        guard near.isEmpty, !words.isEmpty, let match = try Gazetteer.named(words, country: country, in: db) else {
            return nil
        }
        return instead(near: match)
    }
}

/// What helps beside a list: which filter to drop where it is empty, the place and the days that the words name, and
/// organizations that are called so.
struct Advice: Sendable {
    var lighter: [EventFilter.Lighter] = []
    var place: EventFilter.Chip?
    var days: EventFilter.Chip?
    var organizations: [Provider] = []

    init() {}

    init(_ filter: EventFilter, isEmpty: Bool, in zone: Zone, now: Instant, db: Connection) throws {
        place = try filter.place(in: db)
        days = filter.instead(on: zone.day(of: now))
        organizations = try Provider.called(filter.words, in: db)
        if isEmpty { lighter = try filter.lighter(in: zone, now: now, db: db) }
    }
}

extension Feed {
    /// Looks for what else helps: how many there are in all, which filter to drop, whether the words are a place.
    ///
    /// - Parameter found: The events of the page, and the one behind it.
    mutating func advise(beside found: [EventCard], in zone: Zone, now: Instant, db: Connection) throws {
        guard filter.after == nil, filter.problems.isEmpty else { return }
        if more != nil { tally = try Event.tally(filter, behind: found, in: zone, now: now, in: db) }
        advice = try Advice(filter, isEmpty: isEmpty, in: zone, now: now, db: db)
    }
}
