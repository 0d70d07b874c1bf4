import Database
import Foundation
import Testing

@testable import App

/// A site whose data is on a PostgreSQL server.
@Suite(.enabled(if: TestServer.any != nil, "VILLAGE_TEST_POSTGRESQL names no server"))
struct ServerTests {
    @Test func `where the server ends all connections, the next page and the next write go on`() async throws {
        try await withTestSite(server: TestServer.any) { site in
            let event = try await site.publish(by: .ben)
            let url = try #require(site.site.settings.databaseURL)
            let ana = try await site.signIn(.ana, as: .parent)
            for _ in 0..<2 {
                try #require(TestServer.any).hangUp(url)
                let page = try await ana.visit("/events/\(event)")
                #expect(page.status == 200)
                _ = try await site.signIn(.cleo, as: .parent)
            }
            #expect(try site.count(of: "session WHERE account_id = \(try await site.account(of: .cleo))") == 2)
        }
    }

    @Test(arguments: [true, false])
    func `the page about privacy says what a database server keeps of what was erased`(onServer: Bool) async throws {
        try await withTestSite(server: onServer ? TestServer.any : nil) { site in
            let page = try await site.browser().visit("/privacy").string
            #expect(page.contains("A database server holds the data.") == onServer)
        }
    }

    @Test func `a town moves from files to a server and back, and its pages stay the same`() async throws {
        let server = try #require(TestServer.any)
        let paths = ["/events", "/events?q=lego", "/kindness", "/needs", "/timeline", "/events.ics", "/events.atom"]
        func pages(_ site: TestSite) async throws -> [String] {
            var pages: [String] = []
            for path in paths {
                // What an address of its own port and a token of its own say is another each time.
                let text = try await site.browser().visit(path).string
                pages.append(text.replacing("\(site.port)", with: "").replacing(/value="[\w-]{20,}"/, with: ""))
            }
            return pages
        }
        let folder = try TestFolder()
        defer { folder.remove() }
        let (first, second) = (folder.path + "/first.sqlite", folder.path + "/second.sqlite")
        var before: [String] = []
        try await withTestSite(server: nil) { site in
            try await site.gazetteer()
            let event = try await site.publish(by: .ben) { $0.title = "Lego afternoon" }
            try await site.publish(by: .ben) { $0.title = "Chess" }
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/events/\(event)")
            before = try await pages(site)
            try await Backups.copy(site.site.database, and: site.site.media.database, to: first)
        }
        try await server.withDatabase { url in
            var settings = Settings()
            settings.data = folder.path + "/data"
            settings.databaseURL = url
            #expect(try Site.move(from: first, to: settings, dryRun: false).rows > 20)
            #expect(
                performing: { try Site.move(from: first, to: settings, dryRun: false) },
                throws: { if case DatabaseError.unsuitable(let what) = $0 { what.contains("a town") } else { false } })
            try await withTestSite(at: url) { site in
                for (page, before) in zip(try await pages(site), before) {
                    let (lines, others) = (page.split(separator: "\n"), before.split(separator: "\n"))
                    let different = zip(lines, others).first { $0 != $1 }
                    #expect(page == before, "\(different.map { "\($0) was \($1)" } ?? "its length")")
                }
                try await Backups.copy(site.site.database, and: site.site.media.database, to: second)
            }
        }
        let copies = try [first, second].map { try Database(reading: $0) }
        defer { for copy in copies { copy.close() } }
        for table in ["event", "account", "provider", "event_search", "session", "event_tag"] as [SQL] {
            let rows = try copies.map { copy in
                try copy.read { db in
                    try db.all("SELECT * FROM \(table) ORDER BY rowid LIMIT 1000") { row in
                        try (0..<row.count).map { _ in try row.value() }
                    }
                }
            }
            #expect(rows[0] == rows[1], "\(table.text(for: .sqlite))")
        }
    }

    @Test func `files and a server's database at once are refused`() async throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        try EmptyTown.ofToday.get().copy(to: folder.path)
        var settings = Settings()
        settings.data = folder.path
        settings.databaseURL = "postgresql://village:secret@db.example/village"
        #expect(settings.place == "postgresql://db.example/village")
        let problems = await Site.check(settings).problems
        #expect(problems.contains { $0.contains("names another place") })
        #expect(!problems.joined().contains("secret"))
    }
}
