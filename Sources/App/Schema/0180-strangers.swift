import Database

extension Schema {
    /// The address that somebody without an account left for the answer to a report goes with its letter.
    static let strangers = Migration(
        name: "0180-strangers",
        text: """
            DROP INDEX letter_strangers;
            CREATE INDEX letter_strangers ON letter (state)
                WHERE kind IN ('invited', 'deleted', 'decided') AND address <> '';
            """)
}
