import Database

extension Schema {
    /// The desk counts the providers of each plan, and who was deleted lately is found, without looking at all of them.
    static let plans = Migration(
        name: "0138-plans",
        text: """
            CREATE INDEX provider_plan ON provider (plan);
            CREATE INDEX account_left ON account (left_at) WHERE left_at IS NOT NULL;
            """)
}
