/// One open connection of a driver.
///
/// One thread at a time uses it: everything runs inside `perform` or `later`.
protocol Session: AnyObject, Sendable {
    /// How long one read may take; nil for the writer.
    var limit: ReadLimit? { get }
    /// Whether it is an extra session, open only while the disk is slow.
    var isExtra: Bool { get }
    /// How many times reading waited for the disk.
    var waits: Int { get }

    /// Runs `body` in place, with exclusive use of this session.
    func perform(_ body: () throws -> Void) rethrows
    /// Runs `body` on another thread, with exclusive use of this session, after everything submitted before.
    func later(_ body: @escaping @Sendable () -> Void)
    /// Ends the connection. Nothing may be running.
    func close()

    // MARK: Statements, called by a lent `Connection`

    /// Passes rows to `body` until it returns false.
    func each(_ sql: SQL, _ body: (inout Row) throws -> Bool) throws
    /// Executes a change, and returns how many rows it inserted, updated or deleted itself.
    func execute(_ sql: SQL) throws -> Int
    /// Inserts a row, and returns its key; nil if none was inserted.
    func insert(_ sql: SQL) throws -> Int64?
    /// The query plan.
    func explain(_ sql: SQL) throws -> [String]

    // MARK: Transactions

    /// Runs `body` in a read transaction: all its statements see the same snapshot.
    func read(_ body: (Connection) throws -> Void) throws

    /// The state of the data that the current read sees, or an earlier one; nil if the session doesn't know.
    func dataState() throws -> DataState?

    /// Begins a write transaction.
    func begin() throws
    /// Sets the savepoint that `undo` returns to.
    func mark() throws
    /// Undoes everything since the savepoint.
    func undo() throws
    /// Releases the savepoint and keeps the changes.
    func unmark() throws
    /// Commits the transaction. When this returns, it is stored.
    ///
    /// - Parameter isQuiet: Whether no change shows on a page.
    func commit(isQuiet: Bool) throws
    /// Rolls the transaction back. If that fails, closing the connection has the same effect.
    func rollBack()
    /// Whether a transaction is open.
    var isInTransaction: Bool { get }
    /// Whether a transaction is open that can still be committed.
    var isSound: Bool { get }
    /// The server's number for the last commit that wasn't quiet, by any program; known after a commit.
    var turn: Int64? { get }
    /// How many rows have changed since the session was opened.
    var totalChanges: Int { get }
    /// How long writes may share one transaction, in addition to the limit on their number; nil for no limit.
    var groupTime: Duration? { get }

    /// Whether so much was committed that it is to be moved from the log into the file.
    var hasLongLog: Bool { get }
    /// Moves the log into the file, as far as no reader needs it.
    func shortenLog()
    /// Removes deleted data from the files.
    ///
    /// - Returns: Whether it succeeded.
    func emptyLog() throws -> Bool
    /// Damage and dangling references in the data. Takes as long as it needs.
    func problems() throws -> [String]
    /// Facts and warnings for the operator.
    func facts() throws -> (facts: [String], warnings: [String])
}

extension Session {
    /// Only one program writes to a file, and counts.
    func dataState() -> DataState? { nil }
    var turn: Int64? { nil }

    /// A server looks after its log.
    var hasLongLog: Bool { false }
    func shortenLog() {}

    func perform<T>(_ body: () throws -> T) rethrows -> T {
        var result: T?
        try perform { () throws -> Void in result = try body() }
        return result!
    }

    func read<T>(_ body: (Connection) throws -> T) throws -> T {
        var result: T?
        try read { (db: Connection) throws -> Void in result = try body(db) }
        return result!
    }

    /// Lets only queries and changes of rows through: a COMMIT would store half of a group, and a PRAGMA could turn off
    /// a protection.
    func refuseControl(in text: String) throws {
        let upper = text.uppercased()
        let verb = upper.drop { !$0.isLetter }.prefix { $0.isLetter }
        guard ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "VALUES"].contains(verb) else {
            throw DatabaseError.statement("only queries and changes of rows are run here: \(text)")
        }
        // Splitting the text takes longer, and each connection checks each of its statements.
        guard upper.contains("ROLLBACK") else { return }
        let words = upper.split { !$0.isLetter }
        if zip(words, words.dropFirst()).contains(where: { $0 == "OR" && $1 == "ROLLBACK" }) {
            throw DatabaseError.statement("OR ROLLBACK would undo what others wrote: \(text)")
        }
    }

    /// Lends a connection for as long as `body` runs.
    func lend<T>(_ body: (Connection) throws -> T) rethrows -> T {
        let connection = Connection(lending: self)
        defer { connection.end() }
        return try body(connection)
    }
}
