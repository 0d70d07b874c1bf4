import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// Joining and leaving community events and their activities; the program's own pages.
struct ProgrammeController {
    let site: Site

    /// `POST /events/{id}/join`.
    func join(_ context: MemberContext) async throws -> Response {
        let id: ID<Event> = try context.id()
        let account = context.member.account
        let people = try people(context)
        let isShown = people.contains(.me) && context.body["shown"] == "1"
        do {
            try await site.write(at: context.now) { tx in
                try Attendee.join(people, of: account, at: id, in: tx)
                if isShown { try Comer.show(true, account, at: id, in: tx) }
            }
        } catch let refused as Attendee.Refused {
            return try again(id, refused, context)
        }
        return context.redirect(to: .event(id), flash: joined(people))
    }

    /// `POST /events/{id}/shown`: sets whether the host sees the first name of a participant.
    func letSee(_ context: MemberContext) async throws -> Response {
        let id: ID<Event> = try context.id()
        let (account, isShown) = (context.member.account, context.body["shown"] == "1")
        try await site.write { db in try Comer.show(isShown, account, at: id, in: db) }
        return context.redirect(to: .event(id), flash: .saved)
    }

    /// `POST /events/{id}/leave`.
    func leave(_ context: MemberContext) async throws -> Response {
        let id: ID<Event> = try context.id()
        let account = context.member.account
        let people = try named(context)
        do {
            try await site.write(at: context.now) { tx in try Undo.leaving(people, of: account, from: id, in: tx) }
        } catch let refused as Attendee.Refused {
            return try again(id, refused, context)
        }
        return context.redirect(to: context.next ?? .event(id))
    }

    // MARK: Activities

    /// `/events/{id}/activities/{activity}`.
    func show(_ context: PublicContext) throws -> Response {
        let (page, item, waiting) = try find(context, for: context.visit.visitor)
        return context.page(
            Templates.events.programme.activity(page: page, item: item, waiting: waiting, problem: nil)
        ).unlisted
    }

    /// `POST /events/{id}/activities/{activity}/join`.
    func joinActivity(_ context: MemberContext) async throws -> Response {
        let (id, activity): (ID<Event>, ID<Activity>) = (try context.id(), try context.id("activity"))
        let account = context.member.account
        let people = try people(context)
        try requireProgram(id)
        do {
            try await site.write(at: context.now) { tx in
                try Activity.join(people, of: account, in: activity, of: id, tx: tx)
            }
        } catch let refused as Attendee.Refused {
            return try again(refused, context)
        }
        return context.redirect(to: back(id, activity, context), flash: joined(people))
    }

    /// `POST /events/{id}/activities/{activity}/leave`.
    func leaveActivity(_ context: MemberContext) async throws -> Response {
        let (id, activity): (ID<Event>, ID<Activity>) = (try context.id(), try context.id("activity"))
        let account = context.member.account
        let people = try named(context)
        do {
            try await site.write(at: context.now) { tx in
                try Undo.leaving(people, of: account, from: activity, of: id, in: tx)
            }
        } catch let refused as Attendee.Refused {
            return try again(refused, context)
        }
        // The result and its undo button are at the top.
        return context.redirect(to: context.next ?? back(id, activity, context).top, flash: .left)
    }

    /// `POST /events/{id}/activities/{activity}/wait`.
    func wait(_ context: MemberContext) async throws -> Response {
        let (id, activity): (ID<Event>, ID<Activity>) = (try context.id(), try context.id("activity"))
        let account = context.member.account
        let people = try people(context)
        try requireProgram(id)
        do {
            try await site.write(at: context.now) { tx in
                try Activity.wait(people, of: account, for: activity, of: id, tx: tx)
            }
        } catch let refused as Attendee.Refused {
            return try again(refused, context)
        }
        return context.redirect(to: .activity(activity, of: id), flash: .waits)
    }

    /// `POST /events/{id}/activities/{activity}/unwait`.
    func stopWaiting(_ context: MemberContext) async throws -> Response {
        let (id, activity): (ID<Event>, ID<Activity>) = (try context.id(), try context.id("activity"))
        let account = context.member.account
        let people = try people(context)
        try await site.write(at: context.now) { tx in
            guard try Activity.find(activity, of: id, in: tx) != nil else { throw Refusal.notFound }
            // Some of them may have got a place meanwhile.
            let present = try Activity.present(of: account, at: id, in: tx)[activity] ?? []
            if people.contains(where: present.contains) { throw Refusal.overtaken(.activity(activity, of: id)) }
            try Undo.leavingLine(people, of: account, for: activity, of: id, in: tx)
        }
        return context.redirect(to: context.next ?? Link.activity(activity, of: id).top, flash: .saved)
    }

    /// `/events/{id}/activities/{activity}/registrations`: the participants, for the event's organization; `as=notes`
    /// with parents' notes, `as=csv` for a spreadsheet: both are logged for the parents.
    func roster(_ context: MemberContext) async throws -> Response {
        let (event, activity) = try own(context, of: context.member)
        guard context.member.isProvider else { throw Refusal.wrongHat(.provider) }
        let kind = RosterView.Kind(rawValue: context.query["as"] ?? "").flatMap { $0 == .print ? nil : $0 }
        let roster = try site.read(at: context.now) { tx in
            try Roster(of: event, in: activity, withNotes: kind == .notes, tx: tx)
        }
        let page = Templates.events.programme.roster(roster: roster, activity: activity)
        guard let kind else {
            if roster.hasAnswers { return context.page(page) }
            return context.keptPage(page, called: "Who comes: \(activity.name, as: "title")")
        }
        let account = context.member.account
        let seen = roster.registrationsWithNotes
        try await site.write(at: context.now) { tx in
            try RosterView.record(kind, of: event.id, showing: seen, by: account, in: tx)
        }
        return kind == .csv ? context.file(roster.sheet, name: roster.fileName) : context.page(page)
    }

    /// `POST /events/{id}/activities/{activity}/arrivals`: checks somebody in, or undoes it.
    func mark(_ context: ProviderContext) async throws -> Response {
        let (event, activity) = try own(context, of: context.member)
        guard let person = context.body["person"].flatMap({ ID<Registration.Person>($0) }) else {
            throw Refusal.malformed
        }
        guard !event.isCancelled, !activity.isCancelled else { throw Refusal.tooLate }
        // Session participants are checked in on their days; a fair's list is available before.
        guard !event.hasSessions || event.clock.day(of: context.now) >= activity.day else { throw Refusal.tooLate }
        let isHere = context.body["presence"] != "away"
        try await context.write { tx in try Roster.mark(person, isHere: isHere, in: activity.id, of: event, tx: tx) }
        return context.redirect(
            to: (Link.activity(activity.id, of: event.id) / "registrations").fragment("child-\(person)"))
    }

    /// An activity of an own event whose list the member may see.
    private func own(_ context: some Context, of member: Visitor) throws -> (Event, Activity) {
        let (id, activity): (ID<Event>, ID<Activity>) = (try context.id(), try context.id("activity"))
        return try site.read { db in
            let event = try Event.find(id, of: member.acting, in: db)
            guard event.isForEveryone || event.hasSessions, try event.hasList(in: db),
                let found = try Activity.find(activity, of: id, in: db)
            else { throw Refusal.notFound }
            return (event, found)
        }
    }

    /// The page of the form: the activity's own, or its place in the program.
    private func back(_ event: ID<Event>, _ activity: ID<Activity>, _ context: MemberContext) -> Link {
        context.body["at"] == "page"
            ? .activity(activity, of: event)
            : ProgrammeFilter(context.body).link(event).fragment("activity-\(activity)")
    }

    private func again(_ refused: Attendee.Refused, _ context: MemberContext) throws -> Response {
        let (page, item, waiting) = try find(context, for: context.member)
        return context.again(
            Templates.events.programme.activity(page: page, item: item, waiting: waiting, problem: refused.words))
    }

    /// An activity's page, and the number of people waiting.
    private func find(_ context: some Context, for visitor: Visitor?) throws -> (EventPage, Programme.Item, Int) {
        let (id, activity): (ID<Event>, ID<Activity>) = (try context.id(), try context.id("activity"))
        return try site.read(at: context.now) { tx in
            let page = try site.eventPage(id, for: visitor, in: tx)
            guard let item = page.programme?.item(activity) else { throw Refusal.notFound }
            return (
                try page.mapped(at: item.activity, site.outlines, in: tx), item,
                try Activity.countWaiting(for: activity, in: tx)
            )
        }
    }

    /// `/events/{id}/activities/{activity}.ics`.
    func calendar(_ context: PublicContext) throws -> Response {
        let event = try publicEvent(context)
        let id: ID<Activity> = try context.id("activity")
        guard let activity = try site.read({ db in try Activity.find(id, of: event.id, in: db) }) else {
            throw Refusal.notFound
        }
        let calendar = EventCalendar(
            name: activity.name, site: site.settings.publicURL, host: site.settings.publicHost,
            language: context.language, entries: EventCalendar.Entry.all(event, activity))
        var response = context.document(calendar.bytes, type: "text/calendar; charset=utf-8", isTranslated: true)
        response.headers[.contentDisposition] = "inline; filename=\"activity-\(id).ics\""
        return response
    }

    /// `/events/{id}/programme.ics`: the event, and each of its activities as a separate entry.
    func calendarOfAll(_ context: PublicContext) throws -> Response {
        let event = try publicEvent(context)
        let activities = try site.read { db in try Activity.all(of: event.id, in: db) }
        guard event.isForEveryone || event.hasSessions, !activities.isEmpty else { throw Refusal.notFound }
        let calendar = EventCalendar(
            name: event.title, site: site.settings.publicURL, host: site.settings.publicHost,
            language: context.language,
            entries: (event.hasSessions ? [] : [EventCalendar.Entry(event)])
                + activities.flatMap { EventCalendar.Entry.all(event, $0) })
        var response = context.document(calendar.bytes, type: "text/calendar; charset=utf-8", isTranslated: true)
        response.headers[.contentDisposition] = "inline; filename=\"program-\(event.id).ics\""
        return response
    }

    /// `/events/{id}/programme`: a printable sheet on which a member's own activities are marked.
    func sheet(_ context: PublicContext) throws -> Response {
        let id: ID<Event> = try context.id()
        let visitor = context.visit.visitor
        let page = try site.read(at: context.now) { tx in try site.eventPage(id, for: visitor, in: tx) }
        try requireOpen(page.event)
        guard let programme = page.programme else { throw Refusal.notFound }
        let flyer = Flyer(page.event, site: site.settings.publicURL)
        return context.page(Templates.events.programme.sheet(flyer: flyer, programme: programme)).unlisted
    }

    // MARK: Shared

    private func publicEvent(_ context: PublicContext) throws -> Event {
        let event = try site.publicEvent(context.id())
        try requireOpen(event)
        return event
    }

    /// Makes sure that programs aren't switched off; sessions can't be.
    private func requireOpen(_ event: Event) throws {
        guard event.hasSessions || site.opening.has(.programs) else { throw Refusal.switchedOff }
    }

    /// Makes sure that people join the event's activities individually: sessions are chosen together, for children.
    private func requireProgram(_ id: ID<Event>) throws {
        guard try site.read({ db in try Event.find(id, in: db)?.isForEveryone }) == true else { throw Refusal.notFound }
    }

    /// The people named in the form.
    private func named(_ context: MemberContext) throws -> [Attendee] {
        try context.body.all("person").prefix(30).map { text in
            guard let attendee = Attendee(typed: text) else { throw Refusal.malformed }
            return attendee
        }
    }

    /// The people named in the form; the member in person by default.
    private func people(_ context: MemberContext) throws -> [Attendee] {
        let people = try named(context)
        return people.isEmpty ? [.me] : people
    }

    /// What is said to those who joined: children may come without the member.
    private func joined(_ people: [Attendee]) -> Flash {
        people.contains(.me) ? .joined : people.count == 1 ? .childJoined : .childrenJoined
    }

    private func again(_ id: ID<Event>, _ refused: Attendee.Refused, _ context: MemberContext) throws -> Response {
        var page = try site.read(at: context.now) { tx in
            try site.eventPage(id, for: context.member, in: tx).mapped(site.outlines, in: tx)
        }
        page.going?.problem = refused.words
        page.shown?.isChecked = context.body["shown"] == "1"
        return context.again(Templates.events.show(page: page, form: page.registration()))
    }
}
