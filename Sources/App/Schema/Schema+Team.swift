import Database

extension Schema {
    /// The team of an organization: its owner, who has the organization's account, and colleagues with accounts of
    /// their own; invitation links; and who did what, and about whom.
    static let team = Migration(
        name: "team",
        text: """
            CREATE TABLE colleague (
                account_id @integer PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
                host_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                duty @text NOT NULL CHECK (duty IN ('edit', 'roster')),
                was_owner @boolean NOT NULL DEFAULT FALSE,
                since @integer NOT NULL,
                CHECK (account_id <> host_id)
            );
            CREATE INDEX colleague_host ON colleague (host_id, since);

            CREATE TABLE team_act (
                id @id,
                host_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                account_id @integer REFERENCES account (id) ON DELETE SET NULL,
                verb @text NOT NULL,
                title @text NOT NULL,
                at @integer NOT NULL,
                about_id @integer REFERENCES account (id) ON DELETE SET NULL
            );
            CREATE INDEX team_act_account ON team_act (account_id);
            CREATE INDEX team_act_at ON team_act (at);
            CREATE INDEX team_act_host ON team_act (host_id, id);
            CREATE INDEX team_act_about ON team_act (about_id) WHERE about_id IS NOT NULL;
            """)
}
