import Database

extension Event: Relistable {
    static var kind: Subject.Kind { .event }
    static var rows: (table: SQL, number: SQL) { ("event", "id") }
    static func logName(_ exhibit: Exhibit) -> String { exhibit.title }
    static func recount(_ numbers: SQL, in db: Connection) throws { try relist("id IN \(numbers)", in: db) }

    static func isShown(_ id: ID<Event>, _ exhibit: Exhibit, to reader: Visitor?, in db: Connection) throws -> Bool {
        try Event.find(id, in: db).map { !$0.isHidden || exhibit.author.account == reader?.editing } ?? false
    }

    static func tellShown(_ id: ID<Event>, in tx: Transaction) throws {
        guard let event = try Event.find(id, in: tx), !event.isCancelled, !event.isOver(at: tx.now) else { return }
        try FollowNews.tell(id, event, in: tx)
    }

    /// What staff see of it; nil if it is gone.
    static func exhibit(_ id: ID<Event>, in db: Connection) throws -> Exhibit? {
        guard let event = try Event.find(id, in: db), let author = try Author.find(event.host.id, in: db) else {
            return nil
        }
        let programme = try Activity.all(of: id, in: db).map(\.content)
        let asks = try Ask.all(of: event, in: db).map(\.content)
        let texts =
            [
                event.title, event.venue.line, event.description, event.other?.title ?? "",
                event.other?.description ?? "", event.bring, event.safety,
                event.tags.joined(separator: ", "), event.admission.window.firstZIPs.joined(separator: ", "),
                event.cancelReason,
            ] + programme.map { Exhibit.joined([$0.name, $0.place, $0.info], "\n") }
            + asks.map { Exhibit.joined([$0.text] + $0.options + [$0.why], "\n") }
        var exhibit = Exhibit(
            subject: .event(id), author: author, text: Exhibit.joined(texts), link: event.link)
        exhibit.title = event.title
        exhibit.recognized =
            [event.title, event.description] + (event.other.map { [$0.title, $0.description] } ?? [])
        exhibit.pictures = event.picture.map { [$0] } ?? []
        // Only participants and staff read these.
        let told = try Announcement.latest(about: .event(id), in: db)
        exhibit.aside = Exhibit.joined([event.onlineURL] + told.map { Exhibit.joined([$0.subject, $0.body], "\n") })
        exhibit.isHidden = event.isHiddenByStaff
        exhibit.families = try Registration.families(at: [id], in: db)
        return exhibit
    }
}
