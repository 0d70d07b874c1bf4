import Foundation
import Testing

/// One word for one thing: `Tests/WORDS.md`, and all that visitors and those who run the program read.
@Suite struct WordsTests {
    /// What is never said, and what is said for it.
    static let never: [(words: String, instead: String)] = {
        let path = SourcesTests.root.appending(path: "Tests/WORDS.md")
        let text = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").flatMap { line -> [(words: String, instead: String)] in
            let cells = line.split(separator: "|")
            guard line.hasPrefix("|"), cells.count == 2 else { return [] }
            return cells[1].matches(of: /`([^`]+)`/).map {
                (String($0.output.1), cells[0].trimmingCharacters(in: .whitespaces))
            }
        }
    }()

    /// Any of these words, but in an address, which may hold them.
    private static func pattern(for words: [String]) -> NSRegularExpression {
        let choices = words.map { NSRegularExpression.escapedPattern(for: $0).replacing("\\*", with: "\\w*") }
        return try! NSRegularExpression(
            pattern: "(?:^|[^\\w/.-])(?:\(choices.joined(separator: "|")))\\b", options: .caseInsensitive)
    }
    private static let anyOfThem = pattern(for: never.map(\.words))

    /// The words in a text that the list doesn't want, each with what is said for it.
    static func wrong(in text: String) -> [String] {
        func holds(_ pattern: NSRegularExpression) -> Bool {
            pattern.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
        }
        guard holds(anyOfThem) else { return [] }
        return never.filter { holds(pattern(for: [$0.words])) }.map { "“\($0.words)”: say “\($0.instead)”" }
    }

    /// The texts of a template: what stands in `t`, and what its tags pass on, such as a title.
    static func texts(ofTemplate text: String) -> [String] {
        let bare = text.replacing(/\{#[\s\S]*?#\}/, with: "")
        let said = bare.matches(of: /\{% t\b[^%]*%\}([\s\S]*?)\{% end %\}/).map { String($0.output.1) }
        let passed = bare.matches(of: /\{[%{](?! t\b)[\s\S]*?[%}]\}/).flatMap { literals(of: String($0.output)) }
        return said.map { $0.replacing(/\{[%{][\s\S]*?[%}]\}|<[^>]*>/, with: " … ") } + passed.filter(isProse)
    }

    /// The lines of a template with a comma that no language can change: it stands in no `t`.
    static func fixedCommas(inTemplate text: String) -> [String] {
        let hidden = [
            #/\{% t\b[\s\S]*?\{% end %\}/#, #/\{\{[\s\S]*?\}\}/#, #/\{%[\s\S]*?%\}/#, #/\{#[\s\S]*?#\}/#,
            #/<style>[\s\S]*?<\/style>/#, #/<[^>]*>/#,
        ]
        let shown = hidden.reduce(text) { text, pattern in text.replacing(pattern, with: " … ") }
        return shown.split(separator: "\n").filter { $0.contains(",") }.map(String.init)
    }

    @Test func `a title with the name of a thing behind a colon is no question`() throws {
        for (path, text) in try SourcesTests.files(in: "Templates", ending: ".html") {
            #expect(!text.contains(#/\.page\(\s*"[^"]*\?"/#), "\(path)")
        }
    }

    @Test func `a comma between two facts is the one of the page’s language`() throws {
        let templates = try SourcesTests.files(in: "Templates", ending: ".html")
        #expect(templates.count > 150)
        for (path, text) in templates { #expect(Self.fixedCommas(inTemplate: text) == [], "\(path)") }
        #expect(Self.fixedCommas(inTemplate: "<b>{{ a }}</b>, {{ b }}").count == 1)
        #expect(Self.fixedCommas(inTemplate: "{{ a(b, c) }}{% t %},{% end %} {{ b }}") == [])
    }

    /// The ends of sentences in a template that what follows runs into: a line break beside a tag is no space.
    static func gluedSentences(inTemplate text: String) -> [String] {
        text.matches(
            of: #/([^\s%]+)\s*\{% end %\}\n\s*(?:<(?:a|b|code|time|i|em)\b|\{\{|\{% t\b)/#
        ).map { String($0.output.1) }.filter { $0.last.map { ".!?:;".contains($0) } ?? false }
    }

    @Test func `a space stands between a sentence and the next`() throws {
        for (path, text) in try SourcesTests.files(in: "Templates", ending: ".html") {
            #expect(Self.gluedSentences(inTemplate: text) == [], "\(path)")
        }
        #expect(Self.gluedSentences(inTemplate: "{% t %}It is so.{% end %}\n  <a href=x>") == ["so."])
        #expect(Self.gluedSentences(inTemplate: "{% t %}It is so.{% end %} <a\n  href=x>") == [])
    }

    /// The literals of Swift that are read by people: those of one capitalized word, or of several.
    static func texts(ofSwift text: String, path: String) -> [String] {
        let code = text.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
        let isSQL = path.hasSuffix("+Queries.swift")
        return literals(of: code).filter { isSQL ? $0.firstMatch(of: /^\s*[A-Z][a-z]/) != nil : isProse($0) }
    }

    private static func isProse(_ text: String) -> Bool {
        text.contains(" ") || text.firstMatch(of: /^[A-Z][a-z]+$/) != nil
    }

    /// The string literals of Swift code, with … for each interpolation; those inside one stand by themselves.
    static func literals(of code: String) -> [String] {
        let signs = Array(code.utf8)
        var found: [String] = []
        var place = 0

        func comes(_ sign: Character, after distance: Int = 0) -> Bool {
            place + distance < signs.count && signs[place + distance] == sign.asciiValue
        }
        func isEnd(_ quote: Int) -> Bool { (0..<quote).allSatisfy { comes("\"", after: $0) } }
        func literal(_ quote: Int) -> String {
            var text: [UInt8] = []
            while place < signs.count, !isEnd(quote) {
                if comes("\\"), comes("(", after: 1) {
                    place += 2
                    interpolation()
                    text += "…".utf8
                } else if comes("\\") {
                    // A line that goes on, or a sign that is written with two.
                    let isLineEnd = comes("\n", after: 1)
                    place += 2
                    if isLineEnd { while comes(" ") { place += 1 } } else { text += " ".utf8 }
                } else {
                    text.append(signs[place])
                    place += 1
                }
            }
            place += quote
            return String(decoding: text, as: UTF8.self)
        }
        func interpolation() {
            var depth = 1
            while place < signs.count, depth > 0 {
                if takeLiteral() { continue }
                depth += comes("(") ? 1 : comes(")") ? -1 : 0
                place += 1
            }
        }
        func takeLiteral() -> Bool {
            guard comes("\"") else { return false }
            let quote = isEnd(3) ? 3 : 1
            place += quote
            found.append(literal(quote))
            return true
        }
        while place < signs.count {
            if !takeLiteral() { place += 1 }
        }
        return found
    }

    @Test func `the list of words has words`() {
        #expect(Self.never.count > 40 && Self.never.allSatisfy { !$0.instead.isEmpty })
    }

    @Test func `the pages say one word for one thing`() throws {
        let start = SourcesTests.root.appending(path: "Templates")
        for path in try FileManager.default.subpathsOfDirectory(atPath: start.path) where path.hasSuffix(".html") {
            let text = try String(contentsOf: start.appending(path: path), encoding: .utf8)
            let wrong = Self.wrong(in: Self.texts(ofTemplate: text).joined(separator: "\n"))
            #expect(wrong.isEmpty, "Templates/\(path)")
        }
    }

    @Test(arguments: ["App", "Forms", "Server"])
    func `the words in Swift are the same ones`(module: String) throws {
        for (path, text) in try SourcesTests.files(in: "Sources/\(module)")
        where !path.contains("/Schema/") {
            let wrong = Self.wrong(in: Self.texts(ofSwift: text, path: path).joined(separator: "\n"))
            #expect(wrong.isEmpty, "\(path)")
        }
    }

    @Test(arguments: [
        "<p>{% t %}Only 3 spots{% end %}</p>", "{% layout site(title: \"Sign in\") %}",
        "<a aria-label=\"{% t name: name %}Your neighbours, {{ name }}{% end %}\">",
        "{% t %}All devices are {% plural %}signed out{% end %}",
    ])
    func `a word of another kind is found in a template`(text: String) throws {
        let wrong = Self.wrong(in: Self.texts(ofTemplate: text).joined(separator: "\n"))
        #expect(!wrong.isEmpty)
    }

    @Test(arguments: [
        #"let words: Words = "There are \(count, as: "n") spots""#, #"case .over: "Cancelled""#,
        "let text = \"\"\"\n    You were signed \\\n    out.\n    \"\"\"", #"f("\(isNew ? "Sign in" : "")")"#,
    ])
    func `a word of another kind is found in Swift`(code: String) throws {
        let wrong = Self.wrong(in: Self.texts(ofSwift: code, path: "").joined(separator: "\n"))
        #expect(!wrong.isEmpty)
    }

    @Test(arguments: [#".text("spots", \.spots, "Places")"#, #"case cancelled = "cancelled""#, "// signed in"])
    func `names in code may stay what they are`(code: String) throws {
        let wrong = Self.wrong(in: Self.texts(ofSwift: code, path: "").joined(separator: "\n"))
        #expect(wrong.isEmpty)
    }
}
