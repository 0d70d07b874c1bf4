import Forms
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating
import Testing

@testable import App
@testable import Database

/// Every page in a language that nobody speaks: what is English on it, no translator could change.
@Suite struct MadeUpLanguageTests {
    @Test(.tags(.slow)) func `no English is left on any page in another language`() async throws {
        try await withTestSite(mapTiles: "https://tiles.example/{z}/{x}/{y}.png", catalogues: [MadeUp.catalogue]) {
            site in
            var walk = MadeUpWalk(site)
            do {
                try await walk.all()
            } catch {
                Issue.record("\(error)")
            }
            for (leak, page) in walk.leaks.sorted(by: { $0.value < $1.value }) { Issue.record("\(page): \(leak)") }
            for (path, count) in walk.heavy { Issue.record("\(path) takes \(count) statements") }
            for path in walk.nameless { Issue.record("\(path): a section without a heading") }
            let missed = walk.missedPatterns
            #expect(missed.isEmpty, "pages that the walk doesn't see")
        }
    }

    @Test func `what few visitors see is translated too`() {
        let statuses: [HTTPResponse.Status] = [
            .badRequest, .forbidden, .notFound, .methodNotAllowed, .requestTimeout, .contentTooLarge, .uriTooLong,
            .unsupportedMediaType, .requestHeaderFieldsTooLarge, .serviceUnavailable, .tooManyRequests,
            .internalServerError,
        ]
        let pictures: [PictureProblem] = [
            .missing, .empty, .tooLarge, .drawing, .otherKind, .broken, .tooManyPixels(width: 1, height: 1), .gone,
            .busy, .tooMany(wait: .minutes(2)), .unavailable,
        ]
        let words =
            statuses.flatMap { [Visit.words(for: $0).title, Visit.words(for: $0).text] } + pictures.map(\.words)
            + Flash.allCases.map(\.words) + Plan.allCases.map(\.name) + AgeGroup.allCases.map(\.name)
            + OutsideLogInForm.fields.map(\.label) + OutsideLogIn.Unsuitable.allCases.map(\.words)
            + Amenity.allCases.map(\.name) + [Duration.seconds(1), .seconds(20), .minutes(3)].map(\.inWords)
        for words in words { #expect(MadeUp.knows(words), "\(words.message)") }
    }

    @Test func `words for programs and spreadsheets are translated`() async throws {
        try await withTestSite(catalogues: [MadeUp.catalogue]) { site in
            try await site.publish(by: .ben)
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: ID(1))
            let visitor = site.browser()
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(
                try await ben.visit("/events/1/registrations?as=csv").string.contains(MadeUp.said("Age, at least")))
            #expect(try await visitor.visit("/events.atom").string.contains("xml:lang=\"fa\""))
            #expect(try await visitor.visit("/events.atom").string.contains(MadeUp.said("Events")))
            #expect(try await visitor.visit("/events.ics").string.contains(MadeUp.said("Events").prefix(8)))
            #expect(try await visitor.visit("/events/count").string.contains("[!!"))
            #expect(try await visitor.visit("/api/nothing").string.contains("[!!"))
        }
    }

    @Test func `a section without a heading is found out`() {
        let page = Element(
            page: Array(
                """
                <section><p>a</p></section><section><div><h3>b</h3></div></section><section aria-label="c"></section>
                """.utf8))
        #expect(page.all("section").map(MadeUpWalk.isNameless) == [true, false, false])
    }

    @Test func `English on a page is found out`() async throws {
        try await withTestSite(catalogues: []) { site in
            let page = try await site.browser().visit("/about")
            #expect(MadeUp.leaks(of: page, besides: []).count > 5)
        }
    }
}

/// A walk through the whole site as everybody there is, in the made-up language.
private struct MadeUpWalk {
    let site: TestSite
    /// What was found, each with the page it was first seen on.
    private(set) var leaks: [String: String] = [:]
    /// Pages that took too many statements: on a server's database each is a trip there and back.
    private(set) var heavy: [(path: String, count: Int)] = []

    /// How many statements a page may take. One gathers what is everywhere on the site; it takes no more than now.
    private static func most(of path: String) -> Int {
        switch path {
        case "/admin/operations": 50
        default: 30
        }
    }
    /// Pages with a section that nothing names: a list of the page's parts, as screen readers give it, has a gap there.
    private(set) var nameless: Set<String> = []
    private var seen: Set<String> = []
    private var sent: Set<String> = []
    private var drawn: Set<String> = []
    private let routes: [Route]

    private static let ana = Person(
        username: "ana-ortiz", firstName: "Άννα", lastName: "Ορτίς", organization: "Κουζίνα")
    private static let ben = Person(
        username: "ben-ruiz", firstName: "Βεν", lastName: "Ρούις", organization: "Βιβλιοθήκη")
    private static let mira = Person(
        username: "mira-staff", firstName: "Μίρα", lastName: "Λουντ", organization: "Γραφείο")
    private static let dan = Person(
        username: "dan-guest", firstName: "Δαν", lastName: "Γκεστ", organization: "Κανείς")

    /// What people typed, the longest first, and names that are the same in every language.
    private static let data: [String] = {
        let people = [ana, ben, mira, dan].flatMap { [$0.email, $0.username, $0.city, $0.phone, $0.organization] }
        let names = [
            "Village", "COVID-19", "GPS", "JPEG", "PNG", "WebP", "GIF", "HEIC",
            "150 E San Fernando St", "180 Park Ave", "95112", "95113", "CA", "OpenStreetMap", "Linux", "Firefox",
            "localhost:8080", "localhost:8080/claim", "America/Los_Angeles", "Springfield", "MO", "MA", "zzzz",
            "GeoNames", "CC BY",
            "contributors", "Sark",
            "village admin link", "librarian", "MS", "DG", "D", "TP", "127.0.0.x", "English",
            "theo-pappas@example.org", "theo-pappas", "TP", "rea-pappa@example.org", "rea-pappa", "RP",
            "nea@example.org", "neotera@example.org", "nobody@example.org", "example.org",
            "spam.example",
            // What somebody typed into a form that another one sent, too.
            "2027-03-21", "0",
            "SQLite", "PostgreSQL", "Swift", "libvips.so",
            Site.version, Site.swiftVersion, Workshop.version ?? "–", SQLiteVersion.inUse.description,
            (try? OtherEngine.site?.get().engine.version) ?? "",
        ]
        let addresses = (1...15).map { "localhost:8080/events/\($0)" }
        return (people + names + addresses).sorted { $0.count > $1.count }
    }()

    init(_ site: TestSite) {
        self.site = site
        routes = site.site.routes().all
    }

    /// Pages of the table that nobody saw; what programs read and what only leads on isn't a page.
    var missedPatterns: [String] {
        let programs = [
            "/api/", ".ics", ".atom", ".xml", ".txt", ".ico", "/healthz", "/readyz", "/metrics", ".webmanifest", ".js",
            "/face/", "/outlines/", ".yaml", ".json",
        ]
        return routes.filter { route in
            route.method == .get && !drawn.contains(route.pattern)
                && !programs.contains { route.pattern.contains($0) }
                && ![
                    "/events/count", "/places", "/me/children/:id/delete", "/inbox/read", "/inbox/:id", "/searches/:id",
                    "/events/:id/questions", "/stream", "/login/elsewhere", "/login/elsewhere/back",
                ]
                .contains(route.pattern)
        }.map(\.pattern)
    }

    // MARK: Looking

    /// People without an account on a list, and a member who takes a place over.
    private mutating func lookAtGuests(on list: String, of host: Browser) async throws {
        let form = look(try await host.visit("\(list)/people/new"))
        look(try await form.send(to: "\(list)/people/new", filling: ["name": ""]))
        let shift = form.values(of: "shift").isEmpty ? [:] : ["shift": Filling.text("1")]
        let filled = ["name": Filling.text("Ωμέγα"), "phone": .text(Self.ben.phone)].merging(shift) { $1 }
        let slip = look(try await form.send(to: "\(list)/people/new", filling: filled))
        let code: String? = try site.read { db in try db.value("SELECT code FROM guest ORDER BY id DESC LIMIT 1") }
        let member = try await site.signIn(Self.ana, as: .parent)
        look(try await look(member.visit("/claim")).send(to: "/claim", filling: ["code": "Ω"]))
        look(try await member.visit("/claim/\(code ?? "")"))
        look(try await slip.send(to: slip.path + "/remove"))
    }

    /// The list of those who may log in with an account elsewhere, and its end.
    private mutating func lookAtLogIns(_ mira: Browser) async throws {
        try await site.provider(of: Self.ben)
        try await site.execute("UPDATE account SET confirmed_at = 1 WHERE username = 'ben-ruiz'")
        // Without an issuer there is no form.
        let path = "/admin/log-ins"
        look(try await mira.visit(path))
        let ben = try await site.account(of: Self.ben)
        try await site.execute(
            """
            INSERT INTO outside_log_in (account_id, email, at) VALUES (\(ben), \(Self.ben.email), 1)
            ON CONFLICT DO NOTHING
            """)
        look(try await mira.visit(path))
        let end = "\(path)/\(ben)/end"
        look(try await look(mira.visit(end)).send(to: end, filling: ["reason": ""]))
    }

    @discardableResult
    private mutating func look(_ page: Page) -> Page {
        let path = page.path.prefix { $0 != "?" }
        if page.status == 200, let route = routes.matching(String(path)).first(where: { $0.method == .get }) {
            drawn.insert(route.pattern)
        }
        // A page for those who build the site, with names as the code has them.
        if path == "/help/components" { return page }
        for leak in MadeUp.leaks(of: page, besides: Self.data) where leaks[leak] == nil {
            leaks[leak] = "\(page.path) (\(page.status))"
        }
        // Two sentences without even a space between them. The regex begins anew at each letter, so it reads only texts
        // in which two touch.
        let text = page.text
        if Data(text.utf8).range(of: Data("!!][!!".utf8)) != nil {
            for glued in text.matches(of: /\S*[.,:;]!!\]\[!!\S*/) {
                let words = String(glued.output)
                if leaks[words] == nil { leaks[words] = "\(page.path) (\(page.status)), glued" }
            }
        }
        if page.html.all("section").contains(where: Self.isNameless) { nameless.insert(page.path) }
        return page
    }

    fileprivate static func isNameless(_ section: Element) -> Bool {
        section["aria-label"] == nil && section.all("h1", "h2", "h3", "h4", "h5", "h6").isEmpty
    }

    private mutating func visit(_ path: some StringProtocol, as browser: Browser) async throws -> Page {
        let before = site.site.database.recordedRuns
        let page = try await browser.visit(path)
        let count = site.site.database.recordedRuns - before
        if count > Self.most(of: page.path) { heavy.append((page.path, count)) }
        return look(page)
    }

    /// What tells an address from others that show the same: its route, and the names of its query.
    private func shape(of href: String, _ who: String) -> String? {
        guard href.hasPrefix("/"), !href.hasPrefix("//") else { return nil }
        let path = String(href.prefix { $0 != "?" && $0 != "#" })
        guard let route = routes.matching(path).first(where: { $0.method == .get }) else { return nil }
        let isForAll = route.access == "anyone" && route.pattern != "/" && !route.pattern.contains(":")
        let mine = isForAll ? "all" : who
        let query = href.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }.split(separator: "&").map { pair in
            let value = pair.drop { $0 != "=" }.dropFirst()
            let isWord = value.count < 12 && value.allSatisfy { $0.isLetter }
            return isWord ? String(pair) : String(pair.prefix { $0 != "=" })
        }
        // Filters one by one, and once with others.
        return mine + route.pattern + "?" + (Set(query).count > 1 ? "several" : query.joined())
    }

    /// Follows every link from these pages on, and sends each form that can be wrong in two wrong ways.
    private mutating func roam(_ starts: [String], as browser: Browser, _ who: String) async throws {
        var open = starts
        while let href = open.popLast() {
            guard let shape = shape(of: href, who), seen.insert(shape).inserted else { continue }
            let page = try await visit(href, as: browser)
            open += page.links.map(\.href)
            for form in page.forms { try await spoil(form, as: browser) }
        }
    }

    private mutating func spoil(_ form: PageForm, as browser: Browser) async throws {
        let path = String(form.action.prefix { $0 != "?" })
        let isWrongable = form.controls.contains { $0.isTyped || $0.kind == "checkbox" || $0.kind == "radio" }
        // Without a tick all that can be switched off is gone.
        guard form.isPost, isWrongable, path != "/logout", path != "/admin/modules" else { return }
        let pattern = routes.matching(path).first { $0.method == .post }?.pattern ?? path
        for (index, button) in form.buttons.enumerated() {
            for text in index == 0 ? ["", "☃ ", String(repeating: "☃", count: 300)] : [""] {
                guard sent.insert("\(pattern) \(button.name)=\(button.value) \(text)").inserted else { continue }
                var form = form
                form.spoil(with: text)
                form.press { $0.name == button.name && $0.value == button.value }
                look(try await form.send(from: browser))
            }
        }
    }

    /// What letters lead to.
    private mutating func letters() async throws {
        let token = Token()
        let now = site.clock.now
        let account = try await site.account(of: Self.dan)
        try await site.write(at: now) { tx in try ConfirmLink.send(to: account, in: tx) }
        let mira = try await site.signIn(Self.mira, isStaff: true)
        let outbox = try await visit("/admin/mail", as: mira)
        for href in outbox.links.map(\.href) where href.hasPrefix("/admin/mail/") {
            for form in try await visit(href, as: mira).forms { try await spoil(form, as: mira) }
        }
        try await site.write(at: now) { tx in try ConfirmLink.insert(token, for: account, in: tx) }
        let visitor = site.browser()
        try await site.write { db in
            let letter = LetterEnding(account: account, kind: .changed).token(try Seal.make(in: db))
            try Note.set("test_ending", letter, in: db)
        }
        let ending = try site.read { db in try Note.value("test_ending", in: db) ?? "" }
        look(try await visit("/unsubscribe/\(ending)", as: visitor).send(to: "/unsubscribe/\(ending)"))
        let move = Token()
        try await site.write(at: now) { tx in
            try EmailChange.ask(for: "nea@example.org", by: account, in: tx)
            let change: ID<EmailChange> = try tx.value("SELECT max(id) FROM email_change")!
            try tx.execute("UPDATE account SET confirmed_at = 1 WHERE id = \(account)")
            try EmailChange.make(change, in: tx)
            try tx.execute("UPDATE email_change SET undo_hash = \(move.hash)")
            try EmailChange.ask(for: "neotera@example.org", by: account, in: tx)
        }
        let dan = try await site.signIn(Self.dan)
        try await twoStep(dan, account)
        for path in ["/me/email", "/me/sessions", "/me/sessions?end=all"] { _ = try await visit(path, as: dan) }
        for path in ["/forgot?sent=1", "/offline", "/verify/\(token.text)"] { _ = try await visit(path, as: visitor) }
        look(try await visitor.visit("/verify/\(token.text)").send(to: "/verify/\(token.text)"))
        _ = try await visit("/verify/\(token.text)", as: visitor)
        look(try await visit("/undo-email/\(move.text)", as: visitor).send(to: "/undo-email/\(move.text)"))
    }

    /// The second step to log in, from its set-up to its end.
    private mutating func twoStep(_ dan: Browser, _ account: ID<Account>) async throws {
        let password: Filling = .text(Person.password)
        look(
            try await visit("/me/two-step", as: dan).send(
                to: "/me/two-step/secret", filling: ["current_password": password]))
        let secret: [UInt8] = try site.read { db in try db.value("SELECT secret FROM two_step LIMIT 1")! }
        let code: Filling = .text(OneTimeCode(secret: secret).code(at: OneTimeCode.step(at: site.clock.now)))
        look(try await dan.visit("/me/two-step").send(to: "/me/two-step", filling: ["code": code]))
        for path in ["/me/two-step", "/me/two-step/codes", "/me/two-step/off"] { _ = try await visit(path, as: dan) }
        let form = try await dan.visit("/me/family")
        try await site.execute("DELETE FROM session WHERE account_id = \(account)")
        let kept = try await form.send(to: "/me/family")
        look(
            try await kept.send(
                to: "/me/family", filling: ["session_login": .text(Self.dan.username), "session_password": password]))
        for path in ["/login/code?recovery=1", "/login/code"] {
            look(try await visit(path, as: dan).send(to: "/login/code", filling: ["code": "000000"]))
        }
        try await site.execute("DELETE FROM two_step")
        let again = try await site.signIn(Self.dan)
        let cookie = Cookie.name(Session.cookieName, in: site.site.settings)
        dan.keep(cookie, again.cookie(cookie))
    }

    // MARK: The walk

    mutating func all() async throws {
        try await site.gazetteer()
        let visitor = site.browser()
        if let link = try await site.site.setupLink() {
            let path = String(link.dropFirst("http://localhost:8080".count))
            let page = try await visit(path, as: visitor)
            for form in page.forms { try await spoil(form, as: visitor) }
        }
        try await roam(
            ["/", "/login", "/signup", "/nowhere", "/events?near=Springfield", "/events?q=zzzz"], as: visitor, "nobody")

        let mira = try await site.signIn(Self.mira, isStaff: true)
        let ben = try await site.signIn(Self.ben, as: .provider)
        let ana = try await site.signIn(Self.ana, as: .parent)
        let dan = try await site.signIn(Self.dan)
        try await roam(["/", "/welcome", "/me", "/me/family", "/me/provider", "/me/settings"], as: dan, "member")
        try await letters()
        // Empty rooms.
        let rooms = ["/", "/week", "/me", "/events", "/me/settings"]
        try await roam(rooms, as: ben, "provider, empty")
        try await roam(rooms, as: ana, "parent, empty")
        try await roam(["/admin"], as: mira, "staff, empty")

        // Furnished ones.
        let event = try await site.publish(by: Self.ben) {
            $0.title = "Χαρταετοί"
            $0.description = "Φτιάχνουμε."
            $0.tags = "μουσική"
        }
        let second = try await site.publish(by: Self.ben) {
            $0.title = "Ζωγραφική"
            $0.description = "Ζωγραφίζουμε."
            $0.spots = 1
        }
        let mo = try await site.child("Μο", of: Self.ana)
        let lu = try await site.child("Λου", of: Self.ana)
        let registration = try await site.register([mo, lu], of: Self.ana, at: event)
        try await site.register([mo], of: Self.ana, at: second)
        try await roam(rooms + ["/events/\(event)", "/events/new"], as: ben, "provider")
        try await roam(rooms + ["/events/\(event)", "/registrations/\(registration)"], as: ana, "parent")
        try await roam(["/admin", "/admin/events/\(event)"], as: mira, "staff")
        try await roam(["/", "/events", "/events/\(event)"], as: visitor, "visitor")
        try await talk(visitor: visitor, ana: ana, ben: ben, mira: mira)
        try await beKind(ana)
        try await need(visitor: visitor, ana: ana, ben: ben)
        try await play(ana: ana, ben: ben, mira: mira)
        try await help(visitor: visitor, ana: ana, ben: ben)
        try await drawLots(ana)
        try await join(visitor: visitor, ana: ana, ben: ben, dan: dan)
        try await act(
            Scene(
                event: event, second: second, registration: registration, children: [mo, lu], visitor: visitor,
                ana: ana,
                ben: ben, mira: mira))
    }

    /// Somebody asked to host an event together: no, and yes; what both see then; and its end.
    private mutating func hostTogether(_ path: String, _ ana: Browser) async throws {
        let dan = try await site.signIn(Self.dan)
        let page = "\(path)/cohosts"
        for who in ["", Self.dan.username, Self.ana.username, "nobody@example.org"] {
            look(try await visit(page, as: ana).send(to: page, filling: ["who": .text(who)]))
        }
        for shown in ["/", "/inbox", page] { look(try await dan.visit(shown)) }
        look(try await visit(page, as: dan).send(to: "\(page)/answer", (name: "answer", value: "yes")))
        for browser in [ana, dan] {
            for shown in [page, path, "/", "/inbox", "/me/events", "\(path)/registrations"] {
                look(try await browser.visit(shown))
            }
        }
        let preview = look(
            try await visit("\(path)/edit", as: dan).send(to: "\(path)/edit", (name: "step", value: "preview")))
        look(try await preview.send(to: "\(path)/edit", (name: "step", value: "publish")))
        look(try await ana.visit(page))
        try await site.execute("UPDATE account SET suspended_at = 1 WHERE username = \(Self.dan.username)")
        look(try await ana.visit(page))
        try await site.execute("UPDATE account SET suspended_at = NULL WHERE username = \(Self.dan.username)")
        look(try await visit(page, as: dan).send(to: "\(page)/end"))
        look(try await ana.visit("/inbox"))
    }

    /// An event for everybody, of several days: announced, joined, left, full.
    private mutating func join(visitor: Browser, ana: Browser, ben: Browser, dan: Browser) async throws {
        let choice = try await visit("/events/new", as: ana)
        #expect(choice.links.contains { $0.href == "/events/new?audience=everyone" })
        let form = try await visit("/events/new?audience=everyone", as: ana)
        look(try await form.send(to: "/events/new", (name: "step", value: "preview")))
        let typed: [String: Filling] = [
            "title": "Πανηγύρι", "description": "Μουσική και φαγητό.", "date": "2027-03-26", "start_time": "10:00",
            "end_date": "2027-03-28", "end_time": "18:00", "place_name": "Πλατεία", "address": "180 Park Ave",
            "city": "San Jose", "state": "CA", "zip": "95113", "spots": "2",
        ]
        for last in ["2027-03-25", "2027-05-28"] {
            let wrong = typed.merging(["end_date": .text(last)]) { $1 }
            look(try await form.send(to: "/events/new", (name: "step", value: "preview"), filling: wrong))
        }
        let preview = look(
            try await form.send(to: "/events/new", (name: "step", value: "preview"), filling: typed))
        let published = look(try await preview.send(to: "/events/new", (name: "step", value: "publish")))
        let links = published.links.map(\.href)
        let path = try #require(links.first { $0.hasPrefix("/events/") && $0 != "/events/new" })
        for browser in [visitor, ben, dan, ana] { look(try await browser.visit(path)) }
        _ = try await visit("\(path)/announcements", as: ana)
        for (browser, people) in [(ana, ["me"]), (dan, ["me"]), (ana, ["child-1"])] {
            let token = try await browser.visit("/me/settings").value(of: "csrf") ?? ""
            let pairs = [(name: "csrf", value: token)] + people.map { (name: "person", value: $0) }
            look(try await browser.submit("\(path)/join", pairs))
            for page in [path, "/week", "/me/events", "/me/attending", "/me/attending?list=over"] {
                look(try await browser.visit(page))
            }
        }
        for browser in [visitor, ben] { look(try await browser.visit(path)) }
        let announcements = "\(path)/announcements"
        let composing = try await visit(announcements, as: ana)
        let seen = look(
            try await composing.send(
                to: announcements, (name: "step", value: "preview"),
                filling: ["subject": "Γάτες", "body": "Γάτες και σκύλοι."]))
        look(try await seen.send(to: announcements, (name: "step", value: "publish")))
        try await hostTogether(path, ana)
        _ = try await visit("/", as: ana)
        _ = try await visit("\(path)/registrations", as: ana)
        let key = try await dan.visit("/me/settings").value(of: "csrf") ?? ""
        for shown in ["1", "0", "1"] {
            look(try await dan.submit("\(path)/shown", [("csrf", key), ("shown", shown)]))
            look(try await dan.visit(path))
        }
        _ = try await visit("\(path)/registrations", as: ana)
        look(try await visitor.visit("/events?audience=everyone"))
        look(try await ana.visit("/events?audience=kids&city="))
        let token = try await dan.visit("/me/settings").value(of: "csrf") ?? ""
        look(try await dan.submit("\(path)/leave", [("csrf", token), ("person", "me")]))
        look(try await dan.visit(path))
        try await programme(of: path, visitor: visitor, ana: ana, dan: dan)
        // An organization's has a list of each activity.
        let host = try await site.account(of: .ben)
        try await site.execute("UPDATE event SET account_id = \(host) WHERE audience = 'everyone'")
        look(try await ben.visit("\(path)/activities/2/registrations"))
        let anas = try await site.account(of: .ana)
        try await site.execute("UPDATE event SET account_id = \(anas) WHERE audience = 'everyone'")
    }

    /// What happens there: its rows with all that may be wrong with them, activities joined, moved and called off.
    private mutating func programme(of path: String, visitor: Browser, ana: Browser, dan: Browser) async throws {
        var form = look(try await visit("\(path)/edit", as: ana).send(to: "\(path)/edit", (name: "step", value: "add")))
        form = look(
            try await form.send(
                to: "\(path)/edit", (name: "step", value: "copy.0"),
                filling: [
                    "activity.0.name": "Χορός", "activity.0.start_time": "14:00", "activity.0.place": "Σκηνή",
                    "activity.0.info": "Κύκλος.", "activity.0.spots": "4", "activity.0.age_from": "3",
                ]))
        for wrong: [String: Filling] in [
            [:], ["activity.1.name": ""], ["activity.1.start_date": "2027-04-09"], ["activity.1.age_to": "1"],
            ["activity.1.end_date": "2027-03-26", "activity.1.end_time": "13:00"],
            ["activity.1.end_date": "2027-05-26", "activity.1.end_time": "13:00"],
            ["activity.1.start_time": "77"], ["activity.1.spots": "x"],
        ] {
            look(try await form.send(to: "\(path)/edit", (name: "step", value: "preview"), filling: wrong))
        }
        let preview = look(
            try await form.send(
                to: "\(path)/edit", (name: "step", value: "preview"),
                filling: [
                    "activity.1.name": "Κούκλες", "activity.1.start_date": "2027-03-27", "activity.1.place": "Αυλή",
                    "activity.1.end_time": "15:00", "activity.1.age_to": "4",
                ]))
        look(try await preview.send(to: "\(path)/edit", (name: "step", value: "publish")))
        for (browser, person) in [(dan, "me"), (ana, "me"), (ana, "child-1"), (ana, "child-2")] {
            let token = try await browser.visit("/me/settings").value(of: "csrf") ?? ""
            for number in 1...2 {
                look(
                    try await browser.submit(
                        "\(path)/activities/\(number)/join", [("csrf", token), ("person", person)]))
            }
        }
        for browser in [visitor, ana, dan] {
            for page in [
                path, "\(path)?fits=1", "\(path)?day=2027-03-27", "\(path)/programme",
                "\(path)/activities/1", "\(path)/activities/2", "/week", "/week?from=2027-03-26", "/events/for-you",
            ] {
                look(try await browser.visit(page))
            }
        }
        form = try await visit("\(path)/edit", as: ana)
        let moved = look(
            try await form.send(
                to: "\(path)/edit", (name: "step", value: "preview"),
                filling: ["activity.0.start_time": "16:00", "activity.1.name": "Κούκλες!"]))
        look(try await moved.send(to: "\(path)/edit", (name: "step", value: "publish")))
        look(try await dan.visit("/inbox"))
        form = try await visit("\(path)/edit", as: ana).send(to: "\(path)/edit", (name: "step", value: "remove.0"))
        let off = look(try await form.send(to: "\(path)/edit", (name: "step", value: "preview")))
        look(try await off.send(to: "\(path)/edit", (name: "step", value: "publish")))
        for page in ["/inbox", path, "\(path)/activities/1", "/week?from=2027-03-26"] {
            look(try await dan.visit(page))
        }
        let token = try await dan.visit("/me/settings").value(of: "csrf") ?? ""
        for pair in [("tag", "music"), ("event", "1")] {
            look(try await dan.submit("/events/less", [("csrf", token), pair]))
            for page in ["/events/for-you", "/events/less"] { look(try await dan.visit(page)) }
        }
        look(try await dan.visit("/favorites"))
        look(try await dan.submit("\(path)/favorite", [("csrf", token), ("on", "1")]))
        for page in [path, "/favorites", "/favorites?list=over", "/searches", "/events?q=%CE%B3"] {
            look(try await dan.visit(page))
        }
        // The last one is one too many.
        for number in 0...SavedSearch.most {
            let words = String(repeating: "γ", count: number + 1)
            let query = (name: "query", value: "q=\(words)&age=4&when=weekend&price=free")
            look(try await dan.submit("/searches", [("csrf", token), query]))
        }
        for page in ["/searches", "/events?q=%CE%B3&age=4&when=weekend&price=free"] { look(try await dan.visit(page)) }
        look(try await dan.submit("/searches/letter", [("csrf", token), ("on", "0")]))
        look(try await dan.visit("/searches"))
        look(try await dan.submit("\(path)/activities/2/leave", [("csrf", token), ("person", "me")]))
    }

    /// Places given out by lot, from the form to the last step.
    private mutating func drawLots(_ ana: Browser) async throws {
        let rea = Person(username: "rea-pappa", firstName: "Ρέα", lastName: "Παππά", organization: "Κήπος")
        let host = try await site.signIn(rea, as: .provider)
        let event = try await site.publish(by: rea) { ($0.title, $0.description) = ("Πηλός", "Πλάθουμε.") }
        let form = try await visit("/draws/new", as: host)
        let preview = look(
            try await form.send(
                to: "/draws/new", (name: "step", value: "preview"),
                filling: [
                    "title": "Κλήρωση", "event": .texts(["\(event)"]), "until": "2027-03-24", "first_zips": "95112",
                ]))
        let path = look(try await preview.send(to: "/draws/new", (name: "step", value: "publish"))).path
        look(try await visit("/events/\(event)/wishes", as: ana).send(to: "/events/\(event)/wishes"))
        look(
            try await visit("/events/\(event)/wishes", as: ana).send(
                to: "/events/\(event)/wishes", filling: ["wish.0.1": "\(event)"]))
        for browser in [ana, host] {
            for page in [path, "/events/\(event)", "/draws/new", "/inbox"] { _ = try await visit(page, as: browser) }
        }
        let now = site.clock.now
        try await site.execute("UPDATE draw SET until_at = \(now - .minutes(1))")
        for page in [path, "/events/\(event)"] { _ = try await visit(page, as: ana) }
        _ = try await site.site.carryOutDraws(at: now)
        let seed = try await visit("\(path)/seed", as: host)
        look(try await seed.send(to: "\(path)/seed", filling: ["seed": ""]))
        let typed = look(
            try await seed.send(to: "\(path)/seed", (name: "step", value: "preview"), filling: ["seed": "Ζάρια"]))
        look(try await typed.send(to: "\(path)/seed", (name: "step", value: "publish")))
        _ = try await visit(path, as: ana)
        _ = try await site.site.carryOutDraws(at: now)
        for page in [path, "/inbox", "/events/\(event)"] { _ = try await visit(page, as: ana) }
    }

    /// What people tell each other.
    private mutating func talk(visitor: Browser, ana: Browser, ben: Browser, mira: Browser) async throws {
        look(try await visitor.visit("/timeline"))
        for (browser, name) in [(ana, "Άννα"), (ben, "Βένος")] {
            look(
                try await visit("/me/profile", as: browser).send(
                    to: "/me/profile", filling: ["display_name": .text(name)]))
        }
        _ = look(
            try await visit("/timeline/new", as: ana).send(
                to: "/timeline/new", (name: "step", value: "edit"),
                filling: ["text": "Κρεμμύδια.", "photo": .file(SentFile("photo.jpg", Pictures.photo))]))
        let form = try await visit("/timeline/new", as: ana)
        look(try await form.send(to: "/timeline/new", (name: "step", value: "preview")))
        // Beta: the beginning of a name.
        for browser in [visitor, ana] {
            for path in ["/people", "/people?q=%CE%92", "/people?q=%CE%A9"] { look(try await browser.visit(path)) }
            for path in ["/organizations", "/organizations?q=%CE%92", "/organizations?q=%CE%A9&after=a_1"] {
                look(try await browser.visit(path))
            }
        }
        let written: [String: Filling] = ["text": "Κρεμμύδια.", "kind": "received", "audience": "members"]
        let preview = look(
            try await form.send(to: "/timeline/new", (name: "step", value: "preview"), filling: written))
        look(try await preview.send(to: "/timeline/new", (name: "step", value: "publish")))
        look(try await visit("/posts/1", as: ben).send(to: "/posts/1/comments"))
        look(try await visit("/posts/1", as: ben).send(to: "/posts/1/comments", filling: ["text": "Ναι."]))
        look(try await visit("/posts/1", as: ben).send(to: "/posts/1/like", (name: "on", value: "1")))
        let page = "/people/\(Self.ana.username)"
        for browser in [ana, ben] {
            for path in ["/timeline", "/posts/1", "/posts/1/likes", page] { look(try await browser.visit(path)) }
        }
        try await moderate(visitor: visitor, ana: ana, ben: ben, mira: mira)
        look(try await visit("/blocks", as: ben).send(to: "/blocks", filling: ["username": .text(Self.dan.username)]))
        look(try await ben.visit("/blocks?after=1"))
        look(try await ana.visit("/posts/1/edit"))
        look(try await visit("/posts/1", as: mira).send(to: "/posts/1/hide", filling: ["reason": "Δοκιμή."]))
        look(try await ana.visit("/posts/1"))
    }

    /// What is needed around the corner: asked for with all that may be wrong, promised, answered, brought, over.
    private mutating func need(visitor: Browser, ana: Browser, ben: Browser) async throws {
        let dan = try await site.signIn(Self.dan)
        for path in [
            "/needs", "/needs/mine", "/needs/promised", "/needs?q=zzzz&near=%CE%A0%CE%BF%CF%85", "/needs?near=95112",
        ] {
            look(try await ana.visit(path))
        }
        let form = try await visit("/needs/new", as: ana)
        let typed: [String: Filling] = [
            "title": "Σκάλα", "kind": "skill", "description": "Για ένα απόγευμα.", "count": "3", "is_home": ["1"],
            "until": .text(site.site.today.advanced(by: 9).iso), "address": "Οδός", "city": "Πόλη", "state": "CA",
            "zip": "95112",
        ]
        let preview = (name: "step", value: "preview")
        for wrong: [String: Filling] in [
            ["until": "2020-01-01"], ["until": "2040-01-01"], ["until": ""], ["count": "0"], ["days": "99"],
            ["title": ""], ["description": ""], ["address": "", "city": "", "zip": ""],
        ] { look(try await form.send(to: "/needs/new", preview, filling: typed.merging(wrong) { $1 })) }
        look(try await form.send(to: "/needs/new", preview))
        let shown = look(try await form.send(to: "/needs/new", preview, filling: typed))
        look(try await shown.send(to: "/needs/new", (name: "step", value: "publish")))
        look(try await shown.send(to: "/needs/new", (name: "step", value: "edit")))
        for browser in [visitor, ana, ben] {
            for page in ["/needs", "/needs/1"] { look(try await browser.visit(page)) }
        }
        func post(
            _ browser: Browser, _ path: String, _ pairs: [(name: String, value: String)] = []
        ) async throws -> Page {
            let token = try await browser.visit("/me/settings").value(of: "csrf") ?? ""
            return try await browser.submit(path, [("csrf", token)] + pairs)
        }
        look(try await post(dan, "/needs/1/claims", [("count", "9")]))
        look(try await post(dan, "/needs/1/claims", [("count", "x")]))
        try await site.execute("UPDATE account SET confirmed_at = 1, created_at = 1")
        look(try await post(dan, "/needs/1/claims", [("count", "1"), ("message", "Έρχομαι.")]))
        for browser in [dan, ana] { for page in ["/needs/1", "/", "/inbox"] { look(try await browser.visit(page)) } }
        look(try await post(ana, "/claims/1/answer", [("answer", "yes")]))
        for page in ["/needs/1", "/", "/inbox", "/threads/1"] { look(try await dan.visit(page)) }
        look(try await post(dan, "/threads/1", [("text", "")]))
        look(try await post(dan, "/threads/1", [("text", "Έρχομαι στις έξι.")]))
        for page in ["/needs/1", "/inbox", "/threads/1", "/needs/1"] { look(try await ana.visit(page)) }
        look(try await post(dan, "/claims/1/done"))
        for browser in [dan, ana] { for page in ["/needs/1", "/inbox"] { look(try await browser.visit(page)) } }
        look(try await post(ana, "/claims/1/done"))
        try await site.execute("UPDATE claim SET over_at = over_at - 1500000000 WHERE id = 1")
        look(try await ana.visit("/threads/1"))
        look(try await post(ana, "/threads/1", [("text", "Ευχαριστώ.")]))
        look(try await post(ben, "/needs/1/claims", [("count", "1")]))
        look(try await post(ben, "/claims/2/cancel"))
        look(try await ana.visit("/needs/1/edit"))
        let now = site.clock.now
        try await site.write(at: now + .days(8)) { tx in _ = try Need.tidy(in: tx) }
        try await site.execute("UPDATE need SET ask_at = 1, closed_at = NULL, listed = TRUE, is_asked = FALSE")
        try await site.write(at: now) { tx in _ = try Need.tidy(in: tx) }
        for page in ["/needs/1", "/needs/mine", "/inbox"] { look(try await ana.visit(page)) }
        look(try await post(ana, "/needs/1/renew"))
        look(try await post(ana, "/needs/1/close"))
        for browser in [visitor, ana, dan] { look(try await browser.visit("/needs/1")) }
        // A place that gives all year.
        let lasting = typed.merging(["kind": "place", "is_home": [], "all_year": true, "until": ""]) { $1 }
        for wrong: [String: Filling] in [["kind": "things"], ["is_home": ["1"]], ["lat": "x"]] {
            look(try await form.send(to: "/needs/new", preview, filling: lasting.merging(wrong) { $1 }))
        }
        look(try await form.send(to: "/needs/new", (name: "step", value: "find"), filling: ["find": "zzzz"]))
        look(
            try await look(try await form.send(to: "/needs/new", preview, filling: lasting)).send(
                to: "/needs/new", (name: "step", value: "publish")))
        let second = try site.read { db in try db.value("SELECT max(id) FROM need") as ID<Need>? } ?? ID(0)
        for browser in [visitor, ana, dan] { look(try await browser.visit("/needs/\(second)")) }
        let mira = try await site.signIn(.mira, isStaff: true)
        look(try await mira.visit("/admin/queue/need-\(second)"))
        try await site.write(at: now) { tx in
            _ = try Need.verify(second, in: tx)
            let account = try Need.find(second, in: tx)!.author.account
            try NeedNews(.verified, second, "Ντουλάπι").tell(account, in: tx)
        }
        for path in ["/needs", "/needs/\(second)", "/inbox"] { look(try await ana.visit(path)) }
    }

    /// Kind acts, of the catalog and one's own.
    private mutating func beKind(_ ana: Browser) async throws {
        look(try await ana.visit("/kindness/acts/new"))
        look(
            try await ana.visit("/kindness/acts/new").send(
                to: "/kindness/acts/new", filling: ["name": "Τραγούδι", "description": "Για όλους."]))
        for act in [204, 501, 10_001] {
            let page = "/kindness/acts/\(act)"
            look(try await visit(page, as: ana).send(to: "\(page)/done"))
        }
        for path in [
            "/kindness", "/kindness?list=all", "/kindness?q=zzzz", "/kindness/mine", "/", "/kindness/acts/101",
        ] {
            look(try await ana.visit(path))
        }
        look(try await visit("/kindness/acts/10001", as: ana).send(to: "/deeds/4/share"))
        look(try await visit("/kindness/mine", as: ana).send(to: "/kindness/pause", (name: "days", value: "7")))
        let shown = KindnessPart.allCases.map(\.rawValue)
        look(
            try await visit("/me/profile", as: ana).send(
                to: "/me/profile", filling: ["display_name": "Άννα", "shows": .texts(shown)]))
        site.clock.advance(by: .minutes(11))
        for path in ["/kindness/mine", "/kindness/acts/204", "/"] { look(try await ana.visit(path)) }
        try await challenge(ana)
    }

    /// Asking a friend, being asked, and an act proposed for everybody.
    private mutating func challenge(_ ana: Browser) async throws {
        let (page, ben) = ("/kindness/acts/204/challenge", try await site.signIn(.ben))
        look(try await ana.visit(page))
        look(try await visit(page, as: ana).send(to: page, filling: ["message": "https://κακό.example"]))
        var links: [String] = []
        for _ in 0..<3 {
            let made = look(try await visit(page, as: ana).send(to: page, filling: ["message": "Για σένα."]))
            links.append(String((made.html.first("code")?.text ?? "").dropFirst("http://localhost:8080".count)))
        }
        for browser in [site.browser(), ana, ben] { look(try await browser.visit(links[0])) }
        look(try await visit(links[0], as: ben).send(to: links[0]))
        for path in [links[0], "/", "/kindness/acts/204"] { look(try await ben.visit(path)) }
        look(try await ana.visit("/kindness/mine"))
        look(try await visit("/kindness/acts/204", as: ben).send(to: "/kindness/acts/204/done"))
        look(try await ben.visit(links[0]))
        for path in ["/kindness/mine", "/inbox"] { look(try await ana.visit(path)) }
        look(try await site.browser().visit(links[0]))
        let token = try await ana.visit("/me/settings").value(of: "csrf") ?? ""
        look(try await ana.submit(page, [("csrf", token), ("withdraw", "2")]))
        look(try await site.browser().visit(links[1]))
        try await site.execute("UPDATE challenge SET expires_at = 1 WHERE id = 3")
        look(try await site.browser().visit(links[2]))
        look(try await ana.visit("/kindness/mine"))
        try await site.execute("UPDATE challenge SET expires_at = 9999999999999, act = 10001 WHERE id = 3")
        look(try await site.browser().visit(links[2]))
        let now = site.clock.now
        let seal = try await site.write { db in try Seal.make(in: db) }
        let ending = "/unsubscribe/" + WrittenAddress("x@example.org", seal).token(seal)
        look(try await visit(ending, as: site.browser()).send(to: ending))
        look(try await visit("/kindness/acts/10001", as: ana).send(to: "/kindness/acts/10001/propose"))
        let mira = try await site.signIn(.mira, isStaff: true)
        for path in ["/admin/queue", "/admin/queue/act-1"] { look(try await mira.visit(path)) }
        try await site.write(at: site.clock.now) { tx in try KindAct.hide(ID(1), at: nil, in: tx) }
        for browser in [site.browser(), ana, ben] { look(try await browser.visit("/kindness/acts/10001")) }
        try await site.write(at: now) { tx in
            try Matter.settle(.act(ID(1)), in: tx)
            try KindAct.hide(ID(1), at: tx.now, in: tx)
        }
        look(try await ana.visit("/kindness/acts/10001"))
    }

    /// Pets that meet.
    private mutating func play(ana: Browser, ben: Browser, mira: Browser) async throws {
        look(try await ana.visit("/playdates"))
        let owner: [String: Filling] = ["name": "Άννα", "city": "San Jose", "zip": "95112", "birth_year": "1985"]
        for (browser, person, pet) in [(ana, Self.ana, "Κόκκινο"), (ben, Self.ben, "Μπλε")] {
            let form = try await visit("/me/owner", as: browser)
            look(try await form.send(to: "/me/owner", filling: ["birth_year": "2026", "zip": "1", "city": ""]))
            look(try await form.send(to: "/me/owner", filling: owner))
            look(try await browser.visit("/playdates"))
            try await PlaydatesTests.pet(pet, of: person, in: site) { $0.bio = "Καλό." }
        }
        try await site.execute("UPDATE owner SET name = 'Βένος', other = NULL, phone = NULL, email = NULL")
        try await site.execute("UPDATE account SET created_at = 1805000000000000")
        for part in OwnerPart.allCases { look(try await ana.visit("/me/owner/\(part.rawValue)")) }
        for (part, wrong): (String, [String: Filling]) in [
            ("age", ["birth_year": "2026"]), ("area", ["zip": "1"]), ("picture", [:]),
        ] { look(try await visit("/me/owner/\(part)", as: ana).send(to: "/me/owner/\(part)", filling: wrong)) }
        for part in PetPart.allCases { look(try await ana.visit("/me/pets/1/edit/\(part.rawValue)")) }
        for page in ["/me/owner", "/me/owner/delete", "/me/pets/1/edit"] { look(try await ana.visit(page)) }
        for page in ["/me/pets/new"] {
            let form = try await visit(page, as: ana)
            for wrong: [String: Filling] in [
                ["bio": "1\n2\n3\n4\n5\n6"], ["type": "other"], ["birth_year": "2030", "wants_age_from": "9"],
                ["years": "x"],
                ["wants_age_from": "9", "wants_age_to": "2"],
            ] { look(try await form.send(to: page, filling: wrong)) }
        }
        look(
            try await visit("/me/pets/1/pictures", as: ana).send(
                to: "/me/pets/1/pictures", filling: ["photo": .file(SentFile("photo.jpg", Pictures.photo))]))
        for page in ["/me/pets/1/pictures", "/me/pets/1/delete", "/playdates", "/me"] {
            look(try await ana.visit(page))
        }
        let (pass, hello) = ((name: "choice", value: "pass"), (name: "choice", value: "hello"))
        look(try await ana.visit("/playdates?asking=1&about=2"))
        look(try await visit("/playdates", as: ana).send(to: "/playdates", pass))
        look(try await visit("/playdates", as: ana).send(to: "/playdates", (name: "undo", value: "1")))
        look(try await visit("/playdates", as: ana).send(to: "/playdates", hello))
        look(try await visit("/playdates", as: ben).send(to: "/playdates", hello))
        let match = "/playdates/matches/1"
        for page in ["/playdates/matches", "/playdates/matches?show=favorites", match, "/inbox", "/me/notices"] {
            look(try await ana.visit(page))
        }
        for text in [" ", "www.example.org", "Γεια."] {
            look(try await visit(match, as: ana).send(to: "\(match)/messages", filling: ["text": .text(text)]))
        }
        look(try await visit(match, as: ben).send(to: "\(match)/messages", filling: ["text": "Ναι."]))
        for filling: [String: Filling] in [
            ["day_1": "2027-01-01", "time_1": "10:00", "day_2": "2028-01-01", "place": "Μ"], [:],
            ["day_1": "2029-01-01", "time_1": "10:00", "day_3": "2028-01-01", "place": "Πάρκο"],
            ["day_1": "2027-03-22", "time_1": "10:00", "place": "Πάρκο"],
        ] {
            look(try await visit(match, as: ana).send(to: "\(match)/meetings", filling: filling))
            guard try site.count(of: "meeting") == 0 else { break }
        }
        for browser in [ana, ben] { look(try await browser.visit(match)) }
        look(try await visit(match, as: ben).send(to: "/meetings/1/answer", (name: "time", value: "1")))
        for page in ["/", "/week", "/inbox", match] { look(try await ana.visit(page)) }
        look(try await visit(match, as: ben).send(to: "/meetings/1/change", filling: ["place": "Πάρκο"]))
        look(try await visit(match, as: ben).send(to: "/meetings/1/cancel"))
        look(try await visit(match, as: ben).send(to: "/meetings/1/cancel", filling: ["reason": "Βροχή."]))
        look(try await ana.visit("/inbox"))
        try await site.execute("UPDATE meeting SET state = 'agreed', starts_at = 1805500000000")
        for page in ["/", match] { look(try await ana.visit(page)) }
        for detail: String in ["tomorrow", "soon", "after", "changed"] {
            let kind = detail == "tomorrow" || detail == "soon" ? "meeting" : "met"
            let text = "\(detail)\u{1F}Μπλε"
            try await site.execute(
                """
                INSERT INTO notice (account_id, kind, detail, subject, at)
                SELECT id, \(kind), \(text), 1, 1 FROM account LIMIT 1
                """)
            try await site.execute("UPDATE account SET unread = unread + 1 WHERE id = (SELECT id FROM account LIMIT 1)")
        }
        look(try await ana.visit("/inbox"))
        look(try await visit(match, as: ana).send(to: "/meetings/1/after", filling: ["again": "wrong"]))
        look(
            try await visit(match, as: ana).send(
                to: "/meetings/1/after", filling: ["again": "wrong", "note": "Κακό."]))
        look(
            try await visit("/reports/new?about=message-2", as: ana).send(
                to: "/reports/new", filling: ["reason": "spam"]))
        for page in ["/admin/queue", "/admin/queue/pet-2", "/admin/queue/message-2"] {
            look(try await mira.visit(page))
        }
        try await site.execute("UPDATE message SET hidden_at = 1")
        look(try await ana.visit(match))
        look(try await visit(match, as: ana).send(to: "\(match)/unmatch"))
        for page in ["/playdates/matches", "/playdates", match] { look(try await ana.visit(page)) }
        look(
            try await visit("/me/pets/1/edit/pause", as: ana).send(
                to: "/me/pets/1/edit/pause", filling: ["paused": ["1"]]))
        look(try await ana.visit("/playdates"))
        look(try await visit("/me/owner/delete", as: ana).send(to: "/me/owner/delete"))
        for page in ["/playdates/matches", match, "/playdates", "/playdates?after=1"] {
            look(try await ben.visit(page))
        }
    }

    /// Ways to help: asked for, found, taken, confirmed, reviewed.
    private mutating func help(visitor: Browser, ana: Browser, ben: Browser) async throws {
        let place: [String: Filling] = [
            "title": "Φαγητό", "description": "Κουβαλάμε πιάτα και μιλάμε.", "conditions": "Παπούτσια",
            "address": "Οδός", "city": "Πόλη", "state": "CA", "zip": "95113", "country": "US", "tags": "υγεία",
        ]
        look(try await ben.visit("/opportunities/new"))
        look(try await ben.visit("/me/opportunities"))
        for path in ["/opportunities", "/opportunities?q=%CE%A9&near=%CE%A9%CE%A9"] {
            look(try await visitor.visit(path))
        }
        let day = site.site.today.advanced(by: 3).iso
        for (kind, more) in [
            (
                "volunteer",
                [
                    "schedule": "shifts", "shift.0.date": .text(day), "shift.0.start_time": "11:00",
                    "shift.0.end_time": "14:00", "shift.0.spots": "8", "shift.0.lead": "Δώρα", "age_from": "14",
                    "children": ["1"], "home": ["1"], "approval": ["1"],
                ] as [String: Filling]
            ),
            ("volunteer", ["schedule": "regular", "hours": "2"]),
            ("shadow", ["schedule": "whenever", "hours": "2", "url": "example.org"]),
            (
                "donate",
                [
                    "thing.0.name": "Παλτά", "thing.0.wanted": "5", "goal": "100", "amount": "50", "url": "example.org",
                    "until": .text(day),
                ]
            ),
        ] {
            let form = look(try await visit("/opportunities/new?kind=\(kind)", as: ben))
            look(
                try await form.send(
                    to: "/opportunities/new", (name: "row", value: kind == "donate" ? "add-thing" : "add-shift")))
            look(try await form.send(to: "/opportunities/new", (name: "step", value: "preview")))
            look(try await form.send(to: "/opportunities/new", (name: "step", value: "draft")))
            let filled = place.merging(more) { $1 }
            let preview = look(
                try await form.send(to: "/opportunities/new", (name: "step", value: "preview"), filling: filled))
            look(try await preview.send(to: "/opportunities/new", (name: "step", value: "publish")))
        }
        for path in [
            "/opportunities", "/opportunities?as=table",
            "/opportunities?near=95113&kind=donate&tag=%CE%A9&hours=3&age=4&home=1",
            "/opportunities/1", "/opportunities/2", "/opportunities/3", "/opportunities/4",
            "/opportunities?from=2027-03-20&to=2027-09-20&children=1&as=cards", "/opportunities/map",
            "/opportunities/map?kind=donate&q=%CE%A9", "/opportunities.atom",
        ] {
            look(try await visitor.visit(path))
            look(try await ana.visit(path))
        }
        look(try await visit("/opportunities/1", as: ana).send(to: "/opportunities/1/signups"))
        try await lookAtGuests(on: "/opportunities/1", of: ben)
        // With a child of theirs.
        try await site.execute("UPDATE provider SET verified_at = 1, verified_until = 9999999999999")
        try await site.execute("UPDATE provider SET verified_by_checking = 'Ω'")
        try await site.execute("UPDATE opportunity SET with_adult = TRUE WHERE id = 1")
        let along = try await visit("/opportunities/1", as: ana)
        if let child = along.value(of: "child") ?? along.values(of: "child").first {
            look(
                try await along.send(
                    to: "/opportunities/1/signups", filling: ["shift": ["1"], "child": .text(child)]))
        }
        try await site.execute("UPDATE opportunity SET age_from = 17 WHERE id = 1")
        look(try await visitor.visit("/opportunities/1"))
        let message: [String: Filling] = ["shift": ["1"], "message": "Γεια."]
        look(try await visit("/opportunities/1", as: ana).send(to: "/opportunities/1/signups", filling: message))
        look(
            try await visit("/opportunities/2", as: ana).send(
                to: "/opportunities/2/signups", filling: ["message": "Γεια."]))
        look(try await visit("/opportunities/4", as: ana).send(to: "/opportunities/4/promises"))
        for path in ["/opportunities/1", "/opportunities/2", "/opportunities/4", "/week", "/", "/signups/1", "/impact"]
        {
            look(try await ana.visit(path))
        }
        try await bringAlong(visitor: visitor, ana: ana)
        for path in [
            "/opportunities/1", "/opportunities/1/signups", "/opportunities/4/signups", "/opportunities/1/close",
            "/opportunities/1/edit", "/opportunities/2", "/me/opportunities",
        ] { look(try await ben.visit(path)) }
        look(
            try await visit("/opportunities/1/signups", as: ben).send(
                to: "/signups/1/answer", (name: "answer", value: "yes")))
        let thread = try await ana.visit("/signups/1").links.first { $0.href.hasPrefix("/threads/") }?.href ?? ""
        look(try await visit(thread, as: ana).send(to: thread, filling: ["text": "Πού;"]))
        for browser in [ana, ben] { for page in ["/", "/inbox", thread] { look(try await browser.visit(page)) } }
        look(try await visit(thread, as: ben).send(to: thread, filling: ["text": "Εδώ."]))
        look(try await ana.visit(thread))
        let toHelpers = "/opportunities/1/messages"
        let writing = look(try await ben.visit(toHelpers))
        look(try await writing.send(to: toHelpers, (name: "step", value: "preview")))
        let typed = look(
            try await writing.send(
                to: toHelpers, (name: "step", value: "preview"),
                filling: ["to": ["shift-1"], "subject": "Γάτες", "body": "Γάτες και σκύλοι."]))
        look(try await typed.send(to: toHelpers, (name: "step", value: "publish")))
        for browser in [ana, ben] { look(try await browser.visit(toHelpers)) }
        look(try await ana.visit("/inbox"))
        look(
            try await visit("/providers/\(Self.ben.username)", as: ana).send(
                to: "/providers/\(Self.ben.username)/follow", (name: "on", value: "1")))
        let mark = try await ana.visit("/me/settings").value(of: "csrf") ?? ""
        look(try await ana.submit("/opportunities/1/favorite", [("csrf", mark), ("on", "1")]))
        look(try await ana.visit("/opportunities/1"))
        look(try await ana.visit("/favorites"))
        look(try await ana.visit("/opportunities/suggested"))
        look(try await ana.visit("/opportunities/less"))
        let less = try await visit("/opportunities/suggested", as: ana)
        if less.forms.contains(where: { $0.action == "/opportunities/less" }) {
            look(try await less.send(to: "/opportunities/less", (name: "opportunity", value: "3")))
        }
        look(try await ana.visit("/opportunities/suggested"))
        try await site.execute("UPDATE shift SET taken = spots WHERE id = 1")
        look(try await visitor.visit("/opportunities/1"))
        try await site.execute("UPDATE shift SET taken = 1 WHERE id = 1")
        look(try await ana.visit("/me/following"))
        look(try await ana.visit("/providers/\(Self.ben.username)/reviews"))
        // The shift is over.
        let past = site.site.today.advanced(by: -1)
        let end = site.clock.now - .days(1)
        try await site.execute(
            "UPDATE shift SET day = \(past), starts_at = \(end - .hours(3)), ends_at = \(end) WHERE id = 1")
        look(try await ana.visit(thread))
        try await site.execute("UPDATE shift SET ends_at = \(end - .days(14)) WHERE id = 1")
        look(try await ben.visit(thread))
        look(try await ana.visit(thread))
        try await site.execute("UPDATE shift SET ends_at = \(end) WHERE id = 1")
        look(try await visit("/signups/2", as: ana).send(to: "/signups/2/hours", filling: ["hours": "9:99"]))
        look(try await visit("/signups/2", as: ana).send(to: "/signups/2/hours", filling: ["hours": "1.5"]))
        look(try await visit("/signups/1", as: ana).send(to: "/signups/1/hours", filling: ["hours": "7"]))
        look(
            try await visit("/opportunities/1/signups", as: ben).send(
                to: "/opportunities/1/hours",
                filling: ["hours-1-\(past.iso)": "9", "confirm-1-\(past.iso)": ["1"]]))
        look(
            try await visit("/opportunities/1/signups", as: ben).send(
                to: "/opportunities/1/hours", filling: ["confirm-1-\(past.iso)": ["1"]]))
        look(try await ben.visit("/me/opportunities/hours"))
        look(try await ben.visit("/me/opportunities/hours?from=%CE%BE&to=2027-01-01"))
        look(try await visit("/impact", as: ana).send(to: "/impact/gifts"))
        look(
            try await visit("/impact", as: ana).send(
                to: "/impact/gifts", filling: ["amount": "5", "organization": "Παλτά"]))
        let number: Int64? = try site.read { db in
            try db.value("SELECT max(id) FROM contribution WHERE kind = 'money'")
        }
        let gift = "/impact/gifts/\(number ?? 0)"
        look(try await visit(gift, as: ana).send(to: gift, filling: ["amount": "0"]))
        look(try await visit(gift, as: ana).send(to: gift + "/delete"))
        look(try await visit("/impact", as: ana).send(to: "/certificates"))
        let sheet = look(try await visit("/impact", as: ana).send(to: "/certificates", filling: ["name": "Άννα"]))
        for path in ["/impact", "/impact?year=all", "/impact.csv", "/inbox"] { look(try await ana.visit(path)) }
        look(try await visitor.visit(sheet.path))
        look(try await visit(sheet.path, as: ana).send(to: sheet.path + "/withdraw"))
        let review = "/providers/\(Self.ben.username)/reviews"
        look(try await visit(review, as: ana).send(to: review))
        look(try await visit(review, as: ana).send(to: review, filling: ["stars": "4", "comment": "Καλά."]))
        look(try await visit("/reviews/1/edit", as: ana).send(to: "/reviews/1/edit"))
        look(try await visit("/reviews/1/answer", as: ben).send(to: "/reviews/1/answer"))
        look(try await visit("/reviews/1/answer", as: ben).send(to: "/reviews/1/answer", filling: ["answer": "Ναι."]))
        look(try await ana.visit("/reviews/1/delete"))
        for path in [
            "/providers/\(Self.ben.username)", "/reports/new?about=review-1", "/reports/new?about=opportunity-1",
        ] {
            look(try await ana.visit(path))
            look(try await visitor.visit(path))
        }
        look(try await visit("/opportunities/2/close", as: ben).send(to: "/opportunities/2/close"))
        for path in ["/opportunities/2", "/inbox"] { look(try await ana.visit(path)) }
    }

    /// Young people without an account, whose parents agree by a link.
    private mutating func bringAlong(visitor: Browser, ana: Browser) async throws {
        let token = try await ana.visit("/me/settings").value(of: "csrf") ?? ""
        var links: [String] = []
        for count in 0...YoungPerson.most {
            let made = look(try await ana.submit("/signups/1/young", [("csrf", token), ("beside", "\(count)")]))
            links.append(String((made.html.first("code")?.text ?? "").dropFirst("http://localhost:8080".count)))
        }
        look(try await visit(links[0], as: visitor).send(to: links[0]))
        look(try await visitor.visit(links[0]))
        look(try await ana.submit("/signups/1/young", [("csrf", token), ("remove", "2")]))
        look(try await visitor.visit(links[1]))
        for path in ["/signups/1", "/signups/1/young", "/opportunities/1"] { look(try await ana.visit(path)) }
        let (account, now) = (try await site.account(of: Self.ana), site.clock.now)
        try await site.write(at: now) { tx in
            for what in [HelpNews.What.unagreed, .closedToChildren, .thereAlready] {
                try HelpNews(what, ID(1), "Φαγητό").tell(account, in: tx)
            }
        }
        look(try await ana.visit("/inbox"))
    }

    /// What is reported, decided, answered and taken back.
    private mutating func moderate(visitor: Browser, ana: Browser, ben: Browser, mira: Browser) async throws {
        look(try await mira.visit("/admin/queue"))
        look(try await mira.visit("/moderation"))
        look(try await ana.visit("/reports/new?about=post-1").send(to: "/reports/new", filling: ["reason": "other"]))
        for (browser, subject) in [(ben, "post-1"), (visitor, "event-2"), (ana, "comment-1")] {
            let form = try await visit("/reports/new?about=\(subject)", as: browser)
            look(try await form.send(to: "/reports/new"))
            let filling: [String: Filling] = ["reason": "danger", "note": "Κακό."]
            look(try await form.send(to: "/reports/new", filling: filling))
        }
        let answered: [String: Filling] = ["reason": "spam", "email": "nan@example.org"]
        look(
            try await visit("/reports/new?about=event-2", as: visitor).send(to: "/reports/new", filling: answered))
        look(try await mira.visit("/admin"))
        let queue = try await visit("/admin/queue", as: mira)
        look(try await queue.send(to: "/admin/queue"))
        for act in ["fine", "hide", "suspend"] {
            let token = queue.value(of: "csrf") ?? ""
            let pairs =
                [("csrf", token), ("act", act), ("ground", "spam")]
                + queue.values(of: "subject").map {
                    ("subject", $0)
                }
            look(try await queue.browser.submit("/admin/queue", pairs))
        }
        for (number, act) in Decision.Verdict.usual.filter({ $0 != .suspend }).enumerated() {
            let page = try await visit("/admin/queue/post-1", as: mira)
            look(try await page.send(to: "/admin/queue/post-1", filling: ["act": .text(act.rawValue)]))
            let filling: [String: Filling] = ["act": .text(act.rawValue), "ground": "unkind", "days": "1"]
            look(try await page.send(to: "/admin/queue/post-1", filling: filling))
            for path in ["/inbox", "/decisions/\(number + 1)", "/posts/1"] { look(try await ana.visit(path)) }
        }
        look(try await ana.visit("/posts/1").send(to: "/posts/1/comments", filling: ["text": "Όχι."]))
        let last: ID<Decision> = try site.read { db in try db.value("SELECT max(id) FROM decision")! }
        let seal = try await site.write { db in try Seal.make(in: db) }
        let author: ID<Account> = try site.read { db in try Decision.find(last, in: db)!.author }
        let letter = LetterLink.appeal.link(to: last, for: author, seal).string
        look(try await visit(letter, as: visitor).send(to: letter))
        look(try await visit(letter, as: visitor).send(to: letter, filling: ["answer": "Γιατί;"]))
        _ = try await visit("/admin/queue/post-1", as: mira)
        let all: [ID<Decision>] = try site.read { db in
            try db.all("SELECT id FROM decision ORDER BY id LIMIT 20") { try $0.next() }
        }
        for decision in all {
            let token = try await mira.visit("/admin").value(of: "csrf") ?? ""
            look(try await mira.post("/decisions/\(decision)/undo", [("csrf", token)]))
            look(try await ana.visit("/decisions/\(decision)"))
        }
        for path in ["/admin/log", "/moderation", "/admin/queue", "/admin/queue?show=answer"] {
            look(try await mira.visit(path))
        }
    }

    /// What is acted on, and who acts.
    private struct Scene {
        let event: ID<Event>
        let second: ID<Event>
        let registration: ID<Registration>
        let children: [ID<Child>]
        let visitor: Browser
        var ana: Browser
        let ben: Browser
        let mira: Browser
    }

    /// What is done to events and places, the page after each, and how others see it then.
    private mutating func act(_ scene: Scene) async throws {
        var scene = scene
        try await stray(scene)
        // Logging in ends no other session of hers.
        scene.ana = try await site.signIn(Self.ana, as: .parent)
        try await post(scene)
        try await change(scene)
        try await ask(scene)
        try await giveBack(scene)
        try await door(scene)
        let theo = try await site.signIn(
            Person(username: "theo-pappas", firstName: "Θεό", lastName: "Παππάς", organization: "Αυλή"), as: .parent)
        try await twoParents(scene, theo)
        try await colleagues(scene, theo)
        look(try await scene.ana.visit("/me/children/\(scene.children[1])/delete"))
        look(
            try await scene.ana.visit("/me/children/\(scene.children[1])/edit").send(
                to: "/me/children/\(scene.children[1])/delete"))
        try await everybody(scene)
        let small = try await site.publish(by: Self.ben) {
            $0.title = "Θέατρο"
            $0.description = "Παίζουμε."
            $0.spots = 1
        }
        let holders = try await site.register([scene.children[0]], of: Self.ana, at: small)
        try await talk(about: small, scene)
        try await wait(for: small, held: holders, scene)
        try await camp(scene)
        try await end(scene)
    }

    /// How it looks to everybody.
    private mutating func everybody(_ scene: Scene) async throws {
        let (event, registration, visitor, ana, ben, mira) = (
            scene.event, scene.registration, scene.visitor, scene.ana, scene.ben, scene.mira
        )
        for path in ["/events/\(event)", "/events"] {
            for browser in [visitor, ana, ben] { look(try await browser.visit(path)) }
        }
        for path in ["/registrations/\(registration)", "/me/registrations", "/week", "/", "/me/children"] {
            look(try await ana.visit(path))
        }
        try await bringCalendar(ben)
        for path in [
            "/me/events", "/me/events?list=cancelled", "/me/events?list=draft", "/me/events?list=waiting",
            "/me/events?q=zzzz", "/me/events/calendar", "/me/events/calendar?from=2027-03-01", "/",
            "/events/\(event)/registrations?early=1", "/events/\(event)/registrations?as=print",
            "/events/\(event)/registrations?notes=1",
        ] { look(try await ben.visit(path)) }
        look(try await mira.visit("/admin/log"))
    }

    /// A calendar that events come from: what is new, wrong, changed and gone in it.
    private mutating func bringCalendar(_ ben: Browser) async throws {
        func file(_ rows: String) -> Filling {
            .file(SentFile("a.csv", Array("title,date,start,end,place\n\(rows)\n".utf8)))
        }
        look(try await ben.visit("/me/imports"))
        look(try await ben.visit("/me/imports/new?kind=file").send(to: "/me/imports/new"))
        let rows = "Γάτες,2027-05-01,10:00,11:00,Αυλή\nΣκύλοι,2027-05-02,10:00,11:00,Αυλή\nΓ,2027-05-03,10:00,11:00,Α"
        let page = look(
            try await ben.visit("/me/imports/new?kind=file").send(
                to: "/me/imports/new", filling: ["file": file(rows), "name": "Γάτες", "price": "0"]))
        let path = page.path
        look(try await page.send(to: path))
        let settings = look(try await ben.visit("\(path)/settings"))
        look(try await settings.send(to: "\(path)/settings", filling: ["name": "Γ"]))
        let changed = "Γάτες,2027-05-01,12:00,13:00,Κήπος\nΣκύλοι,2027-05-02,99:00,11:00,Αυλή"
        look(try await ben.visit(path).send(to: "\(path)/read", filling: ["file": file(changed)]))
        look(try await ben.visit(path).send(to: "\(path)/read", filling: ["file": file("")]))
        look(try await ben.visit("/me/imports"))
        look(try await ben.visit(path).send(to: "\(path)/remove"))
        // His plan holds the events of the other walks.
        try await site.execute("UPDATE event SET counts = FALSE")
    }

    /// A hat that isn't on, and a wrong address.
    private mutating func stray(_ scene: Scene) async throws {
        let (visitor, ana, ben) = (scene.visitor, scene.ana, scene.ben)
        look(try await ben.visit("/me/children"))
        look(try await ana.visit("/admin"))
        look(try await ana.send("PUT", "/events"))
        look(try await visitor.submit("/events/new", [("title", "Γάτες")]))
        if let link = try await site.site.resetLink(for: Self.ana.username) {
            let path = String(link.dropFirst("http://localhost:8080".count))
            look(try await visit(path, as: visitor).send(to: path, filling: ["password": "short"]))
            look(try await visit(path, as: visitor).send(to: path, filling: ["password": .text(Person.password)]))
            _ = try await visit(path, as: visitor)
        }
    }

    /// Posting: a draft, an event, its copies.
    private mutating func post(_ scene: Scene) async throws {
        let ben = scene.ben
        let form: [String: Filling] = [
            "title": "Γάτες", "description": "Γάτες και σκύλοι.", "date": "2027-03-28", "start_time": "9:15",
            "end_time": "11:00", "address": "180 Park Ave", "city": "San Jose", "state": "CA", "zip": "95113",
            "spots": "3", "covid_safe": true, "price": "2000.50", "age_from": "3", "age_to": "9",
        ]
        look(try await ben.visit("/events/new").send(to: "/events/new", (name: "step", value: "draft"), filling: form))
        let draft = try await visit("/me/events?list=draft", as: ben)
        if let action = draft.forms.first(where: { $0.action.hasPrefix("/me/drafts") })?.action {
            look(try await draft.send(to: action))
        }
        let preview = look(
            try await ben.visit("/events/new").send(to: "/events/new", (name: "step", value: "preview"), filling: form))
        let published = look(try await preview.send(to: "/events/new", (name: "step", value: "publish")))
        let third = String(published.path.dropFirst("/events/".count).prefix { $0 != "/" })
        for path in ["/events/\(third)/edit", "/events/\(third)/cancel", "/events/\(third)/copy"] {
            try await roam([path], as: ben, "third")
        }
        let copies = look(
            try await ben.visit("/events/\(third)/copy").send(
                to: "/events/\(third)/copy", (name: "step", value: "preview"),
                filling: ["every": "week", "times": "2", "booking": "together"])
        )
        look(try await copies.send(to: "/events/\(third)/copy", (name: "step", value: "publish")))
        look(try await scene.ana.visit("/events/\(third)"))
        let dates = look(try await scene.ana.visit("/events/\(third)/dates"))
        look(try await dates.send(to: "/events/\(third)/registrations"))
        let page = try await visit("/events/\(third)/cancel", as: ben)
        if page.forms.contains(where: { $0.action == "/events/\(third)/delete" }) {
            look(try await page.send(to: "/events/\(third)/delete"))
        }
        look(try await ben.visit("/me/events"))
        look(try await ben.visit("/me/events?series=\(third)"))
    }

    /// An event with sessions: posted, chosen for a child, given back, and its lists.
    private mutating func camp(_ scene: Scene) async throws {
        let (ana, ben) = (scene.ana, scene.ben)
        let form: [String: Filling] = [
            "title": "Πηλός", "description": "Πηλός και χρώματα.", "date": "2027-03-29", "start_time": "9:15",
            "end_date": "2027-03-30", "end_time": "11:00", "address": "180 Park Ave", "city": "San Jose",
            "state": "CA", "zip": "95113", "price": "0",
        ]
        let session: [String: Filling] = [
            "activity.0.name": "Πρωί", "activity.0.start_time": "9:15", "activity.0.end_time": "11:00",
            "activity.0.end_date": "2027-03-30",
        ]
        let rows = look(
            try await ben.visit("/events/new").send(to: "/events/new", (name: "step", value: "add"), filling: form))
        let wrong = look(try await rows.send(to: "/events/new", (name: "step", value: "preview"), filling: session))
        let preview = look(
            try await wrong.send(
                to: "/events/new", (name: "step", value: "preview"), filling: ["activity.0.spots": "1"]))
        let published = look(try await preview.send(to: "/events/new", (name: "step", value: "publish")))
        let camp = String(published.path.dropFirst("/events/".count).prefix { $0 != "/" })
        look(try await ana.visit("/events/\(camp)"))
        let sessions = look(try await ana.visit("/events/\(camp)/sessions"))
        look(try await sessions.send(to: "/events/\(camp)/registrations"))
        let chosen = look(
            try await sessions.send(
                to: "/events/\(camp)/registrations", (name: "all", value: "\(scene.children[0])")))
        let ticket = look(try await chosen.send(to: "/events/\(camp)/registrations"))
        look(try await ana.visit("/events/\(camp)/sessions"))
        look(try await ben.visit("/events/\(camp)/registrations"))
        let row = ticket.forms.first { $0.action.hasPrefix("/events/\(camp)/activities/") }
        if let action = row?.action {
            let list = action.split(separator: "/").dropLast().joined(separator: "/")
            look(try await ben.visit("/\(list)/registrations"))
            look(try await ana.visit("/\(list)"))
            look(try await ticket.send(to: action))
        }
        look(try await ana.visit("/me/registrations"))
    }

    /// A change, seen by families; notes, arrivals, walk-ins.
    private mutating func change(_ scene: Scene) async throws {
        let (event, registration, children, ana, ben) = (
            scene.event, scene.registration, scene.children, scene.ana, scene.ben
        )
        let edit = look(
            try await ben.visit("/events/\(event)/edit").send(
                to: "/events/\(event)/edit", (name: "step", value: "preview"),
                filling: ["start_time": "11:00", "end_time": "", "date": "2027-03-26"]))
        look(try await edit.send(to: "/events/\(event)/edit", (name: "step", value: "publish")))
        try await everybody(scene)
        look(
            try await ana.visit("/me/children/\(children[0])/edit").send(
                to: "/me/children/\(children[0])/edit", filling: ["allergies": "καρύδια", "may_collect": "Θεία"]))
        for notes in ["1", "0"] {
            let page = try await visit("/registrations/\(registration)", as: ana)
            guard page.forms.contains(where: { $0.action == "/registrations/\(registration)/notes" }) else { continue }
            look(
                try await page.send(
                    to: "/registrations/\(registration)/notes", (name: "share_notes", value: notes)))
            if notes == "1" { try await everybody(scene) }
        }
        try await site.execute("UPDATE registration SET needs_help = TRUE WHERE id = \(registration)")
        look(
            try await visit("/registrations/\(registration)", as: ana).send(to: "/registrations/\(registration)/help"))
        let roster = try await visit("/events/\(event)/registrations?early=1", as: ben)
        look(try await roster.send(to: "/events/\(event)/arrivals", (name: "presence", value: "here")))
        look(try await roster.send(to: "/events/\(event)/walk-ins"))
    }

    /// What a host asks of families, before and after they have places.
    private mutating func ask(_ scene: Scene) async throws {
        let (event, registration, ana, ben) = (scene.event, scene.registration, scene.ana, scene.ben)
        let kid = try await site.child("Πία", of: Self.ana)
        try await site.write { db in
            try Ask.save(
                [
                    Ask(content: .init(kind: .photo, text: "Φωτογραφίες;", why: "Για όλους.", isEach: true)),
                    Ask(content: .init(kind: .agree, text: "Κολυμπάμε.", isRequired: true, days: 7)),
                    Ask(content: .init(kind: .choice, text: "Ψωμί;", options: ["άσπρο", "μαύρο"], isRequired: true)),
                    Ask(content: .init(kind: .line, text: "Ποιος έρχεται;")),
                ], of: event, in: db)
        }
        let page = try await visit("/events/\(event)", as: ana)
        look(try await page.send(to: "/events/\(event)/registrations", filling: ["child": ["\(kid)"]]))
        try await everybody(scene)
        let answers = try await visit("/registrations/\(registration)/answers", as: ana)
        let said = Dictionary(
            answers.forms.flatMap(\.controls).filter { $0.name.hasSuffix(".say") }.map {
                ($0.name, Filling.text("yes"))
            },
            uniquingKeysWith: { $1 })
        let given = look(try await answers.send(to: "/registrations/\(registration)/answers", filling: said))
        look(try await given.send(to: "/registrations/\(registration)/consents"))
        try await everybody(scene)
        let edit = try await visit("/events/\(event)/edit", as: ben)
        look(
            try await edit.send(
                to: "/events/\(event)/edit", (name: "step", value: "preview"),
                filling: ["question.0.text": "Βίντεο;", "question.2.options": "ένα"]))
        look(
            try await edit.send(
                to: "/events/\(event)/edit", (name: "step", value: "preview"), filling: ["question.0.text": "Βίντεο;"]))
        for kind in ["agree", "choice", "line"] {
            look(try await edit.send(to: "/events/\(event)/edit", (name: "step", value: "question-add.\(kind)")))
        }
    }

    /// Giving back, taking back.
    private mutating func giveBack(_ scene: Scene) async throws {
        let (registration, ana) = (scene.registration, scene.ana)
        let places = try await visit("/registrations/\(registration)", as: ana)
        let given = look(try await places.send(to: "/registrations/\(registration)/cancel"))
        if let undo = given.forms.first(where: { $0.action.hasPrefix("/undo/") }) {
            look(try await given.send(to: undo.action))
        }
    }

    /// The door: invitations, who waits to be let in, a wave, mail domains.
    private mutating func door(_ scene: Scene) async throws {
        let (ana, mira) = (scene.ana, scene.mira)
        let invitation = look(
            try await ana.visit("/me/invitations").send(to: "/me/invitations", filling: ["whom": "Ζωή"]))
        let inviting = "/invitations/" + (invitation.html.first("code")?.text.split(separator: "/").last ?? "")
        for browser in [site.browser(), ana] { look(try await browser.visit(inviting)) }
        look(try await site.browser().visit(inviting).send(to: "/signup"))
        look(try await ana.visit("/me/invitations"))
        let guest = try await site.account(of: Self.dan)
        let (newcomer, now) = (try await site.signIn(Self.dan), site.clock.now)
        try await site.write(at: now) { tx in try Account.ask(guest, in: tx) }
        for path in ["/waiting", "/me/settings"] { look(try await newcomer.visit(path)) }
        let entry = "/admin/queue/person-\(guest)"
        for (act, reason) in [("note", "Γιατί;"), ("refuse", "Όχι"), ("admit", "")] {
            let page = look(try await mira.visit(entry))
            look(
                try await page.send(
                    to: entry, filling: ["act": .text(act), "ground": "other", "reason": .text(reason)]))
            if act != "admit" { look(try await newcomer.visit("/waiting")) }
        }
        look(try await newcomer.visit("/inbox"))
        look(
            try await mira.visit("/admin/domains").send(
                to: "/admin/domains/block", filling: ["domain": "x", "reason": "Δοκιμή"]))
        look(
            try await mira.visit("/admin/domains").send(
                to: "/admin/domains/block", filling: ["domain": "spam.example", "reason": "Δοκιμή"]))
        try await lookAtLogIns(mira)
        look(try await mira.visit("/admin/people").send(to: "/admin/people", (name: "step", value: "preview")))
        let flood = look(
            try await mira.visit("/admin/people").send(
                to: "/admin/people", (name: "step", value: "preview"), filling: ["account": ["\(guest)"]]))
        let waves = look(
            try await flood.send(to: "/admin/people", (name: "step", value: "publish"), filling: ["reason": "Δοκιμή"]))
        look(try await waves.send(to: "/admin/waves/1/undo"))
        let desk0 = "/admin/people/\(guest)"
        look(try await mira.visit(desk0 + "/email"))
        for act in ["removal", "removal-undo"] {
            look(try await mira.visit(desk0).send(to: "\(desk0)/\(act)", filling: ["reason": "Δοκιμή"]))
            look(try await mira.visit(entry))
        }
        for joining in ["closed", "invitation", "approval"] {
            try await site.execute("DELETE FROM note WHERE name = 'town_joining'")
            try await site.execute("INSERT INTO note (name, value) VALUES ('town_joining', \(joining))")
            site.site.use(try site.read { db in try Town(in: db) })
            for path in ["/signup", "/login", "/me/invitations"] {
                look(try await (path.hasPrefix("/me") ? ana : site.browser()).visit(path))
            }
        }
        try await site.execute("DELETE FROM note WHERE name = 'town_joining'")
        site.site.use(try site.read { db in try Town(in: db) })
    }

    /// Another parent.
    private mutating func twoParents(_ scene: Scene, _ theo: Browser) async throws {
        let ana = scene.ana
        look(try await ana.visit("/me/guardian"))
        let invited = try await ana.visit("/me/guardian").send(
            to: "/me/guardian", filling: ["current_password": .text(Person.password)])
        look(invited)
        let link = "/guardians/" + (invited.html.first("code")?.text.split(separator: "/").last ?? "")
        look(try await ana.visit(link))
        look(try await theo.visit(link).send(to: link))
        look(try await ana.visit("/me/guardian"))
        for browser in [ana, theo] {
            let both = (name: "on", value: "1")
            look(try await visit("/kindness/mine", as: browser).send(to: "/kindness/family", both))
            look(try await browser.visit("/kindness/mine"))
        }
        look(try await ana.visit("/me/delete"))
        look(try await theo.visit("/me/guardian").send(to: "/me/guardian"))
    }

    /// Several who look after an organization.
    private mutating func colleagues(_ scene: Scene, _ theo: Browser) async throws {
        let (ben, mira) = (scene.ben, scene.mira)
        let people = "/me/organization/colleagues"
        let asked = look(
            try await ben.visit(people).send(
                to: people, filling: ["role": "edit", "current_password": .text(Person.password)]))
        let way = "/join/" + (asked.html.first("code")?.text.split(separator: "/").last ?? "")
        for browser in [ben, theo] { look(try await browser.visit(way)) }
        look(try await theo.visit(way).send(to: way))
        look(try await ben.visit(people))
        try await site.execute("UPDATE account SET suspended_at = 1 WHERE username = \(Self.ben.username)")
        look(try await theo.visit("/me"))
        try await site.execute("UPDATE account SET suspended_at = NULL WHERE username = \(Self.ben.username)")
        look(try await ben.visit(people).send(to: people, (name: "act", value: "entrust")))
        let now = site.clock.now
        try await site.write(at: now) { tx in try DeskNews(.handedOver, ID(1), "Ω").tell("account.is_admin", in: tx) }
        look(try await mira.visit("/inbox"))
        look(try await ben.visit("/me/delete"))
        look(try await ben.visit("/me/opportunities?list=draft"))
        look(try await theo.visit(people).send(to: "/me/organization/leave"))
        look(try await ben.visit("/inbox"))
    }

    /// What is asked and answered, and told to all.
    private mutating func talk(about small: ID<Event>, _ scene: Scene) async throws {
        let (visitor, ana, ben, mira) = (scene.visitor, scene.ana, scene.ben, scene.mira)
        for (text, isPrivate) in [("x", false), ("Πού είναι;", false), ("Πότε είναι;", true)] {
            let asked = try await visit("/events/\(small)", as: ana)
            look(
                try await asked.send(
                    to: "/events/\(small)/questions", filling: ["text": .text(text), "private": .tick(isPrivate)]))
            if text == "x" { continue }
            look(try await ben.visit("/events/\(small)"))
        }
        for id in try site.read({ db in try db.all("SELECT id FROM question LIMIT 9") { try $0.next() as Int64 } }) {
            let form = try await visit("/questions/\(id)/answer", as: ben)
            look(try await form.send(to: "/questions/\(id)/answer", filling: ["text": "Εδώ."]))
            _ = try await visit("/admin/questions/\(id)", as: mira)
        }
        for browser in [ana, mira, visitor] { look(try await browser.visit("/events/\(small)")) }
        let links = try await ana.visit("/events/\(small)").links
        let thread = links.first { $0.href.hasPrefix("/threads/") }?.href ?? ""
        look(try await visit(thread, as: ana).send(to: thread, filling: ["text": "Πού;"]))
        for page in ["/events/\(small)", "/inbox", thread] { look(try await ben.visit(page)) }
        let announcements = "/events/\(small)/announcements"
        let message: [String: Filling] = ["subject": "Γάτες", "body": "Γάτες και σκύλοι."]
        let composing = try await visit(announcements, as: ben)
        look(try await composing.send(to: announcements, (name: "step", value: "preview")))
        let seen = look(
            try await composing.send(to: announcements, (name: "step", value: "preview"), filling: message))
        look(try await seen.send(to: announcements, (name: "step", value: "publish")))
        _ = try await visit(announcements, as: ana)
        for browser in [ana, ben] { look(try await browser.visit("/inbox")) }
    }

    /// Waiting for a place that somebody gives back.
    private mutating func wait(for small: ID<Event>, held holders: ID<Registration>, _ scene: Scene) async throws {
        let (event, visitor, ana, ben) = (scene.event, scene.visitor, scene.ana, scene.ben)
        let kid = try await site.child("Ντίνα", of: Self.dan)
        let dan = try await site.signIn(Self.dan, as: .parent)
        let full = try await visit("/events/\(small)", as: dan)
        look(try await full.send(to: "/events/\(small)/registrations"))
        let turn = look(
            try await full.send(
                to: "/events/\(small)/registrations", (name: "wait", value: "1"), filling: ["child": ["\(kid)"]]))
        for path in ["/events/\(small)", "/me/registrations?list=waiting"] { look(try await dan.visit(path)) }
        try await site.execute("UPDATE registration SET needs_help = TRUE WHERE event_id = \(small)")
        look(try await dan.visit(turn.path))
        try await site.execute("UPDATE registration SET needs_help = FALSE WHERE event_id = \(small)")
        for browser in [ben, visitor] { look(try await browser.visit("/events/\(small)")) }
        look(try await ben.visit("/events/\(small)/waiting"))
        look(try await ben.visit("/events/\(event)/waiting"))
        let holding = try await visit("/registrations/\(holders)", as: ana)
        look(try await holding.send(to: "/registrations/\(holders)/cancel"))
        look(try await ben.visit("/events/\(small)/waiting"))
        for path in ["/", "/events/\(small)", turn.path] { look(try await dan.visit(path)) }
        // From a letter: a tap that answers, one that gives back.
        let party = turn.path.split(separator: "/").last.flatMap { ID<Registration>(String($0)) } ?? ID(0)
        if let seal = try site.read({ db in try Seal(in: db) }) {
            let links: [(LetterLink<Registration>, ID<Registration>)] = [
                (.offer, party), (.giveBack, party), (.giveBack, holders),
            ]
            for (link, id) in links {
                let reader = try site.read { db in try Registration.holder(of: id, in: db) }?.account ?? ID(0)
                _ = try await visit(link.link(to: id, for: reader, seal).string, as: visitor)
            }
        }
        look(try await dan.visit(turn.path).send(to: turn.path + "/decline"))
        if let seal = try site.read({ db in try Seal(in: db) }) {
            let reader = try site.read { db in try Registration.holder(of: party, in: db) }?.account ?? ID(0)
            _ = try await visit(LetterLink.offer.link(to: party, for: reader, seal).string, as: visitor)
        }
    }

    /// A letter to all who chose a topic: looked at, tried, sent, refused within the week, stopped, and ended by one.
    private mutating func writeToAll(_ admin: Browser) async throws {
        let filling: [String: Filling] = ["topic": "site", "title": "Νέα", "body": "Γεια σας."]
        let form = look(try await admin.visit("/admin/letters/new"))
        // Nobody chose it.
        look(try await form.send(to: "/admin/letters/new", (name: "step", value: "preview"), filling: filling))
        let account = try await site.account(of: Self.ana)
        try await site.write { db in
            try Notice.choose(.aboutSite, .mail, true, by: account, in: db)
            try db.execute("UPDATE account SET confirmed_at = 1 WHERE id = \(account)")
        }
        let preview = look(
            try await form.send(to: "/admin/letters/new", (name: "step", value: "preview"), filling: filling))
        look(try await preview.send(to: "/admin/letters/new", (name: "trial", value: "1")))
        look(try await preview.send(to: "/admin/letters/new", (name: "step", value: "publish")))
        look(try await admin.visit("/admin/letters/1"))
        // While the topic rests, the preview says until when.
        look(
            try await admin.visit("/admin/letters/new").send(
                to: "/admin/letters/new", (name: "step", value: "preview"), filling: filling))
        look(try await admin.visit("/admin/letters/1").send(to: "/admin/letters/1/stop"))
        look(try await admin.visit("/admin/letters"))
        let token = try site.read { db in
            LetterEnding(account: account, kind: .aboutSite).token(try #require(try Seal(in: db)))
        }
        look(try await look(site.browser().visit("/unsubscribe/\(token)")).send(to: "/unsubscribe/\(token)"))
    }

    /// People from a list: nothing in it, looked at, and a press that is too late.
    private mutating func inviteFromList(_ admin: Browser) async throws {
        let page = look(try await admin.visit("/admin/invitations"))
        look(try await page.send(to: "/admin/invitations", filling: ["list": "Γάτα"]))
        let list = """
            Όνομα,Mail,العمر
            Γάτα,nobody@example.org,7
            Γάτα,Nobody@example.org,7
            Γάτα,,7
            Γάτα,γ@δ,7
            Γάτα,nobody@example.org nea@example.org,7
            Γάτα,\(Self.ana.email),7
            """
        let preview = look(try await page.send(to: "/admin/invitations", filling: ["list": .text(list)]))
        look(try await preview.send(to: "/admin/invitations/send"))
        let (account, now) = (try await site.account(of: Self.ana), site.clock.now)
        let seal = try await site.site.seal()
        try await site.write(at: now) { tx in
            let list = InvitationList(addresses: "nobody@example.org", most: SiteInvitation.most)
            let count = try SiteInvitation.send(list, by: account, seal, in: tx)
            try AuditEntry.record(.invitePeople, "\(count)", 0, reason: "", by: account, in: tx)
        }
        let open = look(try await admin.visit("/admin/invitations"))
        look(try await preview.send(to: "/admin/invitations/send"))
        let token: String? = try site.read { db in
            try db.value("SELECT secret FROM letter WHERE kind = 'invitedHere' ORDER BY id DESC LIMIT 1")
        }
        look(try await site.browser().visit("/invitations/\(token ?? "")"))
        look(try await open.send(to: "/admin/invitations/end"))
        look(try await site.browser().visit("/invitations/\(token ?? "")"))
    }

    /// Staff, and the end of an event.
    private mutating func end(_ scene: Scene) async throws {
        let (event, second, ben, mira) = (scene.event, scene.second, scene.ben, scene.mira)
        let desk = "/admin/events/\(event)"
        for act in ["hide", "show"] {
            look(try await mira.visit(desk).send(to: "\(desk)/\(act)", filling: ["reason": "Δοκιμή"]))
            if act == "hide" { try await everybody(scene) }
        }
        let providers = try await visit("/admin/providers", as: mira)
        if let plan = providers.links.first(where: { $0.href.hasPrefix("/admin/providers/") })?.href {
            look(try await mira.visit(plan).send(to: plan, filling: ["plan": "gold", "reason": "Δοκιμή"]))
        }
        look(
            try await ben.visit("/events/\(event)/cancel").send(
                to: "/events/\(event)/cancel", filling: ["reason": "Βρέχει"]))
        try await everybody(scene)
        site.clock.advance(by: .days(8))
        let late = try await site.signIn(Self.ana, as: .parent)
        look(try await late.visit("/events/\(second)"))
        look(try await late.visit("/me/registrations?list=attended"))
        look(try await site.browser().visit("/events/\(second)"))
        let host = try await site.signIn(Self.ben, as: .provider)
        let (owner, now) = (try await site.account(of: Self.ben), site.clock.now)
        let begun: Int? = try site.read { db in
            try db.value(
                """
                SELECT id FROM event
                WHERE account_id = \(owner) AND starts_at <= \(now) AND cancelled_at IS NULL ORDER BY id LIMIT 1
                """)
        }
        look(try await host.visit("/events/\(begun ?? 0)/headcount"))
        look(try await host.visit("/events/\(begun ?? 0)/held"))
        let ahead: Int? = try site.read { db in
            try db.value(
                """
                SELECT max(id) FROM event
                WHERE account_id = \(owner) AND ends_at > \(now) AND cancelled_at IS NULL AND listed AND NOT sessions
                """)
        }
        try await lookAtGuests(on: "/events/\(ahead ?? 0)", of: host)
        let person = try await site.signIn(Self.mira, isStaff: true)
        let account = try await site.account(of: Self.ben)
        let own = "/admin/people/\(account)"
        for act in ["reset-link", "suspension", "restoration"] {
            look(try await person.visit(own).send(to: "\(own)/\(act)", filling: ["reason": "Δοκιμή"]))
            if act == "suspension" {
                look(
                    try await site.browser().visit("/login").send(
                        to: "/login", filling: ["login": .text(Self.ben.username), "password": .text(Person.password)]))
            }
        }
        try await writeToAll(person)
        try await inviteFromList(person)
        look(try await person.visit("/admin/log"))
        for path in [
            "", "?from=%CE%BE", "?from=2020-01-01&to=2020-01-02", "/sessions?of=602", "/sessions?of=uncounted",
        ] {
            look(try await person.visit("/admin/report\(path)"))
        }
    }
}
