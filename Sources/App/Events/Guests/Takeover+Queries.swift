import Database

extension Takeover {
    /// The place with a code, for a member; nil if no place has the code, or no longer.
    init?(_ code: String, for member: Visitor, in tx: Transaction) throws {
        let guest: Guest? = try tx.first(
            "SELECT \(Guest.columns) FROM guest WHERE guest.code = \(code) AND guest.off_at IS NULL")
        guard let guest else { return nil }
        switch guest.seat {
        case .event(let party):
            guard let id = try Registration.event(of: party, in: tx), let event = try Event.find(id, in: tx),
                !event.isHidden, try !Block.stands(between: member.account, and: event.host.id, in: tx)
            else { return nil }
            let present = try Attendee.present(of: member.account, at: event.id, in: tx)
            let children = try Attendee.children(of: member.account, in: tx).map {
                (attendee: Attendee.child($0.id), name: $0.name)
            }
            let me = event.isForEveryone ? [(attendee: Attendee.me, name: "")] : []
            self.init(
                guest: guest, thing: .event(event),
                people: (me + children).map {
                    Person(attendee: $0.attendee, name: $0.name, isIn: present[$0.attendee] != nil)
                },
                isOpen: event.takesGuests(at: tx.now))
        case .shift(let id):
            let opportunity: ID<Opportunity>? = try tx.value(
                "SELECT opportunity_id FROM shift WHERE id = \(id) AND removed_at IS NULL")
            guard let opportunity, let shift = try Shift.find(id, in: tx),
                let found = try Opportunity.find(opportunity, in: tx), !found.isHidden,
                try !Block.stands(between: member.account, and: found.host.id, in: tx)
            else { return nil }
            let isIn = try Signup.holds(member.account, opportunity, id, in: tx)
            self.init(
                guest: guest, thing: .shift(shift, of: found),
                people: [Person(attendee: .me, name: "", isIn: isIn || found.host.id == member.account)],
                // What was called off has no shift. One that was helped in goes over with its hours.
                isOpen: shift.endsAt <= tx.now || !found.isClosed)
        }
    }

    /// Transfers the place to one of a member’s people, in one transaction.
    ///
    /// - Throws: `HasPlace`, or `Refusal.notFound` if somebody else has taken it over meanwhile.
    func takeOver(for attendee: Attendee, by account: ID<Account>, in tx: Transaction) throws -> Outcome {
        guard people.contains(where: { $0.attendee == attendee && !$0.isIn }) else { throw HasPlace() }
        // Until the end of the transaction, no other node gives it to anybody else.
        let isThere = try tx.execute("UPDATE guest SET code = code WHERE id = \(guest.id) AND off_at IS NULL") == 1
        guard isThere else { throw Refusal.notFound }
        if case .shift(let shift, let opportunity) = thing {
            let signup = try Signup.takeOver(shift, of: opportunity, by: account, in: tx)
            try Stay.takeOver(guest, as: signup, by: account, in: tx)
            try tx.execute("DELETE FROM guest WHERE id = \(guest.id)")
            return .signup(signup)
        }
        try tx.execute("DELETE FROM guest WHERE id = \(guest.id)")
        switch (thing, guest.seat) {
        case (.event(let event), .event(let party)):
            let head = try Guardian.head(of: account, in: tx)
            if let child = attendee.child {
                try Registration.stopWaiting(child, of: head, at: event.id, in: tx)
            }
            do {
                try tx.execute(
                    """
                    UPDATE registration_person SET child_id = \(attendee.child), is_self = \(attendee == .me)
                    WHERE registration_id = \(party)
                    """)
            } catch DatabaseError.constraint(.unique) {
                throw HasPlace()
            }
            guard event.isForEveryone else {
                try tx.execute(
                    """
                    UPDATE registration SET account_id = \(head), guardian_id = \(account == head ? nil : account),
                        once = \("guest-\(guest.id)"), updated_at = \(tx.now)
                    WHERE id = \(party)
                    """)
                try Registration.tell(of: party, by: head, at: event.id, in: tx)
                return .registration(party)
            }
            // A member has one party at a community event.
            let holder = attendee == .me ? account : head
            let own = try Attendee.party(of: holder, at: event.id, in: tx)
            try tx.execute("UPDATE registration_person SET registration_id = \(own) WHERE registration_id = \(party)")
            try tx.execute("DELETE FROM registration WHERE id = \(party)")
            if holder != account { try Attendee.note(account, at: event.id, of: head, in: tx) }
            return .visit(event.id)
        case (.event, .shift), (.shift, _): throw Refusal.notFound
        }
    }
}
