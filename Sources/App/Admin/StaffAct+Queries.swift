import Database

extension StaffAct {
    /// Writes the act down; part of the transaction that carries it out.
    static func record(
        _ verb: Verb, _ subject: String, _ subjectID: Int64, reason: String, by account: ID<Account>?, at now: Instant,
        in db: Connection
    ) throws {
        try db.execute(
            """
            INSERT INTO staff_act (account_id, verb, subject, subject_id, reason, at)
            VALUES (\(account), \(verb), \(subject), \(subjectID), \(reason), \(now))
            """)
    }

    /// The newest acts.
    static func latest(before id: Int64?, in db: Connection) throws -> [(id: Int64, act: StaffAct)] {
        try db.all(
            """
            SELECT staff_act.id, staff_act.at, account.username, staff_act.verb, staff_act.subject,
                staff_act.subject_id, staff_act.reason
            FROM staff_act LEFT JOIN account ON account.id = staff_act.account_id
            WHERE staff_act.id < \(id ?? .max) ORDER BY staff_act.id DESC LIMIT 51
            """
        ) {
            (
                try $0[0],
                StaffAct(
                    at: try $0[1], by: try $0[2] as String? ?? "the command line", verb: try $0[3],
                    subject: try $0[4], subjectID: try $0[5], reason: try $0[6])
            )
        }
    }
}

extension StaffAct.Verb: SQLValue {}
