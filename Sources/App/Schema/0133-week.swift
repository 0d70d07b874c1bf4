import Database

extension Schema {
    /// Calendars for an account, a family and each child, revocable one by one; the clock somebody lives by; where an
    /// activity is on the map, and who waits for one.
    static let week = Migration(
        name: "0133-week",
        text: """
            ALTER TABLE account ADD COLUMN zone @text;

            CREATE TABLE new_calendar_link (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                scope @text NOT NULL CHECK (scope IN ('account', 'family', 'child')),
                child_id @integer REFERENCES child (id) ON DELETE CASCADE,
                token_hash @blob NOT NULL UNIQUE,
                created_at @integer NOT NULL,
                CHECK ((child_id IS NOT NULL) = (scope = 'child'))
            );
            INSERT INTO new_calendar_link (id, account_id, scope, token_hash, created_at)
            SELECT id, account_id, 'family', token_hash, created_at FROM calendar_link ORDER BY id;
            DROP TABLE calendar_link;
            ALTER TABLE new_calendar_link RENAME TO calendar_link;
            CREATE UNIQUE INDEX calendar_link_scope ON calendar_link (account_id, scope, coalesce(child_id, 0));
            CREATE INDEX calendar_link_child ON calendar_link (child_id);

            ALTER TABLE activity ADD COLUMN latitude @real CHECK (latitude BETWEEN -90 AND 90);
            ALTER TABLE activity ADD COLUMN longitude @real CHECK (longitude BETWEEN -180 AND 180);

            -- When somebody came to an activity.
            ALTER TABLE attendance ADD COLUMN arrived_at @integer;

            -- Who waits for a place in an activity, in the order in which they came: the child, or the account itself.
            CREATE TABLE activity_wait (
                id @id,
                activity_id @integer NOT NULL REFERENCES activity (id) ON DELETE CASCADE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                child_id @integer REFERENCES child (id) ON DELETE CASCADE,
                created_at @integer NOT NULL
            );
            CREATE UNIQUE INDEX activity_wait_person
                ON activity_wait (activity_id, account_id, coalesce(child_id, 0));
            CREATE INDEX activity_wait_turn ON activity_wait (activity_id, id);
            CREATE INDEX activity_wait_account ON activity_wait (account_id);
            CREATE INDEX activity_wait_child ON activity_wait (child_id);
            """)
}
