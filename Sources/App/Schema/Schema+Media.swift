import Database

extension Schema {
    /// The tables of `media.sqlite`, separate from the site's main database.
    static let media: [Migration] = [
        Migration(
            name: "media",
            text: """
                CREATE TABLE media (
                    hash @text NOT NULL PRIMARY KEY,
                    width @integer NOT NULL,
                    height @integer NOT NULL,
                    stored_at @integer NOT NULL
                );
                CREATE INDEX media_stored ON media (stored_at, hash);

                CREATE TABLE media_size (
                    hash @text NOT NULL REFERENCES media (hash) ON DELETE CASCADE,
                    size @text NOT NULL CHECK (size IN ('thumb', 'card', 'full')),
                    bytes @blob NOT NULL,
                    PRIMARY KEY (hash, size)
                );
                """)
    ]
}
