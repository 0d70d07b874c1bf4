import Database
import Forms
import Foundation
import Testing

@testable import App

/// Places that are drawn by lot: wishes, the hash, the seed, and what families get.
@Suite struct DrawTests {
    private static let job = "gave out places by lot"

    private func beat(_ site: TestSite) async {
        await Housekeeping(site: site.site).tidyUp(at: site.clock.now) { $0.name == Self.job }
    }

    /// A draw of Ben’s, with wishes until the end of March 22; it is March 20.
    private func draw(_ events: [ID<Event>], zips: String? = nil, in site: TestSite) async throws -> ID<Draw> {
        let (host, now) = (try await site.account(of: .ben), site.clock.now)
        var form = DrawForm()
        (form.title, form.events, form.firstZIPs) = ("Camps", events, zips)
        form.lastDay = Day(iso: "2027-03-22")
        let (filled, until) = (form, Draw.end(of: Day(iso: "2027-03-22")!, in: site.site.settings.zone))
        return try await site.write(at: now) { tx in
            try Draw.create(filled, until: until, of: host, once: "once", in: tx)
        }
    }

    /// What a family wishes, past the page.
    private func wish(
        _ lists: [(ID<Child>, [ID<Event>])], together: Bool = false, of person: Person, in draw: ID<Draw>,
        _ site: TestSite
    ) async throws {
        let (account, code) = (try await site.account(of: person), PrintedCode.fresh(Draw.codeLength))
        try await site.write { db in
            let sheet = try db.insert(
                """
                INSERT INTO wish_sheet (draw_id, account_id, code, together, updated_at)
                VALUES (\(draw), \(account), \(code), \(together), 1)
                """)
            for (number, list) in lists.enumerated() {
                for (rank, event) in list.1.enumerated() {
                    try db.execute(
                        """
                        INSERT INTO wish (sheet_id, number, rank, child_id, event_id)
                        VALUES (\(sheet), \(number + 1), \(rank + 1), \(list.0), \(event))
                        """)
                }
            }
        }
    }

    private func code(of person: Person, in site: TestSite) async throws -> String {
        let account = try await site.account(of: person)
        let code: String? = try site.read { db in
            try db.value("SELECT code FROM wish_sheet WHERE account_id = \(account)")
        }
        return try #require(code)
    }

    /// Lets the time pass, and draws.
    private func finish(_ draw: ID<Draw>, by seed: String = "6 6 1", in site: TestSite) async throws {
        site.clock.advance(by: .days(3))
        await beat(site)
        try await site.write(at: site.clock.now) { tx in try Draw.draw(draw, by: seed, in: tx) }
        await beat(site)
    }

    private func find(_ id: ID<Draw>, in site: TestSite) throws -> Draw {
        try #require(try site.read { db in try Draw.find(id, in: db) })
    }

    @Test func `from the form to the places: wishes, their hash, the seed once, and one letter`() async throws {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben) { $0.spots = 1 }
            let clay = try await site.publish(by: .ben) { ($0.title, $0.spots) = ("Clay day", 1) }
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await !ben.visit("/draws/new").text.contains("1 places"))
            let page = try await ben.visit("/me/events").follow("Draw places by lot").press(
                "Preview",
                filling: ["title": "Spring", "event": .texts(["\(kite)", "\(clay)"]), "until": "2027-03-22"]
            ).press("Publish the draw")
            #expect(page.path == "/draws/1" && page.text.contains("0 families sent wishes."))
            // Nobody registers meanwhile, by no way.
            let mo = try await site.child("Mo", of: .ana)
            let kim = try await site.child("Kim", of: .cleo)
            let (ana, cleo) = (try await site.signIn(.ana, as: .parent), try await site.signIn(.cleo, as: .parent))
            let shown = try await ana.visit("/events/\(kite)")
            #expect(shown.text.contains("Places are drawn by lot. Tell us your wishes until the end of"))
            #expect(!shown.buttons.contains("Register"))
            let form = [("csrf", shown.value(of: "csrf") ?? ""), ("once", "much-too-early-for-it"), ("child", "\(mo)")]
            #expect(try await ana.submit("/events/\(kite)/registrations", form).status == 422)
            await #expect(throws: Event.NoRoom.self) { try await site.register([mo], of: .ana, at: kite) }
            #expect(try site.count(of: "registration") == 0)
            // Both want the kite first.
            for (browser, again) in [(ana, true), (cleo, false)] {
                let saved = try await browser.visit("/events/\(kite)").follow("Tell us your wishes").press(
                    "Save our wishes", filling: ["wish.0.1": "\(kite)", "wish.0.2": "\(clay)"])
                #expect(saved.path == "/draws/1" && saved.text.contains("Your family’s code"))
                if again {
                    _ = try await saved.follow("Change your wishes").press("Take our wishes back")
                    #expect(try site.count(of: "wish_sheet") == 0 && site.count(of: "wish") == 0)
                    _ = try await browser.visit("/events/\(kite)/wishes").press(
                        "Save our wishes", filling: ["wish.0.1": "\(kite)", "wish.0.2": "\(clay)"])
                }
            }
            let counted = try await ben.visit("/draws/1")
            #expect(counted.text.contains("2 families sent wishes.") && !counted.text.contains("Ana"))
            #expect(try await ben.visit("/events/\(kite)/wishes").path.hasPrefix("/me/family"))
            #expect(try await site.browser().visit("/draws/1.json").status == 404)
            #expect(try await ben.visit("/draws/1/seed").path == "/draws/1")
            // The time is over.
            let late = try await ana.visit("/events/\(kite)/wishes")
            site.clock.advance(by: .days(3))
            #expect(try await late.press("Save our wishes").status == 422)
            await beat(site)
            let hash = try find(ID(1), in: site).hash
            let lottery = try site.read { db in try Lottery(of: ID(1), in: db) }
            #expect(hash == lottery.hash && lottery.units.count == 2)
            #expect(try await site.browser().visit("/draws/1").text.contains(hash))
            let json = try await site.browser().visit("/draws/1.json")
            #expect(json.status == 200 && !json.string.contains("Mo") && !json.string.contains("Ana"))
            // The number of places is published by now, and stays.
            let changed = try #require(try site.read { db in try Event.find(kite, in: db) })
            let now = site.clock.now
            await #expect(throws: Draw.KeepsPlaces.self) {
                try await site.write(at: now) { tx in
                    var event = changed
                    event.admission.spots = 5
                    try Event.update(event, in: tx)
                }
            }
            #expect(try await cleo.visit("/draws/1/seed").status == 404)
            let confirm = try await ben.visit("/draws/1").follow("Type the seed").press(
                "Look at it once more", filling: ["seed": "6 6 1"])
            #expect(try site.count(of: "draw WHERE seed IS NOT NULL") == 0)
            _ = try await confirm.press("Draw now")
            #expect(try await ben.visit("/draws/1/seed").path == "/draws/1")
            await #expect(throws: Refusal.overtaken(.draw(ID(1)))) {
                try await site.write(at: now) { tx in try Draw.draw(ID(1), by: "another", in: tx) }
            }
            await beat(site)
            #expect(try find(ID(1), in: site).doneAt != nil)
            // One has the kite, the other the clay, and waits for the kite.
            #expect(try site.count(of: "registration WHERE state = 'confirmed'") == 2)
            #expect(try site.count(of: "registration WHERE state = 'waiting' AND event_id = \(kite)") == 1)
            #expect(try site.count(of: "event WHERE taken = 1") == 2)
            #expect(try site.count(of: "registration_person WHERE child_id IN (\(mo), \(kim))") == 3)
            #expect(try site.count(of: "letter WHERE kind = 'drawn' AND detail = 'drawn'") == 2)
            #expect(try site.count(of: "notice WHERE kind = 'drawn' AND detail = 'drawn'") == 2)
            let got = try await ana.visit("/draws/1").text
            #expect(got.contains("What your family got") && got.contains("Mo · 1 place"))
            // Once more, and nothing happens.
            await beat(site)
            #expect(try site.count(of: "registration") == 3)
            // No form can have the `once` that they are remembered by. Otherwise a family, which knows its code, could
            // register elsewhere with it before, and the draw would never be completed.
            #expect(try site.count(of: "registration WHERE once LIKE 'draw.%'") == 3)
            let result = lottery.lines(of: lottery.result(seed: "6 6 1"))
            let after = try await site.browser().visit("/draws/1.json").string
            for line in result { #expect(after.contains(line)) }
            try await site.execute("UPDATE registration SET state = 'cancelled'")
            #expect(try await ana.visit("/draws/1").text.contains("Your family has no place at these events"))
        }
    }

    @Test func `what can't be is said: no event, one twice, others than brothers and sisters have together`()
        async throws
    {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben) { $0.spots = 1 }
            let clay = try await site.publish(by: .ben) { ($0.title, $0.spots) = ("Clay day", 3) }
            _ = try await draw([kite, clay], in: site)
            _ = try await site.child("Mo", of: .ana)
            _ = try await site.child("Lu", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            func problem(_ answers: [String: Filling]) async throws -> String {
                let page = try await ana.visit("/events/\(kite)/wishes").press("Save our wishes", filling: answers)
                return page.status == 422 ? page.problems.first ?? "" : "\(page.status)"
            }
            #expect(try await problem([:]) == "Choose an event for one of your children.")
            #expect(try await problem(["wish.0.1": "\(kite)", "wish.0.2": "\(kite)"]).contains("each event once"))
            let other: [String: Filling] = ["wish.0.1": "\(kite)", "wish.1.1": "\(clay)", "together": true]
            #expect(try await problem(other).contains("the same wishes"))
            let small: [String: Filling] = ["wish.0.1": "\(kite)", "wish.1.1": "\(kite)", "together": true]
            #expect(try await problem(small).contains("fewer places"))
            #expect(try site.count(of: "wish_sheet") == 0)
            let fine: [String: Filling] = ["wish.0.2": "\(clay)", "wish.1.1": "\(clay)", "together": true]
            #expect(try await problem(fine) == "200")
            #expect(try site.count(of: "wish WHERE rank = 1") == 2)
            // What was emptied is gone, and the other one’s stays.
            #expect(try await problem(["wish.1.1": ""]) == "200")
            #expect(try site.count(of: "wish") == 1)
        }
    }

    @Test func `wishes that aren’t saved come back with the child that was added meanwhile`() async throws {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben) { $0.spots = 3 }
            let clay = try await site.publish(by: .ben) { ($0.title, $0.spots) = ("Clay day", 3) }
            _ = try await draw([kite, clay], in: site)
            _ = try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/events/\(kite)/wishes").press(
                "Add another child", filling: ["wish.0.1": "\(clay)"])
            #expect(form.path == "/me/children/new")
            let page = try await form.press(
                "Save", filling: ["nickname": "Zoe", "birth_month": "1", "birth_year": "2021"])
            #expect(page.status == 200 && page.problems.isEmpty && page.text.contains("Zoe"))
            #expect(page.value(of: "wish.0.1") == "\(clay)" && page.value(of: "wish.1.1") == "")
            #expect(try site.count(of: "wish_sheet") == 0)
            let saved = try await page.press("Save our wishes", filling: ["wish.1.1": "\(kite)"])
            #expect(saved.path == "/draws/1", "\(saved.problems)")
            #expect(try site.count(of: "wish WHERE rank = 1") == 2)
        }
    }

    @Test func `brothers and sisters come together or not at all, and those nearby first`() async throws {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben) { $0.spots = 3 }
            let id = try await draw([kite], zips: "951", in: site)
            let (mo, lu) = (try await site.child("Mo", of: .ana), try await site.child("Lu", of: .ana))
            let far = (try await site.child("Kim", of: .cleo), try await site.child("Pat", of: .cleo))
            try await site.execute(
                "UPDATE family SET zip = '10001' WHERE account_id = \(try await site.account(of: .cleo))")
            try await wish([(far.0, [kite]), (far.1, [kite])], together: true, of: .cleo, in: id, site)
            try await wish([(mo, [kite]), (lu, [kite])], together: true, of: .ana, in: id, site)
            // A seed by which those far away would come first, if nobody nearby did.
            let (near, other) = (try await code(of: .ana, in: site), try await code(of: .cleo, in: site))
            let seed = try #require(
                (1...1_000).map { "\($0)" }.first { seed in
                    PublicHash.of("\(seed):\(other)") < PublicHash.of("\(seed):\(near)")
                })
            try await finish(id, by: seed, in: site)
            let ana = try await site.account(of: .ana)
            #expect(try site.count(of: "registration WHERE state = 'confirmed' AND account_id = \(ana)") == 1)
            #expect(try site.count(of: "registration WHERE state = 'waiting'") == 1)
            #expect(try site.count(of: "event WHERE taken = 2") == 1)
        }
    }

    @Test func `many families wait in the drawn order, and no event has more than its places`() async throws {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben) { $0.spots = 3 }
            let clay = try await site.publish(by: .ben) { ($0.title, $0.spots) = ("Clay day", 2) }
            let id = try await draw([kite, clay], in: site)
            for number in 1...9 {
                let child = try await site.child("Kid", of: .family(number))
                let wishes = number % 3 == 0 ? [clay, kite] : [kite, clay]
                try await wish([(child, wishes)], of: .family(number), in: id, site)
            }
            try await finish(id, by: "Lotto 4 8 15", in: site)
            let lottery = try site.read { db in try Lottery(of: id, in: db) }
            let result = lottery.result(seed: "Lotto 4 8 15")
            for event in [kite, clay] {
                let waiting: [String] = try site.read { db in
                    try db.all(
                        """
                        SELECT wish_sheet.code FROM registration
                        JOIN wish_sheet ON wish_sheet.account_id = registration.account_id
                        WHERE registration.event_id = \(event) AND registration.state = 'waiting'
                        ORDER BY registration.turn LIMIT 100
                        """
                    ) { try $0.next() }
                }
                #expect(waiting.map { "\($0)-1" } == (result.waiting[event] ?? []).map { lottery.units[$0].code })
            }
            #expect(try site.count(of: "event WHERE taken > spots") == 0)
            #expect(try site.count(of: "registration WHERE state = 'confirmed'") == 5)
        }
    }

    @Test func `after a crash it goes on where it was, and does nothing twice`() async throws {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben) { $0.spots = 1 }
            let id = try await draw([kite], in: site)
            for number in 1...3 {
                let child = try await site.child("Kid", of: .family(number))
                try await wish([(child, [kite])], of: .family(number), in: id, site)
            }
            site.clock.advance(by: .days(3))
            await beat(site)
            let now = site.clock.now
            try await site.write(at: now) { tx in try Draw.draw(id, by: "s", in: tx) }
            let (found, lottery) = (try find(id, in: site), try site.read { db in try Lottery(of: id, in: db) })
            let result = lottery.result(seed: "s")
            // Another node did the first step; this one knows nothing of it.
            for expected in [3, nil] {
                let reached = try await site.write(at: now) { tx in
                    try found.carryOut(lottery, result, from: 0, in: tx)
                }
                #expect(reached == expected)
            }
            #expect(try site.count(of: "registration") == 1)
            await beat(site)
            #expect(try site.count(of: "registration WHERE state = 'confirmed'") == 1)
            #expect(try site.count(of: "registration WHERE state = 'waiting'") == 2)
            #expect(try site.count(of: "letter WHERE kind = 'drawn'") == 3)
        }
    }

    @Test func `a family that lost its right is passed over, and the place is offered to the next`() async throws {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben) { $0.spots = 1 }
            let id = try await draw([kite], in: site)
            for number in 1...2 {
                let child = try await site.child("Kid", of: .family(number))
                try await wish([(child, [kite])], of: .family(number), in: id, site)
            }
            site.clock.advance(by: .days(3))
            await beat(site)
            let hash = try find(id, in: site).hash
            let lottery = try site.read { db in try Lottery(of: id, in: db) }
            let winner = lottery.units[lottery.result(seed: "s").order[0]].code
            // The child of the first lot leaves.
            try await site.execute(
                """
                DELETE FROM child WHERE id IN (SELECT wish.child_id FROM wish
                    JOIN draw_unit ON draw_unit.sheet_id = wish.sheet_id WHERE draw_unit.code = \(winner))
                """)
            try await site.write(at: site.clock.now) { tx in try Draw.draw(id, by: "s", in: tx) }
            await beat(site)
            #expect(try site.read { db in try Lottery(of: id, in: db).hash } == hash)
            #expect(try site.count(of: "registration WHERE state = 'confirmed'") == 0)
            #expect(try site.count(of: "registration WHERE state = 'offered'") == 1)
        }
    }

    @Test(arguments: [false, true])
    func `an event that staff hide before its places are given out loses nobody a place`(_ isSealed: Bool)
        async throws
    {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben) { $0.spots = 1 }
            let id = try await draw([kite], in: site)
            for number in 1...2 {
                let child = try await site.child("Kid", of: .family(number))
                try await wish([(child, [kite])], of: .family(number), in: id, site)
            }
            if isSealed {
                site.clock.advance(by: .days(3))
                await beat(site)
            }
            let now = site.clock.now
            try await site.write(at: now) { tx in try Event.hide(kite, at: tx.now, in: tx) }
            if isSealed {
                try await site.write(at: now) { tx in try Draw.draw(id, by: "6 6 1", in: tx) }
                await beat(site)
            } else {
                try await finish(id, in: site)
            }
            #expect(try find(id, in: site).doneAt != nil)
            #expect(try site.count(of: "event WHERE taken = 1") == 1)
            #expect(try site.count(of: "registration WHERE state = 'confirmed'") == 1)
            #expect(try site.count(of: "registration WHERE state = 'waiting'") == 1)
            // They read what became of their wishes, and that it isn't shown at the moment.
            #expect(try site.count(of: "notice WHERE kind = 'drawn' AND detail = 'drawn'") == 2)
            let told: SQL = """
                notice JOIN registration ON registration.id = notice.registration_id
                    AND registration.state = 'confirmed'
                WHERE notice.kind = 'hidden'
                """
            #expect(try site.count(of: told) == 1)
            // Shown again, it is as it was drawn.
            try await site.write(at: site.clock.now) { tx in try Event.hide(kite, at: nil, in: tx) }
            #expect(try site.count(of: "event WHERE listed AND taken = 1") == 1)
        }
    }

    @Test func `an event that is called off leaves the draw, before the hash and after it`() async throws {
        try await withTestSite { site in
            var events: [ID<Event>] = []
            for title in ["Kite day", "Clay day", "Tent day"] {
                events.append(try await site.publish(by: .ben) { ($0.title, $0.spots) = (title, 2) })
            }
            let id = try await draw(events, in: site)
            let mo = try await site.child("Mo", of: .ana)
            try await wish([(mo, events)], of: .ana, in: id, site)
            try await site.execute("UPDATE event SET cancelled_at = 1 WHERE id = \(events[0])")
            site.clock.advance(by: .days(3))
            await beat(site)
            #expect(try site.read { db in try Lottery(of: id, in: db).pots.map(\.event) } == Array(events[1...]))
            try await site.execute("UPDATE event SET cancelled_at = 1 WHERE id = \(events[1])")
            try await site.write(at: site.clock.now) { tx in try Draw.draw(id, by: "s", in: tx) }
            await beat(site)
            #expect(try site.count(of: "registration WHERE state = 'confirmed' AND event_id = \(events[2])") == 1)
            #expect(try site.count(of: "registration") == 1)
        }
    }

    @Test func `a family whose wish is called off in time is told, and chooses another; nobody else is`() async throws {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben) { $0.spots = 2 }
            let clay = try await site.publish(by: .ben) { ($0.title, $0.spots) = ("Clay day", 2) }
            let id = try await draw([kite, clay], in: site)
            let (mo, kim) = (try await site.child("Mo", of: .ana), try await site.child("Kim", of: .cleo))
            try await wish([(mo, [kite, clay])], of: .ana, in: id, site)
            try await wish([(kim, [clay])], of: .cleo, in: id, site)
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(kite)/cancel").press("Cancel the event", filling: ["reason": "Rain."])
            #expect(try site.count(of: "letter WHERE kind = 'drawn' AND detail = 'lost'") == 1)
            let ana = try await site.signIn(.ana, as: .parent)
            let inbox = try await ana.visit("/inbox")
            #expect(inbox.text.contains("One of your wishes is called off Kite day"))
            let page = try await inbox.follow("Unread: One of your wishes is called off")
            #expect(page.path == "/draws/\(id)")
            #expect(page.text.contains("One of your wishes is called off; choose another until the end of"))
            let cleo = try await site.signIn(.cleo, as: .parent)
            #expect(try await !cleo.visit("/draws/\(id)").text.contains("One of your wishes is called off"))
            // What is left moves up, and there are as many wishes as events.
            let form = try await page.follow("Change your wishes")
            #expect(form.value(of: "wish.0.1") == "\(clay)" && !form.string.contains("wish.0.2"))
            #expect(try await !form.press("Save our wishes").text.contains("One of your wishes is called off"))
            // Once the wishes stand still there is none to choose.
            site.clock.advance(by: .days(3))
            _ = try await ben.visit("/events/\(clay)/cancel").press("Cancel the event", filling: ["reason": "Rain."])
            #expect(try site.count(of: "letter WHERE kind = 'drawn' AND detail = 'lost'") == 1)
        }
    }

    @Test func `what was told of a draw that was called off leads to an event that takes place, else to the list`()
        async throws
    {
        try await withTestSite { site in
            for isAllOff in [false, true] {
                let kite = try await site.publish(by: .ben) { $0.spots = 2 }
                let clay = try await site.publish(by: .ben) { ($0.title, $0.spots) = ("Clay day", 2) }
                let ben = try await site.signIn(.ben, as: .provider)
                let made = try await ben.visit("/draws/new").press(
                    "Preview",
                    filling: ["title": "Spring", "event": .texts(["\(kite)", "\(clay)"]), "until": "2027-03-22"]
                ).press("Publish the draw")
                if !isAllOff { _ = try await site.child("Mo", of: .ana) }
                let ana = try await site.signIn(.ana, as: .parent)
                _ = try await ana.visit("/events/\(kite)/wishes").press(
                    "Save our wishes", filling: ["wish.0.1": "\(kite)"])
                for event in isAllOff ? [kite, clay] : [kite] {
                    try await site.execute("UPDATE event SET cancelled_at = 1 WHERE id = \(event)")
                }
                let off = try await ben.visit(made.path).press("Call it off")
                #expect(off.flash == "The draw was called off.")
                for told in ["Your wishes are in", "The draw was called off"] {
                    let page = try await ana.visit("/inbox").follow("Unread: \(told)")
                    #expect(page.status == 200 && page.path == (isAllOff ? "/events" : "/events/\(clay)"), "\(told)")
                }
            }
        }
    }

    @Test func `wishes that come too late are refused in words, beside those that count`() async throws {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben) { $0.spots = 2 }
            let clay = try await site.publish(by: .ben) { ($0.title, $0.spots) = ("Clay day", 2) }
            let id = try await draw([kite, clay], in: site)
            let mo = try await site.child("Mo", of: .ana)
            try await site.child("Kim", of: .cleo)
            try await wish([(mo, [clay])], of: .ana, in: id, site)
            let ana = try await site.signIn(.ana, as: .parent)
            let cleo = try await site.signIn(.cleo, as: .parent)
            let (form, first) = (
                try await ana.visit("/events/\(kite)/wishes"), try await cleo.visit("/events/\(kite)/wishes")
            )
            // The event one came from is the first wish of an only child.
            #expect(first.value(of: "wish.0.1") == "\(kite)")
            site.clock.advance(by: .days(3))
            await beat(site)
            let late = try await form.press("Save our wishes", filling: ["wish.0.1": "\(kite)"])
            let ended = "The time for wishes ended on Monday, March 22, 2027."
            #expect(late.status == 422)
            #expect(late.problems == ["\(ended) This was not saved; your earlier wishes count."])
            // What was typed is there, and can't be sent once more.
            #expect(late.value(of: "wish.0.1") == "\(kite)" && !late.buttons.contains("Save our wishes"))
            let taken = try await form.press("Take our wishes back")
            #expect(taken.flash == "The time was over; your earlier wishes count.")
            let own = taken.html.all("section").first { $0["aria-labelledby"] == "wished" }
            #expect(own?.text == "Your wishes Mo Clay day")
            let none = try await first.press("Save our wishes")
            #expect(none.status == 422 && none.problems == ["\(ended) Nothing was saved."])
            #expect(try site.count(of: "wish WHERE event_id = \(clay)") == 1 && site.count(of: "wish") == 1)
        }
    }

    @Test func `the page of an event that is drawn speaks of wishes and not of registering`() async throws {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben) { $0.spots = 2 }
            let id = try await draw([kite], in: site)
            let mo = try await site.child("Mo", of: .ana)
            let (ana, nobody) = (try await site.signIn(.ana, as: .parent), site.browser())
            let outside = try await nobody.visit("/events/\(kite)")
            #expect(outside.link("Log in to tell your wishes") != nil)
            #expect(!outside.text.contains("2 places left") && !outside.text.contains("Log in to register"))
            #expect(try await ana.visit("/events/\(kite)").link("Tell us your wishes") != nil)
            try await wish([(mo, [kite])], of: .ana, in: id, site)
            let inside = try await ana.visit("/events/\(kite)")
            #expect(inside.text.contains("Your wishes are in.") && inside.link("Change your wishes") != nil)
            let form = try await inside.follow("Change your wishes")
            #expect(try await form.press("Take our wishes back").flash == "Your wishes are taken back.")
            site.clock.advance(by: .days(3))
            #expect(try await nobody.visit("/events/\(kite)").link("Log in to tell your wishes") == nil)
        }
    }

    @Test func `called off, it erases the wishes, tells families, and events are open again`() async throws {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben)
            let id = try await draw([kite], in: site)
            let mo = try await site.child("Mo", of: .ana)
            try await wish([(mo, [kite])], of: .ana, in: id, site)
            let ben = try await site.signIn(.ben, as: .provider)
            let cleo = try await site.signIn(.cleo, as: .provider)
            #expect(try await !cleo.visit("/draws/\(id)").buttons.contains("Call it off"))
            _ = try await ben.visit("/draws/\(id)").press("Call it off")
            #expect(try site.count(of: "draw") == 0 && site.count(of: "wish") == 0)
            #expect(try site.count(of: "letter WHERE kind = 'drawn' AND detail = 'off'") == 1)
            #expect(try await site.register([mo], of: .ana, at: kite).rawValue > 0)
        }
    }

    @Test func `what staff do to a draw of somebody stands in their log, and what its host does doesn't`()
        async throws
    {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben)
            let clay = try await site.publish(by: .ben) { $0.title = "Clay day" }
            let first = try await draw([kite], in: site)
            let (host, now) = (try await site.account(of: .ben), site.clock.now)
            let second = try await site.write(at: now) { tx in
                var form = DrawForm()
                (form.title, form.events, form.lastDay) = ("Clay", [clay], Day(iso: "2027-03-22"))
                return try Draw.create(form, until: tx.now + .days(2), of: host, once: "other", in: tx)
            }
            let admin = try await site.signIn(.mira, role: .admin)
            _ = try await admin.visit("/draws/\(first)").press("Call it off")
            #expect(try site.count(of: "staff_act WHERE verb = 'end_draw' AND subject = 'Camps'") == 1)
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/draws/\(second)").press("Call it off")
            #expect(try site.count(of: "staff_act WHERE verb = 'end_draw'") == 1)
            #expect(try site.count(of: "draw") == 0)
        }
    }

    @Test func `a wish that waited while sealing began is too late, though it was sent in time`() async throws {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben)
            let id = try await draw([kite], in: site)
            let mo = try await site.child("Mo", of: .ana)
            let (account, family) = (try await site.account(of: .ana), try await site.family(of: .ana))
            let (draw, sent) = (try find(id, in: site), site.clock.now)
            let sheet = try site.read { db in
                WishSheet(
                    draw, try Event.all([kite], in: db), children: try Child.all(of: family, in: db),
                    stored: [mo: [kite]])
            }
            try await site.write(at: sent) { tx in try sheet.save(of: account, in: tx) }
            _ = try await site.write(at: draw.until) { tx in try draw.seal(behind: nil, in: tx) }
            await #expect(throws: Refusal.tooLate) {
                try await site.write(at: sent) { tx in try sheet.save(of: account, in: tx) }
            }
            await #expect(throws: Refusal.tooLate) {
                try await site.write(at: sent) { tx in try sheet.withdraw(of: account, in: tx) }
            }
            #expect(try site.count(of: "wish") == 1)
        }
    }

    @Test func `a draw that was extended in the last second isn't sealed by a node that read it before`() async throws {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben)
            let id = try await draw([kite], in: site)
            let read = try find(id, in: site)
            let (day, later) = (Day(iso: "2027-03-23")!, read.until + .days(1))
            try await site.write(at: read.until - .seconds(1)) { tx in
                _ = try read.extend(to: day, until: later, in: tx)
            }
            let last = try await site.write(at: read.until) { tx in
                let last = try read.seal(behind: nil, in: tx)
                try read.publish("hash", in: tx)
                return last
            }
            #expect(last == nil)
            #expect(try site.count(of: "draw_event WHERE places IS NOT NULL") == 0)
            #expect(try find(id, in: site).phase(at: read.until) == .open)
        }
    }

    @Test func `the places that a draw has published stay, also for a host who pressed just before`() async throws {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben)
            let id = try await draw([kite], in: site)
            let read = try find(id, in: site)
            _ = try await site.write(at: read.until) { tx in try read.seal(behind: nil, in: tx) }
            let published = try #require(try site.read { db in try Event.find(kite, in: db) })
            // The form came in time and waited for the sealing.
            await #expect(throws: Draw.KeepsPlaces.self) {
                try await site.write(at: read.until - .seconds(1)) { tx in
                    var event = published
                    event.admission.spots = (event.spots ?? 0) + 1
                    try Event.update(event, in: tx)
                }
            }
            let now = site.clock.now
            #expect(try site.count(of: "event WHERE id = \(kite) AND spots = \(published.spots ?? 0)") == 1)
            // Everything else about it can still be changed.
            try await site.write(at: now) { tx in
                var event = published
                event.title = "Kites for all"
                try Event.update(event, in: tx)
            }
        }
    }

    @Test func `an event whose places are drawn isn't moved before the last day for wishes`() async throws {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben)
            _ = try await draw([kite], in: site)
            let ben = try await site.signIn(.ben, as: .provider)
            for (day, status) in [("2027-03-22", 422), ("2027-03-24", 200)] {
                let page = try await ben.visit("/events/\(kite)/edit").press("Preview", filling: ["date": .text(day)])
                    .press("Publish the change")
                #expect(page.status == status)
                #expect(try site.count(of: "event WHERE day = \(day)") == (status == 200 ? 1 : 0))
            }
        }
    }

    @Test func `an event whose places are drawn can be called off, and not deleted`() async throws {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben)
            let id = try await draw([kite], in: site)
            let mo = try await site.child("Mo", of: .ana)
            try await wish([(mo, [kite])], of: .ana, in: id, site)
            let ben = try await site.signIn(.ben, as: .provider)
            let token = try #require(try await ben.visit("/help").value(of: "csrf"))
            #expect(try await !ben.visit("/events/\(kite)/edit").buttons.contains("Delete the event"))
            #expect(try await ben.submit("/events/\(kite)/delete", [(name: "csrf", value: token)]).status == 403)
            #expect(try site.count(of: "event") == 1 && site.count(of: "wish") == 1)
            _ = try await ben.visit("/draws/\(id)").press("Call it off")
            #expect(try await ben.submit("/events/\(kite)/delete", [(name: "csrf", value: token)]).status == 303)
            #expect(try site.count(of: "event") == 0)
        }
    }

    @Test func `nobody who comes without a registration takes a place that is drawn`() async throws {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben) { $0.spots = 2 }
            let id = try await draw([kite], in: site)
            let (host, now) = (try await site.account(of: .ben), site.clock.now)
            await #expect(throws: Event.NoRoom.self) {
                try await site.write(at: now) { tx in try Roster.count(walkIns: 1, at: kite, in: tx) }
            }
            #expect(try site.count(of: "event WHERE taken = 0") == 1)
            // What was counted before can't be drawn: the list of the draw would promise it.
            try await site.write(at: now) { tx in
                try Draw.callOff(id, of: host, in: tx)
                #expect(try Draw.candidates(of: host, in: tx).map(\.id) == [kite])
                try Roster.count(walkIns: 1, at: kite, in: tx)
                #expect(try Draw.candidates(of: host, in: tx).isEmpty)
            }
        }
    }

    @Test func `a child that was removed by mistake comes back with its wishes`() async throws {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben) { $0.spots = 2 }
            let clay = try await site.publish(by: .ben) { ($0.title, $0.spots) = ("Clay day", 2) }
            let id = try await draw([kite, clay], in: site)
            let mo = try await site.child("Mo", of: .ana)
            try await wish([(mo, [clay, kite])], of: .ana, in: id, site)
            let ana = try await site.signIn(.ana, as: .parent)
            // While families wish, and once the wishes are sealed.
            for isSealed in [false, true] {
                if isSealed {
                    site.clock.advance(by: .days(3))
                    await beat(site)
                }
                let gone = try await ana.visit("/me/children/\(mo)/delete").press("Remove")
                #expect(try site.count(of: "wish") == 0)
                _ = try await gone.press("Undo: Mo")
                #expect(try site.count(of: "wish WHERE child_id = \(mo)") == 2)
                #expect(try site.count(of: "wish WHERE rank = 1 AND event_id = \(clay)") == 1)
            }
            try await site.write(at: site.clock.now) { tx in try Draw.draw(id, by: "s", in: tx) }
            await beat(site)
            #expect(try site.count(of: "registration WHERE state = 'confirmed' AND event_id = \(clay)") == 1)
        }
    }

    @Test func `wishes that were sealed without a child don't come back with it`() async throws {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben) { $0.spots = 2 }
            let id = try await draw([kite], in: site)
            let (mo, lu) = (try await site.child("Mo", of: .ana), try await site.child("Lu", of: .ana))
            try await wish([(mo, [kite]), (lu, [kite])], together: true, of: .ana, in: id, site)
            let ana = try await site.signIn(.ana, as: .parent)
            site.clock.advance(by: try find(id, in: site).until - site.clock.now - .minutes(1))
            let gone = try await ana.visit("/me/children/\(mo)/delete").press("Remove")
            site.clock.advance(by: .minutes(2))
            await beat(site)
            _ = try await gone.press("Undo: Mo")
            // They are published as one place, and would take two.
            #expect(try site.count(of: "child") == 2 && site.count(of: "wish") == 1)
            try await site.write(at: site.clock.now) { tx in try Draw.draw(id, by: "s", in: tx) }
            await beat(site)
            #expect(try site.count(of: "event WHERE taken = 1") == 1)
        }
    }

    @Test func `a date whose places are drawn is booked by itself, whichever date of its series is changed`()
        async throws
    {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben)
            _ = try await draw([kite], in: site)
            let ben = try await site.signIn(.ben, as: .provider)
            func copy(_ booking: String) async throws -> Page {
                try await ben.visit("/events/\(kite)/copy").press(
                    "Fill in these dates", filling: ["every": "week", "times": "2", "booking": .text(booking)]
                ).press("Publish these dates")
            }
            let words = "Places at one of the dates are drawn by lot: let families register date by date"
            let together = try await copy("together")
            #expect(together.status == 422 && together.problems.contains { $0.contains(words) })
            #expect(try site.count(of: "event") == 1)
            #expect(try await copy("each").status == 200)
            #expect(try site.count(of: "event") == 3)
            let last: Int = try site.read { try $0.value("SELECT max(id) FROM event") ?? 0 }
            let changed = try await ben.visit("/events/\(last)/edit").press(
                "Preview", filling: ["booking": "together"]
            ).press("Publish the change")
            #expect(changed.status == 422 && changed.problems.contains { $0.contains(words) })
            #expect(try site.count(of: "event WHERE booking = 'each'") == 3)
        }
    }

    @Test func `a host takes wishes for longer, never for shorter, and families that sent some are told`()
        async throws
    {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben)
            let id = try await draw([kite], in: site)
            let mo = try await site.child("Mo", of: .ana)
            try await wish([(mo, [kite])], of: .ana, in: id, site)
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/draws/\(id)")
            for (day, words) in [
                ("2027-03-21", "Choose a later day: families count on the time they were told."),
                ("2027-03-27", "Choose a day before the first of these events."),
            ] {
                let refused = try await page.press("Take wishes until then", filling: ["until": .text(day)])
                #expect(refused.status == 422)
                #expect(refused.problems.contains { $0.contains(words) }, "\(refused.problems)")
            }
            #expect(try find(id, in: site).lastDay == Day(iso: "2027-03-22"))
            // Pressed twice, it is later once.
            for _ in 0..<2 {
                let done = try await page.press("Take wishes until then", filling: ["until": "2027-03-24"])
                #expect(done.path == "/draws/\(id)" && done.text.contains("March 24"), "\(done.problems)")
            }
            #expect(try find(id, in: site).lastDay == Day(iso: "2027-03-24"))
            #expect(try site.count(of: "notice WHERE kind = 'drawn' AND detail = 'later'") == 1)
            #expect(try site.count(of: "letter WHERE kind = 'drawn' AND detail = 'later'") == 1)
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await ana.visit("/inbox").text.contains("There is more time for wishes"))
            #expect(try await !ana.visit("/draws/\(id)").buttons.contains("Take wishes until then"))
            // Nobody else does that, an admin neither.
            for browser in [
                try await site.signIn(.cleo, as: .provider), try await site.signIn(.mira, as: .provider, isStaff: true),
            ] {
                let other = try await browser.visit("/draws/\(id)")
                #expect(!other.buttons.contains("Take wishes until then"))
                let csrf = try #require(try await browser.visit("/help").value(of: "csrf"))
                let answer = try await browser.post("/draws/\(id)/until", [("csrf", csrf), ("until", "2027-03-25")])
                #expect(answer.status == 404)
            }
            // On March 23 it still takes them, and on the 25th no more.
            site.clock.advance(by: .days(3))
            await beat(site)
            #expect(try find(id, in: site).sealedAt == nil)
            site.clock.advance(by: .days(2))
            let late = try await page.press("Take wishes until then", filling: ["until": "2027-03-25"])
            #expect(late.heading == "It is too late for that" && late.link("Open its page") == "/draws/\(id)")
            #expect(try find(id, in: site).lastDay == Day(iso: "2027-03-24"))
            // Nor does a press that was read before.
            let (open, now, until) = (try find(id, in: site), site.clock.now, site.clock.now + .days(1))
            await #expect(throws: Refusal.self) {
                try await site.write(at: now) { tx in
                    _ = try open.extend(to: Day(iso: "2027-03-26")!, until: until, in: tx)
                }
            }
            await beat(site)
            #expect(try find(id, in: site).sealedAt != nil)
        }
    }

    @Test func `what a host asks is asked of those who got a place, once it is drawn`() async throws {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben) { $0.spots = 1 }
            let asks = [
                Ask(content: .init(kind: .agree, text: "We swim in the lake.", isRequired: true)),
                Ask(content: .init(kind: .photo, text: "May we take photos?", isEach: true)),
                Ask(content: .init(kind: .line, text: "Anything else?")),
            ]
            try await site.write { db in try Ask.save(asks, of: kite, in: db) }
            let id = try await draw([kite], in: site)
            let (mo, kim) = (try await site.child("Mo", of: .ana), try await site.child("Kim", of: .cleo))
            let (ana, cleo) = (try await site.signIn(.ana, as: .parent), try await site.signIn(.cleo, as: .parent))
            let form = try await ana.visit("/events/\(kite)/wishes")
            #expect(form.text.contains("King Library asks those who get a place a few questions"))
            try await wish([(mo, [kite])], of: .ana, in: id, site)
            try await wish([(kim, [kite])], of: .cleo, in: id, site)
            try await finish(id, in: site)
            let isAnas =
                try site.count(
                    of: """
                        registration JOIN account ON account.id = registration.account_id
                        WHERE state = 'confirmed' AND username = 'ana-ortiz'
                        """) == 1
            let (drawn, other) = isAnas ? (ana, cleo) : (cleo, ana)
            let today = try await drawn.visit("/")
            #expect(today.text.contains("Still asked of you"))
            #expect(today.text.contains("2 questions have no answer yet."))
            #expect(try await !other.visit("/").text.contains("Still asked of you"))
            let ben = try await site.signIn(.ben, as: .provider)
            var list = try await ben.visit("/events/\(kite)/registrations").text
            #expect(list.contains("We swim in the lake. not answered yet") && list.contains("Photos: not answered"))
            // The family that waits hasn't been asked.
            let waiting = try await ben.visit("/events/\(kite)/waiting").text
            #expect(waiting.contains("We swim in the lake. not asked") && waiting.contains("Photos: not asked"))
            #expect(!waiting.contains("not answered") && waiting.contains("Anything else? not asked"))

            // The letter says so to those who got a place, and not to those who wait.
            let event = try #require(try site.read { db in try Event.find(kite, in: db) })
            for (person, isAsked) in [(Person.ana, isAnas), (.cleo, !isAnas)] {
                let account = try await site.account(of: person)
                let held = try site.read { db in try Draw.held(by: account, in: id, db: db) }
                #expect(held.map(\.open) == [3])
                let letter = LetterText.drawn(.drawn, nil, code: nil, held: held, event)
                let text = letter.lines.map { $0.text(in: Language(nil, country: "US")) }.joined()
                #expect(text.contains("Something is still asked of you") == isAsked)
            }
            #expect(try await !other.visit("/draws/\(id)").text.contains("no answer yet"))
            let answers = try await drawn.visit("/draws/\(id)").follow("3 questions have no answer yet.")
            _ = try await answers.press("Save", filling: ["answer.0.say": "yes", "answer.1.say": "no"])
            // What may stay open isn't asked every day.
            #expect(try await !drawn.visit("/").text.contains("Still asked of you"))
            list = try await ben.visit("/events/\(kite)/registrations").text
            #expect(list.contains("We swim in the lake. yes") && list.contains("No photos"))
        }
    }

    @Test func `while its host is suspended nothing of a draw is done`() async throws {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben)
            let id = try await draw([kite], in: site)
            site.clock.advance(by: .days(3))
            try await site.execute("UPDATE account SET suspended_at = 1 WHERE username = 'ben-ruiz'")
            await beat(site)
            #expect(try find(id, in: site).sealedAt == nil)
            try await site.execute("UPDATE account SET suspended_at = NULL")
            await beat(site)
            #expect(try find(id, in: site).sealedAt != nil)
        }
    }

    @Test func `those who were passed over aren't told that they wait`() async throws {
        try await withTestSite { site in
            let id = try await site.publish(by: .ben)
            let event = try #require(try site.read { db in try Event.find(id, in: db) })
            let waiting = DrawPage.Held(registration: ID(1), title: event.readersTitle, count: 1, isWaiting: true)
            for held in [[waiting], []] {
                let letter = LetterText.drawn(.drawn, nil, code: nil, held: held, event)
                let text = letter.lines.map { $0.text(in: Language(nil, country: "US")) }.joined()
                #expect(text.contains("You wait") == !held.isEmpty)
            }
        }
    }

    @Test func `no card tells how many places are left while they are drawn, and each does once they are given out`()
        async throws
    {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben) { $0.spots = 2 }
            let mo = try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            let pages = ["/events", "/events/map", "/embed/events", "/screen", "/favorites", "/providers/"]
            let host = try #require(try site.read { db in try Event.find(kite, in: db) }).host.username
            func texts() async throws -> [(path: String, text: String)] {
                var texts: [(path: String, text: String)] = []
                for page in pages {
                    let path = page == "/providers/" ? page + host : page
                    texts.append((path, try await ana.visit(path).text))
                }
                return texts
            }
            _ = try await ana.visit("/events/\(kite)").press("Save")
            let api = "\"places_left\":2"
            for (path, text) in try await texts() { #expect(text.contains("2 places left"), "\(path)") }
            #expect(try await ana.visit("/api/events/\(kite)").string.contains(api))
            #expect(try await ana.visit("/events/\(kite)").string.contains("remainingAttendeeCapacity"))
            let id = try await draw([kite], in: site)
            for (path, text) in try await texts() {
                #expect(!text.contains("places left") && text.contains("Places drawn by lot"), "\(path)")
            }
            #expect(try await !ana.visit("/api/events/\(kite)").string.contains(api))
            #expect(try await !ana.visit("/events/\(kite)").string.contains("remainingAttendeeCapacity"))
            try await wish([(mo, [kite])], of: .ana, in: id, site)
            try await finish(id, in: site)
            for (path, text) in try await texts() { #expect(text.contains("1 place left"), "\(path)") }
        }
    }

    @Test func `programs read that places are drawn, and no offer of one`() async throws {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben)
            let offer = "schema.org/InStock"
            #expect(try await site.browser().visit("/events/\(kite)").string.contains(offer))
            #expect(try await site.browser().visit("/api/events/\(kite)").string.contains("\"draw\":null"))
            let id = try await draw([kite], in: site)
            #expect(try await !site.browser().visit("/events/\(kite)").string.contains(offer))
            for path in ["/api/events/\(kite)", "/api/events"] {
                #expect(try await site.browser().visit(path).string.contains("/draws/\(id)\""), "\(path)")
            }
        }
    }

    @Test func `more wishes than are sealed or given out at once are all of them, each once`() async throws {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben) { $0.spots = 3 }
            let id = try await draw([kite], in: site)
            for number in 1...5 {
                let child = try await site.child("Kid", of: .family(number))
                try await wish([(child, [kite])], of: .family(number), in: id, site)
            }
            let (open, now) = (try find(id, in: site), try find(id, in: site).until)
            var last: Int64?
            var steps = 0
            repeat {
                let behind = last
                last = try await site.write(at: now) { tx in try open.seal(behind: behind, atMost: 2, in: tx) }
                steps += 1
            } while last != nil
            #expect(try steps == 4 && site.count(of: "draw_unit") == 5)
            let lottery = try site.read { db in try Lottery(of: id, in: db) }
            try await site.write(at: now) { tx in
                try open.publish(lottery.hash, in: tx)
                try Draw.draw(id, by: "s", in: tx)
            }
            let (drawn, result) = (try find(id, in: site), lottery.result(seed: "s"))
            var reached: Int? = 0
            while let progress = reached {
                reached = try await site.write(at: now) { tx in
                    try drawn.carryOut(lottery, result, from: progress, atMost: 2, in: tx)
                }
            }
            #expect(try site.count(of: "registration WHERE state = 'confirmed'") == 3)
            #expect(try site.count(of: "registration WHERE state = 'waiting'") == 2)
            #expect(try site.count(of: "notice WHERE kind = 'drawn' AND detail = 'drawn'") == 5)
            #expect(try find(id, in: site).doneAt != nil)
        }
    }

    @Test func `a draw that nobody drew is called off 30 days after its end, and families are told`() async throws {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben)
            let id = try await draw([kite], in: site)
            let mo = try await site.child("Mo", of: .ana)
            try await wish([(mo, [kite])], of: .ana, in: id, site)
            let until = try find(id, in: site).until
            for (later, count) in [(29, 1), (31, 0)] {
                let now = until + .days(later)
                _ = try await site.write(at: now) { tx in try Draw.eraseOld(in: tx) }
                #expect(try site.count(of: "draw") == count && site.count(of: "wish") == count)
                #expect(try site.count(of: "notice WHERE kind = 'drawn' AND detail = 'off'") == 1 - count)
            }
        }
    }

    @Test func `a draw that was drawn and never carried out keeps no wishes for more than 30 days`() async throws {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben)
            let id = try await draw([kite], in: site)
            let mo = try await site.child("Mo", of: .ana)
            try await wish([(mo, [kite])], of: .ana, in: id, site)
            let until = try find(id, in: site).until
            // Its host is suspended from then on: nothing is carried out.
            let drawn = until + .days(20)
            try await site.execute("UPDATE draw SET sealed_at = \(until), seed = 's', drawn_at = \(drawn)")
            for (later, count) in [(29, 1), (31, 0)] {
                let now = drawn + .days(later)
                _ = try await site.write(at: now) { tx in try Draw.eraseOld(in: tx) }
                #expect(try site.count(of: "draw") == count && site.count(of: "wish") == count)
            }
        }
    }

    @Test func `wishes are erased 30 days after, and the lines without names after a year`() async throws {
        try await withTestSite { site in
            let kite = try await site.publish(by: .ben)
            let id = try await draw([kite], in: site)
            let mo = try await site.child("Mo", of: .ana)
            try await wish([(mo, [kite])], of: .ana, in: id, site)
            try await finish(id, in: site)
            let done = try #require(try find(id, in: site).doneAt)
            for (later, sheets, lines) in [(29, 1, 1), (31, 0, 1), (366, 0, 0)] {
                let now = done + .days(later)
                _ = try await site.write(at: now) { tx in try Draw.eraseOld(in: tx) }
                #expect(try site.count(of: "wish_sheet") == sheets && site.count(of: "draw_unit") == lines)
            }
            #expect(try !find(id, in: site).hash.isEmpty)
            // Nothing tells against the draw then.
            let page = try await site.browser().visit("/draws/\(id)")
            #expect(page.text.contains("1 family sent wishes.") && page.text.contains("1 wish is sealed."))
            #expect(page.text.contains("The list without names was erased") && !page.text.contains("(JSON)"))
            #expect(try await site.browser().visit("/draws/\(id).json").status == 404)
        }
    }
}
