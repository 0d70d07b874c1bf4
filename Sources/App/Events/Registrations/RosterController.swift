import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// `/events/{id}/registrations`: an event's participants. Only its host sees them.
struct RosterController {
    let site: Site

    /// The list; `as=notes` with the notes shared by parents, `as=print` for the door, `as=csv` for a spreadsheet. All
    /// but the plain list are logged for the parents.
    ///
    /// A visitor who isn't a provider, and comes from a refused registration's address, is redirected to the event. A
    /// co-host sees what the host sees.
    func show(_ context: MemberContext) async throws -> Response {
        let id: ID<Event> = try context.id()
        let event = try site.read { db in try Event.find(id, in: db) }
        let host = try site.read { db in try Cohost.acting(context.member, at: id, in: db) }
        guard let event, event.host.id == host else {
            guard context.member.isProvider else { return context.redirect(to: .event(id)) }
            throw Refusal.notFound
        }
        // Members who joined a neighbor's event chose whether its host sees their name: a provider profile that the
        // host created later doesn't change that.
        guard try site.read({ db in try event.hasList(in: db) }) else {
            let comers = try site.read(at: context.now) { tx in
                try Comer.all(at: event, for: context.member.account, after: context.after(), in: tx)
            }
            let page = ComersPage(
                event: event, comers: comers.items, more: comers.more(at: .roster(of: id)),
                isPast: event.endsAt + Comer.kept <= context.now, isOver: event.isOver(at: context.now))
            return context.page(Templates.events.programme.comers(page: page))
        }
        guard context.member.isProvider else { throw Refusal.wrongHat(.provider) }
        let kind = RosterView.Kind(rawValue: context.query["as"] ?? "")
        var roster = try site.read(at: context.now) { tx in
            var roster = try Roster(of: event, withNotes: kind == .notes || kind == .print, in: tx)
            if event.isOpen(at: tx.now) {
                roster.waiting =
                    event.hasSessions
                    ? try Activity.countWaiting(at: id, in: tx)
                    : try Registration.Queue(for: id, in: tx).parties
            }
            if event.hasSessions || event.isForEveryone && site.opening.has(.programs) {
                roster.activities = try Activity.all(of: id, in: tx)
            }
            return roster
        }
        roster.ticksEarly = context.query["early"] == "1"
        // Without notes, whose views are logged.
        guard let kind else {
            let page = Templates.events.roster(roster: roster)
            // Families' answers are shown here, and must not be kept on a phone.
            if roster.hasAnswers { return context.page(page) }
            return context.keptPage(page, called: "Who comes: \(event.title, as: "title")")
        }
        let account = context.member.account
        let seen = roster.registrationsWithNotes
        try await site.write(at: context.now) { tx in
            try RosterView.record(kind, of: event.id, showing: seen, by: account, in: tx)
        }
        switch kind {
        case .notes: return context.page(Templates.events.roster(roster: roster))
        case .print: return context.page(Templates.events.door(roster: roster))
        case .csv: return context.file(roster.sheet, name: roster.fileName)
        }
    }

    /// `POST /events/{id}/arrivals`: records that a child came or left.
    func mark(_ context: ProviderContext) async throws -> Response {
        let event = try own(context)
        guard let person = context.body["person"].flatMap({ ID<Registration.Person>($0) }),
            let presence = context.body["presence"].flatMap({ RosterChild.Presence(rawValue: $0) })
        else { throw Refusal.malformed }
        guard !event.isCancelled, !event.hasSessions else { throw Refusal.tooLate }
        if let answer = tooEarly(event, context) { return answer }
        try await context.write { tx in try Roster.mark(person, presence, at: event.id, in: tx) }
        return context.redirect(to: list(event, context).fragment("child-\(person)"))
    }

    /// `POST /events/{id}/walk-ins`: stores how many came without a registration.
    func count(_ context: ProviderContext) async throws -> Response {
        let event = try own(context)
        guard !event.hasSessions else { throw Refusal.tooLate }
        let submission = context.submission(WalkInsForm.self)
        let form = submission.form
        guard submission.accepts(\.count), submission.accepts(\.shown), let count = form.count else {
            throw Refusal.malformed
        }
        if let answer = tooEarly(event, context) { return answer }
        let (account, sent) = (context.member.account, context.sent(submission))
        do {
            try await context.write { tx in
                guard try sent.remember(by: account, in: tx) else { return }
                try Roster.count(walkIns: count, instead: form.shown, at: event.id, in: tx)
            }
            return context.redirect(to: list(event, context).fragment("walk-ins"))
        } catch is Event.NoRoom {
            return context.noPlaceLeft
        }
    }

    /// `/events/{id}/headcount`: the number of people who were there.
    func headcount(_ context: ProviderContext) throws -> Response {
        guard let event = try counted(context) else { return context.redirect(to: .roster(of: try context.id())) }
        let stored = try site.read { db in try Headcount(of: event.id, in: db) }
        return context.page(try headcount(of: event, Submission(changing: stored)))
    }

    func countHeads(_ context: ProviderContext) async throws -> Response {
        guard let event = try counted(context) else { return context.redirect(to: .roster(of: try context.id())) }
        let stored = try site.read { db in try Headcount(of: event.id, in: db) }
        let submission = context.submission(changing: stored, by: nil)
        guard let form = submission.value else { return context.again(try headcount(of: event, submission)) }
        try await context.write { tx in
            let page = Submission(changing: try Headcount(of: event.id, in: tx))
            if try submission.isChange(of: page) { try form.store(for: event.id, in: tx) }
        }
        return context.redirect(to: .roster(of: event.id), flash: .saved)
    }

    private func headcount(of event: Event, _ form: Submission<Headcount>) throws -> View<Frame> {
        let ticked = try site.read { db in try Headcount.ticked(at: event.id, in: db) }
        return Templates.events.headcount(page: HeadcountPage(event: event, ticked: ticked, form: form))
    }

    /// An own event whose people can be counted; nil before it has begun, or if it is canceled.
    private func counted(_ context: ProviderContext) throws -> Event? {
        let event = try own(context)
        return Headcount.isOpen(for: event, at: context.now) ? event : nil
    }

    /// `/events/{id}/waiting`: the waiting list.
    func waiting(_ context: ProviderContext) throws -> Response {
        let event = try own(context)
        let list = try site.read(at: context.now) { tx in try WaitingList(of: event, after: context.after(), in: tx) }
        return context.page(Templates.events.waiting(list: list, isOpen: event.isOpen(at: context.now)))
    }

    /// `POST /events/{id}/waiting`: offers a party places out of turn.
    func invite(_ context: ProviderContext) async throws -> Response {
        let event = try own(context)
        guard let registration = context.body["registration"].flatMap({ ID<Registration>($0) }) else {
            throw Refusal.malformed
        }
        do {
            try await context.write { tx in try WaitingList.invite(registration, to: event.id, in: tx) }
        } catch is Event.NoRoom {
            throw Refusal.tooLate
        }
        return context.redirect(to: context.next ?? event.link / "waiting", flash: .invited)
    }

    /// The confirmation page before the day of the event.
    private func tooEarly(_ event: Event, _ context: ProviderContext) -> Response? {
        guard Roster.isEarly(event, at: context.now), context.body["early"] != "1" else { return nil }
        return context.redirect(to: .roster(of: event.id).fragment("early"))
    }

    private func list(_ event: Event, _ context: ProviderContext) -> Link {
        Link.roster(of: event.id).with("early", context.body["early"] == "1" ? "1" : nil)
    }

    private func own(_ context: ProviderContext) throws -> Event {
        let id: ID<Event> = try context.id()
        return try site.read { db in try Event.find(id, of: context.host, in: db) }
    }
}

extension ProviderContext {
    /// The message for a host who wants one place more than there is.
    var noPlaceLeft: Response {
        visit.errorPage(
            .conflict, "There is no place left", "All places are taken. You can add places where you change the event.")
    }
}
