import Database
import Testing

@testable import App

/// Photos in posts: chosen, described, guarded, shown, and gone again.
@Suite struct PhotosTests {
    private func choose(_ browser: Browser, _ text: String = "Look.") async throws -> Page {
        try await browser.visit("/timeline/new").press(
            "Add the photos", filling: ["text": .text(text), "photo": .file(SentFile("photo.jpg", Pictures.photo))])
    }

    @Test func `photos stay through description, preview and editing, and the page reserves their place`()
        async throws
    {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            var page = try await choose(ana, "Forty onions.")
            #expect(page.status == 200 && page.value(of: "text") == "Forty onions.")
            #expect(page.text.contains("Say what they show"))
            page = try await page.press("Preview", filling: ["alt-1": "A row of onions"])
            #expect(page.text.contains("This is a preview.") && page.html.all(ofClass: "photos").count == 1)
            #expect(try site.count(of: "post") == 0)
            page = try await page.press("Back to editing")
            #expect(page.value(of: "alt-1") == "A row of onions")
            page = try await page.press("Preview").press("Post it")
            let photo = try #require(page.html.all(ofClass: "photos").first?.first("img"))
            #expect(photo["alt"] == "A row of onions" && photo["width"] == "60" && photo["height"] == "40")
            #expect(try await site.browser().visit("/timeline").html.all(ofClass: "photos").count == 1)
            // What is said of it can be put right, and it can be taken off.
            page = try await page.follow("Edit").press("Preview", filling: ["alt-1": "Onions"])
                .press("Save the change")
            #expect(page.html.all(ofClass: "photos").first?.first("img")?["alt"] == "Onions")
            page = try await page.follow("Edit").press("Preview", filling: ["image": []]).press("Save the change")
            #expect(page.html.all(ofClass: "photos").isEmpty && page.text.contains("Forty onions."))
        }
    }

    @Test func `the same form that says something else of a photo comes back with it`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            let preview = try await choose(ana).press("Preview", filling: ["alt-1": "Onions"])
            for _ in 1...2 { #expect(try await preview.press("Post it").path == "/posts/1") }
            let form = try preview.form(with: "Post it")
            let pairs = form.pairs.map { $0.name == "alt-1" ? ("alt-1", "Leeks") : $0 }
            let page = try await ana.submit(form.action, pairs)
            #expect(page.status == 409 && page.problems.first?.contains("already sent this form") == true)
            #expect(page.value(of: "alt-1") == "Leeks")
            #expect(try site.count(of: "post") == 1)
        }
    }

    @Test func `a photo that comes with the preview is asked about first`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            let page = try await ana.visit("/timeline/new").press(
                "Preview", filling: ["text": "Look.", "photo": .file(SentFile("photo.jpg", Pictures.photo))])
            #expect(page.heading == "Write a post" && page.value(of: "alt-1") == "")
        }
    }

    @Test func `photos of children need a yes, and are for members unless their author says otherwise`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            var page = try await choose(ana).press("Preview", filling: ["shows_children": true])
            #expect(page.status == 422)
            #expect(page.problems == ["Ask the children’s parents first, or leave the photo out."])
            page = try await choose(ana).press("Preview", filling: ["shows_children": true, "consent": true])
            #expect(page.text.contains("so it is for members now") && page.text.contains("Members only"))
            _ = try await page.press("Post it")
            #expect(try await site.browser().visit("/posts/1").status == 404)
            // A later choice is believed.
            page = try await page.press("Back to editing").press("Preview", filling: ["audience": "everyone"])
            #expect(page.text.contains("Everybody will be able to read it"))
            // Without a preview it is for members as well.
            let form = try await choose(ana).form(
                with: "Preview", filling: ["shows_children": true, "consent": true])
            _ = try await ana.post(
                "/timeline/new", form.pairs.filter { $0.name != "step" } + [(name: "step", value: "publish")])
            #expect(try site.count(of: "post WHERE audience = 'members' AND shows_children") == 2)
        }
    }

    @Test func `four photos are the most, and nobody shows another's`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = (try await site.signIn(.ana), try await site.signIn(.cleo))
            var page = try await choose(ana)
            for _ in 0..<3 {
                page = try await page.press(
                    "Add the photos", filling: ["photo": .file(SentFile("photo.jpg", Pictures.photo))])
            }
            #expect(page.html.all("img").filter { $0["alt"] == "Your photo" }.count == 4)
            #expect(page.html.all("input").allSatisfy { $0["type"] != "file" })
            let csrf = try await cleo.visit("/timeline/new").value(of: "csrf") ?? ""
            let pairs = [
                ("csrf", csrf), ("text", "Mine."), ("kind", "done"), ("audience", "everyone"), ("image", "1"),
                ("step", "publish"),
            ].map { (name: $0.0, value: $0.1) }
            let theft = try await cleo.post("/timeline/new", pairs)
            #expect(theft.status == 422 && theft.problems == ["This picture is no longer here. Choose it again."])
            #expect(try site.count(of: "post") == 0)
        }
    }

    @Test func `what is no picture is said, and the words stay`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            let page = try await ana.visit("/timeline/new").press(
                "Preview", filling: ["text": "Look.", "photo": .file(SentFile("a.txt", Array("no".utf8)))])
            #expect(page.status == 422 && page.value(of: "text") == "Look.")
            #expect(
                page.problems == ["This isn’t a picture we can read. Choose a JPEG, PNG, WebP, GIF or HEIC file."])
        }
    }

    @Test func `photos are swept once no post shows them, and go with their owner`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            for text in ["One.", "Two."] { _ = try await choose(ana, text).press("Preview").press("Post it") }
            site.clock.advance(by: .hours(49))
            #expect(try await site.site.sweepPictures(at: site.clock.now) == 0)
            let back = try await site.signIn(.ana)
            _ = try await back.visit("/posts/1").press("Delete the post")
            // As long as it can be taken back, they stay.
            #expect(try await site.site.sweepPictures(at: site.clock.now) == 0)
            site.clock.advance(by: .hours(49))
            #expect(try await site.site.sweepPictures(at: site.clock.now) == 1)
            #expect(try site.count(of: "picture") == 1)
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            try await site.write(at: now) { tx in try Account.leave(account, in: tx) }
            #expect(try await site.browser().visit("/posts/2").html.all(ofClass: "photos").isEmpty)
            #expect(try site.count(of: "post_picture") == 0)
        }
    }
}
