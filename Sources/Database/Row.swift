/// One row of a result, read column after column: `title = try row.next()`.
///
/// A row is a view of the running statement, not a copy. It is lent to the closure or initialiser that decodes it and
/// can't leave it: being neither copyable nor consumable there, storing or returning it doesn't compile.
public struct Row: ~Copyable {
    @usableFromInline let statement: OpaquePointer
    /// How many columns the row has.
    public let count: Int
    /// The column that is read next, from 0.
    @usableFromInline var position = 0

    init(of statement: OpaquePointer, count: Int) {
        self.statement = statement
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

    /// The value of a row that holds nothing else.
    @usableFromInline mutating func whole<Value: RowDecodable>() throws -> Value {
        let value = try Value(row: &self)
        assert(position == count && count == Value.columns.count, "\(Value.self) reads other columns than it names")
        return value
    }

    @usableFromInline func column() throws -> Column {
        guard position < count else { throw DatabaseError.unreadable("column \(position) of a row of \(count)") }
        return Column(of: statement, at: Int32(truncatingIfNeeded: position))
    }
}

/// One column of a row, lent to the initialiser of an `SQLValue`.
public struct Column: ~Copyable {
    let statement: OpaquePointer
    let index: Int32
    let value: OpaquePointer?
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
