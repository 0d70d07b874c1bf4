import Database

extension Schema {
    /// Parties at events, notes about their children for one event, reminders, and views of the list.
    ///
    /// A party waits in the order of `turn`; of the places it waits for, `offered` are promised to it until
    /// `offer_ends_at` and count as taken meanwhile. `fits` means that it accepts fewer places than it asked for;
    /// `passed_over` means that it needed more at once than were free. `extra` is the number of places by which the
    /// event grew for an invited party. `asks_again` means that the notes were erased because the event moved too far,
    /// or the place was given back for a while. `guardian_id` is the parent who registered, if there are two.
    /// `account_id` is empty for a party that the host added at the desk. The children of a `queued` party only wait
    /// for sessions (`activity_wait`): it has no places, and keeps what their family answered and shares. `needs_help`
    /// means that the family needs help with the fee; `held` of its places were held for that purpose, and stay so when
    /// it no longer needs help.
    static let registrations = Migration(
        name: "registrations",
        text: """
            CREATE TABLE registration (
                id @id,
                event_id @integer NOT NULL REFERENCES event (id),
                account_id @integer REFERENCES account (id) ON DELETE CASCADE,
                state @text NOT NULL CHECK (state IN ('confirmed', 'waiting', 'offered', 'queued', 'cancelled')),
                fits @boolean NOT NULL DEFAULT FALSE,
                turn @integer,
                offered @integer NOT NULL DEFAULT 0 CHECK (offered >= 0),
                offer_ends_at @integer CHECK ((offer_ends_at IS NOT NULL) = (state = 'offered')),
                once @text NOT NULL,
                created_at @integer NOT NULL,
                updated_at @integer NOT NULL,
                asks_again @boolean NOT NULL DEFAULT FALSE,
                guardian_id @integer REFERENCES account (id),
                passed_over @boolean NOT NULL DEFAULT FALSE,
                extra @integer NOT NULL DEFAULT 0,
                needs_help @boolean NOT NULL DEFAULT FALSE,
                held @integer NOT NULL DEFAULT 0 CHECK (held >= 0),
                UNIQUE (account_id, once)
            );
            CREATE INDEX registration_event ON registration (event_id, state, id);
            CREATE INDEX registration_turn ON registration (event_id, turn, id) WHERE state = 'waiting';
            CREATE INDEX registration_offer ON registration (offer_ends_at) WHERE state = 'offered';
            CREATE INDEX registration_account ON registration (account_id, state, event_id);
            CREATE INDEX registration_guardian ON registration (guardian_id) WHERE guardian_id IS NOT NULL;
            CREATE INDEX registration_kept ON registration (event_id) WHERE state = 'waiting' AND offered > 0;
            CREATE INDEX registration_help ON registration (event_id) WHERE needs_help OR held > 0;

            -- A child, or with `is_self` the account itself; with `shows_name` the host of a community event, who has
            -- no list of names, reads its first name.
            CREATE TABLE registration_person (
                id @id,
                registration_id @integer NOT NULL REFERENCES registration (id) ON DELETE CASCADE,
                event_id @integer NOT NULL REFERENCES event (id),
                child_id @integer REFERENCES child (id) ON DELETE SET NULL,
                cancelled_at @integer,
                arrived_at @integer,
                left_at @integer,
                is_self @boolean NOT NULL DEFAULT FALSE,
                shows_name @boolean NOT NULL DEFAULT FALSE
            );
            CREATE UNIQUE INDEX registration_person_once ON registration_person (event_id, child_id)
                WHERE cancelled_at IS NULL;
            CREATE INDEX registration_person_registration ON registration_person (registration_id);
            CREATE INDEX registration_person_child ON registration_person (child_id);
            CREATE INDEX registration_person_event ON registration_person (event_id, arrived_at);
            CREATE UNIQUE INDEX registration_person_self ON registration_person (registration_id)
                WHERE is_self AND cancelled_at IS NULL;
            CREATE INDEX registration_person_shown ON registration_person (event_id, id, shows_name) WHERE shows_name;

            -- `agreed_start` is when the event was to start when the parent ticked that the notes are shared; of an
            -- event with sessions `attendance.agreed_start` counts.
            CREATE TABLE care_note (
                person_id @integer PRIMARY KEY REFERENCES registration_person (id) ON DELETE CASCADE,
                event_id @integer NOT NULL REFERENCES event (id),
                allergies @text NOT NULL,
                emergency_phone @text NOT NULL,
                collectors @text NOT NULL,
                erase_at @integer NOT NULL,
                agreed_start @integer NOT NULL DEFAULT 0
            );
            CREATE INDEX care_note_event ON care_note (event_id);
            CREATE INDEX care_note_erase ON care_note (erase_at);

            CREATE TABLE reminder (
                event_id @integer NOT NULL REFERENCES event (id) ON DELETE CASCADE,
                lead @text NOT NULL CHECK (lead IN ('day', 'hours')),
                due_at @integer NOT NULL,
                PRIMARY KEY (event_id, lead)
            );
            CREATE INDEX reminder_due ON reminder (due_at, event_id);

            CREATE TABLE roster_view (
                id @id,
                event_id @integer NOT NULL REFERENCES event (id) ON DELETE CASCADE,
                account_id @integer REFERENCES account (id) ON DELETE SET NULL,
                kind @text NOT NULL CHECK (kind IN ('notes', 'csv', 'print')),
                at @integer NOT NULL
            );
            CREATE INDEX roster_view_event ON roster_view (event_id, at);
            CREATE INDEX roster_view_account ON roster_view (account_id);
            CREATE INDEX roster_view_at ON roster_view (at);

            -- The parties whose notes were seen in a look at the list: a parent reads of looks at their own.
            CREATE TABLE roster_note (
                view_id @integer NOT NULL REFERENCES roster_view (id) ON DELETE CASCADE,
                registration_id @integer NOT NULL REFERENCES registration (id) ON DELETE CASCADE,
                PRIMARY KEY (view_id, registration_id)
            );
            CREATE INDEX roster_note_registration ON roster_note (registration_id);
            """)
}
