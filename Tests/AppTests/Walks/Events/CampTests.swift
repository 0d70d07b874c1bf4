import Database
import Forms
import Foundation
import Testing

@testable import App

/// Events with sessions: a family chooses some of them for each of its children.
@Suite struct CampTests {
    /// A camp of Ben's library, from Monday, April 5 to Friday: each morning for a week, Monday's clay at the same
    /// time, and an afternoon for older children.
    private func publish(_ site: TestSite, spots: Int = 3) async throws -> ID<Event> {
        let id = try await site.publish(by: .ben) { form in
            form.title = "Spring camp"
            form.date = Day(iso: "2027-04-05")!
            form.endDate = Day(iso: "2027-04-09")!
            form.startTime = TimeOfDay(hour: 9, minute: 0)!
            form.endTime = TimeOfDay(hour: 17, minute: 0)
            (form.ageFrom, form.ageTo) = (nil, nil)
        }
        try await site.execute("UPDATE event SET sessions = TRUE, late = TRUE, spots = NULL WHERE id = \(id)")
        let (zone, now) = (site.site.settings.zone, site.clock.now)
        try await site.write(at: now) { tx in
            let rows = [
                Self.session("Mornings", "2027-04-05", "09:00", "12:00", until: "2027-04-09", spots: spots),
                Self.session("Clay", "2027-04-05", "10:00", "11:00", spots: 2),
                Self.session("Afternoon", "2027-04-06", "13:00", "16:00", spots: 2) { $0.ageFrom = 6 },
            ]
            let first = Day(iso: "2027-04-05")!
            try Activity.save(rows.map { $0.activity(from: first, in: zone) }, of: id, in: tx)
        }
        return id
    }

    private static func session(
        _ name: String, _ day: String, _ start: String, _ end: String, until last: String? = nil, spots: Int,
        _ change: (inout ActivityForm) -> Void = { _ in }
    ) -> ActivityForm {
        var form = ActivityForm()
        form.name = name
        form.startDate = Day(iso: day)
        form.startTime = TimeOfDay(typed: start)!
        form.endTime = TimeOfDay(typed: end)
        form.endDate = last.flatMap { Day(iso: $0) }
        form.spots = spots
        change(&form)
        return form
    }

    /// What a form sends to put children into sessions.
    private func cells(_ pairs: (Int, Int)...) -> [String: Filling] {
        ["session": .texts(pairs.map { "child-\($0):session-\($1)" })]
    }

    private func wait(_ site: TestSite, until day: String, _ hour: Int) {
        let moment = site.site.settings.zone.instant(Day(iso: day)!, TimeOfDay(hour: hour, minute: 0)!)
        site.clock.advance(by: moment - site.clock.now)
    }

    private func taken(_ site: TestSite) throws -> [Int] {
        try site.read { db in
            try db.all("SELECT taken FROM activity ORDER BY id") { try $0.next() }
                + db.all("SELECT taken FROM event ORDER BY id LIMIT 1") { try $0.next() }
        }
    }

    @Test func `each session says what a child has at the same time, on any of its days`() async throws {
        try await withTestSite { site in
            let id = try await publish(site)
            let mo = try await site.child("Mo", of: .ana, year: 2020)
            let kites = try await site.publish(by: .cleo) {
                $0.date = Day(iso: "2027-04-07")!
                $0.street = "1 Park Rd"
            }
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await !ana.visit("/events/\(id)/sessions").text.contains("At the same time"))
            try await site.register([mo], of: .ana, at: kites)
            let sessions = try await ana.visit("/events/\(id)/sessions").html.all("fieldset").map(\.text)
            let said = sessions.filter { $0.contains("At the same time Mo is at “Kite day”.") }
            #expect(said.count == 1 && said.first?.contains("Mornings") == true, "\(sessions)")
        }
    }

    @Test func `a host posts sessions, and a family chooses them for two children with one press`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let camp: [String: Filling] = [
                "title": "Spring camp", "description": "A week of clay, paint and mud.", "date": "2027-04-05",
                "start_time": "09:00", "end_date": "2027-04-09", "end_time": "17:00", "address": "180 Park Ave",
                "city": "San Jose", "state": "CA", "zip": "95113", "price": "80",
            ]
            var page = try await ben.visit("/events/new").press("Add a session", filling: camp)
            page = try await page.press(
                "Preview",
                filling: [
                    "activity.0.name": "Mornings", "activity.0.start_time": "09:00", "activity.0.end_time": "12:00",
                    "activity.0.end_date": "2027-04-09",
                ])
            #expect(page.status == 422 && page.problems == ["Mornings: Say how many places this session has."])
            // The buttons of questions and of sessions stand in one form, and each adds its own.
            page = try await page.press("Photo consent", filling: ["activity.0.spots": "12"])
            #expect(page.value(of: "question.0.kind") == "photo" && page.value(of: "activity.1.name") == nil)
            page = try await page.press("Add a session")
            #expect(page.value(of: "activity.1.name") == "" && page.value(of: "question.1.kind") == nil)
            page = try await page.send(to: "/events/new", (name: "step", value: "question-remove.0"))
            #expect(page.value(of: "activity.0.name") == "Mornings" && page.value(of: "question.0.kind") == nil)
            page = try await page.press(
                "Preview",
                filling: [
                    "activity.1.name": "After care", "activity.1.start_time": "12:00", "activity.1.end_time": "15:00",
                    "activity.1.spots": "8", "activity.1.end_date": "2027-04-09",
                ])
            #expect(page.text.contains("Mornings") && page.text.contains("After care"), "\(page.problems)")
            page = try await page.press("Publish")
            #expect(page.redirects == ["/events/1/published"])
            #expect(try site.count(of: "event WHERE sessions AND spots = 20 AND taken = 0") == 1)

            try await site.child("Mo", of: .ana)
            try await site.child("Lu", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            page = try await ana.visit("/events/1").follow("Choose sessions")
            #expect(page.text.contains("12 places left") && page.text.contains("8 places left"))
            page = try await page.press(
                "Register for these sessions", filling: cells((1, 1), (2, 1), (2, 2)))
            #expect(page.redirects == ["/registrations/1"], "\(page.problems)")
            #expect(page.text.contains("Mo: Mornings") && page.text.contains("Lu: After care"))
            #expect(try taken(site) == [2, 1, 3])
            // The same page once more is no second registration.
            #expect(try site.count(of: "registration") == 1 && site.count(of: "attendance") == 3)
            let letters = try site.read { db in try db.all("SELECT kind FROM letter") { try $0.next() as String } }
            #expect(letters.contains("registered"))
            // What the form was drawn from is what it is changed on: nothing changed.
            let edit = try await ben.visit("/events/1/edit")
            #expect(edit.value(of: "activity.1.name") == "After care" && edit.value(of: "spots") == "")
            _ = try await edit.press("Preview", filling: ["activity.0.spots": "13"]).press("Publish the change")
            #expect(try site.count(of: "event WHERE sessions AND spots = 21 AND taken = 3") == 1)
            let few = try await ben.visit("/events/1/edit").press("Preview", filling: ["activity.0.spots": "1"])
            #expect(few.problems == ["Mornings: 2 people are in: let there be at least as many places."])
        }
    }

    @Test func `all that is free is chosen for one child after the other, and what was chosen and typed stays`()
        async throws
    {
        try await withTestSite { site in
            let event = try await publish(site)
            for name in ["Mo", "Lu"] { try await site.child(name, of: .ana) }
            let line = Ask(content: .init(kind: .line, text: "Who fetches them?", why: "So that we know."))
            try await site.write { db in try Ask.save([line], of: event, in: db) }
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/events/\(event)/sessions")
            // A link that leads away from the sheet stands before all that is chosen in it.
            let away = try #require(page.string.range(of: "Add another child"))
            #expect(try away.upperBound < #require(page.string.range(of: "All that is free for Mo")).lowerBound)
            // Clay is at the same time as the mornings.
            let one = try await page.press(
                "All that is free for Mo",
                filling: cells((1, 2)).merging(["answer.0.line": "Grandma"]) { $1 })
            let both = try await one.press("All that is free for Lu")
            #expect([one.status, both.status] == [200, 200] && both.problems.isEmpty)
            #expect(both.value(of: "answer.0.line") == "Grandma")
            #expect(try site.count(of: "registration") == 0)
            let done = try await both.press("Register for these sessions")
            #expect(done.heading.hasPrefix("Congratulations!"))
            #expect(try taken(site).prefix(2) == [1, 1])
            #expect(try site.count(of: "registration_person WHERE cancelled_at IS NULL") == 2)
            #expect(try site.count(of: "reply WHERE answer = 'Grandma'") == 2)
        }
    }

    @Test func `what was chosen and typed comes back with the child that was added meanwhile`() async throws {
        try await withTestSite { site in
            let event = try await publish(site)
            let line = Ask(content: .init(kind: .line, text: "Who fetches them?", why: "So that we know."))
            try await site.write { db in try Ask.save([line], of: event, in: db) }
            try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/events/\(event)/sessions").press(
                "Add another child", filling: cells((1, 2)).merging(["answer.0.line": "Grandma"]) { $1 })
            #expect(form.path == "/me/children/new")
            let page = try await form.press(
                "Save", filling: ["nickname": "Zoe", "birth_month": "3", "birth_year": "2021"])
            #expect(page.status == 200 && page.problems.isEmpty)
            #expect(page.values(of: "session") == ["child-1:session-2"])
            #expect(page.value(of: "answer.0.line") == "Grandma")
            #expect(page.buttons.contains("All that is free for Zoe"))
            #expect(try site.count(of: "registration") == 0)
            let done = try await page.press("Register for these sessions")
            #expect(done.heading.hasPrefix("Congratulations!"))
            #expect(try site.count(of: "reply WHERE answer = 'Grandma'") == 1)
        }
    }

    @Test func `a session says the ages of its camp where it has none of its own`() async throws {
        try await withTestSite { site in
            let event = try await publish(site)
            try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await ana.visit("/events/\(event)/sessions").text.contains("All ages"))
            try await site.execute("UPDATE event SET age_from = 4, age_to = 10 WHERE id = \(event)")
            for path in ["", "/sessions", "/programme"] {
                let text = try await ana.visit("/events/\(event)\(path)").text
                #expect(!text.contains("All ages"), "\(path)")
                #expect(text.contains("4 to 10 years") && text.contains("6 to 10 years"), "\(path)")
            }
        }
    }

    @Test func `a session of a long camp lasts a month at most, since each day is a line in calendars`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let camp: [String: Filling] = [
                "title": "Summer camp", "description": "Weeks of clay, paint and mud.", "date": "2027-06-01",
                "start_time": "09:00", "end_date": "2027-08-31", "end_time": "17:00", "address": "180 Park Ave",
                "city": "San Jose", "state": "CA", "zip": "95113", "price": "80",
            ]
            var page = try await ben.visit("/events/new").press("Add a session", filling: camp)
            page = try await page.press(
                "Preview",
                filling: [
                    "activity.0.name": "Mornings", "activity.0.start_time": "09:00", "activity.0.end_time": "12:00",
                    "activity.0.end_date": "2027-07-02", "activity.0.spots": "12",
                ])
            #expect(page.status == 422)
            #expect(page.problems == ["Mornings: An event lasts 31 days at most. Post a longer one twice."])
            page = try await page.press("Preview", filling: ["activity.0.end_date": "2027-07-01"])
            #expect(page.status == 200, "\(page.problems)")
        }
    }

    @Test func `all of it or nothing: one session is full for one child, and the page says which`() async throws {
        try await withTestSite { site in
            let event = try await publish(site)
            try await site.child("Mo", of: .ana)
            try await site.child("Lu", of: .ana)
            try await site.execute("UPDATE activity SET spots = 1 WHERE name = 'Clay'")
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/events/\(event)/sessions")
                .press("Register for these sessions", filling: cells((1, 2), (2, 2), (1, 3)))
            #expect(page.status == 422)
            #expect(
                page.problems == [
                    "Not every session has room for all of them, so nobody was registered.",
                    "“Clay”: 1 place is left, 2 are needed.",
                ])
            #expect(try taken(site) == [0, 0, 0, 0] && site.count(of: "registration") == 0)
            // What was ticked is still ticked.
            let free = try await page.press("Register for these sessions", filling: ["as": "fits"])
            #expect(free.redirects == ["/registrations/1"])
            #expect(free.text.contains("Mo: Clay") && free.text.contains("Lu: Clay"))
            #expect(try taken(site) == [0, 1, 1, 2] && site.count(of: "activity_wait") == 1)

            // The place that is given back goes to the one who waits, who then is registered.
            _ = try await ana.visit("/registrations/1").press("Give this place back: Mo: Clay")
            #expect(try taken(site) == [0, 1, 1, 2] && site.count(of: "activity_wait") == 0)
            #expect(try site.count(of: "registration_person WHERE cancelled_at IS NULL") == 2)
        }
    }

    @Test func `nobody is in two sessions at the same time, too young, or too late`() async throws {
        try await withTestSite { site in
            let event = try await publish(site)
            try await site.child("Mo", of: .ana)
            try await site.child("Kid", of: .family(1))
            var ana = try await site.signIn(.ana, as: .parent)
            func problems(_ pairs: (Int, Int)...) async throws -> [String] {
                let form = try await ana.visit("/events/\(event)/sessions").form(with: "Register for these sessions")
                let answer = try await ana.post(
                    "/events/\(event)/registrations",
                    form.pairs.filter { $0.name != "session" }
                        + pairs.map { ("session", "child-\($0):session-\($1)") })
                return answer.problems
            }
            #expect(
                try await problems((1, 1), (1, 2)) == [
                    "Mo can’t be in “Mornings” and “Clay”: they are at the same time."
                ])
            // Somebody else's child, no session of this event, no child at all.
            for cell in [(2, 1), (1, 99), (0, 1)] { #expect(try await !problems(cell).isEmpty) }
            #expect(try site.count(of: "attendance") == 0)
            try await site.execute("UPDATE activity SET age_from = 16 WHERE id = 3")
            #expect(try await problems((1, 3)).count == 1)
            try await site.execute("UPDATE activity SET cancelled_at = 1 WHERE id = 2")
            #expect(try await problems((1, 2)) == ["Mo, Clay: called off"])
            // The week has begun; the afternoon is still to come.
            wait(site, until: "2027-04-05", 10)
            ana = try await site.signIn(.ana, as: .parent)
            try await site.execute("UPDATE activity SET age_from = 6 WHERE id = 3")
            #expect(try await problems((1, 1)) == ["Mo, Mornings: has begun"])
            #expect(try await problems((1, 3)) == [])
            #expect(try taken(site).last == 1)
            // So is what is at the same time as what the child has.
            try await site.execute(
                """
                UPDATE activity SET day = '2027-04-06', start_minute = 900, end_minute = 960, cancelled_at = NULL,
                    starts_at = (SELECT starts_at FROM activity WHERE id = 3),
                    ends_at = (SELECT ends_at FROM activity WHERE id = 3)
                WHERE id = 2
                """)
            #expect(
                try await problems((1, 2)) == [
                    "Mo can’t be in “Clay” and “Afternoon”: they are at the same time."
                ])
        }
    }

    @Test func `a session is given back, the last one with the registration, and both come back`() async throws {
        try await withTestSite { site in
            let event = try await publish(site)
            try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/events/\(event)/sessions")
                .press("Register for these sessions", filling: cells((1, 1), (1, 3)))
            // A week of mornings is five mornings.
            let week = try await ana.visit("/week?from=2027-04-05").text
            #expect(week.components(separatedBy: "9 AM to 12 PM").count == 6, "\(week)")
            let calendar = try await ana.visit("/events/\(event)/mine.ics").string
            #expect(calendar.contains("UID:activity-1-2027-04-09@localhost"))
            #expect(calendar.components(separatedBy: "BEGIN:VEVENT").count == 7)

            var page = try await ana.visit("/registrations/1").press("Give this place back: Mo: Afternoon")
            #expect(page.path == "/registrations/1" && page.text.contains("No longer going to “Afternoon”: Mo."))
            #expect(try taken(site) == [1, 0, 0, 1])
            #expect(try site.count(of: "registration_person WHERE cancelled_at IS NULL") == 1)
            page = try await page.press("Undo: Mo")
            #expect(try taken(site) == [1, 0, 1, 2])

            // All of it at once, and back.
            page = try await ana.visit("/registrations/1").press("Give all places back")
            #expect(page.heading == "The places are given back")
            #expect(try taken(site) == [0, 0, 0, 0] && site.count(of: "attendance") == 0)
            page = try await page.press("Undo: Mo")
            #expect(try taken(site) == [1, 0, 1, 2])
            #expect(try site.count(of: "registration WHERE state = 'confirmed'") == 1)

            // The last one takes the child off the list; where others have the place by now, it stays so.
            _ = try await ana.visit("/registrations/1").press("Give this place back: Mo: Mornings")
            site.clock.advance(by: .minutes(11))
            page = try await ana.visit("/registrations/1").press("Give this place back: Mo: Afternoon")
            #expect(page.heading == "The places are given back")
            #expect(try site.count(of: "registration_person WHERE cancelled_at IS NULL") == 0)
            try await site.execute("UPDATE activity SET spots = 1, taken = 1 WHERE id = 3")
            let ticket = try await page.press("Undo: Mo")
            #expect(ticket.status == 409 || ticket.text.contains("have the place"), "\(ticket.status) \(ticket.text)")
            #expect(try site.count(of: "registration_person WHERE cancelled_at IS NULL") == 0)
        }
    }

    @Test func `what has begun stays when all else is given back`() async throws {
        try await withTestSite { site in
            let event = try await publish(site)
            try await site.child("Mo", of: .ana)
            var ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/events/\(event)/sessions")
                .press("Register for these sessions", filling: cells((1, 1), (1, 3)))
            let old = try await ana.visit("/registrations/1")
            wait(site, until: "2027-04-05", 10)
            ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/registrations/1")
            #expect(!page.text.contains("Give this place back: Mo: Mornings"))
            _ = try await page.press("Give all places back")
            #expect(try taken(site) == [1, 0, 0, 1])
            #expect(try site.count(of: "registration WHERE state = 'confirmed'") == 1)
            // Neither does an old page take a session back that has begun.
            let form = try old.form(with: "Give this place back: Mo: Mornings")
            let csrf = try page.form(with: "Give all places back").pairs.filter { $0.name == "csrf" }
            let late = try await ana.post(form.action, form.pairs.filter { $0.name != "csrf" } + csrf)
            #expect(late.status == 403)
            #expect(try taken(site) == [1, 0, 0, 1])
        }
    }

    @Test func `twenty families want the last places of two sessions: none is sold twice`() async throws {
        try await withTestSite { site in
            let event = try await publish(site, spots: 7)
            var browsers: [(Browser, Int)] = []
            for number in 1...20 {
                try await site.child("Kid\(number)", of: .family(number))
                browsers.append((try await site.signIn(.family(number), as: .parent), number))
            }
            let pages = try await withThrowingTaskGroup(of: Page.self) { group in
                for (browser, child) in browsers {
                    group.addTask {
                        try await browser.visit("/events/\(event)/sessions").press(
                            "Register for these sessions",
                            filling: ["session": ["child-\(child):session-1", "child-\(child):session-3"]])
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(pages.count { $0.path.hasPrefix("/registrations/") } == 2)
            #expect(pages.allSatisfy { [200, 422].contains($0.status) })
            #expect(try taken(site) == [2, 0, 2, 4] && site.count(of: "attendance") == 4)
        }
    }

    @Test func `each session has a list at the door, with what parents shared, and counts who came`() async throws {
        try await withTestSite { site in
            let event = try await publish(site)
            try await site.child("Mo", of: .ana)
            try await site.execute("UPDATE child SET allergies = 'peanuts' WHERE id = 1")
            let ana = try await site.signIn(.ana, as: .parent)
            var filling = cells((1, 1), (1, 3))
            filling["share_notes"] = .tick(true)
            _ = try await ana.visit("/events/\(event)/sessions")
                .press("Register for these sessions", filling: filling)
            var ben = try await site.signIn(.ben, as: .provider)
            let list = "/events/\(event)/registrations"
            var page = try await ben.visit(list)
            #expect(page.text.contains("A list for each session") && page.text.contains("Mornings · Afternoon"))
            #expect(page.text.contains("to Friday, April 9, 9 AM to 12 PM each day"))
            let sheet = try await site.browser().visit("/events/\(event)/programme")
            #expect(sheet.text.contains("to Friday, April 9, 9 AM to 12 PM each day"))
            #expect(!page.text.contains("Add somebody"))
            #expect(try await ben.visit(list + "?as=csv").string.contains("\"Mornings; Afternoon\""))
            wait(site, until: "2027-04-05", 9)
            ben = try await site.signIn(.ben, as: .provider)
            page = try await ben.visit("/events/\(event)/activities/1/registrations")
            #expect(!page.text.contains("peanuts"))
            #expect(page.text.contains("Spring camp") && page.text.contains("9 AM to 12 PM each day"))
            #expect(page.html.all(ofClass: "paper-only").map(\.text) == ["Mornings"])
            page = try await page.follow("Show what parents shared")
            #expect(page.text.contains("peanuts"))
            #expect(try site.count(of: "roster_view WHERE kind = 'notes'") == 1)
            _ = try await page.press("Here: Mo")
            #expect(try site.count(of: "event WHERE arrived = 1") == 1)
            page = try await ben.visit("/events/\(event)/activities/1/registrations").press("Undo: Mo")
            #expect(try site.count(of: "event WHERE arrived = 0") == 1)
            // Clay has nobody, and nobody else sees a list.
            #expect(try await !ben.visit("/events/\(event)/activities/2/registrations").text.contains("Mo "))
            let other = try await site.signIn(.ana, as: .parent)
            #expect(try await other.visit("/events/\(event)/activities/1/registrations").status == 404)
        }
    }

    @Test func `a child whose only session was called off is on the list no more`() async throws {
        try await withTestSite { site in
            let event = try await publish(site)
            for name in ["Mo", "Lu"] { try await site.child(name, of: .ana) }
            _ = try await site.signIn(.ana, as: .parent).visit("/events/\(event)/sessions")
                .press("Register for these sessions", filling: cells((1, 2), (2, 2), (2, 3)))
            let ben = try await site.signIn(.ben, as: .provider)
            let list = "/events/\(event)/registrations"
            #expect(try await ben.visit(list).text.contains("Mo") && site.count(of: "registration_person") == 2)
            try await site.execute("UPDATE activity SET cancelled_at = 1 WHERE name = 'Clay'")
            for path in [list, list + "?as=csv"] {
                let text = try await ben.visit(path).string
                #expect(text.contains("Lu") && text.contains("Afternoon"), "\(path)")
                #expect(!text.contains(/\bMo\b/), "\(path)")
            }
        }
    }

    @Test func `search engines and programs read of each session`() async throws {
        try await withTestSite { site in
            let event = try await publish(site)
            try await site.publish(by: .ben)
            let visitor = site.browser()
            let page = try await visitor.visit("/events/\(event)").string
            #expect(page.contains(#""subEvent":[{"#) && page.contains(#""name":"Mornings""#))
            #expect(try await !visitor.visit("/events/2").string.contains("subEvent"))
            for path in ["/api/events/\(event)", "/api/events"] {
                let json = try await visitor.visit(path).string
                #expect(json.contains(#""name":"Mornings""#) && json.contains(#""name":"Clay""#), "\(path)")
            }
            #expect(try await visitor.visit("/api/events/2").string.contains(#""sessions":[]"#))
            try await site.execute("UPDATE activity SET cancelled_at = 1 WHERE name = 'Clay'")
            for path in ["/api/events/\(event)", "/api/events"] {
                let json = try await visitor.visit(path).string
                #expect(json.contains(#""name":"Mornings""#) && !json.contains(#""name":"Clay""#), "\(path)")
            }
        }
    }

    @Test func `a host sees who waits for each session`() async throws {
        try await withTestSite { site in
            let event = try await publish(site)
            try await site.child("Mo", of: .ana)
            try await site.execute("UPDATE activity SET spots = 1, taken = 1 WHERE name = 'Clay'")
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/events/\(event)/waiting").text.contains("Nobody waits"))
            var filling = cells((1, 2))
            filling["as"] = "fits"
            _ = try await site.signIn(.ana, as: .parent).visit("/events/\(event)/sessions")
                .press("Register for these sessions", filling: filling)
            for path in ["/events/\(event)", "/events/\(event)/registrations"] {
                let page = try await ben.visit(path)
                #expect(page.links.contains { $0.href == "/events/\(event)/waiting" }, "\(path)")
            }
            let page = try await ben.visit("/events/\(event)/waiting")
            #expect(page.html.all("h2").map(\.text).contains("Clay") && page.text.contains("Ana"))
            #expect(!page.text.contains("Nobody waits") && !page.buttons.contains { $0.hasPrefix("Invite now") })
        }
    }

    @Test func `families are reminded of their sessions, not of the first day of the camp`() async throws {
        try await withTestSite { site in
            let event = try await publish(site)
            try await site.child("Mo", of: .ana)
            var ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/events/\(event)/sessions").press(
                "Register for these sessions", filling: cells((1, 3)))
            func remind(_ day: String, _ hour: Int) async throws -> Int {
                wait(site, until: day, hour)
                let now = site.clock.now
                _ = try await site.write(at: now) { tx in try Reminder.send(in: tx) + Reminder.sendOfSessions(in: tx) }
                return try site.count(of: "notice WHERE kind = 'dayBefore'")
            }
            #expect(try await remind("2027-04-04", 12) == 0)
            #expect(try await remind("2027-04-05", 14) == 1)
            #expect(try await remind("2027-04-05", 14) == 1)
            ana = try await site.signIn(.ana, as: .parent)
            #expect(try await ana.visit("/inbox").text.contains("Coming up: Afternoon, Spring camp"))
            // My week and the calendar have the session, and not the whole camp.
            let week = try await ana.visit("/week?from=2027-04-05")
            #expect(week.text.contains("Afternoon") && !week.text.contains("Spring camp Monday"))
            let calendar = try await ana.visit("/events/\(event)/mine.ics").string
            #expect(calendar.contains("Afternoon (Spring camp)"))
            #expect(!calendar.contains("SUMMARY:Spring camp"))
        }
    }

    @Test func `nobody comes without a session, by whatever way`() async throws {
        try await withTestSite { site in
            let event = try await publish(site)
            try await site.child("Mo", of: .ana)
            let (ana, ben) = (
                try await site.signIn(.ana, as: .parent), try await site.signIn(.ben, as: .provider)
            )
            let page = try await ana.visit("/events/\(event)/sessions")
            let form = try page.form(with: "Register for these sessions")
            let carried = form.pairs.filter { ["csrf", "once"].contains($0.name) }
            for body in [["child": "1"], ["dates": "all", "child": "1"], ["sessions": "1"]] {
                let answer = try await ana.post(
                    "/events/\(event)/registrations", carried + body.map { ($0.key, $0.value) })
                #expect([404, 422].contains(answer.status), "\(body)")
            }
            for path in ["join", "activities/1/join", "activities/1/wait"] {
                let answer = try await ana.post("/events/\(event)/\(path)", carried + [("person", "child-1")])
                #expect(answer.status == 404, "\(path)")
            }
            #expect(try site.count(of: "registration_person") == 0)
            #expect(try await ben.visit("/events/\(event)/people/new").path == "/events/\(event)/registrations")
            #expect(try await ben.visit("/events/\(event)/copy").status == 404)
            #expect(try await !ben.visit("/events/\(event)").text.contains("More dates"))

            _ = try await page.press("Register for these sessions", filling: cells((1, 1)))
            let door = try await ben.visit("/events/\(event)/registrations")
            let proof = try #require(door.forms.flatMap(\.pairs).first { $0.name == "csrf" })
            for (path, pair) in [("arrivals", ("person", "1")), ("walk-ins", ("walk_ins", "1"))] {
                let answer = try await ben.post(
                    "/events/\(event)/\(path)", [proof, pair, ("presence", "here"), ("shown", "0"), ("early", "1")])
                #expect(answer.status == 403, "\(path)")
            }

            // A family that registered for an event without sessions keeps it so.
            let other = try await site.publish(by: .ben)
            _ = try await ana.visit("/events/\(other)").press("Register", filling: ["child": ["1"]])
            let edit = try await ben.visit("/events/\(other)/edit").press("Add a session")
            let refused = try await edit.press(
                "Preview",
                filling: ["activity.0.name": "One", "activity.0.start_time": "10:00", "activity.0.spots": "5"])
            #expect(
                refused.problems == [
                    "Families registered without sessions. Post a separate event with sessions."
                ])
            let last = try await ben.visit("/events/\(event)/edit").press("Remove Mornings").press("Remove Clay")
                .press("Remove Afternoon").press("Preview", filling: ["spots": "9"])
            #expect(last.problems == ["An event with sessions needs at least one."])
        }
    }

    @Test func `nobody registers while registration is closed, and sessions stay when programs are off`() async throws {
        try await withTestSite { site in
            let event = try await publish(site)
            try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/events/\(event)/sessions")
            try await site.execute("UPDATE event SET closes_at = \(site.clock.now)")
            let shut = try await page.press("Register for these sessions", filling: cells((1, 1)))
            #expect(shut.status == 422 && !shut.problems.isEmpty)
            #expect(try site.count(of: "attendance") == 0)
            try await site.execute("UPDATE event SET closes_at = NULL")
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await mira.visit("/admin/modules").press(
                "Save", filling: ["module": .texts(Module.allCases.filter { $0 != .programs }.map(\.rawValue))])
            let open = try await page.press("Register for these sessions", filling: cells((1, 1)))
            #expect(open.path == "/registrations/1", "\(open.problems)")
            #expect(try await ana.visit("/events/\(event)").link("On one sheet") == "/events/\(event)/programme")
            #expect(try await ana.visit("/events/\(event)/activities/3").link("Add to calendar") != nil)
            let other = try await site.publish(by: .ben) { $0.audience = .everyone }
            let (zone, now) = (site.site.settings.zone, site.clock.now)
            try await site.write(at: now) { tx in
                let game = Self.session("Blitz", "2027-03-27", "11:00", "12:00", spots: 4)
                try Activity.save([game.activity(from: Day(iso: "2027-03-27")!, in: zone)], of: other, in: tx)
            }
            for path in ["programme", "programme.ics", "activities/1.ics"] {
                #expect(try await ana.visit("/events/\(event)/\(path)").status == 200, "\(path)")
            }
            for path in ["programme", "programme.ics", "activities/4.ics"] {
                #expect(try await ana.visit("/events/\(other)/\(path)").status == 404, "\(path)")
            }
            #expect(try await open.press("Give this place back: Mo: Mornings").heading == "The places are given back")
        }
    }

    @Test func `a family that only waits stops waiting, and what is called off is in nobody's way`() async throws {
        try await withTestSite { site in
            let event = try await publish(site)
            try await site.child("Mo", of: .ana)
            try await site.execute("UPDATE activity SET spots = 1, taken = 1 WHERE name = 'Clay'")
            let ana = try await site.signIn(.ana, as: .parent)
            var filling = cells((1, 2))
            filling["as"] = "fits"
            let page = try await ana.visit("/events/\(event)/sessions")
                .press("Register for these sessions", filling: filling)
            #expect(page.path == "/events/\(event)/sessions" && page.text.contains("Mo: Clay"))
            #expect(try site.count(of: "activity_wait") == 1)
            let same = try await page.press("Register for these sessions", filling: cells((1, 1)))
            #expect(same.problems == ["Mo can’t be in “Mornings” and “Clay”: they are at the same time."])
            // By mistake, the position comes back, and the line about it goes.
            try await site.execute("UPDATE activity_wait SET created_at = 7")
            let left = try await page.press("No longer wait: Mo: Clay")
            #expect(try left.text.contains("No longer waiting for “Clay”: Mo.") && site.count(of: "activity_wait") == 0)
            _ = try await left.press("Undo: Mo")
            #expect(try site.count(of: "activity_wait WHERE id = 1 AND created_at = 7") == 1)
            let again = try await ana.visit("/events/\(event)/sessions")
            #expect(!again.text.contains("No longer waiting"))
            _ = try await again.press("No longer wait: Mo: Clay")
            #expect(try site.count(of: "activity_wait") == 0)
            _ = try await ana.visit("/events/\(event)/sessions")
                .press("Register for these sessions", filling: cells((1, 1)))
            try await site.execute("UPDATE activity SET cancelled_at = 1 WHERE name = 'Mornings'")
            try await site.execute("UPDATE activity SET taken = 0 WHERE name = 'Clay'")
            _ = try await ana.visit("/events/\(event)/sessions")
                .press("Register for these sessions", filling: cells((1, 2)))
            #expect(try taken(site) == [1, 1, 0, 1])
        }
    }

    @Test func `the second parent takes sessions over, also after sessions of their own`() async throws {
        try await withTestSite { site in
            let event = try await publish(site)
            let mo = try await site.child("Mo", of: .ana)
            let kid = try await site.child("Kid", of: .family(1))
            let (ana, other) = (
                try await site.signIn(.ana, as: .parent), try await site.signIn(.family(1), as: .parent)
            )
            _ = try await ana.visit("/events/\(event)/sessions").press(
                "Register for these sessions", filling: ["session": ["child-\(mo):session-1"]])
            // The other one was there before, and keeps an empty party.
            _ = try await other.visit("/events/\(event)/sessions").press(
                "Register for these sessions", filling: ["session": ["child-\(kid):session-3"]])
            _ = try await other.visit("/registrations/2").press("Give all places back")
            let now = site.clock.now
            let moved = try await site.write(at: now) { tx in
                let head: ID<Account> = try #require(try tx.value("SELECT account_id FROM registration WHERE id = 1"))
                let second: ID<Account> = try #require(try tx.value("SELECT account_id FROM registration WHERE id = 2"))
                try tx.execute("DELETE FROM child WHERE id = \(kid)")
                try tx.execute("DELETE FROM guardian WHERE account_id IN (\(head), \(second))")
                try tx.execute(
                    "INSERT INTO guardian (account_id, head_id, since) VALUES (\(second), \(head), \(tx.now))")
                return try Guardian.handOver(by: head, in: tx)
            }
            #expect(moved)
            #expect(try taken(site) == [1, 0, 0, 1])
            #expect(try site.count(of: "registration WHERE id = 2 AND state = 'confirmed'") == 1)
            #expect(try site.count(of: "registration WHERE id = 1 AND state = 'cancelled'") == 1)
        }
    }

    @Test func `a child that is removed leaves its sessions, and doesn't come back without them`() async throws {
        try await withTestSite { site in
            let event = try await publish(site)
            try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/events/\(event)/sessions").press(
                "Register for these sessions", filling: cells((1, 1)))
            let page = try await ana.visit("/me/children/1/delete").press("Remove")
            #expect(try taken(site) == [0, 0, 0, 0])
            _ = try await page.press("Undo: Mo")
            #expect(try site.count(of: "registration_person WHERE cancelled_at IS NULL") == 0)
        }
    }

    // MARK: Waiting for a session

    /// A word that stands nowhere else.
    private static let planted = "Quetzalcoatlito"

    /// The name of the field for the answer to the only question of a kind.
    private func answer(_ kind: String, _ page: Page) throws -> String {
        let names = page.forms.flatMap(\.controls).map(\.name)
        return try #require(names.first { $0.hasPrefix("answer.") && $0.hasSuffix(".\(kind)") }, "\(names)")
    }

    /// A camp that asks, whose clay Cleo's Vy (child 1) has taken; Ana's Mo (child 2) has notes.
    private func asking(_ site: TestSite) async throws -> (event: ID<Event>, ana: Browser, cleo: Browser) {
        let event = try await publish(site)
        let asks = [
            Ask(content: .init(kind: .line, text: "What does your child like?", isEach: true)),
            Ask(content: .init(kind: .agree, text: "We swim in the lake.", isRequired: true)),
        ]
        try await site.write { db in try Ask.save(asks, of: event, in: db) }
        try await site.execute("UPDATE activity SET spots = 1 WHERE name = 'Clay'")
        try await site.child("Vy", of: .cleo)
        let mo = try await site.child("Mo", of: .ana)
        try await site.execute("UPDATE child SET allergies = 'peanuts' WHERE id = \(mo)")
        let cleo = try await site.signIn(.cleo, as: .parent)
        let page = try await cleo.visit("/events/\(event)/sessions")
        let done = try await page.press(
            "Register for these sessions",
            filling: cells((1, 2)).merging([try answer("agree", page): true]) { $1 })
        #expect(done.path == "/registrations/1", "\(done.problems)")
        return (event, try await site.signIn(.ana, as: .parent), cleo)
    }

    /// Ana chooses sessions for Mo, answers, and shares her notes.
    private func choose(_ filling: [String: Filling], _ ana: Browser, at event: ID<Event>) async throws -> Page {
        let page = try await ana.visit("/events/\(event)/sessions")
        return try await page.press(
            "Register for these sessions",
            filling: filling.merging([
                "as": "fits", "share_notes": .tick(true), try answer("line", page): .text(Self.planted),
                try answer("agree", page): true,
            ]) { $1 })
    }

    /// How many of the planted answers belong to parties in a state, and are kept until after the camp.
    private func kept(_ state: String, _ site: TestSite) throws -> Int {
        try site.count(
            of: """
                reply JOIN registration_person ON registration_person.id = reply.person_id
                JOIN registration ON registration.id = registration_person.registration_id
                JOIN event ON event.id = registration.event_id
                WHERE reply.answer = \(Self.planted) AND registration.state = \(state)
                    AND registration_person.cancelled_at IS NULL AND reply.erase_at > event.ends_at
                """)
    }

    private func tidyUp(_ site: TestSite) async {
        site.clock.advance(by: .minutes(11))
        await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
    }

    @Test func `what was answered and shared for a child that only waits is kept, and comes with its place`()
        async throws
    {
        try await withTestSite { site in
            let (event, ana, cleo) = try await asking(site)
            var page = try await choose(cells((2, 2)), ana, at: event)
            #expect(page.path == "/events/\(event)/sessions", "\(page.problems)")
            #expect(try kept("queued", site) == 1 && site.count(of: "care_note") == 1)
            #expect(try site.count(of: "registration WHERE state = 'confirmed'") == 1)
            // The family reads it where it chooses, and isn't asked again.
            #expect(page.text.contains("Your answers") && page.text.contains(Self.planted))
            #expect(!page.string.contains("name=\"answer."))
            page = try await ana.visit("/me/registrations?list=waiting")
            #expect(page.rows == ["Spring camp"] && page.text.contains("On the waiting list"))
            page = try await page.follow("Spring camp")
            #expect(page.heading == "You are on the waiting list" && page.text.contains(Self.planted))
            #expect(page.text.contains("With a place, King Library sees your notes"))
            page = try await page.follow("Change the answers")
            #expect(page.string.contains(Self.planted))
            // The host reads it among those who wait, not among those who come; nobody else does.
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(
                try await ben.visit("/events/\(event)/waiting").text.contains(
                    "What does your child like? \(Self.planted)"))
            #expect(try await !ben.visit("/events/\(event)/registrations").string.contains(Self.planted))
            #expect(try await cleo.visit("/registrations/2").status == 404)
            let account = try await site.account(of: .ana)
            let export = try site.read { db in
                try [RetentionRule.replies, .notes].flatMap { $0.exports(of: account) }
                    .flatMap { try $0.entries(in: db) }.joined()
            }
            #expect(export.contains(Self.planted) && export.contains("peanuts"))

            _ = try await cleo.visit("/registrations/1").press("Give this place back: Vy: Clay")
            #expect(try site.count(of: "activity_wait") == 0)
            #expect(try kept("confirmed", site) == 1 && site.count(of: "care_note") == 1)
            #expect(try site.count(of: "registration WHERE state = 'queued'") == 0)
            #expect(try await ben.visit("/events/\(event)/registrations").text.contains(Self.planted))
            await tidyUp(site)
            #expect(try kept("confirmed", site) == 1)
        }
    }

    @Test func `a question that is added later is asked of a child with a session, not of one that only waits`()
        async throws
    {
        try await withTestSite { site in
            let (event, ana, _) = try await asking(site)
            _ = try await choose(cells((2, 2)), ana, at: event)
            let new = Ask(content: .init(kind: .agree, text: "We climb a tree.", isEach: true, isRequired: true))
            try await site.write { db in try Ask.save(Ask.all(of: event, in: db) + [new], of: event, in: db) }
            let ben = try await site.signIn(.ben, as: .provider)
            let path = "/events/\(event)/waiting"
            #expect(try await ben.visit(path).text.contains("We climb a tree. not asked"))
            // With a session, its family reads the question on its page.
            let page = try await ana.visit("/events/\(event)/sessions")
            let done = try await page.press("Register for these sessions", filling: cells((2, 3)))
            #expect(done.path.hasPrefix("/registrations/"), "\(done.problems)")
            let list = try await ben.visit(path).text
            #expect(list.contains("We climb a tree. not answered yet") && !list.contains("not asked"), "\(list)")
        }
    }

    @Test func `a child that gives its last session back and waits on keeps its answers, until it waits no more`()
        async throws
    {
        try await withTestSite { site in
            let (event, ana, _) = try await asking(site)
            var page = try await choose(cells((2, 2), (2, 3)), ana, at: event)
            #expect(page.path.hasPrefix("/registrations/"), "\(page.problems)")
            #expect(try kept("confirmed", site) == 1 && site.count(of: "activity_wait") == 1)
            _ = try await page.press("Give this place back: Mo: Afternoon")
            #expect(try taken(site) == [0, 1, 0, 1])
            #expect(try kept("queued", site) == 1 && site.count(of: "care_note") == 1)
            await tidyUp(site)
            #expect(try kept("queued", site) == 1)

            // All given back: it is gone in ten minutes, and back with the wait when that is undone before.
            page = try await ana.visit("/me/registrations?list=waiting").follow("Spring camp")
            let own = page.path
            page = try await page.press("Leave the waiting list")
            #expect(page.heading == "You no longer wait for a place")
            #expect(try kept("queued", site) == 0 && site.count(of: "care_note") == 0)
            #expect(try site.count(of: "activity_wait") == 0)
            _ = try await page.press("Undo: Mo")
            #expect(try kept("queued", site) == 1 && site.count(of: "activity_wait") == 1)
            #expect(try await ana.visit(own).text.contains("Your notes are no longer shared"))
            await tidyUp(site)
            #expect(try kept("queued", site) == 1)
            _ = try await ana.visit("/events/\(event)/sessions").press("No longer wait: Mo: Clay")
            await tidyUp(site)
            #expect(try site.count(of: "reply WHERE answer = \(Self.planted)") == 0)
        }
    }

    @Test func `a session that is given back and taken back within ten minutes has its answers`() async throws {
        try await withTestSite { site in
            let (event, ana, _) = try await asking(site)
            let page = try await choose(cells((2, 3)), ana, at: event)
            let gone = try await page.press("Give this place back: Mo: Afternoon")
            #expect(try kept("confirmed", site) == 0)
            _ = try await gone.press("Undo: Mo")
            #expect(try kept("confirmed", site) == 1)
            await tidyUp(site)
            #expect(try kept("confirmed", site) == 1)
        }
    }

    // MARK: How long notes are seen

    private func moment(_ day: String, _ hour: Int, _ site: TestSite) -> Instant {
        site.site.settings.zone.instant(Day(iso: day)!, TimeOfDay(hour: hour, minute: 0)!)
    }

    /// When notes are seen about a child who has only Clay, and about one who has only the Afternoon.
    private func times(_ site: TestSite) -> (clay: Range<Instant>, afternoon: Range<Instant>) {
        (
            moment("2027-04-03", 10, site)..<moment("2027-04-06", 11, site),
            moment("2027-04-04", 13, site)..<moment("2027-04-07", 16, site)
        )
    }

    /// The allergies that the host reads at a moment, in the list of the camp or of a session.
    private func shown(
        at moment: Instant, _ event: ID<Event>, of activity: ID<Activity>? = nil, _ site: TestSite
    ) throws -> Set<String> {
        try site.read(at: moment) { tx in
            let event = try #require(try Event.find(event, in: tx))
            let session = try activity.flatMap { try Activity.find($0, of: event.id, in: tx) }
            let roster =
                try session.map { try Roster(of: event, in: $0, withNotes: true, tx: tx) }
                ?? Roster(of: event, withNotes: true, in: tx)
            let notes = Set(roster.rows.compactMap { $0.child.note?.allergies })
            #expect(roster.hasNotes == !notes.isEmpty && roster.showsNotes == roster.hasNotes)
            return notes
        }
    }

    /// When the only note is erased.
    private func end(_ site: TestSite) throws -> Instant? {
        try site.read { db in try db.value("SELECT erase_at FROM care_note LIMIT 1") }
    }

    /// Ana registers children and shares her notes: Mo (child 1) has peanuts, Lu (child 2) wool.
    private func share(_ pairs: (Int, Int)..., at event: ID<Event>, _ site: TestSite) async throws -> Browser {
        for name in ["Mo", "Lu"] { try await site.child(name, of: .ana) }
        try await site.execute("UPDATE child SET allergies = CASE id WHEN 1 THEN 'peanuts' ELSE 'wool' END")
        let ana = try await site.signIn(.ana, as: .parent)
        let cells = pairs.map { "child-\($0):session-\($1)" }
        let page = try await ana.visit("/events/\(event)/sessions").press(
            "Register for these sessions", filling: ["session": .texts(cells), "share_notes": .tick(true)])
        #expect(page.redirects == ["/registrations/1"], "\(page.problems)")
        return ana
    }

    @Test func `notes are seen and kept around the sessions of each child, not around the camp`() async throws {
        try await withTestSite { site in
            let event = try await publish(site)
            let ana = try await share((1, 3), (2, 2), at: event, site)
            let (clay, afternoon) = times(site)
            let minute = Duration.minutes(1)
            let expected: [(Instant, Set<String>)] = [
                (clay.lowerBound - minute, []), (clay.lowerBound, ["wool"]),
                (afternoon.lowerBound - minute, ["wool"]), (afternoon.lowerBound, ["peanuts", "wool"]),
                (clay.upperBound - minute, ["peanuts", "wool"]), (clay.upperBound, ["peanuts"]),
                (afternoon.upperBound - minute, ["peanuts"]), (afternoon.upperBound, []),
            ]
            for (moment, notes) in expected {
                #expect(try shown(at: moment, event, site) == notes)
                // A session's list has the notes about its own children.
                #expect(try shown(at: moment, event, of: ID(2), site) == notes.subtracting(["peanuts"]))
                #expect(try shown(at: moment, event, of: ID(3), site) == notes.subtracting(["wool"]))
            }
            // By the rule of other events both would be seen until a day after the camp.
            var plain = try #require(try site.read { db in try Event.find(event, in: db) })
            #expect(!CareNote.isShown(of: plain, agreed: plain.startsAt, [], at: clay.upperBound))
            plain.admission.hasSessions = false
            #expect(CareNote.isShown(of: plain, agreed: plain.startsAt, [], at: clay.lowerBound - minute))
            #expect(CareNote.isShown(of: plain, agreed: plain.startsAt, [], at: afternoon.upperBound))

            let page = try await ana.visit("/registrations/1")
            #expect(page.text.contains("King Library sees your notes from 2 days before the child’s first session"))
            wait(site, until: "2027-04-03", 11)
            let ben = try await site.signIn(.ben, as: .provider)
            for way in ["notes", "print"] {
                let list = try await ben.visit("/events/\(event)/registrations?as=\(way)").string
                #expect(list.contains("wool") && !list.contains("peanuts"), "\(way)")
            }
            let words = "Show what parents shared"
            #expect(try await ben.visit("/events/\(event)/activities/2/registrations").text.contains(words))
            #expect(try await !ben.visit("/events/\(event)/activities/3/registrations").text.contains(words))

            for (moment, count) in [
                (clay.upperBound - minute, 0), (clay.upperBound, 1), (afternoon.upperBound - minute, 0),
                (afternoon.upperBound, 1),
            ] {
                #expect(try await site.write(at: moment) { tx in try CareNote.eraseOld(in: tx) } == count)
            }
        }
    }

    @Test func `giving a session back narrows the time in which notes are seen, and undoing it widens it`()
        async throws
    {
        try await withTestSite { site in
            let event = try await publish(site)
            let ana = try await share((1, 2), (1, 3), at: event, site)
            let (clay, afternoon) = times(site)
            #expect(try end(site) == afternoon.upperBound)
            var page = try await ana.visit("/registrations/1").press("Give this place back: Mo: Afternoon")
            #expect(try end(site) == clay.upperBound)
            #expect(try shown(at: clay.upperBound - .minutes(1), event, site) == ["peanuts"])
            #expect(try shown(at: clay.upperBound, event, site) == [])

            page = try await page.press("Undo: Mo")
            #expect(try end(site) == afternoon.upperBound)
            #expect(try shown(at: afternoon.upperBound - .minutes(1), event, site) == ["peanuts"])
            #expect(try shown(at: clay.lowerBound, event, site) == ["peanuts"])

            _ = try await ana.visit("/registrations/1").press("Give this place back: Mo: Clay")
            #expect(try end(site) == afternoon.upperBound)
            #expect(try shown(at: afternoon.lowerBound - .minutes(1), event, site) == [])
            #expect(try shown(at: afternoon.lowerBound, event, site) == ["peanuts"])
        }
    }

    @Test func `notes follow a session that is moved, no sooner than agreed, and a far move asks again`()
        async throws
    {
        try await withTestSite { site in
            let event = try await publish(site)
            let ana = try await share((1, 3), (2, 2), at: event, site)
            let (zone, now) = (site.site.settings.zone, site.clock.now)
            func save(_ change: @escaping @Sendable ([Activity]) -> [Activity]) async throws {
                try await site.write(at: now) { tx in
                    try Activity.save(change(try Activity.all(of: event, in: tx)), of: event, in: tx)
                }
            }
            func move(_ day: String) async throws {
                let moved = Self.session("Afternoon", day, "13:00", "16:00", spots: 2)
                    .activity(from: Day(iso: "2027-04-05")!, in: zone).content.schedule
                try await save { programme in
                    programme.map { activity in
                        var activity = activity
                        if activity.name == "Afternoon" { activity.content.schedule = moved }
                        return activity
                    }
                }
            }
            func shown(_ day: String, _ hour: Int, before: Duration = .zero) throws -> Bool {
                try self.shown(at: moment(day, hour, site) - before, event, of: ID(3), site) == ["peanuts"]
            }
            // A day later, and then a day earlier than agreed.
            try await move("2027-04-07")
            #expect(try !shown("2027-04-05", 13, before: .minutes(1)) && shown("2027-04-05", 13))
            #expect(try shown("2027-04-08", 16, before: .minutes(1)) && !shown("2027-04-08", 16))
            try await move("2027-04-05")
            #expect(try !shown("2027-04-04", 13, before: .minutes(1)) && shown("2027-04-04", 13))
            #expect(try shown("2027-04-06", 16, before: .minutes(1)) && !shown("2027-04-06", 16))

            // In steps, each of them near: what counts is the day that the family chose. Lu's notes stay.
            try await move("2027-04-08")
            #expect(try site.count(of: "care_note") == 2)
            try await move("2027-04-09")
            #expect(try site.count(of: "care_note") == 1 && site.count(of: "care_note WHERE allergies = 'wool'") == 1)
            var page = try await ana.visit("/registrations/1")
            #expect(page.text.contains("What was shared is erased when a session moves by more than two days"))
            page = try await page.press("Share my notes")
            #expect(page.buttons.contains("Stop sharing") && !page.text.contains("no longer shared"))
            #expect(try !shown("2027-04-07", 13, before: .minutes(1)) && shown("2027-04-07", 13))
            #expect(try shown("2027-04-10", 16, before: .minutes(1)) && !shown("2027-04-10", 16))

            // Nobody keeps notes for a session that was called off.
            try await save { programme in programme.filter { $0.name != "Clay" } }
            #expect(try await site.write(at: now) { tx in try CareNote.eraseOld(in: tx) } == 1)
            #expect(try site.count(of: "care_note WHERE allergies = 'peanuts'") == 1)
        }
    }

    @Test func `notes about a child that waits are kept until a day after the session it waits for`() async throws {
        try await withTestSite { site in
            let (event, ana, cleo) = try await asking(site)
            let (clay, _) = times(site)
            _ = try await choose(cells((2, 2)), ana, at: event)
            #expect(try end(site) == clay.upperBound)
            #expect(try shown(at: clay.lowerBound, event, site) == [])
            #expect(try await ana.visit("/registrations/2").text.contains("the child’s first session"))
            _ = try await cleo.visit("/registrations/1").press("Give this place back: Vy: Clay")
            #expect(try end(site) == clay.upperBound)
            #expect(try shown(at: clay.lowerBound - .minutes(1), event, site) == [])
            #expect(try shown(at: clay.lowerBound, event, site) == ["peanuts"])
        }
        try await withTestSite { site in
            let (event, ana, _) = try await asking(site)
            let (_, afternoon) = times(site)
            try await site.execute("UPDATE activity SET spots = 1, taken = 1 WHERE name = 'Mornings'")
            _ = try await choose(cells((2, 1), (2, 3)), ana, at: event)
            // The host sees them around the session that it has; they are kept for the one that it waits for.
            #expect(try end(site) == moment("2027-04-10", 12, site))
            #expect(try shown(at: afternoon.lowerBound - .minutes(1), event, site) == [])
            #expect(try shown(at: afternoon.lowerBound, event, site) == ["peanuts"])
            #expect(try shown(at: afternoon.upperBound, event, site) == [])
            _ = try await ana.visit("/events/\(event)/sessions").press("No longer wait: Mo: Mornings")
            #expect(try end(site) == afternoon.upperBound)
        }
    }

    @Test func `nothing is shared about a child whose sessions are over`() async throws {
        try await withTestSite { site in
            let event = try await publish(site)
            _ = try await share((1, 3), (2, 2), at: event, site)
            wait(site, until: "2027-04-06", 12)
            var ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/registrations/1").press("Stop sharing")
            #expect(try site.count(of: "care_note") == 0)
            _ = try await ana.visit("/registrations/1").press("Share my notes")
            #expect(try site.count(of: "care_note") == 1)
            #expect(try site.count(of: "care_note WHERE allergies = 'peanuts'") == 1)
            _ = try await ana.visit("/registrations/1").press("Stop sharing")
            wait(site, until: "2027-04-06", 17)
            ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/registrations/1")
            #expect(!page.buttons.contains("Share my notes"))
            try await site.write(at: site.clock.now) { tx in try CareNote.share(ID(1), in: tx) }
            #expect(try site.count(of: "care_note") == 0)
        }
    }

    @Test func `who gives sessions back for another family's child learns nothing of it, and changes nothing`()
        async throws
    {
        try await withTestSite { site in
            let event = try await publish(site)
            let vy = try await site.child("Vy", of: .cleo)
            let mo = try await site.child("Mo", of: .ana)
            try await site.execute("UPDATE child SET allergies = 'peanuts' WHERE id = \(vy)")
            let (cleo, ana) = (try await site.signIn(.cleo, as: .parent), try await site.signIn(.ana, as: .parent))
            for (browser, child) in [(cleo, 1), (ana, 2)] {
                var filling = cells((child, 1))
                if child == 1 { filling["share_notes"] = .tick(true) }
                _ = try await browser.visit("/events/\(event)/sessions")
                    .press("Register for these sessions", filling: filling)
            }
            #expect(try site.count(of: "care_note") == 1 && taken(site) == [2, 0, 0, 2])
            var page = try await ana.visit("/registrations/2")
            let token = try #require(page.value(of: "csrf"))
            page = try await ana.post(
                "/registrations/2/cancel", [("csrf", token), ("child", "\(mo)"), ("child", "\(vy)")])
            #expect(try taken(site) == [1, 0, 0, 1] && site.count(of: "care_note") == 1)
            // Undoing it would ask Ana about notes if hers had been shared.
            page = try await ana.visit("/registrations/2").press("Undo: Mo")
            #expect(try taken(site) == [2, 0, 0, 2] && site.count(of: "registration WHERE asks_again") == 0)
        }
    }

    @Test func `what was said of a child that waits goes with its session, its child and its account`() async throws {
        try await withTestSite { site in
            let (event, ana, _) = try await asking(site)
            _ = try await choose(cells((2, 2)), ana, at: event)
            // The session takes place without it.
            wait(site, until: "2027-04-05", 12)
            await tidyUp(site)
            await tidyUp(site)
            #expect(try site.count(of: "reply WHERE answer = \(Self.planted)") == 0)
            #expect(try site.count(of: "care_note") == 0 && site.count(of: "registration WHERE state = 'queued'") == 0)
        }
        try await withTestSite { site in
            let (event, ana, _) = try await asking(site)
            _ = try await choose(cells((2, 2)), ana, at: event)
            _ = try await ana.visit("/me/children/2/delete").press("Remove")
            #expect(try site.count(of: "reply WHERE answer = \(Self.planted)") == 0)
            #expect(try site.count(of: "care_note") == 0 && site.count(of: "registration WHERE state = 'queued'") == 0)
        }
        try await withTestSite { site in
            let (event, ana, _) = try await asking(site)
            _ = try await choose(cells((2, 2)), ana, at: event)
            _ = try await ana.visit("/me/delete").press(
                "Delete my account", filling: ["current_password": .text(Person.password)])
            #expect(try site.count(of: "reply WHERE answer = \(Self.planted)") == 0)
            #expect(try site.count(of: "care_note") == 0 && site.count(of: "registration WHERE state = 'queued'") == 0)
        }
    }

    @Test func `the second parent takes over what a child waits for, with its answers`() async throws {
        try await withTestSite { site in
            let (event, ana, _) = try await asking(site)
            _ = try await choose(cells((2, 2)), ana, at: event)
            try await site.family(of: .family(1))
            let (head, second) = (try await site.account(of: .ana), try await site.account(of: .family(1)))
            let now = site.clock.now
            let moved = try await site.write(at: now) { tx in
                try tx.execute(
                    "INSERT INTO guardian (account_id, head_id, since) VALUES (\(second), \(head), \(tx.now))")
                return try Guardian.handOver(by: head, in: tx)
            }
            #expect(moved)
            #expect(try kept("queued", site) == 1)
            #expect(try site.count(of: "registration WHERE state = 'queued' AND account_id = \(second)") == 1)
            #expect(try site.count(of: "activity_wait WHERE account_id = \(second)") == 1)
        }
    }

    @Test func `a brother who leaves doesn't end the wait of a child that left before`() async throws {
        try await withTestSite { site in
            let (event, ana, _) = try await asking(site)
            try await site.child("Lu", of: .ana)
            let page = try await ana.visit("/events/\(event)/sessions")
            let both = try await page.press(
                "Register for these sessions",
                filling: cells((2, 3), (3, 1)).merging([try answer("agree", page): true]) { $1 })
            _ = try await both.press("Give this place back: Mo: Afternoon")
            var filling = cells((2, 2))
            filling["as"] = "fits"
            _ = try await ana.visit("/events/\(event)/sessions")
                .press("Register for these sessions", filling: filling)
            #expect(try site.count(of: "activity_wait") == 1)
            _ = try await ana.visit("/me/children/3/delete").press("Remove")
            #expect(try site.count(of: "activity_wait WHERE child_id = 2") == 1)
            #expect(try site.count(of: "registration WHERE state = 'queued'") == 1)
        }
    }
}
