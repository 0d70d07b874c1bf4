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
