import Database
import Testing

@testable import App

@Suite struct DemoTests {
    private static let zone = Zone(identifier: "America/Los_Angeles")!

    private func demo(at now: Instant = Clock.start) -> Demo { Demo(at: now, zone: Self.zone, currency: "USD") }

    @Test func `the demo town has 12 providers, 60 families and 150 events with 40 texts or more`() {
        let demo = demo()
        #expect(DemoTown.organizations.count == 12)
        #expect(demo.homes.count == 60)
        #expect(demo.happenings.count == 150)
        #expect(Set(demo.happenings.map(\.event.description)).count >= 40)
        #expect(Set(demo.homes.map(\.household.username)).count == 60)
        #expect(demo.homes.allSatisfy { (1...4).contains($0.children.count) })
    }

    @Test func `it is the same town again on the same day`() {
        func people(_ demo: Demo) -> [String] {
            demo.parties.map { "\($0.happening) \($0.home) \($0.children.map(\.nickname))" }.sorted()
        }
        #expect(people(demo()) == people(demo()))
        #expect(people(demo()) != people(demo(at: Clock.start + .days(40))))
    }

    /// On 14 days over a year, each day of the week twice: the town must hold whenever it is made.
    @Test(arguments: 0..<14) func `its events reach from last month to four months ahead`(days: Int) throws {
        let now = Clock.start + .days(days * 27)
        let demo = demo(at: now)
        let starts = demo.happenings.map { $0.event.startsAt - now }
        #expect(try #require(starts.min()) < .days(-20))
        #expect(try #require(starts.max()) > .days(110))
        #expect(starts.count { $0 > .zero && $0 < .days(7) } >= 10)
        #expect(demo.happenings.allSatisfy { $0.publishedAt < min($0.event.startsAt, now) })
    }

    @Test(arguments: 0..<14) func `nobody is in two places, too young, too late, or one too many`(days: Int) {
        let now = Clock.start + .days(days * 27)
        let demo = demo(at: now)
        var taken: [Int: Int] = [:]
        var outings: Set<String> = []
        for party in demo.parties {
            let happening = demo.happenings[party.happening]
            taken[party.happening, default: 0] += party.children.count
            #expect(happening.publishedAt <= party.registeredAt)
            #expect(party.registeredAt < min(happening.event.startsAt, now))
            for child in party.children {
                #expect(happening.event.fits(child.ages(on: happening.event.day)))
                #expect(outings.insert("\(party.home) \(child.nickname) \(happening.event.day.iso)").inserted)
            }
        }
        for (number, count) in taken { #expect(count <= demo.happenings[number].event.spots ?? 0) }
        #expect(taken.count { $0.value == demo.happenings[$0.key].event.spots } >= 10)
    }

    @Test func `everything in it is within the limits of the forms`() {
        let names = DemoTown.organizations.map(\.username) + DemoTown.households.map(\.username) + [DemoTown.staff]
        for name in names { #expect(Account.problem(withUsername: name) == nil, "\(name)") }
        #expect(Account.problem(withPassword: Demo.password, guessed: AccountRulesTests.guessed) == nil)
        for event in demo().happenings.map(\.event) {
            #expect((3...120).contains(event.title.count) && (10...4_000).contains(event.description.count))
            #expect((1...100).contains(event.spots ?? 0) && event.tags.allSatisfy { $0.count <= 30 })
            #expect(event.endsAt > event.startsAt || event.end == nil, "\(event.title)")
            #expect(Country.state(typed: event.address.state) == "CA" && event.address.zip.count == 5)
        }
    }

    @Test func `every motif of the posters is to be seen`() {
        let seen = Set(demo().happenings.map(\.event.motif))
        #expect(Set(Motif.allCases).subtracting(seen).isEmpty)
    }

    @Test func `stored, the places taken are those of the people registered`() async throws {
        try await withTestSite { site in
            let lines = try await site.site.seedDemo()
            #expect(lines.contains { $0.contains("ana-ortiz") } && lines.contains { $0.contains(Demo.password) })
            // And the camp.
            let all = 150 + DemoTown.gatherings.count + 1
            #expect(try site.count(of: "event") == all)
            #expect(try site.count(of: "event_search") == all)
            #expect(try site.count(of: "event WHERE cancelled_at IS NOT NULL AND NOT listed") >= 4)
            #expect(
                try site.count(
                    of: """
                        event WHERE NOT sessions AND taken != (SELECT count(*) FROM registration_person AS person
                            WHERE person.event_id = event.id AND person.cancelled_at IS NULL)
                        """) == 0)
            #expect(
                try site.count(
                    of: """
                        event WHERE sessions AND taken > 20 AND taken = (SELECT count(*) FROM attendance
                            JOIN activity ON activity.id = attendance.activity_id WHERE activity.event_id = event.id)
                        """) == 1)
            #expect(try site.count(of: "message WHERE thread_id IS NOT NULL") == DemoTown.thread.count)
            #expect(try site.count(of: "thread_side WHERE unread > 0") == 1, "the last one waits to be read")
            let disordered: SQL = "notice JOIN notice AS later ON later.id > notice.id AND later.at < notice.at"
            #expect(try site.count(of: disordered) == 0, "an inbox that jumps between the days")
            for login in ["ana-ortiz", "king-library", "paolo-conti", "mira-staff"] {
                let page = try await site.browser().visit("/login")
                    .press("Log in", filling: ["login": .texts([login]), "password": .texts([Demo.password])])
                #expect(page.status == 200 && page.path != "/login", "\(login)")
            }
        }
    }
}

@Suite struct LoadSeedTests {
    private func plan(
        families: Int = 5, providers: Int = 3, events: Int = 40, registrations: Int = 70, activities: Int = 0,
        attendances: Int = 0, pets: Int = 0, matches: Int = 0, messages: Int = 0, opportunities: Int = 0,
        contributions: Int = 0, deeds: Int = 0, needs: Int = 0, seed: UInt64 = 1, cities: [String] = []
    ) -> Site.LoadPlan {
        .init(
            families: families, providers: providers, events: events, registrations: registrations,
            activities: activities, attendances: attendances, pets: pets, matches: matches, messages: messages,
            opportunities: opportunities, contributions: contributions, deeds: deeds, needs: needs, seed: seed,
            password: "a village of our own", cities: cities)
    }

    @Test func `it makes what was asked for, and the places add up`() async throws {
        try await withTestSite { site in
            try await site.site.seedLoad(plan())
            #expect(try site.count(of: "account") == 8)
            #expect(try site.count(of: "event") == 40)
            #expect(try site.count(of: "event_search") == 40)
            #expect(try site.count(of: "registration") == 70)
            #expect(
                try site.count(
                    of: """
                        event WHERE taken != (SELECT count(*) FROM registration_person AS person
                            WHERE person.event_id = event.id)
                        """) == 0)
            // Each child is registered by the account of its own family.
            #expect(
                try site.count(
                    of: """
                        registration JOIN registration_person ON registration_id = registration.id
                        JOIN child ON child.id = child_id JOIN family ON family.id = child.family_id
                        WHERE registration.account_id <> family.account_id
                        """) == 0)
            let page = try await site.browser().visit("/events?city=San+Jose")
            #expect(page.status == 200)
        }
    }

    @Test func `kind acts add up to what each comes to, and needs are found near their town`() async throws {
        try await withTestSite { site in
            try await site.site.seedLoad(plan(events: 0, registrations: 0, deeds: 62, needs: 90))
            #expect(try site.count(of: "deed") == 62 && site.count(of: "need WHERE listed") == 90)
            let adds: SQL = """
                standing WHERE acts = (SELECT count(*) FROM deed WHERE deed.account_id = standing.account_id)
                    AND points = (SELECT sum(points) FROM deed WHERE deed.account_id = standing.account_id)
                    AND streak_length = acts
                """
            #expect(try site.count(of: adds) == 5)
            #expect(try site.read { db in try db.value("SELECT CAST(sum(count) AS BIGINT) FROM town_total") } == 62)
            #expect(try site.count(of: "need WHERE is_home AND point_id IS NULL") == 0)
            let page = try await site.browser().visit("/needs")
            #expect(page.html.all(ofClass: "need").count == Need.pageSize)
        }
    }

    @Test func `fairs have the activities that were asked for, and who goes there adds up`() async throws {
        try await withTestSite { site in
            let plan = plan(families: 16, events: 400, registrations: 0, activities: 1_200, attendances: 200)
            try await site.site.seedLoad(plan)
            #expect(try site.count(of: "activity") == 1_200 && site.count(of: "attendance") == 200)
            #expect(try site.count(of: "event WHERE audience = 'everyone'") == 20)
            // One in four of the fairs has as many as there may be, on three days.
            #expect(try site.count(of: "(SELECT 1 FROM activity GROUP BY event_id HAVING count(*) = 200) AS part") == 1)
            #expect(try site.count(of: "event WHERE is_long") == 1)
            #expect(
                try site.count(
                    of: """
                        activity WHERE taken <> (SELECT count(*) FROM attendance WHERE activity_id = activity.id)
                            OR taken > spots
                        """) == 0)
            #expect(
                try site.count(
                    of: """
                        event WHERE taken <> (SELECT count(*) FROM registration_person AS person
                            WHERE person.event_id = event.id)
                        """) == 0)
            // Each lies within its event, in time.
            #expect(
                try site.count(
                    of: """
                        activity JOIN event ON event.id = event_id
                        WHERE activity.starts_at < event.starts_at OR activity.ends_at > event.ends_at
                        """) == 0)
            let page = try await site.browser().visit("/events?audience=everyone")
            #expect(page.status == 200)
        }
    }

    @Test func `its pets live in one county, and those that match are each of another family`() async throws {
        try await withTestSite { site in
            try await site.site.seedLoad(
                plan(families: 20, events: 0, registrations: 0, pets: 30, matches: 60, messages: 9))
            #expect(try site.count(of: "owner") == 20 && site.count(of: "pet") == 30)
            #expect(try site.count(of: "pet_match") == 60 && site.count(of: "match_side") == 120)
            #expect(try site.count(of: "message WHERE match_id = 1") == 9)
            #expect(try site.count(of: "match_side WHERE account_id = other_account_id") == 0)
        }
    }

    @Test func `ways to help are on the map, and what was given there adds up`() async throws {
        try await withTestSite { site in
            try await site.site.seedLoad(
                plan(families: 20, events: 0, registrations: 0, opportunities: 50, contributions: 400))
            #expect(try site.count(of: "opportunity WHERE listed AND point_id IS NOT NULL") == 50)
            #expect(try site.count(of: "shift") == 86 && site.count(of: "thing") == 7)
            #expect(try site.count(of: "contribution") == 400)
            #expect(
                try site.count(
                    of: """
                        organization_total AS total WHERE minutes <> (
                            SELECT coalesce(sum(confirmed), 0) FROM contribution WHERE host_id = total.account_id)
                            OR helpers <> (SELECT count(DISTINCT account_id) FROM contribution
                                WHERE host_id = total.account_id AND confirmed IS NOT NULL)
                            OR followers <> (SELECT count(*) FROM follow WHERE host_id = total.account_id)
                        """) == 0)
            for path in ["/opportunities", "/providers/provider-1"] {
                #expect(try await site.browser().visit(path).status == 200, "\(path)")
            }
        }
    }

    @Test func `the events are spread evenly over the given cities`() async throws {
        try await withTestSite { site in
            try await site.site.seedLoad(plan(cities: ["King & Queen Court House", "San José"]))
            #expect(try site.count(of: "event WHERE city_key = 'san jose'") == 20)
            #expect(try site.count(of: "event WHERE city = 'King & Queen Court House'") == 20)
        }
    }

    @Test func `a plan that can't be carried out is refused with the reason`() {
        for wrong in [
            plan(families: -1), plan(providers: 0), plan(families: 0), plan(events: 0, registrations: 1),
            plan(families: 1, events: 2, registrations: 3),
            plan(events: 10, registrations: 0, activities: 9), plan(events: 40, activities: 300),
            plan(activities: 20, attendances: 11),
            plan(pets: 51), plan(pets: 2, matches: 1), plan(pets: 5, messages: 1),
            plan(providers: 0, events: 0, registrations: 0, opportunities: 1), plan(contributions: 1),
        ] { #expect(throws: Site.LoadPlan.Problems.self) { try wrong.check() } }
        #expect(throws: Never.self) { try plan(families: 1, events: 2, registrations: 2).check() }
    }

    @Test func `the same seed gives the same numbers, another seed others`() {
        func numbers(_ seed: UInt64) -> [Int] {
            var random = SeededGenerator(seed: seed)
            return (0..<50).map { _ in random.number(in: 0..<1_000) }
        }
        #expect(numbers(1) == numbers(1))
        #expect(numbers(1) != numbers(2))
        // SplitMix64 from the seed 1234567; https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64
        var random = SeededGenerator(seed: 1_234_567)
        #expect([random.next(), random.next()] == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973])
    }
}
