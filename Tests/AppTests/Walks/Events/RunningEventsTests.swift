import Database
import Templating
import Testing

@testable import App

/// A provider's year: drafts, changes, more dates, calling off, and what the plan allows.
@Suite struct DraftTests {
    @Test func `the pages about several events are told apart by their titles`() async throws {
        try await withTestSite { site in
            let (event, help) = (try await site.publish(by: .ben), try await site.ask(by: .ben))
            let ben = try await site.signIn(.ben, as: .provider)
            for (path, page) in [
                ("registrations", "Who comes"), ("registrations?as=print", "List for the door"),
                ("announcements", "Messages"), ("copy", "More dates"), ("cancel", "Cancel the event"),
                ("edit", "Change the event"), ("people/new", "Add somebody"),
            ] {
                #expect(try await ben.visit("/events/\(event)/\(path)").title == "\(page): Kite day · Village")
            }
            for (path, page) in [
                ("signups", "Who helps"), ("close", "Close it"), ("edit", "Change what you ask for"),
            ] {
                let title = try await ben.visit("/opportunities/\(help)/\(path)").title
                #expect(title == "\(page): Serve Saturday lunch · Village")
            }
            let mo = try await site.child("Mo", of: .ana)
            let registration = try await site.register([mo], of: .ana, at: event)
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await ana.visit("/registrations/\(registration)").title == "Registration: Kite day · Village")
        }
    }

    @Test func `a draft is kept as typed, seen by nobody else, and ends when it is published`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            var page = try await ben.visit("/events/new").press(
                "Keep as draft", filling: ["title": "Kite d", "date": "some day", "spots": "12"])
            #expect(page.redirects == ["/me/events?list=draft"])
            #expect(page.text.contains("Nobody reads it before you publish it."))
            #expect(page.text.contains("kept on Saturday, March 20, 2027 at 3 AM"))
            #expect(try site.count(of: "event") == 0)

            page = try await page.follow("Kite d")
            #expect(page.status == 200 && page.problems == [])
            #expect(page.value(of: "date") == "some day" && page.value(of: "spots") == "12")
            page = try await page.press("Keep as draft", filling: ["title": "Kite day"])
            #expect(try site.count(of: "draft WHERE title = 'Kite day'") == 1)
            #expect(try site.count(of: "draft") == 1)

            let cleo = try await site.signIn(.cleo, as: .provider)
            #expect(try await cleo.visit("/events/new?draft=1").status == 404)
            #expect(try await !cleo.visit("/me/events?list=draft").text.contains("Kite day"))

            page = try await ben.visit("/events/new?draft=1").press(
                "Preview",
                filling: ["description": "We build kites.", "date": "2027-03-27", "start_time": "10:00"])
            page = try await page.press("Publish")
            #expect(page.heading.hasPrefix("Congratulations!"))
            #expect(try site.count(of: "draft") == 0)
        }
    }

    @Test func `a draft as long as a form may be comes back whole`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            // Stored, each of these letters is six characters.
            let text = String(repeating: "é", count: 60_000)
            _ = try await ben.visit("/events/new").press(
                "Keep as draft", filling: ["title": "Kite day", "description": .texts([text])])
            let page = try await ben.visit("/events/new?draft=1")
            #expect(page.value(of: "title") == "Kite day" && page.value(of: "description") == text)
        }
    }

    @Test func `a draft is thrown away by its provider alone`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/events/new").press("Keep as draft", filling: ["title": "Kite day"])
            let cleo = try await site.signIn(.cleo, as: .provider)
            let token = try await cleo.visit("/help").value(of: "csrf")!
            _ = try await cleo.submit("/me/drafts/1/delete", [(name: "csrf", value: token)])
            #expect(try site.count(of: "draft") == 1)
            _ = try await page.press("Throw away: Kite day")
            #expect(try site.count(of: "draft") == 0)
        }
    }
}

@Suite struct ChangingEventsTests {
    @Test func `a change is previewed, published, found by its new words and told to calendars`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.tags = "kites, wind" }
            let ben = try await site.signIn(.ben, as: .provider)
            var page = try await ben.visit("/events/\(event)").follow("Change it")
            #expect(page.heading == "Change the event" && page.value(of: "title") == "Kite day")
            #expect(page.value(of: "tags") == "kites, wind")
            page = try await page.press(
                "Preview",
                filling: [
                    "title": "Balloon day", "description": "We let balloons fly.", "date": "2027-04-03", "tags": "air",
                    "bring": "A hat.",
                ])
            #expect(page.heading == "Balloon day")
            #expect(try site.count(of: "event WHERE title = 'Kite day' AND sequence = 0") == 1)

            page = try await page.press("Publish the change")
            #expect(page.redirects == ["/events/\(event)"] && page.heading == "Balloon day")
            #expect(page.text.contains("A hat.") && page.text.contains("Saturday, April 3, 2027"))
            #expect(try site.count(of: "event WHERE sequence = 1 AND day = '2027-04-03'") == 1)
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await ana.visit("/events?q=balloon").text.contains("Balloon day"))
            #expect(try await !ana.visit("/events?q=kite").text.contains("Balloon day"))
            #expect(try await ana.visit("/events?tag=air").text.contains("Balloon day"))
            #expect(try await !ana.visit("/events?tag=kites").text.contains("Balloon day"))
        }
    }

    @Test func `the preview of a change says old and new, and how many families are registered`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            func preview(_ fields: [String: Filling]) async throws -> String {
                try await ben.visit("/events/\(event)/edit").press("Preview", filling: fields).text
            }
            var text = try await preview(["description": "We build larger kites."])
            #expect(text.contains("Title, time, place, price, ages and the number of places stay as they are."))
            #expect(text.contains("No family is registered yet."))

            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            // Two forms of one family are one family.
            try await site.register([try await site.child("Lu", of: .ana)], of: .ana, at: event)
            let gone = try await site.register([try await site.child("Vy", of: .cleo)], of: .cleo, at: event)
            text = try await preview(["start_time": "9:30", "address": "1 Main St", "price": "9", "spots": "30"])
            for line in [
                "Time: Saturday, March 27, 2027, 10 AM to 12 PM Saturday, March 27, 2027, 9:30 AM to 12 PM",
                "Place: 180 Park Ave, San Jose, CA 95113 1 Main St, San Jose, CA 95113", "Price: not stated $9",
                "Places: 20 30", "2 families are registered.",
            ] {
                #expect(text.contains(line), "\(line) in \(text)")
            }
            #expect(!text.contains("Title:") && text.contains("They will be told what is new"))
            text = try await preview(["age_from": "5", "age_to": "9"])
            #expect(text.contains("Ages: all ages 5 to 9 years") && text.contains("They will be told what is new"))
            let cleo = try await site.account(of: .cleo)
            try await site.write(at: site.clock.now) { tx in
                try Registration.giveBack(gone, children: [], of: cleo, in: tx)
            }
            #expect(try await preview(["title": "Balloons"]).contains("Title: Kite day Balloons"))
            #expect(try await preview([:]).contains("1 family is registered."))
            #expect(try await !ben.visit("/events/new").press("Preview").text.contains("registered."))
        }
    }

    @Test func `a change of all dates counts the families of all, and all can be written to`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(event)/copy").press(
                "Publish these dates", filling: ["dates": ["2027-04-03"]])
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            try await site.register([try await site.child("Vy", of: .cleo)], of: .cleo, at: ID<Event>(2))
            site.clock.advance(by: .minutes(1))
            let form = try await ben.visit("/events/\(event)/edit")
            #expect(try await form.press("Preview", filling: ["scope": "one"]).text.contains("1 family is registered."))
            let page = try await form.press("Preview", filling: ["scope": "all", "price": "9"])
            #expect(page.text.contains("2 families are registered."))
            let done = try await page.press("Publish the change")
            // Each date counts its own, and leads to all of them.
            #expect(done.text.contains("1 family hasn’t seen yet what changed."))
            #expect(try await done.follow("On all dates").text.contains("2 families haven’t seen yet what changed."))
        }
    }

    @Test func `families who haven't seen a change can be written to, and see no others' addresses`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            try await site.register([try await site.child("Vy", of: .cleo)], of: .cleo, at: event)
            site.clock.advance(by: .minutes(1))
            let ben = try await site.signIn(.ben, as: .provider)
            func change(_ fields: [String: Filling]) async throws -> Page {
                try await ben.visit("/events/\(event)/edit").press("Preview", filling: fields)
                    .press("Publish the change")
            }
            #expect(try await change(["description": "Larger kites."]).link("Write to all of them") == nil)
            var page = try await change(["start_time": "9:30"])
            #expect(page.text.contains("2 families haven’t seen yet what changed."))
            #expect(page.html.first("textarea")?.text == "ana-ortiz@example.org, cleo-park@example.org")
            #expect(
                page.link("Write to all of them")
                    == "mailto:?bcc=ana-ortiz%40example.org%2Ccleo-park%40example.org")
            _ = try await site.signIn(.ana, as: .parent).visit("/events/\(event)").press("Got it")
            page = try await ben.visit("/events/\(event)")
            #expect(page.text.contains("1 family hasn’t seen yet what changed."))
            #expect(page.html.first("textarea")?.text == "cleo-park@example.org")
            // Nobody but the provider is told who they are.
            for browser in [try await site.signIn(.cleo, as: .provider), site.browser()] {
                #expect(try await !browser.visit("/events/\(event)").string.contains("cleo-park@example.org"))
            }
            // Once it is over nothing about it is news.
            site.clock.advance(by: .days(8))
            #expect(try await !ben.visit("/events/\(event)").text.contains("seen yet"))
        }
    }

    @Test func `nobody is to write to a family that is suspended`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            try await site.register([try await site.child("Vy", of: .cleo)], of: .cleo, at: event)
            site.clock.advance(by: .minutes(1))
            let ben = try await site.signIn(.ben, as: .provider)
            func addresses() async throws -> [Bool] {
                let changed = try await ben.visit("/events/\(event)").string
                let list = try await ben.visit("/events/\(event)/registrations")
                let file = try await ben.visit("/events/\(event)/registrations?as=csv").string
                #expect(list.text.contains("Vy") && list.string.contains("cleo-park@example.org"))
                return [changed, list.string, file].map { $0.contains("ana-ortiz@example.org") }
            }
            _ = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["price": "9"])
                .press("Publish the change")
            #expect(try await addresses() == [true, true, true])
            let ana = try await site.account(of: .ana)
            try await site.write(at: site.clock.now) { tx in _ = try Account.suspend(ana, in: tx) }
            #expect(try await addresses() == [false, false, false])
        }
    }

    @Test func `a letter to more than a mail program takes has no link`() {
        #expect(Link(writingToAll: []) == nil)
        #expect(Link(writingToAll: (0..<40).map { "family-\($0)@example.org" }) != nil)
        #expect(Link(writingToAll: (0..<400).map { "family-\($0)@example.org" }) == nil)
    }

    @Test func `a change leaves an event in the zone it was posted in, whatever the town's is by now`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            try await site.execute("UPDATE event SET zone = 'America/New_York' WHERE id = \(event)")
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["title": "Balloons"])
                .press("Publish the change")
            // Ten o'clock in New York.
            let start = Zone(identifier: "America/New_York")!.instant(
                Day(iso: "2027-03-27")!, TimeOfDay(hour: 10, minute: 0)!)
            let kept: SQL = "event WHERE title = 'Balloons' AND zone = 'America/New_York' AND starts_at = \(start)"
            #expect(try site.count(of: kept) == 1)
        }
    }

    @Test func `fewer spots than registered children are refused with their number`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let children = [
                try await site.child("Mo", of: .ana), try await site.child("Lu", of: .ana),
                try await site.child("Jo", of: .ana),
            ]
            try await site.register(children, of: .ana, at: event)
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["spots": "2"])
            #expect(page.status == 422 && page.problems.contains { $0.contains("3 places are taken") })
            #expect(try site.count(of: "event WHERE spots = 20 AND sequence = 0") == 1)
            // Readers of the change see how many places are left, not how many there are.
            let preview = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["spots": "4"])
            #expect(preview.text.contains("1 of 4 places left"))
            // Somebody may have taken one meanwhile.
            _ = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["spots": "3"])
                .press("Publish the change")
            #expect(try site.count(of: "event WHERE spots = 3 AND taken = 3") == 1)
        }
    }

    @Test func `only its provider changes, copies or cancels an event, the last only before it begins`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let cleo = try await site.signIn(.cleo, as: .provider)
            for page in ["edit", "copy", "cancel"] {
                #expect(try await cleo.visit("/events/\(event)/\(page)").status == 404, "\(page)")
            }
            let ben = try await site.signIn(.ben, as: .provider)
            site.clock.advance(by: .days(8))
            #expect(try await ben.visit("/events/\(event)/cancel").status == 403)
        }
    }

    @Test func `the owner's tools stay for good, and what took place keeps its day and times`() async throws {
        try await withTestSite { site in
            let over = try await site.publish(by: .ben)
            let off = try await site.publish(by: .ben) { $0.title = "Balloon day" }
            var ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(off)/cancel").press("Cancel the event", filling: ["reason": "No wind."])
            site.clock.advance(by: .days(300))
            ben = try await site.signIn(.ben, as: .provider)
            for (event, state) in [(over, "This event is over."), (off, "This event was canceled.")] {
                let page = try await ben.visit("/events/\(event)")
                #expect(page.text.contains(state) && page.link("Cancel it") == nil)
                #expect(try await page.follow(event == off ? "Who was coming" : "Who came").status == 200)
                #expect(try await page.follow("More dates").status == 200)
                // A host who calls an event off is done with it; it can still be corrected, by its address only.
                #expect((page.link("Change it") == nil) == (event == off))
                var form = try await ben.visit("/events/\(event)/edit")
                #expect(form.text.contains("Day and times stay as they are") && form.value(of: "date") == "2027-03-27")
                let other = ["description": "It was lovely.", "date": "2027-12-30", "start_time": "8:00"]
                form = try await ben.post(
                    "/events/\(event)/edit",
                    form.form(with: "Preview").pairs.map { ($0.name, other[$0.name] ?? $0.value) })
                #expect(form.text.contains("Saturday, March 27, 2027, 10 AM to 12 PM"))
                let done = try await form.press("Publish the change")
                #expect(done.redirects == ["/events/\(event)"] && done.text.contains("It was lovely."))
            }
            #expect(try site.count(of: "event WHERE day = '2027-03-27' AND start_minute = 600 AND sequence > 0") == 2)
            #expect(try site.count(of: "event WHERE listed AND id = \(off)") == 0)
            // A canceled event takes place again on another date, as an event of its own.
            let copy = try await ben.visit("/events/\(off)/copy").press(
                "Publish these dates", filling: ["dates": ["2028-03-25"]])
            #expect(copy.text.contains("The dates are published."))
            #expect(try site.count(of: "event WHERE listed AND day = '2028-03-25' AND cancelled_at IS NULL") == 1)
        }
    }

    @Test func `an event on the web needs a link instead of an address, and shows it to those registered`() async throws
    {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            var page = try await ben.visit("/events/new").press(
                "Preview",
                filling: [
                    "title": "Story hour", "description": "We read together.", "date": "2027-03-27",
                    "start_time": "17:00", "spots": "20", "address": "", "city": "", "state": "", "zip": "",
                ])
            #expect(page.status == 422 && page.problems.contains("Give the address of the place."))
            page = try await page.press("Preview", filling: ["online_url": "meet.example.org/stories"])
            page = try await page.press("Publish")
            #expect(page.heading.hasPrefix("Congratulations!"))
            let ana = try await site.signIn(.ana, as: .parent)
            let mo = try await site.child("Mo", of: .ana)
            page = try await ana.visit("/events/1")
            #expect(page.text.contains("Online") && !page.string.contains("meet.example.org"))
            try await site.register([mo], of: .ana, at: ID(1))
            page = try await ana.visit("/events/1")
            #expect(page.link("Take part online") == "https://meet.example.org/stories")
        }
    }
}

@Suite struct SeriesTests {
    private func series(_ site: TestSite) async throws -> (ben: Browser, event: ID<Event>) {
        let event = try await site.publish(by: .ben)
        let ben = try await site.signIn(.ben, as: .provider)
        var page = try await ben.visit("/events/\(event)").follow("More dates")
        page = try await page.press("Fill in these dates", filling: ["every": "week", "times": "3"])
        #expect(page.values(of: "dates").filter { !$0.isEmpty } == ["2027-04-03", "2027-04-10", "2027-04-17"])
        page = try await page.press("Publish these dates")
        #expect(page.text.contains("The dates are published."))
        return (ben, event)
    }

    @Test func `a rhythm proposes the dates, and each is an event of its own`() async throws {
        try await withTestSite { site in
            let (ben, event) = try await series(site)
            #expect(try site.count(of: "event WHERE series_id = 1 AND taken = 0") == 4)
            #expect(try site.count(of: "event WHERE starts_at - 1806166800000 = 7 * 86400000") == 1)
            #expect(try await ben.visit("/events/\(event)").text.contains("Other dates"))
        }
    }

    @Test func `a change reaches this date, later ones, or all, as asked`() async throws {
        try await withTestSite { site in
            let (ben, _) = try await series(site)
            func change(_ id: Int, _ title: String, _ scope: String) async throws {
                _ = try await ben.visit("/events/\(id)/edit").press(
                    "Preview", filling: ["title": .texts([title]), "scope": .texts([scope])]
                ).press("Publish the change")
            }
            try await change(2, "One", "one")
            #expect(try site.count(of: "event WHERE title = 'One'") == 1)
            try await change(3, "Later", "later")
            #expect(try site.count(of: "event WHERE title = 'Later' AND id IN (3, 4)") == 2)
            try await change(3, "All", "all")
            #expect(try site.count(of: "event WHERE title = 'All'") == 4)
            #expect(try site.count(of: "event WHERE day = '2027-04-17' AND id = 4") == 1)
        }
    }

    @Test func `a date that would be past is a problem, and nothing is changed`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let today = try await site.publish(by: .ben) {
                $0.date = Day(iso: "2027-03-20")!
                $0.startTime = TimeOfDay(hour: 18, minute: 0)!
                $0.endTime = nil
            }
            try await site.execute("UPDATE event SET series_id = \(event)")
            let mo = try await site.child("Mo", of: .ana)
            let registration = try await site.register([mo], of: .ana, at: today)
            let ben = try await site.signIn(.ben, as: .provider)
            site.clock.advance(by: .hours(7))
            let page = try await ben.visit("/events/\(event)/edit").press(
                "Preview", filling: ["start_time": "0:05", "end_time": "1:00", "title": "Night kites", "scope": "all"]
            ).press("Publish the change")
            #expect(page.status == 422 && page.value(of: "title") == "Night kites")
            #expect(
                page.problems == [
                    "On Sat, Mar 20 it would begin at 12:05 AM, which is past. Choose another time, or change only the "
                        + "dates after it."
                ])
            #expect(try site.count(of: "event WHERE sequence = 0 AND title = 'Kite day'") == 2)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/registrations/\(registration)").press("Give all places back")
            #expect(try site.count(of: "event WHERE taken > 0") == 0)
            // Only what comes after it: that can be.
            _ = try await page.press("Preview", filling: ["scope": "later"]).press("Publish the change")
            #expect(try site.count(of: "event WHERE title = 'Night kites' AND id = \(event)") == 1)
        }
    }

    @Test func `a time that clocks leave out is refused, posted, changed or copied`() async throws {
        try await withTestSite { site in
            // The next change of the clocks is that of 2028.
            let event = try await site.publish(by: .ben) {
                $0.startTime = TimeOfDay(hour: 2, minute: 30)!
                $0.endTime = TimeOfDay(hour: 3, minute: 0)!
            }
            let ben = try await site.signIn(.ben, as: .provider)
            let gap = "On Sun, Mar 12 clocks jump from 2 AM to 3 AM: there is no 2:30 AM. Choose another time."
            let copy = try await ben.visit("/events/\(event)/copy").form(with: "Publish these dates")
            var page = try await ben.post(
                "/events/\(event)/copy",
                copy.pairs.filter { $0.name != "dates" } + [("dates", "2028-03-11"), ("dates", "2028-03-12")])
            #expect(page.status == 422 && page.problems == [gap])
            #expect(page.values(of: "dates").filter { !$0.isEmpty } == ["2028-03-11", "2028-03-12"])
            #expect(try site.count(of: "event") == 1)

            page = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["date": "2028-03-12"])
            #expect(page.status == 422 && page.problems == [gap] && page.value(of: "date") == "2028-03-12")
            page = try await ben.visit("/events/new").press(
                "Preview",
                filling: [
                    "title": "Night", "description": "The clocks jump.", "date": "2028-03-12", "start_time": "2:30",
                    "end_time": "3:00", "spots": "5",
                ])
            #expect(page.status == 422 && page.problems == [gap])

            // A date of the series is on that day, and the new time would be in the gap.
            _ = try await ben.visit("/events/\(event)/edit").press(
                "Preview", filling: ["start_time": "10:00", "end_time": "11:00"]
            ).press("Publish the change")
            _ = try await ben.visit("/events/\(event)/copy").press(
                "Publish these dates", filling: ["dates": ["2028-03-12"]])
            page = try await ben.visit("/events/\(event)/edit").press(
                "Preview", filling: ["start_time": "2:30", "end_time": "3:00", "scope": "all"]
            ).press("Publish the change")
            #expect(page.status == 422 && page.problems == [gap])
            #expect(try site.count(of: "event WHERE start_minute = 600") == 2)
        }
    }

    @Test func `the same weekday of the month is kept`() {
        let day = Day(iso: "2027-01-30")!
        #expect(Series.Rhythm.month.days(after: day, count: 2).map(\.iso) == ["2027-02-27", "2027-03-27"])
        let second = Day(iso: "2027-12-11")!
        #expect(Series.Rhythm.month.days(after: second, count: 1).map(\.iso) == ["2028-01-08"])
    }

    @Test func `dates after one that is over keep its weekday and its turn`() {
        let (saturday, wednesday) = (Day(iso: "2026-11-21")!, Day(iso: "2026-11-25")!)
        func days(_ rhythm: Series.Rhythm, after day: Day = saturday, today: Day = wednesday) -> [String] {
            rhythm.days(after: day, count: 4, today: today).map(\.iso)
        }
        #expect(days(.week) == ["2026-11-28", "2026-12-05", "2026-12-12", "2026-12-19"])
        #expect(days(.fortnight) == ["2026-12-05", "2026-12-19", "2027-01-02", "2027-01-16"])
        #expect(days(.month) == ["2026-12-19", "2027-01-16", "2027-02-20", "2027-03-20"])
        // The fifth Saturday is the last one, also once it is long ago.
        let last = Day(iso: "2026-10-31")!
        #expect(days(.month, after: last) == ["2026-11-28", "2026-12-26", "2027-01-30", "2027-02-27"])
        #expect(days(.month, after: Day(iso: "1996-11-30")!).prefix(2) == ["2026-11-28", "2026-12-26"])
        // What is on today isn't proposed again; what is still to come counts from its own day.
        #expect(days(.week, today: Day(iso: "2026-11-28")!).first == "2026-12-05")
        #expect(days(.week, today: Day(iso: "2026-11-01")!).first == "2026-11-28")
    }
}

@Suite struct CallingOffTests {
    @Test func `a cancelled event stays with its reason, takes nobody, and leaves the lists`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let mo = try await site.child("Mo", of: .ana)
            let registration = try await site.register([mo], of: .ana, at: event)
            site.clock.advance(by: .minutes(1))
            let ben = try await site.signIn(.ben, as: .provider)
            var page = try await ben.visit("/events/\(event)").follow("Cancel it")
            #expect(page.text.contains("1 family is registered. They are told at once."))
            #expect(!page.text.contains("Delete the event"))
            page = try await page.press("Cancel the event")
            #expect(page.status == 422)
            page = try await page.press("Cancel the event", filling: ["reason": "The hall has no heating."])
            #expect(page.text.contains("The hall has no heating."))
            // The form that the browser's Back brings again.
            let late = try await ben.visit("/events/\(event)/cancel")
            #expect(late.heading == "It is too late for that" && !late.text.contains("call the provider"))
            #expect(late.link("Open its page") == "/events/\(event)")
            // It stands above all else, and those who registered can be written to.
            for browser in [ben, site.browser()] {
                let text = try await browser.visit("/events/\(event)").text
                #expect(["The event is", "This event was"].contains { text.hasPrefix("\($0) canceled.") }, "\(text)")
            }
            #expect(page.text.contains("1 family hasn’t seen yet what changed."))
            #expect(page.link("Write to all of them") == "mailto:?bcc=ana-ortiz%40example.org")
            page = try await page.follow("Who was coming")
            #expect(page.heading == "Who was coming" && page.link("Print a flyer") == nil)
            #expect(page.html.all("textarea").first?.text == "ana-ortiz@example.org")
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await !ana.visit("/events?city=").text.contains("Kite day"))
            #expect(try await ana.visit("/registrations/\(registration)").heading == "This event was canceled")
            #expect(try await ben.visit("/me/events?list=cancelled").text.contains("Kite day"))
            #expect(try site.count(of: "event WHERE counts AND sequence = 1") == 1)
        }
    }

    @Test func `nobody registered: the place in the plan is free again, and the event can be deleted`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let other = try await site.publish(by: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(event)/cancel").press(
                "Cancel the event", filling: ["reason": "No time."])
            #expect(try site.count(of: "event WHERE counts") == 1)
            var page = try await ben.visit("/events/\(other)/cancel").press("Delete the event")
            #expect(page.text.contains("was deleted."))
            #expect(try site.count(of: "event WHERE id = \(other)") == 0)
            #expect(try site.count(of: "event_search WHERE title = 'kite day'") == 1)
            // One that is canceled can go too, from its own page; and come back as it was.
            page = try await ben.visit("/events/\(event)")
            #expect(page.text.contains("For ten minutes you can take that back."))
            page = try await page.press("Delete the event")
            #expect(try site.count(of: "event") == 0)
            let undo: Int64? = try site.read { db in try db.value("SELECT max(id) FROM undo") }
            let token = page.value(of: "csrf")!
            page = try await ben.submit("/undo/\(undo!)", [(name: "csrf", value: token)])
            #expect(try site.count(of: "event WHERE cancel_reason = 'No time.' AND NOT counts") == 1)
        }
    }

    @Test func `what took place counts for its year, and can't be deleted away`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let off = try await site.publish(by: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(off)/cancel").press("Cancel the event", filling: ["reason": "No wind."])
            let host = try await site.account(of: .ben)
            let token = try await ben.visit("/help").value(of: "csrf")!
            site.clock.advance(by: .days(7) + .hours(7))
            for _ in 0..<2 {
                #expect(try await ben.submit("/events/\(event)/delete", [(name: "csrf", value: token)]).status == 403)
                #expect(try site.read { db in try Plan.use(by: host, in: 2027, db) }.used == 1)
                site.clock.advance(by: .days(2))
            }
            // Nobody came to what was called off before it began: it counts for nothing, and can go.
            _ = try await ben.submit("/events/\(off)/delete", [(name: "csrf", value: token)])
            #expect(try site.count(of: "event WHERE id = \(off)") == 0)
        }
    }

    @Test func `an event somebody registered for is not deleted`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let mo = try await site.child("Mo", of: .ana)
            try await site.register([mo], of: .ana, at: event)
            // Nor one to which somebody came without it.
            let other = try await site.publish(by: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/events/\(other)/edit")
            _ = try await ben.visit("/events/\(other)/registrations?early=1").press("One more")
            #expect(try site.count(of: "event WHERE walk_ins = 1") == 1)
            #expect(try await page.press("Delete the event").status == 403)
            let token = try await ben.visit("/help").value(of: "csrf")!
            #expect(try await ben.submit("/events/\(event)/delete", [(name: "csrf", value: token)]).status == 403)
            #expect(try site.count(of: "event") == 2)
            for event in [event, other] {
                #expect(try await !ben.visit("/events/\(event)/edit").buttons.contains("Delete the event"))
            }
        }
    }
}

@Suite struct PlanTests {
    @Test func `dates that are too many for a plan are refused with how many are left`() async throws {
        try await withTestSite { site in
            var event = ID<Event>(0)
            for _ in 1...6 { event = try await site.publish(by: .ben) }
            let ben = try await site.signIn(.ben, as: .provider)
            let filled = try await ben.visit("/events/\(event)/copy").press(
                "Fill in these dates", filling: ["every": "week", "times": "5"])
            let refused = try await filled.press("Publish these dates")
            #expect(refused.problems.contains { $0.contains("10 events a year: 4 more can be published in 2027.") })
            // Another number fills the dates in anew, and is published once they were seen.
            let anew = try await refused.press("Publish these dates", filling: ["times": "4"])
            #expect(anew.problems.contains { $0.hasPrefix("The dates are filled in again") })
            #expect(try site.count(of: "event") == 6)
            _ = try await anew.press("Publish these dates")
            #expect(try site.count(of: "event") == 10)
        }
    }

    @Test func `the eleventh event of a year is refused with the count, and kept as a draft`() async throws {
        try await withTestSite { site in
            for _ in 1...10 { try await site.publish(by: .ben) }
            let ben = try await site.signIn(.ben, as: .provider)
            let elevenths: [String: Filling] = [
                "title": "Eleventh", "description": "One more afternoon.", "date": "2027-05-01", "start_time": "10:00",
                "spots": "5",
            ]
            var page = try await ben.visit("/events/new").press("Preview", filling: elevenths).press("Publish")
            #expect(page.status == 422)
            #expect(page.problems.contains { $0.contains("10 events a year, and 10 of 2027 are published") })
            #expect(try site.count(of: "event") == 10)
            #expect(try site.count(of: "draft WHERE title = 'Eleventh'") == 1)

            // With fifty drafts nothing more is kept, and that is said.
            let host = try await site.account(of: .ben)
            for number in 1..<Draft.limit {
                try await site.execute(
                    """
                    INSERT INTO draft (account_id, title, form, once, updated_at)
                    VALUES (\(host), 'Draft', '', \("draft-\(number)"), 0)
                    """)
            }
            let twelfth = try await ben.visit("/events/new").press("Preview", filling: elevenths).press("Publish")
            #expect(twelfth.status == 422 && !twelfth.text.contains("is kept as a draft"))
            #expect(twelfth.problems.contains { $0.contains("so this is not kept") })
            #expect(twelfth.value(of: "title") == "Eleventh")

            // Next year is another ten.
            page = try await page.press("Preview", filling: ["date": "2028-01-08"]).press("Publish")
            #expect(page.heading.hasPrefix("Congratulations!"))
        }
    }

    @Test func `staff finds a provider, grants a plan, and the log says so`() async throws {
        try await withTestSite { site in
            for _ in 1...10 { try await site.publish(by: .ben) }
            let mira = try await site.signIn(.mira, isStaff: true)
            var page = try await mira.visit("/admin/providers?q=king")
            #expect(page.text.contains("King Library"))
            page = try await page.follow("King Library")
            page = try await page.press("Grant the plan", filling: ["plan": "gold", "reason": "A busy library."])
            #expect(page.text.contains("It is in the log."))
            #expect(try await mira.visit("/admin/log").text.contains("granted Gold to King Library"))
            let ben = try await site.signIn(.ben, as: .provider)
            page = try await ben.visit("/events/new").press(
                "Preview",
                filling: [
                    "title": "Eleventh", "description": "One more afternoon.", "date": "2027-05-01",
                    "start_time": "10:00", "spots": "5",
                ])
            #expect(page.problems.contains("State the price, and 0 for free."))
            page = try await page.press("Preview", filling: ["price": "0"]).press("Publish")
            #expect(page.heading.hasPrefix("Congratulations!"))
        }
    }

    @Test func `the site may want a price on every event`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await mira.visit("/admin/providers").press("Ask for a price on every event")
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/events/new").press("Preview", filling: ["title": "Kite day"])
            #expect(page.problems.contains("State the price, and 0 for free."))
        }
    }

    @Test func `two forms at once don't get past the plan`() async throws {
        try await withTestSite { site in
            for _ in 1...9 { try await site.publish(by: .ben) }
            let host = try await site.account(of: .ben)
            let event = try site.read { db in try Event.find(ID(1), in: db)! }
            let now = site.clock.now
            let stored = await withTaskGroup(of: Bool.self) { group in
                for number in 1...8 {
                    group.addTask {
                        let outcome = try? await site.write(at: now) { tx in
                            try Event.announce(event, once: "at-once-\(number)", in: tx)
                        }
                        return outcome != nil
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(stored == 1)
            #expect(try site.count(of: "event WHERE account_id = \(host)") == 10)
        }
    }
}
