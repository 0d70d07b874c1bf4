import Forms
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// One request on its way through the site: what came in, when, from where, and who sent it.
struct Visit: Sendable {
    let site: Site
    let request: Request
    /// Stands in the log and on the page of a failure, so that one finds the other.
    let id: String
    let now: Instant
    /// The visitor's address, or that which a trusted proxy says.
    let address: IPAddress
    /// The language that the visitor chose, if any.
    var choice: LanguageChoice
    /// What the answer is written in.
    var language: Language
    /// What stands behind the `?`; empty when it can't be read.
    private(set) var query: FormBody
    /// What follows the colons of the route's pattern.
    var parameters: Parameters = .init()
    /// The pattern of the route, the only part of the URL that is logged.
    var pattern = "none"
    /// Under which hats the route is open; none before there is a route.
    var hats: Set<Hat> = []
    /// The account that sent it; nil without a session.
    var visitor: Visitor?
    /// Whether they have an account that waits to be let in: then they see what a stranger sees.
    var isOnList = false
    /// The form of a POST, read and found to come from this site; empty for a GET.
    var body = FormBody()
    /// Whether somebody gave the right password for a kept form, and not yet the code.
    var asksForCode = false
    /// What the page is called where the visitor's browser may keep it, to show it again without a signal.
    var keptName: Words?
    /// Cookies that the answer sets.
    var cookies: [String] = []

    init(
        site: Site, request: Request, now: Instant, address: IPAddress, choice: LanguageChoice, language: Language
    ) {
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

    var path: String { request.uri.path }

    /// Path and query: where to return to, in whatever language is chosen by then.
    var pathAndQuery: String { choice.target }

    /// Where the visitor wanted to go: `next` of the form or the query, if it is a path of this site.
    var next: Link? { (body["next"] ?? query["next"]).flatMap { Link(onSite: $0) } }

    /// Path and query of the page of this site whose link was followed here; nil for anybody who came from elsewhere.
    var cameFrom: String? { site.page(before: request) }

    /// The page from which a member came to the form of another hat, and goes back to without taking it on.
    var back: Link? { (body["back"] ?? query["back"] ?? cameFrom).flatMap { Link(onSite: $0) } }

    /// How far the log of staff had come when the form was drawn; nil where it doesn't say so.
    var staffLogSent: Int64? { body["log"].flatMap { Int64($0) } }

    /// By whose clock the visitor lives: their own where they set one, else the town's.
    var zone: Zone { visitor?.preferences.zone ?? site.settings.zone }

    func cookie(_ name: String) -> Substring? { request.cookie(name, in: site.settings) }
}

extension Request {
    /// What the browser keeps for the site under a name.
    func cookie(_ name: String, in settings: Settings) -> Substring? {
        let name = Cookie.name(name, in: settings)
        for line in headers[values: .cookie] {
            if let value = Cookie.value(of: name, in: line) { return value }
        }
        return nil
    }
}

extension Site {
    /// Path and query of the page of this site that led to a request, as its browser says.
    func page(before request: Request) -> String? {
        guard let referer = request.headers[.referer], referer.utf8.count <= 2_000 else { return nil }
        let authority = request.head.authority ?? ""
        for origin in [settings.publicURL, "http://\(authority)", "https://\(authority)"]
        where referer.hasPrefix(origin + "/") {
            return LanguageChoice.taken(from: String(referer.dropFirst(origin.count))).address
        }
        return nil
    }
}

/// What Hummingbird hands from stage to stage: its own part, the peer's address, and our visit once there is one.
struct SiteContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let peer: IPAddress
    var visit: Visit?

    init(source: Source) {
        coreContext = .init(source: source)
        peer = source.channel.remoteAddress.flatMap { IPAddress($0) } ?? .loopback
    }
}
