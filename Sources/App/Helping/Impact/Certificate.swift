import Forms
import Templating

/// A certificate of confirmed hours, which anyone who has its code can read.
struct Certificate: Sendable {
    /// Certificates per page.
    static let pageSize = 20

    let code: String
    let account: ID<Account>
    let name: String
    let year: Int
    let minutes: Int
    var lines: [Line]
    let madeAt: Instant
    let withdrawnAt: Instant?
    /// Whether the holder chose the name, rather than the name under which the hours were confirmed.
    var isOwnName = true

    /// An organization and the hours it confirmed.
    struct Line: Sendable, Equatable {
        let name: String
        let minutes: Int
        /// How many of the minutes were shadowing: somebody learned, rather than helped.
        var shadowed = 0
        /// What was done, and when; nil if the certificate doesn't say.
        var work: Work?
    }

    /// The titles of the opportunities in which a member helped an organization, and the days.
    struct Work: Sendable, Equatable {
        /// The most titles, so that the certificate fits on one sheet.
        static let mostTitles = 5

        let first: Day
        let last: Day
        let days: Int
        /// In order of hours, most first.
        var titles: [String]
        /// The number of further titles.
        let more: Int

        /// The days.
        var when: Words {
            days == 1
                ? first.date
                : Words(
                    "{count} day, \(first.date, as: "first") to \(last.date, as: "last")",
                    plural: "{count} days, \(first.date, as: "first") to \(last.date, as: "last")", count: days)
        }

        /// The titles; empty if staff hid all of them.
        var what: Words {
            let list = titles.joined(separator: " · ")
            return more == 0 || titles.isEmpty
                ? Words(verbatim: list)
                : Words(
                    "\(list, as: "titles") and {count} more", plural: "\(list, as: "titles") and {count} more",
                    count: more)
        }
    }

    /// The standing of an organization when a certificate is read.
    enum Standing: Int, Sendable {
        case verified, unverified, suspended, gone

        var words: Words {
            switch self {
            case .verified: "Verified by those who run this site"
            case .unverified: "Unverified organization"
            case .suspended: "Suspended by those who run this site"
            case .gone: "Not on this site anymore"
            }
        }
    }

    var link: Link { .certificate(code) }

    /// The minutes of shadowing, and those of help.
    var shadowed: Int { lines.reduce(0) { $0 + $1.shadowed } }
    var helped: Int { minutes - shadowed }

    /// What it certifies.
    var heading: Words {
        if shadowed == 0 { return "A certificate of helping" }
        return helped == 0 ? "A certificate of shadowing" : "A certificate of helping and shadowing"
    }

    /// The code in groups of five, for reading aloud.
    var spelled: String { PrintedCode.spelled(code) }

    /// A code with 130 random bits.
    static func freshCode() -> String { PrintedCode.fresh(26) }

    /// A typed code; nil if it can't be one.
    static func code(typed: String) -> String? { PrintedCode.read(typed, 26) }

    /// The lines for a year: only confirmed hours, by organization, most first.
    ///
    /// - Parameter saysWhat: Whether to include what was done, and when.
    static func lines(of entries: [Contribution], in year: Int, saysWhat: Bool) -> [Line] {
        let confirmed = entries.filter { $0.day.year == year && $0.confirmed != nil }
        return Dictionary(grouping: confirmed, by: \.hostName).map { name, entries in
            Line(
                name: name, minutes: Self.minutes(of: entries),
                shadowed: Self.minutes(of: entries.filter { $0.kind == .shadow }), work: saysWhat ? Work(entries) : nil)
        }.sorted { ($1.minutes, $0.name) < ($0.minutes, $1.name) }
    }

    fileprivate static func minutes(of entries: [Contribution]) -> Int {
        entries.reduce(0) { $0 + ($1.confirmed ?? 0) }
    }

    /// The lines without these titles.
    static func lines(_ lines: [Line], without titles: Set<String>) -> [Line] {
        lines.map { line in
            var line = line
            line.work?.titles.removeAll(where: titles.contains)
            return line
        }
    }

    /// The format in the database: minutes and name of each line, and optionally what was done. Minutes of shadowing
    /// stand behind a slash.
    static func text(of lines: [Line]) -> String {
        lines.map { line in
            let minutes = line.shadowed == 0 ? "\(line.minutes)" : "\(line.minutes)/\(line.shadowed)"
            return ([minutes, line.name] + (line.work?.parts ?? []))
                .map { part in part.filter { $0 != "\u{1E}" && $0 != "\u{1F}" } }.joined(separator: "\u{1F}")
        }.joined(separator: "\u{1E}")
    }

    static func lines(_ text: String) -> [Line] {
        text.split(separator: "\u{1E}").compactMap { line in
            let parts = line.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
            let numbers = parts[0].split(separator: "/").compactMap { Int($0) }
            guard parts.count >= 2, let minutes = numbers.first else { return nil }
            return Line(
                name: parts[1], minutes: minutes, shadowed: numbers.dropFirst().first ?? 0,
                work: Work(parts: Array(parts.dropFirst(2))))
        }
    }
}

extension Certificate.Work {
    /// Nil if there are no entries.
    fileprivate init?(_ entries: [Contribution]) {
        let all = Set(entries.map(\.day))
        guard let first = all.min(), let last = all.max() else { return nil }
        let sums = Dictionary(grouping: entries, by: \.title).mapValues { Certificate.minutes(of: $0) }
        let sorted = sums.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { $0.key }
        self.init(
            first: first, last: last, days: all.count, titles: Array(sorted.prefix(Self.mostTitles)),
            more: max(0, sorted.count - Self.mostTitles))
    }

    /// The format in the database.
    fileprivate var parts: [String] { [first.iso, last.iso, String(days), String(more)] + titles }

    fileprivate init?(parts: [String]) {
        guard parts.count > 4, let first = Day(iso: parts[0]), let last = Day(iso: parts[1]),
            let days = Int(parts[2]), let more = Int(parts[3])
        else { return nil }
        self.init(first: first, last: last, days: days, titles: Array(parts.dropFirst(4)), more: more)
    }
}

/// The form for a certificate.
struct CertificateForm: Form {
    var name = ""
    var year = 0
    /// Whether to include what was done, and when.
    var saysWhat = false

    static let fields: [Field<CertificateForm>] = [
        .text("name", \.name, "Your name, as it should stand there", 2...120).checked(Name.problem).autocomplete("name")
            .missing("Give the name that should stand there."),
        .number("year", \.year, "Year", 2000...9_999).narrow,
        .checkbox("what", \.saysWhat, "Say what I did, and on which days")
            .hint("Schools often ask for that. Anybody who has the sheet or its code reads it."),
    ]
}
