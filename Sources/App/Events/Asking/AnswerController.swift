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
        let (account, parent, now) = (context.head, context.member.account, context.now)
        let entries = sheet.entries(at: registration.event.id, for: registration.coming.compactMap(\.child))
        let sent = form
        try await site.write { db in
            guard let registration = try Registration.find(registration.id, of: account, at: now, in: db),
                registration.canAnswer(at: now),
                let stored = try AnswerSheet(changing: registration, at: now, in: db)
            else { throw Refusal.tooLate }
            try sent.requireUnchanged(since: stored.form)
            let event = registration.event
            let before = stored.entries(at: event.id, for: registration.coming.compactMap(\.child))
            try Reply.store(entries, of: account, by: parent, at: event.id, now: now, in: db)
            let changed = entries.filter { entry in
                !before.contains { ($0.ask.id, $0.child, $0.answer) == (entry.ask.id, entry.child, entry.answer) }
            }
            try Reply.spread(changed, of: account, by: parent, from: event, now: now, in: db)
        }
        return context.redirect(to: .registration(registration.id).fragment("answers"), flash: .saved)
    }

    /// `POST /registrations/{id}/consents`: revokes a consent, at any time until it is erased; in a series, for all
    /// dates.
    func takeBack(_ context: ParentContext) async throws -> Response {
        let registration = try find(context)
        guard let reply = context.body["reply"].flatMap({ ID<Reply>($0) }) else { throw Refusal.malformed }
        let (account, now) = (context.head, context.now)
        try await site.write { db in
            try Reply.takeBack(reply, from: registration.id, of: account, at: now, in: db)
        }
        return context.redirect(
            to: .registration(registration.id).fragment("answers"),
            flash: registration.event.series == nil ? .consentTakenBack : .consentTakenBackForAll)
    }

    private func sheet(of registration: Registration, _ context: ParentContext) throws -> AnswerSheet? {
        guard registration.canAnswer(at: context.now) else { return nil }
        return try site.read { db in try AnswerSheet(changing: registration, at: context.now, in: db) }
    }

    private func find(_ context: ParentContext) throws -> Registration {
        let id: ID<Registration> = try context.id()
        let found = try site.read { db in try Registration.find(id, of: context.head, at: context.now, in: db) }
        guard let found else { throw Refusal.notFound }
        return found
    }
}
