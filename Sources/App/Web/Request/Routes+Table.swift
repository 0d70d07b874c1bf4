import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

extension Visit {
    /// Restricts people who aren't let in yet to the routes open to them, and treats them as strangers on public pages.
    fileprivate mutating func checkEntry(to route: Route) throws(Refusal) {
        guard visitor?.isWaiting == true, !route.traits.contains(.openWhileWaiting) else { return }
        let isOpen = route.traits.contains(.openWhenClosed) || !site.opening.isClosed
        guard route.isForAnyone, isOpen, !route.traits.contains(.entrance) else { throw .waiting }
        (visitor, isOnList) = (nil, true)
    }
}

/// The table of URLs, each with its method, rights and handler.
struct Routes {
    let site: Site
    private var lines: [Line] = []

    /// A route, and how it is answered, including what is the same for all routes.
    fileprivate struct Line {
        let route: Route
        let answer: @Sendable (SiteContext) async throws -> Response
    }

    init(site: Site) { self.site = site }

    /// All routes, in the order of the table.
    var all: [Route] { lines.map(\.route) }

    /// The router that answers, behind the gate.
    func router() -> Router<SiteContext> {
        let router = Router(context: SiteContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: Gate(site: site, routes: all))
        for line in lines {
            router.on(line.route.path, method: line.route.method) { _, context in try await line.answer(context) }
        }
        return router
    }

    /// Adds lines that have something in common.
    ///
    /// - Parameters:
    ///   - module: The part of the site they belong to, which can be switched off.
    ///   - access: The access of lines that don't name their own.
    ///   - traits: The traits of all lines.
    mutating func section<C: Context>(
        of module: Module? = nil, for access: Access<C>, _ traits: Route.Traits = [],
        _ add: (inout Section<C>) -> Void
    ) {
        var section = Section(module: module, access: access, traits: traits)
        add(&section)
        lines += section.lines
    }

    /// Lines of the table that have something in common.
    struct Section<Common: Context> {
        fileprivate let module: Module?
        fileprivate let access: Access<Common>
        fileprivate let traits: Route.Traits
        fileprivate var lines: [Line] = []

        fileprivate init(module: Module?, access: Access<Common>, traits: Route.Traits) {
            (self.module, self.access, self.traits) = (module, access, traits)
        }

        // Never inlined, like `post`: the table is one function, and with three hundred inlined copies the optimizer
        // spent a quarter of its time there.

        /// Adds a page with the section's access.
        @inline(never)
        mutating func get(
            _ pattern: String, _ traits: Route.Traits = [],
            use handler: @escaping @Sendable (Common) async throws -> Response
        ) {
            get(pattern, for: access, traits, use: handler)
        }

        /// Adds a page with its own access.
        @inline(never)
        mutating func get<C: Context>(
            _ pattern: String, for access: Access<C>, _ traits: Route.Traits = [],
            use handler: @escaping @Sendable (C) async throws -> Response
        ) {
            let route = route(.get, pattern, access, traits)
            add(route, access) { visit in
                if route.traits.contains(.hasOneAddress), visit.choice.target.contains("?") {
                    return visit.redirect(to: Link(path: visit.path))
                }
                return try await handler(access.admit(visit))
            }
        }

        /// Adds a change with the section's access.
        @inline(never)
        mutating func post(
            _ pattern: String, _ traits: Route.Traits = [], writes kind: Subject.Kind? = nil, gone: Link? = nil,
            use handler: @escaping @Sendable (Common) async throws -> Response
        ) {
            post(pattern, for: access, traits, writes: kind, gone: gone, use: handler)
        }

        /// Adds a change. Before the handler runs, the form is read and known to come from a page of this site.
        ///
        /// - Parameters:
        ///   - kind: What is made by it, where that is a thing of its own: it is published, and its `Brake` holds
        ///     newcomers back.
        ///   - gone: The page that the 404 page links to if the form finds nothing to end.
        @inline(never)
        mutating func post<C: Context>(
            _ pattern: String, for access: Access<C>, _ traits: Route.Traits = [], writes kind: Subject.Kind? = nil,
            gone: Link? = nil, use handler: @escaping @Sendable (C) async throws -> Response
        ) {
            let route = route(
                .post, pattern, access, kind == nil ? traits : traits.union(.publishes), writes: kind, gone: gone)
            add(route, access) { visit in
                if route.traits.contains(.needsOnlyItsToken) {
                    visit.body = try await visit.readForm(.withoutFiles)
                    visit.readOn()
                    return try await handler(access.admit(visit))
                }
                let isOurs = try visit.checkOrigin()
                visit.body = try await visit.readForm(of: route)
                try visit.arrive()
                visit.readOn()
                visit.body.home = visit.site.settings.country
                visit.body.decimalPoint = { Country.point(of: $0) }
                try await visit.resumeSession()
                try visit.checkEntry(to: route)
                let mayLackToken = route.isForAnyone || route.traits.contains(.comesFromNoPage)
                try visit.checkToken(isOptional: isOurs && mayLackToken)
                return try await visit.braked(on: route) { visit in
                    try await Self.answer(visit, access, by: handler)
                }
            }
        }

        /// The handler's response. If somebody stored something between the handler's reading and writing, it runs
        /// again on the new data; in each round another writer was first. A form that was sent before with other
        /// content becomes a new form and is shown again.
        private static func answer<C: Context>(
            _ visit: Visit, _ access: Access<C>, by handler: @Sendable (C) async throws -> Response
        ) async throws -> Response {
            var visit = visit
            for _ in 1...20 {
                do {
                    return try await handler(access.admit(visit))
                } catch let sent as SentForm.HasOtherWords {
                    visit.body = visit.body.renewed(because: sent.words)
                } catch is ChangedMeanwhile {}
            }
            throw Refusal.tooMany(retryAfter: .seconds(1))
        }

        private func route(
            _ method: HTTPRequest.Method, _ pattern: String, _ access: Access<some Context>, _ traits: Route.Traits,
            writes kind: Subject.Kind? = nil, gone: Link? = nil
        ) -> Route {
            let pattern = "/" + pattern
            return Route(
                method: method, pattern: pattern, path: RouterPath(pattern), access: access.name,
                traits: self.traits.union(traits), kind: kind, module: module, gone: gone)
        }

        private mutating func add(
            _ route: Route, _ access: Access<some Context>,
            _ handle: @escaping @Sendable (inout Visit) async throws -> Response
        ) {
            let line = Line(route: route) { context in
                guard var visit = context.visit else { throw Refusal.notFound }
                visit.parameters = context.parameters
                visit.pattern = route.pattern
                visit.hats = access.hats
                var response: Response
                do {
                    let opening = visit.site.opening
                    guard opening.has(route.module) else { throw Refusal.switchedOff }
                    if opening.isClosed, route.isForAnyone, visit.visitor == nil,
                        !route.traits.contains(.openWhenClosed)
                    {
                        throw Refusal.signInFirst
                    }
                    try visit.checkEntry(to: route)
                    response = try await handle(&visit)
                } catch Refusal.notFound where route.gone != nil {
                    response = visit.nothingToEnd(next: route.gone ?? .start)
                } catch {
                    // The visit has the form as far as it was read, so nothing typed is lost.
                    response = visit.answer(to: error)
                }
                for cookie in visit.cookies { response.headers.append(cookie) }
                return response
            }
            lines.append(line)
        }
    }
}

extension Visit {
    fileprivate func readForm(of route: Route) async throws -> FormBody {
        guard route.traits.contains(.takesFiles) else { return try await readForm(.withoutFiles) }
        if visitor == nil, route.traits.contains(.comesFromPhone) { return try await readForm(.passingOverFiles) }
        return try await readFormWithFiles(route.traits.contains(.takesManyRows) ? .long : .withPicture)
    }

    /// Answers a form within its writer's rights: a member restricted to reading can't publish, and a newcomer only a
    /// few things a day.
    fileprivate mutating func braked(
        on route: Route, _ answer: @Sendable (Visit) async throws -> Response
    ) async throws -> Response {
        let publishes = route.traits.contains(.publishes)
        if publishes, let until = visitor?.limitedUntil, until > now { throw Refusal.limited(until: until) }
        guard let newcomer, let account = visitor?.account else { return try await answer(self) }
        if publishes { body = body.refused(newcomer.problems(in: body)) }
        let speaks = route.traits.contains(.speaksToStrangers)
        guard let pace = route.kind.flatMap(newcomer.pace(of:)) ?? (speaks ? newcomer.pace : nil) else {
            return try await answer(self)
        }
        return try await held(to: pace, by: account, answer)
    }

    /// Answers a form at a newcomer's pace. A form that isn't accepted doesn't count, and the same form sent again
    /// doesn't count twice.
    ///
    /// - Throws: `Refusal.newHere` if it is too fast, and the response's errors.
    func held(
        to pace: RateRule, by account: ID<Account>, _ answer: @Sendable (Visit) async throws -> Response
    ) async throws -> Response {
        // If it contained two, the form would use neither.
        if let once = body.only("once"), try await site.wasSent(once, at: path, by: account) {
            return try await answer(self)
        }
        let wait = try await site.take(pace, by: account, at: now)
        let press = Press(body, at: path, by: account)
        if let press, try await press.isAgain(in: site, at: now, counting: wait == nil) {
            if wait == nil { try await site.giveBack(pace, by: account) }
            return try await answer(self)
        }
        if let wait { throw Refusal.newHere(retryAfter: wait) }
        func giveBack() async throws {
            try await site.giveBack(pace, by: account)
            if let press { try await site.giveBack(Press.rule, by: press) }
        }
        do {
            let response = try await answer(self)
            if response.status != .seeOther, response.status != .created { try await giveBack() }
            return response
        } catch {
            try await giveBack()
            throw error
        }
    }
}

/// A counted submission by a newcomer: the same form sent again, even at the same moment, doesn't count twice.
private struct Press: Hashable, CustomStringConvertible {
    let account: ID<Account>
    let path: String
    let answers: [String]

    static let rule = RateRule(name: "presses of newcomers", count: 1, period: .days(1))

    /// - Returns: Nil if submissions can't be told apart.
    init?(_ body: FormBody, at path: String, by account: ID<Account>) {
        guard body.only("once") != nil else { return nil }
        (self.account, self.path) = (account, path)
        answers = body.entries.filter { $0.name != "csrf" }.flatMap { [$0.name, $0.value] }
    }

    /// The key for counting across several nodes.
    var description: String { "\(account) \(path) \(answers)" }

    /// Whether the same submission was made before.
    func isAgain(in site: Site, at now: Instant, counting: Bool) async throws -> Bool {
        if counting { return try await site.take(Self.rule, by: self, at: now) != nil }
        return try site.wait(Self.rule, by: self, at: now) != nil
    }
}
