import Forms
import Passwords
import Testing

@testable import App
@testable import Templating

/// Names that others read, and hosts that links lead to: what looks like something else isn't shown as it.
@Suite struct NameTests {
    @Test(arguments: [
        "✓ Verified", "King Library ✔", "☑️ King Library", "King Library (verified)", "𝐕𝐞𝐫𝐢𝐟𝐢𝐞𝐝 Library",
        "Ｖｅｒｉｆｉｅｄ", "✅", "K\u{202E}ing", "King\u{200B}", "Kіng Library", "Ѕchool", "Αna", "Αнна Paпk",
        "King Library (geprüft)", "Verificado", "مكتبة موثّقة", "المكتبة الموثقة", "ꪜ King Library",
        "Biblioteca (Verificada)", "Con verificación", "verifizierter Verein",
    ])
    func `marks, unseen signs and mixed alphabets are refused`(name: String) {
        #expect(Name.problem(name) != nil)
    }

    @Test func `initials of ASCII are found by bytes as those of any name`() {
        let names = [
            "Ana Ortiz", "ben the old man", "X", " a  b", "", "  ", "-x y", "-- x-y", "o'Neill & sons", "9 lives",
            "...", "St. Mary's", "a\tb c", "José ä", "A\u{301}na Ortiz", "Zoë", "\u{1F98A} fox", "ß b",
        ]
        for name in names {
            func plain(_ isPart: (Character) -> Bool) -> String {
                name.split { !isPart($0) }.prefix(2).compactMap(\.first).map { $0.uppercased() }.joined()
            }
            #expect(name.initials() == plain { $0.isLetter || $0.isNumber }, "\(name)")
            #expect(name.initials(atSpaces: true) == plain { $0 != " " }, "\(name)")
        }
    }

    @Test func `a form says so beside the field`() {
        for name in ["✓ Verified", "Kіng Library"] {
            let form = Submission<PersonForm>(["display_name": name])
            #expect(form.problems.contains { $0.name == "display_name" })
        }
        #expect(
            !Submission<PersonForm>(["display_name": "King Library"]).problems.contains { $0.name == "display_name" })
    }

    @Test(arguments: [
        "King Library", "Аня Иванова", "Мария Smith", "Ελένη", "親子水泳教室 Lego", "Lego教室", "Zoë O’Neill-Łukasz",
        "نور حداد", "Nguyễn Thị", "Kids 4 U", "한국어 School", "می‌خواهم", "José", "👩‍👧 Family", "Certified Carers",
        "Geprüfte Tagesmutter", "مكتب موثق",
    ])
    func `names of all the world are taken`(name: String) { #expect(Name.problem(name) == nil) }

    @Test func `a host of several alphabets is shown as it is looked up`() {
        #expect(OutsideLink.host(of: "https://раypal.example/x") == "xn--ypal-43d9g.example")
        #expect(OutsideLink.host(of: "https://www.bücher.example") == "bücher.example")
        #expect(OutsideLink.host(of: "https://例え.テスト") == "例え.テスト")
        let drawn = HTML.paragraphs(of: "See https://раypal.example/a or https://bücher.example.").string
        #expect(drawn.contains(">https://xn--ypal-43d9g.example/a</a>"))
        #expect(drawn.contains(">https://bücher.example</a>"))
    }

    @Test func `a password opens however its letters and blanks are composed`() throws {
        let composed = "K\u{E4}se und Br\u{F6}tchen"
        let decomposed = "Ka\u{308}se und Bro\u{308}tchen"
        let unbroken = "K\u{E4}se\u{A0}und\u{202F}Br\u{F6}tchen"
        // Accounts from before keep the bytes that were typed.
        for stored in [composed, decomposed, unbroken, TypedPassword(decomposed).canonical] {
            let hash = try Password.hash(stored, cost: .cheap)
            #expect(TypedPassword(stored).verify(against: hash).isRight)
            #expect(!TypedPassword("Kase und Brotchen").verify(against: hash).isRight)
        }
        let hash = try Password.hash(TypedPassword(composed).canonical, cost: .cheap)
        for typed in [composed, decomposed, unbroken] { #expect(TypedPassword(typed).verify(against: hash).isRight) }
        let old = try Password.hash(decomposed, cost: .cheap)
        #expect(TypedPassword(composed).verify(against: old) == (true, true))
        #expect(!Password.verify(decomposed, against: hash), "the twin: the bytes differ")
    }
}
