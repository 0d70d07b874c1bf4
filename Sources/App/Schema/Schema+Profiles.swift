import Database

extension Schema {
    /// Families with their children, providers, and members' public profiles.
    static let profiles = Migration(
        name: "profiles",
        text: """
            -- `keeps_past` says whether it is kept where its children went, `shares_phone` whether organizations where
            -- it helps see its phone.
            CREATE TABLE family (
                id @id,
                account_id @integer NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
                first_name @text NOT NULL,
                last_name @text NOT NULL,
                city @text NOT NULL,
                zip @text NOT NULL,
                country @text NOT NULL,
                phone @text,
                number_of_children @integer CHECK (number_of_children BETWEEN 0 AND 20),
                age_groups @text NOT NULL,
                created_at @integer NOT NULL,
                updated_at @integer NOT NULL,
                keeps_past @boolean NOT NULL DEFAULT FALSE,
                shares_phone @boolean NOT NULL DEFAULT FALSE
            );

            -- `changed_by` is the parent who changed the entry last, for the other one whose words meet theirs.
            CREATE TABLE child (
                id @id,
                family_id @integer NOT NULL REFERENCES family (id) ON DELETE CASCADE,
                nickname @text NOT NULL,
                birth_month @integer NOT NULL CHECK (birth_month BETWEEN 1 AND 12),
                birth_year @integer NOT NULL CHECK (birth_year BETWEEN 1900 AND 2200),
                created_at @integer NOT NULL,
                updated_at @integer NOT NULL,
                allergies @text NOT NULL DEFAULT '',
                emergency_phone @text NOT NULL DEFAULT '',
                collectors @text NOT NULL DEFAULT '',
                changed_by @integer REFERENCES account (id) ON DELETE SET NULL
            );
            CREATE INDEX child_family ON child (family_id, birth_year, birth_month, id);
            CREATE INDEX child_changed_by ON child (changed_by) WHERE changed_by IS NOT NULL;

            -- The second of two parents acts for the family of the first, whose the children and their
            -- registrations stay.
            CREATE TABLE guardian (
                account_id @integer PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
                head_id @integer NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
                since @integer NOT NULL
            );

            -- What an admin checked of an organization counts until a day.
            CREATE TABLE provider (
                id @id,
                account_id @integer NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
                first_name @text NOT NULL,
                last_name @text NOT NULL,
                organization @text NOT NULL,
                designation @text NOT NULL,
                street @text NOT NULL,
                city @text NOT NULL,
                state @text NOT NULL,
                zip @text NOT NULL,
                country @text NOT NULL,
                phone @text NOT NULL,
                email @text,
                website @text,
                scope @text,
                created_at @integer NOT NULL,
                updated_at @integer NOT NULL,
                plan @text NOT NULL DEFAULT 'basic' CHECK (plan IN ('basic', 'gold', 'platinum', 'public')),
                name_key @text NOT NULL DEFAULT '',
                picture_id @integer REFERENCES picture (id) ON DELETE SET NULL,
                verified_at @integer,
                verified_until @integer,
                verified_by_checking @text NOT NULL DEFAULT '',
                verified_is_asked @boolean NOT NULL DEFAULT FALSE,
                mission @text,
                kind @text,
                asks @text
            );
            CREATE INDEX provider_name ON provider (name_key, id);
            CREATE INDEX provider_picture ON provider (picture_id) WHERE picture_id IS NOT NULL;
            CREATE INDEX provider_verified ON provider (verified_until) WHERE verified_until IS NOT NULL;
            CREATE INDEX provider_plan ON provider (plan);

            -- Organizations are found by their name from each of its words on, as the search writes it.
            CREATE TABLE provider_key (
                key @text NOT NULL,
                provider_id @integer NOT NULL REFERENCES provider (id) ON DELETE CASCADE,
                PRIMARY KEY (key, provider_id)
            );
            CREATE INDEX provider_key_provider ON provider_key (provider_id, key);

            -- `shows` has a bit for each part of `KindnessPart`.
            CREATE TABLE person (
                id @id,
                account_id @integer NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
                name @text NOT NULL,
                about @text NOT NULL,
                town @text NOT NULL,
                is_open @boolean NOT NULL,
                updated_at @integer NOT NULL,
                is_found @boolean NOT NULL DEFAULT TRUE,
                hidden_at @integer,
                shows @integer NOT NULL DEFAULT 0,
                picture_id @integer REFERENCES picture (id) ON DELETE SET NULL,
                shows_picture @boolean NOT NULL DEFAULT FALSE
            );
            CREATE INDEX person_picture ON person (picture_id) WHERE picture_id IS NOT NULL;

            -- People are found by their name in the same way; user names have an index of their own.
            CREATE TABLE person_key (
                key @text NOT NULL,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                PRIMARY KEY (key, account_id)
            );
            CREATE INDEX person_key_account ON person_key (account_id, key);

            -- People who don't want to meet each other.
            CREATE TABLE block (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                blocked_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                at @integer NOT NULL,
                PRIMARY KEY (account_id, blocked_id)
            );
            CREATE INDEX block_blocked ON block (blocked_id, account_id);
            """)
}
