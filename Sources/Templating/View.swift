/// What every drawing of a template needs to know about the moment it is drawn in. The site's own frame adds the
/// visitor, the token, the flash and the like; templates read it as `frame`.
public protocol TemplateFrame {
    /// The translations to draw with; `nil` draws the English source text.
    var catalogue: Catalogue? { get }
    /// The language and country to write days, times and amounts in, such as `en-US`.
    var locale: String { get }
}

extension TemplateFrame {
    /// The language of the translations, of no country.
    public var locale: String { catalogue?.language ?? "en" }
}

/// A template with its arguments, ready to be drawn.
public struct View<Frame: TemplateFrame>: Sendable {
    private let body: @Sendable (Frame, inout HTMLBuffer) -> Void

    /// Generated code makes views; `body` writes the page.
    public init(_ body: @escaping @Sendable (Frame, inout HTMLBuffer) -> Void) {
        self.body = body
    }

    /// The page as UTF-8, drawn in `frame`.
    public func bytes(in frame: Frame) -> [UInt8] {
        var buffer = HTMLBuffer(catalogue: frame.catalogue, locale: frame.locale)
        body(frame, &buffer)
        return buffer.finish()
    }

    /// Draws the page in `frame` and calls `use` with its UTF-8 without copying it; the pointer ends with the call.
    public func draw<Result>(in frame: Frame, _ use: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        var buffer = HTMLBuffer(catalogue: frame.catalogue, locale: frame.locale)
        body(frame, &buffer)
        return try buffer.withBytes(use)
    }
}
