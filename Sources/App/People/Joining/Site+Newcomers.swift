extension Site {
    /// Whether those who are new here are slowed down.
    var hasBrakes: Bool { settings.limitsRates }

    /// Whether search engines are kept from what an account shows: it is new here.
    func isNew(_ account: ID<Account>, at now: Instant) throws -> Bool {
        guard hasBrakes, let since = try read({ db in try Account.createdAt(account, in: db) }) else { return false }
        return Newcomer(since: since, at: now) != nil
    }
}

extension Visit {
    /// What the visitor may do, where they are new; nil for everybody else, and for staff.
    var newcomer: Newcomer? {
        guard site.hasBrakes, let visitor, !visitor.isStaff else { return nil }
        return Newcomer(since: visitor.createdAt, at: now)
    }
}
