import Database

extension Account {
    /// Suspends an account: its sessions end, and its events leave the lists.
    ///
    /// - Returns: Whether it wasn't suspended before.
    @discardableResult
    static func suspend(_ id: ID<Account>, in tx: Transaction) throws -> Bool {
        let count = try tx.execute(
            "UPDATE account SET suspended_at = \(tx.now) WHERE id = \(id) AND suspended_at IS NULL")
        guard count == 1 else { return false }
        try Session.endAll(of: id, in: tx)
        // An admin whose account was taken over may have invited anybody.
        try OneTimeLink.withdrawAll(.siteInvitation, of: id, in: tx)
        let events = try Event.ahead(of: id, in: tx)
        let (opportunities, needs) = (try Opportunity.listed(of: id, in: tx), try Need.listed(of: id, in: tx))
        try Event.relist("account_id = \(id)", in: tx)
        try Opportunity.relist("account_id = \(id)", in: tx)
        try Need.relist("account_id = \(id)", in: tx)
        try Event.tellHidden(events, in: tx)
        try Opportunity.tellHidden(opportunities, in: tx)
        try Need.tellHidden(needs, in: tx)
        // A place offered to somebody who can't take it goes to somebody else.
        try Registration.endOffers(of: id, in: tx)
        try Promise.endAll(of: id, in: tx)
        try Claim.endAll(of: id, in: tx)
        try PetMatch.callOff(of: id, in: tx)
        try TalkThread.callOff(of: id, in: tx)
        return true
    }

    /// Lifts a suspension, shows the events that it hid, and lets promises count again that it ended, where nobody else
    /// took them and their time isn't over. Events hidden by staff stay hidden. Places that others were offered since
    /// stay theirs.
    ///
    /// - Returns: Whether it was suspended.
    @discardableResult
    static func restore(_ id: ID<Account>, in tx: Transaction) throws -> Bool {
        let since: Instant? = try tx.value("SELECT suspended_at FROM account WHERE id = \(id)")
        guard let since else { return false }
        try tx.execute("UPDATE account SET suspended_at = NULL WHERE id = \(id)")
        try Event.relist("account_id = \(id)", in: tx)
        try Opportunity.relist("account_id = \(id)", in: tx)
        try Need.relist("account_id = \(id)", in: tx)
        try Promise.holdAllAgain(of: id, endedAt: since, in: tx)
        try Claim.holdAllAgain(of: id, endedAt: since, in: tx)
        try Event.tellShownAgain(Event.ahead(of: id, in: tx), in: tx)
        try Opportunity.tellShownAgain(Opportunity.listed(of: id, in: tx), in: tx)
        try Need.tellShownAgain(Need.listed(of: id, in: tx), in: tx)
        return true
    }
}
