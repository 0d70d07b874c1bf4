import Database
import Foundation
import Testing

@testable import App

/// The tables as the migrations leave them, and what happens to data of other programs.
@Suite struct SchemaTests {
    static let file = SourcesTests.root.appending(path: "Sources/App/Schema/current.sql")

    /// Every table and index as SQLite remembers it.
    private static func schema(of database: Database) throws -> String {
        try database.read { db in
            try db.all(
                """
                SELECT sql FROM sqlite_schema
                WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'event_search_%'
                    AND name <> 'schema_migration'
                ORDER BY tbl_name, type DESC, name LIMIT 1000
                """
            ) { try $0.next() as String }
        }.map { $0 + ";\n" }.joined()
    }

    /// To write it anew after a change of the schema: `VILLAGE_WRITE_SCHEMA=1 swift test --filter SchemaTests`.
    @Test func `current.sql is the schema that all migrations together make`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let database = try Database(at: folder.path + "/new.sqlite", migrations: Schema.migrations)
        defer { database.close() }
        let head = "-- The schema that all migrations together make, for reading. A test holds it.\n"
        let schema = try head + Self.schema(of: database)
        if ProcessInfo.processInfo.environment["VILLAGE_WRITE_SCHEMA"] == "1" {
            try schema.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: Self.file, encoding: .utf8) == schema)
    }

    @Test func `a site on a copy without the newest migration carries it out`() async throws {
        var migrations = Array(Schema.migrations.dropLast())
        let last = migrations.removeLast()
        // A note tells the copy from a town of today.
        let noting = Migration(name: last.name, text: last.text, sqlite: last.sqlite, postgreSQL: last.postgreSQL) {
            db in
            _ = try db.execute("INSERT INTO note (name, value) VALUES ('old', '')")
        }
        try await withTestSite(on: try EmptyTown(migrations + [noting])) { site in
            #expect(try site.count(of: "note WHERE name = 'old'") == 1)
            let names = try site.read(Self.names)
            #expect(names == Schema.migrations.map(\.name))
        }
    }

    @Test func `without the comparison the copy would be used as it is`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        try EmptyTown(Schema.migrations.dropLast()).copy(to: folder.path)
        // Only a site compares.
        let database = try Database(reading: folder.path + Site.file)
        defer { database.close() }
        #expect(try database.read(Self.names) == Schema.migrations.dropLast().map(\.name))
    }

    @Test(.onFiles) func `data from before the first release is refused and stays as it is`() async throws {
        try await withTestSite { site in
            var settings = site.site.settings
            settings.data += "/old"
            try FileManager.default.createDirectory(atPath: settings.data, withIntermediateDirectories: true)
            let old = [
                Migration(name: "0001-accounts", text: "CREATE TABLE account (id @id, email @text NOT NULL UNIQUE);"),
                Migration(name: "0002-profiles", text: "CREATE TABLE family (id @id);"),
            ]
            try EmptyTown(old).copy(to: settings.data)
            let before = try Folder.content(of: settings.data)

            let refusal = DatabaseError.olderThanProgram("0001-accounts")
            #expect(throws: refusal) { try Site(settings, log: site.site.log) }
            let said = """
                The data in \(settings.data) is from a village before its first release (0001-accounts), and can't be \
                taken over: choose an empty folder for a new site. (VILLAGE_DATA)
                """
            #expect(refusal.advice(settings.data) == said)
            #expect(await Site.check(settings).problems == [said])
            await #expect(throws: refusal) { try await Site.backup(settings, to: settings.data + "/copy.sqlite") }
            var elsewhere = settings
            elsewhere.data += "/elsewhere"
            let file = settings.data + Site.file
            await #expect(throws: refusal) { try await Site.restore(elsewhere, from: file) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.data) == ["village.sqlite.lock"])
            try FileManager.default.removeItem(atPath: elsewhere.data)

            #expect(try Folder.content(of: settings.data) == before)
            let database = try Database(reading: file)
            defer { database.close() }
            #expect(try database.read(Self.names) == old.map(\.name))
        }
    }

    private static func names(in db: Connection) throws -> [String] {
        try db.all("SELECT name FROM schema_migration ORDER BY position LIMIT 1000") { try $0.next() }
    }

    /// What goes on standing of an account that left: its number, and when it was there.
    private static let staying: Set = ["id", "created_at", "suspended_at"]

    @Test func `who leaves leaves each column of the account empty, or it is named here`() throws {
        let schema = try String(contentsOf: Self.file, encoding: .utf8)
        let table = try #require(schema.firstMatch(of: /CREATE TABLE account \(([\s\S]+?)\) STRICT;/)).output.1
        let columns = Set(table.matches(of: /(?:^|,)\s*([a-z_]+) (?:INTEGER|TEXT)/).map { String($0.output.1) })
        #expect(columns.count >= 24)
        let leaving = try String(
            contentsOf: SourcesTests.root.appending(path: "Sources/App/People/Keeping/Leaving+Queries.swift"),
            encoding: .utf8)
        let update = try #require(leaving.firstMatch(of: /UPDATE account SET ([\s\S]+?)WHERE/)).output.1
        let emptied = Set(update.matches(of: /([a-z_]+)\s=\s/).map { String($0.output.1) })
        #expect(columns.subtracting(emptied).subtracting(Self.staying).sorted() == [])
        #expect(emptied.isDisjoint(with: Self.staying) && emptied.isSubset(of: columns))
    }
}
