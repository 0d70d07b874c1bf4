/// A record of what a form showed when it was drawn: a short digest of each answer.
///
/// The page carries it in the pair `drawn`, which tells the visitor's changes from what somebody else has stored since.
/// It contains no text and needs no secret: a forged one only spoils its sender's own change.
struct Snapshot: Sendable, Equatable {
    private var digests: Set<UInt64>

    /// The name of the pair.
    static let name = "drawn"

    init(_ answers: Answers) {
        digests = Set(
            answers.fields.map { Self.digest($0, $1) }
                + answers.groups.flatMap { group, rows in
                    rows.flatMap { row in
                        [Self.digest(Self.key(group, row), [])]
                            + row.columns.map { Self.digest(Self.key(group, row, $0.name), $0.texts) }
                    }
                })
    }

    /// A snapshot of everything that was sent.
    init(_ body: FormBody) {
        let answers = body.entries.filter { !["once", "step", "csrf", Self.name].contains($0.name) }
        digests = [Self.digest(answers.flatMap { [$0.name, $0.value] })]
    }

    /// Parses the pair's value; nil if it is invalid.
    init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count.isMultiple(of: Self.width) else { return nil }
        digests = []
        var (digest, count) = (UInt64(0), 0)
        for byte in text.utf8 {
            guard let value = Self.alphabet.firstIndex(of: byte) else { return nil }
            (digest, count) = (digest << 6 | UInt64(value), count + 1)
            if count == Self.width {
                digests.insert(digest)
                (digest, count) = (0, 0)
            }
        }
    }

    /// The pair's value.
    var text: String {
        String(
            decoding: digests.sorted().flatMap { digest in
                (1...Self.width).map { Self.alphabet[Int(digest >> UInt64(6 * (Self.width - $0)) & 63)] }
            }, as: UTF8.self)
    }

    /// Whether the form showed these texts in that field, or showed it empty.
    func showed(_ name: String, _ texts: [String]) -> Bool { digests.contains(Self.digest(name, texts)) }

    /// Whether the form showed these texts in a column of a row.
    func showed(_ group: String, _ row: Answers.Row, _ column: String, _ texts: [String]) -> Bool {
        digests.contains(Self.digest(Self.key(group, row, column), texts))
    }

    /// Whether the form had that row.
    func had(_ group: String, _ row: Answers.Row) -> Bool { digests.contains(Self.digest(Self.key(group, row), [])) }

    private static func key(_ group: String, _ row: Answers.Row, _ column: String = "") -> String {
        "\(group).\(row.id ?? "").\(column)"
    }

    private static let width = 8
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// A 48-bit FNV-1a hash, with its bits mixed at the end.
    private static func digest(_ name: String, _ texts: [String]) -> UInt64 { digest([name] + texts.sorted()) }

    /// A digest of texts in their order.
    static func digest(of texts: [String]) -> Int64 { Int64(digest(texts)) }

    private static func digest(_ texts: [String]) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for text in texts {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            // A byte that occurs in no text, so that texts can't run into each other.
            hash = (hash ^ 0xFF) &* 0x100_0000_01B3
        }
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return (hash ^ hash >> 33) & 0xFFFF_FFFF_FFFF
    }
}

/// A form's pairs, grouped into single fields and rows.
///
/// A row such as `activity.3.name` is identified by the value of `activity.3.id`, wherever it is.
struct Answers: Sendable {
    struct Row: Sendable {
        var id: String?
        var columns: [(name: String, texts: [String])]

        /// Whether it is a new row that was left empty.
        var isBlank: Bool { id == nil && columns.allSatisfy(\.texts.isEmpty) }

        subscript(_ column: String) -> [String] { columns.first { $0.name == column }?.texts ?? [] }

        /// Whether it has the same answers as `other`, in whichever row they are.
        func says(what other: Row) -> Bool {
            Set(columns.map(\.name) + other.columns.map(\.name)).allSatisfy { Set(self[$0]) == Set(other[$0]) }
        }
    }

    private(set) var fields: [(name: String, texts: [String])] = []
    private(set) var groups: [(name: String, rows: [Row])] = []

    /// - Parameter names: The fields on the page; a field without a pair was left empty.
    init(_ pairs: [(name: String, value: String)], names: [String]) {
        var texts: [String: [String]] = [:]
        var rows: [String: [Int: Row]] = [:]
        for pair in pairs {
            let text = CleanText(pair.value, keepsLines: true).text
            guard let column = Self.column(pair.name) else {
                if !text.isEmpty, texts[pair.name]?.contains(text) != true {
                    texts[pair.name, default: []].append(text)
                }
                continue
            }
            var row = rows[column.group]?[column.row] ?? Row(columns: [])
            if column.name == "id" {
                row.id = text.isEmpty ? nil : text
            } else if let index = row.columns.firstIndex(where: { $0.name == column.name }) {
                if !text.isEmpty, !row.columns[index].texts.contains(text) { row.columns[index].texts.append(text) }
            } else {
                row.columns.append((column.name, text.isEmpty ? [] : [text]))
            }
            rows[column.group, default: [:]][column.row] = row
        }
        fields = names.filter { Self.column($0) == nil }.map { ($0, texts[$0] ?? []) }
        groups = rows.sorted { $0.key < $1.key }.map { group, rows in
            (group, rows.sorted { $0.key < $1.key }.map(\.value).filter { !$0.isBlank })
        }
    }

    func rows(_ group: String) -> [Row] { groups.first { $0.name == group }?.rows ?? [] }

    /// Whether it has the same answers as `other` in all of the other's fields, and the same rows in the same order.
    ///
    /// - Parameter names: The fields that don't count.
    func says(what other: Answers, beside names: Set<String>) -> Bool {
        let own = Dictionary(fields.map { ($0.name, Set($0.texts)) }, uniquingKeysWith: { first, _ in first })
        return other.fields.allSatisfy { names.contains($0.name) || own[$0.name] == Set($0.texts) }
            && Set(groups.map(\.name) + other.groups.map(\.name)).allSatisfy { group in
                let (rows, others) = (rows(group), other.rows(group))
                return rows.count == others.count
                    && zip(rows, others).allSatisfy { $0.id == $1.id && $0.says(what: $1) }
            }
    }

    /// Splits a name such as `activity.3.name` into group, row and field.
    static func column(_ name: String) -> (group: String, row: Int, name: String)? {
        let parts = name.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].utf8.count <= 5, let row = Int(parts[1]), row >= 0 else { return nil }
        return (String(parts[0]), row, String(parts[2]))
    }
}

/// Different answers by two people to one field.
struct Conflict: Sendable {
    let kind: Kind
    /// The other person; nil if the same person has the form open twice.
    let other: String?
    /// The stored texts; nil if there is nothing to show.
    let theirs: [String]?

    /// What both people did.
    enum Kind {
        case changed, removedByThem, removedByUs, picture
        /// Together there are too many rows.
        case tooMany(Int)
    }

    /// Describes what happened to a field and what to do now.
    func words(for label: Words) -> Words {
        switch (kind, other) {
        case (.changed, let name?):
            """
            “\(label, as: "label")” was changed meanwhile by \(name, as: "name"). Yours is kept here, and nothing is \
            saved yet: continue to keep yours, or type in what is stored now.
            """
        case (.changed, nil):
            """
            “\(label, as: "label")” was changed meanwhile in another tab or on another device. What you wrote here \
            isn’t saved yet: continue to keep yours, or type in what is stored now.
            """
        case (.removedByThem, let name?):
            """
            Removed meanwhile by \(name, as: "name"), and you changed it. Nothing is saved yet: continue to add it \
            back, or remove it.
            """
        case (.removedByThem, nil):
            """
            Removed meanwhile in another tab or on another device, and changed here. Nothing is saved yet: continue to \
            add it back, or remove it.
            """
        case (.removedByUs, let name?):
            """
            Changed meanwhile by \(name, as: "name"), and you removed it. It is shown here as it is now, and nothing \
            is saved yet: continue to keep it, or remove it again.
            """
        case (.removedByUs, nil):
            """
            Changed meanwhile in another tab or on another device, and removed here. Nothing is saved yet: continue to \
            keep it, or remove it again.
            """
        case (.tooMany(let most), _):
            """
            Others added some meanwhile, and there isn’t room for all of yours: \(most, as: "most") is the limit. \
            Nothing is saved yet.
            """
        case (.picture, let name?):
            """
            Another picture was chosen meanwhile by \(name, as: "name"). Yours is kept here, and nothing is saved \
            yet: continue to keep it.
            """
        case (.picture, nil):
            """
            Another picture was chosen meanwhile in another tab or on another device. This one isn’t saved yet: \
            continue to keep it.
            """
        }
    }
}

/// The stored data changed between the merge and the write: repeat the whole operation with the new data.
public struct ChangedMeanwhile: Error {
    public init() {}
}

extension FormBody {
    /// Whether the form was drawn from `kept`, or is `kept` sent once more, which means that nobody else has saved in
    /// between.
    public func follows(_ kept: FormBody) -> Bool {
        let drawn = self[Snapshot.name]
        return drawn == Snapshot(kept).text || drawn == nil && kept[Snapshot.name] == nil
            || Snapshot(self) == Snapshot(kept)
    }

    /// The sent form merged into what is stored now: an untouched field takes the stored answer, and a row that the
    /// form never had stays.
    ///
    /// A field that both changed differently keeps what was sent and gets a problem that shows the stored answer. The
    /// form that is drawn with it starts from what is stored now, so sending it again overwrites on purpose. A form
    /// without a `drawn` pair, sent by a program or made by an older release, can't be compared: all of it counts.
    ///
    /// - Parameters:
    ///   - page: The form as it would be drawn now.
    ///   - other: The last person to change it; nil for the sender, in another tab. Evaluated only if there is a
    ///     conflict.
    public func merged<F: Form>(
        onto page: Submission<F>, by other: @autoclosure () throws -> String?
    ) rethrows -> FormBody {
        guard let stored = page.original, let drawn = only(Snapshot.name).flatMap(Snapshot.init) else { return self }
        var merge = Merge(
            sent: Answers(entries, names: stored.fields.map(\.name)), stored: stored, drawn: drawn, body: self,
            files: Set(files.map(\.name)))
        merge.mergeFields(F.fields)
        merge.mergeRows(F.fields)
        if merge.isWhole { merge.body.replace(Snapshot.name, [Snapshot(stored).text]) }
        if !merge.found.isEmpty {
            let who = try other()
            for found in merge.found {
                merge.body.conflicts[found.name] = Conflict(kind: found.kind, other: who, theirs: found.theirs)
            }
        }
        return merge.body
    }
}

/// The state of one merge.
private struct Merge {
    let sent: Answers
    let stored: Answers
    let drawn: Snapshot
    var body: FormBody
    /// The fields with an uploaded file.
    let files: Set<String>
    var found: [(name: String, kind: Conflict.Kind, theirs: [String]?)] = []
    /// Whether everything was merged, so that the next page can be drawn from what is stored now.
    var isWhole = true

    mutating func mergeFields(_ fields: [Field<some Form>]) {
        for (answer, now) in zip(sent.fields, stored.fields) {
            let name = answer.name
            let isChanged = !drawn.showed(name, now.texts)
            // A picture is a hidden ID; the file input beside it replaces it.
            let picture = PictureNames(name)
            if isChanged, files.contains(picture.file) {
                found.append((picture.file, .picture, nil))
            } else if isChanged, sent.fields.contains(where: { $0.name == picture.removal && !$0.texts.isEmpty }) {
                found.append((picture.file, .removedByUs, nil))
                body.replace(picture.removal, [])
                body.replace(name, now.texts)
            } else if drawn.showed(name, answer.texts) {
                body.replace(name, now.texts)
            } else if isChanged, Set(answer.texts) != Set(now.texts) {
                let isHidden = fields.contains { $0.name == name && $0.control == .hidden }
                if !isHidden {
                    found.append((name, .changed, now.texts))
                } else if fields.contains(where: { $0.name == picture.file }) {
                    found.append((picture.file, .picture, nil))
                }
            }
        }
    }

    mutating func mergeRows(_ fields: [Field<some Form>]) {
        let names = sent.groups.map(\.name) + stored.groups.map(\.name).filter { sent.rows($0).isEmpty }
        for group in names {
            let sent = Self.kept(sent.rows(group))
            var rows: [Answers.Row] = []
            for row in sent {
                guard row.id != nil, drawn.had(group, row) else {
                    // A new row that is stored by now, word for word, was sent twice, or by two people: it is that row.
                    let same = stored.rows(group).first { now in
                        row.id == nil && now.id != nil && !drawn.had(group, now) && row.says(what: now)
                            && !rows.contains { $0.id == now.id }
                    }
                    rows.append(same ?? row)
                    continue
                }
                if let now = stored.rows(group).first(where: { $0.id == row.id }) {
                    rows.append(merged(row, now, in: group, at: rows.count))
                } else if row.columns.contains(where: { !drawn.showed(group, row, $0.name, $0.texts) }) {
                    found.append((name(group, rows.count, row), .removedByThem, nil))
                    rows.append(Answers.Row(id: nil, columns: row.columns))
                }
            }
            for now in stored.rows(group) where !(sent + rows).contains(where: { $0.id == now.id }) {
                if !drawn.had(group, now) {
                    rows.append(now)
                } else if now.columns.contains(where: { !drawn.showed(group, now, $0.name, $0.texts) }) {
                    found.append((name(group, rows.count, now), .removedByUs, nil))
                    rows.append(now)
                }
            }
            // A form can't have more rows than it has fields for. If it would, its rows stay as they were sent.
            let most = fields.count { Answers.column($0.name).map { $0.group == group && $0.name == "id" } ?? false }
            if most > 0, rows.count > most {
                found.removeAll { Answers.column($0.name)?.group == group }
                found.append((name(group, 0, rows[0]), .tooMany(most), nil))
                isWhole = false
            } else {
                body.replaceRows(group, rows)
            }
        }
    }

    /// The rows that count, without those emptied by hand. A row that repeats an earlier row's ID counts as new.
    private static func kept(_ rows: [Answers.Row]) -> [Answers.Row] {
        var kept: [Answers.Row] = []
        for var row in rows where row.columns.contains(where: { !$0.texts.isEmpty }) {
            if let first = kept.first(where: { $0.id != nil && $0.id == row.id }) {
                if row.columns.allSatisfy({ first[$0.name] == $0.texts }) { continue }
                row.id = nil
            }
            kept.append(row)
        }
        return kept
    }

    private mutating func merged(
        _ row: Answers.Row, _ now: Answers.Row, in group: String, at number: Int
    ) -> Answers.Row {
        var columns = row.columns
        columns += now.columns.filter { column in !columns.contains { $0.name == column.name } }.map { ($0.name, []) }
        for (index, column) in columns.enumerated() {
            let theirs = now[column.name]
            if wasShown(column, of: now, in: group) {
                columns[index].texts = theirs
            } else if !wasShown((column.name, theirs), of: now, in: group), Set(theirs) != Set(column.texts) {
                found.append(("\(group).\(number).\(column.name)", .changed, theirs))
            }
        }
        return Answers.Row(id: row.id, columns: columns)
    }

    private func wasShown(
        _ column: (name: String, texts: [String]), of row: Answers.Row, in group: String
    ) -> Bool {
        drawn.showed(group, row, column.name, column.texts)
    }

    /// The field that represents a whole row in problems.
    private func name(_ group: String, _ number: Int, _ row: Answers.Row) -> String {
        "\(group).\(number).\(row.columns.first?.name ?? "id")"
    }
}
