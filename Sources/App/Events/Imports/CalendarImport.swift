import Forms
import FoundationEssentials
import Templating

/// An organization's external calendar of events, at an address or as an uploaded file.
struct CalendarImport: Sendable {
    let id: ID<CalendarImport>
    let host: ID<Account>
    /// The organization's name for it.
    let name: String
    /// Empty for an uploaded file.
    let address: String
    /// The common settings of its events: see `ImportForm`.
    let settings: String
    /// Whether new events are published without asking; nil until the first decision.
    let publishes: Bool?
    /// The server's validators from the last reading, as JSON.
    var validators: String
    let readAt: Instant?
    /// When it was last read completely.
    let wholeAt: Instant?
    /// When it is to be read next; nil if it isn't read at night.
    let dueAt: Instant?
    /// In how many consecutive nights it couldn't be read, and why.
    let failed: Int
    let problem: String
    /// The unreadable parts, a line each.
    let unreadable: String
    /// Since when so many entries have been missing that nothing is canceled.
    let suspectedOn: Day?
    /// Whether its organization confirmed the removals.
    let isBelieved: Bool

    var isFile: Bool { address.isEmpty }
    /// Identifies the last reading, as a form's value.
    var reading: String { wholeAt.map { "\($0.milliseconds)" } ?? "" }
    var link: Link { .calendarImport(id) }
    /// The calendar to request: once a week without validators, because each day more of the repeated entries come into
    /// range.
    func asked(at now: Instant) -> CalendarImport {
        wholeAt.map { $0 > now - Self.wholeAgain } ?? false ? self : forgettingValidators
    }
    /// The calendar without the server's validators.
    var forgettingValidators: CalendarImport {
        var item = self
        item.validators = ""
        return item
    }
    var unreadableLines: [String] { unreadable.split(separator: "\n").map(String.init) }

    /// The most per organization.
    static let most = 10
    /// The most events published in one transaction.
    static let batch = 50
    /// After how many failed nights its organization is notified, and after how many it is given up.
    static let patience = 3
    static let longestPatience = 30
    /// The period to read: far enough back to include events that last weeks.
    static func span(at now: Instant) -> Range<Instant> { now - .days(ImportedCalendar.mostJoined)..<now + .days(365) }
    /// After how long it is read completely even if unchanged.
    static let wholeAgain = Duration.days(7)
    /// How long an entry is remembered after its end.
    static let memory = Duration.days(60)

    /// The time of the next reading: the coming night, at a different minute for each.
    static func due(after now: Instant, in zone: Zone, _ id: ID<CalendarImport>) -> Instant {
        let minutes = Int(id.rawValue % 180)
        let time = TimeOfDay(minutes: 120 + minutes) ?? .midnight
        let today = zone.instant(zone.day(of: now), time)
        return today > now + .hours(1) ? today : zone.instant(zone.day(of: now).advanced(by: 1), time)
    }
}

extension ImportContent {
    /// The stored form.
    var kept: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    init?(kept: String) {
        guard !kept.isEmpty, let content = try? JSONDecoder().decode(ImportContent.self, from: Data(kept.utf8)) else {
            return nil
        }
        self = content
    }
}

/// News about an organization's calendars.
struct ImportNews: TitledNews {
    let what: What
    let about: ID<CalendarImport>
    /// The title of a removed entry, or the calendar's name.
    let title: String

    enum What: String, Sendable, CaseIterable {
        /// Entries were removed from the calendar and will be canceled. If there are several, their number precedes the
        /// calendar's name.
        case gone, severalGone
        /// So many entries are missing that nothing is canceled.
        case suspicious
        /// It can't be read.
        case failing
        /// It is no longer read.
        case stopped
    }

    init(_ what: What, _ about: ID<CalendarImport>, _ title: String) {
        self.what = what
        self.about = about
        self.title = title
    }

    /// The news about removed entries: the title of one, or the number of several.
    static func gone(_ titles: [String], from item: CalendarImport) -> ImportNews? {
        guard let first = titles.first else { return nil }
        return titles.count == 1
            ? ImportNews(.gone, item.id, first)
            : ImportNews(.severalGone, item.id, "\(titles.count) \(item.name)")
    }

    private var several: (count: Int, calendar: String) {
        let parts = title.split(separator: " ", maxSplits: 1).map(String.init)
        return (parts.first.flatMap { Int($0) } ?? 0, parts.count == 2 ? parts[1] : "")
    }

    var kind: NoticeKind { .imported }
    var link: Link { .calendarImport(about) }
    var icon: Icon { .calendar }

    var words: Words {
        switch what {
        case .gone: "No longer in the calendar: \(title, as: "title")"
        case .severalGone:
            Words(
                "{count} event is no longer in the calendar \(several.calendar, as: "calendar")",
                plural: "{count} events are no longer in the calendar \(several.calendar, as: "calendar")",
                count: several.count)
        case .suspicious: "A lot is gone from the calendar \(title, as: "calendar")"
        case .failing: "The calendar \(title, as: "calendar") can’t be read"
        case .stopped: "The calendar \(title, as: "calendar") isn’t read anymore"
        }
    }

    var more: Words {
        switch what {
        case .gone: "It will be called off tomorrow unless you keep it."
        case .severalGone: "They will be called off tomorrow, but for those that you keep."
        case .suspicious: "Nothing was called off. Have a look, and say whether that is meant."
        case .failing: "What was read before stays. Have a look at its address."
        case .stopped: "It couldn’t be read for a month. What was read before stays."
        }
    }
}

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
