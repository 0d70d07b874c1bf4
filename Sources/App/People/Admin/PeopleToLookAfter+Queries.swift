import Database

extension PeopleToLookAfter.Only {
    /// A condition on `account`.
    var condition: SQL {
        switch self {
        case .suspended: "suspended_at IS NOT NULL"
        case .refused: "refused_at IS NOT NULL"
        }
    }
}

extension PeopleToLookAfter.Search {
    /// A page of the matching members.
    func found(in db: Connection) throws -> Page<Account> {
        guard isNewest else { return try Account.search(words, only: only, after: afterName, in: db) }
        if words.hasPrefix("@"), domain == nil { return .empty }
        return try Account.newest(at: domain, invitedBy: inviter, only: only, after: afterNewest, in: db)
    }
}

extension Account {
    /// Accounts whose user name, e-mail address, names or organization's names contain words that begin with each of
    /// the typed words; sorted by user name.
    static func search(
        _ text: String, only: PeopleToLookAfter.Only? = nil, after: Cursor<String>?, in db: Connection
    ) throws -> Page<Account> {
        var conditions: [SQL] = ["username > \(after?.keys ?? "")", "left_at IS NULL"]
        if let only { conditions.append(only.condition) }
        for typed in text.split(whereSeparator: \.isWhitespace).prefix(4) {
            let name = name(typed: String(typed))
            let word = SearchWords.ofName(String(typed)).joined()
            // The plus keeps the order of the user names, so that nothing needs sorting.
            conditions.append(
                """
                \(unindexed: "id") IN (
                    SELECT id FROM account WHERE username >= \(name) AND username < \(name + "\u{10FFFF}")
                    UNION ALL SELECT id FROM account WHERE email >= \(name) AND email < \(name + "\u{10FFFF}")
                    UNION ALL SELECT account_id FROM person_word
                        WHERE \(word) <> '' AND word >= \(word) AND word < \(word + "\u{10FFFF}"))
                """)
        }
        return try Page(of: pageSize, by: \.username) { limit in
            try db.all(
                """
                SELECT \(columns) FROM account
                WHERE \(conditions.joined(separator: " AND ")) ORDER BY username LIMIT \(limit)
                """, read)
        }
    }

    /// The newest accounts, optionally only those of a mail domain, invited by somebody, or with an open matter. Only
    /// for staff: a domain is searched for in all addresses.
    static func newest(
        at domain: MailDomain? = nil, invitedBy inviter: ID<Account>? = nil,
        only: PeopleToLookAfter.Only? = nil, after: Cursor<ID<Account>>?, in db: Connection
    ) throws -> Page<Account> {
        var conditions: [SQL] = ["account.id < \(after?.keys ?? ID(.max))", "left_at IS NULL"]
        if let domain { conditions.append("substr(email, \(position: "'@'", in: "email") + 1) = \(domain.name)") }
        if let inviter { conditions.append("inviter_id = \(inviter)") }
        if let only { conditions.append(only.condition) }
        return try Page(of: pageSize, by: \.id) { limit in
            try db.all(
                """
                SELECT \(columns) FROM account
                WHERE \(conditions.joined(separator: " AND ")) ORDER BY account.id DESC LIMIT \(limit)
                """, read)
        }
    }
}
