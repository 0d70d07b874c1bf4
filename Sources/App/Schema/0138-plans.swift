import Database

extension Schema {
    /// The desk counts the providers of each plan without looking at all of them.
    static let plans = Migration(
        name: "0138-plans",
        text: """
            CREATE INDEX provider_plan ON provider (plan);
            """)
}
