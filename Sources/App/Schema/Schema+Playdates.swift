import Database

extension Schema {
    /// Hellos from pet to pet, matches, and meetings.
    static let playdates = Migration(
        name: "playdates",
        text: """
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

            -- People whose match ended: their pets don't come up again.
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

            -- `zone` is the clock by which it was agreed.
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
                due_at @integer,
                lapsed @boolean NOT NULL DEFAULT FALSE,
                zone @text NOT NULL DEFAULT '',
                UNIQUE (account_id, once)
            );
            CREATE INDEX meeting_match ON meeting (match_id, id);
            CREATE INDEX meeting_account ON meeting (account_id, starts_at) WHERE state = 'agreed';
            CREATE INDEX meeting_other ON meeting (other_account_id, starts_at) WHERE state = 'agreed';
            CREATE INDEX meeting_other_account ON meeting (other_account_id);
            CREATE INDEX meeting_created ON meeting (created_at);
            CREATE INDEX meeting_due ON meeting (due_at) WHERE due_at IS NOT NULL;
            CREATE INDEX meeting_asked ON meeting (other_account_id, id) WHERE state = 'proposed';

            -- Matches whose other side has left.
            CREATE TABLE former_match (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                match_id @integer NOT NULL,
                pet_id @integer NOT NULL REFERENCES pet (id) ON DELETE CASCADE,
                at @integer NOT NULL,
                PRIMARY KEY (account_id, match_id)
            );
            CREATE INDEX former_match_pet ON former_match (pet_id);
            CREATE INDEX former_match_at ON former_match (at);
            """)
}
