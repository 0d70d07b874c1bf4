import Foundation
import Testing

/// The rules of the house that can be read off the sources.
@Suite struct SourcesTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized

    /// The Swift files below a folder of the repository, as path and text.
    static func files(in folder: String, ending: String = ".swift") throws -> [(path: String, text: String)] {
        let start = root.appending(path: folder)
        return try FileManager.default.subpathsOfDirectory(atPath: start.path)
            .filter { $0.hasSuffix(ending) && !$0.hasPrefix("Templates/") }
            .map { ("\(folder)/\($0)", try String(contentsOf: start.appending(path: $0), encoding: .utf8)) }
    }

    static func imports(of text: String) -> Set<String> {
        Set(
            text.split(separator: "\n").compactMap { line in
                let words = line.split(separator: " ")
                guard let place = words.firstIndex(of: "import"), place <= 1, place + 1 < words.count else {
                    return nil
                }
                return String(words.last!)
            })
    }

    /// What each kind of file in a feature's folder may import; the table in Sources/README.md.
    static func allowed(in name: String) -> Set<String> {
        let values: Set<String> = ["FoundationEssentials", "Domains", "Forms", "Templating"]
        switch true {
        // What is kept of an event is the form that would post it; its zone is filled into that form.
        case name.contains("/Undoing/") && name.hasSuffix("+Queries.swift"),
            name.hasSuffix("EventPlace+Queries.swift"):
            return ["Forms", "Database"]
        // What somebody takes along is JSON, made of what stands in the columns.
        case name.hasSuffix("RetentionRule+Queries.swift"): return ["Templating", "Database"]
        case name.hasSuffix("+Queries.swift"): return ["FoundationEssentials", "Database"]
        case name.hasSuffix("Controller.swift"):
            return values.union(["Hummingbird", "HummingbirdCore", "HTTPTypes"])
        // The only one that makes messages of letters.
        case name.hasSuffix("Mail/Site+Letters.swift"): return values.union(["SMTP"])
        // The only one that makes pushes.
        case name.hasSuffix("Push/Site+Push.swift"): return values.union(["Database", "WebPush"])
        // The only one that asks other hosts for calendars.
        case name.hasSuffix("Imports/Site+Calendars.swift"): return values.union(["Database", "Dispatch", "Fetching"])
        // The only one that asks the issuer.
        case name.hasSuffix("Accounts/Site+OpenID.swift"):
            return values.union(["Database", "Fetching", "OpenID"])
        case name.contains("/Site+"): return values.union(["Database"])
        // Shared by all connections.
        case name.hasSuffix("Stream/Listeners.swift"): return ["Synchronization"]
        // The only two that know what the pictures are kept in and made by.
        case name.hasSuffix("Images/Media.swift"): return values.union(["Database", "Crypto"])
        case name.hasSuffix("Images/Workshop.swift"):
            return values.union(["Logging", "Subprocess", "Synchronization", "System", "SystemPackage"])
        default: return values
        }
    }

    /// The doors of the site behind which the engines are known; the features are behind all others.
    static let inner: Set<String> = ["Web", "Shared", "Schema", "Places", "Machines", "Templates"]

    @Test func `who opens the site sees at most twelve doors`() throws {
        #expect(try Self.doors().count <= 12)
    }

    private static func doors() throws -> [String] {
        let app = root.appending(path: "Sources/App")
        return try FileManager.default.contentsOfDirectory(atPath: app.path).filter { !$0.hasSuffix(".swift") }
    }

    @Test func `each kind of file imports only what its kind may`() throws {
        let features = try Self.doors().filter { !Self.inner.contains($0) }.map { "Sources/App/" + $0 }
        let programs = ["API", "Feeds"].map { "Sources/App/Machines/" + $0 }
        for (path, text) in try (features + programs).flatMap({ try Self.files(in: $0) }) {
            let extra = Self.imports(of: text).subtracting(Self.allowed(in: path))
            #expect(extra.isEmpty, "\(path) imports \(extra.sorted())")
        }
    }

    @Test func `the engines import no other engine and nothing of the site`() throws {
        let outside: [String: Set<String>] = [
            "Domains": ["Foundation"], "Templating": ["Domains", "Synchronization"], "Forms": ["Domains"],
            "Passwords": ["CArgon2", "Synchronization", "Glibc"],
            "SMTP": ["CCurl", "Dispatch", "Glibc", "Synchronization"],
            "WebPush": ["CCurl", "Crypto", "Dispatch", "Domains", "FoundationEssentials", "Synchronization"],
            "Fetching": ["CCurl", "Dispatch", "Domains", "Synchronization"],
            "OpenID": ["Crypto", "CryptoExtras", "FoundationEssentials", "Synchronization"],
            "TemplateCompiler": ["Foundation", "FoundationEssentials", "Glibc", "Darwin"],
            "Database": [
                "GRDB", "GRDBSQLite", "CPostgreSQL", "Synchronization", "Glibc", "FoundationEssentials", "Foundation",
                "Dispatch",
                "Darwin",
            ],
            "Wire": [
                "HummingbirdCore", "HTTPTypes", "Logging", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOHTTPTypes",
                "NIOHTTPTypesHTTP1", "NIOExtras", "ServiceLifecycle", "Synchronization", "Glibc", "Darwin", "Musl",
                "NIOConcurrencyHelpers",
            ],
        ]
        for (engine, allowed) in outside {
            for (path, text) in try Self.files(in: "Sources/\(engine)") {
                let extra = Self.imports(of: text).subtracting(allowed)
                #expect(extra.isEmpty, "\(path) imports \(extra.sorted())")
            }
        }
    }

    @Test func `no line is longer than 120 columns`() throws {
        let templates = try Self.files(in: "Templates", ending: ".html")
        for (path, text) in try Self.files(in: "Sources") + Self.files(in: "Tests") + templates {
            for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                #expect(line.count <= 120, "\(path):\(number + 1)")
            }
        }
    }

    /// No line break is sent beside a template's tag, so a dot that the line begins or ends with would stick to it, and
    /// what follows a colon or a comma would stick to that.
    @Test func `a dot between two facts has its blanks, and so has a colon`() throws {
        for (path, text) in try Self.files(in: "Templates", ending: ".html") {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            for (number, (line, next)) in zip(lines, lines.dropFirst()).enumerated() {
                let isGlued = line.hasSuffix("%}") && next.hasPrefix("·") || line.hasSuffix("·") && next.hasPrefix("{%")
                #expect(!isGlued, "\(path):\(number + 2)")
                let goesOn = next.hasPrefix("{%") && !next.hasPrefix("{% end") && !next.hasPrefix("{% plural")
                let isStuck = goesOn && [":", ",", ";", ":{% end %}", ",{% end %}"].contains { line.hasSuffix($0) }
                let soft = "<span class=\"soft\">·"
                let isTight = line.contains("%}\(soft)") || line.hasSuffix("%}") && next.hasPrefix(soft)
                #expect(!isStuck && !isTight, "\(path):\(number + 2)")
                // So has a sentence that isn't always there, behind another.
                let isSentence = [".{% end %}", "?{% end %}", "!{% end %}"].contains { line.hasSuffix($0) }
                #expect(!isSentence || !next.contains(/^\{% if [^%]*%\}\{% t/), "\(path):\(number + 2)")
            }
        }
    }

    /// Templates that say a time without the reader's own clock, and why.
    private static let clockless = [
        "community/playdates/_planned.html": "It is made by the reader's clock.",
        "events/_meta.html": "Anybody may read it, anywhere: it names the zone.",
        "events/flyer.html": "It hangs at the place, and names the zone.",
        "events/imports/_line.html": "It is made by the reader's clock.",
        "events/programme/sheet.html": "Its head says it.",
        "helping/impact/certificate.html": "These are days.", "helping/needs/_claim.html": "This is a day.",
    ]

    /// What takes place abroad has another clock: 10 AM there reads like 10 AM here.
    @Test func `a page that says when something is also says whose clock that is`() throws {
        for (path, text) in try Self.files(in: "Templates", ending: ".html") {
            let times = text.matches(of: /\{\{(.*?)\}\}/.dotMatchesNewlines()).map {
                $0.output.1.trimmingCharacters(in: .whitespacesAndNewlines)
            }.filter {
                $0.contains(
                    /(\.(when|moment|sessionTime)|(event|schedule|activity|shift|card)\.time)(\(at: frame\.now\))?$/)
            }
            let isExempt = Self.clockless.keys.contains { path.hasSuffix($0) }
            let isSaid = times.isEmpty || text.contains("time(in: frame.zone)")
            #expect(isSaid != isExempt, "\(path): \(times)")
        }
    }

    @Test func `a comment names the person it speaks of`() throws {
        for (path, text) in try Self.files(in: "Sources") + Self.files(in: "Tests") {
            let headless = text.split(separator: "\n").filter { line in
                let line = line.drop { $0 == " " }
                guard line.hasPrefix("//") else { return false }
                let words = line.split { !$0.isLetter }
                return words.first.map { ["Who", "Whom", "Whose"].contains($0) } ?? false
                    || words.contains { ["whoever", "Whoever", "whomever"].contains($0) }
            }
            #expect(headless == [], "\(path): “the member who”, in place of “who” alone")
        }
    }

    @Test func `a change for an organization or a family asks again who acts for it`() throws {
        func unasked(in text: String) -> [Substring] {
            text.components(separatedBy: "\n    }\n").compactMap { member in
                let writes = ["site.write {", "site.write(", "site.carryOut("].contains { member.contains($0) }
                let isOfFamily = member.contains(": ParentContext")
                // Changes of who looks after the children have rules of their own.
                let asks = member.contains(".authorize(") || isOfFamily && member.contains("try Guardian.")
                guard isOfFamily || member.contains(": ProviderContext"), writes, !asks else { return nil }
                return member.components(separatedBy: " func ").last?.prefix { $0 != "(" }
            }
        }
        for (path, text) in try Self.files(in: "Sources/App") where path.hasSuffix("Controller.swift") {
            #expect(unasked(in: text) == [], "\(path): `context.write`, or `Colleague.authorize` within")
        }
        let plain = "    func mark(_ context: ProviderContext) async {\n        await site.write { }\n    }\n"
        #expect(unasked(in: plain) == ["mark"], "the twin")
        #expect(unasked(in: plain.replacing("Provider", with: "Parent")) == ["mark"])
        #expect(unasked(in: plain.replacing("site.write", with: "context.write")) == [])
    }

    @Test func `no form can send what the site itself remembers as a once`() throws {
        // A form's has 22 letters, digits, hyphens and underscores; a word and one number are shorter than that.
        func sendable(in text: String) -> [String] {
            text.split(separator: "\n").filter { $0.contains(/\bonce\b/) }.flatMap { line in
                line.matches(of: /"(\w*[-.]?\\\([^" ]*)"/).map { String($0.output.1) }
            }.filter { once in
                let isShort = once.components(separatedBy: "\\(").count == 2
                return !once.hasPrefix("\\(once)") && !isShort && !once.contains(").")
            }
        }
        for (path, text) in try Self.files(in: "Sources/App")
        where path.hasSuffix("+Queries.swift") && !path.contains("/Demo/") {
            #expect(sendable(in: text) == [], "\(path): with a period")
        }
        #expect(sendable(in: "once: \"draw-\\(id)-\\(code)\", in: tx").count == 1, "the twin")
        #expect(sendable(in: "once: \"draw.\\(id).\\(code)\", in: tx") == [])
    }

    /// Where something is asked for that counts and stores nothing that could be there already, or stores each once.
    private static let counting = [
        "Accounts/AccountController.swift", "Accounts/EmailController.swift", "Accounts/SessionController.swift",
        "Mail/MailController.swift", "Moderation/ReportController.swift", "Playdates/PlaydateController.swift",
    ]

    @Test func `places, pictures and counts have one way each`() throws {
        for (path, text) in try Self.files(in: "Sources/App") {
            if text.contains("\"place_name\", \\.") {
                #expect(text.contains(/struct \w+: (PlaceForm|PinForm)/), "\(path)")
            }
            let isThrown = text.contains("throw PictureProblem.gone")
            #expect(isThrown == path.hasSuffix("Images/Site+Pictures.swift"), "\(path): Site.takePicture")
            if path.hasSuffix("Controller.swift"), text.contains("limits.take(") {
                #expect(Self.counting.contains(where: path.hasSuffix), "\(path): Site.carryOut")
            }
        }
    }

    @Test func `a controller has a file of its name, so that an address leads to it without a search`() throws {
        for (path, text) in try Self.files(in: "Sources/App") {
            for match in text.matches(of: /\nstruct (\w+Controller)\b/) {
                #expect(path.hasSuffix("/\(match.output.1).swift"), "\(path)")
            }
        }
    }

    @Test func `only the driver's folder knows GRDB`() throws {
        for (path, text) in try Self.files(in: "Sources") where !path.hasPrefix("Sources/Database/SQLite/") {
            #expect(Self.imports(of: text).isDisjoint(with: ["GRDB", "GRDBSQLite"]), "\(path)")
        }
    }

    @Test func `the time is asked of the site's clock only, in tests too`() throws {
        let here = "Tests/AppTests/House/SourcesTests.swift"
        for (path, text) in try Self.files(in: "Sources/App") + Self.files(in: "Tests/AppTests")
        where path != "Sources/App/Site.swift" && path != here {
            let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(
                separator: "\n")
            for clock in ["Date()", "Date.now", "Instant.now", "Clock().now", "CURRENT_TIMESTAMP", "time(nil)"] {
                #expect(!code.contains(clock), "\(path): \(clock)")
            }
        }
    }

    @Test func `the environment is read by the settings only`() throws {
        for (path, text) in try Self.files(in: "Sources/App") where path != "Sources/App/Settings.swift" {
            #expect(!text.contains("getenv(") && !text.contains("processInfo.environment"), "\(path)")
        }
    }

    @Test func `nothing is called a helper, a manager or a service`() throws {
        for folder in ["Sources", "Tests"] {
            for (path, _) in try Self.files(in: folder) {
                let name = path.split(separator: "/").last!
                for word in ["Util", "Helper", "Manager", "Service", "DTO"] {
                    #expect(!name.contains(word), "\(path)")
                }
            }
        }
    }

    @Test func `every query that gives a list has a limit`() throws {
        for (path, text) in try Self.files(in: "Sources/App") where path.hasSuffix("+Queries.swift") {
            for call in ["db", "tx"].flatMap({ text.components(separatedBy: "\($0).all(").dropFirst() }) {
                // The statement is the first literal of the call, in one line or in several.
                let quote = call.contains("\"\"\"") && call.prefix(60).contains("\"\"\"") ? "\"\"\"" : "\""
                let statement = call.components(separatedBy: quote).dropFirst().first ?? ""
                let hasLimit = statement.contains("LIMIT")
                #expect(hasLimit, "\(path): \(statement)")
            }
        }
    }

    /// How many lists of parameters have the time beside a connection: a `Transaction` is both.
    private static func both(in text: String) -> Int {
        let pieces = text.components(separatedBy: "now: Instant")
        return zip(pieces, pieces.dropFirst()).count { before, after in
            let before = before.suffix(400).split(omittingEmptySubsequences: false) { "(){}".contains($0) }.last ?? ""
            return (before + after.prefix { !"(){}".contains($0) }).contains("db: Connection")
        }
    }

    @Test func `a query that depends on the time takes it with its connection`() throws {
        for (path, text) in try Self.files(in: "Sources/App") where !path.hasSuffix("Shared/Transaction.swift") {
            #expect(Self.both(in: text) == 0, "\(path): in tx: Transaction")
        }
        #expect(Self.both(in: "func due(at now: Instant, in db: Connection) throws -> Int") == 1)
        #expect(Self.both(in: "func due(in zone: Zone, db: Connection, now: Instant) throws -> Int") == 1)
    }

    @Test func `the example of the settings names every setting and no other`() throws {
        func names(_ path: String) throws -> Set<String> {
            let text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
            return Set(text.matches(of: /VILLAGE_[A-Z_]*[A-Z]/).map { String($0.output) })
        }
        let settings = try names("Sources/App/Settings.swift")
        let example = try names("deploy/settings.example.env")
        #expect(settings == example)
    }

    @Test func `no template holds a style or a script of its own`() throws {
        let start = Self.root.appending(path: "Templates")
        // A letter has no sheet of the site's, and no page's policy.
        for path in try FileManager.default.subpathsOfDirectory(atPath: start.path)
        where path.hasSuffix(".html") && path != "people/mail/letter.html" {
            let text = try String(contentsOf: start.appending(path: path), encoding: .utf8)
            // A whole sheet of the site's may stand in a page.
            let rest = text.replacing("<style>{{", with: "")
            #expect(!rest.contains(" style=") && !rest.contains("<style") && !rest.contains("onclick"), "\(path)")
        }
    }

    /// Forms whose rows of boxes are the same at any time: what a browser restores is what stood there.
    private static let steady = ["community/timeline/new.html", "people/inbox/choices.html"]

    /// The forms of a template that send what is ticked among rows, and let browsers restore their ticks by order.
    private static func restored(in template: String) -> [String] {
        template.matches(of: /<form(?:[^>{]|\{\{.*?\}\}|\{%.*?%\})*>/.dotMatchesNewlines()).compactMap { head in
            let tag = String(head.output)
            let body = template[head.range.upperBound...]
            let form = body.range(of: "</form>").map { body[..<$0.lowerBound] } ?? body
            let hasRows =
                form.contains("_people(") || form.contains("_shifts(")
                || form.contains(/\{% for (?:(?!\{% end %\}).)*type="(checkbox|radio)"/.dotMatchesNewlines())
            return tag.contains("post") && hasRows && !tag.contains("autocomplete=\"off\"") ? tag : nil
        }
    }

    @Test func `no browser ticks by order what another page had ticked`() throws {
        let start = Self.root.appending(path: "Templates")
        for path in try FileManager.default.subpathsOfDirectory(atPath: start.path)
        where path.hasSuffix(".html") && !Self.steady.contains(path) {
            let text = try String(contentsOf: start.appending(path: path), encoding: .utf8)
            #expect(Self.restored(in: text).isEmpty, "\(path)")
        }
        let twin = "<form method=\"post\">{% for it in them %}<input type=\"checkbox\">{% end %}</form>"
        #expect(Self.restored(in: twin).count == 1)
    }

    /// The sentences with a name or another text in a template's buttons and chips that stand in no element of their
    /// own. Where such a text is isolated, because it runs in the other direction, it would be an item of its own in
    /// the row that a button lays out: its words break letter by letter on a narrow page.
    private static func loose(in template: String) -> [String] {
        let button = /<(a|button)\b[^>]*class="[^"]*\b(button|chip)\b.*?<\/\1>/.dotMatchesNewlines()
        let sentence = /\{% t [^%]*:[^%]*%\}.*?\{%\s*end %\}/.dotMatchesNewlines()
        return template.matches(of: button).flatMap { found in
            String(found.output.0).replacing(/<span.*?<\/span>/.dotMatchesNewlines(), with: "")
                .replacing(/="[^"]*"/, with: "").matches(of: sentence).map { String($0.output) }
                .filter { text in
                    text.matches(of: /\{\{ (\w+) \}\}/).contains { !["count", "number", "unit"].contains($0.output.1) }
                }
        }
    }

    @Test func `a sentence with a name in a button is one piece`() throws {
        for file in try Self.files(in: "Templates", ending: ".html") {
            let loose = Self.loose(in: file.text)
            #expect(loose.isEmpty, "\(file.path): \(loose)")
        }
        let sentence = "{% t name: one %}Block {{ name }}{% end %}"
        #expect(Self.loose(in: "<a class=\"chip\">\(sentence)</a>").count == 1)
        #expect(Self.loose(in: "<a class=\"chip\"><span>\(sentence)</span></a>").isEmpty)
    }

    @Test func `every template is drawn by somebody`() throws {
        let start = Self.root.appending(path: "Templates")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: start.path).filter { $0.hasSuffix(".html") }
        let templates = try paths.map { try String(contentsOf: start.appending(path: $0), encoding: .utf8) }.joined()
        let sources = try Self.files(in: "Sources/App").map(\.text).joined()
        func called(_ start: String, in text: String) -> Set<Substring> {
            Set(text.components(separatedBy: start).dropFirst().map { $0.prefix { $0 != "(" } })
        }
        let (layouts, included) = (called("{% layout ", in: templates), called("{% include ", in: templates))
        let pages = called("Templates.", in: sources)
        for path in paths {
            let name = path.dropLast(5)
            let parts = name.split(separator: "/").map { part in
                part.split(separator: "-").enumerated().map { $0 == 0 ? String($1) : $1.capitalized }.joined()
            }
            let isDrawn =
                switch true {
                case name.hasPrefix("layouts/"): layouts.contains(Substring(parts[1]))
                case name.contains("/_"): included.contains(name)
                default: pages.contains(Substring(parts.joined(separator: ".")))
                }
            #expect(isDrawn, "\(path)")
        }
    }

    /// What `deploy/bench --compare` judges by, on made-up figures.
    @Test func `two programs are compared round by round`() throws {
        let python = ProcessInfo.processInfo.environment["VILLAGE_PYTHON"] ?? "/usr/bin/python3"
        let tried = try Program.run(python, [Self.root.appending(path: "Tests/Bench/try_comparison.py").path])
        #expect(tried.status == 0, "\(tried.text)")
        #expect(tried.text.contains("Ran 6 tests"))
    }
}
