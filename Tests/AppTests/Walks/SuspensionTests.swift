import Database
import Testing

@testable import App

/// What happens to the rest of the town when staff suspend an account.
@Suite struct SuspensionTests {
    @Test func `a suspended provider's events vanish, and come back with the account`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let hidden = try await site.publish(by: .ben) { $0.title = "Hidden before" }
            try await site.execute("UPDATE event SET hidden_at = 1, listed = FALSE WHERE id = \(hidden)")
            let mira = try await site.signIn(.mira, isStaff: true)
            let person = "/admin/people/\(try await site.account(of: .ben))"

            _ = try await mira.visit(person).press("Suspend the account", filling: ["reason": "Advertising"])
            var feed = try await site.browser().visit("/events")
            #expect(feed.cards.isEmpty)
            let page = try await site.browser().visit("/events/\(event)")
            #expect(page.status == 404)

            _ = try await mira.visit(person).press("Restore the account", filling: ["reason": "A mistake"])
            feed = try await site.browser().visit("/events")
            #expect(feed.cards == ["Kite day"])
        }
    }

    @Test func `the same child sent twice is added once`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/me/children/new")
            for _ in 0..<2 {
                _ = try await form.press(
                    "Save", filling: ["nickname": "Mo", "birth_month": "2", "birth_year": "2021"])
            }
            let count = try site.count(of: "child")
            #expect(count == 1)
        }
    }
}
