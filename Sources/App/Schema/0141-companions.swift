import Database

extension Schema {
    /// Children who come to a shift with an adult of theirs, each in a place of their own; and those who wait with one.
    static let companions = Migration(
        name: "0141-companions",
        text: """
            ALTER TABLE signup ADD COLUMN places @integer NOT NULL DEFAULT 1 CHECK (places >= 1);
            ALTER TABLE shift_wait ADD COLUMN places @integer NOT NULL DEFAULT 1 CHECK (places >= 1);
            -- Who can have a place is found along the turns, however many wait.
            DROP INDEX shift_wait_turn;
            CREATE INDEX shift_wait_turn ON shift_wait (shift_id, id, account_id, places);
            CREATE TABLE companion (
                signup_id @integer REFERENCES signup (id) ON DELETE CASCADE,
                wait_id @integer REFERENCES shift_wait (id) ON DELETE CASCADE,
                child_id @integer NOT NULL REFERENCES child (id) ON DELETE CASCADE,
                erase_at @integer NOT NULL,
                CHECK ((signup_id IS NULL) <> (wait_id IS NULL))
            );
            CREATE UNIQUE INDEX companion_signup ON companion (signup_id, child_id) WHERE signup_id IS NOT NULL;
            CREATE UNIQUE INDEX companion_wait ON companion (wait_id, child_id) WHERE wait_id IS NOT NULL;
            CREATE INDEX companion_child ON companion (child_id);
            CREATE INDEX companion_erase ON companion (erase_at);
            """)
}
