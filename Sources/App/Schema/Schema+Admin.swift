import Database

extension Schema {
    /// The log of staff actions: what was done, to whom, and why, with the state before and after. Rows are only added,
    /// never changed or deleted (see `dialects`).
    static let admin = Migration(
        name: "admin",
        text: """
            CREATE TABLE staff_act (
                id @id,
                account_id @integer REFERENCES account (id) ON DELETE SET NULL,
                verb @text NOT NULL,
                subject @text NOT NULL,
                subject_id @integer,
                reason @text NOT NULL,
                at @integer NOT NULL,
                ground @text,
                was @text NOT NULL DEFAULT '',
                became @text NOT NULL DEFAULT '',
                about @text,
                author_id @integer REFERENCES account (id) ON DELETE SET NULL
            );
            CREATE INDEX staff_act_subject ON staff_act (subject_id, verb, id);
            CREATE INDEX staff_act_verb ON staff_act (verb, ground);
            CREATE INDEX staff_act_author ON staff_act (author_id) WHERE author_id IS NOT NULL;
            """)
}
