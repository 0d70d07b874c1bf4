import Database
import Testing

@testable import App

/// The end of a match: who is told, what can be taken back, and that no text is lost.
@Suite struct EndingMatchesTests {
    /// Two that matched and agreed to meet.
    private static func agreed(in site: TestSite) async throws -> (ana: Browser, ben: Browser, match: String) {
        let (ana, ben, match) = try await PlaydatesTests.matched(in: site)
        _ = try await ana.visit(match).press(
            "Propose these times", filling: ["day_1": "2027-03-22", "time_1": "10:00", "place": "The lawn"])
        let token = try await ben.visit(match).value(of: "csrf") ?? ""
        _ = try await ben.post("/meetings/1/answer", [("csrf", token), ("time", "1")])
        #expect(try site.count(of: "meeting WHERE state = 'agreed' AND due_at IS NOT NULL") == 1)
        return (ana, ben, match)
    }

    @Test func `whoever would come to a meeting reads that it is off, and nothing more`() async throws {
        try await withTestSite { site in
            let (ana, ben, match) = try await Self.agreed(in: site)
            let page = try await ana.visit(match)
            #expect(page.text.contains("The meeting on Monday, March 22, 10 AM is off, and Ben reads that"))
            _ = try await page.press("End the match")
            #expect(try site.count(of: "meeting WHERE state = 'canceled' AND due_at IS NULL") == 1)
            let inbox = try await ben.visit("/inbox")
            #expect(inbox.text.contains("Canceled: the meeting with Clover on Monday, March 22, 10 AM"))
            #expect(!inbox.text.contains("ended"))
            #expect(try await ana.visit("/inbox").text.contains("Canceled: the meeting") == false)
            // It leads to no page that isn't there.
            let notice = try site.read { db in try db.value("SELECT max(id) FROM notice") as Int? } ?? 0
            #expect(try await ben.visit("/inbox/\(notice)").path == "/playdates/matches")
        }
    }

    @Test func `for ten minutes it is taken back, the meeting too`() async throws {
        try await withTestSite { site in
            let (ana, ben, match) = try await Self.agreed(in: site)
            let ended = try await ana.visit(match).press("End the match")
            _ = try await ben.visit("/inbox").press("Mark all as read")
            #expect(ended.text.contains("The match of Clover and Biscuit has ended."))
            let back = try await ended.press("Undo: Clover and Biscuit")
            #expect(back.path == match && back.heading == "Clover and Biscuit")
            #expect(try site.count(of: "meeting WHERE state = 'agreed' AND due_at IS NOT NULL") == 1)
            #expect(try site.count(of: "parted") == 0)
            #expect(try await ben.visit(match).status == 200)
            let inbox = try await ben.visit("/inbox").text
            #expect(inbox.contains("On again: the meeting with Clover on Monday, March 22"))
        }
    }

    @Test func `whoever saw in the inbox that a meeting is off hears that it is on again, the others nothing`()
        async throws
    {
        for saw in [true, false] {
            try await withTestSite { site in
                let (ana, ben, match) = try await Self.agreed(in: site)
                let ended = try await ana.visit(match).press("End the match")
                // Ben opens none of the notices.
                if saw { #expect(try await ben.visit("/inbox").text.contains("Canceled: the meeting with Clover")) }
                _ = try await ended.press("Undo: Clover and Biscuit")
                let inbox = try await ben.visit("/inbox").text
                #expect(inbox.contains("On again: the meeting with Clover") == saw)
                #expect(inbox.contains("Canceled: the meeting with Clover") == saw)
            }
        }
    }

    @Test func `later it can't be taken back, nor where one blocked the other`() async throws {
        try await withTestSite { site in
            let (ana, ben, match) = try await Self.agreed(in: site)
            let ended = try await ana.visit(match).press("End the match")
            let (one, other, now) = (
                try await site.account(of: .ben), try await site.account(of: .ana), site.clock.now
            )
            try await site.write(at: now) { tx in try Block.add(other, by: one, in: tx) }
            #expect(try await ended.press("Undo: Clover and Biscuit").status == 409)
            #expect(try site.count(of: "pet_match WHERE ended_at IS NULL") == 0)
            try await site.write { db in try Block.remove(other, by: one, in: db) }
            site.clock.advance(by: .minutes(11))
            #expect(try await ended.press("Undo: Clover and Biscuit").status == 404)
            #expect(try await ben.visit(match).status == 404)
        }
    }

    @Test func `a block calls a meeting off as well, wherever it is pressed`() async throws {
        try await withTestSite { site in
            let (_, ben, _) = try await Self.agreed(in: site)
            let (one, other, now) = (
                try await site.account(of: .ana), try await site.account(of: .ben), site.clock.now
            )
            try await site.write(at: now) { tx in try Block.add(other, by: one, in: tx) }
            #expect(try await ben.visit("/inbox").text.contains("Canceled: the meeting with Clover on Monday"))
        }
    }

    @Test func `what was typed for a match that ended meanwhile isn't lost`() async throws {
        try await withTestSite { site in
            let (ana, ben, match) = try await PlaydatesTests.matched(in: site)
            let open = try await ben.visit(match)
            _ = try await ana.visit(match).press("End the match")
            let gone = try await open.press("Send", filling: ["text": "Shall we bring the red ball?"])
            #expect(gone.status == 404 && gone.heading == "No longer there")
            #expect(gone.string.contains("Shall we bring the red ball?"))
            let meeting = try await open.press(
                "Propose these times",
                filling: ["day_1": "2027-03-22", "time_1": "10:00", "place": "The lawn"])
            #expect(meeting.status == 404 && meeting.heading == "No longer there")
            // What nobody typed in words is repeated to nobody.
            #expect(!gone.string.contains("name=\"once\" value"))
        }
    }

    @Test func `two who matched are no strangers: no newcomer's limit holds between them`() async throws {
        try await withTestSite(limits: true) { site in
            let (ana, ben, match) = try await PlaydatesTests.matched(in: site)
            let now = site.clock.now.milliseconds
            try await site.execute("UPDATE account SET created_at = \(now)")
            for number in 1...12 {
                let page = try await ana.visit(match).press("Send", filling: ["text": .text("Word \(number)")])
                #expect(page.status == 200, "\(number)")
            }
            // A link waits for an answer, and for nothing else.
            let early = try await ana.visit(match).press("Send", filling: ["text": "https://x.example"])
            #expect(early.status == 422 && early.value(of: "text") == "https://x.example")
            _ = try await ben.visit(match).press("Send", filling: ["text": "Yes?"])
            #expect(
                try await ana.visit(match).press("Send", filling: ["text": "https://x.example"]).status == 200)
            #expect(try site.count(of: "message") == 14)
        }
    }

    @Test func `what was told of an ended match goes with it`() async throws {
        try await withTestSite { site in
            let (ana, _, match) = try await Self.agreed(in: site)
            _ = try await ana.visit(match).press("End the match")
            #expect(try site.count(of: "notice WHERE detail LIKE '%Clover%'") == 1)
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now + .days(31))
            #expect(try site.count(of: "notice WHERE detail LIKE '%Clover%'") == 0)
            #expect(try site.count(of: "talk_news") == 0)
        }
    }

    @Test func `meetings are news to open pages, and one's own words to one's other page`() async throws {
        try await withTestSite { site in
            let (ana, ben, match) = try await PlaydatesTests.matched(in: site)
            func news(after last: Int) async throws -> String {
                let answer = try await ana.send("GET", "/stream?after=\(last)", ["Accept": "application/json"])
                return String(decoding: answer.body, as: UTF8.self)
            }
            _ = try await ana.visit(match).press("Send", filling: ["text": "Mine"])
            #expect(try await news(after: 0).contains(#""matches":[1],"last":1"#))
            _ = try await ben.visit(match).press(
                "Propose these times", filling: ["day_1": "2027-03-22", "time_1": "10:00", "place": "The lawn"])
            #expect(try await news(after: 1).contains(#""matches":[1],"last":2"#))
            let token = try await ana.visit(match).value(of: "csrf") ?? ""
            _ = try await ana.post("/meetings/1/answer", [("csrf", token), ("time", "1")])
            #expect(try await news(after: 2).contains(#""matches":[1],"last":3"#))
            #expect(try await news(after: 3).contains(#""matches":[],"last":3"#))
        }
    }
}
