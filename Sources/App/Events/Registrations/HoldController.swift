import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/events/{id}/held`: places held for families that need help with the fee. Only the event's host sees it.
struct HoldController {
    let site: Site

    func show(_ context: ProviderContext) throws -> Response {
        let (event, hold) = try own(context)
        return context.page(try page(of: event, hold, Submission(changing: HoldForm(hold, in: event.clock)), context))
    }

    func set(_ context: ProviderContext) async throws -> Response {
        let (event, hold) = try own(context)
        let now = context.now
        var submission = context.submission(changing: HoldForm(hold, in: event.clock), by: nil)
        if let form = submission.value { form.check(&submission, at: event, now: now) }
        guard let form = submission.value else { return context.again(try page(of: event, hold, submission, context)) }
        let checked = submission
        let places = form.places ?? 0
        let until = Hold.end(of: form.lastDay, at: event, now: now)
        do {
            try await context.write { tx in
                try Event.keepOthersOut(of: event.id, in: tx)
                let stored = try Hold.find(at: event.id, in: tx)
                let page = Submission(changing: HoldForm(stored, in: event.clock))
                guard try checked.isChange(of: page) else { return }
                let isDrawn = try Draw.pending(at: event.id, in: tx) != nil
                if places > 0, let reason = Hold.refusal(at: event, isDrawn: isDrawn, now: tx.now) {
                    throw Impossible(words: reason)
                }
                try Hold.set(places, until: until, at: event.id, in: tx)
            }
        } catch let many as Hold.TooMany {
            submission.reject(
                \.places,
                Words(
                    "At most {count} place can be held: the others are taken.",
                    plural: "At most {count} places can be held: the others are taken.", count: many.most))
            return context.again(try page(of: event, hold, submission, context))
        } catch let impossible as Impossible {
            submission.reject(impossible.words)
            return context.again(try page(of: event, hold, submission, context))
        }
        return context.redirect(to: .roster(of: event.id), flash: .saved)
    }

    private struct Impossible: Error {
        let words: Words
    }

    private func own(_ context: ProviderContext) throws -> (Event, Hold?) {
        let id: ID<Event> = try context.id()
        return try site.read { db in
            let event = try Event.find(id, of: context.host, in: db)
            return (event, try Hold.find(at: id, in: db))
        }
    }

    private func page(
        of event: Event, _ hold: Hold?, _ form: Submission<HoldForm>, _ context: ProviderContext
    ) throws -> View<Frame> {
        let isDrawn = try site.read { db in try Draw.pending(at: event.id, in: db) != nil }
        let refusal = Hold.refusal(at: event, isDrawn: isDrawn, now: context.now)
        return Templates.events.held(page: HoldPage(event: event, hold: hold, refusal: refusal, form: form))
    }
}
