import Database
import Templating
import Testing

@testable import App

/// The events of a town on another website, on a screen, and on paper.
@Suite struct ElsewhereTests {
    @Test func `only the websites that an admin named may show the list inside their pages`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.title = "Lego afternoon" }
            let nobody = try await site.browser().visit("/embed/events")
            #expect(nobody["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
            #expect(nobody["cross-origin-resource-policy"] == "same-origin")
            #expect(try await site.browser().visit("/events/elsewhere").string.contains("No website may show it yet"))
            let mira = try await site.signIn(.mira, isStaff: true)
            let saved = try await mira.visit("/admin/settings").press(
                "Save",
                filling: [
                    "town": "San Jose", "contact_email": "office@example.org",
                    "embedders": "library.example\nHTTP://Bücher.example:8080/kids?x=1\nhttps://library.example/",
                ])
            #expect(saved.path == "/admin")
            let origins = ["https://library.example", "http://xn--bcher-kva.example:8080"]
            #expect(site.site.town.embedders == origins)
            // Also in the place of the page that was cached before.
            let framed = try await site.browser().visit("/embed/events")
            #expect(
                framed["content-security-policy"]?.contains(
                    "frame-ancestors \(origins.joined(separator: " "))") == true)
            #expect(framed["cross-origin-resource-policy"] == "cross-origin")
            #expect(framed["set-cookie"] == nil)
            #expect(framed.links.contains { $0.href == "/events/\(event)" })
            #expect(!framed.string.contains("<script"))
            // No other page may be framed.
            for path in ["/events", "/events/\(event)", "/events/elsewhere", "/login", "/screen", "/booklet"] {
                let page = try await site.browser().visit(path)
                #expect(page["content-security-policy"]?.contains("frame-ancestors 'none'") == true, "\(path)")
            }
        }
    }

    @Test(arguments: [
        "library.example; script-src *", "https://*.example", "*", "javascript:alert(1)", "library", "a b.example",
        "https://user@library.example", "library.example:0", "library.example:99999", "'self'", "library.example,x",
    ])
    func `what is no website is refused, and comes back as it was typed`(typed: String) async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let page = try await mira.visit("/admin/settings").press(
                "Save",
                filling: [
                    "town": "San Jose", "contact_email": "office@example.org",
                    "embedders": .text("library.example\n\(typed)"),
                ])
            #expect(page.status == 422)
            #expect(page.string.contains("isn’t a website"))
            #expect(site.site.town.embedders.isEmpty)
        }
    }

    @Test func `a search keeps its filters, and what can't be read shows nothing`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            try await site.publish(by: .ben) { $0.title = "Lego afternoon" }
            try await site.publish(by: .ben) { $0.title = "Chess" }
            let called = try await site.publish(by: .ben) { $0.title = "Called off" }
            try await site.execute("UPDATE event SET cancelled_at = 1 WHERE id = \(called)")
            let hidden = try await site.publish(by: .ben) { $0.title = "Hidden one" }
            try await site.execute("UPDATE event SET hidden_at = 1, listed = FALSE WHERE id = \(hidden)")
            let visitor = site.browser()
            for path in ["/embed/events", "/screen", "/booklet"] {
                let all = try await visitor.visit(path).string
                #expect(all.contains("Lego afternoon") && all.contains("Chess"), "\(path)")
                #expect(!all.contains("Called off") && !all.contains("Hidden one"), "\(path)")
                let some = try await visitor.visit("\(path)?q=chess").string
                #expect(!some.contains("Lego afternoon") && some.contains("Chess"), "\(path)")
                for wrong in ["from=nonsense", "near=Nowhere+at+all", "free_places=x"] {
                    let page = try await visitor.visit("\(path)?\(wrong)")
                    #expect(page.status == 200 && !page.string.contains("Chess"), "\(path)?\(wrong)")
                }
            }
            let page = try await visitor.visit("/events?q=chess").follow(
                "Show these events on your website, on a screen, on paper")
            #expect(page.string.contains("http://localhost:8080/embed/events?q=chess"))
            for name in ["Open the screen", "Open the booklet"] {
                #expect(try await page.follow(name).path.hasSuffix("?q=chess&sort=soonest"), "\(name)")
            }
        }
    }

    @Test func `a booklet that not all fit in says until when it goes`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben) { ($0.title, $0.date) = ("Chess", Day(iso: "2027-03-27")!) }
            let visitor = site.browser()
            let found = try site.read(at: site.clock.now) { tx in
                try Event.search(EventFilter(), in: site.site.settings.zone, in: tx).cards
            }
            let event = try #require(found.first)
            func booklet(_ count: Int) -> Booklet {
                Booklet(
                    Array(repeating: event, count: count), from: Day(iso: "2027-03-20")!, to: Day(iso: "2027-04-16")!,
                    all: Link.events, for: Language(nil, country: "US"), site: "https://village.example")
            }
            let whole = booklet(Booklet.limit)
            #expect(!whole.isCut && whole.last.iso == "2027-04-16")
            let cut = booklet(Booklet.limit + 1)
            #expect(cut.isCut && cut.last.iso == "2027-03-27")
            #expect(try await visitor.visit("/booklet").string.contains("Chess"))
        }
    }

    @Test func `what was called off takes no place from what takes place`() async throws {
        try await withTestSite { site in
            for number in 1...36 { try await site.publish(by: .ben) { $0.title = "Called off \(number)" } }
            try await site.execute("UPDATE event SET cancelled_at = 1")
            try await site.publish(by: .ben) { ($0.title, $0.date) = ("Chess", Day(iso: "2027-03-27")!) }
            #expect(try await site.browser().visit("/screen").string.contains("Chess"))
            // As many as the list of another website shows.
            #expect(Event.pageSize < 36)
            #expect(try await site.browser().visit("/embed/events").string.contains("Chess"))
        }
    }

    @Test func `a screen that meets with an error asks again`() async throws {
        try await withTestSite(limits: true) { site in
            let visitor = site.browser()
            var page = try await visitor.visit("/screen")
            for _ in 0..<RateRule.pages.count { page = try await visitor.visit("/screen") }
            #expect(page.status == 429 && page["refresh"] == "30")
            #expect(try await visitor.visit("/booklet")["refresh"] == nil)
        }
    }

    @Test func `a screen turns over its sheets by the clock`() async throws {
        try await withTestSite { site in
            for number in 1...8 { try await site.publish(by: .ben) { $0.title = "Event \(number) of them" } }
            let visitor = site.browser()
            func titles() async throws -> Set<Substring> {
                let page = try await visitor.visit("/screen")
                #expect(page["refresh"] == "30")
                return Set(page.string.matches(of: /Event \d of them/).map(\.output))
            }
            let first = try await titles()
            #expect(try await titles() == first)
            site.clock.advance(by: .seconds(30))
            let second = try await titles()
            #expect(first.count + second.count == 8 && first.isDisjoint(with: second))
            site.clock.advance(by: .seconds(30))
            #expect(try await titles() == first)
        }
    }

    @Test func `a booklet has four weeks, a number for each event, and both indexes`() async throws {
        try await withTestSite { site in
            let days = ["2027-03-21", "2027-04-16", "2027-04-17"]
            for day in days { try await site.publish(by: .ben) { ($0.title, $0.date) = ("On \(day)", Day(iso: day)!) } }
            let visitor = site.browser()
            let page = try await visitor.visit("/booklet").string
            #expect(page.contains("On 2027-03-21") && page.contains("On 2027-04-16"))
            // The 29th day.
            #expect(!page.contains("On 2027-04-17"))
            #expect(page.contains("From Saturday, March 20, 2027 to Friday, April 16, 2027"))
            #expect(page.contains("<b><span>1</span> <span>2</span>"))
            // What it leads to is the search as it was.
            #expect(!page.contains("to=2027-04-16"))
            let chosen = try await visitor.visit("/booklet?from=2027-04-17&to=2027-04-17").string
            #expect(chosen.contains("On 2027-04-17") && !chosen.contains("On 2027-03-21"))
            #expect(!chosen.contains("From Saturday"))
        }
    }
}
