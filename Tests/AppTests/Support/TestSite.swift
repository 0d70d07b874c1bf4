import Database
import Fetching
import Foundation
import Logging
import Passwords
import SMTP
import ServiceLifecycle
import Synchronization
import Templating
import Testing
import WebPush
import Wire

@testable import App

/// The whole site, running on a free port with its own empty database.
struct TestSite: Sendable {
    let site: Site
    let port: Int
    let clock: Clock
    let log: LogBook
    /// The languages that everybody's browser accepts.
    var acceptedLanguages: String?

    /// The browser of somebody who has never been here.
    func browser(at origin: String? = nil, sending headers: [String: String] = [:]) -> Browser {
        let languages = acceptedLanguages.map { ["Accept-Language": $0] } ?? [:]
        return Browser(port: port, origin: origin, sending: languages.merging(headers) { $1 })
    }

    /// How many rows a table has: `count(of: "event")`, `count(of: "event WHERE listed")`.
    func count(of rows: SQL) throws -> Int {
        try read { db in try db.value("SELECT count(*) FROM \(rows)") ?? 0 }
    }

    /// Makes a change that no page of this release can make: cancels an event, moves a date.
    func execute(_ sql: SQL) async throws {
        try await write { db in _ = try db.execute(sql) }
    }

    /// Reads from the database for the test itself. These statements aren't checked.
    func read<T>(_ body: (Connection) throws -> T) throws -> T {
        try Database.unrecorded { try site.read(body) }
    }

    /// The same, at a time.
    func read<T>(at now: Instant, _ body: (Transaction) throws -> T) throws -> T {
        try read { db in try body(db.at(now)) }
    }

    /// The test's own statements aren't checked.
    @discardableResult func write<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) async throws -> T {
        try await Database.unrecorded { try await site.write(body) }
    }

    /// The same, at a time.
    @discardableResult func write<T: Sendable>(
        at now: Instant, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try await write { db in try body(db.at(now)) }
    }

    /// The same, but nobody is notified: cached pages stay.
    func writeQuietly(_ body: @escaping @Sendable (Connection) throws -> Void) async throws {
        try await Database.unrecorded { try await site.writeQuietly(body) }
    }
}

/// Runs `body` with its own site at 2027-03-20 10:00 UTC, which is three in the morning on a Saturday in the town.
///
/// - Parameters:
///   - limits: Whether rate limits are on.
///   - publicURL: The site's address for visitors. The test's own browsers use the loopback address unless told
///     otherwise.
///   - proxies: The addresses whose `X-Forwarded-For` is trusted.
///   - pageCache: How many MiB of pages are cached for visitors without a cookie.
///   - catalogues: Translations into other languages. Browsers ask for the first one.
///   - mapTiles: The tile server for street maps.
///   - zone: The town's time zone, which also decides its country.
///   - hasMail: Whether a mail server is set up. Nothing delivers e-mails to it.
///   - issuer: Where staff and organizations can log in with an account from elsewhere.
///   - empty: What the data folder contains when the site opens it. If nil, a town with the current tables.
///   - server: The server for its data instead of the data folder.
///   - url: The database on a server that it opens.
///   - expected: Responses of 500 and above that the test provokes on purpose. Any other fails the test.
func withTestSite(
    limits: Bool = false, publicURL: String = "http://localhost:8080",
    trusting proxies: [String] = [], pageCache: Int = 8, mapTiles: String? = nil, catalogues: [Catalogue] = [],
    zone: String = "America/Los_Angeles", country: String = "US", hasMail: Bool = false, metricsToken: String? = nil,
    pushReach: PushRecipient.Reach = .publicHosts, calendarReach: Fetcher.Reach = .web,
    issuer: TestIssuer? = nil,
    on empty: EmptyTown? = nil, server: TestServer? = .inUse, at url: String? = nil,
    expecting expected: Set<Int> = [], _ body: (TestSite) async throws -> Void
) async throws {
    try await Slots.shared.hold {
        let folder = try TestFolder()
        defer { folder.remove() }
        var chosen = Settings()
        chosen.port = 0
        chosen.data = folder.path
        chosen.limitsRates = limits
        chosen.zone = Zone(identifier: zone)!
        chosen.country = country
        chosen.publicFolder = TestFolder.publicFolder
        chosen.publicURL = publicURL
        chosen.pageCache = pageCache
        chosen.mapTiles = mapTiles
        if hasMail { chosen.smtp = MailServer(url: "smtp://localhost:2525") }
        chosen.metricsToken = metricsToken
        chosen.pushReach = pushReach
        chosen.calendarReach = calendarReach
        chosen.openIDIssuer = issuer?.address
        chosen.openIDClient = issuer.map { _ in TestIssuer.client }
        chosen.openIDSecret = issuer.map { _ in TestIssuer.secret }
        chosen.openIDName = issuer.map { _ in "City Hall" }
        chosen.catalogues = Catalogues(catalogues)
        chosen.trustedProxies = proxies.map { AddressRange($0)! }
        let clock = Clock()
        issuer?.follow(clock)
        let log = LogBook()
        var options = Database.Options()
        options.recordsStatements = true
        // Each connection reads the whole schema, so there are only as many as threads that answer, not one for each
        // core.
        options.readers = 2
        // A slow machine mustn't make a test fail.
        options.readLimit = .seconds(30)
        func open() async throws {
            let site = try Site(
                chosen, clock: { clock.now }, cost: .cheap, options: options, assets: TestFolder.assets.get(),
                outlines: TestFolder.outlines, log: Logger(label: "test") { _ in log })
            defer { site.close() }
            // The first of several nodes leads.
            try await site.beat()
            try await serve(site) { port in
                try await body(
                    TestSite(
                        site: site, port: port, clock: clock, log: log,
                        acceptedLanguages: catalogues.first?.language))
            }
            try await QueryPlans.check(site)
            for part in Set(site.drawn.differences) {
                Issue.record("\(part) was kept, and came out differently when it was drawn anew")
            }
        }
        func open(at url: String) async throws {
            chosen.databaseURL = url
            options.writeLimit = .seconds(60)
            options.idleLimit = .seconds(60)
            try await open()
        }
        if let url {
            try await open(at: url)
        } else if empty == nil, let server {
            try await server.withDatabase(open)
        } else {
            try (empty ?? EmptyTown.ofToday.get()).copy(to: folder.path)
            try await open()
        }
        for failure in log.failures where !expected.contains(failure.status) {
            Issue.record("The site answered with \(failure.status): \(failure.line)")
        }
    }
}

private func serve(_ site: Site, _ body: (Int) async throws -> Void) async throws {
    let ports = AsyncStream.makeStream(of: Int.self)
    var quiet = Logger(label: "lifecycle")
    quiet.logLevel = .critical
    // Scheduled work happens only when a test says so. Otherwise it could happen between two lines of a test.
    let services = site.services.filter {
        !($0 is Postman || $0 is Messenger || $0 is Housekeeping || $0 is BackupSchedule)
    }
    let application = site.application(services: services) { ports.continuation.yield($0) }
    let group = ServiceGroup(configuration: .init(services: [application], logger: quiet))
    let run = Task {
        defer { ports.continuation.finish() }
        try await group.run()
    }
    var iterator = ports.stream.makeAsyncIterator()
    let result: Result<Void, any Error>
    do {
        let port = try #require(await iterator.next(), "the server doesn't start")
        try await body(port)
        result = .success(())
    } catch {
        result = .failure(error)
    }
    await group.triggerGracefulShutdown()
    _ = await run.result
    try result.get()
}

extension Password.Cost {
    /// The lowest cost that argon2 allows: tests aren't about its strength.
    static let cheap = Self(memory: 8, passes: 1, lanes: 1)
}

/// A clock that stands still until a test moves it.
final class Clock: Sendable {
    /// 2027-03-20T10:00Z.
    static let start = Instant(milliseconds: 1_805_536_800_000)
    private let time = Mutex(start)

    var now: Instant { time.withLock { $0 } }

    func advance(by duration: Duration) { time.withLock { $0 = $0 + duration } }
}

/// What the site wrote to its log.
struct LogBook: LogHandler {
    private final class Lines: Sendable {
        let written = Mutex<[String]>([])
    }

    private let all = Lines()
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug

    /// The level, message and metadata of each line.
    var lines: [String] { all.written.withLock { $0 } }

    /// The responses of 500 and above, each with the log lines of the same request that explain it.
    var failures: [(status: Int, line: String)] {
        let lines = lines
        return lines.compactMap { line in
            // Only such a line is worth a regex: compiling one takes as long as a hundred checks.
            guard line.hasPrefix("error "),
                let answer = line.wholeMatch(of: /error [A-Z]+ \S+ (5\d\d) .*request=(\S+).*/),
                let status = Int(answer.1)
            else { return nil }
            return (status, lines.filter { $0.contains("request=\(answer.2)") }.joined(separator: "; "))
        }
    }

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let facts = (event.metadata ?? [:]).map { "\($0)=\($1)" }.sorted().joined(separator: " ")
        all.written.withLock { $0.append("\(event.level) \(event.message) \(facts)") }
    }
}

/// A data folder that is deleted when its test ends. It is in memory if the system has enough room there.
struct TestFolder {
    let path: String

    init() throws {
        let memory = "/dev/shm"
        let parent = FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
        path = parent + "/village-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// The `Public` folder of this package, wherever the tests are started from.
    static let publicFolder = URL(filePath: #filePath).deletingLastPathComponent().path + "/../../../Public"

    /// The files in it, which the site of every test serves.
    static let assets = Result { try Assets(folder: publicFolder) }

    /// The outlines that maps are drawn from, read once for all tests.
    static let outlines = Outlines.Layers(folder: publicFolder)
}

/// The databases of a town that nobody has visited yet. Applying all migrations takes longer than most tests, so it is
/// done once, and each site starts with a copy.
///
/// A site that opens a copy checks it against its own migrations, as it does with any data it finds.
struct EmptyTown {
    static let ofToday = Result { try EmptyTown(Schema.migrations) }

    private let files: [String: Data]

    init(_ migrations: [Migration]) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let databases = [
            (Site.file, migrations, Schema.application), (Media.file, Schema.media, Schema.applicationOfMedia),
        ]
        var files: [String: Data] = [:]
        for (file, migrations, application) in databases {
            try Database(at: folder.path + file, migrations: migrations, application: application).close()
            files[file] = try Data(contentsOf: URL(filePath: folder.path + file))
        }
        self.files = files
    }

    func copy(to folder: String) throws {
        for (file, bytes) in files { try bytes.write(to: URL(filePath: folder + file)) }
    }
}

extension Testing.Tag {
    /// For a test that takes long, or a suite whose tests wait for each other: its sites start before all others, so
    /// that it isn't the last one still running.
    @Tag static var slow: Testing.Tag
}

/// Lets only a few sites run at once, since each one opens files and threads.
private final class Slots: Sendable {
    private struct Queue {
        var free: Int
        var slow: [CheckedContinuation<Void, Never>] = []
        var others: [CheckedContinuation<Void, Never>] = []
    }

    static let shared = Slots(free: 6)
    private let queue: Mutex<Queue>

    init(free: Int) { queue = Mutex(Queue(free: free)) }

    func hold(_ body: () async throws -> Void) async throws {
        let isSlow = Test.current?.tags.contains(.slow) == true
        await withCheckedContinuation { continuation in
            let isFree = queue.withLock { queue in
                guard queue.free > 0 else {
                    if isSlow { queue.slow.append(continuation) } else { queue.others.append(continuation) }
                    return false
                }
                queue.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
        let start = ContinuousClock.now
        defer {
            BodyTimes.shared.note(ContinuousClock.now - start)
            release()
        }
        try await body()
    }

    private func release() {
        queue.withLock { queue in
            if !queue.slow.isEmpty {
                queue.slow.removeFirst().resume()
            } else if !queue.others.isEmpty {
                queue.others.removeFirst().resume()
            } else {
                queue.free += 1
            }
        }
    }
}

/// How long the tests with a site took after they got their slot: the times that Swift Testing prints include the wait
/// for it. The slowest tests are printed when the process ends.
private final class BodyTimes: Sendable {
    static let shared = BodyTimes()
    private let all = Mutex<[String: Duration]>([:])

    private init() { atexit { BodyTimes.shared.printSlowest() } }

    func note(_ time: Duration) {
        let name = Test.current.map { $0.displayName ?? $0.name } ?? "?"
        all.withLock { $0[name, default: .zero] += time }
    }

    private func printSlowest() {
        let all = all.withLock(\.self)
        func seconds(_ time: Duration) -> String {
            time.formatted(.units(allowed: [.seconds], fractionalPart: .show(length: 1)))
        }
        print("Bodies: \(all.count) took \(seconds(all.values.reduce(.zero, +))). The slowest:")
        for (name, time) in all.sorted(by: { $0.value > $1.value }).prefix(10) {
            print("Body: \(seconds(time)), \(name)")
        }
    }
}
