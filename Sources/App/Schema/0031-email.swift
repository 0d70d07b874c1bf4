import Database

extension Schema {
    /// Changes of e-mail addresses: made when the new one is confirmed, undone from the old one for three days; and
    /// from which network a session came.
    static let email = Migration(
        name: "0031-email",
        text: """
            CREATE TABLE email_change (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                old_email @text NOT NULL,
                new_email @text NOT NULL,
                asked_at @integer NOT NULL,
                made_at @integer,
                undo_hash @blob UNIQUE,
                undo_until @integer,
                ended @text CHECK (ended IN ('used', 'replaced'))
            );
            CREATE INDEX email_change_account ON email_change (account_id, id);
            CREATE INDEX email_change_old ON email_change (old_email);
            CREATE INDEX email_change_asked ON email_change (asked_at);

            ALTER TABLE confirm_link ADD COLUMN change_id @integer REFERENCES email_change (id) ON DELETE CASCADE;
            CREATE INDEX confirm_link_change ON confirm_link (change_id) WHERE change_id IS NOT NULL;

            ALTER TABLE session ADD COLUMN network @text NOT NULL DEFAULT '';
            """)
}
