import Foundation

/// A page as a tree, parsed the way a browser would parse what our templates write.
///
/// It tolerates what browsers tolerate (a missing end tag) and knows the void elements, but nothing else of the HTML
/// standard. Whether a page is valid is checked by a real validator.
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

    /// All matching elements below this one, in page order.
    func all(_ fits: (Element) -> Bool) -> [Element] {
        var found: [Element] = []
        collect(&found, fits)
        return found
    }

    private func collect(_ found: inout [Element], _ fits: (Element) -> Bool) {
        for case .element(let child) in nodes {
            if fits(child) { found.append(child) }
            child.collect(&found, fits)
        }
    }

    /// All elements with these names below this one.
    func all(_ names: String...) -> [Element] { all { names.contains($0.name) } }

    /// All elements with this class below this one.
    func all(ofClass name: String) -> [Element] { all { $0.classes.contains(name[...]) } }

    func first(_ name: String) -> Element? {
        for case .element(let child) in nodes {
            if let found = child.name == name ? child : child.first(name) { return found }
        }
        return nil
    }

    /// Its readable text, on one line. Visually hidden text counts, but scripts and drawings don't.
    var text: String { raw(apart: true).split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    /// Its text with all spaces and line breaks, as in a `textarea`.
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
    /// Parses a whole page.
    init(page bytes: [UInt8]) {
        var reader = PageReader(bytes)
        self = reader.read()
    }
}

/// Parsing takes a sixth of the time of all tests and isn't optimized, so the C library searches for bytes.
private struct PageReader {
    private static let endless: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    ]
    /// Elements whose content is plain text up to their end tag.
    private static let textual: Set<String> = ["script", "style", "textarea", "title"]
    private static let references: [Substring: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "shy": "\u{AD}",
    ]

    /// The page, followed by a NUL byte.
    private let bytes: [UInt8]
    private let count: Int
    private var place = 0
    private var open = [Element(name: "", attributes: [:])]

    init(_ page: [UInt8]) {
        bytes = page + [0]
        count = page.count
    }

    mutating func read() -> Element {
        while place < count {
            if bytes[place] == UInt8(ascii: "<"), place + 1 < count {
                readTag()
            } else {
                add(text(until: "<"))
            }
        }
        while open.count > 1 { close() }
        return open[0]
    }

    private mutating func readTag() {
        let second = bytes[place + 1]
        if second == UInt8(ascii: "!") {
            _ = skip(past: starts("<!--") ? "-->" : ">")
        } else if second == UInt8(ascii: "/") {
            place += 2
            let name = word()
            _ = skip(past: ">")
            guard let depth = open.lastIndex(where: { $0.name == name }), depth > 0 else { return }
            while open.count > depth { close() }
        } else if !isLetter(second) {
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
        while place < count, bytes[place] != UInt8(ascii: ">") {
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

    /// The value after an attribute's `=`, or empty if there is none.
    private mutating func readValue() -> String {
        guard place < count, bytes[place] == UInt8(ascii: "=") else { return "" }
        place += 1
        guard place < count else { return "" }
        let quote = bytes[place]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            let start = place
            while place < count, !isBlank(bytes[place]), bytes[place] != UInt8(ascii: ">") { place += 1 }
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

    private func starts(_ mark: String) -> Bool {
        bytes.withUnsafeBytes { strncmp($0.baseAddress! + place, mark, mark.utf8.count) == 0 }
    }

    /// Moves past the next `mark`, or to the end.
    ///
    /// - Returns: The range of what comes before it.
    private mutating func skip(past mark: String) -> Range<Int> {
        let start = place
        let first = Int32(mark.utf8.first!)
        while place < count {
            let (from, rest) = (place, count - place)
            place = bytes.withUnsafeBytes { bytes in
                let found = memchr(bytes.baseAddress! + from, first, rest)
                return found.map { UnsafeRawPointer($0) - bytes.baseAddress! } ?? from + rest
            }
            if place == count || starts(mark) { break }
            place += 1
        }
        defer { place = min(count, place + mark.utf8.count) }
        return start..<place
    }

    private mutating func text(until mark: String) -> String {
        let found = skip(past: mark)
        place = found.upperBound
        return decode(bytes[found])
    }

    private mutating func word() -> String {
        let start = place
        place += bytes.withUnsafeBytes { strcspn($0.baseAddress! + start, "=/> \t\n\u{B}\u{C}\r") }
        return String(decoding: bytes[start..<place], as: UTF8.self).lowercased()
    }

    private func isBlank(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
    private func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte & 0xDF) }

    /// Decodes character references: numeric ones, and the few named ones that we write.
    private func decode(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        let ampersand = Int32(UInt8(ascii: "&"))
        guard !bytes.isEmpty, bytes.withUnsafeBytes({ memchr($0.baseAddress!, ampersand, $0.count) }) != nil else {
            return text
        }
        var decoded = ""
        for (index, part) in text.split(separator: "&", omittingEmptySubsequences: false).enumerated() {
            let name = part.prefix { $0 != ";" }
            let digits = name.dropFirst(name.lowercased().hasPrefix("#x") ? 2 : 1)
            let number = UInt32(digits, radix: name.lowercased().hasPrefix("#x") ? 16 : 10)
            if index == 0 || name.endIndex == part.endIndex {
                decoded += (index == 0 ? "" : "&") + part
            } else if name.hasPrefix("#"), let scalar = number.flatMap(UnicodeScalar.init) {
                decoded += String(Character(scalar)) + part[name.endIndex...].dropFirst()
            } else if let meaning = Self.references[name] {
                decoded += meaning + part[name.endIndex...].dropFirst()
            } else {
                decoded += "&" + part
            }
        }
        return decoded
    }
}
