import Database

extension Schema {
    /// People who don't want to meet each other, see `Block`.
    static let blocks = Migration(
        name: "0071-blocks",
        text: """
            CREATE TABLE block (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                blocked_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                at @integer NOT NULL,
                PRIMARY KEY (account_id, blocked_id)
            );
            CREATE INDEX block_blocked ON block (blocked_id, account_id);
            """)
}
