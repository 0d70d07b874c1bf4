import Forms
import Testing

@Suite struct FormValueTests {
    @Test(arguments: [
        ("0", 0), ("007", 7), ("+5", 5), ("-5", -5), ("\u{2212}5", -5), ("1,000", 1_000), ("12 345 678", 12_345_678),
        ("1'000", 1_000), ("1\u{202F}000", 1_000), ("-1,000", -1_000), ("٣٤", 34), ("１２", 12),
        ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min), ("9,223,372,036,854,775,807", Int.max),
    ])
    func `a number is read as people write it`(typed: String, number: Int) {
        #expect(Int(typed: typed) == number)
    }

    @Test(arguments: [
        "", "-", "+", ",", "ten", "1.5", "1.000", "1,00", "10,00", "1,0000", "1000,000", ",100", "1,000,", "1,000 000",
        "1,,000", "1 2", "0x10", "1e3", "--1", "²", "½", "Ⅷ", "五", "9223372036854775808", "-9223372036854775809",
        "99999999999999999999999999999999", "1\u{301}",
    ])
    func `what isn't surely a number is refused`(typed: String) {
        #expect(Int(typed: typed) == nil)
    }

    @Test func `where a comma stands before parts, a point stands between thousands`() {
        for (typed, number) in [("1.000", 1_000), ("12.345.678", 12_345_678), ("1,000", 1_000), ("1000", 1_000)] {
            #expect(Int(typed: typed, point: ",") == number, "\(typed)")
        }
        for typed in ["1.00", "1.5", "1.0000", "1.000,5", "1.000,000", "."] {
            #expect(Int(typed: typed, point: ",") == nil, "\(typed)")
        }
        #expect(Int(typed: "1.000", point: ".") == nil)
    }

    @Test(arguments: [Int.min, -1, 0, 1, 999, 1_000, Int.max])
    func `a number printed is the number read`(number: Int) {
        #expect(Int(typed: number.typed) == number)
    }

    @Test(arguments: [
        ("", ""), (" ", ""), ("San  Jose ", "San Jose"), ("\tSan\u{2003}José\r\n", "San José"), ("a b", "a b"),
        ("a \u{301}b", "a \u{301}b"),
    ])
    func `words have one blank between them`(typed: String, words: String) {
        #expect(Array(typed.squeezed.unicodeScalars) == Array(words.unicodeScalars))
        #expect(typed.squeezed.squeezed == typed.squeezed)
    }

    @Test func `yes and no are read, anything else is refused`() {
        #expect(Bool(typed: "1") == true)
        #expect(Bool(typed: "On") == true)
        #expect(Bool(typed: "0") == false)
        #expect(Bool(typed: "maybe") == nil)
        #expect(Bool(typed: true.typed) == true)
        #expect(Bool(typed: false.typed) == false)
    }

    @Test func `an enum with raw values is a value`() {
        #expect(FairForm.Audience(typed: "kids") == .kids)
        #expect(FairForm.Audience(typed: "dogs") == nil)
        #expect(FairForm.Audience.everyone.typed == "everyone")
    }

    @Test(arguments: [
        ("ada@example.org", "ada@example.org"), ("Ada.L+kids@Mail.Example.ORG", "Ada.L+kids@mail.example.org"),
        ("o'brien_{x}@a-b.co", "o'brien_{x}@a-b.co"), ("ada@example.org.", "ada@example.org"),
        ("eva@bücher.example", "eva@xn--bcher-kva.example"), ("EVA@BÜCHER.example", "EVA@xn--bcher-kva.example"),
        ("eva@bu\u{308}cher.example", "eva@xn--bcher-kva.example"), ("info@例え.テスト", "info@xn--r8jz45g.xn--zckzah"),
        ("ｅｖａ＠ｅｘａｍｐｌｅ．ｏｒｇ", "eva@example.org"), ("info@例え。テスト", "info@xn--r8jz45g.xn--zckzah"),
        ("x@xn--bcher-kva.example", "x@xn--bcher-kva.example"), ("o’neill@example.org", "o'neill@example.org"),
        ("mailto:ada@example.org", "ada@example.org"), ("ada@example.org;", "ada@example.org"),
        (String(repeating: "a", count: 64) + "@b.co", String(repeating: "a", count: 64) + "@b.co"),
    ])
    func `an e-mail address is read, its domain in lower case`(typed: String, address: String) {
        #expect(EmailAddress(typed: typed)?.typed == address)
    }

    @Test(arguments: [
        "", "ada", "@", "ada@", "@example.org", "ada@example", "ada@@example.org", "a@b@c.org", "ada@.org", "ada@org.",
        "ada@a..org", "ada@-a.org", "ada@a-.org", "ada @example.org", "ada@exam ple.org", "ada@exa_mple.org",
        "ada\n@example.org", "<ada@example.org>", "ada,bob@example.org", "ädä@example.org", ".ada@example.org",
        "ada.@example.org", "a..b@example.org",
        "ada@b♥cher.example", "ada@127.0.0.1", "ada@example.42",
        String(repeating: "a", count: 65) + "@b.co", "a@" + String(repeating: "b", count: 64) + ".co",
        "a@" + String(repeating: "bcd.", count: 63) + "co",
    ])
    func `what can't be delivered to is refused`(typed: String) {
        #expect(EmailAddress(typed: typed) == nil)
    }

    @Test func `what can't be taken says why`() {
        func flaw(_ typed: String) -> EmailAddress.Flaw? {
            do throws(EmailAddress.Flaw) {
                _ = try EmailAddress(reading: typed)
                return nil
            } catch { return error }
        }
        #expect(flaw(".ada@example.org") == .dots && flaw("ada.@example.org") == .dots)
        #expect(flaw("ädä@example.org") == .letter("ä") && flaw("ada@example") == .domain("example"))
        #expect(flaw("ada") == .unclear && flaw(String(repeating: "a", count: 65) + "@b.co") == .tooLong)
    }

    @Test(arguments: [
        ("eva@xn--bcher-kva.example", "eva@bücher.example"), ("info@xn--r8jz45g.xn--zckzah", "info@例え.テスト"),
        ("ada@example.org", "ada@example.org"), ("x@xn--.example", "x@xn--.example"),
        ("x@xn--zzzzzzzz-.example", "x@xn--zzzzzzzz-.example"),
        // “pаypal” with a Cyrillic а stays as it is looked up.
        ("x@xn--pypal-4ve.example", "x@xn--pypal-4ve.example"),
    ])
    func `it is shown with the letters of its domain, where they mislead nobody`(address: String, shown: String) {
        #expect(EmailAddress.readable(address) == shown)
    }

    @Test func `an e-mail address has 254 bytes at most`() {
        let domain = String(repeating: "bcd.", count: 62) + "co"
        #expect(EmailAddress(typed: "abc@\(domain)")?.typed.utf8.count == 254)
        #expect(EmailAddress(typed: "abcd@\(domain)") == nil)
    }
}
