import Database

extension Camp {
    /// An event's sessions, for a family.
    ///
    /// - Parameter reader: The reader's zone, by which it says when registration opens; the venue's if nobody reads it.
    /// - Throws: `Refusal.notFound` if it isn't visible, or has no sessions.
    init(_ id: ID<Event>, for member: Visitor, reading reader: Zone? = nil, in tx: Transaction) throws {
        guard let event = try Event.find(id, in: tx), !event.isHidden, event.hasSessions, let family = member.family
        else { throw Refusal.notFound }
        let children = try Child.all(of: family.id, in: tx)
        let places = try Activity.present(of: member.account, at: id, in: tx)
        let turns = try Activity.waiting(of: member.account, at: id, in: tx)
        let queues = try Activity.queues(at: id, in: tx)
        let sessions = try Activity.all(of: id, in: tx).map { activity in
            var held: [ID<Child>: Held] = [:]
            for child in (turns[activity.id] ?? []).compactMap(\.child) { held[child] = .turn }
            for child in (places[activity.id] ?? []).compactMap(\.child) { held[child] = .place }
            return Session(activity: activity, queue: queues[activity.id] ?? 0, held: held)
        }
        let shut = Self.shut(event, zip: family.zip, at: tx.now, for: reader ?? event.clock)
        self.init(event: event, sessions: sessions, children: children, shut: shut, now: tx.now)
        if !turns.isEmpty {
            let queue = try Registration.parties(of: member.head, at: id, in: tx).first { $0.state == .queued }
            waiting = queue?.id
            answers = try queue.flatMap { try Registration.find($0.id, of: member.head, in: tx) }
                .flatMap { try FamilyAnswers($0, in: tx) }
        }
        guard event.isAsking else { return }
        let asks = try Ask.all(of: event, in: tx)
        guard !asks.isEmpty else { return }
        let answered = hasSome ? try Reply.answered(asks, of: member.head, at: id, in: tx) : []
        let fresh = children.filter { isOpen(for: $0) && !isKnown($0.id) }
        sheet = AnswerSheet(
            AnswerSheet.items(asks, at: id, children: fresh.map { ($0.id, $0.name) }, answered: answered),
            endingAt: event.endsAt, in: event.clock)
    }

    /// Registers the children for the sessions, in one transaction: either all, or those with room, with places on the
    /// waiting lists for the rest. The family and the host are notified once.
    ///
    /// - Parameter member: The registering parent.
    /// - Throws: `Full` if a session has fewer places than needed and nobody is willing to wait; then the transaction
    ///   must be rolled back. `Event.NoRoom` if registration is closed for this family.
    func register(_ form: CampForm, by member: Visitor, in tx: Transaction) throws -> Outcome {
        try Window.check(event.id, for: member.head, sessions: true, in: tx)
        // People on the waiting lists come first.
        try Activity.offerFreedPlaces(Activity.waitedFor(at: event.id, in: tx), in: tx)
        let stored = Dictionary(uniqueKeysWithValues: try Activity.all(of: event.id, in: tx).map { ($0.id, $0) })
        let wishes = wishes(form).map { session, children in
            (activity: stored[session.id] ?? session.activity, children: children)
        }
        if form.manner != .fits {
            let full = wishes.filter { wish in wish.activity.placesLeft.map { $0 < wish.children.count } ?? false }
            guard full.isEmpty else { throw Full(sessions: full.map { ($0.activity, $0.children.count) }) }
        }
        var seated: Set<ID<Child>> = []
        for (activity, children) in wishes {
            let room = activity.placesLeft ?? children.count
            let (first, rest) = (children.prefix(room), children.dropFirst(room))
            try Activity.enter(first.map(Attendee.child), of: member.account, in: activity.id, of: event.id, tx: tx)
            seated.formUnion(first)
            if !rest.isEmpty {
                try Activity.wait(rest.map(Attendee.child), of: member.account, for: activity.id, of: event.id, tx: tx)
            }
        }
        let named = children(in: form)
        if let sheet {
            try Reply.store(
                sheet.entries(at: event.id, for: named), of: member.head, by: member.account, at: event.id, in: tx)
        } else if event.isAsking {
            try Reply.share(of: member.head, at: event.id, in: tx)
        }
        let parties = try Registration.parties(of: member.head, at: event.id, in: tx)
        if form.sharesNotes { for party in parties { try CareNote.share(party.id, in: tx) } }
        guard !seated.isEmpty, let party = parties.first(where: { $0.state == .confirmed })?.id else {
            return .waiting
        }
        try Registration.tell(of: party, by: member.head, at: event.id, in: tx)
        return .registered(party)
    }

    /// The result of a form that was sent before.
    static func outcome(of account: ID<Account>, at event: ID<Event>, in db: Connection) throws -> Outcome {
        try Registration.confirmed(of: account, at: event, in: db).first.map(Outcome.registered) ?? .waiting
    }
}

extension Activity {
    /// The length of each activity's waiting list at an event.
    fileprivate static func queues(at event: ID<Event>, in db: Connection) throws -> [ID<Activity>: Int] {
        let found: [(ID<Activity>, Int)] = try db.all(
            """
            SELECT activity.id, (SELECT count(*) FROM activity_wait WHERE activity_wait.activity_id = activity.id)
            FROM activity WHERE activity.event_id = \(event) LIMIT \(20 * most)
            """
        ) { (try $0.next(), try $0.next()) }
        return Dictionary(uniqueKeysWithValues: found)
    }

    /// Whether a session overlaps another one that somebody has.
    ///
    /// - Parameter held: The people in each session, and those waiting for it if that matters.
    static func clashes(
        _ id: ID<Activity>, _ attendee: Attendee, with held: [[ID<Activity>: Set<Attendee>]], at event: ID<Event>,
        in db: Connection
    ) throws -> Bool {
        let all = try all(of: event, in: db)
        guard let one = all.first(where: { $0.id == id }) else { return false }
        return all.contains { other in
            other.id != id && !other.isCancelled && held.contains { $0[other.id]?.contains(attendee) == true }
                && other.schedule.meets(one.schedule)
        }
    }
}
