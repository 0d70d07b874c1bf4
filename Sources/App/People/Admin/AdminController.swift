import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/admin`: looking after the site.
struct AdminController {
    let site: Site

    func index(_ context: StaffContext) async throws -> Response {
        let now = context.now
        let (desk, letters, lastStored, cluster) = try await site.readSlowly(at: now) { tx in
            (
                try Desk(in: tx), try Operations.Letters(in: tx), try Operations.lastStored(in: tx),
                try Operations.Cluster(in: tx)
            )
        }
        let due = context.member.twoStepBy.map { context.zone.words($0, \.shortName) }
        // Only admins can complete these steps.
        let steps = context.member.isAdmin ? desk.steps(of: site.town, hasLanguages: site.hasLanguages) : []
        return context.page(
            Templates.people.admin.desk(
                desk: desk, steps: steps, twoStepDue: due,
                troubles: context.member.isAdmin
                    ? site.troubles(letters, cluster, lastStored: lastStored, at: now) : []))
    }

    func people(_ context: StaffContext) async throws -> Response {
        let search = PeopleToLookAfter.Search(context.query)
        let found = try await site.readSlowly { db in try search.found(in: db) }
        return context.page(Templates.people.admin.people(page: PeopleToLookAfter(search, found), form: Submission()))
    }

    func person(_ context: StaffContext) async throws -> Response {
        context.page(
            Templates.people.admin.person(
                page: try await page(of: try account(context), for: context.member, context), form: Submission(),
                link: nil))
    }

    private func page(of person: Account, for staff: Visitor, _ context: some Context) async throws -> PersonPage {
        let (zone, reader) = (site.settings.zone, staff.account)
        return try await site.readSlowly(at: context.now) { tx in
            try PersonPage(person, for: reader, in: zone, tx: tx)
        }
    }

    // MARK: Decisions about a member

    /// Carries out a decision, or shows the page again if the reason is missing.
    ///
    /// - Parameter answer: The response, given the member's page.
    private func decide(
        _ verb: AuditEntry.Verb, _ context: some Context, by staff: Visitor,
        _ carryOut: @escaping PersonVerdict.CarryingOut, answer: (Account, Link) async throws -> Response
    ) async throws -> Response {
        let person = try account(context)
        let submission = context.submission(ReasonForm.self)
        guard let form = submission.value else {
            let page = try await page(of: person, for: staff, context)
            return context.again(Templates.people.admin.person(page: page, form: submission, link: nil))
        }
        let verdict = PersonVerdict(person: person, reason: form.reason, staff: staff)
        let there = Link.desk(of: person.id)
        try await context.decide(about: [.subject(.person(person.id))], at: there, unless: .init(verb: verb)) { tx in
            try carryOut(verdict, tx)
        }
        return try await answer(person, there)
    }

    /// Carries out a decision and redirects to the member's page.
    private func decide(
        _ verb: AuditEntry.Verb, _ context: some Context, by staff: Visitor, flash: Flash,
        _ carryOut: @escaping PersonVerdict.CarryingOut
    ) async throws -> Response {
        try await decide(verb, context, by: staff, carryOut) { _, there in
            context.redirect(to: there, flash: flash)
        }
    }

    func suspend(_ context: StaffContext) async throws -> Response {
        try await decide(.suspend, context, by: context.member, flash: .suspended) { try $0.suspend(in: $1) }
    }

    func restore(_ context: StaffContext) async throws -> Response {
        try await decide(.restore, context, by: context.member, flash: .restored) { try $0.restore(in: $1) }
    }

    func askRemoval(_ context: StaffContext) async throws -> Response {
        try await decide(.askRemoval, context, by: context.member, flash: .removalAsked) { try $0.askRemoval(in: $1) }
    }

    func undoRemoval(_ context: StaffContext) async throws -> Response {
        try await decide(.keepAccount, context, by: context.member, flash: .saved) { try $0.undoRemoval(in: $1) }
    }

    func agreeToRemoval(_ context: StaffContext) async throws -> Response {
        try await decide(.deleteAccount, context, by: context.member) {
            try $0.agreeToRemoval(in: $1)
        } answer: { _, _ in
            context.redirect(to: .adminPeople, flash: .accountRemoved)
        }
    }

    func makeResetLink(_ context: AdminContext) async throws -> Response {
        let token = Token()
        return try await decide(.resetLink, context, by: context.member) { verdict, tx in
            try verdict.makeResetLink(token, in: tx)
        } answer: { person, _ in
            // Shown only once, on this page; the database only has its hash.
            let link = site.settings.publicURL + Link.reset(token.text).string
            let page = try await page(of: person, for: context.member, context)
            return context.page(Templates.people.admin.person(page: page, form: Submission(), link: link))
        }
    }

    func endSessions(_ context: AdminContext) async throws -> Response {
        try await decide(.endSessions, context, by: context.member, flash: .devicesLoggedOut) {
            try $0.endSessions(in: $1)
        }
    }

    func sendConfirmation(_ context: AdminContext) async throws -> Response {
        let flash: Flash = site.settings.smtp == nil ? .letterKept : .letterSent
        return try await decide(.sendConfirmation, context, by: context.member, flash: flash) {
            try $0.sendConfirmation(in: $1)
        }
    }

    // MARK: Addresses

    /// `/admin/people/{id}/email`: sets another address for a member who can't receive mail at theirs, at their
    /// request.
    func address(_ context: AdminContext) throws -> Response {
        let person = try account(context)
        guard person.id != context.member.account else { return context.redirect(to: .email) }
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
        let there = Link.desk(of: person.id)
        do {
            try await context.decide(about: [.subject(.person(person.id))], at: there) { tx in
                try EmailChange.set(form.email.lowercased(), of: person, in: tx)
                try AuditEntry.record(
                    .setAddress, person.username, person.id.rawValue, reason: form.reason, by: admin.account, in: tx)
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

    /// Gives or removes a role.
    func giveRole(_ context: AdminContext) async throws -> Response {
        let person = try account(context)
        var submission = context.submission(RoleForm.self)
        let admin = context.member
        guard let form = try await site.opened(&submission, with: \.password, by: admin, context.visit) else {
            return context.again(role(of: person, submission, context))
        }
        let token = Token()
        do {
            let isNew = try await context.decide(
                about: [.subject(.person(person.id))], at: .desk(of: person.id)
            ) { tx in try Role.give(form.role, to: person, reason: form.reason, by: admin, token: token, in: tx) }
            let isOwn = person.id == admin.account
            var response = context.redirect(
                to: isOwn && !form.role.isStaff ? Link.start : .desk(of: person.id),
                flash: isNew ? .roleGiven : .saved)
            if isOwn, isNew { response.headers.append(Session.cookie(token, site.settings)) }
            return response
        } catch is Role.IsLastAdmin {
            submission.reject(\.role, "Nobody else could run the site then. Make somebody else an admin first.")
            return context.again(role(of: person, submission, context))
        }
    }

    private func role(of person: Account, _ form: Submission<RoleForm>, _ context: AdminContext) -> View<Frame> {
        Templates.people.admin.role(person: person, isOwn: person.id == context.member.account, form: form)
    }

    func events(_ context: StaffContext) throws -> Response {
        var filter = EventFilter(context.query, country: site.settings.country)
        filter.from = filter.from ?? context.townDay.advanced(by: -1)
        let page = try site.read(at: context.now) { tx in
            let found = try Event.search(filter, in: site.settings.zone, in: tx)
            return Page(found.cards, of: Event.pageSize, by: filter.position)
        }
        let here = Link.adminEvents.with("q", filter.words.nonEmpty)
        // Hidden events come after the first page.
        let lastHidden: Cursor<ID<Event>>? = context.after(.hidden)
        let hidden =
            filter.after == nil ? try site.read { db in try Event.hidden(after: lastHidden, in: db) } : nil
        return context.page(
            Templates.people.admin.events(
                words: filter.words, events: page.items,
                more: page.more(at: here), hidden: hidden?.items ?? [],
                moreHidden: hidden?.more(at: Link.adminEvents, .hidden),
                isHiddenOnly: lastHidden != nil))
    }

    func event(_ context: StaffContext) throws -> Response {
        context.page(try page(of: event(of: context), Submission()))
    }

    private func page(of event: Event, _ form: Submission<ReasonForm>) throws -> View<Frame> {
        let zone = site.settings.zone
        let (acts, families, cohosts, done) = try site.read { db in
            let cohosts = try event.isForEveryone ? Cohost.all(of: event.id, for: nil, withResting: true, in: db) : []
            return (
                try AuditEntry.on(event.id, in: db), try Registration.families(at: [event.id], in: db), cohosts,
                try event.host.isOrganization ? [] : TeamAct.all(of: event.host.id, in: db)
            )
        }
        return Templates.people.admin.event(
            event: event, families: families, cohosts: cohosts.compactMap(\.author),
            done: done, zone: zone,
            acts: acts.map { StaffLogRow($0, in: zone) }, form: form)
    }

    /// Hides an event from everybody.
    func hideEvent(_ context: StaffContext) async throws -> Response {
        let event = try event(of: context)
        let form = context.submission(ReasonForm.self)
        guard let reason = form.value?.reason else { return context.again(try page(of: event, form)) }
        let there = Link.desk(of: event.id)
        try await context.hide(.event(event.id), because: reason, at: there)
        return context.redirect(to: there, flash: .eventHidden)
    }

    /// Shows it again.
    func showEvent(_ context: StaffContext) async throws -> Response {
        let event = try event(of: context)
        let form = context.submission(ReasonForm.self)
        guard let reason = form.value?.reason else { return context.again(try page(of: event, form)) }
        let there = Link.desk(of: event.id)
        try await context.show(.event(event.id), because: reason, at: there)
        return context.redirect(to: there, flash: .eventShown)
    }

    /// The log, filtered by the search; with `as=csv` as a spreadsheet.
    func log(_ context: StaffContext) async throws -> Response {
        let search = StaffLogSearch(context.query)
        let after: Cursor<ID<AuditEntry>>? = context.after()
        let (zone, language) = (site.settings.zone, context.language)
        let isWhole = search.isEmpty && context.query["as"] != "csv"
        let (acts, staff) = try await site.readSlowly { db in
            (
                try AuditEntry.latest(isWhole ? 51 : StaffLog.most, after: after, in: db),
                try AuditEntry.everybody(in: db)
            )
        }
        let found = acts.filter { search.finds($0.act, in: zone, language) }
        if context.query["as"] == "csv" {
            return context.file(StaffLog.sheet(found.map(\.act), in: zone), name: "staff log")
        }
        let page = found.prefix(50)
        // Also skip the lines that were searched in vain.
        let last = found.count > 50 ? page.last?.id : acts.count == StaffLog.most ? acts.last?.id : nil
        return context.page(
            Templates.people.admin.log(
                log: StaffLog(
                    search: search, rows: page.map { StaffLogRow($0.act, in: zone) }, staff: staff,
                    more: last.map { search.link.after(Cursor($0)) }, zone: zone.identifier)))
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
