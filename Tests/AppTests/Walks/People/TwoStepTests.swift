import Crypto
import Database
import Templating
import Testing

@testable import App

/// Codes of a phone, on their own.
@Suite struct OneTimeCodeTests {
    private let secret = OneTimeCode(secret: Array("12345678901234567890".utf8))

    /// RFC 6238, appendix B, for SHA-1: seconds since 1970, and the code.
    @Test(arguments: [
        (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
        (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
    ])
    func `the codes are those of RFC 6238`(seconds: Int64, code: String) {
        let step = OneTimeCode.step(at: Instant(milliseconds: seconds * 1_000))
        #expect(secret.code(at: step, digits: 8) == code)
        #expect(secret.code(at: step) == code.suffix(6))
    }

    /// RFC 4226, appendix D.
    @Test func `the codes of counters are those of RFC 4226`() {
        let codes = [
            "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
        ]
        #expect((0..<10).map { secret.code(at: $0) } == codes)
    }

    @Test func `a code holds for its half minute and the neighbours, to the millisecond`() {
        let code = secret.code(at: 100)
        func step(at milliseconds: Int64, after last: Int64 = 0) -> Int64? {
            secret.step(of: code, at: Instant(milliseconds: milliseconds), after: last)
        }
        #expect(step(at: 99 * 30_000 - 1) == nil && step(at: 99 * 30_000) == 100)
        #expect(step(at: 102 * 30_000 - 1) == 100 && step(at: 102 * 30_000) == nil)
        #expect(step(at: 100 * 30_000, after: 99) == 100 && step(at: 100 * 30_000, after: 100) == nil)
        for wrong in ["", "75522", "7552244", "７５５２２４", "abcdef"] {
            #expect(secret.step(of: wrong, at: Instant(milliseconds: 0), after: -5) == nil, "\(wrong)")
        }
    }

    @Test func `apps can read the secret, typed or by eye`() {
        #expect(secret.text == "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ")
        let address = secret.link(of: "ana-ortiz", at: "Village Ñ & Co").string
        #expect(
            address
                == "otpauth://totp/Village%20%C3%91%20%26%20Co:ana-ortiz?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
                + "&issuer=Village%20%C3%91%20%26%20Co")
        #expect(QRCode(address) != nil)
        #expect(OneTimeCode().secret.count == 20 && OneTimeCode().secret != OneTimeCode().secret)
    }

    @Test func `recovery codes are read however they are typed, and each differs`() {
        let codes = RecoveryCode.fresh()
        #expect(codes.map(\.number) == Array(0..<10) && Set(codes.map(\.text)).count == 10)
        for code in codes {
            #expect(code.shown.count == 14 && code.text.count == 12)
            for typed in [code.shown, code.text, code.shown.uppercased(), " " + code.shown.replacing("-", with: " ")] {
                #expect(RecoveryCode(typed: typed)?.text == code.text, "\(typed)")
            }
        }
        #expect(RecoveryCode(typed: "3o7l-qx2d-9pfi")?.text == "3071qx2d9pf1")
        for wrong in ["", "123456", "ak7m-qx2d-9pfa", "3k7m-qx2d-9pfaa"] { #expect(RecoveryCode(typed: wrong) == nil) }
    }

    @Test func `the wait grows with each five wrong codes, up to eight hours`() {
        #expect((1...4).allSatisfy { TwoStep.wait(after: $0) == nil } && TwoStep.wait(after: 0) == nil)
        let waits = [5, 10, 15, 20, 25, 30, 35, 500].map { TwoStep.wait(after: $0) }
        #expect(waits == [15, 30, 60, 120, 240, 480, 480, 480].map { .minutes($0) })
    }
}

/// `/me/two-step` and `/login/code`.
@Suite struct TwoStepTests {
    private func logIn(_ browser: Browser, _ path: String = "/login") async throws -> Page {
        try await browser.visit(path).press(
            "Log in", filling: ["login": "ana-ortiz", "password": .text(Person.password)])
    }

    /// The code that the phone of an account shows now, or in some half minutes.
    private func code(_ site: TestSite, in steps: Int64 = 0, of username: String = "ana-ortiz") throws -> String {
        let secret: [UInt8] = try site.read { db in
            try #require(
                try db.value(
                    """
                    SELECT secret FROM two_step JOIN account ON account.id = two_step.account_id
                    WHERE username = \(username)
                    """))
        }
        return OneTimeCode(secret: secret).code(at: OneTimeCode.step(at: site.clock.now) + steps)
    }

    /// Sets it up as somebody does, half a minute ago.
    ///
    /// - Returns: The recovery codes.
    @discardableResult
    private func setUp(
        _ browser: Browser, _ site: TestSite, of username: String = "ana-ortiz"
    ) async throws -> [String] {
        let page = try await browser.visit("/me/two-step").press(
            "Set it up", filling: ["current_password": .text(Person.password)])
        let done = try await page.press("Switch it on", filling: ["code": .text(try code(site, of: username))])
        #expect(done.heading == "Your recovery codes")
        site.clock.advance(by: .seconds(30))
        return done.html.all("code").map(\.text)
    }

    private func answer(_ page: Page, _ code: String) async throws -> Page {
        try await page.press("Log in", filling: ["code": .text(code)])
    }

    @Test func `it is on only after a code of the phone, and then the password alone opens nothing`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            var page = try await ana.visit("/me/two-step").press(
                "Set it up", filling: ["current_password": "not it at all"])
            #expect(page.problems == ["This is not your password. Try again."])
            #expect(try site.count(of: "two_step") == 0)
            page = try await page.press("Set it up", filling: ["current_password": .text(Person.password)])
            let secret = try #require(page.html.first("code")?.text)
            #expect(secret.count == 39 && page.html.first("main")?.all(ofClass: "qr").count == 1)
            page = try await page.press("Switch it on", filling: ["code": "000000"])
            #expect(page.problems.count == 1 && page.html.first("code")?.text == secret)
            #expect(try await logIn(site.browser()).path == "/")
            page = try await page.press("Switch it on", filling: ["code": .text(try code(site))])
            let codes = page.html.all("code").map(\.text)
            #expect(page.heading == "Your recovery codes" && codes.count == 10)
            #expect(try site.count(of: "letter WHERE kind = 'twoStepOn'") == 1)
            #expect(try site.count(of: "recovery_code WHERE hash LIKE '$argon2id$%'") == 10)
            #expect(try await ana.visit("/me/two-step").text.contains("10 recovery codes left"))

            let phone = site.browser()
            let second = try await logIn(phone, "/login?next=/me/children")
            #expect(second.path == "/login/code?next=%2Fme%2Fchildren" && second.heading == "The second step")
            #expect(try await phone.visit("/me").path.hasPrefix("/login"))
            // The code that turned it on is used up.
            #expect(try await answer(second, try code(site)).status == 422)
            site.clock.advance(by: .seconds(30))
            let children = try await answer(second, try code(site))
            #expect(children.path == "/me/children" && children.status == 200)
            #expect(phone.cookie("village_code") == nil && site.log.lines.contains { $0.contains("way=code") })
            #expect(try site.count(of: "pending_log_in") == 0)
        }
    }

    @Test func `a code opens once, and once only when it is sent many times at once`() async throws {
        try await withTestSite { site in
            try await setUp(try await site.signIn(.ana, as: .parent), site)
            let before = try site.count(of: "session")
            var pages: [Page] = []
            for _ in 0..<4 { pages.append(try await logIn(site.browser())) }
            let code = try code(site)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for page in pages {
                    group.addTask {
                        let form = try page.form(with: "Log in", filling: ["code": .text(code)])
                        return try await page.browser.submit(form.action, form.pairs).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 303 } == 1 && statuses.count { $0 == 422 } == 3)
            #expect(try site.count(of: "session") == before + 1)
        }
    }

    @Test func `without the note of the last code the same one opens again`() async throws {
        try await withTestSite { site in
            try await setUp(try await site.signIn(.ana, as: .parent), site)
            let code = try code(site)
            #expect(try await answer(try await logIn(site.browser()), code).status == 200)
            #expect(try await answer(try await logIn(site.browser()), code).status == 422)
            try await site.execute("UPDATE two_step SET last_step = 0")
            #expect(try await answer(try await logIn(site.browser()), code).status == 200)
        }
    }

    @Test func `after five wrong codes even the right one waits, and each wait is longer`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            try await setUp(ana, site)
            func guess(_ times: Int) async throws -> [Int] {
                let page = try await logIn(site.browser())
                var statuses: [Int] = []
                for _ in 0..<times { statuses.append(try await answer(page, "00000a").status) }
                for _ in 0..<times { statuses.append(try await answer(page, "000000").status) }
                return statuses
            }
            // What can be no code is no guess.
            #expect(try await guess(5) == Array(repeating: 422, count: 10))
            let page = try await logIn(site.browser())
            let waiting = try await answer(page, try code(site))
            #expect(waiting.status == 429 && waiting["Retry-After"] == "900")
            site.clock.advance(by: .minutes(15))
            #expect(try await guess(5) == Array(repeating: 422, count: 10))
            #expect(try await answer(try await logIn(site.browser()), try code(site))["Retry-After"] == "1800")
            // To change the password takes the old one, which may be a guess.
            _ = try await ana.visit("/me/password").press(
                "Save the password",
                filling: ["current_password": .text(Person.password), "password": .text(Person.password)])
            #expect(try await answer(try await logIn(site.browser()), try code(site)).status == 429)
            // A new password, which the one who guesses doesn't know, ends the wait.
            let link = try #require(try await site.site.resetLink(for: "ana-ortiz"))
            _ = try await site.browser().visit(link.dropFirst("http://localhost:8080".count)).press(
                "Save the password", filling: ["password": .text(Person.password)])
            #expect(try await answer(try await logIn(site.browser()), try code(site)).status == 200)
        }
    }

    @Test func `guesses sent all at once are five, recovery codes too`() async throws {
        try await withTestSite { site in
            try await setUp(try await site.signIn(.ana, as: .parent), site)
            let page = try await logIn(site.browser())
            for guess in ["000000", "3k7m-qx2d-9pfa"] {
                let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<20 {
                        group.addTask {
                            let form = try page.form(with: "Log in", filling: ["code": .text(guess)])
                            return try await page.browser.submit(form.action, form.pairs).status
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(statuses.count { $0 == 422 } == 5 && statuses.count { $0 == 429 } == 15)
                site.clock.advance(by: .minutes(5))
                try await site.execute("UPDATE two_step SET failures = 0, waits_until = 0")
            }
        }
    }

    @Test func `a recovery code stands in for the phone, once`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let codes = try await setUp(ana, site)
            let page = try await logIn(site.browser(), "/login?next=/week").follow("Use a recovery code")
            let wrong = try await answer(page, String(codes[3].dropLast()) + (codes[3].hasSuffix("a") ? "b" : "a"))
            #expect(wrong.problems == ["This isn’t one of your recovery codes, or it was used already."])
            #expect(try await answer(wrong, codes[3].uppercased()).path == "/week")
            #expect(try await ana.visit("/me/two-step").text.contains("9 recovery codes left"))
            #expect(try await answer(try await logIn(site.browser()), codes[3]).status == 422)
            // In the field of the phone's code it does as well.
            #expect(try await answer(try await logIn(site.browser()), codes[4]).status == 200)
            // Each is told, so that a thief's is noticed.
            #expect(try site.count(of: "letter WHERE kind = 'recovered'") == 2)
        }
    }

    @Test func `a pending log-in is its browser's, ends after ten minutes, and with a new password`() async throws {
        try await withTestSite { site in
            try await setUp(try await site.signIn(.ana, as: .parent), site)
            let nobody = try await site.browser().visit("/login/code?next=/week")
            #expect(nobody.path == "/login?next=/week" || nobody.path == "/login?next=%2Fweek")
            let page = try await logIn(site.browser())
            let form = try page.form(with: "Log in", filling: ["code": .text(try code(site))])
            #expect(try await site.browser().submit(form.action, form.pairs).location == "/login")
            let cookie = try #require(page.browser.cookie("village_code"))
            let forged = site.browser()
            forged.keep("village_code", String(cookie.reversed()))
            #expect(try await forged.submit(form.action, form.pairs).location == "/login")
            // The same cookie is no session.
            forged.keep("village", cookie)
            #expect(try await forged.visit("/me").path.hasPrefix("/login"))
            site.clock.advance(by: .minutes(10))
            #expect(try await answer(page, try code(site)).path == "/login")
            let again = try await logIn(site.browser())
            try await site.execute("UPDATE account SET suspended_at = 1")
            #expect(try await answer(again, try code(site)).path == "/login")
            try await site.execute("UPDATE account SET suspended_at = NULL")
            let last = try await logIn(site.browser())
            let account = try await site.account(of: .ana)
            let now = site.clock.now
            try await site.write(at: now) { tx in try Account.setPassword(Account.nobodysHash, of: account, in: tx) }
            #expect(try await answer(last, try code(site)).path == "/login")
        }
    }

    @Test func `over https the cookie of a pending log-in has the name that makes browsers insist`() async throws {
        let url = "https://village.example"
        try await withTestSite(publicURL: url) { site in
            let account = try await site.account(of: .ana)
            try await site.write(at: site.clock.now) { tx in
                try TwoStep.begin(of: account, in: tx)
                try tx.execute("UPDATE two_step SET turned_on_at = 1")
            }
            let browser = site.browser(at: url)
            let form = try await browser.visit("/login").form(
                with: "Log in", filling: ["login": "ana-ortiz", "password": .text(Person.password)])
            let cookie = try #require(try await browser.submit(form.action, form.pairs)["Set-Cookie"])
            #expect(cookie.hasPrefix("__Host-village_code=") && cookie.hasSuffix("HttpOnly; SameSite=Lax; Secure"))
            #expect(cookie.contains("Max-Age=600; Path=/") || cookie.contains("Path=/; Max-Age=600"))
        }
    }

    @Test func `a kept form asks for the code too, and goes on`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            try await setUp(ana, site)
            let form = try await ana.visit("/me/children/new?next=/events")
            try await site.execute("DELETE FROM session")
            var page = try await form.press(
                "Save", filling: ["nickname": "Mo", "birth_month": "2", "birth_year": "2020"])
            page = try await page.press(
                "Log in and go on",
                filling: ["session_login": "ana-ortiz", "session_password": .text(Person.password)])
            #expect(page.heading == "The second step" && page.value(of: "nickname") == "Mo")
            #expect(try site.count(of: "session") == 0 && site.count(of: "child") == 0)
            page = try await page.press("Log in and go on", filling: ["session_code": "000000"])
            #expect(page.problems.count == 1 && page.value(of: "nickname") == "Mo")
            page = try await page.press("Log in and go on", filling: ["session_code": .text(try code(site))])
            #expect(page.path == "/events" && page.flash == "Added. You can register for events now.")
        }
    }

    @Test func `switching it off, and new recovery codes, take password and code`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let old = try await setUp(ana, site)
            let new = try await ana.visit("/me/two-step").follow("Make new recovery codes").press(
                "Make new ones", filling: ["current_password": .text(Person.password), "code": .text(old[0])])
            let codes = new.html.all("code").map(\.text)
            #expect(codes.count == 10 && Set(codes).isDisjoint(with: old))
            #expect(try await answer(try await logIn(site.browser()), old[1]).status == 422)
            var page = try await ana.visit("/me/two-step").follow("Switch it off")
            for (password, code) in [("not it at all", codes[1]), (Person.password, "000000"), ("", "")] {
                page = try await page.press(
                    "Switch it off", filling: ["current_password": .text(password), "code": .text(code)])
                #expect(page.status == 422)
            }
            page = try await page.press(
                "Switch it off", filling: ["current_password": .text(Person.password), "code": .text(try code(site))])
            #expect(page.flash == "Two-step log-in is off.")
            #expect(try site.count(of: "two_step") == 0 && site.count(of: "recovery_code") == 0)
            #expect(try site.count(of: "letter WHERE kind = 'twoStepOff'") == 1)
            #expect(try await logIn(site.browser()).path == "/")
        }
    }

    @Test func `staff have 72 hours, which the desk says, and then its pages lead to the set-up`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true, withoutTwoStep: true)
            #expect(try await mira.visit("/admin").text.contains("You can set it up until"))
            site.clock.advance(by: .hours(72) - .seconds(1))
            let late = try await site.signIn(.mira)
            #expect(try await late.visit("/admin").heading == "The desk")
            site.clock.advance(by: .seconds(1))
            for path in ["/admin", "/admin/people/1", "/admin/settings"] {
                #expect(try await late.visit(path).path == "/me/two-step", "\(path)")
            }
            let token = try #require(try await late.visit("/me/two-step").value(of: "csrf"))
            let post = try await late.submit("/admin/mail", [("csrf", token)])
            #expect(post.status == 303 && post.location == "/me/two-step")
            #expect(try await late.visit("/week").status == 200)
            try await setUp(late, site, of: "mira-staff")
            #expect(try await !late.visit("/admin").text.contains("until"))
            // Once switched off, it can be set up again at once.
            _ = try await late.visit("/me/two-step/off").press(
                "Switch it off",
                filling: [
                    "current_password": .text(Person.password), "code": .text(try code(site, of: "mira-staff")),
                ])
            #expect(try await late.visit("/admin").path == "/me/two-step")
            // Members are asked for nothing.
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await !ana.visit("/me/two-step").text.contains("Whoever looks after the site"))
        }
    }

    @Test func `without the rule for staff the desk would stay open`() async throws {
        try await withTestSite { site in
            _ = try await site.signIn(.mira, isStaff: true, withoutTwoStep: true)
            site.clock.advance(by: .hours(72))
            let mira = try await site.signIn(.mira)
            #expect(try await mira.visit("/admin").path == "/me/two-step")
            try await site.execute("UPDATE account SET two_step_by = NULL WHERE username = 'mira-staff'")
            #expect(try await mira.visit("/admin").heading == "The desk")
        }
    }

    @Test func `who owns the server takes it off a lost account, and the log says so`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            try await setUp(ana, site)
            #expect(try await site.site.takeOffTwoStep(of: "nobody") == nil)
            #expect(try await site.site.takeOffTwoStep(of: "ANA-ortiz@example.org") == true)
            #expect(try await site.site.takeOffTwoStep(of: "ana-ortiz") == false)
            #expect(try await ana.visit("/me").path.hasPrefix("/login"))
            #expect(try await logIn(site.browser()).path == "/")
            let mira = try await site.signIn(.mira, isStaff: true)
            let log = try await mira.visit("/admin/log").text
            #expect(log.contains("took two-step log-in off") && log.contains("the command line"))
            #expect(try site.count(of: "staff_act") == 1)
            #expect(try site.count(of: "letter WHERE kind = 'twoStepOff'") == 1)
        }
    }

    @Test func `an undone change of address takes off what was set up since`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let account = try await site.account(of: .ana)
            try await site.execute("UPDATE account SET confirmed_at = 1")
            try await site.write(at: site.clock.now) { tx in
                try EmailChange.ask(for: "thief@example.org", by: account, in: tx)
                try EmailChange.make(tx.value("SELECT max(id) FROM email_change")!, in: tx)
            }
            try await setUp(ana, site)
            let token: String = try site.read { db in
                try db.value("SELECT secret FROM letter WHERE kind = 'moved'") ?? ""
            }
            let page = try await site.browser().visit("/undo-email/\(token)").press("Put it back")
            _ = try await page.press("Save the password", filling: ["password": .text(Person.password)])
            #expect(try await logIn(site.browser()).path == "/")
        }
    }
}
