import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// Choosing an event's sessions for each child.
struct CampController {
    let site: Site

    /// `/events/{id}/sessions`: the sessions and the children.
    func show(_ context: ParentContext) throws -> Response {
        let camp = try advised(try camp(context), context)
        return context.page(Templates.events.camps.sessions(camp: camp, form: camp.form()))
    }

    /// `POST /events/{id}/registrations` with `session`: the chosen children and sessions; with `all` nobody is
    /// registered yet.
    func create(_ context: ParentContext) async throws -> Response {
        if let child = context.body["all"].flatMap({ ID<Child>($0) }) { return try choose(child, context) }
        let id: ID<Event> = try context.id()
        let (body, submission) = (context.body, context.submission(CampForm.self))
        let (member, zone, sent) = (context.member, context.zone, context.sent(submission))
        do {
            let outcome = try await context.write { tx in
                guard try sent.remember(by: member.account, in: tx) else {
                    return try Camp.outcome(of: member.head, at: id, in: tx)
                }
                var camp = try Camp(id, for: member, reading: zone, in: tx)
                var submission = submission
                camp.offer(in: &submission)
                camp.check(&submission)
                camp.answer(body, &submission)
                guard let form = submission.value else { throw Camp.Refused(camp: camp, form: submission) }
                return try camp.register(form, by: member, in: tx)
            }
            switch outcome {
            case .registered(let party): return context.redirect(to: .registration(party))
            case .waiting: return context.redirect(to: .sessions(of: id), flash: .waits)
            }
        } catch let refused as Camp.Refused {
            return try again(refused.camp, refused.form, context)
        } catch let full as Camp.Full {
            return try refuse(
                ["Not every session has room for all of them, so nobody was registered."] + full.words.prefix(10),
                submission, context)
        } catch let refused as Attendee.Refused {
            return try refuse([refused.words], submission, context)
        } catch is Event.NoRoom {
            return try refuse([], submission, context)
        }
    }

    /// The page again, as it was typed, with everything available for one child selected in addition.
    func choose(_ child: ID<Child>?, _ context: ParentContext) throws -> Response {
        var camp = try advised(try camp(context), context)
        var form = Submission<CampForm>(unfinished: context.body)
        camp.offer(in: &form)
        if let child { camp.choose(allFor: child, in: &form) }
        camp.sheet?.read(context.body)
        return context.page(Templates.events.camps.sessions(camp: camp, form: form))
    }

    /// The page again, with the form and the reason why nothing was registered.
    private func refuse(
        _ reasons: [Words], _ submission: Submission<CampForm>, _ context: ParentContext
    ) throws -> Response {
        var camp = try camp(context)
        var submission = submission
        camp.offer(in: &submission)
        camp.check(&submission)
        for reason in reasons { submission.reject(reason) }
        camp.answer(context.body, &submission)
        return try again(camp, submission, context)
    }

    private func again(_ camp: Camp, _ form: Submission<CampForm>, _ context: ParentContext) throws -> Response {
        context.again(Templates.events.camps.sessions(camp: try advised(camp, context), form: form))
    }

    private func advised(_ camp: Camp, _ context: ParentContext) throws -> Camp {
        var camp = camp
        let times = camp.openTimes
        camp.advise(
            beside: try site.read { db in try TimeSlot.plans(of: context.member, around: times, in: db) })
        return camp
    }

    private func camp(_ context: ParentContext) throws -> Camp {
        let id: ID<Event> = try context.id()
        return try site.read(at: context.now) { tx in
            var camp = try Camp(id, for: context.member, reading: context.zone, in: tx)
            camp.undos = try Undo.all(.visit, of: context.member.account, subject: id.rawValue, in: tx)
            return camp
        }
    }
}
