import Database
import Forms
import Testing

@testable import App

/// The page of an organization, who follows it, and what suits whom.
@Suite struct OrganizationTests {
    @Test func `an organization says what it is for, and its page shows it with what it was given`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            let id = try await site.ask(by: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/me/provider").press(
                "Save",
                filling: [
                    "kind": "library", "mission": "A chair and a book for everybody.",
                    "asks": "A tour for your class.\n<b>Tools</b> to borrow.",
                ])
            let page = try await site.browser().visit("/providers/ben-ruiz")
            #expect(page.text.contains("Library · San Jose") && page.text.contains("A chair and a book"))
            #expect(page.text.contains("<b>Tools</b> to borrow.") && page.html.all("svg").count > 0)
            #expect(page.text.contains("Where they are"))
            let (ana, cleo) = (try await site.account(of: .ana), try await site.account(of: .cleo))
            let (host, now) = (try await site.account(of: .ben), site.clock.now)
            try await site.write(at: now) { tx in
                for account in [ana, cleo] {
                    try Signup.take([ID(1)], message: "", of: account, at: id, in: tx)
                }
                let day = Day(iso: "2027-03-27")!
                try Contribution.confirm(
                    [1, 2].map { Contribution.Confirmation(of: .signup(ID($0)), day: day, minutes: 90) }, at: id,
                    by: host, in: tx.at(tx.now + .days(8)))
            }
            #expect(
                try await site.browser().visit("/providers/ben-ruiz").text.contains("2 people gave 3 hours this year"))
            #expect(try site.count(of: "organization_year WHERE helpers = 2 AND minutes = 180 AND year = 2027") == 1)
            #expect(try await site.browser().visit("/api/providers/ben-ruiz").string.contains("\"minutes\":180"))
        }
    }

    @Test func `who follows an organization is told what is new there, at once and once a day`() async throws {
        try await withTestSite { site in
            try await site.provider(of: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            let cleo = try await site.signIn(.cleo, as: .parent)
            for browser in [ana, cleo] { _ = try await browser.visit("/providers/ben-ruiz").press("Follow") }
            let (one, ben) = (try await site.account(of: .cleo), try await site.account(of: .ben))
            try await site.write(at: Clock.start) { tx in try Block.add(ben, by: one, in: tx) }
            try await site.execute("UPDATE account SET confirmed_at = 1")
            let choices = try await ana.visit("/me/notices")
            #expect(choices.values(of: "on").contains("followed.inbox") && !choices.text.contains("followed.mail"))
            _ = try await choices.press(
                "Save", filling: ["on": .texts(choices.values(of: "on") + ["followed.daily"])])
            let id = try await site.ask(by: .ben)
            let host = try await site.signIn(.ben, as: .provider)
            let form = try await host.visit("/events/new?audience=everyone")
            _ = try await form.press(
                "Preview",
                filling: [
                    "title": "Reading night", "description": "Bring a book.", "date": "2027-03-27",
                    "start_time": "19:00", "address": "180 Park Ave", "city": "San Jose", "state": "CA",
                    "zip": "95113",
                ]
            ).press("Publish")
            let inbox = try await ana.visit("/inbox").text
            #expect(inbox.contains("King Library asks for help: Serve Saturday lunch"))
            #expect(inbox.contains("King Library announces: Reading night"))
            #expect(try site.count(of: "notice WHERE kind = 'followed'") == 2)
            #expect(try site.count(of: "follow_digest") == 2)
            let page = try await ana.visit("/me/following")
            #expect(Set(page.cards) == ["Serve Saturday lunch", "Reading night"])
            let now = site.clock.now
            #expect(try await site.write(at: now) { tx in try FollowNews.sendDigests(in: tx) } == 0)
            let later = now + .days(1)
            #expect(try await site.write(at: later) { tx in try FollowNews.sendDigests(in: tx) } == 1)
            let letter = try site.read(at: now) { tx in
                try tx.first("SELECT \(Letter.columns) FROM letter WHERE kind = 'followed'") {
                    try $0.next() as Letter
                }?.text(country: "US", zone: .utc, in: tx)
            }
            #expect(letter?.facts.count == 2)
            #expect(try site.count(of: "follow_digest") == 0)
            // What is closed meanwhile isn't told of.
            _ = try await host.visit("/opportunities/\(id)/close").press("Close it")
            let rest = try site.read(at: now) { tx in try FollowNews.all(FollowNews.kept("o\(id),e1,x,e"), in: tx) }
            #expect(rest.count == 1)
        }
    }

    @Test func `who follows is told once of a series that is new, and again of dates that come later`() async throws {
        try await withTestSite { site in
            try await site.provider(of: .ben)
            _ = try await site.signIn(.ana, as: .parent).visit("/providers/ben-ruiz").press("Follow")
            try await site.execute("UPDATE account SET confirmed_at = 1")
            let host = try await site.signIn(.ben, as: .provider)
            _ = try await host.visit("/events/new?audience=everyone").press(
                "Preview",
                filling: [
                    "title": "Reading night", "description": "Bring a book.", "date": "2027-03-27",
                    "start_time": "19:00", "address": "180 Park Ave", "city": "San Jose", "state": "CA",
                    "zip": "95113",
                ]
            ).press("Publish")
            #expect(try site.count(of: "notice WHERE kind = 'followed'") == 1)
            func add(_ day: String) async throws -> Int {
                _ = try await host.visit("/events/1/copy").press(
                    "Publish these dates", filling: ["dates": .texts([day])])
                return try site.count(of: "notice WHERE kind = 'followed'")
            }
            #expect(try await add("2027-04-03") == 1)
            site.clock.advance(by: .days(2))
            #expect(try await add("2027-04-10") == 2)
            // Dates that come in several portions are news once.
            #expect(try await add("2027-04-17") == 2)
            #expect(try site.count(of: "event") == 4)
        }
    }

    @Test func `followers are told once of a series that waited for days until somebody looked at it`() async throws {
        try await withTestSite { site in
            try await site.provider(of: .ben)
            _ = try await site.signIn(.ana, as: .parent).visit("/providers/ben-ruiz").press("Follow")
            let event = try await site.publish(by: .ben)
            try await site.execute("UPDATE account SET confirmed_at = 1")
            try await site.execute("UPDATE event SET hidden_at = created_at, listed = FALSE WHERE id = \(event)")
            site.clock.advance(by: .days(3))
            try await site.write(at: site.clock.now) { tx in try Matter.showKept(Event.self, event, in: tx) }
            #expect(try site.count(of: "notice WHERE kind = 'followed'") == 1)
            _ = try await site.signIn(.ben, as: .provider).visit("/events/\(event)/copy").press(
                "Publish these dates", filling: ["dates": "2027-04-03"])
            #expect(try site.count(of: "event") == 2)
            #expect(try site.count(of: "notice WHERE kind = 'followed'") == 1)
        }
    }

    @Test func `the first listing of an organization nobody made sure of waits for a look`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben)
            let ben = try await site.account(of: .ben)
            _ = try await site.signIn(.ana, as: .parent).visit("/providers/ben-ruiz").press("Follow")
            let now = site.clock.now
            func keep() async throws -> Bool {
                try await site.write(at: now) { tx in try Matter.keepBack(Opportunity.self, id, of: ben, in: tx) }
            }
            #expect(try await keep())
            #expect(try await site.browser().visit("/opportunities").cards.isEmpty)
            let mira = try await site.signIn(.mira, isStaff: true)
            #expect(try await mira.visit("/admin/queue").text.contains("Serve Saturday lunch"))
            // Confirming the address isn't what it waits for; being verified is.
            try await site.write(at: now) { tx in try Matter.showFirst(of: ben, in: tx) }
            #expect(try await site.browser().visit("/opportunities").cards.isEmpty)
            #expect(try site.count(of: "notice WHERE kind = 'followed'") == 0)
            try await site.write(at: now) { tx in try Matter.showFirst(of: ben, isVerified: true, in: tx) }
            #expect(try await site.browser().visit("/opportunities").cards.count == 1)
            // Followers hear of it now.
            #expect(try site.count(of: "notice WHERE kind = 'followed'") == 1)
            try await site.execute("UPDATE provider SET verified_at = 1, verified_until = \(now + .days(30))")
            #expect(try await !keep())
        }
    }

    /// The rule by hand: four for following, three for having helped, two for a tag, one for a word, and for nearness.
    @Test func `the points of a suggestion are those of the rule, and so is the order`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            let places: [(person: Person, title: String, tags: String, zip: String, city: String, points: Int)] = [
                // Followed, two tags, one word, in the town: 4 + 4 + 1 + 2.
                (.ben, "Plates for lunch", "health, cooking", "95112", "San Jose", 11),
                // Helped there, one tag: 3 + 2, and 13 km away 1.
                (.cleo, "Watch the gate", "cooking", "95008", "Campbell", 6),
                // Followed, the other tag taken out, far away.
                (.ben, "Sort the shelf", "pets", "90012", "Los Angeles", 4),
                // Three words count, a fourth doesn't: 3, and helped 3.
                (.cleo, "Serve Saturday lunch warmly", "", "90012", "Los Angeles", 6),
            ]
            for place in places {
                try await site.ask(by: place.person) {
                    $0.title = place.title
                    $0.tags = place.tags.isEmpty ? nil : place.tags
                    $0.zip = place.zip
                    $0.city = place.city
                }
            }
            // Full, and one's own already.
            try await site.ask(by: .ben) { $0.title = "Full lunch" }
            try await site.execute("UPDATE shift SET taken = spots WHERE opportunity_id = 5")
            try await site.ask(by: .ben) { $0.title = "Mine" }
            let (ben, cleo) = (try await site.account(of: .ben), try await site.account(of: .cleo))
            var taste = HelpSuggestion.Taste(account: ID(.max))
            taste.followed = [ben]
            taste.helped = [cleo]
            taste.known = [(ID(6), "Serve Saturday lunch warmly", ["health", "cooking", "pets"])]
            taste.lessTags = ["pets"]
            taste.unit = .miles
            let now = site.clock.now
            let ranked = try site.read(at: now) { tx in
                let all = try (1...6).compactMap { try Opportunity.find(ID($0), in: tx) }
                taste.home = all[0].place.coordinate
                return HelpSuggestion.ranked(all, by: taste)
            }
            #expect(
                ranked.map(\.opportunity.title) == [
                    "Plates for lunch", "Watch the gate", "Serve Saturday lunch warmly", "Sort the shelf",
                ])
            for suggestion in ranked {
                let place = places.first { $0.title == suggestion.opportunity.title }
                #expect(suggestion.points == place?.points, "\(suggestion.opportunity.title): \(suggestion.reasons)")
            }
            #expect(ranked[0].tags == ["cooking", "health"] && ranked[3].tags.isEmpty)
            taste.less = [ID(1)]
            let less = try site.read(at: now) { tx in
                HelpSuggestion.ranked(try (1...6).compactMap { try Opportunity.find(ID($0), in: tx) }, by: taste)
            }
            #expect(less.map(\.opportunity.id) == [ID(2), ID(4), ID(3)])
        }
    }

    @Test func `words count as long as they look, whatever they are written in`() {
        #expect(HelpSuggestion.words(of: "Lunch at the pantry") == ["lunch", "pantry"])
        // Two syllables of six signs, and four letters with their marks.
        #expect(HelpSuggestion.words(of: "점심 봉사").isEmpty)
        #expect(HelpSuggestion.words(of: "दोपहर का भोजन").isEmpty)
        #expect(HelpSuggestion.words(of: "도서관자원봉사").count == 1)
    }

    @Test func `what suits somebody follows from the rule, and goes away when they say so`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            let lunch = try await site.ask(by: .ben) { $0.tags = "health, cooking" }
            try await site.ask(by: .ben) {
                $0.title = "Wash up"
                $0.tags = "cooking"
            }
            try await site.ask(by: .cleo) {
                $0.title = "Lunch for swimmers"
                $0.tags = "sports"
                $0.city = "Campbell"
                $0.zip = "95008"
            }
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await site.browser().visit("/opportunities/suggested").path.hasPrefix("/login"))
            let before = try await ana.visit("/opportunities/suggested")
            #expect(before.text.contains("What is near your town.") && before.cards.count == 3)
            _ = try await ana.visit("/opportunities/\(lunch)").press("Sign up", filling: ["shift": ["1"]])
            let page = try await ana.visit("/opportunities/suggested")
            #expect(page.cards == ["Wash up", "Lunch for swimmers"])
            #expect(page.text.contains("You helped King Library before"))
            #expect(page.text.contains("1 tag of what you did: cooking"))
            #expect(page.text.contains("It is about lunch, too"))
            #expect(try await ana.visit("/opportunities/suggested?kind=donate").cards.isEmpty)
            let less = try await page.press("Not this one: Lunch for swimmers")
            #expect(less.cards == ["Wash up"] && less.text.contains("What you want less of"))
            let tag = try await less.press("Less of cooking")
            #expect(!tag.text.contains("1 tag of what you did"))
            let again = try await tag.press("Lunch for swimmers: suggest it again")
            #expect(again.cards.count == 2)
            #expect(try await ana.visit("/events/for-you").text.contains("cooking"))
        }
    }

    @Test func `a member sees first what is close, with how far, on the map too; and everything with a press`()
        async throws
    {
        try await withTestSite { site in
            try await site.gazetteer()
            try await site.ask(by: .ben)
            try await site.ask(by: .cleo) {
                $0.title = "Far away"
                $0.city = "Los Angeles"
                $0.zip = "90012"
            }
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/opportunities")
            #expect(page.heading == "Ways to help, close to you" && page.cards == ["Serve Saturday lunch"])
            #expect(page.text.contains(" mi"))
            let map = try await page.follow("Map")
            #expect(map.path.hasPrefix("/opportunities/map") && map.text.contains("Serve Saturday lunch"))
            #expect(map.html.all("svg").contains { $0["class"] == "map-drawn" })
            let all = try await ana.visit("/opportunities?near=")
            #expect(all.cards.count == 2 && all.heading == "Ways to help")
            #expect(try await site.browser().visit("/opportunities").cards.count == 2)
            // Where nothing is close, it is what there is.
            try await site.execute("UPDATE opportunity SET listed = FALSE WHERE title <> 'Far away'")
            #expect(try await ana.visit("/opportunities").cards == ["Far away"])
        }
    }

    @Test func `programs read ways to help, as JSON and as a feed`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben) {
                $0.title = "Lunch & <b>more</b>"
                $0.tags = "health"
            }
            let visitor = site.browser()
            let one = try await visitor.visit("/api/opportunities/\(id)")
            #expect(
                one.status == 200 && one.string.contains("\"places_left\":12")
                    && one["Access-Control-Allow-Origin"] == "*")
            #expect(try await visitor.visit("/api/opportunities?kind=volunteer&tag=health").string.contains("Lunch"))
            #expect(try await !visitor.visit("/api/opportunities?kind=donate").string.contains("Lunch"))
            for query in ["kind=x", "age=200", "who=me", "within=0", "after=x"] {
                #expect(try await visitor.visit("/api/opportunities?\(query)").status == 400, "\(query)")
            }
            #expect(try await visitor.visit("/api/opportunities?near=Nowhere+At+All").status == 404)
            #expect(try await visitor.visit("/api/opportunities/99").status == 404)
            let feed = try await visitor.visit("/opportunities.atom?tag=health")
            #expect(feed["Content-Type"] == "application/atom+xml; charset=utf-8")
            #expect(feed.string.contains("<title>Lunch &amp; &lt;b&gt;more&lt;/b&gt;</title>"))
            #expect(feed.string.contains("<id>http://localhost:8080/opportunities/\(id)</id>"))
            let page = try await visitor.visit("/opportunities?tag=health")
            let link = page.html.all("link").first { $0["type"] == "application/atom+xml" }?["href"]
            #expect(link == "/opportunities.atom?tag=health")
        }
    }

    @Test func `a certificate says how those who confirmed it stand now`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben)
            let (ana, host, now) = (
                try await site.account(of: .ana), try await site.account(of: .ben), site.clock.now
            )
            let code = try await site.write(at: now + .days(8)) { tx in
                try Signup.take([ID(1)], message: "", of: ana, at: id, in: tx.at(now))
                let one = Contribution.Confirmation(of: .signup(ID(1)), day: Day(iso: "2027-03-27")!, minutes: 60)
                try Contribution.confirm([one], at: id, by: host, in: tx)
                return try Certificate.make(CertificateForm(name: "Ana Ortiz", year: 2027), of: ana, once: "o", in: tx)
            }
            func said() async throws -> String {
                try await site.browser().visit("/certificates/\(code)").text
            }
            #expect(try await said().contains("Unverified organization"))
            try await site.execute("UPDATE provider SET verified_at = 1, verified_until = \(now + .days(30))")
            #expect(try await said().contains("Verified by those who run this site"))
            try await site.execute("UPDATE account SET suspended_at = 1 WHERE id = \(host)")
            #expect(try await said().contains("Suspended by those who run this site"))
            try await site.write(at: now + .days(9)) { tx in try Account.leave(host, in: tx) }
            #expect(try await said().contains("Not on this site anymore"))
        }
    }

    @Test func `five hundred reviews written, changed, deleted and hidden by eight at once add up`() async throws {
        try await withTestSite { site in
            try await site.provider(of: .ben)
            let (host, now) = (try await site.account(of: .ben), site.clock.now)
            let today = Day(iso: "2027-03-20")!
            let accounts: [ID<Account>] = try await site.write(at: now) { tx in
                try (0..<125).map { number in
                    let account = try Account.insert(
                        email: "r-\(number)@example.org", username: "reviewer-\(number)", passwordHash: "x", in: tx)
                    try tx.execute(
                        """
                        INSERT INTO contribution (account_id, kind, host_id, host_name, title, day, minutes, confirmed,
                            currency, once, at)
                        VALUES (\(account), 'hours', \(host), 'King Library', 'Lunch', \(today), 60, 60, '', 'o',
                            \(tx.now))
                        """)
                    return account
                }
            }
            for round in 0..<4 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for thread in 0..<8 {
                        group.addTask {
                            var random = SeededGenerator(seed: UInt64(round * 8 + thread + 1))
                            for _ in 0..<16 {
                                let account = random.pick(accounts)
                                let form = ReviewForm(stars: random.number(in: 1...5), comment: "Good.")
                                let dice = random.number(in: 0..<5)
                                try await site.write(at: now) { tx in
                                    let own: ID<Review>? = try tx.value(
                                        "SELECT id FROM review WHERE account_id = \(account)")
                                    switch (dice, own) {
                                    case (_, nil):
                                        try Review.write(form, of: host, by: account, today: today, in: tx)
                                    case (0, let id?), (1, let id?):
                                        _ = try Review.change(id, to: form, by: account, in: tx)
                                    case (2, let id?): _ = try Review.delete(id, by: account, in: tx)
                                    case (3, let id?): try Review.hide(id, at: tx.now, in: tx)
                                    case (_, let id?): try Review.hide(id, at: nil, in: tx)
                                    }
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                let (total, stars): (OrganizationTotal, [Int]) = try site.read { db in
                    (
                        try OrganizationTotal.of(host, in: db),
                        try db.all("SELECT stars FROM review WHERE hidden_at IS NULL LIMIT 1000") { try $0.next() }
                    )
                }
                #expect(total.reviews == stars.count && total.sum == stars.reduce(0, +) && stars.count > 20)
                #expect(total.tenths == (stars.reduce(0, +) * 20 + stars.count) / (stars.count * 2))
            }
        }
    }

    @Test func `an organization finds every promise, however many there are`() async throws {
        try await withTestSite { site in
            let id = try await SigningUpToHelpTests.coats(site)
            let account = try await site.account(of: .ana)
            try await site.execute(
                """
                INSERT INTO promise (opportunity_id, thing_id, account_id, count, state, once, created_at, ends_at,
                    changed_at)
                WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 205)
                SELECT \(id), 1, \(account), 1, 'open', 'o' || n, 1, \(site.clock.now + .days(5)), 1 FROM number
                """)
            let first = try await site.signIn(.ben, as: .provider).visit("/opportunities/\(id)/signups")
            let rest = try await first.follow("Show more")
            #expect([first, rest].map { $0.buttons.filter { $0.hasPrefix("We got it") }.count } == [200, 5])
        }
    }
}
