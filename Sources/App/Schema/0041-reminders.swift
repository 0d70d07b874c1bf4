import Database

extension Schema {
    /// When the families of an event are reminded of it, see `Reminder`: a row for each of the two times, gone when
    /// they were.
    static let reminders = Migration(
        name: "0041-reminders",
        text: """
            CREATE TABLE reminder (
                event_id @integer NOT NULL REFERENCES event (id) ON DELETE CASCADE,
                lead @text NOT NULL CHECK (lead IN ('day', 'hours')),
                due_at @integer NOT NULL,
                PRIMARY KEY (event_id, lead)
            );
            CREATE INDEX reminder_due ON reminder (due_at, event_id);
            INSERT INTO reminder (event_id, lead, due_at)
            SELECT id, 'day', starts_at - 86400000 FROM event WHERE cancelled_at IS NULL;
            INSERT INTO reminder (event_id, lead, due_at)
            SELECT id, 'hours', starts_at - 7200000 FROM event WHERE cancelled_at IS NULL;
            """)
}
