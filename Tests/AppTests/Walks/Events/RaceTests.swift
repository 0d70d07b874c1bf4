import Database
import Forms
import Testing

@testable import App

/// Sixty families want five places at the same moment.
@Suite struct RaceTests {
    private static let places = 5, rounds = 12

    /// A family about to press the button.
    private struct Racer: Sendable {
        let browser: Browser
        let account: ID<Account>
        let child: ID<Child>
        let token: String
    }

    private func gather(_ site: TestSite) async throws -> [Racer] {
        var racers: [Racer] = []
        for number in 1...60 {
            let person = Person.family(number)
            let child = try await site.child("Child \(number)", of: person)
            let browser = try await site.signIn(person, as: .parent)
            let token = try #require(try await browser.visit("/me/settings").value(of: "csrf"))
            racers.append(
                Racer(browser: browser, account: try await site.account(of: person), child: child, token: token))
        }
        return racers
    }

    @Test func `sixty families racing for five places get exactly five, round after round`() async throws {
        try await withTestSite { site in
            let racers = try await gather(site)
            let ben = try await site.signIn(.ben, as: .provider)
            for round in 1...Self.rounds {
                let event = try await site.publish(by: .ben) { $0.spots = Self.places }
                let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for racer in racers {
                        group.addTask {
                            let page = try await racer.browser.submit(
                                "/events/\(event)/registrations",
                                [
                                    ("csrf", racer.token), ("child", "\(racer.child)"),
                                    ("once", Submission<RegistrationForm>().once),
                                ])
                            if page.status == 303 { return page.location?.hasPrefix("/registrations/") == true }
                            #expect(page.status == 422)
                            #expect(page.problems == ["There is no place left. Nobody was registered."])
                            return false
                        }
                    }
                    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(winners == Self.places, "round \(round)")
                #expect(try site.count(of: "registration WHERE event_id = \(event)") == Self.places)
                #expect(try site.count(of: "registration_person WHERE event_id = \(event)") == Self.places)
                #expect(try site.count(of: "event WHERE id = \(event) AND taken = \(Self.places)") == 1)
                // What the pages say agrees.
                let detail = try await ben.visit("/events/\(event)")
                #expect(detail.text.contains("All 5 places are taken"))
                let roster = try await ben.visit("/events/\(event)/registrations")
                #expect(roster.text.contains("5 of 5 places taken"))
                #expect(roster.html.all("tr").filter { $0.first("td") != nil }.count == Self.places)
                let open = try await ben.visit("/events?free_places=1")
                #expect(open.cards == [])
            }
        }
    }

    @Test func `without the check in the statement they oversell`() async throws {
        try await withTestSite { site in
            let racers = try await gather(site)
            let event = try await site.publish(by: .ben) { $0.spots = Self.places }
            let now = site.clock.now
            // Everybody looks first and takes afterwards, as two statements of two transactions do.
            let free = try racers.map { _ in
                try site.read { db in try db.value("SELECT spots - taken FROM event WHERE id = \(event)") ?? 0 }
            }
            try await withThrowingTaskGroup { group in
                for (racer, seen) in zip(racers, free) where seen >= 1 {
                    group.addTask {
                        try await site.write { db in
                            let taken = Self.places - seen + 1
                            try db.execute("UPDATE event SET taken = \(taken) WHERE id = \(event)")
                            let id = try db.insert(
                                """
                                INSERT INTO registration (event_id, account_id, state, once, created_at, updated_at)
                                VALUES (\(event), \(racer.account), 'confirmed', 'twin', \(now), \(now))
                                """)
                            try db.execute(
                                """
                                INSERT INTO registration_person (registration_id, event_id, child_id)
                                VALUES (\(id), \(event), \(racer.child))
                                """)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try site.count(of: "registration_person WHERE event_id = \(event)") > Self.places)
        }
    }

    @Test func `parties of two never split: five places hold two parties`() async throws {
        try await withTestSite { site in
            let racers = try await gather(site).prefix(20)
            var pairs: [(racer: Racer, second: ID<Child>)] = []
            for (number, racer) in racers.enumerated() {
                pairs.append((racer, try await site.child("Second", of: .family(number + 1))))
            }
            let event = try await site.publish(by: .ben) { $0.spots = Self.places }
            try await withThrowingTaskGroup { group in
                for (racer, second) in pairs {
                    group.addTask {
                        _ = try await racer.browser.submit(
                            "/events/\(event)/registrations",
                            [
                                ("csrf", racer.token), ("child", "\(racer.child)"), ("child", "\(second)"),
                                ("once", Submission<RegistrationForm>().once),
                            ])
                    }
                }
                try await group.waitForAll()
            }
            #expect(try site.count(of: "registration") == 2)
            #expect(try site.count(of: "registration_person") == 4)
            #expect(try site.count(of: "event WHERE taken = 4") == 1)
        }
    }
}
