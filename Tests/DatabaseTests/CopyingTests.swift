import Foundation
import Testing

@testable import Database

/// A whole database on its way between a file and a server.
@Suite(.enabled(if: Driver.postgreSQL != nil, "VILLAGE_TEST_POSTGRESQL names no server"))
struct CopyingTests {
    private static let schema =
        Bench.schema + [
            Migration(
                name: "0002-copying",
                text: """
                    CREATE TABLE person (
                        id @id,
                        parent_id @integer REFERENCES person (id) ON DELETE CASCADE,
                        note_word @text
                    );
                    CREATE TABLE note (word @text NOT NULL, number @integer NOT NULL, PRIMARY KEY (number, word));
                    INSERT INTO note (word, number) VALUES ('from a migration', 1);
                    CREATE TABLE pair (first @integer, second @integer, word @text);
                    """)
        ]

    /// A file with a value of each kind, a row that refers to a later one, and a key that was given to a row that is
    /// gone.
    private func filledFile() async throws -> Bench {
        let bench = try Bench()
        let database = try bench.open(Self.schema)
        try await database.write { db in
            let key = try db.insert(
                """
                INSERT INTO account (email, age, height, staff, picture)
                VALUES ('ünïcode 夏', 7, \(0.1), TRUE, \([UInt8](0...255)))
                """)
            try db.execute("INSERT INTO account (email, staff, picture) VALUES ('', FALSE, \([UInt8]()))")
            try db.execute("INSERT INTO child (account_id, name) VALUES (\(key), 'Zoë')")
            try db.execute("INSERT INTO person (id) VALUES (9)")
            try db.execute("INSERT INTO person (id, parent_id) VALUES (3, 9)")
            try db.execute("INSERT INTO person (id) VALUES (77)")
            try db.execute("DELETE FROM person WHERE id = 77")
            try db.execute("UPDATE note SET number = 4")
            try db.execute(
                "INSERT INTO pair (first, second, word) VALUES (1, NULL, 'a'), (NULL, 1, 'b'), (NULL, 2, NULL)")
            for number in 1...250 {
                try db.execute("INSERT INTO note (word, number) VALUES ('b', \(number)), ('A', \(number))")
            }
        }
        database.close()
        return bench
    }

    private func emptyServer() throws -> Database.Server {
        let place = try #require(Server.test).place(for: UUID().uuidString)
        try Database.migrate(place, Self.schema)
        return place
    }

    private func move(
        _ bench: Bench, to place: Database.Server, isOwned: Bool = true, secrets: [String: String] = [:],
        dryRun: Bool = false,
        unless isTaken: (Connection) throws -> Bool = { _ in false }
    ) throws -> Int? {
        let move = Database.Move(
            from: bench.path, to: place, migrations: Self.schema, application: 0, isOwned: isOwned)
        return try Database.move([move], secrets: secrets, dryRun: dryRun, unless: isTaken)
    }

    @Test func `a file moved to a server and back is the same, and goes on with its keys`() async throws {
        let (bench, place) = (try await filledFile(), try emptyServer())
        #expect(try move(bench, to: place) == 2 + 1 + 2 + 501 + 3)
        let database = try Database(on: place, migrations: Self.schema)
        let key = try await database.write { db in try db.insert("INSERT INTO person (parent_id) VALUES (3)") }
        #expect(key == 78)
        await #expect(throws: DatabaseError.constraint(.foreignKey)) {
            try await database.write { db in try db.execute("INSERT INTO person (parent_id) VALUES (55)") }
        }
        try await database.write { db in try db.execute("DELETE FROM person WHERE id = 78") }
        let back = try Bench()
        try await database.backup(to: back.path)
        let (first, second) = (try bench.open(Self.schema), try back.open(Self.schema))
        for table in ["account", "child", "person", "note", "pair"] as [SQL] {
            let rows = try [first, second].map { database in
                try database.read { db in
                    try db.all("SELECT * FROM \(table) ORDER BY 1 NULLS FIRST, 2 NULLS FIRST") { row in
                        try (0..<row.count).map { _ in try row.value() }
                    }
                }
            }
            #expect(rows[0] == rows[1] && !rows[0].isEmpty)
        }
        #expect(try await second.write { db in try db.insert("INSERT INTO person (parent_id) VALUES (3)") } > 78)
        database.close()
    }

    @Test func `a trial leaves nothing, and a copy takes the place of what was there`() async throws {
        let (bench, place) = (try await filledFile(), try emptyServer())
        #expect(try move(bench, to: place, dryRun: true) == 509)
        let database = try Database(on: place, migrations: Self.schema)
        #expect(try database.read { db in try db.value("SELECT count(*) FROM note") } == 1)
        try await database.write { db in try db.insertAccount("from before") }
        database.close()
        _ = try move(bench, to: place)
        let after = try Database(on: place, migrations: Self.schema)
        #expect(try after.read { db in try db.emails() } == ["ünïcode 夏", ""])
        after.close()
    }

    @Test func `a secret comes along in the place of the one that was there, and not with a trial`() async throws {
        let (bench, place) = (try await filledFile(), try emptyServer())
        func shared() throws -> String {
            let database = try Database(on: place, migrations: Self.schema)
            defer { database.close() }
            return try database.shared("key", or: "the server's")
        }
        #expect(try shared() == "the server's")
        _ = try move(bench, to: place, secrets: ["key": "the file's"], dryRun: true)
        #expect(try shared() == "the server's")
        _ = try move(bench, to: place)
        #expect(try shared() == "the server's")
        _ = try move(bench, to: place, secrets: ["key": "the file's"])
        #expect(try shared() == "the file's")
    }

    @Test func `what a server can't hold is refused, and nothing is changed`() async throws {
        let (bench, place) = (try await filledFile(), try emptyServer())
        let file = try bench.open(Self.schema)
        try await file.write { db in try db.insertAccount("a zero \0 byte") }
        file.close()
        #expect(throws: (any Error).self) { try move(bench, to: place) }
        let database = try Database(on: place, migrations: Self.schema)
        #expect(try database.read { db in try db.accountCount() } == 0)
        database.close()
    }

    @Test func `a file that is open elsewhere, and one that isn't there, are not moved`() async throws {
        let (bench, place) = (try await filledFile(), try emptyServer())
        func expect(_ error: DatabaseError, from bench: Bench) {
            #expect(
                performing: { try move(bench, to: place) },
                throws: { ($0 as? Database.SourceError).map { $0.error == error && $0.path == bench.path } ?? false })
        }
        let open = try bench.open(Self.schema)
        expect(.locked, from: bench)
        open.close()
        let nothing = try Bench()
        expect(.unopenable("\(nothing.path) isn't there"), from: nothing)
    }

    @Test func `nothing is moved to where a site is, or where something must not go`() async throws {
        let (bench, place) = (try await filledFile(), try emptyServer())
        let site = try Database(on: place, migrations: Self.schema)
        #expect(throws: DatabaseError.locked) { try move(bench, to: place) }
        site.close()
        #expect(try move(bench, to: place, unless: { db in try db.exists("SELECT 1 FROM note") }) == nil)
        let after = try Database(on: place, migrations: Self.schema)
        #expect(try after.read { db in try db.accountCount() } == 0)
        after.close()
    }

    @Test func `a backup that is moved stays as it is, and what a stranger wrote into it does nothing`() async throws {
        let (bench, place) = (try await filledFile(), try emptyServer())
        let session = try SQLiteSession(at: bench.path, readOnly: false, options: .init())
        try session.perform {
            try session.run(
                """
                INSERT INTO sqlite_sequence (name, seq) VALUES ('x''); COMMIT; CREATE TABLE pwned (a INTEGER); --', 1);
                PRAGMA journal_mode = DELETE;
                """)
        }
        session.close()
        let before = try Data(contentsOf: URL(filePath: bench.path))
        #expect(try move(bench, to: place, isOwned: false) == 509)
        #expect(try Data(contentsOf: URL(filePath: bench.path)) == before)
        let after = try Database(on: place, migrations: Self.schema)
        #expect(throws: (any Error).self) { try after.read { db in try db.exists("SELECT 1 FROM pwned") } }
        after.close()
    }

    @Test func `a row that is changed on the way is found`() async throws {
        let (bench, place) = (try await filledFile(), try emptyServer())
        let session = try #require(Server.test).session()
        defer { session.close() }
        try session.perform {
            try session.run(
                """
                SET search_path = \(place.schema);
                CREATE FUNCTION louder() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN NEW.name = upper(NEW.name); RETURN NEW; END $$;
                CREATE TRIGGER louder BEFORE INSERT ON child FOR EACH ROW EXECUTE FUNCTION louder();
                """)
        }
        #expect(throws: DatabaseError.different("child")) {
            try move(bench, to: place)
        }
    }
}
