/// A piece of a template, as offsets in its source.
struct Token {
    enum Kind: Equatable {
        case text, value, tag, comment
    }

    let kind: Kind
    /// The whole token, with its brackets.
    var range: Range<Int>
    /// The text inside the brackets, without surrounding blanks.
    var inner: Range<Int>
}

/// Splits a template into static text, `{{ values }}`, `{% tags %}` and `{# comments #}`.
struct Lexer {
    private let source: Source
    private let bytes: [UInt8]
    private(set) var problems: [Problem] = []

    init(_ source: Source) {
        self.source = source
        bytes = source.bytes
    }

    /// The tokens in order.
    mutating func tokens() -> [Token] {
        var tokens: [Token] = []
        var offset = 0
        var textStart = 0
        while offset < bytes.count, problems.count < Source.mostProblems {
            guard bytes[offset] == UInt8(ascii: "{"), offset + 1 < bytes.count,
                let kind = Self.kind(of: bytes[offset + 1])
            else {
                offset += 1
                continue
            }
            if textStart < offset { tokens.append(Token(kind: .text, range: textStart..<offset, inner: 0..<0)) }
            guard let end = end(of: kind, from: offset) else {
                // The text after an unclosed tag would be misread.
                textStart = bytes.count
                break
            }
            tokens.append(Token(kind: kind, range: offset..<end, inner: trim(offset + 2..<end - 2)))
            offset = end
            textStart = end
        }
        if textStart < bytes.count { tokens.append(Token(kind: .text, range: textStart..<bytes.count, inner: 0..<0)) }
        return tokens
    }

    private static func kind(of byte: UInt8) -> Token.Kind? {
        switch byte {
        case UInt8(ascii: "{"): .value
        case UInt8(ascii: "%"): .tag
        case UInt8(ascii: "#"): .comment
        default: nil
        }
    }

    /// The end of the token that begins at `start`, or `nil` if it isn't closed.
    private mutating func end(of kind: Token.Kind, from start: Int) -> Int? {
        let closing: UInt8 =
            switch kind {
            case .value: UInt8(ascii: "}")
            case .tag: UInt8(ascii: "%")
            default: UInt8(ascii: "#")
            }
        let bytes = bytes
        func closes(_ offset: Int) -> Bool {
            offset + 1 < bytes.count && bytes[offset] == closing && bytes[offset + 1] == UInt8(ascii: "}")
        }
        func firstClose() -> Int? { (start + 2..<max(start + 2, bytes.count)).first(where: closes).map { $0 + 2 } }

        if kind == .comment {
            if let end = firstClose() { return end }
        } else {
            do throws(SwiftScanner.Failure) {
                if let end = try SwiftScanner(bytes).firstOffset(from: start + 2, stop: closes) { return end + 2 }
            } catch {
                if let end = firstClose() {
                    report(error)
                    return end
                }
            }
        }
        let opening = source.text(start..<start + 2)
        let ending = String(decoding: [closing], as: UTF8.self) + "}"
        problems.append(source.problem(at: start, "\(opening) is never closed with \(ending)"))
        return nil
    }

    private mutating func report(_ failure: SwiftScanner.Failure) {
        problems.append(source.problem(failure))
    }

    private func trim(_ range: Range<Int>) -> Range<Int> {
        guard let first = bytes[range].firstIndex(where: { !$0.isSpace }),
            let last = bytes[range].lastIndex(where: { !$0.isSpace })
        else { return range.lowerBound..<range.lowerBound }
        return first..<last + 1
    }
}

extension Source {
    func problem(_ failure: SwiftScanner.Failure) -> Problem {
        switch failure {
        case .unbalanced(let offset): problem(at: offset, "this bracket has no partner")
        case .unclosedString(let offset): problem(at: offset, "this string is not closed")
        case .comment(let offset): problem(at: offset, "a Swift comment can't stand in a template; write {# … #}")
        }
    }
}
