import Database
import SMTP
import Templating
import Testing

@testable import App

/// Every statement the site runs, as SQLite plans it: `QueryPlans` looks at those of each walk, and of this tour of all
/// filters and pages.
@Suite struct QueriesTests {
    @Test(.tags(.slow)) func `no query reads a growing table from end to end or sorts it`() async throws {
        try await withTestSite { site in
            try await tour(site)
            #expect(site.site.database.recordedStatements.count > 60)
            #expect(site.site.media.database.recordedStatements.count > 5)
        }
    }

    @Test(.onFiles) func `a query without an index is found out`() async throws {
        try await withTestSite { site in
            for query: SQL in [
                "SELECT id FROM event WHERE title = 'x'", "SELECT id FROM event ORDER BY title LIMIT 20",
                "SELECT id FROM letter WHERE state = \(Letter.State.sent) LIMIT 20",
                "SELECT id FROM decision WHERE subject LIKE \("post-%") ORDER BY id LIMIT 20",
            ] {
                let plan = try site.site.database.explain(query)
                #expect(!QueryPlans.faults(in: plan).isEmpty, "\(plan)")
            }
        }
        if OtherEngine.site != nil {
            let query: SQL = "SELECT id FROM event WHERE title = 'x'"
            #expect(OtherEngine.problem(with: query, on: OtherEngine.site)?.contains("Seq Scan on event") == true)
        }
    }

    @Test func `a walk fails whose site runs one, and not for what the test itself asks`() async throws {
        func walk(_ ask: @escaping (TestSite) throws -> Void) async throws {
            try await withTestSite { site in try ask(site) }
        }
        let query: SQL = "SELECT 1 FROM event WHERE synopsis = 'x'"
        try await walk { site in _ = try site.read { db in try db.exists(query) } }
        try await withKnownIssue {
            try await walk { site in _ = try site.site.read { db in try db.exists(query) } }
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains(/S(CAN|eq Scan on) event/) }
        }
    }

    /// What somebody does with their own account.
    private func account(_ site: TestSite) async throws {
        let cleo = try await site.signIn(.cleo, as: .parent)
        let other = try await site.signIn(.cleo, as: .parent)
        let password: Filling = .text(Person.password)
        _ = try await cleo.visit("/me/sessions?end=all").press(
            "Log out all other devices", filling: ["current_password": password])
        #expect(try await other.visit("/me").path.hasPrefix("/login"))
        try await site.execute("UPDATE account SET confirmed_at = 1 WHERE username = 'cleo-park'")
        let phone = try await cleo.visit("/me/two-step").press("Set it up", filling: ["current_password": password])
        let account = try await site.account(of: .cleo)
        let bytes: [UInt8] = try site.read { db in
            try db.value("SELECT secret FROM two_step WHERE account_id = \(account)")!
        }
        func code() -> Filling {
            .text(OneTimeCode(secret: bytes).code(at: OneTimeCode.step(at: site.clock.now)))
        }
        let codes = try await phone.press("Switch it on", filling: ["code": code()]).html.all("code").map(\.text)
        for typed in [codes[0], "000000"] {
            _ = try await site.browser().visit("/login").press(
                "Log in", filling: ["login": "cleo-park", "password": password]
            ).press("Log in", filling: ["code": .text(typed)])
        }
        for (path, button) in [("codes", "Make new ones"), ("off", "Switch it off")] {
            site.clock.advance(by: .seconds(30))
            _ = try await cleo.visit("/me/two-step/\(path)").press(
                button, filling: ["current_password": password, "code": code()])
        }
        _ = try await cleo.visit("/me/email").press(
            "Change the address", filling: ["email": "new@example.org", "current_password": password])
        func secret(_ kind: NoticeKind) throws -> String {
            try site.read { db in
                try db.value("SELECT secret FROM letter WHERE kind = \(kind) AND secret <> '' LIMIT 1") ?? ""
            }
        }
        _ = try await cleo.visit("/verify/\(try secret(.address))").press("Confirm it")
        _ = try await cleo.visit("/undo-email/\(try secret(.moved))").press("Put it back")
    }

    /// A program: joined, moved, called off, in the week and in calendars; what suits; needs.
    private func gather(_ site: TestSite, _ ana: Browser, _ ben: Browser) async throws {
        let typed: [String: Filling] = [
            "title": "Willow fair", "description": "Stalls and music.", "date": "2027-03-26", "start_time": "10:00",
            "end_date": "2027-03-28", "end_time": "18:00", "address": "180 Park Ave", "city": "San Jose", "state": "CA",
            "zip": "95113", "tags": "music, outdoors", "spots": "",
        ]
        let form = try await ben.visit("/events/new?audience=everyone").press("Add an activity", filling: typed)
        let preview = try await form.press(
            "Preview", filling: ["activity.0.name": "Puppets", "activity.0.start_time": "14:00"])
        let path = try await preview.press("Publish").follow("See the event").path
        let page = try await ana.visit(path).follow("Puppets")
        _ = try await page.press("Join")
        for path in [
            path, "\(path)?day=2027-03-26", "\(path)/programme", "/week", "/week?from=2027-03-26", "/events/for-you",
        ] {
            #expect(try await ana.visit(path).status == 200, "\(path)")
        }
        _ = try await ben.visit("\(path)/edit").press("Preview", filling: ["activity.0.start_time": "15:00"])
            .press("Publish the change")
        _ = try await ana.visit(page.path).press("Leave")
        _ = try await ben.visit("\(path)/edit").press("Remove Puppets").press("Preview").press("Publish the change")
        let less = try await ana.visit("/me/settings").value(of: "csrf") ?? ""
        for pairs in [[("tag", "music")], [("event", "1")], [("tag", "music"), ("undo", "1")]] {
            _ = try await ana.submit("/events/less", [("csrf", less)] + pairs)
        }
        _ = try await ana.visit(path).press("Save")
        for list in ["", "?list=over", "?after=1_1&help=1_1", "?list=over&after=1_1&help=1_1"] {
            #expect(try await ana.visit("/favorites\(list)").status == 200, "\(list)")
        }
        _ = try await ana.visit(path).press("Saved, take it off your list")
        let need: [String: Filling] = [
            "title": "A ladder", "kind": "things", "description": "For an afternoon.", "until": "2027-04-01",
            "address": "1 Main St", "city": "San Jose", "state": "CA", "zip": "95112",
        ]
        let asked = try await ben.visit("/needs/new").press("Preview", filling: need).press("Ask").path
        for path in [
            "/needs", "/needs?q=ladder&kind=things&near=95112", "/needs?after=1", "/needs/mine?after=99",
            "/needs/promised?after=9", asked,
        ] {
            #expect(try await ana.visit(path).status == 200, "\(path)")
        }
        _ = try await ana.visit(asked).press("I’ll take it").press("I can’t after all").press("I’ll take it")
        _ = try await ana.visit("/")
        let links = try await ana.visit(asked).links
        let thread = try #require(links.first { $0.text.hasPrefix("Messages with ") }?.href)
        _ = try await ben.visit(thread).press("Send", filling: ["text": "At six?"])
        _ = try await ana.visit(thread).press("Send", filling: ["text": "At six."])
        for path in ["\(thread)?after=9", asked, "/needs/promised", "/"] {
            #expect(try await ana.visit(path).status == 200, "\(path)")
        }
        let last = try site.read { db in try db.value("SELECT max(id) FROM message") as Int? } ?? 0
        #expect(try await ben.visit("/reports/new?about=message-\(last)").status == 200)
        _ = try await ana.send("GET", "/stream?after=0", ["Accept": "application/json"])
        _ = try await ana.visit(asked).press("It is there")
        _ = try await ben.visit(asked).press("It is there, thank you: \(Person.family(7).username)")
        _ = try await ben.visit("/needs/mine")
    }

    /// Kind acts: chosen, written, done, taken back.
    private func beKind(_ ana: Browser) async throws {
        for path in ["/kindness", "/kindness?q=soup", "/kindness/themes/town", "/kindness/mine?after=9"] {
            #expect(try await ana.visit(path).status == 200, "\(path)")
        }
        let written = try await ana.visit("/kindness/acts/new").press("Put it on my list", filling: ["name": "Sing"])
        _ = try await written.press("I did it: Sing").press("Undo: Sing")
        _ = try await ana.visit(written.path).press("Take it off my list").press("I did it: Sing")
        _ = try await ana.visit(written.path + "?after=99")
        _ = try await ana.visit(written.path).press("Tell the town: Sing")
        _ = try await ana.visit("/kindness/mine").press("7 days").press("I’m back")
    }

    /// Play dates: the cards, a match, what is said in it, a meeting, its end.
    private func play(_ site: TestSite, _ ana: Browser, _ ben: Browser) async throws {
        for path in ["/playdates", "/me/owner", "/me/pets/new"] { _ = try await ana.visit(path) }
        // What others see of one’s kind acts.
        let shown = try await ana.visit("/me/profile").press(
            "Save", filling: ["display_name": "Ana", "shows": .texts(KindnessPart.allCases.map(\.rawValue))])
        #expect(shown.text.contains("Level "), "\(shown.path) \(shown.status)")
        for (name, person) in [("Clover", Person.ana), ("Biscuit", .ben), ("Miso", .cleo), ("Hazel", .family(1))] {
            try await PlaydatesTests.pet(name, of: person, in: site)
        }
        _ = try await ana.visit("/me/owner/area").press("Save", filling: ["zip": "95030"])
        _ = try await ana.visit("/me/pets/1/edit/wanted-types").press("Save", filling: ["wants_type": ["dog"]])
        _ = try await ana.visit("/me/pets/1/pictures").press(
            "Save the pictures", filling: ["photo": .file(SentFile("photo.jpg", Pictures.photo))])
        _ = try await ana.visit("/playdates").press("Not now").press("Undo: Hazel").press("Not now")
            .press("Not now").press("Say hello").press("Show those I passed over")
        let match = try await ben.visit("/playdates?asking=2").press("Not now").press("Not now").press("Say hello").path
        for path in ["/playdates/matches", "/playdates/matches?show=favorites&after=1_1", "\(match)?after=9", match] {
            #expect(try await ana.visit(path).status == 200, "\(path)")
        }
        _ = try await ben.visit(match).press("Send", filling: ["text": "Hello"])
        _ = try await ana.visit(match).press("Send", filling: ["text": "Hello"])
        _ = try await ana.visit("/playdates/matches").press("Favorite: Clover and Biscuit")
        _ = try await ben.visit(match).press(
            "Propose these times", filling: ["day_1": "2027-04-22", "time_1": "10:00", "place": "The lawn"])
        let asked = try await ana.visit(match)
        _ = try await asked.press(asked.buttons.first { $0.contains("April 22") } ?? "")
        for path in ["/", "/week"] { _ = try await ana.visit(path) }
        _ = try await ana.visit(match).press(
            "Propose these times instead",
            filling: ["day_1": "2027-04-23", "time_1": "10:00", "place": "The lawn", "why": "It rains."])
        _ = try await ana.visit(match).press("Call the meeting off", filling: ["reason": "It rains."])
        _ = try await ana.visit("/reports/new?about=pet-2").press("Send the report", filling: ["reason": "spam"])
        _ = try await ana.visit("/reports/new?about=message-1").press("Send the report", filling: ["reason": "spam"])
        _ = try await ana.visit(match).press("End the match")
        _ = try await ana.visit("/playdates/matches")
        _ = try await site.signIn(.cleo).visit("/me/pets/3/delete").press("Remove the pet")
        let family = try await site.signIn(.family(1))
        _ = try await family.visit("/me/owner/delete").press("Erase all of it")
        _ = try await family.visit("/playdates?after=99")
    }

    /// Helping: found, signed up, promised, confirmed, reviewed, given back.
    private func help(_ site: TestSite, _ ana: Browser, _ ben: Browser) async throws {
        let lunch = try await site.ask(by: .ben) { form in
            form.tags = "health"
            form.asksFirst = true
            form.shifts[1] = form.shifts[0]
            form.shifts[1].date = Day(iso: "2027-04-03")
        }
        let coats = try await site.ask(by: .ben) {
            $0.kind = .donate
            $0.rhythm = nil
            $0.shifts[0] = OpportunityForm.ShiftRow()
            $0.things[0] = OpportunityForm.ThingRow(name: "Coats", wanted: 10)
        }
        for filter in [
            "", "q=lunch", "q=lunch&tag=health", "tag=health&kind=volunteer&kind=donate", "near=95112&within=50",
            "near=95112&within=50&sort=newest&q=lunch", "near=95112&within=50&q=lunch&tag=health&after=1.5_9_1",
            "from=2027-03-20&to=2027-04-20&hours=3&age=16&home=1&children=1&organization=ben-ruiz&after=99",
            "tag=health&after=99", "q=lunch&after=99",
        ] {
            for room in ["", "/map"] {
                #expect(try await ana.visit("/opportunities\(room)?\(filter)").status == 200, "\(filter)")
            }
        }
        for path in ["/opportunities.atom?tag=health", "/api/opportunities?q=lunch", "/api/opportunities/\(lunch)"] {
            #expect(try await ana.visit(path).status == 200, "\(path)")
        }
        let asked = try await ana.visit("/opportunities/\(lunch)").press("Ask to help", filling: ["shift": ["1"]])
        #expect(asked.status == 200, "\(asked.status) \(asked.heading) \(asked.text.prefix(300))")
        _ = try await ben.visit("/opportunities/\(lunch)/signups?after=0").press("Say yes: Cleo Park")
        _ = try await ben.visit("/opportunities/\(lunch)/messages")
            .press("Preview", filling: ["to": ["shift-1"], "subject": "Boots", "body": "It is wet."])
            .press("Send it")
        for browser in [ana, ben] { _ = try await browser.visit("/opportunities/\(lunch)/messages") }
        let thread = try await ana.visit("/signups/1").follow("Messages with King Library")
        _ = try await thread.press("Send", filling: ["text": "Where?"])
        for path in ["/", "/opportunities/\(lunch)/signups", thread.path, thread.path + "?after=1"] {
            _ = try await ben.visit(path)
        }
        _ = try await ben.visit(thread.path).press("Send", filling: ["text": "At the back door."])
        _ = try await ana.visit("/")
        _ = try await ana.visit("/opportunities/\(lunch)").press("Ask to help", filling: ["shift": ["2"]])
        try await site.execute("UPDATE shift SET taken = spots WHERE id = 2")
        let waiting = try await site.signIn(.family(3), as: .parent)
        _ = try await waiting.visit("/opportunities/\(lunch)").press("Ask to help", filling: ["wait": ["2"]])
            .press("Stop waiting: Saturday, April 3, 11 AM to 2 PM")
        _ = try await waiting.visit("/opportunities/\(lunch)").press("Ask to help", filling: ["wait": ["2"]])
        try await site.execute("UPDATE shift SET taken = 1 WHERE id = 2")
        let soon = Clock.start + .days(7) + .hours(6)
        try await site.write(at: soon) { tx in
            _ = try Shift.tidyWaiting(in: tx.at(Clock.start))
            _ = try Reminder.sendOfShifts(in: tx)
        }
        for path in ["/opportunities/suggested", "/opportunities/suggested?q=lunch&tag=health&near=95112"] {
            #expect(try await ana.visit(path).status == 200, "\(path)")
        }
        let token = try await ana.visit("/me/settings").value(of: "csrf") ?? ""
        for pairs in [[("opportunity", "\(coats)")], [("opportunity", "\(coats)"), ("undo", "1")]] {
            _ = try await ana.submit("/opportunities/less", [("csrf", token)] + pairs)
        }
        _ = try await ana.visit("/opportunities/\(coats)").press("Save")
        _ = try await ana.visit("/favorites").press("Remove: Serve Saturday lunch")
        _ = try await ben.visit("/opportunities/new?copy=\(lunch)").press("Keep as draft").follow(
            "Serve Saturday lunch")
        _ = try await ben.visit("/me/opportunities?list=draft").press("Throw away: Serve Saturday lunch")
            .press("Undo: Serve Saturday lunch")
        _ = try await ben.visit("/opportunities/\(lunch)/edit").press("Take shift 2 away").press(
            "Preview", filling: ["shift.0.start_time": "10:00", "address": "1 Main St"]
        ).press("Publish the change")
        _ = try await ana.visit("/opportunities/\(coats)").press("I’ll bring it: Coats", filling: ["count": "2"])
        _ = try await ana.visit("/week").press("Take it back: 2 × Coats")
        _ = try await ana.visit("/opportunities/\(coats)").press("I’ll bring it: Coats", filling: ["count": "2"])
        _ = try await ben.visit("/opportunities/\(coats)/signups").press("We got it: 2 × Coats, Cleo Park")
        for path in ["/", "/week", "/impact", "/impact?year=all", "/impact.csv", "/signups/1", "/me/following"] {
            #expect(try await ana.visit(path).status == 200, "\(path)")
        }
        for path in [
            "/me/opportunities?after=99", "/me/following?after=99", "/me?reviews=99",
            "/impact?ahead=1_1&unsaid=99&promised=99&certificates=99", "/opportunities/\(lunch)/signups?as=csv",
            "/opportunities/\(coats)",
        ] {
            #expect(try await ben.visit(path).status == 200, "\(path)")
        }
        _ = try await ana.visit("/providers/ben-ruiz").press("Follow")
        try await site.execute(
            """
            INSERT INTO notice_choice (account_id, kind, channel, is_on) VALUES (1, 'followed', 'daily', TRUE)
            """)
        try await site.ask(by: .ben) { $0.title = "What is new" }
        try await site.write(at: Clock.start + .days(1)) { tx in _ = try FollowNews.sendDigests(in: tx) }
        _ = try await ana.visit("/me/following")
        _ = try await ana.visit("/inbox")
        let past = site.site.today.advanced(by: -1)
        try await site.execute("UPDATE shift SET day = \(past), starts_at = 1, ends_at = 10800001 WHERE id = 1")
        let shown = try await site.signIn(.cleo, as: .parent)
        let host = try await site.signIn(.ben, as: .provider)
        _ = try await shown.visit("/signups/1").press("Note my hours", filling: ["hours": "2"])
        _ = try await host.visit("/opportunities/\(lunch)/signups").press("Confirm these hours")
        for query in ["", "?as=csv", "?after=2027-03-01_1"] {
            #expect(try await host.visit("/me/opportunities/hours" + query).status == 200, "\(query)")
        }
        try await site.write(at: soon) { tx in _ = try Signup.askHours(in: tx) }
        let sheet = try await shown.visit("/impact").press(
            "Make my certificate", filling: ["name": "Ana", "year": "2027"])
        _ = try await shown.visit(sheet.path).press("Withdraw it")
        _ = try await shown.visit("/impact").press("Note my gift", filling: ["amount": "5", "organization": "Coats"])
        let gift: Int64? = try site.read { db in
            try db.value("SELECT max(id) FROM contribution WHERE kind = 'money'")
        }
        _ = try await shown.visit("/impact/gifts/\(gift ?? 0)").press("Save", filling: ["amount": "6"])
        _ = try await shown.visit("/impact/gifts/\(gift ?? 0)").press("Delete this note")
        for path in ["/me/attending", "/me/attending?list=over", "/me", "/events/map"] {
            _ = try await shown.visit(path)
        }
        _ = try await shown.visit("/providers/ben-ruiz/reviews").press(
            "Publish the review", filling: ["stars": "5", "comment": "Good people."])
        _ = try await host.visit("/providers/ben-ruiz?reviews=9")
        _ = try await shown.visit("/reviews/1/edit").press("Save", filling: ["stars": "4"])
        _ = try await shown.visit("/reviews/1/delete")
        _ = try await host.visit("/reviews/1/answer").press("Publish the answer", filling: ["answer": "Thanks."])
        for subject in ["review-1", "opportunity-\(lunch)"] {
            let page = try await host.visit("/reports/new?about=\(subject)")
            if page.status == 200 { _ = try await page.press("Send the report", filling: ["reason": "spam"]) }
        }
        _ = try await host.visit("/opportunities/\(lunch)/close").press("Close it")
        await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
    }

    /// What a draw of places asks, from the form to the last step.
    private func drawLots(_ ana: Browser, in site: TestSite) async throws {
        let host = try await site.signIn(.family(9), as: .provider)
        let event = try await site.publish(by: .family(9)) { ($0.title, $0.spots) = ("Clay day", 1) }
        let page = try await host.visit("/draws/new").press(
            "Preview", filling: ["title": "Clay", "event": .texts(["\(event)"]), "until": "2027-03-22"]
        ).press("Publish the draw")
        for wished in 1...2 {
            _ = try await ana.visit("/events/\(event)/wishes").press(
                "Save our wishes", filling: ["wish.0.1": "\(event)", "wish.1.1": "\(event)"])
            if wished == 1 {
                _ = try await ana.visit("/events/\(event)/wishes").press("Take our wishes back")
            }
        }
        for path in [page.path, "/events/\(event)"] { _ = try await ana.visit(path) }
        let now = site.clock.now
        try await site.execute("UPDATE draw SET until_at = \(now - .minutes(1))")
        _ = try await site.site.carryOutDraws(at: now)
        _ = try await host.visit("\(page.path)/seed").press("Look at it once more", filling: ["seed": "6 6 1"])
            .press("Draw now")
        _ = try await site.site.carryOutDraws(at: now)
        for path in [page.path, "\(page.path).json"] { #expect(try await ana.visit(path).status == 200) }
        #expect(try site.count(of: "draw WHERE done_at IS NOT NULL") == 1)
        _ = try await site.site.write(at: now + .days(400)) { tx in try Draw.eraseOld(in: tx) }
        let other = try await site.publish(by: .family(9)) { $0.title = "Tent day" }
        _ = try await host.visit("/draws/new").press(
            "Preview", filling: ["title": "Tents", "event": .texts(["\(other)"]), "until": "2027-03-22"]
        ).press("Publish the draw").press("Call it off")
    }

    /// What saved searches and the letter about them ask.
    private func lookForNews(_ ana: Browser, in site: TestSite) async throws {
        let filters = [
            "q=kite", "near=95112", "near=95112&q=kite", "tag=music&city=San+Jose", "zip=95113&when=week",
            "audience=everyone&free_places=2&age=4",
        ]
        for filter in filters { _ = try await ana.visit("/events?\(filter)").press("Save this search") }
        #expect(try site.count(of: "saved_search") == filters.count)
        for path in ["/searches", "/searches/1"] { #expect(try await ana.visit(path).status == 200, "\(path)") }
        _ = try await ana.visit("/events/1").press("Save")
        try await site.execute("UPDATE account SET confirmed_at = 1 WHERE username = 'ana-ortiz'")
        let then = Clock.start + .days(7) + .hours(5)
        #expect(try await site.site.writeSearchLetters(at: then) == 1)
        let reader = try await site.account(of: .ana)
        _ = try site.site.read(at: then) { tx in
            try SearchNews(detail: "1:1;:1").told(to: reader, country: "US", zone: .utc, in: tx)
        }
        _ = try await ana.visit("/searches").press("Switch it off").press("Remove: “kite”")
        _ = try await ana.visit("/events/1").press("Saved, take it off your list")
    }

    /// What a calendar asks that events come from.
    private func importEvents(_ ben: Browser, in site: TestSite) async throws {
        let file = SentFile("events.csv", Array("title,date,start,end\nStories,2027-05-01,10:00,11:00\n".utf8))
        let page = try await ben.visit("/me/imports/new?kind=file").press(
            "Look at what it says", filling: ["file": .file(file)]
        ).press("Publish")
        #expect(try page.text.contains("1 entry is as it was") && site.count(of: "import_entry") == 1)
        let other = SentFile("events.csv", Array("title,date,start,end\nStories,2027-05-01,12:00,13:00\n".utf8))
        _ = try await page.press("Read it now", filling: ["file": .file(other)]).press("Publish")
        for path in ["/me/imports", "/me/imports/1", "/me/imports/1/settings"] {
            #expect(try await ben.visit(path).status == 200, "\(path)")
        }
        let token = try await ben.visit("/me/imports").value(of: "csrf") ?? ""
        for action in ["keep", "gone"] {
            _ = try await ben.post("/me/imports/1/\(action)", [("csrf", token), ("entry", "1")])
        }
        try await site.execute("UPDATE calendar_import SET due_at = 1, address = 'https://library.example/a.ics'")
        _ = try await site.site.readCalendars(at: site.clock.now)
        _ = try await ben.visit("/me/imports/1").press("Forget this calendar")
    }

    /// Every kind of page and every filter once, so that each statement is run.
    private func tour(_ site: TestSite) async throws {
        let ben = try await site.signIn(.ben, as: .provider)
        let event = try await site.publish(by: .ben) { $0.tags = "music, outdoors" }
        let ana = try await site.signIn(.ana, as: .parent)
        let mo = try await site.child("Mo", of: .ana)
        let lu = try await site.child("Lu", of: .ana)
        let registration = try await site.register([mo, lu], of: .ana, at: event)
        let mira = try await site.signIn(.mira, isStaff: true)
        try await site.gazetteer()
        let filters = [
            "near=95112", "near=95112&after=1.5_1_1805990000000_1", "near=95112&sort=soonest", "near=95112&sort=newest",
            "near=San+Jose&q=kite&tag=music", "sort=newest", "sort=newest&tag=music&after=1805990000000_1",
            "q=kite&sort=newest", "zip=95113", "zip=95113-1234&city=San+Jose", "near=San+Jose%2C+CA&age=4&price=free",
            "", "q=kite", "q=kite&city=San+Jose&from=2027-03-20&to=2027-04-20", "city=San+Jose",
            "when=weekend&age=4&age=8",
            "free_places=2&price=free&covid_safe=1", "tag=music", "tag=music&tag=outdoors", "q=kite&tag=music",
            "after=1805000000000_1", "city=San+Jose&after=1805990000000_1", "tag=music&after=1805990000000_1",
            "audience=everyone", "audience=kids&near=95112", "q=kite&audience=everyone", "tag=music&audience=everyone",
            "q=kite&after=1805990000000_1", "q=kiet", "q=95112&age=3&free_places=90",
        ]
        for filter in filters {
            #expect(try await ana.visit("/events?\(filter)").status == 200)
            #expect(try await ana.visit("/events.ics?\(filter)").status == 200)
            #expect(try await ana.visit("/events/count?\(filter)").status == 200)
        }
        try await lookForNews(ana, in: site)
        try await drawLots(ana, in: site)
        try await importEvents(ben, in: site)
        for path in [
            "/events.atom", "/events/\(event).ics", "/events/\(event)/flyer", "/sitemap.xml", "/api/events",
            "/api/events/\(event)", "/api/providers", "/api/providers?after=1", "/api/providers/ben-ruiz",
            "/api/me/family", "/me/calendar", "/organizations", "/organizations?q=king",
            "/organizations?q=king+lib&after=king_1", "/opportunities?q=king",
        ] { #expect(try await ana.visit(path).status == 200, "\(path)") }
        let address =
            try await ana.visit("/me/calendar").press("Make an address: What my family goes to").html.first("code")?
            .text ?? ""
        #expect(try await site.browser().visit(address.dropFirst("http://localhost:8080".count)).status == 200)
        _ = try await ana.visit("/me/calendar").press("Switch it off: What my family goes to")
        for path in [
            "/", "/week", "/me", "/me/family", "/me/children", "/me/children/\(mo)/edit", "/me/children/\(mo)/delete",
            "/events/\(event)?after=9", "/registrations/\(registration)", "/me/registrations",
            "/me/registrations?after=1805000000000_1", "/me/registrations?list=attended",
            "/me/sessions", "/me/password", "/me/export", "/me/delete", "/providers/ben-ruiz", "/welcome", "/readyz",
        ] { #expect(try await ana.visit(path).status == 200, "\(path)") }
        for path in [
            "/", "/week", "/me/provider", "/events/new", "/events/\(event)/published", "/events/\(event)/registrations",
            "/me/events", "/me/events?list=expired&after=1805990000000_1", "/me/events?list=cancelled",
            "/me/events?after=1805000000000_1", "/me/events?list=waiting&q=kite", "/me/events?series=\(event)",
            "/me/events?series=\(event)&list=expired&after=1805990000000_1", "/me/events?list=expired&q=kite",
            "/me/events/calendar", "/me/events/calendar?from=2027-03-01&after=1805000000000_1",
        ] { #expect(try await ben.visit(path).status == 200, "\(path)") }
        for path in [
            "/admin/people", "/admin/people?q=ana", "/admin/people?q=ana%40&after=a", "/admin/people/1",
            "/admin/events?q=kite",
            "/admin/events/\(event)", "/admin/log", "/admin/log?after=99", "/admin/tags",
            "/admin/tags?q=a&after=a&tag=a",
            "/admin/letters", "/admin/letters?after=99", "/admin/letters/new",
            "/admin/invitations", "/admin/operations", "/admin/report", "/admin/report.csv",
            "/admin/report/sessions?of=612", "/admin/modules", "/admin/banner", "/admin/people/1/role", "/about",
            "/admin/log-ins", "/admin/log-ins?after=99",
        ] { #expect(try await mira.visit(path).status == 200, "\(path)") }

        try await change(site, event, registration, mo, lu, ana, ben)
        try await wait(site, lu, ana, ben)
        try await talk(site, event, ana, ben, mira)
        try await post(event, ana, ben, mira)
        try await beKind(ana)
        try await gather(site, site.signIn(.family(7), as: .parent), ben)
        try await help(site, try await site.signIn(.cleo, as: .parent), ben)
        try await tell(site, ana, ben, mira)
        try await leave(site, event, ana, ben, mira)
    }

    /// An event that changes, and who comes to it.
    private func change(
        _ site: TestSite, _ event: ID<Event>, _ registration: ID<Registration>, _ mo: ID<Child>, _ lu: ID<Child>,
        _ ana: Browser, _ ben: Browser
    ) async throws {
        let fair = try await site.publish(by: .ben) {
            $0.audience = .everyone
            $0.endDate = Day(iso: "2027-03-29")!
        }
        _ = try await ana.visit("/events/\(fair)").press("Join", filling: ["person": ["me"]]).press("Leave")
        site.clock.advance(by: .minutes(1))
        _ = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["start_time": "11:00"])
            .press("Publish the change")
        _ = try await ana.visit("/registrations/\(registration)").press("Got it")
        _ = try await ana.visit("/registrations/\(registration)").press("Give this place back: Lu").press(
            "Undo: Lu")
        try await site.execute("UPDATE registration SET needs_help = TRUE WHERE id = \(registration)")
        _ = try await ana.visit("/registrations/\(registration)").press("We don’t need it anymore")
        _ = try await ana.visit("/me/children/\(mo)/edit").press("Remove").press("Undo: Mo")
        _ = try await ana.visit("/me/children/\(mo)/edit").press("Remove")
        _ = try await ben.visit("/events/\(event)/registrations?early=1").press("One more")
        try await site.execute("UPDATE event SET price = 1000, currency = 'USD' WHERE id = \(event)")
        _ = try await ben.visit("/events/\(event)/held").press("Save", filling: ["places": "2"])
        // A neighbor's has the names of those who choose so.
        let host = try await site.account(of: .ana)
        try await site.execute("UPDATE event SET account_id = \(host) WHERE id = \(fair)")
        _ = try await ben.visit("/events/\(fair)").press("Join", filling: ["shown": true])
        #expect(try await ana.visit("/events/\(fair)/registrations?after=9").status == 200)
        _ = try await ben.visit("/events/\(fair)").press("Don’t let the host see my name").press("Leave")
        // And hosts it together with another, who leaves, and whom it ends with.
        let together = "/events/\(fair)/cohosts"
        let cleo = try await site.signIn(.cleo, as: .parent)
        _ = try await ana.visit(together).press("Ask them", filling: ["who": "cleo-park"])
        for path in ["/", together, "/events/\(fair)"] { #expect(try await cleo.visit(path).status == 200) }
        _ = try await cleo.visit(together).press("Yes, host it together")
        for path in ["/", "/week", "/me/events", "/me/attending", together, "/events/\(fair)/registrations"] {
            #expect(try await cleo.visit(path).status == 200, "\(path)")
        }
        _ = try await cleo.visit(together).press("No longer host it")
    }

    /// A waiting list: joined, looked at, invited, offered, taken, left.
    private func wait(_ site: TestSite, _ lu: ID<Child>, _ ana: Browser, _ ben: Browser) async throws {
        let small = try await site.publish(by: .ben) { $0.spots = 1 }
        let zoe = try await site.child("Zoe", of: .ana)
        let cleo = try await site.child("Cleo", of: .cleo)
        let taken = try await site.register([cleo], of: .cleo, at: small)
        let turn = try await ana.visit("/events/\(small)").press(
            "Join the waiting list", filling: ["child": ["\(lu)", "\(zoe)"], "as": "fits"])
        #expect(try await ana.visit("/me/registrations?list=waiting").status == 200)
        _ = try await site.signIn(.cleo, as: .parent).visit("/registrations/\(taken)").press("Give all places back")
        _ = try await ana.visit(turn.path).press("Take the place", filling: ["child": ["\(lu)"]])
        _ = try await ben.visit("/events/\(small)/waiting").press("Invite now: Ana Ortiz")
        _ = try await ana.visit("/me/registrations?list=waiting").follow("Kite day").press("No, thank you")
        let other = try await site.publish(by: .ben) { $0.title = "Nobody’s" }
        _ = try await ben.visit("/events/\(other)/cancel").press("Delete the event").press("Undo: Nobody’s")
    }

    /// Accounts, questions, announcements, playdates, and the links of letters.
    private func talk(_ site: TestSite, _ event: ID<Event>, _ ana: Browser, _ ben: Browser, _ mira: Browser)
        async throws
    {
        await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
        try await account(site)
        _ = try await site.browser().visit("/forgot").press(
            "Ask for a link", filling: ["email": .text(Person.ana.email)])
        _ = try await ana.visit("/events/\(event)").press("Ask", filling: ["text": "Is there a swing?"])
        _ = try await ben.visit("/questions/1/answer").press("Answer", filling: ["text": "There is."])
        _ = try await mira.visit("/admin/questions/1").press("Hide the question", filling: ["reason": "a test"])
        _ = try await ana.visit("/events/\(event)").press(
            "Ask", filling: ["text": "Is there a ramp?", "private": true])
        let links = try await ana.visit("/events/\(event)").links
        let thread = try #require(links.first { $0.href.hasPrefix("/threads/") }).href
        _ = try await ana.visit(thread).press("Send", filling: ["text": "We come with two."])
        for path in ["/events/\(event)", "/", thread] { _ = try await ben.visit(path) }
        let messages = try await ben.visit("/events/\(event)/announcements")
        if messages.buttons.contains("Preview") {
            _ = try await messages.press("Preview", filling: ["subject": "A hat", "body": "Bring one."])
                .press("Send it")
        }
        try await play(site, ana, ben)
        for path in ["/changes/1", "/events/\(event)", "/events/\(event)/announcements"] {
            _ = try await ana.visit(path)
            _ = try await ben.visit(path)
        }
        if let seal = try site.read({ db in try Seal(in: db) }) {
            let account: ID<Account> = try site.read { db in
                try db.value("SELECT account_id FROM registration WHERE id = 1")!
            }
            for link in [LetterLink.offer, LetterLink.giveBack].map({ $0.link(to: ID(1), for: account, seal) }) {
                _ = try await site.browser().visit(link.string)
            }
        }
    }

    /// The timeline, what is reported there, and what staff decide.
    private func post(_ event: ID<Event>, _ ana: Browser, _ ben: Browser, _ mira: Browser) async throws {
        _ = try await ana.visit("/timeline/new").press(
            "Add the photos", filling: ["text": "Hello.", "photo": .file(SentFile("photo.jpg", Pictures.photo))]
        ).press("Preview").press("Post it")
        for path in [
            "/posts/1", "/posts/1/likes", "/posts/1/edit", "/timeline.atom", "/people?q=ben",
            "/people?q=ben&after=ben_1", "/timeline/new?event=\(event)", "/timeline?after=9",
            "/people/ana-ortiz",
            "/me/profile",
        ] {
            #expect(try await ana.visit(path).status == 200, "\(path)")
        }
        _ = try await ben.visit("/posts/1").press("Like")
        _ = try await ben.visit("/posts/1").press("Send the comment", filling: ["text": "Hello, Ana."])
            .press("Delete this comment: Hello, Ana.")
        _ = try await ana.visit("/me/profile").press("Save", filling: ["display_name": "Ana"])
        _ = try await ana.visit("/posts/1/edit").press("Preview").press("Save the change")
        _ = try await ben.visit("/posts/1").press("Send the comment", filling: ["text": "Hm."])
        for subject in ["post-1", "comment-2", "person-2", "question-1", "event-\(event)"] {
            let page = try await ana.visit("/reports/new?about=\(subject)")
            guard page.status == 200 else { continue }
            _ = try await page.press("Send the report", filling: ["reason": "spam"])
        }
        for subject in ["post-1", "event-\(event)"] {
            _ = try await ben.visit("/reports/new?about=\(subject)").press(
                "Send the report", filling: ["reason": "spam"])
        }
        for path in ["/admin/queue", "/admin/queue?show=reports&after=post-1", "/moderation"] {
            #expect(try await mira.visit(path).status == 200, "\(path)")
        }
        for act in ["note", "hide", "ask", "fine", "limit"] {
            _ = try await mira.visit("/admin/queue/post-1").press(
                "Decide", filling: ["act": .text(act), "ground": "spam"])
        }
        _ = try await ana.visit("/decisions/1").press("Send the answer", filling: ["answer": "Why?"])
        for number in 2...5 {
            let token = try await mira.visit("/admin/queue/post-1").value(of: "csrf") ?? ""
            _ = try await mira.post("/decisions/\(number)/undo", [("csrf", token)])
        }
        _ = try await mira.visit("/admin/queue").press(
            "Show what would happen", filling: ["subject": ["comment-2"], "act": "fine", "ground": "spam"]
        ).press("Decide about 1")
        _ = try await ben.visit("/people/ana-ortiz").press("Block Ana").press("Unblock: Ana")
        _ = try await mira.visit("/posts/1").press("Take the post away", filling: ["reason": "a test"])
        _ = try await ana.visit("/posts/1/edit")
    }

    /// Inboxes and letters, and what staff set.
    private func tell(_ site: TestSite, _ ana: Browser, _ ben: Browser, _ mira: Browser) async throws {
        for path in ["/inbox", "/inbox?show=unread&after=99", "/me/notices", "/inbox/1", "/inbox/2", "/inbox/3"] {
            _ = try await ana.visit(path)
            _ = try await ben.visit(path)
        }
        _ = try await ben.visit("/me/notices").press("Save")
        let account = try await site.account(of: .ana)
        let now = site.clock.now
        try await site.write(at: now) { tx in try Notice.readAll(of: account, in: tx) }
        _ = try await mira.visit("/admin/mail?show=late&after=99")
        _ = try await mira.visit("/admin/modules").press("Save", filling: ["module": []])
        _ = try await mira.visit("/admin/modules").press(
            "Save", filling: ["module": .texts(Module.allCases.map(\.rawValue))])
        _ = try await mira.visit("/admin/banner").press("Save", filling: ["text": "A test"])
        let provider = try await site.provider(of: .ben)
        _ = try await mira.visit("/admin/providers/\(provider)").press(
            "Mark as verified", filling: ["checked": "a test", "until": "2027-03-25"])
        try await site.write(at: now + .days(1)) { tx in
            try Tag.merge("music", into: "sounds", in: tx)
            _ = try DeskNews.sendDigest(in: site.site.settings.zone, tx: tx)
        }
        try await site.write { db in
            try Notice.choose(.aboutSite, .mail, true, by: account, in: db)
            try db.execute("UPDATE account SET confirmed_at = 1 WHERE id = \(account)")
        }
        let preview = try await mira.visit("/admin/letters/new").press(
            "Preview", filling: ["topic": "site", "title": "A test", "body": "It is one."])
        _ = try await preview.press("Send it")
        try await site.write(at: now) { tx in
            _ = try TownLetter.goOn(in: tx)
            let letter = try Letter.find(try tx.value("SELECT max(id) FROM letter") ?? ID(0), in: tx)
            _ = try letter?.text(country: "US", zone: .utc, in: tx)
        }
        _ = try await mira.visit("/admin/letters/1").press("Stop it")
        _ = try await mira.visit("/admin/mail/1")
        let nobody = MailClient(MailServer(url: "smtp://127.0.0.1:1")!, name: "localhost")
        #expect(await !Postman(site: site.site).deliverAll(by: nobody))
    }

    /// Pictures, and the end of all of it.
    private func leave(_ site: TestSite, _ event: ID<Event>, _ ana: Browser, _ ben: Browser, _ mira: Browser)
        async throws
    {
        _ = try await ben.visit("/me/provider").press("Save", filling: ["organization": "Queen Library"])
        for _ in 0..<2 {
            _ = try await ben.visit("/me").press(
                "Save the picture", filling: ["picture": .file(SentFile("photo.jpg", Pictures.photo))])
        }
        let portrait = try await ben.visit("/me").html.all(ofClass: "top").first?.first("img")?["src"]
        #expect(try await site.browser().visit(portrait ?? "").status == 200)
        _ = try await ben.visit("/me").press("Take it off")
        #expect(try await site.site.sweepPictures(at: site.clock.now + .hours(49)) == 2)
        _ = try await mira.visit("/admin/events/\(event)").press("Hide the event", filling: ["reason": "a test"])
        _ = try await mira.visit("/admin/people/1").press("Make a link", filling: ["reason": "a test"])
        _ = try await mira.visit("/admin/people/1").press("Suspend the account", filling: ["reason": "a test"])
        _ = try await site.browser().visit("/login").press(
            "Log in", filling: ["login": "ana-ortiz", "password": .texts([Person.password])])
        _ = try await ana.visit("/me/export").press(
            "Download the file", filling: ["current_password": .text(Person.password)])
        _ = try await ana.visit("/me/delete").press(
            "Delete my account", filling: ["current_password": .text(Person.password)])
        await Housekeeping(site: site.site).tidyUp(at: site.clock.now + .days(400))
    }
}
