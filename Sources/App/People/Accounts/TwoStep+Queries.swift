import Database

extension TwoStep {
    /// An account's second step, active or being set up; a setup begun long ago is ignored.
    static func find(of account: ID<Account>, in tx: Transaction) throws -> TwoStep? {
        try tx.first(
            """
            SELECT account_id, secret, begun_at, turned_on_at, last_step, failures, waits_until FROM two_step
            WHERE account_id = \(account) AND (turned_on_at IS NOT NULL OR begun_at > \(tx.now - setUp))
            """
        ) { row in
            TwoStep(
                account: try row.next(), code: OneTimeCode(secret: try row.next()), begunAt: try row.next(),
                turnedOnAt: try row.next(), lastStep: try row.next(), failures: try row.next(),
                waitsUntil: try row.next())
        }
    }

    // MARK: Turning on and off

    /// Begins the setup with a new secret; does nothing if it is on.
    static func begin(of account: ID<Account>, in tx: Transaction) throws {
        guard try find(of: account, in: tx)?.isOn != true else { return }
        try tx.execute("DELETE FROM two_step WHERE account_id = \(account)")
        try tx.execute(
            """
            INSERT INTO two_step (account_id, secret, begun_at) VALUES (\(account), \(OneTimeCode().secret), \(tx.now))
            """)
    }

    /// Turns it on for a member who enters a code of the new secret.
    ///
    /// - Parameter codes: The hashes of the recovery codes, in order.
    /// - Returns: Whether it was turned on.
    static func turnOn(_ typed: String, codes: [String], of account: ID<Account>, in tx: Transaction) throws -> Bool {
        guard let two = try find(of: account, in: tx), !two.isOn,
            let step = two.code.step(of: typed, at: tx.now, after: 0)
        else { return false }
        try tx.execute(
            "UPDATE two_step SET turned_on_at = \(tx.now), last_step = \(step) WHERE account_id = \(account)")
        try tx.execute("UPDATE account SET two_step_by = NULL WHERE id = \(account)")
        try setRecoveryCodes(codes, of: account, in: tx)
        try Letter.write(.twoStepOn, to: account, token: nil, in: tx)
        return true
    }

    /// Turns it off. Staff must set it up again by `due`.
    ///
    /// - Returns: Whether it was on.
    @discardableResult
    static func turnOff(of account: ID<Account>, due: Instant, in tx: Transaction) throws -> Bool {
        let wasOn = try find(of: account, in: tx)?.isOn == true
        try tx.execute("DELETE FROM two_step WHERE account_id = \(account)")
        try tx.execute("DELETE FROM recovery_code WHERE account_id = \(account)")
        try tx.execute("UPDATE account SET two_step_by = \(due) WHERE id = \(account) AND is_staff")
        if wasOn { try Letter.write(.twoStepOff, to: account, token: nil, in: tx) }
        return wasOn
    }

    /// Turns it off if it was turned on after `since`, possibly with a thief's phone.
    static func turnOff(of account: ID<Account>, since: Instant, in tx: Transaction) throws {
        guard let on = try find(of: account, in: tx)?.turnedOnAt, on >= since else { return }
        try turnOff(of: account, due: tx.now + grace, in: tx)
    }

    /// Staff must set it up from their first log-in on.
    static func askStaff(_ account: ID<Account>, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE account SET two_step_by = \(tx.now + grace)
            WHERE id = \(account) AND is_staff AND two_step_by IS NULL AND NOT EXISTS (
                SELECT 1 FROM two_step WHERE two_step.account_id = account.id AND turned_on_at IS NOT NULL)
            """)
    }

    // MARK: Codes

    /// Checks an app code. A right code is used up in the same step, so that only one of two simultaneous log-ins
    /// succeeds.
    static func judge(_ typed: String, of account: ID<Account>, in tx: Transaction) throws -> Answer {
        guard let two = try find(of: account, in: tx), two.isOn else { return .wrong }
        guard two.waitsUntil <= tx.now else { return .waits(two.waitsUntil - tx.now) }
        guard let step = two.code.step(of: typed, at: tx.now, after: two.lastStep) else {
            try fail(two, in: tx)
            return .wrong
        }
        let count = try tx.execute(
            """
            UPDATE two_step SET last_step = \(step), failures = 0
            WHERE account_id = \(account) AND last_step < \(step)
            """)
        return count == 1 ? .right : .wrong
    }

    /// Counts a recovery code as wrong before it is checked, so that simultaneous guesses don't evade the limit.
    ///
    /// - Returns: Its hash; nil if it was used, or no code may be tried now.
    static func take(
        _ code: RecoveryCode, of account: ID<Account>, in tx: Transaction
    ) throws -> (answer: Answer, hash: String?) {
        guard let two = try find(of: account, in: tx), two.isOn else { return (.wrong, nil) }
        guard two.waitsUntil <= tx.now else { return (.waits(two.waitsUntil - tx.now), nil) }
        try fail(two, in: tx)
        let hash: String? = try tx.value(
            "SELECT hash FROM recovery_code WHERE account_id = \(account) AND number = \(code.number)")
        return (.wrong, hash)
    }

    /// Uses up a right recovery code, and notifies its owner.
    ///
    /// - Returns: Whether it hadn't been used meanwhile.
    static func use(_ code: RecoveryCode, _ hash: String, of account: ID<Account>, in tx: Transaction) throws -> Bool {
        let count = try tx.execute(
            """
            DELETE FROM recovery_code WHERE account_id = \(account) AND number = \(code.number) AND hash = \(hash)
            """)
        guard count == 1 else { return false }
        try forgive(account, in: tx)
        try Letter.write(.recovered, to: account, token: nil, besideOthers: true, in: tx)
        return true
    }

    private static func fail(_ two: TwoStep, in tx: Transaction) throws {
        let failures = two.failures + 1
        let wait = wait(after: failures).map { tx.now + $0 } ?? two.waitsUntil
        try tx.execute(
            "UPDATE two_step SET failures = \(failures), waits_until = \(wait) WHERE account_id = \(two.account)")
    }

    /// Resets the count of wrong codes: after a right one, and after a password reset by letter.
    static func forgive(_ account: ID<Account>, in db: Connection) throws {
        try db.execute("UPDATE two_step SET failures = 0, waits_until = 0 WHERE account_id = \(account)")
    }

    static func setRecoveryCodes(_ hashes: [String], of account: ID<Account>, in db: Connection) throws {
        try db.execute("DELETE FROM recovery_code WHERE account_id = \(account)")
        for (number, hash) in hashes.enumerated() {
            try db.execute(
                "INSERT INTO recovery_code (account_id, number, hash) VALUES (\(account), \(number), \(hash))")
        }
    }

    static func recoveryCodes(of account: ID<Account>, in db: Connection) throws -> Int {
        try db.value("SELECT count(*) FROM recovery_code WHERE account_id = \(account)") ?? 0
    }
}

extension PendingLogIn {
    static func start(_ token: Token, of account: ID<Account>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM pending_log_in WHERE ends_at <= \(tx.now)")
        try tx.execute(
            """
            INSERT INTO pending_log_in (token_hash, account_id, ends_at)
            VALUES (\(token.hash), \(account), \(tx.now + lifetime))
            """)
    }

    /// The account of a pending log-in, if it is still valid.
    static func find(_ token: Token, in tx: Transaction) throws -> ID<Account>? {
        try tx.value(
            """
            SELECT account.id FROM pending_log_in JOIN account ON account.id = pending_log_in.account_id
            WHERE pending_log_in.token_hash = \(token.hash) AND pending_log_in.ends_at > \(tx.now)
                AND account.suspended_at IS NULL AND account.left_at IS NULL
            """)
    }

    /// Ends a pending log-in.
    ///
    /// - Returns: Whether it was still valid: there was no new password, suspension or deletion meanwhile.
    static func use(_ token: Token, in tx: Transaction) throws -> Bool {
        let held = try find(token, in: tx) != nil
        try tx.execute("DELETE FROM pending_log_in WHERE token_hash = \(token.hash)")
        return held
    }

    static func endAll(of account: ID<Account>, in db: Connection) throws {
        try db.execute("DELETE FROM pending_log_in WHERE account_id = \(account)")
    }
}
