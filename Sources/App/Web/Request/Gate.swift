import Database
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import Templating
import Wire

/// The way of every request, in and out: judged by its head, counted, joined with its session, answered, dressed with
/// the headers that hold everywhere, and written to the log.
struct Gate: RouterMiddleware {
    typealias Context = SiteContext

    let site: Site
    let routes: [Route]
    private let cached: Set<String>

    init(site: Site, routes: [Route]) {
        self.site = site
        self.routes = routes
        cached = Set(routes.filter { $0.traits.contains(.cached) }.map { RouterPath($0.pattern).description })
    }

    func handle(
        _ request: Request, context: SiteContext,
        next: @concurrent (Request, SiteContext) async throws -> Response
    ) async throws -> Response {
        if let response = asset(request) { return response }

        let now = site.now
        let began = ContinuousClock.now
        let address = address(of: request, from: context.peer)
        let excess = HeadLimits().check(request.head)
        let choice = LanguageChoice(of: request, at: site)
        let language = choice.language ?? site.language(accepting: request.headers[.acceptLanguage])
        // Nothing that is kept is shown where it isn't known what other nodes wrote.
        let isKept = excess == nil && !site.isLost && site.database.isCurrent
        let key = isKept ? cacheKey(of: request, in: language, choice) : nil
        let moment = PageCache.Moment(version: site.dataVersion, at: now)
        // A visitor over the limit goes the long way, to be told so.
        if let key, let page = site.pages.page(for: key, at: moment),
            site.limits.take(.pages, by: address.subscriber, at: now) == nil
        {
            let response = page.response.unless(knownTo: request)
            log(request, page.pattern, response.status, since: now)
            site.load.note(.now - began, isFailure: false, at: now)
            return response
        }

        var visit = Visit(
            site: site, request: request, now: now, address: address, choice: choice, language: language)
        // Where the disk keeps readers waiting, no other page on the connection's thread is to wait with them.
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
        if let key, response.status == .ok, cached.contains(pattern) {
            site.pages.keep(PageCache.Page(response: response, pattern: pattern), for: key, at: moment)
        }
        response = response.unless(knownTo: request)
        log(request, pattern, response.status, since: now, id: visit.id, of: visit.visitor?.account)
        site.load.note(.now - began, isFailure: response.status.code >= 500, at: now)
        return response
    }

    /// What the site says, and whether it is a picture, which needs nothing more.
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

    /// What machines ask to learn how the site is: answered also when it isn't well.
    private static let probes: Set<String> = [Link.health.string, Link.readiness.string]

    // MARK: In

    /// Under what a page may be kept: a GET by somebody of whom no more is known than a language.
    private func cacheKey(of request: Request, in language: Language, _ choice: LanguageChoice) -> PageCache.Key? {
        guard request.method == .get, choice.isAllThatIsKnown else { return nil }
        // An event's page leads back to where its visitor came from: that one is nobody else's.
        // The router passes over empty parts of a path, so `//events/7` is that page too.
        let isEvent = request.uri.path.split(separator: "/").first == "events"
        let isShared = !isEvent || WayBack(to: site.page(before: request)) == .allEvents
        guard isShared else { return nil }
        return PageCache.Key(
            target: choice.target, isPacked: request.wantsGzip, isJSON: request.wantsJSON, language: language.name,
            isAsked: choice.asked != nil)
    }

    private func address(of request: Request, from peer: IPAddress) -> IPAddress {
        let trusted = site.settings.trustedProxies
        guard let forwarded = request.headers[.forwardedFor] else { return peer }
        guard trusted.contains(where: { $0.contains(peer.description) }) else {
            site.warnOnceOfProxy()
            return peer
        }
        // From the right: the last address that no proxy of ours wrote of itself.
        for part in forwarded.split(separator: ",").reversed() {
            guard let address = IPAddress(forwarded: part) else {
                site.warnOnceOfForwarded()
                return peer
            }
            if !trusted.contains(where: { $0.contains(address.description) }) { return address }
        }
        return peer
    }

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

    /// A file of `Public`: it needs no session and no count.
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
        // Under an old digest the file is served all the same, for a page that is still open, but not kept.
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

    /// A picture that somebody uploaded, for those who may see what shows it. No cache serves it without asking: what
    /// is taken down is gone at once.
    ///
    /// - Returns: nil where there is none for the visitor.
    /// - Throws: What the database throws.
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
            // Somebody who waits to be let in sees no more than a visitor.
            guard let reader = try site.visitor(of: visit), !reader.isWaiting else { return nil }
            let isFor = try site.read { db in
                try isForEverybody || Picture.isFor(reader, hash, among: uses, at: visit.now, in: db)
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
        let allowed = Set(routes.filter { $0.matches(visit.path) }.map(\.method))
        guard !allowed.isEmpty, !allowed.contains(visit.request.method) else { return nil }
        if let page = pageOfForm(visit) { return visit.redirect(to: page) }
        var response = visit.answer(to: HTTPError(.methodNotAllowed))
        let names = allowed.map(\.rawValue) + (allowed.contains(.get) ? ["HEAD"] : [])
        response.headers[.allow] = names.sorted().joined(separator: ", ")
        return response
    }

    /// The page above an address that only forms are sent to, for a browser that asks for it: by Back or by reloading,
    /// after the answer to a form had something to say.
    private func pageOfForm(_ visit: Visit) -> Link? {
        guard visit.request.method == .get, visit.request.headers[.accept]?.contains("text/html") == true else {
            return nil
        }
        var parts = visit.path.split(separator: "/")
        while parts.popLast() != nil {
            let path = "/" + parts.joined(separator: "/")
            if routes.contains(where: { $0.method == .get && $0.matches(path) }) { return Link(path: path) }
        }
        return nil
    }

    private func dress(_ response: inout Response, for visit: Visit) {
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = policy(for: visit)
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        // Where the device is may be asked by our own pages, after a press of a button; nothing else is.
        response.headers[.permissionsPolicy] = "geolocation=(self), camera=(), microphone=(), payment=(), usb=()"
        response.headers[.crossOriginOpenerPolicy] = "same-origin"
        if response.headers[.crossOriginResourcePolicy] == nil {
            response.headers[.crossOriginResourcePolicy] = "same-origin"
        }
        response.headers[.crossOriginEmbedderPolicy] = "credentialless"
        if response.headers[.referrerPolicy] == nil {
            response.headers[.referrerPolicy] = "strict-origin-when-cross-origin"
        }
        if response.headers[.cacheControl] == nil {
            response.headers[.cacheControl] =
                visit.visitor != nil || visit.request.method == .post ? "private, no-store" : "private, no-cache"
        }
        if site.settings.isHTTPS { response.headers[.strictTransportSecurity] = Self.onlyHTTPS }
        // Nobody stands at a screen, so after an error it reloads itself.
        if visit.path == Link.screen.string {
            response.headers[HTTPField.Name("Refresh")!] = "\(Screen.pause.components.seconds)"
        }
        // A failure may come before it is known who reads.
        if response.status.code < 500, response.headers[.contentType]?.hasPrefix("text/html") == true {
            let account = visit.visitor.map { "\($0.account)" } ?? "nobody"
            response.headers[.villageReader] = "\(account) \(visit.language.name)"
            // Which of its links a browser may fetch before they are followed: none that does more than show a page.
            let rules = site.assets.link("next.speculationrules")
            if visit.request.method != .post { response.headers[.speculationRules] = "\"\(rules.string)\"" }
        }
    }

    /// A line a request. `id` is that of a page which names it, should something have gone wrong. The account is named
    /// for what was refused and for what staff do only: nobody's way through the site is written down.
    private func log(
        _ request: Request, _ pattern: String, _ status: HTTPResponse.Status, since start: Instant,
        id: String = "kept", of account: ID<Account>? = nil
    ) {
        // While it is about to end, saying so is no failure.
        let isPlanned = site.isDraining && pattern == Link.readiness.string
        let level: Logger.Level = status.code >= 500 && !isPlanned ? .error : .info
        guard site.log.logLevel <= level else { return }
        let tells = status.code >= 400 || pattern.hasPrefix(Link.admin.string)
        let who: Logger.Metadata = tells ? account.map { ["account": "\($0)"] } ?? [:] : [:]
        site.log.log(
            level: level, "\(request.method.rawValue) \(pattern) \(status.code)",
            metadata: ["request": "\(id)", "ms": "\((site.now - start).wholeMilliseconds)"].merging(who) { $1 })
    }

    /// The policy of a page: pictures of the tile server too, where its visitor asked for streets.
    private func policy(for visit: Visit) -> String {
        guard case .shown(let tiles, _)? = visit.streets else { return Self.policy }
        return Self.policy.replacing("img-src 'self'", with: "img-src 'self' \(Streets.origin(of: tiles))")
    }

    /// The policy of a page that these websites may show inside their own.
    static func policy(inFramesOf origins: [String]) -> String {
        policy.replacing("frame-ancestors 'none'", with: "frame-ancestors \(origins.joined(separator: " "))")
    }

    static let onlyHTTPS = "max-age=63072000; includeSubDomains"

    /// A picture opened by itself loads and does nothing, whatever a browser takes it for.
    static let policyOfPictures = "default-src 'none'; sandbox"

    static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:", "font-src 'self'",
        "connect-src 'self'", "manifest-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")
}

extension Route {
    /// Whether the pattern fits the path, whatever the method.
    func matches(_ path: String) -> Bool {
        let mine = RouterPath(pattern)
        let theirs = path.split(separator: "/")
        return mine.count == theirs.count && zip(mine, theirs).allSatisfy { $0 ~= $1 }
    }
}

extension Request {
    /// Whether the browser wants gzip.
    var wantsGzip: Bool { AcceptEncoding(headers[.acceptEncoding]).best(of: [.gzip]) == .gzip }

    /// Whether the browser opens the page, rather than a script that fetches it (Fetch Metadata, W3C), or the browser
    /// itself before anybody asks for it. Old browsers, and all of them over plain http, don't say.
    var isOpening: Bool {
        (headers[.secFetchMode].map { $0 == "navigate" } ?? true) && headers[.secPurpose]?.contains("prefetch") != true
    }

    /// Whether a script asks, and reads the answer itself.
    var wantsJSON: Bool { headers[.accept]?.contains("application/json") == true }
}

extension HTTPField.Name {
    static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
    static let permissionsPolicy = HTTPField.Name("Permissions-Policy")!
    static let crossOriginOpenerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy")!
    static let crossOriginEmbedderPolicy = HTTPField.Name("Cross-Origin-Embedder-Policy")!
    /// The reader of a page, and the language: for the worker of their browser, which keeps pages for them.
    static let villageReader = HTTPField.Name("Village-Reader")!
    /// Whether the worker may keep a page.
    static let villageKeep = HTTPField.Name("Village-Keep")!
    static let clearSiteData = HTTPField.Name("Clear-Site-Data")!
    static let speculationRules = HTTPField.Name("Speculation-Rules")!
}
