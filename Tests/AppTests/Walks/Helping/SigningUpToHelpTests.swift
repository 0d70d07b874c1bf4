import Database
import Forms
import Testing

@testable import App

/// Signing up, promising, and the results.
@Suite struct SigningUpToHelpTests {
    @Test func `somebody signs up, stands on the list, and gives the place back`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben)
            #expect(
                try await site.browser().visit("/opportunities/\(id)").links.contains { $0.text == "Log in to sign up" }
            )
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/opportunities/\(id)")
            #expect(try await form.press("Sign up").status == 422)
            let page = try await form.press("Sign up", filling: ["shift": ["1"], "message": "I am Ana."])
            #expect(page.text.contains("You help here"))
            // It stands once, not among those to choose from, too.
            #expect(!page.string.contains("name=\"shift\" value=\"1\""))
            #expect(form.string.contains("name=\"shift\" value=\"1\""))
            _ = try await form.press("Sign up", filling: ["shift": ["1"]])
            #expect(try site.count(of: "signup") == 1)
            #expect(try site.count(of: "shift WHERE taken = 1") == 1)
            #expect(try await ana.visit("/week").text.contains("Serve Saturday lunch"))
            #expect(try await ana.visit("/").text.contains("Serve Saturday lunch"))
            let visitor = try await site.browser().visit("/opportunities/\(id)")
            #expect(visitor.text.contains("11 of 12 places left") && !visitor.text.contains("Ana"))
            let ben = try await site.signIn(.ben, as: .provider)
            let list = try await ben.visit("/opportunities/\(id)/signups")
            #expect(list.text.contains("Ana Ortiz") && list.text.contains("I am Ana."))
            #expect(try await ben.visit("/opportunities/\(id)/signups?as=csv").string.contains("Ana Ortiz"))
            #expect(try await ben.visit("/inbox").text.contains("Somebody signed up"))
            #expect(try await ben.visit("/opportunities/\(id)").buttons.contains("Sign up") == false)
            let cleo = try await site.signIn(.cleo, as: .parent)
            #expect(try await cleo.visit("/signups/1").status == 404)
            let token = try await cleo.visit("/help").value(of: "csrf") ?? ""
            #expect(try await cleo.post("/signups/1/cancel", [("csrf", token)]).status == 404)
            _ = try await ana.visit("/signups/1").press("Give my place back")
            #expect(try site.count(of: "shift WHERE taken = 0") == 1)
            #expect(try await ben.visit("/inbox").text.contains("gave a place back"))
        }
    }

    @Test func `before one signs up, a shift says what it doesn’t go together with`() async throws {
        try await withTestSite { site in
            let kites = try await site.publish(by: .cleo) { $0.street = "1 Park Rd" }
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: kites)
            let (lunch, coats) = (
                try await site.ask(by: .ben), try await site.ask(by: .ben) { $0.title = "Sort coats" }
            )
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/opportunities/\(lunch)")
            #expect(form.text.contains("“Kite day” is elsewhere: one adult can’t bring both."), "\(form.text)")
            #expect(!form.text.contains("At the same time you are"))
            _ = try await form.press("Sign up", filling: ["shift": ["1"]])
            // What one holds isn't to choose anymore, so it says nothing.
            #expect(try await !ana.visit("/opportunities/\(lunch)").text.contains("At the same time"))
            let other = try await ana.visit("/opportunities/\(coats)")
            #expect(other.text.contains("At the same time you are at “Serve Saturday lunch”."), "\(other.text)")
            // It is advice.
            _ = try await other.press("Sign up", filling: ["shift": ["2"]])
            #expect(try site.count(of: "signup") == 2)
            // Nobody else reads it.
            #expect(try await !site.browser().visit("/opportunities/\(coats)").text.contains("At the same time"))
        }
    }

    @Test func `shifts that overlap say so before two are ticked in one press`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben) { form in
                for (row, hours) in [(1, (13, 15)), (2, (15, 16))] {
                    form.shifts[row] = OpportunityForm.ShiftRow(
                        date: Day(iso: "2027-03-27"), start: TimeOfDay(hour: hours.0, minute: 0),
                        end: TimeOfDay(hour: hours.1, minute: 0), spots: 2)
                }
            }
            let page = try await site.signIn(.ana, as: .parent).visit("/opportunities/\(id)")
            let rows = page.html.all("label").map(\.text).filter { $0.contains("PM") }
            #expect(rows.count == 3, "\(rows)")
            func row(_ time: String) -> String { rows.first { $0.contains(", \(time) ") } ?? "" }
            #expect(row("11 AM to 2 PM").contains("Overlaps with Saturday, March 27, 1 PM to 3 PM."), "\(rows)")
            #expect(row("1 PM to 3 PM").contains("Overlaps with Saturday, March 27, 11 AM to 2 PM."), "\(rows)")
            #expect(!row("3 PM to 4 PM").contains("Overlaps"), "\(rows)")
            // It is advice.
            let both = try await page.press("Sign up", filling: ["shift": ["1", "2"]])
            #expect(both.status == 200)
            #expect(try site.count(of: "signup") == 2)
        }
    }

    @Test func `the organization says yes or no first, where it wants to`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben) { $0.asksFirst = true }
            let people = [Person.ana, Person.cleo]
            for person in people {
                let browser = try await site.signIn(person, as: .parent)
                let asked = try await browser.visit("/opportunities/\(id)").press(
                    "Ask to help", filling: ["shift": ["1"]])
                #expect(asked.text.contains("You asked to help") && !asked.text.contains("You help here"))
            }
            #expect(try site.count(of: "shift WHERE taken = 2") == 1)
            let ben = try await site.signIn(.ben, as: .provider)
            let list = try await ben.visit("/opportunities/\(id)/signups?promised=1")
            // The page of the list on which they stand comes again.
            for button in ["Say yes: Ana Ortiz", "Say no: Cleo Park"] {
                #expect(try await list.press(button).path == list.path, "\(button)")
            }
            #expect(try site.count(of: "shift WHERE taken = 1") == 1)
            let (ana, cleo) = (try await site.signIn(.ana, as: .parent), try await site.signIn(.cleo, as: .parent))
            #expect(try await ana.visit("/inbox").text.contains("They said yes"))
            #expect(try await ana.visit("/opportunities/\(id)").text.contains("You help here"))
            #expect(try await cleo.visit("/inbox").text.contains("can’t take you"))
            let token = try await cleo.visit("/help").value(of: "csrf") ?? ""
            _ = try await cleo.post("/signups/2/answer", [("csrf", token), ("answer", "yes")])
            #expect(try site.count(of: "signup WHERE state = 'confirmed'") == 1)
        }
    }

    @Test func `what is wrong with a sign-up leads to the shifts or the children`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            let none = try await ana.visit("/opportunities/\(id)").press("Sign up")
            #expect(none.problems == ["Choose a shift."] && none.link("Choose a shift.") == "#shifts")
            #expect(none.html.all { $0["id"] == "shifts" }.count == 1)
        }
    }

    @Test func `shadowing is called that, from the question to the certificate`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben) { ($0.kind, $0.asksFirst) = (.shadow, true) }
            let ana = try await site.signIn(.ana, as: .parent)
            let asked = try await ana.visit("/opportunities/\(id)").press(
                "Ask to come along", filling: ["shift": ["1"], "message": "I study biology."])
            #expect(asked.text.contains("You asked to come along"))
            #expect(try await ana.visit("/signups/1").text.contains("You wrote: “I study biology.”"))
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/").text.contains("1 person would like to come along"))
            #expect(try await ben.visit("/inbox").text.contains("Somebody would like to come along: Serve"))
            _ = try await ben.visit("/opportunities/\(id)/signups").press("Say yes: Ana Ortiz")
            #expect(try await ana.visit("/opportunities/\(id)").text.contains("You come along"))
            site.clock.advance(by: .days(8))
            _ = try await ana.visit("/signups/1").press("Note my hours", filling: ["hours": "2.5"])
            _ = try await ben.visit("/opportunities/\(id)/signups").press("Confirm these hours")
            let sheet = try await ana.visit("/impact").press(
                "Make my certificate", filling: ["name": "Ana Ortiz", "year": "2027"])
            // To the organization nothing was given.
            #expect(try site.count(of: "contribution WHERE confirmed = 150 AND kind = 'shadow'") == 1)
            #expect(try site.count(of: "organization_total WHERE minutes > 0 OR helpers > 0") == 0)
            #expect(try site.count(of: "organization_year") == 0)
            #expect(sheet.heading == "A certificate of shadowing")
            #expect(sheet.text.contains("came along and learned for 2.5 hours in 2027"))
            #expect(!sheet.text.contains("gave"))
        }
    }

    /// Three hundred at once.
    private static func race(
        _ site: TestSite, _ body: @escaping @Sendable (ID<Account>) async throws -> Bool
    ) async throws -> Int {
        let accounts: [ID<Account>] = try await site.write(at: Clock.start) { tx in
            try (0..<300).map { number in
                try Account.insert(
                    email: "racer-\(number)@example.org", username: "racer-\(number)", passwordHash: "x", in: tx)
            }
        }
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            for account in accounts { group.addTask { try await body(account) } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    @Test func `three hundred race for a shift of twelve, and twelve have it`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben)
            let now = site.clock.now
            let taken = try await Self.race(site) { account in
                do {
                    try await site.write(at: now) { tx in
                        try Signup.take([ID(1)], message: "", of: account, at: id, in: tx)
                    }
                    return true
                } catch Signup.Refused.full {
                    return false
                }
            }
            #expect(taken == 12)
            #expect(try site.count(of: "signup") == 12)
            #expect(try site.count(of: "shift WHERE taken = 12") == 1)
        }
    }

    @Test func `three hundred race for ten coats by three, and nine are promised`() async throws {
        try await withTestSite { site in
            let id = try await Self.coats(site)
            let now = site.clock.now
            let taken = try await Self.race(site) { account in
                do {
                    try await site.write(at: now) { tx in
                        try Promise.make(3, of: ID(1), by: account, at: id, once: "o", in: tx)
                    }
                    return true
                } catch Promise.Refused.tooMany {
                    return false
                }
            }
            #expect(taken == 3)
            #expect(try site.count(of: "opportunity WHERE promised = 9 AND wanted = 10") == 1)
            #expect(try site.count(of: "thing WHERE promised = 9") == 1)
        }
    }

    @Test func `without the check in the statement they oversell: shifts and coats`() async throws {
        try await withTestSite { site in
            let (lunch, coats) = (try await site.ask(by: .ben), try await Self.coats(site))
            let now = site.clock.now
            let places: [Int] = try site.read { db in
                try db.all("SELECT spots - taken FROM shift UNION ALL SELECT wanted - promised FROM thing LIMIT 2") {
                    try $0.next()
                }
            }
            #expect(places == [12, 10])
            // Everybody looks first and takes afterwards, as two statements of two transactions do.
            _ = try await Self.race(site) { account in
                try await site.write { db in
                    try db.execute("UPDATE shift SET taken = \(12 - places[0] + 1)")
                    try db.execute("UPDATE thing SET promised = \(10 - places[1] + 3)")
                    try db.execute(
                        """
                        INSERT INTO signup (opportunity_id, account_id, shift_id, state, message, created_at,
                            changed_at)
                        VALUES (\(lunch), \(account), 1, 'confirmed', '', \(now), \(now))
                        """)
                    try db.execute(
                        """
                        INSERT INTO promise (opportunity_id, thing_id, account_id, count, state, once, created_at,
                            ends_at, changed_at)
                        VALUES (\(coats), 1, \(account), 3, 'open', 'o', \(now), \(now), \(now))
                        """)
                }
                return true
            }
            #expect(try site.count(of: "signup WHERE state = 'confirmed'") > 12)
            #expect(try site.read { db in try db.value("SELECT sum(count) FROM promise") ?? 0 } > 10)
        }
    }

    @Test func `of twelve who ask each has one answer, whoever says it, and three hundred race for the rest`()
        async throws
    {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben) { $0.asksFirst = true }
            let (host, now) = (try await site.account(of: .ben), site.clock.now)
            let asked = try await Self.race(site) { account in
                try await site.write(at: now) { tx in
                    do {
                        try Signup.take([ID(1)], message: "", of: account, at: id, in: tx)
                        return true
                    } catch Signup.Refused.full {
                        try Signup.take([], waitingFor: [ID(1)], message: "", of: account, at: id, in: tx)
                        return false
                    }
                }
            }
            #expect(asked == 12)
            // Several people of the organization say yes and no to the same twelve, again and again.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<300 {
                    group.addTask {
                        do {
                            _ = try await site.write(at: now) { tx in
                                try Signup.answer(ID(Int64(number % 12 + 1)), number % 24 < 12, by: host, in: tx)
                            }
                        } catch Refusal.overtaken {
                            // Somebody said the other thing before, and this one reads so.
                        }
                    }
                }
                try await group.waitForAll()
            }
            // What a no gave back has who was next, and nobody twice.
            #expect(try site.count(of: "signup WHERE state IN ('asked', 'confirmed')") == 12)
            #expect(try site.count(of: "signup WHERE id <= 12 AND state IN ('confirmed', 'declined')") == 12)
            #expect(try site.count(of: "shift WHERE taken = 12") == 1)
            let declined = try site.count(of: "signup WHERE state = 'declined'")
            #expect(try site.count(of: "signup") == 12 + declined)
            #expect(try site.count(of: "shift_wait") == 288 - declined)
            // Equal everywhere.
            let ben = try await site.signIn(.ben, as: .provider)
            let list = try await ben.visit("/opportunities/\(id)/signups")
            #expect(list.buttons.count { $0.hasPrefix("Say yes: ") } == declined)
            let file = try await ben.visit("/opportunities/\(id)/signups?as=csv")
            // Those who wait are in it, too.
            #expect(file.string.split(separator: "\r\n").count == 1 + 12 + 288 - declined)
            let visitor = try await site.browser().visit("/opportunities/\(id)")
            #expect(visitor.text.contains("Full") && !visitor.text.contains("of 12 places left"))
        }
    }

    @Test func `without the question whether it was answered, a yes and a no both count`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben) { $0.asksFirst = true }
            let now = site.clock.now
            let ana = try await site.account(of: .ana)
            try await site.write(at: now) { tx in try Signup.take([ID(1)], message: "", of: ana, at: id, in: tx) }
            // Both looked while she waited, and say it afterwards.
            func isAsked() throws -> Bool { try site.count(of: "signup WHERE state = 'asked'") == 1 }
            let (one, other) = (try isAsked(), try isAsked())
            #expect(one && other)
            try await site.execute("UPDATE signup SET state = 'declined'")
            try await site.execute("UPDATE shift SET taken = taken - 1")
            try await site.execute("UPDATE signup SET state = 'confirmed'")
            #expect(try site.count(of: "signup WHERE state = 'confirmed'") == 1)
            #expect(try site.count(of: "shift WHERE taken = 0") == 1)
        }
    }

    @Test func `the table itself refuses a place that isn’t there, whatever the code did`() async throws {
        try await withTestSite { site in
            try await site.ask(by: .ben) { $0.shifts[0].spots = 1 }
            // Two that both saw a place, and then took it without asking again.
            func left() throws -> Int {
                try site.read { db in try db.value("SELECT spots - taken FROM shift WHERE id = 1")! }
            }
            let (one, other) = (try left(), try left())
            #expect(one == 1 && other == 1)
            try await site.execute("UPDATE shift SET taken = taken + 1 WHERE id = 1")
            await #expect(throws: (any Error).self) {
                try await site.execute("UPDATE shift SET taken = taken + 1 WHERE id = 1")
            }
        }
    }

    static func coats(_ site: TestSite) async throws -> ID<Opportunity> {
        try await site.ask(by: .ben) {
            $0.kind = .donate
            $0.title = "Winter coats"
            $0.rhythm = nil
            $0.shifts[0] = OpportunityForm.ShiftRow()
            $0.things[0] = OpportunityForm.ThingRow(name: "Coats", wanted: 10)
        }
    }

    @Test func `coats are promised, taken back, brought, and run out by themselves`() async throws {
        try await withTestSite { site in
            let id = try await Self.coats(site)
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/opportunities/\(id)")
            let page = try await form.press("I’ll bring it: Coats", filling: ["count": "2"])
            #expect(page.text.contains("2 of 10") && page.text.contains("2 × Coats"))
            _ = try await form.press("I’ll bring it: Coats", filling: ["count": "2"])
            #expect(try site.count(of: "promise") == 1)
            _ = try await ana.visit("/week").press("Take it back: 2 × Coats")
            #expect(try site.count(of: "opportunity WHERE promised = 0") == 1)
            _ = try await ana.visit("/opportunities/\(id)").press("I’ll bring it: Coats", filling: ["count": "3"])
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/opportunities/\(id)/signups").press("We got it: 3 × Coats, Ana Ortiz")
            #expect(try await ana.visit("/impact").text.contains("received by King Library"))
            _ = try await ana.visit("/opportunities/\(id)").press("I’ll bring it: Coats", filling: ["count": "4"])
            let keeper = Housekeeping(site: site.site)
            await keeper.tidyUp(at: site.clock.now + .days(13))
            #expect(try site.count(of: "opportunity WHERE promised = 7") == 1)
            await keeper.tidyUp(at: site.clock.now + .days(14))
            await keeper.tidyUp(at: site.clock.now + .days(14))
            #expect(try site.count(of: "opportunity WHERE promised = 3") == 1)
            #expect(try await ana.visit("/inbox").text.contains("ran out"))
        }
    }

    @Test func `hours are said, confirmed, summed, and stand on a certificate that anybody can check`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/opportunities/\(id)").press("Sign up", filling: ["shift": ["1"]])
            let early = try await ana.visit("/signups/1")
            #expect(!early.buttons.contains("Note my hours"))
            site.clock.advance(by: .days(8))
            let shown = try await ana.visit("/impact")
            #expect(shown.text.contains("How long did it take?"))
            let form = try await ana.visit("/signups/1")
            let much = try await form.press("Note my hours", filling: ["hours": "3.5"])
            #expect(much.status == 422 && much.text.contains("3 hours") && much.value(of: "hours") == "3.5")
            _ = try await form.press("Note my hours", filling: ["hours": "2.5"])
            let impact = try await ana.visit("/impact")
            #expect(impact.text.contains("waiting for King Library") && impact.html.all("svg").count > 2)
            #expect(!impact.buttons.contains("Make my certificate"))

            let ben = try await site.signIn(.ben, as: .provider)
            let list = try await ben.visit("/opportunities/\(id)/signups?promised=1")
            #expect(list.value(of: "hours-1-2027-03-27") == "2.5")
            let wrong = try await list.press("Confirm these hours", filling: ["hours-1-2027-03-27": "4"])
            #expect(wrong.status == 422 && wrong.problems.first?.contains("3 hours") == true)
            let done = try await list.press("Confirm these hours", filling: ["hours-1-2027-03-27": "2.5"])
            #expect(done.flash?.contains("Confirmed") == true && done.path == list.path)
            #expect(done.text.contains("Ana Ortiz Saturday, March 27 · 2.5 hours"))
            _ = try await list.press("Confirm these hours")
            #expect(try site.count(of: "organization_total WHERE minutes = 150 AND helpers = 1") == 1)
            #expect(try site.count(of: "contribution WHERE confirmed = 150") == 1)
            #expect(try await ben.visit("/providers/ben-ruiz").text.contains("2.5"))

            let page = try await ana.visit("/impact")
            #expect(page.text.contains("confirmed by King Library"))
            let nothing = try await page.press("Make my certificate", filling: ["name": "Ana Ortiz", "year": "2020"])
            #expect(nothing.status == 422)
            let sheet = try await page.press("Make my certificate", filling: ["name": "Ana Ortiz", "year": "2027"])
            #expect(sheet.path.hasPrefix("/certificates/") && sheet.text.contains("2.5 hours"))
            let checked = try await site.browser().visit(sheet.path)
            #expect(checked.text.contains("Ana Ortiz") && !checked.buttons.contains("Withdraw it"))
            #expect(checked.text.contains("The hours were confirmed under this name."))
            #expect(checked.text.contains("Serve Saturday lunch") && checked.text.contains("Mar 27, 2027"))
            #expect(checked.text.contains("Date and signature"))
            let code = QRCode("http://localhost:8080" + sheet.path)?.path
            #expect(code != nil && checked.html.all("path").contains { $0["d"] == code })
            let other = try await ana.visit("/impact").press(
                "Make my certificate", filling: ["name": "Maria Smith", "year": "2027", "what": .tick(false)])
            #expect(other.text.contains("The name is as its holder wrote it"))
            #expect(!other.text.contains("Serve Saturday lunch") && !other.text.contains("Mar 27"))
            #expect(checked["Referrer-Policy"] == "same-origin")
            let mistyped = try await site.browser().visit("/certificates/AAAAAAAAAAAAAAAAAAAAAAAAAA")
            #expect(mistyped.status == 404 && mistyped.heading == "No certificate has this code")
            let cleo = try await site.signIn(.cleo, as: .parent)
            let token = try await cleo.visit("/help").value(of: "csrf") ?? ""
            #expect(try await cleo.post(sheet.path + "/withdraw", [("csrf", token)]).status == 404)
            // What staff hid stands on no sheet, and comes back when it is shown again.
            try await site.execute("UPDATE opportunity SET hidden_at = 1 WHERE id = \(id)")
            #expect(try await !site.browser().visit(sheet.path).text.contains("Serve Saturday lunch"))
            try await site.execute("UPDATE opportunity SET hidden_at = NULL WHERE id = \(id)")
            #expect(try await site.browser().visit(sheet.path).text.contains("Serve Saturday lunch"))
            _ = try await ana.visit(sheet.path).press("Withdraw it")
            let withdrawn = try await site.browser().visit(sheet.path).text
            #expect(withdrawn.contains("Withdrawn") && !withdrawn.contains("Date and signature"))
            #expect(!withdrawn.contains("Serve Saturday lunch") && !withdrawn.contains("Mar 27"))
            #expect(try site.count(of: "certificate WHERE lines LIKE '%Serve Saturday lunch%'") == 0)
            let csv = try await ana.visit("/impact.csv")
            #expect(csv.string.contains("\"2.5\",\"2.5\""))
        }
    }

    @Test func `nobody confirms somebody else's list, nor their own hours`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben)
            let (ana, ben) = (try await site.account(of: .ana), try await site.account(of: .ben))
            let now = site.clock.now
            await #expect(throws: Signup.Refused.own) {
                try await site.write(at: now) { tx in try Signup.take([ID(1)], message: "", of: ben, at: id, in: tx) }
            }
            try await site.write(at: now) { tx in try Signup.take([ID(1)], message: "", of: ana, at: id, in: tx) }
            let one = Contribution.Confirmation(of: .signup(ID(1)), day: Day(iso: "2027-03-27")!, minutes: 60)
            for (host, at) in [(ana, now + .days(8)), (ben, now)] {
                await #expect(throws: Refusal.self) {
                    try await site.write(at: at) { tx in try Contribution.confirm([one], at: id, by: host, in: tx) }
                }
            }
            #expect(try site.count(of: "contribution") == 0)
        }
    }

    @Test func `a gift is noted for oneself`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/impact")
            let wrong = try await page.press("Note my gift", filling: ["amount": "much", "organization": "Warm Hands"])
            #expect(wrong.status == 422 && wrong.value(of: "organization") == "Warm Hands")
            let noted = try await wrong.press("Note my gift", filling: ["amount": "25.50"])
            #expect(noted.text.contains("$25.50") && noted.text.contains("Warm Hands"))
            _ = try await wrong.press("Note my gift", filling: ["amount": "25.50"])
            #expect(try site.count(of: "contribution WHERE amount = 2550") == 1)
            // One of another year is seen where one is led, and so is its year once it is deleted.
            let earlier = try await ana.visit("/impact").press(
                "Note my gift", filling: ["amount": "7", "organization": "Pool Friends", "day": "2025-05-02"])
            #expect(earlier.path == "/impact?year=2025" && earlier.text.contains("Pool Friends"))
            let note = try #require(earlier.links.first { $0.href.hasPrefix("/impact/gifts/") }).href
            let gone = try await ana.visit(note).press("Delete this note")
            #expect(gone.path == "/impact?year=2025" && !gone.text.contains("Pool Friends"))
        }
    }

    @Test func `a noted gift is changed and deleted by its giver, and by nobody else`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            _ = try await ana.visit("/impact").press(
                "Note my gift", filling: ["amount": "25.50", "organization": "Warm Hands"])
            #expect(try await ana.visit("/impact").links.contains { $0.href == "/impact/gifts/1" })
            let form = try await ana.visit("/impact/gifts/1")
            #expect(form.value(of: "amount") == "25.50" && form.value(of: "day") == "2027-03-20")
            let wrong = try await form.press("Save", filling: ["amount": "much", "organization": "Warm Heads"])
            #expect(wrong.status == 422 && wrong.value(of: "organization") == "Warm Heads")
            let page = try await wrong.press("Save", filling: ["amount": "52", "day": "2026-12-24"])
            #expect(page.path == "/impact?year=2026" && page.text.contains("$52") && page.text.contains("Warm Heads"))
            // The page from before doesn't bring the old amount back unseen.
            let late = try await form.press("Save", filling: ["amount": "30"])
            #expect(late.status == 422 || late.status == 409)
            #expect(try site.count(of: "contribution WHERE amount = 5200") == 1)
            let ben = try await site.signIn(.ben)
            #expect(try await ben.visit("/impact/gifts/1").status == 404)
            let token = try await ben.visit("/help").value(of: "csrf") ?? ""
            #expect(try await ben.post("/impact/gifts/1/delete", [("csrf", token)]).status == 404)
            _ = try await ana.visit("/impact/gifts/1").press("Delete this note")
            #expect(try site.count(of: "contribution") == 0)
        }
    }

    @Test func `one’s own page has one’s figures, needs that one met, and reviews to be deleted`() async throws {
        try await withTestSite { site in
            try await site.provider(of: .ben)
            let ana = try await site.signIn(.ana)
            _ = try await ana.visit("/impact").press(
                "Note my gift", filling: ["amount": "25.50", "organization": "Warm Hands"])
            let (account, host, now) = (
                try await site.account(of: .ana), try await site.account(of: .ben), site.clock.now
            )
            try await site.write(at: now) { tx in
                let day = Day(iso: "2027-03-20")!
                try Deed.record(
                    Deed.Entry(act: KindAct.need, day: day, once: Submission<DeedForm>().once), by: account, in: tx
                )
                try tx.execute(
                    """
                    INSERT INTO review (host_id, account_id, stars, comment, year, created_at)
                    VALUES (\(host), \(account), 4, 'A warm place.', 2027, \(tx.now))
                    """)
                try OrganizationTotal.make(host, in: tx)
                try tx.execute("UPDATE organization_total SET stars_4 = 1")
            }
            var page = try await ana.visit("/me")
            #expect(page.text.contains("$25.50") && page.text.contains("need of a neighbor met"))
            #expect(page.text.contains("Level ") && page.text.contains("points"))
            #expect(page.text.contains("A warm place.") && page.text.contains("4 of 5"))
            #expect(try await ana.visit("/impact").text.contains("1 need of a neighbor met"))
            #expect(try await ana.visit("/impact.csv").string.contains("\"Need of a neighbor met\""))
            let review = try await site.browser().visit("/providers/ben-ruiz").html.all(ofClass: "reviews").first
            #expect(review?.first("time")?["datetime"] == "2027-03-20")
            // It is asked first.
            page = try await page.follow("Delete: King Library")
            #expect(page.text.contains("A warm place.") && page.text.contains("It can’t be taken back."))
            #expect(try site.count(of: "review") == 1)
            page = try await page.press("Delete the review")
            #expect(page.path == "/me" && !page.text.contains("A warm place."))
            #expect(try site.count(of: "review") == 0 && site.count(of: "organization_total WHERE stars_4 = 0") == 1)
        }
    }

    @Test func `somebody old enough for a shift but not for an account reads whom to ask`() async throws {
        try await withTestSite { site in
            let alone = try await site.ask(by: .ben) { $0.ageFrom = 16 }
            let along = try await site.ask(by: .ben) { ($0.ageFrom, $0.withAdult) = (16, true) }
            let words = "Accounts are for adults. Are you younger? Ask King Library together with a parent"
            #expect(try await site.browser().visit("/opportunities/\(alone)").text.contains(words))
            // There they come with somebody who has one.
            let others = try await site.browser().visit("/opportunities/\(along)").text
            #expect(!others.contains("Accounts are for adults"))
            // An adult with an account isn't asked whether they are younger.
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await !ana.visit("/opportunities/\(alone)").text.contains("Accounts are for adults"))
        }
    }

    @Test func `a review is by somebody who took part, once a year, and its sums follow it`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(!(try await ana.visit("/providers/ben-ruiz/reviews").buttons.contains("Publish the review")))
            let token = try await ana.visit("/help").value(of: "csrf") ?? ""
            let refused = try await ana.post(
                "/providers/ben-ruiz/reviews", [("csrf", token), ("stars", "5"), ("comment", "Very good.")])
            #expect(refused.status == 422)
            _ = try await ana.visit("/opportunities/\(id)").press("Sign up", filling: ["shift": ["1"]])
            site.clock.advance(by: .days(22))
            let back = try await site.signIn(.ana, as: .parent)
            let form = try await back.visit("/providers/ben-ruiz/reviews")
            let page = try await form.press("Publish the review", filling: ["stars": "4", "comment": "Good people."])
            #expect(page.text.contains("4 of 5") && page.text.contains("Good people."))
            // Where one writes it, there is now the own one.
            #expect(try await back.visit("/providers/ben-ruiz/reviews").path == "/reviews/1/edit")
            #expect(try site.count(of: "organization_total WHERE stars_4 = 1") == 1)
            #expect(
                try await form.press("Publish the review", filling: ["stars": "1", "comment": "Again."]).status == 409)
            let ben = try await site.signIn(.ben, as: .provider)
            let answered = try await ben.visit("/reviews/1/answer").press(
                "Publish the answer", filling: ["answer": "Thank you!"])
            #expect(answered.text.contains("King Library answers"))
            #expect(try await ben.visit("/reviews/1/answer").status == 404)
            #expect(try await ben.visit("/reviews/1/edit").status == 404)
            _ = try await back.visit("/reviews/1/edit").press("Save", filling: ["stars": "2"])
            #expect(try site.count(of: "organization_total WHERE stars_4 = 0 AND stars_2 = 1") == 1)
            try await site.write(at: site.clock.now) { tx in try Review.hide(ID(1), at: Clock.start, in: tx) }
            #expect(try site.count(of: "organization_total WHERE stars_2 = 0") == 1)
            try await site.write(at: site.clock.now) { tx in try Review.hide(ID(1), at: nil, in: tx) }
            let asked = try await back.visit("/reviews/1/edit").follow("Delete the review")
            #expect(asked.text.contains("and with them what King Library answered"))
            #expect(try await ben.visit("/reviews/1/delete").status == 404)
            _ = try await asked.press("Delete the review")
            #expect(try site.count(of: "organization_total WHERE stars_2 = 0") == 1)
            #expect(try site.count(of: "review") == 0)
        }
    }

    @Test func `following is a toggle, a number to all, and a page of what is new`() async throws {
        try await withTestSite { site in
            try await site.ask(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/providers/ben-ruiz").press("Follow")
            #expect(page.text.contains("1 neighbor follows"))
            #expect(try await ana.visit("/me/following").cards == ["Serve Saturday lunch"])
            _ = try await ana.visit("/me/following").press("Unfollow: King Library")
            #expect(try site.count(of: "organization_total WHERE followers = 0") == 1)
        }
    }

    @Test func `who leaves gives everything back, and what was counted stays right`() async throws {
        try await withTestSite { site in
            let lunch = try await site.ask(by: .ben)
            let coats = try await Self.coats(site)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/opportunities/\(lunch)").press("Sign up", filling: ["shift": ["1"]])
            _ = try await ana.visit("/opportunities/\(coats)").press("I’ll bring it: Coats", filling: ["count": "2"])
            _ = try await ana.visit("/providers/ben-ruiz").press("Follow")
            let (a, b) = (try await site.account(of: .ana), try await site.account(of: .ben))
            let now = site.clock.now
            try await site.write(at: now) { tx in try Account.leave(a, in: tx) }
            #expect(try site.count(of: "shift WHERE taken = 0") == 1)
            #expect(try site.count(of: "opportunity WHERE promised = 0") == 2)
            #expect(try site.count(of: "organization_total WHERE followers = 0") == 1)
            #expect(try site.count(of: "signup") + site.count(of: "promise") == 0)
            try await site.write(at: now) { tx in try Account.leave(b, in: tx) }
            #expect(try site.count(of: "opportunity WHERE listed") == 0)
            #expect(try site.count(of: "opportunity WHERE description <> ''") == 0)
        }
    }
}
