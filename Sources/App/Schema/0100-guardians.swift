import Database

extension Schema {
    /// Two parents who look after the same children: the second one acts for the family of the first, whose the
    /// children and their registrations stay; and which of the two registered.
    static let guardians = Migration(
        name: "0100-guardians",
        text: """
            CREATE TABLE guardian (
                account_id @integer PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
                head_id @integer NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
                since @integer NOT NULL
            );
            CREATE TABLE guardian_link (
                id @id,
                token_hash @blob NOT NULL UNIQUE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                expires_at @integer NOT NULL,
                ended @text CHECK (ended IN ('used', 'replaced'))
            );
            CREATE INDEX guardian_link_account ON guardian_link (account_id);
            CREATE INDEX guardian_link_expires ON guardian_link (expires_at);
            ALTER TABLE registration ADD COLUMN guardian_id @integer REFERENCES account (id);
            CREATE INDEX registration_guardian ON registration (guardian_id) WHERE guardian_id IS NOT NULL;
            """)
}
