/// A message to people, in English, that is translated when it is drawn.
///
/// The literal is the message and at the same time its key in the catalog, so a value inside it has a name:
/// `"At most \(limit, as: "limit") characters."` is the message `At most {limit} characters.` with one argument.
public struct Words: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The English, cut where values stand in it. The message is composed only when somebody asks for it: most words
    /// are drawn in English, piece by piece, and forgotten.
    public let pieces: [Piece]
    /// What depends on a number: the message for any but one, and the number.
    public let counted: Counted?
    /// What tells the message apart from another one of the same English (`msgctxt`); nil where none is.
    public let context: String?

    /// A run of English, or a value in it.
    public enum Piece: Sendable, Hashable {
        case text(String)
        case value(Argument)
    }

    /// The English for a count other than one, and the count that chooses between the two.
    public struct Counted: Sendable, Hashable {
        public let many: [Piece]
        public let count: Int
    }

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

    /// The English message, with a placeholder like `{limit}` for each argument.
    public var message: String { Self.message(pieces) }

    /// The message for a count other than one, and the count that chooses between the two.
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

    /// Words that depend on a number: `Words("{count} place left", plural: "{count} places left", count: places)`.
    ///
    /// `{count}` is filled by itself.
    public init(_ one: Words, context: String? = nil, plural: Words, count: Int) {
        self.init(one.pieces, Counted(many: plural.pieces, count: count), context: context)
    }

    /// Words of which other languages need more than the English says, since the same words stand elsewhere for
    /// something else: `Words("Left", context: "places that are left")`.
    ///
    /// The words are a literal right here: the catalog's tool looks for the context behind it.
    public init(_ words: Words, context: String) {
        self.init(words.pieces, context: context)
    }

    /// Words that are not ours to translate, such as a child's nickname as the label of a box.
    public init(verbatim text: String) {
        self.init([.value(Argument(name: "text", value: .text(text)))])
    }

    /// A value that each language and country writes in its own way.
    public init(_ value: some LocalValue) {
        self.init([.value(Argument(name: "value", value: .local(value)))])
    }

    /// A number by itself that is no count, such as an age to choose: never grouped.
    public init(number: Int) {
        self.init([.value(Argument(name: "number", value: .digits(number)))])
    }

    /// One after the other, such as names with what a language puts between them.
    public init(joining parts: [Words]) {
        self.init(
            parts.enumerated().map { .value(Argument(name: "part\($0.offset)", value: $0.element.asValue)) })
    }

    private init(_ pieces: [Piece], _ counted: Counted? = nil, context: String? = nil) {
        self.pieces = pieces
        self.counted = counted
        self.context = context
    }

    /// As it stands inside other words: a value alone needs no words around it.
    fileprivate var asValue: Value {
        if counted == nil, pieces.count == 1, case .value(let argument) = pieces[0] { return argument.value }
        return .words(self)
    }

    /// What stands in for the placeholder `name`; nil when nothing does. The first argument of that name counts.
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

    /// The message in American English with its placeholders filled, for tests, logs and the command line.
    public var english: String { english(in: "en-US") }

    /// The message in English with its placeholders filled as the locale writes them, for what has no page.
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

    /// Collects the message and its named arguments. A value without a name does not compile.
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

        /// A number that is no count, such as a year, as the placeholder `{name}`: never grouped.
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
