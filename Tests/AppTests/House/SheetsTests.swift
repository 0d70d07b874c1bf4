import Foundation
import Testing

/// What looks the same everywhere is in the sheet of every page, and a page has the sheets of what it shows.
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

    /// Whether pages come in within 150 milliseconds, and at once where somebody wishes for a page at rest.
    private static func isCalm(_ sheet: String) -> Bool {
        let around = /@media \(prefers-reduced-motion: no-preference\) \{\n((?:  .*\n)*)\}/
        let inside = sheet.matches(of: around).map { String($0.output.1) }.joined()
        let outside = sheet.replacing(around, with: "")
        let lasts = inside.matches(of: /animation-duration: (\d+)ms/).compactMap { Int($0.output.1) }
        return inside.contains("@view-transition {") && !outside.contains("view-transition")
            && !lasts.isEmpty && lasts.allSatisfy { $0 <= 150 }
    }

    @Test func `a page comes in over another within a moment, and at once for those who wish for rest`() throws {
        let path = SourcesTests.root.appending(path: "Public/css/base.css")
        let sheet = try String(contentsOf: path, encoding: .utf8)
        #expect(Self.isCalm(sheet))
        // The twins: for everybody, and for too long.
        #expect(!Self.isCalm("@view-transition { navigation: auto; }\n\(sheet)"))
        #expect(!Self.isCalm(sheet.replacing("animation-duration: 120ms", with: "animation-duration: 400ms")))
    }

    // MARK: The sheets of a page

    /// What the sheets style: found out once for all pages.
    private struct Sheets {
        /// The classes that those of every page name.
        let everywhere: Set<String>
        /// The same of each room.
        let rooms: [String: Set<String>]
        /// What the rooms' sheets style wherever it stands.
        let foreign: Set<String>

        init(everywhere: [String], rooms: [String: [String]]) {
            self.everywhere = everywhere.reduce(into: []) { $0.formUnion(named(by: $1)) }
            self.rooms = rooms.mapValues { sheets in sheets.reduce(into: []) { $0.formUnion(named(by: $1)) } }
            foreign = Set(rooms.values.joined().flatMap(styled))
        }
    }

    /// Every `.class` that a sheet names.
    private static func named(by sheet: String) -> Set<String> {
        let rules = sheet.replacing(/\/\*[\s\S]*?\*\//, with: "")
        return Set(rules.matches(of: /\.([a-z][\w-]*)/).map { String($0.output.1) })
    }

    /// A template and all that it includes, by their names.
    private static func reached(from name: String, in templates: [String: String]) -> Set<String> {
        var (found, open): (Set<String>, [String]) = ([], [name])
        while let next = open.popLast() {
            guard let text = templates[next], found.insert(next).inserted else { continue }
            open += text.matches(of: /\{%\s*include\s+([\w\/-]+)/).map { String($0.output.1) }
        }
        return found
    }

    /// The classes that a page shows and that only sheets style which it doesn't have.
    private static func bare(_ name: String, in templates: [String: String], _ sheets: Sheets) -> Set<String> {
        guard let text = templates[name], let layout = text.firstMatch(of: /\{% layout \w+\(([\s\S]*?)%\}/) else {
            return []
        }
        let named = layout.output.1.firstMatch(of: /sheets: \[([^\]]*)\]/)?.output.1 ?? ""
        let own = named.matches(of: /\w+/).map { String($0.output) }
        let known = own.reduce(into: sheets.everywhere) { $0.formUnion(sheets.rooms[$1] ?? []) }
        return classes(of: reached(from: name, in: templates).compactMap { templates[$0] })
            .intersection(sheets.foreign).subtracting(known)
    }

    @Test func `a page has the sheets of all that it shows`() throws {
        func read(_ folder: String, _ ending: String) throws -> [String: String] {
            let folder = SourcesTests.root.appending(path: folder)
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(ending) }
            return Dictionary(
                uniqueKeysWithValues: try names.map { name in
                    let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
                    return (String(name.dropLast(ending.count)), text)
                })
        }
        let templates = try read("Templates", ".html")
        var (everywhere, rooms): ([String], [String: [String]]) = ([], [:])
        for (name, sheet) in try read("Public/css", ".css") {
            let parts = name.split(separator: "/").map(String.init)
            if parts.first == "rooms" {
                rooms[parts[1], default: []].append(sheet)
            } else {
                everywhere.append(sheet)
            }
        }
        let sheets = Sheets(everywhere: everywhere, rooms: rooms)
        #expect(templates.count > 200 && rooms.count > 10)
        for name in templates.keys.sorted() {
            let bare = Self.bare(name, in: templates, sheets)
            #expect(bare.isEmpty, "\(name) lacks the sheet of \(bare.sorted())")
        }
        // Twin: without its sheet the yearly table is bare.
        let report = "people/reporting/report"
        let without = templates.merging([report: templates[report]?.replacing(".charts, ", with: "") ?? ""]) { $1 }
        let bare = Self.bare(report, in: without, sheets)
        #expect(bare == ["figures"], "\(bare)")
    }

    @Test func `an icon has its size from the sheet of every page, not from each place where it stands`() throws {
        let root = SourcesTests.root
        func text(_ path: String) throws -> String {
            try String(contentsOf: root.appending(path: path), encoding: .utf8)
        }
        let rule = try #require(try text("Public/css/components/icon.css").firstMatch(of: /\.icon \{([^}]*)\}/))
        #expect(rule.output.1.contains("inline-size:") && rule.output.1.contains("block-size:"))
        let templates = try SourcesTests.files(in: "Templates", ending: ".html")
        #expect(templates.count > 100)
        for (path, text) in templates {
            let sized = text.matches(of: /<svg class="icon[^>]*\swidth=/).map { String($0.output) }
            #expect(sized.isEmpty, "\(path): \(sized)")
        }
    }
}
