import Database
import Testing

@testable import App

/// What somebody who asks to help and the organization say to each other.
@Suite struct SignupThreadsTests {
    private static let thread = "/threads/1"

    /// Ana asks to help at Ben’s library with one shift, or with two.
    private static func asked(
        in site: TestSite, shifts: [String] = ["1"]
    ) async throws -> (ana: Browser, ben: Browser) {
        let help = try await site.ask(by: .ben) { form in
            form.asksFirst = true
            form.shifts[1] = form.shifts[0]
            form.shifts[1].date = Day(iso: "2027-04-03")
        }
        let ana = try await site.signIn(.ana, as: .parent)
        try await site.execute("UPDATE account SET confirmed_at = 1")
        _ = try await ana.visit("/opportunities/\(help)").press("Ask to help", filling: ["shift": .texts(shifts)])
        return (ana, try await site.signIn(.ben, as: .provider))
    }

    /// Lets somebody look after the library with Ben.
    private static func join(_ person: Person, as duty: String, in site: TestSite) async throws -> Browser {
        let browser = try await site.signIn(person)
        let (account, host) = (try await site.account(of: person), try await site.account(of: .ben))
        try await site.execute(
            """
            INSERT INTO colleague (account_id, host_id, duty, since) VALUES (\(account), \(host), \(duty), 1)
            """)
        return browser
    }

    private static func post(_ text: String, by browser: Browser) async throws -> Page {
        let token = try await browser.visit("/me/settings").value(of: "csrf") ?? ""
        return try await browser.submit(thread, [("csrf", token), ("text", text)])
    }

    private static func answer(_ answer: String, by ben: Browser) async throws {
        _ = try await ben.visit("/opportunities/1/signups").press("Say \(answer): Ana Ortiz")
    }

    @Test func `both talk before the yes and after it, and what is sent twice is said once`() async throws {
        try await withTestSite { site in
            let (ana, ben) = try await Self.asked(in: site)
            let page = try await ana.visit("/signups/1").follow("Messages with King Library")
            #expect(page.path == Self.thread && page.heading == "Serve Saturday lunch")
            for _ in 1...2 { _ = try await page.press("Send", filling: ["text": "Do I need boots?"]) }
            #expect(try site.count(of: "message") == 1)
            // Without scripts a browser that goes back has a new form with the text that was typed.
            #expect(try await Self.post("Do I need boots?", by: ana).status == 303)
            #expect(try site.count(of: "message") == 1)
            #expect(try await ben.visit("/").text.contains("1 new"))
            #expect(try await ben.visit("/opportunities/1/signups").text.contains("1 new"))
            let heard = try await ben.visit("/inbox").follow("Unread: A message about Serve Saturday lunch")
            #expect(heard.path == Self.thread && heard.text.contains("Messages with Ana"))
            // Each finds it among the pages that led there.
            for (thread, tab) in [(page, "/events"), (heard, "/me")] {
                let tabs = thread.html.all("a").filter { $0["aria-current"] == "page" }.map { $0["href"] }
                #expect(Set(tabs) == [tab])
            }
            #expect(!heard.text.contains("Ortiz"), "a first name")
            #expect(heard.text.contains("Do I need boots?"))
            for path in ["/", "/opportunities/1/signups"] {
                #expect(try await !ben.visit(path).text.contains("1 new"), "\(path)")
            }
            _ = try await heard.press("Send", filling: ["text": "Yes, please"])
            for path in ["/", "/signups/1"] { #expect(try await ana.visit(path).text.contains("1 new"), "\(path)") }
            try await Self.answer("yes", by: ben)
            _ = try await ana.visit(Self.thread).press("Send", filling: ["text": "See you"])
            #expect(try await ben.visit(Self.thread).text.contains("See you"))
            #expect(try site.count(of: "letter WHERE kind = 'wrote'") == 2, "one to each, within an hour")
        }
    }

    @Test func `where nobody waits for a yes there is none`() async throws {
        try await withTestSite { site in
            let help = try await site.ask(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/opportunities/\(help)").press("Sign up", filling: ["shift": ["1"]])
            #expect(try site.count(of: "thread") == 0)
            #expect(try await !ana.visit("/signups/1").text.contains("Messages with"))
            #expect(try await ana.visit(Self.thread).status == 404)
        }
    }

    @Test func `several shifts have one thread, open until two weeks after the last`() async throws {
        try await withTestSite { site in
            let (ana, ben) = try await Self.asked(in: site, shifts: ["1", "2"])
            #expect(try site.count(of: "signup") == 2 && site.count(of: "thread") == 1)
            _ = try await ana.visit(Self.thread).press("Send", filling: ["text": "Hello"])
            _ = try await ben.visit("/opportunities/1/signups")
            try await site.execute("UPDATE signup SET state = 'confirmed'")
            let end: Instant = try site.read { db in try db.value("SELECT max(ends_at) FROM shift") } ?? Clock.start
            #expect(try await !ana.visit(Self.thread).text.contains("You can still write"))
            site.clock.advance(by: end + .days(14) - .minutes(5) - site.clock.now)
            let open = try await site.signIn(.ana).visit(Self.thread)
            #expect(open.text.contains("You can still write to each other here until"))
            site.clock.advance(by: .minutes(10))
            let refused = try await open.press("Send", filling: ["text": "Thank you"])
            #expect(refused.status == 422 && refused.value(of: "text") == "Thank you")
            for person in [Person.ana, .ben] {
                let page = try await site.signIn(person).visit(Self.thread)
                #expect(page.text.contains("Hello") && !page.buttons.contains("Send"))
            }
            await Housekeeping(site: site.site).tidyUp(at: end + .days(43))
            #expect(try site.count(of: "message") == 1)
            await Housekeeping(site: site.site).tidyUp(at: end + .days(45))
            for table: SQL in ["message", "thread", "thread_side", "talk_news", "notice WHERE kind = 'wrote'"] {
                #expect(try site.count(of: table) == 0, "\(table)")
            }
            #expect(try site.count(of: "signup") == 2)
        }
    }

    @Test func `nobody else opens it: not another helper or organization, staff, or who looks after lists`()
        async throws
    {
        try await withTestSite { site in
            let (ana, ben) = try await Self.asked(in: site)
            _ = try await ana.visit(Self.thread).press("Send", filling: ["text": "Hello"])
            let other = try await site.signIn(.family(1), as: .parent)
            _ = try await other.visit("/opportunities/1").press("Ask to help", filling: ["shift": ["1"]])
            let cleo = try await site.signIn(.cleo, as: .provider)
            let mira = try await site.signIn(.mira, isStaff: true)
            let door = try await Self.join(.family(2), as: "roster", in: site)
            for browser in [other, cleo, mira, door] {
                #expect(try await browser.visit(Self.thread).status == 404)
                #expect(try await Self.post("Hi", by: browser).status == 404)
            }
            for browser in [ana, cleo] { #expect(try await browser.visit("/threads/2").status == 404) }
            #expect(try await site.browser().visit(Self.thread).path.hasPrefix("/login"))
            #expect(try site.count(of: "message") == 1)
            #expect(try site.count(of: "thread_side") == 2)
            for path in [Self.thread, "/threads/2"] { #expect(try await ben.visit(path).status == 200, "\(path)") }
            #expect(try await other.visit("/reports/new?about=message-1").status == 404)
        }
    }

    @Test func `colleagues answer under their own names, and one answer is enough`() async throws {
        try await withTestSite { site in
            let (ana, ben) = try await Self.asked(in: site)
            let cleo = try await Self.join(.cleo, as: "edit", in: site)
            _ = try await ana.visit(Self.thread).press("Send", filling: ["text": "Hello"])
            let unread: SQL = "notice WHERE kind = 'wrote' AND read_at IS NULL"
            #expect(try site.count(of: unread) == 2, "both are told")
            for browser in [ben, cleo] { #expect(try await browser.visit("/").text.contains("1 new")) }
            _ = try await cleo.visit(Self.thread).press("Send", filling: ["text": "Welcome"])
            #expect(try site.count(of: unread) == 1, "Ana’s")
            #expect(try await !ben.visit("/").text.contains("1 new"))
            _ = try await ben.visit(Self.thread).press("Send", filling: ["text": "From me, too"])
            #expect(try site.count(of: "notice WHERE kind = 'wrote' AND account_id <> 2") == 2)
            func names(for browser: Browser) async throws -> [String] {
                try await browser.visit(Self.thread).html.all(ofClass: "chat").flatMap { $0.all("small") }
                    .compactMap { $0.text.split { " ,".contains($0) }.first.map(String.init) }
            }
            let (cleos, bens) = (Person.cleo.username, Person.ben.username)
            #expect(try await names(for: ana) == ["You", cleos, bens])
            #expect(try await names(for: cleo) == ["Ana", "You", bens])
            #expect(try await names(for: ben) == ["Ana", cleos, "You"])
            let shared = try await cleo.visit(Self.thread)
            // A colleague who answers for the organization blocks nobody in its name.
            #expect(shared.buttons.allSatisfy { !$0.hasPrefix("Block") })
            let own = try await ben.visit(Self.thread)
            #expect(own.buttons.contains("Block Ana"))
        }
    }

    @Test func `a colleague who no longer looks after it reads nothing of it, and hears of nothing`() async throws {
        try await withTestSite { site in
            let (ana, ben) = try await Self.asked(in: site)
            let cleo = try await Self.join(.cleo, as: "edit", in: site)
            _ = try await ana.visit(Self.thread).press("Send", filling: ["text": "Hello"])
            let (account, host) = (try await site.account(of: .cleo), try await site.account(of: .ben))
            let now = site.clock.now
            try await site.write(at: now) { tx in try Colleague.entrust(account, with: .roster, by: host, in: tx) }
            #expect(try site.count(of: "notice WHERE kind = 'wrote' AND account_id = \(account)") == 0)
            #expect(try site.count(of: "thread_side WHERE account_id = \(account)") == 0)
            #expect(try await cleo.visit(Self.thread).status == 404)
            _ = try await ana.visit(Self.thread).press("Send", filling: ["text": "Again"])
            #expect(try site.count(of: "notice WHERE kind = 'wrote' AND account_id = \(account)") == 0)
            #expect(try await ben.visit(Self.thread).text.contains("Again"), "its owner does")
        }
    }

    @Test(arguments: ["no", "given back"])
    func `a no, or a place given back, closes it at once, and it is read until a month later`(_ end: String)
        async throws
    {
        try await withTestSite { site in
            let (ana, ben) = try await Self.asked(in: site)
            _ = try await ana.visit(Self.thread).press("Send", filling: ["text": "Hello"])
            if end == "no" {
                try await Self.answer("no", by: ben)
            } else {
                _ = try await ana.visit("/signups/1").press("Give my place back")
            }
            let over = site.clock.now
            for browser in [ana, ben] {
                let page = try await browser.visit(Self.thread)
                #expect(page.text.contains("Hello") && page.text.contains("nothing can be written here anymore"))
                #expect(!page.buttons.contains("Send"))
                #expect(try await Self.post("Hi", by: browser).status == 422)
            }
            #expect(try await ana.visit("/signups/1").link("Messages with King Library") == Self.thread)
            #expect(try site.count(of: "message") == 1)
            site.clock.advance(by: .days(14))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            for person in [Person.ana, .ben] {
                #expect(try await site.signIn(person).visit(Self.thread).text.contains("Hello"))
            }
            await Housekeeping(site: site.site).tidyUp(at: over + .days(31))
            #expect(try site.count(of: "thread") == 0 && site.count(of: "message") == 0)
        }
    }

    @Test func `where there was no answer in time both can still write for two weeks`() async throws {
        try await withTestSite { site in
            _ = try await Self.asked(in: site)
            let start: Instant? = try site.read { db in try db.value("SELECT starts_at FROM shift WHERE id = 1") }
            site.clock.advance(by: try #require(start) - site.clock.now)
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try site.count(of: "signup WHERE state = 'declined' AND lapsed") == 1)
            let (ana, ben) = (try await site.signIn(.ana), try await site.signIn(.ben))
            #expect(try await ana.visit(Self.thread).text.contains("You can still write to each other here until"))
            #expect(try await Self.post("We overlooked you, sorry.", by: ben).status == 303)
            #expect(try await Self.post("Next time", by: ana).status == 303)
            site.clock.advance(by: .days(14))
            #expect(try await Self.post("Hi", by: site.signIn(.ana)).status == 422)
        }
    }

    @Test func `who asks again after a no goes on in the same thread, and the list says that there was one`()
        async throws
    {
        try await withTestSite { site in
            let (ana, ben) = try await Self.asked(in: site)
            _ = try await ana.visit(Self.thread).press("Send", filling: ["text": "Hello"])
            let before = "They asked before, and were told no on"
            #expect(try await !ben.visit("/opportunities/1/signups").text.contains(before))
            try await Self.answer("no", by: ben)
            #expect(try await !ben.visit("/opportunities/1/signups").text.contains(before), "nobody asks")
            _ = try await ana.visit("/opportunities/1").press("Ask to help", filling: ["shift": .texts(["2"])])
            #expect(try await ben.visit("/opportunities/1/signups").text.contains(before))
            for browser in [ana, ben] {
                let page = try await browser.visit(Self.thread)
                #expect(page.text.contains("Hello") && page.buttons.contains("Send"))
            }
            try await Self.answer("yes", by: ben)
            #expect(try await !ben.visit("/opportunities/1/signups").text.contains(before))
        }
    }

    @Test func `a no that is taken back opens it again`() async throws {
        try await withTestSite { site in
            let (ana, ben) = try await Self.asked(in: site)
            try await Self.answer("no", by: ben)
            #expect(try await Self.post("Why?", by: ana).status == 422)
            _ = try await ben.visit("/opportunities/1/signups").press("Undo: Ana Ortiz")
            #expect(try await Self.post("Thank you", by: ana).status == 303)
        }
    }

    @Test func `what the organization calls off is talked about for two weeks more`() async throws {
        try await withTestSite { site in
            let (ana, ben) = try await Self.asked(in: site)
            _ = try await ben.visit("/opportunities/1/close").press("Close it")
            let over = site.clock.now
            #expect(try site.count(of: "signup WHERE state = 'cancelled'") == 1)
            #expect(try await ana.visit(Self.thread).text.contains("You can still write to each other here until"))
            #expect(try await Self.post("What a pity", by: ana).status == 303)
            #expect(try await ben.visit(Self.thread).text.contains("What a pity"))
            site.clock.advance(by: .days(14))
            #expect(try await Self.post("Hi", by: site.signIn(.ana)).status == 422)
            await Housekeeping(site: site.site).tidyUp(at: over + .days(45))
            #expect(try site.count(of: "thread") == 0)
        }
    }

    @Test(arguments: [true, false])
    func `a block between helper and owner ends it for all of the organization`(_ isHelper: Bool) async throws {
        try await withTestSite { site in
            let (ana, ben) = try await Self.asked(in: site)
            let cleo = try await Self.join(.cleo, as: "edit", in: site)
            _ = try await ana.visit(Self.thread).press("Send", filling: ["text": "You are stupid."])
            if isHelper {
                _ = try await ana.visit(Self.thread).press("Block King Library")
            } else {
                _ = try await ben.visit(Self.thread).press("Block Ana")
            }
            for browser in [ana, ben, cleo] {
                #expect(try await browser.visit(Self.thread).status == 404)
                #expect(try await Self.post("Hi", by: browser).status == 404)
            }
            #expect(try site.count(of: "notice WHERE kind = 'wrote'") == 0)
            // What was said can be reported, by any who read it.
            let reported = try await cleo.visit("/reports/new?about=message-1").press(
                "Send the report", filling: ["reason": "unkind"])
            #expect(reported.status == 200)
            let mira = try await site.signIn(.mira, isStaff: true)
            #expect(try await mira.visit("/admin/queue/message-1").text.contains("You are stupid."))
        }
    }

    @Test func `a block between helper and colleague leaves the others to talk`() async throws {
        try await withTestSite { site in
            let (ana, ben) = try await Self.asked(in: site)
            let cleo = try await Self.join(.cleo, as: "edit", in: site)
            _ = try await ana.visit(Self.thread).press("Send", filling: ["text": "Hello"])
            let (helper, colleague) = (try await site.account(of: .ana), try await site.account(of: .cleo))
            func news(_ browser: Browser) async throws -> String {
                let answer = try await browser.send("GET", "/stream?after=0", ["Accept": "application/json"])
                return String(decoding: answer.body, as: UTF8.self)
            }
            #expect(try await news(cleo).contains(#""threads":[1],"#))
            try await site.write(at: site.clock.now) { tx in try Block.add(colleague, by: helper, in: tx) }
            #expect(try await cleo.visit(Self.thread).status == 404)
            #expect(try site.count(of: "notice WHERE kind = 'wrote' AND account_id = \(colleague)") == 0)
            #expect(try site.count(of: "notice WHERE kind = 'wrote'") == 1)
            site.clock.advance(by: .minutes(1))
            _ = try await ana.visit(Self.thread).press("Send", filling: ["text": "Again"])
            #expect(try site.count(of: "notice WHERE kind = 'wrote' AND account_id = \(colleague)") == 0)
            #expect(try await ben.visit(Self.thread).text.contains("Again"))
            // Nor is a page of theirs woken by what the other side does.
            #expect(try await news(cleo).contains(#""threads":[],"#))
            #expect(try await news(ben).contains(#""threads":[1],"#))
            let host = try await site.account(of: .ben)
            let woken = try site.read { db in Set(try TalkNews.readers(after: ID(0), in: db)) }
            #expect(woken.contains(host) && !woken.contains(colleague))
            // They can report what they read, and read nothing of what is said without them.
            for (message, status) in [(1, 200), (2, 404)] {
                #expect(try await cleo.visit("/reports/new?about=message-\(message)").status == status, "\(message)")
            }
        }
    }

    @Test(arguments: [true, false])
    func `nobody talks to a suspended helper or organization, and they do once that is taken back`(_ isHelper: Bool)
        async throws
    {
        try await withTestSite { site in
            let (ana, ben) = try await Self.asked(in: site)
            let cleo = try await Self.join(.cleo, as: "edit", in: site)
            _ = try await ana.visit(Self.thread).press("Send", filling: ["text": "Hello"])
            let (account, now) = (try await site.account(of: isHelper ? .ana : .ben), site.clock.now)
            try await site.write(at: now) { tx in _ = try Account.suspend(account, in: tx) }
            #expect(try site.count(of: "notice WHERE kind = 'wrote'") == 0, "it would lead nowhere")
            for browser in [isHelper ? ben : ana, cleo] {
                #expect(try await browser.visit(Self.thread).status == 404)
                #expect(try await Self.post("Hi", by: browser).status == 404)
            }
            try await site.write(at: site.clock.now) { tx in _ = try Account.restore(account, in: tx) }
            for person in [Person.ana, .ben, .cleo] {
                #expect(try await site.signIn(person).visit(Self.thread).text.contains("Hello"))
            }
        }
    }

    @Test func `a suspended colleague ends it for nobody else`() async throws {
        try await withTestSite { site in
            let (ana, ben) = try await Self.asked(in: site)
            _ = try await Self.join(.cleo, as: "edit", in: site)
            _ = try await ana.visit(Self.thread).press("Send", filling: ["text": "Hello"])
            let (account, now) = (try await site.account(of: .cleo), site.clock.now)
            try await site.write(at: now) { tx in _ = try Account.suspend(account, in: tx) }
            let owner = try await site.account(of: .ben)
            #expect(try site.count(of: "notice WHERE kind = 'wrote' AND account_id = \(owner)") == 1)
            #expect(try await Self.post("Hi", by: ben).status == 303)
        }
    }

    @Test(arguments: [Person.ana.username, Person.ben.username])
    func `a deleted account of helper or owner takes all of it along, and a colleague’s their own words`(
        _ username: String
    ) async throws {
        try await withTestSite { site in
            let (ana, ben) = try await Self.asked(in: site)
            let cleo = try await Self.join(.cleo, as: "edit", in: site)
            _ = try await ana.visit(Self.thread).press("Send", filling: ["text": "My words"])
            _ = try await cleo.visit(Self.thread).press("Send", filling: ["text": "A colleague’s words"])
            _ = try await ben.visit(Self.thread).press("Send", filling: ["text": "The owner’s words"])
            let now = site.clock.now
            let export = try await ana.visit("/me/export").press(
                "Download the file", filling: ["current_password": .text(Person.password)])
            #expect(export.string.contains("My words") && !export.string.contains("The owner’s words"))
            let colleague = try await site.account(of: .cleo)
            try await site.write(at: now) { tx in try Account.leave(colleague, in: tx) }
            let page = try await ana.visit(Self.thread)
            #expect(page.text.contains("The owner’s words") && !page.text.contains("A colleague’s words"))
            let account = try await site.account(of: username == Person.ana.username ? .ana : .ben)
            try await site.write(at: now) { tx in try Account.leave(account, in: tx) }
            for table: SQL in ["message", "thread", "thread_side", "talk_news", "notice WHERE kind = 'wrote'"] {
                #expect(try site.count(of: table) == 0, "\(table)")
            }
            #expect(try await (username == Person.ana.username ? ben : ana).visit(Self.thread).status == 404)
        }
    }

    @Test func `what staff hide has none, and where helping is switched off no page opens it or hears of it`()
        async throws
    {
        try await withTestSite { site in
            let (ana, ben) = try await Self.asked(in: site)
            _ = try await ana.visit(Self.thread).press("Send", filling: ["text": "Hello"])
            let now = site.clock.now
            func news() async throws -> String {
                let answer = try await ben.send("GET", "/stream?after=0", ["Accept": "application/json"])
                return String(decoding: answer.body, as: UTF8.self)
            }
            #expect(try await news().contains(#""threads":[1],"#))
            try await site.write(at: site.clock.now) { tx in try Opportunity.hide(ID(1), at: now, in: tx) }
            #expect(try site.count(of: "notice WHERE kind = 'wrote'") == 0, "it would lead nowhere")
            for browser in [ana, ben] {
                #expect(try await browser.visit(Self.thread).status == 404)
                #expect(try await Self.post("Hi", by: browser).status == 404)
            }
            try await site.write(at: site.clock.now) { tx in try Opportunity.hide(ID(1), at: nil, in: tx) }
            #expect(try await ben.visit(Self.thread).status == 200)
            let mira = try await site.signIn(.mira, isStaff: true)
            let page = try await mira.visit("/admin/modules").press(
                "Save", filling: ["module": .texts(Module.allCases.filter { $0 != .helping }.map(\.rawValue))])
            #expect(page.flash == "Saved.")
            #expect(try await news().contains(#""threads":[],"#))
            for browser in [ana, ben] {
                #expect(try await browser.visit(Self.thread).status == 404)
                #expect(try await Self.post("Hi", by: browser).status == 404)
            }
        }
    }

    @Test func `no child is named in what is told of it`() async throws {
        try await withTestSite { site in
            _ = try await site.child("Zoe", of: .ana)
            let (ana, _) = try await Self.asked(in: site)
            _ = try await ana.visit(Self.thread).press("Send", filling: ["text": "Zoe comes, too"])
            let (now, seal) = (site.clock.now, nil as Seal?)
            try site.read(at: now) { tx in
                let letters: [Letter] = try tx.all("SELECT \(Letter.columns) FROM letter WHERE kind = 'wrote'")
                let letter = try #require(letters.first)
                let text = try #require(try letter.text(seal, country: "US", zone: .utc, in: tx))
                #expect(text.heading.plain.contains("Serve Saturday lunch") && !"\(text)".contains("Zoe"))
            }
            #expect(try site.count(of: "notice WHERE kind = 'wrote' AND detail LIKE '%Zoe%'") == 0)
        }
    }

    @Test func `somebody new writes as often as to strangers until they are answered, whoever answers`() async throws {
        try await withTestSite(limits: true) { site in
            let (ana, _) = try await Self.asked(in: site)
            let cleo = try await Self.join(.cleo, as: "edit", in: site)
            func say(_ text: String) async throws -> Page {
                try await ana.visit(Self.thread).press("Send", filling: ["text": .text(text)])
            }
            #expect(try await say("https://x.example").status == 422)
            for number in 1...9 { #expect(try await say("Word \(number)").status == 200, "\(number)") }
            let refused = try await say("Word 10")
            #expect(refused.status == 429 && refused.string.contains("Word 10"), "signing up was the first word")
            _ = try await cleo.visit(Self.thread).press("Send", filling: ["text": "Yes?"])
            #expect(try await say("https://x.example").status == 200)
        }
    }
}
