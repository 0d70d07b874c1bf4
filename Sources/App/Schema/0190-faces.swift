import Database

extension Schema {
    /// A member's picture is their own, whichever hat they wear. Those that families gave before are seen by nobody
    /// else until their owners say so.
    static let faces = Migration(
        name: "0190-faces",
        text: """
            ALTER TABLE person ADD COLUMN picture_id @integer REFERENCES picture (id) ON DELETE SET NULL;
            ALTER TABLE person ADD COLUMN shows_picture @boolean NOT NULL DEFAULT FALSE;
            CREATE INDEX person_picture ON person (picture_id) WHERE picture_id IS NOT NULL;

            UPDATE person SET picture_id = (SELECT family.picture_id FROM family
                WHERE family.account_id = person.account_id);
            INSERT INTO person (account_id, name, about, town, is_open, updated_at, picture_id)
            SELECT account.id, account.username, '', '', FALSE, account.updated_at, family.picture_id
            FROM family JOIN account ON account.id = family.account_id
            WHERE family.picture_id IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM person WHERE person.account_id = family.account_id);

            DROP INDEX family_picture;
            ALTER TABLE family DROP COLUMN picture_id
            """)
}
