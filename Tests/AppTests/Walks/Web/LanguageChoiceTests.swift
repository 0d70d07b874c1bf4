import Database
import Forms
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import SMTP
import Templating
import Testing

@testable import App

/// What a page is written in: what its address says, the account's language, what a visitor chose, the browser's, the
/// site's.
@Suite struct LanguageChoiceTests {
    /// German and Spanish, as far as these tests read them.
    private static let catalogues = [
        catalogue(
            "de",
            [
                "Events": "Veranstaltungen", "Your password was changed": "Dein Passwort wurde geändert",
                "My plans, {site}": "Meine Pläne, {site}",
            ]),
        catalogue(
            "es",
            [
                "Events": "Actividades", "Your password was changed": "Tu contraseña se cambió",
                "My plans, {site}": "Mis planes, {site}",
            ]),
    ]

    private static func catalogue(_ language: String, _ words: KeyValuePairs<String, String>) -> Catalogue {
        let header = "msgid \"\"\nmsgstr \"Language: \(language)\\nPlural-Forms: nplurals=2; plural=(n != 1);\\n\"\n"
        return Catalogue(parsing: header + words.map { "\nmsgid \"\($0)\"\nmsgstr \"\($1)\"\n" }.joined())
    }

    private func withSite(_ body: (TestSite) async throws -> Void) async throws {
        try await withTestSite(catalogues: Self.catalogues, body)
    }

    private func language(_ page: Page) -> String? { page.html.first("html")?["lang"] }

    private func choose(_ language: String, on page: Page) async throws -> Page {
        let form = try #require(page.forms.first { $0.action == "/language" })
        let pairs = form.pairs.filter { $0.name != "language" } + [(name: "language", value: language)]
        return try await page.browser.post("/language", pairs)
    }

    private func cookies(_ page: Page) -> [String] { page.headers.filter { $0.name == "set-cookie" }.map(\.value) }

    // MARK: The order

    @Test func `a choice in the footer holds on every page, before the browser’s, and leads back to the page`()
        async throws
    {
        try await withSite { site in
            let visitor = site.browser()
            let page = try await visitor.visit("/events?city=San+Jose")
            #expect(language(page) == "de")
            let buttons = page.html.all("button").filter { $0["name"] == "language" }
            #expect(buttons.map(\.text) == ["English", "Deutsch", "Español"])
            #expect(buttons.map { $0["lang"] } == ["en", "de", "es"])
            #expect(buttons.map { $0["aria-pressed"] } == ["false", "true", "false"])
            let chosen = try await page.press("Español")
            #expect(language(chosen) == "es" && chosen.path == "/events?city=San+Jose")
            #expect(visitor.cookie("village_language") == "es")
            for path in ["/", "/events", "/about", "/login", "/nowhere"] {
                #expect(language(try await visitor.visit(path)) == "es", "\(path)")
            }
            #expect(language(try await site.browser().visit("/events")) == "de")
        }
    }

    @Test func `the cookie is out of reach for scripts and other sites, and kept for a year`() async throws {
        try await withTestSite(publicURL: "https://village.example", catalogues: Self.catalogues) { site in
            let visitor = site.browser(at: "https://village.example")
            let page = try await visitor.submit("/language", [("language", "es"), ("back", "/events")])
            #expect(
                cookies(page) == [
                    "__Host-village_language=es; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure"
                ])
            #expect(page.status == 303 && page.location == "/events")
        }
    }

    @Test func `a link in a language shows its page in it to anybody, and changes nothing`() async throws {
        try await withSite { site in
            try await site.publish(by: .ben)
            let visitor = site.browser()
            for path in ["/events?lang=es", "/events?city=San+Jose&lang=es", "/?lang=es&x=1", "/nowhere?lang=es"] {
                let page = try await visitor.visit(path)
                #expect(language(page) == "es" && cookies(page).isEmpty, "\(path)")
                #expect(language(try await visitor.visit("/events")) == "de")
                // What leads on from it says nothing of the language.
                #expect(page.links.allSatisfy { !$0.href.contains("lang=") })
                #expect(page.forms.flatMap(\.pairs).allSatisfy { !$0.value.contains("lang=") })
            }
            #expect(try await visitor.visit("/events?lang=es").heading == "Actividades")
            let chosen = try await choose("en", on: visitor.visit("/events?lang=es&city=San+Jose"))
            #expect(language(chosen) == "en" && chosen.path == "/events?city=San+Jose")
            #expect(language(try await visitor.visit("/events?lang=es")) == "es")
            #expect(try await site.browser().visit("/events.atom?lang=es").string.contains("xml:lang=\"es\""))
        }
    }

    @Test func `what names no language here is passed over`() async throws {
        try await withSite { site in
            for value in ["xx", "", "ES", "es%00", "%65s", "<b>", "es;x", String(repeating: "e", count: 3_000)] {
                let path = "/events?lang=\(value.replacing("<b>", with: "%3Cb%3E"))"
                let page = try await site.browser().visit(path)
                #expect(page.status == 200 && language(page) == "de", "\(value)")
                let visitor = site.browser()
                visitor.keep("village_language", value)
                let kept = try await visitor.visit("/events")
                #expect(kept.status == 200 && language(kept) == (value == "es;x" ? "es" : "de"), "\(value)")
            }
        }
    }

    @Test func `the account’s language and the footer’s stay in step`() async throws {
        try await withSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await choose("es", on: ana.visit("/week"))
            #expect(try site.count(of: "account WHERE language = 'es'") == 1)
            #expect(try await ana.visit("/me/settings").value(of: "language") == "es")
            // On another device, whose browser asks for German.
            let phone = try await site.signIn(.ana, as: .parent)
            #expect(language(try await phone.visit("/events")) == "es")
            // Somebody else chose there before: the account counts first.
            phone.keep("village_language", "en")
            #expect(language(try await phone.visit("/events")) == "es")
            #expect(try await phone.visit("/me/settings").value(of: "language") == "es")
            // Saved without a change, it stays; and the choice of before is gone.
            _ = try await phone.visit("/me/settings").press("Save")
            #expect(try site.count(of: "account WHERE language = 'es'") == 1)
            #expect(phone.cookie("village_language") == nil)
            func save(_ language: String, from browser: Browser) async throws {
                let form = try #require(
                    try await browser.visit("/me/settings").forms.first { $0.action == "/me/settings" })
                let pairs = form.pairs.filter { $0.name != "language" } + [(name: "language", value: language)]
                #expect(try await browser.post("/me/settings", pairs).status == 200)
            }
            try await save("de", from: ana)
            #expect(language(try await ana.visit("/events")) == "de" && ana.cookie("village_language") == nil)
            try await save("usual", from: ana)
            #expect(try site.count(of: "account WHERE language IS NOT NULL") == 0)
            #expect(language(try await ana.visit("/events", ["Accept-Language": "es"])) == "es")
        }
    }

    @Test func `the site’s language is what nobody says otherwise`() async throws {
        try await withSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            #expect(language(try await site.browser().visit("/events", ["Accept-Language": "fr"])) == "en")
            let steps = try await mira.visit("/admin", ["Accept-Language": "en"])
            #expect(steps.html.all("a").contains { $0["href"] == "/admin/settings#language" })
            let form = try await mira.visit("/admin/settings", ["Accept-Language": "en"])
            #expect(form.value(of: "language") == "en")
            let saved = try await form.press(
                "Save", filling: ["town": "San José", "contact_phone": "+1 408 555 0100", "language": "es"])
            #expect(saved.path == "/admin")
            for accepted in ["", "fr", "*", "xx;q=1"] {
                #expect(language(try await site.browser().visit("/events", ["Accept-Language": accepted])) == "es")
            }
            #expect(language(try await site.browser().visit("/events", ["Accept-Language": "en"])) == "en")
            #expect(site.site.languages.map(\.name) == ["es", "en", "de"])
            let log = try await mira.visit("/admin/log", ["Accept-Language": "en"])
            #expect(log.text.contains("Language of the site"))
            // What isn't offered is refused.
            let again = try await mira.visit("/admin/settings", ["Accept-Language": "en"])
            let pairs = try again.form(with: "Save").pairs.filter { $0.name != "language" }
            #expect(try await mira.post("/admin/settings", pairs + [(name: "language", value: "xx")]).status == 422)
        }
    }

    @Test func `where there is English alone, nothing is offered`() async throws {
        try await withTestSite { site in
            let page = try await site.browser().visit("/events")
            #expect(!page.forms.contains { $0.action == "/language" })
            #expect(page.html.all("link").allSatisfy { $0["hreflang"] == nil })
            let mira = try await site.signIn(.mira, isStaff: true)
            #expect(try await !mira.visit("/admin").string.contains("/admin/settings#language"))
            #expect(try await mira.visit("/admin/settings").html.all("select").allSatisfy { $0["name"] != "language" })
        }
    }

    // MARK: The form

    @Test(arguments: [
        "//evil.example", "https://evil.example/", "/\\evil.example", "javascript:alert(1)", "", "/\u{1}", "evil",
        "///evil.example", "//evil.example/?lang=es",
    ])
    func `the form never leads off the site`(back: String) async throws {
        try await withSite { site in
            let page = try await site.browser().submit("/language", [("language", "es"), ("back", back)])
            #expect(page.status == 303 && page.location == "/")
        }
    }

    @Test func `a language that isn’t here is not found, and nothing is kept`() async throws {
        try await withSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            for browser in [site.browser(), ana] {
                for value in ["xx", "", "es\"; x=y", "es\r\nSet-Cookie: a=b"] {
                    let csrf = try await browser.visit("/about").forms.first { $0.action == "/language" }
                    let pairs = try #require(csrf).pairs.filter { $0.name != "language" }
                    let page = try await browser.submit("/language", pairs + [(name: "language", value: value)])
                    #expect(page.status == 404 && cookies(page).isEmpty)
                }
            }
            #expect(try site.count(of: "account WHERE language IS NOT NULL") == 0)
            #expect(try await site.browser().submit("/language", []).status == 404)
        }
    }

    @Test func `it can be chosen where the site is closed`() async throws {
        try await withSite { site in
            try await site.site.change(by: try await site.account(of: .mira, role: .admin), at: site.clock.now) {
                $0.isClosed = true
            }
            let chosen = try await choose("es", on: site.browser().visit("/login"))
            #expect(language(chosen) == "es" && chosen.path == "/login")
        }
    }

    // MARK: Cached pages

    @Test func `a visitor who chose a language gets a cached page, in no other language`() async throws {
        try await withSite { site in
            let event = try await site.publish(by: .ben)
            func title(_ language: String?, _ path: String = "/events/1") async throws -> (String?, Bool) {
                let visitor = site.browser()
                visitor.keep("village_language", language)
                let page = try await visitor.visit(path)
                return (self.language(page), page.string.contains("Another title"))
            }
            for language in ["de", "es", "en"] { #expect(try await title(language) == (language, false)) }
            for path in ["/events/1?lang=es", "/events/1?lang=de"] { #expect(try await title(nil, path).1 == false) }
            try await site.writeQuietly { db in
                try db.execute("UPDATE event SET title = 'Another title' WHERE id = \(event)")
            }
            // From the cache, each its own.
            for language in ["de", "es", "en"] { #expect(try await title(language) == (language, false)) }
            #expect(try await title(nil) == ("de", false))
            // What names no language makes no page of its own, nor does the order of what is asked.
            #expect(try await title(nil, "/events/1?lang=xx") == ("de", false))
            #expect(try await title("de", "/events/1?lang=es") == ("es", false))
            // A cookie that says anything else is somebody of whom more may be known.
            #expect(try await title("xx") == ("de", true))
        }
    }

    /// The twin: cached under a key that doesn't say the language, a page in Spanish is what a German visitor gets.
    @Test func `without the language in its key a cached page goes to readers of another one`() {
        let cache = PageCache(capacity: 100_000)
        let moment = PageCache.Moment(version: 1, at: .init(milliseconds: 0))
        let body = ByteBuffer(string: "Eventos")
        let response = Response(status: .ok, body: ResponseBody(byteBuffer: body))
        let page = PageCache.Page(response, body: body, pattern: "/events")
        func key(_ language: String) -> PageCache.Key {
            PageCache.Key(target: "/events", isPacked: false, language: language)
        }
        cache.insert(page, for: key("es"), at: moment)
        #expect(cache.page(for: key("de"), at: moment) == nil && cache.page(for: key("es"), at: moment) != nil)
        func without(_ key: PageCache.Key) -> PageCache.Key {
            PageCache.Key(target: key.target, isPacked: key.isPacked)
        }
        cache.insert(page, for: without(key("es")), at: moment)
        #expect(cache.page(for: without(key("de")), at: moment) != nil)
    }

    // MARK: What is sent

    @Test func `letters and private calendars are in their reader’s language, else in the site’s`() async throws {
        try await withSite { site in
            let ana = try await site.account(of: .ana)
            let now = site.clock.now
            func letter() async throws -> String? {
                try await site.write(at: now) { tx in try Letter.write(.newPassword, to: ana, token: nil, in: tx) }
                let letter: Letter? = try site.read { db in
                    try db.first("SELECT \(Letter.columns) FROM letter ORDER BY id DESC LIMIT 1")
                }
                return try await site.site.message(of: try #require(letter), at: now)?.subject
            }
            try await site.write(at: now) { tx in try CalendarLink.make(.account, of: ana, site.site.key, in: tx) }
            let links = try site.read { db in try CalendarLink.all(of: ana, site.site.key, in: db) }
            let calendar = "/calendar/\(try #require(links.first?.token).text).ics"
            func named(_ accepted: String) async throws -> String? {
                let text = try await site.browser().visit(calendar, ["Accept-Language": accepted]).string
                return text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("X-WR-CALNAME:") }.map(String.init)
            }
            #expect(try await named("de") == "X-WR-CALNAME:My plans\\, Village")
            #expect(try await letter() == "Your password was changed")
            try await site.execute("UPDATE account SET language = 'de' WHERE id = \(ana)")
            #expect(try await letter() == "Dein Passwort wurde geändert")
            #expect(try await named("es") == "X-WR-CALNAME:Meine Pläne\\, Village")
            var town = Town()
            town.language = "es"
            site.site.use(town)
            #expect(try await letter() == "Dein Passwort wurde geändert")
            // Theirs was a catalog that was taken away.
            for language: String? in [nil, "pl"] {
                try await site.execute("UPDATE account SET language = \(language) WHERE id = \(ana)")
                #expect(try await letter() == "Tu contraseña se cambió")
                #expect(try await named("de") == "X-WR-CALNAME:Mis planes\\, Village")
            }
        }
    }

    @Test func `somebody who signs up is written to in the language of the form`() async throws {
        try await withSite { site in
            func reads(_ number: Int, accepting accepted: String, choosing chosen: String? = nil) async throws
                -> String?
            {
                let visitor = site.browser(sending: ["Accept-Language": accepted])
                visitor.keep("village_language", chosen)
                let page = try await visitor.visit("/signup").press(
                    "Sign up",
                    filling: [
                        "email": "reader-\(number)@example.org", "username": "reader-\(number)",
                        "password": "two children, one week", "adult": true,
                    ])
                #expect(page.path == "/welcome", "\(page.problems)")
                return try site.read { db in
                    try db.value("SELECT language FROM account WHERE username = \("reader-\(number)")")
                }
            }
            let read = [
                try await reads(1, accepting: "en"), try await reads(2, accepting: "de"),
                try await reads(3, accepting: "de", choosing: "es"),
                try await reads(4, accepting: "de", choosing: "en"),
            ]
            #expect(read == [nil, "de", "es", "en"])
        }
    }

    // MARK: Forms

    @Test func `what comes back of a form is in the language of its page, however often; others are as before`()
        async throws
    {
        try await withSite { site in
            let visitor = site.browser()
            for path in ["/login", "/signup"] {
                var page = try await visitor.visit("\(path)?lang=es")
                for _ in 1...2 {
                    let form = try #require(page.forms.first { $0.action == path }, "\(path)")
                    page = try await visitor.post(path, form.pairs)
                    #expect(page.status == 422 && language(page) == "es", "\(path)")
                }
                // The twin: without what its page said.
                let form = try #require(page.forms.first { $0.action == path }, "\(path)")
                let plain = form.pairs.filter { $0.name != "lang" }
                #expect(language(try await visitor.post(path, plain)) == "de", "\(path)")
                #expect(language(try await visitor.post(path, plain + [("lang", "xx")])) == "de", "\(path)")
                #expect(try await visitor.visit(path).forms.flatMap(\.pairs).allSatisfy { $0.name != "lang" })
            }
            #expect(visitor.cookie("village_language") == nil)
            let ana = try await site.signIn(.ana, as: .parent)
            let child = try await ana.visit("/me/children/new?lang=es").form(with: "Save")
            #expect(language(try await ana.post("/me/children/new", child.pairs)) == "es")
            #expect(language(try await ana.visit("/me/children/new")) == "de")
        }
    }

    // MARK: Being found

    @Test func `a filtered list that finds something is a page of its own, in one spelling; else it is the list`()
        async throws
    {
        try await withSite { site in
            try await site.publish(by: .ben)
            try await site.ask(by: .ben)
            func canonical(_ path: String) async throws -> String? {
                let link = try await site.browser().visit(path).html.all("link").first { $0["rel"] == "canonical" }
                return link?["href"].map { String($0.dropFirst("http://localhost:8080".count)) }
            }
            for (path, own) in [
                ("/events?audience=kids&x=1&sort=newest&city=San+Jose&q=", "/events?city=San%20Jose&audience=kids"),
                ("/events?city=San+Jose&lang=es", "/events?city=San%20Jose&lang=es"),
                ("/events/map?audience=kids&sort=newest", "/events/map?audience=kids"),
                ("/opportunities?x=1&as=table&q=&kind=volunteer", "/opportunities?kind=volunteer"),
                // Words, what can't be read, what finds nothing, and another order or look of all.
                ("/events?q=kite&audience=kids", "/events"), ("/events?city=Nowhere", "/events"),
                ("/events?from=someday", "/events"), ("/events?sort=newest", "/events"),
                ("/events/map?event=1", "/events/map"), ("/opportunities?q=lunch", "/opportunities"),
                ("/opportunities?as=table", "/opportunities"), ("/opportunities?kind=donate", "/opportunities"),
                ("/opportunities/map?q=lunch", "/opportunities/map"), ("/kindness?q=smile", "/kindness"),
                ("/kindness?list=all", "/kindness"), ("/needs?kind=things&q=ladder", "/needs"),
            ] {
                #expect(try await canonical(path) == own, "\(path)")
            }
            let page = try await site.browser().visit("/events?audience=kids&sort=newest")
            let spanish = page.html.all("link").first { $0["hreflang"] == "es" }
            #expect(spanish?["href"] == "http://localhost:8080/events?audience=kids&lang=es")
        }
    }

    @Test func `pages that search engines find say their address, and that in each language`() async throws {
        try await withSite { site in
            let event = try await site.publish(by: .ben)
            let paths = [
                "/", "/events", "/events/\(event)", "/about", "/help", "/privacy", "/providers/ben-ruiz",
                "/organizations", "/opportunities", "/kindness", "/timeline", "/moderation", "/tags",
            ]
            func links(_ page: Page, _ rel: String) -> [String] {
                page.html.all("link").filter { $0["rel"] == rel && $0["type"] == nil }.map {
                    [$0["hreflang"], $0["href"]].compactMap(\.self).joined(separator: " ")
                }
            }
            for path in paths {
                let whole = "http://localhost:8080\(path)"
                for query in ["", "?utm_source=x&after=%3Cb%3E"] {
                    let page = try await site.browser().visit(path + query)
                    #expect(links(page, "canonical") == [whole], "\(path)")
                    #expect(
                        links(page, "alternate") == [
                            "en \(whole)?lang=en", "de \(whole)?lang=de", "es \(whole)?lang=es", "x-default \(whole)",
                        ], "\(path)")
                    let locale = page.html.all("meta").first { $0["property"] == "og:locale" }
                    #expect(locale?["content"] == "de_US")
                }
                let spanish = try await site.browser().visit(path + "?x=1&lang=es")
                #expect(links(spanish, "canonical") == ["\(whole)?lang=es"], "\(path)")
                #expect(links(spanish, "alternate").count == 4)
                let locale = spanish.html.all("meta").first { $0["property"] == "og:locale" }
                #expect(locale?["content"] == "es_US")
            }
        }
    }

    @Test func `the map of the site says where each page is in each language`() async throws {
        try await withSite { site in
            let event = try await site.publish(by: .ben)
            let map = try await site.browser().visit("/sitemap.xml").string
            let whole = "http://localhost:8080/events/\(event)"
            #expect(map.components(separatedBy: "<loc>\(whole)</loc>").count == 2)
            for language in ["en", "de", "es"] {
                let link = "<xhtml:link rel=\"alternate\" hreflang=\"\(language)\" href=\"\(whole)?lang=\(language)\"/>"
                #expect(map.contains(link))
            }
        }
        // With as many languages as there are, it stays below what one may hold: 200 bytes for each link.
        for languages in 0...200 {
            let links = 2 * Sitemap.limit(in: languages) * (languages + 1)
            #expect(links <= 100_000 && Sitemap.limit(in: languages) > 0)
        }
    }

    @Test func `no other page says it`() async throws {
        try await withSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            var pages: [Page] = []
            for path in ["/login", "/signup", "/forgot", "/nowhere", "/places?q=x"] {
                pages.append(try await site.browser().visit(path))
            }
            for path in ["/me", "/week", "/inbox", "/me/settings"] { pages.append(try await ana.visit(path)) }
            for page in pages {
                #expect(page.html.all("link").allSatisfy { $0["hreflang"] == nil }, "\(page.path)")
                #expect(page.html.all("meta").allSatisfy { $0["property"] != "og:locale" }, "\(page.path)")
            }
        }
    }

    // MARK: Addresses

    @Test(
        arguments: [
            ("/events", "/events", nil), ("/events?lang=es", "/events", "es"), ("/?lang=", "/", ""),
            ("/events?a=1&lang=es&b=2", "/events?a=1&b=2", "es"), ("/events?lang=es&lang=de", "/events", "es"),
            ("/events?slang=es", "/events?slang=es", nil), ("/events?a=lang=es", "/events?a=lang=es", nil),
            ("/events?lang", "/events?lang", nil), ("/lang=es", "/lang=es", nil), ("/events?", "/events?", nil),
            ("/events?&lang=es&", "/events?&", "es"),
        ] as [(String, String, String?)])
    func `an address without its language`(address: String, rest: String, language: String?) {
        let taken = LanguageChoice.taken(from: address)
        #expect(taken.address == rest && taken.language == language)
    }
}
