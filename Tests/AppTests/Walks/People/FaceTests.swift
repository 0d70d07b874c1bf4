import Templating
import Testing

@testable import App

/// The town's own face: its name, words and color; its rules, terms and imprint.
@Suite struct FaceTests {
    @Test func `an admin gives the site a name, words and a color, and all pages have them`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, role: .admin)
            let before = try await site.browser().visit("/")
            #expect(before.string.contains("<title>It takes a village · Village</title>"))
            #expect(!before.string.contains("/face/"))
            let saved = try await mira.visit("/admin/face").press(
                "Save",
                filling: [
                    "site_name": "Almaden <b>", "slogan": "for all of us", "greeting": "What’s on?",
                    "lead": "Ask at https://library.example", "color": "#7A1F6B",
                ])
            #expect(saved.path == "/admin/face")
            let page = try await site.browser().visit("/")
            #expect(page.string.contains("· Almaden &lt;b&gt;</title>"))
            #expect(page.string.contains("Almaden &lt;b&gt;: for all of us"))
            #expect(page.html.first("h1")?.text == "What’s on?")
            #expect(page.links.contains { $0.href == "https://library.example" })
            #expect(page.html.all("link").contains { $0["href"] == "/face/7a1f6b" })
            let sheet = try await site.browser().visit("/face/7a1f6b")
            #expect(sheet.string.contains("--spruce: light-dark(#7a1f6b, "))
            #expect(sheet["content-type"] == "text/css; charset=utf-8")
            #expect(sheet["cache-control"]?.contains("immutable") == true)
            let manifest = try await site.browser().visit("/manifest.webmanifest").string
            #expect(manifest.contains(#""short_name":"Almaden "#) && manifest.contains(##""theme_color":"#7a1f6b""##))
            #expect(try await site.browser().visit("/events.atom").string.contains("· Almaden &lt;b&gt;</title>"))
            let log = try await mira.visit("/admin/log")
            #expect(log.text.contains("changed the settings of the site: Color of links and buttons"))
            #expect(try await site.signIn(.ben, role: .moderator).visit("/admin/face").status == 403)
        }
    }

    @Test(arguments: [
        ("#ffcc00", "the nearest is #"), ("yellow", "Write the color with six digits"),
        ("#fff}*{x", "Write the color with six digits"),
    ])
    func `a color in which nothing can be read is refused, and says why`(color: String, words: String) async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, role: .admin)
            let page = try await mira.visit("/admin/face").press(
                "Save", filling: ["color": .text(color), "slogan": "for all of us"])
            #expect(page.status == 422 && page.text.contains(words))
            #expect(page.html.all("input").contains { $0["value"] == "for all of us" })
            #expect(site.site.town.face == Face())
        }
    }

    @Test(arguments: ["ffcc00", "7A1F6B", "7a1f6b7", "7a1f6b.css", "", "../x"])
    func `no other sheet is there`(name: String) async throws {
        try await withTestSite { site in
            let page = try await site.browser().visit("/face/\(name)")
            #expect(page.status == 404)
        }
    }

    @Test func `a logo stands beside the name for everybody, also while the site is closed, until it is taken away`()
        async throws
    {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, role: .admin)
            let logo = SentFile("logo.jpg", Pictures.photo)
            // Something else is wrong: the logo needn't be chosen again.
            let refused = try await mira.visit("/admin/face").press(
                "Save", filling: ["logo_file": .file(logo), "color": "yellow"])
            #expect(refused.status == 422 && refused.text.contains("The picture is here."))
            _ = try await refused.press("Save", filling: ["color": ""])
            let link = try #require(site.site.town.face.logo?.link.string)
            try await site.site.change(by: site.account(of: .mira), at: site.clock.now) { $0.isClosed = true }
            let visitor = site.browser()
            #expect(try await visitor.visit("/").html.all("img").contains { $0["src"] == link })
            #expect(try await visitor.visit(link)["content-type"] == "image/webp")
            // The sweep of pictures that nothing shows leaves it there.
            site.clock.advance(by: .days(3))
            _ = try await site.site.sweepPictures(at: site.clock.now)
            #expect(try await visitor.visit(link).status == 200)
            let later = try await site.signIn(.mira, role: .admin)
            _ = try await later.visit("/admin/face").press("Save", filling: ["logo_off": true])
            #expect(site.site.town.face == Face())
            #expect(try await visitor.visit(link).status == 404)
        }
    }

    @Test func `rules, terms and imprint have pages, and what one admin wrote the other keeps`() async throws {
        try await withTestSite { site in
            for path in ["/rules", "/terms", "/imprint"] {
                #expect(try await site.browser().visit(path).status == 404)
            }
            let (mira, ben) = (
                try await site.signIn(.mira, role: .admin), try await site.signIn(.ben, role: .admin)
            )
            let (hers, his) = (try await mira.visit("/admin/pages"), try await ben.visit("/admin/pages"))
            _ = try await hers.press("Save", filling: ["rules": "1. Be kind.\n\n2) No <i>ads</i>.\nBe kind."])
            // His page is older, and names no rules: hers stay.
            _ = try await his.press("Save", filling: ["imprint": "Friends of the Library\n1 Main St"])
            #expect(site.site.town.pages.rules == ["Be kind.", "No <i>ads</i>."])
            let rules = try await site.browser().visit("/rules")
            #expect(rules.html.all("ol").flatMap { $0.all("li") }.map(\.text) == ["Be kind.", "No <i>ads</i>."])
            #expect(try await site.browser().visit("/imprint").text.contains("Friends of the Library"))
            #expect(try await site.browser().visit("/terms").status == 404)
            let footer = try await site.browser().visit("/about").links.map(\.href)
            #expect(footer.contains("/rules") && footer.contains("/imprint") && !footer.contains("/terms"))
            // The settings of the town are another form, and leave them alone.
            _ = try await mira.visit("/admin/settings").press(
                "Save", filling: ["town": "San Jose", "contact_email": "office@example.org"])
            #expect(site.site.town.pages.rules.count == 2)
            let many = (1...21).map { "Rule \($0) is kind" }.joined(separator: "\n")
            let refused = try await mira.visit("/admin/pages").press("Save", filling: ["rules": .text(many)])
            #expect(refused.status == 422 && refused.text.contains("at most 20 rules"))
        }
    }

    @Test func `new members agree to the rules, where there are any`() async throws {
        try await withTestSite { site in
            let answers = SigningUpTests.answers
            let free = try await site.browser().visit("/signup")
            #expect(!free.string.contains("agrees"))
            let mira = try await site.signIn(.mira, role: .admin)
            _ = try await mira.visit("/admin/pages").press("Save", filling: ["rules": "Be kind."])
            // The page from before the rules, too.
            let old = try await free.press("Sign up", filling: answers)
            #expect(old.status == 422 && old.text.contains("Please read and agree to them."))
            #expect(old.links.contains { $0.href == "/rules" })
            let agreed = try await old.press(
                "Sign up", filling: answers.merging(["agrees": true]) { $1 })
            #expect(agreed.path == "/welcome")
        }
    }

    @Test func `a moderator names the rule, and its words stay with the decision`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, role: .admin)
            _ = try await mira.visit("/admin/pages").press("Save", filling: ["rules": "Be kind.\nNo advertising."])
            let ben = try await site.signIn(.ben)
            _ = try await ben.visit("/timeline/new").press("Preview", filling: ["text": "Buy my lamps"])
                .press("Post it")
            _ = try await site.signIn(.ana).visit("/reports/new?about=post-1").press(
                "Send the report", filling: ["reason": "spam"])
            let queue = try await mira.visit("/admin/queue/post-1")
            let decided = try await queue.press(
                "Decide", filling: ["act": "hide", "rule": "No advertising.", "reason": "The market has a board."])
            #expect(decided.status == 200)
            _ = try await mira.visit("/admin/pages").press("Save", filling: ["rules": "Be kind."])
            #expect(
                try await ben.visit("/decisions/1").text.contains("“No advertising.” The market has a board."))
            // An older page offers a rule that isn't one anymore.
            #expect(try await queue.press("Decide", filling: ["act": "note", "rule": "No advertising."]).status >= 400)
        }
    }
}
