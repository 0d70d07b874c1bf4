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
        try Notice.tell(news, accounts, at: now, in: db)
    }

    /// Tells these accounts that it is as it was before, those of them who heard of `told`.
    ///
    /// - Parameters:
    ///   - told: What they were told first.
    ///   - then: When they were told.
    ///   - accounts: A condition on `account`.
    func tell(
        takingBack told: Self, of then: Instant, _ accounts: SQL, at now: Instant, in db: Connection
    ) throws {
        try Notice.tell(news, takingBack: told.news, of: then, accounts, at: now, in: db)
    }

    private var news: Notice.News { Notice.News(kind: kind, detail: detail, subject: about.rawValue) }
}
