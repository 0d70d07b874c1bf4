/// Removes invisible white space, so that a template's lines can break where it reads well.
enum Whitespace {
    /// The bytes of a static text: no white space beside blocks' tags, no line break beside a template tag, and
    /// otherwise one line break in place of a run that contains one.
    static func tidy(_ runs: [Tokenizer.Run], isAfterTag: Bool, isBeforeTag: Bool) -> [UInt8] {
        var result: [UInt8] = []
        for (index, run) in runs.enumerated() {
            switch run {
            case .edge: break
            case .text(let bytes, isVerbatim: true): result += bytes
            case .text(let bytes, isVerbatim: false):
                var start: Beside = .text
                if index > 0, case .edge = runs[index - 1] {
                    start = .block
                } else if index == 0, isAfterTag {
                    start = .tag
                }
                var end: Beside = .text
                if index < runs.count - 1, case .edge = runs[index + 1] {
                    end = .block
                } else if index == runs.count - 1, isBeforeTag {
                    end = .tag
                }
                append(bytes, after: start, before: end, to: &result)
            }
        }
        return result
    }

    /// What adjoins a text.
    private enum Beside { case text, tag, block }

    private static func append(_ bytes: [UInt8], after start: Beside, before end: Beside, to result: inout [UInt8]) {
        var offset = 0
        while offset < bytes.count {
            guard bytes[offset].isSpace else {
                result.append(bytes[offset])
                offset += 1
                continue
            }
            let space = bytes[offset...].prefix(while: \.isSpace)
            let hasBreak = space.contains(.newline)
            let neighbors = [offset == 0 ? start : .text, space.endIndex == bytes.count ? end : .text]
            offset = space.endIndex
            if neighbors.contains(.block) || hasBreak && neighbors.contains(.tag) { continue }
            if hasBreak { result.append(.newline) } else { result += space }
        }
    }
}
