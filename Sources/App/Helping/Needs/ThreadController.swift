import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/threads/{id}`: what somebody who asked for something and the one who promised it say to each other.
struct ThreadController {
    let site: Site

    func show(_ context: MemberContext) async throws -> Response {
        let thread = try thread(context)
        let (account, now) = (context.member.account, context.now)
        if thread.unread > 0 {
            try await site.write { db in try ClaimThread.see(thread.claim, by: account, at: now, in: db) }
        }
        return try show(thread, Submission(), context)
    }

    func say(_ context: MemberContext) async throws -> Response {
        let thread = try thread(context)
        var submission = context.submission(MessageForm.self)
        guard let form = submission.value else { return try show(thread, submission, context) }
        let (account, now, once) = (context.member.account, context.now, submission.once)
        let sent = context.sent(submission)
        do {
            try await site.carryOut(sent, counting: .messages, by: account, at: now) { db in
                ((), try Message.send(form.text, in: thread.claim, by: account, once: once, at: now, db: db))
            }
        } catch is Message.HasLink {
            submission.reject(\.text, Message.HasLink.words)
            return try show(thread, submission, context)
        } catch is ClaimThread.IsOver {
            submission.reject(\.text, ClaimThread.IsOver.words)
            return try show(thread, submission, context)
        }
        return context.redirect(to: thread.link.fragment("write"))
    }

    private func thread(_ context: MemberContext) throws -> ClaimThread {
        let id: ID<Claim> = try context.id()
        let account = context.member.account
        guard let thread = try site.read({ db in try ClaimThread.find(id, of: account, in: db) }) else {
            throw Refusal.notFound
        }
        return thread
    }

    private func show(
        _ thread: ClaimThread, _ form: Submission<MessageForm>, _ context: MemberContext
    ) throws -> Response {
        let after: Cursor<ID<Message>>? = context.after()
        let said = try site.read { db in try Talk.Said(in: .claim(thread.claim), after: after, db: db) }
        let page = ThreadPage(
            thread, of: context.member.account, said, at: context.now, in: site.settings.zone)
        let view = Templates.helping.needs.thread(page: page, form: form)
        return form.problems.isEmpty ? context.page(view) : context.again(view)
    }
}
