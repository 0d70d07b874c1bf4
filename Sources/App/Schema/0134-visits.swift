import Database

extension Schema {
    /// Leaving a whole event can be taken back.
    static let visits = Migration(
        name: "0134-visits",
        text: """
            CREATE TABLE new_undo (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                kind @text NOT NULL CHECK (kind IN ('places', 'offer', 'child', 'draft', 'event', 'visit')),
                subject @integer NOT NULL,
                label @text NOT NULL,
                kept @text NOT NULL,
                ends_at @integer NOT NULL,
                is_done @boolean NOT NULL DEFAULT FALSE
            );
            INSERT INTO new_undo (id, account_id, kind, subject, label, kept, ends_at, is_done)
            SELECT id, account_id, kind, subject, label, kept, ends_at, is_done FROM undo ORDER BY id;
            DROP TABLE undo;
            ALTER TABLE new_undo RENAME TO undo;
            CREATE INDEX undo_account ON undo (account_id, kind, id);
            CREATE INDEX undo_end ON undo (ends_at);
            """)
}
