/// White space that a browser would ignore is not sent: a run with a line break in it becomes one line break.
enum Whitespace {
    /// The nodes with less white space; `isAfterBreak`: they are drawn right after a line break.
    static func tidy(_ nodes: [Node], isAfterBreak: Bool) -> [Node] {
        var isAfterBreak = isAfterBreak
        var result: [Node] = []
        for node in nodes {
            switch node {
            case .markup(_, isVerbatim: true):
                result.append(node)
                isAfterBreak = false
            case .markup(let bytes, isVerbatim: false):
                let tidied = tidy(bytes, isAfterBreak: &isAfterBreak)
                if !tidied.isEmpty { result.append(.markup(tidied, isVerbatim: false)) }
            case .choice(let choice):
                let after = isAfterBreak
                let tidied = choice.branches.map { (head: $0.head, body: tidy($0.body, isAfterBreak: after)) }
                result.append(.choice(Choice(subject: choice.subject, branches: tidied)))
                isAfterBreak =
                    (after || choice.isComplete)
                    && tidied.allSatisfy { endsInBreak($0.body, isAfterBreak: after) }
            case .loop(let head, let body, let empty):
                // A turn begins where the one before it ended.
                let after = isAfterBreak && endsInBreak(body, isAfterBreak: false)
                let turn = tidy(body, isAfterBreak: after)
                let none = tidy(empty, isAfterBreak: isAfterBreak)
                result.append(.loop(head, body: turn, empty: none))
                isAfterBreak = isAfterBreak && after && endsInBreak(none, isAfterBreak: true)
            case .value, .include, .yield, .message:
                result.append(node)
                isAfterBreak = false
            case .lineBreak:
                if !isAfterBreak { result.append(node) }
                isAfterBreak = true
            }
        }
        return result
    }

    /// The nodes of a body that stands within something else: without the white space at its ends, as the line breaks
    /// around it are drawn where it is put.
    static func trim(_ nodes: [Node]) -> [Node] {
        var nodes = tidy(nodes, isAfterBreak: true)
        while let last = nodes.last {
            switch last {
            case .lineBreak: nodes.removeLast()
            case .markup(let bytes, isVerbatim: false) where bytes.last?.isSpace == true:
                nodes.removeLast()
                let kept = bytes.count - bytes.reversed().prefix(while: \.isSpace).count
                if kept > 0 { nodes.append(.markup(Array(bytes[..<kept]), isVerbatim: false)) }
            default: return nodes
            }
        }
        return nodes
    }

    /// Whether what the nodes draw surely ends in a line break, drawn after one or not.
    private static func endsInBreak(_ nodes: [Node], isAfterBreak: Bool) -> Bool {
        for node in nodes.reversed() {
            switch node {
            case .markup(let bytes, isVerbatim: false):
                let tail = bytes.reversed().prefix(while: \.isSpace)
                if tail.contains(.newline) { return true }
                if tail.count < bytes.count { return false }
            case .choice(let choice):
                return choice.isComplete
                    && choice.branches.allSatisfy { endsInBreak($0.body, isAfterBreak: false) }
            case .lineBreak: return true
            case .markup, .value, .loop, .include, .yield, .message: return false
            }
        }
        return isAfterBreak
    }

    private static func tidy(_ bytes: [UInt8], isAfterBreak: inout Bool) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var offset = 0
        while offset < bytes.count {
            guard bytes[offset].isSpace else {
                result.append(bytes[offset])
                isAfterBreak = false
                offset += 1
                continue
            }
            let run = bytes[offset...].prefix(while: \.isSpace)
            offset = run.endIndex
            if isAfterBreak { continue }
            if run.contains(.newline) {
                result.append(.newline)
                isAfterBreak = true
            } else {
                result += run
            }
        }
        return result
    }
}
