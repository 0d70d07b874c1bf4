import Database

extension Schema {
    /// The questions that hosts ask families that register, and the answers.
    ///
    /// A question of one date belongs together with those of other dates in the series that have the same `root_id`;
    /// without one it is the first of them. Its `version` rises when its text changes. An answer belongs to one person
    /// in a party, so it moves with that person and is erased with them; an answer a family gives once is stored for
    /// each. It keeps the text of the question, and the `days` that the parent was told.
    static let asking = Migration(
        name: "asking",
        text: """
            CREATE TABLE ask (
                id @id,
                event_id @integer NOT NULL REFERENCES event (id) ON DELETE CASCADE,
                root_id @integer,
                place @integer NOT NULL,
                version @integer NOT NULL,
                kind @text NOT NULL CHECK (kind IN ('agree', 'photo', 'choice', 'line')),
                text @text NOT NULL,
                options @text NOT NULL,
                why @text NOT NULL,
                is_each @boolean NOT NULL,
                is_required @boolean NOT NULL,
                days @integer NOT NULL CHECK (days BETWEEN 1 AND 365)
            );
            CREATE INDEX ask_event ON ask (event_id, place, id);

            CREATE TABLE reply (
                id @id,
                person_id @integer NOT NULL REFERENCES registration_person (id) ON DELETE CASCADE,
                event_id @integer NOT NULL REFERENCES event (id) ON DELETE CASCADE,
                ask_id @integer REFERENCES ask (id) ON DELETE SET NULL,
                version @integer NOT NULL,
                kind @text NOT NULL CHECK (kind IN ('agree', 'photo', 'choice', 'line')),
                is_each @boolean NOT NULL,
                text @text NOT NULL,
                answer @text NOT NULL,
                giver_id @integer REFERENCES account (id) ON DELETE SET NULL,
                at @integer NOT NULL,
                taken_back_at @integer,
                days @integer NOT NULL CHECK (days BETWEEN 1 AND 365),
                erase_at @integer NOT NULL,
                UNIQUE (person_id, ask_id)
            );
            CREATE INDEX reply_event ON reply (event_id, id);
            CREATE INDEX reply_ask ON reply (ask_id) WHERE ask_id IS NOT NULL;
            CREATE INDEX reply_erase ON reply (erase_at);
            CREATE INDEX reply_giver ON reply (giver_id) WHERE giver_id IS NOT NULL;
            """)
}
