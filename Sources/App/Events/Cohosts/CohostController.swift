import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/events/{id}/cohosts`: co-hosting a neighbor's event.
struct CohostController {
    let site: Site

    /// The limit on invitations.
    private static let rule = RateRule(name: "co-hosts", count: 10, period: .days(1))

    func show(_ context: MemberContext) throws -> Response {
        // A notice or letter led here; the event's page explains the outcome.
        if try isTooLate(context) { return context.redirect(to: .event(try context.id())) }
        return context.page(Templates.events.cohosts.show(page: try page(context), form: Submission()))
    }

    /// Invites somebody. The response is the same whether or not there is somebody to invite.
    func create(_ context: MemberContext) async throws -> Response {
        let page = try page(context, as: .host)
        var submission = context.submission(CohostForm.self)
        let who = Cohost.key(of: submission.form.who)
        if submission.accepts(\.who) {
            if who.isEmpty { submission.reject(\.who, "Say who is to host it with you.") }
            if [context.member.username, context.member.email].contains(who) {
                submission.reject(\.who, "That is you.")
            }
        }
        guard submission.value != nil else {
            return context.again(Templates.events.cohosts.show(page: page, form: submission))
        }
        let (account, id) = (context.member.account, page.event.id)
        do {
            try await site.carryOut(context.sent(submission), counting: Self.rule, by: account, at: context.now) {
                tx, isFirst in
                guard isFirst else { return ((), false) }
                // It may have been handed over or canceled while the form was open.
                try Cohost.ask(who, to: Event.find(id, of: account, in: tx), in: tx)
                return ((), true)
            }
        } catch let obstacle as Cohost.Obstacle {
            submission.reject(obstacle.words)
            return context.again(Templates.events.cohosts.show(page: page, form: submission))
        }
        return context.redirect(to: page.link, flash: .cohostAsked)
    }

    /// `POST /events/{id}/cohosts/answer`: accepts or declines.
    func answer(_ context: MemberContext) async throws -> Response {
        let id: ID<Event> = try context.id()
        guard let answer = context.body["answer"], ["yes", "no"].contains(answer) else { throw Refusal.malformed }
        let account = context.member.account
        try await site.write(at: context.now) { tx in try Cohost.answer(answer == "yes", of: id, by: account, in: tx) }
        return context.redirect(to: answer == "yes" ? .event(id) : .start, flash: .saved)
    }

    /// `POST /events/{id}/cohosts/end`: the host removes a co-host or withdraws an invitation; a co-host leaves.
    func end(_ context: MemberContext) async throws -> Response {
        let id: ID<Event> = try context.id()
        let account = context.member.account
        guard let word = context.body["cohost"] else {
            try await site.write(at: context.now) { tx in
                guard let event = try Event.find(id, in: tx) else { throw Refusal.notFound }
                try Cohost.leave(event, by: account, in: tx)
            }
            return context.redirect(to: .event(id), flash: .saved)
        }
        guard let cohost = ID<Cohost>(word) else { throw Refusal.malformed }
        let isInvitation = context.body["asked"] == "1"
        try await site.write(at: context.now) { tx in
            try Cohost.end(cohost, of: Event.find(id, of: account, in: tx), isInvitation: isInvitation, in: tx)
        }
        return context.redirect(to: .cohosts(of: id), flash: .saved)
    }

    private func isTooLate(_ context: MemberContext) throws -> Bool {
        try site.read(at: context.now) { tx in try Cohost.isTooLate(context.member.account, of: context.id(), in: tx) }
    }

    private func page(_ context: MemberContext, as role: CohostsPage.Role? = nil) throws -> CohostsPage {
        let page = try site.read(at: context.now) { tx in
            try CohostsPage(context.id(), for: context.member, in: context.zone, tx: tx)
        }
        guard role == nil || page.role == role else { throw Refusal.notFound }
        return page
    }
}
