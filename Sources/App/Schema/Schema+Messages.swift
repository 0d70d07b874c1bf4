import Database

extension Schema {
    /// What two people say to each other: owners of pets that match, or somebody who asked for something and the one
    /// who promised it.
    static let messages = Migration(
        name: "messages",
        text: """
            CREATE TABLE message (
                id @id,
                match_id @integer REFERENCES pet_match (id) ON DELETE CASCADE,
                claim_id @integer REFERENCES claim (id) ON DELETE CASCADE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                text @text NOT NULL,
                once @text NOT NULL,
                at @integer NOT NULL,
                hidden_at @integer,
                UNIQUE (account_id, once),
                CHECK ((match_id IS NULL) <> (claim_id IS NULL))
            );
            CREATE INDEX message_match ON message (match_id, id);
            CREATE INDEX message_claim ON message (claim_id, id);
            CREATE INDEX message_at ON message (at);
            CREATE INDEX message_account ON message (account_id, id);

            -- What is new in a talk, for pages that stay open: meetings and one's own words, too.
            CREATE TABLE talk_news (
                id @id,
                match_id @integer UNIQUE REFERENCES pet_match (id) ON DELETE CASCADE,
                claim_id @integer UNIQUE REFERENCES claim (id) ON DELETE CASCADE,
                CHECK ((match_id IS NULL) <> (claim_id IS NULL))
            );

            -- The two of a promise, once one of them wrote.
            CREATE TABLE thread_side (
                claim_id @integer NOT NULL REFERENCES claim (id) ON DELETE CASCADE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                last_at @integer NOT NULL,
                unread @integer NOT NULL DEFAULT 0 CHECK (unread >= 0),
                PRIMARY KEY (claim_id, account_id)
            );
            CREATE INDEX thread_side_account ON thread_side (account_id, last_at, claim_id);
            """)
}
