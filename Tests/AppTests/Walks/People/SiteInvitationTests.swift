import Database
import SMTP
import Testing

@testable import App

/// `/admin/invitations`: people from a list become invitations, never accounts.
@Suite struct SiteInvitationTests {
    private static let word = "Quetzalcoatlita"

    private func open(_ door: Joining, _ site: TestSite) async throws {
        let staff = try await site.account(of: .mira, isStaff: true)
        try await site.site.changeTown(by: staff, at: site.clock.now) { $0.joining = door }
    }

    /// The preview of a list.
    private func look(_ list: String, as admin: Browser) async throws -> Page {
        try await admin.visit("/admin/invitations").press("Check the list", filling: ["list": .text(list)])
    }

    private func signUp(on form: Page) async throws -> Page {
        try await form.press(
            "Sign up",
            filling: [
                "email": "eva@example.org", "username": "eva-kraus", "password": "two children, one week",
                "adult": true,
            ])
    }

    private func deliver(_ site: TestSite, to office: PostOffice) async {
        site.clock.advance(by: .minutes(10))
        let client = MailClient(MailServer(url: office.url)!, name: "village.example")
        #expect(await Postman(site: site.site).deliverAll(by: client))
    }

    private func letters(_ site: TestSite) throws -> Int { try site.count(of: "letter WHERE kind = 'invitedHere'") }

    /// The tables in which a word stands anywhere.
    private func tables(holding word: String, in site: TestSite) async throws -> [String] {
        try await site.write { db in
            let tables: [String] = try db.all(
                """
                SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'
                    AND name NOT LIKE '%\\_search%' ESCAPE '\\' ORDER BY name LIMIT 500
                """
            ) { try $0.next() }
            return try tables.filter { table in
                let columns: [String] = try db.all("SELECT name FROM pragma_table_info(\(table)) LIMIT 100") {
                    try $0.next()
                }
                return try columns.contains { column in
                    try db.exists(
                        """
                        SELECT 1 FROM \(SQL(named: table))
                        WHERE CAST(\(SQL(named: column)) AS TEXT) LIKE \("%\(word)%") LIMIT 1
                        """)
                }
            }
        }
    }

    // MARK: The way of a list

    @Test(arguments: [Joining.approval, .invitation])
    func `a list is looked at, each gets one letter, and its link lets them in as staff’s does`(_ door: Joining)
        async throws
    {
        let office = try PostOffice()
        try await withTestSite(hasMail: true) { site in
            try await open(door, site)
            try await site.account(of: .ana)
            let mira = try await site.signIn(.mira, isStaff: true)
            let page = try await mira.visit("/admin").follow("Invite people from a list")
            #expect(page.path == "/admin/invitations" && !page.text.contains("No mail server"))
            let csv = """
                Eltern;E-Mail;Kind;Geburtstag;Telefon
                Eva Kraus;eva@bücher.example;\(Self.word);2020-02-02;0171 555
                Ana;\(Person.ana.email);\(Self.word);2021-03-03;
                Ben;;\(Self.word);;
                """
            let seen = try await page.press(
                "Check the list", filling: ["file": .file(SentFile("people.csv", Array(csv.utf8)))])
            #expect(seen.status == 200 && seen.heading == "Who will be invited")
            #expect(seen.text.contains("1 person will be invited"))
            #expect(seen.text.contains("eva@bücher.example (Eva Kraus)"))
            #expect(seen.text.contains("Already have an account (1)") && seen.text.contains(Person.ana.email))
            #expect(seen.text.contains("Row 4: no e-mail address"))
            #expect(seen.text.contains("weren’t read: Kind and Geburtstag"))
            #expect(!seen.string.contains(Self.word) && !seen.string.contains("2020-02-02"))
            #expect(try letters(site) == 0 && site.count(of: "one_time_link") == 0, "a look stores nothing")

            let sent = try await seen.press("Send 1 letter")
            #expect(sent.path == "/admin/invitations" && sent.flash == "The letters go out now, one a second.")
            #expect(sent.text.contains("1 invitation is open."))
            let again = try await seen.press("Send 1 letter")
            #expect(again.flash == "You already sent this. It went out once.")
            #expect(try letters(site) == 1 && site.count(of: "account") == 2)
            #expect(try await mira.visit("/admin/log").text.contains("invited 1 person by letter"))

            await deliver(site, to: office)
            let letter = try #require(try office.letters.first)
            #expect(try office.letters.count == 1 && letter.to == ["eva@xn--bcher-kva.example"])
            #expect(letter.subject.hasPrefix("You are invited to "))
            #expect(letter.text.contains("You don’t have an account here"))
            #expect(letter.text.contains("ends in 14 days") && !letter.text.contains("mira"))
            #expect(letter["List-Unsubscribe"]?.contains("/unsubscribe/") == true)
            let found = try #require(letter.text.firstMatch(of: /http:\/\/localhost:8080(\/invitations\/\S+)/))
            let link = String(found.output.1)
            let form = try await site.browser().visit(link)
            #expect(form.text.contains("The people who run this site invite you."))
            #expect(!form.text.contains("After signing up you wait"))
            let done = try await signUp(on: form)
            #expect(done.path == "/welcome")
            #expect(try site.count(of: "account WHERE waits_since IS NULL") == 3)
            #expect(try site.count(of: "one_time_link WHERE invited IS NOT NULL") == 0)
            let used = try await site.browser().visit(link)
            #expect(used.status == 410 && used.heading == "This link was used already")
            #expect(!site.log.lines.contains { $0.contains("bcher") || $0.contains("bücher") })
        }
    }

    @Test func `an ended link of the site says whom to ask`() async throws {
        try await withTestSite(hasMail: true) { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await look("eva@example.org", as: mira).press("Send 1 letter")
            let token: String = try #require(try site.read { db in try db.value("SELECT secret FROM letter LIMIT 1") })
            site.clock.advance(by: .days(15))
            let late = try await site.browser().visit("/invitations/\(token)")
            #expect(late.status == 410 && late.text.contains("Ask the people who run this site for another one."))
        }
    }

    @Test func `links that an admin sent go on when the admin leaves`() async throws {
        try await withTestSite(hasMail: true) { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let noor = try await site.account(of: .noor, role: .admin)
            _ = try await look("eva@example.org", as: mira).press("Send 1 letter")
            let token: String = try #require(try site.read { db in try db.value("SELECT secret FROM letter LIMIT 1") })
            let (left, now) = (try await site.account(of: .mira), site.clock.now)
            try await site.write(at: now) { tx in try Account.leave(left, in: tx) }
            #expect(try site.count(of: "one_time_link WHERE account_id = \(noor)") == 1)
            let form = try await site.browser().visit("/invitations/\(token)")
            #expect(form.status == 200 && form.text.contains("The people who run this site invite you."))
        }
    }

    // MARK: Once

    @Test func `from two tabs, and with another list, nobody gets a second letter`() async throws {
        try await withTestSite(hasMail: true) { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let noor = try await site.signIn(.noor, role: .admin)
            let one = try await look("eva@example.org", as: mira)
            let two = try await look("Eva+list@example.org\neva@example.org", as: noor)
            #expect(two.text.contains("1 person will be invited"), "a plus is the same mailbox")
            _ = try await one.press("Send 1 letter")
            let late = try await two.press("Send 1 letter")
            #expect(late.status == 422 && late.text.contains("Nobody in this list can be invited now."))
            #expect(late.text.contains("Were invited in the last 14 days (1)"))
            #expect(try letters(site) == 1 && site.count(of: "staff_act WHERE verb = 'invite_people'") == 1)
            let next = try await look("eva@example.org\nben@example.org", as: noor)
            #expect(next.text.contains("1 person will be invited") && next.buttons.contains("Send 1 letter"))
        }
    }

    /// The twin: where the hash isn't there, a second letter goes.
    @Test func `without its hash an address is invited again`() async throws {
        try await withTestSite(hasMail: true) { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let (one, two) = (try await look("eva@example.org", as: mira), try await look("eva@example.org", as: mira))
            _ = try await one.press("Send 1 letter")
            try await site.execute("UPDATE one_time_link SET invited = NULL")
            _ = try await two.press("Send 1 letter")
            #expect(try letters(site) == 2)
        }
    }

    /// Two nodes may look at the same moment.
    @Test func `the table takes an address once`() async throws {
        try await withTestSite { site in
            let (mira, until) = (try await site.account(of: .mira, isStaff: true), site.clock.now + .days(14))
            let hash = WrittenAddress("eva@example.org", try await site.site.seal()).hash
            let insert: @Sendable (Connection) throws -> Int = { db in
                try db.execute(
                    """
                    INSERT INTO one_time_link (token_hash, kind, account_id, detail, invited, expires_at)
                    VALUES (\(Token().hash), 'site_invitation', \(mira), '', \(hash), \(until))
                    ON CONFLICT (invited) DO NOTHING
                    """)
            }
            let first = try await site.write { db in try insert(db) }
            let second = try await site.write { db in try insert(db) }
            #expect(first == 1 && second == 0)
        }
    }

    @Test func `a letter that doesn’t arrive ends its link, and its reader can be invited again`() async throws {
        try await withTestSite(hasMail: true) { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await look("eva@example.org\nben@example.org", as: mira).press("Send 2 letters")
            let now = site.clock.now
            try await site.write(at: now) { tx in try Letter.end(ID(1), .failed, "550 no such user", in: tx) }
            #expect(try site.count(of: "one_time_link WHERE ended = 'replaced' AND invited IS NULL") == 1)
            #expect(try await look("eva@example.org", as: mira).text.contains("1 person will be invited"))
            #expect(try await look("ben@example.org", as: mira).text.contains("Nobody in this list"))
            // Too late is as good as refused.
            try await site.write(at: now + .days(6)) { tx in _ = try Letter.giveUp(in: tx) }
            #expect(try site.count(of: "one_time_link WHERE ended = 'replaced' AND invited IS NULL") == 2)
            #expect(try site.count(of: "letter WHERE address <> '' OR secret <> ''") == 0)
        }
    }

    // MARK: Whom it writes to

    @Test func `nobody is written to who wants no letters, or from a blocked mail provider`() async throws {
        try await withTestSite(hasMail: true) { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let (staff, now) = (try await site.account(of: .mira), site.clock.now)
            let seal = try await site.site.seal()
            let domain = try #require(MailDomain("spam.example"))
            try await site.write(at: now) { tx in
                try WrittenAddress("eva@example.org", seal).refuse(in: tx)
                try MailDomain.block(domain, reason: "Spam", by: staff, in: tx)
            }
            let seen = try await look("eva@example.org\nben@mail.spam.example\ncleo@example.org", as: mira)
            #expect(seen.text.contains("1 person will be invited"))
            #expect(seen.text.contains("Asked for no such letters (1)"))
            #expect(seen.text.contains("Use a blocked mail provider (1)"))
            _ = try await seen.press("Send 1 letter")
            func text() throws -> LetterText? {
                try site.read(at: now) { tx in
                    let id: ID<Letter>? = try tx.value("SELECT id FROM letter WHERE kind = 'invitedHere'")
                    let letter = try #require(try id.flatMap { try Letter.find($0, in: tx) })
                    return try letter.text(seal, country: "US", zone: .utc, in: tx)
                }
            }
            #expect(try text() != nil)
            // Cleo has an account by the time the letter would go.
            try await site.account(of: Person(username: "cleo-x", firstName: "Cleo", lastName: "X", organization: ""))
            try await site.execute("UPDATE account SET email = 'cleo@example.org' WHERE username = 'cleo-x'")
            #expect(try text() == nil)
        }
    }

    @Test func `five hundred letters go with one press, one a second, and the rest after it`() async throws {
        try await withTestSite(hasMail: true) { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let csv = "E-mail\n" + (1...501).map { "family-\($0)@example.org" }.joined(separator: "\n")
            let page = try await mira.visit("/admin/invitations")
            let file: [String: Filling] = ["file": .file(SentFile("people.csv", Array(csv.utf8)))]
            let seen = try await page.press("Check the list", filling: file)
            #expect(seen.text.contains("1 more can be invited after that"))
            _ = try await seen.press("Send 500 letters")
            #expect(try letters(site) == 500)
            let (first, last): (Instant, Instant) = try #require(
                try site.read { db in
                    try db.first("SELECT min(due_at), max(due_at) FROM letter") { (try $0.next(), try $0.next()) }
                })
            #expect(last - first == .seconds(499))
            let next = try await page.press("Check the list", filling: file)
            #expect(next.text.contains("1 person will be invited"))
            #expect(next.text.contains("Were invited in the last 14 days (500)"))
        }
    }

    @Test func `the fifth list of a day waits`() async throws {
        for limits in [true, false] {
            try await withTestSite(limits: limits, hasMail: true) { site in
                let mira = try await site.signIn(.mira, isStaff: true)
                for number in 1...4 {
                    let sent = try await look("family-\(number)@example.org", as: mira).press("Send 1 letter")
                    #expect(sent.path == "/admin/invitations")
                }
                let fifth = try await look("family-5@example.org", as: mira).press("Send 1 letter")
                #expect(fifth.status == (limits ? 429 : 200))
                #expect(try letters(site) == (limits ? 4 : 5))
            }
        }
    }

    @Test func `what is open is taken back, the letters that wait aren’t sent, and people are invited again`()
        async throws
    {
        let office = try PostOffice()
        try await withTestSite(hasMail: true) { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            #expect(try await !mira.visit("/admin/invitations").buttons.contains { $0.hasPrefix("Take back") })
            let seen = try await look("eva@example.org\ncleo@example.org", as: mira)
            let sent = try await seen.press("Send 2 letters")
            let token: String = try #require(try site.read { db in try db.value("SELECT secret FROM letter LIMIT 1") })
            // Another admin sent them.
            let noor = try await site.signIn(.noor, role: .moderator)
            let csrf = try #require(try await noor.visit("/me").value(of: "csrf"))
            let refused = try await noor.submit("/admin/invitations/end", [("csrf", csrf), ("last", "9")])
            #expect(refused.status == 403)
            #expect(try site.count(of: "one_time_link WHERE ended IS NULL") == 2)
            try await site.execute("UPDATE account SET is_admin = TRUE WHERE username = 'noor-haddad'")
            let back = try await noor.visit("/admin/invitations").press("Take back 2 invitations")
            #expect(back.flash?.hasPrefix("The invitations are taken back.") == true)
            #expect(try site.count(of: "one_time_link WHERE invited IS NOT NULL") == 0)
            #expect(try await noor.visit("/admin/log").text.contains("took back 2 invitations by letter"))
            // In another tab there is nothing to take back any more, and what was sent since stays.
            _ = try await look("dan@example.org", as: noor).press("Send 1 letter")
            let again = try await sent.press("Take back 2 invitations")
            #expect(try site.count(of: "one_time_link WHERE invited IS NOT NULL") == 1)
            _ = try await noor.visit("/admin/invitations").press("Take back 1 invitation")
            #expect(again.path == "/admin/invitations" && again.flash == nil)
            await deliver(site, to: office)
            #expect(try office.letters.isEmpty)
            #expect(try site.count(of: "letter WHERE address <> ''") == 0)
            let link = try await site.browser().visit("/invitations/\(token)")
            #expect(link.status == 410 && link.text.contains("Ask the people who run this site"))
            #expect(try await look("eva@example.org", as: noor).text.contains("1 person will be invited"))
        }
    }

    @Test func `a link of the site lets its reader in even if the admin is a member like others now`() async throws {
        try await withTestSite(hasMail: true) { site in
            try await open(.approval, site)
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await look("eva@example.org", as: mira).press("Send 1 letter")
            let token: String = try #require(try site.read { db in try db.value("SELECT secret FROM letter LIMIT 1") })
            try await site.execute("UPDATE account SET is_admin = FALSE, is_staff = FALSE")
            let form = try await site.browser().visit("/invitations/\(token)")
            let done = try await signUp(on: form)
            #expect(done.path == "/welcome")
            #expect(try site.count(of: "account WHERE waits_since IS NULL AND branch_id IS NULL") == 2)
        }
    }

    @Test func `the links of an admin who is suspended end, and the letters that wait aren’t sent`() async throws {
        let office = try PostOffice()
        try await withTestSite(hasMail: true) { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await look("eva@example.org", as: mira).press("Send 1 letter")
            let (staff, now) = (try await site.account(of: .mira), site.clock.now)
            try await site.write(at: now) { tx in try Account.suspend(staff, in: tx) }
            #expect(try site.count(of: "one_time_link WHERE ended = 'replaced' AND invited IS NULL") == 1)
            await deliver(site, to: office)
            #expect(try office.letters.isEmpty)
            // Another's work on.
            let noor = try await site.signIn(.noor, isStaff: true)
            #expect(try await look("eva@example.org", as: noor).text.contains("1 person will be invited"))
        }
    }

    // MARK: Rights

    @Test func `an admin alone invites, and one who isn’t anymore doesn’t`() async throws {
        try await withTestSite(hasMail: true) { site in
            let noor = try await site.signIn(.noor, role: .moderator)
            #expect(try await noor.visit("/admin/invitations").status == 403)
            #expect(try await noor.visit("/admin").link("Invite people from a list") == nil)
            let mira = try await site.signIn(.mira, isStaff: true)
            let seen = try await look("eva@example.org", as: mira)
            try await site.execute("UPDATE account SET is_admin = FALSE WHERE username = 'mira-staff'")
            #expect(try await seen.press("Send 1 letter").status == 403)
            #expect(try letters(site) == 0 && site.count(of: "one_time_link") == 0)
        }
    }

    @Test func `without a mail server it is said before anything, and nothing is sent`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let page = try await mira.visit("/admin/invitations")
            #expect(page.text.contains("No mail server is set up, so no letter can be sent."))
            let seen = try await look("eva@example.org", as: mira)
            #expect(seen.text.contains("No mail server") && !seen.buttons.contains("Send 1 letter"))
            let token = try #require(seen.value(of: "csrf"))
            let sent = try await mira.submit(
                "/admin/invitations/send", [("csrf", token), ("addresses", "eva@example.org")])
            #expect(sent.status == 422)
            #expect(try letters(site) == 0)
        }
    }

    @Test func `a list without an address comes back as it was typed`() async throws {
        try await withTestSite(hasMail: true) { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let page = try await mira.visit("/admin/invitations")
            let none = try await page.press("Check the list")
            #expect(none.status == 422 && none.problems == ["Choose a file, or paste some lines."])
            let empty = try await look("Eva Kraus", as: mira)
            #expect(empty.problems == ["No e-mail address was found in it."])
            #expect(empty.value(of: "list") == "Eva Kraus")
            let children = try await look("Student e-mail\n\(Self.word)@example.org", as: mira)
            #expect(children.problems.first?.contains("children, and weren’t read: Student e-mail") == true)
            let both = try await page.press(
                "Check the list",
                filling: ["list": "eva@example.org", "file": .file(SentFile("a.csv", Array("ben@example.org".utf8)))])
            #expect(both.problems == ["Use one list at a time: a file, or lines."])
        }
    }

    // MARK: Nothing is kept

    @Test(.onFiles) func `of a person in a list nothing is kept but a hash, and after fourteen days not even that`()
        async throws
    {
        let office = try PostOffice()
        try await withTestSite(hasMail: true) { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let list = "Name,E-mail,Age\n\(Self.word),\(Self.word)@example.org,\(Self.word)"
            let seen = try await look(list, as: mira)
            #expect(try await tables(holding: Self.word, in: site) == [])
            _ = try await seen.press("Send 1 letter")
            #expect(try await tables(holding: Self.word, in: site) == ["letter"], "until it is sent")
            await deliver(site, to: office)
            #expect(try office.letters.count == 1)
            #expect(try await tables(holding: Self.word, in: site) == [])
            #expect(try site.count(of: "one_time_link WHERE invited IS NOT NULL") == 1)
            site.clock.advance(by: .days(14) + .hours(1))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try site.count(of: "one_time_link WHERE invited IS NOT NULL") == 0)
            #expect(try await tables(holding: Self.word, in: site) == [])
            #expect(!site.log.lines.contains { $0.lowercased().contains(Self.word.lowercased()) })
        }
    }
}
