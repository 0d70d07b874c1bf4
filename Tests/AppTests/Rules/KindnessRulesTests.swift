import Testing

@testable import App

/// Streaks that forgive, levels, the act of the day.
@Suite struct KindnessRulesTests {
    private func day(_ iso: String) -> Day { Day(iso: iso)! }
    private func days(_ days: String...) -> [Day] { days.map { Day(iso: $0)! } }

    @Test func `days in a row are counted, one twice is one`() {
        let streak = Streak(of: days("2027-03-15", "2027-03-16", "2027-03-16", "2027-03-17"))
        #expect(streak.length == 3 && streak.record == 3 && streak.rests == 1)
    }

    @Test func `a missed day takes the rest day that is saved, and a second one ends it`() {
        // 15 March 2027 is a Monday.
        let rested = Streak(of: days("2027-03-16", "2027-03-18"))
        #expect(rested.length == 3 && rested.rests == 0)
        let over = Streak(of: days("2027-03-16", "2027-03-18", "2027-03-20"))
        #expect(over.length == 1 && over.record == 3 && over.rests == 1)
    }

    @Test func `each Monday saves a rest day, two at most`() {
        let begin = day("2027-03-15")
        let streak = Streak(of: (0..<29).map { begin.advanced(by: $0) })
        #expect(streak.length == 29 && streak.rests == 2)
        let two = Streak(of: (0..<15).map { begin.advanced(by: $0) } + days("2027-04-01"))
        #expect(two.length == 18 && two.rests == 0, "30 and 31 March were rest days")
    }

    @Test func `today may still be empty, and a streak is lost only once rest days don't do`() {
        let streak = Streak(of: days("2027-03-16", "2027-03-17"))
        #expect(streak.seen(on: day("2027-03-18")).length == 2)
        #expect(streak.seen(on: day("2027-03-19")).length == 3, "the 18th was a rest day")
        #expect(streak.seen(on: day("2027-03-20")).length == 0)
        #expect(streak.seen(on: day("2027-03-20")).record == 2)
    }

    @Test func `a pause neither counts nor ends anything`() {
        let pause = day("2027-03-18")...day("2027-04-10")
        let streak = Streak(of: days("2027-03-16", "2027-03-17", "2027-04-11"), pauses: [pause])
        #expect(streak.length == 3)
        #expect(Streak(of: days("2027-03-16", "2027-03-17", "2027-04-11")).length == 1)
    }

    @Test func `a pause changes how a streak stands only where days were missed`() {
        let streak = Streak(of: days("2027-03-16", "2027-03-17"))
        let pauses = [day("2027-03-10")...day("2027-04-10")]
        for today in days("2027-03-16", "2027-03-17", "2027-03-18") {
            #expect(!streak.hasGap(before: today))
            #expect(streak.seen(on: today, pauses: pauses) == streak.seen(on: today))
        }
        let later = day("2027-03-20")
        #expect(streak.hasGap(before: later) && !Streak(of: []).hasGap(before: later))
        #expect(streak.seen(on: later, pauses: pauses).length == 2 && streak.seen(on: later).length == 0)
    }

    @Test func `marks show what was done, rested and is open`() {
        let today = day("2027-03-20")
        let done = days("2027-03-16", "2027-03-18", "2027-03-19")
        let marks = Streak(of: done).seen(on: today).marks(Set(done), on: today).map(\.mark)
        #expect(marks.suffix(5) == [.done, .rest, .done, .done, .open] && marks.first == .empty)
    }

    @Test func `the day is the town's, on both days on which clocks are set`() {
        let zone = Zone(identifier: "America/Los_Angeles")!
        for iso in ["2027-03-14", "2027-11-07"] {
            let today = day(iso)
            let start = zone.instant(today, .midnight)
            let end = zone.instant(today.advanced(by: 1), .midnight)
            #expect(zone.day(of: start) == today && zone.day(of: end - .seconds(1)) == today)
            #expect(end - start != .days(1))
            let streak = Streak(of: [start - .seconds(1), end - .seconds(1), end].map(zone.day))
            #expect(streak.length == 3)
        }
        // From Berlin to New York: the day is what was written, and one that comes again counts once.
        let flight = Streak(of: days("2027-06-01", "2027-06-02", "2027-06-02", "2027-06-03"))
        #expect(flight.length == 3)
    }

    @Test func `a level takes ten times its square`() {
        let steps = [(0, 1, 0, 10), (9, 1, 9, 10), (10, 2, 0, 40), (49, 2, 39, 40), (50, 3, 0, 90), (250, 4, 110, 160)]
        for (points, number, reached, needed) in steps {
            let level = Level(points: points)
            #expect(level.number == number && level.reached == reached && level.needed == needed)
        }
    }

    @Test func `each act is the day's once before any returns`() {
        let start = day("2027-03-01")
        #expect(KindAct.catalog.count == 100)
        #expect(Set(KindAct.catalog.map(\.id)).count == 100)
        for turn in 0..<3 {
            let seen = Set((0..<100).map { KindAct.ofDay(start.advanced(by: turn * 100 + $0)).id })
            #expect(seen.count == 100)
        }
        let today = KindAct.ofDay(start)
        #expect(KindAct.lastFeatured(today.id, before: start) == start.advanced(by: -100))
    }

    @Test func `a shelf shows the first two acts of its theme, and how many there are`() {
        let acts = KindAct.catalog + [KindAct.catalog[0]]
        for (theme, shelf) in zip(KindAct.Theme.allCases, KindnessPage.shelves(of: acts)) {
            let all = acts.filter { $0.theme == theme }
            #expect(shelf.theme == theme && shelf.size == all.count)
            #expect(shelf.acts.map(\.id) == all.prefix(2).map(\.id))
        }
        #expect(KindnessPage.shelves(of: []).map(\.size) == KindAct.Theme.allCases.map { _ in 0 })
    }

    @Test func `each theme has acts, and words find them`() {
        let english = Language(nil, country: "US")
        for theme in KindAct.Theme.allCases { #expect(KindAct.catalog.contains { $0.theme == theme }) }
        #expect(KindAct.catalog.filter(KindAct.holds("LADDER", in: english)).map(\.id) == [ID(203)])
        #expect(KindAct.catalog.filter(KindAct.holds("", in: english)).count == 100)
    }
}
