import Database
public import Forms
public import Templating

// How the site's own types stand in the database, in forms and in templates.

extension ID: RawRepresentable, SQLValue {
    init?(rawValue: Int64) { self.init(rawValue) }
}

extension ID: FormValue {
    init?(typed: String) { self.init(typed) }
    var typed: String { description }
}

extension Instant: SQLValue {
    var sqlValue: SQL.Value { .integer(milliseconds) }
    init(column: borrowing Column) throws { self.init(milliseconds: try Int64(column: column)) }
}

extension Day: SQLValue {
    var sqlValue: SQL.Value { .text(iso) }

    init(column: borrowing Column) throws {
        guard let day = Day(iso: try String(column: column)) else { throw column.unreadable(as: "a day") }
        self = day
    }
}

extension TimeOfDay: SQLValue {
    var sqlValue: SQL.Value { .integer(Int64(minutes)) }

    init(column: borrowing Column) throws {
        guard let time = TimeOfDay(minutes: try Int(column: column)) else { throw column.unreadable(as: "a time") }
        self = time
    }
}

extension Hat: SQLValue {}

extension Day: FormValue {
    init?(typed: String) { self.init(typed: typed, monthFirst: false) }
    var typed: String { self == .distantPast ? "" : iso }
}

extension TimeOfDay: FormValue {
    var typed: String { iso }
}

extension Field {
    /// A day; `11/12/2026` is read month first where the form's `country` is the US.
    static func date(_ name: String, _ path: Path<Day>, _ label: Words) -> Self {
        value(
            name, path, label, control: .date,
            unreadable: "Write the date like 2026-11-21 or 21 Nov 2026."
        ) { typed, body in Day(typed: typed, monthFirst: body["country"] == "US") }
    }

    static func time(_ name: String, _ path: Path<TimeOfDay>, _ label: Words) -> Self {
        value(name, path, label, control: .time, unreadable: "Write the time like 19:00 or 7pm.")
    }

    static func time(_ name: String, _ path: Path<TimeOfDay?>, _ label: Words) -> Self {
        value(name, path, label, control: .time, unreadable: "Write the time like 19:00 or 7pm.")
    }
}

extension Submission {
    /// The title of the page: with `Error:` in front while something is wrong, for those who hear it.
    func title(_ title: Words) -> Words { problems.isEmpty ? title : "Error: \(title, as: "title")" }
}

extension Words: Translatable {
    public func text(for name: String, in locale: String) -> String? {
        switch argument(name) {
        case .text(let text): text
        // English below a thousand needs no table: nearly all.
        case .count(let count) where count.magnitude < 1_000 && locale.hasPrefix("en-"): String(count)
        case .count(let count): Formats.of(locale).text(count)
        case .digits(let number): Formats.of(locale).written(number)
        case .local(let value): value.text(in: locale)
        case .words, nil: nil
        }
    }

    public func words(for name: String) -> Words? {
        guard case .words(let words) = argument(name) else { return nil }
        return words
    }
}
