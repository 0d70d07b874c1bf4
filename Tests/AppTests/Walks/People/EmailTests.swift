import Database
import Testing

@testable import App

/// `/me/email`: another e-mail address, and the way back.
@Suite struct EmailTests {
    private func ask(_ browser: Browser, _ email: String, password: String = Person.password) async throws -> Page {
        try await browser.visit("/me/email").press(
            "Change the address", filling: ["email": .text(email), "current_password": .text(password)])
    }

    /// The receivers of a kind of letter, and the token in each.
    private func letters(_ kind: NoticeKind, in site: TestSite) throws -> [(to: String, token: String)] {
        try site.read { db in
            try db.all("SELECT address, secret FROM letter WHERE kind = \(kind) ORDER BY id LIMIT 20") {
                (try $0.next(), try $0.next())
            }
        }
    }

    private func email(_ site: TestSite, _ username: String = "ana-ortiz") throws -> String? {
        try site.read { db in try db.value("SELECT email FROM account WHERE username = \(username)") }
    }

    /// Ana, whose address is confirmed, asks for another and confirms it.
    private func changed(_ site: TestSite, to email: String = "new@example.org") async throws -> Browser {
        let ana = try await site.signIn(.ana, as: .parent)
        try await site.execute("UPDATE account SET confirmed_at = 1")
        _ = try await ask(ana, email)
        let token = try #require(try letters(.address, in: site).last?.token)
        _ = try await ana.visit("/verify/\(token)").press("Confirm it")
        return ana
    }

    @Test func `a new address counts once the link sent to it is opened, and the old one is told`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            try await site.execute("UPDATE account SET confirmed_at = 1")
            let asked = try await ask(ana, "New@Example.org")
            #expect(asked.path == "/me/email" && asked.text.contains("new@example.org"))
            #expect(try email(site) == "ana-ortiz@example.org")
            let link = try #require(try letters(.address, in: site).first)
            #expect(link.to == "new@example.org")
            let done = try await ana.visit("/verify/\(link.token)").press("Confirm it")
            #expect(done.flash == "Your e-mail address is confirmed.")
            #expect(try email(site) == "new@example.org")
            #expect(try site.count(of: "account WHERE confirmed_at = \(site.clock.now)") == 1)
            #expect(try letters(.moved, in: site).map(\.to) == ["ana-ortiz@example.org"])
            #expect(try await ana.visit("/verify/\(link.token)").status == 410)
            #expect(try await !ana.visit("/me/email").text.contains("on its way"))
            let new = try await site.browser().visit("/login").press(
                "Log in", filling: ["login": "new@example.org", "password": .text(Person.password)])
            #expect(new.status == 200)
        }
    }

    @Test func `a wrong password, the same address and none are problems, and nothing is written`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let wrong = try await ask(ana, "new@example.org", password: "not it at all")
            #expect(wrong.problems == ["This is not your password. Try again."])
            #expect(wrong.value(of: "email") == "new@example.org")
            #expect(try await ask(ana, "ANA-ortiz@example.org").problems == ["This is your address already."])
            #expect(try await ask(ana, "").problems == ["Give the new e-mail address."])
            #expect(try site.count(of: "email_change") == 0 && site.count(of: "letter") == 0)
        }
    }

    @Test func `whether somebody has the new address is told by nothing, and they get no letter`() async throws {
        try await withTestSite { site in
            try await site.account(of: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            let cleo = try await site.signIn(.cleo, as: .parent)
            let taken = try await ask(ana, Person.ben.email)
            let free = try await ask(cleo, "ben-rui2@example.org")
            func plain(_ page: Page) -> String { page.text.replacing("rui2", with: "ruiz") }
            #expect(plain(taken).contains("ben-ruiz@example.org"))
            #expect(plain(taken).replacing("ana-ortiz", with: "cleo-park") == plain(free))
            #expect(try letters(.address, in: site).map(\.to) == ["ben-rui2@example.org"])
            #expect(try site.count(of: "email_change") == 2 && site.count(of: "one_time_link") == 2)
        }
    }

    @Test func `an address that somebody signed up with meanwhile is theirs`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ask(ana, Person.ben.email)
            let token = try #require(try letters(.address, in: site).first?.token)
            let page = try await ana.visit("/verify/\(token)")
            try await site.account(of: .ben)
            #expect(try await page.press("Confirm it").heading == "This address is in use")
            #expect(try email(site) == "ana-ortiz@example.org")
        }
    }

    @Test func `only whoever is logged in to the account confirms its new address`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let cleo = try await site.signIn(.cleo, as: .parent)
            _ = try await ask(ana, "cleo-park2@example.org")
            let token = try #require(try letters(.address, in: site).first?.token)
            #expect(try await cleo.visit("/verify/\(token)").status == 404)
            let nobody = site.browser()
            #expect(try await nobody.visit("/verify/\(token)").path.hasPrefix("/login?next=%2Fverify"))
            #expect(try await nobody.submit("/verify/\(token)", []).status == 303)
            #expect(try email(site) == "ana-ortiz@example.org")
        }
    }

    @Test func `a link for a new address ends after 24 hours, and with the next one`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            for email in ["one@example.org", "two@example.org"] { _ = try await ask(ana, email) }
            #expect(try await ana.visit("/me/email").text.contains("two@example.org"))
            let first: [UInt8] = try site.read { db in
                try db.value("SELECT token_hash FROM one_time_link ORDER BY token_hash LIMIT 1")!
            }
            #expect(!first.isEmpty)
            #expect(try site.count(of: "one_time_link WHERE ended = 'replaced'") == 1)
            let token = try #require(try letters(.address, in: site).last?.token)
            let page = try await ana.visit("/verify/\(token)")
            site.clock.advance(by: .hours(24))
            #expect(try await page.press("Confirm it").heading == "This link is too old")
            #expect(try await !ana.visit("/me/email").text.contains("two@example.org"))
        }
    }

    @Test func `the old address undoes it: sessions end, the password is void, a new one is asked for`() async throws {
        try await withTestSite { site in
            let ana = try await changed(site)
            let token = try #require(try letters(.moved, in: site).first?.token)
            site.clock.advance(by: .hours(71))
            let owner = site.browser()
            let page = try await owner.visit("/undo-email/\(token)")
            #expect(page["Referrer-Policy"] == "same-origin" && page.text.contains("ana-ortiz@example.org"))
            #expect(try email(site) == "new@example.org")
            let reset = try await page.press("Put it back")
            #expect(reset.heading == "Choose a new password" && reset.flash?.hasPrefix("Your old address") == true)
            #expect(try email(site) == "ana-ortiz@example.org")
            #expect(try await ana.visit("/me").path.hasPrefix("/login"))
            let old = try await site.browser().visit("/login").press(
                "Log in", filling: ["login": "ana-ortiz", "password": .text(Person.password)])
            #expect(old.status == 422)
            _ = try await reset.press("Save the password", filling: ["password": "kites and kites"])
            let new = try await owner.visit("/login").press(
                "Log in", filling: ["login": "ana-ortiz@example.org", "password": "kites and kites"])
            #expect(new.status == 200)
            #expect(try await owner.visit("/undo-email/\(token)").heading == "This link was used already")
            #expect(try await owner.visit("/undo-email/\(Token().text)").status == 404)
        }
    }

    @Test func `after 72 hours nothing is undone`() async throws {
        try await withTestSite { site in
            _ = try await changed(site)
            let token = try #require(try letters(.moved, in: site).first?.token)
            let page = try await site.browser().visit("/undo-email/\(token)")
            site.clock.advance(by: .hours(72))
            #expect(try await page.press("Put it back").heading == "This link is too old")
            #expect(try email(site) == "new@example.org")
        }
    }

    @Test func `two changes in a row are both undone from the first address, and nobody undoes that`() async throws {
        try await withTestSite { site in
            let thief = try await changed(site)
            _ = try await ask(thief, "newer@example.org")
            let last = try #require(try letters(.address, in: site).last?.token)
            _ = try await thief.visit("/verify/\(last)").press("Confirm it")
            let undo = try letters(.moved, in: site)
            #expect(undo.map(\.to) == ["ana-ortiz@example.org", "new@example.org"])
            _ = try await site.browser().visit("/undo-email/\(undo[0].token)").press("Put it back")
            #expect(try email(site) == "ana-ortiz@example.org")
            let again = try await site.browser().visit("/undo-email/\(undo[1].token)")
            #expect(again.heading == "An older address came back")
        }
    }

    @Test func `nobody else gets the old address while it can come back`() async throws {
        try await withTestSite { site in
            _ = try await changed(site)
            var answers = SigningUpTests.answers
            answers["email"] = .text(Person.ana.email)
            answers["username"] = "zoe-ortiz"
            let page = try await site.browser().visit("/signup").press("Sign up", filling: answers)
            #expect(page.status == 422)
            site.clock.advance(by: .hours(72))
            #expect(try await page.press("Sign up", filling: answers).path.hasPrefix("/welcome"))
        }
    }

    @Test func `an address that nobody ever confirmed is told, and undoes nothing`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ask(ana, "new@example.org")
            let token = try #require(try letters(.address, in: site).first?.token)
            _ = try await ana.visit("/verify/\(token)").press("Confirm it")
            #expect(try letters(.moved, in: site).map { "\($0.to) \($0.token)" } == ["ana-ortiz@example.org "])
            #expect(LetterText.moved("ana", token: "").action == nil)
        }
    }

    @Test func `links for a new password end with the address they were sent to`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let link = try #require(try await site.site.resetLink(for: "ana-ortiz"))
            _ = try await ask(ana, "new@example.org")
            #expect(try site.count(of: "one_time_link WHERE kind = 'reset' AND ended IS NULL") == 1)
            let token = try #require(try letters(.address, in: site).first?.token)
            _ = try await ana.visit("/verify/\(token)").press("Confirm it")
            #expect(try await site.browser().visit(link.dropFirst("http://localhost:8080".count)).status == 410)
        }
    }
}
