/// One row of a result, read by position: `title = try row[3]`.
///
/// A row is a view of the running statement, not a copy. It is lent to the closure or initialiser that decodes it and
/// can't leave it: being neither copyable nor consumable there, storing or returning it doesn't compile.
public struct Row: ~Copyable {
    @usableFromInline let statement: OpaquePointer
    /// How many columns the row has.
    public let count: Int

    init(of statement: OpaquePointer, count: Int) {
        self.statement = statement
        self.count = count
    }

    /// The value of the column at `index`, counted from 0, as the type the place asks for.
    ///
    /// - Throws: `DatabaseError.unreadable` if the column holds NULL and the type is not an optional, if it holds a
    ///   value of another kind (nothing is converted), or if there is no such column.
    @inlinable public subscript<Value: SQLValue>(index: Int) -> Value {
        get throws {
            guard index >= 0, index < count else {
                throw DatabaseError.unreadable("column \(index) of a row of \(count)")
            }
            return try Value(column: Column(of: statement, at: Int32(truncatingIfNeeded: index)))
        }
    }
}

/// One column of a row, lent to the initialiser of an `SQLValue`.
public struct Column: ~Copyable {
    let statement: OpaquePointer
    let index: Int32
    let value: OpaquePointer?
}

/// A type that is decoded from a row, by hand and by position.
///
/// ```swift
/// extension EventCard: RowDecodable {
///     static let columns: SQL = "id, title, place_count"
///     init(row: borrowing Row) throws {
///         id = try row[0]
///         title = try row[1]
///         places = try row[2]
///     }
/// }
/// ```
public protocol RowDecodable {
    /// The value in `row`.
    init(row: borrowing Row) throws
}
