import Database

extension Schema {
    /// Actions that can be undone for ten minutes. `kept` contains the data to restore what was deleted, and is erased
    /// with the row.
    static let undoing = Migration(
        name: "undoing",
        text: """
            CREATE TABLE undo (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                kind @text NOT NULL
                    CHECK (kind IN ('places', 'offer', 'child', 'draft', 'event', 'visit', 'post', 'comment', 'match',
                    'signup', 'promise', 'claim', 'wait', 'companion', 'meeting', 'challenge')),
                subject @integer NOT NULL,
                label @text NOT NULL,
                kept @text NOT NULL,
                ends_at @integer NOT NULL,
                is_done @boolean NOT NULL DEFAULT FALSE
            );
            CREATE INDEX undo_account ON undo (account_id, kind, id);
            CREATE INDEX undo_end ON undo (ends_at);
            """)
}
