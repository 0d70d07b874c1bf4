import Database
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Templating
import Wire

/// What is known about a request before the database is read for it: when and from where it came, the visitor's
/// language, and whether a cached page may answer it.
struct Arrival {
    let now: Instant
    let began: ContinuousClock.Instant
    /// The visitor's address, or the one a trusted proxy reports.
    let address: IPAddress
    /// The status with which to refuse the request's head; nil if it is acceptable.
    let excess: HTTPResponse.Status?
    let choice: LanguageChoice
    let language: Language
    /// The key of the page in the cache; nil if no cached page may answer the request, such as for a visitor of whom
    /// more than the language is known.
    let key: PageCache.Key?
    /// The version of the data that a cached page must be drawn from.
    let moment: PageCache.Moment

    init(of request: Request, from peer: IPAddress, choice: LanguageChoice, at site: Site) {
        now = site.now
        began = .now
        address = site.address(of: request, from: peer)
        excess = HeadLimits().check(request.head)
        self.choice = choice
        language = choice.language ?? site.language(accepting: request.headers[.acceptLanguage])
        // Nothing is served from the cache while other nodes' writes are unknown.
        let mayBeCached = site.pages.isOn && excess == nil && !site.isLost && site.database.isCurrent
        key = mayBeCached ? site.cacheKey(of: request, in: language, choice) : nil
        moment = PageCache.Moment(version: site.dataVersion, at: now)
    }
}

extension Site {
    /// The cache key for a GET by a visitor of whom only the language is known; nil for others.
    fileprivate func cacheKey(of request: Request, in language: Language, _ choice: LanguageChoice) -> PageCache.Key? {
        guard request.method == .get, choice.isAllThatIsKnown else { return nil }
        // An event's page links back to the page its visitor came from, so it can't be shared. The router skips empty
        // path components, so `//events/7` is that page too.
        let isEvent = request.uri.path.parts(at: "/").first == "events"
        let isShared = !isEvent || WayBack(to: page(before: request)) == .allEvents
        guard isShared else { return nil }
        return PageCache.Key(
            target: choice.target, isPacked: request.wantsGzip, isJSON: request.wantsJSON, language: language.name,
            isAsked: choice.asked != nil, isFirst: request.isFromElsewhere)
    }

    fileprivate func address(of request: Request, from peer: IPAddress) -> IPAddress {
        guard let forwarded = request.headers[.forwardedFor] else { return peer }
        let trusted = settings.trustedProxies
        guard trusted.contains(where: { $0.contains(peer.description) }) else {
            warnOnceOfProxy()
            return peer
        }
        // From the right: the first address that isn't one of our own proxies.
        for part in forwarded.split(separator: ",").reversed() {
            guard let address = IPAddress(forwarded: part) else {
                warnOnceOfForwarded()
                return peer
            }
            if !trusted.contains(where: { $0.contains(address.description) }) { return address }
        }
        return peer
    }
}
