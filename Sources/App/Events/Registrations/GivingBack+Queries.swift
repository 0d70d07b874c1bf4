import Database

/// Giving places back in a way that can be undone.
extension Undo {
    /// Gives back places of a party, undoably.
    static func givingBack(
        _ registration: Registration, children: [ID<Child>], of account: ID<Account>, in tx: Transaction
    ) throws {
        let people = try Registration.holders(of: registration.id, children, in: tx)
        guard !people.isEmpty else { return }
        let isShared = try CareNote.isShared(of: people.map(\.id), in: tx)
        try Registration.giveBack(registration.id, children: children, of: registration.account, in: tx)
        let names = people.map { $0.name ?? "" }.joined(separator: "\n")
        let notes: Kept = isShared ? [("notes", "\(registration.id)")] : []
        let kept = people.map { (name: "person", value: "\($0.id)") } + notes
        try keep(.places, registration.id.rawValue, names, kept, of: account, in: tx)
    }

    /// Removes people of an account from a community event, undoably, with the activities they had joined.
    ///
    /// - Throws: `Attendee.Refused`, as for leaving.
    static func leaving(
        _ people: [Attendee], of account: ID<Account>, from event: ID<Event>, in tx: Transaction
    ) throws {
        let before = try Attendee.present(of: account, at: event, in: tx)
        let joined = try Activity.present(of: account, at: event, in: tx)
        let turns = try Activity.turns(of: account, at: event, in: tx)
        try Attendee.leave(people, of: account, at: event, in: tx)
        let after = try Attendee.present(of: account, at: event, in: tx)
        let gone = try names(of: account, in: tx).filter { before[$0.0] != nil && after[$0.0] == nil }
        guard let title = try Event.find(event, in: tx)?.title, !gone.isEmpty else { return }
        let people = Set(gone.map(\.0))
        let left: Kept = joined.sorted { $0.key < $1.key }.flatMap { activity, there in
            gone.filter { there.contains($0.0) }.map { (name: "joined", value: "\(activity) \($0.0.typed)") }
        }
        let waited = turns.sorted { $0.key < $1.key }.flatMap { waits($0.value, for: $0.key, of: people) }
        try keep(
            .visit, event.rawValue, ([title] + gone.map(\.1)).joined(separator: "\n"),
            gone.map { (name: "person", value: $0.0.typed) } + left + waited + [(eventMark, "1")],
            of: account, in: tx)
    }

    /// Removes people of an account from an activity's waiting list, undoably: undoing restores their positions.
    static func leavingLine(
        _ people: [Attendee], of account: ID<Account>, for id: ID<Activity>, of event: ID<Event>, in tx: Transaction
    ) throws {
        let turns = try Activity.turns(of: account, at: event, in: tx)[id] ?? [:]
        let waited = waits(turns, for: id, of: Set(people))
        let gone = try names(of: account, in: tx).filter { people.contains($0.0) && turns[$0.0] != nil }
        let rows = try rows(of: Set(gone.map(\.0)), at: event, in: tx)
        let isShared = try CareNote.isShared(of: rows.compactMap { ID($0.value) }, in: tx)
        try Activity.stopWaiting(people, of: account, for: id, in: tx)
        guard let activity = try Activity.find(id, of: event, in: tx), !gone.isEmpty else { return }
        try keep(
            .visit, event.rawValue, ([activity.name] + gone.map(\.1)).joined(separator: "\n"),
            waited + rows + (isShared ? [("notes", "1")] : []), of: account, in: tx)
    }

    /// The positions of these people on an activity's waiting list.
    private static func waits(
        _ turns: [Attendee: Activity.Turn], for id: ID<Activity>, of people: Set<Attendee>
    ) -> Kept {
        turns.filter { people.contains($0.key) }.sorted { $0.value.row < $1.value.row }.map { attendee, turn in
            ("waited", "\(id) \(attendee.typed) \(turn.row) \(turn.since.milliseconds)")
        }
    }

    /// Removes people of an account from an activity, undoably.
    ///
    /// - Throws: `Attendee.Refused`, as for leaving.
    static func leaving(
        _ people: [Attendee], of account: ID<Account>, from id: ID<Activity>, of event: ID<Event>, in tx: Transaction
    ) throws {
        let before = try Activity.present(of: account, at: event, in: tx)[id] ?? []
        let rows = try rows(of: before, at: event, in: tx)
        let isShared = try CareNote.isShared(of: rows.compactMap { ID($0.value) }, in: tx)
        try Activity.leave(people, of: account, from: id, of: event, tx: tx)
        let after = try Activity.present(of: account, at: event, in: tx)[id] ?? []
        let gone = try names(of: account, in: tx).filter { before.contains($0.0) && !after.contains($0.0) }
        guard let activity = try Activity.find(id, of: event, in: tx), !gone.isEmpty else { return }
        try keep(
            .visit, event.rawValue, ([activity.name] + gone.map(\.1)).joined(separator: "\n"),
            gone.map { (name: "person", value: $0.0.typed) }
                + gone.map { (name: "joined", value: "\(id) \($0.0.typed)") } + rows
                + (isShared ? [("notes", "1")] : []),
            of: account, in: tx)
    }

    /// The rows of children at an event, which have their answers.
    private static func rows(of people: Set<Attendee>, at event: ID<Event>, in db: Connection) throws -> Kept {
        let rows = try Registration.rows(of: people.compactMap(\.child).sorted(), at: event, in: db)
        return rows.values.sorted().map { (name: "row", value: "\($0)") }
    }

    /// Gives back an event's sessions that haven't begun, and the waiting list entries, undoably as a whole.
    ///
    /// - Parameter children: Those of other families are ignored.
    static func givingBack(
        sessionsOf children: [ID<Child>], of account: ID<Account>, at event: ID<Event>, in tx: Transaction
    ) throws {
        guard let whole = try Event.find(event, in: tx) else { return }
        let own = try Attendee.children(of: account, in: tx).map(\.id)
        let people = Set(Set(children).intersection(own).map(Attendee.child))
        let (joined, places) = (
            try Activity.present(of: account, at: event, in: tx), try Activity.turns(of: account, at: event, in: tx)
        )
        var kept = try rows(of: people, at: event, in: tx)
        var gone: Set<Attendee> = []
        let isShared = try CareNote.isShared(of: kept.compactMap { ID($0.value) }, in: tx)
        for session in try Activity.all(of: event, in: tx) where !session.hasStarted(at: tx.now) {
            let (leaving, turns) = (
                people.intersection(joined[session.id] ?? []), people.intersection((places[session.id] ?? [:]).keys)
            )
            if !leaving.isEmpty {
                try Activity.leave(Array(leaving), of: account, from: session.id, of: event, tx: tx)
            }
            try Activity.stopWaiting(turns, of: account, for: session.id, in: tx)
            kept += leaving.map { ("joined", "\(session.id) \($0.typed)") }
            kept += waits(places[session.id] ?? [:], for: session.id, of: turns)
            gone.formUnion(leaving.union(turns))
        }
        guard !gone.isEmpty else { return }
        let left = try names(of: account, in: tx).filter { gone.contains($0.0) }
        try keep(
            .visit, event.rawValue, ([whole.title] + left.map(\.1)).joined(separator: "\n"),
            left.map { (name: "person", value: $0.0.typed) } + kept + (isShared ? [("notes", "1")] : []),
            of: account, in: tx)
    }

    /// An account's possible participants in a community event; its own name is empty.
    private static func names(of account: ID<Account>, in db: Connection) throws -> [(Attendee, String)] {
        [(.me, "")] + (try Attendee.children(of: account, in: db).map { (.child($0.id), $0.name) })
    }
}
