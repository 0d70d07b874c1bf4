import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/offers/{token}` and `/give-back/{token}`: actions through the link in a letter, logged in or not. Anyone with the
/// letter may use it, as long as its reader looks after the children, so no page here contains a child's name.
struct OfferController {
    let site: Site

    // MARK: An offer

    func show(_ context: PublicContext) throws -> Response {
        let (id, reader, token) = try opened(.offer, context)
        let page = try page(of: id, for: reader, token, at: context.now)
        return context.page(Templates.events.registrations.offer(page: page, isRefused: false)).withoutReferrer
    }

    /// `POST /offers/{token}`: accepts the places; `answer=no` declines, `answer=undo` reverts that.
    func answer(_ context: PublicContext) async throws -> Response {
        let (id, reader, token) = try opened(.offer, context)
        let now = context.now
        let answer = context.body["answer"] ?? ""
        do {
            try await site.write(at: now) { tx in
                let holder = try Registration.holder(of: id, for: reader, in: tx)
                switch answer {
                case "no": try Undo.declining(id, of: holder.account, in: tx)
                case "undo":
                    guard let last = try Undo.decline(of: id, by: holder.account, in: tx) else {
                        throw Offer.IsOver()
                    }
                    _ = try Undo.take(last.id, of: holder.account, in: tx)
                default: try Registration.accept(id, of: holder.account, in: tx)
                }
            }
        } catch is Offer.IsOver {
            // It was pressed twice, or too late: the page says which.
        } catch is Offer.NamesNobody {
            return context.redirect(to: .registration(id))
        } catch is Undo.Refused {
            let page = try page(of: id, for: reader, token, at: now)
            return context.again(Templates.events.registrations.offer(page: page, isRefused: true)).withoutReferrer
        }
        return context.redirect(to: .offers / token).withoutReferrer
    }

    private func page(
        of id: ID<Registration>, for reader: ID<Account>, _ token: String, at now: Instant
    ) throws -> OfferPage {
        try site.read(at: now) { tx in
            let holder = try Registration.holder(of: id, for: reader, in: tx)
            let declined = try Undo.decline(of: id, by: holder.account, in: tx)
            return try OfferPage(id, holder, token, declined: declined, in: tx)
        }
    }

    private func opened(
        _ link: LetterLink<Registration>, _ context: PublicContext
    ) throws -> (id: ID<Registration>, reader: ID<Account>, token: String) {
        let token = try context.word("token")
        guard let seal = try site.read({ db in try Seal(in: db) }), let (id, reader) = link.open(token, seal) else {
            throw Refusal.notFound
        }
        return (id, reader, token)
    }

    // MARK: Giving back

    func askBack(_ context: PublicContext) throws -> Response {
        let (id, reader, _) = try opened(.giveBack, context)
        let page = try site.read(at: context.now) { tx in
            try GiveBackPage(id, Registration.holder(of: id, for: reader, in: tx), in: tx)
        }
        return context.page(Templates.events.registrations.giveBack(page: page)).withoutReferrer
    }

    /// `POST /give-back/{token}`: gives back all of the family's places at that event.
    func giveBack(_ context: PublicContext) async throws -> Response {
        let (id, reader, token) = try opened(.giveBack, context)
        try await site.write(at: context.now) { tx in
            let holder = try Registration.holder(of: id, for: reader, in: tx)
            try Registration.giveBackAll(of: holder.account, by: reader, at: holder.event, in: tx)
        }
        return context.redirect(to: .givingBack / token).withoutReferrer
    }
}
