import Forms
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// What a handler gets: the visit, and in its type the proof of what the visitor may do.
protocol Context: Sendable {
    var visit: Visit { get }
}

/// Anybody, signed in or not.
struct PublicContext: Context {
    let visit: Visit
}

/// Somebody signed in.
struct MemberContext: Context {
    let visit: Visit
    let member: Visitor
    /// For whom they act: the organization they look after, or themselves.
    var acting: ID<Account> { member.acting }
}

/// A member with a family's profile, who wears the parent's hat unless the route says that any will do.
struct ParentContext: Context {
    let visit: Visit
    let member: Visitor
    /// The family whose children they look after.
    let family: ID<Family>
    /// Under which account those are registered.
    var head: ID<Account> { member.head }
}

/// A member with a provider's profile who wears the provider's hat.
struct ProviderContext: Context {
    let visit: Visit
    let member: Visitor
    /// The account whose events these are.
    var host: ID<Account> { member.acting }
}

/// One of the people who look after the site: a moderator or an admin.
struct StaffContext: Context {
    let visit: Visit
    let member: Visitor
}

/// One of those who run the site.
struct AdminContext: Context {
    let visit: Visit
    let member: Visitor
}

/// The people who may use a route, and how a visit becomes the context that proves it.
struct Access<C: Context>: Sendable {
    let name: String
    /// Under which hats its pages are open.
    let hats: Set<Hat>
    let admit: @Sendable (Visit) throws(Refusal) -> C

    fileprivate init(
        _ name: String, under hats: Set<Hat> = Set(Hat.allCases),
        admit: @escaping @Sendable (Visit) throws(Refusal) -> C
    ) {
        self.name = name
        self.hats = hats
        self.admit = admit
    }
}

extension Access<PublicContext> {
    static var anyone: Self { Self("anyone") { visit throws(Refusal) in PublicContext(visit: visit) } }
}

extension Access<MemberContext> {
    static var members: Self {
        Self("members") { visit throws(Refusal) in MemberContext(visit: visit, member: try visit.member()) }
    }

    /// All who may announce events: those for children only under the provider's hat, which the handler asks for.
    static var hosts: Self {
        Self("hosts", under: [.provider]) { visit throws(Refusal) in
            let member = try visit.member()
            guard !member.onlyLooks else { throw .notAllowed }
            return MemberContext(visit: visit, member: member)
        }
    }

    /// All who may come to the list of an event: the handler shows it to its provider, and leads everybody else on.
    static var lists: Self {
        Self("lists", under: [.provider]) { visit throws(Refusal) in
            MemberContext(visit: visit, member: try visit.member())
        }
    }
}

extension Access<ParentContext> {
    static var parents: Self {
        Self("parents", under: [.parent]) { visit throws(Refusal) in
            let member = try visit.member()
            guard let family = member.family else { throw .noProfile(.parent) }
            guard member.hat == .parent else { throw .wrongHat(.parent) }
            return ParentContext(visit: visit, member: member, family: family.id)
        }
    }
}

extension Access<ParentContext> {
    /// A member who holds a place looks at it and gives it back under either hat.
    static var families: Self {
        Self("families") { visit throws(Refusal) in
            let member = try visit.member()
            guard let family = member.family else { throw .noProfile(.parent) }
            return ParentContext(visit: visit, member: member, family: family.id)
        }
    }
}

extension Access<ProviderContext> {
    /// Those who look after all of an organization.
    static var providers: Self {
        Self("providers", under: [.provider]) { visit throws(Refusal) in
            let context = try ProviderContext(visit)
            guard !context.member.onlyLooks else { throw .notAllowed }
            return context
        }
    }

    /// The same, and those who look after its lists and the door.
    static var rosters: Self {
        Self("rosters", under: [.provider]) { visit throws(Refusal) in try ProviderContext(visit) }
    }
}

extension ProviderContext {
    fileprivate init(_ visit: Visit) throws(Refusal) {
        member = try visit.member()
        self.visit = visit
        guard member.provider != nil else { throw .noProfile(.provider) }
        guard member.hat == .provider else { throw .wrongHat(.provider) }
    }
}

extension Access<StaffContext> {
    static var staff: Self {
        Self("staff") { visit throws(Refusal) in
            StaffContext(visit: visit, member: try visit.member(atLeast: .moderator))
        }
    }
}

extension Access<AdminContext> {
    static var admins: Self {
        Self("admins") { visit throws(Refusal) in
            AdminContext(visit: visit, member: try visit.member(atLeast: .admin))
        }
    }
}

extension Visit {
    fileprivate func member() throws(Refusal) -> Visitor {
        guard let visitor else { throw .signInFirst }
        return visitor
    }

    /// Somebody who looks after the site, and logged in with two steps once the days to set that up are over.
    fileprivate func member(atLeast role: Role) throws(Refusal) -> Visitor {
        let member = try member()
        guard role == .admin ? member.isAdmin : member.isStaff else { throw .notAllowed }
        if let by = member.twoStepBy, by <= now { throw .twoStepFirst }
        return member
    }
}

// MARK: - What every handler can ask and answer

extension Context {
    var site: Site { visit.site }
    var now: Instant { visit.now }
    var zone: Zone { visit.zone }
    /// The day it is where the visitor lives: what one person does, is shown and may do counts by it.
    var today: Day { visit.zone.day(of: now) }
    /// The day it is in the town: what is everybody's counts by it, such as a feed of events.
    var townDay: Day { site.settings.zone.day(of: now) }
    var query: FormBody { visit.query }
    var body: FormBody { visit.body }
    var language: Language { visit.language }
    /// The language that the address says; nil where it leaves that to the visitor.
    var asked: Language? { visit.choice.asked }

    /// Where a list of the page goes on, as the address says; nil on its first page.
    ///
    /// - Parameter list: Which list of the page it is, where several go on by themselves.
    func after<each Key: CursorKey>(_ list: String = "after") -> Cursor<repeat each Key>? { Cursor(in: query, list) }

    /// The number in the place of `:name` in the route.
    func id<Entity>(_ name: String = "id") throws(Refusal) -> ID<Entity> {
        guard let text = visit.parameters.get(name), let id = ID<Entity>(text) else { throw .notFound }
        return id
    }

    /// The word in the place of `:name` in the route.
    func word(_ name: String) throws(Refusal) -> String {
        guard let text = visit.parameters.get(name) else { throw .notFound }
        return text
    }

    /// The form that was sent, parsed; the checks that need the day are the form's own `check`.
    func submission<F: Form>(_: F.Type = F.self) -> Submission<F> { Submission(visit.body) }

    /// The form that was sent to change what is stored, on top of what others stored since it was drawn.
    ///
    /// What both changed comes back as a problem of its field. In the transaction that writes,
    /// `requireUnchanged(since:)` makes sure that it still is so.
    ///
    /// - Parameters:
    ///   - names: The fields on the page, where it has some of them only; the others are as stored.
    ///   - other: Who changed it last; nil for the visitor, in another tab.
    func submission<F: Form>(
        changing stored: F, only names: [String]? = nil, by other: @autoclosure () throws -> String?
    ) rethrows -> Submission<F> {
        let body = try visit.body.merged(onto: Submission(changing: stored, only: names), by: other())
        return names.map { Submission(body, changing: $0, of: stored) } ?? Submission(body)
    }

    /// The page, in the frame of this visit.
    func page(_ view: View<Frame>, status: HTTPResponse.Status = .ok) -> Response {
        visit.page(view, status: status)
    }

    /// A page that its reader's browser may keep, to show it where there is no signal (`worker.js`).
    ///
    /// - Parameter name: What it is called among others that are there.
    func keptPage(_ view: View<Frame>, called name: Words) -> Response {
        var visit = visit
        visit.keptName = name
        var response = visit.page(view)
        response.headers[.villageKeep] = "yes"
        return response
    }

    /// The page of something that somebody wrote: search engines come by once its author isn't new here anymore.
    func page(_ view: View<Frame>, by author: ID<Account>) throws -> Response {
        try shown(page(view), by: author)
    }

    /// The same page, left out by search engines while its author is new here.
    func shown(_ response: Response, by author: ID<Account>) throws -> Response {
        try site.isNew(author, at: now) ? response.unlisted : response
    }

    /// The form again, with its problems.
    func again(_ view: View<Frame>) -> Response {
        page(view, status: body.isRenewed ? .conflict : .unprocessableContent)
    }

    /// What was sent, to be remembered where it is carried out.
    ///
    /// - Parameter pairs: What was answered beside the form's fields.
    func sent(
        _ submission: Submission<some Form>, beside pairs: [(name: String, value: String)] = []
    ) -> SentForm {
        SentForm(submission, at: visit.path, beside: pairs)
    }

    /// A file for a spreadsheet.
    func file(_ sheet: Spreadsheet, name: String) -> Response {
        let text = sheet.text(in: language, country: site.settings.country)
        var response = Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: text)))
        response.headers[.contentType] = "text/csv; charset=utf-8"
        response.headers[.contentDisposition] = ContentDisposition.attachment(name, kind: "csv")
        return response
    }

    /// On to the page that shows the result of a POST.
    func redirect(to link: Link, flash: Flash? = nil) -> Response {
        visit.redirect(to: link, flash: flash)
    }

    /// Where the visitor wanted to go: `next` of the form or the query, if it is a path of this site.
    var next: Link? { visit.next }
}

extension Visit {
    func page(_ view: View<Frame>, status: HTTPResponse.Status = .ok) -> Response {
        var response = Response(status: status)
        response.headers[.contentType] = "text/html; charset=utf-8"
        // A script that fetches a page for a part of it shows the message to nobody: the next page opened does.
        let flash = request.isOpening ? Flash(cookie: cookie(Flash.cookieName)) : nil
        if flash != nil { response.headers.append(Flash.gone(site.settings)) }
        response.headers[.vary] = site.hasLanguages ? Self.byLanguage : "Accept-Encoding, Cookie"
        // A page of somebody signed in is kept by no browser, and has another token each time.
        let isKept = status == .ok && visitor == nil && flash == nil && request.method != .post
        let (body, isPacked) = view.draw(in: Frame(self, flash: flash)) { bytes in
            if isKept { response.headers[.eTag] = EntityTag(of: bytes).text }
            let packed = request.wantsGzip ? Gzip.compress(bytes) : nil
            return (packed.map { ByteBuffer(bytes: $0) } ?? ByteBuffer(bytes: bytes), packed != nil)
        }
        if isPacked { response.headers[.contentEncoding] = "gzip" }
        // Back shows a preview again: a browser that may not keep it for that shows an error instead.
        if request.method == .post, self.body["step"] == Step.preview.rawValue, status == .ok {
            response.headers[.cacheControl] = "private, no-cache"
        }
        response.body = .init(byteBuffer: body)
        return response
    }
}

extension Response {
    /// The same, left out by search engines.
    var unlisted: Response {
        var response = self
        response.headers[.robots] = "noindex"
        return response
    }

    /// The same, from a page under a token: it tells no other site anything of its address. With `no-referrer` its own
    /// forms would come from the origin `null`, and be refused.
    var withoutReferrer: Response {
        var response = self
        response.headers[.referrerPolicy] = "same-origin"
        return response
    }
}

extension HTTPFields {
    mutating func append(_ cookie: String) { append(HTTPField(name: .setCookie, value: cookie)) }
}
