/// Parses one template: its tags become nodes, while the tokenizer follows the HTML between them.
struct Parser {
    /// Nesting tags deeper than this is an error.
    static let deepest = 50

    private let source: Source
    private var template: Template
    private var html: Tokenizer
    private var problems: [Problem] = []
    private var blocks: [Block] = []
    private var hasOutput = false

    /// An open tag that needs an `{% end %}`.
    private struct Block {
        enum Kind {
            case file, choice, selection, loop
            case slot(String)
            case message
        }

        let kind: Kind
        let offset: Int
        /// The place in the HTML where it began.
        let start: Place
        /// The subject of a `switch`.
        var subject: Code?
        /// The condition or pattern of the current body, or the sequence of a loop.
        var head: Code?
        /// The current body.
        var body: [Node] = []
        /// The bodies before it, with the place where each ended.
        var branches: [(head: Code?, body: [Node])] = []
        var ends: [Place] = []
        var isInLast = false
        var message: TemplateMessage?
        /// The pieces of the current message.
        var pieces: [TemplateMessage.Piece] = []
    }

    /// The template and all of its problems, ordered by line.
    static func parse(name: String, source: Source) -> (template: Template, problems: [Problem]) {
        let template = Template(name: name, source: source)
        let problems = source.problems()
        guard problems.isEmpty else { return (template, problems) }
        var parser = Parser(template)
        parser.parse()
        let all = Set(parser.problems + parser.html.problems).sorted {
            ($0.position, $0.reason) < ($1.position, $1.reason)
        }
        return (parser.template, Array(all.prefix(Source.mostProblems)))
    }

    private init(_ template: Template) {
        source = template.source
        self.template = template
        html = Tokenizer(source)
    }

    private mutating func report(_ offset: Int, _ reason: String) {
        guard problems.count < Source.mostProblems else { return }
        problems.append(source.problem(at: offset, reason))
    }

    private mutating func parse() {
        var lexer = Lexer(source)
        let tokens = lexer.tokens()
        problems = lexer.problems
        blocks = [Block(kind: .file, offset: 0, start: Place())]
        let first = tokens.first { token in
            switch token.kind {
            case .comment: false
            case .text: !isBlank(token.range)
            case .value, .tag: true
            }
        }
        if first?.kind != .tag || first.map({ word(in: $0.inner).text }) != "template" {
            report(first?.range.lowerBound ?? 0, "a template begins with {% template (…) %}")
        }
        for (index, token) in tokens.enumerated() {
            switch token.kind {
            case .text:
                let isAfterTag = index == 0 || tokens[index - 1].kind != .value
                let isBeforeTag = index == tokens.count - 1 || tokens[index + 1].kind != .value
                text(token.range, isAfterTag: isAfterTag, isBeforeTag: isBeforeTag)
            case .value: value(token)
            case .comment: html.boundary(at: token.range.lowerBound)
            case .tag: tag(token)
            }
        }
        while blocks.count > 1 {
            report(blocks[blocks.count - 1].offset, "this tag has no {% end %}")
            blocks.removeLast()
        }
        if html.place.kind != .text || html.place.content != .page, problems.isEmpty, html.problems.isEmpty {
            report(source.bytes.count, "the template ends inside \(html.place.words)")
        }
        template.body = blocks[0].body
        if template.isLayout, !template.yields.contains("") {
            report(0, "a layout draws the page in it with {% yield %}")
        }
    }

    private func isBlank(_ range: Range<Int>) -> Bool { source.bytes[range].allSatisfy(\.isSpace) }

    private mutating func add(_ node: Node) {
        blocks[blocks.count - 1].body.append(node)
        hasOutput = true
    }

    // MARK: Text and values

    /// Adds static text. `isAfterTag` and `isBeforeTag` say whether it adjoins a template tag, a comment or an end of
    /// the file.
    private mutating func text(_ range: Range<Int>, isAfterTag: Bool, isBeforeTag: Bool) {
        let runs = html.read(range)
        if let message = blocks[blocks.count - 1].message {
            checkBraces(range, of: message)
            blocks[blocks.count - 1].pieces.append(.text(source.text(range)))
            return
        }
        if !isBlank(range) { hasOutput = true }
        let bytes = Whitespace.tidy(runs, isAfterTag: isAfterTag, isBeforeTag: isBeforeTag)
        if !bytes.isEmpty { blocks[blocks.count - 1].body.append(.markup(bytes)) }
    }

    /// In a message, `{name}` is a placeholder for a script to fill in; any other brace would be confusing.
    private mutating func checkBraces(_ range: Range<Int>, of message: TemplateMessage) {
        var offset = range.lowerBound
        while let brace = source.bytes[offset..<range.upperBound].firstIndex(where: { "{}".utf8.contains($0) }) {
            let name = source.bytes[brace + 1..<range.upperBound].prefix(while: \.isNamePart)
            let isPlaceholder =
                source.bytes[brace] == UInt8(ascii: "{") && !name.isEmpty
                && name.endIndex < range.upperBound && source.bytes[name.endIndex] == UInt8(ascii: "}")
            if !isPlaceholder {
                report(brace, "a brace in a message can only be part of a placeholder: {name}")
            } else if message.arguments.contains(where: { $0.name == String(decoding: name, as: UTF8.self) }) {
                report(brace, "an argument of {% t %} is written in two braces")
            }
            offset = isPlaceholder ? name.endIndex + 1 : brace + 1
        }
    }

    private mutating func value(_ token: Token) {
        let place = html.value(at: token.range.lowerBound)
        guard !token.inner.isEmpty else { return report(token.range.lowerBound, "this value is empty") }
        let code = code(token.inner)
        if let message = blocks[blocks.count - 1].message {
            guard message.arguments.contains(where: { $0.name == code.text }) else {
                return report(token.inner.lowerBound, "only the arguments of {% t %} can stand in it, by name")
            }
            let known = (blocks[blocks.count - 1].pieces + (message.singular)).lazy.compactMap { piece in
                if case .placeholder(code.text, let place) = piece { place } else { nil }
            }
            guard let place else { return }
            if let other = known.first, other != place {
                return report(token.range.lowerBound, "one placeholder can't stand in two kinds of place")
            }
            blocks[blocks.count - 1].pieces.append(.placeholder(code.text, place))
        } else if let place {
            add(.value(code, place))
        }
    }

    private mutating func code(_ range: Range<Int>) -> Code {
        let bytes = source.bytes[range]
        guard let first = bytes.firstIndex(where: { !$0.isSpace }),
            let last = bytes.lastIndex(where: { !$0.isSpace })
        else { return Code(text: "", position: source.position(of: range.lowerBound)) }
        if let taken = bytes.indices.first(where: {
            source.bytes.has("__", at: $0) && !($0 > 0 && source.bytes[$0 - 1].isNamePart)
        }) {
            report(taken, "names that begin with __ belong to the engine")
        }
        return Code(text: source.text(first..<last + 1), position: source.position(of: first))
    }

    // MARK: Tags

    /// The name at the start of `range`, and what comes after it.
    private func word(in range: Range<Int>) -> (text: String, rest: Range<Int>) {
        let name = source.bytes[range].prefix(while: \.isNamePart)
        let rest = source.bytes[name.endIndex..<range.upperBound].firstIndex { !$0.isSpace } ?? range.upperBound
        return (source.text(name.startIndex..<name.endIndex), rest..<range.upperBound)
    }

    private mutating func tag(_ token: Token) {
        let offset = token.range.lowerBound
        let (name, rest) = word(in: token.inner)
        html.boundary(at: offset, isLoop: name == "for")
        if case .message = blocks[blocks.count - 1].kind, name != "end", name != "plural" {
            return report(offset, "no tag but {% plural %} can stand in {% t %}")
        }
        switch name {
        case "template": templateTag(offset, rest)
        case "layout": layoutTag(offset, rest)
        case "slot": slotTag(offset, rest)
        case "yield": yieldTag(offset, rest)
        case "include":
            guard isInText(offset, "an include") else { return }
            if let call = call(offset, rest) { add(.include(call)) }
        case "if":
            if rest.isEmpty { report(offset, "if needs a condition") }
            open(.choice, offset, head: code(rest))
        case "else": elseTag(offset, rest)
        case "switch":
            if rest.isEmpty { report(offset, "switch needs a value") }
            open(.selection, offset, subject: code(rest))
        case "case": caseTag(offset, rest)
        case "for":
            let hasIn = try? SwiftScanner(source.bytes, upTo: rest.upperBound).firstOffset(
                from: rest.lowerBound, stop: { isWord("in", at: $0, within: rest) })
            if hasIn == .some(nil) || rest.isEmpty { report(offset, "for needs a pattern, in and a sequence") }
            open(.loop, offset, head: code(rest))
        case "empty": emptyTag(offset, rest)
        case "t": messageTag(offset, rest)
        case "plural": pluralTag(offset, rest)
        case "end":
            if !rest.isEmpty { report(rest.lowerBound, "end takes nothing") }
            end(offset)
        case "endif", "endfor", "elseif", "elif":
            report(offset, "there is no \(name); write {% \(name.hasPrefix("end") ? "end" : "else if …") %}")
        default:
            let known = "template layout slot yield include if else switch case for empty t plural end"
            report(offset, name.isEmpty ? "this tag has no name" : "there is no tag \(name), only: \(known)")
        }
    }

    private func isWord(_ word: StaticString, at offset: Int, within range: Range<Int>) -> Bool {
        let end = offset + word.utf8CodeUnitCount
        return end < range.upperBound && source.bytes.has(word, at: offset) && source.bytes[end].isSpace
            && offset > range.lowerBound && source.bytes[offset - 1].isSpace
    }

    private mutating func isInText(_ offset: Int, _ what: String) -> Bool {
        if html.place.kind == .text, html.place.content == .page { return true }
        report(offset, "\(what) can't stand in \(html.place.words)")
        return false
    }

    private mutating func templateTag(_ offset: Int, _ rest: Range<Int>) {
        guard !hasOutput, template.parameters.position == Position(), blocks.count == 1 else {
            return report(offset, "{% template %} stands once, at the very start")
        }
        guard let (parameters, after) = parenthesised(rest) else {
            return report(offset, "template needs its parameters: {% template (name: Type) %}")
        }
        template.parameters = code(parameters)
        for part in parts(parameters) {
            let label = source.bytes[part].prefix { $0 != UInt8(ascii: ":") }
            guard label.endIndex < part.upperBound else {
                report(part.lowerBound, "a parameter is written name: Type")
                continue
            }
            let names = label.split(whereSeparator: \.isSpace).map { String(decoding: $0, as: UTF8.self) }
            if names.contains("frame") { report(part.lowerBound, "the name frame belongs to the engine") }
            template.names.append(names.last ?? "")
        }
        guard !after.isEmpty else { return }
        let (word, rest) = word(in: after)
        switch word {
        case "in" where !rest.isEmpty:
            // `in some PageFrame kept (…)`
            let mark = rest.first { hasKept(at: $0, within: rest) } ?? rest.upperBound
            template.frame = code(rest.lowerBound..<mark).text
            let (word, more) = self.word(in: mark..<rest.upperBound)
            if !word.isEmpty { template.kept = kept(mark, more) }
        case "kept": template.kept = kept(after.lowerBound, rest)
        default: report(after.lowerBound, "only in and a frame type, or kept may follow")
        }
    }

    /// Whether the word `kept` begins there, behind a type.
    private func hasKept(at offset: Int, within range: Range<Int>) -> Bool {
        let end = offset + 4
        return offset > range.lowerBound && end <= range.upperBound && source.bytes.has("kept", at: offset)
            && source.bytes[offset - 1].isSpace && (end == range.upperBound || source.bytes[end].isSpace)
    }

    /// Parses what follows `kept`: `(standing: event.standing(at: frame.now)) where !event.isHidden`.
    private mutating func kept(_ offset: Int, _ rest: Range<Int>) -> Kept {
        if !template.isPartial { report(offset, "only a partial can be kept") }
        let (values, after) = parenthesised(rest) ?? (rest.lowerBound..<rest.lowerBound, rest)
        let (word, condition) = word(in: after)
        if !after.isEmpty, word != "where" || condition.isEmpty {
            report(after.lowerBound, "kept is followed by (name: value) and where")
        }
        return Kept(
            values: parts(values).compactMap { argument($0, of: "kept") },
            condition: condition.isEmpty ? nil : code(condition))
    }

    /// Parses `name: value`.
    private mutating func argument(_ part: Range<Int>, of tag: String) -> (name: String, code: Code)? {
        let (name, after) = word(in: part)
        guard !name.isEmpty, source.bytes.has(":", at: after.lowerBound), after.count > 1 else {
            report(part.lowerBound, "an argument of \(tag) is written name: value")
            return nil
        }
        return (name, code(after.dropFirst()))
    }

    private mutating func layoutTag(_ offset: Int, _ rest: Range<Int>) {
        if template.isPartial { return report(offset, "a partial has no layout") }
        if template.layout != nil || hasOutput || blocks.count > 1 {
            return report(offset, "{% layout %} stands once, right after {% template %}")
        }
        guard let call = call(offset, rest) else { return }
        template.layout = Call(name: "layouts/" + call.name, position: call.position, arguments: call.arguments)
    }

    private mutating func slotTag(_ offset: Int, _ rest: Range<Int>) {
        let (name, after) = word(in: rest)
        if name.isEmpty || !after.isEmpty { report(offset, "a slot has one name: {% slot head %}") }
        if template.layout == nil { report(offset, "there is no {% layout %} whose slot this could fill") }
        if blocks.count > 1 { report(offset, "a slot can't stand inside another tag") }
        if template.slots.contains(where: { $0.name == name }) { report(offset, "the slot \(name) is filled twice") }
        _ = isInText(offset, "a slot")
        open(.slot(name), offset)
    }

    private mutating func yieldTag(_ offset: Int, _ rest: Range<Int>) {
        let (name, after) = word(in: rest)
        if !after.isEmpty || (name.isEmpty && !rest.isEmpty) { report(offset, "yield takes the name of one slot") }
        if !template.isLayout { report(offset, "only a layout (Templates/layouts/…) can yield") }
        guard isInText(offset, "a slot") else { return }
        if !template.yields.contains(name) { template.yields.append(name) }
        add(.yield(name))
    }

    private mutating func elseTag(_ offset: Int, _ rest: Range<Int>) {
        guard case .choice = blocks[blocks.count - 1].kind, !blocks[blocks.count - 1].isInLast else {
            return report(offset, "there is no if for this else")
        }
        closeBranch(offset)
        if rest.isEmpty {
            blocks[blocks.count - 1].isInLast = true
            blocks[blocks.count - 1].head = nil
        } else {
            let (word, condition) = word(in: rest)
            if word != "if" || condition.isEmpty { report(rest.lowerBound, "only if and a condition can follow else") }
            blocks[blocks.count - 1].head = code(condition)
        }
    }

    private mutating func caseTag(_ offset: Int, _ rest: Range<Int>) {
        guard case .selection = blocks[blocks.count - 1].kind else {
            return report(offset, "there is no switch for this case")
        }
        if rest.isEmpty { report(offset, "case needs a pattern") }
        beginCase(offset)
        blocks[blocks.count - 1].head = code(rest)
    }

    /// Ends the previous case. Text before the first case has no case to be drawn in.
    private mutating func beginCase(_ offset: Int) {
        let last = blocks.count - 1
        guard blocks[last].head == nil else { return closeBranch(offset) }
        let isBlank = blocks[last].body.allSatisfy { node in
            switch node {
            case .markup(let bytes): bytes.allSatisfy(\.isSpace)
            default: false
            }
        }
        if !isBlank { report(blocks[last].offset, "only a case can follow switch") }
        blocks[last].body = []
        html.place = blocks[last].start
    }

    private mutating func emptyTag(_ offset: Int, _ rest: Range<Int>) {
        if !rest.isEmpty { report(rest.lowerBound, "empty takes nothing") }
        guard case .loop = blocks[blocks.count - 1].kind, !blocks[blocks.count - 1].isInLast else {
            return report(offset, "there is no for for this empty")
        }
        closeBranch(offset)
        blocks[blocks.count - 1].isInLast = true
    }

    private mutating func messageTag(_ offset: Int, _ rest: Range<Int>) {
        var arguments: [(name: String, code: Code)] = []
        var context: String?
        for part in parts(rest) {
            guard let (name, value) = argument(part, of: "t") else { continue }
            if arguments.contains(where: { $0.name == name }) { report(part.lowerBound, "\(name) is there twice") }
            guard name == "context" else {
                arguments.append((name, value))
                continue
            }
            context = SwiftMessages.literal(value.text)
            if context == nil { report(part.lowerBound, "the context is written \"…\", with nothing to fill in") }
        }
        let isAttribute = html.message(at: offset)
        open(.message, offset)
        html.isInMessage = true
        blocks[blocks.count - 1].message = TemplateMessage(
            position: source.position(of: offset), isAttribute: isAttribute, context: context, arguments: arguments)
    }

    private mutating func pluralTag(_ offset: Int, _ rest: Range<Int>) {
        if !rest.isEmpty { report(rest.lowerBound, "plural takes nothing") }
        guard var message = blocks[blocks.count - 1].message, !blocks[blocks.count - 1].isInLast else {
            return report(offset, "plural stands in {% t count: … %}, once")
        }
        if !message.arguments.contains(where: { $0.name == "count" }) {
            report(offset, "plural needs the argument count: {% t count: … %}")
        }
        message.singular = blocks[blocks.count - 1].pieces
        blocks[blocks.count - 1].message = message
        blocks[blocks.count - 1].pieces = []
        closeBranch(offset)
        blocks[blocks.count - 1].isInLast = true
    }

    // MARK: Blocks

    private mutating func open(_ kind: Block.Kind, _ offset: Int, subject: Code? = nil, head: Code? = nil) {
        if blocks.count == Self.deepest { report(offset, "tags are nested more than \(Self.deepest) deep") }
        if blocks.count >= 10 * Self.deepest { return }
        blocks.append(Block(kind: kind, offset: offset, start: html.place, subject: subject, head: head))
    }

    /// Ends the current body; the next one begins where it began.
    private mutating func closeBranch(_ offset: Int) {
        let last = blocks.count - 1
        blocks[last].branches.append((blocks[last].head, blocks[last].body))
        blocks[last].body = []
        blocks[last].ends.append(html.place)
        if !html.place.isSame(as: blocks[last].start) {
            report(offset, "this began in \(blocks[last].start.words) and ends in \(html.place.words)")
        }
        html.place = blocks[last].start
    }

    private mutating func end(_ offset: Int) {
        guard blocks.count > 1 else { return report(offset, "there is nothing to end") }
        let hasAll = blocks[blocks.count - 1].isInLast
        if case .selection = blocks[blocks.count - 1].kind, blocks[blocks.count - 1].head == nil {
            report(offset, "a switch needs a case")
        }
        closeBranch(offset)
        var block = blocks.removeLast()
        switch block.kind {
        case .file: break
        case .choice, .selection:
            let choice = Choice(subject: block.subject, branches: block.branches)
            add(.choice(choice))
            html.place = Self.merge(block.ends + (choice.isComplete ? [] : [block.start]), start: block.start)
        case .loop:
            if block.ends[0].url != block.start.url {
                report(offset, "each turn of a for must leave the URL where it found it")
            }
            add(.loop(block.head!, body: block.branches[0].body, empty: hasAll ? block.branches[1].body : []))
            html.place = Self.merge(block.ends + [block.start], start: block.start)
        case .slot(let name):
            template.slots.append((name, source.position(of: block.offset), block.branches[0].body))
        case .message:
            html.isInMessage = false
            guard var message = block.message else { return }
            if hasAll { message.plural = block.pieces } else { message.singular = block.pieces }
            block.message = message
            finish(message, at: block.offset)
        }
    }

    /// The place in the HTML after branches, whose ends may differ only by a URL or a space.
    private static func merge(_ ends: [Place], start: Place) -> Place {
        var place = start
        if ends.contains(where: { $0.kind == .tag(isGlued: true) }) { place.kind = .tag(isGlued: true) }
        place.url = ends.allSatisfy { $0.url == ends[0].url } ? ends[0].url : .unsure
        return place
    }

    private mutating func finish(_ message: TemplateMessage, at offset: Int) {
        var message = message
        message.singular = Self.tidy(message.singular)
        message.plural = message.plural.map(Self.tidy)
        let ids = [message.singular] + (message.plural.map { [$0] } ?? [])
        for pieces in ids where TemplateMessage.id(pieces).isEmpty { report(offset, "this message is empty") }
        for (name, _) in message.arguments where name != "count" || message.plural == nil {
            let isUsed = ids.joined().contains { if case .placeholder(name, _) = $0 { true } else { false } }
            if !isUsed { report(offset, "the message doesn't use \(name)") }
        }
        add(.message(message))
    }

    /// Collapses white space to single spaces and trims it, so that a template's indentation doesn't change the
    /// message.
    private static func tidy(_ pieces: [TemplateMessage.Piece]) -> [TemplateMessage.Piece] {
        var result: [TemplateMessage.Piece] = []
        for (index, piece) in pieces.enumerated() {
            guard case .text(let text) = piece else {
                result.append(piece)
                continue
            }
            var words = text.split(omittingEmptySubsequences: true) { $0.isASCII && $0.isWhitespace }
                .joined(separator: " ")
            if text.first?.isWhitespace == true, index > 0, !words.isEmpty { words = " " + words }
            if text.last?.isWhitespace == true, index < pieces.count - 1, index > 0 || !words.isEmpty { words += " " }
            if !words.isEmpty { result.append(.text(words)) }
        }
        return result
    }

    // MARK: Parts of a tag

    private mutating func parts(_ range: Range<Int>) -> [Range<Int>] {
        do throws(SwiftScanner.Failure) {
            return try SwiftScanner(source.bytes, upTo: range.upperBound).parts(of: range).map { part in
                (source.bytes[part].firstIndex { !$0.isSpace } ?? part.upperBound)..<part.upperBound
            }
        } catch {
            problems.append(source.problem(error))
            return []
        }
    }

    /// The text inside the brackets at the start of `range`, and the text after them.
    private func parenthesised(_ range: Range<Int>) -> (inside: Range<Int>, after: Range<Int>)? {
        let bytes = source.bytes
        guard !range.isEmpty, bytes.has("(", at: range.lowerBound) else { return nil }
        // The first byte outside of all brackets comes right after the matching bracket.
        let scanner = SwiftScanner(bytes, upTo: range.upperBound)
        let outside = try? scanner.firstOffset(from: range.lowerBound) { $0 > range.lowerBound }
        let close = (outside ?? range.upperBound) - 1
        guard close > range.lowerBound, bytes[close] == UInt8(ascii: ")") else { return nil }
        let after = bytes[(close + 1)..<range.upperBound].firstIndex { !$0.isSpace } ?? range.upperBound
        return (range.lowerBound + 1..<close, after..<range.upperBound)
    }

    /// Parses `events/_child(child: child)`.
    private mutating func call(_ offset: Int, _ rest: Range<Int>) -> Call? {
        let path = source.bytes[rest].prefix { $0.isNamePart || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "-") }
        guard !path.isEmpty, let (inside, after) = parenthesised(path.endIndex..<rest.upperBound), after.isEmpty else {
            report(offset, "write the template and its arguments: folder/name(argument: value)")
            return nil
        }
        return Call(
            name: source.text(path.startIndex..<path.endIndex), position: source.position(of: path.startIndex),
            arguments: code(inside))
    }
}
