import Database

extension Schema {
    /// What something was before staff changed it, and what it became: a role, a plan, a setting.
    static let staffChanges = Migration(
        name: "0156-staff-changes",
        text: """
            ALTER TABLE staff_act ADD COLUMN was @text NOT NULL DEFAULT '';
            ALTER TABLE staff_act ADD COLUMN became @text NOT NULL DEFAULT '';
            """,
        sqlite: """
            DROP TRIGGER staff_act_is_fixed;
            CREATE TRIGGER staff_act_is_fixed
            BEFORE UPDATE OF verb, subject_id, reason, at, ground, was, became ON staff_act BEGIN
                SELECT RAISE(ABORT, 'what staff did stays as it was written down');
            END;
            """)
}
