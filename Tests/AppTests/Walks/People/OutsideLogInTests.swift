import Database
import Foundation
import OpenID
import Templating
import Testing

@testable import App

/// Logging in with an account elsewhere: `/login/elsewhere`, and who may: `/admin/log-ins`.
@Suite struct OutsideLogInTests {
    private typealias Member = TestIssuer.Member

    /// Ben's organization and Noor, a moderator, may log in that way, as Mira wrote down.
    private func withIssuer(
        limits: Bool = false, publicURL: String = "http://localhost:8080",
        _ body: @escaping (TestSite, TestIssuer) async throws -> Void
    ) async throws {
        try await TestIssuer.run { issuer in
            try await withTestSite(limits: limits, publicURL: publicURL, issuer: issuer) { site in
                try await site.provider(of: .ben)
                let ben = try await site.account(of: .ben)
                let noor = try await site.account(of: .noor, role: .moderator)
                try await site.execute("UPDATE account SET confirmed_at = 1")
                for (account, person) in [(ben, Person.ben), (noor, .noor)] {
                    try await site.execute(
                        "INSERT INTO outside_log_in (account_id, email, at) VALUES (\(account), \(person.email), 1)")
                }
                try await body(site, issuer)
            }
        }
    }

    private func begin(_ browser: Browser, next: String = "") async throws -> String? {
        let page = try await browser.send("GET", "/login/elsewhere" + next)
        #expect(page.status == 303)
        return page.location
    }

    /// Presses the button, logs in there, and comes back.
    private func logIn(
        _ browser: Browser, as member: Member, at issuer: TestIssuer, changing changes: [String: any Sendable] = [:]
    ) async throws -> Page {
        let back = try issuer.logIn(member, from: try await begin(browser), changing: changes)
        return try await browser.visit(back)
    }

    private let unknown = """
        Nobody has said that you may log in that way. Ask the people who run this site, or use your password.
        """
    private let wrong = "The answer from the place where you log in isn’t valid. Try again, or use your password."
    private let lost = "The log-in took too long, or it began in another browser. Please try again."

    // MARK: The way

    @Test func `an organization and a moderator come in with their account elsewhere, again and again`() async throws {
        try await withIssuer { site, issuer in
            let page = try await site.browser().visit("/login")
            #expect(page.link("Log in with City Hall") == "/login/elsewhere")
            let ben = site.browser()
            let home = try await logIn(ben, as: .of(.ben), at: issuer)
            #expect(home.status == 200 && home.redirects.first == "/welcome")
            #expect(try await ben.visit("/me").path == "/me")
            let noor = site.browser()
            #expect(try await logIn(noor, as: .of(.noor), at: issuer).redirects.first == "/admin")
            // From then on it is what they are called there that counts, not the address.
            let moved = Member(subject: "sub-ben-ruiz", email: "ben@elsewhere.example", isVerified: false)
            let again = site.browser()
            #expect(try await logIn(again, as: moved, at: issuer).path == "/welcome")
            let stranger = Member.of(.ben, subject: "another")
            let page2 = try await logIn(site.browser(), as: stranger, at: issuer)
            #expect(page2.path == "/login" && page2.flash == unknown, "the address alone opens nothing twice")
            #expect(try site.count(of: "session") == 3)
            let log = try await site.signIn(.mira, isStaff: true).visit("/admin/log").text
            #expect(log.contains("logged in for the first time with an account elsewhere, as ben-ruiz"))
            #expect(!site.log.lines.contains { $0.contains("opens everything") || $0.contains("@example.org") })
        }
    }

    @Test func `without an issuer nobody is let in that way, and who was can be taken off the list`() async throws {
        try await withTestSite { site in
            let (noor, now) = (try await site.account(of: .noor, role: .moderator), site.clock.now)
            try await site.execute("UPDATE account SET confirmed_at = 1")
            try await site.execute(
                "INSERT INTO outside_log_in (account_id, email, at) VALUES (\(noor), \(Person.noor.email), \(now))")
            let mira = try await site.signIn(.mira, isStaff: true)
            let page = try await mira.visit("/admin/log-ins")
            #expect(page.text.contains("No place elsewhere is set up") && page.text.contains("VILLAGE_OIDC_ISSUER"))
            #expect(page.text.contains("noor-haddad") && page.link("End it: noor-haddad") != nil)
            #expect(!page.buttons.contains("Let them log in"))
            let token = try #require(page.value(of: "csrf"))
            let late = try await mira.submit("/admin/log-ins", [("csrf", token), ("email", Person.ben.email)])
            #expect(late.status == 303 && late.location == "/admin/log-ins")
            #expect(try site.count(of: "outside_log_in") == 1)
        }
    }

    @Test func `no role is chosen beforehand, and without one nobody is let in`() async throws {
        try await withIssuer { site, _ in
            let mira = try await site.signIn(.mira, isStaff: true)
            let page = try await mira.visit("/admin/log-ins")
            #expect(page.values(of: "role").isEmpty)
            try await site.execute("DELETE FROM outside_log_in")
            let sent = try await page.press(
                "Let them log in",
                filling: [
                    "email": .text(Person.ben.email), "reason": "Works at City Hall",
                    "current_password": .text(Person.password),
                ])
            #expect(sent.status == 422)
            #expect(try site.count(of: "outside_log_in") == 0)
        }
    }

    @Test func `without an issuer there is no button, and no way`() async throws {
        try await withTestSite { site in
            let browser = site.browser()
            let page = try await browser.visit("/login")
            #expect(!page.text.contains("For the people who run this site"))
            for path in ["/login/elsewhere", "/login/elsewhere/back?code=a&state=b"] {
                let answer = try await browser.visit(path)
                #expect(answer.status == 404)
            }
        }
    }

    @Test func `it goes on where they were, and never off the site`() async throws {
        try await withIssuer { site, issuer in
            for (next, path) in [("?next=%2Fme%2Fsettings", "/me/settings"), ("?next=%2F%2Fevil.example", "/")] {
                let browser = site.browser()
                try await site.execute("UPDATE account SET last_hat = 'provider' WHERE username = 'ben-ruiz'")
                let back = try issuer.logIn(.of(.ben), from: try await begin(browser, next: next))
                #expect(try await browser.visit(back).path == path)
            }
        }
    }

    @Test func `the second step is asked for as after a password`() async throws {
        try await withIssuer { site, issuer in
            let noor = try await site.account(of: .noor)
            let secret = OneTimeCode().secret
            try await site.execute(
                """
                INSERT INTO two_step (account_id, secret, begun_at, turned_on_at) VALUES (\(noor), \(secret), 1, 1)
                """)
            let browser = site.browser()
            let page = try await logIn(browser, as: .of(.noor), at: issuer)
            #expect(page.path == "/login/code")
            #expect(try site.count(of: "session") == 0)
            let code = OneTimeCode(secret: secret).code(at: OneTimeCode.step(at: site.clock.now))
            #expect(try await page.press("Log in", filling: ["code": .text(code)]).path == "/admin")
        }
    }

    @Test func `the cookie of a log-in elsewhere is out of reach for scripts, short-lived, and gone after it`()
        async throws
    {
        try await withIssuer(publicURL: "https://village.example") { site, issuer in
            let browser = site.browser(at: "https://village.example")
            let page = try await browser.send("GET", "/login/elsewhere")
            let cookie = try #require(page["Set-Cookie"])
            #expect(cookie.hasPrefix("__Host-village_elsewhere="))
            for part in ["HttpOnly", "SameSite=Lax", "Secure", "Max-Age=600", "Path=/"] {
                #expect(cookie.contains(part), "\(part)")
            }
            let location = page.location ?? ""
            #expect(location.contains("redirect_uri=https%3A%2F%2Fvillage.example%2Flogin%2Felsewhere%2Fback"))
            _ = try await browser.send("GET", try issuer.logIn(.of(.ben), from: location))
            #expect(browser.cookie("__Host-village_elsewhere") == nil)
            #expect(browser.cookie("__Host-village") != nil)
        }
    }

    // MARK: What doesn't open

    @Test func `nobody comes in whom no admin wrote down, or whose address one of both hasn't made sure of`()
        async throws
    {
        try await withIssuer { site, issuer in
            try await site.provider(of: .cleo)
            try await site.execute("UPDATE account SET confirmed_at = 1")
            for member in [
                Member.of(.cleo), .of(.ana), .of(.ben, isVerified: false),
                Member(subject: "x", email: "ben-ruiz@example.org.evil.example"), Member(subject: "x", email: ""),
                // Other mailboxes, which somebody who types them here would mean this one by.
                Member(subject: "x", email: "ｂｅｎ-ruiz@example.org"),
                Member(subject: "x", email: "ben-ruiz＠example.org"),
            ] {
                let page = try await logIn(site.browser(), as: member, at: issuer)
                #expect(page.path == "/login" && page.flash == unknown, "\(member)")
            }
            try await site.execute("UPDATE account SET confirmed_at = NULL WHERE username = 'ben-ruiz'")
            #expect(try await logIn(site.browser(), as: .of(.ben), at: issuer).flash == unknown)
            // The address that an admin wrote down isn't the account's anymore.
            try await site.execute(
                "UPDATE account SET confirmed_at = 1, email = 'new@example.org' WHERE username = 'ben-ruiz'")
            #expect(try await logIn(site.browser(), as: .of(.ben), at: issuer).flash == unknown)
            #expect(try site.count(of: "session") == 0)
            // The twin.
            try await site.execute("UPDATE account SET email = \(Person.ben.email) WHERE username = 'ben-ruiz'")
            #expect(try await logIn(site.browser(), as: .of(.ben), at: issuer).path == "/welcome")
        }
    }

    @Test func `a family's account is refused, also when it becomes one later`() async throws {
        try await withIssuer { site, issuer in
            let kind = """
                This is a family’s account. Families log in with their own password, so that nothing about children \
                hangs on an account elsewhere.
                """
            #expect(try await logIn(site.browser(), as: .of(.ben), at: issuer).path == "/welcome")
            try await site.family(of: .ben)
            try await site.family(of: .noor)
            for member in [Member.of(.ben), .of(.noor)] {
                let page = try await logIn(site.browser(), as: member, at: issuer)
                #expect(page.path == "/login" && page.flash == kind)
            }
        }
    }

    @Test func `a suspended account stays shut`() async throws {
        try await withIssuer { site, issuer in
            let ben = try await site.account(of: .ben)
            try await site.write(at: site.clock.now) { tx in _ = try Account.suspend(ben, in: tx) }
            let page = try await logIn(site.browser(), as: .of(.ben), at: issuer)
            #expect(page.status == 403)
            #expect(try site.count(of: "session") == 0)
        }
    }

    @Test func `what an issuer says of roles and groups is not read`() async throws {
        try await withIssuer { site, issuer in
            _ = try await logIn(site.browser(), as: .of(.ben), at: issuer)
            #expect(try site.count(of: "account WHERE is_staff AND username = 'ben-ruiz'") == 0)
            #expect(try site.count(of: "account WHERE is_admin AND username = 'noor-haddad'") == 0)
        }
    }

    @Test func `a token with another log-in's nonce opens nothing, nor does one that is over or another site's`()
        async throws
    {
        try await withIssuer { site, issuer in
            let now = site.clock.now.seconds
            let changes: [[String: any Sendable]] = [
                ["nonce": "another"], ["exp": now - 60], ["iat": now - 120], ["aud": "other"],
                ["iss": "https://evil.example"], ["azp": "other"],
            ]
            for change in changes {
                let page = try await logIn(site.browser(), as: .of(.ben), at: issuer, changing: change)
                #expect(page.path == "/login" && page.flash == wrong, "\(change)")
                #expect(!page.text.contains("nonce") && !page.text.contains(issuer.address), "nothing of the inside")
            }
            #expect(try site.count(of: "session") == 0)
            #expect(site.log.lines.contains { $0.contains("log-in") && $0.contains("nonce") })
        }
    }

    @Test func `the way back of one browser opens nothing in another, and none opens twice`() async throws {
        try await withIssuer(limits: true) { site, issuer in
            let (mine, other) = (site.browser(), site.browser())
            let back = try issuer.logIn(.of(.ben), from: try await begin(mine))
            // A link that somebody is sent: without a log-in begun there, and with one.
            let tricked = try await other.visit(back)
            #expect(tricked.path == "/login" && tricked.flash == lost)
            _ = try await begin(other)
            #expect(try await other.visit(back).flash == lost)
            #expect(issuer.count("/token") == 0, "nobody was asked")
            let cookie = mine.cookie(OutsideAttempt.cookieName)
            #expect(try await mine.visit(back).path == "/welcome")
            // The same address and cookie again.
            let thief = site.browser()
            thief.keep(OutsideAttempt.cookieName, cookie)
            #expect(try await thief.visit(back).flash == lost)
            #expect(issuer.count("/token") == 1)
            #expect(try site.count(of: "session") == 1)
        }
    }

    @Test func `a code opens once, at the issuer as well`() async throws {
        try await withIssuer { site, issuer in
            let mine = site.browser()
            let back = try issuer.logIn(.of(.ben), from: try await begin(mine))
            let cookie = mine.cookie(OutsideAttempt.cookieName)
            #expect(try await mine.visit(back).path == "/welcome")
            let thief = site.browser()
            thief.keep(OutsideAttempt.cookieName, cookie)
            // Without the limits: the issuer says no, and the visitor isn't told that it is away.
            let page = try await thief.visit(back)
            #expect(page.path == "/login" && page.flash == wrong && issuer.count("/token") == 2)
            #expect(try site.count(of: "session") == 1)
        }
    }

    @Test func `a log-in that another node began, whose clock is ahead, goes on`() async throws {
        try await withIssuer { site, issuer in
            for (seconds, path) in [(30.0, "/welcome"), (61, "/login")] {
                let browser = site.browser()
                let back = try issuer.logIn(.of(.ben), from: try await begin(browser))
                site.clock.advance(by: .seconds(-seconds))
                #expect(try await browser.visit(back).path == path, "\(seconds)")
                site.clock.advance(by: .seconds(seconds))
            }
        }
    }

    @Test func `a cookie that was changed, or is older than ten minutes, begins nothing`() async throws {
        try await withIssuer { site, issuer in
            let browser = site.browser()
            let back = try issuer.logIn(.of(.ben), from: try await begin(browser))
            let cookie = try #require(browser.cookie(OutsideAttempt.cookieName))
            let later = "9" + cookie.drop { $0 != "-" }.dropFirst(2)
            for changed in ["", "~", String(cookie.dropFirst()), "elsewhere-" + later, cookie + "~", "x" + cookie] {
                browser.keep(OutsideAttempt.cookieName, changed)
                #expect(try await browser.visit(back).flash == lost, "\(changed)")
            }
            browser.keep(OutsideAttempt.cookieName, cookie)
            site.clock.advance(by: .minutes(10))
            #expect(try await browser.visit(back).flash == lost)
            #expect(issuer.count("/token") == 0)
        }
    }

    @Test func `an issuer that says no, or nothing, leads back to the log-in page with a sentence`() async throws {
        try await withIssuer { site, issuer in
            let browser = site.browser()
            let back = try issuer.logIn(.of(.ben), from: try await begin(browser, next: "?next=%2Fme"))
            let state = try #require(back.components(separatedBy: "&state=").last)
            let no = try await browser.visit("/login/elsewhere/back?error=access_denied&state=\(state)")
            #expect(no.path == "/login?next=%2Fme")
            #expect(no.flash == "The log-in was stopped there. Try again, or use your password.")
            #expect(!no.text.contains("access_denied"))
            // Some say it without the state. Without a log-in that began here it is nobody's.
            #expect(try await browser.visit("/login/elsewhere/back?error=access_denied").flash == lost)
            _ = try await begin(browser)
            let bare = try await browser.visit("/login/elsewhere/back?error=access_denied")
            #expect(bare.flash == no.flash && bare.path == "/login")
            issuer.setAway(true)
            let away = "The place where you log in doesn’t answer. Try again later, or use your password."
            // What it says of itself is known for an hour.
            #expect(try await logIn(browser, as: .of(.ben), at: issuer).flash == away)
            site.clock.advance(by: .hours(1))
            #expect(try await browser.visit("/login/elsewhere").flash == away)
            issuer.setAway(false)
            #expect(try await browser.visit("/login/elsewhere").flash == away, "it is left alone for a minute")
            site.clock.advance(by: .minutes(1))
            #expect(try await logIn(browser, as: .of(.ben), at: issuer).path == "/welcome")
        }
    }

    @Test func `an issuer that is away shuts nobody out who types a password`() async throws {
        try await withIssuer(limits: true) { site, issuer in
            let browser = site.browser()
            for number in 0..<11 {
                let back = try issuer.logIn(.of(.ben), from: try await begin(browser))
                issuer.setAway(true)
                let page = try await browser.visit(back)
                #expect(page.flash?.hasPrefix("The place where you log in doesn’t answer.") == true, "\(number)")
            }
            let page = try await site.browser().visit("/login").press(
                "Log in", filling: ["login": .text(Person.ben.username), "password": .text(Person.password)])
            #expect(page.status == 200 && !page.path.hasPrefix("/login"))
        }
    }

    @Test func `an issuer that doesn't take the site's secret makes nobody a guesser`() async throws {
        try await withIssuer(limits: true) { site, issuer in
            issuer.forgetSecret()
            let browser = site.browser()
            for number in 0..<11 {
                let page = try await logIn(browser, as: .of(.ben), at: issuer)
                #expect(page.flash?.hasPrefix("The place where you log in doesn’t answer.") == true, "\(number)")
            }
            let page = try await site.browser().visit("/login").press(
                "Log in", filling: ["login": .text(Person.ben.username), "password": .text(Person.password)])
            #expect(page.status == 200 && !page.path.hasPrefix("/login"))
        }
    }

    @Test func `an issuer's new key is taken`() async throws {
        try await withIssuer { site, issuer in
            _ = try await logIn(site.browser(), as: .of(.ben), at: issuer)
            issuer.changeKey(to: "second")
            #expect(try await logIn(site.browser(), as: .of(.ben), at: issuer).flash == wrong, "within the minute")
            site.clock.advance(by: .minutes(1))
            #expect(try await logIn(site.browser(), as: .of(.ben), at: issuer).path == "/welcome")
            #expect(issuer.count("/keys") == 2)
        }
    }

    @Test func `guessing and flooding wait`() async throws {
        try await withIssuer(limits: true) { site, issuer in
            for number in 0..<10 {
                let page = try await logIn(
                    site.browser(), as: .of(.ben), at: issuer, changing: ["nonce": "guess \(number)"])
                #expect(page.flash == wrong, "\(number)")
            }
            let back = try issuer.logIn(.of(.ben), from: try await begin(site.browser()))
            #expect(back.hasPrefix("/login/elsewhere/back?"))
            let browser = site.browser()
            let own = try issuer.logIn(.of(.ben), from: try await begin(browser))
            #expect(try await browser.visit(own).status == 429)
            var statuses: [Int] = []
            for _ in 0..<30 { statuses.append(try await site.browser().send("GET", "/login/elsewhere").status) }
            #expect(statuses.last == 429)
        }
    }

    // MARK: Who may

    private func allow(
        _ browser: Browser, _ email: String, as role: Role = .member, password: String = Person.password
    ) async throws -> Page {
        try await browser.visit("/admin/log-ins").press(
            "Let them log in",
            filling: [
                "email": .text(email), "role": .text(role.rawValue), "reason": "Works at City Hall",
                "current_password": .text(password),
            ])
    }

    @Test func `an admin writes down who may, and as what, with the own password`() async throws {
        try await withIssuer { site, issuer in
            let mira = try await site.signIn(.mira, isStaff: true)
            try await site.account(of: .cleo)
            try await site.family(of: .ana)
            let problems: [(Page, String)] = [
                (try await allow(mira, Person.cleo.email), "Nobody here has confirmed this address."),
                (try await allow(mira, "nobody@example.org"), "Nobody here has confirmed this address."),
            ]
            for (page, words) in problems {
                #expect(page.status == 422 && page.problems.first?.hasPrefix(words) == true, "\(page.problems)")
            }
            try await site.execute("UPDATE account SET confirmed_at = 1")
            for (email, role, words): (String, Role, String) in [
                (Person.ana.email, .moderator, "This is a family’s account."),
                (Person.cleo.email, .member, "They need a role, or an organization"),
                (Person.ben.email, .member, "They can log in that way already."),
                (Person.mira.email, .member, "This is you:"),
            ] {
                let page = try await allow(mira, email, as: role)
                #expect(page.status == 422 && page.problems.first?.hasPrefix(words) == true, "\(page.problems)")
            }
            #expect(try await allow(mira, Person.cleo.email, as: .moderator, password: "a guess").status == 422)
            #expect(try site.count(of: "outside_log_in") == 2)
            #expect(try site.count(of: "account WHERE is_staff AND username = 'cleo-park'") == 0)
            let done = try await allow(mira, "Cleo-Park@Example.org", as: .moderator)
            #expect(done.flash == "Saved. They can log in that way from now on.")
            #expect(done.text.contains("cleo-park") && done.text.contains("hasn’t come yet"))
            #expect(try await logIn(site.browser(), as: .of(.cleo), at: issuer).redirects.first == "/admin")
            #expect(try await mira.visit("/admin/log-ins").text.contains("came first"))
            let log = try await mira.visit("/admin/log").text
            #expect(log.contains("let log in with an account elsewhere: cleo-park"))
            #expect(log.contains("made a moderator of cleo-park") && log.contains("Works at City Hall"))
            // A moderator decides nothing of it.
            let noor = try await site.signIn(.noor, role: .moderator)
            #expect(try await noor.visit("/admin/log-ins").status == 403)
            let token = try #require(try await noor.visit("/me/settings").value(of: "csrf"))
            #expect(try await noor.submit("/admin/log-ins", [("csrf", token)]).status == 403)
        }
    }

    @Test func `an admin is told that an address on the list isn't somebody's anymore`() async throws {
        try await withIssuer { site, issuer in
            let mira = try await site.signIn(.mira, isStaff: true)
            try await site.provider(of: .cleo)
            try await site.execute("UPDATE account SET email = 'new@example.org' WHERE username = 'ben-ruiz'")
            try await site.execute(
                "UPDATE account SET email = \(Person.ben.email), confirmed_at = 1 WHERE username = 'cleo-park'")
            for email in ["new@example.org", Person.ben.email] {
                let page = try await allow(mira, email)
                #expect(page.problems.first?.hasPrefix("The list has an older address") == true, "\(page.problems)")
            }
            try await site.execute("DELETE FROM outside_log_in WHERE email = \(Person.ben.email)")
            #expect(try await allow(mira, Person.ben.email).flash == "Saved. They can log in that way from now on.")
            #expect(try await logIn(site.browser(), as: .of(.ben), at: issuer).path == "/welcome", "it is Cleo's now")
        }
    }

    @Test func `the row's end ends the sessions, the role and the way`() async throws {
        try await withIssuer { site, issuer in
            let (mira, noor) = (try await site.signIn(.mira, isStaff: true), site.browser())
            _ = try await logIn(noor, as: .of(.noor), at: issuer)
            #expect(try await noor.visit("/admin").status == 200)
            let half = site.browser()
            let back = try issuer.logIn(.of(.noor), from: try await begin(half))
            let page = try await mira.visit("/admin/log-ins").follow("End it: noor-haddad")
            #expect(page.text.contains("noor-haddad is logged out everywhere"))
            let unproven = try await page.press("End the log-in", filling: ["reason": "Left", "current_password": "x"])
            #expect(unproven.status == 422)
            #expect(try site.count(of: "outside_log_in") == 2)
            let done = try await unproven.press("End the log-in", filling: ["current_password": .text(Person.password)])
            #expect(done.flash == "Done. They are logged out, and can’t log in that way anymore.")
            #expect(try await noor.visit("/admin").path.hasPrefix("/login"))
            #expect(try site.count(of: "account WHERE is_staff AND username = 'noor-haddad'") == 0)
            // A log-in that had begun before.
            #expect(try await half.visit(back).flash == unknown)
            #expect(try site.count(of: "session") == 1)
            let log = try await mira.visit("/admin/log").text
            #expect(log.contains("ended the log-in with an account elsewhere of noor-haddad"))
        }
    }

    @Test func `a role that ends takes the way along, and a place in a team keeps it`() async throws {
        try await withIssuer { site, issuer in
            for person in [Person.noor, .ben] {
                _ = try await logIn(site.browser(), as: .of(person), at: issuer)
            }
            let noor = try await site.account(of: .noor)
            let ben = try await site.account(of: .ben)
            try await site.execute("UPDATE account SET is_staff = TRUE WHERE id = \(ben)")
            let now = site.clock.now
            try await site.write(at: now) { tx in
                for id in [noor, ben] {
                    let person = try #require(try Account.find(id, in: tx))
                    _ = try Role.give(.member, to: person, reason: "Their time is over", in: tx)
                }
            }
            #expect(try site.count(of: "outside_log_in WHERE account_id = \(noor)") == 0)
            #expect(try await logIn(site.browser(), as: .of(.noor), at: issuer).flash == unknown)
            // Ben has an organization.
            #expect(try await logIn(site.browser(), as: .of(.ben), at: issuer).path == "/welcome")
            // Cleo looked after it with him.
            let cleo = try await site.account(of: .cleo)
            try await site.execute(
                "INSERT INTO colleague (account_id, host_id, duty, since) VALUES (\(cleo), \(ben), 'edit', 1)")
            try await site.execute(
                "INSERT INTO outside_log_in (account_id, email, at) VALUES (\(cleo), \(Person.cleo.email), 1)")
            try await site.write(at: now) { tx in try Colleague.leave(cleo, in: tx) }
            #expect(try site.count(of: "outside_log_in WHERE account_id = \(cleo)") == 0)
            // A row from before, or of an organization that is gone, opens nothing either.
            try await site.execute(
                """
                INSERT INTO outside_log_in (account_id, email, at, issuer, subject)
                VALUES (\(noor), \(Person.noor.email), 1, \(issuer.address), 'sub-noor-haddad')
                """)
            #expect(try await logIn(site.browser(), as: .of(.noor), at: issuer).flash == unknown)
            let holds = try site.read { db in
                try OutsideLogIn.holds(issuer.address, "sub-noor-haddad", for: noor, in: db)
            }
            #expect(!holds)
        }
    }

    @Test func `a row that is removed while somebody comes in lets nobody in`() async throws {
        try await withIssuer { site, issuer in
            _ = try await logIn(site.browser(), as: .of(.ben), at: issuer)
            let ben = try await site.account(of: .ben)
            func holds() throws -> Bool {
                try site.read { db in
                    try OutsideLogIn.holds(issuer.address, "sub-ben-ruiz", for: ben, in: db)
                }
            }
            #expect(try holds())
            try await site.execute("DELETE FROM outside_log_in WHERE account_id = \(ben)")
            // What the transaction asks that starts the session.
            #expect(try !holds())
        }
    }

    @Test func `one's own row goes with all other devices, and the admin stays`() async throws {
        try await withIssuer { site, issuer in
            let mira = try await site.signIn(.mira, isStaff: true)
            try await site.execute("UPDATE account SET confirmed_at = 1")
            #expect(try await allow(mira, Person.mira.email, as: .admin).status == 200)
            let other = site.browser()
            _ = try await logIn(other, as: .of(.mira), at: issuer)
            #expect(try await other.visit("/me/settings").status == 200)
            _ = try await mira.visit("/admin/log-ins").follow("End it: mira-staff").press(
                "End the log-in", filling: ["reason": "Not needed", "current_password": .text(Person.password)])
            #expect(try await mira.visit("/admin").status == 200)
            #expect(try await other.visit("/me/settings").path.hasPrefix("/login"))
        }
    }

    @Test func `an account takes along where else it logs in, and leaves nothing of it behind`() async throws {
        try await withIssuer { site, issuer in
            _ = try await logIn(site.browser(), as: .of(.ben), at: issuer)
            let ben = try await site.account(of: .ben)
            let lists = RetentionRule.account.exports(of: ben).map(\.name)
            #expect(lists == ["account", "log-in-elsewhere"])
            try await site.write(at: site.clock.now) { tx in try Account.leave(ben, in: tx) }
            #expect(try site.count(of: "outside_log_in WHERE account_id = \(ben)") == 0)
        }
    }

    // MARK: The settings

    @Test func `the settings name the issuer, and say what is missing`() async throws {
        let both = ["VILLAGE_OIDC_ISSUER": "https://login.example/town", "VILLAGE_OIDC_CLIENT_ID": "village"]
        let settings = try Settings(environment: both)
        #expect(settings.openIDIssuer == "https://login.example/town" && settings.issuerName == "login.example")
        let named = both.merging(["VILLAGE_OIDC_NAME": "City Hall"]) { $1 }
        #expect(try Settings(environment: named).issuerName == "City Hall")
        for name in both.keys {
            let problems = #expect(throws: Settings.Problems.self) {
                try Settings(environment: both.filter { $0.key == name })
            }
            #expect(problems?.lines.count == 1)
        }
        for address in ["http://login.example", "login.example", "https://me:secret@login.example"] {
            let problems = #expect(throws: Settings.Problems.self) {
                try Settings(environment: both.merging(["VILLAGE_OIDC_ISSUER": address]) { $1 })
            }
            #expect(problems?.description.contains("secret") == false)
        }
    }

    @Test func `village check says whether the issuer answers`() async throws {
        try await withIssuer { site, issuer in
            let settings = site.site.settings
            func check() async -> (facts: [String], problems: [String]) {
                let (facts, problems) = await Site.check(settings)
                return (facts, problems.filter { $0.contains("VILLAGE_OIDC_ISSUER") })
            }
            let good = await check()
            #expect(good.problems == [] && good.facts.contains { $0.hasPrefix("log-in elsewhere: \(issuer.address)") })
            issuer.setAway(true)
            #expect(await check().problems.count == 1)
        }
    }
}
