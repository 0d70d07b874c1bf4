import Foundation
import Glibc
import Testing

@testable import Database

/// What is PostgreSQL's own: its limits, its ways to fail, and what happens when it is away.
@Suite(.enabled(if: Driver.postgreSQL != nil, "VILLAGE_TEST_POSTGRESQL names no server"))
struct PostgreSQLTests {
    private func bench() throws -> Bench { try Bench(try #require(Driver.postgreSQL)) }

    /// Ends the connections of a bench as the server does when it goes, by an account that may.
    private func endConnections(of bench: Bench) throws {
        let server = try #require(Server.test)
        let schema = try server.place(for: bench.path).schema
        let session = try server.session()
        defer { session.close() }
        try session.perform {
            try session.run(
                """
                SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
                WHERE pid <> pg_backend_pid() AND application_name = 'village_\(schema)'
                """)
        }
    }

    @Test func `a read that takes too long is ended by the server, and the connection is of use again`() throws {
        let database = try bench().open { $0.readLimit = .milliseconds(50) }
        #expect(throws: DatabaseError.tooSlow) {
            try database.read { db in try db.exists("SELECT 1 FROM pg_sleep(10)") }
        }
        #expect(try database.read { db in try db.accountCount() } == 0)
    }

    @Test func `connections that many reads opened stay, because opening one takes longer than most reads`() throws {
        let bench = try bench()
        try bench.open().close()
        let server = try #require(Server.test).place(for: bench.path)
        func kept(_ readers: Int?) throws -> Int {
            var options = Database.Options()
            (options.readers, options.mostReaders) = (readers, 3)
            let database = try Database(on: server, migrations: Bench.schema, options: options)
            func read(_ depth: Int) throws {
                try database.readers.withSession { _ in if depth > 1 { try read(depth - 1) } }
            }
            try read(3)
            return database.readers.idleCount
        }
        let (usual, few) = (try kept(nil), try kept(1))
        #expect(usual == 3)
        // With fewer, each burst would open the others anew.
        #expect(few == 1)
    }

    @Test func `a read of many quick statements is ended too, after eight times as long as one of a file`() throws {
        let count = Count()
        let start = ContinuousClock.now
        let database = try bench().open { $0.now = { start + .milliseconds(100 * count.next()) } }
        try database.read { db in for _ in 0..<10 { _ = try db.accountCount() } }
        #expect(throws: DatabaseError.tooSlow) {
            try database.read { db in for _ in 0..<30 { _ = try db.accountCount() } }
        }
    }

    @Test func `no more than 256 statements stay prepared, and those last used do`() throws {
        let database = try bench().open()
        let digits: [SQL] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"]
        try database.readers.withSession { session in
            let session = try #require(session as? PostgreSQLSession)
            try session.read { db in
                for a in digits {
                    for b in digits {
                        for c in digits.prefix(4) {
                            let number: Int? = try db.value("SELECT \(a)\(b)\(c) + 0 * \(1)")
                            #expect(number != nil)
                        }
                    }
                }
            }
            #expect(session.statementCount == PostgreSQLSession.statementLimit)
            let first: Int? = try session.read { db in try db.value("SELECT 111 + 0 * \(1)") }
            #expect(first == 111)
        }
    }

    @Test func `sums of any size, shares and booleans are read`() throws {
        let database = try bench().open()
        func value<Value: SQLValue>(_ sql: SQL) throws -> Value? { try database.read { db in try db.value(sql) } }
        for number: Int64 in [0, 7, -1, 9_999, 10_000, 123_456_789_012, -4_000_000_000_000] {
            #expect(try value("SELECT sum(x) FROM (SELECT \(number) AS x) AS part") == number)
        }
        #expect(try value("SELECT avg(x) FROM (SELECT 1 AS x UNION ALL SELECT 2) AS part") == 1.5)
        #expect(try value("SELECT 0.0625") == 0.0625)
        #expect(try value("SELECT 12345678.5") == 12_345_678.5)
        #expect(try value("SELECT 1 = 1") == true)
        #expect(try value("SELECT CAST(1 AS SMALLINT)") == 1)
        #expect(try value("SELECT CAST(0.5 AS REAL)") == 0.5)
    }

    @Test func `a write that goes on after an error is undone as a whole, and the next one isn't`() async throws {
        let database = try bench().open()
        try await database.write { db in try db.insertAccount("a") }
        await #expect(throws: DatabaseError.rolledBack) {
            try await database.write { db in
                try db.insertAccount("b")
                _ = try? db.insertAccount("a")
            }
        }
        let last = try await database.write { db in try db.emails() }
        #expect(last == ["a"])
    }

    @Test func `connections that were lost are made anew, and nobody notices`() async throws {
        let bench = try bench()
        let database = try bench.open()
        try await database.write { db in try db.insertAccount("a") }
        for _ in 0..<3 {
            try endConnections(of: bench)
            #expect(try database.read { db in [try db.accountCount(), try db.accountCount()] } == [1, 1])
            let slow = try await database.readSlowly { db in try db.emails() }
            #expect(slow == ["a"])
            try endConnections(of: bench)
            // A kept answer is asked for before a transaction begins.
            let counts = try database.read { db in
                [try db.kept("all") { _ in try db.accountCount() }, try db.accountCount()]
            }
            #expect(counts == [1, 1])
            try endConnections(of: bench)
            try await database.write { db in try db.execute("UPDATE account SET age = 7") }
        }
    }

    @Test func `a write whose connection is lost in the middle stores nothing, and those beside it are stored`()
        async throws
    {
        let bench = try bench()
        let database = try bench.open()
        await #expect(throws: DatabaseError.self) {
            try await database.write { db in
                try db.insertAccount("half")
                try endConnections(of: bench)
                try db.insertAccount("whole")
            }
        }
        try await database.write { db in try db.insertAccount("a") }
        let emails = try database.read { db in try db.emails() }
        #expect(emails == ["a"])
    }

    @Test func `two that write at once take turns`() async throws {
        let bench = try bench()
        let nodes = try [bench.open(), bench.open(), bench.open()]
        try await nodes[0].write { db in try db.insertAccount("a", age: 0) }
        // Each reads, and then writes what it read and one more.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<90 {
                group.addTask {
                    try await nodes[number % 3].write { db in
                        let age: Int = try db.value("SELECT age FROM account") ?? 0
                        try db.execute("UPDATE account SET age = \(age + 1)")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try nodes[1].read { db in try db.value("SELECT age FROM account") } == 90)
    }

    @Test func `a database that lacks a migration is refused, and nothing is changed`() throws {
        let bench = try bench()
        let place = try #require(Server.test).place(for: bench.path)
        #expect(throws: DatabaseError.notMigrated("0001-town")) {
            try Database(on: place, migrations: Bench.schema)
        }
        try bench.open().close()
        try Database(on: place, migrations: Bench.schema).close()
    }

    @Test func `one program learns of what another wrote by looking, and of its own writes at once`() async throws {
        let bench = try bench()
        let (one, other) = (try bench.open(), try bench.open())
        for node in [one, other] { try node.look() }
        var versions = (one.version, other.version)
        try await one.write { db in try db.insertAccount("a") }
        #expect(one.version > versions.0 && other.version == versions.1)
        try other.look()
        #expect(other.version > versions.1)
        versions = (one.version, other.version)
        // Nothing new, or nothing that a page shows.
        try await other.write(quiet: true) { db in try db.insertAccount("b") }
        for node in [one, other] { try node.look() }
        #expect((one.version, other.version) == versions)
        #expect(one.commits == nil && other.commits == nil, "neither hears of the other's quiet ones")
    }

    @Test func `a kept answer of one program is found anew once another wrote, without looking`() async throws {
        let bench = try bench()
        let (one, other) = (try bench.open(), try bench.open())
        var asked = 0
        func count() throws -> Int {
            try one.read { db in
                try db.kept("all") { _ in
                    asked += 1
                    return try db.accountCount()
                }
            }
        }
        for number in 1...3 {
            try await other.write { db in try db.insertAccount("\(number)") }
            for _ in 0..<2 { #expect(try count() == number && asked == number) }
        }
        // No page shows what is written quietly.
        try await other.write(quiet: true) { db in try db.insertAccount("quiet") }
        #expect(try count() == 3 && asked == 3)
        // In a transaction the answer is of its snapshot, and of no later state.
        let server = try #require(Server.test)
        let (schema, session) = (try server.place(for: bench.path).schema, try server.session())
        defer { session.close() }
        try one.read { db in
            #expect(try db.accountCount() == 4)
            try session.perform {
                try session.run(
                    """
                    INSERT INTO \(schema).account (email) VALUES ('late');
                    UPDATE \(schema).village_turn SET version = version + 1;
                    """)
            }
            #expect(try db.kept("in the middle") { _ in try db.accountCount() } == 4)
        }
        #expect(try one.read { db in try db.kept("in the middle") { _ in try db.accountCount() } } == 5)
    }

    @Test func `what others wrote counts with one's own write, and is told of by the next look`() async throws {
        let bench = try bench()
        let (one, other) = (try bench.open(), try bench.open())
        let heard = Count()
        let isNew = Locked(false)
        one.follow {
            _ = heard.next()
            return isNew.update { $0 }
        }
        try one.look()
        let start = heard.now
        try await other.write { db in try db.insertAccount("a") }
        try await one.write { db in try db.insertAccount("b") }
        let version = one.version
        isNew.update { $0 = true }
        try one.look()
        #expect(heard.now == start + 1)
        #expect(one.version > version, "what is kept in memory was read again")
        try one.look()
        #expect(heard.now == start + 1)
    }

    @Test func `a version that a standby lacks counts as another one`() async throws {
        let bench = try bench()
        let database = try bench.open()
        try await database.write { db in try db.insertAccount("a") }
        try database.look()
        let version = database.version
        try await database.write(quiet: true) { db in try db.execute("UPDATE village_turn SET version = 0") }
        try database.look()
        #expect(database.version > version)
    }

    @Test func `while the server is away nothing that is kept counts, and it is known when it is back`() throws {
        let bench = try bench()
        let database = try bench.open()
        try database.look()
        let version = database.version
        #expect(database.isCurrent && database.isShared)
        let place = try #require(Server.test).place(for: bench.path)
        let session = try #require(Server.test).session()
        try session.perform { try session.run("ALTER TABLE \(place.schema).village_turn RENAME TO gone") }
        #expect(throws: DatabaseError.self) { try database.look() }
        #expect(database.version > version)
        try session.perform { try session.run("ALTER TABLE \(place.schema).gone RENAME TO village_turn") }
        try database.look()
        #expect(database.standing?.trouble == nil)
    }

    @Test func `nothing that is kept counts a second after the last look`() throws {
        let (bench, start) = (try bench(), ContinuousClock.now)
        let time = Locked(start)
        let database = try bench.open { options in
            options.now = { time.update { $0 } }
            options.lookPeriod = .seconds(3_600)
        }
        defer { database.close() }
        #expect(database.isCurrent)
        time.update { $0 = start + .seconds(1) }
        #expect(!database.isCurrent)
        try database.look()
        #expect(database.isCurrent && database.standing?.lag == .seconds(1))
    }

    @Test func `a secret is the first one's, and in no copy`() async throws {
        let bench = try bench()
        let (one, other) = (try bench.open(), try bench.open())
        #expect(try one.shared("key", or: "mine") == "mine")
        #expect(try other.shared("key", or: "yours") == "mine")
        let copy = bench.folder.appending(path: "copy.sqlite").path
        try await one.backup(to: copy)
        let reader = try Database(reading: copy)
        #expect(try !reader.read { db in try db.exists("SELECT 1 FROM sqlite_schema WHERE name = 'village_secret'") })
    }

    @Test(arguments: [
        ("postgresql://village:secret@db.example:5433/town?sslmode=require", "postgresql://db.example:5433/town"),
        ("postgresql://u:pa?ss@/db", "postgresql:///db"), ("postgresql://u:50%off@db.example/x", nil),
        ("postgresql://u:pa/ss@db.example/x", nil), ("postgresql://u:secret@[::1/x", nil),
        ("postgresql://a,b:5433/x", "postgresql://a,b:5433/x"),
        ("postgresql:///x?host=a,b&port=5432", "postgresql://a:5432,b:5432/x"),
    ])
    func `an address is told without what is secret in it`(address: String, told: String?) {
        #expect(Database.Server.plainAddress(address) == told)
    }

    @Test func `a server that isn't there is said to be away`() {
        #expect(
            performing: {
                try Database(on: Database.Server("postgresql:///x?host=/nowhere"), migrations: [])
            },
            throws: { if case DatabaseError.away(let reason) = $0 { reason.contains("/nowhere") } else { false } })
    }

    @Test func `a database that sorts texts otherwise than by their bytes is refused`() throws {
        let server = try #require(Server.test)
        let session = try server.session()
        defer { session.close() }
        let name = "village_sorted_\(ProcessInfo.processInfo.processIdentifier)"
        try session.perform {
            try session.run(
                """
                CREATE DATABASE \(name) TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'
                    LOCALE_PROVIDER icu ICU_LOCALE 'en'
                """)
        }
        defer { try? session.perform { try session.run("DROP DATABASE \(name)") } }
        let address = server.address.replacing(/\/[a-z]+\?/, with: "/\(name)?")
        #expect(
            performing: { try Database(on: Database.Server(address), migrations: []) },
            throws: { if case DatabaseError.unsuitable(let what) = $0 { what.contains("sorts") } else { false } })
    }

    @Test func `what the server says is broken is told`() async throws {
        let bench = try bench()
        let database = try bench.open()
        #expect(try await database.check().problems.isEmpty)
    }

    @Test func `the same text with arguments of other types is another statement`() throws {
        let database = try bench().open()
        func ask<Value: SQLValue>(_ value: Value) throws -> Value? {
            try database.read { db in try db.value("SELECT \(value)") }
        }
        for _ in 0..<2 {
            #expect(try ask(1.5) == 1.5)
            #expect(try ask(7) == 7)
            #expect(try ask("abcdefgh") == "abcdefgh")
            #expect(try ask(true) == true)
        }
    }

    @Test func `statements that differ on the server alone aren't taken for one`() throws {
        let database = try bench().open()
        let found: [Int] = try database.read { db in
            try (["1", "2"] as [SQL]).map { number in
                try #require(try db.value("SELECT \(.dialect(sqlite: "0", postgreSQL: number)) + 0 * \(1)") as Int?)
            }
        }
        #expect(found == [1, 2])
    }

    @Test func `a statement that fails is prepared once`() async throws {
        let database = try bench().open()
        try await database.write { db in try db.insertAccount("a") }
        for _ in 0..<20 {
            _ = try? await database.write { db in
                try db.execute("INSERT INTO account (email) VALUES (\("a"))")
            }
        }
        let count = try await database.write { db in
            try db.value("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'INSERT%'") ?? 0
        }
        // One by `insert`, one by `execute`.
        #expect(count == 2)
    }

    @Test func `when a table has changed, reads soon find it as it is`() async throws {
        let bench = try bench()
        let database = try bench.open()
        func heights() throws -> Int? { try database.read { db in try db.value("SELECT count(height) FROM account") } }
        func all() throws -> Int { try database.read { db in try db.all("SELECT * FROM account") { _ in 1 } }.count }
        #expect(try all() == 0)
        let later = Migration(name: "0002", text: "ALTER TABLE account ADD COLUMN town @text;")
        try bench.open(Bench.schema + [later]).close()
        _ = try? all()
        #expect(try all() == 0 && heights() == 0)
    }

    @Test func `a migration takes the time it needs`() throws {
        let slow = Migration(name: "0002", text: "", postgreSQL: "SELECT pg_sleep(0.3);")
        #expect(throws: Never.self) {
            try bench().open(Bench.schema + [slow]) { $0.writeLimit = .milliseconds(100) }.close()
        }
    }

    @Test func `averages are read, and what is no number isn't there`() async throws {
        let database = try bench().open()
        func value<Value: SQLValue>(_ sql: SQL) throws -> Value? { try database.read { db in try db.value(sql) } }
        #expect(try value("SELECT avg(x) FROM (SELECT 1 AS x UNION ALL SELECT 3) AS part") == 2.0)
        #expect(try value("SELECT CAST(123456.789012 AS NUMERIC)") == 123_456.789012)
        for text in ["9223372036854775807", "-9223372036854775808", "9007199254740993", "40000", "0"] {
            #expect(try value("SELECT CAST(\(text) AS NUMERIC)") == Int64(text))
        }
        #expect(throws: DatabaseError.self) { try value("SELECT CAST('NaN' AS NUMERIC)") as Int? }
        #expect(throws: DatabaseError.self) { try value("SELECT CAST(9223372036854775808 AS NUMERIC)") as Int? }
        try await database.write { db in
            try db.execute("INSERT INTO account (email, height) VALUES ('a', \(Double.nan))")
        }
        #expect(try value("SELECT count(*) FROM account WHERE height IS NULL") == 1)
    }

    @Test func `too many arguments are refused, and the next in the group are none the wiser`() async throws {
        let database = try bench().open()
        await #expect(throws: DatabaseError.self) {
            try await database.write { db in
                try db.exists("SELECT 1 WHERE 1 IN \(list: Array(repeating: 1, count: 70_000))")
            }
        }
        try await database.write { db in try db.insertAccount("a") }
        #expect(try database.read { db in try db.accountCount() } == 1)
    }

    @Test func `while another has the turn for too long, a write is told that it is busy`() async throws {
        let bench = try bench()
        let (first, second) = (try bench.open(), try bench.open { $0.writeLimit = .milliseconds(200) })
        let (begun, end) = (Gate(), Gate())
        async let holding: Void = first.write { db in
            try db.insertAccount("a")
            begun.open()
            end.wait()
        }
        await begun.opened()
        await #expect(throws: DatabaseError.busy) { try await second.write { db in try db.insertAccount("b") } }
        end.open()
        try await holding
        try await second.write { db in try db.insertAccount("b") }
        #expect(try second.read { db in try db.accountCount() } == 2)
    }

    @Test(arguments: [true, false])
    func `where the answer to a COMMIT is lost the server is asked, and the write is answered as it ended`(
        isStored: Bool
    ) async throws {
        let bench = try bench()
        try bench.open().close()
        let place = try #require(Server.test).place(for: bench.path)
        let wire = try CutWire(to: place.address, passesOn: isStored)
        let database = try Database(
            on: Database.Server(wire.address, schema: place.schema), migrations: Bench.schema)
        let write = Task { try await database.write { db in try db.insertAccount("a") } }
        switch await write.result {
        case .success: #expect(isStored)
        case .failure(let error): #expect(!isStored, "\(error)")
        }
        #expect(try bench.open().read { db in try db.accountCount() } == (isStored ? 1 : 0))
    }
}

/// A server's socket once more, which hangs up when it hears the first COMMIT of a write, before anybody is answered.
private final class CutWire: Sendable {
    let address: String

    /// - Parameter passesOn: Whether the server still hears the COMMIT.
    init(to address: String, passesOn: Bool) throws {
        let host = try #require(address.firstMatch(of: /host=([^&]+)/)?.output.1)
        let folder = FileManager.default.temporaryDirectory.appending(path: "w\(UInt32.random(in: 0 ... .max))").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        self.address = address.replacing("host=\(host)", with: "host=\(folder)")
        let server = "\(host)/.s.PGSQL.5432"
        let listener = Self.socket("\(folder)/.s.PGSQL.5432") { bind($0, $1, $2) }
        listen(listener, 16)
        let wasCut = Locked(false)
        Thread.detachNewThread {
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                let other = Self.socket(server) { connect($0, $1, $2) }
                Thread.detachNewThread { Self.carry(from: other, to: client) { _ in true } }
                Thread.detachNewThread {
                    Self.carry(from: client, to: other) { bytes in
                        let text = String(decoding: bytes, as: UTF8.self)
                        guard text.contains("COMMIT"), text.contains("UPDATE village_turn") else { return true }
                        guard
                            !wasCut.update({ was in
                                defer { was = true }
                                return was
                            })
                        else { return true }
                        shutdown(client, Int32(SHUT_RDWR))
                        return passesOn
                    }
                }
            }
        }
    }

    private static func socket(
        _ path: String, _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
        _ = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                use(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return descriptor
    }

    private static func carry(from one: Int32, to other: Int32, _ isPassed: ([UInt8]) -> Bool) {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(one, &bytes, bytes.count)
            guard count > 0, isPassed(Array(bytes[..<count])) else { break }
            guard send(other, bytes, count, Int32(MSG_NOSIGNAL)) == count else { break }
        }
        shutdown(other, Int32(SHUT_RDWR))
    }
}
