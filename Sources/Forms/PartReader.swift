/// Parses `multipart/form-data` (RFC 7578, based on RFC 2046, 5.1).
///
/// `buffer` holds bytes only until they can be classified: at most a delimiter or the headers of one part.
struct PartReader: Sendable {
    private enum State {
        case preamble, delimiter, headers, content, epilogue
    }

    /// The most bytes in the headers of one part.
    private static let headerLimit = 8 * 1_024
    private static let headerEnd = BytePattern(Array("\r\n\r\n".utf8))

    private let delimiter: BytePattern
    private var state = State.preamble
    // The first delimiter has no line before it; this is its line end.
    private var buffer = Array("\r\n".utf8)
    /// The index in `buffer` of the first unread byte.
    private var start = 0
    /// How many bytes of `buffer` were already searched with an earlier piece.
    private var known = 0
    private var part: Part?

    private struct Part {
        let name: String
        /// Nil for a part that isn't a file.
        let filename: String?
        let contentType: String
        var content: [UInt8] = []
        /// Whether it is a file whose content is dropped.
        var isTooLarge = false
    }

    /// Nil if the boundary is invalid by RFC 2046: 1 to 70 of a small set of characters.
    init?(boundary: [UInt8]) {
        let allowed = Set("'()+_,-./:=? ".utf8)
        guard (1...70).contains(boundary.count), boundary.last != UInt8(ascii: " "),
            boundary.allSatisfy({ allowed.contains($0) || $0.isLetterOrDigit })
        else { return nil }
        delimiter = BytePattern(Array("\r\n--".utf8) + boundary)
    }

    mutating func feed(_ bytes: UnsafeRawBufferPointer, _ draft: inout FormDraft) throws(FormProblem) {
        known = buffer.count
        buffer.append(contentsOf: bytes)
        while try advance(&draft) {}
        buffer.removeFirst(start)
        start = 0
    }

    func finish() throws(FormProblem) {
        guard state == .epilogue else { throw .malformed }
    }

    /// Takes one step; false if more bytes are needed.
    private mutating func advance(_ draft: inout FormDraft) throws(FormProblem) -> Bool {
        switch state {
        case .preamble, .content:
            let found = delimiter.position(in: buffer, start..<buffer.count)
            let end = found ?? max(start, buffer.count - (delimiter.count - 1))
            try take(start..<end, &draft)
            start = end
            guard found != nil else { return false }
            try draft.spend(delimiter.count)
            start += delimiter.count
            close(&draft)
            state = .delimiter
            return true
        case .delimiter:
            while start < buffer.count, buffer[start] == UInt8(ascii: " ") || buffer[start] == UInt8(ascii: "\t") {
                try draft.spend(1)
                start += 1
            }
            guard start + 2 <= buffer.count else { return false }
            switch (buffer[start], buffer[start + 1]) {
            case (UInt8(ascii: "\r"), UInt8(ascii: "\n")): state = .headers
            case (UInt8(ascii: "-"), UInt8(ascii: "-")): state = .epilogue
            default: throw .malformed
            }
            try draft.spend(2)
            start += 2
            return true
        case .headers:
            let longest = start + Self.headerLimit + Self.headerEnd.count
            let unseen = max(start, known - (Self.headerEnd.count - 1))..<min(buffer.count, longest)
            guard let end = Self.headerEnd.position(in: buffer, unseen) else {
                guard buffer.count < longest else { throw .malformed }
                return false
            }
            try draft.spend(end + Self.headerEnd.count - start)
            part = try open(buffer[start..<end], &draft)
            start = end + Self.headerEnd.count
            state = .content
            return true
        case .epilogue:
            try draft.spend(buffer.count - start)
            start = buffer.count
            return false
        }
    }

    /// Adds content to the part, within the limits; bytes before the first part are dropped.
    private mutating func take(_ range: Range<Int>, _ draft: inout FormDraft) throws(FormProblem) {
        if part?.filename == nil {
            try draft.spend(range.count)
        } else {
            try draft.upload(range.count)
            if let size = part?.content.count, !draft.keeps(size + range.count) {
                part?.isTooLarge = true
                part?.content = []
            }
            if part?.isTooLarge == true { return }
        }
        part?.content.append(contentsOf: buffer[range])
    }

    private mutating func close(_ draft: inout FormDraft) {
        guard let part else { return }
        self.part = nil
        guard let filename = part.filename else { return draft.body.add(part.name, part.content) }
        // An empty file input sends an empty file without a name.
        guard !filename.isEmpty || !part.content.isEmpty || part.isTooLarge else { return }
        draft.keep(
            FormFile(
                name: part.name, filename: filename, contentType: part.contentType, bytes: part.content,
                isTooLarge: part.isTooLarge))
    }

    /// Parses a part's headers.
    private func open(_ headers: ArraySlice<UInt8>, _ draft: inout FormDraft) throws(FormProblem) -> Part {
        var disposition: HeaderValue?
        var contentType = "application/octet-stream"
        for line in Self.lines(headers) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                let value = HeaderValue(line[(colon + 1)...])
            else { throw .malformed }
            switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
            case "content-disposition" where disposition == nil: disposition = value
            case "content-disposition": throw .malformed
            case "content-type": contentType = value.value
            case "content-transfer-encoding" where !["7bit", "8bit", "binary"].contains(value.value): throw .malformed
            default: break
            }
        }
        guard let disposition, disposition.value == "form-data", let name = disposition["name"] else {
            throw .malformed
        }
        return Part(
            name: try draft.open(Self.unquoted(name)),
            filename: disposition["filename"].map { Self.filename(Self.unquoted($0)) }, contentType: contentType)
    }

    private static func lines(_ headers: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = headers.startIndex
        for index in headers.indices.dropLast()
        where headers[index] == UInt8(ascii: "\r") && headers[index + 1] == UInt8(ascii: "\n") {
            lines.append(headers[start..<index])
            start = index + 2
        }
        return lines + [headers[start...]]
    }

    /// Browsers escape `"` and line ends in a name as `%22`, `%0D` and `%0A`, and nothing else (HTML, "multipart form
    /// data").
    private static func unquoted(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            switch byte == UInt8(ascii: "%") ? String(decoding: rest.prefix(2), as: UTF8.self).uppercased() : "" {
            case "22": text.append(UInt8(ascii: "\""))
            case "0D": text.append(UInt8(ascii: "\r"))
            case "0A": text.append(UInt8(ascii: "\n"))
            default:
                text.append(byte)
                continue
            }
            rest = rest.dropFirst(2)
        }
        return text
    }

    private static func filename(_ bytes: [UInt8]) -> String {
        let text = CleanText(String(decoding: bytes, as: UTF8.self), keepsLines: false).text
        // By code points: a separator and a combining mark after it are one character.
        let last = text.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last
        return String(last.map { String($0) }?.prefix(255) ?? "")
    }
}

/// A parsed header like `form-data; name="title"; filename="a.png"`.
struct HeaderValue {
    /// The part before the first `;`, in lowercase.
    let value: String
    private var parameters: [String: [UInt8]] = [:]

    /// Nil if it is malformed or repeats a parameter.
    init?(_ header: some Collection<UInt8>) {
        var rest = Array(header)[...]
        value = String(decoding: Self.token(&rest, until: UInt8(ascii: ";")), as: UTF8.self).lowercased()
        while rest.popFirst() != nil {
            let name = Self.token(&rest, until: UInt8(ascii: "="), UInt8(ascii: ";"))
            if name.isEmpty, rest.first != UInt8(ascii: "=") { continue }  // "a; ; b" and "a;"
            guard rest.popFirst() == UInt8(ascii: "="), let argument = Self.argument(&rest) else { return nil }
            let key = String(decoding: name, as: UTF8.self).lowercased()
            guard parameters.updateValue(argument, forKey: key) == nil else { return nil }
        }
    }

    subscript(_ name: String) -> [UInt8]? { parameters[name] }

    /// The bytes before the next of `ends`, without surrounding blanks.
    private static func token(_ rest: inout ArraySlice<UInt8>, until ends: UInt8...) -> ArraySlice<UInt8> {
        let end = rest.firstIndex { ends.contains($0) } ?? rest.endIndex
        defer { rest = rest[end...] }
        return trimmed(rest[..<end])
    }

    /// A token, or a quoted string up to the last quote before a `;` or the end: browsers don't escape backslashes, and
    /// other programs write `\"` for a quote.
    private static func argument(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        rest = rest.drop { isBlank($0) }
        guard rest.first == UInt8(ascii: "\"") else { return Array(token(&rest, until: UInt8(ascii: ";"))) }
        var text: [UInt8] = []
        rest = rest.dropFirst()
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\"") else {
                text.append(byte)
                continue
            }
            let after = rest.drop { isBlank($0) }
            if after.isEmpty || after.first == UInt8(ascii: ";") {
                rest = after
                return text
            }
            guard text.last == UInt8(ascii: "\\") else { return nil }
            text[text.count - 1] = byte
        }
        return nil
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? bytes.startIndex
        return bytes[..<end].drop { isBlank($0) }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}

/// A search for a sequence of bytes that skips most of the text (R. N. Horspool, "Practical fast searching in strings",
/// 1980).
struct BytePattern: Sendable {
    private let bytes: [UInt8]
    /// For each byte under the pattern's end, how far the pattern can move.
    private let steps: [Int]

    /// - Parameter bytes: At least one byte.
    init(_ bytes: [UInt8]) {
        var steps = Array(repeating: bytes.count, count: 256)
        for (index, byte) in bytes.dropLast().enumerated() { steps[Int(byte)] = bytes.count - 1 - index }
        self.bytes = bytes
        self.steps = steps
    }

    var count: Int { bytes.count }

    /// The first position of the pattern in `range` of `text`.
    func position(in text: [UInt8], _ range: Range<Int>) -> Int? {
        text.withUnsafeBufferPointer { text in
            var start = range.lowerBound
            while start + count <= range.upperBound {
                let last = text[start + count - 1]
                if last == bytes[count - 1], text[start..<start + count].elementsEqual(bytes) { return start }
                start += steps[Int(last)]
            }
            return nil
        }
    }
}
