import Database

extension Schema {
    /// Private calendar addresses, as hashes: of an account, a family and each child, individually revocable.
    static let calendars = Migration(
        name: "calendars",
        text: """
            CREATE TABLE calendar_link (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                scope @text NOT NULL CHECK (scope IN ('account', 'family', 'child')),
                child_id @integer REFERENCES child (id) ON DELETE CASCADE,
                token_hash @blob NOT NULL UNIQUE,
                created_at @integer NOT NULL,
                CHECK ((child_id IS NOT NULL) = (scope = 'child'))
            );
            CREATE UNIQUE INDEX calendar_link_scope ON calendar_link (account_id, scope, coalesce(child_id, 0));
            CREATE INDEX calendar_link_child ON calendar_link (child_id);
            """)
}
