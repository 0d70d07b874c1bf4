import Database

extension Schema {
    /// Pages that stay open hear of whatever happens in a match, meetings and one's own words too; a match that was
    /// ended can be taken back; and a meeting keeps by which clock it was agreed.
    static let matchNews = Migration(
        name: "0160-match-news",
        text: """
            CREATE TABLE match_news (
                id @id,
                match_id @integer NOT NULL UNIQUE REFERENCES pet_match (id) ON DELETE CASCADE
            );
            INSERT INTO match_news (id, match_id)
            SELECT max(id), match_id FROM message GROUP BY match_id ORDER BY max(id);
            ALTER TABLE meeting ADD COLUMN zone @text NOT NULL DEFAULT '';
            CREATE TABLE new_undo (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                kind @text NOT NULL CHECK (
                    kind IN ('places', 'offer', 'child', 'draft', 'event', 'visit', 'post', 'comment', 'match')),
                subject @integer NOT NULL,
                label @text NOT NULL,
                kept @text NOT NULL,
                ends_at @integer NOT NULL,
                is_done @boolean NOT NULL DEFAULT FALSE
            );
            INSERT INTO new_undo (id, account_id, kind, subject, label, kept, ends_at, is_done)
            SELECT id, account_id, kind, subject, label, kept, ends_at, is_done FROM undo ORDER BY id;
            DROP TABLE undo;
            ALTER TABLE new_undo RENAME TO undo;
            CREATE INDEX undo_account ON undo (account_id, kind, id);
            CREATE INDEX undo_end ON undo (ends_at);
            """)
}
