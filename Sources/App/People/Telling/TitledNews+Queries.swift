import Database

extension TitledNews {
    /// Notifies one account.
    func tell(_ account: ID<Account>, in tx: Transaction) throws {
        try tell("account.id = \(account)", in: tx)
    }

    /// Notifies these accounts.
    ///
    /// - Parameter accounts: A condition on `account`.
    func tell(_ accounts: SQL, in tx: Transaction) throws {
        try Notice.tell(news, accounts, in: tx)
    }

    /// Notifies those of these accounts that heard of `told` that the previous state has been restored.
    ///
    /// - Parameters:
    ///   - told: The first news.
    ///   - then: The time of the first news.
    ///     - accounts: A condition on `account`.
    func tell(takingBack told: Self, of then: Instant, _ accounts: SQL, in tx: Transaction) throws {
        try Notice.tell(news, takingBack: told.news, of: then, accounts, in: tx)
    }

    /// Records that what these news asked for was done or can’t be done anymore: they need no reading.
    ///
    /// - Parameter those: A condition on `notice`, where it was done for some of the readers only.
    static func settle(
        _ all: [What], _ about: ID<Thing>, where those: SQL = "TRUE", in tx: Transaction
    ) throws {
        for what in all {
            try Notice.settle(
                Self(what, about, "").kind, what.rawValue, about: about.rawValue, where: those, in: tx)
        }
    }

    private var news: Notice.News { Notice.News(kind: kind, detail: detail, subject: about.rawValue) }
}
