import Forms
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// A handler's argument: the visit, and in its type the proof of what the visitor may do.
protocol Context: Sendable {
    var visit: Visit { get }
}

/// Any visitor, signed in or not.
struct PublicContext: Context {
    let visit: Visit
}

/// A signed-in visitor.
struct MemberContext: Context {
    let visit: Visit
    let member: Visitor
    /// The account they act for: the organization they look after, or their own.
    var acting: ID<Account> { member.acting }
}

/// A member with a family profile who wears the parent's hat, unless the route admits any hat.
struct ParentContext: Context {
    let visit: Visit
    let member: Visitor
    /// The family whose children they look after.
    let family: ID<Family>
    /// The account under which the family's children are registered.
    var head: ID<Account> { member.head }
}

/// A member with a provider's profile who wears the provider's hat.
struct ProviderContext: Context {
    let visit: Visit
    let member: Visitor
    /// The least duty that a colleague needs for the route.
    let least: Colleague.Duty
    /// The account whose events these are.
    var host: ID<Account> { member.acting }
}

/// A moderator or an admin.
struct StaffContext: Context {
    let visit: Visit
    let member: Visitor
}

/// An admin.
struct AdminContext: Context {
    let visit: Visit
    let member: Visitor
}

/// The visitors who may use a route, and the function that turns a visit into the context that proves it.
struct Access<C: Context>: Sendable {
    let name: String
    /// The hats under which its pages are open.
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

    /// Members who may post events; the handler requires the provider's hat for events for children only.
    static var hosts: Self {
        Self("hosts", under: [.provider]) { visit throws(Refusal) in
            let member = try visit.member()
            guard !member.onlyLooks else { throw .notAllowed }
            return MemberContext(visit: visit, member: member)
        }
    }

    /// Members who may open an event's list: the handler shows it to its provider, and redirects everyone else.
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

extension ParentContext {
    /// The visit with the form that the sent one carries, to be drawn again as it was typed; nil if there is none.
    var returned: ParentContext? {
        guard let left = LeftForm(carriedBy: body) else { return nil }
        var visit = visit
        visit.body = left.body
        return ParentContext(visit: visit, member: member, family: family)
    }
}

extension Access<ParentContext> {
    /// Members who hold a place, which they can see and give back under either hat.
    static var families: Self {
        Self("families") { visit throws(Refusal) in
            let member = try visit.member()
            guard let family = member.family else { throw .noProfile(.parent) }
            return ParentContext(visit: visit, member: member, family: family.id)
        }
    }
}

extension Access<ProviderContext> {
    /// Members who manage an organization.
    static var providers: Self {
        Self("providers", under: [.provider]) { visit throws(Refusal) in
            let context = try ProviderContext(visit, atLeast: .edit)
            guard !context.member.onlyLooks else { throw .notAllowed }
            return context
        }
    }

    /// Members who manage an organization, or only its lists and the door.
    static var rosters: Self {
        Self("rosters", under: [.provider]) { visit throws(Refusal) in
            try ProviderContext(visit, atLeast: .roster)
        }
    }
}

extension ProviderContext {
    fileprivate init(_ visit: Visit, atLeast least: Colleague.Duty) throws(Refusal) {
        member = try visit.member()
        (self.visit, self.least) = (visit, least)
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

    /// A staff member, who must use two-step log-in once the grace period is over.
    fileprivate func member(atLeast role: Role) throws(Refusal) -> Visitor {
        let member = try member()
        guard role == .admin ? member.isAdmin : member.isStaff else { throw .notAllowed }
        if let by = member.twoStepBy, by <= now { throw .twoStepFirst }
        return member
    }
}

// MARK: - For every handler

extension Context {
    var site: Site { visit.site }
    var now: Instant { visit.now }
    var zone: Zone { visit.zone }
    /// The current day in the visitor's zone, for what one person does, sees and may do.
    var today: Day { visit.zone.day(of: now) }
    /// The current day in the town, for shared data such as a feed of events.
    var townDay: Day { site.settings.zone.day(of: now) }
    var query: FormBody { visit.query }
    var body: FormBody { visit.body }
    var language: Language { visit.language }
    /// The language in the address; nil if there is none.
    var asked: Language? { visit.choice.asked }

    /// The position in a list, from the address; nil on the first page.
    ///
    /// - Parameter list: The list, if the page has several.
    func after<each Key: CursorKey>(_ list: ListName = .main) -> Cursor<repeat each Key>? { Cursor(in: query, list) }

    /// The number in the place of `:name` in the route's pattern.
    func id<Entity>(_ name: String = "id") throws(Refusal) -> ID<Entity> {
        guard let text = visit.parameters.get(name), let id = ID<Entity>(text) else { throw .notFound }
        return id
    }

    /// The word in the place of `:name` in the route's pattern.
    func word(_ name: String) throws(Refusal) -> String {
        guard let text = visit.parameters.get(name) else { throw .notFound }
        return text
    }

    /// The parsed form; checks that need the current day are in the form's own `check`.
    func submission<F: Form>(_: F.Type = F.self) -> Submission<F> { Submission(visit.body) }

    /// The parsed form for changing stored data, merged with what others stored since it was drawn.
    ///
    /// A field that both changed gets a problem. Call `isChange(of:)` in the writing transaction to make sure that the
    /// stored data is still the same, and that there is something to write.
    ///
    /// - Parameters:
    ///   - names: The fields on the page, if it has only some of them; the others keep their stored values.
    ///   - other: The last person to change it; nil for the visitor, in another tab.
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

    /// A page that the browser may keep to show it offline (`worker.js`).
    ///
    /// - Parameter name: Its title in the list of kept pages.
    func keptPage(_ view: View<Frame>, called name: Words) -> Response {
        var visit = visit
        visit.keptName = name
        var response = visit.page(view)
        response.headers[.villageKeep] = "yes"
        return response
    }

    /// A page with content by `author`; search engines may index it once the author isn't new anymore.
    func page(_ view: View<Frame>, by author: ID<Account>) throws -> Response {
        try shown(page(view), by: author)
    }

    /// The response, hidden from search engines while its author is new.
    func shown(_ response: Response, by author: ID<Account>) throws -> Response {
        try site.isNew(author, at: now) ? response.unlisted : response
    }

    /// The form with its problems.
    func again(_ view: View<Frame>) -> Response {
        page(view, status: body.isRenewed ? .conflict : .unprocessableContent)
    }

    /// The sent form, to be recorded when it is carried out.
    ///
    /// - Parameter pairs: Answers in addition to the form's fields.
    func sent(_ submission: Submission<some Form>, beside pairs: [(name: String, value: String)] = []) -> SentForm {
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

    /// Redirects to the page with the result of a POST.
    func redirect(to link: Link, flash: Flash? = nil) -> Response {
        visit.redirect(to: link, flash: flash)
    }

    /// Has the browser send the form once more, to another address of this site.
    func resend(to link: Link, flash: Flash? = nil) -> Response {
        visit.resend(to: link, flash: flash)
    }

    /// Where the visitor wanted to go: `next` in the form or the query, if it is a path of this site.
    var next: Link? { visit.next }
}

extension Visit {
    func page(_ view: View<Frame>, status: HTTPResponse.Status = .ok) -> Response {
        var response = Response(status: status)
        response.headers[.contentType] = "text/html; charset=utf-8"
        // A script that fetches a page for a part of it doesn't show the message; the next opened page does.
        let flash = request.isOpening ? Flash(cookie: cookie(Flash.cookieName)) : nil
        if flash != nil { response.headers.append(Flash.gone(site.settings)) }
        let usual = site.hasLanguages ? Self.byLanguage : "Accept-Encoding, Cookie"
        response.headers[.vary] = "\(usual), Sec-Fetch-Dest, Sec-Fetch-Site"
        // Browsers don't cache a signed-in visitor's pages, which have a new token each time.
        let isKept = status == .ok && visitor == nil && flash == nil && request.method != .post
        let (body, isPacked) = view.draw(in: Frame(self, flash: flash)) { bytes in
            if isKept { response.headers[.eTag] = EntityTag(of: bytes).text }
            let packed = request.wantsGzip ? Gzip.compress(bytes) : nil
            return (packed.map { ByteBuffer(bytes: $0) } ?? ByteBuffer(bytes: bytes), packed != nil)
        }
        if isPacked { response.headers[.contentEncoding] = "gzip" }
        // Back shows a preview again; if the browser may not store it for that, it shows an error instead.
        if request.method == .post, self.body["step"] == Step.preview.rawValue, status == .ok {
            response.headers[.cacheControl] = "private, no-cache"
        }
        response.body = .init(byteBuffer: body)
        return response
    }
}

extension Response {
    /// The response, hidden from search engines.
    var unlisted: Response {
        var response = self
        response.headers[.robots] = "noindex"
        return response
    }

    /// The response for a page with a token in its address, which other sites must not learn. With `no-referrer`, the
    /// page's own forms would have the origin `null` and be refused.
    var withoutReferrer: Response {
        var response = self
        response.headers[.referrerPolicy] = "same-origin"
        return response
    }
}

extension HTTPFields {
    mutating func append(_ cookie: String) { append(HTTPField(name: .setCookie, value: cookie)) }
}
