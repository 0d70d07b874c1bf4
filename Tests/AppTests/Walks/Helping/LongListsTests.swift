import Database
import Forms
import Templating
import Testing

@testable import App

/// Lists that are longer than a page go on, and files have all that a page shows.
@Suite struct LongListsTests {
    /// What stands in a list, over all of its pages.
    private func all(
        _ path: String, by browser: Browser, goingOnBy button: String, _ items: (Page) -> [String]
    ) async throws -> [String] {
        var page = try await browser.visit(path)
        var found = items(page)
        while page.link(button) != nil {
            page = try await page.follow(button)
            let more = items(page)
            guard !more.isEmpty, found.count < 1_000 else { break }
            found += more
        }
        return found
    }

    @Test func `all organizations that somebody follows are listed, and all their own reviews`() async throws {
        try await withTestSite { site in
            for number in 0..<53 { try await site.provider(of: .family(number)) }
            let ana = try await site.signIn(.ana, as: .parent)
            let account = try await site.account(of: .ana)
            try await site.execute(
                """
                INSERT INTO follow (account_id, host_id, at) SELECT \(account), account_id, 1 FROM provider
                """)
            try await site.execute(
                """
                INSERT INTO review (host_id, account_id, stars, comment, year, created_at)
                SELECT account_id, \(account), 5, 'Good people.', 2027, 1 FROM provider WHERE id <= 23
                """)
            try await site.execute(
                """
                INSERT INTO organization_total (account_id, stars_5) SELECT account_id, 1 FROM provider WHERE id <= 23
                ON CONFLICT (account_id) DO UPDATE SET stars_5 = 1
                """)
            let followed = try await all("/me/following", by: ana, goingOnBy: "Show more") {
                $0.html.all("h2").map(\.text).filter { $0.hasPrefix("Family ") }
            }
            #expect(followed.count == 53 && Set(followed).count == 53, "\(followed.count)")
            let reviews = try await all("/me", by: ana, goingOnBy: "Older reviews") { page in
                page.links.map(\.text).filter { $0.hasPrefix("Delete: Family ") }
            }
            #expect(reviews.count == 23 && Set(reviews).count == 23)
            let older = try await ana.visit("/me").follow("Older reviews")
            let delete = try #require(older.links.map(\.text).first { $0.hasPrefix("Delete: Family ") })
            let after = try await older.follow(delete).press("Delete the review")
            #expect(older.path != "/me" && after.path == older.path)
        }
    }

    @Test func `all who like a post are listed`() async throws {
        try await withTestSite { site in
            for number in 0..<103 { try await site.account(of: .family(number)) }
            let account = try await site.account(of: .ben)
            try await site.execute(
                """
                INSERT INTO post (account_id, text, kind, audience, once, created_at)
                VALUES (\(account), 'Hello.', 'done', 'everyone', 'o', 1)
                """)
            try await site.execute(
                "INSERT INTO reaction (post_id, account_id, at) SELECT 1, id, 1 FROM account WHERE id <> \(account)")
            let ana = try await site.signIn(.ana)
            let names = try await all("/posts/1/likes", by: ana, goingOnBy: "Show more") { page in
                page.html.all(ofClass: "links").flatMap { $0.all("li").map(\.text) }.filter { $0.contains("family-") }
            }
            #expect(names.count == 103 && Set(names).count == 103)
        }
    }

    @Test func `what one promised, one's certificates and what came of it are listed to the end, or it is said`()
        async throws
    {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben) {
                $0.kind = .donate
                $0.rhythm = nil
                $0.shifts[0] = OpportunityForm.ShiftRow()
                $0.things[0] = OpportunityForm.ThingRow(name: "Coats", wanted: 100)
            }
            let ana = try await site.signIn(.ana, as: .parent)
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            try await site.write(at: now) { tx in
                for count in 1...25 {
                    _ = try Promise.make(1, of: ID(1), by: account, at: id, once: "\(count)", in: tx)
                    try tx.execute(
                        """
                        INSERT INTO certificate (account_id, code, name, year, minutes, lines, once, made_at)
                        VALUES (\(account), \("CODE\(count)"), \("Sheet \(count)."), 2027, 60, '', \("\(count)"), 1)
                        """)
                }
                for count in 1...55 {
                    try tx.execute(
                        """
                        INSERT INTO contribution (account_id, kind, host_name, title, day, minutes, currency, once, at)
                        VALUES (\(account), 'hours', 'King Library', \("Day \(count)"), '2027-03-20', 60, 'USD',
                            \("c\(count)"), 1)
                        """)
                }
            }
            let promises = try await all("/impact", by: ana, goingOnBy: "Show older promises") { page in
                page.buttons.filter { $0.hasPrefix("I brought it: ") }
            }
            #expect(promises.count == 25)
            let sheets = try await all("/impact", by: ana, goingOnBy: "Show older") { page in
                page.links.map(\.text).filter { $0.hasPrefix("Sheet ") }
            }
            #expect(sheets.count == 25 && Set(sheets).count == 25)
            #expect(try await ana.visit("/impact").text.contains("The newest 50 of 55. All of them are in the CSV."))
            #expect(try await ana.visit("/impact.csv").string.split(separator: "\r\n").count == 56)
            // My week has the first of them, and leads on.
            #expect(try await ana.visit("/week").follow("Everything you will bring").path == "/impact")
        }
    }

    @Test func `shifts to come are all there, the soonest first`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben)
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            let zone = site.site.settings.zone
            try await site.write { db in
                for number in 0..<205 {
                    let start = now + .hours(24 * (205 - number))
                    try db.execute(
                        """
                        INSERT INTO shift (opportunity_id, day, start_minute, end_minute, starts_at, ends_at, spots,
                            taken, lead)
                        VALUES (\(id), \(zone.day(of: start)), 180, 240, \(start),
                            \(start + .hours(1)), 1, 1, '')
                        """)
                }
                try db.execute(
                    """
                    INSERT INTO signup (opportunity_id, account_id, shift_id, state, message, created_at, changed_at)
                    SELECT \(id), \(account), id, 'confirmed', '', 1, 1 FROM shift WHERE spots = 1
                    """)
            }
            let (first, second) = try site.read(at: now) { tx in
                let first = try Signup.ahead(of: account, in: tx)
                let cursor = try #require(
                    Cursor<Instant, ID<Signup>>(text: "\(first.items.last!.beginsAt.cursor)_\(first.items.last!.id)"))
                return (first, try Signup.ahead(of: account, after: cursor, in: tx))
            }
            #expect(first.items.count == 200 && second.items.count == 5 && second.isLast)
            let all = (first.items + second.items).map(\.beginsAt)
            #expect(all == all.sorted() && Set(all).count == 205)
        }
    }

    @Test func `hours are confirmed of the page where they stand, and a full page of them is one form`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben)
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            let zone = site.site.settings.zone
            try await site.write { db in
                for number in 0..<205 {
                    let start = now - .minutes(200 + number)
                    try db.execute(
                        """
                        INSERT INTO shift (opportunity_id, day, start_minute, end_minute, starts_at, ends_at, spots,
                            taken, lead)
                        VALUES (\(id), \(zone.day(of: start)), 180, 240, \(start), \(start + .hours(1)), 1, 1, '')
                        """)
                }
                try db.execute(
                    """
                    INSERT INTO signup (opportunity_id, account_id, shift_id, state, message, created_at, changed_at)
                    SELECT \(id), \(account), id, 'confirmed', '', 1, 1 FROM shift WHERE spots = 1 ORDER BY id
                    """)
            }
            let ben = try await site.signIn(.ben, as: .provider)
            let first = try await ben.visit("/opportunities/\(id)/signups")
            _ = try await first.follow("Show more").press("Confirm hours for all who came")
            #expect(try site.count(of: "contribution WHERE confirmed IS NOT NULL AND signup_id > 200") == 5)
            #expect(try site.count(of: "contribution") == 5)
            // Each row has five fields.
            let boxes = first.html.all("input").compactMap { $0["name"] }
                .filter { $0.hasPrefix("confirm-") || $0.hasPrefix("missed-") }
            let marks = Dictionary(uniqueKeysWithValues: boxes.map { ($0, Filling.tick(true)) })
            #expect(boxes.count == 400)
            #expect(try await first.press("Confirm these hours", filling: marks).status == 200)
            #expect(try site.count(of: "absence WHERE signup_id > 0") == 200)
        }
    }

    @Test func `a calendar loses nothing behind two thousand places`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let later = try await site.publish(by: .ben) {
                ($0.title, $0.date) = ("Later day", Day(iso: "2027-04-03")!)
            }
            let account = try await site.account(of: .ana)
            let mo = try await site.child("Mo", of: .ana)
            try await site.register([mo], of: .ana, at: later)
            try await site.write { db in
                for number in 0..<2_010 {
                    let party = try db.insert(
                        """
                        INSERT INTO registration (event_id, account_id, state, once, created_at, updated_at)
                        VALUES (\(event), \(account), 'cancelled', \("x\(number)"), 1, 1)
                        """)
                    try db.execute(
                        """
                        INSERT INTO registration_person (registration_id, event_id, cancelled_at)
                        VALUES (\(party), \(event), 1)
                        """)
                }
            }
            let bookings = try site.read { db in try Booking.all(of: account, from: site.clock.now, in: db) }
            #expect(bookings.map(\.event) == [event, later])
        }
    }

    @Test func `the sheet of those who help has what the page shows, and one's own file names what one promised`()
        async throws
    {
        try await withTestSite { site in
            let id = try await SigningUpToHelpTests.coats(site)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/opportunities/\(id)").press("I’ll bring it: Coats", filling: ["count": "3"])
            let ben = try await site.signIn(.ben, as: .provider)
            let list = try await ben.visit("/opportunities/\(id)/signups")
            let sheet = try await list.follow("Spreadsheet").string
            #expect(sheet.contains("\"Ana Ortiz\"") && sheet.contains("\"promised\"") && sheet.contains("\"Coats\",3"))
            #expect(sheet.contains("2027-04-03"))
            _ = try await ana.visit("/opportunities/\(id)").press("I brought it: 3 × Coats")
            #expect(try await ben.visit("/opportunities/\(id)/signups?as=csv").string.contains("\"brought\""))
            let file = try await ana.visit("/me/export").press(
                "Download the file", filling: ["current_password": .text(Person.password)])
            let promises = try #require(try Archive.read(file.body)["promises.json"])
            #expect(promises.contains("Coats") && promises.contains("Winter coats"))
            #expect(promises.contains("King Library"))
        }
    }
}
