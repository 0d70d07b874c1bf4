import Database

extension Schema {
    /// That letters to an address don't arrive: what its mail server said, and whether it took them first and sent them
    /// back later.
    static let bounces = Migration(
        name: "0157-bounces",
        text: """
            ALTER TABLE account ADD COLUMN refused_at @integer;
            ALTER TABLE account ADD COLUMN refusal @text NOT NULL DEFAULT '';
            ALTER TABLE account ADD COLUMN came_back @boolean NOT NULL DEFAULT FALSE;
            CREATE INDEX account_refused ON account (refused_at) WHERE refused_at IS NOT NULL;
            """)
}
