import Foundation
import Synchronization
import Testing

@testable import Database

/// What every driver promises, whatever stores the rows.
@Suite struct ContractTests {
    struct Account: RowDecodable, Equatable {
        static let columns: Columns = ["id", "email", "age"]

        let id: Int64
        let email: String
        let age: Int?

        init(row: inout Row) throws {
            id = try row.next()
            email = try row.next()
            age = try row.next()
        }
    }

    struct Refusal: Error, Equatable {}

    // MARK: Values and rows

    @Test(arguments: Driver.all) func `what is written is read again, byte for byte`(driver: Driver) async throws {
        let database = try Bench(driver).open()
        let texts =
            [
                "", "Göteborg 🪁", "'; DROP TABLE account; --", "\u{feff}e\u{301}",
                String(repeating: "x", count: 70_000),
            ] + (driver.holdsZero ? ["a\0b"] : [])
        for (number, text) in texts.enumerated() {
            let picture = [UInt8](text.utf8)
            try await database.write { db in
                try db.execute(
                    """
                    INSERT INTO account (email, age, height, staff, picture)
                    VALUES (\(text), \(number), \(Double(number) / 3), \(number == 1), \(picture))
                    """)
            }
            let found = try database.read { db in
                try db.first("SELECT email, age, height, staff, picture FROM account WHERE email = \(text)") { row in
                    let (email, age): (String, Int) = (try row.next(), try row.next())
                    return (email, age, try row.next() as Double, try row.next() as Bool, try row.next() as [UInt8])
                }
            }
            let row = try #require(found)
            #expect(Array(row.0.utf8) == picture)
            #expect(row.1 == number)
            #expect(row.2 == Double(number) / 3)
            #expect(row.3 == (number == 1))
            #expect(row.4 == picture)
        }
    }

    /// A value of two columns.
    private struct Size: RowDecodable, Equatable {
        static let columns: Columns = ["age", "height"]
        let age: Int
        let height: Double

        init(row: inout Row) throws { (age, height) = (try row.next(), try row.next()) }
    }

    @Test(arguments: Driver.all)
    func `values in a row are read by the values, in order, and left out where NULL stands`(
        driver: Driver
    ) async throws {
        let database = try Bench(driver).open()
        let ada: Assignments = ["email": "ada@example.org", "age": 36]
        try await database.write { db in
            try db.execute("INSERT INTO account \(values: ada + ["height": 1.6])")
            try db.execute("INSERT INTO account \(values: ["email": "ben@example.org", "age": nil as Int?])")
        }
        let found = try database.read { db in
            try db.all("SELECT id > 0, \(Size.columns), email FROM account ORDER BY email") { row in
                (try row.next() as Bool, try row.next() as Size?, try row.next() as String)
            }
        }
        #expect(found.map(\.1?.age) == [36, nil] && found.map(\.1?.height) == [1.6, nil])
        #expect(found.map(\.2) == ["ada@example.org", "ben@example.org"])

        try await database.write { db in
            try db.execute("UPDATE account SET \(set: ["age": 37, "staff": true]) WHERE email = 'ada@example.org'")
        }
        let ages: [Int] = try database.read { db in
            try db.all("SELECT age FROM account WHERE staff") { row in try row.next() }
        }
        #expect(ages == [37])
    }

    @Test(arguments: Driver.all) func `the largest integers survive`(driver: Driver) async throws {
        let database = try Bench(driver).open()
        for value in [Int64.min, -1, 0, .max] {
            let found: Int64? = try database.read { db in try db.value("SELECT \(value)") }
            #expect(found == value)
        }
    }

    @Test(arguments: Driver.all) func `rows are decoded by position`(driver: Driver) async throws {
        let database = try Bench(driver).open()
        try await database.write { db in
            try db.insertAccount("anna@example.org", age: 41)
            try db.insertAccount("ben@example.org")
        }
        try database.read { db in
            let all: [Account] = try db.all("SELECT id, email, age FROM account ORDER BY id LIMIT \(10)")
            #expect(all.map(\.email) == ["anna@example.org", "ben@example.org"])
            #expect(all.map(\.age) == [41, nil])
            let ben: Account? = try db.first("SELECT id, email, age FROM account WHERE email = \("ben@example.org")")
            #expect(ben == all[1])
            let nobody: Account? = try db.first("SELECT id, email, age FROM account WHERE id = \(99)")
            #expect(nobody == nil)
            #expect(try db.exists("SELECT 1 FROM account WHERE age = \(41)"))
            #expect(try !db.exists("SELECT 1 FROM account WHERE age = \(42)"))
            #expect(try db.value("SELECT max(age) FROM account WHERE age > \(100)") as Int? == nil)
            var seen: [Int64] = []
            try db.each("SELECT id FROM account ORDER BY id") { row in
                seen.append(try row.next())
                return false
            }
            #expect(seen == [all[0].id])
        }
    }

    @Test(arguments: Driver.all) func `a column of another kind, NULL or no column is an error`(driver: Driver) throws {
        let database = try Bench(driver).open()
        func read<Value: SQLValue>(_ sql: SQL, as type: Value.Type) throws -> Value? {
            try database.read { db in try db.first(sql) { row in try row.next() as Value } }
        }
        #expect(throws: DatabaseError.unreadable("column 0 (a) holds NULL that is not text")) {
            try read("SELECT NULL AS a", as: String.self)
        }
        #expect(throws: DatabaseError.self) { try read("SELECT 'x'", as: Int.self) }
        #expect(throws: DatabaseError.self) { try read("SELECT 1", as: String.self) }
        #expect(throws: DatabaseError.self) { try read("SELECT 2", as: Bool.self) }
        #expect(throws: DatabaseError.self) { try read("SELECT '1.5'", as: Double.self) }
        #expect(throws: DatabaseError.self) { try read("SELECT 'x'", as: [UInt8].self) }
        #expect(throws: DatabaseError.unreadable("column 1 of a row of 1")) {
            try database.read { db in
                try db.first("SELECT 1") { row in (try row.next() as Int, try row.next() as Int?) }
            }
        }
        #expect(try read("SELECT NULL", as: String?.self) == .some(nil))
    }

    @Test(arguments: Driver.all) func `only one query or change of rows is taken`(driver: Driver) async throws {
        let database = try Bench(driver).open()
        for sql: SQL in ["SELECT 1; SELECT 2", "", "SELECT ?", "SELECT nonsense FROM nowhere"] {
            #expect(throws: DatabaseError.self) { try database.read { db in try db.exists(sql) } }
        }
        for sql: SQL in [
            "COMMIT", "BEGIN", "PRAGMA foreign_keys = OFF", "ATTACH 'x' AS y", "DROP TABLE account", "SAVEPOINT a",
            "INSERT OR ROLLBACK INTO account (email) VALUES ('a')", "VACUUM", "RELEASE member", "-- hm\nCOMMIT",
        ] {
            await #expect(throws: DatabaseError.self) { try await database.write { db in try db.execute(sql) } }
        }
        #expect(try database.read { db in try db.accountCount() } == 0)
    }

    @Test(arguments: Driver.all) func `the same query inside its own loop has rows of its own`(driver: Driver)
        async throws
    {
        let database = try Bench(driver).open()
        try await database.write { db in for number in 1...3 { try db.insertAccount("\(number)", age: number) } }
        let pairs = try database.read { db in
            try db.all("SELECT age FROM account ORDER BY id") { outer in
                let age: Int = try outer.next()
                return try db.all("SELECT age FROM account ORDER BY id") { row in age * 10 + (try row.next() as Int) }
            }
        }
        #expect(pairs == [[11, 12, 13], [21, 22, 23], [31, 32, 33]])
    }

    @Test(arguments: Driver.all) func `changes are counted and keys told`(driver: Driver) async throws {
        let database = try Bench(driver).open()
        let counts = try await database.write { db in
            let first = try db.insertAccount("a")
            let second = try db.insertAccount("b")
            let updated = try db.execute("UPDATE account SET age = \(7)")
            let nothing = try db.execute("UPDATE account SET age = \(8) WHERE id = \(99)")
            return [Int(second - first), updated, nothing, try db.execute("DELETE FROM account WHERE id = \(second)")]
        }
        #expect(counts == [1, 2, 0, 1])
        await #expect(throws: DatabaseError.self) {
            try await database.write { db in
                try db.insert("INSERT INTO account (email) VALUES ('a') ON CONFLICT DO NOTHING")
            }
        }
    }

    @Test(arguments: Driver.all) func `a key is never given twice`(driver: Driver) async throws {
        let database = try Bench(driver).open()
        let keys = try await database.write { db in
            let first = try db.insertAccount("a")
            try db.execute("DELETE FROM account WHERE id = \(first)")
            return (first, try db.insertAccount("b"))
        }
        #expect(keys.1 > keys.0)
    }

    // MARK: Constraints

    @Test(arguments: Driver.all) func `what the schema refuses is told by kind and column`(driver: Driver) async throws
    {
        let database = try Bench(driver).open()
        try await database.write { db in
            let id = try db.insertAccount("a")
            try db.execute("INSERT INTO child (account_id, name) VALUES (\(id), \("Kit"))")
        }
        let refused: [(SQL, DatabaseError.Constraint)] = [
            ("INSERT INTO account (email) VALUES (\("a"))", .unique(["account.email"])),
            ("INSERT INTO account (id, email) VALUES (1, \("b"))", .unique(["account.id"])),
            ("INSERT INTO child (account_id, name) VALUES (1, \("Kit"))", .unique(["child.account_id", "child.name"])),
            ("INSERT INTO child (account_id, name) VALUES (99, \("Kit"))", .foreignKey),
            ("DELETE FROM account", .foreignKey),
            ("INSERT INTO account (email, age) VALUES (\("c"), \(151))", .check("age_is_real")),
            ("INSERT INTO account (age) VALUES (1)", .notNull("account.email")),
        ]
        for (sql, constraint) in refused {
            await #expect(throws: DatabaseError.constraint(constraint), "\(sql)") {
                try await database.write { db in try db.execute(sql) }
            }
        }
        await #expect(throws: DatabaseError.self, "a boolean is one of two") {
            try await database.write { db in
                try db.execute("INSERT INTO account (email, staff) VALUES (\("d"), 2)")
            }
        }
        await #expect(throws: DatabaseError.self, "a strict table") {
            try await database.write { db in
                try db.execute("INSERT INTO account (email, age) VALUES (\("e"), \("old"))")
            }
        }
        #expect(try database.read { db in try db.accountCount() } == 1)
    }

    // MARK: Reads

    @Test(arguments: Driver.all) func `a read inside a read or a write is refused`(driver: Driver) async throws {
        let database = try Bench(driver).open()
        #expect(throws: DatabaseError.nested) {
            try database.read { _ in try database.read { db in try db.accountCount() } }
        }
        await #expect(throws: DatabaseError.nested) {
            try await database.write { _ in try database.read { db in try db.accountCount() } }
        }
        await #expect(throws: DatabaseError.nested) {
            try await database.readSlowly { _ in try database.read { db in try db.accountCount() } }
        }
        #expect(try database.read { db in try db.accountCount() } == 0, "and the next one goes on")
    }

    @Test(arguments: Driver.all) func `a read of another database inside a read is fine`(driver: Driver) throws {
        let bench = (try Bench(driver), try Bench(driver))
        let (main, media) = (try bench.0.open(), try bench.1.open())
        let count = try main.read { _ in try media.read { db in try db.accountCount() } }
        #expect(count == 0)
    }

    @Test(arguments: Driver.all) func `a read changes nothing`(driver: Driver) throws {
        let database = try Bench(driver).open()
        #expect(throws: DatabaseError.readOnly) { try database.read { db in try db.insertAccount("a") } }
        #expect(try database.read { db in try db.accountCount() } == 0)
    }

    @Test(arguments: Driver.all) func `a connection ends with its closure`(driver: Driver) throws {
        let database = try Bench(driver).open()
        var (kept, shared): (Connection?, Connection?)
        try database.read { db in (kept, shared) = (db, Connection(sharing: db)) }
        #expect(throws: DatabaseError.closed) { try kept?.accountCount() }
        #expect(throws: DatabaseError.closed) { try shared?.accountCount() }
    }

    @Test(arguments: Driver.all) func `a read sees one moment, whatever is written meanwhile`(driver: Driver)
        async throws
    {
        let database = try Bench(driver).open()
        let (begun, written) = (Gate(), Gate())
        async let counts = database.readSlowly { db in
            let before = try db.accountCount()
            begun.open()
            written.wait()
            return [before, try db.accountCount()]
        }
        await begun.opened()
        try await database.write { db in try db.insertAccount("a") }
        #expect(try database.read { db in try db.accountCount() } == 1)
        written.open()
        #expect(try await counts == [0, 0])
    }

    /// Counts for as long as it is let.
    private static let endless: SQL = """
        WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1000000)
        SELECT count(*) FROM number
        """

    @Test func `a read that takes too long is ended`() async throws {
        let seconds = Count()
        let start = ContinuousClock.now
        let database = try Bench().open { $0.now = { start + .seconds(seconds.next()) } }
        #expect(throws: DatabaseError.tooSlow) {
            try database.read { db in try db.value(Self.endless) as Int? }
        }
        #expect(try database.read { db in try db.accountCount() } == 0, "the connection is of use again")
        await #expect(throws: DatabaseError.tooSlow) {
            try await database.readSlowly { db in try db.value(Self.endless) as Int? }
        }
    }

    @Test func `while the clock stands still it is not`() throws {
        let start = ContinuousClock.now
        let database = try Bench().open { $0.now = { start } }
        #expect(try database.read { db in try db.value(Self.endless) as Int? } == 1_000_000)
    }

    @Test(arguments: Driver.all) func `when every connection is in use a read ends as busy`(driver: Driver) async throws
    {
        let database = try Bench(driver).open {
            $0.readers = 1
            $0.mostReaders = 1
            $0.busyTimeout = .zero
        }
        let (begun, end) = (Gate(), Gate())
        let reading = Thread {
            try? database.read { _ in
                begun.open()
                end.wait()
            }
            begun.open()
        }
        reading.start()
        await begun.opened()
        #expect(throws: DatabaseError.busy) { try database.read { db in try db.accountCount() } }
        end.open()
        await begun.opened()
        #expect(try database.read { db in try db.accountCount() } == 0)
    }

    @Test(arguments: Driver.all) func `too many slow reads are refused`(driver: Driver) async throws {
        let database = try Bench(driver).open { $0.slowReadQueue = 1 }
        let (begun, end) = (Gate(), Gate())
        async let running: Void = database.readSlowly { _ in
            begun.open()
            end.wait()
        }
        await begun.opened()
        async let waiting = database.readSlowly { db in try db.accountCount() }
        while database.slowReader.waiting < 1 { await Task.yield() }
        await #expect(throws: DatabaseError.busy) { try await database.readSlowly { db in try db.accountCount() } }
        end.open()
        try await running
        #expect(try await waiting == 0)
    }

    @Test(arguments: Driver.all) func `a kept answer is found once until the next write, and in a write each time`(
        driver: Driver
    ) async throws {
        let database = try Bench(driver).open()
        var asked = 0
        func count(_ question: SQL = "all", in database: Database) throws -> Int {
            try database.read { db in
                try db.kept(question) { _ in
                    asked += 1
                    return try db.accountCount()
                }
            }
        }
        for _ in 0..<2 { #expect(try count(in: database) == 0 && asked == 1) }
        try await database.write { db in try db.insertAccount("a") }
        for _ in 0..<2 { #expect(try count(in: database) == 1 && asked == 2) }
        #expect(try count("another question", in: database) == 1 && asked == 3)
        // No page shows what is written quietly.
        try await database.write(quiet: true) { db in try db.insertAccount("b") }
        #expect(try count(in: database) == 1 && asked == 3)
        // One that may not be kept is found each time, and takes no place of another.
        for number in 1...2 {
            let found = try database.read { db in try db.kept("all", where: false) { _ in number } }
            #expect(found == number)
        }
        #expect(try count(in: database) == 1 && asked == 3)
        #expect(try await database.write { db in try db.kept("all") { _ in try db.accountCount() } } == 2)
        // More questions than there is room for.
        for number in 0..<KeptAnswers.most { _ = try count("\(number)", in: database) }
        #expect(try count(in: database) == 2)
    }

    private struct Address: RowDecodable, Sendable {
        static let columns: Columns = ["email"]
        let email: String

        init(row: inout Row) throws { email = try row.next() }
    }

    @Test(arguments: Driver.all)
    func `a kept list is found by its statement and its arguments, and numbered anew with each finding`(
        driver: Driver
    ) async throws {
        let database = try Bench(driver).open()
        for email in ["a", "b"] { try await database.write { db in try db.insertAccount(email) } }
        func list(_ first: String, isOther: Bool = false) throws -> Answer<[Address]> {
            try database.read { db in
                let other: SQL = .dialect(sqlite: "1", postgreSQL: isOther ? "2" : "1")
                return try db.keptList(
                    """
                    SELECT \(Address.columns) FROM account WHERE email >= \(first) AND 1 = \(other)
                    ORDER BY id LIMIT \(9)
                    """)
            }
        }
        func twice(_ first: String, isOther: Bool = false) throws -> Answer<[Address]> {
            #expect(try list(first, isOther: isOther).number == nil, "nobody asked for it before")
            let known = try list(first, isOther: isOther)
            let number = try #require(known.number)
            #expect(try list(first, isOther: isOther).number == number)
            return known
        }
        let all = try twice("a")
        #expect(all.value.map(\.email) == ["a", "b"])
        let some = try twice("b")
        #expect(some.value.map(\.email) == ["b"] && some.number != all.number)
        // Two that differ on a server alone aren't taken for one.
        #expect(try twice("a", isOther: true).number != all.number)
        try await database.write { db in try db.insertAccount("c") }
        let later = try twice("a")
        #expect(later.value.map(\.email) == ["a", "b", "c"] && later.number != all.number)
    }

    // MARK: Writes

    /// Runs `writes` so that they share one commit: they queue up while another write holds the writer.
    private func together<T: Sendable>(
        in database: Database, _ writes: [@Sendable (Connection) throws -> T]
    ) async throws -> [Result<T, any Error>] {
        let (begun, end) = (Gate(), Gate())
        async let holding: Void = database.write { _ in
            begun.open()
            end.wait()
        }
        await begun.opened()
        let writer = try #require(database.writer)
        var tasks: [Task<T, any Error>] = []
        for (position, write) in writes.enumerated() {
            tasks.append(Task { try await database.write(write) })
            while writer.waiting <= position { await Task.yield() }
        }
        end.open()
        try await holding
        var results: [Result<T, any Error>] = []
        for task in tasks { results.append(await task.result) }
        return results
    }

    @Test(arguments: Driver.all) func `writes that wait together share one commit`(driver: Driver) async throws {
        let database = try Bench(driver).open()
        let results = try await together(
            in: database, (0..<20).map { number in { db in try db.insertAccount("\(number)") } })
        #expect(try results.map { try $0.get() } == Array(1...20))
        #expect(database.version == 1)
        #expect(try database.read { db in try db.accountCount() } == 20)
    }

    @Test(arguments: Driver.all) func `a member's error undoes that member alone`(driver: Driver) async throws {
        let database = try Bench(driver).open()
        let results = try await together(
            in: database,
            [
                { @Sendable db in try db.insertAccount("a") },
                { @Sendable db in
                    try db.insertAccount("half")
                    throw Refusal()
                },
                { @Sendable db in
                    try db.insertAccount("half")
                    return try db.insertAccount("a")
                },
                { @Sendable db in try db.insertAccount("b") },
            ])
        #expect(throws: Never.self) { try results[0].get() }
        #expect(throws: Refusal()) { try results[1].get() }
        #expect(throws: DatabaseError.constraint(.unique(["account.email"]))) { try results[2].get() }
        #expect(throws: Never.self) { try results[3].get() }
        let emails = try database.read { db in try db.emails() }
        #expect(emails == ["a", "b"])
        #expect(database.version == 1)
    }

    @Test(arguments: Driver.all) func `many writers at once lose nothing`(driver: Driver) async throws {
        let bench = try Bench(driver)
        let database = try bench.open()
        let stored = await withTaskGroup(of: Int.self) { group in
            for writer in 0..<32 {
                group.addTask {
                    var stored = 0
                    for number in 0..<20 {
                        // Every email is tried by two writers: one of them is refused.
                        let result = try? await database.write { db in try db.insertAccount("\(writer / 2) \(number)") }
                        if result != nil { stored += 1 }
                    }
                    return stored
                }
            }
            return await group.reduce(0, +)
        }
        #expect(stored == 320)
        database.close()
        #expect(try bench.open().read { db in try db.accountCount() } == 320)
    }

    @Test(arguments: Driver.all) func `a cancelled task's write is carried out`(driver: Driver) async throws {
        let database = try Bench(driver).open()
        let (begun, end) = (Gate(), Gate())
        let task = Task {
            try await database.write { db in
                begun.open()
                end.wait()
                return try db.insertAccount("a")
            }
        }
        await begun.opened()
        task.cancel()
        end.open()
        #expect(try await task.value == 1)
        #expect(try database.read { db in try db.accountCount() } == 1)
    }

    @Test(arguments: Driver.all) func `a full queue refuses the next write at once`(driver: Driver) async throws {
        let database = try Bench(driver).open { $0.writeQueue = 2 }
        let (begun, end) = (Gate(), Gate())
        async let holding: Void = database.write { _ in
            begun.open()
            end.wait()
        }
        await begun.opened()
        let waiting = ["a", "b"].map { email in
            Task { try await database.write { db in try db.insertAccount(email) } }
        }
        while try #require(database.writer).waiting < 2 { await Task.yield() }
        await #expect(throws: DatabaseError.busy) { try await database.write { db in try db.insertAccount("c") } }
        end.open()
        try await holding
        for task in waiting { _ = try await task.value }
        #expect(try database.read { db in try db.accountCount() } == 2)
    }

    @Test(arguments: Driver.all) func `the version rises with what pages show`(driver: Driver) async throws {
        let database = try Bench(driver).open()
        #expect(database.version == 0)
        try await database.write { db in try db.insertAccount("a") }
        #expect(database.version == 1)
        try await database.write(quiet: true) { db in try db.execute("UPDATE account SET age = 1") }
        try await database.write { db in try db.accountCount() }
        try await database.write { db in try db.execute("UPDATE account SET age = 2 WHERE id = 99") }
        _ = try? await database.write { db in
            try db.insertAccount("b")
            throw Refusal()
        }
        #expect(database.version == 1)
    }

    @Test(arguments: Driver.all) func `who has an answer finds a new version and the new row`(driver: Driver)
        async throws
    {
        let database = try Bench(driver).open()
        for number in 1...20 {
            let before = database.version
            try await database.write { db in try db.insertAccount("\(number)") }
            #expect(database.version > before)
            #expect(try database.read { db in try db.accountCount() } == number)
        }
    }

    // MARK: Opening and closing

    @Test func `one at a time owns the data`() async throws {
        let bench = try Bench()
        let database = try bench.open()
        #expect(throws: DatabaseError.locked) { try bench.open() }
        database.close()
        let next = try bench.open()
        try await next.write { db in try db.insertAccount("a") }
        #expect(throws: DatabaseError.closed) { try database.read { db in try db.accountCount() } }
        await #expect(throws: DatabaseError.closed) { try await database.write { db in try db.insertAccount("b") } }
        await #expect(throws: DatabaseError.closed) { try await database.readSlowly { db in try db.accountCount() } }
        database.close()
    }

    @Test(arguments: Driver.all) func `closing waits for the writes that wait`(driver: Driver) async throws {
        let bench = try Bench(driver)
        let database = try bench.open()
        let (begun, end) = (Gate(), Gate())
        let first = Task {
            try await database.write { db in
                begun.open()
                end.wait()
                return try db.insertAccount("a")
            }
        }
        await begun.opened()
        let second = Task { try await database.write { db in try db.insertAccount("b") } }
        while try #require(database.writer).waiting < 1 { await Task.yield() }
        end.open()
        database.close()
        #expect(try await [first.value, second.value] == [1, 2])
        #expect(try bench.open().read { db in try db.accountCount() } == 2)
    }

    @Test(arguments: Driver.all) func `a migration runs once and a later one is added`(driver: Driver) async throws {
        let bench = try Bench(driver)
        var database = try bench.open()
        try await database.write { db in try db.insertAccount("a") }
        database.close()
        database = try bench.open(
            Bench.schema + [Migration(name: "0002-town", text: "ALTER TABLE account ADD COLUMN town @text;")])
        let town = try database.read { db in
            try db.first("SELECT town FROM account") { row in try row.next() as String? } ?? "none"
        }
        #expect(town == nil)
    }

    @Test(arguments: Driver.all) func `an edited, renamed or moved migration is refused`(driver: Driver) throws {
        let bench = try Bench(driver)
        let second = Migration(name: "0002", text: "CREATE TABLE place (id @id);")
        try bench.open(Bench.schema + [second]).close()
        #expect(throws: DatabaseError.migrationEdited("0002")) {
            try bench.open(Bench.schema + [Migration(name: "0002", text: "CREATE TABLE place (id @id );")])
        }
        #expect(throws: DatabaseError.migrationEdited("0002")) { try bench.open([second] + Bench.schema) }
        #expect(throws: DatabaseError.newerThanProgram("0002")) { try bench.open() }
        #expect(throws: Never.self) { try bench.open(Bench.schema + [second]).close() }
    }

    @Test(arguments: Driver.all) func `a migration that fails leaves nothing of itself`(driver: Driver) throws {
        let bench = try Bench(driver)
        let second = Migration(name: "0002", text: "CREATE TABLE place (id @id); INSERT INTO nowhere VALUES (1);")
        #expect(throws: DatabaseError.self) { try bench.open(Bench.schema + [second]) }
        let mended = Migration(name: "0002", text: "CREATE TABLE place (id @id);")
        #expect(throws: Never.self) { try bench.open(Bench.schema + [mended]).close() }
    }

    @Test func `a table is rebuilt without losing what refers to it`() async throws {
        let bench = try Bench()
        var database = try bench.open()
        try await database.write { db in
            let id = try db.insertAccount("a")
            try db.execute("INSERT INTO child (account_id, name) VALUES (\(id), \("Kit"))")
        }
        database.close()
        let rebuild = """
            CREATE TABLE new_account (id @id, email @text NOT NULL UNIQUE);
            INSERT INTO new_account SELECT id, email FROM account;
            DROP TABLE account;
            ALTER TABLE new_account RENAME TO account;
            """
        database = try bench.open(Bench.schema + [Migration(name: "0002", text: rebuild)])
        #expect(try database.read { db in try db.value("SELECT count(*) FROM child") as Int? } == 1)
        await #expect(throws: DatabaseError.constraint(.foreignKey)) {
            try await database.write { db in try db.execute("DELETE FROM account") }
        }
        database.close()
        #expect(throws: DatabaseError.self, "references to nothing") {
            let loose = Migration(name: "0003", text: "DELETE FROM account;")
            return try bench.open(Bench.schema + [Migration(name: "0002", text: rebuild), loose])
        }
    }

    // MARK: Copies and checks

    @Test func `a backup taken while others write is whole`() async throws {
        let bench = try Bench()
        let database = try bench.open()
        try await database.write { db in for number in 0..<2_000 { try db.insertAccount("before \(number)") } }
        let path = bench.folder.appending(path: "backup.sqlite").path
        let (stop, begun) = (Locked(false), Gate())
        async let written = {
            var number = 0
            while !stop.update({ $0 }) {
                let next = number
                // Each write adds two accounts: a copy never has one without the other.
                try await database.write { db in
                    try db.insertAccount("first \(next)")
                    try db.insertAccount("second \(next)")
                }
                number += 1
                begun.open()
            }
            return number
        }()
        await begun.opened()
        try await database.backup(to: path)
        stop.update { $0 = true }
        #expect(try await written > 0)
        let copy = try Database(reading: path)
        let counts = try copy.read { db in
            try ["before *", "first *", "second *"].map { pattern in
                try db.value("SELECT count(*) FROM account WHERE email GLOB \(pattern)") ?? 0
            }
        }
        #expect(counts[0] == 2_000)
        #expect(counts[1] == counts[2])
        #expect(try await copy.check().problems.isEmpty)
        await #expect(throws: DatabaseError.self, "nothing is overwritten") { try await database.backup(to: path) }
        copy.close()
        let files = try FileManager.default.contentsOfDirectory(atPath: bench.folder.path)
        #expect(files.filter { $0.hasPrefix("backup") }.count { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } == 1)
    }

    @Test(arguments: Driver.all) func `a check says what is wrong`(driver: Driver) async throws {
        let database = try Bench(driver).open()
        try await database.write { db in try db.insertAccount("a") }
        #expect(try await database.check().problems == [])
    }

    @Test func `a check takes the time it needs`() async throws {
        let seconds = Count()
        let start = ContinuousClock.now
        let database = try Bench().open { $0.now = { start + .seconds(100 * seconds.next()) } }
        try await database.write { db in for number in 0..<1_000 { try db.insertAccount("\(number)") } }
        #expect(try await database.check().problems == [])
    }

    @Test(arguments: Driver.all) func `every statement that ran can be explained`(driver: Driver) async throws {
        let database = try Bench(driver).open { $0.recordsStatements = true }
        try await database.write { db in try db.insertAccount("a", age: 7) }
        let before = database.recordedRuns
        for age in 1...3 {
            _ = try database.read { db in try db.exists("SELECT 1 FROM account WHERE age = \(age)") }
        }
        #expect(database.recordedRuns == before + 3)
        let ran = database.recordedStatements.map(\.description)
        #expect(ran.contains("SELECT 1 FROM account WHERE age = ?"))
        #expect(ran.contains("INSERT INTO account (email, age) VALUES (?, ?)"))
        #expect(Set(ran).count == ran.count)
        for sql in database.recordedStatements { _ = try database.explain(sql) }
        #expect(try Bench(driver).open().recordedStatements.isEmpty)
    }

    // MARK: A slow disk

    /// Threads that wait for each other, or for a processor, once made it take the disk for slow for as long as many
    /// came at once.
    @Test func `nothing but the disk is taken for a slow disk`() throws {
        let database = try Bench().open()
        for _ in 0..<100 { try database.read { db in _ = (usleep(300), try db.accountCount()) } }
        #expect(!database.readsWait)
    }

    @Test func `reads that wait are noticed, and when they wait no more`() {
        let gauge = WaitGauge()
        #expect(!gauge.isWaiting)
        gauge.note(hasWaited: true)
        #expect(gauge.isWaiting, "after a start one is enough")
        func note(_ times: Int, waiting: Bool) { for _ in 0..<times { gauge.note(hasWaited: waiting) } }
        note(100, waiting: false)
        #expect(!gauge.isWaiting)
        note(5, waiting: true)
        #expect(!gauge.isWaiting)
        note(95, waiting: true)
        #expect(gauge.isWaiting)
        note(5, waiting: false)
        #expect(gauge.isWaiting)
        note(95, waiting: false)
        #expect(!gauge.isWaiting)
    }

    @Test(arguments: Driver.all) func `as many reads as may wait at once do, beside one connection that stays`(
        driver: Driver
    ) throws {
        #expect(try Self.together(8, driver, mostReaders: 8) == 8)
    }

    @Test(arguments: Driver.all) func `twin: with one connection alone they wait for each other`(driver: Driver) throws
    {
        #expect(try Self.together(8, driver, mostReaders: 1) == 1)
    }

    @Test(arguments: Driver.all) func `connections that a slow spell opened go when it is over, and the rest stay`(
        driver: Driver
    ) throws {
        let database = try Bench(driver).open { ($0.readers, $0.mostReaders) = (2, 4) }
        func read(_ depth: Int) throws {
            try database.readers.withSession { _ in if depth > 1 { try read(depth - 1) } }
        }
        for _ in 0..<40 { database.readers.gauge.note(hasWaited: true) }
        try read(4)
        #expect(database.readers.idleCount == 4)
        for _ in 0..<100 { database.readers.gauge.note(hasWaited: false) }
        try read(1)
        #expect(database.readers.idleCount == 2)
    }

    @Test(arguments: Driver.all) func `connections are opened when they are needed, and stay`(driver: Driver) throws {
        let database = try Bench(driver).open { ($0.readers, $0.mostReaders) = (3, 4) }
        func read(_ depth: Int) throws {
            try database.readers.withSession { session in
                #expect(!session.isExtra)
                if depth > 1 { try read(depth - 1) }
            }
        }
        #expect(database.readers.idleCount == 1)
        try read(2)
        #expect(database.readers.idleCount == 2)
        try read(3)
        try read(1)
        #expect(database.readers.idleCount == 3)
    }

    @Test(arguments: Driver.all) func `one connection more stays while others are at work`(driver: Driver) throws {
        let database = try Bench(driver).open { ($0.readers, $0.mostReaders) = (1, 2) }
        try database.readers.withSession { _ in
            for _ in 0..<2 { try database.readers.withSession { _ in } }
            #expect(database.readers.idleCount == 1)
        }
        #expect(database.readers.idleCount == 1)
    }

    /// How many of so many threads are in a read at the same time, each until all are or it can't be.
    private static func together(_ count: Int, _ driver: Driver, mostReaders: Int) throws -> Int {
        let database = try Bench(driver).open {
            $0.readers = 1
            $0.mostReaders = mostReaders
            $0.busyTimeout = .milliseconds(100)
        }
        let inside = Mutex((now: 0, most: 0))
        let (all, ended) = (DispatchSemaphore(value: 0), DispatchGroup())
        for _ in 0..<count {
            ended.enter()
            Thread.detachNewThread {
                defer { ended.leave() }
                // Refused where there is no connection for it.
                try? database.read { _ in
                    let isLast = inside.withLock { tally in
                        tally.now += 1
                        tally.most = max(tally.most, tally.now)
                        return tally.now == count
                    }
                    if isLast { for _ in 0..<count { all.signal() } }
                    _ = all.wait(timeout: .now() + (mostReaders < count ? 0.2 : 60))
                    inside.withLock { $0.now -= 1 }
                }
            }
        }
        ended.wait()
        #expect(try database.read { db in try db.accountCount() } == 0)
        return inside.withLock(\.most)
    }
}
