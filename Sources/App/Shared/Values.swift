import Database
public import Forms
public import Templating

// Makes the site's own types usable in the database, in forms and in templates.

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
    /// The error message for a text that isn't an unambiguous date.
    static let unreadable: Words = "Write the date with its year, like 2026-11-21 or 21 Nov 2026."

    init?(typed: String) { self.init(typed: typed, in: "") }
    var typed: String { self == .distantPast ? "" : iso }
}

extension TimeOfDay: FormValue {
    init?(typed: String) { self.init(typed: typed, isEnd: false) }
    var typed: String { iso }
}

extension Field {
    /// A day, in the format of the country that the form names, or of the town's.
    static func date(_ name: String, _ path: Path<Day>, _ label: Words) -> Self {
        value(name, path, label, control: .date, unreadable: Day.unreadable) { typed, body in
            Day(typed: typed, in: body.country)
        }
    }

    /// - Parameter time: The field with the end time on that day: `24:00` moves the end to the next day.
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

    /// An end time, which may be `24:00`.
    static func end(_ name: String, _ path: Path<TimeOfDay?>, _ label: Words) -> Self {
        value(name, path, label, control: .time, unreadable: "Write the time like 19:00 or 7pm.") { typed, _ in
            TimeOfDay(typed: typed, isEnd: true)
        }
    }
}

extension [Problem] {
    /// The page's title, with a leading `Error:` for screen readers if there are problems.
    func title(_ title: Words) -> Words { isEmpty ? title : "Error: \(title, as: "title")" }
}

extension Submission {
    /// The page's title, with a leading `Error:` for screen readers if there are problems.
    func title(_ title: Words) -> Words { problems.title(title) }
}

extension Words {
    /// The title of a page that does something with one thing of several, by which its tabs are told apart.
    static func page(_ page: Words, about thing: Words) -> Words {
        "\(page, as: "page"): \(thing, as: "thing")"
    }
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
            // Only a text that depends on a number has placeholders inside.
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
    /// The value in the format of `locale`; nil for words, which are translated first.
    fileprivate func text(in locale: String) -> String? {
        switch self {
        case .text(let text): text
        // The fast path for nearly all numbers: English, below a thousand.
        case .count(let count) where count.magnitude < 1_000 && locale.hasPrefix("en-"): String(count)
        case .count(let count): Formats.of(locale).text(count)
        case .digits(let number): Formats.of(locale).written(number)
        case .local(let value): value.text(in: locale)
        case .words: nil
        }
    }
}
