import Database
import Forms
import Testing

@testable import App

/// Places held for families that need help with the fee.
@Suite struct HoldTests {
    /// *Kite day* of Ben’s on March 27 at 10 dollars, some of whose places are held until the end of March 24; it is
    /// March 20.
    private func holding(
        _ site: TestSite, _ places: Int, of spots: Int, _ change: (inout EventForm) -> Void = { _ in }
    ) async throws -> ID<Event> {
        let event = try await site.publish(by: .ben) { form in
            (form.spots, form.price) = (spots, "10")
            change(&form)
        }
        try await hold(places, at: event, site)
        return event
    }

    private func hold(_ places: Int, at event: ID<Event>, _ site: TestSite) async throws {
        let until = Zone(stored: "America/Los_Angeles").instant(Day(iso: "2027-03-25")!, .midnight)
        try await site.write(at: site.clock.now) { tx in try Hold.set(places, until: until, at: event, in: tx) }
    }

    /// Registers children past every page.
    @discardableResult private func register(
        _ children: [ID<Child>], of person: Person, at event: ID<Event>, needsHelp: Bool = false, waits: Bool = false,
        _ site: TestSite
    ) async throws -> ID<Registration> {
        let (account, now, once) = (try await site.account(of: person), site.clock.now, Submission<HoldForm>().once)
        return try await site.write(at: now) { tx in
            try Registration.register(
                children, of: account, at: event, waits: waits, needsHelp: needsHelp, sharesNotes: false,
                once: once, in: tx)
        }
    }

    private func giveBack(_ party: ID<Registration>, of person: Person, _ site: TestSite) async throws {
        let (account, now) = (try await site.account(of: person), site.clock.now)
        try await site.write(at: now) { tx in try Registration.giveBack(party, children: [], of: account, in: tx) }
    }

    /// What is taken, what is held and free, and what families have of it: always as many as there are rows.
    private func state(of event: ID<Event>, _ site: TestSite) throws -> [Int] {
        try site.read { db in
            let hold = try Hold.find(at: event, in: db)
            let taken: Int = try db.value("SELECT taken FROM event WHERE id = \(event)") ?? 0
            let people: Int =
                try db.value(
                    """
                    SELECT count(*) FROM registration_person
                    JOIN registration ON registration.id = registration_person.registration_id
                    WHERE registration.event_id = \(event) AND registration.state IN ('confirmed', 'offered')
                        AND registration_person.cancelled_at IS NULL
                    """) ?? 0
            #expect(taken == people + (hold?.free ?? 0))
            return [taken, hold?.free ?? 0, hold?.taken ?? 0]
        }
    }

    private func states(_ site: TestSite) throws -> [String] {
        try site.read { db in try db.all("SELECT state FROM registration ORDER BY id") { try $0.next() } }
    }

    // MARK: Families

    @Test func `fifty families race for ten open and five held places: no more of either, none is lost`() async throws {
        try await withTestSite { site in
            var racers: [(browser: Browser, child: ID<Child>, token: String, needsHelp: Bool)] = []
            for number in 1...50 {
                let child = try await site.child("Child \(number)", of: .family(number))
                let browser = try await site.signIn(.family(number), as: .parent)
                let token = try #require(try await browser.visit("/me/settings").value(of: "csrf"))
                racers.append((browser, child, token, number % 5 < 2))
            }
            for _ in 1...5 {
                let event = try await holding(site, 5, of: 15)
                let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for racer in racers {
                        group.addTask {
                            let help = racer.needsHelp ? [("needs_help", "1")] : []
                            let page = try await racer.browser.submit(
                                "/events/\(event)/registrations",
                                [
                                    ("csrf", racer.token), ("child", "\(racer.child)"),
                                    ("once", Submission<RegistrationForm>().once),
                                ] + help)
                            if page.status == 303 { return page.location?.hasPrefix("/registrations/") == true }
                            #expect(page.status == 422)
                            #expect(page.problems == ["There is no place left. Nobody was registered."])
                            return false
                        }
                    }
                    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(winners == 15)
                #expect(try state(of: event, site) == [15, 0, 5])
                #expect(try site.count(of: "registration WHERE event_id = \(event) AND held = 0") == 10)
                #expect(try site.count(of: "registration WHERE held > 0 AND NOT needs_help") == 0)
            }
        }
    }

    @Test func `without the check in the statement more held places are taken than there are`() async throws {
        try await withTestSite { site in
            let event = try await holding(site, 5, of: 15)
            var families: [ID<Account>] = []
            for number in 1...20 {
                try await site.child("Child", of: .family(number))
                families.append(try await site.account(of: .family(number)))
            }
            let now = site.clock.now
            // Everybody looks first and takes afterwards, as two statements of two transactions do.
            let free = try families.map { _ in
                try site.read { db in try db.value("SELECT held_free FROM event WHERE id = \(event)") ?? 0 }
            }
            try await withThrowingTaskGroup { group in
                for (family, seen) in zip(families, free) where seen >= 1 {
                    group.addTask {
                        try await site.write { db in
                            try db.execute("UPDATE event SET held_free = \(seen - 1) WHERE id = \(event)")
                            try db.execute(
                                """
                                INSERT INTO registration (
                                    event_id, account_id, state, needs_help, held, once, created_at, updated_at)
                                VALUES (\(event), \(family), 'confirmed', \(true), 1, 'twin', \(now), \(now))
                                """)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try site.count(of: "registration WHERE held = 1") > 5)
        }
    }

    @Test func `an event that was deleted comes back with its held places`() async throws {
        try await withTestSite { site in
            let event = try await holding(site, 2, of: 3)
            let before = try site.read { db in try Hold.find(at: event, in: db) }
            let ben = try await site.signIn(.ben, as: .provider)
            let deleted = try await ben.visit("/events/\(event)/cancel").press("Delete the event")
            _ = try await deleted.press("Undo: Kite day")
            #expect(try site.read { db in try Hold.find(at: event, in: db) } == before)
            #expect(try state(of: event, site) == [2, 2, 0])
            // Where its day came meanwhile, they are open to all.
            _ = try await ben.visit("/events/\(event)/cancel").press("Delete the event")
            let until = try #require(before?.until)
            try await site.execute("UPDATE undo SET ends_at = \(until + .days(1)) WHERE NOT is_done")
            site.clock.advance(by: until - site.clock.now + .minutes(1))
            let fresh = try await site.signIn(.ben, as: .provider)
            _ = try await fresh.visit("/me/events").press("Undo: Kite day")
            #expect(try state(of: event, site) == [0, 0, 0])
        }
    }

    @Test func `the table refuses more held places than are held, and more than are taken`() async throws {
        try await withTestSite { site in
            let event = try await holding(site, 2, of: 4)
            #expect(try state(of: event, site) == [2, 2, 0])
            for change in ["held_free = 3", "held_free = -1", "held = 1", "taken = 1", "taken = 5"] {
                await #expect(throws: (any Error).self, "\(change)") {
                    try await site.write { db in
                        switch change {
                        case "held_free = 3": try db.execute("UPDATE event SET held_free = 3")
                        case "held_free = -1": try db.execute("UPDATE event SET held_free = -1")
                        case "held = 1": try db.execute("UPDATE event SET held = 1")
                        case "taken = 1": try db.execute("UPDATE event SET taken = 1")
                        default: try db.execute("UPDATE event SET taken = 5")
                        }
                    }
                }
            }
        }
    }

    @Test func `held places are taken for everybody but who needs help, and no page of others tells them apart`()
        async throws
    {
        try await withTestSite { site in
            let event = try await holding(site, 1, of: 2)
            let mo = try await site.child("Mo", of: .ana)
            try await register([mo], of: .ana, at: event, site)
            let lu = try await site.child("Lu", of: .cleo)
            let kim = try await site.child("Kim", of: .family(1))
            let cleo = try await site.signIn(.cleo, as: .parent)
            let dan = try await site.signIn(.family(1), as: .parent)
            let paths = ["/events/\(event)", "/events", "/events/\(event).ics", "/api/events/\(event)", "/events.atom"]
            var before: [String] = []
            for path in paths { before.append(try await site.browser().visit(path).text) }
            #expect(before[0].contains("All 2 places are taken"))
            let full = try await cleo.visit("/events/\(event)")
            #expect(full.text.contains("All 2 places are taken") && full.text.contains("We need help with the fee"))
            let form = [
                ("csrf", full.value(of: "csrf") ?? ""), ("child", "\(lu)"), ("once", "much-the-same-as-others"),
            ]
            #expect(try await cleo.submit("/events/\(event)/registrations", form).status == 422)

            let done = try await dan.visit("/events/\(event)").press(
                "Join the waiting list", filling: ["child": ["\(kim)"], "needs_help": true])
            #expect(done.text.contains("Kim has a place"))
            #expect(try state(of: event, site) == [2, 0, 1])
            for (path, text) in zip(paths, before) {
                #expect(try await site.browser().visit(path).text == text, "\(path)")
            }
            let after = try await cleo.visit("/events/\(event)")
            #expect(after.text == full.text)
            let inbox = try await site.signIn(.ben, as: .provider).visit("/inbox")
            #expect(!inbox.text.contains("help with the fee"))
        }
    }

    @Test func `only the host reads who needs help: on the list, at the door and in the spreadsheet`() async throws {
        try await withTestSite { site in
            let event = try await holding(site, 1, of: 2)
            try await register([try await site.child("Mo", of: .ana)], of: .ana, at: event, needsHelp: true, site)
            try await register([try await site.child("Lu", of: .cleo)], of: .cleo, at: event, needsHelp: true, site)
            let ben = try await site.signIn(.ben, as: .provider)
            let list = "/events/\(event)/registrations"
            let page = try await ben.visit(list)
            #expect(page.text.contains("1 place held for help with the fee, 1 taken, until Wednesday, March 24"))
            #expect(page.text.matches(of: /Needs help with the fee/).count == 2)
            #expect(try await ben.visit(list + "?as=print").text.contains("Needs help with the fee"))
            #expect(try await ben.visit(list + "?as=csv").string.contains("Help with the fee"))
            for path in [list, "/events/\(event)/held"] {
                let other = try await site.signIn(.cleo, as: .provider).visit(path)
                #expect(other.status == 404, "\(path)")
            }
            let staff = try await site.signIn(.mira, isStaff: true)
            #expect(try await !staff.visit("/admin/events/\(event)").text.contains("help with the fee"))
        }
    }

    @Test func `the host reads in the waiting list who needs help, and invites them to what is held`() async throws {
        try await withTestSite { site in
            let event = try await holding(site, 1, of: 2)
            try await register([try await site.child("Kim", of: .family(1))], of: .family(1), at: event, site)
            try await register([try await site.child("Lu", of: .cleo)], of: .cleo, at: event, waits: true, site)
            let children = [try await site.child("Mo", of: .ana), try await site.child("Ada", of: .ana)]
            let party = try await register(children, of: .ana, at: event, needsHelp: true, waits: true, site)
            #expect(try states(site) == ["confirmed", "waiting", "waiting"])
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/events/\(event)/waiting")
            #expect(page.text.matches(of: /Needs help with the fee/).count == 1)
            // One of two is held for them, so there is one too few for each of the two families.
            #expect(page.text.matches(of: /inviting them makes it 3 places/).count == 2)
            let csrf = try #require(page.value(of: "csrf"))
            let done = try await ben.submit(
                "/events/\(event)/waiting", [("csrf", csrf), ("registration", "\(party)")])
            #expect(done.status == 303)
            #expect(try states(site) == ["confirmed", "waiting", "offered"])
            #expect(try state(of: event, site) == [3, 0, 1])
            #expect(try site.count(of: "event WHERE spots = 3") == 1)
        }
    }

    @Test func `all of a party have a place or nobody, of open and held ones together`() async throws {
        try await withTestSite { site in
            let event = try await holding(site, 2, of: 3)
            var children: [ID<Child>] = []
            for number in 1...4 { children.append(try await site.child("Kid \(number)", of: .ana)) }
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            let all = children
            await #expect(throws: Event.NoRoom.self) {
                _ = try await site.write(at: now) { tx in
                    try Registration.insert(all, of: account, at: event, needsHelp: true, once: "all-four", in: tx)
                }
            }
            #expect(try state(of: event, site) == [2, 2, 0])
            try await register(Array(children.prefix(3)), of: .ana, at: event, needsHelp: true, site)
            #expect(try state(of: event, site) == [3, 0, 2])
        }
    }

    @Test func `who says it where nothing is held is as everybody else, and nothing is noted`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { ($0.spots, $0.price) = (1, "10") }
            let ana = try await site.signIn(.ana, as: .parent)
            let mo = try await site.child("Mo", of: .ana)
            #expect(try await !ana.visit("/events/\(event)").text.contains("We need help with the fee"))
            try await register([mo], of: .ana, at: event, needsHelp: true, site)
            #expect(try site.count(of: "registration WHERE needs_help") == 0)
        }
    }

    @Test func `a family sees that it asked for help, takes that back, and keeps its place`() async throws {
        try await withTestSite { site in
            let event = try await holding(site, 1, of: 1)
            let party = try await register(
                [try await site.child("Mo", of: .ana)], of: .ana, at: event, needsHelp: true, site)
            let rest = try await register(
                [try await site.child("Lu", of: .ana)], of: .ana, at: event, needsHelp: true, waits: true, site)
            #expect(try state(of: event, site) == [1, 0, 1])
            let other = try await site.signIn(.cleo, as: .parent)
            let token = try #require(try await other.visit("/me/settings").value(of: "csrf"))
            #expect(try await other.submit("/registrations/\(party)/help", [("csrf", token)]).status == 404)
            #expect(try site.count(of: "registration WHERE needs_help") == 2)

            let ana = try await site.signIn(.ana, as: .parent)
            let button = "We don’t need it anymore"
            let waiting = try await ana.visit("/registrations/\(rest)")
            #expect(waiting.text.contains("no held place is offered to you from then on"))
            let page = try await ana.visit("/registrations/\(party)")
            #expect(page.text.contains("You said that you need help with the fee. Only the host reads that."))
            let done = try await page.press(button)
            #expect(done.text.contains("Mo has a place") && !done.buttons.contains(button))
            #expect(try await page.press(button).status == 200, "pressed once more")
            #expect(try site.count(of: "registration WHERE needs_help") == 0, "nor for who waits")
            #expect(try state(of: event, site) == [1, 0, 1])
            #expect(try states(site) == ["confirmed", "waiting"])
            let list = try await site.signIn(.ben, as: .provider).visit("/events/\(event)/registrations")
            #expect(!list.text.contains("Needs help with the fee"))

            // What it gives back is held again, and which place was held is forgotten with the rest.
            try await giveBack(rest, of: .ana, site)
            try await giveBack(party, of: .ana, site)
            #expect(try state(of: event, site) == [1, 1, 0])
            try await register([try await site.child("Kim", of: .cleo)], of: .cleo, at: event, needsHelp: true, site)
            let (cleo, now) = (try await site.account(of: .cleo), site.clock.now)
            try await site.write(at: now + .days(60)) { tx in
                try Hold.takeBack(at: event, of: cleo, in: tx)
                _ = try Hold.eraseOld(in: tx)
            }
            #expect(try site.count(of: "registration WHERE held > 0") == 0)
        }
    }

    // MARK: Giving back, and the day

    @Test func `what is given back is held again, and open to those who wait once the day is over`() async throws {
        try await withTestSite { site in
            let event = try await holding(site, 1, of: 2)
            try await register([try await site.child("Mo", of: .ana)], of: .ana, at: event, site)
            let party = try await register(
                [try await site.child("Kim", of: .family(1))], of: .family(1), at: event, needsHelp: true, site)
            try await register(
                [try await site.child("Lu", of: .cleo)], of: .cleo, at: event, waits: true, site)
            #expect(try state(of: event, site) == [2, 0, 1])
            try await giveBack(party, of: .family(1), site)
            #expect(try state(of: event, site) == [2, 1, 0])
            #expect(try states(site) == ["confirmed", "cancelled", "waiting"])
            // A guest of the host has no held place.
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/events/\(event)/registrations").text.contains("2 of 2 places taken"))

            site.clock.advance(by: .days(6))
            try await site.write(at: site.clock.now) { tx in _ = try Registration.tidyWaiting(in: tx) }
            #expect(try state(of: event, site) == [2, 0, 0])
            #expect(try states(site) == ["confirmed", "cancelled", "offered"])
            #expect(try site.count(of: "letter WHERE kind = 'offered'") == 1)
        }
    }

    @Test func `a held place that is given back goes to the first in line who needs help`() async throws {
        try await withTestSite { site in
            let event = try await holding(site, 1, of: 1)
            let party = try await register(
                [try await site.child("Kim", of: .family(1))], of: .family(1), at: event, needsHelp: true, site)
            try await register([try await site.child("Lu", of: .cleo)], of: .cleo, at: event, waits: true, site)
            try await register(
                [try await site.child("Mo", of: .ana)], of: .ana, at: event, needsHelp: true, waits: true, site)
            try await giveBack(party, of: .family(1), site)
            #expect(try states(site) == ["cancelled", "waiting", "offered"])
            #expect(try state(of: event, site) == [1, 0, 1])
            // No answer gives it back to what is held.
            site.clock.advance(by: .hours(25))
            try await site.write(at: site.clock.now) { tx in _ = try Registration.tidyWaiting(in: tx) }
            #expect(try states(site) == ["cancelled", "waiting", "cancelled"])
            #expect(try state(of: event, site) == [1, 1, 0])
        }
    }

    @Test func `a held place that was promised is promised again when a hidden event is shown`() async throws {
        try await withTestSite { site in
            let event = try await holding(site, 1, of: 1)
            let party = try await register(
                [try await site.child("Kim", of: .family(1))], of: .family(1), at: event, needsHelp: true, site)
            try await register(
                [try await site.child("Mo", of: .ana)], of: .ana, at: event, needsHelp: true, waits: true, site)
            try await giveBack(party, of: .family(1), site)
            #expect(try states(site) == ["cancelled", "offered"])
            let now = site.clock.now
            try await site.write(at: now) { tx in
                try Event.hide(event, at: tx.now, in: tx)
                _ = try Registration.tidyWaiting(in: tx)
            }
            #expect(try states(site) == ["cancelled", "waiting"])
            #expect(try state(of: event, site) == [1, 1, 0])
            try await site.write(at: now) { tx in
                try Event.hide(event, at: nil, in: tx)
                _ = try Registration.tidyWaiting(in: tx)
            }
            #expect(try states(site) == ["cancelled", "offered"])
            #expect(try state(of: event, site) == [1, 0, 1])
        }
    }

    @Test func `who comes in the minute after the day has a place, behind those who wait`() async throws {
        try await withTestSite { site in
            let event = try await holding(site, 2, of: 2)
            try await register([try await site.child("Lu", of: .cleo)], of: .cleo, at: event, waits: true, site)
            site.clock.advance(by: .days(5))
            try await register([try await site.child("Mo", of: .ana)], of: .ana, at: event, site)
            #expect(try states(site) == ["offered", "confirmed"])
            #expect(try state(of: event, site) == [2, 0, 0])
        }
    }

    // MARK: The host

    @Test func `the host holds places on a page, no more than are free, and changes how many`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { ($0.spots, $0.price) = (3, "10") }
            try await register([try await site.child("Mo", of: .ana)], of: .ana, at: event, site)
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/events/\(event)/registrations").follow(
                "Hold places for families that need help")
            let many = try await page.press("Save", filling: ["places": "3"])
            #expect(many.problems == ["At most 2 places can be held: the others are taken."])
            #expect(try state(of: event, site) == [1, 0, 0])
            let late = try await many.press("Save", filling: ["places": "2", "last_day": "2027-03-01"])
            #expect(late.problems == ["Choose a date that is still to come."])
            // A week before March 27 is today.
            let saved = try await late.press("Save", filling: ["places": "2", "last_day": ""])
            #expect(saved.text.contains("2 places held for help with the fee, 0 taken, until Saturday, March 20"))
            #expect(try state(of: event, site) == [3, 2, 0])

            try await register(
                [try await site.child("Lu", of: .cleo)], of: .cleo, at: event, needsHelp: true, site)
            #expect(try state(of: event, site) == [3, 1, 1])
            let again = try await ben.visit("/events/\(event)/held")
            #expect(again.value(of: "places") == "2" && again.value(of: "last_day") == "2027-03-20")
            let none = try await again.press("Save", filling: ["places": ""])
            #expect(try state(of: event, site) == [2, 0, 1])
            #expect(none.link("Hold places for families that need help") != nil && !none.text.contains("places held"))
            #expect(try site.count(of: "registration WHERE state = 'confirmed'") == 2)
        }
    }

    @Test func `no places are held where there is no price, or where they are given out in another way`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { ($0.spots, $0.price) = (3, "0") }
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/events/\(event)/held")
            #expect(page.text.contains("Only an event with a price can hold some.") && !page.buttons.contains("Save"))
            let pairs = [
                ("csrf", page.value(of: "csrf") ?? ""), ("places", "1"), ("once", "held-by-hand-and-not-asked"),
            ]
            #expect(try await ben.submit("/events/\(event)/held", pairs).status == 422)
            #expect(try state(of: event, site) == [0, 0, 0])
            let stored = try site.read { db in try Event.find(event, in: db) }
            var priced = try #require(stored)
            priced.admission.price = Money(minorUnits: 1_000, currency: "USD")
            let now = site.clock.now
            #expect(Hold.refusal(at: priced, isDrawn: false, now: now) == nil)
            #expect(Hold.refusal(at: priced, isDrawn: true, now: now) != nil)
            #expect(Hold.refusal(at: priced, isDrawn: false, now: priced.startsAt) != nil)
            var camp = priced
            camp.admission.hasSessions = true
            var term = priced
            (term.series, term.admission.booking) = (event, .together)
            for other in [camp, term] { #expect(Hold.refusal(at: other, isDrawn: false, now: now) != nil) }
        }
    }

    @Test func `an event that holds places is in no draw, and has no fewer places than are taken and held`()
        async throws
    {
        try await withTestSite { site in
            let event = try await holding(site, 2, of: 3)
            let (host, now) = (try await site.account(of: .ben), site.clock.now)
            let plain = try await site.publish(by: .ben) { ($0.spots, $0.price) = (3, "10") }
            let drawable = try site.read(at: now) { tx in try Draw.candidates(of: host, in: tx) }
            #expect(drawable.map(\.id) == [plain])
            let stored = try site.read { db in try Event.find(event, in: db) }
            var fewer = try #require(stored)
            fewer.admission.spots = 1
            let lowered = fewer
            await #expect(throws: Event.TooManyRegistered.self) {
                try await site.write(at: now) { tx in try Event.update(lowered, in: tx) }
            }
            // Without a price nobody needs help with it.
            var free = try #require(stored)
            free.admission.price = Money(minorUnits: 0, currency: "USD")
            let given = free
            try await site.write(at: now) { tx in try Event.update(given, in: tx) }
            #expect(try state(of: event, site) == [0, 0, 0])
        }
    }

    @Test func `dates that families register for together hold no places, and where all may come nobody needs any`()
        async throws
    {
        try await withTestSite { site in
            let event = try await holding(site, 2, of: 4)
            let ben = try await site.signIn(.ben, as: .provider)
            let copies = try await ben.visit("/events/\(event)/copy").press(
                "Fill in these dates", filling: ["every": "week", "times": "2", "booking": "each"])
            _ = try await copies.press("Publish these dates")
            let dates: [ID<Event>] = try site.read { db in
                try db.all("SELECT id FROM event ORDER BY starts_at, id LIMIT 9") { try $0.next() }
            }
            #expect(dates.count == 3)
            try await hold(1, at: dates[2], site)
            #expect(try state(of: event, site) == [2, 2, 0] && state(of: dates[2], site) == [1, 1, 0])
            let stored = try site.read { db in try Event.find(event, in: db) }
            var term = try #require(stored)
            term.admission.booking = .together
            let together = term
            try await site.write(at: site.clock.now) { tx in try Series.update(together, .one, in: tx) }
            for date in dates { #expect(try state(of: date, site) == [0, 0, 0]) }

            let open = try await site.publish(by: .ben) { ($0.spots, $0.price) = (nil, "10") }
            try await hold(0, at: open, site)
            #expect(try state(of: open, site) == [0, 0, 0])
        }
    }

    @Test func `a guest of the host and somebody without a registration have no held place`() async throws {
        try await withTestSite { site in
            let event = try await holding(site, 1, of: 1)
            let now = site.clock.now
            await #expect(throws: Event.NoRoom.self) {
                try await site.write(at: now) { tx in try Roster.count(walkIns: 1, at: event, in: tx) }
            }
            let stored = try site.read { db in try Event.find(event, in: db) }
            let found = try #require(stored)
            await #expect(throws: (any Error).self) {
                _ = try await site.write(at: now) { tx in
                    try Guest.add(GuestForm(name: "Noor"), to: .event(found), once: "guest", in: tx)
                }
            }
            #expect(try state(of: event, site) == [1, 1, 0])
        }
    }

    @Test func `which family needed help is forgotten 30 days after the event, also by families that keep the past`()
        async throws
    {
        try await withTestSite { site in
            let event = try await holding(site, 1, of: 1)
            try await register([try await site.child("Mo", of: .ana)], of: .ana, at: event, needsHelp: true, site)
            try await site.execute("UPDATE family SET keeps_past = TRUE")
            for (days, left) in [(36, 1), (2, 0)] {
                site.clock.advance(by: .days(days))
                try await site.write(at: site.clock.now) { tx in _ = try Hold.eraseOld(in: tx) }
                #expect(try site.count(of: "registration WHERE needs_help AND held = 1") == left, "\(days)")
            }
            #expect(try site.count(of: "registration") == 1)
        }
    }
}
