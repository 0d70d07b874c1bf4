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

/// The whole site, running on a free port with an empty database of its own.
struct TestSite: Sendable {
    let site: Site
    let port: Int
    let clock: Clock
    let log: LogBook
    /// What everybody's browser says about the languages that are read.
    var acceptedLanguages: String?

    /// Somebody who has never been here.
    func browser(at origin: String? = nil, sending headers: [String: String] = [:]) -> Browser {
        let languages = acceptedLanguages.map { ["Accept-Language": $0] } ?? [:]
        return Browser(port: port, origin: origin, sending: languages.merging(headers) { $1 })
    }

    /// How many rows a table has: `count(of: "event")`, `count(of: "event WHERE listed")`.
    func count(of rows: SQL) throws -> Int {
        try read { db in try db.value("SELECT count(*) FROM \(rows)") ?? 0 }
    }

    /// Changes what no page of this release can: cancels an event, moves a date.
    func execute(_ sql: SQL) async throws {
        try await write { db in _ = try db.execute(sql) }
    }

    /// What the test itself asks of the database: how, is no matter.
    func read<T>(_ body: (Connection) throws -> T) throws -> T {
        try Database.unrecorded { try site.read(body) }
    }

    /// What the test itself does to the database.
    @discardableResult func write<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) async throws -> T {
        try await Database.unrecorded { try await site.write(body) }
    }

    /// The same, and nobody is told: pages that are kept stay.
    func writeQuietly(_ body: @escaping @Sendable (Connection) throws -> Void) async throws {
        try await Database.unrecorded { try await site.writeQuietly(body) }
    }
}

/// Runs `body` against a site of its own at 2027-03-20 10:00 UTC, three in the morning of a Saturday in the town.
///
/// - Parameters:
///   - limits: Whether the rate limits are on.
///   - publicURL: How visitors know the site; its own browsers come by the loopback address unless they say otherwise.
///   - proxies: Whose `X-Forwarded-For` is believed.
///   - pageCache: MiB of pages kept for visitors without a cookie.
///   - catalogues: Words in other languages than English; browsers ask for the first of them.
///   - mapTiles: The tile server for streets on maps.
///   - zone: The town's, as its country.
///   - hasMail: Whether a mail server is set up; nobody brings it anything.
///   - issuer: Where staff and organizations log in elsewhere.
///   - empty: What is in the data folder when the site opens it; a town of today if nil.
///   - server: Where its data is instead of there.
///   - url: The database of a server that it opens.
///   - expected: What the test provokes: answers of 500 and above that are no defect here. Any other fails the test.
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
        // Each connection reads the whole schema: as many as there are threads that answer, not one for each core.
        options.readers = 2
        // No test fails because the machine is slow.
        options.readLimit = .seconds(30)
        func open() async throws {
            let site = try Site(
                chosen, clock: { clock.now }, cost: .cheap, options: options, assets: TestFolder.assets.get(),
                outlines: TestFolder.outlines, log: Logger(label: "test") { _ in log })
            defer { site.close() }
            // The first of several leads.
            try await site.beat()
            try await serve(site) { port in
                try await body(
                    TestSite(
                        site: site, port: port, clock: clock, log: log,
                        acceptedLanguages: catalogues.first?.language))
            }
            try await QueryPlans.check(site)
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
    // What happens by the clock happens when a test says so: beside it, it would come between two lines of the test.
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
    /// The least argon2 can do: tests are not about its strength.
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

    /// Level, message and metadata of each line.
    var lines: [String] { all.written.withLock { $0 } }

    /// The answers of 500 and above, each with the lines of the same request that say why.
    var failures: [(status: Int, line: String)] {
        let lines = lines
        return lines.compactMap { line in
            // Only such a line is worth a regex: making one takes as long as a hundred looks.
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

/// A data folder that goes when its test ends; in memory where the system has room for it there.
struct TestFolder {
    let path: String

    init() throws {
        let memory = "/dev/shm"
        let parent = FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
        path = parent + "/village-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// `Public` of this package, wherever the tests are started from.
    static let publicFolder = URL(filePath: #filePath).deletingLastPathComponent().path + "/../../../Public"

    /// The files in it, which every site of a test serves.
    static let assets = Result { try Assets(folder: publicFolder) }

    /// What maps are drawn from, read once for all of them.
    static let outlines = Outlines.Layers(folder: publicFolder)
}

/// The databases of a town that nobody has come to yet. Carrying out every migration takes longer than most tests, so
/// it is done once, and each site begins with a copy.
///
/// A site that opens a copy compares it with its own migrations, as it does with any data it finds.
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
    /// For a test that takes long, or a suite whose tests wait for each other: its sites go before all others, so that
    /// it doesn't run on alone in the end.
    @Tag static var slow: Testing.Tag
}

/// Lets a few sites run at once: each opens files and threads.
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

/// How long the tests with a site took once they had their slot: what Swift Testing prints includes the wait for it.
/// The slowest are printed when the process ends.
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
