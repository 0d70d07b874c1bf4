/// Decisions are made in two steps: a rule without a database turns facts into a plan, which is then carried out.
extension Decision {
    /// The facts about content, its author and the deciding staff member.
    struct Facts: Sendable {
        let subject: Subject
        let author: ID<Account>
        let staff: ID<Account>
        var rights: Rights
        /// The content now; nil if it is gone.
        var thing: Thing?
        /// What it waits for in the queue.
        var waitsFor: Matter.Wait?
        /// Whether it is about a new member who waits to be let in.
        var isEntry = false
        /// The newest decision about it that its author answered and staff haven't replied to.
        var answered: Decision?
        /// The newest decision that hides it.
        var hiding: Decision?
        var isSuspended = false
        /// Whether the author’s account is to be deleted already.
        var isLeaving = false

        struct Thing: Sendable {
            var isHidden = false
            /// Identifies the content's text and state: a different version means a change.
            var version = ""
        }

        /// Whether only staff have seen it so far.
        var isKeptBack: Bool { waitsFor == .first && thing?.isHidden == true }

        /// The possible verdicts.
        var verdicts: [Verdict] {
            if isEntry { return Verdict.ofEntry + [.suspend, .delete] }
            return answered?.verdicts ?? subject.kind.verdicts
        }
    }

    /// The rights to decide about somebody, depending on roles.
    struct Rights: Sendable {
        /// Whether the author is staff, suspended or not.
        var isOfStaff = false
        /// Whether the author is an admin.
        var isOfAdmin = false
        /// Whether the author is the only possible admin.
        var isOfLastAdmin = false
        /// Whether an admin decides.
        var isByAdmin = false
        /// Whether staff decide about their own content.
        var isOwn = false

        /// Staff can only be judged by an admin, and at least one admin must remain.
        var mayJudge: Bool { !isOfStaff || isByAdmin && !isOfLastAdmin }
        /// Only an admin may hide or comment on an admin's content.
        var mayRule: Bool { isOwn || !isOfAdmin || isByAdmin }

        func require(_ right: KeyPath<Rights, Bool>) throws(Refusal) {
            guard self[keyPath: right] else { throw Refusal.notAllowed }
        }
    }

    /// The result of a ruling.
    enum Plan: Sendable {
        /// Nothing, because somebody else decided first; the log has their decision.
        case nothing
        /// A reply to the author's answer.
        case reply(Decision)
        /// Orders to carry out in sequence; `isWhole` says whether the last one is the requested decision.
        case orders([Order], isWhole: Bool)
    }

    /// A decision to carry out.
    struct Order: Sendable {
        let ruling: Ruling
        /// The change of the content's visibility.
        var display: Display?
        /// Whether it ends earlier decisions about the content's visibility.
        var endsDisplay: Bool { ruling.verdict.hides || ruling.verdict == .fine }
        /// The earlier decisions about the author that it also ends.
        var endsOfAuthor: Verdict?
        /// Whether the content was waiting to be shown; if the decision is revoked, it waits again.
        var isKeptBack = false
        /// Whether the content leaves the queue.
        var settles = true
        /// Whether the author is notified: not of unfounded reports.
        var tells = true

        enum Display: Sendable {
            case hide, show
            /// Show it for the first time, and notify those concerned.
            case showFirst
        }
    }

    /// The plan for a ruling about content.
    ///
    /// - Throws: `Refusal.notFound` if the content is gone or the verdict doesn't apply; `Refusal.notAllowed` for a
    ///   decision about oneself or a higher role; `Changed` if it is to be found fine, but its author changed it or
    ///   answered meanwhile.
    static func plan(_ ruling: Ruling, about facts: Facts) throws -> Plan {
        let verdict = ruling.verdict
        guard facts.thing != nil || !verdict.hides else { throw Refusal.notFound }
        if facts.answered != nil, verdict == .fine { throw Changed.answered }
        guard facts.verdicts.contains(verdict) else { throw Refusal.notFound }
        if let answered = facts.answered, verdict.isReply { return .reply(answered) }
        if verdict == .fine, let seen = ruling.seen, seen != (facts.thing?.version ?? "") { throw Changed() }
        // Somebody else must decide one's own case, but anyone may take their own content away.
        if facts.rights.isOwn, verdict != .hide { throw Refusal.notAllowed }
        if verdict.isOnAccount { try facts.rights.require(\.mayJudge) }
        if verdict != .fine { try facts.rights.require(\.mayRule) }
        if verdict == .delete, !facts.isLeaving, facts.rights.isOfStaff { throw Refusal.notAllowed }

        var orders: [Order] = []
        // Held content stays hidden, even if its author is suspended.
        if facts.isKeptBack, ![.fine, .ask, .hide].contains(verdict) {
            orders.append(order(Ruling(verdict: .hide, ground: ruling.ground, reason: ruling.reason), about: facts))
        }
        guard !isDone(ruling, about: facts) else {
            return orders.isEmpty ? .nothing : .orders(orders, isWhole: false)
        }
        return .orders(orders + [order(ruling, about: facts)], isWhole: true)
    }

    /// Whether somebody else decided the same first. Content hidden by members is still to be decided.
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
        // The newest restriction counts.
        case .limit: order.endsOfAuthor = .limit
        case .admit: order.endsOfAuthor = .refuse
        // A question to a waiting member leaves them waiting.
        case .note: order.settles = !facts.isEntry
        case .suspend, .refuse, .delete, .lift, .stands: break
        }
        return order
    }
}
