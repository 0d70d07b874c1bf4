import Database

extension Schema {
    /// Shifts, the people who take them or wait for one, in the order in which they came, and the people they bring.
    static let signingUp = Migration(
        name: "signing-up",
        text: """
            -- `asked_at`: when those who were there were asked how long it took.
            CREATE TABLE shift (
                id @id,
                opportunity_id @integer NOT NULL REFERENCES opportunity (id) ON DELETE CASCADE,
                day @text NOT NULL,
                start_minute @integer NOT NULL,
                end_minute @integer NOT NULL,
                starts_at @integer NOT NULL,
                ends_at @integer NOT NULL,
                spots @integer NOT NULL CHECK (spots BETWEEN 1 AND 500),
                taken @integer NOT NULL DEFAULT 0 CHECK (taken BETWEEN 0 AND spots),
                lead @text NOT NULL,
                removed_at @integer,
                asked_at @integer
            );
            CREATE INDEX shift_over ON shift (ends_at, id) WHERE asked_at IS NULL AND removed_at IS NULL;
            CREATE INDEX shift_opportunity ON shift (opportunity_id, starts_at, id);

            CREATE TABLE shift_reminder (
                shift_id @integer NOT NULL REFERENCES shift (id) ON DELETE CASCADE,
                lead @text NOT NULL CHECK (lead IN ('day', 'hours')),
                due_at @integer NOT NULL,
                PRIMARY KEY (shift_id, lead)
            );
            CREATE INDEX shift_reminder_due ON shift_reminder (due_at, shift_id);

            CREATE TABLE signup (
                id @id,
                opportunity_id @integer NOT NULL REFERENCES opportunity (id) ON DELETE CASCADE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                shift_id @integer REFERENCES shift (id) ON DELETE CASCADE,
                state @text NOT NULL CHECK (state IN ('asked', 'confirmed', 'declined', 'cancelled')),
                message @text NOT NULL,
                created_at @integer NOT NULL,
                changed_at @integer NOT NULL,
                places @integer NOT NULL DEFAULT 1 CHECK (places >= 1),
                reminded_at @integer,
                lapsed @boolean NOT NULL DEFAULT FALSE
            );
            CREATE UNIQUE INDEX signup_open ON signup (account_id, opportunity_id, coalesce(shift_id, 0))
                WHERE state IN ('asked', 'confirmed');
            CREATE INDEX signup_opportunity ON signup (opportunity_id, id);
            CREATE INDEX signup_account ON signup (account_id, id);
            CREATE INDEX signup_shift ON signup (shift_id) WHERE shift_id IS NOT NULL;
            CREATE INDEX signup_asked ON signup (opportunity_id, created_at) WHERE state = 'asked';

            -- People who did not come, as their organization noted.
            CREATE TABLE absence (
                signup_id @integer PRIMARY KEY REFERENCES signup (id) ON DELETE CASCADE,
                at @integer NOT NULL
            );
            CREATE INDEX absence_at ON absence (at);

            -- The people who can have a place are found along the turns, however many wait.
            CREATE TABLE shift_wait (
                id @id,
                shift_id @integer NOT NULL REFERENCES shift (id) ON DELETE CASCADE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                message @text NOT NULL,
                created_at @integer NOT NULL,
                places @integer NOT NULL DEFAULT 1 CHECK (places >= 1)
            );
            CREATE UNIQUE INDEX shift_wait_person ON shift_wait (shift_id, account_id);
            CREATE INDEX shift_wait_account ON shift_wait (account_id);
            CREATE INDEX shift_wait_turn ON shift_wait (shift_id, id, account_id, places);

            -- Children who come with an adult of theirs, each in a place of their own, or who wait with one.
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

            -- People without an account who come with somebody who helps: the link for a parent, as a hash, and
            -- when a parent said yes.
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
            """)
}
