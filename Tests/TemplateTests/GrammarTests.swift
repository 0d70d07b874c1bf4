import Foundation
import Templating
import Testing

@testable import TemplateCompiler

/// Five hundred templates of a grammar, compiled as the site's are, drawn with hostile values, and read by a real HTML
/// parser: no value changes a page.
@Suite struct GrammarTests {
    private static let count = 500

    /// What a value could break out with; the first is harmless.
    private static let values = [
        "mild", "\"'> <x-evil x-evil=1>--></script></style></title></textarea></svg></select><x-evil>", "",
        "javascript:alert(1)//", "/evil.example", " ' onfocus=alert(1) x-evil='",
        "//evil.example/\u{2028}\t&sol;&colon;",
        "evil.example, //evil.example 2x", "lt;x-evil&gt;<!--{{ v.x }}]]>",
    ]

    @Test func `templates of a grammar give the same page whatever their values`() throws {
        var grammar = Grammar(seed: 500)
        var texts: [String] = []
        var refused = 0
        var seen: Set<String> = []
        while texts.count < Self.count {
            let made = grammar.template()
            refused += made.refused
            if seen.insert(made.text).inserted { texts.append(made.text) }
        }
        // Mischief is among them: most of it refused, but not all.
        #expect(refused > 500, "\(refused)")

        let pages = try Self.draw(texts)
        try #require(pages.count == texts.count && pages.allSatisfy { $0.count == Self.values.count })
        let verdicts = try Self.judge(pages)
        for (number, verdict) in verdicts.enumerated() {
            for page in verdict {
                Issue.record("\(Self.values[page].debugDescription) changes \(texts[number]): \(pages[number][page])")
            }
        }

        // The twin: the values put in by hand.
        let raw = pages.map { [$0[0], $0[0].replacing("mild", with: Self.values[1])] }
        let broken = try Self.judge(raw)
        #expect(broken.count { $0 == [1] } > Self.count * 9 / 10)
    }

    @Test(arguments: [
        // What is refused, with escaped values in it, the harmless one first.
        ["<a href=\"/mild/mild\">", "<a href=\"//evil.example\">"],
        ["<a href=\"/mild\">", "<a href=\"/\t/evil.example\">"],
        ["<a href=\"mild&colon;x\">", "<a href=\"javascript&colon;x\">"],
        ["<a href=\"/&sol;a\">", "<a href=\"/&sol;evil\">"],
        ["<img srcset=\"/mild //a\">", "<img srcset=\" //evil\">"],
        ["<img srcset='/a 1x, /mild'>", "<img srcset='/a, //evil'>"],
        [
            "<svg></math><style><a title=\"</style><b title=\"mild\">",
            "<svg></math><style><a title=\"</style><b title=\"x onfocus=alert(1) y\">",
        ],
        ["<svg><style>a</style></svg>", "<svg><style><b></style></svg>"],
    ])
    func `the judge sees what would break out`(pages: [String]) throws {
        #expect(try Self.judge([pages]) == [[1]])
        #expect(try Self.judge([[pages[0], pages[0]]]) == [[]])
    }

    // MARK: Drawing

    /// The pages of each template, one for each value: all of them compiled as one program, by what the plugin runs.
    private static func draw(_ texts: [String]) throws -> [[String]] {
        var files = ["_part": "{% template (v: Values) %}<i title='{{ v.x }}'>{{ v.x }}</i>"]
        for (number, text) in texts.enumerated() { files["t\(number)"] = text }
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
        return try withFolder { folder in
            for (name, text) in TemplateTests.folder(files).swiftFiles(imports: []) {
                try Data(text.utf8).write(to: folder.appending(path: name))
            }
            try Data(program(texts.count).utf8).write(to: folder.appending(path: "main.swift"))
            // All of it is one module here.
            for module in ["Domains", "Templating"] {
                let from = sources.appending(path: module)
                for name in try FileManager.default.contentsOfDirectory(atPath: from.path)
                where name.hasSuffix(".swift") {
                    let text = try String(contentsOf: from.appending(path: name), encoding: .utf8)
                    try Data(text.replacing("import Domains", with: "").utf8)
                        .write(to: folder.appending(path: "\(module)-\(name)"))
                }
            }
            let paths = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let compiled = try run(
                "swiftc",
                ["-swift-version", "6", "-Onone", "-wmo", "-num-threads", "2", "-module-name", "Pages", "-o", "pages"]
                    + paths, in: folder)
            try #require(compiled.status == 0, "\(compiled.text.prefix(2_000))")
            let drawn = try run(folder.appending(path: "pages").path, [])
            try #require(drawn.status == 0, "\(drawn.text.suffix(500))")
            // No template may have a NUL.
            return drawn.output.split(separator: 0, omittingEmptySubsequences: false).dropLast()
                .map { String(decoding: $0, as: UTF8.self) }.chunked(by: values.count)
        }
    }

    private static func program(_ count: Int) -> String {
        let list = values.map { Emitter.literal(Array($0.utf8)) }.joined(separator: ", ")
        return """
            struct Frame: TemplateFrame { var catalogue: Catalogue? }
            struct Values: Sendable {
                let x: String
                /// A whole URL is hostile in every other page, so that the rest shows where they lead.
                let url: String
                let n: Int
                let s: [String]
                let b: Bool
                let c: Bool
                var link: Link { Link("/") }
                var html: HTML { HTML(escaping: x) }
                var data: JSONLD { JSONLD(.object([(name: x, value: .string(x))])) }
                var sheet: StyleSheet { StyleSheet(x) ?? StyleSheet("p { }")! }
            }
            func view(_ number: Int, _ v: Values) -> View<Frame> {
                switch number {
                \((0..<count - 1).map { "case \($0): Templates.t\($0)(v: v)" }.joined(separator: "\n    "))
                default: Templates.t\(count - 1)(v: v)
                }
            }
            let values: [String] = [\(list)]
            for number in 0..<\(count) {
                for (index, x) in values.enumerated() {
                    let v = Values(
                        x: x, url: index % 2 == 1 ? x : "/", n: number, s: Array(repeating: x, count: number % 3),
                        b: number % 2 == 0, c: number % 5 < 3)
                    print(String(decoding: view(number, v).bytes(in: Frame()), as: UTF8.self), terminator: "\\0")
                }
            }

            """
    }

    // MARK: Judging

    /// Which pages of each group differ from its first one: in the elements and their attributes' names, or in where
    /// a URL leads, as far as the value was no whole URL.
    private static func judge(_ groups: [[String]]) throws -> [[Int]] {
        let python = ProcessInfo.processInfo.environment["VILLAGE_PYTHON"] ?? "python3"
        let result = try run(python, ["-c", script], input: try JSONEncoder().encode(groups))
        try #require(result.status == 0, "\(result.text.suffix(500))")
        return try JSONDecoder().decode([[Int]].self, from: result.output)
    }

    private static let script = """
        import json, re, sys
        import html5lib
        URLS = {"href", "src", "action", "formaction", "poster", "cite", "data", "background", "ping"}
        def plain(name): return name.split("}")[-1] if isinstance(name, str) else "!comment"
        def target(url):
            # As the URL Standard reads it, up to the host.
            url = re.sub("[\\t\\n\\r]", "", url.strip("".join(map(chr, range(0x21))))).replace("\\\\", "/")
            scheme = re.match("([A-Za-z][A-Za-z0-9+.-]*):", url)
            name = scheme.group(1).lower() if scheme else ""
            rest = url[scheme.end():] if scheme else url
            if name in ("http", "https", "ftp", "") and (name or rest.startswith("//")):
                return name + "//" + re.split("[/?#]", rest.lstrip("/"))[0]
            return name
        def candidates(text):
            # The HTML Standard's way through a srcset.
            while text := text.lstrip("\\t\\n\\f\\r ,"):
                url = re.match("[^\\t\\n\\f\\r ]*", text).group()
                text = text[len(url):]
                yield url.rstrip(",")
                if not url.endswith(","):
                    depth = re.match("(?:[^,(]|\\\\([^)]*\\\\)?)*", text).group()
                    text = text[len(depth):]
        def read(page):
            shape, leads = [], []
            for node in html5lib.parse(page, namespaceHTMLElements=False).iter():
                names = sorted(plain(name) for name in node.attrib)
                shape.append((plain(node.tag), names))
                for name, value in sorted(node.attrib.items(), key=lambda pair: str(pair[0])):
                    if plain(name) in URLS: leads.append(target(value))
                    if plain(name) == "srcset": leads += map(target, filter(None, candidates(value)))
            return shape, leads
        verdicts = []
        for group in json.loads(sys.stdin.buffer.read()):
            pages = [read(page) for page in group]
            differs = [
                number for number, (shape, leads) in enumerate(pages) if shape != pages[0][0]
                or any(name in ("javascript", "data", "vbscript") for name in leads)
                or (number % 2 == 0 or len(group) == 2) and set(leads) - {""} != set(pages[0][1]) - {""}]
            verdicts.append(differs)
        json.dump(verdicts, sys.stdout)
        """
}

extension Array {
    fileprivate func chunked(by size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
