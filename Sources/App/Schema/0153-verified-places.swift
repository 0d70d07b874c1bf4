import Database

extension Schema {
    /// Whether a decision made sure of a place that gives all year, and when a friend took up what they were asked.
    static let verifiedPlaces = Migration(
        name: "0153-verified-places",
        text: """
            ALTER TABLE decision ADD COLUMN verifies @boolean NOT NULL DEFAULT FALSE;
            ALTER TABLE challenge ADD COLUMN taken_at @integer;
            """)
}
