import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/registrations/{id}/answers`: a family's answers where it has a place or waits for one. Only its parents see them
/// here.
struct AnswerController {
    let site: Site

    func edit(_ context: ParentContext) throws -> Response {
        let registration = try find(context)
        guard let sheet = try sheet(of: registration, context) else {
            return context.redirect(to: .registration(registration.id))
        }
        return context.page(
            Templates.events.asking.answers(registration: registration, sheet: sheet, form: sheet.form))
    }

    func update(_ context: ParentContext) async throws -> Response {
        let registration = try find(context)
        guard var sheet = try sheet(of: registration, context) else { throw Refusal.tooLate }
        let body = context.body.merged(onto: sheet.form, by: nil)
        var form = Submission<AnswersForm>(body)
        sheet.read(body, unmerged: context.body)
        sheet.check(for: registration.coming.compactMap(\.child))
        form.add(sheet.problems)
        guard form.isValid else {
            return context.again(
                Templates.events.asking.answers(registration: registration, sheet: sheet, form: form))
        }
        let (account, parent) = (context.head, context.member.account)
        let entries = sheet.entries(at: registration.event.id, for: registration.coming.compactMap(\.child))
        let sent = form
        try await context.write { tx in
            guard let registration = try Registration.find(registration.id, of: account, in: tx),
                registration.canAnswer(at: tx.now),
                let stored = try AnswerSheet(changing: registration, in: tx)
            else { throw Refusal.tooLate }
            try sent.requireUnchanged(since: stored.form)
            let event = registration.event
            let before = stored.entries(at: event.id, for: registration.coming.compactMap(\.child))
            try Reply.store(entries, of: account, by: parent, at: event.id, in: tx)
            let changed = entries.filter { entry in
                !before.contains { ($0.ask.id, $0.child, $0.answer) == (entry.ask.id, entry.child, entry.answer) }
            }
            try Reply.spread(changed, of: account, by: parent, from: event, in: tx)
        }
        return context.redirect(to: .registration(registration.id).fragment("answers"), flash: .saved)
    }

    /// `POST /registrations/{id}/consents`: revokes a consent, at any time until it is erased; in a series, for all
    /// dates.
    func takeBack(_ context: ParentContext) async throws -> Response {
        let registration = try find(context)
        guard let reply = context.body["reply"].flatMap({ ID<Reply>($0) }) else { throw Refusal.malformed }
        let account = context.head
        try await context.write { tx in
            try Reply.takeBack(reply, from: registration.id, of: account, in: tx)
        }
        return context.redirect(
            to: .registration(registration.id).fragment("answers"),
            flash: registration.event.series == nil ? .consentTakenBack : .consentTakenBackForAll)
    }

    private func sheet(of registration: Registration, _ context: ParentContext) throws -> AnswerSheet? {
        guard registration.canAnswer(at: context.now) else { return nil }
        return try site.read(at: context.now) { tx in try AnswerSheet(changing: registration, in: tx) }
    }

    private func find(_ context: ParentContext) throws -> Registration {
        let id: ID<Registration> = try context.id()
        let found = try site.read(at: context.now) { tx in try Registration.find(id, of: context.head, in: tx) }
        guard let found else { throw Refusal.notFound }
        return found
    }
}
