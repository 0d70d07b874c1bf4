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
            let moved = try #require(try Site.move(from: first, to: settings, dryRun: false))
            #expect(moved.rows > 20 && !moved.hasKey && moved.staying.isEmpty)
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

    @Test func `with a data folder its key goes along, and what stays there is named`() async throws {
        try await #require(TestServer.any).withDatabase { url in
            let (folder, other) = (try TestFolder(), try TestFolder())
            defer { for folder in [folder, other] { folder.remove() } }
            try EmptyTown.ofToday.get().copy(to: folder.path)
            let key = SiteKey(folder: folder.path).text
            let files = FileManager.default
            for (place, name) in [("/backups", "/a.sqlite"), ("/errands", "")] {
                try files.createDirectory(atPath: folder.path + place, withIntermediateDirectories: true)
                if !name.isEmpty { try Data("a".utf8).write(to: URL(filePath: folder.path + place + name)) }
            }
            var settings = Settings()
            settings.data = other.path
            settings.databaseURL = url
            func kept() throws -> String? {
                let database = try #require(try Store.site.openToRead(settings))
                defer { database.close() }
                return try database.read { db in
                    try db.value("SELECT value FROM village_secret WHERE name = \(SiteKey.file)")
                }
            }
            #expect(try Site.move(from: folder.path, to: settings, dryRun: true)?.hasKey == true)
            #expect(try kept() == nil)
            let moved = try #require(try Site.move(from: folder.path, to: settings, dryRun: false))
            #expect(moved.hasKey && moved.staying == ["backups"])
            #expect(try kept() == key)
            // A node with a key of its own folder goes by the one that came along.
            #expect(SiteKey(folder: other.path).text != key)
            try await withTestSite(at: url) { site in #expect(site.site.key.text == key) }
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
