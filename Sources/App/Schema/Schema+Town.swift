import Database

extension Schema {
    /// Facts about the site: its town, what is open, and what was done once.
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
