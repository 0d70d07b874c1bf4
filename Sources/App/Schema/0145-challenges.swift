import Database

extension Schema {
    /// Acts that somebody asks a friend to do by a link. The link invites, too: the same token stands in `invitation`.
    /// Of an address that was written to for a member, nothing is kept but a keyed hash.
    static let challenges = Migration(
        name: "0145-challenges",
        text: """
            ALTER TABLE invitation ADD COLUMN is_challenge @boolean NOT NULL DEFAULT FALSE;

            CREATE TABLE challenge (
                id @id,
                token_hash @blob NOT NULL UNIQUE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                act @integer NOT NULL,
                message @text NOT NULL,
                made_at @integer NOT NULL,
                expires_at @integer NOT NULL,
                mailed_at @integer,
                ended @text CHECK (ended IN ('used', 'replaced')),
                taker_id @integer REFERENCES account (id) ON DELETE SET NULL,
                deed_id @integer REFERENCES deed (id) ON DELETE SET NULL,
                told_at @integer
            );
            CREATE INDEX challenge_account ON challenge (account_id, id);
            CREATE INDEX challenge_taker ON challenge (taker_id, act) WHERE taker_id IS NOT NULL;
            CREATE INDEX challenge_deed ON challenge (deed_id) WHERE deed_id IS NOT NULL;
            CREATE INDEX challenge_expires ON challenge (expires_at);

            CREATE TABLE written_address (
                hash @blob NOT NULL PRIMARY KEY,
                written_at @integer NOT NULL,
                refused_at @integer
            );
            CREATE INDEX letter_invited ON letter (state) WHERE kind = 'invited' AND address <> '';
            CREATE INDEX written_address_at ON written_address (written_at) WHERE refused_at IS NULL;
            """)
}
