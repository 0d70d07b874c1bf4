import Database

/// The words in titles and tags.
enum Vocabulary {
    /// Counts the words in an event's title and tags, except those it had before.
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

    /// The most bytes of a word. An index has it beside its initial, which may be nearly as long.
    static let mostBytes = 600

    /// The words of these texts that can be suggested.
    static func words(of texts: [String]) -> Set<String> {
        let words = texts.flatMap { folded($0).split(separator: " ") }
        return Set(words.filter { 3...30 ~= $0.count && $0.utf8.count <= mostBytes }.map(String.init))
    }

    /// How many rows each query examines.
    private static let portion = 500

    /// Words that are no longer in any event's title and tags, with their counts.
    ///
    /// The newest events are looked at first, until there is one for each word: most words are in many events.
    static func unused(in db: Connection) throws -> [(word: String, uses: Int)] {
        var unused = try all(in: db)
        var last = ID<Event>(.max)
        while !unused.isEmpty {
            let events: [(id: ID<Event>, title: String, other: String, tags: String)] = try db.all(
                """
                SELECT id, title, other_title, tags FROM event WHERE id < \(last) ORDER BY id DESC LIMIT \(portion)
                """
            ) { (try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
            for event in events {
                for word in words(of: [event.title, event.other, event.tags]) { unused[word] = nil }
            }
            guard let end = events.last?.id, events.count == portion else { break }
            last = end
        }
        return unused.map { (word: $0.key, uses: $0.value) }.sorted { $0.word < $1.word }
    }

    /// All words with their counts.
    private static func all(in db: Connection) throws -> [String: Int] {
        var all: [String: Int] = [:]
        var last = ""
        while true {
            let lines: [(word: String, uses: Int)] = try db.all(
                "SELECT text, uses FROM word WHERE text > \(last) ORDER BY text LIMIT \(portion)"
            ) { (try $0.next(), try $0.next()) }
            for (word, uses) in lines { all[word] = uses }
            guard let end = lines.last?.word, lines.count == portion else { return all }
            last = end
        }
    }

    /// Deletes words unless they have been used again meanwhile.
    static func forget(_ unused: [(word: String, uses: Int)], in db: Connection) throws -> Int {
        var count = 0
        for (word, uses) in unused {
            count += try db.execute("DELETE FROM word WHERE text = \(word) AND uses = \(uses)")
        }
        return count
    }

    /// A correction of the typed words, some of which are in no event; nil if there is no similar one.
    static func meant(by typed: String, in db: Connection) throws -> String? {
        let words = folded(typed).split(separator: " ").prefix(8).map(String.init)
        var meant: [String] = []
        // At most eight words, as in a search.
        for word in words { meant.append(try isKnown(word, in: db) ? word : nearest(to: word, in: db) ?? word) }
        return meant == words ? nil : meant.joined(separator: " ")
    }

    /// Whether any event has a word with this beginning.
    private static func isKnown(_ word: String, in db: Connection) throws -> Bool {
        guard let query = SearchWords.query(word) else { return true }
        return try db.exists("SELECT 1 FROM event_search WHERE \(SearchIndex.has(query, in: "event_search")) LIMIT 1")
    }

    /// How many of the most used words with the same first letter are examined.
    private static let window = 2_000

    /// The most similar word; if there are several, the most used. It begins with the first letter, or if that was the
    /// typo, with the second.
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
    /// The cards that match a filter, and the filter: if the words of its first page match nothing, with corrected
    /// words that do.
    static func search(
        _ filter: EventFilter, atMost limit: Int = Event.pageSize + 1, in zone: Zone, tx: Transaction
    ) throws -> (filter: EventFilter, found: FoundCards) {
        let found = try Event.search(filter, atMost: limit, in: zone, in: tx)
        guard found.cards.isEmpty, !filter.words.isEmpty, filter.after == nil,
            let words = try Vocabulary.meant(by: filter.words, in: tx)
        else { return (filter, found) }
        var meant = filter
        meant.words = words
        meant.typed = filter.words
        let others = try Event.search(meant, atMost: limit, in: zone, in: tx)
        return others.cards.isEmpty ? (filter, found) : (meant, others)
    }

    /// The numbers of matches without one of the filters, most first; filters that make no difference are left out.
    func lighter(in zone: Zone, tx: Transaction) throws -> [Lighter] {
        // Each search is bounded, and so is their number.
        try parts.prefix(Self.mostTried).map { part in
            Lighter(label: part.plain, link: part.without.link, tally: try Event.tally(part.without, in: zone, in: tx))
        }.filter { $0.tally.count > 0 }.sorted { $0.tally.count > $1.tally.count }
    }

    /// A search near the place with the typed name.
    func place(in db: Connection) throws -> Chip? {
        guard near.isEmpty, !words.isEmpty, let match = try Gazetteer.named(words, country: country, in: db) else {
            return nil
        }
        return instead(near: match)
    }
}

/// Advice beside a list: filters to drop if it is empty, the place and days that the words name, and organizations with
/// that name.
struct Advice: Sendable {
    var lighter: [EventFilter.Lighter] = []
    var place: EventFilter.Chip?
    var days: EventFilter.Chip?
    var organizations: [Provider] = []

    init() {}

    init(_ filter: EventFilter, isEmpty: Bool, in zone: Zone, tx: Transaction) throws {
        place = try filter.place(in: tx)
        days = filter.instead(on: zone.day(of: tx.now))
        organizations = try Provider.called(filter.words, in: tx)
        if isEmpty { lighter = try filter.lighter(in: zone, tx: tx) }
    }
}

extension Feed {
    /// Adds the total number, filters to drop, and the place that the words may name.
    ///
    /// - Parameter found: The events of the page, and the next one.
    mutating func advise(beside found: FoundCards, in zone: Zone, tx: Transaction) throws {
        guard filter.after == nil, filter.problems.isEmpty else { return }
        if more != nil { tally = try Event.tally(filter, behind: found.cards, in: zone, in: tx) }
        advice = try Advice(filter, isEmpty: isEmpty, in: zone, tx: tx)
    }
}
