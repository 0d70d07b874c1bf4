import Database
import Forms
import FoundationEssentials
import Templating

// The machine's state, for `/admin/operations`.

extension Site {
    func operations(_ counted: Operations.Counted, at now: Instant) -> Operations {
        let zone = settings.zone
        retention.note(counted.cluster.runs)
        return Operations(
            facts: facts(counted.letters, counted.cluster.runs, lastStored: counted.lastStored, at: now)
                + facts(of: counted.cluster.nodes),
            kept: counted.rows.map { keeping, count in
                Operations.Kept(
                    what: keeping.what, rows: count, howLong: keeping.howLong,
                    last: retention.last(of: keeping).map { zone.words($0, \.shortName) })
            },
            hours: Operations.drawn(load.hours(at: now), in: zone), versions: versions)
    }

    /// Current problems, shown first on the desk.
    func troubles(
        _ letters: Operations.Letters, _ cluster: Operations.Cluster, lastStored: Instant?, at now: Instant
    ) -> [Operations.Fact] {
        (facts(letters, cluster.runs, lastStored: lastStored, at: now) + facts(of: cluster.nodes)).filter(\.isBad)
    }

    /// The nodes, if there may be several, and which of them leads.
    private func facts(of nodes: [Node]) -> [Operations.Fact] {
        guard database.isShared else { return [] }
        let leader = nodes.first(where: \.leads)
        return [
            Operations.Fact(
                name: "In charge of scheduled work",
                words: leader.map { Words(verbatim: $0.name) } ?? "No node at the moment",
                isBad: leader == nil)
        ]
            + nodes.map { node in
                let isOff = max(node.ahead, .zero - node.ahead) >= Node.offWarned
                let lag = Words(Operations.Tenths(number: Int(node.lag.wholeMilliseconds) * 10))
                let since = settings.zone.words(node.startedAt, \.shortName)
                let words: Words = """
                    Village \(node.version, as: "version"), has run since \(since, as: "since"), was last seen \
                    \(node.seen.inWords, as: "time") ago, and hears of changes within \(lag, as: "milliseconds") ms
                    """
                return Operations.Fact(
                    name: "Node \(node.name, as: "name")",
                    words: isOff ? "\(words, as: "words"). Its clock differs from the database’s" : words,
                    isBad: isOff || node.seen >= Node.quiet)
            }
    }

    /// The state of letters. Individual refused letters aren't a fault of the machine.
    private func fact(of letters: Operations.Letters, at now: Instant) -> Operations.Fact {
        let isLate = letters.since.map { now - $0 > .hours(1) } ?? false
        let words: Words =
            if let trouble = letters.trouble {
                "No letter goes out. The mail server says: \(trouble, as: "words")"
            } else if settings.smtp == nil {
                Words(
                    """
                    No mail server is set up (VILLAGE_SMTP_URL): {count} letter waits, and people who lost a password \
                    need a link from you
                    """,
                    plural: """
                        No mail server is set up (VILLAGE_SMTP_URL): {count} letters wait, and people who lost a \
                        password need a link from you
                        """, count: letters.waiting)
            } else if isLate, let since = letters.since {
                """
                \(letters.waiting, as: "waiting") wait, the oldest since \
                \(settings.zone.words(since, \.shortName), as: "since")
                """
            } else {
                "\(letters.waiting, as: "waiting") waiting, \(letters.failed, as: "failed") failed"
            }
        return Operations.Fact(
            name: "Letters", words: words,
            isBad: letters.trouble != nil || isLate
                || settings.smtp == nil && letters.waiting > 0,
            link: Link.outbox)
    }

    private func fact(ofClockAfter lastStored: Instant?, at now: Instant) -> Operations.Fact {
        let isBehind = lastStored.map { $0 > now + .minutes(10) } ?? false
        let words: Words =
            settings.clock != nil
            ? "It is set to \(settings.zone.words(now, \.shortName), as: "now"), and doesn’t run (VILLAGE_CLOCK)"
            : isBehind
                ? "It says \(settings.zone.words(now, \.shortName), as: "now"), and is behind what is stored already"
                : settings.zone.words(now, \.shortName)
        return Operations.Fact(name: "Clock", words: words, isBad: isBehind || settings.clock != nil)
    }

    private func facts(
        _ letters: Operations.Letters, _ runs: [String: Instant], lastStored: Instant?, at now: Instant
    ) -> [Operations.Fact] {
        let age = backupAge(runs, at: now)
        let free = freeBytes(at: settings.data)
        let (size, pictures) = (database.size ?? 0, media.database.size ?? 0)
        // The first backup has its time from the start on: a site that has just begun isn't broken.
        let isLate = backups.period > .zero && (age ?? now - openedAt) > backups.period * 2
        let clock = retention.lastRun
        return [
            Operations.Fact(
                name: "Last backup",
                words: backups.failure.map { failure in
                    """
                    \(age.map { "\($0.inWords, as: "time") ago" } ?? "None yet", as: "last"). The last try failed: \
                    \(failure, as: "words")
                    """
                } ?? age.map { "\($0.inWords, as: "time") ago" } ?? "None yet",
                isBad: isLate || backups.failure != nil),
            fact(of: letters, at: now), fact(ofClockAfter: lastStored, at: now),
            Operations.Fact(
                name: "Room on the disk", words: free.map { Operations.size($0) } ?? "Not known",
                isBad: (free ?? .max) < 1_000_000_000),
            Operations.Fact(
                name: "Size of the data",
                words: """
                    \(Operations.size(size), as: "database"), and pictures of \
                    \(Operations.size(pictures), as: "pictures")
                    """),
            Operations.Fact(
                name: "Erasing what was kept long enough",
                words: clock.map {
                    """
                    Last at \(settings.zone.words($0, \.shortName), as: "last"), next at \
                    \(settings.zone.words($0 + .hours(1), \.shortName), as: "next")
                    """
                } ?? "Not since the start; it runs once an hour",
                isBad: clock.map { now - $0 > .hours(3) } ?? false),
        ]
    }

    private var versions: [Operations.Fact] {
        let engine = database.engine
        return [
            Operations.Fact(name: "Village", words: Words(verbatim: Site.version)),
            Operations.Fact(
                name: Words(verbatim: engine.name),
                words: database.hasWALResetBug
                    ? """
                    \(engine.version, as: "version"), with a fault that two writing programs bring out (WAL \
                    reset): the site alone writes, so it is safe here
                    """ : Words(verbatim: engine.version)),
            Operations.Fact(name: Words(verbatim: "Swift"), words: Words(verbatim: Site.swiftVersion)),
            Operations.Fact(
                name: Words(verbatim: "libvips.so"),
                words: Words(verbatim: Workshop.version ?? "–"), isBad: Workshop.version == nil),
        ]
    }

    /// The Swift version of the build.
    static var swiftVersion: String {
        #if compiler(>=6.4)
            "6.4+"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }
}

extension Workshop {
    /// The version of libvips, taken from its library's name; nil if it isn't found.
    static let version: String? = {
        let folders = ["/usr/lib", "/usr/lib64", "/usr/local/lib"]
        let machines = ["", "/x86_64-linux-gnu", "/aarch64-linux-gnu"]
        for folder in folders.flatMap({ folder in machines.map { folder + $0 } }) {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let names = files.filter { $0.hasPrefix("libvips.so.") }.sorted { $0.count > $1.count }
            if let name = names.first { return String(name.dropFirst("libvips.so.".count)) }
        }
        return nil
    }()
}

extension Operations {
    static let box = "0 0 370 126"
    static let axis = "M0 120.5H370"
    private static let high = 112

    static func drawn(_ hours: [Load.Hour], in zone: Zone) -> [HourRow] {
        let most = max(1, hours.map(\.requests).max() ?? 1)
        let slowest = max(1, hours.compactMap { $0.percentile(99) }.max() ?? 1)
        return hours.enumerated().map { number, hour in
            func part(_ of: Int, _ whole: Int) -> Int { of == 0 ? 0 : max(1, of * high / whole) }
            let height = part(hour.requests, most)
            let median = part(hour.percentile(50) ?? 0, slowest)
            let slow = max(0, part(hour.percentile(99) ?? 0, slowest) - median)
            return HourRow(
                name: zone.local(hour.begins).time.name, requests: hour.requests, failures: hour.failures,
                median: words(hour.percentile(50)), most: words(hour.percentile(95)),
                slowest: words(hour.percentile(99)), x: number * 15 + 5, top: 120 - height, height: height,
                medianTop: 120 - median, medianHeight: median, slowTop: 120 - median - slow, slowHeight: slow)
        }
    }

    private static func words(_ microseconds: Int?) -> Words {
        guard let microseconds else { return Words(verbatim: "–") }
        return "\(Words(Tenths(number: (microseconds + 50) / 100)), as: "milliseconds") ms"
    }
}
