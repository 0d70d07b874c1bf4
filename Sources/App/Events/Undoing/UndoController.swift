import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `POST /undo/{id}`: undoes giving back, removing or discarding something.
struct UndoController {
    let site: Site

    func create(_ context: MemberContext) async throws -> Response {
        let id: ID<Undo> = try context.id()
        let (member, now) = (context.member, context.now)
        do {
            // Pressing again finds it restored already, and doesn't count.
            let taken = try await site.write(counting: .undos, by: member.account, at: now, isAgain: true) { tx in
                let taken = try Undo.take(
                    id, of: member.account, registeredBy: Guardian.head(of: member.account, in: tx),
                    actingFor: Colleague.editing(member, in: tx), in: tx)
                if taken.undo.kind == .event, taken.isNew {
                    try Colleague.authorize(.restored, taken.undo.label, of: taken.owner, by: member, in: tx)
                }
                return (taken, taken.isNew)
            }
            return context.redirect(to: taken.undo.link.top, flash: taken.outcome.flash)
        } catch let refused as Undo.Refused {
            return context.visit.errorPage(
                .conflict, "It can’t be taken back", refused.words,
                link: refused.link.map { ($0, "Open its page") })
        } catch Refusal.notFound {
            // It has been erased or is somebody else's; the response doesn't tell which.
            return context.visit.errorPage(
                .notFound, "It can’t be taken back anymore", "Something can be taken back for ten minutes.")
        }
    }
}

extension Undo.Outcome {
    /// The message on the next page.
    var flash: Flash {
        switch self {
        case .whole: .takenBack
        case .withoutPlaces: .takenBackInPart
        case .withoutActivities: .takenBackWithoutActivities
        case .withoutBegun: .takenBackWithoutBegun
        case .withoutPicture: .takenBackWithoutPicture
        case .withoutReplies: .takenBackWithoutReplies
        case .withoutAnswers: .takenBackWithoutAnswers
        }
    }
}
