import Database

extension Schema {
    /// `search_key` orders events by their start and tells ties apart by the id (see `SearchKey`); the full-text index
    /// has it as its row id, so that matches stream out in the order of the feed.
    static let events = Migration(
        name: "0003-events",
        text: """
            CREATE TABLE event (
                id @id,
                provider_id @integer NOT NULL REFERENCES provider (id),
                title @text NOT NULL,
                description @text NOT NULL,
                day @text NOT NULL,
                start_minute @integer NOT NULL CHECK (start_minute BETWEEN 0 AND 1439),
                end_minute @integer CHECK (end_minute BETWEEN 0 AND 1439),
                zone @text NOT NULL,
                starts_at @integer NOT NULL,
                ends_at @integer NOT NULL CHECK (ends_at >= starts_at),
                street @text NOT NULL,
                city @text NOT NULL,
                state @text NOT NULL,
                zip @text NOT NULL,
                country @text NOT NULL,
                city_key @text NOT NULL,
                spots @integer NOT NULL CHECK (spots BETWEEN 1 AND 10000),
                taken @integer NOT NULL DEFAULT 0 CHECK (taken >= 0 AND taken <= spots),
                covid_safe @boolean NOT NULL,
                age_from @integer CHECK (age_from BETWEEN 0 AND 17),
                age_to @integer CHECK (age_to BETWEEN 0 AND 17 AND (age_from IS NULL OR age_to >= age_from)),
                price @integer CHECK (price >= 0),
                currency @text NOT NULL,
                tags @text NOT NULL,
                search_key @integer UNIQUE,
                cancelled_at @integer,
                hidden_at @integer,
                listed @boolean NOT NULL DEFAULT TRUE,
                once @text NOT NULL,
                created_at @integer NOT NULL,
                updated_at @integer NOT NULL,
                UNIQUE (provider_id, once)
            );
            CREATE INDEX event_feed ON event (starts_at, id) WHERE listed;
            CREATE INDEX event_city ON event (city_key, starts_at, id) WHERE listed;
            CREATE INDEX event_hidden ON event (hidden_at, id) WHERE hidden_at IS NOT NULL;
            CREATE INDEX event_provider ON event (provider_id, starts_at, id);

            CREATE TABLE event_tag (
                tag @text NOT NULL,
                starts_at @integer NOT NULL,
                event_id @integer NOT NULL REFERENCES event (id) ON DELETE CASCADE,
                PRIMARY KEY (tag, starts_at, event_id)
            );
            CREATE INDEX event_tag_event ON event_tag (event_id);
            """,
        sqlite: """
            CREATE VIRTUAL TABLE event_search USING fts5 (
                title, description, provider, city, tags,
                tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3'
            );
            """)
}
