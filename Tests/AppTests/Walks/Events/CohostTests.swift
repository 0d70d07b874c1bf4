import Database
import Testing

@testable import App

/// Hosting a neighbor's event together: who is asked and what that tells, what a co-host may, and how it ends.
@Suite struct CohostTests {
    private let fair: [String: Filling] = [
        "title": "Willow Street fair", "description": "Stalls, music and a long table for everybody.",
        "date": "2027-03-26", "start_time": "10:00", "end_time": "18:00", "address": "180 Park Ave",
        "city": "San Jose", "state": "CA", "zip": "95113",
    ]
    private let page = "/events/1/cohosts"

    /// Ana's fair, the first event there is.
    private func announce(_ site: TestSite) async throws -> Browser {
        let ana = try await site.signIn(.ana)
        _ = try await ana.visit("/welcome?hat=neighbor").press("Continue")
        _ = try await ana.visit("/events/new?audience=everyone").press("Preview", filling: fair).press("Publish")
        return ana
    }

    private func ask(_ who: String, _ ana: Browser) async throws -> Page {
        try await ana.visit(page).press("Ask them", filling: ["who": .text(who)])
    }

    /// The same, which Cleo hosts with her.
    private func together(_ site: TestSite) async throws -> (ana: Browser, cleo: Browser) {
        let ana = try await announce(site)
        let cleo = try await site.signIn(.cleo)
        _ = try await ask("cleo-park", ana)
        _ = try await cleo.visit(page).press("Yes, host it together")
        return (ana, cleo)
    }

    private func token(_ browser: Browser) async throws -> String {
        try #require(try await browser.visit("/help").value(of: "csrf"))
    }

    // MARK: Asking

    @Test(arguments: ["cleo-park", "@Cleo-Park", "https://village.example/people/cleo-park", "cleo-park@example.org"])
    func `a member is asked by name, page or address, and hosts it once they say yes`(who: String) async throws {
        try await withTestSite { site in
            let ana = try await announce(site)
            let cleo = try await site.signIn(.cleo)
            try await site.execute("UPDATE account SET confirmed_at = 1")
            #expect(try await ana.visit("/events/1").follow("Hosting together").path == page)
            let asked = try await ask(who, ana)
            #expect(asked.flash?.hasPrefix("Noted.") == true && asked.text.contains("Asked; they can say yes until"))
            #expect(try await cleo.visit("/events/1/edit").status == 404)
            #expect(try await cleo.visit("/").text.contains("You are asked to host it together"))
            let told = "Unread: You are asked to host an event together: Willow Street fair"
            let invitation = try await cleo.visit("/inbox").follow(told)
            #expect(invitation.path == page && invitation.buttons.contains("No, thank you"))
            let event = try await invitation.press("Yes, host it together")
            #expect(event.path == "/events/1" && event.link("Change it") != nil)
            #expect(try await ana.visit("/inbox").text.contains("Somebody hosts Willow Street fair with you now"))
            #expect(try await ana.visit(page).text.contains("cleo-park"))
            // Members read who hosts it; others don't.
            let dan = try await site.signIn(.family(1))
            #expect(try await dan.visit("/events/1").text.contains("hosts it, too"))
            #expect(try await !site.browser().visit("/events/1").text.contains("hosts it, too"))
        }
    }

    @Test func `what comes of asking is the same, whether or not there is somebody`() async throws {
        try await withTestSite { site in
            let ana = try await announce(site)
            for person: Person in [.cleo, .ben, .noor, .family(1)] { try await site.account(of: person) }
            let (host, ben) = (try await site.account(of: .ana), try await site.account(of: .ben))
            try await site.write(at: site.clock.now) { tx in
                try tx.execute("UPDATE account SET confirmed_at = 1 WHERE username = 'cleo-park'")
                try tx.execute("UPDATE account SET suspended_at = 1 WHERE username = 'noor-haddad'")
                try Block.add(host, by: ben, in: tx)
            }
            // Somebody; nobody; an address that nobody confirmed; one who blocks her; somebody suspended.
            let all = [
                "cleo-park@example.org", "cleo-park", "nobody@example.org", "nobody-here", "family-1@example.org",
                "ben-ruiz", "noor-haddad",
            ]
            #expect(try await ask("ana-ortiz", ana).status == 422)
            var seen: Set<String> = []
            for who in all {
                let asked = try await ask(who, ana)
                #expect(asked.text.contains(who), "\(who)")
                seen.insert(asked.text.replacing(who, with: "…"))
                _ = try await ana.visit(page).press("Take it back: \(who)")
            }
            #expect(seen.count == 1)
            #expect(try site.count(of: "cohost") == 0)
            #expect(try site.count(of: "notice WHERE kind = 'cohosting'") == 0)
            for who in all.prefix(3) { _ = try await ask(who, ana) }
            #expect(try site.count(of: "notice WHERE kind = 'cohosting'") == 1, "Cleo once, nobody else")
        }
    }

    @Test(arguments: [("yes", "/events/1"), ("no", "/")])
    func `an answer pressed twice counts once, and leads where it led before`(answer: String, place: String)
        async throws
    {
        try await withTestSite { site in
            let ana = try await announce(site)
            let cleo = try await site.signIn(.cleo)
            _ = try await ask("cleo-park", ana)
            let csrf = try await token(cleo)
            for _ in 1...2 {
                let done = try await cleo.submit("\(page)/answer", [("csrf", csrf), ("answer", answer)])
                #expect(done.status == 303 && done.location == place)
            }
            let isYes = answer == "yes"
            #expect(try site.count(of: "notice WHERE account_id = 1 AND kind = 'cohosting'") == (isYes ? 1 : 0))
            // The other answer comes too late.
            let other = try await cleo.submit("\(page)/answer", [("csrf", csrf), ("answer", isYes ? "no" : "yes")])
            #expect(other.status == 303 && other.location == "/events/1")
            #expect(try site.count(of: "cohost WHERE state = 'taken'") == (isYes ? 1 : 0))
        }
    }

    @Test func `three are enough, those who are asked among them`() async throws {
        try await withTestSite { site in
            let ana = try await announce(site)
            let form = try await ana.visit(page)
            for number in 1...3 { _ = try await ask("nobody-\(number)", ana) }
            #expect(try await !ana.visit(page).buttons.contains("Ask them"))
            let refused = try await form.press("Ask them", filling: ["who": "cleo-park"])
            #expect(refused.status == 422 && refused.text.contains("3 people are enough."))
            #expect(try site.count(of: "cohost") == 3)
        }
    }

    @Test func `a no is told to nobody, and isn't asked again`() async throws {
        try await withTestSite { site in
            let ana = try await announce(site)
            let cleo = try await site.signIn(.cleo)
            _ = try await ask("cleo-park", ana)
            _ = try await cleo.visit(page).press("No, thank you")
            #expect(try await ana.visit(page).text.contains("Asked; they can say yes until"))
            #expect(try site.count(of: "notice WHERE kind = 'cohosting'") == 1)
            #expect(try await cleo.visit(page).status == 404)
            _ = try await ana.visit(page).press("Take it back: cleo-park")
            _ = try await ask("cleo-park", ana)
            #expect(try site.count(of: "notice WHERE kind = 'cohosting'") == 1)
            #expect(try await cleo.visit(page).status == 404)
        }
    }

    @Test func `an invitation is good for fourteen days, and not for a host's event with a list`() async throws {
        try await withTestSite { site in
            let ana = try await announce(site)
            let cleo = try await site.signIn(.cleo)
            _ = try await ask("cleo-park", ana)
            let now = site.clock.now
            try await site.execute("UPDATE cohost SET at = \(now - Cohost.invitation)")
            #expect(try await cleo.visit(page).path == "/events/1")
            #expect(try await ana.visit(page).buttons.contains("Ask them"))
            #expect(try await site.write(at: now + .seconds(1)) { tx in try Cohost.eraseOld(in: tx) } == 1)
            let id = try await site.publish(by: .ben) { $0.audience = .everyone }
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/events/\(id)/cohosts").status == 404)
            #expect(try await ben.visit("/events/\(id)").link("Hosting together") == nil)
        }
    }

    // MARK: What they may

    @Test func `a co-host sees who comes, writes to all, answers and changes it, under their own name`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = try await together(site)
            #expect(try await cleo.visit("/").text.contains("You host"))
            for path in ["/me/events", "/me/events/calendar", "/me/attending", "/week?from=2027-03-22"] {
                #expect(try await cleo.visit(path).text.contains("Willow Street fair"), "\(path)")
            }
            let dan = try await site.signIn(.family(1))
            _ = try await dan.visit("/events/1").press("Join", filling: ["shown": true])
            #expect(try await dan.visit("/events/1").text.contains("So do those who host it, too."))
            #expect(try await cleo.visit("/events/1/registrations").text.contains("family-1"))
            _ = try await dan.visit("/events/1").press("Ask", filling: ["text": "Is there shade?"])
            _ = try await cleo.visit("/inbox").follow("Unread: A question about Willow Street fair, March 26")
                .follow("Answer: Is there shade?").press("Answer", filling: ["text": "Under the trees."])
            #expect(try await site.browser().visit("/events/1").text.contains("Under the trees."))
            _ = try await cleo.visit("/events/1/announcements").press(
                "Preview", filling: ["subject": "A cake", "body": "Bring one."]
            ).press("Send it")
            #expect(try await dan.visit("/events/1/announcements").text.contains("Bring one."))
            let changed = try await cleo.visit("/events/1/edit").press("Preview", filling: ["title": "Willow fair"])
                .press("Publish the change")
            #expect(changed.path == "/events/1" && changed.heading == "Willow fair")
            #expect(try site.count(of: "event WHERE account_id = 1 AND title = 'Willow fair'") == 1)
            let log = try await ana.visit(page).text
            for line in ["changed “Willow fair”", "wrote to all who come to", "answered a question"] {
                #expect(log.contains("cleo-park \(line)"), "\(line)")
            }
            // Those who run the site read it; other members don't.
            let mira = try await site.signIn(.mira, isStaff: true)
            let desk = try await mira.visit("/admin/events/1").text
            #expect(desk.contains("Who hosts it, too") && desk.contains("cleo-park changed “Willow fair”"))
            #expect(try await dan.visit(page).status == 404)
        }
    }

    @Test func `a box that shows a name says that others may host it, also before somebody does`()
        async throws
    {
        try await withTestSite { site in
            _ = try await announce(site)
            let dan = try await site.signIn(.family(1))
            let said = "So do those who host it together, now or later, and nobody else."
            #expect(try await dan.visit("/events/1").text.contains(said))
        }
    }

    @Test func `a question for the host alone is no co-host’s to read or answer, and another can be reported`()
        async throws
    {
        try await withTestSite { site in
            let (ana, cleo) = try await together(site)
            let dan = try await site.signIn(.family(1))
            _ = try await dan.visit("/events/1").press(
                "Ask", filling: ["text": "May I tell you something?", "private": true])
            #expect(try await !cleo.visit("/events/1").text.contains("May I tell you something?"))
            #expect(try site.count(of: "notice WHERE kind = 'asked' AND account_id <> 1") == 0)
            #expect(try await cleo.visit("/questions/1/answer").status == 404)
            let csrf = try await token(cleo)
            #expect(try await cleo.submit("/questions/1/close", [("csrf", csrf)]).status == 404)
            #expect(try await cleo.visit("/reports/new?about=question-1").status == 404)
            #expect(try await ana.visit("/questions/1/answer").status == 200)
            _ = try await dan.visit("/events/1").press("Ask", filling: ["text": "Is there shade?"])
            #expect(try await cleo.visit("/events/1").text.contains("Is there shade?"))
            #expect(try await cleo.visit("/reports/new?about=question-2").status == 200)
        }
    }

    @Test func `to call it off, to add dates, to copy, to delete and to name others stays with its host`() async throws
    {
        try await withTestSite { site in
            let (_, cleo) = try await together(site)
            let event = try await cleo.visit("/events/1")
            for words in ["Cancel it", "More dates", "Copy it into a new event"] {
                #expect(event.link(words) == nil, "\(words)")
            }
            let list = try await cleo.visit("/me/events").string
            #expect(!list.contains("/events/1/cancel") && !list.contains("/events/1/copy"))
            for path in ["cancel", "copy", "published"] {
                #expect(try await cleo.visit("/events/1/\(path)").status == 404, "\(path)")
            }
            #expect(try await cleo.visit("/events/new?copy=1").status == 404)
            let csrf = try await token(cleo)
            for (path, name, value) in [
                ("cancel", "reason", "Rain."), ("delete", "once", "x"), ("copy", "dates", "2027-04-02"),
                ("cohosts", "who", "family-1"), ("cohosts/end", "cohost", "1"),
            ] {
                let answer = try await cleo.submit("/events/1/\(path)", [("csrf", csrf), (name, value)])
                #expect(answer.status == 404, "\(path)")
            }
            #expect(try site.count(of: "event WHERE cancelled_at IS NULL") == 1)
            #expect(try site.count(of: "cohost WHERE state = 'taken'") == 1)
        }
    }

    @Test func `a co-host of one event is a stranger at another`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = try await together(site)
            _ = try await ana.visit("/events/new?audience=everyone").press("Preview", filling: fair).press("Publish")
            let dan = try await site.signIn(.family(1))
            _ = try await dan.visit("/events/2").press("Ask", filling: ["text": "Is there shade?"])
            for path in ["/events/2/edit", "/events/2/announcements", "/events/2/cohosts", "/questions/1/answer"] {
                #expect(try await cleo.visit(path).status == 404, "\(path)")
            }
            #expect(try await cleo.visit("/events/2/registrations").path == "/events/2")
            let (csrf, own) = (try await token(cleo), try await token(ana))
            #expect(try await cleo.submit("/questions/1/close", [("csrf", csrf)]).status == 404)
            // The same page as after an answer that came too late, and nothing is done.
            for (path, pairs) in [("answer", [("answer", "yes")]), ("end", [])] as [(String, [(String, String)])] {
                let sent = try await cleo.submit(
                    "/events/2/cohosts/\(path)", ([("csrf", csrf)] + pairs).map { (name: $0.0, value: $0.1) })
                #expect(sent.status == 303 && sent.location == "/events/2", "\(path)")
            }
            // A row of another event ends nothing.
            _ = try await ana.submit("/events/2/cohosts/end", [("csrf", own), ("cohost", "1")])
            #expect(try site.count(of: "cohost") == 1 && site.count(of: "cohost WHERE state = 'taken'") == 1)
            #expect(try site.count(of: "notice WHERE detail LIKE 'left%'") == 0)
        }
    }

    // MARK: Ending

    @Test func `what ends it, pressed twice or on an old page, says how it is`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = try await together(site)
            // Each on two pages.
            let (own, list) = (try await cleo.visit(page), try await ana.visit(page))
            for _ in 1...2 {
                let left = try await own.press("No longer host it")
                #expect(left.path == "/events/1" && left.flash == "Saved.")
            }
            let removed = try await list.press("Remove them: cleo-park")
            #expect(removed.path == page && removed.flash == "Saved.")
            #expect(try site.count(of: "notice WHERE account_id = 1 AND detail LIKE 'left%'") == 1)
            // An invitation that its host took back.
            _ = try await ask("cleo-park", ana)
            let (asked, waiting) = (try await cleo.visit(page), try await ana.visit(page))
            for _ in 1...2 { #expect(try await waiting.press("Take it back: cleo-park").path == page) }
            let late = try await asked.press("Yes, host it together")
            #expect(late.path == "/events/1" && late.flash?.hasPrefix("That changed meanwhile") == true)
            #expect(try site.count(of: "cohost") == 0)
            // The host removes a co-host, who then presses a button of an old page. A page on which they were only
            // asked removes nobody.
            _ = try await ask("cleo-park", ana)
            let before = try await ana.visit(page)
            _ = try await cleo.visit(page).press("Yes, host it together")
            let kept = try await before.press("Take it back: cleo-park")
            #expect(kept.path == page && kept.flash?.hasPrefix("That changed meanwhile") == true)
            #expect(try site.count(of: "cohost WHERE state = 'taken'") == 1)
            let old = try await cleo.visit(page)
            _ = try await ana.visit(page).press("Remove them: cleo-park")
            #expect(try await old.press("No longer host it").path == "/events/1")
            #expect(try site.count(of: "notice WHERE account_id = 1 AND detail LIKE 'left%'") == 1)
        }
    }

    @Test func `one who was let go while a form was open sends nothing`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = try await together(site)
            let dan = try await site.signIn(.family(1))
            _ = try await dan.visit("/events/1").press("Join").press("Ask", filling: ["text": "Is there shade?"])
            let change = try await cleo.visit("/events/1/edit").press("Preview", filling: ["title": "Mine"])
            let message = try await cleo.visit("/events/1/announcements").press(
                "Preview", filling: ["subject": "A cake", "body": "Bring one."])
            let answer = try await cleo.visit("/questions/1/answer")
            _ = try await ana.visit(page).press("Remove them: cleo-park")
            #expect(try await change.press("Publish the change").status == 404)
            #expect(try await message.press("Send it").status == 404)
            #expect(try await answer.press("Answer", filling: ["text": "No."]).status == 404)
            #expect(try site.count(of: "announcement") == 0)
            #expect(try site.count(of: "event WHERE title = 'Mine'") == 0)
            #expect(try await cleo.visit("/inbox").text.contains("You no longer host Willow Street fair together"))
            #expect(try site.count(of: "notice WHERE kind = 'asked' AND account_id <> 1") == 0)
            #expect(try await !cleo.visit("/").text.contains("You host"))
        }
    }

    @Test func `within the transaction, too, a right that ended or rests is none`() async throws {
        try await withTestSite { site in
            _ = try await together(site)
            let (ana, cleo) = (try await site.account(of: .ana), try await site.account(of: .cleo))
            func may() throws -> Bool { try site.read { db in try Cohost.host(of: ID(1), with: cleo, in: db) == ana } }
            #expect(try may())
            for account in [ana, cleo] {
                try await site.execute("UPDATE account SET suspended_at = 1 WHERE id = \(account)")
                #expect(try !may())
                try await site.execute("UPDATE account SET suspended_at = NULL WHERE id = \(account)")
            }
            // A list of names, which neighbors joined without knowing of others.
            site.clock.advance(by: .minutes(1))
            try await site.provider(of: .ana)
            #expect(try may())
            try await site.execute("UPDATE provider SET created_at = 0")
            #expect(try !may())
        }
    }

    @Test func `a suspended co-host is on no page but the host’s, and comes back with the account`() async throws {
        try await withTestSite { site in
            let (ana, _) = try await together(site)
            let (cleo, now) = (try await site.account(of: .cleo), site.clock.now)
            let said = "can’t look after it at the moment"
            #expect(try await !ana.visit(page).text.contains(said))
            try await site.write(at: now) { tx in _ = try Account.suspend(cleo, in: tx) }
            let shown = try await ana.visit(page)
            #expect(shown.text.contains("cleo-park") && shown.text.contains(said) && shown.link("cleo-park") == nil)
            #expect(try await !ana.visit("/events/1").text.contains("hosts it, too"))
            try await site.write(at: site.clock.now) { tx in try Account.restore(cleo, in: tx) }
            let back = try await ana.visit(page)
            #expect(back.text.contains("cleo-park") && !back.text.contains(said))
        }
    }

    @Test func `who looks after the site sees on somebody’s page what they host together, and that it rests`()
        async throws
    {
        try await withTestSite { site in
            _ = try await together(site)
            let (cleo, now) = (try await site.account(of: .cleo), site.clock.now)
            let mira = try await site.signIn(.mira, isStaff: true)
            let (path, rests) = ("/admin/people/\(cleo)", "they look after none of these")
            let before = try await mira.visit(path)
            #expect(before.text.contains("Events they host with others") && !before.text.contains(rests))
            try await site.write(at: now) { tx in _ = try Account.suspend(cleo, in: tx) }
            let shown = try await mira.visit(path)
            #expect(shown.text.contains(rests))
            #expect(try await shown.follow("Willow Street fair").link("cleo-park") == path)
            // Of somebody else nothing is said.
            let ana = try await site.account(of: .ana)
            #expect(try await !mira.visit("/admin/people/\(ana)").text.contains("Events they host with others"))
            // What is over isn't listed.
            site.clock.advance(by: .days(30))
            let later = try await site.signIn(.mira, isStaff: true)
            #expect(try await !later.visit(path).text.contains("Events they host with others"))
        }
    }

    @Test func `a suspended co-host takes one of three places where its host sees it, and can be removed`() async throws
    {
        try await withTestSite { site in
            let (ana, _) = try await together(site)
            let (cleo, now) = (try await site.account(of: .cleo), site.clock.now)
            try await site.write(at: now) { tx in _ = try Account.suspend(cleo, in: tx) }
            for number in 1...2 { _ = try await ask("nobody-\(number)", ana) }
            #expect(try await !ana.visit(page).buttons.contains("Ask them"))
            let removed = try await ana.visit(page).press("Remove them: cleo-park")
            #expect(!removed.text.contains("cleo-park") && removed.buttons.contains("Ask them"))
            // Nobody else who hosts it reads that they can't.
            let dan = try await site.signIn(.family(1))
            for (row, account) in [(2, cleo), (3, try await site.account(of: .family(1)))] {
                try await site.execute(
                    "UPDATE cohost SET state = 'taken', typed = '', account_id = \(account) WHERE id = \(row)")
            }
            #expect(try await !dan.visit(page).text.contains("cleo-park"))
            #expect(try await ana.visit(page).text.contains("cleo-park"))
        }
    }

    @Test func `a picture that a co-host brings is the host’s once it is published, and stays when they leave`()
        async throws
    {
        try await withTestSite { site in
            let (ana, cleo) = try await together(site)
            let (host, other) = (try await site.account(of: .ana), try await site.account(of: .cleo))
            let photo: [String: Filling] = ["poster_file": .file(SentFile("photo.jpg", Pictures.photo))]
            let preview = try await cleo.visit("/events/1/edit").press("Preview", filling: photo)
            #expect(try site.count(of: "picture WHERE account_id = \(other)") == 1, "nothing is published yet")
            _ = try await preview.press("Publish the change")
            #expect(try site.count(of: "picture WHERE account_id = \(host)") == 1)
            #expect(try site.count(of: "picture") == 1)
            try await site.write(at: site.clock.now) { tx in try Account.leave(other, in: tx) }
            #expect(try site.count(of: "event WHERE picture_id IS NOT NULL") == 1)
            _ = try await ana.visit("/events/1/cancel").press("Delete the event").press("Undo: Willow Street fair")
            #expect(try site.count(of: "event WHERE picture_id IS NOT NULL") == 1)
        }
    }

    @Test func `a picture that something shows already doesn’t change hands`() async throws {
        try await withTestSite { site in
            _ = try await together(site)
            let (host, other) = (try await site.account(of: .ana), try await site.account(of: .cleo))
            try await site.execute(
                """
                INSERT INTO picture (id, account_id, hash, alt, width, height, created_at)
                VALUES (7, \(other), 'x', '', 60, 40, 1), (8, \(other), 'y', '', 60, 40, 1)
                """)
            try await site.execute("UPDATE event SET picture_id = 7")
            try await site.write { db in
                for id in [7, 8] as [Int64] { try Picture.give(ID(id), of: other, to: host, in: db) }
            }
            #expect(try site.count(of: "picture WHERE id = 7 AND account_id = \(other)") == 1)
            #expect(try site.count(of: "picture WHERE id = 8 AND account_id = \(host)") == 1)
        }
    }

    @Test func `a no whose invitation was taken back goes with the account at once`() async throws {
        try await withTestSite { site in
            let ana = try await announce(site)
            let cleo = try await site.signIn(.cleo)
            _ = try await ask("cleo-park", ana)
            _ = try await cleo.visit(page).press("No, thank you")
            _ = try await ana.visit(page).press("Take it back: cleo-park")
            #expect(try site.count(of: "cohost") == 1)
            let (other, now) = (try await site.account(of: .cleo), site.clock.now)
            try await site.write(at: now) { tx in try Account.leave(other, in: tx) }
            #expect(try site.count(of: "cohost") == 0)
        }
    }

    @Test func `an event that is deleted leaves no invitation that leads nowhere`() async throws {
        try await withTestSite { site in
            let ana = try await announce(site)
            let cleo = try await site.signIn(.cleo)
            _ = try await ask("cleo-park", ana)
            #expect(try site.count(of: "notice WHERE kind = 'cohosting'") == 1)
            let (host, now) = (try await site.account(of: .ana), site.clock.now)
            try await site.write(at: now) { tx in try Undo.deleting(ID<Event>(1), of: host, in: tx) }
            #expect(try site.count(of: "notice WHERE kind = 'cohosting'") == 0)
            #expect(try site.count(of: "letter WHERE kind = 'cohosting'") == 0)
            #expect(try await !cleo.visit("/inbox").text.contains("You are asked to host an event together"))
        }
    }

    @Test func `an event that was deleted comes back with those who host it, and those who are asked`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = try await together(site)
            let dan = try await site.signIn(.family(1))
            for who in ["family-1", "nobody-here"] { _ = try await ask(who, ana) }
            let deleted = try await ana.visit("/events/1/cancel").press("Delete the event")
            #expect(try site.count(of: "cohost") == 0)
            _ = try await deleted.press("Undo: Willow Street fair")
            #expect(try await cleo.visit("/events/1/edit").status == 200)
            let list = try await ana.visit(page).text
            #expect(list.contains("cleo-park") && list.contains("nobody-here"))
            // The invitation is found again, and good.
            let told = "Unread: You are asked to host an event together: Willow Street fair"
            let invitation = try await dan.visit("/inbox").follow(told)
            #expect(try await invitation.press("Yes, host it together").link("Change it") != nil)
            #expect(try site.count(of: "cohost WHERE state = 'taken' AND typed = ''") == 2)
        }
    }

    @Test func `who blocked its host or left while an event was deleted doesn’t come back with it`() async throws {
        try await withTestSite { site in
            let (ana, _) = try await together(site)
            _ = try await site.signIn(.family(1))
            _ = try await ask("family-1", ana)
            let deleted = try await ana.visit("/events/1/cancel").press("Delete the event")
            let (host, other, left, now) = (
                try await site.account(of: .ana), try await site.account(of: .cleo),
                try await site.account(of: .family(1)), site.clock.now
            )
            try await site.write(at: now) { tx in
                try Block.add(host, by: other, in: tx)
                try Account.leave(left, in: tx)
            }
            #expect(try await deleted.press("Undo: Willow Street fair").path == "/events/1")
            #expect(try site.count(of: "cohost") == 0)
        }
    }

    @Test func `of an event that is called off nobody reads that they can still say yes`() async throws {
        try await withTestSite { site in
            let ana = try await announce(site)
            let cleo = try await site.signIn(.cleo)
            _ = try await ask("cleo-park", ana)
            let open = try await cleo.visit(page)
            _ = try await ana.visit("/events/1/cancel").press("Cancel the event", filling: ["reason": "Rain."])
            #expect(try await !ana.visit(page).text.contains("they can say yes"))
            // What she was told leads to why.
            let event = try await cleo.visit(page)
            #expect(event.path == "/events/1" && event.text.contains("Rain."))
            let late = try await open.press("Yes, host it together")
            #expect(late.path == "/events/1" && late.flash?.hasPrefix("That changed meanwhile") == true)
            #expect(try site.count(of: "cohost WHERE state = 'taken'") == 0)
        }
    }

    @Test func `leaving, a block and a deleted account end it, and its host is told without a name`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = try await together(site)
            let (host, other) = (try await site.account(of: .ana), try await site.account(of: .cleo))
            let now = site.clock.now
            #expect(try await cleo.visit(page).press("No longer host it").path == "/events/1")
            #expect(try await cleo.visit("/events/1/edit").status == 404)
            func told() throws -> Int {
                try site.count(of: "notice WHERE account_id = \(host) AND detail LIKE 'left%'")
            }
            #expect(try told() == 1)
            #expect(try await !ana.visit("/inbox").text.contains("cleo-park"))
            _ = try await ask("cleo-park", ana)
            _ = try await cleo.visit(page).press("Yes, host it together")
            try await site.write(at: now) { tx in try Block.add(host, by: other, in: tx) }
            #expect(try await cleo.visit("/events/1/edit").status == 404)
            #expect(try told() == 2)
            try await site.write { db in try Block.remove(host, by: other, in: db) }
            _ = try await ask("cleo-park", ana)
            _ = try await cleo.visit(page).press("Yes, host it together")
            try await site.write(at: now) { tx in try Account.leave(other, in: tx) }
            #expect(try told() == 3)
            #expect(try site.count(of: "cohost") == 0)
        }
    }

    @Test func `an invited member who blocks its host is as one who said no`() async throws {
        try await withTestSite { site in
            let ana = try await announce(site)
            let cleo = try await site.signIn(.cleo)
            _ = try await ask("cleo-park", ana)
            let before = try await ana.visit(page).text
            let (host, other) = (try await site.account(of: .ana), try await site.account(of: .cleo))
            try await site.write(at: site.clock.now) { tx in try Block.add(host, by: other, in: tx) }
            #expect(try await ana.visit(page).text == before)
            #expect(try await cleo.visit(page).status == 404)
            #expect(try site.count(of: "notice WHERE kind = 'cohosting'") == 0)
        }
    }

    @Test func `who hosts it together hears that it is called off, and doesn't read whom they block`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = try await together(site)
            let dan = try await site.signIn(.family(1))
            _ = try await dan.visit("/events/1").press("Join", filling: ["shown": true])
            let (blocked, other, now) = (
                try await site.account(of: .family(1)), try await site.account(of: .cleo), site.clock.now
            )
            try await site.write(at: now) { tx in try Block.add(blocked, by: other, in: tx) }
            #expect(try await !cleo.visit("/events/1/registrations").text.contains("family-1"))
            #expect(try await ana.visit("/events/1/registrations").text.contains("family-1"))
            #expect(try await !dan.visit("/events/1").text.contains("cleo-park"))
            _ = try await ana.visit("/events/1/cancel").press("Cancel the event", filling: ["reason": "Rain."])
            #expect(try await cleo.visit("/inbox").text.contains("Canceled: Willow Street fair"))
        }
    }

    @Test func `what is kept of it is taken along by both, and goes with its host`() async throws {
        try await withTestSite { site in
            _ = try await together(site)
            let (ana, cleo) = (try await site.account(of: .ana), try await site.account(of: .cleo))
            let now = site.clock.now
            func entries(_ account: ID<Account>, _ name: String) throws -> Int {
                try site.read { db in
                    try RetentionRule.team.exports(of: account).first { $0.name == name }?.entries(in: db).count ?? -1
                }
            }
            #expect(try entries(cleo, "events-hosted-together") == 1)
            #expect(try entries(ana, "asked-to-host-with-me") == 0)
            try await site.execute("INSERT INTO cohost (event_id, typed, state, at) VALUES (1, 'x', 'asked', \(now))")
            #expect(try entries(ana, "asked-to-host-with-me") == 1)
            try await site.write(at: now) { tx in try Account.leave(ana, in: tx) }
            #expect(try site.count(of: "cohost") == 0)
        }
    }
}
