import Database

extension DraftList {
    /// - Parameter undos: The drafts that the account threw away recently.
    init(
        _ kind: Draft.Kind, of account: ID<Account>, for reader: ID<Account>, undos: [Undo], in zone: Zone,
        db: Connection
    ) throws {
        self.init(
            kind: kind, drafts: try Draft.all(kind, of: account, for: reader, in: db),
            undos: undos.filter { $0.draft == kind && (!$0.isOwnDraft || account == reader) }, zone: zone)
    }
}
