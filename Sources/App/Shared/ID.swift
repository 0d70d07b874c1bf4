/// The key of a row of `Entity`'s table: a plain number in URLs, never mistaken for another table's.
struct ID<Entity>: Hashable, Sendable, Comparable {
    let rawValue: Int64

    init(_ rawValue: Int64) { self.rawValue = rawValue }

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension ID: LosslessStringConvertible {
    /// Parses the decimal digits of a positive number; `nil` for anything else.
    init?(_ description: String) {
        guard description.utf8.count <= 18, description.utf8.allSatisfy({ (48...57).contains($0) }),
            let number = Int64(description), number > 0
        else { return nil }
        rawValue = number
    }

    var description: String { String(rawValue) }
}

extension Collection {
    /// The list padded to `length` with a key that no row has, so that lists of different lengths use the same cached
    /// statement.
    func padded<Entity>(to length: Int) -> [ID<Entity>] where Element == ID<Entity> {
        Array(self) + repeatElement(ID(0), count: Swift.max(0, length - count))
    }

    /// The list padded to 20, which most lists don't exceed, or else to `length`. The database looks for each padding
    /// key as well, and hundreds of them would take longer than the real ones.
    func padded<Entity>(to20Or length: Int) -> [ID<Entity>] where Element == ID<Entity> {
        padded(to: count <= 20 ? 20 : length)
    }
}
