import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/admin/letters`: letters from the people who run the site to members who chose a topic.
struct TownLetterController {
    let site: Site

    func index(_ context: AdminContext) throws -> Response {
        let topics = try topics(context)
        let page = try site.read { db in try TownLetter.all(after: context.after(), in: db) }
        return context.page(
            Templates.people.letters.index(
                page: TownLettersPage(
                    topics: topics, letters: page.items.map { ($0, context.zone.words($0.at, \.shortName)) },
                    more: page.more(at: .townLetters), hasServer: site.settings.smtp != nil)))
    }

    func form(_ context: AdminContext) throws -> Response {
        var form = Submission<TownLetterForm>()
        form.offer(\.topic, TownLettersPage.choices(try topics(context)))
        return context.page(Templates.people.letters.new(form: form))
    }

    /// One form: first a preview, and then it is sent.
    func create(_ context: AdminContext) async throws -> Response {
        let topics = try topics(context)
        var submission = context.submission(TownLetterForm.self)
        submission.offer(\.topic, TownLettersPage.choices(topics))
        guard let form = submission.value, let topic = topics.first(where: { $0.topic == form.topic }) else {
            return context.again(Templates.people.letters.new(form: submission))
        }
        if topic.readers == 0 {
            submission.reject(\.topic, TopicRow.noReaders)
            return context.again(Templates.people.letters.new(form: submission))
        }
        let isTrial = context.body["trial"] != nil
        if isTrial || submission.step == .preview {
            return try await preview(form, submission, topic, isTrial: isTrial, context)
        }
        guard submission.step == .publish else {
            return context.page(Templates.people.letters.new(form: submission))
        }
        let (sent, account) = (context.sent(submission), context.member.account)
        do {
            let isNew = try await site.write(at: context.now) { tx in
                try Role.require(.admin, of: account, in: tx)
                guard try sent.remember(by: account, in: tx) else { return false }
                let id = try TownLetter.send(form, in: tx)
                try AuditEntry.record(.sendLetter, form.title, id.rawValue, reason: "", by: account, in: tx)
                return true
            }
            return context.redirect(to: .townLetters, flash: isNew ? .letterGoesOut : .sentBefore)
        } catch let obstacle as TownLetter.Obstacle {
            switch obstacle {
            case .resting(let time):
                submission.reject(\.topic, TopicRow.wait(until: context.zone.words(time, \.shortName)))
            case .noReaders: submission.reject(\.topic, TopicRow.noReaders)
            }
            return context.again(Templates.people.letters.new(form: submission))
        }
    }

    /// The letter as readers will see it; a button sends a copy by mail.
    private func preview(
        _ form: TownLetterForm, _ submission: Submission<TownLetterForm>, _ topic: TopicRow, isTrial: Bool,
        _ context: AdminContext
    ) async throws -> Response {
        let (account, now) = (context.member.account, context.now)
        let text = LetterText.town(form.title, form.body)
        let frame = try await site.frame(of: topic.topic, for: account, in: context.language)
        var trial: Trial?
        if isTrial {
            if let wait = try await site.take(.letters, by: account, at: now) {
                throw Refusal.tooMany(retryAfter: wait)
            }
            guard let person = try site.read({ db in try Account.find(account, in: db) }) else {
                throw Refusal.notFound
            }
            trial = await Site.trySending(text, in: frame, site.settings, to: person.email, at: now)
        }
        return context.page(
            Templates.people.letters.preview(
                form: submission, topic: topic, title: form.title, text: text.plain(in: frame), trial: trial))
    }

    func show(_ context: AdminContext) throws -> Response {
        let letter = try letter(context)
        return context.page(
            Templates.people.letters.show(letter: letter, at: context.zone.words(letter.at, \.shortName)))
    }

    /// `POST /admin/letters/{id}/stop`: members who don't have it yet won't get it.
    func stop(_ context: AdminContext) async throws -> Response {
        let letter = try letter(context)
        let account = context.member.account
        try await site.write(at: context.now) { tx in
            try Role.require(.admin, of: account, in: tx)
            guard try TownLetter.stop(letter, in: tx) else { return }
            try AuditEntry.record(.stopLetter, letter.title, letter.id.rawValue, reason: "", by: account, in: tx)
        }
        return context.redirect(to: letter.link)
    }

    private func letter(_ context: AdminContext) throws -> TownLetter {
        let id: ID<TownLetter> = try context.id()
        guard let letter = try site.read({ db in try TownLetter.find(id, in: db) }) else { throw Refusal.notFound }
        return letter
    }

    /// The topics of modules that are open.
    private func topics(_ context: AdminContext) throws -> [TopicRow] {
        let open = TownLetter.Topic.allCases.filter { site.opening.has($0.kind.module) }
        return try site.read(at: context.now) { tx in try TownLetter.state(of: open, in: tx) }.map { row in
            TopicRow(
                topic: row.topic, readers: row.readers,
                next: row.next.map { context.zone.words($0, \.shortName) })
        }
    }
}
