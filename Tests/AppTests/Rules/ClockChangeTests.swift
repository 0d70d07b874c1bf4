import Forms
import Testing

@testable import App

/// What takes place in the nights in which clocks are set anew: every rule goes by the moments, and says the times that
/// clocks there show.
@Suite struct ClockChangeTests {
    /// A zone, the day on which its clocks change, and by how many hours that day is shorter.
    struct Night: Sendable {
        let zone: Zone
        let day: Day
        let shorter: Int

        init(_ zone: String, _ day: String, _ shorter: Int) {
            (self.zone, self.day, self.shorter) = (Zone(identifier: zone)!, Day(iso: day)!, shorter)
        }

        /// From 11 PM on the evening before to 5 AM: six hours by the clock.
        var schedule: Schedule { schedule(day.advanced(by: -1), "23:00", "5:00") }

        func schedule(_ day: Day, _ start: String, _ end: String?) -> Schedule {
            let (start, end) = (TimeOfDay(typed: start)!, end.flatMap { TimeOfDay(typed: $0) })
            let times = EventTimes(day, from: start, to: end, in: zone)
            return Schedule(day: day, start: start, end: end, startsAt: times.start, endsAt: times.end)
        }

        var event: Event {
            Event(
                id: ID(1), host: Event.Host(id: ID(1), username: "", name: "", person: nil), title: "Night of owls",
                schedule: schedule,
                venue: Venue(address: Address(street: "1 Elm St", city: "A"), zone: zone.identifier),
                admission: Admission(), details: EventDetails(description: ""))
        }

        func activity(_ start: String, _ end: String?) -> Activity {
            Activity(id: ID(1), content: .init(name: "Owl walk", schedule: schedule(day, start, end)))
        }

        var signup: Signup {
            let shift = Shift(
                id: ID(1), day: schedule.day, start: schedule.start, end: schedule.end!, startsAt: schedule.startsAt,
                endsAt: schedule.endsAt, spots: 1, lead: "")
            return Signup(
                id: ID(1), opportunity: ID(1), title: "Night watch", kind: .volunteer, host: ID(1), hostName: "",
                account: ID(1), shift: shift, state: .confirmed, message: "", createdAt: schedule.startsAt,
                placeName: "", address: Address(street: "1 Elm St", city: "A"), coordinate: nil, zone: zone.identifier,
                changedAt: schedule.startsAt)
        }

        func meeting(at time: String) -> MeetingLine {
            let start = schedule(day, time, nil).startsAt
            let meeting = Meeting(
                id: ID(1), match: ID(1), account: ID(1), other: ID(2), place: "Willow park", times: [start],
                state: .agreed, startsAt: start, reason: "", again: nil, otherAgain: nil)
            return MeetingLine(meeting: meeting, match: ClockChangeTests.match, account: ID(1))
        }
    }

    static let nights = [
        Night("America/Los_Angeles", "2027-03-14", 1), Night("America/Los_Angeles", "2027-11-07", -1),
        Night("Europe/Berlin", "2027-03-28", 1), Night("Europe/Berlin", "2027-10-31", -1),
    ]

    private static let english = Language(nil, country: "US")

    private func file(_ entry: EventCalendar.Entry?) throws -> String {
        let entry = try #require(entry)
        let calendar = EventCalendar(
            name: "Village", site: "https://village.example", host: "village.example", language: Self.english,
            entries: [entry])
        return String(decoding: calendar.bytes, as: UTF8.self)
    }

    private func stamp(_ day: Day) -> String { day.iso.replacing("-", with: "") }

    @Test(arguments: nights)
    func `in the night before, a reader abroad reads which day it is there`(night: Night) throws {
        let tokyo = try #require(Zone(identifier: "Asia/Tokyo"))
        // Half an hour before midnight and half an hour after it: clocks change later.
        let moments = [(night.day.advanced(by: -1), "23:30", "Tomorrow"), (night.day, "0:30", "Today")]
        func wrong(_ schedule: Schedule) throws -> [String] {
            try moments.compactMap { day, time, word in
                let now = night.zone.instant(day, try #require(TimeOfDay(typed: time)))
                let said = schedule.moment(at: now, for: tokyo).plain
                return said.hasPrefix(word) ? nil : "\(time): \(said)"
            }
        }
        var schedule = night.schedule(night.day, "10:00", "12:00")
        schedule.zone = night.zone.identifier
        #expect(try wrong(schedule) == [])
        // Twin: without the zone it is an hour off.
        schedule.zone = ""
        #expect(try wrong(schedule).count == 1)
    }

    @Test(arguments: nights) func `an event takes as long as it takes, and says what clocks show`(night: Night) throws {
        let event = night.event
        #expect(event.endsAt - event.startsAt == .hours(6 - night.shorter))
        let calendar = try file(EventCalendar.Entry(event))
        let zone = night.zone.identifier
        #expect(calendar.contains("DTSTART;TZID=\(zone):\(stamp(event.day))T230000\r\n"))
        #expect(calendar.contains("DTEND;TZID=\(zone):\(stamp(night.day))T050000\r\n"))
        // A day before by the clock; two hours before by the moment.
        let morning = night.schedule(night.day, "9:00", nil)
        #expect(morning.startsAt - Reminder.day.due(for: morning, in: night.zone) == .hours(24 - night.shorter))
        #expect(morning.startsAt - Reminder.hours.due(for: morning, in: night.zone) == .hours(2))
    }

    @Test(arguments: nights) func `an activity clashes with what is on at the same moment, and with nothing else`(
        night: Night
    ) throws {
        // Two hours by the moment, over the change: three by the clock where it jumps, and one where it goes back.
        let isLate = night.zone.identifier == "Europe/Berlin" && night.shorter < 0
        let open = night.activity(isLate ? "2:30" : "1:30", nil).content.schedule
        #expect(open.endsAt - open.startsAt == .hours(2))
        let end = night.zone.local(open.endsAt).time
        #expect(end.minutes - open.start.minutes == 60 * (2 + night.shorter))
        #expect(!open.meets(night.schedule(night.day, end.iso, "6:00")))
        #expect(open.meets(night.schedule(night.day, end.moved(by: -15).time.iso, "6:00")))
        let calendar = try file(EventCalendar.Entry(night.event, night.activity("0:30", "4:00")))
        #expect(calendar.contains("DTSTART;TZID=\(night.zone.identifier):\(stamp(night.day))T003000\r\n"))
        #expect(calendar.contains("DTEND;TZID=\(night.zone.identifier):\(stamp(night.day))T040000\r\n"))
    }

    @Test(arguments: nights) func `somebody is at two places only at the same moment`(night: Night) {
        let pool = Address(street: "1 Park Rd", city: "B")
        func clashes(with start: String) -> [Clash.Kind] {
            let other = night.schedule(night.day, start, "9:00")
            let slot = TimeSlot(
                "Pool", [""], from: other.startsAt, to: other.endsAt, event: ID(2), address: pool)
            return Clash.advice(for: slot, beside: [TimeSlot(night.event, [""])]).map(\.kind)
                + Clash.advice(for: slot, beside: [TimeSlot(.shift(night.signup))]).map(\.kind)
        }
        #expect(clashes(with: "4:45") == [.same, .same])
        #expect(clashes(with: "5:05") == [.tight, .tight])
        #expect(clashes(with: "5:15") == [])
    }

    @Test(arguments: nights) func `the hours of a shift agree with when somebody came and went`(night: Night) throws {
        let whole = 6 - night.shorter
        let signup = night.signup
        let stay = signup.stay
        #expect(stay.mostMinutes == whole * 60)
        func row(said: Int? = nil, _ change: (inout HelperList.HoursRow.Entry) -> Void = { _ in })
            -> HelperList.HoursRow
        {
            var row = HelperList.HoursRow(stay, name: "Ana", day: night.schedule.day, said: said)
            change(&row.entry)
            return row
        }
        // As it is drawn: the times of the shift.
        #expect(row().entry.arrival == "23:00" && row().entry.departure == "05:00")
        #expect(try row().confirmation().minutes == whole * 60)
        // Four hours from 11 PM are over at 4 AM where clocks jump, and at 2 AM where they go back.
        let four = night.shorter > 0 ? "04:00" : "02:00"
        #expect(row(said: 240).entry.departure == four)
        #expect(try row { $0.hours = "4" }.confirmation().left == TimeOfDay(typed: four))
        // Where only the times are changed the hours follow, on the evening and on the morning.
        #expect(try row { $0.departure = "4:00" }.confirmation().minutes == (whole - 1) * 60)
        #expect(try row { $0.arrival = "0:00" }.confirmation().minutes == (whole - 1) * 60)
        #expect(try row { $0.arrival = "4:00" }.confirmation().minutes == 60)
        // An hour more than somebody was there is refused.
        #expect(throws: HelperList.HoursRow.Unfit.self) {
            try row { ($0.departure, $0.hours) = ("4:00", "\(whole).0") }.confirmation()
        }
        let calendar = try file(.init(signup, language: Self.english))
        #expect(calendar.contains("DTEND;TZID=\(night.zone.identifier):\(stamp(night.day))T050000\r\n"))
        #expect(
            signup.shift!.startsAt - Reminder.hours.due(for: signup.shift!.schedule, in: night.zone) == .hours(2))
    }

    @Test(arguments: nights) func `pets meet when the clock shows it, and at no time that it leaves out`(
        night: Night
    ) throws {
        let line = night.meeting(at: "9:00")
        let schedule = try #require(line.schedule(in: night.zone))
        #expect(schedule.start == TimeOfDay(typed: "9:00") && schedule.endsAt - schedule.startsAt == EventTimes.usual)
        let calls = [
            Meeting.next(for: schedule.startsAt, after: schedule.startsAt - .days(3), in: night.zone),
            Meeting.next(for: schedule.startsAt, after: schedule.startsAt - .hours(3), in: night.zone),
        ]
        #expect(
            calls.map { $0.map { schedule.startsAt - $0.due } } == [.hours(24 - night.shorter), .hours(2)])
        let calendar = try file(.init(line, in: night.zone, language: Self.english))
        #expect(calendar.contains("DTSTART;TZID=\(night.zone.identifier):\(stamp(night.day))T090000\r\n"))
        // The night's 2:30 comes once, twice or not at all.
        var form = Submission<MeetingForm>(
            try FormBody(query: "day_1=\(night.day.iso)&time_1=02:30&place=Willow+park"))
        form.form.check(&form, at: night.schedule.startsAt - .days(1), in: night.zone)
        #expect(form.problems.map(\.name) == (night.shorter > 0 ? ["time_1"] : []))
    }

    private static func pet(_ number: Int64, _ name: String, at cell: Cell) -> Pet {
        let traits = Pet.Traits(
            kind: .dog, word: "", sex: .female, born: 24_000, knowsMonth: true, size: .small, energy: .calm,
            neutered: .unknown, vaccinated: .unknown, children: .unknown, dogs: .unknown, cats: .unknown)
        return Pet(
            id: ID(number), account: ID(number), name: name, traits: traits, wishes: Pet.Wishes(), bio: [], cell: cell,
            createdAt: Instant(milliseconds: 0))
    }

    private static let match: PetMatch = {
        let cell = Cell(at: Coordinate(latitude: 37.3352, longitude: -121.8811)!)
        let owner = Owner(
            account: ID(2), name: "Cleo", city: "", zip: "", country: "US", cell: cell, contact: Owner.Contact(),
            showsReads: false)
        let start = Instant(milliseconds: 0)
        return PetMatch(
            id: ID(1), mine: pet(1, "Rex", at: cell), other: pet(2, "Luna", at: cell), owner: owner, at: start,
            lastAt: start, unread: 0, isNew: false, isFavorite: false, readUpTo: nil)
    }()
}
