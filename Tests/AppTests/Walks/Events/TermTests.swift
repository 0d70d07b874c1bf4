import Database
import Forms
import Testing

@testable import App

/// A whole term at once: several dates of a series, for several children, all or nothing.
@Suite struct TermTests {
    /// Ten Saturdays from March 27 on, as the host chose on the page of its dates.
    private func term(
        _ site: TestSite, _ booking: Series.Booking = .together, dates: Int = 10,
        _ change: (inout EventForm) -> Void = { _ in }
    ) async throws -> (ben: Browser, dates: [ID<Event>]) {
        let first = try await site.publish(by: .ben, change)
        let ben = try await site.signIn(.ben, as: .provider)
        let copy = try await ben.visit("/events/\(first)/copy")
        #expect(copy.text.contains("How do families register?") && !copy.text.contains("register? (optional)"))
        _ = try await copy.press(
            "Fill in these dates",
            filling: ["every": "week", "times": "\(dates - 1)", "booking": .text(booking.rawValue)]
        ).press("Publish these dates")
        return (ben, try site.read(at: site.clock.now) { tx in try Series.open(first, in: tx) }.map(\.id))
    }

    private func children(_ names: [String], of person: Person = .ana, in site: TestSite) async throws -> [String] {
        var children: [String] = []
        for name in names { children.append("\(try await site.child(name, of: person))") }
        return children
    }

    private func confirmed(_ site: TestSite) throws -> Int {
        try site.count(of: "registration WHERE state = 'confirmed'")
    }

    /// Leaves so many places at a date, and more that others have and may give back.
    private func leave(_ places: Int, of spots: Int, at date: ID<Event>, in site: TestSite) async throws {
        for number in 0..<(spots - places) {
            let child = try await site.child("Other \(number)", of: .family(number))
            try await site.register([child], of: .family(number), at: date)
        }
        try await site.write { db in try db.execute("UPDATE event SET spots = \(spots) WHERE id = \(date)") }
    }

    @Test func `three children and ten dates, one of them full for one: nobody is booked, and the page says which`()
        async throws
    {
        try await withTestSite { site in
            let (_, dates) = try await term(site)
            let three = try await children(["Mo", "Lu", "Pia"], in: site)
            try await leave(2, of: 5, at: dates[3], in: site)
            let before = try site.count(of: "registration")
            let ana = try await site.signIn(.ana, as: .parent)
            let event = try await ana.visit("/events/\(dates[0])")
            #expect(event.text.contains("Families register for all dates together"))
            let page = try await event.follow("Register for all 10 dates")
            let refused = try await page.press("Register for all dates", filling: ["child": .texts(three)])
            #expect(refused.status == 422)
            #expect(
                refused.problems == [
                    "Not every date has room for all of them, so nobody was registered.",
                    "April 17: 2 places are left, 3 are needed.",
                ])
            #expect(refused.text.contains("Choose fewer children, or wait for the dates without room."))
            #expect(try site.count(of: "registration") == before)
            #expect(try site.count(of: "event WHERE id <> \(dates[3]) AND taken > 0") == 0)
            #expect(try site.count(of: "letter WHERE kind = 'registered'") == 0)
            // Fewer children have room on every date.
            let two = try await refused.press(
                "Register for all dates", filling: ["child": .texts(Array(three.prefix(2)))])
            #expect(two.text.contains("Your 10 dates"))
            #expect(try site.count(of: "event WHERE taken = 2") == 9)
            #expect(try site.count(of: "event WHERE taken = 5") == 1)
        }
    }

    @Test func `without one transaction for all, some dates would be booked`() async throws {
        try await withTestSite { site in
            let (_, dates) = try await term(site)
            _ = try await children(["Mo", "Lu", "Pia"], in: site)
            try await leave(2, of: 5, at: dates[3], in: site)
            let ids: [ID<Child>] = try site.read { db in
                try db.all("SELECT id FROM child WHERE nickname IN ('Mo', 'Lu', 'Pia') ORDER BY id LIMIT 3") {
                    try $0.next()
                }
            }
            var isRefused = false
            for date in dates {
                do { try await site.register(ids, of: .ana, at: date) } catch is Event.NoRoom { isRefused = true }
            }
            #expect(isRefused)
            #expect(try site.count(of: "event WHERE taken = 3 AND id <> \(dates[3])") == 9)
        }
    }

    @Test func `where one date is full, the others can be had and that one waited for`() async throws {
        try await withTestSite { site in
            let (_, dates) = try await term(site, dates: 4)
            let two = try await children(["Mo", "Lu"], in: site)
            try await leave(1, of: 3, at: dates[2], in: site)
            let ana = try await site.signIn(.ana, as: .parent)
            let refused = try await ana.visit("/events/\(dates[0])/dates").press(
                "Register for all dates", filling: ["child": .texts(two)])
            let done = try await refused.press("Register, and wait where there is no room")
            #expect(done.text.contains("Your 4 dates") && done.text.contains("On the waiting list"))
            #expect(try site.count(of: "registration WHERE state = 'waiting' AND event_id = \(dates[2])") == 1)
            #expect(try site.count(of: "event WHERE taken = 2") == 4)
        }
    }

    @Test func `a term is one letter, one notice and one line, and pressed twice it is booked once`() async throws {
        try await withTestSite { site in
            let (_, dates) = try await term(site)
            let two = try await children(["Mo", "Lu"], in: site)
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/events/\(dates[0])/dates").form(
                with: "Register for all dates", filling: ["child": .texts(two)])
            let page = try await form.send(from: ana)
            #expect(page.heading == "Congratulations! You are registered for the event.")
            #expect(try await form.send(from: ana).path == page.path)
            #expect(try confirmed(site) == 10)
            #expect(try site.count(of: "letter WHERE kind = 'registered'") == 1)
            let written = try site.read(at: site.clock.now) { tx in
                let letter: Letter? = try tx.first("SELECT \(Letter.columns) FROM letter WHERE kind = 'registered'")
                return try letter?.text(country: "US", zone: .utc, in: tx)
            }
            let letter = try #require(written)
            #expect(letter.subject.english == "Registered: Kite day, March 27 and 9 more dates")
            #expect(letter.facts.first?.words.english.contains("May 29") == true)
            #expect(try await ana.visit("/inbox").text.contains("You have places at Kite day, on 10 dates"))
            #expect(try site.count(of: "notice WHERE kind = 'booked'") == 1)
            let list = try await ana.visit("/me/registrations")
            #expect(list.text.contains("And 9 more dates, until May 29"))
            #expect(list.html.all(ofClass: "badge").count == 1)
            #expect(try await ana.visit("/").text.contains("And 9 more dates, until May 29"))
        }
    }

    @Test func `a date of a term that was moved is in sight, though one line stands for all`() async throws {
        try await withTestSite { site in
            let (ben, dates) = try await term(site, dates: 4)
            let mo = try await children(["Mo"], in: site)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/events/\(dates[0])/dates").press(
                "Register for all dates", filling: ["child": .texts(mo)])
            func folds(_ path: String) async throws -> [Element] {
                try await ana.visit(path).html.all("details").filter { $0.text.contains("And 3 more dates") }
            }
            // Twin: as long as nothing has changed they are folded away.
            for path in ["/", "/me/registrations"] {
                #expect(try await folds(path).map { $0["open"] != nil } == [false], "\(path)")
            }
            _ = try await ben.visit("/events/\(dates[2])/edit").press("Preview", filling: ["start_time": "11:00"])
                .press("Publish the change")
            for path in ["/", "/me/registrations"] {
                let found = try await folds(path)
                #expect(found.map { $0["open"] != nil } == [true], "\(path)")
                #expect(found.first?.text.contains("This has changed since you registered.") == true, "\(path)")
            }
        }
    }

    @Test func `a family that joins late gets the dates that haven’t begun`() async throws {
        try await withTestSite { site in
            let (_, dates) = try await term(site)
            let mo = try await children(["Mo"], in: site)
            let third: Instant? = try site.read { db in try db.value("SELECT ends_at FROM event WHERE id = \(dates[2])")
            }
            site.clock.advance(by: try #require(third) - site.clock.now)
            let ana = try await site.signIn(.ana, as: .parent)
            let done = try await ana.visit("/events/\(dates[5])").follow("Register for all 7 dates").press(
                "Register for all dates", filling: ["child": .texts(mo)])
            #expect(done.text.contains("Your 7 dates"))
            #expect(try site.count(of: "event WHERE taken = 1 AND starts_at > \(site.clock.now)") == 7)
            #expect(try confirmed(site) == 7)
        }
    }

    @Test func `a form that says all dates means each that is left`() async throws {
        try await withTestSite { site in
            let (_, dates) = try await term(site, dates: 4)
            let mo = try await children(["Mo"], in: site)
            let ana = try await site.signIn(.ana, as: .parent)
            let token = try await ana.visit("/events/\(dates[0])/dates").value(of: "csrf") ?? ""
            let form = [("csrf", token), ("once", "all-of-it-all-of-it"), ("child", mo[0]), ("dates", "all")]
            #expect(try await ana.submit("/events/\(dates[0])/registrations", form).status == 303)
            #expect(try confirmed(site) == 4)
        }
    }

    @Test func `one date is given back and had again, and all are given back and taken back together`() async throws {
        try await withTestSite { site in
            let (_, dates) = try await term(site, dates: 4)
            let mo = try await children(["Mo"], in: site)
            let ana = try await site.signIn(.ana, as: .parent)
            let done = try await ana.visit("/events/\(dates[0])/dates").press(
                "Register for all dates", filling: ["child": .texts(mo)])
            let given = try await done.press("Give the places of this date back")
            #expect(try confirmed(site) == 3)
            let rest = try await given.follow("Also the other dates")
            #expect(rest.text.contains("has 3 of 4 dates"))
            let again = try await rest.press("Register for all dates")
            #expect(again.text.contains("Your 4 dates"))
            let gone = try await again.press("Give all 4 dates back")
            #expect(try site.count(of: "event WHERE taken > 0") == 0)
            #expect(gone.text.contains("The places of Mo were given back, on 4 dates."))
            _ = try await gone.press("Undo: Mo")
            #expect(try site.count(of: "event WHERE taken = 1") == 4)
        }
    }

    @Test func `taken back all or nothing: one date that others have meanwhile keeps all of them away`() async throws {
        try await withTestSite { site in
            let (_, dates) = try await term(site, dates: 3) { $0.spots = 1 }
            let mo = try await children(["Mo"], in: site)
            let ana = try await site.signIn(.ana, as: .parent)
            let gone = try await ana.visit("/events/\(dates[0])/dates").press(
                "Register for all dates", filling: ["child": .texts(mo)]
            ).press("Give all 3 dates back")
            try await site.register([try await site.child("Zoe", of: .cleo)], of: .cleo, at: dates[1])
            #expect(try await ana.visit(gone.path).text.contains("Others have them by now."))
            let late = try await gone.press("Undo: Mo")
            #expect(late.status == 409)
            #expect(try confirmed(site) == 1)
            #expect(try site.count(of: "event WHERE taken = 1") == 1)
        }
    }

    // MARK: What changes meanwhile

    @Test func `the cards of a term say that its dates are booked together`() async throws {
        for (booking, count) in [(Series.Booking.together, 3), (.each, 0)] {
            try await withTestSite { site in
                _ = try await term(site, booking, dates: 3)
                let cards = try await site.browser().visit("/events").html.all(ofClass: "card").map(\.text)
                #expect(cards.count == 3 && cards.filter { $0.contains("All dates together") }.count == count)
            }
        }
    }

    @Test func `a page from before the host chose all together books nothing and leads to all dates`() async throws {
        try await withTestSite { site in
            let (ben, dates) = try await term(site, .each, dates: 3)
            let two = try await children(["Mo", "Lu"], in: site)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/events/\(dates[0])").press("Register", filling: ["child": .texts([two[0]])])
            let form = try await ana.visit("/events/\(dates[1])").form(
                with: "Register", filling: ["child": .texts([two[1]])])
            // Of one date alone it changes all: no date of a series goes its own way.
            _ = try await ben.visit("/events/\(dates[2])/edit").press("Preview", filling: ["booking": "together"])
                .press("Publish the change")
            #expect(try site.count(of: "event WHERE booking = 'together'") == 3)
            let page = try await form.send(from: ana)
            #expect(page.status == 422 && page.heading == "All dates together")
            #expect(page.problems == ["Families register for all dates together here. Nobody was registered so far."])
            #expect(try confirmed(site) == 1)
            // A child that held a single date keeps it, and gets the rest.
            let done = try await page.press("Register for all dates", filling: ["child": .texts(two)])
            #expect(done.text.contains("Your 4 dates") || done.text.contains("Your 3 dates"))
            #expect(try site.count(of: "event WHERE taken = 2") == 3)
        }
    }

    @Test func `a date that was added or canceled since the page was drawn is said, and nothing booked`() async throws {
        try await withTestSite { site in
            let (ben, dates) = try await term(site, dates: 3)
            let mo = try await children(["Mo"], in: site)
            let ana = try await site.signIn(.ana, as: .parent)
            let old = try await ana.visit("/events/\(dates[0])/dates").form(
                with: "Register for all dates", filling: ["child": .texts(mo)])
            _ = try await ben.visit("/events/\(dates[0])/copy").press(
                "Publish these dates", filling: ["dates": "2027-06-26"])
            let added = try await old.send(from: ana)
            #expect(added.problems == ["These dates belong to it, too: June 26. Look at all dates again."])
            #expect(try confirmed(site) == 0)
            let page = try await ana.visit("/events/\(dates[0])/dates").form(
                with: "Register for all dates", filling: ["child": .texts(mo)])
            _ = try await ben.visit("/events/\(dates[1])/cancel").press(
                "Cancel the event", filling: ["reason": "Rain."])
            let canceled = try await page.send(from: ana)
            #expect(canceled.problems == ["A date has begun by now, or was canceled. Look at the dates again."])
            #expect(try confirmed(site) == 0)
            let done = try await canceled.press("Register for all dates")
            #expect(done.text.contains("Your 3 dates"))
        }
    }

    @Test func `a child that grows out of the ages before the last date can’t have all of them`() async throws {
        try await withTestSite { site in
            let (_, dates) = try await term(site, dates: 6) { $0.ageTo = 6 }
            _ = try await site.child("Mo", of: .ana, month: 3, year: 2020)
            let lu = try await site.child("Lu", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/events/\(dates[0])/dates")
            #expect(page.text.contains("7 years on April 3: this event is for up to 6 years"))
            let mo: ID<Child>? = try site.read { db in try db.value("SELECT id FROM child WHERE nickname = 'Mo'") }
            let token = try #require(page.value(of: "csrf"))
            let forced = try await ana.submit(
                "/events/\(dates[0])/registrations",
                [("csrf", token), ("several", "1"), ("child", "\(try #require(mo))")]
                    + dates.map { ("dates", "\($0)") })
            #expect(forced.status == 422)
            #expect(try confirmed(site) == 0)
            _ = try await page.press("Register for all dates", filling: ["child": .texts(["\(lu)"])])
            #expect(try confirmed(site) == 6)
        }
    }

    // MARK: Further dates and children

    @Test func `further dates and children are one press away from a place, and what is booked is marked`() async throws
    {
        try await withTestSite { site in
            let (_, dates) = try await term(site, .each, dates: 4)
            let two = try await children(["Mo", "Lu"], in: site)
            let ana = try await site.signIn(.ana, as: .parent)
            let place = try await ana.visit("/events/\(dates[1])").press(
                "Register", filling: ["child": .texts([two[0]])])
            #expect(try await place.follow("Add another child").path.hasPrefix("/events/\(dates[1])"))
            let page = try await place.follow("Also these dates")
            #expect(page.heading == "Several dates at once")
            #expect(page.text.contains("Registered: Mo · 19 places left"))
            // The child that has a place there is ticked already; the dates are the family's to choose.
            let none = try await page.press("Register for these dates")
            #expect(none.problems == ["Choose the dates on which they come."])
            let done = try await none.press(
                "Register for these dates",
                filling: ["child": .texts(two), "dates": .texts(dates[1...2].map { "\($0)" })])
            #expect(done.text.contains("Your 3 dates"))
            #expect(try site.count(of: "event WHERE taken = 2") == 2)
            #expect(try site.count(of: "event WHERE taken = 0") == 2)
        }
    }

    @Test func `the children and dates that were chosen come back with the child that was added meanwhile`()
        async throws
    {
        try await withTestSite { site in
            let (_, dates) = try await term(site, .either, dates: 3)
            let two = try await children(["Mo", "Lu"], in: site)
            let some = dates[1...2].map { "\($0)" }
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/events/\(dates[0])/dates").press(
                "Add another child", filling: ["child": .texts([two[1]]), "dates": .texts(some)])
            #expect(form.path == "/me/children/new")
            let page = try await form.press(
                "Save", filling: ["nickname": "Zoe", "birth_month": "3", "birth_year": "2021"])
            #expect(page.status == 200 && page.problems.isEmpty && page.text.contains("Zoe"))
            #expect(page.values(of: "child") == [two[1]] && page.values(of: "dates") == some)
            #expect(try site.count(of: "registration") == 0)
            _ = try await page.press("Register for these dates")
            #expect(try confirmed(site) == 2)
        }
    }

    @Test func `either: all dates at once, or one`() async throws {
        try await withTestSite { site in
            let (_, dates) = try await term(site, .either, dates: 3)
            let mo = try await children(["Mo"], in: site)
            try await leave(0, of: 1, at: dates[2], in: site)
            let ana = try await site.signIn(.ana, as: .parent)
            let event = try await ana.visit("/events/\(dates[0])")
            _ = try await event.press("Register", filling: ["child": .texts(mo)])
            #expect(try confirmed(site) == 2)
            // Those without room aren't ticked.
            let done = try await event.press("Or register for all 3 dates at once").press(
                "Register for these dates")
            #expect(done.text.contains("Your 2 dates"))
            #expect(try confirmed(site) == 3)
        }
    }

    @Test func `a parent who began with one date takes what was typed along to all of them`() async throws {
        try await withTestSite { site in
            let (_, dates) = try await term(site, .either, dates: 3)
            let line = Ask(content: .init(kind: .line, text: "Who fetches them?", why: "So that we know."))
            try await site.write { db in try Ask.save([line], of: dates[0], in: db) }
            let two = try await children(["Mo", "Lu"], in: site)
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/events/\(dates[0])").press(
                "Or register for all 3 dates at once",
                filling: ["child": .texts([two[1]]), "answer.0.line": "Grandma"])
            #expect(page.status == 200 && page.heading == "Several dates at once" && page.problems.isEmpty)
            #expect(page.values(of: "child") == [two[1]] && page.values(of: "dates") == dates.map { "\($0)" })
            #expect(page.value(of: "answer.0.line") == "Grandma")
            #expect(try confirmed(site) == 0)
            _ = try await page.press("Register for these dates")
            #expect(try confirmed(site) == 3)
        }
    }

    // MARK: Races

    @Test func `families racing for whole terms get whole terms, and no date is oversold`() async throws {
        try await withTestSite { site in
            let (_, dates) = try await term(site, dates: 4) { $0.spots = 3 }
            var forms: [(browser: Browser, form: PageForm)] = []
            for number in 1...12 {
                let child = try await site.child("Child \(number)", of: .family(number))
                let browser = try await site.signIn(.family(number), as: .parent)
                let page = try await browser.visit("/events/\(dates[number % 4])/dates")
                forms.append(
                    (browser, try page.form(with: "Register for all dates", filling: ["child": .texts(["\(child)"])])))
            }
            let racers = forms
            let won = try await withThrowingTaskGroup(of: Bool.self) { group in
                for (browser, form) in racers {
                    group.addTask { try await form.send(from: browser).path.hasPrefix("/registrations/") }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(won == 3)
            #expect(try confirmed(site) == 12)
            #expect(try site.count(of: "event WHERE taken = 3") == 4)
            #expect(try site.count(of: "registration_person") == 12)
        }
    }
}
