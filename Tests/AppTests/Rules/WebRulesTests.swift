import Foundation
import SMTP
import Templating
import Testing

@testable import App

@Suite struct RateLimitTests {
    private let rule = RateRule(name: "test", count: 10, period: .minutes(3))
    private let start = Instant(milliseconds: 1_000_000_000)

    @Test func `ten at once are let through, the eleventh waits`() throws {
        let limits = RateLimits()
        for _ in 0..<10 { #expect(limits.take(rule, by: 1, at: start) == nil) }
        let wait = try #require(limits.take(rule, by: 1, at: start))
        #expect(wait > .zero && wait <= .minutes(3))
    }

    @Test func `after the wait it says, one more is let through`() throws {
        let limits = RateLimits()
        for _ in 0..<10 { _ = limits.take(rule, by: 1, at: start) }
        let wait = try #require(limits.take(rule, by: 1, at: start))
        #expect(limits.take(rule, by: 1, at: start + wait) == nil)
        #expect(limits.take(rule, by: 1, at: start + wait) != nil)
    }

    @Test func `asking counts nothing, and each key and rule has its own count`() {
        let limits = RateLimits()
        for _ in 0..<100 { #expect(limits.wait(rule, by: 1, at: start) == nil) }
        for _ in 0..<10 { _ = limits.take(rule, by: 1, at: start) }
        #expect(limits.take(rule, by: 2, at: start) == nil)
        #expect(limits.take(.pages, by: 1, at: start) == nil)
        #expect(limits.wait(rule, by: 1, at: start) != nil)
    }

    @Test func `a flood of keys is forgotten, not kept`() {
        let limits = RateLimits(capacity: 100)
        for key in 0..<100_000 { _ = limits.take(rule, by: key, at: start) }
        #expect(limits.entries <= 200)
    }

    @Test func `turned off, nothing is refused`() {
        let limits = RateLimits(isOn: false)
        for _ in 0..<1_000 { #expect(limits.take(rule, by: 1, at: start) == nil) }
    }
}

/// The drawings that pages show by name.
@Suite struct DrawingsTests {
    @Test func `each icon and each poster is in its file, and its link leads there`() throws {
        let assets = try TestFolder.assets.get()
        func ids(_ path: String) throws -> Set<String> {
            let text = String(decoding: try #require(assets.file(path)).plain, as: UTF8.self)
            return Set(text.matches(of: /<symbol id="([^"]+)"/).map { String($0.output.1) })
        }
        #expect(try ids("images/icons.svg") == Set(Icon.allCases.map(\.name)))
        #expect(try ids("images/posters.svg").isSuperset(of: Motif.allCases.map(\.rawValue)))
        for icon in Icon.allCases {
            #expect(assets.link(icon) == assets.link("images/icons.svg").fragment(icon.name))
        }
        for motif in Motif.allCases {
            #expect(assets.link(motif) == assets.link("images/posters.svg").fragment(motif.rawValue))
        }
        #expect(assets.link(.starHalf as Icon).string.hasSuffix("/images/icons.svg#star-half"))
    }
}

@Suite struct CSRFTests {
    @Test func `a masked token is valid for its session only, and differs each time`() {
        let secret = CSRF.fresh()
        let other = CSRF.fresh()
        let token = CSRF.mask(secret)
        #expect(CSRF.isValid(token, for: secret))
        #expect(!CSRF.isValid(token, for: other))
        #expect(CSRF.mask(secret) != token)
    }

    @Test(arguments: [("", 1), ("x", 1), ("AAAA", 1), ("A", 10_000), ("ä", 1)])
    func `anything else is not`(part: String, times: Int) {
        #expect(!CSRF.isValid(String(repeating: part, count: times), for: CSRF.fresh()))
    }
}

@Suite struct TokenTests {
    @Test func `a token comes back from its text`() throws {
        let token = Token()
        #expect(Token(token.text)?.bytes == token.bytes)
        #expect(token.hash.count == 32 && token.hash != token.bytes)
    }

    @Test(arguments: ["", "short", String(repeating: "A", count: 44), String(repeating: "+", count: 43)])
    func `anything else is no token`(text: String) {
        #expect(Token(text) == nil)
    }

    @Test func `base64url is that of RFC 4648`() {
        for (text, encoded) in [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("\u{FF}\u{FE}", "w7_Dvg"),
        ] {
            #expect(Base64URL.encode(Array(text.utf8)) == encoded)
            #expect(Base64URL.decode(encoded) == Array(text.utf8))
        }
    }
}

@Suite struct IPAddressTests {
    @Test func `IPv4 in any dress is the same address`() {
        #expect(IPAddress("192.0.2.1") == IPAddress("::ffff:192.0.2.1"))
        #expect(IPAddress("192.0.2.1")?.description == "192.0.2.1")
        #expect(IPAddress("[2001:db8::1]") == IPAddress("2001:db8:0:0::1"))
        #expect(IPAddress("127.0.0.8")!.isLoopback && IPAddress("::1")!.isLoopback)
        #expect(!IPAddress("192.0.2.1")!.isLoopback)
    }

    @Test func `an IPv6 subscriber is the whole network`() {
        #expect(IPAddress("2001:db8::1")!.subscriber == IPAddress("2001:db8::ffff")!.subscriber)
        #expect(IPAddress("2001:db8:0:1::1")!.subscriber != IPAddress("2001:db8::1")!.subscriber)
        #expect(IPAddress("192.0.2.1")!.subscriber != IPAddress("192.0.2.2")!.subscriber)
    }

    @Test(arguments: [
        "203.0.113.5", "203.0.113.5:4711", " 203.0.113.5:443 ", "\"203.0.113.5\"", "[::ffff:203.0.113.5]:80",
    ])
    func `a proxy forwards an address with a port or without`(text: String) {
        #expect(IPAddress(forwarded: text) == IPAddress("203.0.113.5"))
    }

    @Test(arguments: ["2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:443", "2001:db8::1%eth0"])
    func `so it does with a long one`(text: String) {
        #expect(IPAddress(forwarded: text) == IPAddress("2001:db8::1"))
    }

    @Test(arguments: ["unknown", "_hidden", "", ":80", "[]", "1.2.3:80"])
    func `what is no address isn't taken for one`(text: String) { #expect(IPAddress(forwarded: text) == nil) }

    @Test(arguments: ["", "1.2.3", "1.2.3.4.5", "256.1.1.1", "::g", "localhost", "1.2.3.4 "])
    func `anything else is no address`(text: String) {
        #expect(IPAddress(text) == nil)
    }
}

@Suite struct SessionRulesTests {
    private let start = Instant(milliseconds: 1_000_000_000_000)

    @Test func `a session lasts 14 days without a visit and 30 in any case`() {
        func holds(_ seen: Duration, _ now: Duration, staff: Bool = false) -> Bool {
            Session.holds(createdAt: start, seenAt: start + seen, isStaff: staff, at: start + now)
        }
        #expect(holds(.zero, .days(13)))
        #expect(!holds(.zero, .days(14)))
        #expect(holds(.days(29), .days(29)))
        #expect(!holds(.days(29), .days(30)))
        #expect(holds(.zero, .hours(11), staff: true))
        #expect(!holds(.hours(11), .hours(12), staff: true))
    }

    @Test func `a device is told by browser and system`() {
        #expect(
            Session.device(
                userAgent: "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/120 Mobile Safari/537.36")
                == "Chrome on Android")
        #expect(Session.device(userAgent: "") == "A browser on an unknown device")
    }
}

@Suite struct AccountRulesTests {
    @Test(arguments: ["short", "has space", "Ünicode", "administrator", String(repeating: "a", count: 31), ""])
    func `bad user names are refused with a reason`(name: String) {
        #expect(Account.problem(withUsername: name) != nil)
    }

    @Test(arguments: ["ana-ortiz", "user_1", "123456"])
    func `good ones are not`(name: String) {
        #expect(Account.problem(withUsername: name) == nil)
    }

    /// The list that comes with the program, and the words of a site.
    static let guessed = GuessedFirst(
        common: try! CommonPasswords(folder: TestFolder.publicFolder),
        words: ["village", "password", "San José", "village.example", "Beñat", "King Library"])

    @Test(arguments: ["1234567890", "QWERTYUIOP", "too short", "ana-ortiz-1"])
    func `bad passwords are refused`(password: String) {
        let problem = Account.problem(withPassword: password, username: "ana-ortiz-1", guessed: Self.guessed)
        #expect(problem != nil)
    }

    @Test func `any other of ten characters will do`() {
        #expect(Account.problem(withPassword: "дом у моря", guessed: Self.guessed) == nil)
        let long = String(repeating: "ä", count: 513)
        #expect(Account.problem(withPassword: long, guessed: Self.guessed) != nil)
    }

    @Test(arguments: [
        "villagevillage", "Village 2026!", "SanJose12345", "san josé 95112", "Benat-Benat", "king-library1",
        "ana-ortiz-ana", "ortizortiz99", "example-2026", "Village Ortiz",
    ])
    func `a password made of words that are known here is refused`(password: String) {
        let problem = Account.problem(
            withPassword: password, email: "ortiz@mail.example", username: "ana-ortiz", guessed: Self.guessed)
        #expect(problem != nil)
        // Where nobody knows the words, it would do.
        let other = GuessedFirst(common: CommonPasswords(lines: []), words: [])
        #expect(Account.problem(withPassword: password, guessed: other) == nil)
    }

    @Test(arguments: ["a village of our own", "my village is small", "ortiz and the moon", "banana-bread-9"])
    func `a password with more in it than such words will do`(password: String) {
        let problem = Account.problem(
            withPassword: password, email: "ortiz@mail.example", username: "ana-ortiz", guessed: Self.guessed)
        #expect(problem == nil)
    }

    @Test func `the list of common passwords is whole, in order, and found in from end to end`() throws {
        let path = TestFolder.publicFolder + "/passwords/common.txt"
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(lines.count { $0.count >= 10 } > 2_700 && lines.count > 10_000)
        #expect(zip(lines, lines.dropFirst()).allSatisfy { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        let common = Self.guessed.common
        let missed = lines.filter { !common.contains($0) }
        #expect(missed.isEmpty)
        for word in ["sunshine2026!", "12sunshine34", "!!princess!!"] { #expect(common.contains(word), "\(word)") }
        for word in ["", "zzzzzzzzzzz", "!", "sunshine8471992311", "sunshine\nprincess", "a village of our own"] {
            #expect(!common.contains(word), "\(word)")
        }
        #expect(!CommonPasswords(lines: []).contains("1234567890"))
        #expect(CommonPasswords(lines: ["1234567890"]).contains("1234567890"))
    }
}

@Suite struct SettingsTests {
    private func settings(_ environment: [String: String], flags: [String: String] = [:]) throws -> Settings {
        try Settings(flags: flags, environment: environment)
    }

    @Test func `without any variable the defaults hold`() throws {
        let settings = try settings([:])
        #expect(settings.port == 8080 && settings.host == "127.0.0.1" && settings.limitsRates)
        #expect(settings.publicURL == "http://localhost:8080" && !settings.isHTTPS)
    }

    @Test func `a flag wins over the environment, and the public URL follows the port`() throws {
        let settings = try settings(["VILLAGE_PORT": "9000"], flags: ["VILLAGE_PORT": "9001"])
        #expect(settings.port == 9001 && settings.publicURL == "http://localhost:9001")
    }

    @Test func `every wrong value is named at once`() throws {
        let wrong = [
            "VILLAGE_PORT": "70000", "VILLAGE_PUBLIC_URL": "village", "VILLAGE_TRUSTED_PROXIES": "10.0.0.0/99",
            "VILLAGE_LIMITS": "maybe", "VILLAGE_MAX_CONNECTIONS": "-1", "VILLAGE_TIME_ZONE": "Nowhere/Town",
            "VILLAGE_COUNTRY": "ZZ", "VILLAGE_SMTP_URL": "mail", "VILLAGE_MAIL_FROM": "me", "VILLAGE_MAP_TILES": "x",
            "VILLAGE_OFFER_HOURS": "0", "VILLAGE_LOG_LEVEL": "loud", "VILLAGE_CLOCK": "2027-02-29T10:00-08:00",
        ]
        do {
            _ = try settings(wrong)
            Issue.record("The settings were taken.")
        } catch let problems as Settings.Problems {
            for name in wrong.keys { #expect(problems.lines.contains { $0.hasPrefix(name) }, "\(name)") }
        }
    }

    @Test(arguments: [
        ("VILLAGE_PUBLIC_URL", "https://village.example:99999"), ("VILLAGE_PUBLIC_URL", "https://village.example:0"),
        ("VILLAGE_PUBLIC_URL", "https://village.example:"), ("VILLAGE_PUBLIC_URL", "https://village.example:8a"),
        ("VILLAGE_PUBLIC_URL", "https://ana@village.example"), ("VILLAGE_PUBLIC_URL", "https://village.example?a=1"),
        ("VILLAGE_PUBLIC_URL", "https://village.example#top"), ("VILLAGE_PUBLIC_URL", "https://village.example/town"),
        ("VILLAGE_PUBLIC_URL", "https://"), ("VILLAGE_PUBLIC_URL", "https://:8080"),
        ("VILLAGE_PUBLIC_URL", "https://[::1"), ("VILLAGE_PUBLIC_URL", "https://[village]"),
        ("VILLAGE_PUBLIC_URL", "https://vil lage.example"), ("VILLAGE_PUBLIC_URL", "https://village..example"),
        ("VILLAGE_PUBLIC_URL", "https://münchen.example"), ("VILLAGE_PUBLIC_URL", "ftp://village.example"),
        ("VILLAGE_MAP_TILES", "https:///{z}/{x}/{y}.png"), ("VILLAGE_MAP_TILES", "https://tiles:99999/{z}/{x}/{y}.png"),
        ("VILLAGE_MAP_TILES", "https://:443/{z}/{x}/{y}.png"),
        ("VILLAGE_TRUSTED_PROXIES", "0.0.0.0/0"), ("VILLAGE_TRUSTED_PROXIES", "::/0"),
        ("VILLAGE_TRUSTED_PROXIES", "127.0.0.1, 128.0.0.0/1"), ("VILLAGE_TRUSTED_PROXIES", "::ffff:0:0/96"),
        ("VILLAGE_TRUSTED_PROXIES", "::ffff:0:0/90"), ("VILLAGE_BACKUP_FOLDER", "/proc/self/exe"),
        ("VILLAGE_BACKUP_FOLDER", "/proc/self/exe/backups"),
    ])
    func `what can't be meant is refused`(name: String, typed: String) {
        #expect {
            try settings([name: typed])
        } throws: { error in
            (error as? Settings.Problems)?.lines.count == 1 && "\(error)".hasPrefix(name)
        }
    }

    @Test(arguments: [
        ("https://Village.Example/", "https://village.example"),
        ("http://village.example:80", "http://village.example"),
        ("https://village.example:443", "https://village.example"), ("http://localhost:8081", "http://localhost:8081"),
        ("https://village.example:80", "https://village.example:80"), ("http://[::1]:8080", "http://[::1]:8080"),
        ("http://[::1]", "http://[::1]"), ("http://192.168.1.7", "http://192.168.1.7"),
    ])
    func `the public URL is what browsers call the site`(typed: String, url: String) throws {
        #expect(try settings(["VILLAGE_PUBLIC_URL": typed]).publicURL == url)
    }

    @Test func `private networks may be trusted`() throws {
        let typed = "127.0.0.1, 10.0.0.0/8, 172.16.0.0/12, fc00::/7, ::1"
        #expect(try settings(["VILLAGE_TRUSTED_PROXIES": typed]).trustedProxies.count == 5)
    }

    @Test func `a folder for backups may be made later`() throws {
        let folder = NSTemporaryDirectory() + "/village-\(UUID().uuidString)/deep/in"
        #expect(try settings(["VILLAGE_BACKUP_FOLDER": folder]).backupFolder == folder)
        #expect(Settings.canBeFolder("backups") && Settings.canBeFolder("./data/"))
        #expect(!Settings.canBeFolder("/dev/null"))
    }

    @Test(arguments: [
        ("VILLAGE_PUBLC_URL", "VILLAGE_PUBLIC_URL"), ("VILLAGE_PROT", "VILLAGE_PORT"),
        ("VILLAGE_TIMEZONE", "VILLAGE_TIME_ZONE"), ("VILLAGE_BACKUPS_FOLDER", "VILLAGE_BACKUP_FOLDER"),
    ])
    func `a misspelt name is told with the right one`(typed: String, meant: String) {
        let words = "\(typed) isn't a setting; do you mean \(meant)?"
        #expect(throws: Settings.Problems.self) { try settings([typed: ""]) }
        do { _ = try settings([typed: "x", "VILLAGE_PORT": "a"]) } catch {
            #expect("\(error)".split(separator: "\n").map(String.init).dropFirst().elementsEqual([words]))
        }
    }

    @Test func `names of our own scripts are no settings, and no mistakes`() throws {
        let names = ["VILLAGE_LONG", "VILLAGE_PROGRAM", "VILLAGE_PYTHON", "VILLAGE_UPSTREAM", "VILLAGES", "HOME"]
        _ = try settings(Dictionary(uniqueKeysWithValues: names.map { ($0, "1") }))
    }

    @Test func `a password is in no line about a wrong setting`() {
        #expect {
            try settings(["VILLAGE_SMTP_URL": "smtp//ana:tuesday@mail.example"])
        } throws: { error in
            "\(error)".hasPrefix("VILLAGE_SMTP_URL: ") && !"\(error)".contains("tuesday")
        }
    }

    @Test func `a mail server needs a sender, and its secret may come from a file`() throws {
        let url = "smtps://village:tuesday@mail.example"
        #expect {
            try settings(["VILLAGE_SMTP_URL": url])
        } throws: { error in
            "\(error)".hasPrefix("VILLAGE_MAIL_FROM: ") && !"\(error)".contains("tuesday")
        }
        let both = ["VILLAGE_SMTP_URL": url, "VILLAGE_MAIL_FROM": "Village <village@example.org>"]
        let taken = try settings(both)
        #expect(taken.smtp?.name == "smtps://mail.example:465" && taken.mailFrom.name == "Village")
        let file = NSTemporaryDirectory() + "/village-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: file) }
        let from = ["VILLAGE_SMTP_URL_FILE": file, "VILLAGE_MAIL_FROM": "village@example.org"]
        #expect(throws: Settings.Problems.self) { try settings(from) }
        try "tuesday\n".write(toFile: file, atomically: true, encoding: .utf8)
        #expect {
            try settings(from)
        } throws: { error in
            "\(error)".hasPrefix("VILLAGE_SMTP_URL_FILE=") && !"\(error)".contains("tuesday")
        }
        try "\(url)\n".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try settings(from).smtp == taken.smtp)
    }

    @Test func `the limits are turned off on loopback only`() {
        #expect(throws: Never.self) { try settings(["VILLAGE_LIMITS": "off"]) }
        for far in [["VILLAGE_HOST": "0.0.0.0"], ["VILLAGE_PUBLIC_URL": "https://village.example"]] {
            #expect(throws: Never.self, "the twin: with limits it is well") { try settings(far) }
            let problems = #expect(throws: Settings.Problems.self) {
                try settings(far.merging(["VILLAGE_LIMITS": "off"]) { $1 })
            }
            #expect(problems?.lines.count == 1 && problems?.description.hasPrefix("VILLAGE_LIMITS=off") == true)
        }
    }

    @Test(arguments: ["2027-03-20T10:00Z", "2027-03-20T03:00-07:00", "2027-03-20T15:30:00+05:30"])
    func `the clock stands at a moment, however far the clocks there are from UTC`(moment: String) throws {
        #expect(try settings(["VILLAGE_CLOCK": moment]).clock == Clock.start)
    }

    @Test(arguments: ["2027-03-20", "2027-03-20T10:00", "2027-03-20T24:00Z", "2027-03-20T10:60Z", "noon", "1805536800"])
    func `what is no moment can't stop the clock`(typed: String) {
        #expect(throws: Settings.Problems.self) { try settings(["VILLAGE_CLOCK": typed]) }
    }

    @Test func `the clock can be stopped where nobody else comes by only`() throws {
        let clock = ["VILLAGE_CLOCK": "2027-03-20T10:00Z"]
        for near in [[:], ["VILLAGE_HOST": "::1", "VILLAGE_PUBLIC_URL": "https://127.0.0.1:8443"]] {
            #expect(throws: Never.self) { try settings(clock.merging(near) { $1 }) }
        }
        for far in [
            ["VILLAGE_HOST": "0.0.0.0"], ["VILLAGE_PUBLIC_URL": "https://village.example"],
            ["VILLAGE_PUBLIC_URL": "http://localhost.village.example"],
        ] {
            // Without a fixed clock each of these is well.
            #expect(throws: Never.self) { try settings(far) }
            let problems = #expect(throws: Settings.Problems.self) { try settings(clock.merging(far) { $1 }) }
            #expect(problems?.lines.count == 1 && problems?.description.hasPrefix("VILLAGE_CLOCK:") == true)
        }
    }
}

@Suite struct AddressRulesTests {
    @Test func `names of towns are compared without case, accents and punctuation`() {
        #expect(folded("San José") == folded("san  jose"))
        #expect(folded("  St.-Denis ") == "st denis")
        #expect(folded("Zürich") == "zurich")
    }

    @Test func `states are known by code and by name`() {
        #expect(Country.state(typed: "ca") == "CA" && Country.state(typed: "new york") == "NY")
        #expect(Country.state(typed: "Bavaria") == nil)
    }

    @Test func `addresses are written as their country does`() {
        #expect(
            Address(street: "180 Park Ave", city: "San Jose", state: "CA", zip: "95113").line
                == "180 Park Ave, San Jose, CA 95113")
        #expect(Address(city: "Berlin", zip: "10437", country: "DE").line == "10437 Berlin")
    }

    @Test func `the countries of the world are there, each once`() {
        #expect(Country.all.count > 230)
        #expect(Set(Country.all.map(\.code)).count == Country.all.count)
        #expect(Country.currency(of: "DE") == "EUR" && Country.currency(of: "US") == "USD")
    }
}

@Suite struct BytesTests {
    @Test func `texts are taken apart by their bytes`() {
        #expect("a?b?c".before("?") == "a" && "a".before("?") == "a" && "".before("?").isEmpty)
        #expect("a?b?c".from("?") == "?b?c" && "a".from("?").isEmpty && "a?b?c".from("?").dropFirst().from("?") == "?c")
        #expect("/a//b/".parts(at: "/") == ["a", "b"] && "".parts(at: ",").isEmpty && "a".parts(at: ",") == ["a"])
        #expect("aab".contains(bytesOf: "ab") && !"ab".contains(bytesOf: "abc") && !"".contains(bytesOf: "a"))
        // To Swift's characters a mark belongs to the sign before it.
        #expect("lang=\u{301}es".contains(bytesOf: "lang=") && "a?\u{301}b".from("?") == "?\u{301}b")
    }
}
