import Database

extension Schema {
    /// Whose notes somebody saw who looked at a list: a parent reads of looks at their own.
    static let rosterNotes = Migration(
        name: "0164-roster-notes",
        text: """
            CREATE TABLE roster_note (
                view_id @integer NOT NULL REFERENCES roster_view (id) ON DELETE CASCADE,
                registration_id @integer NOT NULL REFERENCES registration (id) ON DELETE CASCADE,
                PRIMARY KEY (view_id, registration_id)
            );
            CREATE INDEX roster_note_registration ON roster_note (registration_id);
            INSERT INTO roster_note (view_id, registration_id)
            SELECT DISTINCT roster_view.id, registration_person.registration_id
            FROM roster_view JOIN care_note ON care_note.event_id = roster_view.event_id
            JOIN registration_person ON registration_person.id = care_note.person_id
            WHERE roster_view.kind IN ('notes', 'print')
            """)
}
