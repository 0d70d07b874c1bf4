import Database

extension CareNote: RowDecodable {
    static let columns: Columns = ["care_note.allergies", "care_note.emergency_phone", "care_note.collectors"]

    init(row: inout Row) throws {
        self.init(allergies: try row.next(), emergencyPhone: try row.next(), collectors: try row.next())
    }

    /// Updates the shared notes about a child after its parent changed them.
    static func refresh(of child: ID<Child>, _ note: CareNote, in db: Connection) throws {
        try db.execute(
            """
            UPDATE care_note SET allergies = \(note.allergies), emergency_phone = \(note.emergencyPhone),
                collectors = \(note.collectors)
            WHERE person_id IN (SELECT id FROM registration_person WHERE child_id = \(child))
            """)
    }

    /// Erases the shared notes about a deleted child.
    static func erase(of child: ID<Child>, in db: Connection) throws {
        try db.execute(
            """
            DELETE FROM care_note
            WHERE person_id IN (SELECT id FROM registration_person WHERE child_id = \(child))
            """)
    }
}
