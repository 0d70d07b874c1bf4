import Testing

@testable import App

/// Which sessions nobody can be in both of.
@Suite struct SessionTimesTests {
    private func schedule(_ day: Int, _ start: String, _ end: String?, until last: Int? = nil) -> Schedule {
        func date(_ day: Int) -> Day { Day(iso: "2027-04-01")!.advanced(by: day - 1) }
        let (start, end) = (TimeOfDay(typed: start)!, end.flatMap { TimeOfDay(typed: $0) })
        let times = EventTimes(date(day), from: start, to: end, until: last.map(date), in: .utc)
        return Schedule(
            day: date(day), start: start, end: end, endDay: last.map(date), startsAt: times.start, endsAt: times.end)
    }

    @Test func `what lasts several days is at the same time on each of them`() {
        let mornings = schedule(5, "09:00", "12:00", until: 9)
        #expect(mornings.meets(schedule(7, "11:00", "13:00")))
        #expect(mornings.meets(schedule(5, "09:00", "12:00", until: 9)))
        #expect(!mornings.meets(schedule(5, "12:00", "15:00", until: 9)))
        #expect(!mornings.meets(schedule(5, "07:00", "09:00", until: 9)))
        #expect(!mornings.meets(schedule(10, "09:00", "12:00")))
        #expect(!mornings.meets(schedule(6, "13:00", nil)))
        #expect(mornings.meets(schedule(6, "11:30", nil)))
        #expect(mornings.meets(schedule(6, "08:00", nil)))
    }

    @Test func `what lasts several days is planned day by day`() {
        let days = schedule(5, "09:00", "12:00", until: 7).eachDay(in: .utc)
        #expect(days == [5, 6, 7].map { schedule($0, "09:00", "12:00") })
        let night = schedule(6, "18:00", "09:00", until: 8)
        for whole in [schedule(5, "09:00", "12:00"), night, schedule(5, "09:00", nil)] {
            #expect(whole.eachDay(in: .utc) == [whole])
        }
    }

    @Test func `what goes on through the night takes all of it`() {
        let night = schedule(6, "18:00", "09:00", until: 8)
        #expect(night.meets(schedule(7, "12:00", "13:00")))
        #expect(!night.meets(schedule(8, "09:00", "10:00")))
        let late = schedule(6, "22:00", "01:00")
        #expect(late.meets(schedule(7, "00:30", "02:00")))
        #expect(!late.meets(schedule(7, "01:00", "02:00")))
    }
}
