import Logging
import ServiceLifecycle

/// What the site tidies up by itself, once an hour.
struct Housekeeping: Service {
    /// One thing to tidy up.
    struct Job: Sendable {
        /// What is done, for the log: `removed 3 pictures`.
        let name: String
        /// Does it, and tells how much there was to do.
        let run: @Sendable (Site, Instant) async throws -> Int
    }

    static let jobs = [
        Job(name: "removed unused pictures") { site, now in try await site.sweepPictures(at: now) },
        Job(name: "erased what was shared about children") { site, now in
            try await site.write { db in try CareNote.eraseOld(at: now, in: db) }
        },
    ]

    let site: Site

    func run() async throws {
        while true {
            guard (try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .hours(1)) }) != nil else {
                return
            }
            await tidyUp(at: site.now)
        }
    }

    /// Does every job; one that fails keeps no other from being done.
    func tidyUp(at now: Instant) async {
        for job in Self.jobs {
            do {
                let count = try await job.run(site, now)
                if count > 0 { site.log.info("\(job.name)", metadata: ["count": "\(count)"]) }
            } catch {
                site.report("\(job.name): failed, the next try is in an hour", error)
            }
        }
    }
}
