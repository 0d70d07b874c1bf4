import Database

extension EventFilter {
    /// The filter with what the gazetteer says of its place; the same when it knows already.
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

    /// The same, and the reader's own town, to be offered: not to a parent who is here as a provider.
    func located(for visitor: Visitor?, in db: Connection) throws -> EventFilter {
        var filter = try located(in: db)
        if let visitor, visitor.isParent || visitor.family == nil {
            filter.home = try Gazetteer.home(of: visitor, country: country, in: db)?.typed
        }
        return filter
    }
}
