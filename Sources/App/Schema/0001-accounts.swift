import Database

extension Schema {
    static let accounts = Migration(
        name: "0001-accounts",
        text: """
            CREATE TABLE account (
                id @id,
                email @text NOT NULL UNIQUE,
                username @text NOT NULL UNIQUE,
                password @text NOT NULL,
                is_staff @boolean NOT NULL DEFAULT FALSE,
                last_hat @text CHECK (last_hat IN ('parent', 'provider')),
                suspended_at @integer,
                created_at @integer NOT NULL,
                updated_at @integer NOT NULL
            );

            CREATE TABLE session (
                id @id,
                token_hash @blob NOT NULL UNIQUE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                csrf @blob NOT NULL,
                hat @text CHECK (hat IN ('parent', 'provider')),
                device @text NOT NULL,
                created_at @integer NOT NULL,
                seen_at @integer NOT NULL
            );
            CREATE INDEX session_account ON session (account_id, seen_at);
            CREATE INDEX session_seen ON session (seen_at);

            CREATE TABLE reset_link (
                id @id,
                token_hash @blob NOT NULL UNIQUE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                expires_at @integer NOT NULL
            );
            CREATE INDEX reset_link_account ON reset_link (account_id);

            CREATE TABLE setup_link (
                id @id,
                token_hash @blob NOT NULL UNIQUE,
                created_at @integer NOT NULL
            );

            CREATE TABLE note (
                id @id,
                name @text NOT NULL UNIQUE,
                value @text NOT NULL
            );
            """)
}
