import Database
import Testing

@testable import App

/// What was promised and brought, in the words of both sides; and what runs out by itself, which says so.
@Suite struct RunningOutTests {
    static func promised(_ site: TestSite) async throws -> (id: ID<Opportunity>, ana: Browser, ben: Browser) {
        let id = try await SigningUpToHelpTests.coats(site)
        let ana = try await site.signIn(.ana, as: .parent)
        _ = try await ana.visit("/opportunities/\(id)").press("I’ll bring it: Coats", filling: ["count": "3"])
        return (id, ana, try await site.signIn(.ben, as: .provider))
    }

    @Test func `who says they brought it leaves the organization its word`() async throws {
        try await withTestSite { site in
            let (id, ana, ben) = try await Self.promised(site)
            let page = try await ana.visit("/opportunities/\(id)").press("I brought it: 3 × Coats")
            #expect(page.text.contains("You brought something. Thank you!"))
            #expect(page.text.contains("King Library hasn’t said yet that it is there"))
            #expect(try await ben.visit("/inbox").text.contains("Somebody says it was brought: Winter coats"))
            let list = try await ben.visit("/opportunities/\(id)/signups?after=1")
            #expect(list.text.contains("Ana Ortiz says that it was brought"))
            let form = list
            #expect(try await list.press("We got it: 3 × Coats, Ana Ortiz").path == list.path)
            #expect(try await ana.visit("/impact").text.contains("received by King Library"))
            #expect(try await ana.visit("/inbox").text.contains("What you brought was received"))
            let received = try await ben.visit("/opportunities/\(id)/signups")
            #expect(received.text.contains("Hours given and things received") && received.text.contains("· 3 × Coats"))
            #expect(!received.buttons.contains { $0.hasPrefix("We got it") })
            // What was received stays so.
            _ = try await form.press("It didn’t come: 3 × Coats, Ana Ortiz")
            #expect(try site.count(of: "promise WHERE state = 'given' AND NOT waits") == 1)
            #expect(try site.count(of: "contribution WHERE confirmed_at IS NOT NULL") == 1)
        }
    }

    @Test func `an old tab doesn't take back what was brought`() async throws {
        try await withTestSite { site in
            let (id, ana, _) = try await Self.promised(site)
            let old = try await ana.visit("/opportunities/\(id)")
            _ = try await ana.visit("/opportunities/\(id)").press("I brought it: 3 × Coats")
            let late = try await old.press("Take it back: 3 × Coats")
            #expect(late.flash?.hasPrefix("That changed meanwhile, so nothing was done.") == true)
            #expect(try site.count(of: "promise WHERE state = 'given' AND waits") == 1)
        }
    }

    @Test func `what was said to be brought by mistake is promised again, until the organization has it`() async throws
    {
        try await withTestSite { site in
            let (id, ana, ben) = try await Self.promised(site)
            let before = try site.count(of: "notice")
            var page = try await ana.visit("/opportunities/\(id)").press("I brought it: 3 × Coats")
            // It stays in sight until somebody says that it is there.
            #expect(try await ana.visit("/week").buttons.contains("Not yet: 3 × Coats"))
            page = try await page.press("Not yet: 3 × Coats")
            #expect(page.flash == "It stands as promised again." && page.buttons.contains("I brought it: 3 × Coats"))
            #expect(try site.count(of: "promise WHERE state = 'open' AND NOT waits") == 1)
            #expect(try site.count(of: "contribution") == 0)
            // Nobody had read of it, and so nobody does.
            #expect(try site.count(of: "notice") == before)
            let said = try await page.press("I brought it: 3 × Coats")
            _ = try await ben.visit("/inbox").press("Mark all as read")
            _ = try await said.press("Not yet: 3 × Coats")
            #expect(try await ben.visit("/inbox").text.contains("It isn’t there yet after all: Winter coats"))
            let again = try await ana.visit("/opportunities/\(id)").press("I brought it: 3 × Coats")
            _ = try await ben.visit("/opportunities/\(id)/signups").press("We got it: 3 × Coats, Ana Ortiz")
            let late = try await again.press("Not yet: 3 × Coats")
            #expect(late.flash?.hasPrefix("That changed meanwhile, so nothing was done.") == true)
            #expect(try site.count(of: "promise WHERE state = 'given' AND NOT waits") == 1)
        }
    }

    @Test func `what didn't come can be promised again, and its giver is told`() async throws {
        try await withTestSite { site in
            let (id, ana, ben) = try await Self.promised(site)
            _ = try await ana.visit("/opportunities/\(id)").press("I brought it: 3 × Coats")
            _ = try await ben.visit("/opportunities/\(id)/signups").press("It didn’t come: 3 × Coats, Ana Ortiz")
            #expect(try site.count(of: "opportunity WHERE promised = 0") == 1)
            #expect(try site.count(of: "thing WHERE promised = 0") == 1)
            #expect(try site.count(of: "contribution") == 0)
            #expect(try await ana.visit("/inbox").text.contains("They say that it didn’t come: Winter coats"))
        }
    }

    @Test func `what didn't come of a thing off the list doesn't count there`() async throws {
        try await withTestSite { site in
            let (id, ana, ben) = try await Self.promised(site)
            _ = try await ana.visit("/opportunities/\(id)").press("I brought it: 3 × Coats")
            try await site.write { db in
                try db.execute("UPDATE thing SET removed_at = 1")
                try db.execute(
                    """
                    INSERT INTO thing (opportunity_id, name, wanted, promised, place) VALUES (\(id), 'Hats', 5, 2, 1)
                    """)
                try Opportunity.countThings(of: id, in: db)
            }
            _ = try await ben.visit("/opportunities/\(id)/signups").press("It didn’t come: 3 × Coats, Ana Ortiz")
            #expect(try site.count(of: "thing WHERE promised = 0") == 1)
            #expect(try site.count(of: "opportunity WHERE wanted = 5 AND promised = 2") == 1)
        }
    }

    @Test func `nobody but the organization says that it didn't come`() async throws {
        try await withTestSite { site in
            let (_, ana, _) = try await Self.promised(site)
            let cleo = try await site.signIn(.cleo, as: .provider)
            for (browser, status) in [(ana, 303), (cleo, 404)] {
                let token = try await browser.visit("/help").value(of: "csrf") ?? ""
                let answer = try await browser.submit("/promises/1/missed", [("csrf", token)])
                #expect(answer.status == status || answer.status == 403, "\(answer.status)")
            }
            #expect(try site.count(of: "promise WHERE state = 'open'") == 1)
        }
    }

    @Test func `a promise says a day before, and then, that it runs out: to both`() async throws {
        try await withTestSite { site in
            let (_, ana, ben) = try await Self.promised(site)
            func tell(after days: Int) async throws {
                let now = site.clock.now + .days(days)
                for _ in 1...2 { try await site.write(at: now) { tx in _ = try Promise.lapse(in: tx) } }
            }
            try await tell(after: 12)
            #expect(try site.count(of: "notice WHERE detail LIKE 'ending%'") == 0)
            try await tell(after: 13)
            #expect(try await ana.visit("/inbox").text.contains("Tomorrow your promise runs out: Winter coats"))
            #expect(try await ben.visit("/inbox").text.contains("Tomorrow a promise runs out: Winter coats"))
            try await tell(after: 14)
            #expect(try await ana.visit("/inbox").text.contains("Your promise ran out"))
            #expect(try await ben.visit("/inbox").text.contains("A promise ran out: Winter coats"))
            #expect(try site.count(of: "notice WHERE detail LIKE 'ending%'") == 2)
        }
    }

    @Test func `a review is told to the organization, and leads to where it stands`() async throws {
        try await withTestSite { site in
            try await site.provider(of: .ben)
            let (host, ana, now) = (
                try await site.account(of: .ben), try await site.account(of: .ana), site.clock.now
            )
            let today = site.site.today
            try await site.write(at: now) { tx in
                try tx.execute(
                    """
                    INSERT INTO contribution (account_id, kind, host_id, host_name, title, day, minutes, confirmed,
                        currency, once, at)
                    VALUES (\(ana), 'hours', \(host), 'King Library', 'Lunch', \(today), 60, 60, '', 'o', \(tx.now))
                    """)
                try Review.write(ReviewForm(stars: 4, comment: "Good people."), of: host, by: ana, today: today, in: tx)
            }
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/inbox").follow("Unread: A review of King Library")
            #expect(page.path.hasPrefix("/providers/ben-ruiz") && page.text.contains("Good people."))
            try await site.write(at: now) { tx in
                _ = try Review.change(ID(1), to: ReviewForm(stars: 1, comment: "Not anymore."), by: ana, in: tx)
            }
            #expect(try site.count(of: "notice WHERE detail LIKE 'reviewed%'") == 2)
        }
    }
}
