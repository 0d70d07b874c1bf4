import Database

extension Schema {
    /// Recognizes what staff hid and its author deleted, should it be written again.
    static let deletedHidden = Migration(
        name: "0199-deleted-hidden",
        text: """
            ALTER TABLE decision ADD COLUMN said @text NOT NULL DEFAULT '';
            """)
}
