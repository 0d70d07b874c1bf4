import Database
import Foundation
import Testing

@testable import App

/// Those who come: the list at the door, the spreadsheet, and what parents share of a child.
@Suite struct RosterTests {
    /// A child with notes, registered for *Kite day*; the notes are shared if the parent ticks so.
    private func registered(_ site: TestSite, sharing: Bool) async throws -> (event: ID<Event>, ana: Browser) {
        let event = try await site.publish(by: .ben)
        let ana = try await site.signIn(.ana, as: .parent)
        _ = try await ana.visit("/me/children/new").press(
            "Save",
            filling: [
                "nickname": "Mo", "birth_month": "1", "birth_year": "2021",
                "allergies": "Peanuts: the pen is in the bag",
                "emergency_phone": "408 555 0123", "may_collect": "Grandma Rosa",
            ])
        var page = try await ana.visit("/events/\(event)")
        page = try await page.press("Register", filling: ["child": "1", "share_notes": .tick(sharing)])
        #expect(page.heading.hasPrefix("Congratulations!"))
        return (event, ana)
    }

    @Test func `notes are shown when ticked, around the event only, and every look is told to the parent`() async throws
    {
        try await withTestSite { site in
            let (event, ana) = try await registered(site, sharing: true)
            let ben = try await site.signIn(.ben, as: .provider)
            let list = "/events/\(event)/registrations"
            // On paper the event is named, where no link leads back to it.
            #expect(try await ben.visit(list).html.all(ofClass: "paper-only").map(\.text) == ["Kite day"])

            // A week before nobody sees them, by any address.
            for way in ["", "?as=notes", "?as=print"] {
                #expect(try await !ben.visit(list + way).string.contains("Peanuts"), "\(way)")
            }
            site.clock.advance(by: .days(6))
            var page = try await ben.visit(list)
            #expect(!page.string.contains("Peanuts"))
            page = try await page.follow("Show what parents shared")
            #expect(page.text.contains("Peanuts: the pen is in the bag") && page.text.contains("Grandma Rosa"))
            #expect(try await ben.visit(list + "?as=print").text.contains("408 555 0123"))
            #expect(try await !ben.visit(list + "?as=csv").string.contains("Peanuts"))

            page = try await ana.visit("/registrations/1")
            #expect(page.text.contains("The notes were looked at by Ben Ruiz"))
            #expect(page.text.contains("The list for the door was opened, with your notes, by Ben Ruiz"))
            #expect(page.text.contains("The list was downloaded, without notes, by Ben Ruiz"))
            // Before there was something to see, nobody saw it.
            #expect(page.text.components(separatedBy: "The notes were looked at").count == 2)
            // A family that shared nothing reads of the list, and of no notes.
            let cleo = try await site.signIn(.cleo, as: .parent)
            let party = try await site.register([try await site.child("Vy", of: .cleo)], of: .cleo, at: event)
            #expect(try await ben.visit(list + "?as=notes").text.contains("Peanuts"))
            _ = try await ben.visit(list + "?as=print")
            let other = try await cleo.visit("/registrations/\(party)").text
            #expect(!other.contains("The notes were looked at"))
            #expect(other.contains("The list for the door was opened, without notes of yours"))

            // A day after the event they are gone, from the pages and from the disk.
            site.clock.advance(by: .days(3))
            #expect(try await !ben.visit(list + "?as=notes").string.contains("Peanuts"))
            _ = try await site.write(at: site.clock.now) { tx in try CareNote.eraseOld(in: tx) }
            #expect(try site.count(of: "care_note") == 0)
        }
    }

    @Test func `without the tick nothing is shared, and a parent can change that either way`() async throws {
        try await withTestSite { site in
            let (event, ana) = try await registered(site, sharing: false)
            let ben = try await site.signIn(.ben, as: .provider)
            site.clock.advance(by: .days(6))
            let notes = "/events/\(event)/registrations?as=notes"
            #expect(try site.count(of: "care_note") == 0)
            #expect(try await !ben.visit(notes).string.contains("Peanuts"))
            _ = try await ana.visit("/registrations/1").press("Share my notes")
            #expect(try await ben.visit(notes).string.contains("Peanuts"))
            _ = try await ana.visit("/me/children/1/edit").press("Save", filling: ["allergies": "Bees"])
            #expect(try await ben.visit(notes).string.contains("Bees"))
            _ = try await ana.visit("/registrations/1").press("Stop sharing")
            #expect(try await !ben.visit(notes).string.contains("Bees"))
        }
    }

    @Test func `moving the event shows nothing sooner, and moving it far asks the parent again`() async throws {
        try await withTestSite { site in
            let (event, ana) = try await registered(site, sharing: true)
            let ben = try await site.signIn(.ben, as: .provider)
            let notes = "/events/\(event)/registrations?as=notes"
            func move(_ day: String) async throws {
                _ = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["date": .text(day)])
                    .press("Publish the change")
            }
            // Two days earlier is near enough, yet the window stays that of the day that was agreed to.
            try await move("2027-03-25")
            #expect(try site.count(of: "care_note") == 1)
            site.clock.advance(by: .days(4))
            #expect(try await !ben.visit(notes).string.contains("Peanuts"))
            site.clock.advance(by: .days(1) + .hours(7))
            #expect(try await ben.visit(notes).string.contains("Peanuts"))

            // In steps, each of them near: what counts is the day the parent saw.
            site.clock.advance(by: .hours(-8))
            try await move("2027-03-27")
            #expect(try site.count(of: "care_note") == 1)
            try await move("2027-03-29")
            #expect(try site.count(of: "care_note") == 1)
            try await move("2027-03-30")
            #expect(try site.count(of: "care_note") == 0)
            site.clock.advance(by: .days(5))
            #expect(try await !ben.visit(notes).string.contains("Peanuts"))
            var page = try await ana.visit("/registrations/1")
            #expect(page.text.contains("Your notes are no longer shared, or not of every child."))
            page = try await page.press("Share my notes")
            #expect(page.buttons.contains("Stop sharing") && !page.text.contains("no longer shared"))
            #expect(try await ben.visit(notes).string.contains("Peanuts"))
        }
    }

    @Test func `what is taken back shares nothing by itself: the parent is asked again`() async throws {
        try await withTestSite { site in
            let (_, ana) = try await registered(site, sharing: true)
            for form in ["/registrations/1", "/me/children/1/edit"] {
                let button = form.hasPrefix("/me") ? "Remove" : "Give all places back"
                let given = try await ana.visit(form).press(button)
                _ = try await given.press("Undo: Mo")
                #expect(try site.count(of: "care_note") == 0)
                #expect(try site.count(of: "registration WHERE asks_again AND state = 'confirmed'") == 1)
                var page = try await ana.visit("/registrations/1")
                #expect(page.text.contains("Your notes are no longer shared, or not of every child."))
                page = try await page.press("Share my notes")
                #expect(try site.count(of: "care_note") == 1)
                #expect(page.buttons.contains("Stop sharing") && !page.text.contains("no longer shared"))
            }
            // Nor are those of others, where the parent stopped sharing in between.
            try await site.child("Lu", of: .ana)
            try await site.execute("UPDATE child SET allergies = 'Wool' WHERE nickname = 'Lu'")
            _ = try await ana.visit("/registrations/1").press("Give all places back")
            var page = try await ana.visit("/events/1").press(
                "Register", filling: ["child": ["1", "2"], "share_notes": .tick(true)])
            #expect(try site.count(of: "care_note") == 2)
            page = try await page.press("Give this place back: Mo")
            #expect(page.buttons.contains("Stop sharing"))
            _ = try await page.press("Stop sharing")
            page = try await page.press("Undo: Mo")
            #expect(try site.count(of: "care_note") == 0)
            #expect(page.buttons.contains("Share my notes"))
        }
    }

    @Test func `whose notes were not shared is not asked when a place is taken back`() async throws {
        try await withTestSite { site in
            let (_, ana) = try await registered(site, sharing: false)
            _ = try await ana.visit("/registrations/1").press("Give all places back").press("Undo: Mo")
            #expect(try site.count(of: "registration WHERE NOT asks_again AND state = 'confirmed'") == 1)
            #expect(try await !ana.visit("/registrations/1").text.contains("no longer shared"))
        }
    }

    @Test func `nothing is shared for an event that is over or was cancelled`() async throws {
        try await withTestSite { site in
            let (event, ana) = try await registered(site, sharing: false)
            let form = try await ana.visit("/registrations/1")
            try await site.execute("UPDATE event SET cancelled_at = 1, listed = FALSE WHERE id = \(event)")
            #expect(try await form.press("Share my notes").status == 403)
            #expect(try await !ana.visit("/registrations/1").buttons.contains("Share my notes"))
            try await site.execute("UPDATE event SET cancelled_at = NULL, listed = TRUE WHERE id = \(event)")
            site.clock.advance(by: .days(7) + .hours(9))
            #expect(try await form.press("Share my notes").status == 403)
            #expect(try await !ana.visit("/registrations/1").buttons.contains("Share my notes"))
            // Nor by a request that passed the page's check just before.
            try await site.write(at: site.clock.now) { tx in try CareNote.share(ID(1), in: tx) }
            #expect(try site.count(of: "care_note") == 0)
        }
    }

    @Test func `notes go with the place, the child, and the event that is called off`() async throws {
        try await withTestSite { site in
            let (event, ana) = try await registered(site, sharing: true)
            _ = try await ana.visit("/registrations/1").press("Give all places back")
            #expect(try site.count(of: "care_note") == 0)

            _ = try await ana.visit("/events/\(event)").press(
                "Register", filling: ["child": "1", "share_notes": .tick(true)])
            #expect(try site.count(of: "care_note") == 1)
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(event)/cancel").press(
                "Cancel the event", filling: ["reason": "No wind."])
            #expect(try site.count(of: "care_note") == 0)
        }
    }

    @Test func `children are ticked in and out, and a slip is undone`() async throws {
        try await withTestSite { site in
            let (event, _) = try await registered(site, sharing: false)
            let ben = try await site.signIn(.ben, as: .provider)
            site.clock.advance(by: .days(7) + .hours(7))
            var page = try await ben.visit("/events/\(event)/registrations").press("Is here: Mo")
            #expect(page.text.contains("since 10 AM") && page.text.contains("1 came"))
            page = try await page.press("Was picked up: Mo")
            #expect(page.text.contains("10 AM to 10 AM"))
            page = try await page.press("Undo: Mo")
            page = try await page.press("Undo: Mo")
            #expect(try site.count(of: "registration_person WHERE arrived_at IS NULL AND left_at IS NULL") == 1)
        }
    }

    @Test func `nobody is ticked in at an event that was canceled`() async throws {
        try await withTestSite { site in
            let (event, _) = try await registered(site, sharing: false)
            let ben = try await site.signIn(.ben, as: .provider)
            let now = site.clock.now
            try await site.write(at: now) { tx in try Event.cancel(Event.find(event, in: tx)!, reason: "Rain", in: tx) }
            site.clock.advance(by: .days(7) + .hours(7))
            let token = try await ben.visit("/help").value(of: "csrf")!
            let pairs = [(name: "csrf", value: token), (name: "person", value: "1"), (name: "presence", value: "here")]
            #expect(try await ben.submit("/events/\(event)/arrivals", pairs).status == 403)
            #expect(try site.count(of: "registration_person WHERE arrived_at IS NOT NULL") == 0)
            // The twin: the same of one that takes place.
            try await site.execute("UPDATE event SET cancelled_at = NULL, listed = TRUE")
            #expect(try await ben.submit("/events/\(event)/arrivals", pairs).status == 303)
            #expect(try site.count(of: "registration_person WHERE arrived_at IS NOT NULL") == 1)
        }
    }

    @Test func `before the day nobody is ticked in unless one says so, and that is asked first`() async throws {
        try await withTestSite { site in
            let (event, _) = try await registered(site, sharing: false)
            let ben = try await site.signIn(.ben, as: .provider)
            let list = "/events/\(event)/registrations"
            var page = try await ben.visit(list)
            #expect(!page.buttons.contains("Is here: Mo") && !page.buttons.contains("One more"))
            #expect(page.text.contains("It’s on Saturday, March 27."))
            let token = try await ben.visit("/help").value(of: "csrf")!
            let pairs = [(name: "csrf", value: token), (name: "person", value: "1"), (name: "presence", value: "here")]
            _ = try await ben.submit("/events/\(event)/arrivals", pairs)
            #expect(try site.count(of: "registration_person WHERE arrived_at IS NULL") == 1)
            page = try await page.follow("Check in already?").press("Is here: Mo")
            #expect(page.buttons.contains("Was picked up: Mo"))
            #expect(try site.count(of: "registration_person WHERE arrived_at IS NULL") == 0)
        }
    }

    @Test func `who comes without registering takes a place, and there are no more than places`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.spots = 2 }
            let mo = try await site.child("Mo", of: .ana)
            try await site.register([mo], of: .ana, at: event)
            site.clock.advance(by: .days(7) + .hours(7))
            let ben = try await site.signIn(.ben, as: .provider)
            let list = "/events/\(event)/registrations"
            let first = try await ben.visit(list)
            var page = try await first.press("One more")
            #expect(page.text.contains("1 came without registering") && page.text.contains("2 of 2 places taken"))
            #expect(!page.buttons.contains("One more"))
            // Pressed twice on the same page it counts once.
            page = try await first.press("One more")
            #expect(try site.count(of: "event WHERE taken = 2 AND walk_ins = 1") == 1)
            let token = try await ben.visit("/help").value(of: "csrf")!
            let pairs = [(name: "csrf", value: token), (name: "walk_ins", value: "2")]
            #expect(try await ben.submit("/events/\(event)/walk-ins", pairs).status == 409)
            let cleo = try await site.signIn(.cleo, as: .provider)
            let other = try await cleo.visit("/help").value(of: "csrf")!
            let sent = [(name: "csrf", value: other), (name: "walk_ins", value: "0")]
            #expect(try await cleo.submit("/events/\(event)/walk-ins", sent).status == 404)
            page = try await page.press("One less")
            #expect(try site.count(of: "event WHERE taken = 1 AND walk_ins = 0") == 1)
        }
    }

    @Test func `the list for the door knows who is here or gone, and who came without registering`() async throws {
        try await withTestSite { site in
            let (event, _) = try await registered(site, sharing: false)
            let ben = try await site.signIn(.ben, as: .provider)
            func boxes() async throws -> [String] {
                try await ben.visit("/events/\(event)/registrations?as=print").html.all(ofClass: "tickbox").map(\.text)
            }
            #expect(try await boxes() == ["", ""])
            site.clock.advance(by: .days(7) + .hours(7))
            let roster = "/events/\(event)/registrations"
            var page = try await ben.visit(roster).press("Is here: Mo")
            #expect(try await boxes() == ["10 AM", ""])
            page = try await page.press("Was picked up: Mo").press("One more")
            #expect(try await boxes() == ["10 AM", "10 AM"])
            let list = try await ben.visit("\(roster)?as=print").text
            #expect(list.contains("1 came without registering"))
        }
    }

    @Test func `the list is by name, phones are pressed, and all addresses stand in one field`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            for (name, person) in [("Zoe", Person.ana), ("Émile", .cleo), ("Ben", .ana)] {
                try await site.register([try await site.child(name, of: person)], of: person, at: event)
            }
            let page = try await site.signIn(.ben, as: .provider).visit("/events/\(event)/registrations")
            let names = page.html.first("tbody")?.all("th").map { $0.text.prefix { $0 != " " } }
            #expect(names == ["Ben", "Émile", "Zoe"])
            #expect(page.links.contains { $0 == ("408 555 0177", "tel:4085550177") })
            #expect(
                page.html.first("textarea")?.text == "ana-ortiz@example.org, cleo-park@example.org")
        }
    }

    @Test func `only the provider sees the list in any form, or ticks`() async throws {
        try await withTestSite { site in
            let (event, ana) = try await registered(site, sharing: true)
            let cleo = try await site.signIn(.cleo, as: .provider)
            site.clock.advance(by: .days(6))
            for way in ["", "?as=notes", "?as=print", "?as=csv"] {
                let path = "/events/\(event)/registrations\(way)"
                #expect(try await cleo.visit(path).status == 404)
                #expect(try await !ana.visit(path).string.contains("Peanuts"))
            }
            let token = try await cleo.visit("/help").value(of: "csrf")!
            let pairs = [(name: "csrf", value: token), (name: "person", value: "1"), (name: "presence", value: "here")]
            #expect(try await cleo.submit("/events/\(event)/arrivals", pairs).status == 404)
            #expect(try site.count(of: "registration_person WHERE arrived_at IS NULL") == 1)
            #expect(try site.count(of: "roster_view") == 0)
        }
    }

    @Test func `the spreadsheet holds each child in a row, and no formula`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let child = try await site.child("=HYPERLINK(1)", of: .ana)
            try await site.register([child], of: .ana, at: event)
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/events/\(event)/registrations?as=csv")
            #expect(page["Content-Type"] == "text/csv; charset=utf-8")
            #expect(
                page["Content-Disposition"]
                    == "attachment; filename=\"kite-day-2027-03-27.csv\"; filename*=UTF-8''Kite%20day%202027-03-27.csv")
            let lines = page.string.split(separator: "\r\n")
            #expect(lines.count == 2 && lines[1].hasPrefix("\"'=HYPERLINK(1)\",6,6,\"Ana Ortiz\""))
            // In the month of the birthday it may be either.
            try await site.register([try await site.child("Lu", of: .ana, month: 3)], of: .ana, at: event)
            #expect(try await ben.visit("/events/\(event)/registrations?as=csv").string.contains("\"Lu\",5,6,\"Ana"))
        }
    }

    @Test(arguments: [
        ("Kite day", "kite-day.csv", "Kite%20day.csv"),
        ("Fête d’été", "fete-d-ete.csv", "F%C3%AAte%20d%E2%80%99%C3%A9t%C3%A9.csv"),
        ("../a\"b\r\nX: y", "a-b-x-y.csv", "..%20a%20b%20X%20y.csv"), ("凧 2027", "2027.csv", "%E5%87%A7%202027.csv"),
    ])
    func `a file is called by any title, and nothing gets out of it`(_ name: String, plain: String, whole: String) {
        #expect(
            ContentDisposition.attachment(name, kind: "csv")
                == "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(whole)")
    }

    @Test(arguments: [
        "=1+1", "+1 408 555 0100", "-1", "@SUM(A1)", "\tx", "\u{FF1D}1", " =1", "\u{A0}\u{2009}+1", "\u{7F}@x",
        "\u{200B}\u{FEFF}-1", "\u{202E}=x",
    ])
    func `what begins like a formula gets an apostrophe`(_ text: String) {
        #expect(Spreadsheet.quoted(text) == "\"'\(text)\"")
    }

    @Test func `quotes in a cell are doubled, and plain text stays as it is`() {
        #expect(Spreadsheet.quoted("Mo \"the kite\"") == "\"Mo \"\"the kite\"\"\"")
        #expect(Spreadsheet.quoted("Mo") == "\"Mo\"")
    }
}
