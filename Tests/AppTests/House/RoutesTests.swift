import Database
import HTTPTypes
import Templating
import Testing

@testable import App

/// Every line of the route table, tried as each kind of person.
@Suite struct RoutesTests {
    /// The kinds of visitor: nobody signed in, somebody without a hat, each hat alone, both hats under one, a moderator
    /// and an admin.
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

    @Test(.tags(.slow)) func `every route lets in whom it says and nobody else`() async throws {
        try await withTestSite { site in
            let routes = site.site.routes().all
            #expect(routes.count >= 60)
            // `/stream` doesn't end: StreamTests see who gets one.
            let tried = routes.filter { $0.pattern != "/logout" && $0.pattern != "/stream" }
            for kind in Kind.allCases {
                let reader = try await browser(kind, in: site)
                for route in tried where route.method == .get {
                    expect(try await reader.send("GET", path(route.pattern)), of: route, as: kind)
                }
                let name = Cookie.name(Session.cookieName, in: site.site.settings)
                var (sender, session) = (Browser?.none, String?.none)
                var pairs: [(name: String, value: String)] = []
                for route in tried where route.method == .post {
                    let current: Browser
                    // Some forms end sessions, and one that ended lets nobody in.
                    if let sender, sender.cookie(name) == session {
                        current = sender
                    } else {
                        current = try await browser(kind, in: site)
                        let token = try await current.visit("/help").value(of: "csrf")
                        pairs = token.map { [(name: "csrf", value: $0)] } ?? []
                        (sender, session) = (current, current.cookie(name))
                    }
                    expect(try await current.submit(path(route.pattern), pairs), of: route, as: kind)
                }
            }
        }
    }

    /// A route's path, with nothing that exists in place of its parameters.
    private func path(_ pattern: String) -> String {
        "/"
            + pattern.split(separator: "/").map { part in
                switch part {
                case ":id": "999999"
                case "{id}.ics": "999999.ics"
                case "{id}.json": "999999.json"
                case _ where part.hasPrefix(":"): "nothing-here"
                default: String(part)
                }
            }.joined(separator: "/")
    }

    private func expect(_ page: Page, of route: Route, as kind: Kind) {
        #expect(
            outcome(page) == expected(route.access, kind),
            "\(route.method.rawValue) \(route.pattern) as \(kind): \(page.status) \(page.heading)")
        #expect(page.status < 500, "\(route.pattern) as \(kind)")
    }

    @Test func `who isn't let in yet comes to the own account, and sees what a stranger sees`() async throws {
        try await withTestSite { site in
            let routes = site.site.routes().all
            _ = try await site.publish(by: .ben)
            let (ana, stranger) = (try await site.signIn(.ana, as: .parent), site.browser())
            func post(_ text: String, _ audience: String) async throws {
                _ = try await ana.visit("/timeline/new").press(
                    "Preview", filling: ["text": .text(text), "audience": .text(audience)]
                ).press("Post it")
            }
            try await post("Hello, everybody.", "everyone")
            try await post("Hello, members.", "members")
            try await site.execute("UPDATE account SET waits_since = 1 WHERE username = 'ana-ortiz'")
            let token = try #require(try await ana.visit("/me/settings").value(of: "csrf"))
            for route in routes where !route.traits.contains(.openWhileWaiting) {
                let path =
                    "/"
                    + route.pattern.split(separator: "/").map { part in
                        part.hasPrefix(":") ? "1" : part.hasPrefix("{id}") ? "1" + part.dropFirst(4) : String(part)
                    }.joined(separator: "/")
                func page(_ browser: Browser) async throws -> Page {
                    route.method == .post
                        ? try await browser.submit(path, [("csrf", token)]) : try await browser.send("GET", path)
                }
                let own = try await page(ana)
                guard route.isForAnyone, !route.traits.contains(.entrance) else {
                    #expect(own.status == 303 && own.location == "/waiting", "\(route.pattern): \(own.status)")
                    continue
                }
                let theirs = try await page(stranger)
                #expect(own.status == theirs.status && own.text == theirs.text, "\(route.pattern): \(own.status)")
            }
            let timeline = try await ana.visit("/timeline")
            #expect(timeline.text.contains("Hello, everybody.") && !timeline.text.contains("Hello, members."))
            #expect(timeline.link("On the list") == "/waiting" && timeline.link("Log in") == nil)
            // A stranger reports what is wrong, and so do they.
            let sent = try await ana.visit("/reports/new?about=post-1").press(
                "Send the report", filling: ["reason": "spam"])
            #expect(try sent.status == 200 && site.count(of: "report WHERE account_id IS NULL") == 1)
            // A site for members is closed to them, too.
            let staff = try await site.account(of: .mira, isStaff: true)
            try await site.site.change(by: staff, at: site.clock.now) { $0.isClosed = true }
            for path in ["/events", "/timeline", "/posts/1", "/api/events"] {
                #expect(try await ana.visit(path).path == "/waiting", "\(path)")
            }
            // Twin: let in, the same session opens all of it.
            try await site.execute("UPDATE account SET waits_since = NULL")
            for path in ["/", "/events", "/me"] { #expect(try await ana.visit(path).path == path) }
            #expect(try await ana.visit("/timeline").text.contains("Hello, members."))
        }
    }

    /// What a path ends with that ends or removes something.
    private static let endings: Set<String> = [
        "delete", "remove", "end", "undo", "removal-undo", "unmatch", "block", "unwait", "leave", "close", "cancel",
        "withdraw", "call-off", "decline", "stop", "hide", "missed", "not-yet", "unverified", "consents", "help",
    ]

    /// Those of them that leave the row, or don't mind that there is none, and so say how it is when they are pressed
    /// once more.
    private static let lasting: [String: String] = [
        "/me/notices/browser/:id/end": "ends what there is",
        "/events/:id/cancel": "the event stays",
        "/me/drafts/:id/delete": "deletes what there is",
        "/events/:id/people/:guest/remove": "the list says who took the place over",
        "/opportunities/:id/people/:guest/remove": "the list says who took the place over",
        "/events/:id/cohosts/end": "ends what there is",
        "/questions/:id/close": "the question stays",
        "/events/:id/leave": "leaves what one is in",
        "/searches/:id/remove": "removes what there is",
        "/events/:id/activities/:activity/leave": "leaves what one is in",
        "/events/:id/activities/:activity/unwait": "leaves what one waits for",
        "/registrations/:id/cancel": "the registration stays",
        "/registrations/:id/decline": "the registration stays",
        "/registrations/:id/help": "the registration stays",
        "/registrations/:id/consents": "the answer stays",
        "/posts/:id/hide": "the post stays",
        "/decisions/:id/undo": "the decision stays",
        "/kindness/acts/:id/remove": "removes what there is",
        "/opportunities/:id/close": "the way to help stays",
        "/promises/:id/missed": "the promise stays",
        "/opportunities/:id/unwait": "leaves what one waits for",
        "/signups/:id/cancel": "the sign-up stays",
        "/signups/:id/children/cancel": "the sign-up stays",
        "/promises/:id/cancel": "the promise stays",
        "/promises/:id/not-yet": "the promise stays",
        "/certificates/:code/withdraw": "the sheet stays",
        "/needs/:id/close": "the need stays",
        "/claims/:id/not-yet": "the promise stays",
        "/claims/:id/cancel": "the promise stays",
        "/admin/people/:id/removal-undo": "the account stays",
        "/admin/waves/:id/undo": "the wave stays",
        "/admin/events/:id/hide": "the event stays",
        "/admin/questions/:id/hide": "the question stays",
        "/admin/providers/:id/unverified": "the organization stays",
        "/admin/letters/:id/stop": "the letter stays",
    ]

    @Test func `a form that ends something names the page to go on with, or why it finds its row`() async throws {
        try await withTestSite { site in
            let ending = site.site.routes().all.filter { route in
                let words = route.pattern.split(separator: "/").map(String.init)
                return route.method == .post && words.contains { $0.hasPrefix(":") }
                    && Self.endings.contains(words.last ?? "")
            }
            #expect(ending.count > 40)
            let lacking = Set(ending.filter { $0.gone == nil }.map(\.pattern))
            #expect(lacking.subtracting(Self.lasting.keys).sorted() == [])
            #expect(Set(Self.lasting.keys).subtracting(lacking).sorted() == [])
        }
    }

    @Test func `a press that finds nothing to end says so, and leads on`() async throws {
        try await withTestSite { site in
            let routes = site.site.routes().all.filter { $0.gone != nil }
            #expect(routes.count > 12)
            for route in routes {
                let kind: Kind =
                    switch route.access {
                    case "admins", "staff": .admin
                    case "parents": .parent
                    case "providers", "hosts": .provider
                    default: .member
                    }
                let browser = try await browser(kind, in: site)
                let token = try #require(try await browser.visit("/help").value(of: "csrf"))
                let page = try await browser.submit(path(route.pattern), [("csrf", token)])
                #expect(page.status == 404 && page.heading == "It isn’t there anymore", "\(route.pattern)")
                #expect(page.link("See what is there now") == route.gone?.string, "\(route.pattern)")
            }
            // What was typed isn't lost by it.
            let browser = try await browser(.member, in: site)
            let token = try #require(try await browser.visit("/help").value(of: "csrf"))
            let words = "We can’t come on Saturday, since Biscuit hurt a paw."
            let page = try await browser.submit("/meetings/999999/cancel", [("csrf", token), ("reason", words)])
            #expect(page.status == 404 && page.text.contains(words))
        }
    }

    @Test func `a page has no trait of a form, and no answer to a form is kept`() async throws {
        try await withTestSite { site in
            let ofForms: Route.Traits = [.speaksToStrangers, .takesManyRows, .needsOnlyItsToken]
            for route in site.site.routes().all {
                let others = route.method == .get ? ofForms : .cached
                #expect(route.traits.isDisjoint(with: others), "\(route.method.rawValue) \(route.pattern)")
            }
        }
    }

    @Test func `what has one address isn't drawn anew for a made-up query`() async throws {
        try await withTestSite { site in
            let routes = site.site.routes().all.filter { $0.traits.contains(.hasOneAddress) }
            #expect(routes.map(\.pattern).contains("/draws/{id}.json"))
            for route in routes {
                let path = route.pattern.replacing("{id}", with: "1")
                let answer = try await site.browser().send("GET", path + "?made=up")
                #expect(answer.status == 303 && answer["Location"] == path, "\(path)")
            }
            // The language isn't made up.
            #expect(try await site.browser().send("GET", "/sitemap.xml?lang=es").status == 200)
        }
    }

    @Test func `every change wants the session's token`() async throws {
        try await withTestSite { site in
            let staff = try await site.signIn(.mira, as: .parent, isStaff: true)
            for route in site.site.routes().all where route.method == .post && !route.isForAnyone {
                // What a phone shares publishes nothing, and says that no page sent it.
                if route.pattern == "/share" { continue }
                // What the worker says names what only it and the site know.
                if route.pattern == "/me/notices/browser/renewed" { continue }
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
