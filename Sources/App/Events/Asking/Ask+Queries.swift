import Database
import FoundationEssentials

extension Ask.Kind: SQLValue {}

extension Ask: RowDecodable {
    static let columns: Columns = [
        "ask.id", "ask.root_id", "ask.version", "ask.kind", "ask.text", "ask.options", "ask.why", "ask.is_each",
        "ask.is_required", "ask.days",
    ]

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), root: try row.next(), version: try row.next(),
            content: Content(
                kind: try row.next(), text: try row.next(),
                options: (try row.next() as String).split(separator: "\n").map(String.init), why: try row.next(),
                isEach: try row.next(), isRequired: try row.next(), days: try row.next()))
    }

    private var stored: Assignments {
        [
            "kind": content.kind, "text": content.text, "options": content.options.joined(separator: "\n"),
            "why": content.why, "is_each": content.isEach, "is_required": content.isRequired, "days": content.days,
        ]
    }

    static func exists(_ id: ID<Ask>, in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM ask WHERE id = \(id)")
    }

    /// An event's questions, in order; not queried if it asks none.
    static func all(of event: Event, in db: Connection) throws -> [Ask] {
        event.isAsking ? try all(of: event.id, in: db) : []
    }

    static func all(of event: ID<Event>, in db: Connection) throws -> [Ask] {
        try db.all(
            "SELECT \(columns) FROM ask WHERE ask.event_id = \(event) ORDER BY ask.place, ask.id LIMIT \(2 * most)")
    }

    /// The questions of a series' dates that haven't begun, each with its date.
    static func all(inSeries series: ID<Event>, in tx: Transaction) throws -> [(event: ID<Event>, ask: Ask)] {
        try tx.all(
            """
            SELECT ask.event_id, \(columns) FROM event JOIN ask ON ask.event_id = event.id
            WHERE event.series_id = \(series) AND event.starts_at > \(tx.now) AND event.listed
            ORDER BY event.starts_at, event.id, ask.place, ask.id LIMIT \(2 * most * Series.most)
            """
        ) { (try $0.next(), try $0.next()) }
    }

    /// Sets the questions of an event, in the transaction that writes the event; nil leaves them unchanged.
    ///
    /// Answers keep the text of the question they were given to. If answers are to be erased sooner now, existing ones
    /// are, too; no answer is kept longer than was promised.
    static func save(_ asks: [Ask]?, of event: ID<Event>, in db: Connection) throws {
        guard let asks else { return }
        let stored = try all(of: event, in: db)
        guard !asks.isEmpty || !stored.isEmpty else { return }
        var kept: Set<ID<Ask>> = []
        for (place, ask) in asks.prefix(most).enumerated() {
            guard let old = stored.first(where: { $0.id == ask.id && $0.kind == ask.kind }),
                kept.insert(old.id).inserted
            else {
                try db.execute(
                    """
                    INSERT INTO ask \
                    \(values: ask.stored + ["event_id": event, "root_id": ask.root, "place": place, "version": 1])
                    """)
                continue
            }
            let version = old.version + (old.content.asksTheSame(as: ask.content) ? 0 : 1)
            try db.execute(
                "UPDATE ask SET \(set: ask.stored + ["place": place, "version": version]) WHERE id = \(old.id)")
            if ask.content.days < old.content.days { try Reply.keep(old.id, days: ask.content.days, in: db) }
        }
        for old in stored where !kept.contains(old.id) { try db.execute("DELETE FROM ask WHERE id = \(old.id)") }
        try db.execute(
            """
            UPDATE event SET asks = EXISTS (SELECT 1 FROM ask WHERE ask.event_id = event.id)
                OR EXISTS (SELECT 1 FROM reply WHERE reply.event_id = event.id)
            WHERE id = \(event)
            """)
    }

    /// How many families have answered the questions of some dates, by their common question.
    static func counts(at events: [ID<Event>], in db: Connection) throws -> [ID<Ask>: Int] {
        var families: [ID<Ask>: Set<ID<Account>>] = [:]
        try db.each(
            """
            SELECT coalesce(ask.root_id, ask.id), registration.account_id FROM ask
            JOIN reply ON reply.ask_id = ask.id
            JOIN registration_person ON registration_person.id = reply.person_id
            JOIN registration ON registration.id = registration_person.registration_id
            WHERE ask.event_id IN \(list: events.padded(to20Or: 400)) LIMIT 100000
            """
        ) { row in
            families[try row.next(), default: []].insert(try row.next())
            return true
        }
        return families.mapValues(\.count)
    }

    /// Erases a host's questions and their answers.
    static func erase(by host: ID<Account>, in db: Connection) throws {
        let events: SQL = "(SELECT id FROM event WHERE account_id = \(host))"
        try Reply.empty("event_id IN \(events)", in: db)
        try db.execute("DELETE FROM ask WHERE event_id IN \(events)")
        try db.execute("UPDATE event SET asks = FALSE WHERE account_id = \(host) AND asks")
    }
}
