import Templating
import Testing

@testable import App

/// What a browser keeps for places without a signal, and for whom (`Public/js/worker.js`).
@Suite struct WorkerTests {
    private static let polish = Catalogue(
        parsing: """
            msgid ""
            msgstr "Language: pl\\nPlural-Forms: nplurals=2; plural=(n != 1);\\n"

            msgid "There is no signal"
            msgstr "Nie ma sieci"
            """)

    @Test func `the worker’s address stays, each release makes it another script, and it is short`() async throws {
        try await withTestSite { site in
            let page = try await site.browser().visit("/worker.js")
            #expect(page.status == 200 && page["Content-Type"] == "text/javascript; charset=utf-8")
            #expect(page["Cache-Control"] == "no-cache" && page["Content-Security-Policy"] != nil)
            #expect(page.string.hasPrefix("const release = \"\(site.site.assets.digest)\"\n"))
            #expect(page.string.split(separator: "\n", omittingEmptySubsequences: false).count < 150)
        }
    }

    @Test func `a page says who reads it, in which language, so that nobody is shown another’s`() async throws {
        try await withTestSite(catalogues: [Self.polish]) { site in
            let nobody = site.browser()
            for path in ["/", "/events", "/login", "/nowhere", "/offline"] {
                #expect(try await nobody.visit(path)["Village-Reader"] == "nobody pl", "\(path)")
            }
            let ana = try await site.signIn(.ana, as: .parent)
            let account = try await site.account(of: .ana)
            for path in ["/", "/events", "/me", "/nowhere", "/admin"] {
                #expect(try await ana.visit(path)["Village-Reader"] == "\(account) pl", "\(path)")
            }
            #expect(try await ana.visit("/", ["Accept-Language": "en"])["Village-Reader"] == "\(account) en")
            // What isn't a page says nothing of it.
            for path in ["/events/count", "/worker.js", "/manifest.webmanifest"] {
                #expect(try await ana.visit(path)["Village-Reader"] == nil, "\(path)")
            }
            // A reader whose session ended elsewhere is nobody.
            let copy = ana.copy()
            _ = try await ana.visit("/me/settings").press("Log out")
            #expect(try await ana.visit("/")["Village-Reader"] == "nobody pl")
            let login = try await copy.visit("/week")
            #expect(login.path.hasPrefix("/login") && login["Village-Reader"] == "nobody pl")
        }
    }

    @Test func `what is needed on the way may be kept, and says of when it is; nothing else may`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            let party = try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            let help = try await site.ask(by: .ben)
            _ = try await ana.visit("/opportunities/\(help)").press("Sign up", filling: ["shift": ["1"]])
            let ben = try await site.signIn(.ben, as: .provider)
            for (browser, path, name) in [
                (ana, "/week", "My week"), (ana, "/registrations/\(party)", "Registration: Kite day"),
                (ana, "/signups/1", "Serve Saturday lunch"),
                (ben, "/events/\(event)/registrations", "Who comes: Kite day"),
            ] {
                let page = try await browser.visit(path)
                #expect(page.status == 200 && page["Village-Keep"] == "yes", "\(path)")
                // No cache but the worker's has it.
                #expect(page["Cache-Control"] == "private, no-store", "\(path)")
                let line = try #require(page.html.all { $0["data-kept"] != nil }.first, "\(path)")
                #expect(line["data-name"] == name && line["hidden"] != nil, "\(path)")
                #expect(line.text.contains("3 AM"), "\(line.text)")
                // By these words the worker shows the line.
                #expect(page.string.contains("data-kept hidden"), "\(path)")
            }
            for (browser, path) in [
                (ana, "/"), (ana, "/me"), (ana, "/me/children"), (ana, "/inbox"), (ana, "/events/\(event)"),
                (ana, "/week?as=print"), (ben, "/events/\(event)/registrations?as=print"),
                (ben, "/events/\(event)/registrations?as=notes"), (ben, "/events/\(event)/registrations?as=csv"),
                (ana, "/events/\(event)/registrations"), (ben, "/registrations/\(party)"),
            ] {
                let page = try await browser.visit(path)
                #expect(page["Village-Keep"] == nil && !page.string.contains("data-kept"), "\(path)")
            }
        }
    }

    @Test func `the page that says that there is no signal is nobody’s own`() async throws {
        try await withTestSite(catalogues: [Self.polish]) { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let (page, strange) = (try await ana.visit("/offline"), try await site.browser().visit("/offline"))
            #expect(page.status == 200 && page.heading == "Nie ma sieci" && page["X-Robots-Tag"] == "noindex")
            #expect(page.string == strange.string)
            #expect(page.html.all("form").isEmpty)
            #expect(try await ana.visit("/offline", ["Accept-Language": "en"]).heading == "There is no signal")
        }
    }
}
