import Database

extension Schema {
    /// Acts that people chose or wrote themselves, the ledger of completed acts, its totals, and the whole town's total
    /// per month. The catalog's acts are in the code: their numbers are below 10,000.
    static let kindness = Migration(
        name: "kindness",
        text: """
            -- One that was proposed for everybody is hidden until those who run the site looked; one that was
            -- proposed and isn't hidden is in the catalog.
            CREATE TABLE own_act (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                name @text NOT NULL,
                description @text NOT NULL,
                theme @text NOT NULL,
                difficulty @text NOT NULL CHECK (difficulty IN ('easy', 'time', 'brave')),
                once @text NOT NULL,
                created_at @integer NOT NULL,
                proposed_at @integer,
                hidden_at @integer,
                UNIQUE (account_id, once)
            );
            CREATE INDEX own_act_account ON own_act (account_id, id);
            CREATE INDEX own_act_town ON own_act (id) WHERE proposed_at IS NOT NULL AND hidden_at IS NULL;

            CREATE TABLE my_act (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                act @integer NOT NULL,
                at @integer NOT NULL,
                PRIMARY KEY (account_id, act)
            );

            CREATE TABLE deed (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                kind @text NOT NULL CHECK (kind IN ('act', 'need')),
                act @integer NOT NULL,
                theme @text NOT NULL,
                day @text NOT NULL,
                points @integer NOT NULL CHECK (points >= 0),
                is_of_day @boolean NOT NULL,
                has_children @boolean NOT NULL,
                note @text NOT NULL,
                level @integer NOT NULL,
                once @text NOT NULL,
                done_at @integer NOT NULL,
                UNIQUE (account_id, act, once)
            );
            CREATE INDEX deed_day ON deed (account_id, day, act);
            CREATE INDEX deed_act ON deed (account_id, act, id);
            CREATE INDEX deed_done ON deed (account_id, done_at);
            CREATE INDEX deed_theme ON deed (account_id, theme);
            CREATE INDEX deed_of_day ON deed (account_id, day) WHERE is_of_day;

            CREATE TABLE standing (
                id @id,
                account_id @integer NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
                points @integer NOT NULL CHECK (points >= 0),
                acts @integer NOT NULL CHECK (acts >= 0),
                with_children @integer NOT NULL CHECK (with_children >= 0),
                themes @integer NOT NULL,
                streak_length @integer NOT NULL,
                streak_record @integer NOT NULL,
                streak_rests @integer NOT NULL,
                streak_first @text,
                streak_last @text,
                day_length @integer NOT NULL,
                day_record @integer NOT NULL,
                day_rests @integer NOT NULL,
                day_first @text,
                day_last @text,
                needs @integer NOT NULL DEFAULT 0 CHECK (needs >= 0),
                friends @integer NOT NULL DEFAULT 0 CHECK (friends >= 0)
            );

            CREATE TABLE pause (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                first @text NOT NULL,
                last @text NOT NULL
            );
            CREATE INDEX pause_account ON pause (account_id, first);

            -- One for friends comes from no deed.
            CREATE TABLE badge (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                kind @text NOT NULL,
                deed_id @integer REFERENCES deed (id) ON DELETE CASCADE,
                day @text NOT NULL,
                PRIMARY KEY (account_id, kind)
            );
            CREATE INDEX badge_deed ON badge (deed_id) WHERE deed_id IS NOT NULL;

            CREATE TABLE town_total (
                month @text NOT NULL,
                theme @text NOT NULL,
                count @integer NOT NULL CHECK (count >= 0),
                PRIMARY KEY (month, theme)
            );

            -- Parents who keep a streak together, each with the day from which on they do.
            CREATE TABLE family_streak (
                account_id @integer NOT NULL PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
                since @text NOT NULL
            );

            -- An act that a member asks a friend to do, by a link that also invites: its token is in `one_time_link`,
            -- too.
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
                told_at @integer,
                taken_at @integer
            );
            CREATE INDEX challenge_account ON challenge (account_id, id);
            CREATE INDEX challenge_taker ON challenge (taker_id, act) WHERE taker_id IS NOT NULL;
            CREATE INDEX challenge_deed ON challenge (deed_id) WHERE deed_id IS NOT NULL;
            CREATE INDEX challenge_expires ON challenge (expires_at);

            -- Of an address that was written to for a member, nothing is kept but a keyed hash.
            CREATE TABLE written_address (
                hash @blob NOT NULL PRIMARY KEY,
                written_at @integer NOT NULL,
                refused_at @integer
            );
            CREATE INDEX written_address_at ON written_address (written_at) WHERE refused_at IS NULL;

            -- Members who are reminded of the day’s kind act: at which minute of the day, and when next.
            CREATE TABLE act_reminder (
                account_id @integer PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
                minute @integer NOT NULL CHECK (minute BETWEEN 0 AND 1439),
                due_at @integer NOT NULL
            );
            CREATE INDEX act_reminder_due ON act_reminder (due_at, account_id);
            """)
}
