import Database

extension Schema {
    /// What those who run the site write to all who chose a topic: the text once, and how far it went. Its letters
    /// stand in the outbox.
    ///
    /// `follows` is the letter before it of the same topic, 0 of the first: of two that are sent at once, on whichever
    /// nodes, one is refused. `reached` is the last account that it was written to.
    static let letters = Migration(
        name: "letters",
        text: """
            CREATE TABLE town_letter (
                id @id,
                topic @text NOT NULL CHECK (topic IN ('events', 'helping', 'kindness', 'pets', 'site')),
                follows @integer NOT NULL,
                title @text NOT NULL,
                body @text NOT NULL,
                at @integer NOT NULL,
                reached @integer NOT NULL DEFAULT 0,
                count @integer NOT NULL DEFAULT 0,
                ended_at @integer,
                is_stopped @boolean NOT NULL DEFAULT FALSE,
                UNIQUE (topic, follows)
            );
            CREATE INDEX town_letter_at ON town_letter (at);
            CREATE INDEX town_letter_open ON town_letter (id) WHERE ended_at IS NULL;
            """)
}
