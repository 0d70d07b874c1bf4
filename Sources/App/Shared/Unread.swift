import Forms

/// Texts typed into filters that can't be parsed. The page reports and keeps them, so no filter is silently ignored.
struct Unread: Sendable, Equatable {
    private struct Entry: Equatable {
        let name: String
        let text: String
        let words: Words
    }

    private var entries: [Entry] = []

    /// A day in a country's format; nil if none was typed, or it can't be parsed.
    mutating func day(_ name: String, _ text: String, in country: String) -> Day? {
        guard !text.isEmpty else { return nil }
        if let day = Day(iso: text) ?? Day(typed: text, in: country) { return day }
        entries.append(
            Entry(
                name: name, text: text,
                words: "“\(text, as: "text")” can’t be read as a day. \(Day.unreadable, as: "example")"))
        return nil
    }

    /// The first day of a calendar page; nil beyond the calendar's range.
    mutating func start(_ name: String, _ typed: String?, in country: String) -> Day? {
        day(name, (typed ?? "").prefix(100).squeezed, in: country).flatMap {
            (1_000..<9_999).contains($0.year) ? $0 : nil
        }
    }

    /// A whole number in a range; nil if none was typed, or it can't be parsed.
    mutating func number(_ name: String, _ text: String, _ range: ClosedRange<Int>) -> Int? {
        guard !text.isEmpty else { return nil }
        if let number = Int(typed: text), range.contains(number) { return number }
        entries.append(
            Entry(
                name: name, text: text,
                words: """
                    “\(text, as: "text")” can’t be read. Write a whole number from \
                    \(digits: range.lowerBound, as: "min") to \(digits: range.upperBound, as: "max").
                    """))
        return nil
    }

    /// Removes the texts of these fields.
    mutating func drop(_ names: Set<String>) { entries.removeAll { names.contains($0.name) } }

    /// The text typed into a field, if it can't be parsed.
    subscript(_ name: String) -> String? { entries.first { $0.name == name }?.text }

    func problem(_ name: String) -> Words? { entries.first { $0.name == name }?.words }

    var problems: [Problem] { entries.map { Problem(name: $0.name, words: $0.words) } }
}
