import Database

extension Schema {
    /// Events, and the history of their changes.
    ///
    /// `search_key` orders events by start, and by ID if the starts are equal (see `SearchKey`); it is the row ID of
    /// the full-text index, so that matches come in the order of the feed. `ends_at` is when an event is over, two
    /// hours after the start if it has no end; `late` allows registration until then. The feed's indexes contain the
    /// end, so that past events are skipped without reading their rows. Events that last several days have an index of
    /// their own, so that lists of current events needn't look back a month. Events at one point on the map are
    /// adjacent in its index, so a search for nearby events reads no others.
    ///
    /// `hidden_at` is set only by staff. An event that is hidden because its provider is suspended depends on the
    /// account, and reappears with it. `listed` is derived from both, see `Event.relist`. `synopsis` and `motif` are
    /// excerpts of the description and the words for lists, computed when the event is written. `access` is a set of
    /// bits, see `Amenity`. `counts` means that the event counts toward the plan's limit. `spots` is NULL if there is
    /// no limit. `booking` is the same for all dates of a series. `asks` means that the host asks families questions at
    /// registration, or did so and answers are kept. With `sessions`, families choose sessions for each child; `spots`
    /// and `taken` are then the sums over the sessions, see `Activity.addUp`. `language` is the language of title and
    /// description, if known; the `other_` columns contain both in another language, or are empty. `held` places are
    /// reserved until `held_until` for families that need help with the fee; `held_free` of them are unused and count
    /// as taken meanwhile, see `Hold`.
    static let events = Migration(
        name: "events",
        text: """
            CREATE TABLE event (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id),
                title @text NOT NULL,
                description @text NOT NULL,
                day @text NOT NULL,
                start_minute @integer NOT NULL CHECK (start_minute BETWEEN 0 AND 1439),
                end_minute @integer CHECK (end_minute BETWEEN 0 AND 1439),
                zone @text NOT NULL,
                starts_at @integer NOT NULL,
                ends_at @integer NOT NULL CHECK (ends_at >= starts_at),
                street @text NOT NULL,
                city @text NOT NULL,
                state @text NOT NULL,
                zip @text NOT NULL,
                country @text NOT NULL,
                city_key @text NOT NULL,
                spots @integer CHECK (spots BETWEEN 1 AND 10000),
                taken @integer NOT NULL DEFAULT 0 CHECK (taken >= 0 AND taken <= spots),
                sessions @boolean NOT NULL DEFAULT FALSE,
                covid_safe @boolean NOT NULL,
                age_from @integer CHECK (age_from BETWEEN 0 AND 17),
                age_to @integer CHECK (age_to BETWEEN 0 AND 17 AND (age_from IS NULL OR age_to >= age_from)),
                price @integer CHECK (price >= 0),
                currency @text NOT NULL,
                tags @text NOT NULL,
                search_key @integer UNIQUE,
                cancelled_at @integer,
                hidden_at @integer,
                listed @boolean NOT NULL DEFAULT TRUE,
                once @text NOT NULL,
                created_at @integer NOT NULL,
                updated_at @integer NOT NULL,
                synopsis @text NOT NULL DEFAULT '',
                motif @text NOT NULL DEFAULT 'party',
                bring @text NOT NULL DEFAULT '',
                safety @text NOT NULL DEFAULT '',
                access @integer NOT NULL DEFAULT 0,
                pays_what_they_can @boolean NOT NULL DEFAULT FALSE,
                online_url @text NOT NULL DEFAULT '',
                cancel_reason @text NOT NULL DEFAULT '',
                sequence @integer NOT NULL DEFAULT 0,
                series_id @integer REFERENCES event (id),
                counts @boolean NOT NULL DEFAULT TRUE,
                picture_id @integer REFERENCES picture (id) ON DELETE SET NULL,
                point_id @integer REFERENCES point (id),
                late @boolean NOT NULL DEFAULT FALSE,
                walk_ins @integer NOT NULL DEFAULT 0 CHECK (walk_ins >= 0),
                arrived @integer NOT NULL DEFAULT 0 CHECK (arrived >= 0),
                heads @integer CHECK (heads BETWEEN 0 AND 100000),
                heads_online @integer CHECK (heads_online BETWEEN 0 AND 100000),
                audience @text NOT NULL DEFAULT 'kids' CHECK (audience IN ('kids', 'everyone')),
                end_day @text,
                is_long @boolean NOT NULL DEFAULT FALSE,
                place_name @text NOT NULL DEFAULT '',
                booking @text NOT NULL DEFAULT 'each' CHECK (booking IN ('each', 'together', 'either')),
                asks @boolean NOT NULL DEFAULT FALSE,
                opens_at @integer,
                closes_at @integer,
                first_zips @text NOT NULL DEFAULT '',
                first_until @integer,
                language @text NOT NULL DEFAULT '',
                other_language @text NOT NULL DEFAULT '',
                other_title @text NOT NULL DEFAULT '',
                other_description @text NOT NULL DEFAULT '',
                other_synopsis @text NOT NULL DEFAULT '',
                held @integer NOT NULL DEFAULT 0 CHECK (held >= 0),
                held_until @integer,
                held_free @integer NOT NULL DEFAULT 0 CHECK (held_free BETWEEN 0 AND held AND held_free <= taken),
                UNIQUE (account_id, once)
            );
            CREATE INDEX event_feed ON event (starts_at, id, ends_at) WHERE listed;
            CREATE INDEX event_city ON event (city_key, starts_at, id, ends_at) WHERE listed;
            CREATE INDEX event_hidden ON event (hidden_at, id) WHERE hidden_at IS NOT NULL;
            CREATE INDEX event_account ON event (account_id, starts_at, id, ends_at);
            CREATE INDEX event_series ON event (series_id, starts_at, id) WHERE series_id IS NOT NULL;
            CREATE INDEX event_plan ON event (account_id, day) WHERE counts;
            CREATE INDEX event_newest ON event (created_at, id) WHERE listed;
            CREATE INDEX event_picture ON event (picture_id) WHERE picture_id IS NOT NULL;
            CREATE INDEX event_point ON event (point_id, starts_at, id) WHERE listed AND point_id IS NOT NULL;
            CREATE INDEX event_zip ON event (substr(zip, 1, 5), starts_at, id) WHERE listed;
            CREATE INDEX event_ended ON event (ends_at);
            CREATE INDEX event_held ON event (held_until) WHERE held_free > 0;
            CREATE INDEX event_at_point ON event (point_id) WHERE point_id IS NOT NULL;
            CREATE INDEX event_sessions ON event (sessions, starts_at, id) WHERE listed AND sessions;
            CREATE INDEX event_long ON event (is_long, starts_at, id, ends_at) WHERE listed AND is_long;
            CREATE INDEX event_everyone ON event (audience, starts_at, id, ends_at)
                WHERE listed AND audience = 'everyone';

            -- What an event said before and says now. The changes of one edit, on one date or on many, go by the
            -- number of its first, `edit_id`.
            CREATE TABLE change (
                id @id,
                event_id @integer NOT NULL REFERENCES event (id) ON DELETE CASCADE,
                edit_id @integer NOT NULL,
                at @integer NOT NULL,
                what @text NOT NULL CHECK (
                    what IN ('time', 'place', 'places', 'price', 'ages', 'link', 'dates', 'questions')),
                said_before @text NOT NULL,
                says_now @text NOT NULL
            );
            CREATE INDEX change_event ON change (event_id, id);
            CREATE INDEX change_edit ON change (edit_id, id);

            -- The families that a change concerns, and when they saw it.
            CREATE TABLE change_seen (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                change_id @integer NOT NULL REFERENCES change (id) ON DELETE CASCADE,
                at @integer,
                PRIMARY KEY (account_id, change_id)
            );
            CREATE INDEX change_seen_change ON change_seen (change_id);
            CREATE INDEX change_unseen ON change_seen (account_id, change_id) WHERE at IS NULL;
            """)
}
