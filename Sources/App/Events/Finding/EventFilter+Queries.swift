import Database

extension EventFilter {
    /// The filter with its place resolved.
    func located(in db: Connection) throws -> EventFilter {
        var filter = self
        filter.tags = try Tag.current(tags, in: db)
        guard around == nil else { return filter }
        if let event {
            if let event = try Event.find(event, in: db), !event.isHidden, let coordinate = event.coordinate {
                filter.around = .found(
                    Gazetteer.Match(
                        name: event.title, region: event.address.state, country: event.address.country,
                        coordinate: coordinate, population: 0), others: [])
            }
        } else if !near.isEmpty {
            filter.around = try Gazetteer.answer(near, country: country, in: db)
        }
        return filter
    }

    /// The filter with its place resolved, and the reader's own town as an offer, except for a parent with the
    /// provider's hat.
    func located(for visitor: Visitor?, in db: Connection) throws -> EventFilter {
        var filter = try located(in: db)
        if let visitor, visitor.isParent || visitor.family == nil {
            filter.home = try Gazetteer.home(of: visitor, country: country, in: db)?.typed
        }
        return filter
    }
}
