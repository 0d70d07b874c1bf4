import Database
import Testing

@testable import App

/// What somebody who asked a host privately and the host go on to say.
@Suite struct QuestionThreadsTests {
    private static let thread = "/threads/1"

    /// Ana asks Ben something about his event that nobody else is to read.
    private static func asked(in site: TestSite) async throws -> (ana: Browser, ben: Browser) {
        let event = try await site.publish(by: .ben)
        let ana = try await site.signIn(.ana, as: .parent)
        _ = try await ana.visit("/events/\(event)").press(
            "Ask", filling: ["text": "Is there a ramp?", "private": true])
        return (ana, try await site.signIn(.ben, as: .provider))
    }

    private static func post(_ text: String, by browser: Browser) async throws -> Page {
        let token = try await browser.visit("/me/settings").value(of: "csrf") ?? ""
        return try await browser.submit(thread, [("csrf", token), ("text", text)])
    }

    @Test func `both go on talking, and the host isn't told who asks`() async throws {
        try await withTestSite { site in
            let (ana, ben) = try await Self.asked(in: site)
            let page = try await ana.visit("/events/1").follow("Messages: Is there a ramp?")
            #expect(page.path == Self.thread && page.text.contains("Messages with King Library"))
            for _ in 1...2 { _ = try await page.press("Send", filling: ["text": "We come with two."]) }
            #expect(try site.count(of: "message") == 1)
            for path in ["/", "/events/1"] { #expect(try await ben.visit(path).text.contains("1 new"), "\(path)") }
            let heard = try await ben.visit("/inbox").follow("Unread: A message about Kite day")
            #expect(heard.text.contains("Messages with somebody who asked") && heard.text.contains("Is there a ramp?"))
            let account = try await site.account(of: .ana)
            for word in [Person.ana.username, "Ana", "Ortiz", "person-\(account)"] {
                #expect(!heard.string.contains(word), "\(word)")
                #expect(try await !ben.visit("/reports/new?about=message-1").string.contains(word), "\(word)")
                #expect(try await !ben.visit("/reports/new?about=question-1").string.contains(word), "\(word)")
            }
            #expect(heard.buttons.allSatisfy { !$0.hasPrefix("Block") })
            _ = try await heard.press("Send", filling: ["text": "There is one at the back"])
            #expect(try await ana.visit("/").text.contains("1 new"))
            #expect(try await ana.visit(Self.thread).text.contains("There is one at the back"))
        }
    }

    @Test func `a host who answers in the messages isn't asked for an answer anymore`() async throws {
        try await withTestSite { site in
            let (ana, ben) = try await Self.asked(in: site)
            _ = try await ana.visit(Self.thread).press("Send", filling: ["text": "We come with two."])
            #expect(try site.count(of: "question WHERE answered_at IS NULL") == 1, "the asker’s own word is no answer")
            #expect(try await ana.visit("/events/1").text.contains("Not answered yet"))
            let unread: SQL = "notice WHERE kind = 'asked' AND read_at IS NULL"
            #expect(try site.count(of: unread) == 1)
            _ = try await ben.visit(Self.thread).press("Send", filling: ["text": "There is one at the back"])
            #expect(try site.count(of: unread) == 0)
            #expect(try site.count(of: "question WHERE answered_at IS NULL") == 0)
            for browser in [ana, ben] {
                let page = try await browser.visit("/events/1")
                #expect(page.text.contains("Answered in the messages") && !page.text.contains("Not answered yet"))
                #expect(!page.buttons.contains("Close without an answer"))
            }
            // The host may write the answer below the question all the same.
            _ = try await ben.visit("/questions/1/answer").press("Answer", filling: ["text": "At the back."])
            for path in ["/events/1", Self.thread] {
                #expect(try await ana.visit(path).text.contains("At the back."), "\(path)")
            }
        }
    }

    @Test func `what is asked for all to read has none`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/events/\(event)").press("Ask", filling: ["text": "Is there a ramp?"])
            #expect(try site.count(of: "question") == 1 && site.count(of: "thread") == 0)
            #expect(try await ana.visit(Self.thread).status == 404)
        }
    }

    @Test func `nobody else opens it`() async throws {
        try await withTestSite { site in
            let (ana, _) = try await Self.asked(in: site)
            _ = try await ana.visit(Self.thread).press("Send", filling: ["text": "Hello"])
            let (host, door) = (try await site.account(of: .ben), try await site.account(of: .family(1)))
            try await site.execute(
                "INSERT INTO colleague (account_id, host_id, duty, since) VALUES (\(door), \(host), 'roster', 1)")
            let others = [
                try await site.signIn(.cleo, as: .provider), try await site.signIn(.family(2), as: .parent),
                try await site.signIn(.family(1)), try await site.signIn(.mira, isStaff: true),
            ]
            for browser in others {
                #expect(try await browser.visit(Self.thread).status == 404)
                #expect(try await Self.post("Hi", by: browser).status == 404)
                #expect(try await !browser.visit("/events/1").string.contains(Self.thread))
            }
            #expect(try site.count(of: "message") == 1 && site.count(of: "thread_side") == 2)
        }
    }

    @Test func `a colleague answers under their own name`() async throws {
        try await withTestSite { site in
            let (ana, _) = try await Self.asked(in: site)
            let (host, account) = (try await site.account(of: .ben), try await site.account(of: .cleo))
            try await site.execute(
                "INSERT INTO colleague (account_id, host_id, duty, since) VALUES (\(account), \(host), 'edit', 1)")
            let cleo = try await site.signIn(.cleo)
            #expect(try await Self.post("Yes", by: cleo).status == 303)
            let names = try await ana.visit(Self.thread).html.all(ofClass: "chat").flatMap { $0.all("small") }
                .map(\.text)
            #expect(names.count == 1 && names[0].hasPrefix(Person.cleo.username))
            // Twin: once they no longer look after it.
            try await site.execute("DELETE FROM colleague")
            #expect(try await cleo.visit(Self.thread).status == 404)
        }
    }

    @Test(arguments: [true, false])
    func `it is open until two weeks after the event, or after it is called off`(_ isCanceled: Bool) async throws {
        try await withTestSite { site in
            let (ana, _) = try await Self.asked(in: site)
            _ = try await ana.visit(Self.thread).press("Send", filling: ["text": "Hello"])
            let now = site.clock.now
            if isCanceled { try await site.execute("UPDATE event SET cancelled_at = \(now)") }
            let over: Instant? =
                isCanceled ? now : try site.read { db in try db.value("SELECT ends_at FROM event") }
            let end = try #require(over)
            site.clock.advance(by: end + .days(14) - .minutes(5) - now)
            #expect(try await Self.post("A pity", by: site.signIn(.ana)).status == 303)
            site.clock.advance(by: .minutes(10))
            for person in [Person.ana, .ben] {
                let browser = try await site.signIn(person)
                #expect(try await browser.visit(Self.thread).text.contains("A pity"))
                #expect(try await Self.post("Hi", by: browser).status == 422)
            }
            await Housekeeping(site: site.site).tidyUp(at: end + .days(45))
            for table: SQL in ["thread", "message", "thread_side", "notice WHERE kind = 'wrote'"] {
                #expect(try site.count(of: table) == 0, "\(table)")
            }
        }
    }

    @Test func `a question that is withdrawn closes it at once`() async throws {
        try await withTestSite { site in
            let (ana, ben) = try await Self.asked(in: site)
            _ = try await ana.visit(Self.thread).press("Send", filling: ["text": "Hello"])
            _ = try await ana.visit("/events/1").press("Withdraw the question")
            for browser in [ana, ben] {
                #expect(try await browser.visit(Self.thread).text.contains("Hello"))
                #expect(try await Self.post("Hi", by: browser).status == 422)
            }
        }
    }

    @Test(arguments: ["block", "hide", "hide the question", "suspend"])
    func `a block, a hidden event or question and a suspended host leave no news that lead nowhere`(_ what: String)
        async throws
    {
        try await withTestSite { site in
            let (ana, ben) = try await Self.asked(in: site)
            _ = try await ana.visit(Self.thread).press("Send", filling: ["text": "Hello"])
            let (asker, host) = (try await site.account(of: .ana), try await site.account(of: .ben))
            let now = site.clock.now
            try await site.write(at: now) { tx in
                switch what {
                case "block": try Block.add(host, by: asker, in: tx)
                case "hide": try Event.hide(ID(1), at: tx.now, in: tx)
                case "hide the question": try Question.hide(ID(1), at: tx.now, in: tx)
                default: _ = try Account.suspend(host, in: tx)
                }
            }
            #expect(try site.count(of: "notice WHERE kind = 'wrote'") == 0)
            for browser in what == "suspend" ? [ana] : [ana, ben] {
                #expect(try await browser.visit(Self.thread).status == 404)
                #expect(try await Self.post("Hi", by: browser).status == 404)
            }
        }
    }

    @Test func `a host who blocks one member after the other doesn't learn who asked`() async throws {
        try await withTestSite { site in
            let (ana, ben) = try await Self.asked(in: site)
            _ = try await ana.visit(Self.thread).press("Send", filling: ["text": "Hello"])
            let (asker, host, now) = (
                try await site.account(of: .ana), try await site.account(of: .ben), site.clock.now
            )
            let told = try site.count(of: "notice WHERE kind = 'wrote'")
            try await site.write(at: now) { tx in try Block.add(asker, by: host, in: tx) }
            #expect(try site.count(of: "notice WHERE kind = 'wrote'") == told && told > 0)
            #expect(try await ben.visit(Self.thread).text.contains("Hello"))
            #expect(try await Self.post("Come in", by: ben).status == 303)
            #expect(try await Self.post("Thank you", by: ana).status == 303)
            // Twin: the asker's own block ends it.
            try await site.write(at: now) { tx in try Block.add(host, by: asker, in: tx) }
            #expect(try await ben.visit(Self.thread).status == 404)
        }
    }

    @Test(arguments: [Person.ana.username, Person.ben.username])
    func `a deleted account takes all of it along`(_ username: String) async throws {
        try await withTestSite { site in
            let (ana, ben) = try await Self.asked(in: site)
            _ = try await ana.visit(Self.thread).press("Send", filling: ["text": "Hello"])
            _ = try await ben.visit(Self.thread).press("Send", filling: ["text": "Welcome"])
            let account = try await site.account(of: username == Person.ana.username ? .ana : .ben)
            try await site.write(at: site.clock.now) { tx in try Account.leave(account, in: tx) }
            for table: SQL in ["message", "thread", "thread_side", "talk_news", "notice WHERE kind = 'wrote'"] {
                #expect(try site.count(of: table) == 0, "\(table)")
            }
        }
    }
}
