/// The translations of a site into one language, from a gettext PO file.
///
/// English is the source text and needs none. A message that is missing, marked fuzzy or empty is drawn in English, and
/// so is one whose entry has a mistake.
public struct Catalogue: Sendable {
    /// The language as the header names it (`pl`, `pt-BR`), empty when it doesn't.
    public let language: String
    /// What was left out because of a mistake, by line.
    public private(set) var problems: [Problem] = []
    private var messages: [String: Entry] = [:]
    private let rule: PluralRule

    private struct Entry: Sendable {
        let isPlural: Bool
        let forms: [Message]
    }

    /// Why an entry of a PO file is left out, and the line of it.
    public struct Problem: Error, Equatable, CustomStringConvertible {
        /// The line, from 1.
        public let line: Int
        /// What is wrong there.
        public let reason: String

        public var description: String { "\(line): \(reason)" }
    }

    /// Reads a PO file; what can't be used of it is left out, and named by ``problems``.
    ///
    /// A translation may use only the placeholders of its source text, and must have the very tags of it: so a
    /// catalog can change words but bring no markup or script of its own.
    public init(parsing text: String) {
        let entries = CatalogueReader.entries(of: text)
        let header = entries.first { $0.id == "" && $0.context == nil && $0.problem == nil }
        let fields = header?.forms.first?.split(separator: "\n") ?? []
        func field(_ name: String) -> String? {
            fields.first { $0.lowercased().hasPrefix(name + ":") }
                .map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
        }
        language = (field("language") ?? "").split(separator: " ").joined().split(separator: "_").joined(separator: "-")
        do throws(PluralRule.Problem) {
            rule = try field("plural-forms").map(PluralRule.init) ?? .ofTwo
        } catch {
            problems.append(Problem(line: header?.line ?? 1, reason: error.reason))
            rule = .ofTwo
        }
        messages.reserveCapacity(entries.count)
        for entry in entries {
            do throws(Problem) {
                if let problem = entry.problem { throw problem }
                try add(entry)
            } catch {
                problems.append(error)
            }
        }
    }

    private mutating func add(_ entry: CatalogueReader.Entry) throws(Problem) {
        guard !entry.isFuzzy, let id = entry.id, !id.isEmpty, !entry.forms.allSatisfy(\.isEmpty) else { return }
        if entry.plural != nil, entry.forms.count != rule.count || entry.forms.contains("") {
            throw Problem(line: entry.line, reason: "\(rule.count) plural forms are needed")
        }
        let sources = [Message(id)] + (entry.plural.map { [Message($0)] } ?? [])
        let names = sources.reduce(into: Set()) { $0.formUnion($1.names) }
        let forms = entry.forms.map(Message.init)
        for form in forms {
            if let name = form.names.subtracting(names).min() {
                throw Problem(line: entry.line, reason: "the source text has no placeholder {\(name)}")
            }
            guard sources.contains(where: { $0.tags == form.tags }) else {
                throw Problem(line: entry.line, reason: "the tags differ from those of the source text")
            }
        }
        let key = Self.key(id, entry.context)
        guard messages[key] == nil else { throw Problem(line: entry.line, reason: "the message is there twice") }
        messages[key] = Entry(isPlural: entry.plural != nil, forms: forms)
    }

    /// What an entry is found by. Context and message are parted as gettext parts them in its own files.
    private static func key(_ message: String, _ context: String?) -> String {
        context.map { "\($0)\u{4}\(message)" } ?? message
    }

    /// The translation of a message, or `nil` when there is none.
    ///
    /// - Parameter context: Tells messages of the same English apart (`msgctxt`).
    public func translation(of message: String, context: String? = nil) -> Message? {
        messages[Self.key(message, context)]?.forms.first
    }

    /// The translation of a message that depends on `count`, in the plural form the language has for it, or `nil` when
    /// there is none.
    public func translation(of message: String, context: String? = nil, plural: String, count: Int) -> Message? {
        guard let entry = messages[Self.key(message, context)], entry.isPlural else { return nil }
        return entry.forms[rule.form(of: count)]
    }
}

/// A message cut at its placeholders: `Hello {name}!`.
public struct Message: Sendable {
    enum Piece: Sendable {
        case text(String)
        case placeholder(String)
    }

    let pieces: [Piece]

    /// Cuts a message: a name between braces is a placeholder, any other brace is text.
    public init(_ text: String) {
        var pieces: [Piece] = []
        Self.cut(text) { plain, name in
            if !plain.isEmpty { pieces.append(.text(String(decoding: plain, as: UTF8.self))) }
            if let name { pieces.append(.placeholder(name)) }
        }
        self.pieces = pieces
    }

    /// Gives `body` each run of plain text, maybe empty, with the placeholder behind it; the last run has none.
    @inlinable
    static func cut(_ text: String, _ body: (_ plain: Slice<UnsafeBufferPointer<UInt8>>, _ name: String?) -> Void) {
        var text = text
        text.withUTF8 { bytes in
            var plain = 0
            var place = 0
            while place < bytes.count {
                defer { place += 1 }
                guard bytes[place] == UInt8(ascii: "{") else { continue }
                var end = place + 1
                while end < bytes.count, isOfName(bytes[end]) { end += 1 }
                guard end > place + 1, end < bytes.count, bytes[end] == UInt8(ascii: "}") else { continue }
                body(bytes[plain..<place], String(decoding: bytes[(place + 1)..<end], as: UTF8.self))
                plain = end + 1
                place = end
            }
            body(bytes[plain...], nil)
        }
    }

    @usableFromInline
    static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xFF:
            true
        default: false
        }
    }

    var names: Set<String> {
        pieces.reduce(into: []) { names, piece in
            if case .placeholder(let name) = piece { names.insert(name) }
        }
    }

    /// Its tags, sorted: `<` and a letter, `/`, `!` or `?`, up to the next `>` outside of quotes and with it, or the
    /// end.
    var tags: [String] {
        let text = pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .placeholder(let name): "{\(name)}"
            }
        }.joined()
        guard text.utf8.contains(UInt8(ascii: "<")) else { return [] }
        var tags: [String] = []
        var rest = Substring(text).unicodeScalars
        while let open = rest.firstIndex(of: "<") {
            rest = rest[open...].dropFirst()
            guard let next = rest.first, next.properties.isAlphabetic || "/!?".unicodeScalars.contains(next) else {
                continue
            }
            var quote: Unicode.Scalar?
            let tag = rest.prefix { scalar in
                if scalar == quote {
                    quote = nil
                } else if quote == nil, "\"'".unicodeScalars.contains(scalar) {
                    quote = scalar
                }
                return quote != nil || scalar != ">"
            }
            // One that is never closed is another tag: it would go on in the template behind the message.
            tags.append(String(Substring(tag)) + (tag.endIndex < rest.endIndex ? ">" : ""))
            rest = rest[tag.endIndex...]
        }
        return tags.sorted()
    }
}

/// Words that are translated when they are drawn.
public protocol Translatable {
    /// The English message with its `{placeholders}`, which is its key in the catalog.
    var message: String { get }
    /// What tells it apart from another message of the same English; nil where there is none.
    var context: String? { get }
    /// The message for a count other than one, and the count.
    var plural: (message: String, count: Int)? { get }
    /// The text that stands in for the placeholder `name`, as `locale` writes it; nil when nothing does, or words do.
    func text(for name: String, in locale: String) -> String?
    /// The words, translated first, that stand in for the placeholder `name`.
    func words(for name: String) -> Self?
    /// Adds the English to a page, filled and escaped; it is `depth` words deep in others.
    func drawEnglish(on page: inout HTMLBuffer, depth: Int)
}

extension Translatable {
    public var context: String? { nil }
    public var plural: (message: String, count: Int)? { nil }
    public func words(for name: String) -> Self? { nil }

    public func drawEnglish(on page: inout HTMLBuffer, depth: Int) {
        let english = plural.map { $0.count == 1 ? message : $0.message } ?? message
        page.english(english) { name, page in page.fill(name, of: self, depth) }
    }
}

extension Translatable {
    /// The words as plain text, translated by `catalogue` and filled as `locale` writes: for what is no page.
    public func text(by catalogue: Catalogue?, in locale: String) -> String {
        var text = ""
        write(to: &text, by: catalogue, in: locale, depth: 0)
        return text
    }

    private func write(to text: inout String, by catalogue: Catalogue?, in locale: String, depth: Int) {
        let translation =
            plural.map {
                catalogue?.translation(of: message, context: context, plural: $0.message, count: $0.count)
            } ?? catalogue?.translation(of: message, context: context)
        let english = plural.map { $0.count == 1 ? message : $0.message } ?? message
        for piece in (translation ?? Message(english)).pieces {
            switch piece {
            case .text(let plain): text += plain
            case .placeholder(let name):
                if let value = self.text(for: name, in: locale) {
                    text += value
                } else if depth < 8, let inner = words(for: name) {
                    inner.write(to: &text, by: catalogue, in: locale, depth: depth + 1)
                } else {
                    text += "{\(name)}"
                }
            }
        }
    }
}

extension HTMLBuffer {
    /// The translation of a message of a template, or `nil` to draw the English in it.
    public func translation(of message: StaticString, context: StaticString? = nil) -> Message? {
        catalogue?.translation(of: message.description, context: context?.description)
    }

    /// The translation of a message of a template that depends on `count`, or `nil` to draw the English in it.
    public func translation(
        of message: StaticString, context: StaticString? = nil, plural: StaticString, count: Int
    ) -> Message? {
        catalogue?.translation(
            of: message.description, context: context?.description, plural: plural.description, count: count)
    }

    /// Adds a message of a template that has nothing to fill in, between tags: translated, else the English as it is.
    ///
    /// Never inlined: nearly all messages are like this, and a call is the least code for them.
    @inline(never)
    public mutating func message(_ english: StaticString) {
        guard let translation = translation(of: english) else { return markup(english) }
        message(translation) { name, page in page.placeholder(name) }
    }

    /// Adds a message of a template that has nothing to fill in, inside a quoted attribute, `<title>` or `<textarea>`.
    @inline(never)
    public mutating func attributeMessage(_ english: StaticString) {
        guard let translation = translation(of: english) else { return markup(english) }
        attributeMessage(translation) { name, page in page.placeholder(name) }
    }

    /// Adds a translated message of a template, whose source text is HTML, between tags; `fill` draws a placeholder.
    public mutating func message(_ message: Message, fill: (String, inout HTMLBuffer) -> Void) {
        for piece in message.pieces {
            switch piece {
            // Loading the catalog made sure that it has no tag which the template doesn't have.
            case .text(let text): append(verbatim: text)
            case .placeholder(let name): fill(name, &self)
            }
        }
    }

    /// Adds a translated message of a template inside a quoted attribute, `<title>` or `<textarea>`.
    public mutating func attributeMessage(_ message: Message, fill: (String, inout HTMLBuffer) -> Void) {
        for piece in message.pieces {
            switch piece {
            case .text(let text):
                // The source text is HTML, so its character references stand; what could end the place does not.
                for byte in text.utf8 {
                    switch byte {
                    case UInt8(ascii: "<"): markup("&lt;")
                    case UInt8(ascii: ">"): markup("&gt;")
                    case UInt8(ascii: "\""): markup("&#34;")
                    case UInt8(ascii: "'"): markup("&#39;")
                    default: append(byte: byte)
                    }
                }
            case .placeholder(let name): fill(name, &self)
            }
        }
    }

    /// Adds a placeholder that is left for a script to fill.
    public mutating func placeholder(_ name: String) { escape("{\(name)}") }

    /// Adds words in the language of the page, all of it escaped.
    ///
    /// Words in words in words are one thought too many: beyond eight levels a placeholder stays as it is.
    public mutating func words(_ words: some Translatable, depth: Int = 0) {
        guard let catalogue else { return words.drawEnglish(on: &self, depth: depth) }
        let translation =
            if let plural = words.plural {
                catalogue.translation(
                    of: words.message, context: words.context, plural: plural.message, count: plural.count)
            } else {
                catalogue.translation(of: words.message, context: words.context)
            }
        guard let translation else { return words.drawEnglish(on: &self, depth: depth) }
        for piece in translation.pieces {
            switch piece {
            case .text(let plain): escape(plain)
            case .placeholder(let name): fill(name, of: words, depth)
            }
        }
    }

    /// Adds English that has placeholders, escaped; `fill` draws them.
    public mutating func english(_ text: String, fill: (String, inout HTMLBuffer) -> Void) {
        Message.cut(text) { plain, name in
            escape(UnsafeBufferPointer(rebasing: plain))
            if let name { fill(name, &self) }
        }
    }

    /// Words inside others are drawn down to this depth.
    public static let deepest = 8

    fileprivate mutating func fill(_ name: String, of words: some Translatable, _ depth: Int) {
        if let value = words.text(for: name, in: locale) {
            filling(value)
        } else if depth < Self.deepest, let inner = words.words(for: name) {
            self.words(inner, depth: depth + 1)
        } else {
            placeholder(name)
        }
    }
}
