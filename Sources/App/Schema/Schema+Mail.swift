import Database

extension Schema {
    /// The outbox: a letter is recorded in the transaction of its cause, and composed when it is sent.
    ///
    /// `secret` is the token for a link in the letter, deleted with it; `ends_at` is when it would be too late. Letters
    /// to one address are sent in order. `claimed_by` is the node that is sending it, or crashed while doing so.
    static let mail = Migration(
        name: "mail",
        text: """
            CREATE TABLE letter (
                id @id,
                kind @text NOT NULL,
                account_id @integer REFERENCES account (id) ON DELETE CASCADE,
                address @text NOT NULL,
                event_id @integer REFERENCES event (id) ON DELETE CASCADE,
                registration_id @integer REFERENCES registration (id) ON DELETE CASCADE,
                detail @text NOT NULL DEFAULT '',
                secret @text NOT NULL DEFAULT '',
                state @text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'failed', 'late')),
                tries @integer NOT NULL DEFAULT 0,
                answer @text NOT NULL DEFAULT '',
                created_at @integer NOT NULL,
                due_at @integer NOT NULL,
                ends_at @integer NOT NULL,
                done_at @integer,
                subject @integer,
                claimed_by @integer,
                claimed_until @integer
            );
            CREATE INDEX letter_due ON letter (state, due_at, id);
            CREATE INDEX letter_ahead ON letter (address, id) WHERE state = 'waiting';
            CREATE INDEX letter_late ON letter (state, ends_at);
            CREATE INDEX letter_secret ON letter (ends_at) WHERE secret <> '';
            CREATE INDEX letter_state ON letter (state, id);
            CREATE INDEX letter_old ON letter (created_at);
            CREATE INDEX letter_account ON letter (account_id);
            CREATE INDEX letter_event ON letter (event_id) WHERE event_id IS NOT NULL;
            CREATE INDEX letter_registration ON letter (registration_id) WHERE registration_id IS NOT NULL;
            CREATE INDEX letter_strangers ON letter (state)
                WHERE kind IN ('invited', 'invitedHere', 'deleted', 'decided') AND address <> '';
            """)
}
