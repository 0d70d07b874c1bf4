import GRDB
import GRDBSQLite

/// A prepared statement, stepped through SQLite's own functions: GRDB's cursors would do unnecessary work for each row.
final class SQLiteStatement {
    private let prepared: GRDB.Statement
    private let handle: OpaquePointer
    private let columnCount: Int
    /// Whether its rows are being read. Until that ends, nobody else may restart it.
    private(set) var isRunning = false
    /// When it was last started, on its session's clock.
    var lastUse = 0

    init(_ prepared: GRDB.Statement) {
        self.prepared = prepared
        handle = prepared.sqliteStatement
        columnCount = Int(sqlite3_column_count(handle))
    }

    /// Binds the arguments, ready for the first step.
    func start(_ arguments: [SQL.Value]) throws {
        guard sqlite3_bind_parameter_count(handle) == arguments.count else {
            throw DatabaseError.statement("a placeholder that is no \\( ): \(prepared.sql)")
        }
        isRunning = true
        for (position, argument) in arguments.enumerated() {
            let code = bind(argument, at: Int32(position + 1))
            guard code == SQLITE_OK else {
                finish()
                throw failure(code)
            }
        }
    }

    private func bind(_ value: SQL.Value, at position: Int32) -> Int32 {
        // SQLITE_TRANSIENT, a macro that isn't imported: SQLite makes a copy.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: return sqlite3_bind_null(handle, position)
        case .integer(let value): return sqlite3_bind_int64(handle, position, value)
        case .boolean(let value): return sqlite3_bind_int64(handle, position, value ? 1 : 0)
        case .real(let value): return sqlite3_bind_double(handle, position, value)
        case .text(var value):
            return value.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    // An empty string may have no address, which SQLite would read as NULL.
                    guard let start = characters.baseAddress else {
                        return sqlite3_bind_text(handle, position, "", 0, transient)
                    }
                    return sqlite3_bind_text64(
                        handle, position, start, UInt64(characters.count), transient, UInt8(SQLITE_UTF8))
                }
            }
        case .blob(let value):
            guard !value.isEmpty else { return sqlite3_bind_zeroblob(handle, position, 0) }
            return value.withUnsafeBytes {
                sqlite3_bind_blob64(handle, position, $0.baseAddress, UInt64($0.count), transient)
            }
        }
    }

    /// Advances to the next row.
    ///
    /// - Returns: False when there is none.
    func step() throws -> Bool {
        let code = sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw failure(code)
        }
    }

    /// The row of the last step; valid until the next one.
    var row: Row { Row(of: .sqlite(handle), count: columnCount) }

    /// Ends reading and releases the arguments, which may be large or personal.
    func finish() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        isRunning = false
    }

    /// Whether an argument's value had SQLite prepare it anew.
    var wasPreparedAnew: Bool { sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0) > 0 }

    private func failure(_ code: Int32) -> DatabaseError {
        DatabaseError(code: code, message: String(cString: sqlite3_errmsg(sqlite3_db_handle(handle))))
    }
}

/// One value of an SQLite row.
struct SQLiteCell {
    private let statement: OpaquePointer
    private let index: Int32
    private let value: OpaquePointer?

    init(of statement: OpaquePointer, at index: Int32) {
        self.statement = statement
        self.index = index
        // Reading from the value object avoids a mutex and a bounds check in each access. SQLite calls it unprotected,
        // which is safe here because one thread at a time uses a session.
        value = sqlite3_column_value(statement, index)
    }

    var found: Column.Found {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .bytes
        default: .null
        }
    }

    var integer: Int64 { sqlite3_value_int64(value) }

    var real: Double { sqlite3_value_double(value) }

    /// Read as a blob even if it is text, which avoids a copy with a zero byte at the end.
    var bytes: UnsafeRawBufferPointer {
        let start = sqlite3_value_blob(value)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }

    /// The column's name.
    var name: String { sqlite3_column_name(statement, index).map { String(cString: $0) } ?? "?" }
}
