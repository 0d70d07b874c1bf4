import Database

extension Schema {
    /// What a provider runs a year on: drafts, series, plans, what a family wants to know beforehand, and what is told
    /// of a child for one event.
    ///
    /// `synopsis` and `motif` are what a list shows of the description and of the words, worked out when the event is
    /// written. `access` is a set of bits, see `Amenity`. `counts` says that the event takes a place in the plan.
    static let running = Migration(
        name: "0007-running",
        text: """
            ALTER TABLE event ADD COLUMN synopsis @text NOT NULL DEFAULT '';
            ALTER TABLE event ADD COLUMN motif @text NOT NULL DEFAULT 'party';
            ALTER TABLE event ADD COLUMN bring @text NOT NULL DEFAULT '';
            ALTER TABLE event ADD COLUMN safety @text NOT NULL DEFAULT '';
            ALTER TABLE event ADD COLUMN access @integer NOT NULL DEFAULT 0;
            ALTER TABLE event ADD COLUMN pays_what_they_can @boolean NOT NULL DEFAULT FALSE;
            ALTER TABLE event ADD COLUMN online_url @text NOT NULL DEFAULT '';
            ALTER TABLE event ADD COLUMN cancel_reason @text NOT NULL DEFAULT '';
            ALTER TABLE event ADD COLUMN sequence @integer NOT NULL DEFAULT 0;
            ALTER TABLE event ADD COLUMN series_id @integer REFERENCES event (id);
            ALTER TABLE event ADD COLUMN counts @boolean NOT NULL DEFAULT TRUE;
            UPDATE event SET synopsis = substr(description, 1, 160);
            CREATE INDEX event_series ON event (series_id, starts_at, id) WHERE series_id IS NOT NULL;
            CREATE INDEX event_plan ON event (provider_id, day) WHERE counts;
            CREATE INDEX event_newest ON event (created_at, id) WHERE listed;

            CREATE TABLE tag (
                name @text NOT NULL PRIMARY KEY,
                uses @integer NOT NULL
            );
            CREATE INDEX tag_uses ON tag (uses, name);
            INSERT INTO tag (name, uses) SELECT tag, count(*) FROM event_tag GROUP BY tag;

            CREATE TABLE draft (
                id @id,
                provider_id @integer NOT NULL REFERENCES provider (id) ON DELETE CASCADE,
                title @text NOT NULL,
                form @text NOT NULL,
                picture_id @integer,
                once @text NOT NULL,
                updated_at @integer NOT NULL,
                UNIQUE (provider_id, once)
            );
            CREATE INDEX draft_provider ON draft (provider_id, updated_at, id);

            ALTER TABLE provider ADD COLUMN plan @text NOT NULL DEFAULT 'basic'
                CHECK (plan IN ('basic', 'gold', 'platinum'));
            ALTER TABLE provider ADD COLUMN name_key @text NOT NULL DEFAULT '';
            UPDATE provider SET name_key = lower(organization);
            CREATE INDEX provider_name ON provider (name_key, id);

            ALTER TABLE child ADD COLUMN allergies @text NOT NULL DEFAULT '';
            ALTER TABLE child ADD COLUMN emergency_phone @text NOT NULL DEFAULT '';
            ALTER TABLE child ADD COLUMN collectors @text NOT NULL DEFAULT '';

            ALTER TABLE registration_person ADD COLUMN arrived_at @integer;
            ALTER TABLE registration_person ADD COLUMN left_at @integer;

            CREATE TABLE care_note (
                person_id @integer PRIMARY KEY REFERENCES registration_person (id) ON DELETE CASCADE,
                event_id @integer NOT NULL REFERENCES event (id),
                allergies @text NOT NULL,
                emergency_phone @text NOT NULL,
                collectors @text NOT NULL,
                erase_at @integer NOT NULL
            );
            CREATE INDEX care_note_event ON care_note (event_id);
            CREATE INDEX care_note_erase ON care_note (erase_at);

            CREATE TABLE roster_view (
                id @id,
                event_id @integer NOT NULL REFERENCES event (id) ON DELETE CASCADE,
                account_id @integer REFERENCES account (id) ON DELETE SET NULL,
                kind @text NOT NULL CHECK (kind IN ('notes', 'csv', 'print')),
                at @integer NOT NULL
            );
            CREATE INDEX roster_view_event ON roster_view (event_id, at);
            """)
}
