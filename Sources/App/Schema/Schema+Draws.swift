import Database

extension Schema {
    /// Events whose places are drawn by lot, and families' wishes.
    ///
    /// A draw goes through several steps: wishes are accepted until `until_at`; at `sealed_at` they are frozen without
    /// names, as `draw_unit`, with their `hash`; at `drawn_at` the `seed` was entered; `progress` is how many units
    /// have been given their places or queue positions, and at `done_at` all have. A deleted event leaves its number;
    /// `gone` means that it was canceled between hash and seed.
    static let draws = Migration(
        name: "draws",
        text: """
            CREATE TABLE draw (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                title @text NOT NULL,
                first_zips @text NOT NULL,
                last_day @text NOT NULL,
                until_at @integer NOT NULL,
                once @text NOT NULL,
                created_at @integer NOT NULL,
                sealed_at @integer,
                hash @text NOT NULL DEFAULT '',
                -- How many families and how many wishes that was of, also once they are erased.
                families @integer,
                wishes @integer,
                seed @text,
                drawn_at @integer,
                progress @integer NOT NULL DEFAULT 0,
                done_at @integer,
                UNIQUE (account_id, once)
            );
            CREATE INDEX draw_account ON draw (account_id, id);
            CREATE INDEX draw_done ON draw (done_at) WHERE done_at IS NOT NULL;
            CREATE INDEX draw_due ON draw (until_at, id) WHERE done_at IS NULL;

            CREATE TABLE draw_event (
                draw_id @integer NOT NULL REFERENCES draw (id) ON DELETE CASCADE,
                number @integer NOT NULL,
                event_id @integer UNIQUE REFERENCES event (id) ON DELETE SET NULL,
                places @integer,
                gone @boolean NOT NULL DEFAULT FALSE,
                PRIMARY KEY (draw_id, number)
            );

            -- A family's. `told` says that it was told what came of it.
            CREATE TABLE wish_sheet (
                id @id,
                draw_id @integer NOT NULL REFERENCES draw (id) ON DELETE CASCADE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                code @text NOT NULL UNIQUE,
                together @boolean NOT NULL,
                updated_at @integer NOT NULL,
                told @boolean NOT NULL DEFAULT FALSE,
                UNIQUE (draw_id, account_id)
            );
            CREATE INDEX wish_sheet_account ON wish_sheet (account_id);
            CREATE INDEX wish_sheet_draw ON wish_sheet (draw_id, id);
            CREATE INDEX wish_sheet_untold ON wish_sheet (draw_id, id) WHERE NOT told;

            -- One child's wish; `number` tells the children of a sheet apart.
            CREATE TABLE wish (
                sheet_id @integer NOT NULL REFERENCES wish_sheet (id) ON DELETE CASCADE,
                number @integer NOT NULL,
                rank @integer NOT NULL,
                child_id @integer NOT NULL REFERENCES child (id) ON DELETE CASCADE,
                event_id @integer NOT NULL REFERENCES event (id) ON DELETE CASCADE,
                PRIMARY KEY (sheet_id, number, rank)
            );
            CREATE INDEX wish_child ON wish (child_id);
            CREATE INDEX wish_event ON wish (event_id);

            -- Those who get places together, or none, as they were published. `number` is the child's on its sheet, and
            -- 0 of brothers and sisters together.
            CREATE TABLE draw_unit (
                draw_id @integer NOT NULL REFERENCES draw (id) ON DELETE CASCADE,
                code @text NOT NULL,
                seats @integer NOT NULL CHECK (seats > 0),
                is_first @boolean NOT NULL,
                wishes @text NOT NULL,
                sheet_id @integer REFERENCES wish_sheet (id) ON DELETE SET NULL,
                number @integer NOT NULL,
                PRIMARY KEY (draw_id, code)
            );
            CREATE INDEX draw_unit_sheet ON draw_unit (sheet_id) WHERE sheet_id IS NOT NULL;
            """)
}
