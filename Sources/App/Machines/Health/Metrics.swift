import Database
import FoundationEssentials

/// Metrics in the text format of Prometheus (0.0.4), without names, addresses or numbers of people.
struct Metrics {
    private(set) var text = ""

    private mutating func add(
        _ name: String, _ type: String, _ help: String, _ values: [(labels: String, value: String)]
    ) {
        text += "# HELP village_\(name) \(help)\n# TYPE village_\(name) \(type)\n"
        for value in values { text += "village_\(name)\(value.labels) \(value.value)\n" }
    }

    private mutating func gauge(_ name: String, _ help: String, _ value: (some CustomStringConvertible)?) {
        if let value { add(name, "gauge", help, [("", "\(value)")]) }
    }

    init(of site: Site, letters: Operations.Letters, at now: Instant) {
        add("info", "gauge", "The release.", [("{version=\"\(Site.version)\"}", "1")])
        add(answers: site.load.total)
        add(
            "letters", "gauge", "Letters that wait for the mail server, and that it refused.",
            [("{state=\"waiting\"}", "\(letters.waiting)"), ("{state=\"failed\"}", "\(letters.failed)")])
        gauge(
            "mail_is_down", "1 while no letter gets through.",
            letters.trouble != nil || site.settings.smtp == nil && letters.waiting > 0 ? 1 : 0)
        gauge("backup_age_seconds", "Since the last copy of the data.", site.backups.age(at: now)?.components.seconds)
        gauge("backup_failed", "1 after a copy that failed.", site.backups.failure == nil ? 0 : 1)
        gauge("disk_free_bytes", "Room on the disk of the data.", freeBytes(at: site.settings.data))
        gauge("database_bytes", "The size of the database.", site.database.size)
        gauge("pictures_bytes", "The size of the pictures.", site.media.database.size)
    }

    /// Adds the answers' times as a cumulative histogram.
    private mutating func add(answers total: Load.Total) {
        let name = "request_duration_seconds"
        var (sum, buckets) = (0, [(labels: String, value: String)]())
        for (number, count) in total.times.enumerated() {
            sum += count
            let bound = Load.bounds.indices.contains(number) ? "\(Double(Load.bounds[number]) / 1_000_000)" : "+Inf"
            buckets.append(("_bucket{le=\"\(bound)\"}", "\(sum)"))
        }
        buckets += [("_sum", "\(Double(total.microseconds) / 1_000_000)"), ("_count", "\(sum)")]
        add(name, "histogram", "How long answers took.", buckets)
        add("failures_total", "counter", "Answers of 500 and above.", [("", "\(total.failures)")])
    }
}
