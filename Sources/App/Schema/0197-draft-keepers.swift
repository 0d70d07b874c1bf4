import Database

extension Schema {
    /// The colleague who kept a draft last.
    static let draftKeepers = Migration(
        name: "0197-draft-keepers",
        text: """
            ALTER TABLE draft ADD COLUMN keeper_id @integer REFERENCES account (id) ON DELETE SET NULL;
            CREATE INDEX draft_keeper ON draft (keeper_id) WHERE keeper_id IS NOT NULL;
            """)
}
