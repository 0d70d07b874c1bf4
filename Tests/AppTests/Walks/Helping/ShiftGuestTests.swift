import Database
import Testing

@testable import App

/// Helpers without an account, whom an organization adds to a shift.
@Suite struct ShiftGuestTests {
    /// *Serve Saturday lunch* of Ben’s, with Otto in its shift.
    private func added(_ site: TestSite, spots: Int = 4) async throws -> (path: String, ben: Browser, slip: Page) {
        let path = "/opportunities/\(try await site.ask(by: .ben) { $0.shifts[0].spots = spots })"
        let ben = try await site.signIn(.ben, as: .provider)
        let slip = try await ben.visit(path + "/signups").follow("Add somebody")
            .press("Add", filling: ["name": "Otto", "phone": "408 555 0188", "shift": "1"])
        return (path, ben, slip)
    }

    private func taken(_ site: TestSite) throws -> Int {
        try #require(try site.read { db in try db.value("SELECT taken FROM shift WHERE id = 1") })
    }

    @Test func `an organization adds a helper, who has a place at once and stands on the list`() async throws {
        try await withTestSite { site in
            let (path, ben, slip) = try await added(site)
            #expect(slip.heading == "Otto" && slip.text.contains("Saturday, March 27"))
            #expect(try taken(site) == 1)
            let list = try await ben.visit(path + "/signups")
            #expect(list.text.contains("Otto") && list.text.contains("408 555 0188"))
            #expect(try await ben.visit(path + "/signups?as=csv").string.contains("\"Otto\""))
            #expect(try await !site.browser().visit(path).string.contains("Otto"))
            let token = list.value(of: "csrf") ?? ""
            let pairs = [("csrf", token), ("once", "without-any-shift-at-all"), ("name", "Uwe")]
            let none = try await ben.submit(path + "/people/new", pairs)
            #expect(none.problems == ["Choose a shift."] && none.value(of: "name") == "Uwe")
        }
    }

    @Test func `an organization reads and prints the phone of a helper who chose so, and no other`() async throws {
        try await withTestSite { site in
            let path = "/opportunities/\(try await site.ask(by: .ben))"
            try await site.family(of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit(path).press("Sign up", filling: ["shift": ["1"]])
            let ben = try await site.signIn(.ben, as: .provider)
            let before = try await ben.visit(path + "/signups")
            #expect(before.html.all(ofClass: "paper-only").map(\.text) == ["Serve Saturday lunch"])
            #expect(!before.text.contains("408 555 0100"))
            #expect(try await !ben.visit(path + "/signups?as=csv").string.contains("408 555 0100"))
            _ = try await ana.visit("/me/family").press("Save", filling: ["shares_phone": .tick(true)])
            #expect(try await ben.visit(path + "/signups").text.contains("408 555 0100"))
            #expect(try await ben.visit(path + "/signups?as=csv").string.contains("408 555 0100"))
            // Nobody calls somebody who is suspended.
            let account = try await site.account(of: .ana)
            try await site.execute("UPDATE account SET suspended_at = 1 WHERE id = \(account)")
            #expect(try await !ben.visit(path + "/signups").text.contains("408 555 0100"))
        }
    }

    @Test func `how a helper is reached is on the list until 90 days after it, then the name alone`() async throws {
        try await withTestSite { site in
            let shift = try await site.ask(by: .ben)
            let coats = try await site.ask(by: .ben) { form in
                form.kind = .donate
                (form.rhythm, form.shifts[0]) = (nil, .init())
                form.things[0] = .init(name: "Coats", wanted: 20)
            }
            let regular = try await site.ask(by: .ben) {
                ($0.rhythm, $0.hours, $0.shifts[0]) = (.regular, 2, .init())
            }
            try await site.family(of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/me/family").press("Save", filling: ["shares_phone": .tick(true)])
            _ = try await ana.visit("/opportunities/\(shift)").press("Sign up", filling: ["shift": ["1"]])
            _ = try await ana.visit("/opportunities/\(regular)").press("Sign up")
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            _ = try await site.write(at: now) { tx in
                try Promise.make(2, of: ID(1), by: account, at: coats, once: "coats", in: tx)
            }
            try await site.execute("UPDATE promise SET waits = TRUE")
            let ben = try await site.signIn(.ben, as: .provider)
            func seen(_ id: ID<Opportunity>) async throws -> (name: Bool, phone: Bool, email: Bool) {
                let list = try await ben.visit("/opportunities/\(id)/signups").text
                let sheet = try await ben.visit("/opportunities/\(id)/signups?as=csv").string
                for text in ["Ana", "408 555 0100", "ana-ortiz@example.org"] {
                    #expect(list.contains(text) == sheet.contains(text), "\(text)")
                }
                return (
                    list.contains("Ana"), list.contains("408 555 0100"), list.contains("ana-ortiz@example.org")
                )
            }
            // Twin: as long as the rule has it, all of it is there.
            for days in [89, 91] {
                let (end, isThere) = (now - .days(days), days < 90)
                try await site.execute("UPDATE shift SET starts_at = \(end - .hours(3)), ends_at = \(end)")
                try await site.execute("UPDATE promise SET ends_at = \(end)")
                try await site.execute("UPDATE opportunity SET closed_at = \(end) WHERE id = \(regular)")
                #expect(try await seen(shift) == (true, isThere, isThere), "\(days)")
                #expect(try await seen(regular) == (true, isThere, isThere), "\(days)")
                #expect(try await seen(coats) == (true, false, isThere), "\(days)")
            }
            // What still goes on keeps its helpers within reach.
            try await site.execute("UPDATE opportunity SET closed_at = NULL WHERE id = \(regular)")
            #expect(try await seen(regular) == (true, true, true))
        }
    }

    @Test func `a full shift takes nobody; taken off, the place goes to the member who waits`() async throws {
        try await withTestSite { site in
            let (path, ben, slip) = try await added(site, spots: 1)
            let old = try await ben.visit(path + "/people/new")
            #expect(old.text.contains("All places are taken."))
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit(path).press("Wait for a place", filling: ["wait": ["1"]])
            #expect(try site.count(of: "shift_wait") == 1)
            let off = try await slip.press("Yes, take off the list")
            #expect(try taken(site) == 1 && site.count(of: "signup WHERE state = 'confirmed'") == 1)
            let full = "All places in this shift are taken. You can add some where you change the shifts."
            let back = try await off.press("Put back on the list")
            #expect(back.problems == [full] && back.problemsLead && back.title.hasPrefix("Error: "))
            #expect(try taken(site) == 1)
        }
    }

    @Test func `a member takes the place over`() async throws {
        try await withTestSite { site in
            let (path, ben, _) = try await added(site)
            let code: String = try #require(try site.read { db in try db.value("SELECT code FROM guest") })
            let ana = try await site.signIn(.ana)
            let form = try await ana.visit("/claim/\(code)")
            #expect(form.text.contains("Whose place is it?") && !form.text.contains("(optional)"))
            let done = try await form.press("Take over the place", filling: ["person": "me"])
            #expect(done.path.hasPrefix("/signups/") && done.flash == "The place is yours now.")
            #expect(try taken(site) == 1 && site.count(of: "guest") == 0)
            #expect(try await !ben.visit(path + "/signups").text.contains("Otto"))
            // Their own place is given back as any.
            _ = try await done.press("Give my place back")
            #expect(try taken(site) == 0)
        }
    }

    // MARK: Hours

    /// The shift is over since yesterday.
    private func over(_ site: TestSite) async throws -> (path: String, ben: Browser, slip: Page) {
        let (path, _, slip) = try await added(site)
        site.clock.advance(by: .days(8))
        return (path, try await site.signIn(.ben, as: .provider), slip)
    }

    @Test func `their hours are confirmed and corrected with all others, and stand on the sheet and in the sums`()
        async throws
    {
        try await withTestSite { site in
            let (path, ben, slip) = try await over(site)
            let list = try await ben.visit(path + "/signups")
            #expect(list.value(of: "in-g1-2027-03-27") == "11:00" && list.value(of: "out-g1-2027-03-27") == "14:00")
            #expect(list.text.contains("added by hand") && !list.text.contains("hasn’t said how long"))
            for _ in 0..<2 {
                let done = try await list.press(
                    "Confirm hours for all who came", filling: ["out-g1-2027-03-27": "12:30"])
                #expect(done.flash?.contains("They are told") != true, "nobody tells them")
                #expect(done.path == path + "/signups" && done.text.contains("11 AM to 12:30 PM · 1.5 hours"))
            }
            #expect(
                try site.count(
                    of: """
                        contribution WHERE guest_id = 1 AND account_id IS NULL AND confirmed = 90 AND in_minute = 660
                            AND out_minute = 750 AND helper_name = 'Otto'
                        """) == 1)
            #expect(try site.count(of: "organization_total WHERE minutes = 90 AND helpers = 1") == 1)
            #expect(try site.count(of: "organization_year WHERE minutes = 90 AND helpers = 1") == 1)
            #expect(try site.count(of: "month_total WHERE what = 'minutes' AND count = 90") == 1)
            let file = try await ben.visit("/me/opportunities/hours?as=csv").string
            let line = file.split(separator: "\r\n").first { $0.contains("Otto") } ?? ""
            for words in ["180 Park Ave", "2027-03-27", "\"11:00\",\"12:30\",\"1.5\"", "Ben Ruiz", "Serve Saturday"] {
                #expect(line.contains(words), "\(words)")
            }
            #expect(try await ben.visit("/me/opportunities/hours").text.contains("Otto"))
            _ = try await ben.visit(path + "/signups").press(
                "Change these hours: Otto", filling: ["out-g1-2027-03-27": "13:00"])
            #expect(try site.count(of: "organization_total WHERE minutes = 120 AND helpers = 1") == 1)
            // One whose hours count was there, and isn't taken off the list.
            let printed = try await ben.visit(slip.path)
            #expect(!printed.buttons.contains("Yes, take off the list"))
            let token = printed.value(of: "csrf") ?? ""
            _ = try await ben.submit(slip.path + "/remove", [("csrf", token)])
            #expect(try taken(site) == 1 && site.count(of: "guest WHERE off_at IS NULL") == 1)
            // Nobody else confirms them.
            let other = try await site.signIn(.cleo, as: .provider)
            let foreign = try await other.visit("/help").value(of: "csrf") ?? ""
            let pairs = [
                (name: "csrf", value: foreign), (name: "change", value: "g1-2027-03-27"),
                (name: "hours-g1-2027-03-27", value: "1"),
            ]
            #expect(try await other.post(path + "/hours", pairs).status == 404)
            // Their line goes with them, the sums stay.
            site.clock.advance(by: .days(100))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try site.count(of: "guest") == 0 && site.count(of: "contribution") == 0)
            #expect(try site.count(of: "organization_total WHERE minutes = 120 AND helpers = 1") == 1)
        }
    }

    @Test func `somebody added by mistake is taken off the list after the shift, too`() async throws {
        try await withTestSite { site in
            let (_, ben, slip) = try await over(site)
            let printed = try await ben.visit(slip.path)
            #expect(slip.text.contains("If you can’t come") && !printed.text.contains("If you can’t come"))
            #expect(printed.text.contains("added by mistake") && !printed.text.contains("those who wait"))
            _ = try await printed.press("Yes, take off the list")
            #expect(try site.count(of: "guest WHERE off_at > 0") == 1)
        }
    }

    @Test func `that they did not come is noted, and taken back`() async throws {
        try await withTestSite { site in
            let (path, ben, slip) = try await over(site)
            #expect(try await ben.visit(slip.path).text.contains("Thank you for your help"))
            let list = try await ben.visit(path + "/signups")
            for _ in 0..<2 {
                _ = try await list.press(
                    "Confirm hours for all who came", filling: ["missed-g1-2027-03-27": .tick(true)])
            }
            #expect(try site.count(of: "contribution") == 0 && site.count(of: "guest WHERE missed_at > 0") == 1)
            #expect(try await !ben.visit(slip.path).text.contains("Thank you for your help"), "they weren’t there")
            let noted = try await ben.visit(path + "/signups")
            #expect(noted.text.contains("Did not come") && noted.value(of: "in-g1-2027-03-27") == nil)
            let again = try await noted.press("They came after all: Otto")
            #expect(again.value(of: "in-g1-2027-03-27") == "11:00")
            #expect(try site.count(of: "guest WHERE missed_at IS NULL") == 1)
        }
    }

    @Test func `their hours go over to the member who takes the place over, and a person counts once`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben) { form in
                form.shifts[1] = form.shifts[0]
                form.shifts[1].date = Day(iso: "2027-03-26")
            }
            let path = "/opportunities/\(id)"
            _ = try await site.signIn(.ben, as: .provider).visit(path + "/people/new").press(
                "Add", filling: ["name": "Otto", "shift": "1"])
            _ = try await site.signIn(.ana, as: .parent).visit(path).press("Sign up", filling: ["shift": ["2"]])
            site.clock.advance(by: .days(8))
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit(path + "/signups").press("Confirm hours for all who came")
            #expect(try site.count(of: "organization_total WHERE minutes = 360 AND helpers = 2") == 1)
            // Nobody takes over hours that they confirmed.
            let (account, host) = (try await site.account(of: .ana), try await site.account(of: .ben))
            let code: String = try #require(try site.read { db in try db.value("SELECT code FROM guest") })
            let ana = try await site.signIn(.ana, as: .parent)
            let claim = try await ana.visit("/claim/\(code)")
            try await site.execute("UPDATE contribution SET confirmer_id = \(account)")
            #expect(try await claim.press("Take over the place", filling: ["person": "me"]).status == 403)
            #expect(try site.count(of: "guest") == 1 && site.count(of: "signup") == 1)
            // Twin: those that somebody else confirmed.
            try await site.execute("UPDATE contribution SET confirmer_id = \(host)")
            let done = try await claim.press("Take over the place", filling: ["person": "me"])
            #expect(done.path.hasPrefix("/signups/"))
            #expect(
                try site.count(
                    of: """
                        contribution JOIN signup ON signup.id = contribution.signup_id
                        WHERE contribution.account_id = \(account) AND signup.shift_id = 1 AND guest_id IS NULL
                            AND confirmed = 180
                        """) == 1)
            #expect(try site.count(of: "organization_total WHERE minutes = 360 AND helpers = 1") == 1)
            #expect(try site.count(of: "organization_year WHERE minutes = 360 AND helpers = 1") == 1)
            #expect(try await ana.visit("/impact").text.contains("6 of them confirmed"))
            #expect(try await ben.visit("/me/opportunities/hours").text.contains(" · 6 hours"))
        }
    }

    @Test func `once it has begun a full shift takes those who come, and for a week after it`() async throws {
        try await withTestSite { site in
            let (path, ben, _) = try await added(site, spots: 1)
            let now = site.clock.now
            func add(_ name: String) async throws -> Page {
                try await ben.visit(path + "/people/new").press("Add", filling: ["name": .text(name)])
            }
            try await site.execute("UPDATE shift SET starts_at = \(now - .hours(1)), ends_at = \(now + .hours(2))")
            // The one that goes on is chosen.
            #expect(try await add("Uwe").heading == "Uwe" && taken(site) == 2)
            try await site.execute("UPDATE shift SET ends_at = \(now - .days(6))")
            let late = try await add("Ida")
            #expect(late.heading == "Ida" && late.text.contains("Thank you for your help."))
            #expect(try taken(site) == 3 && site.count(of: "shift WHERE spots = 3") == 1)
            _ = try await late.press("Yes, take off the list")
            #expect(try taken(site) == 2)
            try await site.execute("UPDATE shift SET ends_at = \(now - .days(8))")
            #expect(try await ben.visit(path + "/people/new").path == path + "/signups")
        }
    }

    @Test func `the organization is told to call them when a shift is called off`() async throws {
        try await withTestSite { site in
            let (path, ben, _) = try await added(site)
            #expect(try await !ben.visit(path + "/signups").buttons.contains("Told: Otto"))
            let list = try await ben.visit(path + "/close").press(
                "Close it", filling: ["reason": "The kitchen is closed."])
            #expect(list.path == path + "/signups" && list.text.contains("Doesn’t know of a change"))
            #expect(try await !list.press("Told: Otto").text.contains("Otto"))
        }
    }

    @Test func `they are erased 90 days after, and with the organization`() async throws {
        try await withTestSite { site in
            _ = try await added(site)
            site.clock.advance(by: .days(7 + 89))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try site.count(of: "guest") == 1)
            site.clock.advance(by: .days(3))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try site.count(of: "guest") == 0)
        }
        try await withTestSite { site in
            _ = try await added(site)
            let (ben, now) = (try await site.account(of: .ben), site.clock.now)
            try await site.write(at: now) { tx in try Account.leave(ben, in: tx) }
            #expect(try site.count(of: "guest") == 0)
        }
    }

    @Test func `nobody else sees, adds or takes off`() async throws {
        try await withTestSite { site in
            let (path, _, slip) = try await added(site)
            let other = try await site.signIn(.family(1), as: .provider)
            for page in [slip.path, path + "/people/new"] {
                #expect(try await other.visit(page).status == 404, "\(page)")
            }
            for end in ["/remove", "/restore", "/told"] {
                let token = try await other.visit("/me").value(of: "csrf") ?? ""
                #expect(try await other.submit(slip.path + end, [("csrf", token)]).status == 404, "\(end)")
            }
            #expect(try taken(site) == 1)
        }
    }
}
