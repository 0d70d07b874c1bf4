import Database

extension Schema {
    /// The parts that differ between the engines; all other files use SQL that works in both.
    ///
    /// - The full-text indexes of `SearchIndex`. They contain words as the site folds them, so that every script is
    ///   searched the same way, independently of the engine's tokenizer. Word beginnings of up to eight letters have an
    ///   index of their own: without it, all matches of a prefix are collected before the first is returned, which took
    ///   42 ms with a million events that contain `room`. PostgreSQL has the same columns, and derives its search
    ///   vectors from them: lexemes with positions, so that phrases work.
    /// - Rate counts are unlogged: after a restart, a server starts counting from zero. Erased rows are vacuumed within
    ///   a minute, instead of when a fifth of the table is gone.
    /// - The triggers that protect the log of staff actions from changes.
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
