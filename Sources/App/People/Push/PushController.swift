import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/me/notices/browser`: to which browsers notices are pushed.
struct PushController {
    let site: Site

    /// `POST /me/notices/browser`: from a script, which asked the browser.
    func add(_ context: MemberContext) async throws -> Response {
        guard let (endpoint, publicKey, secret) = taken(context) else {
            return context.redirect(to: .noticeChoices, flash: .pushNotTaken)
        }
        let (account, session, now) = (context.member.account, context.member.session, context.now)
        try await site.writeQuietly { db in
            try PushDevice.add(
                endpoint: endpoint, publicKey: publicKey, secret: secret, in: session, of: account, at: now, in: db)
        }
        return context.redirect(to: .noticeChoices.fragment("push"), flash: .pushOn)
    }

    /// `POST /me/notices/browser/renewed`: from the worker, whose browser gave up the address it had and took another.
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

    /// What a script said of the browser; nil where the site can't push there.
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
