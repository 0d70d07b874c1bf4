import Database

extension Schema {
    static let registrations = Migration(
        name: "0004-registrations",
        text: """
            CREATE TABLE registration (
                id @id,
                event_id @integer NOT NULL REFERENCES event (id),
                family_id @integer NOT NULL REFERENCES family (id) ON DELETE CASCADE,
                state @text NOT NULL CHECK (state IN ('confirmed', 'cancelled')),
                once @text NOT NULL,
                created_at @integer NOT NULL,
                updated_at @integer NOT NULL,
                UNIQUE (family_id, once)
            );
            CREATE INDEX registration_event ON registration (event_id, state, id);
            CREATE INDEX registration_family ON registration (family_id, state, event_id);

            CREATE TABLE registration_person (
                id @id,
                registration_id @integer NOT NULL REFERENCES registration (id) ON DELETE CASCADE,
                event_id @integer NOT NULL REFERENCES event (id),
                child_id @integer REFERENCES child (id) ON DELETE SET NULL,
                cancelled_at @integer
            );
            CREATE UNIQUE INDEX registration_person_once ON registration_person (event_id, child_id)
                WHERE cancelled_at IS NULL;
            CREATE INDEX registration_person_registration ON registration_person (registration_id);
            CREATE INDEX registration_person_child ON registration_person (child_id);
            """)
}
