import Database

extension Schema {
    /// What people report, what waits for those who run the site, and what they decided; see `Matter`, `Report` and
    /// `Decision`. What staff did can be added to, and by no statement be changed or taken away.
    static let reports = Migration(
        name: "0072-moderation",
        text: """
            CREATE TABLE matter (
                subject @text NOT NULL PRIMARY KEY,
                author_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                waits_for @text NOT NULL CHECK (waits_for IN ('reports', 'look', 'answer')),
                is_grave @boolean NOT NULL DEFAULT FALSE,
                since @integer,
                reports @integer NOT NULL DEFAULT 0 CHECK (reports >= 0),
                fine_words @text,
                settled_at @integer
            );
            CREATE INDEX matter_waiting ON matter (is_grave DESC, since, subject) WHERE since IS NOT NULL;
            CREATE INDEX matter_author ON matter (author_id);
            CREATE INDEX matter_settled ON matter (settled_at) WHERE settled_at IS NOT NULL;

            CREATE TABLE report (
                id @id,
                subject @text NOT NULL REFERENCES matter (subject) ON DELETE CASCADE,
                account_id @integer REFERENCES account (id) ON DELETE SET NULL,
                ground @text NOT NULL CHECK (ground IN ('unkind', 'spam', 'private', 'danger', 'other')),
                note @text NOT NULL,
                words @text NOT NULL,
                once @text NOT NULL UNIQUE,
                at @integer NOT NULL,
                verdict @text CHECK (verdict IN ('right', 'wrong'))
            );
            CREATE INDEX report_subject ON report (subject, id);
            CREATE INDEX report_account ON report (account_id, verdict);
            CREATE UNIQUE INDEX report_open ON report (subject, account_id)
                WHERE verdict IS NULL AND account_id IS NOT NULL;

            CREATE TABLE decision (
                id @id,
                subject @text NOT NULL,
                author_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                staff_id @integer REFERENCES account (id) ON DELETE SET NULL,
                act @text NOT NULL CHECK (act IN ('fine', 'note', 'hide', 'ask', 'limit', 'suspend')),
                ground @text NOT NULL CHECK (ground IN ('unkind', 'spam', 'private', 'danger', 'other')),
                reason @text NOT NULL,
                until @integer,
                at @integer NOT NULL,
                ended_at @integer,
                answer @text NOT NULL DEFAULT '',
                answered_at @integer,
                words @text NOT NULL DEFAULT ''
            );
            CREATE INDEX decision_subject ON decision (subject, id);
            CREATE INDEX decision_author ON decision (author_id, id);
            CREATE INDEX decision_staff ON decision (staff_id);
            CREATE INDEX decision_at ON decision (at);

            ALTER TABLE comment ADD COLUMN hidden_at @integer;
            ALTER TABLE person ADD COLUMN hidden_at @integer;
            ALTER TABLE account ADD COLUMN limited_until @integer;
            ALTER TABLE staff_act ADD COLUMN ground @text;
            CREATE INDEX staff_act_verb ON staff_act (verb, ground);
            """,
        sqlite: """
            CREATE TRIGGER staff_act_stays BEFORE DELETE ON staff_act BEGIN
                SELECT RAISE(ABORT, 'what staff did stays written down');
            END;
            CREATE TRIGGER staff_act_is_fixed BEFORE UPDATE OF verb, subject_id, reason, at, ground ON staff_act BEGIN
                SELECT RAISE(ABORT, 'what staff did stays as it was written down');
            END;
            """)
}
