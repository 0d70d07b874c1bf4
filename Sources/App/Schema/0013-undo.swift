import Database

extension Schema {
    /// What can be taken back for ten minutes, what changed after families registered, and who came unannounced.
    ///
    /// `undo.kept` holds what is needed to bring back what was deleted, and is erased with the row. `change` is a
    /// receipt: what an event said before and says now, see `Change`; `change_seen` notes which family read it.
    static let undo = Migration(
        name: "0013-undo",
        text: """
            CREATE TABLE undo (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                kind @text NOT NULL CHECK (kind IN ('places', 'child', 'draft', 'event')),
                subject @integer NOT NULL,
                label @text NOT NULL,
                kept @text NOT NULL,
                ends_at @integer NOT NULL,
                is_done @boolean NOT NULL DEFAULT FALSE
            );
            CREATE INDEX undo_account ON undo (account_id, kind, id);
            CREATE INDEX undo_end ON undo (ends_at);

            CREATE TABLE change (
                id @id,
                event_id @integer NOT NULL REFERENCES event (id) ON DELETE CASCADE,
                at @integer NOT NULL,
                what @text NOT NULL CHECK (what IN ('time', 'place', 'price')),
                said_before @text NOT NULL,
                says_now @text NOT NULL
            );
            CREATE INDEX change_event ON change (event_id, id);

            CREATE TABLE change_seen (
                family_id @integer NOT NULL REFERENCES family (id) ON DELETE CASCADE,
                change_id @integer NOT NULL REFERENCES change (id) ON DELETE CASCADE,
                at @integer NOT NULL,
                PRIMARY KEY (family_id, change_id)
            );
            CREATE INDEX change_seen_change ON change_seen (change_id);

            CREATE INDEX registration_person_event ON registration_person (event_id, arrived_at);
            ALTER TABLE event ADD COLUMN walk_ins @integer NOT NULL DEFAULT 0 CHECK (walk_ins >= 0);
            """)
}
