import Database

extension EventFilter {
    /// The filter with its place resolved.
    ///
    /// - Throws: `Refusal.notFound` if the place is unknown.
    func known(in db: Connection) throws -> EventFilter {
        let filter = try located(in: db)
        guard !filter.isLost else { throw Refusal.notFound }
        return filter
    }
}
