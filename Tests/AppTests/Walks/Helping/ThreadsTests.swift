import Database
import Testing

@testable import App

/// What somebody who asked for something and the one who promised it say to each other.
@Suite struct ThreadsTests {
    private static let dan = Person.family(1)

    private static let ladder: [String: Filling] = [
        "title": "A ladder", "kind": "things", "description": "For an afternoon.", "count": "2",
        "until": "2027-05-10", "address": "1 Main St", "city": "San Jose", "state": "CA", "zip": "95112",
    ]

    /// Something that Ana needs and Dan promised, both of them known here.
    ///
    /// - Parameter isHome: Whether it is at her home: then Dan waits for her yes.
    private static func promised(in site: TestSite, isHome: Bool = false) async throws -> (ana: Browser, dan: Browser) {
        try await site.gazetteer()
        let (ana, dan) = (try await site.signIn(.ana), try await site.signIn(Self.dan))
        try await site.execute("UPDATE account SET confirmed_at = 1, created_at = 1")
        let filling: [String: Filling] = isHome ? ladder.merging(["is_home": ["1"]]) { $1 } : ladder
        let need = try await ana.visit("/needs/new").press("Preview", filling: filling).press("Ask")
        #expect(need.path == "/needs/1")
        _ = try await dan.visit("/needs/1").press(isHome ? "Offer to bring it" : "I’ll take it")
        return (ana, dan)
    }

    private static func post(_ text: String, by browser: Browser) async throws -> Page {
        let token = try await browser.visit("/me/settings").value(of: "csrf") ?? ""
        return try await browser.submit("/threads/1", [("csrf", token), ("text", text)])
    }

    @Test func `both talk, read what is new, and what is sent twice is said once`() async throws {
        try await withTestSite { site in
            let (ana, dan) = try await Self.promised(in: site)
            let page = try await dan.visit("/needs/1").follow("Messages with \(Person.ana.username)")
            #expect(page.path == "/threads/1" && page.heading == "A ladder")
            #expect(try await page.press("Send", filling: ["text": " "]).status == 422)
            for _ in 1...2 { _ = try await page.press("Send", filling: ["text": "When shall I come?"]) }
            #expect(try site.count(of: "message") == 1)
            #expect(try site.count(of: "notice WHERE kind = 'wrote' AND read_at IS NULL") == 1)
            for path in ["/", "/needs/mine", "/needs/1"] {
                #expect(try await ana.visit(path).text.contains("1 new"), "\(path)")
            }
            let heard = try await ana.visit("/inbox").follow("Unread: A message about A ladder")
            #expect(heard.path == "/threads/1" && heard.text.contains("When shall I come?"))
            #expect(try site.count(of: "notice WHERE kind = 'wrote' AND read_at IS NULL") == 0)
            for path in ["/", "/needs/mine", "/needs/1"] {
                #expect(try await !ana.visit(path).text.contains("1 new"), "\(path)")
            }
            _ = try await heard.press("Send", filling: ["text": "At six"])
            for path in ["/", "/needs/promised"] {
                #expect(try await dan.visit(path).text.contains("1 new"), "\(path)")
            }
            #expect(try await dan.visit("/threads/1").text.contains("At six"))
            for path in ["/", "/needs/promised"] {
                #expect(try await !dan.visit(path).text.contains("1 new"), "\(path)")
            }
            #expect(try await dan.visit("/me/notices").text.contains("Messages about needs"))
            // One letter an hour, and none of the words.
            _ = try await dan.visit("/threads/1").press("Send", filling: ["text": "Secret"])
            #expect(try site.count(of: "letter WHERE kind = 'wrote'") == 2, "one to each")
            let (now, seal) = (site.clock.now, nil as Seal?)
            try site.read(at: now) { tx in
                let letters: [Letter] = try tx.all("SELECT \(Letter.columns) FROM letter WHERE kind = 'wrote'")
                for letter in letters {
                    let text = try #require(try letter.text(seal, country: "US", zone: .utc, in: tx))
                    #expect(text.heading.plain.contains("A ladder"))
                    #expect(!"\(text)".contains("Secret") && !"\(text)".contains("At six"))
                }
            }
        }
    }

    @Test func `a page that stays open hears of it, and nobody else's does`() async throws {
        try await withTestSite { site in
            let (ana, dan) = try await Self.promised(in: site)
            _ = try await dan.visit("/threads/1").press("Send", filling: ["text": "Hello"])
            func news(of browser: Browser) async throws -> String {
                let answer = try await browser.send("GET", "/stream?after=0", ["Accept": "application/json"])
                return String(decoding: answer.body, as: UTF8.self)
            }
            for browser in [ana, dan] {
                #expect(try await news(of: browser).contains(#""threads":[1],"matches":[],"last":1"#))
            }
            let cleo = try await site.signIn(.cleo)
            #expect(try await news(of: cleo).contains(#""threads":[],"matches":[],"last":0"#))
            let page = try await ana.visit("/threads/1")
            #expect(page.html.all(ofClass: "chat").first?["data-talk"] == "threads-1")
            #expect(page.string.contains("/talk.css") && !page.string.contains("/playdates.css"))
        }
    }

    @Test func `what is read on a page that stays open no longer counts at the bell`() async throws {
        try await withTestSite { site in
            let (ana, dan) = try await Self.promised(in: site)
            let page = try await dan.visit("/threads/1")
            var heard = ana.listen("/stream").makeAsyncIterator()
            func unread(_ news: String?) -> Substring? { news?.prefix { $0 != "," } }
            let before = unread(await heard.next())
            _ = try await page.press("Send", filling: ["text": "Hello"])
            let told = unread(await heard.next())
            #expect(before?.hasPrefix(#"{"unread":"#) == true && told != nil && told != before)
            _ = try await ana.visit("/threads/1")
            #expect(unread(await heard.next()) == before)
        }
    }

    @Test func `nobody else opens it, not even somebody who promised the rest, or runs the site`() async throws {
        try await withTestSite { site in
            let (ana, dan) = try await Self.promised(in: site)
            let (eve, cleo) = (try await site.signIn(.family(2)), try await site.signIn(.cleo))
            try await site.execute("UPDATE account SET confirmed_at = 1, created_at = 1")
            _ = try await eve.visit("/needs/1").press("I’ll take it")
            _ = try await dan.visit("/threads/1").press("Send", filling: ["text": "Hello"])
            let mira = try await site.signIn(.mira, isStaff: true)
            for browser in [eve, cleo, mira] {
                #expect(try await browser.visit("/threads/1").status == 404)
                #expect(try await Self.post("Hi", by: browser).status == 404)
            }
            for browser in [dan, cleo, mira] { #expect(try await browser.visit("/threads/2").status == 404) }
            #expect(try await site.browser().visit("/threads/1").path.hasPrefix("/login"))
            #expect(try site.count(of: "message") == 1)
            // The author has one with each.
            for path in ["/threads/1", "/threads/2"] { #expect(try await ana.visit(path).status == 200, "\(path)") }
            #expect(try await eve.visit("/reports/new?about=message-1").status == 404)
        }
    }

    @Test func `where it is somebody's home it begins with their yes`() async throws {
        try await withTestSite { site in
            let (ana, dan) = try await Self.promised(in: site, isHome: true)
            for browser in [ana, dan] {
                #expect(try await browser.visit("/threads/1").status == 404)
                #expect(try await Self.post("Hi", by: browser).status == 404)
                #expect(try await !browser.visit("/needs/1").text.contains("Messages with"))
            }
            _ = try await ana.visit("/needs/1").press("Yes: \(Self.dan.username)")
            for browser in [ana, dan] {
                #expect(try await browser.visit("/threads/1").status == 200)
                #expect(try await Self.post("Hi", by: browser).status == 303)
            }
        }
    }

    @Test func `what was turned down has none`() async throws {
        try await withTestSite { site in
            let (ana, dan) = try await Self.promised(in: site, isHome: true)
            _ = try await ana.visit("/needs/1").press("No, thank you: \(Self.dan.username)")
            for browser in [ana, dan] { #expect(try await browser.visit("/threads/1").status == 404) }
        }
    }

    @Test func `two weeks after it is over it can be read only, and is erased a month later`() async throws {
        try await withTestSite { site in
            let (_, dan) = try await Self.promised(in: site)
            _ = try await dan.visit("/threads/1").press("Send", filling: ["text": "Sorry, I am ill"])
            _ = try await dan.visit("/needs/1").press("I can’t after all")
            let over = site.clock.now
            site.clock.advance(by: Duration.days(14) - .minutes(10))
            let (ana, late) = (try await site.signIn(.ana), try await site.signIn(Self.dan))
            _ = try await ana.visit("/threads/1").press("Send", filling: ["text": "Get well"])
            let open = try await late.visit("/threads/1")
            let last = site.site.settings.zone.day(of: over + .days(14)).name.plain
            #expect(open.text.contains("You can still write to each other here until \(last),"))
            site.clock.advance(by: .minutes(20))
            let refused = try await open.press("Send", filling: ["text": "Thank you"])
            #expect(refused.status == 422 && refused.value(of: "text") == "Thank you")
            #expect(try site.count(of: "message") == 2)
            for browser in [ana, late] {
                let page = try await browser.visit("/threads/1")
                #expect(page.text.contains("Get well") && page.text.contains("nothing can be written here anymore"))
                #expect(!page.buttons.contains("Send") && !page.text.contains("You can still write"))
            }
            await Housekeeping(site: site.site).tidyUp(at: over + .days(43))
            #expect(try site.count(of: "message") == 2)
            await Housekeeping(site: site.site).tidyUp(at: over + .days(45))
            for table: SQL in ["message", "thread", "thread_side", "talk_news", "notice WHERE kind = 'wrote'"] {
                #expect(try site.count(of: table) == 0, "\(table)")
            }
            #expect(try site.count(of: "claim") == 1)
            #expect(try await site.signIn(.ana).visit("/threads/1").status == 404)
        }
    }

    @Test func `the two weeks begin when it is done, or the need is closed, and not before`() async throws {
        try await withTestSite { site in
            let (ana, dan) = try await Self.promised(in: site)
            #expect(try site.count(of: "thread JOIN claim ON claim.id = thread.claim_id WHERE over_at IS NULL") == 1)
            #expect(try await !dan.visit("/threads/1").text.contains("You can still write"))
            _ = try await dan.visit("/needs/1").press("It is there")
            #expect(try site.count(of: "claim WHERE over_at IS NULL") == 1)
            _ = try await ana.visit("/needs/1").press("Close it")
            #expect(try site.count(of: "claim WHERE state = 'brought' AND over_at = \(site.clock.now)") == 1)
            site.clock.advance(by: .minutes(5))
            _ = try await ana.visit("/needs/1").press("It is there, thank you: \(Self.dan.username)")
            #expect(try site.count(of: "claim WHERE state = 'done' AND over_at = \(site.clock.now)") == 1)
        }
    }

    @Test(arguments: ["taken back", "done", "closed"])
    func `a helper is told what is unread on Today and under promises once theirs is over`(_ end: String)
        async throws
    {
        try await withTestSite { site in
            let (ana, dan) = try await Self.promised(in: site)
            switch end {
            case "taken back": _ = try await dan.visit("/needs/1").press("I can’t after all")
            case "done":
                _ = try await ana.visit("/needs/1").press("It is there, thank you: \(Self.dan.username)")
            default:
                _ = try await dan.visit("/needs/1").press("It is there")
                _ = try await ana.visit("/needs/1").press("Close it")
            }
            func tells(_ browser: Browser, _ path: String) async throws -> Int {
                try await browser.visit(path).links.count { $0.href == "/threads/1" }
            }
            for path in ["/", "/needs/promised"] { #expect(try await tells(dan, path) == 0, "\(path)") }
            _ = try await ana.visit("/threads/1").press("Send", filling: ["text": "Never mind"])
            for path in ["/", "/needs/promised"] {
                #expect(try await dan.visit(path).text.contains("1 new"), "\(path)")
                #expect(try await tells(dan, path) == 1, "\(path)")
                #expect(try await tells(ana, path) == 0, "its writer isn't told: \(path)")
            }
            _ = try await dan.visit("/threads/1")
            for path in ["/", "/needs/promised"] { #expect(try await tells(dan, path) == 0, "\(path)") }
        }
    }

    @Test func `what is unread about a promise that is open stands beside it, and nowhere else`() async throws {
        try await withTestSite { site in
            let (ana, dan) = try await Self.promised(in: site)
            _ = try await ana.visit("/threads/1").press("Send", filling: ["text": "At six?"])
            for path in ["/", "/needs/promised"] {
                #expect(try await dan.visit(path).links.count { $0.href == "/threads/1" } == 1, "\(path)")
            }
        }
    }

    @Test func `promised once more after taking it back, the current thread comes first and the earlier one says so`()
        async throws
    {
        try await withTestSite { site in
            let (ana, dan) = try await Self.promised(in: site)
            _ = try await dan.visit("/needs/1").press("I can’t after all")
            for browser in [ana, dan] {
                let links = try await browser.visit("/needs/1").links
                #expect(links.contains { $0.href == "/threads/1" && $0.text.hasPrefix("Messages with ") })
            }
            site.clock.advance(by: .minutes(5))
            _ = try await dan.visit("/needs/1").press("I’ll take it")
            for (browser, other) in [(ana, Self.dan), (dan, Person.ana)] {
                let links = try await browser.visit("/needs/1").links.filter { $0.href.hasPrefix("/threads/") }
                #expect(links.map(\.href) == ["/threads/2", "/threads/1"])
                #expect(links.first?.text == "Messages with \(other.username)")
                #expect(links.last?.text.hasPrefix("Earlier messages with \(other.username), until ") == true)
            }
        }
    }

    @Test func `what was taken back by mistake holds again, and so does its thread`() async throws {
        try await withTestSite { site in
            let (_, dan) = try await Self.promised(in: site)
            let page = try await dan.visit("/needs/1").press("I can’t after all")
            #expect(try site.count(of: "claim WHERE over_at IS NOT NULL") == 1)
            let undo = try #require(page.buttons.first { $0.hasPrefix("Undo") })
            _ = try await page.press(undo)
            #expect(try site.count(of: "claim WHERE state = 'taken' AND over_at IS NULL") == 1)
            site.clock.advance(by: .days(15))
            #expect(try await Self.post("Here I am", by: site.signIn(Self.dan)).status == 303)
        }
    }

    @Test func `what was taken back can't be undone once it is promised anew, by either`() async throws {
        try await withTestSite { site in
            let (ana, dan) = try await Self.promised(in: site)
            func undos(_ browser: Browser) async throws -> Int {
                try await browser.visit("/needs/1").buttons.count { $0.hasPrefix("Undo") }
            }
            _ = try await dan.visit("/needs/1").press("I can’t after all")
            #expect(try await undos(dan) == 1)
            _ = try await dan.visit("/needs/1").press("I’ll take it")
            #expect(try await undos(dan) == 0)
            let token = try await ana.visit("/me/settings").value(of: "csrf") ?? ""
            _ = try await ana.submit("/claims/2/cancel", [("csrf", token)])
            #expect(try await undos(ana) == 1)
            _ = try await dan.visit("/needs/1").press("I’ll take it")
            #expect(try await undos(ana) == 0)
        }
    }

    @Test func `a block ends it for both, and what was said can be reported`() async throws {
        try await withTestSite { site in
            let (ana, dan) = try await Self.promised(in: site)
            _ = try await dan.visit("/threads/1").press("Send", filling: ["text": "You are stupid."])
            let news = try site.count(of: "talk_news WHERE id > 1")
            _ = try await ana.visit("/threads/1").press("Block \(Self.dan.username)")
            #expect(try site.count(of: "talk_news WHERE id > 1") == news + 1, "open pages hear of it")
            for browser in [ana, dan] {
                #expect(try await browser.visit("/threads/1").status == 404)
                #expect(try await Self.post("Hi", by: browser).status == 404)
            }
            let mira = try await site.signIn(.mira, isStaff: true)
            #expect(try await mira.visit("/admin/queue/message-1").status == 404)
            let reported = try await ana.visit("/reports/new?about=message-1").press(
                "Send the report", filling: ["reason": "unkind"])
            #expect(reported.status == 200 && reported.path == "/inbox")
            let page = try await mira.visit("/admin/queue/message-1")
            #expect(page.text.contains("You are stupid.") && page.text.contains(Self.dan.username))
            #expect(try await page.follow("See where it stands").status == 200)
        }
    }

    @Test func `where it ended a page says so, the same to both and to a stranger, and leads to the inbox`()
        async throws
    {
        try await withTestSite { site in
            let (ana, dan) = try await Self.promised(in: site)
            let open = try await dan.visit("/threads/1")
            _ = try await ana.visit("/threads/1").press("Block \(Self.dan.username)")
            let cleo = try await site.signIn(.cleo)
            let sent = try await open.press("Send", filling: ["text": "When shall I come?"])
            #expect(sent.status == 404 && sent.heading == "No longer there")
            #expect(sent.string.contains("When shall I come?"), "what was typed stands there")
            var told: Set<String> = []
            for (browser, id) in [(ana, 1), (dan, 1), (cleo, 1), (cleo, 9)] {
                let page = try await browser.visit("/threads/\(id)")
                #expect(page.status == 404 && page.heading == "No longer there")
                #expect(page.link("Inbox") == "/inbox")
                told.insert(page.text)
            }
            #expect(told.count == 1 && told.first?.contains("This conversation has ended, or never existed") == true)
        }
    }

    @Test func `a message that was reported and hidden is read by its author alone`() async throws {
        try await withTestSite { site in
            let (ana, dan) = try await Self.promised(in: site)
            _ = try await dan.visit("/threads/1").press("Send", filling: ["text": "You are stupid."])
            _ = try await ana.visit("/threads/1").press("Send", filling: ["text": "Pardon?"])
            _ = try await ana.visit("/reports/new?about=message-1").press(
                "Send the report", filling: ["reason": "unkind"])
            let mira = try await site.signIn(.mira, isStaff: true)
            let matter = try await mira.visit("/admin/queue/message-1")
            #expect(matter.text.contains("Pardon?"), "what was said around it")
            #expect(try await mira.visit("/admin/queue/message-2").status == 404)
            _ = try await matter.press("Decide", filling: ["act": "hide", "ground": "unkind"])
            let page = try await ana.visit("/threads/1")
            #expect(page.text.contains("This message was taken away.") && !page.text.contains("stupid"))
            #expect(try await dan.visit("/threads/1").text.contains("You are stupid."))
        }
    }

    @Test(arguments: [true, false])
    func `an account that is deleted takes all of the thread along for both`(_ isHelper: Bool) async throws {
        try await withTestSite { site in
            let (ana, dan) = try await Self.promised(in: site)
            _ = try await dan.visit("/threads/1").press("Send", filling: ["text": "My words"])
            _ = try await ana.visit("/threads/1").press("Send", filling: ["text": "Her words"])
            _ = try await dan.visit("/threads/1").press("Send", filling: ["text": "More"])
            let export = try await dan.visit("/me/export").press(
                "Download the file", filling: ["current_password": .text(Person.password)])
            #expect(export.string.contains("My words") && !export.string.contains("Her words"))
            _ = try await (isHelper ? dan : ana).visit("/me/delete").press(
                "Delete my account", filling: ["current_password": .text(Person.password)])
            for table: SQL in ["message", "thread", "thread_side", "talk_news", "notice WHERE kind = 'wrote'"] {
                #expect(try site.count(of: table) == 0, "\(table)")
            }
            #expect(try site.count(of: "account WHERE unread < 0") == 0)
            #expect(try await (isHelper ? ana : dan).visit("/threads/1").status == 404)
        }
    }

    /// What happened last, as open pages hear of it.
    private static func newest(in site: TestSite) throws -> Int {
        try site.read { db in try db.value("SELECT max(id) FROM talk_news") ?? 0 }
    }

    @Test func `what waits for a yes again since it moved to a home has none until then`() async throws {
        try await withTestSite { site in
            let (ana, dan) = try await Self.promised(in: site)
            _ = try await dan.visit("/threads/1").press("Send", filling: ["text": "Hello"])
            let news = try Self.newest(in: site)
            #expect(try await dan.visit("/needs/promised").string.contains("/threads/1"))
            _ = try await ana.visit("/needs/1/edit").press(
                "Preview", filling: ["is_home": ["1"], "address": "9 Secret Lane"]
            ).press("Publish the change")
            #expect(try site.count(of: "claim WHERE state = 'asked'") == 1)
            #expect(try Self.newest(in: site) > news, "open pages hear of it")
            for browser in [ana, dan] {
                #expect(try await browser.visit("/threads/1").status == 404)
                #expect(try await Self.post("Hi", by: browser).status == 404)
            }
            #expect(try await !dan.visit("/needs/promised").string.contains("/threads/1"))
            _ = try await ana.visit("/needs/1").press("Yes: \(Self.dan.username)")
            for browser in [ana, dan] { #expect(try await browser.visit("/threads/1").text.contains("Hello")) }
        }
    }

    @Test func `a no at a home leaves what was said before it moved there, and nothing more is said`() async throws {
        try await withTestSite { site in
            let (ana, dan) = try await Self.promised(in: site)
            _ = try await dan.visit("/threads/1").press("Send", filling: ["text": "Hello"])
            _ = try await ana.visit("/needs/1/edit").press(
                "Preview", filling: ["is_home": ["1"], "address": "9 Secret Lane"]
            ).press("Publish the change")
            let token = try await ana.visit("/me/settings").value(of: "csrf") ?? ""
            _ = try await ana.submit("/claims/1/answer", [("csrf", token), ("answer", "no")])
            #expect(try site.count(of: "claim WHERE state = 'ended'") == 1)
            for browser in [ana, dan] {
                let page = try await browser.visit("/threads/1")
                #expect(page.text.contains("Hello") && !page.buttons.contains("Send"))
                #expect(try await Self.post("Hi", by: browser).status == 422)
            }
            #expect(try site.count(of: "message") == 1)
        }
    }

    @Test func `somebody new writes there as often as to strangers, and with links, once they were answered`()
        async throws
    {
        try await withTestSite(limits: true) { site in
            let (ana, dan) = try await Self.promised(in: site)
            let now = site.clock.now
            try await site.execute("UPDATE account SET created_at = \(now)")
            func say(_ text: String, _ browser: Browser) async throws -> Page {
                try await browser.visit("/threads/1").press("Send", filling: ["text": .text(text)])
            }
            let early = try await say("https://x.example", dan)
            #expect(early.status == 422 && early.value(of: "text") == "https://x.example")
            for number in 1...10 { #expect(try await say("Word \(number)", dan).status == 200, "\(number)") }
            let refused = try await say("Word 11", dan)
            #expect(refused.status == 429 && refused.string.contains("Word 11"), "what was typed stands there")
            #expect(try site.count(of: "message") == 10)
            // Twin: once they were answered.
            #expect(try await say("Yes?", ana).status == 200)
            #expect(try await say("https://x.example", dan).status == 200)
            for number in 12...14 { #expect(try await say("Word \(number)", dan).status == 200, "\(number)") }
        }
    }

    @Test func `somebody who is new no more writes without an answer as often as they like`() async throws {
        try await withTestSite(limits: true) { site in
            let (_, dan) = try await Self.promised(in: site)
            for number in 1...12 {
                let page = try await dan.visit("/threads/1").press("Send", filling: ["text": .text("Word \(number)")])
                #expect(page.status == 200, "\(number)")
            }
        }
    }

    @Test func `nobody talks to somebody who is suspended, and they do once that is taken back`() async throws {
        try await withTestSite { site in
            let (ana, dan) = try await Self.promised(in: site)
            _ = try await dan.visit("/threads/1").press("Send", filling: ["text": "Hello"])
            let (account, now, news) = (
                try await site.account(of: Self.dan), site.clock.now, try Self.newest(in: site)
            )
            #expect(try site.count(of: "notice WHERE kind = 'wrote'") == 1)
            try await site.write(at: now) { tx in _ = try Account.suspend(account, in: tx) }
            #expect(try Self.newest(in: site) > news, "open pages hear of it")
            #expect(try site.count(of: "notice WHERE kind = 'wrote'") == 0, "it would lead nowhere")
            #expect(try await ana.visit("/threads/1").status == 404)
            #expect(try await Self.post("Hi", by: ana).status == 404)
            try await site.write(at: site.clock.now) { tx in _ = try Account.restore(account, in: tx) }
            for browser in [ana, try await site.signIn(Self.dan)] {
                #expect(try await browser.visit("/threads/1").text.contains("Hello"))
                #expect(try await Self.post("Hi", by: browser).status == 303)
            }
        }
    }

    @Test func `what staff hide has none, and no letter tells of it`() async throws {
        try await withTestSite { site in
            let (ana, dan) = try await Self.promised(in: site)
            _ = try await dan.visit("/threads/1").press("Send", filling: ["text": "Hello"])
            let (now, seal, news) = (site.clock.now, nil as Seal?, try Self.newest(in: site))
            func tells() throws -> Bool {
                try site.read(at: now) { tx in
                    let letters: [Letter] = try tx.all("SELECT \(Letter.columns) FROM letter WHERE kind = 'wrote'")
                    return try #require(letters.first).text(seal, country: "US", zone: .utc, in: tx) != nil
                }
            }
            #expect(try tells())
            #expect(try site.count(of: "notice WHERE kind = 'wrote'") == 1)
            try await site.write(at: site.clock.now) { tx in try Need.hide(ID(1), at: now, in: tx) }
            #expect(try Self.newest(in: site) > news, "open pages hear of it")
            #expect(try site.count(of: "notice WHERE kind = 'wrote'") == 0, "it would lead nowhere")
            #expect(try !tells())
            for browser in [ana, dan] {
                #expect(try await browser.visit("/threads/1").status == 404)
                #expect(try await Self.post("Hi", by: browser).status == 404)
            }
            try await site.write(at: site.clock.now) { tx in try Need.hide(ID(1), at: nil, in: tx) }
            #expect(try tells())
            for browser in [ana, dan] { #expect(try await browser.visit("/threads/1").status == 200) }
        }
    }

    @Test(arguments: [true, false])
    func `what was said about something that nobody sees is erased in time, too`(_ isHidden: Bool) async throws {
        try await withTestSite { site in
            let (ana, now) = (try await site.account(of: .ana), site.clock.now)
            let (_, dan) = try await Self.promised(in: site)
            _ = try await dan.visit("/threads/1").press("Send", filling: ["text": "Hello"])
            _ = try await dan.visit("/needs/1").press("It is there")
            try await site.write(at: now) { tx in
                if isHidden {
                    try Need.hide(ID(1), at: tx.now, in: tx)
                } else {
                    _ = try Account.suspend(ana, in: tx)
                }
            }
            await Housekeeping(site: site.site).tidyUp(at: now + .days(50))
            #expect(try site.count(of: "claim WHERE over_at IS NULL") == 1)
            await Housekeeping(site: site.site).tidyUp(at: now + .days(53))
            #expect(try site.count(of: "claim WHERE state = 'brought' AND over_at IS NOT NULL") == 1)
            #expect(try site.count(of: "notice WHERE account_id = \(ana) AND detail LIKE 'over%'") == 0)
            await Housekeeping(site: site.site).tidyUp(at: now + .days(53) + TalkThread.kept + .days(1))
            for table: SQL in ["message", "thread", "thread_side", "notice WHERE kind = 'wrote'"] {
                #expect(try site.count(of: table) == 0, "\(table)")
            }
        }
    }

    @Test func `where needs are switched off no page opens it, or hears of it`() async throws {
        try await withTestSite { site in
            let (ana, dan) = try await Self.promised(in: site)
            _ = try await dan.visit("/threads/1").press("Send", filling: ["text": "Hello"])
            let mira = try await site.signIn(.mira, isStaff: true)
            func switchOn(_ modules: [Module]) async throws {
                let page = try await mira.visit("/admin/modules").press(
                    "Save", filling: ["module": .texts(modules.map(\.rawValue))])
                #expect(page.flash == "Saved.")
            }
            func news() async throws -> String {
                let answer = try await ana.send("GET", "/stream?after=0", ["Accept": "application/json"])
                return String(decoding: answer.body, as: UTF8.self)
            }
            try await switchOn(Module.allCases.filter { $0 != .needs })
            #expect(try await news().contains(#""threads":[],"#))
            for browser in [ana, dan] {
                #expect(try await browser.visit("/threads/1").status == 404)
                #expect(try await Self.post("Hi", by: browser).status == 404)
            }
            try await switchOn(Module.allCases)
            #expect(try await news().contains(#""threads":[1],"#))
            for browser in [ana, dan] { #expect(try await browser.visit("/threads/1").status == 200) }
        }
    }

    @Test func `a block leaves no news that lead nowhere, and taken back it leaves the thread`() async throws {
        try await withTestSite { site in
            let (ana, dan) = try await Self.promised(in: site)
            _ = try await dan.visit("/threads/1").press("Send", filling: ["text": "Hello"])
            _ = try await ana.visit("/threads/1").press("Send", filling: ["text": "Hi"])
            _ = try await dan.visit("/threads/1").press("Send", filling: ["text": "Again"])
            #expect(try site.count(of: "notice WHERE kind = 'wrote' AND read_at IS NULL") == 1)
            let token = try await ana.visit("/me/settings").value(of: "csrf") ?? ""
            _ = try await ana.submit("/blocks", [("csrf", token), ("username", Self.dan.username)])
            #expect(try site.count(of: "notice WHERE kind = 'wrote'") == 0)
            let wrong: SQL = """
                account WHERE unread <> (SELECT count(*) FROM notice
                    WHERE notice.account_id = account.id AND read_at IS NULL)
                """
            #expect(try site.count(of: wrong) == 0)
            #expect(try await dan.visit("/threads/1").status == 404)
            _ = try await ana.visit("/blocks").press("Unblock: \(Self.dan.username)")
            for browser in [ana, dan] {
                #expect(try await browser.visit("/threads/1").text.contains("Again"))
                #expect(try await Self.post("Hi", by: browser).status == 303)
            }
        }
    }

    @Test func `nothing is unread where all that was said is erased after a year`() async throws {
        try await withTestSite { site in
            let (_, dan) = try await Self.promised(in: site)
            for text in ["Hello", "Again"] {
                _ = try await dan.visit("/threads/1").press("Send", filling: ["text": .text(text)])
            }
            let now = site.clock.now
            let old = now - Message.memory - .days(1)
            try await site.execute("UPDATE message SET at = \(old) WHERE id = 1")
            await Housekeeping(site: site.site).tidyUp(at: now)
            #expect(try site.count(of: "message") == 1 && site.count(of: "thread_side WHERE unread = 2") == 1)
            try await site.execute("UPDATE message SET at = \(old)")
            await Housekeeping(site: site.site).tidyUp(at: now)
            #expect(try site.count(of: "message") == 0 && site.count(of: "thread_side WHERE unread > 0") == 0)
        }
    }
}
