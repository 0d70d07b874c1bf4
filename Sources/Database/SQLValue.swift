/// A type that can be bound to a statement and read from a column.
///
/// A type with a raw value (`enum State: String, SQLValue`, an ID with an `Int64`) only has to declare the conformance;
/// any other type implements two properties and one initializer.
public protocol SQLValue: Sendable {
    /// The type of its column.
    static var kind: SQL.Kind { get }

    /// The value to bind.
    var sqlValue: SQL.Value { get }

    /// Reads the value from `column`.
    ///
    /// - Throws: `DatabaseError.unreadable` if the column holds NULL or another kind of value; `column.unreadable(as:)`
    ///   makes the error.
    init(column: borrowing Column) throws
}

extension Int64: SQLValue {
    @inlinable public static var kind: SQL.Kind { .integer }

    @inlinable public var sqlValue: SQL.Value { .integer(self) }

    @inlinable public init(column: borrowing Column) throws { self = try column.integer() }
}

extension Int: SQLValue {
    @inlinable public static var kind: SQL.Kind { .integer }

    @inlinable public var sqlValue: SQL.Value { .integer(Int64(self)) }

    @inlinable public init(column: borrowing Column) throws {
        guard let value = Int(exactly: try column.integer()) else { throw column.unreadable(as: "an Int") }
        self = value
    }
}

extension Bool: SQLValue {
    @inlinable public static var kind: SQL.Kind { .boolean }

    @inlinable public var sqlValue: SQL.Value { .boolean(self) }

    @inlinable public init(column: borrowing Column) throws {
        switch try column.integer() {
        case 0: self = false
        case 1: self = true
        default: throw column.unreadable(as: "a boolean (0 or 1)")
        }
    }
}

extension Double: SQLValue {
    @inlinable public static var kind: SQL.Kind { .real }

    @inlinable public var sqlValue: SQL.Value { .real(self) }

    @inlinable public init(column: borrowing Column) throws { self = try column.real() }
}

extension String: SQLValue {
    @inlinable public static var kind: SQL.Kind { .text }

    @inlinable public var sqlValue: SQL.Value { .text(self) }

    @inlinable public init(column: borrowing Column) throws { self = try column.text() }
}

extension [UInt8]: SQLValue {
    @inlinable public static var kind: SQL.Kind { .blob }

    @inlinable public var sqlValue: SQL.Value { .blob(self) }

    @inlinable public init(column: borrowing Column) throws { self = try column.blob() }
}

extension Optional: SQLValue where Wrapped: SQLValue {
    @inlinable public static var kind: SQL.Kind { Wrapped.kind }

    @inlinable public var sqlValue: SQL.Value { self?.sqlValue ?? .null(Wrapped.kind) }

    @inlinable public init(column: borrowing Column) throws { self = column.isNull ? nil : try Wrapped(column: column) }
}

extension SQLValue where Self: RawRepresentable, RawValue: SQLValue {
    @inlinable public static var kind: SQL.Kind { RawValue.kind }

    @inlinable public var sqlValue: SQL.Value { rawValue.sqlValue }

    @inlinable public init(column: borrowing Column) throws {
        guard let value = Self(rawValue: try RawValue(column: column)) else {
            throw column.unreadable(as: "a case of \(Self.self)")
        }
        self = value
    }
}
