import Database

extension Schema {
    /// Organizations' opportunities to help, see `Opportunity`.
    ///
    /// Opportunity numbers rise with time, so they sort by age. The visible counts are stored in the visible row, and
    /// the index of places contains what excludes most opportunities near a place. `language` is the language of title
    /// and description, if known.
    static let opportunities = Migration(
        name: "opportunities",
        text: """
            CREATE TABLE opportunity (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id),
                kind @text NOT NULL CHECK (kind IN ('volunteer', 'donate', 'shadow')),
                title @text NOT NULL,
                description @text NOT NULL,
                language @text NOT NULL DEFAULT '',
                conditions @text NOT NULL,
                url @text NOT NULL,
                rhythm @text NOT NULL CHECK (rhythm IN ('shifts', 'regular', 'whenever')),
                hours @integer CHECK (hours BETWEEN 1 AND 60),
                age_from @integer CHECK (age_from BETWEEN 0 AND 99),
                with_adult @boolean NOT NULL,
                at_home @boolean NOT NULL,
                with_children @boolean NOT NULL,
                approval @boolean NOT NULL,
                goal @integer CHECK (goal >= 0),
                amount @integer CHECK (amount >= 0),
                currency @text NOT NULL,
                as_of @text,
                until @text,
                place_name @text NOT NULL,
                street @text NOT NULL,
                city @text NOT NULL,
                state @text NOT NULL,
                zip @text NOT NULL,
                country @text NOT NULL,
                zone @text NOT NULL,
                point_id @integer REFERENCES point (id),
                tags @text NOT NULL,
                wanted @integer NOT NULL DEFAULT 0 CHECK (wanted >= 0),
                promised @integer NOT NULL DEFAULT 0 CHECK (promised BETWEEN 0 AND wanted),
                ends_at @integer NOT NULL,
                closed_at @integer,
                hidden_at @integer,
                asked_at @integer,
                listed @boolean NOT NULL DEFAULT TRUE,
                once @text NOT NULL,
                created_at @integer NOT NULL,
                updated_at @integer NOT NULL,
                close_reason @text NOT NULL DEFAULT '',
                UNIQUE (account_id, once)
            );
            CREATE INDEX opportunity_listed ON opportunity (listed, id);
            CREATE INDEX opportunity_account ON opportunity (account_id, id);
            CREATE INDEX opportunity_ends ON opportunity (ends_at) WHERE listed;
            CREATE INDEX opportunity_point ON opportunity (point_id, id, kind, listed, ends_at, age_from);

            CREATE TABLE opportunity_tag (
                tag @text NOT NULL,
                opportunity_id @integer NOT NULL REFERENCES opportunity (id) ON DELETE CASCADE,
                PRIMARY KEY (tag, opportunity_id)
            );
            CREATE INDEX opportunity_tag_opportunity ON opportunity_tag (opportunity_id);
            """)
}
