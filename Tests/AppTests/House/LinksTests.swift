import Foundation
import Testing

@testable import App

/// Each address of the site is written once, in `Links.swift`, and leads to a route of the table.
@Suite struct LinksTests {
    /// Sources with addresses of their own, and why.
    private static let exempt: [String: String] = [
        "Routes.swift": "the table itself",
        "Links.swift": "the links themselves",
        "Machines/API/OpenAPI.swift": "the document that describes the API",
        "Machines/Health/MachineController.swift": "robots.txt, whose addresses are beginnings and patterns",
        "Web/Answer/Documents.swift": "the beginning of all that programs read",
    ]

    /// Whether an address, with `*` for what is filled in, is that of a route or begins one.
    private static func leads(_ address: [String], to pattern: String) -> Bool {
        let route = pattern.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        return address.count <= route.count
            && zip(address, route).allSatisfy { own, theirs in
                switch theirs.first {
                case ":": own == "*"
                case "{": own.hasPrefix("*.")
                default: own == theirs
                }
            }
    }

    private static func segments(_ path: some StringProtocol) -> [String] {
        String(path).split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    }

    /// The address of each link that a source declares, with `*` for what is filled in.
    private static func addresses(in source: String) -> [String: [String]] {
        var found: [String: [String]] = [:]
        for match in source.matches(of: /static let (\w+) = Link\("([^"]+)"\)/) {
            found[String(match.output.1)] = segments(match.output.2)
        }
        for match in source.matches(of: /static func (\w+\()([^)]*)\) -> Link \{\s*([^{}]+?)\s*\}/) {
            let parts = match.output.3.split(separator: " / ")
            let word = String(parts[0].drop { $0 == "." }.prefix { $0.isLetter })
            let base =
                parts[0].firstMatch(of: /^Link\("([^"]+)"\)/).map { segments($0.output.1) }
                ?? found[parts[0].first == "." ? word + "(" : word]
            let rest = parts.dropFirst().map { part in
                part.hasPrefix("\"") ? part.replacing(/\\\(\w+\)/, with: "*").filter { $0 != "\"" } : "*"
            }
            let isNamed = match.output.1 == "event("
            found[isNamed ? "event(" : "\(match.output.1)\(match.output.2)"] = base.map { $0 + rest } ?? ["?"]
        }
        return found
    }

    /// The links of a source that lead to no route.
    private static func astray(in source: String, _ routes: [Route]) -> [String] {
        addresses(in: source).filter { link in !routes.contains { leads(link.value, to: $0.pattern) } }.keys.sorted()
    }

    @Test func `each link leads to a route`() async throws {
        let path = SourcesTests.root.appending(path: "Sources/App/Links.swift")
        let source = try String(contentsOf: path, encoding: .utf8)
        try await withTestSite { site in
            let routes = site.site.routes().all
            #expect(Self.addresses(in: source).count > 120)
            #expect(Self.astray(in: source, routes) == [])
            // The twin: routes that have other names by now.
            let twin = """
                static let gone = Link("/gone")
                static let events = Link("/events")
                static func event(_ id: ID<Event>) -> Link { events / id }
                static func gone(_ event: ID<Event>) -> Link { .event(event) / "gone" }
                static func file(_ event: ID<Event>) -> Link { events / "\\(event).gone" / "x" }
                """
            #expect(Self.astray(in: twin, routes).count == 3)
        }
    }

    /// Addresses in a template, and links within an expression's text, which would stand on the page as they are.
    private static func written(inTemplate text: String) -> [String] {
        text.matches(of: /"\/(?!>)[^"]*"|\{\{[^}]*\{\{/).map { String($0.output) }
    }

    @Test func `no template writes an address`() throws {
        for file in try SourcesTests.files(in: "Templates", ending: ".html") {
            #expect(Self.written(inTemplate: file.text) == [], "\(file.path)")
        }
        let twin = #"<a href="/events"><path d="M0 0"/><a href="{{ next ?? "{{ Link.events }}" }}">"#
        #expect(Self.written(inTemplate: twin).count == 2)
    }

    /// The addresses of routes, and what begins one, among the texts of a source.
    private static func written(in source: String, _ routes: [Route]) -> [String] {
        source.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.flatMap { line in
            line.matches(of: /"(\/[\w.][^"?#\\\s]*)/).map { String($0.output.1) }
        }.filter { text in
            let own = segments(text)
            return routes.contains { route in
                let theirs = segments(route.pattern)
                return own.count <= theirs.count
                    && zip(own, theirs).allSatisfy { $0 == $1 || $1.hasPrefix(":") || $1.hasPrefix("{") }
            }
        }
    }

    @Test func `no source but the table and its links writes an address`() async throws {
        try await withTestSite { site in
            let routes = site.site.routes().all
            for file in try SourcesTests.files(in: "Sources/App")
            where Self.exempt[String(file.path.dropFirst("Sources/App/".count))] == nil {
                #expect(Self.written(in: file.text, routes) == [], "\(file.path)")
            }
            let twin = #"Link("/posts") / id; redirect(to: Link("/events/7/edit?x=1")); "/usr/bin"; "/backups""#
            #expect(Self.written(in: twin, routes) == ["/posts", "/events/7/edit"])
        }
    }
}
