import Database

extension Schema {
    /// An event's activities, each with its time, place and limit, in the event's zone; which of the event's
    /// participants are in each of them, and the waiting list, in order: the child, or the account itself.
    /// `agreed_start` is when the activity was to start when the family chose it, or last shared its notes.
    static let programme = Migration(
        name: "programme",
        text: """
            CREATE TABLE activity (
                id @id,
                event_id @integer NOT NULL REFERENCES event (id) ON DELETE CASCADE,
                name @text NOT NULL,
                info @text NOT NULL,
                place @text NOT NULL,
                day @text NOT NULL,
                start_minute @integer NOT NULL,
                end_minute @integer,
                end_day @text,
                starts_at @integer NOT NULL,
                ends_at @integer NOT NULL CHECK (ends_at >= starts_at),
                spots @integer CHECK (spots > 0),
                age_from @integer,
                age_to @integer,
                taken @integer NOT NULL DEFAULT 0 CHECK (taken >= 0),
                cancelled_at @integer,
                latitude @real CHECK (latitude BETWEEN -90 AND 90),
                longitude @real CHECK (longitude BETWEEN -180 AND 180),
                CHECK (spots IS NULL OR taken <= spots)
            );
            CREATE INDEX activity_event ON activity (event_id, starts_at, id);

            CREATE TABLE attendance (
                activity_id @integer NOT NULL REFERENCES activity (id) ON DELETE CASCADE,
                person_id @integer NOT NULL REFERENCES registration_person (id) ON DELETE CASCADE,
                arrived_at @integer,
                agreed_start @integer NOT NULL DEFAULT 0,
                PRIMARY KEY (activity_id, person_id)
            );
            CREATE INDEX attendance_person ON attendance (person_id);

            CREATE TABLE session_reminder (
                activity_id @integer NOT NULL REFERENCES activity (id) ON DELETE CASCADE,
                lead @text NOT NULL CHECK (lead IN ('day', 'hours')),
                due_at @integer NOT NULL,
                PRIMARY KEY (activity_id, lead)
            );
            CREATE INDEX session_reminder_due ON session_reminder (due_at, activity_id);

            CREATE TABLE activity_wait (
                id @id,
                activity_id @integer NOT NULL REFERENCES activity (id) ON DELETE CASCADE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                child_id @integer REFERENCES child (id) ON DELETE CASCADE,
                created_at @integer NOT NULL
            );
            CREATE UNIQUE INDEX activity_wait_person ON activity_wait (activity_id, account_id, coalesce(child_id, 0));
            CREATE INDEX activity_wait_turn ON activity_wait (activity_id, id);
            CREATE INDEX activity_wait_account ON activity_wait (account_id);
            CREATE INDEX activity_wait_child ON activity_wait (child_id);
            """)
}
