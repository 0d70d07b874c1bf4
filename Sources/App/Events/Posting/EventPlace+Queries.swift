import Database
import Forms

extension Event {
    /// A pin this far from the town, in kilometres, is one that was left behind when the address changed.
    private static let farthestPin = 150.0

    /// Puts it where its address is, unless somebody put its pin near there.
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
    /// By whose clock it will be: as somebody chose, else as the gazetteer knows the place. An event that is public
    /// stays in its zone until it moves; then its zone moves too, unless it wasn't that of the place before.
    ///
    /// - Parameter town: What holds where nobody knows better, and of what is on the web alone.
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
