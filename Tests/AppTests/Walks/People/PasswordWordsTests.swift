import Database
import Testing

@testable import App

/// Words that passwords here must not be made of, wherever one is chosen.
@Suite struct PasswordWordsTests {
    private let refusal = "This password is made of words that are known here, such as names. Choose another one."

    @Test func `at sign-up, over a link and at a change, own names and those of the site are refused`() async throws {
        try await withTestSite { site in
            var answers = SigningUpTests.answers
            answers["password"] = "village-village"
            #expect(
                try await site.browser().visit("/signup").press("Sign up", filling: answers).problems == [refusal])
            #expect(try site.count(of: "account") == 0)

            let ben = try await site.signIn(.ben, as: .provider)
            for password in ["King Library 1", "ben-ruiz-ruiz", "RuizRuiz2026"] {
                let page = try await ben.visit("/me/password").press(
                    "Save the password",
                    filling: ["current_password": .text(Person.password), "password": .text(password)])
                #expect(page.problems == [refusal], "\(password)")
            }
            let link = try #require(try await site.site.resetLink(for: "ben-ruiz"))
            let page = try await site.browser().visit(link.dropFirst("http://localhost:8080".count)).press(
                "Save the password", filling: ["password": "library-king"])
            #expect(page.problems == [refusal])
            await #expect {
                try await Site.makingAdmin(
                    email: "m@x.example", username: "mira-staff", password: "village-village 1", site.site.settings)
            } throws: { ($0 as? Settings.Problems)?.lines == [refusal] }
        }
    }
}
