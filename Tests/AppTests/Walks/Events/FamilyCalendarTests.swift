import Database
import Foundation
import Templating
import Testing

@testable import App

/// Events in the calendar on a phone: one, a list, and a family's own.
@Suite struct FamilyCalendarTests {
    /// The components of a calendar, unfolded: each a list of properties.
    private func events(_ page: Page) -> [[String]] {
        page.string.replacing("\r\n ", with: "").components(separatedBy: "BEGIN:VEVENT\r\n").dropFirst().map { part in
            part.components(separatedBy: "END:VEVENT")[0].components(separatedBy: "\r\n").filter { !$0.isEmpty }
        }
    }

    private func value(_ name: String, in event: [String]) -> String? {
        event.first { $0.hasPrefix(name + ":") || $0.hasPrefix(name + ";") }
            .map { String($0.drop { $0 != ":" }.dropFirst()) }
    }

    /// Makes the address of the family's calendar on its page.
    private func address(_ parent: Browser, of calendar: String = "What my family goes to") async throws -> String {
        let page = try await parent.visit("/me/calendar")
        let again = "Make a new address: \(calendar)"
        let button = page.buttons.contains(again) ? again : "Make an address: \(calendar)"
        let shown = try #require(try await page.press(button).html.first("code")?.text)
        #expect(shown.hasPrefix("http://localhost:8080/calendar/"))
        return String(shown.dropFirst("http://localhost:8080".count))
    }

    @Test func `maps read the place in a calendar as an address, in each language`() async throws {
        let catalogues = ["de", "es"].map { Catalogue(parsing: "msgid \"\"\nmsgstr \"Language: \($0)\\n\"\n") }
        try await withTestSite(catalogues: catalogues) { site in
            let id = try await site.publish(by: .ben)
            for (language, country) in [("es", "Estados Unidos"), ("de", "Vereinigte Staaten")] {
                let told = try await site.browser().visit("/events/\(id).ics?lang=\(language)")
                let event = try #require(events(told).first)
                #expect(value("LOCATION", in: event) == "180 Park Ave\\, San Jose\\, CA 95113\\, \(country)")
            }
        }
    }

    @Test func `an event goes into any calendar`() async throws {
        try await withTestSite { site in
            let id = try await site.publish(by: .ben) {
                $0.tags = "outdoors, crafts"
                $0.description = "Kites; sun, wind.\nBring string."
                $0.onlineURL = "https://meet.example.org/secret-room"
            }
            let page = try await site.browser().visit("/events/\(id)").follow("Add to calendar")
            #expect(page.path == "/events/1.ics" && page.status == 200)
            #expect(page["Content-Type"] == "text/calendar; charset=utf-8")
            let event = try #require(events(page).first)
            #expect(value("UID", in: event) == "event-1@localhost")
            #expect(value("SEQUENCE", in: event) == "0" && value("STATUS", in: event) == "CONFIRMED")
            #expect(event.contains("DTSTART;TZID=America/Los_Angeles:20270327T100000"))
            #expect(event.contains("DTEND;TZID=America/Los_Angeles:20270327T120000"))
            #expect(value("DTSTAMP", in: event) == "20270320T100000Z")
            #expect(value("SUMMARY", in: event) == "Kite day")
            #expect(value("DESCRIPTION", in: event)?.hasPrefix("Kites\\; sun\\, wind.\\nBring string.") == true)
            #expect(value("LOCATION", in: event) == "180 Park Ave\\, San Jose\\, CA 95113\\, United States")
            #expect(value("CATEGORIES", in: event) == "outdoors,crafts")
            #expect(value("URL", in: event) == "http://localhost:8080/events/1")
            #expect(page.string.contains("BEGIN:VTIMEZONE\r\nTZID:America/Los_Angeles\r\n"))
            #expect(!page.string.contains("secret-room"))
            for path in ["/events/999.ics", "/events/x.ics", "/events/.ics", "/events/1.ics/flyer", "/events/1.icsx"] {
                #expect(try await site.browser().visit(path).status == 404, "\(path)")
            }
            #expect(try await site.browser().visit("/events/1").heading == "Kite day")
            #expect(try await site.browser().submit("/events/1.ics", [])["Allow"] == "GET, HEAD")
        }
    }

    @Test func `a change raises its number, a cancelled event stays to be seen, a hidden one is gone`() async throws {
        try await withTestSite { site in
            let id = try await site.publish(by: .ben)
            site.clock.advance(by: .hours(1))
            let now = site.clock.now
            try await site.write(at: now) { tx in
                var event = try Event.find(id, in: tx)!
                event.title = "Kite evening"
                try Event.update(event, in: tx)
            }
            let nobody = site.browser()
            var event = try #require(try await events(nobody.visit("/events/1.ics")).first)
            #expect(value("SEQUENCE", in: event) == "1" && value("SUMMARY", in: event) == "Kite evening")
            #expect(value("LAST-MODIFIED", in: event) == "20270320T110000Z")
            #expect(value("UID", in: event) == "event-1@localhost")

            try await site.execute(
                "UPDATE event SET cancelled_at = \(now), listed = FALSE, cancel_reason = 'No wind' WHERE id = \(id)")
            event = try #require(try await events(nobody.visit("/events/1.ics")).first)
            #expect(value("STATUS", in: event) == "CANCELLED")
            #expect(value("SUMMARY", in: event) == "Canceled: Kite evening")
            #expect(value("DESCRIPTION", in: event)?.hasPrefix("No wind") == true)

            try await site.execute("UPDATE event SET hidden_at = \(now) WHERE id = \(id)")
            for path in ["/events/1.ics", "/events/1/flyer", "/api/events/1"] {
                #expect(try await nobody.visit(path).status == 404, "\(path)")
            }
        }
    }

    @Test func `a list is a calendar, with its filters`() async throws {
        try await withTestSite { site in
            for number in 1...30 {
                try await site.publish(by: .ben) {
                    $0.title = "Kite day \(number)"
                    $0.city = number % 2 == 0 ? "Campbell" : "San Jose"
                }
            }
            let nobody = site.browser()
            #expect(try await events(nobody.visit("/events.ics")).count == 30)
            let page = try await nobody.visit("/events.ics?city=campbell")
            #expect(events(page).count == 15)
            #expect(page.string.contains("X-WR-CALNAME:Events in campbell · Village\r\n"))
            #expect(page.string.components(separatedBy: "BEGIN:VTIMEZONE").count == 2)
            #expect(try await events(nobody.visit("/events.ics?from=2030-01-01")).isEmpty)
        }
    }

    @Test func `a family's own calendar says who comes by initials, and has the link`() async throws {
        try await withTestSite { site in
            let id = try await site.publish(by: .ben) { $0.onlineURL = "https://meet.example.org/secret-room" }
            let ana = try await site.signIn(.ana, as: .parent)
            let mo = try await site.child("Mo Ortiz", of: .ana)
            let lu = try await site.child("Lu", of: .ana)
            let registration = try await site.register([mo, lu], of: .ana, at: id)
            let path = try await address(ana)

            // The program on the phone has no cookie.
            let phone = site.browser()
            var page = try await phone.visit(path)
            #expect(page.status == 200 && page["Cache-Control"] == "private, no-store")
            #expect(page["Referrer-Policy"] == "same-origin" && page["X-Robots-Tag"] == "noindex, nofollow, noarchive")
            var event = try #require(events(page).first)
            #expect(value("SUMMARY", in: event) == "M.O.\\, L.: Kite day" && value("SEQUENCE", in: event) == "1")
            #expect(value("DESCRIPTION", in: event)?.contains("https://meet.example.org/secret-room") == true)
            #expect(!page.string.contains("Ortiz") && !page.string.contains("Lu"))

            site.clock.advance(by: .hours(1))
            _ = try await ana.visit("/registrations/\(registration)").press("Give this place back: Lu")
            event = try #require(try await events(phone.visit(path)).first)
            #expect(value("SUMMARY", in: event) == "M.O.: Kite day" && value("SEQUENCE", in: event) == "2")
            #expect(value("LAST-MODIFIED", in: event) == "20270320T110000Z")

            _ = try await ana.visit("/registrations/\(registration)").press("Give all places back")
            page = try await phone.visit(path)
            event = try #require(events(page).first)
            #expect(value("STATUS", in: event) == "CANCELLED" && value("SUMMARY", in: event) == "Canceled: Kite day")
            #expect(!page.string.contains("secret-room"))

            try await site.register([lu], of: .ana, at: id)
            event = try #require(try await events(phone.visit(path)).first)
            #expect(value("STATUS", in: event) == "CONFIRMED" && value("SUMMARY", in: event) == "L.: Kite day")
            #expect(value("SEQUENCE", in: event) == "4")

            site.clock.advance(by: .days(90))
            #expect(try await events(phone.visit(path)).count == 1)
            site.clock.advance(by: .days(30))
            #expect(try await events(phone.visit(path)).isEmpty)
        }
    }

    @Test func `the address is shown when asked for, a new one voids it, and off is off`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let first = try await address(ana)
            #expect(try await ana.visit("/me/calendar").html.first("code") == nil)
            let again = try await ana.visit("/me/calendar").press("Show the address: What my family goes to")
            #expect(again.html.first("code")?.text == "http://localhost:8080\(first)")
            #expect(again.link("Add to this device") == "webcal://localhost:8080\(first)")
            #expect(again.link("Add to Google")?.hasPrefix("https://calendar.google.com/") == true)
            #expect(again.link("Add to Outlook")?.hasPrefix("https://outlook.live.com/") == true)
            #expect(again["Referrer-Policy"] == "same-origin")
            let second = try await address(ana)
            let nobody = site.browser()
            #expect(try await nobody.visit(first).status == 404)
            #expect(try await nobody.visit(second).status == 200)
            let page = try await ana.visit("/me/calendar").press("Switch it off: What my family goes to")
            #expect(page.flash == "The calendar is switched off. Its address opens nothing anymore.")
            #expect(try await nobody.visit(second).status == 404)
            #expect(try site.count(of: "calendar_link") == 0)

            let third = try await address(ana)
            try await site.execute("UPDATE account SET suspended_at = 1 WHERE username = 'ana-ortiz'")
            #expect(try await nobody.visit(third).status == 404)
        }
    }

    @Test func `an account, its family and each child have calendars of their own, revoked one by one`() async throws {
        try await withTestSite { site in
            let (mo, lu) = (try await site.child("Mo", of: .ana), try await site.child("Lu", of: .ana))
            let kites = try await site.publish(by: .ben) { $0.title = "Kites" }
            let swim = try await site.publish(by: .ben) { $0.title = "Swimming" }
            try await site.register([mo], of: .ana, at: kites)
            try await site.register([lu], of: .ana, at: swim)
            let ana = try await site.signIn(.ana, as: .parent)
            let nobody = site.browser()
            func titles(_ path: String) async throws -> [String] {
                try await events(nobody.visit(path)).compactMap { value("SUMMARY", in: $0) }.sorted()
            }
            let all = try await address(ana, of: "Everything I have planned")
            let family = try await address(ana)
            let ofLu = try await address(ana, of: "Lu")
            #expect(try await titles(all) == ["L.: Swimming", "M.: Kites"])
            #expect(try await titles(family) == ["L.: Swimming", "M.: Kites"])
            #expect(try await titles(ofLu) == ["L.: Swimming"])
            _ = try await ana.visit("/me/calendar").press("Switch it off: Lu")
            #expect(try await nobody.visit(ofLu).status == 404)
            #expect(try await titles(family).count == 2)
            // My part of an event, for those who are at it.
            let mine = try await ana.visit("/events/\(kites)/mine.ics")
            #expect(events(mine).compactMap { value("UID", in: $0) } == ["event-1@localhost"])
            #expect(mine["Cache-Control"] == "private, no-store")
            #expect(try await site.signIn(.cleo, as: .parent).visit("/events/\(kites)/mine.ics").status == 404)
            // A child's goes with the child.
            let again = try await address(ana, of: "Lu")
            #expect(try await titles(again) == ["L.: Swimming"])
            try await site.execute("UPDATE registration_person SET child_id = NULL WHERE child_id = \(lu)")
            try await site.execute("DELETE FROM child WHERE id = \(lu)")
            #expect(try await nobody.visit(again).status == 404)
        }
    }

    @Test func `each calendar has a name, with the town's, and initials for a child`() async throws {
        try await withTestSite { site in
            for name in ["Mo", "Lu Ortiz", "Mia"] { _ = try await site.child(name, of: .ana) }
            let ana = try await site.signIn(.ana, as: .parent)
            var names: [String] = []
            for calendar in ["Everything I have planned", "What my family goes to", "Mo", "Lu Ortiz", "Mia"] {
                let file = try await site.browser().visit(try await address(ana, of: calendar))
                let lines = file.string.components(separatedBy: "\r\n")
                let name = try #require(lines.first { $0.hasPrefix("X-WR-CALNAME:") }).dropFirst(13)
                #expect(lines.contains("NAME:\(name)"))
                names.append(String(name))
            }
            #expect(Set(names).count == 5 && names.allSatisfy { $0.contains("Village") }, "\(names)")
            #expect(names[2].hasPrefix("M. 1\\,") && names[3].hasPrefix("L.O.\\,") && names[4].hasPrefix("M. 2"))
            #expect(!names.joined().contains("Mo") && !names.joined().contains("Ortiz"))
        }
    }

    @Test func `a copy of the database opens no calendar, and an address outlives its key`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let path = try await address(ana)
            let token = try #require(path.split(separator: "/").last?.dropLast(4))
            let account = try await site.account(of: .ana)
            let row: ([UInt8], ID<CalendarLink>, Instant)? = try site.read { db in
                try db.first("SELECT token_hash, id, created_at FROM calendar_link") {
                    (try $0.next(), try $0.next(), try $0.next())
                }
            }
            let (hash, id, at) = try #require(row)
            #expect(Token(token)?.hash == hash)
            // Nothing in the database makes the token: another key makes another one.
            let folder = try TestFolder()
            defer { folder.remove() }
            let other = SiteKey(folder: folder.path)
            #expect(other.token(of: id, account: account, at: at).hash != hash)
            let links = try site.read { db in try CalendarLink.all(of: account, other, in: db) }
            #expect(links.contains { $0.since != nil } && links.allSatisfy { $0.token == nil })
            #expect(try await site.browser().visit(path).status == 200)
            // The key is the same after a start, and for the site alone.
            let file = folder.path + "/calendar.key"
            func made(_ key: SiteKey, _ id: Int64, at: Instant) -> String {
                key.token(of: ID(id), account: account, at: at).text
            }
            #expect(made(SiteKey(folder: folder.path), 1, at: at) == made(other, 1, at: at))
            // A number that is given again, after going back to a copy, opens nothing that it did before.
            #expect(made(other, 1, at: at) != made(other, 1, at: at + .minutes(1)))
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `who has no family has a calendar of their own account`() async throws {
        try await withTestSite { site in
            let dan = try await site.signIn(.family(1))
            let page = try await dan.visit("/me/calendar")
            #expect(page.buttons.filter { $0.hasPrefix("Make") } == ["Make an address: Everything I have planned"])
            let token = page.value(of: "csrf") ?? ""
            for other in ["family", "child-1", ""] {
                let refused = try await dan.submit("/me/calendar", [("csrf", token), ("of", other), ("act", "make")])
                #expect(refused.status == 404, "\(other)")
            }
        }
    }

    @Test func `a stranger's token opens nothing, and the log and the database don't know it`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            let mo = try await site.child("Mo", of: .ana)
            try await site.register([mo], of: .ana, at: event)
            let path = try await address(ana)
            let token = String(path.dropFirst("/calendar/".count).dropLast(".ics".count))
            let nobody = site.browser()
            for guess in [Token().text, "", "x", token + "x", String(token.dropLast()), token.lowercased()] {
                #expect(try await nobody.visit("/calendar/\(guess).ics").status == 404)
            }
            let cleo = try await site.signIn(.cleo, as: .parent)
            let hers = try await address(cleo)
            #expect(hers != path)
            #expect(try await events(nobody.visit(hers)).isEmpty)
            #expect(try await events(cleo.visit(path)).count == 1, "it is a key, whoever holds it")
            #expect(!site.log.lines.joined().contains(token))
            #expect(site.log.lines.contains { $0.contains("/calendar/{token}.ics") })
            #expect(try site.count(of: "calendar_link WHERE CAST(token_hash AS TEXT) = \(token)") == 0)
        }
    }
}
