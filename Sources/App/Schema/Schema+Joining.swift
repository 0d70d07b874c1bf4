import Database

extension Schema {
    /// Links by which members invite others, and mail domains from which nobody signs up.
    static let joining = Migration(
        name: "joining",
        text: """
            CREATE TABLE invitation (
                id @id,
                token_hash @blob NOT NULL UNIQUE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                whom @text NOT NULL,
                expires_at @integer NOT NULL,
                ended @text CHECK (ended IN ('used', 'replaced')),
                is_challenge @boolean NOT NULL DEFAULT FALSE
            );
            CREATE INDEX invitation_account ON invitation (account_id, expires_at);
            CREATE INDEX invitation_expires ON invitation (expires_at);

            CREATE TABLE blocked_domain (
                domain @text NOT NULL PRIMARY KEY,
                staff_id @integer REFERENCES account (id) ON DELETE SET NULL,
                wave_id @integer REFERENCES wave (id) ON DELETE SET NULL,
                reason @text NOT NULL,
                at @integer NOT NULL
            );
            CREATE INDEX blocked_domain_staff ON blocked_domain (staff_id);
            CREATE INDEX blocked_domain_wave ON blocked_domain (wave_id) WHERE wave_id IS NOT NULL;
            """)
}
