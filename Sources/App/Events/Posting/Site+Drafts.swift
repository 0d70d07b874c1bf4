import Database

extension Site {
    /// Keeps what was typed as a draft.
    ///
    /// - Returns: What to say where there are too many, so that it isn't kept.
    /// - Throws: `SentForm.HasOtherWords` where a colleague kept something else of it since its form was drawn.
    func keep(
        _ content: Draft.Content, of account: ID<Account>, by keeper: ID<Account>, at now: Instant
    ) async throws -> Draft.TooMany? {
        do {
            try await write { db in try Draft.keep(content, of: account, by: keeper, at: now, in: db) }
            return nil
        } catch let many as Draft.TooMany {
            return many
        }
    }

    /// What a colleague kept meanwhile of the draft that a form goes on with.
    func newer(than content: Draft.Content, of account: ID<Account>, for reader: ID<Account>) throws -> Draft? {
        try read { db in try Draft.newer(than: content, of: account, for: reader, in: db) }
    }
}
