import Database
import Forms
import SMTP
import Testing

@testable import App

/// What waits for somebody's yes or no: they are reminded, and it runs out.
@Suite struct AwaitedTests {
    /// Ana asked to help at a shift on March 27 at 11 in the town, a week ahead.
    private func asked(_ site: TestSite) async throws -> (ana: Browser, ben: Browser, id: ID<Opportunity>) {
        let id = try await site.ask(by: .ben) { $0.asksFirst = true }
        let ana = try await site.signIn(.ana, as: .parent)
        let page = try await ana.visit("/opportunities/\(id)").press("Ask to help", filling: ["shift": ["1"]])
        #expect(page.flash == "Asked. You are told when there is an answer.")
        try await site.execute("UPDATE account SET confirmed_at = 1")
        return (ana, try await site.signIn(.ben, as: .provider), id)
    }

    private func keep(_ site: TestSite) async { await Housekeeping(site: site.site).tidyUp(at: site.clock.now) }

    /// Accounts whose number of unread notices isn't theirs.
    static let miscounted: SQL = """
        account WHERE unread <> (SELECT count(*) FROM notice
            WHERE notice.account_id = account.id AND notice.read_at IS NULL)
        """

    private func words(_ kind: String, in site: TestSite) throws -> Int {
        try site.count(of: "letter WHERE detail LIKE \("\(kind)\u{1F}%")")
    }

    @Test func `the organization reads on Today who waits, and has a letter after two days, once`() async throws {
        try await withTestSite { site in
            let (_, ben, id) = try await asked(site)
            let today = try await ben.visit("/")
            #expect(today.text.contains("Waits for your answer") && today.text.contains("1 person would like to help"))
            #expect(try await today.follow("Answer: Serve Saturday lunch").path == "/opportunities/\(id)/signups")
            site.clock.advance(by: .hours(47))
            await keep(site)
            #expect(try words("waits", in: site) == 0)
            site.clock.advance(by: .hours(1))
            for _ in 0..<2 { await keep(site) }
            #expect(try words("waits", in: site) == 1)
            let again = try await site.signIn(.ben, as: .provider)
            #expect(try await again.visit("/inbox").text.contains("Somebody still waits for your answer: Serve"))
            let unread: SQL = "notice WHERE kind = 'helpers' AND read_at IS NULL"
            #expect(try site.count(of: unread) == 2)
            _ = try await again.visit("/opportunities/\(id)/signups").press("Say yes: Ana Ortiz")
            // What asked for the answer is settled in the inbox, too.
            #expect(try site.count(of: unread) == 0)
            #expect(try site.count(of: Self.miscounted) == 0)
            #expect(try await !again.visit("/").text.contains("Waits for your answer"))
        }
    }

    @Test func `once the shift began no place is held, nobody says yes, and who asked hears of it`() async throws {
        try await withTestSite { site in
            let (_, ben, id) = try await asked(site)
            let form = try await ben.visit("/opportunities/\(id)/signups")
            #expect(form.buttons.contains("Say yes: Ana Ortiz"))
            let start: Instant? = try site.read { db in try db.value("SELECT starts_at FROM shift") }
            site.clock.advance(by: try #require(start) - site.clock.now)
            // Also before the minute in which it runs out.
            let late = try await site.signIn(.ben, as: .provider)
            let list = try await late.visit("/opportunities/\(id)/signups")
            #expect(!list.buttons.contains("Say yes: Ana Ortiz") && list.text.contains("There was no answer in time"))
            let token = try await late.visit("/help").value(of: "csrf") ?? ""
            #expect(try await late.post("/signups/1/answer", [("csrf", token), ("answer", "yes")]).status == 409)
            #expect(try await !late.visit("/").text.contains("Waits for your answer"))
            await keep(site)
            #expect(try site.count(of: "shift WHERE taken = 0") == 1 && words("unanswered", in: site) == 1)
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await ana.visit("/inbox").text.contains("There was no answer in time: Serve Saturday lunch"))
            #expect(try await ana.visit("/signups/1").text.contains("There was no answer in time"))
            #expect(try await !ana.visit("/signups/1").text.contains("They couldn’t take you"))
            await keep(site)
            #expect(try words("unanswered", in: site) == 1)
        }
    }

    @Test func `a shift that waits for a yes is nowhere shown as settled`() async throws {
        try await withTestSite { site in
            let (asker, _, id) = try await asked(site)
            let made = try await asker.visit("/me/calendar").press("Make an address: Everything I have planned")
            let address = try #require(made.html.first("code")?.text)
            let calendar = String(address.dropFirst("http://localhost:8080".count))
            let start: Instant? = try site.read { db in try db.value("SELECT starts_at FROM shift") }
            site.clock.advance(by: try #require(start) - site.clock.now - .minutes(20))
            let (ana, open) = (try await site.signIn(.ana, as: .parent), "Waiting for their yes or no")
            let today = try await ana.visit("/").text
            #expect(today.contains("Now and within the hour") && today.contains(open))
            #expect(try await ana.visit("/week").html.all(ofClass: "open").map(\.text) == [open])
            #expect(try await ana.visit("/week?as=print").text.contains("Serve Saturday lunch (\(open))"))
            let phone = site.browser()
            let before = try await phone.visit(calendar).string
            #expect(before.contains("STATUS:TENTATIVE\r\nSUMMARY:Waiting for a yes: Serve Saturday lunch\r\n"))

            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/opportunities/\(id)/signups").press("Say yes: Ana Ortiz")
            for path in ["/", "/week", "/week?as=print"] {
                #expect(try await !ana.visit(path).text.contains(open), "\(path)")
            }
            let after = try await phone.visit(calendar).string
            #expect(after.contains("STATUS:CONFIRMED\r\nSUMMARY:Serve Saturday lunch\r\n"))
            func sequence(_ file: String) throws -> Int {
                try #require(Int(file.firstMatch(of: /SEQUENCE:(\d+)/)?.1 ?? ""))
            }
            #expect(try sequence(after) > sequence(before))
        }
    }

    @Test func `what ends soon is reminded of a day before, and what ends at once not at all`() {
        let now = Clock.start
        #expect(YesReminder.due(askedAt: now, endsAt: nil) == now + .days(2))
        #expect(YesReminder.due(askedAt: now, endsAt: now + .days(9)) == now + .days(2))
        #expect(YesReminder.due(askedAt: now, endsAt: now + .hours(60)) == now + .hours(36))
        #expect(YesReminder.due(askedAt: now, endsAt: now + .hours(20)) == now + .hours(6))
        #expect(YesReminder.due(askedAt: now, endsAt: now + .hours(5)) == nil)
    }

    @Test func `who is asked when to meet is reminded, and who asked hears that there was no answer`() async throws {
        try await withTestSite { site in
            let (ana, ben, path) = try await PlaydatesTests.matched(in: site)
            _ = try await ana.visit(path).press(
                "Propose these times",
                filling: [
                    "day_1": "2027-03-21", "time_1": "10:00", "day_2": "2027-03-25", "time_2": "11:00",
                    "place": "The lawn",
                ])
            #expect(try await ben.visit("/").text.contains("You are asked when to meet"))
            site.clock.advance(by: .days(2))
            for _ in 0..<2 { await keep(site) }
            #expect(try site.count(of: "notice WHERE kind = 'met' AND detail LIKE 'waits%'") == 1)
            // What is over is no answer anymore.
            let match = try await site.signIn(.ben).visit(path)
            #expect(match.buttons.contains { $0.contains("March 25") })
            #expect(!match.buttons.contains { $0.contains("March 21") })
            site.clock.advance(by: .days(4))
            for _ in 0..<2 { await keep(site) }
            #expect(try site.count(of: "notice WHERE kind = 'met' AND detail LIKE 'unanswered%'") == 1)
            let hers = try await site.signIn(.ana, as: .parent)
            #expect(try await hers.visit("/inbox").text.contains("There was no answer in time: when to meet"))
            #expect(try await hers.visit(path).text.contains("There was no answer in time"))
        }
    }

    @Test func `the author reads on Today that somebody says it came, until they answer`() async throws {
        try await withTestSite { site in
            let ana = try await offered(site)
            #expect(try await ana.visit("/needs/mine").text.contains("Waits for your answer"))
            let asked = try await ana.visit("/needs/1")
            _ = try await asked.press(try #require(asked.buttons.first { $0.hasPrefix("Yes: ") }))
            #expect(try await !ana.visit("/needs/mine").text.contains("Waits for your answer"))
            let dan = try await site.signIn(.family(1), as: .parent)
            let before = try await dan.visit("/needs/1")
            #expect(before.text.contains("Promised until "))
            _ = try await before.press("It is there")
            #expect(try await ana.visit("/").text.contains("Did it happen? 1 person says so."))
            #expect(try await ana.visit("/needs/mine").text.contains("Waits for your answer"))
            // A page from before takes nothing back.
            let late = try await before.press("I can’t after all")
            #expect(late.flash == "That changed meanwhile, so nothing was done. This is how it is now.")
            #expect(try site.count(of: "claim WHERE state = 'brought'") == 1)
            let page = try await ana.visit("/").follow("Answer: Three warm blankets")
            let thanks = try #require(page.buttons.first { $0.hasPrefix("It is there, thank you") })
            let unread = "Unread: Did it happen? Three warm blankets"
            #expect(try await ana.visit("/inbox").link(unread) != nil)
            _ = try await page.press(thanks)
            let inbox = try await ana.visit("/inbox")
            #expect(inbox.text.contains("Did it happen? Three warm blankets") && inbox.link(unread) == nil)
            #expect(try site.count(of: Self.miscounted) == 0)
            for path in ["/", "/needs/mine"] {
                #expect(try await !ana.visit(path).text.contains("Waits for your answer"), "\(path)")
            }
        }
    }

    /// Dan offered to bring something to Ana's home, where it has four days.
    func offered(_ site: TestSite) async throws -> Browser {
        try await site.gazetteer()
        let ana = try await site.signIn(.ana, as: .parent)
        let dan = try await site.signIn(.family(1), as: .parent)
        try await site.execute("UPDATE account SET confirmed_at = 1, created_at = 1")
        _ = try await ana.visit("/needs/new").press(
            "Preview",
            filling: [
                "title": "Three warm blankets", "kind": "things", "description": "Until it is warm.", "count": "3",
                "until": "2027-04-10", "is_home": ["1"], "address": "17 Hidden Lane", "city": "San Jose",
                "state": "CA", "zip": "95112",
            ]
        ).press("Ask")
        _ = try await dan.visit("/needs/1").press("Offer to bring it")
        return ana
    }

    @Test func `what is told leads to the part of the page that it is about`() async throws {
        /// Follows a notice.
        func leads(_ browser: Browser, _ words: String, to link: String) async throws {
            let page = try await browser.visit("/inbox").follow("Unread: " + words)
            #expect(page.redirects.last == link, "\(words)")
            let part = String(link.drop { $0 != "#" }.dropFirst())
            #expect(page.html.all { $0["id"] == part }.count == 1, "\(words)")
        }
        try await withTestSite { site in
            let ana = try await offered(site)
            #expect(try await ana.visit("/").link("Answer: Three warm blankets") == "/needs/1#who")
            try await leads(ana, "Somebody would help: Three warm blankets", to: "/needs/1#who")
            _ = try await ana.visit("/needs/1").press("Yes: \(Person.family(1).username)")
            let dan = try await site.signIn(.family(1), as: .parent)
            try await leads(dan, "They said yes: Three warm blankets", to: "/needs/1#mine")
            _ = try await dan.visit("/needs/1").press("It is there")
            try await leads(ana, "Did it happen? Three warm blankets", to: "/needs/1#who")
            let need = try await ana.visit("/needs/1")
            _ = try await need.press(try #require(need.buttons.first { $0.hasPrefix("It is there, thank") }))
            try await leads(dan, "They say thank you: Three warm blankets", to: "/needs/1#given")
        }
        try await withTestSite { site in
            let (ana, ben, id) = try await asked(site)
            _ = try await ben.visit("/opportunities/\(id)/signups").press("Say yes: Ana Ortiz")
            try await leads(ana, "They said yes: Serve Saturday lunch, March 27", to: "/opportunities/\(id)#mine")
        }
        try await withTestSite { site in
            let (ana, ben, match) = try await PlaydatesTests.matched(in: site)
            _ = try await ana.visit(match).press(
                "Propose these times", filling: ["day_1": "2027-03-22", "time_1": "10:00", "place": "The lawn"])
            try await leads(ben, "When to meet Clover? Your answer is awaited", to: match + "#meetings")
        }
    }

    @Test func `letters to somebody who goes to help say where`() async throws {
        let office = try PostOffice()
        try await withTestSite { site in
            let (_, ben, id) = try await asked(site)
            _ = try await ben.visit("/opportunities/\(id)/signups").press("Say yes: Ana Ortiz")
            let client = MailClient(MailServer(url: office.url)!, name: "village.example")
            #expect(await Postman(site: site.site).deliverAll(by: client))
            // Two hours before.
            site.clock.advance(by: Clock.start + .days(7) + .hours(6) - site.clock.now)
            await keep(site)
            #expect(await Postman(site: site.site).deliverAll(by: client))
            for words in ["They said yes", "Coming up"] {
                let subject = "\(words): Serve Saturday lunch, March 27"
                let letter = try #require(try office.letters.first { $0.subject == subject })
                #expect(letter.text.contains("Where: 180 Park Ave, San Jose, CA 95113"), "\(letter.text)")
                #expect(letter.text.contains("/opportunities/\(id)#mine"))
            }
        }
    }

    @Test func `who asked for something is reminded of an offer, and both hear that it ran out`() async throws {
        try await withTestSite { site in
            let ana = try await offered(site)
            #expect(try await ana.visit("/").text.contains("1 person would come"))
            let ends: Instant? = try site.read { db in try db.value("SELECT ends_at FROM claim") }
            try await site.execute("UPDATE claim SET ends_at = \(site.clock.now + .days(4))")
            #expect(ends != nil)
            site.clock.advance(by: .days(2))
            for _ in 0..<2 { await keep(site) }
            #expect(try words("waits", in: site) == 1)
            site.clock.advance(by: .days(2))
            let late = try await site.signIn(.ana, as: .parent)
            #expect(try await !late.visit("/needs/1").buttons.contains("Yes: \(Person.family(1).username)"))
            await keep(site)
            #expect(try words("unanswered", in: site) == 1 && words("overlooked", in: site) == 1)
            #expect(try words("lapsed", in: site) == 0 && words("dropped", in: site) == 0)
            #expect(try site.count(of: "need WHERE promised = 0") == 1)
        }
    }
}
