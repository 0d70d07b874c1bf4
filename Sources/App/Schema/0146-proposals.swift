import Database

extension Schema {
    /// Acts that somebody wrote and proposed for everybody: hidden until those who run the site looked, as the first
    /// thing of somebody is. An act that was proposed and isn't hidden is in the catalog.
    static let proposals = Migration(
        name: "0146-proposals",
        text: """
            ALTER TABLE own_act ADD COLUMN proposed_at @integer;
            ALTER TABLE own_act ADD COLUMN hidden_at @integer;
            CREATE INDEX own_act_town ON own_act (id) WHERE proposed_at IS NOT NULL AND hidden_at IS NULL;
            """)
}
