import Database
import Forms
import Testing

@testable import App

/// An event's page for each kind of visitor, registering on it, and giving places back.
@Suite struct RegisteringTests {
    private let congratulations = "Congratulations! You are registered for the event."

    // MARK: What each visitor is offered

    @Test func `each visitor is offered the next step`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let path = "/events/\(event)"
            let next = "%2Fevents%2F\(event)"
            var page = try await site.browser().visit(path)
            #expect(page.heading == "Kite day" && page.text.contains("20 of 20 places left"))
            #expect(page.link("Log in to register") == "/login?next=\(next)")
            #expect(page.links.contains { $0 == ("Sign up", "/signup?next=\(next)") })

            page = try await site.signIn(.cleo).visit(path)
            #expect(page.link("Add your family to register") == "/me/family?next=\(next)")
            page = try await site.signIn(.cleo, as: .parent).visit(path)
            #expect(page.link("Add a child to register") == "/me/children/new?next=\(next)")
            try await site.child("Mo", of: .cleo)
            page = try await site.signIn(.cleo, as: .parent).visit(path)
            #expect(page.buttons.contains("Register") && page.text.contains("Mo 6 years on that day"))
            page = try await site.signIn(.cleo, as: .provider).visit(path)
            #expect(!page.buttons.contains("Register"))
            page = try await page.press("Switch to Parent to register")
            #expect(page.path == path && page.buttons.contains("Register"))

            page = try await site.signIn(.ben, as: .provider).visit(path)
            #expect(page.link("Who comes") == "\(path)/registrations" && !page.buttons.contains("Register"))
        }
    }

    @Test func `an event that began, was cancelled, is full or is not there says so`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.spots = 1 }
            try await site.child("Mo", of: .ana)
            let lu = try await site.child("Lu", of: .cleo)
            let ana = try await site.signIn(.ana, as: .parent)
            try await site.register([lu], of: .cleo, at: event)
            var page = try await ana.visit("/events/\(event)")
            #expect(page.text.contains("The only place is taken") && !page.buttons.contains("Register"))
            #expect(page.text.contains("Full"))
            try await site.execute("UPDATE event SET cancelled_at = 1, listed = FALSE")
            page = try await ana.visit("/events/\(event)")
            #expect(page.text.contains("This event was canceled.") && !page.buttons.contains("Register"))
            try await site.execute("UPDATE event SET cancelled_at = NULL, listed = TRUE")
            site.clock.advance(by: .days(7) + .hours(7))
            page = try await ana.visit("/events/\(event)")
            #expect(page.text.contains("This event is on now.") && !page.buttons.contains("Register"))
            site.clock.advance(by: .hours(2))
            page = try await ana.visit("/events/\(event)")
            #expect(page.text.contains("This event is over.") && !page.buttons.contains("Register"))
            for id in ["0", "999", "x", "99999999999999999999"] {
                #expect(try await ana.visit("/events/\(id)").status == 404)
            }
        }
    }

    @Test func `a hidden event is there for its provider and for staff only`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            try await site.child("Mo", of: .ana)
            let form = try await site.signIn(.ana, as: .parent).visit("/events/\(event)")
            try await site.execute("UPDATE event SET hidden_at = 1, listed = FALSE")
            #expect(try await site.browser().visit("/events/\(event)").status == 404)
            #expect(try await form.browser.visit("/events/\(event)").status == 404)
            #expect(try await form.press("Register", filling: ["child": ["1"]]).status == 404)
            #expect(try await site.signIn(.cleo, as: .provider).visit("/events/\(event)").status == 404)
            #expect(try await site.signIn(.ben, as: .provider).visit("/events/\(event)").text.contains("Hidden"))
            #expect(try await site.signIn(.mira, isStaff: true).visit("/events/\(event)").status == 200)
            #expect(try site.count(of: "registration") == 0)
        }
    }

    @Test func `a family with places at a hidden event is led to what it booked, and whom to call`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let id = try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            let ana = try await site.signIn(.ana, as: .parent)
            let ben = try await site.account(of: .ben)
            func look(_ what: String) async throws {
                let page = try await ana.visit("/events/\(event)")
                #expect(page.redirects == ["/registrations/\(id)"] && page.heading.hasPrefix("You are registered"))
                #expect(page.links.contains { $0 == ("Call 408 555 0100", "tel:4085550100") }, "\(what)")
                #expect(page.link("King Library") == nil && page.text.contains("Its page isn’t shown at the moment"))
            }
            try await site.execute("UPDATE event SET hidden_at = 1, listed = FALSE")
            try await look("hidden")
            #expect(try await site.signIn(.cleo, as: .parent).visit("/events/\(event)").status == 404)
            try await site.execute("UPDATE event SET hidden_at = NULL, listed = TRUE")
            try await site.write(at: site.clock.now) { tx in _ = try Account.suspend(ben, in: tx) }
            try await look("suspended")
        }
    }

    // MARK: Registering

    @Test func `one child or several are registered at once, and the places go down`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let mo = try await site.child("Mo", of: .ana)
            let lu = try await site.child("Lu", of: .ana)
            let vy = try await site.child("Vy", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            var page = try await ana.visit("/events/\(event)").press(
                "Register", filling: ["child": ["\(mo)", "\(lu)"]])
            #expect(page.redirects == ["/registrations/1"] && page.heading == congratulations)
            #expect(page.text.contains("Mo has a place") && page.text.contains("Lu has a place"))
            page = try await ana.visit("/events/\(event)")
            #expect(page.text.contains("18 of 20 places left") && page.text.contains("Mo is registered"))
            page = try await page.press("Register", filling: ["child": ["\(vy)"]])
            #expect(page.redirects == ["/registrations/2"])
            page = try await ana.visit("/events/\(event)")
            #expect(page.text.contains("17 of 20 places left") && !page.buttons.contains("Register"))
            #expect(try site.count(of: "registration") == 2)
            #expect(try site.count(of: "registration_person") == 3)
            #expect(try await site.browser().visit("/events").text.contains("17 places left"))
        }
    }

    @Test func `nobody ticked is a problem`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/events/\(event)").press("Register")
            #expect(page.status == 422 && page.problems == ["Choose the children who come."])
            #expect(page.title == "Error: Kite day · Village")
            #expect(page.html.all { $0["id"] == "child" }.count == 1)
        }
    }

    @Test func `a child too young or too old can’t be ticked, nor sent`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) {
                $0.ageFrom = 6
                $0.ageTo = 9
            }
            let mo = try await site.child("Mo", of: .ana)
            let baby = try await site.child("Baby", of: .ana, year: 2026)
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/events/\(event)")
            #expect(page.text.contains("Baby 1 year: this event is for 6 to 9 years"))
            let form = try page.form(with: "Register")
            #expect(form.offers("child", "\(mo)") && !form.offers("child", "\(baby)"))
            let sent = try await ana.post(form.action, form.pairs + [("child", "\(mo)"), ("child", "\(baby)")])
            #expect(sent.status == 422 && sent.problems.count == 1)
            #expect(sent.values(of: "child") == ["\(mo)"] || sent.values(of: "child") == ["\(mo)", "\(baby)"])
            #expect(try site.count(of: "registration") == 0)
        }
    }

    @Test(
        arguments: [(6, nil, 3, true), (6, nil, 4, false), (nil, 5, 3, true), (nil, 5, 2, false), (6, nil, 2, true)]
            as [(
                Int?, Int?, Int, Bool
            )])
    func `in the birth month both ages count`(from: Int?, to: Int?, month: Int, isFit: Bool) async throws {
        try await withTestSite { site in
            // On 27 March 2027: born in March 2021, five or six years old.
            let event = try await site.publish(by: .ben) {
                $0.ageFrom = from
                $0.ageTo = to
            }
            let mo = try await site.child("Mo", of: .ana, month: month, year: 2021)
            let ana = try await site.signIn(.ana, as: .parent)
            var page = try await ana.visit("/events/\(event)")
            #expect(page.buttons.contains("Register") == isFit)
            if !isFit {
                #expect(
                    page.text.contains("Mo 5 years: this event is for")
                        || page.text.contains("Mo 6 years: this event is for"))
            }
            let token = try #require(try await ana.visit("/me").value(of: "csrf"))
            page = try await ana.post("/events/\(event)/registrations", [("csrf", token), ("child", "\(mo)")])
            #expect(page.status == (isFit ? 200 : 422))
            #expect(try site.count(of: "registration_person") == (isFit ? 1 : 0))
        }
    }

    @Test func `fewer places than children: nobody is registered, and it says so plainly`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.spots = 2 }
            let mo = try await site.child("Mo", of: .ana)
            let lu = try await site.child("Lu", of: .ana)
            let vy = try await site.child("Vy", of: .cleo)
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/events/\(event)")
            try await site.register([vy], of: .cleo, at: event)
            var page = try await form.press("Register", filling: ["child": ["\(mo)", "\(lu)"]])
            #expect(page.status == 422)
            #expect(page.problems == ["There is only 1 place left. Nobody was registered."])
            #expect(page.text.contains("1 of 2 places left") && page.values(of: "child") == ["\(mo)", "\(lu)"])
            #expect(try site.count(of: "registration") == 1)
            #expect(try site.count(of: "registration_person") == 1)
            // One of them can still come.
            page = try await page.press("Register", filling: ["child": ["\(mo)"]])
            #expect(page.heading == congratulations)
            page = try await form.press("Register", filling: ["child": ["\(lu)"]])
            #expect(try site.count(of: "registration_person") == 2)
        }
    }

    @Test func `a full event registers nobody`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.spots = 1 }
            let mo = try await site.child("Mo", of: .ana)
            let vy = try await site.child("Vy", of: .cleo)
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/events/\(event)")
            try await site.register([vy], of: .cleo, at: event)
            let page = try await form.press("Register", filling: ["child": ["\(mo)"]])
            #expect(page.status == 422 && page.problems == ["There is no place left. Nobody was registered."])
            #expect(try site.count(of: "registration_person") == 1)
        }
    }

    @Test func `a page from before says which child has a place already`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let (mo, lu) = (try await site.child("Mo", of: .ana), try await site.child("Lu", of: .ana))
            let form = try await site.signIn(.ana, as: .parent).visit("/events/\(event)")
            try await site.register([mo], of: .ana, at: event)
            let page = try await form.press("Register", filling: ["child": ["\(mo)", "\(lu)"]])
            #expect(page.status == 422 && page.problems == ["Mo is registered already."])
            #expect(page.value(of: "child") == "\(lu)", "the other one stays ticked")
            try await site.register([lu], of: .ana, at: event)
            let last = try await form.press("Register", filling: ["child": ["\(lu)"]])
            #expect(last.status == 422 && last.problems == ["Lu is registered already."])
            #expect(try site.count(of: "registration_person") == 2)
        }
    }

    @Test func `the same form twice is one registration`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let mo = try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/events/\(event)")
            async let one = form.press("Register", filling: ["child": ["\(mo)"]])
            async let two = form.press("Register", filling: ["child": ["\(mo)"]])
            #expect(try await [one.path, two.path] == ["/registrations/1", "/registrations/1"])
            #expect(try await form.press("Register", filling: ["child": ["\(mo)"]]).path == "/registrations/1")
            #expect(try site.count(of: "registration") == 1)
            #expect(try site.count(of: "event WHERE taken = 1") == 1)
        }
    }

    @Test func `the form that took the last place, sent again, finds what it made`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.spots = 1 }
            let mo = try await site.child("Mo", of: .ana)
            let form = try await site.signIn(.ana, as: .parent).visit("/events/\(event)")
            for _ in 1...2 {
                #expect(try await form.press("Register", filling: ["child": ["\(mo)"]]).path == "/registrations/1")
            }
            #expect(try site.count(of: "registration") == 1)
        }
    }

    @Test func `a child registered in another tab is not registered again`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let mo = try await site.child("Mo", of: .ana)
            let lu = try await site.child("Lu", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            let tab = try await ana.visit("/events/\(event)")
            _ = try await ana.visit("/events/\(event)").press("Register", filling: ["child": ["\(mo)"]])
            let page = try await tab.press("Register", filling: ["child": ["\(mo)", "\(lu)"]])
            #expect(page.status == 422)
            #expect(try site.count(of: "registration_person") == 1)
            #expect(try site.count(of: "event WHERE taken = 1") == 1)
        }
    }

    @Test func `another family’s child can’t be registered`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            try await site.child("Mo", of: .ana)
            let vy = try await site.child("Vy", of: .cleo)
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/events/\(event)").form(with: "Register")
            for child in ["\(vy)", "999", "x", "-1"] {
                #expect(try await ana.post(form.action, form.pairs + [("child", child)]).status == 422)
            }
            #expect(try site.count(of: "registration") == 0)
        }
    }

    @Test func `what began or was cancelled meanwhile takes nobody anymore`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let mo = try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/events/\(event)")
            try await site.execute("UPDATE event SET cancelled_at = 1, listed = FALSE")
            var page = try await form.press("Register", filling: ["child": ["\(mo)"]])
            #expect(page.status == 422 && page.problems == ["This event was canceled."])
            try await site.execute("UPDATE event SET cancelled_at = NULL, listed = TRUE")
            site.clock.advance(by: .days(7) + .hours(7))
            page = try await form.press("Register", filling: ["child": ["\(mo)"]])
            #expect(page.status == 422 && page.problems == ["This event has begun already."])
            #expect(try site.count(of: "registration") == 0)
        }
    }

    @Test func `where people may come late they register until it ends, and can give the place back`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["late": true])
            _ = try await page.press("Publish the change")
            let mo = try await site.child("Mo", of: .ana)
            let lu = try await site.child("Lu", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/events/\(event)")
            site.clock.advance(by: .days(7) + .hours(8))
            let done = try await ana.visit("/events/\(event)").press("Register", filling: ["child": ["\(mo)"]])
            #expect(done.heading.hasPrefix("Congratulations!"))
            _ = try await done.press("Give all places back")
            #expect(try site.count(of: "event WHERE taken = 0") == 1)
            site.clock.advance(by: .hours(1))
            #expect(try await form.press("Register", filling: ["child": ["\(lu)"]]).status == 422)
            let account = try await site.account(of: .ana)
            let now = site.clock.now
            await #expect(throws: Event.NoRoom.self) {
                _ = try await site.write(at: now) { tx in
                    try Registration.insert([lu], of: account, at: event, once: "late", in: tx)
                }
            }
        }
    }

    @Test func `visitors log in, and providers change hats first`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let page = try await site.browser().post("/events/\(event)/registrations", [("child", "1")])
            #expect(page.status == 422 && page.heading == "Log in to go on")
            _ = try await site.signIn(.cleo, as: .parent)
            let cleo = try await site.signIn(.cleo, as: .provider)
            let token = try #require(try await cleo.visit("/me").value(of: "csrf"))
            let sent = try await cleo.post("/events/\(event)/registrations", [("csrf", token), ("child", "1")])
            #expect(sent.status == 403 && sent.heading == "This page is for parents")
            #expect(try await sent.press("Switch to Parent").status == 200)
        }
    }

    // MARK: Giving back

    @Test func `one child’s place is given back, then the others`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let mo = try await site.child("Mo", of: .ana)
            let lu = try await site.child("Lu", of: .ana)
            let registration = try await site.register([mo, lu], of: .ana, at: event)
            let ana = try await site.signIn(.ana, as: .parent)
            var page = try await ana.visit("/registrations/\(registration)")
            page = try await page.press("Give this place back: Mo")
            #expect(page.path == "/registrations/\(registration)")
            #expect(page.text.contains("The place of Mo was given back."))
            #expect(page.text.contains("Mo Place given back") && page.text.contains("Lu has a place"))
            #expect(page.heading == congratulations)
            #expect(try site.count(of: "event WHERE taken = 1") == 1)
            // Nobody is congratulated for weeks.
            site.clock.advance(by: .minutes(10))
            #expect(try await ana.visit(page.path).heading == "You are registered for the event")
            let again = page
            page = try await page.press("Give all places back")
            #expect(page.heading == "The places are given back")
            #expect(try site.count(of: "event WHERE taken = 0") == 1)
            #expect(try site.count(of: "registration WHERE state = 'cancelled'") == 1)
            // Pressed twice, nothing more is given.
            page = try await again.press("Give all places back")
            #expect(try site.count(of: "event WHERE taken = 0") == 1)
            // There is room for them again.
            page = try await ana.visit("/events/\(event)").press("Register", filling: ["child": ["\(mo)", "\(lu)"]])
            #expect(page.path == "/registrations/2" && page.heading == congratulations)
        }
    }

    @Test(arguments: ["x", "0", "999", "-1", ""])
    func `a child that isn’t in the party gives nobody’s place back`(child: String) async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let mo = try await site.child("Mo", of: .ana)
            let lu = try await site.child("Lu", of: .ana)
            let registration = try await site.register([mo, lu], of: .ana, at: event)
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/registrations/\(registration)").form(with: "Give all places back")
            _ = try await ana.post(form.action, form.pairs + [("child", child)])
            #expect(try site.count(of: "event WHERE taken = 2") == 1)
            #expect(try site.count(of: "registration_person WHERE cancelled_at IS NULL") == 2)
        }
    }

    @Test func `once it began nothing is given back`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let mo = try await site.child("Mo", of: .ana)
            let registration = try await site.register([mo], of: .ana, at: event)
            site.clock.advance(by: .days(7))
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/registrations/\(registration)")
            site.clock.advance(by: .hours(7))
            #expect(try await form.press("Give all places back").status == 403)
            // Nor by a request that passed the page's check just before.
            let account = try await site.account(of: .ana)
            let now = site.clock.now
            await #expect(throws: Refusal.notFound) {
                try await site.write(at: now) { tx in
                    try Registration.giveBack(registration, children: [], of: account, in: tx)
                }
            }
            #expect(try site.count(of: "event WHERE taken = 1") == 1)
            let page = try await ana.visit("/registrations/\(registration)")
            #expect(page.status == 200 && !page.buttons.contains("Give all places back"))
        }
    }

    @Test func `a stranger’s registration is not found`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let mo = try await site.child("Mo", of: .ana)
            let registration = try await site.register([mo], of: .ana, at: event)
            let cleo = try await site.signIn(.cleo, as: .parent)
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await cleo.visit("/registrations/\(registration)").status == 404)
            let token = try #require(try await cleo.visit("/me").value(of: "csrf"))
            #expect(try await cleo.post("/registrations/\(registration)/cancel", [("csrf", token)]).status == 404)
            #expect(try await ben.visit("/registrations/\(registration)").status == 404)
            #expect(try await site.browser().visit("/registrations/\(registration)").path.hasPrefix("/login"))
            #expect(try await cleo.visit("/registrations/999").status == 404)
            #expect(try site.count(of: "event WHERE taken = 1") == 1)
        }
    }

    // MARK: Who comes

    @Test func `the provider sees who comes, and nobody else does`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let path = "/events/\(event)/registrations"
            let mo = try await site.child("Mo", of: .ana, month: 3, year: 2020)
            let lu = try await site.child("Lu", of: .ana)
            let vy = try await site.child("Vy", of: .cleo)
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit(path).text.contains("Nobody yet"))
            try await site.register([mo, lu], of: .ana, at: event)
            let registration = try await site.register([vy], of: .cleo, at: event)

            var page = try await ben.visit(path)
            #expect(page.text.contains("3 of 20 places taken"))
            #expect(page.text.contains("Mo 6 or 7 years Ana Ortiz 408 555 0100 ana-ortiz@example.org"))
            #expect(page.text.contains("Lu 6 years Ana Ortiz"))
            #expect(page.text.contains("Vy 6 years Cleo Park 408 555 0177 cleo-park@example.org"))
            // A child's name is no title and no cacheable page.
            #expect(!page.title.contains("Mo") && page["Cache-Control"] == "private, no-store")

            _ = try await site.signIn(.cleo, as: .parent).visit("/registrations/\(registration)")
                .press("Give all places back")
            page = try await ben.visit(path)
            #expect(page.text.contains("2 of 20 places taken") && !page.text.contains("Vy"))

            #expect(try await site.signIn(.cleo, as: .provider).visit(path).status == 404)
            #expect(try await site.signIn(.ana, as: .parent).visit(path).redirects == ["/events/\(event)"])
            _ = try await site.family(of: .ben)
            #expect(try await site.signIn(.ben, as: .parent).visit(path).status == 403)
            #expect(try await site.signIn(.mira, isStaff: true).visit(path).redirects == ["/events/\(event)"])
            #expect(try await site.browser().visit(path).path.hasPrefix("/login"))
            #expect(try await ben.visit("/events/999/registrations").status == 404)
        }
    }

    @Test func `no public page shows a child`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let mo = try await site.child("Momotaro", of: .ana)
            try await site.register([mo], of: .ana, at: event)
            for browser in [
                site.browser(), try await site.signIn(.cleo, as: .parent), try await site.signIn(.mira, isStaff: true),
            ] {
                for path in ["/", "/events", "/events/\(event)", "/providers/ben-ruiz", "/week", "/events?q=momotaro"] {
                    #expect(
                        try await browser.visit(path).string.replacing("?q=momotaro", with: "").contains("Momotaro")
                            == false)
                }
            }
            #expect(!site.log.lines.contains { $0.contains("Momotaro") })
        }
    }

    // MARK: My week

    @Test func `my week and my registrations are in order`() async throws {
        try await withTestSite { site in
            let mo = try await site.child("Mo", of: .ana)
            let lu = try await site.child("Lu", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await ana.visit("/week").text.contains("Nothing planned yet"))
            for (title, day, children) in [
                ("Third", "2027-04-01", [mo]), ("First", "2027-03-20", [mo, lu]), ("Second", "2027-03-21", [lu]),
                ("Off", "2027-03-22", [mo]),
            ] {
                let event = try await site.publish(by: .ben) {
                    $0.title = title
                    $0.date = Day(iso: day)!
                }
                try await site.register(children, of: .ana, at: event)
            }
            try await site.execute("UPDATE event SET cancelled_at = 1, listed = FALSE WHERE title = 'Off'")
            var page = try await ana.visit("/week?from=2027-03-20")
            #expect(page.slots == ["First", "Second", "Off"])
            #expect(page.text.contains("Saturday, March 20 to Friday, March 26"))
            #expect(
                page.html.all(ofClass: "day-full").map(\.text) == [
                    "Today, Saturday, March 20", "Sunday, March 21", "Monday, March 22", "Tuesday, March 23",
                    "Wednesday, March 24", "Thursday, March 25", "Friday, March 26",
                ])
            #expect(page.text.contains("Lu") && page.text.contains("Canceled"))
            #expect(page.text.contains("Third") && !page.slots.contains("Third"))
            #expect(try await ana.visit("/").cards.prefix(3) == ["First", "Second", "Off"])
            let list = try await ana.visit("/me/registrations")
            #expect(list.rows == ["First", "Second", "Off", "Third"] && list.cards == [])
            #expect(list.text.contains("Today, 10 AM to 12 PM · Mo, Lu Registered"))
            #expect(try await ana.visit("/me/registrations?list=attended").rows == [])
            // While it lasts it still stands there; afterwards it is behind them.
            site.clock.advance(by: .hours(8))
            #expect(try await ana.visit("/week").slots.first == "First")
            // Until midnight: somebody may have to fetch a child, or to call.
            for path in ["/", "/week"] {
                let here = try await ana.visit(path)
                #expect(here.text.contains("On now Registered") && here.link("Call 408 555 0100") == "tel:4085550100")
            }
            site.clock.advance(by: .hours(3))
            for path in ["/", "/week"] {
                let here = try await ana.visit(path)
                #expect((here.cards + here.slots).first == "First" && here.text.contains("Over Was booked"), "\(path)")
                #expect(here.link("Call 408 555 0100") == "tel:4085550100" && !here.text.contains("On now"))
            }
            // Beside it Today still has the next three.
            #expect(try await ana.visit("/").cards.prefix(4) == ["First", "Second", "Off", "Third"])
            #expect(try await ana.visit("/me/registrations").rows == ["Second", "Off", "Third"])
            site.clock.advance(by: .hours(9) + .minutes(59))
            #expect(try await ana.visit("/week").slots.first == "First")
            site.clock.advance(by: .minutes(1))
            #expect(try await ana.visit("/week").slots.first == "Second")
            #expect(try await ana.visit("/").cards.first == "Second")
            page = try await ana.visit("/me/registrations?list=attended")
            #expect(page.rows == ["First"])
            #expect(try await site.browser().visit("/me/registrations").path.hasPrefix("/login"))
        }
    }

    @Test func `my week begins with the first day of the visitor’s week, and turns by seven days`() async throws {
        try await withTestSite { site in
            let mo = try await site.child("Mo", of: .ana)
            for day in ["2027-03-27", "2027-04-02", "2027-06-05"] {
                let event = try await site.publish(by: .ben) {
                    $0.title = "On \(day)"
                    $0.date = Day(iso: day)!
                }
                try await site.register([mo], of: .ana, at: event)
            }
            site.clock.advance(by: .hours(10))
            for person in [Person.ana, .ben] {
                let browser = try await site.signIn(person, as: person.username == "ana-ortiz" ? .parent : .provider)
                // A Saturday, where weeks begin on Sunday. What lies ahead is named by week.
                var page = try await browser.visit("/week")
                #expect(page.text.contains("Sunday, March 14 to Saturday, March 20"))
                #expect(page.slots == [] && page.text.contains("Nothing planned on these days"))
                #expect(page.text.contains("Sunday, March 21 to Saturday, March 27 On 2027-03-27"))
                #expect(page.text.contains("Later: Saturday, June 5, 2027"))
                page = try await page.follow("The week after")
                #expect(page.path == "/week?from=2027-03-21" && page.slots == ["On 2027-03-27"])
                page = try await page.follow("The week after")
                #expect(page.slots == ["On 2027-04-02"])
                page = try await page.follow("The week before").follow("The week before").follow("The week before")
                #expect(page.path == "/week?from=2027-03-07" && page.slots == [])
                page = try await page.follow("Today")
                #expect(page.path == "/week")
                // A request for a day gets seven from that very one.
                page = try await page.press("Show it", filling: ["from": "2027-03-27"])
                #expect(page.slots == ["On 2027-03-27", "On 2027-04-02"])
                let sheet = try await page.follow("Print")
                #expect(sheet.path == "/week?from=2027-03-27&as=print")
                #expect(sheet.html.all(ofClass: "fridge").flatMap { $0.all(ofClass: "name") }.map(\.text) == page.slots)
                for odd in ["x", "9999-12-31", "2027-02-30", "", "0001-01-01"] {
                    let page = try await browser.visit("/week?from=\(odd)")
                    #expect(page.text.contains("Sunday, March 14 to Saturday, March 20"), "\(odd)")
                }
                // Far away is a week like any other, and says which year it is in.
                page = try await browser.visit("/week?from=2099-01-01")
                #expect(page.slots == [] && page.text.contains("Nothing planned on these days"))
                #expect(page.text.contains("Thursday, January 1, 2099 to Wednesday, January 7, 2099"))
            }
        }
    }

    @Test func `what began yesterday and is on now stands in my week, however far the next is`() async throws {
        try await withTestSite { site in
            let mo = try await site.child("Mo", of: .ana)
            for (title, day, start, end) in [
                ("Sleepover", "2027-03-20", "22:00", "8:00"), ("Later", "2027-04-10", "10:00", "12:00"),
            ] {
                let event = try await site.publish(by: .ben) {
                    $0.title = title
                    $0.date = Day(iso: day)!
                    $0.startTime = TimeOfDay(typed: start)!
                    $0.endTime = TimeOfDay(typed: end)
                }
                try await site.register([mo], of: .ana, at: event)
            }
            // Half past midnight, or later: not yet eight in the morning.
            site.clock.advance(by: .hours(18))
            for person in [Person.ana, .ben] {
                let browser = try await site.signIn(person, as: person.username == "ana-ortiz" ? .parent : .provider)
                let page = try await browser.visit("/week")
                #expect(page.slots.first == "Sleepover")
            }
        }
    }

    @Test func `what doesn’t add up is said before registering, and refuses nothing`() async throws {
        try await withTestSite { site in
            let mo = try await site.child("Mo", of: .ana)
            let swim = try await site.publish(by: .ben) { $0.title = "Swimming" }
            let kites = try await site.publish(by: .cleo) {
                $0.title = "Kites"
                $0.startTime = TimeOfDay(typed: "11:00")!
            }
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await !ana.visit("/events/\(kites)").text.contains("At the same time"))
            try await site.register([mo], of: .ana, at: swim)
            let page = try await ana.visit("/events/\(kites)")
            #expect(page.text.contains("At the same time Mo is at “Swimming”."))
            #expect(try await !site.browser().visit("/events/\(kites)").text.contains("At the same time"))
            let done = try await page.press("Register", filling: ["child": ["\(mo)"]])
            #expect(done.heading == "Congratulations! You are registered for the event.")
            let week = try await ana.visit("/week?from=2027-03-27")
            #expect(week.text.contains("Swimming: At the same time Mo is at “Kites”."), "\(week.text)")
        }
    }

    @Test func `the week of a day behind us says what was booked there`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let id = try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            site.clock.advance(by: .days(8))
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await ana.visit("/week").text.contains("Nothing planned yet"))
            let page = try await ana.visit("/week?from=2027-03-27")
            #expect(page.slots == ["Kite day"] && page.text.contains("Was booked"))
            // The registration speaks of it as of something past.
            let over = try await ana.visit("/registrations/\(id)")
            #expect(over.heading == "This event is over" && !over.text.contains("Congratulations"))
            #expect(over.text.contains("Who had a place") && !over.text.contains("Who comes"))
            #expect(over.link("See my week") == nil)
            #expect(over.link("My registrations") == "/me/registrations?list=attended")
        }
    }

    @Test func `why an event was canceled stands wherever its family is told of it`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let id = try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            let ben = try await site.signIn(.ben, as: .provider)
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await !ana.visit("/").text.contains("Why it was canceled"))
            _ = try await ben.visit("/events/\(event)/cancel").press(
                "Cancel the event", filling: ["reason": "No wind."])
            for path in ["/", "/week", "/me/registrations", "/registrations/\(id)"] {
                #expect(try await ana.visit(path).text.contains("No wind."), "\(path)")
            }
        }
    }

    @Test func `a provider’s week are the own events`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            try await site.publish(by: .cleo) { $0.title = "Not mine" }
            let mo = try await site.child("Mo", of: .ana)
            try await site.register([mo], of: .ana, at: event)
            let page = try await site.signIn(.ben, as: .provider).visit("/week")
            #expect(page.text.contains("Kite day") && !page.text.contains("Not mine"))
        }
    }

    @Test func `the address of a refused registration leads to the event`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            let refused = try await ana.visit("/events/\(event)").press("Register")
            #expect(refused.status == 422)
            let page = try await ana.visit("/events/\(event)/registrations")
            #expect(page.redirects == ["/events/\(event)"] && page.heading == "Kite day")
        }
    }

    @Test func `the form is fresh after registering, and its floating button sends it`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let mo = try await site.child("Mo", of: .ana)
            try await site.child("Lu", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            var page = try await ana.visit("/events/\(event)")
            let button = page.html.all(ofClass: "reach").first?.first("button")
            #expect(button?["form"] == "register" && button?["type"] == nil)
            _ = try await page.press("Register", filling: ["child": ["\(mo)"]])
            page = try await ana.visit("/events/\(event)")
            #expect(page.values(of: "child") == [])
            #expect(page.html.all { $0["id"] == "register" }.first?["autocomplete"] == "off")
        }
    }

    @Test func `the owner’s tools stay when it is on, over or canceled`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            func has(_ more: [String], _ state: String) async throws {
                let page = try await ben.visit("/events/\(event)")
                for tool in ["More dates", "Copy it into a new event"] + more {
                    #expect(try await page.follow(tool).status == 200, "\(state): \(tool)")
                }
            }
            try await has(["Who comes", "Change it", "Cancel it"], "to come")
            site.clock.advance(by: .days(7) + .hours(8))
            try await has(["Who comes", "Change it"], "on")
            site.clock.advance(by: .hours(3))
            try await has(["Who came", "Change it"], "over")
            try await site.execute("UPDATE event SET cancelled_at = 1, listed = FALSE")
            try await has(["Who was coming"], "canceled")
            #expect(try await ben.visit("/events/\(event)").link("Change it") == nil)
            let copy = try await ben.visit("/events/new?copy=\(event)")
            #expect(copy.value(of: "title") == "Kite day" && copy.value(of: "date") == "")
            let cleo = try await site.signIn(.cleo, as: .provider)
            #expect(try await cleo.visit("/events/new?copy=\(event)").status == 404)
        }
    }

    @Test func `a canceled event shows whom to call`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            try await site.execute("UPDATE event SET cancelled_at = 1, listed = FALSE")
            let page = try await site.signIn(.ana, as: .parent).visit("/events/\(event)")
            #expect(page.links.contains { $0 == ("Call 408 555 0100", "tel:4085550100") })
            let other = try await site.signIn(.cleo, as: .parent).visit("/events/\(event)")
            #expect(other.link("How to reach King Library") == "/providers/ben-ruiz")
            #expect(!other.links.contains { $0.href.hasPrefix("tel:") })
        }
    }

    @Test func `who comes within a day sees whom to call, nobody else does`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            let ana = try await site.signIn(.ana, as: .parent)
            let cleo = try await site.signIn(.cleo, as: .parent)
            func calls(_ browser: Browser) async throws -> Bool {
                try await browser.visit("/events/\(event)").links.contains { $0.href == "tel:4085550100" }
            }
            // Kite day begins in seven days and seven hours.
            #expect(try await !calls(ana))
            site.clock.advance(by: .days(6) + .hours(8))
            #expect(try await calls(ana))
            #expect(try await !calls(cleo))
            #expect(try await !calls(site.browser()))
            // On, and then over.
            site.clock.advance(by: .days(1))
            #expect(try await calls(ana))
            // Parents fetching a child can call after the end, too, until midnight.
            site.clock.advance(by: .hours(2))
            #expect(try await calls(ana))
            site.clock.advance(by: .hours(12))
            #expect(try await !calls(ana))
        }
    }

    @Test func `what changes beyond the next events is on Today, a cancellation too, until it was seen`() async throws {
        try await withTestSite { site in
            let mo = try await site.child("Mo", of: .ana)
            for day in ["2027-03-22", "2027-03-23", "2027-03-24", "2027-04-10"] {
                let event = try await site.publish(by: .ben) {
                    $0.title = "On \(day)"
                    $0.date = Day(iso: day)!
                }
                try await site.register([mo], of: .ana, at: event)
            }
            site.clock.advance(by: .minutes(1))
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await !ana.visit("/").text.contains("of your later events"))
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/4/cancel").press("Cancel the event", filling: ["reason": "No wind."])
            var page = try await ana.visit("/")
            #expect(page.text.contains("1 of your later events has changed"))
            // Said once: by the notice, and by the badge when it was read.
            for path in ["/", "/me/registrations", "/events/4", "/registrations/4"] {
                let text = try await ana.visit(path).text.lowercased()
                #expect(text.ranges(of: "was canceled").count == 1, "\(path): \(text)")
                #expect(text.ranges(of: "no wind.").count == 1, "\(path): \(text)")
            }
            page = try await page.press("Got it")
            #expect(try await ana.visit("/me/registrations").text.contains("Why it was canceled: No wind."))
            #expect(page.path == "/" && !page.text.contains("of your later events"))
            // One of the next tells of it itself.
            _ = try await ben.visit("/events/1/edit").press("Preview", filling: ["price": "9"])
                .press("Publish the change")
            page = try await ana.visit("/")
            #expect(page.text.contains("not stated $9") && !page.text.contains("of your later events"))
        }
    }

    @Test func `a change of time, place or price is marked with old and new until the family has seen it`() async throws
    {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            let ben = try await site.signIn(.ben, as: .provider)
            site.clock.advance(by: .minutes(1))
            func change(_ fields: [String: Filling]) async throws {
                let page = try await ben.visit("/events/\(event)/edit").press("Preview", filling: fields)
                _ = try await page.press("Publish the change")
            }
            try await change(["title": "Kites"])
            #expect(try site.count(of: "change") == 0)
            try await change(["start_time": "9:30", "price": "9"])
            try await change(["start_time": "11:00"])
            let ana = try await site.signIn(.ana, as: .parent)
            let said = "Saturday, March 27, 2027, 10 AM to 12 PM Saturday, March 27, 2027, 11 AM to 12 PM"
            for path in ["/events/\(event)", "/week", "/registrations/1"] {
                let text = try await ana.visit(path).text
                #expect(text.contains(said) && text.contains("not stated $9"), "\(path): \(text)")
            }
            // Families that register now know it already.
            try await site.register([try await site.child("Vy", of: .cleo)], of: .cleo, at: event)
            #expect(try await !site.signIn(.cleo, as: .parent).visit("/week").buttons.contains("Got it"))
            let page = try await ana.visit("/week").press("Got it")
            #expect(page.path == "/week" && !page.text.contains("This has changed"))
            try await change(["start_time": "10:30"])
            let moved = "11 AM to 12 PM Saturday, March 27, 2027, 10:30 AM to 12 PM"
            #expect(try await ana.visit("/week").text.contains(moved))
            try await change(["age_from": "5", "age_to": "9"])
            try await change(["age_from": "6"])
            #expect(try await ana.visit("/week").text.contains("Ages: all ages 6 to 9 years"))
        }
    }

    @Test func `what moves to the web costs what it did`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.price = "9" }
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            site.clock.advance(by: .minutes(1))
            let ben = try await site.signIn(.ben, as: .provider)
            let form = try await ben.visit("/events/\(event)/edit")
            let page = try await form.press(
                "Preview",
                filling: [
                    "online_url": "https://meet.example.org/a", "address": "", "city": "", "state": "", "zip": "",
                ])
            _ = try await page.press("Publish the change")
            #expect(try site.count(of: "change WHERE what = 'place'") == 1)
            #expect(try site.count(of: "change WHERE what = 'price'") == 0)
        }
    }

    @Test func `a change that came after the page is not marked as seen with it`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            let ben = try await site.signIn(.ben, as: .provider)
            site.clock.advance(by: .minutes(1))
            func begin(at time: Filling) async throws {
                _ = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["start_time": time])
                    .press("Publish the change")
            }
            try await begin(at: "9:30")
            // Under either hat: the page of the places is open under both.
            let ana = try await site.signIn(.ana, as: .provider)
            let page = try await ana.visit("/registrations/1")
            try await begin(at: "11:00")
            let after = try await page.press("Got it")
            let said = "9:30 AM to 12 PM Saturday, March 27, 2027, 11 AM to 12 PM"
            #expect(after.status == 200 && after.text.contains(said))
            #expect(try await !after.press("Got it").text.contains("This has changed"))
            #expect(try site.count(of: "change_seen WHERE at IS NOT NULL") == 2)
            // A family that isn't registered has nothing to see.
            let cleo = try await site.signIn(.cleo, as: .parent)
            let token = try await cleo.visit("/help").value(of: "csrf")!
            let form = [(name: "csrf", value: token), (name: "last", value: "2")]
            _ = try await cleo.submit("/events/\(event)/seen", form)
            #expect(try site.count(of: "change_seen WHERE at IS NOT NULL") == 2)
        }
    }

    @Test func `what is over has no changes, and many of them hide none of what is to come`() async throws {
        try await withTestSite { site in
            let past = try await site.publish(by: .ben)
            let next = try await site.publish(by: .ben) { $0.date = Day(iso: "2027-04-10")! }
            let mo = try await site.child("Mo", of: .ana)
            for event in [past, next] { try await site.register([mo], of: .ana, at: event) }
            site.clock.advance(by: .minutes(1))
            let now = site.clock.now
            try await site.write { db in
                for number in 0..<201 {
                    try db.execute(
                        """
                        INSERT INTO change (event_id, edit_id, at, what, said_before, says_now)
                        VALUES (\(past), \(number + 1), \(now), 'price', \("\(number)"), \("\(number + 1)"))
                        """)
                    try db.execute(
                        "INSERT INTO change_seen (account_id, change_id) SELECT account_id, \(number + 1) FROM family")
                }
            }
            let ben = try await site.signIn(.ben, as: .provider)
            func charge(_ price: Filling, at event: ID<Event>) async throws {
                _ = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["price": price])
                    .press("Publish the change")
            }
            try await charge("9", at: next)
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await ana.visit("/me/registrations").text.contains("not stated $9"))
            site.clock.advance(by: .days(8))
            try await charge("5", at: past)
            #expect(try site.count(of: "change") == 202)
            let page = try await ana.visit("/me/registrations")
            #expect(page.text.contains("not stated $9"))
            #expect(try await !ana.visit("/registrations/1").text.contains("This has changed"))
        }
    }

    @Test func `attended is what was ticked in, or booked where nobody was ticked in`() async throws {
        try await withTestSite { site in
            let mo = try await site.child("Mo", of: .ana)
            let lu = try await site.child("Lu", of: .ana)
            let vy = try await site.child("Vy", of: .cleo)
            for (title, children, person) in [
                ("Ticked", [mo, lu], Person.ana), ("Missed", [mo], .ana), ("Unticked", [mo], .ana), ("Off", [mo], .ana),
            ] {
                let event = try await site.publish(by: .ben) { $0.title = title }
                try await site.register(children, of: person, at: event)
                try await site.register([vy], of: .cleo, at: event)
            }
            site.clock.advance(by: .days(8))
            try await site.execute("UPDATE event SET cancelled_at = 1, listed = FALSE WHERE title = 'Off'")
            try await site.execute(
                "UPDATE registration_person SET arrived_at = 1 WHERE event_id = 1 AND child_id = \(mo)")
            try await site.execute(
                "UPDATE registration_person SET arrived_at = 1 WHERE event_id = 2 AND child_id = \(vy)")
            let page = try await site.signIn(.ana, as: .parent).visit("/me/registrations?list=attended")
            #expect(page.rows == ["Unticked", "Ticked"])
            #expect(
                page.text.contains("Was booked") && page.text.contains("Was there") && !page.text.contains("Mo, Lu"))
        }
    }

    @Test func `my events are rows with who comes, a hundred of them without end, and what is used of the plan`()
        async throws
    {
        try await withTestSite { site in
            for number in 0..<25 { try await site.publish(by: .ben) { $0.title = "Kite day \(number)" } }
            site.clock.advance(by: .days(8))
            let ben = try await site.signIn(.ben, as: .provider)
            var page = try await ben.visit("/me/events?list=expired")
            #expect(page.text.contains("25 of 10 events of 2027 are published."))
            var rows = page.links.filter { $0.text.hasPrefix("Who comes: Kite day") }.count
            page = try await page.follow("Show more events")
            rows += page.links.filter { $0.text.hasPrefix("Who comes: Kite day") }.count
            #expect(rows == 25)
            #expect(try await ben.visit("/events/new").text.contains("25 of 10 events of 2027 are published."))
        }
    }

    @Test func `a child that was removed a moment ago is no failure of ours`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let child = try await site.child("Mia", of: .ana)
            let account = try await site.account(of: .ana)
            let now = site.clock.now
            try await site.execute("DELETE FROM child WHERE id = \(child)")
            await #expect(throws: Registration.ChildrenChanged.self) {
                try await site.write(at: now) { tx in
                    _ = try Registration.insert([child], of: account, at: event, once: "word", in: tx)
                }
            }
            #expect(try site.count(of: "registration") == 0 && site.count(of: "event WHERE taken > 0") == 0)
        }
    }
}
