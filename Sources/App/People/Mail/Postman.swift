import FoundationEssentials
import Logging
import SMTP
import ServiceLifecycle
import Templating

/// Takes letters from the outbox to the mail server, one after the other.
///
/// What it does is written down before and after each: when the process dies in between, one letter may arrive twice,
/// under the same name, and none is lost.
struct Postman: Service {
    let site: Site

    /// How long after the nth failure in a row of the server itself it is asked again: 5 seconds, 10, up to 5 minutes.
    static func pause(after failures: Int) -> Duration { .seconds(min(300, 5 << min(failures - 1, 6))) }

    func run() async throws {
        guard let client = site.mailClient() else {
            // A service that ends would end the site.
            try await gracefulShutdown()
            return
        }
        await withGracefulShutdownHandler {
            var failures = 0
            while true {
                failures = await deliverAll(by: client) ? 0 : failures + 1
                let pause = failures == 0 ? Duration.seconds(1) : Self.pause(after: failures)
                // Sleeping fails when the site stops.
                guard (try? await cancelWhenGracefulShutdown { try await Task.sleep(for: pause) }) != nil else {
                    return
                }
            }
        } onGracefulShutdown: {
            client.stop()
        }
    }

    /// Sends everything that is due.
    ///
    /// - Returns: Whether the server can be asked for more at once.
    func deliverAll(by client: MailClient) async -> Bool {
        do {
            while !Task.isShuttingDownGracefully,
                let letter = try site.read({ db in try Letter.next(at: site.now, in: db) })
            {
                guard try await deliver(letter, by: client) else { return false }
            }
            return true
        } catch {
            site.report("letters can’t be sent: the outbox can’t be read or written", error)
            return false
        }
    }

    /// Sends one letter.
    ///
    /// - Returns: Whether the next one may follow at once.
    private func deliver(_ letter: Letter, by client: MailClient) async throws -> Bool {
        let now = site.now
        guard letter.endsAt > now, let message = try await site.message(of: letter, at: now) else {
            try await site.writeQuietly { db in try Letter.end(letter.id, .late, "", at: now, in: db) }
            return true
        }
        try await site.writeQuietly { db in try Letter.begin(letter, at: now, in: db) }
        let delivery = await client.send(message)
        let then = site.now
        let answer = delivery.answer
        try await site.writeQuietly { db in
            switch delivery {
            case .accepted:
                try Letter.end(letter.id, .sent, answer, at: then, in: db)
                if let account = letter.account { try Bounce.end(letter.address, of: account, in: db) }
            case .refused:
                try Letter.end(letter.id, .failed, answer, at: then, in: db)
                if let account = letter.account {
                    try Bounce.note(answer, about: letter.address, of: account, isLate: false, at: then, in: db)
                }
            case .postponed, .broken: try Letter.put(off: letter, answer, at: then, in: db)
            case .unreachable: try Letter.putBack(letter, answer, in: db)
            }
            if case .unreachable = delivery {
                try Letter.note(trouble: answer, in: db)
            } else {
                try Letter.note(trouble: nil, in: db)
            }
        }
        // Neither the address nor the server's words, which may hold it.
        site.log.debug("letter \(letter.kind.rawValue)", metadata: ["letter": "\(letter.id)"])
        switch delivery {
        case .accepted, .refused, .postponed: return true
        case .broken: return false
        case .unreachable:
            site.log.warning("the mail server takes no letters; they wait (/admin/mail says why)")
            return false
        }
    }
}

extension Site {
    /// The mail client that hands letters over; nil where no server is set up.
    func mailClient() -> MailClient? {
        settings.smtp.map { MailClient($0, name: settings.publicHost) }
    }

    /// A letter as it goes over the wire; nil where there is nothing to say anymore.
    func message(of letter: Letter, at now: Instant) async throws -> MailMessage? {
        let seal = try await seal()
        guard let text = try read({ db in try letter.text(at: now, seal, in: db) }) else { return nil }
        var frame = frame(of: letter)
        if letter.kind.endsByClick, let account = letter.account {
            let token = LetterEnding(account: account, kind: letter.kind).token(seal)
            frame.unsubscribe = frame.address(of: Link.unsubscribe(token))
        }
        if letter.kind == .invited {
            let token = WrittenAddress(letter.address, seal).token(seal)
            frame.unsubscribe = frame.address(of: Link.unsubscribe(token))
        }
        return Self.message(text, of: letter, frame: frame, settings, seal)
    }

    /// The seal of this site.
    private func seal() async throws -> Seal {
        if let seal = try read({ db in try Seal(in: db) }) { return seal }
        try await writeQuietly { db in _ = try Seal.make(in: db) }
        guard let seal = try read({ db in try Seal(in: db) }) else { throw Refusal.notFound }
        return seal
    }

    /// What stands around a letter.
    func frame(of letter: Letter) -> LetterFrame {
        LetterFrame(
            language: languages[0], publicURL: settings.publicURL, town: town, kind: letter.kind, unsubscribe: nil)
    }

    private static func message(
        _ text: LetterText, of letter: Letter, frame: LetterFrame, _ settings: Settings, _ seal: Seal? = nil
    ) -> MailMessage? {
        guard let to = Mailbox(letter.address) else { return nil }
        let sender = settings.mailFrom
        let name =
            sender.name.isEmpty ? frame.town.name.isEmpty ? "Village" : "Village \(frame.town.name)" : sender.name
        var message = MailMessage(
            id: letter.messageID(at: settings.publicHost, seal), date: letter.createdAt.milliseconds / 1_000,
            from: Mailbox(sender.address, name: name) ?? sender, to: to,
            subject: text.subject.text(in: frame.language), text: text.plain(in: frame),
            html: String(decoding: Templates.people.mail.letter(letter: text).bytes(in: frame), as: UTF8.self))
        message.unsubscribe = frame.unsubscribe
        if case .address(let email, let name) = text.answers { message.replyTo = Mailbox(email, name: name) }
        if let event = text.event {
            let calendar = EventCalendar(
                name: event.title, site: settings.publicURL, host: settings.publicHost, language: frame.language,
                entries: [.init(event)])
            message.attachments = [
                .init(
                    name: "event-\(event.id).ics", type: "text/calendar; charset=utf-8; method=PUBLISH",
                    bytes: calendar.bytes)
            ]
        }
        return message
    }

    /// Sends a test letter at once, past the outbox, also while the site runs.
    ///
    /// - Returns: What the server answered, and whether it took the letter.
    package static func sendTestLetter(
        _ settings: Settings, to address: String
    ) async -> (isSent: Bool, answer: String) {
        let trial = await trySending(settings, to: address, at: .now)
        return (trial.isSent, trial.answer ?? "No mail server is set up. (VILLAGE_SMTP_URL)")
    }

    /// Sends a test letter at once, past the outbox.
    static func trySending(_ settings: Settings, to address: String, at now: Instant) async -> Trial {
        guard let server = settings.smtp else { return Trial(isSent: false, answer: nil) }
        let letter = Letter(
            id: ID(now.milliseconds), kind: .test, account: nil, address: address, event: nil, registration: nil,
            detail: "", subject: nil, secret: "", state: .waiting, tries: 0, answer: "", createdAt: now, dueAt: now,
            endsAt: now,
            doneAt: nil)
        let frame = LetterFrame(
            language: Language(nil, country: settings.country), publicURL: settings.publicURL, town: Town(),
            kind: .test, unsubscribe: nil)
        guard let message = message(.test, of: letter, frame: frame, settings) else {
            return Trial(isSent: false, answer: "\(address) is no e-mail address.")
        }
        // Somebody looks at a page all the while.
        var patience = MailClient.Patience()
        patience.sending = 20
        let client = MailClient(server, name: settings.publicHost, patience: patience)
        let delivery = await client.send(message)
        if case .accepted(let answer) = delivery { return Trial(isSent: true, answer: answer) }
        return Trial(isSent: false, answer: delivery.answer)
    }
}
