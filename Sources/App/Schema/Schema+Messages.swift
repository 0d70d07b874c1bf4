import Database

extension Schema {
    /// What people say to each other: the owners of pets that match, or the two sides of a thread.
    static let messages = Migration(
        name: "messages",
        text: """
            -- What is promised, a way to help, or a private question, about which somebody (`account_id`) and those
            -- whose it is talk.
            CREATE TABLE thread (
                id @id,
                claim_id @integer UNIQUE REFERENCES claim (id) ON DELETE CASCADE,
                opportunity_id @integer REFERENCES opportunity (id) ON DELETE CASCADE,
                question_id @integer UNIQUE REFERENCES question (id) ON DELETE CASCADE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                UNIQUE (opportunity_id, account_id),
                CHECK (CASE WHEN claim_id IS NULL THEN 0 ELSE 1 END + CASE WHEN opportunity_id IS NULL THEN 0 ELSE 1 END
                    + CASE WHEN question_id IS NULL THEN 0 ELSE 1 END = 1)
            );
            CREATE INDEX thread_account ON thread (account_id, id);

            CREATE TABLE message (
                id @id,
                match_id @integer REFERENCES pet_match (id) ON DELETE CASCADE,
                thread_id @integer REFERENCES thread (id) ON DELETE CASCADE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                text @text NOT NULL,
                once @text NOT NULL,
                at @integer NOT NULL,
                hidden_at @integer,
                UNIQUE (account_id, once),
                CHECK ((match_id IS NULL) <> (thread_id IS NULL))
            );
            CREATE INDEX message_match ON message (match_id, id);
            CREATE INDEX message_thread ON message (thread_id, id);
            CREATE INDEX message_at ON message (at);
            CREATE INDEX message_account ON message (account_id, id);

            -- What is new in a talk, for pages that stay open: meetings and one's own words, too.
            CREATE TABLE talk_news (
                id @id,
                match_id @integer UNIQUE REFERENCES pet_match (id) ON DELETE CASCADE,
                thread_id @integer UNIQUE REFERENCES thread (id) ON DELETE CASCADE,
                CHECK ((match_id IS NULL) <> (thread_id IS NULL))
            );

            -- Those who read a thread, once one of them wrote.
            CREATE TABLE thread_side (
                thread_id @integer NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                last_at @integer NOT NULL,
                unread @integer NOT NULL DEFAULT 0 CHECK (unread >= 0),
                PRIMARY KEY (thread_id, account_id)
            );
            CREATE INDEX thread_side_account ON thread_side (account_id, last_at, thread_id);
            """)
}
