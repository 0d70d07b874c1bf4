import Database

extension Schema {
    /// What changed of an event is told with a receipt for each family it concerns: `change_seen.at` is when it was
    /// seen, null until then. The changes of one edit, on one date or on many, go by the number of its first,
    /// `edit_id`. Families are told of places and of the link to take part, too.
    ///
    /// `subject` is the number of what a notice or letter is about beside its event: an edit, an announcement, a
    /// question. An offer that was declined can be taken back. SQLite can't change a check: there the tables are made
    /// anew.
    static let receipts = Migration(
        name: "0040-receipts",
        text: """
            ALTER TABLE notice ADD COLUMN subject @integer;
            ALTER TABLE letter ADD COLUMN subject @integer;
            """,
        sqlite: """
            CREATE TABLE new_change (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
                edit_id INTEGER NOT NULL,
                at INTEGER NOT NULL,
                what TEXT NOT NULL CHECK (what IN ('time', 'place', 'places', 'price', 'ages', 'link')),
                said_before TEXT NOT NULL,
                says_now TEXT NOT NULL
            ) STRICT;
            INSERT INTO new_change (id, event_id, edit_id, at, what, said_before, says_now)
            SELECT id, event_id, (SELECT min(first.id) FROM change AS first
                    WHERE first.event_id = change.event_id AND first.at = change.at),
                at, what, said_before, says_now
            FROM change ORDER BY id;
            CREATE TABLE new_change_seen (
                account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                change_id INTEGER NOT NULL REFERENCES change (id) ON DELETE CASCADE,
                at INTEGER,
                PRIMARY KEY (account_id, change_id)
            ) STRICT;
            INSERT INTO new_change_seen (account_id, change_id, at)
            SELECT account_id, change_id, at FROM change_seen ORDER BY account_id, change_id;
            INSERT OR IGNORE INTO new_change_seen (account_id, change_id)
            SELECT registration.account_id, change.id FROM change
            JOIN registration ON registration.event_id = change.event_id AND registration.state = 'confirmed'
                AND registration.created_at < change.at
            ORDER BY registration.account_id, change.id;
            CREATE TABLE new_undo (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                kind TEXT NOT NULL CHECK (kind IN ('places', 'offer', 'child', 'draft', 'event')),
                subject INTEGER NOT NULL,
                label TEXT NOT NULL,
                kept TEXT NOT NULL,
                ends_at INTEGER NOT NULL,
                is_done INTEGER CHECK (is_done IN (0, 1)) NOT NULL DEFAULT FALSE
            ) STRICT;
            INSERT INTO new_undo (id, account_id, kind, subject, label, kept, ends_at, is_done)
            SELECT id, account_id, kind, subject, label, kept, ends_at, is_done FROM undo ORDER BY id;

            -- No number is ever given twice, not even that of the last row, deleted before this.
            DELETE FROM sqlite_sequence WHERE name IN ('new_change', 'new_undo');
            INSERT INTO sqlite_sequence (name, seq)
            SELECT 'new_' || name, seq FROM sqlite_sequence WHERE name IN ('change', 'undo');

            DROP TABLE change_seen;
            DROP TABLE change;
            DROP TABLE undo;
            ALTER TABLE new_change RENAME TO change;
            ALTER TABLE new_change_seen RENAME TO change_seen;
            ALTER TABLE new_undo RENAME TO undo;
            CREATE INDEX change_event ON change (event_id, id);
            CREATE INDEX change_edit ON change (edit_id, id);
            CREATE INDEX change_seen_change ON change_seen (change_id);
            CREATE INDEX change_unseen ON change_seen (account_id, change_id) WHERE at IS NULL;
            CREATE INDEX undo_account ON undo (account_id, kind, id);
            CREATE INDEX undo_end ON undo (ends_at);
            """)
}
