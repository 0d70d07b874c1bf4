/// A message to people, in English, that is translated when it is drawn.
///
/// The literal is the message and at the same time its key in the catalogue, so a value inside it has a name:
/// `"At most \(limit, as: "limit") characters."` is the message `At most {limit} characters.` with one argument.
public struct Words: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The English message, with a placeholder like `{limit}` for each argument.
    public let message: String
    /// What stands in for the placeholders, by name. Words among them are in English here; see `nested`.
    public let arguments: [String: String]
    /// Those arguments that are words themselves (a field's label), for a catalogue that translates them first.
    public let nested: [String: Words]
    private let many: String?
    private let count: Int

    /// The message for a count other than one, and the count that chooses between the two.
    public var plural: (message: String, count: Int)? { many.map { ($0, count) } }

    public init(stringLiteral value: String) {
        self.init(message: value)
    }

    public init(stringInterpolation interpolation: StringInterpolation) {
        self.init(message: interpolation.message, arguments: interpolation.arguments, nested: interpolation.nested)
    }

    /// Words that depend on a number: `Words("{count} place left", plural: "{count} places left", count: places)`.
    ///
    /// `{count}` is filled by itself.
    public init(_ one: Words, plural: Words, count: Int) {
        self.init(
            message: one.message,
            arguments: one.arguments.merging(plural.arguments) { $1 }.merging(["count": String(count)]) { $1 },
            nested: one.nested.merging(plural.nested) { $1 }, many: plural.message, count: count)
    }

    /// Words that are not ours to translate, such as a child's nickname as the label of a box.
    public init(verbatim text: String) {
        self.init(message: "{text}", arguments: ["text": text])
    }

    private init(
        message: String, arguments: [String: String] = [:], nested: [String: Words] = [:], many: String? = nil,
        count: Int = 0
    ) {
        self.message = message
        self.arguments = arguments
        self.nested = nested
        self.many = many
        self.count = count
    }

    /// The message in English with its placeholders filled, for tests, logs and the command line.
    public var english: String {
        let source = count == 1 ? message : many ?? message
        var filled = ""
        var rest = source[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            filled += rest[..<open]
            let name = String(rest[rest.index(after: open)..<close])
            filled += arguments[name] ?? "{\(name)}"
            rest = rest[rest.index(after: close)...]
        }
        return filled + rest
    }

    /// Collects the message and its named arguments. A value without a name does not compile.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var message = ""
        var arguments: [String: String] = [:]
        var nested: [String: Words] = [:]

        public init(literalCapacity: Int, interpolationCount: Int) {
            message.reserveCapacity(literalCapacity)
        }

        public mutating func appendLiteral(_ literal: String) {
            message += literal
        }

        /// A text as the placeholder `{name}`.
        public mutating func appendInterpolation(_ value: some StringProtocol, as name: String) {
            message += "{\(name)}"
            arguments[name] = String(value)
        }

        /// A whole number as the placeholder `{name}`.
        public mutating func appendInterpolation(_ value: some BinaryInteger, as name: String) {
            appendInterpolation(String(value), as: name)
        }

        /// Words inside words as the placeholder `{name}`.
        public mutating func appendInterpolation(_ value: Words, as name: String) {
            appendInterpolation(value.english, as: name)
            nested[name] = value
        }
    }
}
