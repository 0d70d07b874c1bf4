import Database

extension PeopleToLookAfter.Search {
    /// One more than a page.
    ///
    /// - Parameter last: The last of the page before: its number where the newest stand first, else its user name.
    func found(after last: String?, in db: Connection) throws -> [Account] {
        guard isNewest else { return try Account.search(words, onlySuspended: onlySuspended, after: last, in: db) }
        if words.hasPrefix("@"), domain == nil { return [] }
        return try Account.newest(
            at: domain, invitedBy: inviter, onlySuspended: onlySuspended, before: last.flatMap { ID<Account>($0) },
            in: db)
    }
}
