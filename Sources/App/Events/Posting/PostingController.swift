import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// Posting events: new ones, drafts, changes, more dates, canceling.
struct PostingController {
    let site: Site

    func new(_ context: MemberContext) throws -> Response {
        var submission = Submission<EventForm>()
        var posting = Posting()
        let isStored = context.query["draft"] != nil || context.query["copy"] != nil
        let audience = context.audience(context.query["audience"])
        guard isStored || audience != nil else { return context.page(Templates.events.choose()) }
        if !isStored { submission.fill(\.audience, audience) }
        posting.plan = try site.read { db in try Plan.use(by: context.acting, in: context.townDay.year, db) }
        if let id = context.query["draft"].flatMap({ ID<Draft>($0) }) {
            let found = try site.read { db in
                try Draft.find(id, .event, of: context.acting, for: context.member.account, in: db)
            }
            guard let draft = found else { throw Refusal.notFound }
            submission = Submission(resuming: draft.form)
            posting.programme = ProgrammeRows(draft.form).withoutProblems
            posting.asks = AskRows(draft.form).withoutProblems
            posting.picture = try site.picture(of: submission.form) { try picture($0, context) }
        } else if let id = context.query["copy"].flatMap({ ID<Event>($0) }) {
            var event = try own(id, context)
            // An event hidden by staff can't be copied.
            guard !event.isHiddenByStaff else { return context.redirect(to: event.link) }
            posting.picture = event.picture
            let (pin, isElsewhere) = try site.read { db in
                event.programme = try Activity.all(of: id, in: db)
                event.asks = try Ask.all(of: event, in: db)
                let ofPlace = event.isInPerson ? try Gazetteer.zone(of: event.address, in: db) : nil
                return (try event.pin(in: db), event.venue.clock != ofPlace ?? site.settings.zone)
            }
            posting.programme = ProgrammeRows(event).copied
            posting.asks = AskRows(copying: event.asks)
            submission = try Submission(copying: event, pin: pin, isElsewhere: isElsewhere)
        } else if context.member.isProvider,
            let provider = try site.read({ db in try Provider.find(of: context.acting, in: db) })
        {
            // Most events are at the provider's address.
            submission.put(Place(address: provider.address))
        } else {
            let family = context.member.family
            let country = family?.country ?? site.settings.country
            submission.put(
                Place(address: Address(city: family?.city ?? "", zip: family?.zip ?? "", country: country)))
        }
        submission.sayLanguage(\.language, of: context.language)
        try context.mayAnnounce(submission.form.audience)
        return context.page(try form(context, submission, posting))
    }

    /// One form, four buttons: edit, preview, save as draft, publish.
    func create(_ context: MemberContext) async throws -> Response {
        var posting = Posting(search: PlaceSearch(context.body, with: EventForm.self))
        guard let audience = context.audience(context.body["audience"]) else {
            return context.again(Templates.events.choose())
        }
        try context.mayAnnounce(audience)
        var (submission, event) = try await checked(context, &posting, for: audience)
        if let form = try changed(context, submission, posting) { return form }
        if try isWrittenForOthers(context) {
            submission.reject(
                """
                This was written for an organization that you don’t act for now, so it isn’t published. If it is to be \
                your own event, look through it and publish it.
                """)
            return context.again(try form(context, submission, posting))
        }
        let isPictureFine = submission.input(named: EventForm.pictureFile).problem == nil
        if submission.step == .draft, isPictureFine { return try await keep(submission, context, posting) }
        posting.newer = try site.newer(
            than: context.kept(submission, posting), of: context.acting, for: context.member.account)
        guard submission.step == .publish, let event else { return try page(context, submission, event, posting) }
        let (once, draft) = (submission.once, context.kept(submission, posting))
        let (member, hasBrakes) = (context.member, site.hasBrakes)
        do {
            let outcome = try await site.write(at: context.now) { tx in
                let outcome = try Event.announce(event, once: once, draft: draft, hasBrakes: hasBrakes, in: tx)
                if case .new = outcome { try Colleague.authorize(.posted, event.title, by: member, in: tx) }
                return outcome
            }
            switch outcome {
            case .new(let id), .already(let id, isSame: true):
                return context.redirect(to: .event(id) / "published")
            case .already(let id, isSame: false):
                // The content becomes a separate event.
                let pairs =
                    (submission.hidden + posting.programme.hidden + posting.asks.hidden).filter { $0.name != "once" }
                    + context.body.all("host").prefix(1).map { ("host", $0) }
                return context.page(Templates.events.already(link: .event(id), pairs: pairs), status: .conflict)
            }
        } catch let full as Plan.IsFull {
            return try await refuse(full, context, submission, posting)
        }
    }

    func published(_ context: MemberContext) throws -> Response {
        let event = try own(context)
        let isWaiting = try site.read { db in try Matter.waits(.event(event.id), in: db) == .first }
        return context.page(Templates.events.published(event: event, isWaiting: isWaiting))
    }

    // MARK: Changing

    func edit(_ context: MemberContext) throws -> Response {
        var posting = try posting(context, alsoTogether: true)
        guard let event = posting.event else { throw Refusal.notFound }
        let pin = try site.read { db in try event.pin(in: db) }
        posting.programme = ProgrammeRows(event)
        posting.asks = AskRows(event.asks)
        return context.page(try form(context, Submission(changing: event, pin: pin), posting))
    }

    func update(_ context: MemberContext) async throws -> Response {
        var posting = try posting(context, alsoTogether: true)
        guard let stored = posting.event else { throw Refusal.notFound }
        var (submission, event) = try await checked(context, &posting, for: stored.audience)
        if let form = try changed(context, submission, posting) { return form }
        guard submission.step == .publish, var event else { return try page(context, submission, event, posting) }
        event.id = stored.id
        event.series = stored.series
        let scope = posting.scope(of: submission.form)
        let (member, sent) = (context.member, submission)
        let changed = event
        do {
            try await site.write(at: context.now) { tx in
                var stored = try Event.find(changed.id, of: changed.host.id, in: tx)
                try stored.readProgramme(in: tx)
                stored.asks = try Ask.all(of: stored, in: tx)
                try stored.requireSessions(as: changed, in: tx)
                let page = Submission(changing: stored, pin: try stored.pin(in: tx))
                let new = Submission(changing: changed, pin: try changed.pin(in: tx))
                let isNew = try sent.isChange(of: page, to: new)
                // A picture that a co-host uploaded becomes the host's, and stays if the co-host leaves.
                if let picture = changed.picture {
                    try Picture.give(picture.id, of: member.account, to: changed.host.id, in: tx)
                }
                if isNew { try Series.update(changed, scope, in: tx) }
                try Cohost.authorize(
                    .changed, changed.title, of: changed.host.id, at: changed.id, by: member, isNew: isNew, in: tx)
            }
            return context.redirect(to: stored.link, flash: .eventChanged)
        } catch let registered as Event.TooManyRegistered {
            submission.reject(\.spots, registered.words)
        } catch let fixed as Event.SessionsAreFixed {
            submission.reject(fixed.words)
        } catch let full as Plan.IsFull {
            submission.reject(\.date, full.words)
        } catch let impossible as Series.Impossible {
            submission.reject(impossible.isOfEnd ? \.endTime : \.startTime, impossible.words)
        } catch let keeps as Draw.KeepsPlaces {
            switch keeps {
            case _ where keeps.isTogether: submission.reject(keeps.words)
            case _ where keeps.isEarly: submission.reject(\.date, keeps.words)
            default: submission.reject(\.spots, keeps.words)
            }
        }
        return context.again(try form(context, submission, posting))
    }

    func copy(_ context: MemberContext) throws -> Response {
        let event = try repeated(context)
        var submission = Submission<CopyForm>()
        submission.fill(\.booking, event.booking)
        if event.isHiddenByStaff { submission.reject(Series.IsHidden().words) }
        return context.page(Templates.events.copy(event: event, form: submission, dates: DateList()))
    }

    /// More dates: first shown for editing, then published.
    func createCopies(_ context: MemberContext) async throws -> Response {
        var event = try repeated(context)
        var submission = context.submission(CopyForm.self)
        let dates = DateList(
            context.body.all("dates"), after: event, submission.form, today: context.today,
            home: site.settings.country)
        if let problem = dates.problem { submission.reject(problem) }
        if submission.step == .publish, submission.form.isOfOthers {
            submission.reject("The dates are filled in again from what you changed. Look at them, then publish them.")
        }
        // The next page shows the dates of the current rhythm, or those that somebody typed.
        if dates.isFilled || submission.form.filled == nil { submission.fill(\.filled, submission.form.filling) }
        guard submission.step == .publish, submission.isValid else {
            let view = Templates.events.copy(event: event, form: submission, dates: dates)
            return submission.problems.isEmpty ? context.page(view) : context.again(view)
        }
        let days = dates.days
        let member = context.member
        // An existing series is changed on its own form.
        if event.series == nil, !event.isForEveryone { event.admission.booking = submission.form.booking ?? .each }
        let copied = event
        do {
            try await site.write(at: context.now) { tx in
                let isNew = try Series.publish(copied, on: days, in: tx)
                try Colleague.authorize(.posted, copied.title, by: member, isNew: isNew, in: tx)
            }
            return context.redirect(to: .ownEvents, flash: .datesPublished)
        } catch let full as Plan.IsFull {
            submission.reject(full.words)
        } catch let impossible as Series.Impossible {
            submission.reject(impossible.words)
        } catch let keeps as Draw.KeepsPlaces {
            submission.reject(keeps.words)
        } catch let hidden as Series.IsHidden {
            submission.reject(hidden.words)
        }
        return context.again(Templates.events.copy(event: event, form: submission, dates: dates))
    }

    // MARK: Canceling

    func cancelForm(_ context: MemberContext) throws -> Response {
        let posting = try posting(context)
        let event = try posting.cancellable(at: context.now)
        return context.page(try cancelling(event, posting, Submission()))
    }

    func cancel(_ context: MemberContext) async throws -> Response {
        let posting = try posting(context)
        let event = try posting.cancellable(at: context.now)
        let submission = context.submission(CancelForm.self)
        guard let form = submission.value else {
            return context.again(try cancelling(event, posting, submission))
        }
        let (member, now) = (context.member, context.now)
        // A member restricted to reading can cancel their own, but without a message to others.
        let isLimited = context.member.limitedUntil.map { $0 > now } ?? false
        try await site.write(at: now) { tx in
            let isNew = try Event.find(event.id, in: tx)?.isCancelled == false
            try Series.cancel(event, form.scope ?? .one, reason: isLimited ? "" : form.reason, in: tx)
            try Colleague.authorize(.cancelled, event.title, by: member, isNew: isNew, in: tx)
        }
        return context.redirect(to: event.link, flash: .eventCancelled)
    }

    private func cancelling(_ event: Event, _ posting: Posting, _ form: Submission<CancelForm>) throws -> View<Frame> {
        let concerned = try site.read { db in try Registration.concerned(by: [event.id], in: db) }
        return Templates.events.cancel(event: event, concerned: concerned, posting: posting, form: form)
    }

    func delete(_ context: MemberContext) async throws -> Response {
        let event = try own(context)
        let (account, member) = (context.acting, context.member)
        try await site.write(at: context.now) { tx in
            try Undo.deleting(event.id, of: account, in: tx)
            try Colleague.authorize(.deleted, event.title, by: member, in: tx)
        }
        return context.redirect(to: .ownEvents)
    }

    func deleteDraft(_ context: MemberContext) async throws -> Response {
        let id: ID<Draft> = try context.id()
        let member = context.member
        let kind = try await site.write(at: context.now) { tx in
            try Colleague.require(.edit, of: member, for: member.acting, in: tx)
            guard let draft = try Draft.find(id, of: member.acting, for: member.account, in: tx) else {
                return Draft.Kind.event
            }
            try Undo.throwing(draft, of: member.acting, in: tx)
            return draft.kind
        }
        return context.redirect(to: kind.list)
    }

    /// Whether the form was drawn for a different host than the current one.
    private func isWrittenForOthers(_ context: MemberContext) throws -> Bool {
        guard let word = context.body["host"] else { return false }
        guard let host = ID<Account>(word) else { throw Refusal.malformed }
        return host != context.acting
    }

    // MARK: Shared

    /// The form again, if the button only changed a part of it: the rows of its program, or the place.
    private func changed(
        _ context: MemberContext, _ submission: Submission<EventForm>, _ posting: Posting
    ) throws -> Response? {
        guard ProgrammeRows.isChanged(by: context.body["step"]) || posting.search.isPressed else { return nil }
        var (submission, posting) = (submission.withoutProblems, posting)
        posting.programme = posting.programme.withoutProblems
        posting.asks = posting.asks.withoutProblems
        let (account, country) = (context.acting, site.settings.country)
        try site.read { db in try posting.search.choose(for: &submission, of: account, country: country, in: db) }
        return context.page(try form(context, submission, posting))
    }

    /// The form to draw, with places to choose from.
    private func form(
        _ context: MemberContext, _ submission: Submission<EventForm>, _ posting: Posting
    ) throws -> View<Frame> {
        var posting = posting
        let (account, country) = (context.acting, site.settings.country)
        try site.read { db in
            try posting.search.look(of: account, country: country, in: db)
            posting.corners = try submission.form.isForEveryone ? Place.corners(of: account, in: db) : []
        }
        posting.corners = posting.programme.places(beside: posting.corners)
        posting.host = account
        return Templates.events.new(form: submission, posting: posting)
    }

    /// The checked form, and the event it describes if there are no problems.
    private func checked(
        _ context: MemberContext, _ posting: inout Posting, for audience: Event.Audience
    ) async throws -> (Submission<EventForm>, Event?) {
        let body = try body(context, posting)
        var submission = Submission<EventForm>(body)
        submission.fill(\.audience, audience)
        if posting.event == nil { submission.sayLanguage(\.language, of: context.language) }
        let stored = posting.event
        posting.picture = try await site.takePicture(&submission, of: context.acting, at: context.now) { id in
            // The existing picture may belong to another host.
            try stored?.picture.flatMap { $0.id == id ? $0 : nil } ?? picture(id, context)
        }
        let owner = stored?.host.id ?? context.acting
        let (zone, host, asksForPrice) = try site.read { db in
            (
                try posting.event.flatMap { posting.keepsTimes ? $0.venue.clock : nil }
                    ?? submission.form.clock(
                        changing: posting.event, in: &submission, or: site.settings.zone, db: db),
                try Event.host(owner, in: db),
                try Plan.pricesAreRequired(in: db) || Plan.of(owner, in: db).asksForPrice
            )
        }
        guard let host else { throw Refusal.notFound }
        posting.zone = zone
        if let event = posting.event, posting.keepsTimes { submission.form.keepTimes(of: event, in: &submission) }
        let hasSessions = audience == .kids && !ProgrammeRows(body).rows.isEmpty
        submission.form.check(
            &submission, zone: zone, currency: site.currency, country: site.settings.country,
            asksForPrice: asksForPrice, hasSessions: hasSessions, keepsTimes: posting.keepsTimes, now: context.now)
        if let stored = posting.event {
            if !hasSessions, submission.form.limit.map({ $0 < stored.taken }) ?? false, submission.accepts(\.spots) {
                submission.reject(\.spots, Event.TooManyRegistered(count: stored.taken, day: stored.day).words)
            }
            submission.leavePin(at: stored.venue.address, stored.venue.coordinate)
        }
        try readProgramme(&submission, &posting, body, context, zone)
        if audience == .kids { readAsks(&submission, &posting, body, context.language) }
        guard let form = submission.value else { return (submission, nil) }
        var event = form.preview(by: host, zone: zone, currency: site.currency, country: site.settings.country)
        if let stored = posting.event {
            event.taken = stored.taken
            if posting.keepsTimes { event.takeTimes(of: stored) }
        }
        event.picture = posting.picture
        event.take(programme: posting.programme.rows.map { $0.form.activity(from: form.date, in: zone) })
        if audience == .kids { event.asks = posting.asks.asks }
        do {
            try site.read { db in
                try event.locate(in: db)
                try posting.event?.requireSessions(as: event, in: db)
            }
        } catch let fixed as Event.SessionsAreFixed {
            submission.reject(fixed.words)
            return (submission, nil)
        }
        return (submission, event)
    }

    /// The sent form, merged with stored data if the event is published, unless a button only draws the form again,
    /// which would lose the notes on conflicts.
    private func body(_ context: MemberContext, _ posting: Posting) throws -> FormBody {
        guard let stored = posting.event, !ProgrammeRows.isChanged(by: context.body["step"]), !posting.search.isPressed
        else { return context.body }
        let (host, reader) = (stored.host.id, context.member.account)
        let pin = try site.read { db in try stored.pin(in: db) }
        return try EventForm.sent(context.body, onto: stored.picture).merged(
            onto: Submission(changing: stored, pin: pin),
            by: try site.read { db in
                try TeamAct.last(.changed, stored.title, of: host, besides: reader, in: db)
            })
    }

    /// Reads the program, and adds its problems to the event's.
    private func readProgramme(
        _ submission: inout Submission<EventForm>, _ posting: inout Posting, _ body: FormBody,
        _ context: MemberContext, _ zone: Zone
    ) throws {
        let form = submission.form
        var programme = ProgrammeRows(body)
        let stored = posting.event?.programme ?? []
        if programme.pressed?.word == "at" {
            let used = try site.read { db in try Place.corners(of: context.acting, in: db) }
            programme.answer(programme.places(beside: used), first: nil)
        } else {
            programme.answer([], first: submission.accepts(\.date) ? form.date : nil)
        }
        if submission.accepts(\.date), submission.accepts(\.endDate) {
            if let from = form.programmeFrom {
                programme.follow(from: from, to: form.date, until: form.lastProgrammeDay, stored: stored)
            }
            submission.fill(\.programmeFrom, form.date)
            programme.check(form, stored: stored, zone: zone)
            if !form.isForEveryone { programme.checkSessions() }
        }
        posting.programme = programme
        submission.add(programme.namedProblems)
        if programme.isTooLong {
            submission.reject("An event has at most \(Activity.most, as: "most") activities.")
        }
    }

    /// Reads the questions, and adds their problems.
    private func readAsks(
        _ submission: inout Submission<EventForm>, _ posting: inout Posting, _ body: FormBody, _ language: Language
    ) {
        posting.asks = AskRows(body, in: language)
        posting.asks.check()
        submission.add(posting.asks.namedProblems)
        if posting.asks.isTooLong {
            submission.reject("An event asks at most \(Ask.most, as: "most") questions.")
        }
    }

    /// The form again, or the preview.
    private func page(
        _ context: MemberContext, _ submission: Submission<EventForm>, _ event: Event?, _ posting: Posting
    ) throws -> Response {
        if submission.step == .edit { return context.page(try form(context, submission, posting)) }
        guard let event else { return context.again(try form(context, submission, posting)) }
        let (preview, change) = try site.read(at: context.now) { tx in
            (
                try EventPage(preview: event, site.opening, at: tx.now).mapped(site.outlines, in: tx),
                try posting.event.map { stored in
                    let scope = posting.scope(of: submission.form)
                    let dates = [stored] + (try Series.others(of: stored, scope, in: tx))
                    var change = ChangePreview(
                        from: stored, to: event, try Registration.concerned(by: dates.map(\.id), in: tx))
                    if stored.asks?.isEmpty == false {
                        let counts = try Ask.counts(at: dates.map(\.id), in: tx)
                        change.asks = AskPreview(from: stored.asks ?? [], to: event.asks ?? [], counts: counts).lines
                    }
                    return change
                }
            )
        }
        var posting = posting
        posting.host = context.acting
        return context.page(
            Templates.events.preview(page: preview, form: submission, posting: posting, change: change))
    }

    private func picture(_ id: ID<Picture>, _ context: MemberContext) throws -> Picture? {
        try site.read(at: context.now) { tx in try Picture.find(id, for: context.member, in: tx) }
    }

    private func keep(
        _ submission: Submission<EventForm>, _ context: MemberContext, _ posting: Posting
    ) async throws -> Response {
        let kept = context.kept(submission, posting)
        // A draft may be incomplete.
        var (submission, posting) = (submission.unfinished(context.body), posting)
        posting.programme = posting.programme.withoutProblems
        posting.asks = posting.asks.withoutProblems
        guard !context.body.isRenewed else { return context.again(try form(context, submission, posting)) }
        let many = try await site.keep(kept, by: context.member, at: context.now)
        guard let many else { return context.redirect(to: Draft.Kind.event.list, flash: .draftKept) }
        submission.reject(many.words)
        return context.again(try form(context, submission, posting))
    }

    /// The plan has no room: saves the form as a draft, and says whether that worked.
    private func refuse(
        _ full: Plan.IsFull, _ context: MemberContext, _ submission: Submission<EventForm>, _ posting: Posting
    ) async throws -> Response {
        var (submission, posting) = (submission, posting)
        submission.reject(full.words)
        let kept = context.kept(submission, posting)
        let many = try await site.keep(kept, by: context.member, at: context.now)
        posting.isKept = many == nil
        if let many { submission.reject(many.words) }
        return context.again(try form(context, submission, posting))
    }

    private func own(_ context: MemberContext) throws -> Event {
        try own(context.id(), context)
    }

    /// An event that can get more dates; one with sessions has its dates in them.
    private func repeated(_ context: MemberContext) throws -> Event {
        let event = try own(context)
        guard !event.hasSessions else { throw Refusal.notFound }
        return event
    }

    /// - Parameter isTogether: Whether co-hosted events are included.
    private func own(_ id: ID<Event>, _ context: MemberContext, alsoTogether isTogether: Bool = false) throws -> Event {
        let event = try site.read { db in
            let host = try isTogether ? Cohost.acting(context.member, at: id, in: db) : context.acting
            return try Event.find(id, of: host, in: db)
        }
        try context.mayAnnounce(event.audience)
        return event
    }

    private func posting(_ context: MemberContext, alsoTogether isTogether: Bool = false) throws -> Posting {
        var event = try own(context.id(), context, alsoTogether: isTogether)
        let isOwn = event.host.id == context.acting
        return try site.read(at: context.now) { tx in
            try event.readProgramme(in: tx)
            event.asks = try Ask.all(of: event, in: tx)
            // A co-host changes only this date, and deletes nothing.
            return Posting(
                event: event, isTogether: !isOwn, dates: try isOwn ? Series.count(of: event, in: tx) : 1,
                isDeletable: try isOwn && Event.refusesDeleting(event, in: tx) == nil,
                keepsTimes: !event.isCancellable(at: tx.now), picture: event.picture,
                search: PlaceSearch(context.body, with: EventForm.self))
        }
    }
}

extension MemberContext {
    /// The audience from the form; by default children for a provider.
    fileprivate func audience(_ typed: String?) -> Event.Audience? {
        typed.flatMap { Event.Audience(rawValue: $0) } ?? (member.isProvider ? .kids : nil)
    }

    /// The form's content to save: for the organization they look after, or, under another hat, for themselves.
    fileprivate func kept(_ submission: Submission<EventForm>, _ posting: Posting) -> Draft.Content {
        var content = Draft.Content(submission, posting.programme, posting.asks)
        content.isOwn = !member.isProvider
        return content
    }

    /// Makes sure that the member may post events for this audience: only providers may for children.
    fileprivate func mayAnnounce(_ audience: Event.Audience?) throws(Refusal) {
        guard audience != .everyone else { return }
        guard member.provider != nil else { throw .noProfile(.provider) }
        guard member.isProvider else { throw .wrongHat(.provider) }
    }
}

/// The context of the form for an event: new or published.
struct Posting: Sendable {
    var event: Event?
    /// Whether a co-host is changing it.
    var isTogether = false
    /// The account that would publish it.
    var host = ID<Account>(0)
    /// The number of dates in its series, including this one.
    var dates = 1
    /// Whether it may be deleted.
    var isDeletable = false
    /// Whether day and times are fixed, because it has begun or was canceled: lists, calendars and plans depend on
    /// them. Everything else can be changed at any time.
    var keepsTimes = false
    /// Whether the form was saved as a draft.
    var isKept = false
    /// A colleague's newer version of the draft.
    var newer: Draft?
    /// The program, as typed.
    var programme = ProgrammeRows()
    /// The questions, as typed.
    var asks = AskRows()
    /// The picture in the form.
    var picture: Picture?
    var search = PlaceSearch()
    /// Places inside the event, for its activities.
    var corners: [Place] = []
    /// The event's zone.
    var zone: Zone?
    /// The plan's usage this year.
    var plan: Plan.Use?

    /// The stored event, if it may be deleted.
    var deletable: Event? { isDeletable ? event : nil }
    var isNew: Bool { event == nil }
    var isSeries: Bool { dates > 1 }

    /// Which dates a change is for.
    func scope(of form: EventForm) -> Series.Scope { isTogether ? .one : form.scope ?? .one }
    var action: Link { event.map { $0.link / "edit" } ?? Link.newEvent }
    var title: Words { event.map { .page("Change the event", about: $0.readersTitle) } ?? "Post an event" }

    /// The stored event, if it can still be canceled.
    func cancellable(at now: Instant) throws(Refusal) -> Event {
        guard let event else { throw .notFound }
        guard event.isCancellable(at: now) else { throw .tooLate }
        return event
    }
}

extension Event.TooManyRegistered {
    var words: Words {
        Words(
            "{count} place is taken on \(day.shortName, as: "day"): let there be at least as many.",
            plural: "{count} places are taken on \(day.shortName, as: "day"): let there be at least as many.",
            count: count)
    }
}

extension Series.IsHidden {
    fileprivate var words: Words {
        "The people who look after this site hid this event, so it can’t have more dates. Please ask them."
    }
}
