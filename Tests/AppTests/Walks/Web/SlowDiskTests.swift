import Testing

@testable import App
@testable import Database

/// While the disk keeps readers waiting: answers are made elsewhere, and are the same.
@Suite struct SlowDiskTests {
    @Test func `whoever comes while the disk is slow gets the same pages, and registers`() async throws {
        try await withTestSite { site in
            _ = try await site.publish(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            let mo = try await site.child("Mo", of: .ana, year: 2020)
            let stranger = site.browser()
            let paths = ["/events/1", "/events", "/signup", "/about"]
            var quick: [String] = []
            for path in paths { quick.append(try await stranger.visit(path).text) }
            func slowDown() throws {
                for _ in 0..<40 { site.site.database.readers.gauge.note(hasWaited: true) }
                #expect(site.site.readsWait)
            }
            for (path, text) in zip(paths, quick) {
                try slowDown()
                #expect(try await stranger.visit(path).text == text, "\(path)")
            }
            try slowDown()
            let page = try await ana.visit("/events/1")
            try slowDown()
            _ = try await page.press("Register", filling: ["child": ["\(mo)"]])
            #expect(try site.count(of: "registration") == 1)
            try slowDown()
            #expect(try await stranger.visit("/nowhere").status == 404)
        }
    }

    @Test(.onFiles) func `pages don't wait as if for a picture`() async throws {
        try await withTestSite { site in
            for _ in 0..<40 { site.site.media.database.readers.gauge.note(hasWaited: true) }
            #expect(site.site.media.readsWait)
            #expect(!site.site.readsWait)
        }
    }
}
