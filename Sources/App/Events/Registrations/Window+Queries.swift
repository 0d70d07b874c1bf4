import Database

extension Window: RowDecodable {
    static let columns: Columns = ["event.opens_at", "event.closes_at", "event.first_zips", "event.first_until"]

    init(row: inout Row) throws {
        self.init(
            opensAt: try row.next(), closesAt: try row.next(),
            firstZIPs: (try row.next() as String).parts(at: "\n").map(String.init), firstUntil: try row.next())
    }

    /// Makes sure that a family can register for an event now, in the transaction that registers it, and that there is
    /// no pending draw.
    ///
    /// - Parameter sessions: Whether sessions were chosen, as required if the event has them.
    /// - Throws: `Event.NoRoom`; the page says why.
    static func check(_ event: ID<Event>, for account: ID<Account>, sessions: Bool = false, in tx: Transaction) throws {
        let found: (window: Window, zip: String?, hasSessions: Bool, isDrawn: Bool)? = try tx.first(
            """
            SELECT \(columns), family.zip, event.sessions, \(Draw.isPending(at: "event.id"))
            FROM event LEFT JOIN family ON family.account_id = \(account)
            WHERE event.id = \(event)
            """
        ) { (try Window(row: &$0), try $0.next(), try $0.next(), try $0.next()) }
        guard let found else { return }
        guard found.hasSessions == sessions, !found.isDrawn, found.window.gate(zip: found.zip, at: tx.now) == .open
        else {
            throw Event.NoRoom()
        }
    }
}
