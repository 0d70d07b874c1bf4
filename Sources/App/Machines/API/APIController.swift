import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// `/api`: the content of the site's pages, for programs; read-only.
struct APIController {
    let site: Site

    func events(_ context: PublicContext) throws -> Response {
        let query = EventFilter(context.query, country: site.settings.country)
        if let name = query.unreadable(in: context.query) {
            return open(context.visit.problem(.badRequest, "The parameter “\(name, as: "name")” can’t be read."))
        }
        let (feed, events, sessions, draws) = try site.read(at: context.now) { tx in
            let filter = try query.known(in: tx)
            let found = try Event.search(filter, in: site.settings.zone, in: tx)
            let feed = Feed(filter, found, today: context.townDay)
            let events = try Event.all(feed.list.events.map(\.id), in: tx)
            return (feed, events, try Activity.sessions(of: events, in: tx), try Draw.pending(at: events, in: tx))
        }
        let next = feed.more.map { "\(site.settings.publicURL)/api\($0.string)" }
        let items = events.map {
            $0.json(
                site: site.settings.publicURL, sessions: sessions[$0.id] ?? [], draw: draws[$0.id], at: context.now)
        }
        return open(page(context, items, next: next))
    }

    func event(_ context: PublicContext) throws -> Response {
        let event = try site.publicEvent(context.id())
        let (sessions, draw) = try site.read { db in
            (
                try Activity.sessions(of: [event], in: db)[event.id] ?? [],
                try Draw.pending(at: [event], in: db)[event.id]
            )
        }
        return open(
            context.document(
                event.json(site: site.settings.publicURL, sessions: sessions, draw: draw, at: context.now)))
    }

    func opportunities(_ context: PublicContext) throws -> Response {
        let query = OpportunityFilter(context.query, country: site.settings.country)
        if let name = query.unreadable(in: context.query) {
            return open(context.visit.problem(.badRequest, "The parameter “\(name, as: "name")” can’t be read."))
        }
        let list = try site.read(at: context.now) { tx in try query.known(in: tx) }
        let next = list.more.map { "\(site.settings.publicURL)/api\($0.string)" }
        return open(
            page(context, list.items.map { $0.json(site: site.settings.publicURL, at: context.now) }, next: next))
    }

    func opportunity(_ context: PublicContext) throws -> Response {
        let id: ID<Opportunity> = try context.id()
        let found = try site.read(at: context.now) { tx in try Opportunity.find(id, for: nil, in: tx) }
        guard let found else { throw Refusal.notFound }
        return open(context.document(found.json(site: site.settings.publicURL, at: context.now)))
    }

    func providers(_ context: PublicContext) throws -> Response {
        let after: Cursor<ID<Provider>>? = context.after()
        let other = context.query.entries.first { $0.name != "after" || after == nil }
        if let other {
            return open(context.visit.problem(.badRequest, "The parameter “\(other.name, as: "name")” can’t be read."))
        }
        let (page, totals) = try site.read { db in
            let page = try Provider.all(after: after, in: db)
            return (page, try OrganizationTotal.all(of: page.items.map(\.account), in: db))
        }
        let helps = site.opening.has(.helping)
        let next = page.more(at: .apiProviders).map { site.settings.publicURL + $0.string }
        return open(
            self.page(
                context,
                page.items.map { provider in
                    provider.json(
                        site: site.settings.publicURL,
                        helps ? totals[provider.account] ?? OrganizationTotal() : nil, at: context.now)
                }, next: next))
    }

    func provider(_ context: PublicContext) throws -> Response {
        let username = try context.word("username")
        let json = try site.read { db in
            guard let provider = try Provider.find(username: username, in: db),
                try !Person.isHidden(provider.account, in: db)
            else { throw Refusal.notFound }
            return provider.json(
                site: site.settings.publicURL,
                site.opening.has(.helping) ? try OrganizationTotal.of(provider.account, in: db) : nil, at: context.now)
        }
        return open(context.document(json))
    }

    /// The visitor's own family. There is no list of families.
    func family(_ context: MemberContext) throws -> Response {
        let member = context.member
        let json = try site.read { db in
            guard let family = try Family.find(of: member.account, in: db), let shared = member.family else {
                throw Refusal.notFound
            }
            return family.json(try Child.all(of: shared.id, in: db))
        }
        return context.document(json)
    }

    func description(_ context: PublicContext) -> Response {
        open(context.document(OpenAPI(site: site.settings.publicURL).document))
    }

    private func page(_ context: PublicContext, _ items: [JSON], next: String?) -> Response {
        context.document(["items": .array(items), "next": next.map { .string($0) } ?? .null])
    }

    /// Lets other sites' pages read the response: it is public, and with `*` browsers send no cookies.
    private func open(_ response: Response) -> Response {
        var response = response
        response.headers[.accessControlAllowOrigin] = "*"
        response.headers[.crossOriginResourcePolicy] = "cross-origin"
        return response
    }
}

extension EventFilter {
    /// The name of the first parameter that the filter doesn't understand: a page ignores it, a program gets an error.
    func unreadable(in query: FormBody) -> String? {
        let understood = (try? FormBody(query: link.string.drop { $0 != "?" }.dropFirst())) ?? FormBody()
        return query.entries.map(\.name).first { name in
            guard unread[name] == nil else { return true }
            let all = query.all(name)
            guard Set(all).count == all.count, name != "tag" || all.count <= Self.mostTags else { return true }
            let typed = Set(all.map { $0.lowercased() })
            // The words and the city may be empty, and `when` overrides days.
            let isEmpty = ["q", "city"].contains(name) && typed.allSatisfy { $0.allSatisfy(\.isWhitespace) }
            let isDay = when != nil && ["from", "to"].contains(name) && all.count == 1 && Day(iso: all[0]) != nil
            return !isEmpty && !isDay && typed.count > understood.all(name).count
        }
    }
}
