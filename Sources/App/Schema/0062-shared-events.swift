import Database

extension Schema {
    /// A post may tell of an event.
    static let sharedEvents = Migration(
        name: "0062-shared-events",
        text: """
            ALTER TABLE post ADD COLUMN event_id @integer REFERENCES event (id) ON DELETE SET NULL;
            CREATE INDEX post_event ON post (event_id) WHERE event_id IS NOT NULL;
            """)
}
