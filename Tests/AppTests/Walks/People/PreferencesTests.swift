import Database
import Testing

@testable import App

/// `/me/settings`: how the site looks, and what it presets.
@Suite struct PreferencesTests {
    private func attributes(_ page: Page) -> [String?] {
        let html = page.html.first("html")
        let scheme = page.html.all("meta").first { $0["name"] == "color-scheme" }
        return [html?["data-look"], html?["data-text"], scheme?["content"]]
    }

    @Test func `look and text hold on every device, from the first byte of each page, and for nobody else`()
        async throws
    {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let phone = try await site.signIn(.ana, as: .parent)
            #expect(attributes(try await ana.visit("/")) == [nil, nil, "light dark"])
            let page = try await ana.visit("/me/settings").press(
                "Save", filling: ["look": "dark", "text_size": "larger"])
            #expect(page.flash == "Saved." && page.value(of: "look") == "dark")
            for browser in [ana, phone] {
                for path in ["/", "/events", "/me/settings", "/nowhere"] {
                    #expect(attributes(try await browser.visit(path)) == ["dark", "larger", "dark"], "\(path)")
                }
            }
            // Pages cached for visitors, and those of others, know nothing of it.
            let cleo = try await site.signIn(.cleo, as: .parent)
            for browser in [site.browser(), cleo, site.browser()] {
                #expect(attributes(try await browser.visit("/events")) == [nil, nil, "light dark"])
            }
            _ = try await ana.visit("/me/settings").press(
                "Save", filling: ["look": "usual", "text_size": "usual"])
            #expect(attributes(try await phone.visit("/")) == [nil, nil, "light dark"])
        }
    }

    @Test func `what isn’t offered is refused, and nothing is saved`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/me/settings").form(with: "Save")
            for (name, value) in [("look", "neon\""), ("distance", "7000"), ("unit", "ly"), ("language", "xx")] {
                let pairs = form.pairs.filter { $0.name != name } + [(name: name, value: value)]
                #expect(try await ana.post("/me/settings", pairs).status == 422, "\(name)")
            }
            #expect(try site.count(of: "account WHERE look IS NOT NULL OR unit IS NOT NULL") == 0)
            #expect(try site.count(of: "account WHERE distance IS NOT NULL OR language IS NOT NULL") == 0)
        }
    }

    @Test func `distance and unit begin the search near a place, and a link says otherwise`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            try await site.publish(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/me/settings").press("Save", filling: ["distance": "25", "unit": "km"])
            let near = try await ana.visit("/events?near=95112")
            #expect(near.text.contains("within 25 km of"))
            // The empty answer is what is usual for Ana.
            let options = near.html.all("option").filter { $0["selected"] != nil }
            let chosen = options.map { "\($0["value"] ?? "-"):\($0.text)" }
            #expect(chosen.contains(":25") && chosen.contains(":kilometers"))
            #expect(try await ana.visit("/events?near=95112&within=5&unit=mi").text.contains("within 5 mi of"))
            #expect(try await site.browser().visit("/events?near=95112").text.contains("within 10 mi of"))
            #expect(try await ana.visit("/events/map?near=95112").text.contains("within 25 km of"))
        }
    }

    @Test func `a chosen language counts before the browser’s, and none is asked for where there is one`()
        async throws
    {
        try await withTestSite(catalogues: [MadeUp.catalogue]) { site in
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await ana.visit("/events").html.first("html")?["lang"] == "fa")
            let form = try await ana.visit("/me/settings").forms.first { $0.action == "/me/settings" }
            let pairs = try #require(form).pairs.filter { $0.name != "language" } + [(name: "language", value: "en")]
            #expect(try await ana.post("/me/settings", pairs).flash == "Saved.")
            for path in ["/events", "/nowhere"] {
                #expect(try await ana.visit(path).html.first("html")?["lang"] == "en", "\(path)")
            }
            #expect(try await site.browser().visit("/events").html.first("html")?["lang"] == "fa")
        }
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/me/settings")
            #expect(page.html.all("select").allSatisfy { $0["name"] != "language" })
        }
    }
}
