/// What was typed, made fit to keep: line ends are `\n`, the ends are trimmed, and what can't be read is marked.
struct CleanText {
    /// The text, with U+FFFD in the place of what can't be read, so that it can be shown and put right.
    let text: String
    /// Whether nothing had to be marked. A U+FFFD that came back unchanged is still a mark.
    let isReadable: Bool

    /// - Parameter keepsLines: false turns line ends and tabs into spaces, so that a title never splits a mail's header.
    init(_ typed: String, keepsLines: Bool) {
        // Most of what is typed is plain and needs nothing done.
        if typed.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }), typed.utf8.first != 0x20, typed.utf8.last != 0x20 {
            text = typed
            isReadable = true
            return
        }
        var scalars = String.UnicodeScalarView()
        var isReadable = true
        var previous: Unicode.Scalar = " "
        for scalar in typed.unicodeScalars {
            switch scalar {
            case "\n" where previous == "\r": break
            // Word writes U+000B for a line break inside a paragraph, and macOS U+2028.
            case "\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}": scalars.append(keepsLines ? "\n" : " ")
            case "\t": scalars.append(keepsLines ? "\t" : " ")
            default:
                let isUnreadable = Self.isUnreadable(scalar)
                scalars.append(isUnreadable ? "\u{FFFD}" : scalar)
                isReadable = isReadable && !isUnreadable
            }
            previous = scalar
        }
        let start = scalars.firstIndex { !Self.isBlank($0) } ?? scalars.endIndex
        let end = scalars.lastIndex { !Self.isBlank($0) }.map(scalars.index(after:)) ?? start
        self.text = String(scalars[start..<end])
        self.isReadable = isReadable
    }

    /// Control characters, code points that are never characters, and the mark that stands for either.
    private static func isUnreadable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0xFDD0...0xFDEF, 0xFFFD: true
        case let value: value & 0xFFFE == 0xFFFE
        }
    }

    /// White space, and what looks like nothing at an end of a text: soft hyphen, zero widths, direction marks, fillers.
    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAD, 0x180E, 0x200B...0x200F, 0x2060, 0x2800, 0x3164, 0xFEFF: true
        default: scalar.properties.isWhitespace
        }
    }
}

extension StringProtocol {
    /// The words with one blank between them.
    public var squeezed: String {
        // Most of what is typed is plain, and needs nothing done.
        var previous = UInt8(ascii: " ")
        let isPlain = utf8.allSatisfy { byte in
            defer { previous = byte }
            return 0x20..<0x7F ~= byte && (byte != 0x20 || previous != 0x20)
        }
        if isPlain, isEmpty || previous != 0x20 { return String(self) }
        // By code points: a blank and a mark behind it are one character, and would vanish the next time.
        return String(self).unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { String($0) }.joined(
            separator: " ")
    }
}

extension String {
    /// How long people find this text: in characters as they see them.
    ///
    /// A character may be a heap of marks without end; one of more than ten code points counts as several.
    /// (The longest in use, a family with skin tones, has eleven, but no text is made of them.)
    var seenLength: Int { max(count, (unicodeScalars.count + 9) / 10) }
}
