import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// `/welcome` and `/hat`: choosing one's hat.
struct HatController {
    let site: Site

    func new(_ context: MemberContext) throws -> Response {
        // A link from the landing page already contains the answer.
        if let next = context.next, next.path == Link.welcome.string { return context.redirect(to: next) }
        return context.page(
            Templates.people.accounts.welcome(next: context.nextText, chosen: choice(context), problem: false))
    }

    /// The initial selection: from the address, from the page they come from, or from their profiles.
    private func choice(_ context: MemberContext) -> String {
        if let asked = context.query["hat"], asked == Hat.neighbor || Hat(rawValue: asked) != nil { return asked }
        let forProviders: [Link] = [.newEvent, .ownEvents, .newOpportunity, .ownOpportunities, .providerProfile]
        if let next = context.next, forProviders.contains(where: { $0.string == next.path }) {
            return Hat.provider.rawValue
        }
        // Only parents register for events. Nobody is taken for one otherwise.
        let isForParents = context.next?.path.hasPrefix("\(Link.events.string)/") ?? false
        return (context.member.hat ?? (isForParents ? .parent : nil))?.rawValue ?? ""
    }

    /// Both pages: puts the hat on, and continues to its form if there is no profile yet.
    func create(_ context: MemberContext) async throws -> Response {
        let (member, typed) = (context.member, context.body["hat"] ?? "")
        if typed == Hat.neighbor {
            try await site.write { db in try Session.wearNone(in: member.session, of: member.account, in: db) }
            return context.redirect(to: context.next ?? Link.start)
        }
        guard let hat = Hat(rawValue: typed) else {
            return context.again(
                Templates.people.accounts.welcome(next: context.nextText, chosen: "", problem: true))
        }
        guard context.member.has(hat) else {
            let isSwitch = context.visit.path == Link.hat.string
            return context.redirect(
                to: context.onward(hat.form).with("back", isSwitch ? context.visit.back?.string : nil))
        }
        try await site.write { db in try Session.wear(hat, in: member.session, of: member.account, in: db) }
        return context.redirect(to: context.next ?? Link.start)
    }
}
