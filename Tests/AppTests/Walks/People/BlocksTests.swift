import Database
import Testing

@testable import App

/// People who don't want to meet each other.
@Suite struct BlocksTests {
    /// Ana and Cleo, who blocked her; each of them wrote a post, and liked and commented Ben's.
    private func town(_ site: TestSite) async throws -> (ana: Browser, ben: Browser, cleo: Browser) {
        let (ana, ben, cleo) = (
            try await site.signIn(.ana), try await site.signIn(.ben), try await site.signIn(.cleo)
        )
        for (browser, text) in [(ben, "By Ben."), (ana, "By Ana."), (cleo, "By Cleo.")] {
            _ = try await browser.visit("/timeline/new").press("Preview", filling: ["text": .text(text)])
                .press("Post it")
        }
        for (browser, text) in [(ana, "Ana says so."), (cleo, "Cleo says so.")] {
            _ = try await browser.visit("/posts/1").press("Send the comment", filling: ["text": .text(text)])
            _ = try await browser.visit("/posts/1").press("Like")
        }
        let page = try await cleo.visit("/people/ana-ortiz").press("Block ana-ortiz")
        #expect(page.path == "/blocks" && page.text.contains("@ana-ortiz"))
        return (ana, ben, cleo)
    }

    @Test func `those who run the site read what somebody writes who blocks them, and like it`() async throws {
        try await withTestSite { site in
            _ = try await town(site)
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await site.signIn(.cleo).visit("/people/mira-staff").press("Block mira-staff")
            let page = try await mira.visit("/posts/3").press("Like")
            #expect(page.status == 200 && page.text.contains("By Cleo.") && page.text.contains("1 like"))
            #expect(page.html.all(ofClass: "like").contains { $0["aria-pressed"] == "true" })
            #expect(try await !mira.visit("/timeline").text.contains("By Cleo."))
        }
    }

    @Test func `who blocks somebody and who is blocked don't meet, and others meet both`() async throws {
        try await withTestSite { site in
            let (ana, ben, cleo) = try await town(site)
            for (browser, own, other, name) in [
                (cleo, "Cleo", "Ana", "ana-ortiz"), (ana, "Ana", "Cleo", "cleo-park"),
            ] {
                let timeline = try await browser.visit("/timeline").text
                #expect(timeline.contains("By \(own).") && !timeline.contains("By \(other)."))
                #expect(
                    timeline.contains("1 like") && timeline.contains("1 comment"), "whom one doesn't meet isn't counted"
                )
                let post = try await browser.visit("/posts/1").text
                #expect(post.contains("\(own) says so.") && !post.contains("\(other) says so."))
                let likes = try await browser.visit("/posts/1/likes").html.all(ofClass: "links").map(\.text).joined()
                #expect(!likes.contains(name))
                let theirs = own == "Cleo" ? 2 : 3
                for path in ["/people/\(name)", "/posts/\(theirs)", "/posts/\(theirs)/likes"] {
                    #expect(try await browser.visit(path).status == 404, "\(path)")
                }
                let token = try await browser.visit("/me/settings").value(of: "csrf") ?? ""
                for act in ["like", "comments"] {
                    let pairs = [("csrf", token), ("text", "Hm."), ("once", "x")]
                    #expect(try await browser.post("/posts/\(theirs)/\(act)", pairs).status == 404, "\(act)")
                }
            }
            for browser in [ben, site.browser()] {
                let text = try await browser.visit("/timeline").text
                #expect(text.contains("By Ana.") && text.contains("By Cleo."))
            }
            #expect(try site.count(of: "reaction") == 2)
        }
    }

    @Test func `the other isn't told, and sees nobody in their own list`() async throws {
        try await withTestSite { site in
            let (ana, _, _) = try await town(site)
            #expect(try await ana.visit("/blocks").text.contains("You aren’t blocking anybody."))
            let id = try await site.account(of: .ana)
            #expect(try site.count(of: "notice WHERE account_id = \(id)") == 0)
            #expect(!site.log.lines.contains { $0.contains("ana-ortiz") || $0.contains("cleo-park") })
        }
    }

    @Test func `a block is taken back by who made it, and nobody else`() async throws {
        try await withTestSite { site in
            let (ana, _, cleo) = try await town(site)
            let token = try await ana.visit("/blocks").value(of: "csrf") ?? ""
            let pairs = [("csrf", token), ("username", "cleo-park"), ("undo", "1")]
            #expect(try await ana.post("/blocks", pairs).status == 200)
            #expect(try site.count(of: "block") == 1)
            #expect(try await ana.visit("/posts/3").status == 404)
            let page = try await cleo.visit("/blocks").press("Unblock: ana-ortiz")
            #expect(page.flash == "Unblocked." && page.text.contains("You aren’t blocking anybody."))
            #expect(try await ana.visit("/posts/3").status == 200)
        }
    }

    @Test func `an organization that is blocked is found by its name`() async throws {
        try await withTestSite { site in
            _ = try await site.signIn(.ben, as: .provider)
            let cleo = try await site.signIn(.cleo)
            let page = try await cleo.visit("/blocks").press(
                "Block", filling: ["username": .text(Person.ben.username)])
            #expect(page.text.contains("King Library · @\(Person.ben.username)"))
            #expect(page.text.contains("Messages between you end."))
        }
    }

    @Test func `a name that isn't there comes back, twice is once, and nobody blocks themselves`() async throws {
        try await withTestSite { site in
            let cleo = try await site.signIn(.cleo)
            try await site.account(of: .ana)
            for (name, problem) in [
                ("nobody-here", "Nobody here has this user name."), ("cleo-park", "That is you."),
                ("", "Give the user name."),
            ] {
                let page = try await cleo.visit("/blocks").press("Block", filling: ["username": .text(name)])
                #expect(page.status == 422 && page.problems == [problem] && page.value(of: "username") == name)
            }
            for name in ["@Ana-Ortiz", "ana-ortiz"] {
                _ = try await cleo.visit("/blocks").press("Block", filling: ["username": .text(name)])
            }
            #expect(try site.count(of: "block") == 1)
        }
    }

    @Test func `who leaves is blocked by nobody, and blocks nobody`() async throws {
        try await withTestSite { site in
            _ = try await town(site)
            let (ana, cleo, now) = (
                try await site.account(of: .ana), try await site.account(of: .cleo), site.clock.now
            )
            try await site.write(at: now) { tx in
                try Block.add(cleo, by: ana, in: tx)
                try Account.leave(ana, in: tx)
            }
            #expect(try site.count(of: "block") == 0)
        }
    }

    @Test func `the list goes on page by page`() async throws {
        try await withTestSite { site in
            let account = try await site.account(of: .cleo)
            let now = site.clock.now
            for number in 1...60 {
                let other = try await site.account(of: .family(100 + number))
                try await site.write(at: now) { tx in try Block.add(other, by: account, in: tx) }
            }
            let page = try await site.signIn(.cleo).visit("/blocks")
            let next = try await page.follow("Show more")
            func count(_ page: Page) -> Int { page.buttons.count { $0.hasPrefix("Unblock") } }
            #expect(count(page) == 50 && count(next) == 10)
        }
    }
}
