extension Collection {
    /// Nil where there is nothing in it.
    var nonEmpty: Self? { isEmpty ? nil : self }
}

extension Sequence where Element: Hashable {
    /// Each once, where it comes first.
    func uniqued() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
