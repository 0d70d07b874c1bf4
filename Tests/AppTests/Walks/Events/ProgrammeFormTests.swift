import Database
import Forms
import Testing

@testable import App

/// The form that announces an event: places one can choose again, and rows that are moved in time.
@Suite struct ProgrammeFormTests {
    private let fair: [String: Filling] = [
        "title": "Willow Street fair", "description": "Stalls, music and a long table for everybody.",
        "date": "2027-03-26", "start_time": "10:00", "end_date": "2027-03-28", "end_time": "18:00",
    ]

    /// Ana's earlier event, at a field with a pin of its own, with a show in a tent.
    @discardableResult
    private func publish(_ site: TestSite, by person: Person = .ana, at place: String = "Willow field") async throws
        -> ID<Event>
    {
        let id = try await site.publish(by: person) { form in
            form.audience = .everyone
            form.placeName = place
            form.street = "180 Park Ave"
            form.latitude = "37.33521"
            form.longitude = "-121.88112"
            form.spots = nil
        }
        let (zone, now) = (site.site.settings.zone, site.clock.now)
        try await site.write(at: now) { tx in
            var show = ActivityForm()
            show.name = "Puppet show"
            show.startTime = TimeOfDay(hour: 16, minute: 0)!
            show.place = "Craft tent"
            show.pin = "37.33111, -121.88222"
            let day = try Event.find(id, in: tx)!.day
            try Activity.save([show.activity(from: day, in: zone)], of: id, in: tx)
        }
        return id
    }

    @Test func `a place used before is chosen again with one press, and nothing typed is lost`() async throws {
        try await withTestSite { site in
            try await publish(site)
            try await publish(site, by: .ben, at: "Ben’s barn")
            let ana = try await site.signIn(.ana, as: .parent)
            var page = try await ana.visit("/events/new?audience=everyone")
            let label = "Willow field, 180 Park Ave, San Jose, CA 95113"
            #expect(page.buttons.contains(label) && !page.buttons.contains { $0.contains("Ben’s barn") })
            page = try await page.press(label, filling: fair)
            #expect(page.status == 200 && page.problems.isEmpty && page.value(of: "title") == "Willow Street fair")
            #expect(page.value(of: "place_name") == "Willow field" && page.value(of: "address") == "180 Park Ave")
            #expect(page.value(of: "city") == "San Jose" && page.value(of: "zip") == "95113")
            #expect(page.value(of: "lat") == "37.33521" && page.value(of: "lon") == "-121.88112")
            page = try await page.press("Preview").press("Publish")
            #expect(page.redirects.first?.hasSuffix("/published") == true)
            #expect(try site.count(of: "event WHERE place_name = 'Willow field' AND point_id IS NOT NULL") == 2)
            // It is one place, however often it was used.
            page = try await ana.visit("/events/new?audience=everyone")
            #expect(page.buttons.filter { $0 == label }.count == 1)
        }
    }

    @Test func `what was used before comes first, then what the gazetteer knows`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            try await publish(site)
            let ana = try await site.signIn(.ana, as: .parent)
            var page = try await ana.visit("/events/new?audience=everyone").press("Find", filling: ["find": "san jo"])
            let found = page.buttons.filter { $0.contains("San Jos") }
            #expect(found.first == "Willow field, 180 Park Ave, San Jose, CA 95113" && found.count > 1, "\(found)")
            #expect(page.value(of: "find") == "san jo" && page.problems.isEmpty)
            // Enter without a script presses the first button, which is another.
            let entered = try await ana.visit("/events/new?audience=everyone")
                .press("Preview", filling: ["find": "san jo"])
            #expect(entered.status == 200 && entered.buttons.contains(found[1]) && entered.problems.isEmpty)
            page = try await page.press(found[1], filling: ["place_name": "By the fountain", "lat": "1", "lon": "2"])
            // A town says nothing of the street, and no pin stays behind.
            #expect(page.value(of: "place_name") == "By the fountain" && page.value(of: "city") == "San Jose")
            #expect(page.value(of: "state") == "CA" && page.value(of: "lat") == "")
            page = try await page.press("Find", filling: ["find": "Nowhere at all"])
            #expect(page.text.contains("No place of that name is known."))
            // Others' places, and numbers of nothing, fill in nothing.
            let other = try await publish(site, by: .ben, at: "Ben’s barn")
            for step in ["venue.\(other)", "venue.999", "venue.x", "town.", "town.Nowhere at all"] {
                let pairs = try page.form(with: "Find").pairs.filter { $0.name != "step" }
                let page = try await ana.submit("/events/new", pairs + [("step", step)])
                #expect(page.status == 200 && page.value(of: "place_name") == "By the fountain", "\(step)")
            }
        }
    }

    @Test func `an activity takes a place of this programme or an earlier one, with its point`() async throws {
        try await withTestSite { site in
            try await publish(site)
            let ana = try await site.signIn(.ana, as: .parent)
            var page = try await ana.visit("/events/new?audience=everyone").press("Add an activity", filling: fair)
            // Pressed twice it gives two, though nothing is typed yet; what stays empty isn't published.
            page = try await page.press("Add an activity")
            #expect(page.value(of: "activity.1.name") == "")
            page = try await page.press("Remove activity 2")
            #expect(page.value(of: "activity.1.name") == nil)
            page = try await page.press("Craft tent")
            #expect(page.value(of: "activity.0.place") == "Craft tent")
            #expect(page.value(of: "activity.0.pin") == "37.33111, -121.88222")
            page = try await page.press(
                "Add an activity",
                filling: ["activity.0.name": "Egg race", "activity.0.start_time": "14:00", "activity.0.place": "Lawn"])
            // The row that has a place is asked nothing; the new one knows both.
            #expect(page.buttons.filter { $0 == "Lawn" || $0 == "Craft tent" } == ["Lawn", "Craft tent"])
            page = try await page.press("Lawn")
            #expect(page.value(of: "activity.1.place") == "Lawn" && page.value(of: "activity.0.name") == "Egg race")
        }
    }

    @Test func `a row is moved in time by buttons, past midnight too`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            var page = try await ana.visit("/events/new?audience=everyone").press("Add an activity", filling: fair)
            page = try await page.press(
                "15 min later activity 1",
                filling: [
                    "activity.0.name": "Fire show", "activity.0.start_time": "23:45", "activity.0.end_time": "0:30",
                ])
            #expect(page.value(of: "activity.0.start_time") == "00:00")
            #expect(page.value(of: "activity.0.start_date") == "2027-03-27")
            #expect(page.value(of: "activity.0.end_time") == "00:45")
            page = try await page.press("15 min earlier Fire show")
            #expect(
                page.value(of: "activity.0.start_time") == "23:45" && page.value(of: "activity.0.end_time") == "00:30")
            #expect(page.value(of: "activity.0.start_date") == "")
            // What is no time stays as it was typed.
            page = try await page.press("15 min earlier Fire show", filling: ["activity.0.start_time": "25:00"])
            #expect(page.value(of: "activity.0.start_time") == "25:00" && page.problems.isEmpty)
        }
    }

    @Test func `minutes move a time on the clock, and say how many days that is`() {
        let time = TimeOfDay(hour: 0, minute: 10)!
        #expect(time.moved(by: -15).time.iso == "23:55" && time.moved(by: -15).days == -1)
        #expect(time.moved(by: 1_440).time == time && time.moved(by: 1_440).days == 1)
        #expect(time.moved(by: -10).time == .midnight && time.moved(by: -10).days == 0)
        #expect(time.moved(by: -1_450).time == .midnight && time.moved(by: -1_450).days == -1)
    }
}
