import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/claim` and `/claim/{code}`: taking over a place given at a desk.
struct TakeoverController {
    let site: Site

    func index(_ context: MemberContext) -> Response {
        context.page(Templates.events.guests.code(form: Submission()))
    }

    /// Redirects to the place with the typed code.
    func find(_ context: MemberContext) async throws -> Response {
        let submission = context.submission(TakeoverCodeForm.self)
        guard let form = submission.value else {
            return context.again(Templates.events.guests.code(form: submission))
        }
        guard let place = try await place(of: form.code, context) else { return unknown(submission, context) }
        return context.redirect(to: .takeover(place.guest.code))
    }

    func show(_ context: MemberContext) async throws -> Response {
        guard let place = try await place(of: try context.word("code"), context) else {
            return unknown(Submission(), context)
        }
        return context.page(Templates.events.guests.takeover(place: place, form: place.form())).withoutReferrer
    }

    func create(_ context: MemberContext) async throws -> Response {
        guard let code = try await place(of: try context.word("code"), context)?.guest.code else {
            return unknown(Submission(), context)
        }
        let (member, body) = (context.member, context.body)
        do {
            let taken = try await site.write(at: context.now) { tx in
                guard let place = try Takeover(code, for: member, in: tx) else { throw Refusal.notFound }
                guard place.isOpen else { throw Refusal.tooLate }
                var submission = Submission<TakeoverForm>(body)
                place.offer(in: &submission)
                if submission.accepts(\.attendee), submission.form.attendee == nil {
                    submission.reject(\.attendee, "Choose whose place it is.")
                }
                guard let attendee = submission.value?.attendee else {
                    throw Refused(place: place, form: submission)
                }
                return try place.takeOver(for: attendee, by: member.account, in: tx)
            }
            return context.redirect(to: taken.link, flash: .placeTakenOver)
        } catch Refusal.notFound {
            return unknown(Submission(), context)
        } catch let refused as Refused {
            return context.again(Templates.events.guests.takeover(place: refused.place, form: refused.form))
                .withoutReferrer
        } catch is Takeover.HasPlace {
            guard let place = try await place(of: code, context) else { return unknown(Submission(), context) }
            var submission = context.submission(TakeoverForm.self)
            place.offer(in: &submission)
            submission.reject("They have a place here already.")
            return context.again(Templates.events.guests.takeover(place: place, form: submission)).withoutReferrer
        }
    }

    /// The page for another code, if no place has this one, or no longer.
    private func unknown(_ form: Submission<TakeoverCodeForm>, _ context: MemberContext) -> Response {
        var form = form
        form.reject(\.code, "No place has this code, or somebody has taken it over already.")
        return context.again(Templates.events.guests.code(form: form))
    }

    private struct Refused: Error {
        let place: Takeover
        let form: Submission<TakeoverForm>
    }

    /// The place with a code in any spelling; nil if there is none. Wrong codes are counted, because codes must not be
    /// guessed.
    private func place(of typed: String, _ context: MemberContext) async throws -> Takeover? {
        let (member, now) = (context.member, context.now)
        if let wait = try site.wait(.takeovers, by: member.account, at: now) {
            throw Refusal.tooMany(retryAfter: wait)
        }
        if let code = PrintedCode.read(typed, Guest.codeLength),
            let place = try site.read(at: now, { tx in try Takeover(code, for: member, in: tx) })
        {
            return place
        }
        _ = try await site.take(.takeovers, by: member.account, at: now)
        return nil
    }
}
