import Forms
import Templating

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
