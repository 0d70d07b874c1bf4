import Testing

@testable import App

/// What open pages are told of.
@Suite struct StreamTests {
    @Test func `whoever listens is told of notices, posts and messages as they are written, and of nobody else's`()
        async throws
    {
        try await withTestSite { site in
            let (ana, ben, match) = try await PlaydatesTests.matched(in: site)
            let cleo = try await site.signIn(.cleo)
            var (heard, others) = (
                ana.listen("/stream").makeAsyncIterator(), cleo.listen("/stream").makeAsyncIterator()
            )
            #expect(await others.next() == #"{"unread":0,"post":0,"threads":[],"matches":[],"last":0}"#)
            #expect(await heard.next() == #"{"unread":1,"post":0,"threads":[],"matches":[],"last":0}"#)
            _ = try await ben.visit(match).press("Send", filling: ["text": "Hello Ana"])
            #expect(await heard.next() == #"{"unread":2,"post":0,"threads":[],"matches":[1],"last":1}"#)
            // What one writes is news to one's own other pages.
            _ = try await ana.visit(match).press("Send", filling: ["text": "Hello Ben"])
            var own: String?
            repeat { own = await heard.next() } while own?.contains(#""last":1"#) == true
            #expect(own?.contains(#""matches":[1],"last":2"#) == true)
            let post = try await ben.visit("/timeline/new").press(
                "Preview", filling: ["kind": "thanks", "text": "Thank you all", "audience": "members"])
            _ = try await post.press("Post it")
            // Having read it may be told of before, by itself.
            var last: String?
            repeat { last = await heard.next() } while last?.contains(#""post":0"#) == true
            #expect(last == #"{"unread":0,"post":1,"threads":[],"matches":[],"last":2}"#)
            // Of all that, nothing but the post is news to others.
            #expect(await others.next() == #"{"unread":0,"post":1,"threads":[],"matches":[],"last":0}"#)
        }
    }

    @Test func `an interrupted stream goes on behind what was told last, also by asking`() async throws {
        try await withTestSite { site in
            let (ana, ben, match) = try await PlaydatesTests.matched(in: site)
            for text in ["one", "two"] { _ = try await ben.visit(match).press("Send", filling: ["text": .text(text)]) }
            for (last, matches) in [("0", "[1]"), ("1", "[1]"), ("2", "[]")] {
                var heard = ana.listen("/stream", ["Last-Event-ID": last]).makeAsyncIterator()
                #expect(await heard.next()?.contains(#""matches":\#(matches),"last":2"#) == true, "after \(last)")
                let asked = try await ana.send("GET", "/stream?after=\(last)", ["Accept": "application/json"])
                #expect(
                    String(decoding: asked.body, as: UTF8.self).contains(#""matches":\#(matches),"last":2"#),
                    "after \(last)")
            }
            // Without a word of what was said.
            let asked = try await ana.send("GET", "/stream?after=0", ["Accept": "application/json"])
            #expect(!String(decoding: asked.body, as: UTF8.self).contains("one"))
        }
    }

    @Test func `a stream ends with its session`() async throws {
        try await withTestSite { site in
            let (ana, ben, match) = try await PlaydatesTests.matched(in: site)
            let thief = ana.copy()
            var heard = thief.listen("/stream").makeAsyncIterator()
            _ = await heard.next()
            _ = try await ana.visit("/").press("Log out")
            _ = try await ben.visit(match).press("Send", filling: ["text": "Hello Ana"])
            #expect(await heard.next() == nil)
        }
    }

    @Test func `nobody has more than a few streams, and visitors none`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let account = try await site.account(of: .ana)
            var streams: [AsyncStream<String>] = []
            for _ in 0..<Listeners.mostOfOne {
                streams.append(ana.listen("/stream"))
                var first = streams[streams.count - 1].makeAsyncIterator()
                _ = await first.next()
            }
            #expect(!site.site.listeners.hasRoom(for: account))
            #expect(try await ana.send("GET", "/stream").status == 204)
            #expect(try await site.browser().send("GET", "/stream").status == 303)
            // A page that was left open past the log-in.
            let open = try await site.browser().send("GET", "/stream", ["Accept": "text/event-stream"])
            #expect(open.status == 204)
            withExtendedLifetime(streams) {}
        }
    }
}
