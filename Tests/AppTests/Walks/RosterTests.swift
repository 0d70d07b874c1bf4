import Database
import Testing

@testable import App

/// Who comes: the list at the door, the spreadsheet, and what parents share of a child.
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

            // A week before nobody sees them, whichever way one asks.
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
            #expect(page.text.contains("The notes were looked at"))
            #expect(page.text.contains("The list was downloaded, without notes"))

            // A day after the event they are gone, from the pages and from the disk.
            site.clock.advance(by: .days(3))
            #expect(try await !ben.visit(list + "?as=notes").string.contains("Peanuts"))
            let now = site.clock.now
            _ = try await site.site.write { db in try CareNote.eraseOld(at: now, in: db) }
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
            #expect(page.text.contains("since 10:00") && page.text.contains("1 came"))
            page = try await page.press("Was collected: Mo")
            #expect(page.text.contains("10:00 to 10:00"))
            page = try await page.press("Undo: Mo")
            page = try await page.press("Undo: Mo")
            #expect(try site.count(of: "registration_person WHERE arrived_at IS NULL AND left_at IS NULL") == 1)
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
            #expect(page["Content-Disposition"] == "attachment; filename=\"who-comes-1.csv\"")
            let lines = page.string.split(separator: "\r\n")
            #expect(lines.count == 2 && lines[1].hasPrefix("\"'=HYPERLINK(1)\",\"6 years\",\"Ana Ortiz\""))
        }
    }

    @Test(arguments: ["=1+1", "+1 408 555 0100", "-1", "@SUM(A1)", "\tx", "\u{FF1D}1"])
    func `what begins like a formula gets an apostrophe`(_ text: String) {
        #expect(Roster.cell(text) == "\"'\(text)\"")
    }

    @Test func `quotes in a cell are doubled, and plain text stays as it is`() {
        #expect(Roster.cell("Mo \"the kite\"") == "\"Mo \"\"the kite\"\"\"" && Roster.cell("Mo") == "\"Mo\"")
    }
}
