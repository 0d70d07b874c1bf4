import Database
import Testing

@testable import App

/// The year in numbers, and the heads that hosts count for it.
@Suite struct AnnualReportTests {
    /// The count of each line that isn't zero, from the spreadsheet.
    private func lines(_ staff: Browser, _ query: String = "") async throws -> [String: Int] {
        let sheet = try await staff.visit("/admin/report.csv?from=2027-01-01&to=2027-12-31" + query).string
        var lines: [String: Int] = [:]
        for line in sheet.split(separator: "\r\n").dropFirst() {
            let cells = line.split(separator: ",", maxSplits: 1)
            let count = Int(line.split(separator: ",").last ?? "") ?? -1
            if count != 0 { lines[cells[0] == "\"\"" ? String(line) : String(cells[0])] = count }
        }
        return lines
    }

    /// A kids' event of Ben's from 6 to 11, with two children of Ana's, and one that is ticked in; it is over.
    private func over(_ site: TestSite, online: Bool = false) async throws -> (ID<Event>, Browser) {
        let event = try await site.publish(by: .ben) { form in
            (form.ageFrom, form.ageTo) = (6, 11)
            if online { form.onlineURL = "https://meet.example.org/kites" }
        }
        let children = [
            try await site.child("Mo", of: .ana, year: 2019), try await site.child("Lu", of: .ana, year: 2019),
        ]
        try await site.register(children, of: .ana, at: event)
        site.clock.advance(by: .days(7) - .minutes(5))
        let ben = try await site.signIn(.ben, as: .provider)
        return (event, ben)
    }

    private func tick(_ ben: Browser, _ event: ID<Event>, _ presence: String, person: Int = 1) async throws {
        let page = try await ben.visit("/events/\(event)/registrations?early=1")
        let pairs = [
            (name: "csrf", value: try #require(page.value(of: "csrf"))), (name: "person", value: "\(person)"),
            (name: "presence", value: presence), (name: "early", value: "1"),
        ]
        #expect(try await ben.submit("/events/\(event)/arrivals", pairs).status == 303)
    }

    @Test func `ticks count, heads win over them, and nothing changes when the list is erased`() async throws {
        try await withTestSite { site in
            let (event, ben) = try await over(site)
            for presence in ["here", "here", "gone", "away", "here"] { try await tick(ben, event, presence) }
            site.clock.advance(by: .days(1))
            let staff = try await site.signIn(.mira, isStaff: true)
            let ticked = ["600": 1, "602": 1, "607": 1, "609": 1, "610": 1, "612": 1, "617": 1, "619": 1]
            let before = try await lines(staff)
            #expect(before == ticked, "\(before)")
            // The list and its children go; the number stays, and so it does when the family leaves.
            site.clock.advance(by: .days(100))
            let mira = try await site.signIn(.mira, isStaff: true)
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try site.count(of: "registration_person") == 0)
            #expect(try await lines(mira) == ticked)

            let host = try await site.signIn(.ben, as: .provider)
            var page = try await host.visit("/events/\(event)/registrations").follow("How many were there?")
            #expect(page.text.contains("1 person was checked in at the door"))
            page = try await page.press("Save", filling: ["here": "many"])
            #expect(page.status == 422 && page.string.contains("value=\"many\""))
            page = try await page.press("Save", filling: ["here": "14"])
            #expect(page.heading == "Who comes")
            let counted = ticked.merging(["610": 14, "612": 14, "617": 14, "619": 14]) { $1 }
            #expect(try await lines(mira) == counted)
            // Nobody but its host counts, and nobody but an admin reads.
            let cleo = try await site.signIn(.cleo, as: .provider)
            #expect(try await cleo.visit("/events/\(event)/headcount").status == 404)
            let token = try #require(try await cleo.visit("/help").value(of: "csrf"))
            let pairs = [(name: "csrf", value: token), (name: "here", value: "99")]
            #expect(try await cleo.submit("/events/\(event)/headcount", pairs).status == 404)
            for path in ["/admin/report", "/admin/report.csv", "/admin/report/sessions?of=602"] {
                #expect(try await host.visit(path).status == 403, "\(path)")
            }
            #expect(try await lines(mira) == counted)
        }
    }

    @Test func `each number opens what it was counted from, for one organization too, and names no child`() async throws
    {
        try await withTestSite { site in
            let (event, ben) = try await over(site, online: true)
            try await tick(ben, event, "here")
            let other = try await site.publish(by: .cleo) { $0.title = "Story hour" }
            site.clock.advance(by: .days(8))
            _ = try await ben.visit("/events/\(event)/headcount").press("Save", filling: ["here": "10", "online": "5"])
            let staff = try await site.signIn(.mira, isStaff: true)
            var page = try await staff.visit("/admin").follow("The year in numbers")
            #expect(page.text.contains("Nobody was counted at 1 session"))
            #expect(try await lines(staff)["618"] == 5)
            page = try await page.follow("For children from 6 to 11")
            #expect(page.text.contains("10 there · 5 online") && !page.text.contains("Story hour"))
            #expect(!page.string.contains("Mo") || !page.text.contains("Mo "))
            page = try await staff.visit("/admin/report/sessions?from=2027-01-01&to=2027-12-31&of=uncounted")
            #expect(page.text.contains("Story hour") && !page.text.contains("Kite day"))
            for element in AnnualReport.Element.allCases {
                let list = try await staff.visit(
                    "/admin/report/sessions?from=2027-01-01&to=2027-12-31&of=\(element.rawValue)")
                #expect(list.status == 200, "\(element)")
            }
            let cleo = try await site.account(of: .cleo)
            let name: String = try #require(
                try site.read { db in try db.value("SELECT username FROM account WHERE id = \(cleo)") })
            #expect(try await lines(staff, "&host=\(name)")["600"] == 1)
            #expect(try await staff.visit("/admin/report?host=nobody").status == 404)
            page = try await staff.visit("/admin/report?from=never&to=2027-02-30")
            #expect(page.status == 200 && page.string.contains("value=\"never\""))
            // What was canceled, hidden or isn't over took place nowhere.
            try await site.execute("UPDATE event SET hidden_at = 1, listed = FALSE WHERE id = \(other)")
            #expect(try await lines(staff)["600"] == 1)
        }
    }

    @Test func `two who count at once lose nothing, and nobody counts before it begins`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/events/\(event)/headcount").heading == "Who comes")
            #expect(try await !ben.visit("/events/\(event)/registrations").text.contains("How many were there?"))
            site.clock.advance(by: .days(8))
            let old = try await ben.visit("/events/\(event)/headcount")
            _ = try await ben.visit("/events/\(event)/headcount").press("Save", filling: ["here": "12"])
            let page = try await old.press("Save", filling: ["here": "13"])
            #expect(page.status == 422 && page.text.contains("12"))
            #expect(try site.read { db in try Headcount(of: event, in: db) } == Headcount(here: 12))
        }
    }

    @Test func `hours, things and kept promises stay when those who gave leave`() async throws {
        try await withTestSite { site in
            let (ben, day) = (try await site.account(of: .ben), Day(iso: "2027-03-20")!)
            try await site.write { db in
                try MonthTotal.minutes.add(90, to: ben, on: day, in: db)
                try MonthTotal.minutes.add(30, to: ben, on: day, in: db)
                try MonthTotal.needs.add(1, to: nil, on: day, in: db)
            }
            let staff = try await site.signIn(.mira, isStaff: true)
            let page = try await staff.visit("/admin/report?from=2027-03-20&to=2027-03-20")
            #expect(page.text.contains("Hours of help, confirmed 2"))
            let sums = try site.read { db in try MonthTotal.sums(of: day...day, to: ben, in: db) }
            #expect(sums == [.minutes: 120, .things: 0, .needs: 0])
        }
    }
}
