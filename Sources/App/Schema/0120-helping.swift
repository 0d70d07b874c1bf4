import Database

extension Schema {
    /// What organizations ask for, see `Opportunity`: its shifts and who signed up for them, the things that are wanted
    /// and who promised them; what people gave (`Contribution`), certificates of it, reviews, who follows whom.
    ///
    /// The number of an opportunity rises with time, so that its own order is that of the newest. What people see in
    /// numbers stands in the row that they see.
    static let helping = Migration(
        name: "0120-helping",
        text: """
            CREATE TABLE opportunity (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id),
                kind @text NOT NULL CHECK (kind IN ('volunteer', 'donate', 'shadow')),
                title @text NOT NULL,
                description @text NOT NULL,
                conditions @text NOT NULL,
                url @text NOT NULL,
                rhythm @text NOT NULL CHECK (rhythm IN ('shifts', 'regular', 'whenever')),
                hours @integer CHECK (hours BETWEEN 1 AND 60),
                age_from @integer CHECK (age_from BETWEEN 0 AND 99),
                with_adult @boolean NOT NULL,
                at_home @boolean NOT NULL,
                with_children @boolean NOT NULL,
                approval @boolean NOT NULL,
                goal @integer CHECK (goal >= 0),
                amount @integer CHECK (amount >= 0),
                currency @text NOT NULL,
                as_of @text,
                until @text,
                place_name @text NOT NULL,
                street @text NOT NULL,
                city @text NOT NULL,
                state @text NOT NULL,
                zip @text NOT NULL,
                country @text NOT NULL,
                zone @text NOT NULL,
                point_id @integer REFERENCES point (id),
                tags @text NOT NULL,
                wanted @integer NOT NULL DEFAULT 0 CHECK (wanted >= 0),
                promised @integer NOT NULL DEFAULT 0 CHECK (promised BETWEEN 0 AND wanted),
                ends_at @integer NOT NULL,
                closed_at @integer,
                hidden_at @integer,
                asked_at @integer,
                listed @boolean NOT NULL DEFAULT TRUE,
                once @text NOT NULL,
                created_at @integer NOT NULL,
                updated_at @integer NOT NULL,
                UNIQUE (account_id, once)
            );
            CREATE INDEX opportunity_listed ON opportunity (listed, id);
            CREATE INDEX opportunity_account ON opportunity (account_id, id);
            CREATE INDEX opportunity_point ON opportunity (point_id, id);
            CREATE INDEX opportunity_ends ON opportunity (ends_at) WHERE listed;

            CREATE TABLE opportunity_tag (
                tag @text NOT NULL,
                opportunity_id @integer NOT NULL REFERENCES opportunity (id) ON DELETE CASCADE,
                PRIMARY KEY (tag, opportunity_id)
            );
            CREATE INDEX opportunity_tag_opportunity ON opportunity_tag (opportunity_id);

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
                removed_at @integer
            );
            CREATE INDEX shift_opportunity ON shift (opportunity_id, starts_at, id);

            CREATE TABLE signup (
                id @id,
                opportunity_id @integer NOT NULL REFERENCES opportunity (id) ON DELETE CASCADE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                shift_id @integer REFERENCES shift (id) ON DELETE CASCADE,
                state @text NOT NULL CHECK (state IN ('asked', 'confirmed', 'declined', 'cancelled')),
                message @text NOT NULL,
                created_at @integer NOT NULL,
                changed_at @integer NOT NULL
            );
            CREATE UNIQUE INDEX signup_open ON signup (account_id, opportunity_id, coalesce(shift_id, 0))
                WHERE state IN ('asked', 'confirmed');
            CREATE INDEX signup_opportunity ON signup (opportunity_id, id);
            CREATE INDEX signup_account ON signup (account_id, id);
            CREATE INDEX signup_shift ON signup (shift_id) WHERE shift_id IS NOT NULL;

            CREATE TABLE thing (
                id @id,
                opportunity_id @integer NOT NULL REFERENCES opportunity (id) ON DELETE CASCADE,
                name @text NOT NULL,
                wanted @integer NOT NULL CHECK (wanted BETWEEN 1 AND 10000),
                promised @integer NOT NULL DEFAULT 0 CHECK (promised BETWEEN 0 AND wanted),
                place @integer NOT NULL,
                removed_at @integer
            );
            CREATE INDEX thing_opportunity ON thing (opportunity_id, place, id);

            CREATE TABLE promise (
                id @id,
                opportunity_id @integer NOT NULL REFERENCES opportunity (id) ON DELETE CASCADE,
                thing_id @integer NOT NULL REFERENCES thing (id) ON DELETE CASCADE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                count @integer NOT NULL CHECK (count > 0),
                state @text NOT NULL CHECK (state IN ('open', 'given', 'cancelled', 'lapsed')),
                once @text NOT NULL,
                created_at @integer NOT NULL,
                ends_at @integer NOT NULL,
                changed_at @integer NOT NULL,
                UNIQUE (account_id, once)
            );
            CREATE INDEX promise_account ON promise (account_id, id);
            CREATE INDEX promise_opportunity ON promise (opportunity_id, id);
            CREATE INDEX promise_thing ON promise (thing_id);
            CREATE INDEX promise_due ON promise (ends_at) WHERE state = 'open';

            CREATE TABLE contribution (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
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
                UNIQUE (account_id, once),
                UNIQUE (signup_id, day)
            );
            CREATE INDEX contribution_account ON contribution (account_id, day, id);
            CREATE INDEX contribution_host ON contribution (host_id, account_id);
            CREATE INDEX contribution_opportunity ON contribution (opportunity_id, id);

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
                UNIQUE (account_id, once)
            );
            CREATE INDEX certificate_account ON certificate (account_id, id);

            CREATE TABLE review (
                id @id,
                host_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                stars @integer NOT NULL CHECK (stars BETWEEN 1 AND 5),
                comment @text NOT NULL,
                year @integer NOT NULL,
                created_at @integer NOT NULL,
                edited_at @integer,
                hidden_at @integer,
                answer @text NOT NULL DEFAULT '',
                answered_at @integer,
                UNIQUE (host_id, account_id, year)
            );
            CREATE INDEX review_host ON review (host_id, id);
            CREATE INDEX review_account ON review (account_id, id);

            CREATE TABLE follow (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                host_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                at @integer NOT NULL,
                PRIMARY KEY (account_id, host_id)
            );
            CREATE INDEX follow_host ON follow (host_id);

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
            """,
        sqlite: """
            CREATE VIRTUAL TABLE opportunity_search USING fts5 (
                title, description, organization, city, tags,
                tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3 4 5 6 7 8'
            );
            """)
}
