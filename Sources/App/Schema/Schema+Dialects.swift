import Database

extension Schema {
    /// The parts that each engine spells in its own way; all other files say what both take.
    ///
    /// - The full-text indexes of `SearchIndex`. They hold words as the site folds them, so that every script is found
    ///   the same way whatever the engine's tokenizer knows. Beginnings of words of up to eight letters have an index
    ///   of their own: without one all matches of a beginning are gathered before the first comes, which took 42 ms
    ///   where a million events say `room`.
    /// - The triggers that keep what staff did as it was written down.
    static let dialects = Migration(
        name: "dialects",
        text: "",
        sqlite: """
            CREATE VIRTUAL TABLE event_search USING fts5 (
                title, description, provider, city, tags,
                tokenize = 'ascii tokenchars _', prefix = '1 2 3 4 5 6 7 8'
            );
            CREATE VIRTUAL TABLE opportunity_search USING fts5 (
                title, description, organization, city, tags,
                tokenize = 'ascii tokenchars _', prefix = '1 2 3 4 5 6 7 8'
            );
            CREATE VIRTUAL TABLE need_search USING fts5 (
                title, description, city, kind,
                tokenize = 'ascii tokenchars _', prefix = '1 2 3 4 5 6 7 8'
            );

            CREATE TRIGGER staff_act_stays BEFORE DELETE ON staff_act BEGIN
                SELECT RAISE(ABORT, 'what staff did stays written down');
            END;
            CREATE TRIGGER staff_act_is_fixed
            BEFORE UPDATE OF verb, subject_id, reason, at, ground, was, became ON staff_act BEGIN
                SELECT RAISE(ABORT, 'what staff did stays as it was written down');
            END;
            """)
}
