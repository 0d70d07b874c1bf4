import Forms
import Templating
import Testing

@testable import App

/// Days, times and amounts as language and country together write them.
@Suite struct FormatsTests {
    @Test func `a weekend is the country's`() throws {
        #expect(Weekend.of("US") == .usual && Weekend.of("DE") == .usual && Weekend.of("??") == .usual)
        #expect(Weekend.of("IL") == Weekend(first: 4, count: 2))
        let thursday = try #require(Day(iso: "2027-03-25"))
        func days(_ country: String, _ ahead: Int) -> [String] {
            let days = Weekend.of(country).days(from: thursday.advanced(by: ahead))
            return [days.first.iso, days.last.iso]
        }
        #expect(days("IL", 0) == ["2027-03-26", "2027-03-27"] && days("US", 0) == ["2027-03-27", "2027-03-28"])
        #expect(days("IL", 2) == ["2027-03-27", "2027-03-27"] && days("US", 2) == ["2027-03-27", "2027-03-28"])
        #expect(days("IL", 3) == ["2027-04-02", "2027-04-03"] && days("US", 3) == ["2027-03-28", "2027-03-28"])
    }

    @Test func `lists and numbers are written as the language has them`() {
        func written(_ names: [String], _ locale: String) -> String { names.listed().text(by: nil, in: locale) }
        #expect(written([], "en-US").isEmpty && written(["Mo"], "en-US") == "Mo")
        #expect(written(["Mo", "Lu"], "en-US") == "Mo and Lu" && written(["Mo", "Lu"], "de-DE") == "Mo und Lu")
        #expect(written(["Mo", "Lu", "Vy"], "de-DE") == "Mo, Lu und Vy")
        #expect(written(["Mo", "Lu", "Vy", "Al"], "es-ES") == "Mo, Lu, Vy y Al")
        #expect(["Mo", "Lu", "Vy"].listed(.short).text(by: nil, in: "en-US") == "Mo, Lu, Vy")
        let count = Words("{count} place", plural: "{count} places", count: 1_204)
        #expect(count.text(by: nil, in: "en-US") == "1,204 places")
        #expect(count.text(by: nil, in: "de-DE") == "1.204 places")
        #expect(count.text(by: nil, in: "es-ES") == "1204 places" && count.text(by: nil, in: "fa-US") == "۱٬۲۰۴ places")
        #expect(Words(CountryName(code: "DE")).text(by: nil, in: "fr-US") == "Allemagne")
    }

    @Test func `a zone has its own name in each language, however often it is asked for`() throws {
        let (there, here) = (
            try #require(Zone(identifier: "Europe/Berlin")), try #require(Zone(identifier: "America/Los_Angeles"))
        )
        for _ in 0..<2 {
            #expect(there.name.text(by: nil, in: "en-US") == "Central European Time")
            #expect(here.name.text(by: nil, in: "en-US") == "Pacific Time")
            #expect(there.name.text(by: nil, in: "de-DE") == "Mitteleuropäische Zeit")
        }
    }

    private let day = Day(iso: "2026-11-22")!

    private func text(_ words: Words, _ locale: String) -> String { words.plain(in: locale) }

    @Test(arguments: [
        ("en-US", "Sunday, November 22", "Sunday, November 22, 2026", "Sun, Nov 22", "November 2026"),
        ("en-GB", "Sunday 22 November", "Sunday, 22 November 2026", "Sun 22 Nov", "November 2026"),
        ("de-DE", "Sonntag, 22. November", "Sonntag, 22. November 2026", "So. 22. Nov.", "November 2026"),
    ])
    func `a day`(locale: String, name: String, full: String, short: String, month: String) {
        #expect(text(day.name, locale) == name)
        #expect(text(day.fullName, locale) == full)
        #expect(text(day.shortName, locale) == short)
        #expect(text(day.monthName, locale) == month)
    }

    @Test(arguments: [
        ("en-US", "9:30 AM to 11 AM", "12 PM to 12 AM the next day"),
        ("en-DE", "9:30 to 11:00", "12:00 to 0:00 the next day"),
    ])
    func `from when to when`(locale: String, morning: String, half: String) {
        func span(_ start: String, _ end: String) -> String {
            text(EventTimes.words(from: TimeOfDay(typed: start)!, to: TimeOfDay(typed: end)!), locale)
        }
        #expect(span("9:30", "11:00") == morning && span("12:00", "0:00") == half)
    }

    @Test(arguments: [
        ("en-US", "USD", "$1,008", "$1,008.50"), ("en-US", "EUR", "€1,008", "€1,008.50"),
        ("en-US", "CHF", "CHF 1,008", "CHF 1,008.50"), ("de-DE", "EUR", "1.008 €", "1.008,50 €"),
    ])
    func `an amount`(locale: String, currency: String, whole: String, cents: String) {
        #expect(text(Words(Money(minorUnits: 100_800, currency: currency)), locale) == whole)
        #expect(text(Words(Money(minorUnits: 100_850, currency: currency)), locale) == cents)
    }

    @Test func `an amount has as many places as its currency`() {
        #expect(text(Words(Money(minorUnits: 1_500, currency: "JPY")), "en-US") == "¥1,500")
        #expect(text(Words(Money(minorUnits: 1_250, currency: "KWD")), "en-US") == "KWD 1.250")
        #expect(Money(minorUnits: 1_500, currency: "JPY").decimal == "1500")
        #expect(Money(minorUnits: 1_250, currency: "KWD").decimal == "1.250")
        #expect(Money(minorUnits: 850, currency: "USD").decimal == "8.50")
    }

    @Test func `a language has its own digits and its direction`() {
        #expect(text(day.monthName, "ar-EG").contains("٢٠٢٦") && Formats.isRightToLeft("ar-EG"))
        #expect(!Formats.isRightToLeft("en-US"))
        #expect(Formats.name(ofLanguage: "pl", in: "pl-US") == "polski")
    }

    @Test func `what is written can be typed`() {
        for locale in ["en-US", "en-DE", "en-GB"] {
            for minutes in stride(from: 0, to: 1_440, by: 15) {
                let time = TimeOfDay(minutes: minutes)!
                #expect(TimeOfDay(typed: time.text(in: locale)) == time)
            }
        }
        for month in 1...12 {
            let day = Day(year: 2027, month: month, day: 9)!
            let text = DayText(day: day, style: .full).text(in: "en-US")
            #expect(Day(typed: String(text.drop { $0 != " " }), in: "US") == day)
        }
    }
}
