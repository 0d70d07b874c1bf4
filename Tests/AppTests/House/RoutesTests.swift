import Database
import HTTPTypes
import Testing

@testable import App

/// Every line of the route table, tried as each kind of person.
@Suite struct RoutesTests {
    /// Who there is: nobody signed in, somebody without a hat, each hat alone, both hats under one, a moderator and an
    /// admin.
    private enum Kind: CaseIterable {
        case visitor, member, parent, provider, both, moderator, admin
    }

    private enum Outcome: Equatable {
        case admitted, logIn, makeProfile, switchHat, refused
    }

    private func expected(_ access: String, _ kind: Kind) -> Outcome {
        switch (access, kind) {
        case ("anyone", _): .admitted
        case (_, .visitor): .logIn
        case ("members", _), ("hosts", _), ("lists", _): .admitted
        case ("parents", .parent): .admitted
        case ("parents", .both): .switchHat
        case ("families", .parent), ("families", .both): .admitted
        case ("families", _): .makeProfile
        case ("parents", _): .makeProfile
        case ("providers", .provider), ("providers", .both), ("rosters", .provider), ("rosters", .both): .admitted
        case ("providers", _), ("rosters", _): .makeProfile
        case ("staff", .moderator), ("staff", .admin), ("admins", .admin): .admitted
        default: .refused
        }
    }

    private func outcome(_ page: Page) -> Outcome {
        if page.status == 401, page["Content-Type"] == "application/problem+json" { return .logIn }
        if page.status == 303, let location = page.location {
            if location.hasPrefix("/login?next=") { return .logIn }
            if location.hasPrefix("/me/family?next=") || location.hasPrefix("/me/provider?next=") {
                return .makeProfile
            }
        }
        if page.status == 422, page.heading == "Log in to go on" { return .logIn }
        if page.status == 403 { return page.heading.hasPrefix("This page is for") ? .switchHat : .refused }
        return .admitted
    }

    private func browser(_ kind: Kind, in site: TestSite) async throws -> Browser {
        switch kind {
        case .visitor: return site.browser()
        case .member: return try await site.signIn(.family(1))
        case .parent: return try await site.signIn(.ana, as: .parent)
        case .provider: return try await site.signIn(.ben, as: .provider)
        case .both:
            try await site.family(of: .cleo)
            return try await site.signIn(.cleo, as: .provider)
        case .moderator: return try await site.signIn(.noor, role: .moderator)
        case .admin: return try await site.signIn(.mira, isStaff: true)
        }
    }

    @Test func `every route lets in whom it says and nobody else`() async throws {
        try await withTestSite { site in
            let routes = site.site.routes().all
            #expect(routes.count >= 60)
            for kind in Kind.allCases {
                // `/stream` doesn't end: StreamTests see who gets one.
                for route in routes where route.pattern != "/logout" && route.pattern != "/stream" {
                    let browser = try await browser(kind, in: site)
                    let path = route.pattern.split(separator: "/").map { part in
                        switch part {
                        case ":id": "999999"
                        case "{id}.ics": "999999.ics"
                        case _ where part.hasPrefix(":"): "nothing-here"
                        default: String(part)
                        }
                    }.joined(separator: "/")
                    let token = try await browser.visit("/help").value(of: "csrf")
                    let pairs = token.map { [(name: "csrf", value: $0)] } ?? []
                    let page =
                        route.method == .post
                        ? try await browser.submit("/\(path)", pairs) : try await browser.send("GET", "/\(path)")
                    #expect(
                        outcome(page) == expected(route.access, kind),
                        "\(route.method.rawValue) \(route.pattern) as \(kind): \(page.status) \(page.heading)")
                    #expect(page.status < 500, "\(route.pattern) as \(kind)")
                }
            }
        }
    }

    @Test func `who isn't let in yet comes to the own account alone`() async throws {
        try await withTestSite { site in
            let routes = site.site.routes().all
            #expect(Antechamber.patterns.isSubset(of: Set(routes.map(\.pattern))))
            let ana = try await site.signIn(.ana, as: .parent)
            try await site.execute("UPDATE account SET waits_since = 1 WHERE username = 'ana-ortiz'")
            let token = try #require(try await ana.visit("/me/settings").value(of: "csrf"))
            for route in routes where !Antechamber.patterns.contains(route.pattern) {
                let path = route.pattern.split(separator: "/").map { part in
                    part.hasPrefix(":") ? "1" : part == "{id}.ics" ? "1.ics" : String(part)
                }.joined(separator: "/")
                let page =
                    route.method == .post
                    ? try await ana.submit("/\(path)", [("csrf", token)]) : try await ana.send("GET", "/\(path)")
                #expect(page.status == 303 && page.location == "/waiting", "\(route.pattern): \(page.status)")
            }
            // Twin: let in, the same session opens them.
            try await site.execute("UPDATE account SET waits_since = NULL")
            for path in ["/", "/events", "/me"] { #expect(try await ana.visit(path).path == path) }
        }
    }

    @Test func `every change wants the session's token`() async throws {
        try await withTestSite { site in
            let staff = try await site.signIn(.mira, as: .parent, isStaff: true)
            for route in site.site.routes().all where route.method == .post && route.access != "anyone" {
                let path = route.pattern.split(separator: "/").map { $0.hasPrefix(":") ? "1" : String($0) }
                let page = try await staff.submit("/" + path.joined(separator: "/"), [])
                #expect(page.status == 403, "\(route.pattern): \(page.status)")
            }
        }
    }

    @Test func `a wrong method is told which ones there are`() async throws {
        try await withTestSite { site in
            let page = try await site.browser().submit("/events", [])
            #expect(page.status == 405)
            #expect(page["Allow"] == "GET, HEAD")
            #expect(try await site.browser().send("DELETE", "/login")["Allow"] == "GET, HEAD, POST")
        }
    }
}
