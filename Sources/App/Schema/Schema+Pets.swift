import Database

extension Schema {
    /// Pets and the people who look after them.
    ///
    /// A home is only known as a `Cell` of about two kilometers. The cell is copied to each pet, so that the cards come
    /// from one index. A pet's wishes are sets of bits; 0 means any.
    static let pets = Migration(
        name: "pets",
        text: """
            CREATE TABLE owner (
                id @id,
                account_id @integer NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
                name @text NOT NULL,
                birth_year @integer,
                city @text NOT NULL,
                zip @text NOT NULL,
                country @text NOT NULL,
                cell @integer NOT NULL,
                moved_at @integer,
                moved_before @integer,
                moved_first @integer,
                phone @text,
                email @text,
                other @text,
                shows_reads @boolean NOT NULL DEFAULT TRUE,
                picture_id @integer REFERENCES picture (id) ON DELETE SET NULL,
                hellos @integer NOT NULL DEFAULT 0 CHECK (hellos >= 0),
                hellos_on @text,
                created_at @integer NOT NULL
            );
            CREATE INDEX owner_picture ON owner (picture_id) WHERE picture_id IS NOT NULL;

            CREATE TABLE pet (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                name @text NOT NULL,
                type @text NOT NULL
                    CHECK (type IN ('dog', 'cat', 'rabbit', 'guinea-pig', 'bird', 'reptile', 'horse', 'other')),
                word @text NOT NULL DEFAULT '',
                sex @text NOT NULL CHECK (sex IN ('female', 'male', 'unknown')),
                born @integer NOT NULL,
                knows_month @boolean NOT NULL,
                size @text NOT NULL CHECK (size IN ('small', 'medium', 'large')),
                energy @text NOT NULL CHECK (energy IN ('calm', 'lively', 'wild')),
                neutered @text NOT NULL CHECK (neutered IN ('yes', 'no', 'unknown')),
                vaccinated @text NOT NULL CHECK (vaccinated IN ('yes', 'no', 'unknown')),
                children @text NOT NULL CHECK (children IN ('yes', 'no', 'unknown')),
                dogs @text NOT NULL CHECK (dogs IN ('yes', 'no', 'unknown')),
                cats @text NOT NULL CHECK (cats IN ('yes', 'no', 'unknown')),
                bio @text NOT NULL DEFAULT '',
                wants_type @integer NOT NULL DEFAULT 0,
                wants_size @integer NOT NULL DEFAULT 0,
                wants_sex @integer NOT NULL DEFAULT 0,
                wants_energy @integer NOT NULL DEFAULT 0,
                wants_age_from @integer NOT NULL DEFAULT 0,
                wants_age_to @integer NOT NULL DEFAULT 99,
                within @integer NOT NULL CHECK (within IN (2, 5, 10, 25, 50)),
                cell @integer NOT NULL,
                is_paused @boolean NOT NULL DEFAULT FALSE,
                hidden_at @integer,
                once @text NOT NULL,
                created_at @integer NOT NULL,
                UNIQUE (account_id, once)
            );
            CREATE INDEX pet_account ON pet (account_id, id);
            CREATE INDEX pet_card ON pet (cell, id, type, size, sex, energy, born, within, wants_type, wants_size,
                wants_sex, wants_energy, wants_age_from, wants_age_to, account_id)
                WHERE hidden_at IS NULL AND is_paused = FALSE;

            CREATE TABLE pet_picture (
                pet_id @integer NOT NULL REFERENCES pet (id) ON DELETE CASCADE,
                place @integer NOT NULL CHECK (place BETWEEN 1 AND 9),
                picture_id @integer NOT NULL REFERENCES picture (id) ON DELETE CASCADE,
                PRIMARY KEY (pet_id, place)
            );
            CREATE INDEX pet_picture_picture ON pet_picture (picture_id);

            -- How often somebody who gave up the hat of an owner moved and said hello, until that counts no more.
            CREATE TABLE former_owner (
                account_id @integer NOT NULL PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
                moved_at @integer,
                moved_before @integer,
                moved_first @integer,
                hellos @integer NOT NULL CHECK (hellos >= 0),
                hellos_on @text,
                at @integer NOT NULL
            );
            CREATE INDEX former_owner_at ON former_owner (at);
            """)
}
