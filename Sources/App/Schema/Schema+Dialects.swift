import Database

extension Schema {
    /// The parts that each engine spells in its own way; all other files say what both take.
    ///
    /// - The full-text indexes of `SearchIndex`. They hold words as the site folds them, so that every script is found
    ///   the same way whatever the engine's tokenizer knows. Beginnings of words of up to eight letters have an index
    ///   of their own: without one all matches of a beginning are gathered before the first comes, which took 42 ms
    ///   where a million events say `room`.
    ///   PostgreSQL has the same columns, and what it finds them by is made of them: lexemes with their places, so that
    ///   words can follow each other.
    /// - Counts by a rule are not logged: a server that starts again begins to count anew. Erased rows are removed
    ///   within a minute, instead of when a fifth of a table is gone.
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
            """,
        postgreSQL: #"""
            ALTER TABLE rate_count SET UNLOGGED;

            CREATE FUNCTION words_of(text TEXT) RETURNS TSVECTOR LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
                SELECT coalesce(CAST(string_agg(
                    '''' || replace(replace(left(word, 500), '\', '\\'), '''', '''''')
                        || ''':' || least(place, 16383), ' '
                    ORDER BY place) AS TSVECTOR), CAST('' AS TSVECTOR))
                FROM unnest(regexp_split_to_array(text, '[ ,]+')) WITH ORDINALITY AS part (word, place)
                WHERE word <> ''
            $$;
            CREATE TABLE event_search (
                rowid BIGINT PRIMARY KEY, title TEXT NOT NULL, description TEXT NOT NULL, provider TEXT NOT NULL,
                city TEXT NOT NULL, tags TEXT NOT NULL,
                words TSVECTOR NOT NULL GENERATED ALWAYS AS (
                    words_of(title || ' | ' || description || ' | ' || provider || ' | ' || city || ' | ' || tags)
                ) STORED
            );
            CREATE TABLE opportunity_search (
                rowid BIGINT PRIMARY KEY, title TEXT NOT NULL, description TEXT NOT NULL, organization TEXT NOT NULL,
                city TEXT NOT NULL, tags TEXT NOT NULL,
                words TSVECTOR NOT NULL GENERATED ALWAYS AS (
                    words_of(title || ' | ' || description || ' | ' || organization || ' | ' || city || ' | ' || tags)
                ) STORED
            );
            CREATE TABLE need_search (
                rowid BIGINT PRIMARY KEY, title TEXT NOT NULL, description TEXT NOT NULL, city TEXT NOT NULL,
                kind TEXT NOT NULL,
                words TSVECTOR NOT NULL GENERATED ALWAYS AS (
                    words_of(title || ' | ' || description || ' | ' || city || ' | :' || kind)
                ) STORED
            );
            CREATE INDEX event_search_words ON event_search USING gin (words) WITH (fastupdate = off);
            CREATE INDEX opportunity_search_words ON opportunity_search USING gin (words) WITH (fastupdate = off);
            CREATE INDEX need_search_words ON need_search USING gin (words) WITH (fastupdate = off);

            CREATE FUNCTION staff_act_stays() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
                RAISE EXCEPTION 'what staff did stays written down';
            END $$;
            CREATE FUNCTION staff_act_is_fixed() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
                RAISE EXCEPTION 'what staff did stays as it was written down';
            END $$;
            CREATE TRIGGER staff_act_stays BEFORE DELETE ON staff_act
                FOR EACH ROW EXECUTE FUNCTION staff_act_stays();
            CREATE TRIGGER staff_act_is_fixed
                BEFORE UPDATE OF verb, subject_id, reason, at, ground, was, became ON staff_act
                FOR EACH ROW EXECUTE FUNCTION staff_act_is_fixed();

            DO $$ DECLARE kept TEXT; BEGIN
                FOR kept IN SELECT relname FROM pg_class
                WHERE relnamespace = CAST(current_schema() AS regnamespace) AND relkind = 'r'
                    AND relname NOT IN ('town', 'zip', 'schema_migration', 'village_turn') LOOP
                    EXECUTE format(
                        'ALTER TABLE %I SET (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0)',
                        kept);
                END LOOP;
            END $$;
            """#)
}
