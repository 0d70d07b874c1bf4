import Database

extension Schema {
    /// Acts that people chose or wrote themselves, the ledger of what they did, what it comes to, and what the whole
    /// town did in a month. The acts of the catalog stand in the code: a number below 10,000 is one of them.
    static let kindness = Migration(
        name: "0090-kindness",
        text: """
            CREATE TABLE own_act (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                name @text NOT NULL,
                description @text NOT NULL,
                theme @text NOT NULL,
                difficulty @text NOT NULL CHECK (difficulty IN ('easy', 'time', 'brave')),
                once @text NOT NULL,
                created_at @integer NOT NULL,
                UNIQUE (account_id, once)
            );

            CREATE INDEX own_act_account ON own_act (account_id, id);

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
                day_last @text
            );

            CREATE TABLE pause (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                first @text NOT NULL,
                last @text NOT NULL
            );
            CREATE INDEX pause_account ON pause (account_id, first);

            CREATE TABLE badge (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                kind @text NOT NULL,
                deed_id @integer NOT NULL REFERENCES deed (id) ON DELETE CASCADE,
                day @text NOT NULL,
                PRIMARY KEY (account_id, kind)
            );
            CREATE INDEX badge_deed ON badge (deed_id);

            CREATE TABLE town_total (
                month @text NOT NULL,
                theme @text NOT NULL,
                count @integer NOT NULL CHECK (count >= 0),
                PRIMARY KEY (month, theme)
            );
            """)
}
