import Database
import Foundation
import HTTPTypes
import SMTP
import Testing

@testable import App

/// Nobody finds the home at which something is needed: every answer that somebody can get is read for it.
@Suite struct HiddenHomeTests {
    private static let need: [String: Filling] = [
        "title": "Three warm blankets", "kind": "things", "description": "Until the heating comes back.", "count": "3",
        "until": "2027-04-10", "is_home": ["1"], "place_name": "Blue gate", "address": "17 Hidden Lane",
        "city": "San Jose", "state": "CA", "zip": "95112", "lat": "37.34567", "lon": "-121.88765",
    ]
    /// The street and the name of the place in each spelling, and the pin that its author put.
    private static let secrets = [
        "Hidden Lane", "Hidden%20Lane", "Hidden+Lane", "Blue gate", "Blue%20gate", "Blue+gate", "37.34567",
        "121.88765",
    ]

    /// A need at a home: somebody was accepted, somebody else asks and wasn't.
    private func ask(_ site: TestSite) async throws -> (ana: Browser, accepted: Browser, asking: Browser) {
        try await site.gazetteer()
        _ = try await site.publish(by: .ben)
        let ana = try await site.signIn(.ana, as: .parent)
        let dan = try await site.signIn(.family(1), as: .parent)
        let eve = try await site.signIn(.family(2), as: .parent)
        try await site.execute("UPDATE account SET confirmed_at = 1, created_at = 1")
        _ = try await ana.visit("/needs/new").press("Preview", filling: Self.need).press("Ask")
        _ = try await ana.visit("/timeline/new").press("Preview", filling: ["text": "I asked for blankets."])
            .press("Post it")
        for browser in [dan, eve] { _ = try await browser.visit("/needs/1").press("Offer to bring it") }
        _ = try await ana.visit("/needs/1").press("Yes: \(Person.family(1).username)")
        return (ana, dan, eve)
    }

    // MARK: Going everywhere

    /// Where a crawl begins: every route, with what there is in place of its parameters, and what one would look for.
    private func beginnings(_ site: TestSite) -> [String] {
        var paths = [
            "/needs?q=hidden", "/needs?q=blankets&near=95112&within=25&unit=mi", "/needs?near=San+Jose",
            "/needs?after=9", "/needs?near=17+hidden+lane", "/places?q=hidden", "/events?q=hidden", "/people?q=ana",
            "/admin/people?q=ana", "/reports/new?about=need-1", "/admin/log?q=need",
        ]
        for route in site.site.routes().all where route.method == .get {
            var spellings = [""]
            for part in route.pattern.split(separator: "/") {
                let words: [String] =
                    switch part {
                    case ":id", ":activity": ["1"]
                    case "{id}.ics": ["1.ics"]
                    case ":username": ["ana-ortiz", "ben-ruiz"]
                    case ":subject": ["need-1", "post-1"]
                    case ":name": ["friends"]
                    default: [String(part)]
                    }
                spellings = spellings.flatMap { spelling in words.map { "\(spelling)/\($0)" } }
            }
            paths += spellings.map { $0.isEmpty ? "/" : $0 }
        }
        return paths
    }

    /// Where an answer leads: the links of a page, and the addresses in feeds, maps of the site and JSON.
    private func links(on page: Page) -> [String] {
        let ends: Set<Character> = ["\"", "'", "<", ">", " ", "\n", "\r", "\\", "#"]
        let whole = page.string.components(separatedBy: "http://localhost:8080").dropFirst()
        let own = page.html.all { _ in true }.flatMap(\.attributes.values)
        return (own + whole + [page.location ?? ""]).compactMap { text in
            guard text.hasPrefix("/") else { return nil }
            let path = String(text.replacing("&amp;", with: "&").prefix { !ends.contains($0) })
            // The event stream doesn't end, and where one goes on after logging in is no other page.
            let isOther = path.hasPrefix("//") || path.hasPrefix("/assets/") || path.hasPrefix("/stream")
            guard !isOther, path.utf8.allSatisfy({ (33...126).contains($0) }) else { return nil }
            return path.contains("next=") ? String(path.prefix { $0 != "?" }) : path
        }
    }

    /// What addresses have in common that differ in a number or a date alone, or in what is asked for. Where they ask
    /// for more than two things, only what has to do with places counts.
    private func kind(of path: String) -> String {
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        let names = Set(parts.count > 1 ? parts[1].split(separator: "&").map { $0.prefix { $0 != "=" } } : [])
        let places: Set<Substring> = ["near", "within", "unit", "zip", "city", "lat", "lon", "sort"]
        let telling = names.count > 2 ? names.intersection(places) : names
        return parts[0].filter { !$0.isNumber } + "?" + telling.sorted().joined(separator: "&")
    }

    /// Everything that somebody is answered on the way through the whole site: of addresses of one kind the first.
    private func crawl(_ site: TestSite, as browser: Browser) async throws -> [Page] {
        var (open, known, pages): ([String], Set<String>, [Page]) = (beginnings(site), [], [])
        var (next, kinds): (Int, Set<String>) = (0, [])
        while next < open.count {
            let path = open[next]
            next += 1
            guard !path.hasPrefix("/stream"), known.insert(path).inserted, kinds.insert(kind(of: path)).inserted
            else { continue }
            let page = try await browser.send("GET", path)
            pages.append(page)
            open += links(on: page).filter { !known.contains($0) }
        }
        for path in ["/needs", "/needs/1"] {
            pages.append(try await browser.send("GET", path, ["Accept": "application/json"]))
        }
        return pages
    }

    /// Which pages tell where the home is.
    private func telling(_ pages: [Page]) -> Set<String> {
        Set(pages.filter { page in Self.secrets.contains { page.says($0) } }.map(\.path))
    }

    // MARK: Who reads what

    @Test(.tags(.slow)) func `no answer tells where a home is, but to whoever was accepted`() async throws {
        try await withTestSite(hasMail: true) { site in
            let (ana, accepted, asking) = try await ask(site)
            let readers: [(who: String, browser: Browser)] = [
                ("a stranger", site.browser()), ("a parent", try await site.signIn(.cleo, as: .parent)),
                ("a provider", try await site.signIn(.ben, as: .provider)), ("who asks and wasn't accepted", asking),
                ("an admin", try await site.signIn(.mira, isStaff: true)),
            ]
            for (who, browser) in readers {
                let pages = try await crawl(site, as: browser)
                #expect(pages.count { $0.status == 200 } > 40, "\(who) came to \(pages.count) pages")
                #expect(pages.contains { $0.path == "/needs/1" && $0.text.contains("Three warm blankets") })
                #expect(telling(pages) == [], "\(who)")
            }
            // What they take along says no more.
            let export = try await asking.visit("/me/export").press(
                "Download the file", filling: ["current_password": .text(Person.password)])
            #expect(export.status == 200 && telling([export]) == [])

            #expect(telling(try await crawl(site, as: accepted)) == ["/needs/1"])
            // Nobody's pages know the pin itself: it was never kept.
            for browser in [accepted, ana] {
                let page = try await browser.visit("/needs/1")
                #expect(page.says("17 Hidden Lane") && !page.says("37.34567") && !page.says("121.88765"))
            }
            // Nor does the log, nor a letter to anybody.
            for line in site.log.lines { #expect(!Self.secrets.contains { line.contains($0) }, "\(line)") }
            let letters: [Letter] = try site.read { db in
                try db.all("SELECT \(Letter.columns) FROM letter ORDER BY id LIMIT 100")
            }
            #expect(!letters.isEmpty)
            for letter in letters {
                guard let message = try await site.site.message(of: letter, at: site.clock.now) else { continue }
                #expect(!Self.secrets.contains { "\(message.subject) \(message.text)".contains($0) })
            }
            // It is over, and nobody knows it anymore.
            _ = try await ana.visit("/needs/1").press("Close it")
            #expect(telling([try await accepted.visit("/needs/1")]) == [])
        }
    }

    @Test func `twin: a place that isn't hidden is found by the same crawl`() async throws {
        try await withTestSite { site in
            _ = try await ask(site)
            try await site.execute("UPDATE need SET is_home = FALSE")
            #expect(telling(try await crawl(site, as: site.browser())).isSuperset(of: ["/needs", "/needs/1"]))
        }
    }
}

extension Page {
    /// Whether a word stands anywhere in the answer, its head among it.
    fileprivate func says(_ word: String) -> Bool {
        Data(body).range(of: Data(word.utf8)) != nil || headers.contains { $0.value.contains(word) }
    }
}
