/// Why the database did not do what it was asked to.
public enum DatabaseError: Error, Equatable {
    /// The schema refuses the change. A visitor's doing: becomes a problem beside the field.
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
    /// The file is empty or gone where there was data. What is wrong with which file.
    case missing(String)
    /// The file holds something else than this program's data. What is wrong with which file.
    case foreign(String)
    /// The file was deleted, replaced or emptied while it was open: nothing is read or written anymore. Its name.
    case lost(String)
    /// Another process owns the data folder.
    case locked
    /// The file can't be opened or made: the folder is missing or may not be written.
    case unopenable(String)
    /// A released migration was edited, renamed or moved. Its name.
    case migrationEdited(String)
    /// A migration can't be carried out as it is written. Its name and what is wrong.
    case migrationFailed(String, String)
    /// The data was written by a newer program. The name of its first migration that this one doesn't know.
    case newerThanProgram(String)
    /// The data begins with a migration that this program has no more: there is no way from there. Its name.
    case olderThanProgram(String)
    /// The database lacks migrations of this program, and may not be given them here. The name of the first.
    case notMigrated(String)
    /// A copy isn't what it was made from, and isn't kept. The table.
    case different(String)
    /// A server, or its database, that Village can't be right on. What is wrong.
    case unsuitable(String)
    /// The server doesn't answer, or the connection was lost: try again later (503). Nothing of the transaction is
    /// stored, unless its very end was lost and the server couldn't be asked about it soon.
    case away(String)
    /// A read inside the closure of another read or write: use the connection the closure was given.
    case nested
    /// The database is closed, or a connection was used outside the closure it was lent to.
    case closed
    /// The transaction fell while the closure went on as if nothing had happened. Nothing is stored.
    case rolledBack
    /// A column that doesn't hold what the code asks for.
    case unreadable(String)
    /// A statement that is wrong or not allowed here, with the reason: a mistake in the program.
    case statement(String)

    /// What the schema refuses.
    public enum Constraint: Sendable, Hashable {
        /// Another row has the same values in these columns (`account.email`) or in the index of this name.
        case unique([String])
        /// The row that is referred to isn't there, or the row that is removed is still referred to.
        case foreignKey
        /// The CHECK of this name, or its expression if it has no name.
        case check(String)
        /// NULL in this column (`account.email`).
        case notNull(String)
    }
}
