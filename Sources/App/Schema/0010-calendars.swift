import Database

extension Schema {
    /// The private addresses of families' calendars, as hashes.
    static let calendars = Migration(
        name: "0010-calendars",
        text: """
            CREATE TABLE calendar_link (
                id @id,
                family_id @integer NOT NULL UNIQUE REFERENCES family (id) ON DELETE CASCADE,
                token_hash @blob NOT NULL UNIQUE,
                created_at @integer NOT NULL
            );
            """)
}
