import Forms
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// One request on its way through the site: its content, time, origin and sender.
struct Visit: Sendable {
    let site: Site
    let request: Request
    /// The ID in the log and on an error page, which connects the two.
    let id: String
    private(set) var now: Instant
    /// The visitor's address, or the one a trusted proxy reports.
    let address: IPAddress
    /// The language that the visitor chose, if any.
    var choice: LanguageChoice
    /// The language of the response.
    var language: Language
    /// The query; empty if it can't be read.
    private(set) var query: FormBody
    /// The values of the parameters in the route's pattern.
    var parameters: Parameters = .init()
    /// The route's pattern, the only part of the URL that is logged.
    var pattern = "none"
    /// The hats under which the route is open; none before there is a route.
    var hats: Set<Hat> = []
    /// The account that sent it; nil without a session.
    var visitor: Visitor?
    /// Whether they have an account that waits to be let in: they then see what a stranger sees.
    var isOnList = false
    /// The form of a POST, read and verified to come from this site; empty for a GET.
    var body = FormBody()
    /// Whether the right password was entered for a kept form, but not yet the code.
    var asksForCode = false
    /// The page's title in the list of offline pages, if the browser may keep it.
    var keptName: Words?
    /// Cookies that the response sets.
    var cookies: [String] = []

    init(site: Site, request: Request, now: Instant, address: IPAddress, choice: LanguageChoice, language: Language) {
        self.site = site
        self.request = request
        self.now = now
        self.address = address
        self.choice = choice
        self.language = language
        id = String(UInt64.random(in: .min ... .max), radix: 36)
        query = request.uri.query.flatMap { $0.isEmpty ? nil : try? FormBody(query: $0) } ?? FormBody()
        query.home = site.settings.country
    }

    /// Takes the time anew once a form is there, and its sender if that took long: they may have missed a deadline
    /// meanwhile, or lost a right.
    mutating func arrive() throws {
        let began = now
        now = site.now
        guard visitor != nil, now - began > ReadVisitors.longest else { return }
        visitor = try site.visitor(of: self)
    }

    /// Whether this may well be the first page that the visitor sees of the site. It then brings its style sheets
    /// along, so that nobody waits for them; the next pages take them from the browser's cache.
    var isFirstPage: Bool { choice.isAllThatIsKnown && request.isFromElsewhere }

    var path: String { request.uri.path }

    /// The path and query to return to, in the language chosen by then.
    var pathAndQuery: String { choice.target }

    /// Where the visitor wanted to go: `next` in the form or the query, if it is a path of this site.
    var next: Link? { (body["next"] ?? query["next"]).flatMap { Link(onSite: $0) } }

    /// Path and query of the page of this site whose link was followed here; nil if the visitor came from elsewhere.
    var cameFrom: String? { site.page(before: request) }

    /// The page from which a member came to the form for another hat, to return to without switching.
    var back: Link? { (body["back"] ?? query["back"] ?? cameFrom).flatMap { Link(onSite: $0) } }

    /// The position of the staff log when the form was drawn; nil if the form doesn't say.
    var staffLogSent: Int64? { body["log"].flatMap { Int64($0) } }

    /// The visitor's time zone: their own if they set one, otherwise the town's.
    var zone: Zone { visitor?.preferences.zone ?? site.settings.zone }

    func cookie(_ name: String) -> Substring? { request.cookie(name, in: site.settings) }
}

extension Request {
    /// The value of one of the site's cookies.
    func cookie(_ name: String, in settings: Settings) -> Substring? {
        let name = Cookie.name(name, in: settings)
        for line in headers[values: .cookie] {
            if let value = Cookie.value(of: name, in: line) { return value }
        }
        return nil
    }
}

extension Site {
    /// Path and query of the page of this site that led to a request, according to the browser.
    func page(before request: Request) -> String? {
        guard let referer = request.headers[.referer], referer.utf8.count <= 2_000 else { return nil }
        let authority = request.head.authority ?? ""
        for origin in [settings.publicURL, "http://\(authority)", "https://\(authority)"]
        where referer.hasPrefix(origin + "/") {
            return LanguageChoice.taken(from: String(Substring(referer.utf8.dropFirst(origin.utf8.count)))).address
        }
        return nil
    }
}

/// Hummingbird's request context: its own part, the peer's address, and our visit once there is one.
struct SiteContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let peer: IPAddress
    var visit: Visit?

    init(source: Source) {
        coreContext = .init(source: source)
        peer = IPAddress(of: source.channel)
    }
}
