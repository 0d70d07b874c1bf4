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

@Suite struct CSRFTests {
    @Test func `a masked token is valid for its session only, and differs each time`() {
        let secret = CSRF.fresh()
        let other = CSRF.fresh()
        let token = CSRF.mask(secret)
        #expect(CSRF.isValid(token, for: secret))
        #expect(!CSRF.isValid(token, for: other))
        #expect(CSRF.mask(secret) != token)
    }

    @Test(arguments: ["", "x", "AAAA", String(repeating: "A", count: 10_000), "ä"])
    func `anything else is not`(token: String) {
        #expect(!CSRF.isValid(token, for: CSRF.fresh()))
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

    @Test(arguments: ["1234567890", "QWERTYUIOP", "too short", "ana-ortiz-1"])
    func `bad passwords are refused`(password: String) {
        #expect(Account.problem(withPassword: password, username: "ana-ortiz-1") != nil)
    }

    @Test func `any other of ten characters will do`() {
        #expect(Account.problem(withPassword: "дом у моря") == nil)
        #expect(Account.problem(withPassword: String(repeating: "ä", count: 513)) != nil)
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
            "VILLAGE_LOG_LEVEL": "loud",
        ]
        do {
            _ = try settings(wrong)
            Issue.record("The settings were taken.")
        } catch let problems as Settings.Problems {
            for name in wrong.keys { #expect(problems.lines.contains { $0.hasPrefix(name) }, "\(name)") }
        }
    }

    @Test func `the limits are turned off on loopback only`() {
        #expect(throws: Settings.Problems.self) {
            try settings(["VILLAGE_LIMITS": "off", "VILLAGE_HOST": "0.0.0.0"])
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
