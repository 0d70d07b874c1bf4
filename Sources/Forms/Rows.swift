/// Several small forms of one kind within a larger one: the activities of a programme.
///
/// Their fields are sent as `activity.0.name`: what the rows are called, the number of the row, and the name of its
/// field. Buttons of the larger form named `step` change the rows without JavaScript: `add`, `copy.3`, `remove.3`.
public struct Rows<F: Form>: Sendable {
    public let name: String
    public private(set) var rows: [Submission<F>]
    /// More rows than this are refused.
    public let most: Int
    /// Whether more rows came than may.
    public private(set) var isTooLong = false

    /// Rows to begin with.
    public init(_ name: String, most: Int, filled: [F] = []) {
        self.name = name
        self.most = most
        rows = filled.enumerated().map { Submission(row: $1, prefix: "\(name).\($0).") }
    }

    /// What a visitor sent: each row is read and checked, those left empty are passed over, and the button that
    /// changes rows has done its work.
    ///
    /// - Parameter body: The larger form, with its `step`.
    public init(_ name: String, most: Int, _ body: FormBody) {
        self.init(name, most: most)
        let step = Change(body.only("step") ?? "")
        var sent: [Submission<F>] = []
        for (number, fields) in body.rows(name) {
            guard sent.count <= most else { break }
            let row = Submission<F>(row: fields, prefix: "\(name).\(number).")
            guard !row.isBlank, step != .remove(number) else { continue }
            sent.append(row)
            if step == .copy(number) { sent.append(row.copy) }
        }
        if step == .add { sent.append(Submission()) }
        isTooLong = sent.count > most
        if isTooLong { sent = Array(sent.prefix(most)) }
        rows = sent.enumerated().map { $1.renamed("\(name).\($0).") }
        // Who only changes how many rows there are isn't done with any.
        if step != nil { self = withoutProblems }
    }

    /// Whether the button that was pressed changes rows.
    public static func isChanged(by step: String?) -> Bool { step.map { Change($0) != nil } ?? false }

    private enum Change: Equatable {
        case add
        case copy(Int)
        case remove(Int)

        init?(_ step: String) {
            let parts = step.split(separator: ".", maxSplits: 1)
            let number = parts.count == 2 && parts[1].utf8.count <= 5 ? Int(parts[1]) : nil
            switch (parts.first, number) {
            case ("add", nil) where parts.count == 1: self = .add
            case ("copy", let number?): self = .copy(number)
            case ("remove", let number?): self = .remove(number)
            default: return nil
            }
        }
    }

    public var isEmpty: Bool { rows.isEmpty }

    /// What they mean, when nothing is wrong with any.
    public var values: [F]? { problems.isEmpty ? rows.map(\.form) : nil }

    /// Everything wrong, in the order of the rows.
    public var problems: [Problem] { rows.flatMap(\.problems) }

    /// Everything typed as pairs, for the hidden form below a preview.
    public var hidden: [(name: String, value: String)] { rows.flatMap(\.hidden) }

    /// The same rows as new ones: what they carry unseen stays behind.
    public var copied: Rows {
        var rows = self
        rows.rows = rows.rows.map(\.copy)
        return rows
    }

    /// The same rows without a word of what is wrong with them.
    public var withoutProblems: Rows {
        var rows = self
        rows.rows = rows.rows.map(\.withoutProblems)
        return rows
    }

    /// Fills a field of a row.
    public mutating func fill<V>(_ row: Int, _ path: WritableKeyPath<F, V>, _ value: V) { rows[row].fill(path, value) }

    /// Says what is wrong with a field of a row.
    public mutating func reject(_ row: Int, _ path: PartialKeyPath<F>, _ words: Words) { rows[row].reject(path, words) }
}
