import Database
import Testing

@testable import App

/// `/me`, `/me/family`, `/me/provider`, `/providers/{username}`.
@Suite struct ProfileTests {
    private let provider: [String: Filling] = [
        "organization": "King Library", "first_name": "Ben", "last_name": "Ruiz", "designation": "librarian",
        "address": "150 E San Fernando St", "city": "San Jose", "state": "california", "zip": "95112 1234",
        "phone": "408 555 0100", "email": "events@library.example", "website": "www.library.example",
        "scope": "Books, kites & <b>more</b>.",
    ]

    @Test func `a family says who it is, and changes it`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            var page = try await ana.visit("/me/family")
            #expect(page.value(of: "country") == "US")
            page = try await page.press(
                "Save",
                filling: [
                    "first_name": "Ana", "last_name": "Ortiz", "city": "San José", "zip": "951121234",
                    "phone": "408 555 0100", "number_of_children": "2", "age_groups": ["3-5", "6-8"],
                ])
            #expect(page.path == "/me/children/new")
            page = try await ana.visit("/me")
            #expect(page.heading == "Ana Ortiz")
            #expect(page.text.contains("San José, 95112-1234, United States"))
            #expect(page.text.contains("3 to 5 years, 6 to 8 years"))

            page = try await ana.visit("/me/family")
            #expect(page.value(of: "city") == "San José" && page.values(of: "age_groups") == ["3-5", "6-8"])
            page = try await page.press("Save", filling: ["city": "Campbell", "phone": "", "age_groups": []])
            #expect(page.path == "/me" && page.flash == "Saved.")
            #expect(try site.count(of: "family WHERE city = 'Campbell' AND phone IS NULL AND age_groups = ''") == 1)
        }
    }

    @Test(arguments: ["/me/family", "/me/provider", "/events/new"])
    func `nothing is called optional that the country then asks for`(path: String) async throws {
        try await withTestSite { site in
            let page = try await site.signIn(.ben, as: .provider).visit(path)
            let labels = page.html.all("label").filter { ["state", "zip"].contains($0["for"] ?? "") }.map(\.text)
            #expect(!labels.isEmpty && labels.allSatisfy { !$0.contains("optional") }, "\(labels)")
            // Where the browser can, the label follows the country that is chosen.
            #expect((page.html.all("div") + page.html.all("fieldset")).contains { $0["data-behaviour"] == "region" })
        }
    }

    @Test func `a problem keeps the input`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            let page = try await ana.visit("/me/family?next=/events/3").press(
                "Save",
                filling: [
                    "last_name": "O’Ortiz & <Co>", "city": "San Jose", "zip": "1234", "phone": "408 555 0100",
                    "number_of_children": "many", "age_groups": ["9-12"],
                ])
            #expect(page.status == 422 && page.title == "Error: Your family · Village")
            #expect(page.problems.count == 3)
            #expect(page.problems.contains("Give your first name."))
            #expect(page.problems.contains("Give the ZIP code: five digits, such as 95113."))
            #expect(page.value(of: "last_name") == "O’Ortiz & <Co>" && page.value(of: "zip") == "1234")
            #expect(page.value(of: "number_of_children") == "many" && page.values(of: "age_groups") == ["9-12"])
            #expect(page.value(of: "next") == "/events/3")
            #expect(try site.count(of: "family") == 0)
        }
    }

    @Test(arguments: [("DE", "01067"), ("GB", "SW1A 1AA"), ("IE", ""), ("CA", "K1A 0B1")])
    func `postal codes elsewhere are text and may be missing`(country: String, zip: String) async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            let page = try await ana.visit("/me/family").press(
                "Save",
                filling: [
                    "first_name": "Ana", "last_name": "Ortiz", "city": "Town", "zip": .text(zip),
                    "country": .text(country),
                ])
            #expect(page.path == "/me/children/new")
            #expect(try site.count(of: "family WHERE zip = \(zip) AND country = \(country)") == 1)
        }
    }

    @Test func `a provider says who it is, and everybody sees it`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben)
            var page = try await ben.visit("/me/provider").press("Save", filling: provider)
            #expect(page.path == "/events/new")
            #expect(try site.count(of: "provider WHERE state = 'CA' AND zip = '95112-1234'") == 1)
            page = try await site.browser().visit("/providers/ben-ruiz")
            #expect(page.heading == "King Library")
            #expect(page.text.contains("Books, kites & <b>more</b>."))
            #expect(page.link("www.library.example") == "https://www.library.example")
            #expect(page.text.contains("events@library.example"))
            // The address one logs in with is nobody's business.
            #expect(!page.string.contains("ben-ruiz@example.org"))
        }
    }

    @Test func `a state of the US is asked for in the US only`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben)
            var answers = provider
            answers["state"] = "Bavaria"
            answers["zip"] = ""
            var page = try await ben.visit("/me/provider").press("Save", filling: answers)
            #expect(page.status == 422)
            #expect(
                page.problems == [
                    "Choose a state of the US, such as CA or California.",
                    "Give the ZIP code: five digits, such as 95113.",
                ])
            #expect(page.value(of: "state") == "Bavaria" && page.value(of: "organization") == "King Library")
            page = try await page.press("Save", filling: ["country": "DE"])
            #expect(page.path == "/events/new")
            #expect(try site.count(of: "provider WHERE state = 'Bavaria' AND zip = '' AND country = 'DE'") == 1)
        }
    }

    @Test(arguments: ["javascript:alert(1)", "http://", "no website", "https://user@evil.example", "data:text/html,x"])
    func `a website that isn’t one is refused`(website: String) async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben)
            var answers = provider
            answers["website"] = .text(website)
            let page = try await ben.visit("/me/provider").press("Save", filling: answers)
            #expect(page.status == 422 && page.problems == ["Write the website like www.example.org."])
            #expect(page.value(of: "website") == website)
        }
    }

    @Test func `a new name of the organization is found at once`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/me/provider").press("Save", filling: ["organization": "Rose Garden Library"])
            #expect(try await ben.visit("/events?q=rose").cards == ["Kite day"])
            #expect(try await ben.visit("/events?q=king").cards == [])
        }
    }

    @Test func `visitors log in first, and there is no page of a family or of nobody`() async throws {
        try await withTestSite { site in
            let nobody = site.browser()
            try await site.family(of: .ana)
            for path in ["/me", "/me/family", "/me/provider", "/me/settings"] {
                #expect(try await nobody.visit(path).redirects.first?.hasPrefix("/login?next=") == true)
            }
            for path in [
                "/providers/ana-ortiz", "/providers/nobody", "/people/ana-ortiz", "/providers/%00", "/providers",
            ] {
                #expect(try await nobody.visit(path).status == 404)
            }
        }
    }

    @Test func `a suspended provider has no page`() async throws {
        try await withTestSite { site in
            try await site.provider(of: .ben)
            #expect(try await site.browser().visit("/providers/ben-ruiz").status == 200)
            try await site.execute("UPDATE account SET suspended_at = 1")
            #expect(try await site.browser().visit("/providers/ben-ruiz").status == 404)
        }
    }
}
