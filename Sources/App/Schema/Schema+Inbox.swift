import Database

extension Schema {
    /// Notices, each written in the transaction of its cause, and where members want to receive them.
    ///
    /// `subject` is the number of what a notice is about apart from its event: an edit, an announcement, a question;
    /// `is_shown`, that the inbox has listed it to its reader.
    static let inbox = Migration(
        name: "inbox",
        text: """
            CREATE TABLE notice (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                kind @text NOT NULL,
                event_id @integer REFERENCES event (id) ON DELETE CASCADE,
                registration_id @integer REFERENCES registration (id) ON DELETE CASCADE,
                detail @text NOT NULL DEFAULT '',
                subject @integer,
                times @integer NOT NULL DEFAULT 1,
                at @integer NOT NULL,
                read_at @integer,
                is_shown @boolean NOT NULL DEFAULT FALSE
            );
            CREATE INDEX notice_account ON notice (account_id, id);
            CREATE INDEX notice_unread ON notice (account_id, id) WHERE read_at IS NULL;
            CREATE INDEX notice_event ON notice (event_id, account_id, kind);
            CREATE INDEX notice_beside ON notice (account_id, kind, subject) WHERE event_id IS NULL;
            CREATE INDEX notice_subject ON notice (subject, kind) WHERE event_id IS NULL;
            CREATE INDEX notice_registration ON notice (registration_id) WHERE registration_id IS NOT NULL;
            CREATE INDEX notice_at ON notice (at);

            CREATE TABLE notice_choice (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                kind @text NOT NULL,
                channel @text NOT NULL CHECK (channel IN ('inbox', 'mail', 'daily', 'push', 'calendar')),
                is_on @boolean NOT NULL,
                PRIMARY KEY (account_id, kind, channel)
            );
            CREATE INDEX notice_choice_on ON notice_choice (kind, channel, account_id) WHERE is_on;

            -- What a host who wants one letter a day is to read in it.
            CREATE TABLE digest (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                event_id @integer NOT NULL REFERENCES event (id) ON DELETE CASCADE,
                count @integer NOT NULL,
                due_at @integer NOT NULL,
                PRIMARY KEY (account_id, event_id)
            );
            CREATE INDEX digest_due ON digest (due_at, account_id);
            """)
}
