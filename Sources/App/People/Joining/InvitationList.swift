import Forms

/// People to invite, as a spreadsheet or pasted lines list them. Nothing is read but a name and an e-mail address.
struct InvitationList: Sendable, Equatable {
    struct Entry: Sendable, Hashable {
        /// Empty if there is none.
        let name: String
        /// In lowercase.
        let address: String

        /// The address, and the name if there is one.
        var words: String {
            let readable = EmailAddress.readable(address)
            return name.isEmpty ? readable : "\(readable) (\(name))"
        }
    }

    /// A row without an address that can be read.
    struct Unread: Sendable, Equatable {
        /// Its number, as spreadsheets count rows.
        let row: Int
        let why: Why
    }

    enum Why: Sendable, Equatable {
        case noAddress
        /// Something with an @ that can't receive mail.
        case unclear(String)
        /// Several cells with an address, and no heading says which one counts.
        case several
        /// Several addresses in one cell.
        case together
    }

    /// Each address once, in the order of the list.
    private(set) var entries: [Entry] = []
    /// How many rows repeat an address.
    private(set) var repeated = 0
    private(set) var unread: [Unread] = []
    /// The headings of columns about children, which aren't read.
    private(set) var aboutChildren: [String] = []
    /// The headings of other columns, which aren't read either.
    private(set) var others: [String] = []
    /// Whether there are more rows than were read.
    private(set) var isCut = false

    /// The most rows that are read.
    static let mostRows = 10_000
    /// The largest file that is read.
    static let mostBytes = 2 << 20
    /// The most problems and headings that are kept.
    static let mostNoted = 100
    /// The longest name, and the longest heading.
    static let longestName = 60
}

extension InvitationList {
    /// Parses a file or pasted lines.
    init(_ bytes: [UInt8]) {
        // The heading, too.
        let table = ForeignTable(ForeignText.decoded(ForeignText.plainBytes(bytes)), most: Self.mostRows + 1)
        var rows = table.rows[...]
        isCut = table.isCut
        let columns = InvitationColumns.find(in: rows)
        if let columns {
            aboutChildren = Array(columns.aboutChildren.prefix(Self.mostNoted))
            others = Array(columns.others.prefix(Self.mostNoted))
            rows = rows[(columns.place + 1)...]
        }
        if columns == nil, rows.count > Self.mostRows {
            isCut = true
            rows.removeLast()
        }
        var known: Set<String> = []
        for row in rows where row.cells.contains(where: { !$0.allSatisfy(\.isWhitespace) }) {
            for person in columns?.people(row) ?? Self.people(row) {
                switch person {
                case .success(let entry):
                    if known.insert(entry.address).inserted { entries.append(entry) } else { repeated += 1 }
                case .failure(let error):
                    if unread.count < Self.mostNoted { unread.append(Unread(row: row.number, why: error.why)) }
                }
            }
        }
    }

    /// Addresses that a page of this site listed, with spaces between them.
    ///
    /// - Parameter most: The most addresses to read.
    init(addresses: String, most: Int) {
        var known: Set<String> = []
        for typed in addresses.split(separator: " ").prefix(most) {
            guard let address = EmailAddress(typed: String(typed))?.typed.lowercased(),
                known.insert(address).inserted
            else { continue }
            entries.append(Entry(name: "", address: address))
        }
    }

    struct Unreadable: Error {
        let why: Why
    }

    typealias Person = Result<Entry, Unreadable>

    /// The people in a row of a list without a heading. Nobody knows what its cells mean, so a name is taken only from
    /// the address's own cell, or from the other cell if there are two.
    private static func people(_ row: ForeignTable.Row) -> [Person] {
        let cells = row.cells.indices.compactMap(row.text)
        let places = cells.indices.filter { cells[$0].contains("@") }
        // A line as mail programs write it: each cell is an address.
        guard places.count == cells.count || places.count <= 1 else { return [.failure(Unreadable(why: .several))] }
        guard !places.isEmpty else { return [.failure(Unreadable(why: .noAddress))] }
        return places.map { place in
            person(cells[place], name: cells.count == 2 && places.count == 1 ? cells[1 - place] : nil)
        }
    }

    /// A cell's address: alone, or as in `Ana Ortiz <ana@example.org>`.
    ///
    /// - Parameter name: The name from another cell.
    static func person(_ cell: String, name: String?) -> Person {
        // Google's contacts have several addresses of one kind in one cell: `ana@example.org ::: ana@work.example`.
        let cell = cell.prefix(1_000).split(separator: ":::", maxSplits: 1).first ?? ""
        let words = cell.split { $0.isWhitespace || "<>()[]\",;".contains($0) }
        let typed = words.filter { $0.contains("@") }
        guard let first = typed.first, typed.count == 1 else {
            return .failure(Unreadable(why: typed.isEmpty ? .noAddress : .together))
        }
        guard let address = EmailAddress(typed: String(first)) else {
            return .failure(Unreadable(why: .unclear(ForeignText.line(String(first), most: 80))))
        }
        let beside = name ?? words.filter { $0 != first }.joined(separator: " ")
        return .success(Entry(name: ForeignText.line(beside, most: longestName), address: address.typed.lowercased()))
    }
}
