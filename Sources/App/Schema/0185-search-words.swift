import Database

extension Schema {
    /// The full-text indexes hold words as the site folds them, so that every script is found the same way whatever the
    /// engine's tokenizer knows; organizations are found by each word of their name. The lines are written anew by
    /// `SearchIndex`.
    static let searchWords = Migration(
        name: "0185-search-words",
        text: """
            CREATE TABLE provider_key (
                key @text NOT NULL,
                provider_id @integer NOT NULL REFERENCES provider (id) ON DELETE CASCADE,
                PRIMARY KEY (key, provider_id)
            );
            CREATE INDEX provider_key_provider ON provider_key (provider_id, key);
            """,
        sqlite: """
            DROP TABLE event_search;
            CREATE VIRTUAL TABLE event_search USING fts5 (
                title, description, provider, city, tags,
                tokenize = 'ascii tokenchars _', prefix = '1 2 3 4 5 6 7 8'
            );
            DROP TABLE opportunity_search;
            CREATE VIRTUAL TABLE opportunity_search USING fts5 (
                title, description, organization, city, tags,
                tokenize = 'ascii tokenchars _', prefix = '1 2 3 4 5 6 7 8'
            );
            DROP TABLE need_search;
            CREATE VIRTUAL TABLE need_search USING fts5 (
                title, description, city, kind,
                tokenize = 'ascii tokenchars _', prefix = '1 2 3 4 5 6 7 8'
            );
            """)
}
