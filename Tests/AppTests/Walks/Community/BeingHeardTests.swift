import Database
import Templating
import Testing

@testable import App

/// Suspended members read why and answer; reports without an account are answered.
@Suite struct BeingHeardTests {
    private func post(_ text: String, by browser: Browser) async throws {
        _ = try await browser.visit("/timeline/new").press("Preview", filling: ["text": .text(text)]).press("Post it")
    }

    private func decide(_ subject: String, _ act: String, _ mira: Browser) async throws {
        _ = try await mira.visit("/admin/queue/\(subject)").press(
            "Decide", filling: ["act": .text(act), "ground": "spam", "reason": "", "days": ""])
    }

    private func logIn(_ site: TestSite, password: String = Person.password) async throws -> Page {
        try await site.browser().visit("/login").press(
            "Log in", filling: ["login": "ana-ortiz", "password": .text(password)])
    }

    @Test(arguments: [true, false])
    func `who is suspended reads why at the log-in page, and answers there once`(isConfirmed: Bool) async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            let mira = try await site.signIn(.mira, isStaff: true)
            if isConfirmed { try await site.execute("UPDATE account SET confirmed_at = 1") }
            try await post("Buy this.", by: ana)
            try await decide("post-1", "suspend", mira)
            let page = try await logIn(site)
            #expect(page.status == 403 && page.heading == "This account is suspended")
            #expect(page.text.contains("It is advertising."))
            #expect(try site.count(of: "session WHERE account_id <> 2") == 0)
            // Nobody else reads it.
            #expect(try await !logIn(site, password: "wrong password").text.contains("advertising"))
            _ = try await page.press("Send the answer", filling: ["answer": "It was a joke."])
            #expect(try site.count(of: "matter WHERE waits_for = 'answer' AND since IS NOT NULL") == 1)
            let again = try await logIn(site)
            #expect(again.text.contains("It was a joke.") && !again.buttons.contains("Send the answer"))
        }
    }

    @Test func `what is kept for somebody who is suspended is free for others`() async throws {
        try await withTestSite { site in
            let id = try await SigningUpToHelpTests.coats(site)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/opportunities/\(id)").press("I’ll bring it: Coats", filling: ["count": "3"])
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            try await site.write(at: now) { tx in _ = try Account.suspend(account, in: tx) }
            #expect(try site.count(of: "opportunity WHERE promised = 0") == 1)
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/inbox").text.contains("Somebody took a promise back: Winter coats"))
        }
    }

    @Test func `a wave takes what waits out of the queue, blocks each domain, and all of it comes back`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let now = site.clock.now
            let accounts: [ID<Account>] = try await site.write(at: now) { tx in
                try ["spam.example", "junk.example", "spam.example"].enumerated().map { number, domain in
                    let id = try Account.insert(
                        email: "x\(number)@\(domain)", username: "spammer-\(number)", passwordHash: "x", in: tx)
                    var form = PostForm()
                    form.text = "Loans, number \(number)."
                    _ = try Post.publish(form, by: id, once: "spam-\(number)", in: tx)
                    // As of somebody whose address isn't confirmed: nobody has seen it yet.
                    let post = Subject.post(ID(Int64(number) + 1))
                    try Exhibit.hide(post, at: tx.now, in: tx)
                    try Matter.raise(post, of: id, for: .first, in: tx)
                    return id
                }
            }
            #expect(try site.count(of: "matter WHERE since IS NOT NULL") == 3)
            let found = try await mira.visit("/admin/people?q=spammer")
            let look = try await found.press(
                "Look at it first", filling: ["account": .texts(accounts.map { "\($0)" })])
            let done = try await look.press(
                "Suspend and hide",
                filling: ["block": ["spam.example", "junk.example"], "domain": "more.example, else.example"])
            #expect(done.path == "/admin/waves")
            #expect(try site.count(of: "blocked_domain WHERE wave_id = 1") == 4)
            #expect(try site.count(of: "matter WHERE since IS NOT NULL") == 0)
            _ = try await done.press(done.buttons.first { $0.hasPrefix("Take it all back") } ?? "")
            #expect(try site.count(of: "matter WHERE since IS NOT NULL AND waits_for = 'first'") == 3)
            #expect(try site.count(of: "post WHERE hidden_at IS NULL") == 0, "nobody has seen them yet")
            #expect(try site.count(of: "blocked_domain") == 0)
        }
    }

    @Test func `the queue is chosen as a whole, also beyond its page`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            try await site.write(at: now) { tx in
                for number in 1...35 {
                    var form = PostForm()
                    form.text = "Number \(number)."
                    _ = try Post.publish(form, by: account, once: "once-\(number)", in: tx)
                    try Matter.raise(.post(ID(Int64(number))), of: account, for: .look, in: tx)
                }
            }
            let queue = try await mira.visit("/admin/queue?show=look")
            #expect(queue.text.contains("All of it: 35 things"))
            let look = try await queue.press(
                "Show what would happen", filling: ["all": true, "act": "fine", "ground": "spam"])
            #expect(look.values(of: "subject").count == 35)
            // With nothing chosen, the form comes back with the same part of the list, and still leads back to it.
            let nothing = try await queue.press("Show what would happen", filling: ["act": "fine", "ground": "spam"])
            #expect(nothing.status == 422 && nothing.problems == ["Choose something first."])
            #expect(nothing.text.contains("All of it: 35 things"))
            let again = try await nothing.press(
                "Show what would happen", filling: ["all": true, "act": "fine", "ground": "spam"])
            #expect(again.link("To review") == "/admin/queue?show=look")
            #expect(try await look.press("Decide about 35").path == "/admin/queue?show=look")
            #expect(try site.count(of: "matter WHERE since IS NOT NULL") == 0)
        }
    }

    @Test func `a report without an account is answered by one letter, and behind its link`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            try await post("Buy this.", by: ana)
            // Members are told nothing by mail, and aren't asked for an address.
            #expect(try await site.signIn(.cleo).visit("/reports/new?about=post-1").value(of: "email") == nil)
            let form = try await site.browser().visit("/posts/1").follow("Report")
            let sent = try await form.press(
                "Send the report", filling: ["reason": "spam", "email": "nan@example.org"])
            #expect(sent.heading == "Your report waits for a look" && sent.path.hasPrefix("/reports/"))
            #expect(sent.text.contains("one letter to the address you left tells you the outcome"))
            // After a step back the form is drawn anew: the same from the same address is the same report.
            let again = try await site.browser().visit("/reports/new?about=post-1").press(
                "Send the report", filling: ["reason": "spam", "email": "nan@example.org"])
            #expect(again.path == sent.path)
            #expect(try site.count(of: "report") == 1)
            let mira = try await site.signIn(.mira, isStaff: true)
            // Staff read the address beside the report, and nowhere else.
            #expect(try await mira.visit("/admin/queue/post-1").text.contains("nan@example.org"))
            try await decide("post-1", "hide", mira)
            try await decide("post-1", "note", mira)
            let letters: SQL = "letter WHERE kind = 'decided' AND account_id IS NULL AND address = 'nan@example.org'"
            #expect(try site.count(of: letters) == 1)
            #expect(try site.count(of: "report WHERE email <> ''") == 0)
            #expect(try await !mira.visit("/admin/queue/post-1").text.contains("nan@example.org"))
            let admin = try await site.signIn(.mira, isStaff: true)
            let outbox = try await admin.visit("/admin/mail")
            #expect(!outbox.text.contains("nan@example.org"))
            let answer = try await site.browser().visit(sent.path)
            #expect(answer.heading == "Something was done about what you reported")
            for wrong in ["/reports/1", "/reports/report-1", sent.path + "x"] {
                #expect(try await site.browser().visit(wrong).status == 404, "\(wrong)")
            }
            let text = try site.read(at: site.clock.now) { tx in
                let letter = try Letter.next(in: tx)
                return try letter?.text(try Seal(in: tx), country: "US", zone: .utc, in: tx)
            }
            #expect(text?.action?.link.string == sent.path)
        }
    }

    @Test func `what was found fine is said so, and who leaves no address gets no letter`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            try await post("Hello.", by: ana)
            let form = try await site.browser().visit("/reports/new?about=post-1")
            let wrong = try await form.press("Send the report", filling: ["reason": "spam", "email": "nan"])
            #expect(wrong.status == 422 && wrong.value(of: "email") == "nan")
            _ = try await form.press("Send the report", filling: ["reason": "spam"])
            // After a step back, the same is the same report; what somebody sends later counts.
            let path = "/reports/new?about=post-1"
            _ = try await site.browser().visit(path).press("Send the report", filling: ["reason": "spam"])
            #expect(try site.count(of: "report") == 1)
            _ = try await site.browser().visit(path).press(
                "Send the report", filling: ["reason": "spam", "note": "Look again."])
            #expect(try site.count(of: "report") == 2)
            site.clock.advance(by: Report.again + .seconds(1))
            _ = try await site.browser().visit(path).press("Send the report", filling: ["reason": "spam"])
            #expect(try site.count(of: "report") == 3)
            let other = try await site.browser().visit("/reports/new?about=post-1")
            let sent = try await other.press(
                "Send the report", filling: ["reason": "spam", "email": "nan@example.org"])
            let mira = try await site.signIn(.mira, isStaff: true)
            try await decide("post-1", "fine", mira)
            #expect(try site.count(of: "letter WHERE kind = 'decided' AND account_id IS NULL") == 1)
            let answer = try await site.browser().visit(sent.path)
            #expect(answer.heading == "What you reported was looked at and found fine")
        }
    }
}
