/// An entry of an external calendar, at one time.
struct ImportedEntry: Sendable, Hashable {
    /// As written; nil if there is none.
    var uid: String?
    /// Identifies an occurrence of a repeated entry: its original start in UTC, `20261130T180000Z`, or `20261130` for
    /// an all-day entry; nil for a single entry.
    var occurrence: String?
    var title: String
    /// Plain paragraphs.
    var text: String
    /// As written, on one line.
    var place: String?
    /// A web address.
    var link: String?
    var tags: [String]
    var start: Instant
    /// For all-day entries the midnight after the last day; the start if there is no end.
    var end: Instant
    var isAllDay: Bool
    var zone: Zone
    var isCanceled: Bool
}

/// A problem with an external calendar or one of its entries.
enum ImportProblem: Error, Sendable, Hashable {
    case notACalendar
    case tooLarge
    /// It has more entries than are read.
    case tooMany(limit: Int)
    /// An entry near that line was left out.
    case unreadable(line: Int, entry: String?, why: Why)

    /// Why an entry was left out.
    enum Why: Sendable, Hashable {
        case noTitle
        case noStart
        case badTime
        /// A time zone that is unknown and not described.
        case unknownZone(String)
        /// A repetition rule that isn't supported.
        case badRule
        case endsBeforeStart
        /// Marked as private by its authors.
        case notPublic
    }
}

/// An external calendar's entries, sorted by start.
struct ImportedCalendar: Sendable {
    /// Its own name.
    var name: String?
    var entries: [ImportedEntry]
    var problems: [ImportProblem]

    /// The largest file read.
    static let mostBytes = 5 << 20
    /// The most entries read.
    static let mostEntries = 2_000
    /// The most problems reported.
    static let mostProblems = 500
}

extension ImportedCalendar {
    /// Parses iCalendar (RFC 5545).
    ///
    /// - Parameters:
    ///   - zone: The zone for times without one and for all-day entries.
    ///   - span: Entries outside of this period are skipped.
    /// - Throws: Problems that make the whole file unreadable; `problems` contains those of single entries.
    init(iCalendar bytes: some Collection<UInt8>, zone: Zone, span: Range<Instant>) throws(ImportProblem) {
        guard bytes.count <= Self.mostBytes else { throw .tooLarge }
        var reader = CalendarReader(zone: zone, span: span)
        self = try reader.read(Array(bytes)).bounded()
    }

    /// Parses a table with a header (CSV, or with semicolons or tabs) and column names in English, Spanish or German.
    ///
    /// - Parameters:
    ///   - zone: The zone of its times.
    ///   - country: The country whose date format applies.
    ///   - span: Entries outside of this period are skipped.
    /// - Throws: Problems that make the whole file unreadable; `problems` contains those of single rows.
    init(sheet bytes: some Collection<UInt8>, zone: Zone, country: String, span: Range<Instant>) throws(ImportProblem) {
        guard bytes.count <= Self.mostBytes else { throw .tooLarge }
        let reader = SheetReader(zone: zone, country: country, span: span)
        self = try reader.read(Array(bytes)).bounded()
    }

    /// Sorted, and limited to the maximum number.
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
    /// The properties by which daily entries form an exhibition.
    private struct Show: Hashable {
        let title: String
        let place: String
        let zone: Zone
        let isAllDay: Bool
        let starts: TimeOfDay
        /// In milliseconds.
        let length: Int64
    }

    /// The most days that are joined: an event may last longer, but each part has to be read as a whole, in each
    /// reading.
    static let mostJoined = 31

    /// The minimum hours per day of an exhibition: five story times in a week remain five events.
    private static let shortest: Int64 = 4 * 3_600_000

    /// The calendar with exhibitions joined: entries with the same long hours on five consecutive days, or as many
    /// whole days, with one title and place, become one entry from the first upcoming day to the last.
    ///
    /// An exhibition of more days than `mostJoined` is divided into several, on the same days in each reading; the last
    /// one is added once it has been read completely. Each has the UID and `occurrence` of its first day, even if that
    /// is over.
    ///
    /// - Parameter end: The end of the period that was read.
    func joiningExhibitions(at now: Instant, until end: Instant) -> ImportedCalendar {
        var shows: [Show: [Int]] = [:]
        for (index, entry) in entries.enumerated() where !entry.isCanceled {
            let length = entry.end.milliseconds - entry.start.milliseconds
            // A whole day can have 25 hours when clocks are changed.
            guard length <= (entry.isAllDay ? 25 : 24) * 3_600_000, entry.isAllDay || length >= Self.shortest else {
                continue
            }
            let show = Show(
                title: folded(entry.title), place: folded(entry.place ?? ""), zone: entry.zone,
                isAllDay: entry.isAllDay, starts: entry.zone.local(entry.start).time,
                length: entry.isAllDay ? 0 : length)
            shows[show, default: []].append(index)
        }
        // If the maximum number was read, the rest was cut off.
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
                guard last.number - first.number >= Self.mostJoined else {
                    lasting[first.index] = whole(row.map(\.index), at: now)
                    continue
                }
                func part(_ number: Int) -> Int { number / Self.mostJoined }
                for some in Self.rows(row, by: { part($0.number) == part($1.number) }) {
                    let behind = Day(number: (part(some[0].number) + 1) * Self.mostJoined)
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

    /// Splits a list where two neighbors don't belong together.
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

    /// An exhibition's days as one entry.
    private func whole(_ days: [Int], at now: Instant) -> ImportedEntry {
        var show = entries[days[0]]
        show.start = entries[days.first { entries[$0].start > now } ?? days[days.count - 1]].start
        show.end = entries[days[days.count - 1]].end
        return show
    }
}
