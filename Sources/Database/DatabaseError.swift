/// The reasons why the database didn't do what it was asked to.
public enum DatabaseError: Error, Equatable {
    /// The schema refuses the change. Caused by a visitor's input: becomes a problem beside the field.
    case constraint(Constraint)
    /// Too much is waiting, or another process holds the file: try again later (503).
    case busy
    /// No space is left on the disk. Nothing of the transaction is stored.
    case full
    /// The disk failed to read or write. Nothing of the transaction is stored.
    case disk(String)
    /// A read took longer than its limit and was ended.
    case tooSlow
    /// The database was opened to be read only, or its file can't be written.
    case readOnly
    /// The file is damaged or no database.
    case corrupt(String)
    /// The file is empty or gone where there was data. Names the file and the problem.
    case missing(String)
    /// The file doesn't hold this program's data. Names the file and the problem.
    case foreign(String)
    /// The file was deleted, replaced or emptied while it was open; no more reads or writes. Its name.
    case lost(String)
    /// Another process owns the data folder.
    case locked
    /// The file can't be opened or created: the folder is missing or not writable.
    case unopenable(String)
    /// A released migration was edited, renamed or moved. Its name.
    case migrationEdited(String)
    /// A migration can't be applied as written. Its name and the problem.
    case migrationFailed(String, String)
    /// The data was written by a newer program. The name of its first migration that this program doesn't know.
    case newerThanProgram(String)
    /// The data begins with a migration that this program no longer has, so it can't be upgraded. Its name.
    case olderThanProgram(String)
    /// The database lacks migrations of this program, and they may not be applied here. The name of the first.
    case notMigrated(String)
    /// A copy differs from its source and was discarded. The table.
    case different(String)
    /// A server, or its database, that Village can't run on. The reason.
    case unsuitable(String)
    /// The server doesn't answer, or the connection was lost: try again later (503). Nothing of the transaction is
    /// stored, unless the connection broke during the commit and the server couldn't be asked about it soon enough.
    case away(String)
    /// A read inside the closure of another read or write: use the connection the closure was given.
    case nested
    /// The database is closed, or a connection was used outside the closure it was lent to.
    case closed
    /// The transaction was rolled back while the closure continued as if nothing had happened. Nothing is stored.
    case rolledBack
    /// A column whose value doesn't match what the code asks for.
    case unreadable(String)
    /// An invalid or forbidden statement, with the reason: a bug in the program.
    case statement(String)

    /// The constraint that was violated.
    public enum Constraint: Sendable, Hashable {
        /// Another row has the same values in these columns (`account.email`), or in the index with this name.
        case unique([String])
        /// The referenced row doesn't exist, or the row being removed is still referenced.
        case foreignKey
        /// The CHECK with this name, or its expression if it has no name.
        case check(String)
        /// NULL in this column (`account.email`).
        case notNull(String)
    }
}
