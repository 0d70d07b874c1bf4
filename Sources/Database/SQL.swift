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
    /// The type of a column in the schema: `@integer`, `@real`, `@text`, `@blob`, `@boolean`.
    public enum Kind: Sendable, CaseIterable {
        case integer, real, text, blob, boolean
    }

    /// A value that can be bound to a placeholder.
    public enum Value: Sendable, Hashable {
        /// NULL in the place of a value of that kind.
        case null(Kind)
        case integer(Int64)
        case real(Double)
        case text(String)
        case blob([UInt8])
        case boolean(Bool)
    }

    /// A dialect of SQL: it determines how placeholders and the column types of migrations are spelled, and which side
    /// of ``dialect(sqlite:postgreSQL:)`` applies.
    public enum Dialect: Sendable, CaseIterable {
        case sqlite, postgreSQL
    }

    /// A part of the text that differs in PostgreSQL.
    private struct Variant: Sendable {
        /// The offset of the part in `question`, in UTF-8 code units.
        var place: Int
        let length: Int
        /// The range of arguments in the part.
        var firstArgument: Int
        let argumentCount: Int
        let postgreSQL: SQL
    }

    /// The text in SQLite's spelling, with a `?` for each argument. SQLite's prepared statements are found by it.
    private(set) var question: String
    /// The arguments in the order of their placeholders in SQLite's text.
    private(set) var arguments: [Value] = []
    /// The offset of each placeholder in `question`, in UTF-8 code units: a `?` may also be part of a quoted text.
    private var places: [Int] = []
    /// In order, never nested. Most texts have none.
    private var variants: [Variant] = []

    /// Whether there is neither text nor argument.
    public var isEmpty: Bool { question.isEmpty }

    /// A piece that differs between the dialects.
    public static func dialect(sqlite: SQL, postgreSQL: SQL) -> SQL {
        var sql = sqlite
        sql.variants = [
            Variant(
                place: 0, length: sqlite.question.utf8.count, firstArgument: 0, argumentCount: sqlite.arguments.count,
                postgreSQL: postgreSQL)
        ]
        return sql
    }

    /// The text with placeholders in the spelling of `dialect`: `?`, or `$1`, `$2` and so on.
    public func text(for dialect: Dialect) -> String {
        guard dialect == .postgreSQL else { return question }
        var text = ""
        var count = 0
        write(to: &text, &count)
        return text
    }

    /// What the statement asks, whichever the engine is.
    var asked: Question {
        Question(
            text: StatementText(question), arguments: arguments, others: variants.map(\.postgreSQL.asked))
    }

    /// The text by which PostgreSQL's prepared statements are found: two that differ on the server alone must not be
    /// taken for one. Most texts are the same in both dialects, and needn't be written anew for that.
    var serverKey: String { variants.isEmpty ? question : text(for: .postgreSQL) }

    /// The arguments in the order of `dialect`'s placeholders.
    func arguments(for dialect: Dialect) -> [Value] {
        guard dialect == .postgreSQL, !variants.isEmpty else { return arguments }
        var own: [Value] = []
        var next = 0
        for variant in variants {
            own += arguments[next..<variant.firstArgument]
            own += variant.postgreSQL.arguments(for: dialect)
            next = variant.firstArgument + variant.argumentCount
        }
        return own + arguments[next...]
    }

    /// Appends the text in PostgreSQL's spelling.
    ///
    /// - Parameter count: The number of placeholders before it.
    private func write(to text: inout String, _ count: inout Int) {
        var start = question.startIndex
        var next = 0
        func copy(places: ArraySlice<Int>, to end: Int) {
            for place in places {
                let mark = question.utf8.index(question.startIndex, offsetBy: place)
                text += question[start..<mark]
                count += 1
                text += "$\(count)"
                start = question.utf8.index(after: mark)
            }
            let mark = question.utf8.index(question.startIndex, offsetBy: end)
            text += question[start..<mark]
            start = mark
        }
        for variant in variants {
            copy(places: places[next..<variant.firstArgument], to: variant.place)
            variant.postgreSQL.write(to: &text, &count)
            start = question.utf8.index(question.startIndex, offsetBy: variant.place + variant.length)
            next = variant.firstArgument + variant.argumentCount
        }
        copy(places: places[next...], to: question.utf8.count)
    }

    /// Two pieces, joined without a separator.
    public static func + (first: SQL, second: SQL) -> SQL {
        var sum = first
        sum += second
        return sum
    }

    /// Appends a piece without a separator.
    public static func += (sql: inout SQL, more: SQL) {
        let start = sql.question.utf8.count
        for var variant in more.variants {
            variant.place += start
            variant.firstArgument += sql.arguments.count
            sql.variants.append(variant)
        }
        sql.question += more.question
        // Most pieces have no argument.
        guard !more.arguments.isEmpty else { return }
        sql.arguments += more.arguments
        for place in more.places { sql.places.append(start + place) }
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

        /// A bound argument that may be NULL. NULL equals nothing, so write `IS \(value)` to match it.
        public mutating func appendInterpolation(_ value: (some SQLValue)?) {
            sql.append(value.sqlValue)
        }

        /// A fragment, with its own arguments.
        public mutating func appendInterpolation(_ fragment: SQL) {
            sql += fragment
        }

        /// The columns of a value, separated by commas.
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

        /// A list in parentheses for `IN`: `WHERE id IN \(list: ids)`. An empty list matches nothing.
        ///
        /// Each length is a separate statement in the cache, so keep lists short.
        public mutating func appendInterpolation<List: Sequence>(list: List) where List.Element: SQLValue {
            let values = list.map { $0.sqlValue }
            guard !values.isEmpty else {
                sql += List.Element.kind.nothing
                return
            }
            for (position, value) in values.enumerated() {
                sql.append(position == 0 ? "(" : ", ")
                sql.append(value)
            }
            sql.append(")")
        }
    }
}

extension SQL.Kind {
    /// An empty list of this kind of value.
    fileprivate var nothing: SQL {
        switch self {
        case .integer: "(SELECT CAST(NULL AS BIGINT) WHERE FALSE)"
        case .real: "(SELECT CAST(NULL AS DOUBLE PRECISION) WHERE FALSE)"
        case .text: "(SELECT CAST(NULL AS TEXT) WHERE FALSE)"
        case .blob:
            .dialect(sqlite: "(SELECT NULL WHERE FALSE)", postgreSQL: "(SELECT CAST(NULL AS BYTEA) WHERE FALSE)")
        case .boolean: "(SELECT CAST(NULL AS BOOLEAN) WHERE FALSE)"
        }
    }
}

/// Values to write into columns, in order.
public struct Assignments: Sendable, ExpressibleByDictionaryLiteral {
    let items: [(column: SQL, value: SQL)]

    public init(dictionaryLiteral items: (SQL, any SQLValue)...) {
        self.init(items: items.map { (column: $0.0, value: SQL(binding: $0.1.sqlValue)) })
    }

    private init(items: [(column: SQL, value: SQL)]) { self.items = items }

    /// The assignments of both, which must have no column in common.
    public static func + (first: Assignments, second: Assignments) -> Assignments {
        Assignments(items: first.items + second.items)
    }
}

extension SQL: CustomStringConvertible {
    /// The text with `?` for the arguments. It never contains a value, so it may be logged.
    public var description: String { question }
}

extension Sequence<SQL> {
    /// The pieces, joined by `separator`: `conditions.joined(separator: " AND ")`.
    public func joined(separator: SQL) -> SQL {
        var joined: SQL = ""
        for (position, piece) in enumerated() {
            if position > 0 { joined += separator }
            joined += piece
        }
        return joined
    }
}
