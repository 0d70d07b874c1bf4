import Database
import Forms
import Templating
import Testing

@testable import App

/// Filters of the list of events that a member saves, and the one letter a week about them.
@Suite struct SavedSearchTests {
    private static let job = "wrote a letter about the week’s news in saved searches"

    /// Eight days later, at the first beat of the clock.
    private func pass(_ site: TestSite) async {
        site.clock.advance(by: .days(8))
        await Housekeeping(site: site.site).tidyUp(at: site.clock.now) { $0.name == Self.job }
    }

    /// What the letters to somebody name, each by its headings and the titles below them.
    private func letters(to person: Person, in site: TestSite) async throws -> [[String: [String]]] {
        let (account, now) = (try await site.account(of: person), site.clock.now)
        return try site.read(at: now) { tx in
            let letters: [Letter] = try tx.all(
                """
                SELECT \(Letter.columns) FROM letter WHERE kind = 'searched' AND account_id = \(account)
                ORDER BY id LIMIT 100
                """)
            return try letters.compactMap { try $0.text(country: "US", zone: .utc, in: tx) }.map { text in
                Dictionary(
                    text.sections.map { section in
                        (
                            section.heading.text(by: nil, in: "en-US"),
                            section.facts.map { $0.name.text(by: nil, in: "en-US") }
                        )
                    }, uniquingKeysWith: +)
            }
        }
    }

    private func save(_ query: String, by person: Person, in site: TestSite) async throws {
        let (account, now) = (try await site.account(of: person), site.clock.now)
        let due = SearchLetter.due(after: now, in: site.site.settings.zone)
        let isSaved = try await site.write(at: now) { tx in
            try SavedSearch.save(query, by: account, letter: due, in: tx)
        }
        #expect(isSaved)
        try await site.execute("UPDATE account SET confirmed_at = 1 WHERE id = \(account)")
    }

    @discardableResult
    private func publish(_ title: String, by person: Person = .ben, in site: TestSite) async throws -> ID<Event> {
        site.clock.advance(by: .minutes(10))
        return try await site.publish(by: person) {
            ($0.title, $0.description) = (title, "We meet at noon.")
            $0.date = Day(iso: "2027-05-01")!
        }
    }

    // MARK: Saving

    @Test func `a search is saved once, says what it looks for, and leads to it until it is removed`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben)
            let ana = try await site.signIn(.ana)
            #expect(try await ana.visit("/favorites").follow("Saved searches").text.contains("No search is saved yet"))
            #expect(try await !site.browser().visit("/events?q=kite").buttons.contains("Save this search"))
            let page = try await ana.visit("/events?q=kite&city=San+Jose&sort=newest").press("Save this search")
            #expect(page.path == "/searches" && page.text.contains("It is on"))
            #expect(try await page.follow("“kite” and San Jose").cards == ["Kite day"])
            // In whatever order, and on whichever page of the list.
            let again = try await ana.visit("/events?city=San+Jose&q=kite")
            #expect(again.link("This search is saved") == "/searches" && !again.buttons.contains("Save this search"))
            let token = try #require(page.value(of: "csrf"))
            let query = "city=San+Jose&q=kite&after=1_1&x=1"
            #expect(try await ana.post("/searches", [("csrf", token), ("query", query)]).path == "/searches")
            #expect(try site.count(of: "saved_search WHERE query = 'q=kite&city=San%20Jose'") == 1)
            #expect(try site.count(of: "saved_search") == 1 && site.count(of: "search_letter") == 1)
            // Twice is once.
            for _ in 1...2 {
                let left = try await page.press("Remove: “kite” and San Jose")
                #expect(left.path == "/searches" && left.text.contains("No search is saved yet"))
            }
            #expect(try site.count(of: "saved_search") == 0 && site.count(of: "search_letter") == 0)
        }
    }

    @Test func `what the map shows is saved as well, as the list`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben)
            #expect(try await !site.browser().visit("/events/map?q=kite").buttons.contains("Save this search"))
            let ana = try await site.signIn(.ana)
            let page = try await ana.visit("/events/map?q=kite").press("Save this search")
            #expect(page.path == "/searches" && page.link("“kite”") == "/events?q=kite")
            #expect(try site.count(of: "saved_search WHERE query = 'q=kite'") == 1)
            let again = try await ana.visit("/events/map?q=kite")
            #expect(again.link("This search is saved") == "/searches")
            // The surroundings of one event are over with it.
            #expect(try await !ana.visit("/events/map?event=1").buttons.contains("Save this search"))
        }
    }

    @Test func `nothing but filters is stored, whatever a form sends`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            let token = try #require(try await ana.visit("/searches").value(of: "csrf"))
            for query in ["from=someday", "from=2027-04-20&to=2027-03-20"] {
                #expect(try await ana.submit("/searches", [("csrf", token), ("query", query)]).status == 400)
            }
            #expect(try await ana.submit("/searches", [("csrf", token)]).status == 400)
            #expect(try site.count(of: "saved_search") == 0)
            for query in ["next=//evil.example&csrf=x&account_id=2", "q=<script>alert(1)</script>&id=7"] {
                #expect(try await ana.submit("/searches", [("csrf", token), ("query", query)]).status == 303)
            }
            #expect(try site.count(of: "saved_search WHERE query = 'city='") == 1)
            #expect(try site.count(of: "saved_search WHERE query LIKE '%evil%' OR query LIKE '%id=%'") == 0)
            let page = try await ana.visit("/searches")
            #expect(page.text.contains("“<script>alert(1)</script>”") && !page.string.contains("<script>alert"))
        }
    }

    @Test func `searches near a place say how far around it, in the list and in the letter`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            let queries = ["near=95112", "near=95112&within=5", "near=95112&within=50"]
            for query in queries { try await save(query, by: .ana, in: site) }
            // Another one measures in kilometers, and looks 25 of them around.
            try await save("near=95112", by: .cleo, in: site)
            let cleo = try await site.account(of: .cleo)
            try await site.execute("UPDATE account SET unit = 'km', distance = 25 WHERE id = \(cleo)")
            let page = try await site.signIn(.ana).visit("/searches")
            for (distance, end) in [(10, ""), (5, "&within=5"), (50, "&within=50")] {
                let link = page.link("Within \(distance) mi of San Jose, CA 95112")
                #expect(link == "/events?near=95112\(end)", "\(distance)")
                #expect(page.buttons.contains("Remove: within \(distance) mi of San Jose, CA 95112"))
            }
            #expect(!page.text.contains("near 95112"))
            for number in 1...12 { try await publish("Kite \(number)", in: site) }
            await pass(site)
            let told = try await letters(to: .ana, in: site).map { Set($0.keys) }
            #expect(told == [Set([10, 5, 50].map { "within \($0) mi of San Jose, CA 95112" })])
            let others = try await letters(to: .cleo, in: site).map { Array($0.keys) }
            #expect(others == [["within 25 km of San Jose, CA 95112"]])
        }
    }

    @Test func `removing a search leads to the one that comes up in its place`() async throws {
        try await withTestSite { site in
            for name in ["kite", "chess", "lunch"] { try await save("q=\(name)", by: .ana, in: site) }
            let ana = try await site.signIn(.ana)
            let page = try await ana.visit("/searches")
            let ids = Set(page.html.all("li").compactMap { $0["id"] })
            for (name, place) in [("kite", "search-2"), ("chess", "search-3"), ("lunch", "search-2")] {
                let next = try page.form(with: "Remove: “\(name)”").pairs.first { $0.name == "next" }?.value
                #expect(next == "/searches#\(place)" && ids.contains(place), "\(name)")
            }
            let left = try await page.press("Remove: “kite”")
            #expect(left.redirects == ["/searches#search-2"], "\(left.redirects)")
            #expect(left.link("“chess”") != nil && left.link("“kite”") == nil)
        }
    }

    @Test func `a search whose days are over isn't saved, and one that was saved says so`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            // The clock of the town says March 20.
            let over = try await ana.visit("/events?from=2027-03-10&to=2027-03-19")
            #expect(over.status == 200 && !over.buttons.contains("Save this search"))
            let token = try #require(try await ana.visit("/searches").value(of: "csrf"))
            let past: [(name: String, value: String)] = [
                ("csrf", token), ("query", "from=2027-03-10&to=2027-03-19"),
            ]
            #expect(try await ana.submit("/searches", past).status == 400)
            #expect(try site.count(of: "saved_search") == 0)
            let page = try await ana.visit("/events?from=2027-03-10&to=2027-03-20").press("Save this search")
            #expect(page.path == "/searches" && !page.text.contains("These days are over"))
            #expect(page.links.contains { $0.text.hasPrefix("From ") })
            site.clock.advance(by: .days(2))
            let later = try await site.signIn(.ana).visit("/searches")
            #expect(later.text.contains("These days are over"))
        }
    }

    @Test func `nobody sees, opens or removes what another saved`() async throws {
        try await withTestSite { site in
            try await save("q=kite", by: .ana, in: site)
            let cleo = try await site.signIn(.cleo, as: .parent)
            let page = try await cleo.visit("/searches")
            let token = try #require(page.value(of: "csrf"))
            #expect(!page.text.contains("kite"))
            #expect(try await cleo.visit("/searches/1").status == 404)
            #expect(try await cleo.submit("/searches/1/remove", [("csrf", token)]).status == 303)
            #expect(try site.count(of: "saved_search") == 1 && site.count(of: "search_letter") == 1)
            #expect(try await site.browser().visit("/searches").path.hasPrefix("/login"))
            #expect(try await site.signIn(.ana).visit("/searches/1").path.hasPrefix("/events?q=kite"))
        }
    }

    @Test func `twenty searches are the most, and the next one is refused kindly`() async throws {
        try await withTestSite { site in
            for number in 1...SavedSearch.most { try await save("q=kite\(number)", by: .ana, in: site) }
            let ana = try await site.signIn(.ana)
            let refused = try await ana.visit("/events?q=chess").press("Save this search")
            #expect(refused.status == 409 && refused.text.contains("You have 20 saved searches already"))
            #expect(refused.link("See your saved searches") == "/searches")
            #expect(try site.count(of: "saved_search") == 20)
            // One of them, again, is no new one.
            let token = try #require(try await ana.visit("/searches").value(of: "csrf"))
            #expect(try await ana.post("/searches", [("csrf", token), ("query", "q=kite3")]).status == 200)
            _ = try await ana.visit("/searches").press("Remove: “kite7”")
            #expect(try await ana.visit("/events?q=chess").press("Save this search").path == "/searches")
        }
    }

    // MARK: The letter

    @Test func `once a week one letter tells what is new in all searches, and none comes when nothing is`()
        async throws
    {
        try await withTestSite { site in
            try await publish("Old kite", in: site)
            site.clock.advance(by: .minutes(1))
            try await save("q=kite", by: .ana, in: site)
            try await save("city=San%20Jose", by: .ana, in: site)
            try await publish("Kite night", in: site)
            try await publish("Chess", in: site)
            // It isn't time yet.
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now + .days(5)) { $0.name == Self.job }
            #expect(try site.count(of: "letter WHERE kind = 'searched'") == 0)
            await pass(site)
            // What two searches find is told once.
            let first = try await letters(to: .ana, in: site)
            #expect(first == [["“kite”": ["Kite night"], "San Jose": ["Chess"]]])
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now) { $0.name == Self.job }
            await pass(site)
            #expect(try site.count(of: "letter WHERE kind = 'searched'") == 1)
            // Nothing new was told meanwhile, so what was hidden is told when it is shown.
            let dusk = try await publish("Kite dusk", in: site)
            let now = site.clock.now
            try await site.write(at: site.clock.now) { tx in try Event.hide(dusk, at: now, in: tx) }
            await pass(site)
            #expect(try site.count(of: "letter WHERE kind = 'searched'") == 1)
            try await site.write(at: site.clock.now) { tx in try Event.hide(dusk, at: nil, in: tx) }
            await pass(site)
            #expect(try await letters(to: .ana, in: site).last == ["“kite”": ["Kite dusk"]])
            #expect(try site.count(of: "letter WHERE kind = 'searched'") == 2)
            // What is hidden before the letter is read by the postman isn't in it.
            try await site.write(at: site.clock.now) { tx in try Event.hide(dusk, at: now, in: tx) }
            #expect(try await letters(to: .ana, in: site).count == 1)
        }
    }

    @Test func `what is changed to match long after it was announced is no news`() async throws {
        try await withTestSite { site in
            try await save("covid_safe=1", by: .ana, in: site)
            try await publish("Chess", in: site)
            for _ in 1...3 { await pass(site) }
            try await publish("Kite night", in: site)
            try await site.execute("UPDATE event SET covid_safe = \(true)")
            await pass(site)
            #expect(try await letters(to: .ana, in: site).map { Array($0.values) } == [[["Kite night"]]])
        }
    }

    @Test func `near a place everything of the week is told, however much was announced since`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            try await save("near=95112", by: .ana, in: site)
            try await publish("Kite night", in: site)
            site.clock.advance(by: .days(8))
            // More than are looked at where no index has the order, and too new for this letter.
            let now = site.clock.now
            try await site.execute(
                """
                INSERT INTO event (account_id, title, description, day, start_minute, zone, starts_at, ends_at, street,
                    city, state, zip, country, city_key, covid_safe, currency, tags, point_id, once, created_at,
                    updated_at)
                WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 2001)
                SELECT account_id, 'Later', description, day, start_minute, zone, starts_at, ends_at, street, city,
                    state, zip, country, city_key, covid_safe, currency, tags, point_id, 'later-' || n, \(now), \(now)
                FROM event, number
                """)
            await Housekeeping(site: site.site).tidyUp(at: now) { $0.name == Self.job }
            #expect(try await letters(to: .ana, in: site).map { Array($0.values) } == [[["Kite night"]]])
        }
    }

    @Test(.onFiles) func `a letter that can't be written keeps no other from being written`() async throws {
        try await withTestSite { site in
            for person in [Person.ana, .cleo] { try await save("city=", by: person, in: site) }
            try await publish("Kite night", in: site)
            await pass(site)
            #expect(try site.count(of: "letter WHERE kind = 'searched'") == 2)
            let (ana, cleo) = (try await site.account(of: .ana), try await site.account(of: .cleo))
            try await site.execute("DELETE FROM letter WHERE account_id = \(cleo)")
            try SQLiteFile.write(
                "CREATE UNIQUE INDEX only_one ON letter (account_id) WHERE kind = 'searched'",
                to: site.site.settings.data + Site.file)
            try await publish("Chess", in: site)
            await pass(site)
            #expect(try await letters(to: .cleo, in: site) == [["All events": ["Chess"]]])
            let now = site.clock.now
            // It is put off: many of its kind would otherwise take all places of each minute.
            let own: SQL = "search_letter WHERE account_id = \(ana)"
            #expect(try site.count(of: "\(own) AND due_at <= \(now)") == 0)
            #expect(try site.count(of: "\(own) AND due_at <= \(now + SearchLetter.patience)") == 1)
            #expect(site.log.lines.contains { $0.contains("a letter about saved searches can’t be written") })
        }
    }

    @Test func `a search of which all is told in another leads to the rest`() async throws {
        try await withTestSite { site in
            for query in ["q=kite", "city=San%20Jose"] { try await save(query, by: .ana, in: site) }
            for number in 1...12 { try await publish("Kite \(number)", in: site) }
            await pass(site)
            let told = try await letters(to: .ana, in: site).map { $0.mapValues(\.count) }
            #expect(told == [["“kite”": 10, "San Jose": 0]])
            let (reader, now) = (try await site.account(of: .ana), site.clock.now)
            let parts = try site.read(at: now) { tx in
                let detail: String? = try tx.value("SELECT detail FROM letter WHERE kind = 'searched'")
                return try SearchNews(detail: detail ?? "").told(to: reader, country: "US", zone: .utc, in: tx)
                    .parts
            }
            #expect(parts.map(\.hasMore) == [true, true] && parts.last?.search.id == ID(2))
        }
    }

    @Test func `a letter says days as on the town's day`() async throws {
        try await withTestSite { site in
            try await save("from=2028-01-01", by: .ana, in: site)
            let (reader, zone) = (try await site.account(of: .ana), site.site.settings.zone)
            // There it is still last year, and in UTC no more.
            let now = zone.instant(Day(iso: "2027-12-31")!, .midnight) + .hours(20)
            let news = SearchNews(parts: [SearchNews.Part(search: ID(1), events: [], hasMore: true)])
            func words(in zone: Zone) throws -> String {
                let told = try site.read(at: now) { tx in try news.told(to: reader, country: "US", zone: zone, in: tx) }
                return told.parts.map { $0.words.text(by: nil, in: "en-US") }.joined()
            }
            #expect(try words(in: zone).contains("2028"))
            // Twin.
            #expect(try !words(in: .utc).contains("2028"))
        }
    }

    @Test func `a letter names ten events of a search, leads to the rest, and says nothing of ages`() async throws {
        try await withTestSite { site in
            try await save("q=kite&age=4", by: .ana, in: site)
            for number in 1...12 { try await publish("Kite \(number)", in: site) }
            await pass(site)
            #expect(try await letters(to: .ana, in: site).map { $0.mapValues(\.count) } == [["“kite”": 10]])
            let text = try site.read(at: site.clock.now) { tx in
                try tx.first("SELECT \(Letter.columns) FROM letter WHERE kind = 'searched'") {
                    try $0.next() as Letter
                }?.text(country: "US", zone: .utc, in: tx)
            }
            #expect(text?.sections.first?.more?.link.string == "/searches/1")
            let links = text?.sections.flatMap(\.facts).compactMap(\.link) ?? []
            #expect(links.count == 10 && !links.contains { $0.string.contains("age") })
            let ana = try await site.signIn(.ana)
            #expect(try await ana.visit("/searches/1").path.contains("age=4"))
        }
    }

    @Test func `a letter goes only where it is wanted and read, and tells of no host that one blocks`() async throws {
        try await withTestSite { site in
            let (off, unconfirmed, suspended) = (Person.cleo, Person.family(1), Person.family(2))
            for person in [Person.ana, off, unconfirmed, suspended, Person.family(3), Person.noor] {
                try await save("city=", by: person, in: site)
            }
            let page = try await site.signIn(off).visit("/searches").press("Switch it off")
            #expect(page.flash == "Saved." && page.text.contains("It is off") && page.buttons.contains("Switch it on"))
            let (one, two) = (try await site.account(of: unconfirmed), try await site.account(of: suspended))
            try await site.execute("UPDATE account SET confirmed_at = NULL WHERE id = \(one)")
            try await site.execute("UPDATE account SET suspended_at = 1 WHERE id = \(two)")
            try await publish("Kite night", in: site)
            try await publish("Chess", by: .noor, in: site)
            let (ana, ben) = (try await site.account(of: .ana), try await site.account(of: .ben))
            try await site.write(at: site.clock.now) { tx in try Block.add(ben, by: ana, in: tx) }
            await pass(site)
            #expect(try site.count(of: "letter WHERE kind = 'searched'") == 3)
            #expect(try await letters(to: .ana, in: site) == [["All events": ["Chess"]]])
            #expect(try await letters(to: .family(3), in: site) == [["All events": ["Kite night", "Chess"]]])
            // One's own is no news.
            #expect(try await letters(to: .noor, in: site) == [["All events": ["Kite night"]]])
            #expect(try await letters(to: off, in: site).isEmpty)
        }
    }

    @Test func `one click ends the letter, and what was announced meanwhile isn't told later`() async throws {
        try await withTestSite { site in
            try await save("q=kite", by: .ana, in: site)
            let account = try await site.account(of: .ana)
            let token = try await site.write { db in
                LetterEnding(account: account, kind: .searched).token(try Seal.make(in: db))
            }
            let ended = try await site.browser().submit(Link.unsubscribe(token).string, [])
            #expect(ended.status == 200)
            try await publish("Kite night", in: site)
            await pass(site)
            #expect(try site.count(of: "letter WHERE kind = 'searched'") == 0)
            let page = try await site.signIn(.ana).visit("/searches")
            #expect(page.text.contains("It is off"))
            _ = try await page.press("Switch it on")
            try await publish("Kite dawn", in: site)
            await pass(site)
            #expect(try await letters(to: .ana, in: site) == [["“kite”": ["Kite dawn"]]])
        }
    }

    @Test func `an event that was kept back is news when it is shown first`() async throws {
        try await withTestSite { site in
            let event = try await publish("Kite night", in: site)
            let before = site.clock.now
            try await site.write(at: site.clock.now) { tx in try Event.hide(event, at: before, in: tx) }
            site.clock.advance(by: .minutes(1))
            try await save("q=kite", by: .ana, in: site)
            site.clock.advance(by: .minutes(1))
            try await site.write(at: site.clock.now) { tx in try Matter.showKept(Event.self, event, in: tx) }
            await pass(site)
            #expect(try await letters(to: .ana, in: site) == [["“kite”": ["Kite night"]]])
        }
    }

    @Test func `an event that is kept back and shown once more is no news`() async throws {
        try await withTestSite { site in
            let event = try await publish("Kite night", in: site)
            let announced = site.clock.now
            site.clock.advance(by: .minutes(1))
            try await save("q=kite", by: .ana, in: site)
            site.clock.advance(by: .minutes(1))
            let now = site.clock.now
            try await site.write(at: now) { tx in
                try Event.hide(event, at: tx.now, in: tx)
                try Matter.showKept(Event.self, event, in: tx)
            }
            #expect(try site.count(of: "event WHERE listed AND created_at = \(announced)") == 1)
            await pass(site)
            #expect(try await letters(to: .ana, in: site).isEmpty)
        }
    }

    @Test func `the letter says for which saved events registration opens before the next one, once`() async throws {
        try await withTestSite { site in
            try await save("q=nothing", by: .ana, in: site)
            let (soon, later) = (try await publish("Kite day", in: site), try await publish("Chess", in: site))
            // Those who have a place already need no word of it.
            let own = try await publish("Kite night", in: site)
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: own)
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            try await site.execute("UPDATE event SET opens_at = \(now + .days(10)) WHERE id IN (\(soon), \(own))")
            try await site.execute("UPDATE event SET opens_at = \(now + .days(35)) WHERE id = \(later)")
            try await site.write(at: now) { tx in
                for event in [soon, later, own] { try Favorite.event(event).save(by: account, in: tx) }
            }
            await pass(site)
            #expect(try await letters(to: .ana, in: site) == [["Registration opens this week": ["Kite day"]]])
            await pass(site)
            #expect(try site.count(of: "letter WHERE kind = 'searched'") == 1)
            // One that was called off opens no more.
            try await site.execute("UPDATE event SET cancelled_at = 1 WHERE id = \(later)")
            for _ in 1...3 { await pass(site) }
            #expect(try site.count(of: "letter WHERE kind = 'searched'") == 1)
        }
    }

    @Test func `what two nodes found due at once is sent by one of them`() async throws {
        try await withTestSite { site in
            try await save("q=kite", by: .ana, in: site)
            let event = try await publish("Kite night", in: site)
            site.clock.advance(by: .days(8))
            let now = site.clock.now
            let due = try site.read(at: now) { tx in try SearchLetter.due(in: tx) }
            let letter = try #require(due.first)
            let next = SearchLetter.due(after: now, in: site.site.settings.zone)
            let news = SearchNews(parts: [.init(search: ID(1), events: [event], hasMore: false)])
            var sent: [Bool] = []
            for late in [Duration.zero, .days(1)] {
                sent.append(
                    try await site.write(at: now) { tx in
                        try letter.send(news, until: tx.now + late, next: next + late, in: tx)
                    })
            }
            #expect(due.count == 1 && sent == [true, false])
            // What the second one leaves is the first one's.
            #expect(try site.count(of: "search_letter WHERE since = \(now) AND due_at = \(next)") == 1)
            #expect(try site.count(of: "letter WHERE kind = 'searched'") == 1)
        }
    }

    @Test func `saved searches are taken along, and go with the account`() async throws {
        try await withTestSite { site in
            try await save("q=kite", by: .ana, in: site)
            let account = try await site.account(of: .ana)
            let taken = try site.read { db in
                try RetentionRule.favorites.exports(of: account).flatMap { try $0.entries(in: db) }.joined()
            }
            #expect(taken.contains("q=kite") && taken.contains("told_until"))
            _ = try await site.signIn(.ana).visit("/me/delete").press(
                "Delete my account", filling: ["current_password": .text(Person.password)])
            #expect(try site.count(of: "saved_search") == 0 && site.count(of: "search_letter") == 0)
        }
    }
}
