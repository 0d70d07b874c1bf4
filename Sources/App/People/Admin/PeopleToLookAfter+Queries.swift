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
    /// Who is found.
    ///
    /// - Parameter last: The last of the page before: its number where the newest stand first, else its user name.
    func found(after last: String?, in db: Connection) throws -> Page<Account> {
        guard isNewest else { return try Account.search(words, only: only, after: last, in: db) }
        if words.hasPrefix("@"), domain == nil { return Page([], of: Account.pageSize) }
        return try Account.newest(
            at: domain, invitedBy: inviter, only: only, before: last.flatMap { ID<Account>($0) }, in: db)
    }
}
