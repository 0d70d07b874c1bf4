import Database
import SMTP
import Testing

@testable import App

/// The outbox, and a real mail server that it is brought to.
@Suite(.serialized, .tags(.slow)) struct OutboxTests {
    /// So many letters, each to an address of its own but for the last two.
    private func letters(_ count: Int, in site: TestSite) async throws {
        let now = site.clock.now
        try await site.write { db in
            for number in 0..<count {
                try db.execute(
                    """
                    INSERT INTO letter (kind, address, created_at, due_at, ends_at)
                    VALUES (\(NoticeKind.test), \("ana-\(min(number, count - 2))@example.org"), \(now), \(now),
                        \(now + NoticeKind.test.shelfLife))
                    """)
            }
        }
    }

    private func states(_ site: TestSite) throws -> [String] {
        try site.read { db in try db.all("SELECT state FROM letter ORDER BY id LIMIT 100") { try $0.next() } }
    }

    private func client(_ office: PostOffice) -> MailClient {
        var patience = MailClient.Patience()
        patience.connecting = 2
        patience.sending = 2
        return MailClient(MailServer(url: office.url)!, name: "village.example", patience: patience)
    }

    @Test func `letters arrive once, and their secrets are forgotten`() async throws {
        let office = try PostOffice()
        try await withTestSite { site in
            _ = try await site.browser().visit("/signup").press("Sign up", filling: SigningUpTests.answers)
            #expect(try site.count(of: "letter WHERE secret <> ''") == 1)
            let postman = Postman(site: site.site)
            #expect(await postman.deliverAll(by: client(office)))
            #expect(await postman.deliverAll(by: client(office)))
            let letter = try #require(try office.letters.first)
            #expect(try office.letters.count == 1)
            #expect(letter.to == ["ana@example.org"] && letter["From"] == "Village <village@localhost>")
            #expect(letter.subject == "Welcome to the village: confirm your e-mail address")
            #expect(letter.text.contains("http://localhost:8080/verify/") && letter.html.contains("/verify/"))
            // Nobody can end letters that they ask for.
            #expect(letter["List-Unsubscribe"] == nil)
            #expect(try states(site) == ["sent"] && site.count(of: "letter WHERE secret <> ''") == 0)
            #expect(try site.count(of: "letter WHERE answer = '250 kept as 1'") == 1)
        }
    }

    @Test func `while the server is away letters wait, and then come in order`() async throws {
        let office = try PostOffice()
        let port = office.port
        office.close()
        try await withTestSite { site in
            try await letters(5, in: site)
            let away = client(office)
            let postman = Postman(site: site.site)
            for _ in 0..<3 { #expect(await !postman.deliverAll(by: away)) }
            #expect(try states(site) == Array(repeating: "waiting", count: 5))
            #expect(try site.count(of: "letter WHERE tries > 0") == 0)
            #expect(try site.read { db in try Letter.trouble(in: db) } != nil)
            let again = try PostOffice(port: port)
            #expect(await postman.deliverAll(by: away))
            #expect(try again.letters.map { $0.to[0] } == [0, 1, 2, 3, 3].map { "ana-\($0)@example.org" })
            let ids = try again.letters.map { $0["Message-ID"] ?? "" }
            #expect(Set(ids).count == 5 && ids == ids.sorted())
            #expect(try site.read { db in try Letter.trouble(in: db) } == nil)
        }
    }

    @Test func `what isn’t wanted now waits a minute, then two, up to an hour, and what follows it too`() async throws {
        let office = try PostOffice()
        try await withTestSite { site in
            try await letters(4, in: site)
            try office.set("451-rcpt", to: "ana-2@example.org")
            let postman = Postman(site: site.site)
            let client = client(office)
            #expect(await postman.deliverAll(by: client))
            #expect(try states(site) == ["sent", "sent", "waiting", "waiting"])
            for tries in 1...3 {
                site.clock.advance(by: Letter.pause(after: tries) - .seconds(1))
                _ = await postman.deliverAll(by: client)
                #expect(try site.count(of: "letter WHERE tries = \(tries)") == 1 + (tries == 1 ? 2 : 0))
                site.clock.advance(by: .seconds(1))
                _ = await postman.deliverAll(by: client)
                #expect(try site.count(of: "letter WHERE tries = \(tries + 1)") == 1)
            }
            try office.set("accept")
            site.clock.advance(by: Letter.pause(after: 4))
            #expect(await postman.deliverAll(by: client))
            #expect(try office.letters.map { $0.to[0] } == [0, 1, 2, 2].map { "ana-\($0)@example.org" })
            #expect((1...9).map { Letter.pause(after: $0) } == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .minutes($0) })
        }
    }

    @Test(arguments: ["550-rcpt", "554-data"])
    func `what isn’t wanted at all is kept with the server’s words, and holds up nothing`(mode: String) async throws {
        let office = try PostOffice()
        try await withTestSite { site in
            try await letters(4, in: site)
            try office.set(mode, to: "ana-0@example.org")
            #expect(await Postman(site: site.site).deliverAll(by: client(office)))
            #expect(try states(site) == ["failed", "sent", "sent", "sent"])
            let answer = try site.read { db in try db.value("SELECT answer FROM letter LIMIT 1") as String? }
            #expect(answer?.hasPrefix("\(mode.prefix(3)) not this") == true)
        }
    }

    @Test(arguments: ["die-within", "die-after", "hang"])
    func `a server that dies or hangs in the middle costs one duplicate at most`(mode: String) async throws {
        let office = try PostOffice()
        try await withTestSite { site in
            try await letters(4, in: site)
            try office.set(mode, to: "ana-1@example.org")
            let postman = Postman(site: site.site)
            let client = client(office)
            #expect(await !postman.deliverAll(by: client))
            #expect(try states(site) == ["sent", "waiting", "waiting", "waiting"])
            try office.set("accept")
            site.clock.advance(by: .minutes(1))
            #expect(await postman.deliverAll(by: client))
            #expect(try states(site) == Array(repeating: "sent", count: 4))
            let ids = try office.letters.map { $0["Message-ID"] ?? "" }
            #expect(Set(ids).count == 4 && ids.count == (mode == "die-after" ? 5 : 4))
        }
    }

    @Test func `a process that dies while it sends leaves the letter for two minutes, not for good`() async throws {
        let office = try PostOffice()
        try await withTestSite { site in
            try await letters(2, in: site)
            let other = Node(named: "other", version: "").id
            try await site.write(at: site.clock.now) { tx in _ = try #require(try Letter.claim(for: other, in: tx)) }
            let postman = Postman(site: site.site)
            #expect(await postman.deliverAll(by: client(office)))
            #expect(try office.letters.isEmpty)
            site.clock.advance(by: Letter.claimTime)
            #expect(await postman.deliverAll(by: client(office)))
            #expect(try office.letters.count == 2)
        }
    }

    @Test func `what comes too late isn’t sent, and old letters are erased`() async throws {
        let office = try PostOffice()
        try await withTestSite { site in
            try await site.account(of: .ana)
            _ = try await site.browser().visit("/forgot").press(
                "Ask for a link", filling: ["email": .text(Person.ana.email)])
            site.clock.advance(by: .minutes(15))
            #expect(await Postman(site: site.site).deliverAll(by: client(office)))
            #expect(try states(site) == ["late"] && office.letters.isEmpty)
            #expect(try site.count(of: "letter WHERE secret <> ''") == 0)
            try await letters(3, in: site)
            site.clock.advance(by: .hours(2))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try site.count(of: "letter WHERE state = 'late'") == 4)
            site.clock.advance(by: .days(30))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try site.count(of: "letter") == 0)
        }
    }

    @Test func `one after the other a thousand letters arrive after the server was away`() async throws {
        let office = try PostOffice()
        try await withTestSite { site in
            try await letters(1_000, in: site)
            #expect(await Postman(site: site.site).deliverAll(by: client(office)))
            #expect(try office.letters.map { $0.to[0] } == (0..<1_000).map { "ana-\(min($0, 998))@example.org" })
        }
    }

    @Test func `the command says what the server answered`() async throws {
        let office = try PostOffice()
        var settings = Settings()
        #expect(await !Site.sendTestLetter(settings, to: "ana@example.org").isSent)
        settings.smtp = MailServer(url: office.url)
        let sent = await Site.sendTestLetter(settings, to: "ana@example.org")
        #expect(sent.isSent && sent.answer == "250 kept as 1")
        try office.set("550-rcpt")
        let refused = await Site.sendTestLetter(settings, to: "ana@example.org")
        #expect(!refused.isSent && refused.answer == "550 not this one")
        #expect(await !Site.sendTestLetter(settings, to: "ana@example.org\r\nBcc: eve@example.org").isSent)
        #expect(try office.letters.map(\.subject) == ["A test letter from the village"])
    }
}

/// Links that come by mail: confirming an address, a new password.
@Suite struct LetterLinkTests {
    /// The token of the last letter of a kind.
    private func token(_ kind: NoticeKind, in site: TestSite) throws -> String {
        try site.read { db in
            try #require(
                try db.value("SELECT secret FROM letter WHERE kind = \(kind) ORDER BY id DESC LIMIT 1") as String?)
        }
    }

    @Test func `the link of the first letter confirms the address, once, for 24 hours`() async throws {
        try await withTestSite { site in
            let ana = try await site.browser().visit("/signup").press("Sign up", filling: SigningUpTests.answers)
                .browser
            #expect(try await ana.visit("/me/settings").text.contains("ana@example.org"))
            let first = try token(.welcome, in: site)
            let again = try await ana.visit("/me/settings").press("Ask for a new link")
            #expect(again.flash?.hasPrefix("The letter is written.") == true)
            let second = try token(.welcome, in: site)
            let nobody = site.browser()
            #expect(try await nobody.visit("/verify/\(first)").heading == "There is a newer link")
            let page = try await nobody.visit("/verify/\(second)")
            #expect(page["Referrer-Policy"] == "same-origin")
            #expect(try site.count(of: "account WHERE confirmed_at IS NOT NULL") == 0)
            let done = try await page.press("Confirm it")
            #expect(done.path == "/login" && done.flash == "Your e-mail address is confirmed.")
            #expect(try site.count(of: "account WHERE confirmed_at IS NOT NULL") == 1)
            #expect(try await nobody.visit("/verify/\(second)").status == 410)
            #expect(try await !ana.visit("/me/settings").buttons.contains("Ask for a new link"))
            #expect(try await nobody.visit("/verify/\(String(repeating: "A", count: 43))").status == 404)
        }
    }

    @Test func `a confirmation ends after 24 hours`() async throws {
        try await withTestSite { site in
            _ = try await site.browser().visit("/signup").press("Sign up", filling: SigningUpTests.answers)
            let token = try token(.welcome, in: site)
            let form = try await site.browser().visit("/verify/\(token)")
            site.clock.advance(by: .hours(24))
            #expect(try await form.press("Confirm it").heading == "This link is too old")
            #expect(try site.count(of: "account WHERE confirmed_at IS NOT NULL") == 0)
        }
    }

    @Test func `a forgotten password is set anew by the link in a letter, once, for 15 minutes`() async throws {
        try await withTestSite { site in
            let old = try await site.signIn(.ana, as: .parent)
            let nobody = site.browser()
            try await site.execute("UPDATE account SET confirmed_at = NULL")
            let answer = try await nobody.visit("/login").follow("Forgot the password?").press(
                "Ask for a link", filling: ["email": .text(Person.ana.email.uppercased())])
            #expect(answer.heading == "Ask for a link")
            let token = try token(.reset, in: site)
            let page = try await nobody.visit("/reset/\(token)").press(
                "Save the password", filling: ["password": "kites and kites"])
            // A reader of the letter has the address.
            #expect(try site.count(of: "account WHERE confirmed_at IS NOT NULL") == 1)
            // Nobody is logged in by a link, and nobody stays logged in.
            #expect(page.path == "/login" && page.flash == "The password is changed.")
            #expect(try site.count(of: "letter WHERE kind = 'newPassword'") == 1)
            #expect(try await old.visit("/me").path.hasPrefix("/login"))
            #expect(try await nobody.visit("/reset/\(token)").heading == "This link was used already")
            let new = try await nobody.visit("/login").press(
                "Log in", filling: ["login": "ana-ortiz", "password": "kites and kites"])
            #expect(new.status == 200 && new.path == "/")
            _ = try await site.browser().visit("/forgot").press(
                "Ask for a link", filling: ["email": .text(Person.ana.email)])
            let late = try self.token(.reset, in: site)
            site.clock.advance(by: .minutes(15))
            #expect(try await site.browser().visit("/reset/\(late)").heading == "This link is too old")
        }
    }

    @Test func `a link that staff handed over confirms no address`() async throws {
        try await withTestSite { site in
            try await site.account(of: .ana)
            try await site.execute("UPDATE account SET confirmed_at = NULL")
            let link = try #require(try await site.site.resetLink(for: "ana-ortiz"))
            _ = try await site.browser().visit(link.dropFirst("http://localhost:8080".count)).press(
                "Save the password", filling: ["password": "kites and kites"])
            #expect(try site.count(of: "letter WHERE kind = 'newPassword'") == 1)
            #expect(try site.count(of: "account WHERE confirmed_at IS NOT NULL") == 0)
        }
    }

    @Test func `nobody learns from the answer whether an address has an account`() async throws {
        try await withTestSite { site in
            try await site.account(of: .ana)
            try await site.account(of: .ben)
            try await site.execute("UPDATE account SET suspended_at = 1 WHERE username = 'ben-ruiz'")
            var answers: [Page] = []
            for email in [Person.ana.email, Person.ben.email, "nobody@example.org"] {
                let form = try await site.browser().visit("/forgot").form(
                    with: "Ask for a link", filling: ["email": .text(email)])
                let version = site.site.dataVersion
                answers.append(try await site.browser().submit(form.action, form.pairs))
                // Each writes, and none empties the cache of pages.
                #expect(site.site.dataVersion == version)
            }
            #expect(Set(answers.map(\.status)) == [303] && Set(answers.map { $0.location ?? "" }).count == 1)
            #expect(Set(answers.map { $0.headers.map(\.name).sorted().joined() }).count == 1)
            #expect(try site.count(of: "letter") == 1 && site.count(of: "one_time_link WHERE kind = 'reset'") == 1)
        }
    }

    @Test func `an address gets five letters in half an hour, and no stranger voids its owner’s links`() async throws {
        try await withTestSite(limits: true) { site in
            try await site.account(of: .ana)
            let link = try #require(try await site.site.resetLink(for: "ana-ortiz"))
            var statuses: [Int] = []
            for email in Array(repeating: Person.ana.email, count: 6) + ["nobody@example.org"] {
                statuses.append(
                    try await site.browser().visit("/forgot").press("Ask for a link", filling: ["email": .text(email)])
                        .status)
            }
            // The sixth is answered as the others were, and writes nothing.
            #expect(Set(statuses) == [200])
            #expect(try site.count(of: "one_time_link WHERE kind = 'reset'") == 6)
            // Only the last letter's link opens anything, so only that one is sent.
            #expect(try site.count(of: "letter WHERE state = 'waiting'") == 1)
            // What staff handed over still opens.
            #expect(try await site.browser().visit(link.dropFirst("http://localhost:8080".count)).status == 200)
        }
    }

    @Test func `a link that staff hand over ends the letters with others`() async throws {
        try await withTestSite { site in
            try await site.account(of: .ana)
            _ = try await site.browser().visit("/forgot").press(
                "Ask for a link", filling: ["email": .text(Person.ana.email)])
            #expect(try site.count(of: "letter WHERE secret <> ''") == 1)
            _ = try await site.site.resetLink(for: "ana-ortiz")
            #expect(try site.count(of: "letter WHERE secret <> ''") == 0)
        }
    }

    @Test func `a staff link stays good for 30 minutes, a letter’s for 15`() async throws {
        try await withTestSite { site in
            try await site.account(of: .ana)
            let link = try #require(try await site.site.resetLink(for: "ana-ortiz"))
            site.clock.advance(by: .minutes(20))
            #expect(try await site.browser().visit(link.dropFirst("http://localhost:8080".count)).status == 200)
        }
    }
}
