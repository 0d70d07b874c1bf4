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
        calendar.problems = Array(calendar.problems.prefix(Self.mostProblems))
        if calendar.entries.count > Self.mostEntries {
            calendar.entries.removeLast(calendar.entries.count - Self.mostEntries)
            calendar.problems.append(.tooMany(limit: Self.mostEntries))
        }
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

    /// The same, but what is on at the same times of five days in a row, or for as many whole days, with one title at
    /// one place, is one entry that lasts from the first to the last.
    ///
    /// It has the UID of the first. Its `occurrence` is nil, but where a UID has several such rows: there the later
    /// ones keep the `occurrence` of their first day, so that no two entries are one.
    func joiningExhibitions() -> ImportedCalendar {
        var shows: [Show: [Int]] = [:]
        for (index, entry) in entries.enumerated() where !entry.isCanceled {
            let length = entry.end.milliseconds - entry.start.milliseconds
            // Whole days are up to 25 hours long, where clocks are set.
            guard length <= (entry.isAllDay ? 25 : 24) * 3_600_000 else { continue }
            let show = Show(
                title: folded(entry.title), place: folded(entry.place ?? ""), zone: entry.zone,
                isAllDay: entry.isAllDay, starts: entry.zone.local(entry.start).time,
                length: entry.isAllDay ? 0 : length)
            shows[show, default: []].append(index)
        }
        var gone: Set<Int> = []
        var lasting: [Int: Int] = [:]
        for indices in shows.values where indices.count >= 5 {
            let days = indices.map { entries[$0].zone.day(of: entries[$0].start).number }
            let order = days.indices.sorted { (days[$0], indices[$0]) < (days[$1], indices[$1]) }
            var row: [Int] = []
            func close() {
                guard let first = row.first, let last = row.last, days[last] - days[first] >= 4 else { return }
                lasting[indices[first]] = indices[last]
                gone.formUnion(row.dropFirst().map { indices[$0] })
            }
            for place in order {
                if let last = row.last, days[place] - days[last] > 1 {
                    close()
                    row = []
                }
                row.append(place)
            }
            close()
        }
        var joined = self
        var seen: Set<String> = []
        joined.entries = entries.enumerated().compactMap { index, entry in
            guard !gone.contains(index) else { return nil }
            guard let last = lasting[index] else { return entry }
            var show = entry
            show.end = entries[last].end
            if entry.uid.map({ seen.insert($0).inserted }) ?? true { show.occurrence = nil }
            return show
        }
        return joined
    }
}
