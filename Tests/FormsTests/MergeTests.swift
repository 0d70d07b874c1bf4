import Forms
import Testing

/// What two people do to one thing: the form on top of what is stored by now.
@Suite struct MergeTests {
    private struct ChildForm: Form {
        var name = ""
        var note: String?
        var year: Int?
        var tags: [String] = []
        var isShy = false
        var picture: Int?
        var isOff = false
        static let fields: [Field<ChildForm>] = [
            .text("name", \.name, "Name", 1...30),
            .area("note", \.note, "Note", 1...500),
            .number("year", \.year, "Year", 2000...2100),
            .checkboxes("tag", \.tags, "Tags", options: ["art", "sport"].map { Choice($0, Words(verbatim: $0)) }),
            .checkbox("shy", \.isShy, "Shy"),
            .hidden("picture", \.picture),
            .file("picture_file", "Picture", accept: "image/*"),
            .checkbox("picture_off", \.isOff, "Take it off"),
        ]
    }

    private struct ShiftForm: Form {
        var id: Int?
        var name = ""
        var spots: Int?
        static let fields: [Field<ShiftForm>] = [
            .hidden("id", \.id), .text("name", \.name, "What", 1...30), .number("spots", \.spots, "Places", 1...100),
        ]
    }

    /// A form that was drawn from something, filled in by a visitor.
    private struct Typed {
        var pairs: [(name: String, value: String)]

        init(_ page: Submission<ChildForm>, _ rows: Rows<ShiftForm> = Rows("shift", most: 9), isOld: Bool = false) {
            pairs = page.hidden + rows.hidden
            if isOld { pairs.removeAll { $0.name == "drawn" } }
        }

        subscript(_ name: String) -> String? {
            get { pairs.first { $0.name == name }?.value }
            set {
                pairs.removeAll { $0.name == name }
                if let newValue { pairs.append((name, newValue)) }
            }
        }

        var body: FormBody {
            get throws {
                try FormBody(query: pairs.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&"))
            }
        }

        func sent(onto stored: ChildForm, by other: String? = "Alex") throws -> Submission<ChildForm> {
            Submission(try body.merged(onto: Submission(changing: stored), by: other))
        }
    }

    private static let mo = ChildForm(name: "Mo", note: "Nuts", year: 2020, tags: ["art"], isShy: true, picture: 7)

    @Test func `a field that wasn't touched keeps what is stored by now`() throws {
        var typed = Typed(Submission(changing: Self.mo))
        typed["name"] = "Moritz"
        var stored = Self.mo
        (stored.note, stored.year, stored.tags, stored.isShy, stored.picture) = ("PEANUTS", nil, ["sport"], false, 8)
        let form = try #require(try typed.sent(onto: stored).value)
        #expect(form.name == "Moritz" && form.note == "PEANUTS" && form.year == nil && form.tags == ["sport"])
        #expect(!form.isShy && form.picture == 8)
    }

    /// The twin: a form that says nothing of what it was drawn from sets all back.
    @Test func `without what it was drawn from all of it counts`() throws {
        var typed = Typed(Submission(changing: Self.mo), isOld: true)
        typed["name"] = "Moritz"
        var stored = Self.mo
        stored.note = "PEANUTS"
        #expect(try typed.sent(onto: stored).value?.note == "Nuts")
    }

    @Test func `what both changed comes back with both texts, and is kept when it is sent again`() throws {
        var typed = Typed(Submission(changing: Self.mo))
        typed["note"] = "Almonds"
        typed["name"] = "Moritz"
        var stored = Self.mo
        stored.note = "PEANUTS\nsevere"
        let sent = try typed.sent(onto: stored)
        #expect(sent.value == nil && sent[\.note].typed == "Almonds")
        #expect(sent.problems.map(\.name) == ["note"])
        #expect(sent.problem(\.note)?.contains("was changed meanwhile by Alex.") == true)
        #expect(sent[\.note].theirs?.map(\.english) == ["PEANUTS\nsevere"])
        let again = Typed(sent)
        #expect(try again.sent(onto: stored).value?.note == "Almonds")
        #expect(try again.sent(onto: stored).value?.name == "Moritz")
        // Once more by the other, and it comes back once more.
        stored.note = "Almonds and peanuts"
        #expect(try again.sent(onto: stored).value == nil)
        #expect(
            try again.sent(onto: stored, by: nil).problem(\.note)?.contains("in another tab or on another device")
                == true)
    }

    @Test func `each kind of field is compared, emptied ones too`() throws {
        var stored = Self.mo
        (stored.note, stored.year, stored.tags, stored.isShy) = (nil, 2021, ["sport"], false)
        for (name, value) in [("note", "Almonds"), ("year", "2019"), ("tag", "")] {
            var typed = Typed(Submission(changing: Self.mo))
            typed[name] = value.isEmpty ? nil : value
            let sent = try typed.sent(onto: stored)
            #expect(sent.problems.map(\.name) == [name], "\(name)")
        }
        var typed = Typed(Submission(changing: Self.mo))
        typed["note"] = "Almonds"
        #expect(try typed.sent(onto: stored)[\.note].theirs?.isEmpty == true)
        typed["note"] = nil
        #expect(try typed.sent(onto: stored).isValid, "Both emptied it.")
        typed = Typed(Submission(changing: Self.mo))
        (typed["note"], typed["tag"], typed["shy"], typed["year"]) = (nil, nil, nil, nil)
        let form = try #require(try typed.sent(onto: Self.mo).value)
        #expect(form.note == nil && form.tags.isEmpty && !form.isShy && form.year == nil)
    }

    @Test func `line ends and blanks around are no change`() throws {
        var stored = Self.mo
        stored.note = "a\n\nb"
        var typed = Typed(Submission(changing: stored))
        typed["note"] = " a\r\n\r\nb \r\n"
        stored.note = "c"
        #expect(try typed.sent(onto: stored).value?.note == "c")
    }

    @Test func `the same change by both is none`() throws {
        var typed = Typed(Submission(changing: Self.mo))
        typed["note"] = "PEANUTS"
        var stored = Self.mo
        stored.note = "PEANUTS"
        #expect(try typed.sent(onto: stored).isValid)
    }

    @Test func `a problem of another field sends back what is stored by now`() throws {
        var typed = Typed(Submission(changing: Self.mo))
        typed["year"] = "next"
        var stored = Self.mo
        stored.note = "PEANUTS"
        let sent = try typed.sent(onto: stored)
        #expect(sent.problems.map(\.name) == ["year"] && sent[\.note].typed == "PEANUTS")
        var again = Typed(sent)
        again["year"] = "2022"
        stored.name = "Moritz"
        let form = try #require(try again.sent(onto: stored).value)
        #expect(form.note == "PEANUTS" && form.year == 2022 && form.name == "Moritz")
    }

    @Test func `what was drawn survives a preview, and a forged one is none`() throws {
        let page = Submission<ChildForm>(try Typed(Submission(changing: Self.mo)).body)
        #expect(page.carried.contains { $0.name == "drawn" } && page.hidden.contains { $0.name == "drawn" })
        for text in ["", "x", "AAAAAAA!", "ßßßßßßßß", String(repeating: "A", count: 9)] {
            var typed = Typed(Submission(changing: Self.mo))
            typed["drawn"] = text
            var stored = Self.mo
            stored.note = "PEANUTS"
            #expect(try typed.sent(onto: stored).value?.note == "Nuts", "\(text)")
        }
    }

    @Test func `a change between merge and write is found`() throws {
        var typed = Typed(Submission(changing: Self.mo))
        typed["name"] = "Moritz"
        let sent = try typed.sent(onto: Self.mo)
        try sent.requireUnchanged(since: Submission(changing: Self.mo))
        var stored = Self.mo
        stored.note = "PEANUTS"
        #expect(throws: ChangedMeanwhile.self) { try sent.requireUnchanged(since: Submission(changing: stored)) }
        // One that says nothing has nothing to compare with.
        let old = try Typed(Submission(changing: Self.mo), isOld: true).sent(onto: Self.mo)
        try old.requireUnchanged(since: Submission(changing: stored))
    }

    @Test func `what says the same as what is stored is no change`() throws {
        func isChange(_ typed: Typed, onto stored: ChildForm = Self.mo) throws -> Bool {
            try typed.sent(onto: stored).isChange(of: Submission(changing: stored))
        }
        let drawn = Typed(Submission(changing: Self.mo))
        #expect(try !isChange(drawn))
        let old = Typed(Submission(changing: Self.mo), isOld: true)
        #expect(try !isChange(old))
        let changes: [(name: String, value: String?)] = [
            ("name", "Moritz"), ("note", nil), ("year", "2021"), ("tag", "sport"), ("shy", nil), ("picture", "9"),
        ]
        for (name, value) in changes {
            var typed = drawn
            typed[name] = value
            #expect(try isChange(typed), "\(name)")
        }
        // What was typed once more, and what others stored meanwhile.
        var again = drawn
        again["name"] = " Moritz "
        var stored = Self.mo
        (stored.name, stored.note) = ("Moritz", "PEANUTS")
        #expect(try !isChange(again, onto: stored))
        #expect(try !isChange(drawn, onto: stored))
        // It is compared in the transaction as well.
        let sent = try drawn.sent(onto: Self.mo)
        #expect(throws: ChangedMeanwhile.self) { try sent.isChange(of: Submission(changing: stored)) }
    }

    @Test func `a picture that one chose anew and the other took off comes back`() throws {
        var typed = Typed(Submission(changing: Self.mo))
        typed["picture_off"] = "1"
        var stored = Self.mo
        #expect(try typed.sent(onto: stored).isValid)
        stored.picture = 8
        let sent = try typed.sent(onto: stored)
        #expect(sent.problems.map(\.name) == ["picture_file"] && sent.form.picture == 8 && !sent.form.isOff)
        typed["picture_off"] = nil
        typed["picture"] = "9"
        let other = try typed.sent(onto: stored)
        #expect(other.problems.map(\.name) == ["picture_file"] && other.form.picture == 9)
        #expect(try Typed(other).sent(onto: stored).value?.picture == 9)
    }

    @Test func `a form that was sent before with other words is one of its own`() throws {
        let body = try Typed(Submission(filled: Self.mo, once: String(repeating: "a", count: 22))).body
        let first = Submission<ChildForm>(body)
        let again = Submission<ChildForm>(body.renewed(because: "Sent before."))
        #expect(first.isValid && again.problems.map(\.words) == ["Sent before."] && again.once != first.once)
        #expect(again[\.note].typed == "Nuts" && body.renewed(because: "x").isRenewed && !body.isRenewed)
        // The same is the same, whatever its number; another word makes it another.
        #expect(first.digest() == again.digest())
        var other = Self.mo
        other.tags = ["sport"]
        #expect(first.digest() != Submission(filled: other).digest())
    }

    // MARK: Rows

    private func rows(_ shifts: [ShiftForm]) -> Rows<ShiftForm> { Rows("shift", most: 9, filled: shifts) }

    private func sent(_ typed: Typed, onto shifts: [ShiftForm]) throws -> Rows<ShiftForm> {
        let page = Submission(changing: Self.mo, rows: rows(shifts).answers)
        return Rows("shift", most: 9, try typed.body.merged(onto: page, by: "Alex"))
    }

    private static let two = [ShiftForm(id: 1, name: "Soup", spots: 4), ShiftForm(id: 2, name: "Bread", spots: nil)]

    private func typed(_ shifts: [ShiftForm] = two, isOld: Bool = false) -> Typed {
        Typed(Submission(changing: Self.mo, rows: rows(shifts).answers), rows(shifts), isOld: isOld)
    }

    @Test func `a row that the form never had stays, and so does what others changed in one`() throws {
        var typed = typed()
        typed["shift.0.name"] = "Stew"
        var now = Self.two + [ShiftForm(id: 3, name: "Tea", spots: 2)]
        now[0].spots = 9
        now[1].name = "Rolls"
        let values = try #require(try sent(typed, onto: now).values)
        #expect(values.map(\.id) == [1, 2, 3] && values.map(\.name) == ["Stew", "Rolls", "Tea"])
        #expect(values.map(\.spots) == [9, nil, 2])
    }

    /// The twin of the one before.
    @Test func `without what it was drawn from the row is gone`() throws {
        let typed = typed(isOld: true)
        #expect(try sent(typed, onto: Self.two + [ShiftForm(id: 3, name: "Tea")]).values?.map(\.id) == [1, 2])
    }

    @Test func `a row is known by its number, wherever it stands`() throws {
        var typed = typed()
        (typed["shift.0.id"], typed["shift.0.name"], typed["shift.0.spots"]) = ("2", "Bread", "5")
        (typed["shift.1.id"], typed["shift.1.name"], typed["shift.1.spots"]) = ("1", "Soup", "4")
        var now = Self.two
        now[0].name = "Stew"
        let values = try #require(try sent(typed, onto: now).values)
        #expect(
            values.map(\.id) == [2, 1] && values.map(\.name) == ["Bread", "Stew"] && values.map(\.spots) == [5, 4])
    }

    @Test func `a row taken out is gone, one that the other took out too, and a new one is added`() throws {
        var typed = typed()
        typed.pairs.removeAll { $0.name.hasPrefix("shift.0.") }
        typed.pairs += [("shift.7.name", "Tea"), ("shift.7.spots", "")]
        #expect(try sent(typed, onto: Self.two).values?.map(\.name) == ["Bread", "Tea"])
        #expect(try sent(typed, onto: [Self.two[0]]).values?.map(\.name) == ["Tea"])
    }

    @Test func `a new row that is sent twice is one, and another of the same words is another`() throws {
        var typed = typed()
        typed.pairs += [("shift.7.name", "Tea"), ("shift.7.spots", "2")]
        let now = Self.two + [ShiftForm(id: 3, name: "Tea", spots: 2)]
        #expect(try sent(typed, onto: now).values?.map(\.id) == [1, 2, 3])
        let page = Submission(changing: Self.mo, rows: rows(now).answers)
        let whole = Submission<ChildForm>(try typed.body.merged(onto: page, by: "Alex"))
        let meant = Submission(changing: whole.form, rows: try sent(typed, onto: now).answers)
        #expect(try !whole.isChange(of: page, to: meant))
        #expect(try whole.isChange(of: page, to: Submission(changing: whole.form, rows: rows(Self.two).answers)))
        typed.pairs += [("shift.8.name", "Tea"), ("shift.8.spots", "2")]
        #expect(try sent(typed, onto: now).values?.map(\.id) == [1, 2, 3, nil])
        // One that was drawn already is another.
        var later = self.typed(now)
        later.pairs += [("shift.7.name", "Tea"), ("shift.7.spots", "2")]
        #expect(try sent(later, onto: now).values?.map(\.id) == [1, 2, 3, nil])
    }

    @Test func `a column emptied by one is empty`() throws {
        var typed = typed()
        typed["shift.0.spots"] = ""
        #expect(try sent(typed, onto: Self.two).values?.map(\.spots) == [nil, nil])
        var now = Self.two
        now[0].spots = 8
        #expect(try sent(typed, onto: now).problems.map(\.name) == ["shift.0.spots"])
    }

    @Test func `a field of a row that both changed, and a row that one changed and the other took out`() throws {
        var typed = typed()
        typed["shift.0.name"] = "Stew"
        var now = Self.two
        now[0].name = "Chili"
        let both = try sent(typed, onto: now)
        #expect(both.problems.map(\.name) == ["shift.0.name"] && both.rows[0][\.name].typed == "Stew")
        #expect(both.rows[0][\.name].theirs?.map(\.english) == ["Chili"])

        let gone = try sent(typed, onto: [Self.two[1]])
        #expect(gone.problems.first?.words.english.hasPrefix("Removed meanwhile by Alex") == true)
        #expect(gone.rows.map(\.form.id) == [nil, 2] && gone.rows[0].form.name == "Stew")

        typed.pairs.removeAll { $0.name.hasPrefix("shift.0.") }
        let kept = try sent(typed, onto: now)
        #expect(kept.problems.count == 1 && kept.rows.map(\.form.name) == ["Bread", "Chili"])
    }

    @Test func `a row emptied by hand is taken out, and one that the other changed comes back`() throws {
        var typed = typed()
        (typed["shift.0.name"], typed["shift.0.spots"]) = (" ", "")
        #expect(try sent(typed, onto: Self.two).values?.map(\.id) == [2])
        var now = Self.two
        now[0].spots = 9
        let kept = try sent(typed, onto: now)
        #expect(kept.values == nil && kept.rows.map(\.form.id) == [2, 1] && kept.rows[1].form.spots == 9)
        #expect(kept.problems.first?.words.english.contains("you removed it") == true)
        // The other took it out too.
        #expect(try sent(typed, onto: [Self.two[1]]).values?.map(\.id) == [2])
    }

    @Test func `a number that comes twice is one row, and what else was typed there is another`() throws {
        var typed = typed()
        typed.pairs += [("shift.2.id", "1"), ("shift.2.name", "Soup"), ("shift.2.spots", "4")]
        #expect(try sent(typed, onto: Self.two).values?.map(\.id) == [1, 2])
        typed["shift.2.name"] = "Tea"
        let values = try #require(try sent(typed, onto: Self.two).values)
        #expect(values.map(\.id) == [1, 2, nil] && values.map(\.name) == ["Soup", "Bread", "Tea"])
    }
}
