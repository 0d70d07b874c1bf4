import Database

extension Schema {
    /// How somebody wants the site to look, and what it presets; NULL is as usual.
    static let preferences = Migration(
        name: "0033-preferences",
        text: """
            ALTER TABLE account ADD COLUMN look @text CHECK (look IN ('light', 'dark'));
            ALTER TABLE account ADD COLUMN text_size @text CHECK (text_size IN ('large', 'larger'));
            ALTER TABLE account ADD COLUMN unit @text CHECK (unit IN ('mi', 'km'));
            ALTER TABLE account ADD COLUMN distance @integer;
            ALTER TABLE account ADD COLUMN language @text;
            """)
}
