import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// `/events/{id}.ics`, `/events.ics`, `/calendar/{token}.ics`, `/me/calendar`: events for calendar programs.
struct CalendarController {
    let site: Site

    /// One event.
    func event(_ context: PublicContext) throws -> Response {
        let event = try site.publicEvent(context.id())
        var response = answer(context, [EventCalendar.Entry(event)], name: event.text(for: context.language).title)
        response.headers[.contentDisposition] = "inline; filename=\"event-\(event.id).ics\""
        return response
    }

    /// The upcoming events that match the filters in the address.
    func events(_ context: PublicContext) throws -> Response {
        let query = EventFilter(context.query, country: site.settings.country)
        if let answer = context.visit.unreadable(query.problems) { return answer }
        let (filter, events) = try site.read(at: context.now) { tx in
            let filter = try query.known(in: tx)
            return (filter, try Event.found(by: filter, atMost: 200, in: site.settings.zone, in: tx))
        }
        let name = filter.feedTitle(in: context.language, of: site.town)
        return answer(context, events.map { EventCalendar.Entry($0) }, name: name)
    }

    /// A private calendar, for anyone who has its address.
    func own(_ context: PublicContext) throws -> Response {
        guard let token = Token(try context.word("token")) else { throw Refusal.notFound }
        let name = site.town.siteName
        // A program fetches it, so the visit's language isn't the owner's.
        let (entries, title, language) = try site.read { db in
            guard let link = try CalendarLink.find(token, in: db) else { throw Refusal.notFound }
            let language = try site.language(of: link.account, in: db)
            let entries = try EventCalendar.Entry.all(
                of: link.account, link.scope, from: context.now - CalendarLink.past, site.opening,
                in: site.settings.zone, language: language, db: db)
            let children = try CalendarLink.children(beside: link.scope, of: link.account, in: db)
            return (entries, link.scope.title(in: name, beside: children), language)
        }
        return answer(context, entries, name: title.text(in: language), in: language).keptPrivate
    }

    /// `/events/{id}/mine.ics`: the participation of one's own people in an event; with `dates=all` on all of their
    /// dates in its series.
    func mine(_ context: MemberContext) throws -> Response {
        let id: ID<Event> = try context.id()
        let entries = try site.read { db in
            try EventCalendar.Entry.all(
                of: context.member.account, .family, at: id, withAllDates: context.query["dates"] == "all",
                from: context.now - CalendarLink.past,
                site.opening, in: site.settings.zone, language: context.language, db: db)
        }
        guard let first = entries.first else { throw Refusal.notFound }
        var response = answer(context, entries, name: first.event.title).keptPrivate
        response.headers[.contentDisposition] = "inline; filename=\"event-\(id).ics\""
        return response
    }

    func show(_ context: MemberContext) throws -> Response { try page(context, shown: nil) }

    /// The actions of a calendar's buttons.
    private enum Act: String { case make, show, off }

    /// Makes a new address for a calendar, shows the existing one, or invalidates it.
    func update(_ context: MemberContext) async throws -> Response {
        let account = context.member.account
        let key = site.key
        let links = try site.read { db in try CalendarLink.all(of: account, key, in: db) }
        guard let scope = links.map(\.scope).first(where: { $0.text == context.body["of"] }),
            let act = context.body["act"].flatMap(Act.init)
        else { throw Refusal.notFound }
        switch act {
        case .make:
            try await site.write(at: context.now) { tx in try CalendarLink.make(scope, of: account, key, in: tx) }
            return try page(context, shown: scope)
        case .show: return try page(context, shown: scope)
        case .off:
            try await site.write { db in try CalendarLink.delete(scope, of: account, in: db) }
            return context.redirect(to: .calendars, flash: .calendarOff)
        }
    }

    /// - Parameter shown: The calendar whose address is shown: no other is, in case somebody is watching.
    private func page(_ context: MemberContext, shown: CalendarLink.Scope?) throws -> Response {
        let links = try site.read { db in
            try CalendarLink.all(of: context.member.account, site.key, in: db)
        }
        return context.page(
            Templates.events.calendars.address(
                links: links, shown: shown, site: site.settings.publicURL, zone: context.zone)
        ).withoutReferrer
    }

    /// - Parameter language: The calendar's language; nil for the visit's.
    private func answer(
        _ context: some Context, _ entries: [EventCalendar.Entry], name: String, in language: Language? = nil
    ) -> Response {
        let calendar = EventCalendar(
            name: name, site: site.settings.publicURL, host: site.settings.publicHost,
            language: language ?? context.language, entries: entries)
        return context.document(calendar.bytes, type: "text/calendar; charset=utf-8", isTranslated: language == nil)
    }
}

extension Response {
    /// Hidden from shared caches and search engines.
    fileprivate var keptPrivate: Response {
        var response = withoutReferrer
        response.headers[.cacheControl] = "private, no-store"
        response.headers[.robots] = "noindex, nofollow, noarchive"
        return response
    }
}

extension HTTPField.Name {
    static let robots = HTTPField.Name("X-Robots-Tag")!
}
