import Database
import Testing

@testable import App

/// What comes from elsewhere: addresses of other countries, texts from right to left, letters to many.
@Suite struct AbroadTests {
    @Test(arguments: [
        ("Toronto", "ON", "M5V 2T6", "CA", "Toronto ON M5V 2T6, Canada", "Toronto, Canada"),
        ("London", "", "SW1A 1AA", "GB", "London SW1A 1AA, United Kingdom", "London, United Kingdom"),
        ("Auckland", "", "1010", "NZ", "Auckland 1010, New Zealand", "Auckland, New Zealand"),
    ])
    func `an address is written as its country does, with the country, wherever it stands`(
        city: String, state: String, zip: String, country: String, whole: String, short: String
    ) async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) {
                ($0.street, $0.city, $0.state, $0.zip, $0.country) = ("1 Front St", city, state, zip, country)
            }
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            let (ana, ben) = (try await site.signIn(.ana, as: .parent), try await site.signIn(.ben, as: .provider))
            for path in ["/events/\(event)", "/events/\(event)/flyer", "/registrations/1"] {
                #expect(try await ana.visit(path).text.contains("1 Front St, \(whole)"), "\(path)")
            }
            for path in ["/events/\(event)/registrations?as=print", "/week?from=2027-03-27"] {
                let browser = path.contains("print") ? ben : ana
                #expect(try await browser.visit(path).text.contains("1 Front St, \(whole)"), "\(path)")
            }
            #expect(try await site.browser().visit("/events").text.contains("1 Front St, \(short)"))
            let file = try await ana.visit("/events/\(event).ics").string.replacing("\r\n ", with: "")
            #expect(file.contains("LOCATION:1 Front St\\, \(whole.replacing(",", with: "\\,"))"))
            let json = try await ana.visit("/api/events/\(event)").string
            #expect(json.contains("\"line\":\"1 Front St, \(whole.split(separator: ", ")[0])\""))
        }
    }

    @Test func `times of posts, log-ins and limits are said by the reader's clock`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let account = try await site.account(of: .ana)
            try await site.execute(
                """
                INSERT INTO post (id, account_id, text, kind, audience, once, created_at)
                VALUES (1, \(account), 'We planted a pear tree.', 'done', 'everyone', 'p', \(site.clock.now))
                """)
            // It is three in the morning in the town, and eleven in Berlin.
            let pages = ["/me/sessions", "/timeline", "/posts/1"]
            for path in pages { #expect(try await ana.visit(path).text.contains("3 AM"), "\(path)") }
            try await site.execute("UPDATE account SET zone = 'Europe/Berlin' WHERE id = \(account)")
            for path in pages {
                let text = try await ana.visit(path).text
                #expect(text.contains("11 AM") && !text.contains("3 AM"), "\(path): \(text)")
            }
            let form = try await ana.visit("/posts/1").form(
                with: "Send the comment", filling: ["text": "It grows."])
            try await site.execute("UPDATE account SET limited_until = \(site.clock.now + .days(2))")
            let refused = try await form.send(from: ana)
            #expect(refused.status == 403 && refused.text.contains("11 AM"), "\(refused.text)")
        }
    }

    @Test func `the way there is offered to each device, and asks nobody before the press`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let help = try await site.ask(by: .ben)
            for path in ["/events/\(event)", "/opportunities/\(help)", "/providers/ben-ruiz"] {
                let page = try await site.browser().visit(path)
                #expect(
                    page.link("Apple Maps")?.hasPrefix("https://maps.apple.com/?daddr=") == true,
                    "\(path)")
                #expect(page.link("Directions") != nil && page.link("Open in my maps app")?.hasPrefix("geo:") == true)
                let outside = page.html.all("a").filter { $0["href"]?.hasPrefix("https://maps") == true }
                #expect(outside.allSatisfy { $0["rel"]?.contains("noreferrer") == true }, "\(path)")
            }
        }
    }

    @Test func `a shift abroad says when it is by one’s own clock, before and after one signs up`() async throws {
        try await withTestSite { site in
            let help = try await site.ask(by: .ben) {
                ($0.street, $0.city, $0.state, $0.zip, $0.country) = ("Torstr. 1", "Berlin", "", "10119", "DE")
            }
            // Its clock is eight hours ahead on that day.
            try await site.execute("UPDATE opportunity SET zone = 'Europe/Berlin'")
            try await site.execute("UPDATE shift SET starts_at = starts_at - 28800000, ends_at = ends_at - 28800000")
            let ana = try await site.signIn(.ana)
            let form = try await ana.visit("/opportunities/\(help)")
            #expect(form.text.contains("3 AM to 6 AM by your clock"), "\(form.text)")
            let page = try await form.press("Sign up", filling: ["shift": ["1"]])
            let mine = page.html.all { $0["id"] == "mine" }.first?.text
            #expect(mine?.contains("3 AM to 6 AM by your clock") == true, "\(page.text)")
            let own = try await ana.visit("/signups/1").text
            #expect(own.contains("Central European Time") && own.contains("3 AM to 6 AM by your clock"), "\(own)")
            #expect(try await ana.visit("/").text.contains("(3 AM to 6 AM by your clock)"))
            // At home there is one clock.
            let near = try await site.ask(by: .cleo)
            #expect(try await !ana.visit("/opportunities/\(near)").text.contains("by your clock"))
            // Its own organization, and the line of a full shift.
            let ben = try await site.signIn(.ben, as: .provider)
            for path in ["/opportunities/\(help)/signups", "/me/opportunities"] {
                #expect(try await ben.visit(path).text.contains("3 AM to 6 AM by your clock"), "\(path)")
            }
            try await site.execute("UPDATE shift SET spots = taken WHERE id = 1")
            let cleo = try await site.signIn(.cleo, as: .parent)
            let line = try await cleo.visit("/opportunities/\(help)").press(
                "Wait for a place", filling: ["wait": ["1"]])
            let waits = line.html.all { $0["id"] == "mine" }.first?.text
            #expect(waits?.contains("3 AM to 6 AM by your clock") == true, "\(line.text)")
            try await site.execute("UPDATE shift SET spots = 12 WHERE id = 1")
            // Afterwards.
            site.clock.advance(by: .days(8))
            let said = try await site.signIn(.ana).visit("/impact").text
            #expect(said.contains("(3 AM to 6 AM by your clock)"), "\(said)")
        }
    }

    @Test func `an event abroad says when it is by one’s own clock, on cards and in letters`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) {
                ($0.street, $0.city, $0.state, $0.zip, $0.country) = ("Torstr. 1", "Berlin", "", "10119", "DE")
            }
            // Its clock is eight hours ahead on that day.
            try await site.execute(
                """
                UPDATE event SET zone = 'Europe/Berlin', starts_at = starts_at - 28800000,
                    ends_at = ends_at - 28800000
                """)
            let help = try await site.ask(by: .ben)
            try await site.execute("UPDATE shift SET starts_at = starts_at - 28800000, ends_at = ends_at - 28800000")
            try await site.execute("UPDATE opportunity SET zone = 'Europe/Berlin' WHERE id = \(help)")
            let mine = "2 AM to 4 AM by your clock"
            #expect(try await site.browser().visit("/events").text.contains(mine))
            #expect(try await site.browser().visit("/opportunities").text.contains("3 AM to 6 AM by your clock"))
            // The twin: somebody who lives there reads the same cards.
            let account = try await site.account(of: .ana)
            try await site.execute("UPDATE account SET zone = 'Europe/Berlin' WHERE id = \(account)")
            let ana = try await site.signIn(.ana, as: .parent)
            for (path, title) in [("/events?city=", "Kite day"), ("/opportunities", "Serve Saturday lunch")] {
                let text = try await ana.visit(path).text
                #expect(text.contains(title) && !text.contains("by your clock"), "\(text)")
            }
            try await site.execute("UPDATE account SET confirmed_at = 1")
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(event)/cancel").press("Cancel the event", filling: ["reason": "Rain."])
            let home = site.site.settings.zone
            func when() throws -> String? {
                try site.read(at: site.clock.now) { tx in
                    let kind = NoticeKind.cancelled
                    let letters = try tx.all("SELECT \(Letter.columns) FROM letter WHERE kind = \(kind) LIMIT 9") {
                        try $0.next() as Letter
                    }
                    let text = try letters.first?.text(country: "US", zone: home, in: tx)
                    return text?.facts.first { $0.name.plain == "When" }?.words.plain
                }
            }
            let there = try when() ?? ""
            #expect(there.hasSuffix("10 AM to 12 PM"), "\(there)")
            try await site.execute("UPDATE account SET zone = NULL WHERE id = \(account)")
            let here = try when() ?? ""
            #expect(here.hasSuffix("10 AM to 12 PM, Central European Time (\(mine))"), "\(here)")
            let found = try #require(try site.read { db in try Event.find(event, in: db) })
            func zones(_ zone: Zone) -> [String] {
                LetterText.changed(found, [.cancelling(found)], in: zone).facts
                    .filter { $0.name.plain == "Time zone" }.map(\.words.plain)
            }
            #expect(zones(home) == ["Central European Time"] && zones(Zone(stored: "Europe/Berlin")) == [])
        }
    }

    @Test func `the end of an offer abroad is said by the clock of its reader, on pages and in the letter`()
        async throws
    {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.spots = 1 }
            try await site.execute(
                """
                UPDATE event SET zone = 'Europe/Berlin', starts_at = starts_at - 28800000,
                    ends_at = ends_at - 28800000
                """)
            let (mo, lu) = (try await site.child("Mo", of: .ana), try await site.child("Lu", of: .cleo))
            let place = try await site.register([mo], of: .ana, at: event)
            let cleo = try await site.signIn(.cleo, as: .parent)
            _ = try await cleo.visit("/events/\(event)").press("Join the waiting list", filling: ["child": ["\(lu)"]])
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            try await site.write(at: now) { tx in try Registration.giveBack(place, children: [], of: account, in: tx) }
            let offer = try site.read { db -> (id: ID<Registration>, end: Instant) in
                try #require(
                    try db.first("SELECT id, offer_ends_at FROM registration WHERE state = 'offered'") {
                        (try $0.next(), try $0.next())
                    })
            }
            let home = site.site.settings.zone
            let (here, there) = (home.words(offer.end, \.shortName).plain, "by your clock")
            for path in ["/", "/registrations/\(offer.id)"] {
                let text = try await cleo.visit(path).text
                #expect(text.contains("ours until \(here) \(there)"), "\(text)")
            }
            // The page of the host's list, too.
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/events/\(event)/waiting").text.contains("until \(here) \(there)"))
            let found = try #require(try site.read { db in try Event.find(event, in: db) })
            func letter(_ zone: Zone) -> String {
                LetterText.offered(
                    found, offer.id, Offer(places: 1, endsAt: offer.end), to: ID(1), in: zone
                ).lines[0].plain
            }
            #expect(letter(home).contains("until \(here) \(there)."), "\(letter(home))")
            // The twin: where clocks at the event show the same, nothing is added.
            let berlin = Zone(stored: "Europe/Berlin")
            #expect(!letter(berlin).contains(there))
            #expect(letter(berlin).contains("until \(berlin.words(offer.end, \.shortName).plain)."))
        }
    }

    @Test func `lists of what one has, and those of the host, say whose clock it is`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            try await site.execute(
                """
                UPDATE event SET zone = 'Europe/Berlin', starts_at = starts_at - 28800000,
                    ends_at = ends_at - 28800000
                """)
            let place = try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            let (ana, ben) = (try await site.signIn(.ana, as: .parent), try await site.signIn(.ben, as: .provider))
            let mine = "2 AM to 4 AM by your clock"
            for path in [
                "/registrations/\(place)", "/me/registrations", "/me/attending", "/week?as=print&from=2027-03-22",
            ] {
                #expect(try await ana.visit(path).text.contains(mine), "\(path)")
            }
            for path in [
                "/registrations", "/registrations?as=print", "/waiting", "/cancel", "/copy", "/announcements",
            ] {
                let text = try await ben.visit("/events/\(event)\(path)").text
                #expect(text.contains("Central European Time (\(mine))"), "\(path)")
            }
            #expect(try await ben.visit("/events/\(event)/flyer").text.contains("(Central European Time)"))
            // The twin: at home there is one clock.
            try await site.execute("UPDATE account SET zone = 'Europe/Berlin'")
            #expect(try await !ana.visit("/registrations/\(place)").text.contains("by your clock"))
            #expect(try await !ben.visit("/events/\(event)/registrations").text.contains("Central European Time"))
        }
    }

    @Test func `titles and names from right to left are isolated`() async throws {
        try await withTestSite { site in
            let title = "שיעור שחייה! (5)"
            let event = try await site.publish(by: .ben) {
                $0.title = title
                $0.description = "מים. Bring a towel."
            }
            for path in ["/events/\(event)", "/events"] {
                let page = try await site.browser().visit(path)
                #expect(page.html.all("bdi").contains { $0.text == title }, "\(path)")
                #expect(page.html.first("title")?.all("bdi").isEmpty != false)
            }
            let page = try await site.browser().visit("/events/\(event)")
            #expect(page.html.all("p").contains { $0["dir"] == "auto" && $0.text == "מים. Bring a towel." })
            // The twin: what runs the page's way stays as it is.
            let other = try await site.publish(by: .ben)
            #expect(try await site.browser().visit("/events/\(other)").html.all("bdi").isEmpty)
        }
    }

    @Test(.tags(.slow), arguments: [(3, true), (40, true), (84, false)])
    func `those who come can be written to, however many they are`(count: Int, isLink: Bool) async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.spots = 100 }
            for number in 1...count {
                let child = try await site.child("Mo", of: .family(number))
                try await site.register([child], of: .family(number), at: event)
            }
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/events/\(event)/registrations")
            #expect((page.link("Write to all of them") != nil) == isLink)
            #expect((page.link("Write with Outlook")?.contains("%3B") == true) == isLink)
            #expect((page.link("Write to all who come") == "/events/\(event)/announcements") == !isLink)
            #expect(page.text.contains("\(count) addresses are more than a link to a mail program holds.") == !isLink)
            let list = page.html.all("textarea").first { $0["id"] == "addresses" }?.text ?? ""
            #expect(list.split(separator: ", ").count == count)
        }
    }
}
