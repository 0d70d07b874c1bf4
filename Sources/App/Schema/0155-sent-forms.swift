import Database

extension Schema {
    /// Which forms an account sent, so that the same `once` with other words is told from the same form sent twice.
    static let sentForms = Migration(
        name: "0155-sent-forms",
        text: """
            CREATE TABLE sent_form (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                once @text NOT NULL,
                path @text NOT NULL,
                digest @integer NOT NULL,
                at @integer NOT NULL,
                PRIMARY KEY (account_id, once, path)
            );
            CREATE INDEX sent_form_at ON sent_form (at);
            """)
}
