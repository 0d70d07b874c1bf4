import Database

extension Schema {
    /// What happens at an event that lasts: activities, each with its time, place and limit; and which of the people
    /// who come to the event are in which of them. Its times are those of a clock at the event.
    static let programme = Migration(
        name: "0101-programme",
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
                CHECK (spots IS NULL OR taken <= spots)
            );
            CREATE INDEX activity_event ON activity (event_id, starts_at, id);

            CREATE TABLE attendance (
                activity_id @integer NOT NULL REFERENCES activity (id) ON DELETE CASCADE,
                person_id @integer NOT NULL REFERENCES registration_person (id) ON DELETE CASCADE,
                PRIMARY KEY (activity_id, person_id)
            );
            CREATE INDEX attendance_person ON attendance (person_id);
            """)
}
