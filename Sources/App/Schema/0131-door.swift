import Database

extension Schema {
    /// How people come in, and what keeps the site from being flooded.
    ///
    /// `account.waits_since` is when somebody signed up who isn't let in yet. `inviter_id` makes the tree of
    /// invitations; `branch_id` is the first account below the trunk, which is nobody or staff: null of whoever is that
    /// themselves. A part of a wave is what was hidden, by the kind of its subject and its number, or a `decision`. In
    /// the queue wait, besides what is reported, those who want to come in, the first things of somebody
    /// whose address isn't confirmed, and accounts to be deleted. SQLite can't change a check: there the tables are
    /// made anew.
    static let door = Migration(
        name: "0131-door",
        text: """
            ALTER TABLE account ADD COLUMN waits_since @integer;
            ALTER TABLE account ADD COLUMN inviter_id @integer REFERENCES account (id) ON DELETE SET NULL;
            ALTER TABLE account ADD COLUMN branch_id @integer;
            CREATE INDEX account_staff ON account (id) WHERE is_staff;
            CREATE INDEX account_waits ON account (waits_since, id) WHERE waits_since IS NOT NULL;
            CREATE INDEX account_inviter ON account (inviter_id, id) WHERE inviter_id IS NOT NULL;

            CREATE TABLE invitation (
                id @id,
                token_hash @blob NOT NULL UNIQUE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                whom @text NOT NULL,
                expires_at @integer NOT NULL,
                ended @text CHECK (ended IN ('used', 'replaced'))
            );
            CREATE INDEX invitation_account ON invitation (account_id, expires_at);
            CREATE INDEX invitation_expires ON invitation (expires_at);

            CREATE TABLE wave (
                id @id,
                staff_id @integer REFERENCES account (id) ON DELETE SET NULL,
                ground @text NOT NULL CHECK (ground IN ('unkind', 'spam', 'private', 'danger', 'other')),
                reason @text NOT NULL,
                accounts @integer NOT NULL,
                things @integer NOT NULL,
                at @integer NOT NULL,
                ended_at @integer
            );
            CREATE INDEX wave_staff ON wave (staff_id);
            CREATE TABLE wave_part (
                wave_id @integer NOT NULL REFERENCES wave (id) ON DELETE CASCADE,
                kind @text NOT NULL,
                number @integer NOT NULL,
                PRIMARY KEY (wave_id, kind, number)
            );

            CREATE INDEX message_account ON message (account_id, id);

            CREATE TABLE blocked_domain (
                domain @text NOT NULL PRIMARY KEY,
                staff_id @integer REFERENCES account (id) ON DELETE SET NULL,
                wave_id @integer REFERENCES wave (id) ON DELETE SET NULL,
                reason @text NOT NULL,
                at @integer NOT NULL
            );
            CREATE INDEX blocked_domain_staff ON blocked_domain (staff_id);
            CREATE INDEX blocked_domain_wave ON blocked_domain (wave_id) WHERE wave_id IS NOT NULL;
            """,
        sqlite: """
            CREATE TABLE new_matter (
                subject TEXT NOT NULL PRIMARY KEY,
                author_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                waits_for TEXT NOT NULL
                    CHECK (waits_for IN ('reports', 'look', 'answer', 'first', 'entry', 'removal')),
                is_grave INTEGER CHECK (is_grave IN (0, 1)) NOT NULL DEFAULT FALSE,
                since INTEGER,
                reports INTEGER NOT NULL DEFAULT 0 CHECK (reports >= 0),
                fine_words TEXT,
                settled_at INTEGER
            ) STRICT;
            INSERT INTO new_matter (subject, author_id, waits_for, is_grave, since, reports, fine_words, settled_at)
            SELECT subject, author_id, waits_for, is_grave, since, reports, fine_words, settled_at FROM matter;
            CREATE TABLE new_report (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                subject TEXT NOT NULL REFERENCES new_matter (subject) ON DELETE CASCADE,
                account_id INTEGER REFERENCES account (id) ON DELETE SET NULL,
                ground TEXT NOT NULL CHECK (ground IN ('unkind', 'spam', 'private', 'danger', 'other')),
                note TEXT NOT NULL,
                words TEXT NOT NULL,
                once TEXT NOT NULL UNIQUE,
                at INTEGER NOT NULL,
                verdict TEXT CHECK (verdict IN ('right', 'wrong'))
            ) STRICT;
            INSERT INTO new_report (id, subject, account_id, ground, note, words, once, at, verdict)
            SELECT id, subject, account_id, ground, note, words, once, at, verdict FROM report ORDER BY id;
            CREATE TABLE new_decision (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                subject TEXT NOT NULL,
                author_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                staff_id INTEGER REFERENCES account (id) ON DELETE SET NULL,
                act TEXT NOT NULL CHECK (
                    act IN ('fine', 'note', 'hide', 'ask', 'limit', 'suspend', 'admit', 'refuse', 'delete')),
                ground TEXT NOT NULL CHECK (ground IN ('unkind', 'spam', 'private', 'danger', 'other')),
                reason TEXT NOT NULL,
                until INTEGER,
                at INTEGER NOT NULL,
                ended_at INTEGER,
                answer TEXT NOT NULL DEFAULT '',
                answered_at INTEGER,
                kept_back INTEGER NOT NULL CHECK (kept_back IN (0, 1)) DEFAULT FALSE,
                words TEXT NOT NULL DEFAULT ''
            ) STRICT;
            INSERT INTO new_decision (id, subject, author_id, staff_id, act, ground, reason, until, at, ended_at,
                answer, answered_at, words)
            SELECT id, subject, author_id, staff_id, act, ground, reason, until, at, ended_at, answer, answered_at,
                words
            FROM decision ORDER BY id;

            -- No number is ever given twice, not even that of the last row, deleted before this.
            DELETE FROM sqlite_sequence WHERE name IN ('new_report', 'new_decision');
            INSERT INTO sqlite_sequence (name, seq)
            SELECT 'new_' || name, seq FROM sqlite_sequence WHERE name IN ('report', 'decision');

            DROP TABLE report;
            DROP TABLE matter;
            DROP TABLE decision;
            ALTER TABLE new_matter RENAME TO matter;
            ALTER TABLE new_report RENAME TO report;
            ALTER TABLE new_decision RENAME TO decision;
            CREATE INDEX matter_waiting ON matter (is_grave DESC, since, subject) WHERE since IS NOT NULL;
            CREATE INDEX matter_author ON matter (author_id);
            CREATE INDEX matter_settled ON matter (settled_at) WHERE settled_at IS NOT NULL;
            CREATE INDEX report_subject ON report (subject, id);
            CREATE INDEX report_account ON report (account_id, verdict);
            CREATE UNIQUE INDEX report_open ON report (subject, account_id)
                WHERE verdict IS NULL AND account_id IS NOT NULL;
            CREATE INDEX decision_subject ON decision (subject, id);
            CREATE INDEX decision_author ON decision (author_id, id);
            CREATE INDEX decision_staff ON decision (staff_id);
            CREATE INDEX decision_at ON decision (at);
            CREATE UNIQUE INDEX decision_removal ON decision (author_id) WHERE act = 'delete' AND ended_at IS NULL;
            """)
}
