import Database

extension Schema {
    /// Who looks after the site: moderators decide about content and people, admins run the site too. What an admin
    /// checked of an organization, which counts until a day. And tags: one that was merged stays as the way on.
    static let desk = Migration(
        name: "0132-desk",
        text: """
            ALTER TABLE account ADD COLUMN is_admin @boolean NOT NULL DEFAULT FALSE;
            UPDATE account SET is_admin = TRUE WHERE is_staff;
            CREATE INDEX account_admin ON account (id) WHERE is_admin;
            ALTER TABLE provider ADD COLUMN verified_at @integer;
            ALTER TABLE provider ADD COLUMN verified_until @integer;
            ALTER TABLE provider ADD COLUMN verified_by_checking @text NOT NULL DEFAULT '';
            ALTER TABLE provider ADD COLUMN verified_is_asked @boolean NOT NULL DEFAULT FALSE;
            CREATE INDEX provider_verified ON provider (verified_until) WHERE verified_until IS NOT NULL;
            ALTER TABLE tag ADD COLUMN merged_into @text;
            ALTER TABLE tag ADD COLUMN is_hidden @boolean NOT NULL DEFAULT FALSE;
            CREATE INDEX tag_merged ON tag (merged_into) WHERE merged_into IS NOT NULL;
            CREATE INDEX less_of_tag ON less (tag) WHERE tag IS NOT NULL;
            """)
}
