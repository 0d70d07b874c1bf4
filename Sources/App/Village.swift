import Database
import Forms
import FoundationEssentials
import Logging
import OpenID
import Passwords
import SMTP

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

// The program's commands, except serving.

extension Site {
    /// Prepares the site once before use: stores the bundled towns and ZIP codes, and the search keys of older data.
    package func prepare() async throws {
        let files = try GazetteerFiles(folder: settings.publicFolder)
        let hours = settings.offerHours
        try await writeAtStart { db in
            try Gazetteer.fill(files, in: db)
            try Offer.use(hours: hours, in: db)
            try SearchIndex.renewKeys(in: db)
        }
        guard try !read({ db in try Account.namesAreIndexed(in: db) }) else { return }
        var last: ID<Account>? = ID(0)
        // In batches, each in its own transaction; after an interruption it starts over.
        while let done = last { last = try await write { db in try Account.indexNames(after: done, in: db) } }
    }

    /// Writes during startup. If several nodes start at once, the first may have much to write, and the others wait for
    /// it.
    private func writeAtStart(_ body: @escaping @Sendable (Connection) throws -> Void) async throws {
        for _ in 0..<20 {
            // Each attempt already waits for seconds.
            do { return try await write(body) } catch DatabaseError.busy {}
        }
        try await write(body)
    }

    /// Rewrites the search keys of all texts, in batches, after a release that folds texts differently. The site is
    /// open meanwhile.
    ///
    /// - Returns: The number of texts.
    func renewSearch() async throws -> Int {
        guard try read({ db in try Note.isSet("search_lines", in: db) }) else { return 0 }
        var count = 0
        while let some = try await write({ db in try SearchIndex.renewLines(in: db) }) { count += some }
        return count
    }

    /// The one-time address of the page that creates the first admin; nil if there is one already.
    package func setupLink() async throws -> String? {
        guard try !read({ db in try Account.hasAdmin(in: db) }) else { return nil }
        let key = self.key
        let token = try await write(at: now) { tx in try SetupLink.token(of: key, in: tx) }
        return "\(settings.publicURL)/setup/\(token.text)"
    }

    /// The errand that creates an admin account.
    ///
    /// - Throws: ``Settings/Problems`` with the problems of address, name and password, a line each.
    package static func makingAdmin(
        email: String, username: String, password: String, _ settings: Settings
    ) async throws -> Errand {
        guard let database = try Store.site.openToRead(settings) else { throw DatabaseError.unopenable(file) }
        defer { database.close() }
        let guessed = GuessedFirst(
            common: try CommonPasswords(folder: settings.publicFolder),
            words: ["village", "password", try database.read { db in try Town(in: db).name }, settings.publicHost])
        var submission = Submission<SignUpForm>([
            "email": email, "username": username, "password": password, "adult": "1",
        ])
        submission.form.check(&submission, guessed: guessed)
        guard submission.isValid else { throw Settings.Problems(lines: submission.problems.map(\.words.english)) }
        return .makeAdmin(email: email, username: username, hash: try Password.hash(password))
    }

    /// Creates an admin account.
    ///
    /// - Returns: The problems, a line each; empty if the account was created.
    func createAdmin(email: String, username: String, hash: String) async throws -> [String] {
        let form = Submission<SignUpForm>(["email": email, "username": username, "password": hash, "adult": "1"])
        guard let value = form.value, Account.problem(withUsername: username.lowercased()) == nil else {
            return ["This e-mail address or user name can't be used."]
        }
        do {
            _ = try await createAccount(value, hash: hash, role: .admin, at: now)
            return []
        } catch is Account.Taken {
            return ["There is an account with this e-mail address or user name already."]
        }
    }

    /// Makes the account with this e-mail address or user name an admin.
    ///
    /// - Returns: Whether it wasn't one before; nil if there is no such account.
    func giveAdmin(to login: String) async throws -> Bool? {
        let name = Account.name(typed: login)
        return try await write(at: now) { tx in
            guard let id = try Account.credentials(for: name, in: tx)?.id, let person = try Account.find(id, in: tx)
            else { return nil }
            return try Role.give(.admin, to: person, reason: "village admin create --existing", in: tx)
        }
    }

    /// A one-time link to set a new password for the account with this e-mail address or user name; nil if there is
    /// none.
    package func resetLink(for login: String) async throws -> String? {
        let name = Account.name(typed: login)
        guard let account = try read({ db in try Account.credentials(for: name, in: db) }) else { return nil }
        let token = Token()
        try await write(at: now) { tx in
            try ResetLink.insert(token, for: account.id, in: tx)
            try AuditEntry.record(.resetLink, name, account.id.rawValue, reason: "village admin link", by: nil, in: tx)
        }
        return "\(settings.publicURL)/reset/\(token.text)"
    }

    /// Turns off two-step log-in for an account whose phone and recovery codes are lost, and logs it out everywhere.
    ///
    /// - Returns: Whether it was on; nil if there is no such account.
    package func takeOffTwoStep(of login: String) async throws -> Bool? {
        let name = Account.name(typed: login)
        guard let account = try read({ db in try Account.credentials(for: name, in: db) }) else { return nil }
        return try await write(at: now) { tx in
            guard try TwoStep.turnOff(of: account.id, due: tx.now + TwoStep.grace, in: tx) else { return false }
            try Session.endAll(of: account.id, in: tx)
            try PendingLogIn.endAll(of: account.id, in: tx)
            try AuditEntry.record(
                .takeOffTwoStep, name, account.id.rawValue, reason: "village admin two-step-off", by: nil, in: tx)
            return true
        }
    }

    /// Whether anybody has signed up yet.
    package func hasAccounts() throws -> Bool { try read { db in try Account.exists(in: db) } }
}

extension Site {
    package static let version = "0.2.0"

    package var hasDemo: Bool { isDemo }

    /// Facts for an operator before the start, and all problems with the settings and the data folder, a line each.
    package static func check(_ settings: Settings) async -> (facts: [String], problems: [String]) {
        var facts = [
            "village \(version)", "settings: \(settings.file ?? "no file (VILLAGE_SETTINGS)")",
            "data: \(settings.place)",
            "public URL: \(settings.publicURL)", "time zone: \(settings.zone.identifier)",
        ]
        var problems: [String] = []
        if let clock = settings.clockWords { facts.append(clock) }
        problems += settings.catalogues.problems.map { "VILLAGE_LANGUAGES: left out: \($0)" }
        if !settings.isHTTPS, !settings.isPublicOnLoopback {
            problems.append("VILLAGE_PUBLIC_URL is http: passwords travel in the open. Put a proxy with TLS in front.")
        }
        facts.append(
            settings.smtp.map { "letters: \($0.name), from \(settings.mailFrom.address)" }
                ?? "letters: wait until there is a mail server (VILLAGE_SMTP_URL)")
        if let mailbox = settings.returnedMail {
            facts.append("letters that came back: \(mailbox)")
            let files = FileManager.default
            if files.fileExists(atPath: mailbox), !files.isReadableFile(atPath: mailbox) {
                problems.append("VILLAGE_BOUNCES=\(mailbox): a file or folder that can be read")
            }
        }
        if settings.smtp != nil, settings.isPublicOnLoopback {
            facts.append("letters lead to \(settings.publicURL), which only this machine can open (VILLAGE_PUBLIC_URL)")
        }
        if let server = settings.smtp, let trouble = await MailClient(server, name: settings.publicHost).tryOut() {
            problems.append("The mail server \(server.name) takes no letters: \(trouble) (VILLAGE_SMTP_URL)")
        }
        if let issuer = issuer(settings), let address = settings.openIDIssuer {
            facts.append("log-in elsewhere: \(address), which comes back to \(settings.wayBack)")
            // The issuer's metadata contains no times, so the time doesn't matter.
            if let trouble = await issuer.tryOut(at: 0) {
                problems.append("The issuer \(address) can't be used: \(trouble) (VILLAGE_OIDC_ISSUER)")
            }
        }
        let backups = Backups(settings)
        if backups.period > .zero, !Settings.canBeFolder(backups.folder) {
            problems.append("No backup can be made: \(backups.folder) can't be written. (VILLAGE_BACKUP_FOLDER)")
        }
        if backups.period > .zero, settings.databaseURL != nil {
            facts.append(
                """
                backups: made by the node in charge, in the folder that its VILLAGE_BACKUP_FOLDER names (here \
                \(backups.folder)); with a folder that all nodes share they lie in one place
                """)
        }
        let missing = Workshop().missingTools
        if !missing.isEmpty {
            let names = missing.joined(separator: ", ")
            problems.append("No pictures can be taken: \(names) is missing. Install libvips-tools and util-linux.")
        }
        if !Settings.canBeFolder(settings.data) {
            let owner = Settings.ownerAdvice(on: settings.data).map { ". \($0)" } ?? ""
            problems.append("VILLAGE_DATA=\(settings.data): a folder that can be written\(owner)")
        }
        do {
            try requireOnePlace(settings)
            guard settings.databaseURL != nil || fileSize(at: settings.data + file) ?? 0 > 0 else {
                if hasTraces(of: settings.data) {
                    throw DatabaseError.missing("\(settings.data)\(file) is empty or gone")
                }
                return (facts + [settings.zoneAdvice(Town())].compactMap(\.self), problems)
            }
            guard let database = try Store.site.openToRead(settings) else { return (facts, problems) }
            defer { database.close() }
            facts += [settings.zoneAdvice(try database.read { db in try Town(in: db) })].compactMap(\.self)
            let report = try await database.check()
            facts += ["\(database.engine.name) \(database.engine.version)"] + report.facts + report.warnings
            problems += report.problems
            if let pictures = try Store.media.openToRead(settings) {
                defer { pictures.close() }
                problems += try await pictures.check().problems
            }
        } catch let error as DatabaseError {
            problems.append(error.advice(settings.place))
        } catch {
            problems.append("The database in \(settings.place) can't be checked: \(error)")
        }
        return (facts, problems)
    }

    /// The result of restoring a backup.
    package struct Restored: Sendable {
        /// The name under which the previous data is kept; nil if there was none.
        package let old: String?
        /// Whether the backup had pictures beside it; if not, the existing pictures stay.
        package let hasPictures: Bool
    }

    /// Replaces the data with a backup, while the site is stopped.
    ///
    /// - Throws: ``Database/DatabaseError`` if the site is running, or the backup is unreadable, damaged or not from a
    ///   Village; then nothing has changed.
    package static func restore(_ settings: Settings, from copy: String) async throws -> Restored {
        guard settings.databaseURL == nil else {
            throw DatabaseError.unsuitable(
                """
                restore is for sites on files. Load a backup into an empty database: village migrate --from-sqlite \
                \(copy)
                """)
        }
        try FileManager.default.createDirectory(
            atPath: settings.data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let town = try await Restoration(
            of: copy, to: settings.data + file, migrations: Schema.migrations, application: Schema.application)
        // A backup from before the site had pictures comes without them.
        let hasPictures = fileSize(at: Media.path(besides: copy)) != nil
        let pictures =
            hasPictures
            ? try await Restoration(
                of: Media.path(besides: copy), to: settings.data + Media.file, migrations: Schema.media,
                application: Schema.applicationOfMedia) : nil
        // Both copies are complete and next to the old files: from here on, files are only renamed.
        let old = freeName(settings.data + "/before-" + Backups.name(at: .now))
        try town.finish(keeping: old)
        try pictures?.finish(keeping: Media.path(besides: old))
        return Restored(
            old: [old, Media.path(besides: old)].first { fileSize(at: $0) != nil }, hasPictures: hasPictures)
    }

    /// `name`, with a number appended if it is taken: two restores may happen within one second.
    private static func freeName(_ name: String) -> String {
        func isFree(_ name: String) -> Bool {
            ["", "-wal", "-media", "-media-wal"].allSatisfy { fileSize(at: name + $0) == nil }
        }
        let stem = name.dropLast(".sqlite".count)
        return isFree(name) ? name : (2...).lazy.map { "\(stem)-\($0).sqlite" }.first(where: isFree)!
    }

    /// Copies the database and the pictures, the latter to a file with `-media` at the end of its name. The site may be
    /// running.
    ///
    /// - Throws: If a file exists or can't be written, or a copy fails its check.
    package static func backup(_ settings: Settings, to copy: String) async throws {
        guard let database = try Store.site.openToRead(settings) else { throw DatabaseError.unopenable(file) }
        defer { database.close() }
        let pictures = try Store.media.openToRead(settings)
        defer { pictures?.close() }
        try await Backups.copy(database, and: pictures, to: copy)
    }
}

extension DatabaseError {
    /// Advice for the operator, in a sentence or two.
    ///
    /// - Parameter place: ``Settings/place``.
    package func advice(_ place: String) -> String {
        switch self {
        case .locked: "The data in \(place) is in use by another village. Stop that one first."
        case .notMigrated:
            "The data in \(place) is not up to date. As the owner of the tables, run: village migrate"
        case .away(let reason):
            "The database \(place) can't be reached: \(reason) (VILLAGE_DATABASE_URL)"
        case .different(let table):
            "The copy of \(table) differs from what it was made from, and was not kept. Try again, and report it."
        case .unsuitable(let reason): "The data in \(place) can't be used: \(reason). (VILLAGE_DATABASE_URL)"
        case .migrationEdited(let name): "The migration \(name) was changed after it had run. Use the released program."
        case .newerThanProgram(let name): "The data in \(place) is from a newer village (\(name)). Update the program."
        case .olderThanProgram(let name):
            """
            The data in \(place) is from a village before its first release (\(name)), and can't be taken over: \
            choose an empty folder for a new site. (VILLAGE_DATA)
            """
        case .missing(let what), .foreign(let what):
            "\(what). Nothing was changed. Put the right file back, or go back to a backup: village restore FILE"
        case .unopenable, .readOnly:
            "The data folder \(place) can't be used: is it a folder you may write to? (VILLAGE_DATA)"
                + (Settings.ownerAdvice(on: place).map { " \($0)" } ?? "")
        case .full: "The disk that holds \(place) is full. Make room, and try again."
        case .disk(let what): "The disk that holds \(place) can't be read or written: \(what)"
        case .corrupt: "The database in \(place) is damaged. Go back to the last backup: village restore FILE"
        default: "The database in \(place) can't be opened: \(self)"
        }
    }
}

extension Settings {
    /// What to do about a folder of somebody else, such as a volume that a container was given; nil if it is this
    /// user's, or there is none.
    static func ownerAdvice(on folder: String, for user: UInt32 = geteuid()) -> String? {
        // The number is of another type where all of Foundation is loaded.
        let number = try? FileManager.default.attributesOfItem(atPath: folder)[.ownerAccountID].map { "\($0)" }
        guard let owner = number.flatMap({ UInt32($0) }), owner != user else { return nil }
        return "It belongs to user \(owner), and the program runs as user \(user): chown -R \(user) \(folder)"
    }

    /// A line for an operator whose town has no zone of its own: containers run in UTC.
    func zoneAdvice(_ town: Town) -> String? {
        guard town.zone == nil, !isZoneChosen, zone.isUTC else { return nil }
        return """
            The time zone is that of the system, \(zone.identifier), since nobody chose one: set VILLAGE_TIME_ZONE, or \
            save one on /admin/settings.
            """
    }
}
