/// The connection lent to a closure for its queries. Used after the closure ends, it throws `DatabaseError.closed`.
///
/// Every function takes one `SELECT`, `INSERT`, `UPDATE` or `DELETE`; only the engine runs transactions and DDL.
///
/// A program may make a subclass of it, to pass on what belongs to a transaction besides.
open class Connection {
    /// What is lent, and for how long.
    final class Loan {
        /// Nil when the closure has ended.
        var session: (any Session)?
        /// The answers that are kept for reads; nil if it must find each itself, as in a write.
        var answers: KeptAnswers?
        /// The state of the data when the reading began; nil if the session has yet to tell.
        var data: DataState?

        init(_ session: any Session) {
            self.session = session
        }
    }

    let loan: Loan

    init(lending session: any Session) {
        loan = Loan(session)
    }

    /// The same connection with more to it; it ends when `other` does.
    public init(sharing other: Connection) {
        loan = other.loan
    }

    func end() {
        loan.session = nil
    }

    /// The first row, or nil if there is none.
    @inlinable public final func first<T: RowDecodable>(_ sql: SQL) throws -> T? {
        try first(sql) { row in try row.whole() }
    }

    /// All rows, in order.
    @inlinable public final func all<T: RowDecodable>(_ sql: SQL) throws -> [T] {
        try all(sql) { row in try row.whole() }
    }

    /// The first row, converted by `make`; nil if there is none.
    @inlinable public final func first<T>(_ sql: SQL, _ make: (inout Row) throws -> T) throws -> T? {
        var made: T?
        try each(sql) { row in
            made = try make(&row)
            return false
        }
        return made
    }

    /// Each row, converted by `make`, in order.
    @inlinable public final func all<T>(_ sql: SQL, _ make: (inout Row) throws -> T) throws -> [T] {
        var made: [T] = []
        try each(sql) { row in
            // Enough for one page of a list without growing.
            if made.isEmpty { made.reserveCapacity(32) }
            made.append(try make(&row))
            return true
        }
        return made
    }

    /// Passes the rows to `body` one at a time, as the database finds them, until it returns false.
    public final func each(_ sql: SQL, _ body: (inout Row) throws -> Bool) throws {
        try lent().each(sql, body)
    }

    /// The first column of the first row, or nil if there is no row or it holds NULL (`max` of nothing).
    @inlinable public final func value<Value: SQLValue>(_ sql: SQL) throws -> Value? {
        try first(sql) { row in try row.next() as Value? } ?? nil
    }

    /// Whether there is any row.
    public final func exists(_ sql: SQL) throws -> Bool {
        var exists = false
        try each(sql) { _ in
            exists = true
            return false
        }
        return exists
    }

    /// The answer to a question that is asked often and has the same answer until the next write that pages show: the
    /// one found before, or what `find` finds now.
    ///
    /// - Parameters:
    ///   - sql: The statement that asks. The answer may depend on nothing but this, its arguments and the data; a time
    ///     among the arguments is best a whole minute, or the same is hardly ever asked twice.
    ///   - mayBeKept: Whether this one may stay in memory; otherwise it is found now.
    public final func kept<T: Sendable>(
        _ sql: SQL, where mayBeKept: Bool = true, _ find: (SQL) throws -> T
    ) throws -> T {
        guard mayBeKept, let (answers, data) = try memory() else { return try find(sql) }
        return try answers.answer(sql.asked, in: data) { try find(sql) }.value
    }

    /// The same for all rows of a list.
    ///
    /// - Parameter mayBeKept: Whether this one may stay in memory; otherwise it is found now.
    public final func keptList<T: RowDecodable & Sendable>(
        _ sql: SQL, where mayBeKept: Bool = true
    ) throws -> Answer<[T]> {
        guard mayBeKept, let (answers, data) = try memory() else { return Answer(value: try all(sql), number: nil) }
        return try answers.answer(sql.asked, in: data, weight: { 1 + $0.count / 4 }) { try all(sql) }
    }

    /// The answers that are kept, and the state of the data that this read sees.
    private func memory() throws -> (KeptAnswers, DataState)? {
        guard let answers = loan.answers else { return nil }
        let data = try loan.data ?? lent().dataState()
        loan.data = data
        return data.map { (answers, $0) }
    }

    /// Executes a change.
    ///
    /// - Returns: How many rows the statement itself inserted, updated or deleted, not counting triggers and cascades.
    @discardableResult public final func execute(_ sql: SQL) throws -> Int {
        try lent().execute(sql)
    }

    /// Inserts one row.
    ///
    /// - Returns: The key of the new row.
    /// - Throws: `DatabaseError.statement` if no row was inserted (`ON CONFLICT DO NOTHING`: use `RETURNING`).
    public final func insert(_ sql: SQL) throws -> Int64 {
        guard let key = try lent().insert(sql) else { throw DatabaseError.statement("inserted no row: \(sql)") }
        return key
    }

    /// The query plan for `sql`: the lines of SQLite's `EXPLAIN QUERY PLAN`, or of PostgreSQL's `EXPLAIN`.
    ///
    /// In SQLite's, a line `PREPARED ANEW` follows where the plan depends on the value of an argument: for `state = ?`
    /// beside an index with `WHERE state = 'open'`, and for `LIKE ?`. SQLite then prepares the statement anew each time
    /// it runs, which takes ten times as long as running it.
    public final func explain(_ sql: SQL) throws -> [String] { try lent().explain(sql) }

    private func lent() throws -> any Session {
        guard let session = loan.session else { throw DatabaseError.closed }
        return session
    }
}
