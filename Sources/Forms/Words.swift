/// A message to people, in English, that is translated when it is drawn.
///
/// The literal is the message and at the same time its key in the catalogue, so a value inside it has a name:
/// `"At most \(limit, as: "limit") characters."` is the message `At most {limit} characters.` with one argument.
public struct Words: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The English message, with a placeholder like `{limit}` for each argument.
    public let message: String
    /// What stands in for the placeholders.
    public let arguments: [Argument]
    private let many: String?
    private let count: Int

    /// What stands in for one placeholder.
    public struct Argument: Sendable, Hashable {
        /// The placeholder without its braces.
        public let name: String
        /// The text, or words that are translated first (a field's label).
        public let value: Value
    }

    /// A text as it is, words inside words, a number, or a value that each language and country writes in its own way.
    public enum Value: Sendable, Hashable {
        case text(String)
        indirect case words(Words)
        case count(Int)
        case local(any LocalValue)
        /// A number that is no count, such as a year: never grouped.
        case digits(Int)

        public static func == (one: Value, other: Value) -> Bool {
            switch (one, other) {
            case (.text(let one), .text(let other)): one == other
            case (.words(let one), .words(let other)): one == other
            case (.count(let one), .count(let other)): one == other
            case (.digits(let one), .digits(let other)): one == other
            case (.local(let one), .local(let other)): AnyHashable(one) == AnyHashable(other)
            default: false
            }
        }

        public func hash(into hasher: inout Hasher) {
            switch self {
            case .text(let text): hasher.combine(text)
            case .words(let words): hasher.combine(words)
            case .count(let count): hasher.combine(count)
            case .local(let value): hasher.combine(value)
            case .digits(let number): hasher.combine(number)
            }
        }
    }

    /// The message for a count other than one, and the count that chooses between the two.
    public var plural: (message: String, count: Int)? { many.map { ($0, count) } }

    public init(stringLiteral value: String) {
        self.init(message: value)
    }

    public init(stringInterpolation interpolation: StringInterpolation) {
        self.init(message: interpolation.message, arguments: interpolation.arguments)
    }

    /// Words that depend on a number: `Words("{count} place left", plural: "{count} places left", count: places)`.
    ///
    /// `{count}` is filled by itself.
    public init(_ one: Words, plural: Words, count: Int) {
        var arguments = [Argument(name: "count", value: .count(count))]
        arguments += plural.arguments
        arguments += one.arguments
        self.init(message: one.message, arguments: arguments, many: plural.message, count: count)
    }

    /// Words that are not ours to translate, such as a child's nickname as the label of a box.
    public init(verbatim text: String) {
        self.init(message: "{text}", arguments: [Argument(name: "text", value: .text(text))])
    }

    /// A value that each language and country writes in its own way.
    public init(_ value: some LocalValue) {
        self.init(message: "{value}", arguments: [Argument(name: "value", value: .local(value))])
    }

    /// A number by itself that is no count, such as an age to choose: never grouped.
    public init(number: Int) {
        self.init(message: "{number}", arguments: [Argument(name: "number", value: .digits(number))])
    }

    /// One after the other, such as names with what a language puts between them.
    public init(joining parts: [Words]) {
        let names = parts.indices.map { "part\($0)" }
        self.init(
            message: names.map { "{\($0)}" }.joined(),
            arguments: zip(names, parts).map { Argument(name: $0, value: .words($1)) })
    }

    private init(message: String, arguments: [Argument] = [], many: String? = nil, count: Int = 0) {
        self.message = message
        self.arguments = arguments
        self.many = many
        self.count = count
    }

    /// What stands in for the placeholder `name`; nil when nothing does. The first argument of that name counts.
    public func argument(_ name: String) -> Value? {
        arguments.first { $0.name == name }?.value
    }

    /// The message in American English with its placeholders filled, for tests, logs and the command line.
    public var english: String { english(in: "en-US") }

    /// The message in English with its placeholders filled as the locale writes them, for what has no page.
    public func english(in locale: String) -> String {
        let source = count == 1 ? message : many ?? message
        var filled = ""
        var rest = source[...]
        while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")),
            let close = rest.utf8[open...].firstIndex(of: UInt8(ascii: "}"))
        {
            filled += rest[..<open]
            let name = String(rest[rest.utf8.index(after: open)..<close])
            switch argument(name) {
            case .text(let text): filled += text
            case .words(let words): filled += words.english(in: locale)
            case .count(let number), .digits(let number): filled += String(number)
            case .local(let value): filled += value.text(in: locale)
            case nil: filled += "{\(name)}"
            }
            rest = rest[rest.utf8.index(after: close)...]
        }
        return filled + rest
    }

    /// Collects the message and its named arguments. A value without a name does not compile.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var message = ""
        var arguments: [Argument] = []

        public init(literalCapacity: Int, interpolationCount: Int) {
            message.reserveCapacity(literalCapacity + interpolationCount * 8)
            arguments.reserveCapacity(interpolationCount)
        }

        public mutating func appendLiteral(_ literal: String) {
            message += literal
        }

        /// A text as the placeholder `{name}`.
        public mutating func appendInterpolation(_ value: some StringProtocol, as name: String) {
            append(.text(String(value)), name)
        }

        /// A whole number as the placeholder `{name}`.
        public mutating func appendInterpolation(_ value: some BinaryInteger, as name: String) {
            append(.count(Int(clamping: value)), name)
        }

        /// A number that is no count, such as a year, as the placeholder `{name}`: never grouped.
        public mutating func appendInterpolation(digits value: some BinaryInteger, as name: String) {
            append(.digits(Int(clamping: value)), name)
        }

        /// Words inside words as the placeholder `{name}`.
        public mutating func appendInterpolation(_ value: Words, as name: String) {
            append(.words(value), name)
        }

        /// A value that each language and country writes in its own way, as the placeholder `{name}`.
        public mutating func appendInterpolation(_ value: some LocalValue, as name: String) {
            append(.local(value), name)
        }

        private mutating func append(_ value: Value, _ name: String) {
            message += "{"
            message += name
            message += "}"
            arguments.append(Argument(name: name, value: value))
        }
    }
}

/// A value that each language and country writes in its own way: a day, a time, an amount.
public protocol LocalValue: Sendable, Hashable {
    /// The value as `locale` writes it: a language and a country, such as `en-US`.
    func text(in locale: String) -> String
}
