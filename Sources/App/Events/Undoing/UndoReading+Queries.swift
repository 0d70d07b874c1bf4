import Database
import Forms

/// What can still be taken back.
extension Undo {
    /// What somebody can still take back of one kind, the last first; for one registration only, if that is given.
    static func all(
        _ kind: Kind, of account: ID<Account>, subject: Int64? = nil, at now: Instant, in db: Connection
    ) throws -> [Undo] {
        let about: SQL = subject.map { " AND subject = \($0)" } ?? ""
        return try db.all(
            """
            SELECT id, kind, subject, label, kept FROM undo
            WHERE account_id = \(account) AND kind = \(kind)\(about) AND ends_at > \(now) AND NOT is_done
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
            let places = kept.number("places") ?? undo.count
            // The event grows for them again as it did before.
            let row: Int64? = kept.number("row")
            return (undo, places - (kept.number("extra") ?? 0), row, people)
        }.compactMap { undo, places, row, people in
            var undo = undo
            if let row, try undo.isOvertaken(row, in: db) { return nil }
            if let row { undo.who = try who(undo.kind, row, besides: account, in: db) }
            // A turn in the line needs no room.
            let needsRoom = undo.kind != .offer || !undo.isOwn
            undo.isGone = try needsRoom && undo.room(at: now, in: db).map { $0 < places } ?? false
            if undo.kind == .places {
                let parties = try Undo.parties(of: people, in: db)
                if parties.count > 1 || undo.turns > 0 {
                    (undo.dates, undo.count) = (parties.count, undo.lines.count)
                    undo.isGone = try parties.contains { party, people in
                        try Undo.room(beside: party, at: now, in: db).map { $0 < people.count } ?? false
                    }
                    return undo
                }
            }
            if let row, try undo.isTaken(row, in: db) { undo.isGone = true }
            if undo.kind == .signup, undo.isOwn, let row {
                undo.date = try Signup.find(ID(row), in: db)?.shift?.moment
            }
            if undo.kind == .places, let event = try Registration.event(of: ID(undo.subject), in: db) {
                undo.date = try Event.find(event, in: db).flatMap { $0.series == nil ? nil : $0.name }
            }
            return undo
        }
    }

    /// The name of the person who was told no.
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

    /// Whether its helper has promised once more since: that stands in its stead.
    private func isOvertaken(_ row: Int64, in db: Connection) throws -> Bool {
        guard kind == .claim else { return false }
        return try db.exists(
            """
            SELECT 1 FROM claim JOIN claim AS later ON later.need_id = claim.need_id
                AND later.account_id = claim.account_id AND later.id > claim.id
            WHERE claim.id = \(row)
            """)
    }

    /// Whether others have by now what was given back or said no to.
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

    /// How many places there are where it was given back; nil for what needs none, and where nobody has them.
    private func room(at now: Instant, in db: Connection) throws -> Int? {
        switch kind {
        case .places, .offer:
            try Self.room(beside: ID(subject), at: now, in: db)
        case .child, .draft, .event, .visit, .post, .comment, .match, .signup, .promise, .claim, .wait, .companion,
            .meeting, .challenge:
            nil
        }
    }

    static func room(beside party: ID<Registration>, at now: Instant, in db: Connection) throws -> Int? {
        try Registration.event(of: party, in: db).flatMap { id in
            guard try Event.find(id, in: db)?.isOpen(at: now) == true else { return nil }
            let needsHelp = try Registration.needsHelp(party, in: db)
            return try Event.room(at: id, withHelp: needsHelp, now: now, in: db)
        }
    }

    /// These people by the party they were of: several, where places were given back at several dates.
    static func parties(
        of people: [ID<Registration.Person>], in db: Connection
    ) throws -> [ID<Registration>: [ID<Registration.Person>]] {
        Dictionary(grouping: try Registration.parties(of: people, in: db), by: \.party).mapValues { $0.map(\.person) }
    }

    /// Which form a draft was of.
    static func draft(_ kept: FormBody) -> Draft.Kind {
        kept[kindMark].flatMap { Draft.Kind(rawValue: $0) } ?? .event
    }

    /// Erases what was kept and can't be taken back anymore.
    ///
    /// - Returns: how much there was.
    @discardableResult static func eraseOld(at now: Instant, in db: Connection) throws -> Int {
        try db.execute("DELETE FROM undo WHERE ends_at <= \(now)")
    }
}

/// What was kept, as it is read.
extension FormBody {
    /// The number that was kept under a name.
    func id<Subject>(_ name: String) -> ID<Subject>? { self[name].flatMap { ID($0) } }

    /// All numbers that were kept under a name.
    func ids<Subject>(_ name: String) -> [ID<Subject>] { all(name).compactMap { ID($0) } }

    /// How many were kept under a name, or a number of which the type is known.
    func number<Number: FixedWidthInteger>(_ name: String) -> Number? { self[name].flatMap { Number($0) } }

    /// The instant that was kept under a name.
    func instant(_ name: String) -> Instant? { number(name).map { Instant(milliseconds: $0) } }
}
