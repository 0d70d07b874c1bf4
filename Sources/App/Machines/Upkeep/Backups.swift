import Database
import FoundationEssentials
import Logging
import ServiceLifecycle
import Synchronization

/// The automatic copies of the data, in a folder that may contain other files. Each consists of two files: the
/// database, and the pictures with the same name plus `-media`.
final class Backups: Sendable {
    let folder: String
    /// The time between backups; zero for none.
    let period: Duration
    /// How many to keep.
    let count: Int
    private let lastFailure = Mutex<String?>(nil)

    /// Why the last backup failed; nil if it succeeded, or none was tried yet.
    var failure: String? { lastFailure.withLock(\.self) }

    /// The default folder, inside the data folder.
    static let folder = "/backups"
    /// The name of the job.
    static let job = "backup"

    init(_ settings: Settings) {
        folder = settings.backupFolder ?? settings.data + Self.folder
        period = .hours(settings.backupHours)
        count = settings.backupCount
    }

    /// A name such as `village-2026-11-21-031500.sqlite`, in UTC: names sort by time.
    static func name(at now: Instant) -> String {
        let (day, _) = Zone.utc.local(now)
        let second = now.milliseconds.floorDivided(by: 1_000) - Int64(day.number) * 86_400
        let time = [second / 3_600, second / 60 % 60, second % 60].map { digits(Int($0), 2) }.joined()
        return "village-\(day.iso)-\(time).sqlite"
    }

    /// When the backup with that name was made; nil for other files.
    static func instant(of name: String) -> Instant? {
        let parts = name.split(separator: "-", maxSplits: 1)
        guard name.utf8.count == 32, parts.first == "village", name.hasSuffix(".sqlite"),
            let day = Day(iso: parts[1].prefix(10)), parts[1].dropFirst(10).first == "-",
            let time = Int(parts[1].dropFirst(11).prefix(6)), time >= 0
        else { return nil }
        let second = Int64(time / 10_000 * 3_600 + time / 100 % 100 * 60 + time % 100)
        return Instant(milliseconds: (Int64(day.number) * 86_400 + second) * 1_000)
    }

    /// The names in a folder; empty if it can't be read, normally because it doesn't exist yet. If it exists but isn't
    /// readable, making the next copy fails and reports it.
    private static func files(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    /// Whether a folder has a backup.
    static func hasAny(in folder: String) -> Bool { files(in: folder).contains { instant(of: $0) != nil } }

    /// The names of the backups, oldest first.
    var names: [String] { Self.files(in: folder).filter { Self.instant(of: $0) != nil }.sorted() }

    /// The age of the last backup; nil if there is none.
    func age(at now: Instant) -> Duration? { names.last.flatMap { Self.instant(of: $0) }.map { now - $0 } }

    /// Makes and checks a backup, and removes the oldest ones beyond the limit.
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
        // If listing failed silently, old backups would stay forever.
        sweep(try files.contentsOfDirectory(atPath: folder), at: now)
        try await Self.copy(database, and: pictures, to: folder + "/" + Self.name(at: now))
        for name in names.dropLast(count) { try remove(name) }
    }

    private func remove(_ name: String) throws {
        let files = FileManager.default
        // A backup from before the site had pictures comes without them.
        let pictures = Media.path(besides: folder + "/" + name)
        if files.fileExists(atPath: pictures) { try files.removeItem(atPath: pictures) }
        try files.removeItem(atPath: folder + "/" + name)
    }

    /// The job names for the times of the last backups, as many as are kept: each new time replaces the oldest.
    private var slots: [String] { (0..<count).map { "\(Self.job)-\($0)" } }

    /// The job name for the next backup's time.
    func nextSlot(_ runs: [String: Instant]) -> String? {
        slots.first { runs[$0] == nil } ?? slots.min { runs[$0]?.milliseconds ?? 0 < runs[$1]?.milliseconds ?? 0 }
    }

    /// Removes the backups that enough newer ones have replaced, on any machine. After a standstill, the first new
    /// backup replaces none.
    ///
    /// - Returns: The number removed.
    func removeReplaced(by runs: [String: Instant]) throws -> Int {
        let times = slots.compactMap { runs[$0] }
        guard times.count == count, let oldest = times.min() else { return 0 }
        let replaced = names.filter { $0 < Self.name(at: oldest) }
        for name in replaced { try remove(name) }
        return replaced.count
    }

    /// Removes unfinished copies left by a power cut, a day after they were begun.
    private func sweep(_ files: [String], at now: Instant) {
        for name in files where name.hasSuffix(".partial") {
            guard let begun = Self.instant(of: String(name.prefix(32))), begun < now - .hours(24) else { continue }
            // If a file can't be removed now, the next backup tries again.
            try? FileManager.default.removeItem(atPath: folder + "/" + name)
        }
    }

    /// Copies and checks both databases. The pictures come second, so that they include all that the first copy refers
    /// to.
    ///
    /// - Throws: Database errors; then neither copy is left.
    static func copy(_ database: Database, and pictures: Database?, to file: String) async throws {
        try await database.backup(to: file)
        do {
            try await pictures?.backup(to: Media.path(besides: file))
        } catch {
            // The caller reports the error that made the copy fail, so this one is ignored.
            try? FileManager.default.removeItem(atPath: file)
            throw error
        }
    }
}

/// Checks once a minute whether a backup is due.
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
                // The new leader makes its own.
            } catch {
                site.report("the backup failed, the next try is in an hour", error)
                retry = now + .hours(1)
            }
        }
    }
}

extension Site {
    /// The age of the last backup on any node; nil if there is none.
    func backupAge(_ runs: [String: Instant], at now: Instant) -> Duration? {
        [backups.age(at: now), runs[Backups.job].map { now - $0 }].compactMap(\.self).min()
    }

    /// Removes this node's backups that other nodes' newer ones have replaced, so that erased data disappears from all
    /// copies, no matter which node led.
    ///
    /// - Returns: The number removed.
    func removeReplacedBackups() throws -> Int {
        guard database.isShared, backups.period > .zero else { return 0 }
        return try backups.removeReplaced(by: read { db in try JobRun.all(in: db) })
    }

    /// Records for the other nodes that a backup was made.
    func noteBackup(at now: Instant) async throws {
        try await writeQuietly(at: now) { [backups] tx in
            let slot = backups.nextSlot(try JobRun.all(in: tx))
            for name in [Backups.job, slot].compactMap(\.self) { try JobRun.note(name, in: tx) }
        }
    }

    func backupIsDue(at now: Instant) throws -> Bool {
        guard backups.period > .zero else { return false }
        let runs = try database.isShared ? read { db in try JobRun.all(in: db) } : [:]
        return backupAge(runs, at: now).map { $0 >= backups.period } ?? true
    }
}
