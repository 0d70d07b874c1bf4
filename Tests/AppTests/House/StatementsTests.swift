import Database
import Forms
import Testing

@testable import App

/// How many statements a page takes: on a server's database each is a trip there and back. `MadeUpLanguageTests` counts
/// those of every page once; here one has all that makes it take more.
@Suite struct StatementsTests {
    private static let most = 30

    /// Cleo looks after Ana's child with her, hosts a neighbor's fair with them, missed some days of kindness, and both
    /// wait for places at other events; *Kite day* begins in half an hour.
    private func furnish(_ site: TestSite) async throws -> Browser {
        let mo = try await site.child("Mo", of: .ana)
        let (ana, cleo) = (try await site.account(of: .ana), try await site.account(of: .cleo))
        try await site.family(of: .cleo)
        let kites = try await site.publish(by: .ben)
        try await site.register([mo], of: .ana, at: kites)
        let fair = try await site.publish(by: .family(9)) { $0.audience = .everyone }
        let own = try await site.publish(by: .family(9)) { $0.audience = .everyone }
        let now = site.clock.now
        try await site.write { db in
            try db.execute("INSERT INTO guardian (account_id, head_id, since) VALUES (\(cleo), \(ana), \(now))")
            try db.execute(
                """
                INSERT INTO cohost (event_id, account_id, typed, state, at)
                VALUES (\(fair), \(cleo), 'x', 'taken', \(now))
                """)
            try db.execute("UPDATE event SET account_id = \(cleo) WHERE id = \(own)")
            try db.execute(
                """
                INSERT INTO change (event_id, edit_id, at, what, said_before, says_now)
                VALUES (\(kites), 1, \(now), 'price', '1', '2')
                """)
            try db.execute("INSERT INTO change_seen (account_id, change_id) SELECT \(ana), id FROM change")
        }
        let other = try await site.child("Ida", of: .family(1))
        for number in 1...4 {
            let full = try await site.publish(by: .ben) { form in
                form.title = "Robots \(number)"
                (form.spots, form.date) = (1, Day(iso: "2027-04-03")!)
            }
            try await site.register([other], of: .family(1), at: full)
            let once = Submission<RegistrationForm>().once
            try await site.write(at: now) { tx in
                _ = try Registration.register(
                    [mo], of: ana, at: full, waits: true, sharesNotes: false, once: once, in: tx)
            }
        }
        let browser = try await site.signIn(.cleo, as: .parent)
        let act = try await browser.visit("/kindness/acts/new").press("Put it on my list", filling: ["name": "Sing"])
        _ = try await act.press("I did it: Sing")
        _ = try await browser.visit(act.path).press("Take it off my list")
        // Half past nine on March 27 in the town.
        site.clock.advance(by: .days(7) + .hours(6) + .minutes(30))
        return try await site.signIn(.cleo, as: .parent)
    }

    @Test func `Today of a family with everything takes few statements`() async throws {
        try await withTestSite { site in
            let cleo = try await furnish(site)
            // The first visit of a session is written down.
            _ = try await cleo.visit("/")
            let before = site.site.database.recordedRuns
            let page = try await cleo.visit("/")
            let count = site.site.database.recordedRuns - before
            #expect(page.status == 200 && page.text.contains("Kite day"))
            #expect((20...Self.most).contains(count), "\(count) statements")
        }
    }

    /// Cleo is also staff, and has an organization that somebody would like to help, a dog, a need, two children more,
    /// an invitation to host a fair, and did something kind today.
    private func furnishAll(_ site: TestSite) async throws {
        try await PlaydatesTests.pet("Clover", of: .cleo, in: site)
        _ = try await furnish(site)
        for name in ["Ida", "Max"] { try await site.child(name, of: .ana) }
        try await site.provider(of: .cleo)
        let ask = try await site.ask(by: .cleo) { $0.asksFirst = true }
        let fair = try await site.publish(by: .family(9)) { form in
            (form.audience, form.date) = (.everyone, Day(iso: "2027-04-03")!)
        }
        let (cleo, ben, now) = (try await site.account(of: .cleo), try await site.account(of: .ben), site.clock.now)
        try await site.write(at: now) { tx in
            try tx.execute("UPDATE account SET is_staff = TRUE, is_admin = TRUE, two_step_by = NULL WHERE id = \(cleo)")
            let shift: ID<Shift> = try #require(try tx.value("SELECT max(id) FROM shift"))
            try Signup.take([shift], message: "", of: ben, at: ask, in: tx)
            try Matter.raise(.event(fair), of: ben, for: .look, in: tx)
            try tx.execute(
                """
                INSERT INTO cohost (event_id, account_id, typed, state, at)
                VALUES (\(fair), \(cleo), 'y', 'asked', \(tx.now))
                """)
        }
        let browser = try await site.signIn(.cleo, as: .parent)
        let act = try await browser.visit("/kindness/acts/new").press("Put it on my list", filling: ["name": "Hum"])
        _ = try await act.press("I did it: Hum")
    }

    @Test func `pages of a parent who is staff and has an organization take few statements, too`() async throws {
        try await withTestSite { site in
            try await furnishAll(site)
            let pages: [(hat: Hat, paths: [String])] = [
                (.parent, ["/", "/week", "/inbox", "/me", "/kindness", "/impact", "/playdates", "/admin"]),
                (
                    .provider,
                    [
                        "/", "/week", "/inbox", "/me", "/me/events", "/me/opportunities",
                        "/me/organization/colleagues", "/admin", "/admin/queue",
                    ]
                ),
            ]
            for (hat, paths) in pages {
                let cleo = try await site.signIn(.cleo, as: hat)
                for path in paths {
                    // The first visit of a session is written down.
                    _ = try await cleo.visit(path)
                    let before = site.site.database.recordedRuns
                    let page = try await cleo.visit(path)
                    let count = site.site.database.recordedRuns - before
                    #expect(page.status == 200, "\(path)")
                    #expect(count < Self.most, "\(path), \(hat): \(count) statements")
                    guard ["/", "/week"].contains(path) else { continue }
                    for words in ["would like to help", "You are asked to host it together", "for a look"] {
                        #expect(page.text.contains(words), "\(path), \(hat): \(words)")
                    }
                }
            }
        }
    }

    @Test func `waiting for more events takes no more statements`() async throws {
        try await withTestSite { site in
            _ = try await furnish(site)
            let ana = try await site.account(of: .ana)
            // A week before, and twenty minutes before.
            let times = [site.clock.now, site.clock.now + .days(7) + .minutes(10)]
            func counts(_ lines: Int) throws -> [Int] {
                try times.map { now in
                    let before = site.site.database.recordedRuns
                    let found = try site.site.read(at: now) { tx in try Registration.waiting(of: ana, in: tx) }
                    #expect(found.count == lines)
                    return site.site.database.recordedRuns - before
                }
            }
            let four = try counts(4)
            try await site.execute(
                """
                UPDATE registration SET state = 'cancelled' WHERE state = 'waiting' AND event_id IN (
                    SELECT id FROM event WHERE title IN ('Robots 2', 'Robots 3', 'Robots 4'))
                """)
            #expect(try counts(1) == four && four == [1, 2], "\(four)")
        }
    }
}
