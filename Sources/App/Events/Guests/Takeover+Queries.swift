import Database

extension Takeover {
    /// The place with a code, for a member; nil if no place has the code, or no longer.
    init?(_ code: String, for member: Visitor, at now: Instant, in db: Connection) throws {
        let guest: Guest? = try db.first(
            "SELECT \(Guest.columns) FROM guest WHERE guest.code = \(code) AND guest.off_at IS NULL")
        guard let guest else { return nil }
        switch guest.seat {
        case .event(let party):
            guard let id = try Registration.event(of: party, in: db), let event = try Event.find(id, in: db),
                !event.isHidden, try !Block.stands(between: member.account, and: event.host.id, in: db)
            else { return nil }
            let present = try Attendee.present(of: member.account, at: event.id, in: db)
            let children = try Attendee.children(of: member.account, in: db).map {
                (attendee: Attendee.child($0.id), name: $0.name)
            }
            let me = event.isForEveryone ? [(attendee: Attendee.me, name: "")] : []
            self.init(
                guest: guest, thing: .event(event),
                people: (me + children).map {
                    Person(attendee: $0.attendee, name: $0.name, isIn: present[$0.attendee] != nil)
                },
                isOpen: event.takesGuests(at: now))
        case .shift(let id):
            let opportunity: ID<Opportunity>? = try db.value(
                "SELECT opportunity_id FROM shift WHERE id = \(id) AND removed_at IS NULL")
            guard let opportunity, let shift = try Shift.find(id, in: db),
                let found = try Opportunity.find(opportunity, at: now, in: db), !found.isHidden,
                try !Block.stands(between: member.account, and: found.host.id, in: db)
            else { return nil }
            let isIn = try Signup.holds(member.account, opportunity, id, in: db)
            self.init(
                guest: guest, thing: .shift(shift, of: found),
                people: [Person(attendee: .me, name: "", isIn: isIn || found.host.id == member.account)],
                // What was called off has no shift. One that was helped in goes over with its hours.
                isOpen: shift.endsAt <= now || !found.isClosed)
        }
    }

    /// Transfers the place to one of a member’s people, in one transaction.
    ///
    /// - Throws: `HasPlace`, or `Refusal.notFound` if somebody else has taken it over meanwhile.
    func takeOver(for attendee: Attendee, by account: ID<Account>, at now: Instant, in db: Connection) throws -> Outcome
    {
        guard people.contains(where: { $0.attendee == attendee && !$0.isIn }) else { throw HasPlace() }
        // Until the end of the transaction, no other node gives it to anybody else.
        let isThere = try db.execute("UPDATE guest SET code = code WHERE id = \(guest.id) AND off_at IS NULL") == 1
        guard isThere else { throw Refusal.notFound }
        if case .shift(let shift, let opportunity) = thing {
            let signup = try Signup.takeOver(shift, of: opportunity, by: account, at: now, in: db)
            try Stay.takeOver(guest, as: signup, by: account, in: db)
            try db.execute("DELETE FROM guest WHERE id = \(guest.id)")
            return .signup(signup)
        }
        try db.execute("DELETE FROM guest WHERE id = \(guest.id)")
        switch (thing, guest.seat) {
        case (.event(let event), .event(let party)):
            let head = try Guardian.head(of: account, in: db)
            if let child = attendee.child {
                try Registration.stopWaiting(child, of: head, at: event.id, now: now, in: db)
            }
            do {
                try db.execute(
                    """
                    UPDATE registration_person SET child_id = \(attendee.child), is_self = \(attendee == .me)
                    WHERE registration_id = \(party)
                    """)
            } catch DatabaseError.constraint(.unique) {
                throw HasPlace()
            }
            guard event.isForEveryone else {
                try db.execute(
                    """
                    UPDATE registration SET account_id = \(head), guardian_id = \(account == head ? nil : account),
                        once = \("guest-\(guest.id)"), updated_at = \(now)
                    WHERE id = \(party)
                    """)
                try Registration.tell(of: party, by: head, at: event.id, now: now, in: db)
                return .registration(party)
            }
            // A member has one party at a community event.
            let holder = attendee == .me ? account : head
            let own = try Attendee.party(of: holder, at: event.id, now: now, in: db)
            try db.execute("UPDATE registration_person SET registration_id = \(own) WHERE registration_id = \(party)")
            try db.execute("DELETE FROM registration WHERE id = \(party)")
            if holder != account { try Attendee.note(account, at: event.id, of: head, in: db) }
            return .visit(event.id)
        case (.event, .shift), (.shift, _): throw Refusal.notFound
        }
    }
}
