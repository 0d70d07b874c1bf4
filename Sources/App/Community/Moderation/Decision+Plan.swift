/// Deciding in two steps: from what is known, what is to be done (a rule, without a database), and its carrying out.
extension Decision {
    /// What is known about a thing, its author and the member of staff who decides.
    struct Facts: Sendable {
        let subject: Subject
        let author: ID<Account>
        let staff: ID<Account>
        var rights: Rights
        /// The thing as it is now; nil where it is gone.
        var thing: Thing?
        /// What it waits for in the queue.
        var waitsFor: Matter.Wait?
        /// Whether it is about somebody who signed up, and waits to be let in.
        var isEntry = false
        /// The newest decision about it that its author answered, and to which nobody said anything yet.
        var answered: Decision?
        /// The newest decision that hides it.
        var hiding: Decision?
        var isSuspended = false
        /// Whether the author’s account is to be deleted already.
        var isLeaving = false

        struct Thing: Sendable {
            var isHidden = false
            /// Names what it says: another one means that it says something else.
            var version = ""
        }

        /// Whether nobody but staff has seen it yet.
        var isKeptBack: Bool { waitsFor == .first && thing?.isHidden == true }

        /// What can be decided about it.
        var verdicts: [Verdict] {
            if isEntry { return Verdict.ofEntry + [.suspend, .delete] }
            return answered?.verdicts ?? subject.kind.verdicts
        }
    }

    /// What their roles let somebody decide about somebody.
    struct Rights: Sendable {
        /// Whether the author looks after the site, suspended or not.
        var isOfStaff = false
        /// Whether the author runs the site.
        var isOfAdmin = false
        /// Whether nobody else could run it.
        var isOfLastAdmin = false
        /// Whether an admin decides.
        var isByAdmin = false
        /// Whether staff decide about their own words.
        var isOwn = false

        /// Staff are judged by an admin, and somebody goes on running the site.
        var mayJudge: Bool { !isOfStaff || isByAdmin && !isOfLastAdmin }
        /// What an admin wrote is an admin’s to hide or to write about.
        var mayRule: Bool { isOwn || !isOfAdmin || isByAdmin }

        func require(_ right: KeyPath<Rights, Bool>) throws(Refusal) {
            guard self[keyPath: right] else { throw Refusal.notAllowed }
        }
    }

    /// What a ruling comes to.
    enum Plan: Sendable {
        /// Somebody else did it meanwhile: theirs is in the log.
        case nothing
        /// Its author answered, and reads what becomes of it.
        case reply(Decision)
        /// These, one after the other; whether the last of them is what was asked for.
        case orders([Order], isWhole: Bool)
    }

    /// One decision to be carried out.
    struct Order: Sendable {
        let ruling: Ruling
        /// What changes in whether the thing is shown.
        var display: Display?
        /// Whether it ends what was decided about showing the thing.
        var endsDisplay: Bool { ruling.verdict.hides || ruling.verdict == .fine }
        /// Which earlier decisions about its author it ends, too.
        var endsOfAuthor: Verdict?
        /// Whether the thing waited to be shown: taken back, it waits once more.
        var isKeptBack = false
        /// Whether the thing leaves the queue.
        var settles = true
        /// Whether its author hears of it: not of reports that came to nothing.
        var tells = true

        enum Display: Sendable {
            case hide, show
            /// For the first time: those concerned are told.
            case showFirst
        }
    }

    /// What a ruling about a thing comes to.
    ///
    /// - Throws: `Refusal.notFound` for what isn’t there, or can’t be done to it; `Refusal.notAllowed` for acting on
    ///   oneself, or above one’s role; `Changed` where something is to be found fine that its author changed or
    ///   answered meanwhile.
    static func plan(_ ruling: Ruling, about facts: Facts) throws -> Plan {
        let verdict = ruling.verdict
        guard facts.thing != nil || !verdict.hides else { throw Refusal.notFound }
        if facts.answered != nil, verdict == .fine { throw Changed.answered }
        guard facts.verdicts.contains(verdict) else { throw Refusal.notFound }
        if let answered = facts.answered, verdict.isReply { return .reply(answered) }
        if verdict == .fine, let seen = ruling.seen, seen != (facts.thing?.version ?? "") { throw Changed() }
        // One's own case is for somebody else; taking one's own words away is one's right.
        if facts.rights.isOwn, verdict != .hide { throw Refusal.notAllowed }
        if verdict.isOnAccount { try facts.rights.require(\.mayJudge) }
        if verdict != .fine { try facts.rights.require(\.mayRule) }
        if verdict == .delete, !facts.isLeaving, facts.rights.isOfStaff { throw Refusal.notAllowed }

        var orders: [Order] = []
        // Held content stays hidden, also if its author is suspended.
        if facts.isKeptBack, ![.fine, .ask, .hide].contains(verdict) {
            orders.append(order(Ruling(verdict: .hide, ground: ruling.ground, reason: ruling.reason), about: facts))
        }
        guard !isDone(ruling, about: facts) else {
            return orders.isEmpty ? .nothing : .orders(orders, isWhole: false)
        }
        return .orders(orders + [order(ruling, about: facts)], isWhole: true)
    }

    /// Whether somebody else did it meanwhile. What members hid is staff's to decide.
    private static func isDone(_ ruling: Ruling, about facts: Facts) -> Bool {
        switch ruling.verdict {
        case .hide, .ask:
            guard facts.thing?.isHidden == true, !facts.isKeptBack else { return false }
            guard let last = facts.hiding else { return true }
            return last.staffID != nil && last.verdict == ruling.verdict
        case .suspend: return facts.isSuspended
        case .delete: return facts.isLeaving
        case .fine, .note, .limit, .admit, .refuse, .lift, .stands: return false
        }
    }

    private static func order(_ ruling: Ruling, about facts: Facts) -> Order {
        var order = Order(ruling: ruling)
        switch ruling.verdict {
        case .hide, .ask:
            if facts.thing?.isHidden != true || facts.isKeptBack { order.display = .hide }
            order.isKeptBack = ruling.verdict == .ask && facts.isKeptBack
        case .fine:
            order.display = facts.isKeptBack ? .showFirst : facts.hiding != nil ? .show : nil
            order.isKeptBack = facts.isKeptBack
            order.tells = facts.hiding != nil || facts.isKeptBack
        // The newest counts.
        case .limit: order.endsOfAuthor = .limit
        case .admit: order.endsOfAuthor = .refuse
        // A question put to somebody who waits leaves them waiting.
        case .note: order.settles = !facts.isEntry
        case .suspend, .refuse, .delete, .lift, .stands: break
        }
        return order
    }
}
