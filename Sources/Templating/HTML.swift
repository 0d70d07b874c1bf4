/// Markup that is known to be safe and is never escaped again.
///
/// Only this module makes it from text, and every way escapes or sanitises: there is no way in for a raw string.
public struct HTML: Sendable, Hashable {
    let string: String

    init(trusted string: String) { self.string = string }

    /// Plain text, escaped.
    public init(escaping text: String) {
        var buffer = HTMLBuffer(capacity: text.utf8.count + 64)
        buffer.text(text)
        string = String(decoding: buffer.finish(), as: UTF8.self)
    }

    /// One after the other.
    public static func + (left: HTML, right: HTML) -> HTML { HTML(trusted: left.string + right.string) }

    /// What a person typed into a plain text box, as paragraphs: blank lines part them, a single line break stays one,
    /// and http and https URLs become links (`rel="ugc nofollow noopener"`). Everything else is text.
    public static func paragraphs(of text: String) -> HTML {
        var buffer = HTMLBuffer(capacity: text.utf8.count + 256)
        var isOpen = false
        for line in lines(of: text) {
            guard !line.allSatisfy(\.isWhitespace) else {
                if isOpen { buffer.markup("</p>\n") }
                isOpen = false
                continue
            }
            buffer.markup(isOpen ? "<br>\n" : "<p>")
            isOpen = true
            buffer.linked(line)
        }
        if isOpen { buffer.markup("</p>\n") }
        return HTML(trusted: String(decoding: buffer.finish(), as: UTF8.self))
    }

    private static func lines(of text: String) -> [Substring] {
        // Without a control or Unicode's own separators only the line feed ends a line.
        let isPlain = text.unicodeScalars.allSatisfy {
            $0 == "\n" || $0.value >= 0x20 && $0 != "\u{85}" && $0 != "\u{2028}" && $0 != "\u{2029}"
        }
        guard isPlain else { return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) }
        var lines: [Substring] = []
        var rest = text[...]
        while let end = rest.utf8.firstIndex(of: 0x0A) {
            lines.append(rest[..<end])
            rest = rest[rest.utf8.index(after: end)...]
        }
        return lines + [rest]
    }
}

extension HTMLBuffer {
    /// Adds a line of text, its URLs as links.
    fileprivate mutating func linked(_ line: Substring) {
        var rest = line
        var plain = line.startIndex
        while let start = rest.utf8.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "h") }) {
            guard let url = Self.url(at: line[start...]),
                start == line.startIndex || !Self.isWord(line.unicodeScalars[line.unicodeScalars.index(before: start)])
            else {
                rest = line[line.utf8.index(after: start)...]
                continue
            }
            text(line[plain..<start])
            markup("<a href=\"")
            attribute(url)
            markup("\" rel=\"ugc nofollow noopener\">")
            text(url)
            markup("</a>")
            plain = url.endIndex
            rest = line[plain...]
        }
        text(line[plain...])
    }

    /// Whether a URL can't begin behind it. Scalars, not characters: some signs join with the letter that follows.
    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark:
            true
        default: false
        }
    }

    /// The http or https URL that `text` starts with, without the punctuation of the sentence around it.
    private static func url(at text: Substring) -> Substring? {
        guard text.utf8.prefix(4).elementsEqual("http".utf8, by: { $0 | 0x20 == $1 }) else { return nil }
        var url = text.prefix { character in
            character.unicodeScalars.allSatisfy {
                !"<>\"\\".unicodeScalars.contains($0) && !$0.properties.isWhitespace && !Link.isHidden($0)
            }
        }
        while let last = url.last {
            if ".,;:!?'*_".contains(last) || (last == ")" && !url.contains("(")) || (last == "]" && !url.contains("["))
            {
                url.removeLast()
            } else {
                break
            }
        }
        return Link(outside: String(url)) == nil ? nil : url
    }
}
