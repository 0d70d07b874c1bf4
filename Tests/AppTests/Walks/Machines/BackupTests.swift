import Database
import Foundation
import Testing

@testable import App

/// The copies the site makes by itself, and going back to one.
@Suite struct BackupTests {
    private static let noon = Instant(milliseconds: 1_805_544_000_000)  // 2027-03-20T12:00Z

    /// A site with one event, and a backup of it; `isOpen` leaves the site running.
    private func withBackup(
        isOpen: Bool = false, _ body: (_ site: TestSite, _ settings: Settings, _ file: String) async throws -> Void
    ) async throws {
        try await withTestSite { site in
            let settings = site.site.settings
            _ = try await site.publish(by: .ben) { $0.title = "Kite day" }
            let file = settings.data + "/copy.sqlite"
            try await Site.backup(settings, to: file)
            if !isOpen { site.site.close() }
            try await body(site, settings, file)
        }
    }

    @Test func `a name is the time it was made`() {
        #expect(Backups.name(at: Self.noon) == "village-2027-03-20-120000.sqlite")
        for seconds in stride(from: 0, to: 200_000, by: 977) {
            let instant = Self.noon + .seconds(seconds)
            #expect(Backups.instant(of: Backups.name(at: instant)) == instant)
        }
        for name in [
            "", "village.sqlite", "village-2027-03-20-120000.sqlite.partial", "village-2027-13-20-120000.sqlite",
            "village-2027-03-20x120000.sqlite", "village-2027-03-20--20000.sqlite", "notes-2027-03-20-120000.sqlite",
        ] {
            #expect(Backups.instant(of: name) == nil, "\(name)")
        }
    }

    @Test func `one is made when it is due, and only the newest are kept`() async throws {
        try await withTestSite { site in
            var settings = site.site.settings
            settings.backupCount = 3
            let backups = Backups(settings)
            #expect(try site.site.backupIsDue(at: Self.noon) && backups.age(at: Self.noon) == nil)
            for day in 0..<5 {
                try await backups.make(
                    of: site.site.database, and: site.site.media.database, at: Self.noon + .days(day))
            }
            let folder = settings.data + "/backups"
            try Data("mine".utf8).write(to: URL(filePath: folder + "/notes.txt"))
            // What a power cut leaves goes after a day; what may still be written stays.
            let left = [4, 2].map { Backups.name(at: Self.noon + .days($0) + .minutes(1)) + ".partial" }
            for name in left { try Data().write(to: URL(filePath: folder + "/" + name)) }
            try await backups.make(of: site.site.database, and: site.site.media.database, at: Self.noon + .days(5))
            #expect(backups.names == (3...5).map { Backups.name(at: Self.noon + .days($0)) })
            let pictures = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix("-media") }
            #expect(pictures.sorted() == backups.names.map { "\($0)-media" })
            #expect(FileManager.default.fileExists(atPath: folder + "/notes.txt"))
            #expect(left.map { FileManager.default.fileExists(atPath: folder + "/" + $0) } == [true, false])
            let last = Self.noon + .days(5)
            #expect(try !site.site.backupIsDue(at: last + .hours(23)) && site.site.backupIsDue(at: last + .hours(24)))
            #expect(backups.age(at: last + .hours(2)) == .hours(2))
            settings.backupHours = 0
            #expect(Backups(settings).period == .zero)
        }
    }

    @Test func `readyz tells how old the last one is`() async throws {
        try await withTestSite { site in
            try await site.site.backups.make(of: site.site.database, and: site.site.media.database, at: site.clock.now)
            site.clock.advance(by: .hours(3))
            #expect(try await site.browser().visit("/readyz").string == "ready\nlast backup: 10800 s ago\n")
        }
    }

    @Test(.onFiles) func `going back to a backup brings all of it back, and keeps what was there`() async throws {
        try await withBackup(isOpen: true) { site, settings, file in
            _ = try await site.publish(by: .ben) { $0.title = "Swim gala" }

            await #expect(throws: DatabaseError.locked, "while the site runs") {
                try await Site.restore(settings, from: file)
            }
            site.site.close()
            let old = try #require(try await Site.restore(settings, from: file).old)
            func titles(_ path: String) throws -> [String] {
                let database = try Database(reading: path)
                defer { database.close() }
                return try database.read { db in
                    try db.all("SELECT title FROM event ORDER BY id LIMIT 9") { row in try row.next() }
                }
            }
            #expect(try titles(settings.data + "/village.sqlite") == ["Kite day"])
            #expect(try titles(old) == ["Kite day", "Swim gala"])
            #expect(try titles(file) == ["Kite day"])
            // On another machine, into a folder that isn't there yet.
            var elsewhere = settings
            elsewhere.data += "/elsewhere"
            let none = try await Site.restore(elsewhere, from: file)
            #expect(none.old == nil && none.hasPictures)
            #expect(try titles(elsewhere.data + "/village.sqlite") == ["Kite day"])
            let left = try FileManager.default.contentsOfDirectory(atPath: settings.data)
            #expect(left.allSatisfy { !$0.contains("restored") })
        }
    }

    @Test(.onFiles) func `the pictures go along, and come back`() async throws {
        try await withTestSite { site in
            let settings = site.site.settings
            let account = try await site.account(of: .ben)
            let media = site.site.media
            let first = try await media.keep(Pictures.photo, at: site.clock.now)
            try await site.write(at: Self.noon) { tx in _ = try Picture.insert(first, alt: "", of: account, in: tx) }
            let file = settings.data + "/copy.sqlite"
            try await Site.backup(settings, to: file)
            let second = try await media.keep(Pictures.file("drawing.png"), at: site.clock.now)
            site.site.close()

            // Damaged pictures are found before anything is changed.
            let copy = URL(filePath: Media.path(besides: file))
            let whole = try Data(contentsOf: copy)
            var damaged = whole
            for place in stride(from: 4_096, to: damaged.count, by: 512) { damaged[place] ^= 0x5A }
            try damaged.write(to: copy)
            await #expect(throws: DatabaseError.self) { try await Site.restore(settings, from: file) }
            let left = try FileManager.default.contentsOfDirectory(atPath: settings.data)
            #expect(left.allSatisfy { !$0.hasPrefix("before") })

            try whole.write(to: copy)
            let old = try #require(try await Site.restore(settings, from: file).old)
            func holds(_ path: String, _ entry: Media.Entry) throws -> Bool {
                let database = try Database(reading: path)
                defer { database.close() }
                return try database.read { db in try Media.Entry.bytes(entry.hash, .card, in: db) } != nil
            }
            let now = settings.data + Media.file
            #expect(try holds(now, first) && !holds(now, second))
            #expect(try holds(Media.path(besides: old), second))
            // A copy without pictures beside it leaves those that are there.
            var elsewhere = settings
            elsewhere.data += "/elsewhere"
            _ = try await Site.restore(elsewhere, from: file)
            try FileManager.default.removeItem(at: copy)
            #expect(try await !Site.restore(elsewhere, from: file).hasPictures)
            #expect(try holds(elsewhere.data + Media.file, first))
        }
    }

    @Test(.onFiles) func `a damaged backup changes nothing`() async throws {
        try await withBackup { _, settings, file in
            var bytes = try Data(contentsOf: URL(filePath: file))
            for place in stride(from: 4_096, to: bytes.count, by: 512) { bytes[place] ^= 0x5A }
            try bytes.write(to: URL(filePath: file))
            await #expect(throws: DatabaseError.self) { try await Site.restore(settings, from: file) }
            await #expect(throws: DatabaseError.self) {
                try await Site.restore(settings, from: settings.data + "/nowhere.sqlite")
            }
            let database = try Database(reading: settings.data + "/village.sqlite")
            defer { database.close() }
            let count: Int? = try database.read { db in try db.value("SELECT count(*) FROM event") }
            #expect(count == 1)
            let left = try FileManager.default.contentsOfDirectory(atPath: settings.data)
            #expect(left.allSatisfy { !$0.contains("restored") && !$0.hasPrefix("before") })
        }
    }

    /// A whole backup with something changed in it.
    private static func changed(_ sql: String) -> @Sendable (_ path: String, _ whole: String) throws -> Void {
        { path, whole in
            try FileManager.default.copyItem(atPath: whole, toPath: path)
            try SQLiteFile.write(sql, to: path)
        }
    }

    /// What is no backup of a village, and the word that says so.
    private static let strangers: [(String, @Sendable (_ path: String, _ whole: String) throws -> Void)] = [
        ("an empty file", { path, _ in try Data().write(to: URL(filePath: path)) }),
        ("another program's", { path, _ in try SQLiteFile.write("CREATE TABLE note (name TEXT)", to: path) }),
        ("an empty database", { path, _ in try SQLiteFile.write("CREATE TABLE a (b); DROP TABLE a", to: path) }),
        (
            "a table of the same name",
            { path, _ in try SQLiteFile.write("CREATE TABLE schema_migration (a); CREATE TABLE b (c)", to: path) }
        ),
        ("a village with a table gone", changed("DROP TABLE note")),
        (
            "a village with a trigger",
            changed("CREATE TRIGGER quiet AFTER INSERT ON staff_act BEGIN DELETE FROM staff_act; END")
        ),
        (
            "a village with a trigger that looks like SQLite's own",
            changed(
                """
                CREATE TRIGGER quiet AFTER INSERT ON staff_act BEGIN DELETE FROM staff_act; END;
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET name = 'sqlite_quiet' WHERE name = 'quiet'
                """)
        ),
        ("a village with a view", changed("CREATE VIEW parent AS SELECT email FROM account")),
        ("a village with one more table", changed("CREATE TABLE other (a INTEGER)")),
        ("a village with one more index", changed("CREATE INDEX other ON account (password)")),
        ("another program's sign", changed("PRAGMA application_id = 7")),
        ("a village without a sign", changed("PRAGMA application_id = 0")),
        (
            "the pictures",
            { path, whole in try FileManager.default.copyItem(atPath: Media.path(besides: whole), toPath: path) }
        ),
        ("a text", { path, _ in try Data("Dear village".utf8).write(to: URL(filePath: path)) }),
        ("a reference to nothing", changed("UPDATE event SET account_id = 99")),
    ]

    @Test(.onFiles)
    func `nothing but a whole backup of a village takes its place, nor that of its pictures`() async throws {
        try await withBackup { _, settings, whole in
            let before = try Folder.content(of: settings.data)
            for (name, make) in Self.strangers {
                let file = settings.data + "/stranger"
                try make(file, whole)
                await #expect(throws: DatabaseError.self, "\(name)") { try await Site.restore(settings, from: file) }
                try FileManager.default.removeItem(atPath: file)
                #expect(try Folder.content(of: settings.data) == before, "\(name)")

                // The same beside a whole one, in the place of the pictures; pictures are whole there.
                guard name != "the pictures", !name.contains("village"), !name.contains("reference") else { continue }
                let copy = settings.data + "/copy"
                try FileManager.default.copyItem(atPath: whole, toPath: copy)
                try make(Media.path(besides: copy), whole)
                await #expect(throws: DatabaseError.self, "\(name)") { try await Site.restore(settings, from: copy) }
                for path in [copy, Media.path(besides: copy)] { try FileManager.default.removeItem(atPath: path) }
                #expect(try Folder.content(of: settings.data) == before, "\(name) beside a whole one")
            }
            _ = try await Site.restore(settings, from: whole)
        }
    }

    @Test(.onFiles) func `two restores in one second keep both`() async throws {
        try await withBackup { _, settings, file in
            var kept: Set<String> = []
            for _ in 1...3 { kept.insert(try #require(try await Site.restore(settings, from: file).old)) }
            #expect(kept.count == 3)
            for old in kept {
                for path in [old, Media.path(besides: old)] { #expect(FileManager.default.fileExists(atPath: path)) }
            }
        }
    }

    @Test(.onFiles) func `data without the sign is nobody's, and stays as it is`() async throws {
        try await withBackup { site, settings, _ in
            for file in [Site.file, Media.file] {
                let path = settings.data + file
                let sign = try SQLiteFile.value("PRAGMA application_id", of: path)
                try SQLiteFile.write("PRAGMA application_id = 0", to: path)
                let before = try Data(contentsOf: URL(filePath: path))
                #expect(throws: DatabaseError.foreign("\(path) is the data of another program")) {
                    try Site(settings, log: site.site.log)
                }
                #expect(try Data(contentsOf: URL(filePath: path)) == before)
                try SQLiteFile.write("PRAGMA application_id = \(sign)", to: path)
            }
            try Site(settings, log: site.site.log).close()
        }
    }

    @Test func `the disk's room is known`() throws {
        let free = try #require(freeBytes(at: NSTemporaryDirectory()))
        #expect(free > 0)
        #expect(freeBytes(at: "/nowhere/at/all") == nil)
    }
}
