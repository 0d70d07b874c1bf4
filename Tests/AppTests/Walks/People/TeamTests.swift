import Database
import Dispatch
import Testing

@testable import App

/// `/me/organization/colleagues`: several people who look after one organization, each from an account of their own.
@Suite struct TeamTests {
    private static let page = "/me/organization/colleagues"

    /// The path of a link with which Ben invites somebody.
    private func invitation(by ben: Browser, to role: String) async throws -> String {
        let page = try await ben.visit("/me").follow("Who looks after it").press(
            "Make a link", filling: ["role": .text(role), "current_password": .text(Person.password)])
        let code = try #require(page.html.first("code")?.text)
        return "/join/" + (try #require(code.split(separator: "/").last))
    }

    /// Ben's library, which Ana looks after with him.
    private func together(_ site: TestSite, as role: String) async throws -> (ben: Browser, ana: Browser) {
        let ben = try await site.signIn(.ben, as: .provider)
        let ana = try await site.signIn(.ana, as: .parent)
        let page = try await ana.visit(invitation(by: ben, to: role)).press("Look after it together")
        #expect(page.path == Self.page && page.text.contains("King Library"))
        return (ben, ana)
    }

    private func token(_ browser: Browser) async throws -> String {
        try #require(try await browser.visit("/help").value(of: "csrf"))
    }

    @Test func `a colleague posts, changes and answers for the organization, under their own name`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ask = try await site.ask(by: .ben)
            let (ben, ana) = try await together(site, as: "edit")
            #expect(try await ben.visit("/inbox").text.contains("ana-ortiz looks after King Library with you now"))
            #expect(try await ana.visit("/").heading == "King Library")
            #expect(try await ana.visit("/me/events").text.contains("Kite day"))
            #expect(try await ana.visit("/week?from=2027-03-22").text.contains("Kite day"))
            _ = try await ana.visit("/events/\(event)/edit").press("Preview", filling: ["title": "Kite week"]).press(
                "Publish the change")
            #expect(try site.count(of: "event WHERE title = 'Kite week' AND account_id = 1") == 1)
            _ = try await ana.visit("/opportunities/\(ask)/edit").press("Preview", filling: ["title": "Lunch"]).press(
                "Publish the change")
            #expect(try await ana.visit("/opportunities/\(ask)/signups").heading == "Who helps")
            _ = try await ana.visit("/me/provider").press("Save", filling: ["mission": "Books for all."])
            #expect(try await ben.visit("/providers/ben-ruiz").text.contains("Books for all."))
            let log = try await ben.visit(Self.page).text
            for line in ["changed “Kite week”", "changed “Lunch”", "changed the page of the organization"] {
                #expect(log.contains("ana-ortiz \(line)"), "\(line)")
            }
            // Admins read it too; nobody else does.
            let mira = try await site.signIn(.mira, isStaff: true)
            #expect(try await mira.visit("/admin/people/1").text.contains("ana-ortiz changed “Kite week”"))
            #expect(try await !site.browser().visit("/providers/ben-ruiz").string.contains("ana-ortiz"))
            // Drafts are the organization's, and so is what is deleted and taken back.
            _ = try await ana.visit("/events/new").press("Keep as draft", filling: ["title": "Rope"])
            #expect(try await ben.visit("/me/events?list=draft").text.contains("Rope"))
            let gone = try await ana.visit("/me/events?list=draft").press("Throw away: Rope")
            #expect(try await gone.press("Undo: Rope").text.contains("Rope"))
            #expect(try site.count(of: "draft WHERE account_id = 1") == 1)
        }
    }

    @Test func `a colleague who calls a draw off or keeps what a calendar lost is written down`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let (ben, ana) = try await together(site, as: "edit")
            _ = try await ben.visit("/draws/new").press(
                "Preview", filling: ["title": "Spring", "event": .texts(["\(event)"]), "until": "2027-03-22"]
            ).press("Publish the draw")
            _ = try await ana.visit("/draws/1").press("Call it off")
            try await site.execute(
                """
                INSERT INTO calendar_import (account_id, name, settings, once, created_at, suspected_on)
                VALUES (1, 'Old one', '', 'o', 1, '2027-03-20')
                """)
            let csrf = try await token(ana)
            // The second press does nothing.
            for _ in 0..<2 { _ = try await ana.post("/me/imports/1/gone", [("csrf", csrf)]) }
            #expect(try site.count(of: "team_act WHERE title = 'Old one'") == 1)
            let log = try await ben.visit(Self.page).text
            #expect(log.contains("ana-ortiz called off the draw “Spring”"))
            #expect(log.contains("ana-ortiz changed “Old one”"))
            // Twin: those who only read the lists do neither.
            try await site.execute("UPDATE colleague SET duty = 'roster'")
            #expect(try await ana.post("/me/imports/1/gone", [("csrf", csrf)]).status == 403)
        }
    }

    @Test func `what is pressed twice is written down once`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ask = try await site.ask(by: .ben)
            let (_, ana) = try await together(site, as: "edit")
            let cleo = try await site.signIn(.cleo, as: .parent)
            for text in ["Is there a swing?", "Is there a slide?"] {
                _ = try await cleo.visit("/events/\(event)").press("Ask", filling: ["text": .text(text)])
            }
            let csrf = try await token(ana)
            for _ in 0..<2 {
                _ = try await ana.post("/questions/1/answer", [("csrf", csrf), ("text", "Two of them.")])
                _ = try await ana.post("/questions/2/close", [("csrf", csrf)])
                _ = try await ana.post("/opportunities/\(ask)/close", [("csrf", csrf)])
            }
            for verb in ["answered", "dismissed", "closed"] {
                #expect(try site.count(of: "team_act WHERE verb = \(verb)") == 1, "\(verb)")
            }
            #expect(try site.count(of: "notice WHERE kind = 'answered'") == 1)
            // Two presses at once are one draw, and one line.
            let preview = try await ana.visit("/draws/new").press(
                "Preview", filling: ["title": "Spring", "event": .texts(["\(event)"]), "until": "2027-03-22"])
            async let one = preview.press("Publish the draw")
            async let other = preview.press("Publish the draw")
            #expect(try await [one.path, other.path] == ["/draws/1", "/draws/1"])
            #expect(try site.count(of: "draw") == 1)
            #expect(try site.count(of: "team_act WHERE verb = 'posted' AND title = 'Spring'") == 1)
        }
    }

    @Test func `a change that is pressed twice, or by two at once, is written down once`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ask = try await site.ask(by: .ben)
            let coats = try await site.ask(by: .ben) { form in
                (form.title, form.rhythm) = ("Sort coats", .whenever)
                form.shifts[0] = OpportunityForm.ShiftRow()
            }
            let (ben, ana) = try await together(site, as: "edit")
            for (path, title) in [("/events/\(event)/edit", "Kite week"), ("/opportunities/\(ask)/edit", "Lunch")] {
                let mine = try await ana.visit(path).press("Preview", filling: ["title": .text(title)])
                let his = try await ben.visit(path).press("Preview", filling: ["title": .text(title)])
                async let one = mine.press("Publish the change")
                async let other = his.press("Publish the change")
                #expect(try await [one.status, other.status] == [200, 200], "\(path)")
                site.clock.advance(by: .minutes(1))
                #expect(try await mine.press("Publish the change").status == 200, "\(path)")
                #expect(try site.count(of: "team_act WHERE verb = 'changed' AND title = \(title)") == 1, "\(path)")
            }
            let profile = try await ana.visit("/me/provider").form(with: "Save", filling: ["mission": "Books for all."])
            for _ in 0..<2 { _ = try await profile.send(from: ana) }
            #expect(try site.count(of: "team_act WHERE verb = 'page'") == 1)
            let logo = try await ana.visit("/me").form(
                with: "Save the picture", filling: ["picture": .file(SentFile("photo.jpg", Pictures.photo))])
            for _ in 0..<2 { _ = try await logo.send(from: ana) }
            #expect(try site.count(of: "team_act WHERE verb = 'picture'") == 1)
            _ = try await ana.visit("/me").press("Take it off")
            #expect(try site.count(of: "team_act WHERE verb = 'picture'") == 2)
            // What has no end of its own is renewed once a day.
            let csrf = try await token(ana)
            site.clock.advance(by: .days(2))
            for _ in 0..<2 {
                _ = try await ana.post("/opportunities/\(coats)/renew", [("csrf", csrf)])
                site.clock.advance(by: .minutes(1))
            }
            #expect(try site.count(of: "team_act WHERE verb = 'renewed'") == 1)
        }
    }

    @Test func `an answer to a review that is pressed twice is one`() async throws {
        try await withTestSite { site in
            _ = try await site.ask(by: .ben)
            let (_, ana) = try await together(site, as: "edit")
            let (ben, cleo) = (try await site.account(of: .ben), try await site.account(of: .cleo))
            let now = site.clock.now
            try await site.write { db in
                try db.execute(
                    """
                    INSERT INTO review (host_id, account_id, stars, comment, year, created_at)
                    VALUES (\(ben), \(cleo), 4, 'A warm place.', 2027, \(now))
                    """)
                try OrganizationTotal.make(ben, in: db)
                try db.execute("UPDATE organization_total SET stars_4 = 1")
            }
            let form = try await ana.visit("/reviews/1/answer")
            for _ in 0..<2 {
                let page = try await form.press("Publish the answer", filling: ["answer": "Come again!"])
                #expect(page.status == 200 && page.text.contains("Come again!"))
            }
            #expect(try site.count(of: "team_act WHERE verb = 'replied'") == 1)
        }
    }

    @Test func `who is invited reads by whom and to what before logging in, and comes back`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let path = try await invitation(by: ben, to: "roster")
            _ = try await site.signIn(.ana, as: .parent)
            let asked = try await site.browser().visit(path)
            #expect(asked.path == path && asked.text.contains("King Library invites you"))
            #expect(asked.text.contains("Lists and the door") && asked["Referrer-Policy"] == "same-origin")
            #expect(!asked.buttons.contains("Look after it together"))
            #expect(asked.link("Sign up and look after it")?.hasPrefix("/signup?next=%2Fjoin%2F") == true)
            let back = try await asked.follow("Log in and look after it").press(
                "Log in", filling: ["login": "ana-ortiz", "password": .text(Person.password)])
            #expect(back.path == path)
            let page = try await back.press("Look after it together")
            #expect(page.path == Self.page)
            #expect(try site.count(of: "colleague WHERE duty = 'roster'") == 1)
            // The owner reads who it is and what they do, in the inbox, in the letter and in the log.
            let inbox = try await ben.visit("/inbox").text
            #expect(inbox.contains("ana-ortiz looks after King Library with you now"))
            #expect(
                try await ben.visit(Self.page).text.contains("ana-ortiz joined by an invitation: Lists and the door"))
            let news = try #require(
                try site.read { db in
                    let detail: String? = try db.value("SELECT detail FROM notice WHERE kind = 'team'")
                    return TeamNews(detail: detail ?? "", subject: 2)
                })
            #expect(news.who?.name == "ana-ortiz" && news.who?.duty == .roster)
            #expect(news.more.text(in: Language(nil, country: "US")).contains("What they do: Lists and the door."))
            // Their own face stays theirs under the provider's hat.
            let face = try await page.browser.visit("/").html.all(ofClass: "top").first?.first("summary")?.text
            #expect(face?.hasSuffix("A") == true && face?.hasSuffix("KL") == false)
        }
    }

    @Test func `under the parent's hat a colleague is a parent like others`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let mo = try await site.child("Mo", of: .ana)
            let (_, ana) = try await together(site, as: "edit")
            _ = try await ana.visit("/me").press("Parent")
            #expect(try await ana.visit("/events/\(event)/edit").status == 404)
            #expect(try await ana.visit("/events/\(event)/registrations").path == "/events/\(event)")
            let page = try await ana.visit("/events/\(event)").press("Register", filling: ["child": .text("\(mo)")])
            #expect(page.path.hasPrefix("/registrations/"))
            // What the owner was told in person stays theirs.
            _ = try await ana.visit("/me").press("Provider")
            #expect(try await !ana.visit("/inbox").text.contains("A new registration"))
        }
    }

    @Test func `who looks after the lists and the door sees who comes, and changes nothing`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ask = try await site.ask(by: .ben)
            let lu = try await site.child("Lu", of: .cleo)
            try await site.register([lu], of: .cleo, at: event)
            _ = try await site.signIn(.cleo, as: .parent).visit("/opportunities/\(ask)").press(
                "Sign up", filling: ["shift": ["1"]])
            let (ben, ana) = try await together(site, as: "roster")
            for path in [
                "/events/\(event)/registrations", "/events/\(event)/registrations?as=print",
                "/events/\(event)/registrations?as=csv",
            ] { #expect(try await ana.visit(path).string.contains("Lu"), "\(path)") }
            let list = try await ana.visit("/me/events")
            #expect(list.text.contains("Kite day") && !list.text.contains("Change it"))
            let tools = try await ana.visit("/events/\(event)")
            #expect(tools.text.contains("Who comes") && !tools.text.contains("Change it"))
            #expect(try await ana.visit("/opportunities/\(ask)/signups").status == 200)
            #expect(try await ana.visit("/opportunities/\(ask)/signups?as=csv").status == 200)
            #expect(try await !ana.visit("/opportunities/\(ask)").text.contains("Change it"))
            #expect(try await !ana.visit("/me").text.contains("the provider’s data"))
            let csrf = try await token(ana)
            let person: Int64 = try site.read { db in try db.value("SELECT max(id) FROM registration_person")! }
            let came = [("csrf", csrf), ("person", "\(person)"), ("presence", "here"), ("early", "1")]
            _ = try await ana.post("/events/\(event)/arrivals", came)
            #expect(try site.count(of: "registration_person WHERE arrived_at IS NOT NULL") == 1)
            let words = try await ana.visit("/events/\(event)/announcements").press(
                "Preview", filling: ["subject": "Bring a kite", "body": "It will be windy."]
            ).press("Send it")
            #expect(words.flash?.contains("Sent") == true)
            for (browser, mayWrite) in [(ben, true), (ana, false)] {
                let list = try await browser.visit("/opportunities/\(ask)/signups").text
                #expect(list.contains("Cleo Park") && list.contains("Write to those who help") == mayWrite)
            }

            let reads = [
                "/events/new", "/events/\(event)/edit", "/events/\(event)/copy", "/events/\(event)/cancel",
                "/events/\(event)/waiting", "/me/events?list=draft", "/opportunities/new",
                "/opportunities/\(ask)/edit", "/opportunities/\(ask)/close", "/me/opportunities?list=draft",
                "/me/provider", "/opportunities/\(ask)/messages",
            ]
            let writes: [(path: String, fields: [(String, String)])] = [
                ("/events/\(event)/cancel", [("reason", "Rain.")]), ("/events/\(event)/delete", []),
                ("/events/\(event)/waiting", [("registration", "1")]), ("/opportunities/\(ask)/renew", []),
                ("/opportunities/\(ask)/close", []), ("/signups/1/answer", [("answer", "yes")]),
                ("/opportunities/\(ask)/hours", []), ("/opportunities/\(ask)/messages", [("step", "preview")]),
                ("/me/provider", [("organization", "Mine")]),
                ("/me/picture", [("of", "provider"), ("remove", "1")]),
                (Self.page, [("act", "invite"), ("role", "edit"), ("current_password", Person.password)]),
                (Self.page, [("act", "entrust"), ("colleague", "2"), ("role", "edit")]),
                (Self.page, [("act", "hand-over"), ("colleague", "2"), ("own_password", Person.password)]),
            ]
            for path in reads { #expect(try await ana.visit(path).status == 403, "\(path)") }
            for (path, fields) in writes {
                let page = try await ana.post(path, [("csrf", csrf)] + fields.map { (name: $0.0, value: $0.1) })
                #expect(page.status == 403, "\(path)")
            }
            #expect(try site.count(of: "event WHERE cancelled_at IS NULL") == 1)
            #expect(try site.count(of: "colleague WHERE duty = 'roster'") == 1)
            // Twin: with more to do, the same request does it.
            try await site.execute("UPDATE colleague SET duty = 'edit'")
            for path in reads where path != "/events/\(event)/waiting" {
                #expect(try await ana.visit(path).status == 200, "\(path)")
            }
            _ = try await ana.post("/events/\(event)/cancel", [("csrf", csrf), ("reason", "Rain.")])
            #expect(try site.count(of: "event WHERE cancelled_at IS NULL") == 0)
        }
    }

    @Test func `only the owner invites, takes away and hands over`() async throws {
        try await withTestSite { site in
            let (ben, ana) = try await together(site, as: "edit")
            let csrf = try await token(ana)
            let acts: [[(String, String)]] = [
                [("act", "invite"), ("role", "edit"), ("current_password", Person.password)],
                [("act", "remove"), ("colleague", "1")], [("act", "withdraw"), ("link", "1")],
                [("act", "hand-over"), ("colleague", "2"), ("own_password", Person.password)],
            ]
            for fields in acts {
                let page = try await ana.post(Self.page, [("csrf", csrf)] + fields.map { (name: $0.0, value: $0.1) })
                #expect(page.status == 403, "\(fields)")
            }
            #expect(try await !ana.visit(Self.page).buttons.contains("Make a link"))
            // The owner can't leave, nor be put out, nor give a stranger anything.
            let bens = try await token(ben)
            let stranger = try await site.account(of: .cleo)
            for fields in [
                [("act", "leave")], [("act", "remove"), ("colleague", "1")],
                [("act", "remove"), ("colleague", "\(stranger)")],
                [("act", "entrust"), ("colleague", "\(stranger)"), ("role", "edit")],
                [("act", "entrust"), ("colleague", "2"), ("role", "owner")],
            ] {
                let page = try await ben.post(Self.page, [("csrf", bens)] + fields.map { (name: $0.0, value: $0.1) })
                #expect(page.status >= 400, "\(fields)")
            }
            #expect(try site.count(of: "colleague") == 1)
            // Members without an organization have no such page.
            let cleo = try await site.signIn(.cleo, as: .parent)
            #expect(try await cleo.visit(Self.page).path.hasPrefix("/me/provider"))
        }
    }

    @Test func `an organization is handed over while both are to get their daily letter`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let (ben, _) = try await together(site, as: "edit")
            let due = site.clock.now + .days(1)
            try await site.write { db in
                try db.execute(
                    """
                    INSERT INTO digest (account_id, event_id, count, due_at)
                    SELECT id, \(event), 1, \(due) FROM account WHERE username IN ('ben-ruiz', 'ana-ortiz')
                    """)
            }
            let heir = try await site.account(of: .ana)
            let fields: [String: Filling] = ["colleague": .text("\(heir)"), "own_password": .text(Person.password)]
            let page = try await ben.visit(Self.page).press("Hand the organization over", filling: fields)
            #expect(page.status == 200)
            #expect(try site.count(of: "digest WHERE account_id = \(heir)") == 1)
        }
    }

    @Test(arguments: [true, false])
    func `who was let go, or left, sees and does nothing anymore`(byOwner: Bool) async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let (ben, ana) = try await together(site, as: "edit")
            let edit = try await ana.visit("/events/\(event)/edit")
            let form = try edit.form(with: "Preview", filling: ["title": "Mine now"])
            let member = try #require(try await visitor(ana, site))
            if byOwner {
                _ = try await ben.visit(Self.page).press("Remove them: ana-ortiz")
                #expect(try await ana.visit("/inbox").text.contains("You no longer look after King Library"))
            } else {
                _ = try await ana.visit(Self.page).press("Yes, leave")
                #expect(try await ben.visit("/inbox").text.contains("ana-ortiz no longer looks after King Library"))
            }
            #expect(try site.count(of: "colleague") == 0)
            #expect(try await ana.visit("/").heading != "King Library")
            _ = try await form.send(from: ana)
            for path in ["/events/\(event)/edit", "/events/\(event)/registrations", Self.page, "/me/opportunities"] {
                let page = try await ana.visit(path)
                #expect(page.status >= 400 || page.path != path, "\(path)")
                #expect(!page.text.contains("King Library") || page.path == "/events/\(event)", "\(path)")
            }
            #expect(try site.count(of: "event WHERE title = 'Mine now'") == 0)
            // A request that was let in a moment before changes nothing either: it is asked in the transaction.
            let now = site.clock.now
            await #expect(throws: Refusal.self) {
                try await site.write(at: now) { tx in
                    try tx.execute("UPDATE event SET title = 'Mine now'")
                    try Colleague.authorize(.changed, "Kite day", by: member, in: tx)
                }
            }
            #expect(try site.count(of: "event WHERE title = 'Mine now'") == 0)
            // Twin: without the question it would have.
            try await site.execute("UPDATE event SET title = 'Mine now'")
            #expect(try site.count(of: "event WHERE title = 'Mine now'") == 1)
        }
    }

    @Test func `a press that was let in while somebody was let go changes nothing`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ask = try await site.ask(by: .ben)
            let (ben, ana) = try await together(site, as: "roster")
            let slip = try await ben.visit("/events/\(event)/people/new").press("Add", filling: ["name": "Mia"])
            let people: SQL = "guest WHERE off_at IS NULL"
            #expect(try site.count(of: people) == 1)
            let forms = [
                try await ana.visit("/events/\(event)/people/new").form(with: "Add", filling: ["name": "Ida"]),
                try await ana.visit("/opportunities/\(ask)/people/new").form(
                    with: "Add", filling: ["name": "Otto", "shift": "1"]),
                try await ana.visit(slip.path).form(with: "Yes, take off the list"),
            ]
            for form in forms {
                try await send(form, from: ana, whileLetGoAt: site)
                #expect(try site.count(of: people) == 1, "\(form.action)")
                // Twin: entrusted with it again, the same person does the same.
                try await site.execute(
                    "INSERT INTO colleague (account_id, host_id, duty, since) VALUES (2, 1, 'roster', 1)")
            }
            for form in forms { _ = try await form.send(from: ana) }
            #expect(try site.count(of: "guest") == 3 && site.count(of: people) == 2)
        }
    }

    @Test func `nor does it keep, throw away or bring back a draft`() async throws {
        try await withTestSite { site in
            let (ben, ana) = try await together(site, as: "edit")
            let list = "/me/events?list=draft"
            for title in ["Rope", "Kites"] {
                _ = try await ben.visit("/events/new").press("Keep as draft", filling: ["title": .text(title)])
            }
            _ = try await ben.visit(list).press("Throw away: Kites")
            let forms = [
                try await ana.visit("/events/new").form(with: "Keep as draft", filling: ["title": "Hoops"]),
                try await ana.visit("/opportunities/new?kind=volunteer").form(
                    with: "Keep as draft", filling: ["title": "Lunch"]),
                try await ana.visit(list).form(with: "Throw away: Rope"),
                try await ana.visit(list).form(with: "Undo: Kites"),
            ]
            for form in forms {
                try await send(form, from: ana, whileLetGoAt: site)
                #expect(try site.count(of: "draft") == 1, "\(form.action)")
                #expect(try site.count(of: "draft WHERE title = 'Rope'") == 1, "\(form.action)")
                // Twin: entrusted with it again, the same person does the same.
                try await site.execute(
                    "INSERT INTO colleague (account_id, host_id, duty, since) VALUES (2, 1, 'edit', 1)")
            }
            for form in forms { _ = try await form.send(from: ana) }
            #expect(try site.count(of: "draft WHERE account_id = 1 AND title IN ('Hoops', 'Lunch', 'Kites')") == 3)
            #expect(try site.count(of: "draft") == 3)
        }
    }

    /// Sends a form while another transaction takes away what its sender looks after: the request is let in before that
    /// is done, and writes afterwards.
    private func send(_ form: PageForm, from browser: Browser, whileLetGoAt site: TestSite) async throws {
        let gate = DispatchSemaphore(value: 0)
        async let end: Void = site.write { db in
            try db.execute("DELETE FROM colleague")
            gate.wait()
        }
        try await Task.sleep(for: .milliseconds(100))
        async let page = form.send(from: browser)
        try await Task.sleep(for: .milliseconds(400))
        gate.signal()
        try await end
        _ = try await page
    }

    private func visitor(_ browser: Browser, _ site: TestSite) async throws -> Visitor? {
        let cookie = try #require(browser.cookie(Cookie.name(Session.cookieName, in: site.site.settings)))
        let (token, now) = (try #require(Token(cookie)), site.clock.now)
        return try site.read(at: now) { tx in try Session.visitor(token.hash, in: tx) }
    }

    @Test func `a link works once, for a week, for whoever has no organization yet`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let wrong = try await ben.visit(Self.page).press(
                "Make a link", filling: ["role": "edit", "current_password": "not my password"])
            #expect(wrong.status == 422 && wrong.problems == ["This is not your password. Try again."])
            #expect(try site.count(of: "one_time_link WHERE kind = 'colleague'") == 0)
            let first = try await invitation(by: ben, to: "edit")
            let secret = String(try #require(first.split(separator: "/").last))
            // Only its hash is kept.
            #expect(
                try site.count(of: "one_time_link WHERE CAST(token_hash AS TEXT) LIKE '%' || \(secret) || '%'") == 0)
            #expect(try await ben.visit(first).text.contains("This is your own invitation"))
            let cleo = try await site.signIn(.cleo, as: .provider)
            #expect(try await cleo.visit(first).text.contains("You look after an organization already"))
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ben.visit(Self.page).press("Take it back: Looks after everything")
            #expect(try await ana.visit(first).status == 410)
            let second = try await invitation(by: ben, to: "roster")
            site.clock.advance(by: .days(7) + .seconds(1))
            #expect(try await site.signIn(.ana, as: .parent).visit(second).status == 410)
            let third = try await invitation(by: site.signIn(.ben, as: .provider), to: "roster")
            _ = try await site.signIn(.ana, as: .parent).visit(third).press("Look after it together")
            #expect(try await site.signIn(.mira, as: .parent).visit(third).status == 410)
            #expect(try await site.signIn(.mira, as: .parent).visit("/join/nothing").status == 404)
            // One organization is enough for an account.
            let later = try await site.signIn(.ana)
            #expect(try await later.visit("/me/provider").status == 403)
        }
    }

    @Test func `of many who press at once, one comes in`() async throws {
        try await withTestSite { site in
            let link = try await invitation(by: site.signIn(.ben, as: .provider), to: "edit")
            var forms: [(Browser, PageForm)] = []
            for number in 1...6 {
                let browser = try await site.signIn(.family(number), as: .parent)
                forms.append((browser, try await browser.visit(link).form(with: "Look after it together")))
            }
            let all = forms
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (browser, form) in all { group.addTask { _ = try await form.send(from: browser) } }
                try await group.waitForAll()
            }
            #expect(try site.count(of: "colleague") == 1)
        }
    }

    @Test func `handed over, all of it goes along, and its old address leads to the new one`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ask = try await site.ask(by: .ben)
            let cleo = try await site.signIn(.cleo, as: .parent)
            for browser in [cleo, try await site.signIn(.ana, as: .parent)] {
                _ = try await browser.visit("/providers/ben-ruiz").press("Follow")
            }
            let (ben, ana) = try await together(site, as: "edit")
            let (heir, before) = (try await site.account(of: .ana), try await site.account(of: .ben))
            let draw = try await site.write(at: site.clock.now) { tx in
                var form = DrawForm()
                (form.title, form.events, form.lastDay) = ("Spring", [event], Day(iso: "2027-03-22"))
                return try Draw.create(form, until: tx.now + .days(2), of: before, once: "once", in: tx)
            }
            #expect(try site.count(of: "organization_total WHERE followers = 2") == 1)
            let fields: [String: Filling] = ["colleague": .text("\(heir)"), "own_password": "no"]
            let wrong = try await ben.visit(Self.page).press("Hand the organization over", filling: fields)
            #expect(wrong.status == 422)
            let right = fields.merging(["own_password": .text(Person.password)]) { $1 }
            let page = try await ben.visit(Self.page).press("Hand the organization over", filling: right)
            #expect(page.path == Self.page && !page.buttons.contains("Make a link"))
            #expect(try await ana.visit("/inbox").text.contains("King Library is yours to look after now"))
            #expect(try await ana.visit(Self.page).buttons.contains("Make a link"))
            #expect(try site.count(of: "organization_total WHERE account_id = \(heir) AND followers = 1") == 1)
            let shown = try await cleo.visit("/providers/ben-ruiz")
            #expect(shown.path == "/providers/ana-ortiz" && shown.text.contains("Kite day"))
            #expect(shown.text.contains("You follow them"))
            for browser in [ana, ben] {
                #expect(try await browser.visit("/events/\(event)/edit").status == 200)
                #expect(try await browser.visit("/opportunities/\(ask)/edit").status == 200)
                #expect(try await browser.visit("/draws/\(draw)").buttons.contains("Call it off"))
            }
            _ = try await ben.visit(Self.page).press("Yes, leave")
            #expect(try await ben.visit("/events/\(event)/edit").status >= 400)
            // Nothing of it hangs on the account that gave it away.
            #expect(try site.count(of: "opportunity WHERE account_id = \(before)") == 0)
            _ = try await ben.visit("/me/delete").press(
                "Delete my account", filling: ["current_password": .text(Person.password)])
            #expect(try site.count(of: "event WHERE account_id = \(heir) AND cancelled_at IS NULL") == 1)
            #expect(try site.count(of: "draw WHERE account_id = \(heir)") == 1)
            #expect(try await cleo.visit("/providers/ana-ortiz").text.contains("Kite day"))
            #expect(try await cleo.visit("/providers/ben-ruiz").status == 404)
            #expect(try await ana.visit(Self.page).text.contains("Somebody who left handed the organization over"))
        }
    }

    @Test func `what staff hid is settled before it is handed over`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben)
            let (ben, _) = try await together(site, as: "edit")
            try await site.execute("UPDATE event SET hidden_at = 1")
            let form = ["colleague": Filling.text("2"), "own_password": .text(Person.password)]
            let page = try await ben.visit(Self.page).press("Hand the organization over", filling: form)
            #expect(page.status == 422 && page.text.contains("have something to settle there first"))
            #expect(try site.count(of: "provider WHERE account_id = 1") == 1)
            try await site.execute("UPDATE event SET hidden_at = NULL")
            // What an heir announced as a neighbor promised nobody a list of names, and stays apart.
            let own = try await site.publish(by: .ana) { $0.audience = .everyone }
            let mixed = try await ben.visit(Self.page).press("Hand the organization over", filling: form)
            #expect(mixed.status == 422 && mixed.text.contains("They announced something of their own"))
            // Twin: settled, it goes.
            try await site.execute("DELETE FROM event WHERE id = \(own)")
            _ = try await ben.visit(Self.page).press("Hand the organization over", filling: form)
            #expect(try site.count(of: "provider WHERE account_id = 2") == 1)
        }
    }

    @Test func `nobody confirms their own hours, nor reviews what they look after`() async throws {
        try await withTestSite { site in
            let ask = try await site.ask(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/opportunities/\(ask)").press("Sign up", filling: ["shift": ["1"]])
            let (ben, same) = try await together(site, as: "edit")
            site.clock.advance(by: .days(8))
            _ = same
            let later = try await site.signIn(.ana)
            _ = try await later.visit("/me").press("Provider")
            let list = try await later.visit("/opportunities/\(ask)/signups")
            let key = "1-2027-03-27"
            let fields = [
                ("csrf", list.value(of: "csrf") ?? ""), ("confirm-\(key)", "1"), ("hours-\(key)", "3"),
            ]
            #expect(try await later.post("/opportunities/\(ask)/hours", fields).status == 404)
            #expect(try site.count(of: "contribution WHERE confirmed IS NOT NULL") == 0)
            // Twin: the owner confirms them.
            _ = ben
            let owner = try await site.signIn(.ben, as: .provider)
            let bens = [("csrf", try await token(owner)), ("confirm-\(key)", "1"), ("hours-\(key)", "3")]
            _ = try await owner.post("/opportunities/\(ask)/hours", bens)
            #expect(try site.count(of: "contribution WHERE confirmed IS NOT NULL") == 1)
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            let today = try #require(Day(iso: "2027-03-28"))
            func canWrite() throws -> Bool {
                try site.read(at: now) { tx in try Review.canWrite(account, about: ID(1), today: today, in: tx) }
            }
            #expect(try !canWrite())
            try await site.execute("DELETE FROM colleague")
            #expect(try canWrite())
        }
    }

    @Test func `an owner who is suspended or only reads takes the others along`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let (_, ana) = try await together(site, as: "edit")
            try await site.execute("UPDATE account SET limited_until = 9999999999999 WHERE id = 1")
            let csrf = try await token(ana)
            #expect(try await ana.post("/events/\(event)/edit", [("csrf", csrf)]).status == 403)
            try await site.execute("UPDATE account SET limited_until = NULL, suspended_at = 1 WHERE id = 1")
            #expect(try await ana.visit("/events/\(event)/edit").status >= 400)
            #expect(try await ana.visit("/me/provider").status == 403)
            // Twin: restored, it is open again.
            try await site.execute("UPDATE account SET suspended_at = NULL WHERE id = 1")
            #expect(try await ana.visit("/events/\(event)/edit").status == 200)
        }
    }

    @Test func `when the owner's account is deleted, the others are told; what is kept is taken along`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let (ben, ana) = try await together(site, as: "edit")
            _ = try await ana.visit("/events/\(event)/edit").press("Preview", filling: ["title": "Kite week"]).press(
                "Publish the change")
            let second = try await site.account(of: .ana)
            let taken = try site.read { db in
                try RetentionRule.team.exports(of: second).map { ($0.name, try $0.entries(in: db).count) }
                    .filter { $0.1 > 0 }
            }
            #expect(taken.map(\.0) == ["organization", "done-for-an-organization"] && taken.map(\.1) == [1, 2])
            let page = try await ben.visit("/me/delete")
            #expect(page.text.contains("1 other looks after your organization"))
            _ = try await page.press("Delete my account", filling: ["current_password": .text(Person.password)])
            #expect(try await ana.visit("/inbox").text.contains("King Library has left this site"))
            #expect(try site.count(of: "colleague") == 0)
            #expect(try site.count(of: "team_act") == 0)
            #expect(try site.count(of: "session WHERE account_id = \(second) AND hat = 'provider'") == 0)
        }
    }

    @Test func `what somebody did is erased after a year, their name when they leave the site`() async throws {
        try await withTestSite { site in
            let (ben, ana) = try await together(site, as: "edit")
            #expect(try await ben.visit("/inbox").text.contains("ana-ortiz looks after"))
            _ = try await ana.visit("/me/delete").press(
                "Delete my account", filling: ["current_password": .text(Person.password)])
            #expect(try await !ben.visit("/inbox").text.contains("ana-ortiz"))
            let page = try await ben.visit(Self.page)
            #expect(page.text.contains("Somebody who left joined by an invitation"))
            #expect(!page.text.contains("ana-ortiz"))
            let year = site.clock.now + .days(366)
            try await site.write(at: year) { tx in _ = try RetentionRule.team.erase?(tx) }
            #expect(try site.count(of: "team_act") == 0)
        }
    }

    @Test func `a colleague of a suspended owner can leave, under any hat`() async throws {
        try await withTestSite { site in
            let (_, ana) = try await together(site, as: "edit")
            try await site.execute("UPDATE account SET suspended_at = 1 WHERE id = 1")
            #expect(try await ana.visit("/me/provider").status == 403)
            let me = try await ana.visit("/me")
            #expect(me.text.contains("King Library, which you look after with others, is paused"))
            _ = try await me.press("Leave: King Library")
            #expect(try site.count(of: "colleague") == 0)
            #expect(try await !ana.visit("/me").text.contains("King Library"))
            #expect(try await ana.visit("/me/provider").status == 200)
        }
    }

    @Test(arguments: ["edit", "roster"])
    func `colleagues are told of what families do, as far as they may see it`(role: String) async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ask = try await site.ask(by: .ben)
            let (lu, mo) = (try await site.child("Lu", of: .cleo), try await site.child("Mo", of: .ana))
            let (ben, ana) = try await together(site, as: role)
            try await site.execute("UPDATE account SET confirmed_at = 1")
            let account = try await site.account(of: .ana)
            func letters(_ kind: NoticeKind, to account: ID<Account>) throws -> Int {
                try site.count(of: "letter WHERE account_id = \(account) AND kind = \(kind) AND state = 'waiting'")
            }
            let cleo = try await site.signIn(.cleo, as: .parent)
            _ = try await cleo.visit("/events/\(event)").press("Register", filling: ["child": .text("\(lu)")])
            _ = try await cleo.visit("/events/\(event)").press("Ask", filling: ["text": "Is there shade?"])
            _ = try await cleo.visit("/opportunities/\(ask)").press("Sign up", filling: ["shift": ["1"]])
            let isEditor = role == "edit"
            for browser in [ben, ana] {
                let inbox = try await browser.visit("/inbox").text
                let mayAnswer = browser === ben || isEditor
                #expect(inbox.contains("A new registration for Kite day"))
                #expect(inbox.contains("A question about Kite day") == mayAnswer)
                #expect(inbox.contains("Somebody signed up: Serve Saturday lunch") == mayAnswer)
            }
            #expect(try letters(.booked, to: account) == 1)
            #expect(try letters(.asked, to: account) == (isEditor ? 1 : 0))
            #expect(try letters(.helpers, to: account) == (isEditor ? 1 : 0))
            #expect(try letters(.booked, to: ID(1)) == 1)
            // What is unread is gathered for each of them, and nobody is told of what they did themselves.
            let more = try await site.child("Zoe", of: .family(1))
            let other = try await site.signIn(.family(1), as: .parent)
            _ = try await other.visit("/events/\(event)").press("Register", filling: ["child": .text("\(more)")])
            #expect(try await ana.visit("/inbox").text.contains("2 new registrations for Kite day"))
            _ = try await ana.visit("/me").press("Parent")
            _ = try await ana.visit("/events/\(event)").press("Register", filling: ["child": .text("\(mo)")])
            let told: SQL = "notice WHERE kind = 'booked' AND account_id"
            #expect(try site.count(of: "\(told) = \(account) AND times = 2") == 1)
            #expect(try site.count(of: "\(told) = 1 AND times = 3") == 1)
            #expect(
                try site.count(
                    of: """
                        account WHERE unread <> (SELECT count(*) FROM notice
                            WHERE notice.account_id = account.id AND notice.read_at IS NULL)
                        """) == 0)
            // By their own settings: those who want none have none.
            _ = try await ana.visit("/me").press("Provider")
            _ = try await ana.visit("/me/notices").press("Save", filling: ["on": []])
            try await site.write(at: Clock.start) { tx in
                try Notice.tellHost(.init(kind: .booked, event: event), in: tx)
            }
            #expect(try site.count(of: "\(told) = \(account) AND times = 2") == 1)
            #expect(try site.count(of: "\(told) = 1 AND times = 4") == 1)
            // With less to do they are told of less.
            if isEditor { _ = try await ben.visit(Self.page).press("Only lists and the door: ana-ortiz") }
            #expect(try letters(.asked, to: account) == 0 && letters(.helpers, to: account) == 0)
            #expect(try letters(.booked, to: account) > 0)
            // A colleague who was let go is told nothing more, and no letter is on its way to them.
            _ = try await ben.visit(Self.page).press("Remove them: ana-ortiz")
            #expect(try site.count(of: "\(told) = \(account)") == 0)
            for kind in [NoticeKind.booked, .asked, .helpers] { #expect(try letters(kind, to: account) == 0) }
            #expect(try letters(.booked, to: ID(1)) > 0)
        }
    }

    private static let fair: [String: Filling] = [
        "title": "Willow Street fair", "description": "Music, cake and a flea market on our street.",
        "date": "2027-03-27", "start_time": "10:00", "end_time": "18:00", "address": "180 Park Ave",
        "city": "San Jose", "state": "CA", "zip": "95113",
    ]

    @Test func `what an owner drafts as a neighbor is nobody else's`() async throws {
        try await withTestSite { site in
            try await site.family(of: .ben)
            let (ben, ana) = try await together(site, as: "edit")
            _ = try await ben.visit("/events/new").press("Keep as draft", filling: ["title": "Rope"])
            _ = try await ben.visit("/me").press("Parent")
            _ = try await ben.visit("/events/new?audience=everyone").press(
                "Keep as draft", filling: ["title": "My birthday"])
            let list = "/me/events?list=draft"
            #expect(try await ben.visit(list).text.contains("My birthday"))
            let hers = try await ana.visit(list).text
            #expect(hers.contains("Rope") && !hers.contains("My birthday"))
            #expect(try await ana.visit("/events/new?draft=2").status == 404)
            #expect(try await ana.visit("/events/new?draft=1").status == 200)
            let csrf = try await token(ana)
            _ = try await ana.post("/me/drafts/2/delete", [("csrf", csrf)])
            #expect(try site.count(of: "draft") == 2)
            // Thrown away, it isn't theirs to take back either.
            _ = try await ben.visit(list).press("Throw away: My birthday")
            #expect(try await !ana.visit(list).text.contains("My birthday"))
            #expect(try await ana.post("/undo/1", [("csrf", csrf)]).status == 404)
            _ = try await ben.visit(list).press("Undo: My birthday")
            #expect(try await !ana.visit(list).text.contains("My birthday"))
            // Twin: kept for the organization, it is seen by those who look after it.
            try await site.execute("UPDATE draft SET is_own = FALSE")
            #expect(try await ana.visit(list).text.contains("My birthday"))
            try await site.execute("UPDATE draft SET is_own = (title = 'My birthday')")
            // Handed over, it stays.
            _ = try await ben.visit("/me").press("Provider")
            _ = try await ben.visit(Self.page).press(
                "Hand the organization over", filling: ["colleague": "2", "own_password": .text(Person.password)])
            #expect(try site.count(of: "draft WHERE account_id = 1 AND title = 'My birthday'") == 1)
            #expect(try site.count(of: "draft WHERE account_id = 2 AND title = 'Rope'") == 1)
        }
    }

    @Test func `a form that was open when somebody was let go isn't published as their own unasked`() async throws {
        try await withTestSite { site in
            let (ben, ana) = try await together(site, as: "edit")
            let preview = try await ana.visit("/events/new?audience=everyone").press("Preview", filling: Self.fair)
            _ = try await ben.visit(Self.page).press("Remove them: ana-ortiz")
            let back = try await preview.press("Publish")
            #expect(back.status == 422 && back.text.contains("an organization that you don’t act for now"))
            #expect(back.value(of: "title") == "Willow Street fair")
            #expect(try site.count(of: "event") == 0)
            // Said so, it can be theirs. Twin: a form that doesn't say for whom it is goes the way of its sender.
            _ = try await back.press("Preview").press("Publish")
            #expect(try site.count(of: "event WHERE account_id = 2") == 1)
        }
    }

    @Test func `the log says to whom something was done, from the first invitation on`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let other = try await site.publish(by: .ben) { $0.title = "Rope day" }
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await invitation(by: ben, to: "edit")
            #expect(try await ben.visit(Self.page).text.contains("ben-ruiz made an invitation"))
            let (_, ana) = try await together(site, as: "edit")
            try await site.family(of: .cleo)
            let cleo = try await site.signIn(.cleo, as: .parent)
            _ = try await cleo.visit("/events/\(event)").press("Ask", filling: ["text": "Is there shade?"])
            _ = try await ana.visit("/events/\(event)").press("Close without an answer")
            let csrf = try await token(ana)
            let gone = try await ana.post("/events/\(other)/delete", [("csrf", csrf)])
            _ = try await gone.press("Undo: Rope day")
            _ = try await ben.visit(Self.page).press("Only lists and the door: ana-ortiz")
            _ = try await ben.visit(Self.page).press("Remove them: ana-ortiz")
            let log = try await ben.visit(Self.page).text
            for line in [
                "ana-ortiz closed a question about “Kite day”", "ana-ortiz deleted “Rope day”",
                "ana-ortiz brought “Rope day” back", "ben-ruiz changed what ana-ortiz does here",
                "ben-ruiz took the part of ana-ortiz away",
            ] { #expect(log.contains(line), "\(line)") }
            // Nobody is named who left the site.
            _ = try await ana.visit("/me/delete").press(
                "Delete my account", filling: ["current_password": .text(Person.password)])
            let later = try await ben.visit(Self.page).text
            #expect(later.contains("ben-ruiz took somebody’s part away") && !later.contains("ana-ortiz"))
        }
    }

    @Test(arguments: [true, false])
    func `those who gave the mark are told when it goes along into other hands`(isMarked: Bool) async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let (ben, _) = try await together(site, as: "edit")
            if isMarked {
                let until = site.clock.now + .days(300)
                try await site.execute(
                    "UPDATE provider SET verified_at = 1, verified_until = \(until), verified_by_checking = 'a call'")
            }
            let heir = try await site.account(of: .ana)
            _ = try await ben.visit(Self.page).press(
                "Hand the organization over",
                filling: ["colleague": .text("\(heir)"), "own_password": .text(Person.password)])
            let inbox = try await mira.visit("/inbox").text
            #expect(inbox.contains("King Library is in other hands, with its mark") == isMarked)
        }
    }
}
