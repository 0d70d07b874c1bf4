import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// `/events/{id}/registrations`: who comes. Only its provider sees it.
struct RosterController {
    let site: Site

    /// The list; `as=notes` with what parents shared, `as=print` for the door, `as=csv` for a spreadsheet. All but the
    /// plain list are written down, for the parents to read.
    func show(_ context: ProviderContext) async throws -> Response {
        let event = try own(context)
        let kind = RosterView.Kind(rawValue: context.query["as"] ?? "")
        let roster = try site.read { db in
            try Roster(of: event, withNotes: kind == .notes || kind == .print, at: context.now, in: db)
        }
        guard let kind else { return context.page(Templates.events.roster(roster: roster)) }
        let account = context.member.account
        let now = context.now
        try await site.write { db in try RosterView.record(kind, of: event.id, by: account, at: now, in: db) }
        switch kind {
        case .notes: return context.page(Templates.events.roster(roster: roster))
        case .print: return context.page(Templates.events.door(roster: roster))
        case .csv: return Response(csv: roster.csv, name: "who-comes-\(event.id).csv")
        }
    }

    /// `POST /events/{id}/arrivals`: a child came or went.
    func mark(_ context: ProviderContext) async throws -> Response {
        let event = try own(context).id
        guard let person = context.body["person"].flatMap({ ID<Registration.Person>($0) }),
            let presence = context.body["presence"].flatMap({ RosterChild.Presence(rawValue: $0) })
        else { throw Refusal.malformed }
        let now = context.now
        try await site.write { db in try Roster.mark(person, presence, at: event, now: now, in: db) }
        return context.redirect(to: Link(onSite: "/events/\(event)/registrations#child-\(person)") ?? .event(event))
    }

    private func own(_ context: ProviderContext) throws -> Event {
        let id: ID<Event> = try context.id()
        guard let event = try site.read({ db in try Event.find(id, in: db) }), event.provider.id == context.provider
        else { throw Refusal.notFound }
        return event
    }
}

extension Response {
    /// A file for a spreadsheet.
    fileprivate init(csv text: String, name: String) {
        self.init(status: .ok, body: .init(byteBuffer: ByteBuffer(string: text)))
        headers[.contentType] = "text/csv; charset=utf-8"
        headers[.contentDisposition] = "attachment; filename=\"\(name)\""
    }
}
