import Database
import Forms
import Testing

@testable import App

/// Two people who change one thing, and one who does so in two tabs: nobody's words are lost.
@Suite struct TwoPeopleTests {
    @Test func `hours that were confirmed meanwhile aren't said to be noted otherwise`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/opportunities/\(id)").press("Sign up", filling: ["shift": ["1"]])
            site.clock.advance(by: .days(8))
            let again = try await site.signIn(.ana, as: .parent)
            let form = try await again.visit("/signups/1")
            let (host, now) = (try await site.account(of: .ben), site.clock.now)
            let day = try #require(Day(iso: "2027-03-27"))
            try await site.write(at: now) { tx in
                let hours = Contribution.Confirmation(of: .signup(ID(1)), day: day, minutes: 120)
                try Contribution.confirm([hours], at: id, by: host, in: tx)
            }
            let late = try await form.press("Note my hours", filling: ["hours": "3"])
            #expect(late.flash?.hasPrefix("That changed meanwhile, so nothing was done.") == true)
            #expect(try site.count(of: "contribution WHERE minutes = 120 AND confirmed = 120") == 1)
            // The same number is no news.
            #expect(try await form.press("Note my hours", filling: ["hours": "2"]).path == "/impact")
        }
    }

    @Test func `of two colleagues who end a listing, the second learns that the reason of the first is read`()
        async throws
    {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            let (one, other) = (
                try await ben.visit("/opportunities/\(id)/close"), try await ben.visit("/opportunities/\(id)/close")
            )
            _ = try await one.press("Close it", filling: ["reason": "We have enough hands."])
            let late = try await other.press("Close it", filling: ["reason": "The kitchen burned down."])
            #expect(late.flash?.hasPrefix("That changed meanwhile, so nothing was done.") == true)
            #expect(try site.count(of: "opportunity WHERE close_reason = 'We have enough hands.'") == 1)
            // Pressed twice, it is closed.
            let twice = try await one.press("Close it", filling: ["reason": "We have enough hands."])
            #expect(twice.flash?.hasPrefix("That changed meanwhile") != true)
        }
    }

    // MARK: Parents

    /// Ana and Cleo, who look after Mo together.
    private func parents(_ site: TestSite) async throws -> (ana: Browser, cleo: Browser, edit: String) {
        let mo = try await site.child("Mo", of: .ana)
        let ana = try await site.signIn(.ana, as: .parent)
        let cleo = try await site.signIn(.cleo, as: .parent)
        let made = try await ana.visit("/me/guardian").press(
            "Make a link", filling: ["current_password": .text(Person.password)])
        let code = try #require(made.html.first("code")?.text.split(separator: "/").last)
        _ = try await cleo.visit("/guardians/\(code)").press("Look after them together")
        return (ana, cleo, "/me/children/\(mo)/edit")
    }

    @Test func `one parent's note and the other's nickname both stay, whichever page is older`() async throws {
        try await withTestSite { site in
            let (ana, cleo, edit) = try await parents(site)
            let old = try await cleo.visit(edit)
            _ = try await ana.visit(edit).press("Save", filling: ["allergies": "PEANUTS severe"])
            #expect(try await old.press("Save", filling: ["nickname": "Moritz"]).status == 200)
            let page = try await ana.visit(edit)
            #expect(page.value(of: "allergies") == "PEANUTS severe" && page.value(of: "nickname") == "Moritz")
        }
    }

    /// The twin: what the form was drawn from taken out of it, the note is gone.
    @Test func `without what the form was drawn from the note is erased`() async throws {
        try await withTestSite { site in
            let (ana, cleo, edit) = try await parents(site)
            var old = try await cleo.visit(edit).form(with: "Save", filling: ["nickname": "Moritz"]).pairs
            _ = try await ana.visit(edit).press("Save", filling: ["allergies": "PEANUTS severe"])
            old.removeAll { $0.name == "drawn" }
            _ = try await cleo.post(edit, old)
            #expect(try site.count(of: "child WHERE allergies = ''") == 1)
        }
    }

    @Test func `what both parents wrote comes back with both texts, and is kept when it is saved again`() async throws {
        try await withTestSite { site in
            let (ana, cleo, edit) = try await parents(site)
            let old = try await cleo.visit(edit)
            _ = try await ana.visit(edit).press("Save", filling: ["allergies": "PEANUTS severe\nThe pen is in the bag"])
            let page = try await old.press("Save", filling: ["allergies": "Almonds", "may_collect": "Grandma"])
            #expect(page.status == 422 && page.problems.first?.contains("was changed meanwhile by Ana Ortiz.") == true)
            #expect(page.text.contains("PEANUTS severe") && page.text.contains("The pen is in the bag"))
            #expect(page.html.all("textarea").first?.text == "Almonds")
            #expect(try site.count(of: "child WHERE collectors = '' AND allergies LIKE 'PEANUTS%'") == 1)
            let saved = try await page.press("Save")
            #expect(saved.status == 200)
            #expect(try site.count(of: "child WHERE collectors = 'Grandma' AND allergies = 'Almonds'") == 1)
        }
    }

    @Test func `in two tabs of one's own it is said so`() async throws {
        try await withTestSite { site in
            let (ana, _, edit) = try await parents(site)
            let old = try await ana.visit(edit)
            _ = try await ana.visit(edit).press("Save", filling: ["allergies": "PEANUTS"])
            let page = try await old.press("Save", filling: ["allergies": "Almonds"])
            #expect(page.problems.first?.contains("in another tab or on another device") == true)
        }
    }

    @Test func `a session that ended meanwhile loses nothing of it`() async throws {
        try await withTestSite { site in
            let (ana, cleo, edit) = try await parents(site)
            let old = try await cleo.visit(edit)
            _ = try await ana.visit(edit).press("Save", filling: ["allergies": "PEANUTS"])
            cleo.keep(Cookie.name(Session.cookieName, in: site.site.settings), nil)
            let kept = try await old.press("Save", filling: ["nickname": "Moritz"])
            let button = try #require(kept.buttons.first { $0.hasPrefix("Log in") })
            _ = try await kept.press(
                button,
                filling: ["session_login": .text(Person.cleo.username), "session_password": .text(Person.password)])
            #expect(try site.count(of: "child WHERE nickname = 'Moritz' AND allergies = 'PEANUTS'") == 1)
        }
    }

    @Test func `two who save at the same instant both keep what they wrote`() async throws {
        try await withTestSite { site in
            let (ana, cleo, edit) = try await parents(site)
            for round in 1...10 {
                let (one, two) = (try await ana.visit(edit), try await cleo.visit(edit))
                async let first = one.press("Save", filling: ["allergies": "Nuts \(round)"])
                async let second = two.press("Save", filling: ["may_collect": "Aunt \(round)"])
                #expect(try await [first, second].map(\.status) == [200, 200])
                let page = try await ana.visit(edit)
                #expect(
                    page.value(of: "allergies") == "Nuts \(round)" && page.value(of: "may_collect") == "Aunt \(round)")
            }
        }
    }

    /// The twin of the race: both merged before either wrote, and nothing is compared again.
    @Test func `without the comparison in the transaction one of two is lost`() async throws {
        try await withTestSite { site in
            let mo = try await site.child("Mo", of: .ana)
            let (account, family, now) =
                (try await site.account(of: .ana), try await site.family(of: .ana), site.clock.now)
            let stored = ChildForm(try site.read { db in try Child.find(mo, of: family, in: db) }!)
            let drawn = Submission(changing: stored).hidden.first { $0.name == "drawn" }!.value
            let base = ["drawn": drawn, "nickname": "Mo", "birth_month": "1", "birth_year": "2021"]
            let forms = [["allergies": "Nuts"], ["may_collect": "Aunt"]].map { change in
                let query = base.merging(change) { $1 }.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
                let body = try! FormBody(query: query)
                return Submission<ChildForm>(body.merged(onto: Submission(changing: stored), by: nil))
            }
            for isCompared in [false, true] {
                var hasFound = false
                for sent in forms {
                    do {
                        try await site.write(at: now) { tx in
                            let current = ChildForm(try Child.find(mo, of: family, in: tx)!)
                            if isCompared { try sent.requireUnchanged(since: Submission(changing: current)) }
                            try Child.update(mo, sent.value!, of: family, by: account, in: tx)
                        }
                    } catch is ChangedMeanwhile {
                        hasFound = true
                    }
                }
                #expect(hasFound == isCompared)
                if !isCompared { #expect(try site.count(of: "child WHERE allergies = ''") == 1) }
                try await site.write(at: now) { tx in try Child.update(mo, stored, of: family, by: account, in: tx) }
            }
        }
    }

    @Test func `a child that both add is one, and what only one of them wrote of it isn’t dropped`() async throws {
        try await withTestSite { site in
            let (ana, cleo, _) = try await parents(site)
            let mia: [String: Filling] = ["nickname": "Mia", "birth_month": "5", "birth_year": "2020"]
            #expect(try await ana.visit("/me/children/new").press("Save", filling: mia).path == "/me/children")
            // The same entry once more is no other.
            #expect(try await cleo.visit("/me/children/new").press("Save", filling: mia).path == "/me/children")
            #expect(try site.count(of: "child WHERE nickname = 'Mia'") == 1)
            let page = try await cleo.visit("/me/children/new").press(
                "Save", filling: mia.merging(["allergies": "PEANUTS severe"]) { $1 })
            #expect(page.status == 422 && page.problems.count == 1)
            #expect(page.problems.first?.hasPrefix("A child of that name and month is on your list already") == true)
            #expect(page.value(of: "nickname") == "Mia" && page.value(of: "allergies") == "PEANUTS severe")
            #expect(page.value(of: "birth_month") == "5" && page.value(of: "birth_year") == "2020")
            let twin = try await page.press("Save", filling: ["another": "1"])
            #expect(twin.path == "/me/children" && twin.text.contains("Mia (2020 · 2)"))
            try await site.execute("DELETE FROM child WHERE allergies <> ''")
            let entry = try await page.press("Open the entry that is there")
            #expect(entry.value(of: "nickname") == "Mia" && entry.value(of: "allergies") == "PEANUTS severe")
            // What the other parent wrote meanwhile stays in front of it.
            try await site.execute("UPDATE child SET collectors = 'Aunt Jo' WHERE nickname = 'Mia'")
            let both = try await page.press("Open the entry that is there", filling: ["may_collect": "Grandma"])
            #expect(both.value(of: "may_collect") == "Aunt Jo; Grandma")
            try await site.execute("UPDATE child SET collectors = '' WHERE nickname = 'Mia'")
            _ = try await entry.press("Save")
            #expect(try site.count(of: "child WHERE nickname = 'Mia' AND allergies = 'PEANUTS severe'") == 1)
            #expect(try site.count(of: "child WHERE nickname = 'Mia'") == 1)
        }
    }

    // MARK: Colleagues

    /// Ben's library, which Ana looks after with him.
    private func colleagues(_ site: TestSite) async throws -> (ben: Browser, ana: Browser) {
        let ben = try await site.signIn(.ben, as: .provider)
        let ana = try await site.signIn(.ana, as: .parent)
        let page = try await ben.visit("/me/organization/colleagues").press(
            "Make a link", filling: ["role": "edit", "current_password": .text(Person.password)])
        let code = try #require(page.html.first("code")?.text.split(separator: "/").last)
        _ = try await ana.visit("/join/\(code)").press("Look after it together")
        return (ben, ana)
    }

    @Test func `times and texts that a colleague changed stay, through the preview too`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let (ben, ana) = try await colleagues(site)
            let old = try await ben.visit("/events/\(event)/edit")
            _ = try await ana.visit("/events/\(event)/edit").press(
                "Preview", filling: ["start_time": "09:30", "bring": "A kite"]
            ).press("Publish the change")
            let preview = try await old.press("Preview", filling: ["title": "Kite week"])
            #expect(preview.status == 200 && preview.text.contains("9:30"))
            // Another change while the preview stands.
            _ = try await ana.visit("/events/\(event)/edit").press("Preview", filling: ["bring": "String"]).press(
                "Publish the change")
            _ = try await preview.press("Publish the change")
            let page = try await ben.visit("/events/\(event)/edit")
            #expect(page.value(of: "title") == "Kite week" && page.value(of: "start_time") == "09:30")
            #expect(page.value(of: "bring") == "String")
            // The same text changed by both.
            let older = try await ben.visit("/events/\(event)/edit")
            _ = try await ana.visit("/events/\(event)/edit").press("Preview", filling: ["bring": "Glue"]).press(
                "Publish the change")
            let both = try await older.press("Preview", filling: ["bring": "Paper"])
            #expect(both.status == 422 && both.problems.first?.contains("by ana-ortiz") == true)
            #expect(both.text.contains("Glue") && both.value(of: "bring") == "Paper")
        }
    }

    @Test func `a change of all dates takes over what it changes, and what a colleague changed of one stays`()
        async throws
    {
        try await withTestSite { site in
            let first = try await site.publish(by: .ben)
            let (ben, ana) = try await colleagues(site)
            let copies = try await ben.visit("/events/\(first)/copy").press(
                "Fill in these dates", filling: ["every": "week", "times": "2"])
            _ = try await copies.press("Publish these dates")
            let second = ID<Event>(first.rawValue + 1)
            _ = try await ana.visit("/events/\(second)/edit").press(
                "Preview",
                filling: [
                    "scope": "one", "start_time": "14:00", "end_time": "16:00", "bring": "A kite", "title": "Kites",
                ]
            ).press("Publish the change")
            _ = try await ben.visit("/events/\(first)/edit").press(
                "Preview", filling: ["scope": "all", "safety": "Wear a hat", "title": "Kite week"]
            ).press("Publish the change")
            #expect(try site.count(of: "event WHERE safety = 'Wear a hat' AND title = 'Kite week'") == 3)
            var page = try await ben.visit("/events/\(second)/edit")
            #expect(page.value(of: "start_time") == "14:00" && page.value(of: "end_time") == "16:00")
            #expect(page.value(of: "bring") == "A kite")
            // Times that it changes are those of all dates, the end with the start.
            _ = try await ben.visit("/events/\(first)/edit").press(
                "Preview", filling: ["scope": "all", "end_time": "13:00"]
            ).press("Publish the change")
            page = try await ben.visit("/events/\(second)/edit")
            #expect(page.value(of: "start_time") == "10:00" && page.value(of: "end_time") == "13:00")
            #expect(page.value(of: "bring") == "A kite")
        }
    }

    @Test(arguments: ["/events/new", "/opportunities/new?kind=volunteer"])
    func `two who go on with one draft both keep theirs, and publishing ends only the one that was shown`(
        _ form: String
    ) async throws {
        try await withTestSite { site in
            let (ben, ana) = try await colleagues(site)
            _ = try await ana.visit(form).press("Keep as draft", filling: ["title": "Kites"])
            let draft = form.split(separator: "?")[0] + "?draft=1"
            let (one, old) = (try await ana.visit(String(draft)), try await ben.visit(String(draft)))
            _ = try await one.press("Keep as draft", filling: ["description": "We build them of paper."])
            let refused = try await old.press("Keep as draft", filling: ["description": "We fly them."])
            #expect(refused.status == 409 && refused.problems.first?.contains("was changed meanwhile") == true)
            // What else it lacks, a draft may lack.
            #expect(refused.problems.count == 1)
            let list = form.hasPrefix("/events") ? "/me/events?list=draft" : "/me/opportunities?list=draft"
            #expect(try await ben.visit(list).text.contains("by ana-ortiz"))
            #expect(try await !ana.visit(list).text.contains("by ana-ortiz"))
            #expect(try site.count(of: "draft WHERE form LIKE '%paper%'") == 1)
            #expect(refused.value(of: "description") == "We fly them.")
            _ = try await refused.press("Keep as draft")
            #expect(try site.count(of: "draft WHERE form LIKE '%We+fly%' OR form LIKE '%We%20fly%'") == 1)
            #expect(try site.count(of: "draft") == 2)
            // The same button of the same page once more changes nothing.
            _ = try await one.press("Keep as draft", filling: ["description": "We build them of paper."])
            #expect(try site.count(of: "draft") == 2)
        }
    }

    @Test func `a draft that a colleague changed outlives the older one that is published`() async throws {
        try await withTestSite { site in
            let (ben, ana) = try await colleagues(site)
            let fresh = try await ana.visit("/events/new")
            let whole: [String: Filling] = [
                "title": "Kites", "description": "We build kites.", "date": "2027-03-27", "start_time": "10:00",
                "spots": "9",
            ]
            _ = try await fresh.press("Keep as draft", filling: whole)
            // Kept once more from the page before it, by Back: it is the same draft.
            _ = try await fresh.press("Keep as draft", filling: whole.merging(["bring": "Glue"]) { $1 })
            #expect(try site.count(of: "draft") == 1)
            let old = try await ben.visit("/events/new?draft=1")
            _ = try await ana.visit("/events/new?draft=1").press("Keep as draft", filling: ["safety": "Wear a hat"])
            // The preview says so, and publishing asks once.
            let preview = try await old.press("Preview")
            #expect(preview.text.contains("ana-ortiz saved something else of this draft meanwhile."))
            let asked = try await preview.press("Publish")
            #expect(asked.status == 409 && asked.problems.first?.contains("isn’t published yet") == true)
            #expect(try site.count(of: "event") == 0)
            let page = try await asked.press("Preview").press("Publish")
            #expect(page.heading.hasPrefix("Congratulations!"))
            #expect(try site.count(of: "draft WHERE form LIKE '%hat%'") == 1)
        }
    }

    @Test func `two at two doors count on top of each other`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let (ben, ana) = try await colleagues(site)
            site.clock.advance(by: .days(7) + .hours(7))
            let list = "/events/\(event)/registrations"
            let (one, two) = (try await ben.visit(list), try await ana.visit(list))
            _ = try await one.press("One more")
            let page = try await two.press("One more")
            #expect(page.text.contains("2 came without registering"))
            // Pressed twice on one page it counts once; the other button of that page counts, too.
            _ = try await two.press("One more")
            #expect(try site.count(of: "event WHERE walk_ins = 2") == 1)
            let (three, four) = (try await ben.visit(list), try await ana.visit(list))
            _ = try await three.press("One more")
            #expect(try await four.press("One less").text.contains("2 came without registering"))
        }
    }

    @Test func `what is refused comes back with its sentences, and a password never does`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let words = "A sentence that nobody wants to write again."
            let token = try #require(try await ana.visit("/help").value(of: "csrf"))
            let pairs = [(name: "csrf", value: token), (name: "text", value: words), (name: "short", value: "No")]
            let page = try await ana.submit("/posts/999/comments", pairs)
            #expect(page.status == 404 && page.text.contains("What you wrote") && page.text.contains(words))
            let secret = pairs + [(name: "new_password", value: "x")]
            #expect(try await !ana.submit("/posts/999/comments", secret).text.contains(words))
            #expect(try await !ana.visit("/posts/999").text.contains("What you wrote"))
        }
    }

    @Test func `what another page comes before is shown first, as it was written`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let token = try #require(try await ana.visit("/help").value(of: "csrf"))
            // She was let go by her organization meanwhile.
            let pairs = [(name: "csrf", value: token), (name: "reason", value: "Rain")]
            let gone = try await ana.submit("/opportunities/1/close", pairs)
            #expect(gone.status == 403 && gone.heading == "Something else comes first")
            #expect(gone.text.contains("What you wrote") && gone.text.contains("Rain"))
            #expect(try await gone.follow("Go on").path.hasPrefix("/me/"))
            // Without a text there is nothing to lose on the way.
            #expect(try await ana.submit("/opportunities/1/close", [pairs[0]]).heading != gone.heading)
            // She switched her hat in another tab.
            _ = try await site.signIn(.ana, as: .provider)
            let back = try await site.signIn(.ana, as: .parent)
            let other = try #require(try await back.visit("/help").value(of: "csrf"))
            let hat = try await back.submit("/opportunities/1/close", [("csrf", other), pairs[1]])
            #expect(hat.status == 403 && hat.heading == "This page is for providers" && hat.text.contains("Rain"))
        }
    }

    @Test func `an activity that a colleague added stays, and nobody in it is told that it is off`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { form in
                form.audience = .everyone
                form.spots = nil
            }
            let (zone, now) = (site.site.settings.zone, site.clock.now)
            @Sendable func activity(_ name: String, _ hour: Int) -> ActivityForm {
                var row = ActivityForm()
                (row.name, row.startTime) = (name, TimeOfDay(hour: hour, minute: 0)!)
                return row
            }
            try await site.write(at: now) { tx in
                let day = try Event.find(event, in: tx)!.day
                try Activity.save([activity("Puppet show", 10).activity(from: day, in: zone)], of: event, in: tx)
            }
            let (ben, ana) = try await colleagues(site)
            let old = try await ben.visit("/events/\(event)/edit")
            var page = try await ana.visit("/events/\(event)/edit")
            page = try await page.press("Add an activity")
            _ = try await page.press(
                "Preview",
                filling: ["activity.1.name": "Tea", "activity.1.start_time": "11:00", "activity.0.place": "Tent"]
            ).press("Publish the change")
            #expect(try site.count(of: "activity WHERE cancelled_at IS NULL") == 2)
            _ = try await old.press("Preview", filling: ["activity.0.name": "Big puppet show"]).press(
                "Publish the change")
            #expect(try site.count(of: "activity WHERE cancelled_at IS NULL") == 2)
            #expect(try site.count(of: "activity WHERE name = 'Big puppet show' AND place = 'Tent'") == 1)
            // The twin: an old page that doesn't say what it was drawn from calls Tea off.
            var pairs = try old.form(with: "Preview").pairs.filter { $0.name != "drawn" && $0.name != "step" }
            pairs.append(("step", "publish"))
            _ = try await ben.post("/events/\(event)/edit", pairs)
            #expect(try site.count(of: "activity WHERE cancelled_at IS NULL") == 1)
        }
    }

    @Test func `a shift that a colleague added stays with its sign-ups`() async throws {
        try await withTestSite { site in
            let ask = try await site.ask(by: .ben)
            let (ben, ana) = try await colleagues(site)
            let old = try await ben.visit("/opportunities/\(ask)/edit")
            let page = try await ana.visit("/opportunities/\(ask)/edit").press("One more shift")
            _ = try await page.press(
                "Preview",
                filling: [
                    "shift.1.date": "2027-03-28", "shift.1.start_time": "10:00", "shift.1.end_time": "12:00",
                    "shift.1.spots": "3", "shift.0.lead": "Rosa",
                ]
            ).press("Publish the change")
            #expect(try site.count(of: "shift") == 2)
            _ = try await old.press("Preview", filling: ["title": "Lunch", "shift.0.spots": "14"]).press(
                "Publish the change")
            #expect(try site.count(of: "shift") == 2)
            #expect(try site.count(of: "shift WHERE lead = 'Rosa' AND spots = 14") == 1)
            #expect(try site.count(of: "opportunity WHERE title = 'Lunch'") == 1)
        }
    }

    @Test func `what a colleague wrote of the organization stays, and a conflict names them`() async throws {
        try await withTestSite { site in
            let (ben, ana) = try await colleagues(site)
            let old = try await ben.visit("/me/provider")
            _ = try await ana.visit("/me/provider").press(
                "Save", filling: ["phone": "408 555 0199", "mission": "Books."])
            _ = try await old.press("Save", filling: ["designation": "Owner"])
            #expect(try site.count(of: "provider WHERE phone = '408 555 0199' AND designation = 'Owner'") == 1)
            let older = try await ben.visit("/me/provider")
            _ = try await ana.visit("/me/provider").press("Save", filling: ["mission": "Books for all."])
            let page = try await older.press("Save", filling: ["mission": "Games."])
            #expect(page.status == 422 && page.text.contains("by ana-ortiz") && page.text.contains("Books for all."))
        }
    }

    // MARK: Everywhere else

    /// Pages that change something of one's own, a field of each with what is typed into it, and another.
    @Test(arguments: [
        ("/me/family", "Save", "first_name", "phone"), ("/me/profile", "Save", "display_name", "about"),
        ("/me/provider", "Save", "mission", "website"),
    ])
    func `two tabs of one person keep both changes`(path: String, button: String, one: String, other: String)
        async throws
    {
        try await withTestSite { site in
            _ = try await site.family(of: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            let old = try await ben.visit(path)
            let values = ["phone": "408 555 0123", "website": "https://example.org"]
            _ = try await ben.visit(path).press(button, filling: [other: .text(values[other] ?? "Words of mine")])
            _ = try await old.press(button, filling: [one: "Another"])
            let page = try await ben.visit(path)
            #expect(page.value(of: one) == "Another")
            #expect(page.value(of: other)?.hasPrefix(String((values[other] ?? "Words of mine").prefix(19))) == true)
        }
    }

    @Test func `two admins keep what each changed of the town and of its parts`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let noor = try await site.signIn(.noor, isStaff: true)
            let old = try await noor.visit("/admin/modules")
            _ = try await mira.visit("/admin/modules").press("Save", filling: ["closed": true])
            _ = try await old.press("Save", filling: ["module": ["timeline", "helping"]])
            #expect(site.site.opening.isClosed && !site.site.opening.has(.needs))
            let older = try await noor.visit("/admin/banner")
            _ = try await mira.visit("/admin/banner").press("Save", filling: ["text": "Closed on Sunday"])
            let page = try await older.press("Save", filling: ["text": "Open on Sunday"])
            #expect(page.status == 422 && page.text.contains("by mira-staff") && page.text.contains("Closed on Sunday"))
            #expect(site.site.opening.banner?.text == "Closed on Sunday")
        }
    }

    // MARK: Staff

    @Test func `staff on an old page make nothing public that another hid, and read what was decided`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let mira = try await site.signIn(.mira, isStaff: true)
            let noor = try await site.signIn(.noor, isStaff: true)
            _ = try await mira.visit("/admin/events/\(event)").press(
                "Hide the event", filling: ["reason": "Not for children."])
            let old = try await noor.visit("/admin/queue/event-\(event)")
            let shown = try await noor.visit("/admin/events/\(event)")
            _ = try await mira.visit("/admin/events/\(event)").press(
                "Show it again", filling: ["reason": "It is fine."])
            _ = try await mira.visit("/admin/events/\(event)").press(
                "Hide the event", filling: ["reason": "It isn’t, after all."])
            for answer in [
                try await old.press("Decide", filling: ["act": "fine"]),
                try await shown.press("Show it again", filling: ["reason": "I think it is fine."]),
            ] {
                #expect(answer.status == 409 && answer.heading == "Decided meanwhile")
                #expect(answer.text.contains("mira-staff") && answer.text.contains("It isn’t, after all."))
                #expect(answer.link("See how it is now") != nil)
            }
            #expect(try await site.browser().visit("/events/\(event)").status == 404)
            // On the page as it is now it goes on.
            _ = try await noor.visit("/admin/events/\(event)").press("Show it again", filling: ["reason": "Agreed."])
            #expect(try await site.browser().visit("/events/\(event)").status == 200)
        }
    }

    @Test func `an old page that comes back with a problem still counts from when it was first drawn`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let mira = try await site.signIn(.mira, isStaff: true)
            let noor = try await site.signIn(.noor, isStaff: true)
            _ = try await mira.visit("/admin/events/\(event)").press("Hide the event", filling: ["reason": "No."])
            let shown = try await noor.visit("/admin/events/\(event)")
            _ = try await mira.visit("/admin/events/\(event)").press("Show it again", filling: ["reason": "Fine."])
            _ = try await mira.visit("/admin/events/\(event)").press(
                "Hide the event", filling: ["reason": "No, really."])
            let page = try await shown.press("Show it again", filling: ["reason": ""])
            #expect(page.status == 422 && page.value(of: "log") == shown.value(of: "log"))
            let answer = try await page.press("Show it again", filling: ["reason": "Fine, I say."])
            #expect(answer.status == 409 && answer.text.contains("No, really."))
            #expect(try await site.browser().visit("/events/\(event)").status == 404)
        }
    }

    /// The twin: a form that doesn't say how far the log had come shows what another hid.
    @Test func `without the place in the log the old page shows it again`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let mira = try await site.signIn(.mira, isStaff: true)
            let noor = try await site.signIn(.noor, isStaff: true)
            _ = try await mira.visit("/admin/events/\(event)").press("Hide the event", filling: ["reason": "No."])
            let shown = try await noor.visit("/admin/events/\(event)")
            _ = try await mira.visit("/admin/events/\(event)").press("Show it again", filling: ["reason": "Fine."])
            _ = try await mira.visit("/admin/events/\(event)").press(
                "Hide the event", filling: ["reason": "No, really."])
            let pairs = try shown.form(with: "Show it again", filling: ["reason": "Fine, I say."]).pairs
            _ = try await noor.post("/admin/events/\(event)/show", pairs.filter { $0.name != "log" })
            #expect(try await site.browser().visit("/events/\(event)").status == 200)
        }
    }

    @Test func `what others decided about something else is in nobody's way`() async throws {
        try await withTestSite { site in
            let (one, two) = (try await site.publish(by: .ben), try await site.publish(by: .ben))
            let mira = try await site.signIn(.mira, isStaff: true)
            let noor = try await site.signIn(.noor, isStaff: true)
            let page = try await noor.visit("/admin/events/\(two)")
            _ = try await mira.visit("/admin/events/\(one)").press("Hide the event", filling: ["reason": "No."])
            #expect(try await page.press("Hide the event", filling: ["reason": "Nor this."]).status == 200)
            // The same person's own second press is no news either.
            #expect(try await page.press("Hide the event", filling: ["reason": "Nor this."]).status == 200)
        }
    }

    // MARK: Once

    @Test func `a comment sent again with other words comes back with them, and the same words count once`()
        async throws
    {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let post = try await ana.visit("/timeline/new").press("Preview", filling: ["text": "Thank you all."]).press(
                "Post it")
            let form = try await ana.visit(post.path)
            _ = try await form.press("Send the comment", filling: ["text": "First"])
            #expect(try await form.press("Send the comment", filling: ["text": "First"]).status == 200)
            #expect(try site.count(of: "comment") == 1)
            let page = try await form.press("Send the comment", filling: ["text": "Second"])
            #expect(page.status == 409 && page.problems.first?.contains("already sent this form") == true)
            #expect(page.html.all("textarea").contains { $0.text == "Second" })
            #expect(try site.count(of: "comment") == 1)
            _ = try await page.press("Send the comment")
            #expect(try site.count(of: "comment WHERE text = 'Second'") == 1)
        }
    }

    @Test func `a post, a need and an act sent again with other words come back with them`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let preview = try await ana.visit("/timeline/new").press("Preview", filling: ["text": "Thank you all."])
            let pairs = try preview.form(with: "Post it").pairs
            _ = try await preview.press("Post it")
            let other = pairs.map { $0.name == "text" ? ("text", "Something else.") : ($0.name, $0.value) }
            let page = try await ana.post("/timeline/new", other)
            #expect(page.status == 409 && page.html.all("textarea").contains { $0.text == "Something else." })
            #expect(try site.count(of: "post") == 1)

            let act = try await ana.visit("/kindness/acts/new")
            _ = try await act.press("Put it on my list", filling: ["name": "Water the tree", "theme": "earth"])
            let again = try await act.press(
                "Put it on my list", filling: ["name": "Sweep the stairs", "theme": "earth"])
            #expect(again.status == 409 && again.value(of: "name") == "Sweep the stairs")
            #expect(try site.count(of: "own_act") == 1)
        }
    }
}
