import Database

extension Schema {
    /// Members who host an event together with the neighbor who posted it, or were asked to. `account_id` is empty if
    /// the typed name belongs to nobody who can be asked: to the host such a row looks like any other pending one.
    static let cohosts = Migration(
        name: "cohosts",
        text: """
            CREATE TABLE cohost (
                id @id,
                event_id @integer NOT NULL REFERENCES event (id) ON DELETE CASCADE,
                account_id @integer REFERENCES account (id) ON DELETE CASCADE,
                typed @text NOT NULL,
                state @text NOT NULL CHECK (state IN ('asked', 'taken', 'declined')),
                is_listed @boolean NOT NULL DEFAULT TRUE,
                at @integer NOT NULL,
                UNIQUE (account_id, event_id)
            );
            CREATE INDEX cohost_event ON cohost (event_id, id);
            CREATE INDEX cohost_open ON cohost (at) WHERE state <> 'taken';
            """)
}
