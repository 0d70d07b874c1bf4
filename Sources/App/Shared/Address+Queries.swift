import Database

extension Address: RowDecodable {
    static let columns: Columns = columns(of: "event")

    /// The columns of a table with an address.
    static func columns(of table: SQL) -> Columns {
        ["\(table).street", "\(table).city", "\(table).state", "\(table).zip", "\(table).country"]
    }

    init(row: inout Row) throws {
        self.init(
            street: try row.next(), city: try row.next(), state: try row.next(), zip: try row.next(),
            country: try row.next())
    }

    var stored: Assignments { ["street": street, "city": city, "state": state, "zip": zip, "country": country] }
}
