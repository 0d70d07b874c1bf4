import Database

extension Schema {
    /// Pictures: the account that uploaded each, and its description. The files themselves are in `media.sqlite`, by
    /// hash.
    ///
    /// `focus` is the most important of nine parts: 1 to 3 at the top, 4 to 6 in the middle, 7 to 9 at the bottom, from
    /// the left.
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
