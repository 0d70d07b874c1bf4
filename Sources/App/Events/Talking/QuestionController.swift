import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// Questions and answers on an event's page.
struct QuestionController {
    let site: Site

    /// `/events/{id}/questions`: redirects to the event's page, which contains them.
    func index(_ context: PublicContext) throws -> Response {
        let id: ID<Event> = try context.id()
        _ = try site.read(at: context.now) { tx in try EventPage(id, for: context.visit.visitor, in: tx) }
        return context.redirect(to: .questions(id))
    }

    /// Families ask about events for children, any member about events for everyone.
    func create(_ context: MemberContext) async throws -> Response {
        let id: ID<Event> = try context.id()
        let account = context.member.account
        var (page, names) = try site.read(at: context.now) { tx in
            (
                try site.eventPage(id, for: context.member, in: tx).mapped(site.outlines, in: tx),
                try context.member.family.map { try Child.all(of: $0.id, in: tx).map(\.nickname) } ?? []
            )
        }
        guard page.event.isForEveryone || context.member.family != nil else { throw Refusal.noProfile(.parent) }
        var submission = context.submission(QuestionForm.self)
        if page.isOwn { throw Refusal.notAllowed }
        if !page.canAsk { submission.reject("Nothing can be asked anymore: this event is over or canceled.") }
        if !submission.form.isPrivate, Question.names(names, in: submission.form.text) {
            submission.reject(\.text, "Leave out your child’s name, or ask only the host: others read it.")
        }
        if let form = submission.value {
            let (once, sent) = (submission.once, context.sent(submission))
            do {
                try await site.write(at: context.now) { tx in
                    try sent.remember(by: account, in: tx)
                    try Question.ask(form, about: id, by: account, once: once, in: tx)
                }
                return context.redirect(to: .event(id), flash: .asked)
            } catch is Question.TooMany {
                submission.reject("You have asked several things already. Please wait for the answers.")
            }
        }
        page.asked = submission
        return context.again(Templates.events.show(page: page, form: page.registration()))
    }

    // MARK: Answers

    func edit(_ context: MemberContext) throws -> Response {
        let page = try page(context)
        let form = Submission(changing: AnswerForm(text: page.question.answer))
        return context.page(Templates.events.talking.answer(page: page, form: form))
    }

    func answer(_ context: MemberContext) async throws -> Response {
        let page = try page(context)
        let (host, member) = (page.event.host.id, context.member)
        var submission = try context.submission(
            changing: AnswerForm(text: page.question.answer),
            by: try site.read { db in
                try TeamAct.last(.answered, page.event.title, of: host, besides: member.account, in: db)
            })
        guard let form = submission.value else {
            return context.again(Templates.events.talking.answer(page: page, form: submission))
        }
        let sent = submission
        do {
            try await site.write(at: context.now) { tx in
                guard let stored = try Question.find(page.question.id, to: host, in: tx) else { throw Refusal.notFound }
                // The asker isn't told twice about the same words.
                let isNew = try sent.isChange(of: Submission(changing: AnswerForm(text: stored.answer)))
                if isNew { try Question.answer(page.question, form.text, in: tx) }
                try Cohost.authorize(
                    .answered, page.event.title, of: host, at: page.event.id, by: member, isNew: isNew, in: tx)
            }
        } catch is Question.Closed {
            submission.reject("This question was closed meanwhile, and takes no answer anymore.")
            return context.again(Templates.events.talking.answer(page: page, form: submission))
        }
        return context.redirect(to: .event(page.event.id), flash: .saved)
    }

    /// `POST /questions/{id}/close`: for the asker or the host.
    func close(_ context: MemberContext) async throws -> Response {
        let id: ID<Question> = try context.id()
        let (account, member) = (context.member.account, context.member)
        let (question, host) = try site.read { db in
            guard let question = try Question.find(id, in: db) else { throw Refusal.notFound }
            let host = try Cohost.host(of: question, with: account, in: db) ?? member.editing
            if question.asker != account, try Question.find(id, to: host, in: db) == nil { throw Refusal.notFound }
            return (question, host)
        }
        let isAsker = question.asker == account
        try await site.write(at: context.now) { tx in
            let isNew = try Question.close(id, by: isAsker ? account : host, in: tx)
            guard !isAsker, let event = try Event.find(question.event, in: tx) else { return }
            try Cohost.authorize(.dismissed, event.title, of: host, at: event.id, by: member, isNew: isNew, in: tx)
        }
        return context.redirect(to: context.next ?? .event(question.event), flash: .saved)
    }

    private func page(_ context: MemberContext) throws -> QuestionPage {
        let id: ID<Question> = try context.id()
        let found = try site.read { db -> QuestionPage? in
            guard let asked = try Question.find(id, in: db),
                let question = try Question.find(
                    id, to: Cohost.host(of: asked, with: context.member.account, in: db) ?? context.acting, in: db),
                let event = try Event.find(question.event, in: db)
            else { return nil }
            return QuestionPage(question: question, event: event)
        }
        // A neighbor hosts under any hat; a member of an organization's team answers for it under the provider's.
        if found?.event.isForEveryone != true, context.member.has(.provider), !context.member.isProvider {
            throw Refusal.wrongHat(.provider)
        }
        guard let page = found else { throw Refusal.notFound }
        return page
    }

    // MARK: Staff

    func review(_ context: StaffContext) throws -> Response {
        context.page(
            Templates.events.talking.review(page: try reviewed(context), form: Submission<ReasonForm>()))
    }

    /// Hides a question with its answer.
    func hide(_ context: StaffContext) async throws -> Response {
        let page = try reviewed(context)
        let form = context.submission(ReasonForm.self)
        guard let reason = form.value?.reason else {
            return context.again(Templates.events.talking.review(page: page, form: form))
        }
        try await context.hide(.question(page.question.id), because: reason, at: page.question.review)
        return context.redirect(to: .event(page.event.id), flash: .saved)
    }

    /// Shows both again.
    func unhide(_ context: StaffContext) async throws -> Response {
        let page = try reviewed(context)
        let form = context.submission(ReasonForm.self)
        guard let reason = form.value?.reason else {
            return context.again(Templates.events.talking.review(page: page, form: form))
        }
        try await context.show(.question(page.question.id), because: reason, at: page.question.review)
        return context.redirect(to: .event(page.event.id), flash: .saved)
    }

    /// Staff see only public questions; private ones are between two people.
    private func reviewed(_ context: StaffContext) throws -> QuestionPage {
        let id: ID<Question> = try context.id()
        let found = try site.read { db -> QuestionPage? in
            guard let question = try Question.find(id, in: db), !question.isPrivate, question.isAnswered,
                let event = try Event.find(question.event, in: db)
            else { return nil }
            return QuestionPage(question: question, event: event)
        }
        guard let page = found else { throw Refusal.notFound }
        return page
    }
}
