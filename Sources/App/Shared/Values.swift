import Database
public import Forms
public import Templating

// The site's own types as the database, forms and templates hold them.

extension ID: RawRepresentable, SQLValue {
    init?(rawValue: Int64) { self.init(rawValue) }
}

extension ID: FormValue {
    init?(typed: String) { self.init(typed) }
    var typed: String { description }
}

extension Instant: SQLValue {
    static var kind: SQL.Kind { .integer }
    var sqlValue: SQL.Value { .integer(milliseconds) }
    init(column: borrowing Column) throws { self.init(milliseconds: try Int64(column: column)) }
}

extension Day: SQLValue {
    static var kind: SQL.Kind { .text }
    var sqlValue: SQL.Value { .text(iso) }

    init(column: borrowing Column) throws {
        guard let day = Day(iso: try String(column: column)) else { throw column.unreadable(as: "a day") }
        self = day
    }
}

extension TimeOfDay: SQLValue {
    static var kind: SQL.Kind { .integer }
    var sqlValue: SQL.Value { .integer(Int64(minutes)) }

    init(column: borrowing Column) throws {
        guard let time = TimeOfDay(minutes: try Int(column: column)) else { throw column.unreadable(as: "a time") }
        self = time
    }
}

extension Hat: SQLValue {}

extension Day: FormValue {
    /// What to say of what is no date, or not surely one.
    static let unreadable: Words = "Write the date with its year, like 2026-11-21 or 21 Nov 2026."

    init?(typed: String) { self.init(typed: typed, in: "") }
    var typed: String { self == .distantPast ? "" : iso }
}

extension TimeOfDay: FormValue {
    init?(typed: String) { self.init(typed: typed, isEnd: false) }
    var typed: String { iso }
}

extension Field {
    /// A day, written as in the country of the form's place, or of the town.
    static func date(_ name: String, _ path: Path<Day>, _ label: Words) -> Self {
        value(name, path, label, control: .date, unreadable: Day.unreadable) { typed, body in
            Day(typed: typed, in: body.country)
        }
    }

    /// - Parameter time: The field of the time at which something ends on that day: at `24:00` it is the next one's.
    static func date(_ name: String, _ path: Path<Day?>, _ label: Words, endingAt time: String? = nil) -> Self {
        value(name, path, label, control: .date, unreadable: Day.unreadable) { typed, body in
            let day = Day(typed: typed, in: body.country)
            let isWhole = time.flatMap { body[$0] }.map(TimeOfDay.isEndOfDay) ?? false
            return isWhole ? day?.advanced(by: 1) : day
        }
    }

    static func time(_ name: String, _ path: Path<TimeOfDay>, _ label: Words) -> Self {
        value(name, path, label, control: .time, unreadable: "Write the time like 19:00 or 7pm.")
    }

    static func time(_ name: String, _ path: Path<TimeOfDay?>, _ label: Words) -> Self {
        value(name, path, label, control: .time, unreadable: "Write the time like 19:00 or 7pm.")
    }

    /// A day and a time.
    static func moment(_ name: String, _ path: Path<LocalTime?>, _ label: Words) -> Self {
        value(name, path, label, control: .moment, unreadable: "Write the day and time like 2027-03-25 09:00.") {
            LocalTime(typed: $0, in: $1.country)
        }
    }

    /// The time at which something ends: `24:00`, too.
    static func end(_ name: String, _ path: Path<TimeOfDay?>, _ label: Words) -> Self {
        value(name, path, label, control: .time, unreadable: "Write the time like 19:00 or 7pm.") { typed, _ in
            TimeOfDay(typed: typed, isEnd: true)
        }
    }
}

extension Submission {
    /// The title of the page: with `Error:` in front while something is wrong, for those who hear it.
    func title(_ title: Words) -> Words { problems.isEmpty ? title : "Error: \(title, as: "title")" }
}

extension Words: Translatable {
    public func text(for name: String, in locale: String) -> String? { argument(name)?.text(in: locale) }

    public func words(for name: String) -> Words? {
        guard case .words(let words) = argument(name) else { return nil }
        return words
    }

    public func drawEnglish(on page: inout HTMLBuffer, depth: Int) {
        guard let counted else { return draw(pieces, on: &page, depth) }
        draw(counted.count == 1 ? pieces : counted.many, on: &page, depth)
    }

    private func draw(_ pieces: [Piece], on page: inout HTMLBuffer, _ depth: Int) {
        for piece in pieces {
            switch piece {
            // Only what depends on a number has a placeholder within its text.
            case .text(let text) where counted == nil: page.attribute(text)
            case .text(let text):
                page.english(text) { name, page in
                    guard let value = argument(name) else { return page.placeholder(name) }
                    draw(value, name, on: &page, depth)
                }
            case .value(let argument): draw(argument.value, argument.name, on: &page, depth)
            }
        }
    }

    private func draw(_ value: Value, _ name: String, on page: inout HTMLBuffer, _ depth: Int) {
        switch value {
        case .text(let text): page.filling(text)
        case .count(let number): page.text(number)
        case .local(let local): page.filling(local.text(in: page.locale))
        case .digits(let number): page.filling(Formats.of(page.locale).written(number))
        case .words(let words) where depth < HTMLBuffer.deepest: page.words(words, depth: depth + 1)
        case .words: page.placeholder(name)
        }
    }
}

extension Words.Value {
    /// As `locale` writes it; nil for words, which are translated first.
    fileprivate func text(in locale: String) -> String? {
        switch self {
        case .text(let text): text
        // English below a thousand needs no table: nearly all.
        case .count(let count) where count.magnitude < 1_000 && locale.hasPrefix("en-"): String(count)
        case .count(let count): Formats.of(locale).text(count)
        case .digits(let number): Formats.of(locale).written(number)
        case .local(let value): value.text(in: locale)
        case .words: nil
        }
    }
}
