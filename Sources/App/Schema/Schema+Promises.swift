import Database

extension Schema {
    /// Things that are wanted, and promises to bring them. `waits` means that somebody says they brought it, and the
    /// organization hasn't confirmed yet.
    static let promises = Migration(
        name: "promises",
        text: """
            CREATE TABLE thing (
                id @id,
                opportunity_id @integer NOT NULL REFERENCES opportunity (id) ON DELETE CASCADE,
                name @text NOT NULL,
                wanted @integer NOT NULL CHECK (wanted BETWEEN 1 AND 10000),
                promised @integer NOT NULL DEFAULT 0 CHECK (promised BETWEEN 0 AND wanted),
                place @integer NOT NULL,
                removed_at @integer
            );
            CREATE INDEX thing_opportunity ON thing (opportunity_id, place, id);

            CREATE TABLE promise (
                id @id,
                opportunity_id @integer NOT NULL REFERENCES opportunity (id) ON DELETE CASCADE,
                thing_id @integer NOT NULL REFERENCES thing (id) ON DELETE CASCADE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                count @integer NOT NULL CHECK (count > 0),
                state @text NOT NULL CHECK (state IN ('open', 'given', 'cancelled', 'lapsed')),
                once @text NOT NULL,
                created_at @integer NOT NULL,
                ends_at @integer NOT NULL,
                changed_at @integer NOT NULL,
                is_reminded @boolean NOT NULL DEFAULT FALSE,
                waits @boolean NOT NULL DEFAULT FALSE,
                UNIQUE (account_id, once)
            );
            CREATE INDEX promise_account ON promise (account_id, id);
            CREATE INDEX promise_opportunity ON promise (opportunity_id, id);
            CREATE INDEX promise_thing ON promise (thing_id);
            CREATE INDEX promise_due ON promise (ends_at) WHERE state = 'open';
            CREATE INDEX promise_ending ON promise (ends_at) WHERE state = 'open' AND NOT is_reminded;
            CREATE INDEX promise_waits ON promise (opportunity_id, id) WHERE waits;
            """)
}
