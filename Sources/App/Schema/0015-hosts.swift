import Database

extension Schema {
    /// All who offer something, keep a draft, book or subscribe are accounts, with an organization or without.
    ///
    /// A party waits in the order of `turn`; of those it waits for, `offered` places are promised to it until
    /// `offer_ends_at`, and counted as taken meanwhile. With `fits` fewer places than it needs are welcome.
    ///
    /// `event.spots` is null where there is no limit. A bare point on the map is a `point`, so that a place can be one
    /// with a name. SQLite can't change what a column refers to: there the tables are made anew.
    static let hosts = Migration(
        name: "0015-hosts",
        text: """
            ALTER TABLE place RENAME TO point;
            DROP INDEX place_band;
            CREATE INDEX point_band ON point (band, longitude, latitude);
            """,
        sqlite: """
            CREATE TABLE new_event (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                account_id INTEGER NOT NULL REFERENCES account (id),
                title TEXT NOT NULL,
                description TEXT NOT NULL,
                day TEXT NOT NULL,
                start_minute INTEGER NOT NULL CHECK (start_minute BETWEEN 0 AND 1439),
                end_minute INTEGER CHECK (end_minute BETWEEN 0 AND 1439),
                zone TEXT NOT NULL,
                starts_at INTEGER NOT NULL,
                ends_at INTEGER NOT NULL CHECK (ends_at >= starts_at),
                street TEXT NOT NULL,
                city TEXT NOT NULL,
                state TEXT NOT NULL,
                zip TEXT NOT NULL,
                country TEXT NOT NULL,
                city_key TEXT NOT NULL,
                spots INTEGER CHECK (spots BETWEEN 1 AND 10000),
                taken INTEGER NOT NULL DEFAULT 0 CHECK (taken >= 0 AND taken <= spots),
                covid_safe INTEGER CHECK (covid_safe IN (0, 1)) NOT NULL,
                age_from INTEGER CHECK (age_from BETWEEN 0 AND 17),
                age_to INTEGER CHECK (age_to BETWEEN 0 AND 17 AND (age_from IS NULL OR age_to >= age_from)),
                price INTEGER CHECK (price >= 0),
                currency TEXT NOT NULL,
                tags TEXT NOT NULL,
                search_key INTEGER UNIQUE,
                cancelled_at INTEGER,
                hidden_at INTEGER,
                listed INTEGER CHECK (listed IN (0, 1)) NOT NULL DEFAULT TRUE,
                once TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                updated_at INTEGER NOT NULL,
                synopsis TEXT NOT NULL DEFAULT '',
                motif TEXT NOT NULL DEFAULT 'party',
                bring TEXT NOT NULL DEFAULT '',
                safety TEXT NOT NULL DEFAULT '',
                access INTEGER NOT NULL DEFAULT 0,
                pays_what_they_can INTEGER CHECK (pays_what_they_can IN (0, 1)) NOT NULL DEFAULT FALSE,
                online_url TEXT NOT NULL DEFAULT '',
                cancel_reason TEXT NOT NULL DEFAULT '',
                sequence INTEGER NOT NULL DEFAULT 0,
                series_id INTEGER REFERENCES event (id),
                counts INTEGER CHECK (counts IN (0, 1)) NOT NULL DEFAULT TRUE,
                picture_id INTEGER REFERENCES picture (id) ON DELETE SET NULL,
                point_id INTEGER REFERENCES point (id),
                late INTEGER CHECK (late IN (0, 1)) NOT NULL DEFAULT FALSE,
                walk_ins INTEGER NOT NULL DEFAULT 0 CHECK (walk_ins >= 0),
                UNIQUE (account_id, once)
            ) STRICT;
            INSERT INTO new_event (id, account_id, title, description, day, start_minute, end_minute, zone, starts_at,
                ends_at, street, city, state, zip, country, city_key, spots, taken, covid_safe, age_from, age_to, price,
                currency, tags, search_key, cancelled_at, hidden_at, listed, once, created_at, updated_at, synopsis,
                motif, bring, safety, access, pays_what_they_can, online_url, cancel_reason, sequence, series_id,
                counts, picture_id, point_id, late, walk_ins)
            SELECT event.id, provider.account_id, title, description, day, start_minute, end_minute, zone, starts_at,
                ends_at, event.street, event.city, event.state, event.zip, event.country, city_key, spots, taken,
                covid_safe, age_from, age_to, price, currency, tags, search_key, cancelled_at, hidden_at, listed, once,
                event.created_at, event.updated_at, synopsis, motif, bring, safety, access, pays_what_they_can,
                online_url, cancel_reason, sequence, series_id, counts, event.picture_id, place_id, late, walk_ins
            FROM event JOIN provider ON provider.id = event.provider_id ORDER BY event.id;

            CREATE TABLE new_draft (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                title TEXT NOT NULL,
                form TEXT NOT NULL,
                picture_id INTEGER,
                once TEXT NOT NULL,
                updated_at INTEGER NOT NULL,
                UNIQUE (account_id, once)
            ) STRICT;
            INSERT INTO new_draft (id, account_id, title, form, picture_id, once, updated_at)
            SELECT draft.id, provider.account_id, title, form, draft.picture_id, once, draft.updated_at
            FROM draft JOIN provider ON provider.id = draft.provider_id ORDER BY draft.id;

            CREATE TABLE new_registration (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                event_id INTEGER NOT NULL REFERENCES event (id),
                account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                state TEXT NOT NULL CHECK (state IN ('confirmed', 'waiting', 'offered', 'cancelled')),
                fits INTEGER CHECK (fits IN (0, 1)) NOT NULL DEFAULT FALSE,
                turn INTEGER,
                offered INTEGER NOT NULL DEFAULT 0 CHECK (offered >= 0),
                offer_ends_at INTEGER CHECK ((offer_ends_at IS NOT NULL) = (state = 'offered')),
                once TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                updated_at INTEGER NOT NULL,
                asks_again INTEGER CHECK (asks_again IN (0, 1)) NOT NULL DEFAULT FALSE,
                UNIQUE (account_id, once)
            ) STRICT;
            INSERT INTO new_registration (id, event_id, account_id, state, once, created_at, updated_at, asks_again)
            SELECT registration.id, event_id, family.account_id, state, once, registration.created_at,
                registration.updated_at, asks_again
            FROM registration JOIN family ON family.id = registration.family_id ORDER BY registration.id;

            CREATE TABLE new_calendar_link (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                account_id INTEGER NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
                token_hash BLOB NOT NULL UNIQUE,
                created_at INTEGER NOT NULL
            ) STRICT;
            INSERT INTO new_calendar_link (id, account_id, token_hash, created_at)
            SELECT calendar_link.id, family.account_id, token_hash, calendar_link.created_at
            FROM calendar_link JOIN family ON family.id = calendar_link.family_id ORDER BY calendar_link.id;

            CREATE TABLE new_change_seen (
                account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                change_id INTEGER NOT NULL REFERENCES change (id) ON DELETE CASCADE,
                at INTEGER NOT NULL,
                PRIMARY KEY (account_id, change_id)
            ) STRICT;
            INSERT INTO new_change_seen (account_id, change_id, at)
            SELECT family.account_id, change_id, at
            FROM change_seen JOIN family ON family.id = change_seen.family_id ORDER BY 1, 2;

            -- No number is ever given twice, not even that of the last row, deleted before this.
            DELETE FROM sqlite_sequence WHERE name LIKE 'new_%';
            INSERT INTO sqlite_sequence (name, seq)
            SELECT 'new_' || name, seq FROM sqlite_sequence
            WHERE name IN ('event', 'draft', 'registration', 'calendar_link');

            DROP TABLE event;
            DROP TABLE draft;
            DROP TABLE registration;
            DROP TABLE calendar_link;
            DROP TABLE change_seen;
            ALTER TABLE new_event RENAME TO event;
            ALTER TABLE new_draft RENAME TO draft;
            ALTER TABLE new_registration RENAME TO registration;
            ALTER TABLE new_calendar_link RENAME TO calendar_link;
            ALTER TABLE new_change_seen RENAME TO change_seen;

            CREATE INDEX event_feed ON event (starts_at, id, ends_at) WHERE listed;
            CREATE INDEX event_city ON event (city_key, starts_at, id, ends_at) WHERE listed;
            CREATE INDEX event_hidden ON event (hidden_at, id) WHERE hidden_at IS NOT NULL;
            CREATE INDEX event_account ON event (account_id, starts_at, id);
            CREATE INDEX event_series ON event (series_id, starts_at, id) WHERE series_id IS NOT NULL;
            CREATE INDEX event_plan ON event (account_id, day) WHERE counts;
            CREATE INDEX event_newest ON event (created_at, id) WHERE listed;
            CREATE INDEX event_picture ON event (picture_id) WHERE picture_id IS NOT NULL;
            CREATE INDEX event_point ON event (point_id, starts_at, id) WHERE listed AND point_id IS NOT NULL;
            CREATE INDEX event_zip ON event (substr(zip, 1, 5), starts_at, id) WHERE listed;
            CREATE INDEX draft_account ON draft (account_id, updated_at, id);
            CREATE INDEX draft_picture ON draft (picture_id) WHERE picture_id IS NOT NULL;
            CREATE INDEX registration_event ON registration (event_id, state, id);
            CREATE INDEX registration_turn ON registration (event_id, turn, id) WHERE state = 'waiting';
            CREATE INDEX registration_offer ON registration (offer_ends_at) WHERE state = 'offered';
            CREATE INDEX registration_account ON registration (account_id, state, event_id);
            CREATE INDEX change_seen_change ON change_seen (change_id);
            """)
}
