import Database

extension Schema {
    /// Who uploaded which picture, and what it shows. The pictures themselves lie in `media.sqlite` under their hash.
    ///
    /// `focus` is the part that matters, of nine: 1 to 3 above, 4 to 6 in the middle, 7 to 9 below, from the left.
    static let pictures = Migration(
        name: "0008-pictures",
        text: """
            CREATE TABLE picture (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                hash @text NOT NULL,
                alt @text NOT NULL,
                width @integer NOT NULL CHECK (width > 0),
                height @integer NOT NULL CHECK (height > 0),
                focus @integer NOT NULL DEFAULT 5 CHECK (focus BETWEEN 1 AND 9),
                created_at @integer NOT NULL
            );
            CREATE INDEX picture_account ON picture (account_id, created_at);
            CREATE INDEX picture_hash ON picture (hash);
            CREATE INDEX picture_created ON picture (created_at);

            ALTER TABLE event ADD COLUMN picture_id @integer REFERENCES picture (id) ON DELETE SET NULL;
            CREATE INDEX event_picture ON event (picture_id) WHERE picture_id IS NOT NULL;
            ALTER TABLE family ADD COLUMN picture_id @integer REFERENCES picture (id) ON DELETE SET NULL;
            CREATE INDEX family_picture ON family (picture_id) WHERE picture_id IS NOT NULL;
            ALTER TABLE provider ADD COLUMN picture_id @integer REFERENCES picture (id) ON DELETE SET NULL;
            CREATE INDEX provider_picture ON provider (picture_id) WHERE picture_id IS NOT NULL;
            CREATE INDEX draft_picture ON draft (picture_id) WHERE picture_id IS NOT NULL;
            """)
}
