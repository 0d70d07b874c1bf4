import FoundationEssentials

/// The settings file, with `NAME=value` on each line. Every command reads it, so that all work on the same site.
package struct SettingsFile: Sendable {
    package let path: String
    let values: [String: String]
    /// The problems with the file, a line each.
    let problems: [String]

    /// The setting that names the file.
    package static let setting = "VILLAGE_SETTINGS"

    /// The default locations: in `deploy` of the working folder or up to four folders above the program, or where a
    /// service has it.
    private static var usual: [String] {
        Settings.foldersOfProgram.map { $0 + "/deploy/settings.env" } + ["/etc/village/settings.env"]
    }

    /// The files in default locations that exist but that this user can't read.
    package static var unreadable: [String] {
        usual.filter {
            FileManager.default.fileExists(atPath: $0) && !FileManager.default.isReadableFile(atPath: $0)
        }
    }

    /// Reads the file.
    ///
    /// - Parameter name: Its path; by default the first file in a default location.
    /// - Returns: Nil if there is none. A named file that can't be read is reported in its problems.
    package init?(_ name: String?) {
        let name = name.flatMap { $0.nonEmpty }
        guard let path = name ?? Self.usual.first(where: FileManager.default.isReadableFile) else { return nil }
        self.path = path
        guard let text = path == "/dev/null" ? "" : try? String(contentsOfFile: path, encoding: .utf8) else {
            (values, problems) = ([:], ["\(Self.setting)=\(path): a file that can be read"])
            return
        }
        (values, problems) = Self.read(text, path)
    }

    /// The settings in `text`. Blank lines and comments are ignored; a value may be in quotes.
    static func read(_ text: String, _ path: String) -> (values: [String: String], problems: [String]) {
        var (values, problems) = ([String: String](), [String]())
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = line.trimmed
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].hasPrefix("VILLAGE_"),
                parts[0].allSatisfy({ $0.isASCII && !$0.isWhitespace })
            else {
                // Without the value, which may be a password.
                problems.append("\(path), line \(number + 1): a line is NAME=value")
                continue
            }
            var value = parts[1].trimmed
            for quote in ["\"", "'"] where value.count > 1 && value.hasPrefix(quote) && value.hasSuffix(quote) {
                value = String(value.dropFirst().dropLast())
            }
            values[String(parts[0])] = paths.contains(String(parts[0])) ? absolute(value, path) : value
        }
        return (values, problems)
    }

    private static let paths = [
        "VILLAGE_DATA", "VILLAGE_BACKUP_FOLDER", "VILLAGE_LANGUAGES", "VILLAGE_SMTP_URL_FILE",
        "VILLAGE_METRICS_TOKEN_FILE", "VILLAGE_DATABASE_URL_FILE", "VILLAGE_BOUNCES", "VILLAGE_OIDC_CLIENT_SECRET_FILE",
    ]

    /// Resolves a relative folder against the file's folder, or against the repository if the file is in its `deploy`,
    /// independently of the working folder.
    private static func absolute(_ value: String, _ path: String) -> String {
        guard !value.isEmpty, !value.hasPrefix("/") else { return value }
        var folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        if folder.last == "deploy" { folder.removeLast() }
        let place = folder.joined(separator: "/")
        return place.isEmpty ? (path.hasPrefix("/") ? "/" + value : value) : "\(place)/\(value)"
    }
}

extension StringProtocol {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
