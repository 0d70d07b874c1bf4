import Database
import Forms
import FoundationEssentials
import Logging
import Passwords

// What the program's commands do, apart from serving.

extension Site {
    /// Puts the towns and ZIP codes that come with the program into the database, unless they are in it.
    package func fillGazetteer() async throws {
        let files = try GazetteerFiles(folder: settings.publicFolder)
        try await write { db in try Gazetteer.fill(files, in: db) }
    }

    /// The address of the one-time page that makes the first admin; nil when there is one already.
    package func setupLink() async throws -> String? {
        guard try !read({ db in try Account.hasStaff(in: db) }) else { return nil }
        let token = Token()
        let now = now
        try await write { db in try SetupLink.replace(token, at: now, in: db) }
        return "\(settings.publicURL)/setup/\(token.text)"
    }

    /// Makes an account that looks after the site.
    ///
    /// - Returns: What is wrong, a line each; empty when the account is made.
    package func createAdmin(email: String, username: String, password: String) async throws -> [String] {
        var submission = Submission<SignUpForm>([
            "email": email, "username": username, "password": password, "adult": "1",
        ])
        submission.form.check(&submission)
        guard let form = submission.value else { return submission.problems.map(\.words.english) }
        do {
            _ = try await createAccount(form, isStaff: true, at: now)
            return []
        } catch is Account.Taken {
            return ["There is an account with this e-mail address or user name already."]
        }
    }

    /// A one-time link that sets a new password for the account with this e-mail address or user name; nil without one.
    package func resetLink(for login: String) async throws -> String? {
        let name = login.lowercased()
        guard let account = try read({ db in try Account.credentials(for: name, in: db) }) else { return nil }
        let token = Token()
        let now = now
        try await write { db in
            try ResetLink.insert(token, for: account.id, at: now, in: db)
            try StaffAct.record(
                .resetLink, name, account.id.rawValue, reason: "village admin link", by: nil, at: now, in: db)
        }
        return "\(settings.publicURL)/reset/\(token.text)"
    }

    /// Whether anybody has signed up yet.
    package func hasAccounts() throws -> Bool { try read { db in try Account.exists(in: db) } }
}

extension Site {
    package static let version = "0.1.0"

    package var hasDemo: Bool { isDemo }

    /// What an operator wants to know before the start, and everything that is wrong with the settings and the data
    /// folder, a line each.
    package static func check(_ settings: Settings) async -> (facts: [String], problems: [String]) {
        var facts = ["village \(version)", "data: \(settings.data)", "public URL: \(settings.publicURL)"]
        var problems: [String] = []
        if !settings.isHTTPS, !settings.isPublicOnLoopback {
            problems.append("VILLAGE_PUBLIC_URL is http: passwords travel in the open. Put a proxy with TLS in front.")
        }
        let missing = Workshop().missingTools
        if !missing.isEmpty {
            let names = missing.joined(separator: ", ")
            problems.append("No pictures can be taken: \(names) is missing. Install libvips-tools and util-linux.")
        }
        do {
            let path = settings.data + "/village.sqlite"
            guard FileManager.default.fileExists(atPath: path) else { return (facts, problems) }
            let database = try Database(reading: path)
            defer { database.close() }
            let report = try await database.check()
            facts += ["SQLite \(report.sqliteVersion)"] + report.warnings
            problems += report.problems
            if let pictures = try pictures(settings) {
                defer { pictures.close() }
                problems += try await pictures.check().problems
            }
        } catch {
            problems.append("The database in \(settings.data) can't be checked: \(error)")
        }
        return (facts, problems)
    }

    /// Puts a backup in the place of the data, while the site is stopped.
    ///
    /// - Returns: The name under which the data from before is kept; nil when there was none.
    /// - Throws: ``Database/DatabaseError`` when the site runs, or the backup can't be read or isn't sound; then nothing
    ///   has changed.
    package static func restore(_ settings: Settings, from file: String) async throws -> String? {
        try FileManager.default.createDirectory(
            atPath: settings.data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let old = "\(settings.data)/before-\(Backups.name(at: .now))"
        // A copy from before there were pictures has none beside it.
        let pictures = Media.path(besides: file)
        let hasPictures = FileManager.default.fileExists(atPath: pictures)
        // The database is put back first, so what could keep the pictures back is found before.
        if hasPictures { try await checkCopy(pictures) }
        try await Database.restore(
            file, to: settings.data + "/village.sqlite", keeping: old, migrations: Schema.migrations)
        if hasPictures {
            try await Database.restore(
                pictures, to: settings.data + Media.file, keeping: Media.path(besides: old), migrations: Schema.media)
        }
        return FileManager.default.fileExists(atPath: old) ? old : nil
    }

    private static func checkCopy(_ file: String) async throws {
        let copy = try Database(reading: file)
        defer { copy.close() }
        let problems = try await copy.check().problems
        guard problems.isEmpty else { throw DatabaseError.corrupt(problems.joined(separator: "; ")) }
    }

    /// Copies the database and the pictures, the latter beside it with `-media` at the end of the name, while the site
    /// may be running.
    ///
    /// - Throws: when a file exists, can't be written, or a copy doesn't pass its check.
    package static func backup(_ settings: Settings, to file: String) async throws {
        let database = try Database(reading: settings.data + "/village.sqlite")
        defer { database.close() }
        let pictures = try pictures(settings)
        defer { pictures?.close() }
        try await Backups.copy(database, and: pictures, to: file)
    }

    /// The pictures, to be read; nil in a data folder from before there were any.
    private static func pictures(_ settings: Settings) throws -> Database? {
        let file = settings.data + Media.file
        return FileManager.default.fileExists(atPath: file) ? try Database(reading: file) : nil
    }
}
