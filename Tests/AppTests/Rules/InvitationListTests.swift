import Testing

@testable import App

/// Lists of people as spreadsheets and mail programs write them.
@Suite struct InvitationListTests {
    private func read(_ text: String) -> InvitationList { InvitationList(Array(text.utf8)) }

    private func words(_ list: InvitationList) -> [String] { list.entries.map(\.words) }

    @Test(arguments: [
        "Name,E-mail\nAna Ortiz,ana@example.org\nBen,ben@example.org\n",
        "sep=;\r\nName;Email address\r\nAna Ortiz;Ana@Example.org\r\nBen;ben@example.org",
        "\u{FEFF}Nombre;Correo electrónico\nAna Ortiz;ana@example.org\nBen;ben@example.org",
        "Vorname\tNachname\tE-Mail-Adresse\nAna\tOrtiz\tmailto:ana@example.org\nBen\t\tben@example.org",
        "الاسم,البريد الإلكتروني\nAna Ortiz,ana@example.org\nBen,ben@example.org",
        "Ana Ortiz,ana@example.org\nBen,ben@example.org",
        "Ana Ortiz <ana@example.org>\nBen ben@example.org",
        "Ana Ortiz <ana@example.org>, Ben <ben@example.org>",
        "Ana, Ortiz <ana@example.org>; Ben <ben@example.org>;",
        "\"Ana\nOrtiz\",ana@example.org\n\n\"Ben\",\"ben@example.org\"",
        "E-mail 1 - Label,E-mail 1 - Value,Name\n* Home,ana@example.org,Ana Ortiz\n*,ben@example.org,Ben",
    ])
    func `a list is read as people write it`(_ text: String) {
        let list = read(text)
        #expect(words(list) == ["ana@example.org (Ana Ortiz)", "ben@example.org (Ben)"])
        #expect(list.unread.isEmpty && list.aboutChildren.isEmpty && list.repeated == 0)
    }

    @Test func `it may come as UTF-16 or Windows-1252, with domains in any letters`() {
        let text = "Name;E-Mail\nJörg;jörg@example.org\nZoë;zoe@bücher.example\n"
        let wide: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] as [UInt8] }
        let narrow: [UInt8] = text.unicodeScalars.map { UInt8($0.value) }
        for bytes in [Array(text.utf8), wide, narrow] {
            let list = InvitationList(bytes)
            #expect(words(list) == ["zoe@bücher.example (Zoë)"])
            #expect(list.entries.map(\.address) == ["zoe@xn--bcher-kva.example"])
            #expect(list.unread == [.init(row: 2, why: .unclear("jörg@example.org"))])
        }
    }

    @Test func `what can’t be read says its row, and an address counts once`() {
        let list = read(
            """
            Name,E-mail
            Ana,ana@example.org
            Ben,
            "Cleo
            Diaz",=HYPERLINK("mailto:cleo@example.org")
            Dan,dan@example
            Ana,ANA@example.org
            """)
        #expect(words(list) == ["ana@example.org (Ana)", "cleo@example.org (Cleo Diaz)"] && list.repeated == 1)
        #expect(list.unread == [.init(row: 3, why: .noAddress), .init(row: 5, why: .unclear("dan@example"))])
    }

    @Test func `of several addresses none is taken, and it is said what helps`() {
        // Which column counts, a heading can say; which address of a cell, it can't.
        #expect(read("Mo,ana@example.org,ben@example.org").unread == [.init(row: 1, why: .several)])
        for text in ["Name,E-mail\nAna,ana@example.org ben@example.org", "\nana@example.org ben@example.org"] {
            let list = read(text)
            #expect(list.entries.isEmpty && list.unread == [.init(row: 2, why: .together)])
        }
    }

    @Test func `columns about children aren’t read, nor is a name that may be a child’s`() {
        let list = read(
            """
            Name,Birthday,Student e-mail,Parent,Parent’s e-mail,Phone
            Quetzal,2020-02-02,quetzal@example.org,Ana Ortiz,ana@example.org,555 0100
            """)
        #expect(words(list) == ["ana@example.org (Ana Ortiz)"])
        #expect(list.aboutChildren == ["Birthday", "Student e-mail", "Name"] && list.others == ["Phone"])
        // Without a parent’s name there is none.
        let plain = read("Kind;Alter;E-Mail\nQuetzal;7;ana@example.org")
        #expect(words(plain) == ["ana@example.org"] && plain.aboutChildren == ["Kind", "Alter"])
        let arabic = read("اسم الطفل,تاريخ الميلاد,البريد\nQuetzal,2020-02-02,ana@example.org")
        #expect(words(arabic) == ["ana@example.org"] && arabic.aboutChildren.count == 2)
        let spanish = read("Nombre de la niña,Edad,Correo de la madre\nQuetzal,7,ana@example.org")
        #expect(words(spanish) == ["ana@example.org"] && spanish.aboutChildren.count == 2)
        // A title above the headings hides none of them.
        for title in ["Members 2026\n", "Class list 2026,,,\n,,,\n"] {
            let list = read("\(title)Name,Student e-mail,Parent,Parent e-mail\nQuetzal,quetzal@example.org,Ana,\n")
            #expect(list.entries.isEmpty && list.aboutChildren == ["Student e-mail", "Name"])
        }
        let titled = read("Liste\nKind;E-Mail des Kindes;Eltern;E-Mail\nQuetzal;q@example.org;Ana;ana@example.org")
        #expect(words(titled) == ["ana@example.org (Ana)"])
        // Without a heading nobody knows what else there is.
        let bare = read("Quetzal,2020-02-02,ana@example.org\nQuetzal,x@example.org,ben@example.org")
        #expect(words(bare) == ["ana@example.org"] && bare.unread == [.init(row: 2, why: .several)])
    }

    @Test func `each parent is invited, the address for emergencies isn't, and empty columns say nothing`() {
        let list = read(
            """
            Parent 1,Parent 1 e-mail,Parent 2,Parent 2 e-mail,Emergency contact name,Emergency e-mail
            Ana,ana@example.org,Ben,ben@example.org,Cleo,cleo@example.org
            Dan,dan@example,Eva,eva@example.org,,
            """)
        #expect(words(list) == ["ana@example.org (Ana)", "ben@example.org (Ben)", "eva@example.org (Eva)"])
        #expect(list.unread == [.init(row: 3, why: .unclear("dan@example"))])
        #expect(list.others == ["Emergency contact name", "Emergency e-mail"])
        // It can't be told which name belongs to which address.
        let shared = read("Eltern,E-Mail der Mutter,E-Mail des Vaters\nOrtiz,ana@example.org,ben@example.org")
        #expect(words(shared) == ["ana@example.org", "ben@example.org"])
        // Beside a parent's address a name or another address may be the child's.
        let beside = read("Name,E-mail,Parent e-mail\nQuetzal,quetzal@example.org,ana@example.org")
        #expect(words(beside) == ["ana@example.org"] && beside.others == ["E-mail"] && beside.aboutChildren == ["Name"])
        // One person's other address.
        let both = read("Name,E-mail 1,E-mail 2\nAna,ana@example.org,ana@work.example\nBen,,ben@example.org")
        #expect(words(both) == ["ana@example.org (Ana)", "ben@example.org (Ben)"])
        // What a contacts program writes has columns for everything.
        let contacts = read("Name,Birthday,E-mail,Notes\nAna,,ana@example.org,\nBen, ,ben@example.org,")
        #expect(words(contacts) == ["ana@example.org (Ana)", "ben@example.org (Ben)"])
        #expect(contacts.aboutChildren.isEmpty && contacts.others.isEmpty)
    }

    @Test(arguments: [
        "Mother,Father,Father e-mail,Mother e-mail\nAna,Ben,ben@example.org,ana@example.org",
        "Parent1 name,Parent1 tel,Parent1 email,Parent2 name,Parent2 email\nAna,5,ana@example.org,Ben,ben@example.org",
        "Mamá,Correo de la mamá,Papá,Correo del papá\nAna,ana@example.org,Ben,ben@example.org",
        "والدة,بريد والدة الطفل,والد,بريد والد الطفل\nAna,ana@example.org,Ben,ben@example.org",
    ])
    func `a parent's name is found by its heading`(_ text: String) {
        #expect(Set(words(read(text))) == ["ana@example.org (Ana)", "ben@example.org (Ben)"])
    }

    @Test func `what isn't a name or an address is read as neither`() {
        let list = read(
            """
            Parent,Parent phone,Parent mailing address,Mother tongue,Parent 2,Parent 2 e-mail,Parent e-mail
            Ana,555 0100,12 Elm St,Spanish,Ben,,ana@example.org
            """)
        #expect(words(list) == ["ana@example.org (Ana)"])
        #expect(list.others == ["Parent phone", "Parent mailing address", "Mother tongue"])
        let arabic = read("بريد الأبناء,البريد\nquetzal@example.org,ana@example.org")
        #expect(words(arabic) == ["ana@example.org"] && arabic.aboutChildren == ["بريد الأبناء"])
        let tongue = read("Muttersprache,Name,E-Mail\nSpanisch,Ana,ana@example.org")
        #expect(words(tongue) == ["ana@example.org (Ana)"])
    }

    @Test(arguments: [
        "Mailing list 2026\nName,E-mail\n", "E-Mail-Liste\n;\nName;E-Mail\n", "Lista de correos\nNombre,Correo\n",
        "Parents of class 3b\n", "Names\n",
    ])
    func `a title hides no address`(_ head: String) {
        let sign = head.contains(";") ? ";" : ","
        #expect(words(read("\(head)Ana\(sign)ana@example.org")) == ["ana@example.org (Ana)"])
    }

    /// First lines as these programs write them.
    @Test(arguments: [
        """
        First Name,Middle Name,Last Name,Phonetic First Name,Name Prefix,Nickname,Organization Name,Birthday,Notes,\
        Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value
        Ana,Maria,Ortiz,,,,City Library,,,* myContacts,* Home,ana@example.org ::: ana@old.example,Work,ana@work.example
        """,
        """
        "First Name","Middle Name","Last Name","Title","Company","Children","E-mail Address","E-mail Type",\
        "E-mail Display Name","E-mail 2 Address","Manager's Name"
        "Ana","Maria","Ortiz",,"City Library",,"ana@example.org","SMTP","Ana Ortiz (ana@example.org)",,"Ben"
        """,
    ])
    func `an export of contacts is read`(_ text: String) {
        let list = read(text)
        #expect(words(list) == ["ana@example.org (Ana Ortiz)"])
        #expect(list.unread.isEmpty && list.aboutChildren.isEmpty)
    }

    @Test func `ten thousand rows are read, and what comes after them is said`() {
        let rows = (1...10_001).map { "Family \($0),family-\($0)@example.org" }
        for list in [read((["Name,E-mail"] + rows).joined(separator: "\n")), read(rows.joined(separator: "\n"))] {
            #expect(list.entries.count == 10_000 && list.isCut)
        }
        #expect(!read(rows.dropLast().joined(separator: "\n")).isCut)
    }

    @Test(arguments: ["", " ", "\"", ",,,", "sep=", "hello", "Name,E-mail", "\u{FEFF}", "a@", "@@@", "<>"])
    func `nothing is found where there is nothing`(_ text: String) {
        #expect(read(text).entries.isEmpty)
    }

    @Test func `what a page carries is read with the same care`() {
        let list = InvitationList(addresses: "ana@example.org x Ana@example.org ben@bücher.example <b>", most: 9)
        #expect(list.entries.map(\.address) == ["ana@example.org", "ben@xn--bcher-kva.example"])
        let many = (1...600).map { "family-\($0)@example.org" }.joined(separator: " ")
        #expect(InvitationList(addresses: many, most: SiteInvitation.most).entries.count == SiteInvitation.most)
    }
}
