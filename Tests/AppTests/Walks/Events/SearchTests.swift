import Database
import Templating
import Testing

@testable import App

/// What people type finds what others wrote, in every script and however it is spelled.
@Suite struct SearchTests {
    /// What is written, and what finds it.
    static let pairs: [(title: String, typed: [String])] = [
        ("親子水泳教室", ["水泳", "教室", "親子水泳教室", "水"]), ("夏休みLego教室", ["lego", "教室", "夏休み", "lego教室"]),
        ("สอนว่ายน้ำเด็ก", ["ว่ายน้ำ", "เด็ก"]), ("초등 수영교실", ["교실", "수영"]), ("Schwimmkurs", ["kurs", "schwimm"]),
        ("Łódź na rowerze", ["lodz", "Łódź"]), ("Straßenfest", ["strasse", "straße", "fest"]), ("Øvelser", ["ovelser"]),
        ("Đà Nẵng", ["da nang"]), ("Ｙｏｇａ", ["yoga"]), ("Lodz walk", ["Łódź"]),
        ("Ki-Ga Treff", ["kiga", "ki-ga", "ki ga"]),
        ("St. Mary’s fair", ["marys", "mary's", "st mary"]), ("Mädchenchor", ["maedchen", "madchen", "chor"]),
        ("ISTANBUL ışık", ["istanbul", "isik", "İstanbul"]), ("Cœur Æble", ["coeur", "aeble", "cœur", "æble"]),
    ]

    private static func encoded(_ typed: String) -> String {
        Link("/").with("q", typed).string.dropFirst(1).description
    }

    /// An event of each title.
    private static func publishAll(at site: TestSite) async throws {
        _ = try await site.provider(of: .ben)
        try await site.execute("UPDATE provider SET plan = 'platinum'")
        for (title, _) in pairs { try await site.publish(by: .ben) { $0.title = title } }
    }

    @Test func `events are found in every script`() async throws {
        try await withTestSite { site in
            try await Self.publishAll(at: site)
            let visitor = site.browser()
            for (title, words) in Self.pairs {
                for typed in words {
                    let page = try await visitor.visit("/events\(Self.encoded(typed))")
                    #expect(page.cards.contains(title), "\(typed) finds \(title)")
                }
            }
            for typed in ["泳水", "水教", "ring"] {
                #expect(try await visitor.visit("/events\(Self.encoded(typed))").cards == [], "\(typed)")
            }
        }
    }

    @Test func `ways to help are found in every script`() async throws {
        try await withTestSite { site in
            for (title, _) in Self.pairs { _ = try await site.ask(by: .ben) { $0.title = title } }
            let visitor = site.browser()
            for (title, words) in Self.pairs {
                for typed in words {
                    let page = try await visitor.visit("/opportunities\(Self.encoded(typed))")
                    #expect(page.text.contains(title), "\(typed) finds \(title)")
                }
            }
        }
    }

    @Test func `a town is found by the letters that are on every key`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben) { $0.city = "Łódź" }
            for typed in ["Lodz", "lodz", "ŁÓDŹ"] {
                let page = try await site.browser().visit(Link("/events").with("city", typed).string)
                #expect(page.cards == ["Kite day"], "\(typed)")
            }
        }
    }

    @Test func `organizations are found by name, and a search for events names them`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben)
            for (name, words) in [
                ("St. Mary’s Stadtbibliothek", ["marys", "st marys", "bibliothek", "stadtbibliothek st"]),
                ("O’Neill & Söhne", ["oneill", "o'neill", "soehne", "söhne"]), ("市立図書館", ["図書館"]),
            ] {
                try await site.write { db in
                    try db.execute("UPDATE provider SET organization = \(name)")
                    let id: ID<Provider>? = try db.value("SELECT id FROM provider LIMIT 1")
                    try Provider.index(try #require(id), name, in: db)
                }
                for typed in words {
                    let page = try await site.browser().visit("/organizations\(Self.encoded(typed))")
                    #expect(page.link(name) == "/providers/ben-ruiz", "\(typed) finds \(name)")
                    let events = try await site.browser().visit("/events\(Self.encoded(typed))")
                    #expect(events.link(name) == "/providers/ben-ruiz", "\(typed) names \(name)")
                }
            }
            #expect(try await site.browser().visit("/organizations?q=zzz").text.contains("No organization is called"))
            try await site.execute("UPDATE account SET suspended_at = 1 WHERE username = 'ben-ruiz'")
            #expect(try await site.browser().visit("/organizations").link("市立図書館") == nil)
        }
    }

    @Test func `a search that names a day offers that day`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben)
            for address in ["/events?q=kite+tomorrow&age=5", "/events/map?q=kite+tomorrow&age=5"] {
                let page = try await site.browser().visit(address)
                let links = page.links.map(\.href)
                let link = try #require(links.first { $0.contains("from=") && $0.contains("to=") }, "\(address)")
                #expect(link.contains("q=kite&") && link.contains("age=5") && !link.contains("tomorrow"))
            }
            // Where days are chosen already, none is offered.
            let chosen = try await site.browser().visit("/events?q=tomorrow&when=week")
            #expect(!chosen.text.contains("Looking for a day?"))
        }
    }

    @Test func `what was there before is found once it is renewed, and nothing twice`() async throws {
        try await withTestSite { site in
            try await Self.publishAll(at: site)
            _ = try await site.ask(by: .ben) { $0.title = "Łódź" }
            // As an upgrade leaves it: no lines, and keys of another folding.
            try await site.write { db in
                try db.execute("DELETE FROM event_search")
                try db.execute("DELETE FROM opportunity_search")
                try db.execute("DELETE FROM provider_key")
                try db.execute("UPDATE event SET city_key = 'another'")
                try Note.set("search_edition", "1", in: db)
            }
            #expect(try await site.browser().visit("/events?q=kurs").cards == [])
            try await site.write { db in try SearchIndex.renewKeys(in: db) }
            #expect(try await site.site.renewSearch() == Self.pairs.count + 1)
            #expect(try await site.site.renewSearch() == 0)
            #expect(try site.count(of: "event_search") == Self.pairs.count)
            #expect(try site.count(of: "opportunity_search") == 1)
            #expect(try await site.browser().visit("/events?q=kurs&city=San+Jose").cards == ["Schwimmkurs"])
            #expect(try await site.browser().visit("/organizations").link("King Library") != nil)
        }
    }
}
