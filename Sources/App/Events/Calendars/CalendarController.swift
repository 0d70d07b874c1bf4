import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// `/events/{id}.ics`, `/events.ics`, `/calendar/{token}.ics`, `/me/calendar`: events for the calendar on a phone.
struct CalendarController {
    let site: Site

    /// One event.
    func event(_ context: PublicContext) throws -> Response {
        let event = try site.publicEvent(context.id())
        var response = answer(context, [EventCalendar.Entry(event)], name: event.title)
        response.headers[.contentDisposition] = "inline; filename=\"event-\(event.id).ics\""
        return response
    }

    /// The next events that the filters of the address find.
    func events(_ context: PublicContext) throws -> Response {
        let query = EventFilter(context.query, country: site.settings.country)
        let (filter, events) = try site.read { db in
            let filter = try query.known(in: db)
            return (filter, try Event.found(by: filter, atMost: 200, in: site.settings.zone, now: context.now, in: db))
        }
        return answer(context, events.map { EventCalendar.Entry($0) }, name: filter.feedTitle(in: context.language))
    }

    /// A family's own calendar, for whoever holds its address.
    func family(_ context: PublicContext) throws -> Response {
        guard let token = Token(try context.word("token")) else { throw Refusal.notFound }
        let entries = try site.read { db in
            guard let account = try CalendarLink.account(token, in: db) else { throw Refusal.notFound }
            let bookings = try Booking.all(of: account, from: context.now - CalendarLink.past, in: db)
            let events = Dictionary(
                uniqueKeysWithValues: try Event.all(bookings.map(\.event), in: db).map { ($0.id, $0) })
            let joined = try Activity.lines(of: account, from: context.now - CalendarLink.past, in: db)
            return bookings.compactMap { booking in
                events[booking.event].map { EventCalendar.Entry($0, booking) }
            }
                + joined.compactMap { line in events[line.event].map { EventCalendar.Entry($0, line) } }
        }
        var response = answer(context, entries, name: "Village").withoutReferrer
        response.headers[.cacheControl] = "private, no-store"
        response.headers[.robots] = "noindex, nofollow, noarchive"
        return response
    }

    func show(_ context: ParentContext) throws -> Response { try page(context, token: nil) }

    /// Makes a new address, which is shown on this answer only, or takes the one there is out of use.
    func update(_ context: ParentContext) async throws -> Response {
        let account = context.member.account
        guard context.body["act"] == "make" else {
            try await site.write { db in try CalendarLink.delete(of: account, in: db) }
            return context.redirect(to: Link("/me/calendar"), flash: .calendarOff)
        }
        let token = Token()
        let now = context.now
        try await site.write { db in try CalendarLink.save(token, of: account, at: now, in: db) }
        return try page(context, token: token)
    }

    private func page(_ context: ParentContext, token: Token?) throws -> Response {
        let date = try site.read { db in try CalendarLink.date(of: context.member.account, in: db) }
        let url = token.map { site.settings.publicURL + (Link("/calendar") / "\($0.text).ics").string }
        return context.page(
            Templates.events.calendars.address(url: url, since: date.map { site.settings.zone.day(of: $0).fullName })
        ).withoutReferrer
    }

    private func answer(_ context: PublicContext, _ entries: [EventCalendar.Entry], name: String) -> Response {
        let calendar = EventCalendar(
            name: name, site: site.settings.publicURL, host: site.settings.publicHost, language: context.language,
            entries: entries)
        return context.document(calendar.bytes, type: "text/calendar; charset=utf-8", isTranslated: true)
    }
}

extension HTTPField.Name {
    static let robots = HTTPField.Name("X-Robots-Tag")!
}
