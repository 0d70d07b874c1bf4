import Database
import Foundation
import Synchronization
import Testing

@testable import App

/// A town that goes out into a folder, and comes in elsewhere.
@Suite struct MovingTests {
    // MARK: The list

    /// Every table of the schema with its columns.
    private static let schema: [String: Set<String>] = {
        var tables: [String: Set<String>] = [:]
        for migration in Schema.migrations {
            let text = [migration.text, migration.sqlite].joined().replacing(/--.*/, with: "")
            for match in text.matches(of: /CREATE TABLE (\w+) \(([\s\S]*?)\n\)/) {
                let columns = match.output.2.matches(of: /(?m)^\s+(\w+) @\w+/).map { String($0.output.1) }
                tables[String(match.output.1)] = Set(columns)
            }
            for match in text.matches(of: /CREATE VIRTUAL TABLE (\w+)/) { tables[String(match.output.1)] = [] }
        }
        return tables
    }()

    @Test func `each table and column goes along or is named as staying, and no other is`() {
        let staying = TownTable.staying.flatMap(\.tables)
        let going = TownTable.all.map(\.name.description)
        #expect(Self.schema.count > 100)
        #expect((going + staying).sorted() == Self.schema.keys.sorted())
        for table in TownTable.all {
            let named = (table.columns.map(\.name) + table.left).map(\.description)
            #expect(named.sorted() == Self.schema[table.name.description]?.sorted(), "\(table.name)")
        }
        #expect(Set(TownTable.all.map(\.file)).count == TownTable.all.count)
    }

    @Test func `no child, registration, message, log-in or report is on the list`() {
        let never = [
            "child", "family", "guardian", "registration", "registration_person", "care_note", "reply", "guest", "wish",
            "draw_unit", "companion", "young_person", "message", "letter", "notice", "session", "two_step",
            "recovery_code", "one_time_link", "report", "decision", "staff_act",
        ]
        #expect(Set(never).isDisjoint(with: TownTable.all.map(\.name.description)))
        for name in ["seal", "push", "demo", "ready", "returned"] { #expect(!TownTable.isSetting(name)) }
    }

    // MARK: There and back

    /// A folder beside the data, for what goes out.
    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        try await body(folder.path + "/town")
    }

    /// A page without what is made for each visit.
    private static func plain(_ page: Page) -> String {
        "\(page.status) \(page.string)".replacing(/name="(csrf|once)" value="[^"]*"/, with: "")
    }

    /// What everybody sees of a town.
    private func publicPages(of site: TestSite, _ paths: [String]) async throws -> [String: String] {
        let browser = site.browser()
        var pages: [String: String] = [:]
        for path in paths { pages[path] = Self.plain(try await browser.visit(path)) }
        return pages
    }

    /// All but `/about`, which says of how many children records are kept.
    private static let lists = [
        "/", "/events", "/events/map", "/events.ics", "/events.atom", "/api/events", "/opportunities",
        "/opportunities/map", "/api/opportunities", "/api/providers", "/needs", "/kindness", "/timeline",
        "/timeline.atom", "/sitemap.xml", "/help", "/events?q=story", "/opportunities?q=help", "/needs?q=ladder",
    ]

    @Test func `a town comes in as it went out, and everybody sees the same pages`() async throws {
        try await withFolder { folder in
            let before = Mutex<[String: String]>([:])
            try await withTestSite { site in
                _ = try await site.site.seedDemo()
                var paths = Self.lists
                for (table, start) in [
                    ("event", "/events/"), ("opportunity", "/opportunities/"), ("need", "/needs/"), ("post", "/posts/"),
                ] as [(SQL, String)] {
                    paths += try site.read { db in
                        try db.all("SELECT id FROM \(table)") { "\(start)\(try $0.next() as Int)" }
                    }
                }
                paths += try site.read { db in
                    try db.all("SELECT username FROM account JOIN provider ON provider.account_id = account.id") {
                        "/providers/\(try $0.next() as String)"
                    }
                }
                #expect(paths.count > 200)
                let pages = try await publicPages(of: site, paths)
                before.withLock { $0 = pages }
                let exported = try await Site.export(site.site.settings, to: folder, withAddresses: false)
                #expect(exported.rows > 1_000)
            }
            try await withTestSite { site in
                let tried = try await site.site.importTown(from: folder, dryRun: true)
                #expect(try site.count(of: "account") == 0 && site.count(of: "event") == 0, "tried, and not kept")
                let imported = try await site.site.importTown(from: folder, dryRun: false)
                #expect(tried.rows == imported.rows && imported.members > 20)
                #expect(imported.membersWithoutAddress == imported.members)
                let pages = before.withLock { $0 }
                for (path, page) in try await publicPages(of: site, pages.keys.sorted()) {
                    #expect(page == pages[path], "\(path)")
                }
                // What comes later gets a number of its own.
                let last = try site.read { db in try db.value("SELECT max(id) FROM event") as Int64? } ?? 0
                let next = try await site.publish(by: .family(7)) { $0.title = "Zeppelins over the valley" }
                #expect(next.rawValue == last + 1)
                let found = try await site.browser().visit("/events?q=zeppelins")
                #expect(found.cards == ["Zeppelins over the valley"])
            }
        }
    }

    // MARK: What stays

    /// Words in places that are nobody else's matter.
    private static let planted: [SQL] = [
        """
        UPDATE child SET nickname = 'Plantedchild', allergies = 'Plantednuts', emergency_phone = 'Plantedphone',
            collectors = 'Plantedaunt'
        """,
        """
        INSERT INTO care_note (person_id, event_id, allergies, emergency_phone, collectors, erase_at)
        SELECT id, event_id, 'Plantednote', 'Plantedcall', 'Plantedgran', 1 FROM registration_person
        WHERE id = (SELECT max(id) FROM registration_person)
        """,
        "UPDATE family SET first_name = 'Plantedfirst', last_name = 'Plantedlast', phone = 'Plantedfamilyphone'",
        "UPDATE message SET text = 'Plantedmessage'",
        "UPDATE account SET email = 'plantedmail' || id || '@example.org'",
        "UPDATE need SET street = 'Plantedstreet', zip = 'Plantedzip' WHERE is_home",
        "UPDATE pet SET name = 'Plantedpet'", "UPDATE owner SET name = 'Plantedowner'",
        "UPDATE deed SET note = 'Planteddeed'", "UPDATE letter SET detail = 'Plantedletter'",
        "UPDATE notice SET detail = 'Plantednotice'", "UPDATE report SET note = 'Plantedreport'",
        "UPDATE question SET text = 'Plantedquestion' WHERE is_private OR answered_at IS NULL",
        "UPDATE post SET text = 'Plantedpost' WHERE audience = 'members'",
        "UPDATE person SET about = 'Plantedabout', town = 'Plantedtown', is_open = FALSE WHERE id < 3",
        "UPDATE event SET hidden_at = 1, listed = FALSE, title = 'Plantedevent' WHERE id = 1",
        "UPDATE event SET description = 'Everybody reads Openwords.' WHERE id = 2",
    ]

    private static func files(in folder: String) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            files[name] = FileManager.default.contents(atPath: "\(folder)/\(name)")
        }
        return files
    }

    @Test func `nothing goes out that isn't for everybody, and addresses only where they are asked for`() async throws {
        try await withFolder { folder in
            try await withTestSite { site in
                _ = try await site.site.seedDemo()
                for statement in Self.planted { try await site.execute(statement) }
                for rows in [
                    "child", "care_note", "family", "message", "need WHERE is_home", "notice",
                ] as [SQL] {
                    let count = try site.count(of: rows)
                    #expect(count > 0, "\(rows): nothing is planted there")
                }
                let settings = site.site.settings
                _ = try await Site.export(settings, to: folder, withAddresses: false)
                let files = try Self.files(in: folder)
                for (name, content) in files {
                    let text = String(decoding: content, as: UTF8.self)
                    #expect(!text.lowercased().contains("planted"), "\(name)")
                    #expect(!text.contains("$argon2"), "\(name)")
                }
                let events = String(decoding: files["events.csv"] ?? Data(), as: UTF8.self)
                #expect(events.contains("Openwords"), "the twin: what everybody reads is there")

                _ = try await Site.export(settings, to: folder + "-with", withAddresses: true)
                let named = try Self.files(in: folder + "-with").filter { _, content in
                    String(decoding: content, as: UTF8.self).lowercased().contains("planted")
                }
                #expect(named.keys.sorted() == ["data/members.jsonl", "members.csv"])
            }
        }
    }

    @Test func `a kind act goes without who wrote it, and a member whom nothing names stays behind`() async throws {
        try await withFolder { folder in
            let act = "/kindness/acts/10001"
            let before = Mutex<[String: String]>([:])
            try await withTestSite { site in
                _ = try await site.publish(by: .ben)
                let cleo = try await site.account(of: .cleo)
                let now = site.clock.now
                try await site.execute(
                    """
                    INSERT INTO own_act (
                        account_id, name, description, theme, difficulty, once, created_at, proposed_at)
                    VALUES (\(cleo), 'Whistle together', 'Loudly.', \(KindAct.Theme.allCases[0]), 'easy', 'one',
                        \(now), \(now))
                    """)
                let pages = try await publicPages(of: site, [act, "/kindness"])
                #expect(pages[act]?.contains("Whistle together") == true)
                before.withLock { $0 = pages }
                _ = try await Site.export(site.site.settings, to: folder, withAddresses: false)
                for (name, content) in try Self.files(in: folder) {
                    #expect(!String(decoding: content, as: UTF8.self).contains("cleo-park"), "\(name)")
                }
                // A town that moves brings everybody who can be written to.
                _ = try await Site.export(site.site.settings, to: folder + "-all", withAddresses: true)
                let everybody = try #require(Self.files(in: folder + "-all")["members.csv"])
                #expect(String(decoding: everybody, as: UTF8.self).contains("cleo-park"))
                let acts = try #require(Self.files(in: folder)["kind-acts.csv"])
                #expect(String(decoding: acts, as: UTF8.self).contains("Whistle together"))
                #expect(!String(decoding: acts, as: UTF8.self).contains("account_id"))
            }
            try await withTestSite { site in
                let imported = try await site.site.importTown(from: folder, dryRun: false)
                #expect(imported.members == 1, "Ben, who announced an event")
                let pages = before.withLock { $0 }
                for (path, page) in try await publicPages(of: site, pages.keys.sorted()) {
                    #expect(page == pages[path], "\(path)")
                }
                let author: SQL = "(SELECT account_id FROM own_act)"
                #expect(
                    try site.count(
                        of: "account WHERE id = \(author) AND left_at IS NOT NULL AND username = 'former-member-' || id"
                    )
                        == 1)
                // The next one goes on from there.
                let next = try await site.account(of: .ana)
                #expect(try site.count(of: "account WHERE id = \(next) AND left_at IS NULL") == 1)
                _ = try await Site.export(site.site.settings, to: folder + "-2", withAddresses: false)
                let members = try #require(Self.files(in: folder + "-2")["members.csv"])
                #expect(!String(decoding: members, as: UTF8.self).contains("former-member"))
            }
        }
    }

    @Test func `places that are held for help with the fee, and nobody has, are free where the town comes in`()
        async throws
    {
        try await withFolder { folder in
            try await withTestSite { site in
                let event = try await site.publish(by: .ben) { ($0.spots, $0.price) = (5, "10") }
                let now = site.clock.now
                try await site.write(at: now) { tx in try Hold.set(2, until: tx.now + .days(2), at: event, in: tx) }
                #expect(try site.count(of: "event WHERE taken = 2 AND held_free = 2") == 1)
                _ = try await Site.export(site.site.settings, to: folder, withAddresses: false)
            }
            try await withTestSite { site in
                _ = try await site.site.importTown(from: folder, dryRun: false)
                #expect(try site.count(of: "event WHERE taken = 0 AND held = 0") == 1)
            }
        }
    }

    @Test func `nobody else on the machine reads an export, and none is written over anything`() async throws {
        try await withFolder { folder in
            try await withTestSite { site in
                let settings = site.site.settings
                _ = try await site.publish(by: .ben) { $0.title = "=1+1" }
                _ = try await Site.export(settings, to: folder, withAddresses: false)
                let files = FileManager.default
                for name in try [""] + files.subpathsOfDirectory(atPath: folder) {
                    let facts = try files.attributesOfItem(atPath: "\(folder)/\(name)")
                    let isFolder = facts[.type] as? FileAttributeType == .typeDirectory
                    #expect(facts[.posixPermissions] as? Int == (isFolder ? 0o700 : 0o600), "\(name)")
                }
                let events = String(decoding: try #require(Self.files(in: folder)["events.csv"]), as: UTF8.self)
                #expect(events.contains("\"'=1+1\""), "no formula")
                await #expect(throws: TownProblem("\(folder) is no empty folder. Choose another name.")) {
                    try await Site.export(settings, to: folder, withAddresses: false)
                }
                try files.createDirectory(atPath: folder + "-2.partial", withIntermediateDirectories: false)
                await #expect(throws: TownProblem.self) {
                    try await Site.export(settings, to: folder + "-2", withAddresses: false)
                }
                #expect(!files.fileExists(atPath: folder + "-2"))
                // An empty one is as good as none.
                try files.createDirectory(atPath: folder + "-3", withIntermediateDirectories: false)
                _ = try await Site.export(settings, to: folder + "-3", withAddresses: false)
                #expect(files.fileExists(atPath: folder + "-3/README.md"))
            }
        }
    }

    // MARK: Large towns

    /// What a server answers is all in memory, so no statement asks for a whole table.
    @Test func `a table that is read in portions has the same rows in the same order`() async throws {
        try await withTestSite { site in
            _ = try await site.site.seedDemo()
            var tables = 0
            for table in TownTable.all {
                let (whole, parts) = try site.read { db in
                    var rows: ([[TownValue]], [[TownValue]]) = ([], [])
                    try table.each(withAddresses: true, in: db) { rows.0.append($0) }
                    try table.each(withAddresses: true, inPortionsOf: 10, in: db) { rows.1.append($0) }
                    return rows
                }
                #expect(whole == parts, "\(table.name)")
                if whole.count > 10 { tables += 1 }
            }
            #expect(tables > 5, "\(tables)")
        }
    }

    @Test func `a file that is written in pieces is whole, and never in memory`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        var town = try TownFolder.begin(for: folder.path + "/town")
        let file = try town.file(TownFolder.calendar)
        var all: [UInt8] = []
        for number in 0..<1_000 {
            let bytes = Array(String(repeating: "\(number) ", count: number).utf8)
            try file.add(bytes)
            all += bytes
            #expect(file.piece.count < TownFile.pieceSize)
        }
        try town.end(file)
        try town.write([], to: TownFolder.readme)
        #expect(town.sums == [TownFolder.calendar: PublicHash.of(all), TownFolder.readme: PublicHash.of("")])
        try town.keep(as: folder.path + "/town")
        let files = try Self.files(in: folder.path + "/town")
        #expect(files[TownFolder.calendar].map(Array.init) == all && files[TownFolder.readme]?.isEmpty == true)
    }

    /// An exported town with these lines in a file of rows.
    private static func town(_ table: TownTable, _ lines: String, in folder: String) throws -> TownContent {
        var town = try TownFolder.begin(for: folder)
        for other in TownTable.all {
            let isMeant = other.file == table.file
            try town.write(Array((isMeant ? lines : "").utf8), to: TownFolder.rows(other))
        }
        try town.write(Array("{\"format\":\(TownContent.format)}".utf8), to: TownFolder.format)
        try town.keep(as: folder)
        return try TownContent(of: .open(folder))
    }

    /// Only a line and a piece of a file are in memory, and a row is passed on before the next ones are read.
    @Test func `what comes in is read row by row, however large its table is`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let likes = try #require(TownTable.all.first { $0.name.description == "reaction" })
        let line = "{\"post_id\":1,\"account_id\":2,\"at\":3}\n"
        let count = 20_000
        let content = try Self.town(
            likes, String(repeating: line, count: count) + "\n{}", in: folder.path + "/town")
        var rows = try content.rows(of: likes)
        var found = 0
        while found < count, let row = try rows.next(), row.line == found + 1,
            rows.lines.buffer.count < TownFile.pieceSize + line.utf8.count
        {
            found += 1
        }
        #expect(found == count && line.utf8.count * count > 10 * TownFile.pieceSize)
        #expect(throws: TownProblem("post_id is missing", in: TownFolder.rows(likes), line: count + 2)) {
            try rows.next()
        }
    }

    /// What was read moves once a piece: once a line, thousands of empty ones would take longer with their square.
    @Test func `a short line moves nothing of what was read behind it`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let likes = try #require(TownTable.all.first { $0.name.description == "reaction" })
        let line = "{\"post_id\":1,\"account_id\":2,\"at\":3}\n"
        let text = String(repeating: "\n", count: 1_000) + line + line
        var rows = try Self.town(likes, text, in: folder.path + "/town").rows(of: likes)
        for number in 1_001...1_002 {
            #expect(try rows.next()?.line == number)
            #expect(rows.lines.buffer.count == text.utf8.count)
        }
        #expect(try rows.next() == nil && rows.lines.buffer.isEmpty)
    }

    @Test func `rows that name another of their table come after it, and none is left out`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let within = TownTable.all.filter { $0.within != nil }
        #expect(within.count == 1)
        let table = try #require(within.first)
        func line(_ id: Int, _ reference: String) -> String {
            let values = table.written.map { column in
                let value: String =
                    switch column.kind {
                    case .key: "\(id)"
                    case _ where column.name.description == table.within: reference
                    case _ where column.isOptional: "null"
                    case .integer, .rank, .moment: "1"
                    case .real: "0.5"
                    case .flag: "true"
                    case .text, .url, .address: "\"\""
                    }
                return "\"\(column.name)\":\(value)"
            }
            return "{\(values.joined(separator: ","))}\n"
        }
        let lines = line(1, "3") + line(2, "null") + line(3, "3") + line(4, "2")
        var rows = try Self.town(table, lines, in: folder.path + "/town").rows(of: table)
        var order: [Int] = []
        while let row = try rows.next() { order.append(row.line) }
        #expect(order == [2, 3, 1, 4])
    }

    @Test func `a calendar that is written in pieces is the same`() async throws {
        try await withFolder { folder in
            try await withTestSite { site in
                _ = try await site.site.seedDemo()
                let settings = site.site.settings
                _ = try await Site.export(settings, to: folder, withAddresses: false)
                let written = try #require(try Self.files(in: folder)[TownFolder.calendar])
                let entries = try site.read { db in
                    try Event.all(TownPart.events(in: db).ids, in: db).map { EventCalendar.Entry($0) }
                }
                let calendar = EventCalendar(
                    name: settings.publicHost, site: settings.publicURL, host: settings.publicHost,
                    language: Language(nil, country: settings.country), entries: entries)
                #expect(entries.count > 20 && Array(written) == calendar.bytes)
            }
        }
    }

    // MARK: Members

    @Test func `an imported member logs in only after choosing a password by a letter`() async throws {
        try await withFolder { folder in
            try await withTestSite { site in
                _ = try await site.publish(by: .ben)
                _ = try await Site.export(site.site.settings, to: folder, withAddresses: true)
            }
            try await withTestSite(hasMail: true) { site in
                let imported = try await site.site.importTown(from: folder, dryRun: false)
                #expect(imported.members == 1 && imported.membersWithoutAddress == 0)
                #expect(try site.count(of: "account WHERE is_staff OR is_admin OR confirmed_at IS NOT NULL") == 0)
                for password in [Person.password, "", "import-1"] {
                    let page = try await site.browser().visit("/login").press(
                        "Log in", filling: ["login": .texts([Person.ben.username]), "password": .texts([password])])
                    #expect(page.path.hasPrefix("/login"), "\(password)")
                }
                let token = Token()
                try await site.write(at: site.clock.now) { tx in
                    let ben = try #require(try Account.credentials(for: Person.ben.email, in: tx))
                    try ResetLink.insert(token, for: ben.id, isMailed: true, in: tx)
                }
                let page = try await site.browser().visit("/reset/\(token.text)")
                #expect(page.status == 200)
            }
        }
    }

    @Test func `a member without an address gets none, and no notice is mailed`() async throws {
        try await withFolder { folder in
            try await withTestSite { site in
                _ = try await site.publish(by: .ben)
                _ = try await Site.export(site.site.settings, to: folder, withAddresses: false)
            }
            try await withTestSite { site in
                _ = try await site.site.importTown(from: folder, dryRun: false)
                #expect(try site.count(of: "account WHERE email = 'unclaimed-' || id") == 1)
                #expect(try site.count(of: "letter") == 0)
                let link = try await site.site.resetLink(for: Person.ben.username)
                #expect(link?.contains("/reset/") == true, "staff hand one over")
            }
        }
    }

    // MARK: What doesn't come in

    /// Changes a file of an export, and its line of the list.
    private static func change(
        _ name: String, in folder: String, isListed: Bool = true, _ change: (String) -> String
    ) throws {
        let path = "\(folder)/\(name)"
        let old = try Data(contentsOf: URL(filePath: path))
        let new = Data(change(String(decoding: old, as: UTF8.self)).utf8)
        try new.write(to: URL(filePath: path))
        guard isListed else { return }
        let list = "\(folder)/SHA256SUMS"
        let sums = try String(contentsOfFile: list, encoding: .utf8)
            .replacing(PublicHash.of(Array(old)) + "  \(name)\n", with: PublicHash.of(Array(new)) + "  \(name)\n")
        try sums.write(toFile: list, atomically: true, encoding: .utf8)
    }

    /// What is done to an export, and what is said then.
    private static let tampered: [(says: String, work: @Sendable (String) throws -> Void)] = [
        ("isn't as it was written", { try change("events.csv", in: $0, isListed: false) { $0 + "x" } }),
        ("There is no SHA256SUMS", { try FileManager.default.removeItem(atPath: $0 + "/SHA256SUMS") }),
        ("that is no file of an export", { try change("SHA256SUMS", in: $0) { $0 + sum + "  ../../etc/passwd\n" } }),
        ("that is no file of an export", { try change("SHA256SUMS", in: $0) { $0 + sum + "  pictures/x.webp\n" } }),
        ("is there twice", { try change("SHA256SUMS", in: $0) { $0 + sum + "  events.csv\n" } }),
        ("is on the list and isn't there", { try FileManager.default.removeItem(atPath: $0 + "/events.ics") }),
        (
            "events.ics is no plain file",
            {
                try FileManager.default.removeItem(atPath: $0 + "/events.ics")
                try FileManager.default.createSymbolicLink(
                    atPath: $0 + "/events.ics", withDestinationPath: "/etc/passwd")
            }
        ),
        ("reads format 1, not 2", { try change("format.json", in: $0) { $0.replacing(":1,", with: ":2,") } }),
        ("data/events.jsonl, line 1: that is no JSON", { try change(rows, in: $0) { "[" + $0 } }),
        ("line 2: the line is too long", { try change(rows, in: $0) { $0 + String(repeating: " ", count: 1 << 21) } }),
        (
            "line 1: there is no column \"is_admin\"",
            { try change("data/members.jsonl", in: $0) { "{\"is_admin\":true," + $0.dropFirst() } }
        ),
        ("line 1: title is missing", { try change(rows, in: $0) { $0.replacing(/"title":"[^"]*",/, with: "") } }),
        ("line 1: that is no JSON", { try say("spots", "[]", instead: "20", in: $0) }),
        ("line 1: spots can't be that", { try say("spots", "\"20\"", instead: "20", in: $0) }),
        (
            "line 1: ends_at can't be that",
            { folder in
                try change(rows, in: folder) {
                    $0.replacing(/"ends_at":\d+/, with: "\"ends_at\":9223372036854775807")
                }
            }
        ),
        ("line 1: id can't be that", { try change(rows, in: $0) { "{\"id\":9223372036854775807," + $0.dropFirst(8) } }),
        ("line 2: another row has the same", { try change(rows, in: $0) { $0 + $0 } }),
        ("line 1: the site doesn't take it", { try say("spots", "0", instead: "20", in: $0) }),
        ("line 1: it names a row that isn't there", { try say("account_id", "99", instead: "1", in: $0) }),
        ("line 1: online_url can't be that", { try say("online_url", "\"javascript:a\"", instead: "\"\"", in: $0) }),
        (
            "line 1: the username can't be that",
            { try change("data/members.jsonl", in: $0) { $0.replacing("ben-ruiz", with: "admin") } }
        ),
        (
            "there is no setting of this name",
            { try change("data/settings.jsonl", in: $0) { $0 + "{\"name\":\"seal\",\"value\":\"mine\"}\n" } }
        ),
        // What becomes part of a header, or of a page, is what the form takes.
        ("town_embedders can't be that", { try set("town_embedders", "https://a.example; sandbox", in: $0) }),
        ("town_embedders can't be that", { try set("town_embedders", "*", in: $0) }),
        ("town_calendar_hosts can't be that", { try set("town_calendar_hosts", "a.example/b", in: $0) }),
        ("town_email can't be that", { try set("town_email", "x@y.example\\r\\nBcc: z@y.example", in: $0) }),
        ("town_zone can't be that", { try set("town_zone", "Mars/Phobos", in: $0) }),
        ("town_nothing can't be that", { try set("town_nothing", "x", in: $0) }),
        (
            "data/kindness-totals.jsonl, line 1: theme can't be that",
            {
                try change("data/kindness-totals.jsonl", in: $0) {
                    "{\"month\":\"2027-03\",\"theme\":\"nothing\",\"count\":1}\n" + $0
                }
            }
        ),
        ("The event 1 can't be shown", { try say("day", "\"nothing\"", instead: "\"2027-03-27\"", in: $0) }),
    ]

    private static let rows = "data/events.jsonl"

    /// Adds a setting.
    private static func set(_ name: String, _ value: String, in folder: String) throws {
        try change("data/settings.jsonl", in: folder) { $0 + "{\"name\":\"\(name)\",\"value\":\"\(value)\"}\n" }
    }

    /// Puts another value into the line of the event.
    private static func say(_ column: String, _ new: String, instead old: String, in folder: String) throws {
        try change(rows, in: folder) { $0.replacing("\"\(column)\":\(old),", with: "\"\(column)\":\(new),") }
    }

    private static let sum = String(repeating: "0", count: 64)

    @Test func `what isn't whole and sound is refused with its place, and nothing of it comes in`() async throws {
        try await withFolder { folder in
            try await withTestSite { site in
                _ = try await site.publish(by: .ben)
                _ = try await Site.export(site.site.settings, to: folder, withAddresses: false)
            }
            try await withTestSite { site in
                for (number, (says, work)) in Self.tampered.enumerated() {
                    let copy = "\(folder)-\(number)"
                    try FileManager.default.copyItem(atPath: folder, toPath: copy)
                    try work(copy)
                    do {
                        _ = try await site.site.importTown(from: copy, dryRun: false)
                        Issue.record("\(number): came in, and should say: \(says)")
                        return
                    } catch let problem as TownProblem {
                        #expect(problem.text.contains(says), "\(number)")
                    }
                    #expect(try site.count(of: "account") == 0 && site.count(of: "event") == 0, "\(says)")
                    #expect(try site.count(of: "note WHERE name = 'seal' AND value = 'mine'") == 0)
                }
                await #expect(throws: TownProblem("There is no folder \(folder)/none.")) {
                    try await site.site.importTown(from: folder + "/none", dryRun: false)
                }
                _ = try await site.site.importTown(from: folder, dryRun: false)
                #expect(try site.count(of: "event") == 1, "the twin: as it was written it comes in")
                do {
                    _ = try await site.site.importTown(from: folder, dryRun: false)
                    Issue.record("came in twice")
                } catch let problem as TownProblem {
                    #expect(problem.text.contains("This site isn't empty"))
                }
            }
        }
    }

    @Test func `what the tables take and no page could show doesn't come in, and a town's own settings do`()
        async throws
    {
        try await withFolder { folder in
            try await withTestSite { site in
                _ = try await site.site.seedDemo()
                try await site.write { db in
                    try Note.set("town_embedders", "https://library.example\nhttp://a.example:8443", in: db)
                    try Note.set("town_calendar_hosts", "library.example", in: db)
                    try Note.set("town_zone", "America/Los_Angeles", in: db)
                    try Note.set("town_joining", "invitation", in: db)
                }
                _ = try await Site.export(site.site.settings, to: folder, withAddresses: false)
                // No page of the list shows it: it is the last of several of its way to help.
                try await site.execute("UPDATE shift SET end_minute = 99999 WHERE id = (SELECT max(id) FROM shift)")
                _ = try await Site.export(site.site.settings, to: folder + "-2", withAddresses: false)
            }
            try await withTestSite { site in
                do {
                    _ = try await site.site.importTown(from: folder + "-2", dryRun: false)
                    Issue.record("came in")
                } catch let problem as TownProblem {
                    #expect(problem.text.contains("The shift ") && problem.text.contains("can't be shown"))
                }
                #expect(try site.count(of: "shift") == 0)
                _ = try await site.site.importTown(from: folder, dryRun: false)
                #expect(site.site.town.embedders == ["https://library.example", "http://a.example:8443"], "the twin")
            }
        }
    }

    @Test func `pictures come in as they are, and nothing else as a picture`() async throws {
        try await withFolder { folder in
            let hashes = Mutex<[String]>([])
            try await withTestSite { site in
                for picture in [Pictures.photo, Pictures.wide] {
                    let entry = try await site.site.media.keep(picture, at: site.clock.now)
                    hashes.withLock { $0.append(entry.hash) }
                    let event = try await site.publish(by: .ben)
                    try await site.execute(
                        """
                        INSERT INTO picture (account_id, hash, alt, width, height, created_at)
                        SELECT account_id, \(entry.hash), 'A kite', \(entry.width), \(entry.height), 1 FROM event
                        WHERE id = \(event)
                        """)
                    try await site.execute(
                        "UPDATE event SET picture_id = (SELECT max(id) FROM picture) WHERE id = \(event)")
                }
                let exported = try await Site.export(site.site.settings, to: folder, withAddresses: false)
                #expect(exported.pictures == 2)
            }
            let (first, last) = try hashes.withLock { (try #require($0.first), try #require($0.last)) }
            let name = TownFolder.picture(last, .card)
            try await withTestSite { site in
                try FileManager.default.copyItem(atPath: folder, toPath: folder + "-2")
                try Self.change(name, in: folder + "-2") { _ in "<script>" }
                await #expect(throws: TownProblem("\(name) is no picture of that size.")) {
                    try await site.site.importTown(from: folder + "-2", dryRun: false)
                }
                #expect(try site.count(of: "account") == 0)
                #expect(try site.site.media.bytes(first, .card) == nil, "nor does the one before it stay")
                let imported = try await site.site.importTown(from: folder, dryRun: false)
                #expect(imported.pictures == 2)
                let sent = try #require(FileManager.default.contents(atPath: "\(folder)/\(name)"))
                let page = try await site.browser().visit("/media/\(last)/card.webp")
                #expect(page.status == 200 && page.body == Array(sent))
            }
        }
    }
}
