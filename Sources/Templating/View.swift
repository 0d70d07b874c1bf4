/// The context in which templates are drawn. The site's own frame adds the visitor, the token, the flash and so on;
/// templates use it as `frame`.
public protocol TemplateFrame {
    /// The translations to draw with; `nil` draws the English source text.
    var catalogue: Catalogue? { get }
    /// The language and country for days, times and amounts, such as `en-US`.
    var locale: String { get }
    /// How the language writes whole numbers.
    var numbers: Numbers { get }
    /// Whether the language runs from right to left.
    var isRightToLeft: Bool { get }
    /// The kept parts; nil keeps none.
    var drawn: Drawn? { get }
}

extension TemplateFrame {
    /// The language of the translations, without a country.
    public var locale: String { catalogue?.language ?? "en" }
    /// The English format.
    public var numbers: Numbers { .english }
    /// False, as for English.
    public var isRightToLeft: Bool { false }
    /// Nil: nothing is kept.
    public var drawn: Drawn? { nil }
}

/// How a language writes whole numbers.
public struct Numbers: Sendable {
    /// The ten digits, from 0; empty for those of ASCII.
    let digits: [String]
    /// The separator of thousands.
    let grouping: String
    /// The number of digits from which they are grouped.
    let fewest: Int

    /// - Parameters:
    ///   - digits: The ten digits, from 0.
    /// - grouping: The separator of thousands; empty for none.
    /// - fewest: The number of digits from which they are grouped: Spanish writes 1204, but 12.040.
    public init(digits: [String], grouping: String, groupingFrom fewest: Int = 4) {
        self.digits = digits == (0...9).map(String.init) ? [] : digits
        self.grouping = grouping
        self.fewest = fewest
    }

    /// The English format, as in `1,204`.
    public static let english = Numbers(digits: [], grouping: ",")

    /// The number as the language writes it.
    public func text(_ number: some BinaryInteger) -> String {
        let plain = String(number.magnitude)
        var text = number < 0 ? "-" : ""
        let isGrouped = plain.utf8.count >= fewest
        for (index, byte) in plain.utf8.enumerated() {
            if isGrouped, index > 0, (plain.utf8.count - index).isMultiple(of: 3) { text += grouping }
            let digit = Int(byte - UInt8(ascii: "0"))
            text += digits.isEmpty ? String(digit) : digits[digit]
        }
        return text
    }
}

/// A template with its arguments.
public struct View<Frame: TemplateFrame>: Sendable {
    private let body: @Sendable (Frame, inout HTMLBuffer) -> Void

    /// For generated code; `body` writes the page.
    public init(_ body: @escaping @Sendable (Frame, inout HTMLBuffer) -> Void) {
        self.body = body
    }

    private func buffer(in frame: Frame) -> HTMLBuffer {
        HTMLBuffer(
            catalogue: frame.catalogue, locale: frame.locale, numbers: frame.numbers,
            isRightToLeft: frame.isRightToLeft, drawn: frame.drawn)
    }

    /// The page as UTF-8, drawn in `frame`.
    public func bytes(in frame: Frame) -> [UInt8] {
        var buffer = buffer(in: frame)
        body(frame, &buffer)
        return buffer.finish()
    }

    /// Draws the page in `frame` and calls `use` with its UTF-8, without copying it; the pointer is only valid during
    /// the call.
    public func draw<Result>(in frame: Frame, _ use: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        var buffer = buffer(in: frame)
        body(frame, &buffer)
        return try buffer.withBytes(use)
    }
}
