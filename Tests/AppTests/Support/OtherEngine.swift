import Foundation
import Testing

@testable import App
@testable import Database

/// A PostgreSQL database with the site's tables. It checks each statement that a test runs on SQLite. It exists if
/// `VILLAGE_TEST_POSTGRESQL` names a server.
enum OtherEngine {
    private static let address = ProcessInfo.processInfo.environment["VILLAGE_TEST_POSTGRESQL"]

    static let site = open("site", Schema.migrations)
    static let media = open("media", Schema.media)

    private static func open(_ name: String, _ migrations: [Migration]) -> Result<Database, any Error>? {
        guard let address else { return nil }
        return Result {
            let schema = "\(name)_\(ProcessInfo.processInfo.processIdentifier)"
            var options = Database.Options()
            options.readers = 1
            // A slow machine mustn't make a test fail.
            options.readLimit = .seconds(60)
            options.writeLimit = .seconds(60)
            // Tables are small in tests, so without this setting nothing would show whether an index is useful.
            let server = Database.Server(address + "&options=-cenable_seqscan%3Doff", schema: schema)
            try Database.migrate(server, migrations)
            return try Database(on: server, migrations: migrations, options: options)
        }
    }

    /// PostgreSQL's error for a statement, or the lines of its plan that read a table from end to end. Nil if it would
    /// run the statement, or if there is no server.
    static func problem(with statement: SQL, on other: Result<Database, any Error>?) -> String? {
        guard let other else { return nil }
        do {
            let text = statement.text(for: .postgreSQL)
            let faults = try other.get().explain(statement).filter { line in
                // A statement that empties a table has to read all of it.
                if text.hasPrefix("DELETE"), !text.contains("WHERE") { return false }
                // A regex would be compiled again for each line.
                guard let scan = line.range(of: "Seq Scan on ") else { return false }
                let table = line[scan.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                return !QueryPlans.small.contains(String(table))
            }
            return faults.isEmpty ? nil : faults.joined(separator: "\n")
        } catch {
            return "\(error)"
        }
    }
}

/// Tests what the check of each statement relies on.
@Suite(.enabled(if: OtherEngine.site != nil, "VILLAGE_TEST_POSTGRESQL names no server"))
struct OtherEngineTests {
    @Test func `the schema is made on PostgreSQL, too`() throws {
        let tables: Int? = try #require(OtherEngine.site).get().read { db in
            try db.value("SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema()")
        }
        let own = Schema.migrations.map(\.text).joined().matches(of: /CREATE TABLE/).count
        // The others are the tables of the search, the schema, the turn and the secrets.
        #expect(tables == own + 6)
        #expect(try #require(OtherEngine.media).get().read { db in try db.exists("SELECT 1 FROM media") } == false)
    }

    @Test func `a statement that PostgreSQL doesn't take is found out`() {
        #expect(OtherEngine.problem(with: "SELECT id FROM event LIMIT 1", on: OtherEngine.site) == nil)
        #expect(OtherEngine.problem(with: "SELECT ifnull(title, '') FROM event", on: OtherEngine.site) != nil)
        #expect(OtherEngine.problem(with: "SELECT id FROM event WHERE listed = \(1)", on: OtherEngine.site) != nil)
    }

    @Test func `words are found on PostgreSQL as on SQLite`() async throws {
        let database = try #require(OtherEngine.site).get()
        let lines: [(Int64, String, String)] = [
            (1, "Schwimmkurs im Freibad", "Für Kinder"), (2, "夏休みLego教室", ""), (3, "O’Neill’s kite day", "It's fun"),
            (4, "Back\\slash 'quotes' \"here\"", "a & b | c"),
            (5, String(repeating: "long", count: 1_000), String(repeating: "ü", count: 4_000)),
        ]
        try await database.write { db in
            for (id, title, text) in lines {
                try db.execute(
                    """
                    INSERT INTO event_search (rowid, title, description, provider, city, tags)
                    VALUES (\(id), \(SearchWords.index(title, isName: true)), \(SearchWords.index(text)), '', '', 'a,b')
                    """)
            }
        }
        for (typed, found) in [
            ("schwimm", [1]), ("kurs", [1]), ("freibad kinder", [1]), ("夏休", [2]), ("休夏", []), ("夏休み", [2]),
            ("oneill", [3]), ("o'neill kite", [3]), ("its", [3]), ("quote", [4]), ("slash", [4]),
            ("b", [1, 2, 3, 4, 5]),
            (String(repeating: "long", count: 1_000), [5]),
        ] as [(String, [Int64])] {
            let query = try #require(SearchWords.query(typed))
            let ids: [Int64] = try database.read { db in
                try db.all(
                    """
                    SELECT rowid FROM event_search WHERE \(SearchIndex.has(query, in: "event_search")) ORDER BY rowid
                    """
                ) { try $0.next() }
            }
            #expect(ids == found, "\(typed)")
        }
        try await database.write { db in try db.execute("DELETE FROM event_search") }
    }

    @Test func `the kind of a need is no word of it`() async throws {
        let database = try #require(OtherEngine.site).get()
        try await database.write { db in
            for (id, kind) in [(ID<Need>(1), Need.Kind.things), (ID<Need>(2), .time)] {
                try SearchIndex.insert(
                    id, kind: kind.rawValue, title: "Kindling", description: "Dry", city: "San Jose", in: db)
            }
        }
        for (typed, kind, found) in [
            ("kindl", nil, [1, 2]), ("kindl", .time, [2]), ("things", nil, []), ("kinds", nil, []),
        ] as [(String, Need.Kind?, [Int64])] {
            let query = try #require(SearchWords.query(typed))
            let ids: [Int64] = try database.read { db in
                try db.all(
                    """
                    SELECT rowid FROM need_search WHERE \(SearchIndex.hasNeed(query, of: kind)) ORDER BY rowid
                    """
                ) { try $0.next() }
            }
            #expect(ids == found, "\(typed)")
        }
        try await database.write { db in try db.execute("DELETE FROM need_search") }
    }
}
