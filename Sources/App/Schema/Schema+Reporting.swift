import Database

extension Schema {
    /// Totals for the annual report that don't come from events: by month and organization (0 for none), the minutes of
    /// help confirmed, things received and needs met. Nothing in it is about a person, so it stays when a member
    /// leaves.
    static let reporting = Migration(
        name: "reporting",
        text: """
            CREATE TABLE month_total (
                month @text NOT NULL,
                host_id @integer NOT NULL,
                what @text NOT NULL CHECK (what IN ('minutes', 'things', 'needs')),
                count @integer NOT NULL CHECK (count >= 0),
                PRIMARY KEY (month, host_id, what)
            );
            """)
}
