import Database
import Testing

@testable import App

/// What a row of the inbox stands for.
@Suite struct InboxRowsTests {
    private func start(_ time: String, of event: ID<Event>, by ben: Browser) async throws {
        _ = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["start_time": .text(time)])
            .press("Publish the change")
    }

    @Test func `what changed again after it was read is told from what its reader knew`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            let ana = try await site.signIn(.ana, as: .parent)
            for time in ["10:10", "10:20"] { try await start(time, of: event, by: ben) }
            func rows() async throws -> [String] {
                try await ana.visit("/inbox").html.all(ofClass: "told").map(\.text).filter { $0.contains("changed") }
            }
            // Unread, both are one.
            var all = try await rows()
            #expect(all.count == 1 && all[0].contains("10 AM") && all[0].contains("10:20 AM"))
            _ = try await ana.visit("/inbox").follow("Unread: Kite day, March 27 has changed")
            site.clock.advance(by: .minutes(1))
            try await start("10:30", of: event, by: ben)
            all = try await rows()
            #expect(all.count == 2 && all[0].contains("10:20 AM") && all[0].contains("10:30 AM"), "\(all)")
            #expect(all.first?.contains("10 AM to") == false)
            #expect(all.last?.contains("10:30 AM") == false)
        }
    }

    @Test func `two that say different things aren't one that happened twice`() async throws {
        try await withTestSite { site in
            let (ana, ben, match) = try await PlaydatesTests.matched(in: site)
            _ = try await ana.visit(match).press(
                "Propose these times", filling: ["day_1": "2027-03-22", "time_1": "10:00", "place": "The lawn"])
            let token = try await ben.visit(match).value(of: "csrf") ?? ""
            _ = try await ben.post("/meetings/1/answer", [("csrf", token), ("time", "1")])
            let ended = try await ana.visit(match).press("End the match")
            _ = try await ben.visit("/inbox").press("Mark all as read")
            _ = try await ended.press("Undo: Clover and Biscuit")
            let inbox = try await ben.visit("/inbox").text
            #expect(inbox.contains("On again: the meeting with Clover") && inbox.contains("Canceled: the meeting"))
            #expect(!inbox.contains("2 times"))
        }
    }

    @Test func `the end of a match is news to the pages that show it`() async throws {
        try await withTestSite { site in
            let (ana, ben, match) = try await PlaydatesTests.matched(in: site)
            let before = try await ben.send("GET", "/stream", ["Accept": "application/json"])
            let last = String(decoding: before.body, as: UTF8.self).split(separator: ":").last?.dropLast() ?? "0"
            _ = try await ana.visit(match).press("End the match")
            let after = try await ben.send("GET", "/stream?after=\(last)", ["Accept": "application/json"])
            #expect(String(decoding: after.body, as: UTF8.self).contains(#""matches":[1]"#))
            #expect(try await ben.visit(match).status == 404)
        }
    }
}
