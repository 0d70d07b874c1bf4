import Database
import Testing

@testable import App

/// A change is carried out only when its form came from a page of this site and of this session. Each refusal has a
/// twin: the same request without what is wrong with it is carried out.
@Suite struct ForgeryTests {
    private typealias Pairs = [(name: String, value: String)]

    /// Ana about to add a child, and the pairs of her form.
    private func addingAChild(_ site: TestSite) async throws -> (ana: Browser, pairs: Pairs) {
        let ana = try await site.signIn(.ana, as: .parent)
        let form = try await ana.visit("/me/children/new").form(
            with: "Save", filling: ["nickname": "Mo", "birth_month": "2", "birth_year": "2020"])
        return (ana, form.pairs)
    }

    @Test func `a form without the token, with a made-up one, or with another session’s is refused`() async throws {
        try await withTestSite { site in
            let (ana, pairs) = try await addingAChild(site)
            let cleo = try await site.signIn(.cleo, as: .parent)
            let hers = try #require(try await cleo.visit("/me/children/new").value(of: "csrf"))
            let other = try #require(
                try await site.signIn(.ana, as: .parent).visit("/me/children/new").value(of: "csrf"))
            let plain = pairs.filter { $0.name != "csrf" }
            for token in [nil, "", "AAAA", String(repeating: "A", count: 43), hers, other] {
                let page = try await ana.post("/me/children/new", plain + (token.map { [("csrf", $0)] } ?? []))
                #expect(page.status == 403 && page.heading == "This form is no longer valid")
            }
            #expect(try site.count(of: "child") == 0)
            #expect(try await ana.post("/me/children/new", pairs).path == "/me/children")
            #expect(try site.count(of: "child") == 1)
        }
    }

    @Test func `the token is masked afresh on each page, and each holds`() async throws {
        try await withTestSite { site in
            let (ana, pairs) = try await addingAChild(site)
            let later = try #require(try await ana.visit("/me/children/new").value(of: "csrf"))
            #expect(pairs.first { $0.name == "csrf" }?.value != later)
            #expect(
                try await ana.post("/me/children/new", pairs.filter { $0.name != "csrf" } + [("csrf", later)]).path
                    == "/me/children")
        }
    }

    @Test(arguments: [
        ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"], ["Origin": "https://evil.example"],
        ["Origin": "null"], ["Origin": "http://127.0.0.1.evil.example"], ["Origin": "http://127.0.0.1:1"],
    ])
    func `a page of another site can’t send a form, even with the token`(headers: [String: String]) async throws {
        try await withTestSite { site in
            let (ana, pairs) = try await addingAChild(site)
            let page = try await ana.post("/me/children/new", pairs, headers)
            #expect(page.status == 403 && page.heading == "This form is no longer valid")
            #expect(try site.count(of: "child") == 0)
        }
    }

    @Test(arguments: [
        ["Sec-Fetch-Site": "same-origin"], ["Sec-Fetch-Site": "none"], [:], ["Origin": ""],
    ])
    func `a page of this site can`(headers: [String: String]) async throws {
        try await withTestSite { site in
            let (ana, pairs) = try await addingAChild(site)
            #expect(try await ana.post("/me/children/new", pairs, headers).path == "/me/children")
            #expect(try site.count(of: "child") == 1)
        }
    }

    private let logIn: Pairs = [("login", "ana-ortiz"), ("password", Person.password)]

    @Test(arguments: [
        ["Sec-Fetch-Site": "cross-site"], ["Origin": "https://evil.example"], ["Origin": "null"],
        ["Origin": "", "Host": "village.example"],
        ["Origin": "http://evil.example", "Host": "evil.example"],
    ])
    func `a visitor’s log-in from elsewhere is refused`(headers: [String: String]) async throws {
        try await withTestSite { site in
            try await site.account(of: .ana)
            #expect(try await site.browser().submit("/login", logIn, headers).status == 403)
            #expect(try site.count(of: "session") == 0)
        }
    }

    @Test(arguments: [
        ["Sec-Fetch-Site": "same-origin"], [:], ["Origin": ""],
        ["Origin": "https://village.example", "Host": "village.example"],
        ["Origin": "https://village.example", "Host": "inside.example"],
    ])
    func `a visitor’s log-in from here is not`(headers: [String: String]) async throws {
        try await withTestSite(publicURL: "https://village.example") { site in
            try await site.account(of: .ana)
            #expect(try await site.browser().submit("/login", logIn, headers).status == 303)
            #expect(try site.count(of: "session") == 1)
        }
    }

    @Test func `reading changes nothing and makes no session`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben)
            for path in ["/", "/events", "/events/1", "/login", "/signup", "/about", "/providers/ben-ruiz"] {
                let page = try await site.browser().visit(path)
                #expect(page.status == 200 && page["Set-Cookie"] == nil)
            }
            #expect(try site.count(of: "session") == 0)
        }
    }
}
