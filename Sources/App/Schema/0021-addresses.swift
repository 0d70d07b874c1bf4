import Database

extension Schema {
    /// Which e-mail addresses are known to reach their account, and the links that show it.
    static let addresses = Migration(
        name: "0021-addresses",
        text: """
            ALTER TABLE account ADD COLUMN confirmed_at @integer;

            CREATE TABLE confirm_link (
                id @id,
                token_hash @blob NOT NULL UNIQUE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                email @text NOT NULL,
                expires_at @integer NOT NULL,
                ended @text CHECK (ended IN ('used', 'replaced'))
            );
            CREATE INDEX confirm_link_account ON confirm_link (account_id);
            CREATE INDEX confirm_link_expires ON confirm_link (expires_at);
            """)
}
