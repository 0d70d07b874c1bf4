import Forms
import FoundationEssentials
import Templating

/// A calendar that an organization has its events in elsewhere: at an address, or brought as a file.
struct CalendarImport: Sendable {
    let id: ID<CalendarImport>
    let host: ID<Account>
    /// What the organization calls it.
    let name: String
    /// Empty of one that is brought as a file.
    let address: String
    /// What holds for all its events: see `ImportForm`.
    let settings: String
    /// Whether what is new is published without asking; nil until the first press.
    let publishes: Bool?
    /// What the server said of it the last time, as JSON.
    var validators: String
    let readAt: Instant?
    /// When all of it was read the last time.
    let wholeAt: Instant?
    /// When it is read next; nil of one that isn't read at night.
    let dueAt: Instant?
    /// How many nights in a row it couldn't be read, and why.
    let failed: Int
    let problem: String
    /// What in it can't be read, a line each.
    let unreadable: String
    /// Since when so much is gone from it that nothing is called off.
    let suspectedOn: Day?
    /// Whether its organization said that what is gone is meant to be.
    let isBelieved: Bool

    var isFile: Bool { address.isEmpty }
    /// Which reading of it is the last one, as a form sends it.
    var reading: String { wholeAt.map { "\($0.milliseconds)" } ?? "" }
    var link: Link { .calendarImport(id) }
    /// What is asked for: all of it each week, since with each day there is more of what is repeated to be read.
    func asked(at now: Instant) -> CalendarImport {
        wholeAt.map { $0 > now - Self.wholeAgain } ?? false ? self : forgettingValidators
    }
    /// The same, of which nobody knows what its server said the last time.
    var forgettingValidators: CalendarImport {
        var item = self
        item.validators = ""
        return item
    }
    var unreadableLines: [String] { unreadable.split(separator: "\n").map(String.init) }

    /// How many an organization has at most.
    static let most = 10
    /// How many events are published in one transaction.
    static let batch = 50
    /// After how many nights its organization is told that it can't be read, and after how many it is given up.
    static let patience = 3
    static let longestPatience = 30
    /// How far back it is read, so that what lasts weeks is whole, and how far ahead.
    static func span(at now: Instant) -> Range<Instant> { now - .days(EventTimes.mostDays)..<now + .days(365) }
    /// After how long it is read whole, though it is as it was.
    static let wholeAgain = Duration.days(7)
    /// How long an entry is remembered after it ended.
    static let memory = Duration.days(60)

    /// When it is read next: in the night to come, each at a minute of its own.
    static func due(after now: Instant, in zone: Zone, _ id: ID<CalendarImport>) -> Instant {
        let minutes = Int(id.rawValue % 180)
        let time = TimeOfDay(minutes: 120 + minutes) ?? .midnight
        let today = zone.instant(zone.day(of: now), time)
        return today > now + .hours(1) ? today : zone.instant(zone.day(of: now).advanced(by: 1), time)
    }

    /// The host in an address, as those that an admin allowed are written; nil of one that names none.
    static func host(of address: String) -> String? {
        let address = httpAddress(address)
        guard let origin = Town.origin(address), let start = origin.firstRange(of: "://") else { return nil }
        return String(origin[start.upperBound...].prefix { $0 != ":" })
    }

    /// The address with the scheme that it is fetched by: `webcal:` is what links to calendars say.
    static func httpAddress(_ typed: String) -> String {
        let typed = typed.filter { !$0.isWhitespace }
        guard typed.lowercased().hasPrefix("webcal:") else { return typed }
        return "https:" + typed.dropFirst("webcal:".count)
    }
}

extension ImportContent {
    /// As it is kept.
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

/// What an organization is told about its calendars.
struct ImportNews: TitledNews {
    let what: What
    let about: ID<CalendarImport>
    /// What is gone from the calendar, or the name of the calendar.
    let title: String

    enum What: String, Sendable, CaseIterable {
        /// Gone from the calendar: it will be called off. Of several, how many they are stands before its name.
        case gone, severalGone
        /// So much is gone that nothing is called off.
        case suspicious
        /// It can't be read.
        case failing
        /// It isn't read anymore.
        case stopped
    }

    init(_ what: What, _ about: ID<CalendarImport>, _ title: String) {
        self.what = what
        self.about = about
        self.title = title
    }

    /// Tells of those that are gone: of one by its title, of several by their number.
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

    var words: Words {
        switch what {
        case .gone: "No longer in the calendar: \(title, as: "title")"
        case .severalGone:
            Words(
                "{count} event is no longer in the calendar \(several.calendar, as: "calendar")",
                plural: "{count} events are no longer in the calendar \(several.calendar, as: "calendar")",
                count: several.count)
        case .suspicious: "Much is gone from the calendar \(title, as: "calendar")"
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

    var letter: LetterText {
        LetterText(
            subject: words, heading: words, lines: [more],
            action: LetterText.Action(name: "Have a look", link: link))
    }
}

/// `/me/imports`: the calendars of an organization.
struct ImportList: Sendable {
    let organization: String
    let imports: [CalendarImport]
    let zone: Zone
    /// Whether an admin named hosts that calendars may be read from.
    let mayRead: Bool

    var isFull: Bool { imports.count >= CalendarImport.most }

    func moment(_ item: CalendarImport) -> Words? { item.readAt.map { zone.words($0, \.shortName) } }
}

/// `/me/imports/{id}`: what a calendar says, and what would become of it.
struct ImportPage: Sendable {
    let item: CalendarImport
    let zone: Zone
    let fresh: [Line]
    let changed: [Line]
    let off: [Line]
    let gone: [Line]
    let refused: [Line]
    let leftOut: [Line]
    /// How many are as they were.
    let same: Int
    /// How many of each kind there are beside those that are shown.
    let hidden: Int
    /// How many are new, by the year they are in.
    let freshByYear: [Int: Int]
    /// What is used of the plan in those years.
    var uses: [Plan.Use] = []

    /// An entry, and what it would change.
    struct Line: Sendable {
        let id: ID<ImportEntry>
        let title: String
        let when: Words
        var event: ID<Event>?
        var place = ""
        /// Why it can't be an event.
        var reason = ""
        /// What changes, from what to what.
        var changes: [(name: Words, before: Words, now: Words)] = []
        /// Whether it will be called off in the night to come.
        var isWarned = false

        /// As a form sends it.
        var number: String { id.description }
        var eventLink: Link? { event.map { Link.event($0) } }
    }

    /// How many of each kind are shown.
    static let shown = 200

    init(_ item: CalendarImport, _ entries: [ImportEntry], in zone: Zone, at now: Instant) {
        (self.item, self.zone) = (item, zone)
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
                years[zone.day(of: entry.says.startsAt).year, default: 0] += 1
            } else if entry.isChanged(at: now) {
                line.changes = entry.taken.map { Self.changes(from: $0, to: entry.says, in: zone) } ?? []
                changed.append(line)
            } else if entry.isToCallOff(at: now) {
                off.append(line)
            } else if entry.isGone(at: now) {
                line.isWarned = entry.warnedAt != nil
                gone.append(line)
            } else if entry.isLeftOut, entry.event == nil, entry.taken == nil, entry.says.startsAt > now {
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

    /// What can't be events for one reason.
    struct Refused: Sendable {
        /// Why; empty where each says its own.
        let reason: String
        let lines: [Line]
        /// How many they are.
        var count: Words { Words("{count} entry", plural: "{count} entries", count: lines.count) }
    }

    /// What can't be events: a reason that several have is said once, and first.
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
    /// Said beforehand of years in which the plan has no room for all that is new.
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
    /// The day and the times, as a row says them.
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
            from: from.time, to: end > start ? to.time : nil, until: to.day > from.day && !isNext ? to.day : nil)
        return "\(from.day.fullName, as: "day"), \(time, as: "time")"
    }
}
