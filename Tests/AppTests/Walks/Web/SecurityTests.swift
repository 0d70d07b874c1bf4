import Database
import Forms
import Foundation
import Logging
import Passwords
import Templating
import Testing

@testable import App

/// Protections that `Tests/SECURITY.md` names and no other test is about.
@Suite struct SecurityTests {
    // MARK: Sessions

    @Test func `a made-up session opens nothing, nor does what the database holds`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let token = try #require(ana.cookie("village"))
            let stored: [UInt8] = try site.read { db in try db.value("SELECT token_hash FROM session")! }
            for forged in [
                Token().text, Base64URL.encode(stored), String(token.dropLast()), token + "A", "", "1", "' OR 1=1 --",
            ] {
                let thief = site.browser()
                thief.keep("village", forged)
                let page = try await thief.visit("/week")
                #expect(page.path.hasPrefix("/login"), "\(forged)")
            }
            let thief = site.browser()
            thief.keep("village", token)
            let page = try await thief.visit("/week")
            #expect(page.path == "/week", "a stolen one does")
        }
    }

    @Test func `the token of a session stands in no page`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let token = try #require(ana.cookie("village"))
            for path in ["/", "/week", "/events", "/me", "/me/settings", "/me/sessions", "/me/family"] {
                let page = try await ana.visit(path)
                #expect(page.status == 200 && !page.string.contains(token), "\(path)")
            }
        }
    }

    @Test func `signing in again ends the session before`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let copy = ana.copy()
            let answer = try await ana.submit("/login", [("login", "ana-ortiz"), ("password", Person.password)])
            #expect(answer.status == 303 && ana.cookie("village") != copy.cookie("village"))
            let before = try await copy.visit("/week")
            #expect(before.path.hasPrefix("/login"))
            let after = try await ana.visit("/week")
            #expect(after.path == "/week")
        }
    }

    @Test func `of eleven sessions the one longest unused has ended`() async throws {
        try await withTestSite { site in
            var browsers: [Browser] = []
            for _ in 0..<11 {
                site.clock.advance(by: .seconds(1))
                browsers.append(try await site.signIn(.ana, as: .parent))
            }
            let first = try await browsers[0].visit("/week")
            #expect(first.path.hasPrefix("/login"))
            for browser in browsers.dropFirst() {
                let page = try await browser.visit("/week")
                #expect(page.path == "/week")
            }
        }
    }

    @Test func `every page leads to the button that logs out`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            for path in ["/", "/week", "/events", "/me/settings", "/me/children", "/about", "/nowhere", "/admin"] {
                let page = try await ana.visit(path)
                #expect(page.links.contains { $0.href == "/me" }, "\(path)")
            }
            let me = try await ana.visit("/me")
            #expect(me.buttons.contains("Log out"))
        }
    }

    @Test func `over https every cookie has the name that makes browsers insist`() async throws {
        try await withTestSite(publicURL: "https://village.example") { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/me/family").form(with: "Save")
            let page = try await ana.submit(form.action, form.pairs)
            let set = page.headers.filter { $0.name == "set-cookie" }.map(\.value)
            #expect(set.count == 1 && set[0].hasPrefix("__Host-village_flash=saved"))
            let next = try await ana.visit("/me")
            #expect(next.flash == "Saved.")
            let gone = next.headers.filter { $0.name == "set-cookie" }.map(\.value)
            #expect(gone == ["__Host-village_flash=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure"])
        }
    }

    @Test func `files and refusals below the site have the headers that pages have`() async throws {
        try await withTestSite(publicURL: "https://village.example") { site in
            let insist = "max-age=63072000; includeSubDomains"
            for name in ["village.css", "js/app.js", "images/icons.svg"] {
                let file = try await site.browser().visit(site.site.assets.link(name).string)
                #expect(file["Strict-Transport-Security"] == insist && file["Content-Security-Policy"] == Gate.policy)
                #expect(file["Content-Type"]?.hasSuffix("; charset=utf-8") == true)
            }
            let reply = try await site.browser().talk("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
            #expect(reply.headers.contains { $0.name == "strict-transport-security" && $0.value == insist })
            #expect(reply.headers.contains { $0.name == "content-security-policy" && $0.value == Gate.policy })
        }
    }

    @Test func `only the forms of pictures take a file, and a foreign one is refused before its body is read`()
        async throws
    {
        try await withTestSite { site in
            let part = "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\n"
            let body = Array((part + String(repeating: "x", count: 2_000_000) + "\r\n--b--\r\n").utf8)
            let type = ["Content-Type": "multipart/form-data; boundary=b"]
            #expect(try await site.browser().send("POST", "/login", type, body).status == 413)
            // Its head says that a body comes, and none does: the answer doesn't wait for it.
            let reply = try await site.browser().talk(
                """
                POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://evil.example\r\nContent-Length: 9\r
                Content-Type: application/x-www-form-urlencoded\r\n\r\n
                """)
            #expect(reply.status == 403)
        }
    }

    @Test func `the cookie with a message is out of reach for scripts and other sites`() async throws {
        try await withTestSite(publicURL: "https://village.example") { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/me/family").form(with: "Save")
            let page = try await ana.submit(form.action, form.pairs)
            let cookies = page.headers.filter { $0.name == "set-cookie" }.map(\.value)
            #expect(page.status == 303 && cookies.count == 1)
            #expect(cookies.first?.hasSuffix("; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure") == true)
        }
    }

    // MARK: Passwords

    @Test func `the log-in box of a kept form counts failures as the log-in page does`() async throws {
        try await withTestSite(limits: true) { site in
            try await site.account(of: .ana)
            let nobody = site.browser()
            for attempt in 1...11 {
                let page = try await nobody.submit(
                    "/me/children/new", [("session_login", "ana-ortiz"), ("session_password", "not the password")])
                #expect(page.status == (attempt == 11 ? 429 : 422))
            }
            let page = try await nobody.submit("/login", [("login", "ana-ortiz"), ("password", Person.password)])
            #expect(page.status == 429)
        }
    }

    @Test func `a password of 1,024 bytes is taken whole, and grows no older`() async throws {
        try await withTestSite { site in
            let long = String(repeating: "kites & ", count: 128)
            var answers = SigningUpTests.answers
            answers["password"] = .text(long)
            let page = try await site.browser().visit("/signup").press("Sign up", filling: answers)
            #expect(page.path == "/welcome")
            func logIn(_ password: String) async throws -> Int {
                let pairs = [(name: "login", value: "ana-ortiz"), (name: "password", value: password)]
                return try await site.browser().submit("/login", pairs).status
            }
            let cut = try await logIn(String(long.dropLast()))
            #expect(cut == 422)
            site.clock.advance(by: .days(400))
            let whole = try await logIn(long)
            #expect(whole == 303)
        }
    }

    @Test func `a password that is guessed first is refused at a change and over a link too`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            var page = try await ana.visit("/me/password").press(
                "Save the password",
                filling: ["current_password": .text(Person.password), "password": "qwertyuiop"])
            #expect(page.status == 422 && page.problems.count == 1)
            let link = try #require(try await site.site.resetLink(for: "ana-ortiz"))
            page = try await site.browser().visit(link.dropFirst(site.site.settings.publicURL.count)).press(
                "Save the password", filling: ["password": "qwertyuiop"])
            #expect(page.status == 422 && page.problems.count == 1)
        }
    }

    @Test func `passwords are masked, and open to password managers`() async throws {
        try await withTestSite { site in
            let nobody = site.browser()
            let ana = try await site.signIn(.ana, as: .parent)
            for (browser, path, wanted) in [
                (nobody, "/login", ["current-password"]), (nobody, "/signup", ["new-password"]),
                (ana, "/me/password", ["current-password", "new-password"]),
            ] {
                let page = try await browser.visit(path)
                let inputs = page.html.all("input").filter { $0["name"]?.hasSuffix("password") == true }
                #expect(inputs.allSatisfy { $0["type"] == "password" }, "\(path)")
                #expect(inputs.compactMap { $0["autocomplete"] } == wanted, "\(path)")
            }
        }
    }

    @Test func `an account is asked for no hint and no secret question`() {
        #expect(SignUpForm.fields.map(\.name) == ["email", "username", "password", "adult", "agrees"])
        #expect(LogInForm.fields.map(\.name) == ["login", "password"])
        #expect(ResetForm.fields.map(\.name) == ["password"])
        #expect(PasswordForm.fields.map(\.name) == ["current_password", "password"])
    }

    @Test func `a new site knows nobody`() async throws {
        try await withTestSite { site in
            let accounts = try site.count(of: "account")
            #expect(accounts == 0)
            for name in ["admin", "root", "village", "admin@example.org"] {
                let page = try await site.browser().submit("/login", [("login", name), ("password", name)])
                #expect(page.status == 422)
            }
        }
    }

    // MARK: What a request can reach

    @Test func `what a form doesn't ask for is not taken`() async throws {
        try await withTestSite { site in
            let form = try await site.browser().visit("/signup").form(with: "Sign up", filling: SigningUpTests.answers)
            let answer = try await site.browser().submit(
                form.action,
                form.pairs + [("is_staff", "1"), ("isStaff", "1"), ("id", "77"), ("suspended_at", "1")])
            #expect(answer.status == 303)
            let plain = try site.count(of: "account WHERE NOT is_staff AND suspended_at IS NULL AND id <> 77")
            #expect(plain == 1)

            let cleo = try await site.account(of: .cleo)
            let ana = try await site.signIn(.ana, as: .parent)
            let family = try await ana.visit("/me/family").form(with: "Save")
            _ = try await ana.post(
                family.action, family.pairs + [("account_id", "\(cleo)"), ("account", "\(cleo)"), ("id", "77")])
            let others = try site.count(of: "family WHERE account_id = \(cleo) OR id = 77")
            #expect(others == 0)
        }
    }

    @Test(arguments: [
        "/.git/HEAD", "/assets/digest/.git/HEAD", "/assets/digest/../../.git/HEAD", "/assets/digest/.compressed/x.gz",
        "/data/village.sqlite", "/Package.swift", "/deploy/settings.env", "/assets/digest", "/assets/digest/js/",
    ])
    func `neither the sources nor the data nor a list of files is served`(path: String) async throws {
        try await withTestSite { site in
            let page = try await site.browser().visit(
                path.replacing("/digest", with: "/" + site.site.assets.digest))
            #expect(page.status == 404)
        }
    }

    @Test func `TRACE gives nothing back`() async throws {
        try await withTestSite { site in
            let page = try await site.browser().send("TRACE", "/events", ["X-Word": "abracadabra"])
            #expect(page.status == 405 && !page.string.contains("abracadabra"))
        }
    }

    @Test func `no answer is shared with another origin`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben)
            for path in ["/", "/events/1", "/healthz", "/nowhere", site.site.assets.link("village.css").string] {
                let page = try await site.browser().visit(path, ["Origin": "https://evil.example"])
                #expect(page["Cross-Origin-Resource-Policy"] == "same-origin", "\(path)")
                #expect(page["Access-Control-Allow-Origin"] == nil, "\(path)")
            }
        }
    }

    @Test func `a refusal before the site is reached has a type that holds`() async throws {
        try await withTestSite { site in
            let reply = try await site.browser().talk("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
            func value(_ name: String) -> String? { reply.headers.first { $0.name == name }?.value }
            #expect(reply.status == 400)
            #expect(value("content-type") == "text/html; charset=utf-8")
            #expect(value("x-content-type-options") == "nosniff" && value("cache-control") == "no-store")
        }
    }

    @Test func `who is refused stands in the log by route and status`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/admin")
            _ = try await ana.submit("/me/children/new", [])
            _ = try await ana.visit("/registrations/1")
            let lines = site.log.lines
            for line in ["GET /admin 403", "POST /me/children/new 403"] {
                #expect(lines.contains { $0.contains(line) }, "\(line)")
            }
            #expect(lines.contains { $0.contains("GET /registrations/") && $0.contains(" 404") })
        }
    }

    @Test func `a refusal and what staff do name the account, and no other line does`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let mira = try await site.signIn(.mira, isStaff: true)
            let (parent, staff) = (try await site.account(of: .ana), try await site.account(of: .mira))
            for path in ["/week", "/events", "/admin", "/registrations/1"] { _ = try await ana.visit(path) }
            _ = try await ana.submit("/me/children/new", [])
            _ = try await mira.visit("/admin/people")
            _ = try await site.browser().visit("/nowhere")
            let told = site.log.lines.filter { $0.contains(" account=") }.map { line in
                line.replacing(/\ (?:ms|request)=\S+/, with: "")
            }
            #expect(
                told == [
                    "info GET /admin 403 account=\(parent)", "info GET /registrations/{id} 404 account=\(parent)",
                    "info POST /me/children/new 403 account=\(parent)",
                    "info GET /admin/people 200 account=\(staff)",
                ])
        }
    }

    @Test func `what is refused before the site sees it is logged, sixty times a minute at most`() async throws {
        try await withTestSite { site in
            for _ in 0..<70 {
                let reply = try await site.browser().talk("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
                #expect(reply.status == 400)
            }
            func lines() -> Int { site.log.lines.count { $0.contains("refused before it was read: 400") } }
            #expect(lines() == 60)
            site.clock.advance(by: .minutes(1))
            _ = try await site.browser().talk("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
            #expect(lines() == 61)
        }
    }

    @Test func `the data folder is its owner's alone`() throws {
        let folder = NSTemporaryDirectory() + "/village-test-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var settings = Settings()
        settings.data = folder
        settings.publicFolder = SourcesTests.root.appending(path: "Public").path
        let site = try Site(
            settings, clock: { Clock.start }, cost: .cheap, log: Logger(label: "test") { _ in LogBook() })
        defer { site.close() }
        #expect(try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
    }
}
