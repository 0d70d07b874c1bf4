import Database

extension Schema {
    /// People whom a host added to a list, in a place of an event or a shift, until somebody with an account takes it
    /// over with the code, of which the host gives a slip. At an event they are a party without an account.
    ///
    /// `age` is in years, and empty of a grown-up; `off_at` says since when they are off the list; `changed_at` since
    /// when something is otherwise that nobody has told them yet, as no letter does. Those of an event are erased with
    /// their party, those of a shift at `erase_at`.
    static let guests = Migration(
        name: "guests",
        text: """
            CREATE TABLE guest (
                id @id,
                registration_id @integer UNIQUE REFERENCES registration (id) ON DELETE CASCADE,
                shift_id @integer REFERENCES shift (id) ON DELETE CASCADE,
                name @text NOT NULL,
                age @integer,
                phone @text NOT NULL,
                code @text NOT NULL UNIQUE,
                once @text NOT NULL,
                off_at @integer,
                changed_at @integer,
                erase_at @integer,
                CHECK ((registration_id IS NULL) <> (shift_id IS NULL))
            );
            CREATE INDEX guest_shift ON guest (shift_id) WHERE shift_id IS NOT NULL;
            CREATE INDEX guest_erase ON guest (erase_at) WHERE erase_at IS NOT NULL;
            """)
}
