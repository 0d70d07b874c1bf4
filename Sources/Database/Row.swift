/// One row of a result, read one column after another: `title = try row.next()`.
///
/// A row is a view of the running statement, not a copy. It is lent to the closure or initializer that decodes it and
/// can't escape: it is neither copyable nor consumable there, so storing or returning it doesn't compile.
public struct Row: ~Copyable {
    /// Where a driver finds the row's values.
    enum Source {
        /// An SQLite statement after a step.
        case sqlite(OpaquePointer)
        /// A row of a PostgreSQL result.
        case postgreSQL(OpaquePointer, row: Int32)
    }

    private let source: Source
    /// How many columns the row has.
    public let count: Int
    /// The index of the next column, from 0.
    @usableFromInline var position = 0

    init(of source: Source, count: Int) {
        self.source = source
        self.count = count
    }

    /// The next column's value, as the type that the context asks for.
    ///
    /// - Throws: `DatabaseError.unreadable` if the column holds NULL and the type isn't optional, if it holds another
    ///   kind of value (nothing is converted), or if there are no more columns.
    @inlinable public mutating func next<Value: SQLValue>() throws -> Value {
        let value = try Value(column: column())
        position += 1
        return value
    }

    /// The value that the next columns form together.
    ///
    /// - Throws: What reading any of them throws.
    @inlinable public mutating func next<Value: RowDecodable>() throws -> Value { try Value(row: &self) }

    /// The value that the next columns form together; nil if the first of them is NULL, and then they are skipped.
    ///
    /// - Throws: What reading any of them throws.
    @inlinable public mutating func next<Value: RowDecodable>() throws -> Value? {
        guard try column().isNull else { return try Value(row: &self) }
        position += Value.columns.count
        return nil
    }

    /// The next column's value of any kind; a boolean as 0 or 1.
    ///
    /// - Throws: `DatabaseError.unreadable` if there are no more columns.
    public mutating func value() throws -> SQL.Value {
        let value = try column().value
        position += 1
        return value
    }

    /// The row as a single value.
    @usableFromInline mutating func whole<Value: RowDecodable>() throws -> Value {
        let value = try Value(row: &self)
        assert(position == count && count == Value.columns.count, "\(Value.self) reads other columns than it names")
        return value
    }

    @usableFromInline func column() throws -> Column {
        guard position < count else { throw DatabaseError.unreadable("column \(position) of a row of \(count)") }
        let index = Int32(truncatingIfNeeded: position)
        return switch source {
        case .sqlite(let statement): Column(.sqlite(SQLiteCell(of: statement, at: index)), at: index)
        case .postgreSQL(let result, let row):
            Column(.postgreSQL(PostgreSQLCell(of: result, row: row, at: index)), at: index)
        }
    }
}

/// One column of a row, lent to the initialiser of an `SQLValue`.
public struct Column: ~Copyable {
    /// The value in its driver's form.
    enum Cell {
        case sqlite(SQLiteCell)
        case postgreSQL(PostgreSQLCell)
    }

    /// The kind of value in a column.
    enum Found {
        case null, integer, real, text, bytes
    }

    private let cell: Cell
    private let index: Int32
    private let found: Found

    init(_ cell: Cell, at index: Int32) {
        self.cell = cell
        self.index = index
        found =
            switch cell {
            case .sqlite(let cell): cell.found
            case .postgreSQL(let cell): cell.found
            }
    }

    /// The text or blob.
    private var bytes: UnsafeRawBufferPointer {
        switch cell {
        case .sqlite(let cell): cell.bytes
        case .postgreSQL(let cell): cell.bytes
        }
    }

    fileprivate var value: SQL.Value {
        get throws {
            switch found {
            case .null: .null(.text)
            case .integer: .integer(try integer())
            case .real: .real(try real())
            case .text: .text(try text())
            case .bytes: .blob(try blob())
            }
        }
    }

    /// Whether the column holds NULL.
    public var isNull: Bool { found == .null }

    /// The integer in the column; 0 or 1 for a boolean.
    public func integer() throws -> Int64 {
        guard found == .integer else { throw unreadable(as: "an integer") }
        return switch cell {
        case .sqlite(let cell): cell.integer
        case .postgreSQL(let cell): cell.integer
        }
    }

    /// The floating-point number in the column.
    public func real() throws -> Double {
        switch cell {
        case .sqlite(let cell) where found == .real: return cell.real
        case .postgreSQL(let cell) where found == .real || cell.isNumeric && found == .integer: return cell.real
        default: throw unreadable(as: "a real number")
        }
    }

    /// The text in the column.
    public func text() throws -> String {
        guard found == .text else { throw unreadable(as: "text") }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes in the column.
    public func blob() throws -> [UInt8] {
        guard found == .bytes else { throw unreadable(as: "bytes") }
        return [UInt8](bytes)
    }

    /// An error that names the kind found and the kind wanted, but never the value: it may be personal.
    public func unreadable(as wanted: String) -> DatabaseError {
        let found =
            switch found {
            case .integer: "an integer"
            case .real: "a real number"
            case .text: "text"
            case .bytes: "bytes"
            case .null: "NULL"
            }
        let name =
            switch cell {
            case .sqlite(let cell): cell.name
            case .postgreSQL(let cell): cell.name
            }
        return .unreadable("column \(index) (\(name)) holds \(found) that is not \(wanted)")
    }
}

/// A type that is read from consecutive columns of a row.
///
/// ```swift
/// extension EventCard: RowDecodable {
///     static let columns: Columns = ["event.id", "event.title"] + Schedule.columns
///
///     init(row: inout Row) throws {
///         id = try row.next()
///         title = try row.next()
///         schedule = try row.next()
///     }
/// }
/// ```
public protocol RowDecodable {
    /// The columns to select: `SELECT \(EventCard.columns) FROM event`.
    static var columns: Columns { get }

    /// Reads the value from the next columns of `row`.
    init(row: inout Row) throws
}

/// The columns that a value is read from.
public struct Columns: Sendable, ExpressibleByArrayLiteral {
    /// The names, separated by commas.
    let list: SQL
    /// The number of columns.
    public let count: Int

    public init(arrayLiteral columns: SQL...) { self.init(list: columns.joined(separator: ", "), count: columns.count) }

    private init(list: SQL, count: Int) {
        self.list = list
        self.count = count
    }

    /// The columns of two values that are read one after the other.
    public static func + (first: Columns, second: Columns) -> Columns {
        Columns(list: first.list + ", " + second.list, count: first.count + second.count)
    }
}
