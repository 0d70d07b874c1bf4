import Database
import Testing

@testable import App

/// What was said no to by mistake is taken back for ten minutes.
@Suite struct TakingBackTests {
    private let shift = "Serve Saturday lunch, Saturday, March 27, 11 AM to 2 PM"

    private func promised(_ site: TestSite) async throws -> (path: String, ana: Browser, ben: Browser) {
        let id = try await SigningUpToHelpTests.coats(site)
        let ana = try await site.signIn(.ana, as: .parent)
        _ = try await ana.visit("/opportunities/\(id)").press("I’ll bring it: Coats", filling: ["count": "3"])
        return ("/opportunities/\(id)/signups", ana, try await site.signIn(.ben, as: .provider))
    }

    @Test func `it did come after all`() async throws {
        try await withTestSite { site in
            let (path, ana, ben) = try await promised(site)
            _ = try await ana.visit(path.dropLast("/signups".count)).press("I brought it: 3 × Coats")
            let list = try await ben.visit(path).press("It didn’t come: 3 × Coats, Ana Ortiz")
            _ = try await ana.visit("/inbox").press("Mark all as read")
            #expect(list.text.contains("It didn’t come, and others can promise it: 3 × Coats."))
            #expect(try site.count(of: "contribution") == 0)
            let back = try await list.press("Undo: 3 × Coats")
            #expect(back.path == path && back.buttons.contains("We got it: 3 × Coats, Ana Ortiz"))
            #expect(try site.count(of: "promise WHERE state = 'given' AND waits") == 1)
            #expect(try site.count(of: "thing WHERE promised = 3") == 1)
            #expect(try site.count(of: "opportunity WHERE promised = 3") == 1)
            #expect(try site.count(of: "contribution WHERE confirmed_at IS NULL") == 1)
            #expect(try await ana.visit("/inbox").text.contains("and your promise counts again: Winter coats"))
        }
    }

    @Test func `not once others promised it, nor after ten minutes, nor by others`() async throws {
        try await withTestSite { site in
            let (path, _, ben) = try await promised(site)
            let list = try await ben.visit(path).press("It didn’t come: 3 × Coats, Ana Ortiz")
            let cleo = try await site.signIn(.cleo, as: .parent)
            let token = try await cleo.visit("/help").value(of: "csrf") ?? ""
            let undo: Int = try site.read { db in try db.value("SELECT max(id) FROM undo") ?? 0 }
            #expect(try await cleo.post("/undo/\(undo)", [("csrf", token)]).status == 404)
            try await site.execute("UPDATE thing SET promised = wanted")
            #expect(try await list.press("Undo: 3 × Coats").status == 409)
            #expect(try site.count(of: "promise WHERE state = 'cancelled'") == 1)
            try await site.execute("UPDATE thing SET promised = 0")
            site.clock.advance(by: .minutes(11))
            #expect(try await !ben.visit(path).buttons.contains("Undo: 3 × Coats"))
            #expect(try await list.press("Undo: 3 × Coats").status == 404)
        }
    }

    @Test func `a no to somebody who would like to help is taken back with their place`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben) { $0.asksFirst = true }
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/opportunities/\(id)").press("Ask to help", filling: ["shift": ["1"]])
            let ben = try await site.signIn(.ben, as: .provider)
            let list = try await ben.visit("/opportunities/\(id)/signups").press("Say no: Ana Ortiz")
            _ = try await ana.visit("/inbox").press("Mark all as read")
            #expect(list.text.contains("You said no to Ana Ortiz."))
            #expect(try site.count(of: "shift WHERE id = 1 AND taken = 0") == 1)
            let back = try await list.press("Undo: Ana Ortiz")
            #expect(back.buttons.contains("Say yes: Ana Ortiz"))
            #expect(try site.count(of: "shift WHERE id = 1 AND taken = 1") == 1)
            #expect(try await ana.visit("/inbox").text.contains("They took their no back: Serve Saturday lunch"))
            // The place went to somebody else: nothing is changed then.
            let again = try await ben.visit("/opportunities/\(id)/signups").press("Say no: Ana Ortiz")
            try await site.execute("UPDATE shift SET taken = spots")
            #expect(try await again.press("Undo: Ana Ortiz").status == 409)
            #expect(try site.count(of: "signup WHERE state = 'declined'") == 1)
        }
    }

    @Test func `a no to somebody who asked again and got a yes is no longer taken back`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben) { $0.asksFirst = true }
            let (ana, path) = (try await site.signIn(.ana, as: .parent), "/opportunities/\(id)/signups")
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ana.visit("/opportunities/\(id)").press("Ask to help", filling: ["shift": ["1"]])
            #expect(try await ben.visit(path).press("Say no: Ana Ortiz").buttons.contains("Undo: Ana Ortiz"))
            _ = try await ana.visit("/opportunities/\(id)").press("Ask to help", filling: ["shift": ["1"]])
            #expect(try await !ben.visit(path).text.contains("You said no to Ana Ortiz."))
            let list = try await ben.visit(path).press("Say yes: Ana Ortiz")
            #expect(!list.text.contains("You said no") && !list.buttons.contains("Undo: Ana Ortiz"))
            #expect(try site.count(of: "undo WHERE NOT is_done") == 1)
        }
    }

    @Test func `a helper who was told no twice asks for another shift only; what lapsed or was taken back is no no`()
        async throws
    {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben) { form in
                form.asksFirst = true
                form.shifts[1] = form.shifts[0]
                form.shifts[1].date = Day(iso: "2027-04-03")
            }
            let (ana, ben) = (try await site.signIn(.ana, as: .parent), try await site.signIn(.ben, as: .provider))
            func ask(for shift: String = "1") async throws -> Page {
                try await ana.visit("/opportunities/\(id)").press("Ask to help", filling: ["shift": .texts([shift])])
            }
            let no = "/opportunities/\(id)/signups"
            _ = try await ask()
            _ = try await ben.visit(no).press("Say no: Ana Ortiz").press("Undo: Ana Ortiz").press("Say no: Ana Ortiz")
            let old = try await ana.visit("/opportunities/\(id)")
            _ = try await ask()
            _ = try await ben.visit(no).press("Say no: Ana Ortiz")
            // The page says so, and a page from before is refused.
            let page = try await ana.visit("/opportunities/\(id)")
            let boxes = page.html.all("input").filter { $0["name"] == "shift" }
            #expect(boxes.filter { $0["disabled"] != nil }.map { $0["value"] } == ["1"] && boxes.count == 2)
            #expect(page.text.contains("They said no to you twice"))
            let third = try await old.press("Ask to help", filling: ["shift": .texts(["1"])])
            #expect(third.status == 422 && third.text.contains("They said no to you twice. Their answer stands"))
            #expect(try site.count(of: "signup") == 2)
            #expect(try await ask(for: "2").status == 200)
            try await site.execute("UPDATE signup SET lapsed = TRUE WHERE id = 1")
            #expect(try await ask().status == 200)
        }
    }

    @Test func `where there are no shifts, the page says the second no instead of asking again`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben) { form in
                form.asksFirst = true
                form.rhythm = .whenever
                form.shifts[0] = OpportunityForm.ShiftRow()
            }
            let (ana, ben) = (try await site.signIn(.ana, as: .parent), try await site.signIn(.ben, as: .provider))
            let path = "/opportunities/\(id)"
            for _ in 1...2 {
                _ = try await ana.visit(path).press("Ask to help")
                _ = try await ben.visit(path + "/signups").press("Say no: Ana Ortiz")
            }
            let page = try await ana.visit(path)
            #expect(page.text.contains("They said no to you twice.") && !page.buttons.contains("Ask to help"))
        }
    }

    @Test func `not across a block, nor for somebody who left`() async throws {
        try await withTestSite { site in
            let (path, _, ben) = try await promised(site)
            let (account, host) = (try await site.account(of: .ana), try await site.account(of: .ben))
            let list = try await ben.visit(path).press("It didn’t come: 3 × Coats, Ana Ortiz")
            try await site.write(at: Clock.start) { tx in try Block.add(host, by: account, in: tx) }
            #expect(try await list.press("Undo: 3 × Coats").status == 409)
            #expect(try site.count(of: "promise WHERE state = 'cancelled'") == 1)

            let id = try await site.ask(by: .cleo) { $0.asksFirst = true }
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/opportunities/\(id)").press("Ask to help", filling: ["shift": ["1"]])
            let cleo = try await site.signIn(.cleo, as: .provider)
            let signups = try await cleo.visit("/opportunities/\(id)/signups").press("Say no: Ana Ortiz")
            let other = try await site.account(of: .cleo)
            try await site.write(at: Clock.start) { tx in try Block.add(other, by: account, in: tx) }
            #expect(try await signups.press("Undo: Ana Ortiz").status == 409)
            #expect(try site.count(of: "signup WHERE state = 'declined'") == 1)
            try await site.execute("DELETE FROM block")
            try await site.execute("UPDATE account SET left_at = 1 WHERE id = \(account)")
            #expect(try await signups.press("Undo: Ana Ortiz").status == 409)
            #expect(try site.count(of: "signup WHERE state = 'declined'") == 1)
        }
    }

    // MARK: One's own

    @Test func `a place that was given back by mistake is one's own again, with the child who came along`()
        async throws
    {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/opportunities/\(id)").press("Sign up", filling: ["shift": ["1"]])
            let page = try await ana.visit("/signups/1").press("Give my place back")
            #expect(page.path == "/week" && page.text.contains("You gave your place back: \(shift)."))
            #expect(try site.count(of: "shift WHERE id = 1 AND taken = 0") == 1)
            let undo = "Undo: \(shift)"
            #expect(try await ana.visit("/opportunities/\(id)").buttons.contains(undo))
            // Nobody else takes it back, the organization least of all.
            let ben = try await site.signIn(.ben, as: .provider)
            let token = try await ben.visit("/help").value(of: "csrf") ?? ""
            #expect(try await ben.post("/undo/1", [("csrf", token)]).status == 404)
            let back = try await page.press(undo)
            #expect(back.path == "/opportunities/\(id)", "\(back.problems)")
            #expect(try site.count(of: "signup WHERE id = 1 AND state = 'confirmed'") == 1)
            #expect(try site.count(of: "shift WHERE id = 1 AND taken = 1") == 1)
            // The place went to somebody else: nothing is changed then.
            let again = try await ana.visit("/signups/1").press("Give my place back")
            try await site.execute("UPDATE shift SET taken = spots")
            let refused = try await again.press(undo)
            #expect(refused.status == 409 && refused.link("Open its page") == "/opportunities/\(id)#mine")
            let full = try await ana.visit("/opportunities/\(id)")
            #expect(full.text.contains("Others have it by now.") && !full.buttons.contains(undo))
            #expect(try site.count(of: "signup WHERE state = 'cancelled'") == 1)
            site.clock.advance(by: .minutes(11))
            #expect(try await !ana.visit("/week").buttons.contains(undo))
            let late = try await again.press(undo)
            #expect(late.status == 404 && late.text.contains("Something can be taken back for ten minutes."))
        }
    }

    @Test func `so is a promise of a thing, while it is still wanted`() async throws {
        try await withTestSite { site in
            let (path, ana, ben) = try await promised(site)
            let page = try await ana.visit(path.dropLast("/signups".count)).press("Take it back: 3 × Coats")
            #expect(page.text.contains("You took your promise back: 3 × Coats."))
            #expect(try site.count(of: "thing WHERE promised = 0") == 1)
            // A mistake of a helper isn't one of the organization.
            #expect(try await !ben.visit(path).buttons.contains("Undo: 3 × Coats"))
            let back = try await page.press("Undo: 3 × Coats")
            #expect(back.buttons.contains("Take it back: 3 × Coats"))
            #expect(try site.count(of: "promise WHERE state = 'open'") == 1)
            #expect(try site.count(of: "thing WHERE promised = 3") == 1)
            #expect(try site.count(of: "opportunity WHERE promised = 3") == 1)
            let again = try await ana.visit(path.dropLast("/signups".count)).press("Take it back: 3 × Coats")
            try await site.execute("UPDATE thing SET promised = wanted")
            #expect(try await !ana.visit(path.dropLast("/signups".count)).buttons.contains("Undo: 3 × Coats"))
            #expect(try await again.press("Undo: 3 × Coats").status == 409)
            #expect(try site.count(of: "promise WHERE state = 'cancelled'") == 1)
        }
    }

    // MARK: Over and over

    /// Gives something back and takes that back, again and again.
    private func repeatedly(
        _ cancel: String, by browser: Browser, in site: TestSite, times: Int = 3
    ) async throws -> [Int] {
        let token = try await browser.visit("/help").value(of: "csrf") ?? ""
        var statuses: [Int] = []
        for _ in 0..<times {
            _ = try await browser.submit(cancel, [("csrf", token)])
            let undo: Int = try site.read { db in try db.value("SELECT max(id) FROM undo") ?? 0 }
            statuses.append(try await browser.submit("/undo/\(undo)", [("csrf", token)]).status)
        }
        return statuses
    }

    @Test func `what is given back and taken back at once is told nobody`() async throws {
        try await withTestSite(hasMail: true) { site in
            let id = try await site.ask(by: .ben)
            let (path, ana, ben) = try await promised(site)
            _ = try await ana.visit("/opportunities/\(id)").press("Sign up", filling: ["shift": ["1"]])
            func told() throws -> [Int] {
                try [site.count(of: "notice"), site.count(of: "letter"), site.count(of: "account WHERE unread > 0")]
            }
            try await site.execute("UPDATE account SET confirmed_at = 1")
            let before = try told()
            #expect(try await repeatedly("/signups/1/cancel", by: ana, in: site) == [303, 303, 303])
            #expect(try await repeatedly("/promises/1/cancel", by: ana, in: site) == [303, 303, 303])
            #expect(try told() == before)
            #expect(try site.count(of: "signup WHERE state = 'confirmed'") == 1)
            // A letter that has gone is followed by one that says that it counts again.
            let page = try await ana.visit("/signups/1").press("Give my place back")
            try await site.execute("UPDATE letter SET state = 'sent'")
            _ = try await page.press("Undo: \(shift)")
            let after = try told()
            #expect(after[0] == before[0] + 2 && after[1] > before[1], "\(before) \(after)")
            // So is what was read, and what a browser has shown.
            _ = try await ben.visit("/inbox").press("Mark all as read")
            _ = try await ana.visit("/signups/1").press("Give my place back")
            try await site.execute("UPDATE notice SET read_at = 1")
            _ = try await repeatedly("/nothing", by: ana, in: site, times: 1)
            #expect(try site.count(of: "notice WHERE read_at IS NULL") == 1)
            #expect(try await ben.visit("/inbox").text.contains("Somebody signed up: Serve Saturday lunch"))
            #expect(path.hasPrefix("/opportunities/"))
        }
    }

    @Test func `news that the inbox listed is taken back aloud, and news on a later page of it is not`() async throws {
        try await withTestSite { site in
            _ = try await site.ask(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/opportunities/1").press("Sign up", filling: ["shift": ["1"]])
            let ben = try await site.signIn(.ben, as: .provider)
            let account = try await site.account(of: .ben)
            _ = try await ben.visit("/inbox")
            #expect(try site.count(of: "notice WHERE account_id = \(account) AND NOT is_shown") == 0)
            // More than a page of the inbox comes after what she gives back.
            let page = try await ana.visit("/signups/1").press("Give my place back")
            for _ in 1...60 {
                try await site.execute(
                    """
                    INSERT INTO notice (account_id, kind, detail, subject, at)
                    SELECT account_id, kind, detail, subject, 1 FROM notice
                    WHERE id = (SELECT min(id) FROM notice WHERE account_id = \(account))
                    """)
            }
            _ = try await ben.visit("/inbox")
            let hidden = try site.count(of: "notice WHERE account_id = \(account) AND NOT is_shown")
            #expect(hidden > 0 && hidden < 60)
            let before = try site.count(of: "notice WHERE account_id = \(account)")
            _ = try await page.press("Undo: \(shift)")
            #expect(try site.count(of: "notice WHERE account_id = \(account)") == before - 1)
            // Twin: listed on the page that shows it, it is followed by one that says that it counts again.
            let again = try await ana.visit("/signups/1").press("Give my place back")
            _ = try await ben.visit("/inbox")
            _ = try await again.press("Undo: \(shift)")
            #expect(try site.count(of: "notice WHERE account_id = \(account)") == before + 1)
        }
    }

    @Test func `nobody takes back more than ten things an hour, and what is back already counts for nothing`()
        async throws
    {
        try await withTestSite(limits: true) { site in
            _ = try await site.ask(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/opportunities/1").press("Sign up", filling: ["shift": ["1"]])
            let statuses = try await repeatedly("/signups/1/cancel", by: ana, in: site, times: 11)
            #expect(statuses == Array(repeating: 303, count: 10) + [429])
            let token = try await ana.visit("/help").value(of: "csrf") ?? ""
            #expect(try await ana.submit("/undo/1", [("csrf", token)]).status == 303)
            site.clock.advance(by: .minutes(6))
            #expect(try await ana.submit("/undo/11", [("csrf", token)]).status == 303)
            #expect(try site.count(of: "signup WHERE state = 'confirmed'") == 1)
        }
    }

    @Test func `pressed once more it leads to the same page`() async throws {
        try await withTestSite { site in
            let (_, ana, ben) = try await promised(site)
            let page = try await ana.visit("/opportunities/1").press("Take it back: 3 × Coats")
            for _ in 0..<2 {
                let back = try await page.press("Undo: 3 × Coats")
                #expect(back.status == 200 && back.path == "/opportunities/1")
            }
            _ = try await ben.visit("/opportunities/new?kind=volunteer").press(
                "Keep as draft", filling: ["title": "Lunch"])
            let gone = try await ben.visit("/me/opportunities?list=draft").press("Throw away: Lunch")
            for _ in 0..<2 { #expect(try await gone.press("Undo: Lunch").path.hasPrefix("/me/opportunities")) }
        }
    }

    @Test func `somebody whom staff let only read takes no promise on again`() async throws {
        try await withTestSite { site in
            let (path, ana, _) = try await promised(site)
            let page = try await ana.visit(path.dropLast("/signups".count)).press("Take it back: 3 × Coats")
            let until = site.clock.now + .days(2)
            try await site.execute("UPDATE account SET limited_until = \(until)")
            #expect(try await page.press("Undo: 3 × Coats").status == 403)
            #expect(try site.count(of: "promise WHERE state = 'open'") == 0)
            try await site.execute("UPDATE account SET limited_until = NULL")
            #expect(try await page.press("Undo: 3 × Coats").status == 200)
        }
    }

    @Test func `two things of one page are promised one after the other`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben) {
                $0.kind = .donate
                $0.title = "Winter coats"
                $0.rhythm = nil
                $0.shifts[0] = OpportunityForm.ShiftRow()
                $0.things[0] = OpportunityForm.ThingRow(name: "Coats", wanted: 10)
                $0.things[1] = OpportunityForm.ThingRow(name: "Hats", wanted: 10)
            }
            let page = try await site.signIn(.ana, as: .parent).visit("/opportunities/\(id)")
            for _ in 1...2 { _ = try await page.press("I’ll bring it: Coats", filling: ["count": "3"]) }
            let second = try await page.press("I’ll bring it: Hats", filling: ["count": "2"])
            #expect(second.status == 200 && second.buttons.contains("Take it back: 2 × Hats"), "\(second.problems)")
            #expect(try site.count(of: "promise WHERE state = 'open'") == 2)
        }
    }

    // MARK: Left, called off and withdrawn

    @Test func `a waiting list that was left has its family again, with the turn it had`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.spots = 1 }
            try await site.register([try await site.child("Vy", of: .cleo)], of: .cleo, at: event)
            var waiting: [Browser] = []
            for person in [Person.ana, .family(1)] {
                let child = try await site.child("Mo", of: person)
                let browser = try await site.signIn(person, as: .parent)
                _ = try await browser.visit("/events/\(event)").press(
                    "Join the waiting list", filling: ["child": .text("\(child)")])
                waiting.append(browser)
            }
            let left = try await waiting[0].visit("/registrations/2").press("Leave the waiting list")
            #expect(left.text.contains("You no longer wait for a place at “Kite day”."))
            _ = try await left.press("Undo: Kite day")
            #expect(try site.count(of: "registration WHERE id = 2 AND state = 'waiting' AND turn = 2") == 1)
            // She is before the one who came after her.
            let cleo = try await site.signIn(.cleo, as: .parent)
            _ = try await cleo.visit("/registrations/1").press("Give all places back")
            #expect(try site.count(of: "registration WHERE id = 2 AND state = 'offered'") == 1)
            #expect(try site.count(of: "registration WHERE id = 3 AND state = 'waiting'") == 1)
            // What was canceled meanwhile, nobody waits for.
            let again = try await waiting[1].visit("/registrations/3").press("Leave the waiting list")
            try await site.execute("UPDATE event SET cancelled_at = 1, listed = FALSE WHERE id = \(event)")
            #expect(try await again.press("Undo: Kite day").status == 409)
            #expect(try site.count(of: "registration WHERE id = 3 AND state = 'cancelled'") == 1)
        }
    }

    @Test func `a helper waits for a shift again where they did, and has it if it became free`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben) { $0.shifts[0].spots = 1 }
            let path = "/opportunities/\(id)"
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit(path).press("Sign up", filling: ["shift": ["1"]])
            let cleo = try await site.signIn(.cleo, as: .parent)
            _ = try await cleo.visit(path).press("Wait for a place", filling: ["wait": ["1"], "message": "I am Cleo."])
            let later = try await site.signIn(.family(1), as: .parent)
            _ = try await later.visit(path).press("Wait for a place", filling: ["wait": ["1"]])
            func stop() async throws -> Page {
                let page = try await cleo.visit(path)
                return try await page.press(try #require(page.buttons.first { $0.hasPrefix("Stop waiting: ") }))
            }
            let stopped = try await stop()
            #expect(stopped.text.contains("You no longer wait for a place: Serve Saturday lunch."))
            #expect(try site.count(of: "shift_wait") == 1)
            _ = try await stopped.press("Undo: Serve Saturday lunch")
            #expect(try site.count(of: "shift_wait WHERE id = 1 AND message = 'I am Cleo.'") == 1)
            // The place that was given back meanwhile went to the next; the line stays as it was.
            let again = try await stop()
            _ = try await ana.visit("/signups/1").press("Give my place back")
            _ = try await again.press("Undo: Serve Saturday lunch")
            #expect(try site.count(of: "shift_wait") == 1 && site.count(of: "shift WHERE taken = 1") == 1)
            // Once it began there is nothing to wait for.
            let last = try await stop()
            try await site.execute("UPDATE shift SET starts_at = 1")
            #expect(try await last.press("Undo: Serve Saturday lunch").status == 409)
            #expect(try site.count(of: "shift_wait") == 0)
        }
    }

    @Test func `a child comes along after all, while its place is free`() async throws {
        try await withTestSite { site in
            let id = try await FamiliesHelpTests.shift(site, of: 2)
            let mo = try await site.child("Mo", of: .ana, year: 2020)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/opportunities/\(id)").press(
                "Sign up", filling: ["shift": ["1"], "child": .text("\(mo)")])
            var page = try await ana.visit("/signups/1").press("Stays home: Mo")
            #expect(page.text.contains("The place of Mo was given back."))
            page = try await page.press("Undo: Mo")
            #expect(page.path == "/signups/1" && page.text.contains("with Mo"))
            #expect(try site.count(of: "shift WHERE taken = 2") == 1 && site.count(of: "companion") == 1)
            page = try await page.press("Stays home: Mo")
            let cleo = try await site.signIn(.cleo, as: .parent)
            _ = try await cleo.visit("/opportunities/\(id)").press("Sign up", filling: ["shift": ["1"]])
            #expect(try await page.press("Undo: Mo").status == 409)
            #expect(try site.count(of: "shift WHERE taken = 2") == 1 && site.count(of: "companion") == 0)
        }
    }

    @Test func `a meeting that was called off is on again, unless another is planned or its time has come`()
        async throws
    {
        try await withTestSite { site in
            let (ana, ben, path) = try await PlaydatesTests.matched(in: site)
            func propose(_ day: String) async throws {
                _ = try await ana.visit(path).press(
                    "Propose these times", filling: ["day_1": .text(day), "time_1": "10:00", "place": "The lawn"])
            }
            try await propose("2027-03-22")
            let asked = try await ben.visit(path)
            _ = try await asked.press(try #require(asked.buttons.first { $0.hasPrefix("Meet on ") }))
            func callOff() async throws -> Page {
                try await ana.visit(path).press("Call the meeting off", filling: ["reason": "It rains."])
            }
            let off = try await callOff()
            #expect(off.text.contains("The meeting is off."))
            let on = try await off.press("Undo: Biscuit")
            #expect(on.buttons.contains("Call the meeting off") && !on.text.contains("It rains."))
            #expect(try site.count(of: "meeting WHERE state = 'agreed' AND due_at IS NOT NULL") == 1)
            #expect(try await ben.visit("/inbox").text.contains("On again: the meeting with Clover"))
            // Another one stands.
            var late = try await callOff()
            try await propose("2027-03-23")
            #expect(try await late.press("Undo: Biscuit").status == 409)
            #expect(try site.count(of: "meeting WHERE state = 'agreed'") == 0)
            // Its time has come.
            late = try await callOff()
            try await site.execute("UPDATE meeting SET time_1 = 1")
            #expect(try await late.press("Undo: Biscuit").status == 409)
            #expect(try site.count(of: "meeting WHERE state = 'canceled'") == 2)
        }
    }

    @Test func `a link to a friend that was taken back works again, while there is room`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/kindness/acts/204/challenge")
            let made = try await form.press("Make a link", filling: ["message": "You make the best soup."])
            let link = String((made.html.first("code")?.text ?? "").dropFirst("http://localhost:8080".count))
            let button = "Take it back: Bring soup to a family with a newborn"
            var page = try await ana.visit("/kindness/mine").press(button)
            #expect(page.text.contains("You took the link back."))
            #expect(try await !site.browser().visit(link).text.contains("best soup"))
            page = try await page.press("Undo: Link")
            #expect(try await site.browser().visit(link).text.contains("best soup"))
            page = try await page.press(button)
            let account = try await site.account(of: .ana)
            let now = site.clock.now
            try await site.write { db in
                for _ in 0..<Invitation.mostChallenges {
                    try OneTimeLink.insert(Token(), .challenge, of: account, until: now + .days(1), in: db)
                }
            }
            #expect(try await page.press("Undo: Link").status == 409)
            #expect(try site.count(of: "challenge WHERE ended = 'replaced'") == 1)
        }
    }
}
