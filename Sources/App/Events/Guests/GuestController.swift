import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/events/{id}/people` and `/opportunities/{id}/people`: guests whom a host adds to a list.
struct GuestController {
    let site: Site
    let kind: Kind

    /// What the list belongs to.
    enum Kind: Sendable { case event, help }

    func new(_ context: ProviderContext) throws -> Response {
        let list = try list(context)
        guard list.isOpen(at: context.now) else { return context.redirect(to: list.link) }
        let form = GuestForm.blank(for: list, at: context.now)
        return context.page(Templates.events.guests.new(list: list, form: form))
    }

    func create(_ context: ProviderContext) async throws -> Response {
        let list = try list(context)
        var submission = context.submission(GuestForm.self)
        GuestForm.offer(list, in: &submission, at: context.now)
        GuestForm.check(&submission, for: list, at: context.now)
        if let form = submission.value {
            let (account, once) = (context.member.account, submission.once)
            let sent = context.sent(submission)
            do {
                let guest = try await context.write { tx in
                    let isNew = try sent.remember(by: account, in: tx)
                    return try Guest.add(form, to: list, once: once, isNew: isNew, in: tx)
                }
                return context.redirect(to: list.people / guest, flash: .personAdded)
            } catch is Guest.NoRoom {
                submission.reject(GuestForm.full(list))
            }
        }
        return context.again(Templates.events.guests.new(list: list, form: submission))
    }

    /// A guest with their slip. If there is none, because a member took the place over, the page leads to the list.
    func show(_ context: ProviderContext) throws -> Response {
        do {
            return context.page(Templates.events.guests.show(slip: try slip(context)))
        } catch Refusal.notFound {
            return context.visit.nothingToEnd(next: try list(context).link)
        }
    }

    private func slip(_ context: ProviderContext) throws -> GuestSlip {
        let (list, id) = (try list(context), try context.id("guest") as ID<Guest>)
        let (guest, phone, hasHours) = try site.read { db in
            let guest = try Guest.find(id, on: list, in: db)
            return (guest, try Guest.phone(of: context.host, in: db), try guest.hasHours(in: db))
        }
        return GuestSlip(
            guest, on: list, phone: phone, hasHours: hasHours, site: site.settings.publicURL, at: context.now)
    }

    func remove(_ context: ProviderContext) async throws -> Response {
        let slip = try pressed(context)
        guard slip.isOpen else { throw Refusal.tooLate }
        try await context.write { tx in
            try Guest.find(slip.guest.id, on: slip.list, in: tx).takeOff(slip.list, in: tx)
        }
        return context.redirect(to: slip.link)
    }

    /// The slip whose button was pressed. If a member took the place over meanwhile, the list shows the current state.
    private func pressed(_ context: ProviderContext) throws -> GuestSlip {
        do { return try slip(context) } catch Refusal.notFound { throw Refusal.overtaken(try list(context).link) }
    }

    func restore(_ context: ProviderContext) async throws -> Response {
        var slip = try pressed(context)
        let (guest, list) = (slip.guest.id, slip.list)
        guard slip.isOpen else { throw Refusal.tooLate }
        do {
            try await context.write { tx in try Guest.find(guest, on: list, in: tx).putBack(list, in: tx) }
        } catch is Guest.NoRoom {
            slip.problems = [Problem(name: "restore", words: GuestForm.full(list))]
            return context.again(Templates.events.guests.show(slip: slip))
        }
        return context.redirect(to: slip.link)
    }

    /// Records that they were told of a change or cancellation.
    func noteTold(_ context: ProviderContext) async throws -> Response {
        let slip = try pressed(context)
        guard let since = context.body["since"].flatMap({ Int64($0) }) else { throw Refusal.malformed }
        try await context.write { tx in
            try Guest.find(slip.guest.id, on: slip.list, in: tx).noteTold(Instant(milliseconds: since), in: tx)
        }
        return context.redirect(to: slip.list.page, flash: .saved)
    }

    private func list(_ context: ProviderContext) throws -> GuestList {
        try site.read(at: context.now) { tx in
            switch kind {
            case .event: try GuestList(of: context.id() as ID<Event>, of: context.host, in: tx)
            case .help: try GuestList(of: context.id() as ID<Opportunity>, of: context.host, in: tx)
            }
        }
    }
}
