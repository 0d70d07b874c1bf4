import Database
import Forms
import Testing

@testable import App

extension TestSite {
    /// A way to help, published by this person: a shift of 12 on Saturday, 27 March, 11:00 to 14:00, unless changed.
    @discardableResult
    func ask(by person: Person, _ change: (inout OpportunityForm) -> Void = { _ in }) async throws -> ID<Opportunity> {
        try await provider(of: person)
        let account = try await account(of: person)
        var form = OpportunityForm()
        form.kind = .volunteer
        form.title = "Serve Saturday lunch"
        form.description = "You carry plates and sit down with whoever would like company."
        form.rhythm = .shifts
        form.shifts[0] = OpportunityForm.ShiftRow(
            date: Day(iso: "2027-03-27"), start: TimeOfDay(hour: 11, minute: 0), end: TimeOfDay(hour: 14, minute: 0),
            spots: 12)
        form.street = "180 Park Ave"
        form.city = "San Jose"
        form.state = "CA"
        form.zip = "95113"
        form.country = "US"
        change(&form)
        let (zone, currency, now, filled) = (site.settings.zone, site.currency, clock.now, form)
        let once = Submission<OpportunityForm>().once
        return try await site.write(at: now) { tx in
            let opportunity = try filled.opportunity(
                by: try Event.host(account, in: tx)!, zone: zone, currency: currency, now: tx.now
            ).located(in: tx)
            guard
                case .new(let id) = try Opportunity.publish(
                    opportunity, filled.drawnShifts(in: zone), filled.drawnThings, once: once, in: tx)
            else { throw Refusal.malformed }
            return id
        }
    }
}

/// Organizations ask for help, and neighbors find it.
@Suite struct OpportunitiesTests {
    private static let lunch: [String: Filling] = [
        "title": "Serve lunch", "description": "You carry plates and pour coffee.",
        "conditions": "Flu shot\nClosed shoes",
        "shift.0.date": "2027-03-27", "shift.0.start_time": "11:00", "shift.0.end_time": "14:00", "shift.0.spots": "8",
        "age_from": "14", "tags": "health, cooking",
    ]

    @Test func `at most so many hours are those of a shift, or of a week`() async throws {
        try await withTestSite { site in
            try await site.ask(by: .ben) { $0.title = "Three hours" }
            try await site.ask(by: .ben) {
                $0.title = "One hour"
                $0.shifts[0].end = TimeOfDay(hour: 12, minute: 0)
            }
            for (title, rhythm, hours) in [
                ("Two a week", Opportunity.Rhythm.regular, 2), ("Unsaid", .regular, nil), ("Any time", .whenever, nil),
            ] {
                try await site.ask(by: .ben) {
                    $0.title = title
                    $0.rhythm = rhythm
                    $0.hours = hours
                    $0.shifts[0] = .init()
                }
            }
            func found(_ query: String) async throws -> [String] {
                try await site.browser().visit("/opportunities?\(query)").html.all("h3").map(\.text).sorted()
            }
            #expect(try await found("hours=1") == ["Any time", "One hour"])
            #expect(try await found("hours=2") == ["Any time", "One hour", "Two a week"])
            #expect(try await found("hours=3") == ["Any time", "One hour", "Three hours", "Two a week"])
            // The shift that is short enough must be on one of the days.
            #expect(try await found("hours=1&from=2027-03-28") == ["Any time"])
        }
    }

    @Test func `where the next shift is full, the lists say the next one with room`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben) { form in
                form.shifts[1] = form.shifts[0]
                form.shifts[1].start = TimeOfDay(hour: 15, minute: 0)
                form.shifts[1].end = TimeOfDay(hour: 17, minute: 0)
            }
            let visitor = site.browser()
            #expect(try await visitor.visit("/opportunities").text.contains("Next on Sat, Mar 27, 11 AM to 2 PM"))
            try await site.execute("UPDATE shift SET taken = spots WHERE opportunity_id = \(id) AND id = 1")
            var list = try await visitor.visit("/opportunities")
            #expect(list.text.contains("Next on Sat, Mar 27, 3 PM to 5 PM"))
            #expect(list.text.contains("12 of 12 places left"))
            // It is suggested, too.
            let ana = try await site.signIn(.ana)
            #expect(try await ana.visit("/opportunities/suggested").text.contains("Serve Saturday lunch"))
            try await site.execute("UPDATE shift SET taken = spots WHERE opportunity_id = \(id)")
            list = try await visitor.visit("/opportunities")
            #expect(list.text.contains("Next on Sat, Mar 27, 11 AM to 2 PM") && list.text.contains("Full"))
        }
    }

    @Test func `a member without a family finds what is near by their own place, or by any`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            try await site.ask(by: .ben) { $0.title = "Close by" }
            try await site.ask(by: .ben) {
                $0.title = "In the city"
                $0.city = "San Francisco"
                $0.zip = ""
            }
            let ana = try await site.signIn(.ana)
            // Nothing is known: the newest, and how to have more of it.
            var page = try await ana.visit("/opportunities/suggested")
            #expect(page.text.contains("In the city") && page.text.contains("Add your town"))
            page = try await ana.visit("/opportunities/suggested?near=95112")
            #expect(page.text.contains("Close by") && !page.text.contains("In the city"))
            _ = try await ana.visit("/me/profile").press("Save", filling: ["town": "San Jose"])
            page = try await ana.visit("/opportunities/suggested")
            #expect(page.text.contains("Close by") && page.text.contains("from your town"))
            #expect(!page.text.contains("In the city"))
            #expect(try await ana.visit("/opportunities").text.contains("Ways to help, close to you"))
            let events = try await ana.visit("/events")
            #expect(events.links.contains { $0.text == "Near me" && $0.href.contains("near=San") }, "\(events.links)")
            // The town of the pets serves as well.
            try await site.execute("UPDATE person SET town = ''")
            try await PlaydatesTests.pet("Clover", of: .ana, in: site)
            #expect(try await ana.visit("/opportunities/suggested").text.contains("Close by"))
        }
    }

    @Test func `where a device is found is a place like any other`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            try await site.ask(by: .ben) { $0.title = "Close by" }
            try await site.publish(by: .ben)
            for path in ["/opportunities", "/events", "/needs", "/events/map", "/opportunities/map"] {
                let page = try await site.browser().visit("\(path)?near=37.34,+-121.89")
                #expect(page.text.contains("ithin 10 mi of a point near San Jose, CA"), "\(path)")
                // Numbers say nothing to people: they stay in the address.
                #expect(!page.text.contains("37.34"), "\(path)")
                #expect(page["Permissions-Policy"]?.contains("geolocation=(self)") == true)
            }
            #expect(try await site.browser().visit("/opportunities?near=37.34,+-121.89").text.contains("Close by"))
            // Where no town is near.
            let far = try await site.browser().visit("/opportunities?near=38.9,-77")
            #expect(far.text.contains("a point on the map") && !far.text.contains("38.9"))
        }
    }

    @Test func `an organization asks for help, sees it before, and publishes it once`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let form = try await ben.visit("/opportunities/new").follow("Volunteering")
            #expect(form.value(of: "city") == "San Jose" && form.heading == "Ask for help")
            let two = try await form.press("One more shift", filling: Self.lunch)
            #expect(two.value(of: "title") == "Serve lunch" && two.value(of: "shift.1.date") == "")
            let one = try await two.press("Take shift 2 away", filling: ["shift.1.date": "2027-04-03"])
            #expect(one.values(of: "shift.1.date").isEmpty && one.value(of: "shift.0.spots") == "8")
            let wrong = try await one.press("Preview", filling: ["title": "", "shift.0.end_time": ""])
            #expect(wrong.status == 422 && wrong.problems.count == 2 && wrong.value(of: "shift.0.spots") == "8")
            let preview = try await one.press("Preview")
            #expect(preview.text.contains("Flu shot") && preview.text.contains("8 of 8 places left"))
            #expect(try site.count(of: "opportunity") == 0)
            let again = try await preview.press("Back to editing")
            #expect(again.value(of: "shift.0.date") == "2027-03-27")
            let page = try await preview.press("Publish")
            #expect(page.heading == "Serve lunch" && page.flash?.contains("published") == true)
            #expect(try await preview.press("Publish").flash == "You already sent this. It went out once.")
            #expect(try site.count(of: "opportunity") == 1)
            #expect(try site.count(of: "shift") == 1)
            let visitor = site.browser()
            for query in [
                "", "?q=lunch", "?tag=health", "?kind=volunteer", "?age=14", "?from=2027-03-27&to=2027-03-27",
            ] {
                #expect(try await visitor.visit("/opportunities\(query)").cards == ["Serve lunch"], "\(query)")
            }
            for query in ["?q=coats", "?tag=pets", "?kind=donate", "?age=13", "?from=2027-03-28", "?home=1"] {
                #expect(try await visitor.visit("/opportunities\(query)").cards.isEmpty, "\(query)")
            }
            #expect(try await visitor.visit("/providers/ben-ruiz").cards == ["Serve lunch"])
        }
    }

    @Test func `a place is found in the form, of one’s own events or by the gazetteer, and nobody else’s`()
        async throws
    {
        try await withTestSite { site in
            try await site.gazetteer()
            try await site.provider(of: .ben)
            _ = try await site.publish(by: .ben) { $0.placeName = "Willow field" }
            let other = try await site.publish(by: .cleo) { $0.placeName = "Cleo’s barn" }
            let ben = try await site.signIn(.ben, as: .provider)
            let new = try await ben.visit("/opportunities/new").follow("Volunteering")
            #expect(!new.buttons.contains { $0.contains("barn") })
            let used = try #require(new.buttons.first { $0.hasPrefix("Willow field") })
            var page = try await new.press(used, filling: Self.lunch)
            #expect(page.status == 200 && page.problems.isEmpty && page.value(of: "title") == "Serve lunch")
            #expect(page.value(of: "place_name") == "Willow field" && page.value(of: "shift.0.spots") == "8")
            page = try await page.press("Find", filling: ["find": "Campbell"])
            #expect(page.value(of: "find") == "Campbell")
            page = try await page.press(page.buttons.first { $0.hasPrefix("Campbell") } ?? "")
            // A town says nothing of the street.
            #expect(page.value(of: "city") == "Campbell" && page.value(of: "place_name") == "Willow field")
            for step in ["venue.\(other)", "venue.999", "town.Nowhere at all"] {
                let pairs = try page.form(with: "Find").pairs.filter { $0.name != "step" }
                let page = try await ben.submit("/opportunities/new", pairs + [("step", step)])
                #expect(page.status == 200 && page.value(of: "place_name") == "Willow field", "\(step)")
            }
            // A row more keeps what is looked for.
            page = try await page.press("One more shift", filling: ["find": "Berlin"])
            #expect(page.value(of: "find") == "Berlin" && page.value(of: "city") == "Campbell")
            // Without a script, Enter presses the first button, and means the place as long as nothing says where.
            let nowhere: [String: Filling] = ["find": "Campbell", "address": "", "place_name": ""]
            page = try await new.press("See the preview", filling: Self.lunch.merging(nowhere) { $1 })
            #expect(page.status == 200 && page.buttons.contains { $0.hasPrefix("Campbell") } && page.problems.isEmpty)
            page = try await new.press("See the preview", filling: Self.lunch.merging(["find": "Campbell"]) { $1 })
            #expect(page.text.contains("This is a preview."))
            // So does the form that changes it.
            _ = try await page.press("Publish")
            page = try await ben.visit("/opportunities/1/edit").press("Find", filling: ["find": "Campbell"])
            page = try await page.press(page.buttons.first { $0.hasPrefix("Campbell") } ?? "")
            page = try await page.press("Preview", filling: ["zip": "95008"]).press("Publish the change")
            #expect(try site.count(of: "opportunity WHERE city = 'Campbell'") == 1, "\(page.problems)")
        }
    }

    @Test func `the same form for another thing is another promise`() async throws {
        try await withTestSite { site in
            try await ask(site)
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/opportunities/1")
            func promise(_ thing: Int) async throws -> Page {
                let pairs = ["csrf", "once"].map { ($0, page.value(of: $0) ?? "") }
                return try await ana.post(
                    "/opportunities/1/promises", pairs + [("thing", "\(thing)"), ("count", "2")])
            }
            for _ in 1...2 { #expect(try await promise(1).status == 200) }
            let other = try await promise(2)
            #expect(other.status == 409 && other.text.contains("You already sent this form with other words"))
            #expect(other.problemsLead)
            #expect(try site.count(of: "promise WHERE thing_id = 1") == 1 && site.count(of: "promise") == 1)
        }
    }

    @Test func `what kind it is says what is stored, and no form`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            let edit = try await ben.visit("/opportunities/\(id)/edit")
            for button in ["One more shift", "Publish the change"] where edit.buttons.contains(button) {
                let form = try edit.form(with: button)
                let pairs = form.pairs.map { $0.name == "kind" ? (name: "kind", value: "shadow") : $0 }
                let page = try await ben.submit("/opportunities/\(id)/edit", pairs)
                #expect(page.status == 303 || page.value(of: "kind") == "volunteer", "\(button)")
            }
            #expect(edit.buttons.contains("One more shift"))
            #expect(try site.count(of: "opportunity WHERE kind = 'volunteer'") == 1)
        }
    }

    private func ask(_ site: TestSite) async throws {
        try await site.ask(by: .ben) { form in
            form.kind = .donate
            form.rhythm = nil
            form.shifts[0] = OpportunityForm.ShiftRow()
            form.things[0] = OpportunityForm.ThingRow(name: "Coats", wanted: 20)
            form.things[1] = OpportunityForm.ThingRow(name: "Boots", wanted: 20)
        }
    }

    @Test func `things are asked for with a goal, and where one gives`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            // A link for money is shown of an organization that was verified.
            try await site.execute("UPDATE provider SET verified_at = 1, verified_until = \(Clock.start + .days(30))")
            let form = try await ben.visit("/opportunities/new?kind=donate")
            #expect(form.text.contains("What it is for"))
            #expect(form.text.contains("Such as: Winter coats for 20 children."))
            #expect(!form.text.contains("What people do there") && !form.text.contains("It can be done from home"))
            let filling: [String: Filling] = [
                "title": "Winter coats", "description": "Before the cold comes.", "thing.0.name": "Coats",
                "thing.0.wanted": "10", "goal": "2000", "amount": "1,340", "url": "javascript:alert(1)",
            ]
            let wrong = try await form.press("Preview", filling: filling)
            #expect(wrong.status == 422 && wrong.problems.count == 1)
            let page = try await wrong.press("Preview", filling: ["url": "warmhands.example/give"]).press("Publish")
            #expect(page.text.contains("0 of 10") && page.text.contains("$1,340"))
            let link = try await site.browser().visit(page.path).html.all("a").first {
                $0["rel"] == "nofollow ugc noopener"
            }
            #expect(
                link?["href"] == "https://warmhands.example/give" && link?.text.contains("warmhands.example") == true)
        }
    }

    @Test func `what is near comes first, and pages go on where the last one ended`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            for number in 0..<25 { try await site.ask(by: .ben) { $0.title = "Help \(number)" } }
            try await site.ask(by: .cleo) {
                $0.title = "Far away"
                $0.zip = "95008"
                $0.city = "Campbell"
            }
            for query in ["", "?near=95113&within=50", "?q=help", "?near=95113&within=50&sort=newest"] {
                var seen: [String] = []
                var next: String? = "/opportunities\(query)"
                while let path = next {
                    let page = try await site.browser().visit(path)
                    seen += page.cards
                    next = page.link("Show more")
                }
                #expect(Set(seen).count == seen.count && seen.count == (query == "?q=help" ? 25 : 26), "\(query)")
            }
            #expect(try await site.browser().visit("/opportunities?near=95113&within=2").cards.count == 20)
            let table = try await site.browser().visit("/opportunities?as=table")
            #expect(table.html.all("table").count == 1)
        }
    }

    @Test func `a list by nearness goes on where it ended when its last place is gone, behind the places of events`()
        async throws
    {
        try await withTestSite { site in
            try await site.gazetteer()
            for number in 0..<25 { try await site.ask(by: .ben) { $0.title = "Help \(number)" } }
            // Ten here, ten further away, five behind them; places of events around all of them.
            let places: [ID<Point>] = try await site.write { db in
                for number in 0..<900 {
                    let (row, column) = (Double(number % 30) / 9_999, Double(number / 30) / 9_999)
                    _ = try Point.id(
                        at: Coordinate(latitude: 37.3476 + row, longitude: -121.887 - column)!, in: db)
                }
                return try [37.38, 37.40, 37.42].map { latitude in
                    try Point.id(at: Coordinate(latitude: latitude, longitude: -121.887)!, in: db)
                }
            }
            for (number, place) in places.enumerated() {
                try await site.execute(
                    """
                    UPDATE opportunity SET point_id = \(place)
                    WHERE id BETWEEN \(10 * number + 1) AND \(10 * number + 10)
                    """)
            }
            let first = try await site.browser().visit("/opportunities?near=95112&within=25&unit=mi")
            #expect(first.cards.count == 20)
            try await site.execute("UPDATE opportunity SET point_id = NULL WHERE point_id = \(places[1])")
            try await site.execute("DELETE FROM point WHERE id = \(places[1])")
            let next = try await first.follow("Show more")
            #expect(next.cards.count == 5 && Set(next.cards).isDisjoint(with: first.cards), "\(next.path)")
        }
    }

    @Test func `children with an adult are asked for by organizations that were checked`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let form = try await ben.visit("/opportunities/new?kind=volunteer")
            let filling = Self.lunch.merging(["age_from": "6", "with_adult": ["1"]]) { $1 }
            let wrong = try await form.press("Preview", filling: filling)
            #expect(wrong.status == 422 && wrong.problems.count == 1)
            #expect(wrong.text.contains("verified organizations only"))
            try await site.execute("UPDATE provider SET verified_at = 1, verified_until = \(Clock.start + .days(30))")
            let page = try await wrong.press("Preview").press("Publish")
            #expect(page.heading == "Serve lunch" && page.text.contains("From 6, with an adult"))
            // What says so already stays when the mark is gone.
            try await site.execute("UPDATE provider SET verified_until = 1")
            #expect(try await page.follow("Change it").press("Preview").status == 200)
        }
    }

    @Test func `how the list looks is kept`() async throws {
        try await withTestSite { site in
            try await site.ask(by: .ben)
            let visitor = site.browser()
            #expect(try await visitor.visit("/opportunities").html.all("table").isEmpty)
            #expect(try await visitor.visit("/opportunities?as=table").html.all("table").count == 1)
            #expect(try await visitor.visit("/opportunities").html.all("table").count == 1)
            #expect(try await visitor.visit("/opportunities?as=cards").cards.count == 1)
            #expect(try await visitor.visit("/opportunities").cards.count == 1)
        }
    }

    @Test func `changing one keeps who is in it, and calls off what is taken away`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben) { form in
                form.shifts[1] = form.shifts[0]
                form.shifts[1].date = Day(iso: "2027-04-03")
            }
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/opportunities/\(id)").press("Sign up", filling: ["shift": ["1", "2"]])
            let ben = try await site.signIn(.ben, as: .provider)
            let form = try await ben.visit("/opportunities/\(id)/edit")
            #expect(try await form.press("Preview", filling: ["shift.0.spots": "0"]).status == 422)
            _ = try await form.press("Take shift 2 away").press("Preview", filling: ["title": "Lunch"])
                .press("Publish the change")
            #expect(try site.count(of: "shift WHERE removed_at IS NOT NULL") == 1)
            #expect(try site.count(of: "signup WHERE state = 'confirmed'") == 1)
            #expect(try await ana.visit("/inbox").text.contains("Called off: Lunch"))
            let cleo = try await site.signIn(.cleo, as: .provider)
            for path in ["edit", "close", "signups?as=csv"] {
                #expect(try await cleo.visit("/opportunities/\(id)/\(path)").status == 404)
            }
            // Those who may not see the list find the page it is of.
            let page = try await cleo.visit("/opportunities/\(id)/signups")
            #expect(page.redirects == ["/opportunities/\(id)"] && !page.text.contains("Ana"))
        }
    }

    @Test func `closing one tells whoever is in it and takes it out of the lists`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/opportunities/\(id)").press("Sign up", filling: ["shift": ["1"]])
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/opportunities/\(id)/close").press("Close it")
            #expect(page.text.contains("This isn’t open anymore."))
            #expect(try await site.browser().visit("/opportunities").cards.isEmpty)
            #expect(try site.count(of: "signup WHERE state = 'cancelled'") == 1)
            #expect(try await ana.visit("/inbox").text.contains("Called off"))
            #expect(try await ben.visit("/opportunities/\(id)/edit").status == 403)
        }
    }

    @Test func `what has no end is asked after a while whether it still holds, and leaves when nobody says so`()
        async throws
    {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben) {
                $0.rhythm = .whenever
                $0.shifts[0] = OpportunityForm.ShiftRow()
            }
            let keeper = Housekeeping(site: site.site)
            for day in 0..<89 where day % 11 == 0 {
                await keeper.tidyUp(at: site.clock.now + .days(day))
            }
            #expect(try site.count(of: "notice WHERE kind = 'helpers'") == 1)
            site.clock.advance(by: .days(13))
            let back = try await site.signIn(.ben, as: .provider)
            _ = try await back.visit("/opportunities/\(id)").press("It still holds")
            await keeper.tidyUp(at: site.clock.now + .days(80))
            #expect(try site.count(of: "opportunity WHERE listed") == 1)
            await keeper.tidyUp(at: site.clock.now + .days(91))
            #expect(try site.count(of: "opportunity WHERE listed") == 0)
        }
    }

    @Test func `it is reported, hidden, and shown again`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/reports/new?about=opportunity-\(id)").press(
                "Send the report", filling: ["reason": "spam"])
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await mira.visit("/admin/queue/opportunity-\(id)").press(
                "Decide", filling: ["act": "hide", "ground": "spam"])
            #expect(try await ana.visit("/opportunities/\(id)").status == 404)
            #expect(try await site.browser().visit("/opportunities").cards.isEmpty)
            let token = try await mira.visit("/admin").value(of: "csrf") ?? ""
            _ = try await mira.post("/decisions/1/undo", [("csrf", token)])
            #expect(try await ana.visit("/opportunities/\(id)").status == 200)
        }
    }

    @Test func `who blocks an organization meets none of its listings`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            let (a, b) = (try await site.account(of: .ana), try await site.account(of: .ben))
            #expect(try await ana.visit("/opportunities").cards.count == 1)
            try await site.write(at: Clock.start) { tx in try Block.add(b, by: a, in: tx) }
            #expect(try await ana.visit("/opportunities").cards.isEmpty)
            #expect(try await ana.visit("/opportunities/\(id)").status == 404)
        }
    }
}
