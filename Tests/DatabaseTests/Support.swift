import Foundation
import Testing

@testable import Database

/// How the contract suite opens a database: each driver is held to it by a value here.
struct Driver: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Whether a text may hold a zero byte.
    var holdsZero = true
    let open: @Sendable (_ path: String, _ migrations: [Migration], _ options: Database.Options) throws -> Database

    static let sqlite = Driver(testDescription: "SQLite") { try Database(at: $0, migrations: $1, options: $2) }

    /// Where the environment names a server, by `VILLAGE_TEST_POSTGRESQL`: `deploy/test` starts one.
    static let postgreSQL = Server.test.map { server in
        Driver(testDescription: "PostgreSQL", holdsZero: false) { path, migrations, options in
            var options = options
            // No more than the server has, for many tests at once; and no test depends on how fast it is.
            options.readers = options.readers ?? 1
            options.groupTime = .seconds(60)
            options.idleLimit = .seconds(60)
            let place = try server.place(for: path)
            try Database.migrate(place, migrations)
            return try Database(on: place, migrations: migrations, options: options)
        }
    }

    static let all = [sqlite] + (postgreSQL.map { [$0] } ?? [])
}

/// A PostgreSQL server to test with: each path has a schema of its own in one of its databases.
struct Server: Sendable {
    /// `postgresql://user@/database?host=/socket`
    let address: String
    private static let schemas = Locked<[String: String]>([:])

    static let test = ProcessInfo.processInfo.environment["VILLAGE_TEST_POSTGRESQL"].map { Server(address: $0) }

    /// Where the tables of `path` stand.
    func place(for path: String) throws -> Database.Server {
        let name = Self.schemas.update { schemas in
            if let name = schemas[path] { return name }
            let name = "test_\(ProcessInfo.processInfo.processIdentifier)_\(schemas.count)"
            schemas[path] = name
            return name
        }
        return Database.Server(address + "&application_name=village_\(name)", schema: name)
    }

    /// A connection of an account that may do anything, to do what no site does.
    func session() throws -> PostgreSQLSession {
        try PostgreSQLSession(Database.Server(address), .unlimited, .init(), ledger: nil)
    }
}

/// A folder of one test's own, and the databases in it.
struct Bench: Sendable {
    let driver: Driver
    let folder: URL

    var path: String { folder.appending(path: "test.sqlite").path }

    /// The folders of all tests of this run; they go when it ends, because a database outlives the value that opened
    /// it.
    private static let root: URL = {
        atexit { try? FileManager.default.removeItem(at: Bench.root) }
        return FileManager.default.temporaryDirectory.appending(path: "village-\(UUID().uuidString)")
    }()

    init(_ driver: Driver = .sqlite) throws {
        self.driver = driver
        folder = Self.root.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func open(
        _ migrations: [Migration] = Bench.schema, _ set: (inout Database.Options) -> Void = { _ in }
    ) throws -> Database {
        var options = Database.Options()
        // A clock that stands still: no test fails because the machine is slow.
        let start = ContinuousClock.now
        options.now = { start }
        set(&options)
        return try driver.open(path, migrations, options)
    }

    static let schema = [
        Migration(
            name: "0001-town",
            text: """
                CREATE TABLE account (
                    id @id,
                    email @text NOT NULL UNIQUE,
                    age @integer,
                    height @real,
                    staff @boolean NOT NULL DEFAULT FALSE,
                    picture @blob,
                    CONSTRAINT age_is_real CHECK (age BETWEEN 0 AND 150)
                );
                CREATE TABLE child (
                    id @id,
                    account_id @integer NOT NULL REFERENCES account (id),
                    name @text NOT NULL,
                    UNIQUE (account_id, name)
                );
                CREATE INDEX account_age ON account (age);
                """,
            sqlite: "CREATE VIRTUAL TABLE account_search USING fts5 (email, prefix = '1 2 3');")
    ]
}

extension Connection {
    /// One account.
    @discardableResult func insertAccount(_ email: String, age: Int? = nil) throws -> Int64 {
        try insert("INSERT INTO account (email, age) VALUES (\(email), \(age))")
    }

    /// The accounts, in the order of their keys.
    func emails() throws -> [String] {
        try all("SELECT email FROM account ORDER BY id") { row in try row.next() as String }
    }

    /// How many accounts there are.
    func accountCount() throws -> Int {
        try value("SELECT count(*) FROM account") ?? 0
    }
}

/// A counter that two threads may use.
final class Count: Sendable {
    private let value = Locked(0)
    func next() -> Int {
        value.update { count in
            count += 1
            return count
        }
    }
    var now: Int { value.update { $0 } }
}

/// A value under a lock.
final class Locked<Value: Sendable>: @unchecked Sendable {
    private var value: Value
    private let lock = NSLock()
    init(_ value: Value) { self.value = value }
    func update<T>(_ body: (inout Value) -> T) -> T {
        lock.lock()
        defer { lock.unlock() }
        return body(&value)
    }
}

/// A gate that a thread waits at until another opens it.
struct Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func wait() { semaphore.wait() }

    /// The same for a task, whose thread is not its own to block.
    func opened() async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                semaphore.wait()
                continuation.resume()
            }
        }
    }

    func open() { semaphore.signal() }
}
