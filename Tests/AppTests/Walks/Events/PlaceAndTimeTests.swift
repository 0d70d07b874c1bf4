import Database
import Forms
import Testing

@testable import App

/// Time belongs to a place and to a person: an event goes by the clock of its venue, a streak by that of the member.
@Suite struct PlaceAndTimeTests {
    private let berlin = [
        "date": "2027-03-27", "start_time": "10:00", "end_time": "12:00", "country": "DE", "address": "Torstr. 1",
        "city": "Berlin", "state": "", "zip": "10119", "title": "Kite day", "spots": "20",
        "description": "We build kites and let them fly.",
    ]

    @Test func `an event abroad goes by the clock of its town, and names its country`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            try await site.provider(of: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            let form = try await ben.visit("/events/new")
            var page = try await form.press("Preview", filling: berlin.mapValues { .text($0) })
            #expect(page.text.contains("Central European Time"))
            #expect(page.text.contains("2 AM to 4 AM by your clock"))
            page = try await page.press("Publish")
            // 10 AM there is 9:00 UTC: summer time begins a day later.
            #expect(try site.count(of: "event WHERE zone = 'Europe/Berlin' AND starts_at = 1806138000000") == 1)
            let visitor = site.browser()
            #expect(try await visitor.visit("/events/1").text.contains("10119 Berlin, Germany"))

            // It moves with its place,
            page = try await ben.visit("/events/1/edit")
            #expect(page.value(of: "zone") == "Europe/Berlin")
            let home: [String: Filling] = [
                "country": "US", "city": "San Jose", "state": "CA", "zip": "95113", "address": "180 Park Ave",
            ]
            page = try await page.press("Preview", filling: home).press("Publish the change")
            #expect(try site.count(of: "event WHERE zone = 'America/Los_Angeles' AND start_minute = 600") == 1)
            #expect(try await !visitor.visit("/events/1").text.contains("United States"))
            // unless somebody says otherwise.
            page = try await ben.visit("/events/1/edit").press("Preview", filling: ["zone": "Asia/Tokyo"])
                .press("Publish the change")
            #expect(try site.count(of: "event WHERE zone = 'Asia/Tokyo'") == 1)
            page = try await ben.visit("/events/1/edit").press("Preview", filling: ["zone": "PST"])
            #expect(page.problems == ["Write the time zone like America/Los_Angeles, or leave it empty."])
        }
    }

    @Test func `what is on the web alone says its zone to everybody`() async throws {
        try await withTestSite { site in
            _ = try await site.publish(by: .ben) {
                ($0.street, $0.city, $0.state, $0.zip) = ("", "", "", "")
                $0.onlineURL = "https://meet.example.org/kites"
            }
            _ = try await site.publish(by: .ben)
            let text = try await site.browser().visit("/events/1").text
            #expect(text.contains("Pacific Time"), "\(text)")
            #expect(try await !site.browser().visit("/events/2").text.contains("Pacific Time"))
        }
    }

    @Test func `a streak counts by the member’s own day, and the page says by whose`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/me/settings").press("Save", filling: ["time_zone": "Pacific/Auckland"])
            // The tests begin at 10:00 UTC on March 20, 23:00 there.
            for hours in [0, 2, 20] {
                site.clock.advance(by: .hours(hours))
                _ = try await ana.visit("/kindness/acts/204").press("Enter it")
            }
            let days: [Day] = try site.read { db in
                try db.all("SELECT day FROM deed ORDER BY id") { try $0.next() }
            }
            #expect(days.map(\.iso) == ["2027-03-20", "2027-03-21", "2027-03-21"])
            let page = try await ana.visit("/kindness/mine")
            #expect(page.text.contains("2 days in a row") && page.text.contains("New Zealand Time"))
        }
    }

    @Test func `a page from before midnight counts for the day it showed, until three`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            // 23:58 in the town.
            site.clock.advance(by: .hours(20) + .minutes(58))
            let (page, other) = (try await ana.visit("/kindness/acts/204"), try await ana.visit("/kindness/acts/204"))
            site.clock.advance(by: .minutes(4))
            _ = try await page.press("Enter it")
            site.clock.advance(by: .hours(3))
            _ = try await other.press("Enter it")
            let days: [Day] = try site.read { db in
                try db.all("SELECT day FROM deed ORDER BY id") { try $0.next() }
            }
            #expect(days.map(\.iso) == ["2027-03-20", "2027-03-21"])
        }
    }

    /// *Kite day* of Ben’s on four Saturdays, the third at 11, with places held until the end of March 24, and two
    /// dates of which Ana has a place.
    private func series(_ site: TestSite) async throws -> Browser {
        try await site.gazetteer()
        let event = try await site.publish(by: .ben) { form in
            (form.price, form.closesAt) = ("10", LocalTime(typed: "2027-03-26T18:00"))
        }
        let ben = try await site.signIn(.ben, as: .provider)
        _ = try await ben.visit("/events/\(event)/copy").press(
            "Fill in these dates", filling: ["every": "week", "times": "3"]
        ).press("Publish these dates")
        _ = try await ben.visit("/events/3/edit").press("Preview", filling: ["start_time": "11:00"])
            .press("Publish the change")
        let until = Zone(stored: "America/Los_Angeles").instant(Day(iso: "2027-03-25")!, .midnight)
        try await site.write(at: site.clock.now) { tx in
            try Hold.set(2, until: until, at: event, in: tx)
            var show = ActivityForm()
            (show.name, show.place) = ("Puppet show", "Tent")
            show.startTime = TimeOfDay(hour: 11, minute: 30)!
            let second = try #require(try Event.find(ID(2), in: tx))
            try Activity.save([show.activity(from: second.day, in: second.clock)], of: ID(2), in: tx)
        }
        let mo = try await site.child("Mo", of: .ana)
        for date in [1, 2] { try await site.register([mo], of: .ana, at: ID(Int64(date))) }
        return ben
    }

    private let torstrasse: [String: Filling] = [
        "country": "DE", "address": "Torstr. 1", "city": "Berlin", "state": "", "zip": "10119",
    ]

    /// What clocks in a zone show of each moment of a series, where they should.
    private func clocks(_ site: TestSite, _ zone: Zone, of dates: [Int]) throws -> [String] {
        func said(_ instant: Instant?) -> String { instant.map { LocalTime($0, in: zone).typed } ?? "-" }
        return try site.read { db in
            try dates.flatMap { id -> [String] in
                let event = try #require(try Event.find(ID(Int64(id)), in: db))
                #expect(event.clock == zone, "\(id)")
                let shows = try Activity.all(of: event.id, in: db).map { said($0.startsAt) }
                let held: Instant? = try db.value("SELECT held_until FROM event WHERE id = \(id)")
                return [said(event.startsAt), said(event.admission.window.closesAt), said(held)] + shows
            }
        }
    }

    @Test func `all dates of a series that moves to another zone keep their times, and each family is told once`()
        async throws
    {
        try await withTestSite { site in
            let ben = try await series(site)
            let before = [
                "2027-03-27T10:00", "2027-03-26T18:00", "2027-03-25T00:00",
                "2027-04-03T10:00", "2027-04-02T18:00", "-", "2027-04-03T11:30",
                "2027-04-10T11:00", "2027-04-09T18:00", "-", "2027-04-17T10:00", "2027-04-16T18:00", "-",
            ]
            #expect(try clocks(site, Zone(stored: "America/Los_Angeles"), of: [1, 2, 3, 4]) == before)
            try await site.execute("DELETE FROM notice")
            let preview = try await ben.visit("/events/1/edit").press(
                "Preview", filling: torstrasse.merging(["scope": "all"]) { $1 })
            let (old, new) = ("10 AM to 12 PM (Pacific Time)", "10 AM to 12 PM (Central European Time)")
            #expect(preview.text.contains(old) && preview.text.contains(new), "\(preview.text)")
            _ = try await preview.press("Publish the change")
            // Clocks there are set forward on March 28: the first date is before it.
            #expect(try clocks(site, Zone(stored: "Europe/Berlin"), of: [1, 2, 3, 4]) == before)
            #expect(try site.count(of: "event WHERE id = 1 AND starts_at = 1806138000000") == 1)
            #expect(try site.count(of: "event WHERE id = 2 AND starts_at = 1806739200000") == 1)
            // What is due a day before goes by the new clock.
            #expect(
                try site.count(
                    of: """
                        reminder JOIN event ON event.id = reminder.event_id
                        WHERE lead = 'day' AND starts_at - due_at BETWEEN 23 * 3600000 AND 25 * 3600000
                        """) == 4)
            let ana = try await site.account(of: .ana)
            #expect(try site.count(of: "notice WHERE kind = 'changed' AND account_id = \(ana)") == 1)
            let page = try await site.signIn(.ana, as: .parent).visit("/changes/1")
            #expect(page.text.contains(new), "\(page.text)")
        }
    }

    @Test func `where the first date has begun it keeps its clock, and those to come move with their place`()
        async throws
    {
        try await withTestSite { site in
            let ben = try await series(site)
            site.clock.advance(by: .days(7) + .hours(8))
            _ = try await ben.visit("/events/1/edit").press(
                "Preview", filling: torstrasse.merging(["scope": "later"]) { $1 }
            ).press("Publish the change")
            #expect(try clocks(site, Zone(stored: "America/Los_Angeles"), of: [1]).first == "2027-03-27T10:00")
            #expect(
                try clocks(site, Zone(stored: "Europe/Berlin"), of: [2, 3]) == [
                    "2027-04-03T10:00", "2027-04-02T18:00", "-", "2027-04-03T11:30",
                    "2027-04-10T11:00", "2027-04-09T18:00", "-",
                ])
        }
    }

    @Test func `another zone alone is told with both, and nothing where it is again as it was`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            let ben = try await site.signIn(.ben, as: .provider)
            func change(_ filling: [String: Filling]) async throws {
                _ = try await ben.visit("/events/\(event)/edit").press("Preview", filling: filling)
                    .press("Publish the change")
            }
            try await change(["start_time": "11:00"])
            // The same clock by another name is none.
            try await change(["zone": "America/Vancouver"])
            #expect(try site.count(of: "change") == 1)
            try await change(["zone": "America/Denver"])
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/changes/1")
            #expect(page.text.contains("10 AM to 12 PM (Pacific Time)"), "\(page.text)")
            #expect(page.text.contains("11 AM to 12 PM (Mountain Time)"), "\(page.text)")
            try await change(["start_time": "10:00"])
            try await change(["zone": "America/Vancouver"])
            let changes = try site.read { db in
                Change.merged(
                    try db.all("SELECT \(Change.columns) FROM change WHERE what = 'time' ORDER BY id LIMIT 10"))
            }
            #expect(changes == [])
        }
    }
}
