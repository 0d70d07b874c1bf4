import Forms
import Templating

/// What somebody gave: a line of the ledger of help.
///
/// Kind acts stand in `Deed`: they have points and no hours, these have hours and no points.
struct Contribution: Sendable {
    let id: ID<Contribution>
    let kind: Kind
    let host: ID<Account>?
    let hostName: String
    let opportunity: ID<Opportunity>?
    let signup: ID<Signup>?
    let title: String
    let day: Day
    /// What they say themselves.
    let minutes: Int
    /// What the organization confirmed.
    let confirmed: Int?
    let amount: Money?
    let count: Int?
    let isReceived: Bool

    enum Kind: String, Sendable, CaseIterable {
        case hours, shadow, money, things

        var icon: Icon {
            switch self {
            case .hours: .hands
            case .shadow: .shadow
            case .money: .money
            case .things: .gift
            }
        }

        var hue: String {
            switch self {
            case .hours: "hue-sky"
            case .shadow: "hue-spruce"
            case .money, .things: "hue-ochre"
            }
        }

        var name: Words {
            switch self {
            case .hours: "Hours"
            case .shadow: "Shadowing"
            case .money: "Money"
            case .things: "Things"
            }
        }
    }

    /// Where a noted gift is changed.
    var gift: Link? { kind == .money ? Link.gifts / id : nil }

    var isOfTime: Bool { kind == .hours || kind == .shadow }
    /// What is said and not confirmed, in minutes.
    var waiting: Int { isOfTime && confirmed == nil ? minutes : 0 }

    /// What it was and how it stands, in a line.
    var words: Words {
        switch kind {
        case .hours, .shadow:
            guard let confirmed else {
                return
                    "\(day.date, as: "day"), \(Hours.words(minutes), as: "hours") · waiting for \(hostName, as: "host")"
            }
            return
                "\(day.date, as: "day"), \(Hours.words(confirmed), as: "hours") · confirmed by \(hostName, as: "host")"
        case .money:
            let sum: Words = amount.map { Words($0) } ?? Words(verbatim: "")
            return "\(day.date, as: "day"), \(sum, as: "amount") · noted by you"
        case .things:
            return isReceived
                ? "\(day.date, as: "day") · received by \(hostName, as: "host"), thank you"
                : "\(day.date, as: "day") · noted by you"
        }
    }

    /// More was said or confirmed than the shift had.
    struct TooMuch: Error {
        let most: Int
        var words: Words { "The shift had \(Hours.words(most), as: "hours"): it can’t be more." }
    }

    /// The day isn’t one of those that count.
    struct WrongDay: Error {}
}

/// Noting a gift for oneself.
struct GiftForm: Form {
    var amount = ""
    var day: Day?
    var organization = ""

    static let fields: [Field<GiftForm>] = [
        .text("amount", \.amount, "Amount", 1...40).narrow.inputmode("decimal").autocomplete("off")
            .missing("Say how much it was."),
        .text("organization", \.organization, "To whom", 1...120).autocomplete("off").missing("Say to whom."),
        .date("day", \.day, "Day"),
    ]
}

extension GiftForm {
    /// A gift that was noted, to be changed; nil of anything else.
    init?(_ gift: Contribution) {
        guard gift.kind == .money, let amount = gift.amount else { return nil }
        self.init(amount: amount.typed, day: gift.day, organization: gift.hostName)
    }
}

/// What somebody’s help comes to: sums and what is drawn of them.
struct Impact: Sendable {
    /// The year that is shown; nil for all.
    let year: Int?
    let years: [Int]
    let entries: [Contribution]
    let today: Day
    /// The days on which they met a need of a neighbor.
    let needs: [Day]

    /// - Parameters:
    ///   - all: Everything in the ledger, the newest first.
    ///   - needs: The day of each need they met.
    init(_ all: [Contribution], needs: [Day] = [], year: Int?, today: Day) {
        self.today = today
        years = Set(all.map(\.day.year) + needs.map(\.year) + [today.year]).sorted(by: >)
        self.year = year
        entries = all.filter { year == nil || $0.day.year == year }
        self.needs = needs.filter { year == nil || $0.year == year }
    }

    /// Whether there is nothing yet.
    var isEmpty: Bool { entries.isEmpty && needs.isEmpty }

    var confirmed: Int { entries.reduce(0) { $0 + ($1.confirmed ?? 0) } }
    var waiting: Int { entries.reduce(0) { $0 + $1.waiting } }
    var total: Int { confirmed + waiting }
    var shadowDays: Int { Set(entries.filter { $0.kind == .shadow }.map(\.day)).count }
    var things: Int { entries.filter { $0.kind == .things }.reduce(0) { $0 + ($1.count ?? 0) } }

    /// What was given in money, a sum for each currency.
    var money: [Money] {
        var sums: [String: Int] = [:]
        for amount in entries.compactMap(\.amount) { sums[amount.currency, default: 0] += amount.minorUnits }
        return sums.sorted { $0.key < $1.key }.map { Money(minorUnits: $0.value, currency: $0.key) }
    }

    /// A bar and its line of the table.
    struct Bar: Sendable {
        let name: Words
        let confirmed: Int
        let waiting: Int
        var visits = 0
        var total: Int { confirmed + waiting }
    }

    /// By month of the year that is shown; by year where all are.
    var bars: [Bar] {
        guard let year else {
            return years.reversed().map { year in
                bar(Day(year: year, month: 1, day: 1)?.yearName ?? "") { $0.year == year }
            }
        }
        return (1...12).compactMap { month in
            guard let first = Day(year: year, month: month, day: 1), first <= today else { return nil }
            return bar(Day.monthNames[month - 1]) { $0.year == year && $0.components.month == month }
        }
    }

    private func bar(_ name: Words, _ isMeant: (Day) -> Bool) -> Bar {
        let some = entries.filter { $0.isOfTime && isMeant($0.day) }
        return Bar(
            name: name, confirmed: some.reduce(0) { $0 + ($1.confirmed ?? 0) },
            waiting: some.reduce(0) { $0 + $1.waiting }, visits: some.count)
    }

    /// Where the hours went, the most first.
    var organizations: [Bar] {
        var names: [String] = []
        for entry in entries where entry.isOfTime && !names.contains(entry.hostName) { names.append(entry.hostName) }
        return names.map { name in
            let some = entries.filter { $0.isOfTime && $0.hostName == name }
            return Bar(
                name: Words(verbatim: name), confirmed: some.reduce(0) { $0 + ($1.confirmed ?? 0) },
                waiting: some.reduce(0) { $0 + $1.waiting }, visits: some.count)
        }.sorted { $0.total > $1.total }.prefix(8).map(\.self)
    }

    /// The standing bars of the chart, in a drawing of 28 a bar and 174 high.
    var columns: [Column] { Column.drawn(bars) }
    var columnsWidth: Int { max(12, bars.count) * 32 + 8 }
    var columnsBox: String { "0 0 \(columnsWidth) 174" }
    var axis: String { "M0 150.5H\(columnsWidth)" }
    var lines: [Line] { Line.drawn(organizations) }
    var linesBox: String { "0 0 360 \(max(1, organizations.count) * 44)" }

    struct Column: Sendable {
        let name: Words
        let x: Int
        let middle: Int
        /// What is confirmed, from where down and how high.
        let top: Int
        let height: Int
        let waitingTop: Int
        let waitingHeight: Int
        let figure: Words?
        let figureY: Int

        static func drawn(_ bars: [Bar]) -> [Column] {
            let most = max(60, bars.map(\.total).max() ?? 0)
            return bars.enumerated().map { number, bar in
                let height = bar.confirmed * 126 / most
                let waiting = bar.waiting * 126 / most
                let x = number * 32 + 8
                return Column(
                    name: bar.name, x: x, middle: x + 10, top: 150 - height, height: height,
                    waitingTop: 150 - height - waiting, waitingHeight: waiting,
                    figure: bar.total > 0 ? Hours.figure(bar.total) : nil, figureY: 144 - height - waiting)
            }
        }
    }

    struct Line: Sendable {
        let name: Words
        let y: Int
        let barY: Int
        let width: Int
        let figure: Words

        static func drawn(_ bars: [Bar]) -> [Line] {
            let most = max(1, bars.map(\.total).max() ?? 1)
            return bars.enumerated().map { number, bar in
                Line(
                    name: bar.name, y: number * 44 + 13, barY: number * 44 + 20, width: bar.total * 360 / most,
                    figure: Hours.words(bar.total))
            }
        }
    }

    var sheet: Spreadsheet {
        var sheet = Spreadsheet([
            "Day", "Kind", "What", "Organization", "Hours said", "Hours confirmed", "Amount", "Currency", "Count",
        ])
        for entry in entries {
            sheet.add([
                .text(entry.day.iso), .words(entry.kind.name), .text(entry.title), .text(entry.hostName),
                .decimal(entry.isOfTime ? Hours.typed(entry.minutes) : ""),
                .decimal(entry.confirmed.map(Hours.typed) ?? ""), .decimal(entry.amount?.decimal ?? ""),
                .text(entry.amount?.currency ?? ""), .text(entry.count.map { "\($0)" } ?? ""),
            ])
        }
        // Only the day: what the neighbor asked for isn't the helper's to export.
        for day in needs {
            sheet.add([
                .text(day.iso), .words("Need of a neighbor met"), .text(""), .text(""), .decimal(""), .decimal(""),
                .decimal(""), .text(""), .text("1"),
            ])
        }
        return sheet
    }

    /// The newest, which the page shows.
    var latest: ArraySlice<Contribution> { entries.prefix(50) }

    /// As the language writes a year.
    static func name(_ year: Int) -> Words { Day(year: year, month: 1, day: 1)?.yearName ?? Words(number: year) }

    static func link(_ year: Int?) -> Link { Link.impact.with("year", year.map { "\($0)" } ?? "all") }
}

/// A sheet that says how many hours were confirmed; anyone who has its code can read it.
struct Certificate: Sendable {
    /// How many fit on one page.
    static let pageSize = 20

    let code: String
    let account: ID<Account>
    let name: String
    let year: Int
    let minutes: Int
    var lines: [Line]
    let madeAt: Instant
    let withdrawnAt: Instant?
    /// Whether the name is its holder's alone, and not the one under which the hours were confirmed.
    var isOwnName = true

    /// An organization, and what it confirmed.
    struct Line: Sendable, Equatable {
        let name: String
        let minutes: Int
        /// What was done, and when; nil where the sheet doesn't say so.
        var work: Work?
    }

    /// What somebody did for an organization, by the titles under which it asked for help, and on which days.
    struct Work: Sendable, Equatable {
        /// How many titles fit on a sheet, so that it stays one.
        static let mostTitles = 5

        let first: Day
        let last: Day
        let days: Int
        /// The most hours first.
        var titles: [String]
        /// How many more there were.
        let more: Int

        /// On which days it was.
        var when: Words {
            days == 1
                ? first.date
                : Words(
                    "{count} day, \(first.date, as: "first") to \(last.date, as: "last")",
                    plural: "{count} days, \(first.date, as: "first") to \(last.date, as: "last")", count: days)
        }

        /// What it was; nothing where staff hid all that the sheet names.
        var what: Words {
            let list = titles.joined(separator: " · ")
            return more == 0 || titles.isEmpty
                ? Words(verbatim: list)
                : Words(
                    "\(list, as: "titles") and {count} more", plural: "\(list, as: "titles") and {count} more",
                    count: more)
        }
    }

    /// How an organization stands here, when somebody reads a sheet that names it.
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

    /// In groups of five, as one reads it out.
    var spelled: String { PrintedCode.spelled(code) }

    /// 130 random bits.
    static func freshCode() -> String { PrintedCode.fresh(26) }

    /// A code as somebody typed it; nil of what can’t be one.
    static func code(typed: String) -> String? { PrintedCode.read(typed, 26) }

    /// What stands on a sheet for a year: only what was confirmed, by organization, the most first.
    ///
    /// - Parameter saysWhat: Whether it also says what was done, and on which days.
    static func lines(of entries: [Contribution], in year: Int, saysWhat: Bool) -> [Line] {
        let confirmed = entries.filter { $0.day.year == year && $0.confirmed != nil }
        return Dictionary(grouping: confirmed, by: \.hostName).map { name, entries in
            Line(name: name, minutes: Self.minutes(of: entries), work: saysWhat ? Work(entries) : nil)
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

    /// As the database holds them: a line has its minutes and its name, and where it says so what was done.
    static func text(of lines: [Line]) -> String {
        lines.map { line in
            ([String(line.minutes), line.name] + (line.work?.parts ?? []))
                .map { part in part.filter { $0 != "\u{1E}" && $0 != "\u{1F}" } }.joined(separator: "\u{1F}")
        }.joined(separator: "\u{1E}")
    }

    static func lines(_ text: String) -> [Line] {
        text.split(separator: "\u{1E}").compactMap { line in
            let parts = line.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
            guard parts.count >= 2, let minutes = Int(parts[0]) else { return nil }
            return Line(name: parts[1], minutes: minutes, work: Work(parts: Array(parts.dropFirst(2))))
        }
    }
}

extension Certificate.Work {
    /// Nil where nothing was done.
    fileprivate init?(_ entries: [Contribution]) {
        let all = Set(entries.map(\.day))
        guard let first = all.min(), let last = all.max() else { return nil }
        let sums = Dictionary(grouping: entries, by: \.title).mapValues { Certificate.minutes(of: $0) }
        let sorted = sums.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { $0.key }
        self.init(
            first: first, last: last, days: all.count, titles: Array(sorted.prefix(Self.mostTitles)),
            more: max(0, sorted.count - Self.mostTitles))
    }

    /// As the database holds it.
    fileprivate var parts: [String] { [first.iso, last.iso, String(days), String(more)] + titles }

    fileprivate init?(parts: [String]) {
        guard parts.count > 4, let first = Day(iso: parts[0]), let last = Day(iso: parts[1]),
            let days = Int(parts[2]), let more = Int(parts[3])
        else { return nil }
        self.init(first: first, last: last, days: days, titles: Array(parts.dropFirst(4)), more: more)
    }
}

/// Making a certificate.
struct CertificateForm: Form {
    var name = ""
    var year = 0
    /// Whether it says what was done, and on which days.
    var saysWhat = false

    static let fields: [Field<CertificateForm>] = [
        .text("name", \.name, "Your name, as it should stand there", 2...120).checked(Name.problem).autocomplete("name")
            .missing("Give the name that should stand there."),
        .number("year", \.year, "Year", 2000...9_999).narrow,
        .checkbox("what", \.saysWhat, "Say what I did, and on which days")
            .hint("Schools often ask for that. Anybody who has the sheet or its code reads it."),
    ]
}

/// The page of what came of it.
struct ImpactPage: Sendable {
    let impact: Impact
    /// The helpers whose hours can be said.
    let unsaid: Page<Signup>
    let ahead: Page<Signup>
    let promises: Page<Promise>
    let certificates: Page<Certificate>
    /// Kind acts in all.
    let acts: Int
    /// The years of which something is confirmed.
    let certifiable: [Int]
    var map: MapDrawing?

    /// The page of the year that is shown, from which each list goes on.
    private var here: Link { Link.impact.with("year", impact.year.map { "\($0)" } ?? "all") }
    var moreUnsaid: Link? { unsaid.more(at: here, "unsaid") }
    var moreAhead: Link? { ahead.more(at: here, "ahead") }
    var morePromises: Link? { promises.more(at: here, "promised") }
    var moreCertificates: Link? { certificates.more(at: here, "certificates") }
    /// What has no shift stands where its hours are said.
    var shifts: [Signup] { ahead.items.filter { $0.shift != nil } }
}
