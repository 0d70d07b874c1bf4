import Database

extension Need: Relistable {
    static var kind: Subject.Kind { .need }
    static var rows: (table: SQL, number: SQL) { ("need", "id") }
    static func logName(_ exhibit: Exhibit) -> String { exhibit.title }
    static func recount(_ numbers: SQL, in db: Connection) throws { try relist("id IN \(numbers)", in: db) }

    static func isShown(_ id: ID<Need>, _ exhibit: Exhibit, to reader: Visitor?, in db: Connection) throws -> Bool {
        try Need.find(id, for: reader?.account, isStaff: reader?.isStaff == true, in: db) != nil
    }

    /// What staff see of it; nil if it is gone.
    static func exhibit(_ id: ID<Need>, in db: Connection) throws -> Exhibit? {
        guard let need = try Need.find(id, in: db) else { return nil }
        let texts = [need.title, need.description] + (need.place.isHome ? [] : [need.place.line])
        var exhibit = Exhibit(subject: .need(id), author: need.author, text: Exhibit.joined(texts), link: need.link)
        exhibit.title = need.title
        exhibit.recognized = [need.title, need.description]
        exhibit.pictures = need.picture.map { [$0] } ?? []
        exhibit.isLasting = need.isLasting && !need.isClosed
        exhibit.pin = need.place.coordinate
        exhibit.isHidden = need.isHidden
        return exhibit
    }
}
