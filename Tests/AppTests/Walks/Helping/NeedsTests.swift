import Database
import Forms
import Testing

@testable import App

/// What is needed around the corner: asked for, found, taken, brought, and a home that stays unfound.
@Suite struct NeedsTests {
    private let blankets: [String: Filling] = [
        "title": "Three warm blankets", "kind": "things", "description": "Until the heating comes back.", "count": "3",
        "until": "2027-04-10", "is_home": ["1"], "address": "17 Hidden Lane", "city": "San Jose", "state": "CA",
        "zip": "95112",
    ]

    @Test func `the map to put a pin on begins at home, or in the town`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            let ana = try await site.signIn(.ana)
            func width(_ page: Page) throws -> Double {
                let map = try #require(page.html.all(ofClass: "map").first)
                let east = try #require(Double(map["data-east"] ?? ""))
                let west = try #require(Double(map["data-west"] ?? ""))
                return east - west
            }
            #expect(try await width(ana.visit("/needs/new")) > 20, "nothing is known")
            try await site.publish(by: .ben)
            #expect(try await width(ana.visit("/needs/new")) < 1, "where things happen")
            _ = try await ana.visit("/me/profile").press("Save", filling: ["town": "Suva, Fiji"])
            let page = try await ana.visit("/needs/new")
            #expect(page.value(of: "city") == "Suva" && page.value(of: "country") == "FJ")
            #expect(try width(page) < 1)
            #expect(Double(page.html.all(ofClass: "map").first?["data-west"] ?? "").map { $0 > 177 } == true)
        }
    }

    @Test func `a place is searched, and leads to the needs there`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            var page = try await site.browser().visit("/needs").follow("Find a place")
            #expect(page.html.all("input").contains { $0["autofocus"] != nil })
            page = try await page.press("Search", filling: ["q": "Campbell"])
            #expect(page.link("Campbell, CA")?.hasPrefix("/needs?near=Campbell") == true, "\(page.links)")
            #expect(try await page.follow("Campbell, CA").text.contains("of Campbell, CA"))
        }
    }

    @Test func `a member sees what is needed in their town, and everywhere where nothing is, or at a press`()
        async throws
    {
        try await withTestSite { site in
            try await site.gazetteer()
            try await ask(site, isHome: false)
            let far = try await site.signIn(.family(1))
            _ = try await far.visit("/me/profile").press("Save", filling: ["town": "Suva, Fiji"])
            var page = try await far.visit("/needs")
            #expect(page.text.contains("Nothing was found near Suva") && page.text.contains("Three warm blankets"))
            page = try await far.visit("/needs?kind=skill").follow("Show all needs")
            #expect(page.path == "/needs?near=" && page.text.contains("Three warm blankets"))
            #expect(!page.text.contains("Nothing was found"))
            #expect(page.link("Near me") == "/needs")
            // A filter of everything stays one.
            #expect(page.links.contains { $0.href == "/needs?kind=things&near=" }, "\(page.links)")

            let near = try await site.signIn(.family(2))
            _ = try await near.visit("/me/profile").press("Save", filling: ["town": "San Jose, CA"])
            page = try await near.visit("/needs")
            #expect(page.text.contains("of San Jose") && page.link("Near me") == nil)
            #expect(try await page.follow("Everywhere").path == "/needs?near=")
            // Nobody is asked where they are who has said nothing.
            page = try await site.browser().visit("/needs")
            #expect(page.link("Near me") == nil && page.link("Everywhere") == nil)
        }
    }

    /// A need of three things, at a home or not.
    @discardableResult
    func ask(_ site: TestSite, by person: Person = .ana, isHome: Bool, count: Int = 3) async throws -> ID<Need>
    {
        let account = try await site.account(of: person)
        var form = NeedForm()
        form.kind = .things
        form.title = "Three warm blankets"
        form.description = "Until the heating comes back."
        form.count = count
        form.until = Day(iso: "2027-05-10")
        form.isHome = isHome
        form.street = "17 Hidden Lane"
        form.city = "San Jose"
        form.state = "CA"
        form.zip = "95112"
        form.country = "US"
        let (filled, now, zone, today) = (form, site.clock.now, site.site.settings.zone, site.site.today)
        let once = Submission<NeedForm>().once
        return try await site.write(at: now) { tx in
            let need = try filled.need(by: Author.find(account, in: tx)!, zone: zone, today: today).located(in: tx)
            guard case .new(let id) = try Need.publish(need, once: once, in: tx) else {
                throw Refusal.malformed
            }
            return id
        }
    }

    /// An account that is known: its address confirmed, older than a week.
    func known(_ site: TestSite, _ person: Person) async throws -> ID<Account> {
        let account = try await site.account(of: person)
        try await site.execute("UPDATE account SET confirmed_at = 1, created_at = 1 WHERE id = \(account)")
        return account
    }

    @Test func `a need is asked for, previewed, taken, brought, and counts once both say so`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            let ana = try await site.signIn(.ana, as: .parent)
            var page = try await ana.visit("/needs/new").press("Preview", filling: blankets)
            #expect(page.text.contains("Others see “A home in San Jose” instead of the street."), "\(page.text)")
            #expect(try site.count(of: "need") == 0)
            page = try await page.press("Back to editing").press("Preview").press("Ask")
            #expect(page.flash == "Asked. You are told as soon as somebody takes it.")
            let dan = try await site.signIn(.family(1))
            _ = try await known(site, .family(1))
            page = try await dan.visit("/needs").follow("Three warm blankets")
            #expect(page.text.contains("A home in San Jose") && !page.string.contains("Hidden"))
            page = try await page.press("Offer to bring it", filling: ["count": "2", "message": "Two I have."])
            #expect(page.flash == "Thank you. It is on your Today." && !page.string.contains("Hidden"))
            #expect(try site.count(of: "need WHERE promised = 2") == 1)
            page = try await ana.visit("/inbox").follow("Unread: Somebody would help: Three warm blankets")
            page = try await page.press("Yes: \(Person.family(1).username)")
            #expect(try await dan.visit("/needs/1").text.contains("17 Hidden Lane"))
            #expect(try await dan.visit("/").text.contains("Three warm blankets"))
            page = try await dan.visit("/needs/1").press("It is there")
            #expect(page.flash == "Thank you. They are asked to say so, too.")
            page = try await ana.visit("/needs/1").press("It is there, thank you: \(Person.family(1).username)")
            #expect(page.flash == "Lovely. It counts for the person who promised it.")
            #expect(try site.count(of: "need WHERE promised = 0 AND brought = 2 AND closed_at IS NULL") == 1)
            #expect(try site.count(of: "deed WHERE act = 9999 AND points = 20") == 1)
            // Over, and the street is nobody's anymore.
            #expect(try await !dan.visit("/needs/1").string.contains("Hidden"))
            #expect(try await dan.visit("/kindness/acts/9999").status == 404)
        }
    }

    @Test func `who said by mistake that it is there takes that back, until its author says so too`() async throws {
        try await withTestSite { site in
            let id = try await ask(site, isHome: false)
            let (ana, dan) = (try await site.signIn(.ana), try await site.signIn(.family(1)))
            let before = try site.count(of: "notice")
            var page = try await dan.visit("/needs/\(id)").press("I’ll take it", filling: ["count": "3"])
            page = try await page.press("It is there")
            #expect(try await dan.visit("/").buttons.contains("Not yet: Three warm blankets"))
            #expect(try await dan.visit("/needs/promised").buttons.contains("Not yet: Three warm blankets"))
            page = try await page.press("Not yet")
            #expect(page.flash == "It stands as promised again." && page.buttons.contains("It is there"))
            #expect(try site.count(of: "claim WHERE state = 'taken' AND brought_at IS NULL") == 1)
            // Of the promise the author was told, and of the mistake not.
            #expect(try site.count(of: "notice") == before + 1)
            let said = try await page.press("It is there")
            _ = try await ana.visit("/needs/\(id)").press("It is there, thank you: \(Person.family(1).username)")
            let late = try await said.press("Not yet")
            #expect(late.flash?.hasPrefix("That changed meanwhile, so nothing was done.") == true)
            #expect(try site.count(of: "claim WHERE state = 'done'") == 1)
        }
    }

    @Test func `the last one closes it, and what was never brought is free again`() async throws {
        try await withTestSite { site in
            let id = try await ask(site, isHome: false)
            let (dan, eve) = (try await site.signIn(.family(1)), try await site.signIn(.family(2)))
            let many = try await dan.visit("/needs/\(id)").press("I’ll take it", filling: ["count": "4"])
            #expect(many.status == 422 && many.problems == ["3 are still needed."] && many.problemsLead)
            #expect(many.title.hasPrefix("Error: "))
            _ = try await many.press("I’ll take it", filling: ["count": "3"])
            #expect(try await eve.visit("/needs/\(id)").text.contains("All of it is promised."))
            _ = try await dan.visit("/needs/\(id)").press("I can’t after all")
            _ = try await eve.visit("/needs/\(id)").press("I’ll take it", filling: ["count": "3"])
            // Promises run out by themselves.
            try await site.write(at: site.clock.now + .days(6)) { tx in _ = try Need.tidy(in: tx) }
            #expect(try site.count(of: "need WHERE promised = 0") == 1)
            #expect(try await eve.visit("/inbox").text.contains("Your promise ran out"))
            _ = try await dan.visit("/needs/\(id)").press("I’ll take it", filling: ["count": "3"])
            let ana = try await site.signIn(.ana)
            _ = try await ana.visit("/needs/\(id)").press("It is there, thank you: \(Person.family(1).username)")
            #expect(try site.count(of: "need WHERE brought = 3 AND closed_at IS NOT NULL AND NOT listed") == 1)
            #expect(try await !eve.visit("/needs").text.contains("blankets"))
            // The helper reads on its page that it is all there.
            #expect(try await dan.visit("/needs/\(id)").text.contains("It is all there. Thank you!"))
        }
    }

    @Test func `what was brought is told to the town, doesn't count where one wants that, and counts again`()
        async throws
    {
        try await withTestSite { site in
            let id = try await ask(site, isHome: false)
            let dan = try await site.signIn(.family(1))
            _ = try await dan.visit("/needs/\(id)").press("I’ll take it", filling: ["count": "3"])
            let name = Person.family(1).username
            _ = try await site.signIn(.ana).visit("/needs/\(id)").press("It is there, thank you: \(name)")
            var page = try await dan.visit("/needs/\(id)")
            #expect(page.text.contains("3 of 3: ") && !page.text.contains("Look again later"))
            #expect(page.text.contains("3 of 3 done") && !page.text.contains("3 of 3 promised"))
            let told = try await page.press("Tell the town")
            #expect(told.status == 200 && told.text.contains("A neighbor needed something, and I could help."))
            #expect(!told.text.contains("blankets"))
            page = try await page.press("Don’t count it for me")
            #expect(page.path == "/needs/\(id)" && page.text.contains("It doesn’t count among your kind acts."))
            #expect(page.flash == "It doesn’t count among your kind acts anymore.")
            #expect(try site.count(of: "deed") == 0 && site.count(of: "standing WHERE needs = 0") == 1)
            let form = page
            page = try await form.press("Count it for me after all")
            _ = try await form.press("Count it for me after all")
            #expect(page.buttons.contains("Tell the town"))
            #expect(try site.count(of: "deed") == 1 && site.count(of: "standing WHERE needs = 1") == 1)
            // Nobody counts what somebody else brought.
            let eve = try await site.signIn(.family(2))
            let token = try await eve.visit("/help").value(of: "csrf") ?? ""
            #expect(try await eve.post("/claims/1/credit", [("csrf", token)]).status == 404)
            #expect(try await eve.post("/deeds/1/share", [("csrf", token)]).status == 404)
        }
    }

    @Test func `a promise that was ended by mistake holds again, and at once nobody hears of it`() async throws {
        try await withTestSite { site in
            let id = try await ask(site, isHome: false)
            let (ana, dan) = (try await site.signIn(.ana), try await site.signIn(.family(1)))
            _ = try await dan.visit("/needs/\(id)").press("I’ll take it", filling: ["count": "3"])
            let token = try await dan.visit("/help").value(of: "csrf") ?? ""
            func undo() async throws -> Int {
                let last: Int = try site.read { db in try db.value("SELECT max(id) FROM undo") ?? 0 }
                return try await dan.submit("/undo/\(last)", [("csrf", token)]).status
            }
            let before = try site.count(of: "notice")
            for _ in 1...2 {
                _ = try await dan.submit("/claims/1/cancel", [("csrf", token)])
                #expect(try site.count(of: "notice") == before + 1)
                #expect(try await undo() == 303 && site.count(of: "notice") == before)
            }
            // Somebody whom staff let only read takes nothing on again.
            _ = try await dan.submit("/claims/1/cancel", [("csrf", token)])
            let until = site.clock.now + .days(2)
            try await site.execute("UPDATE account SET limited_until = \(until)")
            #expect(try await undo() == 403 && site.count(of: "claim WHERE state = 'ended'") == 1)
            try await site.execute("UPDATE account SET limited_until = NULL")
            _ = try await ana.visit("/inbox").press("Mark all as read")
            #expect(try await undo() == 303 && site.count(of: "claim WHERE state = 'taken'") == 1)
            #expect(try await ana.visit("/inbox").text.contains("the promise holds again: Three warm blankets"))
        }
    }

    @Test func `a promise and a need say a day before, and then, that they run out`() async throws {
        try await withTestSite { site in
            let id = try await ask(site, isHome: false)
            let (ana, dan) = (try await site.signIn(.ana), try await site.signIn(.family(1)))
            _ = try await dan.visit("/needs/\(id)").press("I’ll take it", filling: ["count": "3"])
            let days = try site.read { db in try db.value("SELECT days FROM need") as Int? } ?? 0
            func tidy(after days: Int) async throws {
                let now = site.clock.now + .days(days)
                for _ in 1...2 { try await site.write(at: now) { tx in _ = try Need.tidy(in: tx) } }
            }
            try await tidy(after: days - 1)
            #expect(try await dan.visit("/inbox").text.contains("Tomorrow your promise runs out: Three warm"))
            #expect(try await ana.visit("/inbox").text.contains("Tomorrow a promise runs out: Three warm"))
            try await tidy(after: days)
            #expect(try await ana.visit("/inbox").text.contains("A promise ran out: Three warm blankets"))
            #expect(try await !ana.visit("/inbox").text.contains("A promise was taken back"))
            try await tidy(after: 14)
            try await tidy(after: 21)
            let inbox = try await ana.visit("/inbox").text
            #expect(inbox.contains("Closed, since you didn’t say whether it is still needed: Three warm blankets"))
            #expect(try site.count(of: "notice WHERE detail LIKE 'ending%'") == 2)
        }
    }

    @Test func `what waits for a yes is held, and said apart from what is promised`() async throws {
        try await withTestSite { site in
            let id = try await ask(site, isHome: true)
            for number in 1...2 { _ = try await known(site, .family(number)) }
            let (dan, eve) = (try await site.signIn(.family(1)), try await site.signIn(.family(2)))
            _ = try await dan.visit("/needs/\(id)").press("Offer to bring it", filling: ["count": "2"])
            func says(_ words: String, _ value: String) async throws {
                for path in ["/needs", "/needs/\(id)"] {
                    let page = try await site.browser().visit(path)
                    #expect(page.text.contains(words), "\(path): \(page.text)")
                    #expect(page.html.all("meter").first?["value"] == value, "\(path)")
                }
            }
            try await says("0 of 3 promised, 2 waiting for a yes", "0")
            #expect(try await dan.visit("/").text.contains("Waits for a yes"))
            // What waits is nobody else's meanwhile.
            _ = try await eve.visit("/needs/\(id)").press("Offer to bring it")
            let full = try await site.signIn(.family(3)).visit("/needs/\(id)")
            #expect(full.text.contains("All of it is promised, or waits for a yes."))
            let ana = try await site.signIn(.ana)
            _ = try await ana.visit("/needs/\(id)").press("Yes: \(Person.family(1).username)")
            try await says("2 of 3 promised, 1 waiting for a yes", "2")
            _ = try await ana.visit("/needs/\(id)").press("No, thank you: \(Person.family(2).username)")
            try await says("2 of 3 promised", "2")
            #expect(try await !site.browser().visit("/needs/\(id)").text.contains("waiting for a yes"))
        }
    }

    @Test func `an answer from an old tab says what happened meanwhile, and does nothing`() async throws {
        try await withTestSite { site in
            _ = try await known(site, .family(1))
            let id = try await ask(site, isHome: true)
            let (ana, dan) = (try await site.signIn(.ana), try await site.signIn(.family(1)))
            let name = Person.family(1).username
            _ = try await dan.visit("/needs/\(id)").press("Offer to bring it")
            let (tab, other) = (try await ana.visit("/needs/\(id)"), try await ana.visit("/needs/\(id)"))
            #expect(try await tab.press("Yes: \(name)").flash == "Saved.")
            #expect(try await other.press("Yes: \(name)").flash == "Saved.", "pressed twice it is said once")
            let meanwhile = "That changed meanwhile, so nothing was done. This is how it is now."
            #expect(try await other.press("No, thank you: \(name)").flash == meanwhile)
            #expect(try site.count(of: "claim WHERE state = 'taken'") == 1)
            let old = try await dan.visit("/needs/\(id)")
            _ = try await dan.visit("/needs/\(id)").press("I can’t after all")
            #expect(try await old.press("It is there").flash == meanwhile)
            #expect(try await other.press("Yes: \(name)").flash == meanwhile)
            #expect(try site.count(of: "claim WHERE state = 'ended'") == 1)
        }
    }

    @Test func `a skill and a place are spoken of in words of their own`() async throws {
        try await withTestSite { site in
            let (ana, dan) = (try await site.signIn(.ana), try await site.signIn(.family(1)))
            for (kind, take, done, thanks) in [
                ("skill", "I’ll help", "It is done", "It is done, thank you"),
                ("place", "I’ll come", "I was there", "They came, thank you"),
            ] {
                let id = try await ask(site, isHome: false)
                try await site.execute("UPDATE need SET kind = \(kind), wanted = 1 WHERE id = \(id)")
                var page = try await dan.visit("/needs/\(id)").press(take)
                #expect(try await dan.visit("/").buttons.contains("\(done): Three warm blankets"))
                page = try await dan.visit(page.path).press(done)
                for words in ["bring", "brought", "It is there"] { #expect(!page.text.contains(words), "\(words)") }
                page = try await ana.visit("/needs/\(id)")
                for words in ["bring", "brought", "it is there"] { #expect(!page.text.contains(words), "\(words)") }
                page = try await page.press("\(thanks): \(Person.family(1).username)")
                #expect(!page.text.contains("brought"))
            }
        }
    }

    @Test func `what somebody promised goes on over pages`() async throws {
        try await withTestSite { site in
            let (ben, now) = (try await site.account(of: .ben), site.clock.now)
            for number in 0..<25 {
                let id = try await ask(site, by: .family(number), isHome: false)
                try await site.write(at: now) { tx in try Claim.make(1, message: "", of: id, by: ben, in: tx) }
            }
            let browser = try await site.signIn(.ben, as: .parent)
            for path in ["/", "/week"] {
                let page = try await browser.visit(path).follow("Everything you promised or offered")
                #expect(page.heading == "What you promised or offered" && page.rows.count == 20)
                let next = try await page.follow("Show more")
                #expect(next.rows.count == 5 && next.link("Show more") == nil)
            }
            // As many as fit need no way on.
            try await site.execute("UPDATE claim SET state = 'ended' WHERE id > 20")
            #expect(try await browser.visit("/").link("Everything you promised or offered") == nil)
            // What staff hid has no page to lead to.
            try await site.write(at: site.clock.now) { tx in try Need.hide(ID(1), at: now, in: tx) }
            #expect(try await browser.visit("/needs/promised").rows.count == 19)
        }
    }

    @Test func `words that nothing has are no news of the town, at home either`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            try await ask(site, isHome: false)
            let cleo = try await site.signIn(.cleo, as: .parent)
            for path in ["/needs?q=zeppelin", "/needs?kind=skill"] {
                let page = try await cleo.visit(path)
                #expect(page.text.contains("Nothing fits all of that"), "\(path)")
                #expect(!page.text.contains("Nothing is needed here right now"), "\(path)")
            }
        }
    }

    @Test func `where nothing is needed the map stays, with a word`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            for path in ["/needs", "/needs?near=95112"] {
                let page = try await site.browser().visit(path)
                #expect(page.html.all(ofClass: "map").count == 1, "\(path)")
                #expect(page.text.contains("So no pin stands on this map."), "\(path)")
            }
        }
    }

    // MARK: The list

    @Test func `the list goes on behind its last need, whatever came on top meanwhile`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            for _ in 0..<3 {
                for person in 0..<15 { try await ask(site, by: .family(person), isHome: false, count: person + 1) }
            }
            let near = "near=95112&within=25&unit=mi"
            for path in ["/needs", "/needs?\(near)", "/needs?q=blankets", "/needs?q=warm+bl&\(near)"] {
                var (page, seen): (Page, [String]) = (try await site.browser().visit(path), [])
                var pages = 1
                while true {
                    seen += page.html.all(ofClass: "need").map { $0["id"] ?? "" }
                    guard page.link("Show more") != nil else { break }
                    if pages == 1 { try await ask(site, by: .family(20), isHome: false) }
                    page = try await page.follow("Show more")
                    pages += 1
                }
                #expect(pages == 3 && seen.count == Set(seen).count, "\(path): \(seen)")
                #expect(seen.count == (try site.count(of: "need WHERE listed")) - 1, "\(path)")
                try await site.execute("DELETE FROM need WHERE account_id = (SELECT max(account_id) FROM need)")
            }
            // What nobody's list gave begins at the beginning.
            for after in ["x", "1.x", "x.1", "1.2.3", "-1"] {
                let page = try await site.browser().visit("/needs?after=\(after)")
                #expect(page.html.all(ofClass: "need").count == Need.pageSize, "\(after)")
            }
            #expect(try await site.browser().visit("/needs?after=1").text.contains("That was the last one"))
        }
    }

    @Test func `the list goes on behind a place that is gone from the map`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            for number in 0..<25 { try await ask(site, by: .family(number), isHome: false) }
            // Ten here, ten further away, five behind them.
            let places: [ID<Point>] = try await site.write { db in
                try [37.35, 37.36, 37.42].map { latitude in
                    try Point.id(at: Coordinate(latitude: latitude, longitude: -121.887)!, in: db)
                }
            }
            for (number, place) in places.enumerated() {
                try await site.execute(
                    "UPDATE need SET point_id = \(place) WHERE id BETWEEN \(10 * number + 1) AND \(10 * number + 10)")
            }
            let first = try await site.browser().visit("/needs?near=95112&within=25&unit=mi")
            func ids(_ page: Page) -> [String] { page.html.all(ofClass: "need").map { $0["id"] ?? "" } }
            #expect(ids(first).count == 20)
            try await site.execute("DELETE FROM need WHERE point_id = \(places[1])")
            try await site.execute("DELETE FROM point WHERE id = \(places[1])")
            let next = try await first.follow("Show more")
            #expect(ids(next).count == 5 && Set(ids(next)).isDisjoint(with: ids(first)), "\(next.path)")
        }
    }

    @Test func `what has the words stands by nearness around a place, and goes on there`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            for number in 0..<25 { try await ask(site, by: .family(number), isHome: false) }
            // The newest are the furthest.
            for number in 1...25 {
                let latitude = 37.35 + Double(number) / 1_000
                let place: ID<Point> = try await site.write { db in
                    try Point.id(at: Coordinate(latitude: latitude, longitude: -121.887)!, in: db)
                }
                try await site.execute("UPDATE need SET point_id = \(place) WHERE id = \(number)")
            }
            func ids(_ page: Page) -> [String] { page.html.all(ofClass: "need").map { $0["id"] ?? "" } }
            let words = try await site.browser().visit("/needs?q=blankets+warm&near=95112&within=25&unit=mi")
            let all = try await site.browser().visit("/needs?near=95112&within=25&unit=mi")
            #expect(ids(words) == ids(all) && ids(words).count == Need.pageSize)
            #expect(ids(try await words.follow("Show more")) == ids(try await all.follow("Show more")))
            let newest = try await site.browser().visit("/needs?q=blankets")
            #expect(ids(newest).first == ids(try await site.browser().visit("/needs")).first)
            #expect(ids(newest).first != ids(words).first)
        }
    }

    @Test func `a need is found by the words it has now, never by its street, and by none once its author left`()
        async throws
    {
        try await withTestSite { site in
            try await site.gazetteer()
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/needs/new").press("Preview", filling: blankets).press("Ask")
            func finds(_ words: String) async throws -> Bool {
                try await site.browser().visit("/needs?q=\(words)").html.all(ofClass: "need").count == 1
            }
            for words in ["blankets", "warm+heat", "BLANK", "san+jose+blankets"] {
                #expect(try await finds(words), "\(words)")
            }
            for words in ["hidden", "17", "lane", "ladder", "ankets"] {
                #expect(try await !finds(words), "\(words)")
            }
            _ = try await ana.visit("/needs/1/edit").press("Preview", filling: ["title": "A ladder"])
                .press("Publish the change")
            #expect(try await finds("ladder"))
            #expect(try await finds("ladder&kind=things"))
            #expect(try await !finds("ladder&kind=skill"))
            // A kind is no word.
            #expect(try await !finds("things"))
            #expect(try await !finds("blankets"))
            let account = try await site.account(of: .ana)
            try await site.write(at: site.clock.now) { tx in try Need.forget(account, in: tx) }
            #expect(try site.count(of: "need_search") == 0)
            guard TestServer.inUse == nil else { return }
            // Nor does a word of it stand in the index of SQLite: an empty one has two rows.
            #expect(try site.count(of: "need_search_data") > 2)
            try await site.write { db in _ = try SearchIndex.forget(in: db) }
            #expect(try site.count(of: "need_search_data") == 2)
        }
    }

    @Test func `what somebody asked for goes on over pages`() async throws {
        try await withTestSite { site in
            try await ask(site, by: .family(3), isHome: false)
            for _ in 0..<25 {
                try await ask(site, isHome: false)
                try await site.execute("UPDATE need SET closed_at = 1, listed = FALSE")
            }
            let ana = try await site.signIn(.ana)
            let first = try await ana.visit("/needs/mine")
            let next = try await first.follow("Show older")
            #expect(first.html.all(ofClass: "need").count == 20 && next.html.all(ofClass: "need").count == 5)
            #expect(next.link("Show older") == nil)
            // A cursor gives no rights: one of somebody else's list leads on in one's own.
            let other = try await site.signIn(.family(3)).visit(first.link("Show older") ?? "")
            #expect(other.html.all(ofClass: "need").count == 1)
        }
    }

    @Test func `a thousand promises that are over hide none that stands`() async throws {
        try await withTestSite { site in
            let id = try await ask(site, isHome: false)
            let (dan, eve) = (try await site.account(of: .family(1)), try await site.account(of: .family(2)))
            let now = site.clock.now
            try await site.write(at: now) { tx in
                for _ in 0..<1_001 {
                    try tx.execute(
                        """
                        INSERT INTO claim (need_id, account_id, count, message, state, made_at, ends_at)
                        VALUES (\(id), \(dan), 1, '', 'ended', 1, 1)
                        """)
                }
                try Claim.make(1, message: "", of: id, by: eve, in: tx)
            }
            #expect(try await site.signIn(.ana).visit("/needs/\(id)").text.contains(Person.family(2).username))
            try await site.write(at: now) { tx in try Need.close(id, in: tx) }
            #expect(try site.count(of: "claim WHERE state = 'taken'") == 0)
        }
    }

    @Test func `places of events hide no need behind them`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            try await ask(site, isHome: false)
            try await site.write { db in
                for number in 0..<900 {
                    let (row, column) = (Double(number % 30) / 9_999, Double(number / 30) / 9_999)
                    let near = Coordinate(latitude: 37.3476 + row, longitude: -121.887 - column)!
                    _ = try Point.id(at: near, in: db)
                }
                let far = try Point.id(at: Coordinate(latitude: 37.42, longitude: -121.887)!, in: db)
                try db.execute("UPDATE need SET point_id = \(far)")
            }
            let page = try await site.browser().visit("/needs?near=95112&within=25&unit=mi")
            #expect(page.text.contains("Three warm blankets"))
        }
    }

    // MARK: Photos and pins

    @Test func `a photo is described, agreed to, shown, and goes with the need`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let photo: [String: Filling] = ["photo_file": .file(SentFile("photo.jpg", Pictures.photo))]
            var page = try await ana.visit("/needs/new").press("Preview", filling: blankets.merging(photo) { $1 })
            #expect(page.status == 422)
            #expect(page.problems == ["Say that you may publish the photo, or take it off."])
            #expect(page.value(of: "photo") == "1" && page.value(of: "title") == "Three warm blankets")
            page = try await page.press("Preview", filling: ["consent": true, "photo_alt": "A heap of blankets"])
            #expect(page.html.first("main")?.first("img")?["alt"] == "A heap of blankets", "\(page.problems)")
            page = try await page.press("Ask")
            let seen = try await site.browser().visit("/needs/1")
            #expect(seen.html.first("main")?.first("img")?["alt"] == "A heap of blankets")
            // The sweep leaves it alone while it is shown.
            let later = site.clock.now + .days(9)
            func sweep() async throws -> Int {
                try await site.write { db in
                    try Picture.deleteUnused(after: ID(0), to: ID(99), before: later, in: db)
                }
            }
            #expect(try await sweep() == 0)
            // Somebody else's is nobody's to show.
            let ben = try await site.signIn(.ben)
            let other = try await ben.visit("/needs/new").press(
                "Preview", filling: blankets.merging(["title": "Mine"]) { $1 })
            let csrf = other.value(of: "csrf") ?? ""
            let stolen = try await ben.submit("/needs/new", [("csrf", csrf), ("photo", "1"), ("step", "preview")])
            #expect(stolen.status == 422 && stolen.problems.contains(PictureProblem.gone.words.plain))
            // Taken off, and closed.
            page = try await ana.visit("/needs/1/edit").press("Preview", filling: ["photo_off": true])
            #expect(page.html.first("main")?.first("img") == nil)
            _ = try await ana.visit("/needs/1").press("Close it")
            #expect(try site.count(of: "need WHERE picture_id IS NOT NULL") == 0)
            #expect(try await sweep() == 1)
        }
    }

    @Test func `a photo sent twice is one, and doesn't conflict with itself`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/needs/new").press("Preview", filling: blankets).press("Ask")
            let form = try await ana.visit("/needs/1/edit")
            let photo: [String: Filling] = [
                "photo_file": .file(SentFile("photo.jpg", Pictures.photo)), "photo_alt": "A heap", "consent": true,
            ]
            _ = try await form.press("Preview", filling: photo).press("Publish the change")
            let again = try await form.press("Preview", filling: photo)
            #expect(again.status == 200 && again.problems.isEmpty, "\(again.problems)")
            #expect(try await again.press("Publish the change").path == "/needs/1")
            #expect(try site.count(of: "need WHERE picture_id = 1") == 1 && site.count(of: "picture") == 1)
            // Another one does conflict.
            let other: [String: Filling] = ["photo_file": .file(SentFile("wide.webp", Pictures.wide)), "consent": true]
            let conflict = try await form.press("Preview", filling: other)
            #expect(conflict.text.contains("Another picture was chosen meanwhile"))
        }
    }

    @Test func `the same form with another photo comes back with it`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            func preview() async throws -> Page {
                let photo: [String: Filling] = [
                    "photo_file": .file(SentFile("photo.jpg", Pictures.photo)), "consent": true,
                ]
                return try await ana.visit("/needs/new").press("Preview", filling: blankets.merging(photo) { $1 })
            }
            let (first, other) = (try await preview(), try await preview())
            #expect(try await first.press("Ask").path == "/needs/1")
            let form = try first.form(with: "Ask")
            let pairs = form.pairs.map { $0.name == "photo" ? ("photo", other.value(of: "photo") ?? "") : $0 }
            let page = try await ana.submit(form.action, pairs)
            #expect(page.status == 409 && page.problems.first?.contains("already sent this form") == true)
            #expect(page.value(of: "photo") == "2" && page.value(of: "title") == "Three warm blankets")
            // As it was, it is the same.
            #expect(try await first.press("Ask").path == "/needs/1")
            #expect(try site.count(of: "need WHERE picture_id = 1") == 1 && site.count(of: "need") == 1)
            #expect(try await page.press("Preview").press("Ask").path == "/needs/2")
        }
    }

    @Test func `Enter where a place is looked for finds it, unless something says where it is`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/needs/new")
            var page = try await form.press("Preview", filling: ["find": "Campbell", "title": "Tea"])
            #expect(page.status == 200 && page.buttons.contains { $0.hasPrefix("Campbell") } && page.problems.isEmpty)
            page = try await form.press(
                "Preview", filling: ["find": "Campbell", "lat": "37.30123", "lon": "-121.91234"])
            #expect(page.status == 422 && page.value(of: "find") == "Campbell")
        }
    }

    @Test func `a place is found by its name, or pinned, and a home is never kept exactly`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            let ana = try await site.signIn(.ana, as: .parent)
            var page = try await ana.visit("/needs/new").press("Find", filling: ["find": "Campbell", "title": "Tea"])
            #expect(page.status == 200 && page.value(of: "title") == "Tea")
            page = try await page.press(page.buttons.first { $0.hasPrefix("Campbell") } ?? "")
            #expect(page.value(of: "city") == "Campbell" && page.value(of: "title") == "Tea")
            // A pin does without a street, and stays where it is when something else is changed.
            let pinned: [String: Filling] = [
                "address": "", "is_home": [], "lat": "37.30123", "lon": "-121.91234",
            ]
            page = try await ana.visit("/needs/new").press("Preview", filling: blankets.merging(pinned) { $1 })
                .press("Ask")
            let point: SQL = "need JOIN point ON point.id = need.point_id WHERE latitude = 37.30123"
            #expect(try site.count(of: point) == 1, "\(page.problems)")
            _ = try await ana.visit("/needs/1/edit").press("Preview", filling: ["title": "Four warm blankets"])
                .press("Publish the change")
            #expect(try site.count(of: point) == 1)
            let wrong = try await ana.visit("/needs/new").press(
                "Preview", filling: blankets.merging(["lat": "north"]) { $1 })
            #expect(wrong.status == 422 && wrong.value(of: "lat") == "north")
            // Two needs at one home, pinned apart: one corner, and nothing exact is anywhere.
            for (lat, lon) in [("37.34567", "-121.88765"), ("37.36789", "-121.86543")] {
                let home: [String: Filling] = ["lat": .text(lat), "lon": .text(lon)]
                let shown = try await ana.visit("/needs/new").press("Preview", filling: blankets.merging(home) { $1 })
                _ = try await shown.press("Ask")
            }
            #expect(try site.count(of: "need WHERE is_home") == 2)
            #expect(try site.count(of: "(SELECT DISTINCT point_id FROM need WHERE is_home) AS part") == 1)
            #expect(try site.count(of: "point WHERE latitude IN (37.34567, 37.36789)") == 0)
            let corner: SQL = "need JOIN point ON point.id = need.point_id WHERE is_home AND latitude = 37.35"
            #expect(try site.count(of: corner) == 2)
            for path in ["/needs", "/needs/2", "/needs/3", "/needs/2/edit"] {
                let text = try await ana.visit(path).string
                for exact in ["37.34567", "121.88765", "37.36789"] { #expect(!text.contains(exact), "\(path)") }
            }
        }
    }

    // MARK: Places that give all year

    @Test func `a place that gives all year is verified by staff, and looked at again after six months`() async throws {
        try await withTestSite { site in
            let (ana, noor) = (try await site.signIn(.ana, as: .parent), try await site.signIn(.noor, role: .moderator))
            let pantry = blankets.merging([
                "title": "Pantry at the library", "kind": "place", "is_home": [], "all_year": true, "until": "",
            ]) { $1 }
            for (wrong, problem) in [
                (["kind": "things"], "Only a place that gives can give all year."),
                (["is_home": ["1"]], "A home gives for a while: say until when."),
            ] as [([String: Filling], String)] {
                let page = try await ana.visit("/needs/new").press("Preview", filling: pantry.merging(wrong) { $1 })
                #expect(page.problems == [problem])
            }
            _ = try await ana.visit("/needs/new").press("Preview", filling: pantry).press("Ask")
            let visitor = site.browser()
            for path in ["/needs", "/needs/1"] {
                let text = try await visitor.visit(path).text
                #expect(text.contains("all year") && text.contains("Not verified yet"), "\(path)")
            }
            // Nothing is to be promised there.
            let ben = try await site.signIn(.ben)
            #expect(try await ben.visit("/needs/1").text.contains("It gives all year."))
            let token = try await ben.visit("/me/settings").value(of: "csrf") ?? ""
            #expect(try await ben.submit("/needs/1/claims", [("csrf", token), ("count", "1")]).status == 422)

            let queue = try await noor.visit("/admin/queue")
            #expect(queue.text.contains("To look at"))
            let matter = try await queue.follow("Need around the corner: Pantry at the library")
            #expect(matter.text.contains("A place that gives all year. Is it there, and does it still give?"))
            // It waits by itself, apart from what was changed.
            #expect(try await noor.visit("/admin/queue").follow("Places to verify 1").rows.count == 1)
            #expect(try await noor.visit("/admin/queue?show=look").rows.isEmpty)
            _ = try await matter.press("Decide", filling: ["act": "fine"])
            #expect(try await ana.visit("/inbox").text.contains("Verified, and marked so: Pantry at the library"))
            // The log and the page of the matter say what was done.
            let log = try await site.signIn(.mira, isStaff: true).visit("/admin/log").text
            #expect(log.contains("made sure of a place, and verified it:") && !log.contains("found it fine"))
            let decided = try await noor.visit("/admin/queue/need-1")
            #expect(decided.text.contains("Verified: Need around the corner") && !decided.text.contains("Found fine"))
            #expect(try await ana.visit("/decisions/1").heading == "Your place was looked at and marked as verified")
            for path in ["/needs", "/needs/1"] {
                let text = try await visitor.visit(path).text
                #expect(text.contains("Verified") && !text.contains("Not verified yet"), "\(path)")
            }
            // Its author isn't asked every fortnight; after six months somebody looks again.
            func tidy(after days: Int) async throws {
                site.clock.advance(by: .days(days))
                try await site.write(at: site.clock.now) { tx in _ = try Need.tidy(in: tx) }
            }
            try await tidy(after: 181)
            #expect(try site.count(of: "need WHERE is_asked OR verified_until IS NULL") == 0)
            try await tidy(after: 1)
            #expect(try site.count(of: "need WHERE listed AND verified_until IS NULL") == 1)
            #expect(try site.count(of: "matter WHERE waits_for = 'look' AND since IS NOT NULL") == 1)
            #expect(try await visitor.visit("/needs/1").text.contains("Not verified yet"))
        }
    }

    @Test func `who loses the mark again is told so`() async throws {
        try await withTestSite { site in
            let (ana, noor) = try await pantry(site)
            let decided = try await noor.visit("/admin/queue/need-1").press("Decide", filling: ["act": "fine"])
            #expect(decided.path == "/admin/queue")
            _ = try await noor.visit("/admin/queue/need-1").press("Take it back: Verified, Need around the corner")
            #expect(try site.count(of: "staff_act WHERE verb = 'unverify_place'") == 1)
            let told = try await ana.visit("/decisions/1")
            #expect(told.heading == "Your place isn’t marked as verified anymore")
        }
    }

    @Test func `another place under a verified name is verified no more`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let pantry = blankets.merging(["kind": "place", "is_home": [], "all_year": true, "until": ""]) { $1 }
            _ = try await ana.visit("/needs/new").press("Preview", filling: pantry).press("Ask")
            let now = site.clock.now
            func verify() async throws {
                try await site.write(at: now) { tx in
                    _ = try Need.verify(ID(1), in: tx)
                    try Matter.settle(.need(ID(1)), in: tx)
                }
            }
            try await verify()
            func change(_ filling: [String: Filling]) async throws {
                _ = try await ana.visit("/needs/1/edit").press("Preview", filling: filling).press("Publish the change")
            }
            try await change(["count": "4"])
            #expect(try site.count(of: "need WHERE verified_until > 0") == 1)
            try await change(["address": "1 Elsewhere St"])
            #expect(try site.count(of: "need WHERE verified_until > 0") == 0)
            #expect(try site.count(of: "matter WHERE since IS NOT NULL") == 1)
            // For a while only, it is a need as any other.
            try await verify()
            try await change(["all_year": [], "until": "2027-04-10"])
            #expect(try site.count(of: "need WHERE verified_until > 0 OR is_lasting") == 0)
        }
    }

    /// A place that gives all year, asked for and in the queue.
    private func pantry(_ site: TestSite) async throws -> (ana: Browser, noor: Browser) {
        let (ana, noor) = (try await site.signIn(.ana, as: .parent), try await site.signIn(.noor, role: .moderator))
        let pantry = blankets.merging([
            "title": "Pantry at the library", "kind": "place", "is_home": [], "all_year": true, "until": "",
        ]) { $1 }
        _ = try await ana.visit("/needs/new").press("Preview", filling: pantry).press("Ask")
        return (ana, noor)
    }

    private func change(_ ana: Browser, _ filling: [String: Filling]) async throws {
        _ = try await ana.visit("/needs/1/edit").press("Preview", filling: filling).press("Publish the change")
    }

    @Test func `what is verified is what staff saw, and nothing its author wrote in that minute`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            let (ana, noor) = try await pantry(site)
            let verified: SQL = "need WHERE verified_until > 0"
            let changes: [[String: Filling]] = [
                ["title": "Pawn shop at the library"], ["description": "Bring money."], ["address": "1 Elsewhere St"],
                ["lat": "37.30123", "lon": "-121.91234"],
            ]
            for filling in changes {
                let seen = try await noor.visit("/admin/queue/need-1")
                try await change(ana, filling)
                let again = try await seen.press("Decide", filling: ["act": "fine"])
                #expect(again.status == 422 && again.text.contains("It was changed while you looked."))
                #expect(try site.count(of: verified) == 0, "\(filling)")
            }
            // The page shows it as it is now, and can be sent.
            let again = try await noor.visit("/admin/queue/need-1")
            #expect(again.text.contains("Pawn shop") && again.text.contains("1 Elsewhere St"))
            _ = try await again.press("Decide", filling: ["act": "fine"])
            #expect(try site.count(of: verified) == 1)
            // Of several at once, too: none is decided.
            try await change(ana, ["title": "Bread at the library"])
            let many = try await noor.visit("/admin/queue").press(
                "Show what would happen", filling: ["subject": ["need-1"], "act": "fine", "ground": "spam"])
            try await change(ana, ["title": "Wine at the library"])
            let refused = try await many.press("Decide about 1")
            #expect(refused.status == 422 && refused.text.contains("Wine at the library"))
            #expect(try site.count(of: verified) == 0)
            _ = try await refused.press("Decide about 1")
            #expect(try site.count(of: verified) == 1)
        }
    }

    @Test func `without the version in the form, words that nobody saw are verified`() async throws {
        try await withTestSite { site in
            let (ana, noor) = try await pantry(site)
            _ = try await noor.visit("/admin/queue/need-1")
            try await change(ana, ["title": "Pawn shop at the library"])
            let (staff, now) = (try await site.account(of: .noor, role: .moderator), site.clock.now)
            _ = try await site.write(at: now) { tx in
                try Decision.make(Decision.Ruling(verdict: .fine), about: .need(ID(1)), by: staff, in: tx)
            }
            #expect(try site.count(of: "need WHERE verified_until > 0 AND title LIKE 'Pawn%'") == 1)
        }
    }

    @Test func `a place that is closed, or gives for a while only, waits for nobody to make sure of it`() async throws {
        try await withTestSite { site in
            let (ana, noor) = try await pantry(site)
            let queue = { try await noor.visit("/admin/queue") }
            #expect(try await queue().rows == ["Need around the corner: Pantry at the library"])
            try await change(ana, ["all_year": [], "until": "2027-04-10"])
            #expect(try await queue().text.contains("Nothing waits"))
            try await change(ana, ["all_year": true, "until": ""])
            #expect(try await queue().rows.count == 1)
            _ = try await ana.visit("/needs/1").press("Close it")
            #expect(try await queue().text.contains("Nothing waits"))
        }
    }

    @Test func `what was reported waits on, closed or not`() async throws {
        try await withTestSite { site in
            let (ana, noor) = try await pantry(site)
            _ = try await site.browser().visit("/reports/new?about=need-1").press(
                "Send the report", filling: ["reason": "spam"])
            _ = try await ana.visit("/needs/1").press("Close it")
            #expect(try await noor.visit("/admin/queue").rows.count == 1)
        }
    }

    @Test func `its title stands once where staff look at it`() async throws {
        try await withTestSite { site in
            let (_, noor) = try await pantry(site)
            let seen = try await noor.visit("/admin/queue/need-1").html.all(ofClass: "seen").first?.text ?? ""
            #expect(seen.ranges(of: "Pantry at the library").count == 1, "\(seen)")
            #expect(seen.contains("Until the heating comes back.") && seen.contains("17 Hidden Lane"))
        }
    }

    @Test func `two hundred who take three of ten are never more than ten`() async throws {
        try await withTestSite { site in
            let id = try await ask(site, isHome: false, count: 10)
            var people: [ID<Account>] = []
            for number in 1...40 { people.append(try await site.account(of: .family(number))) }
            let now = site.clock.now
            try await withThrowingTaskGroup(of: Void.self) { group in
                for person in people {
                    for _ in 0..<5 {
                        group.addTask {
                            do {
                                try await site.write(at: now) { tx in
                                    try Claim.make(3, message: "", of: id, by: person, in: tx)
                                }
                            } catch is Claim.Refused {}
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try site.count(of: "need WHERE promised = 9") == 1 && site.count(of: "claim") == 3)
            // The table itself refuses one too many, even if the code didn't.
            await #expect(throws: (any Error).self) {
                try await site.execute("UPDATE need SET promised = 12 WHERE id = \(id)")
            }
        }
    }

    @Test func `other people’s needs and promises are nobody else’s to change`() async throws {
        try await withTestSite { site in
            let id = try await ask(site, isHome: true)
            _ = try await known(site, .family(1))
            let (dan, eve) = (try await site.signIn(.family(1)), try await site.signIn(.family(2)))
            _ = try await dan.visit("/needs/\(id)").press("Offer to bring it")
            let token = try await eve.visit("/me/settings").value(of: "csrf") ?? ""
            for path in [
                "/needs/\(id)/edit", "/needs/\(id)/close", "/needs/\(id)/renew", "/claims/1/answer", "/claims/1/done",
                "/claims/1/cancel",
            ] {
                let page = try await eve.submit(path, [("csrf", token), ("answer", "yes")])
                #expect(page.status == 404, "\(path)")
            }
            #expect(try await eve.visit("/needs/\(id)/edit").status == 404)
            // Helpers can't say yes to themselves.
            let own = try await dan.visit("/me/settings").value(of: "csrf") ?? ""
            #expect(try await dan.submit("/claims/1/answer", [("csrf", own), ("answer", "yes")]).status == 404)
            #expect(try site.count(of: "claim WHERE state = 'asked'") == 1)
            // A newcomer comes to no home.
            let page = try await eve.submit("/needs/\(id)/claims", [("csrf", token), ("count", "1")])
            #expect(page.status == 422 && page.text.contains("confirm your e-mail address first"))
            try await site.execute("UPDATE account SET confirmed_at = 1")
            #expect(try await eve.visit("/needs/\(id)").text.contains("in your first week here"))
        }
    }

    @Test func `no page, feed or list tells others where a home is`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            let id = try await ask(site, isHome: true)
            let (visitor, mira) = (site.browser(), try await site.signIn(.mira))
            for path in [
                "/needs", "/needs/\(id)", "/needs?q=hidden", "/needs?near=95112", "/reports/new?about=need-\(id)",
            ] {
                for browser in [visitor, mira] {
                    #expect(try await !browser.visit(path).string.contains("Hidden"), "\(path)")
                }
            }
            #expect(
                try site.count(
                    of: """
                        need JOIN point ON point.id = need.point_id
                        WHERE abs(100 * latitude - round(100 * latitude)) < 0.000001
                        """)
                    == 1)
            // People whom its author blocks don't see it.
            let (ana, dan) = (try await site.signIn(.ana), try await site.signIn(.family(1)))
            let token = try await ana.visit("/me/settings").value(of: "csrf") ?? ""
            _ = try await ana.submit("/blocks", [("csrf", token), ("username", Person.family(1).username)])
            #expect(try await dan.visit("/needs/\(id)").status == 404)
            #expect(try await !dan.visit("/needs").text.contains("blankets"))
        }
    }

    @Test func `whoever promised something to a public place isn’t led to a home, nor where they are blocked`()
        async throws
    {
        try await withTestSite { site in
            let id = try await ask(site, isHome: false)
            let (ana, dan) = (try await site.signIn(.ana), try await site.signIn(.family(1)))
            _ = try await dan.visit("/needs/\(id)").press("I’ll take it")
            // Nor somebody who says, on their own word alone, that it is there.
            let eager = try await site.signIn(.family(2))
            _ = try await eager.visit("/needs/\(id)").press("I’ll take it")
            _ = try await eager.visit("/needs/\(id)").press("It is there")
            _ = try await ana.visit("/needs/\(id)/edit").press(
                "Preview", filling: ["is_home": ["1"], "address": "9 Secret Lane"]
            ).press("Publish the change")
            for browser in [dan, eager] {
                #expect(try await !browser.visit("/needs/\(id)").string.contains("Secret"))
            }
            #expect(try site.count(of: "claim WHERE state = 'asked'") == 2)
            let token = try await ana.visit("/me/settings").value(of: "csrf") ?? ""
            _ = try await ana.submit("/blocks", [("csrf", token), ("username", Person.family(1).username)])
            #expect(try site.count(of: "need WHERE promised = 1") == 1)
            #expect(try site.count(of: "claim WHERE state = 'ended'") == 1)
        }
    }

    @Test func `an account that leaves takes its point with it only where nobody else’s need stands`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            let id = try await ask(site, isHome: false)
            _ = try await site.publish(by: .ben)
            try await site.execute("UPDATE need SET point_id = (SELECT point_id FROM event LIMIT 1) WHERE id = \(id)")
            let (account, now) = (try await site.account(of: .ben), site.clock.now)
            try await site.write(at: now) { tx in try Account.leave(account, in: tx) }
            #expect(try site.count(of: "need WHERE point_id IS NOT NULL") == 1)
        }
    }

    @Test func `whose author leaves is told as not needed anymore, and earlier news of it go`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            let id = try await ask(site, isHome: false)
            let (ana, helper) = (try await site.account(of: .ana), try await known(site, .family(1)))
            _ = try await site.signIn(.family(1)).visit("/needs/\(id)").press("I’ll take it")
            try await site.write(at: site.clock.now) { tx in
                try NeedNews(.ending, id, "Three warm blankets").tell(helper, in: tx)
            }
            let told: SQL = "notice WHERE account_id = \(helper) AND kind = 'needs'"
            #expect(try site.count(of: told) == 1, "the twin")
            site.clock.advance(by: .minutes(1))
            let later = site.clock.now
            try await site.write(at: later) { tx in try Account.leave(ana, in: tx) }
            #expect(try site.count(of: told) == 1 && site.count(of: "\(told) AND detail LIKE 'closed%'") == 1)
            #expect(
                try site.count(
                    of: """
                        letter WHERE account_id = \(helper) AND kind = 'needs' AND created_at < \(later)
                            AND detail <> ''
                        """) == 0)
        }
    }

    @Test func `its author is asked every fourteen days, and silence closes it`() async throws {
        try await withTestSite { site in
            let id = try await ask(site, isHome: false)
            func tidy(after days: Int) async throws {
                site.clock.advance(by: .days(days))
                try await site.write(at: site.clock.now) { tx in _ = try Need.tidy(in: tx) }
            }
            try await tidy(after: 13)
            #expect(try site.count(of: "need WHERE is_asked") == 0)
            try await tidy(after: 1)
            var page = try await site.signIn(.ana).visit("/inbox")
            #expect(page.text.contains("Is it still needed? Three warm blankets"))
            page = try await site.signIn(.ana).visit("/needs/\(id)").press("Yes, still")
            #expect(page.flash == "Good, it stays.")
            try await tidy(after: 14)
            try await tidy(after: 6)
            #expect(try site.count(of: "need WHERE listed") == 1)
            try await tidy(after: 1)
            #expect(try site.count(of: "need WHERE listed") == 0)
        }
    }

    @Test func `what is wrong with a need is said beside its field, and eleven are too many`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/needs/new")
            for (change, problem) in [
                (["title": "X"], "Give “What is needed” 3 to 100 characters; it has 1."),
                (["until": "2027-01-01"], "Choose a day that is still to come."),
                (["until": "2028-01-01"], "Choose a day within 90 days."),
                (["address": ""], "Give the address of the place."),
                (["count": "0"], "Give a number from 1 to 1,000 for “How many”."),
            ] as [([String: Filling], String)] {
                let page = try await form.press("Preview", filling: blankets.merging(change) { $1 })
                #expect(page.status == 422 && page.problems.count == 1, "\(problem) \(page.problems)")
                #expect(page.value(of: "description") == "Until the heating comes back.")
            }
            for _ in 1...10 { try await ask(site, isHome: false) }
            let page = try await form.press("Preview", filling: blankets).press("Ask")
            #expect(page.problems == ["You have 10 needs open already. Close one of them first."])
        }
    }

    @Test func `pressing twice counts once, and waits for nothing; nor do other words that come back`() async throws {
        try await withTestSite(limits: true) { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let preview = try await ana.visit("/needs/new").press("Preview", filling: blankets)
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            for _ in 1...19 { #expect(try await site.site.take(.needs, by: account, at: now) == nil) }
            for _ in 1...3 { #expect(try await preview.press("Ask").path == "/needs/1") }
            let form = try preview.form(with: "Ask")
            let pairs = form.pairs.map { $0.name == "title" ? ("title", "Four warm blankets") : $0 }
            for _ in 1...3 {
                let page = try await ana.submit(form.action, pairs)
                #expect(page.status == 409 && page.problems.first?.contains("already sent this form") == true)
            }
            #expect(try await site.site.take(.needs, by: account, at: now) != nil)
            try await site.site.giveBack(.needs, by: account)
            #expect(try await site.site.take(.needs, by: account, at: now) == nil)
            #expect(try await site.site.take(.needs, by: account, at: now) != nil)
            #expect(try site.count(of: "need") == 1)
            // What it stored is gone: sent again it would be new, and counts.
            try await site.execute("DELETE FROM need")
            let gone = try await preview.press("Ask")
            #expect(gone.status == 409 && gone.problems.first?.contains("was removed since") == true)
            #expect(try await gone.press("Preview").press("Ask").status == 422)
            #expect(try site.count(of: "need") == 0)
        }
    }

    @Test func `what is refused counts, so that nobody tries without end what they may not`() async throws {
        try await withTestSite(limits: true) { site in
            let ben = try await site.signIn(.ben)
            let page = try await ben.visit("/needs/1")
            let (account, now) = (try await site.account(of: .ben), site.clock.now)
            let csrf = try await ben.visit("/me").value(of: "csrf") ?? ""
            for _ in 1...60 { #expect(try await ben.submit("/needs/77/claims", [("csrf", csrf)]).status == 404) }
            #expect(page.status == 404)
            #expect(try await site.site.take(.comments, by: account, at: now) != nil)
            #expect(try await ben.submit("/needs/77/claims", [("csrf", csrf)]).status == 429)
        }
    }

    @Test func `whoever asks all day long waits with the next, and nothing typed is lost`() async throws {
        try await withTestSite(limits: true) { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let preview = try await ana.visit("/needs/new").press("Preview", filling: blankets)
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            for _ in 1...20 { #expect(try await site.site.take(.needs, by: account, at: now) == nil) }
            let page = try await preview.press("Ask")
            #expect(page.status == 422 && page.text.contains("You asked for a lot in a short time."))
            #expect(page.value(of: "title") == "Three warm blankets")
            #expect(try site.count(of: "need") == 0)
            // Somebody else isn't kept waiting, nor is she for long.
            let cleo = try await site.signIn(.cleo, as: .parent)
            _ = try await cleo.visit("/needs/new").press("Preview", filling: blankets).press("Ask")
            site.clock.advance(by: .hours(2))
            _ = try await page.press("Preview").press("Ask")
            #expect(try site.count(of: "need") == 2)
        }
    }
}
