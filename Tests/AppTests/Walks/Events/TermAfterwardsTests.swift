import Database
import Forms
import Testing

@testable import App

/// A whole term after it was had: given back, taken back, full, and longer than it was.
@Suite struct TermAfterwardsTests {
    /// Saturdays from March 27 on, all of them together.
    private func term(
        _ site: TestSite, dates: Int = 4, _ change: (inout EventForm) -> Void = { _ in }
    ) async throws -> (ben: Browser, dates: [ID<Event>]) {
        let first = try await site.publish(by: .ben, change)
        let ben = try await site.signIn(.ben, as: .provider)
        _ = try await ben.visit("/events/\(first)/copy").press(
            "Fill in these dates", filling: ["every": "week", "times": "\(dates - 1)", "booking": "together"]
        ).press("Publish these dates")
        return (ben, try site.read(at: site.clock.now) { tx in try Series.open(first, in: tx) }.map(\.id))
    }

    /// Ana, and the page that says her child has a place at all dates.
    private func registered(at dates: [ID<Event>], in site: TestSite) async throws -> (ana: Browser, had: Page) {
        let ana = try await site.signIn(.ana, as: .parent)
        let mo = try await site.child("Mo", of: .ana)
        let had = try await ana.visit("/events/\(dates[0])/dates").press(
            "Register for all dates", filling: ["child": ["\(mo)"]])
        return (ana, had)
    }

    private func confirmed(_ site: TestSite) throws -> Int {
        try site.count(of: "registration WHERE state = 'confirmed'")
    }

    /// Somebody else has the only place of a date.
    private func fill(_ date: ID<Event>, in site: TestSite) async throws {
        try await site.register([try await site.child("Zoe", of: .cleo)], of: .cleo, at: date)
        try await site.write { db in try db.execute("UPDATE event SET spots = 1 WHERE id = \(date)") }
    }

    @Test func `where one date is full it is said at once, and one press has the rest and waits for it`() async throws {
        try await withTestSite { site in
            let (_, dates) = try await term(site)
            let mo = try await site.child("Mo", of: .ana)
            try await fill(dates[1], in: site)
            let ana = try await site.signIn(.ana, as: .parent)
            let event = try await ana.visit("/events/\(dates[0])")
            #expect(event.text.contains("Full: April 3."))
            let form = try await event.follow("Register, and join the waiting list for the full dates")
            #expect(form.text.contains("Full: April 3. You can have the others at once"))
            #expect(!form.buttons.contains("Register for all dates"))
            let page = try await form.press(
                "Register, and join the waiting list for the full dates", filling: ["child": ["\(mo)"]])
            #expect(page.heading == "You have 3 dates, and wait for 1")
            #expect(page.text.contains("You have places on: March 27, April 10, and April 17."))
            #expect(page.text.contains("You wait for: April 3."))
            // All of it is left by one press, and had again with the turn in the line.
            let turn: Int? = try site.read { db in
                try db.value("SELECT turn FROM registration WHERE state = 'waiting'")
            }
            let gone = try await page.press("Leave all 4 dates")
            #expect(try site.count(of: "registration WHERE state = 'cancelled'") == 4)
            #expect(gone.text.contains("The places of Mo were given back, on 3 dates."))
            #expect(gone.text.contains("You no longer wait on 1 date."))
            let back = try await gone.press("Undo: Mo")
            #expect(back.flash == "Undone: it is as it was.")
            #expect(try confirmed(site) == 4)
            #expect(try site.count(of: "registration WHERE state = 'waiting' AND turn = \(turn ?? 0)") == 1)
        }
    }

    @Test func `dates that began meanwhile stay given back, and the others are had again`() async throws {
        try await withTestSite { site in
            let (_, dates) = try await term(site)
            let (_, had) = try await registered(at: dates, in: site)
            let start: Instant? = try site.read { db in
                try db.value("SELECT starts_at FROM event WHERE id = \(dates[0])")
            }
            site.clock.advance(by: try #require(start) - site.clock.now - .minutes(5))
            let again = try await site.signIn(.ana, as: .parent)
            let gone = try await again.visit(had.path).press("Give all 4 dates back")
            #expect(try confirmed(site) == 0)
            site.clock.advance(by: .minutes(6))
            let back = try await gone.press("Undo: Mo")
            #expect(back.flash?.hasPrefix("Undone, for the dates still to come.") == true)
            #expect(try confirmed(site) == 3)
        }
    }

    @Test func `others who wait are named before all dates are given back`() async throws {
        try await withTestSite { site in
            let (_, dates) = try await term(site) { $0.spots = 1 }
            let (ana, had) = try await registered(at: dates, in: site)
            #expect(!had.text.contains("Other families wait"))
            let zoe = try await site.child("Zoe", of: .cleo)
            let cleo = try await site.signIn(.cleo, as: .parent)
            _ = try await cleo.visit("/events/\(dates[0])/dates").press(
                "Register, and join the waiting list for the full dates", filling: ["child": ["\(zoe)"]])
            let asked = try await ana.visit(had.path)
            #expect(
                asked.text.contains(
                    "Other families wait for March 27, April 3, April 10, and April 17, and are asked at once."))
            let gone = try await asked.press("Give all 4 dates back")
            #expect(gone.text.contains("Others have them by now."))
        }
    }

    @Test func `a date that was given back isn't demanded for the rest`() async throws {
        try await withTestSite { site in
            let (ben, dates) = try await term(site, dates: 3) { $0.spots = 1 }
            let ana = try await site.signIn(.ana, as: .parent)
            let mo = try await site.child("Mo", of: .ana)
            _ = try await ana.visit("/events/\(dates[0])/dates").press(
                "Register for all dates", filling: ["child": ["\(mo)"]])
            let second: Int? = try site.read { db in
                try db.value("SELECT id FROM registration WHERE event_id = \(dates[1])")
            }
            _ = try await ana.visit("/registrations/\(second ?? 0)").press("Give the places of this date back")
            try await site.register([try await site.child("Zoe", of: .cleo)], of: .cleo, at: dates[1])
            _ = try await ben.visit("/events/\(dates[0])/copy").press(
                "Publish these dates", filling: ["dates": ["2027-05-04"]])
            // The family hears of it, once, and is led to it.
            #expect(try site.count(of: "letter WHERE kind = 'changed'") == 2)
            let inbox = try await ana.visit("/inbox")
            #expect(inbox.text.contains("New dates: May 4"))
            let link = try #require(inbox.links.first { $0.text.contains("has changed") })
            let news = try await ana.visit(link.href)
            let form = try await news.follow("Register for the new dates, too")
            #expect(!form.text.contains("Full:"))
            let done = try await form.press("Register for all dates", filling: ["child": ["\(mo)"]])
            #expect(done.text.contains("Your 3 dates"))
            #expect(try site.count(of: "event WHERE taken = 1") == 4)
        }
    }

    @Test func `before logging in it is said that all dates go together, and which`() async throws {
        try await withTestSite { site in
            let (_, dates) = try await term(site)
            let page = try await site.browser().visit("/events/\(dates[0])")
            #expect(page.text.contains("For all 4 dates together: March 27, April 3, April 10, and April 17"))
            let one = try await site.publish(by: .ben)
            #expect(try await !site.browser().visit("/events/\(one)").text.contains("dates together"))
        }
    }

    @Test func `who has every date is offered a child more, and all dates for the calendar`() async throws {
        try await withTestSite { site in
            let (_, dates) = try await term(site)
            let (ana, had) = try await registered(at: dates, in: site)
            let calendar = try #require(had.link("Add all 4 dates to calendar"))
            let file = try await ana.visit(calendar).string
            #expect(file.ranges(of: "BEGIN:VEVENT").count == 4)
            let event = try await ana.visit("/events/\(dates[1])")
            #expect(event.link("Add another child, or the other dates") == nil)
            #expect(event.link("Add a child")?.hasPrefix("/me/children/new?next=") == true)
            _ = try await site.child("Lu", of: .ana)
            #expect(try await ana.visit("/events/\(dates[1])").link("Add another child, or the other dates") != nil)
        }
    }

    @Test func `of a family's dates the moved one is marked, and a canceled one isn't counted`() async throws {
        try await withTestSite { site in
            let (_, dates) = try await term(site)
            let (ana, had) = try await registered(at: dates, in: site)
            #expect(!had.text.contains("Changed"))
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(dates[1])/cancel").press(
                "Cancel the event", filling: ["reason": "The room is taken."])
            _ = try await ben.visit("/events/\(dates[2])/edit").press(
                "Preview", filling: ["start_time": "11:00", "end_time": "12:00"]
            ).press("Publish the change")
            let page = try await ana.visit(had.path)
            #expect(page.text.contains("Your 3 dates"))
            #expect(page.html.all(ofClass: "badge").count { $0.text == "Changed" } == 1)
            #expect(page.html.all(ofClass: "badge").count { $0.text == "Canceled" } == 1)
            #expect(page.link("Add all 3 dates to calendar") != nil)
            #expect(page.buttons.contains("Give all 3 dates back"))
        }
    }

    @Test func `a date that is over leads to the next`() async throws {
        try await withTestSite { site in
            let (_, dates) = try await term(site)
            site.clock.advance(by: .days(8))
            let page = try await site.browser().visit("/events/\(dates[0])")
            #expect(page.text.contains("This event is over."))
            #expect(page.link("The next: April 3") == "/events/\(dates[1])")
        }
    }
}
