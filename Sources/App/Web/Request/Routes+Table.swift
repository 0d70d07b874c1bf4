import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore

extension Visit {
    /// Keeps who isn't let in yet to what is open to them: their own account, and as to strangers what is everybody's.
    fileprivate mutating func checkEntry(isPublic: Bool) throws(Refusal) {
        guard visitor?.isWaiting == true, !Antechamber.patterns.contains(pattern) else { return }
        guard isPublic, !Antechamber.doors.contains(pattern) else { throw .waiting }
        (visitor, isOnList) = (nil, true)
    }
}

/// The table of URLs: each with its method, its rights and its handler.
struct Routes {
    /// One line of the table, as tests and the 405 page read it.
    struct Route: Sendable {
        let method: HTTPRequest.Method
        let pattern: String
        let access: String
        /// Whether its pages are kept for visitors without a cookie.
        var isCached = false
        /// Whether a POST acts on the token in its address alone, wherever it comes from.
        var needsOnlyItsToken = false
        /// Whether it writes what others read: closed to who may only read.
        var isPublic = false
        /// Whether it says something to people who may not know each other: of newcomers a few a day.
        var isToStrangers = false
        /// What it writes, where that is something of its own that others read.
        var writes: Subject.Kind?
        /// The part of the site it is of, which can be switched off.
        var module: Module?
        /// Whether it is open to everybody when the site is closed to members.
        var isDoor = false
    }

    let site: Site
    let router: Router<SiteContext>
    private(set) var all: [Route] = []

    // Like `post`, never inlined: the table is one function, and with three hundred copies of them in it the optimizer
    // spent a quarter of its time there.

    /// - Parameters:
    ///   - isCached: Whether visitors without a cookie may get the page that another of them got; it must then depend
    ///     on nothing but the address, the data and the minute.
    ///   - module: The part of the site it is of, which can be switched off.
    ///   - isDoor: Whether it is open to everybody when the site is closed to members, as what is opened by a key from
    ///     a letter.
    @inline(never)
    mutating func get<C: Context>(
        _ pattern: String, for access: Access<C>, isCached: Bool = false, module: Module? = nil, isDoor: Bool = false,
        use handler: @escaping @Sendable (C) async throws -> Response
    ) {
        add(.get, pattern, access, module, isDoor) { visit in try await handler(access.admit(visit)) }
        all[all.count - 1].isCached = isCached
    }

    /// A change. The form is read, and known to come from a page of this site, before the handler sees it.
    ///
    /// - Parameters:
    ///   - isPublic: Whether it writes what others read: closed to members whom staff let only read.
    ///   - isToStrangers: Whether it says something to people who may not know each other.
    ///   - writes: What is made by it, where that is a thing of its own: its `Brake` holds newcomers back.
    ///   - module: The part of the site it is of, which can be switched off.
    ///   - isDoor: Whether it is open to everybody when the site is closed to members.
    ///   - takesFiles: Whether its form may hold a picture.
    ///   - isLong: Whether its form may hold many rows beside.
    ///   - needsOnlyItsToken: Whether it may come from anywhere, as from a mail program: who sent it counts for
    ///     nothing then.
    @inline(never)
    mutating func post<C: Context>(
        _ pattern: String, for access: Access<C>, isPublic: Bool = false, isToStrangers: Bool = false,
        writes kind: Subject.Kind? = nil, takesFiles: Bool = false, isLong: Bool = false,
        needsOnlyItsToken: Bool = false, module: Module? = nil,
        isDoor: Bool = false,
        use handler: @escaping @Sendable (C) async throws -> Response
    ) {
        defer {
            all[all.count - 1].needsOnlyItsToken = needsOnlyItsToken
            all[all.count - 1].isPublic = isPublic
            all[all.count - 1].isToStrangers = isToStrangers
            all[all.count - 1].writes = kind
        }
        add(.post, pattern, access, module, isDoor) { visit in
            if needsOnlyItsToken {
                visit.body = try await visit.readForm(.withoutFiles)
                return try await handler(access.admit(visit))
            }
            let isOurs = try visit.checkOrigin()
            visit.body =
                try await takesFiles
                ? visit.readFormWithFiles(isLong ? .long : .withPicture) : visit.readForm(.withoutFiles)
            visit.body.home = visit.site.settings.country
            try await visit.resumeSession()
            try visit.checkEntry(isPublic: access.name == "anyone" && (isDoor || !visit.site.opening.isClosed))
            try visit.checkToken(isOptional: isOurs && access.name == "anyone")
            if isPublic, let until = visit.visitor?.limitedUntil, until > visit.now {
                throw Refusal.limited(until: until)
            }
            guard let newcomer = visit.newcomer, let account = visit.visitor?.account else {
                return try await Self.answer(visit, access, by: handler)
            }
            if isPublic { visit.body = visit.body.refused(newcomer.problems(in: visit.body)) }
            guard let pace = kind.flatMap(newcomer.pace(of:)) ?? (isToStrangers ? newcomer.pace : nil) else {
                return try await Self.answer(visit, access, by: handler)
            }
            if let wait = visit.site.limits.take(pace, by: account, at: visit.now) {
                throw Refusal.newHere(retryAfter: wait)
            }
            // What wasn't taken counts for nothing.
            do {
                let response = try await Self.answer(visit, access, by: handler)
                if response.status != .seeOther, response.status != .created {
                    visit.site.limits.giveBack(pace, by: account)
                }
                return response
            } catch {
                visit.site.limits.giveBack(pace, by: account)
                throw error
            }
        }
    }

    /// The handler's answer. Where somebody stored something between its reading and its writing, all is done again on
    /// what is stored by now; each time round somebody else was first. A form that was sent before with other words is
    /// one of its own, and comes back with them.
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

    private mutating func add(
        _ method: HTTPRequest.Method, _ pattern: String, _ access: Access<some Context>, _ module: Module?,
        _ isDoor: Bool, _ handle: @escaping @Sendable (inout Visit) async throws -> Response
    ) {
        all.append(
            Route(
                method: method, pattern: "/" + pattern, access: access.name, module: module, isDoor: isDoor))
        router.on(RouterPath(pattern), method: method) { _, context in
            guard var visit = context.visit else { throw Refusal.notFound }
            visit.parameters = context.parameters
            visit.pattern = "/" + pattern
            visit.hats = access.hats
            var response: Response
            do {
                let opening = visit.site.opening
                guard opening.has(module) else { throw Refusal.switchedOff }
                if opening.isClosed, !isDoor, visit.visitor == nil, access.name == "anyone" {
                    throw Refusal.signInFirst
                }
                try visit.checkEntry(isPublic: access.name == "anyone" && (isDoor || !opening.isClosed))
                response = try await handle(&visit)
            } catch {
                // What was read of the form is in the visit: nothing typed is lost.
                response = visit.answer(to: error)
            }
            for cookie in visit.cookies { response.headers.append(cookie) }
            return response
        }
    }
}
