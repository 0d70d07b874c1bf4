import Foundation
import HTTPTypes
import Testing

@testable import App

/// A POST of the route table, with the handler that its line in the source names.
struct PostLine {
    let route: Route
    /// Such as `posting.create`.
    let handler: String
    /// Such as `PostingController`.
    let controller: String

    /// The handler's name without its controller.
    var function: String { String(handler.split(separator: ".")[1]) }

    /// Every POST of the site; each has a line in the source.
    static func all() async throws -> [PostLine] {
        var lines: [PostLine] = []
        try await withTestSite { site in lines = try all(of: site) }
        return lines
    }

    private static func all(of site: TestSite) throws -> [PostLine] {
        let source = try String(
            contentsOf: SourcesTests.root.appending(path: "Sources/App/Routes.swift"), encoding: .utf8)
        let controllers = Dictionary(
            uniqueKeysWithValues: source.matches(of: /let (\w+) = (\w+)\(site: site(?:, kind: \.\w+)?\)/).map {
                (String($0.output.1), String($0.output.2))
            })
        let handlers = Dictionary(
            uniqueKeysWithValues: source.matches(of: /\.post\(\s*"([^"]*)",(?:[^"]|\n)*?use: (\w+)\.(\w+)\)/).map {
                ("/" + $0.output.1, (String($0.output.2), String($0.output.3)))
            })
        return try site.site.routes().all.filter { $0.method == .post }.map { route in
            let (name, function) = try #require(handlers[route.pattern], "\(route.pattern)")
            return PostLine(
                route: route, handler: "\(name).\(function)", controller: try #require(controllers[name], "\(name)"))
        }
    }
}
