import Database
import Forms

/// Undoing an action.
extension Undo {
    /// Undoes an action for the member who did it, or who looks after the same children, only once if it is pressed
    /// repeatedly.
    ///
    /// - Parameters:
    ///   - head: The account under which their children are registered, whose places they can also restore.
    ///   - host: The account for which they act, whose events and drafts they can also restore.
    /// - Throws: `Refusal.notFound` if it is somebody else's, or the ten minutes are over; `Refused`, and then nothing
    ///   is changed.
    static func take(
        _ id: ID<Undo>, of account: ID<Account>, registeredBy head: ID<Account>? = nil,
        actingFor host: ID<Account>? = nil, in tx: Transaction
    ) throws -> Taken {
        let found = try tx.first(
            """
            SELECT id, kind, subject, label, kept, is_done, ends_at, account_id FROM undo
            WHERE id = \(id) AND (account_id = \(account)
                OR account_id = \(head) AND kind IN ('places', 'offer', 'child')
                OR account_id = \(host) AND kind IN ('event', 'draft', 'signup', 'promise')) AND ends_at > \(tx.now)
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
        // A position on a waiting list is the family’s: either parent can restore it.
        let isOwnersAlone = undo.isOwn && undo.kind != .offer || kept[Draft.ownMark] != nil
        if owner != account, isOwnersAlone { throw Refusal.notFound }
        if found.isDone { return Taken(undo: undo, outcome: .whole, owner: owner, isNew: false) }
        if undo.publishes {
            for one in Set([account, owner]) { try Account.requireWriting(one, in: tx) }
        }
        let outcome: Outcome
        do {
            outcome =
                switch undo.kind {
                case .places: try undo.takePlaces(kept, in: tx)
                case .offer: try undo.takeOffer(kept, in: tx)
                case .child: try undo.takeChild(kept, since: since, in: tx)
                case .draft: try undo.takeDraft(kept, of: owner, in: tx)
                case .event: try undo.takeEvent(kept, of: owner, in: tx)
                case .visit: try undo.takeVisit(kept, of: account, in: tx)
                case .post: try undo.takePost(kept, of: account, in: tx)
                case .comment: try undo.takeComment(kept, in: tx)
                case .match: try undo.takeMatch(kept, of: account, in: tx)
                case .signup: try undo.takeSignup(kept, in: tx)
                case .promise: try undo.takePromise(kept, in: tx)
                case .claim: try undo.takeClaim(kept, of: account, in: tx)
                case .wait: try undo.takeWait(kept, of: account, in: tx)
                case .companion: try undo.takeCompanion(kept, of: account, in: tx)
                case .meeting: try undo.takeMeeting(kept, of: account, in: tx)
                case .challenge: try undo.takeChallenge(kept, of: account, in: tx)
                }
        } catch DatabaseError.constraint {
            throw Refused(
                words: "Something else has taken its place, or what it belongs to is gone.", link: undo.link)
        } catch var refused as Refused {
            refused.link = undo.link
            throw refused
        }
        // The next press only needs to know the page it leads to.
        let marks = kept.entries.filter { [ownMark, Draft.ownMark, kindMark].contains($0.name) }
        try tx.execute(
            "UPDATE undo SET is_done = \(true), label = '', kept = \(Draft.text(of: marks)) WHERE id = \(id)")
        return Taken(undo: undo, outcome: outcome, owner: owner, isNew: true)
    }

    private func takePlaces(_ kept: FormBody, in tx: Transaction) throws -> Outcome {
        let people: [ID<Registration.Person>] = kept.ids("person")
        let isWhole: Bool
        do {
            let parties = try Self.parties(of: people, in: tx)
            let turns = kept.all("turn").map { $0.split(separator: " ").compactMap { Int64($0) } }
                .filter { $0.count == 2 }
            if parties.isEmpty, turns.isEmpty { throw Registration.ChildrenChanged() }
            let all = parties.count + turns.count
            var back = 0
            for (party, people) in parties.sorted(by: { $0.key < $1.key }) {
                // Of several dates, the upcoming ones are restored.
                if all > 1, try Self.room(beside: party, in: tx) == nil { continue }
                try Registration.takeBack(people, of: party, in: tx)
                back += 1
            }
            for turn in turns {
                let people: [ID<Registration.Person>] = kept.ids("waits-\(turn[0])")
                if try Registration.waitAgain(ID(turn[0]), people, turn: turn[1], in: tx) { back += 1 }
            }
            if back == 0 { throw Event.NoRoom() }
            isWhole = back == all
        } catch is Event.NoRoom {
            throw Refused.full
        } catch is Registration.ChildrenChanged {
            throw Refused.changed
        }
        try CareNote.askAgain(kept.ids("notes"), in: tx)
        return isWhole ? .whole : .withoutBegun
    }

    /// Restores the people who left, all or none, and their activities that have room.
    private func takeVisit(_ kept: FormBody, of account: ID<Account>, in tx: Transaction) throws -> Outcome {
        let event = ID<Event>(subject)
        let people = kept.all("person").compactMap { Attendee(typed: $0) }
        let own = Set(try Attendee.children(of: account, in: tx).map { Attendee.child($0.id) })
        guard own.union([.me]).isSuperset(of: people) else { throw Refused.changed }
        let isOfSessions = try Event.find(event, in: tx)?.hasSessions == true
        // A child returns to an event with its sessions; those who only waited for an activity weren't at the event.
        if !isOfSessions, !people.isEmpty {
            do {
                try Attendee.join(people, of: account, at: event, in: tx)
            } catch let refused as Attendee.Refused {
                throw Refused(words: refused.words)
            }
        }
        var outcome = Outcome.whole
        var isBack = !isOfSessions && !people.isEmpty
        for name in ["joined", "waited"] {
            for entry in kept.all(name) {
                let parts = entry.split(separator: " ").map(String.init)
                guard parts.count >= 2, let activity = ID<Activity>(parts[0]), let attendee = Attendee(typed: parts[1])
                else {
                    continue
                }
                do {
                    if isOfSessions {
                        let held = try [
                            Activity.present(of: account, at: event, in: tx),
                            Activity.waiting(of: account, at: event, in: tx),
                        ]
                        if try Activity.clashes(activity, attendee, with: held, at: event, in: tx) {
                            outcome = .withoutActivities
                            continue
                        }
                    }
                    if name == "joined" {
                        try Activity.join([attendee], of: account, in: activity, of: event, tx: tx)
                    } else if parts.count == 4, let row = Int64(parts[2]), let since = Int64(parts[3]) {
                        let turn = Activity.Turn(row: row, since: Instant(milliseconds: since))
                        try Activity.wait([attendee], of: account, for: activity, of: event, turn: turn, tx: tx)
                    }
                    isBack = true
                } catch is Attendee.Refused {
                    outcome = .withoutActivities
                } catch Refusal.notFound {
                    outcome = .withoutActivities
                }
            }
        }
        guard isBack else { throw Refused.full }
        guard isOfSessions else { return outcome }
        if kept["notes"] != nil {
            let head = try Guardian.head(of: account, in: tx)
            try CareNote.askAgain(try Registration.parties(of: head, at: event, in: tx).map(\.id), in: tx)
        }
        try Reply.comeBack(leaving: kept.ids("row"), in: tx)
        return outcome
    }

    private func takeOffer(_ kept: FormBody, in tx: Transaction) throws -> Outcome {
        let people: [ID<Registration.Person>] = kept.ids("person")
        if let turn: Int64 = kept.number("turn") { return try takeTurn(turn, people, in: tx) }
        let until = kept.instant("until") ?? tx.now
        do {
            try Registration.offerAgain(
                kept.number("places") ?? 0, to: ID(subject), people,
                extra: kept.number("extra") ?? 0, until: until, in: tx)
        } catch is Event.NoRoom {
            throw Refused.full
        } catch is Offer.IsOver {
            throw Refused(words: "The time for an answer is over.")
        } catch is Registration.ChildrenChanged {
            throw Refused.changed
        }
        return .whole
    }

    /// Restores a party's position on the waiting list.
    private func takeTurn(_ turn: Int64, _ people: [ID<Registration.Person>], in tx: Transaction) throws -> Outcome {
        do {
            guard try Registration.waitAgain(ID(subject), people, turn: turn, in: tx) else {
                throw Refused.over
            }
        } catch is Registration.ChildrenChanged {
            throw Refused.changed
        }
        return .whole
    }

    private func takeWait(_ kept: FormBody, of account: ID<Account>, in tx: Transaction) throws -> Outcome {
        guard let shift: ID<Shift> = kept.id("shift"), let row: Int64 = kept.number("row"),
            let since = kept.instant("at")
        else { throw Refusal.notFound }
        let place = Shift.Place(
            id: row, opportunity: ID(subject), message: kept["message"] ?? "", since: since,
            children: kept.ids("child"))
        guard try place.waitAgain(in: shift, of: account, in: tx) else {
            throw Refused.over
        }
        return .whole
    }

    private func takeCompanion(_ kept: FormBody, of account: ID<Account>, in tx: Transaction) throws -> Outcome {
        guard let child: ID<Child> = kept.id("person") else { throw Refusal.notFound }
        do {
            guard try Signup.bringAgain(child, with: ID(subject), of: account, in: tx) else {
                throw Refused.over
            }
        } catch is Signup.Refused {
            throw Refused.full
        }
        return .whole
    }

    private func takeMeeting(_ kept: FormBody, of account: ID<Account>, in tx: Transaction) throws -> Outcome {
        guard let meeting = kept["meeting"].flatMap({ Meeting.Ended($0) }),
            try Meeting.reinstate(meeting, in: ID(subject), by: account, tx: tx)
        else {
            throw Refused(words: "Its time has come, you planned another one, or the match has ended.")
        }
        return .whole
    }

    private func takeChallenge(_ kept: FormBody, of account: ID<Account>, in tx: Transaction) throws -> Outcome {
        do {
            let message = kept["message"] ?? ""
            guard try Challenge.askAgain(ID(subject), message, by: account, in: tx) else {
                throw Refused(words: "The link is too old now.")
            }
        } catch let refused as Challenge.Refused {
            throw Refused(words: refused.words)
        }
        return .whole
    }

    private func takeChild(_ kept: FormBody, since: Instant, in tx: Transaction) throws -> Outcome {
        guard let family: ID<Family> = kept.id("family"), let month: Int = kept.number("month"),
            let year: Int = kept.number("year")
        else { throw Refusal.notFound }
        let note = CareNote(
            allergies: kept["allergies"] ?? "", emergencyPhone: kept["phone"] ?? "",
            collectors: kept["collectors"] ?? "")
        let removed = Child(id: ID(subject), nickname: label, birthMonth: month, birthYear: year, note: note)
        let child: ID<Child>
        do {
            child = try Child.restore(removed, of: family, since: since, in: tx)
        } catch is Child.TooMany {
            throw Refused(words: "A family can have \(Child.limit, as: "number") children here.")
        }
        try Registration.put(child, into: kept.ids("row"), in: tx)
        var lost: Set<ID<Registration>> = []
        let isAsked = try Registration.isAsked(kept.ids("place"), in: tx)
        for (person, party) in try Registration.parties(of: kept.ids("place"), in: tx) {
            do {
                try Registration.takeBack([person], of: party, in: tx)
            } catch is Event.NoRoom {
                lost.insert(party)
            } catch is Registration.ChildrenChanged {
                lost.insert(party)
            }
        }
        let shared: [ID<Registration>] = kept.ids("notes")
        try CareNote.askAgain(shared.filter { !lost.contains($0) }, in: tx)
        let hasWishes = try kept.all("wish").reduce(true) { all, text in
            guard let wish = Draw.KeptWish(text) else { return false }
            return try Draw.restore(wish, of: child, in: tx) && all
        }
        guard lost.isEmpty, hasWishes, (kept["shifts"] ?? "").isEmpty else { return .withoutPlaces }
        return isAsked ? .withoutReplies : .whole
    }

    private func takePost(_ kept: FormBody, of account: ID<Account>, in tx: Transaction) throws -> Outcome {
        guard let kind = kept["kind"].flatMap({ Post.Kind(rawValue: $0) }), let text = kept["text"],
            let audience = kept["audience"].flatMap({ Post.Audience(rawValue: $0) }),
            let createdAt = kept.instant("created")
        else { throw Refusal.notFound }
        let post = Post.Kept(
            id: ID(subject), text: text, kind: kind, audience: audience, showsChildren: kept["children"] == "1",
            event: kept.id("event"), once: kept["once"] ?? "", createdAt: createdAt,
            editedAt: kept.instant("edited"), hiddenAt: kept.instant("hidden"),
            isFirst: kept["first"] == "1", isHeard: kept["heard"] == "1",
            pictures: kept.ids("picture"))
        try Post.restore(post, of: account, in: tx)
        return post.isHeard ? .withoutAnswers : .whole
    }

    private func takeComment(_ kept: FormBody, in tx: Transaction) throws -> Outcome {
        guard let id: ID<Comment> = kept.id("comment"), let text = kept["text"],
            let author: ID<Account> = kept.id("author"), let createdAt = kept.instant("created")
        else { throw Refusal.notFound }
        let comment = Comment.Kept(
            id: id, author: author, text: text, once: kept["once"] ?? "", createdAt: createdAt,
            hiddenAt: kept.instant("hidden"))
        guard try Comment.restore(comment, to: ID(subject), in: tx) else {
            throw Refused(words: "The post is gone or full, or its author has left.")
        }
        return .whole
    }

    private func takeMatch(_ kept: FormBody, of account: ID<Account>, in tx: Transaction) throws -> Outcome {
        guard let ended = kept.instant("ended"),
            try PetMatch.resume(
                ID(subject), endedAt: ended, wereApart: kept["parted"] == "1",
                kept.all("meeting").compactMap { Meeting.Ended($0) }, by: account, in: tx)
        else {
            throw Refused(words: "The pet or its owner has left, or one of you blocked the other.")
        }
        return .whole
    }

    private func takeSignup(_ kept: FormBody, in tx: Transaction) throws -> Outcome {
        guard let id: ID<Signup> = kept.id("row"), let ended = kept.instant("at") else {
            throw Refusal.notFound
        }
        do {
            if let state = kept[Self.ownMark].flatMap({ Signup.State(rawValue: $0) }) {
                guard try Signup.holdAgain(id, as: state, givenBackAt: ended, in: tx) else {
                    throw Refused.over
                }
                return .whole
            }
            guard try Signup.askAgain(id, declinedAt: ended, in: tx) else {
                throw Refused(words: "It has started or is closed, or they no longer wait for an answer.")
            }
        } catch is Signup.Refused {
            throw Refused.full
        }
        return .whole
    }

    private func takePromise(_ kept: FormBody, in tx: Transaction) throws -> Outcome {
        guard let id: ID<Promise> = kept.id("row"), let ended = kept.instant("at") else {
            throw Refusal.notFound
        }
        let day = kept["day"].flatMap { Day(iso: $0) }
        guard try Promise.holdAgain(id, endedAt: ended, byGiver: isOwn, saidOn: day, in: tx) else {
            throw Refused.promised
        }
        return .whole
    }

    private func takeClaim(_ kept: FormBody, of account: ID<Account>, in tx: Transaction) throws -> Outcome {
        guard let id: ID<Claim> = kept.id("row"),
            let state = kept["state"].flatMap({ Claim.State(rawValue: $0) }), let ended = kept.instant("at")
        else { throw Refusal.notFound }
        guard try Claim.holdAgain(id, as: state, endedAt: ended, by: account, in: tx) else {
            throw Refused.promised
        }
        return .whole
    }

    private func takeDraft(_ kept: FormBody, of account: ID<Account>, in tx: Transaction) throws -> Outcome {
        var submission = Submission<EventForm>(unfinished: kept)
        guard try !Draft.isKept(submission.once, of: account, in: tx) else {
            throw Refused(words: "You have a newer draft of the same by now. It stays as it is.")
        }
        if kept[Self.kindMark] == Draft.Kind.opportunity.rawValue {
            do {
                let content = Draft.Content(Submission<OpportunityForm>(unfinished: kept))
                try Draft.keep(content, of: account, by: account, in: tx)
                return .whole
            } catch let many as Draft.TooMany {
                throw Refused(words: many.words)
            }
        }
        let picture = submission.form.picture
        let isPictureGone = try picture.map { try Picture.find($0, of: account, in: tx) == nil } ?? false
        if isPictureGone { submission.fill(\.picture, nil) }
        do {
            var content = Draft.Content(submission, ProgrammeRows(kept), AskRows(kept))
            content.isOwn = kept[Draft.ownMark] != nil
            try Draft.keep(content, of: account, by: account, in: tx)
        } catch let many as Draft.TooMany {
            throw Refused(words: many.words)
        }
        return isPictureGone ? .withoutPicture : .whole
    }

    private func takeEvent(_ kept: FormBody, of account: ID<Account>, in tx: Transaction) throws -> Outcome {
        let submission = Submission<EventForm>(unfinished: kept)
        let form = submission.form
        guard let host = try Event.host(account, in: tx), let zone = Zone(identifier: kept["undo.zone"] ?? "")
        else { throw Refusal.notFound }
        var event = form.preview(by: host, zone: zone, currency: kept["undo.currency"] ?? "")
        event.id = ID(subject)
        event.take(programme: ProgrammeRows(kept).rows.map { $0.form.activity(from: form.date, in: zone) })
        // The questions are linked with those of the other dates again.
        let roots = kept.all("undo.root").map { ID<Ask>($0) }
        event.asks = try AskRows(kept).asks.enumerated().map { place, ask in
            let root = place < roots.count ? roots[place] : nil
            return Ask(root: try root.flatMap { try Ask.exists($0, in: tx) ? $0 : nil }, content: ask.content)
        }
        event.picture = try form.picture.flatMap { try Picture.find($0, of: account, in: tx) }
        event.createdAt = kept.instant("undo.created") ?? tx.now
        event.cancelledAt = kept.instant("undo.cancelled")
        event.cancelReason = kept["undo.reason"] ?? ""
        event.isHiddenByStaff = kept["undo.hidden"] == "1"
        // Its registration settings are now those of its series: no date of a whole term is registered for separately.
        if let sibling: ID<Event> = kept.id("undo.sibling"), let found = try Event.find(sibling, in: tx) {
            event.series = found.series
            event.admission.booking = found.booking
        }
        try event.locate(in: tx)
        do {
            try Event.restore(event, once: submission.once, in: tx)
        } catch let full as Plan.IsFull {
            throw Refused(words: full.words)
        }
        try Cohost.restore(kept.all("undo.cohost"), at: event, in: tx)
        if let places: Int = kept.number("undo.held"), let until = kept.instant("undo.until") {
            try Hold.set(places, until: until, at: event.id, in: tx)
            // The dates of its series may go together by now.
            try Hold.follow(event, in: tx)
        }
        return form.picture != nil && event.picture == nil ? .withoutPicture : .whole
    }
}
