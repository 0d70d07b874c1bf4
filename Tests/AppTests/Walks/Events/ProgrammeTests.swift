import Database
import Forms
import Foundation
import Testing

@testable import App

/// Events with a program: rows of the form, activities that are joined, the week, the calendar.
@Suite struct ProgrammeTests {
    private let fair: [String: Filling] = [
        "title": "Willow Street fair", "description": "Stalls, music and a long table for everybody.",
        "date": "2027-03-26", "start_time": "10:00", "end_date": "2027-03-28", "end_time": "18:00",
        "place_name": "Willow field", "address": "180 Park Ave", "city": "San Jose", "state": "CA", "zip": "95113",
    ]
    private let show: [String: Filling] = [
        "activity.0.name": "Puppet show", "activity.0.start_time": "14:00", "activity.0.end_time": "15:00",
        "activity.0.place": "Craft tent", "activity.0.spots": "10", "activity.0.age_from": "3",
    ]
    private let race: [String: Filling] = [
        "activity.1.name": "Sack race", "activity.1.start_date": "2027-03-27", "activity.1.start_time": "11:00",
        "activity.1.place": "Main stage",
    ]

    /// A fair with a puppet show of ten places on Friday and a sack race on Saturday, announced by Ben's library.
    @discardableResult
    private func publish(_ site: TestSite, spots: Int? = 10) async throws -> ID<Event> {
        let id = try await site.publish(by: .ben) { form in
            form.audience = .everyone
            form.title = "Willow Street fair"
            form.date = Day(iso: "2027-03-26")!
            form.endDate = Day(iso: "2027-03-28")!
            form.endTime = TimeOfDay(hour: 18, minute: 0)
            form.spots = nil
            form.tags = "music"
        }
        let (zone, now) = (site.site.settings.zone, site.clock.now)
        try await site.write(at: now) { tx in
            var show = ActivityForm()
            show.name = "Puppet show"
            show.startTime = TimeOfDay(hour: 14, minute: 0)!
            show.endTime = TimeOfDay(hour: 15, minute: 0)
            show.place = "Craft tent"
            show.spots = spots
            show.ageFrom = 3
            var race = ActivityForm()
            race.name = "Sack race"
            race.startDate = Day(iso: "2027-03-27")
            race.startTime = TimeOfDay(hour: 11, minute: 0)!
            race.place = "Main stage"
            let rows = [show, race].map { $0.activity(from: Day(iso: "2027-03-26")!, in: zone) }
            try Activity.save(rows, of: id, in: tx)
        }
        return id
    }

    @Test func `rows of a programme are added, copied and removed, and published with the event alone`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            var page = try await ana.visit("/events/new?audience=everyone").press("Add an activity", filling: fair)
            #expect(page.status == 200 && page.problems == [] && page.value(of: "title") == "Willow Street fair")
            page = try await page.press("Add an activity", filling: show)
            page = try await page.press("Copy activity 2", filling: race)
            #expect(page.value(of: "activity.2.name") == "Sack race")
            page = try await page.press("Remove Puppet show")
            #expect(page.value(of: "activity.0.name") == "Sack race" && page.value(of: "activity.2.name") == nil)
            // Two of the same name at the same time.
            page = try await page.press("Preview", filling: ["activity.0.name": ""])
            #expect(
                page.status == 422 && page.problems == ["activity 1: Give the activity a name."],
                "\(page.problems)")
            page = try await page.press("Preview", filling: ["activity.0.name": "Sack race"])
            #expect(page.problems == ["Sack race: There is another activity of this name at this time."])
            page = try await page.press(
                "Preview", filling: ["activity.1.name": "Egg race", "activity.1.start_time": "12:00"])
            #expect(page.text.contains("Sack race") && page.text.contains("Egg race"))
            #expect(try site.count(of: "activity") == 0 && site.count(of: "event") == 0)
            page = try await page.press("Keep as draft")
            #expect(try site.count(of: "activity") == 0)
            page = try await ana.visit("/events/new?draft=1")
            #expect(page.value(of: "activity.1.name") == "Egg race")
            page = try await page.press("Preview").press("Back to editing").press("Preview").press("Publish")
            #expect(page.redirects == ["/events/1/published"])
            #expect(try site.count(of: "activity WHERE event_id = 1") == 2)
            page = try await ana.visit("/events/1")
            #expect(page.text.contains("Saturday, March 27") && page.text.contains("Main stage"))
        }
    }

    @Test func `what begins after midnight is a part of the program of a night`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let night: [String: Filling] = ["start_time": "20:00", "end_date": "2027-03-27", "end_time": "09:00"]
            let owls: [String: Filling] = [
                "activity.0.start_date": "2027-03-27", "activity.0.start_time": "02:30", "activity.0.end_time": "03:30",
            ]
            let form = try await ana.visit("/events/new?audience=everyone").press(
                "Add an activity", filling: fair.merging(night) { $1 })
            let late = try await form.press(
                "Preview", filling: show.merging(owls.merging(["activity.0.start_date": "2027-03-28"]) { $1 }) { $1 })
            #expect(late.problems == ["Puppet show: Choose one of the days of the event."])
            let page = try await form.press("Preview", filling: show.merging(owls) { $1 })
            #expect(page.status == 200 && page.problems.isEmpty, "\(page.problems)")
            #expect(page.text.contains("2:30 AM"))
        }
    }

    @Test func `what is wrong with a row stands beside it, and nothing is lost`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/events/new?audience=everyone").press("Add an activity", filling: fair)
            for (change, problem) in [
                (["activity.0.start_date": "2027-03-30"], "Choose one of the days of the event."),
                (["activity.0.age_to": "2"], "The older age can’t be below the younger one."),
                (
                    ["activity.0.end_date": "2027-03-26", "activity.0.end_time": "13:00"],
                    "It would end before it starts."
                ),
                (["activity.0.start_time": ""], "Give the time it starts."),
                (["activity.0.end_date": "2027-04-02"], "Choose an end on one of the days of the event."),
            ] as [([String: Filling], Words)] {
                let page = try await form.press("Preview", filling: show.merging(change) { $1 })
                #expect(page.status == 422 && page.problems == ["Puppet show: \(problem.plain)"], "\(page.problems)")
                #expect(page.value(of: "activity.0.name") == "Puppet show")
            }
            // Rows that were left empty are none.
            _ = try await form.press("Add an activity").press("Preview").press("Publish")
            #expect(try site.count(of: "activity") == 0 && site.count(of: "event") == 1)
        }
    }

    @Test func `two hundred rows come back whole, and one more is refused`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/events/new?audience=everyone").press("Preview", filling: fair)
                .form(with: "Publish")
            var pairs = form.pairs.filter { $0.name != "step" }
            for number in 0..<200 {
                pairs.append(("activity.\(number).name", "Show \(number)"))
                pairs.append(("activity.\(number).start_time", number % 2 == 0 ? "14:00" : "25:00"))
                pairs.append(("activity.\(number).info", String(repeating: "what one does ", count: 50)))
            }
            var page = try await ana.submit("/events/new", pairs + [("step", "publish")])
            #expect(page.status == 422 && page.problems.count == 100)
            #expect(page.value(of: "activity.199.name") == "Show 199")
            pairs = pairs.map { $0.name.hasSuffix("start_time") ? ($0.name, "14:00") : $0 }
            page = try await ana.submit(
                "/events/new",
                pairs + [("activity.200.name", "Too many"), ("activity.200.start_time", "14:00"), ("step", "publish")])
            #expect(page.problems == ["An event has at most 200 activities."])
            #expect(try site.count(of: "event") == 0)
            // Nor does a button of the row that is one too many do anything.
            for step in ["later.200", "earlier.200", "copy.200", "at.200.1"] {
                page = try await ana.submit("/events/new", pairs + [("activity.200.name", "One"), ("step", step)])
                #expect(page.status == 422 || page.status == 200, "\(step)")
            }
            page = try await ana.submit("/events/new", pairs + [("step", "publish")])
            #expect(try page.status == 303 && site.count(of: "activity") == 200)
        }
    }

    @Test func `a child who comes alone is said to be in, not the member`() async throws {
        try await withTestSite { site in
            let id = try await publish(site)
            for name in ["Mo", "Ida"] { try await site.child(name, of: .ana) }
            let ana = try await site.signIn(.ana, as: .parent)
            let one = try await ana.visit("/events/\(id)/activities/1").press(
                "Join", filling: ["person": ["child-1"]])
            #expect(one.flash == "Your child is in.")
            let both = try await ana.visit("/events/\(id)/activities/2").press(
                "Join", filling: ["person": ["child-1", "child-2"]])
            #expect(both.flash == "Your children are in.")
        }
    }

    @Test func `whoever joins an activity comes to its event, and leaves both with one press`() async throws {
        try await withTestSite { site in
            let id = try await publish(site)
            try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            var page = try await ana.visit("/events/\(id)/activities/1")
            #expect(page.text.contains("Craft tent") && page.text.contains("from 3 years · 10 places left"))
            page = try await page.press("Join", filling: ["person": ["me", "child-1"]])
            #expect(page.flash == "You are in." && page.text.contains("8 places left · 2 people are in"))
            #expect(try site.count(of: "event WHERE taken = 2") == 1)
            page = try await ana.visit("/week?from=2027-03-26")
            #expect(page.slots == ["Willow Street fair", "Puppet show"] && page.text.contains("Craft tent"))
            // Visitors without an account see how many, and no button.
            let visitor = site.browser()
            page = try await visitor.visit("/events/\(id)")
            #expect(page.text.contains("8 places left") && !page.text.contains("Mo"))
            page = try await ana.visit("/events/\(id)/activities/1").press(
                "Leave", filling: ["person": ["child-1"]])
            #expect(try page.text.contains("1 person is in") && site.count(of: "event WHERE taken = 2") == 1)
            // By mistake, it is taken back.
            #expect(page.text.contains("No longer going to “Puppet show”: Mo."))
            page = try await page.press("Undo: Mo")
            #expect(try page.path == "/events/\(id)" && site.count(of: "activity WHERE taken = 2") == 1)
            _ = try await ana.visit("/events/\(id)/activities/1").press("Leave", filling: ["person": ["child-1"]])
            // Leaving the event leaves its activities.
            page = try await ana.visit("/events/\(id)")
            #expect(page.text.contains("Leaving the event means leaving its activities, too."))
            _ = try await page.press("Leave", filling: ["person": ["me"]])
            #expect(try site.count(of: "activity WHERE taken = 0") == 2 && site.count(of: "attendance") == 0)
            #expect(try site.count(of: "event WHERE taken = 1") == 1)
            try expectRecount(site)
        }
    }

    @Test func `a parent without children joins from the programme with one press, and comes back there`() async throws
    {
        try await withTestSite { site in
            let id = try await publish(site)
            let dan = try await site.signIn(.family(1))
            let token = try await dan.visit("/me/settings").value(of: "csrf") ?? ""
            var page = try await dan.submit(
                "/events/\(id)/activities/1/join", [("csrf", token), ("day", "2027-03-26")])
            #expect(page.status == 303 && page.location == "/events/\(id)?day=2027-03-26#activity-1")
            page = try await dan.visit("/events/\(id)?day=2027-03-26")
            #expect(page.text.contains("Leave: Puppet show") && !page.text.contains("Sack race"))
            #expect(try await dan.visit("/events/\(id)?place=Main+stage").text.contains("Sack race"))
            #expect(
                try await dan.visit("/events/\(id)?age=2").text.contains("Nothing in the program matches that.")
                    == false)
        }
    }

    @Test func `an activity of other people’s children, ages, events and of none is refused`() async throws {
        try await withTestSite { site in
            let id = try await publish(site)
            let other = try await site.publish(by: .ben)
            try await site.child("Mo", of: .ana)
            try await site.child("Baby", of: .ana, year: 2026)
            let (ana, cleo) = (try await site.signIn(.ana, as: .parent), try await site.signIn(.cleo))
            func post(_ browser: Browser, _ path: String, _ person: String) async throws -> Page {
                let token = try await browser.visit("/me/settings").value(of: "csrf") ?? ""
                return try await browser.submit(path, [("csrf", token), ("person", person)])
            }
            #expect(try await post(cleo, "/events/\(id)/activities/1/join", "child-1").status == 404)
            #expect(try await post(cleo, "/events/\(other)/activities/1/join", "me").status == 404)
            #expect(try await post(cleo, "/events/\(id)/activities/99/join", "me").status == 404)
            #expect(try await post(cleo, "/events/\(id)/activities/1/join", "you").status == 400)
            let page = try await post(ana, "/events/\(id)/activities/1/join", "child-2")
            #expect(page.status == 422 && page.text.contains("It is for other ages. Nobody joined now."))
            #expect(try await cleo.visit("/events/\(other)/activities/1").status == 404)
            // What is for children up to an age isn't for those who bring them.
            try await site.execute("UPDATE activity SET age_to = 9 WHERE id = 1")
            #expect(try await post(cleo, "/events/\(id)/activities/1/join", "me").status == 422)
            #expect(try await cleo.visit("/events/\(id)/activities/1").text.contains("It is for other ages"))
            #expect(try site.count(of: "attendance") == 0 && site.count(of: "event WHERE taken > 0") == 0)
            // Over is over.
            site.clock.advance(by: .days(7) + .hours(6))
            #expect(try await post(cleo, "/events/\(id)/activities/1/join", "me").status == 422)
        }
    }

    @Test func `what moves or is called off is told to those who are in it, before and after`() async throws {
        try await withTestSite { site in
            let id = try await publish(site)
            let (dan, eve) = (try await site.signIn(.family(1)), try await site.signIn(.family(2)))
            _ = try await dan.visit("/events/\(id)/activities/1").press("Join")
            _ = try await eve.visit("/events/\(id)").press("Join")
            let ben = try await site.signIn(.ben, as: .provider)
            var form = try await ben.visit("/events/\(id)/edit")
            #expect(form.value(of: "activity.0.name") == "Puppet show")
            _ = try await form.press(
                "Preview", filling: ["activity.0.start_time": "15:00", "activity.0.end_time": "16:00"]
            )
            .press("Publish the change")
            var page = try await dan.visit("/inbox")
            #expect(page.text.contains("Puppet show: Friday, March 26, 2027, 2 PM to 3 PM, Craft tent"), "\(page.text)")
            #expect(page.text.contains("Puppet show: Friday, March 26, 2027, 3 PM to 4 PM, Craft tent"))
            #expect(try await !eve.visit("/inbox").text.contains("Puppet show"))
            #expect(try site.count(of: "attendance") == 1)
            // Nobody is in the race, which goes; the show is called off.
            form = try await ben.visit("/events/\(id)/edit").press("Remove Sack race").press("Remove Puppet show")
            _ = try await form.press("Preview").press("Publish the change")
            #expect(try site.count(of: "activity") == 1 && site.count(of: "activity WHERE cancelled_at > 0") == 1)
            page = try await dan.visit("/inbox")
            #expect(page.text.contains("Puppet show: called off"))
            #expect(try await dan.visit("/week?from=2027-03-26").text.contains("Called off"))
            #expect(try await dan.visit("/events/\(id)/activities/1").text.contains("It does not take place."))
        }
    }

    @Test func `who waits for an activity is told too when it moves, is called off, or the event is`() async throws {
        try await withTestSite { site in
            let id = try await publish(site, spots: 1)
            try await site.child("Mo", of: .ana)
            let (ana, dan) = (try await site.signIn(.ana, as: .parent), try await site.signIn(.family(1)))
            let eve = try await site.signIn(.family(2))
            _ = try await dan.visit("/events/\(id)/activities/1").press("Join")
            _ = try await ana.visit("/events/\(id)/activities/1").press(
                "Wait for a place", filling: ["person": ["child-1"]])
            // Nobody is in the race, and eve waits for it: the event had no room for her.
            try await site.execute("UPDATE activity SET spots = 1 WHERE id = 2")
            try await site.execute("UPDATE event SET spots = taken")
            let (account, now) = (try await site.account(of: .family(2)), site.clock.now)
            try await site.write(at: now) { tx in try Activity.wait([.me], of: account, for: ID(2), of: id, tx: tx) }
            try await site.execute("UPDATE account SET confirmed_at = 1")
            let ben = try await site.signIn(.ben, as: .provider)
            func change(_ form: Page, _ filling: [String: Filling] = [:]) async throws {
                _ = try await form.press("Preview", filling: filling).press("Publish the change")
            }
            try await change(try await ben.visit("/events/\(id)/edit"), ["activity.0.start_time": "14:30"])
            #expect(try await ana.visit("/inbox").text.contains("2:30 PM to 3 PM"))
            #expect(try await !eve.visit("/inbox").text.contains("2:30 PM"))
            try await change(try await ben.visit("/events/\(id)/edit").press("Remove Sack race"))
            #expect(try await eve.visit("/inbox").text.contains("Sack race: called off"))
            #expect(try site.count(of: "activity") == 1 && site.count(of: "activity_wait") == 1)
            // The event as a whole: also to her who only waits, and her link leads somewhere.
            _ = try await ben.visit("/events/\(id)/cancel").press("Cancel the event", filling: ["reason": "Storm"])
            let page = try await ana.visit("/inbox")
            #expect(page.text.contains("Canceled: Willow Street fair") && page.text.contains("Storm"))
            #expect(try site.count(of: "letter WHERE kind = 'cancelled'") == 2)
            let edit = try site.read { db in try db.value("SELECT max(edit_id) FROM change") as Int64? } ?? 0
            #expect(try await ana.visit("/changes/\(edit)").status == 200)
            #expect(try await !eve.visit("/inbox").text.contains("Canceled: "))
            #expect(try site.count(of: "activity_wait") == 0)
        }
    }

    @Test func `nobody stops waiting for an activity by the address of another event`() async throws {
        try await withTestSite { site in
            let id = try await publish(site, spots: 1)
            let other = try await site.publish(by: .ben)
            let (dan, eve) = (try await site.signIn(.family(1)), try await site.signIn(.family(2)))
            _ = try await dan.visit("/events/\(id)/activities/1").press("Join")
            let page = try await eve.visit("/events/\(id)/activities/1").press("Wait for a place")
            let form = [("csrf", page.value(of: "csrf") ?? ""), ("person", "me")]
            #expect(try await eve.submit("/events/\(other)/activities/1/unwait", form).status == 404)
            #expect(try site.count(of: "activity_wait") == 1)
            #expect(try await eve.submit("/events/\(id)/activities/1/unwait", form).status == 303)
            #expect(try site.count(of: "activity_wait") == 0)
        }
    }

    @Test func `who left an event comes back to it and to what was joined, as far as there is room`() async throws {
        try await withTestSite { site in
            let id = try await publish(site, spots: 2)
            try await site.child("Mo", of: .ana)
            let (ana, dan) = (try await site.signIn(.ana, as: .parent), try await site.signIn(.family(1)))
            _ = try await ana.visit("/events/\(id)/activities/1").press("Join", filling: ["person": ["me", "child-1"]])
            _ = try await ana.visit("/events/\(id)/activities/2").press("Join", filling: ["person": ["me"]])
            var page = try await ana.visit("/events/\(id)").press("Leave", filling: ["person": ["me", "child-1"]])
            #expect(
                page.path == "/events/\(id)"
                    && page.text.contains("No longer going to “Willow Street fair”: you and Mo."))
            #expect(try site.count(of: "attendance") == 0 && site.count(of: "event WHERE taken = 0") == 1)
            // It stands in the week too, and is nobody else's.
            #expect(try await ana.visit("/week").buttons.contains("Undo: you and Mo"))
            let token = try await dan.visit("/me/settings").value(of: "csrf") ?? ""
            #expect(try await dan.submit("/undo/1", [("csrf", token)]).status == 404)
            let back = try await page.press("Undo: you and Mo")
            #expect(back.flash == "Undone: it is as it was." && back.path == "/events/\(id)")
            #expect(try site.count(of: "attendance") == 3 && site.count(of: "event WHERE taken = 2") == 1)
            try expectRecount(site)
            #expect(try site.count(of: "undo WHERE label <> '' OR kept <> ''") == 0)
            // Meanwhile others have one of the two places.
            page = try await ana.visit("/events/\(id)").press("Leave", filling: ["person": ["me", "child-1"]])
            _ = try await dan.visit("/events/\(id)/activities/1").press("Join")
            page = try await page.press("Undo: you and Mo")
            #expect(page.flash?.contains("is full or called off by now") == true)
            #expect(try site.count(of: "activity WHERE id = 1 AND taken = 2") == 1)
            #expect(try site.count(of: "attendance WHERE activity_id = 2") == 1)
            try expectRecount(site)
            // A full event takes nobody back, and nothing changes.
            page = try await ana.visit("/events/\(id)").press("Leave", filling: ["person": ["me", "child-1"]])
            try await site.execute("UPDATE event SET spots = taken")
            let refused = try await page.press("Undo: you and Mo")
            #expect(refused.status == 409 && refused.text.contains("There are not enough places left."))
            #expect(try site.count(of: "event WHERE taken = 1") == 1)
            // After ten minutes it is gone.
            try await site.execute("UPDATE event SET spots = NULL")
            site.clock.advance(by: .minutes(11))
            #expect(try await page.press("Undo: you and Mo").status == 404)
            #expect(try await !ana.visit("/events/\(id)").buttons.contains { $0.hasPrefix("Undo") })
        }
    }

    @Test func `those who left don't come back without a child that was removed since`() async throws {
        try await withTestSite { site in
            let id = try await publish(site)
            try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/events/\(id)").press("Join", filling: ["person": ["me", "child-1"]])
            let page = try await ana.visit("/events/\(id)").press("Leave", filling: ["person": ["me", "child-1"]])
            _ = try await ana.visit("/me/children/1/edit").press("Remove")
            let refused = try await page.press("Undo: you and Mo")
            #expect(refused.status == 409 && refused.text.contains("The child is registered again already, or was"))
            #expect(try site.count(of: "event WHERE taken = 0") == 1)
        }
    }

    @Test func `who left and waited for an activity waits again`() async throws {
        try await withTestSite { site in
            let id = try await publish(site, spots: 1)
            let (dan, eve) = (try await site.signIn(.family(1)), try await site.signIn(.family(2)))
            _ = try await dan.visit("/events/\(id)/activities/1").press("Join")
            _ = try await eve.visit("/events/\(id)").press("Join")
            _ = try await eve.visit("/events/\(id)/activities/1").press("Wait for a place")
            let page = try await eve.visit("/events/\(id)").press("Leave")
            #expect(try site.count(of: "activity_wait") == 0)
            #expect(try await page.press("Undo: you").flash == "Undone: it is as it was.")
            #expect(try site.count(of: "activity_wait") == 1)
        }
    }

    @Test func `a programme moves with its event, and copies of it too`() async throws {
        try await withTestSite { site in
            let id = try await publish(site)
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(id)/edit").press(
                "Preview", filling: ["date": "2027-04-02", "end_date": "2027-04-04"]
            ).press("Publish the change")
            #expect(try site.count(of: "activity WHERE day = '2027-04-02'") == 1)
            #expect(try site.count(of: "activity WHERE day = '2027-04-03'") == 1)
            // By one day, so that each of them lies within the new days as it is.
            _ = try await ben.visit("/events/\(id)/edit").press(
                "Preview", filling: ["date": "2027-04-03", "end_date": "2027-04-05"]
            ).press("Publish the change")
            #expect(try site.count(of: "activity WHERE day IN ('2027-04-03', '2027-04-04')") == 2)
            try await site.write(at: site.clock.now) { tx in
                try Series.publish(try Event.find(id, in: tx)!, on: [Day(iso: "2027-10-29")!], in: tx)
            }
            #expect(try site.count(of: "activity WHERE day = '2027-10-30' AND start_minute = 660") == 1)
            #expect(try site.count(of: "activity") == 4)
        }
    }

    @Test func `where programs are switched off, an event is without one, and keeps it`() async throws {
        try await withTestSite { site in
            let id = try await publish(site)
            let dan = try await site.signIn(.family(1))
            _ = try await dan.visit("/events/\(id)/activities/1").press("Join")
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await mira.visit("/admin/modules").press(
                "Save",
                filling: ["module": .texts(Module.allCases.filter { $0 != .programs }.map(\.rawValue))])
            var page = try await dan.visit("/events/\(id)")
            #expect(!page.text.contains("Puppet show") && !page.text.contains("activities"))
            #expect(try await !dan.visit("/events/\(id)/mine.ics").string.contains("Puppet show"))
            page = try await page.press("Leave").press("Join")
            #expect(page.status == 200 && page.flash != nil)
            let ben = try await site.signIn(.ben, as: .provider)
            page = try await ben.visit("/events/\(id)/edit")
            #expect(!page.text.contains("Sack race"))
            page = try await page.press("Preview", filling: ["date": "2027-04-02", "end_date": "2027-04-04"])
            #expect(!page.text.contains("Sack race"))
            _ = try await page.press("Publish the change")
            #expect(try site.count(of: "activity WHERE day IN ('2027-04-02', '2027-04-03')") == 2)
        }
    }

    @Test func `who leaves from the week comes back to it, and the host finds each activity's list`() async throws {
        try await withTestSite { site in
            let id = try await publish(site)
            let dan = try await site.signIn(.family(1))
            _ = try await dan.visit("/events/\(id)/activities/1").press("Join")
            let ben = try await site.signIn(.ben, as: .provider)
            let roster = try await ben.visit("/events/\(id)/registrations")
            #expect(roster.text.contains("1 of 10"))
            #expect(roster.links.contains { $0.href == "/events/\(id)/activities/1/registrations" })
            let page = try await dan.visit("/week?from=2027-03-26")
            // The fair stands on each of its days.
            #expect(page.text.contains("goes on") && page.text.contains("to 6 PM"))
            let token = try #require(page.value(of: "csrf"))
            let week = "/week?from=2027-03-26"
            let left = try await dan.submit(
                "/events/\(id)/activities/1/leave", [("csrf", token), ("next", week)])
            #expect(left.status == 303 && left.location == week)
            #expect(try await dan.visit(week).flash != nil)
            #expect(try site.count(of: "attendance") == 0)
        }
    }

    @Test func `sixty who join and leave at once never are more than an activity has places`() async throws {
        try await withTestSite { site in
            let id = try await publish(site, spots: 20)
            var people: [ID<Account>] = []
            for number in 1...60 { people.append(try await site.account(of: .family(number))) }
            let now = site.clock.now
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, account) in people.enumerated() {
                    group.addTask {
                        for step in 0...(number % 3) {
                            do {
                                try await site.write(at: now) { tx in
                                    if step == 1 {
                                        try Activity.leave([], of: account, from: ID(1), of: id, tx: tx)
                                    } else {
                                        try Activity.join([.me], of: account, in: ID(1), of: id, tx: tx)
                                    }
                                }
                            } catch is Attendee.Refused {}
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try site.count(of: "activity WHERE id = 1 AND taken = 20") == 1)
            try expectRecount(site)
            // The twin: without the limit in the statement that counts, one more gets in.
            let account = try await site.account(of: .mira)
            await #expect(throws: Attendee.Refused.full) {
                try await site.write(at: now) { tx in try Activity.join([.me], of: account, in: ID(1), of: id, tx: tx) }
            }
            try await site.execute("UPDATE activity SET spots = NULL")
            try await site.write(at: now) { tx in try Activity.join([.me], of: account, in: ID(1), of: id, tx: tx) }
            #expect(try site.count(of: "activity WHERE taken = 21") == 1)
        }
    }

    @Test func `an activity is an entry of its own in calendars`() async throws {
        try await withTestSite { site in
            let id = try await publish(site)
            let visitor = site.browser()
            let file = try await visitor.visit("/events/\(id)/activities/1.ics").string
            #expect(
                file.contains("UID:activity-1@") && file.contains("DTSTART;TZID=America/Los_Angeles:20270326T140000"))
            #expect(file.contains("SUMMARY:Puppet show (Willow Street fair)"))
            #expect(try await visitor.visit("/events/\(id)/activities/9.ics").status == 404)
        }
    }

    @Test func `the sheet of a program leads to its page, and lists what takes place in the same columns`() async throws
    {
        try await withTestSite { site in
            let id = try await publish(site)
            let visitor = site.browser()
            let sheet = try await visitor.visit("/events/\(id)/programme")
            #expect(sheet.heading == "Willow Street fair" && sheet.text.contains("localhost:8080/events/\(id)"))
            let code = QRCode("http://localhost:8080/events/\(id)")?.path
            #expect(code != nil && sheet.html.all("path").contains { $0["d"] == code })
            let columns = ["Time", "What", "Where", "Who"]
            #expect(sheet.html.all("th").map(\.text) == columns + columns)
            #expect(sheet.text.contains("Puppet show") && sheet.text.contains("Sack race"))
            // A day on which all is called off has no table, and where nothing has a place of its own no column has.
            try await site.execute("UPDATE activity SET cancelled_at = 1 WHERE id = 2")
            try await site.execute("UPDATE activity SET place = ''")
            let less = try await visitor.visit("/events/\(id)/programme")
            #expect(less.html.all("th").map(\.text) == ["Time", "What", "Who"] && !less.text.contains("Sack race"))
        }
    }

    @Test func `the whole program is a calendar, each activity an entry of its own`() async throws {
        try await withTestSite { site in
            let id = try await publish(site)
            let visitor = site.browser()
            let page = try await visitor.visit("/events/\(id)")
            #expect(page.link("All of it for the calendar") == "/events/\(id)/programme.ics")
            let file = try await visitor.visit("/events/\(id)/programme.ics").string
            #expect(file.split(separator: "\r\n").filter { $0 == "BEGIN:VEVENT" }.count == 3)
            for uid in ["event-\(id)", "activity-1", "activity-2"] { #expect(file.contains("UID:\(uid)@")) }
            #expect(!file.contains("VALARM"))
            let kids = try await site.publish(by: .ben)
            #expect(try await visitor.visit("/events/\(kids)/programme.ics").status == 404)
            try await site.execute("UPDATE event SET hidden_at = 1, listed = FALSE WHERE id = \(id)")
            #expect(try await visitor.visit("/events/\(id)/programme.ics").status == 404)
        }
    }

    @Test(arguments: [
        // Clocks go forward and back in the night of the activity, north and south of the equator; and both far ends.
        ("America/Los_Angeles", "2028-03-12", 2.5, "5:30 PM to 8 PM"),
        ("America/Los_Angeles", "2027-11-07", 4.5, "4:30 PM to 9 PM"),
        ("Europe/Berlin", "2027-03-28", 2.5, "8:30 AM to 11 AM"),
        ("Europe/Berlin", "2027-10-31", 4.5, "7:30 AM to 12 PM"),
        ("Australia/Sydney", "2027-04-04", 4.5, "Saturday, April 3, 10:30 PM to 3 AM the next day"),
        ("Australia/Sydney", "2027-10-03", 2.5, "Saturday, October 2, 11:30 PM to 2 AM the next day"),
        ("Pacific/Kiritimati", "2027-03-28", 3.5, "Saturday, March 27, 7:30 PM to 11 PM"),
        ("Pacific/Pago_Pago", "2027-03-28", 3.5, "8:30 PM to 12 AM the next day"),
    ])
    func `an activity in the night of the clocks is told by the venue’s, with the visitor’s in Tokyo beside`(
        zone: String, day: String, hours: Double, inTokyo: String
    ) async throws {
        try await withTestSite(zone: zone) { site in
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/new?audience=everyone").press(
                "Add an activity",
                filling: [
                    "title": "Night of owls", "description": "We listen to the night.", "date": .text(day),
                    "start_time": "0:15", "end_time": "6:00", "city": "San Jose", "zip": "95113", "state": "CA",
                    "country": "US", "place_name": "The wood",
                ]
            ).press(
                "Preview",
                filling: [
                    "activity.0.name": "Owl walk", "activity.0.start_time": "0:30", "activity.0.end_time": "4:00",
                ]
            ).press("Publish")
            #expect(try site.count(of: "activity WHERE ends_at - starts_at = \(Int64(hours * 3_600_000))") == 1)
            let dan = try await site.signIn(.family(1))
            try await site.execute("UPDATE account SET zone = 'Asia/Tokyo' WHERE username = 'family-1'")
            let path = "/events/1/activities/1"
            for page in [try await dan.visit(path).press("Join"), try await dan.visit("/events/1")] {
                #expect(page.text.contains("12:30 AM"), "\(page.text)")
                #expect(page.text.contains("\(inTokyo) by your clock"), "\(page.text)")
            }
            #expect(try await site.browser().visit(path).text.contains("12:30 AM to 4 AM"))
            #expect(try await !site.browser().visit(path).text.contains("by your clock"))
            let week = try await dan.visit("/week?from=\(day)")
            #expect(week.slots.contains("Owl walk") && week.text.contains("\(inTokyo) by your clock"))
            let date = day.replacing("-", with: "")
            for file in ["\(path).ics", "/events/1/programme.ics", "/events/1/mine.ics"] {
                let file = try await dan.visit(file).string
                #expect(file.contains("DTSTART;TZID=\(zone):\(date)T003000"))
                #expect(file.contains("DTEND;TZID=\(zone):\(date)T040000"))
            }
        }
    }

    @Test func `a deleted event comes back with its programme`() async throws {
        try await withTestSite { site in
            let id = try await publish(site)
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/events/\(id)/edit").press("Delete the event")
            #expect(try site.count(of: "activity") == 0)
            _ = try await page.press("Undo: Willow Street fair")
            #expect(try site.count(of: "activity WHERE name = 'Puppet show' AND spots = 10") == 1)
        }
    }

    @Test func `whoever waits longest for a full activity has the place that becomes free, and is told`() async throws {
        try await withTestSite { site in
            let id = try await publish(site, spots: 1)
            let path = "/events/\(id)/activities/1"
            try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            let (dan, eve) = (try await site.signIn(.family(1)), try await site.signIn(.family(2)))
            _ = try await dan.visit(path).press("Join")
            var page = try await eve.visit(path).press("Wait for a place")
            #expect(page.flash?.hasPrefix("You are on the list.") == true)
            #expect(page.text.contains("You: on the waiting list") && !page.buttons.contains("Wait for a place"))
            // Twice is once; a parent waits for a child.
            let token = page.value(of: "csrf") ?? ""
            _ = try await eve.submit("\(path)/wait", [("csrf", token), ("person", "me")])
            page = try await ana.visit(path).press("Wait for a place", filling: ["person": ["child-1"]])
            #expect(try page.text.contains("Mo: on the waiting list") && site.count(of: "activity_wait") == 2)
            #expect(try await !dan.visit(path).text.contains("waiting list"))
            #expect(try await eve.submit("\(path)/wait", [("csrf", token), ("person", "child-1")]).status == 404)
            _ = try await dan.visit(path).press("Leave")
            #expect(try await eve.visit(path).text.contains("You: going"))
            page = try await eve.visit("/inbox")
            #expect(page.text.contains("The place is yours: Puppet show") && page.text.contains("2 PM to 3 PM"))
            #expect(try await !ana.visit("/inbox").text.contains("Puppet show"))
            #expect(try site.count(of: "activity_wait") == 1)
            // Leaving the event gives the place back too; it goes to the next at once.
            _ = try await eve.visit("/events/\(id)").press("Leave")
            let now = site.clock.now
            #expect(try await ana.visit(path).text.contains("Mo: going"))
            // Those who no longer wait get nothing.
            _ = try await dan.visit(path).press("Wait for a place")
            page = try await dan.visit(path).press("No longer wait")
            #expect(page.text.contains("No longer waiting for “Puppet show”"))
            // A line about what is there again would mislead.
            page = try await page.press("Wait for a place")
            #expect(!page.text.contains("No longer waiting for"))
            _ = try await page.press("No longer wait")
            #expect(try site.count(of: "activity_wait") == 0)
            _ = try await ana.visit(path).press("Mo doesn’t come")
            #expect(try site.count(of: "attendance") == 0)
            try expectRecount(site)
            // What is called off, nobody waits for.
            _ = try await dan.visit(path).press("Join")
            _ = try await eve.visit(path).press("Wait for a place")
            try await site.execute("UPDATE activity SET cancelled_at = 1 WHERE id = 1")
            try await site.write(at: now) { tx in _ = try Registration.tidyWaiting(in: tx) }
            #expect(try site.count(of: "activity_wait") == 0)
        }
    }

    /// Lets accounts that are no children wait for the puppet show, in this order.
    private func wait(_ accounts: [ID<Account>], at id: ID<Event>, _ site: TestSite) async throws {
        let now = site.clock.now
        for account in accounts {
            try await site.write(at: now) { tx in try Activity.wait([.me], of: account, for: ID(1), of: id, tx: tx) }
        }
    }

    @Test func `a place that leaving the event frees goes to who waits, not to a passer-by`() async throws {
        try await withTestSite { site in
            let id = try await publish(site, spots: 1)
            let now = site.clock.now
            let (dan, eve) = (try await site.account(of: .family(1)), try await site.account(of: .family(2)))
            let (ida, stranger) = (try await site.account(of: .family(3)), try await site.account(of: .family(4)))
            func join(_ account: ID<Account>) async throws {
                try await site.write(at: now) { tx in try Activity.join([.me], of: account, in: ID(1), of: id, tx: tx) }
            }
            try await join(dan)
            try await wait([eve, ida], at: id, site)
            try await site.write(at: now) { tx in try Attendee.leave([.me], of: dan, at: id, in: tx) }
            await #expect(throws: Attendee.Refused.full) { try await join(stranger) }
            #expect(try site.count(of: "activity_wait WHERE account_id = \(ida)") == 1)
            #expect(try site.count(of: "activity_wait") == 1)
            // More places go to those who wait, and so does what became free in any other way.
            try await site.write(at: now) { tx in
                try tx.execute("UPDATE activity SET spots = 2")
                try Event.update(try Event.find(id, in: tx)!, in: tx)
            }
            #expect(try site.count(of: "activity_wait") == 0 && site.count(of: "attendance") == 2)
            try await wait([dan], at: id, site)
            try await site.execute("UPDATE activity SET spots = 3")
            await #expect(throws: Attendee.Refused.full) { try await join(stranger) }
            try await site.write(at: now) { tx in _ = try Registration.tidyWaiting(in: tx) }
            #expect(try site.count(of: "activity_wait") == 0 && site.count(of: "attendance") == 3)
            try expectRecount(site)
            // The twin: where nobody looks who waits, the stranger has it.
            try await wait([try await site.account(of: .mira)], at: id, site)
            try await site.execute("UPDATE activity SET spots = 4")
            try await site.write(at: now) { tx in try Activity.enter([.me], of: stranger, in: ID(1), of: id, tx: tx) }
            #expect(try site.count(of: "activity_wait") == 1 && site.count(of: "attendance") == 4)
        }
    }

    @Test func `while an event is hidden all wait on, and a full one is left alone`() async throws {
        try await withTestSite { site in
            let id = try await publish(site, spots: 1)
            let now = site.clock.now
            let (dan, eve) = (try await site.account(of: .family(1)), try await site.account(of: .family(2)))
            func tidy() async throws -> Int {
                try await site.write(at: now) { tx in try Registration.tidyWaiting(in: tx) }
            }
            try await site.write(at: now) { tx in try Activity.join([.me], of: dan, in: ID(1), of: id, tx: tx) }
            try await wait([eve], at: id, site)
            try await site.execute("UPDATE activity SET spots = 2")
            try await site.execute("UPDATE event SET hidden_at = 1, listed = FALSE")
            #expect(try await tidy() == 0)
            #expect(try site.count(of: "activity_wait") == 1)
            // Full, with room in the activity: eve isn't at the event.
            try await site.execute("UPDATE event SET hidden_at = NULL, listed = TRUE, spots = taken")
            #expect(try await tidy() == 0)
            let due = try site.read(at: now) { tx in try Activity.eventsToPassOn(in: tx) }
            #expect(due.isEmpty)
            try await site.execute("UPDATE event SET spots = NULL")
            // Switched off, it rests.
            try await site.write { db in try Opening(off: [.programs]).save(in: db) }
            #expect(try await tidy() == 0)
            try await site.write { db in try Opening().save(in: db) }
            #expect(try await tidy() == 1)
            #expect(try site.count(of: "activity_wait") == 0)
            #expect(try await tidy() == 0)
        }
    }

    @Test func `who gives back a whole event waits for nothing there, and isn't registered anew`() async throws {
        try await withTestSite { site in
            let id = try await publish(site, spots: 1)
            let now = site.clock.now
            let mo = try await site.child("Mo", of: .ana)
            let (ana, dan) = (try await site.account(of: .ana), try await site.account(of: .family(1)))
            try await site.write(at: now) { tx in
                try Activity.join([.me], of: dan, in: ID(1), of: id, tx: tx)
                try Attendee.join([.me], of: ana, at: id, in: tx)
                try Activity.wait([.me, .child(mo)], of: ana, for: ID(1), of: id, tx: tx)
                let party = try Attendee.present(of: ana, at: id, in: tx)[.me]!.party
                // As the letter of a reminder does.
                try Registration.giveBack(party, children: [], of: ana, in: tx)
            }
            #expect(try site.count(of: "activity_wait") == 0)
            try await site.write(at: now) { tx in
                try Activity.leave([.me], of: dan, from: ID(1), of: id, tx: tx)
                _ = try Registration.tidyWaiting(in: tx)
            }
            #expect(try site.count(of: "attendance") == 0)
            #expect(try site.count(of: "registration_person WHERE cancelled_at IS NULL") == 1)
            try expectRecount(site)
        }
    }

    @Test func `calendars say nothing of a program that is switched off`() async throws {
        try await withTestSite { site in
            let id = try await publish(site)
            let now = site.clock.now
            let dan = try await site.account(of: .family(1))
            func titles(_ opening: Opening) throws -> [String] {
                try site.read { db in
                    try EventCalendar.Entry.all(
                        of: dan, .account, from: now, opening, in: .utc, language: Language(nil, country: "US"), db: db
                    ).map(\.event.title)
                }
            }
            try await site.write(at: now) { tx in try Activity.join([.me], of: dan, in: ID(1), of: id, tx: tx) }
            #expect(try titles(Opening()).count == 2)
            #expect(try titles(Opening(off: [.programs])) == ["Willow Street fair"])
        }
    }

    @Test func `the organization ticks in who comes to an activity, and nobody else sees who`() async throws {
        try await withTestSite { site in
            let id = try await publish(site)
            let path = "/events/\(id)/activities/1"
            try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            let eve = try await site.signIn(.family(2))
            _ = try await ana.visit(path).press("Join", filling: ["person": ["child-1"]])
            _ = try await eve.visit("/events/\(id)").press("Join")
            let ben = try await site.signIn(.ben, as: .provider)
            var page = try await ben.visit(path).follow("Who comes")
            #expect(page.text.contains("Mo") && page.text.contains("Ana Ortiz") && !page.text.contains("family-2"))
            page = try await page.press("Here: Mo")
            #expect(page.text.contains("1 came") && page.buttons.contains("Undo: Mo"))
            page = try await page.press("Undo: Mo")
            #expect(!page.text.contains("1 came"))
            let sheet = try await ben.visit("\(path)/registrations?as=csv")
            #expect(sheet["Content-Type"]?.hasPrefix("text/csv") == true && sheet.string.contains("\"Mo\""))
            #expect(try site.count(of: "roster_view WHERE kind = 'csv'") == 1)
            for other in [ana, eve, try await site.signIn(.cleo, as: .provider)] {
                #expect(try await other.visit("\(path)/registrations").status == 404)
                #expect(try await !other.visit(path).links.contains { $0.text == "Who comes" })
            }
        }
    }

    @Test func `activities stand on one map by the numbers of their places`() async throws {
        try await withTestSite { site in
            let id = try await publish(site)
            let ben = try await site.signIn(.ben, as: .provider)
            var page = try await ben.visit("/events/\(id)/edit").press(
                "Preview", filling: ["activity.0.pin": "37.3352 west"])
            #expect(page.status == 422 && page.problems.first?.contains("Write it like 37.3352") == true)
            page = try await page.press("Preview", filling: ["activity.0.pin": "37.33521, -121.88112"])
            _ = try await page.press("Publish the change")
            let visitor = site.browser()
            page = try await visitor.visit("/events/\(id)")
            let marks = page.html.all(ofClass: "map-mark").filter { $0.text.contains("1: Craft tent") }
            #expect(marks.count == 1 && marks.first?["href"]?.contains("place=Craft") == true)
            page = try await visitor.visit("/events/\(id)/activities/1")
            #expect(page.link("Directions")?.contains("to=37.33521") == true)
            let file = try await visitor.visit("/events/\(id)/activities/1.ics")
            #expect(file.string.contains("GEO:37.33521;-121.88112"))
        }
    }

    @Test func `people racing for an activity, leaving and joining again, never are more than its places`() async throws
    {
        let isLong = ProcessInfo.processInfo.environment["VILLAGE_LONG"] != nil
        let (people, places) = isLong ? (1_000, 100) : (40, 8)
        try await withTestSite { site in
            let id = try await publish(site, spots: places)
            var gathered: [(browser: Browser, token: String)] = []
            for number in 1...people {
                let browser = try await site.signIn(.family(number))
                gathered.append((browser, try await browser.visit("/me/settings").value(of: "csrf") ?? ""))
            }
            let racers = gathered
            let path = "/events/\(id)/activities/1"
            try await withThrowingTaskGroup { group in
                // Forty at once: one address has no more connections than that to spare.
                for lane in 0..<40 {
                    group.addTask {
                        let mine = racers.enumerated().filter { $0.offset % 40 == lane }
                        for turn in 0...6 {
                            for (number, racer) in mine {
                                let way = turn < 6 && (number + turn) % 3 == 2 ? "leave" : "join"
                                let page = try await racer.browser.submit(
                                    "\(path)/\(way)", [("csrf", racer.token), ("person", "me")])
                                #expect([303, 422].contains(page.status))
                                #expect(try site.count(of: "activity WHERE taken > \(places)") == 0)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try expectRecount(site)
            #expect(try site.count(of: "attendance WHERE activity_id = 1") == places)
            let ben = try await site.signIn(.ben, as: .provider)
            let (page, roster) = (try await ben.visit(path), try await ben.visit("\(path)/registrations"))
            let csv = try await ben.visit("\(path)/registrations?as=csv").string
            #expect(page.text.contains("full · \(places) people are in"))
            #expect(roster.html.all("tr").filter { $0.first("td") != nil }.count == places)
            #expect(csv.split(separator: "\r\n").count == places + 1)
        }
    }

    @Test func `whoever looks first and joins afterwards oversells an activity`() async throws {
        try await withTestSite { site in
            let id = try await publish(site, spots: 2)
            for number in 1...5 {
                _ = try await site.signIn(.family(number)).visit("/events/\(id)").press("Join")
            }
            // Five look, each finds room, and then each is let in.
            let seen = try (0..<5).map { _ in
                try site.read { db in try db.value("SELECT spots - taken FROM activity WHERE id = 1") ?? 0 }
            }
            for (person, left) in zip(1...5, seen) where left > 0 {
                try await site.execute("UPDATE activity SET taken = \(2 - left + 1) WHERE id = 1")
                try await site.execute("INSERT INTO attendance (activity_id, person_id) VALUES (1, \(person))")
            }
            #expect(try site.count(of: "attendance WHERE activity_id = 1") > 2)
        }
    }

    /// What stands in the row is what there is.
    private func expectRecount(_ site: TestSite) throws {
        #expect(
            try site.count(
                of: """
                    activity WHERE taken <> (SELECT count(*) FROM attendance
                        JOIN registration_person ON registration_person.id = attendance.person_id
                        WHERE attendance.activity_id = activity.id AND registration_person.cancelled_at IS NULL)
                    """) == 0)
    }
}
