import Forms
import Templating
import Testing

@testable import App

/// Every event's page leads back to where its visitor came from.
@Suite struct WayBackTests {
    private let home = "http://localhost:8080"

    @Test(arguments: [
        ("/events?q=kite&age=4", "Back to the search", "/events?q=kite&age=4"),
        ("/events/map?near=95112", "Back to the map", "/events/map?near=95112"), ("/week", "Back to my week", "/week"),
        ("/me/events?list=expired", "Back to my events", "/me/events?list=expired"),
        ("/me/events/calendar?from=2027-03-01", "Back to my events", "/me/events/calendar?from=2027-03-01"),
        ("/registrations/7", "Back to the registration", "/registrations/7"),
        ("/providers/ben-ruiz", "Back to the organization", "/providers/ben-ruiz"), ("/", "Back", "/"),
        ("/events", "All events", "/events"), ("/events/7", "All events", "/events"), ("/me", "All events", "/events"),
        ("//evil.example/events", "All events", "/events"), ("/events?a b", "All events", "/events"),
        ("/providers/a/b", "All events", "/events"),
    ])
    func `the way back is that of the page before`(page: String, words: String, link: String) {
        let back = WayBack(to: page)
        #expect(back.words.english == words && back.link.string == link)
    }

    @Test func `it is on the page, and its tab is the same wherever one came from`() async throws {
        try await withTestSite { site in
            _ = try await site.publish(by: .ben)
            for visitor in [site.browser(), try await site.signIn(.ana, as: .parent)] {
                for (referer, words) in [
                    ("\(home)/events?q=kite", "Back to the search"), ("\(home)/week", "Back to my week"),
                    ("https://elsewhere.example/events?q=kite", "All events"),
                    ("\(home).evil.example/week", "All events"),
                    ("nonsense", "All events"), ("", "All events"),
                ] {
                    let page = try await visitor.visit("/events/1", ["Referer": referer])
                    #expect(page.html.all(ofClass: "back").map(\.text) == [words], "\(referer)")
                    let tab = page.html.all(ofClass: "tabs").flatMap { $0.all("a") }.filter {
                        $0["aria-current"] != nil
                    }
                    #expect(tab.map(\.text) == ["Discover"])
                }
            }
        }
    }

    @Test func `one visitor's way back is shown to nobody else`() async throws {
        try await withTestSite { site in
            _ = try await site.publish(by: .ben)
            let search = ["Referer": "\(home)/events?q=kite"]
            #expect(try await site.browser().visit("/events/1", search).link("Back to the search") != nil)
            #expect(try await site.browser().visit("/events/1").link("All events") == "/events")
            // Nor is the page cached for others given to somebody who came from a search.
            #expect(try await site.browser().visit("/events/1", search).link("Back to the search") != nil)
        }
    }
}
