import Database
import Testing

@testable import App

/// What people tell each other: posts, likes, comments.
@Suite struct TimelineTests {
    private func post(
        _ text: String, by browser: Browser, audience: String = "everyone", kind: String = "done"
    ) async throws -> Page {
        try await browser.visit("/timeline/new").press(
            "Preview", filling: ["text": .text(text), "kind": .text(kind), "audience": .text(audience)]
        ).press("Post it")
    }

    @Test func `an empty timeline says so, and the first post stands on it once it was seen before`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            let empty = try await ana.visit("/timeline")
            #expect(empty.text.contains("Nobody has said anything yet"))
            let preview = try await empty.follow("Write the first line").press(
                "Preview",
                filling: ["text": "Forty onions, two worms saved.", "kind": "thanks", "audience": "everyone"])
            #expect(preview.text.contains("This is a preview.") && preview.text.contains("Forty onions"))
            #expect(try site.count(of: "post") == 0)
            let back = try await preview.press("Back to editing")
            #expect(back.html.first("textarea")?.text == "Forty onions, two worms saved.")
            let page = try await back.press("Preview").press("Post it")
            #expect(page.path == "/posts/1" && page.flash == "Your post is published.")
            let visitor = try await site.browser().visit("/timeline")
            #expect(visitor.text.contains("Forty onions") && visitor.text.contains("Thank you"))
            #expect(visitor.text.contains("0 likes") && !visitor.buttons.contains("Like"))
        }
    }

    @Test func `a post with nothing in it comes back as it was`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            let page = try await ana.visit("/timeline/new").press("Preview", filling: ["text": "  "])
            #expect(page.status == 422 && page.problems == ["Write something first."])
            let long = try await ana.visit("/timeline/new").press(
                "Preview", filling: ["text": .text(String(repeating: "x", count: 2_001))])
            #expect(long.status == 422 && long.value(of: "text")?.count == 2_001)
        }
    }

    @Test func `the same form sent twice is one post`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            let preview = try await ana.visit("/timeline/new").press("Preview", filling: ["text": "Once."])
            for _ in 0..<2 { #expect(try await preview.press("Post it").path == "/posts/1") }
            #expect(try site.count(of: "post") == 1)
        }
    }

    @Test func `pressing twice counts once, and waits for nothing`() async throws {
        try await withTestSite(limits: true) { site in
            let ana = try await site.signIn(.ana)
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            for _ in 1...19 { #expect(try await site.site.take(.posts, by: account, at: now) == nil) }
            for _ in 1...59 { #expect(try await site.site.take(.comments, by: account, at: now) == nil) }
            let preview = try await ana.visit("/timeline/new").press("Preview", filling: ["text": "Once."])
            for _ in 1...3 { #expect(try await preview.press("Post it").path == "/posts/1") }
            let page = try await ana.visit("/posts/1")
            for _ in 1...3 {
                #expect(try await page.press("Send the comment", filling: ["text": "Thanks"]).path == "/posts/1")
            }
            #expect(try site.count(of: "post") == 1 && site.count(of: "comment") == 1)
            // Another has to wait.
            let other = try await ana.visit("/timeline/new").press("Preview", filling: ["text": "Twice."])
            #expect(try await other.press("Post it").status == 429)
            let comment = try await ana.visit("/posts/1").press("Send the comment", filling: ["text": "And thanks"])
            #expect(comment.status == 429)
            // With room, the second press gives back what it took.
            site.clock.advance(by: .hours(2))
            for _ in 1...3 { #expect(try await other.press("Post it").path == "/posts/2") }
            for _ in 1...19 { #expect(try await site.site.take(.posts, by: account, at: site.clock.now) == nil) }
            #expect(try await site.site.take(.posts, by: account, at: site.clock.now) != nil)
        }
    }

    @Test func `the same comment again, from a page that came back, is one; other words are another`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            _ = try await post("Onions.", by: ana)
            for text in ["Thank you!", "Thank you!", "And for the worms."] {
                let page = try await ana.visit("/posts/1").press("Send the comment", filling: ["text": .text(text)])
                #expect(page.path == "/posts/1" && page.status == 200)
            }
            #expect(try site.count(of: "comment") == 2)
            #expect(try site.count(of: "post WHERE comments = 2") == 1)
            // Somebody else may say the same, and so may she later.
            let cleo = try await site.signIn(.cleo)
            _ = try await cleo.visit("/posts/1").press("Send the comment", filling: ["text": "Thank you!"])
            site.clock.advance(by: SentForm.echo + .seconds(1))
            _ = try await ana.visit("/posts/1").press("Send the comment", filling: ["text": "Thank you!"])
            #expect(try site.count(of: "comment") == 4)
        }
    }

    @Test func `what is for members no visitor reads, anywhere`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            _ = try await post("For us alone.", by: ana, audience: "members")
            let visitor = site.browser()
            #expect(try await !visitor.visit("/timeline").text.contains("For us alone."))
            #expect(try await visitor.visit("/posts/1").status == 404)
            #expect(try await visitor.visit("/people/ana-ortiz").status == 404)
            _ = try await post("For all.", by: ana)
            #expect(try await visitor.visit("/timeline").link("ana-ortiz") == nil, "a page they can't read")
            let cleo = try await site.signIn(.cleo)
            #expect(try await cleo.visit("/timeline").text.contains("For us alone."))
            // And a page opened to everybody shows what is for everybody.
            _ = try await post("For everybody.", by: ana)
            _ = try await ana.visit("/me/profile").press(
                "Save", filling: ["display_name": "Ana of the onions", "is_open": ["1"]])
            let open = try await visitor.visit("/people/ana-ortiz")
            #expect(open.heading == "Ana of the onions" && open.text.contains("For everybody."))
            #expect(!open.text.contains("For us alone."))
        }
    }

    @Test func `one likes once, however often it is pressed at the same time`() async throws {
        try await withTestSite { site in
            _ = try await post("Hello.", by: try await site.signIn(.ana))
            let cleo = try await site.signIn(.cleo)
            let page = try await cleo.visit("/timeline")
            let form = try page.form(with: "Like")
            try await withThrowingTaskGroup(of: Void.self) { group in
                // With the page that follows each, one address has no more than 64 connections.
                for _ in 0..<30 {
                    group.addTask {
                        let status = try await form.send(from: cleo).status
                        #expect(status == 200)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try site.count(of: "post WHERE likes = 1") == 1)
            let liked = try await cleo.visit("/timeline")
            #expect(liked.text.contains("1 like") && !liked.text.contains("1 likes"))
            #expect(try await cleo.visit("/posts/1/likes").text.contains("cleo-park"))
            #expect(try await site.browser().visit("/posts/1/likes").path.hasPrefix("/login"))
            #expect(try await liked.press("Like").text.contains("0 likes"))
            #expect(try site.count(of: "reaction") == 0)
        }
    }

    @Test func `counts are what they count, after everything`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            let cleo = try await site.signIn(.cleo)
            _ = try await post("Hello.", by: ana)
            for text in ["First!", "Second."] {
                _ = try await cleo.visit("/posts/1").press("Send the comment", filling: ["text": .text(text)])
            }
            _ = try await ana.visit("/posts/1").press("Like")
            let page = try await cleo.visit("/posts/1")
            #expect(page.text.contains("2 comments") && page.text.contains("First!"))
            // Neither a stranger nor a guess takes it away.
            let ben = try await site.signIn(.ben)
            #expect(try await !ben.visit("/posts/1").text.contains("Delete this comment"))
            let token = try await ben.visit("/posts/1").value(of: "csrf") ?? ""
            #expect(try await ben.post("/comments/1/delete", [("csrf", token)]).status == 404)
            _ = try await page.press("Delete this comment: First!")
            let recount: SQL = """
                post WHERE likes = (SELECT count(*) FROM reaction WHERE post_id = post.id)
                    AND comments = (SELECT count(*) FROM comment WHERE post_id = post.id)
                """
            #expect(try site.count(of: recount) == 1)
            #expect(try site.count(of: "comment") == 1)
            _ = try await ana.visit("/posts/1").follow("Edit").press("Delete the post")
            #expect(try site.count(of: "comment") == 0)
            #expect(try site.count(of: "reaction") == 0)
        }
    }

    @Test func `who is named, and who is answered, is told once, and nobody who may not read it`() async throws {
        try await withTestSite { site in
            let (ana, ben, cleo) = (
                try await site.signIn(.ana), try await site.signIn(.ben), try await site.signIn(.cleo)
            )
            try await site.execute("UPDATE account SET confirmed_at = 1")
            _ = try await cleo.visit("/people/ana-ortiz").press("Block ana-ortiz")
            let page = try await post("Thanks, @Ben-Ruiz and @\(Person.cleo.username), and @nobody-here!", by: ana)
            #expect(page.link("@Ben-Ruiz") == "/people/ben-ruiz" && page.link("@nobody-here") == nil)
            #expect(page.link("@\(Person.cleo.username)") == nil)
            #expect(try await site.browser().visit(page.path).link("@Ben-Ruiz") == nil)
            #expect(try await cleo.visit("/inbox").text.contains("named you") == false)
            let told = try await ben.visit("/inbox").follow("Unread: ana-ortiz named you in a post or a comment")
            #expect(told.path == "/posts/1")
            for text in ["Glad to", "Any time, @ana-ortiz"] {
                _ = try await ben.visit("/posts/1").press("Send the comment", filling: ["text": .text(text)])
            }
            let inbox = try await ana.visit("/inbox")
            #expect(inbox.text.contains("2 new comments on your post") && !inbox.text.contains("named you"))
            // One letter, until it is read.
            #expect(try site.count(of: "letter WHERE kind = 'talked' AND subject = 1") == 2)
            _ = try await ana.visit("/posts/1").follow("Edit").press("Delete the post")
            #expect(try site.count(of: "notice WHERE kind = 'talked'") == 0)
        }
    }

    @Test func `who was told of a first post isn't told again when it is let through once more`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            _ = try await site.signIn(.cleo)
            _ = try await post("Thanks, @cleo-park.", by: ana)
            let author = try await site.account(of: .ana)
            let staff = try await site.account(of: .noor, role: .moderator)
            let (subject, now) = (Subject.post(ID(1)), site.clock.now)
            func told() throws -> Int { try site.count(of: "notice WHERE kind = 'talked'") }
            func letThrough() async throws {
                try await site.write(at: now) { tx in
                    _ = try Decision.make(.init(verdict: .fine), about: subject, by: staff, in: tx)
                }
            }
            try await site.write(at: now) { tx in
                try tx.execute("DELETE FROM notice")
                try Exhibit.hide(subject, at: tx.now, in: tx)
                try Matter.raise(subject, of: author, for: .first, in: tx)
            }
            try await letThrough()
            #expect(try told() == 1)
            try await site.write(at: now) { tx in
                try Decision.undo(ID(1), reason: "By mistake.", by: staff, in: tx)
                // Confirming the address lets through what nobody wants to look at again.
                try Matter.showFirst(of: author, in: tx)
            }
            #expect(try site.count(of: "post WHERE hidden_at IS NOT NULL") == 1)
            try await letThrough()
            #expect(try told() == 1 && site.count(of: "post WHERE hidden_at IS NULL") == 1)
        }
    }

    @Test func `what was told of a comment goes with it, as long as nobody read it`() async throws {
        try await withTestSite { site in
            let (ana, ben, cleo) = (
                try await site.signIn(.ana), try await site.signIn(.ben), try await site.signIn(.cleo)
            )
            _ = try await post("Forty onions.", by: ana)
            func say(_ text: String, _ browser: Browser) async throws {
                site.clock.advance(by: .seconds(1))
                _ = try await browser.visit("/posts/1").press("Send the comment", filling: ["text": .text(text)])
            }
            func erase(_ text: String) async throws {
                let id: ID<App.Comment> = try site.read { db in
                    try #require(try db.value("SELECT id FROM comment WHERE text = \(text)"))
                }
                let token = try await ana.visit("/posts/1").value(of: "csrf") ?? ""
                _ = try await ana.submit("/comments/\(id)/delete", [("csrf", token)])
            }
            func told() async throws -> [String] {
                let page = try await ana.visit("/inbox")
                return page.links.map(\.text).filter { $0.contains("on your post") }
            }
            try await say("One, @cleo-park", ben)
            try await say("Two", cleo)
            #expect(try await told() == ["Unread: 2 new comments on your post"])
            #expect(try await cleo.visit("/inbox").text.contains("ben-ruiz named you"))
            try await erase("One, @cleo-park")
            // Of the two, the one that is there is told, and by whom it is.
            #expect(try await told() == ["Unread: cleo-park commented on your post"])
            #expect(try await !cleo.visit("/inbox").text.contains("named you"))
            try await erase("Two")
            #expect(try await told() == [])
            #expect(try site.count(of: "account WHERE unread > 0") == 0 && site.count(of: "notice") == 0)
            // What was read before is no reason to lose what came after.
            try await say("Three", ben)
            _ = try await ana.visit("/inbox").follow("Unread: ben-ruiz commented on your post")
            try await say("Four", cleo)
            try await erase("Three")
            #expect(try await told().contains("Unread: cleo-park commented on your post"))
        }
    }

    @Test func `a post is changed for thirty minutes, says so, and then comes back with its words`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            let page = try await post("Hello.", by: ana)
            let changed = try await page.follow("Edit").press("Preview", filling: ["text": "Hello, all."])
                .press("Save the change")
            #expect(changed.text.contains("Hello, all.") && changed.text.contains("edited"))
            let form = try await changed.follow("Edit")
            site.clock.advance(by: .minutes(31))
            let late = try await form.press("Preview", filling: ["text": "Too late."])
            #expect(late.status == 422 && late.value(of: "text") == "Too late.")
            #expect(late.problems.first?.hasPrefix("A post can be changed for 30 minutes.") == true)
            #expect(try await ana.visit("/posts/1/edit").path == "/posts/1")
            let cleo = try await site.signIn(.cleo)
            #expect(try await cleo.visit("/posts/1/edit").status == 404)
            let token = try await cleo.visit("/posts/1").value(of: "csrf") ?? ""
            #expect(try await cleo.post("/posts/1/delete", [("csrf", token)]).status == 404)
            #expect(try site.count(of: "post WHERE text = 'Hello, all.'") == 1)
        }
    }

    @Test func `who runs the site takes a post away with a reason, and only its author still sees it`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            _ = try await post("Not so kind.", by: ana)
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await mira.visit("/posts/1").press("Take the post away", filling: ["reason": "unkind"])
            let cleo = try await site.signIn(.cleo)
            #expect(try await cleo.visit("/posts/1").status == 404)
            #expect(try await !cleo.visit("/timeline").text.contains("Not so kind."))
            #expect(try await ana.visit("/posts/1").text.contains("took this post away"))
            #expect(try await mira.visit("/admin/log").text.contains("took away a post"))
            let token = try await cleo.visit("/me/settings").value(of: "csrf") ?? ""
            #expect(try await cleo.post("/posts/1/hide", [("csrf", token), ("reason", "x")]).status == 403)
            #expect(try await ana.post("/posts/1/like", [("csrf", token)]).status == 403)
            _ = try await mira.visit("/posts/1").press("Show the post again", filling: ["reason": "a mistake"])
            #expect(try await cleo.visit("/posts/1").status == 200)
        }
    }

    @Test func `what somebody wrote whose account is suspended nobody reads`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = (try await site.signIn(.ana), try await site.signIn(.cleo))
            _ = try await post("By Ana.", by: ana)
            _ = try await post("By Cleo.", by: cleo)
            _ = try await ana.visit("/posts/2").press("Send the comment", filling: ["text": "Ana says so."])
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            try await site.write(at: now) { tx in _ = try Account.suspend(account, in: tx) }
            for browser in [site.browser(), cleo] {
                #expect(try await !browser.visit("/timeline").text.contains("By Ana."))
                #expect(try await browser.visit("/posts/1").status == 404)
                #expect(try await !browser.visit("/posts/2").text.contains("Ana says so."))
                #expect(try await browser.visit("/people/ana-ortiz").status == 404)
            }
            try await site.write(at: site.clock.now) { tx in _ = try Account.restore(account, in: tx) }
            #expect(try await cleo.visit("/posts/2").text.contains("Ana says so."))
        }
    }

    @Test func `what was said to members stays among them`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = (try await site.signIn(.ana), try await site.signIn(.cleo))
            _ = try await post("Among us.", by: ana, audience: "members")
            _ = try await cleo.visit("/posts/1").press("Send the comment", filling: ["text": "Indeed."])
            let page = try await ana.visit("/posts/1/edit").press("Preview", filling: ["audience": "everyone"])
                .press("Save the change")
            #expect(page.status == 422)
            #expect(page.problems == ["Members have said something to it already. It stays for members."])
            #expect(try await site.browser().visit("/posts/1").status == 404)
        }
    }

    @Test func `a post that was deleted comes back for ten minutes, without what others said to it`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = (try await site.signIn(.ana), try await site.signIn(.cleo))
            let photo: Filling = .file(SentFile("photo.jpg", Pictures.photo))
            _ = try await ana.visit("/timeline/new").press(
                "Add the photos", filling: ["text": "Hello and welcome.\n\nThe second line.", "photo": photo]
            ).press("Preview").press("Post it")
            _ = try await cleo.visit("/posts/1").press("Like")
            _ = try await cleo.visit("/posts/1").press("Send the comment", filling: ["text": "First!"])
            let gone = try await ana.visit("/posts/1/edit").press("Delete the post")
            #expect(gone.path == "/timeline" && gone.text.contains("Your post “Hello and welcome.” was deleted."))
            #expect(try site.count(of: "post") == 0)
            // Nobody else brings it back, nor sees that they could.
            #expect(try await !cleo.visit("/timeline").text.contains("Undo"))
            let token = try await cleo.visit("/me/settings").value(of: "csrf") ?? ""
            #expect(try await cleo.submit("/undo/1", [("csrf", token)]).status == 404)
            let back = try await gone.press("Undo: Hello and welcome.")
            #expect(back.path == "/posts/1" && back.text.contains("The second line."))
            #expect(back.flash == "Undone, but without its likes and comments: they are gone.")
            #expect(back.html.all(ofClass: "photos").count == 1)
            // The same twice is once.
            _ = try await gone.press("Undo: Hello and welcome.")
            #expect(try site.count(of: "post WHERE likes = 0 AND comments = 0") == 1)
        }
    }

    @Test func `a comment doesn't come back where somebody was blocked meanwhile`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = (try await site.signIn(.ana), try await site.signIn(.cleo))
            _ = try await post("Hello.", by: ana)
            let said = try await cleo.visit("/posts/1").press("Send the comment", filling: ["text": "First!"])
            let gone = try await said.press("Delete this comment: First!")
            _ = try await ana.visit("/people/\(Person.cleo.username)").press("Block \(Person.cleo.username)")
            let refused = try await gone.press("Undo: First!")
            #expect(refused.status == 409 && !refused.text.contains("block"))
            #expect(try site.count(of: "comment") == 0 && site.count(of: "post WHERE comments = 0") == 1)
            // The twin: nothing stands between them anymore.
            try await site.execute("DELETE FROM block")
            #expect(try await gone.press("Undo: First!").status == 200)
            #expect(try site.count(of: "comment") == 1 && site.count(of: "post WHERE comments = 1") == 1)
        }
    }

    @Test func `a comment that was deleted comes back for ten minutes, and no longer`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = (try await site.signIn(.ana), try await site.signIn(.cleo))
            _ = try await post("Hello.", by: ana)
            let said = try await cleo.visit("/posts/1").press("Send the comment", filling: ["text": "First!"])
            let gone = try await said.press("Delete this comment: First!")
            #expect(gone.text.contains("The comment “First!” was deleted."))
            let back = try await gone.press("Undo: First!")
            #expect(back.path.hasPrefix("/posts/1") && back.flash == "Undone: it is as it was.")
            let recount: SQL = "post WHERE comments = (SELECT count(*) FROM comment WHERE post_id = post.id)"
            #expect(try site.count(of: recount) == 1 && site.count(of: "comment") == 1)
            let late = try await back.press("Delete this comment: First!")
            site.clock.advance(by: .minutes(10))
            #expect(try await late.press("Undo: First!").status == 404)
            #expect(try await !cleo.visit("/posts/1").text.contains("Undo"))
            #expect(try site.count(of: recount) == 1 && site.count(of: "comment") == 0)
            // Where the post is gone meanwhile, it says so.
            _ = try await cleo.visit("/posts/1").press("Send the comment", filling: ["text": "Second!"])
            let last = try await cleo.visit("/posts/1").press("Delete this comment: Second!")
            _ = try await ana.visit("/posts/1/edit").press("Delete the post")
            #expect(try await last.press("Undo: Second!").status == 409)
        }
    }

    @Test func `what comes back is as hidden as it was, and looked at again where it was reported`() async throws {
        try await withTestSite(limits: true) { site in
            let (ana, cleo) = (try await site.signIn(.ana), try await site.signIn(.cleo))
            _ = try await post("Hello.", by: ana)
            let waits: SQL = "matter WHERE waits_for = 'first' AND since IS NOT NULL"
            #expect(try site.count(of: waits) == 1)
            let gone = try await ana.visit("/posts/1").press("Delete the post")
            #expect(try site.count(of: waits) == 0)
            _ = try await gone.press("Undo: Hello.")
            #expect(try await cleo.visit("/posts/1").status == 404)
            #expect(try site.count(of: waits) == 1)
        }
        try await withTestSite { site in
            let (ana, cleo) = (try await site.signIn(.ana), try await site.signIn(.cleo))
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await post("Hello.", by: ana)
            _ = try await cleo.visit("/reports/new?about=post-1").press("Send the report", filling: ["reason": "spam"])
            let gone = try await ana.visit("/posts/1/edit").press("Delete the post")
            _ = try await mira.visit("/admin/queue/post-1").press("Decide", filling: ["act": "note", "ground": "spam"])
            #expect(try await mira.visit("/admin/queue").text.contains("Nothing waits"))
            // A member restricted by now brings nothing back.
            try await site.execute("UPDATE account SET limited_until = \(site.clock.now + .days(2)) WHERE NOT is_staff")
            #expect(try await gone.press("Undo: Hello.").status == 403)
            try await site.execute("UPDATE account SET limited_until = NULL")
            #expect(try await gone.press("Undo: Hello.").path == "/posts/1")
            #expect(try await mira.visit("/admin/queue").rows == ["Post: Hello."])
        }
    }

    @Test func `a post that is gone is neither liked nor answered`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = (try await site.signIn(.ana), try await site.signIn(.cleo))
            _ = try await post("Short.", by: ana)
            let page = try await cleo.visit("/posts/1")
            _ = try await ana.visit("/posts/1/edit").press("Delete the post")
            #expect(try await page.press("Like").status == 404)
            let (account, now) = (try await site.account(of: .cleo), site.clock.now)
            try await site.write(at: now) { tx in try Post.like(ID(1), true, by: account, in: tx) }
            await #expect(throws: Refusal.self) {
                try await site.write(at: now) { tx in
                    try Comment.add("Hello.", to: ID(1), by: account, once: "x", in: tx)
                }
            }
            #expect(try site.count(of: "reaction") == 0)
        }
    }

    @Test func `older posts follow page by page, each once`() async throws {
        try await withTestSite { site in
            let account = try await site.account(of: .ana)
            try await site.write(at: site.clock.now) { tx in
                for number in 1...45 {
                    _ = try Post.publish(PostForm(text: "Post \(number)."), by: account, once: "\(number)", in: tx)
                }
            }
            var seen: [String] = []
            var page = try await site.browser().visit("/timeline")
            while true {
                seen += page.html.all(ofClass: "post-text").map(\.text)
                guard page.link("Show older") != nil else { break }
                page = try await page.follow("Show older")
            }
            #expect(seen == (1...45).reversed().map { "Post \($0)." })
        }
    }

    @Test func `who left is a former member, and the words stay`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            _ = try await post("I was here.", by: ana)
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            try await site.write(at: now) { tx in try Account.leave(account, in: tx) }
            let page = try await site.browser().visit("/timeline")
            #expect(page.text.contains("A former member") && page.text.contains("I was here."))
            #expect(page.link("A former member") == nil)
            #expect(try await site.signIn(.cleo).visit("/people/former-member-1").status == 404)
        }
    }

    @Test func `an inbox names who wrote as they are called now, and keeps no name of theirs`() async throws {
        try await withTestSite { site in
            let (ana, ben) = (try await site.signIn(.ana), try await site.signIn(.ben))
            try await site.execute("UPDATE account SET confirmed_at = 1")
            _ = try await post("Forty onions.", by: ana)
            _ = try await ben.visit("/posts/1").press("Send the comment", filling: ["text": "For @ana-ortiz"])
            #expect(try await ana.visit("/inbox").text.contains("ben-ruiz commented on your post"))
            _ = try await ben.visit("/me/profile").press("Save", filling: ["display_name": "Benno"])
            #expect(try await ana.visit("/inbox").text.contains("Benno commented on your post"))
            let told: SQL = "kind = 'talked' AND (detail LIKE '%ben-ruiz%' OR detail LIKE '%Benno%')"
            #expect(try site.count(of: "notice WHERE \(told)") == 0 && site.count(of: "letter WHERE \(told)") == 0)
            #expect(try site.count(of: "notice WHERE kind = 'talked'") == 1, "the twin: there is one")
            #expect(try site.count(of: "letter WHERE kind = 'talked'") == 1)
            let (account, now) = (try await site.account(of: .ben), site.clock.now)
            try await site.write(at: now) { tx in try Account.leave(account, in: tx) }
            #expect(try await ana.visit("/inbox").text.contains("A former member commented on your post"))
        }
    }

    @Test func `hostile words are words`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            let hostile = "<script>alert(1)</script> https://example.org/?a=1&b=2 \u{202E}drow"
            let page = try await post(hostile, by: ana)
            #expect(page.html.all("script").allSatisfy { $0["src"] != nil })
            #expect(page.text.contains("<script>alert(1)</script>"))
            #expect(page.html.all("a").contains { $0["href"] == "https://example.org/?a=1&b=2" })
        }
    }
}
