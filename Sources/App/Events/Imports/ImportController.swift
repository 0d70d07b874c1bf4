import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/me/imports`: an organization's external calendars, from which events are imported.
struct ImportController {
    let site: Site

    func index(_ context: ProviderContext) throws -> Response {
        let host = context.host
        let (organization, imports) = try site.read { db in
            (try Provider.find(of: host, in: db)?.organization ?? "", try CalendarImport.all(of: host, in: db))
        }
        let list = ImportList(
            organization: organization, imports: imports, zone: context.zone, mayRead: !site.town.calendarHosts.isEmpty)
        return context.page(Templates.events.imports.list(list: list))
    }

    func new(_ context: ProviderContext) throws -> Response {
        var submission = Submission<ImportForm>()
        let host = context.host
        if let provider = try site.read({ db in try Provider.find(of: host, in: db) }) {
            submission.fill(\.name, provider.organization)
            submission.put(Place(name: provider.organization, address: provider.address))
        }
        submission.sayLanguage(\.language, of: context.language)
        submission.fill(\.audience, .everyone)
        submission.fill(\.opens, ImportForm().opens)
        submission.fill(\.closes, ImportForm().closes)
        submission.fill(\.publishes, true)
        return context.page(try page(submission, isFile: isFile(context.query), nil, PlaceSearch(), context))
    }

    /// Reads the calendar, and redirects to the preview. Nothing is published yet.
    func create(_ context: ProviderContext) async throws -> Response {
        let isFile = isFile(context.body)
        var submission = context.submission(ImportForm.self)
        if let form = try placed(submission, isFile: isFile, nil, context) { return form }
        try check(&submission, isFile: isFile, of: context.host)
        let calendar = try await isFile ? read(&submission, context) : nil
        guard let form = submission.value else {
            return context.again(try page(submission, isFile: isFile, nil, search(context), context))
        }
        let (host, now, zone) = (context.host, context.now, site.settings.zone)
        let (member, once) = (context.member, submission.once)
        let id: ID<CalendarImport>
        do {
            id = try await site.carryOut(context.sent(submission), counting: nil, by: member.account, at: now) { tx in
                let added = try CalendarImport.add(
                    form.name, at: isFile ? "" : Town.calendarAddress(form.calendar ?? ""), form.kept,
                    once: once, by: host, in: zone, tx: tx)
                try Colleague.authorize(.added, form.name, by: member, isNew: added.isNew, in: tx)
                return (added.id, added.isNew)
            }
        } catch is CalendarImport.IsFull {
            submission.reject("There are \(CalendarImport.most, as: "count") calendars already. Remove one first.")
            return context.again(try page(submission, isFile: isFile, nil, search(context), context))
        }
        let item = try find(id, context)
        if let calendar {
            try await site.take(calendar, into: item, language: context.language, at: now)
        } else {
            try await fetch(item, context)
        }
        return context.redirect(to: item.link)
    }

    func show(_ context: ProviderContext) async throws -> Response {
        let item = try own(context)
        let (host, zone, now) = (item.host, site.settings.zone, context.now)
        let (entries, used) = try site.read { db in
            (try ImportEntry.all(of: item.id, in: db), try PlaceSearch.used(by: host, in: db).map(\.place))
        }
        // Thousands of texts are folded.
        var page = await CalendarThread.run { ImportPage(item, entries, beside: used, in: zone, at: now) }
        let years = page.freshByYear.keys.sorted()
        page.uses = try site.read { db in try years.map { try Plan.use(by: host, in: $0, db) } }
        return context.page(Templates.events.imports.show(page: page))
    }

    /// Publishes new and valid entries, updates changed ones, and cancels those that the calendar canceled.
    func publish(_ context: ProviderContext) async throws -> Response {
        let item = try own(context)
        let wanted = context.body.all("take").compactMap { ID<ImportEntry>($0) }
        let left = Set(context.body.all("offered").compactMap { ID<ImportEntry>($0) }).subtracting(wanted).sorted()
        let (member, now, reading) = (context.member, context.now, context.body["reading"])
        let isNoted = try await site.writeQuietly(at: now) { tx in
            // The user hasn't seen entries that were read since.
            guard try CalendarImport.find(item.id, of: item.host, in: tx).reading == reading else {
                throw Refusal.overtaken(item.link)
            }
            let count =
                try ImportEntry.leaveOut(left, true, of: item.id, in: tx)
                + ImportEntry.leaveOut(wanted, false, of: item.id, in: tx)
            let isFirst = try CalendarImport.notePress(
                item.id, publishes: ImportForm(kept: item.settings).publishes, in: tx)
            let isNew = count > 0 || isFirst
            try Colleague.authorize(.took, item.name, by: member, isNew: isNew, in: tx)
            return isNew
        }
        let outcome = try await site.publish(
            item, by: isNoted ? nil : member, language: context.language, at: now)
        guard let full = outcome.full else { return context.redirect(to: item.link, flash: .calendarPublished) }
        let entries = try site.read { db in try ImportEntry.all(of: item.id, in: db) }
        let waiting = entries.filter { $0.isReady(at: now) }.count
        return context.visit.errorPage(
            .conflict, "Not all of it is published", outcome.words(waiting: waiting, full),
            link: (item.link, "Back to the calendar"))
    }

    func edit(_ context: ProviderContext) throws -> Response {
        let item = try own(context)
        return context.page(
            try page(Submission(changing: form(of: item)), isFile: item.isFile, item, PlaceSearch(), context))
    }

    func update(_ context: ProviderContext) async throws -> Response {
        let item = try own(context)
        if let form = try placed(context.submission(), isFile: item.isFile, item, context) { return form }
        let (host, account) = (context.host, context.member.account)
        var submission = try context.submission(
            changing: form(of: item),
            by: try site.read { db in try TeamAct.last(.changed, item.name, of: host, besides: account, in: db) })
        try check(&submission, isFile: item.isFile, of: context.host)
        guard let form = submission.value else {
            return context.again(try page(submission, isFile: item.isFile, item, search(context), context))
        }
        let (member, now, sent) = (context.member, context.now, submission)
        let address = item.isFile ? "" : Town.calendarAddress(form.calendar ?? "")
        let zone = site.settings.zone
        try await site.write(at: now) { tx in
            let stored = try CalendarImport.find(item.id, of: host, in: tx)
            // One that was given up is read again.
            let isNew = try sent.isChange(of: Submission(changing: self.form(of: stored))) || stored.failed > 0
            try Colleague.authorize(.changed, item.name, by: member, isNew: isNew, in: tx)
            guard isNew else { return }
            try CalendarImport.change(
                item.id, form.name, at: address, form.kept, publishes: form.publishes, in: zone, tx: tx)
        }
        try await site.judge(item, language: context.language, at: now)
        return context.redirect(to: item.link, flash: .saved)
    }

    /// Reads it again from its address, or from a newer file.
    func read(_ context: ProviderContext) async throws -> Response {
        let item = try own(context)
        let (member, now) = (context.member, context.now)
        try await site.writeQuietly(at: now) { tx in
            try Colleague.authorize(.changed, item.name, by: member, isNew: false, in: tx)
        }
        guard item.isFile else {
            try await fetch(item, by: member, context)
            return context.redirect(to: item.link)
        }
        do {
            let calendar = try await calendar(context)
            try await site.take(calendar, into: item, language: context.language, by: member, at: now)
        } catch let failure as ImportFailure {
            return context.visit.errorPage(
                .unprocessableContent, "The file can’t be read", failure.words,
                link: (item.link, "Back to the calendar"))
        }
        return context.redirect(to: item.link)
    }

    /// Keeps an event that was removed from its calendar.
    func keep(_ context: ProviderContext) async throws -> Response {
        let item = try own(context)
        guard let entry = context.body["entry"].flatMap({ ID<ImportEntry>($0) }) else { throw Refusal.malformed }
        let member = context.member
        try await site.writeQuietly(at: context.now) { tx in
            let isNew = try ImportEntry.keep(entry, of: item.id, in: tx)
            try Colleague.authorize(.changed, item.name, by: member, isNew: isNew, in: tx)
        }
        return context.redirect(to: item.link, flash: .saved)
    }

    /// Confirms that many simultaneous removals are intended.
    func confirmGone(_ context: ProviderContext) async throws -> Response {
        let item = try own(context)
        let member = context.member
        try await site.writeQuietly(at: context.now) { tx in
            let isNew = try CalendarImport.confirmGone(item.id, in: tx)
            try Colleague.authorize(.changed, item.name, by: member, isNew: isNew, in: tx)
        }
        return context.redirect(to: item.link, flash: .saved)
    }

    /// Removes the calendar; its events stay.
    func remove(_ context: ProviderContext) async throws -> Response {
        let item = try own(context)
        let (host, member) = (context.host, context.member)
        try await site.write(at: context.now) { tx in
            let isNew = try CalendarImport.remove(item.id, of: host, in: tx)
            try Colleague.authorize(.deleted, item.name, by: member, isNew: isNew, in: tx)
        }
        return context.redirect(to: .imports, flash: .saved)
    }

    // MARK: Shared

    private func own(_ context: ProviderContext) throws -> CalendarImport {
        try find(try context.id(), context)
    }

    private func find(_ id: ID<CalendarImport>, _ context: ProviderContext) throws -> CalendarImport {
        let host = context.host
        return try site.read { db in try CalendarImport.find(id, of: host, in: db) }
    }

    private func isFile(_ body: FormBody) -> Bool { body["kind"] == "file" || site.town.calendarHosts.isEmpty }

    private func form(of item: CalendarImport) -> ImportForm {
        var form = ImportForm(kept: item.settings)
        form.name = item.name
        form.calendar = item.address.nonEmpty
        form.publishes = item.publishes ?? form.publishes
        return form
    }

    private func check(_ submission: inout Submission<ImportForm>, isFile: Bool, of host: ID<Account>) throws {
        submission.form.check(&submission, hosts: isFile ? nil : site.town.calendarHosts)
        if let price = submission.form.price, submission.accepts(\.price),
            let problem = Money.problem(
                with: price, currency: site.currency, in: site.settings.country, zero: .free)
        {
            submission.reject(\.price, problem)
        }
        // Otherwise each entry would be rejected for it.
        if submission.form.price == nil, submission.accepts(\.price),
            try site.read({ db in try Plan.asksForPrice(host, in: db) })
        {
            submission.reject(\.price, "State the price, and 0 for free.")
        }
    }

    /// The content of a form's file; nil if there is a problem, which is added to the form.
    private func read(
        _ submission: inout Submission<ImportForm>, _ context: ProviderContext
    ) async throws -> ImportedCalendar? {
        do {
            return try await calendar(context)
        } catch let failure as ImportFailure {
            submission.reject(named: ImportForm.file, failure.words)
            return nil
        }
    }

    /// - Throws: `ImportFailure`; `Refusal.tooMany`.
    private func calendar(_ context: ProviderContext) async throws -> ImportedCalendar {
        guard let file = context.body.file(ImportForm.file) else { throw ImportFailure(words: "Choose a file.") }
        guard !file.isTooLarge, file.bytes.count <= ImportedCalendar.mostBytes else {
            throw ImportFailure(words: ImportProblem.tooLarge.said)
        }
        try await limit(context)
        do throws(ImportProblem) {
            return try await ImportedCalendar.read(
                file.bytes, zone: site.settings.zone, country: site.settings.country, at: context.now)
        } catch {
            throw ImportFailure(words: error.said)
        }
    }

    /// Reads its address; its page shows any problem.
    ///
    /// - Parameter member: The member by whose name it is recorded, if it brings anything.
    private func fetch(_ item: CalendarImport, by member: Visitor? = nil, _ context: ProviderContext) async throws {
        try await limit(context)
        do {
            try await site.readCalendar(item, by: member, language: context.language, at: context.now)
        } catch let failure as ImportFailure {
            let problem = failure.words.text(in: context.language)
            try await site.writeQuietly { db in try CalendarImport.note(problem, of: item.id, in: db) }
        }
    }

    private func limit(_ context: ProviderContext) async throws {
        if let wait = try await site.take(Self.rule, by: context.host, at: context.now) {
            throw Refusal.tooMany(retryAfter: wait)
        }
    }

    /// The limit on reading an organization's calendars on demand, from files or addresses.
    private static let rule = RateRule(name: "calendars", count: 30, period: .hours(1))

    private func search(_ context: ProviderContext) -> PlaceSearch { PlaceSearch(context.body, with: ImportForm.self) }

    /// The form again, if a button searched for or chose a place.
    private func placed(
        _ form: Submission<ImportForm>, isFile: Bool, _ item: CalendarImport?, _ context: ProviderContext
    ) throws -> Response? {
        var search = search(context)
        guard search.isPressed else { return nil }
        var form = form.withoutProblems
        let (host, country) = (context.host, site.settings.country)
        try site.read { db in try search.choose(for: &form, of: host, country: country, in: db) }
        return context.page(try page(form, isFile: isFile, item, search, context))
    }

    private func page(
        _ form: Submission<ImportForm>, isFile: Bool, _ item: CalendarImport?, _ search: PlaceSearch,
        _ context: ProviderContext
    ) throws -> View<Frame> {
        var search = search
        let (host, country) = (context.host, form.form.country.nonEmpty ?? site.settings.country)
        try site.read { db in try search.look(of: host, country: country, in: db) }
        return Templates.events.imports.new(
            form: form, search: search, isFile: isFile, name: item?.name,
            action: item.map { $0.link / "settings" } ?? Link.imports / "new", back: item?.link ?? Link.imports)
    }
}
