import Database
import Testing

@testable import App

/// `/events`: the feed, its filters and its pages.
@Suite struct FeedTests {
    /// A town with something for everybody. Now is Saturday, March 20, 2027, three in the morning.
    private func fill(_ site: TestSite) async throws {
        try await site.publish(by: .ben) {
            $0.title = "Café concert"
            $0.description = "Songs for Mothers’ Day, with Zoë."
            $0.date = Day(iso: "2027-03-20")!
            $0.price = "5"
            $0.tags = "music, indoors"
        }
        try await site.publish(by: .ben) {
            $0.title = "Kite day"
            $0.date = Day(iso: "2027-03-21")!
            $0.ageFrom = 4
            $0.ageTo = 8
            $0.price = "0"
            $0.tags = "outdoors"
            $0.covidSafe = true
        }
        try await site.publish(by: .cleo) {
            $0.title = "Swimming"
            $0.description = "Bring a towel and a snack."
            $0.date = Day(iso: "2027-03-26")!
            $0.city = "Campbell"
            $0.spots = 2
            $0.ageFrom = 6
        }
        try await site.publish(by: .cleo) {
            $0.title = "Swim gala"
            $0.description = "Races for all who like the water."
            $0.date = Day(iso: "2027-04-10")!
            $0.city = "San José"
            $0.tags = "outdoors, music"
        }
    }

    @Test(arguments: [
        ("", ["Café concert", "Kite day", "Swimming", "Swim gala"]),
        // Words: as prefixes, in any case, without accents, in any field, all of them.
        ("q=kit", ["Kite day"]), ("q=KITE", ["Kite day"]), ("q=cafe", ["Café concert"]),
        ("q=caf%C3%A9", ["Café concert"]),
        ("q=zoe", ["Café concert"]), ("q=swim", ["Swimming", "Swim gala"]), ("q=swim+gala", ["Swim gala"]),
        ("q=gala,swim!", ["Swim gala"]), ("q=king", ["Café concert", "Kite day"]),
        ("q=park+pool", ["Swimming", "Swim gala"]),
        ("q=campbell", ["Swimming"]), ("q=music", ["Café concert", "Swim gala"]), ("q=ite", []), ("q=kite+gala", []),
        // Days.
        ("when=today", ["Café concert"]), ("when=weekend", ["Café concert", "Kite day"]),
        ("when=week", ["Café concert", "Kite day", "Swimming"]), ("from=2027-03-26", ["Swimming", "Swim gala"]),
        ("to=2027-03-21", ["Café concert", "Kite day"]), ("from=3/21/2027&to=26+Mar+2027", ["Kite day", "Swimming"]),
        ("from=2027-04-10&to=2027-04-10", ["Swim gala"]), ("from=2027-04-11", []),
        ("from=2027-04-10&to=2027-04-09", []),
        // Place, however it is written.
        ("city=Campbell", ["Swimming"]), ("city=san+jos%C3%A9", ["Café concert", "Kite day", "Swim gala"]),
        ("city=SAN+JOSE", ["Café concert", "Kite day", "Swim gala"]), ("city=Nowhere", []),
        // For whom: an event without ages is for all.
        ("age=3", ["Café concert", "Swim gala"]), ("age=4", ["Café concert", "Kite day", "Swim gala"]),
        ("age=4&age=8", ["Café concert", "Kite day", "Swim gala"]),
        ("age=9", ["Café concert", "Swimming", "Swim gala"]),
        ("age=7&age=9", ["Café concert", "Swimming", "Swim gala"]),
        // Room, price, safety, tags.
        ("free_places=2", ["Café concert", "Kite day", "Swimming", "Swim gala"]),
        ("free_places=3", ["Café concert", "Kite day", "Swim gala"]), ("free_places=21", []),
        ("price=free", ["Kite day"]),
        ("covid_safe=1", ["Kite day"]), ("tag=music", ["Café concert", "Swim gala"]),
        ("tag=Outdoors", ["Kite day", "Swim gala"]),
        ("tag=music&tag=outdoors", ["Swim gala"]), ("tag=mus", []),
        // All together, with each source of rows.
        ("q=swim&city=Campbell", ["Swimming"]), ("q=swim&tag=music", ["Swim gala"]), ("tag=outdoors&city=Campbell", []),
        ("q=s&when=week&age=6&free_places=1", ["Café concert", "Kite day", "Swimming"]),
        ("q=swim&from=2027-04-01", ["Swim gala"]), ("tag=music&to=2027-03-31", ["Café concert"]),
        // What can't be read is left out.
        (
            "when=never&from=soon&to=&age=x&age=99&free_places=-1&price=1&after=x&q=+",
            [
                "Café concert", "Kite day", "Swimming", "Swim gala",
            ]
        ),
    ])
    func `filters find what fits, soonest first`(query: String, titles: [String]) async throws {
        try await withTestSite { site in
            try await fill(site)
            let page = try await site.browser().visit("/events?\(query)")
            #expect(page.status == 200)
            #expect(page.cards == titles)
        }
    }

    @Test func `what is over, was cancelled or hidden is not listed`() async throws {
        try await withTestSite { site in
            try await fill(site)
            site.clock.advance(by: .hours(9))
            try await site.execute("UPDATE event SET cancelled_at = 1, listed = FALSE WHERE title = 'Swimming'")
            try await site.execute("UPDATE event SET hidden_at = 1, listed = FALSE WHERE title = 'Swim gala'")
            for query in ["", "q=a", "when=week", "tag=music", "q=swim", "city=Campbell"] {
                let cards = try await site.browser().visit("/events?\(query)").cards
                #expect(!cards.contains("Café concert") && !cards.contains("Swimming") && !cards.contains("Swim gala"))
            }
            #expect(try await site.browser().visit("/events").cards == ["Kite day"])
        }
    }

    @Test func `an event stays in every list until it ends, and what is over never comes back`() async throws {
        try await withTestSite { site in
            func today(_ title: String, _ start: String, _ end: String?) async throws {
                try await site.publish(by: .ben) {
                    $0.title = title
                    $0.date = Day(iso: "2027-03-20")!
                    $0.startTime = TimeOfDay(typed: start)!
                    $0.endTime = end.flatMap { TimeOfDay(typed: $0) }
                    $0.tags = "music"
                }
            }
            try await site.gazetteer()
            try await today("Fair", "8:00", "18:00")
            try await today("Breakfast", "9:00", "10:00")
            try await today("Story hour", "11:00", nil)
            try await today("Sleepover", "20:00", "9:00")
            let ben = try await site.signIn(.ben, as: .provider)
            let ana = try await site.signIn(.ana, as: .parent)
            func lists(_ expected: [String]) async throws {
                for query in [
                    "", "when=today", "from=2027-03-20", "q=kites", "tag=music", "city=San+Jose", "zip=95113",
                    "sort=newest", "q=kites&sort=newest", "near=95113&sort=soonest", "near=95113",
                ] {
                    let cards = try await ana.visit("/events?\(query)").cards
                    #expect(cards.sorted() == expected.sorted(), "\(query) at \(site.clock.now)")
                }
                #expect(try await ben.visit("/me/events").rows == expected)
                let over = ["Sleepover", "Story hour", "Breakfast", "Fair"].filter { !expected.contains($0) }
                #expect(try await ben.visit("/me/events?list=expired").rows == over)
                #expect(try await ana.visit("/providers/ben-ruiz").cards.prefix(expected.count) == expected[...])
            }
            try await lists(["Fair", "Breakfast", "Story hour", "Sleepover"])
            // Eleven o'clock, a minute before one, one o'clock, after midnight.
            site.clock.advance(by: .hours(8))
            try await lists(["Fair", "Story hour", "Sleepover"])
            site.clock.advance(by: .minutes(119))
            try await lists(["Fair", "Story hour", "Sleepover"])
            site.clock.advance(by: .minutes(1))
            try await lists(["Fair", "Sleepover"])
            site.clock.advance(by: .hours(19))
            #expect(try await ana.visit("/events").cards == ["Sleepover"])
            site.clock.advance(by: .hours(1))
            try await lists([])
        }
    }

    @Test func `any input is safe`() async throws {
        try await withTestSite { site in
            try await fill(site)
            let words = [
                "\"* OR NEAR(", "kite*", "\"", "'", "title:kite", "NOT kite", "kite AND", "(", "^kite", "{a b}:x",
                "-kite", "+", "%", "_", "🎪", "👨‍👩‍👧", "\u{0}", "\u{202E}etik", "a\u{301}",
                "'; DROP TABLE event; --", "ﬁ", "İ", "٣", "\\",
                String(repeating: "kite ", count: 300), String(repeating: "k", count: 1_000),
                String(repeating: "\"", count: 500),
            ]
            for word in words {
                for field in ["q", "city", "tag", "from", "after", "age", "free_places", "when"] {
                    let page = try await site.browser().visit("/events?" + Browser.encode([(field, word)]))
                    #expect(page.status == 200, "\(field)=\(word)")
                }
            }
            for after in ["9_9_9", "-1_1", "99999999999999999_1", "1806166800000_0", "1806166800000_", "_", "0_1"] {
                #expect(try await site.browser().visit("/events?after=\(after)").status == 200)
            }
            for query in ["%", "q=%ZZ", "q=%FF%FE", "&&&=&", "q", "q=a&q=b"] {
                #expect(try await site.browser().visit("/events?\(query)").status == 200, "\(query)")
            }
            #expect(try site.count(of: "event") == 4)
        }
    }

    /// 45 events, several at the same time, of two providers in two towns.
    private func crowd(_ site: TestSite) async throws {
        for number in 0..<45 {
            try await site.publish(by: .ben) {
                $0.title = "Kite day \(number)"
                $0.date = Day(iso: "2027-03-21")!.advanced(by: number / 7)
                $0.city = number % 3 == 2 ? "Campbell" : "San Jose"
                $0.tags = number % 9 == 0 ? "music" : "outdoors"
            }
        }
    }

    /// The titles of all pages, following the link from each to the next.
    private func walk(_ browser: Browser, _ path: String) async throws -> [String] {
        var page = try await browser.visit(path)
        var titles = page.cards
        while page.link("Show more events") != nil, titles.count < 200 {
            #expect(page.cards.count == 20)
            page = try await page.follow("Show more events")
            titles += page.cards
        }
        return titles
    }

    @Test(arguments: ["", "q=kite", "q=kite+day", "tag=outdoors", "city=San+Jose", "city=San+Jose&q=kite", "when=week"])
    func `page follows page without a gap or a repeat`(query: String) async throws {
        try await withTestSite { site in
            try await crowd(site)
            let all = (0..<45).filter { number in
                (!query.contains("outdoors") || number % 9 != 0) && (!query.contains("city") || number % 3 != 2)
                    && (!query.contains("week") || number / 7 < 6)
            }
            let titles = try await walk(site.browser(), "/events?\(query)")
            #expect(titles == all.map { "Kite day \($0)" })
        }
    }

    @Test func `an event that comes in between is no reason to show another twice`() async throws {
        try await withTestSite { site in
            try await crowd(site)
            let first = try await site.browser().visit("/events")
            try await site.publish(by: .ben) {
                $0.title = "In between"
                $0.date = Day(iso: "2027-03-20")!
            }
            let second = try await first.follow("Show more events")
            #expect(second.cards == (20..<40).map { "Kite day \($0)" })
        }
    }

    @Test func `a parent begins with the own city, and one click widens it, on every page`() async throws {
        try await withTestSite { site in
            try await crowd(site)
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/events")
            #expect(page.heading == "Events in San Jose")
            #expect(page.text.contains("These are the events in San Jose, your town."))
            let own = (0..<45).filter { $0 % 3 != 2 }.map { "Kite day \($0)" }
            #expect(try await walk(ana, "/events") == own)
            let wide = try #require(page.link("Show all towns"))
            #expect(try await walk(ana, wide) == (0..<45).map { "Kite day \($0)" })
            // A request for a named thing is given that.
            #expect(try await ana.visit("/events?q=kite").cards.contains("Kite day 2"))
            // Others see everything.
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await walk(ben, "/events").count == 45)
        }
    }

    @Test func `filters stay in the form, in the chips and on the next page`() async throws {
        try await withTestSite { site in
            try await crowd(site)
            let page = try await site.browser().visit("/events?q=kite&city=San+Jose&age=4&free_places=2&tag=outdoors")
            #expect(page.value(of: "q") == "kite" && page.value(of: "city") == "San Jose")
            #expect(page.values(of: "age") == ["4"] && page.value(of: "free_places") == "2")
            #expect(page.value(of: "tag") == "outdoors")
            let next = try await page.follow("Show more events")
            #expect(next.value(of: "q") == "kite" && next.values(of: "age") == ["4"])
            let without = try await page.follow("“kite” , take this filter off")
            #expect(without.value(of: "q") == "" && without.value(of: "city") == "San Jose")
        }
    }

    @Test func `the search form finds, and nothing found says what to do`() async throws {
        try await withTestSite { site in
            #expect(try await site.browser().visit("/events").text.contains("No events yet"))
            try await fill(site)
            var page = try await site.browser().visit("/events").press("Search", filling: ["q": "gala"])
            #expect(page.cards == ["Swim gala"])
            page = try await page.press("Search", filling: ["q": "dragons"])
            #expect(page.cards == [] && page.text.contains("No events fit all of that"))
            #expect(try await page.follow("Clear all filters").cards.count == 4)
        }
    }

    @Test func `a card tells what, when, where, from whom and how much room`() async throws {
        try await withTestSite { site in
            try await fill(site)
            let page = try await site.browser().visit("/events?q=swimming")
            let card = try #require(page.html.all(ofClass: "card").first).text
            for fact in [
                "Swimming", "Bring a towel and a snack.", "10 AM to 12 PM", "180 Park Ave, Campbell", "Park Pool",
                "from 6 years", "2 places left",
            ] {
                #expect(card.contains(fact))
            }
            #expect(page.html.all("h2").contains { $0.text == "Friday, March 26" })
        }
    }

    @Test func `the page says how many events there are, and so does the button before it is pressed`() async throws {
        try await withTestSite { site in
            try await crowd(site)
            let browser = site.browser()
            #expect(try await browser.visit("/events").text.contains("45 events"))
            #expect(try await browser.visit("/events?tag=music").text.contains("5 events"))
            #expect(try await browser.visit("/events/map?city=Campbell").text.contains("15 events"))
            for (query, label) in [
                ("", "Show 45 events"), ("city=Campbell", "Show 15 events"), ("q=kite+day+7", "Show 1 event"),
                ("when=week&tag=outdoors", "Show 37 events"), ("q=dragons", "Nothing fits yet"),
                ("from=2027-04-10&to=2027-04-09", "Show events"), ("sort=newest&free_places=2", "Show 45 events"),
            ] {
                let answer = try await browser.send("GET", "/events/count?\(query)", ["Accept": "application/json"])
                #expect(answer.string.contains("\"label\":\"\(label)\""), "\(query): \(answer.string)")
            }
        }
    }

    @Test func `of the filters on, the first four are tried without, each alone`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben)
            func ways(_ query: String) async throws -> [String] {
                let page = try await site.browser().visit("/events?\(query)")
                #expect(page.cards == [])
                return page.html.all(ofClass: "lighter").flatMap { $0.all("a") }.map(\.text)
            }
            #expect(try await ways("city=San+Jose&age=4&age=5&price=free") == ["without Free of charge 1 event"])
            #expect(try await ways("city=San+Jose&age=4&age=5&free_places=1&price=free") == [])
            #expect(try await ways("q=kite&from=2027-03-28") == ["without the first day 1 event"])
        }
    }

    @Test func `free is what costs nothing and asks for nothing, by filter, badge and linked data`() async throws {
        try await withTestSite { site in
            let kinds: [(title: String, price: String?, isOpen: Bool, isFree: Bool?)] = [
                ("Free", "0", false, true), ("As you can from zero", "0", true, false),
                ("As you can", nil, true, false), ("As you can from nine", "9", true, false),
                ("Paid", "9", false, false), ("Unsaid", nil, false, nil),
            ]
            for kind in kinds {
                let event = try await site.publish(by: .ben) {
                    $0.title = kind.title
                    $0.price = kind.price
                    $0.isPriceOpen = kind.isOpen
                }
                let page = try await site.browser().visit("/events/\(event)")
                let said: Bool? =
                    page.string.contains("\"isAccessibleForFree\":true")
                    ? true : page.string.contains("\"isAccessibleForFree\":false") ? false : nil
                #expect(said == kind.isFree, "\(kind.title)")
                #expect(page.string.contains("\"price\":\"0\"") == (kind.isFree == true), "\(kind.title)")
            }
            let feed = try await site.browser().visit("/events")
            #expect(feed.html.all(ofClass: "badge--free").map(\.text) == ["Free"])
            #expect(try await site.browser().visit("/events?price=free").cards == ["Free"])
        }
    }

    @Test func `counting ends at a hundred, and where few of very many fit`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.date = Day(iso: "2027-03-21")! }
            func copy(_ count: Int, spots: Int) async throws {
                try await site.writeQuietly { db in
                    for number in 0..<count {
                        _ = try db.execute(
                            """
                            INSERT INTO event (account_id, title, description, synopsis, motif, day, start_minute,
                                zone, starts_at, ends_at, street, city, state, zip, country, city_key, spots,
                                covid_safe, currency, tags, once, created_at, updated_at)
                            SELECT account_id, title, description, synopsis, motif, day, start_minute, zone,
                                starts_at + \(number), ends_at, street, city, state, zip, country, city_key,
                                \(spots), covid_safe, currency, tags, \("\(spots)-\(number)"), 1, 1
                            FROM event WHERE id = \(event)
                            """)
                    }
                }
            }
            try await copy(100, spots: 3)
            #expect(try await site.browser().visit("/events?free_places=3").text.contains("More than 50 events"))
            try await copy(30, spots: 50)
            // Behind more than are looked at, others may fit: the number is what is known for sure.
            try await site.writeQuietly { db in
                _ = try db.execute("UPDATE event SET starts_at = starts_at - 1000000 WHERE spots = 50")
            }
            try await copy(2_100, spots: 4)
            let text = try await site.browser().visit("/events?free_places=40").text
            #expect(text.contains("More than 29 events"), "\(text.prefix(400))")
        }
    }

    @Test func `counting around a place ends where few of very many fit`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            let event = try await site.publish(by: .ben) { $0.spots = 50 }
            func says(_ label: String) async throws {
                let answer = try await site.browser().visit("/events/count?near=95113&free_places=60").string
                #expect(answer.contains("\"label\":\"\(label)\""), "\(answer)")
            }
            try await says("Nothing fits yet")
            try await site.execute(
                """
                WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 2100)
                INSERT INTO event (account_id, title, description, synopsis, motif, day, start_minute, zone, starts_at,
                    ends_at, street, city, state, zip, country, city_key, spots, covid_safe, currency, tags, point_id,
                    once, created_at, updated_at)
                SELECT account_id, title, description, synopsis, motif, day, start_minute, zone, starts_at, ends_at,
                    street, city, state, zip, country, city_key, spots, covid_safe, currency, tags, point_id, 'n' || n,
                    1, 1
                FROM event, number WHERE event.id = \(event)
                """)
            // Behind those that are looked at one may fit.
            try await says("Show events")
        }
    }

    @Test func `a last day before the first is a problem at the field, and a stretch of days wins over days left over`()
        async throws
    {
        try await withTestSite { site in
            try await fill(site)
            let page = try await site.browser().visit("/events?from=2027-04-10&to=2027-04-09")
            #expect(page.problems == ["The last day is before the first. Change one of them."])
            #expect(page.html.all("a").contains { $0["href"] == "#to" })
            #expect(page.html.all("input").contains { $0["name"] == "to" && $0["aria-invalid"] == "true" })
            #expect(!page.text.contains("No events fit") && page.value(of: "to") == "2027-04-09")
            let map = try await site.browser().visit("/events/map?from=2027-04-10&to=2027-04-09")
            #expect(map.problems == page.problems && !map.text.contains("No events fit"))
            let mended = try await page.press("Show events", filling: ["to": "2027-04-10"])
            #expect(mended.cards == ["Swim gala"] && mended.problems.isEmpty)
            let today = try await mended.press("Show events", filling: ["when": "today"])
            #expect(today.cards == ["Café concert"] && today.value(of: "from") == "")
        }
    }

    @Test(arguments: [
        ("swiming", "swimming", ["Swimming"]), ("Swiming+GALLA", "swimming gala", []), ("galla", "gala", ["Swim gala"]),
        ("swmi+gala", "swim gala", ["Swim gala"]), ("ktie", "kite", ["Kite day"]),
        ("ocncert", "concert", ["Café concert"]),
        ("musci", "music", ["Café concert", "Swim gala"]), ("outdors&price=free", "outdoors", ["Kite day"]),
    ])
    func `a slip of the fingers finds what was meant`(query: String, meant: String, titles: [String]) async throws {
        try await withTestSite { site in
            try await fill(site)
            for page in ["/events", "/events/map"] {
                let found = try await site.browser().visit("\(page)?q=\(query)")
                let cards = found.cards + found.html.all(ofClass: "spot").compactMap { $0.first("h2")?.text }
                #expect(cards == titles)
                #expect(found.text.contains("Showing results for \(meant)") == !titles.isEmpty)
                if !titles.isEmpty { #expect(found.value(of: "q") == meant) }
            }
        }
    }

    @Test(arguments: ["zzzzz", "dragons", "king", "towel", "ki", "qu", "kite+gala"])
    func `what is found, or far from any word, stays as it was typed`(query: String) async throws {
        try await withTestSite { site in
            try await fill(site)
            let page = try await site.browser().visit("/events?q=\(query)")
            #expect(!page.text.contains("Showing results for"))
            #expect(page.value(of: "q") == query.replacing("+", with: " "))
        }
    }

    @Test func `nothing found says which filter to drop, and what is there without it`() async throws {
        try await withTestSite { site in
            try await fill(site)
            let page = try await site.browser().visit("/events?q=gala&price=free&when=week")
            #expect(page.cards.isEmpty)
            let ways = page.html.all(ofClass: "lighter").flatMap { $0.all("a") }
            #expect(ways.map(\.text) == ["without “gala” 1 event"])
            #expect(try await site.browser().visit(ways[0]["href"] ?? "").cards == ["Kite day"])
            let other = try await site.browser().visit("/events?q=swimming&age=3")
            #expect(
                other.html.all(ofClass: "lighter").flatMap { $0.all("a") }.map(\.text) == [
                    "without “swimming” 2 events", "without age 3 1 event",
                ])
        }
    }

    @Test func `what is on now is listed first, and says so`() async throws {
        try await withTestSite { site in
            try await fill(site)
            site.clock.advance(by: .hours(8))
            let page = try await site.browser().visit("/events")
            #expect(page.cards.first == "Café concert")
            let cards = page.html.all(ofClass: "card").map(\.text)
            #expect(cards[0].contains("On now") && !cards[1].contains("On now"))
            // Nobody can register for it anymore: it has no place to offer.
            #expect(!cards[0].contains("left") && cards[1].contains("left"))
            let free = try await site.browser().visit("/events?free_places=1").cards
            #expect(!free.contains("Café concert") && !free.isEmpty)
        }
    }

    @Test func `Today shows places that fit a child who has none there and is free at that time`() async throws {
        try await withTestSite { site in
            for (title, hour, ages) in [
                ("Toddlers", 9, 0...2), ("Kites", 10, 4...8), ("Same time", 11, 0...17), ("Drums", 12, 8...12),
                ("Later", 14, 0...17),
            ] {
                try await site.publish(by: .ben) {
                    $0.title = title
                    $0.startTime = TimeOfDay(hour: hour, minute: 0)!
                    $0.endTime = TimeOfDay(hour: hour + 2, minute: 0)!
                    ($0.ageFrom, $0.ageTo) = (ages.lowerBound, ages.upperBound)
                }
            }
            let ana = try await site.signIn(.ana, as: .parent)
            let mo = try await site.child("Mo", of: .ana, year: 2021)
            var page = try await ana.visit("/")
            #expect(page.cards == ["Kites", "Same time", "Later"])
            _ = try await site.register([mo], of: .ana, at: ID(2))
            page = try await ana.visit("/")
            // What stands under “Next for you”, and what is left for Mo.
            #expect(page.cards == ["Kites", "Later"])
            _ = try await site.child("Lu", of: .ana, year: 2018)
            page = try await ana.visit("/")
            #expect(page.cards == ["Kites", "Same time", "Drums", "Later"])
            let cards = page.html.all(ofClass: "card").map(\.text)
            #expect(cards[1].contains("Fits Lu") && cards[3].contains("Fits Lu, Mo"), "\(cards)")
        }
    }

    @Test func `the start shows visitors what is on, and parents what is near`() async throws {
        try await withTestSite { site in
            try await fill(site)
            #expect(try await site.browser().visit("/").cards == ["Café concert", "Kite day", "Swimming", "Swim gala"])
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await ana.visit("/").cards == ["Café concert", "Kite day", "Swim gala"])
        }
    }

    @Test func `a host without an organization, and an event without a limit, are said as they are`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let child = try await site.child("Mo", of: .ana)
            try await site.execute("DELETE FROM provider")
            try await site.execute("UPDATE event SET spots = NULL")
            let visitor = site.browser()
            let page = try await visitor.visit("/events/\(event)")
            #expect(page.status == 200 && page.text.contains("Room for all") && page.text.contains("ben-ruiz"))
            #expect(!page.string.contains("/providers/ben-ruiz"))
            #expect(try await visitor.visit("/events").text.contains("Room for all"))
            #expect(try await visitor.visit("/events?free_places=90").cards == ["Kite day"])
            #expect(try await !visitor.visit("/events.atom").string.contains("/providers/"))
            let json = try await visitor.visit("/api/events/\(event)").string
            for part in ["\"spots\":null", "\"places_left\":null", "\"organization\":null"] {
                #expect(json.contains(part), "\(part)")
            }
            let registration = try await site.register([child], of: .ana, at: event)
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await ana.visit("/registrations/\(registration)").text.contains("ben-ruiz"))
        }
    }
}
