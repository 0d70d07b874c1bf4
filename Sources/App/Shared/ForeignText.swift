import Forms

/// Text written by other programs.
enum ForeignText {
    // MARK: - Bytes

    /// The file in UTF-8 or a single-byte encoding, without a byte order mark.
    static func plainBytes(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
        guard bytes.count >= 2 else { return bytes }
        let isBig: Bool
        switch (bytes[0], bytes[1]) {
        case (0xFE, 0xFF): isBig = true
        case (0xFF, 0xFE): isBig = false
        // A calendar begins with an ASCII letter, whose other byte is zero.
        case (0, 1...): isBig = true
        case (1..., 0): isBig = false
        default: return bytes
        }
        let units: [UInt16] = stride(from: 0, to: bytes.count - 1, by: 2).map { place in
            let (high, low) = isBig ? (bytes[place], bytes[place + 1]) : (bytes[place + 1], bytes[place])
            return UInt16(high) << 8 | UInt16(low)
        }
        return Array(String(decoding: units.first == 0xFEFF ? units[1...] : units[...], as: UTF16.self).utf8)
    }

    /// The text of some bytes: UTF-8, otherwise Windows-1252.
    static func decoded(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var scalars = String.UnicodeScalarView()
        for byte in bytes {
            scalars.append(0x80...0x9F ~= byte ? windows[Int(byte) - 0x80] : Unicode.Scalar(byte))
        }
        return String(scalars)
    }

    /// Windows-1252 from 80 to 9F (https://encoding.spec.whatwg.org/index-windows-1252.txt).
    private static let windows: [Unicode.Scalar] = [
        "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}", "\u{2C6}",
        "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}", "\u{90}", "\u{2018}",
        "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}", "\u{2DC}", "\u{2122}", "\u{161}",
        "\u{203A}", "\u{153}", "\u{9D}", "\u{17E}", "\u{178}",
    ]

    // MARK: - Escapes of iCalendar

    /// The unescaped values of a list (RFC 5545, section 3.3.11).
    static func values(_ escaped: String, isList: Bool) -> [String] {
        var values: [String] = []
        var value = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in escaped.unicodeScalars {
            if isEscaped {
                isEscaped = false
                switch scalar {
                case "n", "N": value.append("\n")
                case ",", ";", ":", "\\", "\"": value.append(scalar)
                // An unescaped backslash.
                default:
                    value.append("\\")
                    value.append(scalar)
                }
            } else if scalar == "\\" {
                isEscaped = true
            } else if isList, scalar == "," {
                values.append(String(value))
                value = String.UnicodeScalarView()
            } else {
                value.append(scalar)
            }
        }
        if isEscaped { value.append("\\") }
        return values + [String(value)]
    }

    // MARK: - Readable text

    /// A text on one line of at most `most` characters: a longer one is cut between words.
    static func line(_ text: String, most: Int) -> String {
        shortened(visible(unescaped(head(text)), keepsLines: false).squeezed, most)
    }

    /// Paragraphs of at most `most` characters; for HTML, its visible text.
    static func paragraphs(_ text: String, most: Int) -> String {
        let text = head(text)
        let plain = isPage(text) ? reduced(text) : unescaped(text)
        var lines: [String] = []
        for line in visible(plain, keepsLines: true).split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.squeezed
            if !words.isEmpty || lines.last?.isEmpty == false { lines.append(words) }
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return shortened(lines.joined(separator: "\n"), most)
    }

    /// The part of the text to examine. (The remainder of a split character isn't visible.)
    private static func head(_ text: String) -> String {
        guard text.utf8.count > 20_000 else { return text }
        return String(decoding: text.utf8.prefix(20_000), as: UTF8.self)
    }

    /// Removes control characters, and characters that change the direction of other text.
    private static func visible(_ text: String, keepsLines: Bool) -> String {
        var scalars = String.UnicodeScalarView()
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A where previous == "\r": break
            case 0x0A, 0x0D, 0x0B, 0x0C, 0x85, 0x2028, 0x2029: scalars.append(keepsLines ? "\n" : " ")
            case 0x09: scalars.append(" ")
            case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069, 0xFDD0...0xFDEF, 0xFEFF, 0xFFFD: break
            case let value where value & 0xFFFE == 0xFFFE: break
            default: scalars.append(scalar)
            }
            previous = scalar
        }
        return String(scalars)
    }

    private static func shortened(_ text: String, _ most: Int) -> String {
        // A character may consist of any number of marks.
        let isHeap = text.unicodeScalars.count > 10 * most
        guard isHeap || text.count > most else { return text }
        let head = isHeap ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(9 * most))) : text
        var cut = String(head.prefix(most - 1))
        // A very long word is cut itself.
        if let end = cut.lastIndex(where: \.isWhitespace), cut.distance(from: end, to: cut.endIndex) < most / 2 {
            cut = String(cut[..<end])
        }
        while let last = cut.last, last.isWhitespace || last.isComma || "–-;:".contains(last) { cut.removeLast() }
        return cut + "…"
    }

    // MARK: - HTML

    private static let tags: Set<String> = [
        "a", "b", "i", "u", "p", "br", "div", "span", "ul", "ol", "li", "em", "strong", "html", "body", "table", "tr",
        "td", "font", "h1", "h2", "h3", "h4", "img", "html-blob", "!doctype",
    ]

    /// Elements whose content is invisible.
    private static let unseen: Set<String> = ["script", "style", "head", "title"]

    /// Whether a text contains tags, as in Google's descriptions.
    private static func isPage(_ text: String) -> Bool {
        text.split(separator: "<", omittingEmptySubsequences: false).dropFirst().contains { part in
            part.prefix(200).contains(">") && tags.contains(name(of: part))
        }
    }

    /// The name of the start or end tag that a text begins with, after its `<`.
    private static func name(of tag: Substring) -> String {
        let start = tag.first == "/" ? tag.dropFirst() : tag
        return start.prefix(20).prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }.lowercased()
    }

    /// The visible text of HTML, as paragraphs.
    private static func reduced(_ page: String) -> String {
        var text = ""
        // In HTML, line ends are spaces; but in Google's descriptions without paragraphs, somebody typed them.
        let parts = page.split(separator: "<", omittingEmptySubsequences: false)
        let hasBlocks = parts.dropFirst().contains { part in
            let start = part.prefix(3).lowercased()
            return start.hasPrefix("p") || start == "div" || start.hasPrefix("br")
        }
        func add(_ part: some StringProtocol) {
            guard !part.isEmpty else { return }
            guard hasBlocks, part.utf8.contains(10) else {
                text += unescaped(String(part))
                return
            }
            text += unescaped(String(decoding: part.utf8.map { $0 == 10 ? 32 : $0 }, as: UTF8.self))
        }
        var target: String?
        var targetStart = text.utf8.count
        var hidden: String?
        add(parts[0])
        for part in parts.dropFirst() {
            guard let close = part.firstIndex(of: ">") else {
                // A stray `<`, or a truncated tag.
                if hidden == nil, part.first?.isLetter != true, part.first != "/" { add("<\(part)") }
                continue
            }
            let tag = part[..<close]
            let name = name(of: tag)
            let isEnd = tag.first == "/"
            if let within = hidden {
                guard isEnd, name == within else { continue }
                hidden = nil
            } else if !isEnd, unseen.contains(name) {
                hidden = name
                continue
            }
            switch name {
            case "br", "tr": text += "\n"
            case "li": if !isEnd { text += "\n– " }
            case "p", "div", "ul", "ol", "table", "h1", "h2", "h3", "h4", "h5", "h6", "hr": text += "\n\n"
            case "td", "th": text += " "
            case "a" where !isEnd:
                target = address(in: tag)
                targetStart = text.utf8.count
            case "a":
                // If the words don't show where a link leads, its address is added after them.
                if let address = target {
                    let words = String(decoding: text.utf8.dropFirst(targetStart), as: UTF8.self)
                    let bare = address.drop { $0 != "/" }.drop { $0 == "/" }
                    if !words.contains(bare) { text += words.isEmpty ? address : " (\(address))" }
                }
                target = nil
            default: break
            }
            add(part[part.index(after: close)...])
        }
        return text
    }

    /// The address of a link.
    private static func address(in tag: Substring) -> String? {
        let bytes = Array(tag.utf8.prefix(2_000))
        let lower = bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        guard let start = lower.indices.first(where: { lower[$0...].starts(with: "href=".utf8) }) else { return nil }
        let rest = String(decoding: bytes[(start + 5)...], as: UTF8.self)
        let quote = rest.first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
        let value = quote.map { quote in rest.dropFirst().prefix { $0 != quote } } ?? rest.prefix { !$0.isWhitespace }
        return link(unescaped(String(value)))
    }

    /// The text with its character references decoded: `&amp;`, `&#8211;`.
    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        let parts = text.split(separator: "&", omittingEmptySubsequences: false)
        var plain = String(parts[0])
        for part in parts.dropFirst() {
            let name = part.unicodeScalars.prefix(12).prefix { $0 != ";" }
            let end = name.endIndex
            guard end < part.unicodeScalars.endIndex, part.unicodeScalars[end] == ";",
                let scalar = scalar(called: String(name))
            else {
                plain += "&\(part)"
                continue
            }
            plain.unicodeScalars.append(scalar)
            plain += String(part.unicodeScalars[part.unicodeScalars.index(after: end)...])
        }
        return plain
    }

    private static func scalar(called name: String) -> Unicode.Scalar? {
        if let known = names[name] { return known }
        guard name.hasPrefix("#") else {
            guard name.first?.isUppercase == true, let small = names[name.lowercased()] else { return nil }
            return small.properties.uppercaseMapping.unicodeScalars.first
        }
        let number = name.dropFirst()
        let value = number.first == "x" || number.first == "X" ? UInt32(number.dropFirst(), radix: 16) : UInt32(number)
        return value.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
    }

    private static let names: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ndash": "–", "mdash": "—",
        "hellip": "…", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "bdquo": "„", "bull": "•",
        "middot": "·", "auml": "ä", "ouml": "ö", "uuml": "ü", "szlig": "ß",
        "eacute": "é", "aacute": "á", "iacute": "í", "oacute": "ó", "uacute": "ú", "ntilde": "ñ", "iquest": "¿",
        "iexcl": "¡", "euro": "€", "deg": "°",
    ]

    // MARK: - Addresses

    /// A web address for a link; nil for anything else.
    static func link(_ text: String) -> String? {
        let address = text.squeezed
        let lower = address.prefix(8).lowercased()
        guard address.utf8.count <= 300, lower.hasPrefix("https://") || lower.hasPrefix("http://") else { return nil }
        let host = address.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let isPlain = address.unicodeScalars.allSatisfy { scalar in
            scalar.value > 0x20 && !"<>\"'\\^`{|}".unicodeScalars.contains(scalar)
        }
        guard isPlain, !host.isEmpty, !host.contains("@"), !host.hasPrefix(":") else { return nil }
        return address
    }
}
