import Database
import Passwords
import Testing

@testable import App

/// `/login` and `/logout`.
@Suite struct LoggingInTests {
    private func logIn(
        _ browser: Browser, _ login: String, _ password: String = Person.password, from path: String = "/login"
    ) async throws -> Page {
        try await browser.visit(path).press("Log in", filling: ["login": .text(login), "password": .text(password)])
    }

    @Test(arguments: ["ana-ortiz", "ANA-Ortiz", "ana-ortiz@example.org", "Ana-Ortiz@EXAMPLE.org"])
    func `by user name or e-mail address, in any case`(login: String) async throws {
        try await withTestSite { site in
            try await site.family(of: .ana)
            let page = try await logIn(site.browser(), login)
            #expect(page.status == 200 && page.redirects == ["/welcome"])
            #expect(try await page.browser.visit("/me").heading == "Ana Ortiz")
        }
    }

    @Test func `it goes on where the visitor was, under the last hat`() async throws {
        try await withTestSite { site in
            _ = try await site.signIn(.ana, as: .parent)
            let ana = site.browser()
            let login = try await ana.visit("/me/children?x=1")
            #expect(login.redirects == ["/login?next=%2Fme%2Fchildren%3Fx%3D1"])
            let header = login.html.first("header")?.all("a").compactMap { $0["href"] } ?? []
            for path in ["/login", "/signup"] { #expect(header.contains("\(path)?next=%2Fme%2Fchildren%3Fx%3D1")) }
            let page = try await login.press(
                "Log in", filling: ["login": "ana-ortiz", "password": .text(Person.password)])
            #expect(page.path == "/me/children?x=1" && page.heading == "My children")
            #expect(try await logIn(site.browser(), "ana-ortiz").redirects == ["/"])
        }
    }

    @Test(arguments: [
        "//evil.example", "///evil.example", "https://evil.example", "https:evil.example", "HTTPS://evil.example",
        "\\\\evil.example", "/\\evil.example", "/\t/evil.example", " //evil.example", "javascript:alert(1)",
        "evil.example",
        "%2F%2Fevil.example", "",
    ])
    func `next never leads off the site`(next: String) async throws {
        try await withTestSite { site in
            _ = try await site.signIn(.ana, as: .parent)
            let browser = site.browser()
            let page = try await browser.visit("/login?" + Browser.encode([("next", next)]))
            #expect(page.value(of: "next") == nil)
            let pairs = [("login", "ana-ortiz"), ("password", Person.password), ("next", next)]
            let answer = try await browser.submit("/login", pairs.map { (name: $0.0, value: $0.1) })
            #expect(answer.status == 303 && answer.location == "/")
        }
    }

    @Test func `a wrong password and an unknown account get the same answer, to the byte`() async throws {
        try await withTestSite { site in
            try await site.account(of: .ana)
            let wrong = try await logIn(site.browser(), "ana-ortiz", "not the password")
            let unknown = try await logIn(site.browser(), "zoe-ortiz", "not the password")
            #expect(wrong.status == 422 && unknown.status == 422)
            #expect(
                wrong.problems == [
                    "The e-mail address or user name and the password don't belong together. Try again."
                ])
            #expect(wrong.string.replacing("ana-ortiz", with: "zoe-ortiz") == unknown.string)
            #expect(wrong.value(of: "login") == "ana-ortiz" && wrong.value(of: "password") == "")
            #expect(try site.count(of: "session") == 0)
        }
    }

    @Test func `an unknown account costs as much as a known one`() async throws {
        // What is hashed for nobody has the cost of what is hashed for somebody.
        try await withTestSite { site in
            let hash = try Password.hash("any", cost: .standard)
            let nobody = "$argon2id$v=19$m=19456,t=2,p=1$"
            #expect(hash.hasPrefix(nobody))
            #expect(Password.needsRehash(try Password.hash("any", cost: .cheap)))
        }
    }

    @Test func `a suspended account is told so where its password is right, and nobody else learns it`() async throws {
        try await withTestSite { site in
            try await site.account(of: .ana)
            let wrong = try await logIn(site.browser(), "ana-ortiz", "not the password")
            try await site.execute("UPDATE account SET suspended_at = 1")
            let suspended = try await logIn(site.browser(), "ana-ortiz")
            #expect(suspended.status == 403 && suspended.heading == "This account is suspended")
            #expect(suspended.text.contains("Please ask the people who look after this site."))
            #expect(try site.count(of: "session") == 0)
            #expect(try await logIn(site.browser(), "ana-ortiz", "not the password").string == wrong.string)
        }
    }

    @Test func `nothing typed is two problems`() async throws {
        try await withTestSite { site in
            let page = try await logIn(site.browser(), "", "")
            #expect(page.status == 422)
            #expect(page.problems == ["Give your e-mail address or user name.", "Give your password."])
        }
    }

    @Test func `a password hashed at another cost is hashed anew, and still opens`() async throws {
        try await withTestSite { site in
            try await site.account(of: .ana)
            let old = try Password.hash(Person.password, cost: .init(memory: 16, passes: 1, lanes: 1))
            try await site.execute("UPDATE account SET password = \(old)")
            #expect(try await logIn(site.browser(), "ana-ortiz").status == 200)
            #expect(try site.count(of: "account WHERE password = \(old)") == 0)
            #expect(try await logIn(site.browser(), "ana-ortiz").status == 200)
        }
    }

    @Test func `a cookie brought along never becomes the session’s`() async throws {
        try await withTestSite { site in
            try await site.account(of: .ana)
            let browser = site.browser()
            let planted = Token().text
            browser.keep("village", planted)
            #expect(try await logIn(browser, "ana-ortiz").status == 200)
            #expect(browser.cookie("village") != planted)
        }
    }

    @Test func `logging out ends the session on the server too`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let copy = ana.copy()
            let other = try await site.signIn(.ana, as: .parent)
            #expect(try await copy.visit("/week").status == 200)
            let settings = try await ana.visit("/me/settings")
            let form = try settings.form(with: "Log out")
            let page = try await ana.submit(form.action, form.pairs)
            #expect(page.status == 303 && page.location == "/")
            #expect(page["Clear-Site-Data"] == "\"cache\", \"prefetchCache\", \"storage\"")
            #expect(ana.cookie("village") == nil)
            #expect(try await ana.visit("/").flash == "You are logged out.")
            #expect(try await copy.visit("/week").redirects == ["/login?next=%2Fweek"])
            // Another device stays signed in.
            #expect(try await other.visit("/week").status == 200)
            // Once more does no harm.
            #expect(try await ana.post("/logout", []).path == "/")
        }
    }

    @Test func `the eleventh failure of an address waits, and the right password of another address opens`()
        async throws
    {
        try await withTestSite(limits: true, trusting: ["127.0.0.1"]) { site in
            try await site.account(of: .ana)
            let bad = site.browser(sending: ["X-Forwarded-For": "203.0.113.7"])
            for attempt in 1...11 {
                let page = try await logIn(bad, "ana-ortiz", "not the password")
                #expect(page.status == (attempt == 11 ? 429 : 422))
                if attempt == 11 { #expect(page["Retry-After"] == "18") }
            }
            #expect(try await logIn(bad, "ana-ortiz").status == 429)
            let good = site.browser(sending: ["X-Forwarded-For": "203.0.113.8"])
            #expect(try await logIn(good, "ana-ortiz").status == 200)
            site.clock.advance(by: .minutes(3))
            #expect(try await logIn(bad, "ana-ortiz").status == 200)
        }
    }

    @Test func `own sessions are listed and each can be ended, a stranger’s can’t`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let phone = try await site.signIn(.ana, as: .parent)
            let cleo = try await site.signIn(.cleo, as: .parent)
            var page = try await ana.visit("/me/sessions").follow("Log out: Firefox on Linux")
            page = try await page.press("Log this device out", filling: ["current_password": "not it at all"])
            #expect(page.problems == ["This is not your password. Try again."])
            #expect(try await phone.visit("/week").status == 200)
            page = try await page.press("Log this device out", filling: ["current_password": .text(Person.password)])
            #expect(page.flash == "That device is logged out.")
            #expect(try await phone.visit("/week").path.hasPrefix("/login"))
            // Ana names Cleo's session.
            let own = try await ana.visit("/me/sessions")
            let token = try #require(own.value(of: "csrf"))
            let id: Int64 = try site.read { db in try db.value("SELECT max(id) FROM session")! }
            for name in [String(id), "x", ""] {
                let pairs = [("csrf", token), ("session", name), ("current_password", Person.password)]
                let answer = try await ana.post("/me/sessions", pairs.map { (name: $0.0, value: $0.1) })
                #expect(answer.status == 404, "\(name)")
            }
            #expect(try await ana.visit("/me/sessions?end=\(id)").status == 404)
            #expect(try await cleo.visit("/week").status == 200)
        }
    }

    @Test func `all other sessions end at once, after the password`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let others = [try await site.signIn(.ana, as: .parent), try await site.signIn(.ana, as: .parent)]
            let cleo = try await site.signIn(.cleo, as: .parent)
            let page = try await ana.visit("/me/sessions").follow("Log out all other devices")
            #expect(try await page.press("Log out all other devices").problems == ["Give your password."])
            let done = try await page.press(
                "Log out all other devices", filling: ["current_password": .text(Person.password)])
            #expect(done.flash == "All other devices are logged out.")
            for other in others { #expect(try await other.visit("/week").path.hasPrefix("/login")) }
            for still in [ana, cleo] { #expect(try await still.visit("/week").status == 200) }
        }
    }

    @Test func `a session shows its device, since when, and the network without the household`() async throws {
        try await withTestSite(trusting: ["127.0.0.1"]) { site in
            try await site.family(of: .ana)
            let ana = site.browser(sending: ["X-Forwarded-For": "203.0.113.7"])
            _ = try await logIn(ana, "ana-ortiz")
            let text = try await ana.visit("/me/sessions").text
            #expect(text.contains("Firefox on Linux") && text.contains("This device"))
            #expect(text.contains("network 203.0.113.x") && !text.contains("113.7"))
            #expect(IPAddress("2001:db8:1:2::3")?.network == "2001:db8:1::")
        }
    }

    @Test func `each try to log in is in the log with its account, way and outcome, and nothing typed`() async throws {
        try await withTestSite(limits: true) { site in
            let account = try await site.account(of: .ana)
            _ = try await logIn(site.browser(), "ana-ortiz", "not the password")
            _ = try await logIn(site.browser(), "zoe-ortiz", "not the password")
            _ = try await logIn(site.browser(), "ana-ortiz")
            try await site.execute("UPDATE account SET suspended_at = 1")
            _ = try await logIn(site.browser(), "ana-ortiz")
            let lines = site.log.lines.filter { $0.contains(" log-in ") }
            let told = lines.map { $0.replacing(/\ request=\S+/, with: "") }
            #expect(
                told == [
                    "info log-in account=\(account) outcome=wrong way=page",
                    "info log-in account=none outcome=wrong way=page",
                    "info log-in account=\(account) outcome=right way=page",
                    "info log-in account=\(account) outcome=suspended way=page",
                ])
            for number in 0..<9 { _ = try await logIn(site.browser(), "ana-ortiz", "a guess \(number)") }
            #expect(site.log.lines.contains { $0.contains("log-in account=none outcome=too-many") })
            #expect(!site.log.lines.contains { $0.contains("ortiz") || $0.contains("guess") })
        }
    }

    @Test func `changing the password asks for the old one, and signs other devices out`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let phone = try await site.signIn(.ana, as: .parent)
            let stolen = ana.copy()
            var page = try await ana.visit("/me/password").press(
                "Save the password", filling: ["current_password": "not it at all", "password": "kites and kites"])
            #expect(page.status == 422 && page.problems == ["This is not your password. Try again."])
            page = try await page.press(
                "Save the password",
                filling: ["current_password": .text(Person.password), "password": "kites and kites"])
            #expect(page.flash == "The password is changed.")
            #expect(try site.count(of: "letter WHERE kind = 'newPassword' AND address = \(Person.ana.email)") == 1)
            #expect(try await ana.visit("/week").status == 200)
            #expect(try await phone.visit("/week").path.hasPrefix("/login"))
            #expect(try await stolen.visit("/week").path.hasPrefix("/login"))
            #expect(try await logIn(site.browser(), "ana-ortiz").status == 422)
            #expect(try await logIn(site.browser(), "ana-ortiz", "kites and kites").status == 200)
        }
    }

    @Test func `guesses sent all at once are counted all the same`() async throws {
        try await withTestSite(limits: true) { site in
            try await site.account(of: .ana)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        let form = [
                            (name: "login", value: "ana-ortiz"), (name: "password", value: "a guess \(number)"),
                        ]
                        return try await site.browser().submit("/login", form).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 422 } == 10)
            #expect(statuses.count { $0 == 429 } == 50)
        }
    }

    @Test func `the right password uses up no guess`() async throws {
        try await withTestSite(limits: true) { site in
            try await site.account(of: .ana)
            for _ in 0..<30 { #expect(try await logIn(site.browser(), "ana-ortiz").redirects == ["/welcome"]) }
        }
    }

    @Test func `a new password ends every link that would set another`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let link = try #require(try await site.site.resetLink(for: "ana-ortiz"))
            let path = link.dropFirst(site.site.settings.publicURL.count)
            #expect(try await site.browser().visit(path).status == 200)
            _ = try await ana.visit("/me/password").press(
                "Save the password",
                filling: ["current_password": .text(Person.password), "password": "another fine password"])
            #expect(try await site.browser().visit(path).status == 410)
        }
    }

    @Test func `a log-in that was under way when the password changed opens nothing`() async throws {
        try await withTestSite { site in
            let account = try await site.account(of: .ana)
            let now = site.clock.now
            let before = try #require(try site.read { db in try Account.credentials(of: account, in: db) })
            #expect(try site.read { db in try before.isStillRight(in: db) })
            try await site.write(at: now) { tx in
                try Account.setPassword("another", of: account, in: tx)
                let isSame = try Account.rehash(before.passwordHash, as: "the old one", of: account, in: tx)
                #expect(!isSame)
            }
            #expect(try !site.read { db in try before.isStillRight(in: db) })
            let token = Token()
            try await site.write(at: now) { tx in
                try PendingLogIn.start(token, of: account, in: tx)
                try Account.setPassword("a third", of: account, in: tx)
                let held = try PendingLogIn.use(token, in: tx)
                #expect(!held)
                try Account.leave(account, in: tx)
                let left = try Account.credentials(of: account, in: tx)
                #expect(try left.map { try !$0.isStillRight(in: tx) } ?? true)
            }
        }
    }
}
