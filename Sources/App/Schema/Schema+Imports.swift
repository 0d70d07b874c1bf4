import Database

extension Schema {
    /// An organization's external calendars, and what each of their entries became here.
    ///
    /// In an entry, `says` is the calendar's latest text, and `took_says` and `took` are what was copied into the
    /// event: if the event differs from `took`, it was edited by hand, and keeps the edit.
    static let imports = Migration(
        name: "imports",
        text: """
            CREATE TABLE calendar_import (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                name @text NOT NULL,
                -- Empty of one that is brought as a file.
                address @text NOT NULL DEFAULT '',
                settings @text NOT NULL,
                once @text NOT NULL,
                -- Whether what is new is published without asking; nil until the first press.
                publishes @boolean,
                validators @text NOT NULL DEFAULT '',
                read_at @integer,
                -- When all of it was read the last time, not only asked whether it is as it was.
                whole_at @integer,
                -- When it is read next, where it has an address.
                due_at @integer,
                -- How many nights in a row it couldn't be read, and why.
                failed @integer NOT NULL DEFAULT 0,
                problem @text NOT NULL DEFAULT '',
                -- What in it can't be read, a line each.
                unreadable @text NOT NULL DEFAULT '',
                -- Since when so much is gone from it that nothing is called off; and whether its organization said that
                -- it is right so.
                suspected_on @text,
                is_believed @boolean NOT NULL DEFAULT FALSE,
                created_at @integer NOT NULL,
                UNIQUE (account_id, once)
            );
            CREATE INDEX calendar_import_due ON calendar_import (due_at, id) WHERE due_at IS NOT NULL;
            CREATE INDEX calendar_import_list ON calendar_import (account_id, id);

            CREATE TABLE import_entry (
                id @id,
                import_id @integer NOT NULL REFERENCES calendar_import (id) ON DELETE CASCADE,
                key @text NOT NULL,
                event_id @integer REFERENCES event (id) ON DELETE SET NULL,
                says @text NOT NULL,
                took_says @text NOT NULL DEFAULT '',
                took @text NOT NULL DEFAULT '',
                ends_at @integer NOT NULL,
                is_left_out @boolean NOT NULL DEFAULT FALSE,
                is_kept @boolean NOT NULL DEFAULT FALSE,
                is_off @boolean NOT NULL DEFAULT FALSE,
                missed_at @integer,
                warned_at @integer,
                refused @text NOT NULL DEFAULT '',
                UNIQUE (import_id, key)
            );
            CREATE INDEX import_entry_ended ON import_entry (ends_at);
            CREATE UNIQUE INDEX import_entry_event ON import_entry (event_id) WHERE event_id IS NOT NULL;
            CREATE INDEX import_entry_list ON import_entry (import_id, id);
            """)
}
