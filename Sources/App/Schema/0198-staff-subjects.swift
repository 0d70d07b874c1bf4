import Database

extension Schema {
    /// What an act of staff is about, and whose it is, so that the log says it in a sentence.
    static let staffSubjects = Migration(
        name: "0198-staff-subjects",
        text: """
            ALTER TABLE staff_act ADD COLUMN about @text;
            ALTER TABLE staff_act ADD COLUMN author_id @integer REFERENCES account (id) ON DELETE SET NULL;
            CREATE INDEX staff_act_author ON staff_act (author_id) WHERE author_id IS NOT NULL;
            """)
}
