import Database

extension Schema {
    /// Events and opportunities that members saved, and saved searches. The begin and end are copied, so that an index
    /// gives the order of a list, see `Favorite.follow`.
    static let saving = Migration(
        name: "saving",
        text: """
            CREATE TABLE saved_event (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                event_id @integer NOT NULL REFERENCES event (id) ON DELETE CASCADE,
                at @integer NOT NULL,
                starts_at @integer NOT NULL,
                ends_at @integer NOT NULL,
                PRIMARY KEY (account_id, event_id)
            );
            CREATE INDEX saved_event_ended ON saved_event (ends_at);
            CREATE INDEX saved_event_event ON saved_event (event_id);
            CREATE INDEX saved_event_list ON saved_event (account_id, starts_at, event_id, ends_at);

            CREATE TABLE saved_opportunity (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                opportunity_id @integer NOT NULL REFERENCES opportunity (id) ON DELETE CASCADE,
                at @integer NOT NULL,
                ends_at @integer NOT NULL,
                PRIMARY KEY (account_id, opportunity_id)
            );
            CREATE INDEX saved_opportunity_ended ON saved_opportunity (ends_at);
            CREATE INDEX saved_opportunity_list ON saved_opportunity (account_id, ends_at, opportunity_id);
            CREATE INDEX saved_opportunity_opportunity ON saved_opportunity (opportunity_id);

            -- Filters of the list of events, as its links write them.
            CREATE TABLE saved_search (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                query @text NOT NULL,
                at @integer NOT NULL,
                UNIQUE (account_id, query)
            );
            CREATE INDEX saved_search_list ON saved_search (account_id, id);

            -- The one letter a week about all of them: until when what was announced was told, and the next one.
            CREATE TABLE search_letter (
                account_id @integer PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
                since @integer NOT NULL,
                due_at @integer NOT NULL
            );
            CREATE INDEX search_letter_due ON search_letter (due_at, account_id);
            """)
}
