import Database

extension Schema {
    /// Events that any member announces, for whoever likes; events of several days; places with a name.
    ///
    /// What lasts several days is found by an index of its own, so that lists of what is on now need not look back a
    /// month. Who joins a community event is a party like any other, in which the account itself may be one of the
    /// people.
    static let communityEvents = Migration(
        name: "0080-community-events",
        text: """
            ALTER TABLE event ADD COLUMN audience @text NOT NULL DEFAULT 'kids'
                CHECK (audience IN ('kids', 'everyone'));
            ALTER TABLE event ADD COLUMN end_day @text;
            ALTER TABLE event ADD COLUMN is_long @boolean NOT NULL DEFAULT FALSE;
            ALTER TABLE event ADD COLUMN place_name @text NOT NULL DEFAULT '';
            CREATE INDEX event_long ON event (is_long, starts_at, id, ends_at) WHERE listed AND is_long;
            CREATE INDEX event_everyone ON event (audience, starts_at, id, ends_at)
                WHERE listed AND audience = 'everyone';

            ALTER TABLE registration_person ADD COLUMN is_self @boolean NOT NULL DEFAULT FALSE;
            CREATE UNIQUE INDEX registration_person_self ON registration_person (registration_id)
                WHERE is_self AND cancelled_at IS NULL;
            """)
}
