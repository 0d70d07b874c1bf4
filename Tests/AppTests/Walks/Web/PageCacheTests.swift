import Database
import Hummingbird
import HummingbirdCore
import Testing

@testable import App

/// Pages cached for visitors without a cookie.
@Suite struct PageCacheTests {
    private static let pages = ["/", "/events", "/events?city=San+Jose", "/events/1", "/providers/ben-ruiz"]

    /// How often the database was read while `body` ran, as far as a page shows: the text of what it asked for.
    private func drawsAnew(_ path: String, in site: TestSite, _ visitor: Browser) async throws -> Bool {
        // Only a page that is drawn can show what was changed without anybody being told. Lists of events are kept on
        // their own until then.
        try await site.writeQuietly { db in
            _ = try db.execute("UPDATE event SET title = title || '!'")
            _ = try db.execute("UPDATE provider SET organization = organization || '!'")
        }
        return try await visitor.visit(path).text.contains("!")
    }

    @Test(arguments: pages) func `a stranger gets the page another stranger got`(path: String) async throws {
        try await withTestSite { site in
            _ = try await site.publish(by: .ben)
            let first = try await site.browser().visit(path)
            #expect(first.status == 200)
            #expect(try await !drawsAnew(path, in: site, site.browser()))
            let second = try await site.browser().visit(path)
            #expect(second.string == first.string)
            #expect(second["Content-Security-Policy"] == first["Content-Security-Policy"])
            #expect(second["Cache-Control"] == "private, no-cache")
        }
    }

    @Test(arguments: pages) func `any write draws it anew`(path: String) async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            _ = try await site.browser().visit(path)
            try await site.execute("UPDATE event SET title = 'Another day' WHERE id = \(event)")
            try await site.execute("UPDATE provider SET organization = 'Another day'")
            #expect(try await site.browser().visit(path).text.contains("Another day"))
        }
    }

    @Test func `it is never stale: whoever has an answer sees what it says`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.spots = 40 }
            let stranger = site.browser()
            for taken in 1...30 {
                try await site.write(at: site.clock.now) { tx in try Event.takePlaces(1, of: event, in: tx) }
                let page = try await stranger.visit("/events/\(event)")
                #expect(page.text.contains("\(40 - taken) of 40 places left"))
            }
        }
    }

    @Test func `the minute draws it anew: an event that began is gone`() async throws {
        try await withTestSite { site in
            _ = try await site.publish(by: .ben)
            #expect(try await site.browser().visit("/events").cards.count == 1)
            site.clock.advance(by: .seconds(59))
            #expect(try await !drawsAnew("/events", in: site, site.browser()))
            site.clock.advance(by: .seconds(1))
            #expect(try await drawsAnew("/events", in: site, site.browser()))
            site.clock.advance(by: .days(365))
            #expect(try await site.browser().visit("/events").cards == [])
        }
    }

    @Test func `nobody with a cookie gets it, nor gives theirs to others`() async throws {
        try await withTestSite { site in
            _ = try await site.publish(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            let hers = try await ana.visit("/events")
            #expect(hers.string.contains("Ana"))
            let stranger = try await site.browser().visit("/events")
            #expect(!stranger.string.contains("Ana") && stranger.string.contains("/login?next"))
            #expect(try await ana.visit("/events").string.contains("Ana"))
            _ = try await ana.visit("/events/1")
            #expect(try await drawsAnew("/events/1", in: site, ana))
        }
    }

    @Test func `packed and plain pages are two`() async throws {
        try await withTestSite { site in
            _ = try await site.publish(by: .ben)
            for _ in 0..<2 {
                let packed = try await site.browser().send("GET", "/events", ["Accept-Encoding": "gzip"])
                #expect(packed["Content-Encoding"] == "gzip")
                for fields in [[:], ["Accept-Encoding": "gzip;q=0"], ["Accept-Encoding": "br, *;q=0"]] {
                    let plain = try await site.browser().send("GET", "/events", fields)
                    #expect(plain["Content-Encoding"] == nil && plain.text.contains("Kite day"))
                }
            }
        }
    }

    @Test func `a script's answer and a page are two, whoever comes first`() async throws {
        try await withTestSite { site in
            _ = try await site.publish(by: .ben) { $0.tags = "music" }
            for _ in 0..<2 {
                let list = try await site.browser().send("GET", "/tags", ["Accept": "application/json"])
                #expect(list["Content-Type"] == "application/json" && list.string == "{\"items\":[\"music\"]}")
                let page = try await site.browser().visit("/tags")
                #expect(page["Content-Type"] == "text/html; charset=utf-8" && page.link("music") != nil)
                #expect(list["Vary"] == "Accept-Encoding, Accept")
                #expect(page["Vary"] == "Accept-Encoding, Cookie, Sec-Fetch-Dest, Sec-Fetch-Site, Accept")
            }
        }
    }

    @Test func `a page under another spelling of its address is neither given nor taken`() async throws {
        try await withTestSite { site in
            _ = try await site.publish(by: .ben)
            let search = ["Referer": "http://localhost:8080/events?q=kite"]
            for (first, second) in [("//events/1", "/events/1"), ("/events/1", "//events/1")] {
                // A stranger who came from a search gets a way back there, and nobody else does.
                #expect(try await site.browser().visit(first, search).link("Back to the search") != nil)
                #expect(try await site.browser().visit(second).link("Back to the search") == nil)
                #expect(try await site.browser().visit(first).link("Back to the search") == nil)
                _ = try await site.browser().visit(second)
                try await site.writeQuietly { db in _ = try db.execute("UPDATE event SET title = title || '!'") }
                #expect(try await !site.browser().visit(second).heading.contains("!"))
                try await site.execute("UPDATE event SET title = 'Kite day'")
                // Each spelling is drawn by itself.
                _ = try await site.browser().visit(first)
                try await site.writeQuietly { db in _ = try db.execute("UPDATE event SET title = title || '!'") }
                #expect(try await site.browser().visit(second).heading.contains("!"))
                try await site.execute("UPDATE event SET title = 'Kite day'")
            }
        }
    }

    @Test func `a page that isn't there, a form and a word in the address are not cached`() async throws {
        try await withTestSite { site in
            #expect(try await site.browser().visit("/events/1").status == 404)
            _ = try await site.publish(by: .ben)
            #expect(try await site.browser().visit("/events/1").status == 200)
            // Forms carry a word of their own.
            let first = try await site.browser().visit("/signup").value(of: "once")
            let second = try await site.browser().visit("/signup").value(of: "once")
            #expect(first != second || first == nil)
        }
    }

    @Test func `a browser that has a cached page is told so, and the page comes field by field as it was drawn`()
        async throws
    {
        try await withTestSite { site in
            _ = try await site.publish(by: .ben)
            let drawn = try await site.browser().visit("/events")
            let tag = try #require(drawn["ETag"])
            let cached = try await site.browser().visit("/events")
            func fields(_ page: Page) -> [String] {
                page.headers.filter { $0.name != "date" }.map { "\($0.name): \($0.value)" }
            }
            #expect(fields(cached) == fields(drawn) && cached.string == drawn.string)
            let known = try await site.browser().send("GET", "/events", ["If-None-Match": tag])
            #expect(known.status == 304 && known.body.isEmpty && known["ETag"] == tag)
            #expect(known["Content-Security-Policy"] == drawn["Content-Security-Policy"])
            let other = try await site.browser().send("GET", "/events", ["If-None-Match": "W/\"other\""])
            #expect(other.status == 200 && other.string == drawn.string)
            #expect(site.log.lines.contains { $0.contains("GET /events 304") && $0.contains("request=cached") })
        }
    }

    @Test func `the rate limit counts cached pages too`() async throws {
        try await withTestSite(limits: true) { site in
            for _ in 0..<300 { #expect(try await site.browser().visit("/events").status == 200) }
            let page = try await site.browser().visit("/events")
            #expect(page.status == 429 && page["Retry-After"] != nil)
        }
    }

    @Test func `zero caches none`() async throws {
        try await withTestSite(pageCache: 0) { site in
            _ = try await site.publish(by: .ben)
            _ = try await site.browser().visit("/events/1")
            #expect(try await drawsAnew("/events/1", in: site, site.browser()))
        }
    }

    @Test func `it holds no more than it may, and nothing of an older moment`() {
        let cache = PageCache(capacity: 100_000)
        let now = Instant(milliseconds: 0)
        let moment = PageCache.Moment(version: 2, at: now)
        func page(_ bytes: Int) -> PageCache.Page {
            let body = ByteBuffer(repeating: 97, count: bytes)
            let response = Response(status: .ok, body: ResponseBody(byteBuffer: body))
            return PageCache.Page(response, body: body, pattern: "/events")
        }
        func key(_ number: Int) -> PageCache.Key { PageCache.Key(target: "/events?after=\(number)", isPacked: false) }
        var held: [Int] = []
        for number in 0..<1_000 {
            cache.insert(page(9_000), for: key(number), at: moment)
            #expect(cache.page(for: key(number), at: moment) != nil)
            held.append((0...number).count { cache.page(for: key($0), at: moment) != nil })
        }
        // Ten of them with their overhead are more than it may hold, and one more takes the place of one.
        #expect(held == (0..<1_000).map { min($0 + 1, 9) })
        cache.insert(page(200_000), for: key(-1), at: moment)
        #expect(cache.page(for: key(-1), at: moment) == nil)
        // Drawn before the last write, ready after it.
        let older = PageCache.Moment(version: 1, at: now)
        cache.insert(page(10), for: key(-2), at: older)
        #expect(cache.page(for: key(-2), at: older) == nil && cache.page(for: key(-2), at: moment) == nil)
        let newer = PageCache.Moment(version: 3, at: now)
        cache.insert(page(10), for: key(-3), at: newer)
        #expect(cache.page(for: key(-3), at: newer) != nil && cache.page(for: key(999), at: moment) == nil)
    }
}
