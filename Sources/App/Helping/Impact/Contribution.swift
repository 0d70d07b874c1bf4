import Forms
import Templating

/// A contribution: a line of the ledger of help.
///
/// Kind acts are a separate `Deed`: they have points and no hours, contributions have hours and no points.
struct Contribution: Sendable {
    let id: ID<Contribution>
    let kind: Kind
    let host: ID<Account>?
    let hostName: String
    let opportunity: ID<Opportunity>?
    let signup: ID<Signup>?
    let title: String
    let day: Day
    /// The minutes according to the member.
    let minutes: Int
    /// The minutes confirmed by the organization.
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

    /// The page to change a recorded gift.
    var gift: Link? { kind == .money ? Link.gifts / id : nil }

    var isOfTime: Bool { kind == .hours || kind == .shadow }
    /// The unconfirmed minutes.
    var waiting: Int { isOfTime && confirmed == nil ? minutes : 0 }

    /// A description and its state, on one line.
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

    /// More was reported or confirmed than the shift's length.
    struct TooMuch: Error {
        let most: Int
        var words: Words { "The shift had \(Hours.words(most), as: "hours"): it can’t be more." }
    }

    /// The day isn't allowed.
    struct WrongDay: Error {}
}

/// The form to record a gift.
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
    /// A form to change a recorded gift; nil for anything else.
    init?(_ gift: Contribution) {
        guard gift.kind == .money, let amount = gift.amount else { return nil }
        self.init(amount: amount.typed, day: gift.day, organization: gift.hostName)
    }
}

/// The totals of a member's help, with charts.
struct Impact: Sendable {
    /// The year shown; nil for all.
    let year: Int?
    let years: [Int]
    let entries: [Contribution]
    let today: Day
    /// The days on which they met a neighbor's need.
    let needs: [Day]

    /// - Parameters:
    ///   - all: The whole ledger, newest first.
    ///   - needs: The day of each need they met.
    init(_ all: [Contribution], needs: [Day] = [], year: Int?, today: Day) {
        self.today = today
        years = Set(all.map(\.day.year) + needs.map(\.year) + [today.year]).sorted(by: >)
        self.year = year
        entries = all.filter { year == nil || $0.day.year == year }
        self.needs = needs.filter { year == nil || $0.year == year }
    }

    /// Whether it is empty.
    var isEmpty: Bool { entries.isEmpty && needs.isEmpty }

    var confirmed: Int { entries.reduce(0) { $0 + ($1.confirmed ?? 0) } }
    var waiting: Int { entries.reduce(0) { $0 + $1.waiting } }
    var total: Int { confirmed + waiting }
    var shadowDays: Int { Set(entries.filter { $0.kind == .shadow }.map(\.day)).count }
    var things: Int { entries.filter { $0.kind == .things }.reduce(0) { $0 + ($1.count ?? 0) } }

    /// The money given, a total per currency.
    var money: [Money] {
        var sums: [String: Int] = [:]
        for amount in entries.compactMap(\.amount) { sums[amount.currency, default: 0] += amount.minorUnits }
        return sums.sorted { $0.key < $1.key }.map { Money(minorUnits: $0.value, currency: $0.key) }
    }

    /// A bar of the chart, and a line of the table.
    struct Bar: Sendable {
        let name: Words
        let confirmed: Int
        let waiting: Int
        var visits = 0
        var total: Int { confirmed + waiting }
    }

    /// By month if a year is shown; otherwise by year.
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

    /// The hours by organization, most first.
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

    /// The vertical bars of the chart, 28 wide each and 174 high.
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
        /// The top and height of the confirmed part.
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
        // Only the day: what the neighbor asked for isn't the helper's data.
        for day in needs {
            sheet.add([
                .text(day.iso), .words("Need of a neighbor met"), .text(""), .text(""), .decimal(""), .decimal(""),
                .decimal(""), .text(""), .text("1"),
            ])
        }
        return sheet
    }

    /// The newest entries, for the page.
    var latest: ArraySlice<Contribution> { entries.prefix(50) }

    /// A year in the language's format.
    static func name(_ year: Int) -> Words { Day(year: year, month: 1, day: 1)?.yearName ?? Words(number: year) }

    static func link(_ year: Int?) -> Link { Link.impact.with("year", year.map { "\($0)" } ?? "all") }
}

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

/// `/impact`: the results of a member's help.
struct ImpactPage: Sendable {
    let impact: Impact
    /// Sign-ups for which hours can be reported.
    let unsaid: Page<Signup>
    let ahead: Page<Signup>
    let promises: Page<Promise>
    let certificates: Page<Certificate>
    /// The total number of kind acts.
    let acts: Int
    /// The years with confirmed hours.
    let certifiable: [Int]
    var map: MapDrawing?

    /// The page of the shown year, from which each list continues.
    private var here: Link { Link.impact.with("year", impact.year.map { "\($0)" } ?? "all") }
    var moreUnsaid: Link? { unsaid.more(at: here, .unsaid) }
    var moreAhead: Link? { ahead.more(at: here, .ahead) }
    var morePromises: Link? { promises.more(at: here, .promised) }
    var moreCertificates: Link? { certificates.more(at: here, .certificates) }
    /// Those with a shift; others are listed where their hours are reported.
    var shifts: [Signup] { ahead.items.filter { $0.shift != nil } }
}
