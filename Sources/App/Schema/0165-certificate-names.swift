import Database

extension Schema {
    /// Under which name an organization confirmed hours, and whether a certificate carries that name or another.
    static let certificateNames = Migration(
        name: "0165-certificate-names",
        text: """
            ALTER TABLE contribution ADD COLUMN helper_name @text NOT NULL DEFAULT '';
            ALTER TABLE certificate ADD COLUMN is_own_name @boolean NOT NULL DEFAULT TRUE
            """)
}
