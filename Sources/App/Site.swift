package import Database
import Forms
import FoundationEssentials
package import Logging
import OpenID
import Passwords
import Synchronization
import Templating

/// Everything a handler may use, passed on as one value: there are no globals, so tests can run many sites at once.
package final class Site: Sendable {
    /// The settings in force: an admin's time zone and country override those the program was started with.
    package var settings: Settings { inForce.withLock(\.self).settings }
    /// The town and its operator, as an admin described them.
    var town: Town { inForce.withLock(\.self).town }
    /// The parts of the site that are open, and to whom.
    var opening: Opening { inForce.withLock(\.self).opening }
    /// The site's languages: its own first, which is English by default.
    var languages: [Language] { inForce.withLock(\.self).languages }
    /// Whether visitors can choose a language: false if there is only English.
    let hasLanguages: Bool
    private let inForce: Mutex<InForce>
    private let startedWith: Settings
    package let database: Database
    let media: Media
    /// The only clock. Tests pass a fixed one, and `VILLAGE_CLOCK` stops it.
    let clock: @Sendable () -> Instant
    let passwords: PasswordQueue
    let cost: Password.Cost
    let limits: RateLimits
    /// Limits on logging events that strangers can cause without end; always on.
    let logged = RateLimits(capacity: 1_000)
    let uploads = UploadSlots()
    let listeners = Listeners()
    let assets: Assets
    let outlines: Outlines
    private let commonPasswords: CommonPasswords
    let backups: Backups
    let key: SiteKey
    /// This program as one of several on the same server database.
    let node: Node
    let lead: Lead
    private let draining = Atomic(false)
    let pages: PageCache
    /// The visitors of sessions that were read a moment ago.
    let visitors = ReadVisitors()
    /// Accounts that aren’t new anymore.
    let settled = SettledAccounts()
    /// The kept parts of pages, with room for about eight thousand cards: half of them stay in any case, and those of
    /// two hundred towns are four thousand.
    let drawn = Drawn(capacity: 16 << 20)
    /// The external issuer at which staff and organizations log in; nil if there is none.
    let issuer: Issuer?
    /// The number of requests, and how long answers take.
    let load = Load()
    /// When data past its retention time was last erased.
    let retention = RetentionClock()
    let log: Logger
    private let hasWarnedOfProxy = Atomic(false)
    private let hasWarnedOfForwarded = Atomic(false)
    /// The files reported in the log as lost while the site runs.
    let losses = Mutex<Set<String>>([])
    /// When this program opened the site.
    let openedAt: Instant
    /// Whether the demo town was filled in; its visitors may see `/help/components`.
    var isDemo: Bool { inForce.withLock(\.self).isDemo }

    /// Opens the data folder and everything else the site needs.
    ///
    /// - Parameter isAlone: Whether nobody else waits to write, so that a write may take its time between two
    ///   statements.
    /// - Throws: ``Database/DatabaseError`` if another process uses the folder or it isn't writable; a file error if
    ///   `Public` can't be read.
    package convenience init(_ settings: Settings, log: Logger, isAlone: Bool = false) throws {
        let fixed = settings.clock
        var options = Database.Options()
        if isAlone { options.idleLimit = .seconds(600) }
        options.lookPeriod = .milliseconds(100)
        #if DEBUG
            // Without the optimizer, the program's work on each row takes several times as long.
            options.readLimit = .seconds(2)
        #endif
        try self.init(settings, clock: { fixed ?? .now }, cost: .standard, options: options, log: log)
    }

    init(
        _ settings: Settings, clock: @escaping @Sendable () -> Instant, cost: Password.Cost,
        options: Database.Options = Database.Options(), workshop: Workshop? = nil, assets: Assets? = nil,
        outlines: Outlines.Layers? = nil, lead: Lead = Lead(), log: Logger
    ) throws {
        // No other user of this machine may read what families write.
        try FileManager.default.createDirectory(
            atPath: settings.data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Self.requireOnePlace(settings)
        startedWith = settings
        hasLanguages = !settings.catalogues.all.isEmpty
        self.clock = clock
        openedAt = clock()
        self.cost = cost
        self.lead = lead
        self.log = log
        var options = options
        options.mayBegin = !Self.hasTraces(of: settings.data)
        database = try Store.site.open(settings, options)
        options.mayBegin = true
        // Nothing from this database is cached in memory.
        options.lookPeriod = nil
        // A picture is read once and cached by browsers, so there is no need to cache pages of this file.
        options.pageCache = 500
        media = Media(try Store.media.open(settings, options), workshop: workshop ?? Workshop(log: log))
        passwords = PasswordQueue()
        limits = RateLimits(isOn: settings.limitsRates)
        backups = Backups(settings)
        let own = SiteKey(folder: settings.data)
        key = SiteKey(try database.shared(SiteKey.file, or: own.text)) ?? own
        node = Node(named: settings.nodeName, version: Self.version)
        issuer = Self.issuer(settings)
        pages = PageCache(capacity: settings.pageCache << 20)
        self.assets = try assets ?? Assets(folder: settings.publicFolder)
        self.outlines = Outlines(outlines ?? Outlines.Layers(folder: settings.publicFolder))
        commonPasswords = try CommonPasswords(folder: settings.publicFolder)
        inForce = Mutex(try database.read { db in try InForce(settings, in: db) })
        database.follow { [weak self] in try self?.readAgain() ?? false }
    }

    /// Loads settings that an admin changed on another node.
    ///
    /// - Returns: Whether anything changed.
    private func readAgain() throws -> Bool {
        let notes = try read { db in try Note.settings(in: db) }
        guard inForce.withLock(\.self).notes != notes else { return false }
        let new = try read { db in try InForce(startedWith, in: db) }
        inForce.withLock { $0 = new }
        return true
    }

    /// The settings and the town, which change together, and the languages in the country's formats.
    private final class InForce: Sendable {
        let settings: Settings
        let town: Town
        let opening: Opening
        let languages: [Language]
        let isDemo: Bool
        /// The stored notes it was made from.
        let notes: [String: String]

        convenience init(_ startedWith: Settings, in db: Connection) throws {
            let notes = try Note.settings(in: db)
            self.init(startedWith, try Town(in: db), try Opening(in: db), notes)
        }

        init(_ startedWith: Settings, _ town: Town, _ opening: Opening, _ notes: [String: String]) {
            self.notes = notes
            isDemo = notes["demo"] != nil
            var settings = startedWith
            settings.zone = town.zone ?? settings.zone
            settings.country = town.country ?? settings.country
            self.settings = settings
            self.town = town
            self.opening = opening
            let all = ([nil] + settings.catalogues.all).map { [country = settings.country] in
                Language($0, country: country)
            }
            let isOwn = { (language: Language) in language.name == town.language }
            languages = all.filter(isOwn) + all.filter { !isOwn($0) }
        }
    }

    /// Puts an admin's changes into force.
    func use(_ town: Town) {
        inForce.withLock { $0 = InForce(startedWith, town, $0.opening, $0.notes) }
    }

    /// Puts an admin's changes to what is open into force.
    func use(_ opening: Opening) {
        inForce.withLock { $0 = InForce(startedWith, $0.town, opening, $0.notes) }
    }

    /// The language for an `Accept-Language` field; the site's if none matches.
    func language(accepting field: @autoclosure () -> String?) -> Language {
        let languages = languages
        guard languages.count > 1 else { return languages[0] }
        return languages[AcceptLanguage(field()).best(of: languages.map(\.name))]
    }

    /// The language with that name, if it still exists.
    func language(named name: String) -> Language? { languages.first { $0.name == name } }

    /// The language for letters to somebody: their account's, otherwise the site's.
    func language(of account: ID<Account>?, in db: Connection) throws -> Language {
        try account.flatMap { try Preferences.language(of: $0, in: db) }.flatMap { language(named: $0) } ?? languages[0]
    }

    /// The languages to choose from, each by its own name.
    var languageChoices: [Choice] {
        languages.map { Choice($0.name, Words(verbatim: $0.ownName), language: $0.name) }
    }

    /// The file name of the site's main database in the data folder.
    static let file = "/village.sqlite"

    /// Whether the folder held a town before, in which case an empty one isn't created in it.
    static func hasTraces(of folder: String) -> Bool {
        // If the folder can't be read, opening its database will report it.
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.contains { name in
            let isOurs = ["media.sqlite", SiteKey.file].contains(name) || name.hasPrefix("before-")
            return isOurs && (fileSize(at: "\(folder)/\(name)") ?? 0) > 0
        } || Backups.hasAny(in: folder + Backups.folder)
    }

    /// Whether the site is about to end and should get no new visitors.
    var isDraining: Bool { draining.load(ordering: .acquiring) }

    func drain() { draining.store(true, ordering: .releasing) }

    var now: Instant { clock() }

    /// The current day in the town.
    var today: Day { settings.zone.day(of: now) }

    var currency: String { Country.currency(of: settings.country) }

    /// Reads in place, on a pooled connection.
    func read<T>(_ body: (Connection) throws -> T) throws -> T { try database.read(body) }

    /// Reads in place, at the time of a visit or a job.
    func read<T>(at now: Instant, _ body: (Transaction) throws -> T) throws -> T {
        try database.read { db in try body(db.at(now)) }
    }

    /// Reads on a separate thread, for staff lists, which may take longer.
    func readSlowly<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) async throws -> T {
        try await database.readSlowly(body)
    }

    /// Reads on a separate thread, at the time of a visit or a job.
    func readSlowly<T: Sendable>(
        at now: Instant, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try await readSlowly { db in try body(db.at(now)) }
    }

    /// Writes in one transaction. When this returns, the data is on disk.
    func write<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) async throws -> T {
        try await database.write(bound(body))
    }

    /// Writes in one transaction, at the time of a visit or a job.
    func write<T: Sendable>(at now: Instant, _ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        try await write { db in try body(db.at(now)) }
    }

    /// Writes data that no page shows, such as when a session was last used, without invalidating cached pages.
    func writeQuietly<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) async throws -> T {
        try await database.write(quiet: true, bound(body))
    }

    /// Writes data that no page shows, at the time of a visit or a job.
    func writeQuietly<T: Sendable>(
        at now: Instant, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try await writeQuietly { db in try body(db.at(now)) }
    }

    /// Rises with every write that isn't quiet.
    var dataVersion: Int { database.version }

    /// Whether most pages currently wait for the disk.
    var readsWait: Bool { database.readsWait }

    /// Reads the data into the system's cache, as far as there is room. Takes as long as the disk needs.
    func readAhead() {
        if settings.databaseURL == nil { Database.readAhead(settings.data + Self.file) }
    }

    /// Logs once that a client that isn't a trusted proxy sends `X-Forwarded-For`.
    func warnOnceOfProxy() {
        guard !hasWarnedOfProxy.exchange(true, ordering: .relaxed) else { return }
        log.warning("X-Forwarded-For from an address that VILLAGE_TRUSTED_PROXIES doesn't name; it is not believed")
    }

    /// Logs once that a trusted proxy forwards something other than an address: all its visitors then count as one.
    func warnOnceOfForwarded() {
        guard !hasWarnedOfForwarded.exchange(true, ordering: .relaxed) else { return }
        log.warning(
            "X-Forwarded-For of a trusted proxy holds what is no address; those visitors count as one: the proxy")
    }

    /// Whether the disk has at least 64 MiB free for the next writes.
    var hasRoomOnDisk: Bool {
        freeBytes(at: settings.data).map { $0 >= 64 << 20 } ?? true
    }

    /// Logs an internal error.
    func report(_ what: String, _ error: any Error) {
        log.error("\(what)", metadata: ["error": "\(error.logged)"])
    }

    /// The passwords that are refused as easy to guess: common ones, the words of the site and the town, and the names
    /// of the person choosing.
    func guessedFirst(by account: ID<Account>? = nil) throws -> GuessedFirst {
        let names = try account.map { id in try read { db in try Account.names(of: id, in: db) } } ?? []
        let host = settings.publicURL.split(separator: "/").dropFirst().first.map(String.init) ?? ""
        return GuessedFirst(common: commonPasswords, words: ["village", "password", town.name, host] + names)
    }

    /// Hashes a new password, normalized.
    func hash(_ password: String) async throws -> String {
        let (cost, canonical) = (cost, TypedPassword(password).canonical)
        return try await passwords.run { try Password.hash(canonical, cost: cost) }
    }

    package func close() {
        passwords.close()
        database.close()
        media.close()
    }
}

extension Instant {
    /// The system's clock; only `Site` asks it.
    static var now: Instant { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }
}
