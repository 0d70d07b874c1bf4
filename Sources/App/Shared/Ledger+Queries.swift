import Database

/// A table's count of what people take and give back: the places of an event, an activity or a shift, the pieces of a
/// thing or a need. Each change of a count goes through it.
struct Ledger: Sendable {
    let table: SQL
    /// The column with the number that is taken.
    var taken: SQL = "taken"
    /// How many there are; NULL if there is no limit.
    var all: SQL = "spots"

    /// Takes some if there are as many: the check and the change are one statement, so that none is given twice.
    ///
    /// - Parameters:
    ///   - count: How many, for the row.
    ///   - row: A condition for the row.
    ///   - change: What else changes in it, as in `, held_free = 0`.
    /// - Returns: Whether there were as many.
    func take(_ count: SQL, where row: SQL, also change: SQL = "", in db: Connection) throws -> Bool {
        try db.execute(
            """
            UPDATE \(table) SET \(taken) = \(taken) + \(count)\(change)
            WHERE \(row) AND coalesce(\(taken) + \(count) <= \(all), TRUE)
            """) == 1
    }

    /// Gives some back, or as many as are taken.
    func giveBack(_ count: SQL, where rows: SQL, also change: SQL = "", in db: Connection) throws {
        try db.execute(
            """
            UPDATE \(table) SET \(taken) = CASE WHEN \(taken) > \(count) THEN \(taken) - (\(count)) ELSE 0 END\(change)
            WHERE \(rows)
            """)
    }
}

/// Something with places for which people wait in a line when all are taken: an event, an activity, a shift. Those who
/// wait come first: code that takes places calls `offerFreedPlaces` before, and code that frees some calls it in the
/// same transaction.
protocol PlaceOffering {
    /// Somebody in the line, and what they can have.
    associatedtype Candidate

    /// The first in the line who can have places; nil if there is nobody.
    static func next(for id: ID<Self>, in tx: Transaction) throws -> Candidate?
    /// Gives somebody the places, or offers or keeps them; or removes them from the line if they can no longer come.
    ///
    /// - Returns: Whether they were told of places.
    static func give(_ candidate: Candidate, at id: ID<Self>, in tx: Transaction) throws -> Bool
    /// Prepares the places before the first in the line gets some.
    static func prepareLine(for id: ID<Self>, in tx: Transaction) throws
    /// Does the rest once nobody in the line can have more places.
    ///
    /// - Returns: The number of people told.
    static func follow(lineFor id: ID<Self>, in tx: Transaction) throws -> Int
}

extension PlaceOffering {
    static func prepareLine(for id: ID<Self>, in tx: Transaction) throws {}
    static func follow(lineFor id: ID<Self>, in tx: Transaction) throws -> Int { 0 }

    /// Gives free places to those who wait, in order: the only way that they get some.
    ///
    /// - Returns: The number of parties or people told.
    @discardableResult static func offerFreedPlaces(_ id: ID<Self>, in tx: Transaction) throws -> Int {
        try prepareLine(for: id, in: tx)
        var told = 0
        while let candidate = try next(for: id, in: tx) {
            if try give(candidate, at: id, in: tx) { told += 1 }
        }
        return try told + follow(lineFor: id, in: tx)
    }

    /// The same for several, in the order of their ID.
    @discardableResult
    static func offerFreedPlaces(_ ids: some Sequence<ID<Self>>, in tx: Transaction) throws -> Int {
        try Set(ids).sorted().reduce(0) { try $0 + offerFreedPlaces($1, in: tx) }
    }
}
