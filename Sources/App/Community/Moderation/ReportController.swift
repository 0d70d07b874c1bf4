import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// `/reports/new`: anyone can report content, even without an account.
struct ReportController {
    let site: Site

    func new(_ context: PublicContext) throws -> Response {
        let exhibit = try exhibit(context.query["about"], context)
        return context.page(Templates.community.moderation.report(exhibit: exhibit, form: Submission())).unlisted
    }

    func create(_ context: PublicContext) async throws -> Response {
        let exhibit = try exhibit(context.query["about"] ?? context.body["about"], context)
        var submission = context.submission(ReportForm.self)
        if let form = submission.value {
            let account = context.visit.visitor?.account
            let once = submission.once
            // Sending the same form again doesn't count.
            if try site.read({ db in try Report.find(once: once, in: db) }) == nil {
                try await count(form, by: account, context)
            }
            let sent = context.sent(submission)
            let outcome = try await site.write(at: context.now) { tx in
                if let account { try sent.remember(by: account, in: tx) }
                return try Report.file(form, about: exhibit, by: account, once: once, in: tx)
            }
            switch outcome {
            case .taken:
                // A reporter without an account gets a link to the outcome.
                if account == nil, form.email != nil, let link = try link(to: once) {
                    return context.redirect(to: link, flash: .reported).withoutReferrer
                }
                // Members' reports may have hidden it just now.
                let isThere = try site.read { db in
                    try Exhibit.find(exhibit.subject, for: context.visit.visitor, in: db) != nil
                }
                return context.redirect(to: isThere ? exhibit.link : Link.moderation, flash: .reported)
            case .foundFine: return context.redirect(to: exhibit.link, flash: .foundFine)
            case .own: submission.reject("This is your own. You can change it or delete it yourself.")
            }
        }
        return context.again(Templates.community.moderation.report(exhibit: exhibit, form: submission))
    }

    private func count(_ form: ReportForm, by account: ID<Account>?, _ context: PublicContext) async throws {
        let now = context.now
        let wait =
            if let account {
                try await site.take(.reports, by: account, at: now)
            } else {
                try await site.take(.reports, by: context.visit.address.subscriber, at: now)
            }
        if let wait { throw Refusal.tooMany(retryAfter: wait) }
        // Reports can't be used to flood an address with letters.
        if account == nil, let email = form.email,
            let wait = try await site.take(.letters, by: email.lowercased(), at: now)
        {
            throw Refusal.tooMany(retryAfter: wait)
        }
    }

    /// `/reports/{token}`: the outcome of a report.
    func show(_ context: PublicContext) throws -> Response {
        let token = try context.word("token")
        let answer = try site.read { db -> ReportAnswer? in
            guard let seal = try Seal(in: db), let id = Report.open(token, seal) else { return nil }
            return try Report.answer(to: id, in: db)
        }
        guard let answer else { throw Refusal.notFound }
        return context.page(
            Templates.community.moderation.reported(
                answer: answer, time: context.zone.words(answer.at, \.shortName))
        ).unlisted.withoutReferrer
    }

    private func link(to once: String) throws -> Link? {
        try site.read { db in
            guard let id = try Report.find(once: once, in: db), let seal = try Seal(in: db) else { return nil }
            return Report.link(to: id, seal)
        }
    }

    /// The content to report, if the visitor may read it.
    private func exhibit(_ text: String?, _ context: PublicContext) throws -> Exhibit {
        let reader = context.visit.visitor
        guard let subject = text.flatMap(Subject.init(rawValue:)),
            let exhibit = try site.read({ db in try Exhibit.find(subject, for: reader, in: db) })
        else { throw Refusal.notFound }
        return exhibit
    }
}
