import Database
import Forms
import Foundation
import Testing
import Wire

@testable import App

/// `Tests/SECURITY.md`: nothing in it is out of date, and no requirement is forgotten.
@Suite struct SecurityTableTests {
    /// A line of a table: the requirement's number, and the cells behind it.
    private struct Row {
        let number: String
        let cells: [String]
    }

    private static let missing = "## Not met yet"
    private static let apart = "## Doesn't apply"

    /// Every requirement of levels 1 and 2 of ASVS 5.0, by its number.
    private static let standard = """
        V1.1.1-2 V1.2.1-9 V1.3.1-11 V1.4.1-3 V1.5.1-2
        V2.1.1-3 V2.2.1-3 V2.3.1-4 V2.4.1
        V3.2.1-2 V3.3.1-4 V3.4.1-6 V3.5.1-5 V3.7.1-2
        V4.1.1-3 V4.2.1 V4.3.1-2 V4.4.1-4
        V5.1.1 V5.2.1-3 V5.3.1-2 V5.4.1-3
        V6.1.1-3 V6.2.1-12 V6.3.1-4 V6.4.1-4 V6.5.1-5 V6.6.1-3 V6.8.1-4
        V7.1.1-3 V7.2.1-4 V7.3.1-2 V7.4.1-5 V7.5.1-2 V7.6.1-2
        V8.1.1-2 V8.2.1-3 V8.3.1 V8.4.1
        V9.1.1-3 V9.2.1-4
        V10.1.1-2 V10.2.1-2 V10.3.1-4 V10.4.1-11 V10.5.1-5 V10.6.1-2 V10.7.1-3
        V11.1.1-2 V11.2.1-3 V11.3.1-3 V11.4.1-4 V11.5.1 V11.6.1
        V12.1.1-3 V12.2.1-2 V12.3.1-4
        V13.1.1 V13.2.1-5 V13.3.1-2 V13.4.1-5
        V14.1.1-2 V14.2.1-4 V14.3.1-3
        V15.1.1-3 V15.2.1-3 V15.3.1-7
        V16.1.1 V16.2.1-5 V16.3.1-4 V16.4.1-3 V16.5.1-3
        V17.1.1 V17.2.1-4 V17.3.1-2
        """

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: SourcesTests.root.appending(path: path), encoding: .utf8)
    }

    private static func table() throws -> String { try text("Tests/SECURITY.md") }

    /// The numbers in a text, `V1.2.3-5` standing for three.
    private static func numbers(in text: some StringProtocol) -> [String] {
        String(text).matches(of: /(V\d+\.\d+\.)(\d+)(?:-(\d+))?/).flatMap { match in
            let first = Int(match.output.2)!
            let last = match.output.3.flatMap { Int($0) } ?? first
            return (first...max(first, last)).map { "\(match.output.1)\($0)" }
        }
    }

    /// The lines below a heading of the second level, up to the next.
    private static func section(_ heading: String, of text: String) -> String {
        let behind = text.components(separatedBy: "\n\(heading)\n").dropFirst().first ?? ""
        return behind.components(separatedBy: "\n## ")[0]
    }

    private static func rows(in text: String) -> [Row] {
        text.split(separator: "\n").filter { $0.hasPrefix("| V") }.map { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
            return Row(number: cells[0], cells: Array(cells.dropFirst()))
        }
    }

    /// What stands between backticks.
    private static func quoted(in cell: String) -> [String] {
        cell.matches(of: /`([^`]+)`/).map { String($0.output.1) }
    }

    /// The rows that say where a requirement is met.
    private static func met(in text: String) -> [Row] {
        rows(in: text.components(separatedBy: "\n\(missing)\n")[0])
    }

    /// The sentences of all tests: of Swift, of the browser, and of the long proofs; with … for what is filled in.
    static func sentences() throws -> Set<String> {
        var sentences: Set<String> = []
        for (_, text) in try SourcesTests.files(in: "Tests") {
            sentences.formUnion(text.matches(of: /func `([^`]+)`/).map { String($0.output.1) })
        }
        for folder in ["Tests/Browser", "Tests/Long"] {
            let start = SourcesTests.root.appending(path: folder)
            for name in try FileManager.default.contentsOfDirectory(atPath: start.path) where name.hasSuffix(".py") {
                let text = try text("\(folder)/\(name)")
                guard !name.hasPrefix("prove_") else {
                    let found = text.matches(of: /def \w+\(.*\):\n +"{3}(.+?)(?:"{3})?\n/)
                    sentences.formUnion(found.map { String($0.output.1) })
                    continue
                }
                // What the tests of several parts of one thing begin with.
                let shared = text.firstMatch(of: /\bsentence = f"(.+)"\n/).map { String($0.output.1) } ?? ""
                for found in text.matches(of: /@test\(f?"(.+)"\)\n/) {
                    let sentence = found.output.1.replacing(/^\{sentence\}/, with: shared)
                    sentences.insert(String(sentence.replacing(/\{[^{}]+\}/, with: "…")))
                }
            }
        }
        return sentences
    }

    @Test func `every requirement of levels 1 and 2 is accounted for once, and no other is named`() throws {
        let text = try Self.table()
        let rows = Self.rows(in: text).map(\.number)
        for number in rows {
            let isNumber = number.wholeMatch(of: /V\d{1,2}\.\d{1,2}\.\d{1,2}/) != nil
            #expect(isNumber, "\(number)")
        }
        let accounted = rows + Self.numbers(in: Self.section(Self.apart, of: text))
        let wanted = Self.numbers(in: Self.standard)
        #expect(wanted.count == 253 && Set(wanted).count == 253)
        #expect(Set(wanted).subtracting(accounted).sorted() == [], "forgotten")
        #expect(Set(accounted).subtracting(wanted).sorted() == [], "not of the standard, or of level 3")
        let twice = Dictionary(grouping: accounted) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
        #expect(twice == [], "named twice")
    }

    @Test func `every row says what is asked, where it is met and what shows it`() throws {
        let text = try Self.table()
        let sentences = try Self.sentences()
        #expect(sentences.count > 300)
        let met = Self.met(in: text)
        #expect(met.count > 100)
        for row in met {
            guard row.cells.count == 3 else {
                Issue.record("\(row.number) has \(row.cells.count + 1) columns")
                continue
            }
            #expect(!row.cells[0].isEmpty, "\(row.number)")
            let tests = Self.quoted(in: row.cells[2])
            #expect(!tests.isEmpty, "\(row.number) has no test")
            for test in tests { #expect(sentences.contains(test), "\(row.number): there is no test “\(test)”") }
        }
        for row in Self.rows(in: Self.section(Self.missing, of: text)) {
            let isWhole = row.cells.count == 2 && row.cells.allSatisfy { !$0.isEmpty }
            #expect(isWhole, "\(row.number)")
        }
    }

    @Test func `every source that a row names is there, and so is what it names in it`() throws {
        let folders = ["Sources/", "Templates/", "Public/", "Tests/", "deploy/"]
        for row in Self.met(in: try Self.table()) where row.cells.count == 3 {
            let names = Self.quoted(in: row.cells[1])
            let files = names.filter { name in folders.contains { name.hasPrefix($0) } }
            #expect(!files.isEmpty, "\(row.number) names no source")
            var code = ""
            for file in files {
                // Of this page itself, what stands in front of the tables.
                let found = try? Self.text(file).components(separatedBy: "\n| V")[0]
                #expect(found != nil, "\(row.number): there is no \(file)")
                code += found ?? ""
            }
            for name in names where !files.contains(name) {
                #expect(code.contains(name), "\(row.number): no \(name) in \(files)")
            }
        }
    }

    @Test func `a row that is out of date is found out`() throws {
        #expect(Self.numbers(in: "V1.2.3-5, V10.4.11") == ["V1.2.3", "V1.2.4", "V1.2.5", "V10.4.11"])
        let rows = Self.rows(in: "# T\n| V1.1.1 | asks | `Sources/x.swift` | `a test` |\n| V1.1.2 | asks | x |\n")
        #expect(rows.map(\.number) == ["V1.1.1", "V1.1.2"] && rows.map(\.cells.count) == [3, 2])
        #expect(Self.quoted(in: "`a b`; `c`") == ["a b", "c"])
        let sentences = try Self.sentences()
        #expect(sentences.contains("a row that is out of date is found out"))
        #expect(sentences.contains("a website can't be a script"))
        let ofSeveral = "the pages a … sees pass axe, and fit a phone, its side, a desktop, text at 200 % and a finger"
        #expect(sentences.contains(ofSeveral + " (… of 2)"))
        #expect(!sentences.contains("a test"))
    }

    // MARK: What the page says of the site

    @Test func `the figures are those of the program`() throws {
        let text = try Self.table().replacing("\n", with: " ")
        let limits = HeadLimits()
        let connections = Connections()
        let form = FormLimits()
        func says(_ words: String, _ isSo: Bool) {
            #expect(text.contains(words), "The page doesn't say: \(words)")
            #expect(isSo, "The program does otherwise: \(words)")
        }
        says("10 failures in 3 minutes", RateRule.failedLogIns.holds(10, in: .minutes(3)))
        says("25 in an hour", RateRule.failuresOfAccount.holds(25, in: .hours(1)))
        says("5 in 30 minutes", RateRule.signUps.holds(5, in: .minutes(30)))
        says("30 in 30 minutes", RateRule.uploads.holds(30, in: .minutes(30)))
        says(
            "10 MiB and 50 million pixels",
            PictureHeader.byteLimit == 10 << 20 && PictureHeader.pixelLimit == 50_000_000)
        says("300 in a minute", RateRule.pages.holds(300, in: .minutes(1)))
        says("300 for a session", RateRule.pagesOfSession.holds(300, in: .minutes(1)))
        says("14 days without a visit", Session.idle == .days(14))
        says("30 days in any case", Session.absolute == .days(30))
        says("staff 12 hours", Session.staff == .hours(12))
        says("a reset link 30 minutes", ResetLink.lifetime == .minutes(30))
        says("15 in a letter", ResetLink.lifetimeByMail == .minutes(15))
        says("confirms an address 24 hours", ConfirmLink.lifetime == .hours(24))
        says("puts an old address back 72 hours", EmailChange.undoable == .hours(72))
        says("after five wrong codes a quarter of an hour", TwoStep.wait(after: 5) == .minutes(15))
        says("up to eight hours", TwoStep.tries == 5 && TwoStep.wait(after: 1_000) == .hours(8))
        says("Between the steps ten minutes", PendingLogIn.lifetime == .minutes(10))
        says("Staff have 72 hours", TwoStep.grace == .hours(72))
        says("5 in 30 minutes to an address", RateRule.letters.holds(5, in: .minutes(30)))
        says("10 by one client", RateRule.resets.holds(10, in: .minutes(30)))
        says("8 KiB of address", limits.urlBytes == 8 << 10)
        says("32 KiB and 100 fields of head", limits.fieldBytes == 32 << 10 && limits.fields == 100)
        says("256 KiB and 1,000 fields of form", form.body == 256 << 10 && form.fields == 1_000)
        says("8,192 connections, 64 a client", connections.limit == 8_192 && connections.limitPerClient == 64)
    }

    @Test func `the list of parts names every package and library that is built in`() throws {
        let list = try Self.text("deploy/parts")
        #expect(list.contains("swift package show-dependencies"))
        let package = try Self.text("Package.swift")
        // What is linked of the system has a module of its own, and Leaflet a folder.
        let libraries = package.matches(of: /pkgConfig: "lib(\w+)"/).map { String($0.output.1) }
        #expect(libraries.count >= 4)
        for library in libraries + ["sqlite3", "vips", "util-linux", "Leaflet"] {
            #expect(list.contains(library), "\(library)")
        }
        let pinned = package.matches(of: /\.package\(url: "[^"]+", (\w+):/).map { String($0.output.1) }
        #expect(pinned.count >= 10 && Set(pinned) == ["exact"])
        let words = try Self.table()
        for figure in ["within 3 days", "within 14", "every 90 days"] { #expect(words.contains(figure), "\(figure)") }
    }

    @Test func `every table of the database has a level of protection`() throws {
        let levels = Self.section("## What is kept", of: try Self.table())
        let schemas = [
            try String(contentsOf: SchemaTests.file, encoding: .utf8), Schema.media.map(\.text).joined(),
        ]
        let tables = Set(
            schemas.flatMap { $0.matches(of: /CREATE (?:VIRTUAL )?TABLE "?(\w+)/).map { String($0.output.1) } })
        #expect(tables.count > 10)
        #expect(tables.symmetricDifference(Self.quoted(in: levels)).sorted() == [])
    }
}

extension RateRule {
    fileprivate func holds(_ count: Int, in period: Duration) -> Bool { self.count == count && self.period == period }
}

/// What must not stand in the sources, and what may stand in a few places only.
@Suite struct SecuritySourcesTests {
    private func files(holding word: String, in folder: String) throws -> [String] {
        // All sources are looked through for dozens of words: the C library does it in a tenth of the time.
        try SourcesTests.files(in: folder).filter { strstr($0.text, word) != nil }.map(\.path).sorted()
    }

    @Test func `the site starts one program, asks nobody, parses no XML and writes no log of its own`() throws {
        let starting = try files(holding: "import Subprocess", in: "Sources")
        #expect(starting == ["Sources/App/Images/Workshop.swift"])
        for word in [
            "Process()", "posix_spawn", "popen(", "execv", "dlopen(", "URLSession", "ClientBootstrap", "HTTPClient",
            "DatagramBootstrap", "XMLParser", "NSKeyedUnarchiver", "NSRegularExpression", "Regex(",
            "String(format", "LoggingSystem",
        ] {
            let found = try files(holding: word, in: "Sources")
            #expect(found == [], "\(word)")
        }
        // What they read is what they wrote: a column of the site's own database, and the lines of an export, each of
        // which is an object of plain values that is checked against the list of columns; and what the issuer says,
        // bounded.
        let decoding = try files(holding: "JSONDecoder", in: "Sources")
        #expect(
            decoding == [
                "Sources/App/Events/Imports/CalendarImport.swift", "Sources/App/Events/Imports/Site+Calendars.swift",
                "Sources/App/Machines/Moving/TownContent.swift",
                "Sources/OpenID/Reading.swift",
            ])
    }

    @Test func `cryptography is used in few places, and only the demo's chance can be foretold`() throws {
        let hashing = try files(holding: "import Crypto", in: "Sources")
        #expect(
            hashing == [
                "Sources/App/Images/Media.swift", "Sources/App/Shared/OneTimeCode.swift",
                "Sources/App/Shared/PublicHash.swift", "Sources/App/Shared/Seal.swift",
                "Sources/App/Shared/Token.swift", "Sources/App/Web/Answer/Assets.swift",
                "Sources/OpenID/Issuer.swift", "Sources/OpenID/KeySet.swift",
                "Sources/WebPush/PushIdentity.swift", "Sources/WebPush/PushMessage.swift",
                "Sources/WebPush/PushRecipient.swift",
            ])
        let passwords = try files(holding: "import CArgon2", in: "Sources")
        #expect(passwords == ["Sources/Passwords/Password.swift"])
        for word in ["Insecure.MD5", "MD5", "drand48", "srand(", "CommonCrypto"] {
            let found = try files(holding: word, in: "Sources")
            #expect(found == [], "\(word)")
        }
        // As browsers read pushes (RFC 8291), and with a key that is used once.
        #expect(try files(holding: "AES", in: "Sources") == ["Sources/WebPush/PushMessage.swift"])
        let codes = ["Sources/App/Shared/OneTimeCode.swift"]
        #expect(
            try files(holding: "HMAC<", in: "Sources") == codes + [
                "Sources/App/Shared/Seal.swift", "Sources/WebPush/PushRecipient.swift",
            ])
        // The codes of a phone: no app knows others.
        #expect(try files(holding: "Insecure.", in: "Sources") == codes)
        let foretold = try files(holding: "SeededGenerator", in: "Sources")
        #expect(foretold.allSatisfy { $0.hasPrefix("Sources/App/Machines/Demo/") } && !foretold.isEmpty)
    }

    @Test func `what staff did is added to, never changed`() throws {
        for word in ["UPDATE staff_act", "DELETE FROM staff_act"] {
            // But for the names of those who left: what was done to whom stays, by a number.
            let found = try files(holding: word, in: "Sources")
            #expect(found.filter { $0 != "Sources/App/People/Keeping/Leaving+Queries.swift" } == [], "\(word)")
        }
        let keeping = try SourcesTests.files(in: "Sources/App/People/Keeping")
        let leaving = try #require(keeping.first { $0.path.hasSuffix("/Leaving+Queries.swift") })
        #expect(leaving.text.components(separatedBy: "staff_act").count == 5)
        #expect(leaving.text.components(separatedBy: "UPDATE staff_act SET subject = ").count == 5)
        let added = try files(holding: "INSERT INTO staff_act", in: "Sources")
        #expect(added == ["Sources/App/People/Records/AuditEntry+Queries.swift"])
    }

    @Test func `no script makes markup or code out of text, and few keep anything`() throws {
        func holding(_ word: String, in folder: String) throws -> [String] {
            let start = SourcesTests.root.appending(path: folder)
            return try FileManager.default.subpathsOfDirectory(atPath: start.path).filter { path in
                // Leaflet is others' work; what it is given as markup are elements (`Public/js/map/chart.js`).
                guard path.hasSuffix(".js") || path.hasSuffix(".html"), !path.hasPrefix("vendor/") else { return false }
                return try String(contentsOf: start.appending(path: path), encoding: .utf8).contains(word)
            }.sorted()
        }
        for word in [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "__proto__",
            "document.cookie", "localStorage", "indexedDB", "paste",
        ] {
            let found = try holding(word, in: "Public/js")
            #expect(found == [], "\(word)")
        }
        // Pages of this site among themselves, and its worker to them: numbers, and one word.
        #expect(try holding("postMessage", in: "Public/js") == ["behaviours/live.js", "worker.js"])
        // What was typed, in the tab it was typed in.
        let keeping = try holding("sessionStorage", in: "Public/js")
        #expect(keeping == ["behaviours/keep.js", "behaviours/unsent.js"])
        // A few pages for where there is no signal, which the other lists.
        #expect(try holding("caches", in: "Public/js") == ["behaviours/kept.js", "worker.js"])
        let kept = try holding("data-behaviour=\"keep", in: "Templates")
        #expect(
            kept == [
                "community/timeline/new.html", "events/_panel.html", "events/camps/sessions.html",
                "events/draws/wishes.html", "events/new.html", "events/registrations/dates.html",
                "helping/needs/new.html", "helping/opportunities/new.html",
            ])
    }
}
