import Database

extension Schema {
    /// What was promised says a day before that it runs out; and what somebody says they brought waits for the word of
    /// whoever was to get it.
    static let runOut = Migration(
        name: "0161-run-out",
        text: """
            ALTER TABLE promise ADD COLUMN is_reminded @boolean NOT NULL DEFAULT FALSE;
            ALTER TABLE promise ADD COLUMN waits @boolean NOT NULL DEFAULT FALSE;
            ALTER TABLE claim ADD COLUMN is_reminded @boolean NOT NULL DEFAULT FALSE;
            CREATE INDEX promise_ending ON promise (ends_at) WHERE state = 'open' AND NOT is_reminded;
            CREATE INDEX promise_waits ON promise (opportunity_id, id) WHERE waits;
            CREATE INDEX claim_ending ON claim (ends_at) WHERE state = 'taken' AND NOT is_reminded;
            """)
}
