import Database

extension Bounce {
    /// From a query over `account`: since when, and the server's answer.
    init?(of row: inout Row) throws {
        let (at, answer): (Instant?, String) = (try row.next(), try row.next())
        guard let at else { return nil }
        self.init(at: at, answer: answer)
    }

    /// The columns' values once mail is known to arrive.
    static let none: SQL = "refused_at = NULL, refusal = '', came_back = FALSE"

    /// Records that mail to an account's address is refused.
    ///
    /// - Parameter isLate: Whether the server accepted the letter first.
    static func note(
        _ answer: String, about address: String, of account: ID<Account>, isLate: Bool, in tx: Transaction
    ) throws {
        guard isOfAddress(answer) else { return }
        try tx.execute(
            """
            UPDATE account SET refused_at = \(tx.now), refusal = \(String(answer.prefix(longest))),
                came_back = \(isLate)
            WHERE id = \(account) AND email = \(address) AND refused_at IS NULL AND left_at IS NULL
            """)
    }

    /// Records that a mail server accepted a letter to an address it had refused. A server that accepts everything and
    /// bounces later proves nothing by it.
    static func end(_ address: String, of account: ID<Account>, in db: Connection) throws {
        try db.execute(
            """
            UPDATE account SET \(none)
            WHERE id = \(account) AND email = \(address) AND refused_at IS NOT NULL AND NOT came_back
            """)
    }
}

extension DeliveryReport {
    /// Records that a letter bounced.
    ///
    /// - Returns: Whether it was one of our letters that seemed to have arrived: the same report counts once.
    func note(in tx: Transaction) throws -> Bool {
        guard let found = try Letter.find(letter, in: tx), found.createdAt.milliseconds == writtenAt,
            found.state == .sent,
            let seal = try Seal(in: tx), found.mark(seal) == mark
        else { return false }
        try Letter.end(found.id, .failed, answer, in: tx)
        if let account = found.account {
            try Bounce.note(answer, about: found.address, of: account, isLate: true, in: tx)
        }
        return true
    }
}
