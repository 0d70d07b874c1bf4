import Database

extension Schema {
    /// Tags, and the words by which misspelled searches are corrected; the full-text indexes are in `dialects`.
    static let finding = Migration(
        name: "finding",
        text: """
            -- One that was merged stays as the way on.
            CREATE TABLE tag (
                name @text NOT NULL PRIMARY KEY,
                uses @integer NOT NULL,
                merged_into @text,
                is_hidden @boolean NOT NULL DEFAULT FALSE
            );
            CREATE INDEX tag_uses ON tag (uses, name);
            CREATE INDEX tag_merged ON tag (merged_into) WHERE merged_into IS NOT NULL;

            CREATE TABLE event_tag (
                tag @text NOT NULL,
                starts_at @integer NOT NULL,
                event_id @integer NOT NULL REFERENCES event (id) ON DELETE CASCADE,
                PRIMARY KEY (tag, starts_at, event_id)
            );
            CREATE INDEX event_tag_event ON event_tag (event_id);

            -- The words of titles and tags: of each first letter the most used come first.
            CREATE TABLE word (
                text @text NOT NULL PRIMARY KEY,
                initial @text NOT NULL,
                uses @integer NOT NULL
            );
            CREATE INDEX word_initial ON word (initial, uses, text);
            """)
}
