import Database

extension Schema {
    /// Photos of needs, and places that give all year: those who run the site make sure of one for half a year.
    static let lastingNeeds = Migration(
        name: "0147-lasting-needs",
        text: """
            ALTER TABLE need ADD COLUMN picture_id @integer REFERENCES picture (id) ON DELETE SET NULL;
            ALTER TABLE need ADD COLUMN is_lasting @boolean NOT NULL DEFAULT FALSE;
            ALTER TABLE need ADD COLUMN verified_at @integer;
            ALTER TABLE need ADD COLUMN verified_until @integer;
            CREATE INDEX need_picture ON need (picture_id) WHERE picture_id IS NOT NULL;
            CREATE INDEX need_verified ON need (verified_until) WHERE verified_until IS NOT NULL;
            """)
}
