import Database
import Templating
import Testing

@testable import App

/// Coming in: the four doors, invitations, and the first days.
@Suite struct JoiningTests {
    private func open(_ door: Joining, _ site: TestSite) async throws {
        let staff = try await site.account(of: .mira, isStaff: true)
        try await site.site.changeTown(by: staff, at: site.clock.now) { $0.joining = door }
    }

    private func answers(_ name: String, at domain: String = "example.org") -> [String: Filling] {
        [
            "email": .text("\(name)@\(domain)"), "username": .text(name), "password": "two children, one week",
            "adult": true,
        ]
    }

    private func invite(_ browser: Browser, whom: String = "") async throws -> String {
        let page = try await browser.visit("/me/invitations").press(
            browser.cookie("made") == nil ? "Make a link" : "Make another link", filling: ["whom": .text(whom)])
        let link = page.html.first("code")?.text ?? ""
        return String(link.dropFirst("http://localhost:8080".count))
    }

    private func confirmAll(_ site: TestSite) async throws {
        try await site.execute("UPDATE account SET created_at = created_at - 2592000000, confirmed_at = 1")
    }

    // MARK: Doors

    @Test func `an admin chooses the door, and closed is said kindly on the page and nowhere offered`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let visitor = site.browser()
            #expect(try await visitor.visit("/events").link("Sign up") != nil)
            _ = try await mira.visit("/admin/settings").press(
                "Save",
                filling: [
                    "town": "San Jose", "time_zone": "America/Los_Angeles", "country": "US",
                    "contact_email": "hello@village.example", "joining": "closed",
                ])
            #expect(site.site.town.joining == .closed)
            let page = try await visitor.visit("/signup")
            #expect(page.status == 200 && page.heading == "Nobody can sign up at the moment")
            #expect(page.text.contains("hello@village.example") && page.forms.isEmpty)
            #expect(try await visitor.visit("/events").link("Sign up") == nil)
            let sent = try await visitor.post(
                "/signup",
                [
                    ("email", "ana@example.org"), ("username", "ana-ortiz"), ("password", "two children, one week"),
                    ("adult", "1"),
                ])
            #expect(sent.status == 422)
            #expect(try site.count(of: "account") == 1)
        }
    }

    @Test func `the first admin comes in by a closed door`() async throws {
        try await withTestSite { site in
            try await site.execute("INSERT INTO note (name, value) VALUES ('town_joining', 'closed')")
            let errand = try await Site.makingAdmin(
                email: "mira@example.org", username: "mira-staff", password: "two children, one week",
                site.site.settings)
            #expect(try await site.site.run(errand).isDone)
            #expect(try site.count(of: "account WHERE is_staff AND waits_since IS NULL") == 1)
        }
    }

    @Test func `who signs up waits, sees a kind page and the own account alone, and is let in`() async throws {
        try await withTestSite { site in
            try await open(.approval, site)
            let ana = site.browser()
            let page = try await ana.visit("/signup").press("Sign up", filling: answers("ana-ortiz"))
            #expect(page.path == "/waiting" && page.heading == "You are on the list")
            for path in ["/me", "/welcome", "/me/invitations", "/timeline/new", "/signup"] {
                #expect(try await ana.visit(path).path == "/waiting", "\(path)")
            }
            // What is everybody's they see as strangers do.
            for path in ["/", "/events", "/timeline"] {
                #expect(try await ana.visit(path).path == path, "\(path)")
            }
            #expect(try await ana.visit("/people/mira-staff").status == 404)
            #expect(try await ana.visit("/waiting").follow("Look around meanwhile").path == "/events")
            for path in ["/me/settings", "/me/delete", "/about", "/me/export"] {
                #expect(try await ana.visit(path).status == 200, "\(path)")
            }
            let token = try #require(try await ana.visit("/me/settings").value(of: "csrf"))
            #expect(try await ana.submit("/timeline/new", [("csrf", token), ("text", "Hi")]).location == "/waiting")
            #expect(try site.count(of: "post") == 0)
            let ben = try await site.signIn(.ben)
            #expect(try await ben.visit("/people/ana-ortiz").status == 404)
            let mira = try await site.signIn(.mira, isStaff: true)
            #expect(try await mira.visit("/admin/queue?show=entry").text.contains("ana-ortiz"))
            let account = try await site.account(of: .ana)
            let asked = try await mira.visit("/admin/queue/person-\(account)").press(
                "Decide", filling: ["act": "note", "ground": "other", "reason": "Which street do you live in?"])
            #expect(asked.flash == "Decided. What staff did")
            let waiting = try await ana.visit("/waiting")
            #expect(waiting.text.contains("Which street do you live in?"))
            _ = try await waiting.follow("Answer").press("Send the answer", filling: ["answer": "Willow Street."])
            let matter = try await mira.visit("/admin/queue/person-\(account)")
            #expect(matter.text.contains("Willow Street."))
            _ = try await matter.press("Decide", filling: ["act": "admit"])
            #expect(try await ana.visit("/events").path == "/events")
            #expect(try await ana.visit("/inbox").text.contains("You are in. Welcome to the village"))
            #expect(try site.count(of: "staff_act WHERE verb = 'admit'") == 1)
            #expect(try site.count(of: "matter WHERE since IS NOT NULL") == 0)
        }
    }

    @Test func `who isn't let in reads why, answers, and is erased after a month`() async throws {
        try await withTestSite { site in
            try await open(.approval, site)
            let ana = site.browser()
            _ = try await ana.visit("/signup").press("Sign up", filling: answers("ana-ortiz"))
            let mira = try await site.signIn(.mira, isStaff: true)
            let account = try await site.account(of: .ana)
            _ = try await mira.visit("/admin/queue/person-\(account)").press(
                "Decide", filling: ["act": "refuse", "ground": "other", "reason": "We know nobody of that name."])
            let page = try await ana.visit("/waiting")
            #expect(page.heading == "You weren’t let in" && page.text.contains("We know nobody of that name."))
            _ = try await page.follow("Answer").press("Send the answer", filling: ["answer": "I moved in on Friday."])
            let again = try await mira.visit("/admin/queue?show=answer").follow("Page of a member: ana-ortiz")
            #expect(again.form(offering: "admit"))
            site.clock.advance(by: .days(31))
            let count = try await site.write(at: site.clock.now) { tx in try Account.eraseRefused(in: tx) }
            #expect(count == 1)
            #expect(try site.count(of: "account WHERE left_at IS NOT NULL AND email LIKE 'former-member-%'") == 1)
        }
    }

    // MARK: Invitations

    @Test func `five invitations are open at most, a link works once, and only staff see the tree`() async throws {
        try await withTestSite { site in
            try await open(.invitation, site)
            let ana = try await site.signIn(.ana)
            #expect(try await site.browser().visit("/signup").heading == "By invitation only")
            var links: [String] = []
            for number in 1...5 {
                let page = try await ana.visit("/me/invitations").press(
                    "Make a link", filling: ["whom": .text("Neighbor \(number)")])
                let link = page.html.first("code")?.text ?? ""
                #expect(page["Referrer-Policy"] == "same-origin")
                links.append(String(link.dropFirst("http://localhost:8080".count)))
            }
            let full = try await ana.visit("/me/invitations")
            #expect(!full.buttons.contains("Make a link") && full.text.contains("Five invitations are open."))
            let token = try #require(full.value(of: "csrf"))
            #expect(try await ana.submit("/me/invitations", [("csrf", token)]).status == 422)
            #expect(try site.count(of: "one_time_link WHERE kind = 'invitation'") == 5)
            #expect(!links[0].isEmpty && links.allSatisfy { $0.count == "/invitations/".count + 43 })
            _ = try await full.press("Take it back: Neighbor 5")
            #expect(try await site.browser().visit(links[4]).status == 410)
            let form = try await site.browser().visit(links[0])
            #expect(form.text.contains("ana-ortiz invites you to the village."))
            let wrong = try await form.press("Sign up", filling: ["email": "x", "username": "ben-ruiz"])
            #expect(wrong.status == 422 && wrong.value(of: "username") == "ben-ruiz")
            let done = try await wrong.press("Sign up", filling: answers("ben-ruiz"))
            #expect(done.path == "/welcome")
            #expect(try await site.browser().visit(links[0]).status == 410)
            #expect(try await site.browser().visit("/invitations/\(Token().text)").status == 404)
            let (inviter, invited) = (try await site.account(of: .ana), try await site.account(of: .ben))
            let mira = try await site.signIn(.mira, isStaff: true)
            #expect(try await mira.visit("/admin/people/\(invited)").link("ana-ortiz") == "/admin/people/\(inviter)")
            #expect(try await mira.visit("/admin/people/\(inviter)").link("ben-ruiz") == "/admin/people/\(invited)")
            #expect(try await mira.visit("/admin/people?inviter=\(inviter)").rows == ["ben-ruiz"])
            #expect(try await !ana.visit("/people/ben-ruiz").text.contains("nvited"))
            try await site.execute("UPDATE account SET suspended_at = 1 WHERE id = \(inviter)")
            #expect(try await site.browser().visit(links[1]).status == 404)
            try await site.execute("UPDATE account SET suspended_at = NULL WHERE id = \(inviter)")
            #expect(try await site.browser().visit(links[1]).status == 200)
            site.clock.advance(by: .days(15))
            #expect(try await site.browser().visit(links[1]).status == 410)
        }
    }

    private func race(
        _ site: TestSite, _ join: @escaping @Sendable (Int, Token) async throws -> Void
    ) async throws -> Int {
        let ana = try await site.account(of: .ana)
        let (token, now) = (Token(), site.clock.now)
        try await site.write(at: now) { tx in try Invitation.make(token, for: "", by: ana, in: tx) }
        await withTaskGroup(of: Void.self) { group in
            for number in 1...20 { group.addTask { try? await join(number, token) } }
        }
        return try site.count(of: "account WHERE inviter_id = \(ana)")
    }

    @Test func `of twenty who sign up with one invitation exactly one comes in`() async throws {
        try await withTestSite { site in
            try await open(.invitation, site)
            let count = try await race(site) { number, token in
                let form = try await site.browser().visit("/invitations/\(token.text)")
                _ = try await form.press("Sign up", filling: answers("family-\(number)"))
            }
            #expect(count == 1)
            #expect(try site.count(of: "account") == 3)
            #expect(try site.count(of: "one_time_link WHERE kind = 'invitation' AND ended = 'used'") == 1)
        }
    }

    @Test func `twin: with the look and the use apart several come in`() async throws {
        try await withTestSite { site in
            let count = try await race(site) { number, token in
                let now = site.clock.now
                guard let link = try site.read(at: now, { tx in try Invitation.find(token, in: tx) }) else {
                    return
                }
                let open = try link.opened()
                try await Task.sleep(for: .milliseconds(50))
                try await site.write(at: now) { tx in
                    let id = try Account.insert(
                        email: "f\(number)@example.org", username: "family-\(number)", passwordHash: "x", in: tx)
                    try tx.execute("UPDATE account SET inviter_id = \(open.inviter) WHERE id = \(id)")
                }
            }
            #expect(count > 1)
        }
    }

    @Test func `friends who invited each other count as one among those whose reports hide something`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            _ = try await ana.visit("/timeline/new").press("Preview", filling: ["text": "Hello."]).press("Post it")
            var members: [Browser] = []
            for number in 1...5 { members.append(try await site.signIn(.family(100 + number))) }
            try await confirmAll(site)
            let first = try await site.account(of: .family(101))
            // Three of one branch, whose first one is among them.
            try await site.execute(
                "UPDATE account SET branch_id = \(first) WHERE username IN ('family-102', 'family-103')")
            func report(_ browser: Browser) async throws {
                _ = try await browser.visit("/reports/new?about=post-1").press(
                    "Send the report", filling: ["reason": "unkind"])
            }
            for member in members.prefix(4) { try await report(member) }
            #expect(try site.count(of: "post WHERE hidden_at IS NOT NULL") == 0)
            // Twin: counted by head they would be enough.
            #expect(try site.count(of: "report WHERE verdict IS NULL") > Report.enough)
            try await report(members[4])
            #expect(try site.count(of: "post WHERE hidden_at IS NOT NULL") == 1)
        }
    }

    // MARK: Brakes

    @Test func `too quick or by a machine, the form comes back with all that was typed`() async throws {
        try await withTestSite(limits: true) { site in
            let form = try await site.browser().visit("/signup")
            let quick = try await form.press("Sign up", filling: answers("ana-ortiz"))
            #expect(quick.status == 422 && quick.problems.first?.hasPrefix("That was very quick.") == true)
            #expect(quick.value(of: "email") == "ana-ortiz@example.org" && quick.value(of: "username") == "ana-ortiz")
            site.clock.advance(by: .seconds(4))
            var trapped = answers("ana-ortiz")
            trapped["website"] = "https://spam.example"
            let caught = try await quick.press("Sign up", filling: trapped)
            #expect(caught.status == 422 && caught.value(of: "website") == "")
            #expect(try site.count(of: "account") == 0)
            let done = try await caught.press("Sign up", filling: answers("ana-ortiz"))
            #expect(done.path == "/welcome")
        }
        // Twin: without the brakes the machine comes in.
        try await withTestSite { site in
            let done = try await site.browser().visit("/signup").press("Sign up", filling: answers("ana-ortiz"))
            #expect(done.path == "/welcome")
        }
    }

    @Test func `a form signs up one account, however often it is sent`() async throws {
        try await withTestSite(limits: true) { site in
            let form = try await site.browser().visit("/signup")
            site.clock.advance(by: .seconds(4))
            // What is refused doesn't use it up.
            let wrong = try await form.press("Sign up", filling: ["email": "x", "username": "ana-ortiz"])
            #expect(wrong.status == 422)
            let replayed = try wrong.form(with: "Sign up", filling: answers("spam-bot")).pairs
            #expect(try await wrong.press("Sign up", filling: answers("ana-ortiz")).path == "/welcome")
            let page = try await site.browser().post("/signup", replayed)
            #expect(page.status == 422 && page.problems.first?.contains("or was sent before") == true)
            #expect(try site.count(of: "account") == 1)
            // Twin: without what was counted, one form is as many accounts as somebody sends it.
            let seal = try await site.write { db in try Seal.make(in: db) }
            let drawn = replayed.first { $0.name == SignUpTime.field }?.value
            let used = try #require(SignUpTime(drawn, seal))
            try await site.site.giveBack(.formsOfSignUp, by: used.form)
            #expect(try await site.browser().post("/signup", replayed).path == "/welcome")
            // What came back is a form of its own, once it was there as long as a person needs.
            #expect(try await page.press("Sign up", filling: answers("cleo-park")).status == 422)
            site.clock.advance(by: .seconds(4))
            #expect(try await page.press("Sign up", filling: answers("cleo-park")).path == "/welcome")
        }
    }

    @Test func `a mail domain that is blocked in one spelling is blocked in the other`() async throws {
        try await withTestSite { site in
            let (staff, now) = (try await site.account(of: .mira, isStaff: true), site.clock.now)
            try await site.write(at: now) { tx in
                try MailDomain.block(MailDomain("Bücher.Example")!, reason: "Spam.", by: staff, in: tx)
            }
            let form = try await site.browser().visit("/signup")
            for domain in ["xn--bcher-kva.example", "mail.XN--BCHER-KVA.example"] {
                let page = try await form.press("Sign up", filling: answers("ana-ortiz", at: domain))
                #expect(page.status == 422 && page.text.contains("this mail provider"), "\(domain)")
            }
            #expect(try await form.press("Sign up", filling: answers("ana-ortiz")).path == "/welcome")
        }
    }

    @Test func `the first post waits for a look, and is shown once staff or the address say yes`() async throws {
        try await withTestSite(limits: true) { site in
            let (ana, ben, cleo) = (
                try await site.signIn(.ana), try await site.signIn(.ben), try await site.signIn(.cleo)
            )
            let mira = try await site.signIn(.mira, isStaff: true)
            func post(_ text: String, _ browser: Browser) async throws -> Page {
                try await browser.visit("/timeline/new").press("Preview", filling: ["text": .text(text)])
                    .press("Post it")
            }
            let waiting = try await post("Hello from Ana.", ana)
            #expect(waiting.flash == "Thank you. Somebody looks at it before others see it.")
            #expect(waiting.text.contains("Waiting: it is a first post"))
            #expect(try await post("Again.", ana).text.contains("Waiting"), "as long as none was looked at")
            #expect(try await cleo.visit("/posts/1").status == 404)
            let queue = try await mira.visit("/admin/queue?show=first").follow("Post: Hello from Ana.")
            _ = try await queue.press("Decide", filling: ["act": "fine"])
            #expect(try await cleo.visit("/posts/1").status == 200)
            #expect(try await post("The third.", ana).flash?.hasPrefix("Your post is published") == true)
            _ = try await mira.visit("/admin/queue/post-2").press("Decide", filling: ["act": "hide", "ground": "spam"])
            #expect(try await cleo.visit("/posts/2").status == 404)
            #expect(try await ana.visit("/inbox").text.contains("Something was decided"))
            // Another confirms the address instead.
            _ = try await post("Hello from Ben.", ben)
            #expect(try await cleo.visit("/posts/4").status == 404)
            let (account, now) = (try await site.account(of: .ben), site.clock.now)
            let (token, today) = (Token(), site.site.settings.zone.day(of: now))
            try await site.write(at: now) { tx in
                try ConfirmLink.insert(token, for: account, in: tx)
                let link = try ConfirmLink.find(token, in: tx)!.opened()
                try ConfirmLink.use(token, link, on: today, in: tx)
            }
            #expect(try await cleo.visit("/posts/4").status == 200)
            #expect(try await cleo.visit("/posts/4")["X-Robots-Tag"] == "noindex", "of somebody who is new")
        }
        // Twin: without the brakes it is there at once.
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            _ = try await ana.visit("/timeline/new").press("Preview", filling: ["text": "Hello."]).press("Post it")
            #expect(try await site.browser().visit("/posts/1").status == 200)
        }
    }

    @Test func `a first post that is to be changed waits on when it was`() async throws {
        try await withTestSite(limits: true) { site in
            let (ana, cleo) = (try await site.signIn(.ana), try await site.signIn(.cleo))
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await ana.visit("/timeline/new").press("Preview", filling: ["text": "Hello."]).press("Post it")
            _ = try await mira.visit("/admin/queue/post-1").press(
                "Decide", filling: ["act": "ask", "ground": "other", "reason": "Say more."])
            _ = try await ana.visit("/posts/1/edit").press("Preview", filling: ["text": "Buy pills."])
                .press("Save the change")
            #expect(try await cleo.visit("/posts/1").status == 404)
            _ = try await mira.visit("/admin/queue?show=first").follow("Post: Buy pills.")
                .press("Decide", filling: ["act": "fine"])
            #expect(try await cleo.visit("/posts/1").text.contains("Buy pills."))
        }
    }

    @Test func `search engines find what somebody wrote who isn't new anymore, and that is asked once`() async throws {
        try await withTestSite(limits: true) { site in
            let event = try await site.publish(by: .ben)
            let ben = try await site.account(of: .ben)
            func visit() async throws -> String? {
                try await site.browser().visit(Link.event(event).string)["X-Robots-Tag"]
            }
            #expect(try await visit() == "noindex" && !site.site.settled.has(ben))
            site.clock.advance(by: Newcomer.trial)
            for _ in 0..<2 { #expect(try await visit() == nil && site.site.settled.has(ben)) }
        }
    }

    @Test func `the first event waits too, and says so to its host`() async throws {
        try await withTestSite(limits: true) { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let mira = try await site.signIn(.mira, isStaff: true)
            let typed: [String: Filling] = [
                "title": "Kite day", "description": "We build kites and let them fly.", "date": "2027-03-27",
                "start_time": "10:00", "address": "180 Park Ave", "city": "San Jose", "state": "CA", "zip": "95113",
                "spots": "20",
            ]
            let published = try await ben.visit("/events/new").press("Preview", filling: typed).press("Publish")
            #expect(published.text.contains("somebody looks at it before others see it"))
            #expect(try await site.browser().visit("/events/1").status == 404)
            #expect(try await ben.visit("/events/1").text.contains("This event waits for a look."))
            _ = try await mira.visit("/admin/queue/event-1").press("Decide", filling: ["act": "fine"])
            let shown = try await site.browser().visit("/events/1")
            #expect(shown.status == 200 && shown["X-Robots-Tag"] == "noindex")
        }
    }

    @Test func `in the first days a post holds two links, and words to strangers are counted`() async throws {
        try await withTestSite(limits: true) { site in
            let (ana, ben) = (try await site.signIn(.ana), try await site.signIn(.ben))
            try await site.execute("UPDATE account SET confirmed_at = 1")
            let links = "https://a.example https://b.example https://c.example"
            let page = try await ana.visit("/timeline/new").press("Preview", filling: ["text": .text(links)])
            #expect(page.status == 422 && page.value(of: "text") == links)
            #expect(page.problems.first?.contains("up to 2 links") == true)
            _ = try await ben.visit("/timeline/new").press("Preview", filling: ["text": "Hello."]).press("Post it")
            // What is refused counts for nothing.
            let token = try #require(page.value(of: "csrf"))
            for _ in 1...3 {
                let gone = try await ana.submit("/posts/999/comments", [("csrf", token), ("text", "Hello?")])
                #expect(gone.status == 404)
            }
            for number in 1...10 {
                let said = try await ana.visit("/posts/1").press(
                    "Send the comment", filling: ["text": .text("Comment \(number)")])
                #expect(said.status == 200)
            }
            let empty = try await ana.visit("/posts/1").press("Send the comment")
            #expect(empty.status == 429)
            let slower = try await ana.visit("/posts/1").press("Send the comment", filling: ["text": "One more."])
            #expect(slower.status == 429 && slower["Retry-After"] != nil)
            #expect(slower.value(of: "text") == "One more.")
            #expect(try site.count(of: "comment") == 10)
            site.clock.advance(by: .days(3))
            let later = try await site.signIn(.ana)
            let free = try await later.visit("/timeline/new").press("Preview", filling: ["text": .text(links)])
            #expect(free.status == 200)
            _ = try await later.visit("/posts/1").press("Send the comment", filling: ["text": "One more."])
            #expect(try site.count(of: "comment") == 11)
        }
    }
}

extension Page {
    /// Whether a form offers this answer as what to do.
    fileprivate func form(offering act: String) -> Bool { forms.contains { $0.offers("act", act) } }
}
