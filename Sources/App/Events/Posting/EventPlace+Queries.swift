import Database
import Forms

extension Event {
    /// A pin farther than this from the town, in kilometers, was left behind when the address changed.
    private static let farthestPin = 150.0

    /// Sets its position from its address, unless there is a pin nearby.
    mutating func locate(in db: Connection) throws {
        guard isInPerson, let town = try Gazetteer.coordinate(of: venue.address, in: db) else { return }
        if let pin = venue.coordinate, pin.distance(to: town) <= Self.farthestPin { return }
        venue.coordinate = town
    }

    /// By whose clock the dates to come of its series go, where this one keeps its times since it began, and its place
    /// was moved to another zone; nil where theirs follows from this one.
    func clockToCome(since before: Event, in db: Connection) throws -> Zone? {
        guard isInPerson, before.isInPerson, venue.zone == before.venue.zone,
            venue.address != before.venue.address,
            try Gazetteer.zone(of: before.venue.address, in: db) == before.venue.clock,
            let zone = try Gazetteer.zone(of: venue.address, in: db), zone != venue.clock
        else { return nil }
        return zone
    }

    /// Where somebody put the pin, if it isn't simply where the address is.
    func pin(in db: Connection) throws -> Coordinate? {
        try venue.coordinate == Gazetteer.coordinate(of: venue.address, in: db) ? nil : venue.coordinate
    }
}

extension EventForm {
    /// The event's zone: the chosen one, otherwise the place's according to the gazetteer. A published event keeps its
    /// zone until it moves; then the zone changes too, unless it differed from the previous place's.
    ///
    /// - Parameter town: The default zone, also for online events.
    func clock(
        changing stored: Event?, in submission: inout Submission<EventForm>, or town: Zone, db: Connection
    ) throws -> Zone {
        let address = isOnlineOnly ? nil : self.address
        var typed = zone
        if let stored {
            let isMoved = address.map { $0 != stored.venue.address } ?? stored.isInPerson
            guard isMoved || typed != nil else { return stored.venue.clock }
            let old = isMoved && typed == stored.zone ? try Gazetteer.zone(of: stored.venue.address, in: db) : nil
            if old == stored.venue.clock {
                typed = nil
                submission.fill(\.zone, nil)
            }
        }
        if let chosen = typed.flatMap({ Zone(typed: $0) }) { return chosen }
        return try address.flatMap { try Gazetteer.zone(of: $0, in: db) } ?? stored?.venue.clock ?? town
    }
}
