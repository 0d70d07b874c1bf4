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

extension Collection {
    /// Filled up to `length` with a key that no row has, so that lists of several lengths are one statement to the
    /// database's cache.
    func padded<Entity>(to length: Int) -> [ID<Entity>] where Element == ID<Entity> {
        Array(self) + repeatElement(ID(0), count: Swift.max(0, length - count))
    }

    /// Filled up to 20, which is what most lists stay below, or to `length`: each key that no row has is looked for as
    /// well, and hundreds of them take longer than what is asked for.
    func padded<Entity>(to20Or length: Int) -> [ID<Entity>] where Element == ID<Entity> {
        padded(to: count <= 20 ? 20 : length)
    }
}
