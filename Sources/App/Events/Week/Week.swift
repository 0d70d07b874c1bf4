import Forms
import Templating

/// The seven days in My week.
struct Week: Sendable {
    let today: Day
    /// The first day.
    let from: Day
    /// The visitor's first day of the week: 0 is Monday, 6 is Sunday.
    let firstDay: Int

    /// A typed first day that can't be parsed.
    private(set) var unread = Unread()

    /// - Parameters:
    ///   - typed: The first day in the address; by default that of the current week.
    ///   - country: The country whose date format applies.
    init(_ typed: String?, today: Day, firstDay: Int = 0, country: String = "") {
        self.today = today
        self.firstDay = firstDay
        var unread = Unread()
        let asked = unread.start("from", typed, in: country)
        self.unread = unread
        from = asked ?? today.advanced(by: -((today.weekday - firstDay + 7) % 7))
    }

    var days: Range<Day> { from..<from.advanced(by: 7) }
    var all: [Day] { (0..<7).map { from.advanced(by: $0) } }
    var isThis: Bool { days.contains(today) }

    var name: Words { Self.name(of: days, today: today) }

    var next: Link { Self.link(days.upperBound) }
    var before: Link { Self.link(from.advanced(by: -7)) }
    /// The printable sheet for the fridge.
    var sheet: Link { Self.link(from).with("as", "print") }

    static func link(_ day: Day) -> Link { Link.week.with("from", day.iso) }

    static func name(of days: Range<Day>, today: Day) -> Words {
        let (from, last) = (days.lowerBound, days.upperBound.advanced(by: -1))
        return from.year == today.year && last.year == today.year
            ? "\(from.name, as: "from") to \(last.name, as: "to")"
            : "\(from.fullName, as: "from") to \(last.fullName, as: "to")"
    }
}

/// An item in a member's plans. Indirect, because grids and lists contain it many times.
indirect enum WeekItem: Sendable {
    /// Places at an event.
    case party(Registration.Line)
    /// An activity of an event's program.
    case activity(ActivityLine)
    /// An event they host.
    case own(EventCard)
    /// A shift.
    case shift(Signup)
    /// A meeting of pets, in the town's zone.
    case meeting(MeetingLine, Zone)

    var schedule: Schedule {
        switch self {
        case .party(let line): return line.schedule
        case .activity(let line): return line.activity.content.schedule
        case .own(let event): return event.schedule
        case .shift(let signup):
            return signup.shift?.schedule ?? .never
        case .meeting(let line, let zone):
            return line.schedule(in: zone) ?? .never
        }
    }

    var title: Words {
        switch self {
        case .party(let line): line.title
        case .activity(let line): Words(verbatim: line.activity.name)
        case .own(let event): event.readersTitle
        case .shift(let signup): Words(verbatim: signup.title)
        case .meeting(let line, _): line.match.names
        }
    }

    /// The title of what it belongs to: an activity’s event, otherwise its own.
    var eventTitle: Words { if case .activity(let line) = self { Words(verbatim: line.title) } else { title } }

    /// The language of the title for a reader of the site; nil if unknown.
    func language(for reader: Language) -> WrittenLanguage? {
        switch self {
        case .party(let line): line.eventTitle.language(for: reader)
        case .own(let event): event.eventTitle.language(for: reader)
        case .activity, .shift, .meeting: nil
        }
    }

    var link: Link {
        switch self {
        case .party(let line): .registration(line.id)
        case .activity(let line): line.link
        case .own(let event): event.link
        case .shift(let signup): signup.link
        case .meeting(let line, _): line.link
        }
    }

    var place: Words {
        switch self {
        case .party(let line): line.place
        case .activity(let line): line.place
        case .own(let event): event.place
        case .shift(let signup): signup.place
        case .meeting(let line, _): Words(verbatim: line.meeting.place)
        }
    }

    /// The places with changes that nobody in the family has seen.
    fileprivate var changedParty: Registration.Line? {
        if case .party(let line) = self, !line.changes.isEmpty { line } else { nil }
    }

    /// Directions; nil if there is no place to go.
    var directions: Directions? {
        switch self {
        case .party(let line): Directions(to: line.address)
        case .activity(let line): Directions(to: line.address, at: line.activity.content.coordinate)
        case .own(let event):
            Directions(to: Address(street: event.street, city: event.city, country: event.country))
        case .shift(let signup): Directions(to: signup.address)
        case .meeting(let line, _): Directions(to: line.meeting.place)
        }
    }

    /// The participants' names: empty for the member in person, nil for a deleted child.
    var names: [String?] {
        switch self {
        case .party(let line): line.names
        case .activity(let line): line.names
        case .shift(let signup): [""] + signup.companions.map(\.name)
        case .own, .meeting: [""]
        }
    }

    var isOff: Bool {
        switch self {
        case .party(let line): line.isCancelled
        case .activity(let line): line.isCancelled
        case .own(let event): event.isCancelled
        case .shift, .meeting: false
        }
    }

    /// Its state while somebody still has to say yes; nil for what is settled.
    func openState(at now: Instant) -> Words? {
        if case .shift(let signup) = self, signup.state == .asked { signup.standing(at: now) } else { nil }
    }

    /// The calendar file; nil if there is none.
    var calendar: Link? {
        switch self {
        case .party(let line): isOff || line.isHidden ? nil : .ownCalendar(of: line.event)
        case .activity(let line): isOff ? nil : .calendar(of: line.activity.id, at: line.event)
        case .own(let event): event.isHidden ? nil : .calendar(of: event.id)
        case .shift, .meeting: nil
        }
    }

    /// Whether it ends on that day or later, in its zone.
    func reaches(_ day: Day) -> Bool { schedule.lastDay >= day }
}

extension Schedule {
    /// For items without a time, which aren't part of any week.
    fileprivate static let never = Schedule(
        day: .distantPast, start: .midnight, startsAt: Instant(milliseconds: 0), endsAt: Instant(milliseconds: 0))

    /// The day on which it ends; if it ends at midnight, the day before.
    fileprivate var lastDay: Day {
        endDay ?? (endsNextDay && end != .midnight ? day.advanced(by: 1) : day)
    }
}

/// A day of My week.
struct WeekDay: Sendable {
    let day: Day
    let isToday: Bool
    let isPast: Bool
    var slots: [WeekSlot]

    /// The items of several days, above the hours; and those with hours.
    var long: [WeekSlot] { slots.filter { $0.box == nil } }
    var timed: [WeekSlot] { slots.filter { $0.box != nil } }

    /// The seven days of a week with their items: those that began earlier are on the first day, and those of several
    /// days are on each of them.
    static func all(of week: Week, _ items: [WeekItem], clashes: [Clash], people: [WeekPerson]) -> [WeekDay] {
        let order = items.indices.sorted { a, b in
            (items[a].schedule.startsAt, a) < (items[b].schedule.startsAt, b)
        }
        return week.all.map { day in
            let here = order.filter { index in
                let schedule = items[index].schedule
                let first = max(schedule.day, week.from)
                return first == day || (first < day && schedule.endDay.map { day <= $0 } ?? false)
            }
            let boxes = WeekBox.all(of: here.map { items[$0].schedule }, on: day)
            return WeekDay(
                day: day, isToday: day == week.today, isPast: day < week.today,
                slots: zip(here, boxes).map { index, box in
                    let schedule = items[index].schedule
                    let isAgain = max(schedule.day, week.from) < day
                    return WeekSlot(
                        item: items[index],
                        people: items[index].names.map { name in
                            people.first { $0.name == name } ?? WeekPerson(name: name, number: nil)
                        },
                        clashes: isAgain ? [] : clashes.filter { $0.place == index }, box: box, isAgain: isAgain,
                        isLast: schedule.endDay.map { $0 <= day } ?? true)
                })
        }
    }
}

/// A family member, marked in the week by a color and two letters, so that the color is never the only distinction.
struct WeekPerson: Sendable {
    /// Empty for the member in person, nil for a deleted child.
    let name: String?
    /// The number of the color: 0 for the member, then one per child; nil for none.
    let number: Int?

    var label: Words {
        name == "" ? "You" : Family.label(name)
    }
    var initials: Words { name == "" ? "Me" : Words(verbatim: String((name ?? "?").prefix(2))) }
    /// The colors are repeated, as the style sheet has only a few.
    var hue: String { number.map { "who--\($0 > 4 ? ($0 - 1) % 4 + 1 : $0)" } ?? "" }

    /// The member and the children, the oldest entry first.
    static func all(_ children: [Child]) -> [WeekPerson] {
        [WeekPerson(name: "", number: 0)]
            + children.enumerated().map { WeekPerson(name: $1.name, number: $0 + 1) }
    }
}

/// An item drawn in the week: a line on a phone, and a box in the grid if there is room.
struct WeekSlot: Sendable {
    let item: WeekItem
    let people: [WeekPerson]
    let clashes: [Clash]
    /// Its position in the grid; nil for an item of several days.
    let box: WeekBox?
    /// Whether it began on an earlier day, under which it was described.
    let isAgain: Bool
    /// Whether it ends on this day.
    let isLast: Bool

    /// The text for each day but the first.
    var again: Words {
        guard isLast else { return "goes on" }
        return item.schedule.end.map { "to \($0, as: "end")" } ?? "goes on"
    }

    /// Its time, for a reader.
    func time(for reader: Zone) -> Words { item.schedule.said(item.schedule.time, for: reader) }

    /// The participants' names on one line.
    var who: Words { people.map(\.label).listed(.short) }

    var look: String {
        ([people.first?.hue ?? ""] + (box?.classes ?? []) + (item.isOff ? ["slot--off"] : [])
            + (clashes.isEmpty ? [] : ["slot--tight"]) + (isAgain ? ["slot--again"] : [])
            + (isLast ? [] : ["slot--on"])).filter { !$0.isEmpty }.joined(separator: " ")
    }

    var directions: Directions? { item.directions }
}

/// The position in the grid of hours: the first quarter of an hour, the number of quarters, and the lane among those
/// needed for simultaneous items.
struct WeekBox: Sendable, Equatable {
    let start: Int
    var length: Int
    var lane = 0
    var lanes = 1

    /// More lanes side by side aren't readable.
    static let mostLanes = 6
    /// The minimum height for reading and pressing: three quarters of an hour.
    static let least = 3
    static let ofDay = 96
    /// The height of an item without an end.
    static let usual = Int(EventTimes.usual / .minutes(15))

    var end: Int { start + length }

    /// The classes for the style sheet.
    var classes: [String] {
        ["h\(start / 4)", "m\(start % 4)", "l\(length / 4)", "n\(length % 4)"]
            + (lanes > 1 ? ["of\(lanes)", "x\(lane)"] : [])
    }

    /// The boxes of a day's items, in order of start; nil for items of several days.
    static func all(of schedules: [Schedule], on day: Day) -> [WeekBox?] {
        var boxes = schedules.map { box(of: $0, on: day) }
        // Overlapping items share the width: as many lanes as are needed at once.
        var crowd: [Int] = []
        var ends: [Int] = []
        func close() {
            for index in crowd { boxes[index]?.lanes = ends.count }
            (crowd, ends) = ([], [])
        }
        for index in boxes.indices {
            guard let box = boxes[index] else { continue }
            if ends.allSatisfy({ $0 <= box.start }) { close() }
            let free = ends.firstIndex { $0 <= box.start }
            let lane = free ?? min(ends.count, mostLanes - 1)
            if lane == ends.count { ends.append(box.end) } else { ends[lane] = max(ends[lane], box.end) }
            boxes[index]?.lane = lane
            crowd.append(index)
        }
        close()
        return boxes
    }

    private static func box(of schedule: Schedule, on day: Day) -> WeekBox? {
        guard schedule.endDay == nil else { return nil }
        let isFromBefore = schedule.day < day
        let start = isFromBefore ? 0 : schedule.start.minutes / 15
        let last: Int =
            switch schedule.end {
            case let end? where end > schedule.start || isFromBefore: (end.minutes + 14) / 15
            case .some: ofDay
            case nil: start + usual
            }
        let from = min(start, ofDay - least)
        return WeekBox(start: from, length: max(least, min(last, ofDay) - from))
    }

    /// The hours of the grid: the usual ones of a day, and earlier and later ones that are needed.
    static func hours(of days: [WeekDay]) -> Range<Int> {
        let boxes = days.flatMap(\.slots).compactMap(\.box)
        let first = min(8, boxes.map { $0.start / 4 }.min() ?? 8)
        let last = max(20, boxes.map { ($0.end + 3) / 4 }.max() ?? 20)
        return first..<min(24, last)
    }
}

/// A later week, with a short summary.
struct WeekAhead: Sendable {
    let days: Range<Day>
    let name: Words
    let titles: Words
    /// Changes in it that nobody in the family has seen.
    let changed: [Registration.Line]

    var link: Link { Week.link(days.lowerBound) }

    /// How many weeks to look ahead.
    static let most = 8

    /// The weeks after one that have items.
    static func all(after week: Week, _ items: [WeekItem]) -> [WeekAhead] {
        let first = week.days.upperBound
        let weeks = Dictionary(grouping: items) { ($0.schedule.day.number - first.number) / 7 }
        return weeks.sorted { $0.key < $1.key }.map { number, items in
            let from = first.advanced(by: 7 * number)
            let items = items.sorted { $0.schedule.startsAt < $1.schedule.startsAt }
            // An event that happens several times in the week is named once.
            let titles = items.map(\.eventTitle).reduce(into: [Words]()) { if !$0.contains($1) { $0.append($1) } }
            var words = Array(titles.prefix(2))
            if titles.count > 2 {
                words.append(Words("{count} more", plural: "{count} more", count: titles.count - 2))
            }
            let days = from..<from.advanced(by: 7)
            return WeekAhead(
                days: days, name: Week.name(of: days, today: week.today), titles: words.listed(.short),
                changed: items.compactMap(\.changedParty))
        }
    }
}

/// The content of My week.
struct WeekPage: Sendable {
    let week: Week
    let days: [WeekDay]
    /// The hours of the grid.
    let hours: Range<Int>
    /// The people with colors, if there are several.
    let people: [WeekPerson]
    /// The clashes, each pair once, with the day.
    let clashes: [(day: Day, title: Words, clash: Clash)]
    /// Changes of these days' items that nobody in the family has seen.
    let changed: [Registration.Line]
    let ahead: [WeekAhead]
    /// The first day with anything after these weeks.
    let later: Day?
    let helping: Helping
    /// Recently given-up places and events.
    var undos: [Undo] = []
    /// The shifts of the member's organization on these days.
    var hosted: [HostedShift] = []
    /// The requests waiting for an answer, if these days start today.
    var awaited: [Awaited] = []

    init(_ week: Week, _ items: [WeekItem], ahead: [WeekItem], later: Day?, people: [WeekPerson], helping: Helping) {
        self.week = week
        let all = Clash.all(of: items.map(TimeSlot.init))
        days = WeekDay.all(of: week, items, clashes: all, people: people)
        hours = WeekBox.hours(of: days)
        self.people = people.count > 1 ? people : []
        clashes = all.filter(\.isFirst).map { clash in
            (max(items[clash.place].schedule.day, week.from), items[clash.place].title, clash)
        }
        changed = items.compactMap(\.changedParty)
        self.ahead = WeekAhead.all(after: week, ahead)
        self.later = later
        self.helping = helping
    }

    var isEmpty: Bool { days.allSatisfy(\.slots.isEmpty) }
    /// Whether there are no plans at all.
    var isBlank: Bool { isEmpty && week.isThis && ahead.isEmpty && later == nil }
    /// The first and last hour of the grid, for the style sheet.
    var frame: String { "f\(hours.lowerBound) t\(hours.upperBound)" }
    var clock: [TimeOfDay] { hours.compactMap { TimeOfDay(minutes: $0 * 60) } }
}

/// A day of a family's registrations, for Today.
struct RegistrationDay: Sendable {
    let heading: Words
    var lines: [(line: Registration.Line, clashes: [Clash])]

    /// - Parameter lines: Soonest first.
    static func grouped(_ lines: [Registration.Line], today: Day) -> [RegistrationDay] {
        let clashes = Clash.all(of: lines.map { TimeSlot(.party($0)) })
        let items = lines.enumerated().map { index, line in (line, clashes.filter { $0.place == index }) }
        return Dictionary(grouping: items) { $0.0.schedule.listedDay(from: today) }.sorted { $0.key < $1.key }
            .map { RegistrationDay(heading: EventDay.heading($0, today), lines: $1) }
    }
}

extension TimeSlot {
    /// An item of a week.
    init(_ item: WeekItem) {
        switch item {
        case .party(let line):
            self.init(
                line.title, Set(line.names.compactMap(\.self)), from: line.startsAt, to: line.endsAt, event: line.event,
                address: line.address, coordinate: line.coordinate, isOff: line.isCancelled)
        case .activity(let line):
            self.init(
                Words(verbatim: line.activity.name), Set(line.names.compactMap(\.self)), from: line.activity.startsAt,
                to: line.activity.endsAt, event: line.event, isActivity: true, address: line.address,
                coordinate: line.activity.coordinate ?? line.coordinate, isOff: line.isCancelled)
        case .own(let event):
            self.init(
                event.readersTitle, event.isForEveryone ? [] : [""], event.schedule, event: event.id,
                at: Address(street: event.street, city: event.city), isOff: event.isCancelled)
        case .shift(let signup):
            self.init(
                Words(verbatim: signup.title), Set(item.names.compactMap(\.self)), item.schedule, at: signup.address,
                signup.coordinate)
        case .meeting(let line, _):
            self.init(
                Words(verbatim: line.meeting.place), [""], item.schedule, at: Address(street: line.meeting.place))
        }
    }
}
