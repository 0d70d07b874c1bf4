import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// Joining community events, and leaving them.
struct ProgrammeController {
    let site: Site

    /// `POST /events/{id}/join`.
    func join(_ context: MemberContext) async throws -> Response {
        let id: ID<Event> = try context.id()
        let (account, now) = (context.member.account, context.now)
        let people = try people(context)
        do {
            _ = try await site.write { db in try Attendee.join(people, of: account, at: id, now: now, in: db) }
        } catch let refused as Attendee.Refused {
            return try again(id, refused, context)
        }
        return context.redirect(to: .event(id), flash: .joined)
    }

    /// `POST /events/{id}/leave`.
    func leave(_ context: MemberContext) async throws -> Response {
        let id: ID<Event> = try context.id()
        let (account, now) = (context.member.account, context.now)
        let people = try named(context)
        do {
            try await site.write { db in try Attendee.leave(people, of: account, at: id, now: now, in: db) }
        } catch let refused as Attendee.Refused {
            return try again(id, refused, context)
        }
        return context.redirect(to: .event(id), flash: .left)
    }

    /// The people whom the form names.
    private func named(_ context: MemberContext) throws -> [Attendee] {
        try context.body.all("person").prefix(30).map { text in
            guard let attendee = Attendee(text) else { throw Refusal.malformed }
            return attendee
        }
    }

    /// The same; without a name it is the member in person.
    private func people(_ context: MemberContext) throws -> [Attendee] {
        let people = try named(context)
        return people.isEmpty ? [.me] : people
    }

    private func again(_ id: ID<Event>, _ refused: Attendee.Refused, _ context: MemberContext) throws -> Response {
        var page = try site.read { db in
            try EventPage(id, for: context.member, at: context.now, in: db).mapped(site.outlines, in: db)
        }
        page.going?.problem = refused.words
        return context.again(Templates.events.show(page: page, form: page.registration()))
    }
}
