import Database

extension Schema {
    /// What the site knows of itself: which town it is, what of it is open, and what was done once.
    static let town = Migration(
        name: "town",
        text: """
            CREATE TABLE note (
                id @id,
                name @text NOT NULL UNIQUE,
                value @text NOT NULL
            );
            """)
}
