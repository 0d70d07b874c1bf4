import Database

extension Schema {
    /// What most ways to help around a place are passed over for stands in the index of places.
    static let faster = Migration(
        name: "0150-faster",
        text: """
            DROP INDEX opportunity_point;
            CREATE INDEX opportunity_point ON opportunity (point_id, id, kind, listed, ends_at, age_from);
            """)
}
