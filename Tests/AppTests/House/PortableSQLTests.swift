import Database
import Foundation
import Testing

@testable import App

/// SQL that SQLite and PostgreSQL both take, so that one text can serve a town on one machine and a county on several.
@Suite struct PortableSQLTests {
    // MARK: The schema

    /// What a statement of the schema may say in capitals.
    private static let keywords: Set<Substring> = [
        "CREATE", "TABLE", "UNIQUE", "INDEX", "ON", "PRIMARY", "KEY", "REFERENCES", "DELETE", "CASCADE", "SET", "NOT",
        "NULL", "DEFAULT", "TRUE", "FALSE", "CHECK", "WHERE", "AND", "OR", "IN", "IS", "BETWEEN", "CASE", "WHEN",
        "THEN", "ELSE", "END", "DESC", "ALTER", "ADD", "COLUMN",
    ]
    private static let functions: Set<Substring> = ["coalesce", "substr"]
    /// Names that PostgreSQL takes for words of its own, see its
    /// [appendix](https://www.postgresql.org/docs/current/sql-keywords-appendix.html).
    private static let reserved: Set<Substring> = [
        "all", "analyse", "analyze", "and", "any", "array", "as", "asc", "asymmetric", "authorization", "binary",
        "both", "case", "cast", "check", "collate", "collation", "column", "concurrently", "constraint", "create",
        "cross", "current_catalog", "current_date", "current_role", "current_schema", "current_time",
        "current_timestamp", "current_user", "default", "deferrable", "desc", "distinct", "do", "else", "end",
        "except", "false", "fetch", "for", "foreign", "freeze", "from", "full", "grant", "group", "having", "ilike",
        "in", "initially", "inner", "intersect", "into", "is", "isnull", "join", "lateral", "leading", "left", "like",
        "limit", "localtime", "localtimestamp", "natural", "not", "notnull", "null", "offset", "on", "only", "or",
        "order", "outer", "overlaps", "placing", "primary", "references", "returning", "right", "select",
        "session_user", "similar", "some", "symmetric", "system_user", "table", "tablesample", "then", "to",
        "trailing", "true", "union", "unique", "user", "using", "variadic", "verbose", "when", "where", "window",
        "with",
    ]

    /// What one of the engines doesn't take, or takes in another way, in statements of the schema.
    private static func wrong(inSchema text: String) -> [String] {
        let text = bare(text)
        var wrong = text.matches(of: /[^\w\s@(),;.<>=+'-]+|==/).map { "the sign \($0.output)" }
        for match in text.matches(of: /(@?)\b([A-Za-z_]\w*)(\(?)/) where match.output.1.isEmpty {
            let (word, isCalled) = (match.output.2, !match.output.3.isEmpty)
            if word.first!.isUppercase {
                if !keywords.contains(word) { wrong.append("the word \(word)") }
            } else if isCalled {
                if !functions.contains(word) { wrong.append("the function \(word)") }
            } else if reserved.contains(word) {
                wrong.append("the name \(word), a word of PostgreSQL's")
            }
        }
        // SQLite keeps 0 and 1 for what PostgreSQL has a type of its own for.
        let truths = Set(text.matches(of: /(\w+) @boolean/).map(\.output.1))
        for match in text.matches(of: /(\w+) (?:=|<>|IN|DEFAULT) \(?[01]\b/) where truths.contains(match.output.1) {
            wrong.append("\(match.output.1) as a number")
        }
        wrong += text.matches(of: /@boolean[^,\n]* DEFAULT \d/).map { "a number in \($0.output)" }
        wrong += text.matches(of: /(?:NULL|TRUE|FALSE)\) ?[+*-]/).map { "counting truths: \($0.output)" }
        for condition in text.matches(of: /\sWHERE ([^;]*);/) {
            for part in condition.output.1.split(separator: /\s+(?:AND|OR)\s+/) {
                let part = part.hasPrefix("NOT ") ? part.dropFirst(4) : part
                if part.wholeMatch(of: /\w+/) != nil, !truths.contains(part) { wrong.append("\(part) as a condition") }
            }
        }
        // SQLite lets NULL into a key, unless it is the number of the row.
        for table in tables(in: text) {
            wrong += table.body.matches(of: /(\w+) @(\w+)([^,\n]*)PRIMARY KEY/).compactMap { match in
                match.output.2 == "integer" || match.output.3.contains("NOT NULL") ? nil : "NULL in \(match.output.1)"
            }
            for column in table.body.firstMatch(of: /PRIMARY KEY \(([^)]*)\)/)?.output.1.split(separator: ", ") ?? []
            where !table.body.contains(try! Regex("\\b\(column) @\\w+ NOT NULL")) {
                wrong.append("NULL in \(column)")
            }
        }
        return wrong
    }

    /// Without comments, and without what stands in quotes.
    private static func bare(_ text: String) -> String {
        text.replacing(/--.*/, with: "").replacing(/'[^']*'/, with: "''")
    }

    private static func tables(in text: String) -> [(name: Substring, body: Substring)] {
        text.matches(of: /CREATE TABLE (\w+) \(([\s\S]*?)\n\)/).map { ($0.output.1, $0.output.2) }
    }

    @Test func `the schema says what both engines take`() {
        for migration in Schema.migrations + Schema.media {
            #expect(Self.wrong(inSchema: migration.text) == [], "\(migration.name)")
        }
    }

    @Test(arguments: [
        "CREATE TABLE a (b INTEGER);", "CREATE TABLE a (b @text COLLATE NOCASE);", "CREATE TABLE \"a\" (b @text);",
        "CREATE TABLE a (b @id) WITHOUT ROWID;", "INSERT OR IGNORE INTO a VALUES (1);", "CREATE TABLE user (b @id);",
        "CREATE TABLE a (b @integer, CHECK (b == 1));", "CREATE INDEX a ON b (lower(c));",
        "CREATE INDEX a ON b (c || d);",
        "CREATE TABLE a (\n    b @boolean NOT NULL DEFAULT 0\n);", "ALTER TABLE a ADD COLUMN order @integer;",
        "CREATE TABLE a (\n    b @boolean\n);\nCREATE INDEX c ON a (b) WHERE b = 1;",
        "CREATE TABLE a (\n    b @integer\n);\nCREATE INDEX c ON a (b) WHERE b;",
        "CREATE TABLE a (\n    b @text,\n    c @text,\n    CHECK ((b IS NULL) + (c IS NULL) = 1)\n);",
        "CREATE TABLE a (\n    b @text PRIMARY KEY\n);",
        "CREATE TABLE a (\n    b @text NOT NULL,\n    c @integer,\n    PRIMARY KEY (b, c)\n);",
        "CREATE TRIGGER a BEFORE DELETE ON b BEGIN SELECT 1; END;", "CREATE VIRTUAL TABLE a USING fts5 (b);",
    ])
    func `what one engine alone takes is found in the schema`(text: String) {
        #expect(Self.wrong(inSchema: text) != [])
    }

    @Test func `what each engine spells in its own way stands in one place, and is named here`() {
        let migrations = Schema.migrations + Schema.media
        #expect(migrations.filter { !$0.sqlite.isEmpty || !$0.postgreSQL.isEmpty }.map(\.name) == ["dialects"])
        let made = Schema.dialects.sqlite.matches(of: /(?m)^CREATE (?:VIRTUAL )?\w+ (\w+)/).map(\.output.1)
        #expect(
            made == ["event_search", "opportunity_search", "need_search", "staff_act_stays", "staff_act_is_fixed"])
    }

    @Test func `a table comes after those it refers to, and tables and indexes have a name each`() {
        for migrations in [Schema.migrations, Schema.media] {
            var there: Set<Substring> = []
            var names: [Substring] = []
            for migration in migrations {
                let text = Self.bare(migration.text)
                for table in Self.tables(in: text) {
                    there.insert(table.name)
                    let others = Set(table.body.matches(of: /REFERENCES (\w+)/).map(\.output.1))
                    #expect(others.subtracting(there) == [], "\(table.name)")
                }
                names += text.matches(of: /CREATE (?:UNIQUE )?(?:TABLE|INDEX) (\w+)/).map(\.output.1)
            }
            #expect(names.count == Set(names).count && names.allSatisfy { $0.count <= 63 } && there.count > 1)
        }
    }

    // MARK: All statements

    /// What a statement says that one engine doesn't take, or takes in another way, and what it says instead.
    enum Kind: String, CaseIterable {
        case comparison = "`=`, `<>` and coalesce for IS with a value: PostgreSQL has IS for NULL and truths alone"
        case hint = "`\\(unindexed:)` or `\\(indexedBy:)` for what keeps SQLite from an index or to one"
        case search = "a condition of `SearchIndex` for MATCH"
        case joined = "`\\(joined:by:)` for texts in one value"
        case position = "`\\(position:in:)` for where a text stands in another"
        case json = "JSON made in Swift"
        case ambiguous = "`table.count + 1` after DO UPDATE SET, since the row that came has a count, too"
        case crossJoin = "WHERE for the ON of a CROSS JOIN"
        case conflict = "WHERE NOT EXISTS or ON CONFLICT DO NOTHING for OR IGNORE, REPLACE and the like"
        case larger = "CASE for the larger or smaller of several values"
        case nameless = "AS for a subquery that is read from"
        case sum = "`CAST(sum(…) AS BIGINT)`, since a sum is no integer in PostgreSQL"
        case own = "what PostgreSQL has, too, for a function, a sign or a table of SQLite's"

        /// What each text of this kind has somewhere. Most texts have none of it, and need no regex, which takes longer
        /// to compile than all of this to look for.
        private var signs: [String] {
            switch self {
            case .comparison: ["IS "]
            case .hint: ["+", "INDEXED"]
            case .search: ["MATCH"]
            case .joined: ["group_concat(", "string_agg(", "char("]
            case .position: ["instr("]
            case .json: ["json_", "->", "strftime("]
            case .ambiguous: ["DO UPDATE SET"]
            case .crossJoin: ["CROSS JOIN"]
            case .conflict: ["OR IGNORE", "OR REPLACE", "OR ABORT", "OR FAIL", "OR ROLLBACK", "REPLACE INTO"]
            case .larger: ["max(", "min("]
            case .nameless: ["FROM (", "JOIN ("]
            case .sum: ["sum("]
            case .own:
                [
                    "ifnull(", "iif(", "total(", "typeof(", "random(", "julianday(", "unixepoch(", "datetime(",
                    "unicode(", "hex(", "quote(", "GLOB", "NOCASE", "REGEXP", "LIMIT -1", " == ", "sqlite_", "pragma_",
                ]
            }
        }

        func isIn(_ text: String) -> Bool {
            let bytes = Data(text.utf8)
            return signs.contains { bytes.range(of: Data($0.utf8)) != nil } && isFound(in: text)
        }

        private func isFound(in text: String) -> Bool {
            switch self {
            case .comparison: text.contains(/\bIS (?:NOT )?(?!NULL\b|NOT\b|TRUE\b|FALSE\b|DISTINCT\b)/)
            case .hint:
                text.contains(/(?:^|[(=,]|\b(?:WHERE|AND|OR|ON|BY|NOT|IN|THEN|ELSE|SELECT))\s*\+[a-z…]|\bINDEXED\b/)
            case .search: text.contains(/\bMATCH\b/)
            case .joined: text.contains(/\b(?:group_concat|string_agg|char)\(/)
            case .position: text.contains(/\binstr\(/)
            case .json: text.contains(/\bjson_\w+\(|->|\bstrftime\(/)
            case .ambiguous: text.contains(/DO UPDATE SET[\s\S]*?\b(\w+) = (?:coalesce\()?\1(?: [+-]|,)/)
            case .crossJoin: text.contains(/CROSS JOIN \w+(?: AS \w+)?\s+ON\b/)
            case .conflict: text.contains(/\bOR (?:IGNORE|REPLACE|ABORT|FAIL|ROLLBACK)\b|\bREPLACE INTO\b/)
            case .larger: text.contains(/\b(?:max|min)\((?:[^()]|\([^()]*\))*,/)
            case .nameless: Self.hasNamelessPart(text)
            case .sum:
                text.replacing(/CAST\((?:coalesce\()?sum\(/, with: "").contains(/\bsum\(/)
            case .own:
                text.contains(
                    /\b(?:ifnull|iif|total|typeof|random|julianday|unixepoch|datetime|unicode|hex|quote)\(/)
                    || text.contains(/\b(?:GLOB|NOCASE|REGEXP)\b|LIMIT -1|\w == |\bsqlite_\w+|\bpragma_\w+/)
            }
        }

        /// Whether a SELECT in parentheses follows FROM or JOIN and has no name.
        private static func hasNamelessPart(_ text: String) -> Bool {
            text.matches(of: /\b(?:FROM|JOIN) \((?=\s*SELECT)/).contains { match in
                var depth = 1
                let rest = text[match.range.upperBound...].drop { sign in
                    depth += sign == "(" ? 1 : sign == ")" ? -1 : 0
                    return depth > 0
                }
                return depth == 0 && !rest.dropFirst().hasPrefix(" AS ")
            }
        }
    }

    /// The files in which a kind may be, for what each engine is told in its own words.
    private static let allowed: [Kind: Set<String>] = [.search: ["Finding/SearchIndex+Queries.swift"]]

    @Test func `the statements of the site say what both engines take`() throws {
        var found: [Kind: Set<String>] = [:]
        for (path, text) in try SourcesTests.files(in: "Sources/App")
        where path.hasSuffix("+Queries.swift") || SourcesTests.imports(of: text).contains("Database") {
            guard !path.contains("/Schema/") else { continue }
            let code = text.split(separator: "\n", omittingEmptySubsequences: false)
                .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
            for literal in WordsTests.literals(of: code) {
                for kind in Kind.allCases where kind.isIn(literal) {
                    found[kind, default: []].insert(path.split(separator: "/").suffix(2).joined(separator: "/"))
                }
            }
        }
        for kind in Kind.allCases {
            let (found, allowed) = (found[kind] ?? [], Self.allowed[kind] ?? [])
            #expect(found.subtracting(allowed).sorted() == [], "say \(kind.rawValue)")
            #expect(allowed.subtracting(found).sorted() == [], "no more there: \(kind)")
        }
    }

    private static let told: [(text: String, kind: Kind)] = [
        ("WHERE a IS …", .comparison), ("a.b IS NOT c.d", .comparison), ("WHERE +a = …", .hint),
        ("SELECT 1 FROM a INDEXED BY b", .hint), ("point.id = +event.point_id", .hint), ("a MATCH …", .search),
        ("group_concat(a, ', ')", .joined), ("instr(a, b) > 0", .position), ("json_object('a', b)", .json),
        ("ON CONFLICT (a) DO UPDATE SET\n    b = …, count = count + 1", .ambiguous),
        ("ON CONFLICT (a) DO UPDATE SET since = coalesce(since, excluded.since)", .ambiguous),
        ("FROM a CROSS JOIN b AS c ON c.d = a.d", .crossJoin), ("UPDATE OR IGNORE a SET b = 1", .conflict),
        ("max(0, a - …)", .larger), ("max(coalesce(a, 0), b)", .larger),
        ("SELECT count(*) FROM (\n    SELECT a FROM b WHERE (c)) WHERE d", .nameless),
        ("coalesce(sum(a), 0)", .sum), ("ifnull(a, b)", .own), ("FROM sqlite_schema", .own),
    ]

    @Test(arguments: told)
    func `what one engine alone takes is found in a statement`(text: String, kind: Kind) {
        #expect(kind.isIn(text))
    }

    @Test func `what both take is let through`() {
        let text = """
            SELECT max(a), CAST(coalesce(sum(b), 0) AS BIGINT) FROM (SELECT 1) AS part CROSS JOIN c
            WHERE a IS NULL AND b IS NOT NULL AND d IS TRUE AND e + 1 > … AND max(coalesce(f, 0)) = 1
            ON CONFLICT (g) DO UPDATE SET h = i.h + 1
            """
        #expect(Kind.allCases.filter { $0.isIn(text) } == [])
    }
}
