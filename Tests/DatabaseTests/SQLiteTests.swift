import Foundation
import Testing

@testable import Database

/// What is SQLite's own: its switches, its limits, its ways to fail.
@Suite struct SQLiteTests {
    private func pragma(_ name: String, of session: SQLiteSession) throws -> String {
        try session.perform {
            try session.lines(of: "PRAGMA \(name)") { row in
                // Some are integers, some are text.
                if let text = try? row.next() as String { text } else { "\(try row.next() as Int)" }
            }.first ?? ""
        }
    }

    @Test func `the writer waits for the disk and keeps its references`() throws {
        let database = try Bench().open()
        let session = try #require(database.writer?.session as? SQLiteSession)
        let expected = [
            "journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "trusted_schema": "0", "temp_store": "2",
            "cell_size_check": "1", "busy_timeout": "5000", "query_only": "0", "wal_autocheckpoint": "0",
            "secure_delete": "1",
        ]
        for (name, value) in expected { #expect(try pragma(name, of: session) == value, "\(name)") }
    }

    @Test func `a long log moves into the file, after its writes were answered`() async throws {
        let bench = try Bench()
        let picture = [UInt8](repeating: 7, count: SQLiteSession.longLog * 4_096)
        func logSize() -> Int { Int(fileSize(at: bench.path + "-wal") ?? 0) }
        let database = try bench.open()
        for number in 0..<4 {
            try await database.write { db in
                try db.execute("INSERT INTO account (email, picture) VALUES (\("\(number)"), \(picture))")
            }
        }
        #expect(logSize() < 2 * picture.count)
        database.close()
        // A commit alone leaves it long.
        let session = try SQLiteSession(at: bench.path, readOnly: false, options: .init())
        defer { session.close() }
        try session.perform {
            session.leavesLogLong()
            func write(_ name: String) throws {
                try session.begin()
                _ = try session.execute("INSERT INTO account (email, picture) VALUES (\(name), \(picture))")
                try session.commit(isQuiet: false)
            }
            for name in ["a", "b"] { try write(name) }
            #expect(session.hasLongLog && logSize() > 2 * picture.count)
            session.shortenLog()
            try write("c")
            #expect(logSize() < 3 * picture.count)
        }
    }

    @Test func `readers can't write and never move the log`() throws {
        let database = try Bench().open()
        try database.readers.withSession { session in
            let session = try #require(session as? SQLiteSession)
            let queryOnly = try session.lines(of: "PRAGMA query_only") { row in try row.next() as Int }
            #expect(queryOnly == [1])
            #expect(throws: DatabaseError.readOnly) { try session.run("CREATE TABLE x (a)") }
        }
    }

    @Test func `a plan says that a statement is prepared anew for the value of an argument`() throws {
        let database = try Bench().open()
        let session = try #require(database.writer?.session as? SQLiteSession)
        let (open, like): (SQL, SQL) = ("age = \(7)", "email LIKE \("x%")")
        func isPreparedAnew(_ condition: SQL) throws -> Bool {
            let plan = try session.perform { try session.explain("SELECT id FROM account WHERE \(condition)") }
            return plan.last == "PREPARED ANEW"
        }
        #expect(try !isPreparedAnew(open))
        try session.perform { try session.run("CREATE INDEX account_seven ON account (email) WHERE age = 7") }
        #expect(try isPreparedAnew(open))
        #expect(try !isPreparedAnew("\(unindexed: "age") = \(7)"))
        #expect(try !isPreparedAnew("age = 7"))
        #expect(try isPreparedAnew(like))
    }

    /// That waiting is counted is seen with a disk that is held back: `Tests/Long/prove_cold.py`.
    @Test func `a file is read through the watch, and what is in memory doesn't wait`() throws {
        let bench = try Bench()
        // Closed, so that what was written stands in the file and no more in its log.
        try bench.open().close()
        let session = try SQLiteSession(at: bench.path, readOnly: true, options: .init())
        try session.perform {
            _ = try session.lines(of: "SELECT age FROM account") { try $0.next() as Int? }
            #expect(session.isWatched)
            #expect(session.waits == 0)
        }
    }

    /// Opens the file's readers, but fails the first time.
    private func failingOnce(_ bench: Bench) -> @Sendable () throws -> SQLiteSession {
        let path = bench.path
        let attempts = Locked(0)
        return {
            let attempt = attempts.update { count in
                count += 1
                return count
            }
            guard attempt > 1 else { throw DatabaseError.unopenable("no file was free") }
            return try SQLiteSession(at: path, readOnly: true, options: .init())
        }
    }

    @Test func `a reader that could not be opened is opened by the next read`() async throws {
        let bench = try Bench()
        try bench.open().close()
        let open = failingOnce(bench)
        let pool = ReadPool(.init(), first: []) { isExtra in
            #expect(!isExtra, "its place is free again")
            return try open()
        }
        #expect(throws: DatabaseError.unopenable("no file was free")) { try pool.withSession { _ in } }
        try pool.withSession { session in
            let count: Int = try session.read { db in try db.accountCount() }
            #expect(count == 0)
        }
        pool.close()
        #expect(throws: DatabaseError.closed) { try pool.withSession { _ in } }

        let slow = SlowReader(mark: ThreadMark(), queueLimit: 2, open: failingOnce(bench))
        let count: Int = try await slow.run { session in try session.read { db in try db.accountCount() } }
        #expect(count == 0)
        slow.close()
        await #expect(throws: DatabaseError.closed) { try await slow.run { _ in } }
    }

    @Test func `every table is strict`() throws {
        let database = try Bench().open()
        let loose = try database.read { db in
            try db.all(
                """
                SELECT name FROM pragma_table_list
                WHERE type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'account_search%'
                """
            ) { row in try row.next() as String }
        }
        #expect(loose == [])
    }

    @Test func `full-text search works with an untrusted schema`() async throws {
        let database = try Bench().open()
        try await database.write { db in
            try db.execute("INSERT INTO account_search (rowid, email) VALUES (1, \("café kites"))")
        }
        let found: Int? = try database.read { db in
            try db.value("SELECT rowid FROM account_search WHERE account_search MATCH \("cafe* ki*")")
        }
        #expect(found == 1)
    }

    @Test func `no more than 256 statements stay prepared, and those last used do`() throws {
        let database = try Bench().open { $0.recordsStatements = true }
        try database.readers.withSession { session in
            let session = try #require(session as? SQLiteSession)
            try session.read { db in
                for length in 1...400 {
                    _ = try db.exists("SELECT 1 WHERE 1 IN \(list: Array(repeating: 2, count: length))")
                    _ = try db.exists("SELECT 'kept'")
                }
            }
            #expect(session.statementCount == 256)
            #expect(session.isCached("SELECT 'kept'"))
            #expect(session.isCached("SELECT 1 WHERE 1 IN (?)") == false)
        }
    }

    @Test func `statements are told apart by their bytes`() {
        // To Swift's `==` both are the same é.
        #expect(StatementText("SELECT '\u{E9}'") != StatementText("SELECT 'e\u{301}'"))
        #expect(StatementText("SELECT ' · '") == StatementText("SELECT ' · '"))
        #expect(StatementText("SELECT ' · '") != StatementText("SELECT ' - '"))
        #expect(StatementText("") == StatementText("") && StatementText("") != StatementText("SELECT 1"))
    }

    @Test func `statements that differ in one place are never taken for each other`() throws {
        let database = try Bench().open()
        let long = String(repeating: "7", count: 60)
        try database.readers.withSession { session in
            let session = try #require(session as? SQLiteSession)
            let before = session.statementCount
            // The difference stands before the middle, so that both have the same hash.
            for digit in 1...9 {
                let text = "SELECT \(digit), '\(long)', '\(long)'"
                let others = (1...9).filter { $0 != digit }.map { "SELECT \($0), '\(long)', '\(long)'" }
                #expect(others.allSatisfy { StatementText($0) != StatementText(text) })
                #expect(others.allSatisfy { StatementText($0).hashValue == StatementText(text).hashValue })
                try session.run(cached: text)
                #expect(session.isCached(text) && session.statementCount == before + digit)
            }
        }
    }

    @Test func `each connection caches as much of the file as it may`() throws {
        let database = try Bench().open { $0.pageCache = 700 }
        let writer = try #require(database.writer?.session as? SQLiteSession)
        #expect(try pragma("cache_size", of: writer) == "-700")
        try database.readers.withSession { session in
            let session = try #require(session as? SQLiteSession)
            let size = try session.lines(of: "PRAGMA cache_size") { row in try row.next() as Int }
            #expect(size == [-700])
        }
    }

    // MARK: A full disk

    /// As little space as there is now, and `pages` more.
    private func limit(_ database: Database, to pages: Int) throws {
        let session = try #require(database.writer?.session as? SQLiteSession)
        try session.perform {
            let now = try session.lines(of: "PRAGMA page_count") { row in try row.next() as Int }[0]
            _ = try session.lines(of: "PRAGMA max_page_count = \(now + pages)") { row in try row.next() as Int }
        }
    }

    private let large: SQL = """
        INSERT INTO account (email, picture) VALUES (\("large"), \([UInt8](repeating: 1, count: 400_000)))
        """

    @Test func `on a full disk nothing is stored, reads go on, and it comes back by itself`() async throws {
        let database = try Bench().open()
        try await database.write { db in try db.insertAccount("a") }
        try limit(database, to: 4)
        let large = large
        await #expect(throws: DatabaseError.full) {
            try await database.write { db in
                try db.insertAccount("b")
                try db.execute(large)
            }
        }
        #expect(try database.read { db in try db.accountCount() } == 1)
        #expect(database.version == 1)
        try limit(database, to: 1_000)
        try await database.write { db in try db.execute(large) }
        #expect(try database.read { db in try db.accountCount() } == 2)
        #expect(try await database.check().problems == [])
    }

    @Test(arguments: [false, true]) func `who fills the disk fails alone`(hides: Bool) async throws {
        let database = try Bench().open()
        try limit(database, to: 4)
        let (begun, end) = (Gate(), Gate())
        async let holding: Void = database.write { _ in
            begun.open()
            end.wait()
        }
        await begun.opened()
        let writer = try #require(database.writer)
        let large = large
        let runs = Count()
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<3 {
            tasks.append(
                Task {
                    try await database.write { db in
                        if number == 0 { _ = runs.next() }
                        try db.insertAccount("\(number)")
                        guard number == 1 else { return }
                        if hides { _ = try? db.execute(large) } else { try db.execute(large) }
                    }
                })
            while writer.waiting <= number { await Task.yield() }
        }
        end.open()
        try await holding
        try await tasks[0].value
        await #expect(throws: hides ? DatabaseError.rolledBack : .full) { try await tasks[1].value }
        try await tasks[2].value
        #expect(runs.now == 2, "the transaction fell, and the first was run again")
        let emails = try database.read { db in try db.emails().sorted() }
        #expect(emails == ["0", "2"])
    }

    @Test func `when the commit fails nobody is told otherwise`() async throws {
        let database = try Bench().open()
        let session = try #require(database.writer?.session as? SQLiteSession)
        let (begun, end) = (Gate(), Gate())
        async let holding: Void = database.write { _ in
            begun.open()
            end.wait()
        }
        await begun.opened()
        let writer = try #require(database.writer)
        var tasks: [Task<Int64, any Error>] = []
        for number in 0..<3 {
            tasks.append(
                Task {
                    try await database.write { db in
                        // The reference is looked at when the transaction commits, and not before.
                        if number == 1 {
                            try session.run("PRAGMA defer_foreign_keys = ON")
                            try db.execute("INSERT INTO child (account_id, name) VALUES (99, \("Kit"))")
                        }
                        return try db.insertAccount("\(number)")
                    }
                })
            while writer.waiting <= number { await Task.yield() }
        }
        end.open()
        try await holding
        for task in tasks {
            await #expect(throws: DatabaseError.constraint(.foreignKey)) { try await task.value }
        }
        #expect(try database.read { db in try db.accountCount() } == 0)
        #expect(database.version == 0)
        #expect(try await database.write { db in try db.insertAccount("a") } == 1, "and the writer goes on")
    }

    // MARK: Files

    @Test func `a file that is no database, a folder that isn't there`() throws {
        let bench = try Bench()
        #expect(throws: DatabaseError.self) { try Database(reading: bench.path) }
        #expect {
            try Database(at: bench.folder.appending(path: "nowhere/x.sqlite").path, migrations: [])
        } throws: { error in
            if case DatabaseError.unopenable = error { true } else { false }
        }
        try Data(repeating: 65, count: 8_192).write(to: URL(filePath: bench.path))
        #expect {
            try bench.open()
        } throws: { error in
            if case DatabaseError.corrupt = error { true } else { false }
        }
    }

    @Test func `a reader needs no lock and can't write`() async throws {
        let bench = try Bench()
        let database = try bench.open()
        try await database.write { db in try db.insertAccount("a") }
        let tool = try Database(reading: bench.path)
        #expect(tool.commits == nil, "another program writes")
        #expect(try tool.read { db in try db.accountCount() } == 1)
        await #expect(throws: DatabaseError.readOnly) { try await tool.write { db in try db.insertAccount("b") } }
        tool.close()
        database.close()
        let alone = try Database(reading: bench.path)
        #expect(try alone.read { db in try db.accountCount() } == 1)
    }

    @Test func `each commit is counted before its write returns, quiet ones too`() async throws {
        let database = try Bench().open()
        for number in 1...20 {
            let before = try #require(database.commits)
            try await database.write(quiet: number % 2 == 0) { db in try db.insertAccount("\(number)") }
            #expect(try #require(database.commits) > before)
        }
    }

    @Test func `a tool, which doesn't know of the site's writes, finds each answer itself`() async throws {
        let bench = try Bench()
        try await bench.open().write { db in try db.insertAccount("a") }
        let tool = try Database(reading: bench.path)
        var asked = 0
        for number in 1...2 {
            let found = try tool.read { db in
                try db.kept("all") { _ in
                    asked += 1
                    return try db.accountCount()
                }
            }
            #expect(found == 1 && asked == number)
        }
    }

    @Test func `an answer that was found before a write isn't kept for those after it`() throws {
        let answers = KeptAnswers()
        func answer(at version: Int, _ found: String) -> String {
            answer(in: DataState(version: version), found)
        }
        func answer(in data: DataState, _ found: String) -> String {
            answers.answer(Question(text: StatementText("all")), in: data) { found }.value
        }
        #expect(answer(at: 2, "new") == "new")
        #expect(answer(at: 1, "old") == "old")
        #expect(answer(at: 2, "other") == "new")
        #expect(answer(at: 3, "newest") == "newest")
        #expect(answer(at: 2, "again") == "again")
        #expect(answer(at: 3, "other") == "newest")
        // A standby that took over may count the same for other data.
        #expect(answer(in: DataState(version: 3, serverStart: 1), "taken over") == "taken over")
        #expect(answer(in: DataState(version: 2, serverStart: 1), "before") == "before")
        #expect(answer(in: DataState(version: 3, serverStart: 1), "other") == "taken over")
    }

    @Test func `long lists take the room of many answers, and a list as long as the room isn't the end of others`()
        throws
    {
        let answers = KeptAnswers()
        var found = 0
        func ask(_ name: String, weight: Int) -> Int {
            answers.answer(Question(text: StatementText(name)), in: DataState(version: 1), weight: { _ in weight }) {
                found += 1
                return found
            }.value
        }
        for _ in 0..<2 { #expect(ask("one", weight: KeptAnswers.most / 2) == 1) }
        #expect(ask("other", weight: KeptAnswers.most / 2) == 2)
        #expect(ask("one", weight: 1) == 1)
        // One more than there is room for: all before it are dropped.
        #expect(ask("third", weight: 1) == 3)
        #expect(ask("one", weight: 1) == 4)
    }

    // MARK: Erased

    /// Whether the file or its log holds these words.
    private func holds(_ bench: Bench, _ words: String) throws -> Bool {
        try [bench.path, bench.path + "-wal"].contains { path in
            try Data(contentsOf: URL(filePath: path)).range(of: Data(words.utf8)) != nil
        }
    }

    @Test(arguments: [true, false]) func `what is deleted is overwritten`(overwrites: Bool) async throws {
        let bench = try Bench()
        let database = try bench.open { $0.overwritesDeleted = overwrites }
        // Rows of every size, in an order that splits and joins pages.
        let words = (0..<200).map { "secret-\($0)-" + String(repeating: "x", count: $0 * 37 % 3_000) }
        try await database.write { db in
            for (number, text) in words.enumerated() {
                try db.execute("INSERT INTO account (id, email) VALUES (\(number * 61 % 200 + 1), \(text))")
            }
        }
        #expect(try await database.emptyLog())
        #expect(try holds(bench, "secret-7-"))
        try await database.write { db in
            for number in 0..<100 { try db.execute("DELETE FROM account WHERE id = \(number * 3 % 200 + 1)") }
            try db.execute("UPDATE account SET email = id")
        }
        #expect(try await database.emptyLog())
        let left = try words.indices.filter { try holds(bench, "secret-\($0)-") }
        // A page that was split may keep a row in its unused part: SQLite overwrites what is deleted, not what it
        // moved.
        #expect(overwrites ? left.count <= 2 : left.count > 20, "\(left)")
    }

    @Test func `the log is emptied, unless somebody reads from it`() async throws {
        let bench = try Bench()
        let database = try bench.open()
        func size() -> Int64? { fileSize(at: bench.path + "-wal") }
        try await database.write { db in try db.insertAccount("a") }
        #expect((size() ?? 0) > 0)
        #expect(try await database.emptyLog())
        #expect(size() == 0)
        let (begun, end) = (Gate(), Gate())
        try await database.write { db in try db.insertAccount("b") }
        async let reading: Void = database.readSlowly { db in
            _ = try db.accountCount()
            begun.open()
            end.wait()
        }
        await begun.opened()
        try await database.write { db in try db.insertAccount("c") }
        #expect(try await !database.emptyLog())
        end.open()
        try await reading
        #expect(try await database.emptyLog())
        #expect(size() == 0)
        #expect(try database.read { db in try db.emails() } == ["a", "b", "c"])
        database.close()
        await #expect(throws: DatabaseError.closed) { _ = try await database.emptyLog() }
    }

    @Test func `foreign keys hold after a migration`() async throws {
        let database = try Bench().open()
        let session = try #require(database.writer?.session as? SQLiteSession)
        #expect(try pragma("foreign_keys", of: session) == "1")
    }

    @Test func `damage is found`() async throws {
        let bench = try Bench()
        let database = try bench.open()
        try await database.write { db in for number in 0..<500 { try db.insertAccount("\(number)@example.org") } }
        database.close()
        // Two entries of an index change places.
        let file = URL(filePath: bench.path)
        var bytes = try Data(contentsOf: file)
        let place = try #require(bytes.range(of: Data("123@example.org".utf8), options: .backwards))
        bytes.replaceSubrange(place, with: Data("999@example.org".utf8))
        try bytes.write(to: file)
        let damaged = try bench.open()
        #expect(try await damaged.check().problems.isEmpty == false)
        let copy = bench.folder.appending(path: "copy.sqlite").path
        await #expect(throws: DatabaseError.self) { try await damaged.backup(to: copy) }
        #expect(!FileManager.default.fileExists(atPath: copy), "a damaged copy gets no name")
        #expect(!FileManager.default.fileExists(atPath: copy + ".partial"))
    }

    @Test(arguments: [
        (3_006_023, false), (3_007_000, true), (3_040_001, true), (3_044_005, true), (3_044_006, false),
        (3_045_000, true), (3_050_006, true), (3_050_007, false), (3_051_000, true), (3_051_002, true),
        (3_051_003, false), (3_052_000, false),
    ]) func `versions that can lose a commit are known`(version: Int, isAffected: Bool) {
        #expect(SQLiteVersion(number: version).hasWALResetBug == isAffected)
    }

    @Test func `a version is told as people write it`() {
        #expect(SQLiteVersion(number: 3_040_001).description == "3.40.1")
    }

    @Test(arguments: [
        (SQLITE.busy, DatabaseError.busy), (SQLITE.full, .full), (SQLITE.interrupt, .tooSlow),
        (SQLITE.readOnly, .readOnly), (SQLITE.diskOnSync, .disk("m")), (SQLITE.notADatabase, .corrupt("m")),
        (SQLITE.cannotOpen, .unopenable("m")), (SQLITE.misuse, .statement("m")),
    ]) func `result codes are told apart`(code: Int32, error: DatabaseError) {
        #expect(DatabaseError(code: code, message: "m") == error)
    }

    /// From <https://www.sqlite.org/rescode.html>.
    private enum SQLITE {
        static let busy: Int32 = 5
        static let full: Int32 = 13
        static let interrupt: Int32 = 9
        static let readOnly: Int32 = 8 | 4 << 8
        static let diskOnSync: Int32 = 10 | 4 << 8
        static let notADatabase: Int32 = 26
        static let cannotOpen: Int32 = 14
        static let misuse: Int32 = 21
    }

    #if os(Linux)
        @Test func `reading a file ahead leaves its locks, by which others know that it is in use`() throws {
            let bench = try Bench()
            let database = try bench.open()
            // Closing it would take the locks along.
            let file = open(bench.path, O_RDONLY)
            /// Whether somebody who wants all of the file for themselves (SQLite's byte range of shared locks) could
            /// have it: as a lock of a file description, with which those of this process aren't its own.
            func isFree() -> Bool {
                var lock = flock()
                lock.l_type = Int16(F_WRLCK)
                (lock.l_whence, lock.l_start, lock.l_len) = (Int16(SEEK_SET), 0x4000_0002, 510)
                // F_OFD_GETLK, which Swift isn't shown.
                #expect(fcntl(file, 36, &lock) == 0)
                return lock.l_type == Int16(F_UNLCK)
            }
            #expect(!isFree())
            Database.readAhead(bench.path)
            #expect(!isFree())
            // Twin: reading and closing it gives it free.
            close(open(bench.path, O_RDONLY))
            #expect(isFree())
            database.close()
        }
    #endif
}
