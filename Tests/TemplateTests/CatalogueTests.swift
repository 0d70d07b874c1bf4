import Templating
import Testing

@testable import TemplatePages

/// Words: in English, and through a PO file.
@Suite struct CatalogueTests {
    static let polish = """
        # Polish has three forms.
        msgid ""
        msgstr ""
        "Language: pl\\n"
        "Content-Type: text/plain; charset=UTF-8\\n"
        "Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\\n"

        msgid "No places left."
        msgstr "Brak "
        "miejsc."

        #: words.html:3
        msgid "Hello <b>{name}</b>!"
        msgstr "Cześć, <b>{name}</b>!"

        msgid "Hello {name}, say hi"
        msgstr "{name}: \\"cześć\\" i 'hej' < &amp;"

        msgid "{count} place left"
        msgid_plural "{count} places left"
        msgstr[0] "{count} miejsce"
        msgstr[1] "{count} miejsca"
        msgstr[2] "{count} miejsc"

        msgid "Read <a href=\\"{link}\\">the rules</a>."
        msgstr "<a href=\\"{link}\\">Zasady</a> przeczytaj."

        #, fuzzy
        msgid "{count} more"
        msgstr "niepewne {count}"

        #~ msgid "old"
        #~ msgstr "stare"
        """

    /// The paragraphs.
    private func page(_ count: Int, _ catalogue: Catalogue?) -> [Substring] {
        Templates.words(name: "<Mia>", count: count, link: Link("/rules")).string(catalogue)
            .replacing("<p", with: "\n<p").split(separator: "\n")
    }

    @Test func `English is the source text`() {
        #expect(
            page(1, nil) == [
                "<p>No places left.</p>", "<p>Hello <b>&lt;Mia&gt;</b>!<i>x</i></p>",
                "<p title=\"Hello &lt;Mia&gt;, say hi\">1 place left</p>",
                "<p>Read <a href=\"/rules\">the rules</a>.</p>", "<p data-other=\"{count} more\"></p>",
            ])
        #expect(page(0, nil)[2].hasSuffix(">0 places left</p>"))
    }

    @Test func `a catalogue translates, and its text can't leave an attribute`() throws {
        #expect(
            page(1, Catalogue(parsing: Self.polish)) == [
                "<p>Brak miejsc.</p>", "<p>Cześć, <b>&lt;Mia&gt;</b>!<i>x</i></p>",
                "<p title=\"&lt;Mia&gt;: &#34;cześć&#34; i &#39;hej&#39; &lt; &amp;\">1 miejsce</p>",
                "<p><a href=\"/rules\">Zasady</a> przeczytaj.</p>", "<p data-other=\"{count} more\"></p>",
            ])
    }

    @Test(arguments: [
        (0, "miejsc"), (1, "miejsce"), (2, "miejsca"), (4, "miejsca"), (5, "miejsc"), (12, "miejsc"), (22, "miejsca"),
        (25, "miejsc"), (102, "miejsca"), (112, "miejsc"),
    ])
    func `Polish has its three forms`(count: Int, word: String) throws {
        #expect(page(count, Catalogue(parsing: Self.polish))[2].hasSuffix(">\(count) \(word)</p>"))
    }

    @Test(arguments: [
        ("nplurals=1; plural=0", [0: 0, 1: 0, 7: 0]),
        ("nplurals=2; plural=n>1;", [0: 0, 1: 0, 2: 1]),
        ("nplurals=2; plural=(n != 1);", [0: 1, 1: 0, 2: 1, -1: 0, .min: 1]),
        ("nplurals=3; plural=n%10==1 && n%100!=11 ? 0 : n != 0 ? 1 : 2;", [0: 2, 1: 0, 11: 1, 21: 0]),
        (
            "nplurals=6; plural=n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5;",
            [0: 0, 1: 1, 2: 2, 3: 3, 11: 4, 100: 5]
        ),
        ("nplurals=2; plural=!(n==1)", [1: 0, 2: 1]),
        ("nplurals=2; plural=n/1*1+1-1 <= 1 || n >= 1000 ? 0 : 1", [1: 0, 2: 1]),
    ])
    func `the plural expressions of PO files are C's`(header: String, forms: [Int: Int]) {
        let count = Int(header.dropFirst("nplurals=".count).prefix(1))!
        let text =
            "msgid \"\"\nmsgstr \"Plural-Forms: \(header)\\n\"\nmsgid \"a\"\nmsgid_plural \"b\"\n"
            + (0..<count).map { "msgstr[\($0)] \"form \($0)\"\n" }.joined()
        let catalogue = Catalogue(parsing: text)
        for (number, form) in forms {
            var buffer = HTMLBuffer(catalogue: catalogue)
            buffer.text(Phrase(message: "a", plural: ("b", number)))
            #expect(String(decoding: buffer.finish(), as: UTF8.self) == "form \(form)", "\(number)")
        }
    }

    struct Phrase: Translatable {
        var message: String
        var context: String?
        var plural: (message: String, count: Int)?
        var arguments: [String: String] = [:]
        var nested: [String: Phrase] = [:]

        func text(for name: String, in locale: String) -> String? { nested[name] == nil ? arguments[name] : nil }
        func words(for name: String) -> Phrase? { nested[name] }
    }

    private func draw(_ phrase: Phrase, _ catalogue: Catalogue? = nil) -> String {
        var buffer = HTMLBuffer(catalogue: catalogue)
        buffer.text(phrase)
        return String(decoding: buffer.finish(), as: UTF8.self)
    }

    @Test func `words are filled, translated and escaped, words within words first`() throws {
        let phrase = Phrase(
            message: "{label} has <{max}> {other}", arguments: ["max": "\"7\""],
            nested: ["label": Phrase(message: "Name")])
        #expect(draw(phrase) == "Name has &lt;&#34;7&#34;&gt; {other}")
        let catalogue = Catalogue(
            parsing:
                "msgid \"{label} has <{max}> {other}\"\nmsgstr \"{max} <{label}> ma\"\n"
                + "msgid \"Name\"\nmsgstr \"Imię & <\""
        )
        #expect(draw(phrase, catalogue) == "&#34;7&#34; &lt;Imię &amp; &lt;&gt; ma")
        #expect(
            draw(Phrase(message: "{count} day", plural: ("{count} days", 2), arguments: ["count": "2"])) == "2 days")
        #expect(draw(Phrase(message: "a {} { {a b} {x")) == "a {} { {a b} {x")
    }

    @Test(arguments: [
        ("msgid \"a\"\nmsgstr \"<script>x</script>\"", 1, "tags differ"),
        ("msgid \"<b>a</b>\"\nmsgstr \"<b onclick=\\\"x\\\">a</b>\"", 1, "tags differ"),
        ("msgid \"<b>a</b>\"\nmsgstr \"a\"", 1, "tags differ"),
        ("msgid \"a\"\nmsgstr \"b <script \"", 1, "tags differ"),
        ("msgid \"a\"\nmsgstr \"b <!-- \"", 1, "tags differ"),
        ("msgid \"<b>a</b>\"\nmsgstr \"<b>a</b\"", 1, "tags differ"),
        ("msgid \"<b title='>a'>\"\nmsgstr \"<b title='>a' onclick=x>\"", 1, "tags differ"),
        ("msgid \"Hi {name}\"\nmsgstr \"{nom}\"", 1, "no placeholder {nom}"),
        ("msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"x\"", 1, "2 plural forms"),
        ("msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[1] \"x\"", 3, "doesn't fit"),
        ("msgid \"a\"\nmsgstr \"b\"\n\nmsgid \"a\"\nmsgstr \"c\"", 4, "twice"),
        ("msgid \"a\"", 1, "no msgstr"), ("msgstr \"a\"", 1, "begins with msgid"), ("\"a\"", 1, "begins with msgid"),
        ("msgid \"a", 1, "not closed"), ("msgid \"a\" b", 1, "follows"), ("msgid a", 1, "missing"),
        ("msgid \"a\\q\"", 1, "known"), ("what \"a\"", 1, "begins with msgid"),
        ("msgid \"a\"\nwhat \"b\"", 2, "doesn't fit"),
        ("msgid \"\"\nmsgstr \"Plural-Forms: nplurals=2; plural=n+;\\n\"", 1, "can't be read"),
        ("msgid \"\"\nmsgstr \"Plural-Forms: nplurals=2; plural=n;\\n\"", 1, "no form for 2"),
        ("msgid \"\"\nmsgstr \"Plural-Forms: nplurals=2; plural=exec(1);\\n\"", 1, "can't be read"),
    ])
    func `a bad message is left out with its line, and the others are read`(
        text: String, line: Int, reason: String
    ) throws {
        let catalogue = Catalogue(parsing: text + "\n\nmsgid \"good\"\nmsgstr \"dobre\"\n")
        let problem = try #require(catalogue.problems.first)
        #expect(catalogue.problems.count == 1 && problem.line == line && problem.reason.contains(reason), "\(problem)")
        #expect(catalogue.translation(of: "good") != nil)
        for bad in ["a", "<b>a</b>", "Hi {name}"] where !reason.contains("twice") {
            #expect(catalogue.translation(of: bad) == nil)
            #expect(catalogue.translation(of: bad, plural: "b", count: 1) == nil)
        }
    }

    @Test func `a context tells two messages of the same English apart`() {
        let catalogue = Catalogue(
            parsing: """
                msgid "Left"
                msgstr "W lewo"

                msgctxt "places that are left"
                msgid "Left"
                msgstr "Zostało"

                msgctxt "days"
                msgid "{count} left"
                msgid_plural "{count} left"
                msgstr[0] "{count} został"
                msgstr[1] "{count} zostało"
                """)
        func left(_ count: Int, _ context: String?) -> String {
            draw(
                Phrase(
                    message: "{count} left", context: context, plural: ("{count} left", count),
                    arguments: ["count": "\(count)"]), catalogue)
        }
        #expect(catalogue.problems == [])
        #expect(draw(Phrase(message: "Left"), catalogue) == "W lewo")
        #expect(draw(Phrase(message: "Left", context: "places that are left"), catalogue) == "Zostało")
        #expect(draw(Phrase(message: "Left", context: "another"), catalogue) == "Left")
        #expect(left(1, "days") == "1 został" && left(2, "days") == "2 zostało" && left(2, nil) == "2 left")
    }

    @Test func `a bad context hides the message that it belongs to`() {
        let catalogue = Catalogue(parsing: "msgctxt \"a\nmsgid \"b\"\nmsgstr \"c\"\n\nmsgid \"d\"\nmsgstr \"e\"")
        #expect(catalogue.translation(of: "b") == nil && catalogue.translation(of: "d") != nil)
    }

    @Test(arguments: [("(", 9_000), ("0+", 90_000)])
    func `a rule that goes on and on is refused`(part: String, times: Int) {
        let rule = String(repeating: part, count: times) + (part == "(" ? "" : "0")
        let header = "msgid \"\"\nmsgstr \"Plural-Forms: nplurals=1; plural=\(rule)\""
        let problem = Catalogue(parsing: header).problems.first
        #expect(problem?.line == 1 && problem?.reason.contains("can't be read") == true)
    }

    @Test func `tags may change their order, and other signs are free`() throws {
        let catalogue = Catalogue(
            parsing: "msgid \"<b>{x}</b> <i>a</i>\"\nmsgstr \"<i>a < 3</i> <b>b > & {x}</b>\"")
        #expect(catalogue.translation(of: "<b>{x}</b> <i>a</i>") != nil)
        #expect(catalogue.translation(of: "missing") == nil)
        #expect(Catalogue(parsing: Self.polish).language == "pl")
    }
}
