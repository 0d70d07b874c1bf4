import Foundation
import Templating
import Testing

@testable import App

/// `/accessibility`: every criterion is answered, and nothing is claimed that no test shows.
@Suite struct AccessibilityTests {
    /// WCAG 2.2 at levels A and AA: 4.1.1 is no longer one, and what is missing between the numbers is level AAA.
    private static let standard: [(level: Criterion.Level, numbers: String)] = [
        (
            .a,
            """
            1.1.1 1.2.1 1.2.2 1.2.3 1.3.1 1.3.2 1.3.3 1.4.1 1.4.2 2.1.1 2.1.2 2.1.4 2.2.1 2.2.2 2.3.1 2.4.1 2.4.2 \
            2.4.3 2.4.4 2.5.1 2.5.2 2.5.3 2.5.4 3.1.1 3.2.1 3.2.2 3.2.6 3.3.1 3.3.2 3.3.7 4.1.2
            """
        ),
        (
            .aa,
            """
            1.2.4 1.2.5 1.3.4 1.3.5 1.4.3 1.4.4 1.4.5 1.4.10 1.4.11 1.4.12 1.4.13 2.4.5 2.4.6 2.4.7 2.4.11 2.5.7 \
            2.5.8 3.1.2 3.2.3 3.2.4 3.3.3 3.3.4 3.3.8 4.1.3
            """
        ),
    ]

    /// The entries that claim more than is shown.
    private static func faults(in criteria: [Criterion], _ sentences: Set<String>) -> [String] {
        criteria.flatMap { criterion -> [String] in
            var faults = criterion.tests.filter { !sentences.contains($0) }.map {
                "\(criterion.number): there is no test “\($0)”"
            }
            if criterion.evidence.isEmpty != (criterion.adherence == .notEvaluated) {
                faults.append("\(criterion.number): nothing shows it, or what shows it isn't counted")
            }
            return faults
        }
    }

    // MARK: The list

    @Test func `every criterion of WCAG at levels A and AA is answered once`() {
        for (level, numbers) in Self.standard {
            let wanted = numbers.split(separator: " ").map(String.init)
            #expect(wanted.count == (level == .a ? 31 : 24))
            let answered = Accessibility.criteria.filter { $0.level == level }.map(\.number)
            #expect(answered == wanted)
        }
        #expect(Accessibility.criteria.count == 55)
        #expect(Criterion.absentFromEN.isSubset(of: Accessibility.criteria.map(\.number)))
        let shown = Adherence.allCases.flatMap { Accessibility.criteria($0) }
        #expect(shown.count == 55, "each stands under one heading of the page")
    }

    @Test func `what is said of a criterion is shown by tests that are there, or by a dated look`() throws {
        let sentences = try SecurityTableTests.sentences()
        #expect(Self.faults(in: Accessibility.criteria, sentences) == [])
        // The twins: a test that is gone, a claim without one, and a look that counts.
        let day = try #require(Day(iso: "2026-11-29"))
        let look = Criterion.Look(day: day, found: "With a screen reader, from end to end.")
        let made = [
            Criterion("1.1.1", "Gone", .a, .supports, ["a test that nobody wrote"]),
            Criterion("1.3.1", "Claimed", .a, .supports), Criterion("1.3.2", "Unknown", .a, .notEvaluated),
            Criterion("1.3.3", "Seen", .a, .supports, looks: [look]),
        ]
        #expect(Self.faults(in: made, sentences).count == 2)
        #expect(made[3].evidence == ["2026-11-29: With a screen reader, from end to end."])
    }

    @Test func `a criterion is named with its level, and with its clause where EN 301 549 has one`() {
        #expect(Criterion("1.4.10", "Reflow", .aa, .part).title == "1.4.10 Reflow (AA; EN 301 549: 9.1.4.10)")
        #expect(Criterion("3.3.7", "Redundant Entry", .a, .part).title == "3.3.7 Redundant Entry (A)")
    }

    // MARK: Page and report

    @Test func `the page and the report for programs say the same of each criterion`() async throws {
        try await withTestSite { site in
            let page = try await site.browser().visit("/accessibility")
            #expect(page.heading == "Accessibility" && page.link("The same for programs (OpenACR, YAML)") != nil)
            let named = page.html.all("bdi").map(\.text)
            for criterion in Accessibility.criteria {
                #expect(named.contains(criterion.title), "\(criterion.number)")
                #expect(criterion.evidence.allSatisfy(named.contains), "\(criterion.number)")
            }
            let report = try await page.follow("The same for programs (OpenACR, YAML)")
            #expect(report.status == 200 && report["Content-Type"] == "application/yaml")
            let lines = report.string.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            func values(of name: String) -> [String] {
                lines.filter { $0.hasPrefix("\(name): ") }
                    .map { String($0.dropFirst(name.count + 2)).replacing("\"", with: "") }
            }
            let inReport = Criterion.Level.allCases.flatMap { level in
                Accessibility.criteria.filter { $0.level == level }
            }
            #expect(values(of: "num") == inReport.map(\.number))
            #expect(values(of: "level") == inReport.map(\.adherence.term))
            #expect(values(of: "catalog") == ["2.5-edition-wcag-2.2-508-eu-en"])
            #expect(values(of: "version") == [Site.version])
        }
    }

    @Test func `a document is written as YAML, and no text ends its line`() {
        let document: JSON = [
            "title": "a \"b\": c\n# d", "none": .array([]), "on": true,
            "chapters": [["num": "1.10", "names": ["web", "x"]], 7],
        ]
        let wanted = #"""
            title: "a \"b\": c\u000A# d"
            none: []
            on: true
            chapters:
              -
                num: "1.10"
                names:
                  - "web"
                  - "x"
              - 7

            """#
        #expect(YAML(document).text == wanted)
    }

    // MARK: What criteria are shown by

    /// The site's own scripts, its sheets and its templates.
    private static func scripts() throws -> [(path: String, text: String)] {
        try SourcesTests.files(in: "Public/js", ending: ".js").filter { !$0.path.contains("/vendor/") }
    }
    private static func sheets() throws -> [(path: String, text: String)] {
        try SourcesTests.files(in: "Public/css", ending: ".css")
    }
    private static func templates() throws -> [(path: String, text: String)] {
        try SourcesTests.files(in: "Templates", ending: ".html")
    }

    /// Whether a template or script plays something or asks how the device moves.
    private static func isMedia(_ text: String) -> Bool {
        let played =
            /<(?:video|audio|track|marquee|object|embed)\b|createElement\("(?:video|audio)"|new Audio\b|AudioContext/
        let asked = /speechSynthesis|\.play\(|devicemotion|deviceorientation|Accelerometer|Gyroscope/
        return text.contains(played) || text.contains(asked)
    }

    @Test func `no page plays a sound or a video, or is used by moving the device`() throws {
        let files = try Self.templates() + Self.scripts()
        #expect(files.count > 150)
        #expect(files.filter { Self.isMedia($0.text) }.map(\.path) == [])
        for twin in ["<video src=x>", "new Audio(a)", "addEventListener(\"devicemotion\", f)"] {
            #expect(Self.isMedia(twin), "\(twin)")
        }
    }

    @Test func `nothing turns the screen, and only the sheet of the lobby's screen asks how it is held`() throws {
        let asking = try (Self.sheets() + Self.scripts()).filter { $0.text.contains("orientation") }
        #expect(asking.map(\.path) == ["Public/css/rooms/elsewhere/elsewhere.css"])
        let programs = try SourcesTests.files(in: "Sources/App/Machines").filter { $0.text.contains("\"orientation\"") }
        #expect(programs.map(\.path) == [], "the manifest fixes none")
    }

    /// The keys that a script waits for; “?” where that can't be read.
    private static func keys(in script: String) -> [String] {
        let compared = script.matches(of: /event\.key [!=]== "([^"]+)"/).map { String($0.output.1) }
        let tables = script.matches(of: /\{([^{}]*)\}\[event\.key\]/).map { String($0.output.1) }
        let found = tables.flatMap { $0.matches(of: /(\w+):/).map { String($0.output.1) } }
        let asked = script.matches(of: /event\.key\b|\.keyCode|\.charCode|event\.code\b|"key(?:up|press)"/).count
        return compared + found + Array(repeating: "?", count: asked - compared.count - tables.count)
    }

    @Test func `no script waits for a letter: keys are arrows, Enter and Escape`() throws {
        func isLetter(_ key: String) -> Bool { !key.hasPrefix("Arrow") && key != "Enter" && key != "Escape" }
        let scripts = try Self.scripts()
        #expect(scripts.flatMap { Self.keys(in: $0.text) }.count > 10)
        for (path, text) in scripts { #expect(Self.keys(in: text).filter(isLetter) == [], "\(path)") }
        for (path, text) in try Self.templates() { #expect(!text.contains("accesskey"), "\(path)") }
        for twin in ["if (event.key === \"j\") next()", "({ k: 1 }[event.key])", "switch (event.key) {"] {
            #expect(!Self.keys(in: twin).filter(isLetter).isEmpty, "\(twin)")
        }
    }

    @Test func `nothing on a page moves by itself again and again`() throws {
        let moving = /infinite|animation-iteration-count|\.animate\(|<animate/
        let files = try Self.sheets() + Self.scripts() + Self.templates()
        #expect(files.filter { $0.text.contains(moving) }.map(\.path) == [])
        #expect("a { animation: blink 1s infinite; }".contains(moving))
    }

    @Test func `no script stands in the way of what fills in a password or a code`() throws {
        let hindering = /paste|beforeinput|clipboardData|isTrusted/
        #expect(try Self.scripts().filter { $0.text.contains(hindering) }.map(\.path) == [])
        #expect("field.addEventListener(\"paste\", event => event.preventDefault())".contains(hindering))
        let forms = try SourcesTests.files(in: "Sources/App/People/Accounts").map(\.text).joined()
        let codes = forms.matches(of: /"Code", 1\.\.\.40\)/).count
        #expect(codes > 0 && forms.matches(of: /\.autocomplete\("one-time-code"\)/).count == codes)
    }

    /// The addresses in the bar at the top and at the foot of a page.
    private static func frame(of page: Page) -> [[String]] {
        [page.html.all(ofClass: "tabs").first, page.html.all(ofClass: "footer").last?.first("nav")].map { part in
            part?.all("a").compactMap { $0["href"] } ?? []
        }
    }

    @Test func `every page has the same tabs and the same links at its foot, help among them, in one order`()
        async throws
    {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let open = [
                "/", "/events", "/events/map", "/events/\(event)", "/timeline", "/kindness", "/needs", "/opportunities",
                "/about", "/help", "/privacy", "/accessibility", "/nowhere",
            ]
            let own = ["/week", "/me", "/me/settings", "/me/family", "/me/children/new", "/inbox"]
            let ana = try await site.signIn(.ana, as: .parent)
            for (reader, paths) in [(site.browser(), open + ["/login", "/signup"]), (ana, open + own)] {
                let first = Self.frame(of: try await reader.visit("/help"))
                #expect(first.allSatisfy { $0.count >= 3 } && first[1].contains("/help"))
                for path in paths {
                    let page = try await reader.visit(path)
                    #expect(Self.frame(of: page) == first, "\(page.path)")
                }
            }
        }
    }
}
