import Database

extension Schema {
    /// Reports, the queue of those who run the site, and their decisions; see `Matter`, `Report` and `Decision`.
    ///
    /// The queue also contains people who want to be let in, the first posts of members without a confirmed address,
    /// and accounts to be deleted. A part of a wave is content that was hidden, given by its kind and number, or a
    /// `decision`.
    static let moderation = Migration(
        name: "moderation",
        text: """
            CREATE TABLE matter (
                subject @text NOT NULL PRIMARY KEY,
                author_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                waits_for @text NOT NULL
                    CHECK (waits_for IN ('reports', 'look', 'answer', 'first', 'entry', 'removal')),
                is_grave @boolean NOT NULL DEFAULT FALSE,
                since @integer,
                reports @integer NOT NULL DEFAULT 0 CHECK (reports >= 0),
                fine_words @text,
                settled_at @integer
            );
            CREATE INDEX matter_waiting ON matter (is_grave DESC, since, subject) WHERE since IS NOT NULL;
            CREATE INDEX matter_author ON matter (author_id);
            CREATE INDEX matter_settled ON matter (settled_at) WHERE settled_at IS NOT NULL;

            -- `email` is where somebody without an account is told what came of it.
            CREATE TABLE report (
                id @id,
                subject @text NOT NULL REFERENCES matter (subject) ON DELETE CASCADE,
                account_id @integer REFERENCES account (id) ON DELETE SET NULL,
                ground @text NOT NULL CHECK (ground IN ('unkind', 'spam', 'private', 'danger', 'other')),
                note @text NOT NULL,
                words @text NOT NULL,
                once @text NOT NULL UNIQUE,
                at @integer NOT NULL,
                verdict @text CHECK (verdict IN ('right', 'wrong')),
                email @text NOT NULL DEFAULT '',
                decided_at @integer
            );
            CREATE INDEX report_subject ON report (subject, id);
            CREATE INDEX report_account ON report (account_id, verdict);
            CREATE UNIQUE INDEX report_open ON report (subject, account_id)
                WHERE verdict IS NULL AND account_id IS NOT NULL;
            CREATE INDEX report_email ON report (subject) WHERE email <> '';

            -- `said` recognizes what staff hid and its author deleted, should it be written again; `reply` is what
            -- staff say to the author's answer; `verifies` makes sure of a place that gives all year.
            CREATE TABLE decision (
                id @id,
                subject @text NOT NULL,
                author_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                staff_id @integer REFERENCES account (id) ON DELETE SET NULL,
                act @text NOT NULL
                    CHECK (act IN ('fine', 'note', 'hide', 'ask', 'limit', 'suspend', 'admit', 'refuse', 'delete')),
                ground @text NOT NULL CHECK (ground IN ('unkind', 'spam', 'private', 'danger', 'other')),
                reason @text NOT NULL,
                until @integer,
                at @integer NOT NULL,
                ended_at @integer,
                answer @text NOT NULL DEFAULT '',
                answered_at @integer,
                kept_back @boolean NOT NULL DEFAULT FALSE,
                words @text NOT NULL DEFAULT '',
                verifies @boolean NOT NULL DEFAULT FALSE,
                reply @text NOT NULL DEFAULT '',
                replied_at @integer,
                said @text NOT NULL DEFAULT ''
            );
            CREATE INDEX decision_subject ON decision (subject, id);
            CREATE INDEX decision_author ON decision (author_id, id);
            CREATE INDEX decision_staff ON decision (staff_id);
            CREATE INDEX decision_at ON decision (at);
            CREATE UNIQUE INDEX decision_removal ON decision (author_id) WHERE act = 'delete' AND ended_at IS NULL;

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
            """)
}
