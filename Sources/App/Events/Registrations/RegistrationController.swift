import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// Registering children for an event, and giving places back.
struct RegistrationController {
    let site: Site

    /// `POST /events/{id}/registrations`: for this date, or with `dates` for several.
    func create(_ context: ParentContext) async throws -> Response {
        if let returned = context.returned { return try resume(returned) }
        if context.body["several"] == "look" { return try TermController(site: site).look(context) }
        if context.body["several"] != nil || context.body["dates"] != nil {
            return try await TermController(site: site).create(context)
        }
        if context.body["session"] != nil || context.body["sessions"] != nil {
            return try await CampController(site: site).create(context)
        }
        let id: ID<Event> = try context.id()
        var submission = context.submission(RegistrationForm.self)
        let once = submission.once
        let account = context.head
        let now = context.now
        let page = try site.read(at: now) { tx in try EventPage(id, for: context.member, in: tx) }
        page.offer(in: &submission)
        var sheet = page.sheet
        sheet?.read(context.body)
        sheet?.check(for: submission.form.children)
        submission.add(sheet?.problems ?? [])
        let isWilling =
            submission.form.waits || submission.form.manner == .fits || submission.form.needsHelp && page.holdsPlaces
        // If a child has a place already, there is a message at the child.
        let isSaid = !submission.problems.isEmpty && [.allRegistered, .waiting].contains(page.decision)
        if !isSaid, let reason = page.refusal(whenWaiting: isWilling, at: now, for: context.zone) {
            submission.reject(reason)
        }
        guard let form = submission.value else {
            // An earlier submission of this form may have created the registration that now blocks it.
            if let earlier = try site.read({ db in try Registration.sent(once, by: account, in: db) }) {
                return context.redirect(to: .registration(earlier))
            }
            if page.decision == .wholeTerm {
                return try TermController(site: site).insteadOfOne(submission, context)
            }
            return try again(whole(id, context), submission, sheet, context)
        }
        switch try await register(form, sheet, at: page.event, once: once, context) {
        case .askedOtherwise:
            let page = try whole(id, context)
            var sheet = page.sheet
            sheet?.read(context.body)
            sheet?.check(for: form.children)
            submission.add(sheet?.problems ?? [])
            submission.reject("The host changed the questions meanwhile. Nobody was registered so far.")
            return try again(page, submission, sheet, context)
        case .confirmed(let registration): return context.redirect(to: .registration(registration))
        case .alreadyRegistered: return context.redirect(to: .event(id))
        case .full:
            var page = try whole(id, context)
            page.offer(in: &submission)
            submission.reject(page.refusal(whenWaiting: true, at: now, for: context.zone) ?? page.noRoom)
            page.offersWaiting = page.canRegister && page.event.spots.map { $0 >= form.children.count } ?? false
            return try again(page, submission, sheet, context)
        }
    }

    /// The page again, as it was typed before a child was added.
    private func resume(_ context: ParentContext) throws -> Response {
        if context.body["several"] != nil { return try TermController(site: site).resume(context) }
        if context.body["sessions"] != nil { return try CampController(site: site).choose(nil, context) }
        let page = try whole(try context.id(), context)
        var form = Submission<RegistrationForm>(unfinished: context.body)
        page.offer(in: &form)
        var sheet = page.sheet
        sheet?.read(context.body)
        return context.page(try drawn(page, form, sheet))
    }

    func show(_ context: MemberContext) throws -> Response {
        let registration = try find(context)
        // Members who joined a community event see and leave it on its own page.
        if registration.event.isForEveryone, !registration.event.isHidden {
            return context.redirect(to: registration.event.link)
        }
        return context.keptPage(
            try page(registration, context), called: "Registration: \(registration.event.title, as: "title")")
    }

    /// - Parameter isUnclear: Whether the form just said that some come, but not who.
    private func page(
        _ registration: Registration, _ context: MemberContext, isUnclear: Bool = false
    ) throws -> View<Frame> {
        let (views, provider, undos, isTold, further, answers, camp) = try site.read(at: context.now) { tx in
            (
                try RosterView.all(
                    of: registration.event.id, for: registration.id, since: registration.createdAt, in: tx),
                try Provider.find(of: registration.event.host.id, in: tx),
                try Undo.all(.visit, of: context.member.account, subject: registration.event.id.rawValue, in: tx)
                    + Undo.all(
                        .places, .offer, of: registration.account, subject: registration.id.rawValue, in: tx),
                try Announcement.reached(context.member.account, about: registration.event.id, in: tx),
                try Further(registration, for: context.member, in: tx),
                try FamilyAnswers(registration, in: tx),
                try registration.hasSessions(for: context.member)
                    ? Camp(registration.event.id, for: context.member, in: tx) : nil
            )
        }
        return Templates.events.registrations.confirmation(
            registration: registration, views: views, provider: provider, undos: undos,
            canGiveBack: registration.canGiveBack(at: context.now), canShare: registration.canShare(at: context.now),
            isUnclear: isUnclear, isTold: isTold, further: further,
            answers: answers, camp: camp)
    }

    /// `POST /registrations/{id}/cancel`: gives back the places of some children or all; `dates` as `all` includes
    /// every date of the series for which that is still possible; `waits` says that the page was about a waiting list.
    ///
    /// - Throws: `Refusal.overtaken` if the place for which they waited is theirs by now.
    func cancel(_ context: MemberContext) async throws -> Response {
        let registration = try find(context)
        let isAboutList = context.body["waits"] == "1"
        let overtaken = Refusal.overtaken(.registration(registration.id))
        if isAboutList, registration.state == .confirmed { throw overtaken }
        var children = try context.body.all("child").map { text in
            guard let child = ID<Child>(text) else { throw Refusal.malformed }
            return child
        }
        let account = registration.account
        // Only the other parent can give back their own place.
        if children.isEmpty, account != context.member.account {
            children = registration.people.compactMap(\.child)
        }
        let chosen = children
        let now = context.now
        if registration.event.hasSessions {
            let people = children.isEmpty ? registration.coming.compactMap(\.child) : children
            let (reader, event) = (context.member.account, registration.event.id)
            try await site.write(at: now) { tx in
                try Undo.givingBack(sessionsOf: people, of: reader, at: event, in: tx)
            }
            return context.redirect(to: context.next ?? .registration(registration.id))
        }
        if context.body["dates"] == "all", !registration.event.isForEveryone, let series = registration.event.series {
            try await site.write(at: now) { tx in try Undo.givingBack(series, from: registration, of: account, in: tx) }
            return context.redirect(to: context.next ?? .registration(registration.id))
        }
        guard registration.canGiveBack(at: now) || registration.isCancelled else { throw Refusal.tooLate }
        if registration.canGiveBack(at: now) {
            try await site.write(at: now) { tx in
                // Places that came while the request was on its way stay.
                let current = try Registration.find(registration.id, of: account, in: tx)
                if isAboutList, current?.state == .confirmed { throw overtaken }
                // A given-up position on a waiting list can't be restored, because others have moved up.
                guard registration.state == .confirmed else {
                    return try Registration.giveBack(registration.id, children: chosen, of: account, in: tx)
                }
                try Undo.givingBack(registration, children: chosen, of: account, in: tx)
            }
        }
        return context.redirect(to: context.next ?? .registration(registration.id))
    }

    /// `POST /registrations/{id}/accept`: accepts the offered places.
    func accept(_ context: ParentContext) async throws -> Response {
        let registration = try find(context)
        let children = context.body.all("child").compactMap { ID<Child>($0) }
        let account = registration.account
        do {
            try await context.write { tx in
                try Registration.accept(registration.id, children: children, of: account, in: tx)
            }
        } catch is Offer.NamesNobody {
            return context.again(
                try page(registration, MemberContext(visit: context.visit, member: context.member), isUnclear: true))
        } catch is Offer.IsOver {
            // It was pressed twice, or too late: the page says which.
            let flash: Flash? =
                switch registration.state {
                case _ where registration.event.isHidden: nil
                case .confirmed: nil
                case .waiting: .placeGone
                case .offered, .queued, .cancelled: .offerOver
                }
            return context.redirect(to: .registration(registration.id), flash: flash)
        }
        return context.redirect(to: .registration(registration.id))
    }

    /// `POST /registrations/{id}/decline`: stops waiting. A family that has got places keeps them.
    func decline(_ context: ParentContext) async throws -> Response {
        let registration = try find(context)
        let account = registration.account
        guard registration.state != .confirmed else { throw Refusal.overtaken(.registration(registration.id)) }
        try await context.write { tx in try Undo.declining(registration.id, of: account, in: tx) }
        return context.redirect(to: .registration(registration.id))
    }

    /// `POST /registrations/{id}/notes`: shares the notes about the children, or stops sharing.
    func share(_ context: ParentContext) async throws -> Response {
        let registration = try find(context)
        let isOn = context.body["share_notes"] == "1"
        if isOn, !registration.canShare(at: context.now) { throw Refusal.tooLate }
        try await context.write { tx in
            if isOn {
                try CareNote.share(registration.id, in: tx)
            } else {
                try CareNote.withdraw(from: registration.id, in: tx)
            }
        }
        return context.redirect(to: .registration(registration.id), flash: .saved)
    }

    /// `POST /registrations/{id}/help`: records that the family no longer needs help with the fee.
    func takeHelpBack(_ context: ParentContext) async throws -> Response {
        let registration = try find(context)
        let (event, account) = (registration.event.id, registration.account)
        try await context.write { tx in try Hold.takeBack(at: event, of: account, in: tx) }
        return context.redirect(to: .registration(registration.id), flash: .saved)
    }

    /// `POST /events/{id}/seen`: marks the changes as seen.
    func see(_ context: MemberContext) async throws -> Response {
        let event: ID<Event> = try context.id()
        guard let last = context.body["last"].flatMap({ ID<Change>($0) }) else { throw Refusal.malformed }
        let (account, head) = (context.member.account, context.member.head)
        try await site.write(at: context.now) { tx in
            for one in Set([account, head]) { try Change.see(event, upTo: last, by: one, in: tx) }
        }
        return context.redirect(to: context.next ?? .event(event))
    }

    /// `/me/registrations`: the family's registrations.
    func index(_ context: ParentContext) throws -> Response {
        let list = RegistrationList(rawValue: context.query["list"] ?? "") ?? .registered
        if list == .waiting {
            let lines = try site.read(at: context.now) { tx in try Registration.waiting(of: context.head, in: tx) }
            return context.page(
                Templates.events.registrations.history(
                    lines: lines, list: list, more: nil))
        }
        let isPast = list == .attended
        let page = try site.read(at: context.now) { tx in
            try Registration.lines(
                of: context.member.account, head: context.head, upcoming: !isPast, after: context.after(), in: tx)
        }
        let link = Link.registrations.with("list", isPast ? "attended" : "registered")
        return context.page(
            Templates.events.registrations.history(
                lines: page.items, list: list, more: page.more(at: link)))
    }

    private func register(
        _ form: RegistrationForm, _ sheet: AnswerSheet?, at event: Event, once: String, _ context: ParentContext
    ) async throws -> RegistrationOutcome {
        let (account, parent) = (context.head, context.member.account)
        do {
            return .confirmed(
                try await context.write { tx in
                    if let earlier = try Registration.sent(once, by: account, in: tx) { return earlier }
                    try sheet?.requireCurrent(at: event.id, in: tx)
                    let id = try Registration.register(
                        form.children, of: account, at: event.id, manner: form.manner ?? .whole, waits: form.waits,
                        needsHelp: form.needsHelp, sharesNotes: form.sharesNotes, once: once, in: tx)
                    if parent != account { try Registration.note(parent, registered: once, of: account, in: tx) }
                    if let sheet {
                        try Reply.store(
                            sheet.entries(at: event.id, for: form.children), of: account, by: parent,
                            at: event.id, in: tx)
                    } else if event.isAsking {
                        try Reply.share(of: account, at: event.id, in: tx)
                    }
                    return id
                })
        } catch is Event.NoRoom {
            return .full
        } catch is Registration.ChildrenChanged {
            return .alreadyRegistered
        } catch is Ask.Changed {
            return .askedOtherwise
        }
    }

    private func whole(_ id: ID<Event>, _ context: ParentContext) throws -> EventPage {
        try site.read(at: context.now) { tx in try site.eventPage(id, for: context.member, in: tx) }
    }

    /// The event's page with the sent form and its problems.
    private func again(
        _ page: EventPage, _ form: Submission<RegistrationForm>, _ sheet: AnswerSheet?, _ context: ParentContext
    ) throws -> Response {
        context.again(try drawn(page, form, sheet))
    }

    private func drawn(
        _ page: EventPage, _ form: Submission<RegistrationForm>, _ sheet: AnswerSheet?
    ) throws -> View<Frame> {
        var page = try site.read { db in try page.mapped(site.outlines, in: db) }
        page.sheet = sheet ?? page.sheet
        return Templates.events.show(page: page, form: form)
    }

    private func find(_ context: ParentContext) throws -> Registration {
        try find(MemberContext(visit: context.visit, member: context.member))
    }

    /// One's own registration, or one of the children one looks after.
    private func find(_ context: MemberContext) throws -> Registration {
        let id: ID<Registration> = try context.id()
        let (account, head) = (context.member.account, context.member.head)
        let found = try site.read(at: context.now) { tx -> Registration? in
            if let own = try Registration.find(id, of: account, in: tx) { return own }
            let shared = try Registration.find(id, of: head, in: tx)
            return shared?.people.contains(where: { $0.child != nil }) == true ? shared : nil
        }
        guard let registration = found else { throw Refusal.notFound }
        return registration
    }
}

extension Registration {
    /// Whether its page shows the family's sessions.
    fileprivate func hasSessions(for member: Visitor) -> Bool {
        event.hasSessions && !event.isHidden && account == member.head && member.family != nil
    }
}

extension EventPage {
    /// Why nobody can be registered now; nil if somebody can, or can wait and is willing to.
    fileprivate func refusal(whenWaiting isWilling: Bool, at now: Instant, for reader: Zone) -> Words? {
        switch decision {
        case .register, .ownEvent, .preview, .logIn, .makeFamily, .wearParentsHat: nil
        case .wait: isWilling ? nil : noRoom
        case .cancelled: "This event was canceled."
        case .over: "This event is over."
        case .begun: "This event has begun already."
        case .full: noRoom
        case .waiting: "Your children wait for a place already."
        case .addChild: "Add your children first."
        case .noneFits: "None of your children is of the age this event is for."
        case .wholeTerm: "Families register for all dates together here."
        case .sessions: "Families choose sessions here."
        case .join: "Everybody joins this event on its page."
        case .shut, .draw: window(at: now, for: reader).first
        case .allRegistered: "Your children are registered already."
        }
    }

    /// The message if there are fewer places than children.
    fileprivate var noRoom: Words {
        guard let left = event.placesLeft, left > 0 else { return "There is no place left. Nobody was registered." }
        return Words(
            "There is only {count} place left. Nobody was registered.",
            plural: "There are only {count} places left. Nobody was registered.", count: left)
    }
}
