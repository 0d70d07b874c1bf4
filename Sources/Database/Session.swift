/// One open connection of a driver.
///
/// One thread at a time uses it: everything runs inside `perform` or `later`.
protocol Session: AnyObject, Sendable {
    /// How long one read may take; nil for the writer.
    var limit: ReadLimit? { get }
    /// Whether it is one of those that are open in a slow spell only.
    var isExtra: Bool { get }
    /// How many times reading waited for the disk.
    var waits: Int { get }

    /// Runs `body` in place, alone on this session.
    func perform(_ body: () throws -> Void) rethrows
    /// Runs `body` on a thread of its own, alone on this session, after what was handed in before.
    func later(_ body: @escaping @Sendable () -> Void)
    /// Ends the connection. Nothing may be running.
    func close()

    // MARK: Statements, asked by a `Connection` that was lent

    /// Gives `body` row after row until it returns false.
    func each(_ sql: SQL, _ body: (inout Row) throws -> Bool) throws
    /// Carries out a change, and says how many rows it inserted, updated or deleted itself.
    func execute(_ sql: SQL) throws -> Int
    /// Inserts a row, and says which key it was given; nil if none was inserted.
    func insert(_ sql: SQL) throws -> Int64?
    /// How the database means to find the rows.
    func explain(_ sql: SQL) throws -> [String]

    // MARK: Transactions

    /// Runs `body` in a transaction that reads: all its statements see the same state of the data.
    func read(_ body: (Connection) throws -> Void) throws

    /// Begins a transaction that writes.
    func begin() throws
    /// Sets the mark that `undo` goes back to.
    func mark() throws
    /// Undoes what was done since the mark.
    func undo() throws
    /// Takes the mark away; what was done since then stays.
    func unmark() throws
    /// Ends the transaction, and when this returns it is stored.
    ///
    /// - Parameter isQuiet: Whether nothing that pages show was changed.
    func commit(isQuiet: Bool) throws
    /// Ends the transaction and undoes it. Should it fail, closing the connection does the same.
    func rollBack()
    /// Whether a transaction is open.
    var isInTransaction: Bool { get }
    /// Whether one is open that can still be stored.
    var isSound: Bool { get }
    /// The server's number of the last commit that wasn't quiet, by any program; known after a commit.
    var turn: Int64? { get }
    /// How many rows were changed since the session was opened.
    var totalChanges: Int { get }
    /// How long writes may share one transaction, beside their number; nil for as long as they take.
    var groupTime: Duration? { get }

    /// Takes what was deleted out of the files.
    ///
    /// - Returns: whether it is done.
    func emptyLog() throws -> Bool
    /// What is wrong with the data: damage, references to nothing. Takes as long as it needs.
    func problems() throws -> [String]
    /// What an operator should know of it, and what to mind.
    func facts() throws -> (facts: [String], warnings: [String])
}

extension Session {
    /// One program alone writes to a file.
    var turn: Int64? { nil }

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

    /// Lets nothing through but queries and changes of rows: a COMMIT would store half of a group, a PRAGMA could
    /// switch a protection off.
    func refuseControl(in text: String) throws {
        let upper = text.uppercased()
        let verb = upper.drop { !$0.isLetter }.prefix { $0.isLetter }
        guard ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "VALUES"].contains(verb) else {
            throw DatabaseError.statement("only queries and changes of rows are run here: \(text)")
        }
        // To take all of it apart takes longer, and each connection looks at each of its statements.
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
