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
            #expect(page.text.contains("All 1 places are taken") && !page.buttons.contains("Register"))
            #expect(page.text.contains("Full"))
            try await site.execute("UPDATE event SET cancelled_at = 1, listed = FALSE")
            page = try await ana.visit("/events/\(event)")
            #expect(page.text.contains("This event was cancelled.") && !page.buttons.contains("Register"))
            try await site.execute("UPDATE event SET cancelled_at = NULL, listed = TRUE")
            site.clock.advance(by: .days(8))
            page = try await ana.visit("/events/\(event)")
            #expect(page.text.contains("This event has begun or is over."))
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
            #expect(page.status == 422 && page.problems == ["Tick the children who come."])
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

    @Test func `what began or was cancelled meanwhile takes nobody any more`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let mo = try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/events/\(event)")
            try await site.execute("UPDATE event SET cancelled_at = 1, listed = FALSE")
            var page = try await form.press("Register", filling: ["child": ["\(mo)"]])
            #expect(page.status == 422 && page.problems == ["This event was cancelled."])
            try await site.execute("UPDATE event SET cancelled_at = NULL, listed = TRUE")
            site.clock.advance(by: .days(7) + .hours(7))
            page = try await form.press("Register", filling: ["child": ["\(mo)"]])
            #expect(page.status == 422 && page.problems == ["This event has begun already."])
            #expect(try site.count(of: "registration") == 0)
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
            #expect(page.flash == "Given back. Thank you: somebody else will be glad.")
            #expect(page.text.contains("Mo Place given back") && page.text.contains("Lu has a place"))
            #expect(page.heading == congratulations)
            #expect(try site.count(of: "event WHERE taken = 1") == 1)
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
            let family = try await site.family(of: .ana)
            let now = site.clock.now
            await #expect(throws: Refusal.notFound) {
                try await site.site.write { db in
                    try Registration.giveBack(registration, children: [], of: family, at: now, in: db)
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
            #expect(try await ben.visit("/registrations/\(registration)").path.hasPrefix("/me/family"))
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
            #expect(page.text.contains("Mo 6 or 7 years Ana Ortiz ana-ortiz@example.org 408 555 0100"))
            #expect(page.text.contains("Lu 6 years Ana Ortiz"))
            #expect(page.text.contains("Vy 6 years Cleo Park cleo-park@example.org 408 555 0177"))
            // A child's name is no title and no cacheable page.
            #expect(!page.title.contains("Mo") && page["Cache-Control"] == "private, no-store")

            _ = try await site.signIn(.cleo, as: .parent).visit("/registrations/\(registration)")
                .press("Give all places back")
            page = try await ben.visit(path)
            #expect(page.text.contains("2 of 20 places taken") && !page.text.contains("Vy"))

            #expect(try await site.signIn(.cleo, as: .provider).visit(path).status == 404)
            #expect(try await site.signIn(.ana, as: .parent).visit(path).path.hasPrefix("/me/provider"))
            _ = try await site.family(of: .ben)
            #expect(try await site.signIn(.ben, as: .parent).visit(path).status == 403)
            #expect(try await site.signIn(.mira, isStaff: true).visit(path).path.hasPrefix("/me/provider"))
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
            var page = try await ana.visit("/week")
            #expect(page.cards == ["First", "Second", "Off", "Third"])
            #expect(
                page.html.all("h2").map(\.text) == [
                    "Today, Saturday, 20 March", "Tomorrow, Sunday, 21 March", "Monday, 22 March", "Thursday, 1 April",
                ])
            #expect(page.text.contains("Mo, Lu") && page.text.contains("Cancelled"))
            #expect(try await ana.visit("/").cards.prefix(3) == ["First", "Second", "Off"])
            #expect(try await ana.visit("/me/registrations").cards == ["First", "Second", "Off", "Third"])
            #expect(try await ana.visit("/me/registrations?list=attended").cards == [])
            // While it lasts it still stands there; afterwards it is behind them.
            site.clock.advance(by: .hours(8))
            #expect(try await ana.visit("/week").cards.first == "First")
            site.clock.advance(by: .hours(3))
            #expect(try await ana.visit("/week").cards.first == "Second")
            page = try await ana.visit("/me/registrations?list=attended")
            #expect(page.cards == ["First"])
            #expect(try await site.browser().visit("/me/registrations").path.hasPrefix("/login"))
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

    @Test func `a child that was removed a moment ago is no failure of ours`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let child = try await site.child("Mia", of: .ana)
            let family = try await site.family(of: .ana)
            let now = site.clock.now
            try await site.execute("DELETE FROM child WHERE id = \(child)")
            await #expect(throws: Registration.ChildrenChanged.self) {
                try await site.site.write { db in
                    _ = try Registration.insert([child], of: family, at: event, once: "word", now: now, in: db)
                }
            }
            #expect(try site.count(of: "registration") == 0 && site.count(of: "event WHERE taken > 0") == 0)
        }
    }
}
