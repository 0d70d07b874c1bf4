import Configuration
import Database
import Fetching
import FoundationEssentials
package import Logging
import OpenID
import SMTP
import Templating
import WebPush
import Wire

/// Every setting of the program, with its default and meaning; read only once, at the start.
package struct Settings: Sendable {
    /// `VILLAGE_HOST`: the address to listen on.
    package var host = "127.0.0.1"
    /// `VILLAGE_PORT`: the port to listen on; 0 picks a free one.
    package var port = 8080
    /// `VILLAGE_DATA`: the folder with the site's data.
    package var data = "./data"
    /// `VILLAGE_DATABASE_URL`, or the first line of `VILLAGE_DATABASE_URL_FILE`: a PostgreSQL database that replaces
    /// the two files in `data`.
    package var databaseURL: String?
    /// `VILLAGE_NODE`: this node's name among others on the same database; by default the machine and port.
    var node: String?
    /// `VILLAGE_DRAIN`: how many seconds before it ends the site reports so on `/readyz`.
    package var drainSeconds = 0
    /// `VILLAGE_PUBLIC_URL`: the address at which visitors reach the site, without a trailing slash.
    package var publicURL = "http://localhost:8080"
    /// `VILLAGE_TRUSTED_PROXIES`: addresses or networks whose `X-Forwarded-For` and `-Proto` are trusted.
    var trustedProxies: [AddressRange] = []
    /// `VILLAGE_LIMITS`: `off` turns the rate limits off, but only for a site on this machine alone.
    package var limitsRates = true
    /// `VILLAGE_MAX_CONNECTIONS`: the most connections open at once.
    var maxConnections = 8_192
    /// `VILLAGE_PAGE_CACHE`: MiB of cached pages for visitors who aren't logged in; 0 turns the cache off.
    var pageCache = 8
    /// `VILLAGE_BACKUP_HOURS`: how often the site copies its database; 0 for never.
    var backupHours = 24
    /// `VILLAGE_BACKUP_FOLDER`: where to; by default `backups` in the data folder.
    var backupFolder: String?
    /// `VILLAGE_BACKUP_COUNT`: how many copies to keep.
    var backupCount = 14
    /// `VILLAGE_TIME_ZONE`: the town's time zone.
    var zone = Zone.current
    /// Whether the zone is a setting, and not the system's.
    private(set) var isZoneChosen = false
    /// `VILLAGE_COUNTRY`: the default in address forms; it also determines the currency of prices.
    var country = "US"
    /// The languages other than English: the bundled ones, and those in the folder of gettext PO files that
    /// `VILLAGE_LANGUAGES` names.
    var catalogues = Catalogues.none
    /// `VILLAGE_SMTP_URL`, or the first line of `VILLAGE_SMTP_URL_FILE`: the server that takes letters; without it they
    /// wait.
    var smtp: MailServer?
    /// `VILLAGE_MAIL_FROM`: the sender of letters.
    var mailFrom = Mailbox("village@localhost")!
    /// The push services that may be contacted; tests use one on this machine.
    var pushReach = PushRecipient.Reach.publicHosts
    /// The machines that calendars may be fetched from; tests use only this one.
    var calendarReach = Fetcher.Reach.web
    /// `VILLAGE_BOUNCES`: the sender's mailbox, a file or folder (Maildir), to which undeliverable letters return.
    var returnedMail: String?
    /// `VILLAGE_OFFER_HOURS`: how long a family has to accept a place that became free, if there is enough time.
    var offerHours = 24
    /// `VILLAGE_MAP_TILES`: a tile server, contacted only after a visitor chooses "Show streets".
    var mapTiles: String?
    /// `VILLAGE_MAP_ATTRIBUTION`: the attribution shown below the map.
    var mapAttribution = "© OpenStreetMap contributors"
    /// `VILLAGE_SECURITY_CONTACT`: the contact for vulnerabilities in `/.well-known/security.txt`: a URL.
    var securityContact: String?
    /// `VILLAGE_CLOCK`: a fixed time for the site's clock, for tests and demos on this machine.
    var clock: Instant?
    /// `VILLAGE_OIDC_ISSUER`: the external issuer at which staff and organizations log in.
    var openIDIssuer: String?
    /// `VILLAGE_OIDC_CLIENT_ID`: the site's client ID there.
    var openIDClient: String?
    /// `VILLAGE_OIDC_CLIENT_SECRET`, or the first line of `VILLAGE_OIDC_CLIENT_SECRET_FILE`: the client secret; without
    /// it, PKCE alone protects the exchange.
    var openIDSecret: String?
    /// `VILLAGE_OIDC_NAME`: its name on the button; by default the host of its address.
    var openIDName: String?
    /// `VILLAGE_LOG_LEVEL`: `trace` to `critical`.
    package var logLevel = Logger.Level.info
    /// `VILLAGE_LOG_FORMAT`: `json` for one object per line.
    package var logsJSON = false
    /// `VILLAGE_METRICS_TOKEN`, or the first line of `VILLAGE_METRICS_TOKEN_FILE`: the token with which a program on
    /// another machine can read `/metrics`; without it, only this machine can.
    var metricsToken: String?
    /// The folder `Public`: next to the working folder or the program.
    var publicFolder = "Public"
    /// `VILLAGE_SETTINGS`: the file that the settings were read from; nil if there is none.
    package var file: String?

    /// Whether cookies are `Secure` and HSTS is sent.
    var isHTTPS: Bool { publicURL.hasPrefix("https://") }

    var isOnLoopback: Bool { ["127.0.0.1", "::1", "localhost"].contains(host) }

    /// Whether the public URL leads only to this machine.
    var isPublicOnLoopback: Bool {
        ["localhost", "127.0.0.1"].contains(publicAuthority.prefix { $0 != ":" }) || publicAuthority.hasPrefix("[::1]")
    }

    /// The address given to push services for reporting problems.
    var pushContact: String { smtp == nil && isHTTPS ? publicURL : "mailto:\(mailFrom.address)" }

    /// A message about a fixed clock; nil if the clock runs.
    var clockWords: String? { clock.map { "clock: fixed at \(zone.timestamp($0))" } }

    /// The name of the external issuer at which staff and organizations log in; nil if there is none.
    var issuerName: String? {
        openIDIssuer.map { address in
            openIDName ?? String(address.drop { $0 != "/" }.dropFirst(2).prefix { !"/:".contains($0) })
        }
    }

    /// This node's name.
    var nodeName: String { node ?? "\(ProcessInfo.processInfo.hostName):\(port)" }

    private static func isOfName(_ byte: UInt8) -> Bool {
        byte < 128 && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber)
            || "-._:".utf8.contains(byte)
    }

    /// The public URL's host, and its port if it isn't the scheme's default.
    var publicAuthority: String {
        String(publicURL.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" })
    }

    /// The public URL's host, without its port.
    var publicHost: String {
        let authority = publicAuthority
        return authority.hasPrefix("[")
            ? String(authority.prefix { $0 != "]" }) + "]" : String(authority.prefix { $0 != ":" })
    }

    /// The defaults.
    package init() {}

    /// The problems with the settings, a line each.
    package struct Problems: Error, CustomStringConvertible {
        package let lines: [String]
        package var description: String { lines.joined(separator: "\n") }
    }

    /// Reads the settings. `flags` take precedence over the environment, and the environment over the file.
    ///
    /// - Parameters:
    ///   - flags: Values of command-line flags by variable, such as `VILLAGE_PORT`.
    ///   - variables: The process's environment.
    /// - file: The settings file, if there is one.
    /// - Throws: ``Problems`` with every wrong value at once.
    package init(
        flags: [String: String] = [:], environment variables: [String: String], file: SettingsFile? = nil
    ) throws(Problems) {
        let environment = (file?.values ?? [:]).merging(variables) { $1 }
        self.file = file?.path
        let config = ConfigReader(providers: [
            EnvironmentVariablesProvider(environmentVariables: flags),
            EnvironmentVariablesProvider(environmentVariables: environment),
        ])
        var problems = file?.problems ?? []
        var names = [SettingsFile.setting]
        func text(_ key: String) -> String? {
            config.string(forKey: ConfigKey(["village"] + key.split(separator: ".").map(String.init)))
                .flatMap { $0.nonEmpty }
        }
        func read<T>(
            _ key: String, _ variable: String, isSecret: Bool = false, into value: inout T, _ hint: String,
            _ parse: (String) -> T?
        ) {
            names.append(variable)
            guard let typed = text(key) else { return }
            // A URL may contain a password, which must not be logged.
            if let parsed = parse(typed) {
                value = parsed
            } else {
                let isHidden = isSecret || typed.contains("@")
                problems.append(isHidden ? "\(variable): \(hint)" : "\(variable)=\(typed): \(hint)")
            }
        }
        /// Reads a setting that may be secret: it can also be the first line of a file that another variable names.
        func readSecret<T>(
            _ key: String, _ variable: String, into value: inout T?, _ hint: String, _ parse: (String) -> T??
        ) {
            read(key, variable, isSecret: true, into: &value, hint, parse)
            let other = "\(variable)_FILE"
            names.append(other)
            guard text(key) == nil, let path = environment[other], !path.isEmpty else { return }
            guard let line = Self.firstLine(of: path) else {
                problems.append("\(other)=\(path): a file that can be read")
                return
            }
            value = parse(line) ?? nil
            if value == nil { problems.append("\(other)=\(path): its first line is \(hint)") }
        }

        read("host", "VILLAGE_HOST", into: &host, "an address such as 127.0.0.1 or 0.0.0.0") { $0 }
        read("port", "VILLAGE_PORT", into: &port, "a number from 0 to 65535") {
            Int($0).flatMap { (0...65_535).contains($0) ? $0 : nil }
        }
        read("data", "VILLAGE_DATA", into: &data, "a folder") { $0 }
        readSecret(
            "database.url", "VILLAGE_DATABASE_URL", into: &databaseURL,
            "a URL such as postgresql://village@db.example/village; in a password, @ : / ? % are %40 %3A %2F %3F %25"
        ) { typed in
            let isURL = ["postgresql://", "postgres://"].contains(where: typed.hasPrefix)
            return isURL && Database.Server.plainAddress(typed) != nil ? .some(typed) : .none
        }
        read("node", "VILLAGE_NODE", into: &node, "a name of up to 64 letters, digits and -._:") { typed in
            let isName = typed.utf8.count <= 64 && typed.utf8.allSatisfy { Self.isOfName($0) }
            return isName ? .some(typed) : .none
        }
        drainSeconds = databaseURL == nil ? 0 : 5
        read("drain", "VILLAGE_DRAIN", into: &drainSeconds, "a number of seconds from 0 to 60") {
            Int($0).flatMap { (0...60).contains($0) ? $0 : nil }
        }
        publicURL = "http://localhost:\(port)"
        read(
            "public.url", "VILLAGE_PUBLIC_URL", into: &publicURL,
            "a URL such as https://village.example, with a port from 1 to 65535 where it needs one, and nothing else",
            Self.origin)
        read(
            "trusted.proxies", "VILLAGE_TRUSTED_PROXIES", into: &trustedProxies,
            "addresses or networks such as 127.0.0.1, 10.0.0.0/8; never the whole Internet"
        ) { typed in
            let ranges = typed.split { $0 == "," || $0 == " " }.map { AddressRange(String($0)) }
            // A trusted proxy can impersonate anyone, so the range may not exceed the largest private networks,
            // 10.0.0.0/8 and fc00::/7.
            let isTrust = ranges.allSatisfy { $0.map { !$0.isWide } ?? false }
            return isTrust ? ranges.compactMap(\.self) : nil
        }
        read("limits", "VILLAGE_LIMITS", into: &limitsRates, "on or off") { ["on": true, "off": false][$0] }
        read("max.connections", "VILLAGE_MAX_CONNECTIONS", into: &maxConnections, "a number from 16 to 100000") {
            Int($0).flatMap { (16...100_000).contains($0) ? $0 : nil }
        }
        read("page.cache", "VILLAGE_PAGE_CACHE", into: &pageCache, "a number of MiB from 0 to 1024") {
            Int($0).flatMap { (0...1_024).contains($0) ? $0 : nil }
        }
        read("backup.hours", "VILLAGE_BACKUP_HOURS", into: &backupHours, "a number of hours from 0 to 8760") {
            Int($0).flatMap { (0...8_760).contains($0) ? $0 : nil }
        }
        read("backup.folder", "VILLAGE_BACKUP_FOLDER", into: &backupFolder, "a folder that can be written") {
            Self.canBeFolder($0) ? .some($0) : .none
        }
        read("backup.count", "VILLAGE_BACKUP_COUNT", into: &backupCount, "a number from 1 to 1000") {
            Int($0).flatMap { (1...1_000).contains($0) ? $0 : nil }
        }
        read("time.zone", "VILLAGE_TIME_ZONE", into: &zone, "a name such as America/Los_Angeles") {
            Zone(identifier: $0)
        }
        isZoneChosen = text("time.zone") != nil
        read("country", "VILLAGE_COUNTRY", into: &country, "two letters such as US or DE") {
            Country.isKnown($0.uppercased()) ? $0.uppercased() : nil
        }
        readSecret("smtp.url", "VILLAGE_SMTP_URL", into: &smtp, "a URL such as smtps://name:password@mail.example") {
            MailServer(url: $0).map { .some($0) } ?? .none
        }
        read(
            "mail.from", "VILLAGE_MAIL_FROM", into: &mailFrom,
            "an e-mail address, or one with a name: Village <village@example.org>", Mailbox.init(text:))
        read("bounces", "VILLAGE_BOUNCES", into: &returnedMail, "the path of a mailbox file or folder") {
            $0.hasPrefix("/") ? .some($0) : .none
        }
        read("offer.hours", "VILLAGE_OFFER_HOURS", into: &offerHours, "a number of hours from 1 to 168") {
            Int($0).flatMap { (1...168).contains($0) ? $0 : nil }
        }
        read("map.tiles", "VILLAGE_MAP_TILES", into: &mapTiles, "a URL such as https://tiles.example/{z}/{x}/{y}.png") {
            let origin = Streets.origin(of: $0)
            let isPlain = $0.hasPrefix("\(origin)/") && Self.origin(of: origin) != nil
            return isPlain && ["{z}", "{x}", "{y}"].allSatisfy($0.contains) ? .some($0) : .none
        }
        read("map.attribution", "VILLAGE_MAP_ATTRIBUTION", into: &mapAttribution, "a line of text") { $0 }
        read(
            "security.contact", "VILLAGE_SECURITY_CONTACT", into: &securityContact,
            "an e-mail address or a URL such as https://village.example/security"
        ) { typed in
            // RFC 9116 requires a URL, but most people have an e-mail address.
            let isAddress = typed.contains("@") && !typed.contains(":")
            return (isAddress ? Link(writingTo: typed) : Link(outside: typed)).map { .some($0.string) } ?? .none
        }
        read(
            "oidc.issuer", "VILLAGE_OIDC_ISSUER", into: &openIDIssuer,
            "the address of the issuer as it calls itself, such as https://login.example/realms/town"
        ) { Issuer.accepts($0) ? .some($0) : .none }
        read("oidc.client.id", "VILLAGE_OIDC_CLIENT_ID", into: &openIDClient, "what the issuer calls this site") { $0 }
        readSecret(
            "oidc.client.secret", "VILLAGE_OIDC_CLIENT_SECRET", into: &openIDSecret, "what the issuer gave this site"
        ) { .some($0) }
        read("oidc.name", "VILLAGE_OIDC_NAME", into: &openIDName, "up to 40 characters") {
            $0.count <= 40 ? .some($0) : .none
        }
        if (openIDIssuer == nil) != (openIDClient == nil) {
            let missing = openIDIssuer == nil ? "VILLAGE_OIDC_ISSUER" : "VILLAGE_OIDC_CLIENT_ID"
            problems.append("\(missing): an issuer and what it calls this site go together")
        }
        read("clock", "VILLAGE_CLOCK", into: &clock, "a moment such as 2027-03-20T10:00-07:00") {
            Instant(timestamp: $0).map { .some($0) } ?? .none
        }
        read(
            "log.level", "VILLAGE_LOG_LEVEL", into: &logLevel, "trace, debug, info, notice, warning, error or critical"
        ) {
            Logger.Level(rawValue: $0)
        }
        read("log.format", "VILLAGE_LOG_FORMAT", into: &logsJSON, "text or json") { ["text": false, "json": true][$0] }
        readSecret(
            "metrics.token", "VILLAGE_METRICS_TOKEN", into: &metricsToken, "at least 20 letters, digits and -._~",
            Self.token)
        names.append("VILLAGE_LANGUAGES")
        catalogues = .shipped
        if let folder = text("languages") {
            do throws(Catalogues.Unusable) {
                catalogues = try catalogues.adding(folder: folder)
            } catch {
                problems.append("VILLAGE_LANGUAGES: \(error)")
            }
        }
        if smtp != nil, text("mail.from") == nil {
            problems.append("VILLAGE_MAIL_FROM: the sender of letters, such as Village <village@example.org>")
        }
        // Behind a proxy, VILLAGE_HOST doesn't tell where visitors come from.
        let isAlone = isOnLoopback && isPublicOnLoopback
        if !limitsRates && !isAlone {
            problems.append(
                "VILLAGE_LIMITS=off: only while VILLAGE_HOST and VILLAGE_PUBLIC_URL are this machine's own. A "
                    + "site that others use needs its brakes.")
        }
        if clock != nil && !isAlone {
            problems.append(
                "VILLAGE_CLOCK: only while VILLAGE_HOST and VILLAGE_PUBLIC_URL are this machine's own. A site that "
                    + "others use needs a clock that runs.")
        }
        if let folder = Self.findPublicFolder() {
            publicFolder = folder
        } else {
            problems.append("The folder Public is missing: start the program where it lies, or beside it.")
        }
        problems += SettingNames(names).misspelt(in: environment.keys)
        guard problems.isEmpty else { throw Problems(lines: problems) }
    }

    private static func token(_ text: String) -> String?? {
        let isGood =
            text.utf8.count >= 20
            && text.allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || "-._~".contains($0))
            }
        return isGood ? .some(text) : .none
    }

    /// The first line of a file; nil if it can't be read, and then the setting counts as missing.
    private static func firstLine(of path: String) -> String? {
        (try? String(contentsOfFile: path, encoding: .utf8))?.split(whereSeparator: \.isNewline).first.map(String.init)
    }

    /// The origin of a URL that has nothing but scheme, host and port, as browsers write it: in lowercase, without a
    /// default port. Nil for anything else.
    private static func origin(of typed: String) -> String? {
        let url = (typed.hasSuffix("/") ? String(typed.dropLast()) : typed).lowercased()
        guard let scheme = ["http://", "https://"].first(where: url.hasPrefix) else { return nil }
        var host = url.dropFirst(scheme.count)
        var port: Substring?
        if let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
            port = host[colon...].dropFirst()
            host = host[..<colon]
        }
        if let port {
            guard port.utf8.count <= 5, port.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(port), (1...65_535).contains(number)
            else { return nil }
            if number != (scheme == "http://" ? 80 : 443) { return isHost(host) ? "\(scheme)\(host):\(number)" : nil }
        }
        return isHost(host) ? "\(scheme)\(host)" : nil
    }

    /// Whether it is a name of ASCII letters, digits and hyphens between dots, an IPv4 address, or an IPv6 address in
    /// brackets.
    private static func isHost(_ text: Substring) -> Bool {
        if text.hasPrefix("["), text.hasSuffix("]") {
            return text.contains(":") && !text.contains("/") && AddressRange(String(text.dropFirst().dropLast())) != nil
        }
        return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            !label.isEmpty && label.utf8.count <= 63 && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy {
                    (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
                }
        }
    }

    /// Whether a folder exists and is writable, or can be created.
    static func canBeFolder(_ path: String) -> Bool {
        let files = FileManager.default
        var place = path
        var isFolder = false
        while !files.fileExists(atPath: place, isDirectory: &isFolder) {
            // Nothing exists there, except possibly a dangling link.
            guard (try? files.destinationOfSymbolicLink(atPath: place)) == nil else { return false }
            while place.count > 1, place.hasSuffix("/") { place.removeLast() }
            let above = place.lastIndex(of: "/").map { String(place[..<$0]) } ?? "."
            place = above.isEmpty ? "/" : above
        }
        return isFolder && files.isWritableFile(atPath: place)
    }

    /// `Public` in the working folder, or up to four folders above the program (which `swift build` puts in `.build`).
    private static func findPublicFolder() -> String? {
        foldersOfProgram.map { $0 + "/Public" }.first {
            FileManager.default.fileExists(atPath: $0 + "/css/tokens.css")
        }
    }

    /// The working folder, and up to four folders above the program.
    static var foldersOfProgram: [String] {
        let files = FileManager.default
        var folders = [files.currentDirectoryPath]
        var program = (try? files.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        for _ in 0..<5 {
            program = String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)])
            folders.append(program)
        }
        return folders
    }
}
