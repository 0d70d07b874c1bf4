import Database

extension EventPage {
    /// An event's page for this visitor, with what registering needs.
    ///
    /// - Throws: `Refusal.notFound`.
    init(_ id: ID<Event>, for visitor: Visitor?, in tx: Transaction) throws {
        guard var event = try Event.find(id, in: tx) else { throw Refusal.notFound }
        var isCohost = false
        if let visitor, event.isForEveryone, visitor.acting != event.host.id {
            isCohost = try Cohost.host(of: id, with: visitor.account, in: tx) != nil
        }
        let isOwn = visitor?.acting == event.host.id || isCohost
        // A hidden event is visible only to its provider and staff.
        guard !event.isHidden || isOwn || visitor?.isStaff == true else { throw Refusal.notFound }
        let queue = event.isOpen(at: tx.now) ? try Registration.Queue(for: id, in: tx) : nil
        event.taken -= queue?.free ?? 0
        var children: [ChildChoice] = []
        var registrations: [ID<Registration>] = []
        var waiting: ID<Registration>?
        if let visitor, event.isForEveryone {
            registrations = try Set([visitor.account, visitor.head]).flatMap {
                try Registration.confirmed(of: $0, at: id, in: tx)
            }
        } else if let visitor, let family = visitor.family {
            let booked = try Registration.children(of: visitor.head, at: id, in: tx)
            // Parties with something to answer come first.
            waiting =
                booked.values.filter { $0.state != .confirmed }
                .min { ($0.state == .waiting ? 1 : 0, $0.party) < ($1.state == .waiting ? 1 : 0, $1.party) }?.party
            registrations = try Registration.confirmed(of: visitor.head, at: id, in: tx)
            children = try Child.all(of: family.id, in: tx).map { child in
                ChildChoice(child, at: event, state: booked[child.id]?.state)
            }
        }
        let openDates =
            try event.isForEveryone
            ? 0 : event.series.map { try Series.countOpen($0, in: tx) } ?? 0
        let zip = visitor?.family?.zip
        self.init(
            event: event,
            decision: Self.decision(
                on: event, by: visitor, children: children, isOwn: isOwn, openDates: openDates, zip: zip, at: tx.now),
            children: children, registrations: registrations, isOwn: isOwn)
        self.isCohost = isCohost
        self.openDates = openDates
        self.waiting = waiting
        if event.isOpen(at: tx.now) {
            (tellsWindow, windowZIP) = (true, isOwn ? nil : zip)
        }
        if event.isOpen(at: tx.now), !event.isForEveryone, event.isDrawn, let draw = try Draw.pending(at: id, in: tx) {
            self.draw = draw
            if [.register, .wait, .shut, .noneFits].contains(decision) { decision = .draw }
            takesWishes = draw.phase(at: tx.now) == .open
            if let visitor, visitor.family != nil { hasWished = try draw.code(of: visitor.head, in: tx) != nil }
        }
        tellsRoom = event.tellsRoom(at: tx.now) || [.register, .wait, .wholeTerm, .sessions].contains(decision)
        if canRegister { holdsPlaces = try Hold.isOn(at: id, in: tx) }
        if let visitor, event.isAsking { try ask(visitor, in: tx) }
        offer = try waiting.flatMap { try Registration.offer(to: $0, in: tx) }
        waitingParties = queue?.parties ?? 0
    }

    /// Loads the rest of what is drawn.
    ///
    /// - Parameters:
    ///   - opening: If programs are switched off, there is none.
    ///   - filter: The filter for its program.
    ///   - questionsAfter: The position in its list of questions.
    ///   - plans: The visitor's plans around that time.
    mutating func complete(
        for visitor: Visitor?, _ opening: Opening, programme filter: ProgrammeFilter,
        questionsAfter: Cursor<ID<Question>>?, beside plans: [TimeSlot], in tx: Transaction
    ) throws {
        let id = event.id
        let aside = try Aside(of: id, in: tx)
        calendarReadAt = aside.calendarReadAt
        if let series = event.series, event.booking == .together, !event.isForEveryone {
            together = try Series.open(series, in: tx).map(\.day)
        }
        if decision == .wholeTerm, let visitor, !event.isHidden { term = try Term(id, for: visitor, in: tx) }
        if let visitor, event.isForEveryone {
            going = try Going(event, of: visitor.account, in: tx)
            let hasList = try event.hasList(in: tx)
            takesCohosts = isOwn && !hasList && (isCohost || event.host.id == visitor.account)
            if !hasList { cohosts = try Cohost.all(of: id, for: visitor.account, in: tx).compactMap(\.author) }
            if !isOwn { shown = try Comer.Choice(of: visitor.account, at: event, in: tx) }
        }
        if let visitor, !event.host.isOrganization {
            hostPage = try Person.find(event.host.username, for: visitor.account, in: tx)?.link
        }
        if let visitor, !isOwn { isSaved = try Favorite.event(id).savedState(for: visitor.account, in: tx) }
        clashes = Clash.advice(for: TimeSlot(event, Set(candidates)), beside: plans)
        if event.hasSessions || opening.has(.programs) {
            programme = try Programme(of: event, for: visitor?.account, filter: filter, plans: plans, in: tx)
        }
        if event.hasSessions, isOwn { waitingParties = try Activity.countWaiting(at: id, in: tx) }
        hasStarted = event.hasStarted(at: tx.now)
        isOver = event.isOver(at: tx.now)
        isCancellable = event.isCancellable(at: tx.now)
        if let visitor, !registrations.isEmpty {
            changes = try Change.unseen(byFamilyOf: visitor.account, head: visitor.head, of: id, in: tx)
        }
        if let visitor, !registrations.isEmpty || waiting != nil {
            isTold = try Announcement.reached(visitor.account, about: id, in: tx)
        }
        if decision == .ownEvent {
            receipt = try Receipt(of: event, in: tx)
            isDeletable = try !isCohost && event.isCancelled && Event.refusesDeleting(event, in: tx) == nil
        }
        if event.isCancelled || (!registrations.isEmpty && isNear(tx.now)) {
            contact = try Provider.find(of: event.host.id, in: tx)
        }
        isWaiting = try event.isHiddenByStaff && Matter.waits(.event(id), in: tx) == .first
        if event.isHiddenByStaff, !isWaiting {
            hiddenReason = try AuditEntry.reasons(forHiding: [id], in: tx)[id]?.words
        }
        if aside.hasQuestions {
            let asked = try Question.all(of: event, for: visitor, asHost: isCohost, after: questionsAfter, in: tx)
            questions = asked.items
            earlierQuestions = asked.more(at: .questions(id))
        }
        self.questionsAfter = questionsAfter
        if let visitor, questions.contains(where: \.isPrivate) {
            for thread in try TalkThread.all(at: id, of: visitor.account, in: tx) {
                if case .question(let question, _) = thread.about { threads[question] = thread }
            }
        }
        let mayAsk = event.isForEveryone ? visitor != nil : visitor?.family != nil
        canAsk = mayAsk && !isOwn && !event.isCancelled && !isOver
        if let series = event.series { otherDates = try Series.next(of: series, but: id, in: tx) }
    }
}

extension EventPage {
    /// What few events have, asked in one statement.
    private struct Aside {
        /// When the calendar that it comes from was last read; nil if there is none.
        let calendarReadAt: Instant?
        /// Whether anybody asked anything about it.
        let hasQuestions: Bool

        init(of event: ID<Event>, in db: Connection) throws {
            let found: (Instant?, Bool)? = try db.first(
                """
                SELECT (SELECT calendar_import.read_at FROM import_entry
                    JOIN calendar_import ON calendar_import.id = import_entry.import_id
                    WHERE import_entry.event_id = \(event)),
                    EXISTS (SELECT 1 FROM question WHERE question.event_id = \(event))
                """
            ) { (try $0.next(), try $0.next()) }
            (calendarReadAt, hasQuestions) = found ?? (nil, false)
        }
    }

    /// Loads the event's questions, for a family that can register, and for its host and staff, who may view them.
    private mutating func ask(_ visitor: Visitor, in tx: Transaction) throws {
        guard isOwn || visitor.isStaff || canRegister else { return }
        asks = try Ask.all(of: event, in: tx)
        guard canRegister, !asks.isEmpty else { return }
        let answered = hasPlaces ? try Reply.answered(asks, of: visitor.head, at: event.id, in: tx) : []
        sheet = AnswerSheet(
            AnswerSheet.items(
                asks, at: event.id, children: children.filter(\.isFree).map { ($0.id, $0.name) }, answered: answered),
            endingAt: event.endsAt, in: event.clock)
    }
}
