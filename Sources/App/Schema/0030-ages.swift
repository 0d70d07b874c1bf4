import Database

extension Schema {
    /// Families are told of changed ages, too: `change.what` may say so. SQLite can't change a check: there the table
    /// is made anew.
    static let ages = Migration(
        name: "0030-ages",
        text: "",
        sqlite: """
            CREATE TABLE new_change (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
                at INTEGER NOT NULL,
                what TEXT NOT NULL CHECK (what IN ('time', 'place', 'price', 'ages')),
                said_before TEXT NOT NULL,
                says_now TEXT NOT NULL
            ) STRICT;
            INSERT INTO new_change (id, event_id, at, what, said_before, says_now)
            SELECT id, event_id, at, what, said_before, says_now FROM change ORDER BY id;

            -- No number is ever given twice, not even that of the last row, deleted before this.
            DELETE FROM sqlite_sequence WHERE name = 'new_change';
            INSERT INTO sqlite_sequence (name, seq) SELECT 'new_change', seq FROM sqlite_sequence WHERE name = 'change';

            DROP TABLE change;
            ALTER TABLE new_change RENAME TO change;
            CREATE INDEX change_event ON change (event_id, id);
            """)
}
