import Database

extension Schema {
    /// Parties passed over in a line, since they needed more places at once than were free; and by how many places an
    /// event grew for somebody who was invited.
    static let fairTurns = Migration(
        name: "0162-fair-turns",
        text: """
            ALTER TABLE registration ADD COLUMN passed_over @boolean NOT NULL DEFAULT FALSE;
            ALTER TABLE registration ADD COLUMN extra @integer NOT NULL DEFAULT 0;
            CREATE INDEX registration_kept ON registration (event_id) WHERE state = 'waiting' AND offered > 0;
            """)
}
