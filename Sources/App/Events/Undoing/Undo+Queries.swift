import Database
import Forms

extension Undo.Kind: SQLValue {}

extension Undo {
    /// What has to be kept to bring something back, as pairs like those of a form.
    typealias Kept = [(name: String, value: String)]

    // MARK: Keeping

    /// Keeps what was just deleted for ten minutes.
    static func keep(
        _ kind: Kind, _ subject: Int64, _ label: String, _ kept: Kept, of account: ID<Account>, at now: Instant,
        in db: Connection
    ) throws {
        try db.execute(
            """
            INSERT INTO undo (account_id, kind, subject, label, kept, ends_at)
            VALUES (\(account), \(kind), \(subject), \(label), \(Draft.text(of: kept)), \(now + time))
            """)
    }

    /// Gives back places of a party, so that they can be taken back.
    static func givingBack(
        _ registration: Registration, children: [ID<Child>], of account: ID<Account>, at now: Instant,
        in db: Connection
    ) throws {
        let people = try Registration.holders(of: registration.id, children, in: db)
        guard !people.isEmpty else { return }
        let isShared = try CareNote.isShared(of: people.map(\.id), in: db)
        try Registration.giveBack(registration.id, children: children, of: registration.account, at: now, in: db)
        let names = people.map { $0.name ?? "" }.joined(separator: "\n")
        let notes: Kept = isShared ? [("notes", "\(registration.id)")] : []
        let kept = people.map { (name: "person", value: "\($0.id)") } + notes
        try keep(.places, registration.id.rawValue, names, kept, of: account, at: now, in: db)
    }

    /// Gives back what a family has at all dates of a series, so that its places can be taken back together; where it
    /// waits it leaves the list.
    static func givingBack(
        _ series: ID<Event>, from registration: Registration, of account: ID<Account>, at now: Instant,
        in db: Connection
    ) throws {
        var (people, notes): (Kept, Kept) = ([], [])
        var names: [String] = []
        for line in try Registration.lines(of: account, inSeries: series, now: now, in: db) {
            let holders = try Registration.holders(of: line.id, [], in: db)
            let isShared = try CareNote.isShared(of: holders.map(\.id), in: db)
            do {
                try Registration.giveBack(line.id, children: [], of: account, at: now, in: db)
            } catch Refusal.notFound {
                // That date has begun, or was canceled.
                continue
            }
            // The way back is for places; a turn in a line can be taken back where it is given up by itself.
            guard line.state == .confirmed else { continue }
            people += holders.map { ("person", "\($0.id)") }
            names += holders.map { $0.name ?? "" }.filter { !names.contains($0) }
            if isShared { notes.append(("notes", "\(line.id)")) }
        }
        guard !people.isEmpty else { return }
        let label = names.joined(separator: "\n")
        try keep(.places, registration.id.rawValue, label, people + notes, of: account, at: now, in: db)
    }

    /// Says no to places that are promised, so that it can be taken back while they are free.
    static func declining(
        _ id: ID<Registration>, of account: ID<Account>, at now: Instant, in db: Connection
    ) throws {
        guard let offer = try Registration.offer(to: id, at: now, in: db), offer.isPromised,
            let party = try Registration.find(id, of: account, at: now, in: db)
        else { return try leavingLine(id, of: account, at: now, in: db) }
        let people = try Registration.holders(of: id, [], in: db)
        let extra = try Registration.extra(for: id, in: db)
        try Registration.leave(id, of: account, at: now, in: db)
        let kept: Kept = [
            ("places", "\(offer.places)"), ("until", "\(offer.endsAt.milliseconds)"), ("extra", "\(extra)"),
        ]
        try keep(
            .offer, id.rawValue, party.event.title, kept + people.map { (name: "person", value: "\($0.id)") },
            of: account, at: now, in: db)
    }

    /// Takes a party off a waiting list, so that it can have its turn again.
    private static func leavingLine(
        _ id: ID<Registration>, of account: ID<Account>, at now: Instant, in db: Connection
    ) throws {
        let turn = try Registration.turn(of: id, of: account, in: db)
        let people = try Registration.holders(of: id, [], in: db)
        let title = try Registration.event(of: id, in: db).flatMap { try Event.find($0, in: db)?.title }
        try Registration.leave(id, of: account, at: now, in: db)
        guard let turn, let title, !people.isEmpty else { return }
        try keep(
            .offer, id.rawValue, title,
            [("turn", "\(turn)"), (ownMark, "1")] + people.map { (name: "person", value: "\($0.id)") }, of: account,
            at: now, in: db)
    }

    /// Lets people of an account leave a community event, so that they can come back to it and to what they had joined
    /// there.
    ///
    /// - Throws: `Attendee.Refused`, as leaving does.
    static func leaving(
        _ people: [Attendee], of account: ID<Account>, from event: ID<Event>, at now: Instant, in db: Connection
    ) throws {
        let before = try Attendee.present(of: account, at: event, in: db)
        let joined = try Activity.present(of: account, at: event, in: db)
        let waiting = try Activity.waiting(of: account, at: event, in: db)
        try Attendee.leave(people, of: account, at: event, now: now, in: db)
        let after = try Attendee.present(of: account, at: event, in: db)
        let gone = try names(of: account, in: db).filter { before[$0.0] != nil && after[$0.0] == nil }
        guard let title = try Event.find(event, in: db)?.title, !gone.isEmpty else { return }
        func kept(_ name: String, _ activities: [ID<Activity>: Set<Attendee>]) -> Kept {
            activities.sorted { $0.key < $1.key }.flatMap { activity, people in
                gone.filter { people.contains($0.0) }.map { (name: name, value: "\(activity) \($0.0.text)") }
            }
        }
        try keep(
            .visit, event.rawValue, ([title] + gone.map(\.1)).joined(separator: "\n"),
            gone.map { (name: "person", value: $0.0.text) } + kept("joined", joined) + kept("waited", waiting),
            of: account, at: now, in: db)
    }

    /// Lets people of an account leave an activity, so that they can come back to it.
    ///
    /// - Throws: `Attendee.Refused`, as leaving does.
    static func leaving(
        _ people: [Attendee], of account: ID<Account>, from id: ID<Activity>, of event: ID<Event>, at now: Instant,
        in db: Connection
    ) throws {
        let before = try Activity.present(of: account, at: event, in: db)[id] ?? []
        try Activity.leave(people, of: account, from: id, of: event, now: now, db: db)
        let after = try Activity.present(of: account, at: event, in: db)[id] ?? []
        let gone = try names(of: account, in: db).filter { before.contains($0.0) && !after.contains($0.0) }
        guard let activity = try Activity.find(id, of: event, in: db), !gone.isEmpty else { return }
        try keep(
            .visit, event.rawValue, ([activity.name] + gone.map(\.1)).joined(separator: "\n"),
            gone.map { (name: "person", value: $0.0.text) }
                + gone.map { (name: "joined", value: "\(id) \($0.0.text)") },
            of: account, at: now, in: db)
    }

    /// Those who may go to a community event for an account; one's own name is empty.
    private static func names(of account: ID<Account>, in db: Connection) throws -> [(Attendee, String)] {
        [(.me, "")] + (try Attendee.children(of: account, in: db).map { (.child($0.id), $0.name) })
    }

    /// Removes a child with its future places, so that it can be taken back.
    static func removing(
        _ child: Child, of family: ID<Family>, account: ID<Account>, at now: Instant, in db: Connection
    ) throws {
        let rows = try Registration.rows(of: child.id, in: db)
        let shared = try CareNote.registrations(sharing: child.id, in: db)
        let places = try Registration.giveBack(everyPlaceOf: child.id, from: now, in: db)
        let shifts = try Companion.part(child.id, at: now, in: db)
        try Child.delete(child.id, of: family, in: db)
        let kept: Kept = [
            ("family", "\(family)"), ("month", "\(child.birthMonth)"), ("year", "\(child.birthYear)"),
            ("allergies", child.note.allergies), ("phone", child.note.emergencyPhone),
            ("collectors", child.note.collectors), ("shifts", shifts > 0 ? "1" : ""),
        ]
        let numbers =
            rows.map { (name: "row", value: "\($0)") } + places.map { (name: "place", value: "\($0)") }
            + shared.map { (name: "notes", value: "\($0)") }
        try keep(.child, child.id.rawValue, child.nickname, kept + numbers, of: account, at: now, in: db)
    }

    /// Throws a draft away, so that it can be taken back.
    static func throwing(
        _ draft: Draft, of account: ID<Account>, at now: Instant, in db: Connection
    ) throws {
        var kept = draft.form.entries
        switch draft.kind {
        case .event:
            let picture = Submission<EventForm>(unfinished: draft.form).form.picture
            try picture.map { try Picture.touch($0, of: account, at: now, in: db) }
        case .opportunity: kept.append((name: kindMark, value: draft.kind.rawValue))
        }
        if draft.isOwn { kept.append((name: Draft.ownMark, value: "1")) }
        try Draft.delete(draft.id, of: account, in: db)
        try keep(.draft, draft.id.rawValue, draft.title, kept, of: account, at: now, in: db)
    }

    /// Deletes an event nobody registered for, so that it can be taken back: as the form that would post it.
    static func deleting(_ id: ID<Event>, of account: ID<Account>, at now: Instant, in db: Connection) throws {
        // As it is now: staff may have hidden it since the page was drawn.
        guard var event = try Event.find(id, in: db) else { throw Refusal.notFound }
        event.programme = try Activity.all(of: id, in: db)
        let form = Submission(filled: EventForm(event, pin: try event.pin(in: db))).hidden
        let sibling = try Series.sibling(of: event, in: db)
        try event.picture.map { try Picture.touch($0.id, of: account, at: now, in: db) }
        try Event.delete(event, at: now, in: db)
        let kept: Kept = [
            ("undo.zone", event.zone), ("undo.currency", event.price?.currency ?? ""),
            ("undo.sibling", sibling.map { "\($0)" } ?? ""),
            ("undo.created", "\(event.createdAt.milliseconds)"), ("undo.reason", event.cancelReason),
            ("undo.cancelled", event.cancelledAt.map { "\($0.milliseconds)" } ?? ""),
            ("undo.hidden", event.isHiddenByStaff ? "1" : ""),
        ]
        try keep(
            .event, event.id.rawValue, event.title, kept + form + ProgrammeRows(event).hidden, of: account, at: now,
            in: db)
    }

    /// Deletes a post, so that its words and photos can be taken back; what others said to it goes for good.
    static func deleting(_ id: ID<Post>, of account: ID<Account>, at now: Instant, in db: Connection) throws {
        guard let post = try Post.Kept.find(id, of: account, in: db) else { return }
        for picture in post.pictures { try Picture.touch(picture, of: account, at: now, in: db) }
        try Post.delete(id, by: account, in: db)
        let kept: Kept = [
            ("text", post.text), ("kind", post.kind.rawValue), ("audience", post.audience.rawValue),
            ("children", post.showsChildren ? "1" : ""), ("event", post.event.map { "\($0)" } ?? ""),
            ("once", post.once), ("created", Self.text(of: post.createdAt)), ("edited", Self.text(of: post.editedAt)),
            ("hidden", Self.text(of: post.hiddenAt)), ("first", post.isFirst ? "1" : ""),
            ("heard", post.isHeard ? "1" : ""),
        ]
        let pictures = post.pictures.map { (name: "picture", value: "\($0)") }
        try keep(
            .post, id.rawValue, Post.beginning(of: post.text), kept + pictures, of: account, at: now, in: db)
    }

    /// Deletes a comment for its author or the post's, so that it can be taken back.
    ///
    /// - Returns: The post.
    /// - Throws: `Refusal.notFound`.
    static func deleting(
        _ id: ID<Comment>, of account: ID<Account>, at now: Instant, in db: Connection
    ) throws -> ID<Post> {
        let comment = try Comment.Kept.find(id, in: db)
        let post = try Comment.delete(id, by: account, in: db)
        if let comment {
            let kept: Kept = [
                ("comment", "\(comment.id)"), ("author", "\(comment.author)"), ("text", comment.text),
                ("once", comment.once),
                ("created", Self.text(of: comment.createdAt)), ("hidden", Self.text(of: comment.hiddenAt)),
            ]
            try keep(
                .comment, post.rawValue, Post.beginning(of: comment.text), kept, of: account, at: now, in: db)
        }
        return post
    }

    /// Ends a match, so that it can be taken back.
    static func ending(_ match: PetMatch, by account: ID<Account>, at now: Instant, in db: Connection) throws {
        let kept = try PetMatch.end(match.id, by: account, at: now, in: db)
        try keep(
            .match, match.id.rawValue, "\(match.mine.name)\n\(match.other.name)", kept, of: account, at: now, in: db)
    }

    // MARK: Helping less

    /// A helper gives a place back.
    ///
    /// - Throws: as giving it back does.
    static func givingBack(_ id: ID<Signup>, of account: ID<Account>, at now: Instant, in db: Connection) throws {
        guard let signup = try Signup.find(id, in: db) else { throw Refusal.notFound }
        guard try Signup.giveBack(id, of: account, at: now, in: db) else { return }
        try keep(
            .signup, signup.opportunity.rawValue, signup.title,
            [("row", "\(id)"), ("at", text(of: now)), (ownMark, signup.state.rawValue)], of: account, at: now, in: db)
    }

    /// A helper takes a promise back.
    ///
    /// - Throws: as taking it back does.
    static func takingBack(_ id: ID<Promise>, of account: ID<Account>, at now: Instant, in db: Connection) throws {
        guard let promise = try Promise.find(id, in: db) else { throw Refusal.notFound }
        guard try Promise.cancel(id, of: account, at: now, in: db) else { return }
        try keep(
            .promise, promise.opportunity.rawValue, "\(promise.count) × \(promise.thingName)",
            [("row", "\(id)"), ("at", text(of: now)), (ownMark, "1")], of: account, at: now, in: db)
    }

    /// A helper no longer waits for a shift.
    static func leavingLine(of shift: ID<Shift>, of account: ID<Account>, at now: Instant, in db: Connection) throws {
        guard let place = try Shift.Place.find(in: shift, of: account, in: db) else { return }
        let title: String? = try db.value("SELECT title FROM opportunity WHERE id = \(place.opportunity)")
        try Shift.stopWaiting(shift, of: account, in: db)
        let kept: Kept = [
            ("shift", "\(shift)"), ("row", "\(place.id)"), ("at", text(of: place.since)), ("message", place.message),
            (ownMark, "1"),
        ]
        try keep(
            .wait, place.opportunity.rawValue, title ?? "",
            kept + place.children.map { (name: "child", value: "\($0)") }, of: account, at: now, in: db)
    }

    /// A child who would come along with a helper stays home.
    ///
    /// - Throws: as giving its place back does.
    static func givingBack(
        _ child: ID<Child>, with signup: ID<Signup>, of account: ID<Account>, at now: Instant, in db: Connection
    ) throws {
        guard try Companion.giveBack(child, with: signup, of: account, at: now, in: db) else { return }
        let name: String? = try db.value("SELECT nickname FROM child WHERE id = \(child)")
        try keep(
            .companion, signup.rawValue, name ?? "", [("person", "\(child)"), (ownMark, "1")], of: account, at: now,
            in: db)
    }

    private static let ownMark = "own"
    /// Of what a draft was.
    private static let kindMark = "undo.kind"

    // MARK: Calling off

    /// One of two owners calls a meeting off.
    ///
    /// - Throws: as calling it off does.
    static func callingOff(
        _ meeting: Meeting, reason: String, by account: ID<Account>, at now: Instant, in zone: Zone, db: Connection
    ) throws {
        let open = try Meeting.Ended.find(meeting.id, in: db)
        try Meeting.callOff(meeting.id, reason: reason, by: account, at: now, in: zone, db: db)
        guard let open else { return }
        let other = meeting.account == account ? meeting.other : meeting.account
        let pet = try PetMatch.pet(of: other, in: meeting.match, db)?.name ?? ""
        // An earlier one of the two has had its time.
        try db.execute(
            """
            DELETE FROM undo WHERE account_id = \(account) AND kind = 'meeting' AND subject = \(meeting.match.rawValue)
            """)
        try keep(.meeting, meeting.match.rawValue, pet, [("meeting", open.text)], of: account, at: now, in: db)
    }

    /// Somebody takes back the link by which they asked a friend.
    static func withdrawing(_ id: ID<Challenge>, by account: ID<Account>, at now: Instant, in db: Connection) throws {
        guard let message = try Challenge.withdraw(id, by: account, in: db) else { return }
        try keep(.challenge, id.rawValue, "", [("message", message)], of: account, at: now, in: db)
    }

    // MARK: Saying no

    /// An organization says no to somebody who would like to help.
    static func declining(
        _ signup: Signup, by host: ID<Account>, at now: Instant, in db: Connection
    ) throws {
        try keep(
            .signup, signup.opportunity.rawValue, "", [("row", "\(signup.id)"), ("at", text(of: now))], of: host,
            at: now,
            in: db)
    }

    /// An organization says that something didn't come.
    ///
    /// - Parameter day: The day on which its giver says that it was brought; nil where they said nothing.
    static func missing(
        _ promise: Promise, saidOn day: Day?, by host: ID<Account>, at now: Instant, in db: Connection
    ) throws {
        try keep(
            .promise, promise.opportunity.rawValue, "\(promise.count) × \(promise.thingName)",
            [("row", "\(promise.id)"), ("at", text(of: now)), ("day", day?.iso ?? "")], of: host, at: now, in: db)
    }

    /// A promise to a neighbor ends.
    static func ending(_ claim: Claim, by account: ID<Account>, at now: Instant, in db: Connection) throws {
        try keep(
            .claim, claim.need.rawValue, "",
            [("row", "\(claim.id)"), ("state", claim.state.rawValue), ("at", text(of: now))]
                + (claim.helper.account == account ? [(ownMark, "1")] : []), of: account, at: now, in: db)
    }

    private static func text(of instant: Instant?) -> String { instant.map { "\($0.milliseconds)" } ?? "" }

    private static func instant(_ text: String?) -> Instant? {
        text.flatMap { Int64($0) }.map { Instant(milliseconds: $0) }
    }

    // MARK: Reading

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
            let people = kept.all("person").compactMap { ID<Registration.Person>($0) }
            undo.draft = draft(kept)
            undo.isOwnDraft = kept[Draft.ownMark] != nil
            undo.isOwn = kept[ownMark] != nil
            let places = kept["places"].flatMap { Int($0) } ?? undo.count
            // What the event grew by for them it grows by again.
            let row = kept["row"].flatMap { Int64($0) }
            return (undo, places - (kept["extra"].flatMap { Int($0) } ?? 0), row, people)
        }.map { undo, places, row, people in
            var undo = undo
            if let row { undo.who = try who(undo.kind, row, besides: account, in: db) }
            // A turn in the line needs no room.
            let needsRoom = undo.kind != .offer || !undo.isOwn
            undo.isGone = try needsRoom && undo.room(at: now, in: db).map { $0 < places } ?? false
            if undo.kind == .places {
                let parties = try Undo.parties(of: people, in: db)
                if parties.count > 1 {
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

    private static func room(beside party: ID<Registration>, at now: Instant, in db: Connection) throws -> Int? {
        try Registration.event(of: party, in: db).flatMap { id in
            try Event.find(id, in: db)?.isOpen(at: now) == true ? Event.room(at: id, now: now, in: db) : nil
        }
    }

    /// These people by the party they were of: several, where places were given back at several dates.
    private static func parties(
        of people: [ID<Registration.Person>], in db: Connection
    ) throws -> [ID<Registration>: [ID<Registration.Person>]] {
        Dictionary(grouping: try Registration.parties(of: people, in: db), by: \.party).mapValues { $0.map(\.person) }
    }

    // MARK: Taking back

    /// Takes it back for the one who gave it away, or who looks after the children with them, once however often it is
    /// pressed.
    ///
    /// - Parameters:
    ///   - head: Under which account the children are registered, whose places they take back too.
    ///   - host: For whom they act, whose events and drafts they take back too.
    /// - Returns: what it was, how much of it is back, whose it is, and whether this brought it back.
    /// - Throws: `Refusal.notFound` for somebody else's, or when the ten minutes are over; `Refused`, and then nothing
    ///   is changed.
    static func take(
        _ id: ID<Undo>, of account: ID<Account>, _ head: ID<Account>? = nil, _ host: ID<Account>? = nil,
        at now: Instant, in db: Connection
    ) throws -> (undo: Undo, outcome: Outcome, owner: ID<Account>, isNew: Bool) {
        let found = try db.first(
            """
            SELECT id, kind, subject, label, kept, is_done, ends_at, account_id FROM undo
            WHERE id = \(id) AND (account_id = \(account)
                OR account_id = \(head) AND kind IN ('places', 'offer', 'child')
                OR account_id = \(host) AND kind IN ('event', 'draft', 'signup', 'promise')) AND ends_at > \(now)
            """
        ) {
            (
                undo: Undo(id: try $0.next(), kind: try $0.next(), subject: try $0.next(), label: try $0.next()),
                kept: try Draft.form(try $0.next()), isDone: try $0.next() as Bool,
                since: (try $0.next() as Instant) - time, owner: try $0.next() as ID<Account>
            )
        }
        guard let found else { throw Refusal.notFound }
        var undo = found.undo
        let (kept, since, owner) = (found.kept, found.since, found.owner)
        undo.draft = draft(kept)
        undo.isOwn = kept[ownMark] != nil
        if owner != account, undo.isOwn || kept[Draft.ownMark] != nil { throw Refusal.notFound }
        if found.isDone { return (undo, .whole, owner, false) }
        if undo.publishes {
            for one in Set([account, owner]) { try Account.requireWriting(one, at: now, in: db) }
        }
        let outcome: Outcome
        do {
            outcome =
                switch undo.kind {
                case .places: try undo.takePlaces(kept, at: now, in: db)
                case .offer: try undo.takeOffer(kept, at: now, in: db)
                case .child: try undo.takeChild(kept, since: since, at: now, in: db)
                case .draft: try undo.takeDraft(kept, of: owner, at: now, in: db)
                case .event: try undo.takeEvent(kept, of: owner, at: now, in: db)
                case .visit: try undo.takeVisit(kept, of: account, at: now, in: db)
                case .post: try undo.takePost(kept, of: account, at: now, in: db)
                case .comment: try undo.takeComment(kept, of: account, at: now, in: db)
                case .match: try undo.takeMatch(kept, of: account, at: now, in: db)
                case .signup: try undo.takeSignup(kept, at: now, in: db)
                case .promise: try undo.takePromise(kept, at: now, in: db)
                case .claim: try undo.takeClaim(kept, of: account, at: now, in: db)
                case .wait: try undo.takeWait(kept, of: account, at: now, in: db)
                case .companion: try undo.takeCompanion(kept, of: account, at: now, in: db)
                case .meeting: try undo.takeMeeting(kept, of: account, at: now, in: db)
                case .challenge: try undo.takeChallenge(kept, of: account, at: now, in: db)
                }
        } catch DatabaseError.constraint {
            throw Refused(
                words: "Meanwhile something else has taken its place, or what it belongs to is gone.", link: undo.link)
        } catch var refused as Refused {
            refused.link = undo.link
            throw refused
        }
        // Which page it leads to is known at the next press as well; nothing else is.
        let marks = kept.entries.filter { [ownMark, Draft.ownMark, kindMark].contains($0.name) }
        try db.execute(
            "UPDATE undo SET is_done = \(true), label = '', kept = \(Draft.text(of: marks)) WHERE id = \(id)")
        return (undo, outcome, owner, true)
    }

    /// Which form a draft was of.
    private static func draft(_ kept: FormBody) -> Draft.Kind {
        kept[kindMark].flatMap { Draft.Kind(rawValue: $0) } ?? .event
    }

    /// Erases what was kept and can't be taken back anymore.
    ///
    /// - Returns: how much there was.
    @discardableResult static func eraseOld(at now: Instant, in db: Connection) throws -> Int {
        try db.execute("DELETE FROM undo WHERE ends_at <= \(now)")
    }

    private func takePlaces(_ kept: FormBody, at now: Instant, in db: Connection) throws -> Outcome {
        let people = kept.all("person").compactMap { ID<Registration.Person>($0) }
        do {
            let parties = try Self.parties(of: people, in: db)
            if parties.isEmpty { throw Registration.ChildrenChanged() }
            for (party, people) in parties.sorted(by: { $0.key < $1.key }) {
                try Registration.takeBack(people, of: party, at: now, in: db)
            }
        } catch is Event.NoRoom {
            throw Refused(words: "Meanwhile others have the place, or one can’t register anymore.")
        } catch is Registration.ChildrenChanged {
            throw Refused(words: "The child is registered again already, or was removed.")
        }
        try CareNote.askAgain(kept.all("notes").compactMap { ID($0) }, in: db)
        return .whole
    }

    /// Those who left come back, all or nobody; and each to what there is still room in.
    private func takeVisit(
        _ kept: FormBody, of account: ID<Account>, at now: Instant, in db: Connection
    ) throws -> Outcome {
        let event = ID<Event>(subject)
        do {
            try Attendee.join(
                kept.all("person").compactMap { Attendee($0) }, of: account, at: event, now: now, in: db)
        } catch let refused as Attendee.Refused {
            throw Refused(words: refused.words)
        }
        var outcome = Outcome.whole
        for (name, way) in [("joined", Activity.join), ("waited", Activity.wait)] {
            for entry in kept.all(name) {
                let parts = entry.split(separator: " ").map(String.init)
                guard parts.count == 2, let activity = ID<Activity>(parts[0]), let attendee = Attendee(parts[1]) else {
                    continue
                }
                do {
                    try way([attendee], account, activity, event, now, db)
                } catch is Attendee.Refused {
                    outcome = .withoutActivities
                } catch Refusal.notFound {
                    outcome = .withoutActivities
                }
            }
        }
        return outcome
    }

    private func takeOffer(_ kept: FormBody, at now: Instant, in db: Connection) throws -> Outcome {
        let people = kept.all("person").compactMap { ID<Registration.Person>($0) }
        if let turn = kept["turn"].flatMap({ Int64($0) }) { return try takeTurn(turn, people, at: now, in: db) }
        let until = kept["until"].flatMap { Int64($0) }.map { Instant(milliseconds: $0) } ?? now
        do {
            try Registration.offerAgain(
                kept["places"].flatMap { Int($0) } ?? 0, to: ID(subject), people,
                extra: kept["extra"].flatMap { Int($0) } ?? 0, until: until, at: now, in: db)
        } catch is Event.NoRoom {
            throw Refused(words: "Meanwhile others have the place, or one can’t register anymore.")
        } catch is Offer.IsOver {
            throw Refused(words: "The time for an answer is over.")
        } catch is Registration.ChildrenChanged {
            throw Refused(words: "The child is registered again already, or was removed.")
        }
        return .whole
    }

    /// A party is in line again where it was.
    private func takeTurn(
        _ turn: Int64, _ people: [ID<Registration.Person>], at now: Instant, in db: Connection
    ) throws -> Outcome {
        do {
            guard try Registration.waitAgain(ID(subject), people, turn: turn, at: now, in: db) else {
                throw Refused(words: "Meanwhile it has begun, or was canceled.")
            }
        } catch is Registration.ChildrenChanged {
            throw Refused(words: "The child is registered again already, or was removed.")
        }
        return .whole
    }

    private func takeWait(
        _ kept: FormBody, of account: ID<Account>, at now: Instant, in db: Connection
    ) throws -> Outcome {
        guard let shift = kept["shift"].flatMap({ ID<Shift>($0) }), let row = kept["row"].flatMap({ Int64($0) }),
            let since = Self.instant(kept["at"])
        else { throw Refusal.notFound }
        let place = Shift.Place(
            id: row, opportunity: ID(subject), message: kept["message"] ?? "", since: since,
            children: kept.all("child").compactMap { ID($0) })
        guard try place.waitAgain(in: shift, of: account, at: now, in: db) else {
            throw Refused(words: "Meanwhile it has begun, or was closed or called off.")
        }
        return .whole
    }

    private func takeCompanion(
        _ kept: FormBody, of account: ID<Account>, at now: Instant, in db: Connection
    ) throws -> Outcome {
        guard let child = kept["person"].flatMap({ ID<Child>($0) }) else { throw Refusal.notFound }
        do {
            guard try Signup.bringAgain(child, with: ID(subject), of: account, at: now, in: db) else {
                throw Refused(words: "Meanwhile it has begun, or was closed or called off.")
            }
        } catch is Signup.Refused {
            throw Refused(words: "Meanwhile others have the place, or one can’t register anymore.")
        }
        return .whole
    }

    private func takeMeeting(
        _ kept: FormBody, of account: ID<Account>, at now: Instant, in db: Connection
    ) throws -> Outcome {
        guard let meeting = kept["meeting"].flatMap({ Meeting.Ended($0) }),
            try Meeting.callOn(meeting, in: ID(subject), by: account, at: now, db: db)
        else {
            throw Refused(words: "Meanwhile its time has come, you planned another one, or the match has ended.")
        }
        return .whole
    }

    private func takeChallenge(
        _ kept: FormBody, of account: ID<Account>, at now: Instant, in db: Connection
    ) throws -> Outcome {
        do {
            let message = kept["message"] ?? ""
            guard try Challenge.askAgain(ID(subject), message, by: account, at: now, in: db) else {
                throw Refused(words: "Meanwhile the link is too old.")
            }
        } catch let refused as Challenge.Refused {
            throw Refused(words: refused.words)
        }
        return .whole
    }

    private func takeChild(_ kept: FormBody, since: Instant, at now: Instant, in db: Connection) throws -> Outcome {
        guard let family = kept["family"].flatMap({ ID<Family>($0) }), let month = kept["month"].flatMap({ Int($0) }),
            let year = kept["year"].flatMap({ Int($0) })
        else { throw Refusal.notFound }
        let note = CareNote(
            allergies: kept["allergies"] ?? "", emergencyPhone: kept["phone"] ?? "",
            collectors: kept["collectors"] ?? "")
        let removed = Child(id: ID(subject), nickname: label, birthMonth: month, birthYear: year, note: note)
        let child: ID<Child>
        do {
            child = try Child.restore(removed, of: family, since: since, at: now, in: db)
        } catch is Child.TooMany {
            throw Refused(words: "A family can have \(Child.limit, as: "number") children here.")
        }
        try Registration.put(child, into: kept.all("row").compactMap { ID($0) }, in: db)
        var lost: Set<ID<Registration>> = []
        for (person, party) in try Registration.parties(of: kept.all("place").compactMap { ID($0) }, in: db) {
            do {
                try Registration.takeBack([person], of: party, at: now, in: db)
            } catch is Event.NoRoom {
                lost.insert(party)
            } catch is Registration.ChildrenChanged {
                lost.insert(party)
            }
        }
        let shared = kept.all("notes").compactMap { ID<Registration>($0) }
        try CareNote.askAgain(shared.filter { !lost.contains($0) }, in: db)
        return lost.isEmpty && (kept["shifts"] ?? "").isEmpty ? .whole : .withoutPlaces
    }

    private func takePost(
        _ kept: FormBody, of account: ID<Account>, at now: Instant, in db: Connection
    ) throws -> Outcome {
        guard let kind = kept["kind"].flatMap({ Post.Kind(rawValue: $0) }), let text = kept["text"],
            let audience = kept["audience"].flatMap({ Post.Audience(rawValue: $0) }),
            let createdAt = Self.instant(kept["created"])
        else { throw Refusal.notFound }
        let post = Post.Kept(
            id: ID(subject), text: text, kind: kind, audience: audience, showsChildren: kept["children"] == "1",
            event: kept["event"].flatMap { ID($0) }, once: kept["once"] ?? "", createdAt: createdAt,
            editedAt: Self.instant(kept["edited"]), hiddenAt: Self.instant(kept["hidden"]),
            isFirst: kept["first"] == "1", isHeard: kept["heard"] == "1",
            pictures: kept.all("picture").compactMap { ID($0) })
        try Post.restore(post, of: account, at: now, in: db)
        return post.isHeard ? .withoutAnswers : .whole
    }

    private func takeComment(
        _ kept: FormBody, of account: ID<Account>, at now: Instant, in db: Connection
    ) throws -> Outcome {
        guard let id = kept["comment"].flatMap({ ID<Comment>($0) }), let text = kept["text"],
            let author = kept["author"].flatMap({ ID<Account>($0) }), let createdAt = Self.instant(kept["created"])
        else { throw Refusal.notFound }
        let comment = Comment.Kept(
            id: id, author: author, text: text, once: kept["once"] ?? "", createdAt: createdAt,
            hiddenAt: Self.instant(kept["hidden"]))
        guard try Comment.restore(comment, to: ID(subject), at: now, in: db) else {
            throw Refused(words: "Meanwhile the post is gone or full, or its author has left.")
        }
        return .whole
    }

    private func takeMatch(
        _ kept: FormBody, of account: ID<Account>, at now: Instant, in db: Connection
    ) throws -> Outcome {
        guard let ended = Self.instant(kept["ended"]),
            try PetMatch.resume(
                ID(subject), endedAt: ended, wereApart: kept["parted"] == "1",
                kept.all("meeting").compactMap { Meeting.Ended($0) }, by: account, at: now, in: db)
        else {
            throw Refused(words: "Meanwhile the pet or its owner has left, or one of you blocked the other.")
        }
        return .whole
    }

    private func takeSignup(_ kept: FormBody, at now: Instant, in db: Connection) throws -> Outcome {
        guard let id = kept["row"].flatMap({ ID<Signup>($0) }), let ended = Self.instant(kept["at"]) else {
            throw Refusal.notFound
        }
        do {
            if let state = kept[Self.ownMark].flatMap({ Signup.State(rawValue: $0) }) {
                guard try Signup.holdAgain(id, as: state, givenBackAt: ended, at: now, in: db) else {
                    throw Refused(words: "Meanwhile it has begun, or was closed or called off.")
                }
                return .whole
            }
            guard try Signup.askAgain(id, declinedAt: ended, at: now, in: db) else {
                throw Refused(words: "Meanwhile it has begun or is closed, or they don’t wait for an answer anymore.")
            }
        } catch is Signup.Refused {
            throw Refused(words: "Meanwhile others have the place, or one can’t register anymore.")
        }
        return .whole
    }

    private func takePromise(_ kept: FormBody, at now: Instant, in db: Connection) throws -> Outcome {
        guard let id = kept["row"].flatMap({ ID<Promise>($0) }), let ended = Self.instant(kept["at"]) else {
            throw Refusal.notFound
        }
        let day = kept["day"].flatMap { Day(iso: $0) }
        guard try Promise.holdAgain(id, endedAt: ended, byGiver: isOwn, saidOn: day, at: now, in: db) else {
            throw Refused(words: "Meanwhile others promised it, or it isn’t wanted anymore.")
        }
        return .whole
    }

    private func takeClaim(
        _ kept: FormBody, of account: ID<Account>, at now: Instant, in db: Connection
    ) throws -> Outcome {
        guard let id = kept["row"].flatMap({ ID<Claim>($0) }),
            let state = kept["state"].flatMap({ Claim.State(rawValue: $0) }), let ended = Self.instant(kept["at"])
        else { throw Refusal.notFound }
        guard try Claim.holdAgain(id, as: state, endedAt: ended, by: account, at: now, in: db) else {
            throw Refused(words: "Meanwhile others promised it, or it isn’t needed anymore.")
        }
        return .whole
    }

    private func takeDraft(
        _ kept: FormBody, of account: ID<Account>, at now: Instant, in db: Connection
    ) throws -> Outcome {
        var submission = Submission<EventForm>(unfinished: kept)
        guard try !Draft.isKept(submission.once, of: account, in: db) else {
            throw Refused(words: "Meanwhile you kept a newer draft of the same. It stays as it is.")
        }
        if kept[Self.kindMark] == Draft.Kind.opportunity.rawValue {
            do {
                let content = Draft.Content(Submission<OpportunityForm>(unfinished: kept))
                try Draft.keep(content, of: account, by: account, at: now, in: db)
                return .whole
            } catch let many as Draft.TooMany {
                throw Refused(words: many.words)
            }
        }
        let picture = submission.form.picture
        let isPictureGone = try picture.map { try Picture.find($0, of: account, in: db) == nil } ?? false
        if isPictureGone { submission.fill(\.picture, nil) }
        do {
            var content = Draft.Content(submission, ProgrammeRows(kept))
            content.isOwn = kept[Draft.ownMark] != nil
            try Draft.keep(content, of: account, by: account, at: now, in: db)
        } catch let many as Draft.TooMany {
            throw Refused(words: many.words)
        }
        return isPictureGone ? .withoutPicture : .whole
    }

    private func takeEvent(
        _ kept: FormBody, of account: ID<Account>, at now: Instant, in db: Connection
    ) throws -> Outcome {
        let submission = Submission<EventForm>(unfinished: kept)
        let form = submission.form
        guard let host = try Event.host(account, in: db), let zone = Zone(identifier: kept["undo.zone"] ?? "")
        else { throw Refusal.notFound }
        var event = form.preview(by: host, zone: zone, currency: kept["undo.currency"] ?? "")
        event.id = ID(subject)
        event.programme = ProgrammeRows(kept).rows.map { $0.form.activity(from: form.date, in: zone) }
        event.picture = try form.picture.flatMap { try Picture.find($0, of: account, in: db) }
        event.createdAt = kept["undo.created"].flatMap { Int64($0) }.map { Instant(milliseconds: $0) } ?? now
        event.cancelledAt = kept["undo.cancelled"].flatMap { Int64($0) }.map { Instant(milliseconds: $0) }
        event.cancelReason = kept["undo.reason"] ?? ""
        event.isHiddenByStaff = kept["undo.hidden"] == "1"
        if let sibling = kept["undo.sibling"].flatMap({ ID<Event>($0) }) {
            event.series = try Event.find(sibling, in: db)?.series
        }
        try event.locate(in: db)
        do {
            try Event.restore(event, once: submission.once, at: now, in: db)
        } catch let full as Plan.IsFull {
            throw Refused(words: full.words)
        }
        return form.picture != nil && event.picture == nil ? .withoutPicture : .whole
    }
}
