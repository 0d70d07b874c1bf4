import Database
import Forms
import Testing

@testable import App

/// Pages that are met again: by Back, in another tab, in another zone.
@Suite struct BackAndTabsTests {
    @Test func `a browser may show a preview again, and keeps no other answer to a form`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            let preview = try await ana.visit("/timeline/new").press("Preview", filling: ["text": "Onions."])
            #expect(preview.status == 200 && preview["Cache-Control"] == "private, no-cache")
            let wrong = try await ana.visit("/timeline/new").press("Preview", filling: ["text": ""])
            #expect(wrong.status == 422 && wrong["Cache-Control"] == "private, no-store")
            #expect(try await ana.visit("/timeline/new")["Cache-Control"] == "private, no-store")
        }
    }

    @Test func `what a picture shows, said in two tabs, is kept of both`() {
        #expect(Picture.merge(alt: "A dog", drawn: "", stored: "").alt == "A dog")
        // Nobody touched it here.
        let kept = Picture.merge(alt: "", drawn: "", stored: "A dog")
        #expect(kept.alt == "A dog" && kept.problem == nil)
        let both = Picture.merge(alt: "A cat", drawn: "", stored: "A dog")
        #expect(both.alt == "A cat" && both.problem?.english.contains("“A dog”") == true)
        // Drawn from what is stored by now, it is meant.
        #expect(Picture.merge(alt: "A cat", drawn: "A dog", stored: "A dog").problem == nil)
    }

    @Test func `children whose names differ by a capital alone are told apart`() async throws {
        try await withTestSite { site in
            let family = try await site.family(of: .ana)
            let now = site.clock.now
            try await site.write { db in
                for (name, year) in [("Mo", 2019), ("mo", 2021)] {
                    _ = try db.insert(
                        """
                        INSERT INTO child (family_id, nickname, birth_month, birth_year, created_at, updated_at)
                        VALUES (\(family), \(name), 3, \(year), \(now), \(now))
                        """)
                }
            }
            let names: [String] = try site.read { db in
                try db.all("SELECT \(Child.shownName) FROM child ORDER BY id LIMIT 5") { try $0.next() }
            }
            #expect(names == ["Mo (2019)", "mo (2021)"])
        }
    }

    @Test func `Today is the day that it is where its reader lives`() async throws {
        try await withTestSite { site in
            // Three in the morning of March 20 in the town, the last hour of it in Auckland, and of March 19 in Samoa.
            let ana = try await site.signIn(.ana, as: .parent)
            for (zone, day) in [("Pacific/Auckland", "March 20"), ("Pacific/Pago_Pago", "March 19")] {
                _ = try await ana.visit("/me/settings").press("Save", filling: ["time_zone": .text(zone)])
                #expect(try await ana.visit("/").text.contains(day), "\(zone)")
            }
        }
    }
}
