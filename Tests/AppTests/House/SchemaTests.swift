import Database
import Foundation
import Testing

@testable import App

/// The tables as the migrations leave them, and the way there from data of earlier releases.
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

    /// To write it anew after adding a migration: `VILLAGE_WRITE_SCHEMA=1 swift test --filter SchemaTests`.
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

    @Test func `what was booked and kept before hosts were accounts is theirs afterwards`() async throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let path = folder.path + "/old.sqlite"
        let old = try Database(at: path, migrations: Array(Schema.migrations.prefix { $0.name != "0015-hosts" }))
        try await old.write { db in for statement in Self.before { try db.execute(statement) } }
        old.close()

        let new = try Database(at: path, migrations: Schema.migrations)
        defer { new.close() }
        let (ben, ana) = (ID<Account>(11), ID<Account>(12))
        let now = Instant(milliseconds: 1)
        try await new.write { db in try SearchIndex.renewKeys(in: db) }
        try new.read { db in
            let event = try #require(try Event.find(ID(7), in: db))
            #expect(event.host.id == ben && event.host.name == "St. Mary’s Ñandú" && event.coordinate?.latitude == 37.5)
            #expect(event.taken == 1 && event.spots == 5)
            let registration = try #require(try Registration.find(ID(3), of: ana, at: now, in: db))
            #expect(registration.people.map(\.name) == ["Mo"])
            #expect(try Registration.find(ID(3), of: ben, at: now, in: db) == nil)
            #expect(try Draft.all(.event, of: ben, for: ben, in: db).map(\.title) == ["Draft"])
            let key = CalendarKey(folder: folder.path)
            // It opens what it did, and can't be shown.
            #expect(
                try CalendarLink.all(of: ana, key, in: db).contains {
                    $0.scope == .family && $0.since != nil && $0.token == nil
                })
            #expect(try db.exists("SELECT 1 FROM change_seen WHERE account_id = \(ana) AND change_id = 2"))
            // Its key was in lower case, and nothing else.
            for typed in ["St Mary", "st. mary’s ñ", "st mary s nandu"] {
                #expect(
                    try Provider.search(typed, after: nil, in: db).items.map(\.account) == [ben], "\(typed)")
            }
        }
        try await new.write { db in
            // What was told before stays told, and changed ages may be.
            #expect(try db.value("SELECT count(*) FROM change WHERE id = 2") == 1)
            try db.execute("UPDATE change SET what = 'ages' WHERE id = 2")
            try db.execute(
                """
                INSERT INTO event (account_id, title, description, day, start_minute, zone, starts_at, ends_at, street,
                    city, state, zip, country, city_key, covid_safe, currency, tags, once, created_at, updated_at)
                VALUES (12, 'Potluck', '', '2027-03-27', 600, 'UTC', 10, 20, '', '', '', '', 'US', '', FALSE, '', '',
                    'p', 1, 1)
                """)
        }
        try new.read { db in
            // A host without an organization, an event without a limit, and a number that nobody had.
            let event = try #require(try Event.find(ID(9), in: db))
            #expect(event.host.name == "ana-ortiz" && !event.host.isOrganization)
            #expect(event.placesLeft == nil && !event.isFull && !event.isNearlyFull)
        }
    }

    /// Accounts 11 and 12 have provider 1 and family 2: numbers that are mixed up are found. Event 8, which is gone,
    /// had the last number.
    private static let before: [SQL] = [
        """
        INSERT INTO account (id, email, username, password, created_at, updated_at)
        VALUES (11, 'a@example.org', 'ben-ruiz', '-', 1, 1), (12, 'b@example.org', 'ana-ortiz', '-', 1, 1)
        """,
        """
        INSERT INTO provider (id, account_id, first_name, last_name, organization, designation, street, city, state,
            zip, country, phone, created_at, updated_at, name_key)
        VALUES (1, 11, 'Ben', 'Ruiz', 'St. Mary’s Ñandú', '', '', '', '', '', 'US', '', 1, 1, 'st. mary’s Ñandú')
        """,
        """
        INSERT INTO family (id, account_id, first_name, last_name, city, zip, country, age_groups, created_at,
            updated_at)
        VALUES (2, 12, 'Ana', 'Ortiz', '', '', 'US', '', 1, 1)
        """,
        """
        INSERT INTO child (id, family_id, nickname, birth_month, birth_year, created_at, updated_at)
        VALUES (5, 2, 'Mo', 1, 2021, 1, 1)
        """,
        "INSERT INTO place (id, latitude, longitude, band) VALUES (4, 37.5, -121.5, 510)",
        """
        INSERT INTO event (id, provider_id, title, description, day, start_minute, zone, starts_at, ends_at, street,
            city, state, zip, country, city_key, spots, taken, covid_safe, currency, tags, place_id, once, created_at,
            updated_at)
        VALUES (7, 1, 'Kite day', '', '2027-03-27', 600, 'UTC', 10, 20, '', '', '', '', 'US', '', 5, 1, FALSE, '', '',
            4, 'a', 1, 1), (8, 1, 'Gone', '', '2027-03-27', 600, 'UTC', 10, 20, '', '', '', '', 'US', '', 5, 1, FALSE,
            '', '', 4, 'b', 1, 1)
        """,
        "DELETE FROM event WHERE id = 8",
        """
        INSERT INTO registration (id, event_id, family_id, state, once, created_at, updated_at)
        VALUES (3, 7, 2, 'confirmed', 'r', 1, 1)
        """,
        "INSERT INTO registration_person (id, registration_id, event_id, child_id) VALUES (6, 3, 7, 5)",
        """
        INSERT INTO draft (id, provider_id, title, form, once, updated_at) VALUES (9, 1, 'Draft', 'title=Draft', 'd', 1)
        """,
        "INSERT INTO calendar_link (id, family_id, token_hash, created_at) VALUES (1, 2, x'00', 1)",
        """
        INSERT INTO change (id, event_id, at, what, said_before, says_now) VALUES (2, 7, 1, 'place', 'a', 'b')
        """,
        "INSERT INTO change_seen (family_id, change_id, at) VALUES (2, 2, 1)",
    ]
}
