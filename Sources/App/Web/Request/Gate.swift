import Database
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Templating
import Wire

/// The path of every request: its head is checked, it is counted, joined with its session and answered, and the
/// response gets the common headers and is logged.
struct Gate: RouterMiddleware {
    typealias Context = SiteContext

    let site: Site
    let routes: [Route]
    private let cached: Set<String>

    init(site: Site, routes: [Route]) {
        self.site = site
        self.routes = routes
        cached = Set(routes.filter { $0.traits.contains(.cached) }.map(\.path.description))
    }

    func handle(
        _ request: Request, context: SiteContext,
        next: @concurrent (Request, SiteContext) async throws -> Response
    ) async throws -> Response {
        if let response = asset(request) { return response }

        let arrival = Arrival(
            of: request, from: context.peer, choice: LanguageChoice(of: request, at: site), at: site)
        let (now, excess) = (arrival.now, arrival.excess)
        var visit = Visit(
            site: site, request: request, now: now, address: arrival.address, choice: arrival.choice,
            language: arrival.language)
        // While the disk is slow, a waiting page must not hold up others on the connection's thread.
        var (response, isPicture) =
            if site.readsWait || Self.asksForPicture(request) && site.media.readsWait {
                await withTaskExecutorPreference(PatientThreads.shared) {
                    await answer(request, context, excess, &visit, next)
                }
            } else {
                await answer(request, context, excess, &visit, next)
            }
        guard !isPicture else { return response }
        dress(&response, for: visit)
        let pattern = context.endpointPath ?? "none"
        let isWhole = response.status == .ok && response.body.contentLength != nil
        if let key = arrival.key, isWhole, cached.contains(pattern) {
            let page = PageCache.Page(response, body: try await response.body.bytes(), pattern: pattern)
            site.pages.insert(page, for: key, at: arrival.moment)
        }
        response = response.unless(knownTo: request)
        log(request, pattern, response.status, since: now, id: visit.id, of: visit.visitor?.account)
        site.load.note(.now - arrival.began, isFailure: response.status.code >= 500, at: now)
        return response
    }

    /// The page that another visitor got, ready to send, if this visitor gets the same; nil if it must be drawn, or the
    /// request refused. It is asked for before there is a task for the request.
    func cachedPage(for request: Request, over channel: any Channel) -> ReadyAnswer? {
        guard site.pages.isOn, request.method == .get else { return nil }
        let choice = LanguageChoice(of: request, at: site)
        guard choice.isAllThatIsKnown else { return nil }
        let arrival = Arrival(of: request, from: IPAddress(of: channel), choice: choice, at: site)
        // A visitor over the limit isn't served from the cache, but refused.
        guard let key = arrival.key, let page = site.pages.page(for: key, at: arrival.moment),
            site.limits.take(.pages, by: arrival.address.subscriber, at: arrival.now) == nil
        else { return nil }
        let (answer, status) = page.answer(to: request)
        log(request, page.pattern, status, since: arrival.now)
        site.load.note(.now - arrival.began, isFailure: false, at: arrival.now)
        return answer
    }

    /// The response, and whether it is a picture, which needs no further headers.
    private func answer(
        _ request: Request, _ context: SiteContext, _ excess: HTTPResponse.Status?, _ visit: inout Visit,
        _ next: @concurrent (Request, SiteContext) async throws -> Response
    ) async -> (Response, isPicture: Bool) {
        do {
            if let excess { throw HTTPError(excess) }
            if !Self.probes.contains(visit.path) { try site.requireFiles() }
            if let picture = try picture(visit) { return (picture, true) }
            visit.visitor = try site.visitor(of: visit)
            if visit.choice.asked == nil, let name = visit.visitor?.preferences.language {
                visit.language = site.language(named: name) ?? visit.language
            }
            try count(visit)
            var context = context
            context.visit = visit
            return (try await next(request, context), false)
        } catch let error as HTTPError where error.status == .notFound {
            return (wrongMethod(visit) ?? visit.answer(to: Refusal.notFound), false)
        } catch {
            return (visit.answer(to: error), false)
        }
    }

    /// Probes that ask how the site is; they are answered even if the site has a problem.
    private static let probes: Set<String> = [Link.health.string, Link.readiness.string]

    // MARK: In

    private func count(_ visit: Visit) throws {
        let wait =
            if let visitor = visit.visitor {
                site.limits.take(.pagesOfSession, by: visitor.session, at: visit.now)
            } else {
                site.limits.take(.pages, by: visit.address.subscriber, at: visit.now)
            }
        if let wait { throw Refusal.tooMany(retryAfter: wait) }
    }

    // MARK: Out

    /// A file in `Public`: it needs no session and no rate limit.
    private func asset(_ request: Request) -> Response? {
        guard request.method == .get || request.method == .head, request.uri.path.hasPrefix("/assets/") else {
            return nil
        }
        let parts = request.uri.path.split(separator: "/", maxSplits: 2)
        guard parts.count == 3, let file = site.assets.file(parts[2]) else { return nil }
        var response = Response(status: .ok)
        response.headers[.contentType] = file.type
        response.headers[.eTag] = file.etag
        response.headers[.vary] = "Accept-Encoding"
        // A file under an old digest is still served, for a page that is still open, but not cached.
        response.headers[.cacheControl] = "no-cache"
        if parts[1] == site.assets.digest { response.headers.keepForGood() }
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.crossOriginResourcePolicy] = "same-origin"
        response.headers[.contentSecurityPolicy] = Self.policy
        if site.settings.isHTTPS { response.headers[.strictTransportSecurity] = Self.onlyHTTPS }
        response = response.unless(knownTo: request)
        guard response.status == .ok else { return response }
        var copies: [AcceptEncoding.Coding] = []
        if file.brotli != nil { copies.append(.brotli) }
        if file.gzip != nil { copies.append(.gzip) }
        let coding = AcceptEncoding(request.headers[.acceptEncoding]).best(of: copies)
        let bytes = (coding == .brotli ? file.brotli : coding == .gzip ? file.gzip : nil) ?? file.plain
        if coding != .identity { response.headers[.contentEncoding] = coding.rawValue }
        response.body = .init(byteBuffer: ByteBuffer(bytes: bytes))
        return response
    }

    private static func asksForPicture(_ request: Request) -> Bool {
        (request.method == .get || request.method == .head) && request.uri.path.hasPrefix("/media/")
    }

    /// An uploaded picture, for visitors who may see where it is shown. Caches must revalidate it, so that a removed
    /// picture disappears at once.
    ///
    /// - Returns: Nil if there is none for the visitor.
    /// - Throws: Database errors.
    private func picture(_ visit: Visit) throws -> Response? {
        let request = visit.request
        guard Self.asksForPicture(request) else { return nil }
        let parts = request.uri.path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[3].hasSuffix(".webp"),
            let size = Picture.Size(rawValue: String(parts[3].dropLast(5)))
        else { return nil }
        let (hash, opening) = (String(parts[2]), site.opening)
        let uses = PictureUse.allCases.filter { opening.has($0.module) }
        let isLogo = site.town.face.logo?.hash == hash
        let isForEverybody =
            try isLogo || site.read { db in try Picture.isForEverybody(hash, among: uses, in: db) }
        if opening.isClosed && !isLogo || !isForEverybody {
            // A member who waits to be let in sees only what strangers see.
            guard let reader = try site.visitor(of: visit), !reader.isWaiting else { return nil }
            let isFor = try site.read(at: visit.now) { tx in
                try isForEverybody || Picture.isFor(reader, hash, among: uses, in: tx)
            }
            guard isFor else { return nil }
        }
        var response = Response(status: .ok)
        response.headers[.contentType] = "image/webp"
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.crossOriginResourcePolicy] = "same-origin"
        response.headers[.contentSecurityPolicy] = Self.policyOfPictures
        if site.settings.isHTTPS { response.headers[.strictTransportSecurity] = Self.onlyHTTPS }
        if isForEverybody {
            response.headers[.eTag] = "\"\(hash)-\(size.rawValue)\""
            response.headers[.cacheControl] = opening.isClosed ? "private, no-cache" : "public, no-cache"
            response = response.unless(knownTo: request)
            guard response.status == .ok else { return response }
        } else {
            response.headers[.cacheControl] = "private, no-store"
        }
        guard let bytes = try site.media.bytes(hash, size) else { return nil }
        response.body = .init(byteBuffer: ByteBuffer(bytes: bytes))
        return response
    }

    private func wrongMethod(_ visit: Visit) -> Response? {
        let allowed = Set(routes.matching(visit.path).map(\.method))
        guard !allowed.isEmpty, !allowed.contains(visit.request.method) else { return nil }
        if let page = pageOfForm(visit) { return visit.redirect(to: page) }
        var response = visit.answer(to: HTTPError(.methodNotAllowed))
        let names = allowed.map(\.rawValue) + (allowed.contains(.get) ? ["HEAD"] : [])
        response.headers[.allow] = names.sorted().joined(separator: ", ")
        return response
    }

    /// The page above an address that only takes forms, for a browser that opens it with Back or a reload after a
    /// form's response.
    private func pageOfForm(_ visit: Visit) -> Link? {
        guard visit.request.method == .get, visit.request.headers[.accept]?.contains("text/html") == true else {
            return nil
        }
        var parts = visit.path.split(separator: "/")
        while parts.popLast() != nil {
            let path = "/" + parts.joined(separator: "/")
            if routes.matching(path).contains(where: { $0.method == .get }) { return Link(path: path) }
        }
        return nil
    }

    /// The headers that no handler sets, ready to be added: checking their names and values anew for each response
    /// would take longer than many a query.
    private static let common = [
        HTTPField(name: .xContentTypeOptions, value: "nosniff"),
        // Only our own pages may ask for the device's location, after a press of a button.
        HTTPField(
            name: .permissionsPolicy, value: "geolocation=(self), camera=(), microphone=(), payment=(), usb=()"),
        HTTPField(name: .crossOriginOpenerPolicy, value: "same-origin"),
        HTTPField(name: .crossOriginEmbedderPolicy, value: "credentialless"),
    ]
    /// Those that a handler may set to something else.
    private static let usual = [
        HTTPField(name: .crossOriginResourcePolicy, value: "same-origin"),
        HTTPField(name: .referrerPolicy, value: "strict-origin-when-cross-origin"),
    ]

    private func dress(_ response: inout Response, for visit: Visit) {
        if !response.headers.contains(.contentSecurityPolicy) {
            response.headers[.contentSecurityPolicy] = policy(for: visit)
        }
        response.headers.append(contentsOf: Self.common)
        for field in Self.usual where !response.headers.contains(field.name) { response.headers.append(field) }
        if !response.headers.contains(.cacheControl) {
            response.headers[.cacheControl] =
                visit.visitor != nil || visit.request.method == .post ? "private, no-store" : "private, no-cache"
        }
        if site.settings.isHTTPS { response.headers[.strictTransportSecurity] = Self.onlyHTTPS }
        // A public screen has no user, so it reloads itself after an error.
        if visit.path == Link.screen.string {
            response.headers[HTTPField.Name("Refresh")!] = "\(Screen.pause.components.seconds)"
        }
        guard response.headers[.contentType]?.hasPrefix("text/html") == true else { return }
        if visit.isFirstPage { admitInlinedSheets(&response) }
        // A failure may happen before the reader is known.
        if response.status.code < 500 {
            let account = visit.visitor.map { "\($0.account)" } ?? "nobody"
            response.headers[.villageReader] = "\(account) \(visit.language.name)"
            // The links that a browser may prefetch: only those that just show a page.
            let rules = site.assets.link("next.speculationrules")
            if visit.request.method != .post { response.headers[.speculationRules] = "\"\(rules.string)\"" }
        }
    }

    /// Logs a line per request. `id` is the one shown on an error page. The account is named only for refused requests
    /// and staff actions: a visitor's way through the site isn't recorded.
    ///
    /// - Parameter id: A cached page has no number of its own.
    private func log(
        _ request: Request, _ pattern: String, _ status: HTTPResponse.Status, since start: Instant,
        id: String = "cached", of account: ID<Account>? = nil
    ) {
        // While the site is draining, a negative readiness probe isn't a failure.
        let isPlanned = site.isDraining && pattern == Link.readiness.string
        let level: Logger.Level = status.code >= 500 && !isPlanned ? .error : .info
        guard site.log.logLevel <= level else { return }
        var facts: Logger.Metadata = [
            "request": .string(id), "ms": .string(String((site.now - start).wholeMilliseconds)),
        ]
        let tells = status.code >= 400 || pattern.hasPrefix(Link.admin.string)
        if tells, let account { facts["account"] = .string(account.description) }
        site.log.log(level: level, "\(request.method.rawValue) \(pattern) \(status.code)", metadata: facts)
    }

    /// The content security policy of a page; it admits the tile server's pictures if the visitor chose to show
    /// streets.
    private func policy(for visit: Visit) -> String {
        guard case .shown(let tiles, _)? = visit.streets else { return Self.policy }
        return Self.policy.replacing("img-src 'self'", with: "img-src 'self' \(Streets.origin(of: tiles))")
    }

    /// Has the content security policy admit the style sheets that a first page brings along.
    private func admitInlinedSheets(_ response: inout Response) {
        let face = site.town.face.colors.map { " \($0.inlined.source)" } ?? ""
        response.headers[.contentSecurityPolicy] = response.headers[.contentSecurityPolicy]?.replacing(
            "style-src 'self'", with: "style-src 'self' \(site.assets.inlinedSources)\(face)")
    }

    /// The policy of a page that these websites may embed.
    static func policy(inFramesOf origins: [String]) -> String {
        policy.replacing("frame-ancestors 'none'", with: "frame-ancestors \(origins.joined(separator: " "))")
    }

    static let onlyHTTPS = "max-age=63072000; includeSubDomains"

    /// The policy of a picture: opened on its own, it loads and runs nothing, whatever the browser takes it for.
    static let policyOfPictures = "default-src 'none'; sandbox"

    static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:", "font-src 'self'",
        "connect-src 'self'", "manifest-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")
}

extension [Route] {
    /// The routes whose patterns match the path, with any method.
    func matching(_ path: String) -> [Route] {
        let parts = path.split(separator: "/")
        return filter { route in
            route.path.count == parts.count && zip(route.path, parts).allSatisfy { $0 ~= $1 }
        }
    }
}

extension Request {
    /// Whether the browser accepts gzip.
    var wantsGzip: Bool { AcceptEncoding(headers[.acceptEncoding]).best(of: [.gzip]) == .gzip }

    /// Whether a visitor opens the page, rather than a script fetching it (Fetch Metadata, W3C) or the browser
    /// prefetching it. True for old browsers and over plain http, which don't send the headers.
    var isOpening: Bool {
        (headers[.secFetchMode].map { $0 == "navigate" } ?? true) && headers[.secPurpose]?.contains("prefetch") != true
    }

    /// Whether a page is opened from elsewhere: by a link of another website, a bookmark, or a typed address (Fetch
    /// Metadata, W3C). False for old browsers and over plain http, which don't say, and in another website's frame.
    var isFromElsewhere: Bool {
        method == .get && headers[.secFetchDest] == "document"
            && (headers[.secFetchSite].map { $0 != "same-origin" } ?? false)
    }

    /// Whether a script asks for JSON.
    var wantsJSON: Bool { headers[.accept]?.contains(bytesOf: "application/json") == true }
}

extension HTTPField.Name {
    static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
    static let permissionsPolicy = HTTPField.Name("Permissions-Policy")!
    static let crossOriginOpenerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy")!
    static let crossOriginEmbedderPolicy = HTTPField.Name("Cross-Origin-Embedder-Policy")!
    /// The reader and language of a page, for the browser's service worker, which keeps pages for them.
    static let villageReader = HTTPField.Name("Village-Reader")!
    /// Whether the worker may keep a page.
    static let villageKeep = HTTPField.Name("Village-Keep")!
    static let clearSiteData = HTTPField.Name("Clear-Site-Data")!
    static let speculationRules = HTTPField.Name("Speculation-Rules")!
}
