import Database
import Forms
import Testing

@testable import App

/// Children who come to a shift with an adult of theirs, at organizations that were checked.
@Suite struct FamiliesHelpTests {
    /// A shift of so many, from age six with an adult, at a library that is verified.
    static func shift(
        _ site: TestSite, of spots: Int = 12, _ change: (inout OpportunityForm) -> Void = { _ in }
    ) async throws -> ID<Opportunity> {
        let id = try await site.ask(by: .ben) {
            $0.shifts[0].spots = spots
            $0.ageFrom = 6
            $0.withAdult = true
            change(&$0)
        }
        let until = site.clock.now + .days(300)
        try await site.execute(
            "UPDATE provider SET verified_at = 1, verified_until = \(until), verified_by_checking = 'a call'")
        return id
    }

    @Test func `where children may come along without a place, the page says so`() async throws {
        try await withTestSite { site in
            let free = try await Self.shift(site) { ($0.withAdult, $0.isWithChildren) = (false, true) }
            // Twin: where each has a place, it is chosen on the page.
            let seated = try await Self.shift(site) { $0.isWithChildren = true }
            _ = try await site.child("Mo", of: .ana, year: 2020)
            let ana = try await site.signIn(.ana, as: .parent)
            let words = "Children may come along; they need no place"
            let one = try await ana.visit("/opportunities/\(free)")
            let other = try await ana.visit("/opportunities/\(seated)")
            #expect(one.text.contains(words) && !one.text.contains("Mo 7 years"))
            #expect(!other.text.contains(words) && other.text.contains("Mo 7 years"))
        }
    }

    @Test func `a child is ticked beside its adult, takes a place, and only the organization reads who it is`()
        async throws
    {
        try await withTestSite { site in
            let id = try await Self.shift(site)
            // Mo is seven on that day, Lu two.
            let mo = try await site.child("Mo", of: .ana, year: 2020)
            let lu = try await site.child("Lu", of: .ana, year: 2025)
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/opportunities/\(id)")
            #expect(form.text.contains("Mo 7 years") && form.text.contains("Lu too young: from 6"))
            let page = try await form.press("Sign up", filling: ["shift": ["1"], "child": .text("\(mo)")])
            #expect(page.text.contains("with Mo") && page.text.contains("10 of 12 places left") == false)
            #expect(try site.count(of: "shift WHERE taken = 2") == 1)
            #expect(try await ana.visit("/signups/1").text.contains("with Mo"))
            let week = try await ana.visit("/week?from=2027-03-22")
            #expect(week.text.contains("MeYouMoMo You help"))
            let ben = try await site.signIn(.ben, as: .provider)
            let list = try await ben.visit("/opportunities/\(id)/signups")
            #expect(list.text.contains("Ana Ortiz") && list.text.contains("with Mo, 7 years"))
            #expect(try await ben.visit("/opportunities/\(id)/signups?as=csv").string.contains("Mo, 7 years"))
            // Nobody else: no stranger, no other helper, no letter, no notice, no address.
            let cleo = try await site.signIn(.cleo, as: .parent)
            _ = try await cleo.visit("/opportunities/\(id)").press("Sign up", filling: ["shift": ["1"]])
            for browser in [site.browser(), cleo] {
                for path in [
                    "/opportunities/\(id)", "/opportunities", "/api/opportunities/\(id)", "/providers/ben-ruiz",
                ] {
                    #expect(try await !browser.visit(path).string.contains("Mo,"), "\(path)")
                    #expect(try await !browser.visit(path).string.contains("with Mo"), "\(path)")
                }
            }
            #expect(try await cleo.visit("/signups/1").status == 404)
            #expect(try await !cleo.visit("/opportunities/\(id)/signups?as=csv").string.contains("Mo,"))
            #expect(try site.count(of: "notice WHERE detail LIKE '%Mo%'") == 0)
            #expect(try site.count(of: "letter WHERE detail LIKE '%Mo%'") == 0)
            // Given back, both places are.
            _ = try await ana.visit("/signups/1").press("Give my place back")
            #expect(try site.count(of: "shift WHERE taken = 1") == 1)
            _ = lu
        }
    }

    @Test func `a shift tells what a child who could come along is at meanwhile, at the same address, too`()
        async throws
    {
        try await withTestSite { site in
            let id = try await Self.shift(site)
            // Kite day is at the same address at the same time: bringing Mo there is no trouble, taking Mo along is.
            let kites = try await site.publish(by: .ben)
            let mo = try await site.child("Mo", of: .ana, year: 2020)
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await !ana.visit("/opportunities/\(id)").text.contains("At the same time"))
            try await site.register([mo], of: .ana, at: kites)
            let page = try await ana.visit("/opportunities/\(id)")
            #expect(page.text.contains("At the same time Mo is at “Kite day”."), "\(page.text)")
            // So does the shift that the parent has, where Mo could be added.
            let held = try await page.press("Sign up", filling: ["shift": ["1"]])
            #expect(held.text.contains("At the same time Mo is at “Kite day”."), "\(held.text)")
            let added = try await held.press(
                "Add to this shift", filling: ["add": ["1"], "child": .text("\(mo)")])
            #expect(try site.count(of: "signup WHERE places = 2") == 1)
            #expect(!added.text.contains("At the same time Mo is at"))
        }
    }

    @Test func `a child ticked on a page from before comes along where its adult is meanwhile`() async throws {
        try await withTestSite { site in
            let id = try await Self.shift(site)
            let mo = try await site.child("Mo", of: .ana, year: 2020)
            let ana = try await site.signIn(.ana, as: .parent)
            let (one, two) = (try await ana.visit("/opportunities/\(id)"), try await ana.visit("/opportunities/\(id)"))
            _ = try await one.press("Sign up", filling: ["shift": ["1"]])
            let page = try await two.press("Sign up", filling: ["shift": ["1"], "child": .text("\(mo)")])
            #expect(page.text.contains("with Mo"))
            #expect(try site.count(of: "signup WHERE places = 2") == 1)
            #expect(try site.count(of: "shift WHERE taken = 2") == 1)
        }
    }

    @Test func `who isn't checked anymore reads no child's name, and a shift that moves keeps who comes`()
        async throws
    {
        try await withTestSite { site in
            let id = try await Self.shift(site)
            let mo = try await site.child("Mo", of: .ana, year: 2020)
            _ = try await site.signIn(.ana, as: .parent).visit("/opportunities/\(id)").press(
                "Sign up", filling: ["shift": ["1"], "child": .text("\(mo)")])
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/opportunities/\(id)/signups").text.contains("Mo, 7 years"))
            let shift = try #require(try site.read { db in try Shift.all(of: id, in: db).first })
            let moved = Shift(
                id: shift.id, day: shift.day.advanced(by: 200), start: shift.start, end: shift.end,
                startsAt: shift.startsAt + .days(200), endsAt: shift.endsAt + .days(200), spots: shift.spots,
                taken: shift.taken, lead: shift.lead)
            try await site.write { db in try Companion.follow(moved, in: db) }
            let end = moved.endsAt
            try await site.write(at: end) { tx in _ = try Companion.eraseOld(in: tx) }
            #expect(try site.count(of: "companion") == 1)
            try await site.execute("UPDATE provider SET verified_until = 1")
            for page in ["signups", "signups?as=csv"] {
                #expect(try await !ben.visit("/opportunities/\(id)/\(page)").string.contains("Mo,"), "\(page)")
            }
        }
    }

    @Test func `who isn't one's own, too young, or there already, doesn't come`() async throws {
        try await withTestSite { site in
            let id = try await Self.shift(site)
            let mo = try await site.child("Mo", of: .ana, year: 2020)
            let lu = try await site.child("Lu", of: .ana, year: 2025)
            let zoe = try await site.child("Zoe", of: .cleo, year: 2020)
            let ana = try await site.signIn(.ana, as: .parent)
            let csrf = try await ana.visit("/help").value(of: "csrf") ?? ""
            func send(_ child: ID<Child>, _ more: [(String, String)] = [("shift", "1")]) async throws -> Page {
                try await ana.post(
                    "/opportunities/\(id)/signups",
                    [("csrf", csrf), ("child", "\(child)")] + more.map { (name: $0.0, value: $0.1) })
            }
            #expect(try await send(zoe).status == 404)
            let young = try await send(lu)
            #expect(young.status == 422 && young.text.contains("too young"))
            // Never without the adult in the same sign-up: a child alone is none.
            #expect(try await send(mo, []).status == 422)
            #expect(try site.count(of: "signup") == 0 && site.count(of: "companion") == 0)
            #expect(try site.count(of: "shift WHERE taken = 0") == 1)
            // The other parent can't bring the same child to the same shift.
            try await site.guardian(.cleo, of: .ana)
            _ = try await send(mo)
            let cleo = try await site.signIn(.cleo, as: .parent)
            let twice = try await cleo.visit("/opportunities/\(id)").press(
                "Sign up", filling: ["shift": ["1"], "child": .text("\(mo)")])
            #expect(twice.status == 422 && twice.text.contains("in that shift already"))
            #expect(try site.count(of: "shift WHERE taken = 2") == 1)
            // When the second parent doesn't look after them anymore, nothing of theirs changes.
            _ = try await ana.visit("/me/guardian").press("Yes, look after them alone")
            #expect(try site.count(of: "companion") == 1)
        }
    }

    @Test func `a child is added to a shift that one is in already, by the form that signs up`() async throws {
        try await withTestSite { site in
            let id = try await Self.shift(site, of: 3)
            let ana = try await site.signIn(.ana, as: .parent)
            let signed = try await ana.visit("/opportunities/\(id)").press("Sign up", filling: ["shift": ["1"]])
            // A family with no children on the list isn't asked, and nothing is left to do.
            #expect(signed.html.all(ofClass: "reach").isEmpty && !signed.buttons.contains("Add to this shift"))
            #expect(try await ana.visit("/signups/1").link("Bring a child along") == nil)
            let mo = try await site.child("Mo", of: .ana, year: 2020)
            let zoe = try await site.child("Zoe", of: .ana, year: 2019)
            let lu = try await site.child("Lu", of: .ana, year: 2025)
            let form = try await ana.visit("/signups/1").follow("Bring a child along")
            #expect(form.values(of: "add") == ["1"] && form.html.all(ofClass: "reach").isEmpty)
            #expect(form.text.contains("Lu too young: from 6"))
            let nobody = try await form.press("Add to this shift")
            #expect(nobody.status == 422 && nobody.problems == ["Choose which of your children come along."])
            let page = try await form.press("Add to this shift", filling: ["child": .text("\(mo)")])
            #expect(page.status == 200 && page.text.contains("with Mo"))
            #expect(try site.count(of: "signup WHERE places = 2 AND state = 'confirmed'") == 1)
            #expect(try site.count(of: "signup") == 1 && site.count(of: "companion") == 1)
            #expect(try site.count(of: "shift WHERE taken = 2") == 1)
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/inbox").text.contains("Somebody brings a child along: Serve Saturday lunch"))
            #expect(try await ben.visit("/opportunities/\(id)/signups").text.contains("with Mo, 7 years"))
            // Sent twice, nothing is taken twice; a child who is too young doesn't come this way either.
            let twice = try await form.press("Add to this shift", filling: ["child": .text("\(mo)")])
            #expect(twice.status == 200 && twice.problems.isEmpty)
            #expect(try site.count(of: "companion") == 1 && site.count(of: "shift WHERE taken = 2") == 1)
            let csrf = try #require(form.value(of: "csrf"))
            let young = try await ana.post(
                "/opportunities/\(id)/signups", [("csrf", csrf), ("add", "1"), ("child", "\(lu)")])
            #expect(young.status == 422 && young.text.contains("too young"))
            // The last place goes to somebody else: it is said, and nothing can be ticked.
            let second = try await ana.visit("/signups/1").follow("Bring a child along")
            let (cleo, now) = (try await site.account(of: .cleo), site.clock.now)
            try await site.write(at: now) { tx in try Signup.take([ID(1)], message: "", of: cleo, at: id, in: tx) }
            let full = try await second.press("Add to this shift", filling: ["child": .text("\(zoe)")])
            #expect(full.status == 422 && full.text.contains("aren’t enough places for all of you"))
            #expect(try site.count(of: "shift WHERE taken = 3") == 1 && site.count(of: "companion") == 1)
            #expect(try await ana.visit("/opportunities/\(id)").text.contains("it is full: nobody else can come along"))
            #expect(try await ana.visit("/signups/1").text.contains("The shift is full"))
            // Members who aren't in it add nobody to it.
            let dan = try await site.account(of: .family(1))
            let kid = try await site.child("Kid", of: .family(1), year: 2019)
            let family = try await site.family(of: .family(1))
            await #expect(throws: Signup.Refused.late) {
                try await site.write(at: now) { tx in
                    try Signup.take(
                        [], addingTo: [ID(1)], with: [kid], ofFamily: family, message: "", of: dan, at: id, in: tx)
                }
            }
        }
    }

    @Test func `one child stays home, and its adult and the others still come`() async throws {
        try await withTestSite { site in
            let id = try await Self.shift(site, of: 3)
            let mo = try await site.child("Mo", of: .ana, year: 2020)
            let zoe = try await site.child("Zoe", of: .ana, year: 2019)
            let ana = try await site.signIn(.ana, as: .parent)
            let all = try await ana.visit("/opportunities/\(id)").press(
                "Sign up", filling: ["shift": ["1"], "child": ["\(mo)", "\(zoe)"]])
            #expect(all.buttons.contains { $0.hasPrefix("Give all 3 places back") })
            #expect(try site.count(of: "shift WHERE taken = 3") == 1)
            let page = try await ana.visit("/signups/1").press("Stays home: Mo")
            #expect(page.text.contains("with Zoe") && !page.text.contains("with Mo"))
            #expect(try site.count(of: "shift WHERE taken = 2") == 1 && site.count(of: "companion") == 1)
            #expect(try site.count(of: "signup WHERE places = 2 AND state = 'confirmed'") == 1)
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/inbox").text.contains("Somebody gave a place back: Serve Saturday lunch"))
            // Sent twice, nothing more is given back; nor by somebody else, nor once it began.
            let csrf = try #require(page.value(of: "csrf"))
            let path = "/signups/1/children/cancel"
            #expect(try await ana.submit(path, [("csrf", csrf), ("child", "\(mo)")]).status == 303)
            #expect(try await ana.submit(path, [("csrf", csrf), ("child", "?")]).status == 400)
            let cleo = try await site.signIn(.cleo, as: .parent)
            let token = try #require(try await cleo.visit("/me/settings").value(of: "csrf"))
            #expect(try await cleo.submit(path, [("csrf", token), ("child", "\(zoe)")]).status == 404)
            #expect(try site.count(of: "shift WHERE taken = 2") == 1)
            site.clock.advance(by: .days(30))
            let late = try await site.signIn(.ana, as: .parent)
            let fresh = try #require(try await late.visit("/me/settings").value(of: "csrf"))
            #expect(try await late.submit(path, [("csrf", fresh), ("child", "\(zoe)")]).status == 403)
            #expect(try site.count(of: "companion") == 1)
        }
    }

    @Test func `a child who comes with the other parent leaves nobody to add`() async throws {
        try await withTestSite { site in
            let id = try await Self.shift(site)
            let mo = try await site.child("Mo", of: .ana, year: 2020)
            let ana = try await site.signIn(.ana, as: .parent)
            let cleo = try await site.signIn(.cleo, as: .parent)
            try await site.guardian(.cleo, of: .ana)
            _ = try await cleo.visit("/opportunities/\(id)").press("Sign up", filling: ["shift": ["1"]])
            #expect(try await cleo.visit("/signups/1").link("Bring a child along") != nil)
            _ = try await ana.visit("/opportunities/\(id)").press(
                "Sign up", filling: ["shift": ["1"], "child": .text("\(mo)")])
            #expect(try await cleo.visit("/signups/1").link("Bring a child along") == nil)
            #expect(try await cleo.visit("/opportunities/\(id)").values(of: "add").isEmpty)
        }
    }

    @Test func `what was called off says so, and why, where somebody who helped looks`() async throws {
        try await withTestSite { site in
            let id = try await Self.shift(site)
            let ana = try await site.signIn(.ana, as: .parent)
            let cleo = try await site.signIn(.cleo, as: .parent)
            for browser in [ana, cleo] {
                _ = try await browser.visit("/opportunities/\(id)").press("Sign up", filling: ["shift": ["1"]])
            }
            _ = try await cleo.visit("/signups/2").press("Give my place back")
            site.clock.advance(by: .minutes(1))
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/opportunities/\(id)/close").press(
                "Close it", filling: ["reason": "The kitchen is flooded."])
            let page = try await ana.visit("/signups/1").text
            #expect(page.contains("They called it off") && page.contains("The kitchen is flooded."))
            #expect(!page.contains("Given back"))
            #expect(try await cleo.visit("/signups/2").text.contains("Given back"))
        }
    }

    @Test func `whoever said yes is told of a child who comes along, and the yes stands`() async throws {
        try await withTestSite { site in
            let id = try await Self.shift(site) { $0.asksFirst = true }
            let mo = try await site.child("Mo", of: .ana, year: 2020)
            let ana = try await site.signIn(.ana, as: .parent)
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ana.visit("/opportunities/\(id)").press(
                "Ask to help", filling: ["shift": ["1"], "message": "I can carry a lot."])
            _ = try await ben.visit("/opportunities/\(id)/signups").press("Say yes: Ana Ortiz")
            #expect(try site.count(of: "signup WHERE state = 'confirmed'") == 1)
            _ = try await ana.visit("/opportunities/\(id)").press(
                "Add to this shift", filling: ["add": ["1"], "child": .text("\(mo)")])
            // The yes to Ana stands; the organization is told of the child.
            #expect(try site.count(of: "signup WHERE state = 'confirmed' AND places = 2") == 1)
            #expect(try await ben.visit("/inbox").text.contains("Somebody brings a child along"))
            // Named twice in a form made by hand, the shift is one.
            let lu = try await site.child("Lu", of: .ana, year: 2019)
            let csrf = try await ana.visit("/help").value(of: "csrf") ?? ""
            _ = try await ana.post(
                "/opportunities/\(id)/signups",
                [("csrf", csrf), ("add", "1"), ("add", "1"), ("child", "\(lu)")].map { (name: $0.0, value: $0.1) })
            #expect(try site.count(of: "signup WHERE places = 3") == 1)
        }
    }

    @Test func `the bar on a phone and the lines beside the panel say what is left to do`() async throws {
        try await withTestSite { site in
            let id = try await Self.shift(site) {
                $0.shifts[1] = OpportunityForm.ShiftRow(
                    date: Day(iso: "2027-04-03"), start: $0.shifts[0].start, end: $0.shifts[0].end, spots: 5)
            }
            let ana = try await site.signIn(.ana, as: .parent)
            func bar() async throws -> String? {
                try await ana.visit("/opportunities/\(id)").html.all(ofClass: "reach").first?.text
            }
            #expect(try await bar()?.contains("12 of 12 places left") == true)
            _ = try await ana.visit("/opportunities/\(id)").press("Sign up", filling: ["shift": ["1"]])
            #expect(try await bar()?.contains("5 of 5 places left") == true)
            #expect(try await ana.visit("/opportunities/\(id)").text.contains("a parent agrees by a link"))
            _ = try await ana.visit("/opportunities/\(id)").press("Sign up", filling: ["shift": ["2"]])
            #expect(try await bar() == nil)
            // Once both have begun nobody can be brought anymore.
            try await site.execute("UPDATE shift SET starts_at = \(site.clock.now - .minutes(1))")
            #expect(try await !ana.visit("/opportunities/\(id)").text.contains("a parent agrees by a link"))
            let now = site.clock.now
            try await site.write(at: now) { tx in
                try Opportunity.close(Opportunity.find(id, in: tx)!, reason: "", in: tx)
            }
            let closed = try await ana.visit("/opportunities/\(id)").text
            #expect(closed.contains("Closed") && !closed.contains("No more shifts for now"))
        }
    }

    @Test func `without the mark, or where it doesn't say so, no child is asked for, and none is taken`() async throws {
        try await withTestSite { site in
            let id = try await Self.shift(site)
            let mo = try await site.child("Mo", of: .ana, year: 2020)
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/opportunities/\(id)")
            #expect(form.text.contains("Which of your children come along"))
            for change in ["provider SET verified_until = 1", "opportunity SET with_adult = FALSE"] as [SQL] {
                try await site.execute("UPDATE \(change)")
                #expect(try await !ana.visit("/opportunities/\(id)").text.contains("Who of your children"))
                let page = try await form.press("Sign up", filling: ["shift": ["1"], "child": .text("\(mo)")])
                #expect(page.status == 422 && page.text.contains("Children can’t come along here"))
                #expect(try site.count(of: "signup") == 0)
                let until = site.clock.now + .days(300)
                try await site.execute("UPDATE provider SET verified_until = \(until)")
            }
            // Twin: with both it is taken.
            try await site.execute("UPDATE opportunity SET with_adult = TRUE")
            _ = try await form.press("Sign up", filling: ["shift": ["1"], "child": .text("\(mo)")])
            #expect(try site.count(of: "companion") == 1)
        }
    }

    @Test func `a family waits for as many places as it needs, and whoever fits comes first`() async throws {
        try await withTestSite { site in
            let id = try await Self.shift(site, of: 3)
            let mo = try await site.child("Mo", of: .ana, year: 2020)
            let now = site.clock.now
            let people = try await (1...3).asyncAccounts(site)
            for account in people {
                try await site.write(at: now) { tx in
                    try Signup.take([ID(1)], message: "", of: account, at: id, in: tx)
                }
            }
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/opportunities/\(id)").press(
                "Wait for a place", filling: ["wait": ["1"], "child": .text("\(mo)")])
            #expect(page.text.contains("You wait for a place"))
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/opportunities/\(id)/signups").text.contains("with Mo, 7 years"))
            func giveBack(_ number: Int) async throws {
                try await site.write(at: now) { tx in
                    _ = try Signup.giveBack(ID(Int64(number)), of: people[number - 1], in: tx)
                }
            }
            try await giveBack(1)
            #expect(try site.count(of: "shift WHERE taken = 2") == 1 && site.count(of: "shift_wait") == 1)
            try await giveBack(2)
            #expect(try site.count(of: "shift WHERE taken = 3") == 1 && site.count(of: "shift_wait") == 0)
            #expect(try site.count(of: "signup WHERE places = 2 AND state = 'confirmed'") == 1)
            #expect(try site.count(of: "companion WHERE signup_id IS NOT NULL") == 1)
        }
    }

    @Test func `both parents can't wait with one child, and who waits no more is told why`() async throws {
        try await withTestSite { site in
            let id = try await Self.shift(site, of: 2)
            let mo = try await site.child("Mo", of: .ana, year: 2020)
            let people = try await (1...2).asyncAccounts(site)
            let now = site.clock.now
            for account in people {
                try await site.write(at: now) { tx in
                    try Signup.take([ID(1)], message: "", of: account, at: id, in: tx)
                }
            }
            let ana = try await site.signIn(.ana, as: .parent)
            let cleo = try await site.signIn(.cleo, as: .parent)
            try await site.guardian(.cleo, of: .ana)
            let waiting: [String: Filling] = ["wait": ["1"], "child": .text("\(mo)")]
            _ = try await ana.visit("/opportunities/\(id)").press("Wait for a place", filling: waiting)
            let twice = try await cleo.visit("/opportunities/\(id)").press("Wait for a place", filling: waiting)
            #expect(twice.status == 422 && twice.text.contains("waits for that shift already, with the other parent"))
            #expect(try site.count(of: "shift_wait") == 1)
            // Once more the same parent may.
            _ = try await ana.visit("/opportunities/\(id)")
            let ben = try await site.signIn(.ben, as: .provider)
            let list = "/opportunities/\(id)/signups"
            #expect(try await ben.visit(list).text.contains("with Mo, 7 years"))
            // Without the mark nobody reads of the children, and the turn ends with a word.
            try await site.execute("UPDATE provider SET verified_until = 1")
            let hidden = try await ben.visit(list).text
            #expect(hidden.contains("Ana Ortiz") && !hidden.contains("Mo,"))
            try await site.write(at: now) { tx in
                for (number, account) in people.enumerated() {
                    try Signup.giveBack(ID(Int64(number + 1)), of: account, in: tx)
                }
            }
            #expect(try site.count(of: "shift_wait") == 0 && site.count(of: "companion") == 0)
            #expect(try site.count(of: "signup WHERE state = 'confirmed'") == 0)
            let inbox = try await ana.visit("/inbox").text
            #expect(inbox.contains("You no longer wait for a place: Serve Saturday lunch"))
            #expect(inbox.contains("Children can’t come along there anymore"))
        }
    }

    @Test func `a child isn't brought back into the line by somebody who is its parent no more`() async throws {
        try await withTestSite { site in
            let id = try await Self.shift(site, of: 2)
            let mo = try await site.child("Mo", of: .ana, year: 2020)
            let people = try await (1...2).asyncAccounts(site)
            let now = site.clock.now
            for account in people {
                try await site.write(at: now) { tx in
                    try Signup.take([ID(1)], message: "", of: account, at: id, in: tx)
                }
            }
            let cleo = try await site.signIn(.cleo, as: .parent)
            let (head, second) = (try await site.account(of: .ana), try await site.account(of: .cleo))
            try await site.guardian(.cleo, of: .ana)
            let waiting: [String: Filling] = ["wait": ["1"], "child": .text("\(mo)")]
            let stop = "Stop waiting: Saturday, March 27, 11 AM to 2 PM"
            func leave() async throws -> Page {
                try await cleo.visit("/opportunities/\(id)").press("Wait for a place", filling: waiting).press(stop)
            }
            func undo(_ page: Page) async throws -> Page {
                try await page.press(try #require(page.buttons.first { $0.hasPrefix("Undo: ") }))
            }
            // As a parent she is in it again, with Mo.
            #expect(try await undo(try await leave()).status == 200)
            #expect(try site.count(of: "companion WHERE wait_id IS NOT NULL") == 1)
            let page = try await cleo.visit("/opportunities/\(id)").press(stop)
            try await site.write(at: now) { tx in try Guardian.end(by: head, in: tx) }
            #expect(try await undo(page).status == 404)
            #expect(try site.count(of: "companion") == 0 && site.count(of: "shift_wait") == 0)
            // Not even with what she could take back before, as if nothing had been forgotten.
            #expect(try site.count(of: "undo WHERE account_id = \(second)") == 0)
            await #expect(throws: Refusal.self) {
                try await site.write(at: now) { tx in
                    let place = Shift.Place(id: 99, opportunity: id, message: "", since: tx.now, children: [mo])
                    _ = try place.waitAgain(in: ID(1), of: second, in: tx)
                }
            }
        }
    }

    @Test func `a shift taken back holds as many places as people come`() async throws {
        try await withTestSite { site in
            let id = try await Self.shift(site, of: 4)
            let mo = try await site.child("Mo", of: .ana, year: 2020)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/opportunities/\(id)").press(
                "Sign up", filling: ["shift": ["1"], "child": .text("\(mo)")])
            #expect(try site.count(of: "shift WHERE id = 1 AND taken = 2") == 1)
            let page = try await ana.visit("/signups/1").press("Give my place back")
            _ = try await ana.visit("/me/children/\(mo)/delete").press("Remove")
            let undo = try #require(page.buttons.first { $0.hasPrefix("Undo: ") })
            #expect(try await page.press(undo).status == 200)
            #expect(try site.count(of: "signup WHERE places = 1 AND state = 'confirmed'") == 1)
            #expect(try site.count(of: "shift WHERE id = 1 AND taken = 1") == 1)
        }
    }

    @Test func `whose child came with the other parent meanwhile is told so`() async throws {
        try await withTestSite { site in
            let id = try await Self.shift(site, of: 3)
            let mo = try await site.child("Mo", of: .ana, year: 2020)
            let (ana, first) = (try await site.signIn(.ana, as: .parent), try await site.account(of: .family(1)))
            let (family, now) = (try await site.family(of: .ana), site.clock.now)
            let (head, second) = (try await site.account(of: .ana), try await site.account(of: .cleo))
            try await site.write(at: now) { tx in
                try Signup.take([ID(1)], message: "", of: first, at: id, in: tx)
                try Signup.take([ID(1)], message: "", of: second, at: id, in: tx)
                try Signup.take(
                    [], waitingFor: [ID(1)], with: [mo], ofFamily: family, message: "", of: head, at: id, in: tx)
                // As of before both were looked at.
                try Companion.add([mo], to: ID(2), in: ID(1), in: tx)
                _ = try Signup.giveBack(ID(1), of: first, in: tx)
            }
            #expect(try site.count(of: "shift_wait") == 0)
            let inbox = try await ana.visit("/inbox").text
            #expect(inbox.contains("One of the children is in that shift already, with the other parent"))
        }
    }

    @Test func `a hundred families of two race for twelve places, and six come; without the sum in it they oversell`()
        async throws
    {
        try await withTestSite { site in
            let id = try await Self.shift(site)
            let now = site.clock.now
            var families: [(account: ID<Account>, family: ID<Family>, child: ID<Child>)] = []
            for number in 1...100 {
                let child = try await site.child("Kid", of: .family(number), year: 2020)
                families.append(
                    (
                        try await site.account(of: .family(number)), try await site.family(of: .family(number)), child
                    ))
            }
            let all = families
            let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
                for one in all {
                    group.addTask {
                        do {
                            try await site.write(at: now) { tx in
                                try Signup.take(
                                    [ID(1)], with: [one.child], ofFamily: one.family, message: "", of: one.account,
                                    at: id, in: tx)
                            }
                            return true
                        } catch Signup.Refused.few {
                            return false
                        }
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(taken == 6)
            #expect(try site.count(of: "companion") == 6)
            #expect(try site.count(of: "shift WHERE taken = 12") == 1)
            // Twin: a count of the adults alone lets twelve families in.
            func places() throws -> Int {
                try site.read { db in try db.value("SELECT sum(places) FROM signup") ?? 0 }
            }
            #expect(try places() == 12)
            try await site.execute("DELETE FROM signup")
            try await site.execute("UPDATE shift SET taken = 0")
            for one in all {
                try await site.write { db in
                    guard try db.execute("UPDATE shift SET taken = taken + 1 WHERE taken < spots") == 1 else { return }
                    try db.execute(
                        """
                        INSERT INTO signup (opportunity_id, account_id, shift_id, state, message, places, created_at,
                            changed_at)
                        VALUES (\(id), \(one.account), 1, 'confirmed', '', 2, \(now), \(now))
                        """)
                }
            }
            #expect(try places() > 12)
        }
    }

    @Test func `a child that is removed leaves its shifts, and what is kept of it ends`() async throws {
        try await withTestSite { site in
            let id = try await Self.shift(site)
            let mo = try await site.child("Mo", of: .ana, year: 2020)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/opportunities/\(id)").press(
                "Sign up", filling: ["shift": ["1"], "child": .text("\(mo)")])
            let account = try await site.account(of: .ana)
            let taken = try site.read { db in
                try RetentionRule.helping.exports(of: account).flatMap { try $0.entries(in: db) }.joined()
            }
            #expect(taken.contains("\"children\":\"Mo\""))
            _ = try await ana.visit("/me/children/\(mo)/delete").press("Remove")
            #expect(try site.count(of: "companion") == 0)
            #expect(try site.count(of: "shift WHERE taken = 1") == 1)
            #expect(try site.count(of: "signup WHERE places = 1 AND state = 'confirmed'") == 1)
            let back = try await ana.visit("/me/children").press("Undo: Mo")
            #expect(back.flash?.contains("Some of the places went to others") == true)
            // After ninety days nobody knows who came along.
            let other = try await site.child("Robin", of: .ana, year: 2019)
            let now = site.clock.now
            try await site.write(at: now + .days(90)) { tx in
                try Companion.add([other], to: ID(1), in: ID(1), in: tx)
                #expect(try Companion.eraseOld(in: tx) == 0)
                #expect(try Companion.eraseOld(in: tx.at(now + .days(99))) == 1)
            }
        }
    }

    @Test func `children who are handed to the other parent leave the shifts of the first`() async throws {
        try await withTestSite { site in
            let id = try await Self.shift(site)
            let mo = try await site.child("Mo", of: .ana, year: 2020)
            try await site.family(of: .cleo)
            let (head, second) = (try await site.account(of: .ana), try await site.account(of: .cleo))
            let (family, now) = (try await site.family(of: .ana), site.clock.now)
            try await site.write(at: now) { tx in
                try tx.execute(
                    "INSERT INTO guardian (account_id, head_id, since) VALUES (\(second), \(head), \(tx.now))")
                try Signup.take([ID(1)], with: [mo], ofFamily: family, message: "", of: head, at: id, in: tx)
                try Guardian.handOver(by: head, in: tx)
            }
            #expect(try site.count(of: "companion") == 0)
            #expect(try site.count(of: "shift WHERE taken = 1") == 1)
        }
    }
}

extension ClosedRange<Int> {
    fileprivate func asyncAccounts(_ site: TestSite) async throws -> [ID<Account>] {
        var all: [ID<Account>] = []
        for number in self { all.append(try await site.account(of: .family(number))) }
        return all
    }
}
