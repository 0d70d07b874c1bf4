import Database
import Logging
import ServiceLifecycle

/// The scheduled cleanup: every minute for data that must be gone by then, otherwise hourly.
struct Housekeeping: Service {
    /// A cleanup job.
    struct Job: Sendable {
        /// The job's name for the log: `removed 3 pictures`.
        let name: String
        /// The interval in minutes.
        var minutes = 60
        /// The module it belongs to; it doesn't run if that is switched off.
        var module: Module?
        /// The rule by which it erases.
        var keeping: RetentionRule?
        /// Whether it works on a node's files, so that each node runs it.
        var isOfEachNode = false
        /// Runs the job, and returns how many items it handled.
        let run: @Sendable (Site, Instant) async throws -> Int
    }

    static let jobs =
        [
            Job(name: "renewed what texts are found by", minutes: 1) { site, _ in try await site.renewSearch() },
            Job(name: "removed unused pictures") { site, now in try await site.sweepPictures(at: now) },
            Job(name: "read letters that came back", minutes: 1, isOfEachNode: true) { site, now in
                try await ReturnedMail(site: site).read(at: now)
            },
            Job(name: "removed backups that those of other nodes replaced", isOfEachNode: true) { site, _ in
                try site.removeReplacedBackups()
            },
            Job(name: "forgot counts that have run out", minutes: 1) { site, now in
                guard site.database.isShared else { return 0 }
                return try await site.writeQuietly(at: now) { tx in try RateCount.forget(in: tx) }
            },
            Job(name: "kept back letters that come too late", minutes: 1) { site, now in
                try await site.write(at: now) { tx in try Letter.giveUp(in: tx) }
            },
            Job(name: "erased what was written of accounts while they were deleted", minutes: 1) { site, now in
                try await site.write(at: now) { tx in try Account.eraseLate(in: tx) }
            },
            Job(name: "passed on places to those who wait", minutes: 1) { site, now in
                try await site.write(at: now) { tx in try Registration.tidyWaiting(in: tx) }
            },
            Job(name: "gave out places by lot", minutes: 1) { site, now in try await site.carryOutDraws(at: now) },
            Job(name: "reminded of what comes up", minutes: 1) { site, now in
                try await site.write(at: now) { tx in try Reminder.send(in: tx) + Reminder.sendOfSessions(in: tx) }
            },
            Job(name: "reminded of meetings, and asked how they were", minutes: 1, module: .playdates) { site, now in
                let zone = site.settings.zone
                return try await site.write(at: now) { tx in try Meeting.call(in: zone, tx: tx) }
            },
            Job(name: "passed on places in shifts to those who wait", minutes: 1, module: .helping) { site, now in
                try await site.write(at: now) { tx in try Shift.tidyWaiting(in: tx) }
            },
            Job(name: "freed places that no parent said yes to", minutes: 1, module: .helping) { site, now in
                try await site.write(at: now) { tx in try YoungPerson.lapse(in: tx) }
            },
            Job(
                name: "reminded of people who wait for an answer, and ended what had none", minutes: 1, module: .helping
            ) {
                site, now in
                try await site.write(at: now) { tx in try Signup.tidyAsked(in: tx) }
            },
            Job(name: "reminded of shifts that come up", minutes: 1, module: .helping) { site, now in
                try await site.write(at: now) { tx in try Reminder.sendOfShifts(in: tx) }
            },
            Job(name: "asked after shifts how long they took", minutes: 1, module: .helping) { site, now in
                try await site.write(at: now) { tx in try Signup.askHours(in: tx) }
            },
            Job(name: "wrote a letter about the day’s registrations", minutes: 1) { site, now in
                try await site.write(at: now) { tx in try Digest.send(in: tx) }
            },
            Job(name: "wrote a letter about what is new at organizations", minutes: 1, module: .helping) { site, now in
                try await site.write(at: now) { tx in try FollowNews.sendDigests(in: tx) }
            },
            Job(name: "wrote a letter about the week’s news in saved searches", minutes: 1) { site, now in
                try await site.writeSearchLetters(at: now)
            },
            Job(name: "wrote letters to members who chose what they are about", minutes: 1) { site, now in
                try await site.writeQuietly(at: now) { tx in try TownLetter.goOn(in: tx) }
            },
            Job(name: "read calendars that events come from", minutes: 1) { site, now in
                try await site.readCalendars(at: now)
            },
            Job(name: "let promises run out that nobody kept", minutes: 1, module: .helping) { site, now in
                try await site.write(at: now) { tx in try Promise.lapse(in: tx) }
            },
            Job(
                name: "asked whether needs still stand, and let promises to neighbors run out", minutes: 1,
                module: .needs
            ) { site, now in
                try await site.write(at: now) { tx in try Need.tidy(in: tx) }
            },
            Job(name: "wrote a letter about what waits at the desk", minutes: 1) { site, now in
                let zone = site.settings.zone
                return try await site.write(at: now) { tx in try DeskNews.sendDigest(in: zone, tx: tx) }
            },
            Job(name: "asked about marks of organizations that run out") { site, now in
                try await site.write(at: now) { tx in try Verified.remind(in: tx) }
            },
            Job(name: "reminded of the day’s kind act", minutes: 1, module: .kindness) { site, now in
                let zone = site.settings.zone
                return try await site.write(at: now) { tx in try ActReminder.send(in: zone, tx: tx) }
            },
            Job(name: "took ways to help out of the lists that are over", module: .helping) { site, now in
                try await site.write(at: now) { tx in try Opportunity.endOld(in: tx) }
            },
            Job(name: "deleted accounts as somebody who runs the site alone wanted") { site, now in
                try await site.write(at: now) { tx in try Removal.carryOutDue(in: tx) }
            },
            Job(name: "erased accounts that weren’t let in") { site, now in
                try await site.write(at: now) { tx in try Account.eraseRefused(in: tx) }
            },
            Job(name: "took the words of erased texts out of the search") { site, now in
                try await site.write { db in try SearchIndex.forget(in: db) } ? 1 : 0
            },
            Job(name: "forgot tags and words that nothing has anymore") { site, _ in
                // The rest is found in an hour, so that writers don't wait for too many at once.
                let unused = try await site.readSlowly { db in try Vocabulary.unused(in: db) }.prefix(1_000)
                return try await site.writeQuietly { db in
                    try Vocabulary.forget(Array(unused), in: db) + Tag.forgetUnused(in: db)
                }
            },
        ]
        + RetentionRule.allCases.compactMap { keeping in
            guard let erase = keeping.erase else { return nil }
            // Undoable actions are erased in the eleventh minute, and notes about a child at the promised time.
            return Job(
                name: "erased what was kept long enough: \(keeping)",
                minutes: [.undo, .notes].contains(keeping) ? 1 : 60,
                keeping: keeping
            ) {
                site, now in
                try await site.write(at: now, erase)
            }
        }

    let site: Site

    /// Runs all jobs at the start and when this node takes the lead, for work that became due meanwhile, and then at
    /// their intervals.
    func run() async throws {
        var (minute, next, hasLed) = (0, ContinuousClock.now, site.leads)
        while true {
            let leads = site.leads
            if leads, !hasLed { (minute, next) = (0, .now) }
            hasLed = leads
            if ContinuousClock.now >= next {
                await tidyUp(at: site.now) { minute.isMultiple(of: $0.minutes) }
                (minute, next) = (minute + 1, max(next + .minutes(1), .now))
            }
            let pause = site.database.isShared ? .seconds(1) : next - .now
            // Sleeping fails when the site stops.
            guard (try? await cancelWhenGracefulShutdown { try await Task.sleep(for: pause) }) != nil else { return }
        }
    }

    /// Runs every due job of this node; a failing job doesn't prevent the others.
    func tidyUp(at now: Instant, where isDue: (Job) -> Bool = { _ in true }) async {
        for job in Self.jobs where isDue(job) && site.opening.has(job.module) {
            do {
                if job.isOfEachNode {
                    try await carryOut(job, at: now)
                } else {
                    try await site.leading { try await carryOut(job, at: now) }
                }
            } catch is Lease.Lost {
                // The new leader runs it; jobs of each node continue.
                continue
            } catch {
                site.report("\(job.name): failed, it is tried again later", error)
            }
        }
    }

    private func carryOut(_ job: Job, at now: Instant) async throws {
        let count = try await job.run(site, now)
        if let keeping = job.keeping { try await site.note(keeping, at: now) }
        if count > 0 { site.log.info("\(job.name)", metadata: ["count": "\(count)"]) }
    }
}
