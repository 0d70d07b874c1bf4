import Database
import Forms
import Testing

@testable import App

/// Registration that opens and closes, and is for families nearby first.
@Suite struct WindowTests {
    /// *Kite day* of Ben’s on March 27, and Ana in 95112 with Mo; it is March 20.
    private func windowed(
        _ site: TestSite, _ change: (inout EventForm) -> Void
    ) async throws -> (event: ID<Event>, ana: Browser) {
        let event = try await site.publish(by: .ben, change)
        try await site.child("Mo", of: .ana)
        return (event, try await site.signIn(.ana, as: .parent))
    }

    private func confirmed(_ site: TestSite) throws -> Int {
        try site.count(of: "registration WHERE state = 'confirmed'")
    }

    @Test func `nobody registers a minute before it opens, and everybody from then on`() async throws {
        try await withTestSite { site in
            let opens = site.clock.now + .minutes(30)
            let (event, ana) = try await windowed(site) { _ in }
            try await site.execute("UPDATE event SET opens_at = \(opens)")
            let closed = try await ana.visit("/events/\(event)")
            #expect(closed.text.contains("Registration opens ") && closed.text.contains("in 30 minutes"))
            #expect(!closed.buttons.contains("Register") && !closed.buttons.contains("Join the waiting list"))
            let token = closed.value(of: "csrf") ?? ""
            let form = [("csrf", token), ("once", "much-too-early-for-it"), ("child", "1"), ("wait", "1")]
            let early = try await ana.submit("/events/\(event)/registrations", form)
            #expect(early.status == 422 && early.problems.first?.hasPrefix("Registration opens ") == true)
            #expect(try site.count(of: "registration") == 0)
            site.clock.advance(by: .minutes(30))
            _ = try await ana.visit("/events/\(event)").press("Register", filling: ["child": "1"])
            #expect(try confirmed(site) == 1)
        }
    }

    @Test func `what a family has it keeps and gives back once registration is closed, and nobody new comes`()
        async throws
    {
        try await withTestSite { site in
            let (event, ana) = try await windowed(site) { _ in }
            try await site.execute("UPDATE event SET closes_at = \(site.clock.now + .hours(1))")
            let page = try await ana.visit("/events/\(event)")
            #expect(page.text.contains("You can register until "))
            let done = try await page.press("Register", filling: ["child": "1"])
            let cleo = try await site.signIn(.cleo, as: .parent)
            let lu = try await site.child("Lu", of: .cleo)
            let old = try await cleo.visit("/events/\(event)")
            site.clock.advance(by: .hours(1))
            let late = try await old.press("Register", filling: ["child": "\(lu)"])
            #expect(late.status == 422 && late.problems.first?.hasPrefix("Registration closed ") == true)
            let given = try await ana.visit(done.path).press("Give all places back")
            #expect(try confirmed(site) == 0)
            _ = try await given.press("Undo: Mo")
            #expect(try confirmed(site) == 1)
        }
    }

    @Test func `families nearby register first, and the others once their time has come`() async throws {
        try await withTestSite { site in
            let (event, ana) = try await windowed(site) { _ in }
            try await site.execute("UPDATE family SET zip = '95112'")
            let dan = try await site.signIn(.family(1), as: .parent)
            let child = try await site.child("Kim", of: .family(1))
            try await site.execute(
                """
                UPDATE family SET zip = '94000' WHERE account_id = \(try await site.account(of: .family(1)))
                """)
            try await site.execute(
                "UPDATE event SET first_zips = '9511', first_until = \(site.clock.now + .days(1))")
            let far = try await dan.visit("/events/\(event)")
            #expect(far.text.contains("Families nearby register first: 9511. All others can from "))
            let form = [
                ("csrf", far.value(of: "csrf") ?? ""), ("once", "from-far-away-by-hand"), ("child", "\(child)"),
            ]
            #expect(try await dan.submit("/events/\(event)/registrations", form).status == 422)
            _ = try await ana.visit("/events/\(event)").press("Register", filling: ["child": "1"])
            #expect(try confirmed(site) == 1)
            site.clock.advance(by: .days(1))
            _ = try await dan.visit("/events/\(event)").press("Register", filling: ["child": "\(child)"])
            #expect(try confirmed(site) == 2)
        }
    }

    @Test func `a term opens for all of its dates at once`() async throws {
        try await withTestSite { site in
            let (event, ana) = try await windowed(site) { _ in }
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(event)/copy").press(
                "Fill in these dates", filling: ["every": "week", "times": "2", "booking": "together"]
            ).press("Publish these dates")
            try await site.execute("UPDATE event SET opens_at = \(site.clock.now + .days(1))")
            let page = try await ana.visit("/events/\(event)/dates")
            #expect(page.text.contains("Registration opens "))
            let early = try await page.press("Register for all dates", filling: ["child": "1"])
            #expect(early.status == 422 && early.problems.contains { $0.hasPrefix("Registration opens ") })
            #expect(try site.count(of: "registration") == 0)
            site.clock.advance(by: .days(1))
            _ = try await page.press("Register for all dates", filling: ["child": "1"])
            #expect(try confirmed(site) == 3)
        }
    }

    @Test func `a host says when it opens in the form, by the clock of the place, and finds it there again`() async throws
    {
        try await withTestSite { site in
            let (event, ana) = try await windowed(site) { _ in }
            let ben = try await site.signIn(.ben, as: .provider)
            let form = try await ben.visit("/events/\(event)/edit")
            let refused = try await form.press(
                "Preview",
                filling: [
                    "opens_at": "2027-03-29T09:00", "closes_at": "2027-03-26T18:00", "first_zips": "95112",
                    "first_until": "",
                ])
            #expect(
                refused.problems == ["Let it close after it opens.", "Say from when on all others can register."])
            let preview = try await refused.press(
                "Preview", filling: ["opens_at": "2027-03-22T09:00", "first_until": "2027-03-23T09:00"])
            #expect(preview.text.contains("Registration opens Mon, Mar 22, 9 AM"))
            _ = try await preview.press("Publish the change")
            let again = try await ben.visit("/events/\(event)/edit")
            #expect(again.value(of: "opens_at") == "2027-03-22T09:00")
            #expect(again.value(of: "closes_at") == "2027-03-26T18:00" && again.value(of: "first_zips") == "95112")
            #expect(try await ana.visit("/events/\(event)").text.contains("Registration opens Mon, Mar 22, 9 AM"))
            // A new event like this one has days of its own.
            #expect(try await ben.visit("/events/new?copy=\(event)").value(of: "opens_at") == "")
        }
    }
}
