import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/threads/{id}`: what somebody who asked for something and the one who promised it say to each other.
struct ThreadController {
    let site: Site

    func show(_ context: MemberContext) async throws -> Response {
        guard let thread = try thread(context) else { return Self.gone(context) }
        let (account, now) = (context.member.account, context.now)
        if thread.unread > 0 {
            try await site.write { db in try ClaimThread.see(thread.claim, by: account, at: now, in: db) }
            // The bell of open pages.
            site.listeners.call([account])
        }
        return try show(thread, Submission(), context)
    }

    func say(_ context: MemberContext) async throws -> Response {
        guard let thread = try thread(context) else { return Self.gone(context) }
        guard let newcomer = context.visit.newcomer, try !isAnswered(thread) else {
            return try await say(in: thread, context)
        }
        return try await context.visit.held(to: newcomer.pace, by: context.member.account) { _ in
            try await say(in: thread, context)
        }
    }

    /// Whether the other one said something: then they want to hear from the reader.
    private func isAnswered(_ thread: ClaimThread) throws -> Bool {
        try site.read { db in try Message.exists(by: thread.other.account, in: .claim(thread.claim), db: db) }
    }

    private func say(in thread: ClaimThread, _ context: MemberContext) async throws -> Response {
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
        } catch Refusal.notFound {
            return Self.gone(context)
        }
        return context.redirect(to: thread.link.fragment("write"))
    }

    private func thread(_ context: MemberContext) throws -> ClaimThread? {
        let id: ID<Claim> = try context.id()
        let account = context.member.account
        return try site.read { db in try ClaimThread.find(id, of: account, in: db) }
    }

    /// In place of a thread that isn't there: whatever was typed for it stands there. It is the same for everybody, so
    /// it tells neither of a block nor whether strangers talk.
    private static func gone(_ context: MemberContext) -> Response {
        context.visit.errorPage(
            .notFound, "No longer there",
            "This conversation has ended, or there never was one. What is needed around the corner is there.",
            link: (.needs, "Needs around the corner"))
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
