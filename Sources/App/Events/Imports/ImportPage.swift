import Forms
import Templating

/// `/me/imports`: an organization's calendars.
struct ImportList: Sendable {
    let organization: String
    let imports: [CalendarImport]
    let zone: Zone
    /// Whether an admin allowed any hosts.
    let mayRead: Bool

    var isFull: Bool { imports.count >= CalendarImport.most }

    func moment(_ item: CalendarImport) -> Words? { item.readAt.map { zone.words($0, \.shortName) } }
}

/// `/me/imports/{id}`: a calendar's entries, and the effects of importing them.
struct ImportPage: Sendable {
    let item: CalendarImport
    let zone: Zone
    let fresh: [Line]
    let changed: [Line]
    let off: [Line]
    let gone: [Line]
    let refused: [Line]
    let leftOut: [Line]
    /// The number of unchanged entries.
    let same: Int
    /// The number of entries of each kind that aren't shown.
    let hidden: Int
    /// The number of new entries per year.
    let freshByYear: [Int: Int]
    /// The plan's usage in these years.
    var uses: [Plan.Use] = []
    /// The usual address, at which new entries are shown if the calendar only names their place.
    let usual: Words
    /// Those names.
    let onlyNamed: [String]

    /// An entry, and its effect.
    struct Line: Sendable {
        let id: ID<ImportEntry>
        let title: String
        let when: Words
        var event: ID<Event>?
        var place = ""
        /// Why it can't become an event.
        var reason = ""
        /// The changes, with values before and after.
        var changes: [(name: Words, before: Words, now: Words)] = []
        /// Whether it will be canceled in the coming night.
        var isWarned = false

        /// The form's value.
        var number: String { id.description }
        var eventLink: Link? { event.map { Link.event($0) } }
    }

    /// How many of each kind are shown.
    static let shown = 200
    /// The most of those names that are listed.
    private static let mostNamed = 20

    /// - Parameter used: The places of the organization's events.
    init(_ item: CalendarImport, _ entries: [ImportEntry], beside used: [Place], in zone: Zone, at now: Instant) {
        (self.item, self.zone) = (item, zone)
        let form = ImportForm(kept: item.settings)
        let places = form.places(beside: used)
        let said = Set(entries.filter { $0.isReady(at: now) }.map(\.says.place))
        let named = said.sorted().lazy.filter { form.isOnlyNamed($0, among: places) }
        (usual, onlyNamed) = (form.address.words, Array(named.prefix(Self.mostNamed)))
        var (fresh, changed, off, gone): ([Line], [Line], [Line], [Line]) = ([], [], [], [])
        var (refused, leftOut): ([Line], [Line]) = ([], [])
        var same = 0
        var years: [Int: Int] = [:]
        for entry in entries.sorted(by: { ($0.says.start, $0.id) < ($1.says.start, $1.id) }) {
            var line = Line(entry, in: zone)
            if !entry.refused.isEmpty, entry.isNew(at: now) || entry.isChanged(at: now) {
                line.reason = entry.refused
                refused.append(line)
            } else if entry.isNew(at: now) {
                fresh.append(line)
                years[zone.day(of: max(entry.says.startsAt, now)).year, default: 0] += 1
            } else if entry.isChanged(at: now) {
                line.changes = entry.taken.map { Self.changes(from: $0, to: entry.says, in: zone) } ?? []
                changed.append(line)
            } else if entry.isToCallOff(at: now) {
                off.append(line)
            } else if entry.isGone(at: now) {
                line.isWarned = entry.warnedAt != nil
                gone.append(line)
            } else if entry.isLeftOut, entry.event == nil, entry.taken == nil, entry.says.isToCome(at: now) {
                leftOut.append(line)
            } else if entry.event != nil {
                same += 1
            }
        }
        self.same = same
        freshByYear = years
        hidden = [fresh, changed, off, gone, refused, leftOut].reduce(0) { $0 + max(0, $1.count - Self.shown) }
        func first(_ lines: [Line]) -> [Line] { Array(lines.prefix(Self.shown)) }
        (self.fresh, self.changed, self.off) = (first(fresh), first(changed), first(off))
        (self.gone, self.refused, self.leftOut) = (first(gone), first(refused), first(leftOut))
    }

    /// Entries rejected for the same reason.
    struct Refused: Sendable {
        /// The reason; empty if each has its own.
        let reason: String
        let lines: [Line]
        /// Their number.
        var count: Words { Words("{count} entry", plural: "{count} entries", count: lines.count) }
    }

    /// The rejected entries: common reasons are grouped, and come first.
    var refusals: [Refused] {
        let common = Dictionary(grouping: refused, by: \.reason).filter { $1.count > 1 }
        let groups = common.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map { reason, lines in
            Refused(
                reason: reason,
                lines: lines.map { line in
                    var line = line
                    line.reason = ""
                    return line
                })
        }
        let others = refused.filter { common[$0.reason] == nil }
        return others.isEmpty ? groups : groups + [Refused(reason: "", lines: others)]
    }

    var freshCount: Int { freshByYear.values.reduce(0, +) }
    var newCount: Words {
        Words("{count} entry is new.", plural: "{count} entries are new.", count: freshCount)
    }
    /// Warnings about years in which the plan has no room for all new events.
    var room: [Words] {
        uses.filter { freshByYear[$0.year, default: 0] > $0.left }.map { use in
            Words(
                "Your plan has room for {count} more event in \(use.yearName, as: "year").",
                plural: "Your plan has room for {count} more events in \(use.yearName, as: "year").", count: use.left)
        }
    }

    var hasWork: Bool { !fresh.isEmpty || !changed.isEmpty || !off.isEmpty }
    var readAt: Words? { item.readAt.map { zone.words($0, \.shortName) } }
    var sameCount: Words {
        Words("{count} entry is as it was", plural: "{count} entries are as they were", count: same)
    }
    var hiddenCount: Words {
        Words(
            "{count} more entry isn’t shown here", plural: "{count} more entries aren’t shown here", count: hidden)
    }

    private static func changes(
        from old: ImportContent, to new: ImportContent, in zone: Zone
    ) -> [(name: Words, before: Words, now: Words)] {
        var changes: [(name: Words, before: Words, now: Words)] = []
        func add(_ name: Words, _ before: Words, _ now: Words) { changes.append((name, before, now)) }
        if old.title != new.title { add("Title", Words(verbatim: old.title), Words(verbatim: new.title)) }
        if (old.start, old.end, old.isAllDay) != (new.start, new.end, new.isAllDay) {
            add("Time", old.when(in: zone), new.when(in: zone))
        }
        if old.place != new.place { add("Place", Words(verbatim: old.place), Words(verbatim: new.place)) }
        if (old.text, old.link) != (new.text, new.link) {
            add("Text", Words(verbatim: Event.synopsis(of: old.text)), Words(verbatim: Event.synopsis(of: new.text)))
        }
        if old.tags != new.tags {
            add(
                "Tags", Words(verbatim: old.tags.joined(separator: ", ")),
                Words(verbatim: new.tags.joined(separator: ", ")))
        }
        return changes
    }
}

extension ImportPage.Line {
    fileprivate init(_ entry: ImportEntry, in zone: Zone) {
        self.init(
            id: entry.id, title: entry.says.title, when: entry.says.when(in: zone), event: entry.event,
            place: entry.says.place)
    }
}

extension ImportContent {
    /// Day and times for a list.
    func when(in zone: Zone) -> Words {
        if isAllDay {
            let own = Zone(stored: self.zone)
            let (first, last) = (own.day(of: startsAt), own.day(of: endsAt - .seconds(1)))
            guard last > first else { return first.fullName }
            return "\(first.fullName, as: "first") to \(last.fullName, as: "last")"
        }
        let (from, to) = (zone.local(startsAt), zone.local(endsAt))
        let isNext = to.day == from.day.advanced(by: 1) && to.time <= from.time
        let time = EventTimes.words(
            from: from.time, to: end > start ? to.time : nil, until: to.day > from.day && !isNext ? to.day : nil,
            of: from.day)
        return "\(from.day.fullName, as: "day"), \(time, as: "time")"
    }
}
