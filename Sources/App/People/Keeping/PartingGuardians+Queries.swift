import Database

/// When two parents no longer look after the same children.
extension Guardian {
    /// Ends the arrangement at either parent's wish: the children stay with the head, and the other parent is notified.
    static func end(by account: ID<Account>, in tx: Transaction) throws {
        let head = try head(of: account, in: tx)
        guard let second = try second(of: head, in: tx) else { return }
        try part(second, in: tx)
        try Companion.partOthers(of: second, in: tx)
        try forget(second, in: tx)
        try tell(.guardianOff, account == head ? second : head, in: tx)
    }

    /// Transfers the children and their registrations to the second parent when the head leaves.
    ///
    /// - Returns: Whether there is a second parent.
    @discardableResult static func handOver(by head: ID<Account>, in tx: Transaction) throws -> Bool {
        guard let second = try second(of: head, in: tx) else { return false }
        try part(second, in: tx)
        try tx.execute(
            """
            UPDATE child SET family_id = (SELECT id FROM family WHERE account_id = \(second))
            WHERE family_id = (SELECT id FROM family WHERE account_id = \(head))
            """)
        try tx.execute(
            """
            UPDATE change_seen SET account_id = \(second)
            WHERE account_id = \(head) AND NOT EXISTS (SELECT 1 FROM change_seen AS own
                WHERE own.account_id = \(second) AND own.change_id = change_seen.change_id)
                AND EXISTS (SELECT 1 FROM change JOIN event ON event.id = change.event_id
                    WHERE change.id = change_seen.change_id AND event.audience = 'kids')
            """)
        try tx.execute(
            """
            UPDATE registration SET account_id = \(second)
            WHERE account_id = \(head)
                AND EXISTS (SELECT 1 FROM event WHERE event.id = event_id AND audience = 'kids' AND NOT sessions)
            """)
        try tx.execute(
            """
            UPDATE activity_wait SET account_id = \(second)
            WHERE account_id = \(head) AND child_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM activity_wait AS own
                WHERE own.account_id = \(second) AND own.activity_id = activity_wait.activity_id
                    AND own.child_id = activity_wait.child_id)
            """)
        try tx.execute(
            """
            UPDATE wish_sheet SET account_id = \(second)
            WHERE account_id = \(head) AND NOT EXISTS (SELECT 1 FROM wish_sheet AS own
                WHERE own.account_id = \(second) AND own.draw_id = wish_sheet.draw_id)
            """)
        try Companion.partOthers(of: head, in: tx)
        try Attendee.handOver(by: head, to: second, in: tx)
        try forget(head, in: tx)
        try tell(.guardianOff, second, in: tx)
        return true
    }

    private static func part(_ second: ID<Account>, in db: Connection) throws {
        // Neither is told anymore what the other changed.
        let heads: SQL = "SELECT \(second) UNION ALL SELECT head_id FROM guardian WHERE account_id = \(second)"
        try db.execute("UPDATE child SET changed_by = NULL WHERE changed_by IN (\(heads))")
        try db.execute("DELETE FROM family_streak WHERE account_id IN (\(heads))")
        try db.execute("DELETE FROM guardian WHERE account_id = \(second)")
        try db.execute("UPDATE registration SET guardian_id = NULL WHERE guardian_id = \(second)")
    }

    /// Erases a parent's notices and undoable actions about children who are no longer theirs.
    private static func forget(_ account: ID<Account>, in db: Connection) throws {
        // Those about their own participation stay.
        let told: SQL = """
            account_id = \(account) AND kind IN \(list: NoticeKind.allCases.filter(\.isOfFamily))
                AND (EXISTS (SELECT 1 FROM event WHERE event.id = event_id AND audience = 'kids')
                    OR NOT EXISTS (SELECT 1 FROM registration AS own
                        WHERE own.account_id = \(account) AND own.id = coalesce(registration_id, own.id)
                            AND own.event_id = event_id))
            """
        try Notice.erase(told, in: db)
        try db.execute("DELETE FROM letter WHERE \(told) AND state = 'waiting'")
        try db.execute(
            """
            DELETE FROM undo WHERE account_id = \(account)
                AND kind IN ('places', 'offer', 'child', 'visit', 'wait', 'companion')
            """)
    }
}
