import Database

extension Schema {
    /// Who somebody is to the others, and what people tell each other: posts, who likes them, comments. The counts that
    /// everybody sees stand in the post.
    static let timeline = Migration(
        name: "0060-timeline",
        text: """
            CREATE TABLE person (
                id @id,
                account_id @integer NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
                name @text NOT NULL,
                about @text NOT NULL,
                town @text NOT NULL,
                is_open @boolean NOT NULL,
                updated_at @integer NOT NULL
            );

            CREATE TABLE post (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id),
                text @text NOT NULL,
                kind @text NOT NULL CHECK (kind IN ('done', 'received', 'thanks')),
                audience @text NOT NULL CHECK (audience IN ('everyone', 'members')),
                likes @integer NOT NULL DEFAULT 0 CHECK (likes >= 0),
                comments @integer NOT NULL DEFAULT 0 CHECK (comments >= 0),
                once @text NOT NULL,
                created_at @integer NOT NULL,
                edited_at @integer,
                hidden_at @integer,
                UNIQUE (account_id, once)
            );
            CREATE INDEX post_account ON post (account_id, id);
            CREATE INDEX post_public ON post (id) WHERE hidden_at IS NULL AND audience = 'everyone';

            CREATE TABLE reaction (
                post_id @integer NOT NULL REFERENCES post (id) ON DELETE CASCADE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                at @integer NOT NULL,
                PRIMARY KEY (post_id, account_id)
            );
            CREATE INDEX reaction_account ON reaction (account_id);

            CREATE TABLE comment (
                id @id,
                post_id @integer NOT NULL REFERENCES post (id) ON DELETE CASCADE,
                account_id @integer NOT NULL REFERENCES account (id),
                text @text NOT NULL,
                once @text NOT NULL,
                created_at @integer NOT NULL,
                UNIQUE (account_id, once)
            );
            CREATE INDEX comment_post ON comment (post_id, id);
            CREATE INDEX comment_account ON comment (account_id, id);
            """)
}
