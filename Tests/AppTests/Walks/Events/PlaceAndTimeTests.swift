import Database
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
}
