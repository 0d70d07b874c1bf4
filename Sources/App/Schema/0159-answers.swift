import Database

extension Schema {
    /// What waits for somebody's yes: when they were reminded of it, and that it ran out without one.
    static let answers = Migration(
        name: "0159-answers",
        text: """
            ALTER TABLE signup ADD COLUMN reminded_at @integer;
            ALTER TABLE signup ADD COLUMN lapsed @boolean NOT NULL DEFAULT FALSE;
            CREATE INDEX signup_asked ON signup (opportunity_id, created_at) WHERE state = 'asked';
            ALTER TABLE claim ADD COLUMN reminded_at @integer;
            CREATE INDEX claim_asked ON claim (need_id, made_at) WHERE state = 'asked';
            ALTER TABLE meeting ADD COLUMN lapsed @boolean NOT NULL DEFAULT FALSE;
            CREATE INDEX meeting_asked ON meeting (other_account_id, id) WHERE state = 'proposed';
            UPDATE meeting SET due_at = max(time_1, coalesce(time_2, time_1), coalesce(time_3, time_1))
            WHERE state = 'proposed';
            """)
}
