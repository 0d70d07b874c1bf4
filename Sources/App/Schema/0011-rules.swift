import Database

extension Schema {
    /// What an event's times, its hiding and its care notes are held to.
    ///
    /// `ends_at` is when an event is over, two hours after the start where it has no end; `late` lets people register
    /// until then. The indexes of the feed know the end, so that what is over is passed by without its row.
    ///
    /// `hidden_at` is what staff did to the event, and nothing else: what was hidden because its provider was suspended
    /// says so by the account, and comes back with it. `listed` follows from both, see `Event.relist`.
    ///
    /// `agreed_start` is when the event was to start when the parent ticked that the notes are shared; `asks_again`
    /// says that they were erased since it moved too far from that, or since the place was given back for a while.
    static let rules = Migration(
        name: "0011-rules",
        text: """
            ALTER TABLE event ADD COLUMN late @boolean NOT NULL DEFAULT FALSE;
            UPDATE event SET ends_at = starts_at + 7200000 WHERE end_minute IS NULL;

            DROP INDEX event_feed;
            CREATE INDEX event_feed ON event (starts_at, id, ends_at) WHERE listed;
            DROP INDEX event_city;
            CREATE INDEX event_city ON event (city_key, starts_at, id, ends_at) WHERE listed;

            UPDATE event SET hidden_at = NULL WHERE hidden_at IS NOT NULL AND hidden_at IN (
                SELECT account.suspended_at FROM account JOIN provider ON provider.account_id = account.id
                WHERE provider.id = event.provider_id
                UNION SELECT staff_act.at FROM staff_act JOIN provider ON provider.account_id = staff_act.subject_id
                WHERE staff_act.verb = 'suspend' AND provider.id = event.provider_id);
            UPDATE event SET listed = TRUE
            WHERE NOT listed AND hidden_at IS NULL AND cancelled_at IS NULL AND NOT EXISTS (
                SELECT 1 FROM provider JOIN account ON account.id = provider.account_id
                WHERE provider.id = event.provider_id AND account.suspended_at IS NOT NULL);

            ALTER TABLE care_note ADD COLUMN agreed_start @integer NOT NULL DEFAULT 0;
            UPDATE care_note SET agreed_start = (SELECT starts_at FROM event WHERE event.id = care_note.event_id);
            ALTER TABLE registration ADD COLUMN asks_again @boolean NOT NULL DEFAULT FALSE;
            """)
}
