import Database

extension Schema {
    /// Logging in with a second step: the secret that an app on a phone shares, codes for when the phone is lost, and
    /// log-ins between the steps. `last_step` is the half minute of the last code that was used.
    static let twoStep = Migration(
        name: "0032-two-step",
        text: """
            CREATE TABLE two_step (
                id @id,
                account_id @integer NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
                secret @blob NOT NULL,
                begun_at @integer NOT NULL,
                turned_on_at @integer,
                last_step @integer NOT NULL DEFAULT 0,
                failures @integer NOT NULL DEFAULT 0,
                waits_until @integer NOT NULL DEFAULT 0
            );

            CREATE TABLE recovery_code (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                number @integer NOT NULL,
                hash @text NOT NULL,
                PRIMARY KEY (account_id, number)
            );

            CREATE TABLE pending_log_in (
                id @id,
                token_hash @blob NOT NULL UNIQUE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                ends_at @integer NOT NULL
            );
            CREATE INDEX pending_log_in_account ON pending_log_in (account_id);
            CREATE INDEX pending_log_in_ends ON pending_log_in (ends_at);

            ALTER TABLE account ADD COLUMN two_step_by @integer;
            """)
}
