import Database

extension Schema {
    /// People are told of more than events: of a decision about what they wrote, for one. `notice.event_id` may be
    /// null, and `subject` then says what it is about. SQLite can't take a constraint back: there the table is made
    /// anew.
    static let noticesBesideEvents = Migration(
        name: "0070-notices",
        text: "",
        sqlite: """
            CREATE TABLE new_notice (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                kind TEXT NOT NULL,
                event_id INTEGER REFERENCES event (id) ON DELETE CASCADE,
                registration_id INTEGER REFERENCES registration (id) ON DELETE CASCADE,
                detail TEXT NOT NULL DEFAULT '',
                subject INTEGER,
                times INTEGER NOT NULL DEFAULT 1,
                at INTEGER NOT NULL,
                read_at INTEGER
            ) STRICT;
            INSERT INTO new_notice (id, account_id, kind, event_id, registration_id, detail, subject, times, at,
                read_at)
            SELECT id, account_id, kind, event_id, registration_id, detail, subject, times, at, read_at FROM notice
            ORDER BY id;

            -- No number is ever given twice, not even that of the last row, deleted before this.
            DELETE FROM sqlite_sequence WHERE name = 'new_notice';
            INSERT INTO sqlite_sequence (name, seq) SELECT 'new_notice', seq FROM sqlite_sequence WHERE name = 'notice';

            DROP TABLE notice;
            ALTER TABLE new_notice RENAME TO notice;
            CREATE INDEX notice_account ON notice (account_id, id);
            CREATE INDEX notice_unread ON notice (account_id, id) WHERE read_at IS NULL;
            CREATE INDEX notice_event ON notice (event_id, account_id, kind);
            CREATE INDEX notice_beside ON notice (account_id, kind, subject) WHERE event_id IS NULL;
            CREATE INDEX notice_registration ON notice (registration_id) WHERE registration_id IS NOT NULL;
            CREATE INDEX notice_at ON notice (at);
            """)
}
