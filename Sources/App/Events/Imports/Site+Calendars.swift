import Database
import Dispatch
import Fetching
import Forms
import FoundationEssentials
import Templating

/// The thread on which calendars are parsed, one after another, so that no page waits.
enum CalendarThread {
    private static let queue = DispatchQueue(label: "calendars", qos: .utility)

    static func run<T: Sendable>(_ work: @escaping @Sendable () -> T) async -> T {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }
}

extension ImportedCalendar {
    /// Parses a file of any supported type, on the calendars' thread.
    static func read(
        _ bytes: [UInt8], zone: Zone, country: String, at now: Instant
    ) async throws(ImportProblem) -> ImportedCalendar {
        let result: Result<ImportedCalendar, ImportProblem> = await CalendarThread.run {
            do throws(ImportProblem) {
                return .success(try ImportedCalendar(bytes: bytes, zone: zone, country: country, at: now))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

extension Site {
    /// The current content of a calendar at an address; nil if it is unchanged.
    ///
    /// - Throws: `ImportFailure`.
    func fetchCalendar(_ item: CalendarImport, at now: Instant) async throws -> (ImportedCalendar, String)? {
        let hosts = Set(town.calendarHosts)
        let known = try? JSONDecoder().decode(Validators.self, from: Data(item.validators.utf8))
        let fetched: Fetched
        do throws(FetchProblem) {
            fetched = try await Fetcher(reach: settings.calendarReach, limit: ImportedCalendar.mostBytes).get(
                item.address, unless: known
            ) { hosts.contains($0) }
        } catch {
            throw ImportFailure(words: error.words)
        }
        guard case .new(let bytes, let validators, _) = fetched else { return nil }
        let calendar: ImportedCalendar
        do throws(ImportProblem) {
            calendar = try await ImportedCalendar.read(
                bytes, zone: settings.zone, country: settings.country, at: now)
        } catch {
            throw ImportFailure(words: error.said)
        }
        let kept = validators.flatMap { try? JSONEncoder().encode($0) }.map { String(decoding: $0, as: UTF8.self) }
        return (calendar, kept ?? "")
    }

    /// Reads a calendar at an address while its organization waits.
    ///
    /// - Throws: `ImportFailure`.
    func readCalendar(_ item: CalendarImport, by member: Visitor?, language: Language, at now: Instant) async throws {
        // Requested without validators, because waiting entries may have been checked with other settings.
        let whole = item.forgettingValidators
        guard let (calendar, validators) = try await fetchCalendar(whole, at: now) else { return }
        let due = CalendarImport.due(after: now, in: settings.zone, item.id)
        try await writeQuietly { db in try CalendarImport.takeUp(item.id, due, in: db) }
        try await take(calendar, into: item, validators: validators, language: language, by: member, at: now)
    }

    /// Reads due calendars, one after another; the rest follows in the next minute. A failing one doesn't hold up the
    /// others.
    ///
    /// - Returns: The number of calendars.
    func readCalendars(at now: Instant) async throws -> Int {
        var count = 0
        for item in try read(at: now, { tx in try CalendarImport.due(atMost: 2, in: tx) }) {
            let next = CalendarImport.due(after: now, in: settings.zone, item.id)
            // Regardless of the result, it is read once a night.
            let isOurs = try await writeQuietly { db in
                try CalendarImport.setDue(item.id, next, from: now, in: db)
            }
            guard isOurs, try read(at: now, { tx in try CalendarImport.mayPublish(item.host, in: tx) })
            else { continue }
            do {
                try await readAtNight(item, at: now)
                count += 1
            } catch let lost as Lease.Lost {
                throw lost
            } catch let failure as ImportFailure {
                try await note(failure, of: item, at: now)
            } catch {
                report("a calendar can’t be taken over, it is tried again in a day", error)
            }
        }
        return count
    }

    private func readAtNight(_ item: CalendarImport, at now: Instant) async throws {
        let language = try read { db in try self.language(of: item.host, in: db) }
        if let (calendar, validators) = try await fetchCalendar(item.asked(at: now), at: now) {
            try await take(
                calendar, into: item, validators: validators, language: language, isNight: true, at: now)
        } else {
            try await write(at: now) { tx in try CalendarImport.noteRead(item.id, in: tx) }
        }
        // Before its first import nothing of it is public, and nothing changes.
        guard item.publishes != nil else { return }
        _ = try await publish(item, newOnes: item.publishes == true, language: language, at: now)
    }

    /// Records that it can't be read, notifies its organization after some nights, and gives up after many.
    private func note(_ failure: ImportFailure, of item: CalendarImport, at now: Instant) async throws {
        try await write(at: now) { tx in
            let problem = failure.words.text(in: try self.language(of: item.host, in: tx))
            let nights = try CalendarImport.noteFailure(item.id, problem, in: tx)
            let readers = CalendarImport.readers(at: item.host)
            if nights == CalendarImport.patience {
                try ImportNews(.failing, item.id, item.name).tell(readers, in: tx)
            } else if nights >= CalendarImport.longestPatience {
                try CalendarImport.setDue(item.id, nil, in: tx)
                try ImportNews(.stopped, item.id, item.name).tell(readers, in: tx)
            }
        }
    }
}

/// Why a calendar can't be read.
struct ImportFailure: Error {
    let words: Words
}

extension FetchProblem {
    fileprivate var words: Words {
        switch self {
        case .badAddress: "This isn’t the address of a calendar."
        case .notAllowed(let host):
            "The address leads to \(host, as: "host"), from where calendars may not be read here."
        case .privateAddress: "The address leads to no machine on the Internet."
        case .unreachable: "Nobody answers at the address."
        case .tooSlow: "The answer took too long."
        case .tooLarge: "It is larger than 5 MB."
        case .status(let code): "The answer was \(digits: code, as: "code") instead of a calendar."
        // Only a form is refused.
        case .refused: Self.status(400).words
        case .tooManyRedirects: "Too many redirects."
        case .notSecure: "The address leads to one that isn’t secure."
        case .badCertificate: "The certificate of the address isn’t valid."
        }
    }
}
