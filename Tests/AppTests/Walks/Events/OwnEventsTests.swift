import Database
import Forms
import Testing

@testable import App

/// What hosts see of their own events: a row for a series, words that find them, months, and who waits.
@Suite struct OwnEventsTests {
    /// Weekly dates of one series, the first on March 27.
    private func series(
        _ title: String, dates count: Int, in site: TestSite, _ change: (inout EventForm) -> Void = { _ in }
    ) async throws -> [ID<Event>] {
        var dates: [ID<Event>] = []
        for number in 0..<count {
            dates.append(
                try await site.publish(by: .ben) {
                    $0.title = title
                    $0.date = Day(iso: "2027-03-27")!.advanced(by: 7 * number)
                    change(&$0)
                })
        }
        try await site.execute("UPDATE event SET series_id = \(dates[0]) WHERE title = \(title)")
        return dates
    }

    /// Cleo's child has the only place of a date, and these families wait.
    private func fill(_ event: ID<Event>, waiting: [Int], in site: TestSite) async throws {
        try await site.register([try await site.child("Cleo \(event)", of: .cleo)], of: .cleo, at: event)
        for number in waiting {
            let child = try await site.child("Kid \(event)", of: .family(number))
            let page = try await site.signIn(.family(number), as: .parent).visit("/events/\(event)")
            _ = try await page.press("Join the waiting list", filling: ["child": ["\(child)"]])
        }
    }

    /// All rows of a list, page by page, and how many pages there were.
    private func all(_ first: Page) async throws -> (rows: [String], pages: Int) {
        var (page, rows, pages) = (first, first.rows, 1)
        while page.link("Show more events") != nil {
            page = try await page.follow("Show more events")
            rows += page.rows
            pages += 1
        }
        return (rows, pages)
    }

    @Test func `an event with room for all says who goes, and not how many places are taken`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben) {
                $0.audience = .everyone
                $0.spots = nil
            }
            let page = try await site.signIn(.ben, as: .provider).visit("/me/events")
            #expect(page.text.contains("0 people are going") && !page.text.contains("places taken"))
        }
    }

    @Test func `a series of sixty dates is one row among forty others, and its dates are one press away`()
        async throws
    {
        try await withTestSite { site in
            _ = try await series("Story time", dates: 60, in: site)
            for number in 10..<50 {
                try await site.publish(by: .ben) {
                    $0.title = "Craft \(number)"
                    $0.date = Day(iso: "2027-03-28")!.advanced(by: number)
                }
            }
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/me/events")
            #expect(page.rows.first == "Story time" && page.rows.count == 20)
            #expect(page.text.contains("59 more dates, until May 13, 2028"))
            #expect(page.text.contains("March 27") && page.text.contains("0 of 20 places taken"))
            let (rows, pages) = try await all(page)
            #expect(rows.count == 41 && pages == 3)
            #expect(rows.count { $0 == "Story time" } == 1)

            let dates = try await page.follow("Show all 60 dates: Story time")
            #expect(dates.heading == "Story time" && !dates.text.contains("more date"))
            let each = try await all(dates)
            #expect(each.rows == Array(repeating: "Story time", count: 60) && each.pages == 3)
            // Of a search those dates that have its words.
            let found = try await ben.visit("/me/events?q=story")
            let link = try #require(found.link("Show all 60 dates: Story time"))
            #expect(link.contains("q=story") && link.contains("series="), "\(link)")
            // Twin: what has one date is no series.
            #expect(page.link("Show all 1 dates: Craft 10") == nil && page.link("Show 1 date: Craft 10") == nil)
        }
    }

    @Test func `a series goes on with its next date, stands under Over with the last, and each list counts its own`()
        async throws
    {
        try await withTestSite { site in
            let dates = try await series("Story time", dates: 4, in: site)
            try await site.execute("UPDATE event SET cancelled_at = 1, listed = FALSE WHERE id = \(dates[3])")
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/me/events").text.contains("2 more dates, until Apr 10, 2027"))
            site.clock.advance(by: .days(15))
            // Their session ended meanwhile.
            let later = try await site.signIn(.ben, as: .provider)
            let page = try await later.visit("/me/events")
            #expect(page.rows == ["Story time"] && page.text.contains("April 10"))
            #expect(!page.text.contains("more date"))
            let over = try await later.visit("/me/events?list=expired")
            #expect(over.rows == ["Story time"] && over.text.contains("April 3"))
            #expect(over.text.contains("1 more date, the first on Mar 27, 2027"))
            #expect(try await later.visit("/me/events?list=cancelled").rows == ["Story time"])
        }
    }

    @Test func `dates that belong together say so, and a stranger finds no date of a series by its number`()
        async throws
    {
        try await withTestSite { site in
            let dates = try await series("Choir", dates: 3, in: site)
            let ben = try await site.signIn(.ben, as: .provider)
            let words = "Families register for all dates together"
            #expect(try await !ben.visit("/me/events").text.contains(words))
            try await site.execute("UPDATE event SET booking = 'together' WHERE title = 'Choir'")
            #expect(try await ben.visit("/me/events").text.contains(words))
            let cleo = try await site.signIn(.cleo, as: .provider)
            #expect(try await cleo.visit("/me/events?series=\(dates[0])").rows == [])
            #expect(try await ben.visit("/me/events?series=\(dates[0])").rows.count == 3)
        }
    }

    @Test func `words find one's own events and nobody else's, with a slip of the finger, and drafts by their titles`()
        async throws
    {
        try await withTestSite { site in
            _ = try await series("Story time", dates: 3, in: site)
            try await site.publish(by: .ben) { $0.title = "Swimming for beginners" }
            try await site.publish(by: .cleo) { $0.title = "Swimming for all" }
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/me/events?q=swim").rows == ["Swimming for beginners"])
            let page = try await ben.visit("/me/events?q=swiming")
            #expect(page.rows == ["Swimming for beginners"] && page.text.contains("Showing results for swimming"))
            #expect(try await ben.visit("/me/events?q=story").rows == ["Story time"])
            #expect(try await ben.visit("/me/events?q=story").text.contains("2 more dates"))
            let none = try await ben.visit("/me/events?q=story&list=expired")
            #expect(none.rows == [] && none.text.contains("None with these words here"))
            #expect(none.link("Coming up") == "/me/events?list=upcoming&q=story")
            for title in ["Kites to fly", "Ropes"] {
                _ = try await ben.visit("/events/new").press("Keep as draft", filling: ["title": .text(title)])
            }
            #expect(try await ben.visit("/me/events?list=draft").rows.count == 2)
            #expect(try await ben.visit("/me/events?list=draft&q=kite").rows == ["Kites to fly"])
        }
    }

    @Test func `a series is found by the first of its dates with the words, and words are looked up once for a page`()
        async throws
    {
        try await withTestSite { site in
            let dates = try await series("Story time", dates: 3, in: site)
            let first = try await site.publish(by: .ben) {
                $0.title = "Opening night"
                $0.date = Day(iso: "2027-03-25")!
            }
            try await site.execute("UPDATE event SET series_id = \(dates[0]) WHERE id = \(first)")
            let ben = try await site.signIn(.ben, as: .provider)
            let story = try await ben.visit("/me/events?q=story")
            #expect(story.rows == ["Story time"] && story.text.contains("2 more dates"))
            let opening = try await ben.visit("/me/events?q=opening")
            #expect(opening.rows == ["Opening night"] && !opening.text.contains("more date"))
            for list in ["waiting", "cancelled"] {
                #expect(try await ben.visit("/me/events?q=story&list=\(list)").rows == [])
            }
            site.clock.advance(by: .days(60))
            let later = try await site.signIn(.ben, as: .provider)
            #expect(try await later.visit("/me/events?q=story&list=expired").rows == ["Story time"])
            // Asked for each event, a host of 8,000 waited for seconds.
            let searches = site.site.database.recordedStatements.map(\.description).filter {
                $0.contains("FROM event_search") && $0.contains("activity_wait")
            }
            #expect(searches.count >= 4)
            for search in searches { #expect(search.split(separator: "event_search WHERE").count == 2) }
            // Only those of several days are, of which one host has few at a time.
            for search in searches {
                #expect(!search.split(separator: "OR event.is_long AND")[0].contains("event_search.rowid = "))
            }
        }
    }

    @Test func `a row says who waits for a place or an answer, at which dates, and leads there`() async throws {
        try await withTestSite { site in
            let dates = try await series("Story time", dates: 5, in: site) { $0.spots = 1 }
            let quiet = try await site.publish(by: .ben) { $0.title = "Quiet" }
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/me/events?list=waiting").text.contains("Nobody waits"))
            try await fill(dates[1], waiting: [1, 2], in: site)
            var page = try await ben.visit("/me/events")
            #expect(page.link("2 wait for a place on April 3: Story time") == "/events/\(dates[1])/waiting")
            try await fill(dates[3], waiting: [3], in: site)
            page = try await ben.visit("/me/events?list=waiting")
            #expect(page.rows == ["Story time"])
            let waiting = try await page.follow("3 wait for a place, at 2 dates: Story time")
            #expect(waiting.rows == ["Story time", "Story time"])
            #expect(waiting.link("2 wait for a place: Story time") == "/events/\(dates[1])/waiting")
            #expect(waiting.link("1 waits for a place: Story time") == "/events/\(dates[3])/waiting")

            let asker = try await site.signIn(.family(1), as: .parent)
            _ = try await asker.visit("/events/\(quiet)").press("Ask", filling: ["text": "Is it quiet?"])
            page = try await ben.visit("/me/events?list=waiting")
            #expect(page.rows.sorted() == ["Quiet", "Story time"])
            #expect(page.link("1 question to answer: Quiet") == "/events/\(quiet)#questions")
            try await site.execute("UPDATE question SET answer = 'Yes.', answered_at = 1")
            #expect(try await ben.visit("/me/events?list=waiting").rows == ["Story time"])
            // What is over has nobody to wait for it.
            site.clock.advance(by: .days(60))
            #expect(try await ben.visit("/me/events?list=waiting").rows == [])
            #expect(try await !ben.visit("/me/events?list=expired").text.contains("for a place"))
        }
    }

    @Test func `a month shows each date on its day, what lasts longer on all of its days, and goes on`() async throws {
        try await withTestSite { site in
            _ = try await series("Story time", dates: 4, in: site)
            try await site.publish(by: .ben) {
                $0.title = "Camp"
                $0.date = Day(iso: "2027-03-30")!
                $0.endDate = Day(iso: "2027-04-02")!
            }
            try await site.publish(by: .cleo) { $0.title = "Not mine" }
            let ben = try await site.signIn(.ben, as: .provider)
            func days(_ page: Page) -> [String] {
                page.html.all(ofClass: "month-day").flatMap { day in
                    day.all("b").map { "\(day.first("h2")?.first("span")?.text ?? ""): \($0.text)" }
                }
            }
            let march = try await ben.visit("/me/events").follow("By month")
            #expect(march.text.contains("March 2027"))
            #expect(
                days(march) == [
                    "Saturday, March 27: Story time", "Tuesday, March 30: Camp", "Wednesday, March 31: Camp",
                ])
            let april = try await march.follow("The month after")
            #expect(
                days(april) == [
                    "Thursday, April 1: Camp", "Friday, April 2: Camp", "Saturday, April 3: Story time",
                    "Saturday, April 10: Story time", "Saturday, April 17: Story time",
                ])
            #expect(try await april.follow("The month after").text.contains("Nothing planned on these days"))
            #expect(try await days(april.follow("The month before")) == days(march))
            #expect(try await ben.visit("/me/events/calendar?from=nonsense").status == 200)
        }
    }

    @Test func `a month of more events than a page goes on where it ended`() async throws {
        try await withTestSite { site in
            for number in 0..<(OwnMonth.pageSize + 5) {
                try await site.publish(by: .ben) { $0.title = "Kite \(number)" }
            }
            let ben = try await site.signIn(.ben, as: .provider)
            var page = try await ben.visit("/me/events/calendar")
            var titles = page.html.all(ofClass: "month-day").flatMap { $0.all("b").map(\.text) }
            #expect(titles.count == OwnMonth.pageSize)
            page = try await page.follow("Show more events")
            titles += page.html.all(ofClass: "month-day").flatMap { $0.all("b").map(\.text) }
            #expect(Set(titles).count == OwnMonth.pageSize + 5 && page.link("Show more events") == nil)
        }
    }
}
