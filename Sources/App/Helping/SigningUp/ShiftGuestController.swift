import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/opportunities/{id}/people`: helpers without an account, whom an organization adds to a shift.
struct ShiftGuestController {
    let site: Site

    func new(_ context: ProviderContext) throws -> Response {
        let list = try list(context)
        guard list.takesGuests(at: context.now) else {
            return context.redirect(to: list.opportunity.link / "signups")
        }
        var form = Submission<GuestForm>()
        offer(list, in: &form, context)
        return context.page(Templates.events.guests.new(list: guestList(list, context), form: form))
    }

    func create(_ context: ProviderContext) async throws -> Response {
        let list = try list(context)
        var submission = context.submission(GuestForm.self)
        offer(list, in: &submission, context)
        if !list.takesGuests(at: context.now) {
            submission.reject(GuestController.tooLate)
        } else if submission.accepts(\.shift), submission.form.shift == nil {
            submission.reject(\.shift, "Choose a shift.")
        }
        if let form = submission.value, let shift = form.shift {
            let (id, account, now) = (list.opportunity.id, context.member.account, context.now)
            let (once, sent) = (submission.once, context.sent(submission))
            do {
                let guest = try await site.write { db in
                    try sent.remember(by: account, at: now, in: db)
                    return try Guest.add(form, to: shift, of: id, once: once, at: now, in: db)
                }
                return context.redirect(to: list.opportunity.link / "people" / guest, flash: .personAdded)
            } catch is Event.NoRoom {
                submission.reject(GuestController.full)
            }
        }
        return context.again(Templates.events.guests.new(list: guestList(list, context), form: submission))
    }

    /// The shifts that aren't over; a single one is chosen.
    private func offer(_ list: HelperList, in form: inout Submission<GuestForm>, _ context: ProviderContext) {
        let shifts = list.shifts.filter { $0.endsAt > context.now }
        if shifts.count == 1, !form.isSent { form.fill(\.shift, shifts[0].id) }
        form.offer(
            \.shift, shifts.map { Choice($0.id, $0.moment, detail: $0.room, isDisabled: $0.left == 0) })
    }

    private func guestList(_ list: HelperList, _ context: ProviderContext) -> GuestList {
        let opportunity = list.opportunity
        return GuestList(
            title: opportunity.title, facts: opportunity.whereabouts, link: opportunity.link / "signups",
            people: opportunity.link / "people", change: opportunity.link / "edit",
            isFull: list.shifts.allSatisfy { $0.left == 0 || $0.endsAt <= context.now }, isOfEvent: false)
    }

    func show(_ context: ProviderContext) throws -> Response {
        let list = try list(context)
        let guest = try guest(of: list, context)
        guard case .shift(let id) = guest.place, let shift = try site.read({ db in try Shift.find(id, in: db) }) else {
            throw Refusal.notFound
        }
        let slip = GuestSlip(
            guest, on: guestList(list, context), when: shift.moment,
            address: list.opportunity.place.words,
            isOpen: list.shifts.contains { $0.id == id && $0.endsAt > context.now } && !list.opportunity.isClosed,
            site: site.settings.publicURL)
        return context.page(Templates.events.guests.show(slip: slip))
    }

    func remove(_ context: ProviderContext) async throws -> Response { try await change(.off, context) }

    func restore(_ context: ProviderContext) async throws -> Response { try await change(.back, context) }

    /// Notes that they were told what changed, or that it is called off.
    func noteTold(_ context: ProviderContext) async throws -> Response { try await change(.told, context) }

    private func change(_ change: Guest.Change, _ context: ProviderContext) async throws -> Response {
        let list = try list(context)
        let (id, opportunity, now) = (try guest(of: list, context).id, list.opportunity, context.now)
        do {
            try await site.write { db in
                try Guest.find(id, at: opportunity.id, in: db).apply(change, at: opportunity.id, now: now, in: db)
            }
        } catch is Event.NoRoom {
            return context.noPlaceLeft
        }
        return change == .told
            ? context.redirect(to: opportunity.link / "signups", flash: .saved)
            : context.redirect(to: opportunity.link / "people" / id)
    }

    private func list(_ context: ProviderContext) throws -> HelperList {
        let id: ID<Opportunity> = try context.id()
        return try site.read { db in
            try HelperList(
                of: try Opportunity.own(id, of: context.host, at: context.now, in: db), at: context.now, in: db)
        }
    }

    private func guest(of list: HelperList, _ context: ProviderContext) throws -> Guest {
        let id: ID<Guest> = try context.id("guest")
        return try site.read { db in try Guest.find(id, at: list.opportunity.id, in: db) }
    }
}
