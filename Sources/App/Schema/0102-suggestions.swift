import Database

extension Schema {
    /// What somebody doesn't want to be suggested any more: a tag, or one event.
    static let suggestions = Migration(
        name: "0102-suggestions",
        text: """
            CREATE TABLE less (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                tag @text,
                event_id @integer REFERENCES event (id) ON DELETE CASCADE,
                CHECK ((tag IS NULL) <> (event_id IS NULL))
            );
            CREATE UNIQUE INDEX less_tag ON less (account_id, tag) WHERE tag IS NOT NULL;
            CREATE UNIQUE INDEX less_event ON less (account_id, event_id) WHERE event_id IS NOT NULL;
            CREATE INDEX less_account ON less (account_id, id);
            CREATE INDEX less_of_event ON less (event_id) WHERE event_id IS NOT NULL;
            """)
}
