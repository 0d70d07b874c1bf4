import Database

extension Schema {
    /// Young people without an account who come to a shift with somebody who helps there: of each of them the link for
    /// a parent, as a hash, and when a parent said yes.
    static let youngHelpers = Migration(
        name: "0148-young-helpers",
        text: """
            CREATE TABLE young_helper (
                id @id,
                signup_id @integer NOT NULL REFERENCES signup (id) ON DELETE CASCADE,
                token_hash @blob NOT NULL UNIQUE,
                expires_at @integer NOT NULL,
                agreed_at @integer,
                ended_at @integer,
                erase_at @integer NOT NULL
            );
            CREATE INDEX young_helper_signup ON young_helper (signup_id, id);
            CREATE INDEX young_helper_expires ON young_helper (expires_at) WHERE agreed_at IS NULL AND ended_at IS NULL;
            CREATE INDEX young_helper_erase ON young_helper (erase_at);
            """)
}
