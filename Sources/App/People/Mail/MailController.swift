import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/admin/mail`: the outbox, and whether letters are being sent.
struct MailController {
    let site: Site

    func index(_ context: AdminContext) async throws -> Response {
        context.page(
            Templates.people.mail.outbox(page: try await page(context), form: Submission(), trial: nil))
    }

    /// `POST /admin/mail`: sends a test letter immediately.
    func test(_ context: AdminContext) async throws -> Response {
        let submission = context.submission(TestLetterForm.self)
        let page = try await page(context)
        guard let form = submission.value else {
            return context.again(Templates.people.mail.outbox(page: page, form: submission, trial: nil))
        }
        let account = context.member.account
        if let wait = try await site.take(.letters, by: account, at: context.now) {
            throw Refusal.tooMany(retryAfter: wait)
        }
        let trial = await Site.trySending(
            site.settings, to: form.address, in: site.languages[0], at: context.now)
        if trial.isSent { try await site.writeQuietly { db in try Note.set("mail_tested", "1", in: db) } }
        return context.page(Templates.people.mail.outbox(page: page, form: submission, trial: trial))
    }

    func show(_ context: AdminContext) throws -> Response {
        context.page(try view(try letter(context), Submission(), context))
    }

    /// Retries a letter.
    func retry(_ context: AdminContext) async throws -> Response {
        let letter = try letter(context)
        guard try await site.writeQuietly(at: context.now, { tx in try Letter.retry(letter, in: tx) }) else {
            return context.visit.errorPage(
                .conflict, "It isn’t sent again", "What it says is over by now, or it was sent meanwhile.")
        }
        return context.redirect(to: .letter(letter.id), flash: .letterWaits)
    }

    /// Shows the link in a letter for handing over, which is logged.
    func handOver(_ context: AdminContext) async throws -> Response {
        let letter = try letter(context)
        let submission = context.submission(ReasonForm.self)
        guard let form = submission.value else {
            return context.again(try view(letter, submission, context))
        }
        guard let link = letter.link, let account = letter.account else { throw Refusal.notFound }
        let staff = context.member.account
        try await site.write(at: context.now) { tx in
            guard let person = try Account.find(account, in: tx) else { throw Refusal.notFound }
            try AuditEntry.record(
                letter.kind == .reset ? .resetLink : .sendConfirmation, person.username, account.rawValue,
                reason: form.reason, by: staff, in: tx)
        }
        return context.page(
            try view(letter, Submission(), context, link: site.settings.publicURL + link.string))
    }

    private func page(_ context: AdminContext) async throws -> Outbox {
        let state = Letter.State(rawValue: context.query["show"] ?? "") ?? .waiting
        let zone = site.settings.zone
        let hasServer = site.settings.smtp != nil
        return try await site.readSlowly { db in
            try Outbox(state, after: context.after(), hasServer: hasServer, in: zone, db: db)
        }
    }

    private func view(
        _ letter: Letter, _ form: Submission<ReasonForm>, _ context: AdminContext, link: String? = nil
    ) throws -> View<Frame> {
        // The link is private to its reader, and is shown only on the page for handing it over.
        let text =
            [.chosen, .wished].contains(letter.kind.rule(of: .mail))
            ? try site.read(at: context.now) { tx in
                try letter.text(country: site.settings.country, zone: site.settings.zone, in: tx)
            } : nil
        return Templates.people.mail.letterPage(
            row: LetterRow(letter, in: site.settings.zone), text: try text?.plain(in: site.frame(of: letter)),
            form: form,
            link: link)
    }

    private func letter(_ context: AdminContext) throws -> Letter {
        let id: ID<Letter> = try context.id()
        guard let letter = try site.read({ db in try Letter.find(id, in: db) }) else {
            throw Refusal.notFound
        }
        return letter
    }
}

/// The recipient of a test letter.
struct TestLetterForm: Form {
    var address = ""

    static let fields: [Field<TestLetterForm>] = [
        .email("address", \.address, "Send a test letter to").missing("Give an e-mail address.")
    ]
}
