import Database
import Templating
import Testing

@testable import App

/// What people report, what staff decide, and what authors answer.
@Suite struct ModerationTests {
    private func post(_ text: String, by browser: Browser) async throws {
        _ = try await browser.visit("/timeline/new").press("Preview", filling: ["text": .text(text)]).press("Post it")
    }

    private func report(
        _ subject: String, _ browser: Browser, reason: String = "unkind", note: String = ""
    ) async throws -> Page {
        try await browser.visit("/reports/new?about=\(subject)").press(
            "Send the report", filling: ["reason": .text(reason), "note": .text(note)])
    }

    private func decide(
        _ subject: String, _ act: String, _ mira: Browser, ground: String = "unkind", reason: String = "",
        days: String = ""
    ) async throws -> Page {
        let filling: [String: Filling] = [
            "act": .text(act), "ground": .text(ground), "reason": .text(reason), "days": .text(days),
        ]
        return try await mira.visit("/admin/queue/\(subject)").press("Decide", filling: filling)
    }

    /// What stands in the queue adds up to the reports that wait.
    private func recount(_ site: TestSite) throws {
        #expect(
            try site.count(
                of: """
                    matter WHERE reports <> (
                        SELECT count(*) FROM report WHERE report.subject = matter.subject AND verdict IS NULL)
                    """) == 0)
    }

    @Test func `a subject is a kind and a number, and nothing else`() {
        for kind in Subject.Kind.allCases {
            #expect(Subject(rawValue: "\(kind.rawValue)-7")?.rawValue == "\(kind.rawValue)-7")
            #expect(!kind.verdicts.isEmpty)
            #expect(kind.reportable.kind == kind)
        }
        for text in ["", "post", "post-", "post-0", "post-07", "post--7", "post-7-8", "tree-7", "POST-7", "post-x"] {
            #expect(Subject(rawValue: text) == nil, "\(text)")
        }
    }

    @Test func `anybody reports, also without an account, and the words are kept as they were`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            try await post("Go away, all of you.", by: ana)
            let form = try await site.browser().visit("/posts/1").follow("Report")
            let empty = try await form.press("Send the report", filling: ["note": "Look"])
            #expect(empty.status == 422 && empty.problems == ["Say what is wrong with it."])
            #expect(empty.value(of: "note") == "Look")
            let sent = try await empty.press("Send the report", filling: ["reason": "unkind"])
            #expect(sent.flash == "Thank you. Somebody who runs this site looks at it soon.")
            _ = try await ana.visit("/posts/1/edit").press("Preview", filling: ["text": "Good morning."])
                .press("Save the change")
            let mira = try await site.signIn(.mira, isStaff: true)
            let queue = try await mira.visit("/admin").follow("To review")
            #expect(queue.text.contains("Good morning.") && queue.text.contains("1 report"))
            let page = try await queue.follow("Post: Good morning.")
            #expect(page.text.contains("Go away, all of you.") && page.text.contains("Somebody without an account"))
            try recount(site)
        }
    }

    @Test func `what somebody can't read they can't report`() async throws {
        try await withTestSite { site in
            let (ana, ben, cleo) = (
                try await site.signIn(.ana, as: .parent), try await site.signIn(.ben, as: .provider),
                try await site.signIn(.cleo)
            )
            _ = try await ana.visit("/timeline/new").press(
                "Preview", filling: ["text": "Among us.", "audience": "members"]
            ).press("Post it")
            _ = try await cleo.visit("/posts/1").press("Send the comment", filling: ["text": "Yes."])
            let event = try await site.publish(by: .ben)
            _ = try await ana.visit("/events/\(event)").press("Ask", filling: ["text": "Where is it?"])
            let visitor = site.browser()
            let account = try await site.account(of: .ana)
            for subject in ["post-1", "comment-1", "person-\(account)", "question-1", "post-9", "event-9", "x"] {
                #expect(try await visitor.visit("/reports/new?about=\(subject)").status == 404, "\(subject)")
            }
            #expect(try await cleo.visit("/reports/new?about=question-1").status == 404)
            #expect(try await ben.visit("/reports/new?about=question-1").status == 200, "the host reads it")
            for subject in ["post-1", "comment-1", "person-\(account)", "event-\(event)"] {
                #expect(try await ben.visit("/reports/new?about=\(subject)").status == 200, "\(subject)")
            }
            // Staff don't read what is between two, until one of them reports it.
            let mira = try await site.signIn(.mira, isStaff: true)
            #expect(try await mira.visit("/admin/queue/question-1").status == 404)
            _ = try await report("question-1", ben)
            #expect(try await mira.visit("/admin/queue/question-1").text.contains("Where is it?"))
        }
    }

    @Test func `a member reports once, nobody their own, and the sixth in an hour waits`() async throws {
        try await withTestSite(limits: true) { site in
            let (ana, cleo) = (try await site.signIn(.ana), try await site.signIn(.cleo))
            try await site.execute("UPDATE account SET confirmed_at = 1")
            for number in 1...6 { try await post("Post \(number).", by: ana) }
            for _ in 0..<2 { _ = try await report("post-1", cleo) }
            #expect(try site.count(of: "report") == 1)
            let own = try await report("post-1", ana)
            #expect(own.status == 422 && own.problems.first?.hasPrefix("This is your own.") == true)
            for number in 2...4 { #expect(try await report("post-\(number)", cleo).status == 200) }
            #expect(try await report("post-5", cleo).status == 429)
            try recount(site)
        }
    }

    @Test func `what is found fine isn't reported again until it is changed`() async throws {
        try await withTestSite { site in
            let (ana, cleo, ben) = (
                try await site.signIn(.ana), try await site.signIn(.cleo), try await site.signIn(.ben)
            )
            let mira = try await site.signIn(.mira, isStaff: true)
            try await post("I like cats.", by: ana)
            _ = try await report("post-1", cleo)
            _ = try await decide("post-1", "fine", mira)
            #expect(try site.count(of: "matter WHERE since IS NULL AND reports = 0") == 1)
            #expect(try site.count(of: "notice") == 0, "the author never heard of it")
            #expect(try await report("post-1", ben).flash == "Somebody looked at this already, and found it fine.")
            #expect(try site.count(of: "report") == 1)
            _ = try await ana.visit("/posts/1/edit").press("Preview", filling: ["text": "I hate cats."])
                .press("Save the change")
            _ = try await report("post-1", ben)
            #expect(try site.count(of: "report WHERE verdict IS NULL") == 1)
            try recount(site)
        }
    }

    @Test func `what is hidden is gone for others, its author is told why, answers once, and it is taken back`()
        async throws
    {
        try await withTestSite { site in
            let (ana, cleo) = (try await site.signIn(.ana), try await site.signIn(.cleo))
            let mira = try await site.signIn(.mira, isStaff: true)
            try await post("Dale lives at 88 Harlan Street.", by: ana)
            _ = try await report("post-1", cleo, reason: "private")
            let without = try await mira.visit("/admin/queue/post-1").press(
                "Decide", filling: ["act": "hide"])
            #expect(without.status == 422)
            #expect(try site.count(of: "decision") == 0)
            let done = try await decide("post-1", "hide", mira, ground: "private")
            #expect(done.flash == "Decided. What staff did" && done.text.contains("Nothing waits"))
            // From there to where it can be taken back.
            let staffLog = try await done.follow("What staff did")
            #expect(staffLog.html.all("a").contains { $0["href"] == "/admin/queue/post-1" })
            #expect(try await cleo.visit("/posts/1").status == 404)
            let told = try await ana.visit("/inbox").follow("Unread: Something was decided about what you wrote")
            #expect(told.path == "/decisions/1" && told.heading == "Your post is hidden")
            #expect(told.text.contains("It says or shows what is somebody’s private matter."))
            #expect(!told.text.contains("mira"), "no names of those who decide")
            #expect(try await cleo.visit("/decisions/1").status == 404)
            let answered = try await told.press("Send the answer", filling: ["answer": "He asked me to."])
            #expect(answered.flash?.hasPrefix("Sent.") == true && !answered.buttons.contains("Send the answer"))
            let token = try await ana.visit("/me/settings").value(of: "csrf") ?? ""
            let again = try await ana.post("/decisions/1", [("csrf", token), ("answer", "And again.")])
            #expect(again.status == 422)
            #expect(try site.count(of: "decision WHERE answer = 'He asked me to.'") == 1)
            let page = try await mira.visit("/admin/queue?show=answer").follow("Post: Dale lives at 88 Harlan Street.")
            #expect(page.text.contains("He asked me to.") && page.text.contains("it is better if somebody else looks"))
            #expect(page.text.ranges(of: "He asked me to.").count == 1, "it stands there once")
            let back = try await page.press("Take it back: Hidden, Post")
            #expect(back.flash == "Taken back. The author is told.")
            #expect(try await cleo.visit("/posts/1").status == 200)
            #expect(try await ana.visit("/decisions/1").heading == "Your post is no longer hidden")
            #expect(try site.count(of: "matter WHERE since IS NOT NULL") == 0)
            let log = try await mira.visit("/admin/log").text
            #expect(log.contains("took away a post") && log.contains("showed a post again"))
            #expect(!log.contains("Harlan"), "the log doesn’t keep the words")
            try recount(site)
        }
    }

    @Test func `what is to be changed is hidden until its author changes it, and is looked at again`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = (try await site.signIn(.ana), try await site.signIn(.cleo))
            let mira = try await site.signIn(.mira, isStaff: true)
            try await post("Call Dale at 555 0100.", by: ana)
            site.clock.advance(by: .hours(2))
            _ = try await decide("post-1", "ask", mira, reason: "Please leave the number out.")
            #expect(try await cleo.visit("/posts/1").status == 404)
            let page = try await ana.visit("/decisions/1")
            #expect(page.text.contains("Please leave the number out."))
            let asked: SQL = "notice WHERE kind = 'decided' AND read_at IS NULL"
            #expect(try site.count(of: asked) == 1)
            _ = try await page.follow("Change it").press("Preview", filling: ["text": "Call Dale."])
                .press("Save the change")
            #expect(try site.count(of: asked) == 0, "there is nothing left to change")
            #expect(try await cleo.visit("/posts/1").text.contains("Call Dale."))
            #expect(try await ana.visit("/posts/1/edit").path == "/posts/1", "once")
            #expect(try await mira.visit("/admin/queue?show=look").text.contains("Call Dale."))
        }
    }

    @Test func `comments, questions, pages and events are hidden by the same way`() async throws {
        try await withTestSite { site in
            let (ana, ben) = (
                try await site.signIn(.ana, as: .parent), try await site.signIn(.ben, as: .provider)
            )
            let mira = try await site.signIn(.mira, isStaff: true)
            let visitor = site.browser()
            try await post("Hello.", by: ben)
            _ = try await ana.visit("/posts/1").press("Send the comment", filling: ["text": "Awful."])
            let event = try await site.publish(by: .ben)
            _ = try await ana.visit("/events/\(event)").press("Ask", filling: ["text": "Are you mad?"])
            _ = try await ben.visit("/questions/1/answer").press("Answer", filling: ["text": "No."])
            _ = try await ana.visit("/me/profile").press(
                "Save", filling: ["display_name": "Queen Ana", "is_open": ["1"]])
            let account = try await site.account(of: .ana)
            let shown: [(subject: String, path: String, text: String)] = [
                ("comment-1", "/posts/1", "Awful."), ("question-1", "/events/\(event)", "Are you mad?"),
                ("person-\(account)", "/people/ana-ortiz", "Queen Ana"), ("event-\(event)", "/events", "Kite day"),
            ]
            for (subject, path, text) in shown {
                #expect(try await visitor.visit(path).text.contains(text), "\(subject)")
                _ = try await decide(subject, "hide", mira)
                #expect(try await !visitor.visit(path).text.contains(text), "\(subject)")
            }
            #expect(try await ana.visit("/posts/1").text.contains("only you see it"))
            for number in 1...4 {
                let token = try await mira.visit("/admin").value(of: "csrf") ?? ""
                // Twice is once.
                for _ in 0..<2 {
                    #expect(try await mira.post("/decisions/\(number)/undo", [("csrf", token)]).status == 200)
                }
            }
            for (subject, path, text) in shown {
                #expect(try await visitor.visit(path).text.contains(text), "\(subject)")
            }
            #expect(try site.count(of: "staff_act") == 8)
        }
    }

    @Test func `three members whose reports count hide a post, but no event that families come to`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            let event = try await site.publish(by: .ben)
            let mo = try await site.child("Mo", of: .ana)
            try await site.register([mo], of: .ana, at: event)
            try await post("Hello.", by: ana)
            try await post("And again.", by: ana)
            var members: [Browser] = []
            for number in 1...5 { members.append(try await site.signIn(.family(100 + number))) }
            try await site.execute("UPDATE account SET created_at = created_at - 2592000000, confirmed_at = 1")
            try await site.execute("UPDATE account SET confirmed_at = NULL WHERE username = 'family-104'")
            for member in members.prefix(2) + members[3...3] { _ = try await report("post-1", member) }
            _ = try await report("post-1", site.browser())
            #expect(try site.count(of: "post WHERE hidden_at IS NOT NULL") == 0, "two count, and two don’t")
            for member in members.prefix(3) { _ = try await report("event-\(event)", member) }
            #expect(try site.count(of: "event WHERE hidden_at IS NOT NULL") == 0)
            _ = try await report("post-1", members[2])
            #expect(try site.count(of: "post WHERE hidden_at IS NOT NULL") == 1)
            #expect(try await ana.visit("/decisions/1").text.contains("Several members reported it."))
            // Staff find it fine: it is shown again, and these reporters count no more.
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await decide("post-1", "fine", mira)
            #expect(try site.count(of: "post WHERE hidden_at IS NOT NULL") == 0)
            for member in members.prefix(3) { _ = try await report("post-2", member) }
            #expect(try site.count(of: "post WHERE hidden_at IS NOT NULL") == 0)
            try recount(site)
        }
    }

    @Test func `who is limited reads and doesn't write, until the days are over`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            let mira = try await site.signIn(.mira, isStaff: true)
            try await post("Hello.", by: ana)
            let form = try await ana.visit("/posts/1")
            _ = try await decide("post-1", "limit", mira, days: "2")
            #expect(try await form.press("Send the comment", filling: ["text": "Hm."]).status == 403)
            #expect(try await ana.visit("/timeline").status == 200)
            let token = try await ana.visit("/me/settings").value(of: "csrf") ?? ""
            for route in site.site.routes().all where route.traits.contains(.publishes) {
                let path = route.pattern.replacing(":id", with: "1")
                let page = try await ana.submit(path, [("csrf", token)])
                #expect(page.status == 403 && page.heading == "You can’t write here at the moment", "\(path)")
            }
            site.clock.advance(by: .hours(49))
            _ = try await ana.visit("/posts/1").press("Send the comment", filling: ["text": "Hm."])
            #expect(try site.count(of: "comment") == 1)
        }
    }

    @Test func `who is suspended reads why by the link in the letter, and answers there`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            let mira = try await site.signIn(.mira, isStaff: true)
            try await site.execute("UPDATE account SET confirmed_at = 1")
            try await post("Buy this.", by: ana)
            _ = try await decide("post-1", "suspend", mira, ground: "spam")
            #expect(try site.count(of: "letter WHERE kind = 'decided' AND state = 'waiting'") == 1)
            let seal = try await site.write { db in try Seal.make(in: db) }
            let link = LetterLink.appeal.link(to: ID(1), for: try await site.account(of: .ana), seal).string
            let page = try await site.browser().visit(link)
            #expect(page.heading == "Your account is suspended" && page.text.contains("It is advertising."))
            // Nothing leads to a log-in that refuses, and staff don’t read that others see it.
            #expect(!page.html.all("a").contains { $0["href"] == "/inbox" })
            let matter = try await mira.visit("/admin/queue/post-1")
            #expect(!matter.text.contains("Visible") && matter.html.all("li").contains { $0.text == "Suspended" })
            _ = try await page.press("Send the answer", filling: ["answer": "It was a joke."])
            #expect(try site.count(of: "matter WHERE waits_for = 'answer' AND since IS NOT NULL") == 1)
            for wrong in ["/appeals/1", "/appeals/decision-1", link + "x", "/appeals/decision-2.\(link.suffix(43))"] {
                #expect(try await site.browser().visit(wrong).status == 404, "\(wrong)")
            }
            _ = try await mira.visit("/admin/queue/post-1").press("Take it back: Suspended, Post")
            #expect(try await site.signIn(.ana).visit("/decisions/1").heading == "Your account is restored")
        }
    }

    @Test func `a decision that is pressed twice is made once, and its author is told once`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = (try await site.signIn(.ana), try await site.signIn(.cleo))
            let mira = try await site.signIn(.mira, isStaff: true)
            for number in 1...4 {
                try await post("Number \(number).", by: ana)
                _ = try await report("post-\(number)", cleo)
            }
            func made(about subject: String) throws -> [Int] {
                [
                    try site.count(of: "decision WHERE subject = \(subject)"),
                    try site.count(of: "staff_act WHERE about = \(subject)"),
                ]
            }
            for (number, act) in ["fine", "note", "limit"].enumerated() {
                let subject = "post-\(number + 1)"
                let page = try await mira.visit("/admin/queue/\(subject)")
                let filling: [String: Filling] = [
                    "act": .text(act), "ground": "unkind", "reason": "Be kind, please.", "days": "2",
                ]
                for _ in 1...2 { #expect(try await page.press("Decide", filling: filling).flash != nil, "\(act)") }
                #expect(try made(about: subject) == [1, 1], "\(act)")
            }
            #expect(try site.count(of: "notice WHERE kind = 'decided'") == 2)
            // From a page of its own it is another decision.
            _ = try await decide("post-2", "note", mira, reason: "Once more.")
            #expect(try made(about: "post-2") == [2, 2], "the twin")
            let shown = try await mira.visit("/admin/queue").press(
                "Show what would happen", filling: ["subject": "post-4", "act": "fine", "ground": "spam"])
            for _ in 1...2 { _ = try await shown.press("Decide about 1") }
            #expect(try made(about: "post-4") == [1, 1])
            try recount(site)
        }
    }

    @Test func `what waited for a reply is settled when its author leaves`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = (try await site.signIn(.ana), try await site.signIn(.cleo))
            let mira = try await site.signIn(.mira, isStaff: true)
            try await post("Go away, all of you.", by: ana)
            _ = try await report("post-1", cleo, note: "It is about me.")
            _ = try await decide("post-1", "hide", mira)
            _ = try await ana.visit("/decisions/1").press("Send the answer", filling: ["answer": "I was angry."])
            #expect(try site.count(of: "matter WHERE since IS NOT NULL") == 1, "the twin")
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            try await site.write(at: now) { tx in try Account.leave(account, in: tx) }
            #expect(try site.count(of: "matter WHERE since IS NOT NULL") == 0)
            // What its reporter wrote is erased in time.
            site.clock.advance(by: .days(200))
            let later = site.clock.now
            _ = try await site.write(at: later) { tx in try Matter.eraseOld(in: tx) }
            #expect(try site.count(of: "report") == 0)
        }
    }

    @Test func `a wave is answered at once, all of it or nothing`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let cleo = try await site.signIn(.cleo)
            for number in 1...10 {
                let spammer = try await site.signIn(.family(100 + number))
                try await post("Loans, number \(number).", by: spammer)
                _ = try await report("post-\(number)", cleo, reason: "spam")
            }
            let page = try await mira.visit("/admin/queue")
            let none = try await page.press("Show what would happen", filling: ["act": "suspend", "ground": "spam"])
            #expect(none.status == 422 && none.problems == ["Choose something first."])
            let chosen = (1...9).map { "post-\($0)" }
            let shown = try await page.press(
                "Show what would happen",
                filling: ["subject": .texts(chosen + ["post-10"]), "act": "suspend", "ground": "spam"])
            // First what would be decided, of each; nothing is yet.
            #expect(shown.heading == "About several at once" && shown.text.contains("Loans, number 9."))
            #expect(shown.text.contains("Hide it and Suspend family-109"), "\(shown.text)")
            #expect(shown.text.contains("Each author reads why: It is advertising."))
            #expect(try site.count(of: "account WHERE suspended_at IS NOT NULL") == 0)
            #expect(try site.count(of: "decision") == 0)
            // One is taken out, and looked at by itself.
            _ = try await shown.press("Decide about 10", filling: ["subject": .texts(chosen)])
            #expect(try site.count(of: "account WHERE suspended_at IS NOT NULL") == 9)
            #expect(try site.count(of: "post WHERE hidden_at IS NOT NULL") == 9)
            #expect(try site.count(of: "matter WHERE since IS NOT NULL") == 1)
            let log = try await site.browser().visit("/moderation")
            #expect(log.text.contains("Account suspended") && log.text.contains("Advertising 9"))
            try recount(site)
        }
    }

    @Test func `staff decide, nobody else, and nobody limits or suspends themselves`() async throws {
        try await withTestSite { site in
            let (ana, mira) = (try await site.signIn(.ana), try await site.signIn(.mira, isStaff: true))
            try await post("By Ana.", by: ana)
            try await post("By Mira.", by: mira)
            for browser in [ana, try await site.signIn(.cleo)] {
                let token = try await browser.visit("/me/settings").value(of: "csrf") ?? ""
                for path in ["/admin/queue", "/admin/queue/post-1", "/decisions/1/undo"] {
                    let pairs = [("csrf", token), ("act", "hide"), ("ground", "spam"), ("subject", "post-1")]
                    #expect(try await browser.post(path, pairs).status == 403, "\(path)")
                }
            }
            for act in ["limit", "suspend"] { #expect(try await decide("post-2", act, mira).status == 403) }
            let token = try await mira.visit("/admin").value(of: "csrf") ?? ""
            let pairs = [("csrf", token), ("act", "ask"), ("ground", "spam")]
            for path in ["/admin/queue/comment-1", "/admin/queue/post-9", "/admin/queue/nothing"] {
                #expect(try await mira.post(path, pairs).status == 404, "\(path)")
            }
            #expect(try site.count(of: "decision") == 0)
            #expect(try site.count(of: "staff_act") == 0)
        }
    }

    @Test func `what staff did can't be changed or taken away, not even by a statement`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            let mira = try await site.signIn(.mira, isStaff: true)
            try await post("Hm.", by: ana)
            _ = try await decide("post-1", "note", mira, reason: "Be kind, please.")
            for statement: SQL in [
                "DELETE FROM staff_act", "UPDATE staff_act SET reason = ''", "UPDATE staff_act SET verb = 'show'",
            ] {
                await #expect(throws: (any Error).self) { try await site.execute(statement) }
            }
            #expect(try site.count(of: "staff_act WHERE reason = 'Be kind, please.'") == 1)
            #expect(try await ana.visit("/decisions/1").text.contains("Be kind, please."))
        }
    }

    @Test func `what is gone can still be decided, and a reporter who leaves leaves no name`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = (try await site.signIn(.ana), try await site.signIn(.cleo))
            let mira = try await site.signIn(.mira, isStaff: true)
            try await post("Gone soon.", by: ana)
            _ = try await report("post-1", cleo)
            _ = try await ana.visit("/posts/1/edit").press("Delete the post")
            let page = try await mira.visit("/admin/queue").follow("Post: gone meanwhile")
            #expect(page.text.contains("Gone soon."))
            let (account, now) = (try await site.account(of: .cleo), site.clock.now)
            try await site.write(at: now) { tx in try Account.leave(account, in: tx) }
            #expect(try await mira.visit("/admin/queue/post-1").text.contains("Somebody without an account"))
            _ = try await decide("post-1", "limit", mira)
            #expect(try site.count(of: "account WHERE limited_until IS NOT NULL") == 1)
            #expect(try site.count(of: "matter WHERE since IS NOT NULL") == 0)
            let later = site.clock.now + .days(800)
            try await site.write(at: later) { tx in _ = try Matter.eraseOld(in: tx) + Decision.eraseOld(in: tx) }
            for table: SQL in ["matter", "report", "decision"] { #expect(try site.count(of: table) == 0) }
        }
    }
}
