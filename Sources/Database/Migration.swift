/// One step of the schema, in SQL that works in each dialect; never edited once it is released.
///
/// ```swift
/// Migration(name: "accounts", text: """
///     CREATE TABLE account (
///         id @id,
///         email @text NOT NULL UNIQUE,
///         staff @boolean NOT NULL
///     );
///     """)
/// ```
///
/// `@id` is the table's own key (never given twice), `@integer @text @boolean @real @blob` are the column types. Every
/// table becomes a STRICT one. Refused are `DEFERRABLE` and `ON CONFLICT ROLLBACK`: one write could fail those that
/// share its commit.
public struct Migration: Sendable {
    /// The permanent name: `accounts`.
    public let name: String
    /// The statements, with type tokens.
    public let text: String
    /// Statements that only SQLite runs, after `text`.
    public let sqlite: String
    /// Statements that only PostgreSQL runs, after `text`.
    public let postgreSQL: String
    /// A step that SQL can't express, after the statements and in their transaction. It is frozen as they are, so it
    /// must not call anything that may change later.
    let step: (@Sendable (Connection) throws -> Void)?
    /// Computed once, because every opening compares all of them.
    private let checksums: (sqlite: String, postgreSQL: String)

    /// - Parameter step: A step that SQL can't express.
    public init(
        name: String, text: String, sqlite: String = "", postgreSQL: String = "",
        step: (@Sendable (Connection) throws -> Void)? = nil
    ) {
        self.name = name
        self.text = text
        self.sqlite = sqlite
        self.postgreSQL = postgreSQL
        self.step = step
        let shared = Self.hash(text + "\0")
        checksums = (
            String(Self.hash(sqlite, after: shared), radix: 16), String(Self.hash(postgreSQL, after: shared), radix: 16)
        )
    }

    /// The statements in the spelling of `dialect`.
    ///
    /// - Throws: `DatabaseError.migrationFailed` for an unknown token or a forbidden clause.
    public func text(for dialect: SQL.Dialect) throws -> String {
        let own = dialect == .sqlite ? sqlite : postgreSQL
        return try Spelling(of: self, in: dialect).spelled + "\n" + own
    }

    /// A 64-bit FNV-1a hash of the text for `dialect`, in hexadecimal (<http://www.isthe.com/chongo/tech/comp/fnv/>):
    /// it detects edits, not attacks. Statements for the other dialect can still be added later.
    func checksum(for dialect: SQL.Dialect) -> String {
        dialect == .sqlite ? checksums.sqlite : checksums.postgreSQL
    }

    /// How many of the `migrations` were applied, according to the database's record of each.
    ///
    /// - Throws: `DatabaseError.olderThanProgram`, `.newerThanProgram`, `.migrationEdited`.
    static func count(
        of done: [(name: String, checksum: String)], among migrations: [Migration], for dialect: SQL.Dialect
    ) throws -> Int {
        let known = Set(migrations.map(\.name))
        if let first = done.first, !known.contains(first.name) { throw DatabaseError.olderThanProgram(first.name) }
        if let newer = done.first(where: { !known.contains($0.name) }) {
            throw DatabaseError.newerThanProgram(newer.name)
        }
        for (done, migration) in zip(done, migrations)
        where done.name != migration.name || done.checksum != migration.checksum(for: dialect) {
            throw DatabaseError.migrationEdited(migration.name)
        }
        return done.count
    }

    private static func hash(_ text: String, after start: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
        var text = text
        return text.withUTF8 { bytes in
            bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        }
    }
}

/// Replaces tokens with the words of a dialect, and makes SQLite's tables STRICT.
private struct Spelling {
    private let migration: Migration
    private let dialect: SQL.Dialect
    private(set) var spelled = ""
    /// The words of the current statement, in capitals.
    private var words: [String] = []
    /// The last word as it was written: the column name, if a type follows.
    private var column = ""
    /// The number of words after the last closing parenthesis, such as `WITHOUT ROWID`.
    private var wordsAfterBody = 0

    init(of migration: Migration, in dialect: SQL.Dialect) throws {
        self.migration = migration
        self.dialect = dialect
        var rest = Substring(migration.text)
        while let first = rest.first {
            if first == "'" || first == "\"" {
                let closing = rest.dropFirst().firstIndex(of: first) ?? rest.index(before: rest.endIndex)
                copy(upTo: rest.index(after: closing), of: &rest)
            } else if rest.hasPrefix("--") {
                copy(upTo: rest.firstIndex(of: "\n") ?? rest.endIndex, of: &rest)
            } else if first == "@" {
                let word = rest.dropFirst().prefix(while: Self.isPartOfWord)
                spelled += try type(String(word))
                rest = rest[word.endIndex...]
            } else if Self.isPartOfWord(first) {
                let word = rest.prefix(while: Self.isPartOfWord)
                column = String(word)
                words.append(column.uppercased())
                wordsAfterBody += 1
                copy(upTo: word.endIndex, of: &rest)
            } else {
                if first == ")" { wordsAfterBody = 0 }
                if first == ";" { try endStatement() }
                copy(upTo: rest.index(after: rest.startIndex), of: &rest)
            }
        }
        try endStatement()
    }

    private static func isPartOfWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    private mutating func copy(upTo end: Substring.Index, of rest: inout Substring) {
        spelled += rest[..<end]
        rest = rest[end...]
    }

    private func refusal(_ reason: String) -> DatabaseError { .migrationFailed(migration.name, reason) }

    private mutating func endStatement() throws {
        defer { words = [] }
        if words.contains("DEFERRABLE") || words.contains("DEFERRED") { throw refusal("a deferred constraint") }
        for start in words.indices.dropLast(2) where words[start...].starts(with: ["ON", "CONFLICT", "ROLLBACK"]) {
            throw refusal("ON CONFLICT ROLLBACK")
        }
        guard words.starts(with: ["CREATE", "TABLE"]), dialect == .sqlite else { return }
        spelled += wordsAfterBody == 0 ? " STRICT" : ", STRICT"
    }

    private func type(_ token: String) throws -> String {
        let isSQLite = dialect == .sqlite
        return switch token {
        case "id":
            isSQLite ? "INTEGER PRIMARY KEY AUTOINCREMENT" : "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"
        case "integer": isSQLite ? "INTEGER" : "BIGINT"
        case "text": "TEXT"
        case "boolean": isSQLite ? "INTEGER CHECK (\(column) IN (0, 1))" : "BOOLEAN"
        case "real": isSQLite ? "REAL" : "DOUBLE PRECISION"
        case "blob": isSQLite ? "BLOB" : "BYTEA"
        default: throw refusal("@\(token) is no type: @id @integer @text @boolean @real @blob")
        }
    }
}
