import Database
import FoundationEssentials
import Logging
import ServiceLifecycle
import Synchronization

/// The copies of the data that the site makes by itself, in a folder that may hold other things too. Each is two files:
/// the database, and beside it the pictures under the same name with `-media` at its end.
final class Backups: Sendable {
    let folder: String
    /// How long after one the next is made; zero for none.
    let period: Duration
    /// How many are kept.
    let count: Int
    private let lastFailure = Mutex<String?>(nil)

    /// Why the last one couldn't be made; nil where it could, and before the first try.
    var failure: String? { lastFailure.withLock(\.self) }

    /// The folder in the data folder, without a setting.
    static let folder = "/backups"
    /// What making one is called among the jobs.
    static let job = "backup"

    init(_ settings: Settings) {
        folder = settings.backupFolder ?? settings.data + Self.folder
        period = .hours(settings.backupHours)
        count = settings.backupCount
    }

    /// `village-2026-11-21-031500.sqlite`, in UTC: the names sort by time.
    static func name(at now: Instant) -> String {
        let (day, _) = Zone.utc.local(now)
        let second = now.milliseconds.floorDivided(by: 1_000) - Int64(day.number) * 86_400
        let time = [second / 3_600, second / 60 % 60, second % 60].map { digits(Int($0), 2) }.joined()
        return "village-\(day.iso)-\(time).sqlite"
    }

    /// When the backup of that name was made; nil for any other file.
    static func instant(of name: String) -> Instant? {
        let parts = name.split(separator: "-", maxSplits: 1)
        guard name.utf8.count == 32, parts.first == "village", name.hasSuffix(".sqlite"),
            let day = Day(iso: parts[1].prefix(10)), parts[1].dropFirst(10).first == "-",
            let time = Int(parts[1].dropFirst(11).prefix(6)), time >= 0
        else { return nil }
        let second = Int64(time / 10_000 * 3_600 + time / 100 % 100 * 60 + time % 100)
        return Instant(milliseconds: (Int64(day.number) * 86_400 + second) * 1_000)
    }

    /// All names in a folder; none if it can't be read, because it isn't there yet. When it is there and can't, making
    /// the next copy says so.
    private static func files(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    /// Whether a folder has a backup.
    static func hasAny(in folder: String) -> Bool { files(in: folder).contains { instant(of: $0) != nil } }

    /// The names of the backups, oldest first.
    var names: [String] { Self.files(in: folder).filter { Self.instant(of: $0) != nil }.sorted() }

    /// How long ago the last one was made; nil when there is none.
    func age(at now: Instant) -> Duration? { names.last.flatMap { Self.instant(of: $0) }.map { now - $0 } }

    /// Makes one, checked, and removes the oldest beyond those that are kept.
    func make(of database: Database, and pictures: Database, at now: Instant) async throws {
        do {
            try await copy(database, and: pictures, at: now)
            lastFailure.withLock { $0 = nil }
        } catch {
            lastFailure.withLock { $0 = error.logged }
            throw error
        }
    }

    private func copy(_ database: Database, and pictures: Database, at now: Instant) async throws {
        let files = FileManager.default
        try files.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // Without their names the old ones would stay for ever.
        sweep(try files.contentsOfDirectory(atPath: folder), at: now)
        try await Self.copy(database, and: pictures, to: folder + "/" + Self.name(at: now))
        for name in names.dropLast(count) { try remove(name) }
    }

    private func remove(_ name: String) throws {
        let files = FileManager.default
        // A copy from before there were pictures has none beside it.
        let pictures = Media.path(besides: folder + "/" + name)
        if files.fileExists(atPath: pictures) { try files.removeItem(atPath: pictures) }
        try files.removeItem(atPath: folder + "/" + name)
    }

    /// What the times of the last ones are called among the jobs, of as many as are kept: each takes the place of the
    /// oldest.
    private var slots: [String] { (0..<count).map { "\(Self.job)-\($0)" } }

    /// Where the time of the next one is noted.
    func nextSlot(_ runs: [String: Instant]) -> String? {
        slots.first { runs[$0] == nil } ?? slots.min { runs[$0]?.milliseconds ?? 0 < runs[$1]?.milliseconds ?? 0 }
    }

    /// Removes those that as many newer ones as are kept have replaced, on whichever machine these lie. After a
    /// standstill the first new one replaces none.
    ///
    /// - Returns: How many there were.
    func removeReplaced(by runs: [String: Instant]) throws -> Int {
        let times = slots.compactMap { runs[$0] }
        guard times.count == count, let oldest = times.min() else { return 0 }
        let replaced = names.filter { $0 < Self.name(at: oldest) }
        for name in replaced { try remove(name) }
        return replaced.count
    }

    /// Removes what a power cut left of a copy, a day after it was begun.
    private func sweep(_ files: [String], at now: Instant) {
        for name in files where name.hasSuffix(".partial") {
            guard let begun = Self.instant(of: String(name.prefix(32))), begun < now - .hours(24) else { continue }
            // Files that can’t be removed now are tried again at the next copy.
            try? FileManager.default.removeItem(atPath: folder + "/" + name)
        }
    }

    /// Copies both, each checked. The pictures come second: what the first copy shows is in the second.
    ///
    /// - Throws: what the databases throw; then neither copy is left.
    static func copy(_ database: Database, and pictures: Database?, to file: String) async throws {
        try await database.backup(to: file)
        do {
            try await pictures?.backup(to: Media.path(besides: file))
        } catch {
            // The error that is told is why there is no copy.
            try? FileManager.default.removeItem(atPath: file)
            throw error
        }
    }
}

/// Looks once a minute whether a backup is due.
struct BackupSchedule: Service {
    let site: Site

    func run() async throws {
        var retry = site.now
        while true {
            // Sleeping fails when the site stops.
            guard (try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .minutes(1)) }) != nil else {
                return
            }
            let now = site.now
            do {
                guard now >= retry, site.leads, try site.backupIsDue(at: now) else { continue }
                try await site.leading {
                    try await site.backups.make(of: site.database, and: site.media.database, at: now)
                    if site.database.isShared {
                        try await site.noteBackup(at: now)
                    }
                    site.log.info("backed up")
                }
            } catch is Lease.Lost {
                // The node that leads now makes its own.
            } catch {
                site.report("the backup failed, the next try is in an hour", error)
                retry = now + .hours(1)
            }
        }
    }
}

extension Site {
    /// How long ago the last backup was made, by any node; nil when there is none.
    func backupAge(_ runs: [String: Instant], at now: Instant) -> Duration? {
        [backups.age(at: now), runs[Backups.job].map { now - $0 }].compactMap(\.self).min()
    }

    /// Removes the backups in this node's folder that those of other nodes replaced since: what was erased goes from
    /// copies too, wherever the lead went.
    ///
    /// - Returns: How many there were.
    func removeReplacedBackups() throws -> Int {
        guard database.isShared, backups.period > .zero else { return 0 }
        return try backups.removeReplaced(by: read { db in try JobRun.all(in: db) })
    }

    /// Notes for the other nodes that one was made.
    func noteBackup(at now: Instant) async throws {
        try await writeQuietly { [backups] db in
            let slot = backups.nextSlot(try JobRun.all(in: db))
            for name in [Backups.job, slot].compactMap(\.self) { try JobRun.note(name, at: now, in: db) }
        }
    }

    func backupIsDue(at now: Instant) throws -> Bool {
        guard backups.period > .zero else { return false }
        let runs = try database.isShared ? read { db in try JobRun.all(in: db) } : [:]
        return backupAge(runs, at: now).map { $0 >= backups.period } ?? true
    }
}
