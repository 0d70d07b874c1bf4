import Database

extension Picture {
    /// Reads id, hash, alt, width, height and focus from `column` on; nil where there is no picture.
    init?(_ row: borrowing Row, from column: Int) throws {
        guard let id: ID<Picture> = try row[column] else { return nil }
        self.init(
            id: id, hash: try row[column + 1], alt: try row[column + 2], width: try row[column + 3],
            height: try row[column + 4], focus: try row[column + 5])
    }
}
