import Forms
import Testing

@Suite struct FieldTests {
    @Test func `good answers become the form's value`() throws {
        let form = try #require(
            FairForm.sent([
                "note": "Bring hats", "age_from": "3", "state": "CA", "tables": "12", "covid_safe": "on", "poster": "9",
                "deposit": "1.05", "copy_to": "ada@example.org", "description": "Fun", "tag": "art",
            ]).value)
        #expect(form.title == "Kite day")
        #expect(form.description == "Fun")
        #expect(form.note == "Bring hats")
        #expect(form.email == "ben@library.example.org")
        #expect(form.copyTo == "ada@example.org")
        #expect(form.password == "correct horse battery")
        #expect(form.spots == 20)
        #expect(form.ageFrom == 3)
        #expect(form.audience == .kids)
        #expect(form.state == "CA")
        #expect(form.tables == 12)
        #expect(form.covidSafe)
        #expect(form.adult)
        #expect(form.children == [3])
        #expect(form.tags == ["art"])
        #expect(form.poster == 9)
        #expect(form.price == Cents(number: 250))
        #expect(form.deposit == Cents(number: 105))
    }

    @Test func `optional fields may stay empty`() throws {
        let form = try #require(FairForm.sent(["note": "   ", "age_from": "\u{200B}"]).value)
        #expect(form.note == nil)
        #expect(form.ageFrom == nil)
        #expect(form.state == nil)
        #expect(form.deposit == nil)
        #expect(form.description == "")
        #expect(!form.covidSafe)
    }

    @Test func `every required field left empty is a problem, in the order of the fields`() {
        let submission = Submission<FairForm>(FormBody())
        #expect(
            submission.problems.map(\.name) == [
                "title", "email", "password", "spots", "audience", "adult", "child", "price",
            ])
        #expect(
            submission.problems.map(\.words.english) == [
                "Give the event a title.", "Fill in “E-mail”.", "Fill in “Password”.", "Fill in “Spots”.",
                "Choose an answer for “For whom?”.", "Check that you are an adult.",
                "Check at least one box of “Who is coming?”.", "Fill in “Price”.",
            ])
        #expect(submission.value == nil)
    }

    @Test func `a text too long says the limit and how many there are now`() {
        let submission = FairForm.sent(["title": String(repeating: "x", count: 21)])
        #expect(
            submission.problem(\.title) == "Shorten “Event title” to 20 characters or fewer: it has 21 now.")
        #expect(submission[\.title].typed == String(repeating: "x", count: 21))
        #expect(FairForm.sent(["title": String(repeating: "x", count: 20)]).isValid)
    }

    @Test func `a text too short says how many it takes`() {
        #expect(
            FairForm.sent(["title": "xy"]).problem(\.title)
                == "Write at least 3 characters for “Event title”: it has 2 now.")
        #expect(FairForm.sent(["note": "x"]).problem(\.note) != nil)
    }

    @Test func `limits count characters as people see them`() {
        #expect(FairForm.sent(["title": String(repeating: "👨‍👩‍👧‍👦", count: 20)]).isValid)
        #expect(!FairForm.sent(["title": String(repeating: "👨‍👩‍👧‍👦", count: 21)]).isValid)
    }

    @Test func `a heap of marks is no single character`() {
        #expect(!FairForm.sent(["title": "abc" + String(repeating: "\u{301}", count: 10_000)]).isValid)
        #expect(FairForm.sent(["title": "abc" + String(repeating: "\u{301}", count: 10)]).isValid)
    }

    @Test func `a password is never trimmed and never given back`() throws {
        let submission = FairForm.sent(["password": "  two spaces\u{200B} ", "title": ""])
        #expect(submission.form.password == "  two spaces\u{200B} ")
        #expect(submission[\.password].all.isEmpty)
        #expect(!submission.hidden.contains { $0.name == "password" })
        // The twin: any other text is both.
        #expect(FairForm.sent(["note": "  two spaces\u{200B} "])[\.note].typed == "two spaces")
    }

    @Test func `a password is counted in characters at least and bytes at most`() {
        #expect(FairForm.sent(["password": "ninechars"]).problem(\.password)?.contains("at least 10") == true)
        #expect(FairForm.sent(["password": "tencharact"]).isValid)
        #expect(FairForm.sent(["password": String(repeating: "ä", count: 10)]).isValid)
        #expect(FairForm.sent(["password": String(repeating: "ä", count: 512)]).isValid)
        #expect(FairForm.sent(["password": String(repeating: "ä", count: 513)]).problem(\.password) != nil)
        #expect(FairForm.sent()[\.password].maxLength == nil)
        #expect(FairForm.sent()[\.password].minLength == 10)
    }

    @Test func `a password with NUL or broken bytes is refused without being shown`() {
        for bytes in ["correct+horse%00battery", "correct+horse%FFbattery"] {
            let submission = FairForm.sent(query: "password=\(bytes)")
            #expect(submission.problem(\.password)?.contains("can’t be read") == true)
            #expect(submission[\.password].all.isEmpty)
        }
        #expect(FairForm.sent(query: "password=correct+horse%EF%BF%BDbattery").problem(\.password) == nil)
    }

    @Test(arguments: ["0", "10001", "ten", "1.5", "99999999999999999999"])
    func `a number outside its range or no number says the range`(typed: String) {
        let submission = FairForm.sent(["spots": typed])
        #expect(submission.problem(\.spots) == "Write “Spots” as a whole number from 1 to 10000.")
        #expect(submission[\.spots].typed == typed)
    }

    @Test func `a choice that wasn't offered is refused`() {
        #expect(
            FairForm.sent(["state": "TX"]).problem(\.state)
                == "What was chosen for “State” isn’t available anymore. Choose again."
        )
        #expect(FairForm.sent(["tables": "26"]).problem(\.tables) != nil)
        #expect(FairForm.sent(["audience": "dogs"]).problem(\.audience) != nil)
        #expect(FairForm.sent(["tag": "chess"]).problem(\.tags) != nil)
    }

    @Test func `a disabled choice is refused`() {
        #expect(FairForm.sent(["audience": "everyone"]).problem(\.audience) != nil)
        #expect(FairForm.sent(["audience": "kids"]).problem(\.audience) == nil)
    }

    @Test func `an answer written another way marks its choice`() {
        let input = FairForm.sent(["tables": "07"])[\.tables]
        #expect(input.choices.filter(\.isChosen).map(\.value) == ["7"])
    }

    @Test func `a box that must be ticked says its own words`() {
        #expect(FairForm.sent(["adult": ""]).problem(\.adult) == "Check that you are an adult.")
        #expect(FairForm.sent(["adult": "0"]).problem(\.adult) == "Check that you are an adult.")
        #expect(FairForm.sent(["adult": "on"]).problem(\.adult) == nil)
        #expect(FairForm.sent(["covid_safe": "perhaps"]).problem(\.covidSafe) != nil)
    }

    @Test func `boxes repeat their name`() {
        let submission = FairForm.sent(query: "child=3&child=5&child=3&tag=art&tag=sport")
        #expect(submission.form.children == [3, 5])
        #expect(submission.form.tags == ["art", "sport"])
        #expect(submission[\.children].all == ["3", "5"])
    }

    @Test func `several answers to one question are refused`() {
        let submission = FairForm.sent(query: "title=Kite+day&title=Knife+day")
        #expect(submission.problem(\.title)?.hasPrefix("Give one answer") == true)
        #expect(submission[\.title].typed == "Kite day")
        #expect(FairForm.sent(query: "title=Kite+day&title=+Kite+day&title=").problem(\.title) == nil)
    }

    @Test func `a hidden value that can't be read is nobody's problem`() {
        let submission = FairForm.sent(["poster": "x%00"])
        #expect(submission.isValid)
        #expect(submission.form.poster == nil)
        #expect(!submission.hidden.contains { $0.name == "poster" })
        #expect(FairForm.sent(["poster": "7"]).hidden.contains { $0 == ("poster", "7") })
    }

    @Test func `a value of the site's own type is read, refused and printed`() {
        #expect(FairForm.sent(["price": "12.05"]).form.price == Cents(number: 1_205))
        #expect(FairForm.sent(["price": "cheap"]).problem(\.price) == "Write the price like 2.50.")
        #expect(Submission(filled: FairForm())[\.price].typed == "0.00")
    }

    @Test func `a value can depend on another field of the body`() {
        #expect(FairForm.sent(["deposit": "500"]).problem(\.deposit) == "Write the deposit like 2.50.")
        #expect(FairForm.sent(["deposit": "500", "currency": "JPY"]).form.deposit == Cents(number: 500))
        #expect(FairForm.sent(["deposit": "5.00", "currency": "JPY"]).problem(\.deposit) != nil)
    }
}

@Suite struct CleanTextTests {
    @Test(arguments: [
        " Kite day ", "\u{A0}Kite day\u{3000}", "\u{200B}\u{FEFF}Kite day\u{200D}\u{2060}", "\r\n\tKite day\r\n",
        "\u{2028}Kite day\u{AD}", "\u{3164}Kite day\u{2800}",
    ])
    func `text is trimmed of all that looks like nothing`(typed: String) {
        #expect(FairForm.sent(["title": typed]).form.title == "Kite day")
        #expect(FairForm.sent(["description": typed]).form.description == "Kite day")
    }

    @Test(arguments: ["❤\u{FE0F}", "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "👨‍👩‍👧", "a\u{301}"])
    func `what belongs to the last character stays`(end: String) {
        #expect(FairForm.sent(["title": "Kite \(end) "]).form.title == "Kite \(end)")
    }

    @Test(arguments: [
        "\u{FFA0}", "\u{2062}", "\u{FFF9}", "\u{1D173}", "\u{3164}", "\u{2800}", "\u{115F}\u{1160}", "\u{FE0F}",
        "\u{E0067}",
        "\u{E007F}", "\u{301}\u{300}\u{302}", "\u{20DD}", "\u{93F}", "\u{17B4}", "\u{180E}", "\u{34F}", "\u{200D}",
        "\u{FEFF}",
        "\u{E0100}", "\u{180B}", "\u{1D159}", "\u{13441}", "\u{202E}", "\u{2066}\u{2069}", "\u{61C}", "\u{AD}",
        "\u{3000}",
    ])
    func `what can't be seen is no text, alone, in company and between blanks`(sign: String) {
        for typed in [sign, sign + sign + sign, "\u{200B}\(sign) \(sign)\u{301}", " \(sign)\u{3164}\u{2063}\(sign) "] {
            for name in ["title", "description", "note"] {
                #expect(FairForm.sent([name: typed]).input(named: name).typed == "", "\(typed.debugDescription)")
            }
            #expect(FairForm.sent(["title": typed]).problem(\.title) == "Give the event a title.")
        }
        // The twin: with a letter it is one.
        #expect(FairForm.sent(["title": sign + "Kite" + sign]).isValid)
    }

    @Test(arguments: [
        "נעמי לוי", "שְׁלֹמֹה", "مُحَمَّد علي", "می‌خواهم", "क्षितिज शर्मा", "श्री", "நிலா", "กัลยา", "Nguyễn Thị Hương", "한글 이름",
        "Zoë O’Connor", "李小龍", "👨‍👩‍👧‍👦", "❤️", "🏳️‍🌈", "👍🏽", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "葛\u{E0100}", "𝒜da", "™", "+", "¿?",
    ])
    func `names and signs of every script stay as they are`(typed: String) {
        #expect(
            FairForm.sent(["note": typed]).input(named: "note").typed.unicodeScalars.elementsEqual(typed.unicodeScalars)
        )
        let long = typed + " ab " + typed
        #expect(FairForm.sent(["description": long]).form.description.unicodeScalars.elementsEqual(long.unicodeScalars))
    }

    @Test func `nothing in a line turns the text around it`() {
        let turned = "\u{202A}Ki\u{202E}te\u{202C} \u{2067}day\u{2069}\u{200E}!\u{200F}\u{61C}?"
        #expect(FairForm.sent(["title": turned]).form.title == "Kite day!?")
        // A text of several lines keeps the marks that put its signs in their place, and no more.
        #expect(FairForm.sent(["description": turned]).form.description == "Kite day\u{200E}!\u{200F}\u{61C}?")
    }

    @Test func `line ends are one character`() {
        let submission = FairForm.sent(["description": "a\r\nb\rc\nd\u{B}e\u{2028}f\u{85}g\r\n\r\nh\n\ri\tj"])
        #expect(submission.form.description == "a\nb\nc\nd\ne\nf\ng\n\nh\n\ni\tj")
    }

    @Test func `a line of text has no line ends`() {
        #expect(FairForm.sent(["title": "Kite\r\nBcc: all\tof us"]).form.title == "Kite Bcc: all of us")
    }

    @Test(arguments: [
        "%00", "%01", "%08", "%1B", "%7F", "%C2%80", "%FF", "%ED%A0%80", "%EF%BF%BF", "%EF%BF%BD", "%C0%AF",
    ])
    func `what can't be read is refused kindly and the rest comes back`(bytes: String) {
        for name in ["title", "description"] {
            let submission = FairForm.sent(query: "\(name)=Kite\(bytes)day&note=hello")
            let input = submission.input(named: name)
            #expect(input.problem?.english.contains("can’t be read") == true)
            #expect(input.typed.hasPrefix("Kite\u{FFFD}") && input.typed.hasSuffix("\u{FFFD}day"))
            #expect(submission[\.note].typed == "hello")
            #expect(submission.value == nil)
        }
    }

    @Test func `the mark sent back unchanged is refused again`() {
        let first = FairForm.sent(query: "title=Kite%FFday")
        let again = FairForm.sent(["title": first[\.title].typed])
        #expect(again.problem(\.title) != nil)
        #expect(FairForm.sent(["title": "Kite day"]).problem(\.title) == nil)
    }
}
