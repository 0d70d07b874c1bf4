import Database
import Dispatch
import Templating
import Testing

@testable import App

/// `/me/guardian`: two parents who look after the same children, each from an account of their own.
@Suite struct GuardianTests {
    /// The path of a link with which Ana invites the other parent.
    private func invitation(by ana: Browser) async throws -> String {
        let page = try await ana.visit("/me/children").follow("Who looks after them with me").press(
            "Make a link", filling: ["current_password": .text(Person.password)])
        return try link(on: page)
    }

    private func link(on page: Page) throws -> String {
        let code = try #require(page.html.first("code")?.text)
        return "/guardians/" + (try #require(code.split(separator: "/").last))
    }

    /// Ana and Cleo, who look after Mo together.
    private func together(_ site: TestSite) async throws -> (ana: Browser, cleo: Browser, mo: ID<Child>) {
        let mo = try await site.child("Mo", of: .ana)
        let ana = try await site.signIn(.ana, as: .parent)
        let cleo = try await site.signIn(.cleo, as: .parent)
        let link = try await invitation(by: ana)
        let page = try await cleo.visit(link).press("Look after them together")
        #expect(page.path == "/me/guardian" && page.text.contains("Ana Ortiz"))
        return (ana, cleo, mo)
    }

    @Test func `both see the children, register them, give places back, and are told`() async throws {
        try await withTestSite { site in
            let (ana, cleo, mo) = try await together(site)
            #expect(try await cleo.visit("/me/children").text.contains("Mo 6 years"))
            let event = try await site.publish(by: .ben)
            var page = try await cleo.visit("/events/\(event)").press("Register", filling: ["child": .text("\(mo)")])
            #expect(page.path.hasPrefix("/registrations/"))
            let registration = page.path
            for browser in [ana, cleo] {
                #expect(try await browser.visit("/inbox").text.contains("You have places at Kite day"))
                #expect(try await browser.visit("/me/registrations").text.contains("Kite day"))
                #expect(try await browser.visit("/week").text.contains("Kite day"))
                #expect(try await browser.visit(registration).status == 200)
            }
            // The host reaches the parent who registered.
            let roster = try await site.signIn(.ben, as: .provider).visit("/events/\(event)/registrations")
            #expect(roster.text.contains("Cleo Park") && !roster.text.contains("Ana Ortiz"))
            // One gives the place back, and the other takes it back.
            page = try await ana.visit(registration).press("Give all places back")
            #expect(page.text.contains("The places are given back"))
            page = try await cleo.visit(registration).press("Undo: Mo")
            #expect(page.text.contains("You are registered for the event"))
            // Neither is told the other's address.
            #expect(try await !ana.visit("/me/guardian").string.contains(Person.cleo.email))
            #expect(try await !cleo.visit("/me/guardian").string.contains(Person.ana.email))
        }
    }

    @Test func `a change reaches both, and what one has seen the family has seen`() async throws {
        try await withTestSite { site in
            let (ana, cleo, mo) = try await together(site)
            let event = try await site.publish(by: .ben)
            try await site.register([mo], of: .ana, at: event)
            let ben = try await site.signIn(.ben, as: .provider)
            site.clock.advance(by: .minutes(1))
            _ = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["start_time": "09:30"]).press(
                "Publish the change")
            for browser in [ana, cleo] {
                #expect(try await browser.visit("/inbox").text.contains("Kite day, March 27 has changed"))
            }
            #expect(try await ben.visit("/events/\(event)").text.contains("Seen by 0 of 1 family."))
            _ = try await cleo.visit("/inbox").follow("Unread: Kite day, March 27 has changed")
            #expect(try await ben.visit("/events/\(event)").text.contains("Seen by 1 of 1 family."))
        }
    }

    @Test(arguments: [true, false])
    func `either ends it, and the second parent sees nothing anymore`(byHead: Bool) async throws {
        try await withTestSite { site in
            let (ana, cleo, mo) = try await together(site)
            let event = try await site.publish(by: .ben)
            var page = try await cleo.visit("/events/\(event)").press("Register", filling: ["child": .text("\(mo)")])
            let registration = page.path
            _ = try await cleo.visit(registration).press("Give all places back")
            page = try await (byHead ? ana : cleo).visit("/me/guardian").press(
                byHead ? "Yes, look after them alone" : "Yes, leave")
            #expect(page.flash == "Saved.")
            #expect(try await !cleo.visit("/me/children").text.contains("Mo"))
            #expect(try await cleo.visit("/me/children/\(mo)/edit").status == 404)
            #expect(try await cleo.visit(registration).status == 404)
            #expect(try await !cleo.visit("/inbox").text.contains("Kite day"))
            let undo = try #require(try site.read { db in try db.value("SELECT max(id) FROM undo") as Int? })
            let token = try #require(try await cleo.visit("/me/children/new").value(of: "csrf"))
            #expect(try await cleo.post("/undo/\(undo)", [("csrf", token)]).status == 404)
            #expect(try await ana.visit(registration).press("Undo: Mo").status == 200)
            // Nor does what a letter told the second parent open anything: it was the head's places.
            let seal = try await site.write { db in try Seal.make(in: db) }
            let party = ID<Registration>(try #require(registration.split(separator: "/").last.map(String.init)))!
            for (reader, status) in [(Person.cleo, 404), (.ana, 200)] {
                let account = try await site.account(of: reader)
                for link in [LetterLink.giveBack, .offer] {
                    let page = try await site.browser().visit(link.link(to: party, for: account, seal).string)
                    #expect(page.status == status, "\(reader)")
                }
            }
            // The other parent gets a letter.
            let told = byHead ? Person.cleo.email : Person.ana.email
            #expect(try site.count(of: "letter WHERE kind = 'guardianOff' AND address = \(told)") == 1)
        }
    }

    @Test(arguments: [true, false])
    func `once it ended, nothing says who of them changed a child’s entry`(byHead: Bool) async throws {
        try await withTestSite { site in
            let (ana, cleo, mo) = try await together(site)
            _ = try await cleo.visit("/me/children/\(mo)/edit").press("Save", filling: ["allergies": "Nuts"])
            #expect(try site.count(of: "child WHERE changed_by IS NOT NULL") == 1)
            _ = try await (byHead ? ana : cleo).visit("/me/guardian").press(
                byHead ? "Yes, look after them alone" : "Yes, leave")
            #expect(try site.count(of: "child WHERE allergies = 'Nuts' AND changed_by IS NULL") == 1)
        }
    }

    @Test func `nor does it once the account is gone, even where a request wrote behind it`() async throws {
        try await withTestSite { site in
            let (_, _, mo) = try await together(site)
            let (account, family, now) = (
                try await site.account(of: .cleo), try await site.family(of: .ana), site.clock.now
            )
            let form = ChildForm(nickname: "Mo", birthMonth: 1, birthYear: 2021)
            try await site.write(at: now) { tx in
                try Account.leave(account, in: tx)
                try Child.update(mo, form, of: family, by: account, in: tx)
            }
            #expect(try site.count(of: "child WHERE changed_by IS NOT NULL") == 1)
            _ = try await site.write(at: now) { tx in try Account.eraseLate(in: tx) }
            #expect(try site.count(of: "child WHERE changed_by IS NULL") == 1)
        }
    }

    @Test(arguments: [true, false])
    func `when the first parent leaves, the children stay with the second`(byDeleting: Bool) async throws {
        try await withTestSite { site in
            let (ana, cleo, mo) = try await together(site)
            let event = try await site.publish(by: .ben)
            let registration = try await site.register([mo], of: .ana, at: event)
            // Mo and Ana wait for an activity that is full.
            let fair = try await site.publish(by: .ben) { $0.audience = .everyone }
            let head = try await site.account(of: .ana)
            try await site.execute(
                """
                INSERT INTO activity (event_id, name, info, place, day, start_minute, starts_at, ends_at, spots, taken)
                SELECT id, 'Puppets', '', '', day, start_minute, starts_at, ends_at, 1, 1 FROM event WHERE id = \(fair)
                """)
            try await site.write(at: site.clock.now) { tx in
                try Activity.wait([.me, .child(mo)], of: head, for: ID(1), of: fair, tx: tx)
            }
            if byDeleting {
                let page = try await ana.visit("/me/delete")
                #expect(page.text.contains("Your children and their places stay with the parent"))
                _ = try await page.press("Delete my account", filling: ["current_password": .text(Person.password)])
            } else {
                _ = try await ana.visit("/me/guardian").press(
                    "Hand the children over", filling: ["current_password": .text(Person.password)])
                #expect(try await ana.visit("/registrations/\(registration)").status == 404)
                #expect(try await !ana.visit("/me/children").text.contains("Mo"))
            }
            #expect(try await cleo.visit("/me/children").text.contains("Mo 6 years"))
            #expect(try await cleo.visit("/registrations/\(registration)").text.contains("Who comes M Mo"))
            #expect(try site.count(of: "event WHERE id = \(event) AND taken = 1") == 1)
            #expect(try await cleo.visit("/me/guardian").text.contains("Invite the other parent"))
            let second = try await site.account(of: .cleo)
            #expect(try site.count(of: "activity_wait WHERE child_id = \(mo) AND account_id = \(second)") == 1)
        }
    }

    @Test func `the second parent is told of the date that the child goes to, where the first goes in person before`()
        async throws
    {
        try await withTestSite { site in
            let (_, _, mo) = try await together(site)
            let head = try await site.account(of: .ana)
            var fairs: [ID<Event>] = []
            for _ in 1...2 { fairs.append(try await site.publish(by: .ben) { $0.audience = .everyone }) }
            let dates = fairs
            let second = try await site.account(of: .cleo)
            try await site.write(at: site.clock.now) { tx in
                _ = try Attendee.join([.me], of: head, at: dates[0], in: tx)
                _ = try Attendee.join([.child(mo)], of: head, at: dates[1], in: tx)
                try Notice.tellFamilies(dates.map { .init(kind: .changed, event: $0) }, in: tx)
            }
            let told = try site.read { db in
                try db.all(
                    "SELECT account_id, event_id FROM notice WHERE kind = 'changed' ORDER BY account_id LIMIT 9"
                ) { [try $0.next() as Int64, try $0.next() as Int64] }
            }
            #expect(told == [[head.rawValue, dates[0].rawValue], [second.rawValue, dates[1].rawValue]])
        }
    }

    @Test func `children join a fair under their family, and each parent in person for themselves`() async throws {
        try await withTestSite { site in
            let (ana, cleo, mo) = try await together(site)
            let fair = try await site.publish(by: .ben) {
                $0.audience = .everyone
                $0.title = "Street fair"
            }
            let token = try #require(try await cleo.visit("/me/children/new").value(of: "csrf"))
            for people in [["me", "child-\(mo)"], ["child-\(mo)"]] {
                let fields = [("csrf", token)] + people.map { ("person", $0) }
                #expect(try await cleo.post("/events/\(fair)/join", fields).path == "/events/\(fair)")
            }
            let other = try #require(try await ana.visit("/me/children/new").value(of: "csrf"))
            _ = try await ana.post("/events/\(fair)/join", [("csrf", other), ("person", "child-\(mo)")])
            #expect(try site.count(of: "event WHERE id = \(fair) AND taken = 2") == 1)
            #expect(try await ana.visit("/events/\(fair)").text.contains("Mo: going"))
            #expect(try await cleo.visit("/events/\(fair)").text.contains("You, Mo: going"))
            #expect(try await ana.visit("/me/registrations").text.contains("Street fair"))
            // Where one goes in person, the other parent isn't told.
            _ = try await cleo.post("/events/\(fair)/leave", [("csrf", token), ("person", "child-\(mo)")])
            #expect(try await !ana.visit("/me/registrations").text.contains("Street fair"))
            #expect(try await cleo.visit("/me/registrations").text.contains("Street fair"))
            #expect(try site.count(of: "event WHERE id = \(fair) AND taken = 1") == 1)
        }
    }

    @Test func `handed over, children go on at a fair, and each parent in person stays their own`() async throws {
        try await withTestSite { site in
            let (ana, cleo, mo) = try await together(site)
            let fair = try await site.publish(by: .ben) { $0.audience = .everyone }
            for (browser, people) in [(ana, ["me", "child-\(mo)"]), (cleo, ["me"])] {
                let token = try #require(try await browser.visit("/me/children/new").value(of: "csrf"))
                let fields = [("csrf", token)] + people.map { ("person", $0) }
                _ = try await browser.post("/events/\(fair)/join", fields)
            }
            _ = try await ana.visit("/me/guardian").press(
                "Hand the children over", filling: ["current_password": .text(Person.password)])
            #expect(try await ana.visit("/events/\(fair)").text.contains("You: going"))
            #expect(try await cleo.visit("/events/\(fair)").text.contains("You, Mo: going"))
            #expect(try site.count(of: "event WHERE id = \(fair) AND taken = 3") == 1)
            // Once more they may leave: nothing is in the way of deleting the account.
            let page = try await ana.visit("/me/delete").press(
                "Delete my account", filling: ["current_password": .text(Person.password)])
            #expect(page.status == 200 && page.path == "/")
            #expect(try site.count(of: "event WHERE id = \(fair) AND taken = 2") == 1)
        }
    }

    @Test func `the second parent takes back places, and nothing else that the first deleted`() async throws {
        try await withTestSite { site in
            let (ana, cleo, _) = try await together(site)
            let event = try await site.publish(by: .ana)
            _ = try await site.signIn(.ana, as: .provider).visit("/events/\(event)/cancel").press(
                "Cancel the event", filling: ["reason": "Rain."])
            _ = ana
            _ = try await site.signIn(.ana, as: .provider).visit("/events/\(event)").press("Delete the event")
            let undo = try #require(try site.read { db in try db.value("SELECT max(id) FROM undo") as Int? })
            let token = try #require(try await cleo.visit("/me/children/new").value(of: "csrf"))
            #expect(try await cleo.post("/undo/\(undo)", [("csrf", token)]).status == 404)
        }
    }

    @Test func `the password is asked for, and a link works once, for a week, until it is taken back`() async throws {
        try await withTestSite { site in
            try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            let cleo = try await site.signIn(.cleo, as: .parent)
            let page = try await ana.visit("/me/guardian").press(
                "Make a link", filling: ["current_password": "not my password"])
            #expect(page.status == 422 && page.problems == ["This is not your password. Try again."])
            #expect(try site.count(of: "one_time_link WHERE kind = 'guardian'") == 0)
            let first = try await invitation(by: ana)
            #expect(try await ana.visit(first).text.contains("This is your own invitation"))
            let second = try link(
                on: await ana.visit("/me/guardian").press(
                    "Make another link", filling: ["current_password": .text(Person.password)]))
            #expect(try await cleo.visit(first).status == 410)
            site.clock.advance(by: .days(7) + .seconds(1))
            #expect(try await cleo.visit(second).status == 410)
            let third = try await invitation(by: site.signIn(.ana, as: .parent))
            _ = try await site.signIn(.ana, as: .parent).visit("/me/guardian").press("Take it back")
            let later = try await site.signIn(.cleo, as: .parent)
            #expect(try await later.visit(third).status == 410)
            let fourth = try await invitation(by: site.signIn(.ana, as: .parent))
            #expect(try await site.browser().visit(fourth).path.hasPrefix("/login?next="))
            _ = try await later.visit(fourth).press("Look after them together")
            #expect(try await site.signIn(.mira, as: .parent).visit(fourth).status == 410)
            #expect(try await later.visit("/guardians/nothing").status == 404)
        }
    }

    @Test func `who has children of their own doesn’t come in, and there are never three`() async throws {
        try await withTestSite { site in
            let (ana, cleo, _) = try await together(site)
            let token = try #require(try await ana.visit("/me/children/new").value(of: "csrf"))
            for browser in [ana, cleo] {
                let fields = [("act", "invite"), ("current_password", Person.password)]
                let page = try await browser.post(
                    "/me/guardian",
                    fields + [("csrf", browser === ana ? token : try await cleo.visit("/me").value(of: "csrf") ?? "")])
                #expect(page.status == 422 && page.problems == ["Two look after these children already."])
            }
            try await site.child("Lu", of: .mira)
            let mira = try await site.signIn(.mira, as: .parent)
            let link = try link(
                on: await mira.visit("/me/guardian").press(
                    "Make a link", filling: ["current_password": .text(Person.password)]))
            for browser in [ana, cleo] {
                #expect(try await browser.visit(link).text.contains("you share them with somebody"))
            }
            #expect(try site.count(of: "guardian") == 1)
        }
    }

    @Test func `a press that was let in while it ended changes nothing of the family`() async throws {
        try await withTestSite { site in
            let mo = try await site.child("Mo", of: .ana)
            let event = try await site.publish(by: .ben)
            let cleo = try await site.signIn(.cleo, as: .parent)
            try await site.guardian(.cleo, of: .ana)
            let forms = [
                try await cleo.visit("/events/\(event)").form(with: "Register", filling: ["child": ["\(mo)"]]),
                try await cleo.visit("/me/children/new").form(
                    with: "Save", filling: ["nickname": "Lu", "birth_month": "3", "birth_year": "2021"]),
            ]
            for form in forms {
                let gate = DispatchSemaphore(value: 0)
                async let end: Void = site.write { db in
                    try db.execute("DELETE FROM guardian")
                    gate.wait()
                }
                try await Task.sleep(for: .milliseconds(100))
                async let page = form.send(from: cleo)
                try await Task.sleep(for: .milliseconds(400))
                gate.signal()
                try await end
                _ = try await page
                #expect(try site.count(of: "registration") == 0 && site.count(of: "child") == 1, "\(form.action)")
                // Twin: looking after them again, the same parent does the same.
                try await site.guardian(.cleo, of: .ana)
            }
            for form in forms { _ = try await form.send(from: cleo) }
            #expect(try site.count(of: "registration") == 1 && site.count(of: "child") == 2)
        }
    }

    @Test func `of many who press at once, one comes in`() async throws {
        try await withTestSite { site in
            try await site.child("Mo", of: .ana)
            let link = try await invitation(by: site.signIn(.ana, as: .parent))
            let browsers = try await (1...6).asyncMap { try await site.signIn(.family($0), as: .parent) }
            let forms = try await browsers.asyncMap { try await $0.visit(link).form(with: "Look after them together") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (browser, form) in zip(browsers, forms) { group.addTask { _ = try await form.send(from: browser) } }
                try await group.waitForAll()
            }
            #expect(try site.count(of: "guardian") == 1)
        }
    }
}

extension Sequence where Self: Sendable {
    fileprivate func asyncMap<T>(_ transform: (Element) async throws -> T) async throws -> [T] {
        var all: [T] = []
        for element in self { all.append(try await transform(element)) }
        return all
    }
}
