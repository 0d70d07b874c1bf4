import Database
import Testing

@testable import App

/// People without an account, whom a host adds to a list, and the members who take their places over.
@Suite struct GuestTests {
    /// *Kite day* of Ben’s, and Mia, 7, on its list.
    private func added(
        _ site: TestSite, _ change: (inout EventForm) -> Void = { _ in }
    ) async throws -> (event: ID<Event>, ben: Browser, slip: Page) {
        let event = try await site.publish(by: .ben, change)
        let ben = try await site.signIn(.ben, as: .provider)
        let slip = try await ben.visit("/events/\(event)/registrations").follow("Add somebody")
            .press("Add", filling: ["name": "Mia", "age": "7", "phone": "408 555 0188"])
        return (event, ben, slip)
    }

    private func code(_ site: TestSite) throws -> String {
        try #require(try site.read { db in try db.value("SELECT code FROM guest ORDER BY id DESC LIMIT 1") })
    }

    private func taken(_ site: TestSite) throws -> Int {
        try #require(try site.read { db in try db.value("SELECT taken FROM event ORDER BY id LIMIT 1") })
    }

    @Test func `a host adds somebody, who counts at once and stands on every list`() async throws {
        try await withTestSite { site in
            let (event, ben, slip) = try await added(site)
            #expect(slip.heading == "Mia" && slip.flash == "Added. Print the slip, or read the code out.")
            #expect(slip.text.contains(PrintedCode.spelled(try code(site))))
            #expect(try taken(site) == 1)
            let list = "/events/\(event)/registrations"
            let roster = try await ben.visit(list)
            #expect(roster.text.contains("Mia 7 years") && roster.link("Added by hand") == slip.path)
            #expect(try await ben.visit(list + "?as=print").text.contains("408 555 0188"))
            #expect(try await ben.visit(list + "?as=csv").string.contains("\"Mia\",7,7,"))
            // Nobody else reads of it.
            #expect(try await !site.browser().visit("/events/\(event)").string.contains("Mia"))

            // At the door they come and go like everybody.
            site.clock.advance(by: .days(7))
            _ = try await ben.visit(list).press("Is here: Mia")
            #expect(try site.count(of: "event WHERE arrived = 1") == 1)
            _ = try await ben.visit(list).press("Was picked up: Mia")
        }
    }

    @Test func `somebody at the door is there at once, after registration closed, until it is over`() async throws {
        try await withTestSite { site in
            let (event, ben, _) = try await added(site)
            try await site.execute("UPDATE event SET closes_at = \(site.clock.now), first_zips = '9511'")
            site.clock.advance(by: .days(7))
            let door = try await ben.visit("/events/\(event)/people/new")
            _ = try await door.press("Add", filling: ["name": "Otto", "here": .tick(true)])
            #expect(try site.count(of: "event WHERE arrived = 1 AND taken = 2") == 1)
            site.clock.advance(by: .days(1))
            let late = try await door.press("Add", filling: ["name": "Late"])
            #expect(late.problems == ["Nobody can be added anymore: it is over or canceled."])
            #expect(try await ben.visit("/events/\(event)/people/new").path == "/events/\(event)/registrations")
            #expect(try taken(site) == 2)
        }
    }

    @Test func `a full event takes nobody, and the words come back; sent twice it adds once`() async throws {
        try await withTestSite { site in
            let (event, ben, _) = try await added(site) { $0.spots = 2 }
            let page = try await ben.visit("/events/\(event)/people/new")
            let first = try await page.press("Add", filling: ["name": "Ida"])
            let again = try await page.press("Add", filling: ["name": "Ida"])
            #expect(first.path == again.path)
            #expect(try taken(site) == 2)
            let full = try await ben.visit("/events/\(event)/people/new").press("Add", filling: ["name": "Uwe"])
            #expect(full.status == 422 && full.value(of: "name") == "Uwe")
            #expect(full.problems == ["All places are taken. You can add places where you change the event."])
            // The same form with another name is another person, for whom there is no place.
            let other = try await page.press("Add", filling: ["name": "Eva"])
            #expect(other.status == 409 && other.value(of: "name") == "Eva")
            #expect(try site.count(of: "guest") == 2)
        }
    }

    @Test func `only the host sees them, adds them, and takes them off`() async throws {
        try await withTestSite { site in
            let (event, ben, slip) = try await added(site)
            try await site.child("Mo", of: .ana)
            let other = try await site.publish(by: .family(1))
            for (person, hat) in [(Person.ana, Hat.parent), (Person.family(1), Hat.provider)] {
                let browser = try await site.signIn(person, as: hat)
                for path in [slip.path, "/events/\(event)/people/new"] {
                    let page = try await browser.visit(path)
                    #expect(hat == .provider ? page.status == 404 : !page.text.contains("Mia"), "\(path)")
                }
                for end in ["/remove", "/restore", "/told"] {
                    let token = try await browser.visit("/me").value(of: "csrf") ?? ""
                    let sent = try await browser.submit(slip.path + end, [("csrf", token)])
                    #expect(hat == .provider ? sent.status == 404 : sent.status >= 303, "\(end)")
                }
            }
            // The host of another event finds nobody of this one there.
            let wrong = slip.path.replacing("/events/\(event)/", with: "/events/\(other)/")
            #expect(try await ben.visit(wrong).status == 404)
            let host = try await site.signIn(.family(1), as: .provider)
            #expect(try await host.visit(wrong).status == 404)
            for end in ["/remove", "/restore", "/told"] {
                let token = try await host.visit("/me").value(of: "csrf") ?? ""
                let sent = try await host.submit(wrong + end, [("csrf", token), ("since", "9999999999999")])
                #expect(sent.location == "/events/\(other)/registrations", "\(end)")
            }
            #expect(try taken(site) == 1 && site.count(of: "guest WHERE untold_since IS NULL") == 1)
        }
    }

    @Test func `a parent takes the place over by the code on the slip`() async throws {
        try await withTestSite { site in
            let (event, ben, slip) = try await added(site)
            let code = try code(site)
            try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            let start = try await ana.visit("/me/registrations").follow("Take over a place")
            let wrong = try await start.press("Find the place", filling: ["code": "AAAAA-AAAAA"])
            #expect(wrong.problems == ["No place has this code, or somebody has taken it over already."])
            let typed = " \(code.lowercased().prefix(5)) \(code.dropFirst(5)) "
            let found = try await start.press("Find the place", filling: ["code": .text(typed)])
            #expect(found.path == "/claim/\(code)" && found.text.contains("Kite day"))
            let done = try await found.press("Take over the place", filling: ["person": "child-1"])
            #expect(done.path.hasPrefix("/registrations/") && done.flash == "The place is yours now.")
            #expect(try taken(site) == 1 && site.count(of: "guest") == 0)
            let roster = try await ben.visit("/events/\(event)/registrations").text
            #expect(roster.contains("Mo") && !roster.contains("Mia") && roster.contains("Ana"))
            let gone = try await ben.visit(slip.path)
            #expect(gone.status == 404 && gone.link("See what is there now")?.hasSuffix("/registrations") == true)
            // On a page from before, the list says how it is.
            let late = try await slip.press("Yes, take off the list")
            #expect(late.path == "/events/\(event)/registrations")
            #expect(late.flash?.hasPrefix("That changed meanwhile") == true)
            // The code is used up, and the place is given back as any.
            let again = try await found.press("Take over the place", filling: ["person": "child-1"])
            #expect(again.problems == ["No place has this code, or somebody has taken it over already."])
            _ = try await done.press("Give all places back")
            #expect(try taken(site) == 0)
        }
    }

    @Test func `somebody who has a place already doesn’t get a second one`() async throws {
        try await withTestSite { site in
            let (event, _, _) = try await added(site)
            let code = try code(site)
            let mo = try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            let old = try await ana.visit("/claim/\(code)")
            try await site.register([mo], of: .ana, at: event)
            let refused = try await old.press("Take over the place", filling: ["person": "child-1"])
            #expect(refused.status == 422 && !refused.problems.isEmpty)
            #expect(try await ana.visit("/claim/\(code)").text.contains("You have a place here already."))
            #expect(try taken(site) == 2 && site.count(of: "guest") == 1)
        }
    }

    @Test func `a child who waits there has the place instead, and waits no longer`() async throws {
        try await withTestSite { site in
            let (event, _, _) = try await added(site) { $0.spots = 1 }
            let mo = try await site.child("Mo", of: .ana)
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            try await site.write(at: now) { tx in
                _ = try Registration.insert([mo], of: account, at: event, waits: true, once: "waits", in: tx)
            }
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/claim/\(try code(site))").press("Take over the place")
            #expect(try taken(site) == 1 && site.count(of: "registration WHERE state = 'confirmed'") == 1)
            #expect(try site.count(of: "registration WHERE state IN ('waiting', 'offered')") == 0)
        }
    }

    @Test func `somebody who blocked the host, or holds a code of a place that was given up, finds nothing`()
        async throws
    {
        try await withTestSite { site in
            let (_, ben, slip) = try await added(site)
            let code = try code(site)
            let ana = try await site.signIn(.ana, as: .parent)
            let kim = try await site.child("Kim", of: .family(1))
            let mo = try await site.child("Mo", of: .ana)
            let page = try await ana.visit("/claim/\(code)")
            #expect(page.values(of: "person") == ["child-\(mo)"])
            // Another family’s child isn’t offered, and isn’t taken.
            let pairs = [
                ("csrf", page.value(of: "csrf") ?? ""), ("once", "somebody-else’s-child"), ("person", "child-\(kim)"),
            ]
            #expect(try await ana.submit("/claim/\(code)", pairs).status == 422)
            _ = try await slip.press("Yes, take off the list")
            #expect(try await ana.visit("/claim/\(code)").problems.count == 1)
            _ = try await ben.visit(slip.path).press("Put back on the list")
            let (account, host, now) = (
                try await site.account(of: .ana), try await site.account(of: .ben), site.clock.now
            )
            try await site.write(at: now) { tx in try Block.add(host, by: account, in: tx) }
            #expect(try await ana.visit("/claim/\(code)").problems.count == 1)
            #expect(try site.count(of: "guest") == 1)
        }
    }

    @Test func `codes can’t be guessed`() async throws {
        try await withTestSite(limits: true) { site in
            _ = try await added(site)
            let ana = try await site.signIn(.ana, as: .parent)
            for _ in 0..<RateRule.takeovers.count { _ = try await ana.visit("/claim/AAAAAAAAAA") }
            #expect(try await ana.visit("/claim/AAAAAAAAAA").status == 429)
            #expect(try await ana.visit("/claim/\(try code(site))").status == 429)
        }
    }

    @Test func `a member takes over a place at a community event`() async throws {
        try await withTestSite { site in
            let (event, ben, _) = try await added(site) {
                $0.audience = .everyone
            }
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/claim/\(try code(site))")
            let done = try await page.press("Take over the place", filling: ["person": "me"])
            #expect(done.path == "/events/\(event)" && done.buttons.contains("Leave"))
            #expect(try taken(site) == 1)
            #expect(try await ben.visit("/events/\(event)/registrations").text.contains("Ana"))
        }
    }

    @Test func `taking somebody off makes room for the family that waits, and they come back while there is a place`()
        async throws
    {
        try await withTestSite { site in
            let (event, ben, slip) = try await added(site) { $0.spots = 1 }
            let off = try await slip.press("Yes, take off the list")
            #expect(off.text.contains("Not on the list anymore."))
            #expect(try taken(site) == 0)
            #expect(try await ben.visit("/events/\(event)/registrations").link("Added by hand") == nil)
            let back = try await off.press("Put back on the list")
            #expect(try back.buttons.contains("Yes, take off the list") && taken(site) == 1)
            let mo = try await site.child("Mo", of: .ana)
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            try await site.write(at: now) { tx in
                _ = try Registration.insert([mo], of: account, at: event, waits: true, once: "waits", in: tx)
            }
            let gone = try await back.press("Yes, take off the list")
            #expect(try site.count(of: "registration WHERE state = 'offered'") == 1)
            let full = try await gone.press("Put back on the list")
            #expect(full.problems == ["All places are taken. You can add places where you change the event."])
            #expect(try await ben.visit("/events/\(event)/registrations").follow("Mia").path == slip.path)
            #expect(try await ben.visit(slip.path).text.contains("Not on the list anymore."))
            #expect(try taken(site) == 1)
        }
    }

    @Test func `the host is told to call them when something changes, until that is noted`() async throws {
        try await withTestSite { site in
            let (event, ben, _) = try await added(site)
            let calling = try await ben.visit("/events/\(event)/cancel")
            #expect(calling.text.contains("1 person added by hand has no account: please call them."))
            _ = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["start_time": "11:00"])
                .press("Publish the change")
            let page = try await ben.visit("/events/\(event)")
            #expect(page.text.contains("Please call: no letter reaches them") && page.text.contains("408 555 0188"))
            #expect(!page.text.contains("family hasn’t seen") && !page.text.contains("Their inbox"))
            #expect(try await ben.visit("/events/\(event)/registrations").text.contains("Doesn’t know of a change"))
            // What changes after the page came has to be told again.
            site.clock.advance(by: .minutes(1))
            _ = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["start_time": "11:30"])
                .press("Publish the change")
            let late = try await page.press("Told: Mia")
            #expect(late.buttons.contains("Told: Mia"))
            #expect(try await !late.press("Told: Mia").buttons.contains("Told: Mia"))
            site.clock.advance(by: .minutes(1))
            _ = try await ben.visit("/events/\(event)/cancel").press("Cancel the event", filling: ["reason": "Storm"])
            #expect(try await ben.visit("/events/\(event)").buttons.contains("Told: Mia"))
        }
    }

    @Test func `they are erased with the list, and with the account of the host`() async throws {
        try await withTestSite { site in
            _ = try await added(site)
            site.clock.advance(by: .days(7 + 91))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try site.count(of: "guest") == 0 && site.count(of: "registration") == 0)
        }
        try await withTestSite { site in
            _ = try await added(site)
            let (ben, now) = (try await site.account(of: .ben), site.clock.now)
            try await site.write(at: now) { tx in try Account.leave(ben, in: tx) }
            #expect(try site.count(of: "guest") == 0)
        }
    }
}
