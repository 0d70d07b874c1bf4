import Database
import SMTP
import Templating
import Testing

@testable import App

/// Letters that those who run the site write to all who chose a topic: `/admin/letters`.
@Suite struct TownLetterTests {
    private static let job = "wrote letters to members who chose what they are about"

    private static let words: [String: Filling] = [
        "topic": "events", "title": "The summer is here", "body": "We meet by the lake.\n\nBring a hat.",
    ]

    /// These people chose a topic, and letters reach them.
    private func choose(
        _ topic: TownLetter.Topic, by people: [Person], isOn: Bool = true, in site: TestSite
    ) async throws {
        for person in people {
            let account = try await site.account(of: person)
            try await site.write { db in
                try Notice.choose(topic.kind, .mail, isOn, by: account, in: db)
                try db.execute("UPDATE account SET confirmed_at = 1 WHERE id = \(account)")
            }
        }
    }

    /// A beat of the clock.
    private func beat(_ site: TestSite) async {
        await Housekeeping(site: site.site).tidyUp(at: site.clock.now) { $0.name == Self.job }
    }

    private func preview(_ admin: Browser, _ changes: [String: Filling] = [:]) async throws -> Page {
        try await admin.visit("/admin/letters/new").press("Preview", filling: Self.words.merging(changes) { $1 })
    }

    /// The members to whom letters about a topic were written, in the order of their accounts.
    private func readers(of topic: TownLetter.Topic, in site: TestSite) throws -> [String] {
        try site.read { db in
            try db.all(
                """
                SELECT account.username FROM letter JOIN account ON account.id = letter.account_id
                WHERE letter.kind = \(topic.kind) ORDER BY letter.id LIMIT 1000
                """
            ) { try $0.next() }
        }
    }

    private func deliver(_ site: TestSite, to office: PostOffice) async {
        let client = MailClient(MailServer(url: office.url)!, name: "village.example")
        #expect(await Postman(site: site.site).deliverAll(by: client))
    }

    // MARK: Writing and choosing

    @Test func `a letter is looked at before it goes, and comes to who chose its topic, with a way to end it`()
        async throws
    {
        let office = try PostOffice()
        try await withTestSite { site in
            try await choose(.events, by: [.ana], in: site)
            try await choose(.helping, by: [.cleo], in: site)
            let mira = try await site.signIn(.mira, isStaff: true)
            let desk = try await mira.visit("/admin").follow("Letters to members")
            #expect(desk.text.contains("1 member gets it") && desk.text.contains("Nobody gets letters about it yet"))
            let seen = try await preview(mira)
            #expect(seen.text.contains("Nothing is sent yet.") && seen.text.contains("1 member gets it"))
            #expect(seen.text.contains("Bring a hat.") && seen.text.contains("There is one a week at most."))
            #expect(seen.string.contains("/unsubscribe/"))
            #expect(try site.count(of: "town_letter") == 0, "a preview stores nothing")
            let again = try await seen.press("Back to editing")
            #expect(again.value(of: "title") == "The summer is here" && again.value(of: "topic") == "events")
            let sent = try await seen.press("Send it")
            #expect(sent.path == "/admin/letters" && sent.flash?.contains("It goes out now") == true)
            #expect(sent.text.contains("It goes out now, and was written to 0 members"))
            let second = try await seen.press("Send it")
            #expect(second.path == "/admin/letters" && second.flash == "You already sent this. It went out once.")
            #expect(try site.count(of: "town_letter") == 1)
            await beat(site)
            await deliver(site, to: office)
            let letter = try #require(try office.letters.first)
            #expect(try office.letters.count == 1 && letter.to == [Person.ana.email])
            #expect(letter.subject == "The summer is here" && letter.text.contains("Bring a hat."))
            #expect(letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click")
            #expect(letter["List-Unsubscribe"]?.contains("/unsubscribe/") == true)
            await beat(site)
            await deliver(site, to: office)
            #expect(try office.letters.count == 1)
            let kept = try await mira.visit("/admin/letters").follow("The summer is here")
            #expect(kept.text.contains("It was written to 1 member") && !kept.buttons.contains("Stop it"))
            // How many, and nobody's name.
            #expect(!kept.string.contains("ana-ortiz") && !kept.text.contains("Ana"))
            #expect(
                try await mira.visit("/admin/log").text.contains(
                    "wrote to the members who chose it: The summer is here"))
        }
    }

    @Test func `no topic is chosen at first, and each is chosen among the notifications`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            try await site.execute("UPDATE account SET confirmed_at = 1")
            let page = try await ana.visit("/me/notices")
            #expect(page.text.contains("Letters about events") && page.text.contains("Letters about pets"))
            let on = page.values(of: "on")
            #expect(!on.contains { $0.hasPrefix("about") })
            _ = try await page.press("Save", filling: ["on": .texts(on + ["aboutEvents.mail"])])
            let rows = try site.read(at: site.clock.now) { tx in try TownLetter.state(of: [.events, .site], in: tx) }
            #expect(rows.map(\.readers) == [1, 0])
            // A topic of a part that is switched off can't be chosen or written about.
            let mira = try await site.signIn(.mira, isStaff: true)
            #expect(try await mira.visit("/admin/letters").text.contains("Letters about pets"))
            _ = try await mira.visit("/admin/modules").press("Save", filling: ["module": []])
            #expect(try await !ana.visit("/me/notices").text.contains("Letters about pets"))
            #expect(try await !mira.visit("/admin/letters").text.contains("Letters about pets"))
            let token = try #require(try await mira.visit("/admin/letters/new").value(of: "csrf"))
            let sent = try await mira.submit(
                "/admin/letters/new",
                [
                    ("csrf", token), ("once", "x"), ("topic", "pets"), ("title", "Pets"), ("body", "They play."),
                    ("step", "publish"),
                ])
            #expect(sent.status == 422)
            #expect(try site.count(of: "town_letter") == 0)
        }
    }

    @Test func `nobody gets a letter who didn’t choose it, or whom letters don’t reach`() async throws {
        try await withTestSite { site in
            let people = (1...6).map(Person.family)
            try await choose(.events, by: people, in: site)
            try await choose(.events, by: [people[1]], isOn: false, in: site)
            try await choose(.kindness, by: [.ben], in: site)
            try await site.account(of: .cleo)
            for (person, change) in [
                (people[2], "confirmed_at = NULL" as SQL), (people[3], "refused_at = 1"),
                (people[4], "suspended_at = 1"),
            ] {
                let account = try await site.account(of: person)
                try await site.execute("UPDATE account SET \(change) WHERE id = \(account)")
            }
            let (left, now) = (try await site.account(of: people[5]), site.clock.now)
            try await site.write(at: now) { tx in try Account.leave(left, in: tx) }
            let mira = try await site.signIn(.mira, isStaff: true)
            let seen = try await preview(mira)
            #expect(seen.text.contains("1 member gets it"))
            _ = try await seen.press("Send it")
            await beat(site)
            #expect(try readers(of: .events, in: site) == ["family-1"])
        }
    }

    @Test func `an admin alone writes, and gets a copy at a press`() async throws {
        try await withTestSite { site in
            try await choose(.events, by: [.ana], in: site)
            let noor = try await site.signIn(.noor, role: .moderator)
            #expect(try await noor.visit("/admin/letters").status == 403)
            #expect(try await noor.visit("/admin/letters/new").status == 403)
            #expect(try await noor.visit("/admin").link("Letters to members") == nil)
            let mira = try await site.signIn(.mira, isStaff: true)
            let tried = try await preview(mira).press("Send a copy to me")
            // There is no mail server here.
            #expect(tried.text.contains("No letter was sent.") && tried.buttons.contains("Send it"))
            #expect(try site.count(of: "town_letter") == 0 && site.count(of: "letter") == 0)
            let empty = try await preview(mira, ["title": "", "body": ""])
            #expect(empty.status == 422 && empty.problems == ["Give the letter a subject.", "Write the letter."])
        }
    }

    // MARK: Once a week

    @Test func `a topic rests for seven days, and says when the next letter may go`() async throws {
        try await withTestSite { site in
            for topic in [TownLetter.Topic.events, .pets] { try await choose(topic, by: [.ana], in: site) }
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await preview(mira).press("Send it")
            site.clock.advance(by: .days(6))
            let admin = try await site.signIn(.mira, isStaff: true)
            #expect(try await admin.visit("/admin/letters").text.contains("The next letter about it can go from"))
            // The preview says when, and has no button; a page from before the first letter has one.
            let seen = try await preview(admin, ["title": "Once more"])
            #expect(seen.text.contains("The next letter about it can go from"))
            #expect(!seen.buttons.contains("Send it") && seen.buttons.contains("Send a copy to me"))
            let pairs = try ["csrf", "once"].map { (name: $0, value: try #require(seen.value(of: $0))) }
            let letter = [("topic", "events"), ("title", "Once more"), ("body", "Hello."), ("step", "publish")]
            let refused = try await admin.submit(
                "/admin/letters/new", pairs + letter.map { (name: $0.0, value: $0.1) })
            #expect(refused.status == 422 && refused.value(of: "title") == "Once more")
            #expect(refused.problems.first?.contains("Mar 27") == true, "\(refused.problems)")
            #expect(try site.count(of: "town_letter") == 1)
            // Another topic goes.
            #expect(try await preview(admin, ["topic": "pets"]).press("Send it").path == "/admin/letters")
            site.clock.advance(by: .days(1))
            let later = try await site.signIn(.mira, isStaff: true)
            #expect(try await preview(later, ["title": "Once more"]).press("Send it").path == "/admin/letters")
            #expect(try site.count(of: "town_letter WHERE topic = 'events'") == 2)
        }
    }

    @Test func `a topic that nobody chose takes no letter, and doesn’t rest for one`() async throws {
        try await withTestSite { site in
            let words = "Nobody gets letters about it yet"
            let mira = try await site.signIn(.mira, isStaff: true)
            #expect(try await mira.visit("/admin/letters/new").text.contains(words), "before anything is typed")
            let refused = try await preview(mira)
            #expect(refused.status == 422 && refused.problems == [words])
            #expect(refused.value(of: "title") == "The summer is here")
            // Its last reader no longer wants it while the preview is open.
            try await choose(.events, by: [.ana], in: site)
            let open = try await preview(mira)
            try await choose(.events, by: [.ana], isOn: false, in: site)
            let late = try await open.press("Send it")
            #expect(late.status == 422 && late.problems == [words])
            let (form, now) = (TownLetterForm(topic: .events, title: "One", body: "Hello."), site.clock.now)
            try await site.write(at: now) { tx in
                #expect(throws: TownLetter.Obstacle.noReaders) { try TownLetter.send(form, in: tx) }
            }
            #expect(try site.count(of: "town_letter") == 0)
            #expect(try site.count(of: "staff_act WHERE verb = 'send_letter'") == 0)
            try await choose(.events, by: [.ana], in: site)
            #expect(try await preview(mira).press("Send it").path == "/admin/letters")
        }
    }

    /// The twin: where nobody looks at the week, the same readers get a second letter.
    @Test func `without the rest a second letter would go`() async throws {
        try await withTestSite { site in
            try await choose(.events, by: [.ana], in: site)
            let now = site.clock.now
            let form = TownLetterForm(topic: .events, title: "One", body: "Hello.")
            try await site.write(at: now) { tx in
                try TownLetter.send(form, in: tx)
                #expect(throws: TownLetter.Obstacle.self) { try TownLetter.send(form, in: tx) }
            }
            await beat(site)
            #expect(try readers(of: .events, in: site).count == 1)
            try await site.execute(
                """
                INSERT INTO town_letter (topic, follows, title, body, at) VALUES ('events', 1, 'Two', 'Hello.', \(now))
                """)
            await beat(site)
            #expect(try readers(of: .events, in: site).count == 2)
        }
    }

    @Test func `of two admins who write about one topic at once, one sends, and the other has the words back`()
        async throws
    {
        try await withTestSite { site in
            try await choose(.events, by: [.ana], in: site)
            let mira = try await site.signIn(.mira, isStaff: true)
            let noor = try await site.signIn(.noor, role: .admin)
            let one = try await preview(mira, ["title": "Mira’s"]).form(with: "Send it")
            let two = try await preview(noor, ["title": "Noor’s"]).form(with: "Send it")
            async let first = one.send(from: mira)
            async let second = two.send(from: noor)
            let pages = try await [first, second]
            #expect(pages.map(\.status).sorted() == [200, 422])
            let lost = try #require(pages.first { $0.status == 422 })
            #expect(["Mira’s", "Noor’s"].contains(lost.value(of: "title") ?? ""))
            #expect(try site.count(of: "town_letter") == 1)
            #expect(try site.count(of: "staff_act WHERE verb = 'send_letter'") == 1)
            // On two nodes neither sees the other's: both follow the same letter, which the table takes once.
            let rows = try await site.write { db in
                try db.execute(
                    """
                    INSERT INTO town_letter (topic, follows, title, body, at) VALUES ('events', 0, 'x', 'x', 1)
                    ON CONFLICT (topic, follows) DO NOTHING
                    """)
            }
            #expect(rows == 0)
        }
    }

    @Test func `pressed twice, it goes once`() async throws {
        try await withTestSite { site in
            try await choose(.events, by: [.ana], in: site)
            let mira = try await site.signIn(.mira, isStaff: true)
            let form = try await preview(mira).form(with: "Send it")
            for _ in 1...2 { #expect(try await form.send(from: mira).path == "/admin/letters") }
            #expect(try site.count(of: "town_letter") == 1)
        }
    }

    // MARK: Going out

    @Test func `letters go a hundred at a time, each reader once, on however many nodes`() async throws {
        try await withTestSite { site in
            let now = site.clock.now
            try await site.write(at: now) { tx in
                for number in 1...150 {
                    let account = try Account.insert(
                        email: "r\(number)@example.org", username: "reader-\(number)", passwordHash: "x",
                        role: .member, in: tx)
                    try Notice.choose(.aboutEvents, .mail, true, by: account, in: tx)
                }
                try tx.execute("UPDATE account SET confirmed_at = 1")
                try TownLetter.send(TownLetterForm(topic: .events, title: "One", body: "Hello."), in: tx)
            }
            async let one = site.write(at: now) { tx in try TownLetter.goOn(in: tx) }
            async let two = site.write(at: now) { tx in try TownLetter.goOn(in: tx) }
            #expect(try await [one, two].sorted() == [0, 100])
            // There is room for no more until some are gone.
            try await site.execute("UPDATE letter SET state = 'sent' WHERE id <= 30")
            #expect(try await site.write(at: now) { tx in try TownLetter.goOn(in: tx) } == 30)
            #expect(try await site.write(at: now) { tx in try TownLetter.goOn(in: tx) } == 0)
            // What a mail server puts off keeps nobody else's back, and it isn't over before that is sent.
            try await site.execute("UPDATE letter SET due_at = \(now + .minutes(60)) WHERE state = 'waiting'")
            #expect(try await site.write(at: now) { tx in try TownLetter.goOn(in: tx) } == 20)
            let readers = try readers(of: .events, in: site)
            #expect(readers.count == 150 && Set(readers).count == 150)
            #expect(try await site.write(at: now) { tx in try TownLetter.goOn(in: tx) } == 0)
            #expect(try site.count(of: "town_letter WHERE ended_at IS NULL AND count = 150") == 1)
            try await site.execute("UPDATE letter SET state = 'sent'")
            #expect(try await site.write(at: now) { tx in try TownLetter.goOn(in: tx) } == 0)
            #expect(try site.count(of: "town_letter WHERE ended_at = \(now) AND NOT is_stopped") == 1)
            // The twin: where it isn't kept how far it went, the first get it again.
            try await site.execute("UPDATE town_letter SET reached = 0, ended_at = NULL")
            #expect(try await site.write(at: now) { tx in try TownLetter.goOn(in: tx) } == 100)
        }
    }

    @Test func `a letter is stopped while it goes out, and one that nobody had doesn’t count`() async throws {
        let office = try PostOffice()
        try await withTestSite { site in
            try await choose(.events, by: [.ana, .cleo], in: site)
            try await choose(.site, by: [.ana], in: site)
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await preview(mira).press("Send it")
            await beat(site)
            // One of them is being sent at this moment.
            let until = site.clock.now + .minutes(1)
            try await site.execute("UPDATE letter SET claimed_until = \(until) WHERE id = 1")
            let page = try await mira.visit("/admin/letters").follow("The summer is here").press("Stop it")
            #expect(page.text.contains("Stopped, after it was written to 1 member"))
            #expect(!page.buttons.contains("Stop it"))
            #expect(try site.count(of: "letter") == 1)
            #expect(try site.count(of: "staff_act WHERE verb = 'stop_letter'") == 1)
            await beat(site)
            #expect(try site.count(of: "letter") == 1, "it goes no further")
            // What its sender gave back says nothing anymore.
            try await site.execute("UPDATE letter SET claimed_until = NULL")
            await deliver(site, to: office)
            #expect(try office.letters.isEmpty)
            #expect(try await !preview(mira).buttons.contains("Send it"), "somebody had it")
            _ = try await preview(mira, ["topic": "site"]).press("Send it")
            _ = try await mira.visit("/admin/letters/2").press("Stop it")
            #expect(try await preview(mira, ["topic": "site"]).press("Send it").path == "/admin/letters")
        }
    }

    // MARK: Ending

    @Test func `one press ends a topic from anywhere, also of a letter that waits, and ends nobody else’s`()
        async throws
    {
        let office = try PostOffice()
        try await withTestSite { site in
            try await choose(.events, by: [.ana, .cleo], in: site)
            try await choose(.site, by: [.ana], in: site)
            let (ana, now) = (try await site.account(of: .ana), site.clock.now)
            let token = try await site.write(at: now) { tx in
                try TownLetter.send(TownLetterForm(topic: .events, title: "One", body: "Hello."), in: tx)
                return LetterEnding(account: ana, kind: .aboutEvents).token(try Seal.make(in: tx))
            }
            await beat(site)
            #expect(try readers(of: .events, in: site) == ["ana-ortiz", "cleo-park"])
            let path = Link.unsubscribe(token).string
            let page = try await site.browser().visit(path)
            #expect(page.text.contains("“Letters about events” will no longer be sent to you by mail."))
            #expect(!page.text.contains("The inbox on the site still tells you"))
            // As a mail program sends it; and again.
            let headers = ["Origin": "", "Host": "village.example", "Sec-Fetch-Site": ""]
            for _ in 1...2 {
                let done = try await site.browser().submit(path, [("List-Unsubscribe", "One-Click")], headers)
                #expect(done.status == 200 && done.heading == "No more letters like this")
            }
            await deliver(site, to: office)
            #expect(try office.letters.map { $0.to[0] } == [Person.cleo.email])
            #expect(try site.count(of: "notice_choice WHERE kind = 'aboutSite' AND is_on") == 1)
            // Changed by hand, it ends nothing.
            let cleo = try await site.account(of: .cleo)
            let forged = token.replacing("\(ana)-", with: "\(cleo)-")
            #expect(forged != token)
            #expect(try await site.browser().submit(Link.unsubscribe(forged).string, []).status == 404)
            #expect(try site.count(of: "notice_choice WHERE kind = 'aboutEvents' AND is_on") == 1)
        }
    }

    @Test func `nobody stays in a letter that left, and the log holds no word of its text`() async throws {
        try await withTestSite { site in
            let marker = "Quetzalcoatlita"
            try await choose(.events, by: [.ana], in: site)
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await preview(mira, ["body": .text("Hello, says \(marker).")]).press("Send it")
            await beat(site)
            #expect(try site.count(of: "letter WHERE address = \(Person.ana.email)") == 1)
            let (ana, now) = (try await site.account(of: .ana), site.clock.now)
            try await site.write(at: now) { tx in try Account.leave(ana, in: tx) }
            #expect(try site.count(of: "letter WHERE kind = 'aboutEvents'") == 0)
            #expect(try site.count(of: "notice_choice WHERE account_id = \(ana)") == 0)
            // The text is the town's, and stands in the archive alone.
            #expect(try await mira.visit("/admin/letters/1").text.contains(marker))
            let (word, other) = ("%\(marker)%", try await mira.visit("/admin/log").text)
            #expect(!other.contains(marker) && other.contains("The summer is here"))
            #expect(try site.count(of: "letter WHERE detail LIKE \(word) OR answer LIKE \(word)") == 0)
        }
    }
}
