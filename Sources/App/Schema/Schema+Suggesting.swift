import Database

extension Schema {
    /// Suggestions that a member doesn't want to see anymore: a tag, an event, or an opportunity.
    static let suggesting = Migration(
        name: "suggesting",
        text: """
            CREATE TABLE less (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                tag @text,
                event_id @integer REFERENCES event (id) ON DELETE CASCADE,
                opportunity_id @integer REFERENCES opportunity (id) ON DELETE CASCADE,
                CHECK (CASE WHEN tag IS NULL THEN 0 ELSE 1 END + CASE WHEN event_id IS NULL THEN 0 ELSE 1 END
                    + CASE WHEN opportunity_id IS NULL THEN 0 ELSE 1 END = 1)
            );
            CREATE UNIQUE INDEX less_tag ON less (account_id, tag) WHERE tag IS NOT NULL;
            CREATE UNIQUE INDEX less_event ON less (account_id, event_id) WHERE event_id IS NOT NULL;
            CREATE UNIQUE INDEX less_help ON less (account_id, opportunity_id) WHERE opportunity_id IS NOT NULL;
            CREATE INDEX less_account ON less (account_id, id);
            CREATE INDEX less_of_event ON less (event_id) WHERE event_id IS NOT NULL;
            CREATE INDEX less_of_help ON less (opportunity_id) WHERE opportunity_id IS NOT NULL;
            CREATE INDEX less_of_tag ON less (tag) WHERE tag IS NOT NULL;
            """)
}
