/// A piece of SQL with its arguments, written as a literal.
///
/// ```swift
/// let open: SQL = "AND state = \(State.open)"
/// try db.all("SELECT \(Event.columns) FROM event WHERE city = \(city) \(open) LIMIT \(20)")
/// ```
///
/// Each value in `\( )` becomes a bound argument, each `SQL` in `\( )` a fragment of the text. The text itself can come
/// from nowhere but a literal in the source: literals are `StaticString`, so a string made at run time doesn't compile.
public struct SQL: Sendable {
    /// What can be bound to a placeholder, in the five storage kinds every dialect has.
    public enum Value: Sendable, Hashable {
        case null
        case integer(Int64)
        case real(Double)
        case text(String)
        case blob([UInt8])
    }

    /// A dialect of SQL; what differs is how placeholders and the column types of migrations are spelled.
    public enum Dialect: Sendable, CaseIterable {
        case sqlite, postgreSQL
    }

    /// The text as SQLite wants it, a `?` for each argument. It is also the key of the statement cache.
    private(set) var question: String
    /// The arguments in the order of their placeholders.
    private(set) var arguments: [Value] = []
    /// Where each placeholder stands in `question`, in UTF-8 code units: a `?` may also be part of a quoted text.
    private var places: [Int] = []

    /// Whether there is neither text nor argument.
    public var isEmpty: Bool { question.isEmpty }

    /// The text with its placeholders in the spelling of `dialect`: `?`, or `$1`, `$2` and so on.
    public func text(for dialect: Dialect) -> String {
        guard dialect == .postgreSQL else { return question }
        var text = ""
        var start = question.startIndex
        for (number, place) in places.enumerated() {
            let mark = question.utf8.index(question.startIndex, offsetBy: place)
            text += question[start..<mark]
            text += "$\(number + 1)"
            start = question.utf8.index(after: mark)
        }
        return text + question[start...]
    }

    /// Two pieces, one after the other; nothing is put between them.
    public static func + (first: SQL, second: SQL) -> SQL {
        var sum = first
        sum += second
        return sum
    }

    /// Adds a piece at the end; nothing is put between them.
    public static func += (sql: inout SQL, more: SQL) {
        let start = sql.question.utf8.count
        sql.question += more.question
        sql.arguments += more.arguments
        sql.places += more.places.map { start + $0 }
    }

    fileprivate init(binding value: Value) {
        self = ""
        append(value)
    }

    fileprivate mutating func append(_ literal: StaticString) {
        question += literal.description
    }

    fileprivate mutating func append(_ value: Value) {
        places.append(question.utf8.count)
        question += "?"
        arguments.append(value)
    }
}

extension SQL: ExpressibleByStringInterpolation {
    public init(stringLiteral text: StaticString) {
        question = text.description
    }

    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.sql
    }

    /// Collects the parts of an `SQL` literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sql: SQL = ""

        public init(literalCapacity: Int, interpolationCount: Int) {
            sql.question.reserveCapacity(literalCapacity + interpolationCount)
            sql.arguments.reserveCapacity(interpolationCount)
            sql.places.reserveCapacity(interpolationCount)
        }

        public mutating func appendLiteral(_ literal: StaticString) {
            sql.append(literal)
        }

        /// A bound argument.
        public mutating func appendInterpolation(_ value: some SQLValue) {
            sql.append(value.sqlValue)
        }

        /// A bound argument that may be NULL (which is equal to nothing: write `IS \(value)` where it may be).
        public mutating func appendInterpolation(_ value: (some SQLValue)?) {
            sql.append(value.sqlValue)
        }

        /// A fragment, with its own arguments.
        public mutating func appendInterpolation(_ fragment: SQL) {
            sql += fragment
        }

        /// The columns of a value, with commas between.
        public mutating func appendInterpolation(_ columns: Columns) {
            sql += columns.list
        }

        /// For `UPDATE`: `SET \(set: assignments)`.
        public mutating func appendInterpolation(set assignments: Assignments) {
            sql += assignments.items.map { $0.column + " = " + $0.value }.joined(separator: ", ")
        }

        /// For `INSERT`: `INTO event \(values: assignments)` names the columns and their values.
        public mutating func appendInterpolation(values assignments: Assignments) {
            sql += "(" + assignments.items.map(\.column).joined(separator: ", ") + ") VALUES ("
            sql += assignments.items.map(\.value).joined(separator: ", ") + ")"
        }

        /// A list in parentheses for `IN`: `WHERE id IN \(list: ids)`. Nothing is in an empty list.
        ///
        /// Each length makes a statement of its own in the cache, so keep lists short.
        public mutating func appendInterpolation<List: Sequence>(list: List) where List.Element: SQLValue {
            let values = list.map { $0.sqlValue }
            sql.append(values.isEmpty ? "(SELECT NULL WHERE FALSE)" : "(")
            for (position, value) in values.enumerated() {
                if position > 0 { sql.append(", ") }
                sql.append(value)
            }
            if !values.isEmpty { sql.append(")") }
        }
    }
}

/// What is written into which columns, in an order.
public struct Assignments: Sendable, ExpressibleByDictionaryLiteral {
    let items: [(column: SQL, value: SQL)]

    public init(dictionaryLiteral items: (SQL, any SQLValue)...) {
        self.init(items: items.map { (column: $0.0, value: SQL(binding: $0.1.sqlValue)) })
    }

    private init(items: [(column: SQL, value: SQL)]) { self.items = items }

    /// Those of two, which have no column in common.
    public static func + (first: Assignments, second: Assignments) -> Assignments {
        Assignments(items: first.items + second.items)
    }
}

extension SQL: CustomStringConvertible {
    /// The text with `?` for the arguments: never a value, so it may stand in a log.
    public var description: String { question }
}

extension Sequence<SQL> {
    /// The pieces with `separator` between each two: `conditions.joined(separator: " AND ")`.
    public func joined(separator: SQL) -> SQL {
        var joined: SQL = ""
        for (position, piece) in enumerated() {
            if position > 0 { joined += separator }
            joined += piece
        }
        return joined
    }
}
