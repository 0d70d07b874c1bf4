import Database

extension Schema {
    /// Helpers' reviews of organizations, and who follows them.
    static let reviews = Migration(
        name: "reviews",
        text: """
            CREATE TABLE review (
                id @id,
                host_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                stars @integer NOT NULL CHECK (stars BETWEEN 1 AND 5),
                comment @text NOT NULL,
                year @integer NOT NULL,
                created_at @integer NOT NULL,
                edited_at @integer,
                hidden_at @integer,
                answer @text NOT NULL DEFAULT '',
                answered_at @integer,
                UNIQUE (host_id, account_id, year)
            );
            CREATE INDEX review_host ON review (host_id, id);
            CREATE INDEX review_account ON review (account_id, id);

            CREATE TABLE follow (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                host_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                at @integer NOT NULL,
                PRIMARY KEY (account_id, host_id)
            );
            CREATE INDEX follow_host ON follow (host_id);

            -- What is new there, for the next letter of those who want one a day.
            CREATE TABLE follow_digest (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                kind @text NOT NULL CHECK (kind IN ('opportunity', 'event')),
                number @integer NOT NULL,
                due_at @integer NOT NULL,
                PRIMARY KEY (account_id, kind, number)
            );
            CREATE INDEX follow_digest_due ON follow_digest (due_at, account_id);
            """)
}
