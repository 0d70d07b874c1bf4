import Database

extension TitledNews {
    /// Tells one account.
    func tell(_ account: ID<Account>, at now: Instant, in db: Connection) throws {
        try tell("account.id = \(account)", at: now, in: db)
    }

    /// Tells these accounts.
    ///
    /// - Parameter accounts: A condition on `account`.
    func tell(_ accounts: SQL, at now: Instant, in db: Connection) throws {
        try Notice.tell(
            Notice.News(kind: kind, detail: detail, subject: about.rawValue), accounts, at: now, in: db)
    }
}
