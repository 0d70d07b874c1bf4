/// A visitor's preferred languages from the `Accept-Language` field (RFC 9110, section 12.5.4).
///
/// A malformed range is ignored. Only the beginning of a long field is read: browsers send a few dozen bytes.
struct AcceptLanguage {
    /// The most bytes and ranges to read.
    static let mostBytes = 1_000
    static let mostRanges = 20

    private struct Range {
        /// In lowercase: `pt-br`, `pt`, `*`.
        let name: String
        /// In thousandths.
        let weight: Int
    }

    private let ranges: [Range]

    /// - Parameter field: The field's value, its lines joined by commas; nil if there is none.
    init(_ field: String?) {
        guard let field else {
            ranges = []
            return
        }
        let whole = field.utf8.prefix(Self.mostBytes)
        var members = whole.split(separator: UInt8(ascii: ","), maxSplits: Self.mostRanges)
        // Drop the part beyond the limits, and a range that was cut in two.
        if members.count > Self.mostRanges || whole.endIndex < field.utf8.endIndex { _ = members.popLast() }
        ranges = members.compactMap { member in
            let parts = member.split(separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
            guard let weight = parts.count == 1 ? 1_000 : QualityValue.thousandths(of: parts[1]),
                let name = String(QualityValue.trimmed(parts[0]))?.lowercased(),
                name == "*" || Catalogues.isName(name)
            else { return nil }
            return Range(name: name, weight: weight)
        }
    }

    /// The index of the visitor's preferred language among `languages`; 0 if there is none.
    ///
    /// For each language, the most specific range counts (RFC 4647): a reader of `pt` reads `pt-BR`, and a reader who
    /// wants `pt-PT` takes any Portuguese before another language. If two are equally preferred, the first named wins.
    func best(of languages: [String]) -> Int {
        var best = (place: 0, weight: 0, rank: Int.max)
        for (place, language) in languages.enumerated() {
            guard let (rank, weight) = wish(for: language.lowercased()) else { continue }
            if weight > best.weight || (weight == best.weight && weight > 0 && rank < best.rank) {
                best = (place, weight, rank)
            }
        }
        return best.place
    }

    /// The weight of a language, and the rank of the range that determines it.
    private func wish(for language: String) -> (rank: Int, weight: Int)? {
        var found: (rank: Int, weight: Int, fit: Int)?
        for (rank, range) in ranges.enumerated() {
            let fit: Int
            switch range.name {
            case language: fit = 1_000
            case "*": fit = 0
            case _ where language.hasPrefix(range.name + "-"): fit = range.name.utf8.count
            // The same language in another country. Refusing it there doesn't refuse it elsewhere.
            case _ where range.weight > 0 && Self.stem(range.name) == Self.stem(language): fit = 1
            default: continue
            }
            if found.map({ fit > $0.fit }) ?? true { found = (rank, range.weight, fit) }
        }
        return found.map { ($0.rank, $0.weight) }
    }

    /// The primary language: `pt` in `pt-br`.
    private static func stem(_ name: String) -> Substring { name.prefix { $0 != "-" } }
}
