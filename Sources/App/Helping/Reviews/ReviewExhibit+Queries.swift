import Database

extension Review {
    /// What staff see of it; nil if it is gone.
    static func exhibit(_ id: ID<Review>, in db: Connection) throws -> Exhibit? {
        guard let review = try Review.find(id, in: db) else { return nil }
        var exhibit = Exhibit(
            subject: .review(id), author: review.author, text: Exhibit.joined([review.comment, review.answer]),
            link: review.link)
        exhibit.title = review.hostName
        exhibit.isHidden = review.isHidden
        return exhibit
    }
}
