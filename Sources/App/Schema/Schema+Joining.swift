import Database

extension Schema {
    /// Mail domains that are blocked from signing up.
    static let joining = Migration(
        name: "joining",
        text: """
            CREATE TABLE blocked_domain (
                domain @text NOT NULL PRIMARY KEY,
                staff_id @integer REFERENCES account (id) ON DELETE SET NULL,
                wave_id @integer REFERENCES wave (id) ON DELETE SET NULL,
                reason @text NOT NULL,
                at @integer NOT NULL
            );
            CREATE INDEX blocked_domain_staff ON blocked_domain (staff_id);
            CREATE INDEX blocked_domain_wave ON blocked_domain (wave_id) WHERE wave_id IS NOT NULL;
            """)
}
