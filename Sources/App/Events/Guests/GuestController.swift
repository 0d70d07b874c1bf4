import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/events/{id}/people`: people without an account, whom the host of an event adds to its list.
struct GuestController {
    let site: Site

    func new(_ context: ProviderContext) throws -> Response {
        let event = try own(context)
        guard event.takesGuests(at: context.now) else { return context.redirect(to: .roster(of: event.id)) }
        var form = Submission<GuestForm>()
        form.fill(\.isHere, event.hasStarted(at: context.now))
        return context.page(Templates.events.guests.new(list: list(of: event, context), form: form))
    }

    func create(_ context: ProviderContext) async throws -> Response {
        let event = try own(context)
        var submission = context.submission(GuestForm.self)
        if !event.takesGuests(at: context.now) { submission.reject(Self.tooLate) }
        if let form = submission.value {
            let (account, now, once) = (context.member.account, context.now, submission.once)
            let sent = context.sent(submission)
            do {
                let guest = try await site.write { db in
                    try sent.remember(by: account, at: now, in: db)
                    return try Guest.add(form, to: event.id, once: once, at: now, in: db)
                }
                return context.redirect(to: .people(of: event.id) / guest, flash: .personAdded)
            } catch is Event.NoRoom {
                submission.reject(Self.full)
            }
        }
        return context.again(Templates.events.guests.new(list: list(of: event, context), form: submission))
    }

    static let tooLate: Words = "Nobody can be added anymore: it is over or canceled."
    static let full: Words = "All places are taken. You can add places where you change the event."

    private func list(of event: Event, _ context: ProviderContext) -> GuestList {
        GuestList(
            title: event.title, facts: "\(event.when, as: "when") · \(event.takenPlaces, as: "places")",
            link: .roster(of: event.id), people: .people(of: event.id), change: event.link / "edit",
            isFull: event.isFull, asksWhetherHere: !Roster.isEarly(event, at: context.now))
    }

    /// Somebody, with the slip.
    func show(_ context: ProviderContext) throws -> Response {
        let event = try own(context)
        let slip = GuestSlip(
            try guest(at: event, context), on: list(of: event, context), when: event.when,
            address: event.isInPerson ? event.address.words : nil, isOpen: event.takesGuests(at: context.now),
            site: site.settings.publicURL)
        return context.page(Templates.events.guests.show(slip: slip))
    }

    func remove(_ context: ProviderContext) async throws -> Response {
        guard try own(context).takesGuests(at: context.now) else { throw Refusal.tooLate }
        return try await change(.off, context)
    }

    func restore(_ context: ProviderContext) async throws -> Response { try await change(.back, context) }

    /// Notes that they were told what changed, or that it is called off.
    func noteTold(_ context: ProviderContext) async throws -> Response { try await change(.told, context) }

    private func change(_ change: Guest.Change, _ context: ProviderContext) async throws -> Response {
        let event = try own(context)
        let (id, now) = (try guest(at: event, context).id, context.now)
        do {
            try await site.write { db in
                try Guest.find(id, at: event.id, in: db).apply(change, at: event.id, now: now, in: db)
            }
        } catch is Event.NoRoom {
            return context.noPlaceLeft
        }
        return change == .told
            ? context.redirect(to: event.link, flash: .saved) : context.redirect(to: .people(of: event.id) / id)
    }

    private func own(_ context: ProviderContext) throws -> Event {
        let id: ID<Event> = try context.id()
        return try site.read { db in
            let event = try Event.find(id, of: context.host, in: db)
            guard try event.hasList(in: db) else { throw Refusal.notFound }
            return event
        }
    }

    private func guest(at event: Event, _ context: ProviderContext) throws -> Guest {
        let id: ID<Guest> = try context.id("guest")
        return try site.read { db in try Guest.find(id, at: event.id, in: db) }
    }
}
