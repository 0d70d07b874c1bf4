import Database

extension Schema {
    /// People without an account whom a host added to a place of an event or a shift, until a member takes the place
    /// over with the code on the host's slip. At an event they are a party without an account.
    ///
    /// `age` is in years, and empty for an adult; `off_at` says since when they are off the list; `untold_since` since
    /// when something is different that the host hasn’t told them yet, as no letter does; `missed_at`, of a shift, when
    /// their organization noted that they didn’t come. Those of an event are erased with their party, those of a shift
    /// at `erase_at`.
    static let guests = Migration(
        name: "guests",
        text: """
            CREATE TABLE guest (
                id @id,
                registration_id @integer UNIQUE REFERENCES registration (id) ON DELETE CASCADE,
                shift_id @integer REFERENCES shift (id) ON DELETE CASCADE,
                name @text NOT NULL,
                age @integer,
                phone @text,
                code @text NOT NULL UNIQUE,
                once @text NOT NULL,
                off_at @integer,
                untold_since @integer,
                erase_at @integer,
                missed_at @integer,
                CHECK ((registration_id IS NULL) <> (shift_id IS NULL))
            );
            CREATE INDEX guest_shift ON guest (shift_id) WHERE shift_id IS NOT NULL;
            CREATE INDEX guest_erase ON guest (erase_at) WHERE erase_at IS NOT NULL;
            """)
}
