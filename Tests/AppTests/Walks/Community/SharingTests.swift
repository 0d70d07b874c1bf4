import Database
import Testing

@testable import App

/// What leaves the timeline: the feed, the words beside a link; and what comes to it from an event.
@Suite struct SharingTests {
    private func post(_ text: String, by browser: Browser, audience: String = "everyone") async throws -> Page {
        try await browser.visit("/timeline/new").press(
            "Preview", filling: ["text": .text(text), "audience": .text(audience)]
        ).press("Post it")
    }

    @Test func `feed readers get what is for everybody, and nothing else`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            let empty = try await site.browser().visit("/timeline.atom")
            #expect(empty.status == 200 && empty["Content-Type"] == "application/atom+xml; charset=utf-8")
            _ = try await post("Forty <onions> & two worms.", by: ana)
            _ = try await post("For us alone.", by: ana, audience: "members")
            // To a member, too: a feed reader shows it to anybody.
            for browser in [site.browser(), ana] {
                let feed = String(decoding: try await browser.visit("/timeline.atom").body, as: UTF8.self)
                #expect(feed.contains("Forty &lt;onions&gt; &amp; two worms."))
                #expect(feed.contains("/posts/1</id>") && !feed.contains("For us alone."))
                #expect(feed.contains("<name>ana-ortiz</name>") && !feed.contains("<uri>"))
            }
        }
    }

    @Test func `other sites learn what a post says, and see no photo of children`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            for showsChildren in [false, true] {
                let page = try await ana.visit("/timeline/new").press(
                    "Add the photos",
                    filling: ["text": "Forty onions.", "photo": .file(SentFile("photo.jpg", Pictures.photo))])
                var filling: [String: Filling] = ["alt-\(showsChildren ? 2 : 1)": "Onions"]
                if showsChildren { filling.merge(["shows_children": true, "consent": true]) { $1 } }
                _ = try await page.press("Preview", filling: filling).press("Back to editing")
                    .press("Preview", filling: ["audience": "everyone"]).press("Post it")
            }
            for (number, images) in [(1, 1), (2, 0)] {
                let page = try await site.browser().visit("/posts/\(number)")
                let meta = page.html.all("meta").filter { $0["property"]?.hasPrefix("og:") == true }
                #expect(meta.contains { $0["property"] == "og:description" && $0["content"] == "Forty onions." })
                #expect(meta.count { $0["property"] == "og:image" } == images)
            }
        }
    }

    @Test func `an event is told of with one tap, and afterwards among members only`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ana = try await site.signIn(.ana)
            #expect(try await !site.browser().visit("/events/\(event)").text.contains("Tell the town"))
            var page = try await ana.visit("/events/\(event)").follow("Tell the town")
            #expect(page.text.contains("This is a preview.") && page.text.contains("Who comes along?"))
            #expect(try site.count(of: "post") == 0)
            page = try await page.press("Post it")
            #expect(page.html.all("a").contains { $0["href"] == "/events/\(event)" })
            let feed = try await site.browser().visit("/timeline")
            #expect(feed.html.all("a").contains { $0["href"] == "/events/\(event)" })
            // It can be put right like any other.
            page = try await page.follow("Edit").press("Preview", filling: ["text": "Come!"]).press("Save the change")
            #expect(page.text.contains("Come!") && page.html.all("a").contains { $0["href"] == "/events/\(event)" })

            site.clock.advance(by: .days(30))
            let back = try await site.signIn(.ana)
            page = try await back.visit("/events/\(event)").follow("We went: tell members")
            #expect(page.text.contains("We went to") && page.text.contains("Members only"))
            let refused = try await page.press("Back to editing").press("Preview", filling: ["audience": "everyone"])
            #expect(refused.problems == ["Only members are told which event that was."])
            _ = try await page.press("Post it")
            #expect(try await site.browser().visit("/posts/2").status == 404)
            #expect(try site.count(of: "post WHERE audience = 'members' AND event_id IS NOT NULL") == 1)
        }
    }

    @Test func `what isn't shown isn't told of`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ana = try await site.signIn(.ana)
            let preview = try await ana.visit("/timeline/new?event=\(event)")
            _ = try await preview.press("Post it")
            let now = site.clock.now
            let again = try await ana.visit("/timeline/new?event=\(event)")
            _ = try await site.write(at: site.clock.now) { tx in try Event.hide(event, at: now, in: tx) }
            #expect(try await ana.visit("/timeline/new?event=\(event)").status == 404)
            let late = try await again.press("Post it")
            #expect(late.status == 422)
            #expect(late.problems == ["The event isn’t shown anymore. You can post the words without it."])
            #expect(try await !ana.visit("/posts/1").html.all("a").contains { $0["href"] == "/events/\(event)" })
        }
    }
}
