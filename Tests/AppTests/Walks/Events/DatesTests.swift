import Database
import Forms
import Testing

@testable import App

/// What has several dates: what is told of it names the date, and is told as it is now.
@Suite struct DatesTests {
    /// Three Saturdays of one event, from March 27 on, at which Mo has a place.
    private func series(_ site: TestSite) async throws -> (ana: Browser, ben: Browser, first: ID<Event>) {
        let first = try await site.publish(by: .ben)
        let ben = try await site.signIn(.ben, as: .provider)
        _ = try await ben.visit("/events/\(first)/copy").press(
            "Fill in these dates", filling: ["every": "week", "times": "2"]
        ).press("Publish these dates")
        let mo = try await site.child("Mo", of: .ana)
        for number in 0..<3 { try await site.register([mo], of: .ana, at: ID(first.rawValue + Int64(number))) }
        site.clock.advance(by: .minutes(1))
        return (try await site.signIn(.ana, as: .parent), ben, first)
    }

    private func event(_ number: Int64, after first: ID<Event>) -> ID<Event> { ID(first.rawValue + number) }

    private func change(_ event: ID<Event>, by ben: Browser, to time: String, _ filling: [String: Filling] = [:])
        async throws
    {
        let filling = filling.merging(["start_time": .text(time)]) { $1 }
        _ = try await ben.visit("/events/\(event)/edit").press("Preview", filling: filling).press("Publish the change")
    }

    private func letters(_ kind: NoticeKind, in site: TestSite) throws -> [LetterText] {
        try site.read(at: site.clock.now) { tx in
            try tx.all("SELECT \(Letter.columns) FROM letter WHERE kind = \(kind) ORDER BY id LIMIT 50") {
                try $0.next() as Letter
            }.compactMap { try $0.text(country: "US", zone: .utc, in: tx) }
        }
    }

    private func day(_ event: ID<Event>, in site: TestSite) throws -> String {
        let found: Day? = try site.read { db in try db.value("SELECT day FROM event WHERE id = \(event)") }
        return found?.plainName.english ?? ""
    }

    @Test func `notices and subjects name the date of one of several`() async throws {
        try await withTestSite { site in
            let (ana, ben, first) = try await series(site)
            let second = event(1, after: first)
            try await change(second, by: ben, to: "11:00")
            let name = try "Kite day, \(day(second, in: site))"
            #expect(try await ana.visit("/inbox").text.contains("\(name) has changed"))
            #expect(try letters(.changed, in: site).map(\.subject.english) == ["Changed: \(name)"])
            _ = try await ben.visit("/events/\(second)/cancel").press("Cancel the event", filling: ["reason": "Rain."])
            #expect(try await ana.visit("/inbox").text.contains("Canceled: \(name)"))
            #expect(try letters(.cancelled, in: site).map(\.subject.english) == ["Canceled: \(name)"])
        }
    }

    @Test func `what was given back names the date of one of several`() async throws {
        try await withTestSite { site in
            let (ana, _, first) = try await series(site)
            _ = try await ana.visit("/registrations/2").press("Give the places of this date back")
            let name = try "Kite day, \(day(event(1, after: first), in: site))"
            #expect(try await ana.visit("/week").text.contains("The place of Mo was given back: \(name)."))
        }
    }

    @Test func `a letter about several dates names all of them`() async throws {
        try await withTestSite { site in
            let (_, ben, first) = try await series(site)
            _ = try await ben.visit("/events/\(first)/cancel").press(
                "Cancel the event", filling: ["reason": "Rain.", "scope": "all"])
            let letter = try #require(try letters(.cancelled, in: site).first)
            #expect(try letter.subject.english == "Canceled: Kite day, \(day(first, in: site)) and 2 more dates")
            for number in 0..<3 {
                let date = try day(event(Int64(number), after: first), in: site)
                #expect(letter.facts.first?.words.english.contains(date) == true, "\(date)")
            }
        }
    }

    @Test func `one event alone is called by its title and its date, as others have that title`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            try await change(event, by: ben, to: "11:00")
            #expect(try letters(.changed, in: site).map(\.subject.english) == ["Changed: Kite day, March 27"])
        }
    }

    @Test func `my week tells of a change on its day’s week, and of a later one beside that week’s name`() async throws
    {
        try await withTestSite { site in
            let (ana, ben, first) = try await series(site)
            let third = event(2, after: first)
            try await change(third, by: ben, to: "11:00")
            let week = try await ana.visit("/week")
            #expect(week.html.all("h2").allSatisfy { !$0.text.contains("Kite day") })
            let later = try #require(week.html.all(ofClass: "ahead").first)
            #expect(later.text.contains("New about Kite day,") && later.text.contains("This has changed since"))
            let date: Day? = try site.read { db in try db.value("SELECT day FROM event WHERE id = \(third)") }
            let there = try await ana.visit("/week?from=\(try #require(date).advanced(by: -3).iso)")
            #expect(there.text.contains("This has changed since you registered."))
            let name = try #require(date).name.english
            #expect(there.html.all("h2").contains { $0.text.contains("Kite day") && $0.text.contains(name) })
        }
    }

    // MARK: A change after a change

    /// What a page says it was and is, such as `10 to 11`.
    private func times(_ page: Page) -> [String] { page.html.all("del").map(\.text) + page.html.all("ins").map(\.text) }

    @Test func `after the second letter was opened nothing older is told as new`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            let ana = try await site.signIn(.ana, as: .parent)
            for time in ["11:00", "11:30"] {
                site.clock.advance(by: .minutes(5))
                try await change(event, by: ben, to: time)
            }
            // Each one opened says how it is now.
            for edit in [1, 2] {
                let page = try await ana.visit("/changes/\(edit)")
                let now = page.html.all("ins").map(\.text)
                #expect(now.count == 1 && now.first?.contains("11:30") == true, "\(now)")
            }
            for path in ["/", "/registrations/1", "/events/\(event)", "/week?from=2027-03-25"] {
                #expect(try await times(ana.visit(path)).isEmpty, "\(path)")
            }
            #expect(try await ben.visit("/events/\(event)").text.contains("Seen by 1 of 1 family."))
            // A letter that waited says how it is when it goes.
            let waiting = try letters(.changed, in: site).map { $0.facts.map(\.words.english) }
            #expect(waiting.first?.first?.contains("11:30") == true)
        }
    }

    @Test func `what is again as it was needs no call`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            let start: TimeOfDay? = try site.read { db in
                try db.value("SELECT start_minute FROM event WHERE id = \(event)")
            }
            try await change(event, by: ben, to: "11:30")
            #expect(try await ben.visit("/events/\(event)").text.contains("Seen by 0 of 1 family."))
            try await change(event, by: ben, to: try #require(start).iso)
            #expect(try await ben.visit("/events/\(event)").text.contains("Seen by 1 of 1 family."))
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await ana.visit("/changes/1").text.contains("It is as it was before."))
            #expect(try letters(.changed, in: site).count == 1)
        }
    }

    @Test func `“Seen by” counts the families of the date, names whom it is about, and each date is seen alone`()
        async throws
    {
        try await withTestSite { site in
            let (ana, ben, first) = try await series(site)
            let second = event(1, after: first)
            try await site.register([try await site.child("Vy", of: .cleo)], of: .cleo, at: second)
            try await change(second, by: ben, to: "11:00")
            #expect(try await !ben.visit("/events/\(first)").text.contains("Seen by"))
            let told = try await ben.visit("/events/\(second)")
            #expect(
                told.text.contains("Seen by 0 of 2 families.") && told.text.contains("Mo") && told.text.contains("Vy"))
            try await change(first, by: ben, to: "11:15")
            _ = try await ana.visit("/events/\(second)").press("Got it")
            #expect(try await ben.visit("/events/\(second)").text.contains("Seen by 1 of 2 families."))
            #expect(try await ben.visit("/events/\(first)").text.contains("Seen by 0 of 1 family."))
            #expect(try await ana.visit("/events/\(first)").buttons.contains("Got it"))
        }
    }

    @Test func `ten dates from a draft: one is canceled, one moved, and only its families hear of each`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/new").press("Keep as draft", filling: ["title": "Kite day"])
            let preview = try await ben.visit("/me/events?list=draft").follow("Kite day").press(
                "Preview",
                filling: [
                    "description": "We build kites.", "date": "2027-03-27", "start_time": "10:00", "end_time": "12:00",
                    "spots": "20",
                ])
            #expect(preview.heading == "Kite day" && preview.buttons.contains("Publish"))
            #expect(try await preview.press("Publish").heading.hasPrefix("Congratulations!"))
            #expect(try site.count(of: "draft") == 0)
            _ = try await ben.visit("/events/1/copy").press(
                "Fill in these dates", filling: ["every": "week", "times": "9"]
            ).press("Publish these dates")
            #expect(try site.count(of: "event WHERE series_id IS NOT NULL") == 10)

            // Ana comes to the fourth date, Cleo to the fifth, another family to the sixth.
            var families: [Browser] = []
            for (date, person) in [(4, Person.ana), (5, .cleo), (6, .family(1))] {
                try await site.register([try await site.child("Mo", of: person)], of: person, at: ID(Int64(date)))
                families.append(try await site.signIn(person, as: .parent))
            }
            site.clock.advance(by: .minutes(1))
            _ = try await ben.visit("/events/4/cancel").press("Cancel the event", filling: ["reason": "No wind."])
            let moved = try await ben.visit("/events/5/edit").press(
                "Preview", filling: ["start_time": "11:00", "end_time": "13:00"]
            ).press("Publish the change")
            #expect(moved.text.contains("Seen by 0 of 1 family."))

            #expect(try site.count(of: "notice WHERE kind = 'cancelled'") == 1)
            #expect(try site.count(of: "notice WHERE kind = 'changed'") == 1)
            let canceled = try await families[0].visit("/inbox").follow("Unread: Canceled: Kite day, April 17")
            #expect(canceled.text.contains("No wind."))
            let changed = try await families[1].visit("/inbox").follow("Unread: Kite day, April 24 has changed")
            #expect(changed.text.contains("10 AM") && changed.text.contains("11 AM"))
            let others = try await families[2].visit("/inbox").text
            #expect(!others.contains("April 17") && !others.contains("April 24"))
            #expect(try await ben.visit("/events/5").text.contains("Seen by 1 of 1 family."))
            #expect(try await ben.visit("/events/4").text.contains("Seen by 1 of 1 family."))

            func calendar(_ date: Int) async throws -> String {
                try await site.browser().visit("/events/\(date).ics").string.replacing("\r\n ", with: "")
            }
            #expect(try await calendar(4).contains("STATUS:CANCELLED"))
            let file = try await calendar(5)
            #expect(file.contains("20270424T180000Z") || file.contains("20270424T110000"))
            #expect(file.contains("SEQUENCE:1") && !file.contains("CANCELLED"))
            let same = try await calendar(6)
            #expect(same.contains("SEQUENCE:0") && !same.contains("CANCELLED"))
        }
    }
}
