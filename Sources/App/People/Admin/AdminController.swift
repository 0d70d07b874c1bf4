import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/admin`: looking after the site.
struct AdminController {
    let site: Site

    func index(_ context: StaffContext) async throws -> Response {
        let now = context.now
        let (desk, letters, lastStored) = try await site.readSlowly { db in
            (try Desk(at: now, in: db), try Operations.Letters(in: db), try Operations.lastStored(in: db))
        }
        let due = context.member.twoStepBy.map { site.settings.zone.words($0, \.shortName) }
        // Admins do them; a moderator has other work.
        let steps = context.member.isAdmin ? desk.steps(of: site.town) : []
        return context.page(
            Templates.people.admin.desk(
                desk: desk, steps: steps, twoStepDue: due,
                troubles: context.member.isAdmin ? site.troubles(letters, lastStored: lastStored, at: now) : []))
    }

    func people(_ context: StaffContext) async throws -> Response {
        let search = PeopleToLookAfter.Search(context.query)
        let after = context.query["after"]
        let found = try await site.readSlowly { db in try search.found(after: after, in: db) }
        return context.page(
            Templates.people.admin.people(
                page: PeopleToLookAfter(search, found, isFirst: after == nil), form: Submission()))
    }

    func person(_ context: StaffContext) async throws -> Response {
        context.page(
            Templates.people.admin.person(
                page: try await page(of: try account(context), context), form: Submission(), link: nil))
    }

    private func page(of person: Account, _ context: StaffContext) async throws -> PersonPage {
        let now = context.now
        let zone = site.settings.zone
        let reader = context.member.account
        return try await site.readSlowly { db in try PersonPage(person, for: reader, at: now, in: zone, db: db) }
    }

    /// A reset link, a suspension or its end.
    func act(_ context: StaffContext) async throws -> Response {
        let person = try account(context)
        let submission = context.submission(ReasonForm.self)
        guard let form = submission.value else {
            let page = try await page(of: person, context)
            return context.again(Templates.people.admin.person(page: page, form: submission, link: nil))
        }
        let staff = context.member.account
        let now = context.now
        let token = Token()
        guard let verb = StaffAct.Verb(rawValue: form.act) else { throw Refusal.notFound }
        if verb == .suspend, person.id == staff { throw Refusal.notAllowed }
        // What opens an account, or shuts it for a moment, is for admins: a moderator could become one by it.
        let isForAdmins = [.resetLink, .endSessions, .sendConfirmation].contains(verb)
        if isForAdmins, !context.member.isAdmin { throw Refusal.notAllowed }
        let there = Link("/admin/people") / person.id
        try await context.decide(about: [.subject(.person(person.id))], at: there, unless: .init(verb: verb)) { db in
            switch verb {
            case .resetLink:
                try ResetLink.insert(token, for: person.id, at: now, in: db)
                try StaffAct.record(
                    verb, person.username, person.id.rawValue, reason: form.reason, by: staff, at: now, in: db)
            case .endSessions, .sendConfirmation:
                if verb == .endSessions {
                    try Session.endAll(of: person.id, but: context.member.session, in: db)
                    try PendingLogIn.endAll(of: person.id, in: db)
                } else {
                    guard person.needsProof else { throw Refusal.notFound }
                    try ConfirmLink.send(to: person.id, at: now, in: db)
                }
                try StaffAct.record(
                    verb, person.username, person.id.rawValue, reason: form.reason, by: staff, at: now, in: db)
            // Where somebody else did it meanwhile, their line is in the log.
            case .suspend:
                let ruling = Decision.Ruling(act: .suspend, reason: form.reason)
                try Decision.make(ruling, about: .person(person.id), by: staff, at: now, in: db)
            case .restore: try Decision.restore(person, reason: form.reason, by: staff, at: now, in: db)
            case .askRemoval:
                let ruling = Decision.Ruling(act: .delete, reason: form.reason)
                try Decision.make(ruling, about: .person(person.id), by: staff, at: now, in: db)
            case .keepAccount:
                guard let decision = try Removal.find(of: person.id, in: db) else { return }
                try Decision.undo(decision.id, reason: form.reason, by: staff, at: now, in: db)
            case .deleteAccount:
                try Removal.agree(to: person.id, reason: form.reason, by: staff, at: now, in: db)
            default: throw Refusal.notFound
            }
        }
        switch verb {
        case .resetLink:
            // Shown once, on this page only; the database knows no more than its hash.
            let link = site.settings.publicURL + (Link("/reset") / token.text).string
            let page = try await page(of: person, context)
            return context.page(Templates.people.admin.person(page: page, form: Submission(), link: link))
        case .suspend: return context.redirect(to: there, flash: .suspended)
        case .askRemoval: return context.redirect(to: there, flash: .removalAsked)
        case .keepAccount: return context.redirect(to: there, flash: .saved)
        case .deleteAccount: return context.redirect(to: Link("/admin/people"), flash: .accountRemoved)
        case .endSessions: return context.redirect(to: there, flash: .devicesLoggedOut)
        case .sendConfirmation:
            return context.redirect(to: there, flash: site.settings.smtp == nil ? .letterKept : .letterSent)
        default: return context.redirect(to: there, flash: .restored)
        }
    }

    // MARK: Addresses

    /// `/admin/people/{id}/email`: another address for somebody who can't read the letters to theirs, with their word.
    func address(_ context: AdminContext) throws -> Response {
        let person = try account(context)
        guard person.id != context.member.account else { return context.redirect(to: Link("/me/email")) }
        return context.page(Templates.people.admin.address(person: person, form: Submission()))
    }

    func setAddress(_ context: AdminContext) async throws -> Response {
        let person = try account(context)
        guard person.id != context.member.account else { throw Refusal.notAllowed }
        var submission = context.submission(AddressForm.self)
        let admin = context.member
        guard let form = try await site.opened(&submission, with: \.password, by: admin, context.visit) else {
            return context.again(Templates.people.admin.address(person: person, form: submission))
        }
        let (now, there) = (context.now, Link("/admin/people") / person.id)
        do {
            try await context.decide(about: [.subject(.person(person.id))], at: there) { db in
                try EmailChange.set(form.email.lowercased(), of: person, at: now, in: db)
                try StaffAct.record(
                    .setAddress, person.username, person.id.rawValue, reason: form.reason, by: admin.account, at: now,
                    in: db)
            }
        } catch let taken as Account.Taken {
            submission.reject(
                \.email, taken == .domain ? MailDomain.refused : "Somebody else has this address, or had it just now.")
            return context.again(Templates.people.admin.address(person: person, form: submission))
        }
        return context.redirect(to: there, flash: site.settings.smtp == nil ? .letterKept : .letterSent)
    }

    // MARK: Roles

    func role(_ context: AdminContext) throws -> Response {
        let person = try account(context)
        return context.page(role(of: person, Submission(filled: RoleForm(role: person.role)), context))
    }

    /// Gives somebody a role, or takes it.
    func giveRole(_ context: AdminContext) async throws -> Response {
        let person = try account(context)
        var submission = context.submission(RoleForm.self)
        let admin = context.member
        guard let form = try await site.opened(&submission, with: \.password, by: admin, context.visit) else {
            return context.again(role(of: person, submission, context))
        }
        let (now, token) = (context.now, Token())
        do {
            let isNew = try await context.decide(
                about: [.subject(.person(person.id))], at: Link("/admin/people") / person.id
            ) { db in
                try Role.give(form.role, to: person, reason: form.reason, by: admin, token: token, at: now, in: db)
            }
            let isOwn = person.id == admin.account
            var response = context.redirect(
                to: isOwn && !form.role.isStaff ? Link("/") : Link("/admin/people") / person.id,
                flash: isNew ? .roleGiven : .saved)
            if isOwn, isNew { response.headers.append(Session.cookie(token, site.settings)) }
            return response
        } catch is Role.IsLastAdmin {
            submission.reject(\.role, "Nobody else could run the site then. Make somebody else an admin first.")
            return context.again(role(of: person, submission, context))
        }
    }

    private func role(
        of person: Account, _ form: Submission<RoleForm>, _ context: AdminContext
    ) -> View<Frame> {
        Templates.people.admin.role(person: person, isOwn: person.id == context.member.account, form: form)
    }

    func events(_ context: StaffContext) throws -> Response {
        var filter = EventFilter(context.query, country: site.settings.country)
        filter.from = filter.from ?? context.townDay.advanced(by: -1)
        let page = try site.read { db in
            Page(try Event.search(filter, in: site.settings.zone, now: context.now, in: db), of: Event.pageSize)
        }
        let here = Link("/admin/events").with("q", filter.words.isEmpty ? nil : filter.words)
        // What is hidden stands below the first page.
        let lastHidden = context.query["hidden"].flatMap { ID<Event>($0) }
        let hidden =
            filter.after == nil ? try site.read { db in try Event.hidden(after: lastHidden, in: db) } : nil
        return context.page(
            Templates.people.admin.events(
                words: filter.words, events: page.items,
                more: page.end.map { here.with("after", EventFilter.Cursor($0, by: filter.order).text) },
                hidden: hidden?.items ?? [],
                moreHidden: hidden?.end.map { Link("/admin/events").with("hidden", $0.id) },
                isHiddenOnly: lastHidden != nil))
    }

    func event(_ context: StaffContext) throws -> Response {
        context.page(try page(of: event(of: context), Submission()))
    }

    private func page(of event: Event, _ form: Submission<ReasonForm>) throws -> View<Frame> {
        let zone = site.settings.zone
        let (acts, families) = try site.read { db in
            (try StaffAct.on(event.id, in: db), try Registration.families(at: [event.id], in: db))
        }
        return Templates.people.admin.event(
            event: event, families: families, acts: acts.map { StaffLogRow($0, in: zone) }, form: form)
    }

    /// Hides an event from everybody, or shows it again.
    func actOnEvent(_ context: StaffContext) async throws -> Response {
        let event = try event(of: context)
        let submission = context.submission(ReasonForm.self)
        guard let form = submission.value else {
            return context.again(try page(of: event, submission))
        }
        guard let verb = StaffAct.Verb(rawValue: form.act), verb == .hide || verb == .show else {
            throw Refusal.notFound
        }
        let staff = context.member.account
        let now = context.now
        try await context.decide(
            about: [.subject(.event(event.id))], at: Link("/admin/events") / event.id, unless: .init(verb: verb)
        ) { db in
            if verb == .hide {
                let ruling = Decision.Ruling(act: .hide, reason: form.reason)
                try Decision.make(ruling, about: .event(event.id), by: staff, at: now, in: db)
            } else {
                try Decision.show(.event(event.id), reason: form.reason, by: staff, at: now, in: db)
            }
        }
        return context.redirect(
            to: Link("/admin/events") / event.id, flash: verb == .hide ? .eventHidden : .eventShown)
    }

    /// The log, what is looked for in it, and with `as=csv` that for a spreadsheet.
    func log(_ context: StaffContext) async throws -> Response {
        let search = StaffLogSearch(context.query)
        let before = context.query["before"].flatMap { Int64($0) }
        let (zone, language) = (site.settings.zone, context.language)
        let isWhole = search.isEmpty && context.query["as"] != "csv"
        let (acts, staff) = try await site.readSlowly { db in
            (
                try StaffAct.latest(isWhole ? 51 : StaffLog.most, before: before, in: db),
                try StaffAct.everybody(in: db)
            )
        }
        let found = acts.filter { search.finds($0.act, in: zone, language) }
        if context.query["as"] == "csv" {
            return context.file(StaffLog.sheet(found.map(\.act), in: zone), name: "staff log")
        }
        let page = found.prefix(50)
        // What was looked through in vain is left behind, too.
        let last = found.count > 50 ? page.last?.id : acts.count == StaffLog.most ? acts.last?.id : nil
        return context.page(
            Templates.people.admin.log(
                log: StaffLog(
                    search: search, rows: page.map { StaffLogRow($0.act, in: zone) }, staff: staff,
                    more: last.map { search.link.with("before", $0) }, zone: zone.identifier)))
    }

    private func account(_ context: some Context) throws -> Account {
        let id: ID<Account> = try context.id()
        guard let account = try site.read({ db in try Account.find(id, in: db) }) else { throw Refusal.notFound }
        return account
    }

    private func event(of context: StaffContext) throws -> Event {
        let id: ID<Event> = try context.id()
        guard let event = try site.read({ db in try Event.find(id, in: db) }) else { throw Refusal.notFound }
        return event
    }
}
