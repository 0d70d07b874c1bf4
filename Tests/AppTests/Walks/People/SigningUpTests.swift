import Database
import Testing

@testable import App

/// `/signup`.
@Suite struct SigningUpTests {
    static let answers: [String: Filling] = [
        "email": "ana@example.org", "username": "ana-ortiz", "password": "two children, one week", "adult": true,
    ]

    @Test func `it makes an account, signs in and asks for the hat`() async throws {
        try await withTestSite { site in
            let page = try await site.browser().visit("/signup").press("Sign up", filling: Self.answers)
            #expect(page.redirects == ["/welcome"])
            #expect(page.flash == "Welcome to the village.")
            #expect(try site.count(of: "account WHERE email = 'ana@example.org' AND username = 'ana-ortiz'") == 1)
            #expect(try await page.browser.visit("/me").text.contains("ana@example.org"))
        }
    }

    @Test func `the session’s cookie is out of reach for scripts and other sites`() async throws {
        try await withTestSite { site in
            let form = try await site.browser().visit("/signup").form(
                with: "Sign up", filling: Self.answers)
            let page = try await site.browser().submit(form.action, form.pairs)
            let cookie = try #require(page.headers.first { $0.value.hasPrefix("village=") }?.value)
            #expect(cookie.hasSuffix("; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax"))
            #expect(cookie.dropFirst("village=".count).prefix { $0 != ";" }.count == 43)
        }
    }

    @Test func `over https the cookie is bound to the host`() async throws {
        let url = "https://village.example"
        try await withTestSite(publicURL: url) { site in
            let form = try await site.browser(at: url).visit("/signup").form(with: "Sign up", filling: Self.answers)
            let page = try await site.browser(at: url).submit(form.action, form.pairs)
            let cookie = try #require(page.headers.first { $0.value.hasPrefix("__Host-village=") }?.value)
            #expect(cookie.hasSuffix("; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure"))
            #expect(page["Strict-Transport-Security"] == "max-age=63072000; includeSubDomains")
        }
    }

    @Test func `problems stand on top and beside the fields, and all that was typed but the password stays`()
        async throws
    {
        try await withTestSite { site in
            let page = try await site.browser().visit("/signup?next=/events/3").press(
                "Sign up", filling: ["email": "ana", "username": "An na", "password": "kites"])
            #expect(page.status == 422)
            #expect(page.title == "Error: Sign up · Village")
            #expect(
                page.problems == [
                    "Write “E-mail address” like name@example.org.",
                    "Use only letters from a to z, numbers, - and _ in the user name.",
                    "Choose a password of at least 10 characters. A few words in a row are good.",
                    "Accounts are for adults. Children take part through a parent or guardian.",
                ])
            #expect(page.value(of: "email") == "ana" && page.value(of: "username") == "An na")
            #expect(page.value(of: "next") == "/events/3")
            #expect(!page.string.contains("kites"))
            // Each line of the summary leads to a field that is there.
            for link in page.html.all(ofClass: "problems").flatMap({ $0.all("a") }) {
                #expect(page.html.all { $0["id"] == link["href"]?.dropFirst().description }.count == 1)
            }
            #expect(try site.count(of: "account") == 0)
        }
    }

    @Test func `an e-mail address and a user name are taken in any case`() async throws {
        try await withTestSite { site in
            try await site.account(of: .ana)
            let form = try await site.browser().visit("/signup")
            var answers = Self.answers
            answers["email"] = "Ana-Ortiz@Example.ORG"
            answers["username"] = "ana-other"
            var page = try await form.press("Sign up", filling: answers)
            #expect(page.status == 422)
            #expect(
                page.problems == ["There is an account with this e-mail address already. Log in, or give another one."])
            answers["email"] = "other@example.org"
            answers["username"] = "ANA-Ortiz"
            page = try await page.press("Sign up", filling: answers)
            #expect(page.problems == ["This user name is taken, and “ana-ortiz2” is free."])
            #expect(page.value(of: "email") == "other@example.org")
            #expect(page.text.contains("Type it once more, please: no page ever holds a password."))
            #expect(try site.count(of: "account") == 1)
            // The one it offers is free, also of somebody who took it meanwhile.
            try await site.execute("UPDATE account SET username = 'ana-ortiz2'")
            answers["username"] = "ana-ortiz2"
            page = try await page.press("Sign up", filling: answers)
            #expect(page.problems == ["This user name is taken, and “ana-ortiz22” is free."])
        }
    }

    @Test(arguments: ["1234567890", "QWERTYUIOP", "ana@example.org", "ana-ortiz"])
    func `a password that is guessed first is refused`(password: String) async throws {
        try await withTestSite { site in
            var answers = Self.answers
            answers["password"] = .text(password)
            let page = try await site.browser().visit("/signup").press("Sign up", filling: answers)
            #expect(page.status == 422 && page.problems.count == 1)
            #expect(try site.count(of: "account") == 0)
        }
    }

    @Test(arguments: ["admin", "provider", "anna ortiz", "änna-ortiz"])
    func `a user name that misleads is refused`(name: String) async throws {
        try await withTestSite { site in
            var answers = Self.answers
            answers["username"] = .text(name)
            let page = try await site.browser().visit("/signup").press("Sign up", filling: answers)
            #expect(page.status == 422 && page.problems.count == 1)
            #expect(try site.count(of: "account") == 0)
        }
    }

    @Test(arguments: [
        ("ana.ortiz", "ana-ortiz"), ("Änna Ørtiz", "anna-ortiz"), ("ana.maria@example.org", "ana-maria"),
    ])
    func `a user name with other signs comes back with one that can be chosen`(name: String, other: String)
        async throws
    {
        try await withTestSite { site in
            var answers = Self.answers
            answers["username"] = .text(name)
            let page = try await site.browser().visit("/signup").press("Sign up", filling: answers)
            #expect(page.problems.count == 1 && page.problems.first?.hasSuffix("such as “\(other)”.") == true)
            #expect(page.value(of: "username") == name)
            answers["username"] = .text(other)
            #expect(try await page.press("Sign up", filling: answers).path == "/welcome")
        }
    }

    @Test func `the same form twice makes one account`() async throws {
        try await withTestSite { site in
            let first = try await site.browser().visit("/signup")
            let again = try await site.browser().visit("/signup")
            #expect(try await first.press("Sign up", filling: Self.answers).path == "/welcome")
            #expect(try await again.press("Sign up", filling: Self.answers).status == 422)
            #expect(try site.count(of: "account") == 1)
        }
    }

    @Test func `somebody signed in has no use for it`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await ana.visit("/signup").redirects == ["/"])
            #expect(try await ana.visit("/signup?next=/week").redirects == ["/week"])
        }
    }

    @Test func `the sixth sign-up of an address within half an hour waits`() async throws {
        try await withTestSite(limits: true) { site in
            var forms: [Page] = []
            for _ in 1...6 { forms.append(try await site.browser().visit("/signup")) }
            // Nobody is quicker.
            site.clock.advance(by: SignUpTime.least)
            for number in 1...6 {
                var answers = Self.answers
                answers["email"] = "ana\(number)@example.org"
                answers["username"] = "ana-ortiz\(number)"
                let page = try await forms[number - 1].press("Sign up", filling: answers)
                #expect(page.status == (number == 6 ? 429 : 200))
                if number == 6 { #expect(page["Retry-After"] == "360") }
            }
            #expect(try site.count(of: "account") == 5)
        }
    }
}
