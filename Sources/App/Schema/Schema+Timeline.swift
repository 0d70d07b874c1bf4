import Database

extension Schema {
    /// Posts, likes and comments. The visible counts are stored in the post. Photos are deleted with the post, and with
    /// the picture when its owner leaves.
    static let timeline = Migration(
        name: "timeline",
        text: """
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
                shows_children @boolean NOT NULL DEFAULT FALSE,
                event_id @integer REFERENCES event (id) ON DELETE SET NULL,
                UNIQUE (account_id, once)
            );
            CREATE INDEX post_account ON post (account_id, id);
            CREATE INDEX post_public ON post (id) WHERE hidden_at IS NULL AND audience = 'everyone';
            CREATE INDEX post_event ON post (event_id) WHERE event_id IS NOT NULL;

            CREATE TABLE post_picture (
                post_id @integer NOT NULL REFERENCES post (id) ON DELETE CASCADE,
                place @integer NOT NULL CHECK (place BETWEEN 1 AND 4),
                picture_id @integer NOT NULL REFERENCES picture (id) ON DELETE CASCADE,
                PRIMARY KEY (post_id, place)
            );
            CREATE INDEX post_picture_picture ON post_picture (picture_id);

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
                hidden_at @integer,
                UNIQUE (account_id, once)
            );
            CREATE INDEX comment_post ON comment (post_id, id);
            CREATE INDEX comment_account ON comment (account_id, id);
            """)
}
