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
        /// The number of its first line.
        let line: Int
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
    private static let longestName = 60
}

extension InvitationList {
    /// Parses a file or pasted lines.
    init(_ bytes: [UInt8]) {
        // The heading, too.
        let table = ForeignTable(ForeignText.decoded(ForeignText.plainBytes(bytes)), most: Self.mostRows + 1)
        var rows = table.rows[...]
        isCut = table.isCut
        var columns: Columns?
        // Titles may stand above the headings: “Class list 2026”.
        let heads = rows.prefix(10).prefix { row in !row.cells.contains { $0.contains("@") } }
        let found = heads.indices.compactMap { place in
            Columns(heads[place], above: rows[(place + 1)...]).map { (place: place, columns: $0) }
        }
        if let (place, head) = found.first(where: \.columns.hasMail) ?? found.first {
            columns = head
            (aboutChildren, others) = (head.aboutChildren, head.others)
            rows = rows[(place + 1)...]
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
                    if unread.count < Self.mostNoted { unread.append(Unread(line: row.line, why: error.why)) }
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

    fileprivate struct Unreadable: Error {
        let why: Why
    }

    fileprivate typealias Person = Result<Entry, Unreadable>

    /// The people in a row of a list without a heading. Nobody knows what its cells mean, so a name is taken from
    /// beside the address only, or from the other one of two cells.
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
    fileprivate static func person(_ cell: String, name: String?) -> Person {
        let words = cell.prefix(1_000).split { $0.isWhitespace || "<>()[]\",;".contains($0) }
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

    /// What the heading says of the columns.
    fileprivate struct Columns {
        /// Those with an address; all that aren't about children if none is called so.
        private var addresses: [Int] = []
        /// Whether each of them is another parent's. Otherwise one person may have several.
        private let isOfEachParent: Bool
        private var names: [Int] = []
        /// Whether a heading speaks of mail.
        let hasMail: Bool
        private(set) var aboutChildren: [String] = []
        private(set) var others: [String] = []

        /// Nil if the row isn't a heading.
        ///
        /// - Parameter rows: What stands below it. An empty column says nothing, such as one that nobody filled in.
        init?(_ head: ForeignTable.Row, above rows: ArraySlice<ForeignTable.Row>) {
            guard !head.cells.contains(where: { $0.contains("@") }) else { return nil }
            var unknown: [Int] = []
            // A column of mail that says nothing of parents.
            var plainMail: [(place: Int, heading: String)] = []
            // A parent’s or a child’s.
            var plainNames: [(place: Int, heading: String)] = []
            var (isHead, hasMail) = (false, false)
            for place in head.cells.indices {
                guard let cell = head.text(place) else {
                    unknown.append(place)
                    continue
                }
                let heading = ForeignText.line(cell, most: InvitationList.longestName)
                let words = folded(heading).split(separator: " ").map(String.init)
                let isOfParents = words.contains { word in Self.ofParents.contains { word.hasPrefix($0) } }
                let isOfChildren = words.contains(where: Self.isAboutChildren)
                let isName = words.contains(where: Self.ofNames.contains) || isOfParents
                let isMail = Self.isAboutMail(words) && (isOfParents || !isOfChildren)
                hasMail = hasMail || isMail
                isHead = isHead || isMail || isOfChildren || isName
                guard rows.contains(where: { $0.text(place) != nil }) else { continue }
                if words.contains(where: Self.isForEmergencies) {
                    // A grandmother or a neighbor, whom the list wasn't made to write to.
                    others.append(heading)
                } else if isMail {
                    if isOfParents { addresses.append(place) } else { plainMail.append((place, heading)) }
                } else if isOfChildren {
                    aboutChildren.append(heading)
                } else if isName {
                    if isOfParents { names.append(place) } else { plainNames.append((place, heading)) }
                } else {
                    unknown.append(place)
                    others.append(heading)
                }
            }
            guard isHead else { return nil }
            isOfEachParent = !addresses.isEmpty
            // In a list of children with their parents' addresses, a name is the child's.
            if aboutChildren.isEmpty, !isOfEachParent {
                names = names.isEmpty ? plainNames.map(\.place) : names
            } else {
                aboutChildren += plainNames.map(\.heading)
            }
            self.hasMail = hasMail
            if isOfEachParent {
                // Beside those of parents it may be the child's.
                others += plainMail.map(\.heading)
            } else {
                addresses = hasMail ? plainMail.map(\.place) : unknown
            }
            aboutChildren = Array(aboutChildren.prefix(InvitationList.mostNoted))
            others = Array(others.prefix(InvitationList.mostNoted))
        }

        func people(_ row: ForeignTable.Row) -> [Person] {
            let cells = addresses.indices.compactMap { place in row.text(addresses[place]).map { (place, $0) } }
                .filter { $0.1.contains("@") }
            guard !cells.isEmpty else { return [.failure(Unreadable(why: .noAddress))] }
            return cells.prefix(isOfEachParent ? cells.count : 1).map { place, cell in
                let name = names(beside: place).compactMap(row.text).prefix(2).joined(separator: " ")
                return InvitationList.person(cell, name: name.isEmpty ? nil : name)
            }
        }

        /// The columns with the name of the person whose address stands in one of the columns: all of them if there is
        /// one person in a row, otherwise that parent's share; none if they can't be shared out.
        private func names(beside place: Int) -> ArraySlice<Int> {
            guard isOfEachParent, addresses.count > 1 else { return names[...] }
            guard names.count.isMultiple(of: addresses.count) else { return [] }
            let share = names.count / addresses.count
            return names[place * share..<(place + 1) * share]
        }

        private static func isAboutMail(_ words: [String]) -> Bool {
            let heading = words.joined()
            return ["mail", "correo", folded("بريد")].contains { heading.contains($0) }
        }

        private static func isAboutChildren(_ word: String) -> Bool {
            ofChildren.contains(word) || beginningsOfChildren.contains { word.hasPrefix($0) }
        }

        private static func isForEmergencies(_ word: String) -> Bool {
            emergencies.contains { word.hasPrefix($0) }
        }

        private static let emergencies = ["emergenc", "notfall", "طوارئ", "الطوارئ"].map(folded)

        private static let ofNames = Set(
            [
                "name", "names", "surname", "nombre", "nombres", "apellido", "apellidos",
                "vorname", "nachname", "familienname", "الاسم", "اسم", "اللقب", "العائلة",
            ].map(folded))

        private static let ofParents = [
            "parent", "guardian", "mother", "father", "mom", "dad", "padre", "madre", "tutor", "eltern", "mutter",
            "vater", "erziehungsberechtigt", "ولي", "الوالد", "الأب", "الأم",
        ].map(folded)

        private static let ofChildren = Set(
            [
                "kid", "kids", "son", "sons", "daughter", "daughters", "baby", "babies", "student", "students", "pupil",
                "pupils", "age", "ages", "dob", "born", "grade", "class", "classroom", "teacher",
                "hijo", "hija", "hijos", "hijas", "niño", "niña", "niños", "niñas", "alumno", "alumna", "alumnos",
                "alumnas", "estudiante", "nacimiento", "nacido", "nacida", "cumpleaños", "edad", "edades", "grado",
                "curso", "clase", "maestra", "maestro",
                "kind", "kindes", "sohn", "söhne", "tochter", "töchter", "alter", "klasse", "gruppe", "geboren",
                "طفل", "الطفل", "طفلة", "الطفلة", "أطفال", "الأطفال", "ابن", "الابن", "ابنة", "الابنة", "الأبناء",
                "الأولاد", "تلميذ", "التلميذ", "طالب", "الطالب", "الطلاب", "ميلاد", "الميلاد", "عمر", "العمر", "السن",
                "الصف",
            ].map(folded))

        private static let beginningsOfChildren = [
            "child", "birth", "kinder", "geburt", "schüler", "infant",
        ].map(folded)
    }
}
