import Testing

@testable import SMTP

/// Handing letters to a real server that accepts, refuses, hangs and dies.
@Suite(.serialized) struct MailClientTests {
    private func message(_ subject: String = "Hello", to address: String = "ana@example.org") -> MailMessage {
        MailMessage(
            id: "1.2@village.example", date: 1_805_536_800, from: Mailbox("village@example.org", name: "Village")!,
            to: Mailbox(address)!, subject: subject, text: "Good morning.\n.\nA dot alone.", html: "<p>Good morning.")
    }

    private func client(
        _ office: PostOffice, _ url: String? = nil, needsTLS: Bool = false, authorities: String? = nil, sending: Int = 5
    ) -> MailClient {
        var patience = MailClient.Patience()
        patience.connecting = 2
        patience.sending = sending
        patience.stopping = 1
        return MailClient(
            MailServer(url: url ?? office.url)!, name: "village.example", patience: patience, needsTLS: needsTLS,
            authorities: authorities)
    }

    @Test func `a letter arrives as it was written`() async throws {
        let office = try PostOffice()
        let client = client(office)
        var letter = message("Kätzchen und Hündchen, und eine Zeile, die länger ist als eine Zeile sein darf 🐱")
        letter.text = "Grüße\n\nmit = und blank \n.\n" + String(repeating: "lang ", count: 400)
        letter.html = "<p>Grüße &amp; mehr</p>"
        letter.unsubscribe = "https://village.example/unsubscribe/abc"
        letter.attachments = [
            .init(name: "event.ics", type: "text/calendar; charset=utf-8", bytes: Array("BÉGIN".utf8))
        ]
        let outcome = await client.send(letter)
        #expect(outcome == .accepted("250 kept as 1"))
        let kept = try #require(try office.letters.first)
        #expect(kept.from == "village@example.org" && kept.to == ["ana@example.org"])
        #expect(kept.subject == letter.subject)
        #expect(kept.text.trimmingSuffix("\n") == letter.text.trimmingSuffix("\n"))
        #expect(kept.html.trimmingSuffix("\n") == letter.html)
        #expect(kept["From"] == "Village <village@example.org>")
        #expect(kept["Message-ID"] == "<1.2@village.example>")
        #expect(kept["Date"] == "Sat, 20 Mar 2027 10:00:00 +0000")
        #expect(kept["List-Unsubscribe"] == "<https://village.example/unsubscribe/abc>")
        #expect(kept["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click")
        #expect(kept.files.map(\.text) == ["BÉGIN"] && kept.files.map(\.name) == ["event.ics"])
        #expect(kept.longest <= 78)
    }

    @Test func `a calendar that moves something is one more form of a letter, and any other comes as a file`() {
        func text(_ types: String...) -> String {
            var letter = message()
            letter.attachments = types.map { .init(name: "event.ics", type: "text/calendar; \($0)", bytes: [66]) }
            return String(decoding: letter.bytes, as: UTF8.self)
        }
        for method in ["REQUEST", "CANCEL"] {
            let moved = text("method=\(method)")
            #expect(moved.contains("Content-Type: text/calendar; method=\(method); name=\"event.ics\""))
            #expect(moved.contains("multipart/alternative") && !moved.contains("multipart/mixed"))
        }
        #expect(text("method=PUBLISH").contains("multipart/mixed"))
        #expect(text("method=REQUEST", "method=REQUEST").contains("multipart/mixed"))
    }

    @Test func `several letters go over one connection, in order`() async throws {
        let office = try PostOffice()
        let client = client(office)
        for number in 1...20 { #expect(await client.send(message("\(number)")) == .accepted("250 kept as \(number)")) }
        #expect(try office.letters.map(\.subject) == (1...20).map(String.init))
    }

    @Test(arguments: [
        ("550-rcpt", "refused"), ("451-rcpt", "postponed"), ("554-data", "refused"), ("452-data", "postponed"),
        ("421-data", "broken"), ("die-within", "broken"), ("die-after", "broken"), ("hang", "broken"),
        ("553-mail", "unreachable"), ("silent", "unreachable"),
    ])
    func `a refusal says whose it is`(mode: String, kind: String) async throws {
        let office = try PostOffice()
        let client = client(office, sending: 2)
        try office.set(mode)
        let outcome = await client.send(message())
        #expect("\(outcome)".hasPrefix(kind), "\(outcome)")
        if let code = Int(mode.prefix(3)) { #expect(outcome.answer.hasPrefix("\(code)"), "\(outcome)") }
        try office.set("accept")
        let next = await client.send(message("Later"))
        #expect("\(next)".hasPrefix("accepted"), "\(next)")
    }

    @Test func `without a server nothing is sent`() async throws {
        let office = try PostOffice()
        let client = client(office)
        office.close()
        #expect("\(await client.send(message()))".hasPrefix("unreachable"))
    }

    @Test func `an open connection is no way for letters to other machines`() async throws {
        let office = try PostOffice()
        let strict = client(office, needsTLS: true)
        #expect("\(await strict.send(message()))".hasPrefix("unreachable"))
        #expect(try office.letters.isEmpty)
        // The twin: where it isn't asked for, the letter goes in the open.
        #expect("\(await client(office).send(message()))".hasPrefix("accepted"))
        #expect(MailServer(url: "smtp://mail.example")!.isLoopback == false)
        for host in ["localhost", "127.0.0.1", "127.8.8.8", "[::1]"] {
            #expect(MailServer(url: "smtp://\(host)")!.isLoopback)
        }
        #expect(MailServer(url: "smtp://127.0.0.1.example.org")!.isLoopback == false)
    }

    @Test func `a certificate that nobody signed is refused, and the password isn't told`() async throws {
        let office = try PostOffice(user: ("village", "se:cret@ %"), tls: true)
        let url = "smtp://village:se%3Acret%40%20%25@127.0.0.1:\(office.port)"
        #expect("\(await client(office, url, needsTLS: true).send(message()))".hasPrefix("unreachable"))
        let known = client(office, url, needsTLS: true, authorities: office.certificate)
        #expect("\(await known.send(message()))".hasPrefix("accepted"))
        let wrong = client(
            office, "smtp://village:guess@127.0.0.1:\(office.port)", needsTLS: true, authorities: office.certificate)
        let outcome = await wrong.send(message())
        #expect("\(outcome)".hasPrefix("unreachable"), "\(outcome)")
        #expect(!outcome.answer.contains("guess"))
    }

    @Test func `a client that is stopped waits for nobody`() async throws {
        let office = try PostOffice()
        let client = client(office, sending: 60)
        try office.set("hang")
        async let outcome = client.send(message())
        client.stop()
        #expect(!"\(await outcome)".hasPrefix("accepted"))
    }

    @Test(arguments: [
        "Hello\r\nBcc: eve@example.org", "Hello\nBcc: eve@example.org", "Hello\r\n\r\nBcc: eve@example.org",
        "Hello\u{0}\u{B}\u{C}\u{85}\u{2028}Bcc: eve@example.org",
        String(repeating: "\n Bcc: eve@example.org ", count: 20),
    ])
    func `nothing written by somebody becomes a header`(text: String) async throws {
        let office = try PostOffice()
        var letter = message(text)
        letter.from = Mailbox("village@example.org", name: text)!
        letter.id = text
        letter.unsubscribe = text
        letter.text = "\(text)\r\n.\r\nMAIL FROM:<eve@example.org>\r\n"
        letter.attachments = [
            .init(name: text, type: "text/plain; x=\(text)", bytes: Array(text.utf8))
        ]
        #expect("\(await client(office).send(letter))".hasPrefix("accepted"))
        let kept = try #require(try office.letters.first)
        #expect(try office.letters.count == 1 && kept.to == ["ana@example.org"])
        let known: Set<String> = [
            "Date", "From", "To", "Message-ID", "Subject", "Auto-Submitted", "List-Unsubscribe",
            "List-Unsubscribe-Post", "MIME-Version", "Content-Type", "X-Peer", "X-MailFrom", "X-RcptTo",
        ]
        #expect(Set(kept.headers.map { $0[0] }).isSubset(of: known), "\(kept.headers)")
    }

    @Test(arguments: [
        "", "ana", "ana@", "@example.org", "ana@example.org\r\nRCPT TO:<eve@example.org>", "a na@example.org",
        "ana@example.org>", "<ana@example.org", "ana@eve@example.org", "-oQ@example.org", "ana,eve@example.org",
        "ana\u{85}@example.org",
    ])
    func `what could be more than one address is none`(text: String) {
        #expect(Mailbox(text) == nil)
    }

    @Test func `a name and an address are told apart`() {
        #expect(Mailbox(text: "Village <village@example.org>") == Mailbox("village@example.org", name: "Village"))
        #expect(Mailbox(text: "\"The Village\" <v@example.org>")?.name == "The Village")
        #expect(Mailbox(text: "v@example.org")?.name == "")
        #expect(Mailbox(text: "Village <v@example.org") == nil)
    }

    @Test(arguments: [
        "http://mail.example", "smtp://", "smtp://mail example", "smtp://mail.example/path", "smtp://mail.example:0",
        "smtp://a%0d%0ab:c@mail.example", "smtp://a%ff:c@mail.example", "smtp://mail.example?x", "smtp:mail.example",
    ])
    func `a URL that names no server is refused`(url: String) {
        #expect(MailServer(url: url) == nil)
    }

    @Test func `the name of a server holds no secret`() {
        let server = MailServer(url: "smtps://village:tuesday@mail.example/")
        #expect(server?.name == "smtps://mail.example:465")
        #expect(MailServer(url: "smtp://mail.example")?.name == "smtp://mail.example:587")
    }

    @Test func `a text that looks like an encoded one is encoded itself`() {
        #expect(MailMessage.encoded("=?UTF-8?B?DQpCY2M6?=") == "=?UTF-8?B?PT9VVEYtOD9CP0RRcENZMk02Pz0=?=")
    }

    @Test func `the date of a letter is that of the calendar`() {
        #expect(MailMessage.timestamp(0) == "Thu, 01 Jan 1970 00:00:00 +0000")
        #expect(MailMessage.timestamp(951_782_400) == "Tue, 29 Feb 2000 00:00:00 +0000")
        #expect(MailMessage.timestamp(4_102_444_799) == "Thu, 31 Dec 2099 23:59:59 +0000")
    }
}

extension String {
    fileprivate func trimmingSuffix(_ end: Character) -> String {
        var text = self
        while text.last == end { text.removeLast() }
        return text
    }
}
