import Database

extension EventFilter {
    /// The filter with its place.
    ///
    /// - Throws: `Refusal.notFound` where the place isn't known.
    func known(in db: Connection) throws -> EventFilter {
        let filter = try located(in: db)
        guard !filter.isLost else { throw Refusal.notFound }
        return filter
    }
}
