import Database
import Logging
import ServiceLifecycle
import Synchronization

/// Checks every five seconds that the data files are still there, and empties their logs twice a minute, so that erased
/// data is gone from the disk.
struct FileWatch: Service {
    let site: Site

    func run() async throws {
        var round = 0
        while true {
            // Sleeping fails when the site stops.
            guard (try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(5)) }) != nil else {
                return
            }
            await site.lookAtFiles()
            round += 1
            // While somebody reads from a log, emptying is retried each round.
            if round >= 6, await site.emptyLogs() { round = 0 }
        }
    }
}

extension Site {
    /// Whether the main database's files were taken away; then the site stops serving.
    var isLost: Bool { database.isLost }

    /// - Throws: ``Database/DatabaseError/lost(_:)`` if they were.
    func requireFiles() throws {
        if isLost { throw DatabaseError.lost(String(Self.file.dropFirst())) }
    }

    /// The name of a lost file; nil while all are there.
    var lostFile: String? {
        let files = [(Self.file, database), (Media.file, media.database)]
        return files.first { $0.1.isLost }.map { String($0.0.dropFirst()) }
    }

    /// Checks that the data files are those that were opened. The first time they aren't, it logs this and copies the
    /// data that is still open into the backup folder.
    func lookAtFiles() async {
        for (file, database) in [(Self.file, database), (Media.file, media.database)] {
            do {
                try database.lookAtFiles()
            } catch {
                guard losses.withLock({ $0.insert(file).inserted }) else { continue }
                log.critical(
                    """
                    \(settings.data)\(file) was deleted, replaced or emptied while the site ran; nothing of it is \
                    served or stored anymore. Stop the site and put the file back, or go back to a backup: village \
                    restore FILE
                    """)
                guard file == Self.file else { continue }
                do {
                    let now = now
                    try await backups.make(of: database, and: media.database, at: now)
                    log.critical("what was stored until then is in \(backups.folder)/\(Backups.name(at: now))")
                } catch {
                    report("what was stored until then could not be copied", error)
                }
            }
        }
    }

    /// Moves the logs of both databases into their files.
    ///
    /// - Returns: Whether both logs are empty.
    func emptyLogs() async -> Bool {
        var areEmpty = true
        for database in [database, media.database] where !database.isLost {
            do {
                if try await !database.emptyLog() { areEmpty = false }
            } catch {
                report("what was erased is still in the log of the database", error)
                areEmpty = false
            }
        }
        return areEmpty
    }
}
