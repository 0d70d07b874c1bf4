import Database
import Forms
import Foundation
import Templating
import Testing

@testable import App

/// The files of the data: emptied, foreign, taken away under the site; and what is erased in them.
@Suite(.onFiles) struct FilesTests {
    // MARK: At the start

    /// Closes the site, does something to its folder, and starts another on it.
    private func start(_ site: TestSite, after change: (String) throws -> Void) throws {
        site.site.close()
        try change(site.site.settings.data)
        try Site(site.site.settings, log: site.site.log).close()
    }

    @Test(arguments: ["emptied", "deleted", "blank"])
    func `no empty site is opened over a town`(how: String) async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben)
            let settings = site.site.settings
            #expect {
                try start(site) { folder in
                    let path = folder + Site.file
                    try FileManager.default.removeItem(atPath: path)
                    if how == "emptied" { try Data().write(to: URL(filePath: path)) }
                    if how == "blank" { try SQLiteFile.write("CREATE TABLE a (b); DROP TABLE a", to: path) }
                }
            } throws: { error in
                if case DatabaseError.missing = error { true } else { false }
            }
            let (_, problems) = await Site.check(settings)
            #expect(problems.contains { $0.contains("village.sqlite is empty") }, "\(problems)")
            await #expect(throws: DatabaseError.self) { try await Site.backup(settings, to: settings.data + "/copy") }
            // Without any trace of a town it is a new folder, whatever is in the file.
            for file in [Media.file, "/calendar.key"] {
                try FileManager.default.removeItem(atPath: settings.data + file)
            }
            #expect(throws: Never.self) { try Site(settings, log: site.site.log).close() }
        }
    }

    @Test(arguments: ["backups/village-2027-03-20-120000.sqlite", "before-village-2027-03-20-120000.sqlite"])
    func `a copy is a trace of a town as well`(name: String) async throws {
        try await withTestSite { site in
            #expect(throws: DatabaseError.self) {
                try start(site) { folder in
                    try FileManager.default.createDirectory(
                        atPath: folder + "/backups", withIntermediateDirectories: true)
                    try Data("x".utf8).write(to: URL(filePath: folder + "/" + name))
                    for file in [Site.file, Media.file] { try FileManager.default.removeItem(atPath: folder + file) }
                }
            }
        }
    }

    @Test func `a log without its file is never thrown away`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben)
            let settings = site.site.settings
            let log = try Data(contentsOf: URL(filePath: settings.data + Site.file + "-wal"))
            #expect(!log.isEmpty)
            #expect(throws: DatabaseError.self) {
                try start(site) { folder in
                    try Data().write(to: URL(filePath: folder + Site.file))
                    try log.write(to: URL(filePath: folder + Site.file + "-wal"))
                    try FileManager.default.removeItem(atPath: folder + Media.file)
                }
            }
            #expect(try Data(contentsOf: URL(filePath: settings.data + Site.file + "-wal")) == log)
        }
    }

    @Test(arguments: [Site.file, Media.file])
    func `what another program stored is left as it is`(file: String) async throws {
        try await withTestSite { site in
            let path = site.site.settings.data + file
            let recipes = site.site.settings.data + "/recipes"
            try SQLiteFile.write("CREATE TABLE recipe (name); INSERT INTO recipe VALUES ('soup')", to: recipes)
            let theirs = try Data(contentsOf: URL(filePath: recipes))
            #expect(throws: DatabaseError.foreign("\(path) is the data of another program")) {
                try start(site) { _ in
                    try FileManager.default.removeItem(atPath: path)
                    try FileManager.default.moveItem(atPath: recipes, toPath: path)
                }
            }
            let now = try Data(contentsOf: URL(filePath: path))
            #expect(now == theirs)
        }
    }

    // MARK: While it runs

    @Test(arguments: ["deleted", "replaced", "emptied", "its log deleted"])
    func `a site whose file was taken away serves and stores nothing`(how: String) async throws {
        try await withTestSite(expecting: [503]) { site in
            try await site.publish(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            let nobody = site.browser()
            #expect(try await nobody.visit("/events/1").status == 200, "and the page is cached")
            let path = site.site.settings.data + Site.file
            switch how {
            case "deleted": try FileManager.default.removeItem(atPath: path)
            case "replaced":
                try FileManager.default.copyItem(atPath: path, toPath: path + ".new")
                #expect(rename(path + ".new", path) == 0)
            case "emptied": #expect(truncate(path, 0) == 0)
            default: try FileManager.default.removeItem(atPath: path + "-wal")
            }
            let ready = try await nobody.visit("/readyz")
            #expect(ready.status == 503)
            #expect(ready.string == "not ready: village.sqlite was deleted, replaced or emptied while the site ran\n")
            for browser in [nobody, ana] {
                for path in ["/", "/events", "/events/1", "/about", "/week"] {
                    #expect(try await browser.visit(path).status == 503, "\(path)")
                }
            }
            let login = try await nobody.submit("/login", [("login", "ana-ortiz"), ("password", Person.password)])
            #expect(login.status == 503)
            await #expect(throws: DatabaseError.lost("village.sqlite")) {
                try await site.write { db in try Note.set("x", "y", in: db) }
            }
            #expect(try await nobody.visit("/healthz").status == 200)
            let told = site.log.lines.filter { $0.hasPrefix("critical") }
            #expect(told.first?.contains("was deleted, replaced or emptied while the site ran") == true)
            // What was known is saved while it can still be reached.
            let backups = site.site.backups
            guard how != "emptied" else { return }
            let copy = try #require(backups.names.last)
            #expect(try SQLiteFile.value("SELECT title FROM event", of: "\(backups.folder)/\(copy)") == "Kite day")
            _ = try await nobody.visit("/readyz")
            #expect(site.log.lines.count { $0.hasPrefix("critical") } == told.count, "said once")
        }
    }

    @Test func `nobody is told yes for what went into a deleted file`() async throws {
        try await withTestSite { site in
            try FileManager.default.removeItem(atPath: site.site.settings.data + Site.file)
            // Nobody has looked yet: the commit itself finds out.
            await #expect(throws: DatabaseError.lost("village.sqlite")) {
                try await site.write { db in try Note.set("x", "y", in: db) }
            }
            #expect(site.site.isLost)
        }
    }

    @Test func `a failing picture file is no missing picture`() async throws {
        try await withTestSite(expecting: [503]) { site in
            let account = try await site.account(of: .ben)
            let file = FormFile(name: "image", filename: "photo", contentType: "image/jpeg", bytes: Pictures.photo)
            let picture = try await site.site.keep(file, of: account, at: site.clock.now)
            let path = picture.link(.card).string
            let ben = try await site.signIn(.ben)
            #expect(try await ben.visit(path).status == 200)
            try FileManager.default.removeItem(atPath: site.site.settings.data + Media.file)
            #expect(try await site.browser().visit("/readyz").string.hasPrefix("not ready: media.sqlite was deleted"))
            #expect(try await ben.visit(path).status == 503)
            #expect(try await site.browser().visit("/events").status == 200, "the site's own data is there")
        }
    }

    // MARK: Erased

    @Test func `an erased note is in no file of the data`() async throws {
        try await withTestSite { site in
            let folder = site.site.settings.data
            let words = "peanuts and bee stings"
            let event = try await site.publish(by: .ben)
            let mo = try await site.child("Mo", of: .ana)
            let registration = try await site.register([mo], of: .ana, at: event)
            try await site.execute("UPDATE child SET allergies = \(words) WHERE id = \(mo)")
            try await site.write(at: site.clock.now) { tx in try CareNote.share(registration, in: tx) }
            #expect(await site.site.emptyLogs())
            #expect(try Folder.files(in: folder, holding: words) == ["village.sqlite"])
            try await site.execute("UPDATE child SET allergies = '' WHERE id = \(mo)")
            try await site.write { db in try CareNote.erase(from: registration, in: db) }
            #expect(try Folder.files(in: folder, holding: words) == ["village.sqlite"], "until the log is written back")
            #expect(await site.site.emptyLogs())
            #expect(try Folder.files(in: folder, holding: words) == [])
        }
    }
}
