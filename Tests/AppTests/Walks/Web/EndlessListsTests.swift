import Database
import Testing

@testable import App

/// Lists with hundreds and thousands of rows, followed to their end with their filters: no row twice, none missing,
/// also when rows go and come meanwhile.
@Suite struct EndlessListsTests {
    /// A list, and what belongs on it.
    private struct List {
        let path: String
        /// How the address of a row begins, before its number or name.
        let row: String
        /// The names of the rows that are on it, by a statement.
        let all: SQL
        /// The class of what holds the rows, where the page has the same links elsewhere too.
        var part: String?
        /// What takes a row away.
        var hide: (@Sendable (Int64) -> SQL)?
    }

    private typealias Filter = (query: String, condition: SQL)

    private static let eventFilters: [Filter] = [
        ("price=free", "price = 0 AND NOT pays_what_they_can"), ("covid_safe=1", "covid_safe"),
        ("age=8", "(age_from IS NULL OR age_from <= 8) AND (age_to IS NULL OR age_to >= 8)"),
        ("tag=music", "EXISTS (SELECT 1 FROM event_tag WHERE event_tag.event_id = event.id AND tag = 'music')"),
    ]

    private static let helpFilters: [Filter] = [
        ("kind=donate", "kind = 'donate'"), ("children=1", "with_children"), ("home=1", "at_home"),
        ("age=15", "(age_from IS NULL OR age_from <= 15)"),
    ]

    /// A list with each set of its filters.
    private static func each(_ filters: [Filter], of path: String, in table: SQL) -> [List] {
        (0..<1 << filters.count).map { set in
            let chosen = filters.indices.filter { set & 1 << $0 != 0 }.map { filters[$0] }
            let condition = (["listed"] + chosen.map(\.condition)).joined(separator: " AND ")
            return List(
                path: "\(path)?" + chosen.map(\.query).joined(separator: "&"), row: "\(path)/",
                all: "SELECT CAST(id AS TEXT) FROM \(table) WHERE \(condition)")
        }
    }

    private static let hideEvent: @Sendable (Int64) -> SQL = { id in
        "UPDATE event SET listed = FALSE, hidden_at = 1 WHERE id = \(id)"
    }

    private static let plan = Site.LoadPlan(
        families: 60, providers: 130, events: 1_200, registrations: 0, opportunities: 300, needs: 300, seed: 1,
        password: Person.password, cities: [])

    @Test(.tags(.slow)) func `each set of filters finds all that fits, once, to the last page`() async throws {
        try await withTestSite { site in
            try await site.site.seedLoad(Self.plan)
            try await site.execute("UPDATE opportunity SET at_home = id % 2 = 0, with_children = id % 3 = 0")
            let visitor = site.browser()
            for list in Self.each(Self.eventFilters, of: "/events", in: "event") {
                let found = try await Self.follow(list, as: visitor)
                try Self.expectWhole(list, found, on: site)
                let count = try await visitor.visit("/events/count" + list.path.dropFirst("/events".count)).string
                if found.count < 50 { #expect(count.contains("\"count\":\(found.count)"), "\(list.path): \(count)") }
            }
            let needs = Need.Kind.allCases.map { kind in
                List(
                    path: "/needs?kind=\(kind.rawValue)", row: "/needs/",
                    all: "SELECT CAST(id AS TEXT) FROM need WHERE kind = \(kind)", part: "needs")
            }
            let others = [
                List(path: "/events?sort=newest", row: "/events/", all: "SELECT CAST(id AS TEXT) FROM event"),
                List(
                    path: "/events?city=Oakland&covid_safe=1", row: "/events/",
                    all: "SELECT CAST(id AS TEXT) FROM event WHERE city = 'Oakland' AND covid_safe"),
                List(
                    path: "/organizations", row: "/providers/",
                    all: "SELECT username FROM account JOIN provider ON provider.account_id = account.id"),
            ]
            for list in others + needs + Self.each(Self.helpFilters, of: "/opportunities", in: "opportunity") {
                try Self.expectWhole(list, try await Self.follow(list, as: visitor), on: site)
            }
            let mira = try await site.signIn(.mira, isStaff: true)
            for path in ["/admin/people", "/admin/people?sort=newest"] {
                let people = List(path: path, row: "/admin/people/", all: "SELECT CAST(id AS TEXT) FROM account")
                try Self.expectWhole(people, try await Self.follow(people, as: mira), on: site)
            }
        }
    }

    @Test(.tags(.slow)) func `a row that goes or comes between two pages moves no other one`() async throws {
        try await withTestSite { site in
            try await site.site.seedLoad(Self.plan)
            let ana = try await site.signIn(.ana, as: .parent)
            let account = try await site.account(of: .ana)
            try await site.execute(
                """
                INSERT INTO saved_event (account_id, event_id, at, starts_at, ends_at)
                SELECT \(account), id, 1, starts_at, ends_at FROM event
                """)
            let ben = try await site.signIn(.ben, as: .provider)
            let host = try await site.account(of: .ben)
            try await site.execute("UPDATE event SET account_id = \(host) WHERE id % 2 = 0")
            let mine: SQL = "SELECT CAST(id AS TEXT) FROM event WHERE account_id = \(host) AND listed"
            let lists: [(Browser, List)] = [
                (
                    site.browser(),
                    List(
                        path: "/events", row: "/events/", all: "SELECT CAST(id AS TEXT) FROM event WHERE listed",
                        hide: Self.hideEvent)
                ),
                (
                    site.browser(),
                    List(
                        path: "/needs", row: "/needs/", all: "SELECT CAST(id AS TEXT) FROM need WHERE listed",
                        part: "needs", hide: { "UPDATE need SET listed = FALSE, hidden_at = 1 WHERE id = \($0)" })
                ),
                (
                    site.browser(),
                    List(
                        path: "/opportunities", row: "/opportunities/",
                        all: "SELECT CAST(id AS TEXT) FROM opportunity WHERE listed",
                        hide: { "UPDATE opportunity SET listed = FALSE, hidden_at = 1 WHERE id = \($0)" })
                ),
                (
                    ana,
                    List(
                        path: "/favorites", row: "/events/",
                        all: """
                            SELECT CAST(id AS TEXT) FROM event JOIN saved_event ON event_id = id
                            WHERE listed AND saved_event.account_id = \(account)
                            """, hide: Self.hideEvent)
                ),
                (
                    ben,
                    List(
                        path: "/me/events", row: "/events/", all: mine,
                        hide: { "UPDATE event SET cancelled_at = 1, listed = FALSE WHERE id = \($0)" })
                ),
            ]
            for (browser, list) in lists {
                let before = try Self.rows(of: list, on: site)
                let gone = Gone()
                let found = try await Self.follow(list, as: browser) { seen in
                    let unseen = before.subtracting(seen)
                    for id in [seen.first, unseen.max()].compactMap({ $0.flatMap { Int64($0) } }) {
                        if let hide = list.hide { try await site.execute(hide(id)) }
                        gone.ids.insert(String(id))
                    }
                    try await site.publish(by: .ben)
                    gone.unseen = unseen.max()
                }
                #expect(gone.ids.count == 2, "\(list.path) has one page only")
                #expect(Set(found).count == found.count, "\(list.path) shows a row twice")
                let missing = before.subtracting(found).subtracting(gone.ids)
                #expect(missing.isEmpty, "\(list.path) leaves out \(missing.count): \(missing.sorted().prefix(5))")
                #expect(!found.contains { $0 == gone.unseen }, "\(list.path) shows what is hidden")
            }
        }
    }

    /// What went while a list was followed.
    private final class Gone {
        var ids: Set<String> = []
        var unseen: String?
    }

    @Test func `a log with thousands is followed to its end`() async throws {
        try await withTestSite { site in
            let numbers: SQL = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
            try await site.execute(
                """
                INSERT INTO staff_act (verb, subject, reason, at)
                \(numbers) SELECT 'hide', 'Kite day', 'Reason number ' || i, i FROM n
                """)
            let mira = try await site.signIn(.mira, isStaff: true)
            let reasons = try await Self.follow("/admin/log", as: mira) { page in
                page.html.all("td").map(\.text).filter { $0.hasPrefix("Reason number ") }
            }
            #expect(reasons.count == 2_000 && Set(reasons).count == 2_000, "\(reasons.count)")
        }
    }

    /// Of a list that had one more page when its link was drawn, or whose address somebody kept.
    @Test func `the page behind the last says so, and leads back to the first with its filters`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let help = try await site.ask(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            let ben = try await site.signIn(.ben, as: .provider)
            let mira = try await site.signIn(.mira, isStaff: true)
            let pages: [(Browser, String, String)] = [
                (site.browser(), "/needs?kind=time&after=1", "/needs?kind=time"),
                (site.browser(), "/opportunities?after=1", "/opportunities"),
                (ana, "/inbox?show=unread&after=1", "/inbox?show=unread"), (ana, "/needs/mine?after=1", "/needs/mine"),
                (ana, "/needs/promised?after=1", "/needs/promised"),
                (ana, "/me/registrations?after=9905990000000_1", "/me/registrations"),
                (ana, "/me/attending?after=9905990000000_1", "/me/attending"),
                (ben, "/me/events?after=9905990000000_1", "/me/events"),
                (ben, "/me/opportunities?after=1", "/me/opportunities"),
                (mira, "/admin/log?after=1", "/admin/log"), (mira, "/admin/people?after=zzzz", "/admin/people"),
                (mira, "/admin/providers?after=zzzz_9", "/admin/providers"),
                (mira, "/admin/letters?after=1", "/admin/letters"), (mira, "/admin/log-ins?after=1", "/admin/log-ins"),
                (mira, "/admin/mail?show=late&after=1", "/admin/mail?show=late"),
                (mira, "/admin/tags?after=zzzz", "/admin/tags"),
                (mira, "/admin/queue?after=post-1", "/admin/queue"),
                // Those that share their page with others.
                (ana, "/favorites?after=9905990000000_1&help=9905990000000_1", "/favorites"),
                (ana, "/favorites?list=over&help=1_1", "/favorites?list=over"), (ana, "/me?reviews=1", "/me"),
                (ana, "/impact?year=all&unsaid=1", "/impact?year=all"), (ana, "/impact?certificates=1", "/impact"),
                (ana, "/impact?ahead=9905990000000_1", "/impact"), (ana, "/impact?promised=99", "/impact"),
                (ben, "/opportunities/\(help)/signups?after=99&promised=99", "/opportunities/\(help)/signups"),
                (ben, "/opportunities/\(help)/signups?confirmed=1", "/opportunities/\(help)/signups"),
                (site.browser(), "/providers/ben-ruiz?reviews=1", "/providers/ben-ruiz"),
                (site.browser(), "/events/\(event)?after=1", "/events/\(event)"),
                (mira, "/admin/events?hidden=1", "/admin/events"),
            ]
            for (browser, path, first) in pages {
                let page = try await browser.visit(path)
                #expect(page.status == 200 && page.text.contains("That was the last one"), "\(path)")
                #expect(page.link("Back to the first") == first, "\(path)")
            }
            // The first page of an empty list is no last one.
            for path in ["/needs/mine", "/favorites", "/me", "/impact", "/events/\(event)", "/providers/ben-ruiz"] {
                #expect(try await !ana.visit(path).text.contains("That was the last one"), "\(path)")
            }
        }
    }

    // MARK: Following

    private static func rows(of list: List, on site: TestSite) throws -> Set<String> {
        let names = try site.read { db in try db.all(list.all) { row in try row.next() as String } }
        return Set(names)
    }

    /// The rows of all pages in order.
    ///
    /// - Parameter meanwhile: What happens behind the second page, with the rows that were seen.
    private static func follow(
        _ list: List, as browser: Browser, meanwhile: (([String]) async throws -> Void)? = nil
    ) async throws -> [String] {
        try await follow(list.path, as: browser, meanwhile: meanwhile) { page in
            let main = page.html.first("main") ?? page.html
            let parts = list.part.map { main.all(ofClass: $0) } ?? [main]
            var rows: [String] = []
            for link in parts.flatMap({ $0.all("a") }) {
                guard let href = link["href"], href.hasPrefix(list.row) else { continue }
                let name = String(href.dropFirst(list.row.count).prefix { !"/?#".contains($0) })
                let isRow = list.row == "/providers/" || Int64(name) != nil
                if isRow, !rows.contains(name) { rows.append(name) }
            }
            return rows
        }
    }

    private static func follow(
        _ path: String, as browser: Browser, meanwhile: (([String]) async throws -> Void)? = nil,
        _ rows: (Page) -> [String]
    ) async throws -> [String] {
        var (found, next, count) = ([String](), Optional(path), 0)
        while let path = next {
            let page = try await browser.visit(path)
            let more = rows(page)
            count += 1
            #expect(page.status == 200 && (count == 1 || !more.isEmpty), "\(path) has nothing")
            found += more
            next = page.html.all("a").first { $0["rel"] == "next" }?["href"]
            if count == 2, next != nil { try await meanwhile?(found) }
            guard count < 500 else {
                Issue.record("\(path) never ends")
                break
            }
        }
        return found
    }

    private static func expectWhole(_ list: List, _ found: [String], on site: TestSite) throws {
        let all = try rows(of: list, on: site)
        #expect(!all.isEmpty, "\(list.path) has nothing to find")
        #expect(Set(found).count == found.count, "\(list.path) shows a row twice")
        #expect(Set(found) == all, "\(list.path): \(found.count) of \(all.count)")
    }
}
