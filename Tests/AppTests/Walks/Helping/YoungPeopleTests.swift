import Database
import Testing

@testable import App

/// Young people without an account who come to a shift with an adult: a parent agrees by a link.
@Suite struct YoungPeopleTests {
    private static let button = "Take a place for a young person"

    /// The path of the link that a page shows.
    private func link(on page: Page) throws -> String {
        let code = try #require(page.html.first("code")?.text)
        return "/agree/" + (try #require(code.split(separator: "/").last))
    }

    /// Ana, who helps in a shift of so many.
    private func helping(_ site: TestSite, of spots: Int = 12) async throws -> (id: ID<Opportunity>, ana: Browser) {
        let id = try await FamiliesHelpTests.shift(site, of: spots)
        let ana = try await site.signIn(.ana, as: .parent)
        _ = try await ana.visit("/opportunities/\(id)").press("Sign up", filling: ["shift": ["1"]])
        return (id, ana)
    }

    @Test func `a parent without an account agrees, and nothing is kept but that`() async throws {
        try await withTestSite { site in
            let (id, ana) = try await helping(site)
            #expect(try await ana.visit("/opportunities/\(id)").text.contains("a parent agrees by a link"))
            let made = try await ana.visit("/signups/1").press(Self.button)
            let path = try link(on: made)
            #expect(made["Referrer-Policy"] == "same-origin")
            #expect(made.text.contains("Waits for a parent’s yes"))
            #expect(try site.count(of: "shift WHERE taken = 2") == 1)
            #expect(try site.count(of: "signup WHERE places = 2") == 1)
            // The link is shown once, and only its hash is kept.
            #expect(try await ana.visit("/signups/1").html.first("code") == nil)
            let secret = String(path.dropFirst("/agree/".count))
            #expect(try site.count(of: "young_person WHERE CAST(token_hash AS TEXT) LIKE '%' || \(secret) || '%'") == 0)
            let ben = try await site.signIn(.ben, as: .provider)
            let list = "/opportunities/\(id)/signups"
            #expect(try await ben.visit(list).text.contains("1 young person (waits for a parent’s yes)"))

            let asked = try await site.browser().visit(path)
            #expect(asked.text.contains("Serve Saturday lunch") && asked.text.contains("King Library"))
            #expect(!asked.string.contains("Ana") && !asked.string.contains("ana-ortiz"))
            #expect(asked["Referrer-Policy"] == "same-origin")
            let agreed = try await asked.press("I agree")
            #expect(agreed.heading == "Thank you, you agreed")
            #expect(try site.count(of: "young_person WHERE agreed_at IS NOT NULL") == 1)
            #expect(try await ana.visit("/inbox").text.contains("A parent agreed: Serve Saturday lunch"))
            #expect(try await ana.visit("/signups/1").text.contains("A parent agreed"))
            for page in [list, "\(list)?as=csv"] {
                #expect(try await ben.visit(page).string.contains("1 young person (a parent agreed)"), "\(page)")
            }
            // Once only; and a yes stays when the time for it is over.
            // Opened again it says so, and nobody is told twice.
            #expect(try await site.browser().visit(path).heading == "Thank you, you agreed")
            _ = try await asked.press("I agree")
            #expect(try site.count(of: "notice WHERE detail LIKE 'agreed%'") == 1)
            // Moved to another day, the shift needs another yes, by the same link.
            let (shift, moved) = (ID<Shift>(1), site.clock.now)
            try await site.write(at: moved) { tx in
                try tx.execute("UPDATE shift SET ends_at = ends_at + 1 WHERE id = \(shift)")
                let opportunity = try Opportunity.find(ID(1), in: tx)!
                try YoungPerson.follow(Shift.all(of: opportunity.id, in: tx)[0], of: opportunity, in: tx)
            }
            #expect(try await ana.visit("/inbox").text.contains("A parent has to agree once more, by the same link"))
            #expect(try await ben.visit(list).text.contains("1 young person (waits for a parent’s yes)"))
            let unread: SQL = "notice WHERE detail LIKE 'asksAgain%' AND read_at IS NULL"
            #expect(try site.count(of: unread) == 1)
            _ = try await site.browser().visit(path).press("I agree")
            #expect(try site.count(of: unread) == 0)
            let later = site.clock.now + .days(30)
            #expect(try await site.write(at: later) { tx in try YoungPerson.lapse(in: tx) } == 0)
            // Given back, both places are.
            _ = try await ana.visit("/signups/1").press("Give my place back")
            #expect(try site.count(of: "shift WHERE taken = 0") == 1)
            try await site.write(at: later + .days(90)) { tx in _ = try RetentionRule.registrations.erase?(tx) }
            #expect(try site.count(of: "young_person") == 0)
        }
    }

    @Test func `at a day of shadowing a parent is asked whether they come along`() async throws {
        try await withTestSite { site in
            let (_, ana) = try await helping(site)
            let path = try link(on: try await ana.visit("/signups/1").press(Self.button))
            #expect(try await site.browser().visit(path).heading == "A young person would like to help")
            try await site.execute("UPDATE opportunity SET kind = 'shadow'")
            let asked = try await site.browser().visit(path)
            #expect(asked.heading == "A young person would like to come along")
            #expect(asked.text.contains("agree that they come along there") && !asked.text.contains("they help there"))
        }
    }

    @Test func `a parent agrees to nobody who is suspended`() async throws {
        try await withTestSite { site in
            let (_, ana) = try await helping(site)
            let path = try link(on: try await ana.visit("/signups/1").press(Self.button))
            let asked = try await site.browser().visit(path)
            try await site.execute("UPDATE account SET suspended_at = 1 WHERE username = 'ana-ortiz'")
            #expect(try await asked.press("I agree").status == 410)
            #expect(try site.count(of: "young_person WHERE agreed_at IS NOT NULL") == 0)
        }
    }

    @Test func `without a yes in time others have the place, and the adult is told`() async throws {
        try await withTestSite { site in
            let (id, ana) = try await helping(site, of: 2)
            let path = try link(on: try await ana.visit("/signups/1").press(Self.button))
            let cleo = try await site.signIn(.cleo, as: .parent)
            _ = try await cleo.visit("/opportunities/\(id)").press("Wait for a place", filling: ["wait": ["1"]])
            let now = site.clock.now
            // Twin: in time the place is kept.
            #expect(try await site.write(at: now) { tx in try YoungPerson.lapse(in: tx) } == 0)
            #expect(try site.count(of: "shift_wait") == 1)
            try await site.execute("UPDATE young_person SET expires_at = \(now)")
            #expect(try await site.browser().visit(path).status == 410)
            #expect(try await site.write(at: now) { tx in try YoungPerson.lapse(in: tx) } == 1)
            #expect(try site.count(of: "shift_wait") == 0)
            #expect(try site.count(of: "shift WHERE taken = 2") == 1)
            #expect(try site.count(of: "signup WHERE places = 1 AND state = 'confirmed'") == 2)
            #expect(try await ana.visit("/inbox").text.contains("No parent said yes in time"))
            #expect(try await site.browser().visit(path).status == 410)
        }
    }

    @Test func `a link can be made anew, a place given back, and no more are brought than may be`() async throws {
        try await withTestSite { site in
            let (_, ana) = try await helping(site, of: 5)
            let first = try link(on: try await ana.visit("/signups/1").press(Self.button))
            let page = try await ana.visit("/signups/1")
            let version = site.site.dataVersion
            let second = try link(on: try await page.press("Another link: 1"))
            #expect(site.site.dataVersion == version, "no page of others shows it: those that are cached stay")
            #expect(try await site.browser().visit(first).status == 404)
            let open = try await site.browser().visit(second)
            #expect(open.status == 200)
            _ = try await ana.visit("/signups/1").press("Give the place back: 1")
            #expect(try site.count(of: "shift WHERE taken = 1") == 1)
            #expect(try await open.press("I agree").status == 410)
            #expect(try site.count(of: "young_person WHERE agreed_at IS NOT NULL") == 0)
            let form = try await ana.visit("/signups/1")
            for _ in 1...YoungPerson.most { _ = try await ana.visit("/signups/1").press(Self.button) }
            #expect(try await !ana.visit("/signups/1").buttons.contains(Self.button))
            // A form that was drawn before shows who comes by now.
            #expect(try await form.press(Self.button).path == "/signups/1")
            #expect(try site.count(of: "shift WHERE taken = 4") == 1)
            // Sent twice, a form takes one place; a member who may only read takes none.
            let own = try await ana.visit("/help").value(of: "csrf") ?? ""
            let late = try await ana.post("/signups/1/young", [("csrf", own), ("beside", "2")])
            #expect(late.path == "/signups/1")
            #expect(try site.count(of: "young_person WHERE ended_at IS NULL") == 3)
            let until = site.clock.now + .days(1)
            try await site.execute("UPDATE account SET limited_until = \(until)")
            #expect(try await ana.post("/signups/1/young", [("csrf", own), ("beside", "3")]).status == 403)
            try await site.execute("UPDATE account SET limited_until = NULL")
            let more = try await ana.post("/signups/1/young", [("csrf", own), ("beside", "3")])
            #expect(more.status == 422 && more.text.contains("One adult can bring at most 3"))
            #expect(more.problemsLead && more.title.hasPrefix("Error: "))
            // Nobody else's.
            let cleo = try await site.signIn(.cleo, as: .parent)
            let csrf = try await cleo.visit("/help").value(of: "csrf") ?? ""
            for fields in [[], [("renew", "2")], [("remove", "2")]] as [[(String, String)]] {
                let pairs = [("csrf", csrf)] + fields
                #expect(try await cleo.post("/signups/1/young", pairs.map { (name: $0.0, value: $0.1) }).status == 404)
            }
            #expect(try site.count(of: "young_person WHERE ended_at IS NULL") == 3)
        }
    }

    @Test func `there is room for them, and the organization is one that was checked`() async throws {
        try await withTestSite { site in
            let (_, ana) = try await helping(site, of: 2)
            let form = try await ana.visit("/signups/1")
            let path = try link(on: try await form.press(Self.button))
            let page = try await ana.visit("/signups/1")
            #expect(!page.text.contains(Self.button) && page.text.contains("nobody else can come along"))
            let csrf = page.value(of: "csrf") ?? ""
            let full = try await ana.post("/signups/1/young", [("csrf", csrf), ("beside", "1")])
            #expect(full.status == 422 && full.text.contains("There is no free place in this shift"))
            #expect(try site.count(of: "shift WHERE taken = 2") == 1)
            try await site.execute("UPDATE provider SET verified_until = 1")
            #expect(try await site.browser().visit(path).status == 410)
            #expect(try await form.press(Self.button).text.contains("Nobody under 18 can come along"))
            // Twin: with the mark the same link is open.
            let until = site.clock.now + .days(300)
            try await site.execute("UPDATE provider SET verified_until = \(until)")
            #expect(try await site.browser().visit(path).status == 200)
        }
    }
}
