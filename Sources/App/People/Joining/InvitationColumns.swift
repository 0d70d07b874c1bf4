/// What the headings of a list of people say of its columns.
struct InvitationColumns: Sendable {
    /// The row of the headings.
    let place: Int
    /// Those with an address.
    private let mail: [Column]
    /// Whether each of them is another parent's. Otherwise one person may have several.
    private let isOfEachParent: Bool
    private let names: [Column]
    /// The headings of columns about children, which aren't read.
    let aboutChildren: [String]
    /// The headings of other columns, which aren't read either.
    let others: [String]

    fileprivate struct Column: Sendable {
        let place: Int
        let owner: Set<String>
    }
}

extension InvitationColumns {
    /// Finds the headings of a table, below its title if it has one: “Class list 2026”.
    static func find(in rows: ArraySlice<ForeignTable.Row>) -> InvitationColumns? {
        let first = rows.prefix(10).prefix { row in !row.cells.contains { $0.contains("@") } }
        let below = Filling(rows[first.endIndex...])
        let heads = first.indices.compactMap { place in Head(first[place], at: place, above: below) }
        let head = heads.first { $0.hasMail && !$0.isAlone } ?? heads.first(where: \.hasMail) ?? heads.first
        return head.map { InvitationColumns($0) }
    }

    /// The people in a row.
    func people(_ row: ForeignTable.Row) -> [InvitationList.Person] {
        let cells = mail.compactMap { column in row.text(column.place).map { (column: column, text: $0) } }
            .filter { $0.text.contains("@") }
        guard !cells.isEmpty else { return [.failure(InvitationList.Unreadable(why: .noAddress))] }
        return cells.prefix(isOfEachParent ? cells.count : 1).map { cell in
            let name = names(for: cell.column).compactMap(row.text).prefix(2).joined(separator: " ")
            return InvitationList.person(cell.text, name: name.isEmpty ? nil : name)
        }
    }

    /// The columns with the name of the person whose address stands in a column: those with the same owner, or all of
    /// one owner if the address's heading names no parent.
    private func names(for address: Column) -> [Int] {
        let same = names.filter { $0.owner == address.owner }
        if !same.isEmpty || isOfEachParent { return same.map(\.place) }
        return Set(names.map(\.owner)).count == 1 ? names.map(\.place) : []
    }

    private init(_ head: Head) {
        place = head.place
        // A grandmother or a neighbor, whom the list wasn't made to write to, and columns of unknown meaning.
        var others = head.headings.filter { $0.meaning == .other }.map(\.text)
        var aboutChildren = head.headings.filter { $0.meaning == .children }.map(\.text)
        let mail = head.headings.filter { $0.meaning == .mail }
        let ofParents = mail.filter(\.isOfParents)
        isOfEachParent = !ofParents.isEmpty
        if isOfEachParent {
            // Beside those of parents it may be the child's.
            others += mail.filter { !$0.isOfParents }.map(\.text)
            self.mail = ofParents.map(\.column)
        } else {
            self.mail = head.hasMail ? mail.map(\.column) : head.unknown
        }
        let names = head.headings.filter { $0.meaning == .name }
        if aboutChildren.isEmpty, !isOfEachParent {
            self.names = names.map(\.column)
        } else {
            // In a list of children with their parents' addresses, a name is the child's.
            self.names = names.filter(\.isOfParents).map(\.column)
            aboutChildren += names.filter { !$0.isOfParents }.map(\.text)
        }
        (self.aboutChildren, self.others) = (aboutChildren, others)
    }

    /// Which columns have a value anywhere, and which an address.
    fileprivate struct Filling {
        private(set) var values: Set<Int> = []
        private(set) var addresses: Set<Int> = []

        init(_ rows: ArraySlice<ForeignTable.Row>) {
            for row in rows {
                for place in row.cells.indices where !addresses.contains(place) {
                    guard let text = row.text(place) else { continue }
                    values.insert(place)
                    if text.contains("@") { addresses.insert(place) }
                }
            }
        }
    }

    /// A row that may be the headings.
    fileprivate struct Head {
        let place: Int
        var headings: [Heading] = []
        /// Columns of which nothing is known.
        var unknown: [Column] = []
        /// Whether a heading speaks of mail, be there addresses below it or not.
        var hasMail = false
        /// Whether there is one heading only, as in a title.
        let isAlone: Bool

        /// Nil if it is none.
        init?(_ row: ForeignTable.Row, at place: Int, above below: Filling) {
            self.place = place
            isAlone = row.cells.indices.count { row.text($0) != nil } == 1
            var (isHead, isAboutChildren) = (false, false)
            for column in row.cells.indices {
                guard let text = row.text(column) else {
                    unknown.append(Column(place: column, owner: []))
                    continue
                }
                let heading = Heading(ForeignText.line(text, most: InvitationList.longestName), at: column)
                isAboutChildren = isAboutChildren || heading.meaning == .children && !heading.isOfParents
                isHead = isHead || heading.meaning != .other
                // A column says nothing if it is empty, such as one of a form that nobody filled in.
                let isEmpty = !below.values.contains(column)
                let isMail = heading.meaning == .mail && (isEmpty || below.addresses.contains(column))
                hasMail = hasMail || isMail
                if isEmpty { continue }
                if heading.meaning == .other || heading.meaning == .mail && !isMail {
                    unknown.append(heading.column)
                    headings.append(Heading(other: heading))
                } else {
                    headings.append(heading)
                }
            }
            // “Parents of class 3b” is a title. A single column about children stays unread.
            guard isHead, hasMail || !isAlone || isAboutChildren else { return nil }
        }
    }
}

extension InvitationColumns {
    fileprivate struct Heading {
        enum Meaning { case mail, name, children, other }

        let text: String
        let column: Column
        let meaning: Meaning
        let isOfParents: Bool

        init(_ text: String, at place: Int) {
            self.text = text
            let words = HeadingWords.split(text)
            let parents = words.compactMap(HeadingWords.parent)
            isOfParents = !parents.isEmpty
            let isOfChildren = words.contains(where: HeadingWords.isAboutChildren)
            let isMail = HeadingWords.isAboutMail(words)
            let isName =
                !words.contains(where: HeadingWords.ofOtherNames.contains)
                && (words.contains(where: HeadingWords.ofNames.contains)
                    || isOfParents && words.allSatisfy(HeadingWords.isOnlyOwner))
            if words.contains(where: HeadingWords.isForEmergencies) {
                meaning = .other
            } else if isMail, isOfParents || !isOfChildren {
                meaning = .mail
            } else if isOfChildren {
                meaning = .children
            } else {
                meaning = isName ? .name : .other
            }
            // As in “Parent 1” and “Parent1”.
            let numbers = words.map { $0.filter(\.isNumber) }.filter { !$0.isEmpty }
            column = Column(place: place, owner: Set(parents + numbers))
        }

        /// The same, of which nothing is known.
        init(other heading: Heading) {
            (text, column, meaning, isOfParents) = (heading.text, heading.column, .other, heading.isOfParents)
        }
    }

    /// The words of headings in the languages of the site, folded and without an Arabic article.
    fileprivate enum HeadingWords {
        static func split(_ text: String) -> [String] {
            folded(text).split(separator: " ").map { Folding.withoutArticle(String($0)) ?? String($0) }
        }

        /// A word for a parent, without its ending; nil for other words.
        static func parent(_ word: String) -> String? {
            parents.contains(word) ? word : beginningsOfParents.first { word.hasPrefix($0) }
        }

        /// Whether a word does no more than to tell one parent from the other.
        static func isOnlyOwner(_ word: String) -> Bool {
            parent(word) != nil || links.contains(word) || word.count == 1 || word.allSatisfy(\.isNumber)
        }

        static func isAboutMail(_ words: [String]) -> Bool {
            let heading = words.joined()
            return ofMail.contains { heading.contains($0) } && !words.contains(where: ofPost.contains)
        }

        static func isAboutChildren(_ word: String) -> Bool {
            ofChildren.contains(word) || beginningsOfChildren.contains { word.hasPrefix($0) }
        }

        static func isForEmergencies(_ word: String) -> Bool { emergencies.contains { word.hasPrefix($0) } }

        private static let ofMail = ["mail", "correo", "بريد"].flatMap(split)
        private static let ofPost = Set(["mailing", "postal", "رمز", "صندوق"].flatMap(split))
        private static let emergencies = ["emergenc", "notfall", "طوارئ"].flatMap(split)
        private static let links = Set(
            [
                "of", "the", "and", "or", "der", "des", "die", "und", "oder", "de", "la", "el", "del", "y", "o",
            ].flatMap(split))

        static let ofNames = Set(
            [
                "name", "names", "surname", "nombre", "nombres", "apellido", "apellidos", "vorname",
                "nachname", "familienname", "اسم", "لقب", "عائلة",
            ].flatMap(split))

        /// Names of others than the owner of the address, and of what else contacts programs write.
        static let ofOtherNames = Set(
            [
                "organization", "company", "assistant", "assistants", "manager", "managers", "middle",
                "phonetic", "prefix", "suffix", "spouse", "display", "file", "empresa", "organización",
                "firma", "verein",
            ].flatMap(split))

        private static let parents = Set(
            [
                "mom", "moms", "mum", "mums", "dad", "dads", "mama", "papa", "mamá", "papá", "mutter", "vater",
                "vaters",
                "ولي", "أولياء", "والد", "والدة", "والدين", "أم", "الأم", "أب", "الأب", "أمهات", "آباء",
            ].flatMap(split))

        private static let beginningsOfParents = [
            "parent", "guardian", "mother", "father", "caregiver", "padre", "madre", "tutor", "apoderad",
            "eltern", "erziehungsberechtigt", "sorgeberechtigt", "personensorgeberechtigt",
        ].flatMap(split)

        private static let ofChildren = Set(
            [
                "kid", "kids", "son", "sons", "daughter", "daughters", "baby", "babies", "student", "students",
                "pupil", "pupils", "age", "ages", "dob", "born", "grade", "class", "classroom", "teacher",
                "hijo", "hija", "hijos", "hijas", "niño", "niña", "niños", "niñas", "bebé", "bebés", "menor",
                "menores", "alumno", "alumna", "alumnos", "alumnas", "estudiante", "nacimiento", "nacido",
                "nacida", "cumpleaños", "edad", "edades", "grado", "curso", "clase", "maestra", "maestro",
                "kind", "kindes", "sohn", "söhne", "tochter", "töchter", "alter", "klasse", "gruppe",
                "geboren", "طفل", "طفلة", "أطفال", "ابن", "ابنة", "أبناء", "أولاد", "تلميذ", "طالب", "طلاب",
                "ميلاد", "عمر", "السن", "الصف",
            ].flatMap(split))

        private static let beginningsOfChildren = [
            "child", "birth", "kinder", "geburt", "schüler", "infant",
        ].flatMap(split)
    }
}
