import App
import ArgumentParser
import Database
import Foundation
import Logging

/// The program: `village serve` and the operator's commands.
@main
struct Village: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "village", abstract: "A community site for one town.",
        subcommands: [
            Serve.self, Migrate.self, Check.self, Seed.self, Admin.self, Mail.self, Backup.self, Restore.self,
            Export.self, Import.self, Version.self,
        ],
        defaultSubcommand: Serve.self)

    static func main() async {
        // No other user of this machine may read what families write, in copies and logs either.
        umask(0o077)
        // Report a file size limit like a full disk, rather than ending the program.
        signal(SIGXFSZ, SIG_IGN)
        await main(nil)
    }
}

/// A flag for each setting; the environment supplies those that aren't given.
struct SettingFlags: ParsableArguments {
    @Option(help: "The file of settings, deploy/settings.env or /etc/village/settings.env if not given.")
    var settings: String?
    @Option(help: "The address to listen on.") var host: String?
    @Option(help: "The port to listen on.") var port: String?
    @Option(help: "The folder that holds everything.") var data: String?
    @Option(help: "What this node is called among others on the same database.") var node: String?
    @Option(help: "How many seconds /readyz says that the site ends before it does.") var drain: String?
    @Option(help: "How visitors reach the site, such as https://village.example.") var publicURL: String?
    @Option(help: "Proxies whose X-Forwarded-For is believed.") var trustedProxies: String?
    @Option(help: "on, or off for benches on loopback.") var limits: String?
    @Option(help: "Connections open at once.") var maxConnections: String?
    @Option(help: "MiB of pages cached for visitors who aren't logged in.") var pageCache: String?
    @Option(help: "How often the site copies its database, in hours; 0 for never.") var backupHours: String?
    @Option(help: "Where to; backups in the data folder without it.") var backupFolder: String?
    @Option(help: "How many copies are kept.") var backupCount: String?
    @Option(help: "The zone of the town, such as America/Los_Angeles.") var timeZone: String?
    @Option(help: "Two letters, preset in address forms.") var country: String?
    @Option(help: "A folder of catalogs in other languages than English.") var languages: String?
    @Option(help: "The sender of letters.") var mailFrom: String?
    @Option(help: "The mailbox of that sender, a file or a Maildir: letters that came back are read there.")
    var bounces: String?
    @Option(help: "How many hours a family has to take a place that became free.") var offerHours: String?
    @Option(help: "A tile server, asked only after “Show streets”.") var mapTiles: String?
    @Option(help: "Whose work its tiles are.") var mapAttribution: String?
    @Option(help: "Whom to tell of a hole in the site: an e-mail address or a URL.") var securityContact: String?
    @Option(name: .customLong("oidc-issuer"), help: "Where staff and organizations log in elsewhere.")
    var oidcIssuer: String?
    @Option(name: .customLong("oidc-client-id"), help: "What that calls this site.") var oidcClientID: String?
    @Option(name: .customLong("oidc-name"), help: "What the button calls it.") var oidcName: String?
    @Option(help: "A moment at which the clock stands, for tests and demos on this machine.") var clock: String?
    @Option(help: "trace, debug, info, notice, warning, error.") var logLevel: String?
    @Option(help: "text, or json: an object a line.") var logFormat: String?

    func read() throws -> Settings {
        let environment = ProcessInfo.processInfo.environment
        let flags = [
            "VILLAGE_HOST": host, "VILLAGE_PORT": port, "VILLAGE_DATA": data, "VILLAGE_PUBLIC_URL": publicURL,
            "VILLAGE_NODE": node, "VILLAGE_DRAIN": drain,
            "VILLAGE_TRUSTED_PROXIES": trustedProxies, "VILLAGE_LIMITS": limits,
            "VILLAGE_MAX_CONNECTIONS": maxConnections, "VILLAGE_PAGE_CACHE": pageCache,
            "VILLAGE_BACKUP_HOURS": backupHours, "VILLAGE_BACKUP_FOLDER": backupFolder,
            "VILLAGE_BACKUP_COUNT": backupCount, "VILLAGE_TIME_ZONE": timeZone, "VILLAGE_COUNTRY": country,
            "VILLAGE_LANGUAGES": languages,
            "VILLAGE_MAIL_FROM": mailFrom, "VILLAGE_BOUNCES": bounces,
            "VILLAGE_OFFER_HOURS": offerHours, "VILLAGE_MAP_TILES": mapTiles,
            "VILLAGE_MAP_ATTRIBUTION": mapAttribution,
            "VILLAGE_SECURITY_CONTACT": securityContact,
            "VILLAGE_OIDC_ISSUER": oidcIssuer, "VILLAGE_OIDC_CLIENT_ID": oidcClientID,
            "VILLAGE_OIDC_NAME": oidcName,
            "VILLAGE_CLOCK": clock, "VILLAGE_LOG_LEVEL": logLevel, "VILLAGE_LOG_FORMAT": logFormat,
        ]
        do {
            return try Settings(
                flags: flags.compactMapValues(\.self), environment: environment,
                file: SettingsFile(settings ?? environment[SettingsFile.setting]))
        } catch {
            throw Stop(error.lines)
        }
    }

    /// Runs an operator's command on the site's accounts, whether the site is running or not, and prints the result.
    func run(_ errand: (Settings) async throws -> Errand) async throws {
        let settings = try read()
        let outcome = try await plainly(settings.place) { () async throws -> Errand.Outcome? in
            guard Site.isThere(settings) else { throw Stop(noSite(settings)) }
            let errand = try await errand(settings)
            let site: Site
            do {
                site = try open(settings)
            } catch DatabaseError.locked {
                // The site couldn't read files that another user wrote.
                var facts = stat()
                guard stat(settings.data, &facts) == 0, facts.st_uid == geteuid() else {
                    throw Stop(["The site runs as another user. Say it as that one: sudo -u village village …"])
                }
                return try await Errands(settings).ask(errand)
            }
            defer { site.close() }
            return try await site.run(errand)
        }
        guard let outcome else {
            throw Stop(["The site in \(settings.place) runs and doesn't answer. Try again, or stop it first."])
        }
        guard outcome.isDone else { throw Stop([outcome.text]) }
        say(outcome.text)
    }

    /// The message if a command finds no site. Nothing is created in a folder that may be a mistake.
    private func noSite(_ settings: Settings) -> [String] {
        let unread = SettingsFile.unreadable
        let read = settings.file.map { "The settings were read from \($0)." }
        let hint =
            unread.isEmpty
            ? read ?? "No file of settings was found (VILLAGE_SETTINGS)."
            : "\(unread.joined(separator: ", ")) can't be read by this user: run it as the user of the site."
        return ["There is no site in \(settings.data) (VILLAGE_DATA). \(hint)"]
    }

    /// Opens the site, runs `work` with it and closes it; errors are printed as one line that says what to do.
    ///
    /// - Parameter isAlone: Whether nobody else waits to write.
    func withSite<T>(isAlone: Bool = false, _ work: (Site) async throws -> T) async throws -> T {
        let settings = try read()
        return try await plainly(settings.place) {
            let site = try open(settings, isAlone: isAlone)
            defer { site.close() }
            return try await work(site)
        }
    }

    private func open(_ settings: Settings, isAlone: Bool = false) throws -> Site {
        let isJSON = settings.logsJSON
        var log = Logger(label: "village") { label in
            isJSON ? JSONLog { sayAsIs($0) } as any LogHandler : TextLog(label: label)
        }
        log.logLevel = settings.logLevel
        return try Site(settings, log: log, isAlone: isAlone)
    }
}

/// Runs `work` on the data in `place`. An error ends the program with a plain line.
func plainly<T>(_ place: String, _ work: () async throws -> T) async throws -> T {
    do {
        return try await work()
    } catch let error as DatabaseError {
        throw Stop([error.advice(place)])
    } catch let error as Database.SourceError {
        throw Stop([error.error.advice(error.path)])
    } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
        throw Stop([DatabaseError.full.advice(place)])
    } catch let error as CocoaError where error.code == .fileWriteNoPermission || error.code == .fileWriteFileExists {
        throw Stop([DatabaseError.readOnly.advice(place)])
    } catch let error as CocoaError {
        throw Stop(["\(error.localizedDescription) (\(error.filePath ?? place))"])
    }
}

/// Ends the program with plain lines instead of an error's description.
struct Stop: Error, CustomStringConvertible {
    let description: String
    init(_ lines: [String]) { description = lines.joined(separator: "\n") }
}

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Runs the site.")
    @OptionGroup var flags: SettingFlags

    func run() async throws {
        // These signals end other programs, for example when a terminal is closed; a site keeps running.
        for number in [SIGHUP, SIGUSR1, SIGUSR2] { signal(number, SIG_IGN) }
        try await flags.withSite { site in
            try await site.prepare()
            let setup = try await site.setupLink()
            try await serve(site, setup: setup)
        }
    }

    private func serve(_ site: Site, setup: String?) async throws {
        let settings = site.settings
        do {
            try await site.serve { port in
                // Port 0 picks a free port, and the public URL follows it.
                let url = settings.port == 0 ? "http://localhost:\(port)" : settings.publicURL
                say("Village is open on \(url)")
                if let setup {
                    say("Make the first admin here, once: \(setup.replacing(settings.publicURL, with: url))")
                }
            }
        } catch {
            if "\(error)".contains("EADDRINUSE") || "\(error)".contains("errno: 98") {
                throw Stop(["Port \(settings.port) is in use. Stop what uses it, or choose another: VILLAGE_PORT=8081"])
            }
            if "\(error)".contains("errno: 13") {
                throw Stop(["Port \(settings.port) is not allowed for this user. Choose one from 1024 on: VILLAGE_PORT"]
                )
            }
            // The address or name doesn't exist.
            if ["errno: 99", "UnknownHost", "NIOBindError", "unknown(host"].contains(where: "\(error)".contains) {
                throw Stop(["\(settings.host) is no address of this machine: VILLAGE_HOST=127.0.0.1 or 0.0.0.0"])
            }
            throw error
        }
    }
}

struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Brings the database up to date, or moves a town from files to a server.",
        discussion: """
            On a server this is for the role that owns the tables: with its address in VILLAGE_DATABASE_URL. The site \
            itself runs with one that only reads and writes.
            """)
    @OptionGroup var flags: SettingFlags
    @Option(help: "A stopped site's data folder, or a backup: it is copied into the server's database.")
    var fromSqlite: String?
    @Option(help: "A new file to copy the server's database into, as a backup does.")
    var toSqlite: String?
    @Flag(help: "With --from-sqlite: makes the tables, copies and compares everything, and keeps no row of it.")
    var dryRun = false

    func validate() throws {
        guard fromSqlite == nil || toSqlite == nil else {
            throw ValidationError("Give --from-sqlite or --to-sqlite, not both.")
        }
        guard !dryRun || fromSqlite != nil else { throw ValidationError("--dry-run goes with --from-sqlite.") }
    }

    func run() async throws {
        let settings = try flags.read()
        guard settings.databaseURL != nil || fromSqlite == nil && toSqlite == nil else {
            throw Stop(["There is no server. Say which: VILLAGE_DATABASE_URL=postgresql://owner@host/village"])
        }
        if let toSqlite { return try await Backup.make(of: settings, file: toSqlite) }
        let start = ContinuousClock.now
        let moved = try await plainly(settings.place) { () async throws -> Site.Moved? in
            // A site on a server applies its migrations when it starts.
            guard try !Site.migrate(settings) else {
                return try fromSqlite.flatMap { try Site.move(from: $0, to: settings, dryRun: dryRun) }
            }
            try await flags.withSite { site in try await site.prepare() }
            return nil
        }
        guard let moved else { return say("The database is up to date.") }
        let seconds = Int(((ContinuousClock.now - start) / .seconds(1)).rounded(.up))
        say(
            """
            \(moved.rows) rows were copied and compared in \(seconds) s\(dryRun ? ", and nothing was kept" : "").
            """)
        if !moved.hasPictures { say("There were no pictures beside it.") }
        if !moved.hasKey {
            say(
                """
                There was no calendar.key beside it. Put that of the old data folder into the one of the node that \
                starts first: without it, private addresses of calendars go on working and can't be shown.
                """)
        }
        if let fromSqlite, !moved.staying.isEmpty {
            say("In \(fromSqlite) stays what belongs to that machine: \(moved.staying.joined(separator: ", ")).")
        }
    }
}

struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Checks settings, database and disk.")
    @OptionGroup var flags: SettingFlags

    func run() async throws {
        let settings = try flags.read()
        let (facts, problems) = await Site.check(settings)
        for line in facts { say(line) }
        guard problems.isEmpty else { throw Stop(problems) }
        say("All is well.")
    }
}

struct Seed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fills an empty site: a demo town, or data for load tests.")
    @OptionGroup var flags: SettingFlags
    @Flag(help: "A living demo town with printed log-ins.") var demo = false
    @Option(help: "Families to make.") var families = 0
    @Option(help: "Providers to make.") var providers = 0
    @Option(help: "Events to make.") var events = 0
    @Option(help: "Registrations to make.") var registrations = 0
    @Option(help: "Activities to make, at every twentieth event.") var activities = 0
    @Option(help: "How often a parent joins one of them.") var attendances = 0
    @Option(help: "Pets to make, all in one county.") var pets = 0
    @Option(help: "Matches to make of them.") var matches = 0
    @Option(help: "Messages to make, all in one match.") var messages = 0
    @Option(help: "Ways to help to make.") var opportunities = 0
    @Option(help: "Hours that were given to make.") var contributions = 0
    @Option(help: "Kind acts that families did.") var deeds = 0
    @Option(help: "What families need around the corner.") var needs = 0
    @Option(help: "The same number gives the same data.") var seed: UInt64 = 1
    @Option(help: "Every account's password.") var password = "a village of our own"
    @Option(help: "A file with one URL-encoded city a line; events are spread over them.") var cities: String?

    func validate() throws {
        guard demo || [families, providers, events, registrations].contains(where: { $0 > 0 }) else {
            throw ValidationError("Say what to make: --demo, or --families, --providers, --events, --registrations.")
        }
    }

    func run() async throws {
        let names = try cities.map(read) ?? []
        try await flags.withSite { site in
            if site.hasDemo {
                say("The demo town is there already.")
                return
            }
            guard try !site.hasAccounts() else {
                throw Stop(["This site has accounts already. Seed an empty data folder: VILLAGE_DATA"])
            }
            try await site.prepare()
            if demo {
                for line in try await site.seedDemo() { say(line) }
            } else {
                try await site.seedLoad(
                    .init(
                        families: families, providers: providers, events: events, registrations: registrations,
                        activities: activities, attendances: attendances, pets: pets, matches: matches,
                        messages: messages, opportunities: opportunities, contributions: contributions, deeds: deeds,
                        needs: needs, seed: seed, password: password, cities: names)
                )
                say(
                    """
                    Made \(families) families, \(providers) providers, \(events) events, \(registrations) \
                    registrations, \(activities) activities, \(attendances) attendances, \(pets) pets, \
                    \(matches) matches, \(messages) messages, \(opportunities) ways to help, \(contributions) hours \
                    given, \(deeds) kind acts, \(needs) needs.
                    """)
            }
        }
    }

    private func read(_ file: String) throws -> [String] {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw Stop(["\(file) can't be read: a file with a city a line (--cities)"])
        }
        return text.split(whereSeparator: \.isNewline).compactMap {
            $0.replacing("+", with: " ").removingPercentEncoding
        }
    }
}

struct Admin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Accounts that look after the site.", subcommands: [Create.self, ResetLink.self, TwoStepOff.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes one, also while the site runs; the password is read from the input.")
        @OptionGroup var flags: SettingFlags
        @Option(help: "E-mail address.") var email: String?
        @Option(help: "User name.") var username: String?
        @Option(help: "An account that is there: its e-mail address or user name.") var existing: String?

        func run() async throws {
            try await flags.run { settings in
                if let existing { return .giveAdmin(login: existing) }
                guard let email, let username else { throw Stop(["Give --email and --username, or --existing."]) }
                if isatty(0) == 1 { say("Password, at least 10 characters:") }
                do {
                    return try await Site.makingAdmin(
                        email: email, username: username, password: readLine() ?? "", settings)
                } catch let problems as Settings.Problems {
                    throw Stop(problems.lines)
                }
            }
        }
    }

    struct ResetLink: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "link", abstract: "Prints a one-time link that sets a new password.")
        @OptionGroup var flags: SettingFlags
        @Argument(help: "E-mail address or user name.") var login: String

        func run() async throws {
            try await flags.run { _ in .link(login: login) }
        }
    }

    struct TwoStepOff: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "two-step-off",
            abstract: "Lets an account log in with its password alone, whose phone and recovery codes are lost.")
        @OptionGroup var flags: SettingFlags
        @Argument(help: "E-mail address or user name.") var login: String

        func run() async throws {
            try await flags.run { _ in .twoStepOff(login: login) }
        }
    }
}

struct Mail: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Letters.", subcommands: [Test.self, Returned.self])

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends a test letter, also while the site runs, and says what the mail server answered.")
        @OptionGroup var flags: SettingFlags
        @Argument(help: "The e-mail address that it goes to.") var address: String

        func run() async throws {
            let (isSent, answer) = await Site.sendTestLetter(try flags.read(), to: address)
            guard isSent else { throw Stop(["No letter was sent. \(answer)"]) }
            say("The mail server took the letter: \(answer)")
        }
    }
}

extension Mail {
    struct Returned: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Takes a letter that came back to VILLAGE_MAIL_FROM from the input, also while the site runs.")
        @OptionGroup var flags: SettingFlags

        func run() async throws {
            let message = FileHandle.standardInput.availableMessage()
            guard Site.keepReturned(message, try flags.read()) else {
                throw Stop(["It can't be kept in the data folder. (VILLAGE_DATA)"])
            }
        }
    }
}

extension FileHandle {
    /// The beginning of standard input, up to the size of a mail server's report.
    fileprivate func availableMessage() -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let part = availableData
            if part.isEmpty { return bytes }
            // The rest is read and discarded, so that the pipe doesn't break.
            if bytes.count < 1_048_576 { bytes += part }
        }
    }
}

struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies the database to a file and the pictures beside it, while the site runs too.")
    @OptionGroup var flags: SettingFlags
    @Argument(help: "The file to write; it must not exist yet.") var file: String

    func run() async throws { try await Self.make(of: try flags.read(), file: file) }

    static func make(of settings: Settings, file: String) async throws {
        guard Site.isThere(settings) else {
            throw Stop(["There is no site in \(settings.data). (VILLAGE_DATA)"])
        }
        for name in [file, "\(file)-media"] where fileSize(at: name) != nil {
            throw Stop(["\(name) is there already. Choose another name."])
        }
        let folder = URL(filePath: file).deletingLastPathComponent().path
        do {
            try await Site.backup(settings, to: file)
        } catch DatabaseError.full {
            throw Stop(["The disk that holds \(folder) is full. No copy was made."])
        } catch DatabaseError.unopenable {
            throw Stop(["\(file) can't be written, or \(settings.place) can't be read. No copy was made."])
        } catch DatabaseError.disk(let what) {
            throw Stop(["\(folder) can't be written, or \(settings.place) can't be read: \(what). No copy was made."])
        } catch let error as DatabaseError {
            throw Stop([error.advice(settings.place)])
        }
        say("Copied to \(file) and checked.")
    }
}

struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Goes back to a backup, while the site is stopped. The data from before is kept.")
    @OptionGroup var flags: SettingFlags
    @Argument(help: "The backup to go back to; it stays as it is.") var file: String

    func run() async throws {
        let settings = try flags.read()
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) else {
            throw Stop(["There is no file \(file)."])
        }
        guard !isFolder.boolValue else { throw Stop(["\(file) is a folder and can't be read as a backup."]) }
        let done = try await plainly(settings.place) {
            do {
                return try await Site.restore(settings, from: file)
            } catch DatabaseError.corrupt(let problem) {
                throw Stop(["\(file) is damaged, nothing was changed: \(problem)"])
            } catch DatabaseError.foreign(let what) {
                throw Stop(["\(what): that is no backup of a village. Nothing was changed."])
            } catch DatabaseError.newerThanProgram(let name) {
                throw Stop(["\(file) is from a newer village (\(name)). Nothing was changed. Update the program."])
            } catch DatabaseError.olderThanProgram(let name) {
                throw Stop([
                    """
                    \(file) is from a village before its first release (\(name)), and can't be taken over. \
                    Nothing was changed.
                    """
                ])
            } catch DatabaseError.unopenable {
                throw Stop(["\(file) can't be read as a backup, or \(settings.data) can't be written."])
            }
        }
        say("The site is back at \(file)." + (done.old.map { " The data from before is in \($0)." } ?? ""))
        if !done.hasPictures { say("There is no \(file)-media: the pictures are those of before.") }
    }
}

struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes all that everybody may see into a folder, while the site runs too.",
        discussion: """
            Tables (CSV), the same for coming in again (JSON Lines), the events as a calendar, the pictures, and a \
            README that names each column and what stays. Registrations, children, messages and passwords stay. A \
            copy of everything is made by village backup.
            """)
    @OptionGroup var flags: SettingFlags
    @Argument(help: "The folder to write; it must be empty, or not be there yet.") var folder: String
    @Flag(help: "Members' e-mail addresses go along.") var withAddresses = false

    func run() async throws {
        let settings = try flags.read()
        guard Site.isThere(settings) else { throw Stop(["There is no site in \(settings.data). (VILLAGE_DATA)"]) }
        let exported = try await plainly(settings.place) {
            do {
                return try await Site.export(settings, to: plain(folder), withAddresses: withAddresses)
            } catch let problem as TownProblem {
                throw Stop([problem.text])
            }
        }
        say("\(exported.rows) rows and \(exported.pictures) pictures are in \(folder): README.md says what they mean.")
        if withAddresses { say("It holds the e-mail addresses of members: keep it to yourself.") }
    }
}

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Brings a town from such a folder into an empty site, which isn't running.",
        discussion: """
            All of it comes in, or nothing. Pages have the addresses and authors that they had. Members come in \
            without a password and can't log in: those with an address choose one at /forgot, to others you hand a \
            link over (village admin link NAME). On a server this is for the role that owns the tables.
            """)
    @OptionGroup var flags: SettingFlags
    @Argument(help: "A folder that village export wrote.") var folder: String
    @Flag(help: "Checks and stores everything, says what would come in, and keeps nothing of it.") var dryRun = false

    func run() async throws {
        // It reads its files while it writes.
        try await flags.withSite(isAlone: true) { site in
            do {
                try await site.prepare()
                let imported = try await site.importTown(from: plain(folder), dryRun: dryRun)
                say(
                    """
                    \(imported.rows) rows and \(imported.pictures) pictures \(dryRun ? "would come in" : "came in"), \
                    among them \(imported.members) members. None can log in before choosing a password.
                    """)
                if imported.membersWithoutAddress > 0 {
                    say("\(imported.membersWithoutAddress) of them have no address: village admin link NAME")
                }
            } catch let problem as TownProblem {
                throw Stop([problem.text])
            }
        }
    }
}

/// A folder's name without a trailing slash.
private func plain(_ folder: String) -> String {
    folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
}

struct Version: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Prints the version.")

    func run() { say("village \(Site.version)") }
}

/// Prints a line and flushes, even into a pipe.
func say(_ line: String) { sayAsIs(line + "\n") }

/// Prints a text and flushes.
func sayAsIs(_ text: String) {
    print(text, terminator: "")
    fflush(nil)
}
