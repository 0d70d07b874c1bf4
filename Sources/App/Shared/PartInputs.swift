public import Forms
public import Templating

// The values that kept parts of several features are drawn from (`Templating/Drawn.swift`).

extension ID: PartInput {
    func add(to key: inout PartKey) { key.add(rawValue) }
}

extension Instant: PartInput {
    func add(to key: inout PartKey) { key.add(milliseconds) }
}

extension Day: PartInput {
    func add(to key: inout PartKey) { key.add(number) }
}

extension TimeOfDay: PartInput {
    func add(to key: inout PartKey) { key.add(minutes) }
}

extension Schedule: PartInput {
    func add(to key: inout PartKey) {
        key.add(day)
        key.add(start)
        key.add(end)
        key.add(endDay)
        key.add(startsAt)
        key.add(endsAt)
        key.add(zone)
    }
}

extension Money: PartInput {
    func add(to key: inout PartKey) {
        key.add(minorUnits)
        key.add(currency)
    }
}

extension Address: PartInput {
    func add(to key: inout PartKey) {
        key.add(street)
        key.add(city)
        key.add(state)
        key.add(zip)
        key.add(country)
    }
}

extension Language: NamedInput {
    func add(to key: inout PartKey) {
        key.add(name)
        key.add(locale)
    }
}

extension Zone: NamedInput {
    func add(to key: inout PartKey) { key.add(identifier) }
}

extension WrittenLanguage: PartInput {
    func add(to key: inout PartKey) { key.add(tag) }
}

extension WrittenText: PartInput {
    func add(to key: inout PartKey) {
        key.add(language)
        key.add(title)
        key.add(description)
    }
}

// MARK: - Words

extension Words: PartInput {
    public func add(to key: inout PartKey) {
        key.add(pieces)
        key.add(counted)
        key.add(context)
    }
}

extension Words.Piece: PartInput {
    public func add(to key: inout PartKey) {
        switch self {
        case .text(let text):
            key.add(false)
            key.add(text)
        case .value(let argument):
            key.add(true)
            key.add(argument)
        }
    }
}

extension Words.Counted: PartInput {
    public func add(to key: inout PartKey) {
        key.add(many)
        key.add(count)
    }
}

extension Words.Argument: PartInput {
    public func add(to key: inout PartKey) {
        key.add(name)
        key.add(value)
    }
}

extension Words.Value: PartInput {
    public func add(to key: inout PartKey) {
        switch self {
        case .text(let text):
            key.add(0)
            key.add(text)
        case .words(let words):
            key.add(1)
            key.add(words)
        case .count(let count):
            key.add(2)
            key.add(count)
        // This text is all that pages see of it.
        case .local(let value):
            key.add(3)
            key.add(value.text(in: key.locale))
        case .digits(let number):
            key.add(4)
            key.add(number)
        }
    }
}
