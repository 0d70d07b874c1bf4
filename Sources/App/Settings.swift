import Configuration
import FoundationEssentials
package import Logging
import Templating
import Wire

/// Every setting of the program, its default, its meaning; read once at the start and nowhere else.
package struct Settings: Sendable {
    /// `VILLAGE_HOST`: the address to listen on.
    package var host = "127.0.0.1"
    /// `VILLAGE_PORT`: the port to listen on; 0 takes a free one.
    package var port = 8080
    /// `VILLAGE_DATA`: the folder that holds everything the site knows.
    package var data = "./data"
    /// `VILLAGE_PUBLIC_URL`: how visitors reach the site, without a slash at the end.
    package var publicURL = "http://localhost:8080"
    /// `VILLAGE_TRUSTED_PROXIES`: addresses or networks whose `X-Forwarded-For` and `-Proto` are believed.
    var trustedProxies: [AddressRange] = []
    /// `VILLAGE_LIMITS`: `off` turns the rate limits off, on loopback only.
    package var limitsRates = true
    /// `VILLAGE_MAX_CONNECTIONS`: connections open at once.
    var maxConnections = 8_192
    /// `VILLAGE_PAGE_CACHE`: MiB of pages kept for visitors who aren't signed in; 0 keeps none.
    var pageCache = 8
    /// `VILLAGE_BACKUP_HOURS`: how often the site copies its database; 0 for never.
    var backupHours = 24
    /// `VILLAGE_BACKUP_FOLDER`: where to; `backups` in the data folder without it.
    var backupFolder: String?
    /// `VILLAGE_BACKUP_COUNT`: how many copies are kept.
    var backupCount = 14
    /// `VILLAGE_TIME_ZONE`: the zone of the town.
    var zone = Zone.current
    /// `VILLAGE_COUNTRY`: preset in address forms, and decides the currency of prices.
    var country = "US"
    /// `VILLAGE_SMTP_URL`: where letters are handed over; kept for the letters to come.
    var smtpURL: String?
    /// `VILLAGE_MAIL_FROM`: the sender of letters.
    var mailFrom = "village@localhost"
    /// `VILLAGE_MAP_TILES`: a tile server, asked only after a visitor's "Show streets".
    var mapTiles: String?
    /// `VILLAGE_MAP_ATTRIBUTION`: whose work the tiles are, as stands below the map.
    var mapAttribution = "© OpenStreetMap contributors"
    /// `VILLAGE_SECURITY_CONTACT`: whom to tell of a hole in the site, as `/.well-known/security.txt` says it: a URL.
    var securityContact: String?
    /// `VILLAGE_LOG_LEVEL`: `trace` to `critical`.
    package var logLevel = Logger.Level.info
    /// Where `Public` lies: beside the working folder or the program.
    var publicFolder = "Public"

    /// Whether cookies are `Secure` and HSTS is sent.
    var isHTTPS: Bool { publicURL.hasPrefix("https://") }

    var isOnLoopback: Bool { ["127.0.0.1", "::1", "localhost"].contains(host) }

    /// Whether the public URL leads to this machine only.
    var isPublicOnLoopback: Bool {
        ["localhost", "127.0.0.1"].contains(publicAuthority.prefix { $0 != ":" }) || publicAuthority.hasPrefix("[::1]")
    }

    /// The host, and the port where it isn't the scheme's own, of the public URL.
    var publicAuthority: String {
        String(publicURL.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" })
    }

    /// The host of the public URL, without its port.
    var publicHost: String {
        let authority = publicAuthority
        return authority.hasPrefix("[")
            ? String(authority.prefix { $0 != "]" }) + "]" : String(authority.prefix { $0 != ":" })
    }

    /// Settings as they are without any variable set.
    package init() {}

    /// What is wrong with the settings, a line each.
    package struct Problems: Error, CustomStringConvertible {
        package let lines: [String]
        package var description: String { lines.joined(separator: "\n") }
    }

    /// Reads the settings: `flags` first, then the environment.
    ///
    /// - Parameters:
    ///   - flags: Values of command-line flags by variable, such as `VILLAGE_PORT`.
    ///   - environment: The process's environment.
    /// - Throws: ``Problems`` with every wrong value at once.
    package init(flags: [String: String] = [:], environment: [String: String]) throws(Problems) {
        let config = ConfigReader(providers: [
            EnvironmentVariablesProvider(environmentVariables: flags),
            EnvironmentVariablesProvider(environmentVariables: environment),
        ])
        var problems: [String] = []
        func text(_ key: String) -> String? {
            config.string(forKey: ConfigKey(["village"] + key.split(separator: ".").map(String.init)))
                .flatMap { $0.isEmpty ? nil : $0 }
        }
        func read<T>(_ key: String, _ variable: String, into value: inout T, _ hint: String, _ parse: (String) -> T?) {
            guard let typed = text(key) else { return }
            if let parsed = parse(typed) { value = parsed } else { problems.append("\(variable)=\(typed): \(hint)") }
        }

        read("host", "VILLAGE_HOST", into: &host, "an address such as 127.0.0.1 or 0.0.0.0") { $0 }
        read("port", "VILLAGE_PORT", into: &port, "a number from 0 to 65535") {
            Int($0).flatMap { (0...65_535).contains($0) ? $0 : nil }
        }
        read("data", "VILLAGE_DATA", into: &data, "a folder") { $0 }
        publicURL = "http://localhost:\(port)"
        read("public.url", "VILLAGE_PUBLIC_URL", into: &publicURL, "a URL such as https://village.example") {
            let url = $0.hasSuffix("/") ? String($0.dropLast()) : $0
            let host = url.drop { $0 != "/" }.dropFirst(2)
            let isPlain = !host.isEmpty && !host.contains { "/?# @\"<>\\".contains($0) }
            return (url.hasPrefix("http://") || url.hasPrefix("https://")) && isPlain ? url : nil
        }
        read(
            "trusted.proxies", "VILLAGE_TRUSTED_PROXIES", into: &trustedProxies,
            "addresses or networks such as 127.0.0.1, 10.0.0.0/8"
        ) { typed in
            let ranges = typed.split { $0 == "," || $0 == " " }.map { AddressRange(String($0)) }
            return ranges.contains { $0 == nil } ? nil : ranges.compactMap(\.self)
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
        read("backup.folder", "VILLAGE_BACKUP_FOLDER", into: &backupFolder, "a folder") { .some($0) }
        read("backup.count", "VILLAGE_BACKUP_COUNT", into: &backupCount, "a number from 1 to 1000") {
            Int($0).flatMap { (1...1_000).contains($0) ? $0 : nil }
        }
        read("time.zone", "VILLAGE_TIME_ZONE", into: &zone, "a name such as America/Los_Angeles") {
            Zone(identifier: $0)
        }
        read("country", "VILLAGE_COUNTRY", into: &country, "two letters such as US or DE") {
            Country.isKnown($0.uppercased()) ? $0.uppercased() : nil
        }
        read("smtp.url", "VILLAGE_SMTP_URL", into: &smtpURL, "a URL such as smtps://name:password@mail.example") {
            $0.hasPrefix("smtp://") || $0.hasPrefix("smtps://") ? .some($0) : .none
        }
        read("mail.from", "VILLAGE_MAIL_FROM", into: &mailFrom, "an e-mail address") { $0.contains("@") ? $0 : nil }
        read("map.tiles", "VILLAGE_MAP_TILES", into: &mapTiles, "a URL with {z}, {x} and {y}") {
            let isPlain = Streets.origin(of: $0).dropFirst(8).allSatisfy {
                $0.isLetter || $0.isNumber || "-.:".contains($0)
            }
            return $0.hasPrefix("https://") && isPlain && ["{z}", "{x}", "{y}"].allSatisfy($0.contains)
                ? .some($0) : .none
        }
        read("map.attribution", "VILLAGE_MAP_ATTRIBUTION", into: &mapAttribution, "a line of text") { $0 }
        read(
            "security.contact", "VILLAGE_SECURITY_CONTACT", into: &securityContact,
            "an e-mail address or a URL such as https://village.example/security"
        ) { typed in
            // RFC 9116 wants a URL; most people have an address.
            let isAddress = typed.contains("@") && !typed.contains(":")
            return Link(outside: isAddress ? "mailto:\(typed)" : typed).map { .some($0.string) } ?? .none
        }
        read(
            "log.level", "VILLAGE_LOG_LEVEL", into: &logLevel, "trace, debug, info, notice, warning, error or critical"
        ) {
            Logger.Level(rawValue: $0)
        }
        if let path = environment["VILLAGE_SMTP_URL_FILE"], smtpURL == nil {
            smtpURL = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n").first.map(
                String.init)
            if smtpURL == nil { problems.append("VILLAGE_SMTP_URL_FILE=\(path): a file that can be read") }
        }
        if !limitsRates && !isOnLoopback {
            problems.append("VILLAGE_LIMITS=off: only while VILLAGE_HOST is a loopback address")
        }
        if let folder = Self.findPublicFolder() {
            publicFolder = folder
        } else {
            problems.append("The folder Public is missing: start the program where it lies, or beside it.")
        }
        guard problems.isEmpty else { throw Problems(lines: problems) }
    }

    /// `Public` in the working folder, or up to four folders above the program (which `swift build` puts in `.build`).
    private static func findPublicFolder() -> String? {
        let files = FileManager.default
        var folders = [files.currentDirectoryPath]
        var program = (try? files.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        for _ in 0..<5 {
            program = String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)])
            folders.append(program)
        }
        return folders.map { $0 + "/Public" }.first { files.fileExists(atPath: $0 + "/css/tokens.css") }
    }
}
