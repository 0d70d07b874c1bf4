import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/threads/{id}`: what the two sides of a promise, a sign-up to help or a private question say to each other.
struct ThreadController {
    let site: Site

    func show(_ context: MemberContext) async throws -> Response {
        guard let thread = try thread(context) else { return Self.gone(context) }
        let account = context.member.account
        if thread.unread > 0 {
            try await site.write(at: context.now) { tx in try TalkThread.see(thread.id, by: account, in: tx) }
            // The bell of open pages.
            site.listeners.call([account])
        }
        return try show(thread, Submission(), context)
    }

    func say(_ context: MemberContext) async throws -> Response {
        guard let thread = try thread(context) else { return Self.gone(context) }
        let account = context.member.account
        guard let newcomer = context.visit.newcomer,
            try !site.read({ db in try thread.isAnswered(to: account, in: db) })
        else { return try await say(in: thread, context) }
        return try await context.visit.held(to: newcomer.pace, by: account) { _ in
            try await say(in: thread, context)
        }
    }

    private func say(in thread: TalkThread, _ context: MemberContext) async throws -> Response {
        var submission = context.submission(MessageForm.self)
        guard let form = submission.value else { return try show(thread, submission, context) }
        let (account, once) = (context.member.account, submission.once)
        let sent = context.sent(submission)
        do {
            try await site.carryOut(sent, counting: .messages, by: account, at: context.now) { tx in
                let isNew = try Message.send(form.text, in: thread.id, by: account, once: once, tx: tx)
                if isNew { try Question.settle(in: thread, by: account, tx: tx) }
                return ((), isNew)
            }
        } catch is Message.HasLink {
            submission.reject(\.text, Message.HasLink.words)
            return try show(thread, submission, context)
        } catch is TalkThread.IsOver {
            submission.reject(\.text, thread.about.closed)
            return try show(thread, submission, context)
        } catch Refusal.notFound {
            return Self.gone(context)
        }
        return context.redirect(to: thread.link.fragment("write"))
    }

    private func thread(_ context: MemberContext) throws -> TalkThread? {
        let id: ID<TalkThread> = try context.id()
        let account = context.member.account
        let thread = try site.read { db in try TalkThread.find(id, of: account, in: db) }
        guard site.opening.has(thread?.about.module) else { throw Refusal.switchedOff }
        return thread
    }

    /// The page for an unavailable conversation, with the text that was typed for it. It is the same for everyone, so
    /// it reveals neither a block nor whether others talk.
    private static func gone(_ context: MemberContext) -> Response {
        context.visit.errorPage(
            .notFound, "No longer there", "This conversation has ended, or never existed.",
            link: (.inbox, "Inbox"))
    }

    private func show(
        _ thread: TalkThread, _ form: Submission<MessageForm>, _ context: MemberContext
    ) throws -> Response {
        let after: Cursor<ID<Message>>? = context.after()
        let said = try site.read { db in try Talk.Said(in: .thread(thread.id), after: after, db: db) }
        let page = ThreadPage(
            thread, of: context.member.account, said, at: context.now, in: context.zone)
        let view = Templates.community.messages.thread(page: page, form: form)
        return form.problems.isEmpty ? context.page(view) : context.again(view)
    }
}
