import Database

extension Plan: SQLValue {}

extension Plan {
    static func of(_ host: ID<Account>, in db: Connection) throws -> Plan {
        try db.value("SELECT plan FROM provider WHERE account_id = \(host)") ?? .basic
    }

    /// A host's usage of the plan in a year.
    static func use(by host: ID<Account>, in year: Int, _ db: Connection) throws -> Use {
        let used: Int? = try db.value(
            """
            SELECT count(*) FROM event WHERE account_id = \(host) AND counts AND day >= \("\(year)-01-01")
                AND day <= \("\(year)-12-31")
            """)
        return Use(plan: try of(host, in: db), year: year, used: used ?? 0)
    }

    /// Makes sure that the plan has room for events on these days, in the transaction that stores them.
    ///
    /// - Throws: `IsFull` for the first year with too little room.
    static func check(_ days: [Day], of host: ID<Account>, in db: Connection) throws {
        for (year, days) in Dictionary(grouping: days, by: \.year).sorted(by: { $0.key < $1.key }) {
            let use = try use(by: host, in: year, db)
            guard days.count <= use.left else { throw IsFull(use: use) }
        }
    }

    static func grant(_ plan: Plan, to host: ID<Account>, in tx: Transaction) throws {
        try tx.execute("UPDATE provider SET plan = \(plan), updated_at = \(tx.now) WHERE account_id = \(host)")
    }

    /// Whether the site requires a price for every event, with any plan.
    static func pricesAreRequired(in db: Connection) throws -> Bool { try Note.isSet("prices", in: db) }

    /// Whether a host must state prices, because the site or their plan requires it.
    static func asksForPrice(_ host: ID<Account>, in db: Connection) throws -> Bool {
        try pricesAreRequired(in: db) || of(host, in: db).asksForPrice
    }

    static func requirePrices(_ isRequired: Bool, in db: Connection) throws {
        if isRequired { try Note.set("prices", "1", in: db) } else { try Note.clear("prices", in: db) }
    }
}
