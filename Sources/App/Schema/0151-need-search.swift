import Database

extension Schema {
    /// The words of open needs, to look for them.
    static let needSearch = Migration(
        name: "0151-need-search",
        text: "",
        sqlite: """
            CREATE VIRTUAL TABLE need_search USING fts5 (
                title, description, city, kind,
                tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3 4 5 6 7 8'
            );
            INSERT INTO need_search (rowid, title, description, city, kind)
            SELECT id, title, description, city, kind FROM need WHERE closed_at IS NULL;
            """)
}
