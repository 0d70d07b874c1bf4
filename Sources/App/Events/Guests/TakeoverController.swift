import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/claim` and `/claim/{code}`: a member takes a place over that was had at a desk.
struct TakeoverController {
    let site: Site

    func index(_ context: MemberContext) -> Response {
        context.page(Templates.events.guests.code(form: Submission()))
    }

    /// Leads to the place of the code that was typed.
    func find(_ context: MemberContext) async throws -> Response {
        var submission = context.submission(TakeoverCodeForm.self)
        if let form = submission.value {
            do {
                return context.redirect(to: .claim(try await place(of: form.code, context).guest.code))
            } catch Refusal.notFound {
                submission.reject(\.code, "No place has this code, or somebody has taken it over already.")
            }
        }
        return context.again(Templates.events.guests.code(form: submission))
    }

    func show(_ context: MemberContext) async throws -> Response {
        let place = try await place(of: try context.word("code"), context)
        return context.page(Templates.events.guests.takeover(place: place, form: place.form())).withoutReferrer
    }

    func create(_ context: MemberContext) async throws -> Response {
        let code = try await place(of: try context.word("code"), context).guest.code
        let (member, now, body) = (context.member, context.now, context.body)
        do {
            let taken = try await site.write { db in
                let place = try Takeover(code, for: member, at: now, in: db)
                guard place.isOpen else { throw Refusal.tooLate }
                var submission = Submission<TakeoverForm>(body)
                place.offer(in: &submission)
                guard let form = submission.value else { throw Refused(place: place, form: submission) }
                return try place.takeOver(for: form.attendee, by: member.account, at: now, in: db)
            }
            return context.redirect(to: taken.link, flash: .placeTakenOver)
        } catch let refused as Refused {
            return context.again(Templates.events.guests.takeover(place: refused.place, form: refused.form))
        } catch is Takeover.HasPlace {
            let place = try await place(of: code, context)
            var submission = context.submission(TakeoverForm.self)
            place.offer(in: &submission)
            submission.reject("They have a place here already, or wait for one.")
            return context.again(Templates.events.guests.takeover(place: place, form: submission))
        }
    }

    private struct Refused: Error {
        let place: Takeover
        let form: Submission<TakeoverForm>
    }

    /// The place of a code, however it is typed. Wrong ones are counted: a code is found by having it.
    private func place(of typed: String, _ context: MemberContext) async throws -> Takeover {
        let (member, now) = (context.member, context.now)
        if let wait = try site.wait(.claims, by: member.account, at: now) { throw Refusal.tooMany(retryAfter: wait) }
        do {
            guard let code = PrintedCode.read(typed, Guest.codeLength) else { throw Refusal.notFound }
            return try site.read { db in try Takeover(code, for: member, at: now, in: db) }
        } catch Refusal.notFound {
            _ = try await site.take(.claims, by: member.account, at: now)
            throw Refusal.notFound
        }
    }
}
