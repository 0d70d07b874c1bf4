import Database

extension Schema {
    /// What a host who wants one letter a day is to read in it, see `Digest`; and that choice, a channel beside the
    /// others. SQLite can't change a check: there the table is made anew.
    static let digests = Migration(
        name: "0043-digests",
        text: """
            CREATE TABLE digest (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                event_id @integer NOT NULL REFERENCES event (id) ON DELETE CASCADE,
                count @integer NOT NULL,
                due_at @integer NOT NULL,
                PRIMARY KEY (account_id, event_id)
            );
            CREATE INDEX digest_due ON digest (due_at, account_id);
            """,
        sqlite: """
            CREATE TABLE new_notice_choice (
                account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                kind TEXT NOT NULL,
                channel TEXT NOT NULL CHECK (channel IN ('inbox', 'mail', 'daily')),
                is_on INTEGER CHECK (is_on IN (0, 1)) NOT NULL,
                PRIMARY KEY (account_id, kind, channel)
            ) STRICT;
            INSERT INTO new_notice_choice (account_id, kind, channel, is_on)
            SELECT account_id, kind, channel, is_on FROM notice_choice ORDER BY account_id, kind, channel;
            DROP TABLE notice_choice;
            ALTER TABLE new_notice_choice RENAME TO notice_choice;
            """)
}
