extension Site {
    /// Whether newcomers are limited.
    var hasBrakes: Bool { settings.limitsRates }

    /// Whether search engines must not index an account's content, because it is new.
    func isNew(_ account: ID<Account>, at now: Instant) throws -> Bool {
        guard hasBrakes, !settled.has(account),
            let since = try read({ db in try Account.createdAt(account, in: db) })
        else { return false }
        guard Newcomer(since: since, at: now) == nil else { return true }
        settled.insert(account)
        return false
    }
}

extension Visit {
    /// The visitor's limits if they are new; nil for everyone else and for staff.
    var newcomer: Newcomer? {
        guard site.hasBrakes, let visitor, !visitor.isStaff else { return nil }
        return Newcomer(since: visitor.createdAt, at: now)
    }
}
