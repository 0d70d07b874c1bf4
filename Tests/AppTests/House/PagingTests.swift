import Foundation
import Testing

@testable import App

/// Lists go on in one way: see `Cursor`, `Page` and `shared/_more`.
@Suite struct PagingTests {
    /// Links that lead on, but through no list.
    private static let otherWaysOn: Set<String> = [
        // The week or month after, and the next card.
        "Templates/events/week/_bar.html", "Templates/events/month.html", "Templates/community/playdates/begin.html",
        // From the beginning of a list to the page that has all of it.
        "Templates/helping/signups/_ahead.html", "Templates/helping/needs/_today.html",
    ]

    /// Lists of which nothing is said where a page of them has no rows: the first words of a talk, and two parts that
    /// say it where they are included.
    private static let silentWhenEmpty: Set<String> = [
        "Templates/community/messages/_talk.html", "Templates/helping/signups/_ahead.html",
        "Templates/helping/reviews/_own.html",
    ]

    /// Whether a list calls itself empty where only its last page is.
    private static func misleads(_ path: String, _ text: String) -> Bool {
        // Those that say it in words of their own.
        let signs = ["frame.beginning", "events/_none"]
        return text.contains("include shared/_more(") && !silentWhenEmpty.contains(path)
            && !signs.contains { text.contains($0) }
    }

    /// What programs read behind a number, and is no list of a page: news.
    private static let otherReaders: Set<String> = ["Sources/App/People/Stream/StreamController.swift"]

    /// What makes a link to more outside `shared/_more`.
    private static func problems(ofTemplate path: String, _ text: String) -> [String] {
        guard path != "Templates/shared/_more.html", !otherWaysOn.contains(path) else { return [] }
        return ["rel=\"next\"", "class=\"more\""].filter { text.contains($0) }
    }

    /// What reads, writes or takes a cursor in a way of its own.
    private static func problems(ofSource path: String, _ text: String) throws -> [String] {
        var problems: [String] = []
        let isPaging = ["Shared/Cursor.swift", "Shared/Page.swift"].contains { path.hasSuffix($0) }
        guard !isPaging, !otherReaders.contains(path) else { return [] }
        // Most sources hold none of what is looked for below, and a regex takes its time to find that out.
        let signs =
            ["after", "before", "behind", "offset", "cursor"].map { "\"\($0)\"" } + ["Cursor", "-> Page<"]
        guard signs.contains(where: { strstr(text, $0) != nil }) else { return [] }
        let item = /(?:query\[|with\(|add\(|\()"(?:after|before|behind|offset|cursor)"[\],]/
        problems += text.matches(of: item).map { "\($0.output)" }
        problems += text.matches(of: /struct \w*Cursor\b|Cursor(?:<[^()]*>)?\(text:/).map { "\($0.output)" }
        // Each query that gives a page goes on behind a cursor, if behind anything.
        for query in text.matches(of: /func (\w+)\(([^{}]*?)\)\s*(?:throws )?-> Page</) {
            let (_, name, parameters) = query.output
            let places = parameters.matches(of: /\b(?:after|before|behind)\b[\w ]*: ([\w.]+)/).map(\.output.1)
            for type in places where type != "Cursor" && !type.hasSuffix("Position") {
                problems.append("\(name) goes on behind \(type)")
            }
        }
        return problems
    }

    @Test func `lists go on by one link, one cursor and one name`() throws {
        for (path, text) in try SourcesTests.files(in: "Templates", ending: ".html") {
            #expect(Self.problems(ofTemplate: path, text).isEmpty, "\(path): include shared/_more")
            #expect(!Self.misleads(path, text), "\(path): include shared/_end where a page behind the first is empty")
        }
        for (path, text) in try SourcesTests.files(in: "Sources/App") {
            let problems = try Self.problems(ofSource: path, text)
            #expect(problems.isEmpty, "\(path): \(problems)")
        }
        for path in Self.otherWaysOn.union(Self.otherReaders).union(Self.silentWhenEmpty) {
            #expect(FileManager.default.fileExists(atPath: SourcesTests.root.appending(path: path).path), "\(path)")
        }
    }

    @Test(arguments: [
        #"let after = context.query["after"].flatMap { ID<Claim>($0) }"#,
        #"more = page.end.map { link.with("before", "\($0.id)") }"#,
        #"add("after", after?.text)"#,
        "    struct Cursor: Sendable {\n", "let after = Cursor<ID<Post>>(text: typed)",
        "static func all(of author: ID<Account>, before: ID<Need>? = nil, in db: Connection) throws -> Page<Need> {",
        "func found(\n    after last: String?, in db: Connection\n) throws -> Page<Account> {",
    ])
    func `a way of its own is found out`(source: String) throws {
        #expect(try !Self.problems(ofSource: "Sources/App/Example.swift", source).isEmpty)
    }

    @Test func `a list that calls itself empty behind its last page is found out`() {
        let more = #"{% if rows.isEmpty %}Nothing yet.{% end %}{% include shared/_more(link: more, words: "More") %}"#
        #expect(Self.misleads("Templates/example.html", more))
        #expect(!Self.misleads("Templates/example.html", more + "{% if let first = frame.beginning %}"))
    }

    /// Each list has its name once, and says in a template when a page of it is behind the last.
    @Test func `each list of a page leads back to where it begins`() throws {
        let templates = try SourcesTests.files(in: "Templates", ending: ".html").map(\.text)
        let sources = try SourcesTests.files(in: "Sources/App").map(\.text)
        for list in ListName.allCases where list != .main {
            let beginning = try Regex("frame\\.beginning\\(of: [^)]*\\.\(list)\\b")
            #expect(templates.contains { $0.contains(beginning) }, "\(list) has no shared/_end")
            #expect(sources.contains { $0.contains("context.after(.\(list))") }, "\(list) is read nowhere")
        }
    }

    @Test(arguments: [
        #"<p class="more"><a href="{{ more }}">{% t %}Show more{% end %}</a></p>"#,
        #"<a class="button" href="{{ more }}" rel="next">{% t %}Older reviews{% end %}</a>"#,
    ])
    func `a link of its own is found out`(template: String) {
        #expect(!Self.problems(ofTemplate: "Templates/example.html", template).isEmpty)
    }
}
