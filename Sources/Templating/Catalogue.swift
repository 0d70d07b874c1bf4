/// The translations into one language, from a gettext PO file.
///
/// English is the source text and needs no catalog. A message whose entry is missing, marked fuzzy, empty or faulty is
/// drawn in English.
public struct Catalogue: Sendable {
    /// The language in the file's header (`pl`, `pt-BR`), or empty.
    public let language: String
    /// The entries left out because of a mistake, by line.
    public private(set) var problems: [Problem] = []
    private var messages: [String: Entry] = [:]
    private let rule: PluralRule

    private struct Entry: Sendable {
        let isPlural: Bool
        let forms: [Message]
    }

    /// The reason why an entry of a PO file was left out, and its line.
    public struct Problem: Error, Equatable, CustomStringConvertible {
        /// The line, from 1.
        public let line: Int
        /// The reason.
        public let reason: String

        public var description: String { "\(line): \(reason)" }
    }

    /// Parses a PO file. Unusable entries are left out and listed in ``problems``.
    ///
    /// A translation may use only the placeholders of its source text and must have exactly its tags, so a catalog can
    /// change words but can't add markup or scripts.
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

    /// The key of an entry. As in gettext's own files, U+0004 separates context and message.
    private static func key(_ message: String, _ context: String?) -> String {
        context.map { "\($0)\u{4}\(message)" } ?? message
    }

    /// The translation of a message, or `nil` if there is none.
    ///
    /// - Parameter context: Distinguishes messages with the same English (`msgctxt`).
    public func translation(of message: String, context: String? = nil) -> Message? {
        messages[Self.key(message, context)]?.forms.first
    }

    /// The translation of a message that depends on `count`, in the language's plural form, or `nil` if there is none.
    public func translation(of message: String, context: String? = nil, plural: String, count: Int) -> Message? {
        guard let entry = messages[Self.key(message, context)], entry.isPlural else { return nil }
        return entry.forms[rule.form(of: count)]
    }
}

/// A message split at its placeholders: `Hello {name}!`.
public struct Message: Sendable {
    enum Piece: Sendable {
        case text(String)
        case placeholder(String)
    }

    let pieces: [Piece]

    /// Splits a message: a name in braces is a placeholder, any other brace is text.
    public init(_ text: String) {
        var pieces: [Piece] = []
        Self.cut(text) { plain, name in
            if !plain.isEmpty { pieces.append(.text(String(decoding: plain, as: UTF8.self))) }
            if let name { pieces.append(.placeholder(name)) }
        }
        self.pieces = pieces
    }

    /// Passes each run of plain text, possibly empty, to `body` with the placeholder after it; the last run has none.
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

    /// Its tags, sorted. A tag is `<` followed by a letter, `/`, `!` or `?`, up to and including the next `>` outside
    /// of quotes, or up to the end.
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
            // An unclosed tag is a different tag: it would continue in the template after the message.
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
    /// Distinguishes it from another message with the same English; nil if there is none.
    var context: String? { get }
    /// The message for a count other than one, and the count.
    var plural: (message: String, count: Int)? { get }
    /// The text for the placeholder `name`, as `locale` writes it; nil if there is none or it is words.
    func text(for name: String, in locale: String) -> String?
    /// The words for the placeholder `name`, which are translated first.
    func words(for name: String) -> Self?
    /// Adds the English to a page, filled in and escaped. `depth` is how deeply it is nested in other words.
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
    /// The words as plain text, translated by `catalogue`, with values in the form of `locale`, for output that isn't a
    /// page.
    public func text(by catalogue: Catalogue?, in locale: String) -> String {
        var text = ""
        write(to: &text, by: catalogue, in: locale, depth: 0) { $0 }
        return text
    }

    /// The same, with each value that may run in the other direction than the language between U+2068 and U+2069, so
    /// that its punctuation and numbers and those around it stay in place: for letters, which have no `<bdi>`. An
    /// address of a page stays as it is, since programs would take the marks for a part of it.
    public func text(by catalogue: Catalogue?, in locale: String, isRightToLeft: Bool) -> String {
        var text = ""
        write(to: &text, by: catalogue, in: locale, depth: 0) { value in
            let turns = isRightToLeft ? !value.isEmpty : HTMLBuffer.runsBack(Array(value.utf8))
            return turns && !value.contains("://") ? "\u{2068}\(value)\u{2069}" : value
        }
        return text
    }

    private func write(
        to text: inout String, by catalogue: Catalogue?, in locale: String, depth: Int, filling: (String) -> String
    ) {
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
                    text += filling(value)
                } else if depth < 8, let inner = words(for: name) {
                    inner.write(to: &text, by: catalogue, in: locale, depth: depth + 1, filling: filling)
                } else {
                    text += "{\(name)}"
                }
            }
        }
    }
}

extension HTMLBuffer {
    /// The translation of a template's message, or `nil` to draw its English.
    public func translation(of message: StaticString, context: StaticString? = nil) -> Message? {
        catalogue?.translation(of: message.description, context: context?.description)
    }

    /// The translation of a template's message that depends on `count`, or `nil` to draw its English.
    public func translation(
        of message: StaticString, context: StaticString? = nil, plural: StaticString, count: Int
    ) -> Message? {
        catalogue?.translation(
            of: message.description, context: context?.description, plural: plural.description, count: count)
    }

    /// Adds a template's message without placeholders between tags: translated, or in English.
    ///
    /// Never inlined: nearly all messages are like this, and a call takes the least code.
    @inline(never)
    public mutating func message(_ english: StaticString) {
        guard let translation = translation(of: english) else { return markup(english) }
        message(translation) { name, page in page.placeholder(name) }
    }

    /// Adds a template's message without placeholders inside a quoted attribute, `<title>` or `<textarea>`.
    @inline(never)
    public mutating func attributeMessage(_ english: StaticString) {
        guard let translation = translation(of: english) else { return markup(english) }
        attributeMessage(translation) { name, page in page.placeholder(name) }
    }

    /// Adds a template's translated message, whose source text is HTML, between tags; `fill` draws a placeholder.
    public mutating func message(_ message: Message, fill: (String, inout HTMLBuffer) -> Void) {
        for piece in message.pieces {
            switch piece {
            // When the catalog was loaded, its tags were compared with the template's.
            case .text(let text): append(verbatim: text)
            case .placeholder(let name): fill(name, &self)
            }
        }
    }

    /// Adds a template's translated message inside a quoted attribute, `<title>` or `<textarea>`.
    public mutating func attributeMessage(_ message: Message, fill: (String, inout HTMLBuffer) -> Void) {
        for piece in message.pieces {
            switch piece {
            case .text(let text):
                // The source text is HTML, so character references stay; only characters that could end the attribute
                // are escaped.
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

    /// Adds a placeholder for a script to fill in.
    public mutating func placeholder(_ name: String) { escape("{\(name)}") }

    /// Adds words in the page's language, escaped.
    ///
    /// Beyond eight levels of words in words, a placeholder isn't filled in.
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

    /// Adds English with placeholders, escaped; `fill` draws them.
    public mutating func english(_ text: String, fill: (String, inout HTMLBuffer) -> Void) {
        Message.cut(text) { plain, name in
            escape(UnsafeBufferPointer(rebasing: plain))
            if let name { fill(name, &self) }
        }
    }

    /// The depth to which nested words are drawn.
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
