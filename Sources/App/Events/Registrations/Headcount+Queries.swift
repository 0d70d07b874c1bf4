import Database

extension Headcount {
    init(of event: ID<Event>, in db: Connection) throws {
        self =
            try db.first("SELECT heads, heads_online FROM event WHERE id = \(event)") {
                Headcount(here: try $0.next(), online: try $0.next())
            } ?? Headcount()
    }

    /// How many people were checked in, or came without a registration.
    static func ticked(at event: ID<Event>, in db: Connection) throws -> Int {
        try db.value("SELECT arrived + walk_ins FROM event WHERE id = \(event)") ?? 0
    }

    func store(for event: ID<Event>, in db: Connection) throws {
        try db.execute("UPDATE event SET heads = \(here), heads_online = \(online) WHERE id = \(event)")
    }
}
