import Database
import Foundation
import Templating
import Testing

@testable import App

/// The site among the apps of a phone: its manifest, and what the phone shares with it.
@Suite struct HomeScreenTests {
    @Test func `the manifest names the town, in the language of the page that names it`() async throws {
        try await withTestSite(catalogues: [MadeUp.catalogue]) { site in
            let nobody = site.browser()
            let link = try #require(
                try await nobody.visit("/").html.all("link").first { $0["rel"] == "manifest" }?["href"])
            let page = try await nobody.visit(link)
            #expect(page["Content-Type"] == "application/manifest+json")
            #expect(page["Cache-Control"] == "max-age=3600")
            let made = try #require(try JSONSerialization.jsonObject(with: Data(page.body)) as? [String: Any])
            #expect(made["lang"] as? String == MadeUp.catalogue.language && made["dir"] as? String == "rtl")
            let english = try await nobody.visit("/manifest.webmanifest?language=en")
            let manifest = try #require(try JSONSerialization.jsonObject(with: Data(english.body)) as? [String: Any])
            #expect(manifest["lang"] as? String == "en" && manifest["dir"] as? String == "ltr")
            #expect(manifest["id"] as? String == "/" && (manifest["name"] as? String)?.hasPrefix("Village") == true)
            #expect(manifest["description"] as? String == "Village: run by neighbors, for neighbors.")
            let shortcuts = try #require(manifest["shortcuts"] as? [[String: Any]])
            #expect(shortcuts.compactMap { $0["name"] as? String } == ["My week", "Discover", "Add event"])
            // Every picture it names is there, in the size it says.
            for key in ["icons", "screenshots"] {
                for picture in try #require(manifest[key] as? [[String: Any]]) {
                    let path = try #require(picture["src"] as? String)
                    let file = try await nobody.visit(path)
                    #expect(file.status == 200 && file["Content-Type"]?.hasPrefix(picture["type"] as! String) == true)
                }
            }
        }
    }

    /// What a phone sends that shares something with the site: no page of any site sent it.
    private func share(
        _ browser: Browser, _ file: SentFile? = nil, from site: String = "none"
    ) async throws -> Page {
        try await browser.post(
            "/share", [("title", "Kites"), ("text", "Look at them fly."), ("url", "https://kites.example/")],
            [("picture", file)], ["Sec-Fetch-Site": site, "Origin": ""])
    }

    @Test func `what a phone shares becomes a post or an event that is being written`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await share(ana, SentFile("kite.png", Pictures.photo))
            #expect(page.status == 200 && page.heading == "What is it for?")
            #expect(page.text.contains("Look at them fly.") && !page.text.contains("A picture can be added later."))
            #expect(try site.count(of: "picture") == 1 && site.count(of: "post") == 0)
            let post = try await page.press("Write a post")
            #expect(post.status == 200 && post.heading == "Write a post" && post.problems.isEmpty)
            for part in ["Kites", "Look at them fly.", "https://kites.example/"] {
                #expect(post.value(of: "text")?.contains(part) == true)
            }
            #expect(post.value(of: "image") == "1")
            let drafts = try await page.press("Keep it as the draft of an event")
            #expect(drafts.path == "/me/events?list=draft" && drafts.text.contains("Kites"))
            let event = try await ana.visit("/events/new?draft=1")
            #expect(event.value(of: "title") == "Kites" && event.value(of: "poster") == "1")
            #expect(try site.count(of: "post") + site.count(of: "event") == 0)
        }
    }

    @Test func `a picture that can’t be taken is named, and the words go on`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let tooLarge = [UInt8](repeating: 0, count: PictureHeader.byteLimit + 1)
            for bytes in [Array("no picture".utf8), tooLarge] {
                let page = try await share(ana, SentFile("kite.png", bytes))
                #expect(page.status == 422 && page.title.hasPrefix("Error: "))
                #expect(try await page.press("Write a post").value(of: "text")?.contains("Look at them fly.") == true)
            }
            #expect(try site.count(of: "picture") == 0)
        }
    }

    @Test func `somebody who is logged out logs in and goes on with the words`() async throws {
        try await withTestSite { site in
            _ = try await site.signIn(.ana, as: .parent)
            let page = try await share(site.browser(), SentFile("kite.png", Pictures.photo))
            #expect(page.status == 422 && page.heading == "Log in to go on")
            let next = try await page.press(
                "Log in and go on", filling: ["session_login": "ana-ortiz", "session_password": .text(Person.password)])
            #expect(next.heading == "What is it for?" && next.text.contains("Look at them fly."))
            #expect(next.text.contains("A picture can be added later."))
            #expect(try site.count(of: "picture") == 0)
        }
    }

    @Test func `no other site shares anything in somebody’s name`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            for other in ["cross-site", "same-site"] {
                #expect(try await share(ana, SentFile("kite.png", Pictures.photo), from: other).status == 403)
            }
            #expect(try site.count(of: "picture") == 0)
            // The twin: without that header, and from nowhere, the token is asked for.
            #expect(try await share(ana, SentFile("kite.png", Pictures.photo), from: "").status == 403)
            #expect(try await share(ana, SentFile("kite.png", Pictures.photo)).status == 200)
        }
    }

    @Test func `a page says how to put the site on the home screen`() async throws {
        try await withTestSite { site in
            let page = try await site.browser().visit("/help").follow(
                "How to put it on your home screen, and what you get")
            #expect(page.status == 200 && page.heading == "On your home screen")
        }
    }
}
