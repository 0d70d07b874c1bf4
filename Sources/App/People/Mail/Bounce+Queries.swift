import Database

extension Bounce {
    /// Of a query over `account`: since when, and what was said.
    init?(of row: inout Row) throws {
        let (at, answer): (Instant?, String) = (try row.next(), try row.next())
        guard let at else { return nil }
        self.init(at: at, answer: answer)
    }

    /// What an account's row says once letters are known to arrive.
    static let none: SQL = "refused_at = NULL, refusal = '', came_back = FALSE"

    /// Notes that an account's address takes no letters.
    ///
    /// - Parameter isLate: Whether its server took the letter first.
    static func note(
        _ answer: String, about address: String, of account: ID<Account>, isLate: Bool, at now: Instant,
        in db: Connection
    ) throws {
        guard isOfAddress(answer) else { return }
        try db.execute(
            """
            UPDATE account SET refused_at = \(now), refusal = \(String(answer.prefix(longest))), came_back = \(isLate)
            WHERE id = \(account) AND email = \(address) AND refused_at IS NULL AND left_at IS NULL
            """)
    }

    /// Notes that a mail server took a letter to an address that it had refused. One that takes everything, and sends
    /// it back later, shows nothing by it.
    static func end(_ address: String, of account: ID<Account>, in db: Connection) throws {
        try db.execute(
            """
            UPDATE account SET \(none)
            WHERE id = \(account) AND email = \(address) AND refused_at IS NOT NULL AND NOT came_back
            """)
    }
}

extension DeliveryReport {
    /// Notes that a letter came back.
    ///
    /// - Returns: Whether it was one of ours that was thought to have arrived: the same report counts once.
    func note(at now: Instant, in db: Connection) throws -> Bool {
        guard let found = try Letter.find(letter, in: db), found.createdAt.milliseconds == writtenAt,
            found.state == .sent,
            let seal = try Seal(in: db), found.mark(seal) == mark
        else { return false }
        try Letter.end(found.id, .failed, answer, at: now, in: db)
        if let account = found.account {
            try Bounce.note(answer, about: found.address, of: account, isLate: true, at: now, in: db)
        }
        return true
    }
}
