/// Cleans a typed text for storage: line ends become `\n`, the ends are trimmed, unreadable characters are marked, and
/// characters that change other text's direction are removed. A text without visible characters becomes empty.
struct CleanText {
    /// The text, with U+FFFD in place of unreadable characters, so that it can be shown and corrected.
    let text: String
    /// Whether nothing was marked. A U+FFFD that was sent back unchanged still counts as a mark.
    let isReadable: Bool

    /// - Parameter keepsLines: False replaces line ends and tabs with spaces, so that a title can't split a mail's
    ///   header, and removes direction marks, because a line is shown among other words and must not move them.
    init(_ typed: String, keepsLines: Bool) {
        // Most typed text is plain and needs no cleaning.
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
            // First embeddings, overrides and isolates; then the marks, which a text in two scripts may need.
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": break
            case "\u{200E}", "\u{200F}", "\u{61C}": if keepsLines { scalars.append(scalar) }
            default:
                let isUnreadable = Self.isUnreadable(scalar)
                scalars.append(isUnreadable ? "\u{FFFD}" : scalar)
                isReadable = isReadable && !isUnreadable
            }
            previous = scalar
        }
        guard scalars.contains(where: Self.isSeen) else {
            text = ""
            self.isReadable = isReadable
            return
        }
        let start = scalars.firstIndex { !Self.isBlank($0) } ?? scalars.endIndex
        let end = scalars.lastIndex { !Self.isBlank($0) }.map(scalars.index(after:)) ?? start
        self.text = String(scalars[start..<end])
        self.isReadable = isReadable
    }

    /// Whether a character is a control character, a noncharacter, or U+FFFD, which stands for either.
    private static func isUnreadable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0xFDD0...0xFDEF, 0xFFFD: true
        case let value: value & 0xFFFE == 0xFFFE
        }
    }

    /// Whether a character is visible other than as a mark on the one before it.
    private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
        if 0x21..<0x7F ~= scalar.value { return true }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark, .format: false
        default: !isBlank(scalar) && !scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// Whether a character is white space or invisible at the ends of a text: soft hyphen, zero widths, direction
    /// marks, fillers.
    ///
    /// Variation selectors and tags that belong to the character before them, as in ❤️ and flags, don't count.
    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xFE00...0xFE0F, 0xE0000...0xE0FFF, 0x180B...0x180D, 0x180F: false
        // Visible by their category but blank: braille, notes, annotations, blanks of hieroglyphs.
        case 0x2800, 0x1D159, 0xFFF9...0xFFFB, 0x13441...0x13442: true
        default: scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}

extension StringProtocol {
    /// The words, separated by single spaces.
    public var squeezed: String {
        // Most typed text is plain and needs no change.
        var previous = UInt8(ascii: " ")
        let isPlain = utf8.allSatisfy { byte in
            defer { previous = byte }
            return 0x20..<0x7F ~= byte && (byte != 0x20 || previous != 0x20)
        }
        if isPlain, isEmpty || previous != 0x20 { return String(self) }
        // By code points: a space and a combining mark after it are one character, which would vanish the next time.
        return String(self).unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { String($0) }.joined(
            separator: " ")
    }
}

extension String {
    /// The text's length as people see it, in characters.
    ///
    /// A character can consist of any number of marks, so one with more than ten code points counts as several. (The
    /// longest in use, a family with skin tones, has eleven, but no text consists of them.)
    var seenLength: Int { max(count, (unicodeScalars.count + 9) / 10) }
}
