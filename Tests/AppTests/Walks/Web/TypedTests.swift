import Database
import Forms
import Foundation
import Templating
import Testing

@testable import App

/// What people type as they write it at home: amounts, days, times, phone numbers, addresses, codes.
@Suite struct TypedTests {
    private let kiteDay: [String: Filling] = [
        "title": "Kite day", "description": "We build kites and let them fly.", "date": "2027-03-27",
        "start_time": "10:00", "end_time": "12:00", "address": "180 Park Ave", "city": "San Jose", "zip": "95112",
        "spots": "20",
    ]

    private func with(_ answers: [String: Filling]) -> [String: Filling] { kiteDay.merging(answers) { $1 } }

    // MARK: Amounts

    @Test(arguments: [
        ("ID", "Rp 150.000", 15_000_000), ("VN", "99.000 ₫", 99_000), ("DE", "2.500 €", 250_000),
        ("CH", "20.-", 2_000), ("SE", "150:-", 15_000), ("JP", "1500", 1_500), ("KW", "1.250", 1_250),
    ])
    func `a price is taken as the country writes it, and shown again`(
        country: String, typed: String, units: Int
    ) async throws {
        try await withTestSite(country: country) { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/events/new").press("Preview", filling: with(["price": .text(typed)]))
            #expect(page.problems == [] && page.heading == "Kite day")
            _ = try await page.press("Publish")
            #expect(try site.count(of: "event WHERE price = \(units)") == 1)
            let money = Money(minorUnits: units, currency: Country.currency(of: country))
            let shown = money.text(in: "en-\(country)")
            #expect(try await ben.visit("/events/1").text.contains(shown.squeezed))
            // The form that changes it shows an amount that means the same.
            let edit = try await ben.visit("/events/1/edit")
            let typedAgain = try #require(edit.value(of: "price"))
            #expect(Money(typed: typedAgain, currency: money.currency, in: country) == money)
        }
    }

    @Test(arguments: [("DE", "1.000"), ("US", "1,000"), ("FR", "1 000"), ("ID", "1.000")])
    func `a whole number is taken with the country's sign between thousands`(
        country: String, typed: String
    ) async throws {
        try await withTestSite(country: country) { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/events/new").press(
                "Preview", filling: with(["spots": "", "more_spots": .text(typed), "country": .text(country)]))
            #expect(page.problems == [] && page.heading == "Kite day")
            _ = try await page.press("Publish")
            #expect(try site.count(of: "event WHERE spots = 1000") == 1)
            // In rows, too.
            let form = try await ben.visit("/opportunities/new?kind=donate").press(
                "Preview",
                filling: [
                    "title": "Winter coats", "description": "Before the cold comes.", "thing.0.name": "Coats",
                    "thing.0.wanted": .text(typed), "country": .text(country),
                ])
            _ = try await form.press("Publish")
            #expect(try site.count(of: "thing WHERE wanted = 1000") == 1)
        }
    }

    @Test func `a point in a whole number of a country that writes parts behind it comes back`() async throws {
        try await withTestSite(country: "US") { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/events/new").press("Preview", filling: with(["more_spots": "1.000"]))
            #expect(page.status == 422 && page.value(of: "more_spots") == "1.000")
        }
    }

    @Test(arguments: [
        ("JP", "1500.50", "1,500"), ("KR", "15000.50", "1,500"), ("KW", "1.2505", "8.500"), ("US", "2.500", "8.50"),
    ])
    func `what is too fine or not sure comes back with an example`(
        country: String, typed: String, example: String
    ) async throws {
        try await withTestSite(country: country) { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/events/new").press("Preview", filling: with(["price": .text(typed)]))
            #expect(page.status == 422 && page.value(of: "price") == typed)
            #expect(page.problems.contains { $0.contains(example) }, "\(page.problems)")
        }
    }

    @Test func `a gift of any size is noted, up to a limit that is named`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let gift: [String: Filling] = ["organization": "Warm Hands"]
            let page = try await ana.visit("/impact").press(
                "Note my gift", filling: gift.merging(["amount": "120000"]) { $1 })
            #expect(page.problems == [] && page.text.contains("$120,000"))
            let wrong = try await page.press("Note my gift", filling: gift.merging(["amount": "999999999999"]) { $1 })
            #expect(wrong.status == 422 && wrong.problems.contains { $0.contains("$100,000,000,000") })
        }
    }

    // MARK: Days and times

    @Test(arguments: [
        ("11/28/27", "19h", "21 Uhr"), ("28.11.27", "7.30pm", "9:30 p.m."),
        ("Sunday, November 28, 2027", "12 noon", "14h30"),
        ("28 novembre 2027", "kl. 19", "24:00"), ("20271128", "1900", "midnight"),
    ])
    func `an event takes place when somebody wrote so`(day: String, start: String, end: String) async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/events/new").press(
                "Preview", filling: with(["date": .text(day), "start_time": .text(start), "end_time": .text(end)]))
            #expect(page.problems == [] && page.text.contains("Sunday, November 28, 2027"))
        }
    }

    @Test(arguments: ["24:00", "midnight"])
    func `the end of the last day is the midnight behind it`(end: String) async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            for (last, days) in [("", 1), ("2027-03-27", 1), ("2027-03-28", 2)] {
                var page = try await ben.visit("/events/new").press(
                    "Preview", filling: with(["end_date": .text(last), "end_time": .text(end)]))
                #expect(page.problems == [], "\(last)")
                // Back and forth it stays the same.
                page = try await page.press("Back to editing").press("Preview")
                _ = try await page.press("Publish")
                let ends = Zone(identifier: "America/Los_Angeles")!.instant(
                    Day(iso: "2027-03-27")!.advanced(by: days), .midnight)
                #expect(try site.count(of: "event WHERE ends_at = \(ends)") == 1, "\(last)")
                try await site.execute("UPDATE event SET ends_at = ends_at + 1")
            }
        }
    }

    @Test func `what is no date comes back in a field that shows it`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/events/new").press(
                "Preview", filling: with(["date": "Nov 28", "start_time": "7"]))
            #expect(page.status == 422 && page.problems.count == 2)
            #expect(page.value(of: "date") == "Nov 28" && page.value(of: "start_time") == "7")
            #expect(page.string.contains("type=\"text\" id=\"date\"") && page.problems[0].contains("2026-11-21"))
        }
    }

    @Test(arguments: ["/events", "/events/map", "/opportunities", "/opportunities/map"])
    func `a filter that can't be read is said and kept`(path: String) async throws {
        try await withTestSite { site in
            let page = try await site.browser().visit("\(path)?from=some+day&near=")
            #expect(page.problems.contains { $0.contains("“some day” can’t be read as a day") }, "\(page.problems)")
            #expect(page.value(of: "from") == "some day")
            let read = try await site.browser().visit("\(path)?from=28.+M%C3%A4rz+2027&near=")
            #expect(read.problems == [] && read.value(of: "from") == "2027-03-28")
        }
    }

    @Test func `numbers of filters, the week and the log say it, too`() async throws {
        try await withTestSite { site in
            let page = try await site.browser().visit("/events?free_places=many")
            #expect(page.problems.contains { $0.contains("“many” can’t be read") })
            #expect(page.value(of: "free_places") == "many")
            let help = try await site.browser().visit("/opportunities?hours=few&near=")
            #expect(help.problems.contains { $0.contains("“few” can’t be read") })
            let ana = try await site.signIn(.ana, as: .parent)
            let week = try await ana.visit("/week?from=soon")
            #expect(week.text.contains("“soon” can’t be read as a day") && week.value(of: "from") == "soon")
            #expect(try await ana.visit("/week?from=4/5/27").value(of: "from") == "2027-04-05")
            // A program is told as before.
            #expect(try await site.browser().send("GET", "/api/events?from=soon").status == 400)
        }
    }

    @Test(arguments: [
        ("München", "Muenchen"), ("Muenchen", "München"), ("Düsseldorf", "duesseldorf"), ("Łódź", "lodz"),
    ])
    func `a town is found however its letters are spelled`(city: String, typed: String) async throws {
        try await withTestSite(country: "DE") { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/events/new").press(
                "Preview", filling: with(["city": .text(city), "zip": "80331", "country": "DE"]))
            _ = try await page.press("Publish")
            let query = try #require(typed.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            #expect(try await site.browser().visit("/events?city=\(query)").text.contains("Kite day"))
            #expect(try await !site.browser().visit("/events?city=Mainz").text.contains("Kite day"))
        }
    }

    @Test(arguments: [
        ("GB", "sw1a1aa", "SW1A 1AA", "SW1A+1AA"), ("GB", "SW1A 1AA", "SW1A 1AA", "sw1a1aa"),
        ("NL", "1012ab", "1012 AB", "1012AB"), ("US", "９５１１２", "95112", "95112"),
        ("JP", "〒150-0001", "150-0001", "1500001"),
        ("DE", "D-10437", "10437", "10437"),
    ])
    func `a postal code is stored as its country writes it, and found as people type it`(
        country: String, typed: String, stored: String, sought: String
    ) async throws {
        try await withTestSite(country: country) { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/events/new").press(
                "Preview", filling: with(["zip": .text(typed), "country": .text(country)]))
            #expect(page.problems == [])
            _ = try await page.press("Publish")
            #expect(try site.count(of: "event WHERE zip = \(stored)") == 1)
            #expect(try await site.browser().visit("/events?zip=\(sought)").text.contains("Kite day"))
        }
    }

    @Test(arguments: ["HTTPS://video.example/@kiteclub", "video.example/@kiteclub"])
    func `a link is taken in each form that asks for one`(typed: String) async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/events/new").press("Preview", filling: with(["online_url": .text(typed)]))
            #expect(page.problems == [] && page.heading == "Kite day")
            let profile = try await ben.visit("/me/provider").press("Save", filling: ["website": .text(typed)])
            #expect(profile.problems == [])
            let shown = try await site.browser().visit("/providers/ben-ruiz")
            #expect(shown.string.contains("video.example/@kiteclub"))
            let help = try await ben.visit("/opportunities/new?kind=donate").press(
                "Preview",
                filling: [
                    "title": "Winter coats", "description": "Before the cold comes.", "thing.0.name": "Coats",
                    "thing.0.wanted": "10", "url": .text(typed),
                ])
            #expect(help.problems == [])
        }
    }

    // MARK: E-mail

    @Test func `an address of another script is one account, however it is written`() async throws {
        try await withTestSite { site in
            func signUp(_ email: String, _ username: String) async throws -> Page {
                try await site.browser().visit("/signup").press(
                    "Sign up",
                    filling: [
                        "email": .text(email), "username": .text(username), "password": "two children, one week",
                        "adult": true,
                    ])
            }
            let page = try await signUp("eva@BÜCHER.example", "eva-maria")
            #expect(page.redirects == ["/welcome"])
            #expect(try site.count(of: "account WHERE email = 'eva@xn--bcher-kva.example'") == 1)
            #expect(try await page.browser.visit("/me").text.contains("eva@bücher.example"))
            #expect(try await page.browser.visit("/me/email").text.contains("eva@bücher.example"))
            for typed in ["eva@bu\u{308}cher.example", "EVA@xn--bcher-kva.example.", "ｅｖａ＠bücher．example"] {
                #expect(try await signUp(typed, "eva-two").status == 422, "\(typed)")
                let inside = try await site.browser().visit("/login").press(
                    "Log in", filling: ["login": .text(typed), "password": "two children, one week"])
                #expect(inside.status == 200 && inside.path != "/login", "\(typed)")
            }
            for (typed, why) in [
                (".eva@example.org", "a dot can’t be first"), ("evä@example.org", "“ä” before the @"),
                ("eva@example", "No mail can be sent to"),
            ] {
                let refused = try await signUp(typed, "eva-three")
                #expect(refused.problems.contains { $0.contains(why) } && refused.value(of: "email") == typed)
            }
        }
    }

    @Test(arguments: [
        ("ada@example.org", "mailto:ada@example.org"), ("x?cc=spy@evil.example", "mailto:x%3Fcc=spy@evil.example"),
        ("50%off&more#1@example.org", "mailto:50%25off%26more%231@example.org"),
    ])
    func `a link to write to somebody writes to nobody else`(address: String, link: String) {
        #expect(EmailAddress(typed: address)?.typed == address)
        #expect(Link(writingTo: address)?.string == link)
    }

    // MARK: Phone numbers

    @Test(arguments: [
        ("+49 (0)30 1234567", ["tel:+49301234567"]), ("+44 (0)20 7946 0000", ["tel:+442079460000"]),
        ("+39 (0)6 12345678", ["tel:+390612345678"]), ("Tel. 030 1234567", ["tel:0301234567"]),
        ("030 1234567 / 0171 7654321", ["tel:0301234567", "tel:01717654321"]), ("030/1234567", ["tel:0301234567"]),
        ("030 1234567/68", ["tel:0301234567"]), ("٠٣٠ ١٢٣٤٥٦٧", ["tel:0301234567"]),
        ("０３０－１２３４５６７", ["tel:0301234567"]), ("1-800-FLOWERS", ["tel:+18003569377"]),
        ("555-0100 ext. 12345", ["tel:5550100"]), ("(408) 555-0100 x12", ["tel:4085550100"]), ("112", ["tel:112"]),
        ("030 1234567 (9-17 Uhr)", ["tel:0301234567"]), ("030 1234567, 9.00-17.00 Uhr", ["tel:0301234567"]),
        ("+49 030 1234567", ["tel:+49301234567"]), ("0800 KINDER", []), ("*100#", []), ("ask at the desk", []),
        ("030 1234567 0171 7654321", []), ("Tel. 030 1234567, Fax 030 1234568", ["tel:0301234567"]), ("12", []),
    ])
    func `only numbers that can be dialled are links`(typed: String, links: [String]) {
        #expect(PhoneNumber.all(in: typed).map(\.link.string) == links)
    }

    @Test(arguments: [
        // Times before and behind a number aren't part of it.
        ("Mon–Fri 09:00–17:00 030 1234567", ["tel:0301234567"]), ("030 1234567 09:00-17:00", ["tel:0301234567"]),
        ("030 1234567 9-17 Uhr", ["tel:0301234567"]), ("123 456 9-17", []), ("8 (495) 123-10-20", ["tel:84951231020"]),
        // The zero of other countries, behind a plus and behind two zeros.
        ("0049 030 1234567", ["tel:0049301234567"]), ("+880 01712 345678", ["tel:+8801712345678"]),
        ("+212 0612 345678", ["tel:+212612345678"]), ("+234 0803 123 4567", ["tel:+2348031234567"]),
        ("+598 099 123 456", ["tel:+59899123456"]),
        // In these it is part of the number.
        ("+225 01 02 03 04 05", ["tel:+2250102030405"]), ("+241 01 23 45 67", ["tel:+24101234567"]),
        ("+378 0549 123456", ["tel:+3780549123456"]),
        ("Fax-Nr. 030 1234568", []), ("Telefax: 030 1234568", []),
        ("Tel: 030 1234567, Fax: 030 1234568", ["tel:0301234567"]),
        ("000", ["tel:000"]), ("Room 1204", []), ("PIN 12345", []), ("Tel/Fax 030 1234567", ["tel:0301234567"]),
    ])
    func `times, zeros and fax numbers lead to no wrong call`(typed: String, links: [String]) {
        #expect(PhoneNumber.all(in: typed).map(\.link.string) == links)
    }

    @Test(arguments: [
        ("110 / 112", []), ("030/123 45 67", ["tel:0301234567"]), ("408-555-0100 #5", ["tel:4085550100"]),
        ("408-555-0100;ext=5", ["tel:4085550100"]), ("011 49 30 1234567", ["tel:01149301234567"]),
        ("1-800-flowers", ["tel:+18003569377"]), ("555-0100 ask", ["tel:5550100"]),
        ("T: 030 1234567 F: 030 1234568", ["tel:0301234567"]), ("030_1234567", ["tel:0301234567"]),
        ("030·1234567", ["tel:0301234567"]), ("030 1234567 · 0171 7654321", ["tel:0301234567", "tel:01717654321"]),
        ("电话 010-12345678 传真 010-12345679", ["tel:01012345678"]), ("03-1234-5678（内線12345）", ["tel:0312345678"]),
        ("тел. 8 495 123-45-67, факс 8 495 123-45-68", ["tel:84951234567"]), ("内線 123", []), ("*31#", []),
    ] as [(String, [String])])
    func `short numbers, extensions and other signs lead to no wrong call`(typed: String, links: [String]) {
        #expect(PhoneNumber.all(in: typed).map(\.link.string) == links)
    }

    @Test func `both numbers of an organization can be called from its page`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/me/provider").press(
                "Save", filling: ["phone": "030 1234567 / 0171 7654321"])
            #expect(page.problems == [])
            let shown = try await site.browser().visit("/providers/ben-ruiz")
            #expect(shown.link("Call 030 1234567") == "tel:0301234567")
            #expect(shown.link("Call 0171 7654321") == "tel:01717654321")
        }
    }

    // MARK: Codes

    @Test func `codes are taken from any keyboard, however they are spaced`() {
        for typed in ["１２３４５６", "١٢٣٤٥٦", "123\u{A0}456", "123\u{202F}456", "123-456", " 123‑456 ", "123\u{200B}456"] {
            #expect(typed.plainCode == "123456", "\(typed)")
        }
        #expect(RecoveryCode(typed: "３k7m－qx2d\u{A0}9pfa")?.text == RecoveryCode(typed: "3k7m-qx2d-9pfa")?.text)
        #expect(RecoveryCode(typed: "３k7m－qx2d\u{A0}9pfa") != nil)
        let code = "ABCDE FGHJK MNPQR STVWX YZ0123"
        #expect(Certificate.code(typed: code.replacing(" ", with: "\u{202F}")) == code.filter { $0 != " " })
    }

    // MARK: Sheets

    @Test(arguments: [("US", ","), ("DE", ";"), ("FR", ";"), ("CH", ","), ("SE", ";")])
    func `cells stand apart as the spreadsheets of the country read them`(country: String, sign: String) async throws {
        try await withTestSite(zone: "Europe/Berlin", country: country) { site in
            let event = try await site.publish(by: .ben)
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            try await site.execute("UPDATE family SET phone = '+49 30 1234567'")
            let ben = try await site.signIn(.ben, as: .provider)
            let sheet = try await ben.visit("/events/\(event)/registrations?as=csv").string
            #expect(sheet.contains("\"Mo\"\(sign)6\(sign)6\(sign)\"Ana Ortiz\""))
            #expect(sheet.contains("\(sign)\"+49 30 1234567\"\(sign)") && sheet.contains("\"Came ("))
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/impact").press(
                "Note my gift", filling: ["amount": "25,50", "organization": "Warm Hands"])
            let impact = try await ana.visit("/impact.csv").string
            #expect(impact.contains(sign == ";" ? "\"25,50\"" : "\"25.50\"") && impact.contains("\"Day\"\(sign)"))
        }
    }

    @Test(arguments: [
        ("+49 30 1234567", "+49 30 1234567"), ("+1 (408) 555-0100", "+1 (408) 555 0100"),
        ("+1-408-555-0100", "+1 408 555 0100"), ("01717654321", "0171 7654321"), ("+4930123456", "+49 30123456"),
        ("030 1234567 / 0171 7654321", "030 1234567, 0171 7654321"), ("=1+1", nil), ("@home", nil), ("+Max", nil),
        ("+1+1", nil), ("-12345", nil),
    ])
    func `a phone number stays one in a sheet, and nothing else does without an apostrophe`(
        typed: String, cell: String?
    ) {
        #expect(Spreadsheet.phone(typed) == cell)
    }

    // MARK: Photos

    @Test func `photos that every browser shows are taken, and half of one isn't`() async throws {
        let whole = Pictures.file("large.jpg")
        let start = try #require(whole.indices.first { whole[$0] == 0xFF && whole[$0 + 1] == 0xDB })
        let spaced = Array(whole[..<start]) + [UInt8](repeating: 0, count: 18) + Array(whole[start...])
        for file in [spaced, whole.dropLast(2), whole.dropLast(20), whole.dropLast(200)].map({ Array($0) }) {
            let made = try await Workshop().make(from: file)
            #expect(made.width > 0 && made.height > 0)
        }
        await #expect(throws: PictureProblem.broken) {
            try await Workshop().make(from: Array(whole.prefix(whole.count / 2)))
        }
        var drawing = Pictures.file("drawing.gif")
        drawing.replaceSubrange(6..<10, with: [0, 0, 0, 0])
        #expect(try PictureHeader(of: drawing).kind == .gif)
        _ = try await Workshop().make(from: drawing)
    }
}
