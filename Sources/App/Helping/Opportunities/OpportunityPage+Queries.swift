import Database

extension OpportunityPage {
    /// The page for a reader who may see it.
    ///
    /// - Throws: `Refusal.notFound`.
    init(
        _ id: ID<Opportunity>, for reader: Visitor?, chosen: [ID<Shift>] = [], children: [ID<Child>] = [],
        outlines: Outlines, in tx: Transaction
    ) throws {
        guard let opportunity = try Opportunity.find(id, for: reader, in: tx) else { throw Refusal.notFound }
        let held = try reader.map { try Signup.held(by: $0.account, at: id, in: tx) } ?? []
        let shifts = try Shift.all(of: id, in: tx)
        self.init(
            opportunity, shifts, try Thing.all(of: id, in: tx), held: held,
            waiting: try reader.map { try Shift.waiting(of: $0.account, at: id, in: tx) } ?? [],
            refused: try reader.map {
                try opportunity.asksFirst ? Signup.refusedShifts(of: $0.account, at: id, in: tx) : []
            } ?? [], chosen: chosen,
            companions: try Companion.Choice.all(of: reader, to: opportunity, shifts, ticked: children, in: tx),
            at: tx.now)
        promises = try reader.map { try Promise.open(of: $0.account, at: id, in: tx) } ?? []
        given = try reader.map { try Promise.given(of: $0.account, at: id, in: tx) } ?? []
        takesYoung =
            isOpen && held.contains { $0.shift?.isOpen(at: tx.now) == true }
            && Companion.mayCome(to: opportunity, at: tx.now)
        isOwn = reader?.acting == opportunity.host.id
        if let reader, !held.isEmpty || !awaited.isEmpty {
            isTold = try Announcement.reached(reader.account, about: id, in: tx)
        }
        if let reader, !isOwn {
            isSaved = try Favorite.opportunity(id).savedState(for: reader.account, in: tx)
        }
        total = try OrganizationTotal.of(opportunity.host.id, in: tx)
        similar = try Opportunity.offered(by: opportunity.host.id, atMost: 4, in: tx).filter { $0.id != id }
        if isOwn {
            asking =
                try tx.value("SELECT count(*) FROM signup WHERE opportunity_id = \(id) AND state = 'asked'") ?? 0
        }
        if let pin = opportunity.pin {
            map = try MapDrawing(
                [pin], country: opportunity.place.address.country, kilometres: 16, height: 280,
                outlines: outlines, in: tx)
        }
    }
}

extension MapDrawing {
    /// A map of the places where a member signed up.
    static func ahead(
        of signups: [Signup], country: String, outlines: Outlines, in db: Connection
    ) throws -> MapDrawing? {
        let ids = signups.prefix(20).map(\.opportunity)
        var places: [ID<Opportunity>: Coordinate] = [:]
        try db.each(
            """
            SELECT opportunity.id, point.latitude, point.longitude FROM opportunity
            JOIN point ON point.id = opportunity.point_id
            WHERE opportunity.id IN \(list: ids.padded(to: 20)) LIMIT 20
            """
        ) { row in
            places[try row.next()] = try row.next()
            return true
        }
        let pins = signups.prefix(20).compactMap { signup in
            places[signup.opportunity].map(signup.pin)
        }
        guard !pins.isEmpty else { return nil }
        return try MapDrawing(pins, country: country, kilometres: 12, height: 280, outlines: outlines, in: db)
    }
}
