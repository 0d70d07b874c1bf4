/// Follows the HTML of a template, piece by piece, as a browser's tokenizer would (HTML Standard, section 13.2.5), and
/// so knows the place of every value.
///
/// It is stricter than a browser: what a browser would repair, and what template tags would cut in two, is a problem.
struct Tokenizer {
    /// A run of static text; `isVerbatim` where its white space counts.
    struct Run {
        var bytes: [UInt8]
        var isVerbatim: Bool
    }

    var place = Place()
    private(set) var problems: [Problem] = []
    private let source: Source
    private let bytes: [UInt8]
    private var tag = StartTag()
    private var serial = 0

    /// What matters of the start tag being read, or of the last one.
    private struct StartTag {
        /// The `type` of a `<script>`, if it is static and unconditional.
        var type: String?
        var isTypeCertain = true
        var hasHTTPEquiv = false
        var values: [Int] = []
        var isJSONLD: Bool { isTypeCertain && type == "application/ld+json" }
    }

    private static let plainText: Set<String> = ["title", "textarea"]
    private static let rawText: Set<String> = ["script", "style", "xmp", "iframe", "noembed", "noframes"]
    /// Elements whose attributes decide what the page loads, where it leads or what runs.
    private static let refused: Set<String> = [
        "base", "object", "embed", "applet", "param", "animate", "animatemotion", "animatetransform", "set",
    ]

    init(_ source: Source) {
        self.source = source
        bytes = source.bytes
    }

    mutating func report(_ offset: Int, _ reason: String) {
        guard problems.count < Source.mostProblems else { return }
        problems.append(source.problem(at: offset, reason))
    }

    // MARK: Between static texts

    /// A value stands at `offset`: how it is written, or `nil` and a problem.
    mutating func value(at offset: Int) -> ValuePlace? {
        let refusal: String
        switch place.kind {
        case .text: return .text
        case .plainText: return .attribute
        case .rawText:
            if place.element == "script", tag.isJSONLD { return .json }
            refusal = "a value can't stand inside <\(place.element)>"
        case .tag: refusal = "a value can't be a tag or attribute name"
        case .beforeValue, .value(quote: 0):
            place.kind = .value(quote: 0)
            refusal = "an attribute with a value needs quotes"
        case .value:
            tag.values.append(offset)
            let name = place.attribute
            if Self.refused.contains(place.element) {
                refusal = "a value can't stand in <\(place.element)>"
            } else if name.hasPrefix("on") || name == "style" || name == "srcdoc" {
                refusal = "a value can't stand in the attribute \(name)"
            } else if place.element == "meta", name == "http-equiv" {
                refusal = "a value can't stand in <meta http-equiv>"
            } else {
                if name == "type" { tag.isTypeCertain = false }
                switch place.url.readValue(isList: URLPlace.lists.contains(name)) {
                case .success(let way): return way
                case .failure(let failure): refusal = failure.reason
                }
            }
        }
        report(offset, refusal)
        return nil
    }

    /// A template tag or comment stands at `offset`: what is begun must not be cut in two by it.
    mutating func boundary(at offset: Int, isLoop: Bool = false) {
        switch place.kind {
        case .beforeValue:
            report(offset, "an attribute with a value needs quotes")
            endValue()
        case .value(quote: 0): endValue()
        case .tag where isLoop: place.kind = .tag(isGlued: true)
        default: break
        }
        switch place.kind {
        case .tag, .beforeValue, .value: tag.isTypeCertain = false
        case .text, .plainText, .rawText: break
        }
    }

    // MARK: Static text

    /// Reads static text; gives it in runs.
    mutating func read(_ range: Range<Int>) -> [Run] {
        var runs: [Run] = []
        var offset = range.lowerBound
        while offset < range.upperBound {
            let start = offset
            let isVerbatim = place.isVerbatim
            var extra: [UInt8] = []
            step(&offset, upTo: range.upperBound, &extra)
            if let last = runs.indices.last, runs[last].isVerbatim == isVerbatim {
                runs[last].bytes += bytes[start..<offset]
            } else {
                runs.append(Run(bytes: Array(bytes[start..<offset]), isVerbatim: isVerbatim))
            }
            if !extra.isEmpty { runs.append(Run(bytes: extra, isVerbatim: true)) }
        }
        return runs
    }

    private mutating func step(_ offset: inout Int, upTo end: Int, _ extra: inout [UInt8]) {
        switch place.kind {
        case .text:
            offset = bytes[offset..<end].firstIndex(of: UInt8(ascii: "<")) ?? end
            if offset < end { markup(&offset, upTo: end) }
        case .plainText, .rawText: untilEndTag(&offset, upTo: end)
        case .tag(let isGlued): inTag(&offset, upTo: end, isGlued: isGlued, &extra)
        case .beforeValue: beforeValue(&offset, upTo: end)
        case .value(let quote): inValue(&offset, upTo: end, quote: quote)
        }
    }

    /// At `<`.
    private mutating func markup(_ offset: inout Int, upTo end: Int) {
        let start = offset
        offset += 1
        guard offset < end else { return cut(start) }
        switch bytes[offset] {
        case let byte where byte.isLetter:
            serial += 1
            tag = StartTag()
            let name = bytes[offset..<end].prefix { !$0.isSpace && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") }
            offset = name.endIndex
            place.element = name.lowercasedText
            place.tag = serial
            place.kind = .tag(isGlued: true)
            if name.contains(UInt8(ascii: "<")) { report(start, "a tag name has no <") }
        case UInt8(ascii: "/"):
            offset += 1
            guard offset < end else { return cut(start) }
            if bytes[offset].isLetter { endTag(from: start, &offset, upTo: end) } else { bogus(start, &offset, end) }
        case UInt8(ascii: "!"):
            if bytes.has("<!--", at: start), start + 4 <= end {
                offset = start + 4
                comment(from: start, &offset, upTo: end)
            } else {
                let word = bytes[offset + 1..<end].prefix(7)
                if word.lowercasedText != "doctype" { report(start, "only <!DOCTYPE and <!-- begin with <!") }
                bogus(start, &offset, end, isKnown: true)
            }
        case UInt8(ascii: "?"): bogus(start, &offset, end)
        default: break
        }
    }

    private mutating func cut(_ offset: Int) {
        report(offset, "a template tag can't stand within an HTML tag's name, an end tag, a comment or a doctype")
    }

    /// What browsers take for a comment up to the next `>`.
    private mutating func bogus(_ start: Int, _ offset: inout Int, _ end: Int, isKnown: Bool = false) {
        if !isKnown { report(start, "this is neither a tag nor a comment; write &lt; for the sign") }
        guard let close = bytes[offset..<end].firstIndex(of: UInt8(ascii: ">")) else {
            offset = end
            return cut(start)
        }
        offset = close + 1
    }

    private mutating func comment(from start: Int, _ offset: inout Int, upTo end: Int) {
        if bytes.has(">", at: offset), offset < end {
            offset += 1
        } else if bytes.has("->", at: offset), offset + 1 < end {
            offset += 2
        } else {
            let close = (offset..<end).first { bytes.has("-->", at: $0) || bytes.has("--!>", at: $0) }
            guard let close, let after = bytes[close..<end].firstIndex(of: UInt8(ascii: ">")) else {
                offset = end
                return report(start, "no value or template tag may stand in an HTML comment; write {# … #}")
            }
            offset = after + 1
        }
    }

    private mutating func endTag(from start: Int, _ offset: inout Int, upTo end: Int) {
        let name = bytes[offset..<end].prefix { !$0.isSpace && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") }
        offset = bytes[name.endIndex..<end].firstIndex { !$0.isSpace } ?? end
        guard offset < end else { return cut(start) }
        if bytes[offset] != UInt8(ascii: ">") {
            report(start, "an end tag has nothing but its name")
            offset = bytes[offset..<end].firstIndex(of: UInt8(ascii: ">")) ?? end - 1
        }
        offset += 1
        if place.kind == .text {
            switch name.lowercasedText {
            case "pre": place.preDepth = max(0, place.preDepth - 1)
            case "svg", "math": place.foreignDepth = max(0, place.foreignDepth - 1)
            default: break
            }
        }
        place = place.text
    }

    /// In an element that only its own end tag ends.
    private mutating func untilEndTag(_ offset: inout Int, upTo end: Int) {
        guard let open = bytes[offset..<end].firstIndex(of: UInt8(ascii: "<")) else {
            offset = end
            return
        }
        offset = open + 1
        let name = Array(place.element.utf8)
        let word = bytes[offset..<end].prefix(name.count + 1)
        let after = word.endIndex
        if word.map(\.lowercased) == [UInt8(ascii: "/")] + name {
            guard after < end else { return cut(open) }
            if bytes[after].isSpace || bytes[after] == UInt8(ascii: "/") || bytes[after] == UInt8(ascii: ">") {
                offset += 1
                return endTag(from: open, &offset, upTo: end)
            }
        } else if after == end, ([UInt8(ascii: "/")] + name).starts(with: word.map(\.lowercased)) {
            return cut(open)
        }
        if place.kind == .plainText, let next = word.first, next.isLetter || next == UInt8(ascii: "!") {
            report(open, "there are no tags inside <\(place.element)>; write &lt; for the sign")
        }
        if place.element == "script", bytes.has("!--", at: offset) {
            report(open, "<!-- inside <script> changes where the script ends")
        }
    }

    /// Between the attributes of a start tag.
    private mutating func inTag(_ offset: inout Int, upTo end: Int, isGlued: Bool, _ extra: inout [UInt8]) {
        let byte = bytes[offset]
        if byte.isSpace || byte == UInt8(ascii: "/") {
            offset += 1
            place.kind = .tag(isGlued: false)
            return
        }
        if byte == UInt8(ascii: ">") {
            offset += 1
            // A slash that is not part of an unquoted value.
            return startTagEnd(at: offset, isClosed: !isGlued && bytes[offset - 2] == UInt8(ascii: "/"), &extra)
        }
        if isGlued { report(offset, "a space is missing before this attribute") }
        let start = offset
        let name = bytes[start..<end].prefix {
            !$0.isSpace && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "=")
        }
        if name.isEmpty || name.contains(where: { "<\"'".utf8.contains($0) }) {
            report(start, "an attribute name can't have <, =, \" or '")
        }
        offset = max(name.endIndex, start + 1)
        place.kind = .tag(isGlued: true)
        if name.lowercasedText == "http-equiv" { tag.hasHTTPEquiv = true }
        let next = bytes[offset..<end].firstIndex { !$0.isSpace }
        guard let next, bytes[next] == UInt8(ascii: "=") else { return }
        offset = next + 1
        serial += 1
        place.value = serial
        place.attribute = name.lowercasedText
        place.kind = .beforeValue
    }

    private mutating func beforeValue(_ offset: inout Int, upTo end: Int) {
        let byte = bytes[offset]
        if byte.isSpace {
            offset += 1
            return
        }
        if byte == UInt8(ascii: ">") {
            report(offset, "the attribute \(place.attribute) has no value after its =")
            return endValue()
        }
        place.url =
            URLPlace.attributes.contains(place.attribute) || URLPlace.lists.contains(place.attribute)
            ? .start : .none
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
            offset += 1
            place.kind = .value(quote: byte)
        } else {
            place.kind = .value(quote: 0)
        }
        if place.element == "script", place.attribute == "type" {
            if tag.type != nil { tag.isTypeCertain = false }
            tag.type = ""
        }
    }

    private mutating func inValue(_ offset: inout Int, upTo end: Int, quote: UInt8) {
        let isList = URLPlace.lists.contains(place.attribute)
        let isType = place.element == "script" && place.attribute == "type"
        while offset < end {
            let byte = bytes[offset]
            if quote == 0 ? byte.isSpace || byte == UInt8(ascii: ">") : byte == quote {
                if quote != 0 { offset += 1 }
                return endValue()
            }
            if let reason = place.url.read(byte, isList: isList) { report(offset, reason) }
            if isType { tag.type?.unicodeScalars.append(Unicode.Scalar(byte.lowercased)) }
            offset += 1
        }
    }

    private mutating func endValue() {
        place.kind = .tag(isGlued: true)
        place.attribute = ""
        place.value = 0
        place.url = .none
    }

    /// After the `>` of a start tag.
    private mutating func startTagEnd(at offset: Int, isClosed: Bool, _ extra: inout [UInt8]) {
        let element = place.element
        if element == "meta", tag.hasHTTPEquiv {
            for value in tag.values { report(value, "a value can't stand in <meta http-equiv>") }
        }
        if element == "plaintext" { report(offset - 1, "<plaintext> never ends") }
        if place.foreignDepth > 0, element == "textarea" || Self.rawText.contains(element) {
            report(offset - 1, "browsers read <\(element)> in another way inside <svg> and <math>")
        }
        if Self.plainText.contains(element) {
            place.kind = .plainText
        } else if Self.rawText.contains(element) {
            place.kind = .rawText
        } else {
            place = place.text
            if element == "pre" { place.preDepth += 1 }
            if element == "svg" || element == "math", !isClosed { place.foreignDepth += 1 }
        }
        // A browser drops a line break right after these tags: one more keeps the one a value may begin with.
        if element == "pre" || element == "textarea", !bytes.has("\n", at: offset) { extra = [.newline] }
    }
}

extension Place {
    /// Whether white space counts here.
    var isVerbatim: Bool {
        switch kind {
        case .text: preDepth > 0
        case .tag, .beforeValue: false
        case .value, .plainText, .rawText: true
        }
    }
}
