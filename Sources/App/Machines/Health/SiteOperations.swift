import Database
import Forms
import FoundationEssentials
import Templating

// How the machine is, for `/admin/operations`.

extension Site {
    func operations(_ counted: Operations.Counted, at now: Instant) -> Operations {
        let zone = settings.zone
        return Operations(
            facts: facts(counted, at: now),
            kept: counted.rows.map { keeping, count in
                Operations.Kept(
                    what: keeping.what, rows: count, howLong: keeping.howLong,
                    last: retention.last(of: keeping).map { zone.words($0, \.shortName) })
            },
            hours: Operations.drawn(load.hours(at: now), in: zone), versions: versions)
    }

    private func facts(_ counted: Operations.Counted, at now: Instant) -> [Operations.Fact] {
        let age = backups.age(at: now)
        let free = freeBytes(at: settings.data)
        let size = ["/village.sqlite", "/village.sqlite-wal"].reduce(0) { $0 + (fileSize(at: settings.data + $1) ?? 0) }
        let pictures = fileSize(at: settings.data + Media.file) ?? 0
        let isLate = backups.period > .zero && (age ?? .days(400)) > backups.period * 2
        let clock = retention.lastRun
        return [
            Operations.Fact(
                name: "Last backup", words: age.map { "\($0.inWords, as: "time") ago" } ?? "None yet", isBad: isLate),
            Operations.Fact(
                name: "Letters",
                words: counted.trouble.map { "The mail server says: \($0, as: "words")" }
                    ?? "\(counted.waiting, as: "waiting") waiting, \(counted.failed, as: "failed") failed",
                isBad: counted.trouble != nil || counted.failed > 0, link: Link("/admin/mail")),
            Operations.Fact(
                name: "Room on the disk", words: free.map { Operations.size($0) } ?? "Not known",
                isBad: (free ?? .max) < 1_000_000_000),
            Operations.Fact(
                name: "Size of the data",
                words: """
                    \(Operations.size(Int64(size)), as: "database"), and pictures of \
                    \(Operations.size(Int64(pictures)), as: "pictures")
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
        let sqlite = Database.versionInUse
        return [
            Operations.Fact(name: "Village", words: Words(verbatim: Site.version)),
            Operations.Fact(
                name: Words(verbatim: "SQLite"),
                words: sqlite.hasWALResetBug
                    ? """
                    \(sqlite.version, as: "version"), with a fault that two writing programs bring out (WAL \
                    reset): the site alone writes, so it is safe here
                    """ : Words(verbatim: sqlite.version)),
            Operations.Fact(name: Words(verbatim: "Swift"), words: Words(verbatim: Site.swiftVersion)),
            Operations.Fact(
                name: Words(verbatim: "libvips.so"),
                words: Words(verbatim: Workshop.version ?? "–"), isBad: Workshop.version == nil),
        ]
    }

    /// What the site was built with.
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
    /// Which libvips there is, by the name of its library; nil where none is found.
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
