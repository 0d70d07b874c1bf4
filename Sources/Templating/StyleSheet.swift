/// A style sheet for `<style>`, which sends it as it is.
public struct StyleSheet: Sendable {
    public let text: String

    /// - Parameter text: CSS. Nil for a text that could end the element, by itself or together with the next.
    public init?(_ text: String) {
        guard !text.contains("</"), !text.hasSuffix("<") else { return nil }
        self.text = text
    }
}

extension HTMLBuffer {
    /// Adds a style sheet inside `<style>`.
    public mutating func styleSheet(_ sheet: StyleSheet) { append(verbatim: sheet.text) }
}
