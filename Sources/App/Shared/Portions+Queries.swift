import Database

extension Connection {
    /// How many rows are read at a time where all are needed: a server answers a statement with all its rows at once.
    static let portion = 10_000

    /// Passes all rows of a table to `body` in the order of their ID, a portion at a time.
    ///
    /// - Parameter read: Reads so many rows after an ID, in order.
    func inPortions<Row>(
        of size: Int = Connection.portion, _ read: (_ after: Int64, _ limit: Int) throws -> [(id: Int64, row: Row)],
        each body: (Row) throws -> Void
    ) throws {
        var last: Int64 = 0
        while true {
            let rows = try read(last, size)
            for row in rows { try body(row.row) }
            guard rows.count == size, let end = rows.last?.id else { return }
            last = end
        }
    }
}
