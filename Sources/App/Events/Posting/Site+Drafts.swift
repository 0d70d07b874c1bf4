import Database

extension Site {
    /// Saves the form as a draft of the account for which a member acts, if they still may.
    ///
    /// - Returns: A message if there are too many, and it wasn't saved.
    /// - Throws: `Refusal.notAllowed`; `SentForm.HasOtherWords` if a colleague saved another version since its form was
    ///   drawn.
    func keep(_ content: Draft.Content, by member: Visitor, at now: Instant) async throws -> Draft.TooMany? {
        do {
            try await write(at: now) { tx in
                try Colleague.require(.edit, of: member, for: member.acting, in: tx)
                try Draft.keep(content, of: member.acting, by: member.account, in: tx)
            }
            return nil
        } catch let many as Draft.TooMany {
            return many
        }
    }

    /// A colleague's newer version of the draft that a form continues.
    func newer(than content: Draft.Content, of account: ID<Account>, for reader: ID<Account>) throws -> Draft? {
        try read { db in try Draft.newer(than: content, of: account, for: reader, in: db) }
    }
}
