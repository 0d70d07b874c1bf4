/// What was typed, made fit to keep: line ends are `\n`, the ends are trimmed, what can't be read is marked, and what
/// turns the direction of other text is taken out. Text in which nothing can be seen is no text.
struct CleanText {
    /// The text, with U+FFFD in the place of what can't be read, so that it can be shown and put right.
    let text: String
    /// Whether nothing had to be marked. A U+FFFD that came back unchanged is still a mark.
    let isReadable: Bool

    /// - Parameter keepsLines: false turns line ends and tabs into spaces, so that a title never splits a mail's
    ///   header, and takes out direction marks too: a line stands among other words, and must not move them.
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
            // Embeddings, overrides and isolates; then the marks, which a text in two scripts may need.
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

    /// Control characters, code points that are never characters, and the mark that stands for either.
    private static func isUnreadable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0xFDD0...0xFDEF, 0xFFFD: true
        case let value: value & 0xFFFE == 0xFFFE
        }
    }

    /// Whether there is something to see, other than a mark on what stands before it.
    private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
        if 0x21..<0x7F ~= scalar.value { return true }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark, .format: false
        default: !isBlank(scalar) && !scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// White space, and what looks like nothing at an end of a text: soft hyphen, zero widths, direction marks,
    /// fillers.
    ///
    /// Not the selectors and tags that belong to the character before them, as in ❤️ and in flags.
    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xFE00...0xFE0F, 0xE0000...0xE0FFF, 0x180B...0x180D, 0x180F: false
        // These have names of their own and no looks: braille, notes, annotations, blanks of hieroglyphs.
        case 0x2800, 0x1D159, 0xFFF9...0xFFFB, 0x13441...0x13442: true
        default: scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
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
