import Database

extension Review: Reportable {
    static var kind: Subject.Kind { .review }
    static var rows: (table: SQL, number: SQL) { ("review", "id") }
    static func logName(_ exhibit: Exhibit) -> String { exhibit.title }
    static func recount(_ numbers: SQL, in db: Connection) throws {
        try OrganizationTotal.recount(numbers, in: db)
    }

    static func tellShown(_ id: ID<Review>, in tx: Transaction) throws {
        try Review.find(id, in: tx)?.tellHost(in: tx)
    }

    /// What staff see of it; nil if it is gone.
    static func exhibit(_ id: ID<Review>, in db: Connection) throws -> Exhibit? {
        guard let review = try Review.find(id, in: db) else { return nil }
        var exhibit = Exhibit(
            subject: .review(id), author: review.author, text: Exhibit.joined([review.comment, review.answer]),
            link: review.link)
        exhibit.editPage = review.edit
        exhibit.title = review.hostName
        exhibit.isHidden = review.isHidden
        return exhibit
    }
}
