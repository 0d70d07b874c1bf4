import Database

/// A connection and the time at which it is used, for queries that depend on the time.
///
/// It is passed on as it is, also to queries that take only a `Connection`. A whole transaction has one time, unless a
/// caller says otherwise: `in: tx.at(deadline)`.
final class Transaction: Connection {
    let now: Instant

    fileprivate init(_ db: Connection, at now: Instant) {
        self.now = now
        super.init(sharing: db)
    }
}

extension Connection {
    /// The same connection, at a time.
    func at(_ now: Instant) -> Transaction { Transaction(self, at: now) }
}
