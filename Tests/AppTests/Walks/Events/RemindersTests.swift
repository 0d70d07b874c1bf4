import Database
import Forms
import SMTP
import Testing

@testable import App

/// Reminders: once, in time, and with a way to give the place back.
@Suite struct RemindersTests {
    private func tidy(_ site: TestSite) async { await Housekeeping(site: site.site).tidyUp(at: site.clock.now) }

    private func count(_ site: TestSite, _ kind: NoticeKind) throws -> Int {
        try site.count(of: "notice WHERE kind = \(kind)")
    }

    @Test func `each family is reminded the day before and two hours before, once`() async throws {
        try await withTestSite { site in
            // Saturday, 10 AM, in a week.
            let event = try await site.publish(by: .ben)
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            let start = try #require(try site.read { db in try Event.find(event, in: db) }).startsAt
            site.clock.advance(by: start - site.clock.now - .hours(24) - .minutes(1))
            await tidy(site)
            #expect(try count(site, .dayBefore) == 0)
            site.clock.advance(by: .minutes(1))
            for _ in 0..<3 { await tidy(site) }
            #expect(try count(site, .dayBefore) == 1 && count(site, .hoursBefore) == 0)
            #expect(try site.count(of: "letter WHERE kind = 'dayBefore'") == 1)
            // Families that register now know it.
            try await site.register([try await site.child("Vy", of: .cleo)], of: .cleo, at: event)
            for _ in 0..<3 { await tidy(site) }
            #expect(try count(site, .dayBefore) == 1)
            site.clock.advance(by: .hours(22))
            for _ in 0..<3 { await tidy(site) }
            #expect(try count(site, .hoursBefore) == 2 && count(site, .dayBefore) == 1)
            #expect(try site.count(of: "reminder") == 0)
            #expect(try site.count(of: "letter WHERE kind = 'hoursBefore' AND ends_at <= \(start)") == 2)
        }
    }

    @Test func `a stop is caught up with, and never after the start`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let late = try await site.publish(by: .ben) { $0.startTime = TimeOfDay(hour: 8, minute: 0)! }
            let (mo, vy) = (try await site.child("Mo", of: .ana), try await site.child("Vy", of: .cleo))
            try await site.register([mo], of: .ana, at: event)
            try await site.register([vy], of: .cleo, at: event)
            try await site.register([vy], of: .cleo, at: late)
            // Cleo wants the day's only.
            let cleo = try await site.account(of: .cleo)
            try await site.write { db in
                for channel in NoticeKind.Channel.allCases {
                    try Notice.choose(.hoursBefore, channel, false, by: cleo, in: db)
                }
            }
            let start = try #require(try site.read { db in try Event.find(event, in: db) }).startsAt
            site.clock.advance(by: start - site.clock.now - .minutes(30))
            await tidy(site)
            // The other one has begun; and of both that were due for this one, each family gets the one it wants.
            #expect(try site.count(of: "notice WHERE kind IN ('dayBefore', 'hoursBefore') AND event_id = \(late)") == 0)
            #expect(try count(site, .hoursBefore) == 1 && count(site, .dayBefore) == 1)
            #expect(try site.count(of: "notice WHERE kind = 'dayBefore' AND account_id = \(cleo)") == 1)
            #expect(try site.count(of: "reminder") == 0)
        }
    }

    @Test func `what moves is reminded of at its new time, and what is canceled never`() async throws {
        try await withTestSite { site in
            let moved = try await site.publish(by: .ben)
            let off = try await site.publish(by: .ben)
            let mo = try await site.child("Mo", of: .ana)
            try await site.register([mo], of: .ana, at: moved)
            try await site.register([mo], of: .ana, at: off)
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(moved)/edit").press("Preview", filling: ["date": "2027-03-29"])
                .press("Publish the change")
            _ = try await ben.visit("/events/\(off)/cancel").press("Cancel the event", filling: ["reason": "Rain."])
            let start = try #require(try site.read { db in try Event.find(moved, in: db) }).startsAt
            site.clock.advance(by: start - site.clock.now - .hours(25))
            await tidy(site)
            #expect(try count(site, .dayBefore) == 0)
            site.clock.advance(by: .hours(1))
            await tidy(site)
            #expect(try count(site, .dayBefore) == 1)
            // Another word in it reminds nobody again; another hour does.
            let again = try await site.signIn(.ben, as: .provider)
            _ = try await again.visit("/events/\(moved)/edit").press("Preview", filling: ["title": "Kites"])
                .press("Publish the change")
            await tidy(site)
            #expect(try count(site, .dayBefore) == 1)
            _ = try await again.visit("/events/\(moved)/edit").press(
                "Preview", filling: ["start_time": "11:00"]
            ).press("Publish the change")
            site.clock.advance(by: .hours(1))
            await tidy(site)
            #expect(try count(site, .dayBefore) == 2)
        }
    }

    @Test(arguments: [
        // The day before is an hour shorter or longer where clocks are set; so in both halves of the world.
        ("America/Los_Angeles", "2027-03-14", 23), ("America/Los_Angeles", "2027-11-07", 25),
        ("America/Los_Angeles", "2027-03-15", 24), ("Australia/Sydney", "2027-04-04", 25),
        ("Australia/Sydney", "2027-10-03", 23), ("Europe/Berlin", "2027-03-28", 23), ("Asia/Tokyo", "2027-03-28", 24),
    ])
    func `the day before is the same time on the clock there`(zone: String, day: String, hours: Int) throws {
        let zone = try #require(Zone(identifier: zone))
        let day = try #require(Day(iso: day))
        let noon = try #require(TimeOfDay(hour: 12, minute: 0))
        let start = zone.instant(day, noon)
        let schedule = Schedule(day: day, start: noon, end: nil, startsAt: start, endsAt: start + .hours(2))
        #expect(start - Reminder.day.due(for: schedule, in: zone) == .hours(hours))
        #expect(start - Reminder.hours.due(for: schedule, in: zone) == .hours(2))
    }

    @Test func `the reminder of an event online has its link, which nobody else reads`() async throws {
        let office = try PostOffice()
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) {
                $0.title = "Reading circle"
                $0.audience = .everyone
                $0.onlineURL = "https://meet.example.org/circle"
                ($0.street, $0.city, $0.state, $0.zip) = ("", "", "", "")
            }
            let now = site.clock.now
            try await site.write(at: now) { tx in try Notice.tellHost(.init(kind: .published, event: event), in: tx) }
            _ = try await site.signIn(.ana).visit("/events/\(event)").press("Join")
            let start = try #require(try site.read { db in try Event.find(event, in: db) }).startsAt
            let client = MailClient(MailServer(url: office.url)!, name: "village.example")
            #expect(await Postman(site: site.site).deliverAll(by: client))
            // People join it, and no registration is told.
            let news = try #require(try office.letters.first { $0.subject == "Published: Reading circle, March 27" })
            #expect(news.text.contains("Anybody can join from now on.") && !news.text.contains("registration"))
            site.clock.advance(by: start - site.clock.now - .hours(2))
            await tidy(site)
            let id: Int64? = try site.read { db in try db.value("SELECT id FROM letter WHERE kind = 'hoursBefore'") }
            let shown = try await site.signIn(.mira, isStaff: true).visit("/admin/mail/\(try #require(id))")
            #expect(shown.text.contains("Where: Online") && !shown.text.contains("meet.example.org"))
            #expect(await Postman(site: site.site).deliverAll(by: client))
            let letter = try #require(try office.letters.first { $0.subject == "Coming up: Reading circle, March 27" })
            #expect(letter.text.contains("Online: https://meet.example.org/circle"), "\(letter.text)")
            #expect(!letter.text.contains("another family"))
        }
    }

    @Test func `where places have no limit no other family waits for one`() async throws {
        try await withTestSite { site in
            let ana = try await site.account(of: .ana)
            for (spots, isLimited) in [(3, true), (nil, false)] as [(Int?, Bool)] {
                let id = try await site.publish(by: .ben) { $0.spots = spots }
                let event = try #require(try site.read { db in try Event.find(id, in: db) })
                for letter in [
                    LetterText.registered(event, ID(1), places: 1, in: .utc),
                    LetterText.reminder(event, ID(1), places: 1, to: ana, in: .utc, nil),
                ] {
                    let text = (letter.lines + letter.closing).map(\.plain).joined(separator: " ")
                    #expect(text.contains("another family") == isLimited, "\(text)")
                }
            }
        }
    }

    @Test func `one tap in the reminder gives the places back and passes them on, logged in or not`() async throws {
        let office = try PostOffice()
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.spots = 1 }
            try await site.register([try await site.child("Momo", of: .ana)], of: .ana, at: event)
            let kid = try await site.child("Kid", of: .family(1))
            let patient = try await site.signIn(.family(1), as: .parent)
            _ = try await patient.visit("/events/\(event)").press(
                "Join the waiting list", filling: ["child": ["\(kid)"]])
            site.clock.advance(by: .days(6) + .hours(9))
            await tidy(site)
            let client = MailClient(MailServer(url: office.url)!, name: "village.example")
            #expect(await Postman(site: site.site).deliverAll(by: client))
            let letter = try #require(try office.letters.first { $0.subject == "Coming up: Kite day, March 27" })
            #expect(!"\(letter)".contains("Momo"))
            let link = try #require(letter.text.firstMatch(of: /http:\/\/localhost:8080(\/give-back\/\S+)/))
            let path = String(link.1)
            let ana = try await site.signIn(.ana, as: .parent)
            let mine = try await ana.visit("/inbox").follow("Give our place back: Kite day")
            #expect(mine.path == path)
            // A reminder of what is canceled by now offers nothing to give back.
            try await site.execute("UPDATE event SET cancelled_at = 1 WHERE id = \(event)")
            #expect(try await ana.visit("/inbox").link("Give our place back: Kite day") == nil)
            try await site.execute("UPDATE event SET cancelled_at = NULL WHERE id = \(event)")
            var page = try await site.browser().visit(path)
            #expect(page.heading == "Can’t come?" && page["Referrer-Policy"] == "same-origin")
            #expect(!page.string.contains("Momo") && !page.string.contains("Ana"))
            // To look is not to act.
            #expect(try site.count(of: "registration WHERE state = 'offered'") == 0)
            page = try await page.press("Give our place back")
            #expect(page.heading == "Given back")
            #expect(try site.count(of: "registration WHERE state = 'offered'") == 1)
            #expect(try site.count(of: "event WHERE taken = 1") == 1)
            // No other word opens it, and the seal of one is no other's.
            let other = path.replacing("/give-back/back-", with: "/offers/offer-")
            for wrong in [path + "A", path.replacing("back-1-", with: "back-2-"), other] {
                #expect(try await site.browser().visit(wrong).status == 404, "\(wrong.count)")
            }
        }
    }
}
