import Database

extension Schema {
    /// Young people without an account who come to a shift with somebody who helps there: of each of them the link for
    /// a parent, as a hash, and when a parent said yes. Drafts that somebody keeps for themselves, beside those of the
    /// organization they own; and of what is done in an organization, whom it was about.
    static let together = Migration(
        name: "0148-together",
        text: """
            CREATE TABLE young_person (
                id @id,
                signup_id @integer NOT NULL REFERENCES signup (id) ON DELETE CASCADE,
                token_hash @blob NOT NULL UNIQUE,
                expires_at @integer NOT NULL,
                agreed_at @integer,
                ended_at @integer,
                erase_at @integer NOT NULL
            );
            CREATE INDEX young_person_signup ON young_person (signup_id, id);
            CREATE INDEX young_person_expires ON young_person (expires_at) WHERE agreed_at IS NULL AND ended_at IS NULL;
            CREATE INDEX young_person_erase ON young_person (erase_at);

            ALTER TABLE draft ADD COLUMN is_own @boolean NOT NULL DEFAULT FALSE;
            ALTER TABLE team_act ADD COLUMN about_id @integer REFERENCES account (id) ON DELETE SET NULL;
            CREATE INDEX team_act_about ON team_act (about_id) WHERE about_id IS NOT NULL;
            """)
}
