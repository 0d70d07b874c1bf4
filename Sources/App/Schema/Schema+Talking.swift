import Database

extension Schema {
    /// Announcements by hosts to participants and by organizations to helpers, and parents' questions.
    static let talking = Migration(
        name: "talking",
        text: """
            -- `readers` says to which helpers it went, as the form names them.
            CREATE TABLE announcement (
                id @id,
                event_id @integer REFERENCES event (id) ON DELETE CASCADE,
                opportunity_id @integer REFERENCES opportunity (id) ON DELETE CASCADE,
                subject @text NOT NULL,
                body @text NOT NULL,
                tells_waiting @boolean NOT NULL,
                readers @text NOT NULL DEFAULT '',
                families @integer NOT NULL DEFAULT 0,
                once @text NOT NULL,
                at @integer NOT NULL,
                CHECK ((event_id IS NULL) <> (opportunity_id IS NULL)),
                UNIQUE (event_id, once),
                UNIQUE (opportunity_id, once)
            );
            CREATE INDEX announcement_event ON announcement (event_id, at, id);
            CREATE INDEX announcement_opportunity ON announcement (opportunity_id, at, id);

            CREATE TABLE question (
                id @id,
                event_id @integer NOT NULL REFERENCES event (id) ON DELETE CASCADE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                text @text NOT NULL,
                is_private @boolean NOT NULL,
                answer @text NOT NULL DEFAULT '',
                once @text NOT NULL,
                asked_at @integer NOT NULL,
                answered_at @integer,
                closed_at @integer,
                hidden_at @integer,
                UNIQUE (account_id, once)
            );
            CREATE INDEX question_event ON question (event_id, id);
            CREATE INDEX question_account ON question (account_id, asked_at);
            CREATE INDEX question_asked ON question (asked_at);
            """)
}
