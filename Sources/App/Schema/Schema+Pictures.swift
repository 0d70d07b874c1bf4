import Database

extension Schema {
    /// Pictures: the account that uploaded each, and what it shows. The files themselves lie in
    /// `media.sqlite` under their hash.
    ///
    /// `focus` is the part that matters, of nine: 1 to 3 above, 4 to 6 in the middle, 7 to 9 below, from the left.
    static let pictures = Migration(
        name: "pictures",
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
            """)
}
