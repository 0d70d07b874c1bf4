import Database

extension Schema {
    /// An account that left stays as a number, so that what others saw still adds up; a family says whether where its
    /// children went is kept; and events are found by when they ended, and by their point on the map.
    static let leaving = Migration(
        name: "0050-leaving",
        text: """
            ALTER TABLE account ADD COLUMN left_at @integer;
            ALTER TABLE family ADD COLUMN keeps_past @boolean NOT NULL DEFAULT FALSE;
            CREATE INDEX event_ended ON event (ends_at);
            CREATE INDEX event_at_point ON event (point_id) WHERE point_id IS NOT NULL;
            CREATE INDEX roster_view_account ON roster_view (account_id);
            CREATE INDEX roster_view_at ON roster_view (at);
            """)
}
