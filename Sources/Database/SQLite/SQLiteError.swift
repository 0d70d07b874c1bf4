import GRDB

extension DatabaseError {
    /// Maps an extended SQLite result code (<https://www.sqlite.org/rescode.html>).
    init(code: Int32, message: String) {
        // "UNIQUE constraint failed: account.email, account.city": the subject follows the colon.
        let colon = message.firstIndex(of: ":")
        let subject = colon.map { String(message[$0...].dropFirst(2)) } ?? message
        // GRDB's `~=`: a primary code such as SQLITE_IOERR matches all its extended ones.
        self =
            switch ResultCode(rawValue: code) {
            case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID:
                .constraint(.unique(Self.columns(in: subject)))
            case .SQLITE_CONSTRAINT_FOREIGNKEY: .constraint(.foreignKey)
            case .SQLITE_CONSTRAINT_CHECK: .constraint(.check(subject))
            case .SQLITE_CONSTRAINT_NOTNULL: .constraint(.notNull(subject))
            case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
            // The log's index is a separate file, and a full disk is reported differently for it.
            case .SQLITE_FULL, .SQLITE_IOERR_SHMSIZE: .full
            case .SQLITE_IOERR: .disk(message)
            case .SQLITE_INTERRUPT: .tooSlow
            case .SQLITE_READONLY: .readOnly
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: .corrupt(message)
            case .SQLITE_CANTOPEN, .SQLITE_PERM: .unopenable(message)
            default: .statement(message)
            }
    }

    /// The same error in our terms, no matter which layer found it.
    static func meaning(of error: any Error) -> any Error {
        guard let error = error as? GRDB.DatabaseError else { return error }
        return DatabaseError(code: error.extendedResultCode.rawValue, message: error.message ?? "\(error)")
    }

    /// `account.email, account.city` or `index 'account_email'`.
    private static func columns(in subject: String) -> [String] {
        if subject.hasPrefix("index '") { return [String(subject.dropFirst(7).dropLast())] }
        return subject.split(separator: ", ").map { String($0) }
    }
}
