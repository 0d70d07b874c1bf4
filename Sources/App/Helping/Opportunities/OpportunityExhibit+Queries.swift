import Database

extension Opportunity: Relistable {
    static var kind: Subject.Kind { .opportunity }
    static var rows: (table: SQL, number: SQL) { ("opportunity", "id") }
    static var needsVerified: Bool { true }
    static func logName(_ exhibit: Exhibit) -> String { exhibit.title }
    static func recount(_ numbers: SQL, in db: Connection) throws { try relist("id IN \(numbers)", in: db) }

    static func isShown(
        _ id: ID<Opportunity>, _ exhibit: Exhibit, to reader: Visitor?, in db: Connection
    ) throws -> Bool {
        // The time only says which shift is next.
        try Opportunity.find(id, for: reader, in: db.at(Instant(milliseconds: 0))) != nil
    }

    static func tellShown(_ id: ID<Opportunity>, in tx: Transaction) throws {
        guard let opportunity = try Opportunity.find(id, in: tx), opportunity.isOpen(at: tx.now) else { return }
        try FollowNews.tell(id, opportunity, in: tx)
    }

    /// What staff see of it; nil if it is gone.
    static func exhibit(_ id: ID<Opportunity>, in db: Connection) throws -> Exhibit? {
        // The time only says which shift is next.
        guard let opportunity = try Opportunity.find(id, in: db.at(Instant(milliseconds: 0))),
            let author = try Author.find(opportunity.host.id, in: db)
        else { return nil }
        let texts =
            [
                opportunity.title, opportunity.place.name, opportunity.description, opportunity.conditions,
                opportunity.url,
                opportunity.tags.joined(separator: ", "), opportunity.closeReason,
            ] + (try Thing.all(of: id, in: db)).map(\.name) + (try Shift.all(of: id, in: db)).map(\.lead)
        var exhibit = Exhibit(
            subject: .opportunity(id), author: author, text: Exhibit.joined(texts), link: opportunity.link)
        exhibit.title = opportunity.title
        exhibit.recognized = [opportunity.title, opportunity.description]
        // Only helpers and staff read these.
        let told = try Announcement.latest(about: .help(id), in: db)
        exhibit.aside = Exhibit.joined(told.map { Exhibit.joined([$0.subject, $0.body], "\n") })
        exhibit.isHidden = opportunity.isHiddenByStaff
        return exhibit
    }
}
