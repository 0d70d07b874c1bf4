import Database

extension Schema {
    /// Who waits for a shift, and when those in it are reminded; drafts of what organizations ask for; what an
    /// organization says of itself, what it was given in a year, and what is new there for those who follow it.
    static let hands = Migration(
        name: "0135-hands",
        text: """
            -- Who waits for a place in a shift, in the order in which they came.
            CREATE TABLE shift_wait (
                id @id,
                shift_id @integer NOT NULL REFERENCES shift (id) ON DELETE CASCADE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                message @text NOT NULL,
                created_at @integer NOT NULL
            );
            CREATE UNIQUE INDEX shift_wait_person ON shift_wait (shift_id, account_id);
            CREATE INDEX shift_wait_turn ON shift_wait (shift_id, id);
            CREATE INDEX shift_wait_account ON shift_wait (account_id);

            CREATE TABLE shift_reminder (
                shift_id @integer NOT NULL REFERENCES shift (id) ON DELETE CASCADE,
                lead @text NOT NULL CHECK (lead IN ('day', 'hours')),
                due_at @integer NOT NULL,
                PRIMARY KEY (shift_id, lead)
            );
            CREATE INDEX shift_reminder_due ON shift_reminder (due_at, shift_id);
            -- Of shifts that are there already a day is 24 hours, once.
            INSERT INTO shift_reminder (shift_id, lead, due_at)
            SELECT id, 'day', starts_at - 86400000 FROM shift WHERE removed_at IS NULL;
            INSERT INTO shift_reminder (shift_id, lead, due_at)
            SELECT id, 'hours', starts_at - 7200000 FROM shift WHERE removed_at IS NULL;

            ALTER TABLE draft ADD COLUMN kind @text NOT NULL DEFAULT 'event' CHECK (kind IN ('event', 'opportunity'));
            -- Why one was closed, as those read who meant to help.
            ALTER TABLE opportunity ADD COLUMN close_reason @text NOT NULL DEFAULT '';

            -- Less of a tag, of one event, or of one way to help. SQLite can't change a check.
            CREATE TABLE new_less (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                tag @text,
                event_id @integer REFERENCES event (id) ON DELETE CASCADE,
                opportunity_id @integer REFERENCES opportunity (id) ON DELETE CASCADE,
                CHECK ((tag IS NOT NULL) + (event_id IS NOT NULL) + (opportunity_id IS NOT NULL) = 1)
            );
            INSERT INTO new_less (id, account_id, tag, event_id)
            SELECT id, account_id, tag, event_id FROM less ORDER BY id;
            DROP TABLE less;
            ALTER TABLE new_less RENAME TO less;
            CREATE UNIQUE INDEX less_tag ON less (account_id, tag) WHERE tag IS NOT NULL;
            CREATE UNIQUE INDEX less_event ON less (account_id, event_id) WHERE event_id IS NOT NULL;
            CREATE UNIQUE INDEX less_help ON less (account_id, opportunity_id) WHERE opportunity_id IS NOT NULL;
            CREATE INDEX less_account ON less (account_id, id);
            CREATE INDEX less_of_event ON less (event_id) WHERE event_id IS NOT NULL;
            CREATE INDEX less_of_help ON less (opportunity_id) WHERE opportunity_id IS NOT NULL;
            CREATE INDEX less_of_tag ON less (tag) WHERE tag IS NOT NULL;

            ALTER TABLE provider ADD COLUMN mission @text;
            ALTER TABLE provider ADD COLUMN kind @text;
            ALTER TABLE provider ADD COLUMN asks @text;

            -- Whose hours an organization confirmed in a year, and how much they gave.
            CREATE TABLE organization_year (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                year @integer NOT NULL,
                helpers @integer NOT NULL CHECK (helpers >= 0),
                minutes @integer NOT NULL CHECK (minutes >= 0),
                PRIMARY KEY (account_id, year)
            );
            INSERT INTO organization_year (account_id, year, helpers, minutes)
            SELECT host_id, CAST(substr(day, 1, 4) AS INTEGER), count(DISTINCT account_id), sum(confirmed)
            FROM contribution WHERE confirmed IS NOT NULL AND EXISTS (
                SELECT 1 FROM account WHERE account.id = contribution.host_id AND account.left_at IS NULL)
            GROUP BY host_id, substr(day, 1, 4);

            -- What is new at an organization, for the next letter of who wants one a day.
            CREATE TABLE follow_digest (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                kind @text NOT NULL CHECK (kind IN ('opportunity', 'event')),
                number @integer NOT NULL,
                due_at @integer NOT NULL,
                PRIMARY KEY (account_id, kind, number)
            );
            CREATE INDEX follow_digest_due ON follow_digest (due_at, account_id);
            """)
}
