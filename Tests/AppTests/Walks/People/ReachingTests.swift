import Database
import Foundation
import SMTP
import Testing

@testable import App

/// The addresses letters reach: unconfirmed ones, and those that take none.
@Suite struct ReachingTests {
    private func client(_ office: PostOffice) -> MailClient {
        MailClient(MailServer(url: office.url)!, name: "village.example")
    }

    private func deliver(_ site: TestSite, to office: PostOffice) async {
        #expect(await Postman(site: site.site).deliverAll(by: client(office)))
    }

    /// Ana, whose address nobody confirmed, with Mo at an event of Ben's.
    private func registered(_ site: TestSite) async throws -> (ana: Browser, ben: Browser, event: ID<Event>) {
        let event = try await site.publish(by: .ben)
        let ben = try await site.signIn(.ben, as: .provider)
        try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
        return (try await site.signIn(.ana, as: .parent), ben, event)
    }

    private func kinds(to person: Person, in site: TestSite) throws -> [String] {
        try site.read { db in
            try db.all("SELECT kind FROM letter WHERE address = \(person.email) ORDER BY id LIMIT 50") { try $0.next() }
        }
    }

    @Test func `a change, a message and a cancellation go to an address that nobody confirmed`() async throws {
        try await withTestSite(hasMail: true) { site in
            let (ana, ben, event) = try await registered(site)
            site.clock.advance(by: .minutes(5))
            _ = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["start_time": "11:00"])
                .press("Publish the change")
            _ = try await ben.visit("/events/\(event)/announcements").press(
                "Preview", filling: ["subject": "Bring a hat", "body": "It is sunny."]
            ).press("Send it")
            _ = try await ben.visit("/events/\(event)/cancel").press("Cancel the event", filling: ["reason": "Rain."])
            #expect(try Set(kinds(to: .ana, in: site)) == ["changed", "announced", "cancelled"])
            #expect(try await ana.visit("/inbox").text.contains("Canceled: Kite day"))
        }
    }

    @Test func `the other parent hears of it too, at an address that nobody confirmed`() async throws {
        try await withTestSite { site in
            let (_, ben, event) = try await registered(site)
            try await site.guardian(.cleo, of: .ana)
            _ = try await ben.visit("/events/\(event)/cancel").press("Cancel the event", filling: ["reason": "Rain."])
            #expect(try kinds(to: .cleo, in: site) == ["cancelled"])
        }
    }

    @Test func `who helps hears that a shift was called off, at an address that nobody confirmed`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/opportunities/\(id)").press("Sign up", filling: ["shift": ["1"]])
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/opportunities/\(id)/close").press("Close it")
            #expect(try kinds(to: .ana, in: site) == ["helping"])
            // What others do fills no address that may be somebody else's.
            #expect(try kinds(to: .ben, in: site).contains("helpers") == false)
        }
    }

    /// What of a page's list says where each kind comes.
    private func ways(_ page: Page) -> [String] { page.html.all("dt").map(\.text) }

    @Test func `the inbox says “by mail” only of what comes by mail`() async throws {
        try await withTestSite(hasMail: true) { site in
            let (ana, ben, _) = try await registered(site)
            let hers = try await ana.visit("/inbox")
            #expect(ways(hers).contains("Here and by mail"))
            // A host whose address nobody confirmed gets letters about registrations, and reads about what there are
            // none, with a button.
            let his = try await ben.visit("/inbox")
            #expect(his.text.contains("you get no letters about:"))
            let none = try #require(his.html.all(ofClass: "notice--warning").first { $0.text.contains("no letters") })
            #expect(!none.text.contains("Registrations for your events") && !none.all("li").isEmpty)
            let part = try #require(his.html.all("div").last { $0.all("dt").first?.text == "Here and by mail" })
            #expect(part.text.contains("Registrations for your events"))
            _ = try await his.press("Send the letter with the link again")
            #expect(try kinds(to: .ben, in: site).last == "welcome")
            try await site.execute("UPDATE account SET confirmed_at = 1")
            #expect(try await !ben.visit("/inbox").text.contains("no letters come about"))
            try await site.execute("UPDATE account SET refused_at = 1, refusal = '550 no such user'")
            #expect(try await !ways(ana.visit("/inbox")).contains("Here and by mail"))
        }
        try await withTestSite { site in
            let (ana, _, _) = try await registered(site)
            #expect(try await !ways(ana.visit("/inbox")).contains("Here and by mail"))
        }
    }

    @Test func `an address that is refused is shown to its member and to staff, until it takes letters`() async throws {
        let office = try PostOffice()
        try await withTestSite(hasMail: true) { site in
            let (ana, ben, event) = try await registered(site)
            try office.set("550-rcpt", to: Person.ana.email)
            _ = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["start_time": "11:00"])
                .press("Publish the change")
            #expect(try await !ana.visit("/").text.contains("Letters don’t reach you"))
            await deliver(site, to: office)
            for page in ["/", "/registrations/1", "/week"] {
                #expect(try await ana.visit(page).text.contains("Letters don’t reach you"), "\(page)")
            }
            #expect(try await ana.visit("/me/email").text.contains("550 not this"))
            let mira = try await site.signIn(.mira, isStaff: true)
            #expect(try await mira.visit("/admin").text.contains("1 person whom letters don’t reach"))
            #expect(try await mira.visit("/admin/people?only=refused").text.contains(Person.ana.username))
            let id = try await site.account(of: .ana)
            #expect(try await mira.visit("/admin/people/\(id)").text.contains("550 not this"))
            // One more letter that gets through ends it.
            try office.set("accept")
            _ = try await ana.visit("/").press("Try this one again")
            await deliver(site, to: office)
            #expect(try await !ana.visit("/").text.contains("Letters don’t reach you"))
        }
    }

    @Test func `an admin writes down another address with the member’s word`() async throws {
        try await withTestSite { site in
            let (ana, _, _) = try await registered(site)
            let mira = try await site.signIn(.mira, isStaff: true)
            let id = try await site.account(of: .ana)
            try await site.execute("UPDATE account SET confirmed_at = 1 WHERE id = \(id)")
            // Of an address that works the page says so.
            #expect(
                try await mira.visit("/admin/people/\(id)/email").text.contains("Letters to this address arrive"))
            let own = try await site.account(of: .mira)
            #expect(try await mira.visit("/admin/people/\(own)/email").path == "/me/email")
            try await site.execute("UPDATE account SET refused_at = 1, refusal = '550 gone' WHERE id = \(id)")
            let form = try await mira.visit("/admin/people/\(id)").follow("Write down another address")
            #expect(try await form.press("Write it down", filling: ["email": "new@example.org"]).status == 422)
            let fields: [String: Filling] = [
                "reason": "She called, from the number we know.", "current_password": .text(Person.password),
            ]
            let taken = try await form.press(
                "Write it down", filling: fields.merging(["email": .text(Person.ben.email)]) { $1 })
            #expect(taken.status == 422 && taken.text.contains("Somebody else has this address"))
            let done = try await form.press(
                "Write it down", filling: fields.merging(["email": "new@example.org"]) { $1 })
            #expect(done.text.contains("new@example.org") && done.text.contains("wrote down another e-mail address"))
            #expect(try site.count(of: "account WHERE email = 'new@example.org' AND confirmed_at IS NULL") == 1)
            #expect(try site.count(of: "letter WHERE address = 'new@example.org' AND kind = 'address'") == 1)
            #expect(try kinds(to: .ana, in: site).last == "moved")
            #expect(try await !ana.visit("/").text.contains("Letters don’t reach you"))
        }
    }

    @Test func `the letter to an address that an admin wrote down says what happened`() async throws {
        let office = try PostOffice()
        try await withTestSite(hasMail: true) { site in
            _ = try await registered(site)
            let mira = try await site.signIn(.mira, isStaff: true)
            let id = try await site.account(of: .ana)
            _ = try await mira.visit("/admin/people/\(id)/email").press(
                "Write it down",
                filling: [
                    "email": "new@example.org", "reason": "She called.", "current_password": .text(Person.password),
                ])
            await deliver(site, to: office)
            let letter = try #require(try office.letters.first { $0.to == ["new@example.org"] })
            #expect(letter.subject == "Confirm your new e-mail address")
            #expect(
                letter.text.contains("Somebody who runs the site wrote this address down for the account ana-ortiz"))
            #expect(!letter.text.contains("signed up"))
        }
    }

    @Test func `who hasn't confirmed the address reads so on Today and beside the address`() async throws {
        try await withTestSite(hasMail: true) { site in
            let (ana, _, _) = try await registered(site)
            for path in ["/", "/me/email"] {
                let page = try await ana.visit(path)
                #expect(page.text.contains("Your address isn’t confirmed yet"), "\(path)")
                let sent = try await page.press("Send the letter again")
                #expect(sent.path == path && sent.flash != nil, "\(path)")
            }
            #expect(try site.count(of: "letter WHERE kind = 'welcome' AND state = 'waiting'") == 1)
            try await site.execute("UPDATE account SET confirmed_at = 1")
            #expect(try await !ana.visit("/").text.contains("isn’t confirmed yet"))
        }
    }

    // MARK: Letters that come back

    private func report(_ letter: Letter, _ seal: Seal, _ status: String, _ words: String, action: String = "failed")
        -> String
    {
        """
        From MAILER-DAEMON  Sat Mar 20 10:05:00 2027
        From: MAILER-DAEMON@mail.example
        To: village@example.org
        Subject: Undelivered Mail Returned to Sender
        Content-Type: multipart/report; report-type=delivery-status; boundary="x"

        --x
        Content-Type: message/delivery-status

        Final-Recipient: rfc822; \(letter.address)
        Action: \(action)
        Status: \(status)
        Diagnostic-Code: smtp; \(words)

        --x
        Content-Type: text/rfc822-headers

        Message-ID: <\(letter.messageID(at: "village.example", seal))>

        --x--

        """
    }

    /// The letter about a change to Ana, which the mail server took.
    private func sent(_ site: TestSite) async throws -> (letter: Letter, ana: Browser) {
        let (ana, ben, event) = try await registered(site)
        _ = try await ben.visit("/events/\(event)/cancel").press("Cancel the event", filling: ["reason": "Rain."])
        try await site.execute("UPDATE letter SET state = 'sent', done_at = 1")
        let letter: Letter? = try site.read { db in
            try db.first("SELECT \(Letter.columns) FROM letter WHERE kind = 'cancelled'")
        }
        return (try #require(letter), ana)
    }

    private func read(_ message: String, in site: TestSite) async throws -> Int {
        #expect(Site.keepReturned(Array(message.utf8), site.site.settings))
        return try await ReturnedMail(site: site.site).read(at: site.clock.now)
    }

    @Test func `a letter that comes back later is noted, once, by its own name`() async throws {
        try await withTestSite { site in
            let (letter, ana) = try await sent(site)
            let seal = try await site.write { db in try Seal.make(in: db) }
            let gone = report(letter, seal, "5.1.1", "550 5.1.1 no such user")
            let forged = gone.replacing(
                letter.messageID(at: "village.example", seal), with: "letter-\(letter.id).1@x.example")
            // The reader of a letter of the same moment knows its number and its time, but not its mark.
            let guessed = gone.replacing(letter.mark(seal), with: "0123456789abcdef")
            #expect(guessed != gone)
            #expect(try await read(guessed, in: site) == 0)
            for other in [
                report(letter, seal, "4.4.1", "no answer", action: "delayed"), forged, "Subject: I am away\n\n",
            ] {
                #expect(try await read(other, in: site) == 0)
            }
            #expect(try await !ana.visit("/").text.contains("Letters don’t reach you"))
            #expect(try await read(gone, in: site) == 1)
            #expect(try await ana.visit("/").text.contains("Letters don’t reach you"))
            #expect(try site.count(of: "letter WHERE state = 'failed' AND answer = '550 5.1.1 no such user'") == 1)
            // That another letter was taken shows nothing; that a link in one was pressed does.
            let account = try await site.account(of: .ana)
            try await site.write { db in try Bounce.end(Person.ana.email, of: account, in: db) }
            #expect(try site.count(of: "account WHERE refused_at IS NOT NULL") == 1)
            try await site.write(at: site.clock.now) { tx in try Account.confirm(account, in: tx) }
            #expect(try await read(gone, in: site) == 0)
            #expect(try site.count(of: "account WHERE refused_at IS NOT NULL") == 0)
        }
    }

    @Test func `what is refused for what it says isn’t held against the address`() async throws {
        try await withTestSite { site in
            let (letter, ana) = try await sent(site)
            let seal = try await site.write { db in try Seal.make(in: db) }
            #expect(try await read(report(letter, seal, "5.7.1", "550 5.7.1 looks like spam"), in: site) == 1)
            #expect(try await !ana.visit("/").text.contains("Letters don’t reach you"))
            #expect(try site.count(of: "letter WHERE state = 'failed'") == 1)
        }
    }

    @Test func `a refusal is about the address or about something else`() {
        for answer in [
            "550 no such user", "550 5.1.1 <a@b>: unknown", "551 moved", "553 no", "552 5.2.2 mailbox full",
            "554 5.1.1 unknown", "550-5.1.1 gone", "550 5.4.1 Recipient address rejected", "5.1.1 550 unknown",
        ] {
            #expect(Bounce.isOfAddress(answer), "\(answer)")
        }
        for answer in [
            "554 not this", "550 5.7.1 spam", "554 5.7.26 unauthenticated", "552 5.3.4 too big", "550 5.1.8 sender",
            "501 syntax", "450 later", "",
        ] {
            #expect(!Bounce.isOfAddress(answer), "\(answer)")
        }
    }

    @Test func `a mailbox file is read from where it was read before`() throws {
        let first = "From a  Sat\nSubject: one\n\n>From here on\n\n"
        let second = "From b  Sat\nSubject: two\n\nx\n"
        let all = DeliveryReport.messages(of: Array((first + second).utf8), from: 0)
        #expect(all.map(\.at) == [0, first.utf8.count] && all.map(\.text) == [first, second])
        let rest = DeliveryReport.messages(of: Array((first + second).utf8), from: first.utf8.count)
        #expect(rest.map(\.text) == [second])
        #expect(DeliveryReport.messages(of: [], from: 0).isEmpty)
    }

    @Test func `the mailbox of the sender is read, and each letter in it counts once`() async throws {
        let folder = NSTemporaryDirectory() + "/village-box-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/new", withIntermediateDirectories: true)
        try await withTestSite { site in
            let (letter, _) = try await sent(site)
            let seal = try await site.write { db in try Seal.make(in: db) }
            let box = ReturnedMail(site: site.site, mailbox: folder + "/box")
            #expect(try await box.read(at: site.clock.now) == 0)
            try report(letter, seal, "5.1.1", "550 gone").write(
                toFile: folder + "/box", atomically: true, encoding: .utf8)
            #expect(try await box.read(at: site.clock.now) == 1)
            #expect(try await box.read(at: site.clock.now) == 0)
            try await site.execute("UPDATE letter SET state = 'sent'")
            try report(letter, seal, "5.1.1", "550 gone").write(
                toFile: folder + "/new/1", atomically: true, encoding: .utf8)
            #expect(try await ReturnedMail(site: site.site, mailbox: folder).read(at: site.clock.now) == 1)
            #expect(!FileManager.default.fileExists(atPath: folder + "/new/1"))
        }
    }
}
