import Database

extension Schema {
    /// A link for a new password that came in a letter shows that the address is its account's. What is written to
    /// somebody without an account is found at once, to be forgotten.
    static let provenAddresses = Migration(
        name: "0152-proven-addresses",
        text: """
            ALTER TABLE reset_link ADD COLUMN by_mail @boolean NOT NULL DEFAULT FALSE;
            DROP INDEX letter_invited;
            CREATE INDEX letter_strangers ON letter (state) WHERE kind IN ('invited', 'deleted') AND address <> '';
            """)
}
