import Database

extension Schema {
    /// Drafts of events and of opportunities.
    ///
    /// An organization's drafts are shared by its owner and colleagues; `keeper_id` is the colleague who last saved
    /// one, and with `is_own` the owner keeps it private.
    static let posting = Migration(
        name: "posting",
        text: """
            CREATE TABLE draft (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                title @text NOT NULL,
                form @text NOT NULL,
                picture_id @integer,
                once @text NOT NULL,
                updated_at @integer NOT NULL,
                kind @text NOT NULL DEFAULT 'event' CHECK (kind IN ('event', 'opportunity')),
                is_own @boolean NOT NULL DEFAULT FALSE,
                keeper_id @integer REFERENCES account (id) ON DELETE SET NULL,
                UNIQUE (account_id, once)
            );
            CREATE INDEX draft_account ON draft (account_id, updated_at, id);
            CREATE INDEX draft_picture ON draft (picture_id) WHERE picture_id IS NOT NULL;
            CREATE INDEX draft_keeper ON draft (keeper_id) WHERE keeper_id IS NOT NULL;
            """)
}
