import Database

extension DraftList {
    init(
        _ kind: Draft.Kind, of account: ID<Account>, for reader: ID<Account>, in zone: Zone, at now: Instant,
        db: Connection
    ) throws {
        self.init(
            kind: kind, drafts: try Draft.all(kind, of: account, for: reader, in: db),
            undos: try Undo.all(.draft, of: account, at: now, in: db).filter {
                $0.draft == kind && (!$0.isOwnDraft || account == reader)
            }, zone: zone)
    }
}
