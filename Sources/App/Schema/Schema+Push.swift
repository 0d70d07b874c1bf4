import Database

extension Schema {
    /// Browsers that receive push messages, and the messages waiting for them.
    static let push = Migration(
        name: "push",
        text: """
            -- A browser in which somebody switched push on, as long as they are logged in there. `public_key` and
            -- `secret` are what pushes for it are encrypted by; what reads them stays in the browser.
            CREATE TABLE push_subscription (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                session_id @integer NOT NULL UNIQUE REFERENCES session (id) ON DELETE CASCADE,
                device @text NOT NULL,
                endpoint @text NOT NULL UNIQUE,
                public_key @text NOT NULL,
                secret @text NOT NULL,
                made_at @integer NOT NULL
            );
            CREATE INDEX push_subscription_account ON push_subscription (account_id);

            -- A notice on its way to a browser; gone once it is there. Its sender moves `due_at` ahead first, by
            -- the time that sending may take: no other node sends it meanwhile.
            CREATE TABLE push (
                id @id,
                notice_id @integer NOT NULL REFERENCES notice (id) ON DELETE CASCADE,
                subscription_id @integer NOT NULL REFERENCES push_subscription (id) ON DELETE CASCADE,
                tries @integer NOT NULL DEFAULT 0,
                due_at @integer NOT NULL,
                ends_at @integer NOT NULL,
                UNIQUE (notice_id, subscription_id)
            );
            CREATE INDEX push_due ON push (due_at, id);
            CREATE INDEX push_to ON push (subscription_id, due_at);
            """)
}
