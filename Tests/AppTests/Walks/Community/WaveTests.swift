import Database
import Templating
import Testing

@testable import App

/// A flood of accounts, blocked mail domains, and accounts deleted by two.
@Suite struct WaveTests {
    private func flood(_ site: TestSite) async throws {
        try await site.write(at: site.clock.now) { tx in
            for number in 1...30 {
                let id = try Account.insert(
                    email: "x\(number)@spam.example", username: "spammer-\(number)", passwordHash: "x", in: tx)
                var form = PostForm()
                form.text = "Loans, number \(number)."
                _ = try Post.publish(form, by: id, once: "spam-\(number)", in: tx)
            }
        }
    }

    @Test(.tags(.slow))
    func `thirty accounts are suspended and hidden, their domain is blocked, and one press takes it back`()
        async throws
    {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let ana = try await site.signIn(.ana)
            _ = try await ana.visit("/timeline/new").press("Preview", filling: ["text": "Hello."]).press("Post it")
            try await flood(site)
            let none = try await mira.visit("/admin/people").press("Look at it first")
            #expect(none.status == 422)
            let found = try await mira.visit("/admin/people").press("Find", filling: ["q": "@spam.example"])
            #expect(found.rows.count == 30)
            let page = try await found.follow("Choose all on this page").press("Look at it first")
            #expect(page.text.contains("30 accounts will be suspended.") && page.text.contains("30 things they wrote"))
            #expect(page.text.contains("30 of those chosen, 0 others here"))
            #expect(try site.count(of: "account WHERE suspended_at IS NOT NULL") == 0, "nothing is done yet")
            let wide = try await page.press("Suspend and hide", filling: ["domain": "gmail.com", "ground": "spam"])
            #expect(wide.status == 422 && wide.problems.first?.hasPrefix("Too many neighbors") == true)
            let own = try await wide.press("Suspend and hide", filling: ["domain": "example.org"])
            #expect(own.problems == ["Somebody who runs this site has an address there."])
            #expect(try site.count(of: "account WHERE suspended_at IS NOT NULL") == 0, "all or nothing")
            let done = try await own.press(
                "Suspend and hide", filling: ["domain": "spam.example", "ground": "spam", "reason": "A wave of loans."])
            #expect(done.path == "/admin/waves" && done.text.contains("30 accounts"))
            #expect(try site.count(of: "account WHERE suspended_at IS NOT NULL") == 30)
            #expect(try site.count(of: "post WHERE hidden_at IS NOT NULL") == 30)
            #expect(try site.count(of: "blocked_domain WHERE domain = 'spam.example'") == 1)
            #expect(try site.count(of: "staff_act WHERE verb = 'suspend'") == 30)
            #expect(try site.count(of: "staff_act WHERE verb IN ('stop_wave', 'block_domain')") == 2)
            #expect(try await site.browser().visit("/posts/1").status == 200)
            let refused = try await site.browser().visit("/signup").press(
                "Sign up",
                filling: [
                    "email": "new@mail.spam.example", "username": "newcomer", "password": "two children, one week",
                    "adult": true,
                ])
            #expect(refused.status == 422 && refused.problems.first?.hasPrefix("Addresses of this mail") == true)
            let change = try await ana.visit("/me/email").press(
                "Change the address",
                filling: ["email": "ana@spam.example", "current_password": .text(Person.password)])
            #expect(change.status == 422 && change.problems.first?.hasPrefix("Addresses of this mail") == true)
            let back = try await done.press(done.buttons.first { $0.hasPrefix("Take it all back") } ?? "")
            #expect(back.flash == "Taken back, all of it.")
            #expect(try site.count(of: "account WHERE suspended_at IS NOT NULL") == 0)
            #expect(try site.count(of: "post WHERE hidden_at IS NOT NULL") == 0)
            #expect(try site.count(of: "blocked_domain") == 0)
            let token = try #require(back.value(of: "csrf"))
            _ = try await mira.post("/admin/waves/1/undo", [("csrf", token)])
            #expect(try site.count(of: "staff_act WHERE verb = 'undo_wave'") == 1, "twice is once")
        }
    }

    @Test func `what was reported waits again once a wave is taken back, as it waited before`() async throws {
        try await withTestSite { site in
            let (ana, ben) = (try await site.account(of: .ana), try await site.account(of: .ben))
            let (mira, now) = (try await site.account(of: .mira, isStaff: true), site.clock.now)
            try await site.write(at: now) { tx in
                var form = PostForm()
                form.text = "Loans."
                let post = try Post.publish(form, by: ana, once: "one", in: tx).id
                let exhibit = try #require(try Exhibit.find(.post(post), in: tx))
                var report = ReportForm()
                report.ground = .danger
                _ = try Report.file(report, about: exhibit, by: ben, once: "two", in: tx)
            }
            let waits: SQL = "matter WHERE since IS NOT NULL AND reports = 1 AND is_grave AND waits_for = 'reports'"
            #expect(try site.count(of: waits) == 1)
            let wave = try await site.write(at: now + .hours(1)) { tx in
                try Wave.stop([ana], ground: .spam, reason: "", domains: [], by: mira, in: tx)
            }
            #expect(try site.count(of: "matter WHERE since IS NOT NULL") == 0)
            #expect(try site.count(of: "report WHERE verdict = 'right'") == 1)
            let id = try #require(wave)
            try await site.write(at: now + .hours(2)) { tx in try Wave.undo(id, by: mira, in: tx) }
            #expect(try site.count(of: "post WHERE hidden_at IS NULL") == 1)
            #expect(try site.count(of: "report WHERE verdict IS NULL") == 1)
            #expect(try site.count(of: waits) == 1)
        }
    }

    @Test func `from one account a page leads to all with its mail domain`() async throws {
        try await withTestSite { site in
            let ben = try await site.account(of: .ben)
            let mira = try await site.signIn(.mira, isStaff: true)
            let found = try await mira.visit("/admin/people/\(ben)").follow("Everybody with @example.org")
            #expect(found.heading == "People" && found.rows.contains("ben-ruiz"))
        }
    }

    @Test func `a domain is blocked with a reason and let in again, and both stand in the log`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let page = try await mira.visit("/admin/domains")
            #expect(try await page.press("Block it", filling: ["domain": "nothing"]).status == 422)
            let blocked = try await page.press(
                "Block it", filling: ["domain": "@Spam.Example", "reason": "Loans, all week"])
            #expect(blocked.text.contains("spam.example") && blocked.text.contains("mira-staff"))
            _ = try await blocked.press("Let in again: spam.example")
            #expect(try site.count(of: "blocked_domain") == 0)
            let log = try await mira.visit("/admin/log").text
            #expect(log.contains("blocked the mail domain spam.example") && log.contains("Loans, all week"))
            #expect(log.contains("unblocked the mail domain spam.example"))
        }
    }

    // MARK: Deleting by two

    private func act(_ act: String, on account: ID<Account>, by browser: Browser) async throws -> Page {
        let token = try await browser.visit("/me/settings").value(of: "csrf") ?? ""
        return try await browser.post(
            "/admin/people/\(account)/\(act)", [("csrf", token), ("reason", "Loans, all week")])
    }

    @Test func `an account is deleted by two, never by one, and its author reads why`() async throws {
        try await withTestSite { site in
            let (mira, ana) = (try await site.signIn(.mira, isStaff: true), try await site.signIn(.ana))
            let ben = try await site.signIn(.ben, isStaff: true)
            _ = try await ana.visit("/timeline/new").press("Preview", filling: ["text": "Loans."]).press("Post it")
            _ = try await ben.visit("/timeline/new").press("Preview", filling: ["text": "Hello."]).press("Post it")
            _ = try await ana.visit("/posts/2").press("Send the comment", filling: ["text": "Loans."])
            let account = try await site.account(of: .ana)
            #expect(try await act("removal-consent", on: account, by: mira).status == 404, "nobody asked")
            #expect(try await act("removal", on: account, by: mira).status == 200)
            #expect(try await act("removal", on: account, by: ben).status == 200, "once")
            #expect(try site.count(of: "decision WHERE act = 'delete'") == 1)
            let told = try await ana.visit("/inbox").follow("Unread: Your account is to be deleted")
            #expect(told.text.contains("Loans, all week"))
            #expect(try await act("removal-consent", on: account, by: mira).status == 403, "one’s own wish")
            #expect(try await act("removal-consent", on: account, by: ana).status == 403)
            #expect(try await mira.visit("/admin/queue?show=removal").text.contains("ana-ortiz"))
            #expect(try await act("removal-undo", on: account, by: mira).status == 200)
            #expect(try await act("removal-consent", on: account, by: ben).status == 404, "it was taken back")
            #expect(try await ana.visit("/posts/1").status == 200)
            _ = try await act("removal", on: account, by: mira)
            site.clock.advance(by: .days(8))
            let due = try await site.write(at: site.clock.now) { tx in try Removal.carryOutDue(in: tx) }
            #expect(due == 0, "there is somebody else to say yes")
            let second = try await site.signIn(.ben, isStaff: true)
            #expect(try await act("removal-consent", on: account, by: second).path == "/admin/people")
            #expect(try site.count(of: "account WHERE id = \(account) AND left_at IS NOT NULL") == 1)
            #expect(try site.count(of: "post WHERE account_id = \(account)") == 0)
            #expect(try site.count(of: "comment") == 0)
            #expect(try site.count(of: "post WHERE comments <> 0") == 0)
            #expect(
                try site.count(of: "staff_act WHERE verb IN ('ask_removal', 'keep_account', 'delete_account')") == 4)
            #expect(try site.count(of: "staff_act WHERE subject = 'ana-ortiz'") == 0, "the log keeps no name")
        }
    }

    @Test func `without its author's name on the wish, one alone could delete an account`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await site.signIn(.ben, isStaff: true)
            let account = try await site.account(of: .ana)
            _ = try await act("removal", on: account, by: mira)
            #expect(try await act("removal-consent", on: account, by: mira).status == 403)
            // Twin: nobody's wish is somebody else's.
            try await site.execute("UPDATE decision SET staff_id = NULL")
            #expect(try await act("removal-consent", on: account, by: mira).path == "/admin/people")
            #expect(try site.count(of: "account WHERE id = \(account) AND left_at IS NOT NULL") == 1)
        }
    }

    @Test func `a blocked domain keeps out, and without its row the same address comes in`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await mira.visit("/admin/domains").press(
                "Block it", filling: ["domain": "spam.example", "reason": "Loans, all week"])
            func signUp() async throws -> Page {
                try await site.browser().visit("/signup").press(
                    "Sign up",
                    filling: [
                        "email": "x@a.b.c.d.e.f.g.h.SPAM.example", "username": "newcomer",
                        "password": "two children, one week", "adult": true,
                    ])
            }
            #expect(try await signUp().problems.first?.hasPrefix("Addresses of this mail") == true)
            // Twin.
            try await site.execute("DELETE FROM blocked_domain")
            #expect(try await signUp().path == "/welcome")
        }
    }

    @Test func `an account to be deleted waits for it, whatever else is decided, and holds up no other`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let (ana, cleo) = (try await site.account(of: .ana), try await site.account(of: .cleo))
            let ben = try await site.account(of: .ben)
            let (staff, now) = (try await site.account(of: .mira, isStaff: true), site.clock.now)
            try await site.write(at: now) { tx in
                let exhibit = try #require(try Exhibit.find(.person(ana), in: tx))
                _ = try Report.file(ReportForm(), about: exhibit, by: cleo, once: "one", in: tx)
                var form = PostForm()
                form.text = "Loans for @ben-ruiz."
                let post = try Post.publish(form, by: ana, once: "a", in: tx).id
                try Decision.make(.init(verdict: .delete), about: .post(post), by: staff, in: tx)
            }
            let queue = try await mira.visit("/admin/queue?show=removal")
            #expect(queue.text.contains("ana-ortiz"), "it waited for something else")
            _ = try await site.write(at: now) { tx in
                try Decision.make(.init(verdict: .fine), about: .person(ana), by: staff, in: tx)
            }
            #expect(try site.count(of: "matter WHERE waits_for = 'removal' AND since IS NOT NULL") == 1)
            // Somebody else whose account was to be deleted runs the site since, and left it again to one.
            _ = try await act("removal", on: ben, by: mira)
            try await site.execute(
                "UPDATE account SET is_staff = TRUE, suspended_at = 1 WHERE id = \(ben)")
            site.clock.advance(by: .days(8))
            let then = site.clock.now
            let count = try await site.write(at: then) { tx in try Removal.carryOutDue(in: tx) }
            #expect(count == 1)
            #expect(try site.count(of: "account WHERE id = \(ana) AND left_at IS NOT NULL") == 1)
            #expect(try site.count(of: "account WHERE id = \(ben) AND left_at IS NULL") == 1)
            #expect(try site.count(of: "notice WHERE kind = 'talked'") == 0)
        }
    }

    @Test func `who runs the site alone waits a week, and can think better of it`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let account = try await site.account(of: .ana)
            let page = try await act("removal", on: account, by: mira)
            #expect(page.text.contains("Nobody else runs this site"))
            for (days, expected) in [(6, 0), (2, 1)] {
                site.clock.advance(by: .days(days))
                let count = try await site.write(at: site.clock.now) { tx in try Removal.carryOutDue(in: tx) }
                #expect(count == expected)
            }
            #expect(try site.count(of: "account WHERE left_at IS NOT NULL") == 1)
        }
    }

    @Test func `who is to be deleted and is then trusted with the site stays`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let ben = try await site.account(of: .ben)
            _ = try await act("removal", on: ben, by: mira)
            let form = try await mira.visit("/admin/people/\(ben)").follow("Change the role")
            let answers: [String: Filling] = [
                "role": "moderator", "reason": "It was a mistake", "current_password": .text(Person.password),
            ]
            #expect(try await form.press("Save the role", filling: answers).status == 200)
            #expect(try site.count(of: "decision WHERE act = 'delete' AND ended_at IS NULL") == 0)
            #expect(try site.count(of: "matter WHERE waits_for = 'removal' AND since IS NOT NULL") == 0)
            #expect(try site.count(of: "staff_act WHERE verb = 'keep_account'") == 1)
        }
    }

    @Test func `each power of staff is refused to everybody else`() async throws {
        try await withTestSite { site in
            let account = try await site.account(of: .cleo)
            let kinds = [
                site.browser(), try await site.signIn(.family(1)), try await site.signIn(.ana, as: .parent),
                try await site.signIn(.ben, as: .provider),
            ]
            let powers: [(path: String, pairs: [(String, String)])] = [
                ("/admin/people", [("account", "\(account)"), ("step", "publish"), ("ground", "spam")]),
                ("/admin/waves/1/undo", []),
                ("/admin/domains/block", [("domain", "spam.example"), ("reason", "Because")]),
                ("/admin/people/\(account)/removal", [("reason", "Because")]),
                ("/admin/people/\(account)/removal-consent", [("reason", "Because")]),
                ("/admin/queue/person-\(account)", [("act", "admit")]),
                ("/admin/queue/person-\(account)", [("act", "refuse"), ("ground", "spam")]),
                ("/admin/settings", [("town", "x"), ("joining", "closed")]),
            ]
            for browser in kinds {
                let token = try await browser.visit("/help").value(of: "csrf")
                for (path, pairs) in powers {
                    let page = try await browser.submit(path, pairs + (token.map { [("csrf", $0)] } ?? []))
                    #expect(page.status == 403 || page.heading == "Log in to go on", "\(path): \(page.status)")
                }
            }
            for table: SQL in ["staff_act", "decision", "wave", "blocked_domain"] {
                #expect(try site.count(of: table) == 0)
            }
        }
    }
}
