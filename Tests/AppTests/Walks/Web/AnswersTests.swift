import Database
import Dispatch
import Passwords
import Templating
import Testing

@testable import App

/// What every answer has in common: status, headers, refusals, files, and what machines ask.
@Suite struct AnswersTests {
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; "
        + "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    private func expectSafe(_ page: Page) {
        #expect(page["Content-Security-Policy"] == Self.policy, "\(page.path)")
        #expect(page["X-Content-Type-Options"] == "nosniff", "\(page.path)")
        #expect(page["Cross-Origin-Opener-Policy"] == "same-origin", "\(page.path)")
        #expect(page["Cross-Origin-Resource-Policy"] == "same-origin", "\(page.path)")
        #expect(page["Cross-Origin-Embedder-Policy"] == "credentialless", "\(page.path)")
        #expect(page["Referrer-Policy"] == "strict-origin-when-cross-origin", "\(page.path)")
        #expect(page["Cache-Control"]?.contains("public") == false, "\(page.path)")
    }

    // MARK: Headers

    @Test func `every kind of page has the headers that keep it safe`() async throws {
        try await withTestSite(expecting: [500]) { site in
            try await site.publish(by: .ben)
            let nobody = site.browser()
            for path in [
                "/", "/events", "/events/1", "/login", "/about", "/nowhere", "/healthz", "/robots.txt", "/events/x",
                "/manifest.webmanifest",
            ] {
                let page = try await nobody.visit(path)
                expectSafe(page)
                #expect(page["Strict-Transport-Security"] == nil)
            }
            expectSafe(try await nobody.send("GET", "/week"))
            expectSafe(try await nobody.submit("/login", []))
            expectSafe(try await nobody.send("PUT", "/events"))
            let ana = try await site.signIn(.ana, as: .parent)
            for path in ["/", "/events", "/events/1", "/week", "/me", "/events/new", "/nowhere", "/admin"] {
                let page = try await ana.visit(path)
                expectSafe(page)
                #expect(page["Cache-Control"] == "private, no-store", "\(path)")
            }
            site.site.close()
            expectSafe(try await nobody.visit("/events"))
        }
    }

    @Test func `over https the browser is told to stay there`() async throws {
        try await withTestSite(publicURL: "https://village.example") { site in
            let page = try await site.browser(at: "https://village.example").visit("/events")
            #expect(page["Strict-Transport-Security"] == "max-age=63072000; includeSubDomains")
        }
    }

    @Test func `a page is packed for who asks, and the same page`() async throws {
        try await withTestSite { site in
            let plain = try await site.browser().visit("/about")
            let packed = try await site.browser().visit("/about", ["Accept-Encoding": "gzip, deflate, br"])
            #expect(plain["Content-Encoding"] == nil && packed["Content-Encoding"] == "gzip")
            #expect(packed.body.starts(with: [0x1F, 0x8B]) && packed.body.count < plain.body.count)
            #expect(plain["Vary"] == packed["Vary"] && plain["Vary"]?.contains("Accept-Encoding") == true)
            for path in [
                "/about", "/events", "/api/events", "/sitemap.xml", site.site.assets.link("village.css").string,
            ] {
                for refusing in [
                    "gzip;q=0", "gzip;q=0, br;q=0.0", "*;q=0", "identity", "gzipped, brotli", "gzip;q=0;q=1",
                ] {
                    let page = try await site.browser().visit(path, ["Accept-Encoding": refusing])
                    #expect(
                        page["Content-Encoding"] == nil && !page.body.starts(with: [0x1F, 0x8B]), "\(path) \(refusing)")
                }
            }
        }
    }

    @Test func `HEAD is GET without the body`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben)
            let style = site.site.assets.link("village.css").string
            for path in ["/", "/events", "/events/1", "/nowhere", "/week", "/healthz", style] {
                let get = try await site.browser().send("GET", path)
                let head = try await site.browser().send("HEAD", path)
                #expect(head.status == get.status && head.body.isEmpty, "\(path)")
                for name in ["Content-Type", "Content-Length", "Location", "Cache-Control", "Content-Security-Policy"] {
                    #expect(head[name] == get[name], "\(path) \(name)")
                }
            }
        }
    }

    // MARK: Refusals

    private func expectPage(_ page: Page, _ status: Int, _ heading: String, in site: TestSite) {
        #expect(page.status == status, "\(page.path)")
        #expect(page.heading == heading)
        // In the look of the site, with a way on.
        #expect(page.html.all("nav").count == 2 && page.link("See what’s on") == "/events")
        #expect(page.html.all("link").contains { $0["href"] == site.site.assets.link("village.css").string })
    }

    @Test func `each refusal is a page with kind words`() async throws {
        try await withTestSite { site in
            let nobody = site.browser()
            expectPage(try await nobody.visit("/nowhere"), 404, "We can't find this page", in: site)
            expectPage(try await nobody.visit("/events/1/"), 404, "We can't find this page", in: site)
            expectPage(
                try await nobody.visit("/events?q=" + String(repeating: "k", count: 8_200)), 414,
                "This address is too long", in: site)
            expectPage(
                try await nobody.visit("/", ["X-Long": String(repeating: "k", count: 33_000)]), 431,
                "Your browser sent too much", in: site)
            let many = Dictionary(uniqueKeysWithValues: (0..<101).map { ("X-Many-\($0)", "k") })
            expectPage(try await nobody.visit("/", many), 431, "Your browser sent too much", in: site)
            expectPage(
                try await nobody.submit("/login", [("login", String(repeating: "k", count: 300_000))]), 413,
                "That is too much at once", in: site)
            expectPage(
                try await nobody.submit("/login", (0...1_000).map { ("field", "\($0)") }), 413,
                "That is too much at once", in: site)
            expectPage(
                try await nobody.submit("/login", [("login", "k")], ["Content-Type": "application/json"]), 415,
                "We can't read this kind of form", in: site)
            let broken = ["Content-Type": "multipart/form-data; boundary=x"]
            expectPage(
                try await nobody.send("POST", "/login", broken, Array("--y".utf8)), 400, "We could not read that",
                in: site)
            let ana = try await site.signIn(.ana, as: .parent)
            expectPage(try await ana.visit("/admin"), 403, "This is not for you", in: site)
        }
    }

    @Test func `the limits are exact`() async throws {
        try await withTestSite { site in
            let nobody = site.browser()
            let fits = "/events?q=" + String(repeating: "k", count: 8_192 - 10)
            var page = try await nobody.visit(fits)
            #expect(page.status == 200)
            page = try await nobody.visit(fits + "k")
            #expect(page.status == 414)
            let text = String(repeating: "k", count: 256 * 1_024 - 6)
            page = try await nobody.submit("/login", [("login", text)])
            #expect(page.status == 422)
            page = try await nobody.submit("/login", [("login", text + "k")])
            #expect(page.status == 413)
        }
    }

    @Test func `a request that is no request is refused by a page too`() async throws {
        try await withTestSite { site in
            for head in [
                "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                "KITE\r\n\r\n",
            ] {
                let reply = try await site.browser().talk(head)
                #expect(reply.status == 400)
                let page = Page(reply, at: "/", in: site.browser())
                #expect(page.heading == "We could not read that")
                #expect(page["Content-Security-Policy"] == Self.policy)
            }
        }
    }

    @Test(arguments: [
        ("PUT", "/events", "GET, HEAD"), ("DELETE", "/events/1", "GET, HEAD"), ("POST", "/events/1", "GET, HEAD"),
        ("POST", "/", "GET, HEAD"), ("HEAD", "/logout", "POST"), ("HEAD", "/hat", "POST"),
        ("PATCH", "/events/new", "GET, HEAD, POST"), ("DELETE", "/events/1/registrations", "GET, HEAD, POST"),
        ("OPTIONS", "/login", "GET, HEAD, POST"),
    ])
    func `another method is told which there are`(method: String, path: String, allowed: String) async throws {
        try await withTestSite { site in
            let page = try await site.browser().send(method, path)
            #expect(page.status == 405 && page["Allow"] == allowed)
        }
    }

    @Test(arguments: [
        ("/posts/7/comments", "/posts/7"), ("/events/3/registrations/4", nil), ("/events/3/join", "/events/3"),
        ("/logout", "/"), ("/opportunities/2/promises", "/opportunities/2"), ("/comments/3/delete", "/"),
    ])
    func `a browser that asks for the address of a form is led to the page above it`(
        path: String, above: String?
    ) async throws {
        try await withTestSite { site in
            let page = try await site.browser().send("GET", path)
            #expect(page.status == (above == nil ? 404 : 303) && page["Location"] == above)
            guard above != nil else { return }
            // A program is told that there is nothing to read.
            let told = try await site.browser().send("GET", path, ["Accept": "application/json"])
            #expect(told.status == 405)
        }
    }

    @Test(arguments: [
        ("/opportunities/new?kind=volunteer", "Preview"), ("/opportunities/new?kind=donate", "Preview"),
        ("/events/new", "Preview"), ("/needs/new", "Preview"),
    ])
    func `no field that a form asks for is called optional`(path: String, button: String) async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let form = try await ben.visit(path)
            let more: [String: Filling] = path.contains("volunteer") ? ["with_adult": ["1"]] : [:]
            let page = try await form.press(form.buttons.contains(button) ? button : form.buttons[0], filling: more)
            #expect(page.status == 422)
            let asked = page.html.all("div", "fieldset").filter { $0["class"]?.contains("field--problem") == true }
            #expect(!asked.isEmpty && asked.allSatisfy { !$0.text.contains("(optional)") }, "\(asked.map(\.text))")
        }
    }

    @Test func `what is ours to blame shows a number that stands in the log, and nothing else`() async throws {
        try await withTestSite(expecting: [500]) { site in
            site.site.close()
            let page = try await site.browser().visit("/events")
            expectPage(page, 500, "Something broke", in: site)
            let id = try #require(page.html.first("code")?.text)
            #expect(
                site.log.lines.contains {
                    $0.hasPrefix("error") && $0.contains("request=\(id)") && $0.contains("closed")
                })
            #expect(!page.string.contains("DatabaseError") && !page.string.contains("closed"))
        }
    }

    @Test func `a test fails over an answer of 500 that it didn't announce`() async throws {
        try await withKnownIssue {
            try await withTestSite(expecting: [503]) { site in
                site.site.close()
                _ = try await site.browser().visit("/events")
            }
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("answered with 500") && $0.rawValue.contains("closed") }
        }
    }

    @Test func `when too much is asked at once, it says when to come back`() async throws {
        try await withTestSite(expecting: [503]) { site in
            try await site.account(of: .ana)
            // Two jobs run and sixty-four wait until the gate opens; the others of the hundred are refused.
            let gate = DispatchSemaphore(value: 0)
            let running = AsyncStream.makeStream(of: Void.self)
            let refused = AsyncStream.makeStream(of: Void.self)
            defer { for _ in 0..<66 { gate.signal() } }
            func work(_ count: Int) {
                for _ in 0..<count {
                    Task {
                        do {
                            try await site.site.passwords.run {
                                running.continuation.yield()
                                gate.wait()
                            }
                        } catch {
                            refused.continuation.yield()
                        }
                    }
                }
            }
            work(2)
            for await _ in running.stream.prefix(2) {}
            work(98)
            for await _ in refused.stream.prefix(34) {}
            let page = try await site.browser().visit("/login").press(
                "Log in", filling: ["login": "ana-ortiz", "password": .text(Person.password)])
            expectPage(page, 503, "A lot is going on", in: site)
            #expect(page["Retry-After"] == "5")
        }
    }

    @Test func `too many pages in a minute: wait, and it says how long`() async throws {
        try await withTestSite(limits: true) { site in
            let nobody = site.browser()
            for _ in 0..<300 { #expect(try await nobody.send("HEAD", "/healthz").status == 200) }
            let page = try await nobody.visit("/events")
            #expect(page.status == 429 && page.heading == "Please wait a moment" && page["Retry-After"] == "1")
            // Members have an account of their own, and files aren't counted.
            #expect(try await site.signIn(.ana, as: .parent).visit("/events").status == 200)
            #expect(try await nobody.visit(site.site.assets.link("village.css").string).status == 200)
            site.clock.advance(by: .minutes(1))
            #expect(try await nobody.visit("/events").status == 200)
        }
    }

    // MARK: Where a request comes from

    @Test(arguments: [
        // From a stranger it is not believed: both are the same address.
        ([], "203.0.113.7", "203.0.113.8", false),
        // From a trusted proxy it is.
        (["127.0.0.1"], "203.0.113.7", "203.0.113.8", true),
        (["127.0.0.0/8", "10.0.0.0/8"], "203.0.113.7, 10.1.1.1", "203.0.113.8, 10.1.1.1", true),
        // What the visitor wrote before it is not.
        (["127.0.0.1"], "1.1.1.1, 203.0.113.7", "2.2.2.2, 203.0.113.7", false),
        // A whole /64 is one subscriber.
        (["127.0.0.1"], "2001:db8::1", "2001:db8::2", false), (["127.0.0.1"], "2001:db8::1", "2001:db8:0:1::1", true),
        (["127.0.0.1"], "not an address", "neither", false),
    ])
    func `the address is the proxy’s word only where it is trusted`(
        proxies: [String], first: String, second: String, areTwo: Bool
    ) async throws {
        try await withTestSite(limits: true, trusting: proxies) { site in
            func fail(from address: String) async throws -> Int {
                let pairs = [(name: "login", value: "nobody"), (name: "password", value: "not the password")]
                return try await site.browser(sending: ["X-Forwarded-For": address]).submit("/login", pairs).status
            }
            var answers: [Int] = []
            for _ in 1...11 { answers.append(try await fail(from: first)) }
            #expect(answers == Array(repeating: 422, count: 10) + [429])
            let other = try await fail(from: second)
            #expect(other == (areTwo ? 422 : 429))
            let warnings = site.log.lines.filter { $0.contains("VILLAGE_TRUSTED_PROXIES") }
            #expect(warnings.count == (proxies.isEmpty ? 1 : 0))
        }
    }

    // MARK: Files

    @Test func `a file under the digest is kept for ever, and answers 304`() async throws {
        try await withTestSite { site in
            let nobody = site.browser()
            let path = try #require(
                try await nobody.visit("/").html.all("link").first { $0["rel"] == "stylesheet" }?["href"])
            let page = try await nobody.visit(path)
            #expect(page.status == 200 && page["Content-Type"] == "text/css; charset=utf-8")
            #expect(page["Cache-Control"] == "public, max-age=31536000, immutable")
            #expect(page["X-Content-Type-Options"] == "nosniff" && page["Set-Cookie"] == nil)
            let tag = try #require(page["ETag"])
            for value in [tag, "\"other\", \(tag)", "W/\(tag)", "*"] {
                let again = try await nobody.visit(path, ["If-None-Match": value])
                #expect(again.status == 304 && again.body.isEmpty && again["ETag"] == tag)
            }
            #expect(try await nobody.visit(path, ["If-None-Match": "\"other\""]).status == 200)
            // A page of the release before still finds it, but it isn't kept.
            let old = path.replacing(site.site.assets.digest, with: "0123456789abcdef")
            let stale = try await nobody.visit(old)
            #expect(stale.status == 200 && stale["Cache-Control"] == "no-cache")
        }
    }

    @Test func `who has a page, a feed or a calendar as it still is isn’t sent it again; a change is sent`()
        async throws
    {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let nobody = site.browser()
            let paths = [
                "/events", "/events/\(event)", "/about", "/privacy", "/events.atom", "/events.ics",
                "/events/\(event).ics", "/sitemap.xml", "/api/events",
            ]
            var tags: [String: String] = [:]
            for path in paths {
                for packed in ["gzip", ""] {
                    let tag = try #require(
                        try await nobody.visit(path, ["Accept-Encoding": packed])["ETag"], "\(path)")
                    tags[path] = tag
                    for known in [tag, String(tag.dropFirst(2)), "\"other\", \(tag)"] {
                        let headers = ["If-None-Match": known, "Accept-Encoding": packed]
                        let again = try await nobody.visit(path, headers)
                        #expect(again.status == 304 && again.body.isEmpty && again["ETag"] == tag, "\(path)")
                        #expect(again["Content-Security-Policy"] != nil && again["Vary"] != nil, "\(path)")
                    }
                }
                #expect(try await nobody.visit(path, ["If-None-Match": "\"other\""]).status == 200, "\(path)")
            }
            // What somebody sees who is signed in is their own: nothing keeps it.
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/events", ["If-None-Match": try #require(tags["/events"])])
            #expect(page.status == 200 && page["ETag"] == nil)
            try await site.execute("UPDATE event SET title = 'Boat day', updated_at = updated_at + 1000")
            for path in paths where path != "/about" && path != "/privacy" && path != "/sitemap.xml" {
                let page = try await nobody.visit(path, ["If-None-Match": tags[path] ?? ""])
                #expect(page.status == 200 && page.string.contains("Boat day"), "\(path)")
            }
        }
    }

    @Test func `every file that a page names is there`() async throws {
        try await withTestSite { site in
            let page = try await site.browser().visit("/")
            let files = page.html.all { ["link", "script", "img", "use"].contains($0.name) }
                .filter { $0["rel"] != "canonical" }
                .compactMap { $0["href"] ?? $0["src"] }.map { String($0.prefix { $0 != "#" }) }
            #expect(files.count > 5)
            for file in Set(files) { #expect(try await site.browser().visit(file).status == 200, "\(file)") }
        }
    }

    @Test(arguments: [
        "css/../../Package.swift", "..%2f..%2fPackage.swift", "%2e%2e/Package.swift", "nothing.css", "css", "",
        "css/tokens.css%00",
    ])
    func `nothing else of the disk is served`(path: String) async throws {
        try await withTestSite { site in
            let page = try await site.browser().visit("/assets/\(site.site.assets.digest)/\(path)")
            #expect(page.status == 404)
        }
    }

    @Test func `a packed file is the same file`() async throws {
        try await withTestSite { site in
            let assets = site.site.assets
            for path in assets.paths {
                guard let file = assets.file(path) else { continue }
                for (coding, packed) in [("br", file.brotli), ("gzip", file.gzip)] {
                    let page = try await site.browser().visit(assets.link(path).string, ["Accept-Encoding": coding])
                    #expect(page["Content-Encoding"] == (packed == nil ? nil : coding))
                    #expect(page.body == packed ?? file.plain && page["Vary"] == "Accept-Encoding")
                    let refused = try await site.browser().visit(
                        assets.link(path).string, ["Accept-Encoding": "\(coding);q=0, *;q=0"])
                    #expect(refused["Content-Encoding"] == nil && refused.body == file.plain)
                }
            }
        }
    }

    // MARK: The rest

    @Test func `a page says which of its links a browser may fetch early: those that only show something to all`()
        async throws
    {
        try await withTestSite { site in
            let address = site.site.assets.link("next.speculationrules").string
            let nobody = site.browser()
            for path in ["/", "/events", "/nowhere"] {
                #expect(try await nobody.visit(path)["Speculation-Rules"] == "\"\(address)\"", "\(path)")
            }
            for path in ["/healthz", "/api/events", "/sitemap.xml"] {
                #expect(try await nobody.visit(path)["Speculation-Rules"] == nil, "\(path)")
            }
            #expect(try await nobody.submit("/login", [])["Speculation-Rules"] == nil)
            let rules = try await nobody.visit(address)
            #expect(rules.status == 200 && rules["Content-Type"] == "application/speculationrules+json")
            // Pages that everybody may see and that write nothing; nothing is run early.
            let addresses = rules.string.matches(of: /"(\/[^"]*)"/).map { String($0.output.1) }
            #expect(
                addresses == [
                    "/events/:id(\\\\d+)", "/opportunities/:id(\\\\d+)", "/events\\\\?*", "/opportunities\\\\?*",
                ])
            #expect(!rules.string.contains("prerender"))
        }
    }

    @Test func `what was just done is said once`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/me/family").press("Save")
            #expect(page.flash == "Saved.")
            #expect(try await ana.visit("/me").flash == nil)
            // A cookie that isn't ours says nothing.
            ana.keep("village_flash", "<b>hacked</b>")
            #expect(try await ana.visit("/me").flash == nil)
            // A script that fetches a page meanwhile, as the chat's does, leaves it to the page that opens.
            let form = try await ana.visit("/me/family").form(with: "Save")
            let saved = try await ana.submit(form.action, form.pairs)
            let opened = try #require(saved.location)
            #expect(try await ana.visit(opened, ["Sec-Fetch-Mode": "cors"]).flash == nil)
            // And so does the browser that fetches a page before anybody follows its link.
            let early = ["Sec-Fetch-Mode": "navigate", "Sec-Purpose": "prefetch"]
            #expect(try await ana.visit(opened, early).flash == nil)
            #expect(try await ana.visit(opened, ["Sec-Fetch-Mode": "navigate"]).flash == "Saved.")
            #expect(try await ana.visit(opened).flash == nil)
        }
    }

    @Test func `machines are answered`() async throws {
        try await withTestSite(expecting: [503]) { site in
            let nobody = site.browser()
            var page = try await nobody.visit("/healthz")
            #expect(page.status == 200 && page.string == "ok\n" && page["Cache-Control"] == "no-store")
            page = try await nobody.visit("/readyz")
            #expect(page.status == 200 && page.string == "ready\nlast backup: none\n")
            page = try await nobody.visit("/robots.txt")
            #expect(page.status == 200 && page.string.contains("Disallow: /admin"))
            page = try await nobody.visit("/manifest.webmanifest")
            #expect(page["Content-Type"] == "application/manifest+json")
            #expect(try await nobody.visit("/favicon.ico").status == 200)
            site.site.close()
            #expect(try await nobody.visit("/healthz").status == 200)
            page = try await nobody.visit("/readyz")
            #expect(page.status == 503 && page.string.hasPrefix("not ready: "))
        }
    }

    @Test func `pages of words are there for everybody`() async throws {
        try await withTestSite { site in
            for (path, heading) in [
                ("/about", "About"), ("/help", "Help"), ("/privacy", "What we keep"),
                ("/accessibility", "Accessibility"),
            ] {
                let page = try await site.browser().visit(path)
                #expect(page.status == 200 && page.heading.contains(heading), "\(page.heading)")
            }
        }
    }

    @Test func `the log holds the route’s pattern, never what stands in the URL or the form`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/events/1?q=secretword")
            _ = try await ana.visit("/reset/secrettoken")
            _ = try await ana.visit("/secretplace")
            _ = try await ana.visit("/me/children/new").press(
                "Save", filling: ["nickname": "Secretchild", "birth_month": "2", "birth_year": "2020"])
            let log = site.log.lines.joined(separator: "\n")
            #expect(!log.lowercased().contains("secret"))
            #expect(log.contains("GET /events/") && log.contains("POST /me/children/new 303"))
            #expect(!log.contains("GET /events/1 "))
        }
    }
}
