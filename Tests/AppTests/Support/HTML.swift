/// A page as a tree, read the way a browser would read what our templates write.
///
/// It forgives what browsers forgive (a missing end tag), knows the elements that have no end, and nothing of the rest
/// of the HTML standard. Whether a page is valid is for a real validator to say.
struct Element: Sendable {
    enum Node: Sendable {
        case text(String)
        case element(Element)
    }

    let name: String
    let attributes: [String: String]
    fileprivate(set) var nodes: [Node] = []

    subscript(_ attribute: String) -> String? { attributes[attribute] }

    var classes: [Substring] { (self["class"] ?? "").split(separator: " ") }

    var children: [Element] {
        nodes.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// Every element below this one that fits, in the order of the page.
    func all(_ fits: (Element) -> Bool) -> [Element] {
        children.flatMap { child in (fits(child) ? [child] : []) + child.all(fits) }
    }

    /// Every element of these names below this one.
    func all(_ names: String...) -> [Element] { all { names.contains($0.name) } }

    /// Every element of this class below this one.
    func all(ofClass name: String) -> [Element] { all { $0.classes.contains(name[...]) } }

    func first(_ name: String) -> Element? { all(name).first }

    /// What can be read in it, on one line; what is hidden for eyes counts, scripts and drawings don't.
    var text: String { raw(apart: true).split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    /// Its text with every blank and line end, as in a `textarea`.
    var verbatim: String { raw(apart: false) }

    private func raw(apart: Bool) -> String {
        if ["script", "style", "svg", "template"].contains(name) { return "" }
        var text = ""
        for node in nodes {
            switch node {
            case .text(let part): text += part
            case .element(let element):
                let isInline = ["a", "b", "code", "em", "i", "span", "strong"].contains(element.name)
                text += apart && !isInline ? " \(element.raw(apart: true)) " : element.raw(apart: apart)
            }
        }
        return text
    }
}

extension Element {
    /// Reads a whole page.
    init(page bytes: [UInt8]) {
        var reader = PageReader(bytes)
        self = reader.read()
    }
}

private struct PageReader {
    private static let endless: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    ]
    /// Elements whose content is text up to their end tag.
    private static let textual: Set<String> = ["script", "style", "textarea", "title"]

    private let bytes: [UInt8]
    private var place = 0
    private var open = [Element(name: "", attributes: [:])]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func read() -> Element {
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "<"), place + 1 < bytes.count {
                readTag()
            } else {
                add(text(until: "<"))
            }
        }
        while open.count > 1 { close() }
        return open[0]
    }

    private mutating func readTag() {
        if starts("<!--") {
            _ = skip(past: "-->")
        } else if starts("<!") {
            _ = skip(past: ">")
        } else if starts("</") {
            place += 2
            let name = word()
            _ = skip(past: ">")
            guard let depth = open.lastIndex(where: { $0.name == name }), depth > 0 else { return }
            while open.count > depth { close() }
        } else if !isLetter(bytes[place + 1]) {
            place += 1
            add("<")
        } else {
            place += 1
            readStartTag()
        }
    }

    private mutating func readStartTag() {
        let name = word()
        var attributes: [String: String] = [:]
        var isClosed = false
        while place < bytes.count, bytes[place] != UInt8(ascii: ">") {
            if isBlank(bytes[place]) {
                place += 1
            } else if bytes[place] == UInt8(ascii: "/") {
                isClosed = true
                place += 1
            } else {
                isClosed = false
                let attribute = word()
                guard !attribute.isEmpty else {
                    place += 1
                    continue
                }
                attributes[attribute] = readValue()
            }
        }
        place += 1
        open.append(Element(name: name, attributes: attributes))
        if Self.textual.contains(name) {
            add(text(until: "</\(name)"))
            _ = skip(past: ">")
            close()
        } else if Self.endless.contains(name) || isClosed {
            close()
        }
    }

    /// What stands behind an attribute's `=`; empty without one.
    private mutating func readValue() -> String {
        guard place < bytes.count, bytes[place] == UInt8(ascii: "=") else { return "" }
        place += 1
        guard place < bytes.count else { return "" }
        let quote = bytes[place]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            let start = place
            while place < bytes.count, !isBlank(bytes[place]), bytes[place] != UInt8(ascii: ">") { place += 1 }
            return decode(bytes[start..<place])
        }
        place += 1
        let value = text(until: String(UnicodeScalar(quote)))
        place += 1
        return value
    }

    private mutating func add(_ text: String) {
        guard !text.isEmpty else { return }
        open[open.count - 1].nodes.append(.text(text))
    }

    private mutating func close() {
        let element = open.removeLast()
        open[open.count - 1].nodes.append(.element(element))
    }

    // MARK: Bytes

    private func starts(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }

    private mutating func skip(past mark: String) -> ArraySlice<UInt8> {
        let start = place
        let first = mark.utf8.first!
        while place < bytes.count, bytes[place] != first || !starts(mark) { place += 1 }
        defer { place = min(bytes.count, place + mark.utf8.count) }
        return bytes[start..<place]
    }

    private mutating func text(until mark: String) -> String {
        let found = skip(past: mark)
        place = found.endIndex
        return decode(found)
    }

    private mutating func word() -> String {
        let start = place
        while place < bytes.count, !isBlank(bytes[place]), !"=/>".utf8.contains(bytes[place]) { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self).lowercased()
    }

    private func isBlank(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
    private func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte & 0xDF) }

    /// Character references: the numeric ones and the few that we write by name.
    private func decode(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.contains(UInt8(ascii: "&")) else { return text }
        let names: [Substring: String] = [
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "shy": "\u{AD}",
        ]
        var decoded = ""
        for (index, part) in text.split(separator: "&", omittingEmptySubsequences: false).enumerated() {
            let name = part.prefix { $0 != ";" }
            let digits = name.dropFirst(name.lowercased().hasPrefix("#x") ? 2 : 1)
            let number = UInt32(digits, radix: name.lowercased().hasPrefix("#x") ? 16 : 10)
            if index == 0 || name.endIndex == part.endIndex {
                decoded += (index == 0 ? "" : "&") + part
            } else if name.hasPrefix("#"), let scalar = number.flatMap(UnicodeScalar.init) {
                decoded += String(Character(scalar)) + part[name.endIndex...].dropFirst()
            } else if let meaning = names[name] {
                decoded += meaning + part[name.endIndex...].dropFirst()
            } else {
                decoded += "&" + part
            }
        }
        return decoded
    }
}
