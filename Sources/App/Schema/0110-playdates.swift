import Database

extension Schema {
    /// Pets and who looks after them, whom they said hello to, matches with what is said in them, and meetings.
    ///
    /// Where somebody lives is known as a `Cell` of about two kilometers, and stands with each pet, so that the cards
    /// stream from one index. A pet's wishes are sets of bits; 0 is any.
    static let playdates = Migration(
        name: "0110-playdates",
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
            CREATE INDEX pet_cell ON pet (cell, id) WHERE hidden_at IS NULL AND is_paused = FALSE;
            CREATE INDEX pet_account ON pet (account_id, id);

            CREATE TABLE pet_picture (
                pet_id @integer NOT NULL REFERENCES pet (id) ON DELETE CASCADE,
                place @integer NOT NULL CHECK (place BETWEEN 1 AND 9),
                picture_id @integer NOT NULL REFERENCES picture (id) ON DELETE CASCADE,
                PRIMARY KEY (pet_id, place)
            );
            CREATE INDEX pet_picture_picture ON pet_picture (picture_id);

            CREATE TABLE hello (
                id @id,
                pet_id @integer NOT NULL REFERENCES pet (id) ON DELETE CASCADE,
                other_id @integer NOT NULL REFERENCES pet (id) ON DELETE CASCADE,
                is_yes @boolean NOT NULL,
                at @integer NOT NULL,
                UNIQUE (pet_id, other_id)
            );
            CREATE INDEX hello_other ON hello (other_id, pet_id);
            CREATE INDEX hello_last ON hello (pet_id, id);

            CREATE TABLE parted (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                other_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                at @integer NOT NULL,
                PRIMARY KEY (account_id, other_id)
            );
            CREATE INDEX parted_other ON parted (other_id);

            CREATE TABLE pet_match (
                id @id,
                first_id @integer NOT NULL REFERENCES pet (id) ON DELETE CASCADE,
                second_id @integer NOT NULL REFERENCES pet (id) ON DELETE CASCADE,
                at @integer NOT NULL,
                ended_at @integer,
                UNIQUE (first_id, second_id),
                CHECK (first_id < second_id)
            );
            CREATE INDEX pet_match_second ON pet_match (second_id);
            CREATE INDEX pet_match_ended ON pet_match (ended_at) WHERE ended_at IS NOT NULL;

            CREATE TABLE match_side (
                match_id @integer NOT NULL REFERENCES pet_match (id) ON DELETE CASCADE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                pet_id @integer NOT NULL REFERENCES pet (id) ON DELETE CASCADE,
                other_account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                other_pet_id @integer NOT NULL REFERENCES pet (id) ON DELETE CASCADE,
                last_at @integer NOT NULL,
                unread @integer NOT NULL DEFAULT 0 CHECK (unread >= 0),
                is_new @boolean NOT NULL DEFAULT TRUE,
                read_up_to @integer NOT NULL DEFAULT 0,
                is_favorite @boolean NOT NULL DEFAULT FALSE,
                PRIMARY KEY (match_id, account_id)
            );
            CREATE INDEX match_side_account ON match_side (account_id, last_at, match_id);
            CREATE INDEX match_side_favorite ON match_side (account_id, last_at, match_id) WHERE is_favorite;
            CREATE INDEX match_side_other ON match_side (other_account_id);
            CREATE INDEX match_side_pet ON match_side (pet_id);
            CREATE INDEX match_side_other_pet ON match_side (other_pet_id);

            CREATE TABLE message (
                id @id,
                match_id @integer NOT NULL REFERENCES pet_match (id) ON DELETE CASCADE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                text @text NOT NULL,
                once @text NOT NULL,
                at @integer NOT NULL,
                hidden_at @integer,
                UNIQUE (account_id, once)
            );
            CREATE INDEX message_match ON message (match_id, id);
            CREATE INDEX message_at ON message (at);

            CREATE TABLE meeting (
                id @id,
                match_id @integer NOT NULL REFERENCES pet_match (id) ON DELETE CASCADE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                other_account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                place @text NOT NULL,
                time_1 @integer NOT NULL,
                time_2 @integer,
                time_3 @integer,
                state @text NOT NULL CHECK (state IN ('proposed', 'agreed', 'declined', 'canceled')),
                starts_at @integer,
                reason @text NOT NULL DEFAULT '',
                again @text CHECK (again IN ('yes', 'no', 'wrong')),
                other_again @text CHECK (other_again IN ('yes', 'no', 'wrong')),
                once @text NOT NULL,
                created_at @integer NOT NULL,
                UNIQUE (account_id, once)
            );
            CREATE INDEX meeting_match ON meeting (match_id, id);
            CREATE INDEX meeting_account ON meeting (account_id, starts_at) WHERE state = 'agreed';
            CREATE INDEX meeting_other ON meeting (other_account_id, starts_at) WHERE state = 'agreed';
            CREATE INDEX meeting_other_account ON meeting (other_account_id);
            CREATE INDEX meeting_created ON meeting (created_at);
            """)
}
