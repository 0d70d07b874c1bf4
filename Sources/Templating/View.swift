/// What every drawing of a template needs to know about the moment it is drawn in. The site's own frame adds the
/// visitor, the token, the flash and the like; templates read it as `frame`.
public protocol TemplateFrame {
    /// The translations to draw with; `nil` draws the English source text.
    var catalogue: Catalogue? { get }
    /// The language and country to write days, times and amounts in, such as `en-US`.
    var locale: String { get }
    /// How that language writes whole numbers.
    var numbers: Numbers { get }
    /// Whether that language runs from right to left.
    var isRightToLeft: Bool { get }
}

extension TemplateFrame {
    /// The language of the translations, of no country.
    public var locale: String { catalogue?.language ?? "en" }
    /// As English does.
    public var numbers: Numbers { .english }
    /// As English doesn't.
    public var isRightToLeft: Bool { false }
}

/// How a language writes whole numbers.
public struct Numbers: Sendable {
    /// The ten digits, from 0; empty where they are those of ASCII.
    let digits: [String]
    /// What stands between thousands.
    let grouping: String
    /// From how many digits on they are grouped.
    let fewest: Int

    /// - Parameters:
    ///   - digits: The ten digits, from 0.
    ///   - grouping: What stands between thousands; empty for nothing.
    ///   - fewest: From how many digits on they are grouped: Spanish writes 1204, and 12.040.
    public init(digits: [String], grouping: String, groupingFrom fewest: Int = 4) {
        self.digits = digits == (0...9).map(String.init) ? [] : digits
        self.grouping = grouping
        self.fewest = fewest
    }

    /// `1,204`.
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

/// A template with its arguments, ready to be drawn.
public struct View<Frame: TemplateFrame>: Sendable {
    private let body: @Sendable (Frame, inout HTMLBuffer) -> Void

    /// Generated code makes views; `body` writes the page.
    public init(_ body: @escaping @Sendable (Frame, inout HTMLBuffer) -> Void) {
        self.body = body
    }

    private func buffer(in frame: Frame) -> HTMLBuffer {
        HTMLBuffer(
            catalogue: frame.catalogue, locale: frame.locale, numbers: frame.numbers,
            isRightToLeft: frame.isRightToLeft)
    }

    /// The page as UTF-8, drawn in `frame`.
    public func bytes(in frame: Frame) -> [UInt8] {
        var buffer = buffer(in: frame)
        body(frame, &buffer)
        return buffer.finish()
    }

    /// Draws the page in `frame` and calls `use` with its UTF-8 without copying it; the pointer ends with the call.
    public func draw<Result>(in frame: Frame, _ use: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        var buffer = buffer(in: frame)
        body(frame, &buffer)
        return try buffer.withBytes(use)
    }
}
