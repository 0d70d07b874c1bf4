package import Database
import Forms
import FoundationEssentials
package import Logging
import OpenID
import Passwords
import Synchronization
import Templating

/// Everything a handler may use, as one value that is handed on: no globals, so that tests run many sites at once.
package final class Site: Sendable {
    /// What counts now: an admin's time zone and country before those the program was started with.
    package var settings: Settings { inForce.withLock(\.self).settings }
    /// Which town this is and who runs it, as an admin wrote it.
    var town: Town { inForce.withLock(\.self).town }
    /// Which parts of it are open, and to whom.
    var opening: Opening { inForce.withLock(\.self).opening }
    /// What its pages can be written in: its own language first, English where nobody said another, then the others.
    var languages: [Language] { inForce.withLock(\.self).languages }
    /// Whether visitors are asked what they read: not where there is English alone.
    let hasLanguages: Bool
    private let inForce: Mutex<InForce>
    private let startedWith: Settings
    package let database: Database
    let media: Media
    /// The one clock. Tests hand in a fixed one, and `VILLAGE_CLOCK` stops it.
    let clock: @Sendable () -> Instant
    let passwords: PasswordQueue
    let cost: Password.Cost
    let limits: RateLimits
    /// How much is logged of what strangers can send without end; always on.
    let logged = RateLimits(capacity: 1_000)
    let uploads = UploadSlots()
    let listeners = Listeners()
    let assets: Assets
    let outlines: Outlines
    private let commonPasswords: CommonPasswords
    let backups: Backups
    let key: SiteKey
    /// This program, among others on the same database of a server.
    let node: Node
    let lead: Lead
    private let draining = Atomic(false)
    let pages: PageCache
    /// The place elsewhere at which staff and organizations log in; nil where there is none.
    let issuer: Issuer?
    /// How much is asked of it, and how long answers take.
    let load = Load()
    /// When it last erased what was kept long enough.
    let retention = RetentionClock()
    let log: Logger
    private let hasWarnedOfProxy = Atomic(false)
    private let hasWarnedOfForwarded = Atomic(false)
    /// The files that were taken away while the site ran, as far as the log knows.
    let losses = Mutex<Set<String>>([])
    /// Whether the demo town was filled in: its visitors may see `/help/components`.
    var isDemo: Bool { inForce.withLock(\.self).isDemo }

    /// Opens the data folder and everything beside it.
    ///
    /// - Throws: ``Database/DatabaseError`` when the folder is in use by another process or can't be written;
    ///   a file error when `Public` can't be read.
    package convenience init(_ settings: Settings, log: Logger) throws {
        let fixed = settings.clock
        var options = Database.Options()
        options.lookPeriod = .milliseconds(100)
        #if DEBUG
            // Without the optimizer the program takes several times as long for what it makes of each row.
            options.readLimit = .seconds(2)
        #endif
        try self.init(settings, clock: { fixed ?? .now }, cost: .standard, options: options, log: log)
    }

    init(
        _ settings: Settings, clock: @escaping @Sendable () -> Instant, cost: Password.Cost,
        options: Database.Options = Database.Options(), workshop: Workshop? = nil, assets: Assets? = nil,
        outlines: Outlines.Layers? = nil, lead: Lead = Lead(), log: Logger
    ) throws {
        // Nobody else on this machine reads what families write.
        try FileManager.default.createDirectory(
            atPath: settings.data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Self.requireOnePlace(settings)
        startedWith = settings
        hasLanguages = !settings.catalogues.all.isEmpty
        self.clock = clock
        self.cost = cost
        self.lead = lead
        self.log = log
        var options = options
        options.mayBegin = !Self.hasTraces(of: settings.data)
        database = try Store.site.open(settings, options)
        options.mayBegin = true
        // Nothing is kept in memory of what is in it.
        options.lookPeriod = nil
        // A picture is read once and kept by browsers: no need to remember the pages of its file.
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

    /// Goes on with what an admin wrote on another node.
    ///
    /// - Returns: Whether it is anything new.
    private func readAgain() throws -> Bool {
        let notes = try read { db in try Note.settings(in: db) }
        guard inForce.withLock(\.self).notes != notes else { return false }
        let new = try read { db in try InForce(startedWith, in: db) }
        inForce.withLock { $0 = new }
        return true
    }

    /// Settings and town, which change together, and the languages as the country writes them.
    private final class InForce: Sendable {
        let settings: Settings
        let town: Town
        let opening: Opening
        let languages: [Language]
        let isDemo: Bool
        /// What it was read from.
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

    /// Goes on with what an admin wrote.
    func use(_ town: Town) {
        inForce.withLock { $0 = InForce(startedWith, town, $0.opening, $0.notes) }
    }

    /// The same, of what is open.
    func use(_ opening: Opening) {
        inForce.withLock { $0 = InForce(startedWith, $0.town, opening, $0.notes) }
    }

    /// The language for somebody who reads what a field `Accept-Language` says; the site's where nothing else fits.
    func language(accepting field: @autoclosure () -> String?) -> Language {
        let languages = languages
        guard languages.count > 1 else { return languages[0] }
        return languages[AcceptLanguage(field()).best(of: languages.map(\.name))]
    }

    /// The language of that name, where there still is one.
    func language(named name: String) -> Language? { languages.first { $0.name == name } }

    /// What is sent to somebody is written in: theirs, where their account says which, else the site's.
    func language(of account: ID<Account>?, in db: Connection) throws -> Language {
        try account.flatMap { try Preferences.language(of: $0, in: db) }.flatMap { language(named: $0) } ?? languages[0]
    }

    /// What is chosen from: each by its own name.
    var languageChoices: [Choice] {
        languages.map { Choice($0.name, Words(verbatim: $0.ownName), language: $0.name) }
    }

    /// The file of the site's own database in the data folder.
    static let file = "/village.sqlite"

    /// Whether there was a town in the folder before, so that no empty one is opened over it.
    static func hasTraces(of folder: String) -> Bool {
        // A folder that can't be read says so itself when its database is opened.
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.contains { name in
            let isOurs = ["media.sqlite", SiteKey.file].contains(name) || name.hasPrefix("before-")
            return isOurs && (fileSize(at: "\(folder)/\(name)") ?? 0) > 0
        } || Backups.hasAny(in: folder + Backups.folder)
    }

    /// Whether it is about to end, and should get no new visitors.
    var isDraining: Bool { draining.load(ordering: .acquiring) }

    func drain() { draining.store(true, ordering: .releasing) }

    var now: Instant { clock() }

    /// The day it is in the town.
    var today: Day { settings.zone.day(of: now) }

    var currency: String { Country.currency(of: settings.country) }

    /// Reads in place, on a pooled connection.
    func read<T>(_ body: (Connection) throws -> T) throws -> T { try database.read(body) }

    /// Reads on a thread of its own, for staff's lists, which may take longer.
    func readSlowly<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) async throws -> T {
        try await database.readSlowly(body)
    }

    /// Writes in one transaction; when this returns, it is on disk.
    func write<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) async throws -> T {
        try await database.write(bound(body))
    }

    /// Writes what no page shows, such as when a session was last used: cached pages stay as they are.
    func writeQuietly<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) async throws -> T {
        try await database.write(quiet: true, bound(body))
    }

    /// Rises with every write that isn't quiet.
    var dataVersion: Int { database.version }

    /// Whether most pages wait for the disk at this time.
    var readsWait: Bool { database.readsWait }

    /// Has the system read the data into memory, as far as there is room. It takes as long as the disk does.
    func readAhead() {
        if settings.databaseURL == nil { Database.readAhead(settings.data + Self.file) }
    }

    /// Says once that somebody sends `X-Forwarded-For` who is no trusted proxy.
    func warnOnceOfProxy() {
        guard !hasWarnedOfProxy.exchange(true, ordering: .relaxed) else { return }
        log.warning("X-Forwarded-For from an address that VILLAGE_TRUSTED_PROXIES doesn't name; it is not believed")
    }

    /// Says once that a trusted proxy forwards what is no address: all who come by it then count as one visitor.
    func warnOnceOfForwarded() {
        guard !hasWarnedOfForwarded.exchange(true, ordering: .relaxed) else { return }
        log.warning(
            "X-Forwarded-For of a trusted proxy holds what is no address; those visitors count as one: the proxy")
    }

    /// Whether the disk has room for what is written next: 64 MiB and more.
    var hasRoomOnDisk: Bool {
        freeBytes(at: settings.data).map { $0 >= 64 << 20 } ?? true
    }

    /// Writes a failure of ours to the log.
    func report(_ what: String, _ error: any Error) {
        log.error("\(what)", metadata: ["error": "\(error.logged)"])
    }

    /// What a password here must not be: what many have; the words of the site and of the town; and the names of
    /// those who choose it.
    func guessedFirst(by account: ID<Account>? = nil) throws -> GuessedFirst {
        let names = try account.map { id in try read { db in try Account.names(of: id, in: db) } } ?? []
        let host = settings.publicURL.split(separator: "/").dropFirst().first.map(String.init) ?? ""
        return GuessedFirst(common: commonPasswords, words: ["village", "password", town.name, host] + names)
    }

    /// The hash of a password that was chosen, however it was typed.
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
