import Forms
import Templating
import Testing

@testable import App

/// The days and boxes of My week, and what a clock elsewhere shows.
@Suite struct WeekTests {
    private func schedule(
        _ day: String, _ start: String, _ end: String?, until last: String? = nil, in zone: Zone = .utc
    ) -> Schedule {
        let (day, start, end) = (Day(iso: day)!, TimeOfDay(typed: start)!, end.flatMap { TimeOfDay(typed: $0) })
        let times = EventTimes(day, from: start, to: end, until: last.flatMap { Day(iso: $0) }, in: zone)
        return Schedule(
            day: day, start: start, end: end, endDay: last.flatMap { Day(iso: $0) }, startsAt: times.start,
            endsAt: times.end)
    }

    @Test func `a week begins with the first day of the country's`() {
        #expect(Weekend.firstDay(of: "US") == 6 && Weekend.firstDay(of: "DE") == 0)
        #expect(Weekend.firstDay(of: "EG") == 5)
        let thursday = Day(iso: "2027-03-25")!
        #expect(Week(nil, today: thursday, firstDay: 6).from.iso == "2027-03-21")
        #expect(Week(nil, today: thursday, firstDay: 0).from.iso == "2027-03-22")
        #expect(Week(nil, today: thursday, firstDay: 3).from == thursday)
        #expect(Week("2027-01-06", today: thursday, firstDay: 6).from.iso == "2027-01-06")
        #expect(Week("2027-01-06", today: thursday).before.string == "/week?from=2026-12-30")
    }

    @Test func `what is at once lies side by side, and what lasts for days above the hours`() {
        let day = Day(iso: "2027-03-27")!
        let boxes = WeekBox.all(
            of: [
                schedule("2027-03-26", "10:00", "18:00", until: "2027-03-28"),
                schedule("2027-03-26", "22:00", "8:00"), schedule("2027-03-27", "10:00", "12:00"),
                schedule("2027-03-27", "10:30", "11:00"), schedule("2027-03-27", "11:15", nil),
                schedule("2027-03-27", "13:30", "14:00"), schedule("2027-03-27", "23:50", "1:00"),
            ], on: day)
        #expect(boxes[0] == nil)
        #expect(boxes[1] == WeekBox(start: 0, length: 32))
        #expect(boxes[2] == WeekBox(start: 40, length: 8, lane: 0, lanes: 2))
        #expect(boxes[3] == WeekBox(start: 42, length: 3, lane: 1, lanes: 2))
        #expect(boxes[4] == WeekBox(start: 45, length: 8, lane: 1, lanes: 2))
        #expect(boxes[5] == WeekBox(start: 54, length: 3))
        #expect(boxes[6] == WeekBox(start: 93, length: 3))
        #expect(boxes[2]?.classes == ["h10", "m0", "l2", "n0", "of2", "x0"])
        // However many there are, none lies outside.
        let crowd = WeekBox.all(of: (0..<20).map { _ in schedule("2027-03-27", "9:00", "10:00") }, on: day)
        #expect(crowd.compactMap { $0?.lane }.max() == 5 && crowd.allSatisfy { $0?.lanes == 6 })
    }

    @Test func `a time zone is found by its city, where one only is called so`() {
        func found(_ typed: String) -> String? { Zone(typed: typed)?.identifier }
        #expect(found("Berlin") == "Europe/Berlin" && found("new york") == "America/New_York")
        #expect(found("America/Los_Angeles") == "America/Los_Angeles" && found("UTC") == "UTC")
        #expect(found("PST") == nil && found("GMT+5") == nil && found("") == nil && found("Nowhere/Else") == nil)
    }

    @Test func `the time of a visitor elsewhere stands beside that of the venue, where it differs`() {
        let angeles = Zone(identifier: "America/Los_Angeles")!
        let noon = schedule("2027-03-27", "12:00", "13:30", in: angeles)
        #expect(noon.time(in: angeles) == nil)
        #expect(noon.time(in: Zone(identifier: "America/Vancouver")!) == nil)
        func said(_ schedule: Schedule, _ zone: String) -> String? {
            schedule.time(in: Zone(identifier: zone)!)?.plain
        }
        #expect(said(noon, "America/New_York") == "3 PM to 4:30 PM by your clock")
        // The far ends of the world: a day ahead at +14, a day behind at −11.
        #expect(said(noon, "Pacific/Kiritimati") == "Sunday, March 28, 9 AM to 10:30 AM by your clock")
        #expect(said(noon, "Pacific/Niue") == "8 AM to 9:30 AM by your clock")
        let early = schedule("2027-03-27", "1:00", nil, in: angeles)
        #expect(said(early, "Pacific/Niue") == "Friday, March 26, 9 PM by your clock")
        // On the days when clocks change, in both hemispheres.
        for (day, zone, before, after) in [
            ("2027-03-14", "America/Los_Angeles", "9 AM", "11 AM"),
            ("2027-11-07", "America/Los_Angeles", "8 AM", "12 PM"),
            ("2027-04-04", "Australia/Sydney", "2 PM", "6 PM"), ("2027-10-03", "Australia/Sydney", "3 PM", "5 PM"),
        ] {
            // Three hours by the clock there are two, or four, where it jumps between them.
            let zone = Zone(identifier: zone)!
            let said = ["1:00", "4:00"].map { schedule(day, $0, nil, in: zone).time(in: .utc)?.plain ?? "" }
            #expect(said[0].contains("\(before) by your") && said[1].contains("\(after) by your"), "\(said)")
            #expect(schedule(day, "4:00", nil, in: zone).time(in: zone) == nil)
        }
        // A fair of days.
        let fair = schedule("2027-03-26", "10:00", "18:00", until: "2027-03-28", in: angeles)
        #expect(said(fair, "Europe/London") == "5 PM to Monday, March 29, 2 AM by your clock")
        // In a list both days are short, on a page both are long.
        let before = fair.startsAt - .days(5)
        #expect(fair.moment(at: before).plain == "Fri, Mar 26, 10 AM to Sun, Mar 28, 6 PM")
        #expect(fair.when.plain == "Friday, March 26, 2027, 10 AM to Sunday, March 28, 6 PM")
    }
}
