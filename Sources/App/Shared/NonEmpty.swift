extension Collection {
    /// The value itself, or nil if it is empty.
    var nonEmpty: Self? { isEmpty ? nil : self }
}

extension Sequence where Element: Hashable {
    /// The elements without duplicates, in the order of their first occurrence.
    func uniqued() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
