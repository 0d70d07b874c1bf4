import Database

extension ImportEntry: RowDecodable {
    static let columns: Columns = [
        "import_entry.id", "import_entry.key", "import_entry.says", "import_entry.took_says", "import_entry.took",
        "import_entry.event_id", "event.starts_at", "event.cancelled_at IS NOT NULL",
        "import_entry.is_left_out", "import_entry.is_kept", "import_entry.is_off", "import_entry.missed_at",
        "import_entry.warned_at", "import_entry.refused",
    ]

    private static let source: SQL = "import_entry LEFT JOIN event ON event.id = import_entry.event_id"

    init(row: inout Row) throws {
        let (id, key): (ID<ImportEntry>, String) = (try row.next(), try row.next())
        let (says, taken): (String, String) = (try row.next(), try row.next())
        self.init(
            id: id, key: key, says: ImportContent(kept: says) ?? .unknown, taken: ImportContent(kept: taken),
            fields: try row.next(), event: try row.next(), startsAt: try row.next(), isEventOff: try row.next(),
            isLeftOut: try row.next(), isKept: try row.next(), isOff: try row.next(), missedAt: try row.next(),
            warnedAt: try row.next(), refused: try row.next())
    }
}

extension ImportEntry {
    /// The most entries of one calendar that are read, including past ones that aren't deleted yet.
    private static let most = 3 * ImportedCalendar.mostEntries

    static func all(of item: ID<CalendarImport>, in db: Connection) throws -> [ImportEntry] {
        try db.all(
            """
            SELECT \(columns) FROM \(source) WHERE import_entry.import_id = \(item)
            ORDER BY import_entry.id LIMIT \(most)
            """)
    }

    /// The current entry; nil if it doesn't exist anymore.
    static func find(_ id: ID<ImportEntry>, of item: ID<CalendarImport>, in db: Connection) throws -> ImportEntry? {
        try db.first(
            "SELECT \(columns) FROM \(source) WHERE import_entry.id = \(id) AND import_entry.import_id = \(item)")
    }

    /// Stores a calendar's current entries.
    ///
    /// - Returns: The removed entries of which the organization must be notified, and those to cancel.
    static func carryOut(
        _ plan: ImportPlan, of item: ID<CalendarImport>, in tx: Transaction
    ) throws -> (warned: [ID<ImportEntry>], off: [ID<ImportEntry>]) {
        for id in plan.dropped { try tx.execute("DELETE FROM import_entry WHERE id = \(id)") }
        for (id, entry) in plan.changed {
            try tx.execute(
                """
                UPDATE import_entry SET key = \(entry.key), says = \(entry.content.kept),
                    ends_at = \(entry.content.endsAt), is_off = \(entry.isOff), is_kept = FALSE, missed_at = NULL,
                    warned_at = NULL
                WHERE id = \(id)
                """)
        }
        for entry in plan.fresh {
            try tx.execute(
                """
                INSERT INTO import_entry (import_id, key, says, ends_at)
                VALUES (\(item), \(entry.key), \(entry.content.kept), \(entry.content.endsAt))
                ON CONFLICT (import_id, key) DO NOTHING
                """)
        }
        var (warned, off): ([ID<ImportEntry>], [ID<ImportEntry>]) = ([], [])
        for (id, step) in plan.missing {
            switch step {
            case .note: try tx.execute("UPDATE import_entry SET missed_at = \(tx.now) WHERE id = \(id)")
            case .warn:
                try tx.execute("UPDATE import_entry SET warned_at = \(tx.now) WHERE id = \(id)")
                warned.append(id)
            case .callOff: off.append(id)
            }
        }
        return (warned, off)
    }

    /// Stores the result of a reading.
    static func note(
        _ plan: ImportPlan, _ unreadable: String, validators: String, of item: CalendarImport, on today: Day,
        in tx: Transaction
    ) throws {
        let suspected: Day? = plan.isSuspicious ? item.suspectedOn ?? today : nil
        // A confirmation lasts until all removed entries have been canceled.
        let isBelieved = item.isBelieved && plan.gone > 0
        // While entries are missing, each day counts, even if the calendar hasn't changed since.
        let kept = plan.gone > 0 ? "" : validators
        try tx.execute(
            """
            UPDATE calendar_import SET read_at = \(tx.now), whole_at = \(tx.now), failed = 0, problem = '',
                unreadable = \(unreadable), validators = \(kept), suspected_on = \(suspected),
                is_believed = \(isBelieved)
            WHERE id = \(item.id)
            """)
        try ImportNews.settle([.failing, .stopped], item.id, in: tx)
        try settleGone(of: item.id, in: tx)
        if suspected == nil { try ImportNews.settle([.suspicious], item.id, in: tx) }
    }

    /// Records an entry's event, the values copied into it, and the current content.
    static func took(_ entry: ImportEntry, _ event: ID<Event>, _ fields: String, in db: Connection) throws {
        try db.execute(
            """
            UPDATE import_entry SET event_id = \(event), took_says = \(entry.says.kept), took = \(fields), refused = ''
            WHERE id = \(entry.id)
            """)
    }

    /// Records why it can't become an event, or that it can.
    static func refuse(_ id: ID<ImportEntry>, _ reason: String, in db: Connection) throws {
        try db.execute("UPDATE import_entry SET refused = \(reason) WHERE id = \(id) AND refused <> \(reason)")
    }

    /// Excludes entries, or includes them again.
    ///
    /// - Returns: How many weren't already.
    static func leaveOut(
        _ ids: [ID<ImportEntry>], _ isOut: Bool, of item: ID<CalendarImport>, in db: Connection
    ) throws -> Int {
        var count = 0
        for start in stride(from: 0, to: ids.count, by: 20) {
            let portion = ids[start..<min(start + 20, ids.count)].padded(to: 20)
            count += try db.execute(
                """
                UPDATE import_entry SET is_left_out = \(isOut)
                WHERE import_id = \(item) AND id IN \(list: portion) AND event_id IS NULL AND is_left_out <> \(isOut)
                """)
        }
        return count
    }

    /// Keeps a removed entry's event.
    ///
    /// - Returns: Whether that is new.
    static func keep(_ id: ID<ImportEntry>, of item: ID<CalendarImport>, in tx: Transaction) throws -> Bool {
        let count = try tx.execute(
            "UPDATE import_entry SET is_kept = TRUE WHERE id = \(id) AND import_id = \(item) AND NOT is_kept")
        try settleGone(of: item, in: tx)
        return count == 1
    }

    /// Once no removed entry waits to be called off, nobody is asked whether to keep one.
    static func settleGone(of item: ID<CalendarImport>, in tx: Transaction) throws {
        let waits = try tx.exists(
            """
            SELECT 1 FROM import_entry
            WHERE import_id = \(item) AND missed_at IS NOT NULL AND warned_at IS NOT NULL AND NOT is_kept
                AND ends_at > \(tx.now)
            """)
        if !waits { try ImportNews.settle([.gone, .severalGone], item, in: tx) }
    }

    /// Deletes a canceled entry.
    static func remove(_ id: ID<ImportEntry>, in db: Connection) throws {
        try db.execute("DELETE FROM import_entry WHERE id = \(id)")
    }

    /// Deletes entries that ended long ago.
    ///
    /// - Returns: The number deleted.
    static func forget(before then: Instant, in db: Connection) throws -> Int {
        try db.execute(
            """
            DELETE FROM import_entry WHERE id IN (
                SELECT id FROM import_entry WHERE ends_at <= \(then) ORDER BY ends_at LIMIT 1000)
            """)
    }
}
