/// Follows a template's HTML, piece by piece, as a browser's tokenizer would (HTML Standard, section 13.2.5), and so
/// knows the place of every value.
///
/// It is stricter than a browser: HTML that a browser would repair, or that template tags would cut in two, is a
/// problem.
struct Tokenizer {
    /// A run of static text.
    enum Run {
        /// Text; `isVerbatim` says whether its white space matters.
        case text([UInt8], isVerbatim: Bool)
        /// The start or end of a block's tag, beside which white space is invisible.
        case edge
    }

    var place = Place()
    /// Whether the current text is in a message, whose tags a translation may reorder.
    var isInMessage = false
    private(set) var problems: [Problem] = []
    private let source: Source
    private let bytes: [UInt8]
    private var tag = StartTag()
    private var serial = 0
    /// Whether the current tag is a block's.
    private var isBlock = false

    /// What matters about the current or last start tag.
    private struct StartTag {
        /// The `type` of a `<script>`, if it is static and unconditional.
        var type: String?
        var isTypeCertain = true
        var hasHTTPEquiv = false
        /// Where its attributes contain values and messages, which are refused if it turns out to be `<meta
        /// http-equiv>`.
        var values: [(offset: Int, what: String)] = []
        var isJSONLD: Bool { isTypeCertain && type == "application/ld+json" }
    }

    init(_ source: Source) {
        self.source = source
        bytes = source.bytes
    }

    mutating func report(_ offset: Int, _ reason: String) {
        guard problems.count < Source.mostProblems else { return }
        problems.append(source.problem(at: offset, reason))
    }

    // MARK: Between static texts

    /// The way to write the value at `offset`; reports a problem and returns `nil` if no value is allowed there.
    mutating func value(at offset: Int) -> ValuePlace? {
        let refusal: String
        switch place.kind {
        // Markup from elsewhere could contain a tag that isn't allowed in the <svg> or <select>.
        case .text: return place.content == .page ? .text : .attribute
        case .plainText: return .attribute
        case .rawText:
            if place.element == "script", tag.isJSONLD { return .json }
            if place.element == "style" { return .styleSheet }
            refusal = "a value can't stand inside <\(place.element)>"
        case .tag: refusal = "a value can't be a tag or attribute name"
        case .beforeValue, .value(quote: 0):
            place.kind = .value(quote: 0)
            refusal = "an attribute with a value needs quotes"
        case .value:
            let name = place.attribute
            if let reason = refusalInAttribute(of: "a value", at: offset) {
                refusal = reason
            } else {
                if name == "type" { tag.isTypeCertain = false }
                switch place.url.readValue(isList: URLPlace.lists.contains(name)) {
                // Anything loaded here runs in the page, or looks like a part of it.
                case .success(.url) where name == "src" && (place.element == "script" || place.element == "iframe"):
                    return .link
                case .success(let way): return way
                case .failure(let failure): refusal = failure.reason
                }
            }
        }
        report(offset, refusal)
        return nil
    }

    /// Begins a message at `offset`. Returns whether it is written as in an attribute; reports a problem if no message
    /// is allowed there.
    mutating func message(at offset: Int) -> Bool {
        switch place.kind {
        case .text: return false
        case .plainText: return true
        case .value where place.url == .none:
            if let refusal = refusalInAttribute(of: "a message", at: offset) { report(offset, refusal) }
            return true
        default:
            report(offset, "a message can't stand in \(place.words)")
            return false
        }
    }

    private mutating func refusalInAttribute(of what: String, at offset: Int) -> String? {
        tag.values.append((offset, what))
        return Elements.refusal(of: place.attribute, in: place.element).map { "\(what) can't stand in \($0)" }
    }

    /// Checks at a template tag or comment that it doesn't cut anything in two.
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

    /// Reads static text and returns it in runs.
    mutating func read(_ range: Range<Int>) -> [Run] {
        var runs: [Run] = []
        var offset = range.lowerBound
        while offset < range.upperBound {
            let start = offset
            let before = place
            var extra: [UInt8] = []
            step(&offset, upTo: range.upperBound, &extra)
            switch before.kind {
            case .tag where bytes[start].isSpace:
                // Attributes may be on lines of their own.
                let isLast = offset < range.upperBound && bytes[offset] == UInt8(ascii: ">")
                if !isLast { add([UInt8(ascii: " ")], in: before, to: &runs) }
            case .text:
                let tag = bytes[start..<offset].firstIndex(of: UInt8(ascii: "<")) ?? offset
                add(bytes[start..<tag], in: before, to: &runs)
                if isBlock { runs.append(.edge) }
                add(bytes[tag..<offset], in: before, to: &runs)
            default: add(bytes[start..<offset], in: before, to: &runs)
            }
            if isBlock, place.isOutsideTags {
                runs.append(.edge)
                isBlock = false
            }
            if !extra.isEmpty { runs.append(.text(extra, isVerbatim: true)) }
        }
        return runs
    }

    private func add(_ bytes: some Collection<UInt8>, in place: Place, to runs: inout [Run]) {
        if bytes.isEmpty { return }
        if case .text(let last, place.isVerbatim) = runs.last {
            runs[runs.count - 1] = .text(last + bytes, isVerbatim: place.isVerbatim)
        } else {
            runs.append(.text(Array(bytes), isVerbatim: place.isVerbatim))
        }
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

    /// Reads at `<`.
    private mutating func markup(_ offset: inout Int, upTo end: Int) {
        let start = offset
        offset += 1
        guard offset < end else { return cut(start) }
        isBlock = false
        switch bytes[offset] {
        case let byte where byte.isLetter:
            serial += 1
            tag = StartTag()
            let name = bytes[offset..<end].prefix { !$0.isSpace && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") }
            offset = name.endIndex
            place.element = name.lowercasedText
            place.tag = serial
            place.kind = .tag(isGlued: true)
            isBlock = place.content.element != "svg" && Elements.blocks.contains(place.element)
            if name.contains(UInt8(ascii: "<")) { report(start, "a tag name has no <") }
            if let reason = refusal(of: place.element, at: place.content) { report(start, reason) }
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

    /// Why the element isn't allowed here.
    private func refusal(of element: String, at content: Place.Content) -> String? {
        if let reason = Elements.refused[element] { return reason }
        let isRead = Elements.plainText.contains(element) || Elements.rawText.contains(element)
        if isInMessage, isRead || element == "svg" || element == "select" {
            return "<\(element)> can't stand in a message: a translation may order its tags otherwise"
        }
        switch content {
        case .page: return nil
        case .svg where Elements.svg.contains(element), .select where Elements.select.contains(element): return nil
        case .svg, .select: return "browsers read <\(element)> in another way inside <\(content.element ?? "")>"
        }
    }

    private mutating func cut(_ offset: Int) {
        report(offset, "a template tag can't stand within an HTML tag's name, an end tag, a comment or a doctype")
    }

    /// Reads what browsers treat as a comment up to the next `>`.
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
        if place.kind == .text { close(name.lowercasedText, at: start) }
        place = place.text
        isBlock = place.content.element != "svg" && Elements.blocks.contains(name.lowercasedText)
    }

    /// Closes an element after an end tag in text.
    private mutating func close(_ element: String, at offset: Int) {
        switch (element, place.content) {
        case ("svg", .svg(let depth)): place.content = depth > 1 ? .svg(depth: depth - 1) : .page
        case ("select", .select): place.content = .page
        case ("svg", _), ("select", _): report(offset, "there is no <\(element)> here that this could close")
        case ("pre", .page): place.preDepth = max(0, place.preDepth - 1)
        default:
            if let reason = refusal(of: element, at: place.content) { report(offset, reason) }
        }
    }

    /// Reads inside an element that only its own end tag ends.
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
        // The <title> of an <svg> may contain tags, and browsers recognize end tags in it.
        let opensTag: (UInt8) -> Bool = { [content = place.content] in
            $0.isLetter || $0 == UInt8(ascii: "!") || $0 == UInt8(ascii: "/") && content != .page
        }
        if place.kind == .plainText, let next = word.first, opensTag(next) {
            report(open, "there are no tags inside <\(place.element)>; write &lt; for the sign")
        }
        if place.element == "script", bytes.has("!", at: offset) {
            report(open, "<! inside <script> can change where the script ends")
        }
    }

    /// Reads between the attributes of a start tag.
    private mutating func inTag(_ offset: inout Int, upTo end: Int, isGlued: Bool, _ extra: inout [UInt8]) {
        let byte = bytes[offset]
        if byte.isSpace {
            offset = bytes[offset..<end].firstIndex { !$0.isSpace } ?? end
            place.kind = .tag(isGlued: false)
            return
        }
        if byte == UInt8(ascii: "/") {
            offset += 1
            place.kind = .tag(isGlued: false)
            return
        }
        if byte == UInt8(ascii: ">") {
            offset += 1
            // The slash isn't part of an unquoted value.
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

    /// Continues after the `>` of a start tag.
    private mutating func startTagEnd(at offset: Int, isClosed: Bool, _ extra: inout [UInt8]) {
        let element = place.element
        if element == "meta", tag.hasHTTPEquiv {
            for value in tag.values { report(value.offset, "\(value.what) can't stand in <meta http-equiv>") }
        }
        if Elements.plainText.contains(element) {
            if isClosed, place.content != .page { report(offset - 1, "<\(element)> needs its end tag") }
            place.kind = .plainText
        } else if Elements.rawText.contains(element), place.content == .page {
            place.kind = .rawText
        } else {
            place = place.text
            switch (element, place.content) {
            case ("pre", .page): place.preDepth += 1
            case ("svg", .svg(let depth)) where !isClosed: place.content = .svg(depth: depth + 1)
            case ("svg", .page) where !isClosed: place.content = .svg(depth: 1)
            case ("select", .page): place.content = .select
            default: break
            }
        }
        // Browsers drop a line break right after these tags, so add another to keep one that a value may begin with.
        if element == "pre" || element == "textarea", !bytes.has("\n", at: offset) { extra = [.newline] }
    }
}

extension Place {
    /// Whether the place isn't inside a tag.
    var isOutsideTags: Bool {
        switch kind {
        case .text, .plainText, .rawText: true
        case .tag, .beforeValue, .value: false
        }
    }

    /// Whether white space matters here.
    var isVerbatim: Bool {
        switch kind {
        case .text: preDepth > 0
        case .tag, .beforeValue: false
        case .value, .plainText, .rawText: true
        }
    }
}
