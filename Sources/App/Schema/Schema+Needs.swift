import Database

extension Schema {
    /// Needs of people in the town, and who takes them.
    ///
    /// `point_id` is the public location: the place itself, or for a home the corner of a grid. How much is promised
    /// and brought is stored in the visible row. A place that accepts donations all year is confirmed by those who run
    /// the site for half a year.
    static let needs = Migration(
        name: "needs",
        text: """
            CREATE TABLE need (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id),
                kind @text NOT NULL CHECK (kind IN ('things', 'time', 'skill', 'place')),
                title @text NOT NULL,
                description @text NOT NULL,
                wanted @integer NOT NULL CHECK (wanted BETWEEN 1 AND 1000),
                promised @integer NOT NULL DEFAULT 0 CHECK (promised >= 0),
                brought @integer NOT NULL DEFAULT 0 CHECK (brought >= 0),
                days @integer NOT NULL CHECK (days BETWEEN 1 AND 30),
                until @text NOT NULL,
                ends_at @integer NOT NULL,
                is_home @boolean NOT NULL,
                place_name @text NOT NULL,
                street @text NOT NULL,
                city @text NOT NULL,
                state @text NOT NULL,
                zip @text NOT NULL,
                country @text NOT NULL,
                point_id @integer REFERENCES point (id),
                closed_at @integer,
                hidden_at @integer,
                listed @boolean NOT NULL DEFAULT TRUE,
                ask_at @integer NOT NULL,
                is_asked @boolean NOT NULL DEFAULT FALSE,
                once @text NOT NULL,
                created_at @integer NOT NULL,
                picture_id @integer REFERENCES picture (id) ON DELETE SET NULL,
                is_lasting @boolean NOT NULL DEFAULT FALSE,
                verified_at @integer,
                verified_until @integer,
                UNIQUE (account_id, once),
                CHECK (promised + brought <= wanted)
            );
            CREATE INDEX need_listed ON need (listed, id);
            CREATE INDEX need_account ON need (account_id, id);
            CREATE INDEX need_point ON need (point_id, id);
            CREATE INDEX need_ask ON need (ask_at) WHERE listed;
            CREATE INDEX need_ends ON need (ends_at) WHERE closed_at IS NULL;
            CREATE INDEX need_picture ON need (picture_id) WHERE picture_id IS NOT NULL;
            CREATE INDEX need_verified ON need (verified_until) WHERE verified_until IS NOT NULL;

            CREATE TABLE claim (
                id @id,
                need_id @integer NOT NULL REFERENCES need (id) ON DELETE CASCADE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                count @integer NOT NULL CHECK (count >= 1),
                message @text NOT NULL,
                state @text NOT NULL CHECK (state IN ('asked', 'taken', 'brought', 'done', 'ended')),
                made_at @integer NOT NULL,
                ends_at @integer NOT NULL,
                reminded_at @integer,
                is_reminded @boolean NOT NULL DEFAULT FALSE,
                brought_at @integer,
                over_at @integer
            );
            CREATE UNIQUE INDEX claim_open ON claim (account_id, need_id) WHERE state IN ('asked', 'taken', 'brought');
            CREATE INDEX claim_need ON claim (need_id, id);
            CREATE INDEX claim_account ON claim (account_id, id);
            CREATE INDEX claim_ends ON claim (ends_at) WHERE state IN ('asked', 'taken');
            CREATE INDEX claim_asked ON claim (need_id, made_at) WHERE state = 'asked';
            CREATE INDEX claim_ending ON claim (ends_at) WHERE state = 'taken' AND NOT is_reminded;
            """)
}
