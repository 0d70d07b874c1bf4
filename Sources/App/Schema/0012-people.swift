import Database

extension Schema {
    /// What staff need: how a one-time link ended, people by the words of their names, counts, and who was acted on.
    static let people = Migration(
        name: "0012-people",
        text: """
            ALTER TABLE reset_link ADD COLUMN ended @text CHECK (ended IN ('used', 'replaced'));
            ALTER TABLE setup_link ADD COLUMN ended @text CHECK (ended IN ('used', 'replaced'));
            CREATE INDEX reset_link_expires ON reset_link (expires_at);

            CREATE TABLE person_word (
                word @text NOT NULL,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                PRIMARY KEY (word, account_id)
            );
            CREATE INDEX person_word_account ON person_word (account_id);
            INSERT INTO person_word (word, account_id)
                SELECT lower(first_name), account_id FROM family
                UNION SELECT lower(last_name), account_id FROM family
                UNION SELECT lower(first_name), account_id FROM provider
                UNION SELECT lower(last_name), account_id FROM provider
                UNION SELECT lower(organization), account_id FROM provider;

            CREATE INDEX account_created ON account (created_at);
            CREATE INDEX account_suspended ON account (suspended_at) WHERE suspended_at IS NOT NULL;
            CREATE INDEX staff_act_subject ON staff_act (subject_id, verb, id);
            """)
}
