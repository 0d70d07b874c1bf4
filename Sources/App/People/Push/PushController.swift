import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/me/notices/browser`: the browsers that receive push messages.
struct PushController {
    let site: Site

    /// `POST /me/notices/browser`: sent by a script after the browser subscribed.
    func add(_ context: MemberContext) async throws -> Response {
        guard let (endpoint, publicKey, secret) = taken(context) else {
            return context.redirect(to: .noticeChoices, flash: .pushNotTaken)
        }
        let (account, session) = (context.member.account, context.member.session)
        try await site.writeQuietly(at: context.now) { tx in
            try PushDevice.add(
                endpoint: endpoint, publicKey: publicKey, secret: secret, in: session, of: account, in: tx)
        }
        return context.redirect(to: .noticeChoices.fragment("push"), flash: .pushOn)
    }

    /// `POST /me/notices/browser/renewed`: sent by the service worker if the browser replaced its subscription.
    func renew(_ context: MemberContext) async throws -> Response {
        guard let old = context.body["replaces"], let (endpoint, publicKey, secret) = taken(context) else {
            throw Refusal.notFound
        }
        let session = context.member.session
        let isKnown = try await site.writeQuietly { db in
            try PushDevice.renew(
                old, endpoint: endpoint, publicKey: publicKey, secret: secret, in: session, in: db)
        }
        guard isKnown else { throw Refusal.notFound }
        return Response(status: .noContent)
    }

    /// The subscription sent by a script; nil if the site can't push to it.
    private func taken(_ context: MemberContext) -> (endpoint: String, publicKey: String, secret: String)? {
        func said(_ name: String) -> String { context.body[name] ?? "" }
        let (endpoint, publicKey, secret) = (said("endpoint"), said("key"), said("secret"))
        guard site.takesPushes(endpoint: endpoint, publicKey: publicKey, secret: secret) else { return nil }
        return (endpoint, publicKey, secret)
    }

    /// `POST /me/notices/browser/{id}/end`
    func end(_ context: MemberContext) async throws -> Response {
        let id: ID<PushDevice> = try context.id()
        let account = context.member.account
        try await site.writeQuietly { db in try PushDevice.end(id, of: account, in: db) }
        return context.redirect(to: .noticeChoices.fragment("push"), flash: .pushOff)
    }
}
