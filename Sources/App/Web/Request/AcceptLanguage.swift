/// Which languages a visitor reads, as the field `Accept-Language` says it (RFC 9110, section 12.5.4).
///
/// A range that breaks the grammar is passed over. Of a long field only the beginning is read: browsers send a few
/// dozen bytes.
struct AcceptLanguage {
    /// The most bytes and ranges that are looked at.
    static let mostBytes = 1_000
    static let mostRanges = 20

    private struct Range {
        /// In small letters: `pt-br`, `pt`, `*`.
        let name: String
        /// In thousandths.
        let weight: Int
    }

    private let ranges: [Range]

    /// - Parameter field: the field's value, its lines joined by commas; nil when there is none.
    init(_ field: String?) {
        guard let field else {
            ranges = []
            return
        }
        let whole = field.utf8.prefix(Self.mostBytes)
        var members = whole.split(separator: UInt8(ascii: ","), maxSplits: Self.mostRanges)
        // The part behind the limits is left out, and so is a range that was cut by them.
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

    /// The place of the language the visitor likes most among `languages`; the first of them where it likes none.
    ///
    /// For each language the range counts that says most about it (RFC 4647): a reader of `pt` reads `pt-BR`, and
    /// a reader who wants `pt-PT` takes any Portuguese before another language. Of two it likes alike, the one that it
    /// names first.
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

    /// How much a language is wanted, and by which range.
    private func wish(for language: String) -> (rank: Int, weight: Int)? {
        var found: (rank: Int, weight: Int, fit: Int)?
        for (rank, range) in ranges.enumerated() {
            let fit: Int
            switch range.name {
            case language: fit = 1_000
            case "*": fit = 0
            case _ where language.hasPrefix(range.name + "-"): fit = range.name.utf8.count
            // The same language elsewhere. To refuse it there refuses it nowhere else.
            case _ where range.weight > 0 && Self.stem(range.name) == Self.stem(language): fit = 1
            default: continue
            }
            if found.map({ fit > $0.fit }) ?? true { found = (rank, range.weight, fit) }
        }
        return found.map { ($0.rank, $0.weight) }
    }

    /// The language itself: `pt` of `pt-br`.
    private static func stem(_ name: String) -> Substring { name.prefix { $0 != "-" } }
}
