import Database
import Forms
import Templating

extension ImportedCalendar {
    /// Parses an uploaded or fetched file: a calendar, otherwise a table.
    init(bytes: [UInt8], zone: Zone, country: String, at now: Instant) throws(ImportProblem) {
        let span = CalendarImport.span(at: now)
        let calendar: ImportedCalendar
        do throws(ImportProblem) {
            calendar = try ImportedCalendar(iCalendar: bytes, zone: zone, span: span)
        } catch {
            guard error == .notACalendar else { throw error }
            calendar = try ImportedCalendar(sheet: bytes, zone: zone, country: country, span: span)
        }
        self = calendar.joiningExhibitions(at: now, until: span.upperBound)
    }

    /// Whether it contains more than was read.
    fileprivate var isCut: Bool {
        problems.contains { if case .tooMany = $0 { true } else { false } }
    }

    /// The names of unreadable entries.
    fileprivate var unreadable: [String] {
        problems.compactMap { if case .unreadable(_, let entry, _) = $0 { entry } else { nil } }
    }
}

extension ImportProblem {
    /// The problem, for the user.
    var said: Words {
        switch self {
        case .notACalendar: "This is neither a calendar nor a table with a line of headings."
        case .tooLarge: "It is larger than 5 MB."
        case .tooMany(let limit): "It has more than \(limit, as: "limit") entries: the first were read."
        case .unreadable(let line, let entry, let why):
            if let entry, !entry.isEmpty {
                "“\(String(entry.prefix(120)), as: "title")”, line \(line, as: "line"): \(why.said, as: "reason")"
            } else {
                "Line \(line, as: "line"): \(why.said, as: "reason")"
            }
        }
    }
}

extension ImportProblem.Why {
    fileprivate var said: Words {
        switch self {
        case .noTitle: "it has no title"
        case .noStart: "it doesn’t say when it begins"
        case .badTime: "its day or time can’t be read"
        case .unknownZone(let name): "nobody knows the time zone “\(String(name.prefix(60)), as: "zone")”"
        case .badRule: "how it is repeated can’t be read"
        case .endsBeforeStart: "it ends before it starts"
        case .notPublic: "it is marked as private"
        }
    }
}

/// The result of publishing a calendar's entries.
struct ImportOutcome: Sendable {
    /// The events published now.
    var published: [ID<Event>] = []
    var changed = 0
    var calledOff = 0
    /// Why the rest must wait; nil if nothing does.
    var full: Plan.IsFull?

    /// Whether anything was done.
    var isDone: Bool { !published.isEmpty || changed > 0 || calledOff > 0 }

    /// The result, the number waiting for room in the plan, and what to do.
    func words(waiting: Int, _ full: Plan.IsFull) -> Words {
        let done = Words(
            "{count} event is published now.", plural: "{count} events are published now.", count: published.count)
        let rest = Words(
            "{count} waits for room in your plan.", plural: "{count} wait for room in your plan.", count: waiting)
        var said: Words = "\(done, as: "first") \(rest, as: "second")"
        if changed > 0 {
            let more = Words("{count} was changed.", plural: "{count} were changed.", count: changed)
            said = "\(said, as: "first") \(more, as: "second")"
        }
        if calledOff > 0 {
            let more = Words("{count} was called off.", plural: "{count} were called off.", count: calledOff)
            said = "\(said, as: "first") \(more, as: "second")"
        }
        let advice: Words = """
            Your plan has \(full.use.plan.events, as: "events") events a year. Leave some out, or ask the people who \
            look after this site for a larger plan.
            """
        return "\(said, as: "first") \(advice, as: "second")"
    }
}

/// What all entries of a calendar have in common when they become events.
private struct ImportDesk {
    let host: Event.Host
    let form: ImportForm
    let places: KnownPlaces
    let asksForPrice: Bool
    let newcomer: Newcomer?
    let settings: Settings
    let currency: String
    private let now: Instant
    private var zones: [Address: Zone] = [:]

    init(_ item: CalendarImport, _ site: Site, among places: KnownPlaces, in tx: Transaction) throws {
        guard let host = try Event.host(item.host, in: tx) else { throw Refusal.notFound }
        self.host = host
        form = ImportForm(kept: item.settings)
        self.places = places
        asksForPrice = try Plan.asksForPrice(item.host, in: tx)
        newcomer =
            site.hasBrakes
            ? try Account.createdAt(item.host, in: tx).flatMap { Newcomer(since: $0, at: tx.now) } : nil
        (settings, currency, self.now) = (site.settings, site.currency, tx.now)
    }

    /// The zone of a place.
    private mutating func zone(at address: Address, in db: Connection) throws -> Zone {
        if let known = zones[address] { return known }
        let zone = try Gazetteer.zone(of: address, in: db) ?? settings.zone
        zones[address] = zone
        return zone
    }

    /// The checked form for an entry, and its event if there are no problems.
    ///
    /// - Parameter stored: The existing event, whose edits by hand are kept.
    mutating func event(
        of entry: ImportEntry, changing stored: Event?, in db: Connection
    ) throws -> (form: Submission<EventForm>, event: Event?) {
        var place = form.place(of: entry.says, among: places)
        // If the address leads to the same point, no pin is needed.
        if let pin = place.coordinate, pin == (try Gazetteer.coordinate(of: place.address, in: db)) {
            place.coordinate = nil
        }
        // What takes place online goes by the town's clock.
        let isThere =
            ImportForm.onlineLink(entry.says.place) != nil || stored.map { $0.venue.address == place.address } ?? false
        let clock = try isThere ? stored?.venue.clock ?? settings.zone : self.zone(at: place.address, in: db)
        let new = form.event(saying: entry.says, at: place, in: clock, now: now)
        var pairs: [(name: String, value: String)]
        if let stored {
            pairs = ImportForm.following(
                EventForm(stored, pin: try stored.pin(in: db)), taken: Self.pairs(entry.fields), now: new)
        } else {
            pairs = Submission(filled: new).hidden.filter { $0.name != "once" }
        }
        pairs.removeAll { $0.name == "audience" }
        var body = try Draft.form(Draft.text(of: pairs))
        body.home = settings.country
        body.decimalPoint = { Country.point(of: $0) }
        if let newcomer { body = body.refused(newcomer.problems(in: body)) }
        var submission = Submission<EventForm>(body)
        submission.fill(\.audience, stored?.audience ?? form.audience)
        let zone = try submission.form.clock(changing: stored, in: &submission, or: settings.zone, db: db)
        submission.form.check(
            &submission, zone: zone, currency: currency, country: settings.country, asksForPrice: asksForPrice,
            hasSessions: stored?.hasSessions ?? false, now: now)
        guard let value = submission.value else { return (submission, nil) }
        var event = value.preview(by: host, zone: zone, currency: currency, country: settings.country)
        if let stored {
            (event.id, event.series, event.taken) = (stored.id, stored.series, stored.taken)
            // Values that the form doesn't show, or shows only with a program, stay.
            (event.picture, event.admission.spots) = (stored.picture, stored.admission.spots)
            event.admission.hasSessions = stored.hasSessions
            event.admission.takesLate = stored.takesLate
        }
        try event.locate(in: db)
        return (submission, event)
    }

    /// Publishes a new entry, once.
    ///
    /// - Returns: The event's ID; nil if there is a problem, which is recorded.
    /// - Throws: `Plan.IsFull`.
    mutating func publish(_ entry: ImportEntry, in language: Language, tx: Transaction) throws -> ID<Event>? {
        let (form, checked) = try self.event(of: entry, changing: nil, in: tx)
        guard let event = checked else {
            try ImportEntry.refuse(entry.id, form.reason(in: language), in: tx)
            return nil
        }
        let outcome = try Event.announce(
            event, once: "import-\(entry.id)", hasBrakes: settings.limitsRates, isTold: false, in: tx)
        let id =
            switch outcome {
            case .new(let id), .already(let id, isSame: _): id
            }
        guard let stored = try Event.find(id, in: tx) else { return id }
        let fields = ImportForm.fields(of: EventForm(stored, pin: try stored.pin(in: tx)))
        try ImportEntry.took(entry, id, Draft.text(of: fields), in: tx)
        return id
    }

    /// Updates the event of a changed entry, as an edit by its host.
    ///
    /// - Returns: Whether it was changed; problems are recorded.
    mutating func change(_ entry: ImportEntry, in language: Language, tx: Transaction) throws -> Bool {
        guard let id = entry.event, let stored = try Event.find(id, in: tx), stored.host.id == host.id else {
            return false
        }
        let (form, checked) = try self.event(of: entry, changing: stored, in: tx)
        guard var event = checked else {
            try ImportEntry.refuse(entry.id, form.reason(in: language), in: tx)
            return false
        }
        // Its program has times that the calendar doesn't know.
        if try !Activity.all(of: id, in: tx).isEmpty { event.takeTimes(of: stored) }
        let before = EventForm(stored, pin: try stored.pin(in: tx))
        if !stored.hasSameContent(as: event) {
            do {
                try Series.update(event, .one, in: tx)
            } catch {
                guard let words = Self.words(of: error) else { throw error }
                try ImportEntry.refuse(entry.id, words.text(in: language), in: tx)
                return false
            }
        }
        guard let changed = try Event.find(id, in: tx) else { return false }
        let fields = ImportForm.taken(
            before: Self.pairs(entry.fields), before, now: EventForm(changed, pin: try changed.pin(in: tx)))
        try ImportEntry.took(entry, id, Draft.text(of: fields), in: tx)
        return true
    }

    /// Why an event can't be changed that way, which doesn't stop the others; nil for an unexpected error.
    private static func words(of error: any Error) -> Words? {
        switch error {
        case let full as Plan.IsFull: full.words
        case let registered as Event.TooManyRegistered: registered.words
        case let impossible as Series.Impossible: impossible.words
        case let keeps as Draw.KeepsPlaces: keeps.words
        default: nil
        }
    }

    private static func pairs(_ kept: String) -> [(name: String, value: String)] {
        (try? Draft.form(kept))?.entries ?? []
    }
}

extension Submission {
    /// The problems as one text.
    fileprivate func reason(in language: Language) -> String {
        problems.prefix(3).map { $0.words.text(in: language) }.joined(separator: " ")
    }
}

extension Site {
    /// Stores a calendar's current entries and their problems. Nothing is published yet; entries missing long enough
    /// are canceled.
    ///
    /// - Parameters:
    ///   - isNight: Whether it is a scheduled reading, which counts toward missing entries. Files are only read on
    ///     demand.
    ///   - member: The member who asked for it, by whose name it is recorded if it brings anything.
    func take(
        _ calendar: ImportedCalendar, into item: CalendarImport, validators: String = "", language: Language,
        isNight: Bool = false, by member: Visitor? = nil, at now: Instant
    ) async throws {
        let today = settings.zone.day(of: now)
        let unreadable = calendar.problems.prefix(200).map { $0.said.text(in: language) }.joined(separator: "\n")
        // Folded in advance, so that no writer waits for it.
        let before = try await readSlowly { db in try ImportEntry.all(of: item.id, in: db) }
        let texts = await CalendarThread.run { FoldedTexts(before, calendar.entries) }
        let off = try await write(at: now) { tx -> [ID<ImportEntry>] in
            // Read again, because it may have changed since it was requested.
            let item = try CalendarImport.find(item.id, of: item.host, in: tx)
            let known = try ImportEntry.all(of: item.id, in: tx)
            let plan = ImportPlan(
                known, reading: calendar.entries, unreadable: calendar.unreadable, isCut: calendar.isCut,
                isBelieved: item.isBelieved || item.isFile, isNight: isNight, folding: texts, at: tx.now)
            let (warned, off) = try ImportEntry.carryOut(plan, of: item.id, in: tx)
            if let member {
                try Colleague.authorize(.changed, item.name, by: member, isNew: plan.isAnything, in: tx)
            }
            try ImportEntry.note(plan, unreadable, validators: validators, of: item, on: today, in: tx)
            let readers = CalendarImport.readers(at: item.host)
            if plan.isSuspicious, item.suspectedOn == nil {
                try ImportNews(.suspicious, item.id, item.name).tell(readers, in: tx)
            }
            let titles = Dictionary(known.map { ($0.id, $0.says.title) }, uniquingKeysWith: { first, _ in first })
            if let news = ImportNews.gone(warned.map { titles[$0] ?? item.name }, from: item) {
                try news.tell(readers, in: tx)
            }
            return off
        }
        for start in stride(from: 0, to: off.count, by: CalendarImport.batch) {
            let portion = off[start..<min(start + CalendarImport.batch, off.count)]
            try await write(at: now) { tx in
                for id in portion {
                    // Somebody may have kept it meanwhile.
                    guard let entry = try ImportEntry.find(id, of: item.id, in: tx), entry.isGone(at: tx.now) else {
                        continue
                    }
                    try entry.callOff(in: tx)
                }
                try ImportEntry.settleGone(of: item.id, in: tx)
            }
        }
        try await judge(item, language: language, at: now)
    }

    /// Records the problems of waiting entries, as found by the form.
    func judge(_ item: CalendarImport, language: Language, at now: Instant) async throws {
        let verdicts = try await readSlowly(at: now) { tx in
            let item = try CalendarImport.find(item.id, of: item.host, in: tx)
            let places = try ImportForm(kept: item.settings).places(of: item.host, in: tx)
            var desk = try ImportDesk(item, self, among: places, in: tx)
            var verdicts: [(id: ID<ImportEntry>, reason: String)] = []
            for entry in try ImportEntry.all(of: item.id, in: tx)
            where entry.isNew(at: tx.now) || entry.isChanged(at: tx.now) {
                let stored = try entry.event.flatMap { try Event.find($0, in: tx) }
                let (form, event) = try desk.event(of: entry, changing: stored, in: tx)
                let reason = event == nil ? form.reason(in: language) : ""
                if reason != entry.refused { verdicts.append((entry.id, reason)) }
            }
            return verdicts
        }
        guard !verdicts.isEmpty else { return }
        try await writeQuietly { db in
            for (id, reason) in verdicts { try ImportEntry.refuse(id, reason, in: db) }
        }
    }

    /// Publishes new entries, updates changed ones, and cancels those that the calendar canceled, in several
    /// transactions, each of which stays done. Followers are notified once.
    ///
    /// - Parameters:
    ///   - isNewWanted: Whether to publish new entries.
    ///   - member: The member by whose name it is recorded, in the first transaction that does anything; nil if it
    ///     is recorded already.
    func publish(
        _ item: CalendarImport, newOnes isNewWanted: Bool = true, by member: Visitor? = nil, language: Language,
        at now: Instant
    ) async throws -> ImportOutcome {
        // Places are folded in advance, so that no writer waits for it.
        let (entries, places) = try await readSlowly { db in
            let places = try ImportForm(kept: item.settings).places(of: item.host, in: db)
            return (try ImportEntry.all(of: item.id, in: db), places)
        }
        let work = entries.filter {
            isNewWanted && $0.isNew(at: now) || $0.isChanged(at: now) || $0.isToCallOff(at: now)
        }
        // If the plan has no room for new entries, the rest is done nevertheless.
        .sorted { !$0.isNew(at: now) && $1.isNew(at: now) }.map(\.id)
        var outcome = ImportOutcome()
        for start in stride(from: 0, to: work.count, by: CalendarImport.batch) {
            let portion = Array(work[start..<min(start + CalendarImport.batch, work.count)])
            let doer = outcome.isDone ? nil : member
            let part = try await write(at: now) { tx in
                let part = try self.carryOut(portion, of: item, among: places, language: language, in: tx)
                if let doer, part.isDone { try Colleague.authorize(.took, item.name, by: doer, in: tx) }
                return part
            }
            outcome.published += part.published
            outcome.changed += part.changed
            outcome.calledOff += part.calledOff
            outcome.full = part.full ?? outcome.full
            if part.full != nil { break }
        }
        let published = outcome.published
        if !published.isEmpty {
            try await write(at: now) { tx in try FollowNews.tell(ofAll: published, in: tx) }
        }
        return outcome
    }

    private func carryOut(
        _ portion: [ID<ImportEntry>], of item: CalendarImport, among places: KnownPlaces, language: Language,
        in tx: Transaction
    ) throws -> ImportOutcome {
        var outcome = ImportOutcome()
        var desk = try ImportDesk(item, self, among: places, in: tx)
        for id in portion {
            // Read again, because somebody else may have pressed the button, too.
            guard let entry = try ImportEntry.find(id, of: item.id, in: tx) else { continue }
            if entry.isNew(at: tx.now) {
                do {
                    if let event = try desk.publish(entry, in: language, tx: tx) { outcome.published.append(event) }
                } catch let full as Plan.IsFull {
                    outcome.full = full
                    return outcome
                }
            } else if entry.isChanged(at: tx.now) {
                if try desk.change(entry, in: language, tx: tx) { outcome.changed += 1 }
            } else if entry.isToCallOff(at: tx.now) {
                if try entry.callOff(in: tx) { outcome.calledOff += 1 }
            }
        }
        return outcome
    }
}

extension ImportEntry {
    /// Cancels its event, as its host would.
    @discardableResult fileprivate func callOff(in tx: Transaction) throws -> Bool {
        guard let id = event, let stored = try Event.find(id, in: tx), stored.isCancellable(at: tx.now) else {
            return false
        }
        try Event.cancel(stored, reason: "", in: tx)
        // If it appears in the calendar again, it counts as new.
        try Self.remove(self.id, in: tx)
        return true
    }
}
