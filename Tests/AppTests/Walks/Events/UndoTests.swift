import Database
import Testing

@testable import App

/// What is given back, removed or thrown away can be taken back for ten minutes.
@Suite struct UndoTests {
    @Test func `a place is taken back while it is free, once however often it is pressed`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.spots = 2 }
            let mo = try await site.child("Mo", of: .ana)
            let lu = try await site.child("Lu", of: .ana)
            try await site.register([mo, lu], of: .ana, at: event)
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/registrations/1").press("Give all places back")
            #expect(page.heading == "The places are given back")
            #expect(page.text.contains("The places of Mo and Lu were given back."))
            for _ in 0..<2 {
                let back = try await page.press("Undo: Mo and Lu")
                #expect(back.path == "/registrations/1" && back.flash == "Undone: it is as it was.")
                #expect(back.text.contains("Mo has a place") && !back.buttons.contains("Undo: Mo and Lu"))
            }
            #expect(try site.count(of: "event WHERE taken = 2") == 1)
            #expect(try site.count(of: "registration WHERE state = 'confirmed'") == 1)
            // Nothing of the children stays behind.
            #expect(try site.count(of: "undo WHERE label <> '' OR kept <> ''") == 0)
        }
    }

    @Test func `one place is one, and three children are listed as one says it`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            var children: [ID<Child>] = []
            for name in ["Mo", "Lu", "Vy"] { children.append(try await site.child(name, of: .ana)) }
            try await site.register(children, of: .ana, at: event)
            let ana = try await site.signIn(.ana, as: .parent)
            var page = try await ana.visit("/registrations/1").press("Give this place back: Mo")
            #expect(page.text.contains("The place of Mo was given back."))
            page = try await page.press("Undo: Mo").press("Give all places back")
            #expect(page.text.contains("The places of Mo, Lu, and Vy were given back."))
        }
    }

    @Test func `a place that went to others is not taken back, and nothing else changes`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.spots = 2 }
            let mo = try await site.child("Mo", of: .ana)
            let lu = try await site.child("Lu", of: .ana)
            let vy = try await site.child("Vy", of: .cleo)
            try await site.register([mo, lu], of: .ana, at: event)
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/registrations/1").press("Give all places back")
            try await site.register([vy], of: .cleo, at: event)
            let refused = try await page.press("Undo: Mo and Lu")
            #expect(refused.status == 409 && refused.heading == "It can’t be taken back")
            #expect(try site.count(of: "event WHERE taken = 1") == 1)
            #expect(try site.count(of: "registration_person WHERE cancelled_at IS NULL") == 1)
            // The place is free again: so it can.
            try await site.execute("UPDATE registration_person SET cancelled_at = 1 WHERE child_id = \(vy)")
            try await site.execute("UPDATE event SET taken = 0")
            #expect(try await page.press("Undo: Mo and Lu").flash == "Undone: it is as it was.")
            #expect(try site.count(of: "event WHERE taken = 2 AND taken <= spots") == 1)
        }
    }

    /// The twin of the test above: what it is for.
    @Test func `without the rule of registering a place that is taken back oversells`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.spots = 1 }
            let mo = try await site.child("Mo", of: .ana)
            let vy = try await site.child("Vy", of: .cleo)
            try await site.register([mo], of: .ana, at: event)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/registrations/1").press("Give all places back")
            try await site.register([vy], of: .cleo, at: event)
            try await site.execute("UPDATE registration_person SET cancelled_at = NULL")
            #expect(try site.count(of: "registration_person WHERE cancelled_at IS NULL") == 2)
        }
    }

    @Test func `another’s is not found, nor is anybody’s after ten minutes, and then it is erased`() async throws {
        try await withTestSite { site in
            let mo = try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/me/children/\(mo)/edit").press("Remove")
            #expect(try site.count(of: "undo WHERE label = 'Mo'") == 1)
            let cleo = try await site.signIn(.cleo, as: .parent)
            let token = try await cleo.visit("/help").value(of: "csrf")!
            #expect(try await cleo.submit("/undo/1", [(name: "csrf", value: token)]).status == 404)
            #expect(try site.count(of: "child") == 0)
            site.clock.advance(by: .minutes(10))
            #expect(try await page.press("Undo: Mo").status == 404)
            #expect(try await !ana.visit("/me/children").text.contains("Mo"))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now) { $0.minutes == 1 }
            #expect(try site.count(of: "undo") == 0)
            #expect(!site.log.lines.contains { $0.contains("Mo") && $0.contains("undo") })
        }
    }

    @Test func `a child comes back with its name in what is over, and with the places that are free`() async throws {
        try await withTestSite { site in
            let past = try await site.publish(by: .ben) {
                $0.title = "Past"
                $0.date = Day(iso: "2027-03-21")!
            }
            let one = try await site.publish(by: .ben) { $0.spots = 1 }
            let two = try await site.publish(by: .ben)
            let mo = try await site.child("Mo", of: .ana, year: 2020)
            for event in [past, one, two] { try await site.register([mo], of: .ana, at: event) }
            site.clock.advance(by: .days(2))
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/me/children/\(mo)/edit").press("Remove")
            let vy = try await site.child("Vy", of: .cleo)
            try await site.register([vy], of: .cleo, at: one)
            let back = try await page.press("Undo: Mo")
            #expect(back.flash == "Undone. Some of the places went to others meanwhile.")
            #expect(back.path == "/me/children" && back.text.contains("Mo 7 years"))
            #expect(try site.count(of: "event WHERE taken > spots") == 0)
            #expect(try site.count(of: "registration_person WHERE child_id = \(mo) AND cancelled_at IS NULL") == 2)
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/events/\(past)/registrations").text.contains("Mo"))
            #expect(try await ben.visit("/events/\(two)/registrations").text.contains("Mo"))
        }
    }

    @Test func `a child that was entered again is not there twice, and has its places back`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let mo = try await site.child("Mo", of: .ana)
            try await site.register([mo], of: .ana, at: event)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/me/children/\(mo)/edit").press("Save", filling: ["allergies": "Nuts"])
            let page = try await ana.visit("/me/children/\(mo)/edit").press("Remove")
            let again = try await site.child("Mo", of: .ana)
            #expect(try await page.press("Undo: Mo").flash == "Undone: it is as it was.")
            #expect(try site.count(of: "child WHERE allergies = 'Nuts'") == 1)
            #expect(
                try site.count(of: "registration_person WHERE child_id = \(again) AND cancelled_at IS NULL") == 1)
            #expect(try site.count(of: "event WHERE taken = 1") == 1)
        }
    }

    @Test func `a sibling that was edited into its twin stays itself, whoever is taken back`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let mo = try await site.child("Mo", of: .ana)
            let lu = try await site.child("Lu", of: .ana)
            try await site.register([mo], of: .ana, at: event)
            site.clock.advance(by: .minutes(1))
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/me/children/\(mo)/edit").press("Remove")
            _ = try await ana.visit("/me/children/\(lu)/edit").press("Save", filling: ["nickname": "Mo"])
            #expect(try await page.press("Undo: Mo").flash == "Undone: it is as it was.")
            #expect(try site.count(of: "child WHERE nickname = 'Mo'") == 2)
            #expect(try site.count(of: "registration_person WHERE child_id = \(mo) AND cancelled_at IS NULL") == 1)
            #expect(try site.count(of: "registration_person WHERE child_id = \(lu)") == 0)
        }
    }

    @Test func `what is there again leaves no line that it is gone`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let mo = try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            let party = try await site.register([mo], of: .ana, at: event)
            let given = try await ana.visit("/registrations/\(party)").press("Give all places back")
            #expect(given.buttons.contains("Undo: Mo"))
            try await site.register([mo], of: .ana, at: event)
            #expect(try await !ana.visit("/registrations/\(party)").buttons.contains("Undo: Mo"))
            #expect(try await !ana.visit("/week?from=2027-03-22").buttons.contains("Undo: Mo"))
            let ben = try await site.signIn(.ben, as: .provider)
            let form = try await ben.visit("/events/new")
            _ = try await form.press("Keep as draft", filling: ["title": "Older"])
            #expect(
                try await ben.visit("/me/events?list=draft").press("Throw away: Older").buttons
                    .contains("Undo: Older"))
            _ = try await form.press("Keep as draft", filling: ["title": "Newer"])
            #expect(try await !ben.visit("/me/events?list=draft").buttons.contains("Undo: Older"))
        }
    }

    @Test func `a draft that is taken back doesn't overwrite a newer one of the same form`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let form = try await ben.visit("/events/new")
            _ = try await form.press("Keep as draft", filling: ["title": "Older"])
            let page = try await ben.visit("/me/events?list=draft").press("Throw away: Older")
            _ = try await form.press("Keep as draft", filling: ["title": "Newer"])
            let refused = try await page.press("Undo: Older")
            #expect(refused.status == 409 && refused.text.contains("You have a newer draft of the same"))
            #expect(try site.count(of: "draft WHERE title = 'Newer'") == 1 && site.count(of: "draft") == 1)
        }
    }

    @Test func `a draft and an event come back as they were, the event under its own address`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/new").press(
                "Keep as draft", filling: ["title": "Rope & yarn", "description": "50 % wool"])
            var page = try await ben.visit("/me/events?list=draft").press("Throw away: Rope & yarn")
            #expect(try site.count(of: "draft") == 0)
            page = try await page.press("Undo: Rope & yarn")
            page = try await page.follow("Rope & yarn")
            #expect(page.value(of: "title") == "Rope & yarn" && page.value(of: "description") == "50 % wool")

            let event = try await site.publish(by: .ben) {
                $0.tags = "music, outdoors"
                $0.price = "8.50"
                $0.bring = "A hat"
            }
            let before = try site.read { db in try Event.find(event, in: db) }
            page = try await ben.visit("/events/\(event)/cancel").press("Delete the event")
            #expect(try await ben.visit("/events/\(event)").status == 404)
            page = try await page.press("Undo: Kite day")
            #expect(page.path == "/events/\(event)" && page.heading == "Kite day")
            let after = try site.read { db in try Event.find(event, in: db) }
            #expect(after?.tags == before?.tags && after?.price == before?.price && after?.bring == "A hat")
            #expect(after?.startsAt == before?.startsAt && after?.createdAt == before?.createdAt)
            #expect(after?.coordinate == before?.coordinate && after?.address == before?.address)
            #expect(try await site.browser().visit("/events?q=kite&tag=music").cards == ["Kite day"])
        }
    }

    @Test func `a reported event that was deleted and comes back is looked at once more`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            let (host, now) = (try await site.account(of: .ben), site.clock.now)
            try await site.write(at: now) { tx in try Matter.raise(.event(event), of: host, for: .look, in: tx) }
            let page = try await ben.visit("/events/\(event)/cancel").press("Delete the event")
            try await site.execute("UPDATE matter SET settled_at = \(now)")
            #expect(try await page.press("Undo: Kite day").status == 200)
            #expect(try site.count(of: "matter WHERE settled_at IS NULL") == 1)
        }
    }

    /// A draft and an event with a poster, thrown away and deleted: the pages that offer to take them back.
    private func discarded(_ site: TestSite) async throws -> (draft: Page, event: Page) {
        let ben = try await site.signIn(.ben, as: .provider)
        let picture = SentFile("photo.jpg", Pictures.photo)
        _ = try await ben.visit("/events/new").press(
            "Keep as draft", filling: ["title": "Rope", "poster_file": .file(picture)])
        let event = try await site.publish(by: .ben)
        _ = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["poster_file": .file(picture)])
            .press("Publish the change")
        #expect(try site.count(of: "picture") == 2)
        site.clock.advance(by: .hours(49))
        let draft = try await ben.visit("/me/events?list=draft").press("Throw away: Rope")
        return (draft, try await ben.visit("/events/\(event)/cancel").press("Delete the event"))
    }

    @Test func `a poster is spared by the sweep while its draft or event can be taken back`() async throws {
        try await withTestSite { site in
            let (draft, event) = try await discarded(site)
            #expect(try await site.site.sweepPictures(at: site.clock.now) == 0)
            for (page, button) in [(draft, "Undo: Rope"), (event, "Undo: Kite day")] {
                #expect(try await page.press(button).flash == "Undone: it is as it was.")
            }
            #expect(try site.count(of: "draft WHERE picture_id IS NOT NULL") == 1)
            #expect(try site.count(of: "event WHERE picture_id IS NOT NULL") == 1)
        }
    }

    @Test func `what lost its picture comes back without it, and that is said`() async throws {
        try await withTestSite { site in
            let (draft, event) = try await discarded(site)
            try await site.execute("DELETE FROM picture")
            for (page, button) in [(draft, "Undo: Rope"), (event, "Undo: Kite day")] {
                let back = try await page.press(button)
                #expect(back.flash == "Undone, but without its picture: please choose it again.")
            }
            #expect(try site.count(of: "draft") == 1 && site.count(of: "event") == 1)
        }
    }

    @Test func `no way back fails by what is in its way`() async throws {
        try await withTestSite { site in
            let one = try await site.publish(by: .ben)
            let two = try await site.publish(by: .ben)
            let mo = try await site.child("Mo", of: .ana)
            for event in [one, two] { try await site.register([mo], of: .ana, at: event) }
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/me/children/\(mo)/edit").press("Remove")
            // Another child has its number.
            let vy = try await site.child("Vy", of: .cleo)
            try await site.execute("UPDATE undo SET subject = \(vy)")
            #expect(try await page.press("Undo: Mo").status == 409)
            #expect(try site.count(of: "undo WHERE NOT is_done") == 1)
            // A place beyond those that are kept doesn't come back; the others do.
            try await site.execute("UPDATE undo SET subject = \(mo), kept = replace(kept, '&row=2', '')")
            let back = try await page.press("Undo: Mo")
            #expect(back.flash == "Undone. Some of the places went to others meanwhile.")
            #expect(try site.count(of: "registration_person WHERE cancelled_at IS NULL") == 1)

            // Meanwhile nobody can register there anymore.
            let given = try await ana.visit("/registrations/1").press("Give all places back")
            try await site.execute("UPDATE account SET suspended_at = 1 WHERE username = 'ben-ruiz'")
            try await site.execute("UPDATE event SET listed = FALSE")
            #expect(try await given.press("Undo: Mo").status == 409)
        }
    }
}
