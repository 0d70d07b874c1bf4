import Database
import Forms

/// Listing the actions that can be undone.
extension Undo {
    /// Whether one of two accounts has anything that can be undone. Mostly there is nothing, and then no kind needs to
    /// be asked for.
    static func isThere(for one: ID<Account>, or other: ID<Account>, in tx: Transaction) throws -> Bool {
        try tx.exists(
            """
            SELECT 1 FROM undo WHERE account_id IN \(list: [one, other]) AND ends_at > \(tx.now) AND NOT is_done LIMIT 1
            """)
    }

    /// A member's actions of these kinds that can be undone, kind by kind, last first; optionally about one subject.
    static func all(
        _ kinds: Kind..., of account: ID<Account>, subject: Int64? = nil, in tx: Transaction
    ) throws -> [Undo] {
        try kinds.flatMap { try all(of: $0, by: account, subject: subject, in: tx) }
    }

    private static func all(
        of kind: Kind, by account: ID<Account>, subject: Int64?, in tx: Transaction
    ) throws -> [Undo] {
        let about: SQL = subject.map { " AND subject = \($0)" } ?? ""
        return try tx.all(
            """
            SELECT id, kind, subject, label, kept FROM undo
            WHERE account_id = \(account) AND kind = \(kind)\(about) AND ends_at > \(tx.now) AND NOT is_done
            ORDER BY id DESC LIMIT 10
            """
        ) {
            var undo = Undo(
                id: try $0.next(), kind: try $0.next(), subject: try $0.next(), label: try $0.next())
            let kept = try Draft.form(try $0.next())
            undo.count = kept.all("person").count
            if undo.kind == .places { undo.turns = kept.all("turn").count }
            let people: [ID<Registration.Person>] = kept.ids("person")
            undo.draft = draft(kept)
            undo.isOwnDraft = kept[Draft.ownMark] != nil
            undo.isOwn = kept[ownMark] != nil
            undo.onlyWaited =
                undo.kind == .visit && kept[eventMark] == nil && kept.all("joined").isEmpty
            let places = kept.number("places") ?? undo.count
            // The event would grow for them again.
            let row: Int64? = kept.number("row")
            return (undo, places - (kept.number("extra") ?? 0), row, people, kept)
        }.compactMap { undo, places, row, people, kept in
            var undo = undo
            if try undo.isOvertaken(kept, of: account, in: tx) { return nil }
            if let row { undo.who = try who(undo.kind, row, besides: account, in: tx) }
            // A position on a waiting list needs no room.
            let needsRoom = undo.kind != .offer || !undo.isOwn
            undo.isGone = try needsRoom && undo.room(in: tx).map { $0 < places } ?? false
            if undo.kind == .places {
                let parties = try Undo.parties(of: people, in: tx)
                if parties.count > 1 || undo.turns > 0 {
                    (undo.dates, undo.count) = (parties.count, undo.lines.count)
                    undo.isGone = try parties.contains { party, people in
                        try Undo.room(beside: party, in: tx).map { $0 < people.count } ?? false
                    }
                    return undo
                }
            }
            if let row, try undo.isTaken(row, in: tx) { undo.isGone = true }
            if undo.kind == .signup, undo.isOwn, let row {
                undo.date = try Signup.find(ID(row), in: tx)?.shift?.moment
            }
            if undo.kind == .places, let event = try Registration.event(of: ID(undo.subject), in: tx) {
                undo.date = try Event.find(event, in: tx).flatMap { $0.series == nil ? nil : $0.name }
            }
            return undo
        }
    }

    /// The decline of an offer.
    static func decline(
        of registration: ID<Registration>, by account: ID<Account>, in tx: Transaction
    ) throws -> Undo? {
        try all(.offer, of: account, subject: registration.rawValue, in: tx).first { !$0.isOwn }
    }

    /// The name of the person who was refused.
    private static func who(
        _ kind: Kind, _ row: Int64, besides account: ID<Account>, in db: Connection
    ) throws -> String? {
        let table: SQL
        switch kind {
        case .signup: table = "signup"
        case .claim: table = "claim"
        default: return nil
        }
        return try db.value(
            """
            SELECT \(HelperList.name) FROM \(table) JOIN account ON account.id = \(table).account_id \(HelperList.who)
            WHERE \(table).id = \(row) AND account.id <> \(account)
            """)
    }

    /// Whether it no longer stands, because what was ended is there again: a line about it would say what isn’t so.
    private func isOvertaken(_ kept: FormBody, of account: ID<Account>, in tx: Transaction) throws -> Bool {
        let row: Int64 = kept.number("row") ?? 0
        switch kind {
        case .places, .offer:
            // One of the children has a place or waits again.
            let waiting: [ID<Registration.Person>] = kept.entries.filter { $0.name.hasPrefix("waits-") }
                .compactMap { ID($0.value) }
            let people = kept.ids("person") + waiting
            return try !people.isEmpty
                && tx.exists(
                    """
                    SELECT 1 FROM registration_person JOIN registration_person AS later
                        ON later.event_id = registration_person.event_id
                        AND later.child_id = registration_person.child_id AND later.cancelled_at IS NULL
                    WHERE registration_person.id IN \(list: people)
                    """)
        case .visit: return try isVisitedAgain(kept, of: account, in: tx)
        case .signup:
            // They asked or signed up again, or were said yes to.
            return try tx.exists(
                """
                SELECT 1 FROM signup JOIN signup AS later ON later.account_id = signup.account_id
                    AND later.opportunity_id = signup.opportunity_id
                    AND coalesce(later.shift_id, 0) = coalesce(signup.shift_id, 0)
                WHERE signup.id = \(row) AND later.state IN ('asked', 'confirmed')
                """)
        case .promise:
            // It came after all, or its giver promised it again.
            let again: SQL =
                isOwn ? " OR later.id > promise.id AND later.created_at >= \(kept.instant("at") ?? tx.now)" : ""
            return try tx.exists(
                """
                SELECT 1 FROM promise JOIN promise AS later ON later.account_id = promise.account_id
                    AND later.thing_id = promise.thing_id
                WHERE promise.id = \(row) AND later.state IN ('open', 'given') AND (later.id = promise.id\(again))
                """)
        case .claim:
            // Its helper has made another promise, which replaces it.
            return try tx.exists(
                """
                SELECT 1 FROM claim JOIN claim AS later ON later.need_id = claim.need_id
                    AND later.account_id = claim.account_id AND later.id > claim.id
                WHERE claim.id = \(row)
                """)
        case .wait:
            guard let shift: ID<Shift> = kept.id("shift") else { return false }
            return try tx.exists(
                """
                SELECT 1 FROM shift WHERE shift.id = \(shift) AND (
                    EXISTS (SELECT 1 FROM shift_wait
                        WHERE shift_wait.shift_id = shift.id AND shift_wait.account_id = \(account))
                    OR EXISTS (SELECT 1 FROM signup WHERE signup.shift_id = shift.id
                        AND signup.account_id = \(account) AND signup.state IN ('asked', 'confirmed')))
                """)
        case .companion:
            guard let child: ID<Child> = kept.id("person") else { return false }
            return try tx.exists("SELECT 1 FROM companion WHERE signup_id = \(subject) AND child_id = \(child)")
        case .meeting: return try Meeting.all(in: ID(subject), db: tx).contains { $0.isOpen(at: tx.now) }
        case .match:
            guard let ended = kept.instant("ended") else { return false }
            return try !tx.exists("SELECT 1 FROM pet_match WHERE id = \(subject) AND ended_at = \(ended)")
        case .draft: return try Draft.isKept(Submission<EventForm>(unfinished: kept).once, of: account, in: tx)
        case .child, .event, .post, .comment, .challenge: return false
        }
    }

    /// Whether those who left a community event are there again, or those who left activities are in each of them.
    private func isVisitedAgain(_ kept: FormBody, of account: ID<Account>, in db: Connection) throws -> Bool {
        let event = ID<Event>(subject)
        if kept[Self.eventMark] != nil {
            let there = try Attendee.present(of: account, at: event, in: db)
            return kept.all("person").compactMap { Attendee(typed: $0) }.allSatisfy { there[$0] != nil }
        }
        let joined = try Activity.present(of: account, at: event, in: db)
        let waiting = try Activity.waiting(of: account, at: event, in: db)
        return (kept.all("joined") + kept.all("waited")).allSatisfy { entry in
            let parts = entry.split(separator: " ").map(String.init)
            guard let activity = parts.first.flatMap({ ID<Activity>($0) }),
                let attendee = parts.dropFirst().first.flatMap({ Attendee(typed: $0) })
            else { return false }
            return [joined, waiting].contains { $0[activity]?.contains(attendee) == true }
        }
    }

    /// Whether others have got what was given back or refused.
    private func isTaken(_ row: Int64, in db: Connection) throws -> Bool {
        switch kind {
        case .signup:
            try db.exists(
                """
                SELECT 1 FROM signup JOIN shift ON shift.id = signup.shift_id
                WHERE signup.id = \(row) AND shift.taken + signup.places > shift.spots
                """)
        case .promise:
            try db.exists(
                """
                SELECT 1 FROM promise JOIN thing ON thing.id = promise.thing_id
                WHERE promise.id = \(row) AND (thing.removed_at IS NOT NULL
                    OR thing.promised + promise.count > thing.wanted)
                """)
        case .claim:
            try db.exists(
                """
                SELECT 1 FROM claim JOIN need ON need.id = claim.need_id
                WHERE claim.id = \(row) AND need.promised + need.brought + claim.count > need.wanted
                """)
        case .places, .offer, .child, .draft, .event, .visit, .post, .comment, .match, .wait, .companion, .meeting,
            .challenge:
            false
        }
    }

    /// The number of places left; nil if none are needed, or there is no limit.
    private func room(in tx: Transaction) throws -> Int? {
        switch kind {
        case .places, .offer:
            try Self.room(beside: ID(subject), in: tx)
        case .child, .draft, .event, .visit, .post, .comment, .match, .signup, .promise, .claim, .wait, .companion,
            .meeting, .challenge:
            nil
        }
    }

    static func room(beside party: ID<Registration>, in tx: Transaction) throws -> Int? {
        try Registration.event(of: party, in: tx).flatMap { id in
            guard try Event.find(id, in: tx)?.isOpen(at: tx.now) == true else { return nil }
            let needsHelp = try Registration.needsHelp(party, in: tx)
            return try Event.room(at: id, withHelp: needsHelp, in: tx)
        }
    }

    /// These people by party: several parties if places at several dates were given back.
    static func parties(
        of people: [ID<Registration.Person>], in db: Connection
    ) throws -> [ID<Registration>: [ID<Registration.Person>]] {
        Dictionary(grouping: try Registration.parties(of: people, in: db), by: \.party).mapValues { $0.map(\.person) }
    }

    /// The kind of form of a draft.
    static func draft(_ kept: FormBody) -> Draft.Kind {
        kept[kindMark].flatMap { Draft.Kind(rawValue: $0) } ?? .event
    }

    /// Erases what can't be undone anymore.
    ///
    /// - Returns: The number of entries.
    @discardableResult static func eraseOld(in tx: Transaction) throws -> Int {
        try tx.execute("DELETE FROM undo WHERE ends_at <= \(tx.now)")
    }
}

/// Reading the stored data.
extension FormBody {
    /// The ID stored under a name.
    func id<Subject>(_ name: String) -> ID<Subject>? { self[name].flatMap { ID($0) } }

    /// All IDs stored under a name.
    func ids<Subject>(_ name: String) -> [ID<Subject>] { all(name).compactMap { ID($0) } }

    /// The number stored under a name.
    func number<Number: FixedWidthInteger>(_ name: String) -> Number? { self[name].flatMap { Number($0) } }

    /// The instant stored under a name.
    func instant(_ name: String) -> Instant? { number(name).map { Instant(milliseconds: $0) } }
}
