import Database

extension Schema {
    /// People's contributions, certificates of them, and their totals for each organization.
    static let impact = Migration(
        name: "impact",
        text: """
            -- `helper_name` is the name under which an organization confirmed hours, `confirmer_id` the account that
            -- did; `in_minute` and `out_minute` are when somebody came and went, by the clock of the place. What an
            -- organization confirmed of somebody without an account goes with their row, until a member takes it over.
            CREATE TABLE contribution (
                id @id,
                account_id @integer REFERENCES account (id) ON DELETE CASCADE,
                kind @text NOT NULL CHECK (kind IN ('hours', 'shadow', 'money', 'things')),
                host_id @integer REFERENCES account (id) ON DELETE SET NULL,
                host_name @text NOT NULL,
                opportunity_id @integer REFERENCES opportunity (id) ON DELETE SET NULL,
                signup_id @integer REFERENCES signup (id) ON DELETE SET NULL,
                promise_id @integer UNIQUE REFERENCES promise (id) ON DELETE SET NULL,
                title @text NOT NULL,
                day @text NOT NULL,
                minutes @integer CHECK (minutes BETWEEN 1 AND 1560),
                confirmed @integer CHECK (confirmed BETWEEN 1 AND 1560),
                confirmed_at @integer,
                amount @integer CHECK (amount > 0),
                currency @text NOT NULL,
                count @integer CHECK (count > 0),
                once @text NOT NULL,
                at @integer NOT NULL,
                helper_name @text NOT NULL DEFAULT '',
                confirmer_id @integer REFERENCES account (id) ON DELETE SET NULL,
                in_minute @integer CHECK (in_minute BETWEEN 0 AND 1439),
                out_minute @integer CHECK (out_minute BETWEEN 0 AND 1439),
                guest_id @integer UNIQUE REFERENCES guest (id) ON DELETE CASCADE,
                UNIQUE (account_id, once),
                UNIQUE (signup_id, day),
                CHECK ((account_id IS NULL) <> (guest_id IS NULL))
            );
            CREATE INDEX contribution_account ON contribution (account_id, day, id);
            CREATE INDEX contribution_confirmer ON contribution (confirmer_id) WHERE confirmer_id IS NOT NULL;
            CREATE INDEX contribution_days ON contribution (host_id, day, id) WHERE confirmed IS NOT NULL;
            CREATE INDEX contribution_host ON contribution (host_id, account_id);
            CREATE INDEX contribution_opportunity ON contribution (opportunity_id, id);

            -- `is_own_name` says that it carries that name, not another.
            CREATE TABLE certificate (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                code @text NOT NULL UNIQUE,
                name @text NOT NULL,
                year @integer NOT NULL,
                minutes @integer NOT NULL CHECK (minutes > 0),
                lines @text NOT NULL,
                once @text NOT NULL,
                made_at @integer NOT NULL,
                withdrawn_at @integer,
                is_own_name @boolean NOT NULL DEFAULT TRUE,
                UNIQUE (account_id, once)
            );
            CREATE INDEX certificate_account ON certificate (account_id, id);

            CREATE TABLE organization_total (
                account_id @integer PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
                stars_1 @integer NOT NULL DEFAULT 0 CHECK (stars_1 >= 0),
                stars_2 @integer NOT NULL DEFAULT 0 CHECK (stars_2 >= 0),
                stars_3 @integer NOT NULL DEFAULT 0 CHECK (stars_3 >= 0),
                stars_4 @integer NOT NULL DEFAULT 0 CHECK (stars_4 >= 0),
                stars_5 @integer NOT NULL DEFAULT 0 CHECK (stars_5 >= 0),
                followers @integer NOT NULL DEFAULT 0 CHECK (followers >= 0),
                helpers @integer NOT NULL DEFAULT 0 CHECK (helpers >= 0),
                minutes @integer NOT NULL DEFAULT 0 CHECK (minutes >= 0)
            );

            -- How many helpers had hours confirmed by an organization in a year, and how much they gave.
            CREATE TABLE organization_year (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                year @integer NOT NULL,
                helpers @integer NOT NULL CHECK (helpers >= 0),
                minutes @integer NOT NULL CHECK (minutes >= 0),
                PRIMARY KEY (account_id, year)
            );
            """)
}
