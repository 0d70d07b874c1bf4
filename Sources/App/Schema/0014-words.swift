import Database

extension Schema {
    /// The words of titles and tags, by which a slip of the fingers finds what was meant: of each first letter the most
    /// used come first.
    static let words = Migration(
        name: "0014-words",
        text: """
            CREATE TABLE word (
                text @text NOT NULL PRIMARY KEY,
                initial @text NOT NULL,
                uses @integer NOT NULL
            );
            CREATE INDEX word_initial ON word (initial, uses, text);
            """,
        sqlite: """
            CREATE VIRTUAL TABLE indexed_word USING fts5vocab (event_search, col);
            INSERT INTO word (text, initial, uses)
                SELECT term, substr(term, 1, 1), sum(doc) FROM indexed_word
                WHERE col IN ('title', 'tags') AND length(term) BETWEEN 3 AND 30 GROUP BY term;
            DROP TABLE indexed_word;
            """)
}
