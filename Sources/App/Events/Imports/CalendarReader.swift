/// Reads another program's calendar (RFC 5545).
///
/// An unreadable entry doesn't stop the others. The work for a calendar is bounded by its size and by `budget`,
/// whatever its rules.
struct CalendarReader {
    /// The properties between BEGIN:VEVENT and its end.
    private struct RawEvent {
        let line: Int
        /// Whether the calendar as a whole cancels its entries.
        let isCalledOff: Bool
        var properties: [String: [ContentLine]] = [:]

        subscript(_ name: String) -> ContentLine? { properties[name]?.first }

        func all(_ name: String) -> [ContentLine] { properties[name] ?? [] }

        /// The version number.
        var version: Int { self["SEQUENCE"].flatMap { Int($0.text) } ?? 0 }
        var changed: String { (self["LAST-MODIFIED"] ?? self["DTSTAMP"])?.text ?? "" }
    }

    /// An entry's time, and its zone.
    private struct Timing {
        var day: Day
        var time: TimeOfDay
        var second: Int
        var isAllDay: Bool
        /// The zone in which it repeats, and the one in which it is shown.
        var zone: Zone
        var shown: Zone
        var length = CalendarLength(days: 0, seconds: 0)

        func start(on day: Day) -> Instant { zone.instant(day, time) + .seconds(second) }

        func end(on day: Day) -> Instant {
            zone.instant(day.advanced(by: length.days), time) + .seconds(second) + .seconds(length.seconds)
        }
    }

    /// An occurrence of a repeated entry.
    private struct Occurrence {
        let start: Instant
        let end: Instant
        /// Its day in the entry's zone.
        let day: Day
    }

    /// Why an entry can't be read.
    private struct Unreadable: Error {
        let why: ImportProblem.Why
        let line: Int
    }

    private enum Part {
        case outside, event, zone, onset, other
    }

    /// The properties of an entry to read.
    private static let names: Set<String> = [
        "UID", "SEQUENCE", "RECURRENCE-ID", "SUMMARY", "DESCRIPTION", "X-ALT-DESC", "LOCATION", "URL", "CATEGORIES",
        "STATUS", "CLASS", "DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "LAST-MODIFIED", "DTSTAMP",
        "X-MICROSOFT-CDO-ALLDAYEVENT", "X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT",
    ]
    /// Those that may occur several times.
    private static let lists: Set<String> = ["RRULE", "RDATE", "EXDATE", "CATEGORIES"]

    /// The most occurrences to read, of which the earliest are kept.
    private static let mostOccurrences = 20_000

    private let span: Range<Instant>
    private var zones: CalendarZones
    /// The number of steps allowed for rules and lists of days, over all entries.
    private var budget = 2_000_000
    private var name: String?
    private var events: [RawEvent] = []
    private var entries: [ImportedEntry] = []
    private var problems: [ImportProblem] = []
    /// The UIDs and occurrences of the entries so far.
    private var named: Set<[String]> = []

    init(zone: Zone, span: Range<Instant>) {
        // Times outside of the years 1 to 9999 have no date.
        let first = Zone.utc.instant(.distantPast, .midnight)
        let last = Zone.utc.instant(Day(number: 2_932_000), .midnight)
        let begin = min(max(span.lowerBound, first), last)
        self.span = begin..<min(max(span.upperBound, begin), last)
        zones = CalendarZones(fallback: zone, year: zone.day(of: begin).year)
    }

    // MARK: - The file

    mutating func read(_ bytes: [UInt8]) throws(ImportProblem) -> ImportedCalendar {
        guard collect(bytes) else { throw .notACalendar }
        var order: [String] = []
        var groups: [String: [RawEvent]] = [:]
        for event in events {
            guard let uid = self.uid(of: event) else {
                take([event])
                continue
            }
            if groups[uid] == nil { order.append(uid) }
            groups[uid, default: []].append(event)
        }
        events = []
        for uid in order { take(groups[uid] ?? []) }
        return ImportedCalendar(name: name, entries: entries, problems: problems)
    }

    /// Collects the file's components; false if it isn't a calendar.
    private mutating func collect(_ bytes: [UInt8]) -> Bool {
        var lines = CalendarLines(bytes)
        var isCalendar = false
        var isCalledOff = false
        var part = Part.outside
        /// How many components are open inside the current one, such as alarms.
        var depth = 0
        var event = RawEvent(line: 0, isCalledOff: false)
        var zone = ZoneDescription()
        while let line = lines.next() {
            switch (line.name, part) {
            case ("BEGIN", _):
                let component = Self.component(line)
                isCalendar = isCalendar || component == "VCALENDAR" || component == "VEVENT"
                switch (component, part) {
                case ("VEVENT", _), ("VCALENDAR", _):
                    // Its end may be missing.
                    if part == .event { events.append(event) }
                    if component == "VCALENDAR" { isCalledOff = false }
                    event = RawEvent(line: line.number, isCalledOff: isCalledOff)
                    part = component == "VEVENT" ? .event : .outside
                    depth = 0
                case (_, .event): depth += 1
                case ("VTIMEZONE", _):
                    part = .zone
                    zone = ZoneDescription()
                case ("STANDARD", .zone), ("DAYLIGHT", .zone), ("STANDARD", .onset), ("DAYLIGHT", .onset):
                    part = .onset
                    // The latest ones determine this year's.
                    if zone.onsets.count >= 200 { zone.onsets.removeFirst(100) }
                    zone.onsets.append(ZoneDescription.Onset(isDaylight: component == "DAYLIGHT"))
                default: part = .other
                }
            case ("END", .event):
                let component = Self.component(line)
                if component == "VEVENT" || component == "VCALENDAR" {
                    events.append(event)
                    part = .outside
                } else {
                    depth = max(0, depth - 1)
                }
            case ("END", .onset):
                part = .zone
                fallthrough
            case ("END", .zone):
                if Self.component(line) == "VTIMEZONE" {
                    zones.add(zone)
                    part = .outside
                }
            case ("END", _): part = .outside
            case (_, .event) where depth == 0 && Self.names.contains(line.name):
                if event.properties[line.name] == nil || Self.lists.contains(line.name) {
                    event.properties[line.name, default: []].append(line)
                }
            case ("TZID", .zone): zone.name = line.text
            case ("X-LIC-LOCATION", .zone): zone.location = line.text
            case (_, .onset): Self.read(line, into: &zone.onsets[zone.onsets.count - 1])
            case ("X-WR-CALNAME", .outside), ("NAME", .outside):
                let text = ForeignText.values(line.text, isList: false)[0]
                name = name ?? ForeignText.line(text, most: 120).nonEmpty
            case ("X-WR-TIMEZONE", .outside): zones.setOwn(line.text)
            case ("METHOD", .outside): isCalledOff = line.text.uppercased().hasPrefix("CANCEL")
            default: break
            }
        }
        if part == .event { events.append(event) }
        return isCalendar
    }

    private static func component(_ line: ContentLine) -> String {
        String(line.text.prefix(40)).uppercased().filter { !$0.isWhitespace }
    }

    private static func read(_ line: ContentLine, into onset: inout ZoneDescription.Onset) {
        switch line.name {
        case "DTSTART": onset.start = CalendarTime(line.text)
        case "TZOFFSETFROM": onset.from = CalendarTime.offset(line.text)
        case "TZOFFSETTO": onset.to = CalendarTime.offset(line.text)
        case "RRULE": onset.rule = RecurrenceRule(line.text)
        default: break
        }
    }

    // MARK: - One entry and its versions

    private func uid(of event: RawEvent) -> String? {
        event["UID"].flatMap { ForeignText.line(ForeignText.values($0.text, isList: false)[0], most: 500).nonEmpty }
    }

    /// Reads the versions and occurrences with one UID.
    private mutating func take(_ group: [RawEvent]) {
        // The moved or canceled occurrences of a repeated entry: the latest version of each.
        var moved: [(key: CalendarTime, zone: Zone, event: RawEvent)] = []
        var places: [String: Int] = [:]
        for event in group {
            guard let line = event["RECURRENCE-ID"] else { continue }
            do throws(Unreadable) {
                let key = try self.time(of: line)
                let name = "\(key.time) \(key.zone.identifier)"
                if let place = places[name] {
                    if event.version >= moved[place].event.version { moved[place].event = event }
                } else {
                    places[name] = moved.count
                    moved.append((key.time, key.zone, event))
                }
            } catch {
                report(error, event)
            }
        }
        let masters = latest(group.filter { $0["RECURRENCE-ID"] == nil })
        guard let only = masters.first, masters.count == 1 else {
            // Moved occurrences come first: if several have one name, the first is kept.
            for (key, zone, event) in moved { read(event, key, zone, nil, nil) }
            for master in masters { readOneOfMany(master) }
            return
        }
        read(only, moved)
    }

    /// The latest version of an entry. Some programs give one UID to several entries, or to each occurrence: those have
    /// different starts and no later version.
    private func latest(_ versions: [RawEvent]) -> [RawEvent] {
        guard versions.count > 1 else { return versions }
        let last = versions.map(\.version).max() ?? 0
        var found: [RawEvent] = []
        var places: [String: Int] = [:]
        for event in versions where event.version == last {
            let start = event["DTSTART"]?.text ?? ""
            if let place = places[start] {
                if event.changed >= found[place].changed { found[place] = event }
            } else {
                places[start] = found.count
                found.append(event)
            }
        }
        return found
    }

    private mutating func report(_ unread: Unreadable, _ event: RawEvent) {
        guard problems.count < ImportedCalendar.mostProblems else { return }
        problems.append(.unreadable(line: unread.line, entry: title(of: event) ?? uid(of: event), why: unread.why))
    }

    /// Reads an entry that shares its UID with others: its start identifies it.
    private mutating func readOneOfMany(_ event: RawEvent) {
        do throws(Unreadable) {
            let timing = try self.timing(of: event)
            var words: ImportedEntry?
            for occurrence in try occurrences(of: event, timing) {
                if words == nil { words = try entry(event, nil, timing, occurrence, of: nil) }
                guard let one = words else { continue }
                add(Self.repeated(one, occurrence, key(occurrence, timing)))
            }
        } catch {
            report(error, event)
        }
    }

    /// Reads an entry, with its moved or canceled occurrences.
    private mutating func read(_ event: RawEvent, _ moved: [(key: CalendarTime, zone: Zone, event: RawEvent)]) {
        do throws(Unreadable) {
            let timing = try self.timing(of: event)
            let isRepeated = event["RRULE"] != nil || event["RDATE"] != nil || !moved.isEmpty
            // Identified by instant or by day.
            var moments: Set<Instant> = []
            var days: Set<Day> = []
            for (key, zone, _) in moved {
                if case .day(let day) = key {
                    days.insert(day)
                } else if timing.isAllDay {
                    days.insert(key.wholeDay(in: zone))
                } else {
                    moments.insert(key.instant(in: zone))
                }
            }
            // Its texts are read only once.
            var words: ImportedEntry?
            for occurrence in try occurrences(of: event, timing)
            where !moments.contains(occurrence.start) && !days.contains(occurrence.day) {
                let key = isRepeated ? self.key(occurrence, timing) : nil
                if words == nil { words = try entry(event, nil, timing, occurrence, of: nil) }
                guard let one = words else { continue }
                add(Self.repeated(one, occurrence, key))
            }
            if words == nil, !moved.isEmpty { words = try self.words(of: event, timing) }
            for (key, zone, one) in moved { read(one, key, zone, words, timing) }
        } catch {
            report(error, event)
            // Moved occurrences have times of their own.
            guard error.why != .notPublic else { return }
            for (key, zone, one) in moved where one["DTSTART"] != nil { read(one, key, zone, nil, nil) }
        }
    }

    /// Reads an occurrence that differs from the others. (`RANGE=THISANDFUTURE`, a change from an occurrence on, is
    /// read as a change of only that one.)
    private mutating func read(
        _ event: RawEvent, _ key: CalendarTime, _ zone: Zone, _ words: ImportedEntry?, _ rule: Timing?
    ) {
        do throws(Unreadable) {
            var timing: Timing
            if event["DTSTART"] != nil {
                timing = try self.timing(of: event)
                if let rule, event["DTEND"] == nil, event["DURATION"] == nil, timing.isAllDay == rule.isAllDay {
                    timing.length = rule.length
                }
            } else if let rule {
                // A canceled occurrence may contain nothing but its identity.
                timing = rule
                if rule.isAllDay {
                    timing.day = key.wholeDay(in: zone)
                } else if case .day(let day) = key {
                    timing.day = day
                } else {
                    (timing.day, timing.time) = rule.zone.local(key.instant(in: zone))
                }
            } else {
                throw Unreadable(why: .noStart, line: event.line)
            }
            let occurrence = Occurrence(
                start: timing.start(on: timing.day), end: timing.end(on: timing.day), day: timing.day)
            guard isWithin(occurrence) else { return }
            let isOfDays = rule?.isAllDay ?? timing.isAllDay
            var name = ICalendar.utc(key.instant(in: zone))
            if isOfDays {
                name = Self.compact(key.wholeDay(in: zone))
            } else if case .day(let day) = key, let rule {
                name = ICalendar.utc(rule.start(on: day))
            }
            add(try entry(event, words, timing, occurrence, of: name))
        } catch {
            report(error, event)
        }
    }

    /// A copy of an entry at another time.
    private static func repeated(_ entry: ImportedEntry, _ occurrence: Occurrence, _ key: String?) -> ImportedEntry {
        var entry = entry
        entry.start = occurrence.start
        entry.end = occurrence.end
        entry.occurrence = key
        return entry
    }

    /// The texts of a repeated entry without occurrences in the period.
    private func words(of event: RawEvent, _ timing: Timing) throws(Unreadable) -> ImportedEntry {
        let first = Occurrence(
            start: timing.start(on: timing.day), end: timing.end(on: timing.day), day: timing.day)
        return try entry(event, nil, timing, first, of: nil)
    }

    private mutating func add(_ entry: ImportedEntry) {
        guard entries.count < Self.mostOccurrences else { return }
        if let uid = entry.uid, !named.insert([uid, entry.occurrence ?? ""]).inserted { return }
        entries.append(entry)
    }

    private func key(_ occurrence: Occurrence, _ timing: Timing) -> String {
        timing.isAllDay ? Self.compact(occurrence.day) : ICalendar.utc(occurrence.start)
    }

    private static func compact(_ day: Day) -> String { day.iso.filter { $0 != "-" } }

    // MARK: - Times

    /// A time and its zone.
    private mutating func time(of line: ContentLine) throws(Unreadable) -> (time: CalendarTime, zone: Zone) {
        guard let time = CalendarTime(line.text) else { throw Unreadable(why: .badTime, line: line.number) }
        return (time, try self.zone(of: time, line))
    }

    private mutating func zone(of time: CalendarTime, _ line: ContentLine) throws(Unreadable) -> Zone {
        switch time {
        case .day: return zones.fallback
        case .utc: return .utc
        case .local:
            guard let name = line.parameters["TZID"]?.nonEmpty else { return zones.shown }
            guard let zone = zones.zone(named: name) else {
                throw Unreadable(why: .unknownZone(String(name.prefix(80))), line: line.number)
            }
            return zone
        }
    }

    private mutating func timing(of event: RawEvent) throws(Unreadable) -> Timing {
        guard let line = event["DTSTART"], !line.text.isEmpty else {
            throw Unreadable(why: .noStart, line: event["DTSTART"]?.number ?? event.line)
        }
        let (start, zone) = try self.time(of: line)
        var end: (time: CalendarTime, zone: Zone, line: Int)?
        if let line = event["DTEND"], !line.text.isEmpty {
            let (time, zone) = try self.time(of: line)
            end = (time, zone, line.number)
        }
        let length = event["DURATION"].flatMap { CalendarLength($0.text) }
        if case .day(let day) = start {
            return try wholeDays(from: day, through: end, length)
        }
        // Outlook's all-day entries may run from midnight to midnight in any zone.
        if isMarkedAsWholeDay(event) {
            let first = start.day(in: zones.shown)
            let last = end.map { end in
                (time: CalendarTime.day(end.time.day(in: zones.shown)), zone: end.zone, line: end.line)
            }
            return try wholeDays(from: first, through: last, length)
        }
        let (day, time) = zone.local(start.instant(in: zone))
        var timing = Timing(
            day: day, time: time, second: 0, isAllDay: false, zone: zone, shown: zone == .utc ? zones.shown : zone)
        // A skipped time is kept as written, so that its repetitions aren't moved, too.
        switch start {
        case .local(let day, let time, let second): (timing.day, timing.time, timing.second) = (day, time, second)
        case .utc(let instant): timing.second = Int(instant.milliseconds.floorDivided(by: 1_000) % 60)
        case .day: break
        }
        if timing.second < 0 { timing.second += 60 }
        if let end {
            var last = end.time.instant(in: end.zone)
            // A rule that ends on a day includes that day.
            if case .day(let day) = end.time { last = zone.instant(day.advanced(by: 1), .midnight) }
            let seconds = (last.milliseconds - timing.start(on: timing.day).milliseconds) / 1_000
            guard seconds >= 0 else { throw Unreadable(why: .endsBeforeStart, line: end.line) }
            guard seconds <= Int64(CalendarLength.mostDays) * 86_400 else {
                throw Unreadable(why: .badTime, line: end.line)
            }
            timing.length.seconds = Int(seconds)
        } else if let length {
            timing.length = length
        }
        return timing
    }

    private func isMarkedAsWholeDay(_ event: RawEvent) -> Bool {
        ["X-MICROSOFT-CDO-ALLDAYEVENT", "X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT"].contains { name in
            event[name].map { $0.text.uppercased().hasPrefix("TRUE") } ?? false
        }
    }

    private func wholeDays(
        from first: Day, through end: (time: CalendarTime, zone: Zone, line: Int)?, _ length: CalendarLength?
    ) throws(Unreadable) -> Timing {
        var days = 1
        if let end {
            // The end is the day after the last; many programs write the last day itself if there is only one.
            days = end.time.wholeDay(in: zones.fallback).number - first.number
            guard days >= 0 else { throw Unreadable(why: .endsBeforeStart, line: end.line) }
            guard days <= CalendarLength.mostDays else { throw Unreadable(why: .badTime, line: end.line) }
        } else if let length {
            days = length.days + (length.seconds + 86_399) / 86_400
        }
        return Timing(
            day: first, time: .midnight, second: 0, isAllDay: true, zone: zones.fallback, shown: zones.fallback,
            length: CalendarLength(days: max(1, days), seconds: 0))
    }

    private func isWithin(_ occurrence: Occurrence) -> Bool {
        occurrence.start < span.upperBound
            && (occurrence.end > span.lowerBound || occurrence.start >= span.lowerBound)
    }

    // MARK: - Repetitions

    /// The occurrences of an entry in the period.
    private mutating func occurrences(of event: RawEvent, _ timing: Timing) throws(Unreadable) -> [Occurrence] {
        let margin = timing.length.days + timing.length.seconds / 86_400 + 2
        let earliest = timing.zone.day(of: span.lowerBound).advanced(by: -margin)
        let latest = timing.zone.day(of: span.upperBound).advanced(by: 1)
        var found: [Occurrence] = []
        var starts: Set<Instant> = []
        func add(_ start: Instant, _ end: Instant, _ day: Day) {
            let occurrence = Occurrence(start: start, end: end, day: day)
            if isWithin(occurrence), starts.insert(start).inserted { found.append(occurrence) }
        }
        let rules = event.all("RRULE")
        guard rules.count <= 10 else { throw Unreadable(why: .badRule, line: event.line) }
        if rules.isEmpty { add(timing.start(on: timing.day), timing.end(on: timing.day), timing.day) }
        for line in rules {
            guard let rule = RecurrenceRule(line.text), fits(rule, timing) else {
                throw Unreadable(why: .badRule, line: line.number)
            }
            // A rule that ended long ago costs no steps.
            let end = rule.until.map { $0.day(in: .utc).advanced(by: 2) } ?? latest
            guard
                let days = rule.days(
                    from: timing.day, earliest: earliest, last: min(latest, max(timing.day, end)),
                    most: ImportedCalendar.mostEntries, budget: &budget)
            else { throw Unreadable(why: .badRule, line: line.number) }
            for day in days {
                let start = timing.start(on: day)
                if !isOver(rule, day, start, timing) { add(start, timing.end(on: day), day) }
            }
        }
        for (time, end, zone) in try times(of: event.all("RDATE"), earliest, latest) {
            let day = timing.isAllDay ? time.wholeDay(in: zone) : time.day(in: timing.zone)
            guard !timing.isAllDay else {
                add(timing.start(on: day), timing.end(on: day), day)
                continue
            }
            // A day without a time has the others' time.
            var start = time.instant(in: zone)
            if case .day = time { start = timing.start(on: day) }
            let length = Duration.seconds(timing.length.days * 86_400 + timing.length.seconds)
            add(start, end.flatMap { $0 >= start ? $0 : nil } ?? start + length, timing.zone.day(of: start))
        }
        guard event["EXDATE"] != nil else { return found }
        var moments: Set<Instant> = []
        var days: Set<Day> = []
        for (time, _, zone) in try times(of: event.all("EXDATE"), earliest, latest) {
            if case .day(let day) = time {
                days.insert(day)
            } else if timing.isAllDay {
                days.insert(time.wholeDay(in: zone))
            } else {
                moments.insert(time.instant(in: zone))
            }
        }
        return found.filter { !moments.contains($0.start) && !days.contains($0.day) }
    }

    /// Whether the hour and minute of a rule match the start.
    private func fits(_ rule: RecurrenceRule, _ timing: Timing) -> Bool {
        timing.isAllDay
            || (rule.hour ?? timing.time.minutes / 60 == timing.time.minutes / 60
                && rule.minute ?? timing.time.minutes % 60 == timing.time.minutes % 60)
    }

    /// Whether a rule ends before an occurrence.
    private func isOver(_ rule: RecurrenceRule, _ day: Day, _ start: Instant, _ timing: Timing) -> Bool {
        guard let until = rule.until, day != timing.day else { return false }
        if timing.isAllDay { return day > until.wholeDay(in: timing.zone) }
        if case .day(let last) = until { return day > last }
        return start > until.instant(in: timing.zone)
    }

    /// The times in lists such as EXDATE, with the ends of periods, without those far from the period and unreadable
    /// ones.
    private mutating func times(
        of lines: [ContentLine], _ earliest: Day, _ latest: Day
    ) throws(Unreadable) -> [(CalendarTime, Instant?, Zone)] {
        var found: [(CalendarTime, Instant?, Zone)] = []
        for line in lines {
            for item in line.text.split(separator: ",") {
                budget -= 1
                guard budget >= 0 else { throw Unreadable(why: .badRule, line: line.number) }
                let parts = item.split(separator: "/", maxSplits: 1)
                guard let first = parts.first, let time = CalendarTime(first) else { continue }
                let day = time.day(in: .utc)
                guard day >= earliest.advanced(by: -2), day <= latest.advanced(by: 2) else { continue }
                let zone = try self.zone(of: time, line)
                var end: Instant?
                if parts.count == 2 {
                    if let length = CalendarLength(String(parts[1])) {
                        end = time.instant(in: zone) + .seconds(length.days * 86_400 + length.seconds)
                    } else {
                        end = CalendarTime(parts[1])?.instant(in: zone)
                    }
                }
                found.append((time, end, zone))
            }
        }
        return found
    }

    // MARK: - Words

    private func title(of event: RawEvent) -> String? {
        event["SUMMARY"].flatMap { ForeignText.line(ForeignText.values($0.text, isList: false)[0], most: 120).nonEmpty }
    }

    /// - Parameter words: The texts of the repeated entry, for an occurrence without its own.
    private func entry(
        _ event: RawEvent, _ words: ImportedEntry?, _ timing: Timing, _ occurrence: Occurrence, of key: String?
    ) throws(Unreadable) -> ImportedEntry {
        func plain(_ name: String) -> String? {
            event[name].map { ForeignText.values($0.text, isList: false)[0] }
        }
        let visibility = event["CLASS"]?.text.prefix(20).uppercased() ?? ""
        guard !visibility.hasPrefix("PRIVATE"), !visibility.hasPrefix("CONFIDENTIAL") else {
            throw Unreadable(why: .notPublic, line: event.line)
        }
        guard let title = self.title(of: event) ?? words?.title else {
            throw Unreadable(why: .noTitle, line: event["SUMMARY"]?.number ?? event.line)
        }
        var text = plain("DESCRIPTION").map { ForeignText.paragraphs($0, most: 4_000) } ?? ""
        if text.isEmpty { text = plain("X-ALT-DESC").map { ForeignText.paragraphs($0, most: 4_000) } ?? "" }
        // Apple writes several lines: a name, then an address.
        let place = plain("LOCATION").map { place in
            let lines = ForeignText.paragraphs(place, most: 300).split(separator: "\n")
            return lines.joined(separator: ", ")
        }
        let lists = event.all("CATEGORIES").prefix(20)
        let tags = lists.flatMap { ForeignText.values($0.text, isList: true).prefix(20) }
            .compactMap { ForeignText.line($0, most: 60).nonEmpty }.uniqued().prefix(20)
        let isCanceled = event["STATUS"].map { $0.text.prefix(20).uppercased().hasPrefix("CANCEL") }
        return ImportedEntry(
            uid: uid(of: event), occurrence: key, title: title, text: text.nonEmpty ?? words?.text ?? "",
            place: place == nil ? words?.place : place?.nonEmpty,
            link: event["URL"].map { ForeignText.link($0.text) } ?? words?.link,
            tags: lists.isEmpty ? words?.tags ?? [] : Array(tags), start: occurrence.start, end: occurrence.end,
            isAllDay: timing.isAllDay, zone: timing.shown,
            isCanceled: event.isCalledOff || isCanceled ?? words?.isCanceled ?? false)
    }
}
