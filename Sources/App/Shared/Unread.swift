import Forms

/// What somebody typed into a filter that can't be read: the page says so, and keeps it. No filter is left out in
/// silence.
struct Unread: Sendable, Equatable {
    private struct Entry: Equatable {
        let name: String
        let text: String
        let words: Words
    }

    private var entries: [Entry] = []

    /// A day, as people type it in a country; nil where none was typed, or none that can be read.
    mutating func day(_ name: String, _ text: String, in country: String) -> Day? {
        guard !text.isEmpty else { return nil }
        if let day = Day(iso: text) ?? Day(typed: text, in: country) { return day }
        entries.append(
            Entry(
                name: name, text: text,
                words: "“\(text, as: "text")” can’t be read as a day. \(Day.unreadable, as: "example")"))
        return nil
    }

    /// The day with which a page of the calendar begins: there is none behind its last one, nor before the first.
    mutating func start(_ name: String, _ typed: String?, in country: String) -> Day? {
        day(name, (typed ?? "").prefix(100).squeezed, in: country).flatMap {
            (1_000..<9_999).contains($0.year) ? $0 : nil
        }
    }

    /// A whole number within a range, the same way.
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

    /// Forgets what stood in these fields.
    mutating func drop(_ names: Set<String>) { entries.removeAll { names.contains($0.name) } }

    /// What was typed into a field, where it can't be read.
    subscript(_ name: String) -> String? { entries.first { $0.name == name }?.text }

    func problem(_ name: String) -> Words? { entries.first { $0.name == name }?.words }

    var problems: [Problem] { entries.map { Problem(name: $0.name, words: $0.words) } }
}
