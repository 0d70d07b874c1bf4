import Database

extension Schema {
    /// What staff did, to whom, and why: rows are added, never changed.
    static let moderation = Migration(
        name: "0005-moderation",
        text: """
            CREATE TABLE staff_act (
                id @id,
                account_id @integer REFERENCES account (id) ON DELETE SET NULL,
                verb @text NOT NULL,
                subject @text NOT NULL,
                subject_id @integer,
                reason @text NOT NULL,
                at @integer NOT NULL
            );
            """)
}
