/// One row of a result, read column after column: `title = try row.next()`.
///
/// A row is a view of the running statement, not a copy. It is lent to the closure or initialiser that decodes it and
/// can't leave it: being neither copyable nor consumable there, storing or returning it doesn't compile.
public struct Row: ~Copyable {
    /// Where a driver finds the row.
    enum Source {
        /// A statement of SQLite after a step.
        case sqlite(OpaquePointer)
        /// A row of a result of PostgreSQL.
        case postgreSQL(OpaquePointer, row: Int32)
    }

    private let source: Source
    /// How many columns the row has.
    public let count: Int
    /// The column that is read next, from 0.
    @usableFromInline var position = 0

    init(of source: Source, count: Int) {
        self.source = source
        self.count = count
    }

    /// The value of the next column, as the type the place asks for.
    ///
    /// - Throws: `DatabaseError.unreadable` if the column holds NULL and the type is not an optional, if it holds a
    ///   value of another kind (nothing is converted), or if there is no further column.
    @inlinable public mutating func next<Value: SQLValue>() throws -> Value {
        let value = try Value(column: column())
        position += 1
        return value
    }

    /// The value that the next columns make together.
    ///
    /// - Throws: What reading one of them throws.
    @inlinable public mutating func next<Value: RowDecodable>() throws -> Value { try Value(row: &self) }

    /// The value that the next columns make together; nil where the first of them holds NULL, and then they are passed
    /// by.
    ///
    /// - Throws: What reading one of them throws.
    @inlinable public mutating func next<Value: RowDecodable>() throws -> Value? {
        guard try column().isNull else { return try Value(row: &self) }
        position += Value.columns.count
        return nil
    }

    /// What stands in the next column, whatever it is; a boolean as 0 or 1.
    ///
    /// - Throws: `DatabaseError.unreadable` if there is no further column.
    public mutating func value() throws -> SQL.Value {
        let value = try column().value
        position += 1
        return value
    }

    /// The value of a row that holds nothing else.
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
    /// The value as its driver has it.
    enum Cell {
        case sqlite(SQLiteCell)
        case postgreSQL(PostgreSQLCell)
    }

    /// What stands in a column.
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

    /// The text or the blob.
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

    /// The integer in the column; of a boolean 0 or 1.
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

    /// The error that says what the column holds and what was wanted. Never the value itself: it may be somebody's.
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

/// A type that is read from the columns of a row, in their order.
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
    /// What a query names to read it: `SELECT \(EventCard.columns) FROM event`.
    static var columns: Columns { get }

    /// The value in the next columns of `row`.
    init(row: inout Row) throws
}

/// The columns that a value is read from.
public struct Columns: Sendable, ExpressibleByArrayLiteral {
    /// With commas between.
    let list: SQL
    /// How many there are.
    public let count: Int

    public init(arrayLiteral columns: SQL...) { self.init(list: columns.joined(separator: ", "), count: columns.count) }

    private init(list: SQL, count: Int) {
        self.list = list
        self.count = count
    }

    /// Those of two values that are read one after the other.
    public static func + (first: Columns, second: Columns) -> Columns {
        Columns(list: first.list + ", " + second.list, count: first.count + second.count)
    }
}
