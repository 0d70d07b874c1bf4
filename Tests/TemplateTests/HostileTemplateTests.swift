import Testing

@testable import TemplateCompiler
@testable import TemplatePages

/// The compiler reports what is wrong with any template, and goes on.
@Suite struct HostileTemplateTests {
    static let first = "{% template (x: String) %}\n"

    /// A template, shown by its name.
    struct Sample: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]

        init(_ name: String, _ bytes: [UInt8]) {
            testDescription = name
            self.bytes = bytes
        }

        init(_ name: String, _ text: String) { self.init(name, Array(text.utf8)) }
    }

    static let bad: [Sample] = [
        Sample("nothing", []),
        Sample("a NUL", Array((first + "a\u{0}b").utf8)),
        Sample("invalid UTF-8", Array(first.utf8) + [0xC3, 0x28]),
        Sample("a cut character", Array(first.utf8) + [0xF0, 0x9F, 0x90]),
        Sample("an overlong slash", Array(first.utf8) + [0xC0, 0xAF]),
        Sample("a surrogate", Array(first.utf8) + [0xED, 0xA0, 0x80]),
        Sample("UTF-16", [0xFF, 0xFE] + first.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }),
        Sample("more than a megabyte", Array(first.utf8) + Array(repeating: 0x61, count: Source.mostBytes)),
        Sample("a hundred thousand ifs", Array((first + String(repeating: "{% if x %}", count: 100_000)).utf8)),
        Sample("a hundred thousand ends", Array((first + String(repeating: "{% end %}", count: 100_000)).utf8)),
        Sample(
            "a hundred thousand fors in tags",
            Array((first + String(repeating: "<p {% for a in b %}", count: 50_000)).utf8)
        ),
        Sample("brackets without end", Array((first + "{{ " + String(repeating: "(", count: 100_000) + " }}").utf8)),
        Sample("strings in strings", Array((first + "{{ " + String(repeating: "\"\\(", count: 50_000)).utf8)),
        Sample("openings", Array((first + String(repeating: "{{", count: 300_000)).utf8)),
        Sample("unclosed strings", Array((first + String(repeating: "{{ \" }}\n", count: 100_000)).utf8)),
        Sample("unclosed long strings", Array((first + String(repeating: "{{ \"\"\" }} ", count: 50_001)).utf8)),
        Sample("less-thans", Array((first + String(repeating: "<p <", count: 200_000)).utf8)),
        Sample("comments", Array((first + String(repeating: "<!--", count: 200_000)).utf8)),
        Sample("an attribute without end", Array((first + "<p a=\"" + String(repeating: "x", count: 500_000)).utf8)),
        Sample(
            "a script that never ends",
            Array((first + "<script>" + String(repeating: "</scrip", count: 100_000)).utf8)),
        Sample("one long line of tags", Array((first + String(repeating: "{%x%} ", count: 100_000)).utf8)),
    ]

    @Test(arguments: bad)
    func `it is refused and the compiler lives`(sample: Sample) {
        let found = problems(sample.bytes)
        #expect(!found.isEmpty && found.count <= Source.mostProblems + 5)
    }

    static let odd: [Sample] = [
        Sample("CRLF", "{% template (x: String) %}\r\n<p>{{ x }}</p>\r\n"),
        Sample("CR", "{% template (x: String) %}\r<p>{{ x }}</p>\r"),
        Sample("a byte order mark", "\u{FEFF}{% template (x: String) %}<p>{{ x }}</p>"),
        Sample("no line break at the end", "{% template (x: String) %}{{ x }}"),
        Sample(
            "deep but allowed",
            first + String(repeating: "{% if b %}", count: 48) + String(repeating: "{% end %}", count: 48)
        ),
        Sample("a million letters", first + String(repeating: "x", count: 1_000_000)),
        Sample("many values", first + String(repeating: "<p>{{ x }}</p>\n", count: 20_000)),
        Sample("values in one line", first + String(repeating: "{{ x }}", count: 20_000)),
        Sample("combining marks and turned text", first + "<p>e\u{301}\u{202E}{{ x }}\u{200B}</p>"),
    ]

    @Test(arguments: odd)
    func `it is odd but fine`(sample: Sample) {
        let folder = Folder(files: ["page": sample.bytes])
        #expect(folder.problems == [])
        #expect(folder.swiftFiles(imports: [])["Templates.page.swift"] != nil)
    }

    @Test func `lines count alike whatever ends them`() {
        for ending in ["\n", "\r\n", "\r"] {
            let text = ["{% template (x: String) %}", "<p>", "  {{ }}</p>"].joined(separator: ending)
            #expect(problems(text) == ["page.html:3:3: error: this value is empty"])
        }
    }

    @Test func `pieces in any order never crash it, and what it accepts ends where it began`() {
        let pieces = [
            "{{ x }}", "{{", "}}", "{%", "%}", "{#", "#}", "{% if b %}", "{% else %}", "{% else if c %}", "{% end %}",
            "{% for a in b %}", "{% empty %}", "{% t %}", "{% t count: n %}", "{% plural %}", "{{ count }}",
            "{% yield %}",
            "{% slot a %}", "{% layout l() %}", "{% include _p() %}", "{% template () %}", "<", ">", "<p", "<p>",
            "</p>", "</",
            "<!--", "-->", "<script>", "</script>", "<script type=\"application/ld+json\">", "<title>", "</title>",
            "<textarea>", "</textarea>", "<pre>", "</pre>", " href=\"", " srcset='", "\"", "'", "=", " ", "\n", "\r\n",
            "/",
            ":", "javascript:", "//", "?", "&", ",", "\"\"\"", "\\(", "(", ")", "[", "]", "{", "}", "\\", "é", "\u{0}",
            "#\"",
        ]
        var random = SeededGenerator(state: 7)
        var accepted = 0
        for _ in 0..<3_000 {
            let count = Int.random(in: 0...12, using: &random)
            let text = Self.first + (0..<count).map { _ in pieces.randomElement(using: &random)! }.joined()
            let folder = folder(["page": text, "_p": "{% template () %}", "layouts/l": "{% template () %}{% yield %}"])
            if folder.problems.isEmpty {
                accepted += 1
                #expect(folder.swiftFiles(imports: []).count == 4)
            }
        }
        #expect(accepted > 20)
    }

    @Test func `cut anywhere and with any byte turned, good templates never crash it`() throws {
        var random = SeededGenerator(state: 3)
        let files = try FolderTests.fixtures()
        for (name, bytes) in files {
            for cut in stride(from: 0, to: bytes.count, by: 9) { _ = problems(Array(bytes[..<cut]), name: name) }
            for _ in 0..<40 {
                var turned = bytes
                turned[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                _ = problems(turned, name: name)
            }
        }
    }
}
