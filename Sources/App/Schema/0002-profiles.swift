import Database

extension Schema {
    static let profiles = Migration(
        name: "0002-profiles",
        text: """
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
                    updated_at @integer NOT NULL
                );

                CREATE TABLE child (
                    id @id,
                    family_id @integer NOT NULL REFERENCES family (id) ON DELETE CASCADE,
                    nickname @text NOT NULL,
                    birth_month @integer NOT NULL CHECK (birth_month BETWEEN 1 AND 12),
                    birth_year @integer NOT NULL CHECK (birth_year BETWEEN 1900 AND 2200),
                    created_at @integer NOT NULL,
                    updated_at @integer NOT NULL
                );
                CREATE INDEX child_family ON child (family_id, birth_year, birth_month, id);

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
                    updated_at @integer NOT NULL
                );
            """)
}
