import Database
import Testing

@testable import App

/// Requests that follow each other at once read their session once, and never another than is stored.
@Suite struct ReadVisitorsTests {
    private func hash(_ browser: Browser, _ site: TestSite) throws -> [UInt8] {
        let cookie = try #require(browser.cookie(Cookie.name(Session.cookieName, in: site.site.settings)))
        return try #require(Token(cookie)).hash
    }

    private func stored(_ hash: [UInt8], _ site: TestSite) throws -> Visitor? {
        return try site.read(at: site.clock.now) { tx in try Session.visitor(hash, in: tx) }
    }

    /// A change to a session or to its account.
    private func change(_ number: Int, _ hash: [UInt8], at now: Instant) -> SQL {
        let account: SQL = "(SELECT account_id FROM session WHERE token_hash = \(hash))"
        return switch number {
        case 0: "UPDATE account SET unread = unread + 1 WHERE id = \(account)"
        case 1: "UPDATE account SET suspended_at = \(now) WHERE id = \(account)"
        case 2: "UPDATE account SET suspended_at = NULL WHERE id = \(account)"
        case 3: "UPDATE account SET is_staff = NOT is_staff, is_admin = NOT is_admin WHERE id = \(account)"
        case 4: "UPDATE account SET limited_until = \(now + .days(1)) WHERE id = \(account)"
        case 5: "UPDATE account SET waits_since = \(now) WHERE id = \(account)"
        case 6: "UPDATE session SET hat = NULL WHERE token_hash = \(hash)"
        case 7: "UPDATE session SET csrf = \(CSRF.fresh()) WHERE token_hash = \(hash)"
        case 8: "UPDATE provider SET organization = organization || '!' WHERE account_id = \(account)"
        case 9: "UPDATE account SET unread = 7 WHERE id = -1"
        default: "DELETE FROM session WHERE token_hash = \(hash)"
        }
    }

    /// The sessions of a parent, a provider and an admin.
    private func signIn(_ site: TestSite) async throws -> [[UInt8]] {
        [
            try hash(try await site.signIn(.ana, as: .parent), site),
            try hash(try await site.signIn(.ben, as: .provider), site),
            try hash(try await site.signIn(.mira, isStaff: true), site),
        ]
    }

    @Test func `whatever is written, by a page or quietly, a session is at once what is stored of it`() async throws {
        try await withTestSite { site in
            var hashes = try await signIn(site)
            var random = SeededGenerator(seed: 36)
            var (ended, alive) = (0, 0)
            for step in 0..<300 {
                let sql = change(random.pick(Array(0...10)), random.pick(hashes), at: site.clock.now)
                if random.pick([true, false]) {
                    try await site.execute(sql)
                } else {
                    try await site.writeQuietly { db in _ = try db.execute(sql) }
                }
                // The second look comes from memory.
                for hash in hashes + hashes {
                    let stored = try stored(hash, site)
                    let found = try site.site.visitor(of: hash, at: site.clock.now)
                    #expect(String(describing: found) == String(describing: stored), "step \(step)")
                    if stored == nil { ended += 1 } else { alive += 1 }
                }
                if step % 30 == 29 { hashes = try await signIn(site) }
            }
            #expect(ended > 100 && alive > 100)
        }
    }

    @Test func `an ended session opens no page anymore; counted by what pages show, it would`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let (hash, now, twin) = (try hash(ana, site), site.clock.now, ReadVisitors())
            #expect(try await ana.visit("/week").status == 200)
            #expect(try twin.visitor(hash, at: now, after: site.site.dataVersion) { try stored(hash, site) } != nil)
            try await site.writeQuietly { db in _ = try db.execute("DELETE FROM session") }
            #expect(try await ana.visit("/week").path.hasPrefix("/login"))
            #expect(try twin.visitor(hash, at: now, after: site.site.dataVersion) { try stored(hash, site) } != nil)
        }
    }

    @Test func `a visitor is kept for a second, until the session ends, and for no other number of commits`()
        async throws
    {
        try await withTestSite { site in
            let hash = try hash(try await site.signIn(.ana, as: .parent), site)
            let visitor = try #require(try stored(hash, site))
            let (now, end, kept) = (site.clock.now, visitor.end, ReadVisitors())
            #expect(end == now + Session.idle)
            func keep(at instant: Instant, after commits: Int?) {
                #expect(kept.visitor(hash, at: instant, after: commits) { visitor } != nil)
            }
            func isKept(at instant: Instant, after commits: Int?) -> Bool {
                kept.visitor(hash, at: instant, after: commits) { nil } != nil
            }
            keep(at: now, after: 1)
            #expect(isKept(at: now + .milliseconds(999), after: 1))
            #expect(!isKept(at: now + .seconds(1), after: 1) && !isKept(at: now - .seconds(1), after: 1))
            #expect(!isKept(at: now, after: 2))
            keep(at: end - .milliseconds(1), after: 3)
            #expect(isKept(at: end - .milliseconds(1), after: 3) && !isKept(at: end, after: 3))
            // What was read before a commit comes too late.
            keep(at: now, after: 2)
            #expect(!isKept(at: now, after: 2) && !isKept(at: now, after: 3))
            // Where others write unseen.
            keep(at: now, after: nil)
            #expect(!isKept(at: now, after: nil))
            // No more than there is room for.
            func other(_ number: Int, _ visitor: Visitor?) -> Visitor? {
                kept.visitor([UInt8(number & 255), UInt8(number >> 8)], at: now, after: 4) { visitor }
            }
            for number in 0...ReadVisitors.most { #expect(other(number, visitor) != nil) }
            #expect(other(0, nil) == nil && other(ReadVisitors.most, nil) != nil)
        }
    }
}
