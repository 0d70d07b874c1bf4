import Database

extension Schema {
    /// The photos of a post, in their order. They go with the post, and with the picture when its owner leaves.
    static let photos = Migration(
        name: "0061-photos",
        text: """
            CREATE TABLE post_picture (
                post_id @integer NOT NULL REFERENCES post (id) ON DELETE CASCADE,
                place @integer NOT NULL CHECK (place BETWEEN 1 AND 4),
                picture_id @integer NOT NULL REFERENCES picture (id) ON DELETE CASCADE,
                PRIMARY KEY (post_id, place)
            );
            CREATE INDEX post_picture_picture ON post_picture (picture_id);

            ALTER TABLE post ADD COLUMN shows_children @boolean NOT NULL DEFAULT FALSE;
            """)
}
