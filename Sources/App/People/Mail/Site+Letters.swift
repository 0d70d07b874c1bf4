import FoundationEssentials
import SMTP
import Templating

extension Site {
    /// The client for the mail server; nil if none is set up.
    func mailClient() -> MailClient? {
        settings.smtp.map { MailClient($0, name: settings.publicHost) }
    }

    /// A letter as a message; nil if there is nothing to say anymore.
    func message(of letter: Letter, at now: Instant) async throws -> MailMessage? {
        let seal = try await seal()
        let (country, zone) = (settings.country, settings.zone)
        let said = try read(at: now) { tx -> (text: LetterText, event: Event?)? in
            guard let text = try letter.text(seal, country: country, zone: zone, in: tx) else { return nil }
            return (text, try text.event.flatMap { try Event.find($0, in: tx) })
        }
        guard let (text, event) = said else { return nil }
        var frame = try frame(of: letter)
        if letter.kind.endsByClick, let account = letter.account {
            let token = LetterEnding(account: account, kind: letter.kind).token(seal)
            frame.unsubscribe = frame.address(of: Link.unsubscribe(token))
        }
        if [.invited, .invitedHere].contains(letter.kind) {
            let token = WrittenAddress(letter.address, seal).token(seal)
            frame.unsubscribe = frame.address(of: Link.unsubscribe(token))
        }
        var message = Self.message(text, of: letter, frame: frame, settings, seal)
        guard let event else { return message }
        let moves = try moves(with: letter, of: event, in: frame)
        message?.attachments = moves.isEmpty ? [attachment(of: event, in: frame)] : moves
        return message
    }

    /// The calendar attachments for a letter about a registration, if the reader wants them: events to add, change or
    /// remove, with the names from the private calendar: the event, and the family's people by initials.
    ///
    /// - Returns: A file for each date that the letter is about, because the format requires separate files.
    private func moves(with letter: Letter, of event: Event, in frame: LetterFrame) throws -> [MailMessage.Attachment] {
        guard [.registered, .changed, .cancelled].contains(letter.kind), let account = letter.account else {
            return []
        }
        let (opening, zone) = (opening, settings.zone)
        let entries = try read { db in
            try Letter.hasMoves(account, in: db)
                ? EventCalendar.Entry.all(
                    of: account, .family, at: event.id, withAllDates: true, from: letter.createdAt, opening, in: zone,
                    language: frame.language, db: db) : []
        }
        let name = settings.mailFrom.name.isEmpty ? town.siteName : settings.mailFrom.name
        return entries.filter { $0.event.id == event.id || $0.updatedAt >= letter.createdAt }
            .prefix(Letter.mostMoves).map { entry in
                let move = EventCalendar.Move(
                    organizer: (settings.mailFrom.address, name), attendee: letter.address,
                    isCancelled: entry.isCancelled)
                let calendar = EventCalendar(
                    name: event.title, site: settings.publicURL, host: settings.publicHost, language: frame.language,
                    entries: [entry], move: move)
                return MailMessage.Attachment(
                    name: "\(entry.uid).ics", type: "text/calendar; charset=utf-8; method=\(move.method)",
                    bytes: calendar.bytes)
            }
    }

    /// The calendar attachment of a letter that moves nothing: the event alone.
    private func attachment(of event: Event, in frame: LetterFrame) -> MailMessage.Attachment {
        let calendar = EventCalendar(
            name: event.title, site: settings.publicURL, host: settings.publicHost, language: frame.language,
            entries: [.init(event)])
        return MailMessage.Attachment(
            name: "event-\(event.id).ics", type: "text/calendar; charset=utf-8; method=PUBLISH",
            bytes: calendar.bytes)
    }

    /// The site's seal.
    func seal() async throws -> Seal {
        if let seal = try read({ db in try Seal(in: db) }) { return seal }
        try await writeQuietly { db in _ = try Seal.make(in: db) }
        guard let seal = try read({ db in try Seal(in: db) }) else { throw Refusal.notFound }
        return seal
    }

    /// The frame for a letter, in its reader's language.
    func frame(of letter: Letter) throws -> LetterFrame {
        LetterFrame(
            language: try read { db in try language(of: letter.account, in: db) }, publicURL: settings.publicURL,
            town: town, kind: letter.kind, unsubscribe: nil)
    }

    /// The frame for an admin's copy of a letter on a topic; its link unsubscribes the admin.
    func frame(of topic: TownLetter.Topic, for admin: ID<Account>, in language: Language) async throws -> LetterFrame {
        let token = LetterEnding(account: admin, kind: topic.kind).token(try await seal())
        var frame = LetterFrame(
            language: language, publicURL: settings.publicURL, town: town, kind: topic.kind, unsubscribe: nil)
        frame.unsubscribe = frame.address(of: Link.unsubscribe(token))
        return frame
    }

    private static func message(
        _ text: LetterText, of letter: Letter, frame: LetterFrame, _ settings: Settings, _ seal: Seal? = nil
    ) -> MailMessage? {
        guard let to = Mailbox(letter.address) else { return nil }
        let sender = settings.mailFrom
        let name = sender.name.isEmpty ? frame.town.siteName : sender.name
        var message = MailMessage(
            id: letter.messageID(at: settings.publicHost, seal), date: letter.createdAt.milliseconds / 1_000,
            from: Mailbox(sender.address, name: name) ?? sender, to: to,
            subject: text.subject.letter(in: frame.language), text: text.plain(in: frame),
            html: String(decoding: Templates.people.mail.letter(letter: text).bytes(in: frame), as: UTF8.self))
        message.unsubscribe = frame.unsubscribe
        if case .address(let email, let name) = text.answers { message.replyTo = Mailbox(email, name: name) }
        return message
    }

    /// Sends a test letter immediately, bypassing the outbox; the site may be running.
    ///
    /// - Returns: The server's answer, and whether it accepted the letter.
    package static func sendTestLetter(
        _ settings: Settings, to address: String
    ) async -> (isSent: Bool, answer: String) {
        let english = Language(nil, country: settings.country)
        let trial = await trySending(settings, to: address, in: english, at: .now)
        return (trial.isSent, trial.answer ?? "No mail server is set up. (VILLAGE_SMTP_URL)")
    }

    /// Sends a test letter immediately, bypassing the outbox.
    static func trySending(
        _ settings: Settings, to address: String, in language: Language, at now: Instant
    ) async -> Trial {
        let frame = LetterFrame(
            language: language, publicURL: settings.publicURL, town: Town(), kind: .test, unsubscribe: nil)
        return await trySending(.test, in: frame, settings, to: address, at: now)
    }

    /// Sends a letter to the person requesting it, immediately, bypassing the outbox.
    static func trySending(
        _ text: LetterText, in frame: LetterFrame, _ settings: Settings, to address: String, at now: Instant
    ) async -> Trial {
        guard let server = settings.smtp else { return Trial(isSent: false, answer: nil) }
        let letter = Letter(
            id: ID(now.milliseconds), kind: frame.kind, account: nil, address: address, event: nil, registration: nil,
            detail: "", subject: nil, secret: "", state: .waiting, tries: 0, answer: "", createdAt: now, dueAt: now,
            endsAt: now,
            doneAt: nil)
        guard let message = message(text, of: letter, frame: frame, settings) else {
            return Trial(isSent: false, answer: "\(address) is no e-mail address.")
        }
        // Somebody is waiting for the page.
        var patience = MailClient.Patience()
        patience.sending = 20
        let client = MailClient(server, name: settings.publicHost, patience: patience)
        let delivery = await client.send(message)
        if case .accepted(let answer) = delivery { return Trial(isSent: true, answer: answer) }
        return Trial(isSent: false, answer: delivery.answer)
    }
}
