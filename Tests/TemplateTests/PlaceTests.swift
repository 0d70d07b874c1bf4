import Foundation
import Templating
import Testing

@testable import TemplateCompiler

/// The compiler's idea of where a value stands, held against a real HTML parser.
@Suite struct PlaceTests {
    /// What breaks out of any place that it isn't escaped for.
    private static let hostile = "\"'> <x-evil x-evil=1 onx-evil=1></script></style></title></textarea>--><x-evil>"

    private static let pieces = [
        "{{ x }}", "{{ x }}", "{{ x }}", "{% if b %}", "{% else %}", "{% end %}", "{% end %}", "{% for a in s %}",
        "{# c #}",
        "<p", "<p ", "<a href=\"", "<a href='/a?", " title=\"", " title='", " class=", "\"", "\"", "'", ">", ">", "/>",
        "</p>", "<!-- ", "-->", "<script>", "</script>", "<script type=\"application/ld+json\">", "<style>", "</style>",
        "<title>", "</title>", "<textarea>", "</textarea>", "<pre>", "</pre>", "<svg>", "</svg>", "<svg/>", "<math>",
        "<img srcset=\"", "<iframe>", "</iframe>", "<noscript>", "</noscript>", "<", "&", "=", " ", "\n", "a", "/", ":",
        ",",
        "<meta http-equiv=\"", "<select>", "<table>", "<!DOCTYPE html>", "<![CDATA[", "]]>", "<?", "--!>", "</a b>",
        "<xmp>",
    ]

    /// Draws a template as its Swift would, with `hostile` for each value; branches and turns are chosen at random.
    private static func draw(_ nodes: [Node], into buffer: inout [UInt8], _ random: inout SeededGenerator) {
        for node in nodes {
            switch node {
            case .markup(let bytes): buffer += bytes
            case .value(_, let place):
                var out = HTMLBuffer()
                switch place {
                case .text: out.text(hostile)
                case .attribute: out.attribute(hostile)
                case .url: out.url(hostile)
                case .link: out.link(Link(path: hostile))
                case .listedURL: out.listedURL(hostile)
                case .urlPart: out.urlPart(hostile)
                case .json: out.json(JSONLD(.string(hostile)))
                case .styleSheet: if let sheet = StyleSheet(hostile) { out.styleSheet(sheet) }
                }
                buffer += out.finish()
            case .choice(let choice):
                let ways = choice.branches.count + (choice.isComplete ? 0 : 1)
                let index = Int.random(in: 0..<ways, using: &random)
                if index < choice.branches.count { draw(choice.branches[index].body, into: &buffer, &random) }
            case .loop(_, let body, _):
                for _ in 0..<Int.random(in: 0...2, using: &random) { draw(body, into: &buffer, &random) }
            case .include, .yield, .message: break
            }
        }
    }

    private static func count(_ nodes: [Node]) -> Int {
        nodes.reduce(0) { sum, node in
            switch node {
            case .value: sum + 1
            case .choice(let choice): sum + count(choice.branches.flatMap(\.body))
            case .loop(_, let body, let empty): sum + count(body + empty)
            default: sum
            }
        }
    }

    @Test func `in whatever the compiler accepts, no value leaves its place`() throws {
        var random = SeededGenerator(state: 11)
        var texts: [String] = []
        var pages: [String] = []
        while pages.count < 400 {
            let text = (0..<Int.random(in: 2...9, using: &random))
                .map { _ in Self.pieces.randomElement(using: &random)! }.joined()
            let folder = folder(["page": "{% template (x: String, b: Bool, s: [String]) %}" + text])
            guard folder.problems.isEmpty, Self.count(folder.templates[0].body) > 0 else { continue }
            var bytes: [UInt8] = []
            Self.draw(folder.templates[0].body, into: &bytes, &random)
            texts.append(text)
            pages.append(String(decoding: bytes, as: UTF8.self))
        }
        for (text, page) in zip(texts, try Browser.parse(pages)) {
            #expect(
                !page.contains { $0.name == "x-evil" || $0.attributes.keys.contains { $0.contains("x-evil") } },
                "\(text.debugDescription)")
        }
        // The twin: what is refused does leave it.
        let refused = try Browser.parse([
            "<p class=a\(Self.hostile)>", "<p \(Self.hostile)>", "<!-- \(Self.hostile) -->",
            "<script>\(Self.hostile)</script>",
        ])
        for page in refused { #expect(page.contains { $0.name == "x-evil" }) }
    }
}
