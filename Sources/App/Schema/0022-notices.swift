import Database

extension Schema {
    /// What somebody was told, written in the transaction of what it tells of; how many notices are unread, kept with
    /// the account; and what somebody wants to be told elsewhere than is usual.
    static let notices = Migration(
        name: "0022-notices",
        text: """
            CREATE TABLE notice (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                kind @text NOT NULL,
                event_id @integer NOT NULL REFERENCES event (id) ON DELETE CASCADE,
                registration_id @integer REFERENCES registration (id) ON DELETE CASCADE,
                detail @text NOT NULL DEFAULT '',
                times @integer NOT NULL DEFAULT 1,
                at @integer NOT NULL,
                read_at @integer
            );
            CREATE INDEX notice_account ON notice (account_id, id);
            CREATE INDEX notice_unread ON notice (account_id, id) WHERE read_at IS NULL;
            CREATE INDEX notice_event ON notice (event_id, account_id, kind);
            CREATE INDEX notice_registration ON notice (registration_id) WHERE registration_id IS NOT NULL;
            CREATE INDEX notice_at ON notice (at);

            CREATE TABLE notice_choice (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                kind @text NOT NULL,
                channel @text NOT NULL CHECK (channel IN ('inbox', 'mail')),
                is_on @boolean NOT NULL,
                PRIMARY KEY (account_id, kind, channel)
            );

            ALTER TABLE account ADD COLUMN unread @integer NOT NULL DEFAULT 0 CHECK (unread >= 0);
            """)
}
