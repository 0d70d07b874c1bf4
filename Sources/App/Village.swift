import Database
import Forms
import FoundationEssentials
import Logging
import Passwords

// What the program's commands do, apart from serving.

extension Site {
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
        do {
            let path = settings.data + "/village.sqlite"
            guard FileManager.default.fileExists(atPath: path) else { return (facts, problems) }
            let database = try Database(reading: path)
            defer { database.close() }
            let report = try await database.check()
            facts += ["SQLite \(report.sqliteVersion)"] + report.warnings
            problems += report.problems
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
        try await Database.restore(
            file, to: settings.data + "/village.sqlite", keeping: old, migrations: Schema.migrations)
        return FileManager.default.fileExists(atPath: old) ? old : nil
    }

    /// Copies the database while the site may be running.
    ///
    /// - Throws: when the file exists, can't be written, or the copy doesn't pass its check.
    package static func backup(_ settings: Settings, to file: String) async throws {
        let database = try Database(reading: settings.data + "/village.sqlite")
        defer { database.close() }
        try await database.backup(to: file)
    }
}
