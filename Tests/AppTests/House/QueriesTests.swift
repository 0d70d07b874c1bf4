import Database
import Testing

@testable import App

/// Every statement the site runs on a tour of all its pages, as SQLite plans it.
@Suite struct QueriesTests {
    /// Tables that hold a handful of rows whatever the town's size.
    private static let small: Set<String> = ["note", "setup_link", "schema_migration"]

    /// Lines of a plan that read a table from end to end, or sort what an index should have sorted.
    ///
    /// The registrations of one family may be sorted: they are few, whatever the size of the town.
    static func faults(in plan: [String]) -> [String] {
        let isOfOneFamily = plan.contains {
            $0.contains("registration_family (family_id=?") || $0.contains("registration_person_child (child_id=?")
        }
        return plan.filter { line in
            if line.contains("TEMP B-TREE") { return !isOfOneFamily }
            guard line.hasPrefix("SCAN ") else { return false }
            let table = line.dropFirst(5).prefix { $0 != " " }
            // A scan along an index in its own order is how a page of a list is read; LIMIT ends it.
            let isOrdered = line.contains("USING") || line.contains("VIRTUAL TABLE")
            return !isOrdered && !small.contains(String(table)) && table != "CONSTANT" && !line.contains("SUBQUERY")
        }
    }

    @Test func `no query reads a growing table from end to end or sorts it`() async throws {
        try await withTestSite(recordsStatements: true) { site in
            try await tour(site)
            let statements = site.site.database.recordedStatements
            #expect(statements.count > 60)
            for statement in statements {
                let faults = Self.faults(in: try site.site.database.explain(statement))
                #expect(faults.isEmpty, "\(statement)\n\(faults)")
            }
        }
    }

    @Test func `a query without an index is found out`() async throws {
        try await withTestSite { site in
            for query: SQL in [
                "SELECT id FROM event WHERE title = 'x'", "SELECT id FROM event ORDER BY title LIMIT 20",
            ] {
                let plan = try site.site.database.explain(query)
                #expect(!Self.faults(in: plan).isEmpty, "\(plan)")
            }
        }
    }

    /// Every kind of page and every filter once, so that each statement is run.
    private func tour(_ site: TestSite) async throws {
        let ben = try await site.signIn(.ben, as: .provider)
        let event = try await site.publish(by: .ben) { $0.tags = "music, outdoors" }
        let ana = try await site.signIn(.ana, as: .parent)
        let mo = try await site.child("Mo", of: .ana)
        let lu = try await site.child("Lu", of: .ana)
        let registration = try await site.register([mo, lu], of: .ana, at: event)
        let mira = try await site.signIn(.mira, isStaff: true)
        let filters = [
            "", "q=kite", "q=kite&city=San+Jose&from=2027-03-20&to=2027-04-20", "city=San+Jose",
            "when=weekend&age=4&age=8",
            "free_places=2&price=free&covid_safe=1", "tag=music", "tag=music&tag=outdoors", "q=kite&tag=music",
            "after=1805000000000-1", "city=San+Jose&after=1805990000000-1", "tag=music&after=1805990000000-1",
            "q=kite&after=1805990000000-1",
        ]
        for filter in filters { #expect(try await ana.visit("/events?\(filter)").status == 200) }
        for path in [
            "/", "/week", "/me", "/me/family", "/me/children", "/me/children/\(mo)/edit", "/me/children/\(mo)/delete",
            "/events/\(event)", "/registrations/\(registration)", "/me/registrations",
            "/me/registrations?list=attended",
            "/me/sessions", "/me/password", "/providers/ben-ruiz", "/welcome", "/readyz",
        ] { #expect(try await ana.visit(path).status == 200, "\(path)") }
        for path in [
            "/", "/week", "/me/provider", "/events/new", "/events/\(event)/published", "/events/\(event)/registrations",
            "/me/events", "/me/events?list=expired&after=1805990000000-1", "/me/events?list=cancelled",
            "/me/events?after=1805000000000-1",
        ] { #expect(try await ben.visit(path).status == 200, "\(path)") }
        for path in [
            "/admin/people", "/admin/people?q=ana", "/admin/people?q=ana%40&after=a", "/admin/people/1",
            "/admin/events?q=kite",
            "/admin/events/\(event)", "/admin/log", "/admin/log?before=99",
        ] { #expect(try await mira.visit(path).status == 200, "\(path)") }

        _ = try await ana.visit("/registrations/\(registration)").press("Give this place back: Lu")
        _ = try await ana.visit("/me/children/\(mo)/delete").press("Remove")
        _ = try await ben.visit("/me/provider").press("Save", filling: ["organization": "Queen Library"])
        _ = try await mira.visit("/admin/events/\(event)").press("Hide the event", filling: ["reason": "a test"])
        _ = try await mira.visit("/admin/people/1").press("Make a link", filling: ["reason": "a test"])
        _ = try await mira.visit("/admin/people/1").press("Suspend the account", filling: ["reason": "a test"])
        _ = try await site.browser().visit("/login").press(
            "Log in", filling: ["login": "ana-ortiz", "password": .texts([Person.password])])
    }
}
