import Database

extension Schema {
    /// Cards out of one index; when those who meet are reminded, or asked how it was; matches whose other side has
    /// left; and how often somebody who gave up the hat of an owner moved and said hello, until that counts no more.
    static let pets = Migration(
        name: "0136-pets",
        text: """
            ALTER TABLE meeting ADD COLUMN due_at @integer;
            UPDATE meeting SET due_at = starts_at - 86400000 WHERE state = 'agreed';
            CREATE INDEX meeting_due ON meeting (due_at) WHERE due_at IS NOT NULL;

            -- All that decides about a card: whoever finds none has looked at an index, and at no row.
            DROP INDEX pet_cell;
            CREATE INDEX pet_card ON pet (cell, id, type, size, sex, energy, born, within, wants_type, wants_size,
                wants_sex, wants_energy, wants_age_from, wants_age_to, account_id)
                WHERE hidden_at IS NULL AND is_paused = FALSE;

            CREATE TABLE former_match (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                match_id @integer NOT NULL,
                pet_id @integer NOT NULL REFERENCES pet (id) ON DELETE CASCADE,
                at @integer NOT NULL,
                PRIMARY KEY (account_id, match_id)
            );
            CREATE INDEX former_match_pet ON former_match (pet_id);
            CREATE INDEX former_match_at ON former_match (at);

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
