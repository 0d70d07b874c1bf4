/// The key of a row of `Entity`'s table: a plain number in URLs, never mistaken for another table's.
struct ID<Entity>: Hashable, Sendable, Comparable {
    let rawValue: Int64

    init(_ rawValue: Int64) { self.rawValue = rawValue }

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension ID: LosslessStringConvertible {
    /// Reads plain decimal digits of a positive number; `nil` for anything else.
    init?(_ description: String) {
        guard description.utf8.count <= 18, description.utf8.allSatisfy({ (48...57).contains($0) }),
            let number = Int64(description), number > 0
        else { return nil }
        rawValue = number
    }

    var description: String { String(rawValue) }
}
