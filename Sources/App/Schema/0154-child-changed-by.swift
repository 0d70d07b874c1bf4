import Database

extension Schema {
    /// Which of the parents changed a child's entry last, for the other one whose words meet theirs.
    static let childChangedBy = Migration(
        name: "0154-child-changed-by",
        text: """
            ALTER TABLE child ADD COLUMN changed_by @integer REFERENCES account (id) ON DELETE SET NULL;
            CREATE INDEX child_changed_by ON child (changed_by) WHERE changed_by IS NOT NULL;
            """)
}
