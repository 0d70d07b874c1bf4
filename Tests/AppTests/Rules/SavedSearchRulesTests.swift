import Forms
import Templating
import Testing

@testable import App

/// What is kept of a search, and what a letter about it tells.
@Suite struct SavedSearchRulesTests {
    private static let today = Day(iso: "2027-03-20")!

    private func kept(_ typed: String) -> String? { SavedSearch.query(typed: typed, in: "US", on: Self.today) }

    private func text(_ words: Words) -> String { words.text(by: nil, in: "en-US") }

    @Test func `of a query the known filters are kept, in one order, and what is kept stays the same`() {
        #expect(kept("city=San+Jose&q=kite") == "q=kite&city=San%20Jose")
        let much = "q=kite&city=San%20Jose&sort=newest&after=1_1&within=25&x=1&next=//evil.example"
        #expect(kept(much) == kept("city=San+Jose&q=kite"))
        #expect(kept("near=95112&within=25&unit=km") != nil)
        #expect(kept("") == "city=" && kept("x=1") == "city=" && kept("event=3") == "city=")
        for query in [
            "q=%3Cscript%3E&tag=music&tag=outdoors", "near=San%20Jos%C3%A9&within=25", "from=2027-03-20&to=2027-04-20",
            "when=weekend&age=4&age=8&free_places=2&price=free&covid_safe=1&audience=everyone&access=online", "city=",
        ] {
            let once = kept(query)
            #expect(once != nil && once.flatMap(kept) == once, "\(query)")
        }
    }

    @Test func `what can't be read, or is too long, isn't kept`() {
        #expect(kept("from=2027-04-20&to=2027-03-20") == nil)
        #expect(kept("from=someday") == nil && kept("free_places=many") == nil)
        let long = String(repeating: "%F0%9F%AA%81", count: 200)
        #expect(kept("q=\(long)&city=\(long)") == nil)
    }

    @Test func `a search is said as its list says it, and in a letter without children`() {
        func filter(_ query: String) -> EventFilter {
            SavedSearch(id: ID(1), query: query, savedAt: Clock.start).filter(in: "US", .usual)
        }
        let search = filter("q=kite&city=San%20Jose&age=4&free_places=2")
        #expect(text(search.said) == "“kite”, San Jose, for age 4, and 2 places free")
        #expect(text(search.saidInLetter) == "“kite” and San Jose")
        #expect(text(filter("age=4").saidInLetter) == "Events")
        #expect(text(filter("audience=kids").saidInLetter) == "Events")
        #expect(text(filter("q=kite&audience=kids").saidInLetter) == "“kite”")
        let everyone = filter("audience=everyone")
        #expect(text(everyone.saidInLetter) == text(everyone.said) && text(everyone.said) != "All events")
        #expect(text(filter("city=").said) == "All events" && text(filter("city=").saidInLetter) == "All events")
        #expect(text(filter("near=95112").said) == "near 95112")
    }

    @Test func `a day of another year is said with its year`() {
        func said(_ query: String) -> String {
            let search = SavedSearch(id: ID(1), query: query, savedAt: Clock.start)
            return text(search.filter(in: "US", .usual, on: Self.today).said)
        }
        #expect(said("to=9999-12-31") == "until Dec 31, 9999" && said("from=2028-01-03") == "from Jan 3, 2028")
        #expect(said("from=2027-03-21&to=2027-12-31") == "from Sun, Mar 21 and until Fri, Dec 31")
        var plain = EventFilter()
        plain.today = Self.today
        #expect(plain.isEmpty)
    }

    @Test func `a place that nobody knows isn't offered to be saved, nor the place of one event`() {
        var filter = EventFilter()
        #expect(filter.canBeSaved(on: Self.today))
        filter.near = "Nowhere"
        #expect(!filter.canBeSaved(on: Self.today))
        filter.near = ""
        filter.event = ID(3)
        #expect(!filter.canBeSaved(on: Self.today))
    }

    @Test func `days that are over aren't offered to be saved, nor kept, and the last one is still good`() {
        for (days, isGood) in [
            ("from=2027-03-01&to=2027-03-19", false), ("to=2027-03-19", false), ("from=2027-03-01&to=2027-03-20", true),
            ("to=2027-03-20", true), ("from=2027-03-01", true), ("when=today&to=2027-03-19", true),
        ] {
            let filter = (try? FormBody(query: days)).map { EventFilter($0, country: "US") }
            #expect(filter?.canBeSaved(on: Self.today) == isGood, "\(days)")
            #expect((kept(days) != nil) == isGood, "\(days)")
        }
    }

    @Test func `the letter comes in a week, at seven in the morning`() throws {
        let zone = try #require(Zone(identifier: "America/Los_Angeles"))
        // The night to Sunday, March 14, is an hour shorter.
        let saved = zone.instant(try #require(Day(iso: "2027-03-10")), try #require(TimeOfDay(hour: 21, minute: 30)))
        let first = SearchLetter.due(after: saved, in: zone)
        #expect(first == zone.instant(try #require(Day(iso: "2027-03-17")), Digest.hour))
        #expect(SearchLetter.due(after: first + .minutes(1), in: zone) - first == .days(7))
    }

    @Test func `a letter keeps what it tells, and passes over what it can't read`() {
        let news = SearchNews(
            parts: [
                .init(search: ID(3), events: [ID(7), ID(9)], hasMore: true),
                .init(search: ID(5), events: [ID(12)], hasMore: false),
                .init(search: ID(6), events: [], hasMore: true),
            ], opening: [ID(4)])
        #expect(news.detail == "3:7,9+;5:12;6:+;:4")
        #expect(SearchNews(detail: news.detail) == news)
        #expect(SearchNews().detail == "" && SearchNews(detail: "").isEmpty)
        #expect(SearchNews(detail: "x;y:1;;3").isEmpty)
    }

    @Test func `registration opens for a family when it can register itself`() {
        let (now, day) = (Clock.start, Duration.days(1))
        let window = Window(opensAt: now + day, closesAt: nil, firstZIPs: ["95112"], firstUntil: now + day + day)
        #expect(window.opening(zip: "95112", at: now) == now + day)
        #expect(window.opening(zip: "94000", at: now) == now + day + day)
        #expect(window.opening(zip: "95112", at: now + day) == nil)
        #expect(Window().opening(zip: nil, at: now) == nil)
        #expect(Window(closesAt: now).opening(zip: nil, at: now) == nil)
    }
}
