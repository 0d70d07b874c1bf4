import Testing

@testable import App

/// Which language somebody gets who asks for these.
@Suite struct AcceptLanguageTests {
    private static let languages = ["en", "pl", "pt-BR", "zh-Hant", "de"]

    private func best(_ field: String?) -> String { Self.languages[AcceptLanguage(field).best(of: Self.languages)] }

    @Test(arguments: [
        ("pl", "pl"), ("PL-pl", "pl"), ("pl-PL,pl;q=0.9,en-US;q=0.8,en;q=0.7", "pl"), ("pt", "pt-BR"),
        ("pt-PT, de;q=0.5", "pt-BR"), ("zh-TW, zh;q=0.5, de;q=0.4", "zh-Hant"), ("en-GB,en;q=0.9,de;q=0.8", "en"),
        ("fr, de;q=0.1", "de"), ("de;q=0.5, pl;q=0.8", "pl"), ("de, pl", "de"), ("pl, de", "pl"),
        (" de ; q=0.5 , pl;q=0.400", "de"), ("*", "en"), ("de;q=0.3, *;q=0.5", "en"), ("en;q=0, *", "pl"),
        ("en;q=0, pl;q=0, *", "pt-BR"), ("fr", "en"), ("en-US;q=0, de;q=0.1", "de"),
    ])
    func `what is liked most is taken`(field: String, expected: String) {
        #expect(best(field) == expected)
    }

    @Test(arguments: [
        nil, "", ",", ";;;", "pl;q=0", "pl;q=2", "pl;q=-1", "pl;q=", "pl;q=0.0001", "pl;level=1", "pl/de", "p",
        "polish-",
        "-pl", "pl--x", "12", "*;q=0", "pl;q=0, *;q=0", "\u{FFFD}", "pl\u{0}",
    ])
    func `what is no wish gives English`(field: String?) {
        #expect(best(field) == "en")
    }

    @Test func `a long field is read to its limits`() {
        let many = Array(repeating: "fr", count: AcceptLanguage.mostRanges).joined(separator: ",")
        #expect(best(many + ",pl") == "en")
        #expect(best(many.dropFirst(3) + ",pl") == "pl")
        #expect(best(String(repeating: " ", count: AcceptLanguage.mostBytes) + ",pl") == "en")
        // A range that is cut off is no range.
        #expect(best("de;q=0.1," + String(repeating: " ", count: AcceptLanguage.mostBytes - 11) + "pl-cut") == "de")
        #expect(best(String(repeating: "pl;q=0.5,", count: 100_000)) == "pl")
    }

    // The arguments stay short: each is printed whole in the log of the tests.
    @Test(arguments: [(",", 1_001), (",", 100_000), ("x", 1_001), (", ", 999), ("de,", 500)])
    func `a field beyond the limits is read as far as they go`(_ piece: String, _ count: Int) {
        #expect(Self.languages.contains(best(String(repeating: piece, count: count))))
    }
}
