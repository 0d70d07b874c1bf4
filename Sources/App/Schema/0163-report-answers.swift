import Database

extension Schema {
    /// Where somebody without an account is told what came of their report.
    static let reportAnswers = Migration(
        name: "0163-report-answers",
        text: """
            ALTER TABLE report ADD COLUMN email @text NOT NULL DEFAULT '';
            ALTER TABLE report ADD COLUMN decided_at @integer;
            CREATE INDEX report_email ON report (subject) WHERE email <> '';
            """)
}
