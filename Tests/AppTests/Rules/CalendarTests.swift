import Forms
import Testing

@testable import App

@Suite struct DayTests {
    @Test func `a day knows its date, also before 1970 and on 29 February`() {
        for (year, month, day, number) in [
            (1970, 1, 1, 0), (2000, 2, 29, 11_016), (1969, 12, 31, -1), (2026, 11, 21, 20_778),
        ] {
            let date = Day(year: year, month: month, day: day)!
            #expect(date.number == number)
            #expect(date.components == (year, month, day))
        }
        #expect(Day(year: 2026, month: 2, day: 29) == nil)
        #expect(Day(year: 2100, month: 2, day: 29) == nil)
    }

    @Test func `every day of 400 years comes back from its number`() {
        var day = Day(year: 1900, month: 1, day: 1)!
        while day.year < 2300 {
            let (year, month, date) = day.components
            #expect(Day(year: year, month: month, day: date) == day)
            day = day.advanced(by: 1)
        }
    }

    @Test func `weeks begin on Monday`() {
        #expect(Day(iso: "2026-11-21")!.weekday == 5)
        #expect(Day(iso: "1970-01-01")!.weekday == 3)
        #expect(Day(iso: "1969-12-29")!.weekday == 0)
    }

    @Test func `it is named as people say it`() {
        let day = Day(iso: "2027-03-27")!
        #expect(day.fullName.english == "Saturday, March 27, 2027")
        #expect(day.shortName.english == "Sat, Mar 27")
    }

    @Test(arguments: [
        ("2026-11-21", "2026-11-21"), ("11/21/2026", "2026-11-21"), ("3/4/2027", "2027-03-04"),
        ("21.11.2026", "2026-11-21"),
        ("21 Nov 2026", "2026-11-21"), ("November 21, 2026", "2026-11-21"), ("nov 21st 2026", "2026-11-21"),
    ])
    func `dates are read as people in the US type them`(typed: String, iso: String) {
        #expect(Day(typed: typed, monthFirst: true)?.iso == iso)
    }

    @Test func `elsewhere the day comes first`() {
        #expect(Day(typed: "3/4/2027", monthFirst: false)?.iso == "2027-04-03")
    }

    @Test(arguments: [
        "", "tomorrow", "2026-13-01", "31.2.2026", "21 Smarch 2026", "1/2/3", "2026", "99999999999999-1-1", "1-2-20266",
        "😀 😀 😀",
        "2026-11-21-04", "Nov 2026 21",
    ])
    func `anything else is no date`(typed: String) {
        #expect(Day(typed: typed, monthFirst: true) == nil)
    }
}

@Suite struct TimeOfDayTests {
    @Test(arguments: [
        ("19:00", "19:00"), ("7pm", "19:00"), ("7:30 PM", "19:30"), ("7.30", "07:30"), ("1900", "19:00"),
        ("noon", "12:00"),
        ("12am", "00:00"), ("12 p.m.", "12:00"), ("9:05", "09:05"), ("18h30", "18:30"), ("19:00:00", "19:00"),
    ])
    func `times are read as people type them`(typed: String, iso: String) {
        #expect(TimeOfDay(typed: typed)?.iso == iso)
    }

    @Test(arguments: [
        "", "25:00", "12:60", "7", "13pm", "0pm", "soon", "7:3", "::", "-1:00", "٣:٠٠", "99999999999999999999",
    ])
    func `anything else is no time`(typed: String) {
        #expect(TimeOfDay(typed: typed) == nil)
    }
}

@Suite struct ZoneTests {
    private let newYork = Zone(identifier: "America/New_York")!

    @Test func `a wall clock's time becomes the right instant, in winter and in summer`() {
        let winter = newYork.instant(Day(iso: "2027-01-15")!, TimeOfDay(typed: "10:00")!)
        let summer = newYork.instant(Day(iso: "2027-07-15")!, TimeOfDay(typed: "10:00")!)
        #expect(Zone.utc.local(winter).time.iso == "15:00")
        #expect(Zone.utc.local(summer).time.iso == "14:00")
    }

    @Test func `an hour that the spring change skips is moved on by an hour`() {
        let skipped = newYork.instant(Day(iso: "2027-03-14")!, TimeOfDay(typed: "2:30am")!)
        #expect(newYork.local(skipped).time.iso == "03:30")
    }

    @Test func `of an hour that comes twice the first is meant`() {
        let first = newYork.instant(Day(iso: "2027-11-07")!, TimeOfDay(typed: "1:30am")!)
        #expect(Zone.utc.local(first).time.iso == "05:30")
    }

    @Test func `instants before 1970 have a day too`() {
        #expect(Zone.utc.local(Instant(milliseconds: -1)).day.iso == "1969-12-31")
    }
}

@Suite struct MoneyTests {
    @Test(arguments: [
        ("8", 800), ("8.50", 850), ("8,5", 850), ("$12", 1_200), ("free", 0), ("0", 0), ("12 USD", 1_200),
        ("12$", 1_200),
        (" $ 12.5 ", 1_250), ("usd12", 1_200), ("Free", 0), ("1,000", 100_000), ("1 000.50", 100_050),
        ("1’000", 100_000),
        ("1.000,50", 100_050), ("12,345.6", 1_234_560), ("100000", 10_000_000), ("007", 700), ("1\u{A0}000", 100_000),
    ])
    func `prices are read as people type them`(typed: String, cents: Int) {
        #expect(Money(typed: typed, currency: "USD")?.minorUnits == cents)
    }

    @Test(arguments: [
        "", "-1", "8.505", "1.000.000", "a lot", "1e9", "999999999", "8..5", "5 5", "€5£", "$5$", "$$5", "$5 USD", "€5",
        "5£",
        "5 €", "5 EUR", "$", "USD", "$ ", "5$5", "1,00,000", "1 0000", "10 00", "1,000,000", "0,100", "1,000,50",
        "1.000.50",
        "1 000,000", "1,000 000", "5.", ".5", ",", "5,", "٣", "５", "5\u{301}", "$\u{301}5", "5–8", "5/8", "5 8.50",
        "$5 each",
        "100001", "1'00", "+5", "5\n5", "free 5", "$free $",
    ])
    func `anything else is no price`(typed: String) {
        #expect(Money(typed: typed, currency: "USD") == nil)
    }

    @Test func `only the sign of their own currency fits`() {
        for (typed, currency) in [
            ("€5", "EUR"), ("5 €", "EUR"), ("£5", "GBP"), ("5 chf", "CHF"), ("CHF 5", "CHF"), ("$5", "CAD"),
        ] {
            #expect(Money(typed: typed, currency: currency)?.minorUnits == 500, "\(typed)")
        }
        for (typed, currency) in [
            ("$5", "EUR"), ("€5", "GBP"), ("£5", "CHF"), ("5 USD", "CAD"), ("€5£", "EUR"), ("€5£", "GBP"),
        ] {
            #expect(Money(typed: typed, currency: currency) == nil, "\(typed)")
        }
    }
}
