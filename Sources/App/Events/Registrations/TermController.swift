import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// Registering children for several dates of a series at once.
struct TermController {
    let site: Site

    /// `/events/{id}/dates`: the children and the dates to choose from.
    func show(_ context: ParentContext) throws -> Response {
        let term = try term(context)
        guard !term.dates.isEmpty else { return context.redirect(to: term.event.link) }
        return context.page(Templates.events.registrations.dates(term: term, form: term.form()))
    }

    /// `POST /events/{id}/registrations` with `dates`, each or `all`: all of it, or nothing.
    func create(_ context: ParentContext) async throws -> Response {
        let id: ID<Event> = try context.id()
        let body =
            context.body["dates"] == "all"
            ? context.body.replacing("dates", with: try term(context).dates.map { "\($0.id)" }) : context.body
        let submission = Submission<TermForm>(body)
        let (account, member, zone) = (context.head, context.member, context.zone)
        do {
            let first = try await context.write { tx in
                if let earlier = try Registration.sent(submission.once, by: account, in: tx) { return earlier }
                var term = try Term(id, for: member, reading: zone, in: tx)
                var submission = submission
                term.offer(in: &submission)
                term.check(&submission)
                term.answer(body, &submission)
                guard let form = submission.value else { throw Term.Refused(term: term, form: submission) }
                return try term.register(form, of: account, by: member.account, once: submission.once, in: tx)
            }
            return context.redirect(to: .registration(first))
        } catch let refused as Term.Refused {
            return again(refused.term, refused.form, context)
        } catch let full as Term.Full {
            var term = try term(context)
            var submission = submission
            term.offer(in: &submission)
            submission.reject("Not every date has room for all of them, so nobody was registered.")
            for date in full.dates.prefix(10) { submission.reject(Term.words(date)) }
            term.answer(body, &submission)
            term.offersWaiting = full.dates.allSatisfy(\.mayWait)
            return again(term, submission, context)
        } catch is Registration.ChildrenChanged {
            return context.redirect(to: .dates(of: id))
        }
    }

    /// The page again, as it was typed.
    func resume(_ context: ParentContext) throws -> Response { try draw(context.body, try term(context), context) }

    /// The page for somebody who began with the form for a single date: what was typed there goes along.
    func look(_ context: ParentContext) throws -> Response {
        let term = try term(context)
        let usual = term.form().form
        // It is another form than that one, which may have been sent already.
        var body = context.body.replacing("once", with: [])
        body = body.replacing("dates", with: usual.dates.map { "\($0)" })
        if body["child"] == nil { body = body.replacing("child", with: usual.children.map { "\($0)" }) }
        return try draw(body, term, context)
    }

    private func draw(_ body: FormBody, _ term: Term, _ context: ParentContext) throws -> Response {
        var term = term
        guard !term.dates.isEmpty else { return context.redirect(to: term.event.link) }
        var form = Submission<TermForm>(unfinished: body)
        term.offer(in: &form)
        term.sheet?.read(body)
        return context.page(Templates.events.registrations.dates(term: term, form: form))
    }

    /// The page of dates for a form about a single date of a series whose dates belong together.
    func insteadOfOne(_ sent: Submission<RegistrationForm>, _ context: ParentContext) throws -> Response {
        let term = try term(context)
        var form = term.form()
        form.fill(\.children, sent.form.children)
        form.reject("Families register for all dates together here. Nobody was registered so far.")
        return again(term, form, context)
    }

    private func again(_ term: Term, _ form: Submission<TermForm>, _ context: ParentContext) -> Response {
        guard !term.dates.isEmpty else { return context.redirect(to: term.event.link) }
        return context.again(Templates.events.registrations.dates(term: term, form: form))
    }

    private func term(_ context: ParentContext) throws -> Term {
        let id: ID<Event> = try context.id()
        return try site.read(at: context.now) { tx in
            let term = try Term(id, for: context.member, reading: context.zone, in: tx)
            let times = term.dates.map(\.card.startsAt)
            return term.advised(beside: try TimeSlot.plans(of: context.member, around: times, in: tx))
        }
    }
}
