/// A form's data as sent: its pairs in order, and its files.
///
/// Values are raw: not trimmed, line ends unchanged. Invalid UTF-8 and NUL become U+FFFD.
public struct FormBody: Sendable, ExpressibleByDictionaryLiteral {
    struct Pair: Sendable {
        let name: String
        let value: String
        /// Whether `value` is exactly what was sent.
        let isReadable: Bool
    }

    private(set) var pairs: [Pair] = []
    /// A problem with the body as a whole, found before its fields are read.
    private(set) var problem: Words?
    /// Conflicts with other people's changes, by field name: see ``merged(onto:by:)``.
    var conflicts: [String: Conflict] = [:]
    /// Problems with fields, found before the form was read, by field name.
    private(set) var refusals: [String: Words] = [:]
    /// The country by whose rules the form is read, unless the form names another one.
    public var home = ""
    /// A country's decimal separator: `.` or `,`.
    public var decimalPoint: @Sendable (_ country: String) -> Character = { _ in "." }
    /// The files, in order. A file input left empty is not among them.
    public private(set) var files: [FormFile] = []

    public init() {}

    /// A subset of another body's pairs, read by the same rules.
    private init(pairs: [Pair], of body: FormBody) {
        (self.pairs, home, decimalPoint) = (pairs, body.home, body.decimalPoint)
    }

    /// Makes a body from a literal, for tests: `["title": "Kite day", "child": "3", "child": "5"]`.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, Array(value.utf8)) }
    }

    /// Parses a search form's fields from a URL's query.
    public init(query: some StringProtocol, limits: FormLimits = FormLimits()) throws(FormProblem) {
        var parser = try FormParser(contentType: "application/x-www-form-urlencoded", limits: limits)
        try parser.feed(query.utf8)
        self = try parser.finish()
    }

    /// The country by whose rules it is read: the one the form names, otherwise `home`.
    public var country: String { self["country"].flatMap { $0.isEmpty ? nil : $0 } ?? home }

    /// All pairs as sent, for forwarding.
    public var entries: [(name: String, value: String)] { pairs.map { ($0.name, $0.value) } }

    /// The first value of that name.
    public subscript(_ name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// All values of that name, in order.
    public func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    /// The first file of that name.
    public func file(_ name: String) -> FormFile? { files.first { $0.name == name } }

    /// The data of rows, in the order of their numbers: `activity.3.name` is the field `name` of row 3. Each row's body
    /// knows the country that the form names, which determines how dates and numbers are read.
    func rows(_ name: String) -> [(number: Int, body: FormBody)] {
        let prefix = name + "."
        var rows: [Int: FormBody] = [:]
        let shared = pairs.filter { $0.name == "country" }
        for pair in pairs where pair.name.hasPrefix(prefix) {
            let parts = pair.name.dropFirst(prefix.count).split(separator: ".", maxSplits: 1)
            guard parts.count == 2, parts[0].utf8.count <= 5, let number = Int(parts[0]), number >= 0 else { continue }
            rows[number, default: FormBody(pairs: shared, of: self)].pairs
                .append(Pair(name: String(parts[1]), value: pair.value, isReadable: pair.isReadable))
            rows[number]?.conflicts[String(parts[1])] = conflicts[pair.name]
        }
        return rows.map { ($0, $1) }.sorted { $0.0 < $1.0 }
    }

    /// The value of that name; nil if several values differ, because it is unclear which was meant.
    public func only(_ name: String) -> String? {
        let values = all(name)
        return values.allSatisfy { $0 == values[0] } ? values.first : nil
    }

    /// The pairs and files with these names.
    func only(_ names: [String]) -> FormBody {
        var some = FormBody(pairs: pairs.filter { names.contains($0.name) }, of: self)
        some.files = files.filter { names.contains($0.name) }
        some.conflicts = conflicts
        some.problem = problem
        some.refusals = refusals
        return some
    }

    /// The same data, but instead of uploading or removing a picture it names one that is stored.
    ///
    /// - Parameter names: The picture's fields.
    public func naming(_ picture: String, in names: PictureNames) -> FormBody {
        var body = self
        body.replace(names.stored, [picture])
        body.replace(names.removal, [])
        body.files.removeAll { $0.name == names.file }
        return body
    }

    /// The same data as a new form with a new `once`, because the form was sent before with other content. All data is
    /// kept, and `problem` is shown.
    public func renewed(because problem: Words) -> FormBody {
        var body = self
        body.replace("once", [])
        body.replace(Snapshot.name, [])
        body.problem = problem
        return body
    }

    /// A copy with other values for that name.
    public func replacing(_ name: String, with values: [String]) -> FormBody {
        var body = self
        body.replace(name, values)
        return body
    }

    /// A copy with these problems, by field name, whatever form reads it.
    public func refused(_ problems: [String: Words]) -> FormBody {
        var body = self
        body.refusals.merge(problems) { $1 }
        return body
    }

    /// Whether this is a form that was sent before with other content.
    public var isRenewed: Bool { problem != nil }

    /// Replaces all values of that name with these texts.
    mutating func replace(_ name: String, _ texts: [String]) {
        pairs.removeAll { $0.name == name }
        pairs += texts.map { Pair(name: name, value: $0, isReadable: true) }
    }

    /// Replaces a group's rows with these, renumbered.
    mutating func replaceRows(_ group: String, _ rows: [Answers.Row]) {
        pairs.removeAll { Answers.column($0.name)?.group == group }
        for (number, row) in rows.enumerated() {
            let answers = (row.id.map { [("id", [$0])] } ?? []) + row.columns.map { ($0.name, $0.texts) }
            for (name, texts) in answers {
                for text in texts.isEmpty ? [""] : texts {
                    pairs.append(Pair(name: "\(group).\(number).\(name)", value: text, isReadable: true))
                }
            }
        }
    }

    mutating func add(_ name: String, _ value: [UInt8]) {
        if let text = String(validating: value, as: UTF8.self), !value.contains(0) {
            pairs.append(Pair(name: name, value: text, isReadable: true))
        } else {
            let text = String(decoding: value.flatMap { $0 == 0 ? [0xEF, 0xBF, 0xBD] : [$0] }, as: UTF8.self)
            pairs.append(Pair(name: name, value: text, isReadable: false))
        }
    }

    mutating func add(_ file: FormFile) {
        files.append(file)
    }
}

/// A file that came with a form.
public struct FormFile: Sendable {
    /// The field's name.
    public let name: String
    /// The file's name on the visitor's device: the last path component, at most 255 characters. Never use it as a
    /// path.
    public let filename: String
    /// The browser's guess of its type, like `image/png`. A claim, not a fact.
    public let contentType: String
    /// Its content; empty if the file was too large to keep.
    public let bytes: [UInt8]
    public let isTooLarge: Bool

    public init(name: String, filename: String, contentType: String, bytes: [UInt8], isTooLarge: Bool = false) {
        self.name = name
        self.filename = filename
        self.contentType = contentType
        self.bytes = bytes
        self.isTooLarge = isTooLarge
    }
}
