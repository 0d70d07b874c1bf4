import Foundation
import Testing

/// What stands around every page looks the same on all of them.
@Suite struct SheetsTests {
    /// The classes that the templates of the frame use.
    private static func classes(of templates: [String]) -> Set<String> {
        Set(
            templates.flatMap { text in
                text.matches(of: /class="([^"]*)"/).flatMap { match in
                    match.output.1.replacing(/\{.*?\}/, with: " ").split(whereSeparator: \.isWhitespace).map(
                        String.init)
                }
            })
    }

    /// The classes that a sheet styles wherever they stand: a rule that begins with one and names no other beside it.
    private static func styled(by sheet: String) -> [String] {
        sheet.replacing(/\/\*[\s\S]*?\*\//, with: "").split(separator: "\n").flatMap { line in
            line.prefix { $0 != "{" }.split(separator: ",").compactMap { selector in
                selector.prefixMatch(of: /\s*\.([\w-]+)(?=[\s:]|$)/).map { String($0.output.1) }
            }
        }
    }

    @Test func `no sheet of a room styles a class of the frame`() throws {
        let root = SourcesTests.root
        let files = FileManager.default
        let layouts = root.appending(path: "Templates/layouts")
        let templates = try files.contentsOfDirectory(atPath: layouts.path).map {
            try String(contentsOf: layouts.appending(path: $0), encoding: .utf8)
        }
        let frame = Self.classes(of: templates)
        #expect(frame.isSuperset(of: ["logo", "brand", "top", "footer"]))
        let rooms = root.appending(path: "Public/css/rooms")
        let sheets = try files.subpathsOfDirectory(atPath: rooms.path).filter { $0.hasSuffix(".css") }
        #expect(sheets.count > 20)
        for name in sheets {
            let sheet = try String(contentsOf: rooms.appending(path: name), encoding: .utf8)
            let both = Self.styled(by: sheet).filter(frame.contains)
            #expect(both.isEmpty, "\(name): \(both)")
        }
        #expect(Self.styled(by: "  .logo { a: b; }\n  .panel.notices { c: d; }") == ["logo"])
    }
}
