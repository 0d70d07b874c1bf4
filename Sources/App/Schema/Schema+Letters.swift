import Database

extension Schema {
    /// Letters from the people who run the site to members who chose a topic: the text, and how far sending has come.
    /// The individual letters are in the outbox.
    ///
    /// `follows` is the previous letter on the same topic, or 0: if two are sent at once, on any nodes, one is refused.
    /// `reached` is the last account it was written to.
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
