import Database
import Forms

/// Storing what is needed to undo an action.
extension Undo {
    /// Gives back a family's places at all dates of a series, and leaves the waiting lists there, undoably as a whole.
    static func givingBack(
        _ series: ID<Event>, from registration: Registration, of account: ID<Account>, in tx: Transaction
    ) throws {
        var (people, notes, turns): (Kept, Kept, Kept) = ([], [], [])
        var names: [String] = []
        for line in try Registration.lines(of: account, inSeries: series, in: tx) {
            let holders = try Registration.holders(of: line.id, [], in: tx)
            let isShared = try CareNote.isShared(of: holders.map(\.id), in: tx)
            let turn = try Registration.turn(of: line.id, of: account, in: tx)
            do {
                try Registration.giveBack(line.id, children: [], of: account, in: tx)
            } catch Refusal.notFound {
                // That date has begun, or was canceled.
                continue
            }
            names += holders.map { $0.name ?? "" }.filter { !names.contains($0) }
            if let turn {
                turns.append(("turn", "\(line.id) \(turn)"))
                turns += holders.map { ("waits-\(line.id)", "\($0.id)") }
            } else {
                people += holders.map { ("person", "\($0.id)") }
                if isShared { notes.append(("notes", "\(line.id)")) }
            }
        }
        guard !people.isEmpty || !turns.isEmpty else { return }
        let label = names.joined(separator: "\n")
        try keep(.places, registration.id.rawValue, label, people + notes + turns, of: account, in: tx)
    }

    /// Declines an offer; this can be undone while the places are free.
    static func declining(_ id: ID<Registration>, of account: ID<Account>, in tx: Transaction) throws {
        guard let offer = try Registration.offer(to: id, in: tx), offer.isPromised,
            let party = try Registration.find(id, of: account, in: tx)
        else { return try leavingLine(id, of: account, in: tx) }
        let people = try Registration.holders(of: id, [], in: tx)
        let extra = try Registration.extra(for: id, in: tx)
        try Registration.leave(id, of: account, in: tx)
        let kept: Kept = [
            ("places", "\(offer.places)"), ("until", "\(offer.endsAt.milliseconds)"), ("extra", "\(extra)"),
        ]
        try keep(
            .offer, id.rawValue, party.event.title, kept + people.map { (name: "person", value: "\($0.id)") },
            of: account, in: tx)
    }

    /// Removes a party from a waiting list; undoing restores its position.
    private static func leavingLine(_ id: ID<Registration>, of account: ID<Account>, in tx: Transaction) throws {
        let turn = try Registration.turn(of: id, of: account, in: tx)
        let people = try Registration.holders(of: id, [], in: tx)
        let title = try Registration.event(of: id, in: tx).flatMap { try Event.find($0, in: tx)?.title }
        try Registration.leave(id, of: account, in: tx)
        guard let turn, let title, !people.isEmpty else { return }
        try keep(
            .offer, id.rawValue, title,
            [("turn", "\(turn)"), (ownMark, "1")] + people.map { (name: "person", value: "\($0.id)") },
            of: account, in: tx)
    }

    /// Deletes a child with its upcoming places, undoably.
    static func removing(_ child: Child, of family: ID<Family>, account: ID<Account>, in tx: Transaction) throws {
        let rows = try Registration.rows(of: child.id, in: tx)
        let shared = try CareNote.registrations(sharing: child.id, in: tx)
        let places = try Registration.giveBack(everyPlaceOf: child.id, in: tx)
        let shifts = try Companion.part(child.id, in: tx)
        let wishes = try Draw.keptWishes(of: child.id, in: tx)
        try Child.delete(child.id, of: family, in: tx)
        let kept: Kept = [
            ("family", "\(family)"), ("month", "\(child.birthMonth)"), ("year", "\(child.birthYear)"),
            ("allergies", child.note.allergies), ("phone", child.note.emergencyPhone),
            ("collectors", child.note.collectors), ("shifts", shifts > 0 ? "1" : ""),
        ]
        let numbers =
            rows.map { (name: "row", value: "\($0)") } + places.map { (name: "place", value: "\($0)") }
            + shared.map { (name: "notes", value: "\($0)") }
            + wishes.map { (name: "wish", value: $0.text) }
        try keep(.child, child.id.rawValue, child.nickname, kept + numbers, of: account, in: tx)
    }

    /// Discards a draft, undoably.
    static func throwing(_ draft: Draft, of account: ID<Account>, in tx: Transaction) throws {
        var kept = draft.form.entries
        switch draft.kind {
        case .event:
            let picture = Submission<EventForm>(unfinished: draft.form).form.picture
            try picture.map { try Picture.touch($0, of: account, in: tx) }
        case .opportunity: kept.append((name: kindMark, value: draft.kind.rawValue))
        }
        if draft.isOwn { kept.append((name: Draft.ownMark, value: "1")) }
        try Draft.delete(draft.id, of: account, in: tx)
        try keep(.draft, draft.id.rawValue, draft.title, kept, of: account, in: tx)
    }

    /// Deletes an event without registrations, undoably: it is stored as the form that would post it.
    static func deleting(_ id: ID<Event>, of account: ID<Account>, in tx: Transaction) throws {
        // Read again, because staff may have hidden it since the page was drawn.
        guard var event = try Event.find(id, in: tx) else { throw Refusal.notFound }
        event.programme = try Activity.all(of: id, in: tx)
        event.asks = try Ask.all(of: event, in: tx)
        let form = Submission(filled: EventForm(event, pin: try event.pin(in: tx))).hidden
        let roots: Kept = (event.asks ?? []).map { ("undo.root", $0.root.map { "\($0)" } ?? "") }
        let sibling = try Series.sibling(of: event, in: tx)
        let cohosts = try Cohost.lines(of: id, in: tx).map { (name: "undo.cohost", value: $0) }
        let hold = try Hold.find(at: id, in: tx)
        try event.picture.map { try Picture.touch($0.id, of: account, in: tx) }
        try Event.delete(event, in: tx)
        let kept: Kept = [
            ("undo.zone", event.zone), ("undo.currency", event.price?.currency ?? ""),
            ("undo.sibling", sibling.map { "\($0)" } ?? ""),
            ("undo.created", "\(event.createdAt.milliseconds)"), ("undo.reason", event.cancelReason),
            ("undo.cancelled", event.cancelledAt.map { "\($0.milliseconds)" } ?? ""),
            ("undo.hidden", event.isHiddenByStaff ? "1" : ""), ("undo.held", hold.map { "\($0.places)" } ?? ""),
            ("undo.until", Self.text(of: hold?.until)),
        ]
        try keep(
            .event, event.id.rawValue, event.title,
            kept + form + ProgrammeRows(event).hidden + AskRows(event.asks).hidden + roots + cohosts,
            of: account, in: tx)
    }

    /// Deletes a post; its text and photos can be restored, but not its comments.
    static func deleting(_ id: ID<Post>, of account: ID<Account>, in tx: Transaction) throws {
        guard let post = try Post.Kept.find(id, of: account, in: tx) else { return }
        for picture in post.pictures { try Picture.touch(picture, of: account, in: tx) }
        try Post.delete(id, by: account, in: tx)
        let kept: Kept = [
            ("text", post.text), ("kind", post.kind.rawValue), ("audience", post.audience.rawValue),
            ("children", post.showsChildren ? "1" : ""), ("event", post.event.map { "\($0)" } ?? ""),
            ("once", post.once), ("created", Self.text(of: post.createdAt)), ("edited", Self.text(of: post.editedAt)),
            ("hidden", Self.text(of: post.hiddenAt)), ("first", post.isFirst ? "1" : ""),
            ("heard", post.isHeard ? "1" : ""),
        ]
        let pictures = post.pictures.map { (name: "picture", value: "\($0)") }
        try keep(.post, id.rawValue, Post.beginning(of: post.text), kept + pictures, of: account, in: tx)
    }

    /// Deletes a comment for its author or the post's, undoably.
    ///
    /// - Returns: The post.
    /// - Throws: `Refusal.notFound`.
    static func deleting(_ id: ID<Comment>, of account: ID<Account>, in tx: Transaction) throws -> ID<Post> {
        let comment = try Comment.Kept.find(id, in: tx)
        let post = try Comment.delete(id, by: account, in: tx)
        if let comment {
            let kept: Kept = [
                ("comment", "\(comment.id)"), ("author", "\(comment.author)"), ("text", comment.text),
                ("once", comment.once),
                ("created", Self.text(of: comment.createdAt)), ("hidden", Self.text(of: comment.hiddenAt)),
            ]
            try keep(.comment, post.rawValue, Post.beginning(of: comment.text), kept, of: account, in: tx)
        }
        return post
    }

    /// Ends a match, undoably.
    static func ending(_ match: PetMatch, by account: ID<Account>, in tx: Transaction) throws {
        let kept = try PetMatch.end(match.id, by: account, in: tx)
        try keep(.match, match.id.rawValue, "\(match.mine.name)\n\(match.other.name)", kept, of: account, in: tx)
    }

    // MARK: Giving back help

    /// Gives back a helper's place.
    ///
    /// - Throws: As for giving it back.
    static func givingBack(_ id: ID<Signup>, of account: ID<Account>, in tx: Transaction) throws {
        guard let signup = try Signup.find(id, in: tx) else { throw Refusal.notFound }
        guard try Signup.giveBack(id, of: account, in: tx) else { return }
        try keep(
            .signup, signup.opportunity.rawValue, signup.title,
            [("row", "\(id)"), ("at", text(of: tx.now)), (ownMark, signup.state.rawValue)], of: account, in: tx)
    }

    /// Withdraws a helper's promise.
    ///
    /// - Throws: As for withdrawing it.
    static func takingBack(_ id: ID<Promise>, of account: ID<Account>, in tx: Transaction) throws {
        guard let promise = try Promise.find(id, in: tx) else { throw Refusal.notFound }
        guard try Promise.cancel(id, of: account, in: tx) else { return }
        try keep(
            .promise, promise.opportunity.rawValue, "\(promise.count) × \(promise.thingName)",
            [("row", "\(id)"), ("at", text(of: tx.now)), (ownMark, "1")], of: account, in: tx)
    }

    /// Removes a helper from a shift's waiting list.
    static func leavingLine(of shift: ID<Shift>, of account: ID<Account>, in tx: Transaction) throws {
        guard let place = try Shift.Place.find(in: shift, of: account, in: tx) else { return }
        let title: String? = try tx.value("SELECT title FROM opportunity WHERE id = \(place.opportunity)")
        try Shift.stopWaiting(shift, of: account, in: tx)
        let kept: Kept = [
            ("shift", "\(shift)"), ("row", "\(place.id)"), ("at", text(of: place.since)), ("message", place.message),
            (ownMark, "1"),
        ]
        try keep(
            .wait, place.opportunity.rawValue, title ?? "",
            kept + place.children.map { (name: "child", value: "\($0)") }, of: account, in: tx)
    }

    /// Gives back the place of a child who would come with a helper.
    ///
    /// - Throws: As for giving it back.
    static func givingBack(
        _ child: ID<Child>, with signup: ID<Signup>, of account: ID<Account>, in tx: Transaction
    ) throws {
        guard try Companion.giveBack(child, with: signup, of: account, in: tx) else { return }
        let name: String? = try tx.value("SELECT nickname FROM child WHERE id = \(child)")
        try keep(
            .companion, signup.rawValue, name ?? "", [("person", "\(child)"), (ownMark, "1")], of: account, in: tx)
    }

    // MARK: Canceling

    /// Cancels a meeting for one of the owners.
    ///
    /// - Throws: As for canceling it.
    static func callingOff(
        _ meeting: Meeting, reason: String, by account: ID<Account>, in zone: Zone, tx: Transaction
    ) throws {
        let open = try Meeting.Ended.find(meeting.id, in: tx)
        try Meeting.callOff(meeting.id, reason: reason, by: account, in: zone, tx: tx)
        guard let open else { return }
        let other = meeting.account == account ? meeting.other : meeting.account
        let pet = try PetMatch.pet(of: other, in: meeting.match, tx)?.name ?? ""
        // An earlier entry of these two can no longer be undone.
        try tx.execute(
            """
            DELETE FROM undo WHERE account_id = \(account) AND kind = 'meeting' AND subject = \(meeting.match.rawValue)
            """)
        try keep(.meeting, meeting.match.rawValue, pet, [("meeting", open.text)], of: account, in: tx)
    }

    /// Withdraws a challenge to a friend.
    static func withdrawing(_ id: ID<Challenge>, by account: ID<Account>, in tx: Transaction) throws {
        guard let message = try Challenge.withdraw(id, by: account, in: tx) else { return }
        try keep(.challenge, id.rawValue, "", [("message", message)], of: account, in: tx)
    }
}

extension Child {
    /// Removes a child. Rows of past events keep a bare number; future places must be given back first.
    fileprivate static func delete(_ id: ID<Child>, of family: ID<Family>, in db: Connection) throws {
        try CareNote.erase(of: id, in: db)
        try Reply.erase(of: id, in: db)
        guard try db.execute("DELETE FROM child WHERE id = \(id) AND family_id = \(family)") == 1 else {
            throw Refusal.notFound
        }
    }
}
