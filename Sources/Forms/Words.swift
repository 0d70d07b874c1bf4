/// A message to people, in English, translated when it is drawn.
///
/// The literal is both the message and its key in the catalog, so each interpolated value has a name: `"At most
/// \(limit, as: "limit") characters."` is the message `At most {limit} characters.` with one argument.
public struct Words: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The English message, split at the values. The whole message is composed only when needed: most words are drawn
    /// in English, piece by piece, and discarded.
    public let pieces: [Piece]
    /// The plural message and the count, if the words depend on a number.
    public let counted: Counted?
    /// Distinguishes the message from another with the same English (`msgctxt`); nil if there is none.
    public let context: String?

    /// A run of English, or a value in it.
    public enum Piece: Sendable, Hashable {
        case text(String)
        case value(Argument)
    }

    /// The English for a count other than one, and the count that selects between the two.
    public struct Counted: Sendable, Hashable {
        public let many: [Piece]
        public let count: Int
    }

    /// The value for a placeholder.
    public struct Argument: Sendable, Hashable {
        /// The placeholder's name, without braces.
        public let name: String
        /// The text, or words that are translated first (a field's label).
        public let value: Value
    }

    /// A text, words inside words, a number, or a value that each language and country writes in its own way.
    public enum Value: Sendable, Hashable {
        case text(String)
        indirect case words(Words)
        case count(Int)
        case local(any LocalValue)
        /// A number that isn't a count, such as a year: never grouped.
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

    /// The English message, with a placeholder like `{limit}` for each argument.
    public var message: String { Self.message(pieces) }

    /// The message for a count other than one, and the count.
    public var plural: (message: String, count: Int)? { counted.map { (Self.message($0.many), $0.count) } }

    private static func message(_ pieces: [Piece]) -> String {
        if pieces.count == 1, case .text(let text) = pieces[0] { return text }
        var message = ""
        for piece in pieces {
            switch piece {
            case .text(let text): message += text
            case .value(let argument):
                message += "{"
                message += argument.name
                message += "}"
            }
        }
        return message
    }

    public init(stringLiteral value: String) {
        self.init([.text(value)])
    }

    public init(stringInterpolation interpolation: StringInterpolation) {
        self.init(interpolation.pieces)
    }

    /// Makes words that depend on a number: `Words("{count} place left", plural: "{count} places left", count:
    /// places)`.
    ///
    /// `{count}` is filled in automatically.
    public init(_ one: Words, context: String? = nil, plural: Words, count: Int) {
        self.init(one.pieces, Counted(many: plural.pieces, count: count), context: context)
    }

    /// Makes words with a context for translators, because the same English is used elsewhere with another meaning:
    /// `Words("Gone", context: "children who left")`.
    ///
    /// Pass a literal: the extraction tool looks for the context right after it.
    public init(_ words: Words, context: String) {
        self.init(words.pieces, context: context)
    }

    /// Makes words that aren't translated, such as a child's nickname as the label of a checkbox.
    public init(verbatim text: String) {
        self.init([.value(Argument(name: "text", value: .text(text)))])
    }

    /// Makes words of a value that each language and country writes in its own way.
    public init(_ value: some LocalValue) {
        self.init([.value(Argument(name: "value", value: .local(value)))])
    }

    /// Makes words of a number that isn't a count, such as an age to choose: never grouped.
    public init(number: Int) {
        self.init([.value(Argument(name: "number", value: .digits(number)))])
    }

    /// Joins words, such as names with a language's separators.
    public init(joining parts: [Words]) {
        self.init(
            parts.enumerated().map { .value(Argument(name: "part\($0.offset)", value: $0.element.asValue)) })
    }

    private init(_ pieces: [Piece], _ counted: Counted? = nil, context: String? = nil) {
        self.pieces = pieces
        self.counted = counted
        self.context = context
    }

    /// The words as a value inside other words; a single value needs no words around it.
    fileprivate var asValue: Value {
        if counted == nil, pieces.count == 1, case .value(let argument) = pieces[0] { return argument.value }
        return .words(self)
    }

    /// The argument for the placeholder `name`; nil if there is none. If there are several, the first counts.
    public func argument(_ name: String) -> Value? {
        if let counted {
            if name == "count" { return .count(counted.count) }
            if let value = Self.argument(name, in: counted.many) { return value }
        }
        return Self.argument(name, in: pieces)
    }

    private static func argument(_ name: String, in pieces: [Piece]) -> Value? {
        for case .value(let argument) in pieces where argument.name == name { return argument.value }
        return nil
    }

    /// The message in American English with its placeholders filled in, for tests, logs and the command line.
    public var english: String { english(in: "en-US") }

    /// The message in English with its placeholders filled in as the locale writes them, for output that isn't a page.
    public func english(in locale: String) -> String {
        let source = counted.map { $0.count == 1 ? message : Self.message($0.many) } ?? message
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

    /// Collects the message and its named arguments. A value without a name doesn't compile.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var pieces: [Piece] = []

        public init(literalCapacity: Int, interpolationCount: Int) {
            pieces.reserveCapacity(interpolationCount * 2 + 1)
        }

        public mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { pieces.append(.text(literal)) }
        }

        /// A text as the placeholder `{name}`.
        public mutating func appendInterpolation(_ value: some StringProtocol, as name: String) {
            append(.text(String(value)), name)
        }

        /// A whole number as the placeholder `{name}`.
        public mutating func appendInterpolation(_ value: some BinaryInteger, as name: String) {
            append(.count(Int(clamping: value)), name)
        }

        /// A number that isn't a count, such as a year, as the placeholder `{name}`: never grouped.
        public mutating func appendInterpolation(digits value: some BinaryInteger, as name: String) {
            append(.digits(Int(clamping: value)), name)
        }

        /// Words inside words as the placeholder `{name}`.
        public mutating func appendInterpolation(_ value: Words, as name: String) {
            append(value.asValue, name)
        }

        /// A value that each language and country writes in its own way, as the placeholder `{name}`.
        public mutating func appendInterpolation(_ value: some LocalValue, as name: String) {
            append(.local(value), name)
        }

        private mutating func append(_ value: Value, _ name: String) {
            pieces.append(.value(Argument(name: name, value: value)))
        }
    }
}

/// A value that each language and country writes in its own way: a day, a time, an amount.
public protocol LocalValue: Sendable, Hashable {
    /// The value as `locale` writes it: a language and a country, such as `en-US`.
    func text(in locale: String) -> String
}
