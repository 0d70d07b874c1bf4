/// One thing that a foreign calendar says happens at one time.
struct ImportedEntry: Sendable, Hashable {
    /// As it was written; nil if the calendar has none.
    var uid: String?
    /// Which one of a repeated entry it is: its original start in UTC, `20261130T180000Z`, or `20261130` for one of
    /// whole days; nil of an entry that stands alone.
    var occurrence: String?
    var title: String
    /// Plain paragraphs.
    var text: String
    /// As it was written, in one line.
    var place: String?
    /// A web address.
    var link: String?
    var tags: [String]
    var start: Instant
    /// The midnight behind the last day, for whole days; the start, where no end was said.
    var end: Instant
    var isAllDay: Bool
    var zone: Zone
    var isCanceled: Bool
}

/// What is wrong with a foreign calendar, or with one of its entries.
enum ImportProblem: Error, Sendable, Hashable {
    case notACalendar
    case tooLarge
    /// It has more than are read: the first so many are.
    case tooMany(limit: Int)
    /// An entry that was left out, which begins about that line.
    case unreadable(line: Int, entry: String?, why: Why)

    /// Why an entry was left out.
    enum Why: Sendable, Hashable {
        case noTitle
        case noStart
        case badTime
        /// A time zone that nobody knows and the calendar doesn't describe.
        case unknownZone(String)
        /// Repeated in a way that isn't read.
        case badRule
        case endsBeforeStart
        /// Marked as private by those who wrote it.
        case notPublic
    }
}

/// What a foreign calendar says, sorted by start.
struct ImportedCalendar: Sendable {
    /// What it calls itself.
    var name: String?
    var entries: [ImportedEntry]
    var problems: [ImportProblem]

    /// A file of more bytes isn't read.
    static let mostBytes = 5 << 20
    /// So many entries are read.
    static let mostEntries = 2_000
    /// So many problems are told.
    static let mostProblems = 500
}

extension ImportedCalendar {
    /// Reads iCalendar (RFC 5545) as programs write it.
    ///
    /// - Parameters:
    ///   - zone: The one of times without a zone and of whole days.
    ///   - span: Only what ends after its beginning and starts before its end is read.
    /// - Throws: What keeps all of it from being read; of a single entry that can't be, `problems` tells.
    init(iCalendar bytes: some Collection<UInt8>, zone: Zone, span: Range<Instant>) throws(ImportProblem) {
        guard bytes.count <= Self.mostBytes else { throw .tooLarge }
        var reader = CalendarReader(zone: zone, span: span)
        self = try reader.read(Array(bytes)).bounded()
    }

    /// Reads a table with a header (CSV, or with semicolons or tabs) whose columns are called in English, Spanish or
    /// German.
    ///
    /// - Parameters:
    ///   - zone: The one of its times.
    ///   - country: Where dates are written so.
    ///   - span: Only what ends after its beginning and starts before its end is read.
    /// - Throws: What keeps all of it from being read; of a single row that can't be, `problems` tells.
    init(
        sheet bytes: some Collection<UInt8>, zone: Zone, country: String, span: Range<Instant>
    ) throws(ImportProblem) {
        guard bytes.count <= Self.mostBytes else { throw .tooLarge }
        let reader = SheetReader(zone: zone, country: country, span: span)
        self = try reader.read(Array(bytes)).bounded()
    }

    /// Sorted, and no more than are taken.
    private func bounded() -> ImportedCalendar {
        var calendar = self
        calendar.entries.sort { a, b in
            (a.start.milliseconds, a.end.milliseconds, a.title, a.uid ?? "", a.occurrence ?? "")
                < (b.start.milliseconds, b.end.milliseconds, b.title, b.uid ?? "", b.occurrence ?? "")
        }
        let tooMany = ImportProblem.tooMany(limit: Self.mostEntries)
        let isCut = calendar.problems.contains(tooMany) || calendar.entries.count > Self.mostEntries
        calendar.problems = Array(calendar.problems.filter { $0 != tooMany }.prefix(Self.mostProblems))
        calendar.entries = Array(calendar.entries.prefix(Self.mostEntries))
        if isCut { calendar.problems.append(tooMany) }
        return calendar
    }
}

extension ImportedCalendar {
    /// What makes entries of several days one exhibition.
    private struct Show: Hashable {
        let title: String
        let place: String
        let zone: Zone
        let isAllDay: Bool
        let starts: TimeOfDay
        /// Milliseconds.
        let length: Int64
    }

    /// What is on for fewer hours of a day is no exhibition: five story times in a week stay five.
    private static let shortest: Int64 = 4 * 3_600_000

    /// The same, but what is on for the same long hours of five days in a row, or for as many whole days, with one
    /// title at one place, is one entry that lasts from the first day to come to the last.
    ///
    /// What is on for longer than an event lasts is several, parted on the same days whenever it is read; the last of
    /// them comes once all of it is in what was read. Each has the UID and the `occurrence` of its first day, also
    /// where that is over.
    ///
    /// - Parameter end: How far it was read.
    func joiningExhibitions(at now: Instant, until end: Instant) -> ImportedCalendar {
        var shows: [Show: [Int]] = [:]
        for (index, entry) in entries.enumerated() where !entry.isCanceled {
            let length = entry.end.milliseconds - entry.start.milliseconds
            // Whole days are up to 25 hours long, where clocks are set.
            guard length <= (entry.isAllDay ? 25 : 24) * 3_600_000, entry.isAllDay || length >= Self.shortest else {
                continue
            }
            let show = Show(
                title: folded(entry.title), place: folded(entry.place ?? ""), zone: entry.zone,
                isAllDay: entry.isAllDay, starts: entry.zone.local(entry.start).time,
                length: entry.isAllDay ? 0 : length)
            shows[show, default: []].append(index)
        }
        // What is beyond as many entries as are read was cut off.
        let isCut = entries.count >= Self.mostEntries
        let horizon = isCut ? entries.last.map { min($0.start, end) } ?? end : end
        var gone: Set<Int> = []
        var lasting: [Int: ImportedEntry] = [:]
        for indices in shows.values where indices.count >= 5 {
            let days = indices.map { (index: $0, number: entries[$0].zone.day(of: entries[$0].start).number) }.sorted {
                ($0.number, $0.index) < ($1.number, $1.index)
            }
            for row in Self.rows(days, by: { $1.number - $0.number <= 1 }) {
                guard let first = row.first, let last = row.last, last.number - first.number >= 4 else { continue }
                gone.formUnion(row.map(\.index))
                guard last.number - first.number >= EventTimes.mostDays else {
                    lasting[first.index] = whole(row.map(\.index), at: now)
                    continue
                }
                func part(_ number: Int) -> Int { number / EventTimes.mostDays }
                for some in Self.rows(row, by: { part($0.number) == part($1.number) }) {
                    let behind = Day(number: (part(some[0].number) + 1) * EventTimes.mostDays)
                    guard entries[some[0].index].zone.instant(behind, .midnight) <= horizon else { continue }
                    lasting[some[0].index] = whole(some.map(\.index), at: now)
                }
            }
        }
        var joined = self
        joined.entries = entries.enumerated().compactMap { index, entry in
            gone.contains(index) ? lasting[index] : entry
        }
        return joined
    }

    /// Parts a list where two neighbors don't belong together.
    private static func rows<T>(_ list: [T], by belong: (T, T) -> Bool) -> [[T]] {
        var rows: [[T]] = []
        for item in list {
            if let last = rows.last?.last, belong(last, item) {
                rows[rows.count - 1].append(item)
            } else {
                rows.append([item])
            }
        }
        return rows
    }

    /// The days of an exhibition as one entry.
    private func whole(_ days: [Int], at now: Instant) -> ImportedEntry {
        var show = entries[days[0]]
        show.start = entries[days.first { entries[$0].start > now } ?? days[days.count - 1]].start
        show.end = entries[days[days.count - 1]].end
        return show
    }
}
