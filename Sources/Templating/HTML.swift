import Domains

/// Markup that is known to be safe and is never escaped again.
///
/// Only this module makes it from text, always by escaping or sanitizing: a raw string can't become `HTML`.
public struct HTML: Sendable, Hashable {
    let string: String

    init(trusted string: String) { self.string = string }

    /// Plain text, escaped.
    public init(escaping text: String) {
        var buffer = HTMLBuffer(capacity: text.utf8.count + 64)
        buffer.text(text)
        string = String(decoding: buffer.finish(), as: UTF8.self)
    }

    /// Concatenates two pieces.
    public static func + (left: HTML, right: HTML) -> HTML { HTML(trusted: left.string + right.string) }

    /// Plain text that a person typed, as paragraphs: blank lines separate them, a single line break is kept, and http
    /// and https URLs become links (`rel="ugc nofollow noopener"`). Everything else is text.
    ///
    /// - Parameter people: The links for `@name`, by lowercase name without the sign; other names stay text.
    public static func paragraphs(of text: String, naming people: [String: Link] = [:]) -> HTML {
        var buffer = HTMLBuffer(capacity: text.utf8.count + 256)
        var isOpen = false
        for line in lines(of: text) {
            guard !isBlank(line) else {
                if isOpen { buffer.markup("</p>\n") }
                isOpen = false
                continue
            }
            buffer.markup(isOpen ? "<br>\n" : "<p dir=\"auto\">")
            isOpen = true
            buffer.linked(line, people)
        }
        if isOpen { buffer.markup("</p>\n") }
        return HTML(trusted: buffer.withBytes { String(decoding: $0, as: UTF8.self) })
    }

    private static func isBlank(_ line: Substring) -> Bool {
        // A line that begins with a letter of ASCII needs no Unicode tables.
        if let first = line.utf8.first, 0x21..<0x7F ~= first { return false }
        return line.allSatisfy(\.isWhitespace)
    }

    private static func lines(of text: String) -> [Substring] {
        // Most texts are a single line.
        if text.utf8.hasAll({ 0x20..<0x80 ~= $0 }) { return [text[...]] }
        // Without control characters and Unicode separators, only the line feed ends a line.
        let isPlain =
            text.utf8.hasAll { $0 == 0x0A || 0x20..<0x80 ~= $0 }
            || text.unicodeScalars.allSatisfy {
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
    /// Adds a line of text, with links for its URLs and the people it names.
    fileprivate mutating func linked(_ line: Substring, _ people: [String: Link]) {
        guard Self.mayHaveSigns(line) else { return text(line) }
        var plain = line.startIndex
        for sign in Sign.all(in: line) {
            let shown: Substring
            switch sign {
            case .url(let url):
                shown = url
                text(line[plain..<shown.startIndex])
                markup("<a href=\"")
                attribute(url)
                markup("\" rel=\"ugc nofollow noopener\">")
                text(Self.withPlainHost(url))
            case .mention(let name):
                guard let link = people[name.key] else { continue }
                shown = name.text
                text(line[plain..<shown.startIndex])
                markup("<a href=\"")
                attribute(link)
                markup("\">")
                text(shown)
            }
            markup("</a>")
            plain = shown.endIndex
        }
        text(line[plain...])
    }

    /// Whether anything in the line could become a link: most lines have no `@` and no `http`, and needn't be looked at
    /// letter by letter.
    private static func mayHaveSigns(_ line: Substring) -> Bool {
        line.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.indices.contains { place in
                bytes[place] == UInt8(ascii: "@")
                    || bytes[place] | 0x20 == UInt8(ascii: "h") && beginsLikeURL(bytes[place...])
            }
        } ?? true
    }

    /// A part of a line that becomes a link.
    fileprivate enum Sign {
        case url(Substring)
        case mention(Mention)

        /// In order, never nested.
        static func all(in line: Substring) -> [Sign] {
            var signs: [Sign] = []
            var rest = line
            while let start = rest.utf8.firstIndex(where: {
                $0 | 0x20 == UInt8(ascii: "h") || $0 == UInt8(ascii: "@")
            }) {
                // Most are just an h in a word; then the letters around it needn't be looked at.
                let isMention = line.utf8[start] == UInt8(ascii: "@")
                if !isMention, !HTMLBuffer.beginsLikeURL(line[start...].utf8) {
                    rest = line[line.utf8.index(after: start)...]
                } else if HTMLBuffer.isFree(start, in: line), let url = HTMLBuffer.url(at: line[start...]) {
                    signs.append(.url(url))
                    rest = line[url.endIndex...]
                } else if let name = Mention(at: start, in: line) {
                    signs.append(.mention(name))
                    rest = line[name.text.endIndex...]
                } else {
                    rest = line[line.utf8.index(after: start)...]
                }
            }
            return signs
        }
    }

    /// The URL as typed, but with its host as shown by `Punycode.shown(host:)`.
    private static func withPlainHost(_ url: Substring) -> Substring {
        guard let start = url.firstRange(of: "://")?.upperBound else { return url }
        let end = url[start...].firstIndex { "/?#:".contains($0) } ?? url.endIndex
        guard Script.mixes(url[start..<end]) else { return url }
        return url[..<start] + Punycode.shown(host: url[start..<end]) + url[end...]
    }

    /// Whether a URL or name can begin there: not directly after a word.
    fileprivate static func isFree(_ start: String.Index, in text: Substring) -> Bool {
        start == text.startIndex || !isWord(text.unicodeScalars[text.unicodeScalars.index(before: start)])
    }

    /// Whether it is part of a word. Scalars rather than characters, because some signs combine with the letter after
    /// them.
    fileprivate static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark:
            true
        default: false
        }
    }

    private static func beginsLikeURL(_ text: some Collection<UInt8>) -> Bool {
        text.prefix(4).elementsEqual("http".utf8) { $0 | 0x20 == $1 }
    }

    /// The http or https URL that `text` starts with, without the punctuation of the surrounding sentence.
    private static func url(at text: Substring) -> Substring? {
        guard beginsLikeURL(text.utf8) else { return nil }
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

/// A person named in a text, as `@ana-ortiz`.
public struct Mention: Sendable {
    /// The name with the sign.
    public let text: Substring
    /// The name in lowercase, without the sign.
    public var key: String { text.dropFirst().lowercased() }

    /// The name that a text starts with: a to z, digits, `-` and `_`, the latter two not at its end.
    fileprivate init?(at start: String.Index, in line: Substring) {
        let rest = line[start...]
        guard rest.utf8.first == UInt8(ascii: "@"), HTMLBuffer.isFree(start, in: line) else { return nil }
        var end = rest.utf8.index(after: rest.startIndex)
        while end < rest.endIndex, Self.belongs(rest.utf8[end]) { end = rest.utf8.index(after: end) }
        var name = rest[..<end]
        // A letter of another script continues the word, so this isn't a name.
        if end < rest.endIndex, HTMLBuffer.isWord(rest.unicodeScalars[end]) { return nil }
        while name.utf8.last == UInt8(ascii: "-") || name.utf8.last == UInt8(ascii: "_") { name.removeLast() }
        guard name.utf8.count > 1 else { return nil }
        text = name
    }

    private static func belongs(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The names in a text, each once, in order.
    ///
    /// - Parameter most: The maximum number of names.
    public static func all(in text: String, most: Int) -> [String] {
        var names: [String] = []
        if text.utf8.hasAll({ $0 != UInt8(ascii: "@") }) { return names }
        for sign in HTMLBuffer.Sign.all(in: text[...]) {
            guard names.count < most else { break }
            if case .mention(let mention) = sign, !names.contains(mention.key) { names.append(mention.key) }
        }
        return names
    }
}
