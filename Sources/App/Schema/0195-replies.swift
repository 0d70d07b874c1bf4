import Database

extension Schema {
    /// What staff say to the answer of a decision's author. Of what waits no more, somebody decided already.
    static let replies = Migration(
        name: "0195-replies",
        text: """
            ALTER TABLE decision ADD COLUMN reply @text NOT NULL DEFAULT '';
            ALTER TABLE decision ADD COLUMN replied_at @integer;
            UPDATE decision SET replied_at = answered_at WHERE answered_at IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM matter WHERE matter.subject = decision.subject AND matter.since IS NOT NULL);
            """)
}
