import Forms
import Templating

/// The seven days that My week shows.
struct Week: Sendable {
    let today: Day
    /// The first of them.
    let from: Day
    /// With which day the visitor's weeks begin: 0 is Monday, 6 is Sunday.
    let firstDay: Int

    /// What was typed as the first day and is none.
    private(set) var unread = Unread()

    /// - Parameters:
    ///   - typed: The first day, as the address says it; without one it is the first of this week.
    ///   - country: By whose ways it is read.
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
    /// The sheet for the fridge.
    var sheet: Link { Self.link(from).with("as", "print") }

    static func link(_ day: Day) -> Link { Link.week.with("from", day.iso) }

    static func name(of days: Range<Day>, today: Day) -> Words {
        let (from, last) = (days.lowerBound, days.upperBound.advanced(by: -1))
        return from.year == today.year && last.year == today.year
            ? "\(from.name, as: "from") to \(last.name, as: "to")"
            : "\(from.fullName, as: "from") to \(last.fullName, as: "to")"
    }
}

/// Something that somebody has planned: boxed, since grids and lists hold it many times over.
indirect enum WeekItem: Sendable {
    /// Places at an event.
    case party(Registration.Line)
    /// An activity of an event's program.
    case activity(ActivityLine)
    /// An event that they announced.
    case own(EventCard)
    /// A shift somewhere.
    case shift(Signup)
    /// A meeting of pets, by the town's clock.
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

    /// What somebody gets its title in who reads the site in a language; nil where nobody said.
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
        case .party(let line): line.address.words
        case .activity(let line): line.place
        case .own(let event): event.place
        case .shift(let signup): signup.place
        case .meeting(let line, _): Words(verbatim: line.meeting.place)
        }
    }

    /// The places of which something changed that nobody of the family has seen yet.
    fileprivate var changedParty: Registration.Line? {
        if case .party(let line) = self, !line.changes.isEmpty { line } else { nil }
    }

    /// The way there; nil where there is nowhere to go.
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

    /// Those who go, by name: empty for the member in person, nil for a child that was removed.
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

    /// The file for one's own calendar; nil where there is none.
    var calendar: Link? {
        switch self {
        case .party(let line): isOff || line.isHidden ? nil : .ownCalendar(of: line.event)
        case .activity(let line): isOff ? nil : .calendar(of: line.activity.id, at: line.event)
        case .own(let event): event.isHidden ? nil : .calendar(of: event.id)
        case .shift, .meeting: nil
        }
    }

    /// Whether it ends on that day or a later one, by the clock there.
    func reaches(_ day: Day) -> Bool { schedule.lastDay >= day }
}

extension Schedule {
    /// Of what has no time, and so stands in no week.
    fileprivate static let never = Schedule(
        day: .distantPast, start: .midnight, startsAt: Instant(milliseconds: 0), endsAt: Instant(milliseconds: 0))

    /// The day on which it ends. What ends at midnight ends on the day before.
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

    /// What lasts for days, above the hours; and what has its hours.
    var long: [WeekSlot] { slots.filter { $0.box == nil } }
    var timed: [WeekSlot] { slots.filter { $0.box != nil } }

    /// All seven days of a week with what is planned on each; what has lasted since before stands on the first, and
    /// what lasts for days on each of them.
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

/// One of a family, as the week marks what they go to: a color and two letters, so that the color is never alone.
struct WeekPerson: Sendable {
    /// Empty for the member in person, nil for a child that was removed.
    let name: String?
    /// Which color: 0 for the member, then one child after the other; nil without one.
    let number: Int?

    var label: Words {
        name == "" ? "You" : Registration.Person.label(name)
    }
    var initials: Words { name == "" ? "Me" : Words(verbatim: String((name ?? "?").prefix(2))) }
    /// There are as many colors as the style sheet has.
    var hue: String { number.map { "who--\($0 > 4 ? ($0 - 1) % 4 + 1 : $0)" } ?? "" }

    /// The member and the children, the eldest entry first.
    static func all(_ children: [Child]) -> [WeekPerson] {
        [WeekPerson(name: "", number: 0)]
            + children.enumerated().map { WeekPerson(name: $1.name, number: $0 + 1) }
    }
}

/// Something planned, as the week draws it: one item that is a line on a phone, and a box in the grid where there is
/// room.
struct WeekSlot: Sendable {
    let item: WeekItem
    let people: [WeekPerson]
    let clashes: [Clash]
    /// Where it lies in the grid; nil for what lasts for days.
    let box: WeekBox?
    /// Whether it is there since a day before, and was told of then.
    let isAgain: Bool
    /// Whether it ends on this day.
    let isLast: Bool

    /// What is said on each day but the first.
    var again: Words {
        guard isLast else { return "goes on" }
        return item.schedule.end.map { "to \($0, as: "end")" } ?? "goes on"
    }

    /// Those who go, in one line.
    var who: Words { people.map(\.label).listed(.short) }

    var look: String {
        ([people.first?.hue ?? ""] + (box?.classes ?? []) + (item.isOff ? ["slot--off"] : [])
            + (clashes.isEmpty ? [] : ["slot--tight"]) + (isAgain ? ["slot--again"] : [])
            + (isLast ? [] : ["slot--on"])).filter { !$0.isEmpty }.joined(separator: " ")
    }

    var directions: Directions? { item.directions }
}

/// Where something lies in the grid of hours of its day: from which quarter of an hour on, how many long, and in which
/// of how many lanes where several are at once.
struct WeekBox: Sendable, Equatable {
    let start: Int
    var length: Int
    var lane = 0
    var lanes = 1

    /// More lanes beside each other can't be read.
    static let mostLanes = 6
    /// What is shorter is drawn so long, to be read and pressed: three quarters of an hour.
    static let least = 3
    static let ofDay = 96
    /// Without an end.
    static let usual = Int(EventTimes.usual / .minutes(15))

    var end: Int { start + length }

    /// As the style sheet reads it.
    var classes: [String] {
        ["h\(start / 4)", "m\(start % 4)", "l\(length / 4)", "n\(length % 4)"]
            + (lanes > 1 ? ["of\(lanes)", "x\(lane)"] : [])
    }

    /// The boxes of what is on a day, in the order of their starts; nil for what lasts for days.
    static func all(of schedules: [Schedule], on day: Day) -> [WeekBox?] {
        var boxes = schedules.map { box(of: $0, on: day) }
        // Those that touch share the width: as many lanes as are needed at once.
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

    /// The hours that the grid shows: the usual ones of a day, and those before and after in which something is.
    static func hours(of days: [WeekDay]) -> Range<Int> {
        let boxes = days.flatMap(\.slots).compactMap(\.box)
        let first = min(8, boxes.map { $0.start / 4 }.min() ?? 8)
        let last = max(20, boxes.map { ($0.end + 3) / 4 }.max() ?? 20)
        return first..<min(24, last)
    }
}

/// A week further ahead, with what it holds in a few words.
struct WeekAhead: Sendable {
    let days: Range<Day>
    let name: Words
    let titles: Words
    /// What changed in it, and nobody of the family has seen yet.
    let changed: [Registration.Line]

    var link: Link { Week.link(days.lowerBound) }

    /// How many weeks are looked through.
    static let most = 8

    /// The weeks after one, those in which something is.
    static func all(after week: Week, _ items: [WeekItem]) -> [WeekAhead] {
        let first = week.days.upperBound
        let weeks = Dictionary(grouping: items) { ($0.schedule.day.number - first.number) / 7 }
        return weeks.sorted { $0.key < $1.key }.map { number, items in
            let from = first.advanced(by: 7 * number)
            let items = items.sorted { $0.schedule.startsAt < $1.schedule.startsAt }
            var words = items.prefix(2).map(\.title)
            if items.count > 2 {
                words.append(Words("{count} more", plural: "{count} more", count: items.count - 2))
            }
            let days = from..<from.advanced(by: 7)
            return WeekAhead(
                days: days, name: Week.name(of: days, today: week.today), titles: words.listed(.short),
                changed: items.compactMap(\.changedParty))
        }
    }
}

/// What My week shows.
struct WeekPage: Sendable {
    let week: Week
    let days: [WeekDay]
    /// Those that the grid shows.
    let hours: Range<Int>
    /// The people the colors stand for; only where there are several.
    let people: [WeekPerson]
    /// What doesn't add up, each pair once, with the day it is on.
    let clashes: [(day: Day, title: Words, clash: Clash)]
    /// What changed about what is planned on these days, and nobody of the family has seen yet.
    let changed: [Registration.Line]
    let ahead: [WeekAhead]
    /// The first day with anything after those.
    let later: Day?
    let helping: Helping
    /// Places that were given back, and events that were left, a moment ago.
    var undos: [Undo] = []
    /// The shifts of one's organization on these days.
    var hosted: [HostedShift] = []
    /// What waits for an answer, where these are the days from today on.
    var awaited: [Awaited] = []

    init(
        _ week: Week, _ items: [WeekItem], ahead: [WeekItem], later: Day?, people: [WeekPerson], helping: Helping
    ) {
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
    /// Whether nothing is planned at all.
    var isBlank: Bool { isEmpty && week.isThis && ahead.isEmpty && later == nil }
    /// What the grid begins and ends with, as the style sheet reads it.
    var frame: String { "f\(hours.lowerBound) t\(hours.upperBound)" }
    var clock: [TimeOfDay] { hours.compactMap { TimeOfDay(minutes: $0 * 60) } }
}

/// A day of what a family is registered for, as Today lists it.
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
