/// What a form was drawn from: a short digest of each answer it showed.
///
/// The page carries it in the pair `drawn`, so that what a visitor changed can be told from what somebody else stored
/// meanwhile. It holds nobody's words and needs no secret: a forged one spoils only its sender's own change.
struct Snapshot: Sendable, Equatable {
    private var digests: Set<UInt64>

    /// The name of the pair that carries it.
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

    /// All that was sent, as one.
    init(_ body: FormBody) {
        let answers = body.entries.filter { !["once", "step", "csrf", Self.name].contains($0.name) }
        digests = [Self.digest(answers.flatMap { [$0.name, $0.value] })]
    }

    /// Reads what `text` says; nil for anything else.
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

    /// The value of the pair.
    var text: String {
        String(
            decoding: digests.sorted().flatMap { digest in
                (1...Self.width).map { Self.alphabet[Int(digest >> UInt64(6 * (Self.width - $0)) & 63)] }
            }, as: UTF8.self)
    }

    /// Whether the form showed these texts in that field, or showed it empty.
    func showed(_ name: String, _ texts: [String]) -> Bool { digests.contains(Self.digest(name, texts)) }

    /// The same in a column of a row.
    func showed(_ group: String, _ row: Answers.Row, _ column: String, _ texts: [String]) -> Bool {
        digests.contains(Self.digest(Self.key(group, row, column), texts))
    }

    /// Whether it had that row.
    func had(_ group: String, _ row: Answers.Row) -> Bool { digests.contains(Self.digest(Self.key(group, row), [])) }

    private static func key(_ group: String, _ row: Answers.Row, _ column: String = "") -> String {
        "\(group).\(row.id ?? "").\(column)"
    }

    private static let width = 8
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// 48 bits of FNV-1a, its bits mixed well at the end.
    private static func digest(_ name: String, _ texts: [String]) -> UInt64 { digest([name] + texts.sorted()) }

    /// The same of texts in their order.
    static func digest(of texts: [String]) -> Int64 { Int64(digest(texts)) }

    private static func digest(_ texts: [String]) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for text in texts {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            // A byte that is in no text, so that nothing moves from one to the next.
            hash = (hash ^ 0xFF) &* 0x100_0000_01B3
        }
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return (hash ^ hash >> 33) & 0xFFFF_FFFF_FFFF
    }
}

/// The pairs of a form by what they answer: fields on their own, and the rows of each group.
///
/// A row such as `activity.3.name` is known by what its `activity.3.id` says, wherever it stands.
struct Answers: Sendable {
    struct Row: Sendable {
        var id: String?
        var columns: [(name: String, texts: [String])]

        /// Whether it is a row to fill in, with nothing in it.
        var isBlank: Bool { id == nil && columns.allSatisfy(\.texts.isEmpty) }

        subscript(_ column: String) -> [String] { columns.first { $0.name == column }?.texts ?? [] }
    }

    private(set) var fields: [(name: String, texts: [String])] = []
    private(set) var groups: [(name: String, rows: [Row])] = []

    /// - Parameter names: The fields on the page; one without a pair is answered too, with nothing.
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

    /// What `activity.3.name` names.
    static func column(_ name: String) -> (group: String, row: Int, name: String)? {
        let parts = name.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].utf8.count <= 5, let row = Int(parts[1]), row >= 0 else { return nil }
        return (String(parts[0]), row, String(parts[2]))
    }
}

/// What two people answered differently in one field.
struct Conflict: Sendable {
    let kind: Kind
    /// The person who did it; nil for somebody who has the form open twice.
    let other: String?
    /// What is stored by now; nil where there is nothing to show.
    let theirs: [String]?

    /// What both did.
    enum Kind {
        case changed, removedByThem, removedByUs, picture
        /// Together there are more rows than may be.
        case tooMany(Int)
    }

    /// What happened to a field, and what can be done now.
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

/// What was stored changed between the merge and the write: the whole has to be done again, on what is stored by now.
public struct ChangedMeanwhile: Error {
    public init() {}
}

extension FormBody {
    /// Whether the form was drawn from `kept`, or is the one that was kept, sent once more: nobody kept anything else
    /// in between.
    public func follows(_ kept: FormBody) -> Bool {
        let drawn = self[Snapshot.name]
        return drawn == Snapshot(kept).text || drawn == nil && kept[Snapshot.name] == nil
            || Snapshot(self) == Snapshot(kept)
    }

    /// What was sent, on top of what is stored by now: a field that wasn't touched takes what is stored, and a row that
    /// the form never had stays.
    ///
    /// What both changed, each in another way, is as it was sent, and has a problem that shows the other text. A form
    /// that comes back with it is drawn from what is stored by now: sent again, it keeps one's own on purpose.
    /// A form that says nothing of what it was drawn from, since a program wrote it or an older release, has nothing to
    /// compare with: all of it counts.
    ///
    /// - Parameters:
    ///   - page: The form as it would be drawn now.
    ///   - other: Who changed it last; nil for the sender's own hand, in another tab. Asked only when both did.
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

/// One merge on its way.
private struct Merge {
    let sent: Answers
    let stored: Answers
    let drawn: Snapshot
    var body: FormBody
    /// The fields in which a file came.
    let files: Set<String>
    var found: [(name: String, kind: Conflict.Kind, theirs: [String]?)] = []
    /// Whether all of it was merged, so that the next page is drawn from what is stored by now.
    var isWhole = true

    mutating func mergeFields(_ fields: [Field<some Form>]) {
        for (answer, now) in zip(sent.fields, stored.fields) {
            let name = answer.name
            let isChanged = !drawn.showed(name, now.texts)
            // A picture is a hidden id, which the file beside it replaces.
            let file = "\(name)_file"
            if isChanged, files.contains(file) {
                found.append((file, .picture, nil))
            } else if isChanged, sent.fields.contains(where: { $0.name == "\(name)_off" && !$0.texts.isEmpty }) {
                found.append((file, .removedByUs, nil))
                body.replace("\(name)_off", [])
                body.replace(name, now.texts)
            } else if drawn.showed(name, answer.texts) {
                body.replace(name, now.texts)
            } else if isChanged, Set(answer.texts) != Set(now.texts) {
                let isHidden = fields.contains { $0.name == name && $0.control == .hidden }
                if !isHidden {
                    found.append((name, .changed, now.texts))
                } else if fields.contains(where: { $0.name == file }) {
                    found.append((file, .picture, nil))
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
                    rows.append(row)
                    continue
                }
                if let now = stored.rows(group).first(where: { $0.id == row.id }) {
                    rows.append(merged(row, now, in: group, at: rows.count))
                } else if row.columns.contains(where: { !drawn.showed(group, row, $0.name, $0.texts) }) {
                    found.append((name(group, rows.count, row), .removedByThem, nil))
                    rows.append(Answers.Row(id: nil, columns: row.columns))
                }
            }
            for now in stored.rows(group) where !sent.contains(where: { $0.id == now.id }) {
                if !drawn.had(group, now) {
                    rows.append(now)
                } else if now.columns.contains(where: { !drawn.showed(group, now, $0.name, $0.texts) }) {
                    found.append((name(group, rows.count, now), .removedByUs, nil))
                    rows.append(now)
                }
            }
            // There can be no more rows than the form itself has fields for. They stay as they were sent then.
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

    /// The rows that count: one emptied by hand is taken out, and what has the number of a row before it is another.
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

    /// The field of a row that stands for all of it.
    private func name(_ group: String, _ number: Int, _ row: Answers.Row) -> String {
        "\(group).\(number).\(row.columns.first?.name ?? "id")"
    }
}
