import Database

extension TitledNews {
    /// Notifies one account.
    func tell(_ account: ID<Account>, at now: Instant, in db: Connection) throws {
        try tell("account.id = \(account)", at: now, in: db)
    }

    /// Notifies these accounts.
    ///
    /// - Parameter accounts: A condition on `account`.
    func tell(_ accounts: SQL, at now: Instant, in db: Connection) throws {
        try Notice.tell(news, accounts, at: now, in: db)
    }

    /// Notifies those of these accounts that heard of `told` that the previous state has been restored.
    ///
    /// - Parameters:
    ///   - told: The first news.
    ///   - then: The time of the first news.
    ///     - accounts: A condition on `account`.
    func tell(
        takingBack told: Self, of then: Instant, _ accounts: SQL, at now: Instant, in db: Connection
    ) throws {
        try Notice.tell(news, takingBack: told.news, of: then, accounts, at: now, in: db)
    }

    private var news: Notice.News { Notice.News(kind: kind, detail: detail, subject: about.rawValue) }
}
